//! Outward-rounded intervals over [`rug::Float`].

use rug::float::Round;
use rug::ops::{AddAssignRound, MulAssignRound};
use rug::{Float, Rational};
use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// Working precision in bits of an [`Interval`] unless another is asked for.
pub const PRECISION: u32 = 128;

/// A closed set of reals [lo, hi] that contains the true value of what it was computed from.
///
/// Every operation rounds its lower end down and its upper end up. Ends may be infinite, never NaN:
/// an operation that is undefined inside its operands returns the whole line; one that is undefined
/// only at an end (a divisor's or a logarithm's end 0) returns an enclosure of the defined values.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    lo: Float,
    hi: Float,
}

/// The smaller of two ends.
fn least<'a>(a: &'a Float, b: &'a Float) -> &'a Float {
    if a <= b { a } else { b }
}

/// The larger of two ends.
fn largest<'a>(a: &'a Float, b: &'a Float) -> &'a Float {
    if a >= b { a } else { b }
}

impl Interval {
    /// The interval [lo, hi]; the whole line if an end is NaN or they are in the wrong order.
    #[must_use]
    pub fn new(lo: Float, hi: Float) -> Self {
        if lo.is_nan() || hi.is_nan() || lo > hi {
            Self::whole(lo.prec())
        } else {
            Self { lo, hi }
        }
    }

    /// The whole line.
    #[must_use]
    pub fn whole(precision: u32) -> Self {
        Self {
            lo: Float::with_val(precision, f64::NEG_INFINITY),
            hi: Float::with_val(precision, f64::INFINITY),
        }
    }

    /// The point `x`, exactly; the whole line if it is NaN.
    #[must_use]
    pub fn point(x: Float) -> Self {
        Self::new(x.clone(), x)
    }

    /// 2ⁿ, exactly.
    #[must_use]
    pub fn power_of_two(n: i32) -> Self {
        Self::point(Float::with_val(PRECISION, Float::u_exp(1, n)))
    }

    /// The point `x`, exactly.
    #[must_use]
    pub fn from_f64(x: f64) -> Self {
        Self::new(Float::with_val(PRECISION, x), Float::with_val(PRECISION, x))
    }

    /// The two numbers' hull, exactly.
    #[must_use]
    pub fn between(lo: f64, hi: f64) -> Self {
        Self::new(
            Float::with_val(PRECISION, lo),
            Float::with_val(PRECISION, hi),
        )
    }

    /// An enclosure of the rational `x` at [`PRECISION`].
    #[must_use]
    pub fn from_rational(x: &Rational) -> Self {
        Self::rational_at(x, PRECISION)
    }

    /// An enclosure of the rational `x` at the given precision in bits.
    #[must_use]
    pub fn rational_at(x: &Rational, precision: u32) -> Self {
        Self::new(
            Float::with_val_round(precision, x, Round::Down).0,
            Float::with_val_round(precision, x, Round::Up).0,
        )
    }

    /// An enclosure of π at the given precision in bits.
    #[must_use]
    pub fn pi(precision: u32) -> Self {
        let pi = rug::float::Constant::Pi;
        Self::new(
            Float::with_val_round(precision, pi, Round::Down).0,
            Float::with_val_round(precision, pi, Round::Up).0,
        )
    }

    /// The smallest interval with ends of the given precision in bits (at least 1) that contains this one.
    #[must_use]
    pub fn rounded(&self, precision: u32) -> Self {
        Self::new(
            Float::with_val_round(precision, &self.lo, Round::Down).0,
            Float::with_val_round(precision, &self.hi, Round::Up).0,
        )
    }

    /// Lower end.
    #[must_use]
    pub const fn lo(&self) -> &Float {
        &self.lo
    }

    /// Upper end.
    #[must_use]
    pub const fn hi(&self) -> &Float {
        &self.hi
    }

    /// Lower end as a double, rounded down.
    #[must_use]
    pub fn lo_f64(&self) -> f64 {
        self.lo.to_f64_round(Round::Down)
    }

    /// Lower end in so many decimal places, rounded down but for the last bit of a double: what a text may say the value is at least.
    #[must_use]
    pub fn lo_digits(&self, places: i32) -> f64 {
        let scale = 10_f64.powi(places);
        (self.lo_f64() * scale).floor() / scale
    }

