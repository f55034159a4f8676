//! The three methods for a budget, under several accountants.

use super::cases::Case;
use crate::accounting::calibrate::{self, Target, Trend};
use crate::accounting::{AccountError, Accountant, Event, account, noisy_max};
use crate::mechanism::tape::Tape;
use crate::problem::Regulariser;
use crate::solver::baseline::{dp_cd, dp_sgd};
use crate::solver::gcd::{self, PerAccess, Rule, SelectionNoise, SelectionScale};
use crate::solver::skgd::{self, Sampling, SetValues};
use crate::units::{Delta, Epsilon, Neighbouring};
use rayon::prelude::*;
use std::error::Error;

/// Any failure of a cell.
pub(super) type Failure = Box<dyn Error + Send + Sync>;

/// ε of all these experiments.
pub(super) const EPSILON: f64 = 1.0;

/// Which algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Descent {
    Gcd(Rule),
    Cd,
    Sgd,
}

/// How the noise follows from (ε, δ).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accounting {
    /// DP-GCD's closed form (Theorem 4.2), as printed.
    ClosedForm,
    /// What the paper's experiments use: DP-GCD by the root of equation (2), the others by Rényi bounds.
    Printed,
    /// DP-GCD by the same equation, with the selection's noise as its repaired claim needs it.
    Repaired,
    /// The least noise that the tight accountant allows.
    Tight,
}

impl Descent {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Gcd(_) => "DP-GCD",
            Self::Cd => "DP-CD",
            Self::Sgd => "DP-SGD",
        }
    }

    /// Steps in so many passes.
    pub(super) fn steps(self, case: &Case, passes: f64) -> usize {
        let pass = match self {
            Self::Gcd(_) => 1,
            Self::Cd => case.problem.features(),
            Self::Sgd => case.problem.records(),
        };
        ((passes * pass as f64).round() as usize).max(1)
    }
}

impl Accounting {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::ClosedForm => "printed closed form",
            Self::Printed => "printed",
            Self::Repaired => "repaired",
            Self::Tight => "tight",
        }
    }
}

/// 1/n².
pub(super) fn delta(case: &Case) -> f64 {
    (case.problem.records() as f64).powi(-2)
}

/// The noise of a run for the sensitivities that its clipping will have, and what it certifies.
#[derive(Clone, Debug)]
pub(super) struct Noise {
    kind: Kind,
    steps: usize,
    /// One run, to an accountant; none if it has no guarantee.
    pub(super) event: Option<Event>,
    /// The least ε that the tight accountant certifies under replace-one; infinite if none.
    pub(super) epsilon_upper: f64,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Laplace(PerAccess, SelectionNoise, Rule),
    /// Multiples of the sensitivity.
    Coordinates(f64),
    Batches(f64),
}

impl Noise {
    /// The noise for (1, 1/n²) over so many passes.
    pub(super) fn new(
        case: &Case,
        method: Descent,
        accounting: Accounting,
        passes: f64,
    ) -> Result<Self, Failure> {
        let steps = method.steps(case, passes);
        let target = Target {
            epsilon: Epsilon::new(EPSILON)?,
            delta: Delta::new(delta(case))?,
            method: Accountant::Auto,
            neighbours: Neighbouring::ReplaceOne,
        };
        match method {
            Descent::Gcd(rule) => greedy(case, rule, accounting, steps, &target),
            Descent::Cd => coordinates(accounting, steps, &target),
            Descent::Sgd => batches(case, accounting, steps, &target),
        }
    }

    /// Coefficients of runs with pairs of step size and clipping level, all on one tape; `None` if they left the
    /// doubles.
    pub(super) fn fits(
        &self,
        case: &Case,
        pairs: &[(f64, f64)],
        tape: Tape,
    ) -> Result<Vec<Option<Vec<f64>>>, Failure> {
        let Kind::Batches(multiplier) = self.kind else {
            return pairs
                .par_iter()
                .map(|&pair| self.fit(case, pair, tape))
                .collect();
        };
        let config = self.batch_config(case, (1.0, 1.0), multiplier);
        let runs = dp_sgd::run_pairs(&case.problem, &config, pairs, tape)?;
        runs.into_iter().map(ended).collect()
    }

