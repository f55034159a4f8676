//! What either solver must do; the test module is instantiated once per solver.

use super::implementation;
use crate::gcd::problems;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::Squared;
use dp_assay::problem::neighbours::Pair;
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::skgd::{Config, Reading, Run, RunError, Sampling, SetValues};

fn logistic(psi: Regulariser) -> Problem {
    problems::logistic(11, psi)
}

fn pairs() -> Sampling {
    let blocks = (0..4).map(|b| vec![2 * b, 2 * b + 1]).collect();
    Sampling::partition(8, blocks).expect("a partition")
}

fn noisy(problem: &Problem, lengths: (usize, usize)) -> Config {
    Config::new(problem, lengths, pairs(), SetValues::Same(0.05))
}

fn run(problem: &Problem, config: &Config) -> Run {
    implementation(problem, config, Tape::new(3)).expect("sound")
}

/// w^t and the iterates of round t, from the transcript alone.
fn rounds(problem: &Problem, config: &Config, run: &Run) -> Vec<Vec<Vec<f64>>> {
    let mut start = config.start.clone();
    let releases: Vec<_> = run.transcript.steps().collect();
    let mut all = Vec::new();
    for round in releases.chunks(config.inner) {
        let mut iterates = vec![start.clone()];
        for release in round {
            let mut theta = iterates[iterates.len() - 1].clone();
            for (&j, value) in release.set.iter().zip(release.values) {
                let step = config.steps[j] / config.sampling.inclusion()[j];
                theta[j] = problem.regulariser().prox(step, theta[j] - step * value);
            }
            iterates.push(theta);
        }
        start = mean(&iterates[1..]);
        all.push(iterates);
    }
    all
}

fn mean(points: &[Vec<f64>]) -> Vec<f64> {
    let sum = |j: usize| points.iter().map(|p| p[j]).sum::<f64>();
    (0..points[0].len())
        .map(|j| sum(j) / points.len() as f64)
        .collect()
}

/// Iterates here are below 10 and rounds have up to 20 steps: 1e-13 is 20 · 10 · 4 roundings.
const ROUNDING: f64 = 1e-13;

//= skgd-lem-post-processing
#[test]
fn the_final_release_is_a_function_of_the_transcript() {
    for psi in [
        Regulariser::None,
        Regulariser::L1(0.01),
        Regulariser::L2(0.1),
    ] {
        let problem = logistic(psi);
        let config = noisy(&problem, (20, 3));
        let run = run(&problem, &config);
        let all = rounds(&problem, &config, &run);
        assert_eq!((all.len(), all[2].len()), (3, 21));
        for (w, average) in run.iterate.iter().zip(mean(&all[2][1..])) {
            assert!((w - average).abs() < ROUNDING);
        }
    }
}

#[test]
fn every_release_is_the_gradient_on_the_set_plus_noise_of_the_stated_deviation() {
    let problem = logistic(Regulariser::None).with_ridge(0.01).expect("sound");
    let with = |noise: f64, reading| {
        let mut config = noisy(&problem, (5, 1));
        (config.noise, config.reading) = (SetValues::Same(noise), reading);
        config
    };
    let quiet = with(0.0, Reading::StandardDeviation);
    let exact = run(&problem, &quiet);
    let first = |run: &Run| {
        run.transcript
            .steps()
            .next()
            .expect("a step")
            .values
            .to_vec()
    };
    // The first release is at w⁰ for all of them: its noise is σ times the same normal variates.
    let unit = run(&problem, &with(1.0, Reading::StandardDeviation));
    let noise: Vec<f64> = first(&unit)
        .iter()
        .zip(first(&exact))
        .map(|(a, b)| a - b)
        .collect();
    for (sigma, reading, deviation) in [
        (0.25, Reading::StandardDeviation, 0.25),
        (0.25, Reading::Variance, 0.5),
    ] {
        let scaled = first(&run(&problem, &with(sigma, reading)));
        for ((value, gradient), noise) in scaled.iter().zip(first(&exact)).zip(&noise) {
            assert!(
                (value - gradient - deviation * noise).abs() < ROUNDING,
                "{reading:?}"
            );
        }
    }
}

/// f falls to within the stated tolerance of its minimum when there is no noise (special case 6).
#[test]
fn without_noise_the_method_converges_under_every_sampling() {
    let problem = logistic(Regulariser::None).with_ridge(0.1).expect("sound");
    let best = dp_assay::problem::optimum::optimum(&problem, 1e-12, 50);
    let m = problem.constants().smoothness();
    let samplings = [
        Sampling::full(8),
        Sampling::uniform_singleton(8),
        Sampling::importance_singleton(m),
        Ok(pairs()),
        Sampling::nice(8, 3),
    ];
    for sampling in samplings {
        let sampling = sampling.expect("sound");
        let config = Config::new(&problem, (200, 20), sampling, SetValues::Same(0.0));
        let run = run(&problem, &config);
        // Strong convexity 0.1 against smoothness below 8 · 0.2: every round shrinks the distance by
        // more than a half (Lemma E.1), twenty of them by 10⁻⁶.
        let excess = problem.objective(&run.iterate) - best.objective;
        assert!(excess < 1e-6, "{excess}");
    }
}

