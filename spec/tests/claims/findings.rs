//! Every refuted claim is written up, and the chapters say what the verdicts say.

use crate::support::BOOK;
use dp_assay_spec::book::book;
use dp_assay_spec::claim::{Check, Claim, Effort, Paper, Verdict};
use dp_assay_spec::claims;
use dp_assay_spec::findings::chapter::{chapter, summary};
use dp_assay_spec::findings::{Class, Finding, fails, findings, notes};
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
        let mut noted: Vec<_> = notes(paper).iter().map(|n| n.id).collect();
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
        for note in notes(paper) {
            assert!(note.words.len() > 20, "{} states no effect", note.id);
            for id in note.theorem {
                let known = BOOK
                    .iter()
                    .any(|e| e.claim.id == *id && e.claim.paper == paper);
                assert!(known, "{} names the unknown theorem {id}", note.id);
            }
        }
    }
}

#[test]
fn chapters_are_the_rendering_of_the_verdicts() {
    for (name, text) in rendered() {
        let stored = std::fs::read_to_string(path(&name)).unwrap_or_default();
        let differs = stored.lines().zip(text.lines()).find(|(a, b)| a != b);
        assert!(
            stored == text,
            "{name} is out of date, first at {differs:?}; run \
             `DP_ASSAY_WRITE=1 cargo test -p dp-assay-spec --test claims write_chapters -- --ignored`"
        );
    }
}

/// With `DP_ASSAY_WRITE` set, writes the chapters.
#[test]
#[ignore = "writes files of the source tree"]
fn write_chapters() {
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        for (name, text) in rendered() {
            std::fs::write(path(&name), text).expect("the source tree is writable");
        }
    }
}

/// The files of the chapter with their contents.
fn rendered() -> Vec<(String, String)> {
    let chapters = Paper::ALL.map(|p| (format!("{p}.md"), chapter(p, &FINDINGS, &BOOK)));
    let summary = summary(&FINDINGS);
    chapters
        .into_iter()
        .chain([("summary.md".to_owned(), summary)])
        .collect()
}

fn path(name: &str) -> String {
    format!("{}/src/findings/{name}", env!("CARGO_MANIFEST_DIR"))
}

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
    assert_eq!(of(&[("x", proved), ("x-reading-a", proved)]), []);
    assert_eq!(
        of(&[("x", refuted), ("x-restricted", proved)]),
        [(Class::Fails, 1, 1)]
    );
    assert_eq!(
        of(&[("x-reading-a", refuted), ("x-reading-a-repaired", proved)]),
        [(Class::Fails, 1, 0)]
    );
    assert_eq!(
        of(&[("x", refuted), ("x-reading-a", proved)]),
        [(Class::Ambiguous, 1, 1)]
    );
    assert_eq!(
        of(&[("x", proved), ("x-proof-sign", refuted)]),
        [(Class::Proof, 1, 1)]
    );
    assert_eq!(
        of(&[("x", empty), ("x-reading-a", refuted), ("x-proof", proved)]),
        [(Class::Empty, 2, 1)]
    );
}
