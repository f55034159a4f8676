//! The noise scales of Theorem 4.2 and equation (2) as enclosures, with checked hypotheses.

use crate::arith::{Interval, Rational, ratio};
use crate::privacy::error::{PrivacyError, require};
use crate::units::{Delta, Epsilon, Sensitivity};

/// The checked hypotheses of a calibration of Algorithm 1: ε > 0, δ in (0, 1], T ≥ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    epsilon: Epsilon,
    delta: Delta,
    iterations: u64,
}

impl Hypotheses {
    /// Checks the hypotheses.
    ///
    /// # Errors
    /// Names the value that is out of range.
    pub fn check(epsilon: Epsilon, delta: Delta, iterations: u64) -> Result<Self, PrivacyError> {
        require(epsilon.get() > 0.0, "epsilon", &epsilon, "must be > 0")?;
        require(delta.get() > 0.0, "delta", &delta, "must lie in (0, 1]")?;
        require(iterations > 0, "T", &iterations, "must be at least 1")?;
        Ok(Self {
            epsilon,
            delta,
            iterations,
        })
    }

    fn epsilon(&self) -> Interval {
        Interval::from_f64(self.epsilon.get())
    }

    fn log(&self) -> Interval {
        -Interval::from_f64(self.delta.get()).ln()
    }

    fn rounds(&self) -> Interval {
        Interval::from_rational(&Rational::from(self.iterations))
    }

    /// ε′ of Theorem 4.2 as printed, ε/(4√(T log(1/δ))): `gcd-thm-4.2`, which is refuted.
    ///
    /// # Errors
    /// If ε > 1. At δ = 1 the result is infinite: no noise.
    pub fn printed_access(&self) -> Result<Interval, PrivacyError> {
        let rule = "must be at most 1 for the closed form as printed";
        require(self.epsilon.get() <= 1.0, "epsilon", &self.epsilon, rule)?;
        Ok(self.epsilon() / (Interval::from(4) * (self.rounds() * self.log()).sqrt()))
    }

    /// The root ε′ of equation (2) (`gcd-eq-2-repaired` with the selection noise of
    /// [`Self::selection_scale`]), by bisection in outward-rounded arithmetic.
    #[must_use]
    pub fn equation_2_access(&self) -> Interval {
        let (four, two) = (Rational::from(4), Rational::from(2));
        let log = self.log();
        let spent = |e: &Interval| spent_by_equation_2(&four, &two, &self.rounds(), e, &log);
        // e^{e′} − 1 ≥ e′ makes 2Te′² ≤ ε, and the root term is ≥ 0.
        let largest = (self.epsilon() / (&self.rounds() * &Interval::from(2))).sqrt();
        let (mut low, mut high) = (Interval::from(0), largest);
        for _ in 0..110 {
            let middle = (&low + &high) * Interval::from_rational(&ratio(1, 2));
            if spent(&middle).certainly_le(&self.epsilon()) {
                low = middle;
            } else if self.epsilon().certainly_le(&spent(&middle)) {
                high = middle;
            } else {
                break;
            }
        }
        low.hull(&high)
    }

    /// The release scale λ_j = Δ_j/ε′.
    #[must_use]
    pub fn release_scale(sensitivity: Sensitivity, access: &Interval) -> Interval {
        Interval::from_f64(sensitivity.get()) / access
    }

    /// The selection scale of `gcd-mech-rnm-repaired`, λ′_j = (1 + largest other r_k/r_j) Δ_j/ε′; 0 for the
    /// second argument if there is no other coordinate.
    ///
    /// # Errors
    /// If `own` is not a positive number or `largest_other` not a number ≥ 0.
    pub fn selection_scale(
        sensitivity: Sensitivity,
        own: f64,
        largest_other: f64,
        access: &Interval,
    ) -> Result<Interval, PrivacyError> {
        let (what, rule) = ("score sensitivity", "must be finite and > 0");
        require(own.is_finite() && own > 0.0, what, &own, rule)?;
        let fits = largest_other.is_finite() && largest_other >= 0.0;
        require(fits, what, &largest_other, "must be finite and >= 0")?;
        let ratio = Interval::from_f64(largest_other) / Interval::from_f64(own);
        Ok(Self::release_scale(sensitivity, access) * (Interval::from(1) + ratio))
    }
}

/// √(`under_root`·T log(1/δ)) ε′ + `linear`·T ε′(e^{ε′} − 1): the right side of equation (2), whose printed
/// constants are 4 and 2.
pub(super) fn spent_by_equation_2(
    under_root: &Rational,
    linear: &Rational,
    rounds: &Interval,
    access: &Interval,
    log: &Interval,
) -> Interval {
    let root = (Interval::from_rational(under_root) * rounds * log).sqrt();
    root * access + Interval::from_rational(linear) * rounds * access * access.exp_m1()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hypotheses(
        epsilon: f64,
        delta: f64,
        t: u64,
    ) -> Result<Hypotheses, Box<dyn std::error::Error>> {
        Ok(Hypotheses::check(
            Epsilon::new(epsilon)?,
            Delta::new(delta)?,
            t,
        )?)
    }

    #[test]
    fn the_printed_examples_of_per_access_budgets_are_enclosed()
    -> Result<(), Box<dyn std::error::Error>> {
        let near = |x: &Interval, printed: f64, digit: f64| {
            assert!(
                x.width() < 1e-12 && (x.hi_f64() - printed).abs() <= 0.5 * digit,
                "{x} {printed}"
            );
        };
        near(&hypotheses(1.0, 1e-6, 1)?.printed_access()?, 0.067260, 1e-6);
        near(
            &hypotheses(1.0, 1e-10, 1)?.printed_access()?,
            0.052099,
            1e-6,
        );
        for (t, printed) in [(1, 0.12969), (10, 0.04107), (100, 0.01299)] {
            near(
                &hypotheses(1.0, 1e-6, t)?.equation_2_access(),
                printed,
                1e-5,
            );
        }
        Ok(())
    }

    #[test]
    fn at_delta_one_the_printed_form_asks_for_no_noise() -> Result<(), Box<dyn std::error::Error>> {
        let all = hypotheses(1.0, 1.0, 1)?;
        assert!(all.printed_access()?.hi_f64().is_infinite());
        assert!(all.equation_2_access().is_finite());
        Ok(())
    }

    #[test]
    fn bad_hypotheses_are_named() -> Result<(), Box<dyn std::error::Error>> {
        let (e, d) = (Epsilon::new(1.0)?, Delta::new(0.5)?);
        let said = |(e, d, t)| Hypotheses::check(e, d, t).expect_err("refused").to_string();
        assert_eq!(said((e, d, 0)), "T = 0 must be at least 1");
        assert_eq!(said((Epsilon::new(0.0)?, d, 1)), "epsilon = 0 must be > 0");
        assert_eq!(
            said((e, Delta::new(0.0)?, 1)),
            "delta = 0 must lie in (0, 1]"
        );
        let large = hypotheses(2.0, 0.5, 1)?
            .printed_access()
            .expect_err("refused");
        let words = "epsilon = 2 must be at most 1 for the closed form as printed";
        assert_eq!(large.to_string(), words);
        let s = Sensitivity::new(1.0)?;
        for (own, other) in [(f64::NAN, 1.0), (0.0, 1.0), (1.0, -1.0)] {
            assert!(Hypotheses::selection_scale(s, own, other, &Interval::from(1)).is_err());
        }
        Ok(())
    }
}
