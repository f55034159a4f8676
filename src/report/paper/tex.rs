//! Plain text as LaTeX that pdflatex takes without any package: symbols, indices, powers.

use super::{Page, Theorem, one_line};
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
        "\\noindent The theorems that \\emph{{{}}} (arXiv {}) is cited for, and what to use where one does not hold. {}\n\n",
        tex(page.title),
        tex(page.arxiv),
        tex(&page.tally()),
    );
    for theorem in &page.headline {
        section(&mut body, theorem);
    }
    document(
        &format!("{}: the corrected theorems", page.title),
        page.authors,
        &body,
    )
}

fn section(out: &mut String, theorem: &Theorem) {
    let (id, outcome) = (code(theorem.id), tex(&theorem.outcome()));
    write!(out, "\\section*{{{id}: {outcome}}}\n\n").expect("writing to a string");
    for (label, text) in theorem.paragraphs() {
        labelled(out, label, &text);
    }
    write!(out, "\\paragraph{{Run.}} {}\n\n", code(theorem.command)).expect("writing to a string");
}

/// A paragraph with a heading.
pub(super) fn labelled(out: &mut String, label: &str, text: &str) {
    write!(out, "\\paragraph{{{label}.}} {}\n\n", tex(&one_line(text)))
        .expect("writing to a string");
}

/// A word for a machine.
pub(super) fn code(text: &str) -> String {
    format!(
        "\\texttt{{{}}}",
        text.chars().map(letter).collect::<String>()
    )
}

/// Text with its symbols, indices and powers.
pub(super) fn tex(text: &str) -> String {
    let text = text
        .replace("<=", "≤")
        .replace(">=", "≥")
        .replace("!=", "≠");
    let all: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while let Some(&c) = all.get(at) {
        at += 1;
        let mark = match c {
            '_' => "\\textsubscript",
            '^' => "\\textsuperscript",
            _ => {
                symbol(&mut out, c);
                continue;
            }
        };
        let length = script(&all[at..]);
        let inside: String = all[at..at + length].iter().collect();
        let inside = match inside.strip_prefix('{').and_then(|s| s.strip_suffix('}')) {
            Some(bare) => bare.to_owned(),
            None => inside,
        };
        match inside.is_empty() {
            true => out += &letter(c),
            false => write!(out, "{mark}{{{}}}", tex(&inside)).expect("writing to a string"),
        }
        at += length;
    }
    out
}

/// How many characters behind `_` or `^` belong to it: a group in brackets, or a sign with letters and digits, or a star.
fn script(rest: &[char]) -> usize {
    let close = match rest.first() {
        Some('{') => '}',
        Some('(') => ')',
        Some('*') | Some('⋆') => return 1,
        _ => {
            let sign = usize::from(matches!(rest.first(), Some('-' | '−' | '+')));
            let word = |c: &&char| (c.is_alphanumeric() && !powers(**c)) || accent(**c).is_some();
            let letters = rest[sign..].iter().take_while(word).count();
            return if letters == 0 { 0 } else { sign + letters };
        }
    };
    let open = rest[0];
    let mut depth = 0;
    for (i, c) in rest.iter().enumerate() {
        depth += i32::from(*c == open) - i32::from(*c == close);
        if depth == 0 {
            return i + 1;
        }
    }
    0
}

/// Whether a character is itself a power or an index.
fn powers(c: char) -> bool {
    raised(c).is_some() || lowered(c).is_some()
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
        (_, Some(c), _) => write!(out, "\\textsuperscript{{{c}}}"),
        (.., Some(c)) => write!(out, "\\textsubscript{{{c}}}"),
        _ => write!(out, "{}", letter(c)),
    }
    .expect("writing to a string");
}

/// Where the last symbol of a text in TeX begins: a letter, or a formula of its own.
fn last_symbol(out: &str) -> usize {
    if !out.ends_with('}') {
        return out.char_indices().next_back().map_or(0, |(at, _)| at);
    }
    let mut depth = 0;
    let open = out.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '}') - i32::from(*c == '{');
        depth == 0
    });
    let begin = open.and_then(|(at, _)| out[..at].strip_suffix("\\ensuremath"));
    begin.map_or(out.len(), str::len)
}

