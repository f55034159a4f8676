//! The theorems that the papers are cited for: as printed, what is wrong, what to use instead.

use super::Row;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::{Finding, Severity, headlines};
use std::collections::BTreeMap;
use std::fmt::Write;

/// One theorem that a paper is cited for.
#[derive(Clone, Debug, PartialEq)]
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
    /// Ids of what holds instead; empty where it holds itself.
    pub instead: Vec<String>,
    /// The command that runs the algorithm, or shows the theorem where there is none.
    pub command: String,
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
    let ids = Paper::ALL.into_iter().flat_map(headlines);
    ids.filter_map(|id| by_id.get(id))
        .map(|row| headline(row, findings))
        .collect()
}

fn headline(row: &Row, findings: &[Finding]) -> Headline {
    // The printed statement may stand while one of its readings does not: then its row is no part of the failure.
    let finding = findings.iter().find(|f| f.claims.contains(&row.id));
    Headline {
        id: row.id,
        paper: row.paper,
        printed: row.statement.clone(),
        verdict: row.verdict,
        severity: row.severity,
        effect: finding.map_or_else(String::new, |f| f.effect.sizes()),
        instead: row.repaired.iter().cloned().collect(),
        command: command(row),
    }
}

/// What runs the algorithm of a theorem. Lower bounds have none.
fn command(row: &Row) -> String {
    let method = match (row.paper, row.id) {
        (Paper::Skgd, _) => "skgd",
        (Paper::Gcd, _) => "gcd",
        (Paper::Decor, _) => return "dp-assay fit decor --data FILE --graph ring:16".to_owned(),
        (Paper::Ambssgd, _) => "ambssgd",
        (Paper::Kl, id) if id.starts_with("kl-thm-1") => "kl-spider",
        (Paper::Kl, id) if id.starts_with("kl-thm-2") => "kl-prox",
        (Paper::Kl, id) if id.starts_with("kl-thm-3") || id.starts_with("kl-thm-4") => {
            "adaptive-gd"
        }
        (Paper::Kl, id) if id.starts_with("kl-thm-5") => "adaptive-gd",
        (Paper::Kl, id) if id.starts_with("kl-thm-9") => "noisy-gd",
        (Paper::Kl, id) => return format!("dp-assay ledger {id}"),
    };
    format!("dp-assay fit {method} --data FILE")
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
            let instead = match h.instead.first() {
                Some(id) => format!("use {id}"),
                None => String::new(),
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
