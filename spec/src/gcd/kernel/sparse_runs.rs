//! `gcd-thm-4.7-b-repaired`: T rounds from 0 for any scales of the noise, if f is strongly convex between sparse vectors and its minimiser is
//! quasi-sparse.
//!
//! The names are those of [`scales`](super::scales); s₁ is the print's s, A has τ coordinates, off which no entry of w⋆ is above α, M₁ may be
//! M_max, and κ is min(s₁, T) + τ. That the iterates have at most s₁ entries is not supposed: what fails is that the output has and is not good.

use super::events::{Round, Scales, height, run};
use super::greedy::moduli;
use super::noisy::{excess, holds, space};
use super::scales::{SCALES, context as any_scales};
use super::sparse::with_index;
use super::strongly::factor;
use super::support::{AFTER, NEAR, NOISE, QUASI_SPARSE, lost, nearby, smooth_enough, stays};
use crate::moved::written::{Proof, extended, goal as written, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, below, combine, discharge, expected, instance, larger, largest,
    sum_over, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::several::part;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, positive, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, bind, mul, num, op, var};

/// What strong convexity asks to be at most f(y), for x and an entry of y.
fn model(x: &str, entry: &str) -> String {
    let gap = format!("({entry} − {x}_i)");
    format!("f({x}) + (Σ_{{i<p}} ∂_i f({x})·{gap}) + (μ/2)·(Σ_{{i<p}} √(M_i)·|{gap}|)²")
}

/// It does not miss that, between vectors of at most κ entries.
fn convex() -> String {
    let model = model("x", "y_i");
    format!(
        "for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: 𝟙(S(x) ≤ κ)·𝟙(S(y) ≤ κ)·max({model} − \
            f(y), 0) ≤ 0"
    )
}

const START: &str = "for every index k<p: w₀_k = 0";

/// q^t·(f(w₀) − f(w⋆)) + 4β/μ + (M₁/2)·(p − τ)·α².
fn bound(t: &Term) -> Term {
    let start = mul([op(Op::Pow, [var("q"), t.clone()]), excess(&var("w₀"))]);
    add([start, limit()])
}

fn limit() -> Term {
    mul([num(4), app("β", [])]) / var("μ") + lost()
}

/// S(x).
fn count(x: &Term) -> Term {
    app("S", [x.clone()])
}

/// 1\[S(x) ≤ s₁\].
fn sparse(x: &Term) -> Term {
    holds(count(x), var("s₁"))
}

/// `gcd-thm-4.7-b-repaired`: that the output has at most s₁ entries and f(w) − f(w⋆) > (1 − μ/4)^T·(f(w₀) − f(w⋆)) + 4β/μ +
/// ½M₁(p − τ)α² has a probability of ζ at most.
pub fn statement() -> Result<Statement, Stuck> {
    let context = any_scales([
        positive("μ"),
        positive("q"),
        Item::Assume(factor()),
        item("A", Sort::Set(var("p"))),
        real("α", Sign::NonNegative),
        positive("M₁"),
        Item::Assume(smooth_enough()),
        real("s₁", Sign::NonNegative),
    ])?;
    let convex = convex();
    let context = extended(
        &context,
        &format!(
            "define τ := Σ_{{i<p}} 𝟙[i∈A]
             define κ := (−1)·max((−1)·s₁, (−1)·T) + τ
             define S(x∈ℝ^p) := Σ_{{i<p}} (1 − 𝟙(x_i² ≤ 0))
             assume {START}
             assume {QUASI_SPARSE}
             assume {convex}"
        ),
    )?;
    let missed = num(1) - holds(excess(&var("w")), bound(&var("T")));
    let law = op(Op::End, [var("Alg1")]);
    let both = mul([sparse(&var("w")), missed]);
    let goal = Goal::Le(bind(Binder::Expect, "w", law, both), var("ζ"));
    Ok(Statement { context, goal })
}

/// S(x) ≤ t, and f(x) − f(w⋆) ≤ the bound at t if S(x) ≤ s₁.
fn wanted(x: &Term, t: &Term) -> [Term; 2] {
    let [few, good] = sides(x, t);
    [few.max_with(&good), num(0)]
}

