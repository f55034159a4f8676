//! Cases, unions of events, and selections and stops at the end of a process.

use crate::items::{real, variable};
use crate::refusals::refused;
use crate::rules::{margin, numbers};
use crate::world::{Random, Value};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, assume, at_most_one, cases, combine, discharge, ends, expected, instance,
    largest, sum_over, triangle, union, wins,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::{below_modulus, either};
use dp_assay_kernel::search::{assumed, with as times};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort, State};
use dp_assay_kernel::term::{Binder, Op, Term, add, at, bind, mul, num, op, sum, var, vector};

pub const FALSIFIERS: [Falsifier; 5] = [
    ("cases", two_cases),
    ("cases, or an indicator is 0", indicated),
    ("union", some_fails),
    ("ends, selections", selected),
    ("ends, stops", stopped),
];

pub fn ok<T>(found: Result<T, Stuck>) -> T {
    found.expect("a rule that applies")
}

/// max(x, 0)² ≤ x², of which each case has half. Twin: what holds in one case only, max(x, 0) ≤ x.
fn two_cases(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (x, zero) = (var("x"), num(0));
    let top = x.max_with(&zero);
    let theorem = either(&context, [&x, &zero], |here, given, negative| {
        let same = |t: &Term| combine(here, Goal::Le(t.clone(), t.clone()), &[]);
        let goal = Goal::Le(top.pow(2), x.pow(2));
        let (least, rest) = match negative {
            true => (largest(given, &same(&zero)?)?, Part::new(x.pow(2), [])),
            false => {
                let least = largest(&same(&x)?, given)?;
                let rest = combine(
                    here,
                    Goal::Le(mul([x.clone(), top.clone()]), x.pow(2)),
                    &[Part::new(num(1), [&least, given].map(Into::into))],
                )?;
                let parts = [times(top.clone(), &least), times(num(1), &rest)];
                return combine(here, goal, &parts);
            }
        };
        combine(here, goal, &[times(top.clone(), &least), rest])
    });
    let theorem = ok(theorem);
    Instance {
        rule: margin(&context, &theorem.statement().goal, &w),
        twin: margin(&context, &Goal::Le(top, x), &w),
    }
}

/// x ≤ y + (1 − 1\[x ≤ y\])·((x − y)² + 1). Twin: as if it were always 1.
fn indicated(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (x, y) = (var("x"), var("y"));
    let (less, gap) = (
        op(Op::AtMost, [x.clone(), y.clone()]),
        x.clone() - y.clone(),
    );
    let more = gap.pow(2) + num(1);
    let goal = Goal::Le(
        x.clone(),
        y.clone() + mul([num(1) - less.clone(), more.clone()]),
    );
    let theorem = split(
        &context,
        [&x, &y],
        |here, fact| {
            let most = at_most_one(here, &less)?;
            combine(
                here,
                goal.clone(),
                &[times(num(1), fact), times(more.clone(), &most)],
            )
        },
        |here, none| {
            let square = (gap.clone() - num(1) / num(2)).pow(2) + num(3) / num(4);
            combine(
                here,
                goal.clone(),
                &[times(more.clone(), none), Part::new(square, [])],
            )
        },
    );
    Instance {
        rule: margin(&context, &ok(theorem).statement().goal, &w),
        twin: margin(&context, &Goal::Le(x, y), &w),
    }
}

/// v_k ≤ y for every k and t ≤ x imply v_i + t ≤ x + y. Twin: the second event is forgotten.
fn some_fails(r: &mut Random) -> Instance {
    let (context, mut w) = numbers(r);
    w.insert("t".into(), Value::Number(r.real(-2.0, 2.0)));
    let context = ok(context.extended(real("t", Sign::Any)));
    let entry = |k: &str| at(&var("v"), &var(k));
    let all = Goal::Le(entry("k"), var("y")).into();
    let all = Goal::Every("k".into(), Sort::Index(var("d")), all);
    let other = Goal::Le(var("t"), var("x"));
    let here = ok(context.with([all.clone(), other.clone()].map(Item::Assume)));
    let one = ok(instance(&here, &ok(assumed(&here, &all)), &var("i")));
    let two = ok(assumed(&here, &other));
    let goal = Goal::Le(entry("i") + var("t"), var("x") + var("y"));
    let both = ok(combine(
        &here,
        goal,
        &[times(num(1), &one), times(num(1), &two)],
    ));
    let theorem = ok(union(&ok(discharge(&ok(discharge(&both))))));
    let Goal::Le(left, _) = &theorem.statement().goal else {
        panic!("no bound")
    };
    let fails = num(1) - op(Op::AtMost, [entry("k"), var("y")]);
    let twin = Goal::Le(left.clone(), sum("k", var("d"), fails));
    Instance {
        rule: margin(&context, &theorem.statement().goal, &w),
        twin: margin(&context, &twin, &w),
    }
}

