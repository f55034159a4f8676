//! Floating-point arithmetic with stated error, the ground on which the accountants stand.
//!
//! Model: binary64 with round-to-nearest, in which +, −, ×, ÷ and √ are correctly rounded (IEEE-754;
//! Rust guarantees it). Nothing is assumed of the platform's exp, ln, sin or erfc: they are not
//! called. Directed rounding is one step (`next_up`, `next_down`) beyond a nearest result.

// `!(x >= 0.0)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod complex;
mod decimal;
mod double;
pub mod elementary;
mod enclosure;
mod erfc;

pub use complex::Complex;
pub(crate) use complex::INVERSE_FACTORIAL_FROM_2;
pub use decimal::{from_json, vanishes};
pub use double::Double;
pub use enclosure::Enclosure;
pub use erfc::{
    ERFC_ERROR, MILLS_DOUBLE_ERROR, MILLS_ERROR, mills, mills_double, normal_density, normal_tail,
};

/// Unit roundoff 2⁻⁵³ of binary64.
pub const U: f64 = f64::EPSILON / 2.0;

/// An upper bound for a number whose computed value `x` has relative error at most `error` ≤ 10⁻³.
///
/// |x̂ − x| ≤ e|x| gives |x̂ − x| ≤ e(1 + 2e)|x̂|; the factor and the last step outward cover the
/// roundings of this very expression.
///
/// ```
/// use dp_assay::float::{U, above, below};
///
/// // A quotient is rounded once: its relative error is at most u.
/// let third = 1.0 / 3.0;
/// assert!(below(third, U) < third && third < above(third, U));
/// ```
#[must_use]
#[inline]
pub fn above(x: f64, error: f64) -> f64 {
    (x + x.abs() * (error * (1.0 + 4.0 * error) * (1.0 + 8.0 * U))).next_up()
}

/// A lower bound for a number whose computed value `x` has relative error at most `error` ≤ 10⁻³.
#[must_use]
#[inline]
pub fn below(x: f64, error: f64) -> f64 {
    -above(-x, error)
}
