//! Claims joined with their evidence: one [`Row`] for each claim of each paper.
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
//! print!("{}", text(&ledger.claims));
//! # Ok::<(), dp_assay_spec::book::BookError>(())
//! ```

use dp_assay_spec::book::{BookError, Entry, book};
use dp_assay_spec::claim::{Claim, Kind, Paper, Verdict};
use dp_assay_spec::findings::{Finding, findings};
use dp_assay_spec::prove::Picture;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

pub mod evidence;
pub(crate) mod slopes;
mod table;

pub use dp_assay_spec::claim::Effort;
pub use table::{counts, markdown, text};

/// Version of the JSON layout of [`Ledger`].
pub const SCHEMA: &str = "dp-assay/ledger/1";

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

    /// The part of [`Self::compute`] that is about one paper: runs the checks of its claims, and of those of other
    /// papers that they rest on.
    ///
    /// # Errors
    /// As for [`Self::compute`].
    pub fn of_paper(
        paper: Paper,
        effort: Effort,
        progress: impl Fn(usize, usize) + Sync,
    ) -> Result<Self, BookError> {
        let claims = with_supports(paper);
        let mut entries = book(&claims, effort, &|done| progress(done, claims.len()))?;
        entries.retain(|entry| entry.claim.paper == paper);
        Ok(Self::new(entries))
    }

    fn new(mut entries: Vec<Entry>) -> Self {
        let findings = findings(&entries);
        settle(&mut entries);
        Self {
            schema: SCHEMA,
            claims: entries.iter().map(Row::new).collect(),
            findings,
        }
    }
}

/// The claims of a paper and all that they rest on, in the order of the papers' contents.
fn with_supports(paper: Paper) -> Vec<Claim> {
    let all = dp_assay_spec::claims();
    let mut kept: BTreeSet<&str> = BTreeSet::new();
    let mut found: Vec<&Claim> = all.iter().filter(|claim| claim.paper == paper).collect();
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
fn settle(entries: &mut [Entry]) {
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

/// One claim with its verdict and the reasons for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Row {
    /// Claim id, e.g. `gcd-thm-4.2`.
    pub id: &'static str,
    /// The paper it belongs to.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub paper: Paper,
    /// Where it stands in the paper.
    pub place: &'static str,
    /// What sort of statement it is.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub kind: Kind,
    /// The statement, in plain text.
    pub statement: &'static str,
    /// Its hypotheses, in plain text.
    pub hypotheses: &'static str,
    /// `proved`, `supported`, `refuted` or `open`.
    pub verdict: &'static str,
    /// Where a proved statement holds; `null` otherwise.
    pub domain: Option<String>,
    /// How much smaller the noise could be (ratio ≥ 1); `null` where that has no meaning.
    pub slack: Option<f64>,
    /// How the verdict was reached, or for an open claim what is missing.
    pub evidence: String,
    /// The point where a refuted statement fails; `null` otherwise.
    pub counterexample: Option<String>,
    /// Id of the claim that states what does hold; `null` otherwise.
    pub repaired: Option<String>,
    /// Whether the statement is empty: nothing satisfies its hypotheses.
    pub vacuous: bool,
    /// Ids of the claims that it rests on.
    pub rests_on: &'static [&'static str],
    /// Where the inequalities that its check decided hold or fail, for the report.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
}

impl Row {
    fn new(entry: &Entry) -> Self {
        let Entry {
            claim,
            verdict,
            pictures,
        } = entry;
        let mut row = Self {
            id: claim.id,
            paper: claim.paper,
            place: claim.place,
            kind: claim.kind,
            statement: claim.statement,
            hypotheses: claim.hypotheses,
            verdict: verdict.name(),
            domain: None,
            slack: None,
            evidence: String::new(),
            counterexample: None,
            repaired: None,
            vacuous: false,
            rests_on: claim.rests_on,
            pictures: pictures.clone(),
        };
        match verdict {
            Verdict::Proved(proof) => {
                row.domain = Some(proof.domain.clone());
                row.slack = proof.slack;
                row.evidence.clone_from(&proof.evidence);
            }
            Verdict::Supported(support) => row.evidence.clone_from(&support.evidence),
            Verdict::Refuted(refutation) => {
                row.evidence.clone_from(&refutation.evidence);
                row.counterexample = Some(refutation.counterexample.clone());
                row.repaired.clone_from(&refutation.repaired);
                row.vacuous = refutation.vacuous;
            }
            Verdict::Open { why } => row.evidence.clone_from(why),
        }
        if let Some(measured) = slopes::of(claim.id) {
            row.evidence += "; measured besides: ";
            row.evidence += &measured;
        }
        row
    }
}

/// How many claims have each verdict.
///
/// ```
/// use dp_assay::ledger::{Count, Row};
/// use dp_assay_spec::claim::{Kind, Paper};
///
/// let row = Row {
///     id: "gcd-thm-4.2", paper: Paper::Gcd, place: "Theorem 4.2", kind: Kind::MechanismPrivacy, verdict: "proved",
///     statement: "private", hypotheses: "", domain: None, slack: None, evidence: "made up".to_owned(),
///     counterexample: None, repaired: None, vacuous: false,
///     rests_on: &[], pictures: Vec::new(),
/// };
/// assert_eq!(Count::of([&row]), Count { proved: 1, ..Count::default() });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Count {
    /// Proved on the whole printed domain.
    pub proved: usize,
    /// Supported by statistics or a citation.
    pub supported: usize,
    /// Refuted by a counterexample.
    pub refuted: usize,
    /// Undecided.
    pub open: usize,
}

impl Count {
    /// Counts the rows given.
    #[must_use]
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        rows.into_iter().fold(Self::default(), |mut count, row| {
            match row.verdict {
                "proved" => count.proved += 1,
                "supported" => count.supported += 1,
                "refuted" => count.refuted += 1,
                _ => count.open += 1,
            }
            count
        })
    }
}

/// Ids of the repaired claims that are not proved, or do not exist: nothing may rely on them.
///
/// ```
/// use dp_assay::ledger::{Row, unexpected, unproved_repairs};
/// use dp_assay_spec::claim::{Kind, Paper};
///
/// let row = Row {
///     id: "gcd-thm-4.2", paper: Paper::Gcd, place: "Theorem 4.2", kind: Kind::MechanismPrivacy, verdict: "refuted",
///     statement: "private", hypotheses: "", domain: None, slack: None, evidence: "made up".to_owned(),
///     counterexample: None, repaired: Some("gcd-thm-0".to_owned()), vacuous: false,
///     rests_on: &[], pictures: Vec::new(),
/// };
/// let rows = [row];
/// assert_eq!(unproved_repairs(&rows), ["gcd-thm-0"]); // there is no such claim among the rows
/// assert!(unexpected(&[]).is_empty());
/// ```
#[must_use]
pub fn unproved_repairs(rows: &[Row]) -> Vec<String> {
    let proved = |id: &str| {
        rows.iter()
            .any(|row| row.id == id && row.verdict == "proved")
    };
    rows.iter()
        .filter_map(|row| row.repaired.clone())
        .filter(|id| !proved(id))
        .collect()
}

/// Claims whose verdict is not the committed one, in words. The committed verdicts are a snapshot of
/// the tests, so that a change of verdict shows up in review.
#[must_use]
pub fn unexpected(rows: &[Row]) -> Vec<String> {
    let snapshot =
        include_str!("../../tests/program/ledger/snapshots/program__ledger__verdicts.snap");
    let expected: BTreeMap<&str, &str> = snapshot
        .lines()
        .filter_map(|line| line.rsplit_once(": "))
        .collect();
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