fn sides(x: &Term, t: &Term) -> [Term; 2] {
    let good = mul([sparse(x), excess(x) - bound(t)]);
    [count(x) - t.clone(), good]
}

/// c·y ≤ 0 from c ≤ 0, c plainly ≥ 0: 4y = (y + 1)² − (y − 1)².
fn nothing(here: &Context, none: &Theorem, [c, y]: [&Term; 2]) -> Proof {
    let square = |one: i64| (y.clone() + num(one)).pow(2) / num(4);
    let parts = [
        with(square(1), none),
        Part::new(mul([c.clone(), square(-1)]), []),
    ];
    combine(here, Goal::Le(mul([c.clone(), y.clone()]), num(0)), &parts)
}

/// f(x) − f(w⋆) ≤ the bound at t, from 1\[S(x) ≤ s₁\] times the difference being at most 0 and S(x) ≤ s₁.
fn good(here: &Context, (x, t): (&Term, &Term), facts: [&Theorem; 2]) -> Proof {
    let (sure, most) = (union(facts[1])?, at_most_one(here, &sparse(x))?);
    let gap = bound(t) - excess(x);
    let square = |one: i64| (gap.clone() + num(one)).pow(2) / num(4);
    let parts = [
        with(num(1), facts[0]),
        with(square(1), &most),
        with(square(-1), &sure),
    ];
    combine(here, Goal::Le(excess(x), bound(t)), &parts)
}

/// S(π) ≤ τ for π = [`NEAR`].
fn few(here: &Context) -> Proof {
    let i = &with_index(here, "i")?;
    let ends = [&term(i, "𝟙[i∈A]")?, &term(i, "1/2")?];
    let one = either(i, ends, |here, order, outside| {
        let goal = "1 − 𝟙((𝟙[i∈A]·w⋆_i)² ≤ 0) ≤ 𝟙[i∈A]";
        if !outside {
            return show(here, goal, &[("2·(1 − 𝟙[i∈A])²", &[order])]);
        }
        let parts: &[(&str, &[&Theorem])] = &[("2·𝟙[i∈A]·w⋆_i²", &[order])];
        let none = show(here, "(𝟙[i∈A]·w⋆_i)² ≤ 0", parts)?;
        show(here, goal, &[("1", &[&union(&none)?])])
    })?;
    sum_over(&one)
}

/// S(w⁺) ≤ S(w) + 1.
fn grows(here: &Context) -> Proof {
    let i = &with_index(here, "i")?;
    let ends = [&term(i, "𝟙[i=j]")?, &term(i, "1/2")?];
    let goal = format!("1 − 𝟙({AFTER}² ≤ 0) ≤ 1 − 𝟙(w_i² ≤ 0) + 𝟙[i=j]");
    let one = either(i, ends, |here, order, other| {
        if !other {
            let most = at_most_one(here, &term(here, "𝟙(w_i² ≤ 0)")?)?;
            return show(
                here,
                &goal,
                &[("2·(1 − 𝟙[i=j])²", &[order]), ("1", &[&most])],
            );
        }
        let zero = written(here, "w_i² ≤ 0")?;
        let inner = &here.extended(Item::Assume(zero.clone()))?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("2", &[&assumed(inner, &zero)?]),
            (&format!("4·𝟙[i=j]·({NOISE}/M_i)²"), &[order]),
            (&format!("(w_i + 𝟙[i=j]·{NOISE}/M_i)²"), &[]),
        ];
        let kept = discharge(&show(inner, &format!("{AFTER}² ≤ 0"), parts)?)?;
        show(here, &goal, &[("1", &[&union(&kept)?])])
    })?;
    show(
        here,
        "Σ_{i<p} (1 − 𝟙((w_i − (1/M_i)·(∂_j f(w) + a)·𝟙[i=j])² ≤ 0)) ≤ S(w) + 1",
        &[("1", &[&sum_over(&one)?])],
    )
}

