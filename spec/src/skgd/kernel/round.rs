//! The rounds of Algorithm 1, and what they do to the risk.

use super::{distance, entry, f, inclusion_of, member, noise, with};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, combine, convex, ends, expected, instance, inverse, smooth,
    stationary, sum_over,
};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort, State};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, sum, var, vector};

fn partial(x: &Term, j: &Term) -> Term {
    op(Op::Partial, [var("f"), x.clone(), j.clone()])
}

/// An entry of the gradient at θ on the drawn set S.
fn slope(j: &Term) -> Term {
    mul([member(j), partial(&var("θ"), j)])
}

/// The gradient at θ on the drawn set S.
pub(super) fn query() -> Term {
    vector("j", var("d"), slope(&var("j")))
}

pub(super) fn release() -> Command {
    Command::Release {
        name: "a".into(),
        query: query(),
        law: law(),
    }
}

/// θ − ΓCa with Γ = PM⁻¹ and C = I_S P⁻¹, for an entry of a.
fn step(a: Term) -> Term {
    let l = var("l");
    let sketch = member(&l) / inclusion_of(&l);
    let moved = mul([app("γ", [l.clone()]), sketch, a]);
    vector("l", var("d"), entry("θ", &l) - moved)
}

/// The mean of k iterates of the mean w, and of θ.
fn mean(theta: &Term) -> Term {
    let l = var("l");
    let all = mul([var("k"), entry("w", &l)]) + at(theta, &l);
    vector("l", var("d"), all / (var("k") + num(1)))
}

/// The inner loop of Algorithm 1, once or in so many rounds: θ is its iterate, w the mean of those so far.
pub(super) fn algorithm(rounds: Option<&str>) -> Process {
    let set = |name: &str, value: Term| Command::Set(name.into(), value);
    let draw = Command::Draw {
        name: "S".into(),
        law: var("𝒮"),
    };
    let repeat = |index: &str, times: &str, body: Vec<Command>| Command::Repeat {
        index: index.into(),
        times: var(times),
        body,
    };
    let state = |name: &str| State {
        name: name.into(),
        dimension: var("d"),
        start: var("w₀"),
    };
    let body = vec![
        draw,
        release(),
        set("θ", step(entry("a", &var("l")))),
        set("w", mean(&var("θ"))),
    ];
    let inner = repeat("k", "K", body);
    let body = match rounds {
        None => inner,
        Some(times) => repeat("t", times, vec![set("θ", var("w")), inner]),
    };
    Process {
        states: vec![state("w"), state("θ")],
        body: vec![body],
    }
}

/// Expectation of a term in w, at the end of the algorithm.
pub(super) fn over_run(body: Term) -> Term {
    bind(Binder::Expect, "w", op(Op::End, [var("Alg1")]), body)
}

/// The iterate after a round, a being its noise.
fn moved() -> Term {
    let l = var("l");
    step(slope(&l) + entry("a", &l))
}

/// Expectation over the draws of one round.
fn over_round(body: Term) -> Term {
    let inner = bind(Binder::Expect, "a", law(), body);
    bind(Binder::Expect, "S", var("𝒮"), inner)
}

fn law() -> Term {
    op(Op::Normal, [var("d"), app("σ", [var("S")]).pow(2)])
}

/// Of a fact for every draw of a round.
fn averaged(here: &Context, fact: impl Fn(&Context) -> Proof) -> Proof {
    let drawn = here.with([
        Item::Var("S".into(), Sort::Outcome("𝒮".into())),
        Item::Var("a".into(), Sort::Vector(var("d"), Sign::Any)),
    ])?;
    expected(&expected(&fact(&drawn)?, &law())?, &var("𝒮"))
}

