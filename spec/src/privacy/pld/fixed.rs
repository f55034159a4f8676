//! Fourier transforms of sub-probability vectors in 128-bit fixed point, with a proven error bound.
//!
//! A complex number is a pair of integers in units of u = 2⁻¹²⁵. Everything transformed here is a sum
//! of masses with unit weights, or an average of such numbers, so no modulus ever exceeds 1 by more
//! than its error, and nothing overflows. All errors below are in units of u and bound the modulus:
//!
//! - a product of two numbers with errors e₁, e₂ and moduli ≤ 1 has error ≤ e₁ + e₂ + 4: each of its
//!   four real products is rounded down, which costs √(1² + 2²) < 3, and e₁e₂u < 1 as long as both
//!   errors stay below 2⁶²;
//! - a twiddle factor is within 1 of the truth in each part, so its error is below 2;
//! - forward butterfly a ± wb: the error at most doubles and grows by 2 + 4 < 7, hence is at most
//!   7(N − 1) after log₂ N stages;
//! - inverse butterfly (a ± wb)/2: (e + e + 6)/2 plus 3 for the two halvings, hence e + 6 log₂ N.

use rug::Float;
use rug::float::{Constant, Round};
use std::sync::Arc;

/// Fraction bits.
pub(super) const FRACTION: u32 = 125;

/// One.
pub(super) const ONE: i128 = 1 << FRACTION;

/// Largest error that the bounds above allow.
pub(super) const ERROR_LIMIT: u64 = 1 << 62;

/// A complex number in units of 2⁻¹²⁵.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Complex {
    pub re: i128,
    pub im: i128,
}

impl Complex {
    fn times(self, other: Self) -> Self {
        Self {
            re: product(self.re, other.re) - product(self.im, other.im),
            im: product(self.re, other.im) + product(self.im, other.re),
        }
    }

    fn conjugate(self) -> Self {
        Self {
            re: self.re,
            im: -self.im,
        }
    }
}

/// ⌊ab / 2¹²⁵⌋ for |a|, |b| ≤ 2¹²⁶: the upper bits of the 256-bit product.
fn product(a: i128, b: i128) -> i128 {
    let (a1, a0) = (a >> 64, a & LOW);
    let (b1, b0) = (b >> 64, b & LOW);
    let (cross, other) = (a1 * b0, a0 * b1);
    // a0 and b0 are below 2⁶⁴, so this product needs the unsigned type.
    let low = ((a0 as u128) * (b0 as u128)) >> 64;
    let carry = low + ((cross & LOW) as u128) + ((other & LOW) as u128);
    let high = a1 * b1 + (cross >> 64) + (other >> 64) + (carry >> 64) as i128;
    (high << (128 - FRACTION)) + ((carry as u64) >> (FRACTION - 64)) as i128
}

const LOW: i128 = (1 << 64) - 1;

/// The transform of one length: twiddle factors e^(−2πik/N), k < N/2.
#[derive(Clone)]
pub(super) struct Transform {
    log2: u32,
    twiddles: Arc<Vec<Complex>>,
}

impl Transform {
    /// Length 2^`log2`, `log2` ≥ 3.
    pub(super) fn new(log2: u32) -> Self {
        let eighth = 1usize << (log2 - 3);
        let octant: Vec<_> = (0..=eighth).map(|k| root_of_unity(k, log2)).collect();
        // cos and sin on the first octant give all others by reflection.
        let at = |k: usize| {
            let (quarter, half) = (2 * eighth, 4 * eighth);
            let swap = |c: Complex| Complex {
                re: -c.im,
                im: -c.re,
            };
            let first = |k: usize| match k <= eighth {
                true => octant[k],
                false => swap(octant[quarter - k]),
            };
            match k <= quarter {
                true => first(k),
                false => {
                    let c = first(half - k);
                    Complex {
                        re: -c.re,
                        im: c.im,
                    }
                }
            }
        };
        let twiddles = Arc::new((0..4 * eighth).map(at).collect());
        Self { log2, twiddles }
    }

