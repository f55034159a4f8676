//! The theorems that the papers are cited for: as printed, what is wrong, what to use instead.

use super::Row;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::headline::Standing;
use dp_assay_spec::findings::{self, Finding, Severity, headlines};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One theorem that a paper is cited for.
#[derive(Clone, Debug)]
pub struct Headline {
    /// The id of its claim.
    pub id: &'static str,
    /// The paper.
    pub paper: Paper,
    /// The statement as printed.
    pub printed: String,
    /// The verdict on it.
    pub verdict: &'static str,
    /// How bad that is; `None` where it holds.
    pub severity: Option<Severity>,
    /// What is affected and by how much, in words; empty where it holds.
    pub effect: String,
    /// What is left of it.
    pub standing: Standing,
    /// The claim that holds instead, or goes part of the way; `None` where it holds itself.
    pub instead: Option<&'static str>,
    /// The command that runs the corrected algorithm, or shows the theorem where there is none.
    pub command: &'static str,
}

/// The headline theorems of all papers, in the order of their contents.
///
/// ```
/// use dp_assay::ledger::headline::{headline_text, of};
///
/// assert!(of(&[], &[]).is_empty());
/// assert_eq!(headline_text(&[]), "");
/// ```
#[must_use]
pub fn of(rows: &[Row], findings: &[Finding]) -> Vec<Headline> {
    let by_id: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.id, r)).collect();
    let holds = |id: &str| by_id.get(id).is_some_and(|row| row.holds());
    let all = Paper::ALL.into_iter().flat_map(headlines);
    let known = all.filter_map(|entry| Some((entry, by_id.get(entry.id)?)));
    known
        .map(|(entry, row)| headline(entry, entry.standing(holds), row, findings))
        .collect()
}

fn headline(
    entry: &findings::Headline,
    standing: Standing,
    row: &Row,
    findings: &[Finding],
) -> Headline {
    // The printed statement may stand while one of its readings does not: then its row is no part of the failure.
    let finding = findings.iter().find(|f| f.claims.contains(&row.id));
    Headline {
        id: row.id,
        paper: row.paper,
        printed: row.statement.clone(),
        verdict: row.verdict,
        severity: row.severity,
        effect: finding.map_or_else(String::new, |f| f.effect.sizes()),
        instead: match standing {
            Standing::Stands => None,
            Standing::Corrected(corrected) => Some(corrected.id),
            Standing::Impossible(id) => Some(id),
            Standing::Missing(_, weaker) => weaker,
        },
        standing,
        command: entry.command,
    }
}

/// Half a page: a line a theorem, and one for what to use where it does not hold.
#[must_use]
pub fn headline_text(headlines: &[Headline]) -> String {
    let mut out = String::new();
    let width = headlines.iter().map(|h| h.id.len()).max().unwrap_or(0);
    for paper in Paper::ALL {
        let of: Vec<_> = headlines.iter().filter(|h| h.paper == paper).collect();
        if of.is_empty() {
            continue;
        }
        let source = paper.source();
        writeln!(out, "\n{paper}: {} (arXiv {})", source.title, source.arxiv)
            .expect("writing to a string");
        for h in of {
            let severity = h.severity.map_or("", Severity::name);
            let instead = match (h.standing, h.instead) {
                (Standing::Corrected(_), Some(id)) => format!("use {id}"),
                (Standing::Impossible(_), Some(id)) => format!("none exists: {id}"),
                (Standing::Missing(..), Some(id)) => {
                    format!("not corrected; part of the way: {id}")
                }
                (Standing::Missing(..), None) => "not corrected".to_owned(),
                _ => String::new(),
            };
            let line = format!(
                "  {:<width$}  {:<10} {severity:<8} {instead}",
                h.id, h.verdict
            );
            writeln!(out, "{}", line.trim_end()).expect("writing to a string");
        }
    }
    out
}
