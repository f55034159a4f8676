//! Mixing matrices: the weights with which users average their neighbours' models.
//!
//! ```
//! use dp_assay::problem::mixing::matrix;
//! use dp_assay::problem::{Graph, MixingMatrix, Weights};
//!
//! let path = Graph::path(3)?;
//! // The weights as printed are not symmetric, those of Metropolis and Hastings are.
//! assert_eq!(matrix(&path, Weights::Printed)?[(0, 1)], 0.5);
//! assert!(MixingMatrix::of(&path, Weights::Printed).is_err());
//! assert!(MixingMatrix::of(&path, Weights::MetropolisHastings).is_ok());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::graph::{Graph, spectrum};
use crate::float::{Enclosure, U};
use nalgebra::DMatrix;
use serde::{Deserialize, Serialize};

/// How the weights follow from the graph. Degrees count neighbours without the user itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Weights {
    /// 1/(deg(i) + 1) for j ∈ N_i and 0 elsewhere, the diagonal included, as printed with i ∉ N_i:
    /// no row adds up to 1, so it is never a mixing matrix.
    Printed,
    /// The printed weights with 1/(deg(i) + 1) on the diagonal: symmetric only where neighbours have
    /// equal degrees.
    WithSelf,
    /// 1/(1 + max(deg(i), deg(j))) on the edges, the rest on the diagonal.
    MetropolisHastings,
    /// (I + W)/2 of the Metropolis–Hastings weights: no negative eigenvalue.
    LazyMetropolisHastings,
    /// I − L/(k_max + 1).
    MaxDegree,
    /// I − 2L/(λ₂ + λ_n), the fastest of the form I − αL (Xiao and Boyd 2004, §4.1); entries may
    /// leave [0, 1].
    BestConstant,
    /// 1/n everywhere: complete averaging, which a complete graph allows.
    Uniform,
}

/// A matrix that is no mixing matrix (Definition 2), and why.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum MixingError {
    /// An entry outside [0, 1].
    #[error("mixing weight ({i}, {j}) = {value} must lie in [0, 1]")]
    Entry {
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// The entry.
        value: f64,
    },
    /// W_ij ≠ W_ji.
    #[error("mixing weight ({i}, {j}) = {value} must equal weight ({j}, {i}) = {mirrored}")]
    Asymmetric {
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// W_ij.
        value: f64,
        /// W_ji.
        mirrored: f64,
    },
    /// A row that does not add up to 1 within its rounding.
    #[error("row {i} of the mixing matrix adds up to {sum}, must be 1")]
    RowSum {
        /// The row.
        i: usize,
        /// Its sum.
        sum: f64,
    },
    /// A weight for a pair that is not joined.
    #[error("mixing weight ({i}, {j}) = {value} must be 0: the graph does not join {i} and {j}")]
    NotAnEdge {
        /// Row.
        i: usize,
        /// Column.
        j: usize,
        /// The entry.
        value: f64,
    },
    /// Not n × n, or too large.
    #[error(
        "a mixing matrix of {rows} x {columns} for {users} users (at most {limit})",
        limit = spectrum::DENSE_MAX
    )]
    Shape {
        /// Rows.
        rows: usize,
        /// Columns.
        columns: usize,
        /// Number of users.
        users: usize,
    },
}

/// The weights as an n × n matrix, whether or not it is a mixing matrix; row i holds with what weight user i takes the
/// models of all users (DECOR, Definition 2).
///
/// # Errors
/// More than [`spectrum::DENSE_MAX`] vertices.
pub fn matrix(graph: &Graph, weights: Weights) -> Result<DMatrix<f64>, MixingError> {
    let n = graph.n();
    if n > spectrum::DENSE_MAX {
        return Err(MixingError::Shape {
            rows: n,
            columns: n,
            users: n,
        });
    }
    let one_over = |k: usize| 1.0 / (k as f64 + 1.0);
    let of_edges = |edge: &dyn Fn(usize, usize) -> f64| {
        let mut w = DMatrix::zeros(n, n);
        for i in 0..n {
            for &j in graph.neighbours(i) {
                w[(i, j as usize)] = edge(i, j as usize);
            }
        }
        w
    };
    let hastings = || {
        completed(of_edges(&|i, j| {
            one_over(graph.degree(i).max(graph.degree(j)))
        }))
    };
    Ok(match weights {
        Weights::Printed => of_edges(&|i, _| one_over(graph.degree(i))),
        Weights::WithSelf => {
            let mut w = of_edges(&|i, _| one_over(graph.degree(i)));
            (0..n).for_each(|i| w[(i, i)] = one_over(graph.degree(i)));
            w
        }
        Weights::MetropolisHastings => hastings(),
        Weights::LazyMetropolisHastings => completed(0.5 * without_diagonal(hastings())),
        Weights::MaxDegree => {
            let weight = one_over(graph.max_degree());
            completed(of_edges(&|_, _| weight))
        }
        Weights::BestConstant => {
            let ends = extreme_eigenvalues(graph);
            let weight = ends.map_or(0.0, |(second, last)| 2.0 / (second + last));
            completed(of_edges(&|_, _| weight))
        }
        Weights::Uniform => DMatrix::from_element(n, n, 1.0 / n as f64),
    })
}

