//! Rules for expectations over draws and over the states of a process.

use super::real::equal;
use super::{Theorem, require};
use crate::Stuck;
use crate::sorts::Scope;
use crate::statement::{Context, Goal, Item, Sort};
use crate::tame;
use crate::term::{Binder, Op, Term, at, bind, num, op, sum, vector};
use crate::trace::{name as atom, term};

fn scope(context: &Context) -> Scope<'_> {
    let locals = Vec::new();
    Scope { context, locals }
}

/// **monotone expectation**: E_x left ≤ E_x right (or =) from left ≤ right (or =) for all values of x, the last
/// variable of the theorem's context, which has the sort of what `law` draws. Both sides must be of polynomial
/// growth in x, so that the expectations exist (Durrett 2019, Sec. 1.6).
///
/// # Errors
/// If x cannot be drawn from the law, or a side may have no expectation.
pub fn expected(theorem: &Theorem, law: &Term) -> Result<Theorem, Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let drawn = Sort::drawn(&context, law);
    require(
        drawn.as_ref() == Some(sort),
        "that law draws something else",
    )?;
    run_is_tame(&context, law)?;
    let (a, b, equation) = match theorem.goal() {
        Goal::Le(a, b) => (a, b, false),
        Goal::Eq(a, b) => (a, b, true),
        _ => return Err(Stuck::new("only numbers have expectations")),
    };
    for side in [a, b] {
        tame::check(&mut scope(theorem.context()), side, name)?;
    }
    let over = |t: &Term| bind(Binder::Expect, name, law.clone(), t.clone());
    let goal = if equation {
        Goal::Eq(over(a), over(b))
    } else {
        Goal::Le(over(a), over(b))
    };
    Theorem::conclude("expected", &context, goal, vec![term(law)], &[theorem])
}

fn run_is_tame(context: &Context, law: &Term) -> Result<(), Stuck> {
    if let Term::Op(Op::Run, arguments) = law {
        let Some(Term::Var(name)) = arguments.first() else {
            return Err(Stuck::new("a run is of a named process"));
        };
        let process = context.process(name);
        let process = process.ok_or_else(|| Stuck::new(format!("{name} is not a process")))?;
        tame::rounds(&mut scope(context), name, process)?;
    }
    Ok(())
}

/// **tower**: E a(θ^{k+1}) ≤ E b(θ^k) for all k below `rounds`, where θ⁰, θ¹, … are the states of a process,
/// from: for every vector θ, the expectation of a(θ⁺) over the draws of one round that starts at θ is ≤ b(θ).
///
/// The theorem's context ends with the process's state; its left side must be the expectation over the
/// process's draws, in their order, of `value` at the process's assignment, up to normal form; its right side is b.
/// Sound since the draws of round k are independent of θ^k (a [`Draw`](crate::statement::Command::Draw) is), so the
/// left side at θ^k is the conditional expectation given the past (Durrett 2019, Thm 4.1.13 and
/// Example 4.1.7).
///
/// # Errors
/// If the theorem is not about one round of that process, or an expectation may not exist.
pub fn tower(
    theorem: &Theorem,
    process: &str,
    value: &Term,
    sequence: &str,
    k: &str,
) -> Result<Theorem, Stuck> {
    let (outer, state, sort) = theorem.last_variable()?;
    let Some(p) = outer.process(process) else {
        return Err(Stuck::new(format!("{process} is not a process")));
    };
    let tame::Loop {
        state: own,
        times,
        draws,
        value: assigned,
    } = tame::rounds(&mut scope(&outer), process, p)?;
    require(
        state == own.name && *sort == own.sort(),
        "the last variable is not the process's state",
    )?;
    let Goal::Le(left, right) = theorem.goal() else {
        return Err(Stuck::new("no inequality"));
    };
    // Or a variable that `value` mentions would pass for what is drawn.
    let taken = draws.iter().any(|(name, _)| outer.get(name).is_some());
    require(!taken, "the name of a draw has another meaning")?;
    let mut one_round = value.put(state, assigned);
    for (name, law) in draws.iter().rev() {
        one_round = bind(Binder::Expect, name, (*law).clone(), one_round);
    }
    require(
        equal(theorem.context(), left, &one_round)?,
        "the left side is not the value after one round",
    )?;
    for side in [value, right] {
        tame::check(&mut scope(theorem.context()), side, state)?;
    }
    let index = Item::Var(k.to_owned(), Sort::Index(times.clone()));
    let context = outer.extended(index)?;
    let states = Term::Var(sequence.to_owned());
    let index = Term::Var(k.to_owned());
    let next = op(Op::Add, [index.clone(), num(1)]);
    let run = op(Op::Run, [Term::Var(process.to_owned())]);
    let over = |t: &Term, i: &Term| {
        let body = t.put(state, &at(&states, i));
        bind(Binder::Expect, sequence, run.clone(), body)
    };
    let goal = Goal::Le(over(value, &next), over(right, &index));
    let arguments = vec![atom(process), term(value), atom(sequence), atom(k)];
    Theorem::conclude("tower", &context, goal, arguments, &[theorem])
}

