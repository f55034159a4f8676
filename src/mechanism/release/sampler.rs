//! Exact samplers of Canonne, Kamath and Steinke (The discrete Gaussian for differential privacy,
//! 2020, Algorithms 1 to 3), in whole numbers alone.
//!
//! All arguments are quotients of whole numbers below 2⁹⁶, so that nothing overflows 128 bits.
//!
//! ```
//! use dp_assay::mechanism::release::SecureRng;
//! use dp_assay::mechanism::release::sampler::{
//!     Fraction, below, bernoulli_exp, discrete_gaussian, discrete_laplace,
//! };
//!
//! let fraction = |n, d| Fraction::new(n, d).expect("d > 0 and both are below 2^96");
//! let mut rng = SecureRng::from_system()?;
//! assert!(below(6, &mut rng) < 6);
//! assert!(bernoulli_exp(fraction(0, 1), &mut rng)); // exp(0) = 1
//! // The chance of anything but 0 is below exp(-999).
//! assert_eq!(discrete_laplace(fraction(1000, 1), &mut rng), 0);
//! // Beyond 50 standard deviations: a chance below exp(-1000).
//! assert!(discrete_gaussian(fraction(2, 1), &mut rng).abs() < 100);
//! assert!(Fraction::new(1, 0).is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rand::CryptoRng;

/// A fraction n/d of whole numbers, d > 0; 0 ≤ n.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fraction {
    pub(super) numerator: u128,
    pub(super) denominator: u128,
}

/// Numerators and denominators lie below this.
const LIMIT: u128 = 1 << 96;

impl Fraction {
    /// n/d, if both are below 2⁹⁶ and d > 0.
    #[must_use]
    pub const fn new(numerator: u128, denominator: u128) -> Option<Self> {
        if denominator == 0 || numerator >= LIMIT || denominator >= LIMIT {
            return None;
        }
        Some(Self {
            numerator,
            denominator,
        })
    }
}

/// A whole number below `bound`, all equally likely.
///
/// Below 2⁶⁴ by one product (Lemire, Fast random integer generation in an interval, 2019): of the 2⁶⁴ words
/// those whose product with `bound` ends below 2⁶⁴ mod `bound` are drawn again, which leaves ⌊2⁶⁴/bound⌋ to each
/// number. Above, the lowest bits that can hold it, drawn again until they do.
///
/// # Panics
/// If `bound` is 0.
pub fn below(bound: u128, rng: &mut (impl CryptoRng + ?Sized)) -> u128 {
    assert!(bound > 0, "no number is below 0");
    let Ok(bound) = u64::try_from(bound) else {
        return below_large(bound, rng);
    };
    loop {
        let product = u128::from(rng.next_u64()) * u128::from(bound);
        let end = product as u64;
        // The remainder, which is below the bound, is rarely needed.
        if end >= bound || end >= bound.wrapping_neg() % bound {
            return product >> 64;
        }
    }
}

fn below_large(bound: u128, rng: &mut (impl CryptoRng + ?Sized)) -> u128 {
    let mask = u128::MAX >> (bound - 1).leading_zeros();
    loop {
        let high = u128::from(rng.next_u64()) << 64;
        let drawn = (high | u128::from(rng.next_u64())) & mask;
        if drawn < bound {
            return drawn;
        }
    }
}

/// True with probability n/d, n ≤ d: whether a uniform number of [0, 1) lies below n/d, of which no more binary
/// digits are drawn, 32 at a time, than decide it.
fn coin(n: u128, d: u128, rng: &mut (impl CryptoRng + ?Sized)) -> bool {
    if d >= LIMIT {
        return below(d, rng) < n;
    }
    let mut left = n;
    loop {
        // In units of d/2³²: the number lies from `drawn` to `drawn` + 1, and below n/d up to `left`.
        let drawn = u128::from(rng.next_u32()) * d;
        let wanted = left << 32;
        if drawn >= wanted {
            return false;
        }
        left = wanted - drawn;
        if left >= d {
            return true;
        }
    }
}

/// True with probability exp(−γ) (Algorithm 1).
pub fn bernoulli_exp(gamma: Fraction, rng: &mut (impl CryptoRng + ?Sized)) -> bool {
    let Fraction {
        numerator,
        denominator,
    } = gamma;
    for _ in 0..numerator / denominator {
        if !below_one(1, 1, rng) {
            return false;
        }
    }
    below_one(numerator % denominator, denominator, rng)
}

/// True with probability exp(−n/d) for n ≤ d: count how many Bernoulli(n/(dk)), k = 1, 2, …, come
/// true in a row, and see whether the number is even. (The series of exp(−x) alternates.)
fn below_one(n: u128, d: u128, rng: &mut (impl CryptoRng + ?Sized)) -> bool {
    // The first of them is certain if n = d.
    let mut k = 1 + u128::from(n == d);
    // d < 2⁹⁶ and k < 2³² keep d·k below 2¹²⁸. A run reaches k with probability 1/(k − 1)! at most.
    while k < 1 << 32 && coin(n, d * k, rng) {
        k += 1;
    }
    k % 2 == 1
}

