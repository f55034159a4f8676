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
//! * C Toeplitz with coefficients ≥ 0 that do not grow: the steps 0, b, 2b, … are the worst (Kalinin and Lampert 2024,
//!   arXiv 2405.13763, Theorem 2).
//!
//! Else Δ² ≤ max_π Σ_{i∈π} wᵢ with wᵢ the largest Σ_{j∈π} |⟨cᵢ, cⱼ⟩| over the admissible π ∋ i, both by dynamic programming; the
//! steps s, s + b, … bound it from below.
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
mod told;

use super::AccountError;
use super::float::{Enclosure, U};
use super::gaussian::Gaussian;
use crate::units::{Sensitivity, StdDev};
use serde::{Deserialize, Serialize};

/// Most steps of a strategy with several participations whose columns must be compared one with another.
const STEPS_MAX: usize = 2048;

/// The matrix C.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
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

    /// Whether the steps 0, b, 2b, … are known to be the worst.
    fn falls(&self) -> bool {
        match self {
            Self::Toeplitz(list) => list.windows(2).all(|w| w[0] >= w[1]) && self.is_nonnegative(),
            Self::Matrix(_) => false,
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
    let run = |start: usize| -> Vec<usize> { (start..n).step_by(b).take(k).collect() };
    if strategy.falls() {
        return Ok(strategy.square_of_sum(&run(0)).sqrt());
    }
    if k == 1 || strategy.is_banded(b) {
        let squares: Vec<Enclosure> = (0..n).map(|j| strategy.product(j, j)).collect();
        let most = |end: fn(&Enclosure) -> f64| {
            heaviest(&squares.iter().map(end).collect::<Vec<_>>(), k, b)
        };
        return Ok(Enclosure::new(most(|x| x.lo).max(0.0) * (1.0 - 1e-12), most(|x| x.hi)).sqrt());
    }
    if n > STEPS_MAX {
        return Err(AccountError::TooCostly {
            what: "the sensitivity of several participations",
            needed: n as f64,
            limit: STEPS_MAX as f64,
            unit: "steps",
        });
    }
    let each = (0..n).map(|i| {
        strategy
            .square_of_sum(&run(i))
            .lo
            .max(strategy.product(i, i).lo)
    });
    let lower = each.fold(0.0, f64::max);
    let weights: Vec<f64> = (0..n).map(|i| around(strategy, i, k, b)).collect();
    Ok(Enclosure::new(lower, heaviest(&weights, k, b).max(lower)).sqrt())
}

/// wᵢ, rounded up: |⟨cᵢ, cⱼ⟩| summed over i and the best k − 1 others, that keep their distances on either side.
fn around(strategy: &Strategy, i: usize, k: usize, b: usize) -> f64 {
    let size = |j: usize| strategy.product(i, j).magnitude();
    let before: Vec<f64> = (0..(i + 1).saturating_sub(b)).map(size).collect();
    let after: Vec<f64> = ((i + b).min(strategy.steps())..strategy.steps())
        .map(size)
        .collect();
    let sides = [before, after].map(|side| best(&side, k - 1, b));
    let split = (0..k).map(|left| sides[0][left] + sides[1][k - 1 - left]);
    (size(i) + split.fold(0.0, f64::max)) * (1.0 + 8.0 * U)
}

/// The largest sum of at most k numbers that stand at least b apart, rounded up.
fn heaviest(numbers: &[f64], k: usize, b: usize) -> f64 {
    best(numbers, k, b)[k]
}

/// The largest sums of at most 0, …, k numbers that stand at least b apart, rounded up.
fn best(numbers: &[f64], k: usize, b: usize) -> Vec<f64> {
    // best[j] over the first m numbers, for all m.
    let n = numbers.len();
    let mut all = vec![vec![0.0f64; k + 1]; n + 1];
    for m in 1..=n {
        let free = (m.saturating_sub(b)).min(m - 1);
        for j in 1..=k {
            let with = (all[free][j - 1] + numbers[m - 1]).next_up();
            all[m][j] = all[m - 1][j].max(with);
        }
    }
    all.swap_remove(n)
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
mod tests {
    use super::*;

    fn subsets(n: usize, k: usize, b: usize) -> Vec<Vec<usize>> {
        let all =
            (0..1u32 << n).map(|set| (0..n).filter(|j| set >> j & 1 == 1).collect::<Vec<_>>());
        let admissible = |set: &Vec<usize>| {
            !set.is_empty() && set.len() <= k && set.windows(2).all(|w| w[1] - w[0] >= b)
        };
        all.filter(admissible).collect()
    }

    /// All admissible sets and all signs, of which the best is the truth where contributions are numbers.
    fn brute(strategy: &Strategy, k: usize, b: usize) -> f64 {
        let n = strategy.steps();
        let value = |set: &Vec<usize>, signs: u32| -> f64 {
            let row = |i: usize| -> f64 {
                let each = set.iter().enumerate();
                each.map(|(at, j)| {
                    let sign = if signs >> at & 1 == 1 { -1.0 } else { 1.0 };
                    sign * strategy.entry(i, *j)
                })
                .sum()
            };
            (0..n).map(|i| row(i).powi(2)).sum::<f64>().sqrt()
        };
        let sets = subsets(n, k, b);
        let each = sets
            .iter()
            .flat_map(|set| (0..1 << set.len()).map(move |signs| value(set, signs)));
        each.fold(0.0, f64::max)
    }

    #[test]
    fn sensitivities_meet_all_patterns_tried_out() {
        let falling = Strategy::Toeplitz(vec![1.0, 0.5, 0.375, 0.3125, 0.27, 0.24, 0.22]);
        let banded = Strategy::Toeplitz(vec![1.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0]);
        let ones = (0..6).map(|i| {
            (0..6)
                .map(|j| f64::from(u8::from(j <= i)) * (1.0 + 0.3 * j as f64))
                .collect()
        });
        let rows = Strategy::Matrix(ones.collect());
        let signed = Strategy::Toeplitz(vec![1.0, -0.7, 0.4, -0.2, 0.1]);
        for (strategy, exact) in [
            (falling, true),
            (banded, true),
            (rows, false),
            (signed, false),
        ] {
            for (k, b) in [(1, 1), (2, 1), (2, 2), (3, 2), (6, 1), (2, 3)] {
                let found = sensitivity(&strategy, k as u64, b as u64).expect("a strategy");
                let truth = brute(&strategy, k, b);
                assert!(
                    truth <= found.hi * (1.0 + 1e-12),
                    "{strategy:?} {k} {b}: {found:?} {truth}"
                );
                assert!(
                    found.lo <= truth * (1.0 + 1e-12),
                    "{strategy:?} {k} {b}: {found:?} {truth}"
                );
                if k == 1 || (exact && (b > 1 || strategy.falls())) {
                    assert!(found.width() < 1e-9, "{strategy:?} {k} {b}: {found:?}");
                }
            }
        }
    }

    /// Signs that nearly cancel: the rounding of every product shows.
    #[test]
    fn products_of_columns_enclose_the_truth() {
        let exact = |x: f64| rug::Rational::from_f64(x).expect("finite");
        for size in 2..12 {
            let list = (0..size).map(|i| {
                (1.0 / (1.0 + f64::from(i * size % 7))) * if i % 2 == 0 { 1.0 } else { -0.9 }
            });
            let list: Vec<f64> = list.collect();
            let strategy = Strategy::Toeplitz(list.clone());
            for i in 0..list.len() {
                for j in 0..=i {
                    let rows = i..list.len();
                    let truth: rug::Rational = rows
                        .map(|row| exact(list[row - i]) * exact(list[row - j]))
                        .sum();
                    let found = strategy.product(i, j);
                    assert!(
                        found.lo <= truth && truth <= found.hi,
                        "{list:?} {i} {j}: {found:?}"
                    );
                    assert!(found.width() <= 1e-13, "{list:?} {i} {j}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_strategy_is_refused() {
        let upper = Strategy::Matrix(vec![vec![1.0, 1.0], vec![0.0, 1.0]]);
        let ragged = Strategy::Matrix(vec![vec![1.0], vec![0.0, 1.0]]);
        let endless = Strategy::Toeplitz(vec![1.0, f64::INFINITY]);
        for bad in [upper, ragged, endless, Strategy::Toeplitz(Vec::new())] {
            assert!(sensitivity(&bad, 1, 1).is_err(), "{bad:?}");
        }
        let good = Strategy::Toeplitz(vec![1.0, 0.5]);
        assert!(sensitivity(&good, 0, 1).is_err() && sensitivity(&good, 1, 0).is_err());
    }
}
