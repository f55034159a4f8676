//! The counts of DP-STAT, record by record.
//!
//! A low threshold has too many residuals below it if few are large: with so many large ones as e − h, exp(−(e − h)) falls in expectation
//! with every record. A high one has all of them below it but rarely, and then h is e.

use super::Proof;
use super::residual::{self, PARABOLA, below_parabola, seldom_large, seldom_small, size};
use super::search::{all, ended, few, high, low, not_high, not_low, weightless};
use super::stated;
use super::threshold::level;
use super::weights::{NOTHING, SCALE, Weights};
use crate::ambssgd::kernel::count::above;
use crate::ambssgd::kernel::ssgd::ends::{Falls, about, at_least, near, same, told};
use crate::ambssgd::kernel::ssgd::words::{Phase, apart, at};
use crate::arith::Rational;
use crate::moved::written::{Written, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, below, chain, discharge, exp_sum, expected, instance, larger, largest,
    root_increases, sum_over, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, bind, num, op, var};

/// exp(r/16), and that with what is expected of the large residuals to come.
const MOST: &str = "exp(r/16)";

fn factor(e: &str) -> String {
    format!("{MOST}·exp(0 − (r − ({e}))/8)")
}

fn floor(e: &str, h: &str) -> String {
    format!("max(1, exp({e} − {h}))")
}

/// How likely it is that a low threshold will have too many residuals below it.
fn many(e: &str, h: &str) -> String {
    let chance = format!("{}/{}", factor(e), floor(e, h));
    format!("({MOST} − 𝟙({h} ≤ {e})·({MOST} − {chance}))")
}

/// How likely it is that a high one will not have all.
fn missing(e: &str, h: &str) -> String {
    format!("((1 − 𝟙({e} ≤ {h})) + 2·(r − ({e}))·exp(0 − ℓ))")
}

/// What may fail at threshold l.
fn at_threshold(e: &str, h: &str, scale: &str) -> String {
    let (low, high) = (low(scale), high(scale));
    format!("({low}·{} + {high}·{})", many(e, h), missing(e, h))
}

/// What may fail in DP-STAT.
fn fails(e: &str, h: &str, scale: &str) -> String {
    let each = at_threshold(e, &format!("{h}[l]"), scale);
    format!("((Σ_{{l<m}} {each}) + 2·m·exp(0 − ℓ))")
}

/// What may fail yet before record e.
pub(super) fn invariant(phase: Phase, e: &str, h: &str) -> String {
    format!(
        "{} − π + {}",
        phase.invariant("t", "s", "w"),
        fails(e, h, SCALE)
    )
}

fn threshold(h: &Context) -> Result<Context, Stuck> {
    h.extended(item("l", Sort::Index(var("m"))))
}

/// Before the first record.
pub(super) fn begins(h: &Context, phase: Phase) -> Proof {
    let l = &threshold(h)?;
    let nothing = "⟨0 : ι<m⟩";
    let entry = "0";
    let zero = show(l, &format!("{entry} ≤ 0"), &[])?;
    let sure = union(&show(l, &format!("0 ≤ {entry}"), &[])?)?;
    let empty = union(&zero)?;
    let one = at_most_one(l, &term(l, &format!("𝟙({entry} ≤ 0)"))?)?;
    let (low, high) = (low(SCALE), high(SCALE));
    let [of_low, of_high] = [&low, &high].map(|x| at_most_one(l, &term(l, x)?));
    let floor = floor("0", entry);
    let least = larger(l, &num(1), &term(l, &format!("exp(0 − {entry})"))?, false)?;
    let chance = format!("{}/{floor}", factor("0"));
    let whole = exp_sum(l, &term(l, "r/16")?, &term(l, "0 − r/8")?)?;
    let parts: &[Written<'_>] = &[
        (&format!("{low}·{MOST}"), &[&empty]),
        (&format!("{low}·{chance}"), &[&one]),
        (&chance, &[&of_low?]),
        (&chance, &[&least]),
        ("(−1)", &[&whole]),
        (&high, &[&sure]),
        ("2·r·exp(0 − ℓ)", &[&of_high?]),
    ];
    let each = at_threshold("0", entry, SCALE);
    let each = show(
        l,
        &format!("{each} ≤ exp(0 − r/16) + 2·r·exp(0 − ℓ)"),
        parts,
    )?;
    let wanted = Goal::Le(
        term(h, &invariant(phase, "0", nothing))?,
        term(h, &phase.invariant("t", "s", "w"))?,
    );
    settle(h, &wanted, &[("1", &[&sum_over(&each)?])])
}

