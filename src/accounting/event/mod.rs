//! What was run, as data: a serialisable tree of mechanisms, to be accounted for in any notion.
//!
//! JSON: every node is an object with a `kind`. Leaves: `gaussian {sigma, sensitivity?}`,
//! `laplace {scale, sensitivity?}`, `discrete-gaussian {sigma, sensitivity?}`,
//! `discrete-laplace {parameter, sensitivity?}`, `randomized-response {noise, buckets}`,
//! `exponential {epsilon}`, `report-noisy-max {sensitivities, scales}`,
//! `correlated-gaussian {covariance, shifts}`, `gaussian-mixture {sigma, shifts, weights}`, `matrix-gaussian {sigma, strategy, participations?, separation?}`, `pure {epsilon}`, `approximate {epsilon, delta}`,
//! `zcdp {rho}`, `gdp {mu}`, `private-selection {mean, events}`. Inner nodes: `poisson-sampled {rate, event}`,
//! `fixed-size-sampled {size, batch, replacement?, event}`, `truncated-poisson-sampled {rate, cap, records, event}`,
//! `random-allocation {steps, participations, event}`, `balls-in-bins {bins, event}`,
//! `b-min-separation {steps, separation, rate, event}`, `repeated {times, event}`,
//! `composed {events}`, `parallel {partition, events}`.
//!
//! A sensitivity (1 unless given), and an ε, δ, ρ or μ, is what the neighbours *of the relation asked for* differ
//! by; below a sampling node it is what one record's presence makes. Whose randomised response is left out of a sample gives
//! no answer, which everybody may see.
//!
//! ```
//! use dp_assay::accounting::event::{Event, Partition};
//! use dp_assay::units::Neighbouring;
//!
//! let events = vec![Event::Pure { epsilon: 1.0 }, Event::Pure { epsilon: 2.0 }];
//! let by_value = Event::Parallel { partition: Partition::ByValue, events };
//! // A record that is added meets one of the two parts; one that is replaced may meet both.
//! assert_eq!(by_value.steps(Neighbouring::AddRemove)?.len(), 2);
//! assert!(by_value.steps(Neighbouring::ReplaceOne).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod expand;
mod sampling;

pub use sampling::{Pattern, Sampling, Step};

use super::AccountError;
use super::matrix::Strategy;
use crate::float::{VANISHES, from_json, ratio_upper, vanishes};
use serde::{Deserialize, Serialize};

