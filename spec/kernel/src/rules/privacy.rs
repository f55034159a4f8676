//! Rules for the privacy of one command: how far queries move, noise, weaker notions, cited lemmas. Noise is drawn
//! where the command stands, afresh.

use super::real::equal;
use super::{Theorem, about, data_free, distance, function, needs, privacy, private, require};
use crate::Stuck;
use crate::premise::Premise;
use crate::statement::{Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Subject};
use crate::term::{Binder, Op, Term, bind, num, op, var};
use crate::trace::{self, name as atom, term};

/// **one record changes**: a query that is affine in sums over the records moves between neighbours by at most B if it
/// does so between data of one record: where a record is replaced, |q(z) − q(z′)| ≤ B for all records z, z′, the last
/// two variables of the theorem's context; where one is left out, |q(z) − q(∅)| ≤ B for the last variable z (Dwork
/// and Roth 2014, Def. 3.1, the sensitivity of a query, here for other neighbours and with Euclidean norms).
///
/// Sound since q(D) = c + Σ_{d∈D} b(d), where c and b read no data, so that the other records cancel in q(D) − q(D′).
/// That q is of this form is computed; q(z) is q with b(z) for every sum over D, q(∅) with 0. B must mention neither
/// record nor data.
///
/// # Errors
/// If the query is not affine in sums over the records, or the theorem not of that form.
pub fn one_record(
    context: &Context,
    data: &str,
    query: &Term,
    bound: &Theorem,
) -> Result<Theorem, Stuck> {
    require(bound.context().contains(context), "another context")?;
    let records = &bound.context().items()[context.items().len()..];
    let names: Option<Vec<&str>> = records.iter().map(Item::name).collect();
    let names =
        names.ok_or_else(|| Stuck::new("not the records that differ between neighbours"))?;
    let Goal::Le(left, by) = bound.goal() else {
        return Err(Stuck::new("no bound"));
    };
    let here = bound.context();
    let change = equal(here, left, &two_queries(here, query, data, &names)?)?;
    require(change, "not the change of the query between two records")?;
    let mentions = |item: &Item| item.name().is_some_and(|z| by.mentions(z));
    let depends = records.iter().any(mentions);
    require(!depends, "the bound depends on the record")?;
    data_free(context, &[by], data)?;
    let goal = Goal::Moves {
        data: data.to_owned(),
        query: query.clone(),
        by: by.clone(),
    };
    let arguments = vec![atom(data), term(query)];
    Theorem::conclude("one-record", context, goal, arguments, &[bound])
}

/// The distance of a query on data of the first of two records from that on the second, or where one is left out, of that
/// on data of one record from that on none.
pub(super) fn two_queries(
    context: &Context,
    query: &Term,
    data: &str,
    records: &[&str],
) -> Result<Term, Stuck> {
    let Some(Sort::Dataset(_, relation)) = context.sort(data) else {
        return Err(Stuck::new(format!("{data} is not a data set")));
    };
    let record = |z: &&str| (context.sort(z) == Some(&Sort::Record)).then(|| var(z));
    let records: Option<Vec<Term>> = records.iter().map(record).collect();
    let (one, other) = match (relation, records.as_deref()) {
        (Relation::ReplaceOne, Some([z, other])) => (z, Some(other)),
        (Relation::ZeroOut, Some([z])) => (z, None),
        _ => return Err(Stuck::new("not the records that differ between neighbours")),
    };
    let one = on_one(context, query, data, Some(one))?;
    let other = on_one(context, query, data, other)?;
    distance(context, &one, &other)
}

