//! Equations that normal forms know and such that they must not take for true: one for each thing that is rewritten.

use crate::forms::told_apart;
use crate::items::{real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, combine, left_over};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, num, op, sum, var, vector};

fn setting() -> Result<Context, Stuck> {
    let vectors = ["u", "v", "w"].map(|name| variable(name, Sort::Vector(var("d"), Sign::Any)));
    let context = Context::default().with([
        variable("d", Sort::Count),
        real("x", Sign::Any),
        real("y", Sign::Positive),
        variable("i", Sort::Index(var("d"))),
        variable("j", Sort::Index(var("d"))),
        variable("𝒮", Sort::SetLaw(var("d"))),
    ])?;
    context.with(vectors)
}

/// What was found in one context is not said in another: in more contexts than are kept, each twice in turn.
#[test]
fn a_normal_form_is_that_of_its_own_context() -> Result<(), Stuck> {
    let x = vec![("x".to_owned(), Sort::Real(Sign::Any))];
    let define = |n: i64| Item::Define("f".into(), x.clone(), num(n) * var("x"));
    let made = |n| Context::default().with([real("y", Sign::Any), define(n)]);
    let f = || app("f", [var("y")]);
    for n in (0..20).chain(0..20) {
        let context = made(n)?;
        for other in 0..20 {
            let goal = Goal::Eq(f() + f(), num(2 * other) * var("y"));
            let proved = combine(&context, goal, &[]);
            assert_eq!(proved.is_ok(), n == other, "{n} as {other}");
        }
    }
    // The root of a square is its base where that is ≥ 0, which a sort tells.
    for (sign, itself) in [(Sign::Any, false), (Sign::NonNegative, true)].repeat(2) {
        let context = Context::default().extended(real("y", sign))?;
        let goal = Goal::Eq(var("y").pow(2).sqrt(), var("y"));
        assert_eq!(combine(&context, goal, &[]).is_ok(), itself, "{sign:?}");
    }
    Ok(())
}

/// Nor is what was found under a binder said under another of the same depth: √(x²) is x for an index, but E √(x²) is not E x = 0 for
/// a Gaussian number.
#[test]
fn a_normal_form_is_that_of_its_own_binders() -> Result<(), Stuck> {
    let z = vec![("z".to_owned(), Sort::Real(Sign::Any))];
    let root = Item::Define("f".into(), z, var("z").pow(2).sqrt());
    let context = setting()?.extended(root)?;
    let of = |z: &str| app("f", [var(z)]);
    let drawn = |body: Term| bind(Binder::Expect, "z", op(Op::Normal, [num(1)]), body);
    let twice = |body: &Term| over("l", var("l") * body.clone());
    let (indices, gaussian) = (over("k", of("k")), drawn(of("z")));
    let same = |one: Term, other: Term| combine(&context, Goal::Eq(one, other), &[]);
    for _ in 0..2 {
        same(indices.clone(), over("k", var("k")))?;
        same(twice(&indices), twice(&over("k", var("k"))))?;
        assert!(same(gaussian.clone(), num(0)).is_err());
        assert!(same(twice(&gaussian), num(0)).is_err());
        same(drawn(var("z")), num(0))?;
    }
    Ok(())
}

/// A law by weights stands as it was written, but where its weights depend on a bound variable: that is named anew, and sums and
/// products around it are put in order.
#[test]
fn weights_are_put_in_order_only_around_a_bound_variable() -> Result<(), Stuck> {
    let mean = |weight: Term| {
        let law = bind(Binder::Weighted, "k", var("d"), weight.exp());
        let larger = var("k").max_with(&var("l"));
        over("l", bind(Binder::Expect, "k", law, larger))
    };
    let (k, y) = (|| var("k"), || var("y"));
    told_apart(
        &setting()?,
        &[
            (mean(k() + var("l")), mean(var("l") + k()), true),
            (mean(k() + y()), mean(y() + k()), false),
        ],
    )
}

fn entry(v: &str, k: &str) -> Term {
    at(&var(v), &var(k))
}

fn over(k: &str, body: Term) -> Term {
    sum(k, var("d"), body)
}

#[test]
fn powers_and_roots_are_what_they_are() -> Result<(), Stuck> {
    let (x, y, root) = (var("x"), var("y"), var("y").sqrt());
    let more = y.clone() + num(1);
    // What is under this root is not plainly ≥ 0 once it is a normal form: it is left alone beside a root that is squared.
    let inner = (x.clone() - y.clone()).abs().sqrt();
    let around = root.clone() * inner.clone() * root.clone();
    told_apart(
        &setting()?,
        &[
            (root.pow(2), y.clone(), true),
            (around, y.clone() * inner, true),
            (root.clone() * root.clone(), y.clone(), true),
            (root.pow(3), y.clone() * root.clone(), true),
            (root.pow(3), y.clone(), false),
            (root.pow(4), y.pow(2), true),
            (root.pow(-1), root.clone() / y.clone(), true),
            (root.pow(-2), num(1) / y.clone(), true),
            (root.pow(-3), root.clone() / y.pow(2), true),
            (root.clone() / root.clone(), num(1), true),
            (root, y.clone(), false),
            (more.sqrt().pow(2), more.clone(), true),
            ((x.clone() - x.clone()).sqrt(), num(0).sqrt(), true),
            ((x.clone() - x.clone()).exp(), num(0).exp(), true),
            (num(1) / more.clone(), num(1) / y.clone(), false),
            (num(1) / more.clone(), num(1), false),
            (more.clone() / more.clone(), num(1), false),
            (
                num(1) / (y.clone() * more.clone()),
                num(1) / (y.clone() + y.pow(2)),
                true,
            ),
            ((x.pow(2) * y.clone()) / y.clone(), x.pow(2), true),
            (
                x.clone() * num(3) / num(2),
                x.clone() / num(2) * num(3),
                true,
            ),
        ],
    )
}

