//! The threshold of a round, and the empty batch.

use super::Proof;
use super::weights::{NOTHING, Weights, drawn_level, most, once, positive};
use crate::ambssgd::kernel::ssgd::ends::{Falls, about, near, same};
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
use dp_assay_kernel::term::{Binder, Op, Term, bind, num, op, var};

/// The threshold and the empty batch, from what the weights of the round make of [`follows`].
pub(super) fn begins(h: &Context, phase: Phase, follows: &Theorem) -> Proof {
    let (here, laws) = (drawn_threshold(h, "ς")?, laws(h)?);
    let level = drawn_level(phase, "ς");
    let (before, own) = (phase.potential("t", &at("t", "s", "w")), Weights::of(phase));
    let u = own.inner("b", NOTHING, &level);
    let behind = own.least(&u, "b");
    let value = bind(Binder::Expect, "ς", laws[1].clone(), term(&here, &behind)?);
    let value = bind(Binder::Expect, "κ", laws[0].clone(), value);
    let wanted = Goal::Le(value, term(h, &phase.invariant("t", "s", "w"))?);
    let all = larger(&here, &num(1), &term(&here, &u)?, true)?;
    let rest = format!("4·b·exp(0 − ℓ) + {}", own.later);
    let all = show(&here, &format!("{behind} ≤ 1 + {rest}"), &[("1", &[&all])])?;
    let all = over(&all, &laws)?;
    either(h, [&term(h, &before)?, &num(1)], |h, order, small| {
        if !small {
            let top = largest(order, &same(h, &before)?)?;
            return settle(h, &wanted, &[("1", &[&all]), ("1", &[&top])]);
        }
        let top = largest(&same(h, "1")?, order)?;
        let close = near(h, phase, order)?;
        let tracked = about(h, &format!("ϑ{}", phase.number()))?;
        let at = ["w", "t"].map(var);
        let tracked = { at.iter() }.try_fold(tracked, |every, value| instance(h, &every, value))?;
        let tracked = chain(h, &tracked, &close)?;
        let here = drawn_threshold(h, "ς")?;
        let at = ["κ", "ς"].map(var);
        let followed = chain(h, follows, &close)?;
        let followed =
            { at.iter() }.try_fold(followed, |every, value| instance(&here, &every, value))?;
        let followed = over(&followed, &laws)?;
        Falls::new(h, phase)?.settle(h, &wanted, &[&followed, &tracked, &top])
    })
}

/// The context with what a threshold is made from: κ, and the noise of the counts.
fn drawn_threshold(h: &Context, noise: &str) -> Result<Context, Stuck> {
    let drawn = |x: &str, dimension: &str| item(x, Sort::Vector(var(dimension), Sign::Any));
    h.with([drawn("κ", "r"), drawn(noise, "m")])
}

/// The laws of κ and of the noise of the counts.
fn laws(h: &Context) -> Result<[Term; 2], Stuck> {
    let noise = term(h, "m·α²")?;
    Ok([(var("r"), num(1)), (var("m"), noise)].map(|(d, v)| op(Op::Normal, [d, v])))
}

/// Over both.
fn over(theorem: &Theorem, [made, noise]: &[Term; 2]) -> Proof {
    expected(&expected(theorem, noise)?, made)
}

/// If w is near, for every κ and noise: the potential is at most what it is at the largest threshold that follows, or the threshold does not
/// follow.
pub(super) fn follows(h: &Context, phase: Phase) -> Proof {
    let near = goal(h, &format!("{} ≤ B²", apart("w")))?;
    let h = &h.extended(Item::Assume(near.clone()))?;
    let close = &assumed(h, &near)?;
    let (here, level) = (&drawn_threshold(h, "ϵ")?, &drawn_level(phase, "ϵ"));
    let own = &Weights::named();
    let u = own.inner("b", NOTHING, level);
    let star = own.potential(&own.batch("b", NOTHING, &most()));
    let low = ["S(w)".to_owned(), format!("2·{level}")];
    let high = [level.clone(), "max(Δ, V·S(w))".to_owned()];
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
                    let second = format!("S(w) − 2·{level} ≤ 0");
                    let second = show(h, &second, &[("1", &[above])])?;
                    let good = union(&largest(&first, &second)?)?;
                    let (square, most) = (
                        square(h, level, below)?,
                        larger(h, &num(1), &potential, false)?,
                    );
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
    discharge(&discharge(&discharge(&found)?)?)
}

/// The square of a threshold of at most max(Δ, V·S) is at most Δ² + V²·S².
fn square(h: &Context, level: &str, below: &Theorem) -> Proof {
    let (top, scale) = ("max(Δ, V·S(w))", "V·S(w)");
    let goal = format!("{level}² ≤ Δ² + V²·({} + σ²)", apart("w"));
    let own = format!("{level} + {top}");
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
