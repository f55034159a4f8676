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
pub use decimal::{VANISHES, from_json, vanishes, vanishing};
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

/// c·x of a count c ≥ 1 and a number x ≥ 0, rounded up; as it is where it is a double.
///
/// ```
/// use dp_assay::float::product_upper;
///
/// assert_eq!(product_upper(2.0, 0.1), 0.2);
/// // Ten times the double next to 0.1 is a little more than 1.
/// assert_eq!(product_upper(10.0, 0.1), 1f64.next_up());
/// ```
#[must_use]
pub fn product_upper(count: f64, x: f64) -> f64 {
    let (nearest, large) = (count * x, enlarged(x));
    match count.mul_add(x * large, -(nearest * large)) > 0.0 {
        true => nearest.next_up(),
        false => nearest,
    }
}

/// a/b of numbers 0 ≤ a ≤ b, b > 0, rounded up; as it is where it is a double.
///
/// ```
/// use dp_assay::float::ratio_upper;
///
/// assert_eq!(ratio_upper(1.0, 4.0), 0.25);
/// assert_eq!(ratio_upper(1.0, 3.0), (1.0f64 / 3.0).next_up());
/// assert!(ratio_upper(f64::from_bits(1), 3.0) > 0.0);
/// ```
#[must_use]
pub fn ratio_upper(a: f64, b: f64) -> f64 {
    let (nearest, large) = (a / b, enlarged(a));
    match (-(nearest * large)).mul_add(b, a * large) > 0.0 {
        true => nearest.next_up(),
        false => nearest,
    }
}

/// A power of two by which x is large enough for what is left of a product or quotient of its size, 2⁻¹⁰⁶ of it, to be a
/// double, of which the sign is then exact.
fn enlarged(x: f64) -> f64 {
    if x < 1e-280 { 2f64.powi(600) } else { 1.0 }
}

/// A lower bound for a number whose computed value `x` has relative error at most `error` ≤ 10⁻³.
#[must_use]
#[inline]
pub fn below(x: f64, error: f64) -> f64 {
    -above(-x, error)
}
