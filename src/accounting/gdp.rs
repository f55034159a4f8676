//! Gaussian differential privacy (Dong, Roth and Su 2022): the trade-off of testing N(0, 1) against
//! N(μ, 1), and what implies it.
//!
//! ```
//! use dp_assay::accounting::gdp;
//! use dp_assay::units::{Delta, Epsilon};
//!
//! // (1, 10⁻⁵)-DP is what Gaussian noise with σ = 3.73 sensitivities gives: μ = 1/3.73.
//! let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
//! let mu = gdp::mu_of(epsilon, delta)?.lo;
//! assert!((0.267..0.269).contains(&mu));
//! assert!(gdp::mechanism(mu)?.epsilon(delta)?.lo <= 1.0);
//! // Without δ the same ε says less: 2Φ⁻¹(0.731) = 1.23.
//! assert!((1.2..1.3).contains(&gdp::mu_of_pure(epsilon)?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::AccountError;
use super::float::Enclosure;
use super::float::elementary::exp;
use super::gaussian::Gaussian;
use super::root::bisect;
use crate::units::{Delta, Epsilon, Sensitivity, StdDev};

/// The mechanism that a μ-GDP guarantee stands for; composition is [`Gaussian::composed`], its
/// (ε, δ) exact.
///
/// # Errors
/// μ must be finite and ≥ 0.
pub fn mechanism(mu: f64) -> Result<Gaussian, AccountError> {
    AccountError::check(
        mu.is_finite() && mu >= 0.0,
        "mu",
        mu,
        "must be finite and >= 0",
    )?;
    Ok(Gaussian::new(Sensitivity::new(mu)?, StdDev::new(1.0)?))
}

/// Encloses the least μ such that μ-GDP implies nothing better than (ε, δ): the μ at which the
/// Gaussian mechanism has exactly this δ at ε. The lower end is the safe one to calibrate with.
///
/// # Errors
/// As [`super::gaussian::calibrate_sigma`].
pub fn mu_of(epsilon: Epsilon, delta: Delta) -> Result<Enclosure, AccountError> {
    let sigma = super::gaussian::calibrate_sigma(Sensitivity::new(1.0)?, epsilon, delta)?;
    Ok(1.0 / sigma)
}

/// Upper bound on the μ-GDP of an (ε, 0)-DP mechanism: 2Φ⁻¹(e^ε/(1+e^ε)), the μ whose trade-off curve
/// touches that of randomised response (its corner lies at e^{−ε} on the diagonal).
///
/// # Errors
/// ε of 690 and more, μ above 74, where the tail of the normal law leaves binary64.
pub fn mu_of_pure(epsilon: Epsilon) -> Result<f64, AccountError> {
    let epsilon = epsilon.get();
    AccountError::check(epsilon < 690.0, "epsilon", epsilon, "must be below 690")?;
    let lie = 1.0 / (1.0 + exp(epsilon));
    // Φ(−μ/2) = 1/(1+e^ε); `lie` and the tail carry at most 40u.
    let safe = |half: f64| super::float::normal_tail(half) * (1.0 + 1e-14) <= lie * (1.0 - 1e-14);
    let half = bisect(0.0, 38.0, 1e-15, |half| !safe(half)).1;
    Ok((2.0 * half).next_up())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn a_shift_is_known_of_all_below_what_the_refusal_names() {
        let at = |epsilon: f64| mu_of_pure(Epsilon::new(epsilon).expect("in range"));
        assert!((73.0..75.0).contains(&at(690f64.next_down()).expect("below 690")));
        let refused = at(690.0).expect_err("not below").to_string();
        assert!(refused.ends_with("must be below 690"), "{refused}");
    }

    #[test]
    fn shifts_are_what_they_were() {
        let at = |epsilon: f64| Epsilon::new(epsilon).expect("in range");
        let mut found: Vec<f64> = [0.0, 1e-6, 0.5, 3.0, 80.0, 689.0]
            .into_iter()
            .map(|epsilon| mu_of_pure(at(epsilon)).expect("in range"))
            .collect();
        for (epsilon, delta) in [(0.0, 0.1), (1.0, 1e-5), (30.0, 1e-9)] {
            let mu = mu_of(at(epsilon), Delta::new(delta).expect("a delta")).expect("in range");
            found.extend([mu.lo, mu.hi]);
        }
        steady::holds(
            &found,
            "5.038991034242465e-14 1.2533141880038268e-6 0.6238925920985485 3.340683712240621
         24.74817638244858 73.99834791217289 0.2513226937101479 0.2513226937101482
         0.26805112321129404 0.2680511232112944 3.860052575727329 3.8600525757273334",
        );
        assert!(
            mu_of_pure(at(691.0))
                .expect_err("too large")
                .to_string()
                .contains("epsilon")
        );
        for mu in [f64::NAN, -1.0, f64::INFINITY] {
            assert!(mechanism(mu).is_err(), "{mu}");
        }
    }

    /// Φ(−μ/2) is no more than the chance 1/(1 + e^ε) of a lie, and hardly less.
    #[test]
    fn a_pure_mechanism_is_noise_of_the_same_total_variation() {
        for epsilon in [0.01, 0.5, 3.0, 20.0, 300.0] {
            let mu = mu_of_pure(Epsilon::new(epsilon).expect("in range")).expect("in range");
            let lie = 1.0 / (1.0 + exp(epsilon));
            let found = crate::accounting::float::normal_tail(0.5 * mu);
            assert!(
                found <= lie && found >= lie * (1.0 - 1e-11),
                "{epsilon}: {found}, {lie}"
            );
        }
    }
}
