//! The page as HTML, alone and as the beginning of a paper's section of the report.

use super::super::html::{Section, escape, page as document, symbol};
use super::{Page, Theorem};
use crate::ledger::Row;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::Finding;
use std::fmt::Write;

/// A document of its own.
pub(super) fn html(page: &Page) -> String {
    let intro = format!(
        "<p>{} (<a href=\"https://arxiv.org/abs/{1}\">arXiv {1}</a>)</p><p>{2}</p>",
        escape(page.authors),
        page.arxiv,
        escape(&page.tally()),
    );
    let sections = page.headline.iter().map(|theorem| {
        let mut body = String::new();
        theorem_html(&mut body, theorem);
        Section {
            id: theorem.id,
            title: theorem.id.to_owned(),
            body,
        }
    });
    document(page.title, &intro, sections)
}

/// What to use instead of the theorems of a paper, folded: for the report, behind the table of its headlines.
pub(in super::super) fn corrections(paper: Paper, rows: &[Row], findings: &[Finding]) -> String {
    let page = Page::of(paper, rows, findings);
    let mut out = format!(
        "<details class=\"finding\" id=\"corrected-{paper}\"><summary>The corrected paper: {}</summary>",
        escape(&page.tally())
    );
    for theorem in &page.headline {
        write!(
            out,
            "<h4><a href=\"#{0}\"><code>{0}</code></a></h4>",
            theorem.id
        )
        .expect("writing to a string");
        theorem_html(&mut out, theorem);
    }
    out + "</details>"
}

fn theorem_html(out: &mut String, theorem: &Theorem) {
    let verdict = theorem.verdict;
    let mut line = |text: String| out.push_str(&format!("<p>{text}</p>"));
    let outcome = theorem.outcome();
    line(format!(
        "<span class=\"{verdict}\">{}{outcome}</span>",
        symbol(verdict)
    ));
    for (label, text) in theorem.paragraphs() {
        line(format!("<b>{label}.</b> {}", escape(&text)));
    }
    line(format!(
        "<b>Run.</b> <code>{}</code>",
        escape(theorem.command)
    ));
}
