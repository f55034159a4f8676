//! Steps of Algorithm 3 with an error e of at most (G + b)/2: they descend where the gradient is at least b. Φ is the excess
//! F(w) − F⋆, and a power x^a is exp(a·log x).

use super::gradients::cauchy;
use crate::moved::written::{given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exp_log, instance, larger, largest};
use dp_assay_kernel::search::exp::{exp_increases, log_increases, log_product, log_tangent};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::{Op, Term, num};

/// `kl-lem-12-mono-repaired`: g is ∇F(w), smoothness along the step is supposed, and KL* at w, which x > 0 says for an excess of 0, too;
/// 1/min{L₁, 1} is max{1/L₁, 1}.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn monotone() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real κ > 0
           real γ > 0
           real L₁ > 0
           real b > 0
           assume κ ≤ 2
           assume b² ≤ L₁
           map F of ℝ^d into ℝ^1
           index o<1
           real F⋆
           vector w ∈ ℝ^d
           vector g ∈ ℝ^d
           vector e ∈ ℝ^d
           define w′(j<d) := w_j − (g_j + e_j)/(2·L₁)
           define Φ := F(w)[o] − F⋆
           define Φ′ := F(⟨w′(j) : j<d⟩)[o] − F⋆
           assume ‖e‖ ≤ (‖g‖ + b)/2
           assume F(⟨w′(j) : j<d⟩)[o] ≤ F(w)[o] + (Σ_{j<d} g_j·(w′(j) − w_j)) + (L₁/2)·(Σ_{j<d} (w′(j) − w_j)²)
           assume for every real x > 0: Φ ≤ exp(κ·log(max(γ·‖g‖, x)))
         holds
           Φ′ ≤ max(Φ, (9/8)·exp((κ/2)·log(max(γ², 1)·b²·max(1/L₁, 1))))",
    )
}

/// Φ′ ≤ Φ − (‖g‖² − b²)/(8L₁), by the error and smoothness, which are hypotheses of these numbers.
fn descent(h: &Context, [error, smooth]: [usize; 2]) -> Result<Theorem, Stuck> {
    let product = cauchy(h, "g", "⟨(−1)·e_j : j<d⟩")?;
    let (near, smooth) = (given(h, error)?, given(h, smooth)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        ("1/(4·L₁)", &[&product]),
        ("(‖e‖ + (‖g‖ + b)/2 + 2·‖g‖)/(8·L₁)", &[&near]),
        ("(3/4)·(‖g‖ − b)²/(8·L₁)", &[]),
    ];
    show(h, "Φ′ ≤ Φ − (‖g‖² − b²)/(8·L₁)", parts)
}

/// The proof of [`monotone`], or of a statement with a larger constant.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_monotone(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let Goal::Le(_, Term::Op(Op::Max, sides)) = &statement.goal else {
        return Err(Stuck::new("not at most the larger of two"));
    };
    let (first, second) = (
        larger(h, &sides[0], &sides[1], false)?,
        larger(h, &sides[0], &sides[1], true)?,
    );
    let fall = descent(h, [2, 3])?;
    let level = "max(γ², 1)·b²·max(1/L₁, 1)";
    let most = [
        ("γ²", "1", false),
        ("γ²", "1", true),
        ("1/L₁", "1", false),
        ("1/L₁", "1", true),
    ]
    .map(|(a, b, second)| larger(h, &term(h, a)?, &term(h, b)?, second));
    let [square, unit, inverse, one] = most;
    let (square, unit, inverse, one) = (square?, unit?, inverse?, one?);
    // M ≥ (γb)^κ and M ≥ b²/L₁.
    let parts: &[(&str, &[&Theorem])] = &[("b²", &[&square]), ("max(γ², 1)·b²", &[&one])];
    let wide = log_increases(&show(h, &format!("γ·b·(γ·b) ≤ {level}"), parts)?)?;
    let [twice, _] = log_product(h, &term(h, "γ·b")?, &term(h, "γ·b")?)?;
    let order = format!("κ·log(γ·b) ≤ (κ/2)·log({level})");
    let wide = exp_increases(&show(h, &order, &[("κ/2", &[&twice]), ("κ/2", &[&wide])])?)?;
    let parts: &[(&str, &[&Theorem])] = &[("b²/L₁", &[&unit]), ("max(γ², 1)·b²", &[&inverse])];
    let steep = log_increases(&show(h, &format!("b²/L₁ ≤ {level}"), parts)?)?;
    let (few, small) = (given(h, 0)?, given(h, 1)?);
    let small = show(h, "b²/L₁ ≤ 1", &[("1/L₁", &[&small])])?;
    let small = log_increases(&small)?;
    let none = log_of_one(h)?;
    let order = format!("log(b²/L₁) ≤ (κ/2)·log({level})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("κ/2", &[&steep]),
        ("1/2", &[&few, &small]),
        ("1/2", &[&few, &none]),
    ];
    let steep = exp_increases(&show(h, &order, parts)?)?;
    let named = exp_log(h, &term(h, "b²/L₁")?)?;
    either(
        h,
        [&term(h, "b")?, &term(h, "‖g‖")?],
        |h, given_case, large| {
            let goal = statement.goal.clone();
            if large {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&fall]),
                    ("1", &[&first]),
                    ("(‖g‖ + b)/(8·L₁)", &[given_case]),
                ];
                return settle(h, &goal, parts);
            }
            let valley = instance(h, &given(h, 4)?, &term(h, "γ·b")?)?;
            let near = show(h, "γ·‖g‖ ≤ γ·b", &[("γ", &[given_case])])?;
            let near = log_increases(&largest(&near, &show(h, "γ·b ≤ γ·b", &[])?)?)?;
            let order = show(h, "κ·log(max(γ·‖g‖, γ·b)) ≤ κ·log(γ·b)", &[("κ", &[&near])])?;
            let near = exp_increases(&order)?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("1", &[&fall]),
                ("1", &[&valley]),
                ("1", &[&near]),
                ("1", &[&wide]),
                ("1/8", &[&steep]),
                ("(−1)/8", &[&named]),
                ("1", &[&second]),
                ("‖g‖²/(8·L₁)", &[]),
            ];
            settle(h, &goal, parts)
        },
    )
}

/// log 1 ≤ 0.
fn log_of_one(h: &Context) -> Result<Theorem, Stuck> {
    let tangent = log_tangent(h, &num(1))?;
    show(h, "log(1) ≤ 0", &[("1", &[&tangent])])
}
