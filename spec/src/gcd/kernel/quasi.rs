//! Lemma B.5 and Corollary B.6: what a gradient says of the excess if the minimiser is quasi-sparse.

use super::greedy::moduli;
use super::sparse::with_index;
use crate::moved::written::{given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, larger, root_increases, sum_over, union};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Statement};
use dp_assay_kernel::term::{num, var};

/// What strong convexity asks to be at most f(y), for x and y, y_j being the entry of y.
fn model(x: &str, entry: &str) -> String {
    let apart = format!("({entry} − {x}_j)");
    format!(
        "f({x})[o] + (Σ_{{j<p}} g({x})[j]·{apart}) + (μ/2)·(Σ_{{j<p}} √(M_j)·|{entry} − {x}_j|)²"
    )
}

/// f(x)\[o\] is the value of a function and g(x) its gradient, S(x) the number of entries of x that are not 0, k = t + τ; w⋆ is
/// (α, τ)-quasi-sparse for τ ≤ p: A has τ coordinates, and off A no entry is above α. G is ‖∇f(w)‖_{M⁻¹,∞}, and
/// m may be M_max.
fn setting(alpha: &str, goal: &str) -> Result<Statement, Stuck> {
    let model = model("x", "y_j");
    render::parse(&format!(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           real m > 0
           assume for every index j<p: M_j ≤ m
           map f of ℝ^p into ℝ^1
           map g of ℝ^p into ℝ^p
           index o<1
           assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: f(y)[o] ≤ f(x)[o] + (Σ_{{j<p}} g(x)[j]·(y_j − x_j)) + \
         (1/2)·(Σ_{{j<p}} M_j·(y_j − x_j)²)
           set A⊆p
           define τ := Σ_{{j<p}} 𝟙[j∈A]
           real t ≥ 0
           define S(x∈ℝ^p) := Σ_{{j<p}} (1 − 𝟙(|x_j| ≤ 0))
           real μ > 0
           assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: 𝟙(S(x) ≤ t + τ)·𝟙(S(y) ≤ t + τ)·max({model} − f(y)[o], \
         0) ≤ 0
           vector w⋆ ∈ ℝ^p
           assume for every vector x ∈ ℝ^p: f(w⋆)[o] ≤ f(x)[o]
           {alpha}
           vector w ∈ ℝ^p
           assume S(w) ≤ t
           index s<p
           define G := |g(w)[s]|/√(M_s)
           assume for every index j<p: |g(w)[j]|/√(M_j) ≤ G
         holds
           {goal}"
    ))
}

/// `gcd-lem-B.5-repaired`.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn lemma_b_5() -> Result<Statement, Stuck> {
    setting(
        "real α ≥ 0
           assume for every index j<p: (1 − 𝟙[j∈A])·|w⋆_j| ≤ α",
        "(−1)·G²/2 ≤ (−1)·μ·(f(w)[o] − f(w⋆)[o]) + (1/2)·m·μ·(p − τ)·α²",
    )
}

/// `gcd-cor-B.6`: w⋆ is τ-sparse.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corollary_b_6() -> Result<Statement, Stuck> {
    setting(
        "assume for every index j<p: (1 − 𝟙[j∈A])·|w⋆_j| ≤ 0",
        "(−1)·G²/2 ≤ (−1)·μ·(f(w)[o] − f(w⋆)[o])",
    )
}

/// w⋆ without its entries off A.
const NEAR: &str = "⟨𝟙[j∈A]·w⋆_j : j<p⟩";

/// S(π) ≤ τ for π = ⟨𝟙\[j∈A\]·w⋆_j⟩.
fn sparse(h: &Context) -> Result<Theorem, Stuck> {
    let i = &with_index(h, "i")?;
    let ends = [&term(i, "𝟙[i∈A]")?, &term(i, "1/2")?];
    let one = either(i, ends, |here, order, outside| {
        let goal = "1 − 𝟙(|𝟙[i∈A]·w⋆_i| ≤ 0) ≤ 𝟙[i∈A]";
        if !outside {
            return show(here, goal, &[("2·(1 − 𝟙[i∈A])²", &[order])]);
        }
        let parts: &[(&str, &[&Theorem])] = &[("2·𝟙[i∈A]·w⋆_i²", &[order])];
        let none = root_increases(&show(here, "(𝟙[i∈A]·w⋆_i)² ≤ 0²", parts)?)?;
        let none = show(here, "|𝟙[i∈A]·w⋆_i| ≤ 0", &[("1", &[&none])])?;
        show(here, goal, &[("1", &[&union(&none)?])])
    })?;
    sum_over(&one)
}

