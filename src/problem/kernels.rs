//! The loops over X, written so that the compiler vectorises them, for the widest registers that the processor
//! turns out to have. Partial sums are as many everywhere and nothing is fused: the bits are the same.

use pulp::Arch;

/// Eight partial sums break the chain of dependent additions; their order is fixed.
const LANES: usize = 8;

/// Σ_i x_i s_i.
pub(crate) fn dot(x: &[f64], s: &[f64]) -> f64 {
    Arch::new().dispatch(
        #[inline(always)]
        || product(x, s),
    )
}

/// [`dot`], for loops that are dispatched as a whole.
#[inline(always)]
pub(crate) fn product(x: &[f64], s: &[f64]) -> f64 {
    sum(x, s, |x, s| x * s)
}

/// Σ_i clip(x_i s_i, threshold).
pub(crate) fn clipped_dot(x: &[f64], s: &[f64], threshold: f64) -> f64 {
    Arch::new().dispatch(
        #[inline(always)]
        || sum(x, s, |x, s| (x * s).min(threshold).max(-threshold)),
    )
}

/// Σ_i x_i s_i and Σ_i x_i², in one pass.
pub(crate) fn dot_and_squares(x: &[f64], s: &[f64]) -> (f64, f64) {
    Arch::new().dispatch(
        #[inline(always)]
        || both_sums(x, s),
    )
}

#[inline(always)]
fn both_sums(x: &[f64], s: &[f64]) -> (f64, f64) {
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (s, s_rest) = s.as_chunks::<LANES>();
    let mut lanes = [[0.0; LANES]; 2];
    for (x, s) in x.iter().zip(s) {
        for lane in 0..LANES {
            lanes[0][lane] += x[lane] * s[lane];
            lanes[1][lane] += x[lane] * x[lane];
        }
    }
    let mut sums = lanes.map(|lanes| lanes.iter().sum::<f64>());
    for (x, s) in x_rest.iter().zip(s_rest) {
        sums[0] += x * s;
        sums[1] += x * x;
    }
    (sums[0], sums[1])
}

#[inline(always)]
fn sum(x: &[f64], s: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
    let (x, x_rest) = x.as_chunks::<LANES>();
    let (s, s_rest) = s.as_chunks::<LANES>();
    let mut lanes = [0.0; LANES];
    for (x, s) in x.iter().zip(s) {
        for lane in 0..LANES {
            lanes[lane] += term(x[lane], s[lane]);
        }
    }
    let rest: f64 = x_rest.iter().zip(s_rest).map(|(&x, &s)| term(x, s)).sum();
    lanes.iter().sum::<f64>() + rest
}

/// max_i |s_i|.
pub(crate) fn max_abs(s: &[f64]) -> f64 {
    s.iter().fold(0.0, |max, s| s.abs().max(max))
}
