//! Names that mean two things: false statements that were once proved, and are refused.

use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::combine;
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{Op, Term, num, op, sum, var};

/// 𝟙\[i = j\] summed over i ≤ k, where j is below another bound of that name.
fn ones() -> Term {
    let unit = op(Op::Unit, [var("i"), var("j")]);
    sum("i", var("k") + num(1), unit)
}

/// Of two variables k, a bound that depends on the outer one is not one that depends on the inner: Σ_{k<2} Σ_{j≤k} Σ_{k<1}
/// Σ_{i≤k} 𝟙\[i=j\] is 2, since the innermost sum is 0 at j = 1, and was proved to be 3.
#[test]
fn ranges_of_two_variables_of_one_name_are_kept_apart() -> Result<(), Stuck> {
    let none = Context::default();
    let nested = |inner: &str| {
        let body = sum(inner, num(1), ones());
        sum("k", num(2), sum("j", var("k") + num(1), body))
    };
    let three = sum("k", num(2), var("k")) + num(2);
    let goal = Goal::Eq(nested("k"), three.clone());
    refused(combine(&none, goal, &[]), "a range depends on another k");
    combine(&none, Goal::Eq(nested("l"), three), &[])?;
    Ok(())
}

/// Nor does a parameter range over what depends on another parameter: applied, it would be another's.
#[test]
fn ranges_of_parameters_do_not_depend_on_parameters() {
    let index = |bound: Term| Sort::Index(bound);
    let parameters = vec![
        ("k".to_owned(), index(num(2))),
        ("j".to_owned(), index(var("k") + num(1))),
    ];
    let define = Item::Define("f".into(), parameters, ones());
    refused(Context::default().extended(define), "nothing is called k");
}
