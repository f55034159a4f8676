//! Noise scales of DP-GCD for a privacy budget.

use super::{CalibrationError, Config, LaplaceScales, SelectionNoise};
use crate::accounting::calibrate::{self, Target, Trend};
use crate::accounting::{Accountant, Event, root};
use crate::problem::Problem;
use crate::units::{Delta, Epsilon, Neighbouring};

/// How a budget becomes scales. Replace-one neighbours; the transcript is released. What the scales of any of them are
/// worth is what an accountant says of [`super::Config::event`]; the printed ones rest on claims that are refuted, and
/// may be worth less than the budget.
///
/// ```
/// use dp_assay::solver::gcd::Calibration;
/// use dp_assay::units::{Delta, Epsilon};
///
/// // Noise for 10 steps on two coordinates of sensitivity 0.01 and smoothness 1.
/// let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let scales = |c: Calibration| c.scales(epsilon, delta, 10, &[0.01; 2], &[1.0; 2]);
/// let (corrected, equation) = (scales(Calibration::default())?, scales(Calibration::NumericEq2)?);
/// // The proof needs more noise on the selection than the printed equation has.
/// assert!(corrected.selection()[0] > equation.selection()[0]);
/// // It is a little less than equation (2) with the proved selection, and about half of the printed release.
/// assert!(corrected.release()[0] < scales(Calibration::Repaired)?.release()[0]);
/// assert!(corrected.release()[0] < 0.52 * scales(Calibration::Printed)?.release()[0]);
/// // No noise that the accountant certifies for the budget is smaller than this.
/// assert!(scales(Calibration::Tight)?.selection()[0] < corrected.selection()[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Calibration {
    /// The noise of the corrected theorems, for which the same run is private and useful:
    /// λ_j = (2Δ_j/ε) √(T (ln(1/δ) + ε/2)) and λ′_j by [`SelectionScale::NoisyMax`] (gcd-thm-4.2-corrected, and with a
    /// regulariser gcd-prox-priv-corrected; the scores of a box are of the kind that it names last), any ε. The default.
    /// Covers the runs for which [`super::Config::uncovered`] is `None`; under clipping C_j stands for L_j (gcd-sens-clip).
    #[default]
    Corrected,
    /// Theorem 4.2 as printed: λ_j = λ′_j = (4Δ_j/ε) √(T ln(1/δ)), ε ≤ 1. Rests on the printed claim
    /// that one selection is ε′-private, which is refuted.
    Printed,
    /// λ_j = λ′_j = Δ_j/ε′ with ε′ the root of equation (2), any ε. Rests on the same claim.
    NumericEq2,
    /// ε′ as before, λ_j = Δ_j/ε′, and the selection scale that makes one selection ε′-private by
    /// proof: [`SelectionScale::NoisyMax`]. Covers what `Corrected` covers.
    Repaired,
    /// The same scales with the largest ε′ for which the accountant certifies (ε, δ) for T selections and T releases.
    Tight,
}

/// One access's ε′ and how the selection's scale follows from it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PerAccess {
    /// ε′ > 0.
    pub epsilon: f64,
    /// Which selection scale.
    pub selection: SelectionScale,
}

/// The selection's scale for a given ε′, with r_k = Δ_k/√M_k the sensitivity of score k.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SelectionScale {
    /// λ′_j = m Δ_j/ε′: m = 1 as printed; m = 2 is enough when all r_k are equal.
    Multiple(f64),
    /// λ′_j = √M_j (r_j + max_{k≠j} r_k)/ε′, which is ε′-private for any M, L and p.
    ///
    /// **Proof.** Fix all noises but coordinate j's.
    /// 1. j wins iff its score reaches the best of the others (ties aside, an event of probability 0).
    /// 2. Between neighbours the best of the others moves by at most max_{k≠j} r_k, and score j by at most r_j.
    /// 3. Moving χ_j outwards by √M_j (r_j + max_{k≠j} r_k), on each branch of the modulus, makes up for both.
    /// 4. Under that a Laplace law of scale λ′_j changes by at most exp(√M_j (r_j + max_{k≠j} r_k)/λ′_j) = exp(ε′).
    /// 5. Integrate over the other noises, which do not depend on the data. ∎
    ///
    /// With noise on the score instead of inside it this holds for every score that moves by at most |Δg_k|/√M_k.
    NoisyMax,
}

