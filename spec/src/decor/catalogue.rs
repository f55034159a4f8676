//! All graphs on at most seven vertices, one of each isomorphism class.

use crate::decor::graph::{Graph, edge_index};
use crate::decor::resolvent::Resolvent;
use crate::decor::upoly::Algebraic;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The largest number of vertices in the catalogue.
pub const MAX: usize = 7;

/// One isomorphism class of graphs.
#[derive(Clone, Debug)]
pub struct Member {
    /// The member of the class with the smallest edge mask.
    pub graph: Graph,
    /// Number of labelled graphs in the class, n!/|Aut|.
    pub labelled: usize,
    /// Its (I + rL)⁻¹.
    pub resolvent: Resolvent,
    /// Its algebraic connectivity; `None` for one vertex.
    pub connectivity: Option<Algebraic>,
}

/// The isomorphism classes on one number of vertices.
pub struct Catalogue {
    members: Vec<Member>,
    class_of: Vec<u16>,
}

const UNKNOWN: u16 = u16::MAX;

/// The isomorphism classes on n vertices, 1 ≤ n ≤ [`MAX`]; for other n the list is empty.
#[must_use]
pub fn graphs(n: usize) -> &'static [Member] {
    catalogue(n).map_or(&[], |c| &c.members)
}

/// The connected graphs among them.
pub fn connected(n: usize) -> impl Iterator<Item = &'static Member> {
    graphs(n).iter().filter(|m| m.graph.is_connected())
}

/// The catalogued class that a graph on 1 to [`MAX`] vertices belongs to.
#[must_use]
pub fn class(graph: &Graph) -> Option<&'static Member> {
    let catalogue = catalogue(graph.n())?;
    let index = *catalogue.class_of.get(graph.mask() as usize)?;
    catalogue.members.get(index as usize)
}

/// The place of a class in the order of algebraic connectivity among all that are catalogued, the same where that is equal;
/// `None` for one vertex. Exact comparisons take long, and there are a hundred thousand between the classes.
#[must_use]
pub fn place(member: &Member) -> Option<usize> {
    static PLACES: OnceLock<BTreeMap<(usize, u32), usize>> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let members = (2..=MAX).flat_map(graphs);
        let mut all: Vec<_> = members
            .filter_map(|m| Some((m.connectivity.as_ref()?, (m.graph.n(), m.graph.mask()))))
            .collect();
        all.sort_by(|(a, _), (b, _)| a.compare(b));
        let mut place = 0;
        let mut places = BTreeMap::new();
        for (i, (a, graph)) in all.iter().enumerate() {
            place += usize::from(i > 0 && all[i - 1].0.compare(a).is_ne());
            places.insert(*graph, place);
        }
        places
    });
    let graph = &member.graph;
    places.get(&(graph.n(), graph.mask())).copied()
}

fn catalogue(n: usize) -> Option<&'static Catalogue> {
    static ALL: [OnceLock<Catalogue>; MAX] = [const { OnceLock::new() }; MAX];
    let slot = ALL.get(n.checked_sub(1)?)?;
    Some(slot.get_or_init(|| enumerate(n)))
}

/// Walks through all edge masks; one that has not been met is the smallest of its class, and the
/// rest of the class is met by renumbering its vertices in all n! ways.
fn enumerate(n: usize) -> Catalogue {
    let renumberings: Vec<_> = permutations(n).iter().map(|p| edge_map(p)).collect();
    let mut class_of = vec![UNKNOWN; 1 << (n * (n - 1) / 2)];
    let mut found = Vec::new();
    for mask in 0..class_of.len() {
        if class_of[mask] != UNKNOWN {
            continue;
        }
        let mut labelled = 0;
        for renumbering in &renumberings {
            let image = &mut class_of[renumber(mask, renumbering)];
            if *image == UNKNOWN {
                *image = found.len() as u16;
                labelled += 1;
            }
        }
        found.push((mask as u32, labelled));
    }
    let member = |(mask, labelled)| {
        let graph = Graph::from_mask(n, mask);
        let resolvent = Resolvent::of(&graph);
        let connectivity = resolvent.connectivity();
        Member {
            graph,
            labelled,
            resolvent,
            connectivity,
        }
    };
    Catalogue {
        members: found.into_iter().map(member).collect(),
        class_of,
    }
}

fn permutations(n: usize) -> Vec<Vec<usize>> {
    if n == 0 {
        return vec![Vec::new()];
    }
    let shorter = permutations(n - 1);
    let insert = |p: &Vec<usize>, at: usize| {
        let mut longer = p.clone();
        longer.insert(at, n - 1);
        longer
    };
    shorter
        .iter()
        .flat_map(|p| (0..n).map(move |at| insert(p, at)))
        .collect()
}

/// Where each edge goes when vertex i becomes vertex `permutation[i]`.
fn edge_map(permutation: &[usize]) -> Vec<usize> {
    let pairs = (0..permutation.len()).flat_map(|j| (0..j).map(move |i| (i, j)));
    pairs
        .map(|(i, j)| (permutation[i], permutation[j]))
        .map(|(a, b)| edge_index(a.min(b), a.max(b)))
        .collect()
}

fn renumber(mask: usize, edge_map: &[usize]) -> usize {
    let (mut rest, mut image) = (mask, 0);
    while rest != 0 {
        image |= 1 << edge_map[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    image
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_of_graphs_and_connected_graphs_are_the_known_ones() {
        let all: Vec<_> = (1..=MAX).map(|n| graphs(n).len()).collect();
        assert_eq!(all, [1, 2, 4, 11, 34, 156, 1044]);
        let connected: Vec<_> = (1..=MAX).map(|n| connected(n).count()).collect();
        assert_eq!(connected, [1, 1, 2, 6, 21, 112, 853]);
    }

    #[test]
    fn the_classes_partition_the_labelled_graphs() {
        for n in 1..=MAX {
            let labelled: usize = graphs(n).iter().map(|m| m.labelled).sum();
            assert_eq!(labelled, 1 << (n * (n - 1) / 2));
        }
    }

    #[test]
    fn a_renumbered_graph_is_in_the_same_class() {
        let ring = Graph::ring(6);
        let other = Graph::new(6, [(0, 3), (3, 1), (1, 5), (5, 2), (2, 4), (4, 0)]);
        let (a, b) = (class(&ring), class(&other));
        assert_eq!(a.map(|m| &m.graph), b.map(|m| &m.graph));
        assert!(a.is_some() && class(&Graph::path(8)).is_none());
    }
}
