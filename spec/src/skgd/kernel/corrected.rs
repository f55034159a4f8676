//! Theorem 4.2 as one may use it, private and useful in one statement: `skgd-thm-4.2-cvx-corrected` and
//! `skgd-thm-4.2-sc-corrected`. f is for every data set the mean of a loss plus a function r that reads no data; M and L_U are the
//! same for all of them. V(x, y) stands for ‖x − y‖² in the norm MP⁻¹.
//!
//! r is smooth along the coordinates, too, with constants of its own: where the mean of the losses is convex, it is, since f is.

use super::privacy::{budget, converted, item, log, masked, positive, setting, space};
use super::round::{self, over_run, query, release};
use super::{between, definitions, excess, f, noise, radius_hypotheses, rate, with};
use crate::moved::written::{Proof, all_goals, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, both, combine, compose, discharge, forget, gaussian, gradient_bound, instance, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Context, Goal, Item, Mean, Notion, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, var, vector};

/// The data, the losses, the noise and the algorithm, in one round or in T; then some more.
fn context(rounds: Option<&str>, more: Vec<Item>) -> Result<Context, Stuck> {
    let all = Sort::Vector(var("d"), Sign::Positive);
    let mean = Mean {
        data: "D".into(),
        loss: "ℓ".into(),
        rest: "r".into(),
    };
    let own = [
        item("M", all.clone()),
        item("Q", all),
        item("r", Sort::Function(var("d"), "Q".into())),
        item("f", Sort::Risk(var("d"), "M".into(), mean)),
        item("w₀", space()),
    ];
    let on = |x: &str| (x.to_owned(), space());
    let norm = between(&var("x"), &var("y"));
    let algorithm = [
        Item::Process("Alg1".into(), round::algorithm(rounds)),
        Item::Define("V".into(), vec![on("x"), on("y")], norm),
    ];
    let counts = rounds.into_iter().chain(["K"]);
    let counts = counts.map(|x| item(x, Sort::Count));
    let items = setting()
        .into_iter()
        .chain(budget())
        .chain(counts)
        .chain(own);
    let items = items.chain(definitions(rounds)).chain(algorithm);
    Context::default().with(items.chain(more))
}

fn v(x: &str, y: &str) -> Term {
    app("V", [var(x), var(y)])
}

fn gap(w: &str) -> Term {
    f(&var(w)) - f(&var("w⋆"))
}

/// E f(w) − f(w⋆) at the end.
fn risk() -> Term {
    over_run(f(&var("w"))) - f(&var("w⋆"))
}

/// For every w⋆ where f is least, and given what else is supposed of the data.
fn of_data(given: &[Goal], goal: Goal) -> Goal {
    let under = |goal: Goal, given: &Goal| Goal::If(given.clone().into(), goal.into());
    let goal = given.iter().rev().fold(goal, under);
    let least = Goal::Minimises("f".into(), var("w⋆"));
    Goal::Every("w⋆".into(), space(), under(goal, &least).into())
}

/// What holds of [`of_data`], without what it supposes.
fn under(goal: &Goal) -> &Goal {
    match goal {
        Goal::Every(_, _, goal) | Goal::If(_, goal) => under(goal),
        goal => goal,
    }
}

/// What [`of_data`] supposes, as a context.
fn with_data(context: &Context, given: &[Goal]) -> Result<Context, Stuck> {
    let least = Goal::Minimises("f".into(), var("w⋆"));
    let all = std::iter::once(&least).chain(given).cloned();
    let minimiser = [item("w⋆", space())].into_iter();
    context.with(minimiser.chain(all.map(Item::Assume)))
}

/// A theorem of [`with_data`] for all data.
fn for_data(theorem: Theorem, given: &[Goal]) -> Proof {
    (0..given.len() + 2).try_fold(theorem, |theorem, _| discharge(&theorem))
}

fn private(view: View) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Process("Alg1".into(), view),
    }
}

