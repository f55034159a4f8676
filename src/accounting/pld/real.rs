//! What a transform calculates with: binary64, or twice as many digits where those of binary64 would be lost.
//!
//! ```
//! use dp_assay::accounting::pld::real::Real;
//! use dp_assay::float::Double;
//!
//! // 2⁻⁶⁰ is lost beside 1 in binary64, and is not in two of them.
//! fn kept<T: Real>() -> f64 {
//!     (T::of(1.0) + T::of(0.5f64.powi(60)) + T::of(-1.0)).to_f64()
//! }
//! assert_eq!((kept::<f64>(), kept::<Double>()), (0.0, 0.5f64.powi(60)));
//! ```

use crate::float::elementary::{SIN_COS_ERROR, sin_cos};
use crate::float::{Complex, Double, U};
use std::ops::{Add, Mul, Neg, Sub};

/// A kind of real number with roundings of known size.
pub trait Real:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Neg<Output = Self>
{
    /// Unit roundoff: a product of complex numbers is off by at most 2.3 times that, normwise.
    const UNIT: f64;
    /// Bound on what one stage of a transform adds to ‖x̂ − x‖₂/‖x‖₂.
    const STAGE: f64;
    /// Relative error of [`Self::to_f64`].
    const ROUNDED: f64;

    /// The number `x` exactly.
    fn of(x: f64) -> Self;

    /// The nearest binary64 number.
    fn to_f64(self) -> f64;

    /// Half of it, exactly.
    fn halved(self) -> Self;

    /// e^{−2πik/n} for k < n/2, n a power of two, at least 2.
    fn roots(n: usize) -> Vec<Complex<Self>>;
}

impl Real for f64 {
    const UNIT: f64 = U;
    /// Twiddle, product and sum: the angle 2πk/N ≤ π has relative error 2u, hence absolute error 2πu, beside sin_cos's own.
    const STAGE: f64 =
        (std::f64::consts::SQRT_2 * SIN_COS_ERROR + 6.3 * U + 3.3 * U) * (1.0 + 16.0 * U);
    const ROUNDED: f64 = 0.0;

    fn of(x: f64) -> Self {
        x
    }

    fn to_f64(self) -> f64 {
        self
    }

    fn halved(self) -> Self {
        self * 0.5
    }

    fn roots(n: usize) -> Vec<Complex> {
        let angle = -2.0 * std::f64::consts::PI / n as f64; // exact scaling of fl(2π)
        let root = |k: usize| {
            let (sin, cos) = sin_cos(angle * k as f64);
            Complex::new(cos, sin)
        };
        (0..n / 2).map(root).collect()
    }
}

/// Sums and products of parts are off by at most 2⁻¹⁰⁰ of the magnitudes ([`Double::ERROR`]): products of complex numbers by
/// √2·2·2⁻¹⁰⁰ < 2.3·2⁻⁹⁹. What underflows of a second word is below 10⁻³⁰⁰, and entries of tilted laws sum to 1.
impl Real for Double {
    const UNIT: f64 = 2.0 * Self::ERROR;
    /// Roots are products of at most 40, each with an error of its own below 2⁻⁹⁵: 2⁻⁸⁹; other roundings are far below.
    const STAGE: f64 = 2048.0 * Self::ERROR;
    const ROUNDED: f64 = U;

    fn of(x: f64) -> Self {
        Self::new(x)
    }

    fn to_f64(self) -> f64 {
        self.hi
    }

    fn halved(self) -> Self {
        self.times_power_of_two(-1)
    }

    /// From those for n/2 by one product each.
    fn roots(n: usize) -> Vec<Complex<Self>> {
        let mut roots = vec![Complex::new(Self::new(1.0), Self::default())];
        for log in 2..=n.trailing_zeros() {
            let next = root(log);
            roots = roots.iter().flat_map(|z| [*z, *z * next]).collect();
        }
        roots
    }
}

/// e^{−2πi/n}, n = 2^log ≥ 4, by its Taylor series: for angles x ≤ π/4 with terms to x²⁷, tail below 2⁻¹⁰⁰. Its terms do not exceed 1,
/// and each of their sums, products and quotients is off by 2⁻¹⁰⁰: with the angle's own error in all less than 2⁻⁹⁵.
fn root(log: u32) -> Complex<Double> {
    let one = Double::new(1.0);
    if log == 2 {
        return Complex::new(Double::default(), -one);
    }
    let x = Double::PI.times_power_of_two(1 - log as i32);
    let (mut sin, mut cos) = (one, one);
    // 1 − x²/((k − 1)k)·(1 − …), from the last term inwards.
    for k in (1..=13).rev() {
        let part = |j: f64| x * x / Double::product(j, j + 1.0);
        let k = 2.0 * f64::from(k);
        (sin, cos) = (one - part(k) * sin, one - part(k - 1.0) * cos);
    }
    Complex::new(cos, -(x * sin))
}
