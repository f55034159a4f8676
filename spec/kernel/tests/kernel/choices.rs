//! Cases, unions of events, tails of noise, and selections and stops at the end of a process.

use crate::items::{real, variable};
use crate::refusals::refused;
use crate::rules::{margin, numbers};
use crate::world::{Eval, Random, Value};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{
    Part, Theorem, assume, at_most_one, cases, combine, density, discharge, ends, expected,
    instance, largest, sum_over, tail, triangle, union, weighted, wins,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::{below_modulus, either};
use dp_assay_kernel::search::{assumed, combine_with_slack, with as times};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Process, Sign, Sort, State, Statement,
};
use dp_assay_kernel::term::{Binder, Op, Term, add, at, bind, mul, num, op, sum, var, vector};
use dp_assay_kernel::{Stuck, render};

pub const FALSIFIERS: [Falsifier; 9] = [
    ("cases", two_cases),
    ("cases, or an indicator is 0", indicated),
    ("union", some_fails),
    ("tail", tail_of_noise),
    ("tail, Gaussian", tail_of_gaussians),
    ("weighted", mean_over_weights),
    ("density", density_of_noise),
    ("ends, selections", selected),
    ("ends, stops", stopped),
];

fn ok<T>(found: Result<T, Stuck>) -> T {
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
                let rest = combine_with_slack(
                    here,
                    Goal::Le(mul([x.clone(), top.clone()]), x.pow(2)),
                    vec![Part::new(num(1), [&least, given].map(Into::into))],
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

/// P(|x| ≤ h) for a Laplace number of a scale, by Simpson's rule for its density.
fn within(scale: f64, h: f64) -> f64 {
    let h = h.max(0.0) / scale;
    let n = 2000;
    let weight = |i: usize| match i {
        0 | 2000 => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let one = |i: usize| weight(i) * (-h * i as f64 / n as f64).exp();
    (0..=n).map(one).sum::<f64>() * h / (3 * n) as f64
}

/// 1 − exp(−t) ≤ P(|x| ≤ s·t), of a number or an entry. Twin: the scale is forgotten.
fn tail_of_noise(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (scale, t) = (at(&var("u"), &var("i")), var("x"));
    let (law, k) = match r.below(2) {
        0 => (op(Op::Laplace, [scale.clone()]), None),
        _ => (op(Op::Laplace, [var("d"), scale.clone()]), Some("i")),
    };
    let theorem = ok(tail(&context, &law, &t, k));
    let Goal::Le(left, Term::Bind(Binder::Expect, _, _, body)) = &theorem.statement().goal else {
        panic!("no tail")
    };
    let Term::Op(Op::AtMost, sides) = &**body else {
        panic!("no event")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let value = |t: &Term| eval.number(t, &w);
    let spread = value(&scale);
    Instance {
        rule: within(spread, value(&sides[1])) - value(left),
        twin: within(spread, value(&t)) - value(left),
    }
}

/// P(|x − c| ≤ t) ≤ t/s, by the distribution function. Twin: half of it, as if the interval were t long.
fn density_of_noise(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (scale, t) = (at(&var("u"), &var("i")), var("y"));
    let c = if r.below(2) == 0 { num(0) } else { var("x") };
    let theorem = ok(density(&context, &op(Op::Laplace, [scale.clone()]), &c, &t));
    let Goal::Le(Term::Bind(Binder::Expect, ..), most) = &theorem.statement().goal else {
        panic!("no density")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let [scale, t, c, most] = [&scale, &t, &c, most].map(|t| eval.number(t, &w));
    let below = |h: f64| 0.5 + h.signum() * within(scale, h.abs()) / 2.0;
    let mass = below(c + t) - below(c - t);
    Instance {
        rule: most - mass,
        twin: most / 2.0 - mass,
    }
}

/// P(‖x‖ ≤ h) for d independent standard Gaussian numbers, by Simpson's rule for the density of the norm.
fn inside(d: usize, h: f64) -> f64 {
    let mass = |h: f64| {
        let one = |i: usize| {
            let weight = if i == 0 || i == 2000 {
                1.0
            } else {
                2.0 + 2.0 * (i % 2) as f64
            };
            let x = h * i as f64 / 2000.0;
            weight * x.powi(d as i32 - 1) * (-x * x / 2.0).exp()
        };
        (0..=2000).map(one).sum::<f64>() * h
    };
    mass(h.min(30.0)) / mass(30.0)
}

/// 1 − exp(−t) ≤ P(|x| ≤ √V·√(2t)), or P(‖x‖ ≤ √V·(√d + √(2t))). Twins: √t for √(2t), and √d forgotten.
fn tail_of_gaussians(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (variance, t) = (at(&var("u"), &var("i")), var("y"));
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let value = |t: &Term| eval.number(t, &w);
    let whole = r.below(2) == 1;
    let (law, d) = match whole {
        false => (op(Op::Normal, [variance.clone()]), 1),
        true => (
            op(Op::Normal, [var("d"), variance.clone()]),
            value(&var("d")) as usize,
        ),
    };
    let theorem = ok(tail(&context, &law, &t, None));
    let Goal::Le(left, Term::Bind(Binder::Expect, _, _, body)) = &theorem.statement().goal else {
        panic!("no tail")
    };
    let Term::Op(Op::AtMost, sides) = &**body else {
        panic!("no event")
    };
    let (left, spread) = (value(left), value(&variance).sqrt());
    let less = value(&t).sqrt() * if whole { 2.0_f64.sqrt() } else { 1.0 };
    Instance {
        rule: inside(d, value(&sides[1]) / spread) - left,
        twin: inside(d, less) - left,
    }
}

/// (Σ_k weight)·E_k value = Σ_k weight·value, for weights of which some or all are 0, too. Twin: the value is not weighted.
fn mean_over_weights(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (k, x) = (var("k"), var("x"));
    let weight = at(&var("u"), &k) * op(Op::AtMost, [x.clone(), at(&var("v"), &k)]);
    let law = bind(Binder::Weighted, "k", var("d"), weight);
    let value = at(&var("v"), &k).pow(2) + mul([x, at(&var("u"), &k)]);
    let theorem = ok(weighted(&context, &law, &value));
    let Goal::Eq(left, _) = theorem.statement().goal.clone() else {
        panic!("no equation")
    };
    let twin = Goal::Eq(left, sum("k", var("d"), value));
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
    let end = combine_with_slack(&here, Goal::Le(square.clone(), invariant.clone()), vec![])?;
    let inside = here.extended(variable("k", Sort::Index(var("K"))))?;
    let noisy = at(&var("θ"), &var("i")) + var("a");
    let goes = op(Op::AtMost, [var("spent") + noisy.pow(2), var("y")]);
    let next = mul([goes.clone(), square.clone() / num(4)]) + mul([num(1) - goes, square.clone()]);
    let law = op(Op::Normal, [at(&var("u"), &var("i"))]);
    let drawn = inside.extended(real("a", Sign::Any))?;
    let round = combine_with_slack(&drawn, Goal::Le(next, invariant.clone()), vec![])?;
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
        divisor: num(1),
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

fn over_noise(most: Term) -> Term {
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

fn fixed() -> Context {
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
            divisor,
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

#[test]
fn what_is_no_case_event_or_tail_is_refused() -> Result<(), Stuck> {
    let context = fixed();
    let (x, y) = (var("x"), var("y"));
    let under = |given: Goal, goal: Goal| {
        let here = context.extended(Item::Assume(given))?;
        discharge(&combine_with_slack(&here, goal, vec![])?)
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
    let plain = combine_with_slack(&context, goal(), vec![])?;
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
    // A tail is of a Laplace law, and of an index of what it draws.
    let laplace = |d: Option<Term>, scale: Term| {
        Term::Op(Op::Laplace, d.into_iter().chain([scale]).collect())
    };
    tail(&context, &laplace(None, y.clone()), &x, None)?;
    tail(&context, &laplace(Some(var("d")), y.clone()), &x, Some("i"))?;
    let normal = op(Op::Normal, [var("d"), num(1)]);
    tail(&context, &normal, &y, None)?;
    tail(&context, &op(Op::Normal, [num(1)]), &y, None)?;
    refused(tail(&context, &normal, &x, None), "not plainly NonNegative");
    refused(tail(&context, &normal, &y, Some("i")), "no tail of such");
    let pairs = op(Op::Gaussian, [num(1)]);
    refused(tail(&context, &pairs, &y, None), "no tail of such");
    refused(
        tail(&context, &laplace(None, x.clone()), &y, None),
        "may be negative",
    );
    refused(
        tail(&context, &laplace(None, y.clone()), &x, Some("i")),
        "no tail of such",
    );
    refused(
        tail(&context, &laplace(Some(var("d")), y.clone()), &x, None),
        "",
    );
    let far = tail(&context, &laplace(Some(var("K")), y.clone()), &x, Some("i"));
    refused(far, "not an index");
    let three = Term::Op(Op::Laplace, vec![var("d"), var("d"), y.clone()]);
    refused(tail(&context, &three, &x, Some("i")), "");
    // Weights are those of a draw, and the value is a number.
    let value = at(&var("u"), &var("k"));
    let law = |weight: Term| bind(Binder::Weighted, "k", var("d"), weight);
    weighted(&context, &law(value.clone()), &value)?;
    refused(weighted(&context, &normal, &value), "not a draw by weights");
    let negative = weighted(&context, &law(at(&var("v"), &var("k"))), &value);
    refused(negative, "may be negative");
    refused(weighted(&context, &law(value.clone()), &var("v")), "");
    let other = at(&var("u"), &var("l"));
    refused(weighted(&context, &law(value), &other), "not an index");
    // A density is of one Laplace number of a positive scale, and a width is not negative.
    let one = laplace(None, y.clone());
    density(&context, &one, &x, &y)?;
    density(&context, &one, &x, &num(0))?;
    refused(density(&context, &one, &y, &x), "not plainly NonNegative");
    let still = laplace(None, num(0));
    refused(density(&context, &still, &x, &y), "not plainly Positive");
    let whole = laplace(Some(var("d")), y.clone());
    refused(density(&context, &whole, &x, &y), "no density of such");
    let gaussian = op(Op::Normal, [num(1)]);
    refused(density(&context, &gaussian, &x, &y), "no density of such");
    refused(density(&context, &one, &var("v"), &y), "not a number");
    below_modulus(&context, &x).map(|_| ())
}

/// Noise of independent numbers is read back, with and without a dimension.
#[test]
fn laplace_laws_are_read_back() -> Result<(), Stuck> {
    let context = fixed();
    let body = at(&var("z"), &var("i")).abs();
    let goal = Goal::Le(over_noise(body), {
        let law = op(Op::Laplace, [var("y")]);
        bind(Binder::Expect, "z", law, var("z").abs())
    });
    let statement = Statement { context, goal };
    let text = statement.to_string();
    assert!(text.contains("𝔼_{z∼Laplace_{d}(1)}[|z_i|]"), "{text}");
    assert!(text.contains("𝔼_{z∼Laplace(y)}[|z|]"), "{text}");
    assert_eq!(render::parse(&text)?, statement);
    Ok(())
}
