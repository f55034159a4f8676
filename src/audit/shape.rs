//! The curve that a claim implies, and the move along it to where the evidence is strongest.
//!
//! A single point (ε, δ) with a small δ cannot be tested from samples: an event of probability δ
//! takes 1/δ runs to see. But a mechanism of known shape that keeps one point keeps a whole curve
//! δ(ε′), and at small ε′ the curve speaks of events of ordinary size. Any (ε′, δ(ε′)) on the curve
//! may be bet on, chosen from past samples like the event itself (Delta-Siege, CCS 2023, moves
//! along the curve in the same way).
//!
//! **Limits.** What is refuted is the curve. That the claim is false follows if the curve is the
//! mechanism's own: if keeping (ε, δ) implies keeping all of it. The caller declares that.
//!
//! **Statement.** If the pair's trade-off function is that of N(0, 1) against N(μ, 1) for some
//! unknown μ, then (ε, δ) bounds μ by the μ₀ with δ_{μ₀}(ε) = δ, the curve is δ_{μ₀}, and one event
//! of probabilities p and q bounds μ ≥ Φ⁻¹(p) − Φ⁻¹(q), hence ε at δ (Nasr et al., "Tight auditing
//! of differentially private machine learning", USENIX Security 2023). For another shape this
//! bounds nothing, so it is used only where the shape is declared.

use crate::accounting::AccountError;
use crate::accounting::gaussian::{Gaussian, calibrate_sigma};
use crate::accounting::root;
use crate::audit::interval::{epsilon_lower, rate_lower, rate_upper};
use crate::audit::{Counts, Guarantee};
use crate::float::{ERFC_ERROR, above, normal_tail};
use crate::units::{Epsilon, Sensitivity, StdDev, UnitError};
use std::fmt;
use std::sync::Arc;

/// Points of the curve that are tested: ε′ as fractions of ε.
const FRACTIONS: [f64; 4] = [0.75, 0.5, 0.25, 0.0];

type Curve = dyn Fn(f64) -> f64 + Send + Sync;

/// What is declared of a mechanism besides its claim.
#[derive(Clone, Default)]
pub(crate) enum Shape {
    /// Nothing.
    #[default]
    Unknown,
    /// That the claim implies (ε′, δ(ε′)) for all ε′.
    Curve(Arc<Curve>),
    /// That the pair's trade-off function is Gaussian.
    Gaussian,
}

impl fmt::Debug for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Unknown => "Unknown",
            Self::Curve(_) => "Curve",
            Self::Gaussian => "Gaussian",
        })
    }
}