/// μ·(f(w) − f(w⋆)) ≤ ½H² + (μ/2)·M₁(p − τ)α² for H = s + 2u, if S(w) ≤ min(s₁, T).
fn gradient(round: &Round<'_>, here: &Context, small: &Theorem, near: &Theorem) -> Proof {
    let top = format!("({})", render::text(&round.largest_slope()));
    let i = &with_index(here, "i")?;
    let gap = "w_i − 𝟙[i∈A]·w⋆_i";
    let (slope, most) = (moduli(i, "∂_i f(w)", gap)?, round.largest(i, &var("i"))?);
    let one = format!("∂_i f(w)·({gap}) ≤ {top}·√(M_i)·|{gap}|");
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&slope]), (&format!("|{gap}|"), &[&most])];
    let product = sum_over(&show(i, &one, parts)?)?;
    let convex = assumed(here, &written(here, &convex())?)?;
    let convex = instance(
        here,
        &instance(here, &convex, &var("w"))?,
        &term(here, NEAR)?,
    )?;
    let low = |side: &str| show(here, &format!("(−1)·{side} ≤ 0"), &[]);
    let low = largest(&low("s₁")?, &low("T")?)?;
    let inside = sum_over(&show(&with_index(here, "i")?, "0 ≤ 𝟙[i∈A]", &[])?)?;
    let own = union(&show(
        here,
        "S(w) ≤ κ",
        &[("1", &[small]), ("1", &[&inside])],
    )?)?;
    let other = union(&show(
        here,
        &format!("S({NEAR}) ≤ κ"),
        &[("1", &[&few(here)?]), ("1", &[&low])],
    )?)?;
    let gap = format!("{} − f({NEAR})", model("w", "𝟙[i∈A]·w⋆_i"));
    let missed = format!("max({gap}, 0)");
    let apart = "(Σ_{i<p} √(M_i)·|𝟙[i∈A]·w⋆_i − w_i|)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("μ", &[&larger(here, &term(here, &gap)?, &num(0), false)?]),
        ("μ", &[&convex]),
        (&format!("μ·{missed}·𝟙(S(w) ≤ κ)"), &[&other]),
        (&format!("μ·{missed}"), &[&own]),
        ("μ", &[&product]),
        ("μ", &[near]),
        (&format!("({top} − μ·{apart})²/2"), &[]),
    ];
    let goal = format!("μ·(f(w) − f(w⋆)) ≤ {top}²/2 + (μ/2)·M₁·(p − τ)·α²");
    show(here, &goal, parts)
}

/// f(w⁺) − f(w⋆) ≤ the bound at t + 1, if S(w) ≤ s₁ and S(w) ≤ t.
fn falls(round: &Round<'_>, here: &Context, near: &Theorem, facts: [&Theorem; 3]) -> Proof {
    let [before, sparse, few] = facts;
    let (t, w) = (var("t"), var("w"));
    let last = below(here, "t")?;
    let side = |x: &Term, parts: Vec<Part<'_>>| {
        let minus = |t: Term| mul([num(-1), t]);
        combine(here, Goal::Le(minus(x.clone()), minus(count(&w))), &parts)
    };
    let first = side(&var("s₁"), vec![with(num(1), sparse)])?;
    let second = side(&var("T"), vec![with(num(1), few), with(num(1), &last)])?;
    let large = gradient(round, here, &largest(&first, &second)?, near)?;
    let own = good(here, (&w, &t), [before, sparse])?;
    let shrinks = assumed(here, &factor())?;
    let square = mul([num(3), height()]) - mul([num(2), (round.scales.width)()]);
    let parts = vec![
        with(num(1), &round.descent),
        with(var("q"), &own),
        with(num(1) / num(4), &large),
        with(limit() - excess(&w), &shrinks),
        Part::new(square.pow(2) / num(24), []),
    ];
    let next = t + num(1);
    combine(here, Goal::Le(excess(&round.after()), bound(&next)), &parts)
}

