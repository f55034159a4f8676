//! Two-sided bounds on a pair's privacy profile, for mechanisms whose density is known.
//!
//! Let ℓ(y) = ln(p_D(y)/p_{D′}(y)) be computable for every output y (for a transcript: the sum over
//! its releases). The profile of the pair is
//!
//! ```text
//! δ(ε) = sup_S (P[M(D) ∈ S] − e^ε P[M(D′) ∈ S]) = E_{Y ~ M(D)} (1 − e^{ε − ℓ(Y)})⁺,
//! ```
//!
//! the mean of a variable in \[0, 1\]. So n runs on D alone enclose it, from both sides; no other
//! audit bounds a privacy loss from above. The other direction is the same with −ℓ on D′.
//!
//! **Statement.** With mean m̂ and sample variance v̂ of n independent variables in \[0, 1\],
//! |m̂ − E| ≤ √(2 v̂ L/n) + 7L/(3(n − 1)), L = ln(4/α), except with probability α (A. Maurer and
//! M. Pontil, "Empirical Bernstein bounds and sample variance penalization", COLT 2009, Theorem 4
//! at error α/2 for each side). A second bound, Hoeffding's √(ln(4/α)/(2n)), is tighter where the
//! variance is large; the better of the two costs half the error each: L = ln(8/α) in both.
//!
//! **Rounding.** (1 − e^{ε − ℓ})⁺ moves by no more than ℓ does: a likelihood ratio that is right to η
//! puts every bound on δ right to η.
//!
//! It bounds the pair, not the mechanism: the supremum over pairs is a theorem's business.
//!
//! ```
//! use dp_assay::audit::DrawError;
//! use dp_assay::audit::likelihood::{LikelihoodRatio, LossSample};
//! use dp_assay::mechanism::tape::{Purpose, Tape};
//! use dp_assay::units::Epsilon;
//!
//! /// Laplace noise of scale 1 on 0 and on 1: 1-private.
//! struct Laplace;
//!
//! impl LikelihoodRatio for Laplace {
//!     fn name(&self) -> String {
//!         "Laplace".into()
//!     }
//!     fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
//!         let y = f64::from(!on_first) + tape.uniform(0, Purpose::Release, 0).laplace();
//!         Ok((y - 1.0).abs() - y.abs())
//!     }
//! }
//!
//! let losses = LossSample::draw(&Laplace, 2000, 1)?;
//! assert!(losses.delta(Epsilon::new(1.0)?, 1e-3).delta_upper < 0.05); // it is 0
//! assert!(losses.delta(Epsilon::new(0.0)?, 1e-3).delta_lower > 0.2); // it is 0.39
//! let (lower, upper) = losses.epsilon(0.1, 1.0, 10, 1e-3)?;
//! assert!(lower <= upper && upper <= 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::audit::mechanism::SIDE_BIT;
use crate::audit::{AuditError, DrawError};
use crate::mechanism::tape::Tape;
use crate::units::{Epsilon, UnitError};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// A mechanism on one pair of neighbours, by the logarithm of its likelihood ratio.
pub trait LikelihoodRatio: Sync {
    /// A short name for reports.
    fn name(&self) -> String;

    /// ln of the density at a random output on D over that on D′; the output is drawn with the
    /// noise of `tape`, on D if `on_first`, else on D′. Infinite where one of them is 0.
    ///
    /// # Errors
    /// When the mechanism could not be run.
    fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError>;
}

/// Bounds on δ at one ε, right at once for both directions except with probability `alpha`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProfilePoint {
    /// The ε.
    pub epsilon: f64,
    /// Lower bound on the pair's δ.
    pub delta_lower: f64,
    /// Upper bound on the pair's δ.
    pub delta_upper: f64,
}

/// A sample of privacy losses, in ascending order: of ℓ on D, and of −ℓ on D′.
#[derive(Clone, Debug, PartialEq)]
pub struct LossSample {
    directions: [Vec<f64>; 2],
}

impl LossSample {
    /// Draws `samples` losses in each direction.
    ///
    /// # Errors
    /// When the mechanism cannot be run, a loss is NaN, or `samples` is below 2.
    pub fn draw<M: LikelihoodRatio>(
        mechanism: &M,
        samples: u64,
        seed: u64,
    ) -> Result<Self, AuditError> {
        if samples < 2 {
            return Err(AuditError::Unit(UnitError {
                quantity: "samples",
                value: samples as f64,
                rule: "must be at least 2",
            }));
        }
        let one_direction = |on_first: bool| -> Result<Vec<f64>, DrawError> {
            let base = u64::from(!on_first) << SIDE_BIT;
            let draw = |trial: u64| {
                let tape = Tape::new(seed).trial(base + trial);
                let ratio = mechanism.draw(on_first, tape)?;
                if ratio.is_nan() {
                    let reason = "the likelihood ratio is NaN".to_owned();
                    return Err(DrawError::new(mechanism.name(), base + trial, reason));
                }
                Ok(if on_first { ratio } else { -ratio })
            };
            let mut losses: Vec<f64> = (0..samples)
                .into_par_iter()
                .map(draw)
                .collect::<Result<_, _>>()?;
            losses.par_sort_unstable_by(f64::total_cmp);
            Ok(losses)
        };
        Ok(Self {
            directions: [one_direction(true)?, one_direction(false)?],
        })
    }

