//! The empirical risk minimisation problem F(w) = f(w) + ψ(w) of the papers.

use super::constants::{Constants, ConstantsError};
use super::dataset::Dataset;
use super::design::Dense;
use super::loss::{Huber, Logistic, Loss, LossName, Squared};
use super::regulariser::{Regulariser, RegulariserError};
use crate::mechanism::clipping::clip;
use std::sync::Arc;

/// min over w ∈ ℝᵖ of F(w) = f(w) + ψ(w), with f(w) = (1/n) Σ_i ℓ(x_i·w, y_i) + (ridge/2)‖w‖².
///
/// Cheap to clone. The ridge is part of the smooth f (it enters M_j, its gradient is added after
/// any clipping); ψ is handled by its proximal map.
///
/// ```
/// use dp_assay::problem::loss::Squared;
/// use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser};
///
/// let data = Dataset::new("two", Dense::from_rows(&[[1.0, 0.0], [0.0, 2.0]])?, vec![1.0, -1.0])?;
/// let problem = Problem::new(data, Squared, Regulariser::L1(0.5))?.with_ridge(0.1)?;
/// assert_eq!(problem.margins(&[1.0, -1.0]), [1.0, -2.0]);
/// // Loss (0 + 1/2)/2, ridge 0.05, ψ 0.5.
/// assert!((problem.objective(&[1.0, 0.0]) - 0.8).abs() < 1e-12);
/// assert_eq!(problem.gradient(&[0.0, 0.0]), [-0.5, 1.0]);
/// // Every record's partial derivative within ±0.5, before the mean of the two.
/// assert_eq!(problem.clipped_gradient(&[0.0, 0.0], Some(&[0.5, 0.5])), [-0.25, 0.25]);
/// assert_eq!(problem.block_gradient(&[0.0, 0.0], &[1], 1.0), [0.5]);
/// assert_eq!(problem.accuracy(&[1.0, -1.0]), 1.0);
///
/// let public = Constants::new(vec![1.0, 1.0], vec![1.0, 3.0])?;
/// assert_eq!(problem.with_constants(public)?.constants().smoothness(), [1.0, 3.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Problem {
    data: Arc<Dataset>,
    loss: Arc<dyn Loss>,
    ridge: f64,
    regulariser: Regulariser,
    constants: Constants,
}

/// Four labelled points of the plane under the logistic loss, for examples.
///
/// ```
/// let problem = dp_assay::problem::four_points();
/// assert_eq!((problem.records(), problem.features()), (4, 2));
/// ```
#[must_use]
pub fn four_points() -> Problem {
    let design = Dense::from_rows(&[[1.0, 0.2], [0.3, -1.0], [-0.8, 0.5], [0.4, 0.9]]);
    let data = design.map(|design| Dataset::new("four", design, vec![1.0, -1.0, -1.0, 1.0]));
    let data = data.expect("finite numbers").expect("a target each");
    Problem::new(data, Logistic, Regulariser::None).expect("labels ±1")
}

