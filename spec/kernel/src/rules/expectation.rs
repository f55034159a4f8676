//! Rules for expectations over draws and at the end of a process.

use super::correlated::parameters;
use super::real::equal;
use super::{Theorem, function, needs, require};
use crate::Stuck;
use crate::scope::Scope;
use crate::statement::{Command, Context, Goal, Item, Sign, Sort};
use crate::tame;
use crate::term::{Binder, Op, Term, at, bind, num, op, sum, var, vector};
use crate::trace::{name as atom, term};

/// **monotone expectation**: E_x left ≤ E_x right (or =) from left ≤ right (or =) for all values of x, the last
/// variable of the theorem's context, which has the sort of what `law` draws. Both sides must be of polynomial
/// growth in x, so that the expectations exist (Durrett 2019, Sec. 1.6).
///
/// # Errors
/// If x cannot be drawn from the law, or a side may have no expectation.
pub fn expected(theorem: &Theorem, law: &Term) -> Result<Theorem, Stuck> {
    let (context, name) = drawn(theorem, law)?;
    let over = |t: &Term| {
        tame::check(&mut Scope::new(theorem.context()), t, name)?;
        Ok(bind(Binder::Expect, name, law.clone(), t.clone()))
    };
    let goal = theorem.goal().sided(over)?;
    Theorem::conclude("expected", &context, goal, vec![term(law)], &[theorem])
}

/// The context of a theorem without its last variable, and that variable, which a law draws.
fn drawn<'a>(theorem: &'a Theorem, law: &Term) -> Result<(Context, &'a str), Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let drawn = Sort::drawn(&context, law);
    require(drawn.as_ref() == Some(sort), "the law draws something else")?;
    tame::law(&mut Scope::new(&context), law)?;
    Ok((context, name))
}

/// **the exponential moment of Gaussian noise**: E_x left ≤ exp(V·(Σⱼ aⱼ²)/2) from left ≤ exp(Σⱼ aⱼ·xⱼ) for all values of x, the
/// last variable of the theorem's context, which is drawn from a law of independent Gaussian numbers of variance V; of the a
/// none mentions x, and `a` is a_j in the name j (Durrett 2019, Sec. 2.7: E exp(θ·χ) = exp(θ²/2) for a standard normal χ, and
/// Thm 2.1.13 for products). The left side must be of polynomial growth in x, so that its expectation exists.
///
/// # Errors
/// If x cannot be drawn from such a law, or the theorem is not of that form.
pub fn exponential_moment(
    theorem: &Theorem,
    law: &Term,
    (j, a): (&str, &Term),
) -> Result<Theorem, Stuck> {
    let (context, name) = drawn(theorem, law)?;
    let (Term::Op(Op::Normal, noise), Goal::Le(left, right)) = (law, theorem.goal()) else {
        return Err(Stuck::new("no bound for Gaussian noise"));
    };
    let over = |t: Term| sum(j, noise[0].clone(), t);
    let entry = at(&Term::Var(name.to_owned()), &Term::Var(j.to_owned()));
    let linear = over(a.clone() * entry).exp();
    require(!a.mentions(name) && *right == linear, "another bound")?;
    tame::check(&mut Scope::new(theorem.context()), left, name)?;
    let most = noise[noise.len() - 1].clone() * over(a.pow(2)) / num(2);
    let left = bind(Binder::Expect, name, law.clone(), left.clone());
    let goal = Goal::Le(left, most.exp());
    let arguments = vec![term(law), atom(j), term(a)];
    Theorem::conclude("exponential-moment", &context, goal, arguments, &[theorem])
}

