//! What is typeset, and that nothing is lost or left on the way.

use super::super::page::escape;
use super::assembly::unwrapped;
use super::parser::levelled;
use super::{balanced, formula, piece, written};
use crate::ledger::notation::{Piece, Token, tokens};

/// With every formula as MathML.
fn typeset(text: &str) -> String {
    written(text, escape, |math| math)
}

/// What is short enough for text has the same signs in the same order, and nothing in it is lost.
#[test]
fn plain_formulas_are_text() {
    for (text, want) in [
        ("x", "<i>x</i>"),
        ("K >= 1", "<i>K</i> ≥ 1"),
        ("(ε, δ)", "(<i>ε, δ</i>)"),
        ("n < p", "<i>n</i> &lt; <i>p</i>"),
        ("f(x) <= 1", "<i>f</i>(<i>x</i>) ≤ 1"),
        ("x_1 = y^2", "<i>x</i><sub>1</sub> = <i>y</i><sup>2</sup>"),
        ("x_1^2", "<i>x</i><sub>1</sub><sup>2</sup>"),
        ("x_{i+1}", "<i>x</i><sub><i>i</i>+1</sub>"),
        ("-x - 1 = -y", "−<i>x</i> − 1 = −<i>y</i>"),
        ("x'", "<i>x</i>′"),
        // The entry k′, and the square of the entry.
        ("x_k′", "<i>x</i><sub><i>k</i>′</sub>"),
        ("x_k′²", "<i>x</i><sub><i>k</i>′</sub><sup>2</sup>"),
        ("log x", "log\u{2009}<i>x</i>"),
        ("log(x)^2", "log(<i>x</i>)<sup>2</sup>"),
        ("‖x - y‖", "‖<i>x</i> − <i>y</i>‖"),
        ("x/y <= 1/2", "<i>x</i>/<i>y</i> ≤ 1/2"),
        ("(x+1)/y", "(<i>x</i> + 1)/<i>y</i>"),
        ("1/(x·y)", "1/(<i>x·y</i>)"),
        ("1/(x·‖y‖)", "1/(<i>x</i>·‖<i>y</i>‖)"),
        ("1/(f(x))", "1/(<i>f</i>(<i>x</i>))"),
        ("(‖x‖ + y)/z", "(‖<i>x</i>‖ + <i>y</i>)/<i>z</i>"),
        ("1/(‖x‖·y)", "1/(‖<i>x</i>‖·<i>y</i>)"),
        ("λ'_j", "<i>λ</i>′<sub><i>j</i></sub>"),
        ("(x/y)·z", "(<i>x</i>/<i>y</i>)·<i>z</i>"),
        ("x^{1/2} + 1", "<i>x</i><sup>1/2</sup> + 1"),
    ] {
        assert_eq!(super::typeset(text), want, "{text}");
    }
    for text in [
        "x_{y_1}",
        "x/(y_1+y_2·z+1)",
        "x/(1+y/z)",
        "√(2x)",
        "w*_j",
        "x/y·z",
    ] {
        assert_eq!(super::typeset(text), typeset(text), "{text}");
    }
    // A fraction has no brackets; in text they are back, and no others. A prime stands before an index, not above it.
    const ELSEWHERE: [char; 7] = [' ', '\u{2009}', '\u{2061}', '/', '(', ')', '′'];
    let signs = |html: &str| (read(html).replace(ELSEWHERE, ""), html.matches('′').count());
    let brackets = |text: &str| text.matches('(').count();
    for claim in dp_assay_spec::claims() {
        let (shown, math) = (super::typeset(claim.statement), typeset(claim.statement));
        assert_eq!(signs(&shown), signs(&math), "{}", claim.id);
        let between = brackets(&read(&math))..=brackets(claim.statement);
        assert!(between.contains(&brackets(&read(&shown))), "{}", claim.id);
    }
}

/// What is typeset reads as the text does: the signs in their order, without scripts and fractions.
fn read(html: &str) -> String {
    let mut out = String::new();
    let mut inside = false;
    for c in html.chars() {
        match c {
            '<' => inside = true,
            '>' => inside = false,
            _ if !inside => out.push(c),
            _ => {}
        }
    }
    out
}

