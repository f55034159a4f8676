//! Pairs of neighbouring problems, for audits.

use super::constants::{Constants, ConstantsError};
use super::dataset::{Dataset, DatasetError};
use super::design::{Dense, Design, Sparse};
use super::erm::{Problem, ProblemError};
use super::loss::Linear;
use super::regulariser::Regulariser;
use crate::units::Neighbouring;

/// Two problems that differ only in data, and the relation between those.
#[derive(Clone, Debug)]
pub struct Pair {
    /// The problem on D.
    pub first: Problem,
    /// The problem on D′.
    pub second: Problem,
    /// How D and D′ are related.
    pub relation: Neighbouring,
}

/// Why there is no such pair.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum PairError {
    /// A record that does not exist.
    #[error("record {row} of {records}")]
    Record {
        /// The record asked for, counted from 0.
        row: usize,
        /// Number of records.
        records: usize,
    },
    /// A vector of the wrong length.
    #[error("{what} given for {found} coordinates, expected {expected}")]
    Count {
        /// What was given.
        what: &'static str,
        /// Number given.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// A score that no common records can produce.
    #[error("score {score} of coordinate {coordinate}: its modulus must be at most {limit}")]
    Score {
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// The score asked for.
        score: f64,
        /// The largest possible: L_j (n − 1)/(n √M_j).
        limit: f64,
    },
    /// The changed data is not a data set.
    #[error(transparent)]
    Dataset(#[from] DatasetError),
    /// The changed data does not fit the loss.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// Unsound constants.
    #[error(transparent)]
    Constants(#[from] ConstantsError),
}

/// The worst-case pair of DP-GCD (gcd-pair): linear loss ℓ(w; d) = d·w, so that ∇f is the mean
/// record whatever w. All records but the last agree and put coordinate k's score at y_k; the last
/// is −(s_k L_k)_k in D and +(s_k L_k)_k in D′. At every step of every run,
/// g_k(D′) − g_k(D) = 2 s_k L_k / n, the full sensitivity in all coordinates at once.
///
/// ```
/// use dp_assay::problem::neighbours::LinearPair;
///
/// let pair = LinearPair {
///     records: 5,
///     lipschitz: vec![1.0, 0.5],
///     smoothness: vec![1.0, 4.0],
///     scores: vec![0.5, 0.0],
///     rises: vec![true, false],
/// };
/// let pair = pair.build()?;
/// let w = [1.0, -7.0]; // any point will do
/// let (first, second) = (pair.first.gradient(&w), pair.second.gradient(&w));
/// assert!((second[0] - first[0] - 2.0 * 1.0 / 5.0).abs() < 1e-12);
/// assert!((second[1] - first[1] + 2.0 * 0.5 / 5.0).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct LinearPair {
    /// Number of records n.
    pub records: usize,
    /// L_k.
    pub lipschitz: Vec<f64>,
    /// M_k.
    pub smoothness: Vec<f64>,
    /// y_k: g_k/√M_k halfway between D and D′, with |y_k| √M_k ≤ L_k (n − 1)/n.
    pub scores: Vec<f64>,
    /// Whether s_k = +1 (coordinate k's gradient is larger on D′) or −1.
    pub rises: Vec<bool>,
}

impl LinearPair {
    /// Builds the two problems.
    ///
    /// # Errors
    /// If the lengths differ, a constant is unsound or a score is out of reach.
    pub fn build(self) -> Result<Pair, PairError> {
        let (n, expected) = (self.records, self.lipschitz.len());
        for (what, found) in [("scores", self.scores.len()), ("signs", self.rises.len())] {
            if found != expected {
                return Err(PairError::Count {
                    what,
                    found,
                    expected,
                });
            }
        }
        let constants = Constants::new(self.lipschitz, self.smoothness)?;
        let common = common_record(&constants, &self.scores, n)?;
        let side = |flip: f64| -> Result<Problem, PairError> {
            let last = |k: usize| match self.rises[k] {
                true => flip * constants.lipschitz()[k],
                false => -flip * constants.lipschitz()[k],
            };
            let column = |k: usize| (1..=n).map(move |i| (i == n, k));
            let values = (0..expected).flat_map(column);
            let values = values.map(|(is_last, k)| if is_last { last(k) } else { common[k] });
            let design = Dense::from_columns(n, expected, values.collect());
            let design = design.map_err(DatasetError::from)?;
            let data = Dataset::new("linear-loss pair", design, vec![0.0; n])?;
            let problem = Problem::new(data, Linear, Regulariser::None)?;
            Ok(problem.with_constants(constants.clone())?)
        };
        Ok(Pair {
            first: side(-1.0)?,
            second: side(1.0)?,
            relation: Neighbouring::ReplaceOne,
        })
    }
}

/// The record that n − 1 persons share: its entries c_k have (n − 1) c_k/n = √M_k y_k.
fn common_record(constants: &Constants, scores: &[f64], n: usize) -> Result<Vec<f64>, PairError> {
    let others = n.saturating_sub(1) as f64 / n as f64;
    let entry = |coordinate: usize| {
        let (l, root) = (
            constants.lipschitz()[coordinate],
            constants.smoothness()[coordinate].sqrt(),
        );
        let (score, limit) = (scores[coordinate], l * others / root);
        match score {
            0.0 => Ok(0.0),
            y if y.abs() <= limit => Ok((root * y / others).clamp(-l, l)),
            _ => Err(PairError::Score {
                coordinate,
                score,
                limit,
            }),
        }
    };
    (0..scores.len()).map(entry).collect()
}

impl Pair {
    /// D is `problem`'s data, D′ the same with record `row` replaced. The constants stay those of
    /// `problem`, as they would if they were public.
    ///
    /// ```
    /// use dp_assay::problem::loss::Logistic;
    /// use dp_assay::problem::neighbours::Pair;
    /// use dp_assay::problem::{Dataset, Problem, Regulariser};
    /// use dp_assay::units::Neighbouring;
    ///
    /// let problem = Problem::new(Dataset::breast_cancer(), Logistic, Regulariser::None)?;
    /// let pair = Pair::replacing(&problem, 0, &[0.0; 30], 1.0)?;
    /// assert_eq!(pair.relation, Neighbouring::ReplaceOne);
    /// assert_eq!((pair.first.data().targets()[0], pair.second.data().targets()[0]), (-1.0, 1.0));
    /// assert!(Pair::replacing(&problem, 569, &[0.0; 30], 1.0).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no such record, or the new one does not fit the data and loss.
    pub fn replacing(
        problem: &Problem,
        row: usize,
        features: &[f64],
        target: f64,
    ) -> Result<Self, PairError> {
        let (records, expected) = (problem.records(), problem.features());
        if row >= records {
            return Err(PairError::Record { row, records });
        }
        if features.len() != expected {
            let (what, found) = ("features", features.len());
            return Err(PairError::Count {
                what,
                found,
                expected,
            });
        }
        let design = with_row(problem.data().design(), row, features)?;
        let mut targets = problem.data().targets().to_vec();
        targets[row] = target;
        let data = Dataset::new(problem.data().name(), design, targets)?;
        Ok(Self {
            first: problem.clone(),
            second: problem.with_data(data)?,
            relation: Neighbouring::ReplaceOne,
        })
    }
}

fn with_row(design: &Design, row: usize, features: &[f64]) -> Result<Design, DatasetError> {
    let (n, p) = (design.rows(), design.columns());
    Ok(match design {
        Design::Dense(dense) => {
            let mut values = dense.values().to_vec();
            for (column, x) in values.chunks_exact_mut(n).zip(features) {
                column[row] = *x;
            }
            Dense::from_columns(n, p, values)?.into()
        }
        Design::Sparse(_) => {
            let old = |j| design.column(j).iter().map(move |(i, x)| (i, j, x));
            let kept = (0..p).flat_map(old).filter(|entry| entry.0 != row);
            let new = features.iter().enumerate().map(|(j, &x)| (row, j, x));
            Sparse::from_entries(n, p, &kept.chain(new).collect::<Vec<_>>())?.into()
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{LinearPair, Pair};
    use crate::problem::{Problem, Regulariser, dataset, loss::Logistic};

    // Values below 4 and three operations each: 1e-14 is 10 times their rounding.
    const ROUNDING: f64 = 1e-14;

    #[test]
    fn gradients_of_the_linear_pair_differ_by_the_full_sensitivity() {
        let lipschitz = vec![1.0, 0.25, 3.0];
        let pair = LinearPair {
            records: 5,
            lipschitz: lipschitz.clone(),
            smoothness: vec![1.0, 4.0, 0.5],
            scores: vec![0.8, -0.1, 0.0],
            rises: vec![true, false, true],
        };
        let pair = pair.build().expect("scores within reach");
        for w in [[0.0, 0.0, 0.0], [1.0, -7.0, 0.5]] {
            let (g, h) = (pair.first.gradient(&w), pair.second.gradient(&w));
            for (k, sign) in [1.0, -1.0, 1.0].into_iter().enumerate() {
                assert!((h[k] - g[k] - sign * 2.0 * lipschitz[k] / 5.0).abs() < ROUNDING);
            }
            assert!((0.5 * (g[0] + h[0]) - 0.8).abs() < ROUNDING);
            assert!((0.5 * (g[1] + h[1]) / 2.0 + 0.1).abs() < ROUNDING);
        }
    }

    #[test]
    fn a_score_out_of_reach_is_refused() {
        let pair = LinearPair {
            records: 4,
            lipschitz: vec![1.0],
            smoothness: vec![1.0],
            scores: vec![0.76],
            rises: vec![true],
        };
        let message = pair.build().expect_err("0.76 > 3/4").to_string();
        assert!(
            message.contains("0.76") && message.contains("0.75"),
            "{message}"
        );
    }

    #[test]
    fn replacing_changes_one_record_and_nothing_else() {
        let data = dataset::table(&[[1.0, 2.0], [3.0, 4.0]], vec![1.0, -1.0]);
        let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
        let pair = Pair::replacing(&problem, 1, &[5.0, 6.0], 1.0).expect("fits");
        let rows = |p: &Problem, i| p.data().design().row(i).map(|e| e.1).collect::<Vec<_>>();
        assert_eq!(rows(&pair.second, 0), [1.0, 2.0]);
        assert_eq!(rows(&pair.second, 1), [5.0, 6.0]);
        assert_eq!(pair.second.constants(), pair.first.constants());
        assert!(Pair::replacing(&problem, 2, &[0.0, 0.0], 1.0).is_err());
        assert!(Pair::replacing(&problem, 0, &[0.0], 1.0).is_err());
    }
}
