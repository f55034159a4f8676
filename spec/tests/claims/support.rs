//! The verdicts on all claims and their printed constants, computed once for all tests.

use crate::parallel::on_all_cores;
use dp_assay_spec::book::{Entry, book, mutants};
use dp_assay_spec::claim::{Check, Claim, Constant, Effort, Verdict};
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
/// The printed constants by claim.
static CONSTANTS: LazyLock<BTreeMap<&str, Vec<Constant>>> = LazyLock::new(|| {
    let of = |claim: &Claim| {
        let check = Check::printed(Effort::Replay);
        let _ = (claim.check)(&check);
        (claim.id, check.constants())
    };
    on_all_cores(&CLAIMS, of).into_iter().collect()
});

/// The verdict on the claim with this id.
pub fn verdict(id: &str) -> &'static Verdict {
    VERDICTS[id]
}

/// The printed constants that the check of a claim asks for.
pub fn constants(id: &str) -> &'static [Constant] {
    &CONSTANTS[id]
}

/// Whether a constant of the claim can be moved until its proof fails, and whether until a counterexample is found.
pub fn able_to_fail(claim: &Claim) -> (bool, bool) {
    let mut able = false;
    let refuted = mutants(claim).any(|n| {
        let refuted = matches!(n.verdict, Verdict::Refuted(_) | Verdict::Empty(_));
        able |= refuted || matches!(n.verdict, Verdict::Open { .. });
        refuted
    });
    (able, refuted)
}
