//! Rough laws, from which a lattice is planned. They influence only how tight the answer is.

use super::Losses;
use super::law::LossLaw;
use crate::accounting::rdp::best_order;
use crate::accounting::root::halve;
use crate::float::U;
use crate::float::elementary::{exp, exp_m1, ln, ln_1p, sinh};

/// Nats of a tilt's mass that are no matter.
const FAR: f64 = 10.0;

/// What is roughly known of one direction: influences only how tight the answer is.
pub(super) struct Outline {
    sketches: Vec<(Sketch, f64)>,
    /// ln δ.
    pub(super) log_delta: f64,
    /// P mass above the losses that matter, and these, of each law.
    pub(super) cut: f64,
    pub(super) ranges: Vec<(f64, f64)>,
    /// T.
    pub(super) total: f64,
    /// About the ε at δ, from Chernoff's bound, and its order.
    pub(super) epsilon: f64,
    pub(super) lambda: f64,
    /// Rounding moves masses up: by about this much in all.
    pub(super) drift: f64,
}

impl Outline {
    pub(super) fn new(losses: &Losses, delta: f64) -> Self {
        let total: f64 = losses.iter().map(|(_, count)| *count as f64).sum();
        let cut = 1e-7 * delta / total;
        let ranges = losses.iter().map(|(law, _)| range(law.as_ref(), cut));
        let ranges: Vec<(f64, f64)> = ranges.collect();
        let sketches = losses.iter().zip(&ranges);
        let sketches = sketches
            .map(|((law, count), range)| (Sketch::new(law.as_ref(), *range), *count as f64));
        let mut outline = Self {
            sketches: sketches.collect(),
            log_delta: ln(delta),
            cut,
            ranges,
            total,
            epsilon: 0.0,
            lambda: 0.0,
            drift: 64.0 * U * total,
        };
        let chernoff =
            |lambda: f64| (outline.moment(lambda) + factor(lambda) - outline.log_delta) / lambda;
        let lambda = best_order(1.0, chernoff);
        outline.epsilon = chernoff(lambda).max(0.0);
        // An atom at the largest loss would drive λ to infinity; λε beyond 2000 gains nothing.
        outline.lambda = lambda.min(2000.0 / outline.epsilon.max(outline.drift).max(1e-12));
        outline
    }

    /// Goes by this ε instead, if the tilt has most of its mass so far beyond that e^{−[`FAR`]} of it is there: where rare losses are
    /// large, Chernoff's bound is best at such a tilt, and what is near ε would be lost in the noise.
    pub(super) fn aim(&mut self, epsilon: f64) {
        if !(self.lambda * (self.epsilon - epsilon) > FAR) {
            return;
        }
        let chernoff = |lambda: f64| self.moment(lambda) - lambda * epsilon + factor(lambda);
        let lambda = best_order(1.0, chernoff);
        if lambda < self.lambda {
            (self.epsilon, self.lambda) = (epsilon, lambda);
        }
    }

    /// About ln E e^{λL} of the composition.
    fn moment(&self, lambda: f64) -> f64 {
        let logs = self.sketches.iter().map(|(s, c)| c * s.log_moment(lambda));
        logs.sum()
    }

    /// Beyond which loss less than e⁻³⁴ of the mass tilted by λ is left, upwards (`sign` 1) or
    /// downwards (−1), if discretisation adds `variance`; and the shift of λ that shows it.
    pub(super) fn tilted_reach(&self, lambda: f64, variance: f64, sign: f64) -> (f64, f64) {
        let base = self.moment(lambda);
        let log_tail = |g: f64| {
            let spread = 0.5 * variance * g * (g + 2.0 * lambda);
            (self.moment(lambda + sign * g) - base + spread + 34.0) / g
        };
        let shift = best_order(1.0 / (self.epsilon + 1.0), log_tail);
        (sign * log_tail(shift), shift)
    }

