//! The claims of the adaptive clipping paper: complete, decided, and able to fail.

use crate::support::{self, ids, proved_without};
use dp_assay_spec::ambssgd::claims;
use dp_assay_spec::ambssgd::privacy::{Hypotheses, HypothesisError};
use dp_assay_spec::claim::Verdict;
use dp_assay_spec::units::{Delta, Epsilon};
use std::collections::BTreeSet;

#[test]
fn every_claim_of_the_inventory_has_an_item_and_no_id_occurs_twice() {
    support::assert_complete(&claims(), "ambssgd");
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
        "ambssgd-def-model",
        "ambssgd-def-Rx",
        "ambssgd-def-2.2",
        "ambssgd-def-2.3",
        "ambssgd-eq-18-repaired",
        "ambssgd-eq-28-repaired",
        "ambssgd-eq-47-repaired",
    ];
    assert_eq!(insensitive, expected);
}

#[test]
fn only_the_claims_on_imported_amplification_are_supported() {
    let supported = ids(&claims(), |v| matches!(v, Verdict::Supported(_)));
    assert_eq!(
        supported,
        BTreeSet::from(["ambssgd-thm-3.1", "ambssgd-thm-A.3"])
    );
}

#[test]
fn the_claims_on_the_tail_assumption_are_empty() {
    let empty = ids(&claims(), |v| matches!(v, Verdict::Empty(_)));
    let expected = BTreeSet::from([
        "ambssgd-cor-3.3",
        "ambssgd-cor-3.8",
        "ambssgd-def-2.1",
        "ambssgd-eq-4",
        "ambssgd-lem-A.9",
        "ambssgd-thm-3.2",
        "ambssgd-thm-3.7",
    ]);
    assert_eq!(empty, expected);
}

#[test]
fn the_slips_of_the_paper_are_the_known_ones() {
    let refuted = ids(&claims(), |v| matches!(v, Verdict::Refuted(_)));
    let expected = BTreeSet::from([
        "ambssgd-fact-Rx-gauss",
        "ambssgd-fact-Rx-dH",
        "ambssgd-fact-tail-gauss",
        "ambssgd-def-clip-proof",
        "ambssgd-cost",
        "ambssgd-lem-A.1-sens-proof",
        "ambssgd-lem-A.1",
        "ambssgd-eq-7",
        "ambssgd-eq-8-9",
        "ambssgd-eq-11",
        "ambssgd-eq-15-17",
        "ambssgd-eq-18",
        "ambssgd-eq-24-25",
        "ambssgd-eq-28",
        "ambssgd-lem-3.5-proof",
        "ambssgd-lem-3.5-reading-pathwise",
        "ambssgd-eq-5-6",
        "ambssgd-thm-3.2-rate",
        "ambssgd-lem-3.10-priv-reading-exhausted",
        "ambssgd-lem-3.10-priv-reading-transcript",
        "ambssgd-lem-3.10-util",
        "ambssgd-thm-3.6-zcdp-reading-transcript",
        "ambssgd-p3.9-gamma-lower",
        "ambssgd-p3.9-noclip",
        "ambssgd-p3.9-gamma-upper",
        "ambssgd-lem-B.3",
        "ambssgd-lem-B.4-reading-general",
        "ambssgd-eq-44-46",
        "ambssgd-eq-47",
        "ambssgd-eq-54-56",
        "ambssgd-eq-57-reading-56",
        "ambssgd-thm-3.7-reading-B",
        "ambssgd-thm-1.1",
        "ambssgd-cor-3.8-reading-bias",
    ]);
    assert_eq!(refuted, expected);
}

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
