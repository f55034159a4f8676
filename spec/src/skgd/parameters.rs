//! Section 4.2: the privacy of Theorem 4.2 with the K that it prints.

use super::calibration::THM_4_1_DP;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 2] = [THM_4_2_DP, THM_4_2_DP_READING_KNOWN_K];

/// `skgd-thm-4.2-dp`, as printed. K = nεR/(Σ_S√log(1/δ)) contains the distance R of w⁰ from the minimiser, and with K the
/// noise and the number of averaged steps depend on the data: the spread of w¹ tells how far the minimiser is.
pub const THM_4_2_DP: Claim = Claim {
    id: "skgd-thm-4.2-dp",
    place: "§4.2, Theorem 4.2",
    kind: Kind::MechanismPrivacy,
    statement: "with \"the noise scales σ_U set as in Theorem 4.1 to ensure (ε, δ)-DP, with T and \
        K chosen below\", K = nεR/(Σ_S√log(1/δ)) and R = ‖w⁰−w*‖_{MP⁻¹}, Algorithm 1 is (ε, δ)-DP",
    hypotheses: "as the convex case of Theorem 4.2, T = 1; K computed from the data by its \
        formula; replace-one",
    check: thm_4_2_dp,
    ..Claim::ALONE
};

/// `skgd-thm-4.2-dp-reading-known-K`: for K and T that are the same for both neighbours, by Theorem 4.1.
pub const THM_4_2_DP_READING_KNOWN_K: Claim = Claim {
    id: "skgd-thm-4.2-dp-reading-known-K",
    statement: "with the noise scales σ_U of Theorem 4.1 Algorithm 1 is (ε, δ)-DP for any K and T \
        fixed without looking at the data, such as a K that has a radius known beforehand in the \
        place of R",
    hypotheses: "as Theorem 4.1; K, T ≥ 1 integers and all other inputs fixed without looking at \
        the data",
    rests_on: &["skgd-thm-4.1-dp"],
    check: THM_4_1_DP.check,
    ..THM_4_2_DP
};

const INNER: u32 = 1000;

/// Bounds of P(S) from below and P'(S) from above for S = {|w¹| ≤ a}, with σ² = `factor`·L²K·log(1/δ)/(n²ε²).
///
/// n = d = L = M = ε = 1, S = {1}, δ = 1/100, w⁰ = 0, and Huber losses of slope 1 and curvature 10⁻¹², so Σ_S = 1. Under D the
/// minimiser is √log 100, K = 1, and w¹ = −η up to 10⁻¹¹; a is three standard deviations. Under D' it is 1000·√log 100, K =
/// 1000, and w¹ is the average of a random walk up to a drift of at most K·10⁻¹²·(10⁸ + 10⁴) < 1/2, unless the walk leaves
/// [−10⁸, 10⁸], which has probability at most its variance over 10¹⁶ (Kolmogorov).
fn event(factor: &Rational) -> (Interval, Interval) {
    let (one, two) = (Interval::from(1), Interval::from(2));
    let steps = Interval::from(i64::from(INNER));
    let unit = Interval::from_rational(factor) * Interval::from(100).ln();
    let reach = Interval::from(3) * unit.sqrt();
    let margin = Interval::from_rational(&ratio(1, 1_000_000));
    let inside = (&reach - &margin) / (&two * &unit).sqrt();
    let p = inside.erf();
    // σ² = K·unit; the average of the walk has variance σ²(K+1)(2K+1)/(6K).
    let averaged = &unit * &((&steps + &one) * (&two * &steps + &one) / Interval::from(6));
    let density = &one / &(&two * &Interval::pi(128) * averaged).sqrt();
    let left = unit * steps.square() / Interval::from(10).powi(16);
    let q = two * (reach + Interval::from_rational(&ratio(1, 2))) * density + left;
    (p, q)
}

fn thm_4_2_dp(c: &Check) -> Verdict {
    let factor = c.constant("factor of the variance", 12);
    if factor <= 0 || factor > 1000 {
        return Verdict::open("the instance is made for a variance near the printed one");
    }
    let (p, q) = event(&factor);
    let excess = &p - &(Interval::from(1).exp() * &q);
    if !Interval::from_rational(&ratio(1, 100)).certainly_lt(&excess) {
        return Verdict::open("the instance tried is no counterexample");
    }
    Verdict::refuted(
        format!(
            "n = d = L = M = ε = 1, S = {{1}}, δ = 1/100, w⁰ = 0, Huber loss of slope 1 and \
                curvature 10⁻¹² centred at √log 100 (K = 1) or at 1000·√log 100 (K = {INNER}): \
                |w¹| is at most three of the first run's standard deviations with probability at \
                least {:.4} and at most {:.5}, so δ(1) ≥ {:.4}",
            p.lo_digits(4),
            q.hi_digits(5),
            excess.lo_digits(4)
        ),
        "interval arithmetic; the drift is bounded by Kolmogorov's inequality",
        Some("skgd-thm-4.2-dp-reading-known-K"),
    )
}

/// A lower bound of the ε at δ = 1/100 that the instance of `skgd-thm-4.2-dp` needs, over the claimed 1. It grows without
/// limit, like log K.
#[must_use]
pub fn excess() -> f64 {
    let (p, q) = event(&Rational::from(12));
    ((p - Interval::from_rational(&ratio(1, 100))) / q)
        .ln()
        .lo_f64()
}

