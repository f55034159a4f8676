//! Algorithm 1: both versions bit for bit, what cancels, and what each adversary sees.

use dp_assay::accounting::decor::{self, Adversary, Noise};
use dp_assay::accounting::float::normal_tail;
use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::decor::{
    Config, LeastSquares, LinearLosses, LocalLosses, Run, RunError, Sampling, Secrets, SetupError,
    StepSizes, optimized, reference, secrets, view,
};
use nalgebra::DMatrix;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

fn config(graph: &str, weights: Weights, noise: Noise, steps: usize) -> Config {
    let graph: Graph = graph.parse().expect("a graph");
    Config {
        mixing: MixingMatrix::of(&graph, weights).expect("a mixing matrix"),
        graph,
        noise,
        steps,
        step_sizes: StepSizes::Constant(0.1),
        sampling: Sampling::AllExamples,
        keep_transcript: true,
    }
}

fn noise(cdp: f64, cor: f64, clip: f64) -> Noise {
    Noise::new(cdp, cor, clip).expect("valid")
}

/// Random examples in [−1, 1]ᵈ, some per user.
fn linear(users: usize, dimension: usize, seed: u64) -> LinearLosses {
    let mut random = Pcg64::seed_from_u64(seed);
    let mut example = || {
        (0..dimension)
            .map(|_| random.random_range(-1.0..1.0))
            .collect::<Vec<f64>>()
    };
    LinearLosses {
        examples: (0..users)
            .map(|i| (0..i % 3 + 1).map(|_| example()).collect())
            .collect(),
    }
}

/// Random targets and the scales i/√n of the paper's first task.
fn least_squares(users: usize, dimension: usize, seed: u64) -> LeastSquares {
    let mut random = Pcg64::seed_from_u64(seed);
    let n = users as f64;
    LeastSquares {
        scales: (1..=users).map(|i| i as f64 / n.sqrt()).collect(),
        targets: (0..users)
            .map(|_| {
                (0..dimension)
                    .map(|_| random.random_range(-1.0..1.0))
                    .collect()
            })
            .collect(),
    }
}

fn run(config: &Config, losses: &dyn LocalLosses, seed: u64, start: &[f64]) -> Run {
    let secrets = Secrets::from_seed(&config.graph, seed);
    optimized::run(config, losses, &secrets, start).expect("finite")
}

#[test]
fn optimized_and_reference_agree_bit_for_bit() {
    let graphs = [
        "ring:7",
        "star:5",
        "torus:3x3",
        "complete:6",
        "path:1",
        "regular:10:3:1",
    ];
    for (seed, name) in graphs.iter().enumerate() {
        // Blocks of 256 coordinates: none, exactly one, some and a rest.
        for dimension in [1, 256, 700] {
            for (clip, sampling) in [(0.5, Sampling::OneExample), (100.0, Sampling::AllExamples)] {
                let mut config =
                    config(name, Weights::MetropolisHastings, noise(0.3, 2.0, clip), 4);
                config.sampling = sampling;
                config.step_sizes = StepSizes::Decreasing {
                    scale: 1.0,
                    offset: 9.0,
                };
                let n = config.graph.n();
                let secrets = Secrets::from_seed(&config.graph, seed as u64);
                let start = vec![0.25; dimension];
                let check = |losses: &dyn LocalLosses| {
                    let fast = optimized::run(&config, losses, &secrets, &start).expect("finite");
                    let slow = reference::run(&config, losses, &secrets, &start).expect("finite");
                    assert_eq!(fast, slow, "{name}, d = {dimension}");
                    assert_eq!(fast.transcript.len(), 4);
                };
                check(&linear(n, dimension, 5));
                check(&least_squares(n, dimension, 6));
            }
        }
    }
}

/// Bound on the rounding of one coordinate of any user after T steps with gradients that do not
/// depend on the model: every step adds, per user, deg + 5 roundings of numbers of size at most
/// `size`, and gossip n products and sums of such numbers; averages do not enlarge errors.
fn rounding(config: &Config, size: f64) -> f64 {
    let operations = config.graph.max_degree() + 5 + 2 * config.graph.n();
    config.steps as f64 * operations as f64 * f64::EPSILON * size
}

/// The largest |x| that is added anywhere: messages, and a step's noise and gradient.
fn largest(config: &Config, run: &Run) -> f64 {
    let messages = run.transcript.iter().map(DMatrix::amax).fold(0.0, f64::max);
    // |z| ≤ 9.2 for every variate of the tape.
    let degree = config.graph.max_degree() as f64;
    messages + config.noise.clip() + 9.2 * (degree * config.noise.cor() + config.noise.cdp())
}

