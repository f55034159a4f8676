//! One claim with its verdict and the reasons for it, and how many have which.

use super::notation::unicode;
use super::slopes;
use dp_assay_spec::book::Entry;
use dp_assay_spec::claim::{Kind, Paper, Verdict};
use dp_assay_spec::findings::{Finding, Measured, Severity, headline};
use dp_assay_spec::moved::{Theorem, refuted};
use dp_assay_spec::prove::Picture;
use serde::Serialize;
use std::collections::BTreeSet;

/// One claim with its verdict and the reasons for it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Row {
    /// Claim id, e.g. `gcd-thm-4.2`.
    pub id: &'static str,
    /// The paper it belongs to; `acc` for the collection of theorems that accountants rest on.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub paper: Paper,
    /// The paper's arXiv id; in the collection that of the claim's own source, empty where that has none.
    pub arxiv: &'static str,
    /// The paper's title.
    pub title: &'static str,
    /// Where it stands in the paper; in the collection its source.
    pub place: &'static str,
    /// What sort of statement it is.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub kind: Kind,
    /// What decides it: `kernel`, a theorem made by rules, or `checks`.
    pub basis: &'static str,
    /// The statement: the rendered term where the kernel decides (of a refuted claim what is refuted, which may be a case of
    /// what is printed), else plain text.
    pub statement: String,
    /// Its hypotheses, in plain text; those of a rendered term stand in it.
    pub hypotheses: String,
    /// `proved`, `argued`, `cited`, `supported`, `refuted`, `empty`, `open` or `well-posed`.
    pub verdict: &'static str,
    /// The steps that are made in words, not by a computation.
    pub by_hand: Vec<String>,
    /// Ids of the cited claims on which it rests, directly or through others.
    pub premises: Vec<&'static str>,
    /// How bad it is that it does not hold: `critical`, `major`, `minor`, `wording` or `edge`; `null` where it holds.
    #[cfg_attr(feature = "cli", schemars(with = "Option<String>"))]
    pub severity: Option<Severity>,
    /// What is affected, with its size where one was computed; `null` where it holds.
    #[cfg_attr(
        feature = "cli",
        schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")
    )]
    pub effect: Option<Measured>,
    /// The root that it shares with other claims that do not hold; `null` where it holds.
    pub cause: Option<&'static str>,
    /// Where a statement holds; `null` where it does not.
    pub domain: Option<String>,
    /// How much smaller the noise could be (ratio ≥ 1), where that was measured.
    pub slack: Option<f64>,
    /// What computations have decided, or for an open claim what is missing.
    pub evidence: String,
    /// What its check says besides, in words, where neither the kernel decides nor a step by hand says it.
    pub remarks: Vec<String>,
    /// The point where a refuted statement fails; `null` otherwise.
    pub counterexample: Option<String>,
    /// Why nothing satisfies the hypotheses of an empty statement; `null` otherwise.
    pub contradiction: Option<String>,
    /// Id of the claim that states what does hold; `null` otherwise.
    pub repaired: Option<String>,
    /// Of a theorem that its paper is cited for, id of the claim to use instead, as `paper` names it: on privacy and utility of
    /// one run, or that there is none; `null` otherwise.
    pub corrected: Option<&'static str>,
    /// Ids of the claims that it rests on.
    pub rests_on: &'static [&'static str],
    /// The statement in words, also where the kernel decides.
    pub words: String,
    /// Where the inequalities that its check decided hold or fail, for the report.
    #[serde(skip)]
    pub pictures: Vec<Picture>,
}

