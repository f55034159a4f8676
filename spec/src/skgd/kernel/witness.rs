//! The witness of the two parts of Theorem 4.2, corrected.

use crate::moved::curvature::curved;
use crate::moved::margin::{
    LEAST, LOSS_BY_VECTORS, RIDGE, START, changes, convexity, grows, is_convex, is_smooth,
    last_given, parse, ridge, ridge_is_of_class, smooth_by_entries, start,
};
use crate::moved::written::{Proof, each, settle};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::statement::Statement;

/// `skgd-thm-4.2-witness`: the loss is Lipschitz with L = 1; f is convex, (1/4 + λ)-smooth and grows from a minimiser as is asked with
/// A = (1/4 + λ)/λ; F̄ = log 2.
pub fn statement() -> Result<Statement, Stuck> {
    let grows = format!(
        "{LEAST}for every vector w ∈ ℝ^d: λ·(Σ_{{j<d}} (1/4 + λ)·(w_j − w⋆_j)²) ≤ 2·(1/4 + \
            λ)·(f(w) − f(w⋆))"
    );
    let goals = [
        LOSS_BY_VECTORS.into(),
        convexity(),
        smooth_by_entries(),
        grows,
        START.into(),
        ridge_is_of_class(),
    ];
    parse(&["real λ ≥ 0", RIDGE], &goals)
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let curved = curved(&statement.context)?;
    each(
        statement,
        &[
            &|h, goal| changes(h, goal, "⟨x[j] + v[j] : j<d⟩"),
            &is_convex,
            &|h, goal| is_smooth(h, &curved, goal),
            &|h, goal| settle(h, goal, &[("2·(1/4 + λ)", &[&grows(h, &last_given(h)?)?])]),
            &start,
            &ridge,
        ],
    )
}
