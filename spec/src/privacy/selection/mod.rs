//! Report-noisy-max and its relatives: the exact law of the selected index.
//!
//! Candidate k has an independent noisy score S_k and the index of the largest score is released
//! (Dwork and Roth 2014, §3.3, and the greedy coordinate rules built on it). With distribution
//! functions G_k and densities g_k,
//!
//! ```text
//! P_k = ∫ g_k(x) Π_{l≠k} G_l(x) dx  +  Σ over atoms x of S_k of P[S_k = x] · P[k wins at x].
//! ```
//!
//! Nothing is assumed about monotonicity of the scores, equality of scales, or absence of atoms.

mod law;
mod rules;
mod score;

pub use rules::{GreedyRule, Regulariser, level_sets};
pub use score::{Affine, LevelSets, ScoreLaw};

use super::error::{PrivacyError, require};
use super::finite::FinitePair;
use crate::arith::{Interval, Rational};

/// Who wins when several candidates share the largest score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TieRule {
    /// The smallest index (the convention of this crate's solvers).
    SmallestIndex,
    /// One of the tied candidates, uniformly at random.
    Uniform,
}

/// The index of the largest of independent noisy scores.
#[derive(Clone, Debug)]
pub struct NoisyMax {
    candidates: Vec<ScoreLaw>,
    ties: TieRule,
}

impl NoisyMax {
    /// Selection among the given score laws.
    ///
    /// # Errors
    /// When there is no candidate.
    pub fn new(candidates: Vec<ScoreLaw>, ties: TieRule) -> Result<Self, PrivacyError> {
        require(!candidates.is_empty(), "candidates", &0, "must be >= 1")?;
        Ok(Self { candidates, ties })
    }

    /// Scores y_k + Lap(b_k), or |y_k + Lap(b_k)| if `absolute`, in score units.
    ///
    /// # Errors
    /// When the lists differ in length or are empty, or a scale is not positive.
    pub fn laplace(
        scores: &[Rational],
        scales: &[Rational],
        absolute: bool,
    ) -> Result<Self, PrivacyError> {
        same_length("scores and scales", &[scores.len(), scales.len()])?;
        for b in scales {
            require(*b > 0, "Laplace scale", b, "must be > 0")?;
        }
        let score = |(y, b)| match absolute {
            true => ScoreLaw::folded_laplace(y, b),
            false => ScoreLaw::laplace(y, b),
        };
        let candidates = scores.iter().zip(scales).map(score).collect();
        Self::new(candidates, TieRule::SmallestIndex)
    }

    /// Enclosures of P\[k is selected\], in the order of the candidates.
    #[must_use]
    pub fn law(&self) -> Vec<Interval> {
        law::selection(&self.candidates, self.ties)
    }
}

/// The pair of selection laws on two neighbours.
///
/// # Errors
/// When the numbers of candidates differ.
pub fn selection_pair(d: &NoisyMax, neighbour: &NoisyMax) -> Result<FinitePair, PrivacyError> {
    FinitePair::new(d.law(), neighbour.law())
}

/// Report-noisy-max with Laplace noise on scores y and on y + `shifts`, all in score units.
///
/// # Errors
/// As [`NoisyMax::laplace`].
pub fn laplace_pair(
    scores: &[Rational],
    shifts: &[Rational],
    scales: &[Rational],
    absolute: bool,
) -> Result<FinitePair, PrivacyError> {
    same_length("scores and shifts", &[scores.len(), shifts.len()])?;
    let moved: Vec<_> = scores
        .iter()
        .zip(shifts)
        .map(|(y, s)| Rational::from(y + s))
        .collect();
    selection_pair(
        &NoisyMax::laplace(scores, scales, absolute)?,
        &NoisyMax::laplace(&moved, scales, absolute)?,
    )
}

fn same_length(what: &'static str, found: &[usize]) -> Result<(), PrivacyError> {
    if found.windows(2).all(|w| w[0] == w[1]) {
        return Ok(());
    }
    Err(PrivacyError::Lengths {
        what,
        found: found.to_vec(),
    })
}
