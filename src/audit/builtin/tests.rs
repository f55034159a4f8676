//! Batches as they are drawn, against the means of their laws, and the ends of what they may be told.

use super::*;
use crate::audit::{Mechanism, Output};
use crate::mechanism::tape::Tape;

/// Mean sums of each step, over many draws, with the record there or without.
fn mean(name: &str, with: &[(&str, f64)], there: bool) -> Vec<f64> {
    const DRAWS: u64 = 4000;
    let with: Parameters = with
        .iter()
        .map(|(name, x)| ((*name).to_owned(), *x))
        .collect();
    let specimen = find(name, &with).expect("its parameters fit");
    let input = vec![f64::from(u8::from(there))];
    let drawn = |trial| match specimen.draw(&input, Tape::new(5).trial(trial)) {
        Ok(Output::Vector(sums)) => sums,
        other => panic!("{other:?} are no sums"),
    };
    let mut all = drawn(0);
    for trial in 1..DRAWS {
        all.iter_mut()
            .zip(drawn(trial))
            .for_each(|(sum, x)| *sum += x);
    }
    all.iter().map(|sum| sum / DRAWS as f64).collect()
}

/// A record is in each step as often as its way of sampling says: it answers 1, others where there are some −1.
#[test]
fn batches_hold_the_record_as_often_as_they_should() {
    let (fixed, replaced) = ("fixed-size-gaussian", "with-replacement-gaussian");
    let (cut, allocated) = ("truncated-poisson-gaussian", "random-allocation-gaussian");
    let (apart, all) = ("b-min-separation-gaussian", "matrix-gaussian");
    let binned = "balls-in-bins-matrix-gaussian";
    let [records, batch, sigma] = [("records", 4.0), ("batch", 2.0), ("sigma", 1.0)];
    // Of three records, each drawn half the time, 7/8 are kept in the mean if one may be, 11/8 if two.
    let three = [("records", 3.0), ("rate", 0.5), sigma];
    let cut_to = |cap: f64| [three.as_slice(), &[("cap", cap)]].concat();
    let steps = |n: f64| ("steps", n);
    for (name, with, there, due) in [
        (
            fixed,
            vec![records, batch, sigma],
            true,
            vec![2.0 * 0.5 - 2.0],
        ),
        (fixed, vec![records, batch, sigma], false, vec![-2.0]),
        (
            replaced,
            vec![records, ("batch", 3.0), sigma],
            true,
            vec![3.0 * 0.5 - 3.0],
        ),
        (
            replaced,
            vec![records, ("batch", 3.0), sigma],
            false,
            vec![-3.0],
        ),
        (cut, cut_to(1.0), true, vec![-7.0 / 8.0 / 3.0]),
        (cut, cut_to(2.0), true, vec![-11.0 / 8.0 / 3.0]),
        (cut, cut_to(2.0), false, vec![-1.0]),
        (
            allocated,
            vec![steps(3.0), ("participations", 2.0), ("epochs", 2.0), sigma],
            true,
            vec![2.0 / 3.0; 6],
        ),
        (allocated, vec![steps(2.0), sigma], false, vec![0.0; 2]),
        // After the wait for 3 others, with probability 1/2 in each step, as if it had always gone on.
        (
            apart,
            vec![("separation", 4.0), ("rate", 0.5), sigma],
            true,
            vec![0.5 / 2.5; 4],
        ),
        (
            apart,
            vec![("separation", 2.0), ("rate", 0.8), sigma],
            true,
            vec![0.8 / 1.8; 4],
        ),
        (apart, vec![steps(3.0), sigma], false, vec![0.0; 3]),
        (
            all,
            vec![("participations", 2.0), sigma],
            true,
            vec![1.0, 1.9, 1.7],
        ),
        (
            binned,
            vec![("bins", 2.0), sigma],
            true,
            vec![0.5, 0.95, 1.35],
        ),
        (
            binned,
            vec![("bins", 3.0), sigma],
            true,
            vec![1.0 / 3.0, 1.9 / 3.0, 2.7 / 3.0],
        ),
        (binned, vec![("bins", 3.0), sigma], false, vec![0.0; 3]),
    ] {
        let found = mean(name, &with, there);
        // Six deviations of a mean of 4000 sums whose own are up to √(1 + 1.1): of all sums here one is farther off with
        // probability below 10⁻⁷, and one whose law is off by 0.28 is missed as rarely.
        let near = found.iter().zip(&due).all(|(x, y)| (x - y).abs() < 0.14);
        assert!(
            near && found.len() == due.len(),
            "{name} {with:?}: {found:?}, not {due:?}"
        );
    }
}

/// Whole numbers end where their mechanisms do.
#[test]
fn whole_parameters_are_refused_beyond_their_ends() {
    for (name, with, told) in [
        (
            "fixed-size-gaussian",
            vec![("records", 1.0)],
            "records = 1 must be a whole number from 2 to 10000",
        ),
        (
            "fixed-size-gaussian",
            vec![("batch", 10.0)],
            "batch = 10 must be a whole number from 1 to 9",
        ),
        (
            "fixed-size-gaussian",
            vec![("batch", 1.5)],
            "batch = 1.5 must be a whole number from 1 to 9",
        ),
        (
            "truncated-poisson-gaussian",
            vec![("cap", 7.0)],
            "cap = 7 must be a whole number from 1 to 6",
        ),
        (
            "random-allocation-gaussian",
            vec![("participations", 4.0)],
            "participations = 4 must be a whole number from 1 to 3",
        ),
        (
            "random-allocation-gaussian",
            vec![("steps", 4.0), ("epochs", 2501.0)],
            "epochs = 2501 must be a whole number from 1 to 2500",
        ),
        (
            "b-min-separation-gaussian",
            vec![("separation", 0.0)],
            "separation = 0 must be a whole number from 1 to 10000",
        ),
        (
            "matrix-gaussian",
            vec![("participations", 4.0)],
            "participations = 4 must be a whole number from 1 to 3",
        ),
        (
            "balls-in-bins-matrix-gaussian",
            vec![("bins", 4.0)],
            "bins = 4 must be a whole number from 1 to 3",
        ),
    ] {
        let with = with
            .into_iter()
            .map(|(name, x)| (name.to_owned(), x))
            .collect();
        let why = find(name, &with).map_or_else(|why| why.to_string(), |_| String::new());
        assert!(why.contains(told), "{why} does not say {told}");
    }
}
