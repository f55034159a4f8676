//! The accountant against exact rationals, closed forms, its reference and published figures.

use super::graphs::of_spec;
use crate::parallel::on_all_cores;
use dp_assay::accounting::decor::elimination::Factor;
use dp_assay::accounting::decor::{
    Adversary, Basis, EntryBounds, Noise, conjugate, deletion, optimized, privacy, reference,
};
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::problem::Graph;
use dp_assay::problem::graph::spectrum::for_each_subset;
use dp_assay::units::{Delta, Epsilon};
use dp_assay_spec::decor::{catalogue, graph::Graph as SpecGraph};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rug::Rational;

fn graph(text: &str) -> Graph {
    text.parse().expect("a graph")
}

fn noise(cdp: f64, cor: f64) -> Noise {
    Noise::new(cdp, cor, 1.0).expect("valid")
}

fn slope(graph: &Graph, cdp: f64, cor: f64, q: usize) -> (f64, f64) {
    let found = optimized::slope(graph, &noise(cdp, cor), Adversary::Colluding(q)).expect("valid");
    assert_eq!(found.basis, Basis::Exact);
    (found.lower, found.upper)
}

/// Whether the bounds contain `exact` and the upper one is within `width` of it, relatively.
fn encloses(found: EntryBounds, exact: &Rational, width: f64) -> bool {
    let end = |x: f64| Rational::from_f64(x).expect("finite");
    let allowed = Rational::from_f64(1.0 + width).expect("finite") * exact;
    end(found.lower) <= *exact && *exact <= end(found.upper) && end(found.upper) <= allowed
}

/// φ_q(ρ) by the specification's exact inverses.
fn exact_worst(graph: &SpecGraph, rho: &Rational, q: usize) -> Rational {
    let mut worst = Rational::new();
    for_each_subset(graph.n(), q, &mut |group| {
        let keep = (0..graph.n())
            .filter(|i| !group.contains(i))
            .fold(0u64, |set, i| set | 1 << i);
        let left = graph.induced(keep);
        let class = catalogue::class(&left).expect("at most seven vertices");
        worst = worst
            .clone()
            .max(class.resolvent.largest(rho).expect("not empty"));
    });
    worst
}

/// Exactly representable noise ratios, from negligible to overwhelming.
const RATIOS: [f64; 4] = [0.25, 1.0, 100.0, 1e9];

fn the_accountant_is_exact_on_connected_graphs(n: usize) {
    let members: Vec<_> = catalogue::connected(n).collect();
    on_all_cores(&members, |member| {
        let graph = of_spec(&member.graph);
        for rho in RATIOS {
            let exact_rho = Rational::from_f64(rho).expect("finite");
            for q in 0..n {
                let exact = exact_worst(&member.graph, &exact_rho, q);
                let (found, basis) = optimized::worst(&graph, rho, q);
                assert_eq!(basis, Basis::Exact);
                // Elimination of at most 7 vertices: ϵ + θ ≤ 300u < 10⁻¹³ (see its module).
                assert!(
                    encloses(found, &exact, 1e-13),
                    "{:?}, ρ = {rho}, q = {q}: {found:?}",
                    member.graph
                );
            }
        }
    });
}

#[test]
fn the_accountant_is_exact_on_all_connected_graphs_up_to_six_users_and_all_colluders() {
    (1..=6).for_each(the_accountant_is_exact_on_connected_graphs);
}

#[test]
#[ignore = "853 graphs, all colluders"]
fn the_accountant_is_exact_on_all_connected_graphs_of_seven_users_and_all_colluders() {
    the_accountant_is_exact_on_connected_graphs(7);
}

#[test]
fn low_rank_deletions_are_exact_on_all_connected_graphs_up_to_six_users() {
    let members: Vec<_> = (2..=6).flat_map(catalogue::connected).collect();
    on_all_cores(&members, |member| {
        let graph = of_spec(&member.graph);
        for rho in [0.25, 1.0, 100.0] {
            let exact = exact_worst(&member.graph, &Rational::from_f64(rho).expect("finite"), 1);
            let found = deletion::largest(&graph, rho, 0, 1e9).expect("small");
            assert!(
                encloses(found, &exact, 1e-12),
                "{:?}, ρ = {rho}: {found:?}",
                member.graph
            );
        }
    });
}

