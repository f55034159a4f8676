//! What an event is wanted for, and how good one is by its counts.

use crate::audit::Guarantee;
use crate::audit::shape::Shape;
use crate::mechanism::tape::Uniform;

/// Standard deviations by which the rates of an event are moved to the safe side, because it is
/// chosen by them: of thousands of events without merit the best looks this good.
const CHOSEN: f64 = 4.0;

/// What an event is wanted for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal {
    /// Betting against the point (ε, δ) of a claim.
    Bet {
        /// e^ε.
        ratio: f64,
        /// δ.
        delta: f64,
    },
    /// The largest Clopper–Pearson bound at δ.
    Bound {
        /// δ.
        delta: f64,
        /// z-value of the error of each of the two rates.
        z: f64,
        /// Pairs on which the event will be counted.
        fresh: f64,
        /// Whether the bound is one on the μ of a Gaussian shape.
        gaussian: bool,
    },
}

impl Goal {
    /// Betting against a claim.
    pub(crate) fn bet(claim: Guarantee) -> Self {
        Self::Bet {
            ratio: claim.epsilon.get().exp(),
            delta: claim.delta.get(),
        }
    }

    /// A bound on the claim's δ from `fresh` pairs at error `alpha`.
    pub(crate) fn bound(claim: Guarantee, shape: &Shape, fresh: u64, alpha: f64) -> Self {
        Self::Bound {
            delta: claim.delta.get(),
            // Half the error for each rate; Chernoff's bound on the normal quantile.
            z: (2.0 * (2.0 / alpha).ln()).sqrt(),
            fresh: fresh as f64,
            gaussian: matches!(shape, Shape::Gaussian),
        }
    }

    /// Whether an event is no better than nothing, by its counts alone: then its merit is negative, and need
    /// not be computed where a better one is known.
    pub(super) fn is_hopeless(&self, gain: f64, loss: f64) -> bool {
        match *self {
            // The drift is (gain − ratio · (loss + 1))/(n + 1) − δ.
            Self::Bet { ratio, .. } => gain < ratio * loss,
            // The lower bound of the smaller rate is below the upper bound of the larger.
            Self::Bound { .. } => gain <= loss,
        }
    }

    /// The number with which [`Self::is_surpassed`] compares where this merit is the best.
    pub(super) fn level(&self, merit: f64) -> f64 {
        match *self {
            Self::Bet { .. } => merit * merit.abs(),
            Self::Bound { gaussian: true, .. } => f64::NAN,
            Self::Bound { .. } => merit.exp(),
        }
    }

    /// Whether the merit of these counts is certainly below the one of this level, told without roots and
    /// logarithms. The allowance is for rounding: a difference of rates that counts of n tell apart is right to n·2⁻⁵².
    pub(super) fn is_surpassed(&self, level: f64, gain: f64, loss: f64, n: f64) -> bool {
        const ALLOWANCE: f64 = 1.0 - 1e-9;
        match *self {
            // The merit's numerator and the square of its denominator, times n + 1 and its square.
            Self::Bet { ratio, delta } => {
                let (all, other) = (n + 1.0, loss + 1.0);
                let drift = gain - ratio * other - delta * all;
                let variance = gain * (all - gain) + ratio * ratio * other * (all - other);
                let reached = level.abs() * (variance + all * (all / n));
                match level < 0.0 {
                    true => drift < 0.0 && drift * drift * ALLOWANCE > reached,
                    false => drift.max(0.0).powi(2) < reached * ALLOWANCE,
                }
            }
            // The lower bound of the larger rate is below the rate, the upper one of the smaller above.
            Self::Bound { .. } => gain < level * loss * ALLOWANCE,
        }
    }

    /// No event with counts in these ranges, from the fewest to the most, has more merit, but for rounding.
    pub(super) fn most(&self, gain: [f64; 2], loss: [f64; 2], n: f64) -> f64 {
        let best = self.merit(gain[1], loss[0], n);
        match *self {
            // What is lost grows less the more it varies.
            Self::Bet { ratio, delta } if best < 0.0 => {
                let share = |count: f64| count / (n + 1.0);
                let [p, q] = [gain, loss.map(|count| count + 1.0)].map(|range| range.map(share));
                let spread = |[few, many]: [f64; 2]| many * (1.0 - few);
                let drift = p[1] - ratio * q[0] - delta;
                drift / (spread(p) + ratio * ratio * spread(q) + 1.0 / n).sqrt()
            }
            _ => best,
        }
    }

