//! Binomial tails that are never below the truth.
//!
//! P\[Bin(n, p) = k\] is computed by Loader's saddle-point form (C. Loader, "Fast and accurate
//! computation of binomial probabilities", 2000),
//!
//! ```text
//! √(n / (2π k (n−k))) · exp(s(n) − s(k) − s(n−k) − D(k, np) − D(n−k, n(1−p))),
//! s(m) = ln m! − ln(√(2πm) (m/e)^m),   D(x, y) = x ln(x/y) + y − x ≥ 0,
//! ```
//!
//! whose exponent has no large terms to cancel. With unit roundoff u = 2⁻⁵³:
//! * each s is right to 4·10⁻¹⁴ absolutely (series remainder at m ≥ 16, or the rounding of
//!   m ln m ≤ 42 below);
//! * each D is right to 300u relatively (the series below; outside its range D ≥ 0.02·max(x, y),
//!   so that its three terms, each right to 4u, are at most 70 D), that is to 3·10⁻¹¹ where the
//!   exponential does not underflow (D ≤ 745);
//! * rounding np moves D by |x − np|·u ≤ √(4·745·n)·u ≤ 4·10⁻¹⁰ for n ≤ 2³².
//!
//! A tail is the mass at k times a sum of products of decreasing ratios; each of its at most 10⁶
//! relevant factors is right to 4u, together 5·10⁻¹⁰. All of this is below [`MARGIN`].

/// Relative allowance for every rounding above, twenty times their sum.
pub(crate) const MARGIN: f64 = 2e-8;

/// The largest number of trials for which the allowance is derived.
pub(crate) const MAX_TRIALS: u64 = 1 << 32;

/// An upper bound on P\[Bin(n, p) ≥ k\], tight to 10⁻⁷ relatively; it is 1 where k is more than ten
/// standard deviations (of the widest binomial) below the mean.
pub(crate) fn tail_upper(n: u64, k: u64, p: f64) -> f64 {
    assert!(n <= MAX_TRIALS && k <= n && (0.0..=1.0).contains(&p));
    if k == 0 || p == 1.0 || n as f64 * p - k as f64 > 10.0 + 5.0 * (n as f64).sqrt() {
        return 1.0;
    }
    if p == 0.0 {
        return 0.0;
    }
    let mut sum = 1.0;
    let mut term = 1.0;
    let odds = p / (1.0 - p);
    for j in k..n {
        let ratio = (n - j) as f64 / (j + 1) as f64 * odds;
        term *= ratio;
        sum += term;
        // Ratios fall, so once below 1 what remains is at most a geometric series.
        if ratio < 1.0 && term < 1e-17 * sum * (1.0 - ratio) {
            break;
        }
    }
    (ln_mass(n, k, p).exp() * sum * (1.0 + MARGIN)).min(1.0)
}

/// ln P\[Bin(n, p) = k\] for 0 < p < 1, to the accuracy in the module's documentation.
pub(crate) fn ln_mass(n: u64, k: u64, p: f64) -> f64 {
    if k == 0 {
        return n as f64 * (-p).ln_1p();
    }
    if k == n {
        return n as f64 * p.ln();
    }
    let (total, hits, misses) = (n as f64, k as f64, (n - k) as f64);
    let exponent = stirling_error(n)
        - stirling_error(k)
        - stirling_error(n - k)
        - deviance(hits, total * p)
        - deviance(misses, total * (1.0 - p));
    exponent + 0.5 * (total / (2.0 * std::f64::consts::PI * hits * misses)).ln()
}

/// s(m) = ln m! − ½ ln(2πm) − m ln m + m, for m ≥ 1.
fn stirling_error(m: u64) -> f64 {
    let x = m as f64;
    if m < 16 {
        let factorial: f64 = (2..=m).map(|i| i as f64).product(); // below 2⁵³: exact
        return factorial.ln() - 0.5 * (2.0 * std::f64::consts::PI * x).ln() - x * x.ln() + x;
    }
    // The Stirling series; the first term left out is 1/(1188 x⁹) ≤ 1.3·10⁻¹⁴.
    let y = 1.0 / (x * x);
    (1.0 / 12.0 - y * (1.0 / 360.0 - y * (1.0 / 1260.0 - y / 1680.0))) / x
}

