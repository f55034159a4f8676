//! The problem of a request: features bounded, constants known without the data or stated to be public.

use super::outcome::unsupported;
use super::{Centre, Estimate, FitError, LossName, Request, Scaling, Smoothness, frame};
use crate::problem::dataset::DatasetError;
use crate::problem::rows::LARGEST;
use crate::problem::{Constants, Dataset, Problem, Regulariser, scaling};
use crate::units::{OutOfDomain, feature_bound, positive};
use std::sync::Arc;

/// A problem, and what was released to build it.
pub(super) struct Ready {
    pub(super) problem: Problem,
    /// The private estimate that its constants come from, if that was asked for.
    pub(super) estimate: Option<Estimate>,
}

/// The data as a solver sees them, and the private centre of their features, if that was asked for.
pub(super) fn features(
    data: Dataset,
    request: &Request,
) -> Result<(Dataset, Option<Centre>), FitError> {
    let scaled = match request.scaling {
        Scaling::None => data,
        Scaling::Standardise => scaling::standardised(&data).map_err(DatasetError::from)?,
        Scaling::MaxAbs => scaling::max_abs_scaled(&data).map_err(DatasetError::from)?,
    };
    let framed = frame::framed(&scaled, request)?;
    if request.centre == 0.0 {
        return Ok((framed, None));
    }
    let centre = Centre::new(&framed, request)?;
    Ok((centre.applied(&framed)?, Some(centre)))
}

/// The problem of a request on the data as a solver sees them.
pub(super) fn problem(
    framed: impl Into<Arc<Dataset>>,
    request: &Request,
) -> Result<Ready, FitError> {
    let problem = objective(framed, request)?;
    let constants = match request.smoothness {
        Smoothness::Data => problem.constants().clone().stated_public(),
        Smoothness::Private => {
            let estimate = Estimate::new(&problem, request)?;
            return Ok(Ready {
                problem: estimate.applied(problem, request)?,
                estimate: Some(estimate),
            });
        }
        Smoothness::Bound => {
            let (p, bound) = (problem.features(), request.reach());
            let m = problem.loss().curvature() * bound * bound + request.ridge;
            let l = problem.loss().slope() * bound;
            Constants::new(vec![l; p], vec![m; p])?
        }
    };
    Ok(Ready {
        problem: problem.with_constants(constants)?,
        estimate: None,
    })
}

/// The problem of a request without centre and public constants, for what is not private anyway.
pub(crate) fn plain(data: &Dataset, request: &Request) -> Result<Problem, FitError> {
    objective(frame::framed(data, request)?, request)
}

fn objective(framed: impl Into<Arc<Dataset>>, request: &Request) -> Result<Problem, FitError> {
    let psi = match request.l1 {
        0.0 => Regulariser::None,
        weight => Regulariser::L1(weight),
    };
    Ok(Problem::named(framed, request.loss, psi)?.with_ridge(request.ridge)?)
}

/// Checks the numbers of the request.
pub(super) fn check(request: &Request) -> Result<(), FitError> {
    let looks = [
        (
            request.scaling == Scaling::Standardise,
            "standardising columns",
        ),
        (request.scaling == Scaling::MaxAbs, "scaling columns to 1"),
        (
            request.smoothness == Smoothness::Data,
            "computing smoothness constants from columns",
        ),
    ];
    if let Some((_, what)) = looks.into_iter().find(|look| look.0 && !request.public) {
        return Err(FitError::NotPublic(what));
    }
    feature_bound(request.bound)?;
    // Before the clipping level, which may follow from it.
    let rate = request.rate;
    OutOfDomain::unless(rate > 0.0 && rate <= 1.0, "rate", rate, "in (0, 1]")?;
    positive("clip", request.clip)?;
    positive("passes", request.passes)?;
    positive("step", request.step)?;
    within("passes", request.passes)?;
    within("rounds", request.rounds as f64)?;
    OutOfDomain::unless(request.nonzeros != Some(0), "nonzeros", 0.0, "at least 1")?;
    if request.nonzeros.is_some() && !request.method.knows_zeros() {
        let choice = "nonzeros, of which only the steps of gd, dp-sgd and skgd make use";
        return Err(unsupported(request, choice.into()));
    }
    Ok(())
}

/// Most passes over the records, or averages of iterates, of a run.
pub(super) const LONGEST: f64 = 1e6;

fn within(name: &'static str, value: f64) -> Result<(), OutOfDomain> {
    let rule = "at most 1e6: all of them share the budget, and far fewer learn more";
    OutOfDomain::unless(value <= LONGEST, name, value, rule)
}

/// Whether so many entries can be kept, zeros too.
pub(super) fn kept(entries: f64) -> Result<(), OutOfDomain> {
    let rule = "at most 1e9, for all are kept";
    OutOfDomain::unless(entries <= LARGEST, "records times features", entries, rule)
}

/// Refuses coefficients for which the objective is no number, or one without a digit, whatever the data: it looks at
/// the release and the bound on features only.
///
/// Doubles of 2⁵³ or more are 2 or more apart, so that a logistic loss of such a score is not known to the ln 2 that
/// it is at w = 0. Real targets have no scale of their own: there the square of a score must be finite.
pub(super) fn check_scores(coefficients: &[f64], request: &Request) -> Result<(), FitError> {
    let (limit, loss) = match request.loss {
        LossName::Logistic => (2f64.powi(53), "logistic"),
        LossName::Squared => (f64::MAX.sqrt(), "squared"),
        LossName::Huber => (f64::MAX.sqrt(), "huber"),
    };
    let score = request.reach() * coefficients.iter().map(|w| w.abs()).sum::<f64>();
    if score < limit {
        return Ok(());
    }
    let method = request.method.name();
    Err(FitError::Diverged {
        method,
        score,
        limit,
        loss,
    })
}
