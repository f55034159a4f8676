//! The printed constants: each stands in its claim's statement, and one that changes changes a file.

use crate::support::{BOOK, CLAIMS, is_left_to_kernel};
use dp_assay_spec::arith::Rational;
use dp_assay_spec::claim::Claim;
use std::collections::{BTreeMap, BTreeSet};

/// How many constants stand in no statement of their own claim; the table says of each where it comes from.
const ELSEWHERE: usize = 34;

/// What their numbers stand for where a statement has words or signs.
const WORDS: [(&str, u32); 4] = [("twice", 2), ("half", 2), ("√", 2), ("sqrt", 2)];

/// Words before the number of something that is not printed here.
const NAMED: [&str; 10] = [
    "Theorem",
    "Theorems",
    "Lemma",
    "Lemmas",
    "Corollary",
    "Algorithm",
    "Assumption",
    "App.",
    "Sec.",
    "Thm",
];

/// A constant as it was last looked at.
struct Row {
    value: String,
    /// Empty if the claim's statement or hypotheses print it; else the claim that does, or in words where
    /// it comes from.
    elsewhere: String,
}

/// The kept constants by claim and name.
fn kept() -> BTreeMap<(String, String), Row> {
    let lines = include_str!("../data/constants.tsv").lines();
    let row = |line: &str| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [claim, name, value, elsewhere] = fields[..] else {
            panic!("`{line}` does not have four fields");
        };
        let [claim, name, value, elsewhere] = [claim, name, value, elsewhere].map(str::to_owned);
        ((claim, name), Row { value, elsewhere })
    };
    lines.skip(1).map(row).collect()
}

fn text(claim: &Claim) -> String {
    format!("{} {}", claim.statement, claim.hypotheses)
}

/// The numbers that a text prints, exponents and powers among them, but not those of indices and names.
fn numerals(text: &str) -> BTreeSet<Rational> {
    let words = WORDS.iter().filter(|(word, _)| text.contains(word));
    let mut found: BTreeSet<Rational> = words.map(|(_, number)| Rational::from(*number)).collect();
    let plain: Vec<char> = flat(text).chars().collect();
    let mut at = 0;
    while at < plain.len() {
        let named = at > 0 && (plain[at - 1].is_alphabetic() || "_.".contains(plain[at - 1]));
        let length = digits(&plain[at..]);
        let named = named || refers(&plain[..at], &plain[at + length..]);
        let run: String = plain[at..at + length].iter().collect();
        if let (false, Some(base)) = (named, decimal(&run)) {
            let rest: String = plain[at + length..].iter().take(8).collect();
            let exponent = rest
                .strip_prefix('^')
                .map(|e| e.trim_start_matches(['{', '-']));
            let exponent = exponent.map(|e| {
                e.chars()
                    .take_while(char::is_ascii_digit)
                    .collect::<String>()
            });
            if let Some(exponent) = exponent.and_then(|e| e.parse::<u32>().ok()) {
                found.insert((0..exponent).fold(Rational::from(1), |power, _| power * &base));
            }
            found.insert(base);
        }
        at += length.max(1);
    }
    found
}

/// Whether the number between these is that of a display, as in "by (9)", or of what a word before it names.
fn refers(before: &[char], after: &[char]) -> bool {
    let before: String = before.iter().collect();
    let display = before.ends_with(" (") && after.first() == Some(&')');
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
    display || (before.ends_with(' ') && NAMED.contains(&word.trim_start_matches('(')))
}

/// The text with raised digits after a `^` and fractions as quotients.
fn flat(text: &str) -> String {
    let mut plain = String::new();
    let mut raised = false;
    for c in text
        .replace('½', " 1/2")
        .replace('−', "-")
        .replace('⁻', "")
        .chars()
    {
        let digit = "⁰¹²³⁴⁵⁶⁷⁸⁹".chars().position(|d| d == c);
        match digit {
            Some(digit) if raised => plain.push_str(&digit.to_string()),
            Some(digit) => plain.push_str(&format!("^{digit}")),
            None if raised => plain.extend([' ', c]),
            None => plain.push(c),
        }
        raised = digit.is_some();
    }
    plain
}

