//! Assumptions 1, 2 and 4 together: what they leave of a global loss.
//!
//! f(k, y, ξ) is the gradient of user k's loss at y for what she samples, of which ξ is the source; F is L-smooth as in
//! [`super::run`].

use super::{size, swap};
use crate::moved::written::{Proof, each, given_for, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, convex, discharge, expected, induction, instance, limit, sum_over, unclipped,
};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, num, op, var};

/// Hypotheses by number.
mod of {
    pub const SHORT: usize = 0;
    pub const GRADIENT: usize = 2;
    pub const LEAST: usize = 3;
    pub const STEEP: usize = 4;
}

/// `decor-asm-joint-lemma`: Assumption 4 is supposed first, then 1 and 2; nothing is clipped, which only says that means exist.
pub fn constant() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer B ≥ 1
           real C ≥ 0
           map f of ℝ^n × ℝ^d × ℝ^B into ℝ^d
           assume for every index k′<n: for every vector x′ ∈ ℝ^d: for every vector ξ′ ∈ ℝ^B: \
               ‖f(⟨𝟙[ι=k′] : ι<n⟩, x′, ξ′)‖ ≤ C
           define g(k<n, y∈ℝ^d, ξ∈ℝ^B, j<d) := clip(f(⟨𝟙[ι=k] : ι<n⟩, y, ξ), C)[j]
           define G(k<n, y∈ℝ^d, j<d) := 𝔼_{ξ′∼N_{B}(0, 1)}[g(k, y, ξ′, j)]
           define D(y∈ℝ^d, j<d) := (Σ_{κ<n} G(κ, y, j))/n
           real L > 0
           vector Ω ∈ ℝ^d, all > 0
           assume for every index j′<d: Ω_j′ = 2·L
           function ψ on ℝ^d with Ω: convex, differentiable, and ψ(y) ≤ ψ(x) + ⟨∇ψ(x), y − x⟩ + \
               ½·Σ_j Ω_j·(y_j − x_j)² for all x, y
           define F(y∈ℝ^d) := ψ(y) − (L/2)·(Σ_{ϑ<d} y_ϑ²)
           assume for every vector x′ ∈ ℝ^d: for every index j′<d: ∂_j′ ψ(x′) − L·x′_j′ = D(x′, \
               j′)
           real F⋆
           assume for every vector x′ ∈ ℝ^d: F⋆ ≤ F(x′)
           real μ > 0
           assume for every vector x′ ∈ ℝ^d: 2·μ·(F(x′) − F⋆) ≤ Σ_{ϑ<d} D(x′, ϑ)²
         holds
           for every index k<n: for every vector y ∈ ℝ^d: for every vector ξ ∈ ℝ^B: for every \
               index j<d: g(k, y, ξ, j) = f(⟨𝟙[ι=k] : ι<n⟩, y, ξ)[j]; for every vector x ∈ ℝ^d: \
               for every vector y ∈ ℝ^d: F(x) ≤ F(y)",
    )
}

fn with(h: &Context, name: &str, below: &str) -> Result<Context, Stuck> {
    h.extended(item(name, Sort::Index(size(below))))
}

/// ‖D(v)‖² ≤ C², D being a mean over users and samples of what is no longer than C.
fn bounded(h: &Context, v: &str) -> Proof {
    let k = &with(h, "k", "n")?;
    let inner = &k.extended(item("ξ", Sort::Vector(var("B"), Sign::Any)))?;
    let short = given_for(inner, of::SHORT, &["k", v, "ξ"])?;
    let j = &with(inner, "j", "d")?;
    let user = "f(⟨𝟙[ι=k] : ι<n⟩, {v}, ξ)".replace("{v}", v);
    let whole = unclipped(j, &short, Some("j"))?;
    let (own, plain) = (format!("g(k, {v}, ξ, j)"), format!("{user}[j]"));
    let parts: &[(&str, &[&Theorem])] = &[(&format!("{own} + {plain}"), &[&whole])];
    let square = sum_over(&show(j, &format!("{own}² = {plain}²"), parts)?)?;
    let parts: &[(&str, &[&Theorem])] = &[(&format!("C + ‖{user}‖"), &[&short]), ("1", &[&square])];
    let square = show(inner, &format!("Σ_{{j<d}} {own}² ≤ C²"), parts)?;
    let square = expected(&square, &op(Op::Normal, [var("B"), num(1)]))?;
    // The variances of samples, and of users.
    let spread = format!("𝔼_{{ξ∼N_{{B}}(0, 1)}}[Σ_{{j<d}} ({own} − G(k, {v}, j))²]");
    let mean = format!("Σ_{{j<d}} G(k, {v}, j)² ≤ C²");
    let users = sum_over(&show(k, &mean, &[("1", &[&square]), (&spread, &[])])?)?;
    let swapped = swap(h, ("k", "n"), ("j", "d"), &format!("G(k, {v}, j)²"))?;
    let spread = format!("(Σ_{{j<d}} Σ_{{k<n}} (G(k, {v}, j) − D({v}, j))²)/n");
    let goal = format!("Σ_{{j<d}} D({v}, j)² ≤ C²");
    let parts: &[(&str, &[&Theorem])] =
        &[("1/n", &[&users]), ("(−1)/n", &[&swapped]), (&spread, &[])];
    show(h, &goal, parts)
}

