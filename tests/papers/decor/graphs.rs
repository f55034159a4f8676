//! Graphs, their connectivity and their mixing matrices.

use dp_assay::accounting::float::Enclosure;
use dp_assay::problem::graph::{Graph, GraphError, edge_list, spectrum};
use dp_assay::problem::mixing::{self, MixingError, MixingMatrix, Weights};
use dp_assay_spec::decor::{catalogue, graph::Graph as SpecGraph, mixing as spec_mixing};
use nalgebra::DMatrix;

/// The library's graph of a specification's graph.
pub fn of_spec(graph: &SpecGraph) -> Graph {
    let edges: Vec<_> = graph.edges().collect();
    Graph::new(graph.n(), &edges).expect("simple")
}

/// A graph whose algebraic connectivity is far above 4.
pub fn dense_random_graph() -> Graph {
    Graph::erdos_renyi(200, 0.5, 3).expect("valid")
}

fn graph(text: &str) -> Graph {
    text.parse().expect("a graph")
}

/// One row of the table: |E|, a, a_1, p, H, ‖W − J‖_F² with Metropolis–Hastings weights.
type Row = (&'static str, usize, f64, f64, f64, f64, f64);

/// Decimals of the table; ring, torus, star and complete rows are exact in it.
const TABLE: [Row; 10] = [
    ("ring:4", 4, 2.0, 1.0, 8.0 / 9.0, 1.0 / 9.0, 1.0 / 3.0),
    (
        "ring:5",
        5,
        1.381966011,
        0.585786438,
        0.709107335,
        1.0 / 9.0,
        2.0 / 3.0,
    ),
    (
        "ring:8",
        8,
        0.585786438,
        0.198062264,
        0.352396986,
        1.0 / 9.0,
        5.0 / 3.0,
    ),
    (
        "ring:16",
        16,
        0.152240935,
        0.043704799,
        0.098918701,
        1.0 / 9.0,
        13.0 / 3.0,
    ),
    ("torus:3x3", 18, 3.0, 2.0, 0.84, 0.08, 0.8),
    ("torus:4x4", 32, 2.0, 1.657076917, 0.64, 0.12, 2.2),
    ("complete:16", 120, 16.0, 15.0, 1.0, 0.0, 0.0),
    (
        "star:16",
        15,
        1.0,
        0.0,
        31.0 / 256.0,
        0.41015625,
        12.3046875,
    ),
    (
        "path:16",
        15,
        0.038429439,
        0.0,
        0.025455535,
        1.0 / 9.0,
        4.777777778,
    ),
    ("hypercube:3", 12, 2.0, 1.381966011, 0.75, 0.125, 1.0),
];

#[test]
fn the_standard_graphs_have_the_tabulated_connectivity_rate_and_heterogeneity() {
    // The table has nine decimals.
    let close = |x: f64, y: f64| (x - y).abs() <= 6e-10;
    for (name, edges, a, a_1, p, h, frobenius) in TABLE {
        let graph = graph(name);
        assert_eq!(graph.edge_count(), edges, "{name}");
        for (q, expected) in [(0, a), (1, a_1)] {
            let found = spectrum::connectivity_after_deletions(&graph, q).expect("small");
            assert!(
                found.width() < 1e-10 * graph.n() as f64,
                "{name}: {found:?}"
            );
            assert!(
                close(found.middle(), expected),
                "{name}: a_{q} in {found:?}"
            );
        }
        let w = MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("a mixing matrix");
        w.require_support(&graph).expect("on the edges");
        let rate = w.consensus_rate();
        assert!(
            close(rate.middle(), p) && rate.width() < 1e-9,
            "{name}: {rate:?}"
        );
        assert!(
            close(w.heterogeneity(&graph).expect("has edges"), h),
            "{name}"
        );
        let deviation = w.matrix().add_scalar(-1.0 / graph.n() as f64);
        assert!(close(deviation.norm_squared(), frobenius), "{name}");
    }
}

/// Algebraic connectivity after 0 and 1 deletions, p, H and ‖W − J‖_F² of a graph that has no name.
#[test]
fn the_complete_graph_on_four_and_petersens_have_the_tabulated_numbers() {
    let petersen: Vec<_> = (0..5)
        .flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)])
        .collect();
    let petersen = Graph::new(10, &petersen).expect("simple");
    for (graph, edges, [a, a_1, p, h, frobenius]) in [
        (graph("complete:4"), 6, [4.0, 3.0, 1.0, 0.0, 0.0]),
        (petersen, 15, [2.0, 1.267949192, 0.75, 0.125, 1.5]),
    ] {
        assert_eq!(graph.edge_count(), edges);
        // The table has nine decimals.
        let close = |x: f64, y: f64| (x - y).abs() <= 6e-10;
        let after = |q| spectrum::connectivity_after_deletions(&graph, q).expect("small");
        assert!(close(after(0).middle(), a) && close(after(1).middle(), a_1));
        let w = MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("a mixing matrix");
        assert!(close(w.consensus_rate().middle(), p));
        assert!(close(w.heterogeneity(&graph).expect("has edges"), h));
        let deviation = w.matrix().add_scalar(-1.0 / graph.n() as f64);
        assert!(close(deviation.norm_squared(), frobenius));
    }
}

