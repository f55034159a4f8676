//! What was run, as data: a serialisable tree of mechanisms, to be accounted for in any notion.
//!
//! JSON: every node is an object with a `kind`. Leaves: `gaussian {sigma, sensitivity?}`,
//! `laplace {scale, sensitivity?}`, `discrete-gaussian {sigma, sensitivity?}`,
//! `discrete-laplace {parameter, sensitivity?}`, `randomized-response {noise, buckets}`,
//! `exponential {epsilon}`, `report-noisy-max {sensitivities, scales}`,
//! `correlated-gaussian {covariance, shifts}`, `gaussian-mixture {sigma, shifts, weights}`, `matrix-gaussian {sigma, strategy, participations?, separation?}`, `pure {epsilon}`, `approximate {epsilon, delta}`,
//! `zcdp {rho}`, `gdp {mu}`, `private-selection {mean, events}`. Inner nodes: `poisson-sampled {rate, event}`,
//! `fixed-size-sampled {size, batch, replacement?, event}`, `truncated-poisson-sampled {rate, cap, records, event}`,
//! `random-allocation {steps, participations, event}`, `balls-in-bins {bins, event}`, `repeated {times, event}`,
//! `composed {events}`, `parallel {partition, events}`.
//!
//! A sensitivity (1 unless given), and an ε, δ, ρ or μ, is what the neighbours *of the relation asked for* differ
//! by; below a sampling node it is what one record's presence makes. A randomised response that is left out of a
//! sample answers uniformly, as if zeroed out.
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

use super::matrix::Strategy;
use super::{AccountError, views};
use crate::units::Neighbouring;
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
        /// Number of records n; of two neighbours that differ in size, of the larger.
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
        /// Number of records n; of two neighbours that differ in size, of the larger.
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
/// # Ok::<(), String>(())
/// ```
///
/// # Errors
/// Text that is neither; a ratio outside \[0, 1\].
pub fn parse_rate(text: &str) -> Result<f64, String> {
    let number = |text: &str| {
        let value = text.trim().parse::<f64>();
        value.map_err(|_| format!("`{}` is not a number", text.trim()))
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

/// A quotient of numbers ≥ 0 rounded up.
pub(super) fn ratio_upper(above: f64, below: f64) -> f64 {
    let rate = above / below;
    // The remainder is exact: it tells on which side of the ratio the quotient was rounded.
    match (-rate).mul_add(below, above) > 0.0 {
        true => rate.next_up(),
        false => rate,
    }
}

const fn one() -> f64 {
    1.0
}

const fn unit() -> u64 {
    1
}

/// How records get into the data that a mechanism sees.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Sampling {
    /// All of them.
    None,
    /// Each with this probability.
    Poisson(f64),
    /// A batch that is this fraction of all.
    FixedSize(f64),
    /// So many draws of a record each, with replacement.
    WithReplacement {
        /// m.
        draws: u64,
        /// n.
        size: u64,
    },
    /// Poisson's, but for a random `cap` of larger samples.
    TruncatedPoisson {
        /// p.
        rate: f64,
        /// B.
        cap: u64,
        /// n.
        records: u64,
    },
    /// In k of t steps: the whole of them.
    RandomAllocation {
        /// t.
        steps: u64,
        /// k, with 0 < k < t.
        participations: u64,
    },
}

impl Sampling {
    /// The kind of its node, as a prefix in messages.
    #[must_use]
    pub const fn prefix(self) -> &'static str {
        match self {
            Self::None => "",
            Self::Poisson(_) => "poisson-sampled ",
            Self::FixedSize(_) => "fixed-size-sampled ",
            Self::WithReplacement { .. } => "with-replacement-sampled ",
            Self::TruncatedPoisson { .. } => "truncated-poisson-sampled ",
            Self::RandomAllocation { .. } => "randomly allocated ",
        }
    }
}

/// A leaf with its sampling and multiplicity.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// The mechanism: a leaf.
    pub mechanism: Event,
    /// Its sampling.
    pub sampling: Sampling,
    /// How often it is run.
    pub count: u64,
}

impl Step {
    /// The mechanism with its sampling, in words.
    pub(super) fn words(&self) -> String {
        format!("{}{}", self.sampling.prefix(), self.mechanism.name())
    }
}