    /// Beyond which loss less than e^{−nats}·δ of the mass is left, and the shift of λ that shows it.
    pub(super) fn reach(&self, lambda: f64, variance: f64, nats: f64) -> (f64, f64) {
        let log_tail = |g: f64| {
            let order = lambda + g;
            let spread = 0.5 * variance * order * order;
            (self.moment(order) + spread - self.log_delta + nats) / order
        };
        let shift = best_order(1.0 / (self.epsilon + 1.0), log_tail);
        (log_tail(shift), shift)
    }

    /// Length of a window from which on less than e^{−nats} of the tilted sum that makes δ comes from losses
    /// folded down past the wanted ε, which is below Chernoff's by some 5/λ.
    pub(super) fn period(&self, lambda: f64, variance: f64, nats: f64) -> f64 {
        let wanted = (self.epsilon - 5.0 / lambda).max(0.0);
        let length = |g: f64| {
            let order = lambda + g;
            let spread = 0.5 * variance * order * order;
            (self.moment(order) + spread - order * wanted - self.log_delta + nats) / g
        };
        length(best_order(1.0 / (self.epsilon + 1.0), length))
    }
}

/// ln of λ^λ/(1+λ)^{1+λ}, by which Chernoff's bound on δ is better than that on the mass beyond ε.
fn factor(lambda: f64) -> f64 {
    -lambda * ln_1p(1.0 / lambda) - ln_1p(lambda)
}

/// Losses outside of which a law has little P mass: below `cut` above, below 2⁻⁵⁰ beneath.
fn range(law: &dyn LossLaw, cut: f64) -> (f64, f64) {
    let (lo, hi) = law.support();
    let enough = 1.0 - 2f64.powi(-50);
    let edge = |limit: f64, sign: f64, inside: &dyn Fn(f64) -> bool| {
        if limit.is_finite() && limit.abs() <= 1.0 {
            return limit;
        }
        // The losses of a rarely sampled step may be far below 1: a range too wide would be filled by
        // masses that stand for underflow, which a large tilt makes dominant.
        let mut reach = 1.0;
        while reach > 1e-12 && !inside(sign * 0.5 * reach) {
            reach *= 0.5;
        }
        while reach < 1e9 && reach < limit.abs() && inside(sign * reach) {
            reach *= 2.0;
        }
        // Bisect the last doubling.
        let far = reach.min(limit.abs());
        sign * halve(0.5 * reach, far, 20, |x| inside(sign * x)).1
    };
    let high = edge(hi, 1.0, &|x| law.tails(x).p > cut);
    let low = edge(lo, -1.0, &|x| law.tails(x).p < enough);
    (low.max(lo), high.min(hi).max(low))
}

/// A rough law on unevenly spaced points, dense near 0: for planning only.
struct Sketch {
    points: Vec<(f64, f64)>,
}

impl Sketch {
    fn new(law: &dyn LossLaw, (lo, hi): (f64, f64)) -> Self {
        const HALF: i64 = 500;
        // x = s·sinh(t): relative spacing 2 % far out, absolute spacing 10⁻⁷ of the range near 0.
        let reach = lo.abs().max(hi.abs()).max(1e-12);
        let at = |j: i64| reach * sinh(j as f64 * 0.03) / sinh(HALF as f64 * 0.03);
        let mut losses: Vec<f64> = (-HALF..=HALF)
            .map(at)
            .filter(|x| lo < *x && *x < hi)
            .collect();
        losses.insert(0, lo);
        losses.push(hi);
        let mut points: Vec<(f64, f64)> = losses.iter().map(|x| (*x, 0.0)).collect();
        let mut before = law.tails(lo);
        points[0].1 = (1.0 - before.p).max(0.0);
        for (j, pair) in losses.windows(2).enumerate() {
            let width = pair[1] - pair[0];
            let after = law.tails(pair[1]);
            let p = (before.p - after.p).max(0.0);
            let q = (before.q - exp(-width) * after.q).max(0.0);
            if width > 0.0 {
                let upper = ((p - q) / -exp_m1(-width)).clamp(0.0, p);
                points[j].1 += p - upper;
                points[j + 1].1 += upper;
            }
            before = after;
        }
        points.retain(|(_, p)| *p > 0.0);
        Self { points }
    }

