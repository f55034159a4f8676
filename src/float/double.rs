//! Double-double arithmetic: unevaluated sums of two binary64 numbers, about 106 bits.
//!
//! Algorithms of Dekker (1971) and Hida, Li, Bailey (2001). Every operation below has relative error
//! at most [`Double::ERROR`] = 2⁻¹⁰⁰ (sums: when the operands have the same sign; otherwise that
//! times the sum of the magnitudes), as long as nothing under- or overflows; products need
//! magnitudes below 2⁹⁹⁰ and above 2⁻⁹⁰⁰.

use super::elementary::{exp, ln};
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The real number hi + lo with |lo| ≤ ½ulp(hi).
///
/// ```
/// use dp_assay::float::Double;
///
/// // Both words of a sum that binary64 would round to 1.
/// let sum = Double::sum(1.0, 1e-20);
/// assert_eq!((sum.hi, sum.lo), (1.0, 1e-20));
/// let rest = Double::quotient(1.0, 3.0) * Double::new(3.0) - Double::new(1.0);
/// assert!(rest.to_f64().abs() < 1e-29);
/// assert!((Double::LN_2.exp() - Double::new(2.0)).to_f64().abs() < 1e-27);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Double {
    /// The nearest binary64 number.
    pub hi: f64,
    /// The rest.
    pub lo: f64,
}

impl Double {
    /// Relative error bound of one operation.
    pub const ERROR: f64 = 7.888_609_052_210_118e-31; // 2⁻¹⁰⁰
    /// π.
    pub const PI: Self = Self::parts(std::f64::consts::PI, 1.224_646_799_147_353_2e-16);
    /// ln 2.
    pub const LN_2: Self = Self::parts(std::f64::consts::LN_2, 2.319_046_813_846_299_6e-17);
    /// √(2π).
    pub const SQRT_2_PI: Self = Self::parts(2.506_628_274_631_000_7, -1.832_857_998_045_916_7e-16);

    /// 1/k! for k from 6 down to 1.
    const INVERSE_FACTORIALS: [Self; 6] = [
        Self::parts(0.001_388_888_888_888_889, -5.300_543_954_373_577e-20),
        Self::parts(0.008_333_333_333_333_333, 1.156_482_317_317_871_4e-19),
        Self::parts(0.041_666_666_666_666_664, 2.312_964_634_635_742_7e-18),
        Self::parts(0.166_666_666_666_666_66, 9.251_858_538_542_97e-18),
        Self::parts(0.5, 0.0),
        Self::parts(1.0, 0.0),
    ];

    const fn parts(hi: f64, lo: f64) -> Self {
        Self { hi, lo }
    }

    /// The number `x` exactly.
    #[must_use]
    pub const fn new(x: f64) -> Self {
        Self::parts(x, 0.0)
    }

    /// x·y exactly.
    #[must_use]
    #[inline]
    pub fn product(x: f64, y: f64) -> Self {
        let (hi, lo) = two_product(x, y);
        Self::parts(hi, lo)
    }

    /// x + y exactly.
    #[must_use]
    #[inline]
    pub fn sum(x: f64, y: f64) -> Self {
        let (hi, lo) = two_sum(x, y);
        Self::parts(hi, lo)
    }

    /// x/y.
    #[must_use]
    pub fn quotient(x: f64, y: f64) -> Self {
        Self::new(x) / Self::new(y)
    }

    /// The nearest binary64 number.
    #[must_use]
    pub const fn to_f64(self) -> f64 {
        self.hi
    }

    /// This number times 2ᵏ, exactly, for |k| ≤ 1022.
    #[must_use]
    #[inline]
    pub fn times_power_of_two(self, k: i32) -> Self {
        let power = f64::from_bits(((1023 + i64::from(k)) as u64) << 52);
        Self::parts(self.hi * power, self.lo * power)
    }

    /// x + y where nothing cancels, |x| + |y| ≤ 4|x + y|: as exact as the operator, with fewer operations in a row. Each of
    /// the three roundings is at most 2u²(|x| + |y|).
    #[must_use]
    #[inline]
    pub(super) fn plus(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (hi, lo) = fast_two_sum(s, e + (self.lo + other.lo));
        Self::parts(hi, lo)
    }

