//! The corrected theorems as numbers: how small the gradient is at the point that adaptive descent draws (Theorem 5), and
//! how large the excess risk of its last point (Theorem 4) and of Algorithms 2 and 4 (Theorems 2 and 9). That of Algorithm 1 is its last target,
//! [`Schedule::target`](super::Schedule::target).
//!
//! Double precision, not rounded outwards: a bound may be off in its last digits.

use super::rules::Proximal;
use super::{Regularised, RunError};
use std::f64::consts::SQRT_2;

/// What the bounds on Algorithm 3 need. The algorithm itself is told neither F₀ nor that there is a bound.
///
/// ```
/// use dp_assay::solver::kl::theorem::AdaptiveDescent;
///
/// // Logistic loss on records of norm at most 1 in 10 dimensions, from w₀ = 0.
/// let known = AdaptiveDescent {
///     scale: 1e5, dimension: 10.0, lipschitz: 1.0, smoothness: 0.25, loss_bound: 2f64.ln(), beta: 0.01,
/// };
/// let bound = known.gradient().expect("n√ρ is at least 8");
/// assert!((0.01..0.5).contains(&bound)); // at w₀ it may be 1/2
/// assert!(AdaptiveDescent { scale: 7.0, ..known }.gradient().is_none());
/// // Where F − min F ≤ 9‖∇F‖² the last point is better than w₀.
/// assert!(known.excess(3.0, 2.0).expect("n√ρ is at least 8") < known.loss_bound);
/// // How far up that has to hold.
/// assert!(known.height(3.0, 2.0) >= known.loss_bound);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AdaptiveDescent {
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
    /// β in (0, 1): the bound on the gradient fails with probability 2β at most, that on the excess with β.
    pub beta: f64,
}

impl AdaptiveDescent {
    /// Λ, b and A, where n√ρ is at least 8.
    fn scales(&self) -> Option<[f64; 3]> {
        let y = self.scale;
        if y.is_nan() || y < 8.0 {
            return None;
        }
        //= kl-alg-3-corrected
        let log = (y / self.beta).ln();
        let b = self.lipschitz * (log / y).sqrt();
        let a = 2.0 * (self.dimension.sqrt() + (2.0 * log).sqrt()) * self.lipschitz / y;
        Some([log, b, a])
    }

    /// `kl-thm-5-corrected`: ‖∇F(w_{t*})‖ is at most this but for probability 2β; `None` where n√ρ is below 8.
    #[must_use]
    pub fn gradient(&self) -> Option<f64> {
        let [log, b, a] = self.scales()?;
        let y = self.scale;
        //= kl-thm-5-corrected
        let product = 128.0 / 3.0 * self.loss_bound * self.smoothness;
        let largest = (product / y)
            .sqrt()
            .max(product.powf(0.25) * a.sqrt())
            .max(2.0 * a);
        Some(SQRT_2 * b + 4.0 * self.lipschitz * log / y + largest)
    }

    /// `kl-thm-4-corrected`, γ > 0 and κ in \[1, 2\]: F(w_T) is at most this above its minimum over the valley of w₀ but for
    /// probability β, if F is (γ, κ)-KL* on the component at w₀ of what is at most [`AdaptiveDescent::height`] above that minimum;
    /// `None` where n√ρ is below 8.
    #[must_use]
    pub fn excess(&self, gamma: f64, kappa: f64) -> Option<f64> {
        let [_, b, a] = self.scales()?;
        let (y, square) = (self.scale, gamma * gamma * self.smoothness);
        //= kl-thm-4-corrected
        let first = 17.0 * gamma * gamma * self.smoothness.sqrt() * a;
        let long = match kappa < 2.0 {
            true => {
                let exponent = kappa / (2.0 - kappa);
                (512.0 / 3.0 * exponent * square / y).powf(exponent)
            }
            false => self.loss_bound * (-3.0 * y / (512.0 * square)).exp(),
        };
        Some(
            first
                .powf(2.0 * kappa / (4.0 - kappa))
                .max((8f64.sqrt() * gamma * b).powf(kappa))
                .max((gamma * (2.0 * a + SQRT_2 * b)).powf(kappa))
                .max(long),
        )
    }

    /// α − F*: how far above the minimum of the valley Theorem 4 asks for KL*, F₀ or (γB)^κ + B²/(8L₁) with B = √2·b;
    /// infinite where n√ρ is below 8.
    #[must_use]
    pub fn height(&self, gamma: f64, kappa: f64) -> f64 {
        let Some([_, b, _]) = self.scales() else {
            return f64::INFINITY;
        };
        //= kl-thm-4-corrected
        let b = SQRT_2 * b;
        let noise = (gamma * b).powf(kappa) + b * b / (8.0 * self.smoothness);
        self.loss_bound.max(noise)
    }
}

