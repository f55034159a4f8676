//! The run, and how often a step gains too little.

use super::super::adaptive::useful::{fails, rare};
use super::super::rarely::{Budget, counted, none_yet};
use super::{NEAR, Names};
use crate::moved::written::{Proof, goal, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, at_most_one, combine, discharge, expected, union};
use dp_assay_kernel::search::cases::{apply, split};
use dp_assay_kernel::search::{assumed, item, real, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, var};

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
        Command::Set(_, count),
        _,
    ] = body.as_slice()
    else {
        return Err(Stuck::new("not the rounds of the algorithm"));
    };
    let level = query.clone() + var("ν");
    let event = counted(count)?;
    let charged = var("spent") + charge.put(name, &level);
    let goes = op(Op::AtMost, [charged, limit.clone()]);
    Ok(([law.clone(), other.put(name, &level)], event, goes))
}

/// All steps of an algorithm gain enough, but for probability 2β, where a program bounds the probability that one does not where |ν| ≤ √2b.
pub(super) fn run(
    h: &Context,
    wanted: &Goal,
    names: &Names,
    rarely_missed: &dyn Fn(&Context, &Term, &Goal) -> Proof,
) -> Proof {
    let states = h.with([
        item("c", Sort::Vector(num(1), Sign::Any)),
        item(names.w, names.space(h)?),
        real("spent", Sign::Any),
    ])?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let c = at(&var("c"), &var("o"));
    let budget = Budget::new(&states, &c)?;
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
    let small = rare(&noisy)?;
    let rest = budget.later(&(var("t") + num(1)));
    let behind = bind(Binder::Expect, "ξ", other, fails(&after)? + rest);
    let parts = [&kept, &missed, &small].map(|fact| with(num(1), fact));
    let most = budget.most(&near)?;
    let goes_on = combine(&noisy, Goal::Le(behind.clone(), most), &parts)?;
    let sure = at_most_one(&noisy, &op(Op::AtMost, sides(&near)?.map(Term::clone)))?;
    budget.spent(
        h,
        wanted,
        (names.algorithm, [&states, &inside, &noisy]),
        (&law, &near, goes),
        (behind, &goes_on),
        (fails(&none_yet(&c))?, &sure),
    )
}

/// E(1 − 𝟙(event)) ≤ exp(−Λ) + 1 − 𝟙(near), from the same without the last part if `near` holds.
fn absent(h: &Context, missed: &Theorem, near: &Goal, event: &Goal, law: &Term) -> Proof {
    let lost = bind(Binder::Expect, "ξ", law.clone(), fails(event)?);
    let goal = Goal::Le(lost, (num(0) - var("Λ")).exp() + fails(near)?);
    let [x, y] = sides(near)?;
    split(
        h,
        [x, y],
        |here, fact| {
            let rare = apply(here, missed, fact)?;
            let first = at_most_one(here, &op(Op::AtMost, [x.clone(), y.clone()]))?;
            combine(
                here,
                goal.clone(),
                &[with(num(1), &rare), with(num(1), &first)],
            )
        },
        |here, none| {
            let sort = Sort::drawn(here, law).ok_or_else(|| Stuck::new("no law"))?;
            let drawn = here.extended(item("ξ", sort))?;
            let one = combine(&drawn, Goal::Le(fails(event)?, num(1)), &[])?;
            let all = expected(&one, law)?;
            combine(
                here,
                goal.clone(),
                &[with(num(1), &all), with(num(1), none)],
            )
        },
    )
}
