//! The page as HTML, alone and as the beginning of a paper's section of the report.

use super::super::formula::typeset;
use super::super::page::{Section, escape, page as document, symbol};
use super::{Page, Theorem};
use crate::ledger::Row;
use dp_assay_spec::claim::Paper;
use dp_assay_spec::findings::Finding;

/// A document of its own.
pub(super) fn html(page: &Page) -> String {
    let intro = format!(
        "<p>{} (<a href=\"https://arxiv.org/abs/{1}\">arXiv \
         {1}</a>)</p><p>{2}</p><p><b>Symbols.</b> {3}</p>",
        escape(page.authors),
        page.arxiv,
        escape(&page.tally()),
        typeset(&page.legend()),
    );
    let sections = page.headline.iter().map(|theorem| {
        let mut body = String::new();
        theorem_html(&mut body, theorem, &[]);
        Section {
            id: theorem.id,
            title: theorem.id.to_owned(),
            body,
        }
    });
    let changes = Section {
        id: "departures",
        title: "Departures".to_owned(),
        body: changes_html(page),
    };
    let changes = (!page.changes.is_empty()).then_some(changes);
    document(page.title, &intro, sections.chain(changes))
}

/// The departures, under their algorithms.
fn changes_html(page: &Page) -> String {
    let mut out = String::new();
    for changes in &page.changes {
        out += &format!("<p><b>{}.</b>", escape(&changes.heading()));
        for (number, text) in changes.items() {
            out += &format!("<p>{number}. {}", typeset(&text));
        }
    }
    out
}

/// What the report shows of a theorem in the table of the headlines, and in the rows that this leads to.
const ELSEWHERE: [&str; 7] = [
    "Place",
    "Printed",
    "How much",
    "Fails at",
    "Use instead",
    "Impossible",
    "Part of the way",
];

/// What to use instead of the theorems of a paper, folded: for the report, behind the table of its headlines.
pub(in super::super) fn corrections(paper: Paper, rows: &[Row], findings: &[Finding]) -> String {
    let page = Page::of(paper, rows, findings);
    let mut out = format!(
        "<details class=\"finding\" id=\"corrected-{paper}\"><summary>The corrected paper: \
         {}</summary>",
        escape(&page.tally())
    );
    out += &format!("<p><b>Symbols.</b> {}", typeset(&page.legend()));
    for theorem in &page.headline {
        out += &format!("<h4><a href=\"#{0}\"><code>{0}</code></a></h4>", theorem.id);
        theorem_html(&mut out, theorem, &ELSEWHERE);
    }
    out + &changes_html(&page) + "</details>"
}

/// A theorem, without the paragraphs of these labels.
fn theorem_html(out: &mut String, theorem: &Theorem, without: &[&str]) {
    let verdict = theorem.verdict;
    let mut line = |text: String| out.push_str(&format!("<p>{text}"));
    let outcome = theorem.outcome();
    line(format!(
        "<span class=\"{verdict}\">{}{outcome}</span>",
        symbol(verdict)
    ));
    let paragraphs = theorem.paragraphs().into_iter();
    for (label, text) in paragraphs.filter(|(label, _)| !without.contains(label)) {
        line(format!("<b>{label}.</b> {}", typeset(&text)));
    }
    line(format!(
        "<b>Run.</b> <code>{}</code>{}",
        escape(theorem.command),
        theorem.of_the_run()
    ));
}
