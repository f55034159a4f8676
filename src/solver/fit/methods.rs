//! The methods behind one request: lengths, noise, run, guarantee.

use super::outcome::{Outcome, account, told, unsupported};
use super::{
    BatchName, CalibrationName, FitError, Method, Privacy, Progress, Request, SamplingName,
};
use super::{regression, setup};
use crate::accounting::calibrate::{self, Target, Trend};
use crate::accounting::{self, AccountError, Event};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::solver::baseline::{dp_cd, dp_sgd, gradient_descent};
use crate::solver::gcd;
use crate::solver::skgd::{self, Calibration, Sampling, SetValues};
use crate::units::{Epsilon, Neighbouring, OutOfDomain};

/// Runs the request's method; `before` is what was released already, with the ε of all together.
pub(super) fn run(
    problem: &Problem,
    request: &Request,
    before: Option<&(Event, Epsilon)>,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    check_neighbours(request)?;
    match request.method {
        Method::Skgd => random_blocks(problem, request, progress),
        Method::DpCd => coordinates(problem, request, progress),
        Method::Gd => full_gradients(problem, request, progress),
        Method::DpSgd => batches(problem, request, before, progress),
        Method::Gcd => greedy(problem, request, before, progress),
        Method::Ambssgd | Method::Ssgd | Method::Adassp => regression::run(problem, request),
        Method::Decor => Err(unsupported(request, "a single user".into())),
    }
}

/// Refuses relations under which what steps and noise depend on is not public.
pub(super) fn check_neighbours(request: &Request) -> Result<(), FitError> {
    match request.neighbours {
        Neighbouring::ReplaceOne => Ok(()),
        // Under add-remove n is not public, and the steps and noise of all others depend on it.
        Neighbouring::AddRemove if request.method == Method::Adassp => Ok(()),
        other => Err(unsupported(request, format!("{other} neighbours"))),
    }
}

/// K for T rounds of steps that look at `size` of p partial derivatives each.
fn lengths(problem: &Problem, request: &Request, size: f64) -> (usize, usize) {
    let steps = request.passes * problem.features() as f64 / size;
    let inner = (steps / request.rounds.max(1) as f64).ceil();
    (inner.max(1.0) as usize, request.rounds)
}

fn gaussian(request: &Request) -> Result<Calibration, FitError> {
    match request.calibration {
        CalibrationName::Default | CalibrationName::Tight => Ok(Calibration::Tight),
        CalibrationName::BestOrder => Ok(Calibration::BestOrder),
        // The printed noise of Theorem 4.1 is that of the corrected theorems.
        CalibrationName::Printed | CalibrationName::Corrected => Ok(Calibration::Printed),
        CalibrationName::Repaired => Err(unsupported(request, "repaired scales".into())),
    }
}

/// One event after another.
fn together(before: &Event, event: Event) -> Event {
    Event::Composed {
        events: vec![before.clone(), event],
    }
}

/// Noise for K·T steps of sensitivities Δ_U, and its guarantee.
pub(super) fn gaussian_noise(
    problem: &Problem,
    request: &Request,
    (inner, outer): (usize, usize),
    (sampling, radii): (&Sampling, &SetValues),
) -> Result<(SetValues, Privacy), FitError> {
    let calibration = gaussian(request)?;
    let budget = (request.epsilon, request.delta);
    let sensitivities = skgd::sensitivities(problem, sampling, Some(radii))?;
    let noise = calibration.scales(budget, (inner, outer), &sensitivities)?;
    let one = calibration.scales(budget, (inner, outer), &SetValues::Same(1.0))?;
    let event = skgd::event((inner * outer) as u64, one.of(&[0], None));
    let scales = noise.numbers().to_vec();
    let privacy = account(request, event, calibration.claim(), scales)?;
    Ok((noise, privacy))
}

/// C_U² = C² Σ_{j∈U} M_j / Tr(M).
fn radii(problem: &Problem, request: &Request) -> Result<SetValues, FitError> {
    let shares = problem.constants().clipping_thresholds(request.clip)?;
    Ok(SetValues::Root(shares))
}

fn random_blocks(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    let sampling = sampling(problem, request)?;
    let lengths = lengths(problem, request, sampling.mean_size());
    let radii = radii(problem, request)?;
    let (noise, privacy) = gaussian_noise(problem, request, lengths, (&sampling, &radii))?;
    let mut config = skgd::Config::new(problem, lengths, sampling, noise);
    config.clipping = Some(radii);
    config.keep_transcript = false;
    config
        .steps
        .iter_mut()
        .for_each(|step| *step *= request.step);
    let (tape, watch) = (
        Tape::new(request.seed),
        &mut told(config.length(), progress),
    );
    let run = skgd::optimized::run_watched(problem, &config, tape, watch)?;
    Ok(Outcome {
        coefficients: run.iterate,
        privacy,
        lengths,
    })
}

