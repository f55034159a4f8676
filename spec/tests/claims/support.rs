//! The verdicts on all claims, with their printed constants, computed once for all tests.

use dp_assay_spec::book::{Entry, book, mutants};
use dp_assay_spec::claim::{Check, Claim, Effort, Verdict};
use dp_assay_spec::claims;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All claims.
pub static CLAIMS: LazyLock<Vec<Claim>> = LazyLock::new(claims);
/// All claims with their verdicts.
pub static BOOK: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    book(&CLAIMS, Effort::Replay, &|_| {}).expect("claims name each other rightly")
});
static VERDICTS: LazyLock<BTreeMap<&str, &Verdict>> =
    LazyLock::new(|| BOOK.iter().map(|e| (e.claim.id, &e.verdict)).collect());

/// The verdict on the claim with this id.
pub fn verdict(id: &str) -> &'static Verdict {
    VERDICTS[id]
}

/// Whether nothing but the kernel decides a claim.
pub fn is_left_to_kernel(entry: &Entry) -> bool {
    let say = |entry: &Entry| (entry.claim.check)(&Check::printed(Effort::Replay));
    entry.constants.is_empty() && say(entry).is_left_to_kernel()
}

/// Whether a constant of the claim can be moved until its proof fails, and whether until a counterexample is found.
pub fn able_to_fail(entry: &Entry) -> (bool, bool) {
    let mut able = false;
    let refuted = mutants(&entry.claim, &entry.constants).any(|n| {
        let refuted = matches!(n.verdict, Verdict::Refuted(_) | Verdict::Empty(_));
        able |= refuted || matches!(n.verdict, Verdict::Open { .. });
        refuted
    });
    (able, refuted)
}
