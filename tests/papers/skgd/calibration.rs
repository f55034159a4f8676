//! Noise scales: against the certified enclosure of Theorem 4.1, against the accountant, and what is
//! refused.

use crate::gcd::calibration::units;
use dp_assay::accounting::{Accountant, account};
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Constants, Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::skgd::{Calibration, Config, Sampling, SetValues, event, sensitivities};
use dp_assay::units::Neighbouring;
use dp_assay_spec::skgd::calibration::Hypotheses;
use proptest::prelude::*;

const LIPSCHITZ: [f64; 3] = [0.5, 3.0, 1.25];

/// Seven records, with public constants.
fn problem() -> Problem {
    let design = Dense::from_columns(7, 3, (0..21).map(|k| f64::from(k % 5) - 2.0).collect());
    let targets = vec![1.0, -1.0, 1.0, -1.0, 1.0, 1.0, -1.0];
    let data = Dataset::new("seven", design.expect("finite"), targets).expect("seven");
    let constants = Constants::new(LIPSCHITZ.to_vec(), vec![1.0; 3]).expect("positive");
    let problem = Problem::new(data, Logistic, Regulariser::None).expect("±1");
    problem.with_constants(constants).expect("three")
}

/// Δ = 1 for one set, so that a scale is the noise multiplier.
fn multiplier(calibration: Calibration, (e, d): (f64, f64), lengths: (usize, usize)) -> f64 {
    let scales = calibration.scales(units(e, d), lengths, &SetValues::Same(1.0));
    scales.expect("in the domain").of(&[0], None)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(64) })]

    /// skgd-thm-4.1, coordinate by coordinate, pair by pair and for all: never below the theorem's
    /// enclosure, never above it by more than the roundings counted in the library.
    #[test]
    fn the_printed_scale_is_theorem_4_1_rounded_up(
        epsilon in 0.001..=1.0f64, log_delta in 1.1..60.0f64, inner in 1..500usize, outer in 1..20usize,
    ) {
        let delta = (-log_delta).exp();
        let theorem = Hypotheses::check(
            units(epsilon, delta).0, units(epsilon, delta).1, 7, inner as u64, outer as u64,
        ).expect("in the domain");
        for sampling in [Sampling::full(3), Sampling::uniform_singleton(3), Sampling::nice(3, 2)] {
            let sampling = sampling.expect("sound");
            let size = sampling.largest();
            let config = Config::calibrated(
                &problem(), (inner, outer), sampling, None, Calibration::Printed,
                units(epsilon, delta),
            ).expect("in the domain");
            for set in [vec![0, 1, 2], vec![0, 1], vec![1, 2], vec![0], vec![2]] {
                if set.len() != size { continue }
                let lipschitz = set.iter().map(|&j| LIPSCHITZ[j] * LIPSCHITZ[j]).sum::<f64>().sqrt();
                let enclosure = theorem.scale(lipschitz).expect("positive");
                let sigma = config.deviation(&set, None);
                // The Lipschitz constant here rounds 4 times, the scale is widened by 40 ulps at most.
                prop_assert!(sigma >= enclosure.hi_f64() * (1.0 - 4.0 * f64::EPSILON));
                prop_assert!(sigma <= enclosure.lo_f64() * (1.0 + 64.0 * f64::EPSILON));
            }
        }
    }

    /// The accountant, which knows nothing of these formulas, confirms every calibration; the tight one
    /// has no room left, and they are ordered.
    #[test]
    fn the_accountant_confirms_every_calibration(
        epsilon in 0.01..=1.0f64, log_delta in 2.0..40.0f64, steps in 1..2000usize,
    ) {
        let delta = (-log_delta).exp();
        let all = [Calibration::Tight, Calibration::BestOrder, Calibration::Printed];
        let z = all.map(|calibration| multiplier(calibration, (epsilon, delta), (steps, 1)));
        prop_assert!(z[0] < z[1] && z[1] < z[2], "{z:?}");
        let report = |z: f64| {
            let event = event(steps as u64, z);
            account(&event, units(0.0, delta).1, Accountant::Exact, Neighbouring::ReplaceOne, true)
                .expect("a Gaussian")
        };
        for z in z {
            // The accountant rounds up on its side too.
            prop_assert!(report(z).epsilon_upper <= epsilon * (1.0 + 1e-9));
        }
        prop_assert!(report(z[0] * (1.0 - 1e-6)).epsilon_lower > epsilon);
    }
}