/// A query that is affine in sums over the records, on data of one record or of none.
fn on_one(context: &Context, t: &Term, data: &str, record: Option<&Term>) -> Result<Term, Stuck> {
    if !context.reads(t, data) {
        return Ok(t.clone());
    }
    let on = |t: &Term| on_one(context, t, data, record);
    let free = |t: &Term| !context.reads(t, data);
    match t {
        Term::Bind(Binder::Total, z, of, body)
            if free(body) && **of == Term::Var(data.to_owned()) =>
        {
            Ok(record.map_or_else(|| num(0), |record| body.put(z, record)))
        }
        Term::Bind(b @ (Binder::Sum | Binder::Vec), j, of, body) if free(of) => {
            Ok(bind(*b, j, (**of).clone(), on(body)?))
        }
        Term::App(f, a) => match context.unfold(f, a) {
            Some(body) => on(&body),
            None => Err(Stuck::new(format!("{f} is not affine"))),
        },
        Term::Op(Op::Partial, a) if let [Term::Var(f), x, j] = &a[..] => {
            let slope = context.mean_slope(f, x, j);
            on(&slope.ok_or_else(|| Stuck::new("not a derivative of a mean"))?)
        }
        Term::Op(o, a) => {
            let reading = a.iter().filter(|a| !free(a)).count();
            let affine = match o {
                Op::Add | Op::Sub => true,
                Op::Mul => reading == 1,
                Op::Div | Op::At => free(&a[1]),
                _ => false,
            };
            require(affine, "the query is not affine in sums over the records")?;
            let parts: Result<_, Stuck> = a.iter().map(on).collect();
            Ok(Term::Op(*o, parts?))
        }
        _ => Err(Stuck::new(
            "the query is not affine in sums over the records",
        )),
    }
}

/// **a function of a query**: h(q) moves by at most C if q moves by at most B, and |h(x) − h(y)| ≤ C for all x, y with
/// |x − y| ≤ B, the last two variables of the bound's context, between which it is an implication; distances of vectors are
/// Euclidean (Dwork and Roth 2014, Def. 3.1, the sensitivity of a query: x and y are the query on two neighbours). `to` is
/// h in the name x; neither h, B nor C reads the data.
///
/// # Errors
/// If the first theorem is no sensitivity, its query no value of the sort of x and y, or the second not of that form.
pub fn image(theorem: &Theorem, bound: &Theorem, to: &Term) -> Result<Theorem, Stuck> {
    let (context, here) = (theorem.context(), bound.context());
    let (data, query, by) = moves(theorem)?;
    require(here.contains(context), "another context")?;
    let [Item::Var(x, sort), Item::Var(y, other)] = &here.items()[context.items().len()..] else {
        return Err(Stuck::new("not of two values"));
    };
    require(sort == other, "values of two sorts")?;
    super::logic::value(context, sort, query)?;
    let Goal::If(near, goal) = bound.goal() else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let Goal::Le(apart, most) = &**goal else {
        return Err(Stuck::new("no bound"));
    };
    let given = Goal::Le(distance(here, &var(x), &var(y))?, by.clone());
    require(**near == given, "not of values as near as the query's")?;
    let wanted = distance(here, to, &to.put(x, &var(y)))?;
    let moves = equal(here, apart, &wanted)?;
    require(moves, "not how far the function moves")?;
    data_free(context, &[by, to, most], data)?;
    let goal = Goal::Moves {
        data: data.to_owned(),
        query: to.put(x, query),
        by: most.clone(),
    };
    Theorem::conclude("image", context, goal, vec![term(to)], &[theorem, bound])
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
    if *theorem.goal() == wanted {
        return Ok(());
    }
    Err(Stuck::new(format!("the noise needs {wanted:?}")))
}

/// The data set of a release, and how far its query moves.
pub(super) fn released<'a>(
    context: &Context,
    command: &Command,
    sensitivity: &'a Theorem,
) -> Result<(&'a str, &'a Term), Stuck> {
    sensitivity.holds_in(context)?;
    let Command::Release { query, law, .. } = command else {
        return Err(Stuck::new("not a release"));
    };
    let (data, moved, by) = moves(sensitivity)?;
    require(moved == query, "the sensitivity of another query")?;
    data_free(context, &[law, by], data)?;
    Ok((data, by))
}