/// **the tail of noise**: 1 − exp(−t) ≤ P(|x| ≤ s·t) for x of the Laplace law of scale s, or for entry k of a vector of such
/// numbers, and every t (Dwork and Roth 2014, Fact 3.7, an equation for t ≥ 0; for t < 0 the left side is negative). For t plainly ≥ 0
/// and Gaussian x of variance V it is the probability of |x| ≤ √V·√(2t) (Chiani, Dardari and Simon 2003, New Exponential
/// Bounds and Approximations for the Computation of Error Probability in Fading Channels: erfc(u) ≤ exp(−u²)), or of ‖x‖ ≤ √V·(√d + √(2t)) for a vector (Laurent and Massart 2000, Lemma 1, (4.3): ‖x‖² ≤
/// V·(d + 2√(dt) + 2t)).
///
/// # Errors
/// If the law is not of that kind, k no index of what it draws, or t not plainly ≥ 0 where it has to be.
pub fn tail(context: &Context, law: &Term, t: &Term, k: Option<&str>) -> Result<Theorem, Stuck> {
    let x = function::fresh(context, "x", &[law, t]);
    let drawn = Term::Var(x.clone());
    let root = op(Op::Mul, [num(2), t.clone()]).sqrt();
    let (size, most) = match (law, k) {
        (Term::Op(Op::Laplace, a), Some(k)) if a.len() == 2 => (
            at(&drawn, &Term::Var(k.to_owned())).abs(),
            a[1].clone() * t.clone(),
        ),
        (Term::Op(Op::Laplace, a), None) if a.len() == 1 => (drawn.abs(), a[0].clone() * t.clone()),
        (Term::Op(Op::Normal, a), None) if a.len() == 1 => (drawn.abs(), a[0].sqrt() * root),
        (Term::Op(Op::Normal, a), None) if a.len() == 2 => {
            (drawn.norm(), a[1].sqrt() * (a[0].sqrt() + root))
        }
        _ => return Err(Stuck::new("no tail of such a law")),
    };
    if matches!(law, Term::Op(Op::Normal, _)) {
        needs(context, t, Sign::NonNegative)?;
    }
    let within = op(Op::AtMost, [size, most]);
    let within = bind(Binder::Expect, &x, law.clone(), within);
    let goal = Goal::Le(num(1) - (num(0) - t.clone()).exp(), within);
    let arguments = [term(law), term(t)].into_iter().chain(k.map(atom));
    Theorem::conclude("tail", context, goal, arguments.collect(), &[])
}

/// **the mean over weights**: (Σ_k weight)·E_k value = Σ_k weight·value for an index k that is drawn by weights, whose name the value
/// has for it (Durrett 2019, Sec. 1.6, for the law of [`Binder::Weighted`]; if all weights are 0, both sides are).
///
/// # Errors
/// If the law is of another kind, or the value no number.
pub fn weighted(context: &Context, law: &Term, value: &Term) -> Result<Theorem, Stuck> {
    let Term::Bind(Binder::Weighted, k, over, weight) = law else {
        return Err(Stuck::new("not a draw by weights"));
    };
    let sum = |body: Term| bind(Binder::Sum, k, (**over).clone(), body);
    let mean = bind(Binder::Expect, k, law.clone(), value.clone());
    let all = sum(op(Op::Mul, [(**weight).clone(), value.clone()]));
    let goal = Goal::Eq(op(Op::Mul, [sum((**weight).clone()), mean]), all);
    Theorem::conclude("weighted", context, goal, vec![term(law), term(value)], &[])
}

/// **the sum of Gaussian noise**: E_z E_y value(z + y) = E_z value(z), the second for a law with the sum of the variances: z of d independent
/// centred Gaussian numbers of variance v, y of w, and of v + w (Durrett 2019, Sec. 2.1.3); `value` is in the name z.
///
/// # Errors
/// If d or w mentions z, a variance may be negative, or the value has no expectation.
pub fn added(
    context: &Context,
    [d, v, w]: [&Term; 3],
    (z, value): (&str, &Term),
) -> Result<Theorem, Stuck> {
    require(!d.mentions(z) && !w.mentions(z), "they are not independent")?;
    let drawn = Item::Var(z.to_owned(), Sort::Vector(d.clone(), Sign::Any));
    tame::check(&mut Scope::new(&context.extended(drawn)?), value, z)?;
    let [j, y] = ["j", "y"].map(|name| function::fresh(context, name, &[d, w, value]));
    let sum = at(&var(z), &var(&j)) + at(&var(&y), &var(&j));
    let law = |v: &Term| op(Op::Normal, [d.clone(), v.clone()]);
    let over = |x: &str, v: &Term, t: Term| bind(Binder::Expect, x, law(v), t);
    let twice = over(&y, w, value.put(z, &vector(&j, d.clone(), sum)));
    let once = over(z, &(v.clone() + w.clone()), value.clone());
    let goal = Goal::Eq(over(z, v, twice), once);
    let arguments = vec![term(d), term(v), term(w), atom(z), term(value)];
    Theorem::conclude("added", context, goal, arguments, &[])
}

