//! Linear regression in one pass: DP-AMBSSGD, DP-SSGD and AdaSSP.
//!
//! Defaults look at no data. Features lie in \[−B, B\], so that ‖x‖ ≤ √d·B =: R and the curvature is at most R²; about a
//! private centre they lie in \[−2B, 2B\], and R is no more than a scale: rows are shortened to it, or terms clipped, before
//! anything rests on it. η = `step`/R². DP-SSGD clips at ζ = `clip`. DP-AMBSSGD clips at `clip`·R·γ_t, looks for γ_t between 2⁻¹⁰ and
//! 2¹⁰ in units of the target, up to 4 where targets have a range and lie in \[−1, 1\], so that steps that overshoot end
//! there; it takes an even number of blocks of at least `rate`·n records, which leave out fewer records than there are blocks, and of each
//! for DP-STAT what its noise needs, at least a tenth and at most half (as printed a tenth); it ends its search where all records but those that its noise may hide are within γ_t
//! ([`Stop::Margin`]; as printed with the calibration `printed`). AdaSSP moves targets into \[−`clip`, `clip`\].

use super::outcome::{Outcome, account, unsupported};
use super::{CalibrationName, FitError, LossName, Method, Privacy, Request, Smoothness, setup};
use crate::accounting::{Event, shuffle};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::rows::{Matrix, Source};
use crate::solver::ambssgd::calibration::{Calibration, ShuffledBudget, event};
use crate::solver::ambssgd::{Adaptive, Ranges, Search, Shuffled, Stop, optimized, permutation};
use crate::solver::baseline::adassp;
use crate::units::OutOfDomain;

/// What an account of DP-AMBSSGD's steps rests on besides, whatever else is released.
pub(super) const ONE_BLOCK: &str = "; each record in one block";

/// The same of DP-SSGD's.
pub(super) const ONE_STEP: &str = "; each record in one step";

/// Runs one of the three methods on data in memory.
pub(super) fn run(problem: &Problem, request: &Request) -> Result<Outcome, FitError> {
    on_records(problem, request, |source, n| run_on(source, n, request))
}

/// Gives the records in memory to a method, in the order in which it reads them.
pub(super) fn on_records<T>(
    problem: &Problem,
    request: &Request,
    run: impl FnOnce(&mut dyn Source, usize) -> Result<T, FitError>,
) -> Result<T, FitError> {
    let entries = problem.records() as f64 * problem.features() as f64;
    setup::kept(entries)?;
    let records = Matrix::of(problem.data());
    let n = records.records();
    // AdaSSP sums over all records: their order is no choice of its own.
    let order = match request.method {
        Method::Adassp => None,
        _ => Some(permutation(Tape::new(request.seed), n)),
    };
    run(&mut records.source(order.as_deref()), n)
}

/// Runs one of the three methods on n records, whose features are in \[−B, B\].
pub(super) fn run_on(
    source: &mut dyn Source,
    n: usize,
    request: &Request,
) -> Result<Outcome, FitError> {
    check(request)?;
    match request.method {
        Method::Ambssgd => adaptive(source, n, request),
        Method::Ssgd => shuffled(source, n, request),
        _ => statistics(source, n, request),
    }
}

/// Refuses what linear regression in one pass does not have.
pub(super) fn check(request: &Request) -> Result<(), FitError> {
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
    Ok(())
}

/// The paper's N is what is read of the file's n: of an N of 0 a user knows nothing.
fn enough(used: usize, n: usize, rule: &'static str) -> Result<(), OutOfDomain> {
    OutOfDomain::unless(used > 0, "number of records n", n as f64, rule)
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
    let block = block(n, request.rate);
    let tenth = (block / 10).max(1);
    let radius = row_bound(source, request);
    let mut config = Adaptive {
        step: request.step / (radius * radius),
        multiplier,
        batch: block - tenth,
        statistics: tenth,
        factor: request.clip * radius,
        search: match (stop, request.target_range) {
            (Stop::Margin { .. }, Some(_)) => Search::halvings(4.0, 12)?,
            _ => Search::halvings(1024.0, 20)?,
        },
        ranges,
        stop,
    };
    if let Stop::Margin { .. } = stop {
        // With fewer its noise hides all counts, and steps are clipped, and have noise, at the last of its levels.
        config.statistics = config
            .useful_statistics()
            .clamp(tenth, tenth.max(block / 2));
        config.batch = block - config.statistics;
    }
    let (tape, used) = (Tape::new(request.seed), config.usable(n));
    enough(
        used,
        n,
        "at least 4, for two blocks, each with a record for its step and one to count",
    )?;
    let run = optimized::ambssgd(source, used, &config, tape, &mut |_| ())?;
    let privacy = blocks_privacy(request, &config, claim)?;
    Ok(Outcome {
        coefficients: run.average,
        privacy,
        lengths: (used / (config.batch + config.statistics), 1),
    })
}

