//! The ledger as terminal text and as Markdown.

use super::{Count, Row};
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::findings::Finding;
use std::fmt::Write;

/// Characters of the reason in a Markdown row: the whole of it is one command away.
const WHY: usize = 110;

/// One line a claim, 80 columns at the most: verdict, id, and what decides it.
#[must_use]
pub fn text(rows: &[Row]) -> String {
    let id_width = rows.iter().map(|r| r.id.len()).max().unwrap_or(0).min(34);
    let mut out = String::new();
    for row in rows {
        let line = format!("{:<10} {:<id_width$} {}", row.verdict, row.id, reason(row));
        writeln!(out, "{}", clip(&line, 80)).expect("writing to a string");
    }
    let count = Count::of(rows);
    let verdicts: Vec<String> = (count.each())
        .filter(|(_, n)| *n > 0)
        .map(|(name, n)| format!("{n} {name}"))
        .collect();
    let total = format!("{} claims: {}", rows.len(), verdicts.join(", "));
    writeln!(out, "{total}; {} steps by hand", count.by_hand).expect("writing to a string");
    out
}

/// What does not hold as printed, one paragraph a finding, in the order in which a reader should meet them.
#[must_use]
pub fn findings_text(findings: &[Finding]) -> String {
    let mut out = String::new();
    for finding in findings {
        let Finding {
            id,
            severity,
            claims,
            repaired,
            effect,
            cause,
            ..
        } = finding;
        writeln!(out, "{severity:<9} {id}").expect("writing to a string");
        let facts = format!("{} {}", effect.sizes(), effect.words);
        let with = claims
            .iter()
            .filter(|c| *c != id)
            .copied()
            .collect::<Vec<_>>()
            .join(", ");
        let lines = [
            ("", facts),
            ("also: ", with),
            (
                "cause: ",
                if *cause == *id {
                    String::new()
                } else {
                    (*cause).to_owned()
                },
            ),
            ("instead: ", repaired.join(", ")),
        ];
        for (label, text) in lines.iter().filter(|(_, text)| !text.is_empty()) {
            wrapped(&mut out, &format!("{label}{text}"));
        }
    }
    writeln!(out, "{} findings", findings.len()).expect("writing to a string");
    out
}

/// Appends a paragraph, indented, in lines of 80 columns at the most where words allow.
fn wrapped(out: &mut String, text: &str) {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() && line.chars().count() + word.chars().count() > 68 {
            writeln!(out, "          {line}").expect("writing to a string");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line += word;
    }
    writeln!(out, "          {line}").expect("writing to a string");
}

/// How many claims of each paper have which verdict, in Markdown.
///
/// ```
/// use dp_assay::ledger::counts;
///
/// assert!(counts(&[]).starts_with("| paper | proved | argued |"));
/// ```
#[must_use]
pub fn counts(rows: &[Row]) -> String {
    let names = Verdict::NAMES;
    let rule = "---|".repeat(names.len() + 2);
    let mut out = format!(
        "| paper | {} | steps by hand |\n|{rule}\n",
        names.join(" | ")
    );
    for paper in Paper::ALL {
        let count = Count::of(rows.iter().filter(|r| r.paper == paper));
        let each: String = count.each().map(|(_, n)| format!(" {n} |")).collect();
        writeln!(out, "| `{paper}` |{each} {} |", count.by_hand).expect("writing to a string");
    }
    out
}

/// The counts, then every claim paper by paper, in Markdown.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let mut out = counts(rows);
    for paper in Paper::ALL {
        write!(
            out,
            "\n## `{paper}`\n\n| claim | verdict | statement | why |\n|---|---|---|---|\n"
        )
        .expect("writing to a string");
        for row in rows.iter().filter(|r| r.paper == paper) {
            writeln!(
                out,
                "| `{}` | {} | {} | {} |",
                row.id,
                row.verdict,
                cell(row.statement),
                clip(&cell(&reason(row)), WHY)
            )
            .expect("writing to a string");
        }
    }
    out
}

/// What a reader wants next to the verdict: the counterexample, the domain, or what is missing.
fn reason(row: &Row) -> String {
    let point = row.counterexample.as_ref().or(row.contradiction.as_ref());
    match (point, &row.domain, &row.repaired) {
        (Some(point), _, Some(repaired)) => format!("{point}; repaired: {repaired}"),
        (Some(point), _, None) => point.clone(),
        (None, Some(domain), _) => domain.clone(),
        (None, None, _) => row.evidence.clone(),
    }
}

/// A Markdown table cell: one line, with the bars escaped.
fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// The first `width` characters of the first line, with an ellipsis where something is cut.
fn clip(line: &str, width: usize) -> String {
    let line = line.lines().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= width {
        return line;
    }
    let mut cut: String = line.chars().take(width - 1).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clipped_lines_fit_and_say_so() {
        assert_eq!(clip("abc", 3), "abc");
        assert_eq!(clip("abcd", 3), "ab…");
        assert_eq!(cell("a | b\n c"), "a \\| b c");
    }
}
