//! The non-private optimum: certified gaps, known minima, agreement of the ways to it.

use dp_assay::problem::loss::{Huber, Logistic, Squared};
use dp_assay::problem::optimum::{gap_upper, optimum};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser, scaling};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

#[test]
fn breast_cancer_is_solved_to_a_certified_gap() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    for (psi, ridge) in [
        (Regulariser::None, 1e-3),
        (Regulariser::L1(0.01), 0.0),
        (Regulariser::L1(0.001), 1e-4),
        (Regulariser::L2(0.1), 0.0),
        (
            Regulariser::Box {
                lower: -0.5,
                upper: 0.5,
            },
            0.0,
        ),
    ] {
        let problem = Problem::new(data.clone(), Logistic, psi).expect("±1");
        let problem = problem.with_ridge(ridge).expect("sound");
        let best = optimum(&problem, 1e-10, 100);
        assert!(best.gap_upper <= 1e-10, "{psi:?}: {best:?}");
        assert!(problem.accuracy(&best.w) > 0.95);
    }
}

#[test]
fn least_squares_huber_and_lasso_are_solved_to_a_certified_gap() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    for (psi, ridge) in [
        (Regulariser::None, 1e-3),
        (Regulariser::L2(0.1), 0.0),
        (Regulariser::L1(0.01), 0.0),
    ] {
        let squared = Problem::new(data.clone(), Squared, psi).expect("real");
        let huber = Huber::new(0.5).expect("positive");
        let huber = Problem::new(data.clone(), huber, psi).expect("real");
        for problem in [squared, huber] {
            let problem = problem.with_ridge(ridge).expect("sound");
            let best = optimum(&problem, 1e-9, 200);
            assert!(best.gap_upper <= 1e-9, "{psi:?}: {best:?}");
        }
    }
}

/// 250 columns around 10 that vary by one: by turns, coordinates had a gap of 3·10⁻⁴ left after a minute.
#[test]
fn columns_that_nearly_depend_on_each_other_are_solved_in_few_passes() {
    let mut rng = Pcg64::seed_from_u64(5);
    let mut row = || -> Vec<f64> {
        let common = 10.0 + 0.3 * rng.random_range(-1.0..1.0);
        (0..250)
            .map(|_| common + rng.random_range(-1.0..1.0))
            .collect()
    };
    let rows: Vec<Vec<f64>> = (0..600).map(|_| row()).collect();
    let label =
        |row: &Vec<f64>| (row[0] + row[1] - row[2] - row[3] + 0.5 * (row[4] - 10.0)).signum();
    let labels = rows.iter().map(label).collect();
    let dense = Dense::from_rows(&rows).expect("finite");
    let data = Dataset::new("alike", dense, labels).expect("as many");
    for psi in [Regulariser::None, Regulariser::L2(1e-6)] {
        let problem = Problem::new(data.clone(), Logistic, psi).expect("±1");
        let problem = problem.with_ridge(1e-6).expect("sound");
        let best = optimum(&problem, 1e-9, 10);
        let (gap, rounds) = (best.gap_upper, best.rounds);
        assert!(gap <= 1e-9, "{psi:?}: {gap} after {rounds}");
    }
}

/// (1/2)(w − 3)² + |w| has its minimum 2.5 at w = 2.
#[test]
fn the_gap_bounds_a_known_distance_to_the_minimum() {
    let data = Dataset::new(
        "one",
        Dense::from_rows(&[[1.0]]).expect("finite"),
        vec![3.0],
    );
    let problem = Problem::new(data.expect("one"), Squared, Regulariser::L1(1.0)).expect("sound");
    for w in [-1.0, 0.0, 1.0, 1.9, 2.0, 2.5, 7.0] {
        assert!(gap_upper(&problem, &[w]) >= problem.objective(&[w]) - 2.5);
    }
    let best = optimum(&problem, 1e-12, 50);
    assert!((best.objective - 2.5).abs() <= 1e-12, "{best:?}");
}

/// A Huber loss whose knee no residual reaches is the squared loss, and takes the iterative way.
#[test]
fn cholesky_and_newton_find_the_same_ridge_regression() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    let huber = Huber::new(1e6).expect("positive");
    let solve = |problem: Problem| optimum(&problem.with_ridge(0.01).expect("sound"), 1e-11, 100);
    let direct = solve(Problem::new(data.clone(), Squared, Regulariser::None).expect("real"));
    let newton = solve(Problem::new(data, huber, Regulariser::None).expect("real"));
    assert!(direct.gap_upper <= 1e-11 && newton.gap_upper <= 1e-11);
    // Either is within its gap above the common minimum; objectives are below 1 and round 600 times.
    let allowed = direct.gap_upper.max(newton.gap_upper) + 600.0 * f64::EPSILON;
    assert!((direct.objective - newton.objective).abs() <= allowed);
}

/// Beyond max_j |X_jᵀy|/n the lasso is 0, and just below it is not.
#[test]
fn the_lasso_leaves_zero_at_the_largest_correlation() {
    let data = scaling::standardised(&Dataset::breast_cancer()).expect("finite");
    let plain = Problem::new(data.clone(), Squared, Regulariser::None).expect("real");
    let gradient = plain.gradient(&vec![0.0; 30]);
    let largest = gradient.iter().fold(0.0_f64, |max, g| g.abs().max(max));
    let support = |factor: f64| {
        let psi = Regulariser::L1(factor * largest);
        let problem = Problem::new(data.clone(), Squared, psi).expect("real");
        let best = optimum(&problem, 1e-10, 100);
        assert!(best.gap_upper <= 1e-10, "{best:?}");
        best.w.iter().filter(|w| **w != 0.0).count()
    };
    assert_eq!(support(1.001), 0);
    assert_eq!(support(0.999), 1);
    assert!(support(0.01) > 3);
}

/// 300 features of 60 records: working sets grow beyond the size up to which a matrix is formed.
#[test]
fn wide_problems_are_solved_to_a_certified_gap() {
    let mut random = Pcg64::seed_from_u64(3);
    let values = (0..60 * 300)
        .map(|_| random.random_range(-1.0..1.0))
        .collect();
    let targets: Vec<f64> = (0..60)
        .map(|_| if random.random() { 1.0 } else { -1.0 })
        .collect();
    let design = Dense::from_columns(60, 300, values).expect("finite");
    let data = Dataset::new("wide", design, targets).expect("60");
    for (psi, ridge) in [
        (Regulariser::L1(0.003), 0.0),
        (Regulariser::L1(0.001), 1e-3),
        (Regulariser::None, 1e-2),
        (
            Regulariser::Box {
                lower: -0.05,
                upper: 0.02,
            },
            0.0,
        ),
    ] {
        let logistic = Problem::new(data.clone(), Logistic, psi).expect("±1");
        let problem = logistic.with_ridge(ridge).expect("sound");
        let best = optimum(&problem, 1e-8, 200);
        assert!(
            best.gap_upper <= 1e-8,
            "{psi:?}: {} after {}",
            best.gap_upper,
            best.rounds
        );
    }
}
