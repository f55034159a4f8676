//! The claims on the proximal, adaptive and regularised algorithms of the KL paper: decided, and able
//! to fail.

use dp_assay_spec::book::false_neighbours;
use dp_assay_spec::claim::{Check, Claim, Effort, Verdict};
use dp_assay_spec::kl::claims;
use std::collections::BTreeMap;

/// Beginnings of the ids that belong here; the others are tested in `kl.rs`.
const PARTS: [&str; 23] = [
    "kl-par-alg-2",
    "kl-par-alg-3",
    "kl-alg-2",
    "kl-alg-3",
    "kl-alg-4",
    "kl-mech-t",
    "kl-thm-2",
    "kl-thm-3",
    "kl-thm-4",
    "kl-thm-5",
    "kl-thm-8",
    "kl-thm-9",
    "kl-lem-3",
    "kl-lem-4",
    "kl-lem-5",
    "kl-lem-10",
    "kl-lem-11",
    "kl-lem-12",
    "kl-lem-13",
    "kl-fact-sc",
    "kl-red-norm",
    "kl-red-log",
    "kl-red-distance",
];

fn here() -> impl Iterator<Item = Claim> {
    let belongs = |c: &Claim| PARTS.iter().any(|p| c.id.starts_with(p));
    claims().into_iter().filter(belongs)
}

fn run(claim: &Claim) -> Verdict {
    (claim.check)(&Check::printed(Effort::Replay))
}

#[test]
fn every_refuted_claim_names_a_proved_repair() {
    let verdicts: BTreeMap<_, _> = here().map(|c| (c.id, run(&c))).collect();
    for (id, verdict) in &verdicts {
        if let Verdict::Refuted(refutation) = verdict {
            let repair = refutation.repaired.as_deref().and_then(|r| verdicts.get(r));
            assert!(
                matches!(repair, Some(Verdict::Proved(_))),
                "{id} has no proved repair"
            );
        }
    }
}

#[test]
fn every_proved_claim_has_a_refuted_false_neighbour() {
    let proved = here().filter(|c| run(c).name() == "proved");
    let insensitive: Vec<_> = proved
        .filter(|c| !false_neighbours(c).any(|n| n.verdict.name() == "refuted"))
        .map(|c| c.id)
        .collect();
    assert_eq!(insensitive, [""; 0]);
}

#[test]
fn the_open_claims_are_the_known_ones() {
    let open = here().filter(|c| run(c).name() == "open");
    assert_eq!(
        open.map(|c| c.id).collect::<Vec<_>>(),
        ["kl-thm-2", "kl-thm-4"]
    );
}
