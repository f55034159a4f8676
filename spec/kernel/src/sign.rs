//! Signs that are plain from how a term is built and from the sorts of its variables.

use crate::sorts::Scope;
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
            if *binder == Binder::Sup {
                return Sign::NonNegative;
            }
            let Ok(sort) = scope.bound(*binder, over) else {
                return Sign::Any;
            };
            scope.locals.push((name.clone(), sort));
            let sign = of(scope, body);
            scope.locals.pop();
            match binder {
                Binder::Sum | Binder::Mean => sign,
                Binder::Expect => sign.min(Sign::NonNegative),
                Binder::Vec | Binder::Sup => Sign::Any,
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
        (Op::Sqrt, [a]) => of(scope, a),
        (Op::Log, [a]) if at_least_one(scope, a) => Sign::NonNegative,
        (Op::Max, [a, b]) => of(scope, a).max(of(scope, b)),
        (Op::Abs | Op::Member | Op::Unit, _) => Sign::NonNegative,
        (Op::Inclusion, _) => Sign::Positive,
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

/// Whether `term` is 1/x, or the same as a power, for a positive x of which x ≤ 1 is assumed.
fn at_least_one(scope: &mut Scope<'_>, term: &Term) -> bool {
    let inverse = match term {
        Term::Op(Op::Div, arguments) => match arguments.as_slice() {
            [Term::Num(one), x] if *one == 1 => x,
            _ => return false,
        },
        Term::Op(Op::Pow, arguments) => match arguments.as_slice() {
            [x, Term::Num(minus_one)] if *minus_one == -1 => x,
            _ => return false,
        },
        _ => return false,
    };
    let one = Term::Num(1.into());
    let assumed = Goal::Le(inverse.clone(), one);
    let items = scope.context.items();
    let known = items.contains(&Item::Assume(assumed));
    known && of(scope, inverse) == Sign::Positive
}
