//! A note to a paper's authors: what does not hold as printed, with counterexample and repair.

use super::super::EMPTY;
use super::super::symbols::{explained, symbols};
use super::ended;
use super::tex::{code, document, labelled, tex};
use crate::ledger::Row;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::{Finding, Severity};
use std::collections::{BTreeMap, BTreeSet};

pub(super) fn erratum(paper: Paper, rows: &[Row], findings: &[Finding]) -> String {
    let rows: BTreeMap<&str, &Row> = rows.iter().map(|r| (r.id, r)).collect();
    let source = paper.source();
    let found: Vec<&Finding> = findings.iter().filter(|f| f.paper == paper).collect();
    let mut body = format!(
        "\\noindent To {}, on \\emph{{{}}} (arXiv {}).\n\nThe statements below do not hold as \
         printed, as far as we can see: {} of them, the most consequential first. Each comes with \
         the point where it fails, which was checked in exact or outward-rounded arithmetic, and \
         with what does hold where we have a proof. \\emph{{Argued}} means that steps of that \
         proof are made in words. We would be glad to be told where we misread you.\n\n",
        tex(source.authors),
        tex(source.title),
        tex(source.arxiv),
        found.len(),
    );
    let of = |id: &str| rows.get(id).copied();
    let printed =
        { found.iter() }.flat_map(|finding| finding.claims.iter().filter_map(|id| of(id)));
    let instead = found.iter().flat_map(|f| repairs(f, &rows));
    let shown: Vec<String> = { printed.chain(instead) }
        .map(|row| format!("{}; {}", row.words, row.hypotheses))
        .collect();
    let legend = explained(&symbols(paper, &shown.join("; ")));
    labelled(&mut body, "Symbols", &legend);
    for severity in Severity::ALL {
        let mut of = found.iter().filter(|f| f.severity == severity).peekable();
        if of.peek().is_some() {
            body += &format!("\\section*{{Severity: {severity}}}\n\n");
        }
        for finding in of {
            item(&mut body, finding, &rows);
        }
    }
    let printed = found.iter().flat_map(|f| f.claims.iter().copied());
    let instead = found
        .iter()
        .flat_map(|f| f.repaired.iter().map(String::as_str));
    name_others(&mut body, printed.chain(instead).collect(), &rows);
    document(
        &format!("Notes on \u{201c}{}\u{201d}", source.title),
        "dp-assay",
        &body,
    )
}

/// What holds instead, in the finding's order.
fn repairs<'a>(finding: &Finding, rows: &BTreeMap<&str, &'a Row>) -> Vec<&'a Row> {
    let ids = finding.repaired.iter();
    ids.filter_map(|id| rows.get(id.as_str()).copied())
        .collect()
}

/// A claim that holds, with what was decided and where, if that is not its hypotheses.
fn held(row: &Row) -> String {
    let domain = row.domain.as_deref().unwrap_or(&row.evidence);
    let settled = match domain == row.hypotheses {
        true => row.verdict.to_owned(),
        false => format!("{}: {domain}", row.verdict),
    };
    let (words, hypotheses) = (ended(&row.words), ended(&row.hypotheses));
    format!("{words} Hypotheses: {hypotheses} ({settled})")
}

/// Appends the claims that are named above and not shown, and those that they name.
fn name_others<'a>(body: &mut String, mut shown: Vec<&'a str>, rows: &BTreeMap<&'a str, &Row>) {
    const HEADING: &str = "\\section*{Named above}\n\n";
    let part_of_name = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
    loop {
        let words = body.split(|c| !part_of_name(c));
        let named: BTreeSet<&str> = words.map(|word| word.trim_end_matches('.')).collect();
        let is_missing = |id: &&str| named.contains(id) && !shown.contains(id);
        let missing: Vec<&str> = rows.keys().copied().filter(is_missing).collect();
        if missing.is_empty() {
            return;
        }
        if !body.contains(HEADING) {
            *body += HEADING;
        }
        for id in missing {
            labelled(body, &code(id), &held(rows[id]));
            shown.push(id);
        }
    }
}

fn item(out: &mut String, finding: &Finding, rows: &BTreeMap<&str, &Row>) {
    let of = |id: &str| rows.get(id).copied();
    *out += &format!("\\subsection*{{{}}}\n\n", code(finding.id));
    for (i, row) in finding.claims.iter().filter_map(|id| of(id)).enumerate() {
        let name = match row.id {
            id if id.contains("-reading") => "Printed, in one reading",
            id if id.contains("-proof") => "Printed, in the proof",
            id if id == finding.id || i == 0 => "Printed",
            _ => "Also printed",
        };
        let words = format!(
            "{}. {}. Hypotheses: {}",
            row.place, row.words, row.hypotheses
        );
        let label = match row.id == finding.id {
            true => name.to_owned(),
            false => format!("{name}, {}", code(row.id)),
        };
        labelled(out, &label, &words);
        match (&row.counterexample, &row.contradiction) {
            (Some(point), _) => labelled(out, "Fails at", point),
            (_, Some(why)) => labelled(out, EMPTY, why),
            _ => {}
        }
    }
    let effect = format!("{} {}", finding.effect.sizes(), finding.effect.words);
    labelled(out, "Effect", &effect);
    let repairs = repairs(finding, rows);
    for row in &repairs {
        let label = format!("What does hold, {}", code(row.id));
        labelled(out, &label, &held(row));
    }
    if repairs.is_empty() {
        labelled(out, "What does hold", "We have no repair that is proved.");
    }
}