/// ∂_jf(w⋆)·u_j = 0, summed over j, for a term u in the index i.
pub(super) fn flat(here: &Context, u: &Term) -> Proof {
    let (least, i) = (var("w⋆"), var("i"));
    let inner = here.extended(Item::Var("i".into(), Sort::Index(var("d"))))?;
    let least_here = assumed(here, &Goal::Minimises("f".into(), least.clone()))?;
    let zero = stationary(&inner, &least_here, "i")?;
    let goal = Goal::Eq(mul([partial(&least, &i), u.clone()]), num(0));
    sum_over(&combine(&inner, goal, &[with(u.clone(), &zero)])?)
}

/// For every θ: ⟨θ − w⋆, ∇f(θ)⟩ ≥ f(θ) − f(w⋆) + ½‖∇f(θ)‖²_{M⁻¹} (`skgd-lem-cocoercive`), by convexity at θ and
/// smoothness at w⋆ towards z = w⋆ + M⁻¹∇f(θ).
pub(super) fn cocoercive(here: &Context) -> Proof {
    let (theta, least, i) = (var("θ"), var("w⋆"), var("i"));
    let moved = partial(&theta, &i) / entry("M", &i);
    let z = vector("i", var("d"), entry("w⋆", &i) + moved.clone());
    let below = convex(here, "f", &theta, &z)?;
    let above = smooth(here, "f", &least, &z)?;
    let zero = flat(here, &moved)?;
    let gap = mul([partial(&theta, &i), entry("θ", &i) - entry("w⋆", &i)]);
    let square = partial(&theta, &i).pow(2) / mul([num(2), entry("M", &i)]);
    let left = add([f(&theta) - f(&least), sum("i", var("d"), square)]);
    let goal = Goal::Le(left, sum("i", var("d"), gap));
    let parts = [&below, &above, &zero].map(|fact| with(num(1), fact));
    combine(here, goal, &parts)
}

/// For every θ: E‖θ⁺ − w⋆‖² ≤ ‖θ − w⋆‖² − 2(f(θ) − f(w⋆)) + N in the norm MP⁻¹, N = 12K·c·Σ².
fn closer(here: &Context) -> Proof {
    let theta = var("θ");
    let gain = mul([num(2), f(&theta) - f(&var("w⋆"))]);
    let goal = Goal::Le(
        over_round(distance(&moved())),
        add([distance(&theta) - gain, noise()]),
    );
    combine(here, goal, &[with(num(2), &cocoercive(here)?)])
}

/// For every θ: E f(θ⁺) ≤ f(θ) + N/2. Smoothness, the moments of a round, and P ≤ I.
fn no_worse(here: &Context) -> Proof {
    let (theta, i) = (var("θ"), var("i"));
    let mean = averaged(here, |drawn| smooth(drawn, "f", &theta, &moved()))?;
    // E[L_S²; i ∈ S]/M_i ≤ E[L_S²; i ∈ S]/(p_i M_i).
    let inner = here.extended(Item::Var("i".into(), Sort::Index(var("d"))))?;
    let hit = mul([entry("L", &var("S")).pow(2), member(&i)]);
    let hit = bind(Binder::Expect, "S", var("𝒮"), hit);
    let large = mul([inclusion_of(&i), entry("M", &i)]);
    let goal = Goal::Le(hit.clone() / entry("M", &i), hit.clone() / large.clone());
    let certain = at_most_one(&inner, &inclusion_of(&i))?;
    let smaller = combine(&inner, goal, &[with(hit / large, &certain)])?;
    let smaller = sum_over(&smaller)?;
    let weight = mul([num(6), var("K"), app("c", [])]);
    let norm = mul([inclusion_of(&i), partial(&theta, &i).pow(2)]);
    let norm = sum("i", var("d"), norm / mul([num(2), entry("M", &i)]));
    let goal = Goal::Le(over_round(f(&moved())), f(&theta) + noise() / num(2));
    let parts = vec![
        with(num(1), &mean),
        with(weight, &smaller),
        Part::new(norm, []),
    ];
    combine(here, goal, &parts)
}

