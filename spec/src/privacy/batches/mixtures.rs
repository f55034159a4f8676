//! Mixtures of Gaussian laws whose loss grows.

use super::{Interval, LossPair, Profile, solve};
use crate::arith::normal::upper_tail;

/// Mixtures Σ wᵢN(sᵢ, 1) on either side, no shift of P below one of Q: the loss grows with z.
pub struct Mixtures {
    sides: [Vec<(Interval, Interval)>; 2],
    /// Beyond this all that is left is a tail.
    reach: f64,
}

impl Mixtures {
    /// The pair of two lists of (weight, shift).
    #[must_use]
    pub fn new(p: Vec<(Interval, Interval)>, q: Vec<(Interval, Interval)>) -> Self {
        let far = p.iter().chain(&q).map(|(_, s)| s.hi_f64().abs());
        let reach = 40.0 + far.fold(0.0, f64::max);
        Self {
            sides: [p, q],
            reach,
        }
    }

    /// (P, Q) mirrored and exchanged.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let mirrored = |side: &[(Interval, Interval)]| {
            side.iter()
                .map(|(w, s)| (w.clone(), -s))
                .collect::<Vec<_>>()
        };
        Self::new(mirrored(&self.sides[1]), mirrored(&self.sides[0]))
    }

    /// The density over that of N(0, 1), and its logarithmic slope.
    fn density(side: &[(Interval, Interval)], z: &Interval) -> (Interval, Interval) {
        let half = Interval::from_f64(0.5);
        let zero = Interval::from(0);
        let (sum, slope) = side.iter().fold((zero.clone(), zero), |sum, (w, s)| {
            let term = w * &(s * &(z - &(s * &half))).exp();
            (&sum.0 + &term, &sum.1 + &(s * &term))
        });
        let slope = &slope / &sum;
        (sum, slope)
    }

    /// The loss at z, and its slope.
    fn loss(&self, z: &Interval) -> (Interval, Interval) {
        let [(p, up), (q, down)] = self.sides.each_ref().map(|side| Self::density(side, z));
        (&p.ln() - &q.ln(), &up - &down)
    }

    /// The loss in doubles.
    fn rough(&self, z: f64) -> f64 {
        let log = |side: &[(Interval, Interval)]| -> f64 {
            let terms = side.iter().map(|(w, s)| {
                let s = s.lo_f64();
                w.hi_f64().ln() + s * (z - 0.5 * s)
            });
            let terms: Vec<f64> = terms.collect();
            let top = terms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            top + terms.iter().map(|x| (x - top).exp()).sum::<f64>().ln()
        };
        log(&self.sides[0]) - log(&self.sides[1])
    }

    /// An interval in which the loss passes ε: by bisection in doubles, Newton's method, and a change of sign that is certain.
    fn threshold(&self, epsilon: &Interval) -> Interval {
        let (goal, all) = (epsilon.lo_f64(), Interval::between(-self.reach, self.reach));
        let (mut low, mut high) = (-self.reach, self.reach);
        for _ in 0..60 {
            let middle = 0.5 * (low + high);
            if self.rough(middle) < goal {
                low = middle;
            } else {
                high = middle;
            }
        }
        let mut z = Interval::from_f64(low);
        for _ in 0..3 {
            let (loss, slope) = self.loss(&z);
            let next = &z - &(&(&loss - epsilon) / &slope);
            if !next.is_finite() {
                return all;
            }
            z = Interval::point(next.lo().clone());
        }
        let mut radius = Interval::power_of_two(-96);
        for _ in 0..10 {
            let (left, right) = (&z - &radius, &z + &radius);
            let sure = self.loss(&left).0.certainly_lt(epsilon)
                && epsilon.certainly_lt(&self.loss(&right).0);
            if sure {
                return left.hull(&right);
            }
            radius = &radius * &Interval::from(256);
        }
        all
    }

    /// Pr[Z > z] on either side.
    fn tails(&self, z: &Interval) -> [Interval; 2] {
        self.sides.each_ref().map(|side| {
            let each = side.iter().map(|(w, s)| w * &upper_tail(&(z - s)));
            each.sum()
        })
    }
}

