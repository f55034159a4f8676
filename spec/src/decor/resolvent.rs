//! The inverse of a "modified Laplacian", (I + rL)⁻¹, as exact rational functions of r.

use crate::decor::graph::Graph;
use crate::decor::matrix::{Matrix, Ring};
use crate::decor::upoly::{Algebraic, UPoly};
use rug::{Integer, Rational};
use std::ops::{Div, Sub};

/// (I + rL)⁻¹ for all r ≥ 0 at once: its diagonal entries are Nᵢ(r)/D(r).
///
/// With r = σ_cor²/σ_cdp² the accountant's matrix is (σ_cdp² I + σ_cor² L)⁻¹ = (I + rL)⁻¹/σ_cdp².
#[derive(Clone, Debug)]
pub struct Resolvent {
    /// D(r) = det(I + rL).
    pub determinant: UPoly,
    /// Nᵢ(r), the diagonal of the adjugate of I + rL.
    pub diagonal: Vec<UPoly>,
}

impl Resolvent {
    /// Of a graph's Laplacian, by the Faddeev–LeVerrier recursion
    /// B₀ = I, cₖ = tr(L Bₖ₋₁)/k, Bₖ = cₖ I − L Bₖ₋₁, for which
    /// det(xI + L) = Σ cₖ xⁿ⁻ᵏ and adj(xI + L) = Σ Bₖ xⁿ⁻¹⁻ᵏ; then x = 1/r.
    ///
    /// L is a matrix of integers, and so is every Bₖ: det(xI + L) and adj(xI + L) have integer coefficients. The entries of Bₖ
    /// count rooted forests, of which n vertices have at most (n + 1)ⁿ⁻¹ (Chaiken 1982, SIAM J. Algebraic Discrete Methods 3), so that
    /// those of L·Bₖ and their sum are less than 2n²·(n + 1)ⁿ⁻¹ < 2⁶³ for n ≤ 12.
    #[must_use]
    pub fn of(graph: &Graph) -> Self {
        match graph.n() <= 12 {
            true => Self::by::<i64>(graph),
            false => Self::by::<Integer>(graph),
        }
    }

    /// The recursion in these integers.
    fn by<T>(graph: &Graph) -> Self
    where
        T: Ring + Div<Output = T> + for<'a> Sub<&'a T, Output = T>,
        Rational: From<T>,
    {
        let n = graph.n();
        let neighbours: Vec<Vec<usize>> = (0..n)
            .map(|i| (0..n).filter(|j| graph.adjacent(i, *j)).collect())
            .collect();
        let mut adjugate = Matrix::<T>::identity(n);
        let mut determinant = vec![T::integer(1)];
        let mut diagonal = vec![Vec::new(); n];
        for k in 1..=n {
            for (i, entry) in diagonal.iter_mut().enumerate() {
                entry.push(adjugate.at(i, i).clone());
            }
            // Row i of LB is the sum of Bᵢ − Bⱼ over the neighbours j of i.
            let product = Matrix::new(n, |i, j| {
                let own = T::integer(neighbours[i].len() as i32).times(adjugate.at(i, j));
                neighbours[i]
                    .iter()
                    .fold(own, |left, v| left - adjugate.at(*v, j))
            });
            let c = product.trace() / T::integer(k as i32);
            let on_diagonal = |i, j| if i == j { c.clone() } else { T::integer(0) };
            adjugate = Matrix::new(n, |i, j| on_diagonal(i, j) - product.at(i, j));
            determinant.push(c);
        }
        let polynomial = |c: Vec<T>| UPoly::new(c.into_iter().map(Rational::from).collect());
        Self {
            determinant: polynomial(determinant),
            diagonal: diagonal.into_iter().map(polynomial).collect(),
        }
    }

    /// The diagonal entry i at r.
    #[must_use]
    pub fn at(&self, i: usize, r: &Rational) -> Rational {
        self.diagonal[i].eval(r) / self.determinant.eval(r)
    }

    /// The largest diagonal entry at r; `None` for the graph without vertices.
    #[must_use]
    pub fn largest(&self, r: &Rational) -> Option<Rational> {
        (0..self.diagonal.len()).map(|i| self.at(i, r)).max()
    }

    /// The algebraic connectivity λ₂(L), exactly; `None` for fewer than two vertices.
    ///
    /// The eigenvalues other than one zero are the roots of Σ cₖ (−1)ᵏ xⁿ⁻¹⁻ᵏ, and none exceeds n.
    #[must_use]
    pub fn connectivity(&self) -> Option<Algebraic> {
        let n = self.diagonal.len();
        if n < 2 {
            return None;
        }
        let signed = |k: usize| {
            let c = self.determinant.coefficient(k);
            if k.is_multiple_of(2) { c } else { -c }
        };
        let reduced = UPoly::new((0..n).rev().map(signed).collect());
        let (below, above) = (Rational::from(-1), Rational::from(n));
        Algebraic::smallest_root(&reduced, &below, &above)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cmp::Ordering;

    #[test]
    fn the_diagonal_agrees_with_elimination() {
        let r = Rational::from((3, 7));
        for graph in [Graph::star(6), Graph::ring(7), Graph::from_mask(5, 0b1011)] {
            let resolvent = Resolvent::of(&graph);
            let matrix = Matrix::identity(graph.n()).plus(&graph.laplacian().scaled(&r));
            let inverse = matrix.inverse().expect("positive definite");
            for i in 0..graph.n() {
                assert_eq!(resolvent.at(i, &r), *inverse.at(i, i));
            }
        }
    }

    #[test]
    fn small_and_large_integers_agree() {
        for graph in [
            Graph::complete(12),
            Graph::star(12),
            Graph::ring(9),
            Graph::path(1),
        ] {
            let (small, large) = (Resolvent::of(&graph), Resolvent::by::<Integer>(&graph));
            assert_eq!(small.determinant, large.determinant);
            assert_eq!(small.diagonal, large.diagonal);
        }
    }

    #[test]
    fn the_algebraic_connectivity_is_exact() {
        let cases = [
            (Graph::complete(6), 6),
            (Graph::star(5), 1),
            (Graph::ring(4), 2),
            (Graph::torus(3, 3), 3),
            (Graph::from_mask(4, 0b100001), 0),
        ];
        for (graph, a) in cases {
            let connectivity = Resolvent::of(&graph).connectivity().expect("n ≥ 2");
            assert_eq!(connectivity.cmp_rational(&a.into()), Ordering::Equal);
        }
        let ring = Resolvent::of(&Graph::ring(8))
            .connectivity()
            .expect("n ≥ 2");
        assert!((ring.approx() - 0.585_786_437_626_905).abs() < 1e-14);
    }
}