/// **Laplace mechanism**: query + Laplace(b) is ε-DP if the query, a number, moves by at most Δ ≤ ε·b and b > 0 does
/// not depend on the data (Dwork and Roth 2014, Thm 3.6, for one number).
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
    noise.holds_in(context)?;
    let (data, by) = released(context, command, sensitivity)?;
    let Command::Release {
        law: Term::Op(Op::Laplace, scale),
        ..
    } = command
    else {
        return Err(Stuck::new("not Laplace noise"));
    };
    data_free(context, &[epsilon], data)?;
    needs(context, &scale[0], Sign::Positive)?;
    enough_noise(noise, by, epsilon, &scale[0])?;
    let goal = private(data, Notion::Pure(epsilon.clone()), about(command));
    let arguments = vec![trace::command(command), term(epsilon)];
    Theorem::conclude("laplace", context, goal, arguments, &[sensitivity, noise])
}

/// **the choice of a noisy maximum**: of a selection of the largest |q_k + X_k|/s_k the choice k stays if X_k moves away
/// from −q_k by c = Δ_k + s_k·max(0, Δ_i/s_i : i ≠ k), if q_k moves by at most Δ_k between neighbours and s_k > 0 does
/// not depend on the data; and of one of the largest q_k + X_k, without a modulus, if X_k grows by that c with s = 1 (after
/// Dwork and Roth 2014, Claim 3.9, report noisy max: for counts without the modulus, which move by at most 1 and all the
/// same way, so that c = 1 does there; scores may move by Δ_k either way, each by its own).
///
/// Sound: k wins if |q_k + X_k| ≥ s_k·m, m the best of the others. Between neighbours m moves by at most R = max Δ_i/s_i
/// and q_k by at most Δ_k, so that |q′_k + X_k ± c| ≥ |q_k + X_k| + c − Δ_k ≥ s_k·(m + R). Without a modulus
/// q′_k + X_k + c ≥ q_k + X_k + R ≥ m + R.
///
/// The theorem's context ends with the selection's index k.
///
/// # Errors
/// If the sensitivity is of another query, or a divisor not plainly > 0 or read from the data.
pub fn argmax(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
) -> Result<Theorem, Stuck> {
    let (inner, index) = candidate(context, command)?;
    sensitivity.holds_in(&inner)?;
    let (data, moved, by) = moves(sensitivity)?;
    let (of, one) = (command.terms(), num(1));
    let divisor = of.get(3).copied().unwrap_or(&one);
    require(moved == of[1], "the sensitivity of another query")?;
    data_free(&inner, &[divisor, by], data)?;
    needs(&inner, divisor, Sign::Positive)?;
    let other = function::fresh(&inner, index, &[by, divisor]);
    let ratio = (by / divisor).put(index, &var(&other));
    let range = op(Op::Except, [of[0].clone(), var(index)]);
    let rest = bind(Binder::Sup, &other, range, ratio);
    let goal = Goal::Keeps {
        data: data.to_owned(),
        command: command.clone().into(),
        by: by.clone() + op(Op::Mul, [divisor.clone(), rest]),
    };
    let arguments = vec![trace::command(command)];
    Theorem::conclude("argmax", context, goal, arguments, &[sensitivity])
}

/// The context with a selection's index, and its name.
fn candidate<'a>(context: &Context, command: &'a Command) -> Result<(Context, &'a str), Stuck> {
    let Command::Select { index, over, .. } = command else {
        return Err(Stuck::new("not a selection"));
    };
    let item = Item::Var(index.clone(), Sort::Index(over.clone()));
    Ok((context.extended(item)?, index))
}