/// Why a shape cannot be used with a claim.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ShapeError {
    /// The Gaussian mechanism keeps no such claim, or only with infinite noise.
    #[error("a Gaussian shape does not go with this claim: {0}")]
    Account(#[from] AccountError),
    /// A value of the curve is no δ.
    #[error("the curve's value: {0}")]
    Value(#[from] UnitError),
}

impl Shape {
    /// The claims that a claim implies, itself first.
    pub(crate) fn implied(&self, claim: Guarantee) -> Result<Vec<Guarantee>, ShapeError> {
        let delta: Box<dyn Fn(f64) -> Result<f64, ShapeError>> = match self {
            Self::Unknown => return Ok(vec![claim]),
            Self::Curve(curve) => Box::new(|epsilon| Ok(curve(epsilon))),
            Self::Gaussian => {
                let largest = gaussian_of(claim)?;
                Box::new(move |e| Ok(largest.delta(Epsilon::new(e)?).hi))
            }
        };
        let mut all = vec![claim];
        for fraction in FRACTIONS {
            let epsilon = fraction * claim.epsilon.get();
            let implied = delta(epsilon)?;
            if implied < 1.0 {
                all.push(Guarantee::new(epsilon, implied)?);
            }
        }
        Ok(all)
    }

    /// Lower bound on ε at the claimed δ from an event's counts, wrong with probability at most
    /// `alpha`; ≥ 0, rounded down.
    pub(crate) fn epsilon_lower(&self, counts: Counts, claim: Guarantee, alpha: f64) -> f64 {
        let (k0, k1, n) = (counts.hits0, counts.hits1, counts.samples);
        let direct = epsilon_lower(k0, k1, n, claim.delta.get(), alpha).max(0.0);
        if !matches!(self, Self::Gaussian) || n == 0 {
            return direct;
        }
        // The same two rate bounds serve both: they are one event of probability α.
        let [p, q] = [
            rate_lower(k0, n, alpha / 2.0),
            rate_upper(k1, n, alpha / 2.0),
        ];
        let mu = (quantile_lower(p) + quantile_lower(1.0 - q)).next_down();
        let Some(gaussian) = gaussian_with(mu) else {
            return direct;
        };
        let inverted = gaussian.epsilon(claim.delta).map_or(0.0, |e| e.lo);
        direct.max(inverted)
    }
}

/// The largest Gaussian mechanism that keeps the claim; its μ rounded up.
pub(crate) fn gaussian_of(claim: Guarantee) -> Result<Gaussian, ShapeError> {
    let one = Sensitivity::new(1.0)?;
    let sigma = calibrate_sigma(one, claim.epsilon, claim.delta)?;
    Ok(Gaussian::new(one, StdDev::new(sigma.lo)?))
}

/// The Gaussian mechanism of this μ, if it is positive.
pub(crate) fn gaussian_with(mu: f64) -> Option<Gaussian> {
    // The quotient 1/(1/μ) is right to two units in the last place.
    let sigma = StdDev::new((1.0 / mu).next_up().next_up()).ok()?;
    Some(Gaussian::new(Sensitivity::new(1.0).ok()?, sigma))
}

/// A number at most Φ⁻¹(p), tight to 10⁻¹².
pub(crate) fn quantile_lower(p: f64) -> f64 {
    let surely_below = |x: f64| {
        let tail = normal_tail(-x);
        // Where Φ is computed as 1 − tail, the absolute error is that of the small tail.
        above(tail, ERFC_ERROR) <= p
    };
    match surely_below(-38.0) {
        true => root::halve(-38.0, 38.0, 50, surely_below).0,
        false => f64::NEG_INFINITY,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::float::below;

    /// Whether Φ(x) may be below p.
    fn normal_below(x: f64, p: f64) -> bool {
        below(normal_tail(-x), ERFC_ERROR) < p
    }

    #[test]
    fn quantiles_are_below_the_truth_and_tight() {
        for p in [1e-12, 1e-3, 0.025, 0.3, 0.5, 0.9, 0.999_999] {
            let x = quantile_lower(p);
            assert!(normal_below(x, p), "{p}");
            assert!(
                !normal_below(x + 1e-9 * (1.0 + x.abs()), p * (1.0 - 1e-13)),
                "{p}"
            );
        }
        assert_eq!(quantile_lower(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_curve_of_a_gaussian_claim_passes_through_the_claim() {
        let claim = Guarantee::new(1.0, 1e-5).expect("in the domain");
        let gaussian = gaussian_of(claim).expect("finite noise");
        let delta = gaussian.delta(claim.epsilon);
        assert!(
            delta.hi >= 1e-5 && delta.lo <= 1e-5 * (1.0 + 1e-12),
            "{delta:?}"
        );
    }

    /// Half of the error is spent on either rate, and what Gaussian noise would need for these rates is found.
    #[test]
    fn a_gaussian_bound_is_that_of_its_two_rates() {
        let claim = Guarantee::new(1.0, 1e-5).expect("in the domain");
        let (n, alpha) = (100_000, 1e-3);
        for (hits0, hits1) in [(50_000, 2_000), (30_000, 20_000), (97_000, 40_000)] {
            let counts = Counts {
                hits0,
                hits1,
                samples: n,
            };
            let [p, q] = [
                rate_lower(hits0, n, 0.0005),
                1.0 - rate_lower(n - hits1, n, 0.0005),
            ];
            let mu = quantile_lower(p) - quantile_lower(q);
            let truth = gaussian_with(mu).expect("a mean that moves");
            let truth = truth.epsilon(claim.delta).expect("in the domain").hi;
            let found = Shape::Gaussian.epsilon_lower(counts, claim, alpha);
            assert!(
                found <= truth * (1.0 + 1e-6) && found >= truth * (1.0 - 1e-6),
                "{hits0} {hits1}: {found}, {truth}"
            );
        }
    }

    /// Implied claims, quantiles and bounds to the last bit.
    #[test]
    fn implied_claims_and_bounds_are_what_they_were() {
        let claim = Guarantee::new(1.0, 1e-3).expect("in the domain");
        let implied = Shape::Gaussian.implied(claim).expect("a curve");
        let mut found: Vec<f64> = { implied }
            .iter()
            .flat_map(|c| [c.epsilon.get(), c.delta.get()])
            .collect();
        found.extend([1e-300, 1e-9, 0.3, 0.999].map(quantile_lower));
        for (hits0, hits1) in [(700, 20), (700, 690), (3, 0), (0, 0)] {
            let counts = Counts {
                hits0,
                hits1,
                samples: 1000,
            };
            found.extend(
                [&Shape::Unknown, &Shape::Gaussian]
                    .map(|shape| shape.epsilon_lower(counts, claim, 1e-3)),
            );
        }
        steady::holds(
            &found,
            "1.0 0.001 0.75 0.005677580624887595 0.5 0.02302321448029335 0.25
                0.06839107466607505 0.0 0.1539812058291302 -37.04709629936126 -5.997807015007751
                -0.5244005127080911 3.0902323061666834 2.8118010274541416 8.333255970771816 0.0
                0.0 0.0 0.0 0.0 0.0",
        );
    }

    /// What a curve implies is bet on where it is a claim at all: where it gives less than 1.
    #[test]
    fn a_curve_implies_what_it_gives_where_that_says_something() {
        let claim = Guarantee::new(2.0, 1e-3).expect("in the domain");
        let curve = |x: f64| {
            Shape::Curve(std::sync::Arc::new(
                move |epsilon| if epsilon < 1.0 { x } else { 0.25 },
            ))
        };
        let told = |x| curve(x).implied(claim).expect("a curve");
        let all = told(0.5);
        assert_eq!(all[0], claim);
        assert_eq!(all.len(), 1 + FRACTIONS.len());
        for (implied, fraction) in all[1..].iter().zip(FRACTIONS) {
            assert_eq!(implied.epsilon.get(), 2.0 * fraction);
            assert_eq!(
                implied.delta.get(),
                if 2.0 * fraction < 1.0 { 0.5 } else { 0.25 }
            );
        }
        assert_eq!(
            told(1.0),
            { all }
                .into_iter()
                .filter(|c| c.delta.get() != 0.5)
                .collect::<Vec<_>>()
        );
    }
}