/// Why data, loss and regulariser do not make a problem.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ProblemError {
    /// A target that the loss does not take.
    #[error("record {row}: target {value} {rule} for the {loss} loss")]
    Target {
        /// The record, counted from 0.
        row: usize,
        /// Its target.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
        /// The loss.
        loss: &'static str,
    },
    /// A bad ridge.
    #[error("ridge {0} must be finite and >= 0")]
    Ridge(f64),
    /// A bad regulariser.
    #[error(transparent)]
    Regulariser(#[from] RegulariserError),
    /// Bad constants.
    #[error(transparent)]
    Constants(#[from] ConstantsError),
}

impl Problem {
    /// The problem without ridge, with the constants of [`Constants::of_data`].
    ///
    /// # Errors
    /// If the loss refuses a target, or the regulariser or the constants are not sound.
    pub fn new(
        data: impl Into<Arc<Dataset>>,
        loss: impl Loss + 'static,
        regulariser: Regulariser,
    ) -> Result<Self, ProblemError> {
        let data = data.into();
        check_targets(&data, &loss)?;
        Ok(Self {
            constants: Constants::of_data(&data, &loss, 0.0)?,
            regulariser: regulariser.check()?,
            loss: Arc::new(loss),
            ridge: 0.0,
            data,
        })
    }

    /// The problem with a loss by its name.
    ///
    /// ```
    /// use dp_assay::problem::loss::LossName;
    /// use dp_assay::problem::{Dataset, Problem, Regulariser};
    ///
    /// let problem = Problem::named(Dataset::breast_cancer(), LossName::Huber, Regulariser::None)?;
    /// assert_eq!(problem.loss().name(), "huber");
    /// let (n, p) = (problem.records(), problem.features());
    /// assert_eq!((n, p), (569, 30));
    /// // The same loss on other data.
    /// assert_eq!(problem.with_data(Dataset::breast_cancer())?.records(), n);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn named(
        data: impl Into<Arc<Dataset>>,
        loss: LossName,
        regulariser: Regulariser,
    ) -> Result<Self, ProblemError> {
        match loss {
            LossName::Logistic => Self::new(data, Logistic, regulariser),
            LossName::Squared => Self::new(data, Squared, regulariser),
            LossName::Huber => {
                let huber = Huber::new(1.0).expect("1 is finite and > 0");
                Self::new(data, huber, regulariser)
            }
        }
    }

    /// The same with (ridge/2)‖w‖² in f; recomputes the constants.
    ///
    /// # Errors
    /// Unless the ridge is finite and ≥ 0.
    pub fn with_ridge(self, ridge: f64) -> Result<Self, ProblemError> {
        if !(ridge.is_finite() && ridge >= 0.0) {
            return Err(ProblemError::Ridge(ridge));
        }
        let constants = Constants::of_data(&self.data, self.loss.as_ref(), ridge)?;
        Ok(Self {
            ridge,
            constants,
            ..self
        })
    }

    /// The same with given constants.
    ///
    /// # Errors
    /// If there is not one per coordinate.
    pub fn with_constants(self, constants: Constants) -> Result<Self, ProblemError> {
        let (found, expected) = (constants.smoothness().len(), self.features());
        if found != expected {
            return Err(ConstantsError::Count { found, expected }.into());
        }
        Ok(Self { constants, ..self })
    }

    /// The same problem on other data of as many features, constants unchanged.
    ///
    /// # Errors
    /// If the number of features differs or the loss refuses a target.
    pub fn with_data(&self, data: impl Into<Arc<Dataset>>) -> Result<Self, ProblemError> {
        let data = data.into();
        check_targets(&data, self.loss())?;
        let constants = self.constants.clone();
        Self {
            data,
            ..self.clone()
        }
        .with_constants(constants)
    }

    /// The data.
    #[must_use]
    pub fn data(&self) -> &Dataset {
        &self.data
    }

    /// The loss.
    #[must_use]
    pub fn loss(&self) -> &dyn Loss {
        self.loss.as_ref()
    }

    /// ν of the ℓ₂ term inside f.
    #[must_use]
    pub const fn ridge(&self) -> f64 {
        self.ridge
    }

    /// ψ, the separable part of the objective F = f + ψ.
    #[must_use]
    pub const fn regulariser(&self) -> Regulariser {
        self.regulariser
    }

    /// L_j and M_j.
    #[must_use]
    pub const fn constants(&self) -> &Constants {
        &self.constants
    }

    /// Number of records n.
    #[must_use]
    pub fn records(&self) -> usize {
        self.data.records()
    }

    /// Number of features p.
    #[must_use]
    pub fn features(&self) -> usize {
        self.data.features()
    }

    /// Margins u = Xw.
    ///
    /// # Panics
    /// If w has more than p entries.
    #[must_use]
    pub fn margins(&self, w: &[f64]) -> Vec<f64> {
        let mut margins = vec![0.0; self.records()];
        for (j, &w) in w.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            self.data.design().add_column(j, w, &mut margins);
        }
        margins
    }

    /// F(w).
    ///
    /// # Panics
    /// If w has more than p entries.
    #[must_use]
    pub fn objective(&self, w: &[f64]) -> f64 {
        self.objective_at(&self.margins(w), w)
    }

    /// F(w) for the margins Xw.
    pub(super) fn objective_at(&self, margins: &[f64], w: &[f64]) -> f64 {
        let losses = margins.iter().zip(self.data.targets());
        let loss: f64 = losses.map(|(&u, &y)| self.loss.value(u, y)).sum();
        let squares: f64 = w.iter().map(|w| w * w).sum();
        let psi: f64 = w.iter().map(|&w| self.regulariser.value(w)).sum();
        loss / self.records() as f64 + 0.5 * self.ridge * squares + psi
    }

    /// ∇f(w), the smooth part's gradient.
    ///
    /// # Panics
    /// If w has not p entries.
    #[must_use]
    pub fn gradient(&self, w: &[f64]) -> Vec<f64> {
        self.clipped_gradient(w, None)
    }

    /// ∇f(w) with every record's partial derivative of the loss moved into \[−C_j, C_j\] before
    /// averaging; the ridge's gradient is added after that (gcd-alg-clip).
    ///
    /// # Panics
    /// If w or the thresholds have not p entries.
    #[must_use]
    pub fn clipped_gradient(&self, w: &[f64], thresholds: Option<&[f64]>) -> Vec<f64> {
        let margins = self.margins(w);
        let mut slopes = vec![0.0; margins.len()];
        self.loss
            .derivatives(&margins, self.data.targets(), &mut slopes);
        let partial = |(j, w): (usize, &f64)| {
            let threshold = thresholds.map_or(f64::INFINITY, |c| c[j]);
            let column = self.data.design().column(j).iter();
            let sum: f64 = column.map(|(i, x)| clip(x * slopes[i], threshold)).sum();
            sum / self.records() as f64 + self.ridge * w
        };
        w.iter().enumerate().map(partial).collect()
    }

    /// The entries of ∇f(w) on `set`, in its order, with every record's gradient of the loss on the set
    /// scaled into the ball of this radius before averaging; the ridge's gradient is added after that.
    ///
    /// # Panics
    /// If w has not p entries or the set holds others.
    #[must_use]
    pub fn block_gradient(&self, w: &[f64], set: &[usize], radius: f64) -> Vec<f64> {
        let margins = self.margins(w);
        let mut slopes = vec![0.0; margins.len()];
        self.loss
            .derivatives(&margins, self.data.targets(), &mut slopes);
        let mut squares = vec![0.0; margins.len()];
        let column = |j| self.data.design().column(j).iter();
        set.iter()
            .flat_map(|&j| column(j))
            .for_each(|(i, x)| squares[i] += x * x);
        for (slope, squares) in slopes.iter_mut().zip(&squares) {
            *slope = clip(*slope, radius / squares.sqrt());
        }
        let entry = |&j: &usize| {
            let sum: f64 = column(j).map(|(i, x)| x * slopes[i]).sum();
            sum / self.records() as f64 + self.ridge * w[j]
        };
        set.iter().map(entry).collect()
    }

    /// Fraction of records whose margin has the sign of their target; a margin of 0 counts as wrong.
    ///
    /// # Panics
    /// If w has more than p entries.
    #[must_use]
    pub fn accuracy(&self, w: &[f64]) -> f64 {
        let margins = self.margins(w);
        let right = margins
            .iter()
            .zip(self.data.targets())
            .filter(|(u, y)| *u * *y > 0.0);
        right.count() as f64 / self.records() as f64
    }
}

fn check_targets(data: &Dataset, loss: &dyn Loss) -> Result<(), ProblemError> {
    for (row, &value) in data.targets().iter().enumerate() {
        if let Some(rule) = loss.refuses(value) {
            let loss = loss.name();
            return Err(ProblemError::Target {
                row,
                value,
                rule,
                loss,
            });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::four_points;

    #[test]
    fn accuracy_is_the_share_of_records_on_their_side() {
        let problem = four_points();
        // Of the labels 1, −1, −1, 1 the first feature has all signs but the second; at 0 no record is on its side.
        for (w, right) in [([1.0, 0.0], 0.75), ([-1.0, 0.0], 0.25), ([0.0, 0.0], 0.0)] {
            assert_eq!(problem.accuracy(&w), right, "{w:?}");
        }
    }
}