/// **Laplace coupling by a shift**: a selection is ε-DP if its choice k stays when its noise moves by c_k, where c_k ≥ 0
/// and c_k ≤ ε·b_k for the scale b_k > 0, and none of these depends on the data (Barthe et al. 2016, the
/// coupling of two Laplace laws by a shift).
///
/// Sound: fix the other noises. The move is one to one and a translation on either side of −q_k, or everywhere, under which
/// the density of the noise falls by at most exp(c_k/b_k) ≤ e^ε; so the probability of k does. Ties have probability 0.
///
/// The context of the bound c_k ≤ ε·b_k ends with the selection's index k.
///
/// # Errors
/// If the noise is too small, or a scale or move not of plain sign or read from the data.
pub fn shift(
    context: &Context,
    kept: &Theorem,
    epsilon: &Term,
    noise: &Theorem,
) -> Result<Theorem, Stuck> {
    kept.holds_in(context)?;
    let Goal::Keeps { data, command, by } = kept.goal() else {
        return Err(Stuck::new("no choice that is kept"));
    };
    let (inner, index) = candidate(context, command)?;
    noise.holds_in(&inner)?;
    let scale = command.terms()[2];
    require(!epsilon.mentions(index), "epsilon depends on the index")?;
    data_free(&inner, &[scale, epsilon, by], data)?;
    needs(&inner, scale, Sign::Positive)?;
    needs(&inner, by, Sign::NonNegative)?;
    enough_noise(noise, by, epsilon, scale)?;
    let goal = private(data, Notion::Pure(epsilon.clone()), about(command));
    Theorem::conclude("shift", context, goal, vec![term(epsilon)], &[kept, noise])
}

/// **exponential mechanism**: an index k that is drawn with a probability in proportion to a_k·exp(u_k) has 2Δ-bounded
/// range if u_k, a number, moves by at most Δ, which is the same for all k, and neither Δ nor a_k ≥ 0 depends on the data
/// (McSherry and Talwar 2007, Mechanism Design via Differential Privacy, FOCS, Thm 6, with the measure a, for ε-DP; Durfee
/// and Rogers 2019, Practical Differentially Private Top-k Selection with Pay-what-you-get Composition, NeurIPS, for ranges).
///
/// Sound since the privacy loss of k is u_k − u′_k less what does not depend on k; where all a_k are 0, they are so on both
/// data.
///
/// The context of the sensitivity ends with the index k.
///
/// # Errors
/// If the weight is not written a_k·exp(u_k), the sensitivity of another query, or a part that must not reads the data.
pub fn exponential(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
) -> Result<Theorem, Stuck> {
    let (data, by) = chosen(context, command, sensitivity)?;
    let twice = op(Op::Mul, [num(2), by.clone()]);
    let goal = private(data, Notion::Range(twice), about(command));
    let arguments = vec![trace::command(command)];
    Theorem::conclude("exponential", context, goal, arguments, &[sensitivity])
}

/// **bounded range**: what has η-bounded range is (η²/8)-zCDP (Cesar and Rogers 2021, Bounding, Concentrating, and
/// Truncating: Unifying Privacy Loss Composition for Data Analytics, ALT, Lemma 3.2 and Cor. 3.3, arXiv:2004.07223).
///
/// Sound: by Hoeffding's lemma, for a variable in an interval of length η, under the law that the loss is of.
///
/// # Errors
/// If the theorem is no bound of that kind.
pub fn bounded_range(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let goal = of_range(theorem, |range| Notion::Zcdp(range.pow(2) / num(8)))?;
    let context = theorem.context();
    Theorem::conclude("bounded-range", context, goal, vec![], &[theorem])
}

/// **range is pure**: what has η-bounded range is η-DP: the mean of e^{−loss} is 1, so that the interval contains 0
/// (Durfee and Rogers 2019, as in [`exponential`]).
///
/// # Errors
/// If the theorem is no bound of that kind.
pub fn pure_range(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let goal = of_range(theorem, |range| Notion::Pure(range.clone()))?;
    Theorem::conclude("pure-range", theorem.context(), goal, vec![], &[theorem])
}

