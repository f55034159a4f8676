//! The two arithmetics of the search: doubles with directed rounding, and MPFR intervals.

use super::expr::Fun;
use crate::arith::{Interval, PRECISION, Rational};
use rug::Float;
use rug::float::Round;

/// Outward-rounded interval arithmetic, as the search needs it.
pub(super) trait Enclose: Clone {
    /// An enclosure of [lo, hi]; `None` is +∞.
    fn hull_of(lo: &Rational, hi: Option<&Rational>) -> Self;
    fn pi() -> Self;
    fn add(&self, other: &Self) -> Self;
    fn sub(&self, other: &Self) -> Self;
    fn mul(&self, other: &Self) -> Self;
    fn div(&self, other: &Self) -> Self;
    fn powi(&self, n: i32) -> Self;
    fn fun(&self, fun: Fun) -> Self;
    fn min(&self, other: &Self) -> Self;
    fn max(&self, other: &Self) -> Self;
    fn hull(&self, other: &Self) -> Self;
    /// Ends as doubles, rounded outward, signs kept.
    fn ends(&self) -> (f64, f64);

    fn constant(c: &Rational) -> Self {
        Self::hull_of(c, Some(c))
    }
    fn int(n: i32) -> Self {
        Self::constant(&n.into())
    }
}

impl Enclose for Interval {
    fn hull_of(lo: &Rational, hi: Option<&Rational>) -> Self {
        Self::new(
            Float::with_val_round(PRECISION, lo, Round::Down).0,
            hi.map_or_else(
                || Float::with_val(PRECISION, f64::INFINITY),
                |hi| Float::with_val_round(PRECISION, hi, Round::Up).0,
            ),
        )
    }
    fn pi() -> Self {
        Self::pi(PRECISION)
    }
    fn add(&self, other: &Self) -> Self {
        self + other
    }
    fn sub(&self, other: &Self) -> Self {
        self - other
    }
    fn mul(&self, other: &Self) -> Self {
        self * other
    }
    fn div(&self, other: &Self) -> Self {
        self / other
    }
    fn powi(&self, n: i32) -> Self {
        let power = Self::powi(self, n.unsigned_abs());
        if n.is_negative() {
            &Self::from(1) / &power
        } else {
            power
        }
    }
    fn fun(&self, fun: Fun) -> Self {
        match fun {
            Fun::Sqrt => self.sqrt(),
            Fun::Exp => self.exp(),
            Fun::ExpM1 => self.exp_m1(),
            Fun::Ln => self.ln(),
            Fun::Ln1p => self.ln_1p(),
            Fun::Erf => self.erf(),
            Fun::Erfc => self.erfc(),
            Fun::Phi => self.phi(),
            Fun::Abs => self.abs(),
        }
    }
    fn min(&self, other: &Self) -> Self {
        Self::min(self, other)
    }
    fn max(&self, other: &Self) -> Self {
        Self::max(self, other)
    }
    fn hull(&self, other: &Self) -> Self {
        Self::hull(self, other)
    }
    fn ends(&self) -> (f64, f64) {
        (self.lo_f64(), self.hi_f64())
    }
}

/// An interval between doubles. Sums, products, quotients and roots are rounded outward with the
/// help of their exact rounding errors; transcendental functions go through MPFR at 53 bits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fast {
    lo: f64,
    hi: f64,
}

impl Fast {
    const WHOLE: Self = Self {
        lo: f64::NEG_INFINITY,
        hi: f64::INFINITY,
    };

    fn new(lo: f64, hi: f64) -> Self {
        if lo <= hi {
            Self { lo, hi }
        } else {
            Self::WHOLE
        }
    }

    fn negate(&self) -> Self {
        Self::new(-self.hi, -self.lo)
    }

    fn increasing(self, f: impl Fn(Float, Round) -> Float) -> Self {
        let at = |x: f64, round| f(Float::with_val(53, x), round).to_f64_round(round);
        Self::new(at(self.lo, Round::Down), at(self.hi, Round::Up))
    }
}

/// `value` moved one step outward unless its rounding error says that it is on the right side.
/// `error` is exact − value; NaN when it is not known exactly.
fn down(value: f64, error: f64) -> f64 {
    if error >= 0.0 {
        value
    } else {
        value.next_down()
    }
}

fn up(value: f64, error: f64) -> f64 {
    if error <= 0.0 { value } else { value.next_up() }
}

