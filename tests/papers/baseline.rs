//! The baselines: DP-SGD's batches, its coincidence with full gradients, and what is refused. (DP-CD and
//! gradient descent are held against DP-SkGD in `tests/papers/skgd`.)

use dp_assay::accounting::Accountant;
use dp_assay::accounting::calibrate::Target;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Linear, Logistic};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser, Sparse};
use dp_assay::solver::baseline::{RunError, dp_cd, dp_sgd, gradient_descent};
use dp_assay::units::{Delta, Epsilon, Neighbouring};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// 30 records, 6 features, logistic.
fn logistic(sparse: bool) -> Problem {
    let mut random = Pcg64::seed_from_u64(41);
    let values: Vec<f64> = (0..180).map(|_| random.random_range(-1.0..1.0)).collect();
    let targets = (0..30)
        .map(|_| if random.random() { 1.0 } else { -1.0 })
        .collect();
    let entries = values.iter().enumerate().map(|(k, &x)| (k % 30, k / 30, x));
    let data = match sparse {
        true => {
            let entries: Vec<_> = entries.collect();
            Dataset::new(
                "sparse",
                Sparse::from_entries(30, 6, &entries).expect("sound"),
                targets,
            )
        }
        false => Dataset::new(
            "dense",
            Dense::from_columns(30, 6, values).expect("sound"),
            targets,
        ),
    };
    let problem = Problem::new(data.expect("30"), Logistic, Regulariser::L1(0.001)).expect("±1");
    problem.with_ridge(0.01).expect("sound")
}

fn descent(batch: dp_sgd::Batch, iterations: usize) -> dp_sgd::Config {
    dp_sgd::Config {
        start: vec![0.1; 6],
        step: 0.2,
        iterations,
        batch,
        radius: 0.4,
        multiplier: 0.5,
    }
}

/// 12 steps with γ below 1/β are no expansion; each sums 30 terms below 1, on either side: 12 · 2 · 40
/// roundings of 2⁻⁵³ are below 1.1e-13.
#[test]
fn batches_of_all_records_are_full_gradients() {
    for problem in [logistic(false), logistic(true)] {
        let full = gradient_descent::Config {
            start: vec![0.1; 6],
            steps: vec![0.2; 6],
            inner: 1,
            outer: 12,
            noise: 0.5 * 0.4 / 30.0,
            radius: Some(0.4),
        };
        let full = gradient_descent::run(&problem, &full, Tape::new(6)).expect("sound");
        for batch in [
            dp_sgd::Batch::Poisson { rate: 1.0 },
            dp_sgd::Batch::FixedSize { size: 30 },
        ] {
            let w = dp_sgd::run(&problem, &descent(batch, 12), Tape::new(6)).expect("sound");
            for (a, b) in w.iter().zip(&full) {
                assert!((a - b).abs() < 1.1e-13, "{a} and {b}");
            }
        }
    }
}

/// With X = I and a linear loss one step without noise writes down its batch.
fn batch_of(batch: dp_sgd::Batch, seed: u64) -> Vec<bool> {
    let identity: Vec<_> = (0..50).map(|i| (i, i, 1.0)).collect();
    let design = Sparse::from_entries(50, 50, &identity).expect("sound");
    let data = Dataset::new("identity", design, vec![0.0; 50]).expect("50");
    let problem = Problem::new(data, Linear, Regulariser::None).expect("any target");
    let config = dp_sgd::Config {
        start: vec![0.0; 50],
        multiplier: 0.0,
        radius: 1.0,
        ..descent(batch, 1)
    };
    let w = dp_sgd::run(&problem, &config, Tape::new(seed)).expect("sound");
    let step = -0.2 / batch.expected(50);
    assert!(
        w.iter()
            .all(|w| *w == 0.0 || (w / step - 1.0).abs() < 1e-15)
    );
    w.iter().map(|w| *w != 0.0).collect()
}