#[test]
fn pair_noise_leaves_the_average_of_the_models() {
    for weights in [
        Weights::MetropolisHastings,
        Weights::LazyMetropolisHastings,
        Weights::MaxDegree,
    ] {
        for name in ["ring:8", "star:6", "torus:3x4", "path:5"] {
            let quiet = config(name, weights, noise(0.5, 0.0, 1.0), 20);
            let loud = config(name, weights, noise(0.5, 50.0, 1.0), 20);
            let losses = linear(quiet.graph.n(), 30, 1);
            let start = vec![1.0; 30];
            let (a, b) = (
                run(&quiet, &losses, 9, &start),
                run(&loud, &losses, 9, &start),
            );
            let apart = a.models.column_mean() - b.models.column_mean();
            let allowed = 2.0 * rounding(&loud, largest(&loud, &b));
            assert!(
                apart.amax() <= allowed,
                "{name}: {} > {allowed}",
                apart.amax()
            );
            // The messages do carry the noise.
            assert!((&a.transcript[0] - &b.transcript[0]).amax() > 1.0);
        }
    }
}

#[test]
fn without_pair_noise_the_run_is_decentralised_sgd_with_independent_noise_bit_for_bit() {
    let config = config(
        "torus:3x3",
        Weights::MetropolisHastings,
        noise(0.5, 0.0, 1.0),
        15,
    );
    let losses = linear(9, 6, 4);
    let secrets = Secrets::from_seed(&config.graph, 9);
    let found = optimized::run(&config, &losses, &secrets, &[0.25; 6]).expect("finite");
    let mut models = vec![[0.25; 6]; 9];
    for t in 0..config.steps {
        let step = |(i, x): (usize, &[f64; 6])| {
            let mut g = [0.0; 6];
            losses.local_gradient(i, x, &mut g);
            let norm = g.iter().map(|g| g * g).sum::<f64>().sqrt();
            let factor = if norm > 1.0 { 1.0 / norm } else { 1.0 };
            let mut z = secrets::own_noise(secrets.own(i), t, 0);
            std::array::from_fn(|k| x[k] - 0.1 * (g[k] * factor + 0.5 * z.uniform().gaussian()))
        };
        let sent: Vec<[f64; 6]> = models.iter().enumerate().map(step).collect();
        for (i, message) in sent.iter().enumerate() {
            assert_eq!(found.transcript[t].column(i).as_slice(), message);
        }
        let w = config.mixing.matrix();
        models = (0..9)
            .map(|i| {
                std::array::from_fn(|k| (0..9).fold(0.0, |sum, j| sum + w[(i, j)] * sent[j][k]))
            })
            .collect();
    }
    for (i, model) in models.iter().enumerate() {
        assert_eq!(found.models.column(i).as_slice(), model);
    }
}

#[test]
fn complete_averaging_on_the_complete_graph_hides_pair_noise_from_all_models_but_not_from_messages()
{
    let quiet = config("complete:6", Weights::Uniform, noise(0.5, 0.0, 1.0), 10);
    let loud = config("complete:6", Weights::Uniform, noise(0.5, 20.0, 1.0), 10);
    let losses = linear(6, 40, 2);
    let start = vec![0.0; 40];
    let (a, b) = (
        run(&quiet, &losses, 3, &start),
        run(&loud, &losses, 3, &start),
    );
    assert!((&a.models - &b.models).amax() <= 2.0 * rounding(&loud, largest(&loud, &b)));
    assert!((&a.transcript[9] - &b.transcript[9]).amax() > 1.0);
}

#[test]
fn another_data_set_moves_the_colluders_view_by_at_most_twice_the_clip_of_the_user_alone() {
    let config = config(
        "torus:3x3",
        Weights::MetropolisHastings,
        noise(0.7, 3.0, 1.5),
        6,
    );
    let mut losses = linear(9, 20, 3);
    let start = vec![0.5; 20];
    let secrets = Secrets::from_seed(&config.graph, 4);
    let group = [0, 4];
    let see = |losses: &LinearLosses| {
        let run = optimized::run(&config, losses, &secrets, &start).expect("finite");
        let allowed = 2.0 * rounding(&config, largest(&config, &run)) / config.step_sizes.at(0);
        (
            view::of_group(&config, &run, &secrets, &start, &group),
            allowed,
        )
    };
    let direction: Vec<f64> = (0..20).map(|k| if k == 7 { 9.0 } else { 0.0 }).collect();
    losses.examples[5] = vec![direction.clone()];
    let (one, allowed) = see(&losses);
    losses.examples[5] = vec![direction.iter().map(|x| -x).collect()];
    let (other, _) = see(&losses);
    for (a, b) in one.iter().zip(&other) {
        assert_eq!(a.shape(), (20, 7));
        // User 5 is the fourth of the honest 1, 2, 3, 5, 6, 7, 8.
        let mut expected = DMatrix::zeros(20, 7);
        expected[(7, 3)] = 2.0 * config.noise.clip();
        assert!((a - b - expected).amax() <= allowed);
    }
}

