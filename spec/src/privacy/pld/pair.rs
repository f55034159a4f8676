//! Pairs of laws, described by what the discretisation needs of them.

use super::lattice::spacing;
use crate::arith::Interval;
use crate::arith::normal::upper_tail;
use crate::privacy::finite::FinitePair;
use crate::privacy::gaussian::Gdp;
use crate::privacy::laplace::Laplace;
use crate::privacy::notion::Profile;
use crate::privacy::subsampled::{Direction, PoissonGaussian};

/// A pair (P, Q) with privacy loss L = ln(dP/dQ), known through its profile δ(ε) for every real ε and
/// through the slope of the profile as a function of e^ε.
pub trait LossPair: Profile + Sync {
    /// Encloses δ(ε), and a number between Q\[L > ε\] and Q\[L ≥ ε\]: minus a subgradient of δ in e^ε.
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval);

    /// A number of which all losses of positive probability are whole multiples, up to rounding, or
    /// the greatest of them if there is none; nothing if there are no such losses but 0.
    fn lattice(&self) -> Option<f64> {
        None
    }
}

impl Profile for FinitePair {
    fn delta(&self, epsilon: &Interval) -> Interval {
        self.hockey_stick(epsilon)
    }
}

impl LossPair for FinitePair {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let weight = epsilon.exp();
        let zero = Interval::from(0);
        let counted = |(p, q): (&Interval, &Interval)| {
            let cost = &weight * q;
            match (cost.certainly_lt(p), p.certainly_le(&cost)) {
                (true, _) => q.clone(),
                (_, true) => zero.clone(),
                _ => zero.hull(q),
            }
        };
        let fall = self.p().iter().zip(self.q()).map(counted).sum();
        (self.hockey_stick(epsilon), fall)
    }

    fn lattice(&self) -> Option<f64> {
        let losses = self.losses();
        spacing(losses.iter().flatten().map(Interval::hi_f64))
    }
}

impl LossPair for Gdp {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let half = &self.mu * &Interval::from_f64(0.5);
        let fall = upper_tail(&(&half + &(epsilon / &self.mu)));
        (self.delta(epsilon), fall)
    }
}

/// Q\[L > ε\] = ½ e^(−(a+ε)/2) for |ε| < a.
impl LossPair for Laplace {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        let (zero, one) = (Interval::from(0), Interval::from(1));
        let half = Interval::from_f64(0.5);
        let a = &self.ratio;
        let beyond = a + epsilon;
        let fall = if a.certainly_le(epsilon) {
            zero
        } else if *beyond.hi() < 0 {
            one
        } else if epsilon.certainly_lt(a) && *beyond.lo() >= 0 {
            &(-&(&beyond * &half)).exp() * &half
        } else {
            zero.hull(&one)
        };
        (self.delta(epsilon), fall)
    }

    fn lattice(&self) -> Option<f64> {
        spacing([self.ratio.hi_f64()].into_iter())
    }
}

/// One step of the Poisson-subsampled Gaussian in one direction. With c = (e^±ε − 1 + q)/q and
/// u = σ ln c + 1/(2σ) the threshold of the likelihood ratio,
///
/// ```text
/// removing: δ = q (Φ̄(u − 1/σ) − c Φ̄(u)),        Q[L > ε] = Φ̄(u),                       c from +ε;
/// adding:   δ = e^ε q (c Φ(u) − Φ(u − 1/σ)),      Q[L > ε] = (1−q) Φ(u) + q Φ(u − 1/σ),   c from −ε.
/// ```
#[derive(Clone, Debug)]
pub struct SampledGaussian<'a> {
    /// The mechanism.
    pub step: &'a PoissonGaussian,
    /// Which law comes first.
    pub direction: Direction,
}

impl SampledGaussian<'_> {
    /// q c at ε.
    fn excess(&self, epsilon: &Interval) -> Interval {
        let signed = match self.direction {
            Direction::Remove => epsilon.clone(),
            Direction::Add => -epsilon,
        };
        &signed.exp_m1() + self.step.q()
    }

    /// u and u − 1/σ, for a positive q c.
    fn thresholds(&self, excess: &Interval) -> (Interval, Interval) {
        let sigma = self.step.sigma();
        let inverse = &Interval::from(1) / sigma;
        let log = (excess / self.step.q()).ln();
        let u = &(sigma * &log) + &(&inverse * &Interval::from_f64(0.5));
        let shifted = &u - &inverse;
        (u, shifted)
    }

    /// δ(ε) and Q\[L > ε\] near the end of the losses, where q c is not certainly positive: δ(ε) lies
    /// within q c₊ of 1 − e^ε when removing (it is 1 − e^ε + E_Q(e^ε − m)₊), and within e^ε q c₊ of 0
    /// when adding.
    fn at_the_end(&self, epsilon: &Interval, excess: &Interval) -> (Interval, Interval) {
        let (zero, one) = (Interval::from(0), Interval::from(1));
        let slack = zero.hull(&excess.max(&zero));
        let some = match *excess.hi() > 0 {
            true => zero.hull(&one),
            false => zero.clone(),
        };
        match self.direction {
            Direction::Remove => ((-&epsilon.exp_m1() + slack).max(&zero), &one - &some),
            Direction::Add => (&epsilon.exp() * &slack, some),
        }
    }

    fn evaluate(&self, epsilon: &Interval) -> (Interval, Interval) {
        let (zero, one) = (Interval::from(0), Interval::from(1));
        let excess = self.excess(epsilon);
        if *excess.lo() <= 0 || self.step.q().lo().is_zero() {
            return self.at_the_end(epsilon, &excess);
        }
        let (u, shifted) = self.thresholds(&excess);
        let q = self.step.q();
        let (delta, fall) = match self.direction {
            Direction::Remove => {
                let (far, near) = (upper_tail(&u), upper_tail(&shifted));
                (&(q * &near) - &(&excess * &far), far)
            }
            Direction::Add => {
                let (near, far) = (upper_tail(&-&u), upper_tail(&-&shifted));
                let gain = &(&excess * &near) - &(q * &far);
                (&epsilon.exp() * &gain, &(&(&one - q) * &near) + &(q * &far))
            }
        };
        let least = (-&epsilon.exp_m1()).max(&zero);
        (delta.max(&least).min(&one), fall)
    }
}