/// (k + 1)·E f(w⁺) ≤ k·f(w) + E f(θ⁺), by convexity at w⁺ = (kw + θ⁺)/(k + 1).
fn jensen(here: &Context) -> Proof {
    let (k, i) = (var("k"), var("i"));
    let after = mean(&moved());
    averaged(here, |drawn| {
        let old = convex(drawn, "f", &after, &var("w"))?;
        let new = convex(drawn, "f", &after, &moved())?;
        // (k + 1)·(1/(k + 1)) = 1, times ⟨∇f(w⁺), kw + θ⁺⟩.
        let one = inverse(drawn, &(k.clone() + num(1)))?;
        let all = mul([k.clone(), entry("w", &i)]) + at(&moved(), &i);
        let slope = sum("i", var("d"), mul([partial(&after, &i), all]));
        let left = mul([k.clone() + num(1), f(&after)]);
        let goal = Goal::Le(left, mul([k.clone(), f(&var("w"))]) + f(&moved()));
        let parts = vec![with(k.clone(), &old), with(num(1), &new), with(slope, &one)];
        combine(drawn, goal, &parts)
    })
}

/// An inner loop with its invariant, that it bounds what is wanted at the end, and that a round keeps it.
pub(super) struct Inner {
    pub invariant: Term,
    pub end: Theorem,
    pub round: Theorem,
}

/// The invariant a·(k(f(w) − f(w⋆)) + ½‖θ − w⋆‖² + (K − k)N) + b of the inner loop, for a ≥ 0 and b that mention no state:
/// it bounds a·K(f(w) − f(w⋆)) + b.
pub(super) fn inner(here: &Context, a: &Term, b: &Term) -> Result<Inner, Stuck> {
    let (k, half) = (var("k"), distance(&var("θ")) / num(2));
    let gap = f(&var("w")) - f(&var("w⋆"));
    let left = mul([var("K") - k.clone(), noise()]);
    let sum = add([mul([k.clone(), gap.clone()]), half.clone(), left]);
    let invariant = mul([a.clone(), sum]) + b.clone();
    let wanted = mul([a.clone(), var("K"), gap]) + b.clone();
    let slack = vec![Part::new(mul([a.clone(), half]), [])];
    let goal = Goal::Le(wanted, invariant.put("k", &var("K")));
    let end = combine(here, goal, &slack)?;
    let here = here.extended(Item::Var("k".into(), Sort::Index(var("K"))))?;
    let after = invariant.put("k", &(k + num(1)));
    let after = after.put("w", &mean(&var("θ"))).put("θ", &moved());
    let facts = [jensen(&here)?, no_worse(&here)?, closer(&here)?];
    let weights = [a.clone(), a.clone(), a.clone() / num(2)];
    let parts = weights.into_iter().zip(&facts).map(|(w, t)| with(w, t));
    let goal = Goal::Le(over_round(after), invariant.clone());
    let round = combine(&here, goal, &parts.collect::<Vec<_>>())?;
    Ok(Inner {
        invariant,
        end,
        round,
    })
}

/// The context with the states.
pub(super) fn with_states(context: &Context) -> Result<Context, Stuck> {
    let state = |name: &str| Item::Var(name.into(), Sort::Vector(var("d"), Sign::Any));
    context.with([state("w"), state("θ")])
}

/// E K·(f(w) − f(w⋆)) ≤ ½‖w₀ − w⋆‖² + K·N at the end of one inner loop.
pub(super) fn of_all(context: &Context) -> Proof {
    let Inner {
        invariant,
        end,
        round,
    } = inner(&with_states(context)?, &num(1), &num(0))?;
    let value = mul([var("K"), f(&var("w")) - f(&var("w⋆"))]);
    ends(
        context,
        "Alg1",
        ("w", &value),
        &[&invariant],
        &[&end, &round],
    )
}

/// f(w⋆) ≤ f(w).
pub(super) fn above(here: &Context, w: &Term) -> Proof {
    let i = var("i");
    let below = convex(here, "f", &var("w⋆"), w)?;
    let zero = flat(here, &(at(w, &i) - entry("w⋆", &i)))?;
    let parts = vec![with(num(1), &below), with(num(-1), &zero)];
    combine(here, Goal::Le(f(&var("w⋆")), f(w)), &parts)
}

