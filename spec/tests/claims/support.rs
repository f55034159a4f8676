//! What holds of the claims of every paper: complete, with proved repairs and lemmas, able to fail.

use crate::parallel::on_all_cores;
use dp_assay_spec::book::{Entry, book};
use dp_assay_spec::claim::{Check, Claim, Constant, Effort, Paper, Twist, Verdict};
use dp_assay_spec::claims;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// All claims with their verdicts: computed once for all tests.
pub static BOOK: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    book(&claims(), Effort::Replay, &|_| {}).expect("claims name each other rightly")
});
static VERDICTS: LazyLock<BTreeMap<&str, &Verdict>> =
    LazyLock::new(|| BOOK.iter().map(|e| (e.claim.id, &e.verdict)).collect());

/// The claims of one paper with their verdicts.
pub fn entries(paper: Paper) -> Vec<&'static Entry> {
    BOOK.iter().filter(|e| e.claim.paper == paper).collect()
}

/// The verdict of the claim as printed.
pub fn verdict(claim: &Claim) -> &'static Verdict {
    VERDICTS[claim.id]
}

/// The verdicts of these claims by id.
pub fn verdicts(claims: &[Claim]) -> BTreeMap<&'static str, Verdict> {
    let of = |c: &Claim| (c.id, verdict(c).clone());
    claims.iter().map(of).collect()
}

/// The ids of the claims whose verdict satisfies `filter`.
pub fn ids(claims: &[Claim], filter: impl Fn(&Verdict) -> bool) -> BTreeSet<&'static str> {
    let found = verdicts(claims).into_iter().filter(|(_, v)| filter(v));
    found.map(|(id, _)| id).collect()
}

/// All claims.
pub static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(claims);

/// The printed constants by claim.
static CONSTANTS: LazyLock<BTreeMap<&str, Vec<Constant>>> = LazyLock::new(|| {
    let of = |claim: &Claim| {
        let check = Check::printed(Effort::Replay);
        let _ = (claim.check)(&check);
        (claim.id, check.constants())
    };
    on_all_cores(&CLAIMS, of).into_iter().collect()
});

/// The printed constants that the check of a claim asks for.
pub fn constants(id: &str) -> &'static [Constant] {
    &CONSTANTS[id]
}

/// The verdicts of the claim with one constant doubled, halved, moved by one or negated.
pub fn false_neighbours(claim: &Claim) -> Vec<Verdict> {
    let mut verdicts = Vec::new();
    for constant in constants(claim.id) {
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

/// Asserts that no claim whose own check proves it rests on one that is not proved.
pub fn assert_grounded(claims: &[Claim]) {
    for claim in claims {
        let weak = |id: &&&str| !matches!(VERDICTS[**id], Verdict::Proved(_));
        if let Some(lemma) = claim.rests_on.iter().find(weak) {
            let own = (claim.check)(&Check::printed(Effort::Replay));
            let proved = matches!(own, Verdict::Proved(_));
            assert!(
                !proved,
                "{} rests on {lemma}, which is not proved",
                claim.id
            );
        }
    }
}