/// The rows of these claims, with what their findings say of them.
///
/// ```
/// use dp_assay::ledger::{Count, rows, unproved_repairs};
/// use dp_assay_spec::book::book;
/// use dp_assay_spec::claim::{Claim, Effort, Verdict};
///
/// let claim = Claim {
///     id: "gcd-thm-1",
///     rests_on: &[],
///     by_hand: &[],
///     check: |_| Verdict::refuted("n = 1", "exact arithmetic", Some("gcd-thm-0")),
///     ..dp_assay_spec::claims()[0]
/// };
/// let holds = Claim { id: "gcd-thm-0", check: |_| Verdict::proved("all n", "exact arithmetic"), ..claim };
/// let entries = book(&[claim, holds], Effort::Replay, &|_| {})?;
/// let rows = rows(&entries, &[]);
/// assert_eq!(Count::of(&rows).get("refuted"), 1);
/// assert!(unproved_repairs(&rows).is_empty());
/// assert_eq!(unproved_repairs(&rows[..1]), ["gcd-thm-0"]); // there is no such claim among these
/// # Ok::<(), dp_assay_spec::book::BookError>(())
/// ```
#[must_use]
pub fn rows(entries: &[Entry], findings: &[Finding]) -> Vec<Row> {
    let of = |entry: &Entry| {
        let id = entry.claim.id;
        let finding = findings.iter().find(|f| f.claims.contains(&id));
        Row::new(entry, finding)
    };
    let mut rows: Vec<Row> = entries.iter().map(of).collect();
    let holding: BTreeSet<&str> = { rows.iter() }
        .filter(|r| r.holds())
        .map(|r| r.id)
        .collect();
    for row in &mut rows {
        row.corrected = headline::instead(row.id, |id| holding.contains(id));
    }
    rows
}

/// What a theorem proves or refutes, as a term.
fn term(theorem: &Theorem) -> String {
    refuted(theorem).unwrap_or_else(|| theorem.statement().to_string())
}

impl Row {
    fn new(entry: &Entry, finding: Option<&Finding>) -> Self {
        let Entry { claim, verdict, .. } = entry;
        let proof = verdict.proof();
        let (counterexample, contradiction) = match verdict {
            Verdict::Refuted(r) => (Some(unicode(&r.counterexample)), None),
            Verdict::Empty(e) => (None, Some(unicode(&e.contradiction))),
            _ => (None, None),
        };
        Self {
            id: claim.id,
            paper: claim.paper(),
            arxiv: claim.arxiv(),
            title: claim.paper().source().title,
            place: claim.place,
            kind: claim.kind,
            basis: entry.theorem.as_ref().map_or("checks", |_| "kernel"),
            statement: (entry.theorem.as_ref()).map_or_else(|| unicode(claim.statement), term),
            words: unicode(claim.statement),
            hypotheses: unicode(claim.hypotheses),
            verdict: verdict.name(),
            by_hand: entry.by_hand.clone(),
            premises: entry.premises.clone(),
            severity: finding.map(|f| severity(claim.id, f)),
            effect: finding.map(|f| f.effect_of(entry)),
            cause: finding.map(|f| f.cause),
            domain: proof.map(|p| unicode(&p.domain)),
            slack: proof.and_then(|p| p.slack),
            evidence: evidence(entry),
            remarks: remarks(entry),
            counterexample,
            contradiction,
            repaired: verdict.repaired().map(str::to_owned),
            corrected: None,
            rests_on: claim.rests_on,
            pictures: entry.pictures.clone(),
        }
    }

    /// Ids of the claims to use instead, the one first that its paper's page names.
    #[must_use]
    pub fn instead(&self) -> Vec<&str> {
        let mut ids: Vec<&str> = self
            .corrected
            .into_iter()
            .chain(self.repaired.as_deref())
            .collect();
        ids.dedup();
        ids
    }

    /// Whether the claim holds: proved, argued or well-posed.
    #[must_use]
    pub fn holds(&self) -> bool {
        matches!(self.verdict, "proved" | "argued" | "well-posed")
    }
}

/// A step of a proof is minor at most, whatever its statement is.
fn severity(id: &str, finding: &Finding) -> Severity {
    match id[finding.id.len()..].contains("-proof") {
        true => finding.severity.max(Severity::Minor),
        false => finding.severity,
    }
}

