//! The corrected Theorem 4.2 as numbers: K, T and a bound on the expected excess risk.
//!
//! All of it follows from what is known before the data are. The noise is that of
//! [`Calibration::Printed`](super::Calibration::Printed), which stands, the steps are γ_j = p_j/M, nothing is clipped.
//! Double precision, not rounded outwards: a bound may be off in its last digits.

use crate::solver::fewest;
use crate::units::{Delta, Epsilon};

/// What is known of f = (1/n)Σℓ(·; ζᵢ) + r without looking at the data, for sets S of one size, uniform on all sets of a
/// partition, and one M for all coordinates.
///
/// ```
/// use dp_assay::solver::skgd::theorem::Known;
/// use dp_assay::units::{Delta, Epsilon};
///
/// // Logistic loss on records of norm at most 1 in 10 dimensions, with the ridge 0.01; full gradients.
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-10)?);
/// let known = Known {
///     records: 1e5, features: 10.0, size: 10.0, lipschitz: 1.0, smoothness: 0.26, gap: 2f64.ln(), curvature: 0.01, budget,
/// };
/// let horizon = known.best().expect("many records");
/// assert!(horizon.bound < known.gap);
/// assert!(Known { records: 100.0, ..known }.best().is_none()); // too few for the theorem to say anything
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// n, a whole number.
    pub records: f64,
    /// d.
    pub features: f64,
    /// |S|.
    pub size: f64,
    /// L_U of every set U.
    pub lipschitz: f64,
    /// M: ∇²f is at most M times the identity.
    pub smoothness: f64,
    /// F̄ ≥ f(w⁰) − f* for every data set.
    pub gap: f64,
    /// ν > 0 such that f is ν-strongly convex in the Euclidean norm, for every data set.
    pub curvature: f64,
    /// ε ≤ 1 and δ < 1/3.
    pub budget: (Epsilon, Delta),
}

/// The lengths of a run and what they are good for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Horizon {
    /// The corrected claim.
    pub claim: &'static str,
    /// K.
    pub inner: usize,
    /// T.
    pub outer: usize,
    /// E\[f(w) − f*\] is at most this.
    pub bound: f64,
}

/// KT beyond which no run is planned.
const MOST_STEPS: f64 = 1e9;

impl Known {
    /// The better of [`Self::convex`] and [`Self::strongly`], if it is below F̄.
    #[must_use]
    pub fn best(&self) -> Option<Horizon> {
        let horizons = [self.convex(), self.strongly()];
        let bites = |horizon: &Horizon| horizon.bound < self.gap;
        let horizons = horizons.into_iter().flatten().filter(bites);
        horizons.min_by(|a, b| a.bound.total_cmp(&b.bound))
    }

    /// The smallest n at which [`Self::best`] is below F̄, all else the same; `None` beyond 10¹⁸.
    #[must_use]
    pub fn bites_at(&self) -> Option<f64> {
        fewest(|records| Self { records, ..*self }.best().is_some())
    }

    /// `skgd-thm-4.2-cvx-corrected` with ϱ² = (M/p)·2F̄/ν, p = |S|/d, which bounds ‖w⁰ − w*‖²_{MP⁻¹} by strong convexity.
    #[must_use]
    pub fn convex(&self) -> Option<Horizon> {
        let square = self.weight() * 2.0 * self.gap / self.curvature;
        let noise = self.noise();
        //= skgd-thm-4.2-cvx-corrected
        let inner = (square / (25.0 * noise)).sqrt().ceil().max(1.0);
        let bound = square / (2.0 * inner) + 12.0 * inner * noise;
        horizon("skgd-thm-4.2-cvx-corrected", (inner, 1.0), bound)
    }

    /// `skgd-thm-4.2-sc-corrected` with A = M/(pν).
    #[must_use]
    pub fn strongly(&self) -> Option<Horizon> {
        let noise = self.noise();
        //= skgd-thm-4.2-sc-corrected
        let inner = (2.0 * self.weight() / self.curvature).ceil();
        let outer = (self.gap / (24.0 * inner * noise)).log2().ceil().max(1.0);
        let bound = (-outer).exp2() * self.gap + 24.0 * inner * outer * noise;
        horizon("skgd-thm-4.2-sc-corrected", (inner, outer), bound)
    }

    /// M/p.
    fn weight(&self) -> f64 {
        self.smoothness * self.features / self.size
    }

    /// c·Σ_S², c = log(1/δ)/(n²ε²), Σ_S² = L²d/M.
    fn noise(&self) -> f64 {
        let (epsilon, delta) = (self.budget.0.get(), self.budget.1.get());
        let square = self.lipschitz * self.lipschitz * self.features / self.smoothness;
        square * -delta.ln() / (self.records * epsilon).powi(2)
    }
}

/// The lengths, if a run of that length can be thought of.
fn horizon(claim: &'static str, (inner, outer): (f64, f64), bound: f64) -> Option<Horizon> {
    (inner * outer <= MOST_STEPS).then_some(Horizon {
        claim,
        inner: inner as usize,
        outer: outer as usize,
        bound,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(records: f64) -> Known {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-6).expect("in range"),
        );
        Known {
            records,
            features: 50.0,
            size: 5.0,
            lipschitz: 1.0,
            smoothness: 2.0,
            gap: 0.7,
            curvature: 0.5,
            budget,
        }
    }

    /// Noise has the variance 1/n², so that twice the records halve what is said of convex functions and quarter, but for
    /// logarithms, what is said of strongly convex ones.
    #[test]
    fn bounds_fall_with_the_records() {
        let at = |records: f64| {
            let known = known(records);
            [known.convex(), known.strongly()].map(|horizon| horizon.expect("affordable").bound)
        };
        let ([convex, strongly], [halved, quartered]) = (at(2e6), at(4e6));
        assert!(
            (0.49..0.51).contains(&(halved / convex)),
            "{halved} of {convex}"
        );
        assert!(
            (0.25..0.3).contains(&(quartered / strongly)),
            "{quartered} of {strongly}"
        );
    }

    #[test]
    fn a_bound_bites_from_the_fewest_records_on_at_which_it_does() {
        let fewest = known(1.0).bites_at().expect("some number of records");
        assert!(known(fewest).best().is_some());
        assert!(known(0.999 * fewest).best().is_none(), "{fewest}");
    }
}
