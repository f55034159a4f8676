//! The run: where it is as long as all estimates are good, and how often one is not.
//!
//! Before step t of round k the invariant is 1 where the run is not where it should be, plus 1 if the estimate at hand is bad, plus the
//! probabilities that those after q + 1 more steps are, plus what the rounds to come may fail with. E is the error of the estimate.

use super::super::noises::tails;
use super::numbers::{self, FIRST, PHASES, SECOND};
use super::step::{ERROR, GAIN, PASSED, advance, exhausted, halted, small};
use super::{Proof, commands, of_data, space, told};
use crate::moved::written::{given, goal, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, added, assume, at_most_one, below, combine, discharge, ends, expected, instance,
    larger, sum_over, telescope, union,
};
use dp_assay_kernel::search::cases::{absurd, split};
use dp_assay_kernel::search::exp::exp_of_zero;
use dp_assay_kernel::search::several::{self, join, part};
use dp_assay_kernel::search::{item, real, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, var, vector};

/// What is at most 0 where a round begins or ends.
fn outside(k: &str) -> Vec<String> {
    vec![
        "‖S(w)‖".into(),
        "F(w) − F(w₀)".into(),
        format!("F(w) − F⋆ − {}", PHASES.phase(k)),
    ]
}

/// What is at most 0 before step t.
fn within() -> Vec<String> {
    let mut all = outside("k");
    all[2] = format!("{} + spent·({GAIN})", all[2]);
    all.push("t − spent".into());
    all
}

fn joined(sides: &[String]) -> String {
    let all = { sides.iter().cloned() }.reduce(|all, side| format!("max({all}, {side})"));
    all.unwrap_or_default()
}

/// Whether errors of these entries are small: squares are compared, as expectations go into sums, but not under a root.
fn good(entry: &str) -> String {
    format!("𝟙({})", small(entry))
}

fn outer(k: &str) -> String {
    let all = joined(&outside(k));
    format!("(1 − 𝟙({all} ≤ 0)) + (K − ({k}))·(β/K)")
}

/// Whether q + 1 more steps may be made.
fn early(spent: &str, t: &str, q: &str) -> String {
    format!("𝟙(max({spent} + {q} − T(k), {t} + {q} + 1 − J) ≤ 0)")
}

/// With which probability the estimate behind them is bad.
fn missed(q: &str) -> String {
    let good = good(&format!("{ERROR} + y_j"));
    format!("𝔼_{{y∼N_{{d}}(0, ({q} + 1)·({SECOND}))}}[1 − {good}]")
}

fn later(q: &str) -> String {
    format!("{}·{}", early("spent", "t", q), missed(q))
}

fn inner() -> String {
    let (all, now, later) = (joined(&within()), good(ERROR), later("q"));
    format!("(1 − 𝟙({all} ≤ 0)) + (1 − {now}) + (Σ_{{q<J}} {later}) + (K − (k + 1))·(β/K)")
}

fn last(h: &Context) -> Proof {
    assume(h, h.items().len() - 1)
}

fn terms(h: &Context, sides: &[String]) -> Result<Vec<Term>, Stuck> {
    sides.iter().map(|text| term(h, text)).collect()
}

fn none(sides: &[Term]) -> Result<Goal, Stuck> {
    Ok(Goal::Le(several::joined(sides)?, num(0)))
}

/// The relation from hypotheses, each of which is to be known last: 1 − 𝟙(goal) is at most what fails of them.
fn implied(h: &Context, given: &[Goal], prove: &dyn Fn(&Context) -> Proof) -> Proof {
    let here = h.with(given.iter().cloned().map(Item::Assume))?;
    let found = { given.iter() }.try_fold(prove(&here)?, |theorem, _| discharge(&theorem))?;
    union(&found)
}