#[test]
fn fractions_roots_and_scripts_are_typeset() {
    for (text, want) in [
        (
            "1/(2x)",
            "<mfrac><mn>1</mn><mrow><mn>2</mn><mi>x</mi></mrow></mfrac>",
        ),
        (
            "a·b/n",
            "<mfrac><mrow><mi>a</mi><mo>·</mo><mi>b</mi></mrow><mi>n</mi></mfrac>",
        ),
        ("sqrt(T)", "<msqrt><mi>T</mi></msqrt>"),
        (
            "L_max^2",
            "<msubsup><mi>L</mi><mi>max</mi><mn>2</mn></msubsup>",
        ),
        ("x²", "<msup><mi>x</mi><mn>2</mn></msup>"),
        ("|w|", "<mo>|</mo><mi>w</mi><mo>|</mo>"),
        ("w*", "<msup><mi>w</mi><mo>*</mo></msup>"),
        (
            "log2(x)",
            "<msub><mi>log</mi><mn>2</mn></msub><mo>\u{2061}</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow>",
        ),
        (
            "log(x)^2",
            "<msup><mrow><mi>log</mi><mo>\u{2061}</mo><mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></mrow><mn>2</mn></msup>",
        ),
        // An index has none itself, and a factor is no part of it.
        (
            "x_iy_j",
            "<msub><mi>x</mi><mi>i</mi></msub><msub><mi>y</mi><mi>j</mi></msub>",
        ),
        (
            "w₀_j",
            "<msub><msub><mi>w</mi><mn>0</mn></msub><mi>j</mi></msub>",
        ),
        ("a^bias", "<msup><mi>a</mi><mi>bias</mi></msup>"),
        (
            "|a-|b||",
            "<mo>|</mo><mi>a</mi><mo>−</mo><mrow><mo>|</mo><mi>b</mi><mo>|</mo></mrow><mo>|</mo>",
        ),
        // Σ may be a matrix: what stands behind its dot is a factor.
        (
            "Σ·x/n",
            "<mi>Σ</mi><mo>·</mo><mfrac><mi>x</mi><mi>n</mi></mfrac>",
        ),
        (
            "√log(x)",
            "<msqrt><mi>log</mi><mo>\u{2061}</mo>\
             <mrow><mo>(</mo><mi>x</mi><mo>)</mo></mrow></msqrt>",
        ),
        ("√(x)y", "<msqrt><mi>x</mi></msqrt><mi>y</mi>"),
        ("√x_1", "<msqrt><msub><mi>x</mi><mn>1</mn></msub></msqrt>"),
        (
            "√[x]",
            "<mo>√</mo><mrow><mo>[</mo><mi>x</mi><mo>]</mo></mrow>",
        ),
        // One factor of several, and a term of a sum.
        (
            "a/b·c",
            "<mfrac><mi>a</mi><mi>b</mi></mfrac><mo>·</mo><mi>c</mi>",
        ),
        (
            "∑_i x/n",
            "<msub><mo>∑</mo><mi>i</mi></msub><mfrac><mi>x</mi><mi>n</mi></mfrac>",
        ),
        (
            "x⁻²",
            "<msup><mi>x</mi><mrow><mo>−</mo><mn>2</mn></mrow></msup>",
        ),
        (
            "x^-1",
            "<msup><mi>x</mi><mrow><mo>−</mo><mn>1</mn></mrow></msup>",
        ),
        (
            "√⟨x, y⟩",
            "<msqrt><mrow><mo>⟨</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>⟩</mo></mrow></msqrt>",
        ),
        (
            "[A | B]",
            "<mo>[</mo><mi>A</mi><mo>∣</mo><mi>B</mi><mo>]</mo>",
        ),
        ("⌊x⌋", "<mo>⌊</mo><mi>x</mi><mo>⌋</mo>"),
        ("⌈x⌉", "<mo>⌈</mo><mi>x</mi><mo>⌉</mo>"),
        // A relation is no sign, wherever it stands.
        ("= x", "<mo>=</mo><mi>x</mi>"),
        (
            "2 log x",
            "<mn>2</mn><mspace/><mi>log</mi><mspace width=\".17em\"/><mi>x</mi>",
        ),
        // A sign is none between operands.
        (
            "x = -1",
            "<mi>x</mi><mo>=</mo><mo form=\"prefix\">−</mo><mn>1</mn>",
        ),
    ] {
        assert_eq!(typeset(text), format!("<math>{want}</math>"), "{text}");
    }
}

/// What could be read in two ways keeps the order of the text.
#[test]
fn what_is_not_clear_gets_no_fraction() {
    for text in ["a/b c", "a/b/c", "a/b(c)", "log x/2", "√KT/2", "Σ_i/n"] {
        assert!(
            !typeset(text).contains("<mfrac>"),
            "{text}: {}",
            typeset(text)
        );
    }
    // A function ends with its term.
    assert!(typeset("log x + y/n").contains("<mfrac>"));
    // Nor does a fraction take the argument of a probability or a sum.
    for text in [
        "P(A)/n",
        "ℙ(j∈S)/M_j",
        "Σ_t(x_t)/t",
        "E(x)/n",
        "f(x)/n",
        "(x, y)/n",
        "(x; y)/n",
    ] {
        assert_eq!(
            typeset(text).matches("<mo>(</mo>").count(),
            1,
            "{text}: {}",
            typeset(text)
        );
    }
    for text in [
        "a*b",
        "f(x",
        "x_aB",
        "0/1",
        "3/4",
        "x^[k]",
        "x^=",
        "- 9 of them",
        "60,000",
        "(9)",
        "Lemma 12",
        "i.e.",
    ] {
        assert_eq!(typeset(text), escape(text));
    }
}

