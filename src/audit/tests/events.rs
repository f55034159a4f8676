//! Events, the rows on which they are defined, and the score of several columns.

use crate::audit::Output;
use crate::audit::bound::Bound;
use crate::audit::classifier::Classifier;
use crate::audit::event::Event;
use crate::audit::features::{Extras, Layout, Rows, Statistic};
use crate::audit::reach::{grid, holes, word_for};
use crate::audit::simpler;
use crate::mechanism::tape::Uniform;
use std::sync::Arc;

fn rows(layout: &Layout, outputs: &[Output]) -> Rows {
    let mut rows = Rows::default();
    outputs
        .iter()
        .for_each(|output| layout.push(output, &mut rows));
    rows
}

fn vector(entries: &[f64]) -> Output {
    Output::Vector(entries.to_vec())
}

fn extras(bits: bool) -> Extras {
    let first = Statistic::new("first", |output| match output {
        Output::Vector(v) => v.first().copied().unwrap_or(f64::NAN),
        Output::Real(x) => *x,
        _ => -3.0,
    });
    Extras {
        statistics: vec![first],
        bits,
    }
}

#[test]
fn columns_have_names_and_hold_what_these_say() {
    let outputs = [vector(&[1.5, -0.25]), vector(&[0.5]), Output::Nothing];
    let layout = Layout::of(&outputs, extras(true));
    let names: Vec<String> = (0..layout.width()).map(|at| layout.column(at)).collect();
    let (expected, count) = (["length", "output[0]", "output[1]", "first"], 4 + 2 * 65);
    assert_eq!(
        (&names[..4], names.len()),
        (&expected.map(str::to_owned)[..], count)
    );
    let table = rows(&layout, &outputs);
    let at = |row: usize, name: &str| {
        let column = names.iter().position(|n| n == name).expect(name);
        table.row(row).values[column]
    };
    let lengths = [0, 1, 2].map(|row| at(row, "length"));
    assert_eq!(
        (lengths, at(0, "first"), at(2, "first")),
        ([2.0, 1.0, -1.0], 1.5, -3.0)
    );
    assert!(at(1, "output[1]").is_nan() && at(1, "grid of output[1]").is_nan());
    assert_eq!(
        (at(0, "grid of output[0]"), at(0, "grid of output[1]")),
        (-1.0, -2.0)
    );
    for entry in 0..2 {
        let bits = [1.5_f64, -0.25][entry].to_bits();
        for bit in 0..64 {
            let found = at(0, &format!("bit {bit} of output[{entry}]"));
            assert_eq!(found, f64::from((bits >> bit) as u32 & 1), "{bit}");
        }
    }
    assert_eq!(layout.show(table.row(0).values), "[1.5, -0.25]");
    let real = Layout::of(&[Output::Real(1.5)], extras(false));
    assert_eq!(
        (real.column(0), real.column(1), real.width()),
        ("output".into(), "first".into(), 2)
    );
    assert_eq!(real.show(&[1.5, 1.5]), "1.5");
    assert!(real.rounds() && !Layout::of(&[Output::Integer(3)], Extras::default()).rounds());
    // Numbers of every kind; one that is longer than all that showed the layout answers nothing.
    let two = Layout::of(&[vector(&[1.0, 2.0])], Extras::default());
    for (output, wanted) in [
        (Output::Integer(-3), [-3.0, f64::NAN]),
        (Output::Category(4), [4.0, f64::NAN]),
        (Output::Bits(vec![true, false]), [1.0, 0.0]),
        (Output::Real(0.5), [0.5, f64::NAN]),
        (vector(&[1.0, 2.0, 3.0]), [f64::NAN; 2]),
        (Output::Nothing, [f64::NAN; 2]),
    ] {
        let found = rows(&two, &[output]);
        let bits = |all: &[f64]| all.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(found.row(0).values), bits(&wanted));
    }
    let all = [
        Output::Integer(1),
        Output::Category(1),
        Output::Bits(vec![true]),
        Output::Real(1.0),
        vector(&[1.0]),
        Output::Nothing,
    ];
    let table = rows(&two, &all);
    let mut tokens = table.all().tokens().to_vec();
    tokens.sort_unstable();
    tokens.dedup();
    assert_eq!(tokens.len(), all.len(), "each has an identity of its own");
}

