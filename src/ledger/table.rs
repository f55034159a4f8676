//! The ledger as terminal text and as Markdown.

use super::{Count, Row};
use dp_assay_spec::claim::{Paper, Verdict};
use dp_assay_spec::findings::{Class, Finding};

/// One line a claim: verdict, id, and what decides it; cut at `width` columns where one is given. What is counted below
/// them are the papers' claims, and apart from these the collection's.
#[must_use]
pub fn text(rows: &[Row], width: Option<usize>) -> String {
    let id_width = rows.iter().map(|r| r.id.len()).max().unwrap_or(0).min(34);
    let mut out = String::new();
    for row in rows {
        let line = format!("{:<10} {:<id_width$} {}", row.verdict, row.id, reason(row));
        out += &format!("{}\n", clip(&line, width));
    }
    let apart = rows.iter().filter(|r| r.paper.is_collection()).count();
    if apart < rows.len() || apart == 0 {
        let count = Count::of_papers(rows);
        let (all, words) = (rows.len() - apart, count.words());
        let Count {
            by_hand, kernel, ..
        } = count;
        out += &format!("{all} claims: {words}; {by_hand} steps by hand; {kernel} by the kernel\n");
    }
    if apart > 0 {
        out += &format!("{}\n", collection(rows));
    }
    out
}

/// How many claims of the collection have which verdict.
#[must_use]
pub fn collection(rows: &[Row]) -> String {
    let of = rows.iter().filter(|r| r.paper == Paper::Acc);
    let (all, count) = (of.clone().count(), Count::of(of));
    let (name, words) = (Paper::Acc, count.words());
    format!(
        "{all} claims of the collection {name}: {words}; {} steps by hand",
        count.by_hand
    )
}

/// All that the ledger knows of one claim, with what its symbols stand for.
#[must_use]
pub fn full(row: &Row, symbols: &[(&str, &str)]) -> String {
    let mut out = format!("{:<10} {}\n", row.verdict, row.id);
    let list = |ids: &[&str]| ids.join(", ");
    let source = row.paper.source();
    // Of a claim that is left to the kernel these are its hypotheses.
    let domain = row.domain.as_ref().filter(|d| **d != row.hypotheses);
    let here = symbols.iter().map(|(name, what)| format!("{name} {what}"));
    let here: Vec<String> = here.collect();
    let place = match row.paper.is_collection() {
        true => row.place.to_owned(),
        false => format!("{}, {} (arXiv {})", row.place, source.title, source.arxiv),
    };
    let texts = [
        ("place: ", place),
        ("statement: ", row.statement.clone()),
        (
            "in words: ",
            match row.basis {
                "kernel" => row.words.clone(),
                _ => String::new(),
            },
        ),
        ("decided by: ", row.basis.to_owned()),
        ("if: ", row.hypotheses.clone()),
        ("here: ", here.join("; ")),
        (
            "severity: ",
            row.severity.map_or_else(String::new, |s| s.to_string()),
        ),
        (
            "effect: ",
            row.effect
                .as_ref()
                .map_or_else(String::new, |e| format!("{} {}", e.sizes(), e.words)),
        ),
        ("fails at: ", row.counterexample.clone().unwrap_or_default()),
        (
            "nothing satisfies the hypotheses: ",
            row.contradiction.clone().unwrap_or_default(),
        ),
        ("holds for: ", domain.cloned().unwrap_or_default()),
        ("computed: ", row.evidence.clone()),
        ("remarks: ", row.remarks.join("; ")),
        ("by hand: ", row.by_hand.join("; ")),
        ("premises: ", list(&row.premises)),
        ("rests on: ", list(row.rests_on)),
        ("instead: ", list(&row.instead())),
        ("cause: ", row.cause.unwrap_or_default().to_owned()),
    ];
    for (label, text) in texts.iter().filter(|(_, text)| !text.is_empty()) {
        // A term of the kernel has a hypothesis a line.
        match *label == "statement: " && row.basis == "kernel" {
            true => {
                let lines = text.lines().map(|line| format!("            {line}\n"));
                out += &format!("          statement:\n{}", lines.collect::<String>());
            }
            false => paragraph(&mut out, &format!("{label}{text}")),
        }
    }
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
            class,
            ..
        } = finding;
        let reading = match class {
            Class::Ambiguous => " (in one reading)",
            _ => "",
        };
        out += &format!("{severity:<9} {id}{reading}\n");
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
            paragraph(&mut out, &format!("{label}{text}"));
        }
    }
    let all = findings.len();
    out += &format!("{all} findings, each about one claim or more\n");
    out
}

/// Appends a paragraph, indented; who prints it folds its lines.
fn paragraph(out: &mut String, text: &str) {
    let words: Vec<&str> = text.split_whitespace().collect();
    *out += &format!("          {}\n", words.join(" "));
}

