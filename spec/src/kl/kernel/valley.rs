//! The level of Section 5's valley.

use super::told;
use crate::moved::written::{Proof, settle, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{chain, instance, larger};
use dp_assay_kernel::statement::{Goal, Statement};
use dp_assay_kernel::term::{Op, Term, var};

/// `kl-def-valley-repaired`: S and S₀ are where the maps of these names are 0, u and v minimisers over S₀ and S.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           map ℓ of ℝ^d into ℝ^1
           index o<1
           define F(x∈ℝ^d) := ℓ(x)[o]
           map S of ℝ^d into ℝ^1
           map S₀ of ℝ^d into ℝ^1
           assume for every vector x ∈ ℝ^d: if ‖S₀(x)‖ ≤ 0: ‖S(x)‖ ≤ 0
           vector w₀ ∈ ℝ^d
           vector u ∈ ℝ^d
           vector v ∈ ℝ^d
           assume ‖S₀(u)‖ ≤ 0
           assume for every vector x ∈ ℝ^d: if ‖S(x)‖ ≤ 0: F(v) ≤ F(x)
           real L₀ > 0
           real γ > 0
           real κ > 0
           real b ≥ 0
           define h := 2·(exp((κ/2)·log(γ)) + L₀)·b
         holds
           F(v) + h ≤ max(F(w₀), F(u) + h)",
    )
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let Goal::Le(_, Term::Op(Op::Max, sides)) = &statement.goal else {
        return Err(Stuck::new("not the larger of two"));
    };
    let contains = told(h, "for every vector x ∈ ℝ^d: if ‖S₀(x)‖ ≤ 0: ‖S(x)‖ ≤ 0")?;
    let inside = chain(
        h,
        &instance(h, &contains, &var("u"))?,
        &told(h, "‖S₀(u)‖ ≤ 0")?,
    )?;
    let least = told(h, "for every vector x ∈ ℝ^d: if ‖S(x)‖ ≤ 0: F(v) ≤ F(x)")?;
    let least = chain(h, &instance(h, &least, &term(h, "u")?)?, &inside)?;
    let above = larger(h, &sides[0], &sides[1], true)?;
    settle(h, &statement.goal, &[("1", &[&least]), ("1", &[&above])])
}