    /// As [`Noise::fits`], of one pair.
    pub(super) fn fit(
        &self,
        case: &Case,
        (step, clip): (f64, f64),
        tape: Tape,
    ) -> Result<Option<Vec<f64>>, Failure> {
        match self.kind {
            Kind::Laplace(per, selection, rule) => {
                let mut config = self.greedy_config(case, (step, clip), per)?;
                (config.rule, config.selection) = (rule, selection);
                match gcd::optimized::run(&case.problem, &config, tape) {
                    Ok(run) => Ok(Some(run.iterate)),
                    Err(gcd::RunError::Diverged { .. }) => Ok(None),
                    Err(other) => Err(other.into()),
                }
            }
            Kind::Coordinates(multiplier) => {
                self.coordinate_fit(case, (step, clip), multiplier, tape)
            }
            Kind::Batches(multiplier) => {
                let config = self.batch_config(case, (step, clip), multiplier);
                ended(dp_sgd::run(&case.problem, &config, tape))
            }
        }
    }

    fn greedy_config(
        &self,
        case: &Case,
        (step, clip): (f64, f64),
        per: PerAccess,
    ) -> Result<gcd::Config, Failure> {
        let thresholds = case.problem.constants().clipping_thresholds(clip)?;
        let sensitivities = gcd::sensitivities(&case.problem, Some(&thresholds))?;
        let scales = per.scales(&sensitivities, case.problem.constants().smoothness())?;
        let mut config = gcd::Config::new(&case.problem, self.steps, scales);
        config.steps.iter_mut().for_each(|own| *own *= step);
        config.clipping = Some(thresholds);
        Ok(config)
    }

    fn batch_config(
        &self,
        case: &Case,
        (step, radius): (f64, f64),
        multiplier: f64,
    ) -> dp_sgd::Config {
        dp_sgd::Config {
            start: vec![0.0; case.problem.features()],
            step,
            iterations: self.steps,
            batch: dp_sgd::Batch::FixedSize { size: 1 },
            radius,
            multiplier,
        }
    }

    fn coordinate_fit(
        &self,
        case: &Case,
        (step, clip): (f64, f64),
        multiplier: f64,
        tape: Tape,
    ) -> Result<Option<Vec<f64>>, Failure> {
        let p = case.problem.features();
        let thresholds = case.problem.constants().clipping_thresholds(clip)?;
        let sampling = Sampling::uniform_singleton(p)?;
        let radii = SetValues::Root(thresholds.clone());
        let sensitivities = skgd::sensitivities(&case.problem, &sampling, Some(&radii))?;
        let smoothness = case.problem.constants().smoothness();
        let config = dp_cd::Config {
            start: vec![0.0; p],
            steps: smoothness.iter().map(|m| step / m).collect(),
            inner: self.steps,
            outer: 1,
            noise: sensitivities.scaled(multiplier).numbers().to_vec(),
            clipping: Some(thresholds),
        };
        ended(dp_cd::run(&case.problem, &config, tape))
    }
}

/// A run that diverged is a bad choice of hyperparameters, not a failure.
fn ended(run: Result<Vec<f64>, skgd::RunError>) -> Result<Option<Vec<f64>>, Failure> {
    match run {
        Ok(w) => Ok(Some(w)),
        Err(skgd::RunError::Diverged { .. }) => Ok(None),
        Err(other) => Err(other.into()),
    }
}

/// T selections of ε_s and T releases of ε_r.
fn transcript(steps: usize, selection: f64, release: f64) -> Event {
    let repeated = |event| Event::Repeated {
        times: steps as u64,
        event: Box::new(event),
    };
    Event::Composed {
        events: vec![
            repeated(Event::Pure { epsilon: selection }),
            repeated(Event::Laplace {
                scale: 1.0 / release,
                sensitivity: 1.0,
            }),
        ],
    }
}

