//! Elementary functions made of the five correctly rounded IEEE-754 operations only, so that their
//! error is bounded by a derivation and their bits do not depend on the platform's mathematics
//! library.
//!
//! `u = 2⁻⁵³`. The bounds are derived in the comments and checked against MPFR by
//! `tests/accounting/float.rs`. All of them are relative except those of [`sin_cos`] and [`atan2`].
//!
//! ```
//! use dp_assay::float::elementary::{atan2, exp, exp_m1, ln, ln_1p, sin_cos};
//!
//! assert!((ln(exp(1.0)) - 1.0).abs() < 1e-14);
//! // Near 0 these two keep all their digits.
//! assert!((ln_1p(exp_m1(1e-10)) - 1e-10).abs() < 1e-24);
//! let (sin, cos) = sin_cos(0.5);
//! assert!((atan2(sin, cos) - 0.5).abs() < 1e-14);
//! // Out of their domain sine and cosine do not answer.
//! assert!(sin_cos(1e7).0.is_nan());
//! ```

use super::U;

/// Relative error of [`exp`] for arguments ≥ −708 (below, the result may be subnormal and its
/// absolute error is at most 2⁻¹⁰⁷⁴).
pub const EXP_ERROR: f64 = 3.0 * U;
/// Relative error of [`exp_m1`].
pub const EXP_M1_ERROR: f64 = 6.0 * U;
/// Relative error of [`ln`] and [`ln_1p`].
pub const LN_ERROR: f64 = 4.0 * U;
/// Relative error of [`sinh`].
pub const SINH_ERROR: f64 = 7.0 * U;
/// Relative error of [`asinh`].
pub const ASINH_ERROR: f64 = 10.0 * U;
/// Absolute error of both results of [`sin_cos`] for arguments up to [`SIN_COS_DOMAIN`].
pub const SIN_COS_ERROR: f64 = 4.0 * U;
/// Largest absolute argument for which [`SIN_COS_ERROR`] holds.
pub const SIN_COS_DOMAIN: f64 = 1.0e6;
/// Absolute error of [`atan2`].
pub const ATAN2_ERROR: f64 = 8.0 * U;

const LN2_HI: f64 = 0.693_147_180_369_123_8; // 32 significant bits: k·LN2_HI is exact for |k| < 2²¹
const LN2_LO: f64 = 1.908_214_929_270_587_7e-10;
const INVERSE_LN2: f64 = std::f64::consts::LOG2_E;

/// Adding and subtracting 1.5·2⁵² rounds to the nearest integer without a branch.
const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// 1/n!, correctly rounded (n! is exact in binary64 up to 18!).
const INVERSE_FACTORIAL: [f64; 19] = inverse_factorials();

const fn inverse_factorials() -> [f64; 19] {
    let mut table = [1.0; 19];
    let (mut n, mut factorial) = (1, 1.0);
    while n < 19 {
        factorial *= n as f64;
        table[n] = 1.0 / factorial;
        n += 1;
    }
    table
}

/// eˣ. Overflows to ∞ above 709.78, underflows to 0 below −745.13; NaN in, NaN out.
#[must_use]
#[inline]
pub fn exp(x: f64) -> f64 {
    if x > 709.782_712_893_383_9 {
        return f64::INFINITY;
    }
    if x < -745.133_219_101_941_2 {
        return 0.0;
    }
    if x.is_nan() {
        return x;
    }
    let (y, k) = reduced_exp_m1(x);
    // 1 + y ∈ [0.70, 1.42] has error 0.77u of y and u of the sum: 2.1u relative.
    scale_by_power_of_two(1.0 + y, k)
}

/// eˣ − 1 without cancellation near 0.
#[must_use]
#[inline]
pub fn exp_m1(x: f64) -> f64 {
    if x > 709.782_712_893_383_9 {
        return f64::INFINITY;
    }
    if x < -50.0 {
        return -1.0; // e⁻⁵⁰ < u/2
    }
    if x.is_nan() {
        return x;
    }
    let (y, k) = reduced_exp_m1(x);
    if k == 0 {
        return y;
    }
    if k > 60 {
        return scale_by_power_of_two(1.0 + y, k); // the 1 is below u/2
    }
    // 2ᵏ and 2ᵏ − 1 are exact up to k = 53; beyond, 2ᵏ − 1 is off by 1, less than u·2ᵏ. The worst
    // case is k = ±1 with a result of 0.41 or −0.29: (2ᵏ·0.77u + u|eˣ−1|) / |eˣ−1| < 4.7u.
    let power = f64::from_bits(((1023 + k) as u64) << 52);
    power * y + (power - 1.0)
}

