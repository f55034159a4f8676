//! Which terms have expectations: those of polynomial growth in what is drawn.
//!
//! A centred Gaussian vector has all moments; a random subset takes finitely many values; and so have the
//! states of a process all moments if every round's state is tame in the state before and the round's draws. A
//! convex function with f(y) ≤ f(x) + ⟨∇f(x), y − x⟩ + ½‖y − x‖²_M lies between an affine function and a
//! quadratic one, and its derivatives are Lipschitz (Nesterov 2018, Thm 2.1.5); both are continuous, so measurable.

use crate::Stuck;
use crate::sorts::Scope;
use crate::statement::{Command, Sort, State};
use crate::term::{Binder, Op, Term};

/// Checks that a term is of polynomial growth in the variable `x`.
pub(crate) fn check(scope: &mut Scope<'_>, term: &Term, x: &str) -> Result<(), Stuck> {
    if !term.mentions(x) || matches!(scope.sort(x), Some(Sort::Set(_) | Sort::Outcome(_))) {
        return Ok(());
    }
    match term {
        Term::Num(_) | Term::Var(_) => Ok(()),
        Term::App(name, arguments) => match scope.context.unfold(name, arguments) {
            Some(body) => check(scope, &body, x),
            None if matches!(scope.sort(name), Some(Sort::Function(..))) => {
                all(scope, arguments, x)
            }
            None => Err(Stuck::new(format!("{name} may grow in any way"))),
        },
        Term::Op(op, arguments) => match (op, arguments.as_slice()) {
            (Op::Div, [a, b]) if !b.mentions(x) => check(scope, a, x),
            (Op::Pow, [a, Term::Num(n)]) if *n >= 0 => check(scope, a, x),
            (Op::Partial, [Term::Var(f), ..])
                if !matches!(scope.sort(f), Some(Sort::Function(..))) =>
            {
                Err(Stuck::new(format!("{f} may grow in any way")))
            }
            (Op::Add | Op::Sub | Op::Mul | Op::At | Op::Partial | Op::Max | Op::Abs, _) => {
                all(scope, arguments, x)
            }
            _ => Err(Stuck::new(format!("{term:?} may have no expectation"))),
        },
        Term::Bind(binder @ (Binder::Sum | Binder::Vec | Binder::Expect), y, of, body) => {
            // A variance may be anything that is tame: a Gaussian moment is a power of it.
            if of.mentions(x) && *binder != Binder::Expect {
                return Err(Stuck::new(format!("the range {of:?} is random")));
            }
            if let Term::Op(Op::Normal, parameters) = &**of {
                all(scope, parameters, x)?;
            }
            let sort = scope.bound(*binder, of)?;
            scope.locals.push((y.clone(), sort));
            let found = check(scope, body, x);
            scope.locals.pop();
            found
        }
        Term::Bind(..) => Err(Stuck::new(format!("{term:?} may have no expectation"))),
    }
}

fn all(scope: &mut Scope<'_>, terms: &[Term], x: &str) -> Result<(), Stuck> {
    terms.iter().try_for_each(|t| check(scope, t, x))
}

/// A process of one state and one loop: the draws of a round with their laws, and what the state becomes.
pub(crate) struct Loop<'a> {
    pub state: &'a State,
    pub times: &'a Term,
    pub draws: Vec<(&'a str, &'a Term)>,
    pub value: &'a Term,
}

/// Checks that the states of a process are defined by draws and one last assignment, the same in every
/// round, and have all moments.
pub(crate) fn rounds<'a>(
    scope: &mut Scope<'_>,
    name: &str,
    process: &'a crate::statement::Process,
) -> Result<Loop<'a>, Stuck> {
    let ([state], [Command::Repeat { index, times, body }]) =
        (process.states.as_slice(), process.body.as_slice())
    else {
        return Err(Stuck::new(format!("{name} is not one state in one loop")));
    };
    let Some((Command::Set(_, value), before)) = body.split_last() else {
        return Err(Stuck::new(format!(
            "{name} does not end with an assignment"
        )));
    };
    let mut draws = Vec::new();
    for command in before {
        let Command::Draw { name, law } = command else {
            return Err(Stuck::new(format!("{name} does more than draw")));
        };
        draws.push((name.as_str(), law));
    }
    let outside = scope.locals.len();
    scope.locals.push((state.name.clone(), state.sort()));
    for (drawn, law) in &draws {
        let sort = scope.bound(Binder::Expect, law)?;
        scope.locals.push(((*drawn).to_owned(), sort));
    }
    let mut found = check(scope, value, &state.name);
    for (drawn, law) in &draws {
        found = found.and_then(|()| check(scope, value, drawn));
        if law.mentions(&state.name) {
            found = Err(Stuck::new(format!(
                "the law of {drawn} depends on the state"
            )));
        }
    }
    scope.locals.truncate(outside);
    if value.mentions(index) || draws.iter().any(|(_, law)| law.mentions(index)) {
        found = Err(Stuck::new(format!("the rounds of {name} differ")));
    }
    found.map(|()| Loop {
        state,
        times,
        draws,
        value,
    })
}
