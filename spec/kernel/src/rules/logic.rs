//! Rules of logic.

use super::{Theorem, needs, require};
use crate::Stuck;
use crate::scope::Scope;
use crate::statement::{Context, Goal, Item, Sign, Sort};
use crate::term::{Name, Op, Term, num, op, sum};
use crate::trace::{number, term};

/// **hypothesis**: item number `index` of the context, a hypothesis, holds.
///
/// # Errors
/// If that item is not a hypothesis.
pub fn assume(context: &Context, index: usize) -> Result<Theorem, Stuck> {
    let Some(Item::Assume(goal)) = context.items().get(index) else {
        return Err(Stuck::new(format!("item {index} is not a hypothesis")));
    };
    Theorem::conclude("assume", context, goal.clone(), vec![number(index)], &[])
}

/// **both**: several goals at once, from each of them.
///
/// # Errors
/// If there are fewer than two, or one is of another context or several itself.
pub fn both(context: &Context, theorems: &[&Theorem]) -> Result<Theorem, Stuck> {
    theorems.iter().try_for_each(|t| t.holds_in(context))?;
    let goals = theorems.iter().map(|t| t.goal().clone()).collect();
    Theorem::conclude("both", context, Goal::Both(goals), vec![], theorems)
}

/// **discharge**: what holds in a context holds without its last item: for every value of the variable, or if the
/// hypothesis holds.
///
/// # Errors
/// If the last item is neither, or there is no such goal.
pub fn discharge(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let (items, goal) = (theorem.context().items(), theorem.goal().clone().into());
    let goal = match items.last() {
        Some(Item::Var(x, sort)) => Goal::Every(x.clone(), sort.clone(), goal),
        Some(Item::Assume(given)) => Goal::If(given.clone().into(), goal),
        _ => return Err(Stuck::new("nothing to discharge")),
    };
    let context = theorem.context().beginning(items.len() - 1);
    Theorem::conclude("discharge", &context, goal, vec![], &[theorem])
}

/// **limit**: a ≤ b from a ≤ b + c·y for every real y > 0 (Rudin 1976, Ch. 1, the order of the reals), or from a ≤ b + c/K for
/// every integer K ≥ 1 (Rudin 1976, Thm 1.20 (a)). That variable is the last item of the theorem's context, so that no more is
/// supposed of it, and a, b and c do not mention it.
///
/// Sound: were a > b, then c > 0, by y = 1 or K = 1. But y = (a − b)/(2c) would not do, nor would an integer K > c/(a − b), of which
/// there is one, as the reals have the Archimedean property.
///
/// # Errors
/// If the theorem is not of one of these forms.
pub fn limit(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let Goal::Le(a, Term::Op(Op::Add, sum)) = theorem.goal() else {
        return Err(Stuck::new("no bound of two parts"));
    };
    let last = Term::Var(name.to_owned());
    match (sort, &sum[..]) {
        (Sort::Real(Sign::Positive), [b, Term::Op(Op::Mul, parts)])
        | (Sort::Count, [b, Term::Op(Op::Div, parts)])
            if parts.len() == 2
                && parts[1] == last
                && ![a, b, &parts[0]].iter().any(|t| t.mentions(name)) =>
        {
            let goal = Goal::Le(a.clone(), b.clone());
            Theorem::conclude("limit", &context, goal, vec![], &[theorem])
        }
        _ => Err(Stuck::new(
            "not a multiple of what is as small as is wanted",
        )),
    }
}

/// **cases**: a relation that holds if a ≤ b and if b ≤ a holds, or if 1\[a ≤ b\] ≤ 0: one of the two does (Rudin 1976, Def. 1.5).
///
/// # Errors
/// If the theorems are not of that form.
pub fn cases(context: &Context, first: &Theorem, second: &Theorem) -> Result<Theorem, Stuck> {
    let (Goal::If(one, goal), Goal::If(other, same)) = (first.goal(), second.goal()) else {
        return Err(Stuck::new("nothing holds in a case"));
    };
    [first, second]
        .iter()
        .try_for_each(|t| t.holds_in(context))?;
    let Goal::Le(a, b) = &**one else {
        return Err(Stuck::new("not two cases of one relation"));
    };
    let below = op(Op::AtMost, [a.clone(), b.clone()]);
    let all = **other == Goal::Le(b.clone(), a.clone()) || **other == Goal::Le(below, num(0));
    require(all && goal == same, "not two cases of one relation")?;
    let goal = (**goal).clone();
    Theorem::conclude("cases", context, goal, vec![], &[first, second])
}

