//! Zero-concentrated differential privacy: D_α ≤ ρα for every α > 1 (Bun and Steinke 2016).
//!
//! ```
//! use dp_assay::accounting::zcdp;
//! use dp_assay::units::{Delta, Epsilon, Rho, Sensitivity, StdDev};
//!
//! // Gaussian noise of σ = 2 on a sensitivity of 1 has ρ = 1/8 nats; four of them have ½.
//! let one = Rho::new(zcdp::gaussian_rho_upper(Sensitivity::new(1.0)?, StdDev::new(2.0)?))?;
//! let four = Rho::new(4.0 * one.get())?;
//! assert!((0.5..0.501).contains(&four.get()));
//! let delta = Delta::new(1e-5)?;
//! let epsilon = zcdp::epsilon_upper(four, delta)?;
//! assert!(epsilon <= zcdp::classic_epsilon_upper(four, delta)?);
//! assert!(zcdp::delta_upper(four, Epsilon::new(epsilon)?) < 1.01e-5);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::rdp::{best_order, epsilon_at_order};
use super::root::try_bisect;
use super::{AccountError, Claims};
use crate::float::elementary::{exp, ln_1p};
use crate::float::{Double, Enclosure, U, above};
use crate::units::{Delta, Epsilon, Rho, Sensitivity, StdDev};

/// ρ of the Gaussian mechanism, Δ²/(2σ²), rounded up.
#[must_use]
pub fn gaussian_rho_upper(sensitivity: Sensitivity, sigma: StdDev) -> f64 {
    let ratio = Enclosure::point(sensitivity.get()) / Enclosure::point(sigma.get());
    (ratio.square() * 0.5).hi
}

/// σ for which the Gaussian mechanism has ρ: Δ/√(2ρ), rounded up.
///
/// # Errors
/// ρ = 0 needs infinite noise.
pub fn calibrate_sigma(sensitivity: Sensitivity, rho: Rho) -> Result<f64, AccountError> {
    AccountError::check(
        rho.get() > 0.0,
        "rho",
        rho.get(),
        "must be > 0 to calibrate noise",
    )?;
    let root = (Enclosure::point(rho.get()) * 2.0).sqrt();
    Ok((Enclosure::point(sensitivity.get()) / root).hi)
}

/// ρ = ε²/2 of an (ε, 0)-DP mechanism (Bun and Steinke 2016, Proposition 1.4), rounded up.
#[must_use]
pub fn pure_rho_upper(epsilon: Epsilon) -> f64 {
    (Enclosure::point(epsilon.get()).square() * 0.5).hi
}

/// Upper bound on the δ of a ρ-zCDP mechanism at ε: the least of
/// e^{(α−1)(αρ−ε)}·(1−1/α)^α/(α−1) over α > 1 (Canonne, Kamath and Steinke 2020, Proposition 12) and,
/// since KL ≤ ρ, √(ρ/2) (Pinsker) and √(1 − e^{−ρ}) (Bretagnolle and Huber). The best α solves
/// (2α−1)ρ − ε + ln(1 − 1/α) = 0; only the last evaluation is directed, as every α is valid.
#[must_use]
pub fn delta_upper(rho: Rho, epsilon: Epsilon) -> f64 {
    let (r, e) = (rho.get(), epsilon.get());
    if r == 0.0 {
        return 0.0;
    }
    let by_order = delta_at_order(stationary_order(r, e), r, e);
    let r = Enclosure::point(r);
    let pinsker = (r * 0.5).sqrt().hi;
    let bretagnolle_huber = (-(-r).exp_m1()).sqrt().hi;
    by_order.min(pinsker).min(bretagnolle_huber).min(1.0)
}

