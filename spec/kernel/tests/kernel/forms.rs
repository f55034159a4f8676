//! What is the same up to the names of bound variables, what a term rests on, and which forms a rule reads: each
//! against what differs from it in one part.

use crate::items::{looped, numbers, real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, assume, combine, convex, exchange, expected, root_increases, smooth,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Relation, Sign, Sort, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

#[test]
fn goals_are_the_same_in_all_their_parts_only() {
    let (x, y) = (var("x"), var("y"));
    let le = || Box::new(Goal::Le(var("x"), var("y")));
    let draw = |name: &str| {
        Box::new(Command::Draw {
            name: name.into(),
            law: var("q"),
        })
    };
    let moves = |data: &str, query: &Term, by: &Term| Goal::Moves {
        data: data.into(),
        query: query.clone(),
        by: by.clone(),
    };
    let keeps = |data: &str, name: &str, by: &Term| Goal::Keeps {
        data: data.into(),
        command: draw(name),
        by: by.clone(),
    };
    let private = |data: &str, notion: Notion, view: View| Goal::Private {
        data: data.into(),
        notion,
        subject: Subject::Process("P".into(), view),
    };
    let pure = || Notion::Pure(var("x"));
    let pair = |make: fn(Term, Term) -> Notion, a: &Term, b: &Term| {
        private("D", make(a.clone(), b.clone()), View::End)
    };
    let goals = [
        Goal::Le(x.clone(), y.clone()),
        Goal::Le(x.clone(), x.clone()),
        Goal::Le(y.clone(), y.clone()),
        Goal::Eq(x.clone(), y.clone()),
        Goal::Minimises("f".into(), x.clone()),
        Goal::Minimises("f".into(), y.clone()),
        Goal::Minimises("g".into(), x.clone()),
        Goal::Every("x".into(), Sort::Count, le()),
        Goal::Every("z".into(), Sort::Count, le()),
        Goal::Every("x".into(), Sort::Label, le()),
        Goal::Every(
            "x".into(),
            Sort::Count,
            Box::new(Goal::Eq(x.clone(), y.clone())),
        ),
        Goal::If(le(), le()),
        Goal::If(le(), Box::new(Goal::Eq(x.clone(), y.clone()))),
        Goal::If(Box::new(Goal::Eq(x.clone(), y.clone())), le()),
        Goal::Both(vec![*le()]),
        Goal::Both(vec![*le(), *le()]),
        Goal::Both(vec![*le(), Goal::Eq(x.clone(), y.clone())]),
        moves("D", &x, &y),
        moves("E", &x, &y),
        moves("D", &y, &y),
        moves("D", &x, &x),
        keeps("D", "a", &y),
        keeps("E", "a", &y),
        keeps("D", "b", &y),
        keeps("D", "a", &x),
        private("D", pure(), View::End),
        private("E", pure(), View::End),
        private("D", pure(), View::Transcript),
        private("D", Notion::Pure(y.clone()), View::End),
        private("D", Notion::Zcdp(x.clone()), View::End),
        pair(Notion::Approximate, &x, &y),
        pair(Notion::Approximate, &x, &x),
        pair(Notion::Approximate, &y, &y),
        pair(Notion::Renyi, &x, &y),
        pair(Notion::Renyi, &x, &x),
        pair(Notion::Renyi, &y, &y),
    ];
    for (i, goal) in goals.iter().enumerate() {
        for (j, other) in goals.iter().enumerate() {
            assert_eq!(goal == other, i == j, "{goal:?} and {other:?}");
        }
    }
}

#[test]
fn terms_are_the_same_up_to_bound_names_only() {
    let plus = |a: &str, b: &str| var(a) + var(b);
    let over = |name: &str, body: Term| sum(name, var("n"), body);
    assert_eq!(over("a", plus("a", "x")), over("b", plus("b", "x")));
    for other in [
        over("b", plus("a", "x")),
        over("b", plus("b", "b")),
        over("x", plus("x", "x")),
        over("b", plus("b", "y")),
        sum("b", var("m"), plus("b", "x")),
        vector("b", var("n"), plus("b", "x")),
    ] {
        let one = over("a", plus("a", "x"));
        assert!(one != other);
        assert!(other != one);
        assert!(one.cmp(&other) == other.cmp(&one).reverse());
    }
    let twice = |a: &str, b: &str, body: Term| over(a, over(b, body));
    assert_eq!(
        twice("a", "b", plus("a", "b")),
        twice("b", "a", plus("b", "a"))
    );
    assert_ne!(
        twice("a", "b", plus("a", "a")),
        twice("a", "b", plus("b", "b"))
    );
}

/// A parameter hides the data set of the same name; everything else in a definition, and in what it is made of, counts.
#[test]
fn a_definition_rests_on_what_it_names() -> Result<(), Stuck> {
    let total = bind(Binder::Total, "z", var("D"), app("y", [var("z")]));
    let parameter = |name: &str| vec![(name.to_owned(), Sort::Real(Sign::Any))];
    let context = Context::default().with([
        variable("n", Sort::Count),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("y", Sort::Label),
        Item::Define("f".into(), parameter("x"), var("x") + total),
        Item::Define("g".into(), parameter("x"), app("f", [var("x")])),
        Item::Define("h".into(), parameter("x"), var("x") + num(1)),
    ])?;
    for (name, reads) in [("f", true), ("g", true), ("h", false)] {
        assert_eq!(context.reads(&app(name, [num(1)]), "D"), reads, "{name}");
    }
    let names = context.rests_on(&app("h", [num(1)]));
    assert!(!names.contains("x"), "{names:?}");
    Ok(())
}

#[test]
fn the_slope_of_a_risk_is_the_mean_slope_and_that_of_the_rest() -> Result<(), Stuck> {
    let mean = Mean {
        data: "D".into(),
        loss: "ℓ".into(),
        rest: "r".into(),
    };
    let context = Context::default().with([
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        variable("ℓ", Sort::Loss(var("d"), Lipschitz::Entries, "M".into())),
        variable("r", Sort::Function(var("d"), "M".into())),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("x", Sort::Vector(var("d"), Sign::Any)),
        variable("j", Sort::Index(var("d"))),
        variable("f", Sort::Risk(var("d"), "M".into(), mean)),
    ])?;
    let slope = |f: &str, more: &[Term]| {
        let ends = [&[var(f), var("x")], more, &[var("j")]].concat();
        Term::Op(Op::Partial, ends.into())
    };
    let mean = bind(Binder::Total, "z", var("D"), slope("ℓ", &[var("z")])) / var("n");
    let told = context.mean_slope("f", &var("x"), &var("j"));
    assert!(told.is_some_and(|told| told == mean + slope("r", &[])));
    assert_eq!(context.mean_slope("r", &var("x"), &var("j")), None);
    Ok(())
}

#[test]
fn sums_over_ranges_that_know_each_other_are_not_exchanged() -> Result<(), Stuck> {
    let context = Context::default().with([variable("n", Sort::Count)])?;
    let body = var("k") + var("e");
    let ranges = |k: &str, e: &str| {
        let (k, e) = (var(k), var(e));
        exchange(&context, ("k", &k), ("e", &e), &body)
    };
    ranges("n", "n")?;
    refused(ranges("e", "n"), "depends on an index");
    refused(ranges("n", "k"), "depends on an index");
    Ok(())
}

/// √(t²) is t where t is plainly ≥ 0, and no other power has such a root.
#[test]
fn only_the_root_of_a_square_that_is_not_negative_is_its_base() -> Result<(), Stuck> {
    let context = Context::default().with([
        real("x", Sign::Any),
        real("y", Sign::Positive),
        Item::Assume(Goal::Le(var("x").pow(2), var("y").pow(2))),
        Item::Assume(Goal::Le(var("y").pow(3), var("y").pow(4))),
    ])?;
    let roots = |k| {
        Ok::<_, Stuck>(
            root_increases(&assume(&context, k)?)?
                .statement()
                .goal
                .clone(),
        )
    };
    assert_eq!(roots(2)?, Goal::Le(var("x").pow(2).sqrt(), var("y")));
    let powers = Goal::Le(var("y").pow(3).sqrt(), var("y").pow(4).sqrt());
    assert_eq!(roots(3)?, powers);
    Ok(())
}

/// log(1/x) is plainly ≥ 0 for 0 < x ≤ c ≤ 1, however 1/x is written, and no other logarithm is.
#[test]
fn logarithms_have_a_sign_where_it_is_known() -> Result<(), Stuck> {
    let root = |sign, c: Term, log: Term| {
        let context = Context::default().with([
            real("x", sign),
            real("y", Sign::Positive),
            Item::Assume(Goal::Le(var("x"), c)),
        ])?;
        let context = context.extended(Item::Assume(Goal::Le(log.log(), var("y"))))?;
        root_increases(&assume(&context, 3)?)
    };
    let (x, half) = (var("x"), num(1) / num(2));
    let inverse = num(1) / x.clone();
    root(Sign::Positive, num(1), inverse.clone())?;
    root(Sign::Positive, half.clone(), inverse.clone())?;
    root(Sign::Positive, num(1), x.pow(-1))?;
    for (c, log) in [
        (num(2), inverse.clone()),
        (num(3) / num(2), inverse),
        (num(1), half.clone() / x.clone()),
        (num(1), x.clone()),
        (num(1), x.pow(2)),
    ] {
        refused(root(Sign::Positive, c, log), "not plainly");
    }
    Ok(())
}

/// A supremum lets out what is a plainly nonnegative factor, and nothing else.
#[test]
fn only_factors_that_are_not_negative_leave_a_supremum() -> Result<(), Stuck> {
    let context = numbers()?;
    let others = op(Op::Except, [var("d"), var("i")]);
    let entry = at(&var("v"), &var("j"));
    let sup = |body: Term| bind(Binder::Sup, "j", others.clone(), body);
    let equal = |factor: Term, outside: Term| {
        let goal = Goal::Eq(
            sup(mul([factor, entry.clone()])),
            outside * sup(entry.clone()),
        );
        combine(&context, goal, &[])
    };
    equal(num(2), num(2))?;
    equal(var("y"), var("y"))?;
    for factor in [var("x"), num(-1)] {
        refused(equal(factor.clone(), factor), "left over");
    }
    refused(equal(num(2), num(0)), "left over");
    refused(equal(num(2), num(1)), "left over");
    let none = Goal::Eq(sup(entry.clone()), num(0));
    refused(combine(&context, none, &[]), "left over");
    Ok(())
}

/// What the end of a process is said to be a function of must read no data.
#[test]
fn an_end_that_reads_the_data_is_seen_in_every_command() -> Result<(), Stuck> {
    let total = || bind(Binder::Total, "z", var("D"), app("y", [var("z")]));
    let context = Context::default().with([
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("y", Sort::Label),
    ])?;
    let run = |entry: Term| {
        let set = Command::Set("v".into(), vector("l", var("d"), entry));
        let process = looped("v", "d", vector("l", var("d"), num(0)), "n", vec![set]);
        context.extended(Item::Process("P".into(), process))
    };
    let end = op(Op::End, [var("P")]);
    assert!(!run(num(1))?.reads(&end, "D"));
    assert!(run(total())?.reads(&end, "D"));
    Ok(())
}

/// Asserts that the normal forms of a context tell which of these equations hold for all its variables.
pub fn told_apart(context: &Context, equations: &[(Term, Term, bool)]) -> Result<(), Stuck> {
    for (left, right, equal) in equations {
        let goal = Goal::Eq(left.clone(), right.clone());
        let told = combine(context, goal, &[]);
        match equal {
            true => drop(told?),
            false => refused(told, "left over"),
        }
    }
    Ok(())
}

#[test]
fn roots_let_out_the_squares_of_what_is_not_negative() -> Result<(), Stuck> {
    let context = Context::default().with([real("x", Sign::Any), real("y", Sign::Positive)])?;
    let (x, y) = (var("x"), var("y"));
    let over = |a: i64, b: i64| num(a) / num(b);
    told_apart(
        &context,
        &[
            (num(12).sqrt(), num(2) * num(3).sqrt(), true),
            (num(12).sqrt(), num(4) * num(3).sqrt(), false),
            (num(12).sqrt(), num(3).sqrt(), false),
            (over(1, 2).sqrt(), over(1, 2) * num(2).sqrt(), true),
            (over(1, 2).sqrt(), num(2).sqrt(), false),
            (over(4, 9).sqrt(), over(2, 3), true),
            (over(4, 9).sqrt(), over(2, 9), false),
            (num(1296).sqrt(), num(36), true),
            (y.pow(2).sqrt(), y.clone(), true),
            (y.pow(3).sqrt(), y.clone() * y.sqrt(), true),
            (y.pow(3).sqrt(), y.clone(), false),
            (y.sqrt(), num(1), false),
            (x.pow(2).sqrt(), x.clone(), false),
            ((num(4) * x.pow(2)).sqrt(), num(2) * x.pow(2).sqrt(), true),
            ((y.pow(2) + num(1)).sqrt(), y.clone() + num(1), false),
            ((y.pow(2) + num(1)).sqrt(), y, false),
        ],
    )
}

#[test]
fn members_units_and_vectors_have_their_forms() -> Result<(), Stuck> {
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("s", Sort::Sequence(var("d"))),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        variable("f", Sort::Function(var("d"), "M".into())),
        variable("T", Sort::Set(var("d"))),
        variable("i", Sort::Index(var("d"))),
        variable("j", Sort::Index(var("d"))),
    ])?;
    let unit = |a: &str, b: &str| op(Op::Unit, [var(a), var(b)]);
    let member = |a: &str| op(Op::Member, [var(a), var("T")]);
    let value = |at: Term| app("f", [at]);
    let entries = |name: &str| vector(name, var("d"), at(&var("v"), &var(name)));
    let diagonal = |name: &str| {
        let element = at(&var("s"), &var(name));
        vector(name, var("d"), at(&element, &var(name)))
    };
    told_apart(
        &context,
        &[
            (unit("i", "i"), num(1), true),
            (unit("i", "j"), num(1), false),
            (unit("i", "j"), unit("j", "i"), true),
            (unit("i", "j").pow(2), unit("i", "j"), true),
            (member("i").pow(2), member("i"), true),
            (member("i").pow(3), member("i"), true),
            (member("i") * member("j"), member("i"), false),
            (
                sum(
                    "k",
                    var("d"),
                    op(Op::Unit, [var("k"), var("j")]) * at(&var("v"), &var("k")),
                ),
                at(&var("v"), &var("j")),
                true,
            ),
            (
                sum(
                    "k",
                    var("d"),
                    op(Op::Unit, [var("j"), var("k")]) * at(&var("v"), &var("k")),
                ),
                at(&var("v"), &var("j")),
                true,
            ),
            (value(entries("k")), value(var("v")), true),
            (value(diagonal("k")), value(diagonal("l")), true),
            (value(diagonal("k")), value(var("v")), false),
        ],
    )
}