    /// How good an event is that happened `gain` times of n on the side where it should be
    /// frequent and `loss` times of n on the other. Where it is positive it grows with the gain and falls with the loss.
    pub(crate) fn merit(&self, gain: f64, loss: f64, n: f64) -> f64 {
        match *self {
            Self::Bet { ratio, delta } => {
                // Growth per pair is drift²/(2 variance); one pseudo-hit keeps luck in check.
                let (p, q) = (gain / (n + 1.0), (loss + 1.0) / (n + 1.0));
                let drift = p - ratio * q - delta;
                let variance = p * (1.0 - p) + ratio * ratio * q * (1.0 - q);
                drift / (variance + 1.0 / n).sqrt()
            }
            Self::Bound {
                delta,
                z,
                fresh,
                gaussian,
            } => {
                let low = wilson(wilson(gain / n, n, -CHOSEN), fresh, -z);
                let high = wilson(wilson(loss / n, n, CHOSEN), fresh, z);
                if gaussian {
                    return normal_quantile(low) - normal_quantile(high);
                }
                let low = low - delta;
                if low > 0.0 {
                    (low / high).ln()
                } else {
                    f64::NEG_INFINITY
                }
            }
        }
    }
}

/// Φ⁻¹(p), for ranking only.
fn normal_quantile(p: f64) -> f64 {
    Uniform((p * 2_f64.powi(64)) as u64).gaussian()
}

