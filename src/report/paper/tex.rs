//! Documents in LaTeX, which pdflatex takes with two packages of every installation.

use super::super::formula::written;
use super::math::latex;
use super::symbols::{letter, named};
use super::words::words;
use super::{Page, Theorem, one_line};

/// What a document begins with.
const PREAMBLE: &str = "\\documentclass[11pt]{article}\n\
    \\usepackage{amssymb}\n\\usepackage[margin=25mm]{geometry}\n\
    \\setlength{\\emergencystretch}{3em}\n\\sloppy\n";

/// A document.
pub(super) fn document(title: &str, author: &str, body: &str) -> String {
    format!(
        "{PREAMBLE}\\title{{{}}}\n\\author{{{}}}\n\\date{{}}\n\\begin{{document}}\n\\maketitle\n{body}\\end{{document}}\n",
        tex(title),
        tex(author),
    )
}

pub(super) fn page(page: &Page) -> String {
    let mut body = format!(
        "\\noindent The theorems that \\emph{{{}}} (arXiv {}) is cited for, and what to use where \
         one does not hold. {}\n\n",
        tex(page.title),
        tex(page.arxiv),
        tex(&page.tally()),
    );
    labelled(&mut body, "Symbols", &page.legend());
    for theorem in &page.headline {
        section(&mut body, theorem);
    }
    for changes in &page.changes {
        body += &format!("\\section*{{{}}}\n\n", tex(&changes.heading()));
        for (number, text) in changes.items() {
            labelled(&mut body, &number.to_string(), &text);
        }
    }
    document(
        &format!("{}: the corrected theorems", page.title),
        page.authors,
        &body,
    )
}

fn section(out: &mut String, theorem: &Theorem) {
    let (id, outcome) = (code(theorem.id), tex(&theorem.outcome()));
    *out += &format!("\\section*{{{id}: {outcome}}}\n\n");
    for (label, text) in theorem.paragraphs() {
        labelled(out, label, &text);
    }
    let run = theorem.of_the_run();
    *out += &format!("\\paragraph{{Run.}} {}{run}\n\n", code(theorem.command));
}

/// A paragraph with a heading.
pub(super) fn labelled(out: &mut String, label: &str, text: &str) {
    *out += &format!("\\paragraph{{{label}.}} {}\n\n", tex(&one_line(text)));
}

/// A word for a machine.
pub(super) fn code(text: &str) -> String {
    format!(
        "\\texttt{{{}}}",
        text.chars().map(letter).collect::<String>()
    )
}

/// Straight quotation marks as those that open, behind a space or bracket, and those that close.
fn curled(text: &str) -> String {
    let mut before = ' ';
    let mut mark = |c: char| {
        let opens = before.is_whitespace() || before == '(';
        before = c;
        match c {
            '"' if opens => '“',
            '"' => '”',
            c => c,
        }
    };
    text.chars().map(&mut mark).collect()
}

/// Text with its formulas.
pub(super) fn tex(text: &str) -> String {
    let text = named(&curled(text))
        .replace("<=", "≤")
        .replace(">=", "≥")
        .replace("!=", "≠");
    written(&text, words, |elements| latex(&elements))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_open_and_close() {
        assert_eq!(tex("\"set as\" and (\"it\")"), "``set as'' and (``it'')");
    }

    #[test]
    fn names_and_signs_of_plain_text_are_symbols() {
        assert_eq!(tex("betas of rho_t"), "betas of $\\rho_{t}$");
        assert_eq!(tex("x <= y"), "$x\\le y$");
        assert_eq!(tex("☃"), "[U+2603]");
    }
}
