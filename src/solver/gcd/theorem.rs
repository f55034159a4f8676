//! The corrected Theorem 4.4 as numbers: how many iterations, and how far above the optimum the last iterate may be.
//!
//! All of it follows from what is known before the data are: n, L, M, and bounds that hold for every data set. The noise
//! is that of [`Calibration::Corrected`](super::Calibration::Corrected), the steps are γ_j = 1/M_j, nothing is clipped.
//! Double precision, not rounded outwards: a bound may be off in its last digits.

use crate::solver::fewest;
use crate::units::{Delta, Epsilon};

/// What is known of f = (1/n)Σℓ(·; dᵢ) + ψ without looking at the data.
///
/// ```
/// use dp_assay::solver::gcd::theorem::Known;
/// use dp_assay::units::{Delta, Epsilon};
///
/// // Logistic loss on records of norm at most 1 in 100 dimensions, with the ridge 0.1.
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-16)?);
/// let (smoothness, lipschitz) = (vec![0.35; 100], vec![1.0; 100]);
/// let known = Known { records: 1e8, smoothness: &smoothness, lipschitz: &lipschitz, gap: 2f64.ln(), curvature: 0.1, budget, failure: 0.05 };
/// let horizon = known.best().expect("many records");
/// assert!(horizon.bound < known.gap && horizon.iterations > 1000);
/// assert!(Known { records: 1e4, ..known }.best().is_none()); // too few for the theorem to say anything
/// assert!(known.bites_at().is_some_and(|n| (1e4..1e8).contains(&n)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Known<'a> {
    /// n, a whole number.
    pub records: f64,
    /// M_j, p of them.
    pub smoothness: &'a [f64],
    /// L_j, p of them.
    pub lipschitz: &'a [f64],
    /// G ≥ f(w⁰) − f* for every data set.
    pub gap: f64,
    /// ν > 0 such that f is ν-strongly convex in the Euclidean norm, for every data set.
    pub curvature: f64,
    /// ε and δ.
    pub budget: (Epsilon, Delta),
    /// ζ in (0, 1]: the bound may fail with this probability.
    pub failure: f64,
}

/// A number of iterations and what it is good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The corrected claim.
    pub claim: &'static str,
    /// T.
    pub iterations: usize,
    /// f(w^T) − f* is at most this, but for probability ζ.
    pub bound: f64,
}

/// T beyond which no run is planned.
const MOST_ITERATIONS: f64 = 1e9;

impl Known<'_> {
    /// The better of [`Self::convex`] and [`Self::strongly`], if it is below G.
    #[must_use]
    pub fn best(&self) -> Option<Horizon> {
        let horizons = [self.convex(), self.strongly()];
        let bites = |horizon: &Horizon| horizon.bound < self.gap;
        let horizons = horizons.into_iter().flatten().filter(bites);
        horizons.min_by(|a, b| a.bound.total_cmp(&b.bound))
    }

    /// The smallest n at which [`Self::best`] is below G, all else the same; `None` beyond 10¹⁸.
    #[must_use]
    pub fn bites_at(&self) -> Option<f64> {
        fewest(|records| Self { records, ..*self }.best().is_some())
    }

    /// `gcd-thm-4.4-cvx-corrected` at its own T; `None` where √(8R²β) + β exceeds G, so that nothing is claimed.
    ///
    /// R = √(2GΣM_j/ν) bounds ‖w − w*‖_{M,1} where f(w) − f* ≤ G, by strong convexity and Cauchy's inequality.
    #[must_use]
    pub fn convex(&self) -> Option<Horizon> {
        let square = 2.0 * self.gap * self.total() / self.curvature;
        //= gcd-thm-4.4-cvx-corrected
        let log = self.log(self.records);
        let q = (square.sqrt() / (self.unit().sqrt() * log)).powf(2.0 / 3.0);
        let iterations = whole(q)?;
        let beta = self.beta(iterations);
        let root = (8.0 * square * beta).sqrt();
        (root + beta <= self.gap).then(|| Horizon {
            claim: "gcd-thm-4.4-cvx-corrected",
            iterations: iterations as usize,
            bound: root + (8.0 * square / iterations).max(beta),
        })
    }

    /// `gcd-thm-4.4-sc-corrected` at its own T; `None` where T is too large to be run.
    ///
    /// μ_{M,1} is at least ν/ΣM_j, by Cauchy's inequality.
    #[must_use]
    pub fn strongly(&self) -> Option<Horizon> {
        let mu = (self.curvature / self.total()).min(1.0);
        //= gcd-thm-4.4-sc-corrected
        let start = 204.0 * self.unit() * self.log(1.0).powi(2);
        let iterations = whole(4.0 / mu * (mu * self.gap / start).ln())?;
        let beta = self.beta(iterations);
        Some(Horizon {
            claim: "gcd-thm-4.4-sc-corrected",
            iterations: iterations as usize,
            bound: (1.0 - mu / 4.0).powf(iterations) * self.gap + 4.0 * beta / mu,
        })
    }

    /// ΣM_j.
    fn total(&self) -> f64 {
        self.smoothness.iter().sum()
    }

    /// ρ²m/(nε)², ρ = max L_j/√M_j, m = log(1/δ) + ε/2.
    fn unit(&self) -> f64 {
        let (epsilon, delta) = (self.budget.0.get(), self.budget.1.get());
        let pairs = self.lipschitz.iter().zip(self.smoothness);
        let square = pairs.map(|(l, m)| l * l / m).fold(0.0, f64::max);
        square * (0.5 * epsilon - delta.ln()) / (self.records * epsilon).powi(2)
    }

    /// log(2tp/ζ).
    fn log(&self, t: f64) -> f64 {
        (2.0 * t * self.smoothness.len() as f64 / self.failure).ln()
    }

    /// β = 51ρ²Tm·log(2Tp/ζ)²/(nε)².
    fn beta(&self, iterations: f64) -> f64 {
        51.0 * self.unit() * iterations * self.log(iterations).powi(2)
    }
}

/// max(1, ⌈t⌉), if a run of that length can be thought of.
fn whole(t: f64) -> Option<f64> {
    let t = t.ceil().max(1.0);
    (t <= MOST_ITERATIONS).then_some(t)
}
