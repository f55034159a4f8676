//! `gcd-thm-4.4-sc-corrected`: one run of Algorithm 1, private and, for a strongly convex f, useful with high probability.

use super::events::{OWN, Round, height, run};
use super::noisy::{
    beta, context, convex, excess, logarithm, norm, of_data, private, probable, prove_private,
    under, with_data,
};
use crate::moved::written::{Proof, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, combine, counted, discharge, exp_log, instance};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, log_increases, log_tangent, power,
};
use dp_assay_kernel::search::{assumed, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, app, mul, num, op, var};

/// f(w₀) − f(w⋆) ≤ G.
fn near() -> Goal {
    Goal::Le(excess(&var("w₀")), var("G"))
}

fn given() -> [Goal; 2] {
    [convex(), near()]
}

/// q = 1 − μ/4.
pub(super) fn factor() -> Goal {
    Goal::Eq(var("q"), num(1) - var("μ") / num(4))
}

/// q^t·G + 4β/μ.
fn bound(t: &Term) -> Term {
    let start = mul([op(Op::Pow, [var("q"), t.clone()]), var("G")]);
    start + mul([num(4), app("β", [])]) / var("μ")
}

/// What T is chosen by: μG = 4X·β₁, β₁ being β with T = 1, and (4/μ)·log X ≤ T.
fn choice() -> [Goal; 2] {
    let first = beta(num(1), "Λ₁");
    [
        Goal::Eq(mul([var("μ"), var("G")]), mul([num(4), var("X"), first])),
        Goal::Le(mul([num(4) / var("μ"), var("X").log()]), var("T")),
    ]
}

/// `gcd-thm-4.4-sc-corrected`: the path of Algorithm 1 is (ε, δ)-DP; with probability at least 1 − ζ its end has f(w) − f(w⋆) ≤
/// q^T·G + 4β/μ, which for T ≥ (4/μ)·log(μG/(4β₁)) is at most 8β/μ.
pub fn statement() -> Result<Statement, Stuck> {
    let numbers = [
        positive("μ"),
        Item::Assume(Goal::Le(var("μ"), num(1))),
        positive("q"),
        Item::Assume(factor()),
        positive("G"),
    ];
    let total = mul([num(8), app("β", [])]) / var("μ");
    let explicit = Goal::Le(bound(&var("T")), total);
    let [first, long] = choice();
    let explicit = [logarithm(num(1), "Λ₁"), first, long]
        .into_iter()
        .rev()
        .fold(explicit, |goal, given| Goal::If(given.into(), goal.into()));
    let every =
        |x: &str, goal: Goal| Goal::Every(x.into(), Sort::Real(Sign::Positive), goal.into());
    let goal = Goal::Both(vec![
        private(),
        of_data(&given(), probable(bound(&var("T")))),
        every("Λ₁", every("X", explicit)),
    ]);
    let context = context(numbers)?;
    Ok(Statement { context, goal })
}

/// 2μ·(f(w) − f(w⋆)) ≤ (s + 2u)²: strong convexity at w and Hölder's inequality.
fn gradient(round: &Round<'_>) -> Proof {
    let (here, w, least) = (round.here, var("w"), var("w⋆"));
    let strong = assumed(here, &convex())?;
    let strong = instance(here, &instance(here, &strong, &w)?, &least)?;
    let hoelder = round.hoelder()?;
    let (total, twice) = (round.largest_slope(), mul([num(2), var("μ")]));
    let rest = (total.clone() - mul([var("μ"), norm(&w, &least)])).pow(2);
    let parts = [
        with(twice.clone(), &strong),
        with(twice.clone(), &hoelder),
        Part::new(rest, []),
    ];
    combine(
        here,
        Goal::Le(mul([twice, excess(&w)]), total.pow(2)),
        &parts,
    )
}

/// One round: ξ⁺ ≤ ξ − s²/2 + v²/2 ≤ qξ + (2/3)u² + v²/2, since s²/2 + (2/3)u² − (s + 2u)²/8 = (3s − 2u)²/24.
pub(super) fn keeps(round: &Round<'_>, goal: Goal) -> Proof {
    let here = round.here;
    let (large, shrinks) = (gradient(round)?, assumed(here, &factor())?);
    let limit = mul([num(4), app("β", [])]) / var("μ");
    let square = mul([num(3), height()]) - mul([num(2), (round.scales.width)()]);
    let parts = vec![
        with(num(1), &round.descent),
        with(var("q"), &round.before),
        with(num(1) / num(8), &large),
        with(limit - excess(&var("w")), &shrinks),
        Part::new(square.pow(2) / num(24), []),
    ];
    combine(here, goal, &parts)
}

