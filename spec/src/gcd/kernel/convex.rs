//! `gcd-thm-4.4-cvx-corrected`: one run of Algorithm 1, private and, for a convex f, useful with high probability.

use super::events::{OWN, Round, height, run};
use super::noisy::{
    beta, context, excess, logarithm, norm, of_data, private, probable, prove_private, space,
    under, with_data,
};
use crate::moved::written::{Proof, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, combine, convex, discharge, expected, instance, larger, largest, root_increases,
    union,
};
use dp_assay_kernel::search::exp::log_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, app, mul, num, op, var};

/// c = 8R².
pub(super) fn c() -> Term {
    mul([num(8), var("R").pow(2)])
}

pub(super) fn u() -> Term {
    app("u", [])
}

pub(super) fn beta_here() -> Term {
    app("β", [])
}

/// u + max(8R²/T, β).
pub(super) fn bound() -> Term {
    u() + (c() / var("T")).max_with(&beta_here())
}

/// u + β ≤ G; f(w₀) − f(w⋆) ≤ G; and Σ_i √M_i·|x_i − w⋆_i| ≤ R for every x with f(x) − f(w⋆) ≤ G.
pub(super) fn given() -> [Goal; 3] {
    let x = var("x");
    let inside = op(Op::AtMost, [excess(&x), var("G")]);
    let near = Goal::Le(mul([inside, norm(&x, &var("w⋆"))]), var("R"));
    [
        Goal::Le(u() + beta_here(), var("G")),
        Goal::Le(excess(&var("w₀")), var("G")),
        Goal::Every("x".into(), space(), near.into()),
    ]
}

/// q³·ρ²·m·Λₙ² = R²n²ε², Λₙ being log(2np/ζ); 64 ≤ q ≤ T ≤ q + 1, and T ≤ n.
fn choice() -> [Goal; 6] {
    let (q, rounds) = (var("q"), var("T"));
    let left = mul([q.pow(3), var("ρ").pow(2), app("m", []), var("Λₙ").pow(2)]);
    let right = mul([var("R").pow(2), var("n").pow(2), var("ε").pow(2)]);
    [
        logarithm(var("n"), "Λₙ"),
        Goal::Eq(left, right),
        Goal::Le(num(64), q.clone()),
        Goal::Le(q.clone(), rounds.clone()),
        Goal::Le(rounds.clone(), q + num(1)),
        Goal::Le(rounds, var("n")),
    ]
}

/// `gcd-thm-4.4-cvx-corrected`: the path of Algorithm 1 is (ε, δ)-DP; with probability at least 1 − ζ its end has f(w) − f(w⋆) ≤
/// u + max(8R²/T, β), u = √(8R²β), which is at most 29R²/q for T = ⌈q⌉.
pub fn statement() -> Result<Statement, Stuck> {
    let numbers = [positive("G"), positive("R")];
    let root = Item::Define("u".into(), vec![], mul([c(), beta_here()]).sqrt());
    let context = context(numbers)?.extended(root)?;
    let most = mul([num(29), var("R").pow(2)]) / var("q");
    let under = |goal: Goal, given: &Goal| Goal::If(given.clone().into(), goal.into());
    let explicit = choice().iter().rev().fold(Goal::Le(bound(), most), under);
    let every =
        |x: &str, goal: Goal| Goal::Every(x.into(), Sort::Real(Sign::Positive), goal.into());
    let goal = Goal::Both(vec![
        private(),
        of_data(&given(), probable(bound())),
        every("Λₙ", every("q", explicit)),
    ]);
    Ok(Statement { context, goal })
}

/// max(ξ − G, t·(ξ − u) − max(c, tβ)) ≤ 0, ξ being f(x) − f(w⋆).
pub(super) fn wanted(x: &Term, t: &Term) -> [Term; 2] {
    [apart(x).max_with(&ahead(x, t)), num(0)]
}

pub(super) fn apart(x: &Term) -> Term {
    excess(x) - var("G")
}

pub(super) fn ahead(x: &Term, t: &Term) -> Term {
    mul([t.clone(), excess(x) - u()]) - level(t)
}

/// max(c, tβ).
fn level(t: &Term) -> Term {
    c().max_with(&mul([t.clone(), beta_here()]))
}

/// From max(a, b) ≤ 0: the first or the second is at most 0.
fn part(here: &Context, theorem: &Theorem, [a, b]: [&Term; 2], second: bool) -> Proof {
    let above = larger(here, a, b, second)?;
    let one = if second { b } else { a };
    let parts = [with(num(1), &above), with(num(1), theorem)];
    combine(here, Goal::Le(one.clone(), num(0)), &parts)
}