/// e⁻¹ ≤ 1, and 1 − (1 − e⁻¹)·9/41 ≤ exp(−1/8).
fn numbers(h: &Context) -> Result<(Theorem, Theorem), Stuck> {
    let (low, whole) = above(h, Rational::from(1))?;
    let unit = exp_of_opposite(h, &num(1))?;
    let most = low.recip();
    let parts: &[Written<'_>] = &[
        (&format!("({most})·exp(0 − 1)"), &[&whole]),
        (&format!("(−1)·({most})"), &[&unit]),
    ];
    let small = show(h, &format!("exp(0 − 1) ≤ {most}"), parts)?;
    let (_, rate) = above(h, Rational::from((-1, 8)))?;
    let parts: &[Written<'_>] = &[("1", &[&rate]), ("9/41", &[&small])];
    let rate = show(h, "1 − (1 − exp(0 − 1))·(9/41) ≤ exp(0 − 1/8)", parts)?;
    Ok((show(h, "exp(0 − 1) ≤ 1", &[("1", &[&small])])?, rate))
}

/// One record more.
pub(super) fn adds(h: &Context, phase: Phase) -> Proof {
    let here = &h.extended(positive("ν"))?;
    let here = &here.extended(Item::Assume(goal(
        here,
        &format!("ν² = {} + σ²", apart("w")),
    )?))?;
    let [_, both] = residual::drawn(here)?;
    let l = &threshold(&both)?;
    let entry = stated::counts(phase.number(), phase.rounds(), ["w", "t", "e", "u", "ξ"]);
    let next = format!("⟨M_ι + clip({entry}[ι], 1) : ι<m⟩");
    let entry = format!("clip({entry}[l], 1)");
    let (less, rate) = numbers(here)?;
    let out = format!("(1 − 𝟙({} ≤ ν·√(2·ℓ)))", size());
    let above = format!("{}/{}", factor("e + 1"), floor("e", "M_l"));
    let kept = "𝟙(M_l ≤ e)";
    let falls = format!("(1 − (1 − exp(0 − 1))·(1 − {PARABOLA}))");
    let (low, high) = (low("ν"), high("ν"));
    let most = format!(
        "({low}·({MOST} − {kept}·({MOST} − {above}·{falls})) + {high}·((1 − 𝟙(e ≤ M_l)) + {out} + 2·(r − (e + 1))·exp(0 − ℓ)))"
    );
    let record = Record {
        l,
        phase,
        entry: &entry,
        less: &less,
    };
    let many = record.many()?;
    let small = record.small()?;
    let missed = record.missed(&out)?;
    let then = at_threshold("e + 1", &record.next(), "ν");
    let parts: &[Written<'_>] = &[
        (&low, &[&many]),
        (&format!("{kept}·{above}"), &[&small, &less]),
        ("1", &[&missed]),
    ];
    let each = sum_over(&show(l, &format!("{then} ≤ {most}"), parts)?)?;
    let behind = format!(
        "{} − π + {}",
        phase.invariant("t", "s", "w"),
        fails("e + 1", &next, "ν")
    );
    let within = format!(
        "{} − π + (Σ_{{l<m}} {most}) + 2·m·exp(0 − ℓ)",
        phase.invariant("t", "s", "w")
    );
    let all = show(&both, &format!("{behind} ≤ {within}"), &[("1", &[&each])])?;
    let all = residual::over(&all)?;
    let Goal::Le(left, _) = &all.statement().goal else {
        return Err(Stuck::new("no expectation"));
    };
    let before = format!(
        "{} − π + {}",
        phase.invariant("t", "s", "w"),
        fails("e", "M", "ν")
    );
    let wanted = Goal::Le(left.clone(), term(here, &before)?);
    let (seldom, rarely) = (seldom_small(here)?, seldom_large(here)?);
    let step = exp_sum(
        here,
        &term(here, "0 − (r − (e + 1))/8")?,
        &term(here, "0 − 1/8")?,
    )?;
    let unit = format!("(Σ_{{l<m}} {low}·{kept}/{})", floor("e", "M_l"));
    let parts: &[Written<'_>] = &[
        ("1", &[&all]),
        (
            &format!("{unit}·{}·(1 − exp(0 − 1))", factor("e + 1")),
            &[&seldom],
        ),
        (&format!("(Σ_{{l<m}} {high})"), &[&rarely]),
        (&format!("{unit}·{}", factor("e + 1")), &[&rate]),
        (&format!("(−1)·{unit}·{MOST}"), &[&step]),
    ];
    let found = settle(here, &wanted, parts)?;
    let found = instance(h, &discharge(&discharge(&found)?)?, &term(h, SCALE)?)?;
    let square = show(h, &format!("({SCALE})² = {} + σ²", apart("w")), &[])?;
    chain(h, &found, &square)
}

/// A record at threshold l.
struct Record<'a> {
    l: &'a Context,
    phase: Phase,
    /// What it adds.
    entry: &'a str,
    /// e⁻¹ ≤ 1.
    less: &'a Theorem,
}

impl Record<'_> {
    /// 1 if its residual is below the threshold.
    fn indicator() -> String {
        format!("𝟙({} ≤ Δ·2^l)", size())
    }

    fn next(&self) -> String {
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
    fn many(&self) -> Proof {
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
    fn small(&self) -> Proof {
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
    fn missed(&self, out: &str) -> Proof {
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
        Falls::new(h, phase)?.settle(h, &wanted, &facts)
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
    let y = format!("𝟙({level} ≤ {})", super::threshold::most_that_follows());
    let [one_x, one_y] = [&x, &y].map(|t| at_most_one(here, &term(here, t)?));
    let (one_x, one_y) = (one_x?, one_y?);
    let [few, all] = [few(), all()].map(|[weight, z]| format!("(1 − 𝟙({weight}·{z} ≤ 0))"));
    let most = format!(
        "(Σ_{{l<m}} {few}) + (Σ_{{l<m}} (1 − 𝟙(c_l ≤ G))) + (Σ_{{l<m}} {all}) + (Σ_{{l<m}} (1 − 𝟙(0 − c_l ≤ G)))"
    );
    let parts: &[Written<'_>] = &[("1", &[&low]), ("1", &[&high]), ("1", &[&one_x, &one_y])];
    show(here, &format!("1 − {x}·{y} ≤ {most}"), parts)
}