/// The law of w¹ on a quadratic: K, mean and standard deviation. n = 60,000, d = L = M = ε = 1, S = {1}, δ = n⁻², w⁰ = 0, the
/// minimiser at `radius` > 0, and curvature `h` in units of M: θ^k − w* = (1−h)^k(w⁰ − w*) − Σ_{i≤k} (1−h)^{k−i}η_i, averaged.
fn quadratic(radius: f64, h: f64) -> (f64, f64, f64) {
    let log = 2.0 * RECORDS.ln();
    let steps = (RECORDS * radius / log.sqrt()).ceil();
    let keep = 1.0 - h;
    let last = keep.powf(steps);
    let first = keep * (1.0 - last) / h;
    let second = keep * keep * (1.0 - last * last) / (1.0 - keep * keep);
    let variance = 12.0 * steps * log / (RECORDS * RECORDS);
    // η_i enters the mean of θ¹, …, θ^K with the weight (1 − q^{K−i+1})/(hK).
    let spread = variance / (steps * h).powi(2) * (steps - 2.0 * first + second);
    (steps, radius * (1.0 - first / steps), spread.sqrt())
}

const RECORDS: f64 = 60_000.0;
/// n times the curvature of the realistic instance: what a ridge of the usual order 1/n leaves of M in a flat direction.
const FLAT: f64 = 10.0;

/// A lower bound of the ε at δ = n⁻² that two neighbours need, over the claimed 1: n = 60,000 Huber losses of slope 1 = M whose
/// curvature is h = 10/n, and one record whose gradient goes from −0.99 to 0.99, which moves the minimiser from 1 by 1.98/(nh).
/// The ends of its quadratic part, 0.01/h = 60, are 14 standard deviations σ√K of the whole walk away (P < 10⁻⁴⁰), so the laws
/// are normal. For the event w¹ > t the tails are bounded by Mills' ratio, x/(1+x²)·φ(x) ≤ P ≤ φ(x)/x; t is searched for.
#[must_use]
pub fn realistic() -> f64 {
    let h = FLAT / RECORDS;
    let (_, m, s) = quadratic(1.0, h);
    let (_, moved, wider) = quadratic(1.0 + 1.98 / FLAT, h);
    let delta = RECORDS.powi(-2);
    let density = |x: f64| -x * x / 2.0 - std::f64::consts::TAU.ln() / 2.0;
    let at = |hundredths: u32| {
        let x = f64::from(hundredths) / 100.0;
        let p = density(x).exp() * x / (1.0 + x * x);
        let y = (moved + x * wider - m) / s;
        (p > delta).then(|| (p - delta).ln() - (density(y) - y.ln()))
    };
    (100..1000).filter_map(at).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two routes: closed sums, and the recursion step by step.
    #[test]
    fn the_realistic_runs_have_the_law_of_the_recursion() {
        let h = FLAT / RECORDS;
        let mut shares = Vec::new();
        for radius in [1.0, 1.0 + 1.98 / FLAT] {
            let (steps, mean, deviation) = quadratic(radius, h);
            let log = 2.0 * RECORDS.ln();
            assert!(steps >= RECORDS * radius / log.sqrt());
            // θ^k = a_k + Σ weights; summed from the last draw backwards: the i-th from the end has weight w ← 1 + (1−h)w.
            let (mut at, mut sum, mut weight, mut squares) = (0.0, 0.0, 0.0, 0.0);
            for _ in 0..steps as u64 {
                at += h * (radius - at);
                sum += at;
                weight = 1.0 + (1.0 - h) * weight;
                squares += weight * weight;
            }
            let variance = 12.0 * steps * log / (RECORDS * RECORDS);
            let direct = (variance * squares).sqrt() / steps;
            assert!((sum / steps / mean - 1.0).abs() < 1e-9);
            assert!(
                (direct / deviation - 1.0).abs() < 1e-9,
                "{direct} {deviation}"
            );
            shares.push(deviation);
        }
        assert!(shares[1] > shares[0]);
        let ratio = realistic();
        assert!(ratio > 3.9 && ratio < 4.0, "{ratio}");
    }

    /// Two routes: intervals, and the 3σ rule with the density of the averaged walk in doubles.
    #[test]
    fn the_two_runs_are_told_apart_as_the_normal_law_says() {
        let (p, q) = event(&Rational::from(12));
        let unit = 12.0 * 100f64.ln();
        // The variance of the mean of the first k sums, term by term: Σ_i (K − i + 1)² σ²/K².
        let variance: f64 =
            (1..=INNER).map(|i| f64::from(i).powi(2)).sum::<f64>() * unit / f64::from(INNER);
        let expected = (6.0 * unit.sqrt() + 1.0) / (2.0 * std::f64::consts::PI * variance).sqrt();
        // The margins left and right: 10⁻⁶ over 7.4, and 10⁻⁸.
        assert!((p.lo_f64() - 0.997_300_2).abs() < 1e-6, "{p}");
        assert!(
            (q.hi_f64() - expected).abs() < 1e-7 + 1e-9,
            "{q} {expected}"
        );
        assert!((excess() - ((0.997_300_2 - 0.01) / expected).ln()).abs() < 1e-4);
    }
}
