//! Empirical risks F(w) = (1/n) Σ f(w; x_i) that need not be convex.
//!
//! | type | f(w; x) |
//! |---|---|
//! | [`Margins`] | ℓ(⟨x, w⟩, y) for any [`Loss`](super::Loss), or [`PhaseRetrieval`] |
//! | [`Tilted`] | ψ(w) + ⟨x, w⟩ for a [`Shape`] ψ: records move the gradient, not its differences |
//! | [`Curved`] | ψ(w) + (xh/2)‖w − w₀‖²: records move differences of gradients |
//!
//! ```
//! use dp_assay::problem::risk::Risk;
//!
//! /// The mean of (w - x)²/2 over the numbers x.
//! struct Distances(Vec<f64>);
//!
//! impl Risk for Distances {
//!     fn dimension(&self) -> usize {
//!         1
//!     }
//!     fn records(&self) -> usize {
//!         self.0.len()
//!     }
//!     fn value(&self, w: &[f64]) -> f64 {
//!         self.0.iter().map(|x| (w[0] - x).powi(2) / 2.0).sum::<f64>() / self.0.len() as f64
//!     }
//!     fn gradient(&self, w: &[f64], gradient: &mut [f64]) {
//!         gradient[0] = self.0.iter().map(|x| w[0] - x).sum::<f64>() / self.0.len() as f64;
//!     }
//!     fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]) {
//!         gradient[0] = w[0] - self.0[i];
//!     }
//! }
//!
//! assert!(Distances(vec![0.0, 1.0, 5.0]).gradient_error(&[0.3], 1e-4) < 1e-6);
//! ```

pub mod hard;
mod margins;
mod shape;
mod visit;

pub use margins::{MarginLoss, Margins, PhaseRetrieval};
pub use shape::{Curved, Known, Shape, Tilted, hundred_points};
pub use visit::{Excess, Limits, Visited};

/// The mean of n differentiable losses.
///
/// A user's own loss implements the three sums; [`Risk::gradient_error`] compares them with finite
/// differences.
pub trait Risk: Sync {
    /// d.
    fn dimension(&self) -> usize;

    /// n.
    fn records(&self) -> usize;

    /// F(w).
    fn value(&self, w: &[f64]) -> f64;

    /// ∇F(w) into `gradient`, d entries.
    fn gradient(&self, w: &[f64], gradient: &mut [f64]);

    /// ∇f(w; x_i) into `gradient`, d entries.
    fn record_gradient(&self, i: usize, w: &[f64], gradient: &mut [f64]);

    /// Radius of the ball about 0 on which the constants of the losses hold.
    fn radius(&self) -> f64 {
        f64::INFINITY
    }

    /// ∇F at `at.point` into `at.gradient`, if every record's gradient keeps the limits; `before` is where changes are
    /// measured from, and was visited before. A risk that can do all this in one pass over its records overrides it.
    fn visit(&self, at: &mut Visited, before: Option<&Visited>, limits: Limits) -> Option<Excess> {
        let found = visit::record_by_record(self, &at.point, before.map(|v| &v.point[..]), limits);
        self.gradient(&at.point, &mut at.gradient);
        found
    }

    /// Largest difference, over the coordinates, of the gradient at w and the central difference quotient of step
    /// h: about h² times the third derivative, plus |F|·2⁻⁵²/h of rounding.
    fn gradient_error(&self, w: &[f64], h: f64) -> f64 {
        let mut gradient = vec![0.0; self.dimension()];
        self.gradient(w, &mut gradient);
        let mut moved = w.to_vec();
        let mut worst: f64 = 0.0;
        for (k, g) in gradient.iter().enumerate() {
            moved[k] = w[k] + h;
            let above = self.value(&moved);
            moved[k] = w[k] - h;
            let below = self.value(&moved);
            moved[k] = w[k];
            worst = worst.max(((above - below) / (2.0 * h) - g).abs());
        }
        worst
    }
}