/// 1 − β ≤ P(F(w) − F⋆ ≤ θ^κ).
pub(super) fn prove(h: &Context, wanted: &Goal) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, _, _, reached)) = wanted else {
        return Err(Stuck::new("no probability"));
    };
    let value = num(1) - (**reached).clone();
    let states = h.with(["w", "g"].map(|x| item(x, space())))?;
    let round = states.extended(item("k", Sort::Index(var("K"))))?;
    let charged = round.extended(real("spent", Sign::Any))?;
    let step = charged.extended(item("t", Sort::Index(var("J"))))?;
    let (first, second) = (term(&round, &outer("k"))?, term(&step, &inner())?);
    let tails = tails(h)?;
    let ended = ended(&states, &value)?;
    let begun = begun(&round, &second, &tails)?;
    let left = left(&charged, &second)?;
    let made = made(&step, &second)?;
    let found = ends(
        h,
        "Alg1",
        ("w", &value),
        &[&first, &second],
        &[&ended, &begun, &left, &made],
    )?;
    let [.., starts, near] = of_data();
    let (starts, near) = (told(h, &starts)?, told(h, &near)?);
    let zero = exp_of_zero(h)?;
    let [a, b] = ["F₀·exp((−1)·(0)·log(c))", "exp(κ·log(θ))"].map(|text| term(h, text));
    let top = larger(h, &a?, &b?, false)?;
    let near = show(
        h,
        &format!("F(w₀) − F⋆ − {} ≤ 0", PHASES.phase("0")),
        &[("1", &[&near]), ("1", &[&top]), ("F₀", &[&zero])],
    )?;
    let same = show(h, "F(w₀) − F(w₀) ≤ 0", &[])?;
    let start = union(&join(vec![starts, same, near])?)?;
    settle(h, wanted, &[("1", &[&found]), ("1", &[&start])])
}

/// Behind the last round.
fn ended(h: &Context, value: &Term) -> Proof {
    let sides = terms(h, &outside("K"))?;
    let found = implied(h, &[none(&sides)?], &|here| {
        let near = part(here, &sides, &last(here)?, 2)?;
        let reached = numbers::reached(here)?;
        show(
            here,
            "F(w) − F⋆ ≤ exp(κ·log(θ))",
            &[("1", &[&near]), ("1", &[&reached])],
        )
    })?;
    let wanted = Goal::Le(value.clone(), term(h, &outer("K"))?);
    settle(h, &wanted, &[("1", &[&found])])
}

/// What a value is expected to be before a release.
fn released(command: &Command, value: &Term) -> Result<Term, Stuck> {
    let Command::Release { name, query, law } = command else {
        return Err(Stuck::new("no release"));
    };
    let j = var("j");
    let noisy = vector("j", var("d"), at(query, &j) + at(&var(name), &j));
    Ok(bind(
        Binder::Expect,
        name,
        law.clone(),
        value.put(name, &noisy),
    ))
}

/// A round begins with no more than its share.
fn begun(h: &Context, inner: &Term, tails: &Theorem) -> Proof {
    let (first, _) = commands(h)?;
    let start = inner.put("t", &num(0)).put("spent", &num(0));
    let before = released(first, &start.put("g", &var("a")))?;
    let (old, new) = (terms(h, &outside("k"))?, within());
    let new: Vec<String> = new
        .iter()
        .map(|text| text.replace("t − spent", "0 − 0").replace("spent", "0"))
        .collect();
    let kept = implied(h, &[none(&old)?], &|here| {
        let now = last(here)?;
        let mut facts = Vec::new();
        for (i, text) in new.iter().enumerate() {
            let goal = format!("{text} ≤ 0");
            facts.push(match i {
                3 => show(here, &goal, &[])?,
                i => show(here, &goal, &[("1", &[&part(here, &old, &now, i)?])])?,
            });
        }
        join(facts)
    })?;
    let first = show(h, &format!("{FIRST} ≤ (27/4)·L₀²·K/(n²·ρ)"), &[])?;
    let first = numbers::tail(h, tails, FIRST, &first)?;
    let q = h.extended(item("q", Sort::Index(var("J"))))?;
    let each = sum_over(&begins(&q, tails)?)?;
    let (passes, rare) = (numbers::passes(h)?, numbers::rare(h)?);
    let wanted = Goal::Le(before, term(h, &outer("k"))?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&kept]),
        ("1", &[&first]),
        ("1", &[&each]),
        ("exp(0 − (4/3)·λ)", &[&passes]),
        ("1", &[&rare]),
    ];
    settle(h, &wanted, parts)
}

