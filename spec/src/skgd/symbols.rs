//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    ("n", "number of records"),
    ("d", "number of coordinates"),
    (
        "f",
        "objective, the mean of the records' losses, and what the claim adds to it (r, ψ)",
    ),
    ("ℓ", "loss of one record"),
    ("ζ_i", "record i"),
    (
        "w",
        "the model; w^t after t outer steps, w^priv what is released",
    ),
    ("w*", "a minimiser of f"),
    ("f*", "the minimum of f"),
    ("M_max", "largest M_j"),
    ("M_min", "least M_j"),
    (
        "M_j",
        "entry j of M, the smoothness constant of coordinate j",
    ),
    (
        "M",
        "diagonal matrix in whose norm f is smooth, with the entries M_j",
    ),
    ("p_j", "probability that coordinate j is drawn"),
    (
        "P",
        "diagonal matrix of the p_j; before a bracket, probability",
    ),
    ("𝒮", "law of the random set of coordinates"),
    ("S", "random set of coordinates"),
    ("I_U", "projection on the coordinates in U"),
    ("Γ", "diagonal matrix of the step sizes"),
    ("K", "number of inner steps"),
    ("T", "number of outer steps"),
    ("σ_U", "noise scale of the set U"),
    ("σ_S", "noise scale of the set drawn"),
    (
        "L_U",
        "Lipschitz constant of the losses on the coordinates U",
    ),
    ("L_S", "Lipschitz constant on the set drawn"),
    ("Δ_U", "L2 sensitivity on the coordinates U"),
    ("ε", "privacy parameter"),
    ("δ", "privacy parameter"),
    ("μ_M", "strong convexity constant in the norm of M"),
    ("c", "= log(1/δ)/(n²ε²)"),
    ("Σ_S", "= √(E[L_S²·Σ_{j∈S} 1/(p_jM_j)]) over the set drawn"),
    ("A", "= max_j M_j/(p_jμ), unless the claim says otherwise"),
    ("Y", "= (1+A)·c·Σ_S²"),
    ("X", "= (f(w⁰)−f*)/Y"),
    ("R_M", "= ‖w^0 − w*‖_M"),
    ("R_I", "= ‖w^0 − w*‖, the Euclidean distance"),
];
