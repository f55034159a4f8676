//! The findings section of the page: what does not hold as printed, the important first.

use super::Report;
use super::formula::typeset;
use super::page::{Section, escape};
use crate::ledger::Row;
use dp_assay_spec::findings::{Finding, Severity};
use std::collections::{BTreeMap, BTreeSet};

/// The section; it comes first, since it is what a reader comes for.
pub(super) fn findings(report: &Report) -> Option<Section> {
    let rows: BTreeMap<&str, &Row> = report.claims.iter().map(|r| (r.id, r)).collect();
    let mut shown = BTreeSet::new();
    let mut body =
        String::from("<p>What does not hold as printed, in all papers, worst first.</p>");
    for severity in Severity::ALL {
        let of = |f: &&Finding| f.severity == severity;
        let found: Vec<_> = report.findings.iter().filter(of).collect();
        if !found.is_empty() {
            body += &format!(
                "<h3 id=\"{severity}\">Severity: {severity} ({})</h3>",
                found.len()
            );
        }
        for finding in found {
            details(&mut body, finding, &rows, &mut shown);
        }
    }
    (!report.findings.is_empty()).then(|| Section {
        id: "findings",
        title: format!("Findings ({})", report.findings.len()),
        body,
    })
}

/// One finding. A statement that holds instead of several is written out for the first of them, those `shown`.
fn details<'a>(
    out: &mut String,
    finding: &'a Finding,
    rows: &BTreeMap<&str, &Row>,
    shown: &mut BTreeSet<&'a str>,
) {
    let printed = rows.get(finding.id).or_else(|| rows.get(finding.claims[0]));
    let row = printed.map_or(finding.id, |r| r.id);
    let (place, statement) = printed.map_or(("", ""), |r| (r.place, r.statement.as_str()));
    *out += &format!(
        "<details class=\"finding\" id=\"finding-{0}\"><summary><code>{0}</code> \
         <span>{1}</span></summary><p class=\"place\"><a href=\"#{row}\">{row}</a>: {2}. {3}.",
        finding.id,
        typeset(statement),
        escape(place),
        finding.class,
    );
    let failing = finding.claims.iter().filter_map(|id| rows.get(id));
    for (i, row) in failing.enumerate() {
        labelled(
            out,
            "Fails",
            row.id,
            &failure(row, i == 0, row.id != finding.id),
        );
    }
    let holding = finding.holding.iter().filter_map(|id| rows.get(id));
    let standing: Vec<String> = holding
        .map(|row| format!("{} ({})", link(row.id), row.verdict))
        .collect();
    if !standing.is_empty() {
        *out += &format!(
            "<p class=\"stands\"><b>Stands.</b> {}.",
            standing.join(", ")
        );
    }
    *out += &format!(
        "<p class=\"effect\"><b>Effect.</b> {} {} Cause: <code>{}</code>.",
        escape(&finding.effect.sizes()),
        typeset(finding.effect.words),
        finding.cause,
    );
    for theorem in &finding.theorems {
        labelled(out, "Theorem", theorem.id, &theorem.words());
    }
    for id in &finding.repaired {
        let Some(row) = rows.get(id.as_str()) else {
            continue;
        };
        let statement = match shown.insert(id) {
            true => row.words.clone(),
            false => "as above".to_owned(),
        };
        labelled(out, "What does hold", row.id, &statement);
    }
    out.push_str("</details>");
}

/// The counterexample and its re-check in full; of a further reading or step, what it says and where it stands: its
/// counterexample is in its row.
fn failure(row: &Row, full: bool, stated: bool) -> String {
    let statement = match stated {
        true => format!("{} ({}). ", row.words, row.place),
        false => String::new(),
    };
    let point = row
        .counterexample
        .as_deref()
        .or(row.contradiction.as_deref());
    match full {
        true => format!(
            "{statement}{} — re-checked: {}",
            point.unwrap_or(""),
            row.evidence
        ),
        false => statement,
    }
}

/// A paragraph about one claim, linked to its row of the ledger.
fn labelled(out: &mut String, label: &str, id: &str, text: &str) {
    *out += &format!(
        "<p class=\"{}\"><b>{label}.</b> {}: {}",
        label.split(' ').next().unwrap_or_default().to_lowercase(),
        link(id),
        typeset(text)
    );
}

/// A link to a row of the ledger.
fn link(id: &str) -> String {
    format!("<a href=\"#{id}\">{id}</a>")
}
