//! The normal tail Φ(−x) and its Mills ratio R(x) = Φ(−x)/φ(x), by a quadrature whose error is known.
//!
//! R(x) = √(π/2)·erfcx(x/√2) with erfcx(y) = (y/π)·∫ e^{−t²}/(t² + y²) dt. The midpoint rule with
//! step h, corrected by the residue at t = iy when y < π/h, is
//!
//! R(x) ≈ (2h/√π)·x·Σ_{k≥0} e^{−t_k²}/(x² + 2t_k²) + \[x < √2π/h\]·√(2π)·e^{x²/2}/(1 + e^{√2πx/h}),
//! t_k = (k+½)h,
//!
//! and shifting the contour to Im t = a gives, for every a > 0 on the far side of y from 0 (if the
//! residue is taken) or the near side (if not), the error bound
//! (2y/√π)·e^{a²}/((e^{2πa/h} − 1)·|a−y|·(a+y)) on erfcx (Chiarella and Reichel 1968; Hunter and
//! Regan 1972). With a ∈ {π/h − 1, π/h, π/h + 1} at distance at least 1 from y and
//! erfcx(y) ≥ 1/(√π(y+1)) the relative error is below 27·e^{−π²/h²}: 1.5u for h = ½ and 2⁻⁹⁶ for
//! h = ⅜. Every term is positive, so nothing cancels.

use super::elementary::exp;
use super::{Double, U};
use std::sync::LazyLock;

/// Relative error of [`mills`] for x ≥ 0: 3.5u per term, 12u for the sum, 3u for the factor, 2u for
/// the residue (the error 2uE of an exponent −E, weighted by e^{−E}), 1.5u of truncation.
pub const MILLS_ERROR: f64 = 24.0 * U;
/// Relative error of [`normal_tail`] where it is at least 10⁻³⁰⁰: 24u of [`mills`], 6u of
/// [`normal_density`], 2u of the product and complement.
pub const ERFC_ERROR: f64 = 32.0 * U;
/// Relative error of [`mills_double`] for 0 ≤ x ≤ 10¹⁰⁰.
///
/// 2⁻⁹⁶ of truncation, 2⁻⁹⁴ of the tabulated weights, 2⁻⁹² of their sum (the terms from t₁₄ on in
/// binary64), and the residue's 2⁻⁹⁴·(1 + E/8) at exponent −E, weighted by e^{−E}, or 2⁻⁴⁸ of a value
/// below 2⁻⁴⁴ of the whole.
pub const MILLS_DOUBLE_ERROR: f64 = 8.077_935_669_463_161e-28; // 2⁻⁹⁰

/// e^{−t_k²} for t_k = (k + ½)/2.
const WEIGHTS: [f64; 13] = [
    0.939_413_062_813_475_8,
    0.569_782_824_730_923,
    0.209_611_387_151_097_8,
    0.046_770_622_383_958_98,
    0.006_329_715_427_485_747,
    0.000_519_574_682_154_838_4,
    2.586_810_022_265_412e-5,
    7.811_489_408_304_491e-7,
    1.430_724_191_856_768_8e-8,
    1.589_391_009_451_636_8e-10,
    1.070_923_238_250_807_7e-12,
    4.376_618_502_870_85e-15,
    1.084_855_264_042_937_8e-17,
];

/// R(x) = Φ(−x)/φ(x) for x ≥ 0, relative error at most [`MILLS_ERROR`]. NaN for x < 0.
///
/// ```
/// use dp_assay::float::{Double, mills, mills_double, normal_density, normal_tail};
///
/// // One in forty lies above 1.96 standard deviations.
/// assert!((normal_tail(1.96) - 0.025).abs() < 1e-4);
/// assert!((mills(1.96) * normal_density(1.96) - normal_tail(1.96)).abs() < 1e-15);
/// // The same to twice as many digits.
/// assert!((mills_double(Double::new(1.96)).to_f64() - mills(1.96)).abs() < 1e-14);
/// ```
#[must_use]
#[inline]
pub fn mills(x: f64) -> f64 {
    const FACTOR: f64 = 0.564_189_583_547_756_3; // 2h/√π at h = ½
    const SLOPE: f64 = 8.885_765_876_316_732; // √2π/h
    const SQRT_2_PI: f64 = 2.506_628_274_631_000_7;
    if !(x >= 0.0) {
        return f64::NAN;
    }
    if x > 1e100 {
        return 1.0 / x; // R(x) = 1/x·(1 − O(x⁻²))
    }
    let square = x * x;
    let mut sum = 0.0;
    for (k, weight) in WEIGHTS.iter().enumerate() {
        let t = 0.5 * k as f64 + 0.25;
        sum += weight / (square + 2.0 * t * t);
    }
    let quadrature = FACTOR * x * sum;
    if x >= SLOPE {
        return quadrature;
    }
    // From x = 4.3 on the second power is below u/4, and 1 the nearest number to the sum.
    let damping = if x < 4.3 { 1.0 + exp(-SLOPE * x) } else { 1.0 };
    quadrature + SQRT_2_PI * exp(x * (0.5 * x - SLOPE)) / damping
}