#[test]
fn words_stay_words_around_formulas() {
    let typeset = typeset("Algorithm 1 with a noise of 2L_0/n is (ε, δ)-DP, for k >= 1")
        .replace("</math><wbr><math>", "");
    let words = typeset
        .split("<math>")
        .map(|part| part.rsplit("</math>").next().unwrap_or_default());
    let words: Vec<&str> = words.collect();
    assert_eq!(
        words,
        ["Algorithm 1 with a noise of ", " is ", "-DP, for ", ""],
        "{typeset}"
    );
}

/// A line can break in a long formula, and what follows is an operator still, not a sign.
#[test]
fn a_piece_ends_at_punctuation_behind_brackets_and_not_within() {
    for (text, length) in [("(x), y = 1", 3), ("f(x), y", 4), ("f(x, y) = 1", 8)] {
        assert_eq!(piece(&tokens(text)), length, "{text}");
    }
}

/// A bar closes what a bar of its own kind opened.
#[test]
fn bars_are_paired_by_kind() {
    assert_eq!(typeset("‖x|"), "‖x|");
    assert!(typeset("‖x‖").contains("<mo>‖</mo>"));
}

/// A bracket that closes nothing ends a formula, but where it touches what follows there is none.
#[test]
fn a_lone_bracket_parts_formulas_unless_it_is_tight() {
    let parts = |text: &str| balanced(&tokens(text)).len();
    assert_eq!(
        [parts("a = b) c = d"), parts("a = b)c = d"), parts("a (= b")],
        [2, 0, 2]
    );
}

#[test]
fn letters_of_our_own_alphabets_are_slanted() {
    for (text, shown) in [
        ("ℓ", "<i>ℓ</i>"),
        ("λ", "<i>λ</i>"),
        ("ℝ", "ℝ"),
        ("max", "max"),
    ] {
        assert_eq!(super::plain::letters(text), shown);
    }
}

#[test]
fn raised_letters_are_variables_and_signs_are_operators() {
    let row = "<mrow><mi>n</mi><mo>−</mo><mn>1</mn></mrow>";
    assert_eq!(levelled("ⁿ⁻¹"), row);
    assert_eq!(levelled("ᵀ"), "<mi>T</mi>");
}

/// Of two indices neither is left out: what has them is no formula.
#[test]
fn an_index_behind_an_index_makes_no_formula() {
    for text in ["x_{a}₀", "x_{a}_{b}"] {
        assert_eq!(formula(&tokens(text)), None);
        let shown = typeset(text);
        for part in text.chars().filter(|c| c.is_alphanumeric()) {
            assert!(shown.contains(part), "{text}: {shown}");
        }
    }
}

#[test]
fn a_row_is_taken_off_where_it_is_the_only_one() {
    let (one, two) = ("<mrow>x</mrow>", "<mrow>x</mrow><mrow>y</mrow>");
    assert_eq!(unwrapped(one), "x");
    assert_eq!(unwrapped(two), two);
    let within = format!("<mrow>{two}</mrow>");
    assert_eq!(unwrapped(&within), two);
}

#[test]
fn long_formulas_can_break_and_short_ones_stay_whole() {
    assert!(!typeset("a + b <= c").contains("<wbr>"));
    let long = typeset("alpha + beta(x_1, x_2, x_3) + gamma(y_1, y_2, y_3) - delta(z_1, z_2, z_3)");
    assert_eq!(long.matches("</math><wbr><math>").count(), 1, "{long}");
    assert!(long.contains("<math><mo form=\"infix\">+</mo>"), "{long}");
    // A relation is never taken for a sign, nor is a sign that begins the whole.
    let long = "∓alpha(x_1, x_2, x_3, x_4, x_5, x_6) = beta(y_1, y_2, y_3, y_4, y_5, y_6)";
    let long = typeset(long);
    assert!(
        long.starts_with("<math><mo form=\"prefix\">∓</mo>"),
        "{long}"
    );
    assert!(long.contains("<wbr><math><mo>=</mo>"), "{long}");
    // A product is one part.
    assert!(!typeset("x_1·x_2·x_3·x_4·x_5·x_6·x_7·x_8·x_9·y_1·y_2").contains("<wbr>"));
    // An operator with nothing behind it begins no new part.
    let open = typeset("beta(x_1, x_2, x_3, x_4, x_5, x_6, x_7, x_8, x_9, x_0) +");
    assert!(!open.contains("<wbr>"), "{open}");
}