#[test]
fn connectivity_and_consensus_rate_enclose_the_exact_ones_on_all_connected_graphs_up_to_six_users()
{
    for member in (2..=6).flat_map(catalogue::connected) {
        let graph = of_spec(&member.graph);
        let a = spectrum::algebraic_connectivity(&graph).expect("n > 1");
        let exact = member.connectivity.as_ref().expect("n > 1");
        let holds = |e: Enclosure, x: &dp_assay_spec::decor::upoly::Algebraic| {
            let [lo, hi] = [e.lo, e.hi].map(|end| rug::Rational::from_f64(end).expect("finite"));
            x.cmp_rational(&lo).is_ge() && x.cmp_rational(&hi).is_le()
        };
        assert!(holds(a, exact), "{:?}: {a:?}", member.graph);
        let weights = spec_mixing::metropolis_hastings(&member.graph);
        let exact = spec_mixing::rate(&weights).expect("not empty");
        let w = MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("a mixing matrix");
        let p = w.consensus_rate();
        // W in binary64 is off by 2u per entry, so its rate by at most 4n·2u.
        let slack = 8.0 * graph.n() as f64 * f64::EPSILON;
        let widened = Enclosure::new(p.lo - slack, p.hi + slack);
        assert!(holds(widened, &exact), "{:?}: {p:?}", member.graph);
        let h = spec_mixing::heterogeneity_of_rows(&member.graph, &weights).expect("has edges");
        let found = w.heterogeneity(&graph).expect("has edges");
        assert!((found - h.to_f64()).abs() <= 1e-14, "{:?}", member.graph);
    }
}

#[test]
fn every_variant_of_the_weights_is_a_mixing_matrix_exactly_where_the_definition_says() {
    let regular = graph("torus:3x4");
    let irregular = graph("star:5");
    let verdict = |graph: &Graph, weights| MixingMatrix::of(graph, weights).is_ok();
    use Weights::*;
    for weights in [
        MetropolisHastings,
        LazyMetropolisHastings,
        MaxDegree,
        Uniform,
    ] {
        assert!(
            verdict(&regular, weights) && verdict(&irregular, weights),
            "{weights:?}"
        );
    }
    assert!(verdict(&regular, WithSelf) && verdict(&regular, BestConstant));
    assert!(!verdict(&irregular, WithSelf) && !verdict(&irregular, BestConstant));
    assert!(!verdict(&regular, Printed) && !verdict(&irregular, Printed));
    let complete = graph("complete:6");
    let (a, b) = (
        mixing::matrix(&complete, WithSelf).expect("small"),
        mixing::matrix(&complete, Uniform).expect("small"),
    );
    assert!((a - b).abs().max() < 1e-16);
}

#[test]
fn no_constant_edge_weight_averages_faster_than_the_best_one() {
    for name in ["ring:9", "torus:3x5", "path:7", "regular:20:3:5"] {
        let graph = graph(name);
        let best = mixing::matrix(&graph, Weights::BestConstant).expect("small");
        let average = 1.0 / graph.n() as f64;
        let norm = |w: &DMatrix<f64>| spectrum::spectral_norm(&w.add_scalar(-average));
        let identity = DMatrix::identity(graph.n(), graph.n());
        for step in 1..60 {
            let other = &identity - 0.01 * f64::from(step) * graph.laplacian();
            assert!(
                norm(&best).lo <= norm(&other).hi + 1e-12,
                "{name}, step {step}"
            );
        }
    }
}