fn evidence(entry: &Entry) -> String {
    let mut text = match &entry.verdict {
        Verdict::Proved(p) | Verdict::Argued(p) | Verdict::WellPosed(p) => p.evidence.clone(),
        Verdict::Supported(s) | Verdict::Cited(s) => s.evidence.clone(),
        Verdict::Refuted(r) => r.evidence.clone(),
        Verdict::Empty(e) => e.evidence.clone(),
        Verdict::Open { why } => why.clone(),
    };
    if let Some(measured) = slopes::of(entry.claim.id) {
        text += "; measured besides: ";
        text += &measured;
    }
    text
}

fn remarks(entry: &Entry) -> Vec<String> {
    let said = entry.verdict.proof().filter(|_| entry.theorem.is_none());
    let said = said.into_iter().flat_map(|proof| &proof.remarks);
    said.filter(|remark| !entry.by_hand.contains(remark))
        .map(|remark| unicode(remark))
        .collect()
}

/// How many claims have each verdict, in the order of [`Verdict::NAMES`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    of: [usize; Verdict::NAMES.len()],
    /// Steps made by hand, in all claims together.
    pub by_hand: usize,
    /// Claims that the kernel decides.
    pub kernel: usize,
}

impl Count {
    /// Counts the rows given.
    #[must_use]
    pub fn of<'a>(rows: impl IntoIterator<Item = &'a Row>) -> Self {
        rows.into_iter().fold(Self::default(), |mut count, row| {
            if let Some(i) = Verdict::NAMES.iter().position(|name| *name == row.verdict) {
                count.of[i] += 1;
            }
            count.by_hand += row.by_hand.len();
            count.kernel += usize::from(row.basis == "kernel");
            count
        })
    }

    /// Counts the papers' claims among the rows, without the collection.
    #[must_use]
    pub fn of_papers(rows: &[Row]) -> Self {
        Self::of(rows.iter().filter(|row| !row.paper.is_collection()))
    }

    /// The verdicts that there are, each with its count: `3 proved, 14 argued`.
    #[must_use]
    pub fn words(&self) -> String {
        let found = self.each().filter(|(_, n)| *n > 0);
        let found: Vec<String> = found.map(|(name, n)| format!("{n} {name}")).collect();
        found.join(", ")
    }

    /// How many have the verdict of this name; 0 for a name that is none.
    #[must_use]
    pub fn get(&self, verdict: &str) -> usize {
        self.each()
            .find(|(name, _)| *name == verdict)
            .map_or(0, |(_, n)| n)
    }

    /// Every verdict's name with its count.
    pub fn each(&self) -> impl Iterator<Item = (&'static str, usize)> + '_ {
        Verdict::NAMES.into_iter().zip(self.of)
    }
}

/// Ids of the repaired claims that do not hold, or do not exist: nothing may rely on them.
#[must_use]
pub fn unproved_repairs(rows: &[Row]) -> Vec<String> {
    let holds = |id: &str| rows.iter().any(|row| row.id == id && row.holds());
    rows.iter()
        .filter_map(|row| row.repaired.clone())
        .filter(|id| !holds(id))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::{proved, refuted, row};

    #[test]
    fn a_repair_that_is_not_there_or_does_not_hold_is_named() {
        let repaired = row("gcd-mech-lap", refuted);
        let repair = |verdict| row("gcd-thm-4.2-corrected", verdict);
        assert_eq!(
            unproved_repairs(&[repaired.clone(), repair(proved)]),
            [""; 0]
        );
        for rows in [
            vec![repaired.clone()],
            vec![repaired, repair(|| Verdict::open("too long"))],
        ] {
            assert_eq!(unproved_repairs(&rows), ["gcd-thm-4.2-corrected"]);
        }
    }

    #[test]
    fn a_count_is_found_by_the_name_of_its_verdict() {
        let rows = [
            row("gcd-mech-lap", proved),
            row("gcd-thm-4.2", refuted),
            Row {
                basis: "kernel",
                ..row("kl-thm-7", proved)
            },
        ];
        let count = Count::of(&rows);
        assert_eq!(count.kernel, 1);
        assert_eq!(
            ["proved", "refuted", "open", "no verdict"].map(|name| count.get(name)),
            [2, 1, 0, 0]
        );
        assert_eq!(count.words(), "2 proved, 1 refuted");
    }
}
