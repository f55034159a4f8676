//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    (
        "N",
        "number of records; in Lemmas B.3 and B.4, of iterations",
    ),
    ("d", "dimension"),
    (
        "L",
        "population risk; in bounds on deviations, the logarithm that is named there",
    ),
    ("w*", "minimiser of the risk"),
    ("H", "second moment E[xxᵀ]"),
    ("κ", "condition number of H"),
    (
        "μ",
        "least eigenvalue of H; where privacy is proved, a Rényi order",
    ),
    ("R_x", "least R with E[‖x‖²xxᵀ] ⪯ R²E[xxᵀ]"),
    ("Σ", "E[z²xxᵀ]; with an index, a sum"),
    ("α", "noise multiplier; in Definition 2.3, a Rényi order"),
    ("ζ_t", "clipping norm of step t"),
    (
        "ζ",
        "clipping norm; from (50) on, a bound on those of the second half",
    ),
    ("η", "step size"),
    ("b", "batch size of Algorithm 2"),
    ("γ_priv", "what DP-STAT releases"),
    ("K_2", "tail constant (Definition 2.1)"),
    ("a", "tail exponent (Definition 2.1)"),
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("w̄", "average of the last half of the iterates"),
    ("ω_t", "= w_t − w*"),
    (
        "T",
        "number of batches of Algorithm 2; in App. A.2, the index of an iterate",
    ),
];