/// (eʳ − 1, k) with x = k·ln 2 + r, |r| ≤ 0.3466. The first has error at most 0.77u absolutely and
/// 3u relatively.
///
/// r₀ = x − k·LN2_HI is exact (both are multiples of 2⁻⁵² that agree in the leading bits), the
/// subtraction of k·LN2_LO is compensated by c. The Taylor tail r¹⁵/15! is below 10⁻¹⁹.
#[inline]
fn reduced_exp_m1(x: f64) -> (f64, i64) {
    let k = (x * INVERSE_LN2 + ROUNDER) - ROUNDER;
    let high = x - k * LN2_HI;
    let low = k * LN2_LO;
    let r = high - low;
    let c = (high - r) - low;
    let mut p = INVERSE_FACTORIAL[14];
    let mut n = 14;
    while n > 2 {
        n -= 1;
        p = p * r + INVERSE_FACTORIAL[n];
    }
    (r + (c + r * r * p), k as i64)
}

/// x·2ᵏ for −1080 ≤ k ≤ 1024, in two exact steps unless the result is subnormal.
#[inline]
fn scale_by_power_of_two(x: f64, k: i64) -> f64 {
    let half = k >> 1;
    let power = |n: i64| f64::from_bits(((1023 + n) as u64) << 52);
    x * power(half) * power(k - half)
}

/// ln x. Negative or NaN gives NaN, 0 gives −∞.
#[must_use]
#[inline]
pub fn ln(x: f64) -> f64 {
    if x.is_nan() || x < 0.0 {
        return f64::NAN;
    }
    if x == 0.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    let (m, k) = split_mantissa(x);
    ln_of_parts(m - 1.0, 0.0, k) // m − 1 is exact for m ∈ [√½, √2]
}

/// ln(1 + x) without cancellation near 0. Below −1 or NaN gives NaN, −1 gives −∞.
#[must_use]
#[inline]
pub fn ln_1p(x: f64) -> f64 {
    if x.is_nan() || x < -1.0 {
        return f64::NAN;
    }
    if x == -1.0 {
        return f64::NEG_INFINITY;
    }
    if x == f64::INFINITY {
        return x;
    }
    if (-0.292_893..0.414_213).contains(&x) {
        return ln_of_parts(x, 0.0, 0.0);
    }
    let y = 1.0 + x;
    // The rounding error of y, exact by Fast2Sum in the right order.
    let lost = if x >= 1.0 {
        1.0 - (y - x)
    } else {
        x - (y - 1.0)
    };
    let (m, k) = split_mantissa(y);
    ln_of_parts(m - 1.0, lost / y, k)
}

/// sinh x: two terms of one sign with 6u each, and their sum. NaN in, NaN out.
#[must_use]
pub fn sinh(x: f64) -> f64 {
    0.5 * (exp_m1(x) - exp_m1(-x))
}

/// The x with sinh x = y, for |y| ≤ 10¹⁵⁰: ln(1 + |y| + y²/(1 + √(1 + y²))) with the sign of y. The argument of the
/// logarithm has 6u at most, which a logarithm of 1 + z does not make more of. NaN in, NaN out.
#[must_use]
pub fn asinh(y: f64) -> f64 {
    let (size, square) = (y.abs(), y * y);
    ln_1p(size + square / (1.0 + (1.0 + square).sqrt())).copysign(y)
}

/// (m, k) with x = m·2ᵏ and m ∈ [√½, √2).
#[inline]
fn split_mantissa(x: f64) -> (f64, f64) {
    let (x, offset) = if x < f64::MIN_POSITIVE {
        (x * 18_014_398_509_481_984.0, 54) // 2⁵⁴, exact
    } else {
        (x, 0)
    };
    let bits = x.to_bits();
    let exponent = (bits >> 52) as i64 - 1023 - offset;
    let m = f64::from_bits((bits & 0x000f_ffff_ffff_ffff) | 0x3ff0_0000_0000_0000);
    if m >= std::f64::consts::SQRT_2 {
        (m * 0.5, (exponent + 1) as f64)
    } else {
        (m, exponent as f64)
    }
}

