//! The ledger: verdicts are the committed ones, the lists show them, every id has its claim, and the page that
//! reports on it works in a browser. All on one computation of it.

mod contract;
mod headline;
mod latex;
mod page;
mod paper;

use dp_assay::ledger::{self, Effort, Ledger};
use dp_assay_spec::claim::{Paper, Verdict};
use std::sync::LazyLock;

static LEDGER: LazyLock<Ledger> = LazyLock::new(|| {
    Ledger::compute(Effort::Replay, |_, _| ()).expect("claims name each other rightly")
});

#[test]
fn readme_shows_the_counts_and_the_list_every_claim() {
    let [readme, list] = [
        include_str!("../../../README.md"),
        include_str!("../../../spec/LEDGER.md"),
    ];
    assert!(
        readme.contains(&ledger::counts(&LEDGER.claims)),
        "run `cargo run --release -- ledger --format counts --into README.md`"
    );
    assert!(
        list.contains(&ledger::markdown(&LEDGER.claims)),
        "run `cargo run --release -- ledger --format md --into spec/LEDGER.md`"
    );
}

#[test]
fn every_repaired_claim_holds() {
    assert_eq!(
        ledger::unproved_repairs(&LEDGER.claims),
        Vec::<String>::new()
    );
}

#[test]
fn a_change_of_verdict_is_noticed() {
    assert_eq!(ledger::unexpected(&LEDGER.claims), Vec::<String>::new());
    let mut changed = LEDGER.claims.clone();
    changed[0].verdict = "open";
    assert_eq!(ledger::unexpected(&changed).len(), 1);
}

/// A claim that rests on another paper's keeps the verdict that it has among all, and a finding that shares its cause with another
/// paper's its place: so do those of both papers here.
#[test]
fn the_ledger_of_one_paper_is_its_part_of_the_whole() {
    for paper in [Paper::Ambssgd, Paper::Gcd] {
        let part = Ledger::of_paper(paper, Effort::Replay, |_, _| ()).expect("as the whole");
        let whole = LEDGER.claims.iter().filter(|row| row.paper == paper);
        let whole: Vec<ledger::Row> = whole.cloned().collect();
        assert!(!whole.is_empty());
        assert_eq!(ledger::text(&part.claims, None), ledger::text(&whole, None));
        let findings = LEDGER.findings.iter().filter(|f| f.paper == paper);
        let findings: Vec<_> = findings.cloned().collect();
        let text = [&part.findings, &findings].map(|list| ledger::findings_text(list));
        assert_eq!(text[0], text[1]);
    }
}

#[test]
fn json_has_the_agreed_keys() {
    let json = serde_json::to_value(&*LEDGER).expect("plain structures serialise");
    assert_eq!(json["schema"], "dp-assay/ledger/2");
    let claim = json["claims"][0].as_object().expect("an object");
    for key in [
        "id",
        "paper",
        "kind",
        "statement",
        "verdict",
        "domain",
        "slack",
        "evidence",
        "counterexample",
        "contradiction",
        "repaired",
        "by_hand",
        "basis",
        "premises",
        "severity",
        "effect",
        "cause",
    ] {
        assert!(claim.contains_key(key), "{key}");
    }
    for row in &LEDGER.claims {
        assert!(Verdict::NAMES.contains(&row.verdict));
        let fails = ["refuted", "empty"].contains(&row.verdict);
        let told = [
            row.severity.is_some(),
            row.effect.is_some(),
            row.cause.is_some(),
        ];
        assert_eq!(told, [fails; 3], "{}", row.id);
        assert!(!row.evidence.is_empty(), "{} gives no reason", row.id);
    }
}
