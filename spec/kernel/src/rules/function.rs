//! Rules for functions of a class, losses and random sets: the defining inequalities.

use super::{Theorem, require};
use crate::Stuck;
use crate::statement::{Context, Goal, Sort};
use crate::term::{Op, Term, at, mul, num, op, sum};
use crate::trace::{name as atom, term};

fn class<'a>(context: &'a Context, f: &str) -> Result<(&'a Term, &'a str), Stuck> {
    match context.sort(f) {
        Some(Sort::Function(d, constants)) => Ok((d, constants)),
        _ => Err(Stuck::new(format!("{f} is not a function of a class"))),
    }
}

/// A name for a summation index that occurs neither in the context nor in the terms.
fn fresh(context: &Context, terms: &[&Term]) -> String {
    let mut name = "j".to_owned();
    while context.get(&name).is_some() || terms.iter().any(|t| t.mentions(&name)) {
        name.push('′');
    }
    name
}

fn applied(f: &str, x: &Term) -> Term {
    Term::App(f.to_owned(), vec![x.clone()])
}

fn partial(f: &str, x: &Term, j: &Term) -> Term {
    op(Op::Partial, [Term::Var(f.to_owned()), x.clone(), j.clone()])
}

/// f(x) + ⟨∇f(x), y − x⟩.
fn tangent(f: &str, d: &Term, x: &Term, y: &Term, j: &str) -> Term {
    let index = Term::Var(j.to_owned());
    let slope = mul([partial(f, x, &index), at(y, &index) - at(x, &index)]);
    applied(f, x) + sum(j, d.clone(), slope)
}

/// **convexity**: f(x) + Σⱼ ∂ⱼf(x)·(yⱼ − xⱼ) ≤ f(y) for f of a convex class, which is part of its definition
/// ([`Sort::Function`]; Nesterov 2018, Lectures on Convex Optimization, 2nd ed., Def. 2.1.1).
///
/// # Errors
/// If f is of no class, or x, y are not vectors of its space.
pub fn convex(context: &Context, f: &str, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let (d, _) = class(context, f)?;
    let j = fresh(context, &[x, y]);
    let goal = Goal::Le(tangent(f, d, x, y, &j), applied(f, y));
    let arguments = vec![atom(f), term(x), term(y)];
    Theorem::conclude("convex", context, goal, arguments, &[])
}

/// **smoothness**: f(y) ≤ f(x) + Σⱼ ∂ⱼf(x)·(yⱼ − xⱼ) + Σⱼ Mⱼ·(yⱼ − xⱼ)²/2 for f of a class that is smooth with
/// constants M, which is part of its definition ([`Sort::Function`]; Nesterov 2018, Lemma 1.2.3, for the
/// norm ‖·‖_M).
///
/// # Errors
/// If f is of no class, or x, y are not vectors of its space.
pub fn smooth(context: &Context, f: &str, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let (d, constants) = class(context, f)?;
    let j = fresh(context, &[x, y]);
    let index = Term::Var(j.clone());
    let gap = (at(y, &index) - at(x, &index)).pow(2);
    let square = mul([at(&Term::Var(constants.to_owned()), &index), gap]) / num(2);
    let bound = tangent(f, d, x, y, &j) + sum(&j, d.clone(), square);
    let goal = Goal::Le(applied(f, y), bound);
    let arguments = vec![atom(f), term(x), term(y)];
    Theorem::conclude("smooth", context, goal, arguments, &[])
}

/// **stationarity**: ∂ⱼf(x) = 0 for every index j if f, differentiable on the whole space, is least at x
/// (Fermat's rule; Nesterov 2018, Thm 1.2.1).
///
/// # Errors
/// If the theorem is not that x minimises a function.
pub fn stationary(context: &Context, least: &Theorem, j: &str) -> Result<Theorem, Stuck> {
    least.holds_in(context)?;
    let Goal::Minimises(f, x) = least.goal() else {
        return Err(Stuck::new("no minimiser"));
    };
    let slope = partial(f, x, &Term::Var(j.to_owned()));
    let goal = Goal::Eq(slope, num(0));
    Theorem::conclude("stationary", context, goal, vec![atom(j)], &[least])
}

/// **derivative of a Lipschitz loss**: |∂ⱼℓ(x; d)| ≤ Lⱼ. By definition ([`Sort::Loss`]) the difference quotient
/// along eⱼ lies in [−Lⱼ, Lⱼ], and so does its limit (Rudin 1976, Principles of Mathematical Analysis, Def. 5.1,
/// p. 103, with Thm 3.19, p. 57).
///
/// # Errors
/// If ℓ is not a loss, or x, d, j are not a vector, a record and an index for it.
pub fn partial_bound(
    context: &Context,
    loss: &str,
    x: &Term,
    record: &str,
    j: &str,
) -> Result<Theorem, Stuck> {
    let Some(Sort::Loss(_, constants)) = context.sort(loss) else {
        return Err(Stuck::new(format!("{loss} is not a loss")));
    };
    let (record_term, index) = (Term::Var(record.to_owned()), Term::Var(j.to_owned()));
    let function = Term::Var(loss.to_owned());
    let slope = op(
        Op::Partial,
        [function, x.clone(), record_term, index.clone()],
    );
    let bound = at(&Term::Var(constants.clone()), &index);
    let goal = Goal::Le(slope.abs(), bound);
    let arguments = vec![atom(loss), term(x), atom(record), atom(j)];
    Theorem::conclude("partial-bound", context, goal, arguments, &[])
}

/// **a probability is at most one**: P(j ∈ S) ≤ 1.
///
/// # Errors
/// If `law` is not the law of a random set, or j not an index of it.
pub fn inclusion(context: &Context, law: &str, j: &str) -> Result<Theorem, Stuck> {
    require(
        matches!(context.sort(law), Some(Sort::SetLaw(_))),
        "not the law of a random set",
    )?;
    let arguments = [Term::Var(j.to_owned()), Term::Var(law.to_owned())];
    let goal = Goal::Le(op(Op::Inclusion, arguments), num(1));
    Theorem::conclude("inclusion", context, goal, vec![atom(law), atom(j)], &[])
}
