//! Mixing matrices: the weights the paper prints, and how fast they average.

use crate::decor::graph::Graph;
use crate::decor::matrix::{Matrix, sum};
use crate::decor::upoly::Algebraic;
use rug::Rational;

/// W_ij = 1{j ∈ N_i}/(deg(i) + 1), as printed, with i ∉ N_i.
#[must_use]
pub fn printed(graph: &Graph) -> Matrix<Rational> {
    Matrix::new(graph.n(), |i, j| {
        let weight = Rational::from((1, graph.degree(i) + 1));
        if graph.adjacent(i, j) {
            weight
        } else {
            Rational::new()
        }
    })
}

/// The textbook Metropolis–Hastings weights: 1/(1 + max(deg(i), deg(j))) on the edges, and what is
/// left of 1 on the diagonal.
#[must_use]
pub fn metropolis_hastings(graph: &Graph) -> Matrix<Rational> {
    let edge = |i: usize, j: usize| {
        let larger = graph.degree(i).max(graph.degree(j));
        let weight = Rational::from((1, larger + 1));
        if graph.adjacent(i, j) {
            weight
        } else {
            Rational::new()
        }
    };
    Matrix::new(graph.n(), |i, j| {
        if i == j {
            1 - sum((0..graph.n()).map(|k| edge(i, k)))
        } else {
            edge(i, j)
        }
    })
}

/// What Definition 2 asks and the matrix lacks; `None` for a mixing matrix.
#[must_use]
pub fn defect(w: &Matrix<Rational>) -> Option<String> {
    let one = Rational::from(1);
    for i in 0..w.n() {
        if let Some(x) = w.row(i).iter().find(|x| **x < 0 || **x > one) {
            return Some(format!("row {i} has the entry {x}"));
        }
        let row = sum(w.row(i).iter().cloned());
        if row != one {
            return Some(format!("row {i} sums to {row}"));
        }
    }
    let asymmetric = |&(i, j): &(usize, usize)| w.at(i, j) != w.at(j, i);
    let mut pairs = (0..w.n()).flat_map(|i| (0..i).map(move |j| (i, j)));
    pairs
        .find(asymmetric)
        .map(|(i, j)| format!("W_{i}{j} = {} but W_{j}{i} = {}", w.at(i, j), w.at(j, i)))
}

/// The largest p of Assumption 5, exactly: the smallest eigenvalue of I − (W − J)(W − J)ᵀ. `None`
/// for the empty matrix.
#[must_use]
pub fn rate(w: &Matrix<Rational>) -> Option<Algebraic> {
    let minus = Rational::from(-1);
    let deviation = w.plus(&Matrix::averaging(w.n()).scaled(&minus));
    let square = deviation.times(&deviation.transpose());
    let gap = Matrix::identity(w.n()).plus(&square.scaled(&minus));
    // Eigenvalues of (W − J)(W − J)ᵀ are at most its trace.
    let lowest = Rational::from(-1) - square.trace();
    Algebraic::smallest_root(&gap.characteristic(), &lowest, &Rational::from(1))
}

/// H_G(W) with W_i the i-th row: Σ over the edges ‖W_i − W_k‖² / (2|E|); `None` without edges.
#[must_use]
pub fn heterogeneity_of_rows(graph: &Graph, w: &Matrix<Rational>) -> Option<Rational> {
    let apart = |(i, k): (usize, usize)| {
        let terms = w.row(i).iter().zip(w.row(k));
        terms
            .map(|(x, y)| Rational::from(x - y).square())
            .sum::<Rational>()
    };
    let count = graph.edge_count();
    (count > 0).then(|| graph.edges().map(apart).sum::<Rational>() / (2 * count as u64))
}

/// H_G(W) as printed, with W_i the i-th column.
#[must_use]
pub fn heterogeneity(graph: &Graph, w: &Matrix<Rational>) -> Option<Rational> {
    heterogeneity_of_rows(graph, &w.transpose())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    /// Values of the table of standard graphs (ring, torus, star, path; W_MH).
    #[test]
    fn rates_and_heterogeneities_of_the_standard_graphs_are_the_known_ones() {
        let cases = [
            (Graph::ring(4), (8, 9), (1, 9), (1, 3)),
            (Graph::torus(3, 3), (21, 25), (2, 25), (4, 5)),
            (Graph::torus(4, 4), (16, 25), (3, 25), (11, 5)),
            (Graph::complete(4), (1, 1), (0, 1), (0, 1)),
            (Graph::star(16), (31, 256), (105, 256), (3150, 256)),
        ];
        for (graph, p, h, norm) in cases {
            let w = metropolis_hastings(&graph);
            let rate = rate(&w).expect("has vertices");
            assert_eq!(rate.cmp_rational(&Rational::from(p)), Ordering::Equal);
            assert_eq!(heterogeneity(&graph, &w), Some(Rational::from(h)));
            assert_eq!(heterogeneity_of_rows(&graph, &w), Some(Rational::from(h)));
            let minus = Rational::from(-1);
            let deviation = w.plus(&Matrix::averaging(w.n()).scaled(&minus));
            assert_eq!(deviation.frobenius_squared(), Rational::from(norm));
        }
    }
}