fn without_diagonal(mut w: DMatrix<f64>) -> DMatrix<f64> {
    w.fill_diagonal(0.0);
    w
}

/// What is left of 1 in every row goes to the diagonal.
fn completed(mut w: DMatrix<f64>) -> DMatrix<f64> {
    for i in 0..w.nrows() {
        w[(i, i)] = 1.0 - w.row(i).sum();
    }
    w
}

/// (λ₂, λ_n) of the Laplacian, in floating point; `None` without edges.
fn extreme_eigenvalues(graph: &Graph) -> Option<(f64, f64)> {
    let mut eigenvalues: Vec<f64> = graph
        .laplacian()
        .symmetric_eigenvalues()
        .iter()
        .copied()
        .collect();
    eigenvalues.sort_by(f64::total_cmp);
    let last = *eigenvalues.last()?;
    (graph.edge_count() > 0).then(|| (eigenvalues[1].max(0.0), last))
}

/// A mixing matrix (Definition 2): symmetric, entries in [0, 1], W1 = 1; n × n.
///
/// ```
/// use dp_assay::problem::mixing::heterogeneity;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
///
/// // Three users on a ring: everyone takes the mean of all, and agrees after one step.
/// let ring = Graph::ring(3)?;
/// let mixing = MixingMatrix::of(&ring, Weights::MetropolisHastings)?;
/// assert_eq!(mixing.users(), 3);
/// assert!(mixing.consensus_rate().lo > 0.999);
/// assert!(mixing.heterogeneity(&ring).is_some_and(|h| h < 1e-12));
/// assert_eq!(heterogeneity(&ring, mixing.matrix()), mixing.heterogeneity(&ring));
///
/// // Weight 1/3 on the ends of a path, which are not joined.
/// let path = Graph::path(3)?;
/// let uniform = MixingMatrix::new(MixingMatrix::of(&path, Weights::Uniform)?.matrix().clone())?;
/// assert!(uniform.require_support(&path).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct MixingMatrix {
    matrix: DMatrix<f64>,
}

impl MixingMatrix {
    /// The weights of a graph, checked.
    ///
    /// # Errors
    /// What Definition 2 asks and the weights lack.
    pub fn of(graph: &Graph, weights: Weights) -> Result<Self, MixingError> {
        Self::new(matrix(graph, weights)?)
    }

    /// Any matrix, checked. Row sums may be off by the rounding of n entries and their sum, 2nu.
    ///
    /// # Errors
    /// What Definition 2 asks and the matrix lacks.
    pub fn new(matrix: DMatrix<f64>) -> Result<Self, MixingError> {
        let n = matrix.nrows();
        if n == 0 || !matrix.is_square() || n > spectrum::DENSE_MAX {
            return Err(MixingError::Shape {
                rows: n,
                columns: matrix.ncols(),
                users: n,
            });
        }
        for i in 0..n {
            for j in 0..n {
                let (value, mirrored) = (matrix[(i, j)], matrix[(j, i)]);
                if !(0.0..=1.0).contains(&value) {
                    return Err(MixingError::Entry { i, j, value });
                }
                if value != mirrored {
                    return Err(MixingError::Asymmetric {
                        i,
                        j,
                        value,
                        mirrored,
                    });
                }
            }
            let sum = matrix.row(i).sum();
            if (sum - 1.0).abs() > 2.0 * n as f64 * U {
                return Err(MixingError::RowSum { i, sum });
            }
        }
        Ok(Self { matrix })
    }

