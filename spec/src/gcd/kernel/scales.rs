//! `gcd-thm-4.4-sc-b-repaired` and `gcd-thm-4.4-sc-repaired`: what T rounds do with high probability for any scales of the noise.
//!
//! s are the scales of the releases, s′ those of the selections; λ₁ is λ_max, m is M_min and l is log(1/δ).

use super::algorithm_by;
use super::descent::{above, least};
use super::events::{Scales, rare, run};
use super::noisy::{convex, excess, probable, rate, root, slope, space, under};
use super::strongly::{decays, factor, keeps};
use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, both, combine, discharge, expected, instance, root_increases, union,
};
use dp_assay_kernel::search::{assumed, item, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, var};

fn every_index(goal: Goal) -> Goal {
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// x_k ≤ λ₁ for every k.
fn at_most(x: &str) -> Goal {
    every_index(Goal::Le(at(&var(x), &var("k")), var("λ₁")))
}

/// m ≤ M_k for every k.
fn least_smooth() -> Goal {
    every_index(Goal::Le(var("m"), at(&var("M"), &var("k"))))
}

/// The scales, the noise and the algorithm; before them some more.
pub(super) fn context(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let algorithm = algorithm_by(slope, rate);
    setting(more)?.extended(Item::Process("Alg1".into(), algorithm))
}

/// The same without the algorithm.
pub(super) fn setting(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let all = || Sort::Vector(var("p"), Sign::Positive);
    let on = |x: &str, s: &str| {
        let index = vec![("j".to_owned(), Sort::Index(var("p")))];
        Item::Define(x.into(), index, at(&var(s), &var("j")))
    };
    let log = mul([num(8), var("T"), var("p")]) / var("ζ");
    let beta = mul([num(2), var("λ₁").pow(2)]) / var("m");
    let first = [
        item("p", Sort::Count),
        item("T", Sort::Count),
        item("M", all()),
        item("f", Sort::Function(var("p"), "M".into())),
        item("w₀", space()),
        item("w⋆", space()),
        Item::Assume(least()),
    ];
    let noise = [
        item("s", all()),
        item("s′", all()),
        positive("λ₁"),
        Item::Assume(at_most("s")),
        Item::Assume(at_most("s′")),
        positive("m"),
        Item::Assume(least_smooth()),
        positive("ζ"),
        Item::Assume(Goal::Le(var("ζ"), num(1))),
        positive("Λ"),
        Item::Assume(Goal::Eq(log.log(), var("Λ"))),
        Item::Define("β".into(), vec![], mul([beta, var("Λ").pow(2)])),
        on("λ", "s"),
        on("λ′", "s′"),
    ];
    Context::default().with(first.into_iter().chain(more).chain(noise))
}

/// The same for a strongly convex f, with q = 1 − μ/4.
fn context_of_strongly_convex() -> Result<Context, Stuck> {
    let assumed = [factor(), convex()].map(Item::Assume);
    context([positive("μ"), positive("q")].into_iter().chain(assumed))
}

/// λ₁Λ/√m.
fn width() -> Term {
    mul([var("λ₁"), var("Λ")]) / var("m").sqrt()
}

/// x_i·Λ ≤ (λ₁Λ/√m)·√M_i for scales x called so.
fn within(here: &Context, (x, name): (&str, &str), i: &Term) -> Proof {
    let small = instance(here, &assumed(here, &at_most(x))?, i)?;
    let smooth = instance(here, &assumed(here, &least_smooth())?, i)?;
    let smooth = root_increases(&smooth)?;
    let goal = Goal::Le(mul([app(name, [i.clone()]), var("Λ")]), width() * root(i));
    combine(
        here,
        goal,
        &[with(var("Λ"), &small), with(width(), &smooth)],
    )
}

pub(super) const SCALES: Scales = Scales {
    width,
    release: width,
    selected: |here, i| within(here, ("s′", "λ′"), i),
    released: |here| within(here, ("s", "λ"), &var("j")),
    rare: |here| rare(here, 8),
    apart: false,
};

/// q^t·(f(w₀) − f(w⋆)) + 4β/μ.
fn bound(t: &Term) -> Term {
    let start = mul([op(Op::Pow, [var("q"), t.clone()]), excess(&var("w₀"))]);
    start + total(4)
}

fn total(factor: i64) -> Term {
    mul([num(factor), app("β", [])]) / var("μ")
}

/// For all L, n, ε, l > 0: if λ₁ = 8L·√(Tl)/(nε), these are equal.
fn written_out(left: Term, right: Term) -> Goal {
    let goal = Goal::If(printed().into(), Goal::Eq(left, right).into());
    let every =
        |goal: Goal, x: &str| Goal::Every(x.into(), Sort::Real(Sign::Positive), goal.into());
    ["l", "ε", "n", "L"].into_iter().fold(goal, every)
}

/// The scales of Theorem 4.2 at their largest.
fn printed_scale() -> Term {
    let above = mul([num(8), var("L"), mul([var("T"), var("l")]).sqrt()]);
    above / mul([var("n"), var("ε")])
}

fn printed() -> Goal {
    Goal::Eq(var("λ₁"), printed_scale())
}

/// factor·T·L²·l·Λ²/(m·n²·ε²).
fn printed_beta(factor: i64) -> Term {
    let above = mul([
        num(factor),
        var("T"),
        var("L").pow(2),
        var("l"),
        var("Λ").pow(2),
    ]);
    above / mul([var("m"), var("n").pow(2), var("ε").pow(2)])
}

/// The proof of [`written_out`], for a left side that is `share`·β.
fn prove_written_out(context: &Context, goal: &Goal, share: Term) -> Proof {
    let here = context.with(["L", "n", "ε", "l"].map(positive))?;
    let here = here.extended(Item::Assume(printed()))?;
    let printed = assumed(&here, &printed())?;
    let factor = mul([num(2), share, var("Λ").pow(2)]) / var("m");
    let factor = mul([factor, printed_scale() + var("λ₁")]);
    let theorem = combine(&here, under(goal).clone(), &[with(factor, &printed)])?;
    (0..5).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// E (1 − 1\[f(w) − f(w⋆) ≤ q^T·(f(w₀) − f(w⋆)) + 4β/μ\]) ≤ ζ.
fn rarely_above(context: &Context) -> Proof {
    let start = Goal::Le(excess(&var("w₀")), bound(&num(0)));
    let start = combine(context, start, &[])?;
    let wanted = |x: &Term, t: &Term| [excess(x), bound(t)];
    run(context, &SCALES, &wanted, &start, keeps)
}

/// `gcd-thm-4.4-sc-b-repaired`: f(w) − f(w⋆) ≤ (1 − μ/4)^T·(f(w₀) − f(w⋆)) + 4β/μ with probability at least 1 − ζ; written out.
pub fn bounded() -> Result<Statement, Stuck> {
    let right = printed_beta(512) / var("μ");
    let goal = Goal::Both(vec![
        probable(bound(&var("T"))),
        written_out(total(4), right),
    ]);
    let context = context_of_strongly_convex()?;
    Ok(Statement { context, goal })
}

/// The proof of [`bounded`], or of a statement with other constants.
pub fn prove_bounded(statement: &Statement) -> Proof {
    let (context, [useful, explicit]) = (&statement.context, goals(statement)?);
    let rare = rarely_above(context)?;
    let useful = combine(context, useful.clone(), &[with(num(1), &rare)])?;
    let explicit = prove_written_out(context, explicit, num(4) / var("μ"))?;
    both(context, &[&useful, &explicit])
}

/// μ·(f(w₀) − f(w⋆)) ≤ 4X·β and (4/μ)·log X ≤ T.
fn choice() -> [Goal; 2] {
    let first = mul([num(4), var("X"), app("β", [])]);
    [
        Goal::Le(mul([var("μ"), excess(&var("w₀"))]), first),
        Goal::Le(mul([num(4) / var("μ"), var("X").log()]), var("T")),
    ]
}

/// `gcd-thm-4.4-sc-repaired`: f(w) − f(w⋆) ≤ 8β/μ with probability at least 1 − ζ for T ≥ (4/μ)·log(μ(f(w₀) − f(w⋆))/(4β)).
pub fn long() -> Result<Statement, Stuck> {
    let [first, long] = choice();
    let goal = Goal::If(long.into(), probable(total(8)).into());
    let goal = Goal::If(first.into(), goal.into());
    let every = Goal::Every("X".into(), Sort::Real(Sign::Positive), goal.into());
    let right = printed_beta(128);
    let goal = Goal::Both(vec![every, written_out(app("β", []), right)]);
    let context = context_of_strongly_convex()?;
    Ok(Statement { context, goal })
}

/// The proof of [`long`], or of a statement with other constants.
pub fn prove_long(statement: &Statement) -> Proof {
    let (context, [useful, explicit]) = (&statement.context, goals(statement)?);
    let [first, enough] = choice();
    let here = context.extended(positive("X"))?;
    let here = here.with([first.clone(), enough.clone()].map(Item::Assume))?;
    let [shrinks, long] = [&factor(), &enough].map(|goal| assumed(&here, goal));
    let decays = decays(&here, &(var("μ") / num(4)), [&shrinks?, &long?])?;
    let (first, above) = (assumed(&here, &first)?, above(&here, &var("w₀"))?);
    let parts = vec![
        Part::new(num(1), [&decays, &above].map(Into::into)),
        with(num(1) / mul([var("μ"), var("X")]), &first),
    ];
    let small = combine(&here, Goal::Le(bound(&var("T")), total(8)), &parts)?;
    // What is at most the first bound is at most the second.
    let inner = here.extended(item("w", space()))?;
    let given = Goal::Le(excess(&var("w")), bound(&var("T")));
    let inner = inner.extended(Item::Assume(given.clone()))?;
    let given = assumed(&inner, &given)?;
    let parts = [with(num(1), &given), with(num(1), &small)];
    let goal = Goal::Le(excess(&var("w")), total(8));
    let better = union(&discharge(&combine(&inner, goal, &parts)?)?)?;
    let better = expected(&better, &op(Op::End, [var("Alg1")]))?;
    let rare = rarely_above(context)?;
    let parts = [with(num(1), &rare), with(num(1), &better)];
    let useful = combine(&here, under(useful).clone(), &parts)?;
    let useful = (0..3).try_fold(useful, |theorem, _| discharge(&theorem))?;
    let explicit = prove_written_out(context, explicit, num(1))?;
    both(context, &[&useful, &explicit])
}