/// a + b and its error (Knuth's two-sum; exact unless it overflows, when it gives NaN).
fn sum(a: f64, b: f64) -> (f64, f64) {
    let s = a + b;
    if !s.is_finite() {
        let exact = !a.is_finite() || !b.is_finite();
        return (s, if exact { 0.0 } else { f64::NAN });
    }
    let t = s - a;
    (s, (a - (s - t)) + (b - t))
}

/// Below this size the error of a product may itself be rounded.
const TINY: f64 = 1e-270;

/// a · b and its error, with 0 · ∞ = 0 (an infinite end stands for finite numbers).
fn product(a: f64, b: f64) -> (f64, f64) {
    if a == 0.0 || b == 0.0 {
        return (0.0, 0.0);
    }
    let p = a * b;
    if !a.is_finite() || !b.is_finite() {
        (p, 0.0)
    } else if p.is_infinite() || p.abs() < TINY {
        (p, f64::NAN)
    } else {
        (p, a.mul_add(b, -p))
    }
}

/// a / b for b ≥ 0 and a number with the sign of its error; 0 / 0 = 0, because an end 0 of the
/// divisor stands for positive numbers as small as one likes.
fn quotient(a: f64, b: f64) -> (f64, f64) {
    if a == 0.0 || (b.is_infinite() && a.is_finite()) {
        return (0.0, 0.0);
    }
    let q = a / b;
    if b == 0.0 || a.is_infinite() {
        (q, 0.0)
    } else if !q.is_finite() || q.abs() < TINY || a.abs() < TINY {
        (q, f64::NAN)
    } else {
        (q, (-q).mul_add(b, a))
    }
}