    /// Checks that non-neighbours have no weight.
    ///
    /// # Errors
    /// The first pair that has; another number of users.
    pub fn require_support(&self, graph: &Graph) -> Result<(), MixingError> {
        let n = self.users();
        if graph.n() != n {
            return Err(MixingError::Shape {
                rows: n,
                columns: n,
                users: graph.n(),
            });
        }
        let joined = |i: usize, j: usize| graph.neighbours(i).binary_search(&(j as u32)).is_ok();
        for (i, j) in (0..n).flat_map(|i| (0..i).map(move |j| (i, j))) {
            let value = self.matrix[(i, j)];
            if value != 0.0 && !joined(i, j) {
                return Err(MixingError::NotAnEdge { i, j, value });
            }
        }
        Ok(())
    }

    /// Number of users n.
    #[must_use]
    pub fn users(&self) -> usize {
        self.matrix.nrows()
    }

    /// W, n × n.
    #[must_use]
    pub const fn matrix(&self) -> &DMatrix<f64> {
        &self.matrix
    }

    /// Encloses the consensus rate p of Assumption 5, p = 1 − ‖W − J‖₂² with J = 11ᵀ/n.
    #[must_use]
    pub fn consensus_rate(&self) -> Enclosure {
        //= decor-asm-5
        let deviation = self.matrix.add_scalar(-1.0 / self.users() as f64);
        let crude = row_sums_of_rounded(&deviation);
        let norm = match crude < NEGLIGIBLE {
            true => Enclosure::new(0.0, crude),
            false => spectral_norm_of_rounded(&deviation),
        };
        (1.0 - norm.square()).clamp(0.0, 1.0)
    }

    /// H_G(W) = Σ_{i,k} ‖W_i − W_k‖² 1{k ∈ N_i} / (2 Σ_{i,k} 1{k ∈ N_i}) over ordered pairs, with W_i
    /// the i-th row; `None` without edges. Relative rounding error below (n + |E| + 4)u.
    #[must_use]
    pub fn heterogeneity(&self, graph: &Graph) -> Option<f64> {
        //= decor-lem-8a-repaired
        heterogeneity(graph, &self.matrix)
    }
}

/// H_G(W) of any matrix, with rows; see [`MixingMatrix::heterogeneity`].
#[must_use]
pub fn heterogeneity(graph: &Graph, w: &DMatrix<f64>) -> Option<f64> {
    // Rows as columns, which are stored together.
    let rows = w.transpose();
    let apart = |(i, k)| (rows.column(i) - rows.column(k)).norm_squared();
    let count = graph.edge_count();
    (count > 0).then(|| graph.edges().map(apart).sum::<f64>() / (2.0 * count as f64))
}

/// A norm whose square is lost beside 1.
const NEGLIGIBLE: f64 = 1e-9;

/// At least ‖A‖₂ of a symmetric matrix with entries in [−1, 1], each off by at most 2u: its largest sum of moduli in a row.
fn row_sums_of_rounded(a: &DMatrix<f64>) -> f64 {
    let n = a.nrows() as f64;
    let sum = |column: nalgebra::DVectorView<'_, f64>| column.iter().map(|x| x.abs()).sum::<f64>();
    let largest = a.column_iter().map(sum).fold(0.0, f64::max);
    // n additions, and the entries' own rounding.
    (largest * (1.0 + 2.0 * n * U) + 2.0 * n * U).next_up()
}

/// ‖A‖₂ of a matrix with entries in [−1, 1], each off by at most 2u: the norm moves by 2nu at most.
fn spectral_norm_of_rounded(a: &DMatrix<f64>) -> Enclosure {
    let norm = spectrum::spectral_norm(a);
    let error = 2.0 * a.nrows() as f64 * U;
    Enclosure::new(
        (norm.lo - error).next_down().max(0.0),
        (norm.hi + error).next_up(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What n additions, and entries that are off by 2u each, may have lost of a sum of n ones: 2n²u and 2nu.
    #[test]
    fn rows_of_rounded_entries_sum_to_a_little_more() {
        for n in [1, 3, 10] {
            let found = row_sums_of_rounded(&DMatrix::from_element(n, n, 1.0));
            let n = n as f64;
            let (lost, more) = (2.0 * n * (n + 1.0), (found - n) / U);
            assert!(
                (lost..lost + 8.0 * n).contains(&more),
                "{n}: {more} of {lost}"
            );
        }
    }
}
