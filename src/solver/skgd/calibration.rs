//! Noise scales of DP-SkGD for a privacy budget.

use super::config::{Config, check_values};
use super::sampling::{Sampling, SetValues};
use crate::accounting::{AccountError, Event, gaussian};
use crate::problem::Problem;
use crate::solver::ConfigError;
use crate::units::{Delta, Epsilon, Sensitivity};

/// How a budget becomes scales. Replace-one neighbours; the transcript is released.
///
/// Every step is a Gaussian mechanism on I_S∇f, of sensitivity Δ_S, with noise σ_S = zΔ_S for one
/// noise multiplier z; the calibrations differ in z. S is drawn without looking at the data, so the
/// law of the transcript is a mixture of such compositions (skgd-lem-mixture).
///
/// ```
/// use dp_assay::solver::skgd::{Calibration, SetValues};
/// use dp_assay::units::{Delta, Epsilon};
///
/// // Standard deviations for 2·5 steps of sensitivity 0.01.
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let scale = |c: Calibration| Ok::<_, Box<dyn std::error::Error>>(
///     c.scales(budget, (2, 5), &SetValues::Same(0.01))?.numbers()[0],
/// );
/// assert!(scale(Calibration::Tight)? < scale(Calibration::BestOrder)?);
/// assert!(scale(Calibration::BestOrder)? < scale(Calibration::Printed)?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Calibration {
    /// Theorem 4.1 as printed: σ_U² = 12 L_U² KT ln(1/δ)/(n²ε²), ε ≤ 1, δ < 1/3. Proved where σ_S is
    /// read as a standard deviation; see [`super::Reading`].
    Printed,
    /// The same proof without its last step: the order that is best for the budget (ambssgd-conv-zcdp)
    /// in place of the factor 3. z = √(KT/(2ρ)), √ρ = √(ln(1/δ) + ε) − √ln(1/δ); any ε > 0.
    BestOrder,
    /// z = √(KT) σ₁, σ₁ the least noise of one Gaussian mechanism of sensitivity 1 by its exact privacy
    /// profile, to which KT adaptive steps reduce (decor-aux-simulate). No scale is smaller for the
    /// pair W1. The default.
    Tight,
}

/// Why there are no scales.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CalibrationError {
    /// ε outside the calibration's domain.
    #[error("epsilon = {epsilon} must be > 0{}", crate::units::limited(.limit))]
    Epsilon {
        /// The value.
        epsilon: f64,
        /// The largest value covered.
        limit: f64,
    },
    /// δ outside the calibration's domain.
    #[error("delta = {delta} must lie strictly between 0 and {limit}")]
    Delta {
        /// The value.
        delta: f64,
        /// The end of the range covered.
        limit: f64,
    },
    /// K = 0 or T = 0, or values that do not fit the sampling.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A coordinate or set without a finite Lipschitz constant.
    #[error("the {loss} loss has no finite Lipschitz constant: it needs clipping")]
    Unbounded {
        /// The loss.
        loss: &'static str,
    },
    /// Constants computed from the data.
    #[error(
        "the smoothness and Lipschitz constants were computed from the data: step sizes, sampling \
         and noise would reveal them. Give constants known without the data, or state that these \
         are public"
    )]
    DataDerived,
    /// The accountant has no answer.
    #[error(transparent)]
    Account(#[from] AccountError),
}

/// Δ_U = 2L_U/n, or 2C_U/n under clipping: how far I_U∇f moves when one record is replaced. Without
/// clipping L_U² = Σ_{j∈U} L_j². Rounded up; under clipping the rounding of the clipped gradients'
/// norms is added.
///
/// ```
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Sampling, SetValues, sensitivities};
///
/// let problem = four_points();
/// // Every record's gradient is clipped to length 1; n = 4 records: a block's gradient moves by 2/4.
/// let radius = SetValues::Same(1.0);
/// let moved = sensitivities(&problem, &Sampling::full(2)?, Some(&radius))?;
/// assert!((0.5..0.500001).contains(&moved.numbers()[0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If one is infinite, or the radii do not fit the sampling.
pub fn sensitivities(
    problem: &Problem,
    sampling: &Sampling,
    clipping: Option<&SetValues>,
) -> Result<SetValues, CalibrationError> {
    let twice = 2.0 / problem.records() as f64;
    let bounds = match clipping {
        //= skgd-lem-C.1
        None => SetValues::Root(problem.constants().lipschitz().to_vec()),
        Some(radii) => radii.clone(),
    };
    if bounds.numbers().contains(&f64::INFINITY) {
        let loss = problem.loss().name();
        return Err(CalibrationError::Unbounded { loss });
    }
    check_values("Lipschitz constant", &bounds, sampling)?;
    // A norm of s entries rounds at most s + 5 times by 2⁻⁵³ relative, a root-sum value s + 2 times.
    let rounding = 1.0 + (sampling.largest() as f64 + 8.0) * f64::EPSILON;
    //= skgd-lem-3.9
    //= skgd-fact-sens-f
    Ok(bounds.scaled((twice * rounding).next_up()))
}