/// P(|mean − q| ≥ t) ≤ 2 exp(−2Nt²) (Hoeffding) with N = 50 · 2000 and t = 0.0105 is 6·10⁻¹⁰; a rate off by
/// 0.021 is caught with that certainty.
#[test]
fn batches_have_the_stated_law() {
    let mut count = 0;
    let mut together = 0;
    for seed in 0..2000 {
        let poisson = batch_of(dp_sgd::Batch::Poisson { rate: 0.3 }, seed);
        count += poisson.iter().filter(|taken| **taken).count();
        together += u32::from(poisson[3] && poisson[17]);
        let fixed = batch_of(dp_sgd::Batch::FixedSize { size: 7 }, seed);
        assert_eq!(fixed.iter().filter(|taken| **taken).count(), 7);
    }
    assert!((count as f64 / 100_000.0 - 0.3).abs() < 0.0105, "{count}");
    // Independence of one pair: N = 2000 draws, t = 0.075 gives 3·10⁻¹⁰.
    assert!(
        (f64::from(together) / 2000.0 - 0.09).abs() < 0.075,
        "{together}"
    );
}

#[test]
fn each_kind_of_batch_is_accounted_as_what_it_is() {
    let target = |neighbours| Target {
        epsilon: Epsilon::new(1.0).expect("≥ 0"),
        delta: Delta::new(1e-5).expect("in [0, 1]"),
        method: Accountant::Auto,
        neighbours,
    };
    let multiplier = |batch: dp_sgd::Batch, neighbours| {
        let found = batch
            .calibrate(1000, 40, &target(neighbours))
            .expect("meets it");
        assert!(found.report.epsilon_upper <= 1.0 && found.report.neighbours == neighbours);
        found.value
    };
    let poisson = dp_sgd::Batch::Poisson { rate: 0.05 };
    let fixed = dp_sgd::Batch::FixedSize { size: 50 };
    let added = multiplier(poisson, Neighbouring::AddRemove);
    let replaced = multiplier(poisson, Neighbouring::ReplaceOne);
    let all = multiplier(
        dp_sgd::Batch::Poisson { rate: 1.0 },
        Neighbouring::ReplaceOne,
    );
    let fixed = multiplier(fixed, Neighbouring::ReplaceOne);
    // Replacing is adding and removing; sampling amplifies; fixed sizes hide less than independent draws
    // under the accountants that there are.
    assert!(
        added < replaced && replaced < all && fixed < all,
        "{added} {replaced} {fixed} {all}"
    );
}

#[test]
fn bad_configurations_are_refused_with_the_value_named() {
    let problem = logistic(false);
    let refuse = |config: dp_sgd::Config, words: &str| {
        let error = dp_sgd::run(&problem, &config, Tape::new(1)).expect_err(words);
        assert!(error.to_string().contains(words), "{error}");
    };
    let poisson = |rate| dp_sgd::Batch::Poisson { rate };
    refuse(
        descent(poisson(0.0), 1),
        "sampling rate 0 is 0; it must be in (0, 1]",
    );
    refuse(descent(poisson(f64::NAN), 1), "sampling rate 0 is NaN");
    refuse(descent(poisson(0.5), 0), "K = 0 inner");
    refuse(
        descent(dp_sgd::Batch::FixedSize { size: 31 }, 1),
        "batch size 31 must lie between 1 and the number of records, 30",
    );
    refuse(
        dp_sgd::Config {
            radius: f64::INFINITY,
            ..descent(poisson(0.5), 1)
        },
        "clipping radius 0 is inf",
    );
    let cd = dp_cd::Config {
        start: vec![0.0; 6],
        steps: vec![1.0; 6],
        inner: 1,
        outer: 1,
        noise: vec![0.1; 5],
        clipping: None,
    };
    let error = dp_cd::run(&problem, &cd, Tape::new(1)).expect_err("five of six");
    assert_eq!(error.to_string(), "noise scale: 5 given, expected 6");
    let gd = gradient_descent::Config {
        start: vec![0.0; 6],
        steps: vec![1.0; 6],
        inner: 1,
        outer: 0,
        noise: 0.1,
        radius: None,
    };
    let error = gradient_descent::run(&problem, &gd, Tape::new(1)).expect_err("T = 0");
    assert!(error.to_string().starts_with("K = 1 inner and T = 0 outer"));
}