impl Profile for Mixtures {
    fn delta(&self, epsilon: &Interval) -> Interval {
        solve::decreasing(epsilon, |e| self.delta_and_fall(e).0)
    }
}

impl LossPair for Mixtures {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let (zero, one, b) = (Interval::from(0), Interval::from(1), epsilon.exp());
        let least = (-epsilon.exp_m1()).max(&zero);
        let [left, right] = [-self.reach, self.reach].map(Interval::from_f64);
        if !epsilon.certainly_lt(&self.loss(&right).0) {
            // What lies above the threshold, if anything, lies beyond the right end; unless it is not certain.
            if !self.loss(&right).0.certainly_le(epsilon) {
                return (least.hull(&one), zero.hull(&one));
            }
            let [p, q] = self.tails(&right);
            return (least.hull(&least.max(&p)), zero.hull(&q));
        }
        if !self.loss(&left).0.certainly_lt(epsilon) {
            if !epsilon.certainly_le(&self.loss(&left).0) {
                return (least.hull(&one), zero.hull(&one));
            }
            // All but the left end is above.
            let [_, q] = self.tails(&left);
            let gone = &one - &q;
            return (least.hull(&(&least + &(&b * &gone))), q.hull(&one));
        }
        let [p, q] = self.tails(&self.threshold(epsilon));
        ((&p - &(&b * &q)).max(&least).min(&one), q)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(x: f64) -> Interval {
        Interval::from_f64(x)
    }

    /// Beyond the end on the left all but a tail is above, and the tail is not left out.
    #[test]
    fn what_may_lie_above_an_end_is_in_the_bound() {
        let (mu, one) = (exact(0.75), exact(1.0));
        let pair = Mixtures::new(
            vec![(one.clone(), mu.clone())],
            vec![(one.clone(), exact(0.0))],
        );
        let end = pair.loss(&exact(-pair.reach)).0;
        let epsilon = &end - &one;
        let least = -epsilon.exp_m1();
        let most = &least + &(&epsilon.exp() * &(&one - &pair.tails(&exact(-pair.reach))[1]));
        let found = pair.delta_and_fall(&epsilon).0;
        assert!(found.hi() >= most.hi(), "{found}, {most}");
    }

    /// The loss in doubles is the loss, also where one of its laws is far below the other.
    #[test]
    fn a_rough_loss_is_the_loss() {
        let side = |shifts: [f64; 2]| {
            vec![
                (exact(0.25), exact(shifts[0])),
                (exact(0.75), exact(shifts[1])),
            ]
        };
        let pair = Mixtures::new(side([0.5, 2.0]), side([-1.0, 0.25]));
        for z in [-30.0, -2.0, 0.0, 0.3, 5.0, 30.0] {
            let (loss, rough) = (pair.loss(&exact(z)).0, pair.rough(z));
            assert!(
                (loss.hi_f64() - rough).abs() < 1e-12,
                "{z}: {loss}, {rough}"
            );
        }
        assert_eq!(pair.reach, 42.0);
        assert_eq!(pair.reversed().reach, 42.0);
    }

    /// Of two shifts the loss is linear: it passes ε at (ε + (s² − r²)/2)/(s − r).
    #[test]
    fn the_point_where_a_loss_passes_a_value_is_enclosed_closely() {
        let one = |s: f64| vec![(exact(1.0), exact(s))];
        for (s, r, epsilon) in [
            (0.75, 0.0, 0.3),
            (2.0, -1.0, -4.0),
            (0.01, 0.0, 0.2),
            (8.0, -8.0, 60.0),
        ] {
            let truth = (epsilon + 0.5 * (s * s - r * r)) / (s - r);
            let found = Mixtures::new(one(s), one(r)).threshold(&exact(epsilon));
            let near = (found.hi_f64() - truth).abs() < 1e-13 * (1.0 + truth.abs());
            assert!(
                near && found.width() < 1e-22,
                "{s}, {r}, {epsilon}: {found}, {truth}"
            );
        }
    }
}