    /// Bounds on the pair's δ at `epsilon`, the larger of the two directions.
    ///
    /// # Panics
    /// If `alpha` is not in (0, 1).
    #[must_use]
    pub fn delta(&self, epsilon: Epsilon, alpha: f64) -> ProfilePoint {
        assert!(
            alpha > 0.0 && alpha < 1.0,
            "alpha = {alpha} is not in (0, 1)"
        );
        let bounds = |losses: &Vec<f64>| {
            let excess = |loss: &f64| (1.0 - (epsilon.get() - loss).exp()).max(0.0);
            enclose(losses.iter().map(excess), losses.len(), alpha / 2.0)
        };
        let [a, b] = [bounds(&self.directions[0]), bounds(&self.directions[1])];
        ProfilePoint {
            epsilon: epsilon.get(),
            delta_lower: a.0.max(b.0),
            delta_upper: a.1.max(b.1),
        }
    }

    /// Bounds on the pair's ε at `delta`: the profile is non-increasing, so that a lower bound on
    /// it above `delta` shows ε to be larger, and an upper bound below `delta` to be smaller. Searched
    /// on `steps` equal steps up to `highest`, all of which are bounded at once.
    ///
    /// # Errors
    /// When `highest` is no ε or `steps` is 0.
    pub fn epsilon(
        &self,
        delta: f64,
        highest: f64,
        steps: u32,
        alpha: f64,
    ) -> Result<(f64, f64), AuditError> {
        let highest = Epsilon::new(highest)?.get();
        if steps == 0 {
            return Err(AuditError::Unit(UnitError {
                quantity: "steps",
                value: 0.0,
                rule: "must be at least 1",
            }));
        }
        let each = alpha / f64::from(steps + 1);
        let (mut lower, mut upper) = (0.0, f64::INFINITY);
        for step in 0..=steps {
            let epsilon = Epsilon::new(highest * f64::from(step) / f64::from(steps))?;
            let point = self.delta(epsilon, each);
            if point.delta_lower > delta {
                lower = epsilon.get();
            }
            if point.delta_upper <= delta && upper == f64::INFINITY {
                upper = epsilon.get();
            }
        }
        Ok((lower, upper))
    }
}