fn raised(c: char) -> Option<&'static str> {
    let all = [
        ('⁰', "0"),
        ('¹', "1"),
        ('²', "2"),
        ('³', "3"),
        ('⁴', "4"),
        ('⁵', "5"),
        ('⁶', "6"),
        ('⁷', "7"),
        ('⁸', "8"),
        ('⁹', "9"),
        ('⁻', "$-$"),
        ('⁺', "$+$"),
        ('⁽', "("),
        ('⁾', ")"),
        ('ⁿ', "n"),
        ('ᵏ', "k"),
        ('ᵉ', "e"),
        ('ˣ', "x"),
        ('ᵀ', "T"),
        ('ᵖ', "p"),
        ('ᵘ', "u"),
        ('ᵇ', "b"),
        ('ᵗ', "t"),
        ('ⁱ', "i"),
    ];
    all.iter()
        .find(|(known, _)| *known == c)
        .map(|(_, text)| *text)
}

fn lowered(c: char) -> Option<&'static str> {
    let all = [
        ('₀', "0"),
        ('₁', "1"),
        ('₂', "2"),
        ('₃', "3"),
        ('₄', "4"),
        ('₅', "5"),
        ('₆', "6"),
        ('₇', "7"),
        ('₈', "8"),
        ('₉', "9"),
        ('₊', "$+$"),
        ('₋', "$-$"),
        ('ᵢ', "i"),
        ('ⱼ', "j"),
        ('ₖ', "k"),
        ('ₙ', "n"),
        ('ₐ', "a"),
        ('ₜ', "t"),
    ];
    all.iter()
        .find(|(known, _)| *known == c)
        .map(|(_, text)| *text)
}

/// A character by itself. One that is not known is named by its number, so that nothing is lost and pdflatex goes on.
fn letter(c: char) -> String {
    let text = match c {
        '\\' => "\\textbackslash{}",
        '{' => "\\{",
        '}' => "\\}",
        '$' => "\\$",
        '&' => "\\&",
        '#' => "\\#",
        '%' => "\\%",
        '_' => "\\_",
        '^' => "\\textasciicircum{}",
        '~' => "\\textasciitilde{}",
        '<' => "\\ensuremath{<}",
        '>' => "\\ensuremath{>}",
        '|' => "\\ensuremath{|}",
        '*' => "\\ensuremath{*}",
        '"' => "''",
        c if c.is_ascii() => return c.to_string(),
        '–' => "--",
        '—' => "---",
        '…' => "\\dots{}",
        '§' => "\\S{}",
        '“' => "``",
        '”' => "''",
        '’' => "'",
        '\u{a0}' => "~",
        'é' => "\\'e",
        'á' => "\\'a",
        'ö' => "\\\"o",
        'ü' => "\\\"u",
        'ä' => "\\\"a",
        'Ł' => "\\L{}",
        'Õ' => "\\ensuremath{\\tilde O}",
        c => match math(c) {
            Some(name) => return format!("\\ensuremath{{{name}}}"),
            None => return format!("[U+{:04X}]", u32::from(c)),
        },
    };
    text.to_owned()
}

/// A symbol of formulas.
fn math(c: char) -> Option<&'static str> {
    const GREEK: [(&str, &[&str]); 2] = [
        (
            "αβγδεζηθικλμνξπρστφχψω",
            &[
                "\\alpha",
                "\\beta",
                "\\gamma",
                "\\delta",
                "\\varepsilon",
                "\\zeta",
                "\\eta",
                "\\theta",
                "\\iota",
                "\\kappa",
                "\\lambda",
                "\\mu",
                "\\nu",
                "\\xi",
                "\\pi",
                "\\rho",
                "\\sigma",
                "\\tau",
                "\\varphi",
                "\\chi",
                "\\psi",
                "\\omega",
            ],
        ),
        (
            "ΓΔΘΛΞΠΣΦΨΩ",
            &[
                "\\Gamma", "\\Delta", "\\Theta", "\\Lambda", "\\Xi", "\\Pi", "\\Sigma", "\\Phi",
                "\\Psi", "\\Omega",
            ],
        ),
    ];
    let greek = |(letters, names): &(&str, &[&'static str])| {
        let at = letters.chars().position(|known| known == c)?;
        names.get(at).copied()
    };
    GREEK.iter().find_map(greek).or_else(|| sign(c))
}

