//! Behind the counts: their noise, the threshold and the empty batch, and what is not right of them.

use super::Proof;
use super::counts::{invariant, missing, threshold};
use super::record::{MOST, factor, floor, many};
use super::residual;
use super::search::{all, ended, few, high, low, not_high, not_low, weightless};
use super::threshold::{level, most_that_follows};
use super::weights::{NOTHING, SCALE, Weights};
use crate::ambssgd::kernel::ssgd::ends::{Falls, at_least, near, same, told};
use crate::ambssgd::kernel::ssgd::words::{Phase, apart, at};
use crate::moved::written::{Written, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, chain, expected, instance, larger, largest, root_increases, sum_over,
    union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_zero};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, bind, num, op, var};

/// What is not right at threshold l is at most what may have failed there behind the last record.
fn not_right(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let l = &threshold(h)?;
    let positive = positive_at(l)?;
    let [few, all] = [few(), all()];
    let event = |[weight, z]: &[String; 2]| format!("𝟙({weight}·{z} ≤ 0)");
    let first = goal(
        l,
        &format!("1 − {} ≤ {}·{}", event(&few), few[0], many("r", "M_l")),
    )?;
    let second = goal(
        l,
        &format!("1 − {} ≤ {}·{}", event(&all), all[0], missing("r", "M_l")),
    )?;
    let low = split(
        l,
        [&term(l, "2·Δ·2^l")?, &term(l, SCALE)?],
        |h, order| {
            let sure = union(order)?;
            split(
                h,
                [&term(h, "M_l")?, &term(h, "15·r/16")?],
                |h, fact| {
                    let right = format!("{}·{} ≤ 0", few[0], few[1]);
                    let right = union(&show(h, &right, &[(&few[0], &[fact])])?)?;
                    settle(h, &first, &[("1", &[&right]), ("1", &[&positive[0]])])
                },
                |h, none| {
                    let one = likely(h, &beyond(h, none)?)?;
                    let parts: &[Written<'_>] =
                        &[(&event(&few), &[]), ("1", &[&sure]), (&few[0], &[&one])];
                    settle(h, &first, parts)
                },
            )
        },
        |h, none| {
            let right = union(&weightless(h, &few, none)?)?;
            settle(h, &first, &[("1", &[&right]), ("1", &[&positive[0]])])
        },
    )?;
    let high = split(
        l,
        [&term(l, &format!("√(2·ℓ)·{SCALE}"))?, &term(l, "Δ·2^l")?],
        |h, order| {
            let sure = union(order)?;
            split(
                h,
                [&var("r"), &term(h, "M_l")?],
                |h, fact| {
                    let right = format!("{}·{} ≤ 0", all[0], all[1]);
                    let right = union(&show(h, &right, &[(&all[0], &[fact])])?)?;
                    settle(h, &second, &[("1", &[&right]), ("1", &[&positive[1]])])
                },
                |h, none| {
                    let parts: &[Written<'_>] =
                        &[(&event(&all), &[]), ("1", &[&sure]), (&all[0], &[none])];
                    settle(h, &second, parts)
                },
            )
        },
        |h, none| {
            let right = union(&weightless(h, &all, none)?)?;
            settle(h, &second, &[("1", &[&right]), ("1", &[&positive[1]])])
        },
    )?;
    Ok([low, high])
}

/// 1 ≤ [`many`] behind the last record where 15r/16 residuals are small.
fn likely(h: &Context, above: &Theorem) -> Proof {
    let (zero, chance) = (
        exp_of_zero(h)?,
        format!("{}/{}", factor("r"), floor("r", "M_l")),
    );
    let one = exp_increases(&show(h, "0 ≤ r/16", &[("r/16", &[])])?)?;
    let one = show(
        h,
        &format!("1 ≤ {MOST}"),
        &[("1", &[&one]), ("1", &[&zero])],
    )?;
    let goal = goal(h, &format!("1 ≤ {}", many("r", "M_l")))?;
    let now = "𝟙(M_l ≤ r)";
    let sure = at_most_one(h, &term(h, now)?)?;
    split(
        h,
        [&term(h, "M_l")?, &var("r")],
        |h, fact| {
            let grows = exp_increases(&show(h, "r − M_l ≤ r/16", &[("1", &[above])])?)?;
            let one = show(h, &format!("1 ≤ {MOST}"), &[("1", &[&one])])?;
            let top = largest(&one, &grows)?;
            let parts: &[Written<'_>] = &[
                (MOST, &[&sure]),
                (&chance, &[&union(fact)?]),
                (&format!("1/{}", floor("r", "M_l")), &[&top]),
                (&format!("{MOST}/{}", floor("r", "M_l")), &[&zero]),
            ];
            settle(h, &goal, parts)
        },
        |h, none| {
            let parts: &[Written<'_>] = &[
                ("1", &[&one]),
                (MOST, &[none]),
                (&format!("{now}·{chance}"), &[]),
            ];
            settle(h, &goal, parts)
        },
    )
}

/// Neither is negative.
fn positive_at(l: &Context) -> Result<[Theorem; 2], Stuck> {
    let (low, high) = (low(SCALE), high(SCALE));
    let one = at_most_one(l, &term(l, "𝟙(M_l ≤ r)")?)?;
    let two = at_most_one(l, &term(l, "𝟙(r ≤ M_l)")?)?;
    let chance = format!("{low}·𝟙(M_l ≤ r)·{}/{}", factor("r"), floor("r", "M_l"));
    let parts: &[Written<'_>] = &[(&format!("{low}·{MOST}"), &[&one]), (&chance, &[])];
    let first = show(l, &format!("0 ≤ {low}·{}", many("r", "M_l")), parts)?;
    let second = format!("0 ≤ {high}·{}", missing("r", "M_l"));
    Ok([first, show(l, &second, &[(&high, &[&two])])?])
}

/// The noise of the counts, the threshold and the empty batch, from what the weights of the round make of [`super::threshold::follows`].
pub(super) fn ends(h: &Context, phase: Phase, follows: &Theorem) -> Proof {
    let here = &h.extended(item("c", Sort::Vector(var("m"), Sign::Any)))?;
    let law = op(Op::Normal, [var("m"), term(h, "m·α²")?]);
    let level = level(&ended(phase));
    let (before, own) = (phase.potential("t", &at("t", "s", "w")), Weights::of(phase));
    let u = own.inner("b", NOTHING, &level);
    let behind = own.least(&u, "b");
    let value = bind(Binder::Expect, "c", law.clone(), term(here, &behind)?);
    let wanted = Goal::Le(value, term(h, &invariant(phase, "r", "M"))?);
    let all = larger(here, &num(1), &term(here, &u)?, true)?;
    let rest = format!("4·b·exp(0 − ℓ) + {}", own.later);
    let all = show(here, &format!("{behind} ≤ 1 + {rest}"), &[("1", &[&all])])?;
    let all = expected(&all, &law)?;
    let positive = positive_at(&threshold(h)?)?;
    let positive = [sum_over(&positive[0])?, sum_over(&positive[1])?];
    either(h, [&term(h, &before)?, &num(1)], |h, order, small| {
        if !small {
            let top = largest(order, &same(h, &before)?)?;
            let parts: &[Written<'_>] = &[
                ("1", &[&all]),
                ("1", &[&top]),
                ("1", &[&positive[0]]),
                ("1", &[&positive[1]]),
            ];
            return settle(h, &wanted, parts);
        }
        let top = largest(&same(h, "1")?, order)?;
        let close = near(h, phase, order)?;
        let here = &h.extended(item("c", Sort::Vector(var("m"), Sign::Any)))?;
        let followed = chain(h, follows, &close)?;
        let followed = instance(here, &followed, &term(here, &ended(phase))?)?;
        let followed = expected(&followed, &law)?;
        let failed = expected(&failed(here, phase, &close)?, &law)?;
        let noise = noise(h)?;
        let right = not_right(h)?;
        let right = [sum_over(&right[0])?, sum_over(&right[1])?];
        let facts = [
            &followed, &failed, &noise[0], &noise[1], &right[0], &right[1], &top,
        ];
        Falls::new(h, phase)?.combined(h, &wanted, &facts)
    })
}

/// Noise above G, or below −G, in some count.
fn noise(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let l = &threshold(h)?;
    let enough = at_least(l, "G")?;
    let of = |sign| sum_over(&residual::noise(l, sign, &enough)?);
    Ok([of("")?, of("0 − ")?])
}

/// That the threshold does not follow is at most what is not right, in the context with the noise c.
fn failed(here: &Context, phase: Phase, close: &Theorem) -> Proof {
    let scale = format!("{} + σ² ≤ B² + σ²", apart("w"));
    let scale = root_increases(&show(here, &scale, &[("1", &[close])])?)?;
    let large = root_increases(&show(
        here,
        "1² ≤ 2·ℓ",
        &[("1", &[&told(here, "1 ≤ 2·ℓ")?])],
    )?)?;
    let top = told(here, "√(2·ℓ)·√(B² + σ²) ≤ Δ·2^m")?;
    let parts: &[Written<'_>] = &[("1", &[&top]), ("√(B² + σ²)", &[&large]), ("1", &[&scale])];
    let top = show(here, &format!("{SCALE} ≤ Δ·2^m"), parts)?;
    let (low, high) = (
        union(&not_low(here, phase, &top)?)?,
        union(&not_high(here, phase)?)?,
    );
    let level = level(&ended(phase));
    let x = format!("𝟙({SCALE} ≤ 2·{level})");
    let y = format!("𝟙({level} ≤ {})", most_that_follows());
    let [one_x, one_y] = [&x, &y].map(|t| at_most_one(here, &term(here, t)?));
    let (one_x, one_y) = (one_x?, one_y?);
    let [few, all] = [few(), all()].map(|[weight, z]| format!("(1 − 𝟙({weight}·{z} ≤ 0))"));
    let most = format!(
        "(Σ_{{l<m}} {few}) + (Σ_{{l<m}} (1 − 𝟙(c_l ≤ G))) + (Σ_{{l<m}} {all}) + (Σ_{{l<m}} (1 − \
            𝟙(0 − c_l ≤ G)))"
    );
    let parts: &[Written<'_>] = &[("1", &[&low]), ("1", &[&high]), ("1", &[&one_x, &one_y])];
    show(here, &format!("1 − {x}·{y} ≤ {most}"), parts)
}
