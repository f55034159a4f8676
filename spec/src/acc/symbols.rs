//! Symbols with one meaning throughout the collection; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("α", "order of a Rényi divergence"),
    ("ρ", "parameter of zCDP: D_α ≤ ρα at every α > 1"),
    ("H_a", "hockey stick H_a(P‖Q) = ∫(P − aQ)₊"),
];