fn sign(c: char) -> Option<&'static str> {
    Some(match c {
        'µ' => "\\mu",
        '−' => "-",
        '·' | '⋅' => "\\cdot",
        '×' => "\\times",
        '±' => "\\pm",
        '∓' => "\\mp",
        '≤' => "\\le",
        '≥' => "\\ge",
        '≠' => "\\ne",
        '≈' => "\\approx",
        '≡' => "\\equiv",
        '≪' => "\\ll",
        '≫' => "\\gg",
        '≲' => "\\lesssim",
        '∼' => "\\sim",
        '∝' => "\\propto",
        '⪯' => "\\preceq",
        '⪰' => "\\succeq",
        '‖' => "\\|",
        '⟨' => "\\langle",
        '⟩' => "\\rangle",
        '⌈' => "\\lceil",
        '⌉' => "\\rceil",
        '⌊' => "\\lfloor",
        '⌋' => "\\rfloor",
        '√' => "\\surd",
        '∇' => "\\nabla",
        '∂' => "\\partial",
        '∞' => "\\infty",
        '∫' => "\\int",
        '∑' => "\\sum",
        '∏' => "\\prod",
        '½' => "\\frac12",
        '¼' => "\\frac14",
        '¾' => "\\frac34",
        'ℓ' => "\\ell",
        '′' => "'",
        '″' => "''",
        '∈' => "\\in",
        '∉' => "\\notin",
        '⊆' => "\\subseteq",
        '⊇' => "\\supseteq",
        '⊂' => "\\subset",
        '∖' => "\\setminus",
        '∩' => "\\cap",
        '∪' => "\\cup",
        '∅' => "\\emptyset",
        '∀' => "\\forall",
        '∃' => "\\exists",
        '→' => "\\to",
        '←' => "\\leftarrow",
        '↦' => "\\mapsto",
        '⇒' => "\\Rightarrow",
        '⇔' => "\\Leftrightarrow",
        '⊕' => "\\oplus",
        '⊗' => "\\otimes",
        '⟂' | '⊥' => "\\perp",
        '⋆' => "\\star",
        '⋯' => "\\cdots",
        '°' => "{}^\\circ",
        'ℝ' => "\\mathbb{R}",
        'ℙ' => "\\mathbb{P}",
        '𝔼' => "\\mathbb{E}",
        '𝟙' => "\\mathbf{1}",
        'ℋ' => "\\mathcal{H}",
        '𝒜' => "\\mathcal{A}",
        '𝒮' => "\\mathcal{S}",
        '𝒯' => "\\mathcal{T}",
        '𝓜' => "\\mathcal{M}",
        '𝓘' => "\\mathcal{I}",
        'ϕ' => "\\phi",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_keep_their_indices_powers_and_accents() {
        assert_eq!(
            tex("σ_U²"),
            "\\ensuremath{\\sigma}\\textsubscript{U}\\textsuperscript{2}"
        );
        assert_eq!(tex("x^{k+1}"), "x\\textsuperscript{k+1}");
        assert_eq!(tex("(a)_{j_t}"), "(a)\\textsubscript{j\\textsubscript{t}}");
        assert_eq!(tex("w̄"), "\\ensuremath{\\bar{w}}");
        assert_eq!(tex("σ̂"), "\\ensuremath{\\hat{\\sigma}}");
        assert_eq!(tex("a_w̄"), "a\\textsubscript{\\ensuremath{\\bar{w}}}");
        assert_eq!(tex("x <= y"), "x \\ensuremath{\\le} y");
        assert_eq!(tex("2^-24/5"), "2\\textsuperscript{-24}/5");
        assert_eq!(
            tex("w^* & 5 % _"),
            "w\\textsuperscript{\\ensuremath{*}} \\& 5 \\% \\_"
        );
        assert_eq!(tex("☃"), "[U+2603]");
        assert_eq!(tex("µ^(k)"), "\\ensuremath{\\mu}\\textsuperscript{(k)}");
    }
}