#[test]
fn beyond_epsilon_one_the_best_order_and_the_tight_scale_still_hold() {
    for epsilon in [1.5, 4.0, 20.0] {
        for calibration in [Calibration::Tight, Calibration::BestOrder] {
            let z = multiplier(calibration, (epsilon, 1e-6), (30, 2));
            let event = event(60, z);
            let report = account(
                &event,
                units(0.0, 1e-6).1,
                Accountant::Exact,
                Neighbouring::ReplaceOne,
                false,
            );
            let upper = report.expect("a Gaussian").epsilon_upper;
            assert!(upper <= epsilon * (1.0 + 1e-9), "{calibration:?}: {upper}");
        }
    }
}

#[test]
fn sensitivities_are_two_l_over_n_or_two_c_over_n() {
    let problem = problem();
    let full = Sampling::full(3).expect("three");
    let of = |clipping: Option<SetValues>| {
        let values = sensitivities(&problem, &full, clipping.as_ref()).expect("finite");
        values.of(&[0, 1, 2], Some(0))
    };
    let norm = LIPSCHITZ.iter().map(|l| l * l).sum::<f64>().sqrt();
    for (found, expected) in [
        (of(None), 2.0 * norm / 7.0),
        (of(Some(SetValues::Same(0.7))), 0.2),
        (of(Some(SetValues::Listed(vec![1.4]))), 0.4),
    ] {
        // Widened by |S| + 8 ulps and rounded up by four.
        assert!(found >= expected && found <= expected * (1.0 + 20.0 * f64::EPSILON));
    }
}

#[test]
fn scaling_the_lipschitz_constants_scales_the_noise() {
    let scaled = |factor: f64| {
        let constants = LIPSCHITZ.map(|l| factor * l).to_vec();
        let constants = Constants::new(constants, vec![1.0; 3]).expect("positive");
        let problem = problem().with_constants(constants).expect("three");
        let sampling = Sampling::uniform_singleton(3).expect("three");
        let budget = units(0.5, 1e-5);
        Config::calibrated(&problem, (9, 2), sampling, None, Calibration::Tight, budget)
            .expect("in the domain")
            .noise
    };
    let (one, four) = (scaled(1.0), scaled(4.0));
    for (a, b) in one.numbers().iter().zip(four.numbers()) {
        assert_eq!(4.0 * a, *b);
    }
}

#[test]
fn constants_computed_from_the_data_need_a_statement_that_they_are_public() {
    let problem = Problem::new(problem().data().clone(), Logistic, Regulariser::None).expect("±1");
    let sampling = Sampling::full(3).expect("three");
    let calibrate = |problem: &Problem| {
        let (clipping, budget) = (Some(SetValues::Same(1.0)), units(1.0, 1e-5));
        let calibration = Calibration::Tight;
        Config::calibrated(
            problem,
            (5, 1),
            sampling.clone(),
            clipping,
            calibration,
            budget,
        )
    };
    let error = calibrate(&problem).expect_err("from the data").to_string();
    assert!(error.contains("computed from the data"), "{error}");
    let public = problem.constants().clone().stated_public();
    let stated = problem.with_constants(public).expect("three");
    assert!(calibrate(&stated).is_ok());
}

#[test]
fn what_has_no_calibration_is_refused_with_the_value_named() {
    let refuse = |calibration: Calibration, (e, d): (f64, f64), lengths, words: &str| {
        let scales = calibration.scales(units(e, d), lengths, &SetValues::Same(1.0));
        assert_eq!(scales.expect_err(words).to_string(), words);
    };
    refuse(
        Calibration::Printed,
        (1.5, 1e-6),
        (1, 1),
        "epsilon = 1.5 must be > 0 and at most 1",
    );
    refuse(
        Calibration::Printed,
        (0.5, 0.4),
        (1, 1),
        "delta = 0.4 must lie strictly between 0 and 0.3333333333333333",
    );
    refuse(
        Calibration::Tight,
        (0.0, 1e-6),
        (1, 1),
        "epsilon = 0 must be > 0",
    );
    refuse(
        Calibration::BestOrder,
        (1.0, 0.0),
        (1, 1),
        "delta = 0 must lie strictly between 0 and 1",
    );
    refuse(
        Calibration::Tight,
        (1.0, 1e-6),
        (0, 3),
        "K = 0 inner and T = 3 outer steps; both must be at least 1, and K·T below 2^48",
    );
    let data = problem().data().clone();
    let squared = Problem::new(data, Squared, Regulariser::None).expect("real");
    let full = Sampling::full(3).expect("three");
    let error = sensitivities(&squared, &full, None).expect_err("not Lipschitz");
    assert_eq!(
        error.to_string(),
        "the squared loss has no finite Lipschitz constant: it needs clipping"
    );
    let short = SetValues::Listed(vec![1.0; 2]);
    let error = sensitivities(&squared, &full, Some(&short)).expect_err("two for one set");
    assert_eq!(error.to_string(), "Lipschitz constant: 2 given, expected 1");
}
