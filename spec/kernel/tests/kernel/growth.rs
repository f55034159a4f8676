//! Expectations that may not exist, and loops without an invariant, are refused.

use crate::items::{looped, real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, combine, ends, expected, larger, sum_over};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, num, op, sum, var, vector};

#[test]
fn expectations_that_may_not_exist_are_refused() -> Result<(), Stuck> {
    let outer = Context::default().with([
        variable("d", Sort::Count),
        real("v", Sign::Positive),
        real("u", Sign::Any),
        variable("i", Sort::Index(var("d"))),
    ])?;
    let inner = outer.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let entry = at(&var("η"), &var("i"));
    let law = |variance: Term| op(Op::Normal, [var("d"), variance]);
    let positive = num(1) / (entry.pow(2) + num(1));
    let tail = combine(
        &inner,
        Goal::Le(num(0), positive.clone()),
        &[Part::new(positive, [])],
    )?;
    refused(expected(&tail, &law(var("v"))), "no expectation");
    let square = combine(
        &inner,
        Goal::Le(num(0), entry.pow(2)),
        &[Part::new(entry.pow(2), [])],
    )?;
    // Of a supremum nothing is said.
    let others = op(Op::Except, [var("d"), var("i")]);
    let most = bind(Binder::Sup, "k", others, at(&var("η"), &var("k")));
    let most = combine(
        &inner,
        Goal::Le(num(0), most.clone()),
        &[Part::new(most, [])],
    )?;
    refused(expected(&most, &law(var("v"))), "no expectation");
    refused(expected(&square, &law(var("u"))), "may be negative");
    expected(&square, &law(var("v")))?;
    refused(sum_over(&square), "not an index");
    Ok(())
}

/// q is the number y where that is `named` y, and else 1: in a sum over y, which was defined before, it is no index.
fn behind(named: &str) -> Result<Context, Stuck> {
    let number = |x: &str| (x.to_owned(), Sort::Real(Sign::Any));
    let inverse = num(1) / (num(1) + var("v")).max_with(&var("w"));
    let q = match named {
        "y" => var("y"),
        _ => num(1),
    };
    Context::default().with([
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("d"))),
        Item::Define("h".into(), vec![number("v")], sum("y", var("d"), var("v"))),
        Item::Define(
            "g".into(),
            vec![number("v"), number("w")],
            sum("y", var("d"), inverse),
        ),
        real("y", Sign::Any),
        Item::Define("q".into(), vec![], q),
    ])
}

/// Before, 1 ≤ 0 was a theorem: of y ≤ −1, and of d·y ≥ 0 as the sum of indices.
#[test]
fn a_variable_is_not_taken_for_what_a_sum_before_it_binds() -> Result<(), Stuck> {
    for (named, plain) in [("y", false), ("one", true)] {
        let context = behind(named)?;
        let (h, q) = (|t| app("h", [t]), app("q", []));
        let sum = Goal::Le(num(0), h(q.clone()));
        let nonnegative = combine(&context, sum, &[Part::new(h(q.clone()), [])]);
        assert_eq!(nonnegative.is_ok(), plain, "{named}");
        let inner = context.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
        let inverse = app("g", [q, at(&var("η"), &var("i"))]);
        let most = larger(&inner, &num(0), &inverse, true)?;
        let mean = expected(&most, &op(Op::Normal, [var("d"), num(1)]));
        assert_eq!(mean.is_ok(), plain, "{named}");
    }
    Ok(())
}

