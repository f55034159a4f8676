//! One record of the counts, at one threshold.

use super::Proof;
use super::residual::{PARABOLA, below_parabola, size};
use super::search::{high, low};
use crate::ambssgd::kernel::ssgd::ends::{about, same};
use crate::ambssgd::kernel::ssgd::words::Phase;
use crate::moved::written::{Written, goal, settle, show, term};
use dp_assay_kernel::rules::{
    Theorem, at_most_one, below, exp_sum, instance, larger, largest, union,
};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::statement::Context;
use dp_assay_kernel::term::{num, var};

/// exp(r/16), and that with what is expected of the large residuals to come.
pub(super) const MOST: &str = "exp(r/16)";

pub(super) fn factor(e: &str) -> String {
    format!("{MOST}·exp(0 − (r − ({e}))/8)")
}

pub(super) fn floor(e: &str, h: &str) -> String {
    format!("max(1, exp({e} − {h}))")
}

/// How likely it is that a low threshold will have too many residuals below it.
pub(super) fn many(e: &str, h: &str) -> String {
    let chance = format!("{}/{}", factor(e), floor(e, h));
    format!("({MOST} − 𝟙({h} ≤ {e})·({MOST} − {chance}))")
}

/// A record at threshold l.
pub(super) struct Record<'a> {
    pub(super) l: &'a Context,
    pub(super) phase: Phase,
    /// What it adds.
    pub(super) entry: &'a str,
    /// e⁻¹ ≤ 1.
    pub(super) less: &'a Theorem,
}

