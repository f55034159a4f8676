//! Settings chosen within the budget.
//!
//! A run takes a candidate at random from a public list, fits it, and releases how well it does on the records of training
//! with Gaussian noise, for a tenth of its μ². The number of runs is geometric with the number N of candidates for its
//! mean, and the run with the best noisy score is all that is released, not the number of runs nor their time
//! (acc-selection). Scores are counts of right answers, or sums of squared residuals in \[−1, 1\], cut off at 1, in whole
//! units of 2⁻²⁰: sums of integers, which a replaced record moves by at most one record's share. A run that diverges is one like
//! the others, with a score below all: whether it did is read off its noisy answers and the iterates that these make, so
//! that its guarantee covers it; only if the best run diverged is there no model. Were the search to end at the first that does,
//! its end would tell of a run that is not the best.

use super::budget::{Spent, part_of, seed_of};
use super::outcome::{Outcome, unsupported};
use super::{FitError, LossName, Method, Privacy, Request, ScheduleName, Smoothness};
use super::{methods, setup};
use crate::accounting::{Event, gdp};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::Problem;
use crate::solver::skgd::RunError;
use crate::units::OutOfDomain;
use serde::Serialize;

/// The tape's trials: see [`super::centre`].
const TRIAL: u64 = 6;
/// Part of a run's μ² that its score gets.
const SCORE: f64 = 0.1;
/// Units of a squared residual.
const UNITS: f64 = 1_048_576.0;
/// Factors on the travel D and on the clipping level C, in the order in which they are tried: public.
const CANDIDATES: [(f64, f64); 9] = [
    (1.0, 1.0),
    (4.0, 1.0),
    (0.25, 1.0),
    (1.0, 0.5),
    (1.0, 2.0),
    (4.0, 0.5),
    (0.25, 0.5),
    (4.0, 2.0),
    (0.25, 2.0),
];

/// What was chosen, and what choosing cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Tuning {
    /// N: candidates, and the expected number of runs.
    pub candidates: usize,
    /// ε of one run with its score; without a choice a run could have had `epsilon_without`.
    pub epsilon_run: f64,
    /// ε that a run without a choice would have had.
    pub epsilon_without: f64,
    /// Standard deviation of the noise on a score, in units of one record.
    pub deviation: f64,
    /// The chosen factor on the travel.
    pub travel: f64,
    /// The chosen factor on the clipping level.
    pub clip: f64,
}

/// A run with its score.
struct Scored {
    outcome: Outcome,
    score: f64,
    candidate: (f64, f64),
    deviation: f64,
}

/// Runs the request's method with a choice among `request.tune` candidates.
pub(super) fn run(
    problem: &Problem,
    request: &Request,
    spent: &Spent,
) -> Result<(Outcome, Tuning), FitError> {
    check(request)?;
    let count = request.tune;
    let mean = count as f64;
    let chosen = |event: Event| Event::PrivateSelection {
        mean,
        events: vec![event],
    };
    // All candidates are as private as the Gaussian mechanism that their noise was calibrated by.
    let start = spent.largest(request, |part| {
        let mu = gdp::mu_of(part, request.delta)?.hi;
        Ok(chosen(Event::Gdp { mu }))
    })?;
    let (best, part) = spent.within(
        request,
        start,
        |part| best(problem, part),
        |best| chosen(best.outcome.privacy.event.clone()),
    )?;
    let tuning = Tuning {
        candidates: count,
        epsilon_run: part.epsilon.get(),
        epsilon_without: request.epsilon.get(),
        deviation: best.deviation,
        travel: best.candidate.0,
        clip: best.candidate.1,
    };
    let privacy = Privacy {
        release: "best transcript of several",
        event: chosen(best.outcome.privacy.event),
        ..best.outcome.privacy
    };
    let outcome = Outcome {
        privacy,
        ..best.outcome
    };
    Ok((outcome, tuning))
}

/// The best of a random number of runs, each within the request's budget.
fn best(problem: &Problem, request: &Request) -> Result<Scored, FitError> {
    let count = request.tune as u128;
    let mut choices = Tape::new(request.seed)
        .trial(TRIAL)
        .stream(0, Purpose::Sampling, 0);
    // A number below `count`, of 64 bits that no one knows.
    let mut below = || ((u128::from(choices.uniform().0) * count) >> 64) as usize;
    let mut best: Option<Scored> = None;
    let mut diverged = None;
    for k in 0.. {
        let candidate = CANDIDATES[below()];
        match scored(problem, request, (k, candidate)) {
            Ok(found) if best.as_ref().is_none_or(|best| found.score > best.score) => {
                best = Some(found);
            }
            Ok(_) => {}
            // Below all scores; of these the first.
            Err(error) if is_divergence(&error) => {
                diverged.get_or_insert(error);
            }
            Err(error) => return Err(error),
        }
        // Geometric: it ends with probability 1/N after each run.
        if below() == 0 {
            break;
        }
    }
    best.ok_or_else(|| {
        diverged.unwrap_or_else(|| unsupported(request, "a choice among no runs".into()))
    })
}

