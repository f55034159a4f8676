//! Counts and running sums.

use super::{EPSILON, Pair, Specimen};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::units::Neighbouring;

/// A two-sided geometric variate: P\[m\] ∝ ratio^|m|.
fn geometric(ratio: f64, stream: &mut Stream) -> f64 {
    // The difference of two one-sided geometric variates, each the floor of an exponential one.
    let mut one_sided = || (stream.uniform().laplace().abs() / -ratio.ln()).floor();
    one_sided() - one_sided()
}

/// Running sums, as in Chan, Shi and Song's binary counter cut to two levels: blocks of
/// [`BLOCK`] answers with one noise each, and one noise per answer within a block.
fn smart_sum(answers: &[f64], block_scale: f64, tape: Tape) -> Vec<f64> {
    let mut within = tape.stream(0, Purpose::Release, 0);
    let mut blocks = tape.stream(1, Purpose::Release, 0);
    let (mut closed, mut open, mut running) = (0.0, 0.0, 0.0);
    let steps = answers.iter().enumerate();
    steps
        .map(|(index, answer)| {
            open += answer;
            if (index + 1) % BLOCK == 0 {
                closed += open + block_scale * blocks.uniform().laplace();
                (open, running) = (0.0, closed);
            } else {
                running += answer + within.uniform().laplace() * 2.0 / EPSILON;
            }
            running
        })
        .collect()
}

const BLOCK: usize = 3;

/// One record moves one of `n` answers.
fn one_of(n: usize) -> Vec<Pair> {
    let moved = |at: usize| {
        let mut second = vec![0.0; n];
        second[at] = 1.0;
        (vec![0.0; n], second)
    };
    (0..n).map(moved).collect()
}

pub(super) fn specimens() -> Vec<Specimen> {
    // Balcer and Vadhan's mechanism has ratio 2^k/(2^k + 1) with k = ⌈ln(2/ε)⌉, hence
    // ε̃ = ln(1 + 2^{−k}), which is above the ε it is named after.
    let inverse = 2_f64.powf(-(2.0 / EPSILON).ln().ceil());
    let truncated = move |x: &[f64], tape: Tape| {
        let noise = geometric(
            1.0 / (1.0 + inverse),
            &mut tape.stream(0, Purpose::Release, 0),
        );
        Output::Integer((x[0] + noise).clamp(0.0, 5.0) as i64)
    };
    let ends = vec![(vec![0.0], vec![1.0]), (vec![5.0], vec![4.0])];
    let total = |scale: f64| {
        move |x: &[f64], tape: Tape| {
            let noise = tape.uniform(0, Purpose::Release, 0).laplace();
            Output::Real(x.iter().sum::<f64>() + scale * noise)
        }
    };
    let sums = |scale: f64| move |x: &[f64], tape: Tape| Output::Vector(smart_sum(x, scale, tape));
    let epsilon = inverse.ln_1p();
    let add = Neighbouring::AddRemove;
    vec![
        Specimen::correct("truncated-geometric", epsilon, ends, truncated).under(add),
        Specimen::correct("partial-sum", EPSILON, one_of(5), total(1.0 / EPSILON)),
        Specimen::broken(
            "partial-sum-bad",
            "the noise scale is 1/(2ε)",
            2.0 * EPSILON,
            one_of(5),
            total(0.5 / EPSILON),
        ),
        Specimen::correct("smart-sum", EPSILON, one_of(6), sums(2.0 / EPSILON)),
        Specimen::broken(
            "smart-sum-bad",
            "the sums of complete blocks get no noise",
            f64::INFINITY,
            one_of(6),
            sums(0.0),
        ),
    ]
}