/// Of the estimate behind q + 1 steps: the probability, in the round, that it is made and bad.
fn begins(h: &Context, tails: &Theorem) -> Proof {
    let more = format!("(q + 1)·({SECOND})");
    let whole = format!("{FIRST} + {more}");
    let x = h.extended(item("x", space()))?;
    let value = term(&x, &good("x_j"))?;
    let [first, second] = [FIRST, &more].map(|variance| term(h, variance));
    let sum = added(h, [&var("d"), &first?, &second?], ("x", &value))?;
    let law = op(Op::Normal, [var("d"), term(h, &whole)?]);
    let sure = expected(&at_most_one(&x, &value)?, &law)?;
    let made = early("0", "0", "q");
    let (on, rare) = ("𝟙(q + 1 ≤ T(k) + 1)", "exp(0 − (4/3)·λ)");
    let bad = format!("1 − {}", good("x_j + y_j"));
    let wanted = format!(
        "{made}·𝔼_{{x∼N_{{d}}(0, {FIRST})}}[𝔼_{{y∼N_{{d}}(0, {more})}}[{bad}]] ≤ {on}·{rare}"
    );
    let off = format!("(−1)·{made}");
    let [a, b] = ["q + 1", "T(k) + 1"].map(|text| term(h, text));
    split(
        h,
        [&a?, &b?],
        |here, fact| {
            let tail = numbers::tail(here, tails, &whole, &numbers::variance(here, fact)?)?;
            let one = at_most_one(here, &term(here, &made)?)?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&made, &[&tail]),
                (&off, &[&sum]),
                (rare, &[&one]),
                (rare, &[&union(fact)?]),
            ];
            show(here, &wanted, parts)
        },
        |here, none| {
            let sides = compared(&term(here, &made)?)?;
            let less = implied(here, &[Goal::Le(sides[0].clone(), num(0))], &|here| {
                let first = part(here, &largest_of(&sides[0])?, &last(here)?, 0)?;
                show(here, "q + 1 ≤ T(k) + 1", &[("1", &[&first])])
            })?;
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&less]), ("1", &[none])];
            let less = show(here, &format!("{made} ≤ 0"), parts)?;
            let slack = format!("{on}·{rare}");
            let parts: &[(&str, &[&Theorem])] =
                &[("1", &[&less, &sure]), (&off, &[&sum]), (&slack, &[])];
            show(here, &wanted, parts)
        },
    )
}

/// Both sides of the comparison that a term is 1 for.
fn compared(term: &Term) -> Result<[Term; 2], Stuck> {
    match term {
        Term::Op(Op::AtMost, a) => Ok([a[0].clone(), a[1].clone()]),
        _ => Err(Stuck::new("no comparison")),
    }
}

/// The numbers of which a term is the larger.
fn largest_of(term: &Term) -> Result<Vec<Term>, Stuck> {
    match term {
        Term::Op(Op::Max, both) => Ok(both.to_vec()),
        _ => Err(Stuck::new("not the larger of two")),
    }
}

/// All steps that a loop has: more than T.
fn left(h: &Context, inner: &Term) -> Proof {
    let before = inner.put("t", &var("J"));
    let new = terms(h, &outside("k + 1"))?;
    let old: Vec<String> = { within().into_iter() }
        .map(|text| text.replace("t − spent", "J − spent"))
        .collect();
    let old = terms(h, &old)?;
    let found = implied(h, &[none(&old)?], &|here| {
        let now = last(here)?;
        let long = instance(here, &given(here, 10)?, &var("k"))?;
        let all = part(here, &old, &now, 3)?;
        let many = show(here, "T(k) ≤ spent", &[("1", &[&long]), ("1", &[&all])])?;
        exhausted(here, &old, &now, &many, &new)
    })?;
    let now = at_most_one(h, &term(h, &good(ERROR))?)?;
    let q = h.extended(item("q", Sort::Index(var("J"))))?;
    let one = early("spent", "J", "q");
    let probability = format!("{one}·{}", missed("q"));
    let none = show(
        &q,
        &format!("0 ≤ {probability}"),
        &[(&one, &[&surely(&q, "q")?])],
    )?;
    let none = sum_over(&none)?;
    let wanted = Goal::Le(term(h, &outer("k + 1"))?, before);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&found]), ("1", &[&now]), ("1", &[&none])];
    settle(h, &wanted, parts)
}