/// **pure has a range**: what is ε-DP has 2ε-bounded range: each of the laws on two neighbours is at most e^ε times the other,
/// so that the privacy loss lies in \[−ε, ε\] (Durfee and Rogers 2019, as in [`exponential`]).
///
/// # Errors
/// If the theorem is no bound of that kind.
pub fn range_of_pure(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let twice = |epsilon: &Term| op(Op::Mul, [num(2), epsilon.clone()]);
    let goal = of_pure(theorem, |epsilon| Notion::Range(twice(epsilon)))?;
    Theorem::conclude("range-of-pure", theorem.context(), goal, vec![], &[theorem])
}

fn of_pure(theorem: &Theorem, to: impl Fn(&Term) -> Notion) -> Result<Goal, Stuck> {
    match privacy(theorem)? {
        (data, Notion::Pure(epsilon), subject) => Ok(private(data, to(epsilon), subject.clone())),
        _ => Err(Stuck::new("not pure")),
    }
}

fn of_range(theorem: &Theorem, to: impl Fn(&Term) -> Notion) -> Result<Goal, Stuck> {
    match privacy(theorem)? {
        (data, Notion::Range(range), subject) => Ok(private(data, to(range), subject.clone())),
        _ => Err(Stuck::new("no bounded range")),
    }
}

/// The data set, and how far the exponents of the weights move.
fn chosen<'a>(
    context: &Context,
    command: &Command,
    sensitivity: &'a Theorem,
) -> Result<(&'a str, &'a Term), Stuck> {
    let Command::Draw { law, .. } = command else {
        return Err(Stuck::new("not a draw"));
    };
    let Term::Bind(Binder::Weighted, k, over, weight) = law else {
        return Err(Stuck::new("not a draw of an index by weights"));
    };
    let Term::Op(Op::Mul, factors) = &**weight else {
        return Err(Stuck::new("the weight is no product"));
    };
    let [base, Term::Op(Op::Exp, exponent)] = &factors[..] else {
        return Err(Stuck::new(
            "the weight is not one factor and an exponential",
        ));
    };
    let inner = context.extended(Item::Var(k.clone(), Sort::Index((**over).clone())))?;
    sensitivity.holds_in(&inner)?;
    let (data, moved, by) = moves(sensitivity)?;
    require(*moved == exponent[0], "the sensitivity of another query")?;
    require(!by.mentions(k), "the bound depends on the index")?;
    needs(&inner, base, Sign::NonNegative)?;
    data_free(&inner, &[base, over, by], data)?;
    Ok((data, by))
}

/// **weaker numbers**: what is private in a notion is so with larger numbers: ε, ρ or δ, each of which is the same or
/// has a theorem that says so, in order; the order α of a Rényi bound stays (Dwork and Roth 2014, Def. 2.4; the other
/// definitions alike). A Gaussian pair is dominated by one with a larger number, and so is a randomised response: of the
/// larger one with noise, or with a second response, it is the image.
///
/// # Errors
/// If a number is neither the same nor bounded by a theorem, or a new one reads the data.
pub fn weaken(theorem: &Theorem, to: &Notion, facts: &[&Theorem]) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let (data, notion, subject) = privacy(theorem)?;
    let same = notion.map(|_| num(0)) == to.map(|_| num(0));
    require(same, "another notion")?;
    let mut left = facts.iter();
    for (i, (a, b)) in notion.numbers().into_iter().zip(to.numbers()).enumerate() {
        data_free(context, &[b], data)?;
        let (a, b) = alike(a, b);
        if a == b {
            continue;
        }
        require(i > 0 || !matches!(to, Notion::Renyi(..)), "another order")?;
        let fact = left
            .next()
            .ok_or_else(|| Stuck::new("a number is not bounded"))?;
        fact.holds_in(context)?;
        let wanted = Goal::Le(a.clone(), b.clone());
        require(*fact.goal() == wanted, "not the bound of that number")?;
    }
    require(left.next().is_none(), "more theorems than numbers")?;
    let goal = private(data, to.clone(), subject.clone());
    let from: Vec<&Theorem> = std::iter::once(theorem)
        .chain(facts.iter().copied())
        .collect();
    Theorem::conclude("weaken", context, goal, vec![trace::notion(to)], &from)
}