/// E 2^T·(f(w) − f(w⋆) − 2N) ≤ f(w₀) − f(w⋆) − 2N at the end of T rounds, each of which halves the excess up to N, if
/// ‖w − w⋆‖² ≤ K(f(w) − f(w⋆)) for every w: which is `contracts` of a context with w.
pub(super) fn of_rounds(context: &Context, contracts: impl Fn(&Context) -> Proof) -> Proof {
    let (t, w) = (var("t"), var("w"));
    let power = |t: Term| op(Op::Pow, [num(2), t]);
    let excess = f(&w) - f(&var("w⋆")) - mul([num(2), noise()]);
    let outer = |t: Term| mul([power(t), excess.clone()]);
    let here = with_states(context)?;
    let last = outer(var("T"));
    let end = combine(&here, Goal::Le(last.clone(), last.clone()), &[])?;
    let here = here.extended(Item::Var("t".into(), Sort::Index(var("T"))))?;
    let next = power(t.clone() + num(1));
    let shift = mul([num(-2), next.clone(), noise()]);
    let inside = inner(&here, &(next / var("K")), &shift)?;
    let first = inside.invariant.put("k", &num(0)).put("θ", &w);
    let contracts = contracts(&here)?;
    let parts = vec![with(power(t.clone()) / var("K"), &contracts)];
    let round = Goal::Le(first, outer(t.clone()));
    let round = combine(&here, round, &parts)?;
    let invariants = [&outer(t), &inside.invariant];
    let theorems = [&end, &round, &inside.end, &inside.round];
    ends(context, "Alg1", ("w", &last), &invariants, &theorems)
}

/// ‖w − w⋆‖² ≤ K(f(w) − f(w⋆)) from ‖w − w⋆‖² ≤ 2A(f(w) − f(w⋆)) and 2A ≤ K.
pub(super) fn contraction(here: &Context, of_w: &Theorem, few: &Theorem) -> Proof {
    let gap = f(&var("w")) - f(&var("w⋆"));
    let goal = Goal::Le(distance(&var("w")), mul([var("K"), gap]));
    let above = above(here, &var("w"))?;
    let product = Part::new(num(1), [&above, few].map(Into::into));
    combine(here, goal, &[with(num(1), of_w), product])
}

/// 1 ≤ A from ‖w − w⋆‖² ≤ 2A(f(w) − f(w⋆)) for w = w⋆ + (1, …, 1), where f(w) − f(w⋆) ≤ ½ΣM_j ≤ ½‖w − w⋆‖².
pub(super) fn conditioning(context: &Context, contracts: &Theorem) -> Proof {
    let i = var("i");
    let w = vector("i", var("d"), entry("w⋆", &i) + num(1));
    let here = instance(context, contracts, &w)?;
    let smooth = smooth(context, "f", &var("w⋆"), &w)?;
    let flat = flat(context, &num(1))?;
    let inner = context.extended(Item::Var("i".into(), Sort::Index(var("d"))))?;
    let weight = entry("M", &i) / inclusion_of(&i);
    let goal = Goal::Le(entry("M", &i), weight.clone());
    let certain = at_most_one(&inner, &inclusion_of(&i))?;
    let smaller = combine(&inner, goal, &[with(weight, &certain)])?;
    let smaller = sum_over(&smaller)?;
    // ΣM_j ≤ ΣM_j/p_j ≤ 2A·½ΣM_j.
    let total = sum("i", var("d"), entry("M", &i));
    let twice = mul([num(2), var("A")]) / total.clone();
    let parts = vec![
        with(num(1) / total.clone(), &smaller),
        with(num(1) / total, &here),
        with(twice.clone(), &smooth),
        with(twice, &flat),
    ];
    combine(context, Goal::Le(num(1), var("A")), &parts)
}