/// A list may stand in brackets; where words begin, the formula ends.
#[test]
fn a_sentence_in_brackets_is_no_part_of_a_formula() {
    let list = typeset("f(x, y) = z");
    assert!(
        list.contains("<mo>(</mo><mi>x</mi><mo>,</mo><mi>y</mi><mo>)</mo>"),
        "{list}"
    );
    // Elsewhere a comma ends a formula.
    assert_eq!(typeset("x = 1, y = 2").matches("<math>").count(), 2);
    let sentence = typeset("(x > 0, where the bound holds)");
    assert!(!sentence.contains("<mo>,</mo>"), "{sentence}");
    assert!(
        sentence.contains("</math>, where the bound holds)"),
        "{sentence}"
    );
}

#[test]
fn words_and_labels_are_no_factors() {
    for text in ["(a) y is", "the noise is", "a mean of", "a star"] {
        assert!(
            !typeset(text).contains("<mi>a</mi>") && !typeset(text).contains("<mi>noise</mi>"),
            "{text}"
        );
    }
    for (text, name) in [
        ("|x + noise|", "noise"),
        ("T/floor", "floor"),
        ("E[excess_S]", "excess"),
    ] {
        assert!(
            typeset(text).contains(&format!("<mi>{name}</mi>")),
            "{text}: {}",
            typeset(text)
        );
    }
}

/// Formulas that are left as text.
fn raw(text: &str) -> Vec<String> {
    let all = tokens(text);
    let says = |part: &[Token]| {
        let has = |kinds: &[Piece]| part.iter().any(|t| kinds.contains(&t.kind));
        let written = [
            Piece::Function,
            Piece::Root,
            Piece::Above,
            Piece::Below,
            Piece::Operator,
        ];
        has(&[Piece::Symbol]) || has(&[Piece::Number]) && has(&written)
    };
    let (mut found, mut i) = (Vec::new(), 0);
    while i < all.len() {
        let length = piece(&all[i..]).max(1);
        let whole = &all[i..i + length];
        let parts = match balanced(whole) {
            parts if parts.is_empty() => vec![whole],
            parts => parts,
        };
        // A dash between words is no sign.
        let dash =
            |part: &&[Token]| part[0].text == "−" && part.get(1).is_some_and(|next| next.spaced);
        let left = parts
            .into_iter()
            .filter(|p| says(p) && formula(p).is_none() && !dash(p));
        found.extend(left.map(|part| text[part[0].start..part[part.len() - 1].end].to_owned()));
        i += length;
    }
    found
}

#[test]
fn no_formula_of_a_statement_is_left_as_text() {
    assert_eq!(
        raw("a bound f(x_aB) on 2 x_(y of them"),
        ["f(x_aB)", "2 x_(y"]
    );
    let claims = dp_assay_spec::claims();
    let left: Vec<(&str, Vec<String>)> = { claims.iter() }
        .flat_map(|claim| [claim.statement, claim.hypotheses].map(|text| (claim.id, raw(text))))
        .filter(|(_, left)| !left.is_empty())
        .collect();
    assert_eq!(left, []);
}

/// Of every statement of the five papers nothing is lost, added or moved but by the rules above.
#[test]
fn no_sign_of_a_statement_is_lost() {
    use std::collections::BTreeMap;
    let count = |text: &str| {
        let mut counts: BTreeMap<char, usize> = BTreeMap::new();
        for c in text.chars().filter(|c| c.is_alphanumeric()) {
            *counts.entry(c).or_default() += 1;
        }
        counts
    };
    let level = |text: &str| -> String {
        tokens(text)
            .iter()
            .fold((String::new(), 0), |(out, at), t| {
                let piece = match t.kind {
                    Piece::Raised | Piece::Lowered => read(&levelled(&t.text)),
                    Piece::Word | Piece::Text => text[t.start..t.end].to_owned(),
                    _ => t.text.clone(),
                };
                (out + &text[at..t.start] + &piece, t.end)
            })
            .0
    };
    let plain = |text: &str| {
        let text = text.replace("&lt;", "<").replace("&gt;", ">");
        text.replace("&quot;", "\"").replace("&amp;", "&")
    };
    let mut formulas = 0;
    for claim in dp_assay_spec::claims() {
        let html = typeset(claim.statement).replace('\u{2061}', "");
        formulas += html.matches("<math>").count();
        // What stays text is compared after the same change of letters.
        let words = |part: &str| level(&plain(part.trim_end_matches("<wbr>")));
        let shown: String = html
            .split("<math>")
            .map(|part| match part.split_once("</math>") {
                Some((math, text)) => plain(&read(math)) + " " + &words(text),
                None => words(part),
            })
            .collect();
        assert_eq!(
            count(&shown),
            count(&level(claim.statement)),
            "{}: {html}",
            claim.id
        );
    }
    assert!(formulas > 2000, "{formulas}");
}
