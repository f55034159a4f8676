//! Theorem 4.2 for strongly convex f, with K and T rounded up: `skgd-thm-4.2-sc-repaired` and `skgd-thm-4.2-sc-rate-repaired`.

use super::privacy::{item, positive, space};
use super::round::{self, over_run};
use super::{context_of, distance, entry, f, inclusion_of, rate, with};
use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, both, combine, discharge, exp_log, instance, sum_over,
};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::search::exp::{exp_increases, log_not_negative, power};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, add, app, at, mul, num, op, sum, var};

/// 1 + A.
fn above_a() -> Term {
    num(1) + var("A")
}

/// (c/T)·Σ², where c/T is log(1/δ)/(n²ε²).
fn unit() -> Term {
    let [_, _, s] = rate();
    mul([app("c", []) / var("T"), s.pow(2)])
}

fn gap(w: &str) -> Term {
    f(&var(w)) - f(&var("w⋆"))
}

/// E f(w) − f(w⋆) at the end.
fn risk() -> Term {
    over_run(f(&var("w"))) - f(&var("w⋆"))
}

/// f(x) + ⟨∇f(x), y − x⟩ + (μ/2)·‖y − x‖² ≤ f(y) for all x and y.
fn strongly_convex() -> Goal {
    let j = var("j");
    let apart = entry("y", &j) - entry("x", &j);
    let slope = op(Op::Partial, [var("f"), var("x"), j]);
    let tangent = sum("j", var("d"), mul([slope, apart.clone()]));
    let square = mul([var("μ"), sum("j", var("d"), apart.pow(2))]) / num(2);
    let goal = Goal::Le(add([f(&var("x")), tangent, square]), f(&var("y")));
    let every = |x: &str, goal: Goal| Goal::Every(x.into(), space(), goal.into());
    every("x", every("y", goal))
}

/// M_j/p_j ≤ μA for every j, so that A may be the largest M_j/(μp_j).
fn conditioned() -> Goal {
    let j = var("j");
    let weight = entry("M", &j) / inclusion_of(&j);
    let goal = Goal::Le(weight, mul([var("μ"), var("A")]));
    Goal::Every("j".into(), Sort::Index(var("d")), goal.into())
}

/// log X = λ·log 2, that is λ = log₂X.
fn logarithm() -> Goal {
    Goal::Eq(var("X").log(), mul([var("λ"), num(2).log()]))
}

/// X·(1 + A)·(c/T)·Σ² = f(w₀) − f(w⋆).
fn start() -> Goal {
    Goal::Eq(mul([var("X"), above_a(), unit()]), gap("w₀"))
}

/// 2(1 + A) ≤ K ≤ 2(1 + A) + 1.
fn steps() -> [Goal; 2] {
    let twice = mul([num(2), above_a()]);
    [
        Goal::Le(twice.clone(), var("K")),
        Goal::Le(var("K"), twice + num(1)),
    ]
}

/// λ ≤ T ≤ λ + 1.
fn rounds() -> [Goal; 2] {
    [
        Goal::Le(var("λ"), var("T")),
        Goal::Le(var("T"), var("λ") + num(1)),
    ]
}

/// The context, with these conditions on how convex f is and how P fits to M.
pub(super) fn context_with(conditions: Vec<Goal>) -> Result<Context, Stuck> {
    let numbers = ["μ", "A", "X", "λ"].map(positive).into_iter();
    let last = [logarithm(), start()].into_iter().chain(steps());
    let assumed = conditions.into_iter().chain(last).chain(rounds());
    context_of(Some("T"), Some("T"))?.with(numbers.chain(assumed.map(Item::Assume)))
}

pub(super) fn context() -> Result<Context, Stuck> {
    context_with(vec![strongly_convex(), conditioned()])
}

/// 2^T.
fn doubled() -> Term {
    op(Op::Pow, [num(2), var("T")])
}

/// (f(w₀) − f(w⋆))/2^T + 24K·c·Σ².
fn after_rounds() -> Term {
    let [_, _, s] = rate();
    gap("w₀") / doubled() + mul([num(24), var("K"), app("c", []), s.pow(2)])
}

/// (a + b·λ)·x·(c/T)·Σ².
fn explicit(a: i64, b: i64, x: Term) -> Term {
    mul([num(a) + mul([num(b), var("λ")]), x, unit()])
}

/// `skgd-thm-4.2-sc-repaired`: with K = ⌈2(1 + A)⌉ and T = ⌈log₂X⌉, X = (f(w₀) − f(w⋆))/((1 + A)·(c/T)·Σ²) > 1, is
/// E f(w) − f(w⋆) ≤ 2^−T·(f(w₀) − f(w⋆)) + 24K·c·Σ² ≤ (61 + 60·log₂X)·(1 + A)·(c/T)·Σ².
pub fn statement() -> Result<Statement, Stuck> {
    let goal = Goal::Both(vec![
        Goal::Le(risk(), after_rounds()),
        Goal::Le(after_rounds(), explicit(61, 60, above_a())),
    ]);
    let context = context()?;
    Ok(Statement { context, goal })
}

/// `skgd-thm-4.2-sc-rate-repaired`: the same, E f(w) − f(w⋆) ≤ (122 + 120·log₂X)·A·(c/T)·Σ².
pub fn statement_of_rate() -> Result<Statement, Stuck> {
    let goal = Goal::Le(risk(), explicit(122, 120, var("A")));
    let context = context()?;
    Ok(Statement { context, goal })
}

