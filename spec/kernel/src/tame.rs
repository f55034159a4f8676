//! Which terms have expectations: those of polynomial growth in what is drawn.
//!
//! Centred Gaussian and Laplace vectors have all moments; a random subset, a selected index or one drawn by weights takes finitely many values;
//! and so have the states of a process all moments if what they become is tame in what they were and in what was drawn. A
//! convex function with f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + ½‖y − x‖²_M lies between an affine function and a
//! quadratic one, and its derivatives are Lipschitz (Nesterov 2018, Thm 2.1.5); both are continuous, so measurable. A Lipschitz
//! loss is affine at most, and its derivatives are bounded: every index is in a set that is drawn. What is clipped is no longer than the
//! bound, and what has a floor has a bounded inverse, so that 1/max(1, e^y) and x/max(r, ‖x‖) are tame whatever y is. Which round of a loop is the last one
//! does not matter: its end is no further than all rounds together.

use crate::Stuck;
use crate::scope::Scope;
use crate::sign;
use crate::statement::{Command, Sign, Sort};
use crate::term::{Binder, Op, Term, vector};

/// Checks that a term is of polynomial growth in the variable `x`.
pub(crate) fn check(scope: &mut Scope<'_>, term: &Term, x: &str) -> Result<(), Stuck> {
    if !term.mentions(x) || matches!(scope.sort(x), Some(Sort::Set(_) | Sort::Outcome(_))) {
        return Ok(());
    }
    match term {
        Term::Num(_) | Term::Var(_) => Ok(()),
        Term::App(name, arguments) => match scope.context.unfold(name, arguments) {
            Some(body) => check(scope, &body, x),
            None if is_function(scope, name) => all(scope, arguments, x),
            None => Err(Stuck::new(format!("{name} may grow in any way"))),
        },
        Term::Op(op, arguments) => match (op, &arguments[..]) {
            (Op::Div, [a, b]) if !b.mentions(x) || floored(scope, b, x) => check(scope, a, x),
            (Op::Pow, [a, Term::Num(n)]) if *n >= 0 => check(scope, a, x),
            (Op::Pow, [a, Term::Num(_)]) if floored(scope, a, x) => Ok(()),
            (Op::Partial, [Term::Var(f), ..]) if !is_function(scope, f) => {
                Err(Stuck::new(format!("{f} may grow in any way")))
            }
            // 0 or 1, whatever is compared.
            (Op::AtMost, _) => Ok(()),
            // No longer than |C|, whatever is clipped.
            (Op::Clip, [_, bound]) => check(scope, bound, x),
            (Op::Add | Op::Sub | Op::Mul | Op::At | Op::Partial, _)
            | (Op::Max | Op::Abs | Op::Sqrt | Op::Norm, _) => all(scope, arguments, x),
            _ => Err(Stuck::new(format!("{term:?} may have no expectation"))),
        },
        Term::Bind(binder, y, of, body) if !matches!(binder, Binder::Sup | Binder::Weighted) => {
            // A variance or scale may be anything that is tame: moments are powers of it.
            if of.mentions(x) && *binder != Binder::Expect {
                return Err(Stuck::new(format!("the range {of:?} is random")));
            }
            all(scope, &spread(of), x)?;
            let sort = scope.bound(*binder, of)?;
            let (y, body) = scope.own(y, body);
            scope.locals.push((y.clone(), sort));
            let mut found = check(scope, &body, x);
            // What is drawn inside has an expectation, too, or its growth in x would be anything.
            if *binder == Binder::Expect {
                found = found.and(law(scope, of)).and(check(scope, &body, &y));
            }
            scope.locals.pop();
            found
        }
        Term::Bind(..) => Err(Stuck::new(format!("{term:?} may have no expectation"))),
    }
}

/// Whether a number is at least one that is plainly > 0 and does not depend on x: so its inverse is bounded, whatever it is.
fn floored(scope: &mut Scope<'_>, term: &Term, x: &str) -> bool {
    matches!(term, Term::Op(Op::Max, a) if !a[0].mentions(x) && sign::of(scope, &a[0]) == Sign::Positive)
}

fn is_function(scope: &Scope<'_>, name: &str) -> bool {
    let known = |s: &Sort| matches!(s, Sort::Function(..) | Sort::Risk(..) | Sort::Loss(..));
    scope.sort(name).is_some_and(known)
}

fn all(scope: &mut Scope<'_>, terms: &[Term], x: &str) -> Result<(), Stuck> {
    terms.iter().try_for_each(|t| check(scope, t, x))
}

/// Checks that what a law draws has all moments: the states of a process if its starts are fixed, and all that is
/// assigned, queried or a variance of noise is tame in the states and in what was drawn before.
pub(crate) fn law(scope: &mut Scope<'_>, law: &Term) -> Result<(), Stuck> {
    let Term::Op(Op::End, arguments) = law else {
        return Ok(());
    };
    let Some(Term::Var(name)) = arguments.first() else {
        return Err(Stuck::new("an end is of a named process"));
    };
    let process = scope.context.known_process(name)?;
    let states = process.states.iter().map(|s| (s.name.clone(), s.sort()));
    let mut inside = Scope::new(scope.context);
    inside.locals.extend(states);
    commands(&mut inside, &process.body)
}

fn commands(scope: &mut Scope<'_>, body: &[Command]) -> Result<(), Stuck> {
    let outside = scope.locals.len();
    for command in body {
        let terms = match command {
            Command::Set(_, value) => vec![value.clone()],
            Command::Draw { law, .. } => {
                self::law(scope, law)?;
                spread(law)
            }
            Command::Release { query, law, .. } => [vec![query.clone()], spread(law)].concat(),
            Command::Select { index, over, .. } => {
                let each = |t: &Term| vector(index, over.clone(), t.clone());
                command.terms().into_iter().skip(1).map(each).collect()
            }
            Command::Repeat { index, times, body } => {
                let sort = Sort::Index(times.clone());
                scope.locals.push((index.clone(), sort));
                commands(scope, body)?;
                scope.locals.pop();
                continue;
            }
            Command::Stop { .. } => continue,
            Command::Call { .. } => {
                return Err(Stuck::new("a command whose moments are not known"));
            }
        };
        for (x, sort) in scope.locals.clone() {
            if !matches!(sort, Sort::Index(_)) {
                all(scope, &terms, &x)?;
            }
        }
        let named = scope.command(command)?;
        scope.locals.extend(named);
    }
    scope.locals.truncate(outside);
    Ok(())
}

/// Variance of a Gaussian number, scale of a Laplace number, and before it the dimension of a vector; all of messages.
fn spread(law: &Term) -> Vec<Term> {
    match law {
        Term::Op(Op::Normal | Op::Laplace | Op::Pairwise, parameters) => parameters.to_vec(),
        _ => Vec::new(),
    }
}
