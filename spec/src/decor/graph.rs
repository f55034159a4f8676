//! Undirected graphs on at most 64 vertices, and the families that the paper speaks of.

use crate::decor::matrix::Matrix;
use rug::Rational;

/// An undirected graph without loops on the vertices 0, …, n − 1; n ≤ 64.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Graph {
    /// Bit j of `rows[i]` says whether i and j are neighbours.
    rows: Vec<u64>,
}

impl Graph {
    /// The graph on n vertices with the given edges; loops are dropped, and so are edges with an
    /// end that is not below n.
    ///
    /// # Panics
    /// If n > 64.
    #[must_use]
    pub fn new(n: usize, edges: impl IntoIterator<Item = (usize, usize)>) -> Self {
        assert!(n <= 64, "a graph on {n} vertices: at most 64 fit");
        let mut rows = vec![0u64; n];
        for (i, j) in edges {
            if i != j && i < n && j < n {
                rows[i] |= 1 << j;
                rows[j] |= 1 << i;
            }
        }
        Self { rows }
    }

    /// The complete graph Kₙ.
    #[must_use]
    pub fn complete(n: usize) -> Self {
        Self::new(n, (0..n).flat_map(|j| (0..j).map(move |i| (i, j))))
    }

    /// The path on n vertices.
    #[must_use]
    pub fn path(n: usize) -> Self {
        Self::new(n, (1..n).map(|j| (j - 1, j)))
    }

    /// The ring on n ≥ 3 vertices.
    #[must_use]
    pub fn ring(n: usize) -> Self {
        Self::new(n, (0..n).map(|j| (j, (j + 1) % n)))
    }

    /// The star: vertex 0 joined to the n − 1 others.
    #[must_use]
    pub fn star(n: usize) -> Self {
        Self::new(n, (1..n).map(|j| (0, j)))
    }

    /// The r × c torus, r, c ≥ 3.
    #[must_use]
    pub fn torus(r: usize, c: usize) -> Self {
        let at = |i: usize, j: usize| (i % r) * c + j % c;
        let edges = (0..r).flat_map(|i| {
            (0..c).flat_map(move |j| [(at(i, j), at(i + 1, j)), (at(i, j), at(i, j + 1))])
        });
        Self::new(r * c, edges)
    }

    /// Two complete graphs on m + 1 vertices that share one vertex, vertex 0.
    #[must_use]
    pub fn two_cliques_sharing_a_vertex(m: usize) -> Self {
        let clique = |first: usize| {
            let members = std::iter::once(0).chain(first..first + m);
            let members: Vec<_> = members.collect();
            (0..=m)
                .flat_map(|j| (0..j).map(move |i| (i, j)))
                .map(|(i, j)| (members[i], members[j]))
                .collect::<Vec<_>>()
        };
        Self::new(2 * m + 1, [clique(1), clique(m + 1)].concat())
    }

    /// The graph whose edge number `index(i, j)` is bit `index(i, j)` of `mask`; see [`edge_index`].
    #[must_use]
    pub fn from_mask(n: usize, mask: u32) -> Self {
        let edges = (0..n).flat_map(|j| (0..j).map(move |i| (i, j)));
        Self::new(n, edges.filter(|&(i, j)| mask >> edge_index(i, j) & 1 == 1))
    }

    /// The inverse of [`Graph::from_mask`], for n ≤ 8.
    #[must_use]
    pub fn mask(&self) -> u32 {
        self.edges().fold(0, |m, (i, j)| m | 1 << edge_index(i, j))
    }

    /// Number of vertices.
    #[must_use]
    pub fn n(&self) -> usize {
        self.rows.len()
    }

    /// Whether i and j are neighbours.
    #[must_use]
    pub fn adjacent(&self, i: usize, j: usize) -> bool {
        self.rows[i] >> j & 1 == 1
    }

    /// Number of neighbours of i.
    #[must_use]
    pub fn degree(&self, i: usize) -> usize {
        self.rows[i].count_ones() as usize
    }

    /// The edges {i, j}, i < j.
    pub fn edges(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let pairs = (0..self.n()).flat_map(|j| (0..j).map(move |i| (i, j)));
        pairs.filter(|&(i, j)| self.adjacent(i, j))
    }

    /// Number of edges.
    #[must_use]
    pub fn edge_count(&self) -> usize {
        self.rows
            .iter()
            .map(|r| r.count_ones() as usize)
            .sum::<usize>()
            / 2
    }

    /// The vertices that can be reached from vertex i < n, i among them, as a bit set: bit k is vertex k.
    #[must_use]
    pub fn component(&self, i: usize) -> u64 {
        let mut seen = 1u64 << i;
        loop {
            let next = (0..self.n())
                .filter(|&j| seen >> j & 1 == 1)
                .fold(seen, |set, j| set | self.rows[j]);
            if next == seen {
                return seen;
            }
            seen = next;
        }
    }

    /// Whether every vertex can be reached from every other one; true for one vertex.
    #[must_use]
    pub fn is_connected(&self) -> bool {
        self.n() > 0 && self.component(0).count_ones() as usize == self.n()
    }

    /// The subgraph induced by the vertices in the bit set `keep`, renumbered in order.
    #[must_use]
    pub fn induced(&self, keep: u64) -> Self {
        let kept: Vec<_> = (0..self.n()).filter(|&i| keep >> i & 1 == 1).collect();
        let edges = (0..kept.len()).flat_map(|b| (0..b).map(move |a| (a, b)));
        Self::new(
            kept.len(),
            edges.filter(|&(a, b)| self.adjacent(kept[a], kept[b])),
        )
    }

    /// The Laplacian diag(deg) − A.
    #[must_use]
    pub fn laplacian(&self) -> Matrix<Rational> {
        Matrix::new(self.n(), |i, j| match (i == j, self.adjacent(i, j)) {
            (true, _) => Rational::from(self.degree(i)),
            (false, true) => Rational::from(-1),
            (false, false) => Rational::new(),
        })
    }
}

/// The number of the edge {i, j}, i < j, in the order 01, 02, 12, 03, 13, 23, …
#[must_use]
pub const fn edge_index(i: usize, j: usize) -> usize {
    j * (j - 1) / 2 + i
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_have_their_degrees_and_edge_counts() {
        assert_eq!(Graph::complete(6).edge_count(), 15);
        assert_eq!(Graph::star(7).degree(0), 6);
        assert!((0..9).all(|i| Graph::torus(3, 3).degree(i) == 4));
        let bow = Graph::two_cliques_sharing_a_vertex(3);
        assert_eq!((bow.n(), bow.edge_count(), bow.degree(0)), (7, 12, 6));
    }

    #[test]
    fn components_and_induced_subgraphs_follow_the_edges() {
        let path = Graph::path(5);
        assert!(path.is_connected());
        let without_middle = path.induced(0b11011);
        assert!(!without_middle.is_connected());
        assert_eq!(without_middle.component(0), 0b0011);
        assert_eq!(Graph::from_mask(5, path.mask()), path);
    }

    #[test]
    fn the_laplacian_is_the_sum_of_its_edges() {
        let graph = Graph::from_mask(5, 0b10_1101_0110);
        let mut sum = Matrix::new(5, |_, _| Rational::new());
        for (i, j) in graph.edges() {
            // e_i − e_j of the edge {i, j}.
            let b = |v: usize| i32::from(v == i) - i32::from(v == j);
            sum = sum.plus(&Matrix::new(5, |v, w| Rational::from(b(v) * b(w))));
        }
        assert_eq!(sum, graph.laplacian());
    }
}