/// The numbers of two pairs of one kind; two numbers as they are.
fn alike<'a>(a: &'a Term, b: &'a Term) -> (&'a Term, &'a Term) {
    match (a, b) {
        (Term::Op(f @ (Op::Gaussian | Op::Response), x), Term::Op(g, y)) if f == g => {
            (&x[0], &y[0])
        }
        _ => (a, b),
    }
}

/// **one order**: what is ρ-zCDP is (α, ρ·α)-RDP for every α > 1 that does not depend on the data, by definition (Bun
/// and Steinke 2016, Def. 1.1).
///
/// # Errors
/// If the theorem is no zCDP bound, or α − 1 not plainly > 0.
pub fn renyi(theorem: &Theorem, order: &Term) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let (data, Notion::Zcdp(rho), subject) = privacy(theorem)? else {
        return Err(Stuck::new("no zCDP bound"));
    };
    data_free(context, &[order], data)?;
    let above = crate::normal::normal(context, &(order.clone() - num(1)))?;
    needs(context, &above.written(), Sign::Positive)?;
    let spent = op(Op::Mul, [rho.clone(), order.clone()]);
    let goal = private(data, Notion::Renyi(order.clone(), spent), subject.clone());
    Theorem::conclude("renyi", context, goal, vec![term(order)], &[theorem])
}

/// **a randomised response**: what is ε-DP is dominated by a randomised response of ε ≥ 0 (Kairouz, Oh and Viswanath
/// 2015, The Composition Theorem for Differential Privacy, ICML, arXiv:1311.0776).
///
/// Sound: of laws P, Q with P ≤ e^ε·Q and Q ≤ e^ε·P, the measures e^ε·P − Q and e^ε·Q − P, divided by e^ε − 1, are laws; the
/// bit says from which of them is drawn. For ε = 0 the laws are one.
///
/// # Errors
/// If the theorem is no bound of that kind, or ε not plainly ≥ 0.
pub fn response(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let pair = |epsilon: &Term| op(Op::Response, [epsilon.clone()]);
    let goal = of_pure(theorem, |epsilon| Notion::Dominated(pair(epsilon)))?;
    Theorem::conclude("response", theorem.context(), goal, vec![], &[theorem])
}

/// **pure is approximate**: what is ε-DP is (ε, 0)-DP (Dwork and Roth 2014, Def. 2.4, p. 17).
///
/// # Errors
/// If the theorem is no bound of that kind.
pub fn approximate(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let goal = of_pure(theorem, |e| Notion::Approximate(e.clone(), num(0)))?;
    Theorem::conclude("approximate", theorem.context(), goal, vec![], &[theorem])
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
    let as_many = wanted.len() == hypotheses.len();
    require(as_many, "another number of hypotheses")?;
    for ((_, sign), value) in signs.iter().zip(values) {
        needs(context, value, *sign)?;
    }
    let fill = |t: &Term| t.put_all(signs.iter().map(|(name, _)| *name), values);
    let mut mechanism: Option<(&str, &Subject)> = None;
    for (goal, theorem) in wanted.iter().zip(hypotheses) {
        theorem.holds_in(context)?;
        let fits = match goal {
            Goal::Le(a, b) => *theorem.goal() == Goal::Le(fill(a), fill(b)),
            Goal::Private { notion, .. } => {
                let (data, given, subject) = privacy(theorem)?;
                let one = mechanism.replace((data, subject)).is_none();
                one && notion.map(fill) == *given
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
    Theorem::citing(&[premise], "cite", context, goal, arguments, hypotheses)
}
