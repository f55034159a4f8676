//! The threshold of a round, and the empty batch.

use super::Proof;
use super::weights::{DRAWN, NOTHING, Weights, most, once, positive};
use crate::ambssgd::kernel::ssgd::ends::{Falls, first, near, same};
use crate::ambssgd::kernel::ssgd::words::{Phase, apart, at};
use crate::moved::written::{Written, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, chain, discharge, expected, instance, larger, largest, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, bind, num, op, var};

/// The threshold and the empty batch, from what the weights of the round make of [`follows`].
pub(super) fn begins(h: &Context, phase: Phase, follows: &Theorem) -> Proof {
    let (here, law) = (drawn_threshold(h)?, op(Op::Normal, [var("r"), num(1)]));
    let (before, own) = (phase.potential("t", &at("t", "s", "w")), Weights::of(phase));
    let u = own.inner("b", NOTHING, DRAWN);
    let behind = own.least(&u, "b");
    let value = bind(Binder::Expect, "κ", law.clone(), term(&here, &behind)?);
    let wanted = Goal::Le(value, term(h, &phase.invariant("t", "s", "w"))?);
    let all = larger(&here, &num(1), &term(&here, &u)?, true)?;
    let rest = format!("4·b·exp(0 − ℓ) + {}", own.later);
    let all = show(&here, &format!("{behind} ≤ 1 + {rest}"), &[("1", &[&all])])?;
    let all = expected(&all, &law)?;
    either(h, [&term(h, &before)?, &num(1)], |h, order, small| {
        if !small {
            let top = largest(order, &same(h, &before)?)?;
            return settle(h, &wanted, &[("1", &[&all]), ("1", &[&top])]);
        }
        let top = largest(&same(h, "1")?, order)?;
        let close = near(h, phase, order)?;
        let tracked = instance(
            h,
            &first(h, |goal| matches!(goal, Goal::Every(..)))?,
            &var("w"),
        )?;
        let tracked = chain(h, &tracked, &close)?;
        let here = drawn_threshold(h)?;
        let followed = instance(&here, &chain(h, follows, &close)?, &var("κ"))?;
        let followed = expected(&followed, &law)?;
        Falls::new(h, phase)?.settle(h, &wanted, &[&followed, &tracked, &top])
    })
}

/// The context with what a threshold is made from.
pub(super) fn drawn_threshold(h: &Context) -> Result<Context, Stuck> {
    h.extended(item("κ", Sort::Vector(var("r"), Sign::Any)))
}

/// If w is near, for every κ: the potential is at most what it is at the largest threshold that follows, or the threshold does not
/// follow.
pub(super) fn follows(h: &Context) -> Proof {
    let near = goal(h, &format!("{} ≤ B²", apart("w")))?;
    let h = &h.extended(Item::Assume(near.clone()))?;
    let close = &assumed(h, &near)?;
    let here = &drawn_threshold(h)?;
    let own = &Weights::named();
    let u = own.inner("b", NOTHING, DRAWN);
    let star = own.potential(&own.batch("b", NOTHING, &most()));
    let low = ["S(w)".to_owned(), format!("2·{DRAWN}")];
    let high = [DRAWN.to_owned(), "max(Δ, V·S(w))".to_owned()];
    let indicator = |[a, b]: &[String; 2]| format!("𝟙({a} ≤ {b})");
    let (x, y) = (indicator(&low), indicator(&high));
    let wanted = format!("1 + {u} − max(1, {u}) ≤ {star} + 1 − {x}·{y}");
    let spread = format!("{}·b·{}", own.growth(), once());
    let positive = positive(here, own, ("b", NOTHING, &most()), &[(&spread, &[])])?;
    let potential = term(here, &u)?;
    let [one_x, one_y] = [&x, &y].map(|t| at_most_one(here, &term(here, t)?));
    let (one_x, one_y) = (one_x?, one_y?);
    let sides = |[a, b]: &[String; 2]| Ok::<_, Stuck>([term(here, a)?, term(here, b)?]);
    let fails = |h: &Context, other: &str, none: &Theorem| {
        let above = larger(h, &num(1), &potential, true)?;
        let parts: &[Written<'_>] = &[("1", &[&above]), (other, &[none]), ("1", &[&positive])];
        show(h, &wanted, parts)
    };
    let ([a, b], [c, d]) = (sides(&low)?, sides(&high)?);
    let found = split(
        here,
        [&a, &b],
        |h, above| {
            split(
                h,
                [&c, &d],
                |h, below| {
                    let first = show(h, &format!("{} − B² ≤ 0", apart("w")), &[("1", &[close])])?;
                    let second = format!("S(w) − 2·{DRAWN} ≤ 0");
                    let second = show(h, &second, &[("1", &[above])])?;
                    let good = union(&largest(&first, &second)?)?;
                    let (square, most) =
                        (square(h, below)?, larger(h, &num(1), &potential, false)?);
                    let unit = format!("{}·η²·d·(4·ϱ²·α²/b²)", own.growth());
                    let parts: &[Written<'_>] = &[
                        ("1", &[&most]),
                        ("1", &[&good]),
                        (&unit, &[&square]),
                        ("1", &[&one_x]),
                        (&x, &[&one_y]),
                    ];
                    show(h, &wanted, parts)
                },
                |h, none| fails(h, &x, none),
            )
        },
        |h, none| fails(h, &y, none),
    )?;
    discharge(&discharge(&found)?)
}

/// The square of a threshold of at most max(Δ, V·S) is at most Δ² + V²·S².
pub(super) fn square(h: &Context, below: &Theorem) -> Proof {
    let (top, scale) = ("max(Δ, V·S(w))", "V·S(w)");
    let goal = format!("{DRAWN}² ≤ Δ² + V²·({} + σ²)", apart("w"));
    let own = format!("{DRAWN} + {top}");
    either(h, [&term(h, scale)?, &var("Δ")], |h, order, small| {
        if small {
            let most = largest(&same(h, "Δ")?, order)?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&own, &[below]),
                (&format!("{top} + Δ"), &[&most]),
                ("V²·S(w)²", &[]),
            ];
            return show(h, &goal, parts);
        }
        let most = largest(order, &same(h, scale)?)?;
        let parts: &[(&str, &[&Theorem])] =
            &[(&own, &[below]), (&format!("{top} + {scale}"), &[&most])];
        show(h, &goal, parts)
    })
}
