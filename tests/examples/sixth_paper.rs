//! A theorem of a sixth paper as a claim: `cargo run --example sixth_paper`.
//!
//! The paper: Dwork, Rothblum and Vadhan, Boosting and differential privacy (FOCS 2010). Its proof of
//! advanced composition uses that ε(e^ε − 1) ≤ 2ε² for ε in [0, 1]. A reader who remembers ε² instead
//! of 2ε² is refuted by the same lines of code; nothing but the constant differs.
//!
//! Inside this project three steps are left, all found by the compiler or by a test: a variant of
//! `Paper`, a folder `spec/src/<paper>` whose `claims()` is added to `dp_assay_spec::claims`, and the
//! verdicts accepted into `tests/program/ledger/snapshots`.

use dp_assay_spec::claim::{Check, Claim, Effort, Kind, Paper, Verdict};
use dp_assay_spec::prove::{Argument, Domain, Forall, closed, open};

const LEM_3_2: Claim = Claim {
    id: "boost-lem-3.2",
    paper: Paper::Gcd, // would be Paper::Boost
    place: "Section III.A, Lemma III.2 with the remark behind it",
    kind: Kind::Composition,
    statement: "eps (e^eps - 1) <= 2 eps^2",
    hypotheses: "eps in (0, 1]",
    rests_on: &[],
    by_hand: &[],
    check: |check| square(check, "boost-lem-3.2", 2),
};

const LEM_3_2_REMEMBERED: Claim = Claim {
    id: "boost-lem-3.2-remembered",
    statement: "eps (e^eps - 1) <= eps^2",
    check: |check| square(check, "boost-lem-3.2-remembered", 1),
    ..LEM_3_2
};

/// Every printed number that the verdict depends on goes through `constant`, so that tests can
/// change it and see the verdict fall.
fn square(check: &Check, id: &str, factor: i32) -> Verdict {
    let factor = check.constant("factor of eps^2", factor);
    let mut domain = Domain::new();
    let eps = domain.real("eps", open(0), closed(1));
    let statement = Forall::le(domain, &eps * eps.exp_m1(), factor * &eps * &eps);
    Argument::new(check)
        .repaired("boost-lem-3.2")
        .states(id, &statement)
        .proved_on("eps in (0, 1]")
}

fn main() {
    for claim in [LEM_3_2, LEM_3_2_REMEMBERED] {
        let verdict = (claim.check)(&Check::printed(Effort::Search));
        println!("{}: {}\n  {verdict:?}", claim.id, claim.statement);
        let expected = if claim.id == "boost-lem-3.2" {
            "proved"
        } else {
            "refuted"
        };
        assert_eq!(verdict.name(), expected, "the example says otherwise");
    }
}
