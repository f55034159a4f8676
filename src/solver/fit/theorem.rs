//! Fits by the corrected theorems: lengths, steps, noise and clipping are those of a claim of the ledger, and so is the
//! bound on the excess risk that is printed.
//!
//! A theorem's numbers may not look at the data, so that all it asks for is worked out here for one family: the logistic
//! loss with a ridge, on features that are moved into \[−B, B\]. There a record has norm √p·B at most, every loss is
//! Lipschitz and smooth with known constants, f(0) − f* ≤ log 2, and the ridge is the strong convexity. What does not
//! belong to the family, and a data set on which the bound is not below log 2, is refused with the reason: a theorem that
//! says nothing is no schedule. Linear regression in one pass has a family of its own (`normal`).

use super::methods;
use super::outcome::{Outcome, Users, Utility, refused, told, too_few, unsupported};
use super::{
    CalibrationName, FitError, LossName, Method, Progress, Request, SamplingName, Scaling,
    Smoothness, decor, normal, regression,
};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::rows::Source;
use crate::solver::{gcd, skgd};
use crate::units::Neighbouring;
use std::f64::consts::LN_2;

/// ζ: a bound with high probability may fail this often.
const FAILURE: f64 = 0.05;

/// Runs the request's method by its theorem.
pub(super) fn run(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<(Outcome, Option<Users>, Utility), FitError> {
    // The others are refused for their theorem, whatever the loss.
    if matches!(request.method, Method::Gcd | Method::Skgd | Method::Decor) {
        in_family(request)?;
    }
    match request.method {
        Method::Gcd => greedy(problem, request, progress),
        Method::Skgd => random_blocks(problem, request, progress),
        Method::Decor => decor::by_theorem(problem, request, progress),
        Method::Ambssgd | Method::Ssgd => {
            let run = |source: &mut dyn Source, n| normal::run_on(source, n, request);
            let (outcome, utility) = regression::on_records(problem, request, run)?;
            Ok((outcome, None, utility))
        }
        Method::DpCd | Method::DpSgd | Method::Gd | Method::Adassp => Err(refused(
            request,
            "none of the five papers is about it".into(),
        )),
    }
}

/// Checks that a request is of the family, and that it asks for no number that the theorem fixes.
fn in_family(request: &Request) -> Result<(), FitError> {
    let defaults = Request::new(
        request.method,
        request.loss,
        (request.epsilon, request.delta),
    );
    let calibrations = [CalibrationName::Default, CalibrationName::Corrected];
    let rules = [
        (
            request.l1 == 0.0 || request.method != Method::Gcd,
            "of its proximal steps (--l1) gcd-prox-priv-corrected shows the privacy alone: the \
             paper claims no utility for them, and there is no bound",
        ),
        (
            request.loss == LossName::Logistic,
            "its bound is worked out for the logistic loss",
        ),
        (
            request.ridge > 0.0,
            "without a ridge no bound on the distance to a minimiser holds for all data: say \
             --ridge",
        ),
        (
            request.l1 == 0.0,
            "its bound is worked out without an l1 term",
        ),
        (
            request.scaling == Scaling::None
                && request.smoothness == Smoothness::Bound
                && request.centre == 0.0,
            "its constants hold for all data: leave out --scaling, --smoothness and --centre",
        ),
        (
            request.passes == defaults.passes
                && request.rounds == defaults.rounds
                && request.step == 1.0
                && request.clip == defaults.clip,
            "it fixes lengths, steps and clipping: leave out --passes, --rounds, --step and --clip",
        ),
        (
            calibrations.contains(&request.calibration),
            "it fixes the noise: leave out --calibration",
        ),
    ];
    match rules.into_iter().find(|rule| !rule.0) {
        Some((_, reason)) => Err(refused(request, reason.into())),
        None => Ok(()),
    }
}

fn only_replaced(request: &Request) -> Result<(), FitError> {
    match request.neighbours {
        Neighbouring::ReplaceOne => Ok(()),
        other => Err(unsupported(request, format!("{other} neighbours"))),
    }
}

/// What to say where a bound is not below log 2.
fn few(request: &Request, claim: &str, bites_at: Option<f64>) -> FitError {
    let budget = (request.epsilon, request.delta);
    let known = ("log 2 that w = 0".into(), "ridge, dimension", budget);
    too_few(request.method.name(), claim, known, (bites_at, None))
}

fn greedy(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<(Outcome, Option<Users>, Utility), FitError> {
    only_replaced(request)?;
    let constants = problem.constants();
    let budget = (request.epsilon, request.delta);
    let known = gcd::theorem::Known {
        records: problem.records() as f64,
        smoothness: constants.smoothness(),
        lipschitz: constants.lipschitz(),
        gap: LN_2,
        curvature: request.ridge,
        budget,
        failure: FAILURE,
    };
    let Some(plan) = known.best() else {
        let claim = "gcd-thm-4.4-cvx-corrected and gcd-thm-4.4-sc-corrected";
        return Err(few(request, claim, known.bites_at()));
    };
    let (steps, calibration) = (plan.iterations, gcd::Calibration::Corrected);
    let config = gcd::Config::calibrated(problem, steps, None, calibration, budget)?;
    let privacy = methods::greedy_privacy(problem, request, &config, calibration)?;
    let (tape, watch) = (Tape::new(request.seed), &mut told(steps, progress));
    let run = gcd::optimized::run_watched(problem, &config, tape, watch)?;
    let outcome = Outcome {
        coefficients: run.iterate,
        privacy,
        lengths: (steps, 1),
    };
    let utility = Utility {
        claim: plan.claim,
        bound: plan.bound,
        trivial: LN_2,
        bites_at: known.bites_at(),
        failure: Some(FAILURE),
        statement: format!(
            "with probability at least {} over the noise f(w) - min f is at most this, f the \
             average logistic loss plus the ridge, whatever the data",
            1.0 - FAILURE
        ),
    };
    Ok((outcome, None, utility))
}

fn random_blocks(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<(Outcome, Option<Users>, Utility), FitError> {
    only_replaced(request)?;
    let p = problem.features();
    let (sampling, size) = match request.sampling {
        SamplingName::Full => (skgd::Sampling::full(p)?, p as f64),
        SamplingName::Uniform => (skgd::Sampling::uniform_singleton(p)?, 1.0),
        _ => {
            let reason = "its bound is worked out for --sampling full and uniform";
            return Err(refused(request, reason.into()));
        }
    };
    let (norm, curvature) = (
        (p as f64).sqrt() * request.bound,
        problem.loss().curvature(),
    );
    let known = skgd::theorem::Known {
        records: problem.records() as f64,
        features: p as f64,
        size,
        // Of a block of `size` coordinates, and of all.
        lipschitz: problem.loss().slope() * request.bound * size.sqrt(),
        smoothness: curvature * norm * norm + request.ridge,
        gap: LN_2,
        curvature: request.ridge,
        budget: (request.epsilon, request.delta),
    };
    if request.epsilon.get() > 1.0 || request.delta.get() >= 1.0 / 3.0 {
        let reason = "it asks for epsilon of at most 1 and delta below 1/3";
        return Err(refused(request, reason.into()));
    }
    let Some(plan) = known.best() else {
        let claim = "skgd-thm-4.2-cvx-corrected and skgd-thm-4.2-sc-corrected";
        return Err(few(request, claim, known.bites_at()));
    };
    let lengths = (plan.inner, plan.outer);
    let radii = skgd::SetValues::Same(known.lipschitz);
    let corrected = Request {
        calibration: CalibrationName::Corrected,
        ..request.clone()
    };
    let noise = (&sampling, &radii);
    let (noise, privacy) = methods::gaussian_noise(problem, &corrected, lengths, noise)?;
    let mut config = skgd::Config::new(problem, lengths, sampling, noise);
    config.keep_transcript = false;
    config.steps = vec![size / p as f64 / known.smoothness; p];
    let watch = &mut told(config.length(), progress);
    let run = skgd::optimized::run_watched(problem, &config, Tape::new(request.seed), watch)?;
    let outcome = Outcome {
        coefficients: run.iterate,
        privacy,
        lengths,
    };
    let utility = Utility {
        claim: plan.claim,
        bound: plan.bound,
        trivial: LN_2,
        bites_at: known.bites_at(),
        failure: None,
        statement: "the expectation over noise and blocks of f(w) - min f is at most this, f the \
                    average logistic loss plus the ridge, whatever the data"
            .into(),
    };
    Ok((outcome, None, utility))
}