/// `Alg1` is (ε, δ)-DP: a step moves by at most 2L_S/n, since r cancels, costs ε²/(6m·log(1/δ)) for m steps in all, and the
/// set costs nothing.
fn prove_private(context: &Context, steps: &Term, view: View) -> Proof {
    let index = |x: &str, times: &str| item(x, Sort::Index(var(times)));
    let outer = context.get("T").map(|_| index("t", "T"));
    let states = [item("w", space()), item("θ", space())].into_iter();
    let here = states.chain(outer).chain([index("k", "K")]);
    let drawn = item("S", Sort::Outcome("𝒮".into()));
    let here = context.with(here.chain([drawn]))?;
    let share = Share {
        of: &|z| vector("j", var("d"), masked("S", "θ", z, &var("j")) / var("n")),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("θ"), z, Some("S")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("L"), &var("S"))]) / var("n");
    let moved = record_moves(&here, "D", &query(), &share, &by)?;
    let step = gaussian(&here, &release(), &moved)?;
    let cost = zcdp_cost(&step.statement().goal)?;
    let each = var("ε").pow(2) / mul([num(6), steps.clone(), log()]);
    let smaller = combine(&here, Goal::Le(cost.clone(), each.clone()), &[])?;
    let step = weaken(&step, &Notion::Zcdp(each), &[&smaller])?;
    forget(
        &converted(context, &compose(context, "Alg1", "D", &[&step])?)?,
        view,
    )
}

/// V(w₀, w⋆) ≤ ϱ².
fn near() -> Goal {
    Goal::Le(v("w₀", "w⋆"), var("ϱ").pow(2))
}

/// ϱ²/(2K) + 12K·c·Σ².
fn at_radius() -> Term {
    var("ϱ").pow(2) / mul([num(2), var("K")]) + noise()
}