#[test]
fn the_proximal_step_keeps_to_the_box_and_finds_zeros() {
    let boxed = logistic(Regulariser::Box {
        lower: -0.1,
        upper: 0.2,
    });
    let config = noisy(&boxed, (30, 2));
    let all = rounds(&boxed, &config, &run(&boxed, &config));
    let entries: Vec<f64> = all.into_iter().flatten().flatten().collect();
    assert!(entries.iter().all(|w| (-0.1..=0.2).contains(w)));
    assert!(entries.contains(&0.2), "the box never binds");
    let sparse = logistic(Regulariser::L1(10.0));
    let zero = run(&sparse, &noisy(&sparse, (30, 1))).iterate;
    assert_eq!(zero, [0.0; 8]);
}

#[test]
fn a_record_moves_a_clipped_gradient_by_two_radii_over_n_at_most() {
    let problem = logistic(Regulariser::None);
    // The same direction, far out, and the other class: the gradient at 0 points the other way.
    let row = problem.data().design().row(0);
    let far: Vec<f64> = row.map(|e| 1e6 * e.1).collect();
    let class = -problem.data().targets()[0];
    let pair = Pair::replacing(&problem, 0, &far, class).expect("fits");
    let mut config = Config::new(&problem, (1, 1), pairs(), SetValues::Same(0.0));
    config.clipping = Some(SetValues::Same(0.1));
    let mut moved = 0.0_f64;
    for seed in 0..20 {
        let release = |problem: &Problem| {
            let run = implementation(problem, &config, Tape::new(seed)).expect("sound");
            run.transcript
                .steps()
                .next()
                .expect("a step")
                .values
                .to_vec()
        };
        let (a, b) = (release(&pair.first), release(&pair.second));
        let squares = a.iter().zip(&b).map(|(a, b)| (a - b) * (a - b));
        moved = moved.max(squares.sum::<f64>().sqrt());
    }
    // 40 records; the far one is at the radius, and so is the old one for some of the sets.
    assert!(
        moved <= 2.0 * 0.1 / 40.0 * (1.0 + 1e-12) && moved > 1.99 * 0.1 / 40.0,
        "{moved}"
    );
}

#[test]
fn radii_beyond_every_gradient_change_nothing() {
    let problem = logistic(Regulariser::None);
    let mut config = noisy(&problem, (10, 2));
    let plain = run(&problem, &config);
    config.clipping = Some(SetValues::Same(1e9));
    let clipped = run(&problem, &config);
    // A factor of exactly 1 and another order of summation: 40 terms below 1.
    for (a, b) in plain.iterate.iter().zip(&clipped.iterate) {
        assert!((a - b).abs() < ROUNDING);
    }
    config.clipping = Some(SetValues::Same(0.01));
    assert_ne!(plain.iterate, run(&problem, &config).iterate);
}

#[test]
fn the_transcript_is_kept_only_on_request_and_changes_nothing() {
    let problem = logistic(Regulariser::None);
    let mut config = noisy(&problem, (7, 3));
    let kept = run(&problem, &config);
    assert_eq!((kept.transcript.len(), kept.counters.steps), (21, 21));
    assert_eq!(kept.counters.released, 42);
    config.keep_transcript = false;
    let dropped = run(&problem, &config);
    assert!(dropped.transcript.is_empty());
    assert_eq!(kept.iterate, dropped.iterate);
}

#[test]
fn bad_configurations_are_refused_with_the_value_named() {
    let problem = logistic(Regulariser::None);
    let refuse = |change: &dyn Fn(&mut Config), words: &str| {
        let mut config = noisy(&problem, (3, 1));
        change(&mut config);
        let error = implementation(&problem, &config, Tape::new(1)).expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    };
    refuse(&|c| c.inner = 0, "K = 0 inner");
    refuse(&|c| c.outer = 0, "T = 0 outer");
    refuse(&|c| c.inner = usize::MAX, "below 2^48");
    refuse(&|c| c.start[2] = f64::NAN, "start of coordinate 2 is NaN");
    refuse(&|c| c.steps[1] = 0.0, "step size of coordinate 1 is 0");
    refuse(&|c| c.steps.push(1.0), ": 9 given, expected 8");
    refuse(&|c| c.noise = SetValues::Same(-1.0), "noise scale 0 is -1");
    refuse(
        &|c| c.noise = SetValues::Listed(vec![1.0; 3]),
        "noise scale: 3 given, expected 4",
    );
    refuse(
        &|c| c.clipping = Some(SetValues::Root(vec![f64::NAN; 8])),
        "clipping radius 0 is NaN",
    );
    refuse(
        &|c| {
            c.sampling = Sampling::nice(8, 2).expect("2 of 8");
            c.noise = SetValues::Listed(vec![1.0; 28]);
        },
        "does not list its sets",
    );
    refuse(
        &|c| c.sampling = Sampling::full(7).expect("seven"),
        "coordinates of the sampling: 7 given, expected 8",
    );
}

#[test]
fn a_run_that_leaves_the_doubles_says_where() {
    let design = Dense::from_rows(&[[1e100], [1e100]]).expect("finite");
    let data = Dataset::new("huge", design, vec![1.0, 2.0]).expect("two");
    let problem = Problem::new(data, Squared, Regulariser::None).expect("real");
    let sampling = Sampling::full(1).expect("one");
    let mut config = Config::new(&problem, (50, 1), sampling, SetValues::Same(0.0));
    config.steps = vec![1.0];
    let error = implementation(&problem, &config, Tape::new(1)).expect_err("diverges");
    assert!(
        matches!(error, RunError::Diverged { coordinate: 0, .. }),
        "{error}"
    );
}