/// Δ_j = 2L_j/n, or 2C_j/n under clipping: how far ∂_j f moves when one record is replaced.
/// Rounded up.
///
/// ```
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::gcd::sensitivities;
///
/// let problem = four_points();
///
/// // With the threshold C_j = 1 and n = 4 records a partial derivative moves by 2/4 at most.
/// let moved = sensitivities(&problem, Some(&[1.0, 1.0]))?;
/// assert!(moved.iter().all(|s| (0.5..0.500001).contains(s)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If one is infinite, or there is not one threshold per coordinate.
pub fn sensitivities(
    problem: &Problem,
    clipping: Option<&[f64]>,
) -> Result<Vec<f64>, CalibrationError> {
    //= gcd-sens-1
    //= gcd-sens-clip
    let bounds = clipping.unwrap_or(problem.constants().lipschitz());
    if bounds.len() != problem.features() {
        let (found, expected) = (bounds.len(), problem.features());
        return Err(CalibrationError::Count { found, expected });
    }
    let n = problem.records() as f64;
    let sensitivity = |(coordinate, bound): (usize, &f64)| {
        let sensitivity = up(2.0 * bound / n);
        let loss = problem.loss().name();
        match sensitivity.is_finite() {
            true => Ok(sensitivity),
            false => Err(CalibrationError::Unbounded {
                coordinate,
                sensitivity,
                loss,
            }),
        }
    };
    bounds.iter().enumerate().map(sensitivity).collect()
}

impl Config {
    /// [`Config::new`] with the calibration's noise, clipping at C_j if given. With [`Calibration::Corrected`],
    /// [`Calibration::Repaired`] and [`Calibration::Tight`] the transcript is (ε, δ)-private under replacement of one record; for the others
    /// [`Config::event`] says what it is.
    ///
    /// # Errors
    /// If the problem's constants were computed from the data and not stated to be public
    /// ([`crate::problem::Constants::stated_public`]), or if budget and constants do not admit the
    /// calibration.
    pub fn calibrated(
        problem: &Problem,
        iterations: usize,
        clipping: Option<Vec<f64>>,
        calibration: Calibration,
        (epsilon, delta): (Epsilon, Delta),
    ) -> Result<Self, CalibrationError> {
        if problem.constants().is_data_derived() {
            return Err(CalibrationError::DataDerived);
        }
        let sensitivities = sensitivities(problem, clipping.as_deref())?;
        let smoothness = problem.constants().smoothness();
        let noise = calibration.scales(epsilon, delta, iterations, &sensitivities, smoothness)?;
        let config = Self::new(problem, iterations, noise);
        Ok(Self { clipping, ..config })
    }
}

impl Calibration {
    /// The scales that make T iterations (ε, δ)-private, for sensitivities Δ_j and smoothness M_j.
    /// Rounded up, except for `Printed`, which is evaluated as it stands.
    ///
    /// # Errors
    /// If ε, δ or T is outside the calibration's domain, or the lengths differ.
    pub fn scales(
        self,
        epsilon: Epsilon,
        delta: Delta,
        iterations: usize,
        sensitivities: &[f64],
        smoothness: &[f64],
    ) -> Result<LaplaceScales, CalibrationError> {
        let selection = match self {
            Self::Printed => return printed(epsilon, delta, iterations, sensitivities),
            Self::NumericEq2 => SelectionScale::Multiple(1.0),
            Self::Corrected | Self::Repaired | Self::Tight => SelectionScale::NoisyMax,
        };
        let epsilon = match self {
            Self::Corrected => corrected_per_access(epsilon, delta, iterations)?,
            Self::Tight => largest_per_access(epsilon, delta, iterations)?,
            _ => per_access_epsilon(epsilon, delta, iterations)?,
        };
        PerAccess { epsilon, selection }.scales(sensitivities, smoothness)
    }

