//! Single characters in TeX.

/// The character that a power of Unicode raises.
pub(super) fn raised(c: char) -> Option<char> {
    beside(c, "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺⁽⁾ⁿᵏᵉˣᵀᵖᵘᵇᵗⁱᶜ", "0123456789-+()nkexTpubtic")
}

/// The character that an index of Unicode lowers.
pub(super) fn lowered(c: char) -> Option<char> {
    beside(c, "₀₁₂₃₄₅₆₇₈₉₋₊ᵢⱼₖₙₐₜ", "0123456789-+ijknat")
}

/// What stands in the second list where the character stands in the first.
fn beside(c: char, from: &str, to: &str) -> Option<char> {
    from.chars()
        .zip(to.chars())
        .find(|(known, _)| *known == c)
        .map(|(_, other)| other)
}

/// Names of symbols that stand in plain text, as symbols.
pub(super) fn named(text: &str) -> String {
    const NAMES: &str = "alpha α beta β gamma γ delta δ eps ε epsilon ε zeta ζ eta η theta θ kappa \
                         κ lambda λ mu μ nu ν xi ξ rho ρ sigma σ tau τ phi φ chi χ psi ψ omega ω \
                         Gamma Γ Delta Δ Theta Θ Lambda Λ Xi Ξ Sigma Σ Phi Φ Psi Ψ Omega Ω grad ∇ \
                         sqrt √";
    let names: Vec<&str> = NAMES.split_whitespace().collect();
    let symbol = |word: &str| {
        names
            .chunks(2)
            .find(|pair| pair[0] == word)
            .map_or_else(|| word.to_owned(), |pair| pair[1].to_owned())
    };
    let mut out = String::with_capacity(text.len());
    let mut word = String::new();
    // What is typed stays as it is typed: `--delta`.
    let flag = |out: &str| {
        let begun = out.rsplit(char::is_whitespace).next().unwrap_or_default();
        begun.trim_start_matches(['`', '(']).starts_with("--")
    };
    for c in text.chars().chain(['\n']) {
        if c.is_ascii_alphabetic() {
            word.push(c);
            continue;
        }
        let word = std::mem::take(&mut word);
        out += &if flag(&out) { word } else { symbol(&word) };
        out.push(c);
    }
    out.pop();
    out
}

/// A character by itself. One that is not known is named by its number, so that nothing is lost and pdflatex goes on.
pub(super) fn letter(c: char) -> String {
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
        'ℒ' => "\\ensuremath{\\mathcal{L}}",
        'Õ' => "\\ensuremath{\\tilde O}",
        c => match math(c) {
            Some(name) => return format!("\\ensuremath{{{name}}}"),
            None => return format!("[U+{:04X}]", u32::from(c)),
        },
    };
    text.to_owned()
}

/// A symbol of formulas.
pub(super) fn math(c: char) -> Option<&'static str> {
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
        'ϱ' => "\\varrho",
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
        '≲' | '⪅' => "\\lesssim",
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
    use super::super::tex::tex;
    use super::{letter, lowered, named, raised};
    use std::collections::BTreeSet;

    /// What is said of any claim can be written in TeX with the names that its signs have there.
    #[test]
    fn every_sign_of_the_papers_has_a_name_in_tex() {
        let unknown = |text: &str| tex(text).contains("[U+").then(|| text.to_owned());
        for claim in dp_assay_spec::claims() {
            for text in [claim.statement, claim.hypotheses, claim.place] {
                assert_eq!(unknown(text), None, "{}", claim.id);
            }
        }
        for paper in dp_assay_spec::claim::Paper::ALL {
            let notes = paper.notes().iter().map(|note| note.words);
            let meanings = paper
                .symbols()
                .iter()
                .flat_map(|(name, what)| [*name, *what]);
            for text in notes.chain(meanings) {
                assert_eq!(unknown(text), None, "{paper}");
            }
        }
        // A bracket that is named has a partner that is.
        for brackets in ["⌊x⌋", "⌈x⌉", "⟨x, y⟩", "‖x‖"] {
            assert_eq!(unknown(brackets), None);
        }
        assert!(unknown("☃").is_some());
    }

    /// Whether or not a claim has them today: all that are known have names, and those that look alike alone share one.
    #[test]
    fn signs_have_names_of_their_own() {
        let signs = "αβγδεζηθικλμνξπρστφχψωΓΔΘΛΞΠΣΦΨΩ\
                     ϱ−·×±∓≤≥≠≈≡≪≫≲∼∝⪯⪰‖⟨⟩⌈⌉⌊⌋√∇∂∞∫∑∏½¼¾ℓ′″∈∉⊆⊇⊂∖∩∪∅∀∃→←↦⇒⇔⊕⊗⟂⋆⋯°\
                     ℝℙ𝔼𝟙ℋ𝒜𝒮𝒯𝓜𝓘ϕ";
        let names: BTreeSet<String> = signs.chars().map(letter).collect();
        assert_eq!(names.len(), signs.chars().count());
        assert!(!names.iter().any(|name| name.contains("[U+")), "{names:?}");
        for (one, other) in [('µ', 'μ'), ('⋅', '·'), ('⪅', '≲'), ('⊥', '⟂')] {
            assert_eq!(letter(one), letter(other));
        }
    }

    /// What TeX reads in its own way is written so that it stands for itself.
    #[test]
    fn characters_of_tex_stand_for_themselves() {
        for (c, want) in [
            ('\\', r"\textbackslash{}"),
            ('{', r"\{"),
            ('}', r"\}"),
            ('$', r"\$"),
            ('&', r"\&"),
            ('#', r"\#"),
            ('%', r"\%"),
            ('_', r"\_"),
            ('^', r"\textasciicircum{}"),
            ('~', r"\textasciitilde{}"),
            ('<', r"\ensuremath{<}"),
            ('>', r"\ensuremath{>}"),
            ('|', r"\ensuremath{|}"),
            ('*', r"\ensuremath{*}"),
            ('"', "''"),
            ('a', "a"),
            ('–', "--"),
            ('—', "---"),
            ('…', r"\dots{}"),
            ('§', r"\S{}"),
            ('“', "``"),
            ('”', "''"),
            ('’', "'"),
            ('\u{a0}', "~"),
            ('é', r"\'e"),
            ('á', r"\'a"),
            ('ö', "\\\"o"),
            ('ü', "\\\"u"),
            ('ä', "\\\"a"),
            ('Ł', r"\L{}"),
            ('ℒ', r"\ensuremath{\mathcal{L}}"),
            ('Õ', r"\ensuremath{\tilde O}"),
            ('≤', r"\ensuremath{\le}"),
            ('☃', "[U+2603]"),
        ] {
            assert_eq!(letter(c), want, "{c}");
        }
        let pairs = |from: &str, to: fn(char) -> Option<char>| -> String {
            from.chars().map(|c| to(c).unwrap_or('?')).collect()
        };
        assert_eq!(pairs("⁰⁹⁻⁺⁽⁾ⁿᵏᵉˣᵀᵖᵘᵇᵗⁱᶜx", raised), "09-+()nkexTpubtic?");
        assert_eq!(pairs("₀₉₋₊ᵢⱼₖₙₐₜx", lowered), "09-+ijknat?");
        assert_eq!(
            named("alpha_beta sqrt alphabet Omega grad (--delta 1/2, `--sigma-cdp`)"),
            "α_β √ alphabet Ω ∇ (--delta 1/2, `--sigma-cdp`)"
        );
    }
}
