//! Claims joined with their evidence: one [`Row`] for each claim of each paper, and of the collection beside them.
//!
//! The specification decides what can be proved or refuted. Claims that need statistics stay open
//! there; only this module may turn such a claim into supported or refuted, from stored evidence.
//!
//! ```no_run
//! use dp_assay::ledger::{Effort, Ledger, text};
//!
//! let ledger = Ledger::compute(Effort::Replay, |done, all| eprintln!("{done} of {all}"))?;
//! let refuted = ledger.claims.iter().filter(|row| row.verdict == "refuted");
//! for row in refuted {
//!     println!("{}: {}", row.id, row.counterexample.as_deref().unwrap_or_default());
//! }
//! print!("{}", text(&ledger.claims, None));
//! # Ok::<(), dp_assay_spec::book::BookError>(())
//! ```

use dp_assay_spec::book::{BookError, Entry, book};
use dp_assay_spec::claim::{Claim, Paper, Verdict};
#[cfg(feature = "cli")]
use dp_assay_spec::findings::Severity;
use dp_assay_spec::findings::{Finding, findings};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub mod evidence;
pub mod headline;
pub mod notation;
mod row;
#[cfg(test)]
pub(crate) mod samples;
pub(crate) mod slopes;
mod table;

pub use dp_assay_spec::claim::Effort;
pub use row::{Count, Row, rows, unproved_repairs};
pub use table::{collection, counts, findings_text, full, markdown, text};

/// Version of the JSON layout of [`Ledger`].
pub const SCHEMA: &str = "dp-assay/ledger/2";

/// Version of the JSON layout of a list of findings.
pub const FINDINGS_SCHEMA: &str = "dp-assay/findings/1";

/// The verdict on every claim.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Ledger {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// One row a claim, in the order of the papers' contents.
    pub claims: Vec<Row>,
    /// What does not hold as printed, with effect and repair.
    #[serde(skip)]
    pub findings: Vec<Finding>,
}

impl Ledger {
    /// Runs the check of every claim, on all cores; `progress` is told how many of how many are done.
    ///
    /// # Errors
    /// When claims name each other wrongly: a defect of the specification, caught by its tests.
    pub fn compute(
        effort: Effort,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, BookError> {
        let claims = dp_assay_spec::claims();
        let entries = book(&claims, effort, &|done| progress(done, claims.len()))?;
        Ok(Self::new(entries))
    }

    /// The part of [`Self::compute`] that is about one paper: runs the checks of its claims, of those of other papers that they
    /// rest on, and of papers with findings of the same cause, of which only the first is met as new.
    ///
    /// # Errors
    /// As for [`Self::compute`].
    pub fn of_paper(
        paper: Paper,
        effort: Effort,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, BookError> {
        let papers = with_causes(paper);
        let claims = with_supports(&papers);
        let mut entries = book(&claims, effort, &|done| progress(done, claims.len()))?;
        entries.retain(|entry| papers.contains(&entry.claim.paper()));
        let mut ledger = Self::new(entries);
        ledger.claims.retain(|row| row.paper == paper);
        ledger.findings.retain(|finding| finding.paper == paper);
        Ok(ledger)
    }

    fn new(mut entries: Vec<Entry>) -> Self {
        // What statistics settle is a finding like any other.
        apply_evidence(&mut entries);
        let findings = findings(&entries);
        Self {
            schema: SCHEMA,
            claims: rows(&entries, &findings),
            findings,
        }
    }
}

/// What does not hold as printed, in the order in which a reader should meet it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Findings {
    /// Always [`FINDINGS_SCHEMA`].
    pub schema: &'static str,
    /// The findings.
    #[cfg_attr(feature = "cli", schemars(schema_with = "findings_schema"))]
    pub findings: Vec<Finding>,
}

impl From<Ledger> for Findings {
    fn from(ledger: Ledger) -> Self {
        Self {
            schema: FINDINGS_SCHEMA,
            findings: ledger.findings,
        }
    }
}

/// The schema of findings: they are the specification's own, which knows no schemas.
#[cfg(feature = "cli")]
pub(crate) fn findings_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    let ids = || schemars::json_schema!({ "type": "array", "items": { "type": "string" } });
    schemars::json_schema!({
        "type": "array",
        "items": {
            "type": "object",
            "properties": {
                "id": { "type": "string", "description": "Id of the statement." },
                "paper": { "type": "string" },
                "arxiv": { "type": "string", "description": "The paper's arXiv id." },
                "title": { "type": "string", "description": "The paper's title." },
                "severity": { "enum": Severity::ALL.map(Severity::name) },
                "class": { "enum": ["fails", "ambiguous", "empty", "proof", "step"] },
                "cause": { "type": "string", "description": "The root that it shares with other \
                    findings." },
                "effect": {
                    "type": "object",
                    "description": "What is affected; the largest ratio known, and that in \
                                    realistic use.",
                    "properties": {
                        "kind": { "type": "string" },
                        "number": { "type": ["number", "null"] },
                        "realistic": { "type": ["number", "null"] },
                        "edge": { "type": ["string", "null"] },
                        "words": { "type": "string" }
                    }
                },
                "claims": ids(),
                "holding": ids(),
                "repaired": ids(),
                "theorems": {
                    "type": "array",
                    "description": "The end-to-end theorems that use it, and whether they survive.",
                    "items": { "type": "object" }
                }
            }
        }
    })
}