/// K rounds release θ_i with noise, pay its square, and halve θ.
fn halving(second: bool) -> Process {
    let stop = || Command::Stop {
        charge: var("a").pow(2),
        limit: var("y"),
    };
    let release = Command::Release {
        name: "a".into(),
        query: at(&var("θ"), &var("i")),
        law: op(Op::Normal, [at(&var("u"), &var("i"))]),
    };
    let half = vector("l", var("d"), at(&var("θ"), &var("l")) / num(2));
    let mut body = vec![release, stop(), Command::Set("θ".into(), half)];
    if second {
        body.push(stop());
    }
    let states = process().states;
    let body = vec![Command::Repeat {
        index: "k".into(),
        times: var("K"),
        body,
    }];
    Process { states, body }
}

/// E θ_i² ≤ v_i² at the end of these rounds, with this for the invariant.
fn not_larger(context: &Context, invariant: &Term, second: bool) -> Result<Theorem, Stuck> {
    let context = context.extended(Item::Process("P".into(), halving(second)))?;
    let square = at(&var("θ"), &var("i")).pow(2);
    let here = context.with([state(), real("spent", Sign::Any)])?;
    let end = combine(&here, Goal::Le(square.clone(), invariant.clone()), &[])?;
    let inside = here.extended(variable("k", Sort::Index(var("K"))))?;
    let noisy = at(&var("θ"), &var("i")) + var("a");
    let goes = op(Op::AtMost, [var("spent") + noisy.pow(2), var("y")]);
    let next = mul([goes.clone(), square.clone() / num(4)]) + mul([num(1) - goes, square.clone()]);
    let law = op(Op::Normal, [at(&var("u"), &var("i"))]);
    let drawn = inside.extended(real("a", Sign::Any))?;
    let round = combine(&drawn, Goal::Le(next, invariant.clone()), &[])?;
    let round = expected(&round, &law)?;
    ends(&context, "P", ("θ", &square), &[invariant], &[&end, &round])
}

/// E θ_i² ≤ v_i² for rounds that halve θ. Twin: v_i²/4, as if no round were the last one.
fn stopped(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let square = at(&var("θ"), &var("i")).pow(2);
    let theorem = ok(not_larger(&context, &square, false));
    let Goal::Le(left, right) = &theorem.statement().goal else {
        panic!("no bound")
    };
    let context = &theorem.statement().context;
    let twin = Goal::Le(left.clone(), right.clone() / num(4));
    Instance {
        rule: margin(context, &theorem.statement().goal, &w),
        twin: margin(context, &twin, &w),
    }
}

/// What is charged so far may be compared only, and a loop has one stop.
#[test]
fn invariants_know_of_what_is_charged_by_comparisons_only() -> Result<(), Stuck> {
    let context = fixed();
    let square = at(&var("θ"), &var("i")).pow(2);
    not_larger(&context, &square, false)?;
    let compared = square.clone() + op(Op::AtMost, [var("y"), var("spent")]);
    let round = not_larger(&context, &compared, false);
    refused(round, "not the invariant after one round");
    let known = square.clone() + var("spent").pow(2);
    refused(not_larger(&context, &known, false), "no expectation");
    refused(not_larger(&context, &square, true), "two stops");
    Ok(())
}