/// k·ln 2 + ln(1 + f) + c for |f| ≤ 0.4143 and |c| ≤ u.
///
/// With s = f/(2+f): ln(1+f) = 2s + s·R, R = Σ_{j≥1} 2s²ʲ/(2j+1), written as
/// f − (f²/2 − s(f²/2 + R)) so that the leading f enters exactly. The correction is at most 0.2|f|
/// with 5u of relative error; the tail after j = 11 is below 10⁻¹⁹ relative. With k ≠ 0 the result
/// is at least 0.34 and the two partial sums at most 0.35 and 0.35 + |result|: 4u in all.
#[inline]
fn ln_of_parts(f: f64, c: f64, k: f64) -> f64 {
    let s = f / (2.0 + f);
    let z = s * s;
    let mut r = 2.0 / 25.0;
    let mut j = 23.0;
    while j > 2.0 {
        r = r * z + 2.0 / j;
        j -= 2.0;
    }
    let r = r * z;
    let half_square = 0.5 * f * f;
    k * LN2_HI - ((half_square - (s * (half_square + r) + (k * LN2_LO + c))) - f)
}

/// (sin x, cos x) for |x| ≤ [`SIN_COS_DOMAIN`]; outside, NaN.
///
/// x = n·π/2 + r with π/2 in three pieces of 33, 33 and 53 bits: n·P₁ and n·P₂ are exact for
/// n < 2²⁰, x − n·P₁ is exact, the other two subtractions lose u·|r| each. The Taylor sums end at
/// r¹⁷ and r¹⁸ (tails below 10⁻¹⁸).
#[must_use]
#[inline]
pub fn sin_cos(x: f64) -> (f64, f64) {
    const P1: f64 = 1.570_796_326_734_125_6;
    const P2: f64 = 6.077_100_506_303_966e-11;
    const P3: f64 = 2.022_266_248_795_950_6e-21;
    if !(x.abs() <= SIN_COS_DOMAIN) {
        return (f64::NAN, f64::NAN);
    }
    let n = (x * std::f64::consts::FRAC_2_PI + ROUNDER) - ROUNDER;
    let r = ((x - n * P1) - n * P2) - n * P3;
    let z = r * r;
    let (mut s, mut c) = (INVERSE_FACTORIAL[17], INVERSE_FACTORIAL[18]);
    let mut m = 17;
    while m > 1 {
        m -= 2;
        s = INVERSE_FACTORIAL[m] - z * s;
        c = INVERSE_FACTORIAL[m + 1] - z * c;
    }
    let (sin, cos) = (r * s, 1.0 - z * c);
    match (n as i64) & 3 {
        0 => (sin, cos),
        1 => (cos, -sin),
        2 => (-sin, -cos),
        _ => (-cos, sin),
    }
}

/// The angle of the point (x, y) in (−π, π]; 0 for the origin.
///
/// The quotient of the smaller by the larger coordinate is reduced to |b| ≤ tan(π/8) by
/// atan q = π/4 + atan((q−1)/(q+1)); the Taylor series of atan has its tail below 10⁻¹⁸ after 22
/// terms. Each of the at most six roundings involves a quantity ≤ π: 8u in all.
#[must_use]
pub fn atan2(y: f64, x: f64) -> f64 {
    use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};
    let (small, large) = if y.abs() < x.abs() {
        (y.abs(), x.abs())
    } else {
        (x.abs(), y.abs())
    };
    if large == 0.0 {
        return 0.0;
    }
    let q = small / large;
    let first_octant = if q > 0.414_213_562 {
        FRAC_PI_4 + atan_series((q - 1.0) / (q + 1.0))
    } else {
        atan_series(q)
    };
    let first_quadrant = if y.abs() < x.abs() {
        first_octant
    } else {
        FRAC_PI_2 - first_octant
    };
    let upper_half = if x < 0.0 {
        PI - first_quadrant
    } else {
        first_quadrant
    };
    if y < 0.0 { -upper_half } else { upper_half }
}

fn atan_series(b: f64) -> f64 {
    let z = b * b;
    let (mut sum, mut odd) = (1.0 / 45.0, 45.0);
    while odd > 1.0 {
        odd -= 2.0;
        sum = 1.0 / odd - z * sum;
    }
    b * sum
}