/// How many claims of each paper have which verdict, in Markdown; below them the same of the collection.
///
/// ```
/// use dp_assay::ledger::counts;
///
/// assert!(counts(&[]).starts_with("| paper | proved | argued |"));
/// ```
#[must_use]
pub fn counts(rows: &[Row]) -> String {
    let names = Verdict::NAMES;
    let rule = "---|".repeat(names.len() + 3);
    let names = names.join(" | ");
    let head = |of: &str| format!("| {of} | {names} | steps by hand | by the kernel |\n|{rule}\n");
    let mut out = head("paper");
    for paper in Paper::BOOKS {
        if paper.is_collection() {
            out += &format!(
                "\nTheorems that accountants rest on, each with its source:\n\n{}",
                head("collection")
            );
        }
        let count = Count::of(rows.iter().filter(|r| r.paper == paper));
        let each: String = count.each().map(|(_, n)| format!(" {n} |")).collect();
        let Count {
            by_hand, kernel, ..
        } = count;
        out += &format!("| `{paper}` |{each} {by_hand} | {kernel} |\n");
    }
    out
}

/// The counts, then every claim paper by paper, and the collection, in Markdown.
#[must_use]
pub fn markdown(rows: &[Row]) -> String {
    let mut out = counts(rows);
    for paper in Paper::BOOKS {
        out += &format!(
            "\n## `{paper}`\n\n| claim | verdict | statement | why |\n|---|---|---|---|\n"
        );
        for row in rows.iter().filter(|r| r.paper == paper) {
            out += &format!(
                "| `{}` | {} | {} | {} |\n",
                row.id,
                row.verdict,
                cell(&row.statement),
                cell(&reason(row))
            );
        }
    }
    out
}

/// What a reader wants next to the verdict: the counterexample, the domain, or what is missing.
fn reason(row: &Row) -> String {
    let point = row.counterexample.as_ref().or(row.contradiction.as_ref());
    let reason = point.or(row.domain.as_ref()).unwrap_or(&row.evidence);
    match row.instead() {
        none if none.is_empty() => reason.clone(),
        instead => format!("{reason}; repaired: {}", instead.join(", ")),
    }
}

/// A Markdown table cell: one line, with the bars escaped.
fn cell(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .replace('|', "\\|")
}

