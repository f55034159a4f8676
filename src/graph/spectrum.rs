//! Eigenvalues with enclosures: computed in floating point, certified by factorisations.
//!
//! A symmetric A is certainly positive definite when the floating-point Cholesky factorisation of
//! A − cI succeeds and c covers its rounding, c ≥ n(n + 3)u·max Aᵢᵢ (Rump 2006, Theorem 2.3). Hence a
//! lower bound τ of the least eigenvalue is certified by factorising A − τI, and an upper bound is the
//! Rayleigh quotient of any vector.
//!
//! ```
//! use dp_assay::graph::Graph;
//! use dp_assay::graph::spectrum::{
//!     algebraic_connectivity, coarse_connectivity, connectivity_after_deletions, eccentricity,
//!     for_each_subset, least_eigenvalue, spectral_norm,
//! };
//!
//! // The complete graph on 5 vertices has connectivity 5, and 4 without any one of them.
//! let graph = Graph::complete(5)?;
//! let found = algebraic_connectivity(&graph).expect("more than one vertex");
//! assert!(found.lo <= 5.0 && 5.0 <= found.hi && found.hi - found.lo < 1e-6);
//! assert!(coarse_connectivity(&graph).lo <= 5.0);
//! assert!((connectivity_after_deletions(&graph, 1)?.lo - 4.0).abs() < 1e-6);
//! assert!((spectral_norm(&graph.laplacian()).hi - 5.0).abs() < 1e-6);
//! assert!(least_eigenvalue(&graph.laplacian()).lo.abs() < 1e-6);
//!
//! let mut pairs = 0;
//! for_each_subset(4, 2, &mut |_| pairs += 1);
//! assert_eq!(pairs, 6);
//! assert_eq!(eccentricity(&Graph::path(4)?, 0), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Graph, GraphError};
use crate::float::{Enclosure, U};
use nalgebra::{DMatrix, DVector};

/// Most vertices for which a dense eigenvalue problem is solved.
pub const DENSE_MAX: usize = 1200;

/// Encloses the algebraic connectivity a(G) = λ₂(L_G); `None` for one vertex, which has no second
/// eigenvalue. The lower end is 0 for a disconnected graph. Beyond [`DENSE_MAX`] vertices the
/// bounds are those of [`coarse_connectivity`].
#[must_use]
pub fn algebraic_connectivity(graph: &Graph) -> Option<Enclosure> {
    let n = graph.n();
    if n == 1 {
        return None;
    }
    if !graph.is_connected() {
        return Some(Enclosure::point(0.0));
    }
    let coarse = coarse_connectivity(graph);
    if n > DENSE_MAX {
        return Some(coarse);
    }
    // L + (n/n)·11ᵀ has the eigenvalue n ≥ λₙ in place of the 0 of the constant vectors.
    let shifted = graph.laplacian().add_scalar(1.0);
    let found = least_eigenvalue(&shifted);
    let (lo, hi) = (found.lo.max(coarse.lo), found.hi.min(coarse.hi));
    Some(Enclosure::new(lo, hi))
}

/// 4/(nD) ≤ a(G) ≤ n·k_min/(n − 1) for a connected graph with n ≥ 2 and diameter D (Mohar 1991,
/// Theorem 4.2; Fiedler 1973), D bounded by twice the eccentricity of vertex 0.
#[must_use]
pub fn coarse_connectivity(graph: &Graph) -> Enclosure {
    let n = graph.n() as f64;
    let diameter = 2.0 * eccentricity(graph, 0).max(1) as f64;
    let lower = Enclosure::point(4.0) / (Enclosure::point(n) * diameter);
    let upper = Enclosure::point(n) * graph.min_degree() as f64 / (n - 1.0);
    Enclosure::new(lower.lo, upper.hi)
}

/// Encloses the least a(G − I) over all sets I of q vertices, trying them all; q ≤ n − 2.
///
/// # Errors
/// q > n − 2; more than 10⁵ sets, or more than [`DENSE_MAX`] vertices.
pub fn connectivity_after_deletions(graph: &Graph, q: usize) -> Result<Enclosure, GraphError> {
    let refuse = |value: usize, rule| GraphError::Parameter {
        family: "deletions",
        parameter: "number of vertices",
        value: value as f64,
        rule,
    };
    let n = graph.n();
    if n < 2 || q > n - 2 {
        return Err(refuse(q, "must leave at least two vertices"));
    }
    if graph.is_complete() {
        // So is what is left, and n − q is its only eigenvalue besides 0.
        return Ok(Enclosure::point((n - q) as f64));
    }
    let count = (0..q).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
    if count > 1e5 || n > DENSE_MAX {
        return Err(refuse(q, "leaves too many subgraphs to try"));
    }
    let mut least = Enclosure::point(f64::INFINITY);
    for_each_subset(n, q, &mut |deleted| {
        let left = graph.induced(|i| !deleted.contains(&i));
        if let Some(a) = left.and_then(|(g, _)| algebraic_connectivity(&g)) {
            least = least.min(a);
        }
    });
    Ok(least)
}

