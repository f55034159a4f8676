//! What holds of the claims of every paper: complete, with proved repairs and lemmas, able to fail.

use dp_assay_spec::claim::{Check, Claim, Effort, Twist, Verdict};
use std::collections::{BTreeMap, BTreeSet};

#[path = "../common/parallel.rs"]
mod parallel;
pub use parallel::on_all_cores;

/// The verdict of the claim as printed.
pub fn verdict(claim: &Claim) -> Verdict {
    (claim.check)(&Check::printed(Effort::Replay))
}

/// The verdicts of all claims by id.
pub fn verdicts(claims: &[Claim]) -> BTreeMap<&'static str, Verdict> {
    on_all_cores(claims, |c| (c.id, verdict(c)))
        .into_iter()
        .collect()
}

/// The ids of the claims whose verdict satisfies `filter`.
pub fn ids(claims: &[Claim], filter: impl Fn(&Verdict) -> bool) -> BTreeSet<&'static str> {
    let found = verdicts(claims).into_iter().filter(|(_, v)| filter(v));
    found.map(|(id, _)| id).collect()
}

/// The verdicts of the claim with one constant doubled, halved, moved by one or negated.
pub fn false_neighbours(claim: &Claim) -> Vec<Verdict> {
    let check = Check::printed(Effort::Replay);
    let _ = (claim.check)(&check);
    let mut verdicts = Vec::new();
    for constant in check.constants() {
        let v = &constant.value;
        let moved = [
            v.clone() * 2,
            v.clone() / 2,
            v.clone() + 1,
            v.clone() - 1,
            -v.clone(),
        ];
        for value in moved.into_iter().filter(|x| x != v) {
            let name = constant.name;
            verdicts.push((claim.check)(&Check::twisted(Twist { name, value })));
        }
    }
    verdicts
}

/// Proved claims none of whose false neighbours satisfies `told`.
pub fn proved_without(
    claims: &[Claim],
    told: impl Fn(&Verdict) -> bool + Sync,
) -> Vec<&'static str> {
    let blind = on_all_cores(claims, |c| {
        let proved = matches!(verdict(c), Verdict::Proved(_));
        (proved && !false_neighbours(c).iter().any(&told)).then_some(c.id)
    });
    blind.into_iter().flatten().collect()
}

/// Asserts that every id of the inventory has one item.
pub fn assert_complete(claims: &[Claim], paper: &str) {
    let set: BTreeSet<_> = claims.iter().map(|c| c.id).collect();
    assert_eq!(claims.len(), set.len(), "an id occurs twice");
    for line in include_str!("../data/ids.csv").lines() {
        let mut fields = line.split(',');
        let (id, of) = (fields.next().unwrap_or_default(), fields.next());
        assert!(of != Some(paper) || set.contains(id), "{id} has no item");
    }
}

/// Asserts that no claim is open and every refuted one names a proved repair.
pub fn assert_decided(claims: &[Claim]) {
    let verdicts = verdicts(claims);
    for (id, verdict) in &verdicts {
        match verdict {
            Verdict::Open { why } => panic!("{id} is open: {why}"),
            Verdict::Refuted(r) => {
                let repair = r.repaired.as_deref().and_then(|r| verdicts.get(r));
                let proved = matches!(repair, Some(Verdict::Proved(_)));
                assert!(proved, "{id} has no proved repair");
            }
            _ => {}
        }
    }
}

/// Asserts that what proved claims rest on is proved, in `claims` or in `others`.
pub fn assert_grounded(claims: &[Claim], others: &[Claim]) {
    let mut known = verdicts(others);
    known.extend(verdicts(claims));
    for claim in claims {
        if matches!(known[claim.id], Verdict::Proved(_)) {
            for lemma in claim.rests_on {
                let proved = matches!(known.get(lemma), Some(Verdict::Proved(_)));
                assert!(proved, "{} rests on {lemma}, which is not proved", claim.id);
            }
        }
    }
}