impl Record<'_> {
    /// 1 if its residual is below the threshold.
    fn indicator() -> String {
        format!("𝟙({} ≤ Δ·2^l)", size())
    }

    pub(super) fn next(&self) -> String {
        format!("(M_l + {})", self.entry)
    }

    /// What it adds is that.
    fn drawn(&self, h: &Context) -> Proof {
        let every = about(h, &format!("H{}", self.phase.number()))?;
        let values = ["w", "t", "e", "u", "ξ", "l"].map(var);
        let at = { values.iter() }.try_fold(every, |every, value| instance(h, &every, value))?;
        show(
            h,
            &format!("{} = {}", self.entry, Self::indicator()),
            &[("1", &[&at])],
        )
    }

    /// A chance is at most exp(r/16): of the floor, and of what is to come.
    fn within(&self, h: &Context, e: &str, x: &str) -> Proof {
        let (floor, later) = (floor(e, x), below(h, "e")?);
        let least = larger(h, &num(1), &term(h, &format!("exp({e} − {x})"))?, false)?;
        let zero = exp_of_zero(h)?;
        let decay = format!("exp(0 − (r − ({e}))/8)");
        let falls = exp_increases(&show(
            h,
            &format!("0 − (r − ({e}))/8 ≤ 0"),
            &[("1/8", &[&later])],
        )?)?;
        let parts: &[Written<'_>] = &[
            (MOST, &[&falls]),
            (&format!("(−1)·{MOST}"), &[&zero]),
            (&format!("{MOST}·{decay}/{floor}"), &[&least]),
        ];
        show(h, &format!("{}/{floor} ≤ {MOST}", factor(e)), parts)
    }

    /// How [`many`] falls, by what its residual is.
    pub(super) fn many(&self) -> Proof {
        let (l, next, small) = (self.l, self.next(), Self::indicator());
        let above = format!("{}/{}", factor("e + 1"), floor("e", "M_l"));
        let kept = "𝟙(M_l ≤ e)";
        let falls = format!("(1 − (1 − exp(0 − 1))·(1 − {small}))");
        let wanted = format!(
            "{} ≤ {MOST} − {kept}·({MOST} − {above}·{falls})",
            many("e + 1", &next)
        );
        let goal = goal(l, &wanted)?;
        let sure = at_most_one(l, &term(l, kept)?)?;
        let then = format!("𝟙({next} ≤ e + 1)");
        let sure_then = at_most_one(l, &term(l, &then)?)?;
        let chance = format!("{}/{}", factor("e + 1"), floor("e + 1", &next));
        split(
            l,
            [&term(l, "M_l")?, &var("e")],
            |h, fact| {
                let drawn = self.drawn(h)?;
                let one = at_most_one(h, &term(h, &small)?)?;
                let parts: &[Written<'_>] = &[("1", &[fact]), ("1", &[&one]), ("1", &[&drawn])];
                let later = union(&show(h, &format!("{next} ≤ e + 1"), parts)?)?;
                let fall = self.falls(h, fact)?;
                let now = union(fact)?;
                let parts: &[Written<'_>] = &[
                    (MOST, &[&later]),
                    (&chance, &[&sure_then]),
                    (&factor("e + 1"), &[&fall]),
                    (MOST, &[&sure]),
                    (&format!("{above}·exp(0 − 1)"), &[&now]),
                    (&format!("{above}·{small}"), &[&now, self.less]),
                ];
                settle(h, &goal, parts)
            },
            |h, none| {
                let within = self.within(h, "e + 1", &next)?;
                let parts: &[Written<'_>] = &[
                    (MOST, &[none]),
                    (&then, &[&within]),
                    (&format!("{kept}·{above}·exp(0 − 1)"), &[]),
                    (&format!("{kept}·{above}·{small}"), &[self.less]),
                ];
                settle(h, &goal, parts)
            },
        )
    }

    /// 1/max(1, exp(e + 1 − h′)) ≤ (1 − (1 − e⁻¹)·(1 − J))/max(1, exp(e − h)) for h′ = h + J, J being 0 or 1, and h ≤ e.
    fn falls(&self, h: &Context, close: &Theorem) -> Proof {
        let (next, small) = (self.next(), Self::indicator());
        let (now, then) = (floor("e", "M_l"), floor("e + 1", &next));
        let wanted = goal(
            h,
            &format!("1/{then} ≤ (1 − (1 − exp(0 − 1))·(1 − {small}))/{now}"),
        )?;
        let drawn = self.drawn(h)?;
        let sure = at_most_one(h, &term(h, &small)?)?;
        let [low, high] = [false, true].map(|second| {
            larger(
                h,
                &num(1),
                &term(h, &format!("exp(e + 1 − {next})"))?,
                second,
            )
        });
        let (low, high) = (low?, high?);
        let over = format!("1/({now}·{then})");
        split(
            h,
            [&term(h, &size())?, &term(h, "Δ·2^l")?],
            |h, fact| {
                let one = union(fact)?;
                let parts: &[Written<'_>] = &[("1", &[&sure]), ("1", &[&drawn])];
                let more = format!("e − M_l ≤ e + 1 − {next}");
                let more = exp_increases(&show(h, &more, parts)?)?;
                let top = format!("exp(e − M_l) ≤ {then}");
                let top = show(h, &top, &[("1", &[&more]), ("1", &[&high])])?;
                let low = show(h, &format!("1 ≤ {then}"), &[("1", &[&low])])?;
                let within = largest(&low, &top)?;
                let parts: &[Written<'_>] = &[
                    (&over, &[&within]),
                    (&format!("1/{now}"), &[&one, self.less]),
                ];
                settle(h, &wanted, parts)
            },
            |h, none| {
                let parts: &[Written<'_>] = &[("1", &[none]), ("1", &[&drawn])];
                let more = format!("e − M_l + 1 ≤ e + 1 − {next}");
                let more = exp_increases(&show(h, &more, parts)?)?;
                let (twice, unit) = (
                    exp_sum(h, &term(h, "e − M_l")?, &num(1))?,
                    exp_of_opposite(h, &num(1))?,
                );
                let zero = exp_of_zero(h)?;
                let first = exp_increases(&show(h, "0 ≤ e − M_l", &[("1", &[close])])?)?;
                let first = show(h, "1 ≤ exp(e − M_l)", &[("1", &[&first]), ("1", &[&zero])])?;
                let least = largest(&first, &same(h, "exp(e − M_l)")?)?;
                let parts: &[Written<'_>] = &[
                    ("1", &[&least]),
                    ("exp(0 − 1)", &[&high]),
                    ("exp(0 − 1)", &[&more]),
                    ("(−1)·exp(0 − 1)", &[&twice]),
                    ("exp(e − M_l)", &[&unit]),
                ];
                let within = show(h, &format!("{now} ≤ exp(0 − 1)·{then}"), parts)?;
                let parts: &[Written<'_>] = &[
                    (&over, &[&within]),
                    (&format!("{small}/{now}"), &[self.less]),
                ];
                settle(h, &wanted, parts)
            },
        )
    }

    /// Below a low threshold the residual is below the parabola.
    pub(super) fn small(&self) -> Proof {
        let (l, low, small) = (self.l, low("ν"), Self::indicator());
        let wanted = goal(l, &format!("{low}·{small} ≤ {low}·{PARABOLA}"))?;
        split(
            l,
            [&term(l, "2·Δ·2^l")?, &var("ν")],
            |h, order| {
                split(
                    h,
                    [&term(h, &size())?, &term(h, "Δ·2^l")?],
                    |h, fact| {
                        let most = below_parabola(h, [fact, order])?;
                        let sure = at_most_one(h, &term(h, &small)?)?;
                        settle(h, &wanted, &[(&low, &[&most]), (&low, &[&sure])])
                    },
                    |h, none| {
                        settle(
                            h,
                            &wanted,
                            &[(&low, &[none]), (&format!("{low}·{PARABOLA}"), &[])],
                        )
                    },
                )
            },
            |h, none| {
                settle(
                    h,
                    &wanted,
                    &[(&small, &[none]), (&format!("{low}·{PARABOLA}"), &[])],
                )
            },
        )
    }

    /// Below a high threshold a count has all, but for what is out.
    pub(super) fn missed(&self, out: &str) -> Proof {
        let (l, high, next) = (self.l, high("ν"), self.next());
        let (now, then) = ("𝟙(e ≤ M_l)", format!("𝟙(e + 1 ≤ {next})"));
        let wanted = goal(
            l,
            &format!("{high}·(1 − {then}) ≤ {high}·((1 − {now}) + {out})"),
        )?;
        let sure = at_most_one(l, &term(l, now)?)?;
        let level = "ν·√(2·ℓ)";
        let inside = at_most_one(l, &term(l, &format!("𝟙({} ≤ {level})", size()))?)?;
        split(
            l,
            [&var("e"), &term(l, "M_l")?],
            |h, full| {
                split(
                    h,
                    [&term(h, &size())?, &term(h, level)?],
                    |h, short| {
                        split(
                            h,
                            [&term(h, "√(2·ℓ)·ν")?, &term(h, "Δ·2^l")?],
                            |h, order| {
                                let small = format!("{} ≤ Δ·2^l", size());
                                let small = show(h, &small, &[("1", &[short]), ("1", &[order])])?;
                                let (small, drawn) = (union(&small)?, self.drawn(h)?);
                                let parts: &[Written<'_>] =
                                    &[("1", &[full]), ("1", &[&small]), ("(−1)", &[&drawn])];
                                let all = show(h, &format!("e + 1 ≤ {next}"), parts)?;
                                let all = union(&all)?;
                                let parts: &[Written<'_>] =
                                    &[(&high, &[&all]), (&high, &[&sure]), (&high, &[&inside])];
                                settle(h, &wanted, parts)
                            },
                            |h, none| {
                                let parts: &[Written<'_>] = &[
                                    ("1", &[none]),
                                    (&format!("{high}·{then}"), &[]),
                                    (&high, &[&sure]),
                                    (&high, &[&inside]),
                                ];
                                settle(h, &wanted, parts)
                            },
                        )
                    },
                    |h, none| {
                        settle(
                            h,
                            &wanted,
                            &[
                                (&high, &[none]),
                                (&high, &[&sure]),
                                (&format!("{high}·{then}"), &[]),
                            ],
                        )
                    },
                )
            },
            |h, none| {
                settle(
                    h,
                    &wanted,
                    &[
                        (&high, &[none]),
                        (&high, &[&inside]),
                        (&format!("{high}·{then}"), &[]),
                    ],
                )
            },
        )
    }
}