/// What is released before rounds that stop, and called as their charge is, would be 0 before them, and 𝟙\[1 ≤ 7\] with it.
#[test]
fn what_is_released_is_not_taken_for_the_charge() -> Result<(), Stuck> {
    let off = op(Op::AtMost, [num(1), num(0)]);
    let context = Context::default().extended(variable("j", Sort::Index(num(1))))?;
    let state = variable("w", Sort::Vector(num(1), Sign::Any));
    for (name, nested) in [("spent", false), ("spent′", true)] {
        let seven = op(Op::AtMost, [num(1), var(name)]);
        let rounds = |k: &str, body: Vec<Command>| Command::Repeat {
            index: k.into(),
            times: num(1),
            body: [
                body,
                vec![Command::Stop {
                    charge: num(0),
                    limit: num(0),
                }],
            ]
            .concat(),
        };
        let named = Command::Release {
            name: name.into(),
            query: num(7),
            law: op(Op::Normal, [num(0)]),
        };
        let told = Command::Set("w".into(), vector("i", num(1), seven.clone()));
        let mut body = vec![named, rounds("k", vec![]), told];
        if nested {
            body = vec![rounds("l", body)];
        }
        let start = vector("i", num(1), off.clone());
        let states = vec![State {
            name: "w".into(),
            dimension: num(1),
            start,
        }];
        let here = context.extended(Item::Process("P".into(), Process { states, body }))?;
        // In the innermost rounds, with their charge for what was released.
        let (value, told) = (at(&var("x"), &var("j")), at(&var("w"), &var("j")));
        let mut inside = here.extended(state.clone())?;
        let (mut invariants, mut theorems) = (vec![], vec![]);
        let same = |here: &Context, t: &Term| combine(here, Goal::Le(t.clone(), t.clone()), &[]);
        if nested {
            inside = inside.extended(real("spent", Sign::Any))?;
            invariants.push(&told);
            theorems.extend([same(&inside, &told)?, same(&inside, &told)?]);
            inside = inside.extended(variable("l", Sort::Index(num(1))))?;
        }
        inside = inside.extended(real(name, Sign::Any))?;
        invariants.push(&seven);
        theorems.push(same(&inside, &seven)?);
        let inside = inside.extended(variable("k", Sort::Index(num(1))))?;
        let goes = op(Op::AtMost, [var(name), num(0)]);
        let again = goes.clone() * seven.clone() + (num(1) - goes) * seven.clone();
        theorems.push(combine(&inside, Goal::Le(again, seven.clone()), &[])?);
        let steps: Vec<&Theorem> = theorems.iter().collect();
        let found = ends(&here, "P", ("x", &value), &invariants, &steps);
        refused(found, &format!("nothing is called {name}"));
    }
    Ok(())
}

/// θ becomes |θ_j| at entry j and 0 elsewhere, j chosen by the noisy moduli of θ.
fn process() -> Process {
    let (k, l) = (var("k"), var("l"));
    let body = vec![
        selection(at(&var("u"), &k)),
        Command::Set(
            "θ".into(),
            vector(
                "l",
                var("d"),
                mul([op(Op::Unit, [l.clone(), var("j")]), at(&var("θ"), &l).abs()]),
            ),
        ),
    ];
    let states = vec![State {
        name: "θ".into(),
        dimension: var("d"),
        start: var("v"),
    }];
    Process { states, body }
}

fn selection(scale: Term) -> Command {
    Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("d"),
        query: at(&var("θ"), &var("k")),
        scale,
        divisor: Some(num(1)),
    }
}

fn noise(k: &Term) -> Term {
    mul([at(&var("u"), k), at(&var("z"), k)])
}

/// −|θ_i| + |u_iz_i| + Σ_k |u_kz_k|.
fn most() -> Term {
    let (i, m) = (var("i"), var("m"));
    let all = sum("m", var("d"), noise(&m).abs());
    add([num(0) - at(&var("θ"), &i).abs(), noise(&i).abs(), all])
}

pub fn over_noise(most: Term) -> Term {
    let law = op(Op::Laplace, [var("d"), num(1)]);
    bind(Binder::Expect, "z", law, most)
}

fn state() -> Item {
    variable("θ", Sort::Vector(var("d"), Sign::Any))
}

/// −|θ_j| ≤ −|θ_i| + |u_iz_i| + Σ_k |u_kz_k| if j wins.
fn chosen(context: &Context) -> Result<Theorem, Stuck> {
    let (i, j, m) = (var("i"), var("j"), var("m"));
    let theta = |k: &Term| at(&var("θ"), k);
    let here = context.with([
        state(),
        variable("z", Sort::Vector(var("d"), Sign::Any)),
        variable("j", Sort::Index(var("d"))),
    ])?;
    let won = wins(&selection(at(&var("u"), &var("k"))), "z").expect("a selection");
    let here = here.extended(Item::Assume(won))?;
    let won = assume(&here, here.items().len() - 1)?;
    let won = instance(&here, &won, &i)?;
    let one = triangle(&here, &(theta(&i) + noise(&i)), &noise(&i))?;
    let other = triangle(&here, &theta(&j), &(num(0) - noise(&j)))?;
    // Σ_m 1[m = j]·|u_mz_m| ≤ Σ_m |u_mz_m|.
    let each = here.extended(variable("m", Sort::Index(var("d"))))?;
    let unit = op(Op::Unit, [m.clone(), j.clone()]);
    let size = noise(&m).abs();
    let goal = Goal::Le(mul([unit.clone(), size.clone()]), size.clone());
    let rest = Part::new(mul([size, (num(1) - unit).pow(2)]), []);
    let below = sum_over(&combine(&each, goal, &[rest])?)?;
    let parts: Vec<Part<'_>> = [&won, &one, &other, &below]
        .map(|t| times(num(1), t))
        .into();
    let goal = Goal::Le(num(0) - theta(&j).abs(), most());
    discharge(&combine(&here, goal, &parts)?)
}

