//! The problem of a request: features bounded, constants known without the data or stated to be public.

use super::{Estimate, FitError, LossName, Request, Scaling, Smoothness, frame};
use crate::problem::dataset::DatasetError;
use crate::problem::{Constants, Dataset, Problem, Regulariser, scaling};

/// Checks the numbers of the request and builds its problem; with the private estimate that its constants come
/// from, if that was asked for.
pub(super) fn problem(
    data: Dataset,
    request: &Request,
) -> Result<(Problem, Option<Estimate>), FitError> {
    check(request)?;
    let scaled = match request.scaling {
        Scaling::None => data,
        Scaling::Standardise => scaling::standardised(&data).map_err(DatasetError::from)?,
        Scaling::MaxAbs => scaling::max_abs_scaled(&data).map_err(DatasetError::from)?,
    };
    let framed = frame::framed(&scaled, request)?;
    let psi = match request.l1 {
        0.0 => Regulariser::None,
        weight => Regulariser::L1(weight),
    };
    let problem = Problem::named(framed, request.loss, psi)?.with_ridge(request.ridge)?;
    let constants = match request.smoothness {
        Smoothness::Data => problem.constants().clone().stated_public(),
        Smoothness::Private => {
            let estimate = Estimate::new(&problem, request)?;
            return Ok((estimate.applied(problem, request)?, Some(estimate)));
        }
        Smoothness::Bound => {
            let p = problem.features();
            let m = problem.loss().curvature() * request.bound * request.bound + request.ridge;
            let l = problem.loss().slope() * request.bound;
            Constants::new(vec![l; p], vec![m; p])?
        }
    };
    Ok((problem.with_constants(constants)?, None))
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
    let positive = [
        ("clip", request.clip),
        ("bound", request.bound),
        ("passes", request.passes),
        ("step", request.step),
    ];
    for (what, value) in positive {
        if !(value.is_finite() && value > 0.0) {
            let rule = "finite and > 0";
            return Err(FitError::Value { what, value, rule });
        }
    }
    if !(request.rate > 0.0 && request.rate <= 1.0) {
        return Err(FitError::Value {
            what: "rate",
            value: request.rate,
            rule: "in (0, 1]",
        });
    }
    Ok(())
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
    let score = request.bound * coefficients.iter().map(|w| w.abs()).sum::<f64>();
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