/// A node of the tree.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Event {
    /// Gaussian noise.
    Gaussian {
        /// Standard deviation.
        sigma: f64,
        /// ℓ₂ sensitivity.
        #[serde(default = "one")]
        sensitivity: f64,
    },
    /// Laplace noise.
    Laplace {
        /// Scale b.
        scale: f64,
        /// ℓ₁ sensitivity.
        #[serde(default = "one")]
        sensitivity: f64,
    },
    /// Discrete Gaussian noise on an integer query.
    DiscreteGaussian {
        /// σ of the weights e^{−k²/2σ²}.
        sigma: f64,
        /// Sensitivity.
        #[serde(default = "unit")]
        sensitivity: u64,
    },
    /// Discrete Laplace (geometric) noise on an integer query.
    DiscreteLaplace {
        /// a of the weights e^{−a|k|}.
        parameter: f64,
        /// Sensitivity.
        #[serde(default = "unit")]
        sensitivity: u64,
    },
    /// k-ary randomised response on one record.
    RandomizedResponse {
        /// Probability of a uniform answer.
        noise: f64,
        /// Number of answers.
        buckets: u64,
    },
    /// The exponential mechanism with Pr ∝ e^{εu/2Δ}.
    Exponential {
        /// ε.
        epsilon: f64,
    },
    /// The index of the largest score after Laplace noise.
    ReportNoisyMax {
        /// Sensitivity of each score.
        sensitivities: Vec<f64>,
        /// Scale of each score's noise.
        scales: Vec<f64>,
    },
    /// Gaussian noise with a covariance; the mean moves by one of the shifts.
    CorrelatedGaussian {
        /// Rows of Σ.
        covariance: Vec<Vec<f64>>,
        /// The possible shifts.
        shifts: Vec<Vec<f64>>,
    },
    /// Gaussian noise on what a group or a user moves by one of the shifts, drawn at random and not told: sampling of a group's
    /// records, say, or of those of a user.
    GaussianMixture {
        /// Standard deviation.
        sigma: f64,
        /// What the presence moves the answer by, in Euclidean norm, at most.
        shifts: Vec<f64>,
        /// With which probability by each.
        weights: Vec<f64>,
    },
    /// All steps of a run with Gaussian noise correlated over them, see [`matrix`](super::matrix).
    MatrixGaussian {
        /// σ of the noise on Cx, in units of what one participation moves.
        sigma: f64,
        /// C: a list of Toeplitz coefficients, or rows.
        strategy: Strategy,
        /// Most steps in which one record takes part.
        #[serde(default = "unit")]
        participations: u64,
        /// Least distance of two of them.
        #[serde(default = "unit")]
        separation: u64,
    },
    /// Any (ε, 0)-DP mechanism.
    Pure {
        /// ε.
        epsilon: f64,
    },
    /// Any (ε, δ)-DP mechanism.
    Approximate {
        /// ε.
        epsilon: f64,
        /// δ.
        delta: f64,
    },
    /// Any ρ-zCDP mechanism.
    Zcdp {
        /// ρ.
        rho: f64,
    },
    /// Any μ-GDP mechanism.
    Gdp {
        /// μ.
        mu: f64,
    },
    /// The best of a geometric number of runs with this mean, each of which is one of the events, drawn at random anew
    /// each time; see [`private_selection`](super::private_selection). Scores are part of the events.
    PrivateSelection {
        /// Expected number of runs.
        mean: f64,
        /// The candidates; those alike need be given once.
        events: Vec<Self>,
    },
    /// Every record takes part independently with probability `rate`.
    PoissonSampled {
        /// q; read from a ratio of two whole numbers, `"256/60000"`, too.
        #[serde(deserialize_with = "rate")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "rate_schema"))]
        rate: f64,
        /// A single mechanism.
        event: Box<Event>,
    },
    /// A uniformly random batch of fixed size takes part.
    FixedSizeSampled {
        /// Number of records n of the data set; a neighbour with one more is covered, as ε falls with n.
        size: u64,
        /// Batch size m: number of draws, at most n without replacement.
        batch: u64,
        /// Whether a record may be drawn several times, and then counts as often.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        replacement: bool,
        /// A single mechanism.
        event: Box<Event>,
    },
    /// Every record is drawn independently with probability `rate`; of more than `cap` drawn, a uniformly random
    /// `cap` take part.
    TruncatedPoissonSampled {
        /// p; read from a ratio of two whole numbers, `"256/60000"`, too.
        #[serde(deserialize_with = "rate")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "rate_schema"))]
        rate: f64,
        /// Largest batch B.
        cap: u64,
        /// Number of records n of the data set; under add-remove ε is the greater of those beside a neighbour with one record less and one
        /// with one more.
        records: u64,
        /// A single mechanism.
        event: Box<Event>,
    },
    /// So many steps of the event, in `participations` of which, drawn at random, each record takes part.
    RandomAllocation {
        /// Number of steps t.
        steps: u64,
        /// Number k ≤ t of steps with the record.
        participations: u64,
        /// A single mechanism: what is run at each step.
        event: Box<Event>,
    },
    /// As many steps of the event as there are bins; each record is in one of them, drawn at random.
    BallsInBins {
        /// Number of bins, and of steps.
        bins: u64,
        /// A single mechanism: what is run at each step.
        event: Box<Event>,
    },
    /// So many steps of the event, in each of which a record takes part with this probability, unless it did in one of the
    /// `separation` − 1 before; steps before the first count as if the run had gone on for ever.
    BMinSeparation {
        /// Number of steps T.
        steps: u64,
        /// Least distance b of two steps with the record.
        separation: u64,
        /// p; read from a ratio of two whole numbers, `"256/60000"`, too. A step has p/(1 + (b − 1)p) of the records on average.
        #[serde(deserialize_with = "rate")]
        #[cfg_attr(feature = "cli", schemars(schema_with = "rate_schema"))]
        rate: f64,
        /// A single mechanism: what is run at each step.
        event: Box<Event>,
    },
    /// The same event again and again (adaptively).
    Repeated {
        /// How often.
        times: u64,
        /// What.
        event: Box<Event>,
    },
    /// One event after the other (adaptively).
    Composed {
        /// The events.
        events: Vec<Event>,
    },
    /// Events on disjoint parts of the data.
    Parallel {
        /// What decides which part a record belongs to.
        partition: Partition,
        /// One event per part.
        events: Vec<Event>,
    },
}

