//! Rules for functions of a class, losses and random sets: the defining inequalities.

use super::{Theorem, distance, needs, size};
use crate::Stuck;
use crate::statement::{Context, Goal, Lipschitz, Sign, Sort};
use crate::term::{Op, Term, app, at, mul, num, op, sum, vector};
use crate::trace::{name as atom, term};

fn class<'a>(context: &'a Context, f: &str) -> Result<(&'a Term, &'a str), Stuck> {
    match context.sort(f) {
        Some(Sort::Function(d, constants) | Sort::Risk(d, constants, _)) => Ok((d, constants)),
        _ => Err(Stuck::new(format!("{f} is not a function of a class"))),
    }
}

/// A name for an index that occurs neither in the context nor in the terms: this one, with strokes.
pub(super) fn fresh(context: &Context, base: &str, terms: &[&Term]) -> String {
    let mut name = base.to_owned();
    while context.get(&name).is_some() || terms.iter().any(|t| t.mentions(&name)) {
        name.push('′');
    }
    name
}

fn applied(f: &str, x: &Term) -> Term {
    app(f, [x.clone()])
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
/// ([`Sort::Function`]; Nesterov 2018, Def. 2.1.2).
///
/// # Errors
/// If f is of no class, or x, y are not vectors of its space.
pub fn convex(context: &Context, f: &str, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let (d, _) = class(context, f)?;
    let j = fresh(context, "j", &[x, y]);
    let goal = Goal::Le(tangent(f, d, x, y, &j), applied(f, y));
    let arguments = vec![atom(f), term(x), term(y)];
    Theorem::conclude("convex", context, goal, arguments, &[])
}

/// **smoothness**: f(y) ≤ f(x) + Σⱼ ∂ⱼf(x)·(yⱼ − xⱼ) + Σⱼ Mⱼ·(yⱼ − xⱼ)²/2 for f of a class that is smooth with
/// constants M, which is part of its definition ([`Sort::Function`]; Nesterov 2018, Thm 2.1.5,
/// inequality (2.1.9), for the norm ‖·‖_M and the constant 1).
///
/// # Errors
/// If f is of no class, or x, y are not vectors of its space.
pub fn smooth(context: &Context, f: &str, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let (d, constants) = class(context, f)?;
    let j = fresh(context, "j", &[x, y]);
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

/// **gradient of a Lipschitz loss**: |∂ⱼℓ(x; d)| ≤ Lⱼ for an index j, ‖(∂ⱼℓ(x; d))_{j∈U}‖ ≤ L_U for a set U that the
/// class's law draws, ‖∇ℓ(x; d)‖ ≤ L without a part: whichever its class says ([`Lipschitz`]). The difference
/// quotient along the gradient, restricted to the part, is at most L, and so is its limit, the norm (Rudin 1976,
/// Thm 9.17 with Thm 3.19); where there is no gradient, the bound is part of the class.
///
/// # Errors
/// If ℓ is not a loss, the part not one of its class, or x, d are not a vector and a record for it.
pub fn gradient_bound(
    context: &Context,
    loss: &str,
    x: &Term,
    record: &str,
    part: Option<&str>,
) -> Result<Theorem, Stuck> {
    let Some(Sort::Loss(d, class, constants)) = context.sort(loss) else {
        return Err(Stuck::new(format!("{loss} is not a loss")));
    };
    let record_term = Term::Var(record.to_owned());
    let slope = |j: &Term| {
        let (function, record) = (Term::Var(loss.to_owned()), record_term.clone());
        op(Op::Partial, [function, x.clone(), record, j.clone()])
    };
    let constants = Term::Var(constants.clone());
    let j = fresh(context, "j", &[x]);
    let index = Term::Var(j.clone());
    let (left, bound) = match (class, part) {
        (Lipschitz::Entries, Some(j)) => {
            let j = Term::Var(j.to_owned());
            (slope(&j).abs(), at(&constants, &j))
        }
        (Lipschitz::Sets(law), Some(set))
            if context.sort(set) == Some(&Sort::Outcome(law.clone())) =>
        {
            let set = Term::Var(set.to_owned());
            let member = op(Op::Member, [index.clone(), set.clone()]);
            let entries = vector(&j, d.clone(), mul([member, slope(&index)]));
            (entries.norm(), at(&constants, &set))
        }
        (Lipschitz::Whole, None) => (vector(&j, d.clone(), slope(&index)).norm(), constants),
        _ => return Err(Stuck::new(format!("no such part of the class of {loss}"))),
    };
    let mut arguments = vec![atom(loss), term(x), atom(record)];
    arguments.extend(part.map(atom));
    let goal = Goal::Le(left, bound);
    Theorem::conclude("gradient-bound", context, goal, arguments, &[])
}

/// **triangle inequality**: |x − y| ≤ |x| + |y| for numbers, ‖x − y‖ ≤ ‖x‖ + ‖y‖ for vectors of one space (Rudin
/// 1976, Thm 1.37).
///
/// # Errors
/// If x and y are not two numbers or two vectors of one space.
pub fn triangle(context: &Context, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let sizes = size(context, x)? + size(context, y)?;
    let goal = Goal::Le(distance(context, x, y)?, sizes);
    Theorem::conclude("triangle", context, goal, vec![term(x), term(y)], &[])
}

/// **clipping**: |clip(x, C)| ≤ C, or ‖clip(x, C)‖ ≤ C for a vector, if C is plainly ≥ 0: x·min(1, C/‖x‖) has the
/// norm min(‖x‖, C) (Abadi et al. 2016, Algorithm 1, where C > 0).
///
/// # Errors
/// If x is neither a number nor a vector, or C may be negative.
pub fn clipped(context: &Context, x: &Term, bound: &Term) -> Result<Theorem, Stuck> {
    needs(context, bound, Sign::NonNegative)?;
    let clip = op(Op::Clip, [x.clone(), bound.clone()]);
    let goal = Goal::Le(size(context, &clip)?, bound.clone());
    Theorem::conclude("clipped", context, goal, vec![term(x), term(bound)], &[])
}

/// **what is short is not clipped**: clip(x, C) = x for a number with |x| ≤ C, or entry j of clip(x, C) is that of x for a
/// vector with ‖x‖ ≤ C, since min(1, C/‖x‖) = 1, and clip(0, C) = 0 (as [`clipped`]).
///
/// # Errors
/// If the theorem is of another form, or j no index of what is a vector.
pub fn unclipped(context: &Context, short: &Theorem, j: Option<&str>) -> Result<Theorem, Stuck> {
    short.holds_in(context)?;
    let Goal::Le(Term::Op(Op::Abs | Op::Norm, x), bound) = short.goal() else {
        return Err(Stuck::new("no bound of a size"));
    };
    let clip = op(Op::Clip, [x[0].clone(), bound.clone()]);
    let part = |v: &Term| j.map_or(v.clone(), |j| at(v, &Term::Var(j.to_owned())));
    let goal = Goal::Eq(part(&clip), part(&x[0]));
    let arguments = j.into_iter().map(atom).collect();
    Theorem::conclude("unclipped", context, goal, arguments, &[short])
}

/// **at most one**: P(j ∈ S) ≤ 1, and 1[x ≤ y] ≤ 1.
///
/// # Errors
/// If the term is no probability or comparison.
pub fn at_most_one(context: &Context, value: &Term) -> Result<Theorem, Stuck> {
    let Term::Op(Op::Inclusion | Op::AtMost, _) = value else {
        return Err(Stuck::new("neither a probability nor a comparison"));
    };
    let goal = Goal::Le(value.clone(), num(1));
    Theorem::conclude("at-most-one", context, goal, vec![term(value)], &[])
}
