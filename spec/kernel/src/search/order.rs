//! From Rényi divergence at one order to (ε, δ).

use super::exp::{log_not_negative, log_tangent};
use super::{combine, with};
use crate::Stuck;
use crate::premise::{RENYI_TO_DP, spent_at_order};
use crate::rules::{Part, Theorem, cite, inverse};
use crate::statement::{Context, Goal, Notion};
use crate::term::{Op, Term, num};

/// x·(1/(1 + x)) = 1 − 1/(1 + x), as the inverse of 1 + x.
///
/// # Errors
/// If x may be negative.
pub fn whole(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    inverse(context, &(num(1) + x.clone()))
}

/// What is (1 + x, τ)-RDP is (ε, δ)-DP, if the parts prove τ + log(1/δ)/x ≤ ε + 1/(1 + x). Of the
/// logarithms of the premise, log(x/(1 + x)) ≤ −1/(1 + x) and log(1 + x) ≥ 0.
///
/// # Errors
/// If the order is not written 1 + x, or the parts do not prove that.
pub fn at_order(
    private: &Theorem,
    [epsilon, delta]: [&Term; 2],
    parts: Vec<Part<'_>>,
) -> Result<Theorem, Stuck> {
    let context = &private.statement().context;
    let Goal::Private {
        notion: Notion::Renyi(Term::Op(Op::Add, order), tau),
        ..
    } = &private.statement().goal
    else {
        return Err(Stuck::new("no bound at an order 1 + x"));
    };
    let [one, x] = &order[..] else {
        return Err(Stuck::new("the order is not 1 + x"));
    };
    let above = one.clone() + x.clone();
    let share = log_tangent(context, &(x.clone() / above.clone()))?;
    let large = combine(context, Goal::Le(num(1), above), &[])?;
    let (large, whole) = (log_not_negative(&large)?, whole(context, x)?);
    let of_x = [
        with(num(1), &share),
        with(num(1), &whole),
        with(num(1) / x.clone(), &large),
    ];
    let parts: Vec<Part<'_>> = parts.into_iter().chain(of_x).collect();
    let goal = Goal::Le(spent_at_order(x, tau, delta), epsilon.clone());
    let within = combine(context, goal, &parts)?;
    let values = [x, tau, epsilon, delta].map(Clone::clone);
    cite(context, &RENYI_TO_DP, &values, &[private, &within])
}