/// The first entries and constants in words: what convexity and smoothness say of f from x to y.
#[test]
fn convexity_and_smoothness_say_what_defines_them() -> Result<(), Stuck> {
    let vectors = ["x", "y"].map(|name| variable(name, Sort::Vector(var("d"), Sign::Any)));
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        variable("f", Sort::Function(var("d"), "M".into())),
    ])?;
    let context = context.with(vectors)?;
    let (x, y, j) = (var("x"), var("y"), var("j"));
    let value = |at: &Term| app("f", [at.clone()]);
    let gap = || at(&y, &j) - at(&x, &j);
    let slope = op(Op::Partial, [var("f"), x.clone(), j.clone()]) * gap();
    let tangent = value(&x) + sum("j", var("d"), slope);
    let square = at(&var("M"), &j) * gap().pow(2) / num(2);
    let said = |told: &Goal, left: &Term, right: &Term| match told {
        Goal::Le(a, b) => told_apart(
            &context,
            &[
                (a.clone(), left.clone(), true),
                (b.clone(), right.clone(), true),
            ],
        ),
        other => panic!("{other:?}"),
    };
    let below = convex(&context, "f", &x, &y)?;
    said(&below.statement().goal, &tangent, &value(&y))?;
    let above = smooth(&context, "f", &x, &y)?;
    let quadratic = tangent + sum("j", var("d"), square);
    said(&above.statement().goal, &value(&y), &quadratic)
}

