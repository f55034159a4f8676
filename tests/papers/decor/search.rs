//! Noise for a budget: always safe, never wasteful, and the whole curve.

use dp_assay::accounting::decor::search::SlopeBudget;
use dp_assay::accounting::decor::{Adversary, Noise, optimized, privacy};
use dp_assay::accounting::event::share_upper;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::problem::Graph;
use dp_assay::units::{Delta, Epsilon, Neighbouring};

const GRAPHS: [&str; 4] = ["ring:16", "torus:4x4", "complete:16", "star:9"];

fn budget(epsilon: f64, adversary: Adversary) -> SlopeBudget {
    let (epsilon, delta) = (Epsilon::new(epsilon), Delta::new(1e-5));
    SlopeBudget::new(
        epsilon.expect("valid"),
        delta.expect("valid"),
        1000,
        1.0,
        adversary,
    )
    .expect("valid")
}

fn epsilon(graph: &Graph, noise: &Noise, adversary: Adversary) -> f64 {
    let slope = optimized::slope(graph, noise, adversary).expect("valid");
    let delta = Delta::new(1e-5).expect("valid");
    privacy::epsilon(&slope, 1000, delta).expect("finite").hi
}

#[test]
fn every_pair_on_the_frontier_meets_the_budget_and_none_is_better_than_another() {
    for (name, target) in GRAPHS.iter().zip([0.5, 1.0, 5.0, 20.0]) {
        let graph: Graph = name.parse().expect("a graph");
        let budget = budget(target, Adversary::Eavesdropper);
        let pairs = budget.frontier(&graph, 12).expect("finite");
        assert_eq!((pairs.len(), pairs[0].cor()), (13, 0.0));
        for noise in &pairs {
            let reached = epsilon(&graph, noise, budget.adversary);
            assert!(
                reached <= target * (1.0 + 1e-12) && reached >= target * (1.0 - 1e-9),
                "{name}: {reached}"
            );
        }
        for pair in pairs.windows(2) {
            assert!(
                pair[1].cdp() < pair[0].cdp() && pair[1].cor() > pair[0].cor(),
                "{name}"
            );
        }
    }
}

#[test]
fn the_frontier_reaches_from_local_noise_to_the_infimum_and_is_one_pair_where_correlation_is_in_vain()
 {
    for name in GRAPHS {
        let graph: Graph = name.parse().expect("a graph");
        let budget = budget(1.0, Adversary::Eavesdropper);
        let pairs = budget.frontier(&graph, 12).expect("finite");
        let least = budget.infimum(&graph).expect("finite");
        // Connected: only the sum of all users limits σ_cdp.
        let central = budget.central(graph.n()).expect("finite").cdp();
        assert!(
            least <= central && central <= least * (1.0 + 1e-9),
            "{name}"
        );
        let way = |noise: &Noise| {
            let [own, local, end] = [noise.cdp(), pairs[0].cdp(), least].map(|s| s * s);
            (own - end) / (local - end)
        };
        // ρ is right to 18 % at the ends, and φ is at most homogeneous in it.
        assert!(
            way(&pairs[1]) > 0.98 && way(&pairs[1]) <= 0.99 + 1e-9,
            "{name}"
        );
        assert!(way(&pairs[12]) <= 0.001 + 1e-9, "{name}");
    }
    // One colluder isolates a user of the path and the star; all together isolate anyone.
    for (name, adversary) in [
        ("path:6", Adversary::Curious),
        ("star:9", Adversary::Curious),
        ("complete:5", Adversary::Ldp),
    ] {
        let graph: Graph = name.parse().expect("a graph");
        let budget = budget(1.0, adversary);
        let pairs = budget.frontier(&graph, 12).expect("finite");
        assert_eq!((pairs.len(), pairs[0].cor()), (1, 0.0), "{name}");
        assert!(budget.infimum(&graph).expect("finite") <= pairs[0].cdp());
    }
}

#[test]
fn the_least_correlated_noise_exceeds_the_infimum_by_the_part_asked_for() {
    for (name, adversary) in [
        ("ring:16", Adversary::Eavesdropper),
        ("torus:4x4", Adversary::Curious),
        ("star:9", Adversary::Curious),
    ] {
        let graph: Graph = name.parse().expect("a graph");
        let budget = budget(1.0, adversary);
        let noise = budget.least_correlated(&graph, 0.1).expect("finite");
        let excess = (noise.cdp() / budget.infimum(&graph).expect("finite")).powi(2);
        assert!(excess <= 1.1 * (1.0 + 1e-9), "{name}: {excess}");
        // The next ratio that was tried, 18 % less, has more than that.
        let less = budget.pair(&graph, (noise.cor() / noise.cdp()).powi(2) / 1.2);
        let less = less.expect("finite").cdp();
        assert!(noise.cor() == 0.0 || less > noise.cdp(), "{name}");
    }
}

