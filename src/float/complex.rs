//! The little complex arithmetic that moment functions at complex orders need.

use super::U;
use super::elementary::{atan2, exp, ln_1p, sin_cos};
use std::ops::{Add, Mul, Neg, Sub};

/// A complex number in Cartesian form, of binary64 numbers or of wider ones.
///
/// ```
/// use dp_assay::float::Complex;
///
/// let i = Complex::new(0.0, 1.0);
/// assert_eq!(i * i, Complex::new(-1.0, 0.0));
/// // e^{iπ} = −1.
/// let power = i.scale(std::f64::consts::PI).exp();
/// assert!((power - i * i).norm() < 1e-14);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Complex<T = f64> {
    /// Real part.
    pub re: T,
    /// Imaginary part.
    pub im: T,
}

impl<T: Copy> Complex<T> {
    /// re + i·im.
    #[must_use]
    pub const fn new(re: T, im: T) -> Self {
        Self { re, im }
    }
}

impl<T: Copy + Neg<Output = T>> Complex<T> {
    /// The conjugate.
    #[must_use]
    #[inline]
    pub fn conj(self) -> Self {
        Self::new(self.re, -self.im)
    }
}

impl Complex {
    /// The product with a real number.
    #[must_use]
    #[inline]
    pub fn scale(self, factor: f64) -> Self {
        Self::new(self.re * factor, self.im * factor)
    }

    /// |z|², without regard for overflow.
    #[must_use]
    #[inline]
    pub fn norm_square(self) -> f64 {
        self.re * self.re + self.im * self.im
    }

    /// |z|, rounded to nearest in four operations (2.5u relative), without regard for overflow.
    #[must_use]
    #[inline]
    pub fn norm(self) -> f64 {
        self.norm_square().sqrt()
    }

    /// eᶻ with absolute error at most 9u·|eᶻ| if |im z| is in the domain of [`sin_cos`]; else NaN.
    #[must_use]
    #[inline]
    pub fn exp(self) -> Self {
        let (sin, cos) = sin_cos(self.im);
        let modulus = exp(self.re);
        Self::new(modulus * cos, modulus * sin)
    }

    /// (eᶻ − 1 − z, s): the error of the first is at most 16u·s.
    ///
    /// For |z| < ½ by its Taylor series (15 terms, tail below 10⁻¹⁹ relative), s = 0.6|z|²; else
    /// directly, s = |eᶻ| + 1 + |z|.
    #[must_use]
    #[inline]
    pub fn exp_m1_minus(self) -> (Self, f64) {
        let square = self.norm_square();
        if square >= 0.25 {
            let power = self.exp();
            let value = Self::new(power.re - 1.0 - self.re, power.im - self.im);
            return (value, exp(self.re) + 1.0 + square.sqrt());
        }
        let mut sum = Self::new(INVERSE_FACTORIAL_FROM_2[14], 0.0);
        for &coefficient in INVERSE_FACTORIAL_FROM_2[..14].iter().rev() {
            sum = sum * self;
            sum.re += coefficient;
        }
        (sum * (self * self), 0.6 * square)
    }

    /// (ln(1 + z), e): the principal branch and a bound e on its absolute error.
    ///
    /// Real part ½·ln1p(w), w = 2x + x² + y², imaginary part atan2(y, 1 + x). w has error
    /// 3u·(2|x| + |z|²), which the logarithm divides by |1+z|² = 1 + w. For |z| ≤ ½ all roundings
    /// together stay below 40u·|z| (the angle then has relative error); otherwise, with d = |1+z|
    /// and |z| ≤ 1 + d, below u·(9 + 4|re| + 4.5/d² + 7/d + 1.5).
    #[must_use]
    pub fn ln_1p(self) -> (Self, f64) {
        let (x, y) = (self.re, self.im);
        let square = x * x + y * y;
        let re = 0.5 * ln_1p(2.0 * x + square);
        let value = Self::new(re, atan2(y, 1.0 + x));
        if square <= 0.25 {
            return (value, 40.0 * U * square.sqrt());
        }
        let d = Self::new(1.0 + x, y).norm();
        (value, U * (11.0 + 4.0 * re.abs() + (4.5 / d + 7.0) / d))
    }
}

/// 1/n! from n = 2; the last entry is 1/16!.
pub(crate) const INVERSE_FACTORIAL_FROM_2: [f64; 15] = {
    let mut table = [0.0; 15];
    let (mut n, mut factorial) = (0, 1.0);
    while n < 15 {
        factorial *= (n + 2) as f64;
        table[n] = 1.0 / factorial;
        n += 1;
    }
    table
};

impl<T: Copy + Add<Output = T>> Add for Complex<T> {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self::new(self.re + other.re, self.im + other.im)
    }
}

impl<T: Copy + Sub<Output = T>> Sub for Complex<T> {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self::new(self.re - other.re, self.im - other.im)
    }
}

impl<T> Mul for Complex<T>
where
    T: Copy + Add<Output = T> + Sub<Output = T> + Mul<Output = T>,
{
    type Output = Self;
    /// Normwise relative error at most √8·u (Brent, Percival and Zimmermann 2007: √5·u) of binary64 numbers.
    #[inline]
    fn mul(self, other: Self) -> Self {
        Self::new(
            self.re * other.re - self.im * other.im,
            self.re * other.im + self.im * other.re,
        )
    }
}
