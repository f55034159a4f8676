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
        } else if epsilon.certainly_lt(a) && *beyond.lo() > 0 {
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
