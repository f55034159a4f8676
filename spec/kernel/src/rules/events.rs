//! What privacy says of the probabilities of events.

use super::{Theorem, needs, privacy, require};
use crate::Stuck;
use crate::normal;
use crate::statement::{Goal, Item, Notion, Sign, Sort};
use crate::term::{Op, Term, mul, num, op};

/// **events**: what follows for the probabilities p on D and q on D′ of an event from a bound on privacy, for all neighbours D,
/// D′ and events: what `inner` says of two numbers p, q ≥ 0, in the context of the bound with these and the hypotheses p ≤ 1,
/// q ≤ 1 and, of ε-DP, p ≤ exp(ε)·q, of (ε, δ)-DP, p ≤ exp(ε)·q + δ (Dwork and Roth 2014, Def. 2.4), of (α, τ)-RDP with
/// α − 1 plainly > 0, for every u > 0 and v > 0, t(p, q, u) + t(1 − p, 1 − q, v) ≤ exp((α − 1)·τ), where t(p, q, u) =
/// α·exp((α − 1)·log(u))·p − (α − 1)·exp(α·log(u))·q; of ρ-zCDP that for every x > 0 besides, with α = 1 + x and τ = ρ·α.
///
/// Sound, of Rényi: p^α·q^{1−α} + (1 − p)^α·(1 − q)^{1−α} is at most exp((α − 1)·τ), since of the event no more is seen than
/// of the output (van Erven and Harremoës 2014, Thm 9), and t(p, q, u) at most p^α·q^{1−α}, as r^α ≥ u^α + α·u^{α−1}·(r − u).
///
/// # Errors
/// If the theorem is no bound of that kind, or the context of the other not as described.
pub fn events(theorem: &Theorem, inner: &Theorem) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let (data, notion, subject) = privacy(theorem)?;
    let here = inner.context();
    require(here.contains(context), "another context")?;
    let probability = Sort::Real(Sign::NonNegative);
    let [Item::Var(p, first), Item::Var(q, second), given @ ..] =
        &here.items()[context.items().len()..]
    else {
        return Err(Stuck::new("no two probabilities"));
    };
    let both = [first, second].map(|law| *law == probability);
    require(both == [true; 2], "no two probabilities")?;
    let [x, y] = [p, q].map(|name| Term::Var(name.clone()));
    let most = |t: &Term| Goal::Le(t.clone(), num(1));
    let [Item::Assume(one), Item::Assume(other), Item::Assume(told)] = given else {
        return Err(Stuck::new("not three hypotheses"));
    };
    require(*one == most(&x) && *other == most(&y), "no probabilities")?;
    let wanted = match (notion, told) {
        (Notion::Pure(e), _) => Goal::Le(x, mul([e.exp(), y])),
        (Notion::Approximate(e, d), _) => Goal::Le(x, mul([e.exp(), y]) + d.clone()),
        (Notion::Renyi(order, tau), _) => {
            let above = normal::normal(context, &(order.clone() - num(1)))?;
            needs(context, &above.written(), Sign::Positive)?;
            at_order([order, tau], [&x, &y], told)?
        }
        (Notion::Zcdp(rho), Goal::Every(above, _, inside)) => {
            let order = num(1) + Term::Var(above.clone());
            let tau = mul([rho.clone(), order.clone()]);
            every(above, at_order([&order, &tau], [&x, &y], inside)?)
        }
        _ => return Err(Stuck::new("no bound on events")),
    };
    require(*told == wanted, "not what the bound says of an event")?;
    let (names, goal) = ([p.clone(), q.clone()], inner.goal().clone().into());
    let goal = Goal::Events(data.to_owned(), subject.clone(), names, goal);
    Theorem::conclude("events", context, goal, vec![], &[theorem, inner])
}

fn every(name: &str, goal: Goal) -> Goal {
    Goal::Every(name.to_owned(), Sort::Real(Sign::Positive), goal.into())
}

/// What (α, τ)-RDP says of an event, with the names for u and v that `told` has.
fn at_order([order, tau]: [&Term; 2], [p, q]: [&Term; 2], told: &Goal) -> Result<Goal, Stuck> {
    let (Goal::Every(u, _, inside), less) = (told, order.clone() - num(1)) else {
        return Err(Stuck::new("not for every u"));
    };
    let Goal::Every(v, ..) = &**inside else {
        return Err(Stuck::new("not for every v"));
    };
    let [rest, left] = [p, q].map(|t| num(1) - t.clone());
    let at = |name: &str| Term::Var(name.to_owned());
    let sum = tangent(order, p, q, &at(u)) + tangent(order, &rest, &left, &at(v));
    let most = mul([less, tau.clone()]).exp();
    Ok(every(u, every(v, Goal::Le(sum, most))))
}

/// α·exp((α − 1)·log(u))·p − (α − 1)·exp(α·log(u))·q.
fn tangent(order: &Term, p: &Term, q: &Term, u: &Term) -> Term {
    let less = order.clone() - num(1);
    let power = |exponent: &Term| mul([exponent.clone(), u.log()]).exp();
    let first = mul([order.clone(), power(&less), p.clone()]);
    op(Op::Sub, [first, mul([less, power(order), q.clone()])])
}
