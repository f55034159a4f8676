//! What the numbers of a configuration must be.

/// A rule in words, and whether a number keeps it.
pub(super) type Must = (&'static str, fn(f64) -> bool);

pub(super) const FINITE: Must = ("finite", f64::is_finite);
pub(super) const POSITIVE: Must = ("finite and > 0", |x| x.is_finite() && x > 0.0);
pub(super) const NONNEGATIVE: Must = ("finite and >= 0", |x| x.is_finite() && x >= 0.0);
