//! min(1, e^x), written 1/max(1, e^{−x}).

use super::Proof;
use super::words::{combined, goal, last, show, term};
use crate::moved::written::inside;
use dp_assay_kernel::rules::{Theorem, discharge, exp_sum, larger, largest};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::search::real;
use dp_assay_kernel::statement::{Context, Sign};
use dp_assay_kernel::term::{num, var};

/// min(1, e^x).
pub(super) const CHANCE: &str = "(1/max(1, exp(0 − x)))";

/// What holds for every real x is proved of a variable, as the terms that will stand for it are long.
pub(super) fn for_every(h: &Context, prove: impl Fn(&Context) -> Proof) -> Proof {
    discharge(&prove(&h.extended(real("x", Sign::Any))?)?)
}

/// min(1, e^x) ≤ 1.
pub(super) fn at_most(h: &Context) -> Proof {
    for_every(h, |h| {
        let above = larger(h, &num(1), &term(h, "exp(0 − x)")?, false)?;
        show(h, &format!("{CHANCE} ≤ 1"), &[(CHANCE, &[&above])])
    })
}

/// min(1, e^x) ≤ e^x.
pub(super) fn small(h: &Context) -> Proof {
    let above = larger(h, &num(1), &term(h, "exp(0 − x)")?, true)?;
    let unit = exp_of_opposite(h, &var("x"))?;
    let all = format!("exp(x)·{CHANCE}");
    let parts: &[(&str, &[&Theorem])] = &[(&all, &[&above]), (CHANCE, &[&unit])];
    show(h, &format!("{CHANCE} ≤ exp(x)"), parts)
}

/// 1 ≤ min(1, e^x) if 0 ≤ x.
pub(super) fn certain(h: &Context) -> Proof {
    for_every(h, |h| {
        let goal = goal(h, &format!("if 0 ≤ x: 1 ≤ {CHANCE}"))?;
        inside(h, &goal, &|h, goal| {
            let large = last(h)?;
            let low = show(h, "0 − x ≤ 0", &[("1", &[&large])])?;
            let (low, one) = (exp_increases(&low)?, exp_of_zero(h)?);
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&low]), ("(−1)", &[&one])];
            let low = show(h, "exp(0 − x) ≤ 1", parts)?;
            let top = largest(&show(h, "1 ≤ 1", &[])?, &low)?;
            combined(h, goal, &[(CHANCE, &[&top])])
        })
    })
}

/// e^x ≤ min(1, e^x) if x ≤ 0.
pub(super) fn fits(h: &Context) -> Proof {
    for_every(h, |h| {
        let goal = goal(h, &format!("if x ≤ 0: exp(x) ≤ {CHANCE}"))?;
        inside(h, &goal, &|h, goal| {
            let low = last(h)?;
            let high = exp_increases(&show(h, "0 ≤ 0 − x", &[("1", &[&low])])?)?;
            let (one, unit) = (exp_of_zero(h)?, exp_of_opposite(h, &var("x"))?);
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&high]), ("1", &[&one])];
            let high = show(h, "1 ≤ exp(0 − x)", parts)?;
            let top = largest(&high, &show(h, "exp(0 − x) ≤ exp(0 − x)", &[])?)?;
            let (all, less) = (format!("exp(x)·{CHANCE}"), format!("(−1)·{CHANCE}"));
            combined(h, goal, &[(&all, &[&top]), (&less, &[&unit])])
        })
    })
}

/// e^{−y}·min(1, e^x) ≤ e^z if x ≤ y + z, for all y and z.
pub(super) fn tilted(h: &Context) -> Proof {
    for_every(h, |h| {
        let all = "for every real y: for every real z: if x ≤ y + z";
        let goal = goal(h, &format!("{all}: exp(0 − y)·{CHANCE} ≤ exp(z)"))?;
        inside(h, &goal, &|h, goal| {
            let (small, grows) = (small(h)?, exp_increases(&last(h)?)?);
            let split = exp_sum(h, &var("y"), &var("z"))?;
            let unit = exp_of_opposite(h, &var("y"))?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("exp(0 − y)", &[&small]),
                ("exp(0 − y)", &[&grows]),
                ("exp(0 − y)", &[&split]),
                ("(−1)·exp(z)", &[&unit]),
            ];
            combined(h, goal, parts)
        })
    })
}
