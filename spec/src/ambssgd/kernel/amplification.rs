//! Steps of the analysis of Algorithm 1.

use crate::moved::written::given;
use crate::moved::written::{Proof, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, root_increases, tangent};
use dp_assay_kernel::search::exp::exp_of_opposite;
use dp_assay_kernel::statement::Statement;
use dp_assay_kernel::term::var;

/// `ambssgd-eq-7-repaired`: x is ε₀.
pub fn equation_7() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           real δ > 0
           real x > 0
           assume δ ≤ 1
           assume x ≤ 1/2
         holds
           (1 − exp((−1)·x))·(√(exp(x)·log(1/δ)/n) + exp(x)/n) ≤ x·((3/2)·√(log(1/δ)/n) + 2/n)",
    )
}

/// The proof of [`equation_7`], or of a statement with larger constants: 1 − exp(−x) ≤ x, and exp(x) ≤ 2.
pub fn prove_equation_7(statement: &Statement) -> Proof {
    let h = &statement.context;
    let small = given(h, 1)?;
    let decay = tangent(h, &term(h, "(−1)·x")?)?;
    let unit = exp_of_opposite(h, &var("x"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("2·exp(x)", &[&decay]),
        ("2·exp(x)", &[&small]),
        ("(−2)", &[&unit]),
    ];
    let two = show(h, "exp(x) ≤ 2", parts)?;
    let square = "exp(x)·log(1/δ)/n ≤ (9/4)·log(1/δ)/n";
    let root = root_increases(&show(h, square, &[("log(1/δ)/n", &[&two])])?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("√(exp(x)·log(1/δ)/n) + exp(x)/n", &[&decay]),
        ("x", &[&root]),
        ("x/n", &[&two]),
    ];
    settle(h, &statement.goal, parts)
}
