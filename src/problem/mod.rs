//! Data sets, losses, regularisers and their constants: everything a solver is told.
//!
//! | module | what is in it |
//! |---|---|
//! | [`design`] | dense and sparse design matrices, column by column |
//! | [`dataset`] | a design with its targets; the embedded breast cancer data |
//! | [`load`] | svmlight and CSV files, gzipped or not, row by row |
//! | [`scaling`] | standardised columns (not private) |
//! | [`loss`] | losses ℓ(u, y) of the margin u = x·w |
//! | [`mixing`] | mixing matrices, their consensus rates |
//! | [`regulariser`] | separable ψ with proximal maps and greedy scores |
//! | [`constants`] | L_j, M_j, per-coordinate clipping thresholds |
//! | [`neighbours`] | pairs of neighbouring problems for audits |
//! | [`risk`] | empirical risks that need not be convex, with known KL constants |
//! | [`rows`] | records by row, in memory or streamed, for one-pass solvers |
//! | [`optimum`] | the non-private optimum with a certified gap |
//!
//! ```
//! use dp_assay::problem::loss::Logistic;
//! use dp_assay::problem::optimum::optimum;
//! use dp_assay::problem::{Dataset, Problem, Regulariser, scaling};
//!
//! let data = scaling::standardised(&Dataset::breast_cancer())?; // not private
//! let problem = Problem::new(data, Logistic, Regulariser::None)?.with_ridge(0.1)?;
//! let best = optimum(&problem, 1e-3, 50);
//! assert!(best.objective < problem.objective(&[0.0; 30]));
//! assert!(problem.accuracy(&best.w) > 0.9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub(crate) mod columns;
mod erm;
pub(crate) mod kernels;

pub mod constants;
pub mod dataset;
pub mod design;
pub mod load;
pub mod loss;
pub mod mixing;
pub mod neighbours;
pub mod optimum;
pub mod regulariser;
pub mod risk;
pub mod rows;
pub mod scaling;
#[cfg(test)]
mod tests;

pub use crate::graph::{self, Graph, GraphError};
pub use constants::Constants;
pub use dataset::Dataset;
pub use design::{Column, Dense, Design, Sparse};
pub use erm::{Problem, ProblemError, four_points};
pub use loss::Loss;
pub use mixing::{MixingError, MixingMatrix, Weights};
pub use regulariser::Regulariser;
