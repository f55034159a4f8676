//! Privacy amplification by shuffling n reports of ε₀-DP local randomisers, replace-one neighbours.
//!
//! ```
//! use dp_assay::accounting::shuffle::{clones_epsilon, closed_form_epsilon_upper};
//! use dp_assay::units::{Delta, Epsilon};
//!
//! // 10⁴ reports of ε₀ = 1 nat each: shuffled, at δ = 10⁻⁶, a quarter is left at most.
//! let (local, delta) = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
//! let closed = closed_form_epsilon_upper(local, 10_000, delta)?;
//! assert!(closed < 0.25);
//! assert!(clones_epsilon(local, 10_000, delta)?.hi < closed);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::root;
use super::{AccountError, Claims};
use crate::float::elementary::{exp, exp_m1};
use crate::float::{Double, Enclosure, U};
use crate::units::{Delta, Epsilon};

/// Upper bound ln(1 + (e^{ε₀}−1)/(e^{ε₀}+1)·(8√(e^{ε₀}ln(4/δ)/n) + 8e^{ε₀}/n)), never above ε₀ (Feldman,
/// McMillan and Talwar 2021, Theorem 3.1), for ε₀ ≤ ln(n/(16 ln(2/δ))).
///
/// # Errors
/// ε₀ too large for n and δ; δ = 0.
pub fn closed_form_epsilon_upper(
    local: Epsilon,
    n: u64,
    delta: Delta,
) -> Result<f64, AccountError> {
    let (e, d) = (local.get(), delta.get());
    AccountError::check(d > 0.0, "delta", d, "must be > 0 for shuffling")?;
    let (count, grown) = (Enclosure::from(n), Enclosure::point(e).exp());
    let limit = (count / (16.0 * (2.0 / Enclosure::point(d)).ln())).ln();
    AccountError::check(
        e <= limit.lo,
        "local epsilon",
        e,
        "must be at most ln(n/(16 ln(2/delta)))",
    )?;
    let log = (4.0 / Enclosure::point(d)).ln();
    let spread = 8.0 * (grown * log / count).sqrt() + 8.0 * grown / count;
    let gain = Enclosure::point(e).exp_m1() / (grown + 1.0);
    Ok((gain * spread).ln_1p().hi.min(e))
}

/// Encloses the ε of the clones pair at δ: what the proof of that theorem reduces shuffling to, and
/// hence an upper bound for it (Feldman, McMillan and Talwar 2021, Theorem 3.2).
///
/// C ~ Bin(n−1, e^{−ε₀}) others are clones; given C, the count of one kind is A + Δ against A + 1 − Δ,
/// A ~ Bin(C, ½), Δ ~ Bernoulli(e^{ε₀}/(1+e^{ε₀})). The clones left out of a window around the mean of C
/// count as revealing everything.
///
/// # Errors
/// n = 0 or above 10⁹; δ below 10⁻²⁵⁰.
pub fn clones_epsilon(local: Epsilon, n: u64, delta: Delta) -> Result<Enclosure, AccountError> {
    let (e, d) = (local.get(), delta.get());
    let count = n as f64;
    AccountError::check(
        (1..=1_000_000_000).contains(&n),
        "number of reports",
        count,
        "must lie in [1, 1e9]",
    )?;
    if d >= 1.0 || e == 0.0 {
        return Ok(Enclosure::point(0.0));
    }
    AccountError::check(
        d >= 1e-250,
        "delta",
        d,
        "must be at least 1e-250 for shuffling",
    )?;
    let clones = Clones::new(e, n, 1e-4 * d);
    Ok(root::decreasing(e, d, 1e-10, |epsilon| {
        clones.delta(epsilon)
    }))
}

/// What [`clones_epsilon`] rests on. That [`closed_form_epsilon_upper`] is never less is cited (`ambssgd-thm-A.3-constants`).
#[must_use]
pub fn claims() -> Claims {
    Claims::from("acc-shuffle")
}

/// What shuffling randomisers that are (ε₀, δ₀)-DP, with δ₀ > 0, rests on.
#[must_use]
pub fn approximate_claims() -> Claims {
    claims().and("acc-shuffle-approximate")
}

/// One value of C.
struct Case {
    clones: f64,
    /// P(C).
    share: f64,
    /// Lowest k of the window of Bin(C, ½).
    lowest: f64,
    /// Pr[Bin(C, ½) ≥ k] from there on.
    tail: Vec<f64>,
}

/// The law of C on a window.
struct Clones {
    local: f64,
    alpha: f64,
    /// 1 − α.
    rest: f64,
    cases: Vec<Case>,
    outside: f64,
}