/// E 𝟙 ≤ 1 behind q + 1 steps.
fn surely(h: &Context, q: &str) -> Proof {
    let y = h.extended(item("y", space()))?;
    let one = at_most_one(&y, &term(&y, &good(&format!("{ERROR} + y_j")))?)?;
    let variance = term(h, &format!("({q} + 1)·({SECOND})"))?;
    expected(&one, &op(Op::Normal, [var("d"), variance]))
}

/// A step, or the end of the loop.
fn made(h: &Context, inner: &Term) -> Proof {
    let (_, [stop, second, step, sum]) = commands(h)?;
    let (Command::Stop { charge, limit }, Command::Set(_, next), Command::Set(_, estimate)) =
        (stop, step, sum)
    else {
        return Err(Stuck::new("not the commands of a step"));
    };
    let all = var("spent") + charge.clone();
    let then = |value: &Term| -> Result<Term, Stuck> {
        let value = value.put("t", &(var("t") + num(1)));
        let value = value.put("g", estimate).put("w", next);
        Ok(released(second, &value)?.put("spent", &all))
    };
    let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
    let stopped = term(h, &outer("k + 1"))?;
    let before = goes.clone() * then(inner)? + (num(1) - goes.clone()) * stopped;
    let old = terms(h, &within())?;
    let far = goal(h, &small(ERROR))?;
    let on = Goal::Le(all.clone(), limit.clone());
    let off = Goal::Le(goes.clone(), num(0));
    let supposed = [none(&old)?, far];
    let after = |t: &Term| {
        let t = t.put("t", &(var("t") + num(1))).put("w", next);
        t.put("spent", &all)
    };
    let new: Vec<Term> = old.iter().map(after).collect();
    let [first, rest] = [&on, &off].map(|case| [vec![case.clone()], supposed.to_vec()].concat());
    let steps = implied(h, &first, &|here| advance(here, &old, &new))?;
    let new = terms(h, &outside("k + 1"))?;
    let halts = implied(h, &rest, &|here| halted(here, &old, &new))?;
    let once = at_most_one(h, &goes)?;
    let (both, neither) = exclusive(h, &on)?;
    // The estimate behind this step, and those behind more.
    let ends = starts(h, &on)?;
    let q = h.extended(item("q", Sort::Index(var("J"))))?;
    let moved = sum_over(&shifted(&q, &then, (&goes, &once))?)?;
    let ladder = telescope(h, "q", &var("J"), &term(&q, &later("q"))?)?;
    let top = top(h)?;
    let parts = vec![
        with(goes.clone(), &steps),
        with(num(1), &both),
        Part::new(num(1), [&once, &halts].map(Into::into)),
        with(num(1), &neither),
        with(num(1), &ends),
        with(num(1), &moved),
        with(num(1), &ladder),
        with(num(1), &top),
    ];
    combine(h, Goal::Le(before, inner.clone()), &parts)
}

/// goes·(1 − goes) ≤ 0, and (1 − goes)·(1 − 𝟙(goes ≤ 0)) ≤ 0.
fn exclusive(h: &Context, on: &Goal) -> Result<(Theorem, Theorem), Stuck> {
    let [a, b] = sides(on)?;
    let goes = op(Op::AtMost, [a.clone(), b.clone()]);
    let off = op(Op::AtMost, [goes.clone(), num(0)]);
    let first = Goal::Le(goes.clone() * (num(1) - goes.clone()), num(0));
    let second = Goal::Le((num(1) - goes.clone()) * (num(1) - off.clone()), num(0));
    let pair = |here: &Context, goal: &Goal, facts: [&Theorem; 2]| {
        let part = Part::new(num(1), facts.map(Into::into));
        combine(here, goal.clone(), &[part])
    };
    let one = split(
        h,
        [a, b],
        |here, fact| combine(here, first.clone(), &[with(goes.clone(), &union(fact)?)]),
        |here, none| pair(here, &first, [none, &at_most_one(here, &goes)?]),
    )?;
    let other = split(
        h,
        [a, b],
        |here, fact| pair(here, &second, [&union(fact)?, &at_most_one(here, &off)?]),
        |here, none| pair(here, &second, [&at_most_one(here, &goes)?, &union(none)?]),
    )?;
    Ok((one, other))
}

