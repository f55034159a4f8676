//! The threshold of a round, and the empty batch.

use super::Proof;
use super::weights::{NOTHING, SCALE, Weights, most, once, positive};
use crate::ambssgd::kernel::ssgd::ends::same;
use crate::ambssgd::kernel::ssgd::words::apart;
use crate::moved::written::{Written, goal, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, at_most_one, discharge, larger, largest, union};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item};
use dp_assay_kernel::statement::{Context, Item, Sign, Sort};
use dp_assay_kernel::term::{num, var};

/// A threshold of at least Δ, from a vector with one entry.
pub(super) fn level(x: &str) -> String {
    format!("max(‖{x}‖, Δ)")
}

/// What a threshold that follows the residuals is at most.
pub(super) fn most_that_follows() -> String {
    format!("max(Δ, V·{SCALE})")
}

/// If w is near, for every threshold: the potential is at most what it is at the largest that follows the residuals, or it does not.
pub(super) fn follows(h: &Context) -> Proof {
    let near = goal(h, &format!("{} ≤ B²", apart("w")))?;
    let h = &h.extended(Item::Assume(near.clone()))?;
    let close = &assumed(h, &near)?;
    let threshold = item("ϵ", Sort::Vector(num(1), Sign::Any));
    let (here, level) = (&h.extended(threshold)?, &level("ϵ"));
    let own = &Weights::named();
    let u = own.inner("b", NOTHING, level);
    let star = own.potential(&own.batch("b", NOTHING, &most()));
    let low = [SCALE.to_owned(), format!("2·{level}")];
    let high = [level.clone(), most_that_follows()];
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
                    let second = format!("{SCALE} − 2·{level} ≤ 0");
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
    discharge(&discharge(&found)?)
}

/// The square of a threshold of at most max(Δ, V·S) is at most Δ² + V²·S².
fn square(h: &Context, level: &str, below: &Theorem) -> Proof {
    let (top, scale) = (&most_that_follows(), &format!("V·{SCALE}"));
    let goal = format!("{level}² ≤ Δ² + V²·({} + σ²)", apart("w"));
    let own = format!("{level} + {top}");
    either(h, [&term(h, scale)?, &var("Δ")], |h, order, small| {
        if small {
            let most = largest(&same(h, "Δ")?, order)?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&own, &[below]),
                (&format!("{top} + Δ"), &[&most]),
                (&format!("V²·{SCALE}²"), &[]),
            ];
            return show(h, &goal, parts);
        }
        let most = largest(order, &same(h, scale)?)?;
        let parts: &[(&str, &[&Theorem])] =
            &[(&own, &[below]), (&format!("{top} + {scale}"), &[&most])];
        show(h, &goal, parts)
    })
}