/// Bounds on the mean of independent variables in \[0, 1\], wrong with probability at most `alpha`.
fn enclose(values: impl Iterator<Item = f64>, n: usize, alpha: f64) -> (f64, f64) {
    let (mut sum, mut squares) = (0.0, 0.0);
    for value in values {
        sum += value;
        squares += value * value;
    }
    let count = n as f64;
    let mean = sum / count;
    let variance = ((squares - sum * mean) / (count - 1.0)).max(0.0);
    let log = (8.0 / alpha).ln();
    let bernstein = (2.0 * variance * log / count).sqrt() + 7.0 * log / (3.0 * (count - 1.0));
    let hoeffding = (log / (2.0 * count)).sqrt();
    // Each of n additions is right to u of a sum ≤ n: the mean is off by n·2u at most, the variance
    // by 4n·2u, which moves the root by at most √(2·log·4·2u).
    let rounding = count * f64::EPSILON + (8.0 * log * f64::EPSILON).sqrt();
    let width = bernstein.min(hoeffding) + rounding;
    ((mean - width).max(0.0), (mean + width).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;
    use crate::mechanism::tape::Purpose;

    /// Laplace noise of scale 1 on a query that moves by 1.
    struct Laplace;

    impl LikelihoodRatio for Laplace {
        fn name(&self) -> String {
            "laplace".into()
        }

        fn draw(&self, on_first: bool, tape: Tape) -> Result<f64, DrawError> {
            let noise = tape.uniform(0, Purpose::Release, 0).laplace();
            let y = noise + f64::from(!on_first);
            Ok((y - 1.0).abs() - y.abs())
        }
    }

    #[test]
    fn the_profile_of_laplace_is_enclosed_from_both_sides() {
        // δ(ε) = 1 − e^{(ε − 1)/2} for ε ≤ 1; error 1e-9 in all.
        let losses = LossSample::draw(&Laplace, 100_000, 5).expect("a mechanism that runs");
        for epsilon in [0.0, 0.25, 0.5, 0.9] {
            let truth = 1.0 - ((epsilon - 1.0) / 2.0_f64).exp();
            let point = losses.delta(Epsilon::new(epsilon).expect("an epsilon"), 2e-10);
            assert!(
                point.delta_lower <= truth && truth <= point.delta_upper,
                "{point:?}"
            );
            assert!(point.delta_upper - point.delta_lower < 0.02, "{point:?}");
        }
        let beyond = losses.delta(Epsilon::new(1.0).expect("an epsilon"), 2e-10);
        assert!(
            beyond.delta_upper < 1e-3 && beyond.delta_lower == 0.0,
            "{beyond:?}"
        );
        let (lower, upper) = losses.epsilon(0.1, 2.0, 100, 1e-9).expect("a grid");
        let truth = 1.0 + 2.0 * 0.9_f64.ln();
        assert!(
            lower <= truth && truth <= upper && upper - lower < 0.1,
            "{lower} {upper}"
        );
    }

    /// The interval of 300 ones among 1,000 zeros and ones, and of values that do not vary, from the bounds of Maurer and Pontil
    /// and of Hoeffding as they stand in the literature, each of whose four sides may fail with an eighth of the error on two sides.
    #[test]
    fn means_are_enclosed_by_the_narrower_of_two_bounds() {
        let values = |ones: usize| (0..1000).map(move |i| f64::from(u8::from(i < ones)));
        let log = (8.0_f64 / 0.05).ln();
        let near =
            |found: f64, truth: f64| assert!((found - truth).abs() < 1e-6, "{found}, {truth}");
        let hoeffding = (log / 2000.0).sqrt();
        let (lower, upper) = enclose(values(300), 1000, 0.05);
        near(lower, 0.3 - hoeffding);
        near(upper, 0.3 + hoeffding);
        // Three ones: s² = 3·997/(1000·999).
        let variance: f64 = 3.0 * 997.0 / (1000.0 * 999.0);
        let bernstein = (2.0 * variance * log / 1000.0).sqrt() + 7.0 * log / (3.0 * 999.0);
        assert!(bernstein < hoeffding);
        let (lower, upper) = enclose(values(3), 1000, 0.05);
        near(lower, 0.0);
        near(upper, 0.003 + bernstein);
    }

    /// The two directions share the error: each has half of it.
    #[test]
    fn a_profile_has_its_error_once() {
        let losses = LossSample::draw(&Apart(f64::INFINITY), 10_000, 1).expect("losses");
        let found = losses.delta(Epsilon::new(1.0).expect("an epsilon"), 0.05);
        let log = (8.0_f64 / 0.025).ln();
        let truth = 1.0 - 7.0 * log / (3.0 * 9999.0);
        assert!(
            (found.delta_lower - truth).abs() < 1e-6,
            "{found:?}, {truth}"
        );
    }

    /// Outputs that tell the inputs apart for sure, by their loss.
    struct Apart(f64);

    impl LikelihoodRatio for Apart {
        fn name(&self) -> String {
            "apart".into()
        }

        fn draw(&self, on_first: bool, _: Tape) -> Result<f64, DrawError> {
            Ok(if on_first { self.0 } else { -self.0 })
        }
    }

    #[test]
    fn infinite_losses_are_losses_and_one_that_is_no_number_is_an_error() {
        let losses = LossSample::draw(&Apart(f64::INFINITY), 10_000, 1).expect("losses");
        let point = losses.delta(Epsilon::new(700.0).expect("an epsilon"), 1e-6);
        assert!(
            point.delta_lower > 0.99 && point.delta_upper == 1.0,
            "{point:?}"
        );
        let never = LossSample::draw(&Apart(f64::NEG_INFINITY), 10_000, 1).expect("losses");
        let point = never.delta(Epsilon::new(0.0).expect("an epsilon"), 1e-6);
        assert!(
            point.delta_lower == 0.0 && point.delta_upper < 0.01,
            "{point:?}"
        );
        let error = LossSample::draw(&Apart(f64::NAN), 10, 1).expect_err("no losses");
        assert!(
            error.to_string().contains("the likelihood ratio is NaN"),
            "{error}"
        );
    }

    /// Bounds to the last bit: the allowance for rounding, of many values and of few, is part of them.
    #[test]
    fn bounds_on_profiles_are_what_they_were() {
        let mut found = Vec::new();
        for (n, alpha) in [(1000, 1e-2), (7, 0.4), (100_000, 1e-9)] {
            for step in [0.5, 1e-3] {
                let (lower, upper) = enclose(
                    (0..n).map(|i| f64::from(i % 3) * step / 2.0),
                    n as usize,
                    alpha,
                );
                found.extend([lower, upper]);
            }
        }
        let losses = LossSample::draw(&Laplace, 300, 5).expect("a mechanism that runs");
        for epsilon in [0.0, 0.3] {
            let point = losses.delta(Epsilon::new(epsilon).expect("an epsilon"), 0.1);
            found.extend([point.epsilon, point.delta_lower, point.delta_upper]);
        }
        let (lower, upper) = losses.epsilon(0.2, 1.5, 7, 0.2).expect("a grid");
        found.extend([lower, upper]);
        steady::holds(
            &found,
            "0.21051722840668505 0.288982771593315 0.0 0.01615988861868238 0.0
                0.6768664576933965 0.0 0.4630093148362536 0.24510603979710965
                0.25488896020289037 0.0 0.0010409831563037955 0.0 0.33295528264785934
                0.5148190214596245 0.3 0.23984661995702605 0.403950937993208 0.21428571428571427
                0.8571428571428571",
        );
    }
}