/// The run has f(w) − f(w⋆) ≤ q^T·G + 4β/μ with probability at least 1 − ζ, or another bound.
fn useful(context: &Context, goal: &Goal) -> Proof {
    let given = given();
    let here = with_data(context, &given)?;
    let start = Goal::Le(excess(&var("w₀")), bound(&num(0)));
    let start = combine(&here, start, &[with(num(1), &assumed(&here, &near())?)])?;
    let wanted = |x: &Term, t: &Term| [excess(x), bound(t)];
    let rare = run(&here, &OWN, &wanted, &start, keeps)?;
    let inside = under(goal).clone();
    let theorem = combine(&here, inside, &[with(num(1), &rare)])?;
    (0..=given.len()).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// q^T ≤ exp(T·log q) ≤ exp(−log X) = 1/X, from log q ≤ q − 1 = −r (`shrinks`) and (1/r)·log X ≤ T (`long`), r being the rate.
pub(super) fn decays(here: &Context, rate: &Term, [shrinks, long]: [&Theorem; 2]) -> Proof {
    let (x, q, rounds) = (var("X"), var("q"), var("T"));
    let tangent = log_tangent(here, &q)?;
    let decay = num(0) - x.log();
    let parts = [
        with(rounds.clone(), &tangent),
        with(rounds.clone(), shrinks),
        with(rate.clone(), long),
    ];
    let spent = mul([rounds.clone(), q.log()]);
    let below = combine(here, Goal::Le(spent, decay.clone()), &parts)?;
    let (below, power) = (exp_increases(&below)?, power(here, &q, &rounds)?);
    let (unit, inverse) = (exp_of_opposite(here, &x.log())?, exp_log(here, &x)?);
    let parts = [
        with(num(1), &below),
        with(num(1), &power),
        with(num(-1) / x.clone(), &unit),
        with(mul([num(-1) / x.clone(), decay.exp()]), &inverse),
    ];
    let power = op(Op::Pow, [q, rounds]);
    combine(here, Goal::Le(power, num(1) / x), &parts)
}

/// q^T·G ≤ 4β/μ: q^T ≤ 1/X, and β₁ ≤ β as T ≥ 1.
fn explicit(context: &Context, goal: &Goal) -> Proof {
    let [first, long] = choice();
    let assumptions = [logarithm(num(1), "Λ₁"), first.clone(), long.clone()];
    let here = context.with([positive("Λ₁"), positive("X")])?;
    let here = here.with(assumptions.map(Item::Assume))?;
    let (first, long) = (assumed(&here, &first)?, assumed(&here, &long)?);
    let (shrinks, rate) = (assumed(&here, &factor())?, var("μ") / num(4));
    let (decays, grown) = (decays(&here, &rate, [&shrinks, &long])?, grown(&here)?);
    let parts = vec![
        with(var("G"), &decays),
        with(num(1) / mul([var("μ"), var("X")]), &first),
        with(num(4) / var("μ"), &grown),
    ];
    let theorem = combine(&here, under(goal).clone(), &parts)?;
    (0..5).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// β₁ ≤ β: T·Λ² − Λ₁² = (T − 1)·Λ² + (Λ − Λ₁)·(Λ + Λ₁).
pub(super) fn grown(here: &Context) -> Proof {
    let inside = |rounds: Term| mul([num(2), rounds, var("p")]) / var("ζ");
    let one = counted(here, &var("T"))?;
    let more = Goal::Le(inside(num(1)), inside(var("T")));
    let more = combine(
        here,
        more,
        &[with(mul([num(2), var("p")]) / var("ζ"), &one)],
    )?;
    let logs = log_increases(&more)?;
    let (all, first) = (
        assumed(here, &logarithm(var("T"), "Λ"))?,
        assumed(here, &logarithm(num(1), "Λ₁"))?,
    );
    let parts = [
        with(num(1), &logs),
        with(num(1), &all),
        with(num(-1), &first),
    ];
    let logs = combine(here, Goal::Le(var("Λ₁"), var("Λ")), &parts)?;
    let unit = beta(num(1), "Λ₁") / var("Λ₁").pow(2);
    let parts = [
        with(mul([unit.clone(), var("Λ").pow(2)]), &one),
        with(mul([unit, var("Λ") + var("Λ₁")]), &logs),
    ];
    combine(here, Goal::Le(beta(num(1), "Λ₁"), app("β", [])), &parts)
}

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    whole(statement, &[&|h, _| prove_private(h), &useful, &explicit])
}
