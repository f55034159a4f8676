//! The claims of the KL paper: decided, and able to fail.

use dp_assay_spec::claim::{Claim, Verdict};
use dp_assay_spec::kl::claims;

#[allow(dead_code)] // Completeness is asserted once all parts of the paper are here.
mod ledger_support;
use ledger_support::proved_without;

/// Claims of other papers that claims of this one rest on.
fn others() -> Vec<Claim> {
    let needed = |c: &Claim| claims().iter().any(|k| k.rests_on.contains(&c.id));
    let mut all = dp_assay_spec::skgd::claims();
    all.extend(dp_assay_spec::ambssgd::claims());
    all.into_iter().filter(needed).collect()
}

#[test]
fn every_refuted_claim_names_a_proved_repair() {
    ledger_support::assert_decided(&claims());
}

#[test]
fn a_proved_claim_rests_on_proved_claims_only() {
    ledger_support::assert_grounded(&claims(), &others());
}

#[test]
fn every_proved_claim_has_a_false_neighbour_that_is_not_proved() {
    let blind = proved_without(&claims(), |v| !matches!(v, Verdict::Proved(_)));
    assert!(blind.is_empty(), "checks that cannot fail: {blind:?}");
}

#[test]
fn no_id_occurs_twice() {
    let ids: std::collections::BTreeSet<_> = claims().iter().map(|c| c.id).collect();
    assert_eq!(ids.len(), claims().len());
}
