//! The gradient of the data term on a set of coordinates, (1/n) Σ_i clip(I_S∇ℓ_i, C_S), kept while
//! some coordinates of θ move at a time.

use super::super::{Config, Counters};
use crate::problem::kernels::{clipped_dot, dot};
use crate::problem::{Column, Design, Loss, Problem};
use crate::solver::gram::Gram;

/// The gradient at θ, and what is needed to restart at the average of the iterates.
pub(super) struct DataGradient<'a> {
    problem: &'a Problem,
    kept: Cache<'a>,
    /// The margins (or gradient sums) at the average of this round, where that is less work than
    /// computing them at the restart.
    averaged: Option<Vec<f64>>,
    entries_read: u64,
}

enum Cache<'a> {
    /// Gram form: n times the gradient, and columns of n times the Hessian.
    Gram { sums: Vec<f64>, gram: Gram },
    /// Residual form.
    Margins(Margins<'a>),
}

impl<'a> DataGradient<'a> {
    /// The gradient at the configuration's start.
    pub(super) fn new(problem: &'a Problem, config: &'a Config) -> Self {
        let (d, stored) = (problem.features(), problem.data().design().stored());
        let gram = gram_pays(problem, config);
        let kept = match gram {
            true => Cache::Gram {
                sums: sums_at(problem, &config.start),
                gram: Gram::new(problem, d),
            },
            false => Cache::Margins(Margins::new(problem, problem.margins(&config.start))),
        };
        let per_move = match gram {
            true => d as f64,
            false => stored as f64 / d as f64,
        };
        let moves = config.inner as f64 * config.sampling.mean_size();
        let restarts = config.outer > 1 && config.inner > 1;
        let pays = restarts && moves * per_move < stored as f64;
        let averaged = pays.then(|| match &kept {
            Cache::Gram { sums, .. } => sums.clone(),
            Cache::Margins(margins) => margins.margins.clone(),
        });
        Self {
            problem,
            kept,
            averaged,
            entries_read: 2 * stored as u64,
        }
    }

    pub(super) fn counters(&self) -> Counters {
        let (read, columns) = match &self.kept {
            Cache::Gram { gram, .. } => (gram.entries_read(), gram.computed()),
            Cache::Margins(_) => (0, 0),
        };
        Counters {
            entries_read: self.entries_read + read,
            gram_columns: columns,
            ..Counters::default()
        }
    }

    /// The entries of the clipped gradient on S, in the order of S.
    pub(super) fn partials(&mut self, set: &[usize], radius: f64, out: &mut Vec<f64>) {
        let n = self.problem.records() as f64;
        out.clear();
        match &mut self.kept {
            Cache::Gram { sums, .. } => out.extend(set.iter().map(|&j| sums[j] / n)),
            Cache::Margins(margins) => {
                let design = self.problem.data().design();
                self.entries_read += margins.sums(design, set, radius, out);
                out.iter_mut().for_each(|sum| *sum /= n);
            }
        }
    }

    /// Follows θ_j ← θ_j + δ_j on S; the average moves by `share` as much.
    pub(super) fn advance(&mut self, set: &[usize], changes: &[f64], share: f64) {
        let design = self.problem.data().design();
        let moves = || set.iter().copied().zip(changes.iter().copied());
        match &mut self.kept {
            Cache::Gram { sums, gram } => {
                for (j, change) in moves().filter(|m| m.1 != 0.0) {
                    gram.add_column(design, j, change, sums);
                    if let Some(averaged) = &mut self.averaged {
                        gram.add_column(design, j, share * change, averaged);
                    }
                }
            }
            Cache::Margins(margins) => {
                for (j, change) in moves().filter(|m| m.1 != 0.0) {
                    design.add_column(j, change, &mut margins.margins);
                    if let Some(averaged) = &mut self.averaged {
                        design.add_column(j, share * change, averaged);
                    }
                }
                self.entries_read += margins.refresh(design, set);
            }
        }
    }

    /// Follows θ ← w, the average.
    pub(super) fn restart(&mut self, w: &[f64]) {
        if self.averaged.is_none() {
            self.entries_read += self.problem.data().design().stored() as u64;
        }
        match (&mut self.kept, &self.averaged) {
            (Cache::Gram { sums, .. }, Some(averaged)) => sums.copy_from_slice(averaged),
            (Cache::Gram { sums, .. }, None) => *sums = sums_at(self.problem, w),
            (Cache::Margins(margins), averaged) => {
                match averaged {
                    Some(averaged) => margins.margins.copy_from_slice(averaged),
                    None => margins.margins = self.problem.margins(w),
                }
                margins.refresh_all();
            }
        }
    }
}

/// n times the gradient of the data term.
fn sums_at(problem: &Problem, w: &[f64]) -> Vec<f64> {
    let design = problem.data().design();
    let margins = Margins::new(problem, problem.margins(w));
    let sum = |j| design.column(j).dot(&margins.slopes);
    (0..problem.features()).map(sum).collect()
}