/// A power is refused before it is as large as numbers are that begin anew where nobody looks: x^(2³²) was 1 then.
#[test]
fn powers_do_not_begin_anew() -> Result<(), Stuck> {
    let (context, y) = (setting()?, var("y"));
    let raised = |powers: &[i64]| powers.iter().fold(y.clone(), |t, e| t.pow(*e));
    let same = |t: Term, other: Term| combine(&context, Goal::Eq(t, other), &[]);
    same(raised(&[64, 64, 64, 4]), raised(&[4, 64, 64, 64]))?;
    let large = "the power is too large";
    for powers in [
        &[64, 64, 64, 4, 2][..],
        &[64, 64, 64, 64, 64, 4],
        &[64, 64, 64, -8],
        &[65],
        &[-65],
        &[i64::from(i32::MIN)],
    ] {
        refused(same(raised(powers), num(1)), large);
    }
    Ok(())
}

/// Names that normal forms make do not meet, however deep binders lie in binders and norms.
#[test]
fn bound_names_of_any_depth_are_kept_apart() -> Result<(), Stuck> {
    let deep = |a: &str, c: &str| {
        let inner = over("c", (entry("u", a) + entry("v", "b") + entry("w", c)).exp());
        over("a", over("b", inner.exp()).exp())
    };
    let scaled = |k: &str| vector("l", var("d"), entry("u", k) * entry("w", "l"));
    let square = |k: &str| over("l", entry("u", k).pow(2) * entry("w", "l").pow(2));
    let own = over("l", entry("u", "l").pow(2) * entry("w", "l").pow(2)).sqrt();
    told_apart(
        &setting()?,
        &[
            (deep("a", "c"), deep("a", "c"), true),
            (deep("a", "c"), deep("c", "a"), false),
            (deep("a", "c"), deep("a", "a"), false),
            (deep("a", "c"), deep("c", "c"), false),
            (
                over("k", scaled("k").norm()),
                over("k", square("k").sqrt()),
                true,
            ),
            (over("k", scaled("k").norm()), over("k", own), false),
        ],
    )
}

/// Of what is clipped, or a function of a set, the moments are not those of what is drawn.
#[test]
fn moments_are_of_what_is_drawn_alone() -> Result<(), Stuck> {
    let noise = op(Op::Normal, [var("d"), num(1)]);
    let mean = |t: Term| bind(Binder::Expect, "η", noise.clone(), t);
    let clip = |j: &str| at(&op(Op::Clip, [var("η"), num(1)]), &var(j));
    let set = |t: Term| bind(Binder::Expect, "S", var("𝒮"), t);
    let member = |j: &str| op(Op::Member, [var(j), var("S")]);
    let inclusion = |j: &str| op(Op::Inclusion, [var(j), var("𝒮")]);
    let all = over("k", member("k").exp());
    told_apart(
        &setting()?,
        &[
            (mean(entry("η", "i").pow(2)), num(1), true),
            (mean(clip("i").pow(2)), num(1), false),
            (mean(clip("i") * entry("η", "i")), num(1), false),
            (
                mean(clip("i") * clip("j")),
                op(Op::Unit, [var("i"), var("j")]),
                false,
            ),
            (set(member("i")), inclusion("i"), true),
            (set(member("i")), inclusion("j"), false),
            (set(member("i")), num(1), false),
            (set(member("i").pow(3)), inclusion("i"), true),
            (set(member("i") * member("j")), inclusion("i"), false),
            (set(member("i") * member("j")), inclusion("j"), false),
            (
                set(member("i") * num(2) + num(1)),
                num(1) + num(2) * inclusion("i"),
                true,
            ),
            (set(all.pow(-1)), over("k", set(member("k").exp())), false),
            (set(all.clone()), over("k", set(member("k").exp())), true),
            (set(all), num(1), false),
        ],
    )
}

/// What is left over closes the gap, as it is written: in whole numbers and quotients, its parts in order.
#[test]
fn what_is_left_over_is_what_is_missing() -> Result<(), Stuck> {
    let context = setting()?;
    let (x, y) = (var("x"), var("y"));
    let unit = |a: &str, b: &str| op(Op::Unit, [var(a), var(b)]);
    for rest in [
        x.pow(2) / num(2),
        num(3) * y.clone() / num(4),
        num(1) / (y.clone() + num(1)),
        (x.pow(2) + num(1)) / (y.clone() + num(2)) / num(3),
        over("k", entry("u", "k").pow(2) / num(2)).exp(),
        unit("j", "i"),
        y.sqrt() / num(2),
    ] {
        let goal = Goal::Le(x.clone(), x.clone() + rest.clone());
        let missing = left_over(&context, &goal, &[])?.expect("the sides differ");
        let filled = [Part::new(missing, [])];
        assert_eq!(left_over(&context, &goal, &filled)?, None, "{rest:?}");
        combine(&context, goal, &filled)?;
    }
    let ordered = |a: &str, b: &str| left_over(&context, &Goal::Le(num(0), unit(a, b)), &[]);
    assert_eq!(ordered("j", "i")?, Some(unit("i", "j")));
    assert_eq!(ordered("i", "j")?, Some(unit("i", "j")));
    Ok(())
}