impl Enclose for Fast {
    fn hull_of(lo: &Rational, hi: Option<&Rational>) -> Self {
        Self::new(
            Float::with_val_round(53, lo, Round::Down)
                .0
                .to_f64_round(Round::Down),
            hi.map_or(f64::INFINITY, |hi| {
                Float::with_val_round(53, hi, Round::Up)
                    .0
                    .to_f64_round(Round::Up)
            }),
        )
    }
    fn pi() -> Self {
        // The double nearest π lies below it.
        Self::new(std::f64::consts::PI, std::f64::consts::PI.next_up())
    }
    fn add(&self, other: &Self) -> Self {
        let (l, le) = sum(self.lo, other.lo);
        let (h, he) = sum(self.hi, other.hi);
        Self::new(down(l, le), up(h, he))
    }
    fn sub(&self, other: &Self) -> Self {
        self.add(&other.negate())
    }
    fn mul(&self, other: &Self) -> Self {
        let pairs = [
            product(self.lo, other.lo),
            product(self.lo, other.hi),
            product(self.hi, other.lo),
            product(self.hi, other.hi),
        ];
        let lo = pairs.iter().map(|&(p, e)| down(p, e));
        let hi = pairs.iter().map(|&(p, e)| up(p, e));
        Self::new(
            lo.fold(f64::INFINITY, f64::min),
            hi.fold(f64::NEG_INFINITY, f64::max),
        )
    }
    fn div(&self, other: &Self) -> Self {
        if other.hi <= 0.0 && other.lo < 0.0 {
            return self.negate().div(&other.negate());
        }
        if other.lo < 0.0 || other.hi == 0.0 {
            return Self::WHOLE;
        }
        let (l, le) = quotient(self.lo, if self.lo >= 0.0 { other.hi } else { other.lo });
        let (h, he) = quotient(self.hi, if self.hi >= 0.0 { other.lo } else { other.hi });
        Self::new(down(l, le), up(h, he))
    }
    fn powi(&self, n: i32) -> Self {
        let positive = n.unsigned_abs();
        let base = if positive.is_multiple_of(2) {
            self.fun(Fun::Abs)
        } else {
            *self
        };
        let power = |x: f64| (0..positive).fold(Self::int(1), |acc, _| acc.mul(&Self::new(x, x)));
        let raised = Self::new(power(base.lo).lo, power(base.hi).hi);
        if n.is_negative() {
            Self::int(1).div(&raised)
        } else {
            raised
        }
    }
    fn fun(&self, fun: Fun) -> Self {
        match fun {
            Fun::Abs if self.lo >= 0.0 => *self,
            Fun::Abs if self.hi <= 0.0 => Self::new(-self.hi, -self.lo),
            Fun::Abs => Self::new(0.0, self.hi.max(-self.lo)),
            Fun::Sqrt => self.increasing(|x, r| Float::with_val_round(53, x.sqrt_ref(), r).0),
            Fun::Exp => self.increasing(|x, r| Float::with_val_round(53, x.exp_ref(), r).0),
            Fun::ExpM1 => self.increasing(|x, r| Float::with_val_round(53, x.exp_m1_ref(), r).0),
            Fun::Ln => self.increasing(|x, r| Float::with_val_round(53, x.ln_ref(), r).0),
            Fun::Ln1p => self.increasing(|x, r| Float::with_val_round(53, x.ln_1p_ref(), r).0),
            Fun::Erf => self.increasing(|x, r| Float::with_val_round(53, x.erf_ref(), r).0),
            Fun::Erfc | Fun::Phi => {
                let wide = Enclose::fun(&Interval::between(self.lo, self.hi), fun);
                let (lo, hi) = wide.ends();
                Self::new(lo, hi)
            }
        }
    }
    fn min(&self, other: &Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.min(other.hi))
    }
    fn max(&self, other: &Self) -> Self {
        Self::new(self.lo.max(other.lo), self.hi.max(other.hi))
    }
    fn hull(&self, other: &Self) -> Self {
        Self::new(self.lo.min(other.lo), self.hi.max(other.hi))
    }
    fn ends(&self) -> (f64, f64) {
        (self.lo, self.hi)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quotients of ranges of either sign hold the quotients of their ends, and of divisors on both sides of 0 all is said.
    #[test]
    fn quotients_of_ranges_cover_those_of_their_points() {
        let ends = [-3.0, -1.0, -0.0, 0.5, 1e-300, 7.0];
        let ranges: Vec<Fast> = (ends.iter())
            .flat_map(|lo| {
                ends.iter()
                    .filter(move |hi| lo <= *hi)
                    .map(move |hi| Fast::new(*lo, *hi))
            })
            .collect();
        for a in &ranges {
            for b in &ranges {
                let found = a.div(b);
                if b.lo <= 0.0 && b.hi >= 0.0 {
                    assert!(
                        b.lo == 0.0 || b.hi == 0.0 || found == Fast::WHOLE,
                        "{a:?} / {b:?}"
                    );
                }
                for x in [a.lo, a.hi] {
                    for y in [b.lo, b.hi].into_iter().filter(|y| *y != 0.0) {
                        let truth = x / y;
                        assert!(
                            found.lo <= truth && truth <= found.hi,
                            "{a:?} / {b:?}: {found:?}"
                        );
                    }
                }
            }
        }
    }

    /// An error is known, or not a number: of sums that overflow, and where what is left of a quotient is below every number.
    #[test]
    fn an_error_that_no_number_holds_is_not_known() {
        assert!(sum(f64::MAX, f64::MAX).1.is_nan());
        assert_eq!(sum(f64::INFINITY, 1.0), (f64::INFINITY, 0.0));
        assert_eq!(product(f64::INFINITY, 2.0), (f64::INFINITY, 0.0));
        assert_eq!(product(2.0, f64::NEG_INFINITY), (f64::NEG_INFINITY, 0.0));
        assert!(product(f64::MAX, 2.0).1.is_nan() && product(TINY, 0.5).1.is_nan());
        assert_eq!(product(TINY, 1.0), (TINY, 0.0));
        assert_eq!(
            [product(0.0, f64::INFINITY), product(f64::INFINITY, 0.0)],
            [(0.0, 0.0); 2]
        );
        assert_eq!(quotient(TINY, 1.0), (TINY, 0.0));
        assert!(quotient(TINY, 2.0).1.is_nan() && quotient(0.5 * TINY, 0.25).1.is_nan());
        assert!(quotient(f64::MAX, 0.5).1.is_nan());
        assert_eq!(
            [quotient(0.0, 0.0), quotient(3.0, f64::INFINITY)],
            [(0.0, 0.0); 2]
        );
        assert_eq!(quotient(f64::INFINITY, 2.0), (f64::INFINITY, 0.0));
        assert_eq!(quotient(3.0, 0.0), (f64::INFINITY, 0.0));
        // Of 1/3 and 5/3 the nearest doubles are below and above.
        assert!(quotient(1.0, 3.0).1 > 0.0 && quotient(5.0, 3.0).1 < 0.0);
        let (least, small) = (f64::from_bits(1), 3.0 * 2f64.powi(-1000));
        assert!(quotient(least, small).1.is_nan());
    }
}
