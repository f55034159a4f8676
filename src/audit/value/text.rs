//! Columns that look inside of texts.

use super::columns::{COLUMNS, Filler, Names};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Texts, beginnings, endings or words that have a column each, at one place: the most frequent.
const TEXTS: usize = 16;
/// Lengths of beginnings and endings.
const LENGTHS: [usize; 5] = [1, 2, 4, 8, 16];
/// Characters of a text that have columns: the first. Where places of lists have to do without columns, fewer.
const CHARACTERS: [usize; 2] = [256, 32];
/// Different characters that have a column each, wherever in a text they stand.
const LETTERS: usize = 128;
/// Numbers in a text that have columns, likewise.
const INSIDE: [usize; 2] = [256, 8];

/// The columns of the texts at one place: of frequent ones, and of frequent parts where these do not tell all.
///
/// A real number in a text is a number: its digits, of which the last are those of its rounding, are in no other part.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(default, deny_unknown_fields)]
pub(super) struct Texts {
    /// Columns of frequent texts.
    whole: BTreeMap<String, usize>,
    /// Columns of frequent beginnings.
    begins: BTreeMap<String, usize>,
    /// Columns of frequent endings.
    ends: BTreeMap<String, usize>,
    /// Columns of frequent words.
    words: BTreeMap<String, usize>,
    /// Columns of characters, wherever they stand.
    letters: BTreeMap<String, usize>,
    /// Columns of the numbers inside, in their order.
    numbers: Vec<usize>,
    /// Columns of the first characters, by their code.
    characters: Vec<usize>,
}

impl Texts {
    /// The columns of these texts at a place.
    pub(super) fn of(path: &str, seen: &[Cow<'_, str>], names: &mut Names) -> Self {
        let each = seen.iter().map(AsRef::as_ref);
        let whole = frequent(each.clone(), usize::MAX, TEXTS);
        let mut texts = Self {
            whole: columns(&format!("{path} is"), whole, names),
            ..Self::default()
        };
        if each.clone().all(|text| texts.whole.contains_key(text)) {
            return texts;
        }
        let split: Vec<(String, Vec<f64>)> = seen.iter().map(|text| split(text)).collect();
        let shapes: Vec<&str> = split.iter().map(|(shape, _)| shape.as_str()).collect();
        let mut found = |says: &str, of: fn(&str) -> Vec<&str>, most: usize| {
            let found = frequent(parts(&shapes, of).into_iter(), seen.len(), most);
            columns(&format!("{path} {says}"), found, names)
        };
        texts.begins = found("begins with", beginnings, TEXTS);
        texts.ends = found("ends with", endings, TEXTS);
        texts.words = found("has the word", words, TEXTS);
        texts.letters = found("has the character", letters, LETTERS);
        let scarce = usize::from(names.places < COLUMNS);
        let most = split.iter().map(|(_, inside)| inside.len()).max();
        // A text that is a number has its column already.
        let is_number = |text: &str| text.trim().parse::<f64>().is_ok();
        if !each.clone().all(is_number) {
            let inside = 0..names.first_of(most.unwrap_or(0), INSIDE[scarce]);
            let inside = inside.map(|at| names.push(format!("number {at} in {path}"), false));
            texts.numbers = inside.flatten().collect();
        }
        let longest = shapes.iter().map(|shape| shape.chars().count()).max();
        let characters = 0..names.first_of(longest.unwrap_or(0), CHARACTERS[scarce]);
        let characters =
            characters.map(|at| names.push(format!("character {at} of {path}"), false));
        texts.characters = characters.flatten().collect();
        texts
    }

    /// Writes the columns of a text.
    pub(super) fn fill(&self, text: &str, to: &mut Filler<'_>) {
        to.set(self.whole.get(text).copied(), 1.0);
        let parts = [&self.begins, &self.ends, &self.words, &self.letters];
        let looks_inside = !(self.numbers.is_empty() && self.characters.is_empty());
        if !looks_inside && parts.iter().all(|columns| columns.is_empty()) {
            return;
        }
        let (shape, inside) = split(text);
        let found = [beginnings, endings, words, letters].map(|parts| parts(&shape));
        for (columns, found) in parts.into_iter().zip(found) {
            for part in found {
                to.set(columns.get(part).copied(), 1.0);
            }
        }
        for (column, x) in self.numbers.iter().zip(inside) {
            to.set(Some(*column), x);
        }
        for (column, character) in self.characters.iter().zip(shape.chars()) {
            to.set(Some(*column), f64::from(u32::from(character)));
        }
    }
}

/// A text with `#` for every real number, and the numbers in it, whole or real.
fn split(text: &str) -> (String, Vec<f64>) {
    let in_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | '-' | '+' | 'e' | 'E');
    let (mut shape, mut numbers, mut rest) = (String::new(), Vec::new(), text);
    while !rest.is_empty() {
        let run = rest.find(|c| !in_number(c)).unwrap_or(rest.len());
        // A point at the end is the sentence's.
        let number = rest[..run].trim_end_matches('.');
        let behind = &rest[number.len()..];
        // Not `12e4` among the digits of a hexadecimal number.
        let neighbours = [shape.chars().next_back(), behind.chars().next()];
        let alone = !neighbours.into_iter().flatten().any(char::is_alphanumeric);
        let is_real = number.contains('.') || alone && number.contains(['e', 'E']);
        match number.parse::<f64>() {
            Ok(x) => {
                numbers.push(x);
                shape.push_str(if is_real { "#" } else { number });
            }
            // Several in a row: a date, a range.
            Err(_) => {
                let whole = number.split(|c: char| !c.is_ascii_digit());
                numbers.extend(whole.filter_map(|digits| digits.parse::<f64>().ok()));
                shape.push_str(number);
            }
        }
        let between = behind.find(|c| in_number(c) && c != '.');
        let (words, further) = behind.split_at(between.unwrap_or(behind.len()));
        shape.push_str(words);
        rest = further;
    }
    (shape, numbers)
}

