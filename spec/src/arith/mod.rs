//! Arithmetic that never lies about direction: intervals over MPFR and exact rationals.

pub mod algebra;
mod interval;
pub mod normal;
mod poly;
pub mod quadrature;

pub use interval::{Interval, PRECISION};
pub use poly::{Point, Poly};
pub use rug::{Integer, Rational};

/// The rational `numerator / denominator`.
#[must_use]
pub fn ratio(numerator: i64, denominator: u64) -> Rational {
    Rational::from((numerator, denominator))
}