/// A paper and those whose findings share a cause with one of its own.
fn with_causes(paper: Paper) -> Vec<Paper> {
    let causes = |of: Paper| of.notes().iter().map(|note| note.cause);
    let shares = |other: &Paper| causes(*other).any(|cause| causes(paper).any(|own| own == cause));
    let others = Paper::ALL
        .into_iter()
        .filter(|other| *other != paper && shares(other));
    std::iter::once(paper).chain(others).collect()
}

/// The claims of papers and all that they rest on, in the order of the papers' contents.
fn with_supports(papers: &[Paper]) -> Vec<Claim> {
    let all = dp_assay_spec::claims();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let mut found: Vec<&Claim> = (all.iter())
        .filter(|claim| papers.contains(&claim.paper()))
        .collect();
    while let Some(claim) = found.pop() {
        if kept.insert(claim.id) {
            found.extend(
                all.iter()
                    .filter(|other| claim.rests_on.contains(&other.id)),
            );
        }
    }
    let of = |claim: &&Claim| kept.contains(claim.id);
    all.iter().filter(of).copied().collect()
}

/// What the specification leaves open may be settled by what campaigns have counted.
fn apply_evidence(entries: &mut [Entry]) {
    let stored = evidence::stored().unwrap_or_default();
    for entry in entries {
        let Verdict::Open { why } = &mut entry.verdict else {
            continue;
        };
        match evidence::verdict(&entry.claim, &stored) {
            Some(verdict) => entry.verdict = verdict,
            None => {
                if let Some(tried) = evidence::tried(&entry.claim, &stored) {
                    *why += "; tried: ";
                    *why += &tried;
                }
            }
        }
    }
}

/// Claims whose verdict is not the committed one, in words. The committed verdicts are those of the specification's list,
/// so that a change of verdict shows up in review.
#[must_use]
pub fn unexpected(rows: &[Row]) -> Vec<String> {
    let verdict = |line: &'static str| {
        let (id, rest) = line.strip_prefix("| `")?.split_once("` | ")?;
        Some((id, rest.split(' ').next()?))
    };
    let expected: BTreeMap<&str, &str> =
        dp_assay_spec::LEDGER.lines().filter_map(verdict).collect();
    let words = |row: &Row| match expected.get(row.id) {
        Some(verdict) if *verdict == row.verdict => None,
        Some(verdict) => Some(format!(
            "{} is {}, not {verdict} as committed",
            row.id, row.verdict
        )),
        None => Some(format!("{} has no committed verdict", row.id)),
    };
    rows.iter().filter_map(words).collect()
}

#[cfg(test)]
mod tests {
    use super::samples::{proved, refuted, row};
    use super::*;

    #[test]
    fn a_verdict_other_than_the_committed_one_is_told() {
        let id = "gcd-thm-4.2-corrected";
        assert_eq!(unexpected(&[row(id, proved)]), [""; 0]);
        let told = unexpected(&[row(id, refuted), row("gcd-thm-4.4-sc-corrected", proved)]);
        assert_eq!(
            told,
            ["gcd-thm-4.2-corrected is refuted, not proved as committed"]
        );
        let unknown = Row {
            id: "gcd-thm-0",
            ..row(id, proved)
        };
        assert_eq!(
            unexpected(&[unknown]),
            ["gcd-thm-0 has no committed verdict"]
        );
    }

    /// An open claim that an experiment has counted is settled by it or says that it was tried; others stay as they are.
    #[test]
    fn what_campaigns_have_counted_is_said_of_open_claims_alone() {
        let claims = dp_assay_spec::claims();
        let counted: BTreeSet<String> = evidence::stored()
            .expect("committed")
            .into_iter()
            .flat_map(|evidence| evidence.fingerprints.into_keys())
            .collect();
        assert!(!counted.is_empty());
        for id in &counted {
            let claim = claims
                .iter()
                .find(|claim| claim.id == *id)
                .expect("a claim");
            let open = || Verdict::Open {
                why: "too long".into(),
            };
            let entry = |verdict: fn() -> Verdict| {
                let claim = Claim {
                    check: |_| proved(),
                    rests_on: &[],
                    ..*claim
                };
                let book = dp_assay_spec::book::book(&[claim], Effort::Replay, &|_| {});
                let mut entries = book.expect("one claim");
                entries[0].verdict = verdict();
                // The check is no part of what was asked.
                entries[0].claim = *claims.iter().find(|c| c.id == claim.id).expect("a claim");
                entries
            };
            let mut entries = entry(open);
            apply_evidence(&mut entries);
            let told = match &entries[0].verdict {
                Verdict::Open { why } => why.contains("tried"),
                verdict => ["supported", "refuted"].contains(&verdict.name()),
            };
            assert!(told, "{id}: {:?}", entries[0].verdict);
            let mut entries = entry(proved);
            apply_evidence(&mut entries);
            assert_eq!(entries[0].verdict.name(), "proved");
        }
    }

    /// All of a paper, and of others what a claim among these rests on.
    #[test]
    fn a_paper_comes_with_all_that_it_rests_on_and_no_more() {
        let all = dp_assay_spec::claims();
        for paper in Paper::ALL {
            let kept = with_supports(&[paper]);
            let own = |claims: &[Claim]| claims.iter().filter(|c| c.paper() == paper).count();
            assert_eq!(own(&kept), own(&all));
            for claim in &kept {
                let wanted = kept.iter().any(|other| other.rests_on.contains(&claim.id));
                assert!(wanted || claim.paper() == paper, "{paper}: {}", claim.id);
                let has = |id: &&str| kept.iter().any(|other| other.id == *id);
                assert!(claim.rests_on.iter().all(has), "{paper}: {}", claim.id);
            }
        }
    }
}
