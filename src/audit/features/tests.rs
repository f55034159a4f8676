//! Rows, columns and units of outputs of numbers.

use super::*;
use crate::accounting::steady;

fn rows(layout: &Layout, outputs: &[Output]) -> Rows {
    let mut rows = Rows::default();
    outputs
        .iter()
        .for_each(|output| layout.push(output, &mut rows));
    rows
}

/// Each row's numbers and identity, the columns' names and units, for layouts of every sort: to the last bit.
#[test]
fn rows_are_what_they_were() {
    let vectors = [
        vec![0.1, 2.0],
        vec![-0.7],
        vec![],
        vec![1e-12, f64::NAN, 3.5],
    ]
    .map(Output::Vector);
    let mixed = [
        Output::Integer(-3),
        Output::Category(4),
        Output::Real(0.3),
        Output::Nothing,
        Output::Bits(vec![true, false]),
    ];
    let reals = [0.1, 0.1 + f64::EPSILON, -0.0, f64::INFINITY, 1e300].map(Output::Real);
    let statistic = || {
        let value = |output: &Output| match output {
            Output::Vector(v) => v.iter().sum::<f64>() / 3.0,
            _ => 0.123,
        };
        Statistic::new("third", value)
    };
    let extras = |statistics: usize, bits: bool| Extras {
        statistics: vec![statistic(); statistics],
        bits,
    };
    let mut found = Vec::new();
    for outputs in [&vectors[..], &mixed, &reals] {
        for extras in [extras(0, false), extras(2, false), extras(1, true)] {
            let layout = Layout::of(outputs, extras);
            let rows = rows(&layout, outputs);
            let names: Vec<String> = (0..layout.width()).map(|at| layout.column(at)).collect();
            let shown: Vec<String> = rows.iter().map(|row| layout.show(row.values)).collect();
            let units = (
                &layout.units,
                layout.rounds(),
                layout.has_length,
                layout.entries,
            );
            found.push(steady::digest(&(
                rows.width,
                &rows.values,
                names,
                shown,
                units,
            )));
            found.push(steady::digest(&rows.tokens));
        }
    }
    steady::words(
        &found,
        "93af88f0abfd379a 55b5fff68c51120a 236e6e2c4d94ac48 55b5fff68c51120a 182c669c4d8cd783
            272212c9ef2d1bfd c3ceda03e473bddc b6639ece7e038e98 5f3b46c623b14cb0 b6639ece7e038e98
            0f8765f2bdee79bc 274eb285ccc037fa 3357a81e5d86227b 1cb1792c86cbe4a0 5a3474dd1dddd9e3
            1cb1792c86cbe4a0 63230662aba11f46 b44863c7e93e95b6",
    );
}

/// An output of another length than all that showed the layout lacks its numbers and has its identity.
#[test]
fn an_output_that_is_longer_than_all_before_answers_nothing() {
    let vector = |n: usize| Output::Vector(vec![1.5; n]);
    let layout = Layout::of(&[vector(2), vector(2)], Extras::default());
    let found = rows(&layout, &[vector(2), vector(3), vector(1)]);
    assert_eq!(found.row(0).values, [1.5; 2]);
    assert!(found.row(1).values.iter().all(|x| x.is_nan()));
    assert!(found.row(2).values[0] == 1.5 && found.row(2).values[1].is_nan());
    let tokens: Vec<u64> = found.iter().map(|row| row.token).collect();
    assert!(tokens[0] != tokens[1] && tokens[1] != tokens[2] && tokens[0] != tokens[2]);
    // Where a column tells the length it is cut.
    let layout = Layout::of(&[vector(2), vector(1)], Extras::default());
    let found = rows(&layout, &[vector(3), Output::Nothing]);
    assert_eq!(found.row(0).values, [3.0, 1.5, 1.5]);
    assert_eq!(
        (found.row(1).values[0], found.row(1).values[1].is_nan()),
        (-1.0, true)
    );
}

/// A layout has one row for empty outputs, and tells lengths apart where they differ.
#[test]
fn a_layout_fits_its_outputs() {
    let empty = Layout::of(&[Output::Vector(Vec::new())], Extras::default());
    assert_eq!((empty.width(), empty.column(0)), (1, "output".to_owned()));
    let bits = Layout::of(
        &[Output::Real(0.5)],
        Extras {
            statistics: Vec::new(),
            bits: true,
        },
    );
    assert_eq!(bits.width(), 1 + BIT_COLUMNS);
    let names = [0, 1, 2, 65].map(|at| bits.column(at));
    assert_eq!(
        names,
        [
            "output",
            "grid of output",
            "bit 0 of output",
            "bit 63 of output"
        ]
    );
    assert!(!bits.rounds() && Layout::of(&[Output::Real(0.5)], Extras::default()).rounds());
    let row = rows(&bits, &[Output::Real(-0.75)]);
    // −0.75 is an odd multiple of 2⁻²; of its 64 bits the highest, of the sign, is 1.
    assert_eq!(
        (
            row.row(0).values[1],
            row.row(0).values[65],
            row.row(0).values[2]
        ),
        (-2.0, 1.0, 0.0)
    );
}

/// Halves of rows are the first and the rest, and so many first rows are no more than there are.
#[test]
fn parts_of_rows_are_consecutive() {
    let rows = Rows::of_reals(&[1.0, 2.0, 3.0, 4.0, 5.0]);
    let values = |part: Part<'_>| part.iter().map(|row| row.values[0]).collect::<Vec<_>>();
    let [first, second] = rows.all().halves();
    assert_eq!(
        [values(first), values(second)].concat(),
        [1.0, 2.0, 3.0, 4.0, 5.0]
    );
    assert_eq!(first.len(), 2);
    assert_eq!(
        [0, 3, 5, 9].map(|most| rows.all().first(most).len()),
        [0, 3, 5, 5]
    );
    let mut both = Rows::default();
    assert!(both.is_empty() && both.all().is_empty());
    both.extend(&rows);
    both.extend(&Rows::default());
    both.extend(&rows);
    assert_eq!(
        (
            both.len(),
            both.is_empty(),
            both.row(6).values[0],
            both.row(6).token
        ),
        (10, false, 2.0, rows.row(1).token)
    );
}
