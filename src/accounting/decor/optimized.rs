//! Algorithm 3 without inverting a matrix per group.
//!
//! How it differs from [`super::reference`], and why the result bounds the same number:
//! - one function of ρ = σ_cor²/σ_cdp²: s = 2(C/σ_cdp)²φ_q(ρ), φ_q(ρ) = max [(I + ρL(G_H))⁻¹]_ii
//!   (`decor-drv-5`); ρ is rounded down, as φ falls (`decor-D1-mono`);
//! - sparse elimination with a selected inverse ([`super::elimination`]), conjugate gradients where
//!   that fills in ([`super::conjugate`]): bounds derived there;
//! - the last deletion of a group as a low-rank change ([`super::deletion`]);
//! - one representative where the graph is vertex-transitive; complete graphs stay complete and have a formula; q ≥ k_min
//!   colluders around a user of least degree leave it alone: φ_q = 1 (`decor-drv-1`);
//! - where all of that is too costly, Theorem 6 with a_q(G) ≥ a(G) − q (Fiedler 1973, deletion of
//!   a vertex) instead: an upper bound, labelled as such.

pub use super::diagonal::largest;
use super::diagonal::{ELIMINATION_MAX, largest_of_connected, parts};
use super::elimination::Factor;
use super::{Adversary, Basis, DecorError, EntryBounds, Noise, Slope, deletion};
use crate::float::Enclosure;
use crate::graph::Graph;
use crate::graph::spectrum;
use rayon::prelude::*;

/// Multiplications for all groups, beyond which only a bound is given.
const GROUPS_MAX: f64 = 1e12;
/// n(n + |E|) up to which every deletion is eliminated anew at once, and up to which it is when the
/// low-rank bounds are not [`SHARP`]; the multiplications of all eliminations then.
const ANEW_AT_ONCE: usize = 20_000;
const ANEW_AT_ALL: usize = 5_000_000;
const ANEW_WORK: f64 = 2e9;
/// Relative width of bounds that are good enough.
const SHARP: f64 = 1e-11;

/// The slope of one step: (α, αs)-SecRDP for every α > 1, enclosed.
///
/// ```
/// use dp_assay::accounting::decor::optimized::{largest, slope, worst};
/// use dp_assay::accounting::decor::{Adversary, Basis, Noise};
/// use dp_assay::problem::Graph;
///
/// // Four users, all neighbours, ρ = 4: the diagonal of (I + ρL)⁻¹ is 1/4 + 3/4/17.
/// let (graph, noise) = (Graph::complete(4)?, Noise::new(1.0, 2.0, 1.0)?);
/// let found = slope(&graph, &noise, Adversary::Eavesdropper)?;
/// assert!(found.lower <= found.upper && (0.588..0.589).contains(&found.upper));
/// assert!((0.294..0.295).contains(&largest(&graph, 4.0).upper));
/// // One colluder leaves three users: 1/3 + 2/3/13.
/// let (left, basis) = worst(&graph, 4.0, 1);
/// assert!((0.384..0.385).contains(&left.upper) && basis == Basis::Exact);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// q ≥ n; a noise ratio above 10¹⁰⁰.
pub fn slope(graph: &Graph, noise: &Noise, adversary: Adversary) -> Result<Slope, DecorError> {
    //= decor-drv-5
    let q = adversary.colluders(graph.n())?;
    let rho = noise.ratio()?;
    let (phi, basis) = worst(graph, rho.lo, q);
    let scale = 2.0 * (Enclosure::point(noise.clip()) / noise.cdp()).square();
    let least = if rho.hi > 0.0 {
        // φ(ρ_hi) ≥ φ(ρ_lo)·ρ_lo/ρ_hi, as (I + ρL) is at most homogeneous in ρ ≥ 0. Where ρ underflows that says little, but
        // [A⁻¹]_ii ≥ 1/A_ii of every positive definite A.
        let scaled = Enclosure::point(phi.lower) * rho.lo / Enclosure::point(rho.hi);
        let degree = graph.max_degree() as f64;
        scaled
            .lo
            .max((1.0 / (1.0 + Enclosure::point(rho.hi) * degree)).lo)
    } else {
        phi.lower
    };
    Ok(Slope {
        lower: (scale * least).lo.max(0.0),
        upper: (scale * phi.upper).hi,
        colluders: q,
        basis,
    })
}

