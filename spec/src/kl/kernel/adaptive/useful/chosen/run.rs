//! How often a round goes badly, and the run.

use super::super::Proof;
use super::super::level::{Level, round_of};
use super::super::run::{certain, left};
use super::account::Before;
use super::draw::{chosen, missed};
use super::round::{Round, ended};
use super::{bound, count, event, fails, height, le, rare, size, slope, space};
use crate::moved::written::{given, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, at_most_one, combine, discharge, ends, expected, largest, tail, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::{assumed, item, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};

/// What may yet fail before round t, without the draw.
fn later(t: &Term) -> Term {
    mul([num(2), var("R") - t.clone(), event()])
}

fn invariant(t: &Term) -> Result<Term, Stuck> {
    Ok(fails(&Before::named(t.clone()).wanted()?)? + later(t) + var("β"))
}

/// With probability at least 1 − 2β the gradient at the chosen iterate is small.
pub(super) fn run(here: &Context, data: &[Goal], value: &Goal) -> Proof {
    let (h, c) = (var("h"), var("c"));
    let states = here.with([
        item("w", space()),
        item("h", Sort::Vector(size(), Sign::Any)),
        item("c", Sort::Vector(num(1), Sign::Any)),
        real("spent", Sign::Any),
    ])?;
    let last = Before::named(var("R")).wanted()?;
    let good = states.extended(Item::Assume(last))?;
    let sure = union(&discharge(&ended(&good, data)?)?)?;
    let drawn = chosen(&states, &h, &c)?;
    let parts = vec![with(num(1), &drawn), with(num(1), &sure)];
    let end = le(&states, missed(&h, &c)?, invariant(&var("R"))?, parts)?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let round = Round {
        data,
        before: Before::named(var("t")),
    };
    let round = once(&inside, &round)?;
    let lost = fails(&Goal::Le(height(&var("w")), bound()))?;
    let run = ends(
        here,
        "Alg3",
        ("w", &lost),
        &[&invariant(&var("t"))?],
        &[&end, &round],
    )?;
    let start = union(&begins(here, data)?)?;
    let few = given(here, 2)?;
    let parts = vec![
        with(num(1), &run),
        with(num(1), &start),
        with(event(), &few),
    ];
    combine(here, value.clone(), &parts)
}

/// What is wanted before the first round.
fn begins(here: &Context, data: &[Goal]) -> Proof {
    let zero = |d: Term| vector("l", d, num(0));
    let first = Before {
        w: var("w₀"),
        h: zero(size()),
        c: zero(num(1)),
        t: num(0),
        spent: num(0),
    };
    let none = le(here, num(0), num(0), vec![])?;
    let order = [
        le(here, count(&first.c), num(0), vec![])?,
        le(here, num(0), count(&first.c), vec![])?,
    ];
    let [one, other] = first.accounts();
    let near = assumed(here, &data[3])?;
    let accounts = largest(
        &le(here, one, num(0), vec![with(num(1), &none)])?,
        &le(here, other, num(0), vec![with(num(1), &near)])?,
    )?;
    let [_, open] = first.either()?;
    let side = le(here, num(0), open, vec![with(num(1), &accounts)])?;
    first.made(here, [&order[0], &order[1]], &side, true)
}

/// One round keeps the invariant.
fn once(inside: &Context, round: &Round<'_>) -> Proof {
    let before = &round.before;
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let (level, wanted, calm) = (Level::of(&noisy)?, before.wanted()?, Level::calm(&noisy)?);
    let [law, ..] = round_of(&noisy)?;
    let other = op(Op::Normal, [var("d"), level.deviation.pow(2)]);
    let Goal::Le(all, limit) = level.goes() else {
        return Err(Stuck::new("no limit"));
    };
    let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
    let (w, j) = (&before.w, var("j"));
    let moved = at(w, &j) - (slope(w) + at(&var("g"), &j)) / mul([num(2), var("L₁")]);
    let after = before.after(vector("j", var("d"), moved), all.clone());
    let next = after.wanted()?;
    let rest = later(&after.t) + var("β");
    let behind = bind(
        Binder::Expect,
        "g",
        other.clone(),
        fails(&next)? + rest.clone(),
    );
    let lost = missed(&after.h, &after.c)?;
    let left_hand =
        mul([goes.clone(), behind.clone()]) + mul([num(1) - goes.clone(), lost.clone()]);
    let most = fails(&wanted)? + fails(&calm)? + event() + rest.clone();
    let (sure, quiet, room) = (
        certain(&noisy, &wanted)?,
        certain(&noisy, &calm)?,
        left(&noisy)?,
    );
    let once = at_most_one(&noisy, &goes)?;
    let share = mul([num(2), event()]);
    let bound = split(
        &noisy,
        [&all, &limit],
        |here, going| {
            let drawn = here.extended(item("g", space()))?;
            let good = [wanted.clone(), calm.clone(), level.still(&drawn)?].map(Item::Assume);
            let kept = round.keeps(&drawn.with(good)?)?;
            let kept = (0..3).try_fold(kept, |theorem, _| discharge(&theorem))?;
            let kept = expected(&union(&kept)?, &other)?;
            let (tail, rare) = (tail(here, &other, &var("Λ"), None)?, rare(here)?);
            let parts = [&kept, &tail, &rare].map(|fact| with(num(1), fact)).into();
            let one = le(here, behind.clone(), most.clone(), parts)?;
            let all = below_one(here, &lost)?;
            let parts = vec![
                with(num(1), &all),
                with(num(1), &sure),
                with(num(1), &quiet),
                with(share.clone(), &room),
            ];
            let small = le(here, lost.clone(), num(1) + most.clone(), parts)?;
            let certain = union(going)?;
            let parts = vec![
                with(goes.clone(), &one),
                Part::new(num(1), [&once, &small].map(Into::into)),
                with(num(1), &certain),
            ];
            le(here, left_hand.clone(), most.clone(), parts)
        },
        |here, none| {
            let good = here.with([wanted.clone(), calm.clone()].map(Item::Assume))?;
            let halts = round.halts(&good, &assumed(&good, &none.statement().goal)?)?;
            let halts = (0..2).try_fold(halts, |theorem, _| discharge(&theorem))?;
            let (halts, drawn) = (union(&halts)?, chosen(here, &after.h, &after.c)?);
            let parts = vec![
                with(num(1), &halts),
                with(num(1), &drawn),
                with(share.clone(), &room),
            ];
            let small = le(here, lost.clone(), most.clone(), parts)?;
            let drawn = here.extended(item("g", space()))?;
            let whole = le(
                &drawn,
                fails(&next)? + rest.clone(),
                num(1) + rest.clone(),
                vec![],
            )?;
            let whole = expected(&whole, &other)?;
            let parts = vec![
                Part::new(num(1), [&once, &small].map(Into::into)),
                with(goes.clone(), &whole),
                with(num(1), none),
                with(goes.clone(), &sure),
                with(goes.clone(), &quiet),
            ];
            le(here, left_hand.clone(), most.clone(), parts)
        },
    )?;
    let bound = expected(&bound, &law)?;
    let (tail, rare) = (tail(inside, &law, &var("Λ"), None)?, rare(inside)?);
    let [first, _] = sides(&bound.statement().goal)?;
    let parts = [&bound, &tail, &rare].map(|fact| with(num(1), fact)).into();
    le(inside, first.clone(), invariant(&before.t)?, parts)
}

/// A probability that is written as an expectation of 1 less an indicator is at most 1.
fn below_one(here: &Context, lost: &Term) -> Proof {
    let Term::Bind(Binder::Expect, s, law, body) = lost else {
        return Err(Stuck::new("no expectation"));
    };
    let drawn = here.extended(item(s, Sort::Index(var("R"))))?;
    expected(&le(&drawn, (**body).clone(), num(1), vec![])?, law)
}
