//! Rules for expectations over draws and at the end of a process.

use super::real::equal;
use super::{Theorem, function, require};
use crate::Stuck;
use crate::sorts::Scope;
use crate::statement::{Command, Context, Goal, Item, Sort, State};
use crate::tame;
use crate::term::{Binder, Op, Term, at, bind, num, op, vector};
use crate::trace::{name as atom, term};

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
    tame::law(&mut Scope::new(&context), law)?;
    let (a, b, equation) = match theorem.goal() {
        Goal::Le(a, b) => (a, b, false),
        Goal::Eq(a, b) => (a, b, true),
        _ => return Err(Stuck::new("only numbers have expectations")),
    };
    for side in [a, b] {
        tame::check(&mut Scope::new(theorem.context()), side, name)?;
    }
    let over = |t: &Term| bind(Binder::Expect, name, law.clone(), t.clone());
    let goal = if equation {
        Goal::Eq(over(a), over(b))
    } else {
        Goal::Le(over(a), over(b))
    };
    Theorem::conclude("expected", &context, goal, vec![term(law)], &[theorem])
}

/// **at the end of a process**: E value(x) ≤ b, where x is the first state of a process at its end and b what the value
/// is expected to be before the commands, taken from the last to the first: before an assignment x ← e it is the
/// value with e for x; before a draw, its expectation; before a release of query + noise, the expectation over the noise
/// with that for what is released; before a loop over k < K, I(0) for an invariant I(k) of the loop, in the states (Kozen
/// 1985; McIver and Morgan 2005, Ch. 1, and for loops Ch. 2, here with a bounded number of rounds and values of any sign).
///
/// For every loop, in the order in which its end is met, the invariant and two theorems for all values of the states and
/// of the indices around it, in that order: value ≤ I(K), the value being what is wanted behind the loop; and, for every k
/// below K besides, (what I(k + 1) is expected to be before the body) ≤ I(k).
///
/// Sound by induction over the commands and rounds, from the last: what is drawn is independent of the past given
/// what its law mentions, so that the expectation over it is the conditional one given the past (Durrett 2019,
/// Thm 4.1.13 and Example 4.1.7). All moments of the states exist, and values and invariants are of polynomial growth in
/// them.
///
/// # Errors
/// If a theorem is not of that form, or an expectation may not exist.
pub fn ends(
    context: &Context,
    process: &str,
    (x, value): (&str, &Term),
    loops: &[(&Term, &Theorem, &Theorem)],
) -> Result<Theorem, Stuck> {
    let law = op(Op::End, [Term::Var(process.to_owned())]);
    tame::law(&mut Scope::new(context), &law)?;
    let p = context.process(process);
    let p = p.ok_or_else(|| Stuck::new(format!("{process} is not a process")))?;
    let items = p.states.iter();
    let items = items.map(|s| Item::Var(s.name.clone(), s.sort()));
    let mut back = Back {
        here: context.with(items)?,
        states: &p.states,
        left: loops,
    };
    let first = p.states.first().map_or(x, |s| &s.name);
    let mut bound = value.put(x, &Term::Var(first.to_owned()));
    back.tame(&bound)?;
    back.through(&p.body, &mut bound)?;
    require(back.left.is_empty(), "more invariants than loops")?;
    for state in &p.states {
        bound = bound.put(&state.name, &state.start);
    }
    let goal = Goal::Le(bind(Binder::Expect, x, law, value.clone()), bound);
    let mut arguments = vec![atom(process), atom(x), term(value)];
    arguments.extend(loops.iter().map(|(invariant, ..)| term(invariant)));
    let from: Vec<&Theorem> = loops
        .iter()
        .flat_map(|(_, end, round)| [*end, *round])
        .collect();
    Theorem::conclude("ends", context, goal, arguments, &from)
}

/// A way back through commands: the states and the indices of the loops around, and the loops that are left.
struct Back<'a> {
    here: Context,
    states: &'a [State],
    left: &'a [(&'a Term, &'a Theorem, &'a Theorem)],
}

impl Back<'_> {
    /// Makes a value behind commands into what it is expected to be before them, at most.
    fn through(&mut self, body: &[Command], value: &mut Term) -> Result<(), Stuck> {
        for command in body.iter().rev() {
            *value = match command {
                Command::Set(x, new) => value.put(x, new),
                Command::Draw { name, law } => {
                    bind(Binder::Expect, name, law.clone(), value.clone())
                }
                Command::Release { name, query, law } => {
                    let j = function::fresh(&self.here, "j", &[query, value]);
                    let index = Term::Var(j.clone());
                    let noisy = at(query, &index) + at(&Term::Var(name.clone()), &index);
                    let Term::Op(Op::Normal, a) = law else {
                        return Err(Stuck::new("not Gaussian noise"));
                    };
                    let value = value.put(name, &vector(&j, a[0].clone(), noisy));
                    bind(Binder::Expect, name, law.clone(), value)
                }
                Command::Repeat { index, times, body } => self.round(index, times, body, value)?,
                _ => return Err(Stuck::new("a command of no known expectation")),
            };
        }
        Ok(())
    }

    /// What an invariant says before its loop.
    fn round(
        &mut self,
        k: &str,
        times: &Term,
        body: &[Command],
        value: &Term,
    ) -> Result<Term, Stuck> {
        let Some(((invariant, end, round), left)) = self.left.split_first() else {
            return Err(Stuck::new("a loop without an invariant"));
        };
        self.left = left;
        let outside = self.here.clone();
        let at = |t: &Term| invariant.put(k, t);
        let ends = self.bounded(end, value, &at(times))?;
        self.here = outside.extended(Item::Var(k.to_owned(), Sort::Index(times.clone())))?;
        let mut before = at(&op(Op::Add, [Term::Var(k.to_owned()), num(1)]));
        self.tame(&before)?;
        self.through(body, &mut before)?;
        let rounds = self.bounded(round, &before, invariant)?;
        self.here = outside;
        require(ends, "the invariant may be below the value at the end")?;
        require(rounds, "not the invariant after one round")?;
        Ok(at(&num(0)))
    }

    /// Whether a theorem says for all states and indices that one term is at most another.
    fn bounded(&self, theorem: &Theorem, small: &Term, large: &Term) -> Result<bool, Stuck> {
        theorem.holds_in(&self.here)?;
        self.tame(large)?;
        Scope::new(&self.here).number(small)?;
        Ok(match theorem.goal() {
            Goal::Le(a, b) => equal(&self.here, a, small)? && equal(&self.here, b, large)?,
            _ => false,
        })
    }

    /// Fails unless a number is of polynomial growth in the states.
    fn tame(&self, t: &Term) -> Result<(), Stuck> {
        let mut scope = Scope::new(&self.here);
        scope.number(t)?;
        let mut names = self.states.iter().map(|s| &s.name);
        names.try_for_each(|x| tame::check(&mut scope, t, x))
    }
}
