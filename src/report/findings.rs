//! The findings section of the page: what does not hold as printed, the important first.

use super::Report;
use super::formula::typeset;
use super::html::{Section, escape};
use crate::ledger::Row;
use dp_assay_spec::findings::{Finding, Severity};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The section; it comes first, since it is what a reader comes for.
pub(super) fn findings(report: &Report) -> Option<Section> {
    let rows: BTreeMap<&str, &Row> = report.claims.iter().map(|r| (r.id, r)).collect();
    let mut body =
        String::from("<p>What does not hold as printed, in all papers, worst first.</p>");
    for severity in Severity::ALL {
        let of = |f: &&Finding| f.severity == severity;
        let found: Vec<_> = report.findings.iter().filter(of).collect();
        if !found.is_empty() {
            write!(
                body,
                "<h3 id=\"{severity}\">Severity: {severity} ({})</h3>",
                found.len()
            )
            .expect("writing to a string");
        }
        for finding in found {
            details(&mut body, finding, &rows);
        }
    }
    (!report.findings.is_empty()).then(|| Section {
        id: "findings",
        title: format!("Findings ({})", report.findings.len()),
        body,
    })
}

fn details(out: &mut String, finding: &Finding, rows: &BTreeMap<&str, &Row>) {
    let printed = rows.get(finding.id).or_else(|| rows.get(finding.claims[0]));
    let row = printed.map_or(finding.id, |r| r.id);
    let (place, statement) = printed.map_or(("", ""), |r| (r.place, r.statement.as_str()));
    write!(
        out,
        "<details class=\"finding\" id=\"finding-{0}\"><summary><code>{0}</code> <span>{1}</span></summary>\
         <p class=\"place\"><a href=\"#{row}\">{row}</a>: {2}. {3}.</p>",
        finding.id,
        typeset(statement),
        escape(place),
        finding.class,
    )
    .expect("writing to a string");
    for row in finding.claims.iter().filter_map(|id| rows.get(id)) {
        labelled(out, "Fails", row.id, &failure(row, row.id != finding.id));
    }
    for row in finding.holding.iter().filter_map(|id| rows.get(id)) {
        labelled(
            out,
            "Stands",
            row.id,
            &format!("{}: {}", row.verdict, row.statement),
        );
    }
    write!(
        out,
        "<p class=\"effect\"><b>Effect.</b> {} {} Cause: <code>{}</code>.</p>",
        escape(&finding.effect.sizes()),
        typeset(finding.effect.words),
        finding.cause,
    )
    .expect("writing to a string");
    for theorem in &finding.theorems {
        labelled(out, "Theorem", theorem.id, &theorem.words());
    }
    for row in finding
        .repaired
        .iter()
        .filter_map(|id| rows.get(id.as_str()))
    {
        labelled(out, "What does hold", row.id, &row.statement);
    }
    out.push_str("</details>");
}

/// The counterexample and its re-check; a reading or a proof step is stated first.
fn failure(row: &Row, stated: bool) -> String {
    let point = row
        .counterexample
        .as_deref()
        .or(row.contradiction.as_deref())
        .unwrap_or("");
    let check = format!("{point} — re-checked: {}", row.evidence);
    match stated {
        true => format!("{} ({}). {check}", row.statement, row.place),
        false => check,
    }
}

/// A paragraph about one claim, linked to its row of the ledger.
fn labelled(out: &mut String, label: &str, id: &str, text: &str) {
    write!(
        out,
        "<p class=\"{}\"><b>{label}.</b> <a href=\"#{id}\"><code>{id}</code></a>: {}</p>",
        label.split(' ').next().unwrap_or_default().to_lowercase(),
        typeset(text)
    )
    .expect("writing to a string");
}
