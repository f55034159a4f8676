//! Samplings and methods that must coincide, on the same tape.

use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::baseline::{dp_cd, gradient_descent};
use dp_assay::solver::skgd::{Config, Run, Sampling, SetValues, optimized, reference};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const LENGTHS: (usize, usize) = (15, 3);

/// 40 records, 8 features with entries in (−1, 1), targets ±1.
fn data() -> Dataset {
    let mut random = Pcg64::seed_from_u64(29);
    let values = (0..40 * 8)
        .map(|_| random.random_range(-1.0..1.0))
        .collect();
    let targets = (0..40).map(|_| if random.random() { 1.0 } else { -1.0 });
    let design = Dense::from_columns(40, 8, values).expect("finite");
    Dataset::new("random", design, targets.collect()).expect("40 targets")
}

fn squared() -> Problem {
    Problem::new(data(), Squared, Regulariser::L1(0.01)).expect("real")
}

fn logistic() -> Problem {
    Problem::new(data(), Logistic, Regulariser::None).expect("±1")
}

/// Runs both solvers under both samplings and compares bit by bit.
fn same_bits(problem: &Problem, first: Sampling, second: Sampling) {
    let scales = SetValues::Root((1..=8).map(|j| 0.01 * f64::from(j)).collect());
    for solver in [reference::run, optimized::run] {
        let run = |sampling: &Sampling| -> Run {
            let mut config = Config::new(problem, LENGTHS, sampling.clone(), scales.clone());
            config.clipping = Some(SetValues::Root(vec![0.2; 8]));
            solver(problem, &config, Tape::new(5)).expect("sound")
        };
        assert_eq!(run(&first), run(&second));
    }
}

fn singletons() -> Vec<Vec<usize>> {
    (0..8).map(|j| vec![j]).collect()
}

#[test]
fn one_block_is_full_sampling_is_nice_sampling_of_all() {
    let block = Sampling::partition(8, vec![(0..8).rev().collect()]).expect("one block");
    let full = Sampling::full(8).expect("eight");
    same_bits(&logistic(), full.clone(), block);
    same_bits(&logistic(), full, Sampling::nice(8, 8).expect("all"));
}

#[test]
fn blocks_of_one_are_singletons_are_nice_sampling_of_one() {
    let blocks = Sampling::partition(8, singletons()).expect("blocks of one");
    let uniform = Sampling::uniform_singleton(8).expect("eight");
    same_bits(&logistic(), uniform.clone(), blocks);
    same_bits(&logistic(), uniform, Sampling::nice(8, 1).expect("one"));
}

#[test]
fn importance_is_uniform_when_all_smoothness_constants_are_equal() {
    // 1/10 is no double, and ten of them do not sum to 1.
    let constants = Constants::new(vec![1.0; 8], vec![0.1; 8]).expect("positive");
    let problem = logistic().with_constants(constants).expect("eight");
    let m = problem.constants().smoothness();
    let uniform = Sampling::uniform_singleton(8).expect("eight");
    let importance = Sampling::importance_singleton(m).expect("positive");
    assert_eq!(uniform, importance);
    same_bits(&problem, uniform, importance);
    let blocks = vec![vec![0, 5, 7], vec![1], vec![2, 3, 4, 6]];
    let uniform = Sampling::partition(8, blocks.clone()).expect("a partition");
    let importance = Sampling::importance_partition(8, blocks, m).expect("a partition");
    same_bits(&problem, uniform, importance);
}

/// Steps γ ≤ 1/(d M_j) are no expansion in the norm of Γ⁻¹, nor is the proximal map: the errors of 45
/// steps add up. Each is below 200 roundings of numbers below 10; 1e-11 is 50 times that.
//= skgd-red-dpsgd-restricted
#[test]
fn full_sampling_is_noisy_gradient_descent_with_averaging() {
    for (problem, radius) in [(squared(), None), (logistic(), Some(0.4))] {
        let sampling = Sampling::full(8).expect("eight");
        let mut config = Config::new(&problem, LENGTHS, sampling, SetValues::Same(0.03));
        config.clipping = radius.map(SetValues::Same);
        let descent = gradient_descent::Config {
            start: config.start.clone(),
            steps: config.steps.clone(),
            inner: LENGTHS.0,
            outer: LENGTHS.1,
            noise: 0.03,
            radius,
        };
        let plain = gradient_descent::run(&problem, &descent, Tape::new(8)).expect("sound");
        for solver in [reference::run, optimized::run] {
            let run = solver(&problem, &config, Tape::new(8)).expect("sound");
            close(&run.iterate, &plain, 1e-11);
        }
    }
}