#[test]
fn conjugate_gradients_and_elimination_enclose_exact_columns() {
    for member in (2..=6).flat_map(catalogue::connected) {
        let graph = of_spec(&member.graph);
        for rho in [0.25, 100.0] {
            let exact_rho = Rational::from_f64(rho).expect("finite");
            let vertices: Vec<usize> = (0..graph.n()).collect();
            let iterative = conjugate::columns(&graph, rho, &vertices, &|lower, upper| {
                upper - lower <= 1e-32
            });
            let factor = Factor::new(&graph, rho, 1e9).expect("small");
            let (columns, diagonal) = (factor.columns(&vertices), factor.diagonal());
            let error = factor.relative_error();
            for i in vertices {
                let exact = member.resolvent.at(i, &exact_rho);
                let found = EntryBounds::new(iterative.diagonal.0[i], iterative.diagonal.1[i]);
                assert!(
                    encloses(found, &exact, 1e-12),
                    "{:?}, {i}: {found:?}",
                    member.graph
                );
                for value in [diagonal[i], columns[i][i]] {
                    let found = EntryBounds::new(value * (1.0 - error), value * (1.0 + error));
                    assert!(
                        encloses(found, &exact, 1e-13),
                        "{:?}, {i}: {found:?}",
                        member.graph
                    );
                }
                for (j, row) in columns.iter().enumerate() {
                    let apart = (row[i] - iterative.y[j][i]).abs();
                    assert!(
                        apart <= iterative.residual[i] + error,
                        "{:?}: {i}, {j}",
                        member.graph
                    );
                }
            }
        }
    }
}

/// A random graph on n vertices: a tree or nothing, and more edges.
fn random_graph(random: &mut Pcg64, n: usize) -> Graph {
    let connected = random.random_bool(0.8);
    let density = random.random_range(0.0..0.8);
    let mut edges = std::collections::BTreeSet::new();
    for j in 1..n {
        if connected {
            edges.insert((random.random_range(0..j), j));
        }
        for i in 0..j {
            if random.random_bool(density) {
                edges.insert((i, j));
            }
        }
    }
    Graph::new(n, &edges.into_iter().collect::<Vec<_>>()).expect("simple")
}

#[test]
fn optimized_equals_reference_on_five_hundred_random_graphs() {
    let seed = 20260807;
    let mut random = Pcg64::seed_from_u64(seed);
    let mut problem = |trial: u32| {
        let n = random.random_range(2..=12);
        let graph = random_graph(&mut random, n);
        let q = random.random_range(0..n.min(4));
        let cdp = 10f64.powf(random.random_range(-3.0..3.0));
        // The reference's covariance is rounded by 6u of its diagonal, which is up to 1 + 11ρ times its
        // least eigenvalue: 7 · 10⁻¹² for ρ ≤ 1000. Exact rationals cover larger ratios elsewhere.
        let cor = cdp * 10f64.powf(random.random_range(-1.0..1.5));
        let noise =
            Noise::new(cdp, cor, 10f64.powf(random.random_range(-3.0..3.0))).expect("valid");
        (trial, graph, noise, Adversary::Colluding(q))
    };
    let problems: Vec<_> = (0..500).map(&mut problem).collect();
    on_all_cores(&problems, |(trial, graph, noise, adversary)| {
        let found = optimized::slope(graph, noise, *adversary).expect("valid");
        let dense = reference::slope_upper(graph, noise, *adversary).expect("well conditioned");
        let message = format!("seed {seed}, trial {trial}: {found:?}, reference {dense}");
        assert!(
            found.lower <= dense && found.upper <= dense * (1.0 + 1e-10),
            "{message}"
        );
        assert!(dense <= found.upper * (1.0 + 1e-10), "{message}");
    });
}

