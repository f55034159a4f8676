//! Gaussian noise, of one release or in common to messages: what it costs, which pair dominates it, and what is no less.

use super::privacy::{released, two_queries};
use super::real::equal;
use super::{Theorem, about, data_free, needs, privacy, private, require};
use crate::Stuck;
use crate::scope::Scope;
use crate::statement::{Command, Context, Goal, Item, Notion, Sign, Sort};
use crate::term::{Binder, Op, Term, at, mul, num, op, sum};
use crate::trace::{self, Sexp, term};

/// own·x_k + shared·Σ_e b\[e\]_k·Σ_l b\[e\]_l·x_l: entry k of the covariance of one coordinate of the messages, times x.
fn covariance(law: &[Term; 6], x: &Term, k: &Term) -> Term {
    let [over, _, own, ends, pairs, shared] = law;
    let free = |base: &str| {
        let mut name = base.to_owned();
        while law.iter().chain([x, k]).any(|t| t.mentions(&name)) {
            name.push('′');
        }
        name
    };
    let (e, l) = (free("e"), free("l"));
    let factor = |i: &Term| at(&at(ends, &Term::Var(e.clone())), i);
    let index = Term::Var(l.clone());
    let inner = sum(&l, over.clone(), mul([factor(&index), at(x, &index)]));
    let common = sum(&e, pairs.clone(), mul([factor(k), inner]));
    let own = mul([own.clone(), at(x, k)]);
    own + mul([shared.clone(), common])
}

/// The parameters m, i, s, b, E, t of the noise of messages.
pub(super) fn parameters(law: &Term) -> Result<&[Term; 6], Stuck> {
    let law = match law {
        Term::Op(Op::Pairwise, law) => law[..].try_into().ok(),
        _ => None,
    };
    law.ok_or_else(|| Stuck::new("no messages"))
}

/// A solution x of the system of a law for messages, and the theorem that says so.
pub type Solved<'a> = (&'a Term, &'a Theorem);

/// What a release of a query that moves by `by` costs in zCDP, and the square of the distance of its laws in standard
/// deviations: by²/(2v) and by²/v for Gaussian noise of variance v, plainly > 0; by²·x_i/2 and by²·x_i for messages.
fn costs(
    context: &Context,
    command: &Command,
    (data, by): (&str, &Term),
    solved: Option<Solved<'_>>,
) -> Result<[Term; 2], Stuck> {
    let Command::Release { law, .. } = command else {
        return Err(Stuck::new("not a release"));
    };
    data_free(context, &[law, by], data)?;
    let square = by.pow(2);
    if let Some((x, solved)) = solved {
        data_free(context, &[x], data)?;
        let whole = mul([square, solution_at_user(context, law, x, solved)?]);
        return Ok([whole.clone() / num(2), whole]);
    }
    let Term::Op(Op::Normal, parameters) = law else {
        return Err(Stuck::new("not Gaussian noise"));
    };
    let variance = parameters.last().ok_or_else(|| Stuck::new("no variance"))?;
    needs(context, variance, Sign::Positive)?;
    let twice = op(Op::Mul, [num(2), variance.clone()]);
    Ok([square.clone() / twice, square / variance.clone()])
}

/// Entry i of a vector x of which `solved` says, for every message k, the last variable of its context, that the
/// covariance times x is the unit vector of i, the user of the law.
fn solution_at_user(
    context: &Context,
    law: &Term,
    x: &Term,
    solved: &Theorem,
) -> Result<Term, Stuck> {
    let law = parameters(law)?;
    let [over, user, own, _, _, shared] = law;
    needs(context, own, Sign::NonNegative)?;
    needs(context, shared, Sign::NonNegative)?;
    let (outer, k, sort) = solved.last_variable()?;
    let within = context.contains(&outer);
    require(within, "a theorem of another context was given")?;
    require(*sort == Sort::Index(over.clone()), "not for every message")?;
    // Or what holds at one message would pass for what holds at all.
    let varies = law.iter().chain([x]).any(|t| t.mentions(k));
    require(!varies, "the system varies")?;
    let k = Term::Var(k.to_owned());
    let unit = op(Op::Unit, [k.clone(), user.clone()]);
    let wanted = Goal::Eq(covariance(law, x, &k), unit);
    require(*solved.goal() == wanted, "x solves another system")?;
    Ok(at(x, user))
}