/// D(x, y) = x ln(x/y) + y − x for x, y > 0.
fn deviance(x: f64, y: f64) -> f64 {
    if (x - y).abs() >= 0.1 * (x + y) {
        return x * (x / y).ln() + y - x;
    }
    // With v = (x−y)/(x+y): ln(x/y) = 2(v + v³/3 + …), so D = (x−y)v + 2x(v³/3 + v⁵/5 + …).
    let v = (x - y) / (x + y);
    let mut power = 2.0 * x * v;
    let mut sum = (x - y) * v;
    for i in 1..100 {
        power *= v * v;
        let next = sum + power / f64::from(2 * i + 1);
        if next == sum {
            break;
        }
        sum = next;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use rug::ops::Pow;
    use rug::{Float, Integer};

    /// Whole numbers and logarithms at 200 bits, from the smallest n on for which factorials are series. Some ten roundings of terms
    /// of up to 2.1·n are 3·10⁻¹⁵·n; three remainders of series, or roundings of m·ln m ≤ 42, are below 10⁻¹³.
    #[test]
    fn masses_are_as_close_as_the_margin_asks() {
        for (n, p) in [
            (15, 0.5),
            (16, 0.5),
            (32, 0.25),
            (33, 0.75),
            (64, 0.5),
            (300, 0.125),
        ] {
            for k in 0..=n {
                let wide = |x: f64| Float::with_val(200, x);
                let ways = Float::with_val(200, Integer::from(n).binomial(k));
                let truth: Float = ways.ln() + wide(p).ln() * k + wide(1.0 - p).ln() * (n - k);
                let found = ln_mass(n.into(), k.into(), p);
                let off = (wide(found) - &truth).abs().to_f64();
                assert!(
                    off <= 3e-15 * f64::from(n) + 1e-13,
                    "{k} of {n} at {p}: off by {off:e}"
                );
            }
        }
    }

    /// Near equality, where its terms cancel, and where the two formulas meet.
    #[test]
    fn the_deviance_of_numbers_that_are_near_each_other_keeps_its_digits() {
        let wide = |x: f64| Float::with_val(300, x);
        for y in [3.0, 1e3, 1e9] {
            for share in [1e-7, -1e-7, 1e-3, -0.1, 0.18, -0.18, 0.23, 0.3] {
                let x = y * (1.0 + share);
                let truth = wide(x) * (wide(x) / y).ln() + y - x;
                let off = (wide(deviance(x, y)) - &truth).abs() / &truth;
                assert!(off < 1e-12, "{x}, {y}: off by {off}");
            }
        }
    }

    /// Tails summed over exact masses of a power of two: above them, and by no more than the margin; 1 far below the mean.
    #[test]
    fn tails_are_above_the_truth_by_no_more_than_the_margin() {
        for n in [1_u32, 2, 15, 16, 17, 40, 200, 1000] {
            for p in [
                0.0,
                2_f64.powi(-20),
                0.125,
                0.5,
                0.75,
                1.0 - 2_f64.powi(-10),
                1.0,
            ] {
                let wide = |x: f64| Float::with_val(300, x);
                let mut truth = wide(0.0);
                for k in (0..=n).rev() {
                    let ways = Float::with_val(300, Integer::from(n).binomial(k));
                    let powers = |x: f64, m: u32| Float::with_val(300, wide(x).pow(m));
                    truth += ways * powers(p, k) * powers(1.0 - p, n - k);
                    if k % 7 > 1 && k + 3 < n {
                        continue;
                    }
                    let found = tail_upper(n.into(), k.into(), p);
                    let (exact, mean) = (truth.to_f64(), f64::from(n) * p);
                    let far = mean - f64::from(k) > 10.0 + 5.0 * f64::from(n).sqrt();
                    let most = if far {
                        1.0
                    } else {
                        exact * (1.0 + 3.0 * MARGIN)
                    };
                    assert!(
                        (exact < 1e-290 || found >= exact) && found <= most.max(1e-280),
                        "{k} of {n} at {p}: {found}, {exact}"
                    );
                }
            }
        }
        // Beyond what the sum of all masses can do: a mean of 2³¹, whose deviation is 2¹⁵.
        let at = |k: u64| tail_upper(MAX_TRIALS, k, 0.5);
        let half = at(MAX_TRIALS / 2);
        // 1/2 and Φ(−2), each with half of the mass of its first outcome.
        assert!((0.500_006_08..0.5001).contains(&half), "{half}");
        let two = at(MAX_TRIALS / 2 + (1 << 16));
        assert!((0.022_750_95..0.022_753).contains(&two), "{two}");
    }

    /// Masses and tails to the last bit, also where a sum has many terms before it ends.
    #[test]
    fn masses_and_tails_are_what_they_were() {
        let mut found = Vec::new();
        for (n, k, p) in [
            (1 << 20, (1 << 19) + 100, 0.5),
            (1 << 20, (1 << 19) - 900, 0.5),
            (5000, 40, 0.01),
            (300, 290, 0.9),
            (40, 17, 0.3),
            (12, 9, 0.75),
        ] {
            found.extend([tail_upper(n, k, p), ln_mass(n, k, p)]);
        }
        found.extend([1, 2, 9, 15, 16, 17, 1000].map(stirling_error));
        for (x, y) in [
            (10.0, 12.0),
            (12.0, 10.0),
            (10.0, 12.3),
            (0.5, 9.0),
            (1e6, 1.01e6),
        ] {
            found.push(deviance(x, y));
        }
        steady::holds(
            &found,
            "0.422956438245369 -7.1763368649166495 0.9606933724612148 -8.702215074627176
                0.936376707966442 -3.845797761127948 1.068376163241901e-5 -11.798597113971194
                0.06331287674466342 -3.462170687275618 0.6487786303576216 -1.354394189073339
                0.08106146679532733 0.041340695955409235 0.009255462182711227
                0.005554733551960567 0.005207655919597498 0.004901395948427694
                8.333333055555635e-5 0.1767844320604537 0.18785868152745552 0.2298583061567392
                7.054814121051917 49.66914683191714",
        );
    }
}
