//! Gaussian noise, and what is no worse.

use super::{BoxedCurve, Inner, Law, Leaf, Noise, Structure, View};
use crate::accounting::amplification::Known;
use crate::accounting::gaussian::Gaussian;
use crate::accounting::matrix::Strategy;
use crate::accounting::pld::law::GaussianLaw;
use crate::accounting::{AccountError, covariance, gdp, matrix};
use crate::float::product_upper;
#[cfg(feature = "certify")]
use crate::units::Neighbouring;
use crate::units::{Sensitivity, StdDev};
#[cfg(feature = "certify")]
use dp_assay_spec::{
    arith::Interval,
    privacy::{Gdp as CertifiedGdp, batches::Presences, pld::DominatingPair},
};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// σ and Δ.
pub(super) struct Plain(pub(super) f64, pub(super) f64);

/// μ.
pub(super) struct Gdp(pub(super) f64);

/// Rows of Σ, and the shifts.
pub(super) struct Correlated<'a> {
    pub(super) covariance: &'a [Vec<f64>],
    pub(super) shifts: &'a [Vec<f64>],
}

/// σ, C, and how often and how far apart a record takes part.
pub(super) struct Matrix<'a> {
    pub(super) sigma: f64,
    pub(super) strategy: &'a Strategy,
    pub(super) pattern: (u64, u64),
}

/// The noise of a mechanism that is no worse than it.
fn no_worse(above: Gaussian, below: Option<Gaussian>) -> Noise {
    Noise {
        scales: (1.0, above.mu_upper()),
        above,
        below,
    }
}

/// Noise of which the loss has the law of the farthest shift.
fn law(noise: Option<Noise>) -> Option<Law> {
    noise.map(|noise| {
        let (sigma, delta) = noise.scales;
        Arc::new(GaussianLaw { mu: delta / sigma }) as Law
    })
}

impl Leaf for Plain {
    fn structure(&self) -> Structure<'_> {
        Structure::Gaussian
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-gaussian", "decor-aux-simulate"]
    }

    fn noise(&self, reach: f64) -> Result<Option<Noise>, AccountError> {
        let (sigma, delta) = (
            StdDev::new(self.0)?,
            Sensitivity::new(product_upper(reach, self.1))?,
        );
        let noise = Gaussian::new(delta, sigma);
        Ok(Some(Noise {
            scales: (sigma.get(), delta.get()),
            above: noise,
            below: Some(noise),
        }))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        Ok(law(self.noise(reach as f64)?))
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        let (sigma, delta) = (Interval::from_f64(self.0), Interval::from_f64(self.1));
        let gdp = CertifiedGdp::mechanism(&sigma, &delta)?;
        Ok(Some(DominatingPair::Gaussian(gdp)))
    }

    #[cfg(feature = "certify")]
    fn presences(&self) -> Result<Option<Presences>, AccountError> {
        if self.1 <= 0.0 {
            return Ok(None);
        }
        let (sigma, delta) = (Interval::from_f64(self.0), Interval::from_f64(self.1));
        let gdp = CertifiedGdp::mechanism(&sigma, &delta)?;
        Ok(Some(Presences::gaussian(gdp.mu)))
    }

    unknown!(run, known, curve);
}

impl Leaf for Gdp {
    fn structure(&self) -> Structure<'_> {
        Structure::Gdp
    }

    fn is_attained(&self) -> bool {
        true
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-gaussian", "acc-gdp"]
    }

    fn noise(&self, reach: f64) -> Result<Option<Noise>, AccountError> {
        let noise = gdp::mechanism(product_upper(reach, self.0))?;
        Ok(Some(no_worse(noise, Some(noise))))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        Ok(law(self.noise(reach as f64)?))
    }

    #[cfg(feature = "certify")]
    fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
        let gdp = CertifiedGdp::new(Interval::from_f64(self.0))?;
        Ok(Some(DominatingPair::Gaussian(gdp)))
    }

    unknown!(run, known, curve, presences);
}

impl Leaf for Correlated<'_> {
    fn structure(&self) -> Structure<'_> {
        Structure::Gaussian
    }

    fn is_attained(&self) -> bool {
        false
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-gaussian", "decor-aux-simulate"]
    }

    fn noise(&self, reach: f64) -> Result<Option<Noise>, AccountError> {
        let rows = self.covariance.len();
        let square = rows > 0 && self.covariance.iter().all(|r| r.len() == rows);
        let rule = "must form a square matrix";
        AccountError::check(square, "covariance rows", rows as f64, rule)?;
        let matrix = DMatrix::from_fn(rows, rows, |i, j| self.covariance[i][j]);
        let shifts = self.shifts.iter();
        let shifts: Vec<_> = shifts.map(|s| DVector::from_column_slice(s)).collect();
        let mut noise = covariance::mechanism(&matrix, &shifts)?;
        if reach > 1.0 {
            noise = gdp::mechanism(product_upper(reach, noise.mu_upper()))?;
        }
        Ok(Some(no_worse(noise, None)))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        self.group(1)
    }

    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError> {
        Ok(law(self.noise(reach as f64)?))
    }

    unknown!(run, known, curve, pair, presences);
}

impl Leaf for Matrix<'_> {
    fn structure(&self) -> Structure<'_> {
        Structure::Run
    }

    fn is_attained(&self) -> bool {
        false
    }

    fn claims(&self, _: View) -> &'static [&'static str] {
        &["acc-gaussian", "acc-matrix"]
    }

    fn noise(&self, reach: f64) -> Result<Option<Noise>, AccountError> {
        let [below, above] = matrix::mechanisms(self.sigma, self.strategy, self.pattern, reach)?;
        // Whose contribution turns round moves the run by twice as much.
        Ok(Some(no_worse(above, Some(below))))
    }

    fn law(&self) -> Result<Option<Law>, AccountError> {
        Ok(law(self.noise(1.0)?))
    }

    fn run(&self) -> Option<(u64, (u64, u64))> {
        Some((self.strategy.steps() as u64, self.pattern))
    }

    unknown!(known, group, curve, pair, presences);
}
