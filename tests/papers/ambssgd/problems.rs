//! Random problems for both algorithms.

use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::{Adaptive, Ranges, Search, Shuffled, Stop};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use std::ops::RangeInclusive;

/// A problem with both configurations, on the same records.
pub struct Problem {
    pub records: Matrix,
    pub adaptive: Adaptive,
    pub shuffled: Shuffled,
    pub tape: Tape,
}

/// The problem of a seed, with d in the given range: scales over four decades, zero records, targets that
/// stand exactly on a level of DP-STAT for w = 0, clipping from never to always, noise from none to much.
pub fn problem(seed: u64, dimensions: RangeInclusive<usize>) -> Problem {
    let mut random = Pcg64::seed_from_u64(seed);
    let d = random.random_range(dimensions);
    let (batch, statistics) = (random.random_range(1..=12), random.random_range(1..=6));
    let steps = 2 * random.random_range(1..=8);
    let n = steps * (batch + statistics);
    let search = match random.random_bool(0.2) {
        true => Search::printed(random.random_range(0.5..50.0), n),
        false => Search::halvings(random.random_range(0.5..50.0), random.random_range(1..=40)),
    };
    let search = search.expect("a positive domain and at least one level");

    let scale = 10f64.powf(random.random_range(-2.0..2.0));
    let mut values = Vec::with_capacity(n * d);
    let mut targets = Vec::with_capacity(n);
    for _ in 0..n {
        let zero = random.random_bool(0.05);
        for _ in 0..d {
            let sparse = random.random_bool(0.3);
            let x: f64 = random.random_range(-1.0..1.0);
            values.push(if zero || sparse { 0.0 } else { scale * x });
        }
        let on_a_level = random.random_bool(0.1);
        targets.push(match on_a_level {
            true => search.level(random.random_range(0..=search.levels)).value(),
            false => random.random_range(-10.0..10.0),
        });
    }
    let records = Matrix::new(d, values, targets).expect("finite values");
    let square = d as f64 * scale * scale;
    let multiplier = match random.random_bool(0.2) {
        true => 0.0,
        false => random.random_range(0.0..3.0),
    };
    let step = random.random_range(0.01..1.5) / square;
    Problem {
        records,
        adaptive: Adaptive {
            step,
            multiplier,
            batch,
            statistics,
            factor: square.sqrt() * 10f64.powf(random.random_range(-1.5..1.0)),
            search,
            ranges: match random.random_bool(0.5) {
                true => Ranges::Printed,
                false => Ranges::Disjoint,
            },
            stop: match seed % 2 {
                0 => Stop::Printed,
                _ => Stop::Margin { failure: 0.05 },
            },
        },
        shuffled: Shuffled {
            step,
            threshold: square.sqrt() * 10f64.powf(random.random_range(-1.5..3.0)),
            multiplier,
        },
        tape: Tape::new(seed),
    }
}
