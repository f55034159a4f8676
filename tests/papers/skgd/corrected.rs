//! The corrected theorem on its witnesses: the mean risk of real runs against the bound.
//!
//! Each mean is compared with its bound in units of its standard error, and fails beyond six of them: by the normal law the
//! false alarm of one comparison has probability below 10⁻⁸, over the choice of the tapes, which are fixed. Power: with noise
//! that is [`LOUD`] times as large the same comparison fails.

use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::Logistic;
use dp_assay::problem::optimum::optimum;
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::skgd::{Config, Sampling, SetValues, optimized};
use dp_assay_spec::skgd::corrected::{Bound, Convex, Strong};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

const FEATURES: usize = 5;
const RUNS: u64 = 100;
const LOUD: f64 = 12.0;

/// Records of norm 1 whose labels follow the logistic law of a parameter of norm 3: they are not separable.
fn problem(records: usize, ridge: f64) -> Problem {
    let mut rng = Pcg64::seed_from_u64(23);
    let mut rows = Vec::new();
    let mut labels = Vec::new();
    for _ in 0..records {
        let x: [f64; FEATURES] = std::array::from_fn(|_| rng.random_range(-1.0..1.0));
        let norm = x.iter().map(|x| x * x).sum::<f64>().sqrt().max(1e-9);
        let x = x.map(|x| x / norm);
        let likely = 1.0 / (1.0 + (-3.0 * x[0]).exp());
        labels.push(if rng.random_bool(likely) { 1.0 } else { -1.0 });
        rows.push(x);
    }
    let design = Dense::from_rows(&rows).expect("finite");
    let data = Dataset::new("sphere", design, labels).expect("as many labels");
    let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    problem.with_ridge(ridge).expect("sound")
}

/// A lower bound of the least objective: by convexity f(w*) ≥ f(ŵ) − ‖∇f(ŵ)‖·‖w* − ŵ‖, and w* is within 20 of ŵ.
fn least(problem: &Problem) -> f64 {
    let best = optimum(problem, 1e-12, 400).w;
    let slope = problem.gradient(&best);
    let slope = slope.iter().map(|g| g * g).sum::<f64>().sqrt();
    assert!(slope < 1e-5, "the optimum was not found: {slope}");
    problem.objective(&best) - 20.0 * slope
}

/// The mean excess risk of the runs of this schedule and its standard error.
fn risk(problem: &Problem, bound: &Bound, smoothness: f64, loud: f64) -> (f64, f64) {
    let least = least(problem);
    let full = Sampling::full(FEATURES).expect("five");
    let lengths = (bound.inner as usize, bound.outer as usize);
    let noise = SetValues::Same(bound.deviation * loud);
    let mut config = Config::new(problem, lengths, full, noise);
    config.steps.fill(1.0 / smoothness);
    config.keep_transcript = false;
    let run = |seed| {
        let run = optimized::run(problem, &config, Tape::new(seed)).expect("finite");
        problem.objective(&run.iterate) - least
    };
    let risks: Vec<f64> = (0..RUNS).map(run).collect();
    let count = RUNS as f64;
    let mean = risks.iter().sum::<f64>() / count;
    let spread = risks.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / (count - 1.0);
    (mean, (spread / count).sqrt())
}

fn kept(problem: &Problem, bound: &Bound, smoothness: f64) {
    let (mean, error) = risk(problem, bound, smoothness, 1.0);
    println!("{bound:?}: mean risk {mean}, standard error {error}");
    assert!(bound.corrected < bound.trivial, "{bound:?}");
    assert!(
        mean + 6.0 * error <= bound.corrected,
        "{mean} ± {error}: {bound:?}"
    );
    let (mean, error) = risk(problem, bound, smoothness, LOUD);
    assert!(
        mean - 6.0 * error > bound.corrected,
        "not seen: {mean} ± {error}"
    );
}

/// skgd-thm-4.2-cvx-corrected.
#[test]
fn the_convex_bound_holds_on_clipped_logistic_regression() {
    for records in [1000, 2000] {
        let problem = problem(records, 0.0);
        let radius = 5.0;
        let best = optimum(&problem, 1e-9, 200);
        let norm = best.w.iter().map(|w| w * w).sum::<f64>().sqrt();
        assert!(norm <= radius, "‖w*‖ = {norm}");
        let witness = Convex {
            features: FEATURES as u32,
            radius,
        };
        kept(&problem, &witness.at(records as u64), 0.25);
    }
}

/// skgd-thm-4.2-sc-corrected.
#[test]
fn the_strongly_convex_bound_holds_on_clipped_ridge_regression() {
    for records in [2000, 4000] {
        let ridge = 0.05;
        let witness = Strong {
            features: FEATURES as u32,
            ridge,
        };
        kept(
            &problem(records, ridge),
            &witness.at(records as u64),
            0.25 + ridge,
        );
    }
}
