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