#[test]
fn low_rank_deletions_equal_eliminating_anew_on_random_graphs() {
    let seed = 7;
    let mut random = Pcg64::seed_from_u64(seed);
    for trial in 0..40 {
        let n = random.random_range(20..=60);
        let graph = random_graph(&mut random, n);
        if !graph.is_connected() {
            continue;
        }
        let rho = 10f64.powf(random.random_range(-1.0..4.0));
        let screened = deletion::largest(&graph, rho, 0, 1e9).expect("small");
        let anew = optimized::worst(&graph, rho, 1).0;
        let message = format!("seed {seed}, trial {trial}, ρ = {rho}: {screened:?}, {anew:?}");
        assert!(
            screened.lower <= anew.upper && anew.lower <= screened.upper,
            "{message}"
        );
        // Entries of M, off by 10⁻¹³ relative, are multiplied by ρ twice over the neighbours.
        let width = 1e-13 * (1.0 + rho * graph.max_degree() as f64).powi(2);
        assert!(screened.upper <= anew.upper * (1.0 + width), "{message}");
    }
}

#[test]
fn deletions_by_conjugate_gradients_equal_eliminating_anew() {
    let seed = 8;
    let mut random = Pcg64::seed_from_u64(seed);
    for trial in 0..20 {
        let n = random.random_range(20..=60);
        let graph = Graph::random_regular(n - n % 2, 4, trial).expect("found");
        if !graph.is_connected() {
            continue;
        }
        let rho = 10f64.powf(random.random_range(-1.0..3.0));
        let found = deletion::largest(&graph, rho, 0, 0.0).expect("small");
        let anew = optimized::worst(&graph, rho, 1).0;
        let message = format!("trial {trial}, ρ = {rho}: {found:?}, {anew:?}");
        assert!(
            found.lower <= anew.upper && anew.lower <= found.upper,
            "{message}"
        );
        assert!(found.upper <= anew.upper * (1.0 + 1e-12), "{message}");
    }
}

#[test]
fn the_known_slopes_of_standard_graphs_are_met() {
    // C = 1, σ_cdp² = 1, σ_cor² = 100; 15 decimals.
    let known = [
        ("ring:16", 0, 0.150448362757329),
        ("ring:16", 1, 0.211261896999281),
        ("torus:4x4", 0, 0.130345888065324),
        ("torus:4x4", 1, 0.140579686321192),
        ("complete:16", 0, 0.126171143035603),
        ("complete:16", 1, 0.134576948700866),
        ("star:16", 0, 0.143487053264977),
        ("star:16", 1, 2.0),
        ("path:16", 0, 0.207292471861142),
        ("path:16", 1, 2.0),
    ];
    for (name, q, expected) in known {
        let (lower, upper) = slope(&graph(name), 1.0, 10.0, q);
        // Fifteen decimals; ϵ + θ of elimination with at most 16 users is below 10⁻¹³.
        assert!(
            lower <= expected + 1e-15 && expected - 1e-15 <= upper,
            "{name}, {q}: {upper}"
        );
        assert!(
            upper <= expected * (1.0 + 1e-13) + 1e-15,
            "{name}, {q}: {upper}"
        );
    }
    let petersen: Vec<_> = (0..5)
        .flat_map(|i| [(i, (i + 1) % 5), (i, i + 5), (i + 5, (i + 2) % 5 + 5)])
        .collect();
    let petersen = Graph::new(10, &petersen).expect("simple");
    for (q, expected) in [0.206571930765335, 0.232521518536831, 0.271870774970532]
        .iter()
        .enumerate()
    {
        let (_, upper) = slope(&petersen, 1.0, 10.0, q);
        assert!((upper - expected).abs() <= 1e-13, "Petersen, {q}: {upper}");
    }
}

