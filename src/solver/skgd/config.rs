//! The inputs of Algorithm 1.

use super::sampling::{Sampling, SetValues};
use crate::problem::Problem;
use crate::solver::config::{ConfigError, FINITE, NONNEGATIVE, POSITIVE, count, vector};

/// The inputs of a run. All but the data are taken to be public.
///
/// ```
/// use dp_assay::problem::four_points;
/// use dp_assay::solver::skgd::{Calibration, Config, Sampling, SetValues};
/// use dp_assay::units::{Delta, Epsilon};
///
/// let problem = four_points();
/// let public = problem.constants().clone().stated_public(); // our word that they are
/// let problem = problem.with_constants(public)?;
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let radius = Some(SetValues::Same(1.0));
/// let config = Config::calibrated(&problem, (2, 3), Sampling::full(2)?, radius, Calibration::Tight, budget)?;
/// assert_eq!(config.length(), 6);
/// assert!(config.check(&problem).is_ok() && config.deviation(&[0, 1], Some(0)) > 0.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// w⁰, d entries.
    pub start: Vec<f64>,
    /// γ_j > 0; coordinate j moves by γ_j/p_j times its noisy partial derivative.
    pub steps: Vec<f64>,
    /// K ≥ 1, the length of the inner loop.
    pub inner: usize,
    /// T ≥ 1, the length of the outer loop.
    pub outer: usize,
    /// The distribution of S.
    pub sampling: Sampling,
    /// σ_U ≥ 0.
    pub noise: SetValues,
    /// What σ_U is to the noise.
    pub reading: Reading,
    /// C_U ≥ 0: every record's I_U∇ℓ is brought into the ball of radius C_U before averaging. Not in
    /// the paper; it makes L_U = C_U hold for all data. The ridge is added after clipping.
    pub clipping: Option<SetValues>,
    /// Whether [`super::Run::transcript`] is filled: Σ|S| numbers.
    pub keep_transcript: bool,
}

/// What N(0, σ_S I) in line 5 of Algorithm 1 means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// σ_S is the standard deviation of every entry, as Theorem 4.1 needs (skgd-thm-4.1-dp). The
    /// default.
    StandardDeviation,
    /// σ_S is the variance of every entry, as the notation says. **Not private** under Theorem 4.1's
    /// scale (skgd-thm-4.1-dp-reading-variance, refuted).
    Variance,
}

impl Config {
    /// From w⁰ = 0 (moved into the box, if there is one) with γ_j = p_j/(s M_j), s the size of the
    /// largest set, without clipping, the transcript kept.
    ///
    /// The paper takes γ_j = p_j/M_j for an M with ∇²f ⪯ Diag(M) (Assumption 3.6). The M_j of
    /// [`crate::problem::Constants`] bound the diagonal of ∇²f only; I_U∇²fI_U ⪯ |U|·Diag(M) follows
    /// for every U, hence the factor s, which is 1 for single coordinates.
    #[must_use]
    pub fn new(
        problem: &Problem,
        (inner, outer): (usize, usize),
        sampling: Sampling,
        noise: SetValues,
    ) -> Self {
        let size = sampling.largest() as f64;
        let smoothness = problem.constants().smoothness().iter();
        let steps = smoothness
            .zip(sampling.inclusion())
            .map(|(m, p)| p / (size * m));
        Self {
            start: vec![problem.regulariser().prox(1.0, 0.0); problem.features()],
            steps: steps.collect(),
            inner,
            outer,
            sampling,
            noise,
            reading: Reading::StandardDeviation,
            clipping: None,
            keep_transcript: true,
        }
    }

    /// The standard deviation of η on a set drawn from the sampling.
    #[must_use]
    pub fn deviation(&self, set: &[usize], index: Option<usize>) -> f64 {
        let sigma = self.noise.of(set, index);
        match self.reading {
            Reading::StandardDeviation => sigma,
            //= skgd-thm-4.1-dp-reading-variance
            // As one may read the print; private is the other reading, skgd-thm-4.1-dp.
            Reading::Variance => sigma.sqrt(),
        }
    }

    /// C_U of a set drawn from the sampling, infinite without clipping.
    #[must_use]
    pub fn radius(&self, set: &[usize], index: Option<usize>) -> f64 {
        self.clipping
            .as_ref()
            .map_or(f64::INFINITY, |radii| radii.of(set, index))
    }

    /// Number of inner steps K·T.
    #[must_use]
    pub fn length(&self) -> usize {
        self.inner * self.outer
    }

    /// Checks the configuration against its problem.
    ///
    /// # Errors
    /// Names the first vector, place and value that break a rule.
    pub fn check(&self, problem: &Problem) -> Result<(), ConfigError> {
        let (inner, outer) = (self.inner, self.outer);
        let length = inner.checked_mul(outer);
        if !length.is_some_and(|length| length > 0 && length >> 48 == 0) {
            return Err(ConfigError::Length { inner, outer });
        }
        let d = problem.features();
        count(
            "coordinates of the sampling",
            self.sampling.coordinates(),
            d,
        )?;
        vector("start of coordinate", &self.start, d, FINITE)?;
        vector("step size of coordinate", &self.steps, d, POSITIVE)?;
        check_values("noise scale", &self.noise, &self.sampling)?;
        match &self.clipping {
            Some(radii) => check_values("clipping radius", radii, &self.sampling),
            None => Ok(()),
        }
    }
}

/// Checks values against the sampling they are for.
pub(super) fn check_values(
    what: &'static str,
    values: &SetValues,
    sampling: &Sampling,
) -> Result<(), ConfigError> {
    let expected = match (values, sampling.sets()) {
        (SetValues::Same(_), _) => 1,
        (SetValues::Root(_), _) => sampling.coordinates(),
        (SetValues::Listed(_), Some(sets)) => sets.len(),
        (SetValues::Listed(_), None) => return Err(ConfigError::Unlisted(what)),
    };
    vector(what, values.numbers(), expected, NONNEGATIVE)
}
