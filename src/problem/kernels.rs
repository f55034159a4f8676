//! The loops over X, written so that the compiler vectorises them.

use super::design::Design;
use rayon::prelude::*;

/// Eight partial sums break the chain of dependent additions; their order is fixed.
const LANES: usize = 8;

/// Stored entries below which waking the threads costs more than it saves.
const THREADED_FROM: usize = 1 << 17;

/// Entries of X per task: large against the cost of a task, small against a core's cache.
const TASK: usize = 1 << 15;

/// Whether passes over this design are spread over threads.
pub(crate) fn threads_pay(design: &Design) -> bool {
    matches!(design, Design::Dense(_)) && design.stored() >= THREADED_FROM
}

/// out_k = `entry`(k) for as many columns as there are entries, over threads if they pay.
pub(crate) fn for_columns<T: Send>(
    design: &Design,
    out: &mut [T],
    entry: impl Fn(usize) -> T + Sync,
) {
    let fill = |first: usize, out: &mut [T]| {
        for (k, out) in out.iter_mut().enumerate() {
            *out = entry(first + k);
        }
    };
    if threads_pay(design) {
        let columns = (TASK / design.rows()).max(1);
        let tasks = out.par_chunks_mut(columns).enumerate();
        tasks.for_each(|(task, out)| fill(task * columns, out));
    } else {
        fill(0, out);
    }
}

/// Σ_i x_i s_i.
pub(crate) fn dot(x: &[f64], s: &[f64]) -> f64 {
    sum(x, s, |x, s| x * s)
}

/// Σ_i clip(x_i s_i, threshold).
pub(crate) fn clipped_dot(x: &[f64], s: &[f64], threshold: f64) -> f64 {
    sum(x, s, |x, s| (x * s).min(threshold).max(-threshold))
}

/// Σ_i x_i s_i and Σ_i x_i², in one pass.
pub(crate) fn dot_and_squares(x: &[f64], s: &[f64]) -> (f64, f64) {
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