#[test]
fn either_scale_can_be_found_for_the_other_and_a_little_less_noise_breaks_the_budget() {
    for name in GRAPHS {
        let graph: Graph = name.parse().expect("a graph");
        let budget = budget(2.0, Adversary::Eavesdropper);
        let pair = budget.pair(&graph, 30.0).expect("finite");
        let found = [
            budget.correlated(&graph, pair.cdp()).expect("reachable"),
            budget.uncorrelated(&graph, pair.cor()).expect("reachable"),
        ];
        for noise in found {
            assert!(
                noise.cdp() <= pair.cdp() * (1.0 + 1e-9)
                    && noise.cor() <= pair.cor() * (1.0 + 1e-9)
            );
            assert!(
                optimized::slope(&graph, &noise, budget.adversary)
                    .expect("valid")
                    .upper
                    <= budget.slope
            );
        }
        for less in [(1.0 - 1e-6, 1.0), (1.0, 1.0 - 1e-6)] {
            let noise =
                Noise::new(found[0].cdp() * less.0, found[0].cor() * less.1, 1.0).expect("valid");
            let slope = optimized::slope(&graph, &noise, budget.adversary).expect("valid");
            assert!(slope.lower > budget.slope, "{name}: {slope:?} at {noise:?}");
        }
    }
}

#[test]
fn noise_below_the_central_scale_is_refused_and_local_noise_needs_no_correlation() {
    let graph: Graph = "ring:16".parse().expect("a graph");
    let budget = budget(1.0, Adversary::Eavesdropper);
    let central = (2.0 / (16.0 * budget.slope)).sqrt();
    let refused = budget
        .correlated(&graph, central * (1.0 - 1e-9))
        .unwrap_err();
    assert!(
        refused.to_string().contains("too small for this budget"),
        "{refused}"
    );
    let local = (2.0 / budget.slope).sqrt() * (1.0 + 1e-12);
    assert_eq!(budget.correlated(&graph, local).expect("enough").cor(), 0.0);
}

#[test]
fn sampled_batches_lose_less_and_a_full_batch_is_the_user_level_over_the_batch_size() {
    let graph: Graph = "torus:4x4".parse().expect("a graph");
    let noise = Noise::new(0.05, 0.1, 1.0).expect("valid");
    let slope = optimized::slope(&graph, &noise, Adversary::Curious).expect("valid");
    let delta = Delta::new(1e-5).expect("valid");
    let sampled = |examples, batch| {
        let step = privacy::example_step(&slope, batch);
        let event = hundred(of_fixed_size(examples, batch, step));
        account(
            &event,
            delta,
            Accountant::Auto,
            Neighbouring::ReplaceOne,
            false,
        )
        .expect("known")
    };
    let (full, part) = (sampled(64, 64), sampled(640, 64));
    assert!(
        part.epsilon_upper < 0.7 * full.epsilon_upper,
        "{} {}",
        part.epsilon_upper,
        full.epsilon_upper
    );
    // b of b examples: the Gaussian mechanism with μ² = 2Ts/b².
    let mu = (2.0 * 100.0 * slope.upper).sqrt() / 64.0;
    let exact = dp_assay::accounting::gdp::mechanism(mu)
        .expect("finite")
        .epsilon(delta)
        .expect("finite");
    assert!(
        (full.epsilon_upper - exact.hi).abs() <= 1e-9 * exact.hi,
        "{} {}",
        full.epsilon_upper,
        exact.hi
    );
}

/// `decor-alg-D1e-repaired` promises that bisection is valid for accountants that are monotone in the separation.
#[test]
fn the_example_level_epsilon_does_not_grow_with_the_pair_noise() {
    let graph: Graph = "ring:16".parse().expect("a graph");
    let delta = Delta::new(1e-5).expect("valid");
    let (examples, batch) = (3750, 64);
    let poisson = |step| Event::PoissonSampled {
        rate: share_upper(batch, examples),
        event: Box::new(step),
    };
    let fixed = |step| of_fixed_size(examples, batch, step);
    let ways: [(&str, &dyn Fn(Event) -> Event); 2] =
        [("fixed size", &fixed), ("Poisson", &poisson)];
    for (name, drawn) in ways {
        let epsilon = |cor: f64| {
            let noise = Noise::new(0.02, cor, 1.0).expect("valid");
            let slope = optimized::slope(&graph, &noise, Adversary::Curious).expect("valid");
            let event = hundred(drawn(privacy::example_step(&slope, batch)));
            let report = account(
                &event,
                delta,
                Accountant::Auto,
                Neighbouring::ReplaceOne,
                false,
            );
            report.expect("known").epsilon_upper
        };
        let found: Vec<f64> = [0.0, 0.01, 0.0101, 0.02, 0.05, 0.2, 1.0]
            .map(epsilon)
            .to_vec();
        assert!(found.is_sorted_by(|a, b| a > b), "{name}: {found:?}");
    }
}

fn of_fixed_size(size: u64, batch: u64, step: Event) -> Event {
    Event::FixedSizeSampled {
        size,
        batch,
        replacement: false,
        event: Box::new(step),
    }
}

fn hundred(step: Event) -> Event {
    Event::Repeated {
        times: 100,
        event: Box::new(step),
    }
}
