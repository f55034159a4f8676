//! The gradient of the data term, (1/n) Σ_i clip(ℓ′(u_i, y_i) x_ik, C_k), kept while one coordinate
//! of w moves at a time.

use super::super::{Config, Counters};
use crate::mechanism::clipping::clip;
use crate::problem::columns::for_columns;
use crate::problem::kernels::{clipped_dot, dot, max_abs};
use crate::problem::{Column, Design, Loss, Problem, Sparse};
use crate::solver::gram::Gram;

/// The gradient, with what is needed to move it.
pub(super) struct DataGradient<'a> {
    design: &'a Design,
    /// n times the gradient.
    sums: Vec<f64>,
    kept: Cache<'a>,
    counters: Counters,
}

enum Cache<'a> {
    /// Quadratic loss: columns of the Hessian.
    Gram(Gram),
    /// Dense design: the margins; one pass over X per move.
    Dense(Margins<'a>),
    /// Sparse design: the margins; only the terms of moved records are replaced.
    Sparse(Margins<'a>, &'a Sparse),
}

impl<'a> DataGradient<'a> {
    /// The gradient at the configuration's start.
    pub(super) fn new(problem: &'a Problem, config: &'a Config) -> Self {
        let design = problem.data().design();
        let p = problem.features();
        let margins = Margins::new(problem, config);
        let mut sums = vec![0.0; p];
        margins.sum_all(design, &mut sums);
        let slots = p.min(config.iterations - 1);
        let fits = Gram::fits(p, slots);
        let quadratic = problem.loss().is_quadratic() && config.clipping.is_none();
        let kept = match design {
            _ if quadratic && fits => Cache::Gram(Gram::new(problem, slots)),
            Design::Dense(_) => Cache::Dense(margins),
            Design::Sparse(sparse) => Cache::Sparse(margins, sparse),
        };
        let counters = Counters {
            full_gradients: 1,
            entries_read: 2 * design.stored() as u64,
            ..Counters::default()
        };
        Self {
            design,
            sums,
            kept,
            counters,
        }
    }

    /// Entry k.
    pub(super) fn mean(&self, k: usize) -> f64 {
        self.sums[k] / self.design.rows() as f64
    }

    pub(super) fn counters(&self) -> Counters {
        let mut counters = self.counters;
        if let Cache::Gram(gram) = &self.kept {
            counters.entries_read += gram.entries_read();
            counters.gram_columns += gram.computed();
        }
        counters
    }

    /// Follows w_j ← w_j + change.
    pub(super) fn advance(&mut self, j: usize, change: f64) {
        if change == 0.0 {
            return;
        }
        match &mut self.kept {
            Cache::Gram(gram) => gram.add_column(self.design, j, change, &mut self.sums),
            Cache::Dense(margins) => {
                self.design.add_column(j, change, &mut margins.margins);
                margins.refresh_slopes();
                margins.sum_all(self.design, &mut self.sums);
                //= gcd-cost
                self.counters.full_gradients += 1;
                self.counters.entries_read += (self.design.rows() + self.design.stored()) as u64;
            }
            Cache::Sparse(margins, sparse) => {
                self.counters.entries_read += margins.replace(sparse, j, change, &mut self.sums);
            }
        }
    }
}

/// Margins u = Xw and slopes s_i = ℓ′(u_i, y_i).
struct Margins<'a> {
    loss: &'a dyn Loss,
    targets: &'a [f64],
    margins: Vec<f64>,
    slopes: Vec<f64>,
    clipping: Option<Clipping<'a>>,
}

struct Clipping<'a> {
    thresholds: &'a [f64],
    /// max_i |x_ik|.
    column_max: Vec<f64>,
}

impl<'a> Margins<'a> {
    fn new(problem: &'a Problem, config: &'a Config) -> Self {
        let design = problem.data().design();
        let column_max = |k| design.column(k).max_abs();
        let mut margins = Self {
            loss: problem.loss(),
            targets: problem.data().targets(),
            margins: problem.margins(&config.start),
            slopes: vec![0.0; problem.records()],
            clipping: config.clipping.as_deref().map(|thresholds| Clipping {
                thresholds,
                column_max: (0..problem.features()).map(column_max).collect(),
            }),
        };
        margins.refresh_slopes();
        margins
    }

    fn refresh_slopes(&mut self) {
        self.loss
            .derivatives(&self.margins, self.targets, &mut self.slopes);
    }

    /// All sums from scratch: one pass over X.
    fn sum_all(&self, design: &Design, sums: &mut [f64]) {
        let largest = match self.clipping {
            Some(_) => max_abs(&self.slopes),
            None => 0.0,
        };
        for_columns(design, sums, |k| {
            let threshold = match &self.clipping {
                // Clipping that cannot bite is left out.
                Some(c) if largest * c.column_max[k] > c.thresholds[k] => Some(c.thresholds[k]),
                _ => None,
            };
            column_sum(design.column(k), &self.slopes, threshold)
        });
    }

    /// Moves the margins by `change`·X_j and replaces the terms of the records that moved; returns
    /// the number of entries read.
    fn replace(&mut self, sparse: &Sparse, j: usize, change: f64, sums: &mut [f64]) -> u64 {
        let (records, values) = sparse.column(j);
        let mut read = records.len();
        for (&i, &x) in records.iter().zip(values) {
            let i = i as usize;
            self.margins[i] += change * x;
            let old = self.slopes[i];
            let new = self.loss.derivative(self.margins[i], self.targets[i]);
            self.slopes[i] = new;
            let (columns, values) = sparse.by_row().line(i);
            read += columns.len();
            for (&k, &x) in columns.iter().zip(values) {
                let k = k as usize;
                sums[k] += match &self.clipping {
                    Some(c) => clip(new * x, c.thresholds[k]) - clip(old * x, c.thresholds[k]),
                    None => (new - old) * x,
                };
            }
        }
        read as u64
    }
}

/// Σ_i clip(s_i x_i, threshold) over a column's stored entries.
fn column_sum(column: Column<'_>, slopes: &[f64], threshold: Option<f64>) -> f64 {
    match (column, threshold) {
        (Column::Dense(x), None) => dot(x, slopes),
        (Column::Dense(x), Some(threshold)) => clipped_dot(x, slopes, threshold),
        (column, None) => column.iter().map(|(i, x)| slopes[i] * x).sum(),
        (column, Some(threshold)) => column
            .iter()
            .map(|(i, x)| clip(slopes[i] * x, threshold))
            .sum(),
    }
}