/// Σ over steps and coordinates of yᵀΣ_H⁻¹y for the view y of a run without gradients: χ² with
/// (n − q)·d·T degrees of freedom if Σ_H is the covariance of the view.
fn chi_squared(config: &Config, assumed: &Config, group: &[usize], d: usize) -> (f64, f64) {
    let n = config.graph.n();
    let losses = LinearLosses {
        examples: vec![vec![vec![0.0; d]]; n],
    };
    let secrets = Secrets::from_seed(&config.graph, 11);
    let start = vec![0.0; d];
    let run = optimized::run(config, &losses, &secrets, &start).expect("finite");
    let (honest, _) = assumed
        .graph
        .induced(|i| !group.contains(&i))
        .expect("some are honest");
    let m = honest.n();
    let (cdp, cor) = (assumed.noise.cdp(), assumed.noise.cor());
    let covariance = DMatrix::identity(m, m) * cdp * cdp + honest.laplacian() * cor * cor;
    let factor = covariance.cholesky().expect("positive definite");
    let steps = view::of_group(config, &run, &secrets, &start, group);
    let total: f64 = steps
        .iter()
        .map(|y| {
            factor
                .solve(&y.transpose())
                .component_mul(&y.transpose())
                .sum()
        })
        .sum();
    (total, (m * d * config.steps) as f64)
}

#[test]
fn every_adversary_sees_noise_of_the_accounted_covariance_and_broken_noise_is_told_apart() {
    // χ² with m = 21 000 … 27 000 degrees of freedom: outside m ± (2√(mx) + 2x) with probability at
    // most 2e⁻ˣ (Laurent and Massart 2000); x = 18.5 makes that 2e-8 per test, 6e-8 in all.
    let allowed = |m: f64| 2.0 * (m * 18.5).sqrt() + 2.0 * 18.5;
    let right = config(
        "torus:3x3",
        Weights::MetropolisHastings,
        noise(0.7, 2.0, 1.0),
        60,
    );
    for group in [&[][..], &[2], &[1, 5]] {
        let (found, m) = chi_squared(&right, &right, group, 50);
        assert!(
            (found - m).abs() <= allowed(m),
            "{group:?}: {found}, expected {m}"
        );
    }
    // The same statistic with another covariance has mean tr(Σ_wrong⁻¹Σ)·dT. σ taken for σ² (0.49
    // for 0.7, 4 for 2), an edge left out, σ_cor missing: the mean moves by 24 % or more, more than ten
    // times the threshold (2.6 %·m), so each is told apart with probability above 1 − 10⁻⁸.
    let mut confused = right.clone();
    confused.noise = noise(0.49, 4.0, 1.0);
    let mut silent = right.clone();
    silent.noise = noise(0.7, 1e-3, 1.0);
    let mut cut = right.clone();
    let edges: Vec<_> = right.graph.edges().skip(1).collect();
    cut.graph = Graph::new(9, &edges).expect("simple");
    for (what, run, assumed) in [
        ("σ for σ²", &confused, &right),
        ("σ² for σ", &right, &confused),
        ("no pair noise", &silent, &right),
    ] {
        let (found, m) = chi_squared(run, assumed, &[], 50);
        assert!((found - m).abs() > allowed(m), "{what}: {found}, {m}");
    }
    let (found, m) = chi_squared(&right, &cut, &[], 50);
    assert!(
        (found - m).abs() > allowed(m),
        "edge left out: {found}, {m}"
    );
}