/// Whether the Gram form is possible and less work, counted in multiplications: a move costs d instead
/// of about two passes over an average column, and the first move of every coordinate a pass over X.
fn gram_pays(problem: &Problem, config: &Config) -> bool {
    let (d, stored) = (problem.features(), problem.data().design().stored() as f64);
    let moves = config.length() as f64 * config.sampling.mean_size();
    let gram = moves * d as f64 + moves.min(d as f64) * stored;
    let residual = moves * 2.0 * stored / d as f64;
    let possible = problem.loss().is_quadratic() && config.clipping.is_none();
    possible && Gram::fits(d, d) && gram < residual
}

/// Margins u = Xθ and slopes s_i = ℓ′(u_i, y_i).
struct Margins<'a> {
    loss: &'a dyn Loss,
    targets: &'a [f64],
    margins: Vec<f64>,
    slopes: Vec<f64>,
    /// Room for one number per record; zeros between calls.
    scratch: Vec<f64>,
}

impl<'a> Margins<'a> {
    fn new(problem: &'a Problem, margins: Vec<f64>) -> Self {
        let mut new = Self {
            loss: problem.loss(),
            targets: problem.data().targets(),
            slopes: vec![0.0; margins.len()],
            scratch: vec![0.0; margins.len()],
            margins,
        };
        new.refresh_all();
        new
    }

    fn refresh_all(&mut self) {
        self.loss
            .derivatives(&self.margins, self.targets, &mut self.slopes);
    }

    /// Recomputes the slopes of the records that S touches; returns the number of entries read.
    fn refresh(&mut self, design: &Design, set: &[usize]) -> u64 {
        match design {
            Design::Dense(dense) => {
                self.refresh_all();
                (set.len() * dense.column(0).len()) as u64
            }
            Design::Sparse(sparse) => {
                let read: usize = set.iter().map(|&j| sparse.column(j).0.len()).sum();
                if read >= self.margins.len() {
                    self.refresh_all();
                    return read as u64;
                }
                for &i in set.iter().flat_map(|&j| sparse.column(j).0) {
                    let i = i as usize;
                    self.slopes[i] = self.loss.derivative(self.margins[i], self.targets[i]);
                }
                read as u64
            }
        }
    }

    /// Σ_i of the clipped gradients' entries on S; returns the number of entries read.
    fn sums(&mut self, design: &Design, set: &[usize], radius: f64, out: &mut Vec<f64>) -> u64 {
        let mut read = set.iter().map(|&j| entries(design.column(j))).sum();
        match (set, radius) {
            (_, f64::INFINITY) => {
                let sum = |&j: &usize| design.column(j).dot(&self.slopes);
                out.extend(set.iter().map(sum));
            }
            ([j], _) => out.push(clipped_sum(design.column(*j), &self.slopes, radius)),
            _ => {
                self.block_sums(design, set, radius, out);
                read *= 2;
            }
        }
        read
    }

    /// As [`Margins::sums`] for a set of two or more. A record's gradient on S is s_i x_{iS}: clipping it to
    /// the ball is scaling s_i.
    fn block_sums(&mut self, design: &Design, set: &[usize], radius: f64, out: &mut Vec<f64>) {
        for &j in set {
            for (i, x) in design.column(j).iter() {
                self.scratch[i] += x * x;
            }
        }
        let scaled = |slope: f64, squares: f64| {
            let norm = slope.abs() * squares.sqrt();
            if norm > radius {
                slope * (radius / norm)
            } else {
                slope
            }
        };
        if let Design::Dense(dense) = design {
            for (squares, slope) in self.scratch.iter_mut().zip(&self.slopes) {
                *squares = scaled(*slope, *squares);
            }
            out.extend(set.iter().map(|&j| dot(dense.column(j), &self.scratch)));
            self.scratch.fill(0.0);
            return;
        }
        for &j in set {
            let term = |(i, x): (usize, f64)| x * scaled(self.slopes[i], self.scratch[i]);
            out.push(design.column(j).iter().map(term).sum());
        }
        for &j in set {
            for (i, _) in design.column(j).iter() {
                self.scratch[i] = 0.0;
            }
        }
    }
}

fn entries(column: Column<'_>) -> u64 {
    match column {
        Column::Dense(values) | Column::Sparse { values, .. } => values.len() as u64,
    }
}

/// Σ_i clip(s_i x_i, radius) over a column's stored entries.
fn clipped_sum(column: Column<'_>, slopes: &[f64], radius: f64) -> f64 {
    match column {
        Column::Dense(x) => clipped_dot(x, slopes, radius),
        Column::Sparse { .. } => {
            let term = |(i, x): (usize, f64)| (slopes[i] * x).min(radius).max(-radius);
            column.iter().map(term).sum()
        }
    }
}
