//! The Gaussian mechanism, exactly.
//!
//! A query of sensitivity Δ released with noise N(0, σ²) is as private as telling N(0, 1) from
//! N(μ, 1), μ = Δ/σ (Dong, Roth and Su 2022). Balle and Wang 2018, Theorem 8:
//!
//! ```text
//! δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ),
//! ```
//!
//! for every real ε, the same in both orders.

use super::error::{PrivacyError, require};
use super::notion::{Profile, RenyiCurve, Zcdp, require_delta};
use super::solve;
use crate::arith::normal::upper_tail;
use crate::arith::{Interval, Rational};
use rug::Float;

/// μ-Gaussian differential privacy; also the Gaussian mechanism with Δ/σ = μ.
#[derive(Clone, Debug, PartialEq)]
pub struct Gdp {
    /// Separation μ ≥ 0 of the two unit normals.
    pub mu: Interval,
}

impl Gdp {
    /// μ-GDP.
    ///
    /// # Errors
    /// When μ < 0.
    pub fn new(mu: Interval) -> Result<Self, PrivacyError> {
        require(*mu.lo() >= 0, "mu", &mu, "must be >= 0")?;
        Ok(Self { mu })
    }

    /// The Gaussian mechanism with noise standard deviation `sigma` on a query of ℓ₂ sensitivity
    /// `sensitivity`, in the same units.
    ///
    /// # Errors
    /// When `sigma` ≤ 0 or `sensitivity` < 0.
    pub fn mechanism(sigma: &Interval, sensitivity: &Interval) -> Result<Self, PrivacyError> {
        require(*sigma.lo() > 0, "sigma", sigma, "must be > 0")?;
        Self::new(sensitivity / sigma)
    }

    /// Noise N(0, Σ) on a query that moves by one of the vectors `shifts` between neighbours:
    /// μ = max over h of √(hᵀ Σ⁻¹ h), which is attained by one projection of the output.
    ///
    /// # Errors
    /// When Σ is not a symmetric positive definite matrix of the shifts' size.
    pub fn covariance(
        covariance: &[Vec<Rational>],
        shifts: &[Vec<Rational>],
    ) -> Result<Self, PrivacyError> {
        let squares: Result<Vec<_>, _> = shifts
            .iter()
            .map(|h| mahalanobis_square(covariance, h))
            .collect();
        let worst = squares?.into_iter().max().unwrap_or_default();
        Self::new(Interval::from_rational(&worst).sqrt())
    }

    /// The largest μ whose mechanism is (ε, δ)-DP: profile and GDP convert both ways.
    ///
    /// # Errors
    /// When ε < 0 or δ is not in (0, 1).
    pub fn largest(epsilon: &Interval, delta: &Interval) -> Result<Self, PrivacyError> {
        // δ(ε) grows with μ, so inf { 1/μ : … } is a first-at-most problem in 1/μ.
        Self::new(&Interval::from(1) / &Self::least_sigma(epsilon, delta)?)
    }

    /// The least noise multiplier σ/Δ that gives (ε, δ)-DP (Balle and Wang 2018, Algorithm 1,
    /// solved by certified bisection).
    ///
    /// # Errors
    /// When ε < 0 or δ is not in (0, 1).
    pub fn least_sigma(epsilon: &Interval, delta: &Interval) -> Result<Interval, PrivacyError> {
        require(*epsilon.lo() >= 0, "epsilon", epsilon, "must be >= 0")?;
        require_delta(delta)?;
        require(
            *delta.lo() > 0 && *delta.hi() < 1,
            "delta",
            delta,
            "must lie in (0, 1)",
        )?;
        let at = |sigma: &Interval| {
            if sigma.lo().is_zero() {
                return Interval::from(1);
            }
            delta_at(&(&Interval::from(1) / sigma), epsilon)
        };
        solve::first_at_most(at, delta, "sigma from epsilon and delta")
    }
}

impl Profile for Gdp {
    /// δ grows with μ and falls with ε: either end is that of one corner.
    fn delta(&self, epsilon: &Interval) -> Interval {
        let corner = |mu: &Float, e: &Float| {
            delta_at(&Interval::point(mu.clone()), &Interval::point(e.clone()))
        };
        let (mu, e) = (&self.mu, epsilon);
        let least = corner(mu.lo(), e.hi());
        if mu.lo() == mu.hi() && e.lo() == e.hi() {
            return least;
        }
        let most = corner(mu.hi(), e.lo());
        Interval::new(least.lo().clone(), most.hi().clone())
    }
}

/// D_α = α μ²/2 for every order (Mironov 2017, Proposition 7).
impl RenyiCurve for Gdp {
    fn rdp(&self, alpha: &Interval) -> Interval {
        Zcdp::from(self).rdp(alpha)
    }
}

/// μ-GDP is (μ²/2)-zCDP (the Gaussian mechanism's own curve).
impl From<&Gdp> for Zcdp {
    fn from(gdp: &Gdp) -> Self {
        Self {
            rho: &gdp.mu.square() * &Interval::from_f64(0.5),
        }
    }
}