    /// eˣ for −620 ≤ x ≤ 700 (below, the second word would underflow), relative error at most
    /// 2⁻⁹⁴·(1 + |x|/8).
    ///
    /// x = k·ln 2 + 16r with |r| ≤ 0.0217; eʳ − 1 by its Taylor series to r¹³ (tail below 2⁻¹⁰⁸; the
    /// terms from r⁷ on, below 2⁻⁴⁵·r, in binary64), then four squarings in the form y ↦ 2y + y²,
    /// each multiplying the relative error by at most 1.2: 2⁻⁹⁵. The reduction loses 2⁻⁹⁹·|x|.
    #[must_use]
    pub fn exp(self) -> Self {
        let k = (self.hi * std::f64::consts::LOG2_E).round_ties_even();
        let r = (self - Self::LN_2 * Self::new(k)).times_power_of_two(-4);
        // From r⁷/7! on, a correctly rounded coefficient and binary64 arithmetic are enough.
        let x = r.hi;
        let mut tail = 1.0 / 6_227_020_800.0;
        for inverse in [
            1.0 / 479_001_600.0,
            1.0 / 39_916_800.0,
            1.0 / 3_628_800.0,
            1.0 / 362_880.0,
            1.0 / 40_320.0,
            1.0 / 5_040.0,
        ] {
            tail = tail * x + inverse;
        }
        let mut sum = Self::new(tail);
        for inverse in Self::INVERSE_FACTORIALS {
            sum = (sum * r).plus(inverse);
        }
        let mut y = sum * r;
        for _ in 0..4 {
            y = y.times_power_of_two(1).plus(y * y);
        }
        Self::new(1.0).plus(y).times_power_of_two(k as i32)
    }

    /// eˣ/√(2π) for −704 ≤ x ≤ 0: the normal density from its exponent. Below −620 the second word
    /// underflows and the relative error grows from 2⁻⁹³·(1 + |x|/8) to 2⁻⁵² at −704.
    #[must_use]
    pub fn from_density_exponent(x: Self) -> Self {
        x.exp() / Self::SQRT_2_PI
    }

    /// ln x for x in [10⁻²⁰⁰, 10²⁰⁰], absolute error at most 2⁻⁹³·(1 + |ln x|).
    ///
    /// One Newton step y + (x·e^{−y} − 1) from the binary64 logarithm y₀ leaves (2⁻⁵¹|y₀|)²/2, below
    /// 2⁻⁹⁵·|ln x| for |y₀| ≤ 461.
    #[must_use]
    pub fn ln(self) -> Self {
        let y = Self::new(ln(self.hi));
        y + (self * (-y).exp() - Self::new(1.0))
    }

    /// eˣ as a binary64 number with relative error at most 4u, for hi ≥ −708.
    #[must_use]
    #[inline]
    pub fn exp_f64(self) -> f64 {
        let leading = exp(self.hi);
        leading + leading * self.lo
    }
}

/// (s, e) with s = fl(x + y) and s + e = x + y exactly (Knuth).
#[inline]
pub(super) fn two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    let t = s - x;
    (s, (x - (s - t)) + (y - t))
}

/// (s, e) as [`two_sum`], for |x| ≥ |y| (Dekker).
#[inline]
fn fast_two_sum(x: f64, y: f64) -> (f64, f64) {
    let s = x + y;
    (s, y - (s - x))
}

/// (p, e) with p = fl(x·y) and p + e = x·y exactly (Dekker, Veltkamp), for magnitudes below 2⁹⁹⁰.
#[inline]
pub(super) fn two_product(x: f64, y: f64) -> (f64, f64) {
    let p = x * y;
    let (xh, xl) = split(x);
    let (yh, yl) = split(y);
    (p, ((xh * yh - p) + xh * yl + xl * yh) + xl * yl)
}

#[inline]
fn split(x: f64) -> (f64, f64) {
    let c = 134_217_729.0 * x; // 2²⁷ + 1
    let high = c - (c - x);
    (high, x - high)
}

impl Neg for Double {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self::parts(-self.hi, -self.lo)
    }
}

impl Add for Double {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        let (s, e) = two_sum(self.hi, other.hi);
        let (t, f) = two_sum(self.lo, other.lo);
        let (s, e) = fast_two_sum(s, e + t);
        let (hi, lo) = fast_two_sum(s, e + f);
        Self::parts(hi, lo)
    }
}

impl Sub for Double {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    #[inline]
    fn mul(self, other: Self) -> Self {
        let (p, e) = two_product(self.hi, other.hi);
        let (hi, lo) = fast_two_sum(p, e + (self.hi * other.lo + self.lo * other.hi));
        Self::parts(hi, lo)
    }
}

impl Div for Double {
    type Output = Self;
    /// Long division to two words: the remainder after the first is exact up to 2⁻¹⁰⁴.
    #[inline]
    fn div(self, other: Self) -> Self {
        let q = self.hi / other.hi;
        let (p, e) = two_product(q, other.hi);
        let rest = ((self.hi - p) - e) + (self.lo - q * other.lo);
        let (hi, lo) = fast_two_sum(q, rest / other.hi);
        Self::parts(hi, lo)
    }
}
