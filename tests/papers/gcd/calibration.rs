//! The noise scales: as printed, as the root of equation (2), and as report-noisy-max needs them.

use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::gcd::{
    Calibration, CalibrationError, Config, LaplaceScales, PerAccess, Rule, SelectionNoise,
    SelectionScale, per_access_epsilon, sensitivities,
};
use dp_assay::units::{Delta, Epsilon, Sensitivity};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::gcd::scales::Hypotheses;
use proptest::prelude::*;
use rug::Float;

pub fn units(epsilon: f64, delta: f64) -> (Epsilon, Delta) {
    (
        Epsilon::new(epsilon).expect("≥ 0"),
        Delta::new(delta).expect("in [0, 1]"),
    )
}

/// √(4T ln(1/δ)) ε′ + 2T ε′ (exp(ε′) − 1) at 200 bits.
fn spent(per_access: f64, delta: f64, iterations: usize) -> Float {
    let e = Float::with_val(200, per_access);
    let t = Float::with_val(200, iterations);
    let log = -Float::with_val(200, delta).ln();
    let first = Float::with_val(200, 4 * t.clone() * log).sqrt() * &e;
    first + 2 * t * e.clone() * e.exp_m1()
}

proptest! {
    #[test]
    fn the_per_access_budget_spends_at_most_epsilon_and_hardly_less(
        epsilon in prop_oneof![1e-6..1.0f64, 1.0..50.0f64],
        log_delta in prop_oneof![-700.0..-0.1f64, -1e-9..-1e-12f64],
        iterations in 1..5000usize,
    ) {
        let delta = log_delta.exp();
        let (e, d) = units(epsilon, delta);
        let root = per_access_epsilon(e, d, iterations).expect("in the domain");
        prop_assert!(spent(root, delta, iterations) <= epsilon);
        // The left side grows at least linearly, and 32 · 2⁻⁵² covers the safety factor twice.
        prop_assert!(spent(root * (1.0 + 32.0 * f64::EPSILON), delta, iterations) > epsilon);
    }

    /// λ′_j ε′ ≥ √M_j (r_j + max_{k≠j} r_k), by brute force over k.
    #[test]
    fn the_repaired_selection_scale_pays_for_both_shifts(
        rows in prop::collection::vec((0.0..10.0f64, 0.01..10.0f64), 1..8),
        epsilon in 0.001..2.0f64,
    ) {
        let (delta, m): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
        let access = PerAccess { epsilon, selection: SelectionScale::NoisyMax };
        let scales = access.scales(&delta, &m).expect("finite");
        for j in 0..delta.len() {
            let others = (0..delta.len()).filter(|&k| k != j).map(|k| delta[k] / m[k].sqrt());
            let needed = delta[j] + m[j].sqrt() * others.fold(0.0, f64::max);
            let paid = scales.selection()[j] * epsilon;
            // Both sides round three times.
            prop_assert!(paid >= needed * (1.0 - 4.0 * f64::EPSILON));
            prop_assert!(paid <= needed * (1.0 + 16.0 * f64::EPSILON));
            prop_assert!(scales.release()[j] * epsilon >= delta[j] * (1.0 - f64::EPSILON));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// The specification encloses the scales as the claims print them: those in use are not below, and above by roundings.
    #[test]
    fn the_scales_are_those_that_the_specification_encloses(
        epsilon in 0.01..1.0f64,
        log_delta in -40.0..-1.0f64,
        iterations in 1..1000u64,
        rows in prop::collection::vec((0.01..10.0f64, 0.01..10.0f64), 1..5),
    ) {
        let (e, d) = units(epsilon, log_delta.exp());
        let h = Hypotheses::check(e, d, iterations).expect("in the domain");
        let (delta, m): (Vec<f64>, Vec<f64>) = rows.into_iter().unzip();
        let ratios: Vec<f64> = delta.iter().zip(&m).map(|(s, m)| s / m.sqrt()).collect();
        let scales = |calibration: Calibration| {
            calibration.scales(e, d, iterations as usize, &delta, &m).expect("finite")
        };
        // Eight roundings of a printed formula, two dozen of what is rounded up.
        let is = |found: f64, enclosure: &Interval, below: f64, above: f64| {
            let ulps = |n: f64| 1.0 + n * f64::EPSILON;
            found * ulps(below) >= enclosure.lo_f64() && found <= enclosure.hi_f64() * ulps(above)
        };
        let access = (h.printed_access().expect("ε ≤ 1"), h.equation_2_access());
        let (printed, repaired) = (scales(Calibration::Printed), scales(Calibration::Repaired));
        for (j, &moved) in delta.iter().enumerate() {
            let s = Sensitivity::new(moved).expect("> 0");
            let of = |access| Hypotheses::release_scale(s, access);
            prop_assert!(is(printed.release()[j], &of(&access.0), 8.0, 8.0));
            prop_assert!(is(repaired.release()[j], &of(&access.1), 0.0, 24.0));
            let others = (0..m.len()).filter(|&k| k != j).map(|k| ratios[k]).fold(0.0, f64::max);
            let wanted = Hypotheses::selection_scale(s, ratios[j], others, &access.1).expect("> 0");
            // The ratios that are given to the specification are rounded too.
            prop_assert!(is(repaired.selection()[j], &wanted, 2.0, 24.0));
        }
    }
}

fn two_features(loss_is_logistic: bool) -> Problem {
    let design = Dense::from_rows(&[[1.0, 0.5], [-2.0, 0.25], [0.5, 4.0], [1.0, 1.0]]);
    let data = Dataset::new("four", design.expect("finite"), vec![1.0, -1.0, 1.0, -1.0]);
    let data = data.expect("four");
    let problem = match loss_is_logistic {
        true => Problem::new(data, Logistic, Regulariser::None).expect("±1"),
        false => Problem::new(data, Squared, Regulariser::None).expect("real"),
    };
    let public = problem.constants().clone().stated_public();
    problem.with_constants(public).expect("as many")
}

#[test]
fn the_printed_scale_is_the_formula_of_theorem_4_2() {
    let problem = two_features(true);
    let (e, d) = units(0.5, 1e-5);
    let config = Config::calibrated(&problem, 7, None, Calibration::Printed, (e, d));
    let noise = config.expect("in the domain").noise;
    for (j, l) in problem.constants().lipschitz().iter().enumerate() {
        let printed = 8.0 * l / (4.0 * 0.5) * (7.0 * 1e5f64.ln()).sqrt();
        // Five roundings on either side.
        assert!((noise.release()[j] - printed).abs() <= 10.0 * f64::EPSILON * printed);
        assert_eq!(noise.release()[j], noise.selection()[j]);
    }
}

/// C_j ∝ √M_j makes all r_j equal; the repaired selection noise is then twice the release noise.
#[test]
fn under_proportional_clipping_all_noise_is_equal_in_score_units() {
    let problem = two_features(false);
    let thresholds = problem
        .constants()
        .clipping_thresholds(1.5)
        .expect("positive");
    let budget = units(1.0, 1e-6);
    let config = Config::calibrated(&problem, 3, Some(thresholds), Calibration::Repaired, budget);
    let noise = config.expect("in the domain").noise;
    let m = problem.constants().smoothness();
    let score = |scales: &[f64], j: usize| scales[j] / m[j].sqrt();
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 16.0 * f64::EPSILON;
    assert!(near(score(noise.release(), 0), score(noise.release(), 1)));
    assert!(near(
        score(noise.selection(), 0),
        score(noise.selection(), 1)
    ));
    assert!(near(noise.selection()[0], 2.0 * noise.release()[0]));
}

#[test]
fn what_has_no_calibration_is_refused_with_the_value_named() {
    let problem = two_features(true);
    let refuse = |calibration, epsilon, delta, iterations, words: &str| {
        let budget = units(epsilon, delta);
        let error = Config::calibrated(&problem, iterations, None, calibration, budget);
        let error = error.expect_err(words).to_string();
        assert_eq!(error, words);
    };
    refuse(
        Calibration::Repaired,
        0.0,
        1e-6,
        1,
        "epsilon = 0 must be > 0",
    );
    refuse(
        Calibration::Printed,
        1.5,
        1e-6,
        1,
        "epsilon = 1.5 must be > 0 and at most 1",
    );
    refuse(
        Calibration::NumericEq2,
        1.0,
        0.0,
        1,
        "delta = 0 must lie strictly between 0 and 1",
    );
    refuse(
        Calibration::NumericEq2,
        1.0,
        1.0,
        1,
        "delta = 1 must lie strictly between 0 and 1",
    );
    refuse(
        Calibration::Repaired,
        1.0,
        0.1,
        0,
        "T = 0 iterations; at least 1 is needed",
    );
    let unbounded = sensitivities(&two_features(false), None).expect_err("squared loss");
    assert_eq!(
        unbounded.to_string(),
        "coordinate 0 has sensitivity inf: the squared loss needs clipping"
    );
    assert_eq!(
        LaplaceScales::new(vec![1.0, f64::NAN], vec![1.0; 2]).map_err(|e| e.to_string()),
        Err("noise scale NaN of coordinate 1 must be finite and >= 0".to_owned())
    );
    assert!(matches!(
        LaplaceScales::new(vec![1.0], vec![]),
        Err(CalibrationError::Count {
            found: 0,
            expected: 1
        })
    ));
}

#[test]
fn the_proof_s_reach_is_told_per_configuration() {
    let with = |psi, selection, rule| {
        let problem = Problem::new(two_features(true).data().clone(), Logistic, psi).expect("±1");
        let mut config = Config::new(&problem, 1, LaplaceScales::none(2));
        (config.selection, config.rule) = (selection, rule);
        config.uncovered(&problem).is_none()
    };
    let l1 = Regulariser::L1(0.1);
    assert!(with(Regulariser::None, SelectionNoise::Inside, Rule::GsR));
    assert!(with(
        Regulariser::L2(0.1),
        SelectionNoise::Inside,
        Rule::GsS
    ));
    assert!(with(l1, SelectionNoise::OnScore, Rule::GsR));
    assert!(!with(l1, SelectionNoise::Inside, Rule::GsS));
    assert!(!with(
        Regulariser::L2(0.1),
        SelectionNoise::Inside,
        Rule::GsR
    ));
    assert!(!with(Regulariser::None, SelectionNoise::Absent, Rule::GsS));
}
