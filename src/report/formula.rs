//! Statements as HTML: words stay words, formulas become MathML.
//!
//! Tokens keep their order; only scripts, roots and fractions change where they stand, and these only where the text
//! can be read in one way. A formula that is not understood stays text, so that none is shown as what it does not say.

mod assembly;
mod parser;
mod plain;
#[cfg(test)]
mod tests;

use super::page::escape;
use crate::ledger::notation::{Piece, Token, tokens};
use assembly::broken;
pub(super) use plain::{element, ends};
use plain::{joined, plain};

/// The text as HTML, its formulas as MathML: one element for each part of a relation or sum, between which lines break.
#[must_use]
pub(super) fn typeset(text: &str) -> String {
    joined(&written(text, escape, |math| plain(&math)))
}

/// The text, its words as `words` writes them and each of its formulas, which is given as MathML, as `shown` does.
pub(super) fn written(
    text: &str,
    words: impl Fn(&str) -> String,
    shown: impl Fn(String) -> String,
) -> String {
    let all = tokens(text);
    let mut out = String::new();
    let (mut at, mut i) = (0, 0);
    while i < all.len() {
        let word = matches!(all[i].kind, Piece::Word | Piece::Text | Piece::Punctuation);
        if word || is_appendix(&all[i], text) {
            i += 1;
            continue;
        }
        let length = piece(&all[i..]);
        for part in balanced(&all[i..i + length]) {
            let (start, end) = (part[0].start, part[part.len() - 1].end);
            if let Some(math) = formula(part) {
                out += &words(&text[at..start]);
                out += &shown(math);
                at = end;
            }
        }
        i += length;
    }
    out + &words(&text[at..])
}

/// Whether a letter counts appendices: `App. E`, `Lemma E.1`.
fn is_appendix(token: &Token, text: &str) -> bool {
    let counts = token.text.chars().all(|c| c.is_ascii_uppercase());
    let of_appendix = ["App. ", "Appendix "];
    let mut behind = text[token.end..].chars();
    let numbered = behind.next() == Some('.') && behind.next().is_some_and(|c| c.is_ascii_digit());
    counts
        && (numbered
            || of_appendix
                .iter()
                .any(|word| text[..token.start].ends_with(word)))
}

/// How many tokens there are before the next word, or punctuation outside brackets.
fn piece(all: &[Token]) -> usize {
    let mut depth = 0i32;
    for (i, token) in all.iter().enumerate() {
        match token.kind {
            Piece::Word => return i,
            Piece::Open => depth += 1,
            Piece::Close => depth -= 1,
            Piece::Punctuation if depth <= 0 => return i,
            // A list may stand in brackets, a sentence may not.
            Piece::Punctuation if all.get(i + 1).is_none_or(|next| next.kind == Piece::Word) => {
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
            Piece::Open => open.push(i),
            Piece::Close if open.pop().is_none() => lone.push(i),
            _ => {}
        }
    }
    lone.extend(open);
    lone.sort_unstable();
    let tight = |i: usize| {
        let token = &piece[i];
        let joined = i > 0 && !token.spaced && piece[i - 1].end == token.start;
        match token.kind {
            Piece::Open => joined,
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
            Piece::Symbol | Piece::Function | Piece::Root | Piece::Above | Piece::Below
        )
    };
    let operands = part
        .iter()
        .filter(|t| matches!(t.kind, Piece::Symbol | Piece::Number))
        .count();
    // `all > 0`, or a number with its sign.
    let begins = match part {
        [first, second, ..] => match first.text.as_str() {
            "−" | "±" => second.kind == Piece::Number && !second.spaced,
            other => "=≠<>≤≥".contains(other),
        },
        _ => false,
    };
    let compares = part.iter().any(|t| t.kind == Piece::Operator) && operands > 1 || begins;
    if !(part.iter().any(says) || compares) || operands == 0 {
        return None;
    }
    parser::items(part).map(|items| broken(&items))
}
