//! Which vertex to eliminate next: approximate minimum degree, on the quotient graph.
//!
//! An eliminated vertex becomes an *element*, the clique of its remaining neighbours; elements that a
//! new one covers are absorbed. Degrees are the upper bounds of Amestoy, Davis and Duff (1996): exact
//! where a vertex touches at most two elements. On trees nothing is ever filled in.

use crate::graph::Graph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// An elimination order and the fill pattern it causes.
///
/// ```
/// use dp_assay::accounting::decor::ordering::Ordering;
/// use dp_assay::problem::Graph;
///
/// // A path has nine edges, and a tree is never filled in.
/// let path = Graph::path(10)?;
/// assert_eq!(Ordering::new(&path, 1e6).ok_or("too costly")?.fill(), 9);
/// assert!(Ordering::new(&path, 1.0).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Ordering {
    /// The vertex that is eliminated at each position.
    pub vertex: Vec<u32>,
    /// The position of each vertex.
    pub position: Vec<u32>,
    /// Position p's later neighbours at its elimination, as positions, ascending.
    pub columns: Vec<Vec<u32>>,
}

impl Ordering {
    /// Orders the vertices; `None` once the elimination would need more than `limit`
    /// multiplications, Σ (column length)².
    #[must_use]
    pub fn new(graph: &Graph, limit: f64) -> Option<Self> {
        let mut quotient = Quotient::new(graph);
        let n = graph.n();
        let (mut vertex, mut patterns) = (Vec::with_capacity(n), Vec::with_capacity(n));
        let mut work = 0.0;
        while let Some(pivot) = quotient.next() {
            let pattern = quotient.eliminate(pivot);
            work += (pattern.len() as f64).powi(2);
            if work > limit {
                return None;
            }
            vertex.push(pivot as u32);
            patterns.push(pattern);
        }
        let mut position = vec![0; n];
        for (at, &v) in vertex.iter().enumerate() {
            position[v as usize] = at as u32;
        }
        let columns = patterns.into_iter().map(|pattern| {
            let mut rows: Vec<u32> = pattern.iter().map(|&v| position[v as usize]).collect();
            rows.sort_unstable();
            rows
        });
        Some(Self {
            vertex,
            columns: columns.collect(),
            position,
        })
    }

    /// Number of entries below the diagonal of the factor.
    #[must_use]
    pub fn fill(&self) -> usize {
        self.columns.iter().map(Vec::len).sum()
    }
}

struct Quotient {
    /// Remaining neighbours that no element accounts for.
    variables: Vec<Vec<u32>>,
    /// Elements that a remaining vertex belongs to, named by their pivots.
    elements: Vec<Vec<u32>>,
    /// The remaining vertices of each element.
    members: Vec<Vec<u32>>,
    degree: Vec<usize>,
    gone: Vec<bool>,
    heap: BinaryHeap<Reverse<(usize, u32)>>,
    /// Marks for set operations: `mark[v] == stamp` says that v was seen in this round.
    mark: Vec<u64>,
    stamp: u64,
    /// |element ∖ newest element|, valid where `outside_stamp` is current.
    outside: Vec<usize>,
    outside_stamp: Vec<u64>,
}

impl Quotient {
    fn new(graph: &Graph) -> Self {
        let n = graph.n();
        let degree: Vec<usize> = (0..n).map(|v| graph.degree(v)).collect();
        Self {
            variables: (0..n).map(|v| graph.neighbours(v).to_vec()).collect(),
            elements: vec![Vec::new(); n],
            members: vec![Vec::new(); n],
            heap: (0..n).map(|v| Reverse((degree[v], v as u32))).collect(),
            degree,
            gone: vec![false; n],
            mark: vec![0; n],
            stamp: 0,
            outside: vec![0; n],
            outside_stamp: vec![0; n],
        }
    }

    /// The remaining vertex of least degree; stale entries of the heap are skipped.
    fn next(&mut self) -> Option<usize> {
        while let Some(Reverse((degree, v))) = self.heap.pop() {
            let v = v as usize;
            if !self.gone[v] && self.degree[v] == degree {
                return Some(v);
            }
        }
        None
    }