    fn log_moment(&self, lambda: f64) -> f64 {
        // At one of the ends: the points are in order.
        let ends = [self.points.first(), self.points.last()];
        let ends = ends.into_iter().flatten().map(|(x, _)| lambda * x);
        let largest = ends.fold(f64::NEG_INFINITY, f64::max);
        let sum: f64 = self
            .points
            .iter()
            .map(|(x, p)| p * exp(lambda * x - largest))
            .sum();
        largest + ln(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::super::law::{GaussianLaw, LaplaceLaw};
    use super::super::sampled::{Direction, Sampled};
    use super::*;
    use crate::accounting::steady;
    use std::sync::Arc;

    /// What lattices and windows are planned by: it decides how tight an answer is and what it
    /// costs.
    #[test]
    fn outlines_are_what_they_were() {
        let base = GaussianLaw { mu: 1.0 };
        let rare = |rate: f64| Sampled {
            base,
            rate,
            direction: Direction::Removal,
        };
        let runs: [Losses; 4] = [
            vec![(Arc::new(GaussianLaw { mu: 0.3 }), 20)],
            vec![
                (Arc::new(rare(1e-4)), 1000),
                (Arc::new(LaplaceLaw { pure: 0.1 }), 3),
            ],
            vec![(Arc::new(LaplaceLaw { pure: 3.0 }), 5)],
            vec![(Arc::new(GaussianLaw { mu: 40.0 }), 1)],
        ];
        let mut marks = Vec::new();
        for losses in &runs {
            let mut outline = Outline::new(losses, 1e-6);
            let mut found = vec![outline.log_delta, outline.cut, outline.total];
            found.extend([outline.epsilon, outline.lambda, outline.drift]);
            found.extend(outline.ranges.iter().flat_map(|(lo, hi)| [*lo, *hi]));
            for (sketch, count) in &outline.sketches {
                found.extend([sketch.points.len() as f64, *count]);
                found.extend(sketch.points.iter().flat_map(|(x, p)| [*x, *p]));
            }
            for (lambda, variance) in [(outline.lambda, 0.0), (0.5, 0.01)] {
                let reach = outline.reach(lambda, variance, 7.0);
                found.extend([reach.0, reach.1, outline.period(lambda, variance, 9.0)]);
                for sign in [1.0, -1.0] {
                    let tilted = outline.tilted_reach(lambda, variance, sign);
                    found.extend([tilted.0, tilted.1]);
                }
            }
            marks.push(steady::mark(&found));
            for epsilon in [0.9 * outline.epsilon, 0.1 * outline.epsilon] {
                outline.aim(epsilon);
                marks.push(steady::mark(&[outline.epsilon, outline.lambda]));
            }
        }
        steady::holds(
            &marks,
            "1505651147139775.0 436342079530546.0 6975070570920950.0 2920295104634078.0
         2713595671874963.0 5898256182256772.0 7197578106497246.0 8242560597441125.0
         64200471067178.0 4780969384268376.0 2901787019899346.0 2242755715143430.0",
        );
    }

    /// A range holds all but what is cut off, and hardly more.
    #[test]
    fn a_range_ends_where_hardly_anything_is_left() {
        for mu in [1e-3, 0.3, 4.0] {
            let (law, cut) = (GaussianLaw { mu }, 1e-12);
            let (lo, hi) = range(&law, cut);
            assert!(
                law.tails(hi).p <= cut && law.tails(0.99 * hi - 0.01 * mu).p > cut,
                "{mu}"
            );
            assert!(law.tails(lo).p >= 1.0 - 2f64.powi(-50), "{mu}: {lo}");
            assert!(
                law.tails(lo + 0.2 * mu).p < 1.0 - 2f64.powi(-50) || mu < 1e-2,
                "{mu}"
            );
        }
        // Where there is hardly a loss below 0, it begins there.
        assert!((-1e-9..=0.0).contains(&range(&GaussianLaw { mu: 30.0 }, 1e-12).0));
        assert_eq!(range(&LaplaceLaw { pure: 0.5 }, 1e-9), (-0.5, 0.5));
    }
}
