//! The non-private optimum of a problem, with a certified gap.
//!
//! Least squares without a kink is solved by Cholesky. Everything else by working sets and proximal
//! Newton: one pass over X finds the coordinates that break optimality most (columns that cannot are left out
//! of later passes); on these few the loss is replaced
//! by its second-order model, the model plus ridge and ψ is minimised by cyclic coordinate descent, and a
//! backtracking line search keeps F from rising; then the next pass. What is returned is judged by
//! its gap, not by trust in the method.
//!
//! ```
//! use dp_assay::problem::loss::Squared;
//! use dp_assay::problem::optimum::{gap_upper, optimum};
//! use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
//!
//! let data = Dataset::new("two", Dense::from_rows(&[[1.0], [0.0]])?, vec![1.0, 0.0])?;
//! let problem = Problem::new(data, Squared, Regulariser::None)?.with_ridge(0.1)?;
//! let best = optimum(&problem, 1e-9, 50);
//! assert!(best.gap_upper <= 1e-9);
//! assert!((best.w[0] - 5.0 / 6.0).abs() < 1e-3); // (w - 1)/2 + 0.1 w = 0
//! assert!(gap_upper(&problem, &[0.0]) >= problem.objective(&[0.0]) - best.objective);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod gap;
mod model;

pub use gap::gap_upper;

use super::columns::for_columns;
use super::erm::Problem;
use super::regulariser::Regulariser;
use gap::Subgradients;
use model::Restricted;
use nalgebra::{DMatrix, DVector};

/// A nearly optimal point.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimum {
    /// The point.
    pub w: Vec<f64>,
    /// F there.
    pub objective: f64,
    /// An upper bound on F(w) − min F, rounding of the gradient included; infinite when ψ and ridge
    /// give no bound on the distance to a minimiser.
    pub gap_upper: f64,
    /// Passes over X used; all but the first may leave out columns whose optimality is certain without.
    pub rounds: usize,
}

/// The violations on a working set are brought below this part of the largest of all.
const REDUCTION: f64 = 1e-4;
/// The working set has at least so many coordinates, and twice as many as there are non-zeros.
const SMALLEST: usize = 10;
/// Features up to which a p × p matrix is factorised.
const FACTORISED: usize = 3000;

/// Minimises F until the certified gap is at most `tolerance` or `rounds` passes are spent.
/// Starts from 0 (moved into the box if there is one).
#[must_use]
pub fn optimum(problem: &Problem, tolerance: f64, rounds: usize) -> Optimum {
    let mut w = least_squares(problem).unwrap_or_else(|| {
        let start = problem.regulariser().prox(1.0, 0.0);
        vec![start; problem.features()]
    });
    let mut working = Vec::new();
    let mut subgradients = Subgradients::new(problem);
    for round in 0..rounds {
        let margins = problem.margins(&w);
        let violations = subgradients.upper(&w, &margins);
        let gap_upper = gap::from_subgradient(problem, &w, &margins, &violations);
        if gap_upper <= tolerance {
            return Optimum {
                objective: problem.objective_at(&margins, &w),
                gap_upper,
                rounds: round + 1,
                w,
            };
        }
        let worst = violations.iter().copied().fold(0.0, f64::max);
        extend(&mut working, &w, &violations, REDUCTION * worst);
        // Violations this small would meet the tolerance everywhere: no need to go on below.
        let enough = match gap_upper.is_finite() {
            true => (0.1 * worst * tolerance / gap_upper).min(0.5 * worst),
            false => 0.0,
        };
        let target = enough.max(REDUCTION * worst);
        let mut restricted = Restricted::new(problem, &mut w, margins, &working);
        if !restricted.solve(target) {
            return finish(problem, w, round + 1);
        }
    }
    finish(problem, w, rounds)
}

fn finish(problem: &Problem, w: Vec<f64>, rounds: usize) -> Optimum {
    Optimum {
        objective: problem.objective(&w),
        gap_upper: gap_upper(problem, &w),
        rounds,
        w,
    }
}

/// Adds the coordinates with the largest violations above `least`.
fn extend(working: &mut Vec<usize>, w: &[f64], violations: &[f64], least: f64) {
    let support = w.iter().filter(|w| **w != 0.0).count();
    let mut taken = vec![false; w.len()];
    working.iter().for_each(|&j| taken[j] = true);
    let mut others: Vec<usize> = (0..w.len())
        .filter(|&j| !taken[j] && (violations[j] > least || w[j] != 0.0))
        .collect();
    others.sort_by(|&a, &b| violations[b].total_cmp(&violations[a]));
    let size = SMALLEST.max(2 * support).max(2 * working.len());
    others.truncate(size.saturating_sub(working.len()));
    working.append(&mut others);
    working.sort_unstable();
}

/// The solution of the normal equations, for a quadratic loss and ψ without a kink, if p is moderate and
/// they are regular.
fn least_squares(problem: &Problem) -> Option<Vec<f64>> {
    let l2 = match problem.regulariser() {
        Regulariser::None => 0.0,
        Regulariser::L2(weight) => weight,
        _ => return None,
    };
    let (p, n) = (problem.features(), problem.records() as f64);
    let curvature = problem.loss().curvature();
    if !problem.loss().is_quadratic() || curvature == 0.0 || p > FACTORISED {
        return None;
    }
    let design = problem.data().design();
    let mut hessian = DMatrix::zeros(p, p);
    let mut dense = vec![0.0; problem.records()];
    for j in 0..p {
        design.add_column(j, 1.0, &mut dense);
        let mut column = vec![0.0; j + 1];
        for_columns(design, &mut column, |k| {
            curvature * design.column(k).dot(&dense) / n
        });
        for (k, entry) in column.into_iter().enumerate() {
            (hessian[(j, k)], hessian[(k, j)]) = (entry, entry);
        }
        hessian[(j, j)] += problem.ridge() + l2;
        dense.fill(0.0);
    }
    // From 0 the Newton step of a quadratic is the minimiser.
    let gradient = DVector::from_vec(problem.gradient(&vec![0.0; p]));
    let solution = hessian.cholesky()?.solve(&-gradient);
    solution
        .iter()
        .all(|w| w.is_finite())
        .then(|| solution.data.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::dataset;
    use crate::problem::loss::Squared;

    /// Records (1, 0), (0, 2) and targets 1, 2 of ½(⟨x, w⟩ − y)², over 2 records: w_j = x_j·y_j/(x_j² + 2λ).
    #[test]
    fn a_quadratic_is_solved_at_once_with_and_without_a_ridge() {
        for (psi, ridge, all) in [
            (Regulariser::None, 0.0, 0.0),
            (Regulariser::None, 0.5, 0.5),
            (Regulariser::L2(0.25), 0.5, 0.75),
        ] {
            let data = dataset::table(&[[1.0, 0.0], [0.0, 2.0]], vec![1.0, 2.0]);
            let problem = Problem::new(data, Squared, psi).unwrap();
            let problem = problem.with_ridge(ridge).unwrap();
            let found = least_squares(&problem).expect("a regular matrix");
            let truth = [1.0 / (1.0 + 2.0 * all), 4.0 / (4.0 + 2.0 * all)];
            for (w, truth) in found.iter().zip(truth) {
                assert!((w - truth).abs() < 1e-14, "{ridge}: {found:?}");
            }
        }
    }
}
