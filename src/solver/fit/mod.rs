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

mod bounds;
mod budget;
mod centre;
mod decor;
mod defaults;
mod error;
mod estimate;
mod fitted;
pub(crate) mod frame;
mod methods;
mod metrics;
mod model;
mod outcome;
mod regression;
mod request;
pub(crate) mod setup;
mod several;
mod stream;
mod theorem;
mod tune;

pub use crate::problem::loss::LossName;
use crate::problem::optimum::optimum;
use crate::problem::{Dataset, Problem};
use crate::units::Neighbouring;
use std::sync::Arc;
use std::time::Instant;

pub use bounds::Bounds;
pub use budget::part_of;
pub use centre::Centre;
pub use defaults::{Asked, CLASSES, Facts, NUMBERS, Row};
pub use error::FitError;
pub use estimate::Estimate;
pub use fitted::{Comparison, Fitted, Privacy, Weights};
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

use budget::Spent;
use fitted::SCHEMA;
use outcome::Outcome;

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
            let choice = "held-out records and columns scaled by their own data: say --bounds FILE or --bound";
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
    let said = warnings(
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
        warnings: said,
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

/// The names of more than two classes.
fn several_classes(data: &Dataset, request: &Request) -> Vec<String> {
    let names = data.classes().unwrap_or_default();
    match request.loss {
        LossName::Logistic if names.len() > 2 => names.to_vec(),
        _ => Vec::new(),
    }
}

/// The data as a solver sees them, and what was released to see them so.
struct Released {
    framed: Arc<Dataset>,
    /// The request, with the ranges that were released.
    asked: Request,
    /// The same with what is left of the budget.
    rest: Request,
    spent: Spent,
    bounds: Option<Bounds>,
    centre: Option<Centre>,
}

fn released(data: Dataset, request: &Request) -> Result<Released, FitError> {
    if request.method == Method::Ssgd && (request.bounds != 0.0 || request.centre != 0.0) {
        let choice =
            "private ranges or a private centre: the shuffling of its steps takes the whole delta";
        return Err(outcome::unsupported(request, choice.into()));
    }
    let mut spent = Spent::nothing(request);
    let mut asked = request.clone();
    let left = |request: &Request, taken: f64| -> Result<Request, FitError> {
        Ok(Request {
            epsilon: part_of((request.epsilon, request.delta), 1.0 - taken)?,
            ..request.clone()
        })
    };
    let mut bounds = None;
    let mut rest = asked.clone();
    if request.bounds != 0.0 {
        let found = Bounds::new(&data, request)?;
        spent.add(found.event());
        asked = found.applied(asked);
        rest = left(&asked, request.bounds)?;
        bounds = Some(found);
    }
    let (framed, centre) = setup::features(data, &rest)?;
    if let Some(centre) = &centre {
        spent.add(centre.event());
        rest = left(&rest, request.centre)?;
    }
    Ok(Released {
        framed: Arc::new(framed),
        asked,
        rest,
        spent,
        bounds,
        centre,
    })
}

/// What the method gives: one outcome, or one for each of several classes.
struct Solved {
    outcomes: Vec<Outcome>,
    privacy: Privacy,
    /// Of one outcome.
    problem: Option<Problem>,
    users: Option<Users>,
    utility: Option<Utility>,
}

fn solve(released: &Released, classes: usize, progress: Progress<'_>) -> Result<Solved, FitError> {
    let Released {
        framed,
        asked,
        rest,
        spent,
        ..
    } = released;
    if classes > 0 {
        let outcomes = several::run(framed, classes, rest, spent, progress)?;
        return Ok(Solved {
            privacy: spent.added_to(several::together(&outcomes), asked)?,
            outcomes,
            problem: None,
            users: None,
            utility: None,
        });
    }
    let setup::Ready { problem, estimate } = setup::problem(Arc::clone(framed), rest)?;
    let before = spent.before();
    let rest = match &estimate {
        None => rest.clone(),
        Some(_) if before.is_some() || asked.tune > 0 => {
            let choice = "a private estimate of smoothness beside a private centre, private ranges or tuning";
            return Err(outcome::unsupported(asked, choice.into()));
        }
        Some(estimate) => estimate.rest(rest)?,
    };
    let (mut users, mut utility, mut tuning) = (None, None, None);
    let outcome = match (rest.schedule, rest.method) {
        _ if rest.tune > 0 => {
            let (outcome, told) = tune::run(&problem, &rest, spent)?;
            tuning = Some(told);
            outcome
        }
        (ScheduleName::Theorem, _) => {
            let found = theorem::run(&problem, &rest, progress)?;
            (users, utility) = (found.1, Some(found.2));
            found.0
        }
        (ScheduleName::Practical, Method::Decor) => {
            let found = decor::run(&problem, &rest, progress)?;
            users = Some(found.1);
            found.0
        }
        (ScheduleName::Practical, _) => methods::run(&problem, &rest, before.as_ref(), progress)?,
    };
    let own = outcome.privacy.clone();
    let privacy = match estimate {
        Some(estimate) => estimate.added_to(own, asked)?,
        // A method that is alone says itself what it spends.
        None if before.is_none() && tuning.is_none() => own,
        None => spent.added_to(own, asked)?,
    };
    Ok(Solved {
        outcomes: vec![outcome],
        privacy: Privacy { tuning, ..privacy },
        problem: Some(problem),
        users,
        utility,
    })
}

/// What a reader must not miss, by public facts and by what was measured; n is one under replace-one neighbours.
fn warnings(
    request: &Request,
    (records, features, classes): (usize, usize, usize),
    metrics: Option<&Metrics>,
) -> Vec<String> {
    let facts = Facts {
        records,
        features,
        nonzeros: request.nonzeros,
        loss: request.loss,
        budget: (request.epsilon, request.delta),
    };
    // Without a part of the budget there would be no fit to warn of.
    let facts = facts.for_classes(classes).unwrap_or(facts);
    let mut warnings: Vec<String> = facts.warning(request).into_iter().collect();
    if request.neighbours == Neighbouring::AddRemove {
        let text = "not private: the number of records, in which add-remove neighbours differ; do not publish it";
        warnings.push(text.into());
    }
    if let Some(metrics) = metrics.filter(|m| m.gain <= 0.0) {
        warnings.push(format!(
            "not private: no better than a constant on the {} records held out ({:+.4})",
            metrics.records, metrics.gain
        ));
    }
    warnings
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
