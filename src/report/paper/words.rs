//! Words as LaTeX, with the symbols, indices and powers among them that no formula holds.

use super::symbols::{letter, lowered, raised};
use crate::ledger::notation::{Piece, Token, tokens};
use std::collections::HashMap;
use std::fmt::Write;

/// Text in which no formula is understood, with its symbols, indices and powers.
pub(super) fn words(text: &str) -> String {
    let ends = scripts(text);
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
            inside => write!(out, "{mark}{{{}}}", words(inside)).expect("writing to a string"),
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
            _ if !matches!(mark.kind, Piece::Below | Piece::Above) => continue,
            Piece::Open => closing(&tokens[i + 1..]),
            Piece::Operator => tokens.get(i + 2).filter(|t| !t.spaced),
            _ => Some(first),
        };
        let Some(last) = last else { continue };
        let primed = (mark.kind, first.kind) == (Piece::Below, Piece::Symbol);
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
        depth += i32::from(token.kind == Piece::Open) - i32::from(token.kind == Piece::Close);
        depth == 0
    })
}

/// The name in TeX of a combining accent.
pub(super) const fn accent(c: char) -> Option<&'static str> {
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
    fn symbols_keep_their_indices_powers_and_accents() {
        assert_eq!(
            words("σ_U²"),
            "\\ensuremath{\\sigma}\\textsubscript{U}\\textsuperscript{2}"
        );
        assert_eq!(words("x^{k+1}"), "x\\textsuperscript{k+1}");
        assert_eq!(
            words("(a)_{j_t}"),
            "(a)\\textsubscript{j\\textsubscript{t}}"
        );
        assert_eq!(words("w̄"), "\\ensuremath{\\bar{w}}");
        assert_eq!(words("x w̄"), "x \\ensuremath{\\bar{w}}");
        assert_eq!(words("σ̂"), "\\ensuremath{\\hat{\\sigma}}");
        assert_eq!(words("a_w̄"), "a\\textsubscript{\\ensuremath{\\bar{w}}}");
        assert_eq!(words("10¹⁸"), "10\\textsuperscript{18}");
        assert_eq!(
            words("σ²ᵢ"),
            "\\ensuremath{\\sigma}\\textsuperscript{2}\\textsubscript{i}"
        );
        assert_eq!(words("2^-24/5"), "2\\textsuperscript{-24}/5");
        assert_eq!(
            words("w^* & 5 % _"),
            "w\\textsuperscript{\\ensuremath{*}} \\& 5 \\% \\_"
        );
        assert_eq!(
            words("K_2R_x L_0n log^aN x_t²"),
            "K\\textsubscript{2}R\\textsubscript{x} L\\textsubscript{0}n log\\textsuperscript{a}N \
             x\\textsubscript{t}\\textsuperscript{2}"
        );
        assert_eq!(words("µ^(k)"), "\\ensuremath{\\mu}\\textsuperscript{(k)}");
        // The square of entry k′.
        let entry = words("x_k′²");
        assert!(
            entry.starts_with("x\\textsubscript{k") && entry.ends_with("}\\textsuperscript{2}")
        );
        assert!(!entry.contains("k}\\ensuremath"), "{entry}");
    }
}
