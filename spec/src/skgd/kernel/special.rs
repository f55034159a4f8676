//! What Algorithm 1 and Assumption 3.7 are for sets of one coordinate and for the set of all.

use crate::moved::written::{Proof, each, given, settle, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::var;

/// Assumption 3.7 for one record, `masked` being I_Uv and `moved` w + I_Uv, and `bound` L_U times the norm.
fn lipschitz(moved: &str, bound: &str) -> String {
    format!(
        "for every vector w ∈ ℝ^d: for every vector v ∈ ℝ^d: |ℓ(⟨{moved} : j<d⟩)[o] − ℓ(w)[o]| ≤ \
            {bound}"
    )
}

/// `skgd-fact-lipschitz-special`: ℓ(w)\[o\] is the loss at one record, I_\[d\]v is v, and I_{k}v has the entries 𝟙\[j=k\]·v_k.
pub fn special() -> Result<Statement, Stuck> {
    let of_all = lipschitz("w_j + v_j", "λ·‖v‖");
    let plain = "for every vector w ∈ ℝ^d: for every vector v ∈ ℝ^d: |ℓ(v)[o] − ℓ(w)[o]| ≤ λ·‖⟨v_j \
        − w_j : j<d⟩‖";
    let of_one = lipschitz("w_j + 𝟙[j=k]·v_k", "λ·‖⟨𝟙[j=k]·v_k : j<d⟩‖");
    let along = "for every vector w ∈ ℝ^d: for every real t: |ℓ(⟨w_j + t·𝟙[j=k] : j<d⟩)[o] − \
        ℓ(w)[o]| ≤ λ·|t|";
    let of_set = lipschitz("w_j + 𝟙[j∈U]·v_j", "λ·‖⟨𝟙[j∈U]·v_j : j<d⟩‖");
    render::parse(&format!(
        "for all
           integer d ≥ 1
           map ℓ of ℝ^d into ℝ^1
           index o<1
           index k<d
           set U⊆d
           real λ > 0
         holds
           if {of_all}: {plain}; if {plain}: {of_all}; if {of_one}: {along}; if {along}: {of_one}; \
               if {plain}: {of_set}"
    ))
}

/// The last hypothesis at the last but one variable and at this value.
fn at(h: &Context, value: &str) -> Proof {
    let before = |n| h.beginning(h.items().len() - n);
    let all = instance(&before(1), &given(&before(2), 0)?, &var("w"))?;
    instance(h, &all, &term(h, value)?)
}

/// The proof of [`special`], or of a statement with larger constants.
pub fn prove_special(statement: &Statement) -> Proof {
    let by = |value: &'static str| {
        move |h: &Context, goal: &Goal| settle(h, goal, &[("1", &[&at(h, value)?])])
    };
    each(
        statement,
        &[
            &by("⟨v_j − w_j : j<d⟩"),
            &by("⟨w_j + v_j : j<d⟩"),
            &by("⟨t·𝟙[j=k] : j<d⟩"),
            &by("v_k"),
            &by("⟨w_j + 𝟙[j∈U]·v_j : j<d⟩"),
        ],
    )
}

/// One step of Algorithm 1 from θ with the set S and the noise η in coordinate l, as `skgd-alg-1` has it, and what it is supposed to be.
fn step(drawn: &str, other: &str) -> Result<Statement, Stuck> {
    render::parse(&format!(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           function f on ℝ^d with M: convex, differentiable, and f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + \
               ½·Σ_j M_j·(y_j − x_j)² for all x, y
           law 𝒮 of random sets of indices below d: each index has a positive probability to be \
               drawn
           set S that 𝒮 draws
           vector γ ∈ ℝ^d, all > 0
           vector θ ∈ ℝ^d
           vector w ∈ ℝ^d
           vector η ∈ ℝ^d
           index r<d
           index k<d
           {drawn}
           define a(l<d) := 𝟙[l∈S]·∂_l f(θ) + η_l
           define b(l<d) := θ_l − γ_l·(𝟙[l∈S]/ℙ(l∈𝒮))·a(l)
         holds
           for every index l<d: b(l) = {other}; for every index l<d: (r·w_l + b(l))/(r + 1) = \
               (r·w_l + {other})/(r + 1)"
    ))
}

/// `skgd-red-dpcd`: S is {k}, and the step that of DP-CD with the step size d·γ_k; the iterates are averaged as in Algorithm 1.
pub fn one() -> Result<Statement, Stuck> {
    let drawn = "assume for every index j<d: 𝟙[j∈S] = 𝟙[j=k]
           assume for every index j<d: ℙ(j∈𝒮) = 1/d";
    step(drawn, "(θ_l − 𝟙[l=k]·(d·γ_l)·(∂_l f(θ) + η_l))")
}

/// `skgd-red-dpsgd-restricted`: S is \[d\], and the step that of noisy gradient descent.
pub fn all() -> Result<Statement, Stuck> {
    let drawn = "assume for every index j<d: 𝟙[j∈S] = 1
           assume for every index j<d: ℙ(j∈𝒮) = 1";
    step(drawn, "(θ_l − γ_l·(∂_l f(θ) + η_l))")
}

/// The proof of a [`step`], `factor` being 𝟙\[l∈S\]/ℙ(l∈𝒮).
fn prove_step(statement: &Statement, factor: &str) -> Proof {
    let context = &statement.context;
    let of = |h: &Context, goal: &Goal, share: &str| {
        let of = |n| instance(h, &given(context, n)?, &var("l"));
        let step = format!("{share}·γ_l/ℙ(l∈𝒮)·(∂_l f(θ) + η_l)");
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("(−1)·{step}"), &[&of(0)?]),
            (&format!("{factor}·{step}"), &[&of(1)?]),
        ];
        settle(h, goal, parts)
    };
    let mean = |h: &Context, goal: &Goal| of(h, goal, "1/(r + 1)");
    each(statement, &[&|h, goal| of(h, goal, "1"), &mean])
}

pub fn prove_one(statement: &Statement) -> Proof {
    prove_step(statement, "𝟙[l=k]·d")
}

pub fn prove_all(statement: &Statement) -> Proof {
    prove_step(statement, "1")
}