fn keeps(round: &Round<'_>, near: &Theorem) -> Proof {
    let (here, w, t) = (round.here, var("w"), var("t"));
    let (after, next) = (round.after(), t.clone() + num(1));
    let [few, kept] = [0, 1].map(|i| part(here, &sides(&w, &t), &round.before, i));
    let (few, kept) = (few?, kept?);
    let [first, second] = sides(&after, &next);
    let most = grows(here)?;
    let parts = vec![with(num(1), &most), with(num(1), &few)];
    let first = combine(here, Goal::Le(first, num(0)), &parts)?;
    let wider = sum_over(&stays(&with_index(here, "i")?)?)?;
    let goal = Goal::Le(second, num(0));
    let ends = [&count(&after), &var("s₁")];
    let yes = |here: &Context, fact: &Theorem| {
        let sparse = Goal::Le(count(&w), var("s₁"));
        let sparse = combine(here, sparse, &[with(num(1), &wider), with(num(1), fact)])?;
        let own = falls(round, here, near, [&kept, &sparse, &few])?;
        combine(here, goal.clone(), &[with(self::sparse(&after), &own)])
    };
    let no = |here: &Context, none: &Theorem| {
        let gap = excess(&after) - bound(&next);
        nothing(here, none, [&self::sparse(&after), &gap])
    };
    largest(&first, &split(here, ends, yes, no)?)
}

const APART: Scales = Scales {
    apart: true,
    ..SCALES
};

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let h = &statement.context;
    let i = &with_index(h, "i")?;
    let zero = instance(i, &assumed(h, &written(h, START)?)?, &var("i"))?;
    let zero = sum_over(&union(&show(i, "w₀_i² ≤ 0", &[("w₀_i", &[&zero])])?)?)?;
    let inside = sum_over(&show(i, "0 ≤ 1 − 𝟙[i∈A]", &[("(1 − 𝟙[i∈A])²", &[])])?)?;
    let [first, second] = sides(&var("w₀"), &num(0));
    let share = mul([sparse(&var("w₀")), var("M₁") / num(2), var("α").pow(2)]);
    let start = largest(
        &combine(h, Goal::Le(first, num(0)), &[with(num(1), &zero)])?,
        &combine(h, Goal::Le(second, num(0)), &[with(share, &inside)])?,
    )?;
    let near = nearby(h)?;
    let rare = run(h, &APART, &wanted, &start, |round, _| keeps(round, &near))?;
    let Goal::Le(Term::Bind(Binder::Expect, w, law, both), _) = &statement.goal else {
        return Err(Stuck::new("no probability"));
    };
    let here = &h.extended(item(w, space()))?;
    let better = at_the_end(here, both)?;
    let better = expected(&better, law)?;
    let parts = vec![with(num(1), &rare), with(num(1), &better)];
    combine(h, statement.goal.clone(), &parts)
}

/// That the output w is sparse and misses the bound is no more than that what is wanted at T fails.
fn at_the_end(here: &Context, both: &Term) -> Proof {
    let (w, t) = (var("w"), var("T"));
    let [all, zero] = wanted(&w, &t);
    let whole = Goal::Le(all.clone(), zero.clone());
    let goal = Goal::Le(both.clone(), num(1) - holds(all, zero));
    let ends = [&count(&w), &var("s₁")];
    let (own, met) = (sparse(&w), holds(excess(&w), bound(&t)));
    let yes = |here: &Context, fact: &Theorem| {
        let inner = here.extended(Item::Assume(whole.clone()))?;
        let kept = part(&inner, &sides(&w, &t), &assumed(&inner, &whole)?, 1)?;
        let better = union(&discharge(&good(&inner, (&w, &t), [&kept, fact])?)?)?;
        let (one, other) = (at_most_one(here, &own)?, at_most_one(here, &met)?);
        let rest = Part::new(num(1), [&one, &other].map(Into::into));
        combine(here, goal.clone(), &[with(num(1), &better), rest])
    };
    let no = |here: &Context, none: &Theorem| {
        let [all, zero] = wanted(&w, &t);
        let (one, other) = (
            at_most_one(here, &met)?,
            at_most_one(here, &holds(all, zero))?,
        );
        let rest = Part::new(num(1), [none, &one].map(Into::into));
        combine(here, goal.clone(), &[with(num(1), &other), rest])
    };
    split(here, ends, yes, no)
}