/// **Gaussian mechanism**: query + N(0, v), or for a vector of any dimension query + N_d(0, v), is Δ²/(2v)-zCDP if the
/// query moves by at most Δ and v > 0 does not depend on the data (Bun and Steinke 2016, Prop. 1.6; Mironov 2017,
/// Prop. 7; for vectors after a rotation).
///
/// Sound since at every order α the divergence of two such Gaussians at distance t is αt²/(2v).
///
/// # Errors
/// If the sensitivity is of another query, the variance not plainly > 0, or read from the data.
pub fn gaussian(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
) -> Result<Theorem, Stuck> {
    let moved = released(context, command, sensitivity)?;
    let [cost, _] = costs(context, command, moved, None)?;
    let goal = private(moved.0, Notion::Zcdp(cost), about(command));
    let arguments = vec![trace::command(command)];
    Theorem::conclude("gaussian", context, goal, arguments, &[sensitivity])
}

/// **Gaussian noise in common**: messages are (Δ²·x_i/2)-zCDP if the query of user i moves by at most Δ and the
/// covariance times x is the unit vector of i, which is what `solved` says, for every message k, the last variable of its
/// context. Variances are plainly ≥ 0, and nothing but the query reads the data.
///
/// Sound: that own noise k moves by own·x_k·v and noise e in common by shared·(Σ_l b\[e\]_l·x_l)·v has the same effect on
/// the messages as that the query moves by v. The divergence of order α of the noises is α‖v‖²/2 times Σ_k own·x_k² +
/// Σ_e shared·(Σ_l b\[e\]_l·x_l)², which is x_i, and that of the messages, a function of them, is no larger (Mironov 2017,
/// Prop. 7; van Erven and Harremoës 2014, Thm 9).
///
/// # Errors
/// If the sensitivity is of another query, x solves another system, or a variance may be negative or reads the data.
pub fn correlated(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
    x: &Term,
    solved: &Theorem,
) -> Result<Theorem, Stuck> {
    let moved = released(context, command, sensitivity)?;
    let [cost, _] = costs(context, command, moved, Some((x, solved)))?;
    let goal = private(moved.0, Notion::Zcdp(cost), about(command));
    let arguments = vec![trace::command(command), term(x)];
    let from = [sensitivity, solved];
    Theorem::conclude("correlated", context, goal, arguments, &from)
}

/// **a Gaussian pair dominates**: what [`gaussian`] and [`correlated`] say of a release as a pair: it is dominated by
/// N(0, 1) and N(√m, 1), m the square of the distance in standard deviations (Dong, Roth and Su 2022, Gaussian Differential
/// Privacy, J. R. Stat. Soc. B 84, arXiv:1905.02383; for vectors after a rotation).
///
/// Sound: the number that is released, on the line through both centres, is a multiple of one of the pair with noise, and
/// what is orthogonal to that line is noise. Messages are a function of noises that move, see [`correlated`].
///
/// # Errors
/// As [`gaussian`] and [`correlated`].
pub fn gaussian_pair(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
    solved: Option<Solved<'_>>,
) -> Result<Theorem, Stuck> {
    let moved = released(context, command, sensitivity)?;
    let [_, square] = costs(context, command, moved, solved)?;
    let pair = Notion::Dominated(op(Op::Gaussian, [square]));
    let goal = private(moved.0, pair, about(command));
    let mut arguments = vec![trace::command(command)];
    arguments.extend(solved.map(|(x, _)| term(x)));
    let from = [sensitivity].into_iter().chain(solved.map(|(_, t)| t));
    let from: Vec<&Theorem> = from.collect();
    Theorem::conclude("gaussian-pair", context, goal, arguments, &from)
}

/// **two records attain it**: if a release is ρ-zCDP, or dominated by a Gaussian pair of ρ, then ρ is at least the number
/// of [`gaussian`], [`correlated`] or [`gaussian_pair`] for Δ ≥ 0, here in the form `least`, if two data sets that differ in
/// the records of these names (of the one, where it is left out) have queries at a distance of at least Δ.
///
/// Sound since every data set has a record, in whose place each of these may stand; what is said there is the distance of
/// the two queries, see [`super::one_record`], and the divergence of the releases is exactly that of the noise moved by so
/// much (Mironov 2017, Prop. 7).
///
/// # Errors
/// If the theorem says nothing of that distance, or the command has no such noise.
pub fn attained(
    context: &Context,
    command: &Command,
    (notion, least): (&Notion, &Term),
    (data, records): (&str, &[&str]),
    apart: &Theorem,
    solved: Option<Solved<'_>>,
) -> Result<Theorem, Stuck> {
    apart.holds_in(context)?;
    let (Command::Release { query, .. }, Goal::Le(by, distant)) = (command, apart.goal()) else {
        return Err(Stuck::new("no release, or no distance"));
    };
    needs(context, by, Sign::NonNegative)?;
    let between = two_queries(context, query, data, records)?;
    require(equal(context, distant, &between)?, "not the distance")?;
    let [cost, square] = costs(context, command, (data, by), solved)?;
    let (number, rho) = match notion {
        Notion::Zcdp(rho) => (cost, rho),
        Notion::Dominated(Term::Op(Op::Gaussian, m)) => (square, &m[0]),
        _ => return Err(Stuck::new("no exact number in this notion")),
    };
    require(equal(context, &number, least)?, "not that number")?;
    data_free(context, &[rho, least], data)?;
    let if_private = private(data, notion.clone(), about(command));
    let at_least = Goal::Le(least.clone(), rho.clone());
    let goal = Goal::If(if_private.into(), at_least.into());
    let words = records.iter().map(|z| trace::name(z)).collect();
    let mut arguments = vec![trace::command(command), trace::notion(notion)];
    arguments.extend([term(least), trace::name(data), Sexp::List(words)]);
    arguments.extend(solved.map(|(x, _)| term(x)));
    let from = [apart].into_iter().chain(solved.map(|(_, t)| t));
    let from: Vec<&Theorem> = from.collect();
    Theorem::conclude("attained", context, goal, arguments, &from)
}

