//! Gaussian noise that messages have in common.

use super::privacy::released;
use super::{Theorem, about, data_free, needs, private, require};
use crate::Stuck;
use crate::sorts::Scope;
use crate::statement::{Command, Context, Goal, Item, Notion, Sign, Sort};
use crate::term::{Op, Term, at, mul, num, op, sum};
use crate::trace::{self, term};

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
fn parameters(law: &Term) -> Result<&[Term; 6], Stuck> {
    let law = match law {
        Term::Op(Op::Pairwise, law) => law.as_slice().try_into().ok(),
        _ => None,
    };
    law.ok_or_else(|| Stuck::new("no messages"))
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
    let (data, by, law) = released(context, command, sensitivity)?;
    let law = parameters(law)?;
    let [over, user, own, _, _, shared] = law;
    data_free(context, &[x], data)?;
    needs(context, own, Sign::NonNegative)?;
    needs(context, shared, Sign::NonNegative)?;
    let (outer, k, sort) = solved.last_variable()?;
    require(
        context.contains(&outer),
        "a theorem of another context was given",
    )?;
    require(*sort == Sort::Index(over.clone()), "not for every message")?;
    // Or what holds at one message would pass for what holds at all.
    let mentions = |t: &Term| t.mentions(k);
    require(
        !law.iter().any(mentions) && !x.mentions(k),
        "the system varies",
    )?;
    let k = Term::Var(k.to_owned());
    let unit = op(Op::Unit, [k.clone(), user.clone()]);
    let wanted = Goal::Eq(covariance(law, x, &k), unit);
    require(*solved.goal() == wanted, "x solves another system")?;
    let cost = mul([by.pow(2), at(x, user)]) / num(2);
    let goal = private(data, Notion::Zcdp(cost), about(command));
    let arguments = vec![trace::command(command), term(x)];
    Theorem::conclude(
        "correlated",
        context,
        goal,
        arguments,
        &[sensitivity, solved],
    )
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
    require(
        *sort == Sort::Vector(over.clone(), Sign::Any),
        "not a vector of that dimension",
    )?;
    require(*index == Sort::Index(over.clone()), "not for every message")?;
    let Goal::Eq(left, right) = &**system else {
        return Err(Stuck::new("no equation"));
    };
    let wanted = covariance(law, &Term::Var(x.clone()), &Term::Var(k.clone()));
    require(*left == wanted, "another system")?;
    let mentions = |name: &str| law.iter().any(|t| t.mentions(name));
    require(
        !mentions(x) && !right.mentions(x),
        "the system mentions its solution",
    )?;
    require(!mentions(k), "the system varies")?;
    needs(&context, own, Sign::Positive)?;
    needs(&context, shared, Sign::NonNegative)?;
    let goal = theorem.goal().clone();
    Theorem::conclude("solution", &context, goal, arguments, &[theorem])
}
