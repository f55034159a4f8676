//! What either solver must do; the test module is instantiated once per solver.

use super::implementation;
use crate::gcd::problems;
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser, scaling};
use dp_assay::solver::ConfigError;
use dp_assay::solver::gcd::{
    Config, LaplaceScales, Orientation, Rule, Run, RunError, SelectionNoise,
};

fn logistic(psi: Regulariser) -> Problem {
    problems::logistic(7, psi)
}

fn noisy(problem: &Problem, iterations: usize) -> Config {
    let scales = vec![0.05; problem.features()];
    let noise = LaplaceScales::new(scales.clone(), scales).expect("positive");
    Config::new(problem, iterations, noise)
}

fn quiet(problem: &Problem, iterations: usize) -> Config {
    Config::new(problem, iterations, LaplaceScales::none(problem.features()))
}

fn run(problem: &Problem, config: &Config) -> Run {
    implementation(problem, config, Tape::new(3)).expect("sound")
}

fn coordinates(run: &Run) -> Vec<usize> {
    run.transcript.iter().map(|r| r.coordinate).collect()
}

/// The iterates w⁰ … w^T that a transcript determines.
fn iterates(problem: &Problem, config: &Config, run: &Run) -> Vec<Vec<f64>> {
    let mut w = config.start.clone();
    let mut all = vec![w.clone()];
    for release in &run.transcript {
        let (j, step) = (release.coordinate, config.steps[release.coordinate]);
        w[j] = problem
            .regulariser()
            .prox(step, w[j] - step * release.value);
        all.push(w.clone());
    }
    all
}

#[test]
fn every_step_is_the_noisy_argmax_and_a_noisy_partial_derivative() {
    let problem = logistic(Regulariser::None).with_ridge(0.01).expect("sound");
    let config = noisy(&problem, 30);
    let run = run(&problem, &config);
    let all = iterates(&problem, &config, &run);
    for (t, release) in run.transcript.iter().enumerate() {
        let g = problem.gradient(&all[t]);
        let noise =
            |purpose, k: usize| 0.05 * Tape::new(3).uniform(t as u64, purpose, k as u64).laplace();
        let score = |k: usize| {
            (g[k] + noise(Purpose::Selection, k)).abs() / problem.constants().smoothness()[k].sqrt()
        };
        let best = (0..8).max_by(|&a, &b| score(a).total_cmp(&score(b)));
        assert_eq!(best, Some(release.coordinate), "step {t}");
        // Sums of 40 terms below 1, recomputed in another order: 200 roundings of 2⁻⁵³ at most.
        let exact = g[release.coordinate] + noise(Purpose::Release, release.coordinate);
        assert!((release.value - exact).abs() < 200.0 * f64::EPSILON);
    }
    assert_eq!(all[30], run.iterate);
}

#[test]
fn work_is_two_accesses_and_p_plus_one_draws_per_step() {
    let problem = logistic(Regulariser::None);
    let counters = run(&problem, &noisy(&problem, 9)).counters;
    assert_eq!(
        (counters.iterations, counters.accesses, counters.draws),
        (9, 18, 9 * 9)
    );
    let mut config = noisy(&problem, 9);
    config.selection = SelectionNoise::Absent;
    assert_eq!(run(&problem, &config).counters.draws, 9);
}

#[test]
fn one_iteration_gives_one_index_and_one_value() {
    let problem = logistic(Regulariser::None);
    let run = run(&problem, &noisy(&problem, 1));
    assert_eq!((run.transcript.len(), run.gaps.len()), (1, 1));
}

/// With X, √M and the scales doubled, w is halved; powers of two make this exact.
#[test]
fn rescaling_all_features_by_two_halves_the_iterates() {
    let problem = logistic(Regulariser::None);
    let config = noisy(&problem, 25);
    let plain = run(&problem, &config);
    let columns = (0..8).flat_map(|j| problem.data().design().column(j).iter().map(|e| 2.0 * e.1));
    let design = Dense::from_columns(40, 8, columns.collect()).expect("finite");
    let data = problem.data().with_design(design).expect("40 records");
    let doubled = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    let scales = vec![0.1; 8];
    let noise = LaplaceScales::new(scales.clone(), scales).expect("positive");
    let scaled = run(&doubled, &Config::new(&doubled, 25, noise));
    assert_eq!(coordinates(&plain), coordinates(&scaled));
    let halves: Vec<_> = plain.iterate.iter().map(|w| 0.5 * w).collect();
    assert_eq!(scaled.iterate, halves);
}