/// The constants of a loss that is Lipschitz along sets belong to the sets of its law, on its space.
#[test]
fn constants_of_sets_are_those_of_the_space_and_of_the_law() -> Result<(), Stuck> {
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("m", Sort::Count),
        variable("𝒮", Sort::SetLaw(var("d"))),
        variable("𝒯", Sort::SetLaw(var("m"))),
        variable("L", Sort::SetFunction(var("d"), Sign::Positive)),
        variable("M", Sort::SetFunction(var("m"), Sign::Positive)),
        variable("b", Sort::SetFunction(var("d"), Sign::Any)),
    ])?;
    let loss = |law: &str, constants: &str| {
        let class = Lipschitz::Sets(law.into());
        context.extended(variable("ℓ", Sort::Loss(var("d"), class, constants.into())))
    };
    loss("𝒮", "L")?;
    for (law, constants) in [("𝒮", "M"), ("𝒯", "L"), ("𝒯", "M"), ("𝒮", "b")] {
        refused(loss(law, constants), "are not the positive numbers");
    }
    Ok(())
}

/// Bound names do not meet: neither of sums in sums nor of what is drawn.
#[test]
fn names_of_sums_and_draws_are_kept_apart() -> Result<(), Stuck> {
    let vectors = ["u", "v", "w"].map(|name| variable(name, Sort::Vector(var("d"), Sign::Any)));
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("d"))),
        variable("c", Sort::Map(vec![var("d")], var("d"))),
    ])?;
    let context = context.with(vectors)?;
    let entry = |v: &str, k: &str| at(&var(v), &var(k));
    let over = |k: &str, body: Term| sum(k, var("d"), body);
    let pairs = |first: &str| {
        let body = entry("u", first) + entry("v", "k") * entry("w", "l");
        over("k", over("l", body.exp()))
    };
    let mean = |body: Term| {
        let law = op(Op::Normal, [var("d"), num(1)]);
        bind(Binder::Expect, "η", law, body)
    };
    let along = |v: &str, k: &str| over(k, entry(v, k) * entry("η", k));
    let inner = over("k", entry("u", "k") * entry("v", "k"));
    let both = mean(entry("η", "k") * entry("η", "l"));
    let apart = over("k", entry("u", "k") * over("l", entry("v", "l") * both));
    // A sum that is moved out of a mean, inside a sum whose index has the same name; and names that normal forms give.
    let inside = mean(along("u", "k") * along("v", "k"));
    let product = entry("u", "k") * entry("v", "k");
    let outside = over("k", entry("w", "k"));
    let grown = |a: &str, b: &str| over(a, over(b, (entry("u", a) + entry("v", b)).exp()));
    let mapped = at(&app("c", [var("η")]), &var("i"));
    let none = Goal::Eq(mean(mapped), num(0));
    refused(combine(&context, none, &[]), "may grow in any way");
    told_apart(
        &context,
        &[
            (pairs("k"), pairs("k"), true),
            (pairs("k"), pairs("l"), false),
            (
                over("k", entry("w", "k") * inside.clone()),
                outside * apart.clone(),
                true,
            ),
            (
                over("k", entry("w", "k") * inside),
                over("k", entry("w", "k") * product),
                false,
            ),
            (grown("%0", "k"), grown("k", "%1"), true),
            (grown("%1", "%0"), grown("k", "l"), true),
            (grown("%0", "%0"), grown("k", "l"), false),
            (mean(entry("η", "i")), num(0), true),
            (mean(entry("η", "i").pow(2)), num(1), true),
            (mean(along("u", "k") * along("v", "l")), apart, true),
            (
                mean(along("u", "k") * along("v", "l")),
                var("d") * inner.clone(),
                false,
            ),
            // Entries are independent.
            (mean(along("u", "k") * along("v", "l")), inner, true),
            (
                mean(along("u", "k").pow(2)),
                over("k", entry("u", "k").pow(2)),
                true,
            ),
            (
                mean(along("u", "k").pow(2)),
                over("k", entry("u", "k")).pow(2),
                false,
            ),
            (
                mean(entry("η", "i") * along("u", "k")),
                entry("u", "i"),
                true,
            ),
            (mean(entry("η", "i").pow(3)), num(0), true),
            (mean(entry("η", "i").pow(4)), num(3), true),
            (mean(entry("η", "i").pow(4)), num(1), false),
            (mean(entry("η", "i").pow(5)), num(0), false),
            // E ‖η‖²η_i² = d + 2, and E ⟨u, η⟩⁴ = 3‖u‖⁴.
            (
                mean(over("k", entry("η", "k").pow(2)) * entry("η", "i").pow(2)),
                var("d") + num(2),
                true,
            ),
            (
                mean(along("u", "k").pow(4)),
                num(3) * over("k", entry("u", "k").pow(2)).pow(2),
                true,
            ),
            (
                mean(along("u", "k").pow(4)),
                num(3) * over("k", entry("u", "k").pow(4)),
                false,
            ),
        ],
    )
}