/// goes·P(the estimate behind this step is bad) is at most what is set aside for q = 0.
fn starts(h: &Context, on: &Goal) -> Proof {
    let open = implied(h, std::slice::from_ref(on), &|here| {
        let on = last(here)?;
        let passed = at_most_one(here, &term(here, &format!("𝟙({PASSED} ≤ ‖g‖)"))?)?;
        let first = show(
            here,
            "spent + 0 − T(k) ≤ 0",
            &[("1", &[&on]), ("T(k) + 1", &[&passed])],
        )?;
        let second = show(here, "t + 0 + 1 − J ≤ 0", &[("1", &[&below(here, "t")?])])?;
        join(vec![first, second])
    })?;
    let [a, b] = sides(on)?;
    let goes = op(Op::AtMost, [a.clone(), b.clone()]);
    let wanted = Goal::Le(goes * term(h, &missed("0"))?, term(h, &later("0"))?);
    settle(h, &wanted, &[("1", &[&open, &surely(h, "0")?])])
}

/// The same for q + 1, from what is set aside for q behind the step.
fn shifted(
    h: &Context,
    then: &dyn Fn(&Term) -> Result<Term, Stuck>,
    (goes, once): (&Term, &Theorem),
) -> Proof {
    let left = goes.clone() * then(&term(h, &later("q"))?)?;
    let after = term(h, &early("spent", "t", "q"))?.put("t", &(var("t") + num(1)));
    let after = after.put("spent", &compared(goes)?[0]);
    let sides = compared(&after)?;
    let fewer = implied(
        h,
        &[Goal::Le(sides[0].clone(), sides[1].clone())],
        &|here| {
            let (both, all) = (largest_of(&sides[0])?, last(here)?);
            let [one, two] = [0, 1].map(|i| part(here, &both, &all, i));
            let passed = at_most_one(here, &term(here, &format!("𝟙({PASSED} ≤ ‖g‖)"))?)?;
            let first = show(
                here,
                "spent + (q + 1) − T(k) ≤ 0",
                &[("1", &[&one?]), ("T(k) + 1", &[&passed])],
            )?;
            let second = show(here, "t + (q + 1) + 1 − J ≤ 0", &[("1", &[&two?])])?;
            join(vec![first, second])
        },
    )?;
    let [one, more] = [SECOND.into(), format!("(q + 1)·({SECOND})")].map(|v: String| term(h, &v));
    let x = h.extended(item("x", space()))?;
    let value = term(&x, &good(&format!("{ERROR} + x_j")))?;
    let sum = added(h, [&var("d"), &one?, &more?], ("x", &value))?;
    let sure = surely(h, "(q + 1)")?;
    let right = term(h, &later("(q + 1)"))?;
    // E E 𝟙 ≤ 1, by the other side of the equation.
    let Goal::Eq(twice, _) = &sum.statement().goal else {
        return Err(Stuck::new("no equation"));
    };
    let certain = Goal::Le(twice.clone(), num(1));
    let certain = combine(h, certain, &[with(num(1), &sum), with(num(1), &sure)])?;
    let parts = vec![
        Part::new(num(1), [&fewer, &sure].map(Into::into)),
        Part::new(after.clone(), [once, &certain].map(Into::into)),
        with(num(-1) * after, &sum),
    ];
    combine(h, Goal::Le(left, right), &parts)
}

/// Nothing is set aside for J + 1 steps.
fn top(h: &Context) -> Proof {
    let early = term(h, &early("spent", "t", "J"))?;
    let sides = compared(&early)?;
    let goal = Goal::Le(early.clone(), num(0));
    let none = split(
        h,
        [&sides[0], &sides[1]],
        |here, fact| {
            let far = part(here, &largest_of(&sides[0])?, fact, 1)?;
            let nonsense = show(here, "1 ≤ 0", &[("1", &[&far])])?;
            absurd(here, &nonsense, &goal)
        },
        |_, none| Ok(none.clone()),
    )?;
    let wanted = format!("{} ≤ 0", later("J"));
    show(h, &wanted, &[("1", &[&none, &surely(h, "J")?])])
}
