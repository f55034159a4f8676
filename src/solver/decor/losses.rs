//! The users' losses.

use crate::problem::{Dataset, Loss};
use std::sync::Arc;

/// Losses L_i = (1/m_i) Σ_k ℓ(·, ξ_i^k) of n users over models in ℝᵈ.
pub trait LocalLosses: Sync {
    /// n.
    fn users(&self) -> usize;
    /// d.
    fn dimension(&self) -> usize;
    /// m_i, the number of examples of user i.
    fn examples(&self, user: usize) -> usize;
    /// Writes ∇ℓ(x, ξ) of one example to `out`; both slices have d entries.
    fn gradient(&self, user: usize, example: usize, x: &[f64], out: &mut [f64]);

    /// Writes ∇L_i(x) to `out`.
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
pub struct Linear {
    /// The examples of every user, vectors of d entries.
    pub examples: Vec<Vec<Vec<f64>>>,
}

impl LocalLosses for Linear {
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

/// The records of a data set, dealt out among users in turn, with one loss for all:
/// ℓ(x, ξ) = ℓ(ξ·x, y) + (ridge/2)‖x‖².
#[derive(Clone, Debug)]
pub struct Split {
    records: Vec<Vec<(Vec<f64>, f64)>>,
    dimension: usize,
    loss: Arc<dyn Loss>,
    ridge: f64,
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
    /// A target that the loss does not take.
    #[error("record {row}: target {value} {rule} for the {loss} loss")]
    Target {
        /// The record, counted from 0.
        row: usize,
        /// Its target.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
        /// The loss.
        loss: &'static str,
    },
    /// A bad ridge.
    #[error("ridge {0} must be finite and >= 0")]
    Ridge(f64),
}

impl Split {
    /// Record i goes to user i mod n.
    ///
    /// # Errors
    /// Fewer records than users, or no user; a target that the loss refuses; a bad ridge.
    pub fn new(
        data: &Dataset,
        loss: impl Loss + 'static,
        ridge: f64,
        users: usize,
    ) -> Result<Self, SplitError> {
        let count = data.records();
        if users == 0 || count < users {
            return Err(SplitError::Users {
                records: count,
                users,
            });
        }
        if !(ridge.is_finite() && ridge >= 0.0) {
            return Err(SplitError::Ridge(ridge));
        }
        let mut records = vec![Vec::new(); users];
        for (row, &value) in data.targets().iter().enumerate() {
            if let Some(rule) = loss.refuses(value) {
                let loss = loss.name();
                return Err(SplitError::Target {
                    row,
                    value,
                    rule,
                    loss,
                });
            }
            let mut features = vec![0.0; data.features()];
            for (j, x) in data.design().row(row) {
                features[j] = x;
            }
            records[row % users].push((features, value));
        }
        Ok(Self {
            records,
            dimension: data.features(),
            loss: Arc::new(loss),
            ridge,
        })
    }
}

impl LocalLosses for Split {
    fn users(&self) -> usize {
        self.records.len()
    }

    fn dimension(&self) -> usize {
        self.dimension
    }

    fn examples(&self, user: usize) -> usize {
        self.records[user].len()
    }

    fn gradient(&self, user: usize, example: usize, x: &[f64], out: &mut [f64]) {
        let (features, target) = &self.records[user][example];
        let margin: f64 = features.iter().zip(x).map(|(a, x)| a * x).sum();
        let slope = self.loss.derivative(margin, *target);
        for ((out, a), x) in out.iter_mut().zip(features).zip(x) {
            *out = slope * a + self.ridge * x;
        }
    }
}
