//! Symbols with one meaning throughout the paper; what is overloaded is left to the statement.

use crate::paper::Meanings;

pub(crate) const SYMBOLS: Meanings = &[
    ("n", "number of users"),
    ("d", "dimension of the model"),
    ("T", "number of steps"),
    (
        "C",
        "clipping threshold, and bound on the gradients (Assumption 4)",
    ),
    ("σ_cdp", "standard deviation of each user's own noise"),
    (
        "σ_cor",
        "standard deviation of the noise that two neighbours share with opposite signs",
    ),
    ("q", "number of colluding users"),
    (
        "ε",
        "privacy parameter; of Rényi privacy, per unit of the order α",
    ),
    ("δ", "privacy parameter"),
    ("α", "Rényi order"),
    (
        "a_q",
        "least algebraic connectivity of the graphs left when q users are taken away: the largest \
            a with a·‖x − x̄‖² ≤ xᵀLx on each",
    ),
    (
        "a_1",
        "least algebraic connectivity of the graphs left when one user is taken away: the largest \
            a with a·‖x − x̄‖² ≤ xᵀLx on each",
    ),
    ("N_i", "neighbours of user i"),
    ("W", "mixing matrix"),
    ("J", "the matrix 11ᵀ/n"),
    (
        "μ",
        "PL constant (Assumption 2); of normal laws, a bound on the shift",
    ),
    ("x̄", "the users' mean model"),
    ("X̄", "the users' mean model in every column"),
    (
        "Ξ",
        "consensus distance, the mean squared distance of the models from their mean",
    ),
    ("Ξ_0", "initial consensus distance"),
    ("L_0", "= ℒ(x̄^(0)) − ℒ_*, the initial gap of the loss"),
    ("L_*", "the infimum of the loss"),
    ("L_i", "loss of user i"),
    ("η_t", "step size"),
    (
        "ζ_*",
        "heterogeneity of the users' gradients (Assumption 3)",
    ),
    (
        "σ_*",
        "noise of the stochastic gradients, in the mean over the users (Assumption 3)",
    ),
    ("D_α", "Rényi divergence of order α"),
    (
        "p",
        "what a round of gossip takes of the squared distance to consensus, at least (Assumption \
            5)",
    ),
    (
        "Ψ",
        "mean variance of the users' stochastic gradients (Assumption 3)",
    ),
    (
        "H_G",
        "half the mean of ‖W_i − W_k‖² over neighbours i and k, W_i a column of W",
    ),
];
