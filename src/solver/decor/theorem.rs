//! The corrected Corollary 12 as numbers: steps, noise and a bound on the expected excess risk of the average model.
//!
//! All of it follows from what is known before the data are. The noise is that of `decor-alg-1-corrected`, no gradient of
//! the loss exceeds the clipping threshold, and the regulariser is public. Double precision, not rounded outwards: a bound
//! may be off in its last digits.

use super::StepSizes;
use crate::accounting::decor::{DecorError, Noise};
use crate::problem::{Graph, MixingMatrix};
use crate::units::{Delta, Epsilon};
use std::f64::consts::SQRT_2;

/// What the bound needs of a graph and its mixing matrix.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Network {
    /// n.
    pub users: f64,
    /// q, the number of colluders.
    pub colluders: f64,
    /// p of Assumption 5.
    pub rate: f64,
    /// H|E|/n.
    pub heterogeneity: f64,
    /// ‖W − J‖_F².
    pub deviation: f64,
    /// a_q(G).
    pub connectivity: f64,
}

impl Network {
    /// Of a graph on n ≥ 2 users with the weights W, against q colluders; a_q(G) = `connectivity`.
    #[must_use]
    pub fn of(graph: &Graph, mixing: &MixingMatrix, colluders: usize, connectivity: f64) -> Self {
        let users = graph.n() as f64;
        let w = mixing.matrix();
        let apart = w.iter().map(|w| (w - 1.0 / users).powi(2)).sum();
        let spread = mixing.heterogeneity(graph).unwrap_or(0.0);
        Self {
            users,
            colluders: colluders as f64,
            rate: mixing.consensus_rate().lo.clamp(0.0, 1.0),
            heterogeneity: spread * graph.edge_count() as f64 / users,
            deviation: apart,
            connectivity,
        }
    }

    /// Of n > q + 1 users who all talk to each other and take the average of all messages.
    #[must_use]
    pub const fn complete(users: f64, colluders: usize) -> Self {
        Self {
            users,
            colluders: colluders as f64,
            rate: 1.0,
            heterogeneity: 0.0,
            deviation: 0.0,
            connectivity: users - colluders as f64,
        }
    }
}

/// The claim on the bound.
pub const CLAIM: &str = "decor-thm-2a-corrected";

/// What is known of the users' losses without looking at the data: ℓ = f + r, ‖∇f‖ ≤ C, r public.
///
/// ```
/// use dp_assay::solver::decor::theorem::{Known, Network};
/// use dp_assay::units::{Delta, Epsilon};
///
/// // 1000 users who all talk to each other, an eavesdropper, and logistic loss on records of norm at most 1.
/// let network = Network::complete(1000.0, 0);
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let known = Known {
///     network, dimension: 10.0, clip: 1.0, sampling: 0.0, smoothness: 0.375, curvature: 0.125, gap: 2f64.ln(), budget,
/// };
/// let horizon = known.best(1 << 20).expect("many users");
/// assert!(horizon.bound < known.gap);
/// assert!(known.noise(horizon.steps)?.cdp() > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The graph.
    pub network: Network,
    /// d.
    pub dimension: f64,
    /// C.
    pub clip: f64,
    /// σ_*²: 0 where every step takes all of a user's examples, C² otherwise.
    pub sampling: f64,
    /// L: every L_i is L-smooth.
    pub smoothness: f64,
    /// μ > 0: L is μ-PL.
    pub curvature: f64,
    /// At least L(x⁰) − L_*.
    pub gap: f64,
    /// ε ≤ log(1/δ), and δ in (0, 1).
    pub budget: (Epsilon, Delta),
}

/// A number of steps and what it is good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The corrected claim.
    pub claim: &'static str,
    /// T.
    pub steps: usize,
    /// E L(x̄^(T)) − L_* is at most this.
    pub bound: f64,
}

impl Known {
    /// The fewest T among the powers of 2 up to `most` whose bound is at most 1.1 times the least of theirs, if that is below
    /// the gap. The least itself takes T of the order of n² where everybody talks to everybody, and this of the order of n.
    #[must_use]
    pub fn best(&self, most: usize) -> Option<Horizon> {
        let powers = std::iter::successors(Some(1_usize), |t| t.checked_mul(2));
        let horizons = powers.take_while(|t| *t <= most).map(|steps| Horizon {
            claim: CLAIM,
            steps,
            bound: self.bound(steps),
        });
        let least = horizons.clone().map(|h| h.bound).fold(self.gap, f64::min);
        let near = |h: &Horizon| h.bound <= 1.1 * least && h.bound < self.gap;
        horizons.clone().find(near)
    }

    /// σ_cdp² = κC²Tl/((n−q)ε²) and σ_cor² = κC²Tl/(a_q(G)ε²), κ = 12 + 8√2, l = log(1/δ).
    ///
    /// # Errors
    /// If a scale is not a finite number.
    pub fn noise(&self, steps: usize) -> Result<Noise, DecorError> {
        let [cdp, cor] = self.variances(steps as f64);
        Noise::new(cdp.sqrt(), cor.sqrt(), self.clip)
    }

    /// η_t = 2/(μ(t + τ)).
    #[must_use]
    pub fn step_sizes(&self) -> StepSizes {
        StepSizes::Decreasing {
            scale: 2.0 / self.curvature,
            offset: self.offset(),
        }
    }

    /// τ = 16L/(μp).
    fn offset(&self) -> f64 {
        16.0 * self.smoothness / (self.curvature * self.network.rate)
    }

    fn variances(&self, steps: f64) -> [f64; 2] {
        let (epsilon, delta) = (self.budget.0.get(), self.budget.1.get());
        //= decor-alg-1-corrected
        let each =
            (12.0 + 8.0 * SQRT_2) * self.clip.powi(2) * steps * -delta.ln() / epsilon.powi(2);
        let Network {
            users,
            colluders,
            connectivity,
            ..
        } = self.network;
        [each / (users - colluders), each / connectivity]
    }

    /// The bound on E L(x̄^(T)) − L_* from equal starts.
    #[must_use]
    pub fn bound(&self, steps: usize) -> f64 {
        let t = steps as f64;
        let (l, mu, p, d) = (
            self.smoothness,
            self.curvature,
            self.network.rate,
            self.dimension,
        );
        let Network {
            users,
            heterogeneity,
            deviation,
            ..
        } = self.network;
        let [cdp, cor] = self.variances(t);
        //= decor-thm-2a-corrected
        let tau = self.offset();
        let sum = (t / (tau - 1.0)).ln_1p();
        let q = self.sampling + d * cdp;
        let r = (1.0 - p) * (4.0 * self.clip.powi(2) / p + self.sampling)
            + 2.0 * heterogeneity * d * cor
            + deviation * d * cdp / users;
        let lead = 16.0 / 7.0 * l * q * t / (mu * mu * users);
        let rest = 256.0 / 7.0 * l * l * r * sum / (mu.powi(3) * p);
        (lead + rest + tau * tau * self.gap) / (t + tau).powi(2)
    }
}
