//! The reported bound: Clopper–Pearson on samples that chose nothing.
//!
//! **Statement.** Let an event S, a direction and δ be fixed before n fresh runs on each side, and
//! let k₀, k₁ count S among them. With L the lower Clopper–Pearson bound of k₀/n at error α/2 and
//! U the upper one of k₁/n at error α/2, `ln((L − δ)/U)` exceeds the ε of the pair at δ with
//! probability at most α.
//!
//! **Proof.** Except with probability α/2 each, L ≤ P\[M(D) ∈ S\] and U ≥ P\[M(D′) ∈ S\]; and
//! (ε, δ)-privacy says P\[M(D) ∈ S\] ≤ e^ε P\[M(D′) ∈ S\] + δ, that is
//! ε ≥ ln((P\[M(D) ∈ S\] − δ)/P\[M(D′) ∈ S\]) ≥ ln((L − δ)/U). ∎
//!
//! L itself is the largest p at which seeing k or more is too unlikely: P\[Bin(n, p) ≥ k\] ≤ α/2.
//! The tail used is never below the truth, so bisection keeps L on the safe side whatever rounding
//! does.
//!
//! ```
//! use dp_assay::audit::interval::{epsilon_lower, rate_lower, rate_upper};
//!
//! // 50 of 100, both bounds at error 0.05.
//! assert!((0.35..0.5).contains(&rate_lower(50, 100, 0.05)));
//! assert!((0.5..0.65).contains(&rate_upper(50, 100, 0.05)));
//! // 900 of 1000 runs on one input and 100 of 1000 on the other: below ln 9, but not far.
//! assert!((1.0..9_f64.ln()).contains(&epsilon_lower(900, 100, 1000, 0.0, 1e-6)));
//! assert_eq!(epsilon_lower(0, 0, 1000, 0.0, 1e-6), f64::NEG_INFINITY);
//! ```

use crate::accounting::root;
use crate::audit::binomial::{MAX_TRIALS, tail_upper};

/// Lower Clopper–Pearson bound on a success probability from `hits` of `trials`, wrong with
/// probability at most `alpha`; rounded down.
///
/// # Panics
/// If `hits > trials`, `trials > 2³²`, or `alpha` is not in (0, 1).
#[must_use]
pub fn rate_lower(hits: u64, trials: u64, alpha: f64) -> f64 {
    assert!(hits <= trials, "{hits} hits in {trials} trials");
    assert!(trials <= MAX_TRIALS, "{trials} trials are more than 2³²");
    assert!(
        alpha > 0.0 && alpha < 1.0,
        "alpha = {alpha} is not in (0, 1)"
    );
    if hits == 0 {
        return 0.0;
    }
    let safe = |rate: f64| tail_upper(trials, hits, rate) <= alpha;
    // 2⁻⁵⁰ of the estimate is far below the statistical width.
    root::halve(0.0, hits as f64 / trials as f64, 50, safe).0
}

/// Upper Clopper–Pearson bound on a success probability, wrong with probability at most `alpha`;
/// rounded up.
///
/// # Panics
/// As [`rate_lower`].
#[must_use]
pub fn rate_upper(hits: u64, trials: u64, alpha: f64) -> f64 {
    assert!(hits <= trials, "{hits} hits in {trials} trials");
    (1.0 - rate_lower(trials - hits, trials, alpha))
        .next_up()
        .min(1.0)
}

/// Lower bound on ε at `delta` from `hits0` and `hits1` counts of one event in `trials` runs on
/// each side, wrong with probability at most `alpha`; rounded down, and −∞ where the counts say
/// nothing.
///
/// # Panics
/// As [`rate_lower`].
#[must_use]
pub fn epsilon_lower(hits0: u64, hits1: u64, trials: u64, delta: f64, alpha: f64) -> f64 {
    if trials == 0 {
        return f64::NEG_INFINITY;
    }
    let numerator = rate_lower(hits0, trials, alpha / 2.0) - delta;
    let denominator = rate_upper(hits1, trials, alpha / 2.0);
    if numerator <= 0.0 {
        return f64::NEG_INFINITY;
    }
    let epsilon = (numerator / denominator).ln();
    // Difference, quotient and logarithm are right to two units in the last place together.
    epsilon - 8.0 * f64::EPSILON * (1.0 + epsilon.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// Bounds on rates and on ε to the last bit.
    #[test]
    fn bounds_are_what_they_were() {
        let mut found = Vec::new();
        for (hits, trials, alpha) in [
            (50, 100, 0.05),
            (0, 100, 0.05),
            (100, 100, 0.05),
            (3, 1 << 20, 1e-6),
            (1, 1, 0.9),
        ] {
            found.extend([
                rate_lower(hits, trials, alpha),
                rate_upper(hits, trials, alpha),
            ]);
        }
        for (hits0, hits1, trials, delta, alpha) in [
            (900, 100, 1000, 0.0, 1e-6),
            (900, 0, 1000, 0.125, 1e-3),
            (500, 520, 1000, 0.0, 0.1),
            (900, 100, 1000, 0.9, 0.1),
            (1, 1, 0, 0.0, 0.1),
        ] {
            found.push(epsilon_lower(hits0, hits1, trials, delta, alpha));
        }
        steady::holds(
            &found,
            "0.4136217141580665 0.5863782858419336 0.0 0.029513049801138006 0.970486950198862
                1.0 1.740865716056483e-8 2.0361204307262074e-5 0.8999999819999998 1.0
                1.7081801998390465 4.582485252761024 -0.14319446936127003 -inf -inf",
        );
    }

    /// With n hits of n the lower bound p has pⁿ = α, and with none the upper one (1 − p)ⁿ = α.
    #[test]
    fn bounds_of_all_and_of_none_are_those_of_powers() {
        for (n, alpha) in [(1_u32, 0.05_f64), (10, 0.01), (1000, 1e-9)] {
            let p = alpha.powf(1.0 / f64::from(n));
            let found = [
                rate_lower(n.into(), n.into(), alpha),
                1.0 - rate_upper(0, n.into(), alpha),
            ];
            for found in found {
                assert!(found <= p && found >= p - 1e-7, "{n} {alpha}: {found}, {p}");
            }
            assert_eq!(
                [
                    rate_lower(0, n.into(), alpha),
                    rate_upper(n.into(), n.into(), alpha)
                ],
                [0.0, 1.0]
            );
        }
    }

    #[test]
    fn what_is_no_count_and_no_error_is_refused() {
        let refused = |hits, trials, alpha| {
            let of = |rate: fn(u64, u64, f64) -> f64| {
                std::panic::catch_unwind(move || rate(hits, trials, alpha)).is_err()
            };
            [of(rate_lower), of(rate_upper)]
        };
        for (hits, trials, alpha) in [
            (2, 1, 0.1),
            (1, MAX_TRIALS + 1, 0.1),
            (1, 2, 0.0),
            (1, 2, 1.0),
            (1, 2, f64::NAN),
            (1, 2, -0.5),
        ] {
            assert_eq!(
                refused(hits, trials, alpha),
                [true; 2],
                "{hits} {trials} {alpha}"
            );
        }
        assert_eq!(refused(1, 1, 0.999), [false; 2]);
    }
}