impl Profile for SampledGaussian<'_> {
    fn delta(&self, epsilon: &Interval) -> Interval {
        crate::privacy::solve::decreasing(epsilon, |e| self.evaluate(e).0)
    }
}

impl LossPair for SampledGaussian<'_> {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        self.evaluate(epsilon)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of the mass is above the least loss, which is itself in no cell; beyond both ends all is, and nothing is.
    #[test]
    fn the_slope_of_a_laplace_profile_is_known_at_its_ends() {
        let pair = Laplace::new(&Interval::from(1), &Interval::from(2)).expect("in range");
        let fall = |e: f64| pair.delta_and_fall(&Interval::from_f64(e)).1;
        assert_eq!(
            [fall(-2.5), fall(2.0), fall(3.0)],
            [1, 0, 0].map(Interval::from)
        );
        for e in [-2.0f64, -1.0, 0.0, 1.75] {
            let truth = 0.5 * (-0.5 * (2.0 + e)).exp();
            let found = fall(e);
            assert!(
                (found.hi_f64() - truth).abs() < 1e-15 && found.width() < 1e-30,
                "{e}: {found}"
            );
        }
        let unit = Interval::between(0.0, 1.0);
        let around = |a: f64, b: f64| pair.delta_and_fall(&Interval::between(a, b)).1;
        assert_eq!([around(-2.5, -1.5), around(1.5, 2.5)], [unit.clone(), unit]);
        assert_eq!(pair.lattice(), Some(2.0));
        let none = Laplace::new(&Interval::from(1), &Interval::from(0)).expect("in range");
        let noise = Gdp::new(Interval::from(1)).expect("in range");
        assert_eq!([none.lattice(), noise.lattice()], [None, None]);
    }

    /// Of a finite pair Q[L > ε] counts the outcomes above, and at a loss either answer holds.
    #[test]
    fn the_slope_of_a_finite_profile_counts_what_is_above() {
        let law = |x: [f64; 3]| x.map(Interval::from_f64).to_vec();
        let pair = FinitePair::new(law([0.5, 0.25, 0.25]), law([0.125, 0.25, 0.625]));
        let pair = pair.expect("of one length");
        let fall = |e: Interval| pair.delta_and_fall(&e).1;
        for (e, share) in [(2.0, 0.0), (1.0, 0.125), (-0.5, 0.375), (-1.0, 1.0)] {
            assert_eq!(
                fall(Interval::from_f64(e)),
                Interval::from_f64(share),
                "{e}"
            );
        }
        let at = fall(Interval::from(0));
        assert!(at.lo_f64() >= 0.125 && at.hi_f64() <= 0.375, "{at}");
        let around = fall(Interval::between(-0.1, 0.1));
        assert_eq!((around.lo_f64(), around.hi_f64()), (0.125, 0.375));
    }

    /// Near the end of a sample's losses what is not certain is between nothing and all.
    #[test]
    fn the_end_of_a_sample_is_between_what_is_certain() {
        let step = PoissonGaussian::new(Interval::from_f64(0.25), Interval::from(1));
        let step = step.expect("in range");
        let end = 0.75f64.ln();
        for (direction, sign) in [(Direction::Remove, 1.0), (Direction::Add, -1.0)] {
            let pair = SampledGaussian {
                step: &step,
                direction,
            };
            let at = |from: f64, to: f64| {
                let [a, b] = [sign * from, sign * to].map(Interval::from_f64);
                pair.delta_and_fall(&a.hull(&b))
            };
            // Below the least loss all of Q is above ε, and δ = 1 − e^ε; beyond the greatest there is nothing.
            let (delta, fall) = at(end - 0.5, end - 0.25);
            let most = if sign > 0.0 {
                1.0 - (end - 0.5).exp()
            } else {
                0.0
            };
            let all = i64::from(sign > 0.0);
            assert_eq!(fall, Interval::from(all), "{direction:?}");
            assert!(
                (delta.hi_f64() - most).abs() < 1e-15,
                "{direction:?}: {delta}"
            );
            let (_, fall) = at(end - 0.01, end + 0.01);
            assert_eq!((fall.lo_f64(), fall.hi_f64()), (0.0, 1.0), "{direction:?}");
            // What is never sampled has no losses but 0, which is not above 0 where it is the end.
            let none =
                PoissonGaussian::new(Interval::from(0), Interval::from(1)).expect("in range");
            let never = SampledGaussian {
                step: &none,
                direction,
            };
            let found = never.delta_and_fall(&Interval::from(0));
            assert_eq!(
                found,
                (Interval::from(0), Interval::from(all)),
                "{direction:?}"
            );
            // Just inside it is known again.
            let (_, fall) = at(end + 0.01, end + 0.01);
            assert!(fall.width() < 1e-25, "{direction:?}: {fall}");
        }
    }
}
