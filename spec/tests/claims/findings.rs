//! Every refuted claim is written up, and the summary says what the verdicts say.

use crate::support::BOOK;
use dp_assay_spec::book::book;
use dp_assay_spec::claim::{Check, Claim, Effort, Paper, Verdict};
use dp_assay_spec::claims;
use dp_assay_spec::findings::{Class, Finding, Severity, fails, findings, summary};
use std::collections::BTreeSet;
use std::sync::LazyLock;

static FINDINGS: LazyLock<Vec<Finding>> = LazyLock::new(|| findings(&BOOK));

#[test]
fn every_refuted_claim_belongs_to_exactly_one_finding() {
    let refuted = BOOK.iter().filter(|e| fails(e));
    let refuted: BTreeSet<_> = refuted.map(|e| e.claim.id).collect();
    let listed: Vec<_> = FINDINGS.iter().flat_map(|f| f.claims.clone()).collect();
    assert_eq!(listed.iter().copied().collect::<BTreeSet<_>>(), refuted);
    assert_eq!(listed.len(), refuted.len(), "a claim is listed twice");
}

#[test]
fn every_finding_has_one_note_and_every_note_a_finding() {
    for paper in Paper::ALL {
        let mut noted: Vec<_> = paper.notes().iter().map(|n| n.id).collect();
        let of = FINDINGS.iter().filter(|f| f.paper == paper);
        let mut found: Vec<_> = of.map(|f| f.id).collect();
        noted.sort_unstable();
        found.sort_unstable();
        assert_eq!(noted, found, "{paper}");
    }
}

#[test]
fn every_note_names_existing_theorems_of_its_paper_and_an_effect() {
    for paper in Paper::ALL {
        for note in paper.notes() {
            assert!(note.words.len() > 20, "{} states no effect", note.id);
            let failing = |id| {
                FINDINGS
                    .iter()
                    .any(|f| f.id == note.id && f.claims.contains(&id))
            };
            let apart = note.effect.apart.is_none_or(|(id, _)| failing(id));
            assert!(
                apart,
                "{} has a size of a claim that is not its own",
                note.id
            );
            for id in note.theorem {
                let known = BOOK
                    .iter()
                    .any(|e| e.claim.id == *id && e.claim.paper() == paper);
                assert!(known, "{} names the unknown theorem {id}", note.id);
            }
        }
    }
}

#[test]
fn the_summary_is_the_rendering_of_the_verdicts() {
    let text = summary(&FINDINGS);
    let stored = std::fs::read_to_string(SUMMARY).unwrap_or_default();
    let differs = stored.lines().zip(text.lines()).find(|(a, b)| a != b);
    assert!(
        stored == text,
        "{SUMMARY} is out of date, first at {differs:?}; run \
         `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims write_summary -- --ignored`"
    );
}

/// With `DP_ASSAY_WRITE` set, writes the summary.
#[test]
#[ignore = "writes a file of the source tree"]
fn write_summary() {
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        std::fs::write(SUMMARY, summary(&FINDINGS)).expect("the source tree is writable");
    }
}

const SUMMARY: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/findings/summary.md");

fn proved(_: &Check) -> Verdict {
    Verdict::proved("everywhere", "test")
}

fn refuted(_: &Check) -> Verdict {
    Verdict::refuted("0", "test", None)
}

fn empty(_: &Check) -> Verdict {
    Verdict::empty("1 < 0", "test", None)
}

