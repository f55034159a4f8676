//! The page as text: a paragraph a line.

use super::{Page, Theorem};
use std::fmt::Write;

pub(super) fn text(page: &Page) -> String {
    let mut out = format!(
        "{}: {}\n{} (arXiv {})\n{}\nSymbols: {}\n",
        page.paper,
        page.title,
        page.authors,
        page.arxiv,
        page.tally(),
        page.legend()
    );
    for theorem in &page.headline {
        theorem_text(&mut out, theorem);
    }
    for changes in &page.changes {
        writeln!(out, "\n{}", changes.heading()).expect("writing to a string");
        for (number, text) in changes.items() {
            writeln!(out, "  {number}. {text}").expect("writing to a string");
        }
    }
    out
}

fn theorem_text(out: &mut String, theorem: &Theorem) {
    let mut line = |text: String| writeln!(out, "{text}").expect("writing to a string");
    line(format!("\n{}: {}", theorem.id, theorem.outcome()));
    for (label, text) in theorem.paragraphs() {
        line(format!("  {label}: {text}"));
    }
    line(format!("  Run: {}", theorem.command));
}
