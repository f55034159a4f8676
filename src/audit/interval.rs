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
