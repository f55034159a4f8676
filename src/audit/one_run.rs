//! Audits from one training run: m canaries, each included or not by a fair coin of its own.
//!
//! Guesses of membership are made for r of them by a rule fixed before membership is looked at,
//! and v of the guesses are right. Two tests of a claim:
//!
//! * [`p_value`]: T. Steinke, M. Nasr, M. Jagielski, "Privacy auditing with one (1) training run",
//!   arXiv:2305.08846, Corollary 5.4 and Appendix D. With q = e^ε/(1 + e^ε),
//!
//!   ```text
//!   p = min(1, β + 2 m δ α*),   β = P[Bin(r, q) ≥ v],
//!   α* = max over 1 ≤ i ≤ v of P[v − i ≤ Bin(r, q) ≤ v − 1] / i.
//!   ```
//!
//! * [`refutes_trade_off`]: S. Mahloujifar, L. Melis, K. Chaudhuri, "Auditing f-differential
//!   privacy in one run", arXiv:2410.22235, the recursion `audit_rh_with_cap`.
//!
//! The p-value is rounded up, so that a bound made from it errs on the safe side.
//!
//! ```
//! use dp_assay::audit::Guarantee;
//! use dp_assay::audit::one_run::{Guesses, epsilon_lower, p_value, refutes_trade_off};
//!
//! // 1000 canaries, 100 guesses, 75 of them right; the paper prints ε ≥ 0.673 at δ = 10⁻⁴.
//! let guesses = Guesses::new(1000, 100, 75)?;
//! let bound = epsilon_lower(guesses, 1e-4, 0.05)?;
//! assert!((0.67..0.68).contains(&bound));
//! assert!(p_value(guesses, Guarantee::new(0.1, 0.0)?) < p_value(guesses, Guarantee::new(1.0, 0.0)?));
//! // All guesses right refute perfect privacy, whose trade-off has F(x) = x.
//! assert!(refutes_trade_off(Guesses::new(100, 100, 100)?, 0.05, |x| x));
//! assert!(Guesses::new(100, 50, 51).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod scores;

use crate::accounting::root::halve;
use crate::audit::binomial::{MARGIN, MAX_TRIALS, ln_mass, tail_upper};
use crate::audit::{AuditError, Guarantee};
use crate::units::UnitError;

/// What a one-run audit counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guesses {
    canaries: u64,
    guessed: u64,
    right: u64,
}

impl Guesses {
    /// m canaries, r guesses, v right ones.
    ///
    /// # Errors
    /// Unless v ≤ r ≤ m, 1 ≤ m ≤ 2³².
    pub fn new(canaries: u64, guessed: u64, right: u64) -> Result<Self, UnitError> {
        let fault = |quantity, value: u64, rule| UnitError {
            quantity,
            value: value as f64,
            rule,
        };
        if canaries == 0 || canaries > MAX_TRIALS {
            return Err(fault(
                "canaries",
                canaries,
                "must be a whole number from 1 to 2³²",
            ));
        }
        if guessed > canaries {
            return Err(fault("guesses", guessed, "must not exceed the canaries"));
        }
        if right > guessed {
            return Err(fault("right guesses", right, "must not exceed the guesses"));
        }
        Ok(Self {
            canaries,
            guessed,
            right,
        })
    }
}

/// The probability, at most, of guesses as good as these if the claim is true; rounded up.
#[must_use]
pub fn p_value(guesses: Guesses, claim: Guarantee) -> f64 {
    let Guesses {
        canaries,
        guessed: r,
        right: v,
    } = guesses;
    let epsilon = claim.epsilon.get();
    let q = (1.0 / (1.0 + (-epsilon).exp()))
        .next_up()
        .next_up()
        .min(1.0);
    if v == 0 || q == 1.0 {
        return 1.0;
    }
    let leak = 2.0 * canaries as f64 * claim.delta.get();
    let slack = if leak > 0.0 {
        leak * mean_mass_below(r, v, q)
    } else {
        0.0
    };
    ((tail_upper(r, v, q) + slack) * (1.0 + MARGIN)).min(1.0)
}