fn sampling(problem: &Problem, request: &Request) -> Result<Sampling, FitError> {
    let (p, m) = (problem.features(), problem.constants().smoothness());
    let blocks = |size: usize| {
        let all: Vec<usize> = (0..p).collect();
        all.chunks(size.max(1)).map(<[usize]>::to_vec).collect()
    };
    Ok(match request.sampling {
        SamplingName::Full => Sampling::full(p),
        SamplingName::Uniform => Sampling::uniform_singleton(p),
        SamplingName::Importance => Sampling::importance_singleton(m),
        SamplingName::Blocks(size) => Sampling::partition(p, blocks(size)),
        SamplingName::ImportanceBlocks(size) => Sampling::importance_partition(p, blocks(size), m),
        SamplingName::Nice(size) => Sampling::nice(p, size),
    }?)
}

fn coordinates(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    let lengths = lengths(problem, request, 1.0);
    let sampling = Sampling::uniform_singleton(problem.features())?;
    let radii = radii(problem, request)?;
    let (noise, privacy) = gaussian_noise(problem, request, lengths, (&sampling, &radii))?;
    let smoothness = problem.constants().smoothness().iter();
    let config = dp_cd::Config {
        start: vec![0.0; problem.features()],
        steps: smoothness.map(|m| request.step / m).collect(),
        inner: lengths.0,
        outer: lengths.1,
        noise: noise.numbers().to_vec(),
        clipping: Some(radii.numbers().to_vec()),
    };
    let (tape, watch) = (
        Tape::new(request.seed),
        &mut told(config.inner * config.outer, progress),
    );
    Ok(Outcome {
        coefficients: dp_cd::run_watched(problem, &config, tape, watch)?,
        privacy,
        lengths,
    })
}

/// 1/Tr(M), which is at most 1/β for a β-smooth f.
fn short_step(problem: &Problem, request: &Request) -> f64 {
    request.step / problem.constants().smoothness().iter().sum::<f64>()
}

fn full_gradients(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    let p = problem.features();
    let lengths = lengths(problem, request, p as f64);
    let radius = SetValues::Same(request.clip);
    let full = Sampling::full(p)?;
    let (noise, privacy) = gaussian_noise(problem, request, lengths, (&full, &radius))?;
    let config = gradient_descent::Config {
        start: vec![0.0; p],
        steps: vec![short_step(problem, request); p],
        inner: lengths.0,
        outer: lengths.1,
        noise: noise.numbers()[0],
        radius: Some(request.clip),
    };
    let (tape, watch) = (
        Tape::new(request.seed),
        &mut told(config.inner * config.outer, progress),
    );
    Ok(Outcome {
        coefficients: gradient_descent::run_watched(problem, &config, tape, watch)?,
        privacy,
        lengths,
    })
}

fn batches(
    problem: &Problem,
    request: &Request,
    before: Option<&(Event, Epsilon)>,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    let n = problem.records();
    let batch = match request.batch {
        BatchName::Poisson => dp_sgd::Batch::Poisson { rate: request.rate },
        BatchName::FixedSize => dp_sgd::Batch::FixedSize {
            size: ((request.rate * n as f64).round() as usize).clamp(1, n),
        },
    };
    let calibrations = [CalibrationName::Default, CalibrationName::Tight];
    if !calibrations.contains(&request.calibration) {
        let choice = format!("the calibration {:?}", request.calibration);
        return Err(unsupported(request, choice));
    }
    let iterations = (request.passes * n as f64 / batch.expected(n))
        .ceil()
        .max(1.0);
    // A step costs as much as a record, also one on an empty batch.
    let (name, fits) = (
        "the number of steps, passes/rate",
        iterations <= setup::LONGEST * n as f64,
    );
    let rule = "at most 1e6 for each record: take a larger rate";
    OutOfDomain::unless(fits, name, iterations, rule)?;
    let iterations = iterations as usize;
    let target = Target {
        epsilon: before.map_or(request.epsilon, |(_, whole)| *whole),
        delta: request.delta,
        method: accounting::Accountant::Auto,
        neighbours: request.neighbours,
    };
    let found = match before {
        None => batch.calibrate(n, iterations as u64, &target)?,
        Some((event, _)) => {
            let (name, range) = ("noise multiplier", (1e-3, 1e6));
            calibrate::parameter(name, range, Trend::Falls, &target, |multiplier| {
                together(event, batch.event(n, multiplier, iterations as u64))
            })?
        }
    };
    let event = batch.event(n, found.value, iterations as u64);
    let scales = vec![found.value * request.clip / batch.expected(n)];
    let claim = "gcd-alg-dpsgd-sens";
    let privacy = account(request, event, claim, scales)?;
    let config = dp_sgd::Config {
        start: vec![0.0; problem.features()],
        step: short_step(problem, request),
        iterations,
        batch,
        radius: request.clip,
        multiplier: found.value,
    };
    let (tape, watch) = (Tape::new(request.seed), &mut told(iterations, progress));
    Ok(Outcome {
        coefficients: dp_sgd::run_watched(problem, &config, tape, watch)?,
        privacy,
        lengths: (iterations, 1),
    })
}

