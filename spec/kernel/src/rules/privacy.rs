//! Rules for privacy. Neighbours have one record replaced; noise is drawn where the command stands, afresh.

use super::{Theorem, needs, require};
use crate::Stuck;
use crate::premise::Premise;
use crate::sorts::Scope;
use crate::statement::{Command, Context, Goal, Item, Notion, Sign, Sort, Subject, View};
use crate::term::{Binder, Op, Term, bind, num, op};
use crate::trace::{self, Sexp, name as atom, number, term};

/// **sensitivity of a mean**: the mean of b(d) over n records moves by at most 2B/n between neighbours if
/// |b(d)| ≤ B for every record d, the last variable of the theorem's context (Dwork and Roth 2014, Def. 3.1, p. 31,
/// for a mean).
///
/// Sound since n − 1 terms are common and the replaced ones differ by at most 2B. B must not depend on d, and b
/// not on the data but through d.
///
/// # Errors
/// If the theorem is not of that form, or b or B reads the data.
pub fn mean_moves(theorem: &Theorem, data: &str) -> Result<Theorem, Stuck> {
    let (context, record, sort) = theorem.last_variable()?;
    require(*sort == Sort::Record, "the last variable is not a record")?;
    let Some(Sort::Dataset(n)) = context.sort(data) else {
        return Err(Stuck::new(format!("{data} is not a data set")));
    };
    let Goal::Le(Term::Op(Op::Abs, body), bound) = theorem.goal() else {
        return Err(Stuck::new("no bound on a modulus"));
    };
    require(!bound.mentions(record), "the bound depends on the record")?;
    for part in [&body[0], bound] {
        require(!context.reads(part, data), "more than one record is read")?;
    }
    let of = Term::Var(data.to_owned());
    let query = bind(Binder::Mean, record, of, body[0].clone());
    let by = op(Op::Mul, [num(2), bound.clone()]) / n.clone();
    let data = data.to_owned();
    let goal = Goal::Moves {
        data: data.clone(),
        query,
        by,
    };
    Theorem::conclude("mean-moves", &context, goal, vec![atom(&data)], &[theorem])
}

fn moves(theorem: &Theorem) -> Result<(&str, &Term, &Term), Stuck> {
    match theorem.goal() {
        Goal::Moves { data, query, by } => Ok((data, query, by)),
        _ => Err(Stuck::new("no sensitivity")),
    }
}

/// Fails unless a theorem reads left ≤ epsilon·scale.
fn enough_noise(theorem: &Theorem, left: &Term, epsilon: &Term, scale: &Term) -> Result<(), Stuck> {
    let right = op(Op::Mul, [epsilon.clone(), scale.clone()]);
    let wanted = Goal::Le(left.clone(), right);
    if theorem.goal().same(&wanted) {
        return Ok(());
    }
    Err(Stuck::new(format!("the noise needs {wanted:?}")))
}

/// Fails unless terms are the same on all data sets.
fn data_free(context: &Context, terms: &[&Term], data: &str) -> Result<(), Stuck> {
    let reads = |t: &&&Term| context.reads(t, data);
    match terms.iter().find(reads) {
        None => Ok(()),
        Some(t) => Err(Stuck::new(format!("{t:?} reads the data"))),
    }
}

fn private(data: &str, notion: Notion, subject: Subject) -> Goal {
    let data = data.to_owned();
    Goal::Private {
        data,
        notion,
        subject,
    }
}

/// **Laplace mechanism**: query + Laplace(b) is ε-DP if the query moves by at most Δ ≤ ε·b and b > 0 does not
/// depend on the data (Dwork and Roth 2014, Thm 3.6, p. 32).
///
/// Sound since the density of the noise changes by at most exp(Δ/b) under a shift by Δ.
///
/// # Errors
/// If the sensitivity is of another query, the noise too small, its scale not plainly > 0, or read from the data.
pub fn laplace(
    context: &Context,
    command: &Command,
    epsilon: &Term,
    sensitivity: &Theorem,
    noise: &Theorem,
) -> Result<Theorem, Stuck> {
    sensitivity.holds_in(context)?;
    noise.holds_in(context)?;
    let Command::Release { query, scale, .. } = command else {
        return Err(Stuck::new("not a release"));
    };
    let (data, moved, by) = moves(sensitivity)?;
    require(moved.same(query), "the sensitivity of another query")?;
    data_free(context, &[scale, epsilon], data)?;
    needs(context, scale, Sign::Positive)?;
    enough_noise(noise, by, epsilon, scale)?;
    let goal = private(
        data,
        Notion::Pure(epsilon.clone()),
        Subject::Command(command.clone().into()),
    );
    let arguments = vec![trace::command(command), term(epsilon)];
    Theorem::conclude("laplace", context, goal, arguments, &[sensitivity, noise])
}

