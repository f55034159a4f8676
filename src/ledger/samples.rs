//! Rows for tests.

use super::{Row, rows};
use dp_assay_spec::book::book;
use dp_assay_spec::claim::{Claim, Effort, Verdict};

/// The row of a claim of the specification by this id, as if its check had found this verdict.
pub(crate) fn row(id: &str, verdict: fn() -> Verdict) -> Row {
    let claims = dp_assay_spec::claims();
    let known = claims.iter().find(|claim| claim.id == id);
    let claim = Claim {
        check: |_| proved(),
        rests_on: &[],
        by_hand: &[],
        ..*known.expect("a claim")
    };
    let mut entries = book(&[claim], Effort::Replay, &|_| {}).expect("one claim");
    entries[0].verdict = verdict();
    entries[0].theorem = None;
    rows(&entries, &[]).remove(0)
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