/// Two-sided geometric noise: P\[k\] ∝ exp(−|k|·n/d) (Algorithm 2).
///
/// # Panics
/// If the rate n/d is 0: there is no such law.
pub fn discrete_laplace(rate: Fraction, rng: &mut (impl CryptoRng + ?Sized)) -> i128 {
    let Fraction {
        numerator,
        denominator,
    } = rate;
    assert!(numerator > 0, "a rate of 0 gives no law");
    loop {
        let low = below(denominator, rng);
        if !below_one(low, denominator, rng) {
            continue;
        }
        let mut high: u128 = 0;
        while below_one(1, 1, rng) {
            high += 1;
        }
        let size = ((low + denominator * high) / numerator) as i128;
        let negative = coin(1, 2, rng);
        // Zero has two signs and must not be drawn twice as often.
        if !(negative && size == 0) {
            return if negative { -size } else { size };
        }
    }
}

/// Discrete Gaussian noise: P\[k\] ∝ exp(−k²/(2σ²)), σ = a/b with a, b below 2²⁰ (Algorithm 3).
///
/// # Panics
/// If σ is 0 or its terms are too large.
pub fn discrete_gaussian(sigma: Fraction, rng: &mut (impl CryptoRng + ?Sized)) -> i128 {
    let Fraction {
        numerator: a,
        denominator: b,
    } = sigma;
    assert!(
        a > 0 && a < 1 << 20 && b < 1 << 20,
        "sigma = {a}/{b} is out of range"
    );
    let t = a / b + 1;
    let rate = Fraction {
        numerator: 1,
        denominator: t,
    };
    loop {
        let candidate = discrete_laplace(rate, rng);
        // Accept with exp(−(|k| − σ²/t)²/(2σ²)) = exp(−(|k| t b² − a²)²/(2 a² b² t²)). Since
        // b(t − 1) ≤ a, b·t is below 2²¹ and the divisor below 2·(2²⁰·2²¹)² = 2⁸³.
        let (k, divisor) = (candidate.unsigned_abs(), 2 * (a * b * t).pow(2));
        let difference = (k * t * b * b).abs_diff(a * a);
        // The square overflows for |k|/t ≥ 2⁶⁴/(b t)² ≥ 2²² only: a candidate of probability below
        // exp(−2²²), which would be accepted with less.
        let Some(square) = difference.checked_mul(difference) else {
            continue;
        };
        if bernoulli_exp(
            Fraction {
                numerator: square,
                denominator: divisor,
            },
            rng,
        ) {
            return candidate;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{TryCryptoRng, TryRng};
    use std::convert::Infallible;

    /// Gives what it was told to.
    struct Told(Vec<u64>);

    impl TryRng for Told {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(self.0.remove(0) as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.remove(0))
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            unreachable!("words are asked for")
        }
    }

    impl TryCryptoRng for Told {}

    #[test]
    fn a_coin_is_decided_by_the_first_words_that_tell() {
        for (n, d) in [(1, 3), (5, 7), (1 << 40, (1 << 51) + 5), (1, LIMIT - 1)] {
            // Words of n/d: a number that begins with the first is not decided by it.
            let first = (n << 32) / d;
            let second = (((n << 32) % d) << 32) / d;
            for (words, below) in [
                (vec![first.wrapping_sub(1)], first > 0),
                (vec![first + 1], false),
                (vec![first, second.wrapping_sub(1)], second > 0),
                (vec![first, second + 1], false),
            ] {
                let mut words: Vec<u64> = words.iter().map(|w| u64::from(*w as u32)).collect();
                words.push(99);
                let mut told = Told(words);
                assert_eq!(coin(n, d, &mut told), below, "{n}/{d}");
                assert_eq!(told.0, [99], "{n}/{d}");
            }
        }
        // Certain and impossible whatever is drawn.
        assert!(coin(7, 7, &mut Told(vec![u64::from(u32::MAX)])));
        assert!(!coin(0, 7, &mut Told(vec![0])));
        let all = LIMIT * 5;
        assert!(coin(all, all, &mut Told(vec![0, 0])) && !coin(0, all, &mut Told(vec![0, 0])));
    }

    #[test]
    fn as_many_words_lead_to_each_number() {
        // Of 2⁶⁴ = 3 q + 1 words one is drawn again; q lead to each of 0, 1 and 2.
        let q = u64::MAX / 3;
        for (word, number) in [
            (1, 0),
            (q, 0),
            (q + 1, 1),
            (2 * q, 1),
            (2 * q + 1, 2),
            (u64::MAX, 2),
        ] {
            assert_eq!(below(3, &mut Told(vec![word])), number, "{word}");
        }
        assert_eq!(below(3, &mut Told(vec![0, u64::MAX])), 2);
        assert_eq!(below(1 << 63, &mut Told(vec![2])), 1);
        assert_eq!(below(1 << 64, &mut Told(vec![0, 5])), 5);
    }
}
