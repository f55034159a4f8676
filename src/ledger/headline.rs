//! The theorems that the papers are cited for: as printed, what is wrong, what to use instead.

use super::Row;
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::findings::headline::Standing;
use dp_assay_spec::findings::{self, Class, Finding, Severity};
use std::collections::BTreeMap;

/// One theorem that a paper is cited for.
#[derive(Clone, Debug)]
pub struct JudgedHeadline {
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
    /// Whether it fails in one reading and is not refuted in another.
    pub one_reading: bool,
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
pub fn of(rows: &[Row], findings: &[Finding]) -> Vec<JudgedHeadline> {
    let by_id: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.id, r)).collect();
    let holds = |id: &str| by_id.get(id).is_some_and(|row| row.holds());
    let all = Paper::ALL.into_iter().flat_map(Paper::headlines);
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
) -> JudgedHeadline {
    // The printed statement may stand while one of its readings does not: then its row is no part of the failure.
    let finding = findings.iter().find(|f| f.claims.contains(&row.id));
    JudgedHeadline {
        id: row.id,
        paper: row.paper,
        printed: row.statement.clone(),
        verdict: row.verdict,
        severity: row.severity,
        effect: finding.map_or_else(String::new, |f| f.effect.sizes()),
        brief: finding.map_or_else(String::new, |f| f.effect.brief()),
        one_reading: finding.is_some_and(|f| f.class == Class::Ambiguous),
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

/// Columns of a paper's name in [`headline_text`].
const NAME: usize = 8;

/// A few lines of at most `width` columns for each paper: its theorems, what fails first, with how bad that is.
#[must_use]
pub fn headline_text(headlines: &[JudgedHeadline], width: usize) -> String {
    let mut out = String::new();
    for paper in Paper::ALL {
        let pieces = told(headlines.iter().filter(|h| h.paper == paper));
        if !pieces.is_empty() {
            hanging(
                &mut out,
                &format!("{:<NAME$}", paper.name()),
                &pieces,
                width,
            );
        }
    }
    out
}

/// What is said of several theorems, and these.
type Item<'a> = (String, Vec<&'a str>);

/// The theorems of a paper without its name, behind their severities or else verdicts, each of which is named once: the worst
/// first. What is equally bad stands together. Lines may break between the pieces.
fn told<'a>(headlines: impl Iterator<Item = &'a JudgedHeadline>) -> Vec<String> {
    let rank = |verdict: &str| Verdict::NAMES.iter().position(|name| *name == verdict);
    let mut all: Vec<&JudgedHeadline> = headlines.collect();
    // The gravest word is not said of a theorem without the reading that it is meant of.
    let read = |h: &JudgedHeadline| h.one_reading && h.severity == Some(Severity::Critical);
    all.sort_by_key(|h| (h.severity.is_none(), h.severity, read(h), rank(h.verdict)));
    let mut groups: Vec<(String, Vec<Item<'_>>)> = Vec::new();
    for h in all {
        let mut label = h.severity.map_or(h.verdict, Severity::name).to_owned();
        if read(h) {
            label += " in one reading";
        }
        let id = h.id.strip_prefix(h.paper.name()).unwrap_or(h.id);
        let id = id.trim_start_matches('-');
        if groups.last().is_none_or(|(known, _)| *known != label) {
            groups.push((label, Vec::new()));
        }
        let items = &mut groups.last_mut().expect("one was pushed").1;
        let size = size(h);
        match items.iter_mut().find(|(known, _)| *known == size) {
            Some((_, ids)) if h.severity.is_some() => ids.push(id),
            _ => items.push((size, vec![id])),
        }
    }
    let group = |(label, items): (String, Vec<Item<'_>>)| {
        let items: Vec<String> = items.into_iter().map(item).collect();
        format!("{label}: {}", items.join(",\n"))
    };
    let groups: Vec<String> = groups.into_iter().map(group).collect();
    groups.join(";\n").lines().map(str::to_owned).collect()
}

/// How bad it is that a theorem fails, in a few words; empty where it holds.
fn size(h: &JudgedHeadline) -> String {
    match (h.verdict, h.brief.as_str()) {
        ("empty", "") => "empty".to_owned(),
        ("empty", brief) => format!("empty, {brief}"),
        (_, brief) => brief.to_owned(),
    }
}

/// Theorems with what is said of each of them; a line may break behind every `and`.
fn item((size, ids): Item<'_>) -> String {
    let ids = ids.join(" and\n");
    match size.is_empty() {
        true => ids,
        false => format!("{ids} ({size})"),
    }
}

/// Pieces behind a lead, in lines that begin below the first piece.
fn hanging(out: &mut String, lead: &str, pieces: &[String], width: usize) {
    let indent = lead.chars().count();
    let mut column = indent;
    *out += lead;
    for (i, piece) in pieces.iter().enumerate() {
        let length = piece.chars().count();
        if i > 0 && column + 1 + length > width {
            *out += &format!("\n{:indent$}", "");
            column = indent;
        } else if i > 0 {
            out.push(' ');
            column += 1;
        }
        *out += piece;
        column += length;
    }
    out.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The worst first, each severity and size said once, then what holds.
    #[test]
    fn theorems_of_a_paper_are_told_the_worst_first() {
        let headline = |id, verdict, severity, brief: &str| JudgedHeadline {
            id,
            paper: Paper::Gcd,
            printed: String::new(),
            verdict,
            severity,
            effect: String::new(),
            brief: brief.to_owned(),
            one_reading: false,
            standing: Standing::Stands,
            instead: None,
            command: "",
        };
        let all = [
            headline("gcd-thm-1", "proved", None, ""),
            headline("gcd-thm-2", "refuted", Some(Severity::Minor), "n = 2"),
            headline("gcd-thm-3", "refuted", Some(Severity::Critical), "ε × 8"),
            headline("gcd-thm-4", "empty", Some(Severity::Critical), ""),
            headline("gcd-thm-5", "empty", Some(Severity::Minor), "n = 1"),
            headline("gcd-thm-6", "refuted", Some(Severity::Critical), "ε × 8"),
            headline("gcd-thm-7", "argued", None, ""),
            headline("gcd-thm-8", "proved", None, ""),
        ];
        let told = headline_text(&all, 500);
        assert_eq!(
            told,
            "gcd     critical: thm-3 and thm-6 (ε × 8), thm-4 (empty); minor: thm-2 (n = 2), thm-5 \
             (empty, n = 1); proved: thm-1, thm-8; argued: \
             thm-7\n"
        );
        // From the widest piece on, which no line breaks.
        for width in 32..100 {
            let text = headline_text(&all, width);
            let widest = text.lines().map(|line| line.chars().count()).max();
            assert!(widest <= Some(width), "{width}: {text}");
        }
        let narrow = headline_text(&all, 40);
        assert!(
            narrow
                .lines()
                .skip(1)
                .all(|line| line.starts_with("        ")),
            "{narrow}"
        );
        let words = |text: &str| {
            text.split_whitespace()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        assert_eq!(words(&narrow), words(&told));
    }
}