/// What one round does, with w⁺ the state behind it.
struct Move<'a> {
    here: &'a Context,
    after: Term,
    /// ξ ≤ G.
    inside: Theorem,
    /// t·(ξ − u) − max(c, tβ) ≤ 0.
    slow: Theorem,
    /// ξ⁺ ≤ ξ + β.
    rises: Theorem,
    /// u + β ≤ G.
    small: &'a Theorem,
}

impl Move<'_> {
    fn gap(&self) -> Term {
        excess(&var("w")) - u()
    }

    /// Behind the round: ξ⁺ − G ≤ 0 and (t + 1)·(ξ⁺ − u) − max(c, (t + 1)β) ≤ 0, for ξ ≤ u.
    fn low(&self, here: &Context, given: &Theorem) -> Result<[Theorem; 2], Stuck> {
        let next = var("t") + num(1);
        let first = [&self.rises, given, self.small].map(|fact| with(num(1), fact));
        let above = larger(here, &c(), &mul([next.clone(), beta_here()]), true)?;
        let second = [
            with(next.clone(), &self.rises),
            with(next.clone(), given),
            with(num(1), &above),
        ];
        Ok([
            combine(here, Goal::Le(apart(&self.after), num(0)), &first)?,
            combine(here, Goal::Le(ahead(&self.after, &next), num(0)), &second)?,
        ])
    }

    /// The same for u ≤ ξ, where ξ⁺ ≤ ξ − ξ²/c + β (`sharp`).
    fn high(
        &self,
        here: &Context,
        given: &Theorem,
        sharp: &Theorem,
    ) -> Result<[Theorem; 2], Stuck> {
        let twice = mul([num(2), u()]) / c();
        // ξ² − cβ = (ξ − u)² + 2u(ξ − u).
        let first = [
            with(num(1), sharp),
            with(num(1), &self.inside),
            Part::new(num(1) / c(), [given, given].map(Into::into)),
            with(twice.clone(), given),
        ];
        let first = combine(here, Goal::Le(apart(&self.after), num(0)), &first)?;
        // With x = ξ − u: x⁺ ≤ x − x²/c.
        let x = self.gap();
        let goal = Goal::Le(excess(&self.after) - u(), x.clone() - x.pow(2) / c());
        let falls = combine(here, goal, &[with(num(1), sharp), with(twice, given)])?;
        let steps = mul([var("t"), beta_here()]);
        let second = either(here, [&steps, &c()], |here, order, early| {
            let same = |t: Term| combine(here, Goal::Le(t.clone(), t), &[]);
            let least = match early {
                true => largest(&same(c())?, order)?,
                false => largest(order, &same(steps.clone())?)?,
            };
            let top = if early { c() } else { steps.clone() };
            let goal = Goal::Le(mul([var("t"), x.clone()]), top);
            let slow = [with(num(1), &self.slow), with(num(1), &least)];
            let slow = combine(here, goal, &slow)?;
            match early {
                true => self.early(here, [given, &falls, &slow]),
                false => self.late(here, [given, &falls, &slow, order]),
            }
        })?;
        Ok([first, second])
    }

    /// (t + 1)·x⁺ ≤ c from t·x ≤ c, and x ≤ c or not.
    fn early(&self, here: &Context, [given, falls, slow]: [&Theorem; 3]) -> Proof {
        let (x, next) = (self.gap(), var("t") + num(1));
        let above = larger(here, &c(), &mul([next.clone(), beta_here()]), false)?;
        either(here, [&x, &c()], |here, order, small| {
            let mut parts = vec![with(next.clone(), falls), with(num(1), &above)];
            if small {
                // c − (t + 1)(x − x²/c) = (c − tx)(c − x)/c + x²/c.
                parts.push(Part::new(num(1) / c(), [slow, order].map(Into::into)));
                parts.push(Part::new(x.pow(2) / c(), []));
            } else {
                let factor = next.clone() / c();
                parts.push(Part::new(factor, [given, order].map(Into::into)));
            }
            combine(here, Goal::Le(ahead(&self.after, &next), num(0)), &parts)
        })
    }

    /// (t + 1)·x⁺ ≤ (t + 1)β from t·x ≤ tβ and c ≤ tβ, and x ≤ β or not.
    fn late(&self, here: &Context, [given, falls, slow, long]: [&Theorem; 4]) -> Proof {
        let (x, t, next) = (self.gap(), var("t"), var("t") + num(1));
        let above = larger(here, &c(), &mul([next.clone(), beta_here()]), true)?;
        either(here, [&x, &beta_here()], |here, order, small| {
            let mut parts = vec![with(next.clone(), falls), with(num(1), &above)];
            if small {
                parts.push(with(next.clone(), order));
                parts.push(Part::new(mul([next.clone(), x.pow(2)]) / c(), []));
            } else {
                // (t + 1)(β − x + x²/c) = t(β − x) + x²/c + β + x(tx − c)/c, tx − c = t(x − β) + tβ − c.
                parts.push(with(num(1), slow));
                parts.push(Part::new(x.pow(2) / c(), []));
                parts.push(Part::new(t.clone() / c(), [given, order].map(Into::into)));
                parts.push(Part::new(num(1) / c(), [given, long].map(Into::into)));
            }
            combine(here, Goal::Le(ahead(&self.after, &next), num(0)), &parts)
        })
    }
}