fn greedy(
    case: &Case,
    rule: Rule,
    accounting: Accounting,
    steps: usize,
    target: &Target,
) -> Result<Noise, Failure> {
    let equation = || gcd::per_access_epsilon(target.epsilon, target.delta, steps);
    let (epsilon, multiple) = match accounting {
        // As printed, to be seen beside gcd-thm-4.2-corrected, which holds.
        //= gcd-thm-4.2
        Accounting::ClosedForm => {
            let log = -target.delta.get().ln();
            (EPSILON / (4.0 * (steps as f64 * log).sqrt()), 1.0)
        }
        Accounting::Printed => (equation()?, 1.0),
        Accounting::Repaired => (equation()?, 2.0),
        Accounting::Tight => {
            // The selection's ε as it is certified below: rounded up, it may exceed e by a bit.
            let selection = |e: f64| {
                noisy_max::epsilon_upper(&[1.0; 2], &[2.0 / e; 2]).unwrap_or(f64::INFINITY)
            };
            let at = |e: f64| transcript(steps, selection(e), e);
            let range = (1e-6, 10.0);
            let found =
                calibrate::parameter("epsilon per access", range, Trend::Grows, target, at)?;
            (found.value, 2.0)
        }
    };
    // Thresholds in proportion to √M_j give all scores one sensitivity, so that twice the printed scale
    // is what `SelectionScale::NoisyMax` gives.
    let printed = matches!(accounting, Accounting::ClosedForm | Accounting::Printed);
    let (selection, place) = match (printed, case.problem.regulariser()) {
        (true, _) => (SelectionScale::Multiple(multiple), SelectionNoise::Inside),
        (false, Regulariser::None) => (SelectionScale::NoisyMax, SelectionNoise::Inside),
        (false, _) => (SelectionScale::NoisyMax, SelectionNoise::OnScore),
    };
    // Noise inside a score with a plateau has no proof at all.
    let covered = place == SelectionNoise::OnScore || !case.problem.regulariser().has_plateau();
    let selected = noisy_max::epsilon_upper(&[1.0; 2], &[multiple / epsilon; 2])?;
    let event = transcript(steps, selected, epsilon);
    Ok(Noise {
        kind: Kind::Laplace(PerAccess { epsilon, selection }, place, rule),
        steps,
        epsilon_upper: if covered {
            certified(&event, target)?
        } else {
            f64::INFINITY
        },
        event: covered.then_some(event),
    })
}

fn certified(event: &Event, target: &Target) -> Result<f64, AccountError> {
    let report = account(event, target.delta, target.method, target.neighbours, false)?;
    Ok(report.epsilon_upper)
}

fn coordinates(accounting: Accounting, steps: usize, target: &Target) -> Result<Noise, Failure> {
    let calibration = match accounting {
        Accounting::Tight => skgd::Calibration::Tight,
        _ => skgd::Calibration::BestOrder,
    };
    let budget = (target.epsilon, target.delta);
    let one = calibration.scales(budget, (steps, 1), &SetValues::Same(1.0))?;
    let multiplier = one.numbers()[0];
    let event = skgd::event(steps as u64, multiplier);
    Ok(Noise {
        kind: Kind::Coordinates(multiplier),
        steps,
        epsilon_upper: certified(&event, target)?,
        event: Some(event),
    })
}

fn batches(
    case: &Case,
    accounting: Accounting,
    steps: usize,
    target: &Target,
) -> Result<Noise, Failure> {
    let n = case.problem.records();
    let batch = dp_sgd::Batch::FixedSize { size: 1 };
    let multiplier = match accounting {
        Accounting::Tight => batch.calibrate(n, steps as u64, target)?.value,
        _ => {
            let poisson = dp_sgd::Batch::Poisson {
                rate: 1.0 / n as f64,
            };
            let printed = Target {
                method: Accountant::Rdp,
                neighbours: Neighbouring::AddRemove,
                ..*target
            };
            // The sum moves by 2C when a record is replaced.
            2.0 * poisson.calibrate(n, steps as u64, &printed)?.value
        }
    };
    let event = batch.event(n, multiplier, steps as u64);
    Ok(Noise {
        kind: Kind::Batches(multiplier),
        steps,
        epsilon_upper: certified(&event, target)?,
        event: Some(event),
    })
}

#[cfg(test)]
mod tests;
