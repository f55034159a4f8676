//! Plain text as LaTeX that pdflatex takes without any package: symbols, indices, powers.

use super::symbols::{letter, lowered, named, raised};
use super::{Page, Theorem, one_line};
use crate::ledger::notation::{Kind, Token, tokens};
use std::collections::HashMap;
use std::fmt::Write;

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
    *out += &format!("\\paragraph{{Run.}} {}\n\n", code(theorem.command));
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

/// Text with its symbols, indices and powers.
pub(super) fn tex(text: &str) -> String {
    let text = named(&curled(text))
        .replace("<=", "≤")
        .replace(">=", "≥")
        .replace("!=", "≠");
    let ends = scripts(&text);
    let (mut out, mut at) = (String::with_capacity(text.len()), 0);
    while let Some(c) = text[at..].chars().next() {
        at += c.len_utf8();
        let mark = match c {
            '_' => "\\textsubscript",
            '^' => "\\textsuperscript",
            _ => {
                symbol(&mut out, c);
                continue;
            }
        };
        let end = ends.get(&at).copied().unwrap_or(at);
        let inside = &text[at..end];
        let bare = inside.strip_prefix('{').and_then(|s| s.strip_suffix('}'));
        match bare.unwrap_or(inside) {
            "" => out += &letter(c),
            inside => write!(out, "{mark}{{{}}}", tex(inside)).expect("writing to a string"),
        }
        at = end;
    }
    out
}

/// Where indices and powers begin, behind their `_` or `^`, and where they end: groups in brackets, or one symbol with its
/// sign and accent; a prime behind a letter below the line is that letter's. The product `K_2R_x` has two indices.
fn scripts(text: &str) -> HashMap<usize, usize> {
    let tokens = tokens(text);
    let mut found = HashMap::new();
    for (i, mark) in tokens.iter().enumerate() {
        let Some(first) = tokens.get(i + 1).filter(|t| !t.spaced) else {
            continue;
        };
        let last = match first.kind {
            _ if !matches!(mark.kind, Kind::Below | Kind::Above) => continue,
            Kind::Open => closing(&tokens[i + 1..]),
            Kind::Operator => tokens.get(i + 2).filter(|t| !t.spaced),
            _ => Some(first),
        };
        let Some(last) = last else { continue };
        let primed = (mark.kind, first.kind) == (Kind::Below, Kind::Symbol);
        let accents = text[last.end..]
            .chars()
            .take_while(|c| accent(*c).is_some() || primed && *c == '′');
        let end = last.end + accents.map(char::len_utf8).sum::<usize>();
        found.insert(mark.end, end);
    }
    found
}

/// The bracket that closes the first one.
fn closing(tokens: &[Token]) -> Option<&Token> {
    let mut depth = 0;
    tokens.iter().find(|token| {
        depth += i32::from(token.kind == Kind::Open) - i32::from(token.kind == Kind::Close);
        depth == 0
    })
}

/// The name in TeX of a combining accent.
const fn accent(c: char) -> Option<&'static str> {
    match c {
        '\u{304}' => Some("bar"),
        '\u{302}' => Some("hat"),
        '\u{303}' => Some("tilde"),
        _ => None,
    }
}

/// One character. Accents follow their letter in Unicode, and go before it in TeX.
fn symbol(out: &mut String, c: char) {
    match (accent(c), raised(c), lowered(c)) {
        (Some(accent), ..) => {
            let base = out.split_off(last_symbol(out));
            let bare = base
                .strip_prefix("\\ensuremath{")
                .and_then(|s| s.strip_suffix('}'));
            let bare = bare.unwrap_or(&base);
            write!(out, "\\ensuremath{{\\{accent}{{{bare}}}}}")
        }
        (_, Some(c), _) => {
            script_letter(out, "\\textsuperscript", c);
            Ok(())
        }
        (.., Some(c)) => {
            script_letter(out, "\\textsubscript", c);
            Ok(())
        }
        _ => write!(out, "{}", letter(c)),
    }
    .expect("writing to a string");
}

/// A raised or lowered letter, with those before it if they are, too.
fn script_letter(out: &mut String, command: &str, c: char) {
    let c = match c {
        '-' | '+' => format!("${c}$"),
        c => c.to_string(),
    };
    match last_group(out).filter(|&at| out[..at].ends_with(command)) {
        Some(_) => {
            out.pop();
            out.push_str(&c);
            out.push('}');
        }
        None => write!(out, "{command}{{{c}}}").expect("writing to a string"),
    }
}

/// Where the last symbol of a text in TeX begins: a letter, or a formula of its own.
fn last_symbol(out: &str) -> usize {
    match last_group(out) {
        Some(at) => out[..at]
            .strip_suffix("\\ensuremath")
            .map_or(out.len(), str::len),
        None => out.char_indices().next_back().map_or(0, |(at, _)| at),
    }
}

/// Where the group opens with which a text in TeX ends.
fn last_group(out: &str) -> Option<usize> {
    if !out.ends_with('}') {
        return None;
    }
    let mut depth = 0;
    let open = out.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '}') - i32::from(*c == '{');
        depth == 0
    });
    open.map(|(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotation_marks_open_and_close() {
        assert_eq!(tex("\"set as\" and (\"b\")"), "``set as'' and (``b'')");
    }

    #[test]
    fn formulas_keep_their_indices_powers_and_accents() {
        assert_eq!(
            tex("σ_U²"),
            "\\ensuremath{\\sigma}\\textsubscript{U}\\textsuperscript{2}"
        );
        assert_eq!(tex("x^{k+1}"), "x\\textsuperscript{k+1}");
        assert_eq!(tex("(a)_{j_t}"), "(a)\\textsubscript{j\\textsubscript{t}}");
        assert_eq!(tex("w̄"), "\\ensuremath{\\bar{w}}");
        assert_eq!(tex("x w̄"), "x \\ensuremath{\\bar{w}}");
        assert_eq!(tex("σ̂"), "\\ensuremath{\\hat{\\sigma}}");
        assert_eq!(tex("a_w̄"), "a\\textsubscript{\\ensuremath{\\bar{w}}}");
        assert_eq!(tex("10¹⁸"), "10\\textsuperscript{18}");
        assert_eq!(
            tex("σ²ᵢ"),
            "\\ensuremath{\\sigma}\\textsuperscript{2}\\textsubscript{i}"
        );
        assert_eq!(
            tex("betas of rho_t"),
            "betas of \\ensuremath{\\rho}\\textsubscript{t}"
        );
        assert_eq!(tex("x <= y"), "x \\ensuremath{\\le} y");
        assert_eq!(tex("2^-24/5"), "2\\textsuperscript{-24}/5");
        assert_eq!(
            tex("w^* & 5 % _"),
            "w\\textsuperscript{\\ensuremath{*}} \\& 5 \\% \\_"
        );
        assert_eq!(tex("☃"), "[U+2603]");
        assert_eq!(
            tex("K_2R_x L_0n log^aN x_t²"),
            "K\\textsubscript{2}R\\textsubscript{x} L\\textsubscript{0}n log\\textsuperscript{a}N \
             x\\textsubscript{t}\\textsuperscript{2}"
        );
        assert_eq!(tex("µ^(k)"), "\\ensuremath{\\mu}\\textsuperscript{(k)}");
        // The square of entry k′.
        let entry = tex("x_k′²");
        assert!(
            entry.starts_with("x\\textsubscript{k") && entry.ends_with("}\\textsuperscript{2}")
        );
        assert!(!entry.contains("k}\\ensuremath"), "{entry}");
    }
}
