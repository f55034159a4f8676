//! A private linear model from a data set, with everything that the guarantee rests on echoed; and in [`kl`] a private point of a
//! loss that need not be convex.
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

mod bounds;
mod budget;
mod centre;
mod decor;
mod defaults;
mod error;
mod estimate;
pub(crate) mod frame;
pub mod kl;
mod methods;
mod metrics;
mod model;
mod normal;
mod outcome;
mod regression;
mod request;
pub(crate) mod setup;
mod several;
mod solve;
mod stream;
#[cfg(test)]
mod tests;
mod theorem;
mod tune;

use crate::accounting::{Claims, Event};
pub use crate::problem::loss::LossName;
use crate::problem::optimum::optimum;
use crate::problem::{Dataset, Problem};
use crate::units::Neighbouring;
use serde::{Deserialize, Serialize};
use std::time::Instant;

pub use bounds::Bounds;
pub use budget::part_of;
pub use centre::Centre;
pub use defaults::{Asked, CLASSES, Facts, NUMBERS, Row};
pub use error::FitError;
pub use estimate::Estimate;
pub use frame::Preprocessing;
pub use metrics::{Held, Metrics, Origin, Quality, class, split};
pub use model::{Model, ModelError, Prediction};
pub use outcome::{Users, Utility};
pub use request::{
    BatchName, CalibrationName, Decentralised, Method, NoiseName, Request, SamplingName, Scaling,
    ScheduleName, Smoothness,
};
pub use stream::{Survey, fit_stream};
pub use tune::Tuning;

use outcome::Outcome;
use solve::{Solved, released, several_classes, solve};

/// Name and version of the layout of [`Fitted`] (`spec/formats/fit.md`).
const SCHEMA: &str = "dp-assay/fit/1";

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
    /// Names of the features, where the file has a header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// Why the method and its numbers are what they are, where a rule chose them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defaults: Vec<String>,
    /// Why the model may be no better than a constant by public facts, what is public on the caller's word alone, and that the
    /// last digits are outside of the guarantee. The caller adds what the reading of the data has told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What is for who fits alone, and in no model: what was measured on held-out records, and under add-remove neighbours what
    /// tells n. The caller adds exact counts, and what the seed gives away. **Not private.**
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub confidential: Vec<String>,
    /// The released coefficients, p of them, in the units of the file.
    pub coefficients: Vec<f64>,
    /// The released intercept, in the units of the targets; 0 where the request has none and ranges make none.
    pub intercept: f64,
    /// The classes, where there are more than two: coefficients and intercept are then those that tell the first one from the
    /// rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The coefficients and intercepts that tell each class after the first from the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Weights>,
    /// What they cost.
    pub privacy: Privacy,
    /// A bound on the excess risk, with the schedule of a theorem; the practical one has no claim on utility.
    pub utility: Option<Utility>,
    /// Noisy answers in inner steps K and rounds T.
    pub lengths: (usize, usize),
    /// Whether the records were read from their file one after another, none kept.
    pub streamed: bool,
    /// Seconds that setting up, the solver and its account took; none where settings were tuned, for the time tells how many
    /// runs there were, and their number must stay hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How the users of DECOR end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Users>,
    /// Present only if records were held out. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
    /// Present only if asked for. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_private: Option<Comparison>,
}

/// The weights of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Weights {
    /// One for each feature.
    pub coefficients: Vec<f64>,
    /// What is added.
    pub intercept: f64,
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
    /// The claim of the ledger on the method that the guarantee rests on.
    pub claim: &'static str,
    /// The claims that its account rests on.
    pub claims: Claims,
    /// The printed claim by which the scales were chosen, where the ledger refutes it: the guarantee does not rest on
    /// it, and is what the accountant says of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted: Option<&'static str>,
    /// The accountant's theorems.
    pub theorem: String,
    /// The noise's law.
    pub noise: &'static str,
    /// Its scales: standard deviations, or Laplace scales; one per coordinate or one for all.
    pub scales: Vec<f64>,
    /// What was released, as `dp-assay account` reads it: `epsilon_upper` is what it says of it.
    pub event: Event,
    /// The private estimate of M_j that went before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The private centre of the features that went before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centre: Option<Centre>,
    /// The private ranges that went before, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// The private choice of settings, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
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

