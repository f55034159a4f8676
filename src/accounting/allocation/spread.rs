//! The pair of one participation in t steps, from above.

use super::sum::{lattice, sum};
use crate::accounting::float::elementary::{exp, ln};
use crate::accounting::float::{U, normal_tail};
use crate::accounting::pld::compose::Lane;
use crate::accounting::pld::discrete_law::DiscreteLaw;
use crate::accounting::pld::lattice::LatticeLaw;
use crate::accounting::pld::law::{GaussianLaw, LossLaw, profile};
use crate::accounting::root::bisect;
use crate::accounting::views::Laws;
use rayon::prelude::*;
use std::sync::Arc;

/// Points of the window of the sum.
const POINTS: f64 = 131_064.0;
/// Deviations of the sum that a window holds.
const REACH: f64 = 12.0;
/// Least step, in deviations of one ratio: nothing is gained by less.
const FINEST: f64 = 0.003;

/// E(r − c)₊ beyond the end c of the lattice where the record is added: a far end leaves a coarse lattice, a near one less
/// of the mean; which is better depends on the noise.
const CUTS: [f64; 3] = [1e-3, 1e-5, 1e-7];

/// The laws of the loss where the record is removed, and where it is added. μ is rounded up; infinite losses get about
/// `lost` at each end.
pub(super) fn laws(mu: f64, steps: u64, delta: f64, lost: f64) -> Laws {
    let gaussian = GaussianLaw { mu };
    if mu == 0.0 || steps == 1 {
        return vec![Arc::new(gaussian), Arc::new(gaussian)];
    }
    let removal = Spread::new(gaussian, steps, lost).removal(delta);
    let added = CUTS.map(|cut| Spread::new(gaussian, steps, cut).addition(delta));
    let cost = |law: &DiscreteLaw| bisect(0.0, 100.0, 1e-6, |e| profile(law, e).hi > delta).1;
    let best = added.into_iter().min_by(|a, b| cost(a).total_cmp(&cost(b)));
    let addition: Arc<dyn LossLaw> = match best {
        Some(law) => Arc::new(law),
        None => Arc::new(gaussian),
    };
    vec![Arc::new(removal), addition]
}

/// A mean-preserving spread of the ratio r = e^L of one step under Q.
struct Spread {
    steps: f64,
    ratio: LatticeLaw,
    /// E(r − c)₊ beyond the lattice's end c, rounded up: the mass under P that becomes an infinite loss.
    infinite: f64,
    /// First position of the window, and one behind the last.
    window: (i64, i64),
}

/// What is known of S from above.
struct Sums {
    points: Vec<(f64, f64)>,
    /// The last position.
    top: i64,
    below: f64,
    above: f64,
}

impl Spread {
    fn new(law: GaussianLaw, steps: u64, lost: f64) -> Self {
        let mu = law.mu;
        let end = bisect(0.0, 700.0, 1e-3, |loss| profile(&law, loss).hi > lost).1;
        let (c, t) = (exp(end), steps as f64);
        // Var min(r, c), from E(r²; r < c) = e^{μ²}·Pr[N(2μ, 1) < ln c/μ + μ/2].
        let square = exp(mu * mu) * (1.0 - normal_tail(end / mu - 1.5 * mu));
        let deviation = (square - 1.0).max(mu * mu * 0.1).sqrt();
        let half = REACH * deviation * t.sqrt();
        let (low, high) = (
            (t - half).max(0.0),
            (t + half + 2.0 * c).min(t * c * (1.0 + 1e-9)),
        );
        let h = ((high - low) / POINTS).max(FINEST * deviation.min(1.0));
        let last = (c / h).ceil() as i64;
        let calls: Vec<(f64, f64)> = (0..=last)
            .into_par_iter()
            .map(|j| call(&law, j as f64 * h))
            .collect();
        let masses = (0..=last as usize).map(|j| second_difference(&calls, j, h));
        let ratio = lattice(0, h, masses.collect());
        Self {
            steps: t,
            ratio,
            infinite: calls[last as usize].1,
            window: ((low / h) as i64, (high / h).ceil() as i64 + 1),
        }
    }

    /// (q, S/t) at every point of the window, q an upper bound on the mass under Q, and such bounds on what is below the
    /// window and above.
    fn sums(&self, levels: &[f64]) -> Sums {
        let (start, end) = self.window;
        let parts = [(self.ratio.clone(), self.steps as u64)];
        let found = sum(&parts, start, (end - start) as usize, levels);
        let at = |j: usize| (found.start + j as i64) as f64 * found.step / self.steps;
        let both = found.upper.iter().enumerate().map(|(j, q)| (*q, at(j)));
        Sums {
            points: both.collect(),
            top: found.start + found.upper.len() as i64 - 1,
            // No sum is negative.
            below: if start > 0 { found.outside.0 } else { 0.0 },
            above: found.outside.1,
        }
    }

