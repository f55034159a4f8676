//! The discrete Gaussian mechanism (Canonne, Kamath and Steinke 2020).
//!
//! Noise on the integers with P\[k\] = e^(−k²/(2σ²))/θ, θ the sum over all integers. For an integer
//! query of sensitivity Δ the worst pair is the noise against its translate by Δ, the same in both
//! orders; the loss (Δ² − 2kΔ)/(2σ²) falls with k, so the best event is a tail:
//!
//! ```text
//! δ(ε) = max over integers m of T(m) − e^ε T(m + Δ),   T(m) = P[noise ≥ m],
//! ```
//!
//! attained at m = ⌊εσ²/Δ − Δ/2⌋ + 1.

use super::error::{PrivacyError, require};
use super::notion::{Profile, RenyiCurve, Zcdp};
use crate::arith::{Interval, Rational};
use rug::Integer;

/// The discrete Gaussian mechanism.
#[derive(Clone, Debug)]
pub struct DiscreteGaussian {
    variance: Rational,
    sensitivity: u32,
    theta: Interval,
}

impl DiscreteGaussian {
    /// Largest variance for which the sums are evaluated term by term.
    pub const LARGEST_VARIANCE: u32 = 100_000_000;

    /// Noise parameter σ² = `variance` on an integer query of sensitivity Δ = `sensitivity` ≥ 1.
    ///
    /// # Errors
    /// When σ² is not in (0, 10⁸\] or Δ = 0.
    pub fn new(variance: &Rational, sensitivity: u32) -> Result<Self, PrivacyError> {
        let inside = *variance > 0 && *variance <= Self::LARGEST_VARIANCE;
        require(inside, "variance", variance, "must lie in (0, 10^8]")?;
        require(
            sensitivity >= 1,
            "sensitivity",
            &sensitivity,
            "must be >= 1",
        )?;
        let mut this = Self {
            variance: variance.clone(),
            sensitivity,
            theta: Interval::from(1),
        };
        // θ = 1 + 2 Σ_{k ≥ 1}.
        let positive = this.upper_sum(&Integer::from(1));
        this.theta = &Interval::from(1) + &(&Interval::from(2) * &positive);
        Ok(this)
    }

    /// P\[noise ≥ m\].
    #[must_use]
    pub fn tail(&self, m: &Integer) -> Interval {
        if *m > 0 {
            &self.upper_sum(m) / &self.theta
        } else {
            let other = self.upper_sum(&Integer::from(1 - m));
            &Interval::from(1) - &(&other / &self.theta)
        }
    }

    /// P\[noise = k\].
    #[must_use]
    pub fn mass(&self, k: &Integer) -> Interval {
        &self.weight(k) / &self.theta
    }

    /// Σ_{k ≥ m} e^(−k²/(2σ²)) for m ≥ 1, term by term until they are negligible.
    fn upper_sum(&self, m: &Integer) -> Interval {
        let first = self.weight(m);
        let tiny = &first * &Interval::power_of_two(-140);
        let mut sum = Interval::from(0);
        let mut k = m.clone();
        let mut term = first;
        while !term.certainly_le(&tiny) {
            sum = &sum + &term;
            k += 1;
            term = self.weight(&k);
        }
        &sum + &Interval::from(0).hull(&self.rest(&k))
    }

    /// At least the sum from k ≥ 0 on: its terms fall by e^(−(2k+1)/(2σ²)) or more, as a geometric series.
    fn rest(&self, k: &Integer) -> Interval {
        let steps = Rational::from(Integer::from(k * 2u32) + 1u32) / &self.variance / 2;
        let ratio = (-Interval::from_rational(&steps)).exp();
        &self.weight(k) / &(&Interval::from(1) - &ratio)
    }

    fn weight(&self, k: &Integer) -> Interval {
        let exponent = Rational::from(Integer::from(k * k)) / &self.variance / 2;
        (-Interval::from_rational(&exponent)).exp()
    }

    /// The candidates for the best m when ε is a point up to rounding: all integers from the floor of
    /// the lower end to one past the floor of the upper end.
    fn delta_at(&self, epsilon: &Interval) -> Interval {
        let shift = Interval::from(i64::from(self.sensitivity));
        let variance = Interval::from_rational(&self.variance);
        let threshold = &(&(epsilon * &variance) / &shift) - &(&shift / &Interval::from(2));
        let (Some(lo), Some(hi)) = (
            threshold.lo().clone().floor().to_integer(),
            threshold.hi().clone().floor().to_integer(),
        ) else {
            return Interval::from(0).hull(&Interval::from(1));
        };
        if Integer::from(&hi - &lo) > 4 {
            return Interval::from(0).hull(&Interval::from(1));
        }
        let weight = epsilon.exp();
        let mut best = Interval::from(0);
        let mut m = lo;
        while m <= hi {
            m += 1;
            let other = self.tail(&Integer::from(&m + self.sensitivity));
            best = best.max(&(&self.tail(&m) - &(&weight * &other)));
        }
        best
    }
}

impl Profile for DiscreteGaussian {
    fn delta(&self, epsilon: &Interval) -> Interval {
        super::solve::decreasing(epsilon, |e| self.delta_at(e))
    }
}