/// The parts of all texts, each once a text.
fn parts<'a>(shapes: &[&'a str], of: impl Fn(&'a str) -> Vec<&'a str>) -> Vec<&'a str> {
    let each = shapes.iter().flat_map(|shape| {
        let mut parts = of(shape);
        parts.sort_unstable();
        parts.dedup();
        parts
    });
    each.collect()
}

/// The beginnings of a text, shorter than itself.
fn beginnings(text: &str) -> Vec<&str> {
    let end = |length: usize| text.char_indices().nth(length).map(|(at, _)| &text[..at]);
    LENGTHS.into_iter().filter_map(end).collect()
}

/// The endings of a text, shorter than itself.
fn endings(text: &str) -> Vec<&str> {
    let start = |length: usize| {
        let (at, _) = text.char_indices().nth_back(length - 1)?;
        (at > 0).then(|| &text[at..])
    };
    LENGTHS.into_iter().filter_map(start).collect()
}

/// Letters and digits between other characters.
fn words(text: &str) -> Vec<&str> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    words.filter(|word| !word.is_empty()).collect()
}

/// The characters of a text.
fn letters(text: &str) -> Vec<&str> {
    let from = text.char_indices();
    from.map(|(at, letter)| &text[at..at + letter.len_utf8()])
        .collect()
}

/// What occurs more than once but fewer than so many times, the most frequent first.
fn frequent<'a>(seen: impl Iterator<Item = &'a str>, all: usize, most: usize) -> Vec<&'a str> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for text in seen {
        *counts.entry(text).or_default() += 1;
    }
    let some = |(_, count): &(&str, usize)| *count > 1 && *count < all;
    let mut frequent: Vec<(&str, usize)> = counts.into_iter().filter(some).collect();
    frequent.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    frequent.truncate(most);
    frequent.into_iter().map(|(text, _)| text).collect()
}