/// Deepest nesting.
const DEPTH_MAX: usize = 64;
/// Most leaves after expansion.
const STEPS_MAX: usize = 4096;
/// Most alternatives that parallel branches may give.
const BRANCHES_MAX: usize = 64;
/// Most mechanisms in all.
const COUNT_MAX: u64 = 1_000_000_000_000;

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
        serde_json::from_str(text).map_err(|e| AccountError::Event(e.to_string()))
    }

    /// The steps that a single record can meet: one list per way through the parallel branches. The
    /// guarantee is the worst over the lists.
    ///
    /// # Errors
    /// A tree that is too deep or too large; sampling of anything but a single mechanism; a parallel
    /// composition whose parts the relation does not keep apart.
    pub fn steps(&self, neighbours: Neighbouring) -> Result<Vec<Vec<Step>>, AccountError> {
        let mut all = self.expand(neighbours, 0)?;
        for steps in &mut all {
            merge(steps)?;
        }
        Ok(all)
    }

    fn expand(
        &self,
        neighbours: Neighbouring,
        depth: usize,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        let refuse = |why: String| Err(AccountError::Event(why));
        if depth > DEPTH_MAX {
            return refuse(format!("nested deeper than {DEPTH_MAX} levels"));
        }
        match self {
            Self::Repeated { times, event } => {
                let mut inner = event.expand(neighbours, depth + 1)?;
                if inner.len() > 1 && *times > 1 {
                    return refuse("repeat inside the parallel branches, not around them".into());
                }
                for step in inner.iter_mut().flatten() {
                    step.count = step.count.saturating_mul(*times);
                }
                Ok(inner)
            }
            Self::Composed { events } => {
                let mut all: Vec<Vec<Step>> = vec![Vec::new()];
                for event in events {
                    all = product(all, &event.expand(neighbours, depth + 1)?)?;
                }
                Ok(all)
            }
            Self::Parallel { partition, events } => {
                let moves = matches!(neighbours, Neighbouring::ReplaceOne | Neighbouring::User);
                if moves && *partition == Partition::ByValue {
                    return Err(AccountError::Unsupported {
                        mechanism: "parallel composition partitioned by value".into(),
                        notion: "disjointness",
                        neighbours,
                        why: ": the replaced record may move to another part",
                    });
                }
                let mut all = Vec::new();
                for event in events {
                    all.extend(event.expand(neighbours, depth + 1)?);
                }
                if all.is_empty() {
                    Ok(vec![Vec::new()])
                } else {
                    limited(all)
                }
            }
            Self::PoissonSampled { rate, event } => {
                event.sampled(poisson(*rate, neighbours)?, neighbours)
            }
            Self::FixedSizeSampled {
                size,
                batch,
                replacement,
                event,
            } => event.sampled(
                fixed_size(*size, *batch, *replacement, neighbours)?,
                neighbours,
            ),
            Self::TruncatedPoissonSampled {
                rate,
                cap,
                records,
                event,
            } => event.sampled(
                truncated_poisson(*rate, (*cap, *records), neighbours)?,
                neighbours,
            ),
            Self::RandomAllocation {
                steps,
                participations,
                event,
            } => event.allocated(*steps, *participations, neighbours),
            Self::BallsInBins { bins, event } => event.allocated(*bins, 1, neighbours),
            leaf => Ok(vec![vec![Step {
                mechanism: leaf.clone(),
                sampling: Sampling::None,
                count: 1,
            }]]),
        }
    }

    /// This leaf under a sampling, or repeated leaves (sampled once and then run several times would be
    /// another mechanism, and is refused).
    fn sampled(
        &self,
        sampling: Sampling,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        if !self.is_leaf() {
            return Err(AccountError::Event(
                "only a single mechanism can be sampled; repeat or compose sampled mechanisms"
                    .into(),
            ));
        }
        if let Self::PrivateSelection { .. } = self {
            return Err(AccountError::Event(
                "private-selection is a choice among whole runs: sample inside its events".into(),
            ));
        }
        if let Self::MatrixGaussian { .. } = self {
            return Err(AccountError::Event(
                "matrix-gaussian is a whole run: what sampling at its steps is worth has no theorem here".into(),
            ));
        }
        if let Self::GaussianMixture { .. } = self {
            return Err(AccountError::Event(
                "gaussian-mixture has its sampling in its weights: put a shift of 0 among them instead".into(),
            ));
        }
        if neighbours == Neighbouring::User {
            return Err(AccountError::Unsupported {
                mechanism: "record sampling".into(),
                notion: "sampling",
                neighbours,
                why: ": sampling single records protects no user with many of them",
            });
        }
        if let Sampling::Poisson(0.0)
        | Sampling::FixedSize(0.0)
        | Sampling::WithReplacement { draws: 0, .. }
        | Sampling::TruncatedPoisson { cap: 0, .. } = sampling
        {
            views::check(self)?;
            return Ok(vec![Vec::new()]); // nobody takes part
        }
        Ok(vec![vec![Step {
            mechanism: self.clone(),
            sampling,
            count: 1,
        }]])
    }

    /// This leaf at so many steps, of which each record takes part in some.
    fn allocated(
        &self,
        steps: u64,
        participations: u64,
        neighbours: Neighbouring,
    ) -> Result<Vec<Vec<Step>>, AccountError> {
        AccountError::check(steps > 0, "steps", steps as f64, "must be > 0")?;
        let (k, rule) = (participations as f64, "must be at most the number of steps");
        AccountError::check(participations <= steps, "participations", k, rule)?;
        let (sampling, count) = match participations {
            0 => (Sampling::Poisson(0.0), 1),
            _ if participations == steps => (poisson(1.0, neighbours)?, steps),
            _ => (
                Sampling::RandomAllocation {
                    steps,
                    participations,
                },
                1,
            ),
        };
        let mut ways = self.sampled(sampling, neighbours)?;
        for step in ways.iter_mut().flatten() {
            step.count = count;
        }
        Ok(ways)
    }

    fn is_leaf(&self) -> bool {
        !matches!(
            self,
            Self::Repeated { .. }
                | Self::Composed { .. }
                | Self::Parallel { .. }
                | Self::PoissonSampled { .. }
                | Self::FixedSizeSampled { .. }
                | Self::TruncatedPoissonSampled { .. }
                | Self::RandomAllocation { .. }
                | Self::BallsInBins { .. }
        )
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
            Self::Repeated { .. } => "repeated",
            Self::Composed { .. } => "composed",
            Self::Parallel { .. } => "parallel",
        }
    }
}