/// Hypothesis number n for two vectors.
fn of_pair(h: &Context, n: usize, x: &str, y: &str) -> Result<Theorem, Stuck> {
    instance(h, &instance(h, &given(h, n)?, &term(h, x)?)?, &term(h, y)?)
}

/// What strong convexity says of w and π.
fn strong(h: &Context) -> Result<Theorem, Stuck> {
    let few =
        |x: &str, told: &Theorem| union(&show(h, &format!("S({x}) ≤ t + τ"), &[("1", &[told])])?);
    let (near, here) = (few(NEAR, &sparse(h)?)?, few("w", &given(h, 5)?)?);
    let (model, value) = (model("w", "𝟙[j∈A]·w⋆_j"), format!("f({NEAR})[o]"));
    let (gap, missed) = (
        format!("{model} − {value}"),
        format!("max({model} − {value}, 0)"),
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&larger(h, &term(h, &gap)?, &num(0), false)?]),
        ("1", &[&of_pair(h, 2, "w", NEAR)?]),
        (&format!("{missed}·𝟙(S(w) ≤ t + τ)"), &[&near]),
        (&missed, &[&here]),
    ];
    show(h, &format!("{model} ≤ {value}"), parts)
}

/// f(π) ≤ f(w⋆) + (m/2)·(p − τ)·α², as the gradient is 0 at w⋆.
fn truncated(h: &Context, alpha: &str) -> Result<Theorem, Stuck> {
    let i = &with_index(h, "i")?;
    let step = "⟨w⋆_k − (g(w⋆)[i]/M_i)·𝟙[k=i] : k<p⟩";
    let least = instance(i, &given(h, 3)?, &term(i, step)?)?;
    let below = of_pair(i, 1, "w⋆", step)?;
    let parts: &[(&str, &[&Theorem])] = &[("2·M_i", &[&least]), ("2·M_i", &[&below])];
    let flat = root_increases(&show(i, "g(w⋆)[i]² ≤ 0²", parts)?)?;
    let lost = "(−1)·(1 − 𝟙[i∈A])·w⋆_i";
    let slope = moduli(i, "g(w⋆)[i]", lost)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&slope]), (&format!("|{lost}|"), &[&flat])];
    let slope = sum_over(&show(i, &format!("g(w⋆)[i]·({lost}) ≤ 0"), parts)?)?;
    let [small, most] = [4, 0].map(|n| instance(i, &given(h, n)?, &var("i")));
    let size = format!("M_i·({lost})² ≤ m·(1 − 𝟙[i∈A])·{alpha}²");
    let square = format!("M_i·(1 − 𝟙[i∈A])²·({alpha} + |w⋆_i|)");
    let rest = format!("(1 − 𝟙[i∈A])²·{alpha}²");
    let parts: &[(&str, &[&Theorem])] = &[(&square, &[&small?]), (&rest, &[&most?])];
    let size = sum_over(&show(i, &size, parts)?)?;
    let goal = format!("f({NEAR})[o] ≤ f(w⋆)[o] + (m/2)·(p − τ)·{alpha}²");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&of_pair(h, 1, "w⋆", NEAR)?]),
        ("1", &[&slope]),
        ("1/2", &[&size]),
    ];
    show(h, &goal, parts)
}

/// ½G² ≥ μ·(f(w) − f(π)) by strong convexity and Hölder's inequality, and π costs little.
fn prove(statement: &Statement, alpha: &str) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let i = &with_index(h, "i")?;
    let slope = moduli(i, "g(w)[i]", "w_i − 𝟙[i∈A]·w⋆_i")?;
    let most = instance(i, &given(h, 6)?, &var("i"))?;
    let one = "g(w)[i]·(w_i − 𝟙[i∈A]·w⋆_i) ≤ G·√(M_i)·|w_i − 𝟙[i∈A]·w⋆_i|";
    let reach = "√(M_i)·|w_i − 𝟙[i∈A]·w⋆_i|";
    let product = sum_over(&show(i, one, &[("1", &[&slope]), (reach, &[&most])])?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("μ", &[&strong(h)?]),
        ("μ", &[&truncated(h, alpha)?]),
        ("μ", &[&product]),
        ("(G − μ·(Σ_{j<p} √(M_j)·|𝟙[j∈A]·w⋆_j − w_j|))²/2", &[]),
    ];
    settle(h, &statement.goal, parts)
}

/// The proof of [`lemma_b_5`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_lemma_b_5(statement: &Statement) -> Result<Theorem, Stuck> {
    prove(statement, "α")
}

/// The proof of [`corollary_b_6`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_corollary_b_6(statement: &Statement) -> Result<Theorem, Stuck> {
    prove(statement, "0")
}