    /// Upper end in so many decimal places, rounded up but for the last bit of a double: what a text may say the value is at most.
    #[must_use]
    pub fn hi_digits(&self, places: i32) -> f64 {
        let scale = 10_f64.powi(places);
        (self.hi_f64() * scale).ceil() / scale
    }

    /// Upper end as a double, rounded up.
    #[must_use]
    pub fn hi_f64(&self) -> f64 {
        self.hi.to_f64_round(Round::Up)
    }

    /// Width hi − lo, rounded up.
    #[must_use]
    pub fn width(&self) -> f64 {
        Float::with_val_round(self.prec(), &self.hi - &self.lo, Round::Up)
            .0
            .to_f64_round(Round::Up)
    }

    /// Precision of the ends in bits.
    #[must_use]
    pub fn prec(&self) -> u32 {
        self.lo.prec()
    }

    /// Whether both ends are finite.
    #[must_use]
    pub fn is_finite(&self) -> bool {
        self.lo.is_finite() && self.hi.is_finite()
    }

    /// Whether `x` lies in the interval.
    #[must_use]
    pub fn contains(&self, x: f64) -> bool {
        self.lo <= x && self.hi >= x
    }

    /// Certainly ≤: every point of `self` is at most every point of `other`.
    #[must_use]
    pub fn certainly_le(&self, other: &Self) -> bool {
        self.hi <= other.lo
    }

    /// Certainly <: every point of `self` is below every point of `other`.
    #[must_use]
    pub fn certainly_lt(&self, other: &Self) -> bool {
        self.hi < other.lo
    }

    /// The smallest interval that contains both; each end keeps its own precision.
    #[must_use]
    pub fn hull(&self, other: &Self) -> Self {
        let lo = least(&self.lo, &other.lo);
        let hi = largest(&self.hi, &other.hi);
        Self::new(lo.clone(), hi.clone())
    }

    /// The common part, if there is one.
    #[must_use]
    pub fn intersect(&self, other: &Self) -> Option<Self> {
        let lo = largest(&self.lo, &other.lo);
        let hi = least(&self.hi, &other.hi);
        (lo <= hi).then(|| Self::new(lo.clone(), hi.clone()))
    }

    /// Pointwise maximum.
    #[must_use]
    pub fn max(&self, other: &Self) -> Self {
        let lo = largest(&self.lo, &other.lo);
        let hi = largest(&self.hi, &other.hi);
        Self::new(lo.clone(), hi.clone())
    }

    /// Pointwise minimum.
    #[must_use]
    pub fn min(&self, other: &Self) -> Self {
        -&(-self).max(&-other)
    }

    /// Absolute value.
    #[must_use]
    pub fn abs(&self) -> Self {
        if self.lo >= 0 {
            self.clone()
        } else if self.hi <= 0 {
            -self
        } else {
            let zero = Float::with_val(self.prec(), 0);
            let hi = Float::with_val(self.prec(), -&self.lo).max(&self.hi);
            Self::new(zero, hi)
        }
    }

    /// x², tighter than `x * x`.
    #[must_use]
    pub fn square(&self) -> Self {
        let a = self.abs();
        a.monotone(|x, round| Float::with_val_round(x.prec(), x * x, round).0)
    }

    /// xⁿ for an integer n ≥ 0.
    #[must_use]
    pub fn powi(&self, n: u32) -> Self {
        let power =
            |x: &Float, round| Float::with_val_round(x.prec(), rug::ops::Pow::pow(x, n), round).0;
        if n.is_multiple_of(2) {
            self.abs().monotone(power)
        } else {
            self.monotone(power)
        }
    }

