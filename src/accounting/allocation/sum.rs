//! Sums of independent lattice variables: one transform per tilt, the best of all tilts at every point.

use crate::accounting::float::Double;
use crate::accounting::float::elementary::{exp, ln};
use crate::accounting::pld::compose::{Convolved, Lane, convolve};
use crate::accounting::pld::fft::RealFft;
use crate::accounting::pld::lattice::{LatticeLaw, Side};
use crate::accounting::root::halve;
use rayon::prelude::*;

/// Tilted mass outside a window, relative to the whole, that is no matter. Whatever is missed is taken off: how close a bound is depends
/// on this and on [`EASED`], not that it is one.
const MISSED: f64 = 1e-10;
/// What rounding may add to a sum before one more of its transforms has twice as many digits, that of which the window misses least: of
/// tens of thousands of numbers it shows masses that no tilt is near; of fewer the tilts show all.
const ROUNDED: f64 = 1e-9;
/// How often a tilt is eased at most, and by how much.
const EASED: (usize, f64) = (24, 0.85);

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
pub(super) fn tilted(law: &LatticeLaw, lambda: f64) -> (f64, (f64, f64)) {
    let end = if lambda < 0.0 { law.first } else { law.last() };
    let top = end as f64 * law.step;
    let (mut mass, mut mean, mut square) = (0.0, 0.0, 0.0);
    for (j, m) in law.masses.iter().enumerate() {
        let x = (law.first + j as i64) as f64 * law.step;
        let w = m * exp(lambda * (x - top));
        mass += w;
        mean += w * x;
        square += w * x * x;
    }
    let mean = mean / mass;
    (
        lambda * top + ln(mass),
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
    sign * halve(low, high, 12, |at| exponent(sign * at) < nats).0
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

/// Lanes of the same sum with better shifts where the window seems to miss more than [`MISSED`], and one more lane where that is not
/// enough. What is missed is taken off every point from below: where rare numbers are large, a tilt at which Chernoff's bound is that of a
/// wanted mass has several of them at once, and the window does not hold many. At less of a tilt hardly any sum has two.
fn in_view(mut lanes: Vec<Lane>, len: usize) -> Vec<Lane> {
    let mut far: Option<Lane> = None;
    for lane in lanes.iter_mut().filter(|lane| lane.misses(len) > MISSED) {
        shift(lane, len);
        let nearer = far.as_ref().is_none_or(|far| lane.lambda < far.lambda);
        if lane.lambda > 0.0 && nearer && lane.misses(len) > MISSED {
            far = Some(lane.clone());
        }
    }
    if let Some(mut lane) = far {
        for _ in 0..EASED.0 {
            lane.lambda *= EASED.1;
            shift(&mut lane, len);
            if lane.misses(len) <= MISSED {
                break;
            }
        }
        lanes.push(lane);
    }
    lanes
}

/// Gives a lane shifts at which little is bounded to be outside of its window.
fn shift(lane: &mut Lane, len: usize) {
    const EACH: i32 = 7;
    let widest = lane.shifts.0;
    for down in [true, false, true] {
        let (mut least, mut best) = (f64::INFINITY, lane.shifts);
        for j in 0..EACH {
            let one = widest * 4f64.powi(-j);
            lane.shifts = if down { (one, best.1) } else { (best.0, one) };
            let missed = lane.misses(len);
            if missed < least {
                (least, best) = (missed, lane.shifts);
            }
        }
        lane.shifts = best;
    }
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
    let tilts = std::iter::once(0.0).chain(tilts);
    let lane = |lambda: f64| Lane {
        parts: parts.to_vec(),
        lambda,
        start,
        shifts: (8.0 / variance.sqrt(), shift),
    };
    let lanes = tilts.map(lane).collect();
    let lanes = in_view(lanes, len);
    let missed = |lane: &&Lane| lane.misses(len);
    let widest = lanes.iter().min_by(|a, b| missed(a).total_cmp(&missed(b)));
    let fine = widest.filter(|lane| ROUNDED < rounding(lane, len));
    let each = lanes
        .par_iter()
        .map(|lane| bounds(&convolve::<f64>(lane, len), side));
    let fine = fine
        .into_par_iter()
        .map(|lane| bounds(&convolve::<Double>(lane, len), side));
    let best = |mut all: Vec<f64>, other: Vec<f64>| {
        for (bound, another) in all.iter_mut().zip(other) {
            *bound = match side {
                Side::Below => bound.max(another),
                Side::Above => bound.min(another),
            };
        }
        all
    };
    each.chain(fine).reduce_with(best).unwrap_or_default()
}

/// The masses' bounds from one side.
fn bounds(found: &Convolved, side: Side) -> Vec<f64> {
    let points = (0..found.len()).into_par_iter();
    match side {
        Side::Below => points.map(|j| found.lower(j)).collect(),
        Side::Above => points.map(|j| found.upper(j)).collect(),
    }
}

/// About what a transform in binary64 adds to the sum of a lane, relative to the whole.
fn rounding(lane: &Lane, len: usize) -> f64 {
    let count: u64 = lane.parts.iter().map(|(_, count)| count).sum();
    count as f64 * RealFft::<f64>::error_at(len)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// ±1, as likely as each other.
    fn coin() -> LatticeLaw {
        lattice(-2, 0.5, vec![0.5, 0.0, 0.0, 0.0, 0.5])
    }

    fn near(found: f64, truth: f64) {
        let apart = (found - truth).abs();
        assert!(apart <= 1e-12 * truth.abs().max(1.0), "{found}, {truth}");
    }

    #[test]
    fn a_tilted_coin_has_the_moments_of_its_bias() {
        for lambda in [-3.0f64, -0.1, 0.0, 0.5, 40.0] {
            let (log, (mean, variance)) = tilted(&coin(), lambda);
            near(log, lambda.cosh().ln());
            near(mean, lambda.tanh());
            near(variance, 1.0 - lambda.tanh().powi(2));
        }
        // A number of its own, which no tilt moves.
        let (log, (mean, variance)) = tilted(&lattice(-12, 0.25, vec![0.5]), 7.0);
        near(log, -21.0 + 0.5f64.ln());
        near(mean, -3.0);
        near(variance, 0.0);
    }

    /// Chernoff's bound on the mean of n coins at tanh λ is e^{−n(λ·tanh λ − ln cosh λ)}.
    #[test]
    fn a_tilt_is_where_chernoff_s_bound_is_as_wanted() {
        for (count, nats) in [(100, 5.0), (100, -5.0), (40, 20.0), (1000, -0.1), (3, 1.9)] {
            let parts = [(coin(), count / 3), (coin(), count - count / 3)];
            for guess in [0.01 * count as f64, count as f64, 30.0 * count as f64] {
                let lambda = tilt(&parts, guess, nats);
                let exponent = count as f64 * (lambda * lambda.tanh() - lambda.cosh().ln());
                let share = exponent / nats.abs();
                assert!(
                    lambda.signum() == nats.signum(),
                    "{count}, {nats}: {lambda}"
                );
                assert!(
                    (0.98..=1.0).contains(&share),
                    "{count}, {nats}: {lambda}, {share}"
                );
            }
        }
    }

    #[test]
    fn a_coarse_law_is_the_same_but_for_its_step() {
        let masses: Vec<f64> = (0..10_000).map(|j| 1e-4 * f64::from(j % 7)).collect();
        let law = lattice(-3_001, 0.01, masses);
        let found = coarse(&law);
        assert!(found.masses.len() <= 4096 && found.masses.len() > 2048);
        let ((log, (mean, _)), (truth, (centre, _))) = (tilted(&found, 0.0), tilted(&law, 0.0));
        near(log, truth);
        // Places are moved by less than two steps.
        assert!((mean - centre).abs() < 2.0 * found.step, "{mean}, {centre}");
    }

    /// The law of forty coins, in both tails as closely as in the middle.
    #[test]
    fn masses_of_a_sum_are_enclosed_closely_where_they_are_wanted() {
        let (count, start, len) = (40u64, -90, 256);
        let parts = [(coin(), 15), (coin(), 25)];
        let nats = [12.0, 24.0, -12.0, -24.0];
        let [below, above] =
            [Side::Below, Side::Above].map(|side| sum(&parts, (start, len), &nats, side));
        let mut mass = 0.5f64.powi(40);
        for heads in 0..=count {
            let place = 2.0 * (2.0 * heads as f64 - count as f64);
            let at = (place - start as f64) as usize;
            let (lower, upper) = (below[at], above[at]);
            assert!(
                lower <= mass * (1.0 + 1e-13) && mass <= upper * (1.0 + 1e-13),
                "{heads}"
            );
            let most = if (1..count).contains(&heads) {
                1e-6
            } else {
                1e-2
            };
            assert!(
                upper - lower <= most * mass,
                "{heads}: {lower}, {mass}, {upper}"
            );
            mass *= (count - heads) as f64 / (heads + 1) as f64;
        }
        // Between the places of a coin lies nothing.
        assert!(above[91] < 1e-12);
    }

    #[test]
    fn tilts_and_bounds_are_what_they_were() {
        let mut found = Vec::new();
        let masses: Vec<f64> = (0..9_000).map(|j| 1e-4 * f64::from(j % 7)).collect();
        let law = lattice(-3_001, 0.01, masses);
        let rough = coarse(&law);
        found.extend([rough.first as f64, rough.step, rough.masses.len() as f64]);
        found.push(steady::mark(&rough.masses));
        let parts = [
            (coin(), 15),
            (lattice(-1, 0.5, vec![0.25, 0.5, 0.125, 0.125]), 7),
        ];
        for nats in [3.0, -9.0, 17.0, 1e3] {
            found.push(tilt(&parts, 20.0, nats));
        }
        for side in [Side::Below, Side::Above] {
            let bounds = sum(&parts, (-60, 128), &[6.0, -6.0, 14.0], side);
            found.push(steady::mark(&bounds));
        }
        steady::holds(
            &found,
            "-1001.0 0.03 3000.0 3688938396217236.0 0.6545658981903779 -1.5545806387976193
         2.968019688774877 10736107520.0 7264769931342117.0 2677458966621501.0",
        );
    }
}
