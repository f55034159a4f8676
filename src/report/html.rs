//! The report as one HTML page: no network, no framework, readable without its script.

use super::findings::findings;
use super::{Comparison, Fit, Report, Squeeze, plot};
use crate::ledger::{Count, Row};
use dp_assay_spec::claim::Paper;
use std::fmt::Write;

/// The page.
#[must_use]
pub fn html(report: &Report) -> String {
    let body = [
        summary(report),
        findings(report),
        audits("Audits of the solvers", &report.audits),
        audits(
            "Seeded bugs, each of which must be caught",
            &report.seeded_bugs,
        ),
        fits(&report.fits),
        comparisons(&report.comparisons),
        ledger(&report.claims),
        list("Left out at this effort", &report.skipped),
    ]
    .concat();
    include_str!("page.html").replacen("{{body}}", &body, 1)
}

/// Text with the characters that HTML treats specially written out.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

fn summary(report: &Report) -> String {
    let Count {
        proved,
        supported,
        refuted,
        open,
    } = Count::of(&report.claims);
    let outcome = if report.failures.is_empty() {
        "<p class=\"ok\">✓ Nothing that this project relies on failed.</p>".to_owned()
    } else {
        list("Failures", &report.failures)
    };
    format!(
        "<header><h1>dp-assay report</h1>{outcome}<dl>\
         <dt>Data</dt><dd>{} — {} records, {} features. {}</dd>\
         <dt>Neighbouring relation</dt><dd>{}</dd>\
         <dt>Released</dt><dd>{}</dd>\
         <dt>Effort, seed</dt><dd>{}, {}</dd>\
         <dt>Claims</dt><dd>{proved} proved, {supported} supported, {refuted} refuted, {open} open</dd>\
         </dl></header>",
        escape(&report.data.name),
        report.data.records,
        report.data.features,
        escape(&report.data.source),
        report.neighbours,
        report.release,
        report.effort,
        report.seed,
    )
}

fn audits(title: &str, audits: &[Squeeze]) -> String {
    let mut out = format!(
        "<section><h2>{title}</h2>{}<p class=\"key\">● audited lower bound, │ claim, shaded: gap to \
         the certified upper bound</p><div class=\"wide\"><table><thead><tr><th>mechanism<th>verdict\
         <th>claimed ε<th>audited ε ≥<th>certified ε ≤<th>would have caught<th>samples<th>event\
         </tr></thead><tbody>",
        plot::squeeze(audits)
    );
    for a in audits {
        write!(
            out,
            "<tr><td>{}<td>{}<td>{:.4} at δ = {:.3e}<td>{:.4} (confidence {})<td>{}<td>{}<td>{}<td>{}</tr>",
            escape(&a.mechanism),
            a.verdict,
            a.claimed,
            a.delta,
            a.lower,
            a.confidence,
            a.upper.map_or_else(|| "—".into(), |u| format!("{u:.4}")),
            a.detectable
                .map_or_else(|| "—".into(), |d| format!("ε ≥ {d:.4} with probability {}", a.power)),
            a.samples,
            escape(&a.event),
        )
        .expect("writing to a string");
    }
    out + "</tbody></table></div></section>"
}

fn fits(fits: &[Fit]) -> String {
    let mut out = String::from(
        "<section><h2>Private fits</h2><p>Objective and accuracy are computed on the private data for \
         this report and are not themselves private.</p><div class=\"wide\"><table><thead><tr>\
         <th>method<th>calibration<th>ε<th>δ<th>steps<th>objective<th>optimum<th>accuracy\
         <th>optimum's accuracy</tr></thead><tbody>",
    );
    let percent =
        |share: Option<f64>| share.map_or_else(|| "—".into(), |a| format!("{:.1} %", 100.0 * a));
    for f in fits {
        write!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{:.3e}<td>{}<td>{:.5}<td>{:.5}<td>{}<td>{}</tr>",
            escape(&f.method),
            escape(&f.calibration),
            f.epsilon,
            f.delta,
            f.steps,
            f.objective,
            f.optimum,
            percent(f.accuracy),
            percent(f.optimum_accuracy),
        )
        .expect("writing to a string");
    }
    out + "</tbody></table></div></section>"
}

fn comparisons(comparisons: &[Comparison]) -> String {
    let mut out = String::from(
        "<section><h2>Reference against optimized, same noise</h2><div class=\"wide\"><table><thead>\
         <tr><th>problem<th>steps<th>same choices<th>largest difference<th>derived bound</tr></thead><tbody>",
    );
    for c in comparisons {
        write!(
            out,
            "<tr><td>{}<td>{}<td>{}<td>{:.3e}<td>{:.3e}</tr>",
            escape(&c.problem),
            c.steps,
            if c.same_choices { "yes" } else { "no" },
            c.difference,
            c.bound,
        )
        .expect("writing to a string");
    }
    out + "</tbody></table></div></section>"
}

fn ledger(rows: &[Row]) -> String {
    let mut out = String::from(
        "<section id=\"ledger\"><h2>Ledger</h2><form id=\"filters\"><label>Search <input type=\"search\" \
         id=\"search\"></label><label>Paper <select id=\"paper\"><option value=\"\">all</option>",
    );
    for paper in Paper::ALL {
        write!(out, "<option>{paper}</option>").expect("writing to a string");
    }
    out.push_str(
        "</select></label><label>Verdict <select id=\"verdict\"><option value=\"\">all</option>",
    );
    for verdict in ["proved", "supported", "refuted", "open"] {
        write!(out, "<option>{verdict}</option>").expect("writing to a string");
    }
    out.push_str(
        "</select></label><output id=\"shown\"></output></form><div class=\"wide\"><table id=\"claims\">\
         <thead><tr><th>claim<th>verdict<th>statement<th>why</tr></thead><tbody>",
    );
    for row in rows {
        ledger_row(&mut out, row);
    }
    out + "</tbody></table></div></section>"
}

fn ledger_row(out: &mut String, row: &Row) {
    let optional = |label: &str, text: Option<&str>| {
        text.map_or_else(String::new, |t| {
            format!("<p><b>{label}.</b> {}</p>", escape(t))
        })
    };
    write!(
        out,
        "<tr id=\"{}\" data-paper=\"{}\" data-verdict=\"{}\"><td><code>{0}</code><br><small>{}</small>\
         <td class=\"{2}\">{}{2}<td>{}<br><small>If {}</small><td>{}{}{}{}{}</tr>",
        row.id,
        row.paper,
        row.verdict,
        escape(row.place),
        symbol(row.verdict),
        escape(row.statement),
        escape(row.hypotheses),
        optional("Domain", row.domain.as_deref()),
        optional("Counterexample", row.counterexample.as_deref()),
        optional("Evidence", Some(&row.evidence)),
        optional("Slack", row.slack.map(|s| format!("{s:.4}")).as_deref()),
        optional("Holds instead", row.repaired.as_deref()),
    )
    .expect("writing to a string");
}

/// A shape beside the word, so that no reader depends on colour.
fn symbol(verdict: &str) -> &'static str {
    match verdict {
        "proved" => "✓ ",
        "supported" => "≈ ",
        "refuted" => "✗ ",
        _ => "? ",
    }
}

fn list(title: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items
        .iter()
        .map(|i| format!("<li>{}</li>", escape(i)))
        .collect();
    format!("<section><h2>{title}</h2><ul>{items}</ul></section>")
}
