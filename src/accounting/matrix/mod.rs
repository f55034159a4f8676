//! Gaussian noise correlated over steps: the matrix mechanism (DP-FTRL, banded Toeplitz matrices and the like).
//!
//! Released is Cx + z with z ~ N(0, σ²I), row by row, where row i of x is the sum of all contributions at step i; whatever
//! is estimated from it is post-processing. A record moves x in the rows of the steps in which it takes part, each by a
//! vector of norm at most 1. The mechanism is then Gaussian with Δ² = max Σᵢⱼ ⟨cᵢ, cⱼ⟩⟨uᵢ, uⱼ⟩ over the admissible steps i, j
//! and ‖uᵢ‖ ≤ 1, cᵢ the columns of C; if C is lower triangular that holds of contributions chosen adaptively, too (Denisov,
//! McMahan, Rush, Smith and Thakurta 2022, arXiv 2202.08312, Theorem 2.1).
//!
//! A record takes part at most k times, two of them at least b steps apart (k-participation with min-separation:
//! Choquette-Choo et al. 2023, arXiv 2306.08153). Then, exactly,
//!
//! * k = 1: Δ is the largest norm of a column;
//! * columns b or more apart orthogonal (bands narrower than b): Δ² is the largest sum of squared norms of admissible columns;
//! * C Toeplitz with coefficients ≥ 0 that do not grow: the steps jb, j ≥ 0, are the worst (Kalinin and Lampert 2024,
//!   arXiv 2405.13763, Theorem 2).
//!
//! Else Δ² ≤ max_π Σ_{i∈π} wᵢ with wᵢ the largest Σ_{j∈π} |⟨cᵢ, cⱼ⟩| over the admissible π ∋ i, both by dynamic programming; the
//! steps s + jb, j ≥ 0, bound it from below.
//!
//! Where a record takes part in a random sample of the steps the run is worth more, see `sampled` and `separated`.
//!
//! ```
//! use dp_assay::accounting::matrix::{Strategy, sensitivity};
//!
//! // The prefix sums of three steps, noise on each of them: a record of the first step is in all three.
//! let prefix = Strategy::Toeplitz(vec![1.0, 1.0, 1.0]);
//! assert!(sensitivity(&prefix, 1, 1)?.contains(3f64.sqrt()));
//! // Taking part in all three moves them by 1, 2 and 3.
//! assert!(sensitivity(&prefix, 3, 1)?.contains(14f64.sqrt()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gram;
mod run;
pub(super) mod sampled;
mod separated;
mod toeplitz;
mod told;

use super::AccountError;
use super::float::{Enclosure, U};
use super::gaussian::Gaussian;
use super::pld::lattice::Side;
use crate::units::{Sensitivity, StdDev};
use gram::Gram;
use serde::{Deserialize, Serialize};

/// Most steps of a strategy with several participations whose columns must be compared one with another.
const STEPS_MAX: usize = 2048;
/// Most sums of two numbers in one of its parts: some tenths of a second.
const WORK_MAX: usize = 200_000_000;

/// The matrix C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(
    untagged,
    expecting = "`strategy` must be a list of Toeplitz coefficients, or a matrix as a list of its \
        rows"
)]
pub enum Strategy {
    /// Lower triangular with these numbers down every column from the diagonal on: one for each step.
    Toeplitz(Vec<f64>),
    /// Rows of a lower triangular matrix.
    Matrix(Vec<Vec<f64>>),
}

impl Strategy {
    /// Number of steps.
    #[must_use]
    pub fn steps(&self) -> usize {
        match self {
            Self::Toeplitz(list) => list.len(),
            Self::Matrix(rows) => rows.len(),
        }
    }

    fn check(&self) -> Result<(), AccountError> {
        let n = self.steps();
        AccountError::check(n > 0, "steps of the strategy", n as f64, "must be > 0")?;
        let finite = |list: &[f64]| match list.iter().find(|x| !x.is_finite()) {
            Some(x) => AccountError::check(false, "entry of the strategy", *x, "must be finite"),
            None => Ok(()),
        };
        match self {
            Self::Toeplitz(list) => finite(list),
            Self::Matrix(rows) => rows.iter().enumerate().try_for_each(|(i, row)| {
                finite(row)?;
                let rule = "must be as many as there are rows";
                AccountError::check(
                    row.len() == n,
                    "columns of the strategy",
                    row.len() as f64,
                    rule,
                )?;
                let above = row[i + 1..].iter().find(|x| **x != 0.0);
                let rule = "must be 0 above the diagonal: a step cannot depend on later ones";
                AccountError::check(
                    above.is_none(),
                    "entry of the strategy",
                    *above.unwrap_or(&0.0),
                    rule,
                )
            }),
        }
    }