/// Upper bound on the ε of a ρ-zCDP mechanism at δ: the least of
/// αρ + ln(1 − 1/α) − (ln δ + ln α)/(α − 1) over α > 1 (the same proposition, solved for ε). Never
/// above ρ + 2√(ρ·ln(1/δ)) (Bun and Steinke 2016, Proposition 1.3).
///
/// # Errors
/// δ = 0 has no finite ε unless ρ = 0.
pub fn epsilon_upper(rho: Rho, delta: Delta) -> Result<f64, AccountError> {
    let (r, d) = (rho.get(), delta.get());
    if r == 0.0 || d == 1.0 {
        return Ok(0.0);
    }
    if d == 0.0 {
        return Err(AccountError::NoFiniteEpsilon {
            delta: d,
            floor: 0.0,
        });
    }
    if delta_upper(rho, Epsilon::new(0.0)?) <= d {
        return Ok(0.0);
    }
    let epsilon = |beta: f64| {
        let divergence = (1.0 + Enclosure::point(beta)) * r;
        epsilon_at_order(beta, divergence.hi, d)
    };
    let best = epsilon(best_order(1.0, epsilon));
    Ok(best.min(classic_epsilon_upper(rho, delta)?))
}

/// What [`epsilon_upper`] and [`delta_upper`] rest on, and what adding up ρ does, where one record is replaced.
#[must_use]
pub fn claims() -> Claims {
    Claims::from("kl-imp-adaptive")
        .and("gcd-aux-renyi")
        .and("acc-distance")
}

/// A ρ with [`epsilon_upper`] at most ε at δ, below the largest one by less than a part in 10⁹.
///
/// ```
/// use dp_assay::accounting::zcdp::{calibrate_sigma, rho_within};
/// use dp_assay::units::{Delta, Epsilon, Sensitivity};
///
/// // The ρ that fits (1, 10⁻⁵), and the noise for it: more than the 3.73 of the exact calibration.
/// let rho = rho_within(Epsilon::new(1.0)?, Delta::new(1e-5)?)?;
/// assert!((0.02..0.036).contains(&rho.get()));
/// assert!((3.73..5.0).contains(&calibrate_sigma(Sensitivity::new(1.0)?, rho)?));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// δ = 0 admits no ρ > 0.
pub fn rho_within(epsilon: Epsilon, delta: Delta) -> Result<Rho, AccountError> {
    let fits =
        |rho: f64| Ok::<_, AccountError>(epsilon_upper(Rho::new(rho)?, delta)? <= epsilon.get());
    // ρ = ε is too much unless δ is large; halving and doubling brackets the answer.
    let (mut low, mut high) = (1.0_f64, 1.0_f64);
    while low > f64::MIN_POSITIVE && !fits(low)? {
        (low, high) = (low / 2.0, low);
    }
    if !fits(low)? {
        return Ok(Rho::new(0.0)?); // at ε = 0 the answer is about 2δ², which may be below every double
    }
    while high < 1e300 && fits(high)? {
        (low, high) = (high, high * 2.0);
    }
    Ok(Rho::new(try_bisect(low, high, 1e-9, fits)?.0)?)
}

/// ρ + 2√(ρ·ln(1/δ)), rounded up (Bun and Steinke 2016, Proposition 1.3). Kept for comparison.
///
/// # Errors
/// δ = 0.
pub fn classic_epsilon_upper(rho: Rho, delta: Delta) -> Result<f64, AccountError> {
    AccountError::check(delta.get() > 0.0, "delta", delta.get(), "must be > 0")?;
    let r = Enclosure::point(rho.get());
    let log = (-Enclosure::point(delta.get()).ln()).clamp(0.0, f64::MAX);
    Ok((r + 2.0 * (r * log).sqrt()).hi)
}

/// The bound at α = 1 + β, rounded up. The exponent β((1+β)ρ − ε) + α·ln(β/α) is formed in
/// double-double, as its terms are large and cancel.
fn delta_at_order(beta: f64, rho: f64, epsilon: f64) -> f64 {
    if !(beta > 1e-100 && beta < 1e100) {
        return 1.0;
    }
    let alpha = Double::sum(1.0, beta);
    let divergence = alpha * Double::new(rho);
    let gain = Double::new(beta) * (divergence - Double::new(epsilon));
    let ratio = alpha * log_ratio(beta, alpha);
    let exponent = gain + ratio;
    if exponent.hi > 0.0 {
        return 1.0;
    }
    if exponent.hi < -620.0 {
        return above(exp(exponent.hi.max(-708.0)), 1e-9) / beta.min(1.0);
    }
    let size = beta * (divergence.hi + epsilon) + alpha.hi.min(1e3);
    let delta = exponent.exp() / Double::new(beta);
    above(delta.to_f64(), U + 2f64.powi(-90) * (1.0 + size))
}