/// **Gaussian pairs together**: what is dominated by independent Gaussian pairs is so by one, of the sum of their numbers
/// (Dong, Roth and Su 2022, on the composition of Gaussian mechanisms): independent Gaussians, after a rotation.
///
/// # Errors
/// If the theorem is of another notion, or a pair is not Gaussian.
pub fn gaussians_together(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let (data, Notion::Dominated(pair), subject) = privacy(theorem)? else {
        return Err(Stuck::new("no pair"));
    };
    let one = Notion::Dominated(op(Op::Gaussian, [together(pair)?]));
    let goal = private(data, one, subject.clone());
    Theorem::conclude("together", theorem.context(), goal, vec![], &[theorem])
}

fn together(pair: &Term) -> Result<Term, Stuck> {
    match pair {
        Term::Op(Op::Gaussian, m) => Ok(m[0].clone()),
        Term::Op(Op::Add, all) => {
            let all: Result<_, Stuck> = all.iter().map(together).collect();
            Ok(Term::Op(Op::Add, all?))
        }
        Term::Op(Op::Mul, many) => Ok(mul([many[0].clone(), together(&many[1])?])),
        Term::Bind(Binder::Sum, k, bound, one) => Ok(sum(k, (**bound).clone(), together(one)?)),
        _ => Err(Stuck::new("a pair that is not Gaussian")),
    }
}

/// **a positive definite system has a solution**: of a theorem whose context ends with a vector x and the hypothesis that
/// covariance times x is r, entry by entry, the conclusion holds without both, if it does not mention x, the own variance
/// is plainly > 0, that in common plainly ≥ 0, and no part of the system mentions x (Horn and Johnson 2013, Matrix
/// Analysis, 2nd ed., Sec. 7.1: yᵀΣy ≥ own·‖y‖², so that Σ is injective).
///
/// `law` is the noise of messages, which gives the covariance.
///
/// # Errors
/// If the context does not end like this, or the conclusion mentions x.
pub fn solution(theorem: &Theorem, law: &Term) -> Result<Theorem, Stuck> {
    let items = theorem.context().items();
    let [
        before @ ..,
        Item::Var(x, sort),
        Item::Assume(Goal::Every(k, index, system)),
    ] = items
    else {
        return Err(Stuck::new("the context does not end with a system"));
    };
    let context = theorem.context().beginning(before.len());
    let arguments = vec![term(law)];
    let law = parameters(law)?;
    let [over, user, own, _, _, shared] = law;
    Scope::new(&context).index(user, over)?;
    let vector = Sort::Vector(over.clone(), Sign::Any);
    require(*sort == vector, "not a vector of that dimension")?;
    require(*index == Sort::Index(over.clone()), "not for every message")?;
    let Goal::Eq(left, right) = &**system else {
        return Err(Stuck::new("no equation"));
    };
    let wanted = covariance(law, &Term::Var(x.clone()), &Term::Var(k.clone()));
    require(*left == wanted, "another system")?;
    let mentions = |name: &str| law.iter().any(|t| t.mentions(name));
    let mentioned = mentions(x) || right.mentions(x);
    require(!mentioned, "the system mentions its solution")?;
    require(!mentions(k), "the system varies")?;
    needs(&context, own, Sign::Positive)?;
    needs(&context, shared, Sign::NonNegative)?;
    let goal = theorem.goal().clone();
    Theorem::conclude("solution", &context, goal, arguments, &[theorem])
}
