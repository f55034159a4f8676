//! `kl-lem-10-corrected`: all noises of a run of the corrected algorithm at once. c counts those that are too large: of norms, and of gradients
//! off the floor.

use super::super::CORRECTED;
use super::level::{Level, round_of};
use super::run::{certain, event, fails, left, rare};
use super::{Proof, le, slope, space};
use crate::moved::written::{given, goal, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, at_most_one, combine, discharge, ends, expected, root_increases, tail, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Process, Sign, Sort, State, Statement,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

fn gradient() -> Term {
    vector("j", var("d"), slope(&var("w")))
}

/// √2·b.
fn room() -> Term {
    let root = mul([var("n"), var("ρ").sqrt()]).sqrt();
    let b = mul([var("L₀"), var("Λ").sqrt()]) / root;
    mul([num(2).sqrt(), b])
}

/// |N − G(w)| ≤ √2·b.
fn near(level: &Term) -> Goal {
    Goal::Le((level.clone() - gradient().norm()).abs(), room())
}

/// N ≤ 2A, where the floor is.
fn floor(level: &Term) -> Goal {
    let unit = app("Δ", []);
    let least = mul([num(2), unit, var("L₀")]) / mul([var("n"), var("ρ").sqrt()]);
    Goal::Le(level.clone(), least)
}

/// ‖g − ∇F(w)‖ ≤ N/2.
fn quiet(level: &Term) -> Goal {
    let j = var("j");
    let error = vector("j", var("d"), at(&var("g"), &j) - slope(&var("w")));
    Goal::Le(error.norm(), level.clone() / num(2))
}

fn counted(more: Term) -> Command {
    Command::Set(
        "c".into(),
        vector("l", num(1), at(&var("c"), &var("l")) + more),
    )
}

fn algorithm() -> Result<Process, Stuck> {
    let mut process = CORRECTED.process();
    let start = vector("l", num(1), num(0));
    let count = State {
        name: "c".into(),
        dimension: num(1),
        start,
    };
    process.states.insert(0, count);
    let level = var("Nₜ");
    let Some(Command::Repeat { body, .. }) = process.body.first_mut() else {
        return Err(Stuck::new("no loop"));
    };
    let second = mul([fails(&floor(&level))?, fails(&quiet(&level))?]);
    body.insert(3, counted(second));
    body.insert(1, counted(fails(&near(&level))?));
    Ok(process)
}

/// `kl-lem-10-corrected`, for the rounds that begin; e is g − ∇F(w).
pub fn statement() -> Result<Statement, Stuck> {
    let x = vec![("x".to_owned(), space())];
    let norm = vector("j", var("d"), slope(&var("x"))).norm();
    let here = CORRECTED.context()?.with([
        item("o", Sort::Index(num(1))),
        Item::Process("Alg3".into(), algorithm()?),
        Item::Define("G".into(), x, norm),
        positive("β"),
    ])?;
    let context = ["log(n·√(ρ)/β) = Λ", "2·R ≤ n·√(ρ)"]
        .iter()
        .try_fold(here, |here, text| {
            let goal = goal(&here, text)?;
            here.extended(Item::Assume(goal))
        })?;
    let goal = goal(&context, "1 − β ≤ 𝔼_{c∼end(Alg3)}[𝟙(c_o ≤ 0)]")?;
    Ok(Statement { context, goal })
}

/// What may yet fail before round t.
fn later(t: &Term) -> Term {
    mul([num(2), var("R") - t.clone(), event()])
}

fn none_yet(c: &Term) -> Goal {
    Goal::Le(c.clone(), num(0))
}

/// The proof of [`statement`], or of a statement with a smaller probability.
pub fn prove(statement: &Statement) -> Proof {
    let here = &statement.context;
    let states = here.with([
        item("c", Sort::Vector(num(1), Sign::Any)),
        item("w", space()),
        real("spent", Sign::Any),
    ])?;
    let c = at(&var("c"), &var("o"));
    let lost = fails(&none_yet(&c))?;
    let invariant = |t: &Term| lost.clone() + later(t);
    let end = le(&states, lost.clone(), invariant(&var("R")), vec![])?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let round = once(&inside, &invariant(&var("t")))?;
    let run = ends(
        here,
        "Alg3",
        ("c", &lost),
        &[&invariant(&var("t"))],
        &[&end, &round],
    )?;
    let start = union(&combine(here, none_yet(&num(0)), &[])?)?;
    let few = given(here, 2)?;
    let parts = vec![
        with(num(1), &run),
        with(num(1), &start),
        with(event(), &few),
    ];
    combine(here, statement.goal.clone(), &parts)
}

/// |ν| ≤ √2·b, as its tail says.
fn small(here: &Context) -> Proof {
    let calm = assumed(here, &Level::calm(here)?)?;
    let [nu, most] = sides(&calm.statement().goal)?;
    let square = combine(here, Goal::Le(most.pow(2), room().pow(2)), &[])?;
    let root = root_increases(&square)?;
    le(
        here,
        nu.clone(),
        room(),
        vec![with(num(1), &calm), with(num(1), &root)],
    )
}

/// One round keeps the invariant.
fn once(inside: &Context, invariant: &Term) -> Proof {
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let (level, calm) = (Level::of(&noisy)?, Level::calm(&noisy)?);
    let [law, ..] = round_of(&noisy)?;
    let other = op(Op::Normal, [var("d"), level.deviation.pow(2)]);
    let Goal::Le(all, limit) = level.goes() else {
        return Err(Stuck::new("no limit"));
    };
    let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
    let c = at(&var("c"), &var("o"));
    let before = none_yet(&c);
    let first = c.clone() + fails(&near(&level.level))?;
    let j = var("j");
    let noise = vector("j", var("d"), slope(&var("w")) + at(&var("g"), &j));
    let Goal::Le(error, half) = quiet(&level.level) else {
        return Err(Stuck::new("no event"));
    };
    let still_half = Goal::Le(error.put("g", &noise), half);
    let second = mul([fails(&floor(&level.level))?, fails(&still_half)?]);
    let (halfway, after) = (none_yet(&first), none_yet(&(first.clone() + second)));
    let rest = later(&(var("t") + num(1)));
    let behind = bind(
        Binder::Expect,
        "g",
        other.clone(),
        fails(&after)? + rest.clone(),
    );
    let lost = fails(&halfway)?;
    let left_hand =
        mul([goes.clone(), behind.clone()]) + mul([num(1) - goes.clone(), lost.clone()]);
    let most = fails(&before)? + fails(&calm)? + event() + rest;
    // The norm: what is counted of it is 0 if |ν| is small.
    let good = noisy.with([before.clone(), calm.clone()].map(Item::Assume))?;
    let counted = |here: &Context| {
        let (now, sure) = (assumed(here, &before)?, union(&small(here)?)?);
        combine(
            here,
            halfway.clone(),
            &[with(num(1), &now), with(num(1), &sure)],
        )
    };
    let kept = discharge(&discharge(&counted(&good)?)?)?;
    let (kept, room) = (union(&kept)?, left(&noisy)?);
    let share = mul([num(2), event()]);
    let parts = vec![with(num(1), &kept), with(share, &room)];
    let one = le(&noisy, lost, most.clone(), parts)?;
    // The gradient.
    let drawn = noisy.extended(item("g", space()))?;
    let still = level.still(&drawn)?;
    let good = drawn.with([before.clone(), calm.clone(), still].map(Item::Assume))?;
    let kept = split(
        &good,
        [&level.level, &level.least],
        |here, fact| {
            let (sure, first) = (union(fact)?, counted(here)?);
            let [x, y] = sides(&still_half)?;
            let once = at_most_one(here, &op(Op::AtMost, [x.clone(), y.clone()]))?;
            let product = Part::new(num(1), [&sure, &once].map(Into::into));
            combine(here, after.clone(), &[with(num(1), &first), product])
        },
        |here, off| {
            let first = counted(here)?;
            let small = level.quiet(here, off)?;
            let [x, y] = sides(&still_half)?;
            let sure = union(&le(here, x.clone(), y.clone(), vec![with(num(1), &small)])?)?;
            let once = certain(here, &floor(&level.level))?;
            let product = Part::new(num(1), [&sure, &once].map(Into::into));
            combine(here, after.clone(), &[with(num(1), &first), product])
        },
    )?;
    let kept = (0..3).try_fold(kept, |theorem, _| discharge(&theorem))?;
    let kept = expected(&union(&kept)?, &other)?;
    let (tail_of, rarely) = (tail(&noisy, &other, &var("Λ"), None)?, rare(&noisy)?);
    let parts = [&kept, &tail_of, &rarely]
        .map(|fact| with(num(1), fact))
        .into();
    let two = le(&noisy, behind, most.clone(), parts)?;
    let once = at_most_one(&noisy, &goes)?;
    let parts = vec![
        with(goes, &two),
        Part::new(num(1), [&once, &one].map(Into::into)),
    ];
    let bound = expected(&le(&noisy, left_hand, most, parts)?, &law)?;
    let (tail, rare) = (tail(inside, &law, &var("Λ"), None)?, rare(inside)?);
    let [first, _] = sides(&bound.statement().goal)?;
    let parts = [&bound, &tail, &rare].map(|fact| with(num(1), fact)).into();
    le(inside, first.clone(), invariant.clone(), parts)
}