/// (1 + μ/L)·(F(v) − F⋆) ≤ F(v + ∇F(v)/L) − F⋆: smoothness from below, and steepness.
fn rises(h: &Context, next: &str) -> Proof {
    let above = convex(h, "ψ", &var("v"), &term(h, next)?)?;
    let j = &with(h, "j", "d")?;
    let slope = given_for(j, of::GRADIENT, &["v", "j"])?;
    let one = "∂_j ψ(v)·D(v, j)/L = v_j·D(v, j) + D(v, j)²/L";
    let slope = sum_over(&show(j, one, &[("D(v, j)/L", &[&slope])])?)?;
    let steep = given_for(h, of::STEEP, &["v"])?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&above]),
        ("(−1)", &[&slope]),
        ("1/(2·L)", &[&steep]),
    ];
    show(h, &format!("(1 + μ/L)·(F(v) − F⋆) ≤ F({next}) − F⋆"), parts)
}

/// The gap, K times, stays below C²/(2μ) wherever it is looked at.
fn gap(k: &str) -> String {
    format!("for every vector v ∈ ℝ^d: (1 + {k}·μ/L)·(F(v) − F⋆) ≤ C²/(2·μ)")
}

/// What holds at k + 1 holds at v if it holds at k one step of ascent further.
fn ascent(h: &Context, goal: &Goal) -> Proof {
    let Goal::Every(_, _, wanted) = goal else {
        return Err(Stuck::new("not everywhere"));
    };
    let v = &h.extended(item("v", Sort::Vector(var("d"), Sign::Any)))?;
    let next = "⟨v_j + D(v, j)/L : j<d⟩";
    let known = instance(v, &assume(h, h.items().len() - 1)?, &term(v, next)?)?;
    let least = given_for(v, of::LEAST, &["v"])?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&known]),
        ("1 + k·μ/L", &[&rises(v, next)?]),
        ("k·(μ/L)²", &[&least]),
    ];
    discharge(&settle(v, wanted, parts)?)
}

/// F(x) ≤ F(y) + (C²L/(2μ²))/K for every K, so F(x) ≤ F(y).
fn level(h: &Context, wanted: &Goal) -> Proof {
    let count = &h.extended(item("K", Sort::Count))?;
    let v = &count.extended(item("v", Sort::Vector(var("d"), Sign::Any)))?;
    let start = "(1 + 0·μ/L)·(F(v) − F⋆) ≤ C²/(2·μ)";
    let (steep, bounded) = (given_for(v, of::STEEP, &["v"])?, bounded(v, "v")?);
    let half: &[(&str, &[&Theorem])] = &[("1/(2·μ)", &[&steep]), ("1/(2·μ)", &[&bounded])];
    let start = discharge(&show(v, start, half)?)?;
    let k = &with(count, "k", "K")?;
    let k_held = &k.extended(Item::Assume(goal(k, &gap("k"))?))?;
    let step = ascent(k_held, &goal(k, &gap("(k + 1)"))?)?;
    let all = induction(&start, &discharge(&step)?)?;
    let all = instance(count, &all, &var("x"))?;
    let at = |x: &str| given_for(count, of::LEAST, &[x]);
    let parts: &[(&str, &[&Theorem])] = &[
        ("L/(μ·K)", &[&all]),
        ("L/(μ·K)", &[&at("x")?]),
        ("1", &[&at("y")?]),
    ];
    let near = show(count, "F(x) ≤ F(y) + (C²·L/(2·μ²))/K", parts)?;
    let found = limit(&near)?;
    settle(h, wanted, &[("1", &[&found])])
}

/// The proof of [`constant`]: a step of ascent by ∇F/L raises the gap by the factor 1 + μ/L, and the gap is at most C²/(2μ).
pub fn prove_constant(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                let short = given_for(h, of::SHORT, &["k", "y", "ξ"])?;
                settle(h, goal, &[("1", &[&unclipped(h, &short, Some("j"))?])])
            },
            &level,
        ],
    )
}
