//! The multiplier: calibrations in their proved order, budgets that come back, and the true distance of a step.

use super::problems::{Problem, problem};
use dp_assay::accounting::float::Enclosure;
use dp_assay::accounting::gaussian::{self, Gaussian};
use dp_assay::accounting::zcdp;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::calibration::{Calibration, ShuffledBudget, adaptive_epsilon_upper};
use dp_assay::solver::ambssgd::{Ranges, Shuffled, reference};
use dp_assay::units::{Delta, Epsilon, Rho, Sensitivity, StdDev};
use std::f64::consts::SQRT_2;

fn budget(epsilon: f64, delta: f64) -> (Epsilon, Delta) {
    (Epsilon::new(epsilon).unwrap(), Delta::new(delta).unwrap())
}

/// The sensitivity of what a step releases, in units of its noise times α: √2 with the printed ranges, rounded up.
fn sensitivity(ranges: Ranges) -> f64 {
    match ranges {
        Ranges::Printed => SQRT_2.next_up(),
        Ranges::Disjoint => 1f64.next_up(),
    }
}

/// Encloses the multiplier that spends the budget exactly: below the lower end it is overspent.
fn exact(e: Epsilon, d: Delta, ranges: Ranges) -> Enclosure {
    let unit = Sensitivity::new(sensitivity(ranges)).unwrap();
    gaussian::calibrate_sigma(unit, e, d).unwrap()
}

#[test]
fn tight_multipliers_spend_the_budget_and_printed_ones_never_more() {
    for epsilon in [0.01, 0.1, 1.0, 5.0, 20.0] {
        for delta in [1e-12, 1e-6, 1e-2] {
            let (e, d) = budget(epsilon, delta);
            for ranges in [Ranges::Printed, Ranges::Disjoint] {
                let tight = Calibration::Tight.multiplier(e, d, ranges).unwrap();
                // Enclosures on either side of the root hold the budget between them: no tolerance is needed.
                let root = exact(e, d, ranges);
                assert_eq!(tight, root.hi);
                let unit = Sensitivity::new(sensitivity(ranges)).unwrap();
                let spent = |alpha| {
                    Gaussian::new(unit, StdDev::new(alpha).unwrap())
                        .epsilon(d)
                        .unwrap()
                };
                let (least, most) = (spent(root.hi), spent(root.lo));
                assert!(
                    least.lo <= epsilon && epsilon <= most.hi,
                    "{least:?} {epsilon} {most:?}"
                );
                assert_eq!(adaptive_epsilon_upper(tight, ranges, d).unwrap(), least.hi);
                let printed = Calibration::Printed.multiplier(e, d, ranges).unwrap();
                assert!(printed > tight, "{printed} {tight}");
                assert!(adaptive_epsilon_upper(printed, ranges, d).unwrap() < epsilon);
                // Theorem 3.6: (1/α²)-zCDP, converted by its own formula. α = 2√(log + ε)/ε exceeds the root of that
                // conversion, (√(log + ε) + √log)/ε, by more than a part in 10⁵ here: rounding does not show.
                let rho = Rho::new(1.0 / (printed * printed)).unwrap();
                assert!(zcdp::classic_epsilon_upper(rho, d).unwrap() <= epsilon);
            }
            // The exact multipliers are to each other as the sensitivities, whose quotient and the product with it round
            // once each.
            let (double, single) = (exact(e, d, Ranges::Printed), exact(e, d, Ranges::Disjoint));
            let quotient = sensitivity(Ranges::Printed) / sensitivity(Ranges::Disjoint);
            assert!((quotient.next_down() * single.lo).next_down() <= double.hi);
            assert!(double.lo <= (quotient.next_up() * single.hi).next_up());
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
    let found = small.multiplier(e).unwrap();
    assert!(exact(e, Delta::new(1e-6).unwrap(), Ranges::Disjoint).lo <= found && found <= alone);
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
                first = release.point.to_vec();
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
        // A clipped gradient of d entries is longer than ζ by at most (d + 12)u relative (as in the bound on the drift),
        // the step and its difference round four times, the norm here d + 2 times; u = 2⁻⁵³.
        let roundings = (2 * records.features() + 18) as f64;
        let rounding = 1.0 + roundings * 0.5 * f64::EPSILON;
        let limit = 2.0 * config.step * config.threshold * rounding;
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