/// An id with the verdict of its check.
type Member = (&'static str, fn(&Check) -> Verdict);

#[test]
fn the_class_of_a_statement_follows_from_the_verdicts_of_its_readings_and_proof_steps() {
    let of = |family: &[Member]| {
        let template = claims()[0];
        let claim = |&(id, check): &Member| Claim {
            id,
            check,
            rests_on: &[],
            ..template
        };
        let family: Vec<_> = family.iter().map(claim).collect();
        let entries = book(&family, Effort::Replay, &|_| {}).expect("ids differ");
        findings(&entries)
            .iter()
            .map(|f| (f.class, f.claims.len(), f.holding.len()))
            .collect::<Vec<_>>()
    };
    assert_eq!(of(&[("gcd-x", proved), ("gcd-x-reading-a", proved)]), []);
    assert_eq!(
        of(&[("gcd-x", refuted), ("gcd-x-restricted", proved)]),
        [(Class::Fails, 1, 1)]
    );
    assert_eq!(
        of(&[
            ("gcd-x-reading-a", refuted),
            ("gcd-x-reading-a-repaired", proved)
        ]),
        [(Class::Fails, 1, 0)]
    );
    assert_eq!(
        of(&[("gcd-x", refuted), ("gcd-x-reading-a", proved)]),
        [(Class::Ambiguous, 1, 1)]
    );
    assert_eq!(
        of(&[("gcd-x", proved), ("gcd-x-proof-sign", refuted)]),
        [(Class::Proof, 1, 1)]
    );
    assert_eq!(
        of(&[
            ("gcd-x", empty),
            ("gcd-x-reading-a", refuted),
            ("gcd-x-proof", proved)
        ]),
        [(Class::Empty, 2, 1)]
    );
}

/// What a claim affects is said of itself, not of the statement that it stands beside.
#[test]
fn a_claim_is_empty_or_a_step_only_where_it_is_itself() {
    let of = |base: &'static str, family: &[Member]| {
        let claims = claims();
        let template = *claims.iter().find(|c| c.id == base).expect("a claim");
        let claim = |&(id, check): &Member| Claim {
            id,
            check,
            rests_on: &[],
            ..template
        };
        let family: Vec<_> = family.iter().map(claim).collect();
        let entries = book(&family, Effort::Replay, &|_| {}).expect("ids differ");
        let finding = findings(&entries).remove(0);
        let failing = entries.iter().filter(|e| fails(e));
        let told = failing.map(|e| finding.effect_of(e).sizes());
        (finding.effect.sizes(), told.collect::<Vec<_>>())
    };
    let [nothing, step, rate] = [
        "Only trivial problems satisfy the hypotheses, or none.",
        "A step of the proof.",
        "Utility: another rate.",
    ];
    let (whole, each) = of(
        "skgd-thm-4.2-sc",
        &[
            ("skgd-thm-4.2-sc", empty),
            ("skgd-thm-4.2-sc-reading-a", refuted),
            ("skgd-thm-4.2-sc-proof", refuted),
            ("skgd-thm-4.2-sc-proof-round", proved),
        ],
    );
    assert_eq!(
        (&*whole, each),
        (nothing, [nothing, rate, step].map(str::to_owned).into())
    );
    // The sizes of gcd-thm-4.4-sc-b are those of a reading.
    let (whole, each) = of(
        "gcd-thm-4.4-sc-b",
        &[
            ("gcd-thm-4.4-sc-b", empty),
            ("gcd-thm-4.4-sc-b-reading-local", refuted),
        ],
    );
    assert!(
        whole.starts_with("Utility: another rate: ") && whole.contains(" times, for example"),
        "{whole}"
    );
    assert_eq!(each, [nothing, &whole]);
    // A reading may have a size of its own.
    let (whole, each) = of(
        "kl-thm-3-round",
        &[
            ("kl-thm-3-round", refuted),
            ("kl-thm-3-round-reading-zero-out", refuted),
        ],
    );
    assert!(whole.ends_with(": 16.257 times, for example."), "{whole}");
    assert_eq!(each[0], whole);
    assert!(each[1].ends_with(": 7.951 times, for example."), "{each:?}");
    // Where only a step fails, the finding is about it.
    let (whole, each) = of(
        "kl-thm-5-best",
        &[("kl-thm-5-best", proved), ("kl-thm-5-best-proof", refuted)],
    );
    assert_eq!(each, [whole]);
}

