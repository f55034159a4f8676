//! The multiplier: calibrations in their proved order, budgets that come back, and the true distance of a step.

use super::problems::{Problem, problem};
use dp_assay::accounting::zcdp;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::calibration::{Calibration, ShuffledBudget, adaptive_epsilon_upper};
use dp_assay::solver::ambssgd::{Ranges, Shuffled, reference};
use dp_assay::units::{Delta, Epsilon, Rho};

fn budget(epsilon: f64, delta: f64) -> (Epsilon, Delta) {
    (Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
}

#[test]
fn tight_multipliers_spend_the_budget_and_printed_ones_never_more() {
    for epsilon in [0.01, 0.1, 1.0, 5.0, 20.0] {
        for delta in [1e-12, 1e-6, 1e-2] {
            let (e, d) = budget(epsilon, delta);
            for ranges in [Ranges::Printed, Ranges::Disjoint] {
                let tight = Calibration::Tight.multiplier(e, d, ranges).unwrap();
                let spent = adaptive_epsilon_upper(tight, ranges, d).unwrap();
                assert!((spent / epsilon - 1.0).abs() < 1e-9, "{spent} of {epsilon}");
                let printed = Calibration::Printed.multiplier(e, d, ranges).unwrap();
                assert!(printed > tight, "{printed} {tight}");
                assert!(adaptive_epsilon_upper(printed, ranges, d).unwrap() < epsilon);
                // Theorem 3.6: (1/α²)-zCDP, converted by its own formula.
                let rho = Rho::new(1.0 / (printed * printed)).unwrap();
                assert!(zcdp::classic_epsilon_upper(rho, d).unwrap() <= epsilon * (1.0 + 1e-12));
            }
            let double = Calibration::Tight
                .multiplier(e, d, Ranges::Printed)
                .unwrap();
            let single = Calibration::Tight
                .multiplier(e, d, Ranges::Disjoint)
                .unwrap();
            assert!((double / single - 2f64.sqrt()).abs() < 1e-12);
        }
    }
}

#[test]
fn shuffling_amplifies_and_the_calibrated_multiplier_is_on_the_safe_side() {
    let (e, d) = budget(0.1, 1e-6);
    let large = ShuffledBudget::new(100_000, d).unwrap();
    let alpha = large.multiplier(e).unwrap();
    assert!(large.epsilon_upper(alpha).unwrap() <= 0.1);
    let alone = Calibration::Tight
        .multiplier(e, d, Ranges::Disjoint)
        .unwrap();
    assert!(
        alpha < 0.5 * alone,
        "{alpha} with shuffling, {alone} without"
    );
    // Two records hide little: the bound without the shuffle is the better one.
    let small = ShuffledBudget::new(2, d).unwrap();
    assert!((small.multiplier(e).unwrap() / alone - 1.0).abs() < 1e-6);
}

#[test]
fn budgets_outside_the_domain_are_refused_by_value_and_rule() {
    let refused = |e: f64, d: f64| {
        let (e, d) = budget(e, d);
        Calibration::Tight
            .multiplier(e, d, Ranges::Printed)
            .unwrap_err()
            .to_string()
    };
    assert_eq!(refused(0.0, 1e-6), "epsilon = 0 must be > 0");
    assert_eq!(
        refused(1.0, 0.0),
        "delta = 0 must be strictly between 0 and 1"
    );
    assert_eq!(
        refused(1.0, 1.0),
        "delta = 1 must be strictly between 0 and 1"
    );
    let empty = ShuffledBudget::new(0, Delta::new(1e-6).unwrap()).unwrap_err();
    assert_eq!(
        empty.to_string(),
        "number of records = 0 must be at least 1"
    );
}

/// The noiseless iterate after one step moves by at most 2ηζ when its record is replaced, and by exactly that on
/// the pair W1a (`ambssgd-lem-A.1-sens`).
#[test]
fn one_step_moves_by_at_most_twice_the_clipping_norm() {
    let step = |records: &Matrix, at: u32, config: &Shuffled| {
        let mut first = Vec::new();
        let order = [at, at];
        reference::ssgd(records, &order, config, Tape::new(0), &mut |release| {
            if release.step == 0 {
                first = release.iterate.to_vec();
            }
        })
        .unwrap();
        first
    };
    for seed in 0..60 {
        let Problem {
            records, shuffled, ..
        } = problem(seed, 1..=12);
        let config = Shuffled {
            multiplier: 0.0,
            ..shuffled
        };
        let limit = 2.0 * config.step * config.threshold * (1.0 + 1e-12);
        let (a, b) = (step(&records, 0, &config), step(&records, 1, &config));
        let moved: f64 = a.iter().zip(&b).map(|(a, b)| (a - b).powi(2)).sum();
        assert!(
            moved.sqrt() <= limit,
            "seed {seed}: {} > {limit}",
            moved.sqrt()
        );
    }
    let pair = Matrix::new(2, vec![1.0, 0.0, 1.0, 0.0], vec![-8.0, 8.0]).unwrap();
    let config = Shuffled {
        step: 0.5,
        threshold: 4.0,
        multiplier: 0.0,
    };
    assert_eq!(
        step(&pair, 0, &config)[0] - step(&pair, 1, &config)[0],
        -4.0
    );
}
