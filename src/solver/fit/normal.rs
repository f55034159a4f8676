//! Linear regression in one pass by the corrected theorems on DP-AMBSSGD and DP-SSGD, for records of a normal law.
//!
//! That records are x ~ N(0, I) with y = ⟨x, w*⟩ + N(0, σ²), no file shows: the caller states it, with bounds on ‖w*‖ and σ
//! ([`Request::normal`]). Utility rests on that word, privacy on none. Normal features lie in no \[−B, B\]: that some are moved
//! is counted among what may fail.

use super::outcome::{Outcome, Utility, account, refused, too_few};
use super::regression::{self, ONE_STEP, blocks_privacy};
use super::{CalibrationName, FitError, Method, Request};
use crate::accounting::Event;
use crate::mechanism::tape::Tape;
use crate::problem::rows::Source;
use crate::solver::ambssgd::calibration::Calibration;
use crate::solver::ambssgd::theorem::Known;
use crate::solver::ambssgd::{Ranges, optimized};
use crate::units::{Neighbouring, OutOfDomain};

/// The bound may fail this often, over records and noise.
const FAILURE: f64 = 0.1;
/// Of that, at most this much for features that are moved.
const MOVED: f64 = 1e-9;

/// Runs the request's method by its theorem on n records.
pub(super) fn run_on(
    source: &mut dyn Source,
    n: usize,
    request: &Request,
) -> Result<(Outcome, Utility), FitError> {
    regression::check(request)?;
    let (norm, deviation) = stated(request)?;
    let d = source.features() as f64;
    // P(|x| > B) ≤ 2e^{−B²/2} for each of them.
    let moved = 2.0 * n as f64 * d * (-0.5 * request.bound * request.bound).exp();
    if moved > MOVED {
        let reason = format!(
            "it is about normal features, of which some are beyond {}, and would be moved: say \
             --bound 12, or more",
            request.bound
        );
        return Err(refused(request, reason));
    }
    //= ambssgd-thm-3.6-disjoint
    // One release of ratio 1/α, as a step of DP-SSGD is.
    let (epsilon, delta) = (request.epsilon, request.delta);
    let multiplier = Calibration::Tight.multiplier(epsilon, delta, Ranges::Disjoint)?;
    let known = Known {
        records: n as f64,
        dimension: d,
        norm,
        deviation,
        multiplier,
        failure: FAILURE - MOVED,
    };
    match request.method {
        Method::Ambssgd => blocks(source, request, &known),
        _ => singles(source, request, &known),
    }
}

fn blocks(
    source: &mut dyn Source,
    request: &Request,
    known: &Known,
) -> Result<(Outcome, Utility), FitError> {
    let claim = "ambssgd-thm-3.7-corrected-normal-run";
    let Some(plan) = known.blocks() else {
        return Err(few(request, known, claim, known.blocks_bite_at()));
    };
    let privacy = blocks_privacy(request, &plan.config, "ambssgd-thm-3.6-disjoint")?;
    let used = plan.steps as usize * (plan.config.batch + plan.config.statistics);
    let tape = Tape::new(request.seed);
    let run = optimized::ambssgd(source, used, &plan.config, tape, &mut |_| ())?;
    let outcome = Outcome {
        coefficients: run.average,
        privacy,
        lengths: (plan.steps as usize, 1),
    };
    let utility = utility(known, claim, plan.bound, known.blocks_bite_at());
    Ok((outcome, utility))
}

fn singles(
    source: &mut dyn Source,
    request: &Request,
    known: &Known,
) -> Result<(Outcome, Utility), FitError> {
    let claim = "ambssgd-thm-3.2-corrected-normal";
    let Some(plan) = known.singles() else {
        return Err(few(request, known, claim, known.singles_bite_at()));
    };
    let event = Event::Gaussian {
        sigma: known.multiplier,
        sensitivity: 1.0,
    };
    let scales = vec![2.0 * known.multiplier * plan.config.threshold];
    let rests_on = "ambssgd-thm-3.1-corrected-any-order";
    let mut privacy = account(request, event, rests_on, scales)?;
    privacy.theorem += ONE_STEP;
    let used = known.records as usize / 2 * 2;
    let tape = Tape::new(request.seed);
    let run = optimized::ssgd(source, used, &plan.config, tape, &mut |_| ())?;
    let outcome = Outcome {
        coefficients: run.average,
        privacy,
        lengths: (used, 1),
    };
    let utility = utility(known, claim, plan.bound, known.singles_bite_at());
    Ok((outcome, utility))
}

/// The bounds on ‖w*‖ and σ, if the request is one that the theorems are about.
fn stated(request: &Request) -> Result<(f64, f64), FitError> {
    let Some((norm, deviation)) = request.normal else {
        let reason = "it is about records of a normal law, x ~ N(0, I) and y = <x, w*> + N(0, \
                      sigma^2), which no file shows to be that of its records: state it, with \
                      public bounds on |w*| and sigma, by --normal NORM:SIGMA";
        return Err(refused(request, reason.into()));
    };
    for (name, value) in [
        ("the bound on |w*|", norm),
        ("the bound on sigma", deviation),
    ] {
        let fits = (1e-75..=1e75).contains(&value);
        OutOfDomain::unless(fits, name, value, "in [1e-75, 1e75]")?;
    }
    let defaults = Request::new(
        request.method,
        request.loss,
        (request.epsilon, request.delta),
    );
    let rules = [
        (
            request.neighbours == Neighbouring::ReplaceOne,
            "it is about replace-one neighbours",
        ),
        (
            !request.intercept
                && request.ranges.is_none()
                && request.target_range.is_none()
                && request.centre == 0.0
                && request.bounds == 0.0
                && request.scaling == defaults.scaling,
            "it is about the records as they are: leave out --intercept, --bounds, --target-range, \
             --centre and --scaling",
        ),
        (
            request.step == 1.0 && request.clip == defaults.clip && request.rate == defaults.rate,
            "it fixes steps, clipping and blocks: leave out --step, --clip and --rate",
        ),
        (
            request.calibration == CalibrationName::Default,
            "it fixes the noise: leave out --calibration",
        ),
    ];
    match rules.into_iter().find(|rule| !rule.0) {
        Some((_, reason)) => Err(refused(request, reason.into())),
        None => Ok((norm, deviation)),
    }
}

fn utility(known: &Known, claim: &'static str, bound: f64, bites_at: Option<f64>) -> Utility {
    Utility {
        claim,
        bound,
        trivial: known.trivial(),
        bites_at,
        failure: Some(FAILURE),
        statement: format!(
            "with probability at least {} over records and noise |w - w*|^2/2, the excess risk on \
             new records, is at most this, if the records are independent, with x ~ N(0, I), |w*| \
             at most {} and sigma at most {}, as was stated",
            1.0 - FAILURE,
            known.norm,
            known.deviation
        ),
    }
}

fn few(request: &Request, known: &Known, claim: &str, bites_at: Option<f64>) -> FitError {
    let start = format!("{} that w = 0", known.trivial());
    let budget = (request.epsilon, request.delta);
    let known = (start, "dimension, norm, sigma", budget);
    too_few(request.method.name(), claim, known, (bites_at, None))
}
