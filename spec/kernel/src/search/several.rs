//! Several inequalities as one, which an induction can carry: the largest of their left sides is at most their right side.

use super::with;
use crate::Stuck;
use crate::rules::{Theorem, combine, larger, largest};
use crate::statement::{Context, Goal};
use crate::term::{Term, num};

/// The largest of some numbers, of which there is at least one.
///
/// # Errors
/// If there is none.
pub fn joined(sides: &[Term]) -> Result<Term, Stuck> {
    let all = sides
        .iter()
        .cloned()
        .reduce(|top, side| top.max_with(&side));
    all.ok_or_else(|| Stuck::new("the largest of nothing"))
}

/// That the largest is at most c, from every number being so.
///
/// # Errors
/// If the theorems are not of that form, or there is none.
pub fn join(facts: Vec<Theorem>) -> Result<Theorem, Stuck> {
    let mut facts = facts.into_iter();
    let first = facts.next();
    let first = first.ok_or_else(|| Stuck::new("the largest of nothing"))?;
    facts.try_fold(first, |all, fact| largest(&all, &fact))
}

/// That number `i` is at most c, from the largest being so.
///
/// # Errors
/// If the theorem is not of that form, or there is no such number.
pub fn part(context: &Context, sides: &[Term], all: &Theorem, i: usize) -> Result<Theorem, Stuck> {
    let (Some(side), Goal::Le(_, bound)) = (sides.get(i), &all.statement().goal) else {
        return Err(Stuck::new("no such inequality"));
    };
    let mut steps = Vec::new();
    if i > 0 {
        steps.push(larger(context, &joined(&sides[..i])?, side, true)?);
    }
    for next in i + 1..sides.len() {
        steps.push(larger(
            context,
            &joined(&sides[..next])?,
            &sides[next],
            false,
        )?);
    }
    let parts: Vec<_> = steps
        .iter()
        .chain([all])
        .map(|fact| with(num(1), fact))
        .collect();
    combine(context, Goal::Le(side.clone(), bound.clone()), &parts)
}
