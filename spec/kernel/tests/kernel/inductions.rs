//! Induction over an index, and what follows from an implication: falsifiers, and what is refused.

use crate::items::variable;
use crate::refusals::refused;
use crate::rules::{margin, numbers};
use crate::world::Random;
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, assume, chain, combine, discharge, induction};
use dp_assay_kernel::search::with as times;
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{Op, Term, mul, num, op, var};

pub const FALSIFIERS: [Falsifier; 2] = [("induction", bernoulli), ("chain", implied)];

/// 1 + k·x² ≤ (1 + x²)^k.
fn relation(k: &Term) -> Goal {
    let square = var("x").pow(2);
    let power = op(Op::Pow, [num(1) + square.clone(), k.clone()]);
    Goal::Le(num(1) + mul([k.clone(), square]), power)
}

/// If one relation holds at k, another one does, in the context with k.
fn step(
    context: &Context,
    sort: Sort,
    (now, then): (&Goal, &Goal),
    parts: impl Fn(&Theorem) -> Vec<Part<'_>>,
) -> Result<Theorem, Stuck> {
    let here = context.extended(variable("k", sort))?;
    let here = here.extended(Item::Assume(now.clone()))?;
    let given = assume(&here, here.items().len() - 1)?;
    discharge(&combine(&here, then.clone(), &parts(&given))?)
}

fn next() -> Term {
    var("k") + num(1)
}

/// (1 + x²)^{k+1} is at least (1 + x²)·(1 + k·x²).
fn parts(given: &Theorem) -> Vec<Part<'_>> {
    let square = var("x").pow(2);
    let rest = Part::new(mul([var("k"), square.pow(2)]), []);
    vec![times(num(1) + square, given), rest]
}

fn own(given: &Theorem) -> Vec<Part<'_>> {
    vec![times(num(1), given)]
}

fn square(_: &Theorem) -> Vec<Part<'_>> {
    vec![Part::new(next().pow(2), [])]
}

/// Bernoulli's inequality at d. Twin: one step more than was made.
fn bernoulli(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let d = var("d");
    let start = combine(&context, relation(&num(0)), &[]).expect("1 at most 1");
    let goals = (&relation(&var("k")), &relation(&next()));
    let step = step(&context, Sort::Index(d.clone()), goals, parts).expect("a step");
    let theorem = induction(&start, &step).expect("both");
    let Goal::Le(left, right) = &theorem.statement().goal else {
        panic!("no inequality");
    };
    let more = Goal::Le(left.clone() + var("x").pow(2), right.clone());
    Instance {
        rule: margin(&context, &theorem.statement().goal, &w),
        twin: margin(&context, &more, &w),
    }
}

#[test]
fn inductions_of_another_form_are_refused() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let index = || Sort::Index(var("d"));
    let same = |goal: Goal| combine(&context, goal, &[]);
    let start = same(relation(&num(0)))?;
    let goals = (&relation(&var("k")), &relation(&next()));
    let good = step(&context, index(), goals, parts)?;
    assert_eq!(
        induction(&start, &good)?.statement().goal,
        relation(&var("d"))
    );
    // From nothing: 1 + k ≤ k goes from k to k + 1.
    let false_at = |k: &Term| Goal::Le(num(1) + k.clone(), k.clone());
    let goals = (&false_at(&var("k")), &false_at(&next()));
    let never = step(&context, index(), goals, own)?;
    refused(induction(&start, &never), "it begins otherwise");
    // Where what follows is what was supposed, nothing is said of the next index.
    let goals = (&relation(&var("k")), &relation(&var("k")));
    let still = step(&context, index(), goals, own)?;
    refused(induction(&start, &still), "something else follows");
    // Every real number is not reached.
    let zero = Goal::Le(num(0), var("k").pow(2));
    let after = Goal::Le(num(0), next().pow(2));
    let real = Sort::Real(dp_assay_kernel::statement::Sign::Any);
    let real = step(&context, real, (&zero, &after), square)?;
    let nought = same(Goal::Le(num(0), num(0).pow(2)))?;
    refused(induction(&nought, &real), "no step from an index");
    let here = context.extended(variable("k", index()))?;
    let plain = combine(&here, Goal::Le(var("k"), var("k")), &[])?;
    refused(induction(&start, &plain), "no step from an index");
    // The start may not suppose more than the step.
    let more = context.extended(Item::Assume(Goal::Le(num(1), num(0))))?;
    let other = combine(&more, relation(&num(0)), &[])?;
    refused(induction(&other, &good), "another context");
    Ok(())
}

/// 0 ≤ t·y if 0 ≤ t, as y > 0.
fn positive_part(context: &Context, t: &Term) -> Result<Theorem, Stuck> {
    let told = Goal::Le(num(0), t.clone());
    let here = context.extended(Item::Assume(told))?;
    let given = assume(&here, here.items().len() - 1)?;
    let goal = Goal::Le(num(0), mul([t.clone(), var("y")]));
    discharge(&combine(&here, goal, &[times(var("y"), &given)])?)
}

/// 0 ≤ x²·y, since 0 ≤ x². Twin: the same of x, of which nothing is known.
fn implied(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let square = var("x").pow(2);
    let told = Goal::Le(num(0), square.clone());
    let fact = combine(&context, told, &[Part::new(square.clone(), [])]).expect("a square");
    let found = positive_part(&context, &square).and_then(|rule| chain(&context, &rule, &fact));
    let other = positive_part(&context, &var("x")).expect("an implication");
    let Goal::If(_, twin) = &other.statement().goal else {
        panic!("nothing is supposed")
    };
    Instance {
        rule: margin(&context, &found.expect("both").statement().goal, &w),
        twin: margin(&context, twin, &w),
    }
}

#[test]
fn what_is_not_supposed_or_not_known_implies_nothing() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let square = var("x").pow(2);
    let rule = positive_part(&context, &square)?;
    let told = Goal::Le(num(0), square.clone());
    let fact = combine(&context, told.clone(), &[Part::new(square.clone(), [])])?;
    let Goal::If(_, goal) = &rule.statement().goal else {
        panic!("nothing is supposed")
    };
    assert_eq!(chain(&context, &rule, &fact)?.statement().goal, **goal);
    refused(chain(&context, &fact, &fact), "nothing is supposed");
    refused(chain(&context, &rule, &rule), "something else holds");
    let more = Goal::Le(num(0), square.clone() + num(1));
    let more = combine(&context, more, &[Part::new(square + num(1), [])])?;
    refused(chain(&context, &rule, &more), "something else holds");
    // What is assumed further on is not known here.
    let here = context.extended(Item::Assume(told))?;
    let later = assume(&here, here.items().len() - 1)?;
    refused(chain(&context, &rule, &later), "another context");
    refused(
        chain(&context, &positive_part(&here, &var("x"))?, &fact),
        "another context",
    );
    chain(&here, &rule, &later).map(|_| ())
}