/// Algorithm 4 by its own length, alone or called by Algorithm 2.
///
/// ```
/// use dp_assay::solver::kl::Proximal;
/// use dp_assay::solver::kl::theorem::Descent;
///
/// // Logistic loss on records of norm at most 1 in 10 dimensions.
/// let known = Descent { records: 1e6, rho: 0.01, dimension: 10.0, lipschitz: 1.0, weak_convexity: 0.25, beta: 0.01 };
/// let alone = known.alone();
/// assert!(alone.bound < 2f64.ln() && alone.passes > 1e9);
/// // Algorithm 2 takes as many, and its bound needs far more records.
/// let inputs = Proximal { gamma: 2.0, kappa: 2.0, loss_bound: 2f64.ln() };
/// assert!(known.called(&inputs)?.is_none());
/// let called = Descent { records: 1e9, ..known }.called(&inputs)?.expect("enough records");
/// assert!(called.bound < inputs.loss_bound && called.calls > 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Descent {
    /// n.
    pub records: f64,
    /// ρ of all calls together.
    pub rho: f64,
    /// d.
    pub dimension: f64,
    /// L₀.
    pub lipschitz: f64,
    /// L̃₁.
    pub weak_convexity: f64,
    /// β in (0, 1): the bound fails with this probability at most.
    pub beta: f64,
}

/// What a run of [`Descent`] finds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Promise {
    /// The bound.
    pub bound: f64,
    /// Passes over the records.
    pub passes: f64,
    /// Calls of Algorithm 4.
    pub calls: u64,
    /// L̃₁ of the run; where γ²L̃₁θ^{κ−2} would be below 1/4 it is larger than the given one.
    pub weak_convexity: f64,
}

impl Descent {
    /// `kl-thm-9-corrected`: F + L̃₁‖· − w₀‖² is at most this above its minimum but for probability β.
    #[must_use]
    pub fn alone(&self) -> Promise {
        let square = self.records * self.records * self.rho;
        let passes = self.length(square, self.beta);
        //= kl-thm-9-corrected
        let log = (2.0 * passes / self.beta).ln();
        let scale = self.lipschitz.powi(2) * self.dimension / (self.weak_convexity * square);
        Promise {
            bound: 1101.0 * scale * log,
            passes,
            calls: 1,
            weak_convexity: self.weak_convexity,
        }
    }

    /// T = ⌈n²ρ log²(2/β)/d⌉ of a call with n²ρ = `square`.
    fn length(&self, square: f64, beta: f64) -> f64 {
        (square * (2.0 / beta).ln().powi(2) / self.dimension).ceil()
    }

    /// `kl-thm-2-corrected`: F is at most this above its minimum but for probability β; `None` where the theorem asks for more
    /// records, or for a smaller budget of a call.
    ///
    /// # Errors
    /// If an input is outside its domain.
    pub fn called(&self, inputs: &Proximal) -> Result<Option<Promise>, RunError> {
        let (promise, needed) = self.calling(inputs, self.weak_convexity)?;
        if needed <= self.weak_convexity {
            return Ok(promise);
        }
        // More calls make θ larger, and what is needed smaller.
        Ok(self.calling(inputs, needed)?.0)
    }

    /// With L̃₁ = `convexity`: the promise, and the least L̃₁ for its θ.
    fn calling(
        &self,
        inputs: &Proximal,
        convexity: f64,
    ) -> Result<(Option<Promise>, f64), RunError> {
        let Proximal {
            gamma,
            kappa,
            loss_bound,
        } = *inputs;
        let call = Regularised {
            beta: self.beta,
            lipschitz: self.lipschitz,
            weak_convexity: convexity,
            length: None,
        };
        let (n, d) = (self.records as usize, self.dimension as usize);
        let calls = inputs.rounds(&call, self.rho, n, d)?;
        let (many, square) = (calls as f64, self.records * self.records);
        let (own, part) = (self.beta / many, self.rho / many);
        //= kl-thm-2-corrected
        let omega = (square * (1.0 / own).ln().powi(2) / (self.dimension * own)).ln();
        let unit = gamma * self.lipschitz * (self.dimension / (square * self.rho)).sqrt();
        let theta = 356.0 * unit * (many * omega.max(0.0)).sqrt();
        let bound = theta.powf(kappa);
        let steps = square * part * (2.0 / own).ln().powi(2) / self.dimension;
        let holds = omega >= 1.0 && part <= 0.25 && own <= 0.5 && steps >= 1.0;
        let promise = (holds && bound <= loss_bound).then(|| Promise {
            bound,
            passes: many * self.length(square * part, own),
            calls,
            weak_convexity: convexity,
        });
        Ok((promise, 0.25 * theta.powf(2.0 - kappa) / (gamma * gamma)))
    }
}