impl Clones {
    fn new(local: f64, n: u64, cut: f64) -> Self {
        let (offset, masses) = binomial(n - 1, exp(-local), cut);
        // Dropped masses are below cut/(n+2) each, for C and within each window.
        let outside = 2.0 * cut;
        let cases = masses.into_iter().enumerate().map(|(i, share)| {
            let (lowest, half) = binomial(offset + i as u64, 0.5, 1e-4 * cut);
            let mut tail = vec![0.0; half.len() + 1];
            for j in (0..half.len()).rev() {
                tail[j] = tail[j + 1] + half[j];
            }
            let clones = (offset + i as u64) as f64;
            Case {
                clones,
                share,
                lowest: lowest as f64,
                tail,
            }
        });
        Self {
            local,
            alpha: 1.0 / (1.0 + exp(-local)),
            rest: exp(-local) / (1.0 + exp(-local)),
            cases: cases.collect(),
            outside,
        }
    }

    /// Given C = c the ratio P/Q at k of m = c+1 is (αk + ᾱ(m−k))/(ᾱk + α(m−k)), increasing in k.
    fn delta(&self, epsilon: f64) -> Enclosure {
        let (a, b, grown) = (self.alpha, self.rest, exp(epsilon));
        // α − e^ε·ᾱ, whose terms are nearly equal where ε is nearly ε₀.
        let gap = -a * exp_m1(epsilon - self.local);
        let (mut sum, mut mass) = (0.0, 0.0);
        for Case {
            clones,
            share,
            lowest,
            tail,
        } in &self.cases
        {
            // αk + ᾱ(m−k) > e^ε(ᾱk + α(m−k)) where m − k < m·(α − e^ε·ᾱ)/((α − ᾱ)(1 + e^ε)).
            let left = (clones + 1.0) * gap / ((a - b) * (1.0 + grown));
            let first = clones + 2.0 - left.ceil();
            let at = |k: f64| -> f64 {
                let j = k - lowest;
                if j <= 0.0 {
                    1.0
                } else {
                    tail.get(j as usize).copied().unwrap_or(0.0)
                }
            };
            // The best threshold is this one, or where rounding has moved it one beside it.
            let beyond = |k: f64| {
                let (near, far) = (at(k - 1.0), at(k));
                let p = a * near + b * far;
                (p - grown * (b * near + a * far), p)
            };
            let best = [first - 1.0, first, first + 1.0].map(beyond);
            let best = best.iter().fold((0.0, 0.0), |most: (f64, f64), found| {
                (most.0.max(found.0), most.1.max(found.1))
            });
            sum += share * best.0;
            mass += share * best.1;
        }
        // Every weight has relative error 10⁻¹², and e^ε·Q beyond the best threshold is no more than P.
        let error = mass * (4e-12 + 64.0 * U * (1.0 + epsilon));
        Enclosure::new(sum - error, sum + error + self.outside).clamp(0.0, 1.0)
    }
}

