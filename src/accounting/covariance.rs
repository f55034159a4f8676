//! Gaussian noise with a covariance, and a set of mean shifts: correlated noise as in DECOR.
//!
//! Adding N(0, Σ) to a mean that moves by one of the shifts m ∈ M is the Gaussian mechanism with
//! μ² = max_{m∈M} mᵀΣ⁻¹m. The quadratic form is bounded without trusting the solver: for any y and
//! r = m − Σy, mᵀΣ⁻¹m = yᵀΣy + 2yᵀr + rᵀΣ⁻¹r = yᵀm + yᵀr + rᵀΣ⁻¹r ≤ yᵀm + yᵀr + ‖r‖²/τ when Σ ⪰ τI, which
//! is certified by a floating-point Cholesky factorisation of Σ − cI with c a little above τ (Rump
//! 2006, Theorem 2.3: success proves that Σ − τI is positive definite when c − τ covers the
//! factorisation's rounding, n(n+3)u·max Σᵢᵢ).
//!
//! ```
//! use dp_assay::accounting::covariance::{mahalanobis_upper, mechanism};
//! use nalgebra::{DMatrix, DVector};
//!
//! // Two coordinates of variance 2 with covariance 1, of which one moves by 1: e₁ᵀΣ⁻¹e₁ = ⅔.
//! let covariance = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
//! let shifts = [DVector::from_vec(vec![1.0, 0.0]), DVector::from_vec(vec![0.0, 1.0])];
//! let square = mahalanobis_upper(&covariance, &shifts)?;
//! assert!((0.6666..0.6667).contains(&square));
//! assert!((mechanism(&covariance, &shifts)?.mu() - square.sqrt()).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::AccountError;
use super::gaussian::Gaussian;
use crate::float::{Enclosure, U};
use crate::units::{Sensitivity, StdDev};
use nalgebra::{DMatrix, DVector};

/// Upper bound on max_{m} mᵀΣ⁻¹m over the shifts.
///
/// # Errors
/// Σ not square, not symmetric, not finite, or not certainly positive definite; a shift of another
/// length.
pub fn mahalanobis_upper(
    covariance: &DMatrix<f64>,
    shifts: &[DVector<f64>],
) -> Result<f64, AccountError> {
    let n = covariance.nrows();
    let symmetric = covariance.is_square() && *covariance == covariance.transpose();
    AccountError::check(
        symmetric,
        "covariance rows",
        n as f64,
        "must form a symmetric matrix",
    )?;
    let finite = covariance
        .iter()
        .chain(shifts.iter().flatten())
        .all(|x| x.is_finite());
    AccountError::check(finite, "covariance or shift", f64::NAN, "must be finite")?;
    let floor = least_eigenvalue_lower(covariance)?;
    let factor = covariance.clone().cholesky().ok_or(AccountError::Domain {
        name: "covariance",
        value: floor,
        rule: "must be positive definite",
    })?;
    shifts.iter().try_fold(0.0f64, |worst, shift| {
        AccountError::check(
            shift.len() == n,
            "shift length",
            shift.len() as f64,
            "must equal the covariance's size",
        )?;
        Ok(worst.max(quadratic_upper(
            covariance,
            &factor.solve(shift),
            shift,
            floor,
        )))
    })
}

/// The Gaussian mechanism that the noise and the shifts amount to.
///
/// # Errors
/// As [`mahalanobis_upper`].
pub fn mechanism(
    covariance: &DMatrix<f64>,
    shifts: &[DVector<f64>],
) -> Result<Gaussian, AccountError> {
    let mu = Enclosure::point(mahalanobis_upper(covariance, shifts)?)
        .sqrt()
        .hi;
    Ok(Gaussian::new(Sensitivity::new(mu)?, StdDev::new(1.0)?))
}

/// yᵀm + yᵀr + ‖r‖²/τ, every sum of k products widened by (k+1)u of its absolute terms.
fn quadratic_upper(sigma: &DMatrix<f64>, y: &DVector<f64>, m: &DVector<f64>, floor: f64) -> f64 {
    let n = y.len();
    let slack = 1.01 * U * (n as f64 + 3.0);
    let mut bound = 0.0;
    let mut residual_square = 0.0;
    let mut size = 0.0;
    for i in 0..n {
        let product: f64 = (0..n).map(|j| sigma[(i, j)] * y[j]).sum();
        let terms: f64 = (0..n).map(|j| (sigma[(i, j)] * y[j]).abs()).sum();
        let residual = m[i] - product;
        let error = slack * (terms + m[i].abs());
        bound += y[i] * (m[i] + residual) + y[i].abs() * error;
        size += y[i].abs() * (m[i].abs() + residual.abs() + error);
        residual_square += (residual.abs() + error).powi(2);
    }
    let rest = residual_square / floor * (1.0 + 2.0 * slack);
    (bound + slack * size + rest).next_up().max(0.0)
}