#[test]
fn without_noise_permuting_the_columns_permutes_the_choices() {
    let problem = logistic(Regulariser::None);
    let constants = Constants::new(vec![1.0; 8], vec![0.25; 8]).expect("positive");
    let problem = problem.with_constants(constants.clone()).expect("eight");
    let reversed = (0..8)
        .rev()
        .flat_map(|j| problem.data().design().column(j).iter().map(|e| e.1));
    let design = Dense::from_columns(40, 8, reversed.collect()).expect("finite");
    let data = problem.data().with_design(design).expect("40 records");
    let mirror = problem.with_data(data).expect("±1");
    let (a, b) = (
        run(&problem, &quiet(&problem, 20)),
        run(&mirror, &quiet(&mirror, 20)),
    );
    let mirrored: Vec<_> = coordinates(&b).into_iter().map(|j| 7 - j).collect();
    assert_eq!(coordinates(&a), mirrored);
}

#[test]
fn one_feature_is_noisy_gradient_descent() {
    let design = Dense::from_rows(&[[1.0], [-0.5], [2.0]]).expect("finite");
    let data = Dataset::new("line", design, vec![1.0, 1.0, -1.0]).expect("three");
    let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    let config = noisy(&problem, 12);
    let run = run(&problem, &config);
    let mut w = 0.0;
    for t in 0..12 {
        let noise = 0.05 * Tape::new(3).uniform(t, Purpose::Release, 0).laplace();
        w -= config.steps[0] * (problem.gradient(&[w])[0] + noise);
    }
    // Twelve steps of three-term sums of numbers below 4.
    assert!((run.iterate[0] - w).abs() < 1e-13);
    assert!(run.gaps.iter().all(|gap| gap.is_infinite()));
}

#[test]
fn a_regulariser_of_weight_zero_gives_algorithm_1_under_every_rule() {
    let plain = run(
        &logistic(Regulariser::None),
        &noisy(&logistic(Regulariser::None), 30),
    );
    for psi in [
        Regulariser::None,
        Regulariser::L1(0.0),
        Regulariser::L2(0.0),
    ] {
        for rule in [
            Rule::GsS,
            Rule::GsR,
            Rule::GsQ(Orientation::LargestDecrease),
        ] {
            let problem = logistic(psi);
            let mut config = noisy(&problem, 30);
            (config.rule, config.selection) = (rule, SelectionNoise::Inside);
            let other = run(&problem, &config);
            assert_eq!(plain.transcript, other.transcript, "{psi:?} {rule:?}");
        }
    }
}

#[test]
fn under_l2_with_equal_smoothness_the_rules_choose_alike() {
    let problem = logistic(Regulariser::L2(0.2));
    let constants = Constants::new(vec![1.0; 8], vec![0.25; 8]).expect("positive");
    let problem = problem.with_constants(constants).expect("eight");
    let rules = [
        Rule::GsS,
        Rule::GsR,
        Rule::GsQ(Orientation::LargestDecrease),
    ];
    let runs = rules.map(|rule| {
        let mut config = noisy(&problem, 30);
        (config.rule, config.selection) = (rule, SelectionNoise::Inside);
        coordinates(&run(&problem, &config))
    });
    assert!(runs[0] == runs[1] && runs[1] == runs[2]);
}

/// gcd-good-steps: from 0, under ℓ₁ and equal M_j, the first choice is the same under every rule.
#[test]
fn under_l1_the_rules_agree_on_a_first_touch() {
    let problem = logistic(Regulariser::L1(0.01));
    let constants = Constants::new(vec![1.0; 8], vec![0.25; 8]).expect("positive");
    let problem = problem.with_constants(constants).expect("eight");
    let rules = [
        Rule::GsS,
        Rule::GsR,
        Rule::GsQ(Orientation::LargestDecrease),
    ];
    let first = rules.map(|rule| {
        let mut config = noisy(&problem, 1);
        (config.rule, config.selection) = (rule, SelectionNoise::Inside);
        coordinates(&run(&problem, &config))
    });
    assert!(first[0] == first[1] && first[1] == first[2]);
}

#[test]
fn without_noise_every_step_decreases_f_by_half_the_squared_gradient() {
    let problem = logistic(Regulariser::None).with_ridge(0.01).expect("sound");
    let config = quiet(&problem, 40);
    let all = iterates(&problem, &config, &run(&problem, &config));
    for pair in all.windows(2) {
        let gradient = problem.gradient(&pair[0]);
        let scaled = gradient.iter().zip(problem.constants().smoothness());
        let largest = scaled.map(|(g, m)| g * g / m).fold(0.0, f64::max);
        // F is below 1 and a mean of 40 terms: 1e-14 is 45 roundings.
        assert!(problem.objective(&pair[1]) <= problem.objective(&pair[0]) - 0.5 * largest + 1e-14);
    }
}

