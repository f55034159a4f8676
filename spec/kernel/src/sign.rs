//! Signs that are plain from how a term is built and from the sorts of its variables. A definition may mention a variable of the context
//! that a binder around it is called like: so binders get a name of their own first.

use crate::scope::Scope;
use crate::statement::{Goal, Item, Sign, Sort};
use crate::term::{Binder, Op, Term};

/// The sign of a term; [`Sign::Any`] where it is not plain.
pub(crate) fn of(scope: &mut Scope<'_>, term: &Term) -> Sign {
    match term {
        Term::Num(value) => number(value.cmp0()),
        Term::Var(name) => match scope.sort(name) {
            Some(Sort::Count) => Sign::Positive,
            Some(Sort::Index(_)) => Sign::NonNegative,
            Some(Sort::Real(sign)) => *sign,
            _ => Sign::Any,
        },
        Term::App(name, arguments) => match scope.context.unfold(name, arguments) {
            Some(body) => of(scope, &body),
            None => Sign::Any,
        },
        Term::Op(op, arguments) => operation(scope, *op, arguments),
        Term::Bind(binder, name, over, body) => {
            let Ok(sort) = scope.bound(*binder, over) else {
                return Sign::Any;
            };
            let (name, body) = scope.own(name, body);
            scope.locals.push((name, sort));
            let sign = of(scope, &body);
            scope.locals.pop();
            match binder {
                Binder::Sum => sign,
                // There may be no record.
                Binder::Total | Binder::Expect => sign.min(Sign::NonNegative),
                Binder::Sup => Sign::NonNegative,
                Binder::Vec | Binder::Weighted => Sign::Any,
            }
        }
    }
}

fn number(order: std::cmp::Ordering) -> Sign {
    match order {
        std::cmp::Ordering::Less => Sign::Any,
        std::cmp::Ordering::Equal => Sign::NonNegative,
        std::cmp::Ordering::Greater => Sign::Positive,
    }
}

fn operation(scope: &mut Scope<'_>, op: Op, arguments: &[Term]) -> Sign {
    let least = |scope: &mut Scope<'_>| arguments.iter().map(|a| of(scope, a)).min();
    match (op, arguments) {
        // A sum of numbers ≥ 0 is > 0 as soon as one is.
        (Op::Add, _) => match least(scope) {
            Some(Sign::NonNegative | Sign::Positive) => {
                let largest = arguments.iter().map(|a| of(scope, a)).max();
                largest.unwrap_or(Sign::Any)
            }
            _ => Sign::Any,
        },
        (Op::Mul, _) => least(scope).unwrap_or(Sign::Any),
        (Op::Div, [a, b]) if of(scope, b) == Sign::Positive => of(scope, a),
        (Op::Pow, [a, Term::Num(n)]) => match (of(scope, a), n.numer().is_even(), n.cmp0()) {
            (Sign::Positive, ..) => Sign::Positive,
            (_, _, std::cmp::Ordering::Less) => Sign::Any,
            (_, true, _) => Sign::NonNegative,
            (sign, false, _) => sign,
        },
        (Op::Pow, [a, ..]) => of(scope, a),
        // Of a number < 0 the root has no meaning, and may be taken for 0.
        (Op::Sqrt, [a]) => of(scope, a).max(Sign::NonNegative),
        (Op::Log, [a]) => logarithm(scope, a),
        (Op::Max, [a, b]) => of(scope, a).max(of(scope, b)),
        (Op::Abs | Op::Norm | Op::Member | Op::Unit | Op::AtMost, _) => Sign::NonNegative,
        (Op::Inclusion | Op::Exp, _) => Sign::Positive,
        (Op::At, [v, j]) => entry(scope, v, j),
        _ => Sign::Any,
    }
}

fn entry(scope: &mut Scope<'_>, v: &Term, j: &Term) -> Sign {
    match v {
        Term::Var(name) => match scope.sort(name) {
            Some(Sort::Vector(_, sign) | Sort::SetFunction(_, sign)) => *sign,
            _ => Sign::Any,
        },
        Term::Bind(Binder::Vec, name, _, body) => {
            let body = body.put(name, j);
            of(scope, &body)
        }
        _ => Sign::Any,
    }
}

/// The sign of log(1/x), 1/x written as a quotient or a power, for a positive x of which x ≤ c is assumed for a
/// number c: ≥ 0 if c ≤ 1, and > 0 if c < 1.
fn logarithm(scope: &mut Scope<'_>, term: &Term) -> Sign {
    let inverse = match term {
        Term::Op(Op::Div, a) if a[0] == Term::Num(1.into()) => &a[1],
        Term::Op(Op::Pow, a) if a[1] == Term::Num((-1).into()) => &a[0],
        _ => return Sign::Any,
    };
    // A hypothesis speaks of the context, and not of a bound variable that is called like a part of it.
    if scope.locals.iter().any(|(x, _)| inverse.mentions(x)) {
        return Sign::Any;
    }
    let below = |item: &Item| match item {
        Item::Assume(Goal::Le(x, c)) if x == inverse => below_one(c),
        _ => None,
    };
    let known = scope.context.items().iter().filter_map(below).max();
    match of(scope, inverse) {
        Sign::Positive => known.unwrap_or(Sign::Any),
        _ => Sign::Any,
    }
}

/// The sign of 1 − c, if it is ≥ 0, for a whole number or a quotient of two.
fn below_one(c: &Term) -> Option<Sign> {
    let (above, below) = match c {
        Term::Num(value) => (value.clone(), 1.into()),
        Term::Op(Op::Div, a) => match &a[..] {
            [Term::Num(above), Term::Num(below)] if *below > 0 => (above.clone(), below.clone()),
            _ => return None,
        },
        _ => return None,
    };
    let gap: rug::Rational = below - above;
    (gap >= 0).then(|| number(gap.cmp0()))
}