/// Calls `visit` with every subset of q of 0, …, n − 1, in ascending order.
pub fn for_each_subset(n: usize, q: usize, visit: &mut impl FnMut(&[usize])) {
    fn extend(n: usize, q: usize, chosen: &mut Vec<usize>, visit: &mut impl FnMut(&[usize])) {
        if chosen.len() == q {
            return visit(chosen);
        }
        let first = chosen.last().map_or(0, |last| last + 1);
        let missing = q - chosen.len();
        for next in first..=n.saturating_sub(missing) {
            if next < n {
                chosen.push(next);
                extend(n, q, chosen, visit);
                chosen.pop();
            }
        }
    }
    extend(n, q, &mut Vec::with_capacity(q), visit);
}

/// Encloses ‖A‖₂ of a symmetric matrix: the larger of −λ_min(A) and λ_max(A).
#[must_use]
pub fn spectral_norm(a: &DMatrix<f64>) -> Enclosure {
    if a.nrows() == 0 {
        return Enclosure::point(0.0);
    }
    let top = -least_eigenvalue(&-a);
    let bottom = -least_eigenvalue(a);
    let norm = top.max(bottom);
    Enclosure::new(norm.lo.max(0.0), norm.hi.max(0.0))
}

/// Encloses the least eigenvalue of a symmetric matrix.
#[must_use]
pub fn least_eigenvalue(a: &DMatrix<f64>) -> Enclosure {
    let eigen = a.clone().symmetric_eigen();
    let at = eigen.eigenvalues.imin();
    let guess = eigen.eigenvalues[at];
    let upper = rayleigh_upper(a, &eigen.eigenvectors.column(at).into_owned());
    let size = (0..a.nrows()).fold(0.0f64, |m, i| m.max(row_sum_upper(a, i)));
    let mut slack = 4.0 * rounding(a.nrows(), size);
    // The gap doubles until the factorisation succeeds; Gershgorin's bound ends it.
    while slack < size {
        let lower = guess.min(upper) - slack;
        if is_certainly_above(a, lower) {
            return Enclosure::new(lower, upper);
        }
        slack *= 2.0;
    }
    Enclosure::new(-size, upper)
}

/// Whether A − τI is certainly positive semidefinite.
fn is_certainly_above(a: &DMatrix<f64>, tau: f64) -> bool {
    let n = a.nrows();
    let largest = (0..n).fold(0.0f64, |m, i| m.max((a[(i, i)] - tau).abs()));
    let shift = tau + rounding(n, largest);
    let mut shifted = a.clone();
    for i in 0..n {
        shifted[(i, i)] = (shifted[(i, i)] - shift).next_down();
    }
    shifted.cholesky().is_some()
}

/// What Cholesky's rounding can hide in an n × n matrix whose diagonal is at most `largest`.
fn rounding(n: usize, largest: f64) -> f64 {
    1.1 * (n * (n + 3)) as f64 * U * largest.max(f64::MIN_POSITIVE)
}

/// ‖row i‖₁, rounded up.
fn row_sum_upper(a: &DMatrix<f64>, i: usize) -> f64 {
    let sum: f64 = a.row(i).iter().map(|x| x.abs()).sum();
    (sum * (1.0 + 2.0 * a.ncols() as f64 * U)).next_up()
}

/// vᵀAv/vᵀv, rounded up: two nested sums of n terms are off by (2n + 4)u of their absolute terms.
fn rayleigh_upper(a: &DMatrix<f64>, v: &DVector<f64>) -> f64 {
    let (mut value, mut terms) = (0.0, 0.0);
    for (column, x) in a.column_iter().zip(v) {
        let products = || column.iter().zip(v).map(|(a, v)| a * v);
        value += products().sum::<f64>() * x;
        terms += products().map(f64::abs).sum::<f64>() * x.abs();
    }
    let n = v.len() as f64;
    let square = v.norm_squared();
    let numerator = Enclosure::ball(value, 1.01 * (2.0 * n + 4.0) * U * terms);
    (numerator / Enclosure::ball(square, 1.01 * (n + 1.0) * U * square)).hi
}

/// The largest distance of a vertex from vertex `from`, of those that can be reached.
#[must_use]
pub fn eccentricity(graph: &Graph, from: usize) -> usize {
    let mut distance = vec![usize::MAX; graph.n()];
    distance[from] = 0;
    let mut queue = std::collections::VecDeque::from([from]);
    let mut farthest = 0;
    while let Some(i) = queue.pop_front() {
        farthest = distance[i];
        for &j in graph.neighbours(i) {
            let j = j as usize;
            if distance[j] == usize::MAX {
                distance[j] = distance[i] + 1;
                queue.push_back(j);
            }
        }
    }
    farthest
}
