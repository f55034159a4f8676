//! The page as text: a paragraph a line.

use super::{Page, Theorem};

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
        out += &format!("\n{}\n", changes.heading());
        for (number, text) in changes.items() {
            out += &format!("  {number}. {text}\n");
        }
    }
    out
}

fn theorem_text(out: &mut String, theorem: &Theorem) {
    let mut line = |text: String| *out += &format!("{text}\n");
    line(format!("\n{}: {}", theorem.id, theorem.outcome()));
    for (label, text) in theorem.paragraphs() {
        line(format!("  {label}: {text}"));
    }
    line(format!(
        "  Run: {}{}",
        theorem.command,
        theorem.of_the_run()
    ));
}