//= gcd-rem-4.1
#[test]
fn from_zero_the_support_grows_by_at_most_one_per_step() {
    for psi in [Regulariser::None, Regulariser::L1(0.02)] {
        let problem = logistic(psi);
        let config = noisy(&problem, 12);
        for (t, w) in iterates(&problem, &config, &run(&problem, &config))
            .iter()
            .enumerate()
        {
            assert!(w.iter().filter(|w| **w != 0.0).count() <= t);
        }
    }
}

#[test]
fn thresholds_beyond_every_term_change_nothing() {
    let problem = logistic(Regulariser::None);
    let mut config = noisy(&problem, 20);
    let plain = run(&problem, &config);
    config.clipping = Some(vec![1e9; 8]);
    assert_eq!(plain.transcript, run(&problem, &config).transcript);
    config.clipping = Some(vec![0.01; 8]);
    assert_ne!(plain.transcript, run(&problem, &config).transcript);
}

#[test]
fn a_box_is_never_left() {
    let problem = logistic(Regulariser::Box {
        lower: -0.1,
        upper: 0.2,
    });
    let config = noisy(&problem, 40);
    let all = iterates(&problem, &config, &run(&problem, &config));
    assert!(all.iter().flatten().all(|w| (-0.1..=0.2).contains(w)));
    assert!(
        all.iter().flatten().any(|w| *w == 0.2),
        "the box never binds"
    );
}

#[test]
fn ties_go_to_the_smallest_index() {
    let design = Dense::from_rows(&[[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]).expect("finite");
    let data = Dataset::new("equal columns", design, vec![1.0, 0.0]).expect("two");
    let problem = Problem::new(data, Squared, Regulariser::None).expect("real");
    let run = run(&problem, &quiet(&problem, 5));
    assert_eq!(coordinates(&run), [0; 5]);
    assert_eq!(run.gaps, [0.0; 5]);
}

#[test]
fn bad_configurations_are_refused_with_the_value_named() {
    let problem = logistic(Regulariser::None);
    let refuse = |change: &dyn Fn(&mut Config), words: &str| {
        let mut config = noisy(&problem, 3);
        change(&mut config);
        let error = implementation(&problem, &config, Tape::new(1)).expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    };
    let config = Config {
        iterations: 0,
        ..noisy(&problem, 1)
    };
    let error = implementation(&problem, &config, Tape::new(1)).expect_err("T = 0");
    assert_eq!(error, RunError::Config(ConfigError::Iterations));
    refuse(&|c| c.start[2] = f64::NAN, "start of coordinate 2 is NaN");
    refuse(&|c| c.steps[1] = 0.0, "step size of coordinate 1 is 0");
    refuse(
        &|c| c.steps = vec![1.0; 7],
        "step size of coordinate: 7 given, expected 8",
    );
    refuse(
        &|c| c.clipping = Some(vec![-1.0; 8]),
        "clipping threshold of coordinate 0 is -1",
    );
    refuse(
        &|c| c.noise = LaplaceScales::none(9),
        "selection scale of coordinate: 9 given",
    );
}

#[test]
fn a_run_that_leaves_the_doubles_says_where() {
    let design = Dense::from_rows(&[[1e100], [1e100]]).expect("finite");
    let data = Dataset::new("huge", design, vec![1.0, 2.0]).expect("two");
    let problem = Problem::new(data, Squared, Regulariser::None).expect("real");
    let mut config = quiet(&problem, 50);
    config.steps = vec![1.0];
    let error = implementation(&problem, &config, Tape::new(1)).expect_err("diverges");
    assert!(
        matches!(error, RunError::Diverged { coordinate: 0, .. }),
        "{error}"
    );
}

#[test]
fn breast_cancer_trains_to_ninety_per_cent_under_the_repaired_calibration() {
    use dp_assay::solver::gcd::Calibration;
    use dp_assay::units::{Delta, Epsilon};
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    let public = problem.constants().clone().stated_public();
    let problem = problem.with_constants(public).expect("as many");
    let n = problem.records() as f64;
    let budget = (
        Epsilon::new(1.0).expect("≥ 0"),
        Delta::new(1.0 / (n * n)).expect("in [0, 1]"),
    );
    let thresholds = problem
        .constants()
        .clipping_thresholds(1.0)
        .expect("positive");
    let config = Config::calibrated(
        &problem,
        10,
        Some(thresholds),
        Calibration::Repaired,
        budget,
    );
    let config = config.expect("in the domain");
    assert_eq!(config.uncovered(&problem), None);
    let accuracy = problem.accuracy(&run(&problem, &config).iterate);
    // One fixed tape, so no false alarm; the value is 0.947 and the majority class 0.63.
    assert!(accuracy > 0.9, "{accuracy}");
}
