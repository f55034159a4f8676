//! The corrected Theorems 3.7 and 3.2 for normal records as numbers: blocks, steps and clipping, and how large the excess risk of
//! the average may be.
//!
//! x ~ N(0, I_d) and y = ⟨x, w*⟩ + z with z ~ N(0, σ²), so that L(w) − L* = ½‖w − w*‖². Half of the steps come before the average,
//! φ = 1, and β of Markov's inequality is half of what may fail. Double precision, not rounded outwards: a bound may be off in
//! its last digits.

use super::{Adaptive, Ranges, Search, Shuffled, Stop};
use crate::solver::fewest;

/// What is known of the records without looking at them, and the noise.
///
/// ```
/// use dp_assay::solver::ambssgd::theorem::Known;
///
/// // ‖w*‖ and σ at most 1 in two dimensions; α for ε = 1 and δ = 10⁻¹².
/// let known = Known { records: 1e7, dimension: 2.0, norm: 1.0, deviation: 1.0, multiplier: 7.6, failure: 0.1 };
/// let blocks = known.blocks().expect("enough records");
/// assert!(blocks.bound < known.trivial() && blocks.failure <= 0.1);
/// assert!(blocks.steps as usize * (blocks.config.batch + blocks.config.statistics) <= 10_000_000);
/// assert!(Known { records: 1e5, ..known }.blocks().is_none()); // too few for the theorem to say anything
/// assert!(known.singles().is_none()); // of DP-SSGD it takes more than 10¹⁰
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// N, a whole number.
    pub records: f64,
    /// d.
    pub dimension: f64,
    /// A bound on ‖w*‖.
    pub norm: f64,
    /// A bound on σ.
    pub deviation: f64,
    /// α.
    pub multiplier: f64,
    /// In (0, 1): the bound may fail with this probability, over records and noise.
    pub failure: f64,
}

/// A run of DP-AMBSSGD with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blocks {
    /// T, even; T(b + s) of the N records are read.
    pub steps: u64,
    /// All else.
    pub config: Adaptive,
    /// L(w̄) − L* is at most this.
    pub bound: f64,
    /// The probability with which that may fail.
    pub failure: f64,
}

/// A run of DP-SSGD with its bound.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Singles {
    /// Its inputs.
    pub config: Shuffled,
    /// B: no gradient is clipped as long as iterates are within it of w*.
    pub radius: f64,
    /// L(w̄) − L* is at most this.
    pub bound: f64,
    /// The probability with which that may fail.
    pub failure: f64,
}

/// Half of the blocks at most; that many and so many halvings of the longest step are tried.
const HALF: u32 = 50;
const SHORTER: i32 = 8;
/// So many halvings of the step of DP-SSGD.
const HALVINGS: i32 = 80;

impl Known {
    /// L(0) − L* is at most this.
    #[must_use]
    pub fn trivial(&self) -> f64 {
        0.5 * self.norm * self.norm
    }

    /// `ambssgd-thm-3.7-corrected-normal-run` where it is best; `None` where its bound is not below [`Self::trivial`].
    #[must_use]
    pub fn blocks(&self) -> Option<Blocks> {
        let tried = (1..=HALF).flat_map(|half| (0..SHORTER).map(move |shorter| (half, shorter)));
        let runs = tried.filter_map(|(half, shorter)| self.blocks_of(half, shorter));
        let best = runs.min_by(|one, other| one.bound.total_cmp(&other.bound));
        best.filter(|run| run.bound < self.trivial())
    }

    /// The fewest records for which there are [`Self::blocks`], all else the same; `None` beyond 10¹⁸.
    #[must_use]
    pub fn blocks_bite_at(&self) -> Option<f64> {
        fewest(|records| Self { records, ..*self }.blocks().is_some())
    }