/// How many characters of a number stand at the start.
fn digits(text: &[char]) -> usize {
    let run = |from: usize| {
        text[from..]
            .iter()
            .take_while(|c| c.is_ascii_digit())
            .count()
    };
    let whole = run(0);
    match text.get(whole) {
        Some('.') if whole > 0 && run(whole + 1) > 0 => whole + 1 + run(whole + 1),
        _ => whole,
    }
}

fn decimal(run: &str) -> Option<Rational> {
    let (whole, fraction) = run.split_once('.').unwrap_or((run, ""));
    let scale = format!("1{}", "0".repeat(fraction.len()));
    format!("{whole}{fraction}/{scale}").parse().ok()
}

/// Whether a text prints a value: as a number, or as numerator and denominator. A factor of 1 goes
/// without saying, and so does a 0.
fn is_printed(value: &Rational, text: &str) -> bool {
    let numerals = numerals(text);
    let value = value.clone().abs();
    let known = |part: Rational| part <= 1 || numerals.contains(&part);
    numerals.contains(&value) || (known(value.numer().into()) && known(value.denom().into()))
}

#[test]
fn a_constant_that_changes_or_is_new_is_seen() {
    let mut kept = kept();
    let mut table = String::from("claim\tconstant\tvalue\tprinted elsewhere\n");
    let mut changed = Vec::new();
    for entry in BOOK.iter() {
        for constant in &entry.constants {
            let key = (entry.claim.id.to_owned(), constant.name.to_owned());
            let value = constant.value.to_string();
            let row = kept.remove(&key);
            if row.as_ref().is_none_or(|row| row.value != value) {
                let before = row.as_ref().map_or("none", |row| &row.value);
                changed.push(format!("{}, {}: {before} is now {value}", key.0, key.1));
            }
            let elsewhere = row.map_or(String::new(), |row| row.elsewhere);
            table.push_str(&format!("{}\t{}\t{value}\t{elsewhere}\n", key.0, key.1));
        }
    }
    changed.extend(
        kept.keys()
            .map(|(claim, name)| format!("{claim}, {name}: is no more")),
    );
    if std::env::var_os("DP_ASSAY_WRITE").is_some() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/constants.tsv");
        std::fs::write(path, table).expect("the source tree is writable");
    } else {
        let changed = changed.join("\n");
        assert!(
            changed.is_empty(),
            "{changed}\nIf that is what the papers print, run this test with DP_ASSAY_WRITE=1."
        );
    }
}