/// φ(x) = e^{−x²/2}/√(2π); relative error at most 6u where it is at least 10⁻³⁰⁰ (x² is split
/// exactly, so that the error does not grow with x).
#[must_use]
#[inline]
pub fn normal_density(x: f64) -> f64 {
    const INVERSE_SQRT_2_PI: f64 = 0.398_942_280_401_432_7;
    if x.abs() > 40.0 {
        return 0.0; // below 10⁻³⁴⁷
    }
    INVERSE_SQRT_2_PI * (Double::product(x, -0.5 * x)).exp_f64()
}

/// Φ(−x) = Pr\[N(0,1) > x\]; relative error at most [`ERFC_ERROR`] where it is at least 10⁻³⁰⁰.
#[must_use]
#[inline]
pub fn normal_tail(x: f64) -> f64 {
    if x >= 0.0 {
        normal_density(x) * mills(x)
    } else {
        1.0 - normal_density(x) * mills(-x)
    }
}

/// R(x) for 0 ≤ x ≤ 10¹⁰⁰ with relative error at most [`MILLS_DOUBLE_ERROR`].
#[must_use]
pub fn mills_double(x: Double) -> Double {
    const FACTOR: Double = Double {
        hi: 0.423_142_187_660_817_24, // 2h/√π at h = ⅜
        lo: -2.200_477_826_071_169e-17,
    };
    let square = x * x;
    // The weights from t₁₄ on are below 2⁻⁴²: binary64 is enough for their terms.
    let (leading, small) = DOUBLE_NODES.split_at(14);
    let mut tail = 0.0;
    for (twice_square, weight) in small.iter().rev() {
        tail += weight.hi / (square.hi + twice_square);
    }
    // Two sums, so that their additions need not wait for one another.
    let mut sums = [Double::new(tail), Double::new(0.0)];
    for pair in leading.rchunks_exact(2) {
        for (sum, (twice_square, weight)) in sums.iter_mut().zip(pair) {
            *sum = sum.plus(*weight / square.plus(Double::new(*twice_square)));
        }
    }
    (FACTOR * x * sums[0].plus(sums[1])).plus(residue(x))
}

/// √(2π)·e^{x²/2}/(1 + e^{cx}) = √(2π)·e^{x²/2 − cx}/(1 + e^{−cx}) with c = √2π/h, h = ⅜.
///
/// From x = 3 on it is below 2⁻⁴⁴, and binary64 is enough; from x = 9 on below 2⁻⁹⁶.
fn residue(x: Double) -> Double {
    const SLOPE: Double = Double {
        hi: 11.847_687_835_088_976,
        lo: 3.872_730_483_269_459_6e-16,
    };
    if x.hi >= 9.0 {
        return Double::new(0.0);
    }
    let exponent = x * (x.times_power_of_two(-1) - SLOPE);
    if x.hi >= 3.0 {
        return Double::new(Double::SQRT_2_PI.hi * exponent.exp_f64());
    }
    let decay = Double::new(1.0).plus((-(SLOPE * x)).exp());
    Double::SQRT_2_PI * exponent.exp() / decay
}

/// (2t_k², e^{−t_k²}) for t_k = (k + ½)·⅜, k ≤ 22; 2t_k² is exact. The terms left out sum to less
/// than e^{−77}.
static DOUBLE_NODES: LazyLock<[(f64, Double); 23]> = LazyLock::new(|| {
    std::array::from_fn(|k| {
        let t = (2 * k + 1) as f64 * 0.1875;
        (2.0 * t * t, Double::new(-t * t).exp())
    })
});