    /// The record is removed: loss ln(S/t), mass q·S/t. Sums below the window are raised to its first point, which makes every
    /// S/t − e^ε larger.
    fn removal(&self, delta: f64) -> DiscreteLaw {
        let nats = -ln(delta);
        let mut sums = self.sums(&[0.5 * nats, nats, 1.6 * nats]);
        let (beyond, factor) = self.beyond(sums.top);
        sums.points[0].0 += sums.below;
        let seen = sums.points.into_iter().filter(|(_, mean)| *mean > 0.0);
        let atoms = seen.map(|(q, mean)| (ln(mean), (q * mean * (1.0 + 8.0 * U)).min(1.0)));
        law(atoms.collect(), self.infinite * factor + beyond)
    }

    /// The record is added: loss −ln(S/t), mass q. What passes the lattice's end stops there, which makes S smaller and every
    /// 1 − e^ε·S/t larger, as do sums above the window that are put at its last point; sums below it are lost.
    fn addition(&self, delta: f64) -> DiscreteLaw {
        let nats = -ln(delta);
        let mut sums = self.sums(&[-0.5 * nats, -nats]);
        if let Some((q, _)) = sums.points.last_mut() {
            *q += sums.above;
        }
        let (seen, gone): (Vec<_>, Vec<_>) =
            sums.points.into_iter().partition(|(_, mean)| *mean > 0.0);
        let atoms = seen.into_iter().map(|(q, mean)| (-ln(mean), q.min(1.0)));
        law(
            atoms.collect(),
            gone.iter().map(|(q, _)| q).sum::<f64>() + sums.below,
        )
    }

    /// Bounds on the mass under P of sums above position `top`, and on the mass of the whole lattice law, t times over.
    ///
    /// E(S; S > s) ≤ s·e^{−θs}·E e^{θS} as long as θs ≥ 1.
    fn beyond(&self, top: i64) -> (f64, f64) {
        let lane = Lane {
            parts: vec![(self.ratio.clone(), self.steps as u64)],
            lambda: 0.0,
            start: 0,
            shifts: (0.0, 0.0),
        };
        let s = top as f64 * self.ratio.step;
        let c = self.ratio.last() as f64 * self.ratio.step;
        let factor = exp(lane.moment_upper(0.0).min(600.0)) * (1.0 + 1e-9);
        if c * self.steps <= s {
            return (0.0, factor);
        }
        let bound = |nats: f64| {
            let theta = nats / c;
            if theta * s < 1.0 {
                return f64::INFINITY;
            }
            lane.moment_upper(theta) - theta * s + ln(s / self.steps)
        };
        let levels = [2.0, 4.0, 8.0, 12.0, 16.0, 24.0, 32.0, 48.0, 64.0, 96.0];
        let least = levels.into_iter().map(bound).fold(0.0, f64::min);
        (exp(least) * (1.0 + 1e-9), factor)
    }
}

fn law(atoms: Vec<(f64, f64)>, infinite: f64) -> DiscreteLaw {
    DiscreteLaw::new(atoms, infinite.min(1.0), 4.0 * U, None).with_loss_error(8.0 * U)
}

/// Encloses E(r − x)₊ = δ(ln x) of the Gaussian pair.
fn call(law: &GaussianLaw, x: f64) -> (f64, f64) {
    if x == 0.0 {
        return (1.0, 1.0);
    }
    let loss = ln(x);
    let at = profile(law, loss);
    // x is off by u, ln x by a few, each of which moves the value by x times Q's tail.
    let moved = law.tails(loss).q * U * (6.0 + 4.0 * loss.abs()) * 1.01;
    ((at.lo - moved).max(0.0), at.hi + moved)
}

/// Upper bound on the mass at node j of the polygon through the values at the nodes, flat behind the last.
fn second_difference(calls: &[(f64, f64)], j: usize, h: f64) -> f64 {
    let (low, high) = calls[j];
    let before = if j == 0 {
        // Left of 0 the slope is −1.
        high + h
    } else {
        calls[j - 1].1
    };
    let after = calls.get(j + 1).map_or(high, |next| next.1);
    let rounding = 8.0 * U * (before + after + 2.0 * low);
    ((before - low) + (after - low) + rounding).max(0.0) / h * (1.0 + 4.0 * U)
}
