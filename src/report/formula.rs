//! Statements as HTML: words stay words, formulas become MathML.
//!
//! Tokens keep their order; only scripts, roots and fractions change where they stand, and these only where the text
//! can be read in one way. A formula that is not understood stays text, so that none is shown as what it does not say.

mod assembly;
mod parser;
#[cfg(test)]
mod tests;

use super::page::escape;
use crate::ledger::notation::{Kind, Token, tokens};
use assembly::broken;

/// The text as HTML, its formulas as MathML: one element for each part of a relation or sum, between which lines break.
#[must_use]
pub(super) fn typeset(text: &str) -> String {
    written(text, |math| {
        let math = ungrouped(math);
        plain(&math).unwrap_or(math)
    })
}

/// Without groups that only hold a pair of brackets together: where nothing is high, brackets are as high as they should be
/// without. A group in a script stays, which it is the one part of.
fn ungrouped(math: String) -> String {
    if ["<mfrac", "<msqrt", "<munder", "<mover"]
        .iter()
        .any(|high| math.contains(high))
    {
        return math;
    }
    let mut out = String::new();
    // The elements around, and whether each is written.
    let mut around: Vec<(&str, bool)> = Vec::new();
    let mut left = &*math;
    while let Some((before, rest)) = left.split_once('<') {
        let (tag, rest) = rest.split_once('>').unwrap_or((rest, ""));
        let mut written = true;
        if tag.starts_with('/') {
            written = around.pop().is_none_or(|(_, written)| written);
        } else if !tag.ends_with('/') {
            let loose = around
                .last()
                .is_some_and(|(name, _)| ["math", "mrow"].contains(name));
            written = tag != "mrow" || !loose;
            around.push((tag, written));
        }
        out += before;
        if written {
            out += &format!("<{tag}>");
        }
        left = rest;
    }
    out + left
}

/// The text with each of its formulas as `shown` writes it.
fn written(text: &str, shown: impl Fn(String) -> String) -> String {
    let all = tokens(text);
    let mut out = String::new();
    let (mut at, mut i) = (0, 0);
    while i < all.len() {
        if matches!(all[i].kind, Kind::Word | Kind::Text | Kind::Punctuation) {
            i += 1;
            continue;
        }
        let length = piece(&all[i..]);
        for part in balanced(&all[i..i + length]) {
            let (start, end) = (part[0].start, part[part.len() - 1].end);
            if let Some(math) = formula(part) {
                out += &escape(&text[at..start]);
                out += &shown(math);
                at = end;
            }
        }
        i += length;
    }
    out + &escape(&text[at..])
}

/// A formula of letters, numbers, brackets, commas, relations and scripts of such alone as text with slanted letters: it
/// looks the same, and half of the page's formulas are such.
fn plain(math: &str) -> Option<String> {
    let inside = math.strip_prefix("<math>")?.strip_suffix("</math>")?;
    let mut all = String::new();
    let mut left = inside;
    while !left.is_empty() {
        let (text, rest) = flat(left)?;
        all += &text;
        left = rest;
    }
    Some(all.trim_end().to_owned())
}

/// The first element as text, and what is behind it.
fn flat(left: &str) -> Option<(String, &str)> {
    let (name, rest) = left.strip_prefix('<')?.split_once('>')?;
    let end = |rest: &'_ str| rest.strip_prefix(&*format!("</{name}>")).map(str::len);
    if let Some(script @ ("sub" | "sup")) = name.strip_prefix('m') {
        let (base, rest) = flat(rest)?;
        let (above, rest) = flat(rest)?;
        let text = format!("{base}<{script}>{}</{script}>", above.trim());
        return Some((text, &rest[rest.len() - end(rest)?..]));
    }
    let (inside, rest) = rest.split_once("</")?;
    let rest = rest.strip_prefix(name)?.strip_prefix('>')?;
    let text = match (name, inside) {
        ("mi", letter) if letter.chars().count() == 1 => format!("<i>{letter}</i>"),
        ("mn", number) => number.to_owned(),
        ("mo", bracket @ ("(" | ")" | "[" | "]" | "…")) => bracket.to_owned(),
        ("mo", ",") => ", ".to_owned(),
        ("mo", sign @ ("=" | "≤" | "≥" | "&lt;" | "&gt;" | "∈" | "←" | ":=")) => {
            format!(" {sign} ")
        }
        _ => return None,
    };
    Some((text, rest))
}

/// How many tokens there are before the next word, or punctuation outside brackets.
fn piece(all: &[Token]) -> usize {
    let mut depth = 0i32;
    for (i, token) in all.iter().enumerate() {
        match token.kind {
            Kind::Word => return i,
            Kind::Open => depth += 1,
            Kind::Close => depth -= 1,
            Kind::Punctuation if depth <= 0 => return i,
            // A list may stand in brackets, a sentence may not.
            Kind::Punctuation if all.get(i + 1).is_none_or(|next| next.kind == Kind::Word) => {
                return i;
            }
            _ => {}
        }
    }
    all.len()
}

/// The parts of a piece between brackets that have no partner in it; a bracket that belongs to a symbol takes the whole
/// piece with it.
fn balanced(piece: &[Token]) -> Vec<&[Token]> {
    let mut open = Vec::new();
    let mut lone = Vec::new();
    for (i, token) in piece.iter().enumerate() {
        match token.kind {
            Kind::Open => open.push(i),
            Kind::Close if open.pop().is_none() => lone.push(i),
            _ => {}
        }
    }
    lone.extend(open);
    lone.sort_unstable();
    let tight = |i: usize| {
        let token = &piece[i];
        let joined = i > 0 && !token.spaced && piece[i - 1].end == token.start;
        match token.kind {
            Kind::Open => joined,
            _ => piece.get(i + 1).is_some_and(|next| next.start == token.end),
        }
    };
    if lone.iter().any(|i| tight(*i)) {
        return Vec::new();
    }
    let mut parts = Vec::new();
    let mut from = 0;
    for i in lone.into_iter().chain([piece.len()]) {
        if from < i {
            parts.push(&piece[from..i]);
        }
        from = i + 1;
    }
    parts
}

/// The MathML of a formula; `None` where there is none to typeset, or it is not understood.
fn formula(part: &[Token]) -> Option<String> {
    let says = |t: &Token| {
        matches!(
            t.kind,
            Kind::Symbol | Kind::Function | Kind::Root | Kind::Above | Kind::Below
        )
    };
    let operands = part
        .iter()
        .filter(|t| matches!(t.kind, Kind::Symbol | Kind::Number))
        .count();
    // `all > 0`, or a number with its sign.
    let begins = match part {
        [first, second, ..] if first.kind == Kind::Operator => match first.text.as_str() {
            "−" | "±" => second.kind == Kind::Number && !second.spaced,
            relation => "=≠<>≤≥".contains(relation),
        },
        _ => false,
    };
    let compares = part.iter().any(|t| t.kind == Kind::Operator) && operands > 1 || begins;
    if !(part.iter().any(says) || compares) || operands == 0 {
        return None;
    }
    parser::items(part).map(|items| broken(&items))
}
