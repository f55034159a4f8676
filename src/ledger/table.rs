//! The ledger as terminal text and as Markdown.

use super::{Count, Row};
use dp_assay_spec::claim::Paper;
use std::fmt::Write;

/// Characters of the reason in a Markdown row: the whole of it is one command away.
const WHY: usize = 110;

/// One line a claim, 80 columns at the most: verdict, id, and what decides it.
///
/// ```
/// use dp_assay::ledger::{Row, counts, markdown, text};
/// use dp_assay_spec::claim::{Kind, Paper};
///
/// let row = Row {
///     id: "gcd-thm-4.2", paper: Paper::Gcd, place: "Theorem 4.2", kind: Kind::MechanismPrivacy, verdict: "proved",
///     statement: "private", hypotheses: "", domain: None, slack: None, evidence: "made up".to_owned(),
///     counterexample: None, repaired: None, vacuous: false, rests_on: &[], pictures: Vec::new(),
/// };
/// let rows = [row];
/// assert!(text(&rows).contains("gcd-thm-4.2"));
/// assert!(counts(&rows).contains("| 1 | 0 | 0 | 0 |"));
/// assert!(markdown(&rows).starts_with(&counts(&rows)));
/// ```
#[must_use]
pub fn text(rows: &[Row]) -> String {
    let id_width = rows.iter().map(|r| r.id.len()).max().unwrap_or(0).min(34);
    let mut out = String::new();
    for row in rows {
        let line = format!("{:<9} {:<id_width$} {}", row.verdict, row.id, reason(row));
        writeln!(out, "{}", clip(&line, 80)).expect("writing to a string");
    }
    let Count {
        proved,
        supported,
        refuted,
        open,
    } = Count::of(rows);
    writeln!(
        out,
        "{} claims: {proved} proved, {supported} supported, {refuted} refuted, {open} open",
        rows.len()
    )
    .expect("writing to a string");
    out
}

/// How many claims of each paper have which verdict, in Markdown.
#[must_use]
pub fn counts(rows: &[Row]) -> String {
    let mut out =
        String::from("| paper | proved | supported | refuted | open |\n|---|---|---|---|---|\n");
    for paper in Paper::ALL {
        let Count {
            proved,
            supported,
            refuted,
            open,
        } = Count::of(rows.iter().filter(|r| r.paper == paper));
        writeln!(
            out,
            "| `{paper}` | {proved} | {supported} | {refuted} | {open} |"
        )
        .expect("writing to a string");
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
    match (&row.counterexample, &row.domain, &row.repaired) {
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
