//! The report as one HTML page: no network, no framework, readable without its script.

use super::findings::findings;
use super::headlines::headlines;
use super::ledger::ledger;
use super::page::{Section, escape, page, symbol};
use super::{Report, Squeeze, plot, tables};
use crate::ledger::{Count, collection};
use dp_assay_spec::claim::Paper;
use dp_assay_spec::coverage::CoverageShare;

/// The page of a whole check.
///
/// ```no_run
/// use dp_assay::report::{Report, html};
///
/// /// The size of the page in bytes.
/// fn size(report: &Report) -> usize {
///     html(report).len()
/// }
/// ```
#[must_use]
pub fn html(report: &Report) -> String {
    let sections = [
        list("failures", "Failures", &report.failures),
        headlines(report),
        findings(report),
        Some(run(report)),
        tables::audits("audits", "Audits of the solvers", &report.audits),
        tables::audits(
            "bugs",
            "Seeded bugs, each of which must be caught",
            &report.seeded_bugs,
        ),
        profiles(report),
        tables::fits(&report.fits),
        tables::comparisons(&report.comparisons),
        slack(report),
        ledger(&report.claims, &report.findings),
        list("left-out", "Left out at this effort", &report.skipped),
    ];
    page(
        "dp-assay report",
        &summary(report),
        sections.into_iter().flatten(),
    )
}

/// The page of an audit or a campaign: its audits alone.
///
/// ```
/// use dp_assay::report::audits_html;
///
/// let page = audits_html("Nothing audited", &[]);
/// assert!(page.contains("Nothing audited") && page.contains("No claim of 0 was found to be false"));
/// ```
#[must_use]
pub fn audits_html(title: &str, audits: &[Squeeze]) -> String {
    let violated = audits.iter().filter(|a| a.verdict == "VIOLATION").count();
    let words = match violated {
        0 => format!("✓ No claim of {} was found to be false.", audits.len()),
        n => format!("✗ {n} of {} claims are false.", audits.len()),
    };
    let class = if violated == 0 { "ok" } else { "bad" };
    let intro = format!("<p class=\"outcome {class}\">{words}</p>");
    let sections = tables::audits("audits", "Audits", audits);
    page(title, &intro, sections.into_iter())
}

fn summary(report: &Report) -> String {
    let count = Count::of_papers(&report.claims);
    let outcome = match report.failures.len() {
        0 => "<p class=\"outcome ok\">✓ Nothing that this project relies on failed.</p>".to_owned(),
        n => {
            format!("<p class=\"outcome bad\">✗ {n} things that this project relies on failed.</p>")
        }
    };
    let tiles: String = (count.each())
        .map(|(verdict, count)| {
            format!(
                "<a class=\"tile {verdict}\" href=\"#ledger\" \
                 data-verdict=\"{verdict}\"><b>{count}</b> {}{verdict}</a>",
                symbol(verdict)
            )
        })
        .collect();
    format!("{outcome}<p class=\"tiles\">{tiles}</p>")
}

/// What was run on what.
fn run(report: &Report) -> Section {
    let body = format!(
        "<dl><dt>Data</dt><dd>{} — {} records, {} features. {}</dd>\
         <dt>Neighbours</dt><dd>{}</dd><dt>Released</dt><dd>{}</dd>\
         <dt>Read</dt><dd>{}</dd><dt>Besides</dt><dd>{}</dd>\
         <dt>Effort, seed</dt><dd>{}, {}</dd></dl>",
        escape(&report.data.name),
        report.data.records,
        report.data.features,
        escape(&report.data.source),
        report.neighbours,
        report.release,
        CoverageShare::stored(&Paper::ALL),
        escape(&collection(&report.claims)),
        report.effort,
        report.seed,
    );
    Section {
        id: "run",
        title: "This run".to_owned(),
        body,
    }
}

fn profiles(report: &Report) -> Option<Section> {
    (!report.profiles.is_empty()).then(|| Section {
        id: "profiles",
        title: "Privacy profiles".into(),
        body: format!(
            "<p>A calibration keeps its claim where its curve passes below and left of the claimed \
             point. The curves are upper bounds: one that passes above is not proved, and not \
             thereby refuted.</p>{}{}",
            plot::profiles(&report.profiles),
            tables::profiles(&report.profiles)
        ),
    })
}

fn slack(report: &Report) -> Option<Section> {
    report
        .claims
        .iter()
        .any(|r| r.slack.is_some())
        .then(|| Section {
            id: "slack",
            title: "How tight the theorems are".into(),
            body: plot::slack(&report.claims),
        })
}

fn list(id: &'static str, title: &str, items: &[String]) -> Option<Section> {
    let lines: String = items
        .iter()
        .map(|i| format!("<li>{}</li>", escape(i)))
        .collect();
    (!items.is_empty()).then(|| Section {
        id,
        title: title.to_owned(),
        body: format!("<ul>{lines}</ul>"),
    })
}
