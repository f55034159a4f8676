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
    numerator: u128,
    denominator: u128,
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

/// A whole number below `bound`, all equally likely: the lowest bits that can hold it, drawn again
/// until they do (each time with probability above ½).
///
/// # Panics
/// If `bound` is 0.
pub fn below(bound: u128, rng: &mut (impl CryptoRng + ?Sized)) -> u128 {
    assert!(bound > 0, "no number is below 0");
    let unused = (bound - 1).leading_zeros();
    if unused == u128::BITS {
        return 0;
    }
    loop {
        let high = if unused < 64 {
            u128::from(rng.next_u64()) << 64
        } else {
            0
        };
        let drawn = (high | u128::from(rng.next_u64())) & (u128::MAX >> unused);
        if drawn < bound {
            return drawn;
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
    // d < 2⁹⁶ and k < 2³² keep d·k below 2¹²⁸. A run reaches k with probability 1/(k − 1)! at most.
    let mut k: u128 = 1;
    while k < 1 << 32 && below(d * k, rng) < n {
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
        let negative = below(2, rng) == 1;
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
