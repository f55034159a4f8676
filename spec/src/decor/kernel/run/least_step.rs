//! The constant step of `decor-cor-12-nc-corrected`, η₀ = 1/P.

use super::{Parts, Proof};
use crate::moved::written::{goal, show, term};
use dp_assay_kernel::rules::{inverse, larger};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::statement::Context;

/// What 1/η₀ is the larger one of.
pub(super) const FAST: &str = "(8·L/p)";
pub(super) const SLOW: &str = "√(L·T·Q/(2·n·Δ))";

/// η₀·P = 1.
pub(super) fn unit(h: &Context) -> Proof {
    let size = assumed(h, &goal(h, "η₀ = 1/P")?)?;
    let unit = inverse(h, &term(h, "P")?)?;
    show(h, "η₀·P = 1", &[("P", &[&size]), ("1", &[&unit])])
}

/// η₀·L ≤ p/8.
pub(super) fn short(h: &Context) -> Proof {
    let (first, second) = (term(h, FAST)?, term(h, SLOW)?);
    let above = larger(h, &first, &second, false)?;
    let parts: Parts<'_> = &[("η₀·p/8", &[&above]), ("p/8", &[&unit(h)?])];
    show(h, "η₀·L ≤ p/8", parts)
}