/// **the density of noise**: P(|x − c| ≤ t) ≤ t/s for x of the Laplace law of scale s, any number c and t ≥ 0: the density is at
/// most 1/(2s), and the interval 2t long (Dwork and Roth 2014, Def. 3.2). With t = 0 it is that no number has an atom.
///
/// # Errors
/// If the law is not of that kind, s not plainly > 0 or t not plainly ≥ 0.
pub fn density(context: &Context, law: &Term, c: &Term, t: &Term) -> Result<Theorem, Stuck> {
    let s = match law {
        Term::Op(Op::Laplace, a) if a.len() == 1 => &a[0],
        _ => return Err(Stuck::new("no density of such a law")),
    };
    needs(context, s, Sign::Positive)?;
    needs(context, t, Sign::NonNegative)?;
    let x = function::fresh(context, "x", &[law, c, t]);
    let apart = (Term::Var(x.clone()) - c.clone()).abs();
    let near = op(Op::AtMost, [apart, t.clone()]);
    let goal = Goal::Le(bind(Binder::Expect, &x, law.clone(), near), t / s);
    Theorem::conclude("density", context, goal, [law, c, t].map(term).into(), &[])
}

/// **at the end of a process**: E value(x) ≤ b, where x is the first state of a process at its end and b what the value
/// is expected to be before the commands, taken from the last to the first: before an assignment x ← e it is the
/// value with e for x; before a draw, its expectation; before a release of query + noise, the expectation over the noise
/// with that for what is released, of messages over both noises with what [`Op::Pairwise`] says; before a selection
/// j = argmax |q + Laplace(s)|/c, E u over a vector z of independent Laplace numbers of scale 1, for a bound u; before a loop over k < K, I(0) for an invariant I(k) of the loop, in the states (Kozen
/// 1985; McIver and Morgan 2005, Ch. 1, and for loops Ch. 2, here with a bounded number of rounds and values of any sign).
///
/// `bounds` are the invariants and the E u, `theorems` what is known of them, both in the order in which the ends of loops and
/// the selections are met. For a loop two theorems for all values of the states and of the indices around it, in that order:
/// value ≤ I(K), the value being what is wanted behind the loop; and, for every k below K besides, (what I(k + 1) is expected
/// to be before the body) ≤ I(k). For a selection one, for every z and then every j besides: if j [`wins`], value ≤ u.
///
/// Of a selection it is used that s·z has its noise, that the index chosen wins whatever the noise, and that the value depends on
/// the noise through that index alone.
///
/// Before a stop with charge c and limit l, in a loop whose rounds have been charged `spent` so far, the value is with
/// 1\[spent + c ≤ l\] that behind the stop, spent + c being charged then, else that behind the loop. The loop's invariant may
/// mention `spent`, which is 0 before the loop and any number in its theorems, in comparisons only, since its moments are not known, and
/// so may the bounds of what is inside; it comes before the loop's index.
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
    bounds: &[&Term],
    theorems: &[&Theorem],
) -> Result<Theorem, Stuck> {
    let law = op(Op::End, [Term::Var(process.to_owned())]);
    tame::law(&mut Scope::new(context), &law)?;
    let p = context.known_process(process)?;
    let items = p.states.iter().map(|s| Item::Var(s.name.clone(), s.sort()));
    let mut back = Back {
        here: context.with(items)?,
        outside: context.items().len(),
        bounds,
        theorems,
        stop: None,
    };
    let first = p.states.first().map_or(x, |s| &s.name);
    let mut bound = value.put(x, &Term::Var(first.to_owned()));
    back.tame(&bound)?;
    back.through(&p.body, &mut bound)?;
    let used = back.bounds.is_empty() && back.theorems.is_empty();
    require(used, "more invariants than loops")?;
    for state in &p.states {
        bound = bound.put(&state.name, &state.start);
    }
    let goal = Goal::Le(bind(Binder::Expect, x, law, value.clone()), bound);
    let mut arguments = vec![atom(process), atom(x), term(value)];
    arguments.extend(bounds.iter().map(|bound| term(bound)));
    Theorem::conclude("ends", context, goal, arguments, theorems)
}

/// That the index which a selection names wins with the noise s·z: for every k, |q + s·z_k|/c is at most that of the index.
#[must_use]
pub fn wins(selection: &Command, z: &str) -> Option<Goal> {
    let (Command::Select { name, index, .. }, &[over, query, scale, divisor]) =
        (selection, selection.terms().as_slice())
    else {
        return None;
    };
    let noise = scale.clone() * at(&Term::Var(z.to_owned()), &Term::Var(index.clone()));
    let score = (query.clone() + noise).abs() / divisor.clone();
    let best = score.put(index, &Term::Var(name.clone()));
    let every = Goal::Le(score, best).into();
    Some(Goal::Every(index.clone(), Sort::Index(over.clone()), every))
}