/// −Σ_l θ_l.
fn value() -> Term {
    num(0) - sum("l", var("d"), at(&var("θ"), &var("l")))
}

fn running(context: &Context) -> Result<Context, Stuck> {
    context.extended(Item::Process("P".into(), process()))
}

/// E −|θ_j| ≤ E (−|θ_i| + |u_iz_i| + Σ_k |u_kz_k|). Twin: without the noise.
fn selected(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let context = ok(running(&context));
    let known = ok(chosen(&context));
    let bound = over_noise(most());
    let theorem = ok(ends(&context, "P", ("θ", &value()), &[&bound], &[&known]));
    let Goal::Le(left, _) = &theorem.statement().goal else {
        panic!("no bound")
    };
    let twin = Goal::Le(left.clone(), num(0) - at(&var("v"), &var("i")).abs());
    Instance {
        rule: margin(&context, &theorem.statement().goal, &w),
        twin: margin(&context, &twin, &w),
    }
}

pub fn fixed() -> Context {
    numbers(&mut Random(3)).0
}

#[test]
fn selections_without_a_bound_are_refused() -> Result<(), Stuck> {
    let context = running(&fixed())?;
    let known = chosen(&context)?;
    let bound = over_noise(most());
    let attempt =
        |bound: &Term, known: &Theorem| ends(&context, "P", ("θ", &value()), &[bound], &[known]);
    attempt(&bound, &known)?;
    let law = |law: Term| bind(Binder::Expect, "z", law, most());
    // Noise of another law or size, or none.
    let wide = law(op(Op::Laplace, [var("d"), num(2)]));
    refused(attempt(&wide, &known), "not the noise");
    let normal = law(op(Op::Normal, [var("d"), num(1)]));
    refused(attempt(&normal, &known), "not the noise");
    refused(attempt(&num(0), &known), "no expectation over the noise");
    // A smaller bound than the theorem's, and one that knows the choice.
    refused(attempt(&over_noise(num(0)), &known), "below the value");
    let j = over_noise(at(&var("u"), &var("j")));
    refused(attempt(&j, &known), "is not an index");
    // What holds if another index wins, or without anything.
    let here = context.with([
        state(),
        variable("z", Sort::Vector(var("d"), Sign::Any)),
        variable("j", Sort::Index(var("d"))),
    ])?;
    let wrong = wins(&selection(num(1)), "z").expect("a selection");
    let inside = here.extended(Item::Assume(wrong))?;
    let size = at(&var("θ"), &var("j")).abs();
    let goal = Goal::Le(num(0) - size.clone(), num(0));
    let zero = combine(&inside, goal.clone(), &[Part::new(size.clone(), [])])?;
    refused(
        attempt(&over_noise(num(0)), &discharge(&zero)?),
        "another index",
    );
    let plain = combine(&here, goal, &[Part::new(size, [])])?;
    refused(
        attempt(&over_noise(num(0)), &plain),
        "not if the index wins",
    );
    // Of the noise the value knows nothing but the choice.
    let named = ends(
        &context,
        "P",
        ("θ", &at(&var("z"), &var("i"))),
        &[&bound],
        &[&known],
    );
    refused(named, "nothing is called z");
    refused(
        ends(&context, "P", ("θ", &value()), &[&bound], &[]),
        "without",
    );
    refused(
        ends(&context, "P", ("θ", &value()), &[&bound], &[&known, &known]),
        "more invariants",
    );
    Ok(())
}