/// How the parts of a parallel composition were made; the caller states it. Not by what was seen before, unless all parts run the
/// same: the guarantee is the greater of those of both ways, and one that answers choose has none (`acc-curve-filter`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Partition {
    /// By name or another public attribute: all that neighbours differ in, of a user all records, lies in one part.
    ByIndex,
    /// By the record's value: a replaced record may change parts.
    ByValue,
}

/// A rate: a number, or a ratio of two.
fn rate<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    #[derive(Deserialize)]
    #[serde(
        untagged,
        expecting = "a rate is a number or a ratio, e.g. 0.01 or \"256/60000\""
    )]
    enum Written {
        Number(f64),
        Ratio(String),
    }
    match Written::deserialize(deserializer)? {
        Written::Number(rate) => Ok(rate),
        Written::Ratio(text) => parse_rate(&text).map_err(serde::de::Error::custom),
    }
}

#[cfg(feature = "cli")]
fn rate_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
    schemars::json_schema!({
        "type": ["number", "string"],
        "description": "q: a number in [0, 1], or a ratio of two numbers such as \"256/60000\"."
    })
}

/// A sampling rate as a number or as a ratio, rounded up: more sampling costs more privacy.
///
/// ```
/// use dp_assay::accounting::event::parse_rate;
///
/// assert_eq!(parse_rate("0.25")?, 0.25);
/// assert_eq!(parse_rate("15/60")?, 0.25);
/// // 1/3 lies above the nearest double, 0.333…3; what is returned does not lie below.
/// assert_eq!(parse_rate("1/3")?, (1.0f64 / 3.0).next_up());
/// assert!(parse_rate("1/0").is_err() && parse_rate("2/1").is_err() && parse_rate("a/b").is_err());
/// // Not 0, and no double.
/// assert!(parse_rate("1e-400").is_err() && parse_rate("1e-400/2").is_err());
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Text that is neither; a ratio outside \[0, 1\].
pub fn parse_rate(text: &str) -> Result<f64, String> {
    let number = |text: &str| {
        let text = text.trim();
        if vanishes(text) {
            return Err(format!("`{text}` is {VANISHES}"));
        }
        text.parse::<f64>()
            .map_err(|_| format!("`{text}` is not a number"))
    };
    let Some((above, below)) = text.split_once('/') else {
        return number(text);
    };
    let (above, below) = (number(above)?, number(below)?);
    if !(0.0 <= above && above <= below && 0.0 < below && below.is_finite()) {
        return Err(format!("`{text}` must be a ratio in [0, 1]"));
    }
    Ok(ratio_upper(above, below))
}

