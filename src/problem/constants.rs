//! Component-wise constants: Lipschitz L_j, smoothness M_j, and clipping thresholds C_j.

use super::dataset::Dataset;
use super::loss::Loss;

/// L_j and M_j of every coordinate (gcd-def-reg).
///
/// The papers treat them as public. Computed from the data, as by [`Constants::of_data`], they are
/// not private; give public values to [`Constants::new`] where that matters.
///
/// ```
/// use dp_assay::problem::loss::Logistic;
/// use dp_assay::problem::{Constants, Dataset};
///
/// let public = Constants::new(vec![1.0, 1.0], vec![1.0, 3.0])?;
/// let thresholds = public.clipping_thresholds(2.0)?;
/// assert_eq!(thresholds[0], 1.0); // 2·√(1/4)
/// assert!((1.7..1.8).contains(&thresholds[1])); // 2·√(3/4)
///
/// let computed = Constants::of_data(&Dataset::breast_cancer(), &Logistic, 0.0)?;
/// assert!(computed.is_data_derived());
/// assert!(!computed.stated_public().is_data_derived());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Constants {
    lipschitz: Vec<f64>,
    smoothness: Vec<f64>,
    data_derived: bool,
}

/// Why numbers are not component-wise constants.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConstantsError {
    /// L_j < 0 or NaN.
    #[error("Lipschitz constant of coordinate {coordinate} is {value}; it must be >= 0")]
    Lipschitz {
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// Its value.
        value: f64,
    },
    /// M_j not positive and finite.
    #[error("smoothness constant of coordinate {coordinate} is {value}; it must be finite and > 0")]
    Smoothness {
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// Its value.
        value: f64,
    },
    /// Another number of coordinates than the data has.
    #[error("constants given for {found} coordinates, expected {expected}")]
    Count {
        /// Number given.
        found: usize,
        /// Number of features.
        expected: usize,
    },
    /// A clipping level that is not positive.
    #[error("clipping level {0} must be finite and > 0")]
    Clipping(f64),
}

impl Constants {
    /// Given constants.
    ///
    /// # Errors
    /// Unless there are as many L_j ≥ 0 (possibly infinite) as M_j > 0.
    pub fn new(lipschitz: Vec<f64>, smoothness: Vec<f64>) -> Result<Self, ConstantsError> {
        if lipschitz.len() != smoothness.len() {
            let (found, expected) = (lipschitz.len(), smoothness.len());
            return Err(ConstantsError::Count { found, expected });
        }
        if let Some(coordinate) = lipschitz.iter().position(|l| l.is_nan() || *l < 0.0) {
            let value = lipschitz[coordinate];
            return Err(ConstantsError::Lipschitz { coordinate, value });
        }
        if let Some(coordinate) = smoothness.iter().position(|m| !(m.is_finite() && *m > 0.0)) {
            let value = smoothness[coordinate];
            return Err(ConstantsError::Smoothness { coordinate, value });
        }
        Ok(Self {
            lipschitz,
            smoothness,
            data_derived: false,
        })
    }

    /// Whether they were computed from the data, and nobody has stated that they are public.
    #[must_use]
    pub const fn is_data_derived(&self) -> bool {
        self.data_derived
    }

    /// The same, with the caller's word that they are public although computed from the data.
    #[must_use]
    pub fn stated_public(self) -> Self {
        Self {
            data_derived: false,
            ..self
        }
    }

    /// The constants of the mean loss over `data` plus (ridge/2)‖w‖²:
    /// L_j = sup|ℓ′| · max_i |x_ij| and M_j = sup ℓ″ · (1/n) Σ_i x_ij² + ridge.
    ///
    /// The ridge is data-independent and does not enter L_j. A coordinate whose M_j would be 0 (a
    /// column of zeros, or a loss without curvature) gets the largest M_k, or 1 if all are 0: the
    /// theory needs M_j > 0, and the largest gives the shortest step. Not private.
    ///
    /// # Errors
    /// If a sum of squares overflows.
    pub fn of_data(data: &Dataset, loss: &dyn Loss, ridge: f64) -> Result<Self, ConstantsError> {
        let columns = || (0..data.features()).map(|j| data.design().column(j));
        let lipschitz = columns()
            .map(|column| match column.max_abs() {
                0.0 => 0.0,
                largest => loss.slope() * largest,
            })
            .collect();
        let per_record = loss.curvature() / data.records() as f64;
        let mut smoothness: Vec<f64> = columns()
            .map(|column| per_record * column.sum_of_squares() + ridge)
            .collect();
        let largest = smoothness.iter().copied().fold(0.0, f64::max);
        for flat in smoothness.iter_mut().filter(|m| **m == 0.0) {
            *flat = if largest > 0.0 { largest } else { 1.0 };
        }
        Ok(Self {
            data_derived: true,
            ..Self::new(lipschitz, smoothness)?
        })
    }

    /// L_j, possibly infinite.
    #[must_use]
    pub fn lipschitz(&self) -> &[f64] {
        &self.lipschitz
    }

    /// M_j.
    #[must_use]
    pub fn smoothness(&self) -> &[f64] {
        &self.smoothness
    }

    /// C_j = C √(M_j / Σ_k M_k), which gives every coordinate the same noise in score units
    /// (gcd-alg-clip).
    ///
    /// # Errors
    /// Unless C is finite and > 0.
    pub fn clipping_thresholds(&self, level: f64) -> Result<Vec<f64>, ConstantsError> {
        if !(level.is_finite() && level > 0.0) {
            return Err(ConstantsError::Clipping(level));
        }
        let trace: f64 = self.smoothness.iter().sum();
        Ok(self
            .smoothness
            .iter()
            .map(|m| level * (m / trace).sqrt())
            .collect())
    }
}
