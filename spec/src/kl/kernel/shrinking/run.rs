//! The run, and how often a step gains too little.

use super::super::adaptive::useful::{fails, rare};
use super::super::errors::{by_tail, none_yet, wider};
use super::{NEAR, Names};
use crate::moved::written::{given, goal, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, below, combine, discharge, ends, expected, union,
};
use dp_assay_kernel::search::cases::{apply, split};
use dp_assay_kernel::search::{assumed, combine_with_slack, item, real, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var};

/// The laws of both noises, what c counts, and whether the round goes on, where ν is the noise of the norm.
fn round_of(context: &Context, algorithm: &str) -> Result<([Term; 2], Goal, Term), Stuck> {
    let process = context.process(algorithm);
    let Some([Command::Repeat { body, .. }]) = process.map(|p| p.body.as_slice()) else {
        return Err(Stuck::new("no loop"));
    };
    let [
        Command::Release { name, query, law },
        Command::Stop { charge, limit },
        Command::Draw { law: other, .. },
        Command::Set(_, counted),
        _,
    ] = body.as_slice()
    else {
        return Err(Stuck::new("not the rounds of the algorithm"));
    };
    let level = query.clone() + var("ν");
    let Term::Bind(_, _, _, more) = counted else {
        return Err(Stuck::new("no count"));
    };
    let event = match &**more {
        Term::Op(Op::Sub, parts) => match &parts[1] {
            Term::Op(Op::AtMost, a) => Goal::Le(a[0].clone(), a[1].clone()),
            _ => return Err(Stuck::new("no event")),
        },
        _ => return Err(Stuck::new("no count")),
    };
    let charged = var("spent") + charge.put(name, &level);
    let goes = op(Op::AtMost, [charged, limit.clone()]);
    Ok(([law.clone(), other.put(name, &level)], event, goes))
}

/// All steps of an algorithm gain enough, but for probability 2β, where a program bounds the probability that one does not where |ν| ≤ √2b.
pub(super) fn run(
    h: &Context,
    wanted: &Goal,
    names: &Names,
    rarely_missed: &dyn Fn(&Context, &Term, &Goal) -> Result<Theorem, Stuck>,
) -> Result<Theorem, Stuck> {
    let states = h.with([
        item("c", Sort::Vector(num(1), Sign::Any)),
        item(names.w, names.space(h)?),
        real("spent", Sign::Any),
    ])?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let (c, rarely) = (at(&var("c"), &var("o")), term(h, "β/(n·√(ρ))")?);
    let lost = fails(&none_yet(&c))?;
    let later = |t: &Term| mul([num(2), var("R") - t.clone(), rarely.clone()]);
    let invariant = |t: &Term| lost.clone() + later(t);
    let end = combine(&states, Goal::Le(lost.clone(), invariant(&var("R"))), &[])?;
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let ([law, other], event, goes) = round_of(&noisy, names.algorithm)?;
    let near = goal(&noisy, NEAR)?;
    let after = none_yet(&(c.clone() + fails(&event)?));
    // The step, where both noises are as small as their tails say.
    let good = noisy.extended(Item::Assume(near.clone()))?;
    let missed = discharge(&rarely_missed(&good, &other, &event)?)?;
    let missed = absent(&noisy, &missed, &near, &event, &other)?;
    let sort = Sort::drawn(&noisy, &other).ok_or_else(|| Stuck::new("no law"))?;
    let drawn = noisy.extended(item("ξ", sort))?;
    let both = drawn.with([none_yet(&c), event.clone()].map(Item::Assume))?;
    let (now, sure) = (
        assumed(&both, &none_yet(&c))?,
        union(&assumed(&both, &event)?)?,
    );
    let kept = combine(
        &both,
        after.clone(),
        &[with(num(1), &now), with(num(1), &sure)],
    )?;
    let kept = expected(&union(&discharge(&discharge(&kept)?)?)?, &other)?;
    let rest = later(&(var("t") + num(1)));
    let small = rare(&noisy)?;
    let most = lost.clone() + fails(&near)? + rarely.clone() + rest.clone();
    let behind = bind(Binder::Expect, "ξ", other, fails(&after)? + rest);
    let parts = [&kept, &missed, &small]
        .map(|fact| with(num(1), fact))
        .into();
    let goes_on = combine_with_slack(&noisy, Goal::Le(behind.clone(), most.clone()), parts)?;
    let last = below(&noisy, "t")?;
    let first = at_most_one(&noisy, &op(Op::AtMost, sides(&near)?))?;
    let parts = vec![
        with(mul([num(2), rarely.clone()]), &last),
        with(num(1), &first),
    ];
    let halts = combine_with_slack(&noisy, Goal::Le(lost.clone(), most.clone()), parts)?;
    let once = at_most_one(&noisy, &goes)?;
    let value = mul([goes.clone(), behind]) + mul([num(1) - goes.clone(), lost.clone()]);
    let parts = [
        with(goes, &goes_on),
        Part::new(num(1), [&once, &halts].map(Into::into)),
    ];
    let bound = expected(&combine(&noisy, Goal::Le(value, most), &parts)?, &law)?;
    let calm = by_tail(&inside, ("ν", &law, &near), &|here, calm| {
        wider(here, &near, calm)
    })?;
    let Goal::Le(before, _) = &bound.statement().goal else {
        return Err(Stuck::new("no bound"));
    };
    let small = rare(&inside)?;
    let parts = [&bound, &calm, &small].map(|fact| with(num(1), fact));
    let round = combine(
        &inside,
        Goal::Le(before.clone(), invariant(&var("t"))),
        &parts,
    )?;
    let run = ends(
        h,
        names.algorithm,
        ("c", &lost),
        &[&invariant(&var("t"))],
        &[&end, &round],
    )?;
    let (start, few) = (union(&combine(h, none_yet(&num(0)), &[])?)?, given(h, 0)?);
    let parts = vec![
        with(num(1), &run),
        with(num(1), &start),
        with(mul([num(2), rarely]), &few),
    ];
    combine_with_slack(h, wanted.clone(), parts)
}

pub(super) fn sides(goal: &Goal) -> Result<[Term; 2], Stuck> {
    match goal {
        Goal::Le(x, y) => Ok([x.clone(), y.clone()]),
        _ => Err(Stuck::new("no inequality")),
    }
}

/// E(1 − 𝟙(event)) ≤ exp(−Λ) + 1 − 𝟙(near), from the same without the last part if `near` holds.
fn absent(
    h: &Context,
    missed: &Theorem,
    near: &Goal,
    event: &Goal,
    law: &Term,
) -> Result<Theorem, Stuck> {
    let lost = bind(Binder::Expect, "ξ", law.clone(), fails(event)?);
    let goal = Goal::Le(lost, (num(0) - var("Λ")).exp() + fails(near)?);
    let [x, y] = sides(near)?;
    split(
        h,
        [&x, &y],
        |here, fact| {
            let rare = apply(here, missed, fact)?;
            let first = at_most_one(here, &op(Op::AtMost, sides(near)?))?;
            combine_with_slack(
                here,
                goal.clone(),
                vec![with(num(1), &rare), with(num(1), &first)],
            )
        },
        |here, none| {
            let sort = Sort::drawn(here, law).ok_or_else(|| Stuck::new("no law"))?;
            let drawn = here.extended(item("ξ", sort))?;
            let one = combine_with_slack(&drawn, Goal::Le(fails(event)?, num(1)), vec![])?;
            let all = expected(&one, law)?;
            combine_with_slack(
                here,
                goal.clone(),
                vec![with(num(1), &all), with(num(1), none)],
            )
        },
    )
}