/// **noisy maximum by a shift**: the index k with the largest |q_k + Laplace(b_k)|/s_k is ε-DP if q_k moves by at
/// most Δ_k and Δ_k + s_k·max(0, Δ_i/s_i : i ≠ k) ≤ ε·b_k for every k, with b_k, s_k > 0 that do not depend on the
/// data (Dwork and Roth 2014, Claim 3.9, p. 35, where all Δ_k, s_k and b_k are equal and nothing is in a modulus).
///
/// Sound: fix the other noises. k wins if |q_k + X| ≥ s_k·m, m the best of the others. Between neighbours m moves
/// by at most R = max Δ_i/s_i and q_k by at most Δ_k. Moving X away from −q_k by c = Δ_k + s_k·R keeps k the winner
/// on the neighbour: |q′_k + X ± c| ≥ |q_k + X| + c − Δ_k ≥ s_k·(m + R). The move is one to one and a translation
/// on either side of −q_k, under which the density of X falls by at most exp(c/b_k) ≤ e^ε. Ties have probability 0.
///
/// The theorems' contexts end with the command's index k.
///
/// # Errors
/// If a sensitivity is of another query, the noise too small, or a scale or divisor not plainly > 0 or read from
/// the data.
pub fn noisy_max(
    context: &Context,
    command: &Command,
    epsilon: &Term,
    sensitivity: &Theorem,
    noise: &Theorem,
) -> Result<Theorem, Stuck> {
    let Command::Select {
        index,
        over,
        query,
        scale,
        divisor,
        ..
    } = command
    else {
        return Err(Stuck::new("not a selection"));
    };
    let candidate = Item::Var(index.clone(), Sort::Index(over.clone()));
    let inner = context.extended(candidate)?;
    sensitivity.holds_in(&inner)?;
    noise.holds_in(&inner)?;
    let (data, moved, by) = moves(sensitivity)?;
    require(moved.same(query), "the sensitivity of another query")?;
    require(!epsilon.mentions(index), "epsilon depends on the index")?;
    data_free(&inner, &[scale, divisor, epsilon, by], data)?;
    needs(&inner, scale, Sign::Positive)?;
    needs(&inner, divisor, Sign::Positive)?;
    let k = Term::Var(index.clone());
    let mut other = format!("{index}′");
    while inner.get(&other).is_some() || by.mentions(&other) || divisor.mentions(&other) {
        other.push('′');
    }
    let ratio = (by.clone() / divisor.clone()).put(index, &Term::Var(other.clone()));
    let range = op(Op::Except, [over.clone(), k]);
    let rest = bind(Binder::Sup, &other, range, ratio);
    let shift = by.clone() + op(Op::Mul, [divisor.clone(), rest]);
    enough_noise(noise, &shift, epsilon, scale)?;
    let goal = private(
        data,
        Notion::Pure(epsilon.clone()),
        Subject::Command(command.clone().into()),
    );
    let arguments = vec![trace::command(command), term(epsilon)];
    Theorem::conclude("noisy-max", context, goal, arguments, &[sensitivity, noise])
}

/// **a cited lemma**: the conclusion of a premise for values of its numbers and one mechanism, from its
/// hypotheses. The premise is carried by the theorem from then on.
///
/// # Errors
/// If a value's sign is not plain, or a theorem is not the hypothesis that the premise asks for.
pub fn cite(
    context: &Context,
    premise: &'static Premise,
    values: &[Term],
    hypotheses: &[&Theorem],
) -> Result<Theorem, Stuck> {
    let (signs, wanted) = premise.hypotheses();
    require(signs.len() == values.len(), "another number of values")?;
    require(
        wanted.len() == hypotheses.len(),
        "another number of hypotheses",
    )?;
    for ((_, sign), value) in signs.iter().zip(values) {
        needs(context, value, *sign)?;
    }
    let fill = |t: &Term| {
        let hidden = |i: usize| format!("${i}");
        let mut t = t.clone();
        for (i, (name, _)) in signs.iter().enumerate() {
            t = t.put(name, &Term::Var(hidden(i)));
        }
        for (i, value) in values.iter().enumerate() {
            t = t.put(&hidden(i), value);
        }
        t
    };
    let mut mechanism: Option<(&str, &Subject)> = None;
    for (goal, theorem) in wanted.iter().zip(hypotheses) {
        theorem.holds_in(context)?;
        let fits = match (goal, theorem.goal()) {
            (Goal::Le(a, b), Goal::Le(c, d)) => fill(a).same(c) && fill(b).same(d),
            (
                Goal::Private { notion, .. },
                Goal::Private {
                    data,
                    notion: given,
                    subject,
                },
            ) => {
                let one = mechanism.replace((data, subject)).is_none();
                one && notion.map(fill).same(given)
            }
            _ => false,
        };
        require(fits, "not the hypothesis of the premise")?;
    }
    let (data, subject) = mechanism.ok_or_else(|| Stuck::new("no mechanism"))?;
    for value in values {
        data_free(context, &[value], data)?;
    }
    let goal = private(data, premise.conclusion().map(fill), subject.clone());
    let mut arguments = vec![atom(premise.name)];
    arguments.extend(values.iter().map(term));
    let mut theorem = Theorem::conclude("cite", context, goal, arguments, hypotheses)?;
    if !theorem.premises.iter().any(|p| p.name == premise.name) {
        theorem.premises.push(premise);
    }
    Ok(theorem)
}