/// τ > 0 with Σ ⪰ τI, by halving c from the smallest diagonal entry until Σ − cI factorises.
fn least_eigenvalue_lower(sigma: &DMatrix<f64>) -> Result<f64, AccountError> {
    let n = sigma.nrows();
    let largest = (0..n).fold(0.0f64, |m, i| m.max(sigma[(i, i)]));
    let smallest = (0..n).fold(f64::INFINITY, |m, i| m.min(sigma[(i, i)]));
    let rounding = 1.1 * (n * (n + 3)) as f64 * U * largest;
    let mut c = 0.5 * smallest;
    while c > 2.0 * rounding {
        let mut shifted = sigma.clone();
        for i in 0..n {
            shifted[(i, i)] = (shifted[(i, i)] - c).next_down();
        }
        if shifted.cholesky().is_some() {
            return Ok(c - rounding);
        }
        c *= 0.5;
    }
    Err(AccountError::Domain {
        name: "covariance",
        value: smallest,
        rule: "must be positive definite beyond rounding (smallest diagonal entry shown)",
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::Rational;

    /// The eigenvalues of [[2, 1], [1, 2]] are 1 and 3.
    #[test]
    fn the_least_eigenvalue_is_not_passed_and_not_missed_by_far() {
        let sigma = DMatrix::from_row_slice(2, 2, &[2.0, 1.0, 1.0, 2.0]);
        let least = least_eigenvalue_lower(&sigma).expect("positive definite");
        assert!((0.25..1.0).contains(&least), "{least}");
    }

    fn matrix(n: usize) -> DMatrix<f64> {
        DMatrix::from_fn(n, n, |i, j| {
            let near = 1.0 / (1.0 + i.abs_diff(j) as f64);
            if i == j { 3.0 + 0.1 * i as f64 } else { near }
        })
    }

    /// A solution that is far off, so that all that it is off by is seen, rounding included.
    #[test]
    fn what_a_bound_is_made_of_is_what_it_was() {
        let mut found = Vec::new();
        for n in [1, 3, 6] {
            let sigma = matrix(n);
            let floor = least_eigenvalue_lower(&sigma).expect("positive definite");
            found.push(floor);
            let shift = DVector::from_fn(n, |i, _| 1.0 - 0.3 * i as f64);
            let rough = DVector::from_fn(n, |i, _| shift[i] / sigma[(i, i)]);
            for moved in [0.0, 1e-9, 0.2] {
                let y = rough.map(|x| x * (1.0 + moved) - moved);
                for floor in [floor, 1e-7] {
                    found.push(quadratic_upper(&sigma, &y, &shift, floor));
                }
            }
        }
        steady::holds(
            &found,
            "1.4999999999999984 0.3333333333333338 0.3333333333333338 0.33333333333333387
         0.33333333337333393 0.38666666666666766 1600000.2800000086 1.499999999999993
         0.4945198719719283 1265916.7692742397 0.4945198703856295 1265916.731185405
         0.6577310768104255 5189514.851016565 1.499999999999977 0.6252739948744842
         1334530.2373043825 0.6252739912011125 1334530.158794068 2.286994574798265
         37043783.24630221",
        );
    }

    /// Whatever is taken for the solution, the form is bounded: in exact arithmetic, of a diagonal
    /// matrix.
    #[test]
    fn a_wrong_solution_bounds_the_form_all_the_same() {
        let exact = |x: f64| Rational::from_f64(x).expect("finite");
        let diagonal = [2.0, 0.3, 1.7, 5e-3];
        let sigma = DMatrix::from_fn(4, 4, |i, j| if i == j { diagonal[i] } else { 0.0 });
        let shift = DVector::from_vec(vec![0.1, -0.7, 0.3, 0.01]);
        let squares = shift.iter().zip(diagonal);
        let truth: Rational = squares.map(|(m, s)| exact(*m).square() / exact(s)).sum();
        let floor = least_eigenvalue_lower(&sigma).expect("positive definite");
        assert!(floor <= 5e-3 && floor > 1e-3, "{floor}");
        for k in 0..400 {
            let off = 1.0 + 1e-17 * 1.1f64.powi(k);
            let y = DVector::from_fn(4, |i, _| {
                shift[i] / diagonal[i] * if i % 2 == 0 { off } else { 1.0 / off }
            });
            let found = quadratic_upper(&sigma, &y, &shift, floor);
            assert!(found >= truth, "{k}: {found}");
            assert!(
                k > 100 || found <= truth.to_f64() * (1.0 + 1e-12),
                "{k}: {found}"
            );
        }
    }
}
