//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    ("n", "number of records"),
    ("p", "number of features"),
    ("T", "number of steps"),
    (
        "f",
        "objective, the mean of the records' losses, and what the claim adds to it (r, ψ)",
    ),
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
    ("L_j", "Lipschitz constant of the losses along coordinate j"),
    ("L_max", "largest L_j"),
    ("L", "vector of the L_j"),
    ("l", "loss of one record; l(·;d) is that of the record d"),
    (
        "w",
        "the model; w^t after t steps, from w^0 fixed beforehand",
    ),
    ("γ", "vector of the γ_j"),
    ("γ_j", "step size of coordinate j"),
    (
        "ψ",
        "what the objective has besides the mean of the losses, the same for all data",
    ),
    ("ψ_j", "the part of ψ that coordinate j enters"),
    (
        "r_k",
        "= 2L_k/(n√M_k), how far the score of coordinate k moves if a record is replaced",
    ),
    ("λ_j", "Laplace scale of the released entry j"),
    (
        "λ′_j",
        "Laplace scale of the noise on entry j when the coordinate is chosen",
    ),
    ("λ_max", "largest Laplace scale"),
    ("ε", "privacy parameter of the whole run"),
    (
        "ε′",
        "privacy parameter of one of the 2T accesses to the data",
    ),
    ("δ", "privacy parameter"),
    ("ζ", "probability with which the utility bound may fail"),
    ("ξ_t", "= f(w^t) − f*; in Lemma B.4 any positive sequence"),
    (
        "ξ_0",
        "= f(w^0) − f*; in Lemma B.4 the first of any positive sequence",
    ),
    ("ξ_T", "= f(w^T) − f*"),
    ("μ", "strong convexity constant, in the norm named there"),
    ("μ_{M,1}", "strong convexity constant in the norm ‖·‖_{M,1}"),
    ("μ_{M,2}", "strong convexity constant in the norm ‖·‖_{M,2}"),
    (
        "R_M",
        "largest distance, in the norm ‖·‖_{M,1}, of a point with f(w) ≤ f(w^0) from the nearest \
            minimiser",
    ),
    (
        "R_{M,1}",
        "largest distance, in the norm ‖·‖_{M,1}, of a point with f(w) ≤ f(w^0) from any minimiser",
    ),
    ("f*", "the minimum of f"),
    ("w*", "a minimiser of f"),
];