/// ξ ≤ (s + 2u′)·R where ξ ≤ G, u′ being the width of the noise: convexity and Hölder's inequality.
fn gradient(round: &Round<'_>, inside: &Theorem) -> Proof {
    let (here, w, least) = (round.here, var("w"), var("w⋆"));
    let within = instance(here, &assumed(here, &given()[2])?, &w)?;
    let (sure, far) = (union(inside)?, norm(&w, &least));
    let goal = Goal::Le(far.clone(), var("R"));
    let within = combine(here, goal, &[with(num(1), &within), with(far, &sure)])?;
    let (below, hoelder) = (convex(here, "f", &w, &least)?, round.hoelder()?);
    let total = round.largest_slope();
    let parts = [
        with(num(1), &below),
        with(num(1), &hoelder),
        with(total.clone(), &within),
    ];
    combine(here, Goal::Le(excess(&w), mul([total, var("R")])), &parts)
}

/// ξ⁺ ≤ ξ + β behind a round that goes well.
pub(super) fn rises(round: &Round<'_>) -> Proof {
    let half = Part::new(height().pow(2) / num(2), []);
    let goal = Goal::Le(excess(&round.after()), excess(&var("w")) + beta_here());
    combine(round.here, goal, &[with(num(1), &round.descent), half])
}

/// One round: ξ⁺ ≤ ξ + β, and ξ⁺ ≤ ξ − ξ²/c + β where ξ ≥ u; hence what is wanted, by cases. `small` says u + β ≤ G.
pub(super) fn keeps(round: &Round<'_>, small: &Theorem) -> Proof {
    let (here, w, t) = (round.here, var("w"), var("t"));
    let ends = [apart(&w), ahead(&w, &t)];
    let [first, second] = &ends;
    let below = part(here, &round.before, [first, second], false)?;
    let inside = Goal::Le(excess(&w), var("G"));
    let inside = combine(here, inside, &[with(num(1), &below)])?;
    let slow = part(here, &round.before, [first, second], true)?;
    let large = gradient(round, &inside)?;
    let after = round.after();
    let step = Move {
        here,
        after,
        inside,
        slow,
        rises: rises(round)?,
        small,
    };
    let total = mul([round.largest_slope(), var("R")]);
    let square = mul([num(3), height()]) - mul([num(2), (round.scales.width)()]);
    either(step.here, [&excess(&w), &u()], |here, given, low| {
        if low {
            let [first, second] = step.low(here, given)?;
            return largest(&first, &second);
        }
        // (HR)² − ξ² = (HR + u)(HR − ξ) + (HR − ξ)(ξ − u), H²/8 = s²/2 + (2/3)u′² − (3s − 2u′)²/24.
        let parts = vec![
            with(num(1), &round.descent),
            with((total.clone() + u()) / c(), &large),
            Part::new(num(1) / c(), [&large, given].map(Into::into)),
            Part::new(square.pow(2) / num(24), []),
        ];
        let xi = excess(&w);
        let goal = xi.clone() - xi.pow(2) / c() + beta_here();
        let sharp = combine(here, Goal::Le(excess(&step.after), goal), &parts)?;
        let [first, second] = step.high(here, given, &sharp)?;
        largest(&first, &second)
    })
}

