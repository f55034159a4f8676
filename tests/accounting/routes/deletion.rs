//! DECOR's users after the deletion of any one of them, by dense inverses of every graph that is left.

use dp_assay::accounting::decor::deletion::largest;
use dp_assay::problem::Graph;
use nalgebra::DMatrix;

/// max over the deleted k of the largest entry of diag (I + ρL(G − k))⁻¹, of k's neighbours and of the others.
fn by_inverting(n: usize, edges: &[(usize, usize)], rho: f64) -> (f64, f64) {
    let (mut near, mut far) = (0.0f64, 0.0f64);
    for k in 0..n {
        let mut matrix = DMatrix::<f64>::identity(n, n);
        for &(a, b) in edges.iter().filter(|&&(a, b)| a != k && b != k) {
            matrix[(a, a)] += rho;
            matrix[(b, b)] += rho;
            matrix[(a, b)] -= rho;
            matrix[(b, a)] -= rho;
        }
        let inverse = matrix.try_inverse().expect("positive definite");
        for j in (0..n).filter(|&j| j != k) {
            let joined = edges
                .iter()
                .any(|&(a, b)| (a, b) == (j, k) || (a, b) == (k, j));
            let worst = if joined { &mut near } else { &mut far };
            *worst = worst.max(inverse[(j, j)]);
        }
    }
    (near, far)
}

fn clique(members: std::ops::Range<usize>) -> impl Iterator<Item = (usize, usize)> {
    members
        .clone()
        .flat_map(move |a| (members.start..a).map(move |b| (b, a)))
}

/// A clique, a cut vertex joined to all of it and to hubs, which are joined with one another and with leaves.
fn hanging(core: usize, hubs: usize, leaves: usize) -> (usize, Vec<(usize, usize)>) {
    let (cut, first, n) = (core, core + 1 + hubs, core + 1 + hubs + leaves);
    let mut edges: Vec<_> = clique(0..core + 1).chain(clique(cut..first)).collect();
    let ends = |hub| (first..n).map(move |leaf| (hub, leaf));
    edges.extend((cut + 1..first).flat_map(ends));
    (n, edges)
}

#[test]
fn a_deletion_may_hurt_a_user_far_away_most() {
    for (core, hubs, leaves, rho) in [
        (20, 3, 3, 10.0),
        (20, 6, 2, 1.0),
        (10, 4, 3, 10.0),
        (10, 3, 2, 100.0),
    ] {
        let (n, edges) = hanging(core, hubs, leaves);
        let (near, far) = by_inverting(n, &edges, rho);
        assert!(
            far > 1.001 * near,
            "{core}, {hubs}, {leaves}: the point of the graph"
        );
        let graph = Graph::new(n, &edges).expect("simple");
        // By elimination, and by conjugate gradients.
        for limit in [1e9, 0.0] {
            let found = largest(&graph, rho, 0, limit).expect("small");
            let holds = found.lower <= far * (1.0 + 1e-11) && far <= found.upper * (1.0 + 1e-11);
            assert!(
                holds && found.upper <= far * (1.0 + 1e-9),
                "{core}, {hubs}, {leaves}: {found:?}, {far}"
            );
        }
    }
}

/// Bridges, leaves and cut vertices of graphs that hang together by little.
#[test]
fn deletions_of_bridges_and_leaves_meet_dense_inverses() {
    let path: Vec<_> = (1..9).map(|i| (i - 1, i)).collect();
    let star: Vec<_> = (1..9).map(|i| (0, i)).collect();
    // Two triangles, and two cliques of four with a leaf, joined by a bridge.
    let triangles = vec![(0, 1), (1, 2), (0, 2), (2, 3), (3, 4), (4, 5), (3, 5)];
    let mut cliques: Vec<_> = clique(0..4).chain(clique(4..8)).collect();
    cliques.extend([(3, 4), (7, 8)]);
    for (n, edges) in [(9, path), (9, star), (6, triangles), (9, cliques)] {
        let graph = Graph::new(n, &edges).expect("simple");
        for rho in [0.3, 5.0, 200.0] {
            let (near, far) = by_inverting(n, &edges, rho);
            let truth = near.max(far);
            for limit in [1e9, 0.0] {
                let found = largest(&graph, rho, 0, limit).expect("small");
                let holds =
                    found.lower <= truth * (1.0 + 1e-11) && truth <= found.upper * (1.0 + 1e-11);
                assert!(
                    holds && found.upper <= truth * (1.0 + 1e-7),
                    "{edges:?}, ρ = {rho}: {found:?}, {truth}"
                );
            }
        }
    }
}
