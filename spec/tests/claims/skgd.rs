//! The checked inputs of Theorem 4.1 of the random block coordinate descent paper, and its noise.

use dp_assay_spec::skgd::calibration::{Hypotheses, HypothesisError};
use dp_assay_spec::units::{Delta, Epsilon};

fn hypotheses(
    epsilon: f64,
    delta: f64,
    n: u64,
    k: u64,
    t: u64,
) -> Result<Hypotheses, HypothesisError> {
    let epsilon = Epsilon::new(epsilon).map_err(|e| HypothesisError::Epsilon(e.value))?;
    let delta = Delta::new(delta).map_err(|e| HypothesisError::Delta(e.value))?;
    Hypotheses::check(epsilon, delta, n, k, t)
}

#[test]
fn the_hypotheses_of_theorem_4_1_are_checked_with_precise_errors() {
    assert!(hypotheses(1.0, 1e-5, 100, 10, 3).is_ok());
    assert_eq!(
        hypotheses(1.5, 1e-5, 100, 10, 3),
        Err(HypothesisError::Epsilon(1.5))
    );
    assert_eq!(
        hypotheses(0.0, 1e-5, 100, 10, 3),
        Err(HypothesisError::Epsilon(0.0))
    );
    assert_eq!(
        hypotheses(1.0, 0.0, 100, 10, 3),
        Err(HypothesisError::Delta(0.0))
    );
    assert_eq!(
        hypotheses(1.0, 0.4, 100, 10, 3),
        Err(HypothesisError::Delta(0.4))
    );
    assert_eq!(
        hypotheses(1.0, 1e-5, 100, 0, 3),
        Err(HypothesisError::Zero("K"))
    );
}

#[test]
fn the_noise_scale_encloses_the_printed_formula_and_gives_the_transcript_shift_of_the_pair_w1()
-> Result<(), HypothesisError> {
    let (epsilon, delta, n, k, t, lipschitz) = (0.5_f64, 1e-5_f64, 100_u64, 10_u64, 3_u64, 3.0_f64);
    let h = hypotheses(epsilon, delta, n, k, t)?;
    let scale = h.scale(lipschitz)?;
    let printed = lipschitz * (12.0 * 30.0 * -delta.ln()).sqrt() / (100.0 * epsilon);
    // The double formula has seven roundings, each of at most 2⁻⁵³ relative.
    let tolerance = printed * 7.0 * f64::EPSILON;
    assert!((scale.lo_f64() - printed).abs() <= tolerance && scale.width() <= tolerance);
    // √(KT)·(2L/n)/σ is the shift of KT releases on W1.
    let shift = 30.0_f64.sqrt() * 2.0 * lipschitz / 100.0 / scale.lo_f64();
    assert!((h.transcript_shift().lo_f64() - shift).abs() <= shift * 16.0 * f64::EPSILON);
    assert!(h.scale(f64::NAN).is_err());
    Ok(())
}