/// The run has f(w) − f(w⋆) ≤ u + max(8R²/T, β) with probability at least 1 − ζ, or another bound.
fn useful(context: &Context, goal: &Goal) -> Proof {
    let given = given();
    let here = with_data(context, &given)?;
    let zero = combine(
        &here,
        Goal::Le(apart(&var("w₀")), num(0)),
        &[with(num(1), &assumed(&here, &given[1])?)],
    )?;
    let level = combine(&here, Goal::Le(ahead(&var("w₀"), &num(0)), num(0)), &[])?;
    let small = assumed(&here, &given[0])?;
    let start = largest(&zero, &level)?;
    let rare = run(&here, &OWN, &wanted, &start, |round, _| {
        keeps(round, &small)
    })?;
    let better = expected(&at_the_end(&here)?, &op(Op::End, [var("Alg1")]))?;
    let parts = vec![with(num(1), &rare), with(num(1), &better)];
    let theorem = combine(&here, under(goal).clone(), &parts)?;
    (0..=given.len()).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// For every w: that ξ ≤ u + max(c/T, β) fails no more often than what is wanted after T rounds.
pub(super) fn at_the_end(context: &Context) -> Proof {
    let (w, rounds) = (var("w"), var("T"));
    let [x, y] = wanted(&w, &rounds);
    let given = Goal::Le(x, y);
    let here = context.extended(item("w", space()))?;
    let here = here.extended(Item::Assume(given.clone()))?;
    let slow = part(
        &here,
        &assumed(&here, &given)?,
        [&apart(&w), &ahead(&w, &rounds)],
        true,
    )?;
    let (share, own) = (c() / rounds.clone(), beta_here());
    let top = mul([rounds.clone(), share.max_with(&own)]);
    let one = |second: bool, t: Term| {
        let above = larger(&here, &share, &own, second)?;
        combine(
            &here,
            Goal::Le(t, top.clone()),
            &[with(rounds.clone(), &above)],
        )
    };
    let least = largest(
        &one(false, c())?,
        &one(true, mul([rounds.clone(), own.clone()]))?,
    )?;
    let each = num(1) / rounds.clone();
    let parts = [with(each.clone(), &slow), with(each, &least)];
    union(&discharge(&combine(
        &here,
        Goal::Le(excess(&w), bound()),
        &parts,
    )?)?)
}

/// u + max(8R²/T, β) ≤ 29R²/q: β ≤ 51R²T/q³ ≤ (51·65/64)·R²/q², so that u ≤ 21R²/q, and the larger of the two is at most 8R²/q.
fn explicit(context: &Context, goal: &Goal) -> Proof {
    let choice = choice();
    let here = context.with([positive("Λₙ"), positive("q")])?;
    let here = here.with(choice.clone().map(Item::Assume))?;
    let (q, rounds, r) = (var("q"), var("T"), var("R"));
    let [named, solved, large, enough, few, short] = &choice;
    let fact = |goal: &Goal| assumed(&here, goal);
    let (solved, large, enough, few) = (fact(solved)?, fact(large)?, fact(enough)?, fact(few)?);
    let logs = longer(&here, &fact(named)?, &fact(short)?)?;
    let unit = beta(num(1), "Λ") / var("Λ").pow(2);
    let each = mul([num(51), r.pow(2)]) / q.pow(3);
    let small = mul([num(51 * 65), r.pow(2)]) / mul([num(64), q.pow(2)]);
    let solving =
        mul([num(51), rounds.clone()]) / mul([q.pow(3), var("n").pow(2), var("ε").pow(2)]);
    let parts = vec![
        with(mul([unit, rounds.clone(), var("Λ") + var("Λₙ")]), &logs),
        with(solving, &solved),
        with(each.clone(), &few),
        with(each / num(64), &large),
    ];
    let noise = combine(&here, Goal::Le(beta_here(), small), &parts)?;
    let share = mul([num(8), r.pow(2)]) / q.clone();
    let one = Goal::Le(c() / rounds.clone(), share.clone());
    let one = combine(&here, one, &[with(c() / mul([q.clone(), rounds]), &enough)])?;
    let weight = mul([num(51 * 65), r.pow(2)]) / mul([num(64 * 64), q.pow(2)]);
    let parts = vec![with(num(1), &noise), with(weight.clone(), &large)];
    let other = combine(&here, Goal::Le(beta_here(), share), &parts)?;
    let largest = largest(&one, &other)?;
    let root = mul([num(21), r.pow(2)]) / q;
    let square = Goal::Le(mul([c(), beta_here()]), root.pow(2));
    let root = root_increases(&combine(&here, square, &[with(c(), &noise)])?)?;
    let parts = vec![with(num(1), &root), with(num(1), &largest)];
    let theorem = combine(&here, under(goal).clone(), &parts)?;
    (0..8).try_fold(theorem, |theorem, _| discharge(&theorem))
}

/// Λ ≤ Λₙ from T ≤ n.
fn longer(here: &Context, named: &Theorem, short: &Theorem) -> Proof {
    let inside = |rounds: Term| mul([num(2), rounds, var("p")]) / var("ζ");
    let more = Goal::Le(inside(var("T")), inside(var("n")));
    let more = combine(
        here,
        more,
        &[with(mul([num(2), var("p")]) / var("ζ"), short)],
    )?;
    let (logs, all) = (
        log_increases(&more)?,
        assumed(here, &logarithm(var("T"), "Λ"))?,
    );
    let parts = [
        with(num(1), &logs),
        with(num(-1), &all),
        with(num(1), named),
    ];
    combine(here, Goal::Le(var("Λ"), var("Λₙ")), &parts)
}

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    whole(statement, &[&|h, _| prove_private(h), &useful, &explicit])
}
