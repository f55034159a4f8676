//! Additive noise.

use super::{EPSILON, Pair, Specimen, patterns};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape};
use crate::units::Neighbouring;

/// Every answer with Laplace noise of one scale.
fn noisy(answers: &[f64], scale: f64, tape: Tape) -> Vec<f64> {
    let mut noise = tape.stream(0, Purpose::Release, 0);
    let all = answers.iter();
    all.map(|x| x + scale * noise.uniform().laplace()).collect()
}

/// A histogram of five cells in which one record is added.
fn one_cell() -> Vec<Pair> {
    vec![(vec![1.0; 5], vec![2.0, 1.0, 1.0, 1.0, 1.0])]
}

pub(super) fn specimens() -> Vec<Specimen> {
    let one = || vec![(vec![0.0], vec![1.0])];
    let cells = |n: usize| vec![(vec![0.0; n], vec![1.0; n])];
    vec![
        Specimen::correct("laplace-mechanism", EPSILON, one(), |x, tape| {
            Output::Real(noisy(x, 1.0 / EPSILON, tape)[0])
        }),
        Specimen::broken(
            "laplace-half-noise",
            "the noise scale is half of what the claim needs",
            2.0 * EPSILON,
            one(),
            |x, tape| Output::Real(noisy(x, 0.5 / EPSILON, tape)[0]),
        ),
        Specimen::correct("noisy-histogram-1", EPSILON, one_cell(), |x, tape| {
            Output::Vector(noisy(x, 1.0 / EPSILON, tape))
        })
        .under(Neighbouring::AddRemove),
        Specimen::broken(
            "noisy-histogram-2",
            "the noise scale is ε instead of 1/ε",
            1.0 / EPSILON,
            one_cell(),
            |x, tape| Output::Vector(noisy(x, EPSILON, tape)),
        )
        .under(Neighbouring::AddRemove),
        Specimen::correct("laplace-parallel", EPSILON, cells(20), |x, tape| {
            Output::Vector(noisy(x, x.len() as f64 / EPSILON, tape))
        }),
        Specimen::broken(
            "prefix-sum",
            "the budget is not split among ten answers",
            10.0 * EPSILON,
            patterns(10),
            |x, tape| {
                let mut sum = 0.0;
                let steps = noisy(x, 1.0 / EPSILON, tape).into_iter();
                Output::Vector(
                    steps
                        .map(|step| {
                            sum += step;
                            sum
                        })
                        .collect(),
                )
            },
        ),
        Specimen::broken(
            "same-noise-twice",
            "two answers share one noise variate, so that their difference is exact",
            f64::INFINITY,
            vec![(vec![0.0, 0.0], vec![1.0, 0.0])],
            |x, tape| {
                let noise = noisy(&[0.0], x.len() as f64 / EPSILON, tape)[0];
                Output::Vector(x.iter().map(|x| x + noise).collect())
            },
        ),
        Specimen::broken(
            "laplace-textbook-bits",
            "the low bits of value + noise depend on the value",
            f64::INFINITY,
            one(),
            |x, tape| Output::Real(noisy(x, 1.0 / EPSILON, tape)[0]),
        )
        .in_bits(),
        Specimen::correct("laplace-snapped-bits", EPSILON, one(), |x, tape| {
            Output::Real(snap(noisy(x, 1.0 / EPSILON, tape)[0]))
        })
        .taking(150_000) // 66 columns are slow to learn from
        .in_bits(),
    ]
}

/// Rounding to a grid that is coarse against the noise and does not depend on the data, then a bound:
/// the second half of Mironov's snapping mechanism.
fn snap(value: f64) -> f64 {
    // The least power of two above the noise scale 1/ε = 10.
    const GRID: f64 = 16.0;
    ((value / GRID).round() * GRID).clamp(-1024.0, 1024.0)
}
