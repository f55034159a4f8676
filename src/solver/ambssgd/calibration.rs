//! The noise multiplier α of Algorithms 1 and 2 for a budget, and the budget that an α spends. Neighbours:
//! one of N records is replaced. Every ε is rounded up, every α too.

use super::Ranges;
use crate::accounting::gaussian::{self, Gaussian};
use crate::accounting::{AccountError, Event};
use crate::accounting::{root, shuffle};
use crate::units::{Delta, Epsilon, OutOfDomain, Sensitivity, StdDev, fraction};

/// How a budget becomes the multiplier of DP-AMBSSGD.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calibration {
    /// α = 2√(log(1/δ)+ε)/ε: Theorem 3.6, first form, which the ledger proves (`ambssgd-thm-3.6-cal`) for the
    /// printed ranges, and all the more for disjoint ones.
    Printed,
    /// The exact Gaussian profile. DP-STAT's m counts are together a Gaussian mechanism of sensitivity √m and
    /// deviation √m·α, the gradient one of ratio 1/α, so that a record in both costs μ = √2/α and a
    /// record in one of them μ = 1/α (adaptive composition, Dong, Roth and Su 2022). The default.
    Tight,
}

/// Why there is no multiplier.
#[derive(Debug, thiserror::Error)]
pub enum CalibrationError {
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// The accountant refuses.
    #[error(transparent)]
    Account(#[from] AccountError),
}

impl Calibration {
    /// The multiplier α with which DP-AMBSSGD's releases are (ε, δ)-private, rounded up.
    ///
    /// # Errors
    /// Unless ε > 0 and 0 < δ < 1.
    pub fn multiplier(
        self,
        epsilon: Epsilon,
        delta: Delta,
        ranges: Ranges,
    ) -> Result<f64, CalibrationError> {
        positive(epsilon)?;
        fraction("delta", delta.get())?;
        match self {
            Self::Printed => {
                //= ambssgd-thm-3.6-cal
                //= ambssgd-thm-3.6-zcdp, ambssgd-conv-zcdp
                let (e, log) = (epsilon.get(), -libm::log(delta.get()));
                // Five roundings, each within 2⁻⁵² of exact.
                Ok(2.0 * (log + e).sqrt() / e * (1.0 + 8.0 * f64::EPSILON))
            }
            Self::Tight => {
                //= ambssgd-thm-3.6-sens
                //= ambssgd-lem-3.10-sens
                let ratio = sensitivity(reads(ranges).sqrt().next_up())?;
                Ok(gaussian::calibrate_sigma(ratio, epsilon, delta)?.hi)
            }
        }
    }
}

/// The ε at δ that DP-AMBSSGD's releases spend at multiplier α, rounded up.
///
/// ```
/// use dp_assay::solver::ambssgd::Ranges;
/// use dp_assay::solver::ambssgd::calibration::{Calibration, adaptive_epsilon_upper};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let tight = Calibration::Tight.multiplier(epsilon, delta, Ranges::Disjoint)?;
/// assert!(tight < Calibration::Printed.multiplier(epsilon, delta, Ranges::Disjoint)?);
/// assert!(adaptive_epsilon_upper(tight, Ranges::Disjoint, delta)? < 1.0 + 1e-6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If α is not > 0, or δ is 0.
pub fn adaptive_epsilon_upper(
    multiplier: f64,
    ranges: Ranges,
    delta: Delta,
) -> Result<f64, AccountError> {
    let ratio = sensitivity(reads(ranges).sqrt().next_up())?;
    Ok(Gaussian::new(ratio, deviation(multiplier)?)
        .epsilon(delta)?
        .hi)
}

/// What DP-AMBSSGD's releases at multiplier α are to an accountant: a record meets one step, and in it DP-STAT, the
/// gradient, or both, each of which is at most as telling as N(0, α²) on a sensitivity of 1.
#[must_use]
pub fn event(multiplier: f64, ranges: Ranges) -> Event {
    let event = Event::Gaussian {
        sigma: multiplier,
        sensitivity: 1.0,
    };
    Event::Repeated {
        times: reads(ranges) as u64,
        event: Box::new(event),
    }
}

/// How many of the two mechanisms of a step read one record at most.
const fn reads(ranges: Ranges) -> f64 {
    //= ambssgd-thm-3.6-comp
    match ranges {
        Ranges::Printed => 2.0,
        Ranges::Disjoint => 1.0,
    }
}

/// What DP-SSGD's releases spend on N records in a uniformly random order: the better of two bounds.
///
/// Without the shuffle, a record enters one step only: the Gaussian mechanism of ratio 1/α. With it, each step
/// is an (ε₀, δ₀)-private local randomiser for every pair on its exact profile, and by Feldman, McMillan
/// and Talwar 2021, Theorem 3.8, the releases are (ε, δ' + (e^ε + 1)(1 + e^{−ε₀}/2)Nδ₀)-private, where
/// (ε, δ') is the shuffling of N exactly ε₀-private randomisers ([`shuffle::clones_epsilon`]). δ' takes half
/// of δ, and the best ε₀ of a grid is taken. The paper prints no constants (`ambssgd-thm-3.1`), these are.
///
/// ```
/// use dp_assay::solver::ambssgd::calibration::ShuffledBudget;
/// use dp_assay::units::{Delta, Epsilon};
///
/// let budget = ShuffledBudget::new(100, Delta::new(1e-6)?)?;
/// let multiplier = budget.multiplier(Epsilon::new(1.0)?)?;
/// assert!(budget.epsilon_upper(multiplier)? <= 1.0 + 1e-6);
/// assert!(ShuffledBudget::new(0, Delta::new(1e-6)?).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ShuffledBudget {
    records: u64,
    delta: Delta,
    /// (ε₀, ε).
    amplified: Vec<(Epsilon, f64)>,
}

