//! The verdicts on all claims, computed once for all tests.

use dp_assay_spec::book::{Entry, book};
use dp_assay_spec::claim::{Effort, Verdict};
use dp_assay_spec::claims;
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// All claims with their verdicts.
pub static BOOK: LazyLock<Vec<Entry>> = LazyLock::new(|| {
    book(&claims(), Effort::Replay, &|_| {}).expect("claims name each other rightly")
});
static VERDICTS: LazyLock<BTreeMap<&str, &Verdict>> =
    LazyLock::new(|| BOOK.iter().map(|e| (e.claim.id, &e.verdict)).collect());

/// The verdict on the claim with this id.
pub fn verdict(id: &str) -> &'static Verdict {
    VERDICTS[id]
}
