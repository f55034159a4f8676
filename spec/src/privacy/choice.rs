//! Mechanisms with finitely many outcomes: randomized response and the exponential mechanism.

use super::error::{PrivacyError, require};
use super::finite::FinitePair;
use super::notion::Profile;
use super::solve;
use crate::arith::Interval;

/// Randomized response over k ≥ 2 values: the true one with probability 1 − p + p/k, any other with
/// p/k. The pair of two different true values (replace-one), with the other k − 2 values lumped.
///
/// # Errors
/// When p is not in (0, 1\] or k < 2.
pub fn randomized_response_pair(p: &Interval, k: u32) -> Result<FinitePair, PrivacyError> {
    require(
        *p.lo() > 0 && *p.hi() <= 1,
        "noise parameter",
        p,
        "must lie in (0, 1]",
    )?;
    require(k >= 2, "number of values", &k, "must be >= 2")?;
    let share = p / &Interval::from(i64::from(k));
    let truth = &(&Interval::from(1) - p) + &share;
    let rest = &Interval::from(i64::from(k) - 2) * &share;
    FinitePair::new(
        vec![truth.clone(), share.clone(), rest.clone()],
        vec![share, truth, rest],
    )
}

/// The exponential mechanism on two vectors of utilities: P\[k\] ∝ e^(u_k), with the privacy
/// parameter and sensitivity already multiplied into u (McSherry and Talwar 2007).
///
/// # Errors
/// When the vectors are empty or differ in length.
pub fn exponential_pair(
    utilities: &[Interval],
    neighbour: &[Interval],
) -> Result<FinitePair, PrivacyError> {
    require(
        !utilities.is_empty(),
        "utilities",
        &"[]",
        "must not be empty",
    )?;
    let law = |u: &[Interval]| {
        let weights: Vec<_> = u.iter().map(Interval::exp).collect();
        let total: Interval = weights.iter().cloned().sum();
        weights.iter().map(|w| w / &total).collect()
    };
    FinitePair::new(law(utilities), law(neighbour))
}

/// Any mechanism of bounded range η: its privacy losses on a pair span at most η. The exponential
/// mechanism with weights e^(ε₀ u/(2Δ)) has η = ε₀ for any u of sensitivity Δ, and is then also
/// ε₀-DP and (ε₀²/8)-zCDP (Durfee and Rogers 2019; Cesar and Rogers 2021).
#[derive(Clone, Debug, PartialEq)]
pub struct BoundedRange {
    /// Range η > 0 of the privacy loss.
    pub eta: Interval,
}

impl BoundedRange {
    /// Range η.
    ///
    /// # Errors
    /// When η ≤ 0.
    pub fn new(eta: Interval) -> Result<Self, PrivacyError> {
        require(*eta.lo() > 0, "eta", &eta, "must be > 0")?;
        Ok(Self { eta })
    }
}

/// δ(ε) = (e^(η/2) − e^(ε/2))²/(e^η − 1) for |ε| ≤ η, 0 above (Dong, Durfee and Rogers 2020).
///
/// Among pairs whose losses span η the worst has two outcomes with losses t and t − η, where Q sums
/// to 1 if P(first) = (e^η − e^t)/(e^η − 1); the supremum over t of P(first)(1 − e^(ε−t)) is attained
/// at t = (η + ε)/2.
impl Profile for BoundedRange {
    fn delta(&self, epsilon: &Interval) -> Interval {
        let half = Interval::from_f64(0.5);
        let eta = &self.eta;
        solve::decreasing(epsilon, |e| {
            let root = -&(&(e - eta) * &half).exp_m1();
            let inner = &root.max(&Interval::from(0)).square() / &-&(-eta).exp_m1();
            // Below −η every outcome counts; the two forms agree at −η.
            let outer = -&e.exp_m1();
            let above = e + eta;
            match (*above.hi() < 0, *above.lo() >= 0) {
                (true, _) => outer,
                (_, true) => inner,
                _ => inner.hull(&outer),
            }
        })
    }
}
