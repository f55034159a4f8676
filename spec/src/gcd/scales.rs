//! The noise scales of Theorem 4.2 and equation (2) as enclosures, with checked hypotheses.

use crate::arith::{Interval, Rational, ratio};
use crate::units::{Delta, Epsilon, Sensitivity};
use std::fmt;

/// The checked hypotheses of a calibration of Algorithm 1: ε > 0, δ in (0, 1], T ≥ 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hypotheses {
    epsilon: Epsilon,
    delta: Delta,
    iterations: u64,
}

/// Which hypothesis fails, with the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum HypothesisError {
    /// ε = 0.
    Epsilon(f64),
    /// ε above 1, which only the printed closed form needs.
    EpsilonAboveOne(f64),
    /// δ = 0.
    Delta(f64),
    /// T = 0.
    Iterations,
    /// A score sensitivity ratio that is no positive number.
    Ratio(f64),
}

impl fmt::Display for HypothesisError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Epsilon(x) => write!(f, "epsilon = {x} must be > 0"),
            Self::EpsilonAboveOne(x) => {
                write!(
                    f,
                    "epsilon = {x} must be at most 1 for the closed form as printed"
                )
            }
            Self::Delta(x) => write!(f, "delta = {x} must lie in (0, 1]"),
            Self::Iterations => f.write_str("T = 0 iterations; at least 1 is needed"),
            Self::Ratio(x) => write!(f, "score sensitivity {x} must be finite and > 0"),
        }
    }
}

impl std::error::Error for HypothesisError {}

impl Hypotheses {
    /// Checks the hypotheses.
    ///
    /// # Errors
    /// Names the value that is out of range.
    pub fn check(epsilon: Epsilon, delta: Delta, iterations: u64) -> Result<Self, HypothesisError> {
        if epsilon.get() <= 0.0 {
            return Err(HypothesisError::Epsilon(epsilon.get()));
        }
        if delta.get() <= 0.0 {
            return Err(HypothesisError::Delta(delta.get()));
        }
        if iterations == 0 {
            return Err(HypothesisError::Iterations);
        }
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
    pub fn printed_access(&self) -> Result<Interval, HypothesisError> {
        if self.epsilon.get() > 1.0 {
            return Err(HypothesisError::EpsilonAboveOne(self.epsilon.get()));
        }
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
    ) -> Result<Interval, HypothesisError> {
        if !(own.is_finite() && own > 0.0) {
            return Err(HypothesisError::Ratio(own));
        }
        if !(largest_other.is_finite() && largest_other >= 0.0) {
            return Err(HypothesisError::Ratio(largest_other));
        }
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
        assert_eq!(Hypotheses::check(e, d, 0), Err(HypothesisError::Iterations));
        assert_eq!(
            Hypotheses::check(Epsilon::new(0.0)?, d, 1),
            Err(HypothesisError::Epsilon(0.0))
        );
        assert_eq!(
            Hypotheses::check(e, Delta::new(0.0)?, 1),
            Err(HypothesisError::Delta(0.0))
        );
        let large = hypotheses(2.0, 0.5, 1)?.printed_access();
        assert_eq!(large, Err(HypothesisError::EpsilonAboveOne(2.0)));
        let s = Sensitivity::new(1.0)?;
        let scale = Hypotheses::selection_scale(s, f64::NAN, 1.0, &Interval::from(1));
        assert!(scale.is_err());
        Ok(())
    }
}
