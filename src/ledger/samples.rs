//! Rows for tests.

use super::{Ledger, Row, rows};
use dp_assay_spec::book::{Entry, book};
use dp_assay_spec::claim::{Claim, Effort, Verdict};

/// A claim of the specification by its id, and what its check is taken to have found.
pub(crate) type Found<'a> = (&'a str, fn() -> Verdict);

/// The row of a claim of the specification by this id, as if its check had found this verdict.
pub(crate) fn row(id: &str, verdict: fn() -> Verdict) -> Row {
    rows(&entries(&[(id, verdict)]), &[]).remove(0)
}

/// The ledger of a few claims, in which none rests on another.
pub(crate) fn ledger(found: &[Found<'_>]) -> Ledger {
    Ledger::new(entries(found))
}

fn entries(found: &[Found<'_>]) -> Vec<Entry> {
    let claims = dp_assay_spec::claims();
    let known = |id: &str| *{ claims.iter() }.find(|c| c.id == id).expect("a claim");
    let alone = found.iter().map(|(id, _)| Claim {
        check: |_| proved(),
        rests_on: &[],
        by_hand: &[],
        ..known(id)
    });
    let alone: Vec<Claim> = alone.collect();
    let mut entries = book(&alone, Effort::Replay, &|_| {}).expect("ids differ");
    for (entry, (_, verdict)) in entries.iter_mut().zip(found) {
        entry.verdict = verdict();
        entry.theorem = None;
    }
    entries
}

/// Holds for all n.
pub(crate) fn proved() -> Verdict {
    Verdict::proved("all n", "a sum")
}

/// Fails at 1, and a claim holds instead.
pub(crate) fn refuted() -> Verdict {
    Verdict::refuted(
        "n = 1: 3 <= 2 fails",
        "exact arithmetic",
        Some("gcd-thm-4.2-corrected"),
    )
}

/// Says nothing, and a claim holds instead.
pub(crate) fn empty() -> Verdict {
    Verdict::empty(
        "1 < n < 1",
        "exact arithmetic",
        Some("gcd-thm-4.2-corrected"),
    )
}