/// Wilson's approximate confidence bound of a rate.
fn wilson(rate: f64, n: f64, z: f64) -> f64 {
    let spread = z * (rate * (1.0 - rate) / n + z * z / (4.0 * n * n)).sqrt();
    (rate + z * z / (2.0 * n) + spread) / (1.0 + z * z / n)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// By counts alone, or by roots: a level just above an event's own merit surpasses it, and one just below does not.
    #[test]
    fn an_event_is_surpassed_by_what_is_better_only() {
        for (ratio, delta) in [(1.0, 0.0), (1.5, 0.05), (3.0, 0.01)] {
            let goal = Goal::Bet { ratio, delta };
            for (gain, loss, n) in [(90.0, 5.0, 100.0), (400.0, 120.0, 1e3), (7e4, 1e4, 1e5)] {
                let merit = goal.merit(gain, loss, n);
                assert!(merit > 0.0, "{merit}");
                let surpassed = |m: f64| goal.is_surpassed(goal.level(m), gain, loss, n);
                assert!(
                    surpassed(1.001 * merit) && !surpassed(0.999 * merit),
                    "{merit}"
                );
            }
        }
    }

    /// Events are passed over by their counts only where their merit is negative.
    #[test]
    fn what_is_hopeless_by_its_counts_has_no_merit() {
        let claim = Guarantee::new(2f64.ln(), 1e-3).expect("in the domain");
        let bet = Goal::bet(claim);
        let told = |gain, loss| bet.is_hopeless(gain, loss);
        assert_eq!(
            [told(1.0, 1.0), told(1.9, 1.0), told(2.1, 1.0)],
            [true, true, false]
        );
        assert_eq!([told(0.0, 0.0), told(30.0, 2.0)], [false, false]);
        let bound = Goal::bound(claim, &Shape::Unknown, 100, 0.05);
        let told = |gain, loss| bound.is_hopeless(gain, loss);
        assert_eq!(
            [told(1.0, 1.0), told(1.0, 2.0), told(2.0, 1.0)],
            [true, true, false]
        );
        for (gain, loss) in [(1.0, 1.0), (7.0, 4.0), (19.0, 10.0), (3.0, 9.0)] {
            for goal in [bet, bound] {
                let merit = goal.merit(gain, loss, 40.0);
                assert!(
                    !goal.is_hopeless(gain, loss) || merit < 0.0,
                    "{gain} {loss}: {merit}"
                );
            }
        }
    }

    /// Of all counts in a range none has more merit than is said, which is not much more than the best has.
    #[test]
    fn no_counts_of_a_range_have_more_merit_than_the_most() {
        let claim = Guarantee::new(0.7, 1e-2).expect("in the domain");
        let (n, width) = (60, 6);
        for goal in [
            Goal::bet(claim),
            Goal::bound(claim, &Shape::Unknown, 5000, 1e-3),
            Goal::bound(claim, &Shape::Gaussian, 5000, 1e-3),
        ] {
            for corner in (0..=n - width).flat_map(|g| (0..=n - width).map(move |l| (g, l))) {
                let range = |from: i32| [from, from + width].map(f64::from);
                let (gain, loss) = (range(corner.0), range(corner.1));
                let most = goal.most(gain, loss, f64::from(n));
                let all = (0..=width).flat_map(|g| (0..=width).map(move |l| (g, l)));
                let best = all
                    .map(|(g, l)| (f64::from(corner.0 + g), f64::from(corner.1 + l)))
                    .map(|(gain, loss)| goal.merit(gain, loss, f64::from(n)))
                    .fold(f64::NEG_INFINITY, f64::max);
                let alone = |range: [f64; 2]| [range[0]; 2];
                let one = goal.most(alone(gain), alone(loss), f64::from(n));
                let own = goal.merit(gain[0], loss[0], f64::from(n));
                assert!(
                    one == own || (one - own).abs() < 1e-12,
                    "{goal:?}, {corner:?}"
                );
                assert!(best <= most + 1e-9, "{goal:?}, {corner:?}: {best}, {most}");
                // Measured: what loses is bounded to 0.0792, as its variance is over a tenth of all shares.
                assert!(
                    best == most || most - best <= 0.08 * (1.0 + best.abs()),
                    "{goal:?}, {corner:?}: {best}, {most}"
                );
            }
        }
    }

    /// Merits, levels, Wilson's bounds and quantiles to the last bit: by them events are chosen.
    #[test]
    fn merits_are_what_they_were() {
        let claim = Guarantee::new(0.7, 1e-2).expect("in the domain");
        let goals = [
            Goal::bet(claim),
            Goal::bound(claim, &Shape::Unknown, 5000, 1e-3),
            Goal::bound(claim, &Shape::Gaussian, 5000, 1e-3),
        ];
        let mut found = Vec::new();
        for goal in goals {
            for (gain, loss) in [(400.0, 30.0), (900.0, 300.0), (20.0, 0.0), (310.0, 300.0)] {
                found.push(goal.merit(gain, loss, 1000.0));
            }
            found.push(goal.level(1.25));
        }
        found.extend([
            wilson(0.3, 50.0, -2.0),
            wilson(0.02, 900.0, 3.0),
            normal_quantile(0.2),
        ]);
        steady::holds(
            &found,
            "0.5434229842934994 0.29178815353545673 0.05077508525064265 -0.2960153923014368
                1.5625 1.4073352830056962 0.7554716662157337 -inf -0.5590515280916867
                3.4903429574618414 0.9596271087190802 1.2599434758433494 -0.6257611901792226
                -0.4479781708614453 NaN 0.18921611142360611 0.039471355195364856
                -0.8416212335729142",
        );
    }

    /// No event is passed over for its own sake: what just reaches a level is not below it, nor is nothing below nothing.
    #[test]
    fn an_event_is_not_surpassed_by_itself() {
        for (ratio, delta) in [(1.0, 0.0), (1.5, 0.05), (3.0, 0.01)] {
            let goal = Goal::Bet { ratio, delta };
            assert!(!goal.is_surpassed(0.0, 0.0, 9.0, 10.0));
            for (gain, loss, n) in [(90.0, 5.0, 100.0), (400.0, 50.0, 1e3), (7e4, 1e4, 1e5)] {
                let level = goal.level(goal.merit(gain, loss, n));
                assert!(!goal.is_surpassed(level, gain, loss, n), "{ratio} {gain}");
                assert!(
                    !goal.is_surpassed(level * (1.0 + 1e-10), gain, loss, n),
                    "{ratio} {gain}"
                );
                assert!(
                    goal.is_surpassed(level * (1.0 + 1e-8), gain, loss, n),
                    "{ratio} {gain}"
                );
            }
        }
        // What loses is surpassed by what loses less.
        let goal = Goal::Bet {
            ratio: 3.0,
            delta: 0.01,
        };
        for (gain, loss, n) in [(0.0, 0.0, 100.0), (90.0, 50.0, 100.0), (4e4, 5e4, 1e5)] {
            let merit = goal.merit(gain, loss, n);
            let level = goal.level(merit);
            assert!(merit < 0.0 && !goal.is_surpassed(level, gain, loss, n));
            let less = |share: f64| goal.is_surpassed(level * (1.0 - share), gain, loss, n);
            assert!(!less(1e-10) && less(1e-8), "{gain} {loss}");
            assert!(!goal.is_surpassed(level, 95.0, 1.0, 100.0));
        }
        let claim = Guarantee::new(0.7, 1e-2).expect("in the domain");
        let goal = Goal::bound(claim, &Shape::Unknown, 5000, 1e-3);
        assert!(
            !goal.is_surpassed(4.0, 8.0, 2.0, 10.0)
                && goal.is_surpassed(4.0 + 1e-8, 8.0, 2.0, 10.0)
        );
        assert!(!goal.is_surpassed(4.0, 0.0, 0.0, 10.0));
        // Of Gaussian noise roots and logarithms tell, and nothing is passed over.
        let goal = Goal::bound(claim, &Shape::Gaussian, 5000, 1e-3);
        assert!(!goal.is_surpassed(goal.level(3.0), 1.0, 9.0, 10.0));
    }
}