impl ShuffledBudget {
    /// For N records at δ.
    ///
    /// # Errors
    /// Unless N ≥ 1 and 0 < δ < 1.
    pub fn new(records: u64, delta: Delta) -> Result<Self, CalibrationError> {
        fraction("delta", delta.get())?;
        OutOfDomain::unless(records > 0, "number of records", 0.0, "at least 1")?;
        let half = Delta::new(0.5 * delta.get()).map_err(AccountError::from)?;
        let mut amplified = Vec::new();
        for k in 1..=24 {
            let local = Epsilon::new(0.25 * f64::from(k)).map_err(AccountError::from)?;
            amplified.push((local, shuffle::clones_epsilon(local, records, half)?.hi));
        }
        Ok(Self {
            records,
            delta,
            amplified,
        })
    }

    /// The ε that multiplier α spends, rounded up.
    ///
    /// # Errors
    /// If α is not > 0.
    pub fn epsilon_upper(&self, multiplier: f64) -> Result<f64, AccountError> {
        //= ambssgd-lem-A.1-sens
        let step = Gaussian::new(sensitivity(1.0)?, deviation(multiplier)?);
        let plain = step.epsilon(self.delta)?.hi;
        //= ambssgd-thm-3.1
        let admitted = self.amplified.iter().filter(|(local, epsilon)| {
            // Eight roundings, each within 2⁻⁵¹ of exact.
            let leaked = (libm::exp(*epsilon) + 1.0)
                * (1.0 + 0.5 * libm::exp(-local.get()))
                * self.records as f64
                * step.delta(*local).hi
                * (1.0 + 32.0 * f64::EPSILON);
            leaked <= 0.5 * self.delta.get()
        });
        Ok(admitted.map(|(_, epsilon)| *epsilon).fold(plain, f64::min))
    }

    /// What the releases at multiplier α are to an accountant: a record's own step alone, or, where shuffling says more,
    /// an (ε, δ)-private mechanism.
    ///
    /// # Errors
    /// As [`Self::epsilon_upper`].
    pub fn event(&self, multiplier: f64) -> Result<Event, AccountError> {
        let step = Gaussian::new(sensitivity(1.0)?, deviation(multiplier)?);
        let (epsilon, delta) = (self.epsilon_upper(multiplier)?, self.delta.get());
        Ok(match epsilon < step.epsilon(self.delta)?.hi {
            true => Event::Approximate { epsilon, delta },
            false => Event::Gaussian {
                sigma: multiplier,
                sensitivity: 1.0,
            },
        })
    }

    /// The multiplier α with which the releases are (ε, δ)-private: within 10⁻⁹, relative, of the least that
    /// [`Self::epsilon_upper`] admits, and on the safe side.
    ///
    /// # Errors
    /// Unless ε > 0.
    pub fn multiplier(&self, epsilon: Epsilon) -> Result<f64, CalibrationError> {
        positive(epsilon)?;
        let high = gaussian::calibrate_sigma(sensitivity(1.0)?, epsilon, self.delta)?.hi;
        let spends =
            |multiplier| Ok::<_, CalibrationError>(self.epsilon_upper(multiplier)? > epsilon.get());
        Ok(root::try_bisect(0.0, high, 1e-9, spends)?.1)
    }
}

fn positive(epsilon: Epsilon) -> Result<(), OutOfDomain> {
    OutOfDomain::unless(epsilon.get() > 0.0, "epsilon", epsilon.get(), "> 0")
}

fn sensitivity(value: f64) -> Result<Sensitivity, AccountError> {
    Sensitivity::new(value).map_err(AccountError::from)
}

fn deviation(multiplier: f64) -> Result<StdDev, AccountError> {
    StdDev::new(multiplier).map_err(AccountError::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rug::Float;

    #[test]
    fn the_printed_multiplier_is_rounded_up() {
        for j in 1..200 {
            let (e, d) = (0.037 * f64::from(j), 10f64.powf(-0.05 * f64::from(j)));
            let (epsilon, delta) = (
                Epsilon::new(e).expect("in range"),
                Delta::new(d).expect("in range"),
            );
            let found = Calibration::Printed.multiplier(epsilon, delta, Ranges::Printed);
            let wide = |x: f64| Float::with_val(200, x);
            let truth: Float = (wide(e) - wide(d).ln()).sqrt() * 2 / wide(e);
            let found = found.expect("positive");
            let close = truth.to_f64() * (1.0 + 1e-14);
            assert!(found >= truth && found <= close, "{e}, {d}: {found}");
        }
    }
}
