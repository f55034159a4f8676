//! A private linear model from a data set, with everything that the guarantee rests on echoed.
//!
//! [`Request::new`] holds the defaults: replace-one neighbours, clipping level 1, the passes of
//! [`Method::default_passes`], and smoothness constants that do not look at the data. For these every feature is moved
//! into \[−B, B\], B = 1, record by record, so that M_j = sup ℓ″·B² + ridge holds for any data.
//!
//! ```
//! use dp_assay::prelude::*;
//! use dp_assay::solver::fit::Method;
//!
//! let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
//! let request = Request::new(Method::Skgd, LossName::Logistic, budget);
//! let fitted = fit(Dataset::breast_cancer(), &request)?;
//! assert_eq!(fitted.coefficients.len(), 30);
//! assert!(fitted.privacy.epsilon_upper <= 1.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod decor;
mod estimate;
mod methods;
mod regression;
mod setup;
mod stream;

use super::baseline::adassp;
use super::decor::network::NetworkError;
use super::decor::{RunError, SplitError};
use super::{ambssgd, gcd, skgd};
use crate::accounting::decor::DecorError;
use crate::accounting::{AccountError, Event};
use crate::problem::constants::ConstantsError;
use crate::problem::dataset::DatasetError;
pub use crate::problem::loss::LossName;
use crate::problem::optimum::optimum;
use crate::problem::{Dataset, Problem, ProblemError};
use crate::units::{Delta, Epsilon, Neighbouring};
use serde::{Deserialize, Serialize};
use std::time::Instant;

pub use decor::{Decentralised, NoiseName, Users};
pub use estimate::Estimate;
pub use stream::{Survey, fit_stream};

/// Name and version of the layout of [`Fitted`] (`spec/formats/fit.md`).
const SCHEMA: &str = "dp-assay/fit/1";

/// What to fit, and how.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Request {
    /// The method.
    pub method: Method,
    /// The loss.
    pub loss: LossName,
    /// ν of (ν/2)‖w‖² in f.
    pub ridge: f64,
    /// Weight of ‖w‖₁; 0 for none.
    pub l1: f64,
    /// ε.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub epsilon: Epsilon,
    /// δ.
    #[cfg_attr(feature = "cli", schemars(with = "f64"))]
    pub delta: Delta,
    /// When two data sets are neighbours.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// Clipping level C: the radius for a whole gradient. A set U of coordinates gets its share,
    /// C √(Σ_{j∈U} M_j / Tr(M)).
    pub clip: f64,
    /// B: features are moved into \[−B, B\].
    pub bound: f64,
    /// What is done to the columns before.
    pub scaling: Scaling,
    /// Where M_j comes from.
    pub smoothness: Smoothness,
    /// The part of ε and δ that a private estimate of M_j gets.
    pub share: f64,
    /// The word of the caller that what is computed from the data by `scaling` and `smoothness` is public.
    pub public: bool,
    /// How often every partial derivative is looked at, on average.
    pub passes: f64,
    /// T, the number of averages of DP-SkGD, DP-CD and gradient descent.
    pub rounds: usize,
    /// Factor on the default step sizes.
    pub step: f64,
    /// How DP-SkGD draws sets.
    pub sampling: SamplingName,
    /// How DP-SGD draws batches.
    pub batch: BatchName,
    /// DP-SGD: the (expected) part of the records in a batch; DP-AMBSSGD: the part in a block.
    pub rate: f64,
    /// How the noise follows from the budget.
    pub calibration: CalibrationName,
    /// The seed of the noise tape.
    pub seed: u64,
    /// Whether to compare with the non-private optimum, which is **not private**.
    pub compare: bool,
    /// What DECOR needs besides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decentralised: Option<Decentralised>,
}

/// The methods.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// DP-SkGD.
    Skgd,
    /// DP-CD.
    DpCd,
    /// DP-SGD.
    DpSgd,
    /// Noisy full gradient descent.
    Gd,
    /// DP-GCD.
    Gcd,
    /// DP-AMBSSGD: linear regression in one pass, with private clipping norms.
    Ambssgd,
    /// DP-SSGD: linear regression in one shuffled pass.
    Ssgd,
    /// AdaSSP: linear regression from noisy sufficient statistics.
    Adassp,
    /// DECOR: records dealt out among users who exchange noisy models.
    Decor,
}

/// What is done to the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Scaling {
    /// Nothing.
    None,
    /// Mean 0, deviation 1: looks at the data.
    Standardise,
    /// Largest modulus 1: looks at the data.
    MaxAbs,
}

/// Where M_j comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Smoothness {
    /// From the bound on features, whatever the data.
    Bound,
    /// From the columns: looks at the data.
    Data,
    /// From the columns, released with noise: [`Request::share`] of the budget pays for it.
    Private,
}

