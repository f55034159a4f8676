//! Intervals of binary64 numbers, rounded outward by one step after every operation.

use super::elementary::{EXP_ERROR, EXP_M1_ERROR, LN_ERROR, exp, exp_m1, ln, ln_1p};
use super::{above, below};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A closed interval [lo, hi] that contains the real number it was computed for.
///
/// The four operations and the square root are correctly rounded by IEEE-754, so one step outward
/// contains the exact result; the elementary functions are widened by their stated error. Ends may
/// be infinite. An operation that is undefined somewhere on its operands gives the whole line.
///
/// ```
/// use dp_assay::float::Enclosure;
///
/// let third = Enclosure::point(1.0) / Enclosure::point(3.0);
/// assert!(third.lo < third.hi && third.width() < 1e-15);
/// assert!((third * Enclosure::point(3.0)).contains(1.0));
/// assert!(third.ln().exp().contains(1.0 / 3.0));
/// // Where logarithm or root are not defined, nothing is known.
/// assert_eq!(Enclosure::new(-1.0, 1.0).ln(), Enclosure::WHOLE);
/// assert_eq!(Enclosure::new(-1.0, 1.0).sqrt(), Enclosure::WHOLE);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Enclosure {
    /// Lower end.
    pub lo: f64,
    /// Upper end.
    pub hi: f64,
}

impl Enclosure {
    /// The whole line.
    pub const WHOLE: Self = Self {
        lo: f64::NEG_INFINITY,
        hi: f64::INFINITY,
    };

    /// The interval [lo, hi]; the whole line when an end is NaN or they are in the wrong order.
    #[must_use]
    pub fn new(lo: f64, hi: f64) -> Self {
        if lo <= hi {
            Self { lo, hi }
        } else {
            Self::WHOLE
        }
    }

    /// The number `x` exactly.
    #[must_use]
    pub fn point(x: f64) -> Self {
        Self::new(x, x)
    }

    /// All numbers within `error` of `x`.
    #[must_use]
    pub fn ball(x: f64, error: f64) -> Self {
        Self::new((x - error).next_down(), (x + error).next_up())
    }

    /// hi − lo, rounded up.
    #[must_use]
    pub fn width(self) -> f64 {
        (self.hi - self.lo).next_up()
    }

    /// A number near the middle.
    #[must_use]
    pub fn middle(self) -> f64 {
        0.5 * self.lo + 0.5 * self.hi
    }

    /// Largest absolute value in the interval.
    #[must_use]
    pub fn magnitude(self) -> f64 {
        self.lo.abs().max(self.hi.abs())
    }

    /// Whether `x` lies in the interval.
    #[must_use]
    pub fn contains(self, x: f64) -> bool {
        self.lo <= x && x <= self.hi
    }

    /// Its part in [lo, hi]: for values known to lie there.
    #[must_use]
    pub fn clamp(self, lo: f64, hi: f64) -> Self {
        Self::new(self.lo.clamp(lo, hi), self.hi.clamp(lo, hi))
    }

    /// {max(x, y)}.
    #[must_use]
    pub fn max(self, other: Self) -> Self {
        Self::new(self.lo.max(other.lo), self.hi.max(other.hi))
    }

    /// {min(x, y)}.
    #[must_use]
    pub fn min(self, other: Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.min(other.hi))
    }

    /// {eˣ}.
    #[must_use]
    pub fn exp(self) -> Self {
        let lo = if self.lo < -708.0 {
            0.0
        } else {
            below(exp(self.lo), EXP_ERROR).max(0.0)
        };
        let hi = above(exp(self.hi.max(-708.0)), EXP_ERROR);
        Self::new(lo, hi)
    }

    /// {eˣ − 1}.
    #[must_use]
    pub fn exp_m1(self) -> Self {
        Self::new(
            below(exp_m1(self.lo), EXP_M1_ERROR).max(-1.0),
            above(exp_m1(self.hi), EXP_M1_ERROR),
        )
    }

    /// {ln x}; the whole line if the interval reaches below 0.
    #[must_use]
    pub fn ln(self) -> Self {
        Self::new(below(ln(self.lo), LN_ERROR), above(ln(self.hi), LN_ERROR))
    }

    /// {ln(1 + x)}; the whole line if the interval reaches below −1.
    #[must_use]
    pub fn ln_1p(self) -> Self {
        Self::new(
            below(ln_1p(self.lo), LN_ERROR),
            above(ln_1p(self.hi), LN_ERROR),
        )
    }

    /// {√x}; the whole line if the interval reaches below 0.
    #[must_use]
    pub fn sqrt(self) -> Self {
        // `max` would take the 0 for the NaN of a lower end below it.
        if self.lo < 0.0 {
            return Self::WHOLE;
        }
        Self::new(
            self.lo.sqrt().next_down().max(0.0),
            self.hi.sqrt().next_up(),
        )
    }

    /// {x²}.
    #[must_use]
    pub fn square(self) -> Self {
        let product = self * self;
        Self::new(product.lo.max(0.0), product.hi)
    }
}

impl From<f64> for Enclosure {
    fn from(x: f64) -> Self {
        Self::point(x)
    }
}

impl From<u64> for Enclosure {
    /// The count itself, which from 2⁵³ on need not be a double.
    fn from(count: u64) -> Self {
        let nearest = count as f64;
        match nearest as u128 == u128::from(count) {
            true => Self::point(nearest),
            false => Self::new(nearest.next_down(), nearest.next_up()),
        }
    }
}

impl Neg for Enclosure {
    type Output = Self;
    fn neg(self) -> Self {
        Self {
            lo: -self.hi,
            hi: -self.lo,
        }
    }
}

impl Add for Enclosure {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self::new(
            (self.lo + other.lo).next_down(),
            (self.hi + other.hi).next_up(),
        )
    }
}

impl Sub for Enclosure {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Enclosure {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        hull_of_ends(
            self,
            other,
            |x, y| if x == 0.0 || y == 0.0 { 0.0 } else { x * y },
        )
    }
}

impl Div for Enclosure {
    type Output = Self;
    /// The whole line if the divisor contains 0.
    fn div(self, other: Self) -> Self {
        if other.contains(0.0) {
            return Self::WHOLE;
        }
        hull_of_ends(self, other, |x, y| x / y)
    }
}

/// The hull, one step outward, of `f` at the four pairs of ends; exact zeros stay exact.
fn hull_of_ends(a: Enclosure, b: Enclosure, f: impl Fn(f64, f64) -> f64) -> Enclosure {
    let ends = [f(a.lo, b.lo), f(a.lo, b.hi), f(a.hi, b.lo), f(a.hi, b.hi)];
    if ends.iter().any(|x| x.is_nan()) {
        return Enclosure::WHOLE;
    }
    let lo = ends.iter().copied().fold(f64::INFINITY, f64::min);
    let hi = ends.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if lo == 0.0 && hi == 0.0 && (a == Enclosure::point(0.0) || b == Enclosure::point(0.0)) {
        return Enclosure::point(0.0);
    }
    Enclosure::new(lo.next_down(), hi.next_up())
}

macro_rules! with_number {
    ($($op:ident $method:ident),*) => {$(
        impl $op<f64> for Enclosure {
            type Output = Self;
            fn $method(self, other: f64) -> Self {
                self.$method(Self::point(other))
            }
        }
        impl $op<Enclosure> for f64 {
            type Output = Enclosure;
            fn $method(self, other: Enclosure) -> Enclosure {
                Enclosure::point(self).$method(other)
            }
        }
    )*};
}
with_number!(Add add, Sub sub, Mul mul, Div div);
