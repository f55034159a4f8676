//! `gcd-mech-rnm-repaired`: one selection, private by an argmax that is robust and a shift of its noise.

use super::{Entry, gradient, moved, select_by, sensitivity_of};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{argmax, combine, shift};
use dp_assay_kernel::statement::{Context, Goal, Item, Notion, Sort, Statement};
use dp_assay_kernel::term::{Term, app, mul, var};

/// The selection is ε-DP, in a context with w, where `noise`(k) is ε·λ′ₖ.
pub(super) fn private(
    here: &Context,
    slope: Entry,
    epsilon: &Term,
    noise: impl Fn(&Term) -> Term,
) -> Proof {
    let inner = here.extended(Item::Var("k".into(), Sort::Index(var("p"))))?;
    let kept = argmax(
        here,
        &select_by(slope),
        &sensitivity_of(&inner, slope, "k", &moved(&var("k")))?,
    )?;
    let Goal::Keeps { by, .. } = &kept.statement().goal else {
        return Err(Stuck::new("no choice that is kept"));
    };
    let enough = Goal::Le(by.clone(), noise(&var("k")));
    let enough = combine(&inner, enough, &[])?;
    shift(here, &kept, epsilon, &enough)
}

/// The claim: the selection with λ′_j = √M_j·(r_j + max_{k≠j} r_k)/ε′ is ε′-DP.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer p ≥ 1
           vector L ∈ ℝ^p, all > 0
           vector M ∈ ℝ^p, all > 0
           loss ℓ on ℝ^p with L by entries: differentiable in its vector for every record, and \
               changed by at most L_j·|t| when t is added to entry j
           data D of n records: its neighbours have one record replaced
           define r(k<p) := 2·L_k/(n·√(M_k))
           real ε′ > 0
           define λ′(j<p) := √(M_j)·(r(j) + max(0, r(k) : k<p, k≠j))/ε′
           vector w ∈ ℝ^p
         holds
           between neighbours of D, [j ← argmax_{k<p} |(Σ_{d∈D} ∂_k ℓ(w; d))/n + Laplace(λ′(k))| / \
               √(M_k)] is (ε′)-DP",
    )
}

/// The proof, for this statement or one with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let Goal::Private {
        notion: Notion::Pure(epsilon),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not pure"));
    };
    let noise = |k: &Term| mul([epsilon.clone(), app("λ′", [k.clone()])]);
    private(&statement.context, gradient, epsilon, noise)
}
