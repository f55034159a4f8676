//! What invariants and bounds may know of what a loop around them is charged.

use crate::items::{real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, combine, discharge, ends, wins};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort, State};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};

/// A round that may be the last one, and a command behind its stop.
fn rounds(inner: Command) -> Process {
    let stop = Command::Stop {
        charge: num(1),
        limit: num(1),
    };
    Process {
        states: vec![State {
            name: "w".into(),
            dimension: num(1),
            start: vector("i", num(1), num(7)),
        }],
        body: vec![Command::Repeat {
            index: "k".into(),
            times: num(2),
            body: vec![stop, inner],
        }],
    }
}

/// E w_j ≤ 7 at the end of such rounds, whose inner command has a bound with this added, which is 0.
fn bounded(inner: &Command, added: &Term) -> Result<Theorem, Stuck> {
    let context = Context::default().with([
        variable("j", Sort::Index(num(1))),
        Item::Process("P".into(), rounds(inner.clone())),
    ])?;
    let (value, own) = (at(&var("x"), &var("j")), at(&var("w"), &var("j")));
    let state = variable("w", Sort::Vector(num(1), Sign::Any));
    let outside = context.with([state, real("spent", Sign::Any)])?;
    let inside = outside.extended(variable("k", Sort::Index(num(2))))?;
    let below =
        |here: &Context, a: &Term, b: &Term| combine(here, Goal::Le(a.clone(), b.clone()), &[]);
    let more = own.clone() + added.clone();
    let goes = op(Op::AtMost, [var("spent") + num(1), num(1)]);
    let last = mul([num(1) - goes.clone(), own.clone()]);
    let charged = |bound: &Term| mul([goes, bound.put("spent", &(var("spent") + num(1)))]) + last;
    let end = below(&outside, &own, &own)?;
    let (bound, known, before) = match inner {
        Command::Select { .. } => {
            let law = op(Op::Laplace, [num(1), num(1)]);
            let here = inside.with([
                variable("z", Sort::Vector(num(1), Sign::Any)),
                variable("c", Sort::Index(num(1))),
            ])?;
            let won = wins(inner, "z").expect("a selection");
            let known = below(&here.extended(Item::Assume(won))?, &own, &more)?;
            let bound = bind(Binder::Expect, "z", law, more);
            (bound.clone(), vec![discharge(&known)?], charged(&bound))
        }
        _ => {
            let here = inside.extended(variable("l", Sort::Index(num(1))))?;
            let known = vec![below(&inside, &own, &more)?, below(&here, &more, &more)?];
            (more.clone(), known, charged(&more))
        }
    };
    let round = below(&inside, &before, &own)?;
    let theorems: Vec<&Theorem> = [&end, &round].into_iter().chain(&known).collect();
    ends(&context, "P", ("x", &value), &[&own, &bound], &theorems)
}

/// The charge may have no moments: what a loop or a selection inside is bounded by compares it only, as the invariant of its
/// own loop does.
#[test]
fn bounds_inside_know_of_what_is_charged_by_comparisons_only() -> Result<(), Stuck> {
    let again = vector("i", num(1), at(&var("w"), &var("i")));
    let again = Command::Repeat {
        index: "l".into(),
        times: num(1),
        body: vec![Command::Set("w".into(), again)],
    };
    let chosen = Command::Select {
        name: "c".into(),
        index: "m".into(),
        over: num(1),
        query: num(0),
        scale: num(1),
        divisor: Some(num(1)),
    };
    let nothing = |t: Term| mul([num(0), t]);
    let compared = op(Op::AtMost, [var("spent").pow(2), num(1)]);
    for inner in [again, chosen] {
        bounded(&inner, &nothing(compared.clone()))?;
        let known = bounded(&inner, &nothing(var("spent").pow(2)));
        refused(known, "may have no expectation");
    }
    Ok(())
}