    pub(super) const fn len(&self) -> usize {
        1 << self.log2
    }

    /// Σ_j x_j e^(−2πijk/N), for exact non-negative masses of sum at most 1. Returns the error bound.
    pub(super) fn forward(&self, masses: &[i128]) -> (Vec<Complex>, u64) {
        let bits = usize::BITS - self.log2;
        let mut data = vec![Complex::default(); self.len()];
        for (j, mass) in masses.iter().enumerate() {
            data[j.reverse_bits() >> bits].re = *mass;
        }
        self.stages(&mut data, |w| w, |x| x);
        (data, 7 * (self.len() as u64 - 1))
    }

    /// (1/N) Σ_k z_k e^(2πijk/N), real parts; `error` is that of the input, the new one is returned.
    pub(super) fn inverse(&self, spectrum: &[Complex], error: u64) -> (Vec<i128>, u64) {
        let bits = usize::BITS - self.log2;
        let mut data = vec![Complex::default(); self.len()];
        for (k, z) in spectrum.iter().enumerate() {
            data[k.reverse_bits() >> bits] = *z;
        }
        self.stages(&mut data, Complex::conjugate, |x| x >> 1);
        let real = data.iter().map(|z| z.re).collect();
        (real, error + 6 * u64::from(self.log2))
    }

    /// Radix-2 stages on data in bit-reversed order.
    fn stages(
        &self,
        data: &mut [Complex],
        twist: impl Fn(Complex) -> Complex,
        scale: impl Fn(i128) -> i128,
    ) {
        for stage in 1..=self.log2 {
            let half = 1usize << (stage - 1);
            let stride = 1usize << (self.log2 - stage);
            for block in data.chunks_exact_mut(2 * half) {
                let (left, right) = block.split_at_mut(half);
                for (j, (a, b)) in left.iter_mut().zip(right).enumerate() {
                    let t = twist(self.twiddles[j * stride]).times(*b);
                    let (t, s) = (
                        Complex {
                            re: scale(t.re),
                            im: scale(t.im),
                        },
                        Complex {
                            re: scale(a.re),
                            im: scale(a.im),
                        },
                    );
                    *a = Complex {
                        re: s.re + t.re,
                        im: s.im + t.im,
                    };
                    *b = Complex {
                        re: s.re - t.re,
                        im: s.im - t.im,
                    };
                }
            }
        }
    }
}

/// Multiplies `into` by `spectrum`^`times` pointwise. Both have moduli ≤ 1; z^T from a z of error e
/// has error ≤ T(e + 4), whatever the order of its multiplications, and one more product adds 4.
/// Returns the new error bound, or `None` if it leaves the domain of the bounds.
pub(super) fn multiply_power(
    into: &mut [Complex],
    into_error: u64,
    spectrum: &[Complex],
    error: u64,
    times: u64,
) -> Option<u64> {
    let total = times
        .checked_mul(error + 4)
        .and_then(|e| e.checked_add(into_error + 4))
        .filter(|e| *e < ERROR_LIMIT)?;
    for (z, x) in into.iter_mut().zip(spectrum) {
        let (mut base, mut left) = (*x, times);
        while left > 0 {
            if left & 1 == 1 {
                *z = z.times(base);
            }
            left >>= 1;
            if left > 0 {
                base = base.times(base);
            }
        }
    }
    Some(total)
}