/// (first, masses) of Bin(n, p) on the window where a mass exceeds `cut` over n of the largest; from
/// the mode outwards in double-double, normalised: relative error below 10⁻¹².
fn binomial(n: u64, p: f64, cut: f64) -> (u64, Vec<f64>) {
    let odds = Double::new(p) / (Double::new(1.0) - Double::new(p));
    let mode = ((n as f64 + 1.0) * p).floor().min(n as f64) as u64;
    let threshold = cut / (n as f64 + 2.0);
    let mut below = Vec::new();
    let (mut weight, mut k) = (Double::new(1.0), mode);
    while k > 0 && weight.hi > threshold {
        weight = weight * Double::quotient(k as f64, (n - k + 1) as f64) / odds;
        below.push(weight);
        k -= 1;
    }
    let first = mode - below.len() as u64;
    let mut raw: Vec<Double> = below.into_iter().rev().collect();
    raw.push(Double::new(1.0));
    (weight, k) = (Double::new(1.0), mode);
    while k < n && weight.hi > threshold {
        weight = weight * odds * Double::quotient((n - k) as f64, (k + 1) as f64);
        raw.push(weight);
        k += 1;
    }
    let total = raw.iter().fold(Double::new(0.0), |sum, &w| sum + w);
    (
        first,
        raw.into_iter().map(|w| (w / total).to_f64()).collect(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::steady;
    use super::*;

    #[test]
    fn what_ends_are_made_of_is_what_it_was() {
        let mut found = Vec::new();
        for (local, n, cut) in [(0.5, 30, 1e-9), (2.0, 500, 1e-11), (6.0, 40, 1e-30)] {
            let clones = Clones::new(local, n, cut);
            found.extend([clones.outside, clones.cases.len() as f64]);
            for epsilon in [0.0, 0.1 * local, 0.9 * local] {
                let delta = clones.delta(epsilon);
                found.extend([delta.lo, delta.hi]);
            }
        }
        steady::holds(
            &found,
            "2e-9 30.0 0.04568881879342524 0.04568882079869225 0.025786398329713116
             0.02578640033396711 8.565344803516789e-7 8.585344824985686e-7 2e-11 121.0
             0.07375259118623506 0.07375259121111047 0.014783098497208082 0.014783098519029212
             5.756012957726695e-16 2.0000575601298488e-11 2e-30 18.0 0.9491393643147001
             0.9491393643227133 0.9463331383184249 0.9463331383264467 0.4288227143434611
             0.4288227143515422",
        );
    }

    /// Wherever the least number of heads lies, the threshold is the best one: all thresholds are
    /// tried here.
    #[test]
    fn the_profile_of_clones_is_that_of_the_best_threshold() {
        for (local, n) in [(0.5f64, 6u64), (2.0, 9), (4.0, 3)] {
            let clones = Clones::new(local, n, 1e-14);
            let lie = (-local).exp();
            let choose =
                |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
            let power = |x: f64, n: u64| x.powi(i32::try_from(n).expect("small"));
            for epsilon in [0.0, 0.1 * local, 0.5 * local, 0.95 * local] {
                let mut truth = 0.0;
                for m in 0..n {
                    let share = choose(n - 1, m) * power(lie, m) * power(1.0 - lie, n - 1 - m);
                    let half = |k: i64| match u64::try_from(k) {
                        Ok(k) if k <= m => choose(m, k) * power(0.5, m),
                        _ => 0.0,
                    };
                    let (a, b) = (1.0 / (1.0 + lie), lie / (1.0 + lie));
                    let most = (0..=m as i64 + 1).map(|k| {
                        let p = a * half(k - 1) + b * half(k);
                        let q = b * half(k - 1) + a * half(k);
                        (p - epsilon.exp() * q).max(0.0)
                    });
                    truth += share * most.sum::<f64>();
                }
                let found = clones.delta(epsilon);
                assert!(
                    found.lo <= truth + 1e-15 && truth <= found.hi + 1e-15,
                    "{local}, {n}, {epsilon}: {found:?}, {truth}"
                );
            }
        }
    }

    #[test]
    fn closed_forms_and_ends_are_what_they_were() {
        let mut found = Vec::new();
        for (local, n, delta) in [(1.0, 10_000, 1e-6), (0.1, 500, 0.01), (3.0, 100_000, 1e-9)] {
            let (local, delta) = (Epsilon::new(local), Delta::new(delta));
            let (local, delta) = (local.expect("in range"), delta.expect("a delta"));
            found.push(closed_form_epsilon_upper(local, n, delta).expect("in range"));
        }
        for (local, n, delta) in [(1.0, 40, 1e-6), (3.0, 7, 0.01), (0.0, 7, 0.01)] {
            let (local, delta) = (Epsilon::new(local), Delta::new(delta));
            let (local, delta) = (local.expect("in range"), delta.expect("a delta"));
            let ends = clones_epsilon(local, n, delta).expect("in range");
            found.extend([ends.lo, ends.hi]);
        }
        for (n, p, cut) in [
            (0, 0.3, 1e-9),
            (1, 0.5, 1e-9),
            (50, 0.1, 1e-6),
            (50, 0.9, 1e-12),
        ] {
            let (first, masses) = binomial(n, p, cut);
            found.extend([first as f64, masses.len() as f64, steady::mark(&masses)]);
        }
        steady::holds(
            &found,
            "0.2140256519308385 0.04581115429092972 0.39474350141297765 0.9961998149183398
         0.9962014470947906 2.987710335658194 2.987715230730828 0.0 0.0 0.0 1.0
         4457420139003904.0 0.0 2.0 1704410093200256.0 0.0 22.0 7270279986545255.0 22.0 29.0
         926004390546404.0",
        );
    }

    /// Of reports that lose more than ln(n/(16·ln(2/δ))) each the theorem says nothing.
    #[test]
    fn a_closed_form_ends_where_its_theorem_does() {
        let (n, delta) = (1000, 1e-3);
        let most = (n as f64 / (16.0 * (2.0f64 / delta).ln())).ln();
        let known = |local: f64| {
            let (local, delta) = (Epsilon::new(local), Delta::new(delta));
            let (local, delta) = (local.expect("in range"), delta.expect("a delta"));
            closed_form_epsilon_upper(local, n, delta)
        };
        assert!(known(most * (1.0 - 1e-9)).is_ok());
        let told = known(most * (1.0 + 1e-9)).expect_err("too much");
        assert!(told.to_string().contains("local epsilon"), "{told}");
    }
}
