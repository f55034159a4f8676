//! Risks whose constants are known without looking at the data.

use crate::problem::Dataset;
use crate::problem::loss::{Huber, Logistic};
use crate::problem::risk::{Margins, PhaseRetrieval, Risk, Shape, Tilted};
use crate::problem::rows::Matrix;
use crate::solver::fit::{FitError, setup};
use crate::units::{feature_bound, positive};
use serde::{Deserialize, Serialize};

/// A risk with its constants.
///
/// ```
/// use dp_assay::solver::fit::kl::{Builtin, Posed};
///
/// let posed = Posed::builtin(Builtin::Quadratic, 100, 2)?; // n = 100, d = 2
/// assert_eq!((posed.risk.records(), posed.risk.dimension()), (100, 2));
/// assert_eq!(posed.loss_bound(2.0), 2.0); // r²/2
/// assert!(Posed::builtin(Builtin::Quadratic, 0, 2).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Posed {
    /// F.
    pub risk: Box<dyn Risk>,
    /// L₀ for every record, whatever it is.
    pub lipschitz: f64,
    /// L₁.
    pub smoothness: f64,
    /// (γ, κ) where F is known to have them.
    pub known: Option<(f64, f64)>,
    /// Norm of the start unless another is asked for.
    pub start: f64,
    /// inf F, where it is known.
    pub minimum: Option<f64>,
    /// The risk, and what was done to the records.
    pub words: String,
    /// F₀ for a start at 0, and whether it holds everywhere.
    at_origin: (f64, bool),
    /// The built-in function, of which F₀ is known exactly.
    shape: Option<Shape>,
}

/// Losses for data files.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// ln(1 + exp(−yu)), two classes.
    Logistic,
    /// (u − y)²/2 up to a residual of `knee`, linear beyond; targets are moved into \[−knee, knee\].
    Squared,
    /// (tanh²u − y)²/4; targets are moved into \[0, 1\].
    PhaseRetrieval,
}

/// Built-in functions of [`Shape`], as the mean of n records that are tilted by ±1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Builtin {
    /// r²/2: κ = 2.
    Quadratic,
    /// r⁴: κ = 4/3.
    Quartic,
    /// r²/2 up to 1/2, then linear: κ = 2.
    Huber,
    /// ln cosh r: κ = 2.
    LogCosh,
    /// r² + 3sin²r, not convex: κ = 2.
    Sine,
    /// (r² − 1)²/4, minimal on the unit sphere, not convex: κ = 2 for r ≥ 1/2.
    Ring,
}

/// Where the built-in functions' constants are taken: ‖w‖ at most this. Algorithm 4's ball about the default start is
/// inside for the quadratic.
const RADIUS: f64 = 6.0;

impl Posed {
    /// A loss on the records of a data set, each brought into the ball of radius `bound`. `knee` is for
    /// [`Loss::Squared`].
    ///
    /// # Errors
    /// If the bound is outside [1e-75, 1e75] or the knee not finite and > 0, a target is not ±1 for logistic loss, or there are more than 10⁹ entries.
    pub fn data(data: &Dataset, loss: Loss, bound: f64, knee: f64) -> Result<Self, FitError> {
        feature_bound(bound)?;
        positive("knee", knee)?;
        setup::kept(data.records() as f64 * data.features() as f64)?;
        let (low, high) = match loss {
            Loss::Logistic => (-1.0, 1.0),
            Loss::Squared => (-knee, knee),
            Loss::PhaseRetrieval => (0.0, 1.0),
        };
        if loss == Loss::Logistic {
            let wrong = |y: &f64| y.abs() != 1.0;
            if let Some(record) = data.targets().iter().position(wrong) {
                let (target, rule) = (data.targets()[record], "must be -1 or +1");
                return Err(FitError::Target {
                    record,
                    target,
                    rule,
                });
            }
        }
        let all = Matrix::of(data);
        let mut values = Vec::with_capacity(all.records() * all.features());
        for (i, length) in all.norms().iter().enumerate() {
            let factor = if *length > bound { bound / length } else { 1.0 };
            values.extend(all.row(i).iter().map(|x| x * factor));
        }
        let targets = data.targets().iter().map(|y| y.clamp(low, high)).collect();
        let records = Matrix::new(all.features(), values, targets)?;
        let square = bound * bound;
        let (risk, slope, smoothness): (Box<dyn Risk>, _, _) = match loss {
            Loss::Logistic => (Box::new(Margins::new(records, Logistic)), 1.0, square / 4.0),
            Loss::Squared => {
                let huber = Huber::new(knee).expect("the knee is finite and > 0");
                (Box::new(Margins::new(records, huber)), knee, square)
            }
            // |∂ℓ/∂u| ≤ 16/(25√5). With z = tanh²u, ∂²ℓ/∂u² = (3z − y − 5z² + 3yz)(1 − z): between −1, at z = 0 and y = 1, and
            // (5z − 1)(1 − z)² < 0.38.
            Loss::PhaseRetrieval => {
                let slope = 16.0 / (25.0 * 5f64.sqrt()) * (1.0 + 1e-15);
                (
                    Box::new(Margins::new(records, PhaseRetrieval)),
                    slope,
                    square,
                )
            }
        };
        // Losses are ≥ 0 and at 0: ln 2; at most knee²/2; phase retrieval is at most 1/4 everywhere, and 0 is a saddle.
        let (at_origin, start) = match loss {
            Loss::Logistic => ((std::f64::consts::LN_2, false), 0.0),
            Loss::Squared => ((0.5 * knee * knee, false), 0.0),
            Loss::PhaseRetrieval => ((0.25, true), 0.5 / bound),
        };
        let what = match loss {
            Loss::Logistic => "logistic loss".to_owned(),
            Loss::Squared => format!(
                "squared loss, linear for residuals beyond {knee}, targets moved into [-{knee}, \
                 {knee}]"
            ),
            Loss::PhaseRetrieval => "(tanh^2 u - y)^2/4, targets moved into [0, 1]".to_owned(),
        };
        Ok(Self {
            risk,
            // Rows end within three roundings of the ball as their norm is computed, which is itself within some d/2 roundings:
            // for many features that is beyond this margin. Limits leave room for it, so that no run ends; the guarantee is
            // of exact arithmetic.
            lipschitz: slope * bound * (1.0 + 4.0 * f64::EPSILON),
            smoothness: smoothness * (1.0 + 8.0 * f64::EPSILON),
            known: None,
            start,
            minimum: None,
            words: format!("{what}; records moved into the ball of radius {bound}"),
            at_origin,
            shape: None,
        })
    }

