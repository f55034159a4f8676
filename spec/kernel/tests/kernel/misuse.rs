//! A theorem where a rule asks for another: of another command, data set, view, order, law or space.

use crate::items::{looped, variable};
use crate::refusals::{Setting, refused, sensitivity};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent, spent_at_order};
use dp_assay_kernel::rules::{
    Part, Theorem, assume, at_most_one, cite, clipped, combine, compose, convex, ends, exchange,
    expected, forget, gaussian, gradient_bound, laplace, larger, renyi, stationary, triangle,
    unclipped, weaken,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, sum, var, vector};

/// The query of the sound setting, with Gaussian noise of a variance.
fn noisy(name: &str, variance: Term) -> Command {
    Command::Release {
        name: name.into(),
        query: Setting::sound().query,
        law: op(Op::Normal, [variance]),
    }
}

/// Another data set E, and a process R that releases twice in every round; and these with its state and round.
fn twice() -> Result<(Context, Context), Stuck> {
    let body = vec![noisy("a", var("e")), noisy("b", num(2) * var("e"))];
    let context = Setting::sound().context()?.with([
        variable("E", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        Item::Process("R".into(), looped("w", "p", var("w₀"), "T", body)),
    ])?;
    let inside = context.with([
        variable("w", Sort::Vector(var("p"), Sign::Any)),
        variable("t", Sort::Index(var("T"))),
    ])?;
    Ok((context, inside))
}

#[test]
fn each_command_has_a_theorem_of_its_own() -> Result<(), Stuck> {
    let (context, inside) = twice()?;
    let moves = sensitivity(&inside)?;
    let first = gaussian(&inside, &noisy("a", var("e")), &moves)?;
    let second = gaussian(&inside, &noisy("b", num(2) * var("e")), &moves)?;
    let all = |data: &str, parts: &[&Theorem]| compose(&context, "R", data, parts);
    let composed = all("D", &[&first, &second])?;
    for (parts, why) in [
        ([&second, &first], "the bound of another command"),
        ([&first, &first], "the bound of another command"),
        ([&first, &moves], "not about privacy"),
        ([&composed, &second], "no bound of a command"),
    ] {
        refused(all("D", &parts), why);
    }
    refused(all("E", &[&first, &second]), "another data set");
    refused(compose(&context, "D", "D", &[]), "not a process");
    // One order for all.
    let orders = |a: Term, b: Term| all("D", &[&renyi(&first, &a)?, &renyi(&second, &b)?]);
    let both = orders(num(2), num(2))?;
    let Goal::Private {
        notion: Notion::Renyi(order, spent),
        ..
    } = &both.statement().goal
    else {
        panic!("a Rényi bound");
    };
    let once = |bound: &Theorem| match &renyi(bound, &num(2))?.statement().goal {
        Goal::Private {
            notion: Notion::Renyi(_, spent),
            ..
        } => Ok::<_, Stuck>(spent.clone()),
        other => panic!("{other} is no Rényi bound"),
    };
    let round = once(&first)? + once(&second)?;
    assert_eq!((order, spent), (&num(2), &mul([var("T"), round])));
    refused(orders(num(2), num(3)), "costs in two notions");
    let varies = || var("t") + num(2);
    refused(orders(varies(), varies()), "the order changes");
    // What is seen at the end says nothing of what was seen on the way.
    let end = forget(&composed, View::End)?;
    refused(forget(&end, View::Path), "not about a transcript");
    refused(forget(&first, View::End), "not about a transcript");
    Ok(())
}

#[test]
fn numbers_are_public_and_as_many_as_there_are() -> Result<(), Stuck> {
    let setting = Setting::sound();
    let (here, pure) = (setting.with_state()?, setting.pure(&var("e"))?);
    let moves = sensitivity(&here)?;
    let bound = gaussian(&here, &noisy("a", var("e")), &moves)?;
    let seen = || setting.query.pow(2) + num(2);
    refused(renyi(&bound, &seen()), "reads the data");
    let same = combine(&here, Goal::Le(var("e"), var("e")), &[])?;
    let notion = Notion::Pure(var("e"));
    weaken(&pure, &notion, &[])?;
    refused(
        weaken(&pure, &notion, &[&same]),
        "more theorems than numbers",
    );
    let reads = Notion::Pure(seen());
    refused(weaken(&pure, &reads, &[]), "reads the data");
    let with = |values: &[Term], from: &[&Theorem]| cite(&here, &ZCDP_TO_DP, values, from);
    let values = [var("e"), var("e"), var("e")];
    refused(with(&[], &[&pure; 3]), "another number of values");
    refused(with(&values, &[]), "another number of hypotheses");
    refused(with(&values, &[&moves; 3]), "not about privacy");
    // Laplace noise for a number e: of that law, of that scale, for that query.
    let by = mul([num(2), at(&var("L"), &var("k"))]) / var("n");
    let enough = Goal::Le(by, mul([var("e"), setting.scale.clone()]));
    let enough = combine(&here, enough, &[])?;
    let release = setting.release();
    let with = |command: &Command, e: &Term, noise| laplace(&here, command, e, &moves, noise);
    with(&release, &var("e"), &enough)?;
    let draw = Command::Set("w".into(), var("w₀"));
    for (found, why) in [
        (
            with(&noisy("a", var("e")), &var("e"), &enough),
            "not Laplace",
        ),
        (with(&draw, &var("e"), &enough), "not a release"),
        (with(&release, &seen(), &enough), "reads the data"),
        (with(&release, &var("e"), &same), "the noise needs"),
        (with(&release, &num(1), &enough), "the noise needs"),
    ] {
        refused(found, why);
    }
    Ok(())
}

#[test]
fn laws_ranges_and_spaces_fit() -> Result<(), Stuck> {
    let outer = Context::default().with([
        variable("d", Sort::Count),
        variable("m", Sort::Count),
        variable("A", Sort::Vector(var("d"), Sign::Any)),
        variable("B", Sort::Vector(var("m"), Sign::Any)),
        variable("i", Sort::Index(var("d"))),
    ])?;
    let inner = outer.extended(variable("η", Sort::Vector(var("d"), Sign::Any)))?;
    let entry = at(&var("η"), &var("i"));
    let same = combine(&inner, Goal::Le(entry.clone(), entry), &[])?;
    let law = |d: &str| op(Op::Normal, [var(d), num(1)]);
    expected(&same, &law("d"))?;
    refused(expected(&same, &law("m")), "draws something else");
    let given = inner.extended(Item::Assume(Goal::Le(num(0), num(1))))?;
    let under = combine(&given, Goal::Le(num(0), num(0)), &[])?;
    refused(expected(&under, &law("d")), "does not end with a variable");
    let (k, e) = (var("k"), var("e"));
    let product = k.clone() * e;
    let swapped = |other: &Term| exchange(&outer, ("k", &var("d")), ("e", other), &product);
    swapped(&var("m"))?;
    refused(swapped(&(k + num(1))), "a range that depends");
    triangle(&outer, &var("A"), &var("A"))?;
    refused(triangle(&outer, &var("A"), &var("B")), "two spaces");
    refused(triangle(&outer, &var("A"), &num(1)), "not a vector");
    refused(at_most_one(&outer, &num(1)), "neither a probability");
    let none = combine(&outer, Goal::Le(num(0), num(1)), &[Part::new(num(1), [])])?;
    refused(unclipped(&outer, &none, None), "no bound of a size");
    let short = clipped(&outer, &var("B"), &num(1))?;
    // A vector is no number, and i an index of another space.
    refused(unclipped(&outer, &short, None), "not a number");
    refused(unclipped(&outer, &short, Some("i")), "not an index");
    let loss = gradient_bound(&outer, "A", &var("A"), "i", None);
    refused(loss, "is not a loss");
    refused(
        convex(&outer, "A", &var("A"), &var("A")),
        "not a function of a class",
    );
    let one = sum("k", var("d"), num(1));
    let equal = combine(&outer, Goal::Le(one.clone(), one), &[])?;
    refused(stationary(&outer, &equal, "i"), "no minimiser");
    Ok(())
}

/// What premises suppose beside privacy, in numbers: with another limit of δ or another ε nothing follows.
#[test]
fn relations_of_a_premise_are_those_it_asks_for() -> Result<(), Stuck> {
    let (rho, delta) = (var("ρ"), var("δ"));
    let log = || (num(1) / delta.clone()).log();
    let root = (rho.clone() * log()).sqrt();
    assert_eq!(spent(&rho, &delta), rho.clone() + num(2) * root);
    let order = || num(1) + var("x");
    let logs = (log() - order().log()) / var("x");
    let at_order = rho.clone() + (var("x") / order()).log() + logs;
    assert_eq!(spent_at_order(&var("x"), &rho, &delta), at_order);
    // Of e, here a probability.
    let here = Setting::sound().with_state()?;
    let here = here.extended(Item::Assume(Goal::Le(var("e"), num(1))))?;
    let small = assume(&here, here.items().len() - 1)?;
    let bound = gaussian(&here, &noisy("a", num(1)), &sensitivity(&here)?)?;
    let Goal::Private {
        notion: Notion::Zcdp(rho),
        ..
    } = &bound.statement().goal
    else {
        panic!("a zCDP bound");
    };
    let all = spent(rho, &var("e"));
    let within = combine(&here, Goal::Le(all.clone(), all.clone()), &[])?;
    let with = |epsilon: &Term, facts: [&Theorem; 2]| {
        let values = [rho.clone(), epsilon.clone(), var("e")];
        cite(&here, &ZCDP_TO_DP, &values, &[&bound, facts[0], facts[1]])
    };
    with(&all, [&small, &within])?;
    // Of another mechanism's number, or in another sense, though all else is as it has to be.
    let other = gaussian(&here, &noisy("a", num(2)), &sensitivity(&here)?)?;
    let order = renyi(&bound, &num(2))?;
    for private in [&other, &order] {
        let values = [rho.clone(), all.clone(), var("e")];
        let cited = cite(&here, &ZCDP_TO_DP, &values, &[private, &small, &within]);
        refused(cited, "not the hypothesis of the premise");
    }
    for (epsilon, facts) in [
        (&all, [&within, &small]),
        (&all, [&small, &small]),
        (&all, [&within, &within]),
        (rho, [&small, &within]),
    ] {
        refused(with(epsilon, facts), "not the hypothesis of the premise");
    }
    Ok(())
}

/// A state of a process has moments, but not all that is made of it: E exp(θ²) is infinite at the end.
#[test]
fn what_is_expected_at_the_end_does_not_grow_too_fast() -> Result<(), Stuck> {
    let entry = |v: &str, j: &str| at(&var(v), &var(j));
    let draw = Command::Draw {
        name: "η".into(),
        law: op(Op::Normal, [var("d"), num(1)]),
    };
    let step = vector("l", var("d"), entry("θ", "l") + entry("η", "l"));
    let process = Process {
        states: vec![State {
            name: "θ".into(),
            dimension: var("d"),
            start: var("v"),
        }],
        body: vec![draw, Command::Set("θ".into(), step)],
    };
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("i", Sort::Index(var("d"))),
        Item::Process("P".into(), process),
    ])?;
    let square = entry("θ", "i").pow(2);
    ends(&context, "P", ("θ", &square), &[], &[])?;
    let wild = ends(&context, "P", ("θ", &square.exp()), &[], &[]);
    refused(wild, "may have no expectation");
    Ok(())
}

