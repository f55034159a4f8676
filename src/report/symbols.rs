//! What the symbols of each paper stand for, and those of a statement.

use crate::ledger::notation::{Piece, tokens};
use dp_assay_spec::claim::Paper;

/// The symbols of a text that have one meaning in the paper, each once, with that meaning.
///
/// ```
/// use dp_assay::report::symbols;
/// use dp_assay_spec::claim::Paper;
///
/// assert_eq!(symbols(Paper::Gcd, "ε over n"), [("ε", "privacy parameter of the whole run"), ("n", "number of records")]);
/// ```
#[must_use]
pub fn symbols(paper: Paper, text: &str) -> Vec<(&'static str, &'static str)> {
    let tokens = tokens(text);
    let mut found: Vec<(&str, &str)> = Vec::new();
    let known = |name: &str| paper.symbols().iter().find(|(symbol, _)| *symbol == name);
    for (i, token) in tokens
        .iter()
        .enumerate()
        .filter(|(_, t)| t.kind == Piece::Symbol)
    {
        let below = i > 0 && matches!(tokens[i - 1].kind, Piece::Below | Piece::Above);
        let scripted: String = names(&tokens[i..]);
        let base = token.text.as_str();
        // Another index makes another symbol, unless the index is a variable that runs.
        let entry = known(&scripted).or_else(|| runs(&scripted).then(|| known(base)).flatten());
        if let Some(entry) = entry
            .filter(|_| !below)
            .filter(|entry| !found.contains(entry))
        {
            found.push(*entry);
        }
    }
    found
}

/// Symbols with their meanings, as text on one line.
pub(super) fn explained(all: &[(&str, &str)]) -> String {
    let each: Vec<String> = all
        .iter()
        .map(|(name, what)| format!("{name}: {}", what.replace("; ", ", ")))
        .collect();
    each.join("; ")
}

/// A symbol with its prime, star and index, as written.
fn names(tokens: &[crate::ledger::notation::Token]) -> String {
    let mut name = tokens[0].text.clone();
    let mut rest = &tokens[1..];
    let tight = |rest: &[crate::ledger::notation::Token]| rest.first().is_some_and(|t| !t.spaced);
    if tight(rest) && rest[0].kind == Piece::Raised && matches!(rest[0].text.as_str(), "′" | "*")
    {
        name += &rest[0].text;
        rest = &rest[1..];
    }
    if tight(rest) && rest[0].kind == Piece::Below {
        name += "_";
        let group = rest.get(1).is_some_and(|t| t.text == "{");
        let end = rest
            .iter()
            .position(|t| t.text == "}")
            .filter(|_| group)
            .map_or(2, |end| end + 1);
        name.extend(rest.iter().take(end).skip(1).map(|t| t.text.as_str()));
    }
    name
}

/// Whether an index is a letter that runs (`M_k` for `M_j`): then the symbol without it is what is explained.
fn runs(name: &str) -> bool {
    name.split_once('_').is_some_and(|(_, index)| {
        index.chars().count() == 1 && index.chars().all(char::is_alphabetic)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_are_explained_where_they_stand_and_each_once() {
        let found = symbols(
            Paper::Gcd,
            "lambda'_j = 2 L_j/(n eps') and λ′_j again, eps alone",
        );
        let names: Vec<&str> = found.iter().map(|f| f.0).collect();
        assert_eq!(names, ["λ′_j", "L_j", "n", "ε′", "ε"]);
        let told = [
            ("ε", "a budget"),
            ("n", "records; before a bracket, a noun"),
        ];
        assert_eq!(
            explained(&told),
            "ε: a budget; n: records, before a bracket, a noun"
        );
        // L̃_1 is not L_1, an exponent is explained like any other symbol, words are not.
        let names = |text| {
            symbols(Paper::Kl, text)
                .iter()
                .map(|f| f.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(names("L~_1 and L_1 d"), ["L̃_1", "L_1", "d"]);
        assert_eq!(names("a bound on F(w)"), ["F"]);
        // An index that runs leaves a symbol what it is, any other makes another one.
        let gcd = |text| {
            symbols(Paper::Gcd, text)
                .iter()
                .map(|f| f.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(gcd("M_k M_min"), ["M", "M_min"]);
        assert_eq!(gcd("M_avg"), [""; 0]);
        // What stands below is part of the symbol, whether that is known or not.
        assert_eq!(gcd("n"), ["n"]);
        assert_eq!(gcd("q_n"), [""; 0]);
    }

    #[test]
    fn every_symbol_of_the_tables_is_found_in_its_own_spelling() {
        for paper in Paper::BOOKS {
            for entry in paper.symbols() {
                assert_eq!(
                    symbols(paper, &format!("{} = 1", entry.0)).first(),
                    Some(entry),
                    "{paper}"
                );
            }
        }
    }
}
