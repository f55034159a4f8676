//! The claims of the random block coordinate descent paper: complete, decided, and able to fail.

use crate::support::{self, ids, proved_without};
use dp_assay_spec::claim::Verdict;
use dp_assay_spec::skgd::calibration::{Hypotheses, HypothesisError};
use dp_assay_spec::skgd::claims;
use dp_assay_spec::units::{Delta, Epsilon};
use std::collections::BTreeSet;

#[test]
fn every_claim_of_the_inventory_has_an_item_and_no_id_occurs_twice() {
    support::assert_complete(&claims(), "skgd");
}

#[test]
fn no_claim_is_open_and_every_refuted_one_names_a_proved_repair() {
    support::assert_decided(&claims());
}

#[test]
fn a_proved_claim_rests_on_proved_claims_only() {
    support::assert_grounded(&claims());
}

#[test]
fn every_proved_claim_has_a_false_neighbour_that_is_not_proved() {
    let blind = proved_without(&claims(), |v| !matches!(v, Verdict::Proved(_)));
    assert!(blind.is_empty(), "checks that cannot fail: {blind:?}");
}

/// A definition is proved by a witness, and a changed one has another; a bound on an expectation or a
/// probability that is not sharp has no counterexample near it. All others must have a neighbour with one.
#[test]
fn proved_claims_without_a_refuted_neighbour_are_the_known_ones() {
    let insensitive = proved_without(&claims(), |v| matches!(v, Verdict::Refuted(_)));
    let expected = [
        "skgd-asm-3.3",
        "skgd-asm-3.4",
        "skgd-asm-3.5",
        "skgd-asm-3.6",
        "skgd-asm-3.7",
        "skgd-def-3.8",
        "skgd-def-sens",
        "skgd-def-D.1",
        "skgd-def-D.2",
        "skgd-def-D.4",
        "skgd-thm-4.2-cvx-rate",
        "skgd-thm-4.2-sc-rate-repaired",
    ];
    assert_eq!(insensitive, expected);
}

#[test]
fn the_slips_of_the_paper_are_the_known_ones() {
    let refuted = ids(&claims(), |v| matches!(v, Verdict::Refuted(_)));
    let expected = BTreeSet::from([
        "skgd-def-D.4-reading-n",
        "skgd-cor-D.5",
        "skgd-lem-D.8-reading-one-order",
        "skgd-thm-4.1-dp-reading-variance",
        "skgd-red-dpsgd-reading-cited",
        "skgd-lem-E.1-proof",
        "skgd-lem-E.2-reading-variance",
        "skgd-lem-E.4",
        "skgd-thm-4.2-cvx-minimiser",
        "skgd-thm-4.2-cvx-rate-reading-uniform",
        "skgd-thm-4.2-sc",
        "skgd-thm-4.2-sc-proof",
        "skgd-thm-4.2-sc-reading-main-text",
        "skgd-thm-4.2-sc-rate",
        "skgd-thm-4.2-sc-rate-reading-appendix",
        "skgd-rate-block-reading-R",
        "skgd-tab-1",
        "skgd-cmp-sgd-sc",
        "skgd-cmp-sgd-block",
        "skgd-cmp-cd-imp",
    ]);
    assert_eq!(refuted, expected);
}

#[test]
fn only_the_strongly_convex_theorem_is_empty() {
    let empty = ids(&claims(), |v| matches!(v, Verdict::Empty(_)));
    assert_eq!(
        empty,
        BTreeSet::from(["skgd-thm-4.2-sc", "skgd-thm-4.2-sc-rate"])
    );
}

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