#[test]
fn the_likelihood_ratio_attack_wins_as_often_as_the_accountant_says_and_no_more() {
    // The worst pair: user i's gradient is C or −C in one coordinate, all others' are 0. The attacker
    // guesses from the sign of eᵢᵀΣ_H⁻¹y and is right with probability Φ(μ/2) in each of T independent
    // steps, μ = √(2s). T = 20 000 guesses are within √(T ln(2/α)/2) = 437 of their mean with
    // probability 1 − α, α = 10⁻⁸ (Hoeffding); half the noise would add 15 % of T, 3000.
    let (steps, allowed) = (20_000, 437.0);
    let mut config = config(
        "torus:3x3",
        Weights::MetropolisHastings,
        noise(0.7, 2.0, 1.0),
        steps,
    );
    config.step_sizes = StepSizes::Constant(1e-3);
    let secrets = Secrets::from_seed(&config.graph, 12);
    for (user, group, sign) in [(4, &[][..], 1.0), (4, &[3], 1.0), (0, &[1, 5], -1.0)] {
        let mut losses = LinearLosses {
            examples: vec![vec![vec![0.0]]; 9],
        };
        losses.examples[user][0][0] = sign;
        let run = optimized::run(&config, &losses, &secrets, &[0.0]).expect("finite");
        let (honest, names) = config
            .graph
            .induced(|i| !group.contains(&i))
            .expect("some are honest");
        let m = honest.n();
        let covariance = DMatrix::identity(m, m) * 0.49 + honest.laplacian() * 4.0;
        let at = names.iter().position(|&i| i == user).expect("honest");
        let inverse = covariance.try_inverse().expect("positive definite");
        let views = view::of_group(&config, &run, &secrets, &[0.0], group);
        let right = views
            .iter()
            .filter(|y| (y.row(0) * inverse.column(at))[0] * sign > 0.0)
            .count();
        let half = inverse[(at, at)].sqrt();
        let expected = steps as f64 * (1.0 - normal_tail(half));
        assert!(
            (right as f64 - expected).abs() <= allowed,
            "{group:?}: {right}, {expected}"
        );
        // No user is seen better than the accountant's slope says.
        let adversary = Adversary::Colluding(group.len());
        let slope =
            decor::optimized::slope(&config.graph, &config.noise, adversary).expect("valid");
        assert!(
            2.0 * half * half <= slope.upper * (1.0 + 1e-12),
            "{group:?}: {slope:?}"
        );
    }
}

#[test]
fn without_noise_to_speak_of_the_users_agree_on_the_minimum_of_least_squares() {
    let losses = least_squares(6, 4, 8);
    let mut config = config(
        "ring:6",
        Weights::MetropolisHastings,
        noise(1e-9, 1e-9, 1e3),
        4000,
    );
    config.step_sizes = StepSizes::Decreasing {
        scale: 2.0,
        offset: 20.0,
    };
    config.keep_transcript = false;
    let found = run(&config, &losses, 1, &[0.0; 4]);
    assert_eq!((found.clipped, found.transcript.len()), (0, 0));
    let weight: f64 = losses.scales.iter().map(|a| a * a).sum();
    for k in 0..4 {
        let pull: f64 = losses
            .scales
            .iter()
            .zip(&losses.targets)
            .map(|(a, b)| a * b[k])
            .sum();
        for i in 0..6 {
            // With η_T ≈ 5e-4 heterogeneous gradients hold the users O(η_T ζ/p) ≈ 5e-3 apart.
            assert!((found.models[(k, i)] - pull / weight).abs() < 1e-2);
        }
    }
}

#[test]
fn configurations_that_do_not_fit_are_refused_with_the_numbers_at_fault() {
    let good = config(
        "ring:4",
        Weights::MetropolisHastings,
        noise(1.0, 1.0, 1.0),
        3,
    );
    let secrets = Secrets::from_seed(&good.graph, 1);
    let refused = |config: &Config, losses: &dyn LocalLosses, start: &[f64]| {
        optimized::run(config, losses, &secrets, start)
            .unwrap_err()
            .to_string()
    };
    let losses = linear(4, 2, 1);
    let mut split = good.clone();
    split.graph = Graph::new(4, &[(0, 1), (2, 3)]).expect("simple");
    let mut averaging = good.clone();
    averaging.mixing = MixingMatrix::of(&good.graph, Weights::Uniform).expect("a mixing matrix");
    let mut still = good.clone();
    still.step_sizes = StepSizes::Constant(0.0);
    let mut wild = good.clone();
    wild.step_sizes = StepSizes::Constant(1e308);
    wild.noise = noise(10.0, 10.0, 10.0);
    let mut without = linear(4, 2, 1);
    without.examples[2].clear();
    // Seeds of another graph: two neighbours would add no noise that cancels.
    let path: Graph = "path:4".parse().expect("a graph");
    let strangers = Secrets::from_seed(&path, 1);
    let unshared = reference::run(&good, &losses, &strangers, &[0.0; 2]).unwrap_err();
    let messages = [
        unshared.to_string(),
        refused(&good, &linear(3, 2, 1), &[0.0; 2]),
        refused(&split, &losses, &[0.0; 2]),
        refused(&averaging, &losses, &[0.0; 2]),
        refused(&still, &losses, &[0.0; 2]),
        refused(&good, &losses, &[0.0; 3]),
        refused(&good, &losses, &[0.0, f64::NAN]),
        refused(&good, &without, &[0.0; 2]),
    ];
    insta::assert_snapshot!(messages.join("\n"));
    let error = optimized::run(&wild, &losses, &secrets, &[0.0; 2]).unwrap_err();
    assert!(
        matches!(error, RunError::Diverged { step: 0, .. }),
        "{error}"
    );
    assert!(matches!(
        good.check(&linear(3, 2, 1), &secrets, &[0.0; 2]),
        Err(SetupError::Users {
            found: 3,
            users: 4,
            ..
        })
    ));
}