/// Whether an error says that a run's own noisy answers led it astray, rather than that there can be none.
fn is_divergence(error: &FitError) -> bool {
    use FitError::{Diverged, Run};
    matches!(error, Diverged { .. } | Run(RunError::Diverged { .. }))
}

/// One run of a candidate, with its score.
fn scored(
    problem: &Problem,
    request: &Request,
    (k, candidate): (u64, (f64, f64)),
) -> Result<Scored, FitError> {
    let (travel, clip) = candidate;
    let budget = (request.epsilon, request.delta);
    let seed = seed_of(request.seed, TRIAL, k + 1);
    let own = Request {
        epsilon: part_of(budget, 1.0 - SCORE)?,
        clip: request.clip * clip,
        // D is the step times the clipping level.
        step: request.step * travel / clip,
        seed,
        ..request.clone()
    };
    // Progress would tell the number of runs.
    let mut outcome = methods::run(problem, &own, None, &mut |_, _| ())?;
    setup::check_scores(&outcome.coefficients, &own)?;
    let (count, unit) = right(problem, &outcome.coefficients);
    let mu = gdp::mu_of(request.epsilon, request.delta)?.lo * SCORE.sqrt();
    // The product with the noise rounds once, the sum once; the budget's margin covers both.
    let deviation = unit / mu * (1.0 + 16.0 * f64::EPSILON);
    let noise = Tape::new(seed)
        .trial(TRIAL)
        .uniform(0, Purpose::Release, 0)
        .gaussian();
    outcome.privacy.event = Event::Composed {
        events: vec![
            outcome.privacy.event,
            Event::Gaussian {
                sigma: deviation,
                sensitivity: unit,
            },
        ],
    };
    Ok(Scored {
        outcome,
        score: count + deviation * noise,
        candidate,
        deviation: deviation / unit,
    })
}

/// How well coefficients do: a whole number, and by how much one record can move it.
fn right(problem: &Problem, coefficients: &[f64]) -> (f64, f64) {
    let margins = problem.margins(coefficients);
    let pairs = margins.iter().zip(problem.data().targets());
    if problem.loss().name() == "logistic" {
        return (pairs.filter(|(u, y)| **u * **y > 0.0).count() as f64, 1.0);
    }
    // A residual that is no number is the worst.
    let share = |(u, y): (&f64, &f64)| {
        let square = (y - u) * (y - u);
        let cut = if square < 1.0 { square } else { 1.0 };
        ((1.0 - cut) * UNITS) as u64
    };
    (pairs.map(share).sum::<u64>() as f64, UNITS)
}