    /// eˣ.
    ///
    /// On an interval of width w ≤ 2⁻⁴⁰ the upper end is e^lo (1 + w + w²) ≥ e^(lo + w), which saves
    /// the second exponential at a relative cost of w².
    #[must_use]
    pub fn exp(&self) -> Self {
        let p = self.prec();
        let up = Round::Up;
        let width = Float::with_val_round(p, &self.hi - &self.lo, up).0;
        if !self.is_finite() || width > Float::with_val(p, Float::u_exp(1, -40)) {
            return self.monotone(|x, round| Float::with_val_round(p, x.exp_ref(), round).0);
        }
        let mut hi = Float::with_val(p, &self.lo);
        let exact = hi.exp_round(up).is_eq();
        let mut lo = hi.clone();
        if !exact {
            lo.next_down();
        }
        let square = Float::with_val_round(p, &width * &width, up).0;
        let growth = Float::with_val_round(p, &width + &square, up).0;
        let growth = Float::with_val_round(p, &growth + 1u32, up).0;
        hi.mul_assign_round(&growth, up);
        Self::new(lo, hi)
    }

    /// eˣ − 1.
    #[must_use]
    pub fn exp_m1(&self) -> Self {
        self.monotone(|x, round| Float::with_val_round(x.prec(), x.exp_m1_ref(), round).0)
    }

    /// Natural logarithm; the whole line where the interval reaches below zero.
    #[must_use]
    pub fn ln(&self) -> Self {
        self.monotone(|x, round| Float::with_val_round(x.prec(), x.ln_ref(), round).0)
    }

    /// ln(1 + x); the whole line where the interval reaches below −1.
    #[must_use]
    pub fn ln_1p(&self) -> Self {
        self.monotone(|x, round| Float::with_val_round(x.prec(), x.ln_1p_ref(), round).0)
    }

    /// xᵖ for a real p, by e^(p ln x); 0⁰ = 1, and the whole line where the interval reaches below
    /// zero.
    #[must_use]
    pub fn pow(&self, p: &Self) -> Self {
        if p.lo.is_zero() && p.hi.is_zero() {
            return Self::power_of_two(0);
        }
        (p * &self.ln()).exp()
    }

    /// Square root; the whole line where the interval reaches below zero.
    #[must_use]
    pub fn sqrt(&self) -> Self {
        self.monotone(|x, round| Float::with_val_round(x.prec(), x.sqrt_ref(), round).0)
    }

    /// Error function.
    #[must_use]
    pub fn erf(&self) -> Self {
        self.monotone(|x, round| Float::with_val_round(x.prec(), x.erf_ref(), round).0)
    }

    /// Complementary error function.
    #[must_use]
    pub fn erfc(&self) -> Self {
        (-self).monotone(|x, round| {
            let y = Float::with_val(x.prec(), -x);
            Float::with_val_round(x.prec(), y.erfc_ref(), round).0
        })
    }

    /// Standard normal distribution function Φ.
    #[must_use]
    pub fn phi(&self) -> Self {
        let precision = self.prec().max(PRECISION);
        let root_half = Self::rational_at(&Rational::from((1, 2)), precision).sqrt();
        let half = Float::with_val(self.prec(), 0.5);
        &(-&(self * &root_half)).erfc() * &Self::new(half.clone(), half)
    }

    /// Applies an increasing function, rounding each end outward.
    fn monotone(&self, f: impl Fn(&Float, Round) -> Float) -> Self {
        Self::new(f(&self.lo, Round::Down), f(&self.hi, Round::Up))
    }
}

impl From<i64> for Interval {
    /// The point `x`, exactly.
    fn from(x: i64) -> Self {
        Self::point(Float::with_val(PRECISION, x))
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "[{:?}, {:?}]", self.lo_f64(), self.hi_f64())
    }
}

impl Neg for &Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        let p = self.prec();
        Interval::new(Float::with_val(p, -&self.hi), Float::with_val(p, -&self.lo))
    }
}

impl Add for &Interval {
    type Output = Interval;
    fn add(self, other: &Interval) -> Interval {
        let p = self.prec().max(other.prec());
        Interval::new(
            Float::with_val_round(p, &self.lo + &other.lo, Round::Down).0,
            Float::with_val_round(p, &self.hi + &other.hi, Round::Up).0,
        )
    }
}

impl Sub for &Interval {
    type Output = Interval;
    fn sub(self, other: &Interval) -> Interval {
        let p = self.prec().max(other.prec());
        Interval::new(
            Float::with_val_round(p, &self.lo - &other.hi, Round::Down).0,
            Float::with_val_round(p, &self.hi - &other.lo, Round::Up).0,
        )
    }
}