    /// A built-in function as the mean of n records in d dimensions; its minimum is 0.
    ///
    /// # Errors
    /// If n or d is 0, or n·d above 10⁹.
    pub fn builtin(which: Builtin, n: usize, d: usize) -> Result<Self, FitError> {
        setup::kept(n as f64 * d as f64)?;
        let (shape, inner) = match which {
            Builtin::Quadratic => (Shape::Quadratic { mu: 1.0 }, 0.0),
            Builtin::Quartic => {
                let (scale, tau) = (1.0, 4.0);
                (Shape::Power { scale, tau }, 0.0)
            }
            Builtin::Huber => (Shape::Huber { delta: 0.5 }, 0.0),
            Builtin::LogCosh => (Shape::LogCosh, 0.0),
            Builtin::Sine => (Shape::Sine, 0.0),
            Builtin::Ring => (Shape::Ring, 0.5),
        };
        let known = shape.known(inner, RADIUS)?;
        // ±1 along the first axis, the last of an odd number 0.
        let mut values = vec![0.0; n * d];
        for (i, row) in values.chunks_mut(d.max(1)).enumerate().take(n / 2 * 2) {
            row[0] = if i % 2 == 0 { 1.0 } else { -1.0 };
        }
        let records = Matrix::new(d, values, vec![0.0; n])?;
        let radius = RADIUS;
        let name = format!("{which:?}").to_lowercase();
        Ok(Self {
            risk: Box::new(Tilted {
                shape,
                records,
                radius,
            }),
            lipschitz: known.lipschitz + 1.0,
            smoothness: known.smoothness.expect("the built-in functions are smooth"),
            known: Some((known.gamma, known.kappa)),
            start: 1.5,
            minimum: Some(0.0),
            words: format!("built-in {name} for |w| <= {RADIUS}, records tilted by -1, 0 or 1"),
            at_origin: (0.0, false),
            shape: Some(shape),
        })
    }

    /// F₀ for a start of this norm, whatever the data.
    #[must_use]
    pub fn loss_bound(&self, norm: f64) -> f64 {
        match (self.shape, self.at_origin) {
            (Some(shape), _) => shape.value(&[norm]),
            (None, (value, true)) => value,
            (None, (value, false)) => value + self.lipschitz * norm.abs(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::dataset;

    /// L₀ and L₁ of each loss for records of norm at most 1/2 and 4: slope times bound, curvature times its square.
    #[test]
    fn constants_follow_the_bound() {
        let data = dataset::table(&[[3.0, 4.0], [0.3, -1.0]], vec![1.0, -1.0]);
        for (loss, slope, curvature) in [
            (Loss::Logistic, 1.0, 0.25),
            (Loss::Squared, 3.0, 1.0),
            (Loss::PhaseRetrieval, 0.286_216_7, 1.0),
        ] {
            for bound in [0.5, 4.0] {
                let posed = Posed::data(&data, loss, bound, 3.0).expect("in range");
                let near = |found: f64, truth: f64| (found - truth).abs() < 1e-6 * truth;
                assert!(near(posed.lipschitz, slope * bound), "{loss:?}, {bound}");
                let smooth = curvature * bound * bound;
                assert!(near(posed.smoothness, smooth), "{loss:?}, {bound}");
            }
        }
    }

    /// 0 is a saddle of phase retrieval: the start is off it, by a margin of ½ at most.
    #[test]
    fn margins_are_small_at_the_start() {
        let data = dataset::table(&[[3.0, 4.0], [0.3, -1.0]], vec![1.0, 0.0]);
        for bound in [0.5, 1.0, 4.0] {
            let posed = Posed::data(&data, Loss::PhaseRetrieval, bound, 1.0).expect("in range");
            assert!(
                posed.start > 0.0 && posed.start * bound <= 0.5,
                "{bound}: {}",
                posed.start
            );
        }
    }
}
