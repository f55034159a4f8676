//! What is the same up to the names of bound variables, what a term rests on, and which forms a rule reads: each
//! against what differs from it in one part.

use crate::items::{looped, real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{assume, combine, exchange, log_above, root_increases};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Relation, Sign, Sort, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};
use rug::Rational;

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
            assert_eq!(goal.same(other), i == j, "{goal:?} and {other:?}");
        }
    }
}

#[test]
fn terms_are_the_same_up_to_bound_names_only() {
    let plus = |a: &str, b: &str| var(a) + var(b);
    let over = |name: &str, body: Term| sum(name, var("n"), body);
    assert!(over("a", plus("a", "x")).same(&over("b", plus("b", "x"))));
    for other in [
        over("b", plus("a", "x")),
        over("b", plus("b", "b")),
        over("x", plus("x", "x")),
        over("b", plus("b", "y")),
        sum("b", var("m"), plus("b", "x")),
        vector("b", var("n"), plus("b", "x")),
    ] {
        let one = over("a", plus("a", "x"));
        assert!(!one.same(&other) && !other.same(&one), "{other:?}");
    }
    let twice = |a: &str, b: &str, body: Term| over(a, over(b, body));
    assert!(twice("a", "b", plus("a", "b")).same(&twice("b", "a", plus("b", "a"))));
    assert!(!twice("a", "b", plus("a", "a")).same(&twice("a", "b", plus("b", "b"))));
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
        Term::Op(Op::Partial, ends)
    };
    let mean = bind(Binder::Total, "z", var("D"), slope("ℓ", &[var("z")])) / var("n");
    let told = context.mean_slope("f", &var("x"), &var("j"));
    assert!(told.is_some_and(|told| told.same(&(mean + slope("r", &[])))));
    assert_eq!(context.mean_slope("r", &var("x"), &var("j")), None);
    Ok(())
}

/// 2·Σ_{i<n} z^{2i+1}/(2i+1) of x = 3, z = ½: 1, 13/12, 263/240, …, below log 3 = 1.0986….
#[test]
fn the_logarithm_of_a_number_is_above_the_beginning_of_its_series_only() -> Result<(), Stuck> {
    let context = Context::default();
    let above = |x: (i64, i64), y: (i64, i64), terms| {
        log_above(&context, &Rational::from(x), &Rational::from(y), terms)
    };
    for (terms, (a, b)) in [(1, (1, 1)), (2, (13, 12)), (3, (263, 240))] {
        above((3, 1), (a, b), terms)?;
        let more = above((3, 1), (100_000 * a + 1, 100_000 * b), terms);
        refused(more, "do not reach");
    }
    refused(above((1, 1), (0, 1), 1), "for x > 1");
    refused(above((1, 2), (-1, 1), 1), "for x > 1");
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
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        real("x", Sign::Any),
        real("y", Sign::Positive),
        variable("i", Sort::Index(var("d"))),
    ])?;
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
