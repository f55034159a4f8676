//! Search, outside the trusted base: it only calls rules.

use crate::Stuck;
use crate::rules::{Part, Theorem, assume, combine, left_over};
use crate::statement::{Context, Goal, Item};

/// The goal by [`combine`] with these parts and, if they leave something over, that as one more multiplier: so a
/// proof of a statement is one of every weaker statement whose slack is plainly ≥ 0.
///
/// # Errors
/// As [`combine`].
pub fn combine_with_slack(
    context: &Context,
    goal: Goal,
    mut parts: Vec<Part<'_>>,
) -> Result<Theorem, Stuck> {
    if let Some(slack) = left_over(context, &goal, &parts)? {
        parts.push(Part::new(slack, []));
    }
    combine(context, goal, &parts)
}

/// A hypothesis of the context, by what it says.
///
/// # Errors
/// If nothing of the kind is assumed.
pub fn assumed(context: &Context, goal: &Goal) -> Result<Theorem, Stuck> {
    let says = |item: &Item| matches!(item, Item::Assume(g) if g.same(goal));
    let index = context.items().iter().position(says);
    let index = index.ok_or_else(|| Stuck::new(format!("it is not assumed that {goal}")))?;
    assume(context, index)
}