/// Called with the number of steps taken, and the number of all.
pub type Progress<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

/// Fits a model.
///
/// ```
/// use dp_assay::prelude::*;
/// use dp_assay::solver::fit::Method;
///
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let request = Request::new(Method::Gd, LossName::Logistic, budget);
/// let once = fit(Dataset::breast_cancer(), &request)?;
/// assert_eq!(once.coefficients, fit(Dataset::breast_cancer(), &request)?.coefficients); // the same seed
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the data do not fit the loss, a number is outside its domain, something computed from the data was
/// not stated to be public, no noise meets the budget, or the coefficients are too large to mean anything.
pub fn fit(data: Dataset, request: &Request) -> Result<Fitted, FitError> {
    fit_watched(data, request, &mut |_, _| ())
}

/// As [`fit`]; `progress` is told from time to time how many steps were taken, and how many there are. What goes once
/// over the records, users in processes of their own, and runs whose number must stay hidden (`request.tune`) tell nothing.
///
/// ```
/// use dp_assay::prelude::*;
/// use dp_assay::solver::fit::{Method, fit_watched};
///
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let request = Request::new(Method::Skgd, LossName::Logistic, budget);
/// let mut most = 0_u64; // the largest part of the way that was told, in percent
/// fit_watched(Dataset::breast_cancer(), &request, &mut |taken, all| most = most.max(100 * taken / all.max(1)))?;
/// assert!((90..=100).contains(&most));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit`].
pub fn fit_watched(
    data: Dataset,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Fitted, FitError> {
    fit_measured(data, None, request, progress)
}

/// As [`fit_watched`]; with held-out records the result carries [`Metrics`], which are **not private**.
///
/// ```
/// use dp_assay::prelude::*;
/// use dp_assay::solver::fit::{Method, fit_measured, split};
///
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let request = Request::new(Method::Gd, LossName::Logistic, budget);
/// let (train, held) = split(&Dataset::breast_cancer(), 0.2, 0)?;
/// let metrics = fit_measured(train, Some(&held), &request, &mut |_, _| ())?.metrics.expect("records were held out");
/// assert_eq!((metrics.records, metrics.model.private), (114, false));
/// assert!(metrics.constant.accuracy > Some(0.5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`fit`]; if nothing can be measured on the held-out records.
pub fn fit_measured(
    data: Dataset,
    held: Option<&Held>,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Fitted, FitError> {
    if let Some(held) = held {
        metrics::check(held, &data, request)?;
        if request.scaling != Scaling::None {
            let choice = "held-out records and columns scaled by their own data: say --bounds FILE \
                          or --bound";
            return Err(outcome::unsupported(request, choice.into()));
        }
    }
    setup::check(request)?;
    let (features, train) = (data.features(), held.map(|_| data.clone()));
    let classes = several_classes(&data, request);
    let start = Instant::now();
    let released = released(data, request)?;
    let asked = &released.asked;
    let solved = solve(&released, classes.len(), progress)?;
    for outcome in &solved.outcomes {
        setup::check_scores(&outcome.coefficients, asked)?;
    }
    let seconds = (asked.tune == 0).then(|| start.elapsed().as_secs_f64());
    let Solved {
        outcomes,
        mut privacy,
        users,
        utility,
        ..
    } = solved;
    let not_private = match (request.compare, &solved.problem) {
        (true, Some(problem)) => Some(compare(problem, &outcomes[0].coefficients, asked)),
        _ => None,
    };
    let lengths = outcomes[0].lengths;
    let weights = |outcome: Outcome| {
        let (coefficients, intercept) =
            frame::unframed(outcome.coefficients, asked, released.centre.as_ref());
        Weights {
            coefficients,
            intercept,
        }
    };
    let mut weights: Vec<Weights> = outcomes.into_iter().map(weights).collect();
    let measured =
        |(held, train): (&Held, Dataset)| metrics::metrics(held, &train, &weights, asked);
    let metrics = held.zip(train).map(measured).transpose()?;
    let others = weights.split_off(1);
    let first = weights.swap_remove(0);
    let records = released.framed.records();
    let (warnings, confidential) = warnings(
        request,
        (records, features, classes.len()),
        metrics.as_ref(),
    );
    privacy.centre = released.centre;
    privacy.bounds = released.bounds;
    Ok(Fitted {
        schema: SCHEMA,
        request: released.asked,
        records,
        features,
        names: None,
        defaults: Vec::new(),
        warnings,
        confidential,
        metrics,
        not_private,
        coefficients: first.coefficients,
        intercept: first.intercept,
        classes,
        others,
        privacy,
        utility,
        lengths,
        streamed: false,
        seconds,
        users,
    })
}

/// That noise is drawn from doubles and sums are rounded, of which no theorem on the noise says anything.
const ARITHMETIC: &str = "the guarantee is of exact arithmetic: noise and sums are of doubles, and \
                          the last digits of what is released are outside of it";

/// What a reader must not miss, by public facts, and what is for who fits alone: n is public under replace-one neighbours.
fn warnings(
    request: &Request,
    (records, features, classes): (usize, usize, usize),
    metrics: Option<&Metrics>,
) -> (Vec<String>, Vec<String>) {
    let facts = Facts {
        records,
        features,
        nonzeros: request.nonzeros,
        loss: request.loss,
        budget: (request.epsilon, request.delta),
    };
    // Without a part of the budget there would be no fit to warn of.
    let facts = facts.for_classes(classes).unwrap_or(facts);
    let (mut warnings, mut confidential) = (Vec::new(), Vec::new());
    let of_size = facts.warning(request).into_iter();
    let of_size = of_size.chain(lax(request.delta.get(), records));
    if request.neighbours == Neighbouring::AddRemove {
        confidential.extend(of_size);
        let text = "not private: the number of records, in which add-remove neighbours differ; do \
                    not publish it";
        confidential.push(text.into());
    } else {
        warnings.extend(of_size);
    }
    if let Some(metrics) = metrics.filter(|m| m.gain <= 0.0) {
        confidential.push(format!(
            "not private: no better than a constant on the {} records held out ({:+.4})",
            metrics.records, metrics.gain
        ));
    }
    warnings.extend(stated(request));
    warnings.push(ARITHMETIC.into());
    (warnings, confidential)
}

/// What was computed from the records, on the caller's word that it is public.
fn stated(request: &Request) -> Option<String> {
    let scales = match request.scaling {
        Scaling::None => None,
        Scaling::Standardise => Some("means and deviations of the columns"),
        Scaling::MaxAbs => Some("the largest values of the columns"),
    };
    let squares = (request.smoothness == Smoothness::Data)
        .then_some("mean squares of the columns, from which steps and noise follow");
    let all: Vec<&str> = scales.into_iter().chain(squares).collect();
    (!all.is_empty()).then(|| {
        let all = all.join(" and ");
        format!("not private unless they are, as was stated, public: {all}")
    })
}

/// Why a δ promises little, if it does.
fn lax(delta: f64, records: usize) -> Option<String> {
    // δ of the default for fewer than 32 records.
    const LARGE: f64 = 1e-3;
    let n = records as f64;
    if delta * n >= 1.0 {
        return Some(format!(
            "delta = {delta:e} is at least 1/n = {:e}: whoever publishes one of the records, drawn \
             at random, keeps to it with any epsilon; the default of --delta is 1/n^2",
            1.0 / n
        ));
    }
    (delta > LARGE).then(|| {
        format!(
            "delta = {delta:e} is above {LARGE:e}: with that probability all of the records may be \
             published; of {records} records 1/n^2, the default, is no small number: state a \
             smaller one with --delta"
        )
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