    /// With 2·`half` blocks and 2^−`shorter` of the longest step.
    fn blocks_of(&self, half: u32, shorter: i32) -> Option<Blocks> {
        let (d, k, alpha2) = (self.dimension, f64::from(half), self.multiplier.powi(2));
        let (markov, other) = (0.5 * self.failure, 0.5 * self.failure);
        let (levels, steps) = ((2.0 * self.records.log2()).ceil(), 2 * u64::from(half));
        let (t, share) = (steps as f64, 0.5 * other);
        //= ambssgd-thm-3.7-corrected-normal-run
        // r ≥ 32Γ′ + 1; where there is little noise, it is e^{−r/16} that asks for more.
        let least = 16.0 * (2.0 * t * levels / share).ln();
        let count = |l: f64| {
            let margin = 32.0 * self.multiplier * (2.0 * levels * l).sqrt();
            (margin + 1.0).max(least).ceil()
        };
        let missed = |batch: f64, count: f64, l: f64| {
            let each = 4.0 * batch + 2.0 * levels * (count + 1.0);
            t * (each * (-l).exp() + levels * (-count / 16.0).exp())
        };
        // ℓ for which at most the share is missed: r grows with it, e^{−ℓ} falls faster.
        let mut l = (12.0 * levels * self.records / share).ln();
        for _ in 0..8 {
            let batch = (self.records / t - count(l)).max(1.0);
            l += (missed(batch, count(l), l) / share).ln().min(1.0);
        }
        let count = count(l);
        let batch = (self.records / t).floor() - count;
        if batch.is_nan() || batch < 1.0 {
            return None;
        }
        let (root, v2) = ((2.0 * l).sqrt(), 8.0 * l);
        let factor = 4.0 * (d.sqrt() + root) * root;
        let private = 4.0 * factor * factor * alpha2 / (batch * batch);
        let chi = (d + 1.0) / batch + d * private * v2;
        let step = 0.5_f64.powi(shorter) / (1.0 + chi);
        let (square, noise) = (self.norm.powi(2), self.deviation.powi(2));
        let q = |width2: f64| d * (noise / batch + private * (width2 + v2 * noise));
        // B² of the iterates that leave with half of the share, were Δ = 0.
        let leaves = |q: f64| square + t * step * step * q;
        let radius2 = 2.0 * leaves(q(0.0)) / share;
        let domain = (2.0 * l * (radius2 + noise)).sqrt();
        let q = q((domain / levels.exp2()).powi(2));
        let start = (k * (-step).ln_1p()).exp() * square + 2.0 * step * q;
        let bound = (1.0 + chi * step) * q / k + 3.0 * start / (step * k).powi(2);
        let failure = markov + missed(batch, count, l) + leaves(q) / radius2;
        let config = Adaptive {
            step,
            multiplier: self.multiplier,
            batch: batch as usize,
            statistics: count as usize,
            factor,
            search: Search::halvings(domain, levels as usize).ok()?,
            ranges: Ranges::Disjoint,
            // Γ′ = α√(2mℓ).
            stop: Stop::Margin {
                failure: (levels + 1.0) * (-l).exp(),
            },
        };
        let bound = bound / markov;
        (failure <= self.failure).then_some(Blocks {
            steps,
            config,
            bound,
            failure,
        })
    }

    /// `ambssgd-thm-3.2-corrected-normal` where it is best; `None` where its bound is not below [`Self::trivial`].
    #[must_use]
    pub fn singles(&self) -> Option<Singles> {
        let runs = (0..HALVINGS).filter_map(|k| self.singles_of(0.5_f64.powi(k)));
        let best = runs.min_by(|one, other| one.bound.total_cmp(&other.bound));
        best.filter(|run| run.bound < self.trivial())
    }

    /// The fewest records for which there are [`Self::singles`], all else the same; `None` beyond 10¹⁸.
    #[must_use]
    pub fn singles_bite_at(&self) -> Option<f64> {
        fewest(|records| Self { records, ..*self }.singles().is_some())
    }

    /// With the step η: of what may fail besides β a quarter is for clipped gradients, the rest for B.
    fn singles_of(&self, eta: f64) -> Option<Singles> {
        let (d, all) = (self.dimension, (0.5 * self.records).floor() * 2.0);
        let (markov, other) = (0.5 * self.failure, 0.5 * self.failure);
        let (clipped, left) = (0.25 * other, 0.75 * other);
        let n = 0.5 * all;
        //= ambssgd-thm-3.2-corrected-normal
        let l = (4.0 * all / clipped).ln();
        let factor = (d.sqrt() + (2.0 * l).sqrt()) * (2.0 * l).sqrt();
        let (square, sigma) = (self.norm.powi(2), self.deviation);
        // left·B² = ‖w*‖² + Nη²d(σ² + 4α²ζ²) for ζ = factor·(B + σ).
        let moved = all * eta * eta * d;
        let private = 4.0 * (self.multiplier * factor).powi(2) * moved;
        let rest = square + (moved + private) * sigma * sigma;
        let lead = left - private;
        if (d + 2.0) * eta > 1.0 || lead <= 0.0 || n < 1.0 {
            return None;
        }
        let offset = private * sigma;
        let radius = (offset + (offset * offset + lead * rest).sqrt()) / lead;
        let threshold = factor * (radius + sigma);
        let q = d * (sigma * sigma + 4.0 * (self.multiplier * threshold).powi(2));
        let bias = (n * (-eta).ln_1p()).exp() * square + 2.0 * eta * q;
        let bound = (1.0 + (d + 1.0) * eta) * q / n + 3.0 * bias / (eta * n).powi(2);
        Some(Singles {
            config: Shuffled {
                step: eta,
                threshold,
                multiplier: self.multiplier,
            },
            radius,
            bound: bound / markov,
            failure: self.failure,
        })
    }
}