    /// Entry i of column j.
    fn entry(&self, i: usize, j: usize) -> f64 {
        match self {
            Self::Toeplitz(list) => i.checked_sub(j).map_or(0.0, |d| list[d]),
            Self::Matrix(rows) => rows[i][j],
        }
    }

    /// ⟨cᵢ, cⱼ⟩, enclosed: n products are off by at most (n + 1)u of their absolute sum.
    fn product(&self, i: usize, j: usize) -> Enclosure {
        let (mut sum, mut size) = (0.0, 0.0);
        for row in i.max(j)..self.steps() {
            let term = self.entry(row, i) * self.entry(row, j);
            sum += term;
            size += term.abs();
        }
        Enclosure::ball(sum, 1.01 * U * (self.steps() as f64 + 2.0) * size + 1e-300)
    }

    /// ‖Σ_{j∈π} cⱼ‖².
    fn square_of_sum(&self, pattern: &[usize]) -> Enclosure {
        let mut total = Enclosure::point(0.0);
        for row in 0..self.steps() {
            let zero = Enclosure::point(0.0);
            let sum = pattern
                .iter()
                .fold(zero, |sum, j| sum + self.entry(row, *j));
            total = total + sum.square();
        }
        total
    }

    fn is_nonnegative(&self) -> bool {
        let no_less = |list: &[f64]| list.iter().all(|x| *x >= 0.0);
        match self {
            Self::Toeplitz(list) => no_less(list),
            Self::Matrix(rows) => rows.iter().all(|row| no_less(row)),
        }
    }

    /// Whether the steps jb, j ≥ 0, are known to be the worst.
    fn falls(&self) -> bool {
        match self {
            Self::Toeplitz(list) => list.windows(2).all(|w| w[0] >= w[1]) && self.is_nonnegative(),
            Self::Matrix(_) => false,
        }
    }

    /// Columns at this distance or more have no row in common, as far as is looked for.
    fn width(&self) -> usize {
        match self {
            Self::Toeplitz(list) => list
                .iter()
                .rposition(|x| *x != 0.0)
                .map_or(1, |last| last + 1),
            Self::Matrix(rows) => rows.len(),
        }
    }

    /// Whether columns at a distance of `separation` or more have no row in common.
    fn is_banded(&self, separation: usize) -> bool {
        let n = self.steps();
        match self {
            Self::Toeplitz(list) => list.iter().skip(separation).all(|x| *x == 0.0),
            Self::Matrix(_) => {
                (0..n).all(|j| ((j + separation).min(n)..n).all(|i| self.entry(i, j) == 0.0))
            }
        }
    }
}

/// Encloses Δ for at most `participations` steps of a record, at least `separation` apart.
///
/// # Errors
/// A matrix that is not lower triangular or not finite; no participation; a separation of 0; more than 2048 steps where all
/// pairs of columns count.
pub fn sensitivity(
    strategy: &Strategy,
    participations: u64,
    separation: u64,
) -> Result<Enclosure, AccountError> {
    strategy.check()?;
    let n = strategy.steps();
    AccountError::check(participations > 0, "participations", 0.0, "must be > 0")?;
    AccountError::check(separation > 0, "separation", 0.0, "must be > 0")?;
    let b = usize::try_from(separation).unwrap_or(usize::MAX).min(n);
    let k = usize::try_from(participations)
        .unwrap_or(usize::MAX)
        .min(n.div_ceil(b));
    let apart = k == 1 || strategy.is_banded(b);
    if let Strategy::Toeplitz(list) = strategy
        && (apart || strategy.falls())
    {
        // Columns are shorter the later they are.
        return Ok(match apart {
            true => toeplitz::sum_of_squares(list, k, b),
            false => toeplitz::square_of_sum(list, k, b),
        }
        .sqrt());
    }
    if apart {
        let squares: Vec<Enclosure> = (0..n).map(|j| strategy.product(j, j)).collect();
        let most = |end: fn(&Enclosure) -> f64, side| {
            heaviest(&squares.iter().map(end).collect::<Vec<_>>(), k, b, side)
        };
        let least = most(|x| x.lo.max(0.0), Side::Below);
        return Ok(Enclosure::new(least, most(|x| x.hi, Side::Above)).sqrt());
    }
    if n > STEPS_MAX {
        return Err(AccountError::TooCostly {
            what: "the sensitivity of several participations",
            needed: n as f64,
            limit: STEPS_MAX as f64,
            unit: "steps",
        });
    }
    let lower = attained(strategy, k, b);
    let gram = Gram::new(strategy, false);
    let weights: Vec<f64> = (0..n).map(|i| around(&gram, i, k, b)).collect();
    Ok(Enclosure::new(lower, heaviest(&weights, k, b, Side::Above)).sqrt())
}