    /// Eliminates a vertex and returns its remaining neighbours.
    fn eliminate(&mut self, pivot: usize) -> Vec<u32> {
        self.gone[pivot] = true;
        self.stamp += 1;
        self.mark[pivot] = self.stamp;
        let absorbed = std::mem::take(&mut self.elements[pivot]);
        let mut front = Vec::new();
        let direct = std::mem::take(&mut self.variables[pivot]);
        let covered = absorbed
            .iter()
            .flat_map(|&e| std::mem::take(&mut self.members[e as usize]));
        for v in direct.into_iter().chain(covered) {
            let seen = &mut self.mark[v as usize];
            if *seen != self.stamp {
                *seen = self.stamp;
                front.push(v);
            }
        }
        self.count_outside(&front);
        for &v in &front {
            self.update(v as usize, pivot, front.len());
        }
        self.members[pivot].clone_from(&front);
        front
    }

    /// For every element that meets the front, how many of its members lie outside it.
    fn count_outside(&mut self, front: &[u32]) {
        for &v in front {
            for &e in &self.elements[v as usize] {
                let e = e as usize;
                if self.outside_stamp[e] != self.stamp {
                    self.outside_stamp[e] = self.stamp;
                    self.outside[e] = self.members[e].len();
                }
                self.outside[e] = self.outside[e].saturating_sub(1);
            }
        }
    }

    /// Replaces what the new element covers in the lists of `v` and bounds its degree.
    fn update(&mut self, v: usize, pivot: usize, front: usize) {
        let (members, outside) = (&self.members, &self.outside);
        // Absorbed elements have no members left; covered ones nothing outside the front.
        self.elements[v].retain(|&e| !members[e as usize].is_empty() && outside[e as usize] > 0);
        let (mark, stamp) = (&self.mark, self.stamp);
        self.variables[v].retain(|&u| mark[u as usize] != stamp);
        let beyond: usize = self.elements[v].iter().map(|&e| outside[e as usize]).sum();
        self.elements[v].push(pivot as u32);
        let degree = self.variables[v].len() + front - 1 + beyond;
        self.degree[v] = degree;
        self.heap.push(Reverse((degree, v as u32)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::decor::graphs::graphs;
    use crate::accounting::steady;

    /// Which order it is decides what an elimination costs, and the roundings of its numbers.
    #[test]
    fn orders_and_their_patterns_are_what_they_were() {
        let mut found = Vec::new();
        for graph in graphs() {
            let order = Ordering::new(&graph, 1e9).expect("small");
            let numbers = |list: &[u32]| list.iter().map(|v| f64::from(*v)).collect::<Vec<_>>();
            found.push(order.fill() as f64);
            found.push(steady::mark(&numbers(&order.vertex)));
            found.push(steady::mark(&numbers(&order.columns.concat())));
            for (at, vertex) in order.vertex.iter().enumerate() {
                assert_eq!(order.position[*vertex as usize] as usize, at);
            }
        }
        steady::holds(
            &found,
            "7.0 1031823473520949.0 824493189603403.0 46.0 6072882546186236.0 5035344386009264.0
         15.0 8739080605296744.0 2869908199485526.0 10.0 6387495037269197.0 3929664705468876.0",
        );
    }

    /// A pattern is what elimination one by one fills in, and the work is the sum of its squares.
    #[test]
    fn patterns_are_those_of_elimination_one_by_one() {
        for graph in graphs() {
            let order = Ordering::new(&graph, 1e9).expect("small");
            let n = graph.n();
            let mut joined = vec![vec![false; n]; n];
            for (a, b) in graph.edges() {
                (joined[a][b], joined[b][a]) = (true, true);
            }
            let mut work = 0.0;
            for (at, vertex) in order.vertex.iter().enumerate() {
                let v = *vertex as usize;
                let later = |u: &usize| joined[v][*u] && order.position[*u] as usize > at;
                let front: Vec<usize> = (0..n).filter(later).collect();
                let mut rows: Vec<u32> = front.iter().map(|u| order.position[*u]).collect();
                rows.sort_unstable();
                assert_eq!(rows, order.columns[at], "{v}");
                for (a, b) in front
                    .iter()
                    .flat_map(|a| front.iter().map(move |b| (*a, *b)))
                {
                    joined[a][b] |= a != b;
                }
                work += (front.len() as f64).powi(2);
            }
            assert!(Ordering::new(&graph, work).is_some());
            assert!(Ordering::new(&graph, work - 0.5).is_none());
        }
    }
}