#[test]
fn closed_forms_of_rings_paths_tori_stars_and_complete_graphs_are_met_at_any_noise_ratio() {
    for rho in [1e-6, 0.3, 100.0, 1e8] {
        // θ with 4 sinh²(θ/2) = 1/ρ, which loses no digits for large ρ.
        let theta = 2.0 * (0.5 / f64::sqrt(rho)).asinh();
        let ring = |n: usize| 1.0 / ((n as f64 * theta / 2.0).tanh() * 2.0 * rho * theta.sinh());
        let path = |m: usize| {
            let (m, end) = (m as f64, 0.5 * theta);
            // cosh((m − ½)θ)/sinh(mθ) without overflow.
            let ratio =
                ((-end).exp() + ((end) - 2.0 * m * theta).exp()) / -(-2.0 * m * theta).exp_m1();
            end.cosh() * ratio / (rho * theta.sinh())
        };
        let complete = |n: usize| {
            let n = n as f64;
            1.0 / n + (1.0 - 1.0 / n) / (1.0 + n * rho)
        };
        let torus = |r: usize, c: usize| {
            let wave =
                |a: usize, r: usize| (std::f64::consts::PI * a as f64 / r as f64).sin().powi(2);
            let term = |a, b| 1.0 / (1.0 + 4.0 * rho * (wave(a, r) + wave(b, c)));
            let all = (0..r).flat_map(|a| (0..c).map(move |b| (a, b)));
            all.map(|(a, b)| term(a, b)).sum::<f64>() / (r * c) as f64
        };
        let leaf = |n: usize| {
            let n = n as f64;
            1.0 / n + (n - 2.0) / (n - 1.0) / (1.0 + rho) + 1.0 / (n * (n - 1.0)) / (1.0 + n * rho)
        };
        let cases = [
            ("ring:17", 0, ring(17)),
            ("ring:17", 1, path(16)),
            ("ring:1000", 0, ring(1000)),
            ("path:40", 0, path(40)),
            ("complete:30", 0, complete(30)),
            ("complete:30", 7, complete(23)),
            ("torus:12x9", 0, torus(12, 9)),
            ("star:20", 0, leaf(20)),
            ("star:20", 1, 1.0),
            ("ring:17", 2, 1.0),
        ];
        for (name, q, expected) in cases {
            let (found, _) = optimized::worst(&graph(name), rho, q);
            // The closed forms above take some 20 operations and θ some 10, the torus' mean 108:
            // 10⁻¹³. ϵ + θ is 3000u ≈ 3.4 · 10⁻¹³ for 30 users all joined, 2 · 10⁴u for the ring.
            let width = if name == "ring:1000" { 1e-11 } else { 5e-13 };
            assert!(
                found.lower <= expected * (1.0 + width),
                "{name}, {q}, ρ = {rho}: {found:?}, {expected}"
            );
            assert!(
                (found.upper - expected).abs() <= width * expected,
                "{name}, {q}, ρ = {rho}: {found:?}, {expected}"
            );
        }
    }
}

#[test]
fn the_special_cases_of_the_paper_coincide() {
    let graphs = [
        "ring:9",
        "star:7",
        "torus:3x4",
        "path:6",
        "complete:5",
        "regular:12:3:1",
    ];
    for text in graphs {
        let graph = graph(text);
        let n = graph.n();
        for q in 0..n.min(3) {
            // Without correlated noise: local privacy.
            let (lower, upper) = slope(&graph, 0.5, 0.0, q);
            assert!(lower <= 8.0 && (8.0..=8.0 * (1.0 + 1e-14)).contains(&upper));
            // Non-decreasing in q, non-increasing in σ_cor.
            let (_, stronger) = slope(&graph, 0.5, 2.0, q + 1);
            let (lower, _) = slope(&graph, 0.5, 2.0, q);
            assert!(lower <= stronger, "{text}, {q}");
            let (more, _) = slope(&graph, 0.5, 2.5, q);
            assert!(more <= slope(&graph, 0.5, 2.0, q).1, "{text}, {q}");
        }
        // All but one collude: local privacy, which is adversary IV.
        let ldp = optimized::slope(&graph, &noise(0.5, 2.0), Adversary::Ldp).expect("valid");
        assert_eq!((ldp.lower, ldp.upper), slope(&graph, 0.5, 2.0, n - 1));
        assert!(ldp.upper >= 8.0 && ldp.upper <= 8.0 * (1.0 + 1e-14));
        // σ_cor → ∞: only the sum is seen. ρ = 10¹⁶ and λ₂ > 0.2 leave 5 · 10⁻¹⁶ of the rest.
        let (_, limit) = slope(&graph, 0.5, 0.5e8, 0);
        assert!((limit * n as f64 / 8.0 - 1.0).abs() < 1e-13, "{text}");
        // Adversaries I and II are levels 0 and 1.
        for (q, adversary) in [Adversary::Eavesdropper, Adversary::Curious]
            .into_iter()
            .enumerate()
        {
            let found = optimized::slope(&graph, &noise(0.5, 2.0), adversary).expect("valid");
            assert_eq!((found.lower, found.upper), slope(&graph, 0.5, 2.0, q));
        }
    }
    // Disconnected: the worst component, and in the limit the smallest one.
    let two = Graph::new(7, &[(0, 1), (1, 2), (3, 4), (4, 5), (5, 6), (6, 3)]).expect("simple");
    let path = slope(&graph("path:3"), 1.0, 3.0, 0);
    let ring = slope(&graph("ring:4"), 1.0, 3.0, 0);
    assert_eq!(
        slope(&two, 1.0, 3.0, 0),
        (path.0.max(ring.0), path.1.max(ring.1))
    );
    assert!((slope(&two, 1.0, 1e8, 0).1 - 2.0 / 3.0).abs() < 1e-13);
    // The path on three users: M = (5/8, 1/2, 5/8).
    assert!((slope(&graph("path:3"), 1.0, 1.0, 0).1 - 1.25).abs() < 1e-14);
}

