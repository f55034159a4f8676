//! The theorems that the papers are cited for: as printed, what is wrong, what to use instead.

use super::Row;
use dp_assay_spec::claim::{Paper, Verdict};
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
    /// The same in a few words: at n = 60,000 where that was computed, else at worst.
    pub brief: String,
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
/// assert_eq!(headline_text(&[], 80), "");
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
        brief: finding.map_or_else(String::new, |f| f.effect.brief()),
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

/// Columns of a paper's name and of a verdict in [`headline_text`].
const NAME: usize = 8;
const VERDICT: usize = 11;

/// Half a page in lines of at most `width` columns: of each paper the theorems by verdict, and of each that does not hold
/// how bad that is.
#[must_use]
pub fn headline_text(headlines: &[Headline], width: usize) -> String {
    let mut out = String::new();
    for paper in Paper::ALL {
        let mut name = paper.name();
        for (verdict, theorems) in by_verdict(headlines.iter().filter(|h| h.paper == paper)) {
            let lead = format!("{name:<NAME$}{verdict:<VERDICT$}");
            hanging(&mut out, &lead, &theorems, width);
            name = "";
        }
    }
    out
}

/// The theorems of a paper in few words, under their verdicts: what holds first, then the worst.
fn by_verdict<'a>(
    headlines: impl Iterator<Item = &'a Headline>,
) -> Vec<(&'static str, Vec<String>)> {
    let mut all: Vec<&Headline> = headlines.collect();
    let rank = |verdict: &str| Verdict::NAMES.iter().position(|name| *name == verdict);
    all.sort_by_key(|h| (rank(h.verdict), h.severity));
    let mut groups: Vec<(&'static str, Vec<&Headline>)> = Vec::new();
    for h in all {
        match groups.last_mut() {
            Some((verdict, theorems)) if *verdict == h.verdict => theorems.push(h),
            _ => groups.push((h.verdict, vec![h])),
        }
    }
    let few = |(verdict, theorems): (&'static str, Vec<&Headline>)| (verdict, told(&theorems));
    groups.into_iter().map(few).collect()
}

/// Theorems of one verdict without their paper's name, in the order of their severities, each of which is named once;
/// what is equally bad stands together.
fn told(theorems: &[&Headline]) -> Vec<String> {
    let mut items: Vec<(Option<Severity>, &str, Vec<&str>)> = Vec::new();
    for h in theorems {
        let id = h.id.strip_prefix(h.paper.name()).unwrap_or(h.id);
        let id = id.trim_start_matches('-');
        let equal = |(severity, brief, _): &&mut (_, &str, _)| {
            *severity == h.severity && *brief == h.brief && h.severity.is_some()
        };
        match items.iter_mut().find(equal) {
            Some((.., ids)) => ids.push(id),
            None => items.push((h.severity, &h.brief, vec![id])),
        }
    }
    let mut last = None;
    let item = |(severity, brief, ids): (Option<Severity>, &str, Vec<&str>)| {
        let mut text = match severity {
            Some(severity) if last != Some(severity) => format!("{}: ", severity.name()),
            _ => String::new(),
        };
        last = severity;
        text += &ids.join(" and ");
        if !brief.is_empty() && severity.is_some() {
            text += &format!(" ({brief})");
        }
        text
    };
    items.into_iter().map(item).collect()
}

/// Items behind a lead, separated by commas, in lines that begin below the first.
fn hanging(out: &mut String, lead: &str, items: &[String], width: usize) {
    let indent = lead.chars().count();
    let mut column = indent;
    *out += lead;
    for (i, item) in items.iter().enumerate() {
        let item = format!("{item}{}", if i + 1 < items.len() { "," } else { "" });
        let length = item.chars().count();
        if i > 0 && column + 1 + length > width {
            write!(out, "\n{:indent$}", "").expect("writing to a string");
            column = indent;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        *out += &item;
        column += length;
    }
    out.push('\n');
}