/// How batches of a fixed size are drawn.
fn fixed_size(
    size: u64,
    batch: u64,
    replacement: bool,
    neighbours: Neighbouring,
) -> Result<Sampling, AccountError> {
    let (n, m) = (size as f64, batch as f64);
    AccountError::check(size > 0, "size", n, "must be > 0")?;
    if replacement {
        return Ok(Sampling::WithReplacement { draws: batch, size });
    }
    AccountError::check(batch <= size, "batch", m, "must lie in [0, size]")?;
    if batch == size && neighbours == Neighbouring::AddRemove {
        return Err(AccountError::Unsupported {
            mechanism: "a batch of all records".into(),
            notion: "sampling",
            neighbours,
            why: ": the smaller of two neighbours has no batch of that size",
        });
    }
    if batch == size && neighbours == Neighbouring::ZeroOut {
        return Ok(Sampling::None);
    }
    let share = if batch == 0 { 0.0 } else { (m / n).next_up() };
    Ok(Sampling::FixedSize(share.min(1.0)))
}

fn poisson(rate: f64, neighbours: Neighbouring) -> Result<Sampling, AccountError> {
    let rule = "must lie in [0, 1]";
    AccountError::check((0.0..=1.0).contains(&rate), "sampling rate", rate, rule)?;
    // A record that is always there is not sampled; one that is replaced leaves and comes.
    let all = rate == 1.0 && neighbours != Neighbouring::ReplaceOne;
    Ok(if all {
        Sampling::None
    } else {
        Sampling::Poisson(rate)
    })
}

/// Poisson's where no sample is too large, a batch of fixed size where all are.
fn truncated_poisson(
    rate: f64,
    (cap, records): (u64, u64),
    neighbours: Neighbouring,
) -> Result<Sampling, AccountError> {
    AccountError::check(records > 0, "records", records as f64, "must be > 0")?;
    let whole = poisson(rate, neighbours)?;
    if cap >= records || rate == 0.0 {
        return Ok(whole);
    }
    if rate == 1.0 {
        return fixed_size(records, cap, false, neighbours);
    }
    Ok(Sampling::TruncatedPoisson { rate, cap, records })
}

fn limited(all: Vec<Vec<Step>>) -> Result<Vec<Vec<Step>>, AccountError> {
    let steps: usize = all.iter().map(Vec::len).sum();
    if all.len() > BRANCHES_MAX || steps > STEPS_MAX {
        return Err(AccountError::Event(format!(
            "more than {BRANCHES_MAX} parallel alternatives or {STEPS_MAX} steps"
        )));
    }
    Ok(all)
}

fn product(left: Vec<Vec<Step>>, right: &[Vec<Step>]) -> Result<Vec<Vec<Step>>, AccountError> {
    if left.len() * right.len() > BRANCHES_MAX {
        return limited(vec![Vec::new(); BRANCHES_MAX + 1]);
    }
    let joined = left
        .iter()
        .flat_map(|a| {
            right
                .iter()
                .map(move |b| [a.as_slice(), b.as_slice()].concat())
        })
        .collect();
    limited(joined)
}

/// Adds the counts of equal steps.
fn merge(steps: &mut Vec<Step>) -> Result<(), AccountError> {
    let mut merged: Vec<Step> = Vec::new();
    for step in steps.drain(..).filter(|s| s.count > 0) {
        match merged
            .iter_mut()
            .find(|m| m.mechanism == step.mechanism && m.sampling == step.sampling)
        {
            Some(m) => m.count = m.count.saturating_add(step.count),
            None => merged.push(step),
        }
    }
    let total = merged
        .iter()
        .fold(0u64, |sum, s| sum.saturating_add(s.count));
    if total > COUNT_MAX {
        return Err(AccountError::TooCostly {
            what: "the composition",
            needed: total as f64,
            limit: COUNT_MAX as f64,
            unit: "mechanisms",
        });
    }
    *steps = merged;
    Ok(())
}