/// A way back through commands: the states and the indices of the loops around, and what is left of the bounds.
struct Back<'a> {
    here: Context,
    /// How many items stand before the states.
    outside: usize,
    bounds: &'a [&'a Term],
    theorems: &'a [&'a Theorem],
    /// Of the loop around: what is charged so far, and the value behind it.
    stop: Option<(String, Term)>,
}

impl<'a> Back<'a> {
    /// Makes a value behind commands into what it is expected to be before them, at most.
    fn through(&mut self, body: &[Command], value: &mut Term) -> Result<(), Stuck> {
        for command in body.iter().rev() {
            *value = match command {
                Command::Set(x, new) => value.put(x, new),
                Command::Draw { name, law } => {
                    bind(Binder::Expect, name, law.clone(), value.clone())
                }
                Command::Release {
                    name,
                    query,
                    law: law @ Term::Op(Op::Pairwise, _),
                } => self.messages(name, query, law, value)?,
                Command::Release { name, query, law } => {
                    let j = function::fresh(&self.here, "j", &[query, value]);
                    let (index, noise) = (Term::Var(j.clone()), Term::Var(name.clone()));
                    let noisy = match law {
                        Term::Op(Op::Normal, a) if a.len() == 2 => {
                            vector(&j, a[0].clone(), at(query, &index) + at(&noise, &index))
                        }
                        _ => query.clone() + noise,
                    };
                    bind(Binder::Expect, name, law.clone(), value.put(name, &noisy))
                }
                Command::Select { .. } => self.choice(command, value)?,
                Command::Repeat { index, times, body } => self.round(index, times, body, value)?,
                Command::Stop { charge, limit } => {
                    let stop = self.stop.take();
                    let (spent, end) = stop.ok_or_else(|| Stuck::new("two stops in one loop"))?;
                    let all = Term::Var(spent.clone()) + charge.clone();
                    let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
                    goes.clone() * value.put(&spent, &all) + (num(1) - goes) * end
                }
                _ => return Err(Stuck::new("a command of no known expectation")),
            };
        }
        Ok(())
    }

    /// What is expected of a value before messages are released: E_z E_w of it, w being their own noise and z, user behind user,
    /// that in common, with Σ_k Σ_j 1[o = k·d + j]·(1[k = i]·query[j] + Σ_e b[e][k]·z_{e·d + j}) + w_o for number o of them.
    fn messages(&self, w: &str, query: &Term, law: &Term, value: &Term) -> Result<Term, Stuck> {
        let Term::Bind(Binder::Vec, _, d, _) = query else {
            return Err(Stuck::new("a query that is not written out"));
        };
        let [over, user, own, ends, pairs, shared] = parameters(law)?;
        let names = ["o", "k", "j", "e", "s", "z"];
        let names = names.map(|x| function::fresh(&self.here, x, &[query, law, value]));
        let [o, k, j, e, s, z] = names.each_ref().map(|x| var(x));
        // Where o is entry j of block k.
        let place = |o: &Term, k: &Term| {
            let number = k.clone() * (**d).clone() + j.clone();
            op(Op::AtMost, [o.clone(), number.clone()]) * op(Op::AtMost, [number, o.clone()])
        };
        let all = |many: &Term| op(Op::Mul, [many.clone(), (**d).clone()]);
        let common = sum(&names[4], all(pairs), place(&s, &e) * at(&z, &s));
        let common = sum(&names[3], pairs.clone(), at(&at(ends, &e), &k) * common);
        let message = op(Op::Unit, [k.clone(), user.clone()]) * at(query, &j) + common;
        let message = sum(&names[2], (**d).clone(), place(&o, &k) * message);
        let message = sum(&names[1], over.clone(), message) + at(&var(w), &o);
        let value = value.put(w, &vector(&names[0], all(over), message));
        let normal = |many: &Term, v: &Term| op(Op::Normal, [all(many), v.clone()]);
        let [own, shared] = [normal(over, own), normal(pairs, shared)];
        let value = bind(Binder::Expect, w, own, value);
        Ok(bind(Binder::Expect, &names[5], shared, value))
    }