#[test]
fn the_calibrated_noise_of_corollary_three_has_the_tabulated_epsilons() {
    let delta = Delta::new(1e-5).expect("valid");
    // Graph, colluders, σ_cdp, σ_cor (3 decimals), ε by Rényi conversion and exactly (4 decimals).
    let table = [
        ("ring:16", 0, 151.743, 1555.615, 0.5529, 0.3924),
        ("torus:4x4", 0, 151.743, 429.193, 0.6235, 0.4466),
        ("complete:16", 0, 151.743, 151.743, 0.6962, 0.5029),
        ("ring:16", 1, 156.719, 2903.376, 0.5515, 0.3914),
        ("ring:16", 0, 30.349, 311.123, 2.8939, 2.3049),
        ("complete:16", 0, 30.349, 30.349, 3.6854, 2.9796),
        ("ring:16", 0, 15.174, 155.561, 6.1120, 5.0907),
        ("torus:4x4", 1, 15.672, 47.152, 7.1268, 5.9873),
        ("complete:16", 0, 15.174, 15.174, 7.8818, 6.6582),
    ];
    for (name, q, cdp, cor, renyi, exact) in table {
        let noise = noise(cdp, cor);
        let slope = optimized::slope(&graph(name), &noise, Adversary::Colluding(q)).expect("valid");
        let found = privacy::epsilon(&slope, 1000, delta).expect("finite");
        let upper = privacy::renyi_epsilon_upper(&slope, 1000, delta).expect("finite");
        // The scales are rounded to 3.3e-5 relative, ε moves by at most 1.8 times that.
        let close = |x: f64, y: f64| (x - y).abs() <= 5e-5 + 6e-5 * y;
        assert!(
            close(upper, renyi) && close(found.hi, exact),
            "{name}: {upper}, {found:?}"
        );
        assert!(
            found.lo <= found.hi && found.hi - found.lo <= 1e-11 * found.hi && found.hi <= upper
        );
        // The mechanism is the Gaussian one with μ = 2C √(T M).
        let mu = (2.0 * 1000.0 * slope.upper).sqrt();
        let sum =
            Gaussian::composed(&[(privacy::mechanism(slope.upper, 1000).expect("finite"), 1)]);
        assert!((sum.mu() - mu).abs() <= 1e-14 * mu);
        let at = Epsilon::new(found.hi).expect("finite");
        assert!(sum.delta(at).lo <= 1e-5 * (1.0 + 1e-9));
    }
}