#[test]
fn every_constant_is_printed_by_its_claim_or_it_is_said_where() {
    let texts: BTreeMap<&str, String> = CLAIMS.iter().map(|c| (c.id, text(c))).collect();
    let mut wrong = Vec::new();
    let mut elsewhere = 0;
    for ((claim, name), row) in kept() {
        let value: Rational = row.value.parse().expect("a rational");
        let said = is_printed(&value, &texts[claim.as_str()]);
        elsewhere += usize::from(!row.elsewhere.is_empty());
        let told = match texts.get(row.elsewhere.as_str()) {
            Some(text) => is_printed(&value, text),
            // Reasons in words have more than one.
            None => row.elsewhere.contains(' '),
        };
        if said == told {
            let place = if said {
                "also"
            } else {
                "neither by its claim nor"
            };
            wrong.push(format!(
                "{claim}, {name} = {value}: printed {place} by `{}`",
                row.elsewhere
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(
        elsewhere, ELSEWHERE,
        "constants that their claims do not print"
    );
}

/// Numbers in the words of a claim that is left to the kernel which its term writes otherwise.
const OTHERWISE: [(&str, &str, &str); 29] = [
    ("skgd-red-dpcd", "2022", "a year"),
    ("skgd-red-dpsgd", "2014", "a year"),
    ("gcd-thm-4.4-cvx-T", "7", "2^{7/3} is c with c³ = 128"),
    ("gcd-thm-4.4-cvx-T-repaired", "6", "2^6 is 64"),
    ("gcd-thm-4.2-proof-access", "15", "a citation"),
    ("gcd-lem-B.2-proof-lines", "12", "a display"),
    ("gcd-thm-4.4-witness", "47/10", "a theorem"),
    ("decor-alg-4", "2", "half a round"),
    ("decor-asm-joint-lemma", "4", "an assumption"),
    ("decor-def-2-weights-reading-a", "2", "a definition"),
    ("decor-thm-2a-eta", "9", "a lemma"),
    ("decor-eq-12", "11", "a matrix of ones"),
    ("decor-exp-6", "5", "assumptions"),
    ("decor-exp-delta-repaired", "3/5", "0.6 is 6/10"),
    ("decor-exp-delta-repaired", "5", "10⁻⁵ is 1/100000"),
    ("decor-fact-cancel", "11", "a matrix of ones"),
    ("decor-lem-9-proof", "3", "times Ξ, which is 0"),
    ("decor-cor-12-priv-tight", "32", "what is printed instead"),
    ("decor-D1-mono", "3", "an algorithm"),
    ("decor-drv-10", "61/10", "a section"),
    (
        "kl-def-valley-proof",
        "2",
        "in a term of which nothing is used",
    ),
    ("kl-def-valley-proof", "5", "a section"),
    ("kl-thm-7-inst", "5", "another part of the display"),
    ("kl-lem-11-repaired", "10", "a claim"),
    (
        "kl-thm-9-proof",
        "2",
        "in logarithms that stand for themselves",
    ),
    ("ambssgd-eq-30", "29", "a display"),
    ("ambssgd-lem-3.10-util", "2", "in Γ, which is any"),
    (
        "ambssgd-cor-3.8",
        "4",
        "a step size, on which privacy does not depend",
    ),
    (
        "ambssgd-thm-3.7-proof-final-repaired",
        "44/5",
        "8.8 is 88/10",
    ),
];

/// The words of a claim that is left to the kernel print the numbers of its term: no check asks for them.
#[test]
fn the_words_of_a_theorem_print_numbers_of_its_term() {
    let left = BOOK.iter().filter(|e| is_left_to_kernel(e));
    let mut otherwise = Vec::new();
    for entry in left {
        let theorem = entry.theorem.as_ref().expect("the kernel proves it");
        let term = theorem.statement().to_string();
        let said = numerals(entry.claim.statement);
        let other = said.iter().filter(|number| !is_printed(number, &term));
        otherwise.extend(other.map(|number| (entry.claim.id, number.to_string())));
    }
    let known = OTHERWISE.map(|(id, number, _)| (id, number.to_owned()));
    assert_eq!(otherwise, known);
}

#[test]
fn numbers_are_found_in_a_text_and_indices_are_not() {
    let found =
        |text: &str| -> Vec<String> { numerals(text).iter().map(ToString::to_string).collect() };
    assert_eq!(found("12·L_3²·x₄/(7n)"), ["2", "7", "12"]);
    assert_eq!(
        found("n^{2/3} 2^7 10³ 0.05 w0"),
        ["1/20", "2", "3", "7", "10", "128", "1000"]
    );
    assert_eq!(found("twice e^{-100} at N^{−103}"), ["2", "100", "103"]);
    assert_eq!(found("½(a + b)"), ["1", "2"]);
    assert_eq!(
        found("3x (4) as (9), by Lemma 12 and Theorem 5, f(6) + (7 + y)"),
        ["3", "6", "7"]
    );
    let printed = |value: &str, text: &str| is_printed(&value.parse().expect("a rational"), text);
    assert!(printed("3/4", "(3L/4)x") && printed("1/64", "x/64") && printed("-8", "8 x"));
    assert!(!printed("9", "8 x_9") && !printed("3/4", "x/4") && !printed("3/4", "3x/2"));
    assert!(printed("1", "x") && printed("0", "x") && !printed("2", "x"));
    assert!(printed("1/20", "0.05") && printed("-1/2", "half of x"));
}
