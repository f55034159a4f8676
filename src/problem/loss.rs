//! Losses ℓ(u, y) of the margin u = x·w and the target y, convex in u.
//!
//! ```
//! use dp_assay::problem::loss::{Huber, Linear, Logistic, Loss, LossName, Squared};
//!
//! assert!((Logistic.value(0.0, 1.0) - 2_f64.ln()).abs() < 1e-12);
//! assert_eq!(Squared.derivative(3.0, 1.0), 2.0);
//! assert_eq!(Linear.derivative(3.0, 1.0), 1.0);
//! // A residual of 3 with knee 1: 1/2 up to the knee, then slope 1 for 2 more.
//! let huber = Huber::new(1.0).expect("1 is finite and > 0");
//! assert_eq!((huber.value(3.0, 0.0), huber.slope()), (2.5, 1.0));
//! // The logistic loss takes -1 and +1 only.
//! assert!(Logistic.refuses(0.0).is_some());
//! assert_eq!(serde_json::to_string(&LossName::Huber)?, "\"huber\"");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use serde::{Deserialize, Serialize};
use std::fmt::Debug;

/// A convex loss of one record. The gradient of record (x, y) is ℓ′(x·w, y) x.
pub trait Loss: Debug + Send + Sync {
    /// Its name in reports.
    fn name(&self) -> &'static str;

    /// ℓ(u, y).
    fn value(&self, margin: f64, target: f64) -> f64;

    /// ℓ′(u, y) = ∂ℓ/∂u.
    fn derivative(&self, margin: f64, target: f64) -> f64;

    /// sup |ℓ′|; infinite for a loss that is not Lipschitz.
    fn slope(&self) -> f64;

    /// sup ℓ″.
    fn curvature(&self) -> f64;

    /// ℓ″(u, y), where it exists.
    fn second_derivative(&self, margin: f64, target: f64) -> f64;

    /// Whether ℓ″ is the constant [`Loss::curvature`]: then gradients move linearly.
    fn is_quadratic(&self) -> bool {
        false
    }

    /// inf ℓ over all margins and targets.
    fn infimum(&self) -> f64 {
        0.0
    }

    /// The rule that `target` breaks, if any.
    fn refuses(&self, target: f64) -> Option<&'static str> {
        let _ = target;
        None
    }

    /// ℓ′ of many records: one virtual call instead of n.
    fn derivatives(&self, margins: &[f64], targets: &[f64], out: &mut [f64]) {
        for ((out, &u), &y) in out.iter_mut().zip(margins).zip(targets) {
            *out = self.derivative(u, y);
        }
    }
}

/// ln(1 + exp(−yu)), y = ±1.
#[derive(Clone, Copy, Debug)]
pub struct Logistic;

impl Loss for Logistic {
    fn name(&self) -> &'static str {
        "logistic"
    }

    fn value(&self, margin: f64, target: f64) -> f64 {
        let z = -target * margin;
        // ln(1 + eᶻ) = max(z, 0) + ln(1 + e^−|z|): no overflow, no cancellation.
        z.max(0.0) + (-z.abs()).exp().ln_1p()
    }

    fn derivative(&self, margin: f64, target: f64) -> f64 {
        -target / (1.0 + (target * margin).exp())
    }

    fn slope(&self) -> f64 {
        1.0
    }

    fn curvature(&self) -> f64 {
        0.25
    }

    fn second_derivative(&self, margin: f64, _target: f64) -> f64 {
        let decay = (-margin.abs()).exp();
        decay / ((1.0 + decay) * (1.0 + decay))
    }

    fn refuses(&self, target: f64) -> Option<&'static str> {
        (target.abs() != 1.0).then_some("must be -1 or +1")
    }
}

/// (u − y)²/2.
#[derive(Clone, Copy, Debug)]
pub struct Squared;

impl Loss for Squared {
    fn name(&self) -> &'static str {
        "squared"
    }

    fn value(&self, margin: f64, target: f64) -> f64 {
        0.5 * (margin - target) * (margin - target)
    }

    fn derivative(&self, margin: f64, target: f64) -> f64 {
        margin - target
    }

    fn slope(&self) -> f64 {
        f64::INFINITY
    }

    fn curvature(&self) -> f64 {
        1.0
    }

    fn second_derivative(&self, _margin: f64, _target: f64) -> f64 {
        1.0
    }

    fn is_quadratic(&self) -> bool {
        true
    }
}

/// u itself: the gradient is the mean record whatever w, the worst case of the audits.
#[derive(Clone, Copy, Debug)]
pub struct Linear;

impl Loss for Linear {
    fn name(&self) -> &'static str {
        "linear"
    }

    fn value(&self, margin: f64, _target: f64) -> f64 {
        margin
    }

    fn infimum(&self) -> f64 {
        f64::NEG_INFINITY
    }

    fn derivative(&self, _margin: f64, _target: f64) -> f64 {
        1.0
    }

    fn slope(&self) -> f64 {
        1.0
    }

    fn curvature(&self) -> f64 {
        0.0
    }

    fn second_derivative(&self, _margin: f64, _target: f64) -> f64 {
        0.0
    }

    fn is_quadratic(&self) -> bool {
        true
    }
}

/// Huber's loss of the residual r = u − y: r²/2 up to |r| = `knee`, then linear.
#[derive(Clone, Copy, Debug)]
pub struct Huber {
    knee: f64,
}

impl Huber {
    /// The loss with slope bound `knee`; `None` unless it is finite and > 0.
    #[must_use]
    pub fn new(knee: f64) -> Option<Self> {
        (knee.is_finite() && knee > 0.0).then_some(Self { knee })
    }
}

impl Loss for Huber {
    fn name(&self) -> &'static str {
        "huber"
    }

    fn value(&self, margin: f64, target: f64) -> f64 {
        let r = (margin - target).abs();
        let quadratic = r.min(self.knee);
        quadratic * (r - 0.5 * quadratic)
    }

    fn derivative(&self, margin: f64, target: f64) -> f64 {
        (margin - target).min(self.knee).max(-self.knee)
    }

    fn slope(&self) -> f64 {
        self.knee
    }

    fn curvature(&self) -> f64 {
        1.0
    }

    fn second_derivative(&self, margin: f64, target: f64) -> f64 {
        f64::from((margin - target).abs() < self.knee)
    }
}

/// The losses by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LossName {
    /// ln(1 + exp(−yu)), two classes.
    Logistic,
    /// (u − y)²/2.
    Squared,
    /// Huber's, knee 1.
    Huber,
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Second derivatives are the slopes of first ones, and numbers however far from 0 the margin is.
    #[test]
    fn second_derivatives_are_finite_and_the_slopes_of_first_ones() {
        let huber = Huber::new(1.0).expect("positive");
        let losses: [&dyn Loss; 4] = [&Logistic, &Squared, &Linear, &huber];
        for loss in losses {
            for margin in [-1000.0, -3.0, 0.25, 2.5, 1000.0] {
                let h = 1e-5;
                let slope = loss.derivative(margin + h, 1.0) - loss.derivative(margin - h, 1.0);
                let found = loss.second_derivative(margin, 1.0);
                // Of third order are 10⁻¹⁰; rounding is 10⁻¹⁶·1000/10⁻⁵ at most.
                assert!(
                    (found - slope / (2.0 * h)).abs() < 1e-7,
                    "{}: {margin}, {found}",
                    loss.name()
                );
            }
        }
    }
}
