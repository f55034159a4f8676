//! Linear regression in one pass: DP-AMBSSGD, DP-SSGD and AdaSSP.
//!
//! Defaults look at no data. Features lie in \[−B, B\], so that ‖x‖ ≤ √d·B =: R and the curvature is at most R²:
//! η = `step`/R². DP-SSGD clips at ζ = `clip`. DP-AMBSSGD clips at `clip`·R·γ_t, looks for γ_t between 2⁻¹⁰ and
//! 2¹⁰ in units of the target, takes blocks of `rate`·N records and a tenth of each for DP-STAT, which ends its search
//! where all records but those that its noise may hide are within γ_t ([`Stop::Margin`]; as printed with the calibration
//! `printed`). AdaSSP moves
//! targets into \[−`clip`, `clip`\].

use super::outcome::{Outcome, account, unsupported};
use super::{CalibrationName, FitError, LossName, Method, Privacy, Request, Smoothness};
use crate::accounting::{Event, shuffle};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::rows::{LARGEST, Matrix, Source};
use crate::solver::ambssgd::calibration::{Calibration, ShuffledBudget, event};
use crate::solver::ambssgd::{Adaptive, Ranges, Search, Shuffled, Stop, optimized, permutation};
use crate::solver::baseline::adassp;

/// What an account of DP-AMBSSGD's steps rests on besides, whatever else is released.
pub(super) const ONE_BLOCK: &str = "; each record in one block";

/// Runs one of the three methods on data in memory.
pub(super) fn run(problem: &Problem, request: &Request) -> Result<Outcome, FitError> {
    let entries = problem.records() as f64 * problem.features() as f64;
    if entries > LARGEST {
        let (what, rule) = ("records times features", "at most 1e9, for all are kept");
        let value = entries;
        return Err(FitError::Value { what, value, rule });
    }
    let records = Matrix::of(problem.data());
    let n = records.records();
    // AdaSSP sums over all records: their order is no choice of its own.
    let order = match request.method {
        Method::Adassp => None,
        _ => Some(permutation(Tape::new(request.seed), n)),
    };
    run_on(&mut records.source(order.as_deref()), n, request)
}

/// Runs one of the three methods on n records, whose features are in \[−B, B\].
pub(super) fn run_on(
    source: &mut dyn Source,
    n: usize,
    request: &Request,
) -> Result<Outcome, FitError> {
    if request.loss != LossName::Squared || request.ridge != 0.0 || request.l1 != 0.0 {
        return Err(unsupported(
            request,
            "another objective than plain least squares".into(),
        ));
    }
    if request.passes != 1.0 {
        let choice = format!("{} passes: it reads every record once", request.passes);
        return Err(unsupported(request, choice));
    }
    if request.smoothness == Smoothness::Private {
        let choice = "a private estimate of the smoothness constants: it uses none";
        return Err(unsupported(request, choice.into()));
    }
    match request.method {
        Method::Ambssgd => adaptive(source, n, request),
        Method::Ssgd => shuffled(source, n, request),
        _ => statistics(source, n, request),
    }
}

/// R = √d·B.
fn row_bound(source: &dyn Source, request: &Request) -> f64 {
    (source.features() as f64).sqrt() * request.bound
}

fn adaptive(source: &mut dyn Source, n: usize, request: &Request) -> Result<Outcome, FitError> {
    let (calibration, ranges, claim, stop) = match request.calibration {
        CalibrationName::Default | CalibrationName::Tight => (
            Calibration::Tight,
            Ranges::Disjoint,
            "ambssgd-thm-3.6-disjoint",
            Stop::Margin { failure: 0.01 },
        ),
        CalibrationName::Printed => (
            Calibration::Printed,
            Ranges::Printed,
            "ambssgd-thm-3.6-cal",
            Stop::Printed,
        ),
        other => return Err(unsupported(request, format!("the calibration {other:?}"))),
    };
    let multiplier = calibration.multiplier(request.epsilon, request.delta, ranges)?;
    let block = ((request.rate * n as f64) as usize).clamp(2, (n / 2).max(2));
    let statistics = (block / 10).max(1);
    let radius = row_bound(source, request);
    let config = Adaptive {
        step: request.step / (radius * radius),
        multiplier,
        batch: block - statistics,
        statistics,
        factor: request.clip * radius,
        search: Search::halvings(1024.0, 20)?,
        ranges,
        stop,
    };
    let (tape, used) = (Tape::new(request.seed), config.usable(n));
    let run = optimized::ambssgd(source, used, &config, tape, &mut |_| ())?;
    let scales = vec![2.0 * multiplier / config.batch as f64];
    let privacy = account(request, event(multiplier, ranges), claim, scales)?;
    let privacy = Privacy {
        theorem: privacy.theorem + ONE_BLOCK,
        noise: "gaussian, in units of the step's clipping norm",
        ..privacy
    };
    Ok(Outcome {
        coefficients: run.average,
        privacy,
        lengths: (used / (config.batch + config.statistics), 1),
    })
}

fn shuffled(source: &mut dyn Source, n: usize, request: &Request) -> Result<Outcome, FitError> {
    let defaults = [CalibrationName::Default, CalibrationName::Tight];
    if !defaults.contains(&request.calibration) {
        // The printed one has no constants (ambssgd-thm-3.1).
        let choice = format!("the calibration {:?}", request.calibration);
        return Err(unsupported(request, choice));
    }
    let n = n / 2 * 2;
    let budget = ShuffledBudget::new(n as u64, request.delta)?;
    let multiplier = budget.multiplier(request.epsilon)?;
    let radius = row_bound(source, request);
    let config = Shuffled {
        step: request.step / (radius * radius),
        threshold: request.clip,
        multiplier,
    };
    let tape = Tape::new(request.seed);
    let run = optimized::ssgd(source, n, &config, tape, &mut |_| ())?;
    let scales = vec![2.0 * multiplier * config.threshold];
    let claim = "ambssgd-lem-A.1-sens";
    let mut privacy = account(request, budget.event(multiplier)?, claim, scales)?;
    privacy.theorem = format!("{}; each record in one step", privacy.theorem);
    if let Event::Approximate { .. } = privacy.event {
        privacy.theorem =
            "shuffling of local randomisers (Feldman, McMillan and Talwar 2021)".into();
        privacy.claims = privacy.claims.with(&shuffle::approximate_claims());
    }
    Ok(Outcome {
        coefficients: run.average,
        privacy,
        lengths: (n, 1),
    })
}

fn statistics(source: &mut dyn Source, n: usize, request: &Request) -> Result<Outcome, FitError> {
    let calibration = match request.calibration {
        CalibrationName::Default | CalibrationName::Tight => adassp::Calibration::Tight,
        CalibrationName::Printed => adassp::Calibration::Printed,
        other => return Err(unsupported(request, format!("the calibration {other:?}"))),
    };
    let config = adassp::Config {
        row_bound: row_bound(source, request),
        target_bound: request.clip,
        neighbours: request.neighbours,
        calibration,
        ..adassp::Config::default()
    };
    let budget = (request.epsilon, request.delta);
    let fit = adassp::fit(source, n, &config, budget, Tape::new(request.seed))?;
    //= decor-aux-simulate
    let claim = "decor-aux-simulate";
    let privacy = Privacy {
        release: "noisy statistics",
        ..account(request, fit.event, claim, fit.deviations.to_vec())?
    };
    Ok(Outcome {
        coefficients: fit.coefficients,
        privacy,
        lengths: (1, 1),
    })
}
