//! How far a noised quantity moved, against what was declared.

use super::Violation;
use super::query::{Asked, Declared};
use crate::float::U;

/// The worst ratio of measured to declared distance, and the violations.
pub(super) struct Compared {
    pub ratio: f64,
    pub violations: Vec<Violation>,
}

/// Compares one query's values on D and D′, of equal number.
///
/// **Rounding.** With values x, x′ computed within r, r′ of the exact ones, the exact distance is at
/// least the computed one less ‖r + r′‖. The computed distance of m values has at most m + 3
/// roundings (differences, scaling, squares, sums, root), each relative and of nonnegative terms:
/// it is rounded down by twice as many units, the allowance up by as much. So a violation is never
/// rounding.
pub(super) fn compare(at: usize, recorded: &Asked, replayed: &Asked) -> Compared {
    let pairs = recorded.values.iter().zip(&replayed.values);
    let moves: Vec<f64> = pairs.map(|(x, y)| (x - y).abs()).collect();
    let pairs = recorded.rounding.iter().zip(&replayed.rounding);
    let slack: Vec<f64> = pairs.map(|(r, s)| r + s).collect();
    let margin = 2.0 * (moves.len() as f64 + 3.0) * U;
    let mut compared = Compared {
        ratio: 0.0,
        violations: Vec::new(),
    };
    let mut check = |norm: String, declared: f64, moved: f64, slack: f64| {
        let (measured, allowance) = (moved * (1.0 - margin), slack * (1.0 + margin));
        // Not `measured > …`: what is not a number is no distance.
        let within = measured <= declared + allowance;
        if measured > 0.0 {
            compared.ratio = compared.ratio.max(measured / declared);
        }
        if !within {
            compared.violations.push(Violation::Sensitivity {
                at,
                label: recorded.label,
                norm,
                declared,
                measured,
                allowance,
            });
        }
    };
    match &recorded.declared {
        Declared::L1(bound) => check("ℓ₁".into(), *bound, sum(&moves), sum(&slack)),
        Declared::L2(bound) => check("ℓ₂".into(), *bound, root(&moves), root(&slack)),
        Declared::LInf(bound) => check("ℓ∞".into(), *bound, largest(&moves), largest(&slack)),
        Declared::Each(bounds) => {
            for (i, bound) in bounds.iter().enumerate() {
                check(format!("entry {i}"), *bound, moves[i], slack[i]);
            }
        }
    }
    compared
}

fn sum(values: &[f64]) -> f64 {
    values.iter().sum()
}

/// The largest; NaN if any is.
fn largest(values: &[f64]) -> f64 {
    values
        .iter()
        .fold(0.0, |a: f64, &b| if b > a || b.is_nan() { b } else { a })
}

/// The Euclidean norm, scaled so that no square overflows or vanishes.
fn root(values: &[f64]) -> f64 {
    let scale = largest(values);
    if scale == 0.0 || !scale.is_finite() {
        return scale;
    }
    let squares = values.iter().map(|v| (v / scale) * (v / scale));
    scale * squares.sum::<f64>().sqrt()
}