/// The product of two ends, with 0 · ∞ = 0: the end 0 is exact, and an infinite end stands for
/// finite numbers beyond all bounds.
fn end_product(a: &Float, b: &Float, p: u32, round: Round) -> Float {
    if a.is_zero() || b.is_zero() {
        Float::with_val(p, 0)
    } else {
        Float::with_val_round(p, a * b, round).0
    }
}

impl Mul for &Interval {
    type Output = Interval;
    /// Each end is the product of two ends, which the signs tell; of four if both intervals have zero inside.
    fn mul(self, other: &Interval) -> Interval {
        let p = self.prec().max(other.prec());
        let below = |a: &Float, b: &Float| end_product(a, b, p, Round::Down);
        let above = |a: &Float, b: &Float| end_product(a, b, p, Round::Up);
        let (a, b) = (self, other);
        if a.lo >= 0 {
            let least = if b.lo >= 0 { &a.lo } else { &a.hi };
            let most = if b.hi >= 0 { &a.hi } else { &a.lo };
            return Interval::new(below(least, &b.lo), above(most, &b.hi));
        }
        if a.hi <= 0 {
            let least = if b.hi >= 0 { &a.lo } else { &a.hi };
            let most = if b.lo >= 0 { &a.hi } else { &a.lo };
            return Interval::new(below(least, &b.hi), above(most, &b.lo));
        }
        if b.lo >= 0 || b.hi <= 0 {
            return other * self;
        }
        let lo = below(&a.lo, &b.hi).min(&below(&a.hi, &b.lo));
        let hi = above(&a.lo, &b.lo).max(&above(&a.hi, &b.hi));
        Interval::new(lo, hi)
    }
}

impl Div for &Interval {
    type Output = Interval;
    /// The values a / b with b ≠ 0: the whole line when the divisor has zero inside, one-sided when
    /// zero is one of its ends.
    fn div(self, other: &Interval) -> Interval {
        let p = self.prec().max(other.prec());
        if other.hi <= 0 && other.lo < 0 {
            return &-self / &-other;
        }
        if other.lo < 0 || other.hi == 0 {
            return Interval::whole(p);
        }
        let below = if self.lo >= 0 { &other.hi } else { &other.lo };
        let above = if self.hi >= 0 { &other.lo } else { &other.hi };
        Interval::new(
            end_quotient(&self.lo, below, p, Round::Down),
            end_quotient(&self.hi, above, p, Round::Up),
        )
    }
}

/// The quotient of two ends, the divisor's being ≥ 0, with 0 / 0 = 0: an end 0 of the divisor
/// stands for positive numbers as small as one likes.
fn end_quotient(a: &Float, b: &Float, p: u32, round: Round) -> Float {
    if a.is_zero() {
        return Float::with_val(p, 0);
    }
    if b.is_zero() {
        let infinity = if a.is_sign_negative() {
            f64::NEG_INFINITY
        } else {
            f64::INFINITY
        };
        return Float::with_val(p, infinity);
    }
    Float::with_val_round(p, a / b, round).0
}

macro_rules! by_value {
    ($($op:ident $f:ident),*) => {$(
        impl $op for Interval {
            type Output = Interval;
            fn $f(self, other: Interval) -> Interval { (&self).$f(&other) }
        }
        impl $op<&Interval> for Interval {
            type Output = Interval;
            fn $f(self, other: &Interval) -> Interval { (&self).$f(other) }
        }
        impl $op<Interval> for &Interval {
            type Output = Interval;
            fn $f(self, other: Interval) -> Interval { self.$f(&other) }
        }
    )*};
}
by_value!(Add add, Sub sub, Mul mul, Div div);

impl Neg for Interval {
    type Output = Interval;
    fn neg(self) -> Interval {
        -&self
    }
}

impl std::iter::Sum for Interval {
    fn sum<I: Iterator<Item = Interval>>(terms: I) -> Interval {
        terms.fold(Interval::from_f64(0.0), |mut acc, x| {
            acc.lo.add_assign_round(&x.lo, Round::Down);
            acc.hi.add_assign_round(&x.hi, Round::Up);
            Interval::new(acc.lo, acc.hi)
        })
    }
}

#[cfg(test)]
mod tests;