/// What some admissible steps move: one alone, or those that follow one another as closely as they may, from each that is
/// affordable on.
fn attained(strategy: &Strategy, k: usize, b: usize) -> f64 {
    let n = strategy.steps();
    let (steps, affordable) = match strategy {
        // From a later step on the same is moved, in fewer rows.
        Strategy::Toeplitz(list) => {
            let ends = [
                toeplitz::square_of_sum(list, k, b),
                toeplitz::sum_of_squares(list, 1, 1),
            ];
            return ends.iter().fold(0.0, |most, square| square.lo.max(most));
        }
        Strategy::Matrix(_) => (0..n, (WORK_MAX / (n * k)).max(1)),
    };
    let each = steps.take(affordable).map(|start| {
        let run: Vec<usize> = (start..n).step_by(b).take(k).collect();
        let alone = strategy.product(start, start);
        strategy.square_of_sum(&run).lo.max(alone.lo)
    });
    each.fold(0.0, f64::max)
}

/// wᵢ, rounded up: |⟨cᵢ, cⱼ⟩| summed over i and the best k − 1 others, that keep their distances on either side; where all splits of
/// them take too long, no less than that.
fn around(gram: &Gram, i: usize, k: usize, b: usize) -> f64 {
    let size = |j: usize| gram.upper(i, j);
    let before: Vec<f64> = (0..(i + 1).saturating_sub(b)).map(size).collect();
    let after: Vec<f64> = ((i + b).min(gram.n)..gram.n).map(size).collect();
    let most = if b == 1 {
        // One at either side keeps any distance.
        heaviest(&[before, after].concat(), k - 1, 1, Side::Above)
    } else if gram.n * gram.n * k > WORK_MAX {
        let any = heaviest(&[&before[..], &after].concat(), k - 1, 1, Side::Above);
        let free = [before, after].map(|side| heaviest(&side, side.len(), b, Side::Above));
        any.min(free[0] + free[1])
    } else {
        let sides = [before, after].map(|side| best(&side, k - 1, b));
        let split = (0..k).map(|left| sides[0][left] + sides[1][k - 1 - left]);
        split.fold(0.0, f64::max)
    };
    (size(i) + most) * (1.0 + 8.0 * U)
}

/// The largest sum of at most k numbers ≥ 0 that stand at least b apart, rounded to the side.
fn heaviest(numbers: &[f64], k: usize, b: usize, side: Side) -> f64 {
    let plus = |x: f64, y: f64| match side {
        Side::Above => (x + y).next_up(),
        Side::Below => (x + y).next_down().max(0.0),
    };
    if b == 1 {
        let mut sorted = numbers.to_vec();
        sorted.sort_by(|x, y| y.total_cmp(x));
        return sorted.into_iter().take(k).fold(0.0, plus);
    }
    if k >= numbers.len().div_ceil(b) {
        let mut most = vec![0.0f64];
        for (m, number) in numbers.iter().enumerate() {
            most.push(most[m].max(plus(most[(m + 1).saturating_sub(b)], *number)));
        }
        return most[numbers.len()];
    }
    rows(numbers, k, b, plus)[k]
}

/// The largest sums of at most 0, …, k numbers ≥ 0 that stand at least b apart, rounded up.
fn best(numbers: &[f64], k: usize, b: usize) -> Vec<f64> {
    rows(numbers, k, b, |x, y| (x + y).next_up())
}

fn rows(numbers: &[f64], k: usize, b: usize, plus: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    // The sums over the first m numbers stand in row m, of which the last b are remembered.
    let mut last = vec![vec![0.0f64; k + 1]; b + 1];
    for (m, number) in numbers.iter().enumerate() {
        let (free, before) = ((m + 1).saturating_sub(b) % (b + 1), m % (b + 1));
        for j in 1..=k {
            last[(m + 1) % (b + 1)][j] = last[before][j].max(plus(last[free][j - 1], *number));
        }
    }
    last.swap_remove(numbers.len() % (b + 1))
}

/// The Gaussian mechanisms between which the release lies: from below, and from above. `reach`: by how many times as much a
/// participation moves it.
///
/// # Errors
/// As [`sensitivity`]; σ not positive.
pub(super) fn mechanisms(
    sigma: f64,
    strategy: &Strategy,
    (participations, separation): (u64, u64),
    reach: f64,
) -> Result<[Gaussian; 2], AccountError> {
    let delta = sensitivity(strategy, participations, separation)? * reach;
    let at = |delta: f64| -> Result<Gaussian, AccountError> {
        Ok(Gaussian::new(Sensitivity::new(delta)?, StdDev::new(sigma)?))
    };
    Ok([at(delta.lo.max(0.0))?, at(delta.hi)?])
}

#[cfg(test)]
mod tests;
