//! Names that mean two things: false statements that were once proved, and are refused.

use crate::items::variable;
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{combine, one_record};
use dp_assay_kernel::statement::{Context, Goal, Item, Relation, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, bind, num, op, sum, var};
use std::collections::BTreeSet;

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

/// Nor has it a sort of which no argument is taken: the text would not tell the definition from one with another such sort.
#[test]
fn parameters_have_sorts_that_are_printed() -> Result<(), Stuck> {
    let (size, other) = (variable("d", Sort::Count), variable("e", Sort::Count));
    let context = Context::default().with([size, other])?;
    let define = |sort: &Sort| {
        let parameters = vec![("x".to_owned(), sort.clone())];
        context.extended(Item::Define("f".into(), parameters, num(1)))
    };
    let d = || var("d");
    let fine = [
        Sort::Real(Sign::Any),
        Sort::Index(d()),
        Sort::Index(var("e")),
        Sort::Vector(d(), Sign::Any),
        Sort::Vector(var("e"), Sign::Any),
        Sort::Set(d()),
        Sort::Set(var("e")),
    ];
    let mut texts = BTreeSet::new();
    for sort in &fine {
        texts.extend(define(sort)?.items().last().map(ToString::to_string));
    }
    assert_eq!(texts.len(), fine.len(), "{texts:?}");
    for sort in [
        Sort::Count,
        Sort::Real(Sign::NonNegative),
        Sort::Real(Sign::Positive),
        Sort::Vector(d(), Sign::NonNegative),
        Sort::Vector(d(), Sign::Positive),
        Sort::Sequence(d()),
        Sort::Map(vec![d()], d()),
        Sort::Feature(d()),
        Sort::Label,
        Sort::Record,
        Sort::SetFunction(d(), Sign::Any),
    ] {
        refused(define(&sort), "f cannot take");
    }
    Ok(())
}

/// A law by weights stands in a normal form as it was written: an index in it may have the name that the normal form gives to
/// what the weights depend on. Σ_{i<2} E max(k, i), k < 2 by weights of exp(i·k), is 3/2, and was proved to be the same by weights of
/// Σ_{l<2} exp(l·k), which is larger.
#[test]
fn what_weights_depend_on_is_not_one_of_their_own_indices() -> Result<(), Stuck> {
    let means = |own: &str, x: &str| {
        let weight = sum(own, num(2), (var(x) * var("k")).exp());
        let law = bind(Binder::Weighted, "k", num(2), weight);
        let larger = var("k").max_with(&var("i"));
        sum("i", num(2), bind(Binder::Expect, "k", law, larger))
    };
    let same = |one: Term, other: Term| combine(&Context::default(), Goal::Eq(one, other), &[]);
    for height in 0..4 {
        let own = format!("%{height}");
        assert!(same(means(&own, "i"), means(&own, &own)).is_err(), "{own}");
        same(means(&own, "i"), means("l", "i"))?;
        same(means(&own, &own), means("l", "l"))?;
    }
    Ok(())
}

/// A record is put where an index of that name is bound: of Σ_{a<d} Σ_{z∈D} g(z), the record a would be the index.
#[test]
fn records_are_not_taken_for_indices() -> Result<(), Stuck> {
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("n", Sort::Count),
        variable("g", Sort::Label),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
    ])?;
    let one = bind(Binder::Total, "z", var("D"), app("g", [var("z")]));
    let query = sum("a", var("d"), one);
    let moved = |first: &str| {
        let here = context.with([first, "b"].map(|z| variable(z, Sort::Record)))?;
        let apart = app("g", [var(first)]) - app("g", [var("b")]);
        let apart = (var("d") * apart).abs();
        one_record(
            &context,
            "D",
            &query,
            &combine(&here, Goal::Le(apart.clone(), apart), &[])?,
        )
    };
    refused(moved("y"), "the bound depends on the record");
    refused(moved("a"), "a is bound and has a meaning already");
    Ok(())
}

/// Names of normal forms are numbers behind a sign: any words would be printed as if they were said.
#[test]
fn no_name_says_something() {
    let said = |name: &str| {
        let goal = Goal::Le(sum(name, num(1), num(1)), num(1));
        combine(&Context::default(), goal, &[])
    };
    assert!(said("%0").is_ok());
    for name in ["%<1} 0 + 1 ≤ 0 (k", "%0′", "%k", "% 0"] {
        refused(said(name), "is not a name");
    }
}