    /// The next bound, and as many theorems on it.
    fn next<const N: usize>(&mut self) -> Result<(&'a Term, [&'a Theorem; N]), Stuck> {
        match (self.bounds.split_first(), self.theorems.split_first_chunk()) {
            (Some((bound, bounds)), Some((known, theorems))) => {
                (self.bounds, self.theorems) = (bounds, theorems);
                Ok((*bound, *known))
            }
            _ => Err(Stuck::new("a loop without an invariant")),
        }
    }

    /// What a bound says before its selection.
    fn choice(&mut self, selection: &Command, value: &Term) -> Result<Term, Stuck> {
        let (bound, [theorem]) = self.next()?;
        let (Command::Select { name, index, .. }, &[over, _, scale, divisor]) =
            (selection, selection.terms().as_slice())
        else {
            return Err(Stuck::new("not a selection"));
        };
        let Term::Bind(Binder::Expect, z, law, most) = bound else {
            return Err(Stuck::new("no expectation over the noise"));
        };
        let noise = op(Op::Laplace, [over.clone(), num(1)]);
        require(**law == noise, "not the noise of a selection")?;
        self.tame(bound)?;
        let variable = |x: &str, sort: Sort| Item::Var(x.to_owned(), sort);
        let every = variable(index, Sort::Index(over.clone()));
        let every = self.here.extended(every)?;
        needs(&every, scale, Sign::NonNegative)?;
        needs(&every, divisor, Sign::Positive)?;
        // The value knows of the noise through the index only.
        let chosen = variable(name, Sort::Index(over.clone()));
        Scope::new(&self.here.extended(chosen.clone())?).number(value)?;
        let vector = variable(z, Sort::Vector(over.clone(), Sign::Any));
        let here = self.here.with([vector, chosen])?;
        tame::check(&mut Scope::new(&here), most, z)?;
        theorem.holds_in(&here)?;
        let Goal::If(given, goal) = theorem.goal() else {
            return Err(Stuck::new("not if the index wins"));
        };
        let wins = wins(selection, z);
        require(wins.as_ref() == Some(&**given), "another index wins")?;
        let bounds = at_most(&here, goal, [value, most])?;
        require(bounds, "the bound may be below the value")?;
        Ok(bound.clone())
    }

    /// What an invariant says before its loop.
    fn round(
        &mut self,
        k: &str,
        times: &Term,
        body: &[Command],
        value: &Term,
    ) -> Result<Term, Stuck> {
        let (invariant, [end, round]) = self.next()?;
        let outside = self.here.clone();
        let at = |t: &Term| invariant.put(k, t);
        let spent = function::fresh(&outside, "spent", &[]);
        // What is named before the loop may be called so: it is no name behind the loop.
        Scope::new(&outside).number(value)?;
        let stops = body.iter().any(|c| matches!(c, Command::Stop { .. }));
        if stops {
            self.here = outside.extended(Item::Var(spent.clone(), Sort::Real(Sign::Any)))?;
        }
        let ends = self.bounded(end, [value, &at(times)])?;
        require(ends, "the invariant may be below the value at the end")?;
        let index = Item::Var(k.to_owned(), Sort::Index(times.clone()));
        self.here = self.here.extended(index)?;
        let mut before = at(&op(Op::Add, [Term::Var(k.to_owned()), num(1)]));
        self.tame(&before)?;
        let stop = stops.then(|| (spent.clone(), value.clone()));
        let around = std::mem::replace(&mut self.stop, stop);
        self.through(body, &mut before)?;
        self.stop = around;
        let rounds = self.bounded(round, [&before, invariant])?;
        require(rounds, "not the invariant after one round")?;
        self.here = outside;
        Ok(at(&num(0)).put(&spent, &num(0)))
    }

    /// Whether a theorem says for all states and indices that one term is at most another.
    fn bounded(&self, theorem: &Theorem, sides: [&Term; 2]) -> Result<bool, Stuck> {
        theorem.holds_in(&self.here)?;
        self.tame(sides[1])?;
        Scope::new(&self.here).number(sides[0])?;
        at_most(&self.here, theorem.goal(), sides)
    }

    /// Fails unless a number is of polynomial growth in the states, and knows of what is charged by comparisons only: of a
    /// logarithm no expectation is known.
    fn tame(&self, t: &Term) -> Result<(), Stuck> {
        let mut scope = Scope::new(&self.here);
        scope.number(t)?;
        { self.here.items()[self.outside..].iter() }.try_for_each(|item| match item {
            Item::Var(x, Sort::Vector(..)) => tame::check(&mut scope, t, x),
            Item::Var(x, Sort::Real(_)) => tame::check(&mut scope, &t.put(x, &var(x).log()), x),
            _ => Ok(()),
        })
    }
}

/// Whether a goal says that the first term is at most the second, both up to normal form.
fn at_most(here: &Context, goal: &Goal, [a, b]: [&Term; 2]) -> Result<bool, Stuck> {
    Ok(match goal {
        Goal::Le(small, large) => equal(here, small, a)? && equal(here, large, b)?,
        _ => false,
    })
}