/// ‖w − w⋆‖² ≤ 2A(f(w) − f(w⋆)) in the norm MP⁻¹ for every w: strong convexity at w⋆, where the slope is 0.
pub(super) fn contracts(context: &Context) -> Proof {
    let (i, w) = (var("i"), var("w"));
    let here = context.extended(item("w", space()))?;
    let strong = assumed(&here, &strongly_convex())?;
    let strong = instance(&here, &instance(&here, &strong, &var("w⋆"))?, &w)?;
    let apart = at(&w, &i) - entry("w⋆", &i);
    let flat = round::flat(&here, &apart)?;
    let inner = here.extended(item("i", Sort::Index(var("d"))))?;
    let weight = instance(&inner, &assumed(&inner, &conditioned())?, &i)?;
    let [one, other] = [entry("M", &i) / inclusion_of(&i), mul([var("μ"), var("A")])];
    let square = apart.pow(2);
    let goal = Goal::Le(mul([one, square.clone()]), mul([other, square.clone()]));
    let weighted = combine(&inner, goal, &[with(square, &weight)])?;
    let twice = |sign: i64| mul([num(2 * sign), var("A")]);
    let goal = Goal::Le(distance(&w), mul([twice(1), gap("w")]));
    let weighted = sum_over(&weighted)?;
    let parts = vec![
        with(num(1), &weighted),
        with(twice(1), &strong),
        with(twice(-1), &flat),
    ];
    discharge(&combine(&here, goal, &parts)?)
}

/// X ≤ 2^T, from log X = λ·log 2 ≤ T·log 2.
fn enough(context: &Context) -> Proof {
    let (x, two) = (var("X"), num(2));
    let [least, _] = rounds();
    let (told, least) = (assumed(context, &logarithm())?, assumed(context, &least)?);
    let positive = combine(context, Goal::Le(num(1), two.clone()), &[])?;
    let positive = log_not_negative(&positive)?;
    let above = mul([var("T"), two.log()]);
    let parts = vec![
        with(num(1), &told),
        Part::new(num(1), [&least, &positive].map(Into::into)),
    ];
    let logs = combine(context, Goal::Le(x.log(), above), &parts)?;
    let (grows, named) = (exp_increases(&logs)?, exp_log(context, &x)?);
    let power = power(context, &two, &var("T"))?;
    let parts = vec![
        with(num(1), &grows),
        with(num(-1), &named),
        with(num(-1), &power),
    ];
    combine(context, Goal::Le(x, doubled()), &parts)
}

/// The two bounds of [`statement`], these constants in them, and 1 ≤ A, from what [`contracts`] says.
fn bounds(context: &Context, every: &Theorem, goals: [Goal; 2]) -> Result<[Theorem; 3], Stuck> {
    let one = round::conditioning(context, every)?;
    let [few, many] = steps();
    let (few, many) = (assumed(context, &few)?, assumed(context, &many)?);
    let twice = mul([num(2), var("A")]);
    let few = combine(context, Goal::Le(twice, var("K")), &[with(num(1), &few)])?;
    let all = round::of_rounds(context, |inside| {
        let of_w = instance(inside, every, &var("w"))?;
        round::contraction(inside, &of_w, &few)
    })?;
    let [useful, stated] = goals;
    let shrunk = |sign: i64| num(sign) / doubled();
    let useful = combine(context, useful, &[with(shrunk(1), &all)])?;
    // 60(1 + A)(λ + 1) − 24KT = 24T(2(1 + A) + 1 − K) + 12T(A − 1) + 60(1 + A)(λ + 1 − T).
    let (start, enough) = (assumed(context, &start())?, enough(context)?);
    let [_, last] = rounds();
    let last = assumed(context, &last)?;
    let each = mul([above_a(), unit()]);
    let parts = vec![
        with(shrunk(-1), &start),
        with(each.clone() / doubled(), &enough),
        with(mul([num(24), var("T"), unit()]), &many),
        with(mul([num(12), var("T"), unit()]), &one),
        with(mul([num(60), each]), &last),
    ];
    let stated = combine(context, stated, &parts)?;
    Ok([useful, stated, one])
}

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [useful, stated, _] = bounds(context, &contracts(context)?, goals(statement)?.clone())?;
    both(context, &[&useful, &stated])
}

/// The proof of [`statement_of_rate`], or of a statement with other constants: (61 + 60λ)(1 + A) ≤ (122 + 120λ)A.
pub fn prove_rate(statement: &Statement) -> Proof {
    let context = &statement.context;
    rate_of(context, &contracts(context)?, statement.goal.clone())
}

/// The rate of [`statement_of_rate`], or another goal that is weaker, from what [`contracts`] says.
pub(super) fn rate_of(context: &Context, every: &Theorem, goal: Goal) -> Proof {
    let stated = Goal::Le(after_rounds(), explicit(61, 60, above_a()));
    let goals = [Goal::Le(risk(), after_rounds()), stated];
    let [useful, stated, one] = bounds(context, every, goals)?;
    let parts = vec![
        with(num(1), &useful),
        with(num(1), &stated),
        with(explicit(61, 60, num(1)), &one),
    ];
    combine(context, goal, &parts)
}