impl Config {
    /// [`Config::new`] with noise calibrated so that the transcript is (ε, δ)-private under
    /// replacement of one record, clipping at C_U if given.
    ///
    /// # Errors
    /// If the problem's constants were computed from the data and not stated to be public
    /// ([`crate::problem::Constants::stated_public`]), or if budget and constants do not admit the
    /// calibration.
    pub fn calibrated(
        problem: &Problem,
        (inner, outer): (usize, usize),
        sampling: Sampling,
        clipping: Option<SetValues>,
        calibration: Calibration,
        budget: (Epsilon, Delta),
    ) -> Result<Self, CalibrationError> {
        if problem.constants().is_data_derived() {
            return Err(CalibrationError::DataDerived);
        }
        let sensitivities = sensitivities(problem, &sampling, clipping.as_ref())?;
        let noise = calibration.scales(budget, (inner, outer), &sensitivities)?;
        let config = Self::new(problem, (inner, outer), sampling, noise);
        Ok(Self { clipping, ..config })
    }
}

impl Calibration {
    /// The scales σ_U that make K·T steps (ε, δ)-private, for sensitivities Δ_U. Rounded up.
    ///
    /// # Errors
    /// If ε, δ, K or T is outside the calibration's domain.
    pub fn scales(
        self,
        (epsilon, delta): (Epsilon, Delta),
        (inner, outer): (usize, usize),
        sensitivities: &SetValues,
    ) -> Result<SetValues, CalibrationError> {
        let steps = inner.checked_mul(outer).filter(|steps| *steps > 0);
        let steps = steps.ok_or(ConfigError::Length { inner, outer })? as f64;
        let (epsilon_limit, delta_limit) = match self {
            Self::Printed => (1.0, 1.0 / 3.0),
            Self::BestOrder | Self::Tight => (f64::INFINITY, 1.0),
        };
        let (e, d) = (epsilon.get(), delta.get());
        if !(e > 0.0 && e <= epsilon_limit) {
            let (epsilon, limit) = (e, epsilon_limit);
            return Err(CalibrationError::Epsilon { epsilon, limit });
        }
        if !(d > 0.0 && d < delta_limit) {
            let (delta, limit) = (d, delta_limit);
            return Err(CalibrationError::Delta { delta, limit });
        }
        // ln(1/δ) without forming 1/δ, which overflows for subnormal δ.
        let log = -libm::log(d);
        let multiplier = match self {
            //= skgd-thm-4.1
            //= skgd-lem-D.8
            Self::Printed => (3.0 * steps * log).sqrt() / e,
            //= ambssgd-conv-zcdp
            //= skgd-cor-D.5-repaired
            //= skgd-prop-D.6
            // √(log + ε) − √log without cancellation.
            Self::BestOrder => ((log + e).sqrt() + log.sqrt()) / e * (0.5 * steps).sqrt(),
            //= decor-aux-simulate
            Self::Tight => {
                let one = Sensitivity::new(1.0).map_err(AccountError::from)?;
                gaussian::calibrate_sigma(one, epsilon, delta)?.hi * steps.sqrt()
            }
        };
        // At most eight roundings, each by 2⁻⁵³ relative.
        //= skgd-thm-4.1-dp
        Ok(sensitivities.scaled(multiplier * (1.0 + 8.0 * f64::EPSILON)))
    }

    /// The claim of the ledger on which it rests.
    #[must_use]
    pub const fn claim(self) -> &'static str {
        match self {
            Self::Printed => "skgd-thm-4.1-dp",
            Self::BestOrder => "ambssgd-conv-zcdp",
            Self::Tight => "decor-aux-simulate",
        }
    }
}

/// What the steps of a run are to an accountant, for noise σ_U = multiplier·Δ_U on every set.
///
/// ```
/// use dp_assay::prelude::*;
/// use dp_assay::solver::skgd::event;
///
/// // 100 steps at noise multiplier 30.
/// let report = account(&event(100, 30.0), Delta::new(1e-5)?, Accountant::Auto, Neighbouring::ReplaceOne, false)?;
/// assert!((1.0..4.0).contains(&report.epsilon_upper));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn event(steps: u64, multiplier: f64) -> Event {
    // Whatever S is drawn, the step is this mechanism.
    //= skgd-lem-mixture
    let event = Event::Gaussian {
        sigma: multiplier,
        sensitivity: 1.0,
    };
    Event::Repeated {
        times: steps,
        event: Box::new(event),
    }
}