#[test]
fn rows_are_parted_joined_and_walked_in_order() {
    let layout = Layout::of(&[vector(&[0.0, 0.0])], Extras::default());
    let outputs: Vec<Output> = (0..5)
        .map(|k| vector(&[f64::from(k), -f64::from(k)]))
        .collect();
    let table = rows(&layout, &outputs);
    let firsts = |part: crate::audit::features::Part<'_>| -> Vec<f64> {
        part.iter()
            .map(|row| row.values[0] - row.values[1])
            .collect()
    };
    assert_eq!(
        (table.len(), table.is_empty(), table.all().width()),
        (5, false, 2)
    );
    assert_eq!(firsts(table.all()), [0.0, 2.0, 4.0, 6.0, 8.0]);
    assert_eq!(table.iter().count(), 5);
    let [half, rest] = table.all().halves();
    assert_eq!(
        (firsts(half), firsts(rest)),
        (vec![0.0, 2.0], vec![4.0, 6.0, 8.0])
    );
    assert_eq!(
        (rest.len(), rest.is_empty(), half.tokens().len()),
        (3, false, 2)
    );
    assert_eq!(firsts(table.all().first(3)), [0.0, 2.0, 4.0]);
    assert_eq!(table.all().first(9).len(), 5);
    let mut joined = Rows::default();
    assert!(joined.is_empty() && joined.all().is_empty());
    joined.extend(&rows(&layout, &outputs[..2]));
    joined.extend(&Rows::default());
    joined.extend(&rows(&layout, &outputs[2..]));
    assert_eq!(
        (firsts(joined.all()), joined.all().tokens()),
        (firsts(table.all()), table.all().tokens())
    );
}

/// Every kind of event, in a row and in many, and its words.
#[test]
fn events_hold_of_the_rows_that_they_name() {
    let outputs = [[0.0, 1.0], [2.0, 1.0], [1.0, f64::NAN], [1.5, 3.0]].map(|v| vector(&v));
    let layout = Layout::of(&outputs, Extras::default());
    let table = rows(&layout, &outputs);
    let token = table.row(1).token;
    let (half, other) = (rows(&layout, &outputs[..2]), rows(&layout, &outputs[2..]));
    let classifier = Arc::new(Classifier::train(2, half.all(), other.all()));
    let scores = [0, 1, 2, 3].map(|i| classifier.score(table.row(i).values));
    let threshold = 0.25 * scores.iter().sum::<f64>();
    let over = scores.map(|score| score > threshold);
    assert!(over.contains(&true) && over.contains(&false), "{scores:?}");
    let (one, both) = (vec!["[2, 1]".to_owned()], vec![token.min(7), token.max(7)]);
    for (event, holds, words) in [
        (
            Event::Above {
                column: 0,
                threshold: 1.0,
            },
            [false, true, false, true],
            "output[0] > 1".to_owned(),
        ),
        (
            Event::Below {
                column: 1,
                threshold: 3.0,
            },
            [true, true, false, false],
            "output[1] < 3".to_owned(),
        ),
        (
            Event::Missing { column: 1 },
            [false, false, true, false],
            "output[1] is NaN".to_owned(),
        ),
        (
            Event::OneOf {
                tokens: vec![token],
                examples: one.clone(),
            },
            [false, true, false, false],
            "output is [2, 1]".to_owned(),
        ),
        (
            Event::OneOf {
                tokens: both,
                examples: one,
            },
            [false, true, false, false],
            "output is [2, 1] or one of 1 others".to_owned(),
        ),
        (
            Event::Score {
                classifier: classifier.clone(),
                threshold,
            },
            over,
            format!("{} > {threshold}", classifier.describe(&layout)),
        ),
        (
            Event::ScoreBelow {
                classifier: classifier.clone(),
                threshold,
            },
            scores.map(|score| score < threshold),
            format!("{} < {threshold}", classifier.describe(&layout)),
        ),
    ] {
        assert_eq!(
            [0, 1, 2, 3].map(|i| event.contains(table.row(i))),
            holds,
            "{words}"
        );
        for bit in 0..2 {
            let mut codes = [0b100; 4];
            event.mark(table.all(), bit, &mut codes);
            assert_eq!(
                codes,
                holds.map(|holds| 0b100 | u8::from(holds) << bit),
                "{words}"
            );
        }
        assert_eq!(event.describe(&layout), words);
        let scored = matches!(event, Event::Score { .. } | Event::ScoreBelow { .. });
        assert_eq!(event.weights(&layout).len(), if scored { 3 } else { 0 });
    }
}