/// ln(β/α) = −ln(1 + 1/β) with absolute error 2⁻⁹²·max(1, |ln β|), or relative error 2⁻⁹⁵ when β ≥ 10³
/// (by the series in w = 1/β, whose tenth term is below 2⁻⁹⁵·w).
fn log_ratio(beta: f64, alpha: Double) -> Double {
    if beta < 1e3 {
        return (Double::new(beta) / alpha).ln();
    }
    let w = Double::quotient(1.0, beta);
    let sum = (1..=9).rev().fold(Double::new(0.1), |sum, n| {
        Double::quotient(1.0, f64::from(n)) - w * sum
    });
    -(w * sum)
}

/// β = α − 1 with (2α−1)ρ − ε + ln(1 − 1/α) ≈ 0, by bisection on ln β (the left side increases). The width is
/// measured by 1 + |ln β|, not by an end as in `root`: ln β may be 0.
fn stationary_order(rho: f64, epsilon: f64) -> f64 {
    let slope = |b: f64| {
        let beta = exp(b);
        (2.0 * beta + 1.0) * rho - epsilon - ln_1p(1.0 / beta)
    };
    let (mut lo, mut hi) = (-700.0f64, 700.0f64);
    while hi - lo > 1e-13 * (1.0 + lo.abs()) {
        let middle = 0.5 * (lo + hi);
        if middle <= lo || middle >= hi {
            break;
        }
        if slope(middle) < 0.0 {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    exp(0.5 * (lo + hi))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::Float;

    /// On both sides of where the series begins, whose terms are to be enough there.
    #[test]
    fn the_logarithm_of_a_ratio_is_known_to_two_doubles() {
        for beta in [
            1e-90, 1e-3, 0.5, 1.0, 40.0, 999.0, 1e3, 1001.0, 3e3, 1e6, 1e50,
        ] {
            let exact = Float::with_val(600, beta);
            let truth: Float = (exact.clone() / (exact + 1u32)).ln();
            let found = log_ratio(beta, Double::sum(1.0, beta));
            let found = Float::with_val(600, found.hi) + found.lo;
            let off = Float::with_val(600, &found - &truth).abs();
            let most = match beta < 1e3 {
                true => 2f64.powi(-92) * beta.ln().abs().max(1.0),
                false => 2f64.powi(-95) / beta,
            };
            assert!(off <= most, "{beta}: {found}, {truth}");
        }
    }

    /// e^{β((1+β)ρ−ε)}·(β/α)^α/β, rounded up and no further than its size makes it.
    #[test]
    fn the_delta_of_an_order_is_rounded_up() {
        let wide = |x: f64| Float::with_val(600, x);
        for (beta, rho, epsilon) in [
            (0.5, 0.1, 0.3),
            (1e-3, 2.0, 9.0),
            (7.0, 0.125, 3.0),
            (60.0, 0.01, 8.0),
            (2e3, 1e-4, 0.3),
            (1e-9, 1e3, 1e10),
            (0.5, 0.1, 1300.0),
            (40.0, 1.0, 55.5),
        ] {
            let alpha = wide(beta) + 1u32;
            let gain = (alpha.clone() * rho - epsilon) * beta;
            let ratio = (wide(beta) / &alpha).ln() * alpha;
            let exponent: Float = gain + ratio;
            assert!(exponent < 0.0, "{exponent}");
            let truth: Float = exponent.clone().exp() / beta;
            let found = delta_at_order(beta, rho, epsilon);
            let close = if exponent < -620.0 { 1e-8 } else { 1e-12 };
            assert!(
                found >= truth && found <= truth.clone() * (1.0 + close),
                "{beta}, {rho}, {epsilon}: {found}, {truth}"
            );
        }
        // Below all doubles, and above 1.
        assert!((0.0..1e-300).contains(&delta_at_order(2.0, 1.0, 1e4)));
        assert_eq!(delta_at_order(2.0, 1.0, 1.0), 1.0);
        assert_eq!(delta_at_order(1e100, 1.0, 1e300), 1.0);
    }

    /// So close that a part in 10⁹ more is too much.
    #[test]
    fn the_rho_within_a_budget_is_the_largest() {
        for (epsilon, delta) in [
            (1.0, 1e-5),
            (30.0, 1e-9),
            (1e-3, 1e-12),
            (0.5, 0.3),
            (0.0, 0.1),
        ] {
            let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(delta));
            let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("in range"));
            let rho = rho_within(epsilon, delta).expect("some").get();
            let at = |rho: f64| epsilon_upper(Rho::new(rho).expect("in range"), delta);
            assert!(at(rho).expect("finite") <= epsilon.get(), "{rho}");
            assert!(
                at(rho * (1.0 + 1.1e-9)).expect("finite") > epsilon.get(),
                "{rho}"
            );
        }
    }

    #[test]
    fn ends_are_what_they_were() {
        let mut found = Vec::new();
        for r in [1e-40, 1e-6, 0.02, 0.5, 7.0, 900.0] {
            let rho = Rho::new(r).expect("in range");
            for delta in [1e-250, 1e-9, 1e-3, 0.4, 0.99] {
                let delta = Delta::new(delta).expect("in range");
                found.push(epsilon_upper(rho, delta).expect("finite"));
                found.push(classic_epsilon_upper(rho, delta).expect("finite"));
            }
            for epsilon in [0.0, 1e-9, 0.3, 4.0, 60.0, 2e3] {
                let at = Epsilon::new(epsilon).expect("in range");
                found.extend([delta_upper(rho, at), pure_rho_upper(at)]);
                found.push(stationary_order(r, epsilon));
            }
            let sensitivity = Sensitivity::new(0.3).expect("in range");
            found.push(calibrate_sigma(sensitivity, rho).expect("positive"));
            let sigma = StdDev::new(r).expect("positive");
            found.push(gaussian_rho_upper(sensitivity, sigma));
        }
        for (beta, rho, epsilon) in [
            (0.5, 0.1, 0.3),
            (7.0, 0.125, 3.0),
            (2e3, 1e-4, 0.3),
            (1e-9, 1e3, 1e10),
            (40.0, 1.0, 55.5),
            (0.01, 1.0, 1e5),
        ] {
            found.push(delta_at_order(beta, rho, epsilon));
        }
        let marks: Vec<f64> = found.chunks(30).map(steady::mark).collect();
        steady::holds(
            &marks,
            "960187863773600.0 2570151035832797.0 7046542256786149.0 6685696854024376.0
         1161125016612250.0 6352018852955157.0 5479565305598630.0",
        );
    }

    /// At ε = 0 the total variation, of which two inequalities tell; and ρ of a pure mechanism is
    /// half of ε².
    #[test]
    fn the_least_of_three_bounds_is_taken() {
        let at = |rho: f64, epsilon: f64| {
            let (rho, epsilon) = (Rho::new(rho), Epsilon::new(epsilon));
            delta_upper(rho.expect("in range"), epsilon.expect("in range"))
        };
        for rho in [1e-4f64, 0.03, 1.0, 3.0, 9.0, 40.0] {
            let pinsker = (0.5 * rho).sqrt();
            let bretagnolle_huber = (1.0 - (-rho).exp()).sqrt();
            let most = pinsker.min(bretagnolle_huber).min(1.0) * (1.0 + 1e-15);
            assert!(at(rho, 0.0) <= most, "{rho}: {}", at(rho, 0.0));
        }
        assert_eq!(at(0.0, 0.0), 0.0);
        for epsilon in [0.3, 2.0, 50.0] {
            let found = pure_rho_upper(Epsilon::new(epsilon).expect("in range"));
            let truth = 0.5 * epsilon * epsilon;
            assert!(
                found >= truth && found <= truth * (1.0 + 1e-15),
                "{epsilon}: {found}"
            );
        }
    }
}