fn check(request: &Request) -> Result<(), FitError> {
    let refuse = |choice: &str| Err(unsupported(request, choice.into()));
    let fits = (2..=CANDIDATES.len()).contains(&request.tune);
    let rule = "2 to 9, the number of candidates";
    OutOfDomain::unless(fits, "tune", request.tune as f64, rule)?;
    if !matches!(request.method, Method::Gd | Method::Skgd | Method::DpCd) {
        return refuse(
            "tuning, which is for gd, skgd and dp-cd: their noise is Gaussian whatever the setting",
        );
    }
    if request.loss == LossName::Huber {
        return refuse("tuning by the huber loss");
    }
    if request.smoothness == Smoothness::Private || request.schedule == ScheduleName::Theorem {
        return refuse("tuning with a private estimate of smoothness or the schedule of a theorem");
    }
    if request.loss == LossName::Squared && request.target_range.is_none() {
        return refuse("tuning without a range of the targets: say --target-range or --bounds");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::loss::{Logistic, Squared};
    use crate::problem::{Regulariser, dataset};
    use crate::units::{Delta, Epsilon};

    /// Of classes those on the right side count, each as one; of numbers 1 − (y − u)², cut at 0, in units of 2⁻²⁰.
    #[test]
    fn what_is_right_is_counted_in_whole_numbers() {
        let problem = |squared: bool, targets: Vec<f64>| {
            let data = dataset::table(&[[1.0], [-1.0], [3.0], [0.0]], targets);
            match squared {
                true => Problem::new(data, Squared, Regulariser::None),
                false => Problem::new(data, Logistic, Regulariser::None),
            }
            .expect("targets of the loss")
        };
        let classes = problem(false, vec![1.0, 1.0, 1.0, -1.0]);
        assert_eq!(right(&classes, &[2.0]), (2.0, 1.0));
        let numbers = problem(true, vec![0.5, -0.5, -5.0, 0.5]);
        assert_eq!(
            right(&numbers, &[0.5]),
            ((1.0 + 1.0 + 0.0 + 0.75) * UNITS, UNITS)
        );
        assert_eq!(right(&numbers, &[f64::NAN]), (0.0, UNITS));
    }

    /// Steps so short that candidates do the better the farther they go, and next to no noise. Of nine runs in the mean half
    /// have the best of nine candidates, and what is released is the best of each, not the first: over 40 seeds it is nearer
    /// to the best candidate than to the mean of all. The seeds are fixed: there is no chance in the test.
    #[test]
    fn the_best_of_several_runs_is_released() {
        let data = dataset::table(&[[1.0]; 200], vec![0.8; 200]);
        let problem = Problem::new(data, Squared, Regulariser::None).expect("any targets");
        let budget = (
            Epsilon::new(100.0).expect("in range"),
            Delta::new(1e-3).expect("in range"),
        );
        let request = |seed| Request {
            tune: CANDIDATES.len(),
            step: 0.02,
            passes: 10.0,
            target_range: Some((-1.0, 1.0)),
            seed,
            ..Request::new(Method::Gd, LossName::Squared, budget)
        };
        let one = |k| {
            let candidate = CANDIDATES[k as usize];
            scored(&problem, &request(0), (k, candidate))
                .expect("a run")
                .score
        };
        let alone: Vec<f64> = (0..9).map(one).collect();
        let (mean, most) = (
            alone.iter().sum::<f64>() / 9.0,
            alone.iter().copied().fold(0.0, f64::max),
        );
        assert!(most > 1.2 * mean, "{alone:?}");
        let found = (0..40).map(|seed| best(&problem, &request(seed)).expect("a run"));
        let found: Vec<Scored> = found.collect();
        let first = found[0].candidate;
        assert!(found.iter().any(|run| run.candidate != first));
        let released = found.iter().map(|run| run.score).sum::<f64>() / 40.0;
        assert!(released > 0.5 * (mean + most), "{released} of {alone:?}");
    }

    /// A step multiplies the iterate by 1 − η·ridge, η = D/C the plain one's of 1 times the candidate's: by −3 and −7 at D = 4 and
    /// C = 1 and ½, beyond all doubles. Such runs count as the worst.
    #[test]
    fn a_run_that_diverges_is_the_worst_and_ends_no_search() {
        let data = dataset::table(&[[1.0]; 20], vec![0.8; 20]);
        let problem = Problem::new(data, Squared, Regulariser::None).expect("any targets");
        let problem = problem.with_ridge(1.0).expect("a weight");
        let budget = (
            Epsilon::new(100.0).expect("in range"),
            Delta::new(1e-3).expect("in range"),
        );
        let request = |seed| Request {
            tune: CANDIDATES.len(),
            ridge: 1.0,
            step: problem.constants().smoothness()[0],
            passes: 700.0,
            target_range: Some((-1.0, 1.0)),
            seed,
            ..Request::new(Method::Gd, LossName::Squared, budget)
        };
        let one = |k: usize| scored(&problem, &request(0), (k as u64, CANDIDATES[k]));
        let astray = |k: &usize| matches!(one(*k), Err(error) if is_divergence(&error));
        let diverge: Vec<usize> = (0..CANDIDATES.len()).filter(astray).collect();
        assert_eq!(diverge, [1, 5]);
        let (mut released, mut none) = (0, 0);
        for seed in 0..40 {
            match best(&problem, &request(seed)) {
                Ok(best) => {
                    assert!(![1, 5].map(|k| CANDIDATES[k]).contains(&best.candidate));
                    released += 1;
                }
                Err(error) => {
                    assert!(is_divergence(&error), "{error}");
                    none += 1;
                }
            }
        }
        // None is released where all runs diverge: with probability Σ_k (8/9)^(k−1)/9·(2/9)^k = 2/65.
        assert!(released > 30 && none < 10, "{released}, {none}");
    }
}