/// The text on one line, of at most `width` characters where one is given, with an ellipsis where something is cut.
fn clip(line: &str, width: Option<usize>) -> String {
    let line = line.lines().collect::<Vec<_>>().join(" ");
    let Some(width) = width.filter(|w| line.chars().count() > *w) else {
        return line;
    };
    let mut cut: String = line.chars().take(width.saturating_sub(1)).collect();
    cut.push('…');
    cut
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ledger::samples::{empty, ledger, proved, refuted, row};

    #[test]
    fn clipped_lines_fit_and_say_so() {
        assert_eq!(clip("abc", Some(3)), "abc");
        assert_eq!(clip("abcd", Some(3)), "ab…");
        assert_eq!(clip("abcd\nefgh", None), "abcd efgh");
        assert_eq!(cell("a | b\n c"), "a \\| b c");
    }

    /// A term of the kernel is printed line by line, everything else as a paragraph.
    #[test]
    fn a_term_keeps_its_lines() {
        let mut found = row("gcd-mech-lap", proved);
        found.statement = "for all\n  real ε > 0\nholds\n  ε > -1".to_owned();
        assert!(full(&found, &[]).contains("statement: for all real ε > 0 holds ε > -1\n"));
        found.basis = "kernel";
        let told = full(&found, &[]);
        let lines =
            "statement:\n            for all\n              real ε > 0\n            holds\n";
        assert!(told.contains(lines), "{told}");
    }

    /// Each verdict with what a reader wants beside it, and how many have which.
    #[test]
    fn rows_are_told_with_their_reasons_and_counted() {
        let with = |by_hand: usize, row: Row| Row {
            by_hand: vec!["a step".into(); by_hand],
            ..row
        };
        let open = || Verdict::Open {
            why: "too long".into(),
        };
        let rows = [
            with(2, row("gcd-thm-4.2-corrected", proved)),
            with(1, row("gcd-mech-lap", refuted)),
            row("gcd-mech-rnm", open),
            row("acc-basic", proved),
        ];
        let told = text(&rows, None);
        let lines: Vec<&str> = told.lines().collect();
        assert!(
            lines[0].starts_with("proved     gcd-thm-4.2-corrected all n"),
            "{told}"
        );
        assert!(lines[1].starts_with("refuted    gcd-mech-lap"), "{told}");
        assert!(
            lines[1].ends_with("n = 1: 3 ≤ 2 fails; repaired: gcd-thm-4.2-corrected"),
            "{told}"
        );
        assert!(
            lines[2].starts_with("open") && lines[2].ends_with("too long"),
            "{told}"
        );
        assert_eq!(
            lines[4],
            "3 claims: 1 proved, 1 refuted, 1 open; 3 steps by hand; 0 by the kernel"
        );
        assert_eq!(
            lines[5],
            "1 claims of the collection acc: 1 proved; 0 steps by hand"
        );
        let alone = || Verdict::refuted("n = 1", "exact arithmetic", None);
        assert!(text(&[row("gcd-mech-lap", alone)], None).contains("gcd-mech-lap n = 1\n"));
        // Without the collection nothing is said of it, and without papers nothing of them.
        assert_eq!(text(&rows[..3], None).lines().count(), 4);
        assert_eq!(text(&rows[3..], None).lines().count(), 2);
        let tables = counts(&rows);
        let (papers, collection) = tables
            .split_once("Theorems that accountants")
            .expect("apart");
        assert!(papers.contains("| `gcd` |") && !papers.contains("| `acc` |"));
        assert!(collection.contains("| `acc` |") && !collection.contains("| `gcd` |"));
        // Each number under its heading, and in the row of its paper.
        let line = |start: &str| -> Vec<&str> {
            let line = papers.lines().find(|line| line.starts_with(start));
            line.expect(start).split('|').map(str::trim).collect()
        };
        let head = line("| paper |");
        let counted = |paper: &str| -> Vec<(&str, &str)> {
            let cells = head.iter().copied().zip(line(&format!("| `{paper}` |")));
            cells
                .skip(2)
                .filter(|(_, n)| !["", "0"].contains(n))
                .collect()
        };
        let gcd = [
            ("proved", "1"),
            ("refuted", "1"),
            ("open", "1"),
            ("steps by hand", "3"),
        ];
        assert_eq!(counted("gcd"), gcd);
        assert_eq!(counted("kl"), []);
        let written = markdown(&rows);
        assert!(
            written.contains("| `gcd-mech-lap` | refuted | ") && written.contains("\n## `acc`\n")
        );
    }

    /// A claim with all that is known of it, each line with its label; the words of a theorem stand beside its term.
    #[test]
    fn all_that_is_known_of_a_claim_is_told() {
        let lines = |row: &Row| -> Vec<String> {
            let told = full(row, &[("n", "records"), ("ε", "a budget")]);
            told.lines().map(|line| line.trim().to_owned()).collect()
        };
        let holds = lines(&row("gcd-mech-lap", proved));
        assert_eq!(holds[0], "proved     gcd-mech-lap");
        for part in [
            "decided by: checks",
            "here: n records; ε a budget",
            "holds for: all n",
            "computed: a sum",
        ] {
            assert!(holds.iter().any(|line| line == part), "{part}: {holds:?}");
        }
        let begins =
            |lines: &[String], label: &str| lines.iter().any(|line| line.starts_with(label));
        assert!(
            begins(&holds, "place: ") && begins(&holds, "if: "),
            "{holds:?}"
        );
        assert!(
            !begins(&holds, "in words: ") && !begins(&holds, "fails at: "),
            "{holds:?}"
        );
        let fails = lines(&row("gcd-mech-lap", refuted));
        for label in [
            "fails at: n = 1: 3 ≤ 2 fails",
            "instead: gcd-thm-4.2-corrected",
        ] {
            assert!(begins(&fails, label), "{label}: {fails:?}");
        }
        let theorem = Row {
            basis: "kernel",
            ..row("gcd-mech-lap", proved)
        };
        assert!(begins(&lines(&theorem), "in words: "));
    }

    /// A finding with the claims that fail with it, and neither itself nor its own cause beside it.
    #[test]
    fn a_finding_is_told_with_what_fails_beside_it() {
        let found = ledger(&[
            ("gcd-thm-4.4-sc-b", empty),
            ("gcd-thm-4.4-sc-b-proof", refuted),
        ]);
        let [finding] = &found.findings[..] else {
            panic!("{:?}", found.findings)
        };
        let told = findings_text(&found.findings);
        let first = format!("{:<9} gcd-thm-4.4-sc-b\n", finding.severity);
        assert!(
            told.starts_with(&first)
                && told.ends_with("\n1 findings, each about one claim or more\n"),
            "{told}"
        );
        assert!(told.contains(" also: gcd-thm-4.4-sc-b-proof\n"), "{told}");
        assert_eq!(
            told.contains(" cause: "),
            finding.cause != finding.id,
            "{told}"
        );
        assert!(told.contains(&finding.effect.sizes()), "{told}");
    }
}
