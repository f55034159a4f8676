//! Noise scales, and why there are none.

use crate::accounting::AccountError;

/// Laplace scales λ_j of the release and λ′_j of the selection, in units of the partial derivative.
///
/// ```
/// use dp_assay::solver::gcd::LaplaceScales;
///
/// let scales = LaplaceScales::new(vec![0.5, 1.0], vec![0.2, 0.4])?;
/// assert_eq!((scales.selection()[0], scales.release()[1]), (0.5, 0.4));
/// assert!(LaplaceScales::new(vec![-1.0], vec![1.0]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct LaplaceScales {
    selection: Vec<f64>,
    release: Vec<f64>,
}

impl LaplaceScales {
    /// Given scales; 0 means no noise.
    ///
    /// # Errors
    /// If the lengths differ or a scale is negative or not finite.
    pub fn new(selection: Vec<f64>, release: Vec<f64>) -> Result<Self, CalibrationError> {
        if selection.len() != release.len() {
            let (found, expected) = (release.len(), selection.len());
            return Err(CalibrationError::Count { found, expected });
        }
        for scales in [&selection, &release] {
            let bad = |b: &f64| !(b.is_finite() && *b >= 0.0);
            if let Some(coordinate) = scales.iter().position(bad) {
                let scale = scales[coordinate];
                return Err(CalibrationError::Scale { coordinate, scale });
            }
        }
        Ok(Self { selection, release })
    }

    /// No noise at all, for p coordinates: not private.
    #[must_use]
    pub fn none(coordinates: usize) -> Self {
        Self {
            selection: vec![0.0; coordinates],
            release: vec![0.0; coordinates],
        }
    }

    /// λ′_j.
    #[must_use]
    pub fn selection(&self) -> &[f64] {
        &self.selection
    }

    /// λ_j.
    #[must_use]
    pub fn release(&self) -> &[f64] {
        &self.release
    }
}

/// Why there are no scales, or why those there are have no guarantee.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// ε outside the calibration's domain.
    #[error("epsilon = {epsilon} must be > 0{}", crate::units::limited(.limit))]
    Epsilon {
        /// The value.
        epsilon: f64,
        /// The largest value covered.
        limit: f64,
    },
    /// δ outside (0, 1).
    #[error("delta = {0} must lie strictly between 0 and 1")]
    Delta(f64),
    /// T = 0.
    #[error("T = 0 iterations; at least 1 is needed")]
    Iterations,
    /// A coordinate without a finite sensitivity.
    #[error(
        "coordinate {coordinate} has sensitivity {sensitivity}: the {loss} loss needs clipping"
    )]
    Unbounded {
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// Its sensitivity.
        sensitivity: f64,
        /// The loss.
        loss: &'static str,
    },
    /// Vectors of different lengths.
    #[error("{found} values given for {expected} coordinates")]
    Count {
        /// Number given.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// A scale that is no scale.
    #[error("noise scale {scale} of coordinate {coordinate} must be finite and >= 0")]
    Scale {
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// The scale.
        scale: f64,
    },
    /// A coordinate that moves between neighbours and is released as it is.
    #[error("the release of coordinate {0} has no noise")]
    Silent(usize),
    /// A selection that no claim covers.
    #[error("no claim covers the selection: {0}")]
    Uncovered(&'static str),
    /// Constants computed from the data.
    #[error(
        "the smoothness and Lipschitz constants were computed from the data: step sizes, scores \
         and noise would reveal them. Give constants known without the data, or state that these \
         are public"
    )]
    DataDerived,
    /// The accountant has no answer.
    #[error(transparent)]
    Account(#[from] AccountError),
}