/// How DP-SkGD draws sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum SamplingName {
    /// All coordinates.
    Full,
    /// One, uniformly.
    Uniform,
    /// One, with probability ∝ M_j.
    Importance,
    /// One of the blocks of this many consecutive coordinates.
    Blocks(usize),
    /// One of these blocks, with probability ∝ its largest M_j.
    ImportanceBlocks(usize),
    /// This many, uniformly.
    Nice(usize),
}

/// How DP-SGD draws batches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum BatchName {
    /// Every record on its own.
    Poisson,
    /// A fixed number.
    FixedSize,
}

/// How the noise follows from the budget.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum CalibrationName {
    /// The one that the ledger proves: `Tight` for Gaussian noise, `Repaired` for DP-GCD.
    Default,
    /// As printed in the method's paper.
    Printed,
    /// Gaussian noise by the best Rényi order.
    BestOrder,
    /// Gaussian noise by the exact profile or the accountant.
    Tight,
    /// DP-GCD's repaired scales.
    Repaired,
}

/// A fitted model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fitted {
    /// Name and version of this layout.
    pub schema: &'static str,
    /// What was asked, defaults included.
    pub request: Request,
    /// Number of records n.
    pub records: usize,
    /// Number of features p.
    pub features: usize,
    /// The released coefficients.
    pub coefficients: Vec<f64>,
    /// What they cost.
    pub privacy: Privacy,
    /// Noisy answers in inner steps K and rounds T.
    pub lengths: (usize, usize),
    /// Whether the records were read from their file one after another, none kept.
    pub streamed: bool,
    /// Seconds that setting up, the solver and its account took.
    pub seconds: f64,
    /// How the users of DECOR end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Users>,
    /// Present only if asked for. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_private: Option<Comparison>,
}

/// The guarantee, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Privacy {
    /// ε spent, as bounded by the accountant or the calibration.
    pub epsilon_upper: f64,
    /// δ.
    pub delta: f64,
    /// The relation.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// What is covered: the transcript, of which the coefficients are a function.
    pub release: &'static str,
    /// The claim of the ledger that the noise rests on, where the method's paper is in it.
    pub claim: Option<&'static str>,
    /// The accountant's theorems.
    pub theorem: String,
    /// The noise's law.
    pub noise: &'static str,
    /// Its scales: standard deviations, or Laplace scales; one per coordinate or one for all.
    pub scales: Vec<f64>,
    /// What was released, as `dp-assay account` reads it, where the guarantee is the accountant's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<Event>,
    /// The private estimate of M_j that went before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
}

/// A model beside the non-private optimum. **Not private.**
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// F at the coefficients.
    pub objective: f64,
    /// F at the optimum.
    pub optimum: f64,
    /// How far below that the true minimum may be; absent if there is no bound.
    pub optimum_gap_upper: Option<f64>,
    /// (objective − optimum)/|optimum|.
    pub relative_error: f64,
    /// Share of records classified correctly, for two classes.
    pub accuracy: Option<f64>,
}