/// Substitution hides behind names like `$1` for a while. If a sum could have such a name, f below would be read with c for
/// the index, and log(1/(1 + c)) is plainly ≥ 0 here: so the sum of −log(1 + j) would be, too.
#[test]
fn no_bound_name_is_one_that_substitution_hides_behind() -> Result<(), Stuck> {
    let parameter = |x: &str| (x.to_owned(), Sort::Real(Sign::Any));
    let large = |x: &str| num(1) + var(x);
    let log = (num(1) / large("x")).log();
    let context = Context::default().with([
        variable("d", Sort::Count),
        real("c", Sign::NonNegative),
        Item::Assume(Goal::Le(large("c"), num(1))),
        Item::Define("f".into(), vec![parameter("x"), parameter("y")], log),
    ])?;
    let forged = |name: &str| {
        let all = sum(name, var("d"), app("f", [var(name), var("c")]));
        let goal = Goal::Le(num(0), all.clone());
        combine(&context, goal, &[Part::new(all, [])])
    };
    refused(forged("j"), "not plainly");
    for name in ["$1", "$0", "?1", "~", "", "1"] {
        refused(forged(name), "is not a name");
    }
    Ok(())
}

/// A function of a class grows at most like a square; a map of which nothing is known may have no expectation.
#[test]
fn what_may_grow_in_any_way_has_no_expectation() -> Result<(), Stuck> {
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("d"))),
        variable("M", Sort::Vector(var("d"), Sign::Positive)),
        variable("f", Sort::Function(var("d"), "M".into())),
        variable("c", Sort::Map(vec![var("d")], var("d"))),
    ])?;
    let inner = context.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let law = op(Op::Normal, [var("d"), num(1)]);
    let mean = |value: Term| {
        let same = combine(&inner, Goal::Le(value.clone(), value), &[])?;
        expected(&same, &law)
    };
    mean(app("f", [var("η")]))?;
    let mapped = at(&app("c", [var("η")]), &var("i"));
    refused(mean(mapped), "may grow in any way");
    Ok(())
}