    /// The claim of the ledger by which the scales follow from the budget; none for what the accountant chooses.
    #[must_use]
    pub const fn claim(self) -> Option<&'static str> {
        match self {
            Self::Corrected => Some("gcd-thm-4.2-corrected"),
            Self::Printed => Some("gcd-thm-4.2"),
            Self::NumericEq2 => Some("gcd-eq-2"),
            Self::Repaired => Some("gcd-rem-4.3-repaired"),
            Self::Tight => None,
        }
    }

    /// The claim of the ledger on which the guarantee of its noise rests: for the corrected noise the corrected theorem,
    /// for any other the claims on one access, of which an accountant makes a guarantee of the run.
    #[must_use]
    pub const fn rests_on(self, config: &Config) -> &'static str {
        match (self, config.selection) {
            //= gcd-prox-priv-corrected
            (Self::Corrected, SelectionNoise::OnScore) => "gcd-prox-priv-corrected",
            (Self::Corrected, _) => "gcd-thm-4.2-corrected",
            _ => config.claim(),
        }
    }

    /// What the noise of a configuration is beside that of [`Calibration::rests_on`]: only the corrected noise is that of a
    /// theorem on the whole run.
    #[must_use]
    pub const fn noise(self, config: &Config) -> &'static str {
        let clipped = config.clipping.is_some();
        match (self, config.selection) {
            (Self::Corrected, _) if clipped => {
                "laplace, the claim's with clipping levels for L (gcd-sens-clip)"
            }
            (Self::Corrected, _) => "laplace, the claim's",
            (Self::Tight, SelectionNoise::OnScore) => {
                "laplace, not the claim's but scaled by its account (--calibration corrected has \
                 that of gcd-prox-priv-corrected)"
            }
            (Self::Tight, _) => {
                "laplace, scaled by its account (--calibration corrected has that of \
                 gcd-thm-4.2-corrected)"
            }
            (Self::Repaired, SelectionNoise::OnScore) => {
                "laplace, not the claim's but by equation (2)"
            }
            (Self::Repaired, _) => "laplace, by equation (2)",
            // The claim that they are scaled by is told beside.
            (Self::Printed | Self::NumericEq2, _) => "laplace",
        }
    }
}

/// T selections that are ε_s-private and T releases that are ε_r-private.
pub(super) fn transcript(iterations: usize, selection: f64, release: f64) -> Event {
    let repeated = |event| Event::Repeated {
        times: iterations as u64,
        event: Box::new(event),
    };
    //= gcd-red-rr
    let selections = repeated(Event::Pure { epsilon: selection });
    // Δ/λ = ε_r, whatever the coordinate.
    let releases = repeated(Event::Laplace {
        scale: 1.0,
        sensitivity: release,
    });
    Event::Composed {
        events: vec![selections, releases],
    }
}

/// ε′ = ε/(2√(T (ln(1/δ) + ε/2))), rounded down.
fn corrected_per_access(
    epsilon: Epsilon,
    delta: Delta,
    iterations: usize,
) -> Result<f64, CalibrationError> {
    let log = log_inverse(epsilon, f64::INFINITY, delta, iterations)?;
    let (epsilon, t) = (epsilon.get(), iterations as f64);
    //= gcd-thm-4.2-corrected
    //= gcd-prox-priv-corrected
    let access = epsilon / (2.0 * (t * (log + 0.5 * epsilon)).sqrt());
    // Five roundings and the logarithm's, each within 2⁻⁵² of exact.
    Ok(access * (1.0 - 8.0 * f64::EPSILON))
}

/// The largest ε′ for which T selections and T releases of ε′ each are certified, less what the rounding of scales and
/// of their account can take: a few units in the last place.
fn largest_per_access(
    epsilon: Epsilon,
    delta: Delta,
    iterations: usize,
) -> Result<f64, CalibrationError> {
    log_inverse(epsilon, f64::INFINITY, delta, iterations)?;
    let target = Target {
        epsilon,
        delta,
        method: Accountant::Auto,
        neighbours: Neighbouring::ReplaceOne,
    };
    // By basic composition T·2ε′ ≤ ε is enough; at ε′ = ε + 40 one access alone exceeds (ε, δ) for every δ < 1 − 10⁻⁸.
    let range = (
        epsilon.get() / (4.0 * iterations as f64),
        epsilon.get() + 40.0,
    );
    let widened = |e: f64| e * (1.0 + 32.0 * f64::EPSILON);
    let found = calibrate::parameter("epsilon per access", range, Trend::Grows, &target, |e| {
        transcript(iterations, widened(e), widened(e))
    })?;
    Ok(found.value)
}

fn printed(
    epsilon: Epsilon,
    delta: Delta,
    iterations: usize,
    sensitivities: &[f64],
) -> Result<LaplaceScales, CalibrationError> {
    let log = log_inverse(epsilon, 1.0, delta, iterations)?;
    //= gcd-thm-4.2
    // As printed, for comparison; the default is gcd-thm-4.2-corrected.
    let factor = 4.0 / epsilon.get() * (iterations as f64 * log).sqrt();
    let scales: Vec<f64> = sensitivities.iter().map(|s| factor * s).collect();
    LaplaceScales::new(scales.clone(), scales)
}

