//! The largest diagonal entry of (I + ρL)⁻¹ of one graph, by elimination or by conjugate gradients.

use super::EntryBounds;
use super::conjugate::{columns, until_within};
use super::elimination::{Factor, LANES};
use crate::graph::Graph;
use rayon::prelude::*;

/// Multiplications of an elimination, beyond which conjugate gradients take over.
pub(super) const ELIMINATION_MAX: f64 = 5e8;
/// Relative width at which the bounds of a column by conjugate gradients are sharp.
pub(super) const SHARP_COLUMN: f64 = 1e-15;

/// max_i [(I + ρL)⁻¹]_ii, over all components.
#[must_use]
pub fn largest(graph: &Graph, rho: f64) -> EntryBounds {
    if graph.is_connected() {
        return largest_of_connected(graph, rho);
    }
    //= decor-drv-1
    let isolated = (0..graph.n()).any(|i| graph.degree(i) == 0);
    if isolated {
        return EntryBounds::new(1.0, 1.0);
    }
    let each = parts(graph)
        .into_iter()
        .map(|(part, _)| largest_of_connected(&part, rho));
    each.fold(EntryBounds::NONE, EntryBounds::max)
}

/// The same of a connected graph.
pub(super) fn largest_of_connected(graph: &Graph, rho: f64) -> EntryBounds {
    if graph.n() == 1 || rho == 0.0 {
        return EntryBounds::new(1.0, 1.0);
    }
    if let Some(factor) = Factor::new(graph, rho, ELIMINATION_MAX) {
        let z = factor.diagonal().into_iter().fold(0.0, f64::max);
        let error = factor.relative_error();
        return EntryBounds::new(z * (1.0 - 1.01 * error), z * (1.0 + 1.01 * error));
    }
    let all: Vec<usize> = match graph.is_vertex_transitive() {
        true => vec![0],
        false => (0..graph.n()).collect(),
    };
    let rough = diagonal(graph, rho, &all, 1e-2);
    let certain = rough.iter().fold(0.0f64, |best, b| best.max(b.lower));
    let left = all.iter().zip(&rough).filter(|(_, b)| b.upper >= certain);
    let left: Vec<usize> = left.map(|(v, _)| *v).collect();
    let sharp = diagonal(graph, rho, &left, SHARP_COLUMN);
    sharp.into_iter().fold(EntryBounds::NONE, EntryBounds::max)
}

/// Bounds of the diagonal entries of these vertices by conjugate gradients.
pub(super) fn diagonal(
    graph: &Graph,
    rho: f64,
    vertices: &[usize],
    width: f64,
) -> Vec<EntryBounds> {
    let solve = |part: &[usize]| {
        let found = columns(graph, rho, part, &until_within(width));
        let (lower, upper) = found.diagonal;
        let bounds = lower
            .into_iter()
            .zip(upper)
            .map(|(lo, hi)| EntryBounds::new(lo, hi));
        bounds.take(part.len()).collect::<Vec<_>>()
    };
    vertices.par_chunks(LANES).flat_map_iter(solve).collect()
}

/// The connected components as graphs, with their vertices' names.
pub(super) fn parts(graph: &Graph) -> Vec<(Graph, Vec<usize>)> {
    let labels = graph.components();
    let count = labels.iter().max().map_or(0, |last| last + 1);
    (0..count)
        .filter_map(|label| graph.induced(|i| labels[i] == label))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    #[test]
    fn entries_are_what_they_were_and_the_largest_of_parts_counts() {
        let ring = Graph::ring(9).expect("small");
        let edges = [(0, 1), (1, 2), (0, 2), (3, 4), (4, 5), (5, 6)];
        let parted = Graph::new(7, &edges).expect("a graph");
        let alone = Graph::new(3, &[(0, 1)]).expect("a graph");
        let mut found = Vec::new();
        for rho in [0.2, 7.0] {
            for graph in [&ring, &parted, &alone] {
                let bounds = largest(graph, rho);
                found.extend([bounds.lower, bounds.upper]);
            }
            for width in [0.1, SHARP_COLUMN] {
                let each = diagonal(&ring, rho, &[0, 3, 8], width);
                found.extend(each.iter().flat_map(|b| [b.lower, b.upper]));
            }
            // The end of the chain of four is the largest entry of little noise, any of the three
            // of much.
            let chain = Graph::new(4, &[(0, 1), (1, 2), (2, 3)]).expect("a graph");
            let three = Graph::complete(3).expect("small");
            let each = [&chain, &three].map(|part| largest_of_connected(part, rho));
            assert_eq!(largest(&parted, rho), each[0].max(each[1]));
            assert_eq!(each[0].lower > each[1].upper, rho < 1.0, "{each:?}");
            assert_eq!(largest(&alone, rho), EntryBounds::new(1.0, 1.0));
        }
        assert_eq!(largest_of_connected(&ring, 0.0), EntryBounds::new(1.0, 1.0));
        let names: Vec<Vec<usize>> = parts(&parted).into_iter().map(|(_, names)| names).collect();
        assert_eq!(names, [vec![0, 1, 2], vec![3, 4, 5, 6]]);
        steady::holds(
            &found,
            "0.7453560371516859 0.74535603715172 0.8541033434650389 0.8541033434650525 1.0 1.0
         0.724137931034481 0.7526753864447107 0.724137931034481 0.7526753864447107
         0.724137931034481 0.7526753864447107 0.745356037151701 0.7453560371517045
         0.745356037151701 0.7453560371517045 0.745356037151701 0.7453560371517045
         0.19876224238418103 0.19876224238419013 0.3636363636363613 0.363636363636366 1.0 1.0
         0.19876224238418472 0.19876224238418638 0.19876224238418472 0.19876224238418638
         0.19876224238418472 0.19876224238418638 0.19876224238418472 0.19876224238418638
         0.19876224238418472 0.19876224238418638 0.19876224238418472 0.19876224238418638",
        );
    }
}