/// A score of ten columns of which one tells the sides apart: it is named first.
#[test]
fn a_score_names_the_columns_that_matter_most_and_says_how_many_more_there_are() {
    let side = |shift: f64| -> Vec<Output> {
        (0..40)
            .map(|k| {
                let mut entries = [f64::from(k % 4); 10];
                entries[7] += shift;
                vector(&entries)
            })
            .collect()
    };
    let (first, second) = (side(10.0), side(0.0));
    let layout = Layout::of(first.iter().chain(&second), Extras::default());
    let [a, b] = [&first, &second].map(|side| rows(&layout, side));
    let classifier = Classifier::train(10, a.all(), b.all());
    let told = classifier.describe(&layout);
    assert!(
        told.starts_with("score(output[7], ") && told.ends_with(", …)"),
        "{told}"
    );
    let lines = classifier.weights(&layout);
    assert_eq!(
        lines.len(),
        6,
        "a head, four columns, and the rest: {lines:?}"
    );
    assert!(
        lines[1].starts_with("output[7]: +") && lines[1].contains(" from 10 to below 11, "),
        "{}",
        lines[1]
    );
    assert!(
        lines[1].contains(" from 13 on; ") && lines[1].ends_with(" smaller ones"),
        "{}",
        lines[1]
    );
    assert_eq!(lines[5], "and 6 columns more");
    let least = |rows: &Rows, sign: f64| {
        rows.iter()
            .map(|row| sign * classifier.score(row.values))
            .fold(f64::INFINITY, f64::min)
    };
    assert!(least(&a, 1.0) > 0.0 && least(&b, -1.0) > 0.0);
    let [c, d] = [&first, &second].map(|side| {
        let three: Vec<Output> = side.iter().map(|_| vector(&[0.0; 3])).collect();
        rows(&Layout::of(&three, Extras::default()), &three)
    });
    let layout = Layout::of(&[vector(&[0.0; 3])], Extras::default());
    let flat = Classifier::train(3, c.all(), d.all()).describe(&layout);
    assert_eq!(flat, "score(output[0], output[1], output[2])");
}

#[test]
fn an_event_is_counted_on_the_side_where_it_is_too_frequent_first() {
    let layout = Layout::of(&[Output::Real(0.5)], Extras::default());
    let [first, second] = [[1.0, 2.0, 3.0, 0.5], [0.0, 0.25, 5.0, 0.5]]
        .map(|all| rows(&layout, &all.map(Output::Real)));
    let event = Event::Above {
        column: 0,
        threshold: 0.75,
    };
    for (forward, hits) in [(true, [3, 1]), (false, [1, 3])] {
        let mut bound = Bound::known(event.clone(), forward);
        assert_eq!(bound.mass(), 0.0);
        bound.count(&first, &second);
        bound.count(&first, &second);
        let counts = bound.counts();
        assert_eq!(
            [counts.hits0, counts.hits1, counts.samples],
            [2 * hits[0], 2 * hits[1], 8]
        );
        assert_eq!(bound.mass(), hits[0] as f64 / 4.0);
        let sides = if forward { ["a", "b"] } else { ["b", "a"] };
        assert_eq!(bound.by_direction(["a", "b"]), sides);
    }
}

/// No difference grows, something changes, and what is listed is all there is.
#[test]
fn simpler_pairs_are_shorter_or_have_smaller_numbers() {
    let pairs = simpler(&[1.0, 3.0], &[2.0, 3.0]);
    let pair = |a: &[f64], b: &[f64]| (a.to_vec(), b.to_vec());
    assert_eq!(
        pairs,
        [
            pair(&[1.0], &[2.0]),
            pair(&[1.0], &[2.0]),
            pair(&[0.0, 3.0], &[1.0, 3.0]),
            pair(&[1.0, 3.0], &[1.0, 3.0]),
            pair(&[0.0, 3.0], &[0.0, 3.0]),
            pair(&[1.0, 0.0], &[2.0, 0.0]),
            pair(&[1.0, 0.0], &[2.0, 0.0]),
        ]
    );
    let lengths: Vec<usize> = simpler(&[0.0; 5], &[0.0; 5])
        .iter()
        .map(|p| p.0.len())
        .collect();
    assert_eq!(lengths, [2, 4]);
    assert_eq!(simpler(&[0.0], &[0.0]), []);
    assert_eq!(
        simpler(&[0.0], &[1.0]),
        [pair(&[0.0], &[0.0]), pair(&[0.0], &[0.0])]
    );
}

#[test]
fn the_grid_of_a_number_is_its_lowest_bit() {
    for (value, exponent) in [
        (1.0, Some(0)),
        (-3.0, Some(0)),
        (12.0, Some(2)),
        (0.375, Some(-3)),
        (2_f64.powi(1000), Some(1000)),
        (f64::from_bits(1), Some(-1074)),
        (f64::from_bits(6), Some(-1073)),
        (f64::MIN_POSITIVE, Some(-1022)),
        (f64::MAX, Some(971)),
        (0.0, None),
        (f64::INFINITY, None),
        (f64::NAN, None),
    ] {
        assert_eq!(grid(value), exponent, "{value}");
    }
    // Steps of 2³²: what is one of them is found, at the first and at the last word too, and nothing between.
    let step = |word: Uniform| (word.0 >> 32) as f64;
    for at in [0, 1, 77, (1 << 32) - 1] {
        let found = word_for(f64::from(at as u32), step).expect("a word");
        assert_eq!(found.0 >> 32, at, "{at}");
    }
    assert_eq!(word_for(0.5, step).map(|w| w.0), None);
    assert_eq!(word_for(-1.0, step).map(|w| w.0), None);
    let doubled = |word: Uniform| 2.0 * step(word);
    let words = (0..10).map(|k| Uniform(k << 32));
    let found = holes(words, step, doubled);
    assert_eq!(
        (found.outputs, found.unreachable, found.example),
        (10, 5, Some(1.0))
    );
}