/// For a quadratic f a coordinate step with γ ≤ 1/H_jj and a proximal map are no expansion in the norm
/// of H, whose condition number is below 100 here: ten times the errors above.
//= skgd-red-dpcd
#[test]
fn uniform_singletons_are_dp_cd_with_steps_d_times_as_long() {
    let scales: Vec<f64> = (1..=8).map(|j| 0.01 * f64::from(j)).collect();
    for (problem, clipping) in [(squared(), None), (logistic(), Some(vec![0.3; 8]))] {
        let sampling = Sampling::uniform_singleton(8).expect("eight");
        let noise = SetValues::Root(scales.clone());
        let mut config = Config::new(&problem, LENGTHS, sampling, noise);
        config.clipping = clipping.clone().map(SetValues::Root);
        let descent = dp_cd::Config {
            start: config.start.clone(),
            steps: config.steps.iter().map(|gamma| 8.0 * gamma).collect(),
            inner: LENGTHS.0,
            outer: LENGTHS.1,
            noise: scales.clone(),
            clipping,
        };
        let plain = dp_cd::run(&problem, &descent, Tape::new(9)).expect("sound");
        for solver in [reference::run, optimized::run] {
            let run = solver(&problem, &config, Tape::new(9)).expect("sound");
            close(&run.iterate, &plain, 1e-10);
        }
    }
}

fn close(a: &[f64], b: &[f64], allowed: f64) {
    for (a, b) in a.iter().zip(b) {
        assert!((a - b).abs() < allowed, "{a} and {b}");
    }
    assert!(a.iter().any(|w| *w != 0.0), "nothing moved");
}

/// Column j times a_j, noise times a_j: θ_j divided by a_j. Powers of two make this exact.
#[test]
fn rescaling_coordinates_rescales_the_iterates() {
    let factors = [1.0, 2.0, 0.5, 4.0, 0.25, 1.0, 8.0, 2.0];
    let problem = logistic();
    let columns = (0..8).flat_map(|j| {
        let column = problem.data().design().column(j);
        column.iter().map(move |(_, x)| factors[j] * x)
    });
    let design = Dense::from_columns(40, 8, columns.collect()).expect("finite");
    let data = problem.data().with_design(design).expect("40 records");
    let scaled = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    for solver in [reference::run, optimized::run] {
        let run = |problem: &Problem, noise: Vec<f64>| {
            let sampling = Sampling::uniform_singleton(8).expect("eight");
            let config = Config::new(problem, LENGTHS, sampling, SetValues::Root(noise));
            solver(problem, &config, Tape::new(2))
                .expect("sound")
                .iterate
        };
        let plain = run(&problem, vec![0.05; 8]);
        let scaled = run(&scaled, factors.iter().map(|a| 0.05 * a).collect());
        let divided: Vec<f64> = plain.iter().zip(factors).map(|(w, a)| w / a).collect();
        assert_eq!(scaled, divided);
    }
}

/// X and y doubled make the squared loss four times as large: with noise times four nothing moves.
#[test]
fn rescaling_the_loss_and_the_noise_leaves_the_iterates() {
    let problem = Problem::new(data(), Squared, Regulariser::None).expect("real");
    let doubled = (0..8).flat_map(|j| problem.data().design().column(j).iter().map(|e| 2.0 * e.1));
    let design = Dense::from_columns(40, 8, doubled.collect()).expect("finite");
    let targets = problem.data().targets().iter().map(|y| 2.0 * y).collect();
    let data = Dataset::new("doubled", design, targets).expect("40 records");
    let larger = Problem::new(data, Squared, Regulariser::None).expect("real");
    for solver in [reference::run, optimized::run] {
        let run = |problem: &Problem, noise: f64| {
            let sampling = Sampling::nice(8, 3).expect("3 of 8");
            let config = Config::new(problem, LENGTHS, sampling, SetValues::Same(noise));
            solver(problem, &config, Tape::new(4))
                .expect("sound")
                .iterate
        };
        assert_eq!(run(&problem, 0.1), run(&larger, 0.4));
    }
}
