//! The methods behind one request: what they plan, then what they do.

use super::{Method, Posed, Request, Resolved};
use crate::mechanism::tape::Tape;
use crate::solver::fit::{FitError, Progress, ScheduleName};
use crate::solver::kl::{
    Adaptive, Budget, Observation, Regularised, RegularisedRule, Run, RunError, optimized,
};

/// Gradients that Algorithms 2 and 4 take at most by default: each is a pass over the records.
const PASSES: u64 = 1000;

/// Runs the method of a request, once its number of gradients is known and allowed.
pub(super) fn run(
    posed: &Posed,
    request: &Request,
    (start, budget): (&[f64], &Budget),
    used: &mut Resolved,
    progress: Progress<'_>,
) -> Result<Run, FitError> {
    let (risk, tape) = (&*posed.risk, Tape::new(request.seed));
    let (n, d, rho) = (risk.records(), risk.dimension(), used.rho);
    let (mut taken, planned) = (0, std::cell::Cell::new(0));
    let watch = &mut |release: Observation<'_>| {
        if matches!(
            release,
            Observation::Gradient(_) | Observation::Difference(_)
        ) {
            taken += 1;
            progress(taken, planned.get());
        }
    };
    let allow = |most, cause| request.allows(most, cause).map(|n| planned.set(n));
    // A theorem fixes the length of a call.
    let most = match request.schedule {
        ScheduleName::Practical => PASSES,
        ScheduleName::Theorem => u64::MAX,
    };
    let mut regularised = Regularised {
        beta: used.beta,
        lipschitz: used.lipschitz,
        weak_convexity: used.weak_convexity,
        length: request.length,
    };
    Ok(match request.method {
        Method::KlSpider => {
            let inputs = used.spider();
            let schedule = inputs
                .schedule(budget.variant, budget.rho, n, d)
                .map_err(RunError::from)?;
            allow(schedule.gradients_upper(), "F_0, L_0, L_1 and gamma")?;
            optimized::spider(risk, start, &inputs, budget, tape, watch)?
        }
        Method::AdaptiveGd => {
            let inputs = Adaptive {
                beta: used.beta,
                lipschitz: used.lipschitz,
                smoothness: used.smoothness,
            };
            let rule = inputs.rule(budget, n, d)?;
            allow(rule.gradients_upper(), "epsilon and delta")?;
            optimized::adaptive(risk, start, &inputs, budget, request.select, tape, watch)?
        }
        Method::NoisyGd => {
            let length = affordable(&regularised, most, |r| r.rule(rho, n, d))?;
            (regularised.length, used.length) = (Some(length), Some(length));
            allow(length as f64, "--length")?;
            optimized::regularised(risk, start, &regularised, budget, tape, watch)?
        }
        Method::KlProx => {
            let rounds = match request.rounds {
                Some(rounds) => rounds,
                None => used.proximal().rounds(&regularised, rho, n, d)?,
            };
            let most = (most / rounds.max(1)).max(2);
            let length = affordable(&regularised, most, |r| r.part(rounds, rho, n, d))?;
            (regularised.length, used.length) = (Some(length), Some(length));
            used.rounds = Some(rounds);
            allow(length as f64 * rounds as f64, "--length and --rounds")?;
            optimized::proximal(risk, start, &regularised, rounds, budget, tape, watch)?
        }
    })
}

/// The length of a call: the one given, or that of Theorem 9 if it is at most `most`. A length that cannot be counted is one
/// that is too long.
fn affordable(
    inputs: &Regularised,
    most: u64,
    rule: impl Fn(&Regularised) -> Result<RegularisedRule, RunError>,
) -> Result<u64, RunError> {
    match rule(inputs) {
        Ok(found) if found.length <= most || inputs.length.is_some() => Ok(found.length),
        Err(wrong) if most == u64::MAX => Err(wrong),
        _ => {
            let capped = Regularised {
                length: inputs.length.or(Some(most)),
                ..*inputs
            };
            Ok(rule(&capped)?.length)
        }
    }
}
