//! The checked inputs of Theorem 3.6 of the adaptive clipping paper, and its noise multipliers.

use dp_assay_spec::ambssgd::bites::{bites_at, leading_ratio, schedule, witness};
use dp_assay_spec::ambssgd::privacy::{Hypotheses, HypothesisError};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::units::{Delta, Epsilon};

fn hypotheses(epsilon: f64, delta: f64) -> Result<Hypotheses, HypothesisError> {
    let epsilon = Epsilon::new(epsilon).map_err(|e| HypothesisError::Epsilon(e.value))?;
    let delta = Delta::new(delta).map_err(|e| HypothesisError::Delta(e.value))?;
    Hypotheses::check(epsilon, delta)
}

#[test]
fn the_hypotheses_of_theorem_3_6_are_checked_with_precise_errors() -> Result<(), HypothesisError> {
    assert_eq!(hypotheses(0.0, 1e-5), Err(HypothesisError::Epsilon(0.0)));
    assert_eq!(hypotheses(1.0, 0.0), Err(HypothesisError::Delta(0.0)));
    assert_eq!(hypotheses(1.0, 1.0), Err(HypothesisError::Delta(1.0)));
    // log(1/δ) = 0.69 < 1.
    let outside = hypotheses(1.0, 0.5)?.simple_multiplier();
    assert!(
        matches!(outside, Err(HypothesisError::Range(e, _)) if e.to_bits() == 1.0_f64.to_bits())
    );
    Ok(())
}

#[test]
fn the_multipliers_are_ordered_and_enclose_the_printed_formulas() -> Result<(), HypothesisError> {
    for (epsilon, delta) in [(0.1, 1e-6), (1.0, 1e-5), (3.0, 1e-10)] {
        let h = hypotheses(epsilon, delta)?;
        let (least, first, simple) = (h.least_multiplier(), h.multiplier(), h.simple_multiplier()?);
        assert!(least.certainly_lt(&first) && first.certainly_le(&simple));
        let printed = 2.0 * (-delta.ln() + epsilon).sqrt() / epsilon;
        // The double formula has five roundings, each of at most 2⁻⁵³ relative.
        let tolerance = printed * 5.0 * f64::EPSILON;
        assert!((first.lo_f64() - printed).abs() <= tolerance && first.width() <= tolerance);
    }
    Ok(())
}

/// N = 60,000, ε = 1, δ = N⁻², κ = c_1 = 1: what the chapter says of DP-STAT under Theorem 3.7.
#[test]
fn at_ordinary_parameters_dp_stat_stops_at_each_empty_level_with_probability_a_quarter() {
    let n = 60_000_f64;
    let blocks = n.ln();
    // s = b/10 and T(b + s) = N.
    let samples = (n / blocks / 11.0).round();
    let levels = (200.0 * n.log2()).ceil();
    let noise = (8.0 * 2.0 * n.ln() * levels).sqrt();
    let stops = (-Interval::from_f64(samples / noise)).phi();
    assert_eq!((samples, levels, noise.round()), (496.0, 3175.0, 748.0));
    assert!(stops.lo_f64() > 0.25 && stops.hi_f64() < 0.26, "{stops}");
}

#[test]
fn the_corrected_theorem_bites_where_its_function_says() {
    for d in [2, 10] {
        let bite = bites_at(d);
        println!(
            "{d}: {bite:?} {:?}",
            schedule(&witness(d, bite.records), bite.records)
        );
        for n in [1_u64 << 30, 1 << 34, 1 << 38, 1 << 42, 1 << 46, 1 << 50] {
            println!("{n}: {}", leading_ratio(d, n));
        }
    }
}
