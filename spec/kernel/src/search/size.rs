//! Moduli: x ≤ |x|, by cases.

use super::with;
use crate::Stuck;
use crate::rules::{
    Part, Theorem, assume, cases, combine, discharge, larger, largest, root_increases,
};
use crate::statement::{Context, Goal, Item};
use crate::term::{Term, num};

/// A relation that the program proves under either hypothesis, a ≤ b (`true`) or b ≤ a; of which it gets the context that ends with
/// it, and itself.
///
/// # Errors
/// If a rule does not apply, or two relations are proved.
pub fn either(
    context: &Context,
    [a, b]: [&Term; 2],
    prove: impl Fn(&Context, &Theorem, bool) -> Result<Theorem, Stuck>,
) -> Result<Theorem, Stuck> {
    let under = |a: &Term, b: &Term, first| {
        let given = Item::Assume(Goal::Le(a.clone(), b.clone()));
        let here = context.extended(given)?;
        let given = assume(&here, context.items().len())?;
        discharge(&prove(&here, &given, first)?)
    };
    cases(context, &under(a, b, true)?, &under(b, a, false)?)
}

/// x ≤ |x|: max(x, 0) is at most √(x²), as its square is x² or 0.
///
/// # Errors
/// If x is not a number here.
pub fn below_modulus(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let (zero, top) = (num(0), x.max_with(&num(0)));
    let squares = either(context, [x, &zero], |here, given, negative| {
        let itself = |t: &Term| combine(here, Goal::Le(t.clone(), t.clone()), &[]);
        let goal = Goal::Le(top.pow(2), x.pow(2));
        if negative {
            let least = largest(given, &itself(&zero)?)?;
            let parts = [with(top.clone(), &least), Part::new(x.pow(2), [])];
            return combine(here, goal, &parts);
        }
        let least = largest(&itself(x)?, given)?;
        let product = Part::new(num(1), [&least, given].map(Into::into));
        combine(here, goal, &[with(top.clone(), &least), product])
    })?;
    let root = root_increases(&squares)?;
    let above = larger(context, x, &zero, false)?;
    let parts = [with(num(1), &root), with(num(1), &above)];
    combine(context, Goal::Le(x.clone(), x.abs()), &parts)
}

/// −x ≤ |x|, written 0 − x ≤ |x|.
///
/// # Errors
/// If x is not a number here.
pub fn above_modulus(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let opposite = num(0) - x.clone();
    let fact = below_modulus(context, &opposite)?;
    combine(context, Goal::Le(opposite, x.abs()), &[with(num(1), &fact)])
}
