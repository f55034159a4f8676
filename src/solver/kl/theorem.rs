//! The corrected Theorem 5 as a number: how small the gradient is at the point that adaptive descent draws.
//!
//! Double precision, not rounded outwards: a bound may be off in its last digits.

/// What the bound needs. The algorithm itself is told neither F₀ nor that there is a bound.
///
/// ```
/// use dp_assay::solver::kl::theorem::Stationary;
///
/// // Logistic loss on records of norm at most 1 in 10 dimensions, from w₀ = 0.
/// let known = Stationary {
///     scale: 1e5, dimension: 10.0, lipschitz: 1.0, smoothness: 0.25, loss_bound: 2f64.ln(), beta: 0.01,
/// };
/// let bound = known.bound().expect("n√ρ is at least 8");
/// assert!((0.01..0.5).contains(&bound)); // at w₀ it may be 1/2
/// assert!(Stationary { scale: 7.0, ..known }.bound().is_none());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stationary {
    /// n√ρ, ρ the budget of Algorithm 3 without the draw.
    pub scale: f64,
    /// d.
    pub dimension: f64,
    /// L₀.
    pub lipschitz: f64,
    /// L₁.
    pub smoothness: f64,
    /// F₀ ≥ F(w₀) − inf F.
    pub loss_bound: f64,
    /// β in (0, 1): the bound fails with probability 2β at most.
    pub beta: f64,
}

impl Stationary {
    /// `kl-thm-5-corrected`: ‖∇F(w_{t*})‖ is at most this but for probability 2β; `None` where n√ρ is below 8.
    #[must_use]
    pub fn bound(&self) -> Option<f64> {
        let y = self.scale;
        if y.is_nan() || y < 8.0 {
            return None;
        }
        //= kl-thm-5-corrected
        let log = (y / self.beta).ln();
        let b = self.lipschitz * (log / y).sqrt();
        let a = 2.0 * (self.dimension.sqrt() + (2.0 * log).sqrt()) * self.lipschitz / y;
        let product = 128.0 / 3.0 * self.loss_bound * self.smoothness;
        let largest = (product / y)
            .sqrt()
            .max(product.powf(0.25) * a.sqrt())
            .max(2.0 * a);
        Some(std::f64::consts::SQRT_2 * b + 4.0 * self.lipschitz * log / y + largest)
    }
}
