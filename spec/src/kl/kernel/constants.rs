//! The constants of Theorem 6.

use super::lower::products;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exp_log, exp_sum};
use dp_assay_kernel::statement::{Context, Goal, Statement};
use dp_assay_kernel::term::{num, var};

/// `kl-thm-6-const-repaired`, every equation as two inequalities: x is log λ, y the logarithm of λ₁, ρ(x) that of the radius, M(x) the smoothness that is added, s
/// is τ − 1, and a power of a product is the exponential of a sum.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           real τ > 0
           real s > 0
           assume s = τ − 1
           real L₀ > 0
           real Δ > 0
           real D > 0
           real x
           define ρ(u) := (1/s)·(log(L₀) − s·log(2) − log(τ) − τ·u)
           define M(u) := τ·s·exp(τ·u + (τ − 2)·log(2) + (τ − 2)·ρ(u))
           define c₁ := s·exp((1/s)·log(τ))
           define c₂ := c₁·exp((2·s/τ)·log(2) + (1/τ)·(log(τ) − log(s)))
           define c₃ := exp(((−1)/s)·log(τ) + (1/τ)·(log(s) − log(τ)) − (2·s/τ)·log(2))/2
           define y := (2·s²/τ²)·log(2) + (s/τ²)·(log(Δ) + log(τ) − τ·log(D) − log(s)) − \
               (s/τ)·log(2)
         holds
           M(x) ≤ c₁·exp((τ/s)·x + ((τ − 2)/s)·log(L₀)); c₁·exp((τ/s)·x + ((τ − 2)/s)·log(L₀)) ≤ \
               M(x); M(y) ≤ (c₂/2)·exp((1/τ)·log(Δ) − log(D) + ((τ − 2)/s)·log(L₀)); \
               (c₂/2)·exp((1/τ)·log(Δ) − log(D) + ((τ − 2)/s)·log(L₀)) ≤ M(y); exp(ρ(y)) ≤ \
               2·c₃·exp((1/s)·log(L₀) + log(D) − (1/τ)·log(Δ)); 2·c₃·exp((1/s)·log(L₀) + log(D) − \
               (1/τ)·log(Δ)) ≤ exp(ρ(y))",
    )
}

const FIRST: &str = "(1/s)·log(τ)";
const REST: &str = "((τ − 2)/s)·log(L₀)";

fn exponent(u: &str) -> String {
    format!("(τ·{u} + (τ − 2)·log(2) + (τ − 2)·ρ({u}))")
}

/// M(x) against c₁·λ^{τ/(τ−1)}·L₀^{(τ−2)/(τ−1)}, from below or from above.
fn added(h: &Context, goal: &Goal, up: bool) -> Proof {
    let (named, of_tau) = (given(h, 0)?, exp_log(h, &var("τ"))?);
    let (all, rest) = (exponent("x"), format!("((τ/s)·x + {REST})"));
    let (sign, other) = if up {
        ("", "(−1)·")
    } else {
        ("(−1)·", "")
    };
    let sides = [[&all, "log(τ)"], [FIRST, &rest]];
    let [[a, b], [c, e]] = if up { sides } else { [sides[1], sides[0]] };
    let order = format!("{a} + {b} ≤ {c} + {e}");
    let factor = format!("{sign}(τ·x + log(τ))/s");
    let order = show(h, &order, &[(&factor, &[&named])])?;
    let powers = products(h, [a, b, c, e], &order)?;
    let unit = format!("{other}s·exp({all})");
    settle(h, goal, &[("s", &[&powers]), (&unit, &[&of_tau])])
}

/// M(y) against (c₂/2)·Δ^{1/τ}·L₀^{(τ−2)/(τ−1)}/D.
fn added_at_first(h: &Context, goal: &Goal, up: bool) -> Proof {
    let (named, of_tau, of_two) = (given(h, 0)?, exp_log(h, &var("τ"))?, exp_log(h, &num(2))?);
    let (all, logs) = (exponent("y"), "log(τ) + log(2)");
    let [second, last] = [
        "((2·s/τ)·log(2) + (1/τ)·(log(τ) − log(s)))".to_owned(),
        format!("((1/τ)·log(Δ) − log(D) + {REST})"),
    ];
    let rest = format!("{second} + {last}");
    let (sign, other) = if up {
        ("", "(−1)·")
    } else {
        ("(−1)·", "")
    };
    let sides = [[all.as_str(), logs], [FIRST, &rest]];
    let [[a, b], [c, e]] = if up { sides } else { [sides[1], sides[0]] };
    let order = format!("({a}) + ({b}) ≤ ({c}) + ({e})");
    let factor = format!("{sign}(τ·y + log(τ))/s");
    let order = show(h, &order, &[(&factor, &[&named])])?;
    let powers = products(h, [a, b, c, e], &order)?;
    let left = exp_sum(h, &term(h, "log(τ)")?, &term(h, "log(2)")?)?;
    let right = exp_sum(h, &term(h, &second)?, &term(h, &last)?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("s/2", &[&powers]),
        (&format!("{other}(s/2)·exp({all})"), &[&left]),
        (&format!("{other}(s/2)·exp({all})·exp(log(2))"), &[&of_tau]),
        (&format!("{other}(s/2)·exp({all})·τ"), &[&of_two]),
        (&format!("{sign}(s/2)·exp({FIRST})"), &[&right]),
    ];
    settle(h, goal, parts)
}

/// The radius at y against 2c₃·L₀^{1/(τ−1)}·D/Δ^{1/τ}.
fn radius(h: &Context, goal: &Goal, up: bool) -> Proof {
    let first = "((−1)/s)·log(τ) + (1/τ)·(log(s) − log(τ)) − (2·s/τ)·log(2)";
    let last = "(1/s)·log(L₀) + log(D) − (1/τ)·log(Δ)";
    let sum = exp_sum(h, &term(h, first)?, &term(h, last)?)?;
    settle(h, goal, &[(if up { "1" } else { "(−1)" }, &[&sum])])
}

/// The proof of [`statement`].
pub fn prove(statement: &Statement) -> Proof {
    each(
        statement,
        &[
            &|h, goal| added(h, goal, true),
            &|h, goal| added(h, goal, false),
            &|h, goal| added_at_first(h, goal, true),
            &|h, goal| added_at_first(h, goal, false),
            &|h, goal| radius(h, goal, true),
            &|h, goal| radius(h, goal, false),
        ],
    )
}