/// ε′ with √(4T ln(1/δ)) ε′ + 2T ε′ (exp(ε′) − 1) ≤ ε: the root of equation (2), rounded down.
///
/// ```
/// use dp_assay::solver::gcd::{PerAccess, SelectionScale, per_access_epsilon};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let epsilon = per_access_epsilon(Epsilon::new(1.0)?, Delta::new(1e-6)?, 10)?;
/// assert!(epsilon > 0.0 && epsilon < 0.1);
/// let scales = PerAccess { epsilon, selection: SelectionScale::Multiple(2.0) }.scales(&[0.01], &[1.0])?;
/// assert!(scales.selection()[0] > scales.release()[0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unless ε > 0, 0 < δ < 1 and T ≥ 1.
pub fn per_access_epsilon(
    epsilon: Epsilon,
    delta: Delta,
    iterations: usize,
) -> Result<f64, CalibrationError> {
    let log = log_inverse(epsilon, f64::INFINITY, delta, iterations)?;
    let t = iterations as f64;
    // Nine rounded operations, each within 2⁻⁵² of exact: enlarging by 16 · 2⁻⁵² covers them.
    //= gcd-eq-2
    // The equation is that of gcd-eq-2-repaired too; the claims differ in the selection scales.
    let spent_upper = |e: f64| {
        let sum = (4.0 * t * log).sqrt() * e + 2.0 * t * e * libm::expm1(e);
        sum * (1.0 + 16.0 * f64::EPSILON)
    };
    let most = epsilon.get() / (4.0 * t * log).sqrt();
    // To the last double; the lower end is within the budget.
    let (within, _) = root::bisect(0.0, most, 0.0, |e| spent_upper(e) <= epsilon.get());
    Ok(within)
}

/// ln(1/δ), once ε, δ and T are found to be in the domain.
fn log_inverse(
    epsilon: Epsilon,
    limit: f64,
    delta: Delta,
    iterations: usize,
) -> Result<f64, CalibrationError> {
    let (epsilon, delta) = (epsilon.get(), delta.get());
    if !(epsilon > 0.0 && epsilon <= limit) {
        return Err(CalibrationError::Epsilon { epsilon, limit });
    }
    if !(delta > 0.0 && delta < 1.0) {
        return Err(CalibrationError::Delta(delta));
    }
    if iterations == 0 {
        return Err(CalibrationError::Iterations);
    }
    // Not ln of the quotient: 1/δ overflows for subnormal δ.
    Ok(-libm::log(delta))
}

impl PerAccess {
    /// The scales that give every release ε′ = Δ_j/λ_j and every selection the chosen scale.
    /// Rounded up.
    ///
    /// # Errors
    /// If the lengths differ or a scale overflows.
    pub fn scales(
        self,
        sensitivities: &[f64],
        smoothness: &[f64],
    ) -> Result<LaplaceScales, CalibrationError> {
        if sensitivities.len() != smoothness.len() {
            let (found, expected) = (smoothness.len(), sensitivities.len());
            return Err(CalibrationError::Count { found, expected });
        }
        let release = |s: &f64| up(s / self.epsilon);
        let selection = match self.selection {
            SelectionScale::Multiple(multiple) => {
                let scale = |s: &f64| up(multiple * release(s));
                sensitivities.iter().map(scale).collect()
            }
            SelectionScale::NoisyMax => self.noisy_max(sensitivities, smoothness),
        };
        LaplaceScales::new(selection, sensitivities.iter().map(release).collect())
    }

    fn noisy_max(self, sensitivities: &[f64], smoothness: &[f64]) -> Vec<f64> {
        let pairs = || sensitivities.iter().zip(smoothness);
        let ratios: Vec<f64> = pairs().map(|(s, m)| up(s / m.sqrt())).collect();
        let (mut best, mut second, mut at) = (0.0, 0.0, usize::MAX);
        for (k, &r) in ratios.iter().enumerate() {
            if r > best {
                (second, best, at) = (best, r, k);
            } else if r > second {
                second = r;
            }
        }
        let scale = |(j, (s, m)): (usize, (&f64, &f64))| {
            let others = if j == at { second } else { best };
            up((s + up(m.sqrt() * others)) / self.epsilon)
        };
        pairs().enumerate().map(scale).collect()
    }
}

/// The next double but one above a computed quantity: above the exact one after two roundings.
fn up(x: f64) -> f64 {
    if x == 0.0 { x } else { x.next_up().next_up() }
}
