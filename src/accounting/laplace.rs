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
    use crate::accounting::steady;

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

    #[test]
    fn ends_are_what_they_were() {
        let mut found = Vec::new();
        for (reach, scale) in [(1.0, 3.0), (0.7, 0.1), (5.0, 1e-3), (0.0, 1.0)] {
            let sensitivity = Sensitivity::new(reach).expect("in range");
            let noise = Laplace::new(sensitivity, Scale::new(scale).expect("in range"));
            found.extend([noise.pure.lo, noise.pure.hi]);
            found.extend([1.001, 2.0, 50.0].map(|alpha| noise.rdp_upper(alpha)));
            for epsilon in [0.0, 0.1, 3.0] {
                let delta = noise.delta(Epsilon::new(epsilon).expect("in range"));
                found.extend([delta.lo, delta.hi]);
            }
            for (epsilon, delta) in [(0.5, 0.0), (0.0, 0.1), (2.0, 1e-9)] {
                let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(delta));
                let (epsilon, delta) = (epsilon.expect("in range"), delta.expect("a delta"));
                let found_scale = calibrate_scale(sensitivity, epsilon, delta).expect("in range");
                found.extend([found_scale.lo, found_scale.hi]);
            }
        }
        steady::holds(
            &found,
            "0.33333333333333326 0.33333333333333337 0.04991371493319669 0.09671584872347576
         0.319392581400549 0.1535182751093857 0.15351827510938612 0.11011822901197604
         0.1101182290119763 0.0 0.0 1.9999999999999998 2.0000000000000004 4.745610790514947
         4.745610790514956 0.4999999994999998 0.4999999995000001 6.999999999999998 7.0
         6.002395976268502 6.594534892270966 6.986059248067217 0.9698026165776806
         0.9698026165776823 0.9682543636219312 0.9682543636219328 0.8646647167633864
         0.8646647167633881 1.3999999999999997 1.4000000000000001 3.3219275533604624
         3.3219275533604686 0.34999999964999984 0.34999999965000006 4999.999999999999
         5000.000000000001 4999.001497670413 4999.594534891894 4999.986059248069
         0.9999999999999992 1.0 0.9999999999999992 1.0 0.9999999999999992 1.0
         9.999999999999998 10.000000000000002 23.728053952574733 23.72805395257478
         2.499999997499999 2.4999999975000007 0.0 0.0 0.0 0.0 0.0 0.0 1e-323 0.0 0.0 0.0 0.0
         0.0 0.0 0.0 0.0 0.0 0.0",
        );
    }

    /// Noise of the scale that is found has the ε that was asked for, and what has none is refused.
    #[test]
    fn a_scale_gives_the_epsilon_that_it_was_found_for() {
        let of = |epsilon: f64, delta: f64| {
            let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(delta));
            let one = Sensitivity::new(1.0).expect("in range");
            calibrate_scale(one, epsilon.expect("in range"), delta.expect("a delta"))
        };
        for (epsilon, delta) in [(0.5, 0.0), (0.0, 0.1), (2.0, 1e-9), (1.0, 0.9)] {
            let scale = of(epsilon, delta).expect("in range");
            for (scale, enough) in [(scale.hi, true), (0.999 * scale.lo, false)] {
                let one = Sensitivity::new(1.0).expect("in range");
                let noise = Laplace::new(one, Scale::new(scale).expect("in range"));
                let found = noise.epsilon(Delta::new(delta).expect("a delta"));
                assert_eq!(found.lo <= epsilon, enough, "{epsilon}, {delta}: {found:?}");
            }
        }
        for (epsilon, delta, name) in [(0.0, 0.0, "epsilon"), (1.0, 1.0, "delta")] {
            assert!(
                of(epsilon, delta)
                    .expect_err("refused")
                    .to_string()
                    .contains(name)
            );
        }
    }
}
