//! Sums of independent lattice variables: one transform per tilt, the best of all tilts at every point.

use crate::accounting::pld::compose::{Lane, convolve};
use crate::accounting::pld::lattice::{LatticeLaw, Side};
use rayon::prelude::*;

/// Masses at (first + j)·step.
pub(super) fn lattice(first: i64, step: f64, masses: Vec<f64>) -> LatticeLaw {
    LatticeLaw {
        side: Side::Above,
        step,
        first,
        masses,
        infinite: 0.0,
        offset: 0.0,
    }
}

/// (ln Σ m e^{λx}, (mean, variance) of the tilted law); not directed.
fn tilted(law: &LatticeLaw, lambda: f64) -> (f64, (f64, f64)) {
    let end = if lambda < 0.0 { law.first } else { law.last() };
    let top = end as f64 * law.step;
    let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
    for (j, m) in law.masses.iter().enumerate() {
        let x = (law.first + j as i64) as f64 * law.step;
        let w = m * (lambda * (x - top)).exp();
        mass += w;
        mean += w * x;
        square += w * x * x;
    }
    let mean = mean / mass;
    (
        lambda * top + mass.ln(),
        (mean, (square / mass - mean * mean).max(0.0)),
    )
}

/// λ of the given sign at which Chernoff's bound at the tilted mean is e^{−nats}; not directed.
fn tilt(parts: &[(LatticeLaw, u64)], variance: f64, nats: f64) -> f64 {
    let (nats, sign) = (nats.abs(), nats.signum());
    let exponent = |lambda: f64| -> f64 {
        let each = parts.iter().map(|(law, count)| {
            let (log, (mean, _)) = tilted(law, lambda);
            *count as f64 * (lambda * mean - log)
        });
        each.sum()
    };
    let (mut low, mut high) = (0.0, (2.0 * nats / variance.max(1e-300)).sqrt());
    for _ in 0..30 {
        if !(exponent(sign * high) < nats) {
            break;
        }
        (low, high) = (high, 2.0 * high);
    }
    for _ in 0..12 {
        let middle = 0.5 * (low + high);
        if exponent(sign * middle) < nats {
            low = middle;
        } else {
            high = middle;
        }
    }
    sign * low
}

/// About the same law on fewer points, to choose tilts by.
fn coarse(law: &LatticeLaw) -> LatticeLaw {
    let group = law.masses.len().div_ceil(4096);
    let masses = law.masses.chunks(group).map(|c| c.iter().sum());
    lattice(
        law.first.div_euclid(group as i64),
        law.step * group as f64,
        masses.collect(),
    )
}

/// Bounds from one side on the masses of a sum on a window of `len` points from `start` on. `nats` are the exponents, with their
/// signs, at which masses are wanted with relative accuracy.
pub(super) fn sum(
    parts: &[(LatticeLaw, u64)],
    (start, len): (i64, usize),
    nats: &[f64],
    side: Side,
) -> Vec<f64> {
    let step = parts[0].0.step;
    let rough: Vec<(LatticeLaw, u64)> = parts
        .iter()
        .map(|(law, count)| (coarse(law), *count))
        .collect();
    let each = parts
        .iter()
        .map(|(law, count)| *count as f64 * tilted(law, 0.0).1.1);
    let variance = each.sum::<f64>().max(step * step);
    let reach = parts
        .iter()
        .fold(step, |reach, (law, _)| law.reach().max(reach));
    // Larger shifts of the tilt would make the largest value alone decide.
    let shift = (8.0 / variance.sqrt()).min(8.0 / reach);
    let tilts = nats.iter().map(|nats| tilt(&rough, variance, *nats));
    let tilts: Vec<f64> = std::iter::once(0.0).chain(tilts).collect();
    let each = tilts.into_par_iter().map(|lambda| {
        let parts = parts.to_vec();
        let shifts = (8.0 / variance.sqrt(), shift);
        let found = convolve(
            &Lane {
                parts,
                lambda,
                start,
                shifts,
            },
            len,
        );
        let points = (0..found.len()).into_par_iter();
        let bounds: Vec<f64> = match side {
            Side::Below => points.map(|j| found.lower(j)).collect(),
            Side::Above => points.map(|j| found.upper(j)).collect(),
        };
        bounds
    });
    let best = |mut all: Vec<f64>, other: Vec<f64>| {
        for (bound, another) in all.iter_mut().zip(other) {
            *bound = match side {
                Side::Below => bound.max(another),
                Side::Above => bound.min(another),
            };
        }
        all
    };
    each.reduce_with(best).unwrap_or_default()
}
