//! The largest of several noisy answers: its index, or its value.

use super::{EPSILON, Specimen, patterns};
use crate::audit::Output;
use crate::mechanism::tape::{Purpose, Tape, Uniform};

/// Index and value of the largest noisy answer.
fn largest(answers: &[f64], scale: f64, noise: fn(Uniform) -> f64, tape: Tape) -> (usize, f64) {
    let mut stream = tape.stream(0, Purpose::Selection, 0);
    let mut best = (0, f64::NEG_INFINITY);
    for (index, answer) in answers.iter().enumerate() {
        let value = answer + scale * noise(stream.uniform());
        if value > best.1 {
            best = (index, value);
        }
    }
    best
}

/// An exponential variate: the size of a Laplace variate.
fn exponential(uniform: Uniform) -> f64 {
    uniform.laplace().abs()
}

pub(super) fn specimens() -> Vec<Specimen> {
    let scale = 2.0 / EPSILON;
    let index = |noise: fn(Uniform) -> f64| {
        move |x: &[f64], tape: Tape| Output::Integer(largest(x, scale, noise, tape).0 as i64)
    };
    let value = |noise: fn(Uniform) -> f64| {
        move |x: &[f64], tape: Tape| Output::Real(largest(x, scale, noise, tape).1)
    };
    vec![
        Specimen::correct(
            "noisy-argmax-laplace",
            EPSILON,
            patterns(5),
            index(Uniform::laplace),
        ),
        Specimen::correct(
            "noisy-argmax-exponential",
            EPSILON,
            patterns(5),
            index(exponential),
        ),
        Specimen::broken(
            "noisy-max-laplace",
            "the value is released, not the index",
            // Five answers with scale 2/ε each: 5 ε/2, approached when all answers move together.
            2.5 * EPSILON,
            patterns(5),
            value(Uniform::laplace),
        )
        .taking(2_000_000),
        Specimen::broken(
            "noisy-max-exponential",
            "the value is released, and one-sided noise has an edge",
            f64::INFINITY,
            patterns(5),
            value(exponential),
        )
        .taking(2_000_000),
    ]
}