#[test]
fn a_ten_thousand_user_torus_as_an_edge_list_has_the_slope_of_the_closed_form() {
    let torus = graph("torus:100x100");
    let edges: Vec<_> = torus.edges().collect();
    // The same graph without the knowledge that it is transitive.
    let plain = Graph::new(torus.n(), &edges).expect("simple");
    let exact = optimized::worst(&torus, 100.0, 0).0;
    let found = optimized::worst(&plain, 100.0, 0).0;
    assert_eq!(found, exact);
    let wave = |a: usize| (std::f64::consts::PI * a as f64 / 100.0).sin().powi(2);
    let all = (0..100).flat_map(|a| (0..100).map(move |b| wave(a) + wave(b)));
    let mean = all.map(|w| 1.0 / (1.0 + 400.0 * w)).sum::<f64>() / 1e4;
    assert!(found.lower <= mean * (1.0 + 1e-13) && mean <= found.upper * (1.0 + 1e-13));
    assert!(found.upper <= mean * (1.0 + 1e-9), "{found:?}, {mean}");
}

#[test]
#[ignore = "seconds of computing: .ci/run runs it"]
fn beyond_the_budget_an_upper_bound_is_given_and_says_so_at_length() {
    let graph = graph("regular:300:8:1");
    let slope =
        optimized::slope(&graph, &noise(1.0, 10.0), Adversary::Colluding(6)).expect("valid");
    assert_eq!(slope.basis, Basis::Theorem6);
    let easier = optimized::slope(&graph, &noise(1.0, 10.0), Adversary::Curious).expect("valid");
    assert!(easier.lower <= slope.upper && slope.upper <= 2.0 * (1.0 + 1e-14));
    let dense = super::graphs::dense_random_graph();
    let slope = optimized::slope(&dense, &noise(1.0, 1.0), Adversary::Colluding(4)).expect("valid");
    let local = 2.0;
    assert!(
        slope.basis == Basis::Theorem6 && slope.upper < 0.1 * local,
        "{slope:?}"
    );
}

/// A ratio of the variances that binary64 has no number for leaves local noise, from both sides.
#[test]
fn shared_noise_that_underflows_beside_the_own_is_none() {
    for (cdp, cor) in [(1e80, 1e-100), (1e62, 1e-100), (1.0, 1e-100)] {
        let noise = Noise::new(cdp, cor, 1e20).expect("valid");
        for (text, q) in [("path:3", 0), ("ring:6", 1), ("star:5", 0)] {
            let adversary = Adversary::Colluding(q);
            let found = optimized::slope(&graph(text), &noise, adversary).expect("valid");
            let local = 2.0 * (1e20 / cdp) * (1e20 / cdp);
            let holds =
                found.lower <= local * (1.0 + 1e-12) && local <= found.upper * (1.0 + 1e-12);
            assert!(
                holds && found.lower >= local * (1.0 - 1e-12),
                "{text}: {found:?} {local}"
            );
        }
    }
}

#[test]
fn bad_questions_are_refused_with_the_number_at_fault() {
    let ring = graph("ring:5");
    let refused = |adversary: &str, graph: &Graph| {
        let adversary: Adversary = adversary.parse().expect("an adversary");
        optimized::slope(graph, &noise(1.0, 1.0), adversary)
            .unwrap_err()
            .to_string()
    };
    let messages = [
        Noise::new(0.0, 1.0, 1.0).unwrap_err().to_string(),
        Noise::new(1.0, -1.0, 1.0).unwrap_err().to_string(),
        Noise::new(1.0, f64::NAN, 1.0).unwrap_err().to_string(),
        Noise::new(1.0, 1.0, f64::INFINITY).unwrap_err().to_string(),
        refused("collude:5", &ring),
        refused("curious", &graph("path:1")),
        "collude:-1".parse::<Adversary>().unwrap_err().to_string(),
        "insider".parse::<Adversary>().unwrap_err().to_string(),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    // One user alone: everything it adds is its own.
    for adversary in [Adversary::Eavesdropper, Adversary::Ldp] {
        let alone = optimized::slope(&graph("path:1"), &noise(1.0, 9.0), adversary).expect("valid");
        assert!(alone.upper >= 2.0 && alone.upper <= 2.0 * (1.0 + 1e-14));
    }
}