/// α* = max over 1 ≤ i ≤ v of P\[v − i ≤ Bin(r, q) ≤ v − 1\]/i.
fn mean_mass_below(r: u64, v: u64, q: f64) -> f64 {
    let first = last_that_counts(r, v - 1, q);
    let mut mass = ln_mass(r, first, q).exp();
    let (mut sum, mut best) = (mass, mass / (v - first) as f64);
    let odds = (1.0 - q) / q;
    for i in v - first + 1..=v {
        let k = v - i + 1; // from k to k − 1
        mass = if mass > COUNTS {
            mass * (k as f64 / (r - k + 1) as f64 * odds)
        } else {
            ln_mass(r, k - 1, q).exp()
        };
        sum += mass;
        let mean = sum / i as f64;
        if mean < best && mass < mean {
            break; // past the mode: means only fall from here
        }
        best = best.max(mean);
    }
    best
}

/// A mass above this one is more than what all smaller ones beside it add to a sum.
const COUNTS: f64 = 1e-290;

/// From `most` down, where it lies above the mode, the first number whose mass counts: further up there may be 2³².
fn last_that_counts(r: u64, most: u64, q: f64) -> u64 {
    let counts = |k: u64| ln_mass(r, k, q).exp() > COUNTS;
    let mode = ((r + 1) as f64 * q) as u64;
    if most <= mode || counts(most) {
        return most;
    }
    let (mut yes, mut no) = (mode, most);
    while no - yes > 1 {
        let middle = yes.midpoint(no);
        *(if counts(middle) { &mut yes } else { &mut no }) = middle;
    }
    yes
}

/// The largest ε at which the guesses refute (ε, δ)-privacy with error `alpha`, rounded down; 0 if
/// none is refuted. β increases with ε, and so does α* while v exceeds the mean number of right
/// guesses, which it does wherever p < 1/2; so p crosses `alpha` once.
///
/// # Errors
/// When `delta` or `alpha` is outside its domain.
pub fn epsilon_lower(guesses: Guesses, delta: f64, alpha: f64) -> Result<f64, AuditError> {
    if !(alpha > 0.0 && alpha <= 0.5) {
        return Err(AuditError::Unit(UnitError {
            quantity: "alpha",
            value: alpha,
            rule: "must lie in (0, 1/2]",
        }));
    }
    let refutes =
        |epsilon: f64| Guarantee::new(epsilon, delta).map(|c| p_value(guesses, c) < alpha);
    if !refutes(0.0)? {
        return Ok(0.0);
    }
    // No p-value is below 2⁻³² · e^{-ε}-like terms at ε = 800, where q rounds to 1.
    Ok(halve(0.0, 800.0, 60, |epsilon| refutes(epsilon) == Ok(true)).0)
}