/// A slip in a proof is one whatever else is wrong with the statement, and a wrong step beside a slip is a wrong step: findings of
/// their own. What a note is not about alone is of its statement's.
#[test]
fn a_step_of_a_proof_may_be_a_finding_of_its_own() {
    for (claim, id, severity) in [
        (
            "skgd-thm-4.2-sc-proof-index",
            "skgd-thm-4.2-sc-proof-index",
            Severity::Wording,
        ),
        ("skgd-thm-4.2-sc-proof", "skgd-thm-4.2-sc", Severity::Major),
        ("gcd-lem-B.5-proof", "gcd-lem-B.5-proof", Severity::Minor),
        ("gcd-lem-B.5", "gcd-lem-B.5", Severity::Wording),
        (
            "gcd-thm-4.4-sc-b-reading-local",
            "gcd-thm-4.4-sc-b",
            Severity::Major,
        ),
    ] {
        let found = FINDINGS.iter().find(|f| f.claims.contains(&claim));
        let found = found.map(|f| (f.id, f.severity));
        assert_eq!(found, Some((id, severity)), "{claim}");
    }
}

/// What a finding is follows from where its statement stands, whatever its id: a step of a proof is one.
#[test]
fn a_step_of_a_proof_is_told_from_a_theorem_with_its_proof() {
    let at = |place| {
        let claim = Claim {
            id: "gcd-x",
            place,
            check: refuted,
            rests_on: &[],
            ..claims()[0]
        };
        let entries = book(&[claim], Effort::Replay, &|_| {}).expect("one id");
        findings(&entries)[0].class
    };
    assert_eq!(at("App. A.2.1, proof of Lemma A.9, eq. (18)"), Class::Step);
    assert_eq!(at("proofs of Theorems 3.2 and 3.7"), Class::Step);
    assert_eq!(at("§3.2, Theorem 3.6, proof in App. B.1.2"), Class::Fails);
    assert_eq!(
        at("Sec. 5.1, Theorem 5; App. D.6, privacy proof"),
        Class::Fails
    );
    assert_eq!(at("used in the proof of Theorem 4.1"), Class::Fails);
    assert_eq!(at("App. C, after the proof of Corollary 12"), Class::Fails);
    let steps = [
        "eq-7", "eq-11", "eq-15-17", "eq-18", "eq-24-25", "eq-28", "eq-44-46", "eq-47", "eq-5-6",
    ];
    let steps = steps
        .into_iter()
        .chain(["p3.9-gamma-lower", "p3.9-noclip", "p3.9-gamma-upper"]);
    for id in steps.map(|id| format!("ambssgd-{id}")) {
        let finding = FINDINGS.iter().find(|f| f.id == id);
        assert_eq!(finding.map(|f| f.class), Some(Class::Step), "{id}");
    }
    // No theorem, lemma or corollary is taken for a step.
    for entry in BOOK.iter().filter(|e| e.claim.is_step()) {
        let rest = entry.claim.id.split_once('-').map_or("", |(_, rest)| rest);
        let whole = ["thm-", "lem-", "cor-", "prop-"].iter().any(|kind| {
            let number = rest.strip_prefix(kind);
            number.is_some_and(|number| !number.contains('-'))
        });
        assert!(!whole, "{}: {}", entry.claim.id, entry.claim.place);
    }
}

/// Severity first, then what fails in every reading; within that no cause is met twice before all are met once, and what is known of
/// a realistic use goes before a worst case.
#[test]
fn findings_come_in_the_order_in_which_they_should_be_met() {
    let rank = |f: &Finding| (f.severity, f.class == Class::Ambiguous);
    for pair in FINDINGS.windows(2) {
        assert!(
            rank(&pair[0]) <= rank(&pair[1]),
            "{} before {}",
            pair[0].id,
            pair[1].id
        );
    }
    let mut met = BTreeSet::new();
    let mut again: Option<&Finding> = None;
    for finding in FINDINGS.iter() {
        match (met.insert(finding.cause), again) {
            (true, Some(earlier)) => {
                assert!(
                    rank(earlier) < rank(finding),
                    "{} before {}",
                    earlier.id,
                    finding.id
                );
            }
            (true, None) => {}
            (false, _) => again = Some(finding),
        }
    }
    // The first that a reader meets are the privacy theorems that fail in realistic use, of each cause one.
    let first: Vec<&str> = FINDINGS.iter().take(2).map(|f| f.id).collect();
    assert_eq!(first, ["gcd-thm-4.2", "gcd-prox-priv"]);
}
