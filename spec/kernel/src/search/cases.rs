//! A comparison holds or its indicator is 0; what holds under a hypothesis that does; anything from a contradiction.

use super::size::either;
use super::{assumed, with};
use crate::Stuck;
use crate::rules::{Part, Theorem, cases, combine, discharge, union};
use crate::statement::{Context, Goal, Item};
use crate::term::{Op, Term, num, op};

/// Any relation, from 1 ≤ 0: R − L = ((R − L + 1)² − (R − L − 1)²)/4.
///
/// # Errors
/// If the goal is no relation of numbers.
pub fn absurd(here: &Context, nonsense: &Theorem, goal: &Goal) -> Result<Theorem, Stuck> {
    match goal {
        Goal::If(given, goal) => {
            let inner = here.extended(Item::Assume((**given).clone()))?;
            discharge(&absurd(&inner, nonsense, goal)?)
        }
        Goal::Le(left, right) => {
            let gap = right.clone() - left.clone();
            let square = |one: i64| (gap.clone() + num(one)).pow(2) / num(4);
            let parts = [Part::new(square(1), []), with(square(-1), nonsense)];
            combine(here, goal.clone(), &parts)
        }
        _ => Err(Stuck::new("no inequality")),
    }
}

/// A relation that holds if a ≤ b and if 1\[a ≤ b\] ≤ 0, of which the programs get the contexts and the facts.
///
/// # Errors
/// If a program fails, or they prove two relations.
pub fn split(
    here: &Context,
    [a, b]: [&Term; 2],
    yes: impl Fn(&Context, &Theorem) -> Result<Theorem, Stuck>,
    no: impl Fn(&Context, &Theorem) -> Result<Theorem, Stuck>,
) -> Result<Theorem, Stuck> {
    let first = Goal::Le(a.clone(), b.clone());
    let second = Goal::Le(op(Op::AtMost, [a.clone(), b.clone()]), num(0));
    let one = |goal: &Goal, prove: &dyn Fn(&Context, &Theorem) -> Result<Theorem, Stuck>| {
        let inner = here.extended(Item::Assume(goal.clone()))?;
        discharge(&prove(&inner, &assumed(&inner, goal)?)?)
    };
    cases(here, &one(&first, &yes)?, &one(&second, &no)?)
}

/// 1 ≤ 0 from x ≤ y and 1\[x ≤ y\] ≤ 0.
fn clash(here: &Context, fact: &Theorem, none: &Theorem) -> Result<Theorem, Stuck> {
    let sure = union(fact)?;
    combine(
        here,
        Goal::Le(num(1), num(0)),
        &[with(num(1), &sure), with(num(1), none)],
    )
}

/// What holds under a hypothesis, where that holds.
///
/// # Errors
/// If the first is no relation under an inequality, or the second not that.
pub fn apply(here: &Context, rule: &Theorem, fact: &Theorem) -> Result<Theorem, Stuck> {
    let Goal::If(given, goal) = &rule.statement().goal else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let Goal::Le(a, b) = &**given else {
        return Err(Stuck::new("no inequality is supposed"));
    };
    let none = Goal::Le(op(Op::AtMost, [a.clone(), b.clone()]), num(0));
    let inner = here.extended(Item::Assume(none.clone()))?;
    let nonsense = clash(&inner, fact, &assumed(&inner, &none)?)?;
    let other = discharge(&absurd(&inner, &nonsense, goal)?)?;
    cases(here, rule, &other)
}

/// y ≤ x from 1\[x ≤ y\] ≤ 0.
///
/// # Errors
/// If the theorem is not of that form.
pub fn beyond(here: &Context, none: &Theorem) -> Result<Theorem, Stuck> {
    let Goal::Le(Term::Op(Op::AtMost, a), _) = &none.statement().goal else {
        return Err(Stuck::new("no comparison"));
    };
    let goal = Goal::Le(a[1].clone(), a[0].clone());
    either(here, [&a[0], &a[1]], |here, order, first| match first {
        true => absurd(here, &clash(here, order, none)?, &goal),
        false => combine(here, goal.clone(), &[with(num(1), order)]),
    })
}
