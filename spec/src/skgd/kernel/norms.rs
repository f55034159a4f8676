//! Weighted norms: what they are for equal weights, Σ_S² in its two forms, and the norms at the step size Γ = PM⁻¹.

use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::at_most_one;
use dp_assay_kernel::search::{together, with};
use dp_assay_kernel::statement::Statement;
use dp_assay_kernel::term::{Op, Term, at, op, var};

/// `skgd-fact-isotropic`: ‖x‖²_{βI} = β‖x‖², and so of the quadratic terms of Assumptions 3.6 at M = βI and 3.5 at M = I.
pub fn isotropic() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real β > 0
           real μ > 0
           vector x ∈ ℝ^d
           vector v ∈ ℝ^d
           vector w ∈ ℝ^d
         holds
           Σ_{l<d} β·x_l² = β·‖x‖²; (Σ_{l<d} β·(w_l − v_l)²)/2 = (β/2)·‖⟨w_l − v_l : l<d⟩‖²; \
               (μ/2)·(Σ_{l<d} 1·(w_l − v_l)²) = (μ/2)·‖⟨w_l − v_l : l<d⟩‖²",
    )
}

fn share(l: &Term) -> Term {
    op(Op::Inclusion, [l.clone(), var("𝒮")])
}

fn weight(l: &Term) -> Term {
    at(&var("M"), l)
}

/// `skgd-def-Sigma`: E‖CL_S1‖²_{PM⁻¹} = E[L_S²‖I_S1‖²_{P⁻¹M⁻¹}].
pub fn two_forms() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           vector M ∈ ℝ^d, all > 0
           number L for every set of indices below d, all > 0
         holds
           𝔼_{S∼𝒮}[Σ_{l<d} (ℙ(l∈𝒮)/M_l)·((𝟙[l∈S]/ℙ(l∈𝒮))·L_S)²] = 𝔼_{S∼𝒮}[L_S²·(Σ_{l<d} \
               𝟙[l∈S]²/(ℙ(l∈𝒮)·M_l))]",
    )
}

/// `skgd-lem-E.5-proof-chain`: at Γ = PM⁻¹, for every index j, M⁻¹ − P⁻¹Γ = 0, P⁻¹Γ²M = Γ and Γ²M = P²M⁻¹ ⪯ PM⁻¹; and the terms in
/// ‖∇f‖² add up to −½‖∇f‖²_{PM⁻¹} ≤ 0.
pub fn chain() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           vector M ∈ ℝ^d, all > 0
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           vector θ ∈ ℝ^d
           define γ(k<d) := ℙ(k∈𝒮)/M_k
           index j<d
         holds
           1/M_j − γ(j)/ℙ(j∈𝒮) = 0; (1/ℙ(j∈𝒮))·γ(j)²·M_j = γ(j); γ(j)²·M_j = ℙ(j∈𝒮)²/M_j; \
               ℙ(j∈𝒮)²/M_j ≤ ℙ(j∈𝒮)/M_j; (Σ_{l<d} ((1/ℙ(l∈𝒮))·γ(l)²·M_l)·(∂_l f(θ))²)/2 − Σ_{l<d} \
               γ(l)·(∂_l f(θ))² = (−1)·((Σ_{l<d} (ℙ(l∈𝒮)/M_l)·(∂_l f(θ))²)/2); (−1)·((Σ_{l<d} \
               (ℙ(l∈𝒮)/M_l)·(∂_l f(θ))²)/2) ≤ 0",
    )
}

/// The proof of [`chain`]: p_j ≤ 1.
pub fn prove_chain(statement: &Statement) -> Proof {
    let j = var("j");
    let small = at_most_one(&statement.context, &share(&j))?;
    let below = vec![with(share(&j) / weight(&j), &small)];
    together(statement, vec![vec![], vec![], vec![], below])
}