/// b + s for n records: of at least `rate`·n, in an even number of blocks that take in all records but fewer than there are blocks.
/// Were blocks just as large, the pairs of them that fit could leave out nearly half of the records.
fn block(n: usize, rate: f64) -> usize {
    let pairs = (0.5 / rate).floor().clamp(1.0, (n / 4).max(1) as f64);
    (n / (2 * pairs as usize)).max(2)
}

/// The guarantee of DP-AMBSSGD's noise.
pub(super) fn blocks_privacy(
    request: &Request,
    config: &Adaptive,
    claim: &'static str,
) -> Result<Privacy, FitError> {
    let scales = vec![2.0 * config.multiplier / config.batch as f64];
    let event = event(config.multiplier, config.ranges);
    let privacy = account(request, event, claim, scales)?;
    Ok(Privacy {
        theorem: privacy.theorem + ONE_BLOCK,
        noise: "gaussian, in units of the step's clipping norm",
        ..privacy
    })
}

fn shuffled(source: &mut dyn Source, n: usize, request: &Request) -> Result<Outcome, FitError> {
    let defaults = [CalibrationName::Default, CalibrationName::Tight];
    if !defaults.contains(&request.calibration) {
        // The printed one has no constants (ambssgd-thm-3.1).
        let choice = format!("the calibration {:?}", request.calibration);
        return Err(unsupported(request, choice));
    }
    let used = n / 2 * 2;
    enough(
        used,
        n,
        "at least 2, for the average is over the second half of the steps",
    )?;
    let n = used;
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
    privacy.theorem += ONE_STEP;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::loss::Squared;
    use crate::problem::rows::{RecordView, SourceError};
    use crate::problem::{Regulariser, dataset};
    use crate::units::{Delta, Epsilon};

    /// Counts the records that are read.
    struct Counted<'a>(&'a mut dyn Source, usize);

    impl Source for Counted<'_> {
        fn features(&self) -> usize {
            self.0.features()
        }

        fn window(&self) -> usize {
            self.0.window()
        }

        fn view(&mut self, count: usize) -> Result<RecordView<'_>, SourceError> {
            self.0.view(count)
        }

        fn advance(&mut self, count: usize) {
            self.1 += count;
            self.0.advance(count);
        }
    }

    /// Of n records fewer than there are steps are left, and blocks are no smaller than was asked for, nor steps fewer than an even
    /// number of such blocks.
    #[test]
    fn one_pass_reads_nearly_all_records_whatever_their_number() {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-5).expect("in range"),
        );
        for (n, rate) in [
            (4, 0.1),
            (19, 0.1),
            (100, 0.3),
            (997, 0.28),
            (1000, 0.35),
            (1000, 0.51),
            (1009, 1.0),
            (2003, 0.03),
            (5000, 0.26),
        ] {
            let data = dataset::table(&vec![[0.5]; n], vec![0.25; n]);
            let problem = Problem::new(data, Squared, Regulariser::None).expect("any targets");
            let request = Request {
                rate,
                ..Request::new(Method::Ambssgd, LossName::Squared, budget)
            };
            let found = on_records(&problem, &request, |source, n| {
                let mut counted = Counted(source, 0);
                let outcome = run_on(&mut counted, n, &request)?;
                Ok((outcome.lengths.0, counted.1))
            });
            let (steps, read) = found.expect("a run");
            assert!(
                read <= n && n - read < steps,
                "{n}, {rate}: {read} in {steps}"
            );
            assert!(steps.is_multiple_of(2), "{n}, {rate}: {steps}");
            let most = (1.0 / rate).min(n as f64 / 2.0);
            let wanted = steps == 2 || steps as f64 <= most && (steps + 2) as f64 > most;
            assert!(wanted, "{n}, {rate}: {steps}");
        }
    }
}