/// The share that `part` of `whole` is, 0 < `whole`, `part` at most that: the least double that is no less.
///
/// ```
/// use dp_assay::accounting::event::share_upper;
///
/// assert_eq!(share_upper(15, 60), 0.25);
/// assert_eq!(share_upper(1, 3), (1.0f64 / 3.0).next_up());
/// // Numbers that are no doubles are rounded to the safe side, too.
/// assert_eq!(share_upper(u64::MAX - 1, u64::MAX), 1.0);
/// ```
#[must_use]
pub fn share_upper(part: u64, whole: u64) -> f64 {
    if part == 0 {
        return 0.0;
    }
    // x = m·2⁻ᵉ is less than the share if m·`whole` < `part`·2ᵉ: both are near 2¹¹⁷ at most.
    let is_less = |x: f64| {
        let (bits, one) = (x.to_bits(), 1u64 << 52);
        let (mantissa, exponent) = ((bits & (one - 1)) | one, bits >> 52);
        u128::from(mantissa) * u128::from(whole) < u128::from(part) << (1075 - exponent)
    };
    // The quotient is rounded three times.
    let mut share = part as f64 / whole as f64;
    for _ in 0..3 {
        share = share.next_down();
    }
    while is_less(share) {
        share = share.next_up();
    }
    share
}

/// A count as a double that is no larger.
pub(super) fn lower(count: u64) -> f64 {
    let nearest = count as f64;
    match nearest as u128 <= u128::from(count) {
        true => nearest,
        false => nearest.next_down(),
    }
}

const fn one() -> f64 {
    1.0
}

const fn unit() -> u64 {
    1
}

impl Event {
    /// Reads a tree from JSON.
    ///
    /// ```
    /// use dp_assay::accounting::event::{Event, Sampling};
    /// use dp_assay::units::Neighbouring;
    ///
    /// // A thousand sampled steps, as a file says it.
    /// let event = Event::from_json(
    ///     r#"{"kind": "repeated", "times": 1000, "event":
    ///         {"kind": "poisson-sampled", "rate": 0.01, "event": {"kind": "gaussian", "sigma": 1.0}}}"#,
    /// )?;
    /// let ways = event.steps(Neighbouring::AddRemove)?;
    /// assert_eq!((ways.len(), ways[0][0].count), (1, 1000));
    /// assert_eq!(ways[0][0].sampling, Sampling::Poisson(0.01));
    /// assert_eq!(ways[0][0].mechanism.name(), "gaussian");
    /// // Sampling of records protects no user with many of them.
    /// assert!(event.steps(Neighbouring::User).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Text that is not such a tree; the message names line and column.
    pub fn from_json(text: &str) -> Result<Self, AccountError> {
        from_json(text.as_bytes()).map_err(|e| AccountError::Event(e.to_string()))
    }

    /// A short name for messages.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gaussian { .. } => "gaussian",
            Self::Laplace { .. } => "laplace",
            Self::DiscreteGaussian { .. } => "discrete-gaussian",
            Self::DiscreteLaplace { .. } => "discrete-laplace",
            Self::RandomizedResponse { .. } => "randomized-response",
            Self::Exponential { .. } => "exponential",
            Self::ReportNoisyMax { .. } => "report-noisy-max",
            Self::CorrelatedGaussian { .. } => "correlated-gaussian",
            Self::GaussianMixture { .. } => "gaussian-mixture",
            Self::MatrixGaussian { .. } => "matrix-gaussian",
            Self::Pure { .. } => "pure",
            Self::Approximate { .. } => "approximate",
            Self::Zcdp { .. } => "zcdp",
            Self::Gdp { .. } => "gdp",
            Self::PrivateSelection { .. } => "private-selection",
            Self::PoissonSampled { .. } => "poisson-sampled",
            Self::FixedSizeSampled { .. } => "fixed-size-sampled",
            Self::TruncatedPoissonSampled { .. } => "truncated-poisson-sampled",
            Self::RandomAllocation { .. } => "random-allocation",
            Self::BallsInBins { .. } => "balls-in-bins",
            Self::BMinSeparation { .. } => "b-min-separation",
            Self::Repeated { .. } => "repeated",
            Self::Composed { .. } => "composed",
            Self::Parallel { .. } => "parallel",
        }
    }
}
