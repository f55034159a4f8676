//! The Laplace mechanism, exactly.
//!
//! With ε₀ = Δ/b (Δ the ℓ₁ sensitivity, b the scale) the privacy loss lies in [−ε₀, ε₀] and
//!
//! δ(ε) = max(0, 1 − e^{(ε−ε₀)/2}) for ε ≥ 0 (Balle, Barthe and Gaboardi 2018, Theorem 3),
//!
//! D_α = ln(α/(2α−1)·e^{(α−1)ε₀} + (α−1)/(2α−1)·e^{−αε₀})/(α−1) (Mironov 2017, Proposition 6),
//!
//! which for vectors of ℓ₁ sensitivity Δ remains an upper bound, attained when one coordinate moves.

use super::AccountError;
use crate::float::Enclosure;
use crate::units::{Delta, Epsilon, Scale, Sensitivity};

/// A Laplace mechanism, given by ε₀ = Δ/b.
///
/// ```
/// use dp_assay::accounting::laplace::Laplace;
/// use dp_assay::units::{Delta, Epsilon, Scale, Sensitivity};
///
/// // Scale 2 on a sensitivity of 1: ε₀ = ½ nat, beyond which nothing is left.
/// let noise = Laplace::new(Sensitivity::new(1.0)?, Scale::new(2.0)?);
/// assert!(noise.pure.contains(0.5));
/// assert!(noise.delta(Epsilon::new(0.6)?).hi < 1e-12);
/// // A δ of 1 % lowers ε by 2·ln(1/0.99) = 0.02 nats.
/// assert!((0.47..0.49).contains(&noise.epsilon(Delta::new(0.01)?).hi));
/// assert!((0.19..0.21).contains(&noise.rdp_upper(2.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Laplace {
    /// Encloses Δ/b.
    pub pure: Enclosure,
}

impl Laplace {
    /// The mechanism that adds Laplace noise of scale b to a value of ℓ₁ sensitivity Δ.
    #[must_use]
    pub fn new(sensitivity: Sensitivity, scale: Scale) -> Self {
        let pure = Enclosure::point(sensitivity.get()) / Enclosure::point(scale.get());
        Self {
            pure: pure.clamp(0.0, f64::INFINITY),
        }
    }

    /// Encloses δ(ε) = max(0, 1 − e^{(ε−ε₀)/2}), ε ≥ 0; the upper end is the safe one.
    #[must_use]
    pub fn delta(&self, epsilon: Epsilon) -> Enclosure {
        let exponent = (epsilon.get() - self.pure) * 0.5;
        (-exponent.exp_m1()).clamp(0.0, 1.0)
    }

    /// Encloses the least ε ≥ 0 with δ(ε) ≤ δ: max(0, ε₀ + 2·ln(1 − δ)).
    #[must_use]
    pub fn epsilon(&self, delta: Delta) -> Enclosure {
        if delta.get() == 1.0 {
            return Enclosure::point(0.0);
        }
        if delta.get() == 0.0 {
            return self.pure;
        }
        let gain = 2.0 * (-Enclosure::point(delta.get())).ln_1p();
        (self.pure + gain).clamp(0.0, f64::INFINITY)
    }

    /// Upper bound in nats on the Rényi divergence of order α > 1 (Mironov 2017, Proposition 6, rounded up); never
    /// above ε₀.
    #[must_use]
    pub fn rdp_upper(&self, alpha: f64) -> f64 {
        let (a, e) = (Enclosure::point(alpha), self.pure);
        let (less, twice) = (a - 1.0, 2.0 * a - 1.0);
        // The larger exponential is factored out, so that nothing overflows.
        let inside = a / twice + less / twice * (-(twice * e)).exp();
        let value = e + inside.ln() / less;
        value.hi.min(e.hi).max(0.0)
    }
}

/// Encloses the scale at which δ(ε) = δ: Δ/(ε − 2·ln(1 − δ)). The upper end suffices.
///
/// ```
/// use dp_assay::accounting::laplace::calibrate_scale;
/// use dp_assay::units::{Delta, Epsilon, Sensitivity};
///
/// // ε = ½ nat without any δ: Δ/ε = 2.
/// let (sensitivity, none) = (Sensitivity::new(1.0)?, Delta::new(0.0)?);
/// assert!(calibrate_scale(sensitivity, Epsilon::new(0.5)?, none)?.contains(2.0));
/// assert!(calibrate_scale(sensitivity, Epsilon::new(0.0)?, none).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// ε = δ = 0 needs infinite noise; δ = 1 needs none.
pub fn calibrate_scale(
    sensitivity: Sensitivity,
    epsilon: Epsilon,
    delta: Delta,
) -> Result<Enclosure, AccountError> {
    let (e, d) = (epsilon.get(), delta.get());
    AccountError::check(d < 1.0, "delta", d, "must be < 1 to calibrate noise")?;
    AccountError::check(
        e > 0.0 || d > 0.0,
        "epsilon",
        e,
        "must be > 0 when delta = 0",
    )?;
    let pure = if d == 0.0 {
        Enclosure::point(e)
    } else {
        e - 2.0 * (-Enclosure::point(d)).ln_1p()
    };
    Ok(Enclosure::point(sensitivity.get()) / pure)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// δ is met at the ε that is said of it, and missed just below.
    #[test]
    fn the_epsilon_of_a_delta_has_that_delta() {
        let noise = Laplace::new(
            Sensitivity::new(1.5).expect("in range"),
            Scale::new(0.5).expect("in range"),
        );
        for delta in [1e-300, 1e-9, 0.1, 0.5, 0.7] {
            let found = noise.epsilon(Delta::new(delta).expect("a delta"));
            assert!(found.width() < 1e-14, "{delta}: {found:?}");
            let at = |epsilon: f64| noise.delta(Epsilon::new(epsilon).expect("in range"));
            assert!(at(found.hi).lo <= delta, "{delta}: {found:?}");
            assert!(at(found.lo - 1e-9).lo > delta, "{delta}: {found:?}");
        }
        for (delta, epsilon) in [(0.0, 3.0), (0.9, 0.0), (1.0, 0.0)] {
            let found = noise.epsilon(Delta::new(delta).expect("a delta"));
            assert!(
                found.contains(epsilon) && found.width() < 1e-14,
                "{delta}: {found:?}"
            );
        }
    }
}