/// Nor does what is expected inside: of E_y exp(y²)·1\[|y| ≤ |x|\] every value is a number, and the mean over x infinite; and so
/// it may be with the end of a process of unknown moments for y.
#[test]
fn what_is_expected_inside_does_not_grow_too_fast() -> Result<(), Stuck> {
    let wild = Process {
        states: vec![State {
            name: "θ".into(),
            dimension: var("d"),
            start: var("v"),
        }],
        body: vec![
            Command::Draw {
                name: "η".into(),
                law: op(Op::Normal, [num(1)]),
            },
            Command::Set("θ".into(), vector("l", var("d"), var("η").pow(2).exp())),
        ],
    };
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("v", Sort::Vector(var("d"), Sign::Any)),
        variable("i", Sort::Index(var("d"))),
        Item::Process("P".into(), wild),
        variable("x", Sort::Real(Sign::Any)),
    ])?;
    let normal = op(Op::Normal, [num(1)]);
    let end = op(Op::End, [var("P")]);
    let entry = at(&var("y"), &var("i"));
    let near = |y: &Term| op(Op::AtMost, [y.abs(), var("x").abs()]);
    let inside = |law: &Term, value: Term| bind(Binder::Expect, "y", law.clone(), value);
    let mean = |t: Term| expected(&larger(&context, &num(0), &t, true)?, &normal);
    let y = var("y");
    mean(inside(&normal, y.pow(2) * near(&y)))?;
    for (law, value) in [
        (&normal, y.pow(2).exp() * near(&y)),
        (&end, entry.clone() * near(&entry)),
    ] {
        refused(mean(inside(law, value)), "may have no expectation");
    }
    Ok(())
}

/// What was drawn may say how often a loop runs, but then its cost is no number; the index of a loop around it may.
#[test]
fn a_loop_that_runs_as_often_as_was_drawn_has_no_cost() -> Result<(), Stuck> {
    let release = noisy("a", var("e"));
    let composed = |times: Term| {
        let draw = Command::Draw {
            name: "b".into(),
            law: bind(Binder::Weighted, "j", var("p"), num(1)),
        };
        let rounds = Command::Repeat {
            index: "q".into(),
            times,
            body: vec![release.clone()],
        };
        let process = looped("w", "p", var("w₀"), "T", vec![draw, rounds]);
        let context = Setting::sound()
            .context()?
            .extended(Item::Process("R".into(), process))?;
        let inside = context.extended(Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any)))?;
        let once = gaussian(&inside, &release, &sensitivity(&inside)?)?;
        compose(&context, "R", "D", &[&once])
    };
    composed(var("t") + num(1))?;
    for often in [var("b") + num(1), mul([var("T"), var("b") + num(1)])] {
        refused(composed(often), "depends on the history");
    }
    Ok(())
}
