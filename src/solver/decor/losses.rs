//! The users' losses.

use crate::problem::loss::LossName;
use crate::problem::{Dataset, Problem, ProblemError, Regulariser};
use std::iter::StepBy;
use std::ops::Range;
use std::sync::Arc;

/// Losses L_i = (1/m_i) Σ_k ℓ(·, ξ_i^k) of n users over models in ℝᵈ.
///
/// ```
/// use dp_assay::solver::decor::{LeastSquares, LinearLosses, LocalLosses};
///
/// let mut gradient = [0.0; 2];
/// let squares = LeastSquares { scales: vec![1.0], targets: vec![vec![0.5, 0.0]] };
/// squares.gradient(0, 0, &[1.0, 1.0], &mut gradient);
/// assert_eq!(gradient, [0.5, 1.0]); // x − b
/// let linear = LinearLosses { examples: vec![vec![vec![3.0, 4.0]]] };
/// linear.gradient(0, 0, &[1.0, 1.0], &mut gradient);
/// assert_eq!(gradient, [3.0, 4.0]); // the example itself
/// ```
pub trait LocalLosses: Sync {
    /// n.
    fn users(&self) -> usize;
    /// d.
    fn dimension(&self) -> usize;
    /// m_i, the number of examples of user i.
    fn examples(&self, user: usize) -> usize;
    /// Writes ∇f(x, ξ) of one example to `out`, the part of the gradient that is clipped; both slices have d entries.
    fn gradient(&self, user: usize, example: usize, x: &[f64], out: &mut [f64]);

    /// Adds ∇r(x) to `out`, r public and the same for all users: it is not clipped (`decor-alg-1-corrected`). Nothing
    /// unless there is one; where r is 0 Algorithm 1 is as printed.
    fn regularise(&self, x: &[f64], out: &mut [f64]) {
        let _ = (x, out);
    }

    /// Writes the mean of [`Self::gradient`] over all examples of a user to `out`.
    fn local_gradient(&self, user: usize, x: &[f64], out: &mut [f64]) {
        let count = self.examples(user);
        self.gradient(user, 0, x, out);
        let mut one = vec![0.0; if count > 1 { out.len() } else { 0 }];
        for example in 1..count {
            self.gradient(user, example, x, &mut one);
            out.iter_mut().zip(&one).for_each(|(sum, g)| *sum += g);
        }
        if count > 1 {
            out.iter_mut().for_each(|sum| *sum /= count as f64);
        }
    }
}

/// L_i(x) = ½‖A_i x − b_i‖² with A_i = a_i·I, one example per user: the task of §6.1 has
/// a_i = i/√n and b_i ~ N(0, I/i²).
#[derive(Clone, Debug, PartialEq)]
pub struct LeastSquares {
    /// a_i, n numbers.
    pub scales: Vec<f64>,
    /// b_i, n vectors of d entries.
    pub targets: Vec<Vec<f64>>,
}

impl LocalLosses for LeastSquares {
    fn users(&self) -> usize {
        self.scales.len()
    }

    fn dimension(&self) -> usize {
        self.targets.first().map_or(0, Vec::len)
    }

    fn examples(&self, _: usize) -> usize {
        1
    }

    fn gradient(&self, user: usize, _: usize, x: &[f64], out: &mut [f64]) {
        let a = self.scales[user];
        for ((out, x), b) in out.iter_mut().zip(x).zip(&self.targets[user]) {
            *out = a * (a * x - b);
        }
    }
}

/// ℓ(x, ξ) = ⟨ξ, x⟩: gradients that are data, the worst case for privacy (`decor-drv-2`).
#[derive(Clone, Debug, PartialEq)]
pub struct LinearLosses {
    /// The examples of every user, vectors of d entries.
    pub examples: Vec<Vec<Vec<f64>>>,
}

impl LocalLosses for LinearLosses {
    fn users(&self) -> usize {
        self.examples.len()
    }

    fn dimension(&self) -> usize {
        self.examples
            .first()
            .and_then(|own| own.first())
            .map_or(0, Vec::len)
    }

    fn examples(&self, user: usize) -> usize {
        self.examples[user].len()
    }

    fn gradient(&self, user: usize, example: usize, _: &[f64], out: &mut [f64]) {
        out.copy_from_slice(&self.examples[user][example]);
    }
}

/// A problem whose records are dealt out among users in turn: record k goes to user k mod n,
/// f(w, (x, y)) = ℓ(x·w, y) and r(w) = (ridge/2)‖w‖².
///
/// ```
/// use dp_assay::problem::Dataset;
/// use dp_assay::problem::loss::LossName;
/// use dp_assay::solver::decor::{LocalLosses, Split};
///
/// let split = Split::new(Dataset::breast_cancer(), LossName::Logistic, 0.01, 4)?;
/// assert_eq!((split.users(), split.dimension()), (4, 30));
/// assert_eq!(split.records(1).take(3).collect::<Vec<_>>(), [1, 5, 9]);
/// assert!(Split::new(Dataset::breast_cancer(), LossName::Logistic, 0.01, 0).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Split {
    problem: Problem,
    loss: LossName,
    users: usize,
    whole: bool,
}