/// e^(−2πik/2^log2) for k in the first octant, each part within 1 unit: the argument carries 160
/// bits, its sine and cosine are correctly rounded, and rounding to the unit costs half of one.
fn root_of_unity(k: usize, log2: u32) -> Complex {
    const WORKING: u32 = 160;
    let turn = Float::with_val(WORKING, Constant::Pi) * 2u32;
    let angle = (turn * k as u64) >> log2;
    let (sin, cos) = angle.sin_cos(Float::new(WORKING));
    let fixed = |x: Float| {
        let scaled = (x << FRACTION).to_integer_round(Round::Nearest);
        scaled.and_then(|(n, _)| n.to_i128()).unwrap_or_default()
    };
    Complex {
        re: fixed(cos),
        im: -fixed(sin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Integer;

    #[test]
    fn the_product_is_the_floor_of_the_exact_one() {
        let samples = [
            0,
            1,
            -1,
            ONE,
            -ONE,
            ONE - 1,
            ONE / 3,
            -ONE / 7,
            12345 << 70,
            -(987 << 61),
        ];
        for a in samples {
            for b in samples {
                let exact = (Integer::from(a) * Integer::from(b)) >> FRACTION;
                assert_eq!(Integer::from(product(a, b)), exact, "{a} {b}");
            }
        }
    }

    #[test]
    fn a_cyclic_power_equals_the_exact_one_within_its_bound() {
        // Masses in units of 2⁻¹²⁵ that are multiples of 2⁻²⁰: exact integer convolution possible.
        let log2 = 4;
        let n = 1usize << log2;
        let weights: Vec<i64> = (0..n as i64).map(|i| (i * 7919 + 13) % 1000).collect();
        let masses: Vec<i128> = weights.iter().map(|w| i128::from(*w) << 105).collect();
        let transform = Transform::new(log2);
        let (spectrum, error) = transform.forward(&masses);
        let mut all = vec![Complex { re: ONE, im: 0 }; n];
        let error = multiply_power(&mut all, 0, &spectrum, error, 5).unwrap();
        let (found, error) = transform.inverse(&all, error);
        let mut exact = vec![Integer::from(0); n];
        exact[0] = Integer::from(1);
        for _ in 0..5 {
            let mut next = vec![Integer::from(0); n];
            for (i, e) in exact.iter().enumerate() {
                for (j, w) in weights.iter().enumerate() {
                    next[(i + j) % n] += Integer::from(e * *w);
                }
            }
            exact = next;
        }
        for (f, e) in found.iter().zip(&exact) {
            // Five factors of 2⁻²⁰ each leave 2⁻¹⁰⁰: 2²⁵ units per integer.
            let gap = (Integer::from(*f) - Integer::from(e << 25)).abs();
            assert!(gap <= error, "off by {gap}, bound {error}");
        }
        assert!(
            error < 2000,
            "the bound is not vacuous: {error} units of 2⁻¹²⁵"
        );
    }

    #[test]
    fn too_many_factors_are_refused() {
        let mut one = vec![Complex { re: ONE, im: 0 }];
        assert!(multiply_power(&mut one.clone(), 0, &one, 1 << 40, 1 << 30).is_none());
        let at = |error| multiply_power(&mut [one[0]], 0, &one, error, 1);
        assert_eq!(
            [at(ERROR_LIMIT - 8), at(ERROR_LIMIT - 9)],
            [None, Some(ERROR_LIMIT - 1)]
        );
        let spectrum = one.clone();
        assert!(multiply_power(&mut one, 0, &spectrum, 1 << 20, 1 << 30).is_some());
    }

    /// Every stage of a transform and every product adds its own part, also to what was exact.
    #[test]
    fn errors_add_up_stage_by_stage_and_factor_by_factor() {
        for log2 in 3..8 {
            let exact = vec![Complex { re: ONE, im: 0 }; 1 << log2];
            let (_, error) = Transform::new(log2).inverse(&exact, 17);
            assert_eq!(error, 17 + 6 * u64::from(log2));
            let (_, error) = Transform::new(log2).forward(&vec![0; 1 << log2]);
            assert_eq!(error, 7 * ((1 << log2) - 1));
        }
        let one = vec![Complex { re: ONE, im: 0 }];
        for (into, error, times) in [(0, 0, 1), (0, 3, 5), (9, 3, 5)] {
            let found = multiply_power(&mut one.clone(), into, &one, error, times);
            assert_eq!(found, Some(into + 4 + times * (error + 4)));
        }
    }
}