/// Why there is no model.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// Something computed from the data without leave.
    #[error(
        "{0} looks at the data, so that step sizes and noise would reveal it: state that it is public (--public), \
         have smoothness estimated privately (--smoothness private), or choose another"
    )]
    NotPublic(&'static str),
    /// A number outside its domain.
    #[error("{what} = {value} must be {rule}")]
    Value {
        /// The number's name.
        what: &'static str,
        /// The number.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A model that has left the range in which its scores mean anything.
    #[error(
        "{method} diverged: records may have scores up to {score:e}, which must be below {limit:e} for the {loss} loss \
         to be a number with a digit; shorten the steps (--step) or raise epsilon"
    )]
    Diverged {
        /// The method.
        method: &'static str,
        /// B‖w‖₁, the largest score that a record may have.
        score: f64,
        /// Where scores end to mean anything.
        limit: f64,
        /// The loss.
        loss: &'static str,
    },
    /// A choice that the method does not have.
    #[error("{method} does not go with {choice}")]
    Unsupported {
        /// The method.
        method: &'static str,
        /// The choice.
        choice: String,
    },
    /// Bad data.
    #[error(transparent)]
    Data(#[from] DatasetError),
    /// Data that do not fit the loss.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// Bad constants.
    #[error(transparent)]
    Constants(#[from] ConstantsError),
    /// Bad sets.
    #[error(transparent)]
    Sampling(#[from] skgd::SamplingError),
    /// No Gaussian scales.
    #[error(transparent)]
    Gaussian(#[from] skgd::CalibrationError),
    /// No Laplace scales.
    #[error(transparent)]
    Laplace(#[from] gcd::CalibrationError),
    /// The accountant has no answer.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// The run left the doubles.
    #[error(transparent)]
    Run(#[from] skgd::RunError),
    /// The run left the doubles.
    #[error(transparent)]
    Greedy(#[from] gcd::RunError),
    /// No multiplier for one pass.
    #[error(transparent)]
    Multiplier(#[from] ambssgd::calibration::CalibrationError),
    /// Bad inputs of one pass.
    #[error(transparent)]
    OnePassInput(#[from] ambssgd::ConfigError),
    /// One pass left the doubles.
    #[error(transparent)]
    OnePass(#[from] ambssgd::RunError),
    /// No fit from statistics.
    #[error(transparent)]
    Statistics(#[from] adassp::FitError),
    /// No noise for DECOR.
    #[error(transparent)]
    Decor(#[from] DecorError),
    /// Records that cannot be dealt out.
    #[error(transparent)]
    Split(#[from] SplitError),
    /// Users that cannot run, or left the doubles.
    #[error(transparent)]
    Users(#[from] RunError),
    /// Users that died or lagged.
    #[error(transparent)]
    Network(#[from] NetworkError),
}

impl Method {
    /// The spelling in flags and results.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Skgd => "skgd",
            Self::DpCd => "dp-cd",
            Self::DpSgd => "dp-sgd",
            Self::Gd => "gd",
            Self::Gcd => "gcd",
            Self::Ambssgd => "ambssgd",
            Self::Ssgd => "ssgd",
            Self::Adassp => "adassp",
            Self::Decor => "decor",
        }
    }

    /// Passes over the partial derivatives unless told otherwise: few, since every one costs noise. A
    /// greedy step looks at all of them.
    #[must_use]
    pub const fn default_passes(self) -> f64 {
        match self {
            Self::Skgd | Self::DpCd => 5.0,
            Self::DpSgd | Self::Gd => 20.0,
            Self::Gcd => 10.0,
            Self::Ambssgd | Self::Ssgd | Self::Adassp => 1.0,
            Self::Decor => 50.0,
        }
    }

    /// The relation unless told otherwise.
    #[must_use]
    pub const fn default_neighbours(self) -> Neighbouring {
        match self {
            Self::Decor => Neighbouring::User,
            _ => Neighbouring::ReplaceOne,
        }
    }
}

impl Request {
    /// The defaults for a method, a loss and a budget.
    #[must_use]
    pub fn new(method: Method, loss: LossName, (epsilon, delta): (Epsilon, Delta)) -> Self {
        Self {
            method,
            loss,
            ridge: 0.0,
            l1: 0.0,
            epsilon,
            delta,
            neighbours: method.default_neighbours(),
            clip: 1.0,
            bound: 1.0,
            scaling: Scaling::None,
            smoothness: Smoothness::Bound,
            share: 0.1,
            public: false,
            passes: method.default_passes(),
            rounds: 1,
            step: 1.0,
            sampling: SamplingName::Uniform,
            batch: BatchName::Poisson,
            rate: 0.1,
            calibration: CalibrationName::Default,
            seed: 0,
            compare: false,
            decentralised: None,
        }
    }
}

/// Fits a model.
///
/// # Errors
/// If the data do not fit the loss, a number is outside its domain, something computed from the data was
/// not stated to be public, no noise meets the budget, or the coefficients are too large to mean anything.
pub fn fit(data: Dataset, request: &Request) -> Result<Fitted, FitError> {
    let start = Instant::now();
    let (problem, estimate) = setup::problem(data, request)?;
    let rest = match &estimate {
        Some(estimate) => estimate.rest(request)?,
        None => request.clone(),
    };
    let (outcome, users) = match request.method {
        Method::Decor => {
            let (outcome, users) = decor::run(&problem, &rest)?;
            (outcome, Some(users))
        }
        _ => (methods::run(&problem, &rest)?, None),
    };
    let privacy = match estimate {
        Some(estimate) => estimate.added_to(outcome.privacy, request)?,
        None => outcome.privacy,
    };
    setup::check_scores(&outcome.coefficients, request)?;
    let seconds = start.elapsed().as_secs_f64();
    Ok(Fitted {
        schema: SCHEMA,
        request: request.clone(),
        records: problem.records(),
        features: problem.features(),
        not_private: request
            .compare
            .then(|| compare(&problem, &outcome.coefficients, request)),
        coefficients: outcome.coefficients,
        privacy,
        lengths: outcome.lengths,
        streamed: false,
        seconds,
        users,
    })
}

fn compare(problem: &Problem, coefficients: &[f64], request: &Request) -> Comparison {
    let best = optimum(problem, 1e-9, 100);
    let objective = problem.objective(coefficients);
    Comparison {
        objective,
        optimum: best.objective,
        optimum_gap_upper: best.gap_upper.is_finite().then_some(best.gap_upper),
        relative_error: (objective - best.objective) / best.objective.abs(),
        accuracy: (request.loss == LossName::Logistic).then(|| problem.accuracy(coefficients)),
    }
}