/// What grows too fast is found inside whatever may hold it.
#[test]
fn wild_growth_is_found_in_every_part() -> Result<(), Stuck> {
    let outer = Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("i", Sort::Index(var("d"))),
    ])?;
    let inner = outer.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let entry = at(&var("η"), &var("i"));
    let law = op(Op::Normal, [var("d"), num(1)]);
    let drawn = |t: Term| {
        let law = op(Op::Normal, [var("d"), t]);
        bind(Binder::Expect, "ξ", law, at(&var("ξ"), &var("i")).abs())
    };
    let parts: [&dyn Fn(Term) -> Term; 9] = [
        &|t| num(1) + t,
        &|t| num(1) - t,
        &|t| var("d") * t,
        &|t| t / var("d"),
        &|t| t.pow(3),
        &|t| t.abs(),
        &|t| num(0).max_with(&t),
        &|t| sum("l", var("d"), t * at(&var("v"), &var("l"))),
        &drawn,
    ];
    for part in parts {
        for (growth, tame) in [(entry.pow(2).exp(), false), (entry.pow(2), true)] {
            let side = part(growth);
            let same = combine(&inner, Goal::Le(side.clone(), side.clone()), &[])?;
            let found = expected(&same, &law);
            assert_eq!(found.is_ok(), tame, "{side:?}: {found:?}");
        }
    }
    Ok(())
}

/// A walk θ ← θ + η, K times from v, with another law or step; and the invariant θ_i of its loop, which is there a theorem.
fn walk(law: Term, next: Term) -> Result<Context, Stuck> {
    let draw = Command::Draw {
        name: "η".into(),
        law,
    };
    let set = Command::Set("θ".into(), vector("l", var("d"), next));
    let process = looped("θ", "d", var("v"), "K", vec![draw, set]);
    Context::default().with([
        variable("d", Sort::Count),
        variable("K", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("i", Sort::Index(var("d"))),
        Item::Process("P".into(), process),
    ])
}

/// Invariants that are none, other contexts, and processes whose states may have no moments.
#[test]
fn ends_without_an_invariant_are_refused() -> Result<(), Stuck> {
    let entry = |v: &str, j: &str| at(&var(v), &var(j));
    let normal = |variance: Term| op(Op::Normal, [var("d"), variance]);
    let step = entry("θ", "l") + entry("η", "l");
    let value = entry("θ", "i");
    let theta = || variable("θ", Sort::Vector(var("d"), Sign::Any));
    let attempt = |here: &Context, value: &Term, invariant: &Term, twice: Option<&Term>| {
        let start = here.extended(theta())?;
        let step = start.extended(variable("t", Sort::Index(var("K"))))?;
        let same =
            |here: &Context, a: &Term, b: &Term| combine(here, Goal::Le(a.clone(), b.clone()), &[]);
        let end = same(&start, value, value)?;
        let kept = twice.unwrap_or(invariant);
        let kept = same(&step, kept, kept)?;
        ends(here, "P", ("θ", value), &[invariant], &[&end, &kept])
    };
    let sound = walk(normal(num(1)), step.clone())?;
    attempt(&sound, &value, &value, None)?;
    // E θ_i² grows; it is no invariant, and 0 is below θ_i at the end.
    let square = value.pow(2);
    refused(
        attempt(&sound, &square, &square, None),
        "not the invariant after one round",
    );
    refused(
        attempt(&sound, &value, &num(0), None),
        "may be below the value",
    );
    refused(
        attempt(&sound, &value, &value, Some(&num(0))),
        "not the invariant after one round",
    );
    // In the context of one state, or with the draw in another meaning.
    let start = sound.extended(theta())?;
    let same = combine(&start, Goal::Le(value.clone(), value.clone()), &[])?;
    refused(
        ends(&sound, "P", ("θ", &value), &[], &[]),
        "without an invariant",
    );
    let all = |here| ends(here, "P", ("θ", &value), &[&value, &value], &[&same; 4]);
    refused(all(&sound), "more invariants");
    refused(all(&start), "has a meaning");
    let named = sound.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let product = entry("θ", "i") * entry("η", "i");
    refused(attempt(&named, &product, &product, None), "meaning already");
    // Laws and steps that may have no moments.
    let wild = entry("θ", "l") / (entry("θ", "l").pow(2) + num(1));
    let wild = walk(normal(num(1)), wild)?;
    refused(attempt(&wild, &value, &value, None), "no expectation");
    let heavy = walk(normal((entry("θ", "i").pow(2) + num(1)).pow(-1)), step)?;
    refused(attempt(&heavy, &value, &value, None), "no expectation");
    refused(
        attempt(&sound, &value.exp(), &value.exp(), None),
        "no expectation",
    );
    Ok(())
}