/// Thirteen pairs fill one row of lanes and part of another; a step of 10³⁰⁸ leaves the doubles.
#[test]
fn runs_on_one_tape_end_as_each_of_them_alone() {
    let mut pairs: Vec<(f64, f64)> = (1..13)
        .map(|k| (0.05 * f64::from(k), 0.1 * f64::from(k * k)))
        .collect();
    pairs.insert(5, (1e308, 100.0));
    for problem in [logistic(false), logistic(true)] {
        for batch in [
            dp_sgd::Batch::Poisson { rate: 0.2 },
            dp_sgd::Batch::FixedSize { size: 1 },
        ] {
            let shared = descent(batch, 40);
            let together = dp_sgd::run_pairs(&problem, &shared, &pairs, Tape::new(8));
            let together = together.expect("sound");
            let alone: Vec<_> = pairs
                .iter()
                .map(|&(step, radius)| {
                    let config = dp_sgd::Config {
                        step,
                        radius,
                        ..shared.clone()
                    };
                    dp_sgd::run(&problem, &config, Tape::new(8))
                })
                .collect();
            assert_eq!(together, alone);
            let lost = together.iter().filter(|end| end.is_err()).count();
            assert_eq!(lost, 1, "the long step alone");
        }
    }
}

/// Coordinate 0 has no gradient and no noise, and stays at 0; the long step is the second of three.
#[test]
fn a_run_that_diverges_names_the_first_coordinate_that_did() {
    let columns = [[0.0; 4], [1.0, -0.5, 0.25, 1.0], [0.5, 1.0, -1.0, 0.75]];
    let design = Dense::from_columns(4, 3, columns.concat()).expect("sound");
    let data = Dataset::new("idle", design, vec![1.0, 1.0, -1.0, 1.0]).expect("4");
    let problem = Problem::new(data, Linear, Regulariser::None).expect("linear");
    let config = dp_sgd::Config {
        start: vec![0.0; 3],
        multiplier: 0.0,
        ..descent(dp_sgd::Batch::FixedSize { size: 4 }, 40)
    };
    let pairs = [(0.1, 1.0), (1e308, 100.0), (0.2, 0.5)];
    let ends = dp_sgd::run_pairs(&problem, &config, &pairs, Tape::new(8)).expect("sound");
    assert!(ends[0].is_ok() && ends[2].is_ok());
    let lost = ends[1].as_ref().expect_err("it leaves the doubles");
    assert!(
        matches!(lost, RunError::Diverged { coordinate: 1, .. }),
        "{lost}"
    );
}

/// 40 steps on the same noise, each with sums of 30 clipped terms in two orders: far below 1e-12.
#[test]
fn coordinate_steps_read_a_sparse_column_as_a_dense_one() {
    let config = dp_cd::Config {
        start: vec![0.1; 6],
        steps: vec![0.3; 6],
        inner: 8,
        outer: 5,
        noise: vec![0.2; 6],
        clipping: Some(vec![0.3; 6]),
    };
    let [dense, sparse] = [false, true]
        .map(|sparse| dp_cd::run(&logistic(sparse), &config, Tape::new(3)).expect("finite"));
    for (one, other) in dense.iter().zip(&sparse) {
        assert!((one - other).abs() < 1e-12, "{dense:?} {sparse:?}");
    }
    assert!(dense.iter().any(|w| (w - 0.1).abs() > 0.01), "{dense:?}");
}