#[test]
fn scales_and_divisors_of_selections_have_signs() -> Result<(), Stuck> {
    let context = fixed();
    let with_selection = |scale: Term, divisor: Term| {
        let Command::Select {
            name,
            index,
            over,
            query,
            ..
        } = selection(num(1))
        else {
            unreachable!("a selection")
        };
        let selection = Command::Select {
            name,
            index,
            over,
            query,
            scale,
            divisor: Some(divisor),
        };
        let mut all = process();
        all.body[0] = selection.clone();
        let context = context.extended(Item::Process("P".into(), all))?;
        let here = context.with([
            state(),
            variable("z", Sort::Vector(var("d"), Sign::Any)),
            variable("j", Sort::Index(var("d"))),
            Item::Assume(wins(&selection, "z").expect("a selection")),
        ])?;
        let size = at(&var("θ"), &var("j")).abs();
        let goal = Goal::Le(num(0) - size.clone(), num(0));
        let known = discharge(&combine(&here, goal, &[Part::new(size, [])])?)?;
        ends(
            &context,
            "P",
            ("θ", &value()),
            &[&over_noise(num(0))],
            &[&known],
        )
    };
    with_selection(num(0), num(1))?;
    with_selection(at(&var("u"), &var("k")), var("y"))?;
    refused(
        with_selection(at(&var("v"), &var("k")), num(1)),
        "not plainly",
    );
    refused(with_selection(num(1), num(0)), "not plainly");
    refused(
        with_selection(num(1), at(&var("v"), &var("k"))),
        "not plainly",
    );
    // A scale that may have no moments.
    let wild = at(&var("θ"), &var("k")).pow(2).exp();
    refused(with_selection(wild, num(1)), "no expectation");
    Ok(())
}

/// Who wins without a modulus is another question.
#[test]
fn a_selection_without_a_modulus_has_no_known_expectation() -> Result<(), Stuck> {
    let Command::Select {
        name,
        index,
        over,
        query,
        scale,
        ..
    } = selection(num(1))
    else {
        unreachable!("a selection")
    };
    let plain = Command::Select {
        name,
        index,
        over,
        query,
        scale,
        divisor: None,
    };
    assert_eq!(wins(&plain, "z"), None);
    let mut all = process();
    all.body[0] = plain;
    let context = fixed().extended(Item::Process("P".into(), all))?;
    let known = combine(&context, Goal::Le(num(0), num(1)), &[])?;
    let bound = over_noise(num(0));
    refused(
        ends(&context, "P", ("θ", &value()), &[&bound], &[&known]),
        "not a selection",
    );
    Ok(())
}

#[test]
fn what_is_no_case_or_event_is_refused() -> Result<(), Stuck> {
    let context = fixed();
    let (x, y) = (var("x"), var("y"));
    let under = |given: Goal, goal: Goal| {
        let here = context.extended(Item::Assume(given))?;
        discharge(&combine(&here, goal, &[])?)
    };
    let le = |a: &Term, b: &Term| Goal::Le(a.clone(), b.clone());
    let goal = || Goal::Le(num(0), num(1));
    let (one, other) = (under(le(&x, &y), goal())?, under(le(&y, &x), goal())?);
    cases(&context, &one, &other)?;
    let none = |a: &Term, b: &Term, most: i64| {
        under(
            Goal::Le(op(Op::AtMost, [a.clone(), b.clone()]), num(most)),
            goal(),
        )
    };
    cases(&context, &one, &none(&x, &y, 0)?)?;
    refused(cases(&context, &one, &none(&y, &x, 0)?), "not two cases");
    refused(cases(&context, &one, &none(&x, &y, 1)?), "not two cases");
    refused(cases(&context, &none(&x, &y, 0)?, &one), "not two cases");
    refused(cases(&context, &one, &one), "not two cases");
    let third = under(le(&y, &(x.clone() + num(1))), goal())?;
    refused(cases(&context, &one, &third), "not two cases");
    let elsewhere = under(le(&y, &x), Goal::Le(num(0), num(2)))?;
    refused(cases(&context, &one, &elsewhere), "not two cases");
    let equal = under(Goal::Eq(y.clone(), x.clone()), goal())?;
    refused(cases(&context, &one, &equal), "not two cases");
    let plain = combine(&context, goal(), &[])?;
    refused(cases(&context, &one, &plain), "nothing holds in a case");
    let inner = context.extended(real("s", Sign::Any))?;
    refused(cases(&Context::default(), &one, &other), "another context");
    cases(&inner, &one, &other)?;
    // An event is an inequality, for one or for every index.
    union(&plain)?;
    union(&one)?;
    refused(union(&equal), "only inequalities");
    let same = combine(&context, Goal::Eq(x.clone(), x.clone()), &[])?;
    refused(union(&same), "no inequality follows");
    let every = Goal::Every("s".into(), Sort::Real(Sign::Any), le(&x, &y).into());
    refused(union(&under(every, goal())?), "only inequalities");
    below_modulus(&context, &x).map(|_| ())
}
