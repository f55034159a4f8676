//! The words and signs of statements.

/// Greek letters and signs by their names.
pub(super) const GREEK: [(&str, &str); 35] = [
    ("alpha", "α"),
    ("beta", "β"),
    ("gamma", "γ"),
    ("delta", "δ"),
    ("eps", "ε"),
    ("epsilon", "ε"),
    ("zeta", "ζ"),
    ("eta", "η"),
    ("theta", "θ"),
    ("kappa", "κ"),
    ("lambda", "λ"),
    ("mu", "μ"),
    ("nu", "ν"),
    ("xi", "ξ"),
    ("pi", "π"),
    ("rho", "ρ"),
    ("sigma", "σ"),
    ("tau", "τ"),
    ("phi", "φ"),
    ("chi", "χ"),
    ("psi", "ψ"),
    ("omega", "ω"),
    ("Gamma", "Γ"),
    ("Delta", "Δ"),
    ("Theta", "Θ"),
    ("Lambda", "Λ"),
    ("Xi", "Ξ"),
    ("Pi", "Π"),
    ("Sigma", "Σ"),
    ("Phi", "Φ"),
    ("Psi", "Ψ"),
    ("Omega", "Ω"),
    ("grad", "∇"),
    ("sum", "∑"),
    ("prod", "∏"),
];
/// Functions, which stand upright.
pub(super) const FUNCTIONS: [&str; 40] = [
    "log", "ln", "exp", "cos", "sin", "cosh", "sinh", "coth", "tanh", "max", "min", "sup", "inf",
    "argmax", "argmin", "Tr", "tr", "det", "diag", "Diag", "Lap", "Laplace", "Var", "Cov", "Pr",
    "Clip", "clip", "poly", "polylog", "prox", "rank", "sgn", "sign", "supp", "deg", "Range",
    "erf", "erfc", "ceil", "floor",
];
/// Functions that go without brackets, too.
pub(super) const BARE: [&str; 13] = [
    "log", "ln", "exp", "max", "min", "sup", "inf", "Tr", "tr", "cos", "cosh", "sinh", "coth",
];
/// Products of letters that look like words.
pub(super) const PRODUCTS: [&str; 20] = [
    "KT", "LC", "LL", "LQ", "Cx", "Dm", "Mw", "Nd", "NW", "Tb", "Tp", "TP", "Ts", "Vz", "XW", "dl",
    "ns", "nt", "te", "xx",
];
/// Words that name a quantity where they stand in a formula, and labels that are an index or an exponent.
pub(super) const NAMES: [&str; 9] = [
    "decrease",
    "excess",
    "floor",
    "mean",
    "noise",
    "residuals",
    "ring",
    "slope",
    "star",
];
pub(super) const LABELS: [&str; 4] = ["priv", "bias", "var", "MH"];
/// Symbols whose index ends where the next letter begins: `R_xL` is R_x·L.
pub(super) const INDEXED: [(&str, char); 2] = [("R", 'x'), ("I", 'U')];
/// Operators by their ASCII spellings, the longer ones first.
pub(super) const OPERATORS: [(&str, &str); 13] = [
    ("<- ", "←"),
    ("<=>", "⇔"),
    ("<=", "≤"),
    (">=", "≥"),
    ("!=", "≠"),
    (":=", ":="),
    ("->", "→"),
    ("=>", "⇒"),
    ("==", "="),
    ("-", "−"),
    ("~", "∼"),
    ("||", "‖"),
    ("+", "+"),
];
/// Characters that are relations and operators.
pub(super) const SIGNS: &str = "+−±∓·×∘⊗⊕∩∪∖=≠<>≤≥≪≫≲≳≈≡∼∝∈∉⊂⊆→←↦⇒⇔⪯⪰≺≼∣⋯";
/// Characters that stand raised.
pub(super) const RAISED: &str = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ᵀⁿᵏᵗ′'⋆";
/// Characters that stand lowered.
pub(super) const LOWERED: &str = "₀₁₂₃₄₅₆₇₈₉ᵢⱼₖₙₜ";