/// **adaptive composition**: the transcript of a process of T rounds is T·(ρ₁ + … + ρ_m)-zCDP if its m selections
/// and releases are ρ₁-, …, ρ_m-zCDP for all values of the state and of what the same round named before (Bun and
/// Steinke 2016, Lemma 2.3; T·m accesses by induction).
///
/// Each theorem's context is `context` and then the state and some of the names released before in the round, in
/// order: so its bound holds uniformly over histories. No ρ may mention them. The kernel computes that the start
/// and the assignments read no data, so that the state is a function of the transcript.
///
/// # Errors
/// If a command has no theorem, a bound depends on the history, or the state reads the data.
pub fn compose(
    context: &Context,
    process: &str,
    data: &str,
    accesses: &[&Theorem],
) -> Result<Theorem, Stuck> {
    let Some(p) = context.process(process) else {
        return Err(Stuck::new(format!("{process} is not a process")));
    };
    data_free(context, &[&p.start, &p.rounds, &p.dimension], data)?;
    // Or a theorem about that one vector would pass for one about every state.
    require(
        context.get(&p.state).is_none(),
        "the state's name has another meaning",
    )?;
    let state = Sort::Vector(p.dimension.clone(), Sign::Any);
    let mut history = vec![Item::Var(p.state.clone(), state)];
    let mut costs = Vec::new();
    let mut left = accesses.iter();
    for command in &p.body {
        match command {
            Command::Set(value) => data_free(context, &[value], data)?,
            Command::Draw { name, .. } => {
                return Err(Stuck::new(format!(
                    "no rule composes over the draw of {name}"
                )));
            }
            Command::Select { .. } | Command::Release { .. } => {
                let theorem = left.next().ok_or_else(|| Stuck::new("a command is left"))?;
                costs.push(access(context, &history, command, data, theorem)?);
                let mut scope = Scope {
                    context,
                    locals: locals(&history),
                };
                let named = scope.command(command)?;
                history.extend(named.map(|(name, sort)| Item::Var(name, sort)));
            }
        }
    }
    require(left.next().is_none(), "more theorems than commands")?;
    let once = match costs.len() {
        0 => return Err(Stuck::new("nothing is released")),
        1 => costs.remove(0),
        _ => Term::Op(Op::Add, costs),
    };
    let total = op(Op::Mul, [p.rounds.clone(), once]);
    let subject = Subject::Process(process.to_owned(), View::Transcript);
    let goal = private(data, Notion::Zcdp(total), subject);
    let arguments: Vec<Sexp> = vec![atom(process), atom(data), number(accesses.len())];
    Theorem::conclude("compose", context, goal, arguments, accesses)
}

fn locals(history: &[Item]) -> Vec<(String, Sort)> {
    let one = |item: &Item| match item {
        Item::Var(name, sort) => Some((name.clone(), sort.clone())),
        _ => None,
    };
    history.iter().filter_map(one).collect()
}

/// The cost of one command, checked to hold for all histories.
fn access(
    context: &Context,
    history: &[Item],
    command: &Command,
    data: &str,
    theorem: &Theorem,
) -> Result<Term, Stuck> {
    require(theorem.context().contains(context), "another context")?;
    let own = &theorem.context().items()[context.items().len()..];
    let mut past = history.iter();
    let uniform = own.iter().all(|item| past.any(|known| known == item));
    require(uniform, "the bound is not uniform over histories")?;
    let Goal::Private {
        data: of,
        notion: Notion::Zcdp(cost),
        subject: Subject::Command(about),
    } = theorem.goal()
    else {
        return Err(Stuck::new("no zCDP bound of a command"));
    };
    require(of == data, "another data set")?;
    require(**about == *command, "the bound of another command")?;
    let depends = |item: &Item| item.name().is_some_and(|x| cost.mentions(x));
    require(!own.iter().any(depends), "the bound depends on the history")?;
    Ok(cost.clone())
}

/// **post-processing**: what holds of the transcript of a process holds of its state at the end (Bun and Steinke
/// 2016, Lemma 2.3, and Dwork and Roth 2014, Prop. 2.1, p. 19).
///
/// Sound where the start and every assignment read no data and nothing is drawn but what is released, both of
/// which are computed: then the state is a function of the transcript.
///
/// # Errors
/// If the theorem is not about a transcript, or the state is no function of it.
pub fn forget(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let Goal::Private {
        data,
        notion,
        subject: Subject::Process(name, View::Transcript),
    } = theorem.goal()
    else {
        return Err(Stuck::new("not about a transcript"));
    };
    let Some(process) = context.process(name) else {
        return Err(Stuck::new(format!("{name} is not a process")));
    };
    data_free(context, &[&process.start], data)?;
    for command in &process.body {
        match command {
            Command::Set(value) => data_free(context, &[value], data)?,
            Command::Draw { name, .. } => {
                return Err(Stuck::new(format!("{name} is drawn and not released")));
            }
            Command::Select { .. } | Command::Release { .. } => {}
        }
    }
    let subject = Subject::Process(name.clone(), View::End);
    let goal = private(data, notion.clone(), subject);
    Theorem::conclude("forget", context, goal, vec![], &[theorem])
}