/// δ(ε) at μ; both are points up to rounding.
fn delta_at(mu: &Interval, epsilon: &Interval) -> Interval {
    let zero = Interval::from(0);
    if mu.hi().is_zero() {
        return (-&epsilon.exp_m1()).max(&zero);
    }
    let half = mu * &Interval::from_f64(0.5);
    let ratio = epsilon / mu;
    let kept = upper_tail(&(&ratio - &half));
    let lost = upper_tail(&(&ratio + &half));
    let delta = &kept - &(&epsilon.exp() * &lost);
    delta.max(&zero).min(&Interval::from(1))
}

/// hᵀ Σ⁻¹ h, exactly: with Σ = L D Lᵀ it is Σ_k (L⁻¹h)_k² / D_k, and Σ is positive definite exactly
/// when every pivot D_k is positive.
fn mahalanobis_square(
    covariance: &[Vec<Rational>],
    shift: &[Rational],
) -> Result<Rational, PrivacyError> {
    let n = shift.len();
    let square = covariance.len() == n && covariance.iter().all(|row| row.len() == n);
    if !square {
        let found = covariance.iter().map(Vec::len).chain([n]).collect();
        let what = "the rows of the covariance and the shift";
        return Err(PrivacyError::Lengths { what, found });
    }
    let symmetric = (0..n).all(|i| (0..i).all(|j| covariance[i][j] == covariance[j][i]));
    require(symmetric, "covariance", &"matrix", "must be symmetric")?;
    let mut rows = covariance.to_vec();
    let mut rest = shift.to_vec();
    let mut total = Rational::new();
    for k in 0..n {
        let pivot = rows[k][k].clone();
        require(pivot > 0, "covariance pivot", &pivot, "must be > 0")?;
        let row = rows[k].clone();
        let lead = rest[k].clone();
        total += Rational::from(&lead * &lead) / &pivot;
        for i in k + 1..n {
            let factor = Rational::from(&row[i] / &pivot);
            rest[i] -= Rational::from(&factor * &lead);
            for (entry, above) in rows[i][k + 1..].iter_mut().zip(&row[k + 1..]) {
                *entry -= Rational::from(&factor * above);
            }
        }
    }
    Ok(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever tells nothing apart is still wrong about the whole event.
    #[test]
    fn no_separation_has_the_profile_of_equal_laws() {
        let none = Gdp::new(Interval::from(0)).expect("in range");
        let at = |e: f64| none.delta(&Interval::from_f64(e));
        assert_eq!([at(0.0), at(2.0)], [0, 0].map(Interval::from));
        assert!((at(-1.0).hi_f64() - (1.0 - (-1f64).exp())).abs() < 1e-15);
        assert!(Gdp::new(Interval::from_f64(-0.5)).is_err());
        let one = Interval::from(1);
        for (sigma, told) in [
            (0.0, "sigma = [0.0, 0.0] must be > 0"),
            (-1.0, "sigma = [-1.0, -1.0] must be > 0"),
        ] {
            let error = Gdp::mechanism(&Interval::from_f64(sigma), &one).expect_err("no noise");
            assert_eq!(error.to_string(), told);
        }
        for delta in [0.0, 1.0] {
            let error = Gdp::least_sigma(&one, &Interval::from_f64(delta)).expect_err("an end");
            assert!(error.to_string().ends_with("must lie in (0, 1)"), "{error}");
        }
        for (epsilon, delta) in [(-0.5, 0.5), (1.0, 1.5), (1.0, -0.5)] {
            let [e, d] = [epsilon, delta].map(Interval::from_f64);
            assert!(Gdp::least_sigma(&e, &d).is_err(), "{epsilon}, {delta}");
        }
    }

    /// Of a rectangle of μ and ε the ends are those at all of its corners.
    #[test]
    fn two_corners_have_the_ends_of_all() {
        let bands = |ends: [f64; 3], width: f64| ends.map(|x| Interval::between(x, x + width));
        for width in [0.0, 0.25] {
            for mu in bands([0.0, 0.5, 4.0], width) {
                for e in bands([-3.0, 0.0, 1.5], width)
                    .iter()
                    .chain(&bands([-0.125, 0.7, 6.0], 0.0))
                {
                    let all =
                        solve::increasing(&mu, |mu| solve::decreasing(e, |e| delta_at(mu, e)));
                    let gdp = Gdp { mu: mu.clone() };
                    assert_eq!(gdp.delta(e), all, "{mu}, {e}");
                }
            }
        }
    }

    /// Noise that lacks in a direction tells all that moves in it.
    #[test]
    fn noise_of_less_than_full_rank_is_refused() {
        let row = |x: i64, y: i64| vec![Rational::from(x), Rational::from(y)];
        let of = |rows: &[Vec<Rational>]| Gdp::covariance(rows, &[row(1, 0)]);
        assert!(of(&[row(1, 1), row(1, 1)]).is_err());
        assert!(of(&[row(0, 0), row(0, 1)]).is_err());
        assert!(of(&[row(2, 1), row(1, 1)]).is_ok());
        // By Cramer's rule.
        let square = [[4, 2, 1], [2, 3, 1], [1, 1, 2]].map(|r| r.map(Rational::from).to_vec());
        let shift = [3, -2, 5].map(Rational::from);
        let found = mahalanobis_square(&square, &shift).expect("positive definite");
        assert_eq!(found, Rational::from((319, 13)));
    }
}
