//! The witness of Theorem 2 and Corollary 12, corrected.

use crate::moved::curvature::curved;
use crate::moved::margin::{
    RIDGE, START, TWO_POINTS, apart, convex, flat, is_smooth, last_given, lipschitz, mean_convex,
    parse, ridge, ridge_is_of_class, share, short, smooth, start, tangent_of, with_record,
};
use crate::moved::written::{Proof, each, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, exchange, instance, inverse, root_increases, sum_over};
use dp_assay_kernel::search::exp::exp_of_zero;
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-thm-2-witness`: m is the mean of the losses of one user, or of all, convex, and q its gradient, which is clipped at C = 1;
/// with the ridge it is Lipschitz with L = 1/4 + λ and the PL inequality holds with μ = λ; any n gradients of norm at most 1 are at
/// most 1 from their mean, so that Z = S = 1; F(0) − F⋆ ≤ log 2, and ≤ 1/(8λ). ψ is F + (L/2)‖·‖².
pub fn statement() -> Result<Statement, Stuck> {
    let short = "if for every index k<n: ‖e_k‖ ≤ 1: ";
    let psi = tangent_of(["ψ", "χ"], "x", "y");
    let goals = [
        format!("{TWO_POINTS}{} ≤ m(y)", tangent_of(["m", "q"], "x", "y")),
        "for every index k<n: for every vector x ∈ ℝ^d: ‖⟨π(s(k, x))·a_k[j] : j<d⟩‖ ≤ 1".to_owned(),
        format!("{short}‖⟨(Σ_{{k<n}} e_k[j])/n : j<d⟩‖ ≤ 1"),
        format!("{short}(Σ_{{j<d}} Σ_{{k<n}} (e_k[j] − (Σ_{{l<n}} e_l[j])/n)²)/n ≤ 1"),
        format!("{TWO_POINTS}Σ_{{j<d}} (g(x, j) − g(y, j))² ≤ (1/4 + λ)²·(Σ_{{j<d}} (x_j − y_j)²)"),
        format!("{TWO_POINTS}2·λ·(f(x) − f(y)) ≤ Σ_{{j<d}} g(x, j)²"),
        format!("{TWO_POINTS}{psi} ≤ ψ(y)"),
        format!("{TWO_POINTS}ψ(y) ≤ {psi} + (Σ_{{j<d}} 2·(1/4 + λ)·(y_j − x_j)²)/2"),
        START.to_owned(),
        "for every vector w ∈ ℝ^d: 8·λ·(f(⟨0 : j<d⟩) − f(w)) ≤ 1".to_owned(),
        ridge_is_of_class(),
    ];
    let more = "define ψ(w∈ℝ^d) := f(w) + ((1/4 + λ)/2)·(Σ_{j<d} w_j²)
        define χ(w∈ℝ^d, j<d) := g(w, j) + (1/4 + λ)·w_j
        sequence e in ℝ^d
        ";
    parse(&["real λ ≥ 0", RIDGE, more], &goals)
}

/// ‖e_k‖ ≤ 1, the last hypothesis.
fn given_short(h: &Context, k: &str) -> Proof {
    instance(h, &last_given(h)?, &var(k))
}

/// Σ_k ‖v_k‖² ≤ n for a sequence v of vectors of norm at most 1, coordinate by coordinate.
fn squares(h: &Context, v: &str, short: &dyn Fn(&Context, &str) -> Proof) -> Proof {
    let k = &with_record(h, "k₀")?;
    let one = format!("Σ_{{j<d}} {v}_k₀[j]² ≤ 1");
    let one = show(k, &one, &[(&format!("1 + ‖{v}_k₀‖"), &[&short(k, "k₀")?])])?;
    let both = k.extended(item("j", Sort::Index(var("d"))))?;
    let body = term(&both, &format!("{v}_k₀[j]²"))?;
    let swap = exchange(h, ("k₀", &var("n")), ("j", &var("d")), &body)?;
    let goal = format!("Σ_{{j<d}} Σ_{{k<n}} {v}_k[j]² ≤ n");
    show(h, &goal, &[("1", &[&sum_over(&one)?]), ("(−1)", &[&swap])])
}

/// ‖(1/n)·Σ_k v_k‖² ≤ 1: with the mean square of the distances from it, it is that of the norms.
fn mean_square(h: &Context, v: &str, short: &dyn Fn(&Context, &str) -> Proof) -> Proof {
    let slack = format!("(Σ_{{j<d}} Σ_{{k<n}} ({v}_k[j] − (Σ_{{l<n}} {v}_l[j])/n)²)/n");
    let square = format!("Σ_{{j<d}} ((Σ_{{k<n}} {v}_k[j])/n)² ≤ 1");
    show(
        h,
        &square,
        &[("1/n", &[&squares(h, v, short)?]), (&slack, &[])],
    )
}

fn mean_is_short(h: &Context, goal: &Goal) -> Proof {
    let root = root_increases(&mean_square(h, "e", &given_short)?)?;
    settle(h, goal, &[("1", &[&root])])
}

fn near_mean(h: &Context, goal: &Goal) -> Proof {
    let slack = "Σ_{j<d} ((Σ_{k<n} e_k[j])/n)²";
    settle(
        h,
        goal,
        &[("1/n", &[&squares(h, "e", &given_short)?]), (slack, &[])],
    )
}

/// 2λ(f(x) − f(y)) ≤ ‖g(x)‖².
fn polyak(h: &Context, [x, y]: [&str; 2]) -> Proof {
    let slack = format!("Σ_{{j<d}} (g({x}, j) + λ·({y}[j] − {x}[j]))²");
    let goal = format!("2·λ·(f({x}) − f({y})) ≤ Σ_{{j<d}} g({x}, j)²");
    show(h, &goal, &[("2·λ", &[&convex(h, x, y)?]), (&slack, &[])])
}

/// 8λ(f(0) − f(w)) ≤ 1: at 0 the gradient of every loss is half a record.
fn starts_near(h: &Context, goal: &Goal) -> Proof {
    let steep = polyak(h, ["⟨0 : j<d⟩", "w"])?;
    let (one, whole) = (exp_of_zero(h)?, inverse(h, &term(h, "1 + exp(0)")?)?);
    let parts: &[(&str, &[&Theorem])] = &[("1/2", &[&whole]), ("((−1)/2)/(1 + exp(0))", &[&one])];
    let half = show(h, "π(0) = 1/2", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("4", &[&steep]),
        ("4·π(0)²", &[&mean_square(h, "a", &short)?]),
        ("2·(1 + 2·π(0))", &[&half]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let curved = curved(&statement.context)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&mean_convex(h, "x", "y")?])]),
            &|h, goal| {
                let (share, short) = (share(h, "s(k, x)")?, short(h, "k")?);
                settle(h, goal, &[("1", &[&share]), ("π(s(k, x))", &[&short])])
            },
            &mean_is_short,
            &near_mean,
            &|h, goal| {
                let convex = |x: &str, y: &str| flat(h, x, y);
                let smooth = |x: &str, y: &str| smooth(h, &curved, x, y);
                settle(
                    h,
                    goal,
                    &[("1", &[&lipschitz(h, ["g", "(1/4 + λ)"], &convex, &smooth)?])],
                )
            },
            &|h, goal| settle(h, goal, &[("1", &[&polyak(h, ["x", "y"])?])]),
            &|h, goal| {
                let slack = format!("((1/4 + 2·λ)/2)·{}", apart("x", "y"));
                settle(h, goal, &[("1", &[&convex(h, "x", "y")?]), (&slack, &[])])
            },
            &|h, goal| is_smooth(h, &curved, goal),
            &start,
            &starts_near,
            &ridge,
        ],
    )
}
