//! The notation of statements: words and formulas in one line of text, some in ASCII (`eps <= sqrt(2)`), some in
//! Unicode (`ε ≤ √2`). [`unicode`] makes them one; the report typesets the same tokens.

#[cfg(test)]
mod pieces;
mod reader;
mod words;

/// What a piece of a statement is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// No part of a formula.
    Word,
    /// A word inside a script, as in `M_{w in W}`.
    Text,
    /// A variable.
    Symbol,
    /// A function or operator with a name, `log`.
    Function,
    /// A number.
    Number,
    /// `√`.
    Root,
    /// What stands between operands.
    Operator,
    /// `/`.
    Slash,
    /// A bracket that opens.
    Open,
    /// A bracket that closes.
    Close,
    /// `|` or `‖`, which may open or close.
    Bar,
    /// `_`.
    Below,
    /// `^`.
    Above,
    /// What is a subscript by its own form.
    Lowered,
    /// What is a superscript by its own form: `²`, a prime, the star of `w*`.
    Raised,
    /// A comma, semicolon, colon or full stop.
    Punctuation,
    /// What could be read in two ways.
    Unclear,
}

/// A piece of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// What it is.
    pub kind: Piece,
    /// What it reads in Unicode.
    pub text: String,
    /// Where it begins in the source.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// Whether white space stands before it.
    pub spaced: bool,
}

/// The text with the ASCII spellings of Greek letters, relations and roots in Unicode; words stay what they are.
///
/// ```
/// use dp_assay::ledger::notation::unicode;
///
/// assert_eq!(unicode("eps <= sqrt(8T log(1/delta))"), "ε ≤ √(8T log(1/δ))");
/// assert_eq!(unicode("Algorithm 1 is rho-zCDP"), "Algorithm 1 is ρ-zCDP");
/// assert_eq!(unicode(&unicode("L~_1 |w| >= 0")), "L̃_1 |w| ≥ 0");
/// ```
#[must_use]
pub fn unicode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for token in tokens(text) {
        out += &text[at..token.start];
        // A hyphen between words is none of a formula's, and its minus sign is typeset as one only there.
        let source = &text[token.start..token.end];
        out += if matches!(token.kind, Piece::Word | Piece::Text) || source == "-" {
            source
        } else {
            &token.text
        };
        at = token.end;
    }
    out + &text[at..]
}

/// The pieces of a text, in order; white space lies between them.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    items(articles(reader::read(text)))
}

/// `(a)` before the first of several statements is no factor.
fn items(mut found: Vec<Token>) -> Vec<Token> {
    for i in 0..found.len().saturating_sub(3) {
        let [open, letter, close, next] = &found[i..i + 4] else {
            continue;
        };
        let begins = i == 0 || matches!(found[i - 1].kind, Piece::Word | Piece::Punctuation);
        let one =
            letter.kind == Piece::Symbol && letter.text.chars().all(|c| c.is_ascii_lowercase());
        let apart = next.spaced && next.kind != Piece::Operator && !letter.spaced && !close.spaced;
        if begins
            && one
            && apart
            && (i == 0 || open.spaced)
            && [&*open.text, &*close.text] == ["(", ")"]
        {
            found[i..i + 3]
                .iter_mut()
                .for_each(|t| t.kind = Piece::Word);
        }
    }
    found
}

/// `a`, `A` and `I` between words are words, and `a` between what a formula ends with and a longer word: `w* a minimiser`,
/// `T = 2 a single round`.
fn articles(mut found: Vec<Token>) -> Vec<Token> {
    for i in 0..found.len() {
        let lone =
            matches!(found[i].text.as_str(), "a" | "A" | "I") && found[i].kind == Piece::Symbol;
        let after_word = i == 0
            || found[i].spaced && matches!(found[i - 1].kind, Piece::Word | Piece::Punctuation);
        let before = found.get(i + 1).map(|next| (next.spaced, next.kind));
        let goes_on = match before {
            None => false,
            Some((spaced, kind)) => {
                !spaced && kind != Piece::Punctuation && kind != Piece::Word
                    || kind == Piece::Operator
            }
        };
        let ended = i > 0
            && matches!(
                found[i - 1].kind,
                Piece::Symbol
                    | Piece::Number
                    | Piece::Close
                    | Piece::Above
                    | Piece::Raised
                    | Piece::Lowered
            );
        let noun = found.get(i + 1).is_some_and(|next| {
            next.kind == Piece::Word && next.spaced && next.text.chars().count() > 4
        });
        let article = found[i].text == "a" && found[i].spaced && ended && noun;
        if lone && (after_word && !goes_on || article) {
            found[i].kind = Piece::Word;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Brackets, dots and numbers are what they look like, wherever they stand.
    #[test]
    fn formulas_are_read_as_they_were_meant() {
        for (text, read) in [
            ("<x, y> >= 0", "⟨x, y⟩ ≥ 0"),
            ("(<x, y>)>0", "(⟨x, y⟩)>0"),
            ("a <b> c", "a ⟨b⟩ c"),
            ("j = 1..p", "j = 1…p"),
            ("f(.) at x. Then y", "f(·) at x. Then y"),
            // A minus sign and a quotation mark stay as they were written.
            ("x - 1 is 'small'", "x - 1 is 'small'"),
        ] {
            assert_eq!(unicode(text), read);
        }
        for number in ["1e5", "1e-12", "2.5", "0.25e+3", "60,000"] {
            let all = tokens(&format!("x = {number}. And"));
            let found: Vec<(Piece, &str)> = all.iter().map(|t| (t.kind, &*t.text)).collect();
            let want = [(Piece::Number, number), (Piece::Punctuation, ".")];
            assert_eq!(found[2..4], want, "{number}");
        }
    }

    /// A word that is also a name, a function or a symbol is one only where a formula needs it.
    #[test]
    fn words_are_told_from_symbols_by_what_stands_around_them() {
        let is = |text: &str, word: &str| {
            let found = tokens(text).into_iter().find(|t| t.text == word);
            found.unwrap_or_else(|| panic!("{word} in {text}")).kind
        };
        for (text, word, kind) in [
            ("|x + noise|", "noise", Piece::Symbol),
            ("a sum + noise", "noise", Piece::Word),
            ("(of the noise)", "noise", Piece::Word),
            ("max x", "max", Piece::Function),
            ("the max value", "max", Piece::Word),
            ("max a bound", "max", Piece::Word),
            ("a DP bound", "DP", Piece::Word),
            ("e\u{301}te\u{301} x", "e\u{301}te\u{301}", Piece::Word),
            ("for a x", "a", Piece::Word),
            ("with a, x", "a", Piece::Word),
            ("w* a minimiser", "a", Piece::Word),
            ("f(x) a number", "a", Piece::Word),
            ("T = 2 a single round", "a", Piece::Word),
            ("x a and y", "a", Piece::Symbol),
            ("x = a + b", "a", Piece::Symbol),
        ] {
            assert_eq!(is(text, word), kind, "{word} in {text}");
        }
    }
}