/// `skgd-thm-4.2-cvx-corrected`: with K = ⌈ϱ/(5Σ√c)⌉ the path of Algorithm 1, one round, is (ε, δ)-DP; and for data with a
/// minimiser within ϱ its mean has E f(w) − f(w⋆) ≤ ϱ²/(2K) + 12K·c·Σ² ≤ (49/10)·ϱΣ√c + 12c·Σ².
pub fn convex() -> Result<Statement, Stuck> {
    let [enough, few, _] = radius_hypotheses();
    let more = vec![positive("ϱ"), Item::Assume(enough), Item::Assume(few)];
    let context = context(None, more)?;
    let [c, _, s] = rate();
    let first = mul([num(49), var("ϱ"), s.clone(), c]) / num(10);
    let rest = mul([num(12), app("c", []), s.pow(2)]);
    let goal = Goal::Both(vec![
        private(View::Path),
        of_data(&[near()], Goal::Le(risk(), at_radius())),
        Goal::Le(at_radius(), first + rest),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`convex`], or of a statement with other constants.
pub fn prove_convex(statement: &Statement) -> Proof {
    let context = &statement.context;
    let goals = all_goals(statement);
    let private = prove_private(context, &var("K"), View::Path)?;
    let given = [near()];
    let here = with_data(context, &given)?;
    let all = round::of_all(&here)?;
    let near = assumed(&here, &near())?;
    let parts = vec![
        with(num(1) / var("K"), &all),
        with(num(1) / mul([num(2), var("K")]), &near),
    ];
    let useful = combine(&here, Goal::Le(risk(), at_radius()), &parts)?;
    let useful = for_data(useful, &given)?;
    let [enough, few, _] = radius_hypotheses();
    let facts = [assumed(context, &enough)?, assumed(context, &few)?];
    let [c, _, s] = rate();
    let Some(Goal::Le(_, Term::Op(Op::Add, bound))) = goals.last() else {
        return Err(Stuck::new("the bound is not a sum"));
    };
    // With b = Σ√c: 4.9ϱb + 12b² − ϱ²/(2K) − 12Kb² = (ϱ/2K)(5Kb − ϱ) + (12b/5)(ϱ + 5b − 5Kb).
    let b = mul([s.clone(), c.clone()]);
    let mut parts = vec![
        with(var("ϱ") / mul([num(2), var("K")]), &facts[0]),
        with(mul([num(12), b.clone()]) / num(5), &facts[1]),
    ];
    parts.extend(excess(&bound[0], (49, 10).into(), mul([var("ϱ"), b]))?);
    parts.extend(excess(&bound[1], 12.into(), mul([app("c", []), s.pow(2)]))?);
    let explicit = combine(context, goals[2].clone(), &parts)?;
    both(context, &[&private, &useful, &explicit])
}

fn twice_a() -> Term {
    mul([num(2), var("A")])
}

/// V(w, w⋆) ≤ 2A(f(w) − f(w⋆)) for every w, and f(w₀) − f(w⋆) ≤ F.
fn conditioned() -> [Goal; 2] {
    let one = Goal::Le(v("w", "w⋆"), mul([twice_a(), gap("w")]));
    [
        Goal::Every("w".into(), space(), one.into()),
        Goal::Le(gap("w₀"), var("F")),
    ]
}

/// x·(T + 1)·(c/T)·Σ².
fn per_round(x: Term) -> Term {
    let [_, _, s] = rate();
    mul([x, var("T") + num(1), app("c", []) / var("T"), s.pow(2)])
}

/// F ≤ 2^T·24K·(c/T)·Σ².
fn enough_rounds() -> Goal {
    let [_, _, s] = rate();
    let power = op(Op::Pow, [num(2), var("T")]);
    let unit = app("c", []) / var("T");
    Goal::Le(var("F"), mul([power, num(24), var("K"), unit, s.pow(2)]))
}

/// F/2^T + 24K·c·Σ².
fn after_rounds() -> Term {
    let [_, _, s] = rate();
    let power = op(Op::Pow, [num(2), var("T")]);
    var("F") / power + mul([num(24), var("K"), app("c", []), s.pow(2)])
}

/// 2A ≤ K ≤ 2A + 1.
fn few_steps() -> [Goal; 2] {
    [
        Goal::Le(twice_a(), var("K")),
        Goal::Le(var("K"), twice_a() + num(1)),
    ]
}

/// `skgd-thm-4.2-sc-corrected`: with K = ⌈2A⌉ and T ≥ log₂(F/(24K·(c/T)·Σ²)) the end of Algorithm 1 is (ε, δ)-DP; and for data
/// with ‖w − w⋆‖² ≤ 2A(f(w) − f(w⋆)) for every w and f(w₀) − f(w⋆) ≤ F it has E f(w) − f(w⋆) ≤ 2^−T·F + 24K·c·Σ² ≤
/// 24K(T + 1)·(c/T)·Σ², which is at most 72A(T + 1)·(c/T)·Σ². Here c is T·log(1/δ)/(n²ε²).
pub fn strong() -> Result<Statement, Stuck> {
    let assumptions = few_steps().into_iter().chain([enough_rounds()]);
    let positives = [positive("A"), positive("F")].into_iter();
    let more = positives.chain(assumptions.map(Item::Assume)).collect();
    let context = context(Some("T"), more)?;
    let explicit = per_round(mul([num(24), var("K")]));
    let rate = Goal::Le(risk(), per_round(mul([num(72), var("A")])));
    let goal = Goal::Both(vec![
        private(View::Path),
        of_data(&conditioned(), Goal::Le(risk(), after_rounds())),
        Goal::Le(after_rounds(), explicit),
        of_data(&conditioned(), rate),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`strong`], or of a statement with other constants.
pub fn prove_strong(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [_, _, stated, rate] = goals(statement)?;
    let steps = mul([var("K"), var("T")]);
    let private = prove_private(context, &steps, View::Path)?;
    let given = conditioned();
    let here = with_data(context, &given)?;
    let [every, start] = &given;
    let (every, start) = (assumed(&here, every)?, assumed(&here, start)?);
    let [few, many] = few_steps();
    let (few, many) = (assumed(&here, &few)?, assumed(&here, &many)?);
    let all = round::of_rounds(&here, |inside| {
        let of_w = instance(inside, &every, &var("w"))?;
        round::contraction(inside, &of_w, &few)
    })?;
    let shrunk = || num(1) / op(Op::Pow, [num(2), var("T")]);
    let parts = vec![with(shrunk(), &all), with(shrunk(), &start)];
    let useful = combine(&here, Goal::Le(risk(), after_rounds()), &parts)?;
    let enough = assumed(context, &enough_rounds())?;
    let parts = || vec![with(shrunk(), &enough)];
    let explicit = Goal::Le(after_rounds(), per_round(mul([num(24), var("K")])));
    let explicit = combine(context, explicit, &parts())?;
    let stated = combine(context, stated.clone(), &parts())?;
    // K ≤ 2A + 1 ≤ 3A.
    let one = round::conditioning(&here, &every)?;
    let unit = per_round(num(24));
    let parts = vec![
        with(num(1), &useful),
        with(num(1), &explicit),
        with(unit.clone(), &many),
        with(unit, &one),
    ];
    let rate = combine(&here, under(rate).clone(), &parts)?;
    let (useful, rate) = (for_data(useful, &given)?, for_data(rate, &given)?);
    both(context, &[&private, &useful, &stated, &rate])
}
