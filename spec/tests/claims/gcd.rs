//! The claims of the greedy coordinate descent paper: complete, decided, and able to fail.

use crate::parallel::on_all_cores;
use crate::support;
use dp_assay_spec::book::{Entry, false_neighbours};
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::gcd::claims;
use std::collections::BTreeMap;

/// The claims of this paper with their verdicts.
fn entries() -> Vec<&'static Entry> {
    support::entries(Paper::Gcd)
}

fn ids(entries: &[&Entry], verdict: &str) -> Vec<&'static str> {
    let chosen = entries.iter().filter(|e| e.verdict.name() == verdict);
    chosen.map(|e| e.claim.id).collect()
}

#[test]
fn every_claim_of_the_inventory_has_an_item() {
    let all = claims();
    let inventory = include_str!("../data/ids.csv")
        .lines()
        .filter(|l| l.starts_with("gcd-"));
    let mut count = 0;
    for id in inventory.filter_map(|l| l.split(',').next()) {
        assert!(all.iter().any(|c| c.id == id), "{id} has no item");
        count += 1;
    }
    assert_eq!(count, 58);
}

#[test]
fn no_privacy_claim_is_open_and_the_open_ones_are_the_known_ones() {
    let entries = entries();
    let open = |e: &&&Entry| e.verdict.name() == "open" && e.claim.kind.is_privacy();
    assert_eq!(entries.iter().filter(open).count(), 0);
    assert_eq!(ids(&entries, "open"), ["gcd-thm-4.4-cvx"]);
    assert_eq!(ids(&entries, "supported"), ["gcd-rem-4.5"]);
}

#[test]
fn every_refuted_claim_names_a_proved_repair() {
    let entries = entries();
    let verdicts: BTreeMap<_, _> = entries.iter().map(|e| (e.claim.id, &e.verdict)).collect();
    for (id, verdict) in &verdicts {
        if matches!(verdict, Verdict::Refuted(_) | Verdict::Empty(_)) {
            let repair = verdict.repaired().and_then(|r| verdicts.get(r));
            assert!(
                repair.is_some_and(|v| v.holds()),
                "{id} has no repair that holds"
            );
        }
    }
}

/// The refuted statements, that is the findings; a change here is a change of what is reported.
#[test]
fn the_refuted_claims_are_the_known_ones() {
    let expected = [
        "gcd-eq-38",
        "gcd-eq-38-proof",
        "gcd-mech-rnm",
        "gcd-imp-cor3.21",
        "gcd-thm-4.2",
        "gcd-thm-4.2-reading-small-delta",
        "gcd-eq-2",
        "gcd-rem-4.3",
        "gcd-foot-2",
        "gcd-lem-B.1-reading-dependent",
        "gcd-lem-B.4-reading-beta-0",
        "gcd-lem-B.4-proof",
        "gcd-lem-B.4-proof-sign",
        "gcd-thm-4.4-cvx-gap",
        "gcd-thm-4.4-cvx-T-proof",
        "gcd-thm-4.4-cvx-proof",
        "gcd-thm-4.4-sc-b-reading-local",
        "gcd-thm-4.4-sc-b-proof",
        "gcd-thm-4.4-sc-b-proof-sum",
        "gcd-eq-41",
        "gcd-lem-B.5",
        "gcd-lem-B.5-proof",
        "gcd-eq-61",
        "gcd-thm-4.7-b-reading-local",
        "gcd-thm-4.7-b-proof",
        "gcd-disc-l2",
        "gcd-rule-gsq",
        "gcd-prox-priv",
        "gcd-prox-priv-reading-equal-ratios",
    ];
    assert_eq!(ids(&entries(), "refuted"), expected);
}

#[test]
fn the_empty_claims_are_those_on_strong_convexity() {
    let expected = [
        "gcd-thm-4.4-sc-b",
        "gcd-thm-4.4-sc-T",
        "gcd-thm-4.4-sc",
        "gcd-thm-4.7-b",
        "gcd-thm-4.7",
        "gcd-disc-quasi",
        "gcd-disc-l1",
    ];
    assert_eq!(ids(&entries(), "empty"), expected);
}

#[test]
fn every_proved_claim_has_a_refuted_false_neighbour() {
    let insensitive = on_all_cores(&entries(), |e| {
        let refuted = || false_neighbours(&e.claim).any(|n| n.verdict.name() == "refuted");
        (e.verdict.holds() && !refuted()).then_some(e.claim.id)
    });
    let insensitive: Vec<_> = insensitive.into_iter().flatten().collect();
    assert_eq!(insensitive, [""; 0]);
}
