//! The ledger of the page: every claim, folded, with filters and search.

use super::html::{Section, escape, symbol};
use super::plot;
use crate::ledger::Row;
use dp_assay_spec::claim::{Paper, Verdict};
use std::collections::BTreeSet;
use std::fmt::Write;

pub(super) fn ledger(rows: &[Row]) -> Option<Section> {
    let known: BTreeSet<&str> = rows.iter().map(|r| r.id).collect();
    let mut body = filters() + plot::KEY;
    body += "<div id=\"claims\">";
    for row in rows {
        claim(&mut body, row, &known);
    }
    body += "</div>";
    (!rows.is_empty()).then(|| Section {
        id: "ledger",
        title: format!("Ledger ({} claims)", rows.len()),
        body,
    })
}

fn filters() -> String {
    let choice = |id: &str, label: &str, options: &[&str]| {
        let options: String = options
            .iter()
            .map(|o| format!("<option>{o}</option>"))
            .collect();
        format!(
            "<label>{label} <select id=\"{id}\"><option value=\"\">all</option>{options}</select></label>"
        )
    };
    format!(
        "<form id=\"filters\" role=\"search\"><label>Search <input type=\"search\" id=\"search\" \
         placeholder=\"id or words\"></label>{}{}<label class=\"check\"><input type=\"checkbox\" id=\"privacy\"> \
         about privacy</label><button type=\"reset\">Clear</button><output id=\"shown\" aria-live=\"polite\"></output></form>",
        choice("paper", "Paper", &Paper::ALL.map(Paper::name)),
        choice("verdict", "Verdict", &Verdict::NAMES),
    )
}

fn claim(out: &mut String, row: &Row, known: &BTreeSet<&str>) {
    let link = |id: &str| match known.contains(id) {
        true => format!("<a href=\"#{id}\"><code>{id}</code></a>"),
        false => format!("<code>{}</code>", escape(id)),
    };
    let labelled = |label: &str, html: Option<String>| {
        html.map_or_else(String::new, |h| format!("<p><b>{label}.</b> {h}</p>"))
    };
    let said = |text: Option<&String>| text.map(|t| escape(t));
    let premises: Vec<String> = row.premises.iter().map(|id| link(id)).collect();
    let rests: Vec<String> = row.rests_on.iter().map(|id| link(id)).collect();
    write!(
        out,
        "<details class=\"claim\" id=\"{0}\" data-paper=\"{1}\" data-verdict=\"{2}\"{3}>\
         <summary><span class=\"badge {2}\">{4}{2}</span> <code>{0}</code> <span>{5}</span></summary>{6}\
         <p class=\"place\">{7}</p>{8}{9}{10}{11}{12}{13}{14}{15}{16}{17}{18}</details>",
        row.id,
        row.paper,
        row.verdict,
        if row.kind.is_privacy() { " data-privacy" } else { "" },
        symbol(row.verdict),
        escape(&row.statement),
        plot::domain(row),
        escape(row.place),
        labelled("If", Some(escape(row.hypotheses))),
        labelled("Severity", row.severity.map(|s| s.to_string())),
        labelled("Fails at", said(row.counterexample.as_ref())),
        labelled("Nothing satisfies the hypotheses", said(row.contradiction.as_ref())),
        labelled("Holds for", said(row.domain.as_ref())),
        labelled(
            if row.holds() || row.verdict == "open" { "Evidence" } else { "Re-checked" },
            Some(escape(&row.evidence))
        ),
        labelled("Steps by hand", (!row.by_hand.is_empty()).then(|| escape(&row.by_hand.join("; ")))),
        labelled("Premises", (!premises.is_empty()).then(|| premises.join(", "))),
        labelled("Slack", row.slack.map(|s| format!("{s:.4} (printed ÷ needed; 1 is tight)"))),
        labelled("What does hold", row.repaired.as_deref().map(link)),
        labelled("Rests on", (!rests.is_empty()).then(|| rests.join(", "))),
    )
    .expect("writing to a string");
}