/// **chain**: what holds if something does, where that holds (modus ponens).
///
/// # Errors
/// If nothing is supposed, or something else holds.
pub fn chain(context: &Context, implied: &Theorem, fact: &Theorem) -> Result<Theorem, Stuck> {
    let Goal::If(given, goal) = implied.goal() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    implied.holds_in(context)?;
    fact.holds_in(context)?;
    require(**given == *fact.goal(), "something else holds")?;
    let goal = (**goal).clone();
    Theorem::conclude("chain", context, goal, vec![], &[implied, fact])
}

/// **induction**: a relation at K, from it at 0 and, for every index k below K, the last variable of the second theorem's context,
/// that it follows at k + 1 if it holds at k (Landau 1951, Foundations of Analysis, Axiom 5).
///
/// # Errors
/// If the theorems are not of that form.
pub fn induction(start: &Theorem, step: &Theorem) -> Result<Theorem, Stuck> {
    let (context, k, sort) = step.last_variable()?;
    start.holds_in(&context)?;
    let (Sort::Index(bound), Goal::If(now, after)) = (sort, step.goal()) else {
        return Err(Stuck::new("no step from an index to the next"));
    };
    let at = |value: &Term| put(now, &k.to_owned(), value);
    require(*start.goal() == at(&num(0))?, "it begins otherwise")?;
    let next = at(&(Term::Var(k.to_owned()) + num(1)))?;
    require(**after == next, "something else follows")?;
    Theorem::conclude("induction", &context, at(bound)?, vec![], &[start, step])
}

/// **union bound**: 1 − 1\[x ≤ y\] is at most the sum of the 1 − 1\[a ≤ b\], if x ≤ y holds under the hypotheses a ≤ b; one for every index
/// counts once for each (Durrett 2019, Thm 1.1.1 (ii), before expectations are taken).
///
/// # Errors
/// If the goal or a hypothesis is not of that form.
pub fn union(theorem: &Theorem) -> Result<Theorem, Stuck> {
    fn missed(goal: &Goal) -> Result<Term, Stuck> {
        match goal {
            Goal::Le(a, b) => Ok(num(1) - op(Op::AtMost, [a.clone(), b.clone()])),
            Goal::Every(k, Sort::Index(d), goal) => Ok(sum(k, d.clone(), missed(goal)?)),
            _ => Err(Stuck::new("only inequalities have a union bound")),
        }
    }
    let (mut goal, mut bound) = (theorem.goal(), num(0));
    while let Goal::If(given, rest) = goal {
        bound = bound + missed(given)?;
        goal = rest;
    }
    require(matches!(goal, Goal::Le(..)), "no inequality follows")?;
    let goal = Goal::Le(missed(goal)?, bound);
    Theorem::conclude("union", theorem.context(), goal, vec![], &[theorem])
}

/// **instance**: what holds for every value of a variable holds for `value`, which the kernel checks to be one.
///
/// # Errors
/// If the theorem is not of that form, the value is not one of that sort or mentions a name that varies inside, or what
/// varies inside ranges over something that depends on the variable.
pub fn instance(context: &Context, every: &Theorem, value: &Term) -> Result<Theorem, Stuck> {
    every.holds_in(context)?;
    let Goal::Every(x, sort, goal) = every.goal() else {
        return Err(Stuck::new("it does not hold for every value"));
    };
    self::value(context, sort, value)?;
    let goal = put(goal, x, value)?;
    Theorem::conclude("instance", context, goal, vec![term(value)], &[every])
}

/// Fails unless a term is a value of a sort.
pub(super) fn value(context: &Context, sort: &Sort, value: &Term) -> Result<(), Stuck> {
    let mut scope = Scope::new(context);
    match sort {
        Sort::Index(d) => scope.index(value, d),
        Sort::Record => scope.record(value),
        Sort::Real(sign) => {
            scope.number(value)?;
            needs(context, value, *sign)
        }
        Sort::Vector(d, Sign::Any) => scope.is_vector(value, d),
        _ => Err(Stuck::new(format!("no value of such a sort: {value:?}"))),
    }
}

/// A relation with a value for a name.
fn put(goal: &Goal, name: &Name, value: &Term) -> Result<Goal, Stuck> {
    Ok(match goal {
        Goal::Le(..) | Goal::Eq(..) => goal.sided(|t| Ok(t.put(name, value)))?,
        Goal::If(given, goal) => Goal::If(
            put(given, name, value)?.into(),
            put(goal, name, value)?.into(),
        ),
        Goal::Every(x, sort, goal) => {
            require(!value.mentions(x), "the value mentions what varies")?;
            let depends = match sort {
                Sort::Index(d) | Sort::Vector(d, _) => d.mentions(name),
                _ => false,
            };
            require(!depends, "a range depends on what varies")?;
            Goal::Every(x.clone(), sort.clone(), put(goal, name, value)?.into())
        }
        _ => return Err(Stuck::new("no relation")),
    })
}
