//! Edge lists: one edge per line, two vertex numbers counted from 0 with white space between them.
//!
//! Empty lines and what follows `#` are skipped. A line `n 12` states the number of vertices, which
//! is one more than the largest number without it; only such a line can declare isolated vertices
//! at the end, or a graph without edges.
//!
//! ```
//! use dp_assay::graph::edge_list::{load, parse, write};
//!
//! let graph = parse("n 4\n0 1 # a comment\n1 2\n")?;
//! assert_eq!((graph.n(), graph.edge_count()), (4, 2));
//! assert_eq!(parse(&write(&graph))?, graph);
//! assert!(parse("0 1\n1 0\n").is_err()); // the same edge twice
//!
//! let folder = tempfile::tempdir()?;
//! let file = folder.path().join("graph.txt");
//! std::fs::write(&file, write(&graph))?;
//! assert_eq!(load(&file)?, graph);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{Graph, GraphError, VERTICES_MAX};
use std::collections::HashSet;
use std::fmt::Write;
use std::path::Path;

/// Reads a file.
///
/// # Errors
/// A file that cannot be read; as [`parse`], with the file's name.
pub fn load(path: &Path) -> Result<Graph, GraphError> {
    let at = |problem: String| GraphError::File {
        file: path.display().to_string(),
        problem,
    };
    let text = std::fs::read_to_string(path).map_err(|error| at(error.to_string()))?;
    parse(&text).map_err(|error| at(error.to_string()))
}

/// Reads a text.
///
/// # Errors
/// The first line that is not understood, that joins a vertex to itself, repeats an edge or names a
/// vertex beyond the stated number; no vertex at all.
pub fn parse(text: &str) -> Result<Graph, GraphError> {
    let mut stated = None;
    let mut edges = Vec::new();
    let mut seen = HashSet::new();
    // A mark that some editors put before a text says nothing.
    let text = text.trim_start_matches('\u{feff}');
    let lines = text.lines().enumerate().map(|(at, text)| (at + 1, text));
    for (line, text) in lines.clone() {
        match entry(line, text)? {
            Some(Entry::Vertices(n)) => stated = Some(n),
            Some(Entry::Edge(i, j)) => {
                let edge = (i.min(j), i.max(j));
                let fault = match (i == j, seen.insert(edge)) {
                    (true, _) => Some(GraphError::SelfLoop(i)),
                    (_, false) => Some(GraphError::Duplicate(edge.0, edge.1)),
                    _ => None,
                };
                if let Some(error) = fault {
                    return Err(at(line, error));
                }
                edges.push((line, edge));
            }
            None => {}
        }
    }
    let largest = edges.iter().map(|(_, edge)| edge.1 + 1).max();
    let n = stated.or(largest).unwrap_or(0);
    if let Some((line, (i, j))) = edges.iter().find(|(_, edge)| edge.1 >= n) {
        return Err(at(*line, GraphError::OutOfRange(*i, *j, n)));
    }
    let edges: Vec<_> = edges.into_iter().map(|(_, edge)| edge).collect();
    Graph::new(n, &edges)
}

/// Writes a graph so that [`parse`] reads it back.
#[must_use]
pub fn write(graph: &Graph) -> String {
    let mut text = format!("n {}\n", graph.n());
    for (i, j) in graph.edges() {
        writeln!(text, "{i} {j}").expect("a String takes everything");
    }
    text
}

enum Entry {
    Vertices(usize),
    Edge(usize, usize),
}

fn at(line: usize, error: GraphError) -> GraphError {
    GraphError::At {
        line,
        error: Box::new(error),
    }
}

fn entry(line: usize, text: &str) -> Result<Option<Entry>, GraphError> {
    let content = text.split('#').next().unwrap_or("");
    let words: Vec<&str> = content.split_whitespace().collect();
    let number = |word: &str| {
        let n = word.parse::<usize>().map_err(|_| GraphError::Line {
            line,
            text: text.trim().chars().take(60).collect(),
        })?;
        if n <= VERTICES_MAX {
            Ok(n)
        } else {
            Err(at(line, GraphError::Vertices(n)))
        }
    };
    match words.as_slice() {
        [] => Ok(None),
        ["n", count] => Ok(Some(Entry::Vertices(number(count)?))),
        [i, j] => Ok(Some(Entry::Edge(number(i)?, number(j)?))),
        _ => Err(GraphError::Line {
            line,
            text: text.trim().chars().take(60).collect(),
        }),
    }
}