#[test]
fn a_matrix_is_made_of_as_many_users_as_the_limit_says() {
    for (n, made) in [
        (spectrum::DENSE_MAX, true),
        (spectrum::DENSE_MAX + 1, false),
    ] {
        let path = Graph::path(n).expect("a path");
        assert_eq!(mixing::matrix(&path, Weights::Uniform).is_ok(), made, "{n}");
    }
}

#[test]
fn matrices_that_are_no_mixing_matrix_are_refused_with_the_entry_at_fault() {
    let refused =
        |rows: &[f64]| MixingMatrix::new(DMatrix::from_row_slice(2, 2, rows)).unwrap_err();
    let messages = [
        refused(&[0.5, 0.5, 0.25, 0.75]).to_string(),
        refused(&[0.5, 0.25, 0.25, 0.5]).to_string(),
        refused(&[1.5, -0.5, -0.5, 1.5]).to_string(),
        refused(&[f64::NAN, 1.0, 1.0, 0.0]).to_string(),
        MixingMatrix::of(&graph("path:3"), Weights::Uniform)
            .expect("a mixing matrix")
            .require_support(&graph("path:3"))
            .unwrap_err()
            .to_string(),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    let wide = MixingMatrix::new(DMatrix::zeros(2, 3)).unwrap_err();
    assert!(matches!(
        wide,
        MixingError::Shape {
            rows: 2,
            columns: 3,
            ..
        }
    ));
}

#[test]
fn random_graphs_are_what_they_say_and_a_seed_gives_one_graph() {
    for seed in 0..20 {
        let regular = Graph::random_regular(100, 4, seed).expect("found");
        assert!((0..100).all(|i| regular.degree(i) == 4), "seed {seed}");
        assert_eq!(regular, Graph::random_regular(100, 4, seed).expect("found"));
    }
    // 20 graphs of 4950 pairs at p = 0.1: mean 9900, standard deviation 94.4; eight of them are
    // exceeded with probability below 1.3e-15 (two-sided Chernoff bound 2·exp(−8²·0.55)).
    let edges = |seed| {
        Graph::erdos_renyi(100, 0.1, seed)
            .expect("valid")
            .edge_count() as f64
    };
    let total: f64 = (0..20).map(edges).sum();
    assert!((total - 9900.0).abs() < 8.0 * 94.4, "{total}");
    assert_eq!(
        Graph::erdos_renyi(50, 0.0, 1).expect("valid").edge_count(),
        0
    );
    assert_eq!(
        Graph::erdos_renyi(50, 1.0, 1).expect("valid").edge_count(),
        1225
    );
    assert_ne!(
        Graph::random_regular(100, 4, 1),
        Graph::random_regular(100, 4, 2)
    );
}

#[test]
fn edge_lists_are_read_back_and_bad_ones_are_refused_with_their_line() {
    let graph = graph("torus:3x4");
    let again = edge_list::parse(&edge_list::write(&graph)).expect("our own writing");
    assert_eq!(
        again.edges().collect::<Vec<_>>(),
        graph.edges().collect::<Vec<_>>()
    );
    let refused = |text: &str| edge_list::parse(text).unwrap_err().to_string();
    let messages = [
        refused("0 1\n1 1\n"),
        refused("0 1\n# the same again\n1 0\n"),
        refused("n 3\n0 3\n"),
        refused("0 1\n1 two\n"),
        refused("0 1 2\n"),
        refused("-1 2\n"),
        refused("0 99999999999\n"),
        refused("# nothing\n"),
        refused("n 0\n"),
        edge_list::load("no/such/file".as_ref())
            .unwrap_err()
            .to_string(),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    let single = edge_list::parse("n 1\n").expect("one user");
    assert_eq!((single.n(), single.edge_count()), (1, 0));
}

#[test]
fn descriptions_of_graphs_are_refused_with_the_parameter_at_fault() {
    let refused = |text: &str| text.parse::<Graph>().unwrap_err().to_string();
    let texts = [
        "ring:2",
        "torus:2x9",
        "complete:0",
        "hypercube:21",
        "regular:5:3:1",
        "regular:4:4:1",
        "erdos-renyi:5:1.5:1",
        "erdos-renyi:5:nan:1",
        "wheel:5",
        "ring:-3",
        "ring",
        "torus:4",
        "path:99999999",
    ];
    insta::assert_snapshot!(texts.map(refused).join("\n"));
    let two = edge_list::parse("0 1\n2 3\n3 4\n").expect("a graph");
    assert_eq!(
        two.require_connected(),
        Err(GraphError::Disconnected {
            components: 2,
            smallest: 2,
            unreached: 2
        })
    );
}