/// Data that cannot be split so.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SplitError {
    /// Every user needs a record.
    #[error("{records} records among {users} users: every user needs one")]
    Users {
        /// Number of records.
        records: usize,
        /// Number of users.
        users: usize,
    },
    /// The loss does not go with the data.
    #[error(transparent)]
    Problem(#[from] ProblemError),
}

impl Split {
    /// Deals the records out.
    ///
    /// # Errors
    /// Fewer records than users, or no user; a target that the loss refuses; a bad ridge.
    pub fn new(
        data: impl Into<Arc<Dataset>>,
        loss: LossName,
        ridge: f64,
        users: usize,
    ) -> Result<Self, SplitError> {
        let problem = Problem::named(data, loss, Regulariser::None)?.with_ridge(ridge)?;
        let records = problem.records();
        match users == 0 || records < users {
            true => Err(SplitError::Users { records, users }),
            false => Ok(Self {
                problem,
                loss,
                users,
                whole: false,
            }),
        }
    }

    /// The same with the ridge as part of f, clipped with it: Algorithm 1 as printed, for which no loss meets the
    /// assumptions of Theorem 2 (`decor-asm-joint`).
    #[must_use]
    pub fn printed(self) -> Self {
        Self {
            whole: true,
            ..self
        }
    }

    /// Whether the ridge is clipped with the loss, as printed.
    #[must_use]
    pub const fn is_printed(&self) -> bool {
        self.whole
    }

    /// The loss.
    #[must_use]
    pub const fn loss(&self) -> LossName {
        self.loss
    }

    /// What is split.
    #[must_use]
    pub const fn problem(&self) -> &Problem {
        &self.problem
    }

    /// The records of a user, in the order of its examples.
    pub fn records(&self, user: usize) -> StepBy<Range<usize>> {
        (user..self.problem.records()).step_by(self.users)
    }

    /// Adds `weight`·∇ℓ(x·w, y) of one record to `out`.
    fn add(&self, record: usize, w: &[f64], weight: f64, out: &mut [f64]) {
        let row = || self.problem.data().design().row(record);
        let margin: f64 = row().map(|(j, x)| x * w[j]).sum();
        let target = self.problem.data().targets()[record];
        let slope = weight * self.problem.loss().derivative(margin, target);
        row().for_each(|(j, x)| out[j] += slope * x);
    }

    /// 0, or the ridge's gradient where that is clipped too.
    fn begin(&self, w: &[f64], out: &mut [f64]) {
        let ridge = if self.whole {
            self.problem.ridge()
        } else {
            0.0
        };
        out.iter_mut().zip(w).for_each(|(out, w)| *out = ridge * w);
    }
}

impl LocalLosses for Split {
    fn users(&self) -> usize {
        self.users
    }

    fn dimension(&self) -> usize {
        self.problem.features()
    }

    fn examples(&self, user: usize) -> usize {
        self.records(user).len()
    }

    fn gradient(&self, user: usize, example: usize, w: &[f64], out: &mut [f64]) {
        self.begin(w, out);
        self.add(user + example * self.users, w, 1.0, out);
    }

    fn local_gradient(&self, user: usize, w: &[f64], out: &mut [f64]) {
        self.begin(w, out);
        let share = 1.0 / self.examples(user) as f64;
        self.records(user)
            .for_each(|record| self.add(record, w, share, out));
    }

    fn regularise(&self, w: &[f64], out: &mut [f64]) {
        if !self.whole {
            let ridge = self.problem.ridge();
            out.iter_mut().zip(w).for_each(|(out, w)| *out += ridge * w);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Losses that have no mean of their own.
    struct Three;

    impl LocalLosses for Three {
        fn users(&self) -> usize {
            1
        }

        fn dimension(&self) -> usize {
            2
        }

        fn examples(&self, _: usize) -> usize {
            3
        }

        fn gradient(&self, _: usize, example: usize, x: &[f64], out: &mut [f64]) {
            out.copy_from_slice(&[x[0] + example as f64, 4.0 * example as f64]);
        }
    }

    #[test]
    fn the_gradient_of_a_user_is_the_mean_over_the_examples() {
        let mut mean = [9.0; 2];
        Three.local_gradient(0, &[0.5, 0.0], &mut mean);
        assert_eq!(mean, [1.5, 4.0]);
    }
}