/// A column for each of these.
fn columns(says: &str, texts: Vec<&str>, names: &mut Names) -> BTreeMap<String, usize> {
    let column = |text: &str| {
        let column = names.push(format!("{says} {text:?}"), true)?;
        Some((text.to_owned(), column))
    };
    texts.into_iter().filter_map(column).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn real_numbers_are_taken_out_of_a_text_and_whole_ones_are_not() {
        for (text, shape, numbers) in [
            ("sum=-1.25e-3 of 7.", "sum=# of 7.", &[-1.25e-3, 7.0][..]),
            ("2026-11-28", "2026-11-28", &[2026.0, 11.0, 28.0]),
            ("theéend", "theéend", &[]),
            ("ab12e4cd 1e3", "ab12e4cd #", &[12e4, 1e3]),
            ("...", "...", &[]),
            ("-4", "-4", &[-4.0]),
            ("", "", &[]),
        ] {
            assert_eq!(split(text), (shape.to_owned(), numbers.to_vec()), "{text}");
        }
    }

    #[test]
    fn parts_are_whole_characters_and_shorter_than_the_text() {
        assert_eq!(beginnings("éàü"), ["é", "éà"]);
        assert_eq!(endings("éàü"), ["ü", "àü"]);
        assert_eq!(endings("é"), [""; 0]);
        assert_eq!(words("a-bc, é7"), ["a", "bc", "é7"]);
        assert_eq!(letters("aé-"), ["a", "é", "-"]);
    }

    /// What is inside of texts of which no part comes back has its columns all the same.
    #[test]
    fn numbers_and_parts_of_a_text_are_written_into_their_columns() {
        let of = |texts: &[String]| {
            let seen: Vec<Cow<'_, str>> =
                texts.iter().map(|text| Cow::from(text.as_str())).collect();
            let mut names = Names::new(64);
            let found = Texts::of("it", &seen, &mut names);
            (found, names.given)
        };
        let row = |texts: &Texts, width: usize, text: &str| {
            let mut row = vec![0.0; width];
            let round = |_: usize, x: f64| x;
            let mut filler = Filler {
                round: &round,
                row: &mut row,
            };
            texts.fill(text, &mut filler);
            row
        };
        let told = |texts: &[String], text: &str| -> Vec<String> {
            let (found, names) = of(texts);
            let row = row(&found, names.len(), text);
            let shown = names.iter().zip(row).filter(|(_, x)| *x != 0.0);
            shown
                .map(|(name, x)| format!("{} {x}", name.text))
                .collect()
        };
        let line = |k: u32| match k % 2 {
            0 => format!("no {}.5 of", 7 * k),
            _ => format!("yes {}.5 at", 7 * k),
        };
        let found = told(&(0..400).map(line).collect::<Vec<_>>(), "no 14.5 of");
        // Of these no part tells one from another.
        let alike = told(
            &(0..400)
                .map(|k| format!("x{}.5", 7 * k))
                .collect::<Vec<_>>(),
            "x14.5",
        );
        assert!(
            alike.contains(&"number 0 in it 14.5".to_owned()),
            "{alike:?}"
        );
        for part in [
            "it begins with \"no\" 1",
            "it ends with \"of\" 1",
            "it has the word \"no\" 1",
            "number 0 in it 14.5",
            "character 0 of it 110",
        ] {
            assert!(found.contains(&part.to_owned()), "{part}: {found:?}");
        }
    }

    /// What begins, ends or is a word counts once a text, and only if it comes back and is not in all; the most frequent have columns.
    #[test]
    fn parts_that_tell_texts_apart_have_columns() {
        let seen = ["a", "b", "a", "c", "b", "a"];
        assert_eq!(frequent(seen.into_iter(), usize::MAX, 9), ["a", "b"]);
        assert_eq!(frequent(seen.into_iter(), 3, 9), ["b"]);
        assert_eq!(frequent(["x"; 2].into_iter(), 2, 9), [""; 0]);
        let many: Vec<String> = (0..40).map(|i| format!("{:02}", i % 20)).collect();
        assert_eq!(
            frequent(many.iter().map(String::as_str), usize::MAX, TEXTS).len(),
            TEXTS
        );
        assert_eq!(parts(&["b a b", "a"], words), ["a", "b", "a"]);
    }
}