/// (Δ²/(2σ²))-zCDP (Canonne, Kamath and Steinke 2020, Theorem 4): an upper bound of the curve.
impl From<&DiscreteGaussian> for Zcdp {
    fn from(noise: &DiscreteGaussian) -> Self {
        let square = Rational::from(u64::from(noise.sensitivity).pow(2));
        Self {
            rho: Interval::from_rational(&(square / &noise.variance / 2)),
        }
    }
}

impl RenyiCurve for DiscreteGaussian {
    fn rdp(&self, alpha: &Interval) -> Interval {
        Zcdp::from(self).rdp(alpha)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tails on both sides of 0 add up, and differ by the mass between.
    #[test]
    fn tails_and_masses_are_of_one_symmetric_law() {
        for variance in [(1, 4), (3, 1), (50, 1)].map(Rational::from) {
            let noise = DiscreteGaussian::new(&variance, 1).expect("in range");
            for m in (-9..10).map(Integer::from) {
                let (next, other) = (Integer::from(&m + 1u32), Integer::from(1 - &m));
                let tail = noise.tail(&m);
                let whole = &tail + &noise.tail(&other);
                assert!(whole.contains(1.0), "{variance}, {m}: {whole}");
                let (mass, step) = (noise.mass(&m), &tail - &noise.tail(&next));
                assert!(
                    mass.intersect(&step).is_some(),
                    "{variance}, {m}: {mass}, {step}"
                );
                assert!(
                    tail.width() < 1e-30 * tail.hi_f64(),
                    "{variance}, {m}: {tail}"
                );
            }
        }
    }

    /// w/(1 − w'/w) for neighbouring weights w and w', which is no less than all of them.
    #[test]
    fn what_is_left_of_a_sum_is_less_than_a_geometric_series() {
        for variance in [(1, 4), (3, 1), (50, 1)].map(Rational::from) {
            let noise = DiscreteGaussian::new(&variance, 1).expect("in range");
            for k in 1..9 {
                let [w, next] = [k, k + 1].map(|k| noise.weight(&Integer::from(k)));
                let (series, rest) = (&w.square() / &(&w - &next), noise.rest(&Integer::from(k)));
                assert!(rest.intersect(&series).is_some(), "{variance}, {k}: {rest}");
                assert!(rest.width() < 1e-30, "{variance}, {k}: {rest}");
                let all = noise.upper_sum(&Integer::from(k));
                assert!(all.certainly_lt(&rest), "{variance}, {k}: {all}, {rest}");
            }
        }
    }

    /// ρ = Δ²/(2σ²), and ρα at every order.
    #[test]
    fn its_curve_is_that_of_the_gaussian() {
        let noise = DiscreteGaussian::new(&Rational::from((3, 2)), 3).expect("in range");
        let third = |n: i64| &Interval::from(n) / &Interval::from(3);
        assert!(Zcdp::from(&noise).rho.contains(3.0));
        assert!(noise.rdp(&third(5)).contains(5.0));
        for (variance, sensitivity, told) in [
            ((0, 1), 1, "variance = 0 must lie in (0, 10^8]"),
            ((-1, 2), 1, "variance = -1/2 must lie in (0, 10^8]"),
            (
                (100_000_001, 1),
                1,
                "variance = 100000001 must lie in (0, 10^8]",
            ),
            ((1, 1), 0, "sensitivity = 0 must be >= 1"),
        ] {
            let error = DiscreteGaussian::new(&Rational::from(variance), sensitivity);
            assert_eq!(error.expect_err("out of range").to_string(), told);
        }
    }

    /// Over a range of ε that has five best tails δ is enclosed, over one that has more nothing is said.
    #[test]
    fn few_candidates_are_tried() {
        let noise = DiscreteGaussian::new(&Rational::from(1), 1).expect("in range");
        let at = |lo: f64, hi: f64| noise.delta_at(&Interval::between(lo, hi));
        assert!(at(0.5, 4.5).hi_f64() < 0.5, "{}", at(0.5, 4.5));
        assert_eq!(at(0.5, 5.5), Interval::between(0.0, 1.0));
        assert_eq!(at(0.5, f64::INFINITY), Interval::between(0.0, 1.0));
    }

    /// δ(ε) is the sum of what exceeds e^ε times the translate's mass, and is known closely wherever it is asked.
    #[test]
    fn the_best_event_is_a_tail() {
        for (variance, shift) in [((1, 4), 1), ((3, 1), 1), ((3, 1), 2), ((20, 1), 5)] {
            let noise = DiscreteGaussian::new(&Rational::from(variance), shift).expect("in range");
            for epsilon in [0.0, 0.1, 0.77, 1.5, 4.0] {
                let epsilon = Interval::from_f64(epsilon);
                let weight = epsilon.exp();
                let excess = |k: i32| {
                    let other =
                        noise.mass(&Integer::from(k + i32::try_from(shift).expect("small")));
                    (&noise.mass(&Integer::from(k)) - &(&weight * &other)).max(&Interval::from(0))
                };
                let truth: Interval = (-80..80).map(excess).sum();
                let found = noise.delta(&epsilon);
                assert!(
                    (found.hi_f64() - truth.hi_f64()).abs() < 1e-20,
                    "{variance:?}, {epsilon}: {found}, {truth}"
                );
                assert!(found.width() < 1e-25, "{found}");
            }
        }
    }
}
