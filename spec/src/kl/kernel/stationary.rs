//! How small the gradients of a run of Algorithm 3 become.

use super::gradients::cauchy;
use crate::moved::written::{Proof, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, larger, root_increases, sum_over, telescope};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::{above_modulus, below_modulus, either};
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-thm-5-T-repaired`, for rounds t < R whose charges are more than the budget together; the step of the last one may be taken or not: then e_t
/// is what its noise would be. g is ∇F, and N⋆ is at most the least norm of a gradient.
pub fn least_norm() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer R ≥ 1
           real ρ > 0
           real Λ > 0
           real L₀ > 0
           real L₁ > 0
           real F₀ > 0
           real b ≥ 0
           map F of ℝ^d into ℝ^1
           index o<1
           map g of ℝ^d into ℝ^d
           real F⋆
           assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(y)[o] ≤ F(x)[o] + (Σ_{j<d} \
               g(x)[j]·(y_j − x_j)) + (L₁/2)·(Σ_{j<d} (y_j − x_j)²)
           assume for every vector x ∈ ℝ^d: F⋆ ≤ F(x)[o]
           sequence w in ℝ^d
           sequence e in ℝ^d
           vector M ∈ ℝ^R, all > 0
           assume F(w[0])[o] − F⋆ ≤ F₀
           assume for every index t<R: |M_t − ‖g(w_t)‖| ≤ b
           define σ(t<R) := M_t/(4·√(d·Λ))
           assume for every index t<R: 2·L₀/(n·√(ρ)) ≤ σ(t)
           assume for every index t<R: ‖e_t‖ ≤ 2·√(d·Λ)·σ(t)
           assume for every index t<R: for every index j<d: w[t + 1][j] = w_t[j] − (g(w_t)[j] + \
               e_t[j])/(2·L₁)
           define a(t<R) := 16·L₀²·d·Λ/(n·M_t)²
           define c(t<R) := a(t) + ρ/2 − max(a(t), ρ/2) + √(ρ)/n
           assume ρ/2 ≤ Σ_{t<R} c(t)
           real N⋆
           assume for every index t<R: N⋆ ≤ ‖g(w_t)‖
         holds
           N⋆ ≤ b + max(√(32·F₀·L₁/(n·√(ρ))), √(√(512)·L₀·√(F₀·L₁·d·Λ)/(n·√(ρ))))",
    )
}

/// The proof of [`least_norm`], or of a statement with larger constants: with u = N⋆ − b > 0, R·u² ≤ 8F₀L₁ by descent, and every charge is at most
/// 16L₀²dΛ/(nu)² + √ρ/n, so that u⁴ ≤ (P·u² + Q)/2 for the squares P and fourth powers Q that the bound is made of.
pub fn prove_least_norm(statement: &Statement) -> Proof {
    let h = &statement.context;
    let top = "max(√(32·F₀·L₁/(n·√(ρ))), √(√(512)·L₀·√(F₀·L₁·d·Λ)/(n·√(ρ))))";
    let zero = term(h, "0")?;
    let most = either(h, [&term(h, "N⋆ − b")?, &zero], |h, case, low| {
        let goal = format!("N⋆ − b ≤ {top}");
        if low {
            return show(h, &goal, &[("1", &[case]), (top, &[])]);
        }
        let fourth = fourth_power(h, case)?;
        let parts = ["√(32·F₀·L₁/(n·√(ρ)))", "√(√(512)·L₀·√(F₀·L₁·d·Λ)/(n·√(ρ)))"];
        let [p, q] = parts;
        let [first, second] =
            [false, true].map(|second| larger(h, &term(h, p)?, &term(h, q)?, second));
        let (first, second) = (first?, second?);
        // With U = u², from U² ≤ (P·U + Q)/2 and P ≤ M², Q ≤ M⁴: (3/2)·M²·(U − M²) = (U − M²)·(U + M²/2) − (U − M²)².
        let unit = format!("2/(3·{top}²)");
        let rest = format!("({unit})·(N⋆ − b)²·({top} + {p})/2");
        let last = format!("({unit})·({top} + {q})·({top}² + {q}²)/2");
        let parts: &[(&str, &[&Theorem])] = &[
            (&unit, &[&fourth]),
            (&rest, &[&first]),
            (&last, &[&second]),
            (&format!("({unit})·((N⋆ − b)² − {top}²)²"), &[]),
        ];
        let root = root_increases(&show(h, &format!("(N⋆ − b)² ≤ {top}²"), parts)?)?;
        let up = below_modulus(h, &term(h, "N⋆ − b")?)?;
        show(h, &goal, &[("1", &[&root]), ("1", &[&up])])
    })?;
    settle(h, &statement.goal, &[("1", &[&most])])
}

/// u⁴ ≤ 16F₀L₁/(n√ρ)·u² + 256F₀L₁L₀²dΛ/(n²ρ) for u = N⋆ − b ≥ 0.
fn fourth_power(h: &Context, positive: &Theorem) -> Proof {
    let t = &h.extended(item("t", Sort::Index(var("R"))))?;
    let at = |n: usize| instance(t, &given(h, n)?, &var("t"));
    let (near, noise, step, least) = (at(3)?, at(5)?, at(6)?, at(8)?);
    let size = below_modulus(t, &term(t, "M_t − ‖g(w_t)‖")?)?;
    let under = above_modulus(t, &term(t, "M_t − ‖g(w_t)‖")?)?;
    // Descent.
    let smooth = instance(
        t,
        &instance(t, &given(h, 0)?, &term(t, "w_t")?)?,
        &term(t, "w[t + 1]")?,
    )?;
    let j = &t.extended(item("j", Sort::Index(var("d"))))?;
    let step = instance(j, &step, &var("j"))?;
    let linear = "g(w_t)[j]·(w[t + 1][j] − w_t[j]) = (−1)·g(w_t)[j]·(g(w_t)[j] + e_t[j])/(2·L₁)";
    let linear = sum_over(&show(j, linear, &[("g(w_t)[j]", &[&step])])?)?;
    let square = "(w[t + 1][j] − w_t[j])² = (g(w_t)[j] + e_t[j])²/(4·L₁²)";
    let both = "(w[t + 1][j] − w_t[j]) − (g(w_t)[j] + e_t[j])/(2·L₁)";
    let square = sum_over(&show(j, square, &[(both, &[&step])])?)?;
    let product = cauchy(t, "g(w_t)", "⟨(−1)·e_t[j] : j<d⟩")?;
    let half = "(‖g(w_t)‖ + b)/2";
    let error = show(
        t,
        &format!("‖e_t‖ ≤ {half}"),
        &[("1", &[&noise]), ("1/2", &[&size]), ("1/2", &[&near])],
    )?;
    let falls = "(‖g(w_t)‖² − b²)/(8·L₁) ≤ F(w_t)[o] − F(w[t + 1])[o]";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        ("1", &[&linear]),
        ("L₁/2", &[&square]),
        ("1/(4·L₁)", &[&product]),
        ("‖g(w_t)‖/(4·L₁)", &[&error]),
        (&format!("(‖e_t‖ + {half})/(8·L₁)"), &[&error]),
        ("3·(‖g(w_t)‖ − b)²/(32·L₁)", &[]),
    ];
    let falls = show(t, falls, parts)?;
    // R·u² ≤ 8F₀L₁.
    let gap = "(N⋆ − b)² ≤ 8·L₁·(F(w_t)[o] − F(w[t + 1])[o])";
    let parts: &[(&str, &[&Theorem])] = &[
        ("8·L₁", &[&falls]),
        ("‖g(w_t)‖ + b", &[&least]),
        ("1", &[positive, &least]),
        ("2·b", &[positive]),
    ];
    let gaps = sum_over(&show(t, gap, parts)?)?;
    let all = telescope(h, "t", &var("R"), &term(t, "F(w_t)[o]")?)?;
    let (start, last) = (given(h, 2)?, instance(h, &given(h, 1)?, &term(h, "w_R")?)?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&gaps]),
        ("(−8)·L₁", &[&all]),
        ("8·L₁", &[&start]),
        ("8·L₁", &[&last]),
    ];
    let run = show(h, "R·(N⋆ − b)² ≤ 8·F₀·L₁", parts)?;
    // What is charged.
    let cap = larger(t, &term(t, "a(t)")?, &term(t, "ρ/2")?, true)?;
    let level = show(
        t,
        "N⋆ − b ≤ M_t",
        &[("1", &[&least]), ("1", &[&under]), ("1", &[&near])],
    )?;
    let most = "16·L₀²·d·Λ/n² + (√(ρ)/n)·(N⋆ − b)²";
    let unit = "16·L₀²·d·Λ/(n·M_t)²";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(N⋆ − b)²", &[&cap]),
        (&format!("M_t·({unit})"), &[&level]),
        (unit, &[&level, positive]),
    ];
    let charges = sum_over(&show(t, &format!("(N⋆ − b)²·c(t) ≤ {most}"), parts)?)?;
    let spent = given(h, 7)?;
    let goal = "(N⋆ − b)²·(N⋆ − b)² ≤ (16·F₀·L₁/(n·√(ρ)))·(N⋆ − b)² + 256·F₀·L₁·L₀²·d·Λ/(n²·ρ)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("(2/ρ)·(N⋆ − b)²·(N⋆ − b)²", &[&spent]),
        ("(2/ρ)·(N⋆ − b)²", &[&charges]),
        (&format!("(2/ρ)·({most})"), &[&run]),
    ];
    show(h, goal, parts)
}
