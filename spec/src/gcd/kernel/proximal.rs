//! Greedy rules of the proximal version: `gcd-rule-gsq-repaired`.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, root_increases};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::var;

/// `gcd-rule-gsq-repaired`: ψ(x)\[k\] is ψ_k(x_k), Q(k, a) the quadratic model of coordinate k and b_k where it is least; its decrease is
/// Q(k, 0) − Q(k, a).
pub fn quadratic() -> Result<Statement, Stuck> {
    let least = |k: &str| format!("for every index {k}<p: Q(j, b_j) ≤ Q({k}, b_{k})");
    let largest = |k: &str, a: &str| {
        format!(
            "for every index {k}<p: for every real {a}: Q({k}, 0) − Q({k}, {a}) ≤ Q(j, 0) − Q(j, \
                b_j)"
        )
    };
    let greedy = |k: &str| format!("for every index {k}<p: |g_{k}|/√(M_{k}) ≤ |g_j|/√(M_j)");
    let plain = "for every vector x ∈ ℝ^p: for every index i<p: ψ(x)[i] = 0";
    let goals = [
        format!("if {}: {}", least("i"), largest("k", "a")),
        format!("if {}: {}", largest("i", "c"), least("k")),
        format!("if {plain}: if {}: {}", least("i"), greedy("k")),
        format!("if {plain}: if {}: {}", greedy("i"), least("k")),
    ]
    .join("; ");
    render::parse(&format!(
        "for all
           integer p ≥ 1
           vector M ∈ ℝ^p, all > 0
           vector g ∈ ℝ^p
           vector w ∈ ℝ^p
           map ψ of ℝ^p into ℝ^p
           define Q(k<p, a) := g_k·a + (M_k/2)·a² + ψ(⟨w_l + a·𝟙[l=k] : l<p⟩)[k] − ψ(w)[k]
           vector b ∈ ℝ^p
           assume for every index i<p: for every real c: Q(i, b_i) ≤ Q(i, c)
           index j<p
         holds
           {goals}"
    ))
}

/// Q(k, b_k) ≤ Q(k, a).
fn below(h: &Context, k: &str, a: &str) -> Proof {
    instance(h, &instance(h, &given(h, 0)?, &var(k))?, &term(h, a)?)
}

/// −g_k²/(2M_k) ≤ Q(k, b_k) if ψ is 0, or Q(k, b_k) ≤ −g_k²/(2M_k).
fn plain(h: &Context, k: &str, first: bool) -> Proof {
    let zero = |x: &str| instance(h, &instance(h, &given(h, 1)?, &term(h, x)?)?, &var(k));
    let still = zero("w")?;
    if first {
        let moved = zero(&format!("⟨w_l + b_{k}·𝟙[l={k}] : l<p⟩"))?;
        let square = format!("M_{k}·(b_{k} + g_{k}/M_{k})²/2");
        let parts: &[(&str, &[&Theorem])] =
            &[(&square, &[]), ("(−1)", &[&moved]), ("1", &[&still])];
        return show(h, &format!("(−1)·g_{k}²/(2·M_{k}) ≤ Q({k}, b_{k})"), parts);
    }
    let best = format!("(−1)·g_{k}/M_{k}");
    let moved = zero(&format!("⟨w_l + ({best})·𝟙[l={k}] : l<p⟩"))?;
    let least = below(h, k, &best)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&least]), ("1", &[&moved]), ("(−1)", &[&still])];
    show(h, &format!("Q({k}, b_{k}) ≤ (−1)·g_{k}²/(2·M_{k})"), parts)
}

pub fn prove_quadratic(statement: &Statement) -> Proof {
    let told = |h: &Context, n| instance(h, &given(h, n)?, &var("k"));
    each(
        statement,
        &[
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[("1", &[&told(h, 1)?]), ("1", &[&below(h, "k", "a")?])],
                )
            },
            &|h, goal: &Goal| {
                let all = instance(h, &told(h, 1)?, &term(h, "b_k")?)?;
                settle(h, goal, &[("1", &[&all])])
            },
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("2", &[&plain(h, "j", true)?]),
                    ("2", &[&told(h, 2)?]),
                    ("2", &[&plain(h, "k", false)?]),
                ];
                let squares = "(|g_k|/√(M_k))² ≤ (|g_j|/√(M_j))²";
                settle(
                    h,
                    goal,
                    &[("1", &[&root_increases(&show(h, squares, parts)?)?])],
                )
            },
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("1", &[&plain(h, "j", false)?]),
                    ("(|g_j|/√(M_j) + |g_k|/√(M_k))/2", &[&told(h, 2)?]),
                    ("1", &[&plain(h, "k", true)?]),
                ];
                settle(h, goal, parts)
            },
        ],
    )
}
