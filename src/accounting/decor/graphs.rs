//! Graphs of every kind that matters to an elimination, for the tests of several files.

use crate::graph::Graph;

/// A knot with bridges and leaves, a ladder with a tail, a ring, and all with all.
pub(super) fn graphs() -> Vec<Graph> {
    let knot = [(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (2, 4), (4, 5)];
    // A ladder of twelve rungs with a tail.
    let rails = (0..11).flat_map(|i| [(i, i + 1), (12 + i, 13 + i)]);
    let rungs = (0..12).map(|i| (i, 12 + i));
    let ladder: Vec<(usize, usize)> = rails.chain(rungs).chain([(23, 24)]).collect();
    vec![
        Graph::new(6, &knot).expect("a graph"),
        Graph::new(25, &ladder).expect("a graph"),
        Graph::ring(9).expect("small"),
        Graph::complete(5).expect("small"),
    ]
}