/// Whether the guesses refute, with error `alpha`, that the mechanism has trade-off at least f,
/// given as its blow-up inverse F(x) = f(1 − x), rounded **down**: the largest mass that an event of
/// mass x under one input is sure to have under the other; Φ(Φ⁻¹(x) − μ) for μ-Gaussian privacy.
#[must_use]
pub fn refutes_trade_off(
    guesses: Guesses,
    alpha: f64,
    blow_up_inverse: impl Fn(f64) -> f64,
) -> bool {
    let m = guesses.canaries as f64;
    let (guessed, right) = (guesses.guessed as f64, guesses.right as f64);
    let (mut r, mut h) = (alpha * right / m, alpha * (guessed - right) / m);
    for i in (0..guesses.right).rev() {
        let next = h.max(blow_up_inverse(r));
        if next == h {
            break;
        }
        r = (r + i as f64 / (guessed - i as f64) * (next - h)).min(1.0);
        h = next;
    }
    // Sums of at most 2³² positive terms, each right to 4 units in the last place.
    (r + h) * (1.0 - MARGIN) > guessed / m
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    fn lower(m: u64, r: u64, v: u64, delta: f64) -> f64 {
        let guesses = Guesses::new(m, r, v).expect("ordered");
        epsilon_lower(guesses, delta, 0.05).expect("in the domain")
    }

    #[test]
    fn published_bounds_are_reproduced_to_the_printed_digits() {
        // Recomputed from the reference code; the paper prints 0.673 and 2.675 (truncated).
        for (bound, printed) in [
            (lower(1000, 100, 75, 1e-4), 0.672_985),
            (lower(100_000, 1510, 1439, 1e-5), 2.675_851),
            (lower(1000, 100, 100, 1e-5), 3.4654),
            (lower(1000, 1000, 900, 1e-5), 2.0206),
        ] {
            let digits = if printed == 3.4654 || printed == 2.0206 {
                1e4
            } else {
                1e6
            };
            let rounded: f64 = (bound * digits).round() / digits;
            assert_eq!(rounded, printed, "{bound}");
        }
        let guesses = Guesses::new(100, 100, 75).expect("ordered");
        let p = p_value(
            guesses,
            Guarantee::new(3_f64.ln(), 0.0).expect("in the domain"),
        );
        assert_eq!((p * 1e6).round() / 1e6, 0.553_471);
    }

    #[test]
    fn the_p_value_increases_with_epsilon_where_it_is_below_one_half() {
        for (m, r, v, delta) in [
            (1000, 100, 75, 1e-4),
            (100_000, 1510, 1439, 1e-5),
            (1000, 1000, 600, 1e-3),
            (50, 20, 20, 1e-2),
            (7, 7, 6, 1e-3),
        ] {
            let guesses = Guesses::new(m, r, v).expect("ordered");
            let p = |e: f64| p_value(guesses, Guarantee::new(e, delta).expect("in the domain"));
            let mut before = 0.0;
            for step in 0..1000 {
                let now = p(f64::from(step) * 0.01);
                // Each value is right to MARGIN.
                assert!(
                    now >= before * (1.0 - 4.0 * MARGIN) || before >= 0.5,
                    "{m} {step}"
                );
                before = now;
            }
        }
    }

    /// Coins: the share of all outcomes with as many right, which whole numbers tell.
    #[test]
    fn p_values_are_rounded_up_and_no_further() {
        for r in 1..40u64 {
            for v in 1..=r {
                let ways: u128 = (v..=r).map(|k| choose(r, k)).sum();
                // A quotient by a power of two rounds once.
                let truth = ways as f64 * 0.5f64.powi(r as i32);
                let guesses = Guesses::new(100, r, v).expect("ordered");
                let found = p_value(guesses, Guarantee::new(0.0, 0.0).expect("in the domain"));
                assert!(
                    found >= truth && found <= truth * (1.0 + 5.0 * MARGIN),
                    "{v} of {r}: {found}, {truth}"
                );
            }
        }
    }

    fn choose(n: u64, k: u64) -> u128 {
        (0..k).fold(1, |ways, i| ways * u128::from(n - i) / u128::from(i + 1))
    }

    /// Far above the mode what vanishes is passed over, which would take minutes, and changes no bit.
    #[test]
    fn the_greatest_mean_mass_is_that_of_all_numbers_below() {
        let one_by_one = |r: u64, v: u64, q: f64| {
            let (mut sum, mut best) = (0.0, 0.0_f64);
            for k in (0..v).rev() {
                sum += ln_mass(r, k, q).exp();
                best = best.max(sum / (v - k) as f64);
            }
            best
        };
        for (r, v, q) in [
            (5000, 5000, 0.6),
            (5000, 4990, 0.75),
            (3000, 3000, 0.5),
            (500, 480, 0.73),
            (500, 300, 0.73),
            (40_000, 39_000, 0.95),
        ] {
            let (found, due) = (mean_mass_below(r, v, q), one_by_one(r, v, q));
            assert!(
                (found / due - 1.0).abs() < 1e-10,
                "{v} of {r}: {found}, {due}"
            );
        }
        let (r, q) = (1 << 32, 0.6);
        let found = mean_mass_below(r, r - 5, q);
        let most = 1.0 / ((1.0 - q) * r as f64);
        assert!(found < most && found > 0.999 * most, "{found}, {most}");
    }

    /// P-values and bounds to the last bit, also with δ, where most guesses are right and where few are.
    #[test]
    fn p_values_and_bounds_are_what_they_were() {
        let mut found = Vec::new();
        for (m, r, v, delta) in [
            (1000, 100, 75, 1e-4),
            (1000, 100, 40, 1e-3),
            (100_000, 20_000, 12_000, 1e-5),
            (60, 20, 20, 1e-2),
            (50, 10, 1, 1e-4),
        ] {
            let guesses = Guesses::new(m, r, v).expect("ordered");
            let p = |epsilon| {
                p_value(
                    guesses,
                    Guarantee::new(epsilon, delta).expect("in the domain"),
                )
            };
            found.extend([p(0.0), p(0.5), p(1.5), lower(m, r, v, delta)]);
            found.extend([mean_mass_below(r, v, 0.6), mean_mass_below(r, v, 0.9)]);
        }
        steady::holds(
            &found,
            "0.005833996984426625 0.014587208039190384 0.968680906513498 0.6729846596863174
                0.04338602733823238 2.875940294732459e-6 0.996621404011422 1.0 1.0 0.0
                1.0677562678270872e-5 1.480375065899162e-35 0.0009152041749919178 1.0 1.0
                0.38035507732000623 0.00575744016827981 0.0 0.08698617668997553
                0.109444343057694 0.22396763653969992 0.0 0.08724421922683842 0.2776750752994487
                0.9990332430861314 0.9999417931263036 0.9999999995897755 0.0
                0.00010485760000000014 9.99999999999996e-11",
        );
    }

    /// What refutes a trade-off, and what just does not: of all numbers of right guesses the smallest that refutes.
    #[test]
    fn a_trade_off_is_refuted_from_a_number_of_right_guesses_on() {
        let least = |m, r, alpha, slope: f64| {
            let refutes = |v: &u64| {
                let guesses = Guesses::new(m, r, *v).expect("ordered");
                refutes_trade_off(guesses, alpha, |x| (slope * x).max(1.0 - (1.0 - x) / slope))
            };
            (0..=r).find(refutes).map_or(-1.0, |v| v as f64)
        };
        let found = [
            least(100, 100, 0.05, 1.0),
            least(100, 100, 1e-6, 1.0),
            least(1000, 300, 0.01, 0.5),
            least(500, 500, 0.1, 0.25),
            least(10, 3, 1e-6, 0.9),
        ];
        steady::holds(&found, "60.0 74.0 220.0 413.0 -1.0");
    }

    /// Guesses that cannot be are refused, by what is wrong with them; the largest number is not.
    #[test]
    fn numbers_of_guesses_that_cannot_be_are_refused() {
        let wrong = |m, r, v| Guesses::new(m, r, v).map_err(|error| error.quantity).err();
        assert_eq!(
            [
                wrong(0, 0, 0),
                wrong(MAX_TRIALS + 1, 1, 1),
                wrong(5, 6, 0),
                wrong(5, 4, 5)
            ],
            [
                Some("canaries"),
                Some("canaries"),
                Some("guesses"),
                Some("right guesses")
            ]
        );
        assert_eq!(
            [
                wrong(MAX_TRIALS, MAX_TRIALS, MAX_TRIALS),
                wrong(1, 0, 0),
                wrong(5, 5, 5)
            ],
            [None; 3]
        );
        let guesses = Guesses::new(10, 10, 10).expect("ordered");
        for alpha in [0.0, -0.1, 0.500_001, f64::NAN] {
            assert!(epsilon_lower(guesses, 0.0, alpha).is_err(), "{alpha}");
        }
        assert!(epsilon_lower(guesses, 0.0, 0.5).is_ok_and(|epsilon| epsilon > 1.0));
    }

    /// Rounding accuses nobody: a bound that only reaches the guesses made refutes nothing, nor one beyond it by the margin.
    #[test]
    fn a_trade_off_is_refuted_only_beyond_rounding() {
        let guesses = Guesses::new(64, 32, 16).expect("ordered");
        // Of a blow-up without mass, α times the guesses made is left.
        let refutes = |alpha: f64| refutes_trade_off(guesses, alpha, |_| 0.0);
        let beyond = [0.9, 1.0, 1.0 + 0.5 * MARGIN, 1.0 + 2.0 * MARGIN].map(refutes);
        assert_eq!(beyond, [false, false, false, true]);
    }
}
