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
    for c in text.chars() {
        if c.is_ascii_alphabetic() {
            word.push(c);
        } else {
            out += &symbol(&std::mem::take(&mut word));
            out.push(c);
        }
    }
    out + &symbol(&word)
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
