//! The counts of DP-STAT, record by record.
//!
//! A low threshold has too many residuals below it if few are large: with so many large ones as e − M, exp(−(e − M)) falls in expectation
//! with every record. A high one has all of them below it but rarely, and then M is e.

use super::Proof;
use super::record::{MOST, Record, factor, floor, many};
use super::residual::{self, PARABOLA, seldom_large, seldom_small, size};
use super::search::{high, low};
use super::stated;
use super::weights::SCALE;
use crate::ambssgd::kernel::count::{above, inverse_of_e};
use crate::ambssgd::kernel::ssgd::words::{Phase, apart};
use crate::arith::Rational;
use crate::moved::written::{Written, goal, settle, show, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Theorem, at_most_one, chain, discharge, exp_sum, instance, larger, sum_over, union,
};
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{num, var};

/// How likely it is that a high one will not have all.
pub(super) fn missing(e: &str, h: &str) -> String {
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

/// The context of a threshold.
pub(super) fn threshold(h: &Context) -> Result<Context, Stuck> {
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
    let small = inverse_of_e(h)?;
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
        "({low}·({MOST} − {kept}·({MOST} − {above}·{falls})) + {high}·((1 − 𝟙(e ≤ M_l)) + {out} + \
            2·(r − (e + 1))·exp(0 − ℓ)))"
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
    let [left, _] = sides(&all.statement().goal)?;
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