fn greedy(
    problem: &Problem,
    request: &Request,
    before: Option<&(Event, Epsilon)>,
    progress: Progress<'_>,
) -> Result<Outcome, FitError> {
    let calibration = match request.calibration {
        CalibrationName::Default | CalibrationName::Corrected => gcd::Calibration::Corrected,
        CalibrationName::Repaired => gcd::Calibration::Repaired,
        CalibrationName::Tight => gcd::Calibration::Tight,
        CalibrationName::Printed => gcd::Calibration::Printed,
        other => return Err(unsupported(request, format!("the calibration {other:?}"))),
    };
    let steps = request.passes.ceil() as usize;
    let budget = (request.epsilon, request.delta);
    let clipping = Some(problem.constants().clipping_thresholds(request.clip)?);
    let mut config =
        gcd::Config::calibrated(problem, steps, clipping.clone(), calibration, budget)?;
    if let Some((event, whole)) = before {
        // What goes before is Gaussian, what follows is not: the ε that was left for it is a guess.
        let mut left = request.epsilon.get();
        while accounting::account(
            &together(event, config.event(problem)?),
            request.delta,
            accounting::Accountant::Auto,
            request.neighbours,
            false,
        )?
        .epsilon_upper
            > whole.get()
        {
            left *= 0.97;
            let budget = (
                Epsilon::new(left).map_err(AccountError::from)?,
                request.delta,
            );
            config =
                gcd::Config::calibrated(problem, steps, clipping.clone(), calibration, budget)?;
        }
    }
    config
        .steps
        .iter_mut()
        .for_each(|step| *step *= request.step);
    let privacy = greedy_privacy(problem, request, &config, calibration)?;
    let (tape, watch) = (Tape::new(request.seed), &mut told(steps, progress));
    let run = gcd::optimized::run_watched(problem, &config, tape, watch)?;
    Ok(Outcome {
        coefficients: run.iterate,
        privacy,
        lengths: (steps, 1),
    })
}

/// The guarantee of DP-GCD's noise, by whatever calibration it came; an error if it is worth less than was asked for,
/// as it may be where the calibration's own claim is refuted.
pub(super) fn greedy_privacy(
    problem: &Problem,
    request: &Request,
    config: &gcd::Config,
    calibration: gcd::Calibration,
) -> Result<Privacy, FitError> {
    let event = config.event(problem)?;
    let scales = config.noise.release().to_vec();
    let privacy = account(request, event, calibration.rests_on(config), scales)?;
    let refuted = match calibration {
        gcd::Calibration::Printed | gcd::Calibration::NumericEq2 => calibration.claim(),
        gcd::Calibration::Corrected | gcd::Calibration::Repaired | gcd::Calibration::Tight => None,
    };
    let (certified, asked) = (privacy.epsilon_upper, request.epsilon.get());
    match refuted {
        Some(claim) if certified > asked => Err(FitError::Uncertified {
            claim,
            certified,
            delta: privacy.delta,
            asked,
        }),
        _ => Ok(Privacy {
            refuted,
            noise: calibration.noise(config),
            ..privacy
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::{Constants, four_points};
    use crate::solver::fit::LossName;
    use crate::units::Delta;

    /// Noise by a refuted calibration is told with what it is worth, and refused where that is less than was asked for.
    #[test]
    fn noise_that_is_worth_less_than_was_asked_for_is_refused() {
        let (mut kept, mut refused) = (0, 0);
        let epsilon = 1.0;
        for (second, delta, steps) in [
            (1.0, 1e-6, 10),
            (1e6, 1e-6, 10),
            (1e6, 0.1, 1),
            (1e6, 0.3, 100),
        ] {
            let budget = (
                Epsilon::new(epsilon).expect("≥ 0"),
                Delta::new(delta).expect("≤ 1"),
            );
            let constants = Constants::new(vec![1.0, 1.0], vec![1.0, second]).expect("positive");
            let problem = four_points()
                .with_constants(constants)
                .expect("two features");
            let request = Request::new(Method::Gcd, LossName::Logistic, budget);
            let calibration = gcd::Calibration::Printed;
            let config = gcd::Config::calibrated(&problem, steps, None, calibration, budget);
            let config = config.expect("public constants");
            let event = config.event(&problem).expect("an event");
            let auto = accounting::Accountant::Auto;
            let known = accounting::account(&event, budget.1, auto, request.neighbours, false);
            let certified = known.expect("known").epsilon_upper;
            match greedy_privacy(&problem, &request, &config, calibration) {
                Ok(privacy) => {
                    assert!(
                        certified <= epsilon && privacy.refuted.is_some(),
                        "{certified}, {epsilon}"
                    );
                    kept += 1;
                }
                Err(FitError::Uncertified {
                    asked,
                    certified: told,
                    ..
                }) => {
                    assert!(
                        asked == epsilon && told > epsilon && told == certified,
                        "{told}"
                    );
                    refused += 1;
                }
                Err(other) => panic!("{other}"),
            }
        }
        assert!(kept > 0 && refused > 0, "{kept}, {refused}");
    }
}