/// φ_q(ρ) and what it rests on.
#[must_use]
pub fn worst(graph: &Graph, rho: f64, q: usize) -> (EntryBounds, Basis) {
    let n = graph.n();
    if rho == 0.0 || q >= graph.min_degree() && (q > 0 || n == 1) {
        return (EntryBounds::new(1.0, 1.0), Basis::Exact);
    }
    if graph.is_complete() {
        return (of_complete(n - q, rho), Basis::Exact);
    }
    if q == 0 {
        return (largest(graph, rho), Basis::Exact);
    }
    let whole =
        |graph: &Graph, q| (groups_cost(graph, q) <= GROUPS_MAX).then(|| groups(graph, rho, q, 0));
    let found = if graph.is_vertex_transitive() {
        // Some colluder may be taken to be vertex 0.
        graph
            .induced(|i| i > 0)
            .and_then(|(left, _)| whole(&left, q - 1))
    } else {
        whole(graph, q)
    };
    match found.flatten() {
        Some(bounds) => (bounds, Basis::Exact),
        None => (theorem_6(graph, rho, q), Basis::Theorem6),
    }
}

/// max over the groups of q vertices ≥ `first`; `None` if a part does not fit the memory.
fn groups(graph: &Graph, rho: f64, q: usize, first: usize) -> Option<EntryBounds> {
    match q {
        0 => Some(largest(graph, rho)),
        1 => after_one_deletion(graph, rho, first),
        _ => (first..graph.n())
            .into_par_iter()
            .map(|k| {
                // Vertices after k are numbered from k on in what is left.
                let (left, _) = graph.induced(|i| i != k)?;
                groups(&left, rho, q - 1, k)
            })
            .reduce(|| Some(EntryBounds::NONE), |a, b| Some(a?.max(b?))),
    }
}

/// Multiplications that [`groups`] takes, roughly.
fn groups_cost(graph: &Graph, q: usize) -> f64 {
    let n = graph.n() as f64;
    if q == 0 {
        return 0.0;
    }
    let sets = (1..q).fold(1.0, |c, i| c * (n - i as f64) / i as f64);
    let column = match Factor::new(graph, 1.0, ELIMINATION_MAX) {
        Some(factor) => 2.0 * factor.fill() as f64,
        None => 50.0 * (2 * graph.edge_count() + 6 * graph.n()) as f64,
    };
    sets * n * (2.0 * column + 6.0 * graph.edge_count() as f64)
}

/// Vertices and edges that are seen if every vertex is deleted once.
fn visits(graph: &Graph) -> usize {
    graph.n() * (graph.n() + graph.edge_count())
}

/// max_{k ≥ first} max_j [(I + ρL(G − k))⁻¹]_jj.
fn after_one_deletion(graph: &Graph, rho: f64, first: usize) -> Option<EntryBounds> {
    let visits = visits(graph);
    if visits <= ANEW_AT_ONCE {
        return Some(eliminated_anew(graph, rho, first));
    }
    let screened = screened(graph, rho, first);
    if screened.is_some_and(|b| b.upper <= b.lower * (1.0 + SHARP)) || visits > ANEW_AT_ALL {
        return screened;
    }
    match Factor::new(graph, rho, ANEW_WORK / graph.n() as f64) {
        Some(_) => Some(eliminated_anew(graph, rho, first)),
        None => screened,
    }
}

fn eliminated_anew(graph: &Graph, rho: f64, first: usize) -> EntryBounds {
    let without = |k: usize| {
        let left = graph.induced(|i| i != k);
        left.map_or(EntryBounds::NONE, |(left, _)| largest(&left, rho))
    };
    let all = (first..graph.n()).into_par_iter().map(without);
    all.reduce(|| EntryBounds::NONE, EntryBounds::max)
}

