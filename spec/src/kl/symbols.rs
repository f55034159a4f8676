//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    ("n", "number of records"),
    ("d", "dimension"),
    (
        "p_max",
        "= (1 + 8γ²L_1)·(log F_0 + (2κ/(4−κ))·log(n√ρ/(γL_0)))",
    ),
    ("F", "empirical risk"),
    ("F_0", "known bound on the initial excess risk"),
    ("L_0", "Lipschitz constant of the losses"),
    ("L_1", "smoothness constant of the losses"),
    ("L̃_1", "weak convexity constant"),
    ("γ", "KL constant"),
    ("κ", "KL exponent"),
    ("ρ", "zCDP budget"),
    ("β", "probability with which the bound may fail"),
    ("w_0", "starting point"),
    (
        "w*",
        "the minimiser of the empirical risk that is closest to w_0",
    ),
    ("S", "data set"),
    (
        "b",
        "= L_0 √(log(n√ρ/β))/(√n·ρ^{1/4}), unless the statement leaves it free",
    ),
    ("Λ", "= log(n√ρ/β)"),
    (
        "Φ_k",
        "Φ̂_k of Algorithm 1, the target for the excess risk in round k",
    ),
    ("Φ_t", "= F(w_t) − F(w*), the excess risk in step t"),
    ("N_t", "norm of the gradient in step t, with noise"),
    ("ρ_t", "budget charged in step t"),
    ("σ_t", "standard deviation of the noise of step t"),
    ("w_p", "projection of w on the set of minimisers"),
];
