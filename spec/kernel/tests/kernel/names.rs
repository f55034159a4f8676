//! Names: what is put for a variable keeps its meaning under binders.

use crate::items::numbers;
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::combine;
use dp_assay_kernel::statement::{Context, Goal, Item, Notion, Relation, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, num, op, sum, var, vector};

fn over(name: &str, body: Term) -> Term {
    sum(name, var("n"), body)
}

/// What a name does not occur in stays as it is written, names of bound variables included.
#[test]
fn what_does_not_mention_a_name_is_left_alone() {
    let term = over("x", var("x"));
    assert_eq!(
        format!("{:?}", term.put("y", &var("x"))),
        format!("{term:?}")
    );
}

/// Of two terms that share a body its variable is bound in one and free in the other.
#[test]
fn a_shared_body_is_read_under_each_binder() {
    let body = var("x").exp();
    assert_ne!(over("x", body.clone()), over("y", body.clone()));
    assert_eq!(over("x", body.clone()), over("x", body));
}

/// Names are looked at one by one: `x` and `x′` are two, and a fresh one is neither in the value, nor in the body, nor the one
/// that is replaced.
#[test]
fn no_binder_captures_what_is_put_in_its_body() {
    let [x, y, x1, x2] = ["x", "y", "x′", "x′′"].map(var);
    let plus = |a: &Term, b: &Term| a.clone() + b.clone();
    for (before, name, value, after) in [
        // Σ_x (y + x) at y = x is Σ_k (x + k).
        (
            over("x", plus(&y, &x)),
            "y",
            x.clone(),
            over("k", plus(&x, &var("k"))),
        ),
        (
            over("x", plus(&y, &x)),
            "y",
            num(1),
            over("k", plus(&num(1), &var("k"))),
        ),
        // The next name is in the value, too.
        (
            over("x", plus(&y, &x)),
            "y",
            plus(&x, &x1),
            over("k", plus(&plus(&x, &x1), &var("k"))),
        ),
        // Or in the body.
        (
            over("x", plus(&plus(&x1, &y), &x)),
            "y",
            x.clone(),
            over("k", plus(&plus(&x1, &x), &var("k"))),
        ),
        // Or is the one that is replaced.
        (
            over("x", plus(&y, &x)),
            "x′",
            x.clone(),
            over("k", plus(&y, &var("k"))),
        ),
        (
            over("x", plus(&x1, &x)),
            "x′",
            x.clone(),
            over("k", plus(&x, &var("k"))),
        ),
        (
            over("x", plus(&plus(&x2, &y), &x)),
            "y",
            plus(&x, &x1),
            over("k", plus(&plus(&x2, &plus(&x, &x1)), &var("k"))),
        ),
        // What is bound is not free, but the range is.
        (over("x", x.clone()), "x", y.clone(), over("k", var("k"))),
        (
            sum("x", x.clone(), x.clone()),
            "x",
            y.clone(),
            sum("k", y.clone(), var("k")),
        ),
        (
            bind(Binder::Expect, "x", op(Op::Normal, [x.clone()]), x.clone()),
            "x",
            y.clone(),
            bind(Binder::Expect, "k", op(Op::Normal, [y.clone()]), var("k")),
        ),
        // A name of a function is one.
        (app("f", [y.clone()]), "f", var("g"), app("g", [y.clone()])),
        (app("f", [y.clone()]), "f", num(1), app("f", [y.clone()])),
        (
            vector("g", var("n"), app("f", [var("g")])),
            "f",
            var("g"),
            vector("k", var("n"), app("g", [var("k")])),
        ),
    ] {
        assert_eq!(
            before.put(name, &value),
            after,
            "{before:?} at {name} = {value:?}"
        );
    }
}

/// Words of the language, powers, and letters that look like Latin ones (a Greek and a Cyrillic capital, ο), like signs (of a
/// product, of |x|, of a sum), like others of the papers' (ʹ like ′), or like nothing.
#[test]
fn no_name_looks_like_something_else() {
    let named = |x: &str| Context::default().extended(Item::Var(x.into(), Sort::Real(Sign::Any)));
    for name in [
        "min", "sqrt", "max", "xⁿ", "xⁱ", "Α", "Ν₁", "А", "ο", "₁x", "ₙ",
    ] {
        refused(named(name), "is not a name");
    }
    for name in [
        "xꞏx",
        "ǀxǀ",
        "xᐩy",
        "xᵀ",
        "xʹ",
        "\u{212a}",
        "\u{115f}0",
        "x\u{3164}",
        "ｘ",
        "ѕ",
    ] {
        refused(named(name), "is not a name");
    }
    for name in ["A", "o", "minimum", "xₙ", "Nₜ", "ν", "Ω", "ā", "𝒮"] {
        assert!(named(name).is_ok(), "{name}");
    }
}

/// An image of two laws can lie further apart than they, in the sense of a Rényi divergence of negative order.
#[test]
fn an_order_is_positive() -> Result<(), Stuck> {
    let data = Sort::Dataset(num(3), Relation::ZeroOut);
    let context = numbers()?
        .extended(Item::Var("D′".into(), data))?
        .extended(Item::Var("α".into(), Sort::Real(Sign::NonNegative)))?;
    let released = |order: Term| {
        let sort = Sort::Mechanism(num(1), "D′".into(), Notion::Renyi(order, num(1)));
        context.clone().extended(Item::Var("A′".into(), sort))
    };
    for order in [num(0) - num(1), num(0), var("α"), var("α") - num(1)] {
        refused(released(order), "order ≤ 0");
    }
    for order in [num(2), num(1) + var("α")] {
        assert!(released(order).is_ok());
    }
    Ok(())
}

/// Σ_i Σ_j max(0, Σ_k 𝟙[k=i]·𝟙[k=j]·v_k) has one normal form behind any number of sums, by whose names which of the two units is
/// taken for k was decided when the tenth came.
#[test]
fn what_has_been_named_before_does_not_matter() {
    let context = numbers().unwrap();
    let over = |name: &str, body: Term| sum(name, var("d"), body);
    let [i, j, k] = ["i′", "j", "k"].map(var);
    let unit = |a: &Term, b: &Term| op(Op::Unit, [a.clone(), b.clone()]);
    let picked = unit(&k, &i) * unit(&k, &j) * at(&var("v"), &k);
    let all = over("i′", over("j", num(0).max_with(&over("k", picked))));
    for many in 1..12 {
        let before = vec![over("j", at(&var("v"), &j)); many];
        let sides = [true, false].map(|first| {
            let (all, mut terms) = (all.clone(), before.clone());
            terms.insert(if first { 0 } else { many }, all);
            Term::Op(Op::Add, terms.into())
        });
        let [first, last] = sides;
        assert!(
            combine(&context, Goal::Eq(first, last), &[]).is_ok(),
            "{many}"
        );
    }
}