/// **start**: E a(θ⁰) = a(start), where θ⁰ is the first state of a process and `value` is a in the state's name.
///
/// # Errors
/// If there is no such process, or the value may have no expectation.
pub fn start(
    context: &Context,
    process: &str,
    value: &Term,
    sequence: &str,
) -> Result<Theorem, Stuck> {
    let Some(p) = context.process(process) else {
        return Err(Stuck::new(format!("{process} is not a process")));
    };
    let run = op(Op::Run, [Term::Var(process.to_owned())]);
    let state = tame::rounds(&mut scope(context), process, p)?.state;
    let mut inside = scope(context);
    inside.locals.push((state.name.clone(), state.sort()));
    tame::check(&mut inside, value, &state.name)?;
    let first = at(&Term::Var(sequence.to_owned()), &num(0));
    let body = value.put(&state.name, &first);
    let left = bind(Binder::Expect, sequence, run, body);
    let goal = Goal::Eq(left, value.put(&state.name, &state.start));
    let arguments = vec![atom(process), term(value), atom(sequence)];
    Theorem::conclude("start", context, goal, arguments, &[])
}

/// **telescoping**: Σ_{k<K} (a(k+1) − a(k)) = a(K) − a(0).
///
/// # Errors
/// If K is not a count, or `value` is no number at a natural k.
pub fn telescope(context: &Context, k: &str, bound: &Term, value: &Term) -> Result<Theorem, Stuck> {
    let index = Term::Var(k.to_owned());
    let next = value.put(k, &op(Op::Add, [index.clone(), num(1)]));
    let left = sum(k, bound.clone(), next - value.clone());
    let right = value.put(k, bound) - value.put(k, &num(0));
    let goal = Goal::Eq(left, right);
    let arguments = vec![atom(k), term(bound), term(value)];
    Theorem::conclude("telescope", context, goal, arguments, &[])
}

/// **Jensen's inequality** for a mean: f((1/K) Σ_{k<K} x_k) ≤ (Σ_{k<K} f(x_k))/K for f of a convex class, where
/// `point` is x_k in the name k (Nesterov 2018, Lemma 3.1.1).
///
/// # Errors
/// If f is of no class, or `point` is not a vector of its space.
pub fn jensen(
    context: &Context,
    f: &str,
    k: &str,
    bound: &Term,
    point: &Term,
) -> Result<Theorem, Stuck> {
    let Some(Sort::Function(d, _)) = context.sort(f) else {
        return Err(Stuck::new(format!("{f} is not a function of a class")));
    };
    let mut j = "j".to_owned();
    while context.get(&j).is_some() || point.mentions(&j) || j == k {
        j.push('′');
    }
    let entry = at(point, &Term::Var(j.clone()));
    let mean = sum(k, bound.clone(), entry) / bound.clone();
    let mean = vector(&j, d.clone(), mean);
    let values = sum(
        k,
        bound.clone(),
        Term::App(f.to_owned(), vec![point.clone()]),
    );
    let goal = Goal::Le(Term::App(f.to_owned(), vec![mean]), values / bound.clone());
    let arguments = vec![atom(f), atom(k), term(bound), term(point)];
    Theorem::conclude("jensen", context, goal, arguments, &[])
}
