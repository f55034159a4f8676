//! The witness of Theorem 2 and Corollary 12, corrected.

use crate::moved::margin::{
    CURVED, RIDGE, START, TWO_POINTS, apart, convex, flat, is_smooth, last_given, lipschitz, parse,
    ridge, ridge_is_of_class, share, short, smooth, start, tangent_of, with_record,
};
use crate::moved::written::{Proof, each, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{exchange, instance, root_increases, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `decor-thm-2-witness`: q is the gradient of the losses of one user, or of all, which is clipped at C = 1; with the ridge it is
/// Lipschitz with L = 1/4 + λ and the PL inequality holds with μ = λ; any n gradients of norm at most 1 are at most 1 from their mean,
/// so that Z = S = 1; F(0) − F⋆ ≤ log 2. ψ is F + (L/2)‖·‖².
pub fn statement() -> Result<Statement, Stuck> {
    let short = "if for every index k<n: ‖e_k‖ ≤ 1: ";
    let psi = tangent_of(["ψ", "χ"], "x", "y");
    let goals = [
        "for every index k<n: for every vector x ∈ ℝ^d: ‖⟨π(s(k, x))·a_k[j] : j<d⟩‖ ≤ 1".to_owned(),
        format!("{short}‖⟨(Σ_{{k<n}} e_k[j])/n : j<d⟩‖ ≤ 1"),
        format!("{short}(Σ_{{j<d}} Σ_{{k<n}} (e_k[j] − (Σ_{{l<n}} e_l[j])/n)²)/n ≤ 1"),
        format!(
            "{CURVED}{TWO_POINTS}Σ_{{j<d}} (g(x, j) − g(y, j))² ≤ (1/4 + λ)²·(Σ_{{j<d}} (x_j − y_j)²)"
        ),
        format!("{TWO_POINTS}2·λ·(f(x) − f(y)) ≤ Σ_{{j<d}} g(x, j)²"),
        format!("{TWO_POINTS}{psi} ≤ ψ(y)"),
        format!("{CURVED}{TWO_POINTS}ψ(y) ≤ {psi} + (Σ_{{j<d}} 2·(1/4 + λ)·(y_j − x_j)²)/2"),
        START.to_owned(),
        ridge_is_of_class(),
    ];
    let more = "define ψ(w∈ℝ^d) := f(w) + ((1/4 + λ)/2)·(Σ_{j<d} w_j²)
        define χ(w∈ℝ^d, j<d) := g(w, j) + (1/4 + λ)·w_j
        sequence e in ℝ^d
        ";
    parse(&["real λ ≥ 0", RIDGE, more], &goals)
}

/// Σ_k ‖e_k‖² ≤ n, coordinate by coordinate.
fn squares(h: &Context) -> Proof {
    let k = &with_record(h, "k₀")?;
    let short = instance(k, &last_given(h)?, &var("k₀"))?;
    let one = show(k, "Σ_{j<d} e_k₀[j]² ≤ 1", &[("1 + ‖e_k₀‖", &[&short])])?;
    let body = term(&k.extended(item("j", Sort::Index(var("d"))))?, "e_k₀[j]²")?;
    let swap = exchange(h, ("k₀", &var("n")), ("j", &var("d")), &body)?;
    let goal = "Σ_{j<d} Σ_{k<n} e_k[j]² ≤ n";
    show(h, goal, &[("1", &[&sum_over(&one)?]), ("(−1)", &[&swap])])
}

const FROM_MEAN: &str = "(Σ_{j<d} Σ_{k<n} (e_k[j] − (Σ_{l<n} e_l[j])/n)²)";

fn mean_is_short(h: &Context, goal: &Goal) -> Proof {
    let slack = format!("{FROM_MEAN}/n");
    let square = "Σ_{j<d} ((Σ_{k<n} e_k[j])/n)² ≤ 1";
    let square = show(h, square, &[("1/n", &[&squares(h)?]), (&slack, &[])])?;
    let root = root_increases(&square)?;
    settle(h, goal, &[("1", &[&root])])
}

fn near_mean(h: &Context, goal: &Goal) -> Proof {
    let slack = "Σ_{j<d} ((Σ_{k<n} e_k[j])/n)²";
    settle(h, goal, &[("1/n", &[&squares(h)?]), (slack, &[])])
}

fn polyak(h: &Context, goal: &Goal) -> Proof {
    let slack = "Σ_{j<d} (g(x, j) + λ·(y_j − x_j))²";
    settle(h, goal, &[("2·λ", &[&convex(h, "x", "y")?]), (slack, &[])])
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| {
                let (share, short) = (share(h, "s(k, x)")?, short(h, "k")?);
                settle(h, goal, &[("1", &[&share]), ("π(s(k, x))", &[&short])])
            },
            &mean_is_short,
            &near_mean,
            &|h, goal| {
                let curved = last_given(h)?;
                let convex = |x: &str, y: &str| flat(h, x, y);
                let smooth = |x: &str, y: &str| smooth(h, &curved, x, y);
                settle(
                    h,
                    goal,
                    &[("1", &[&lipschitz(h, ["g", "(1/4 + λ)"], &convex, &smooth)?])],
                )
            },
            &polyak,
            &|h, goal| {
                let slack = format!("((1/4 + 2·λ)/2)·{}", apart("x", "y"));
                settle(h, goal, &[("1", &[&convex(h, "x", "y")?]), (&slack, &[])])
            },
            &is_smooth,
            &start,
            &ridge,
        ],
    )
}