/// The same by low-rank changes, component by component.
fn screened(graph: &Graph, rho: f64, first: usize) -> Option<EntryBounds> {
    let mut best = EntryBounds::NONE;
    for (component, names) in parts(graph) {
        let own_first = names.partition_point(|&v| v < first);
        let own = names.len() - own_first;
        if own < graph.n() - first {
            // A deletion elsewhere leaves this component as it is.
            best = best.max(largest_of_connected(&component, rho));
        }
        if own > 0 && component.n() > 1 {
            best = best.max(deletion::largest(
                &component,
                rho,
                own_first,
                ELIMINATION_MAX,
            )?);
        }
    }
    Some(best)
}

/// [(I + ρL)⁻¹]_ii = 1/m + (1 − 1/m)/(1 + ρm) = (1 + ρ)/(1 + ρm) of the complete graph on m vertices.
fn of_complete(m: usize, rho: f64) -> EntryBounds {
    //= decor-drv-7
    let rho = Enclosure::point(rho);
    let entry = (1.0 + rho) / (1.0 + rho * m as f64);
    EntryBounds::new(entry.lo, entry.hi)
}

/// 1/m + (1 − 1/m)/(1 + ρ·a_q) with m = n − q, and below it what every group leaves at least.
fn theorem_6(graph: &Graph, rho: f64, q: usize) -> EntryBounds {
    //= decor-thm-6
    let left = (graph.n() - q) as f64;
    let connectivity = spectrum::algebraic_connectivity(graph).map_or(0.0, |a| a.lo);
    let after = (connectivity - q as f64).next_down().max(0.0);
    let share = 1.0 / Enclosure::point(left);
    let rest = (1.0 - share) / (1.0 + Enclosure::point(rho) * after);
    let upper = (share + rest).hi;
    //= decor-drv-3
    let lower = share.lo.max(largest(graph, rho).lower);
    EntryBounds::new(lower, upper.max(lower))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// By what is counted, hence which way is taken: n − 2 sets of three for every two of them that have one vertex less, …
    #[test]
    fn groups_cost_what_their_number_says() {
        let graph =
            Graph::new(7, &[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 6)]).expect("a path");
        assert_eq!(visits(&graph), 7 * 13);
        let cost = |q| groups_cost(&graph, q);
        assert_eq!((cost(0), cost(2) / cost(1)), (0.0, 6.0));
        assert_eq!((cost(3) / cost(2), cost(4) / cost(3)), (2.5, 4.0 / 3.0));
    }

    /// A user without neighbours sees its own noise alone, whoever else is deleted.
    #[test]
    fn a_component_that_nobody_is_deleted_from_counts_as_it_is() {
        let graph = Graph::new(4, &[(1, 2), (1, 3), (2, 3)]).expect("a triangle and a point");
        for rho in [0.5, 3.0] {
            let found = screened(&graph, rho, 0).expect("few users");
            assert!(
                found.lower >= 1.0 - 1e-12 && found.upper <= 1.0 + 1e-12,
                "{found:?}"
            );
        }
    }

    /// Each user has two neighbours at least: a ladder, a ring, a wheel, all with all.
    fn graphs() -> Vec<Graph> {
        let rails = (0..6).flat_map(|i| [(i, i + 1), (7 + i, 8 + i)]);
        let ladder: Vec<(usize, usize)> = rails.chain((0..7).map(|i| (i, 7 + i))).collect();
        let rim = (0..6).map(|i| (i, (i + 1) % 6));
        let wheel: Vec<(usize, usize)> = rim.chain((0..6).map(|i| (i, 6))).collect();
        vec![
            Graph::new(14, &ladder).expect("a graph"),
            Graph::ring(9).expect("small"),
            Graph::new(7, &wheel).expect("a graph"),
            Graph::complete(5).expect("small"),
        ]
    }

    #[test]
    fn slopes_are_what_they_were() {
        let mut found = Vec::new();
        for graph in graphs() {
            for rho in [0.0, 0.4, 1e3] {
                for q in 0..4 {
                    let (bounds, basis) = worst(&graph, rho, q);
                    let exact = f64::from(u8::from(basis == Basis::Exact));
                    found.extend([bounds.lower, bounds.upper, exact]);
                }
            }
            found.extend((0..4).map(|q| groups_cost(&graph, q)));
            for (rho, q) in [(0.4, 1), (5.0, 2)] {
                let bounds = theorem_6(&graph, rho, q);
                found.extend([bounds.lower, bounds.upper]);
            }
            for cor in [0.0, 0.3, 1e48] {
                let noise = Noise::new(0.7, cor, 1.5).expect("in range");
                let slope = slope(&graph, &noise, Adversary::Curious).expect("users");
                found.extend([slope.lower, slope.upper, slope.colluders as f64]);
            }
            let screened = screened(&graph, 3.0, 1).expect("few users");
            found.extend([screened.lower, screened.upper]);
        }
        let marks: Vec<f64> = found.chunks(30).map(steady::mark).collect();
        steady::holds(
            &marks,
            "5903430487406567.0 2212055444548634.0 5958703916578613.0 455023540171211.0
         8675856491650749.0 4854801690649154.0 4993522203799248.0 6759778683715573.0",
        );
    }

    /// All ways to take one user out, or two, one after the other, agree with what is found at
    /// once.
    #[test]
    fn the_worst_group_is_the_worst_of_all_groups() {
        for graph in graphs() {
            for rho in [0.4, 30.0] {
                let left = |out: &[usize]| {
                    let (left, _) = graph.induced(|i| !out.contains(&i)).expect("users");
                    largest(&left, rho)
                };
                let n = graph.n();
                let ones = (0..n)
                    .map(|i| left(&[i]))
                    .fold(EntryBounds::NONE, EntryBounds::max);
                let pairs = (0..n).flat_map(|i| (0..i).map(move |j| [i, j]));
                let twos = pairs
                    .map(|out| left(&out))
                    .fold(EntryBounds::NONE, EntryBounds::max);
                for (q, truth) in [(1, ones), (2, twos)] {
                    let (found, _) = worst(&graph, rho, q);
                    assert!(
                        found.upper >= truth.lower,
                        "{n}, {rho}, {q}: {found:?} {truth:?}"
                    );
                    assert!(
                        found.lower <= truth.upper,
                        "{n}, {rho}, {q}: {found:?} {truth:?}"
                    );
                    assert!(
                        found.upper - found.lower < 1e-11,
                        "{n}, {rho}, {q}: {found:?}"
                    );
                }
            }
        }
    }

    /// Two users and four: with one of the four taken out, the two are the worst; of the two alone
    /// nobody is.
    #[test]
    fn the_parts_before_the_first_that_may_go_stay_whole() {
        let mut edges = vec![(0, 1)];
        edges.extend((2..6).flat_map(|i| (2..i).map(move |j| (j, i))));
        let graph = Graph::new(6, &edges).expect("a graph");
        for rho in [0.5f64, 3.0] {
            let whole = (1.0 + rho) / (1.0 + 2.0 * rho);
            let found = screened(&graph, rho, 2).expect("few users");
            assert!(
                found.lower <= whole && whole <= found.upper,
                "{rho}: {found:?}"
            );
            assert!(found.upper - found.lower < 1e-12, "{rho}: {found:?}");
            let all = screened(&graph, rho, 0).expect("few users");
            assert!(all.lower > 1.0 - 1e-12, "{rho}: {all:?}");
        }
    }

    /// A triangle and a leaf: if the leaf alone may go, the triangle is left, and what the leaf had counts for nothing.
    #[test]
    fn whoever_must_be_taken_out_counts_for_nothing() {
        let graph = Graph::new(4, &[(0, 1), (0, 2), (1, 2), (0, 3)]).expect("a graph");
        for rho in [0.5f64, 3.0] {
            let left = (1.0 + rho) / (1.0 + 3.0 * rho);
            let found = screened(&graph, rho, 3).expect("few users");
            assert!(
                found.lower <= left && left <= found.upper,
                "{rho}: {found:?}"
            );
            assert!(found.upper - found.lower < 1e-12, "{rho}: {found:?}");
        }
    }
}
