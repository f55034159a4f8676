//! Which sign is plain of a term: no more than what holds for all values of its variables, and no less than is relied on.

use crate::items::{real, variable};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{clipped, exp_log};
use dp_assay_kernel::statement::Sign::{self, Any, NonNegative, Positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Relation, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, num, op, sum, var, vector};

/// Numbers a of any sign, n ≥ 0 and p > 0, and vectors, sets, data and definitions; what a and the numbers s, …, which are > 0, are
/// at most; and what r is at least.
fn setting() -> Result<Context, Stuck> {
    let x = || vec![("x".to_owned(), Sort::Real(Any))];
    let bounds = [
        ("s", num(1) / num(2)),
        ("t", num(1)),
        ("u", num(2)),
        ("v", num(3) / num(2)),
        ("w", num(-3) / num(-2)),
        ("o", num(-1) / num(0)),
    ];
    let mut items = vec![
        real("a", Any),
        real("n", NonNegative),
        real("p", Positive),
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("d"))),
        variable("A", Sort::Vector(var("d"), Any)),
        variable("B", Sort::Vector(var("d"), NonNegative)),
        variable("C", Sort::Vector(var("d"), Positive)),
        variable("𝒮", Sort::SetLaw(var("d"))),
        variable("S", Sort::Outcome("𝒮".into())),
        variable("F", Sort::SetFunction(var("d"), NonNegative)),
        variable("D", Sort::Dataset(var("d"), Relation::ReplaceOne)),
        variable("y", Sort::Label),
        Item::Define("square".into(), x(), var("x").pow(2)),
        Item::Define("same".into(), x(), var("x")),
        Item::Assume(Goal::Le(var("a"), num(1))),
    ];
    for (name, bound) in bounds {
        items.push(real(name, Positive));
        items.push(Item::Assume(Goal::Le(var(name), bound)));
    }
    items.push(real("r", Positive));
    items.push(Item::Assume(Goal::Le(num(1), var("r"))));
    Context::default().with(items)
}

/// The sign by what rules ask for it.
fn plain(context: &Context, term: &Term) -> Sign {
    let told = |stuck: Stuck| assert!(stuck.to_string().contains("not plainly"), "{stuck}");
    match (exp_log(context, term), clipped(context, &var("a"), term)) {
        (Ok(_), Ok(_)) => Positive,
        (Err(no), Ok(_)) => {
            told(no);
            NonNegative
        }
        (Err(no), Err(nor)) => {
            told(no);
            told(nor);
            Any
        }
        (Ok(_), Err(_)) => panic!("{term:?} is positive and may be negative"),
    }
}

fn numbers() -> Vec<(Term, Sign)> {
    let [a, n, p, d] = ["a", "n", "p", "d"].map(var);
    let power = |x: &Term| op(Op::Pow, [x.clone(), d.clone()]);
    vec![
        (num(-1), Any),
        (num(0), NonNegative),
        (num(1), Positive),
        (d.clone(), Positive),
        (var("i"), NonNegative),
        (n.clone() + n.clone(), NonNegative),
        (n.clone() + p.clone(), Positive),
        (p.clone() + a.clone(), Any),
        (p.clone() - n.clone(), Any),
        (p.clone() * p.clone(), Positive),
        (p.clone() * n.clone(), NonNegative),
        (a.clone() * p.clone(), Any),
        (p.clone() / p.clone(), Positive),
        (n.clone() / p.clone(), NonNegative),
        (a.clone() / p.clone(), Any),
        (p.clone() / a.clone(), Any),
        (p.clone() / n.clone(), Any),
        (num(1) / num(-1), Any),
        (a.pow(2), NonNegative),
        (a.pow(3), Any),
        (a.pow(-2), Any),
        (n.pow(3), NonNegative),
        (n.pow(-1), Any),
        (n.pow(-2), Any),
        (p.pow(3), Positive),
        (p.pow(-1), Positive),
        (power(&a), Any),
        (power(&n), NonNegative),
        (power(&p), Positive),
        (a.sqrt(), NonNegative),
        (p.sqrt(), Positive),
        (a.abs(), NonNegative),
        (a.exp(), Positive),
        (a.max_with(&a), Any),
        (a.max_with(&n), NonNegative),
        (p.max_with(&a), Positive),
        (op(Op::AtMost, [a.clone(), p.clone()]), NonNegative),
        (op(Op::Clip, [p.clone(), p.clone()]), Any),
        (app("square", [a.clone()]), NonNegative),
        (app("same", [a]), Any),
        (app("same", [p]), Positive),
    ]
}

/// Logarithms of 1/x for an x that is at most a number.
fn logarithms() -> Vec<(Term, Sign)> {
    let of = |x: &str| (num(1) / var(x)).log();
    vec![
        (of("s"), Positive),
        (of("t"), NonNegative),
        (of("u"), Any),
        (of("v"), Any),
        (of("w"), Any),
        (of("o"), Any),
        (of("p"), Any),
        (of("r"), Any),
        (of("a"), Any),
        (var("s").log(), Any),
        (var("s").pow(-1).log(), Positive),
        (var("s").pow(-2).log(), Any),
        ((num(2) / var("s")).log(), Any),
    ]
}

fn bound() -> Vec<(Term, Sign)> {
    let entry = |v: &str, j: &str| at(&var(v), &var(j));
    let over = |v: &str| sum("k", var("d"), entry(v, "k"));
    let written = |v: &str| at(&vector("k", var("d"), entry(v, "k")), &var("i"));
    let total = |t: Term| bind(Binder::Total, "z", var("D"), t);
    let mean = |t: Term| bind(Binder::Expect, "η", op(Op::Normal, [var("d"), num(1)]), t);
    let most = |t: Term| bind(Binder::Sup, "k", op(Op::Except, [var("d"), var("i")]), t);
    let label = app("y", [var("z")]);
    vec![
        (entry("A", "i"), Any),
        (entry("B", "i"), NonNegative),
        (entry("C", "i"), Positive),
        (written("A"), Any),
        (written("B"), NonNegative),
        (written("C"), Positive),
        (entry("F", "S"), NonNegative),
        (var("A").norm(), NonNegative),
        (op(Op::Member, [var("i"), var("S")]), NonNegative),
        (op(Op::Unit, [var("i"), var("i")]), NonNegative),
        (op(Op::Inclusion, [var("i"), var("𝒮")]), Positive),
        (over("A"), Any),
        (over("B"), NonNegative),
        (over("C"), Positive),
        (sum("k", var("d"), var("k")), NonNegative),
        (sum("k", var("d"), var("k") + num(1)), Positive),
        (total(num(1)), NonNegative),
        (total(label.clone()), Any),
        (total(label.pow(2)), NonNegative),
        (mean(num(1)), NonNegative),
        (mean(entry("η", "i")), Any),
        (mean(entry("η", "i").pow(2)), NonNegative),
        (most(entry("A", "k")), NonNegative),
    ]
}

#[test]
fn no_sign_is_plain_that_a_value_does_not_have() -> Result<(), Stuck> {
    let context = setting()?;
    for (term, sign) in [numbers(), logarithms(), bound()].concat() {
        assert_eq!(plain(&context, &term), sign, "{term:?}");
    }
    Ok(())
}
