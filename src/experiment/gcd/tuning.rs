//! Hyperparameters from coarse to fine, and the runs with the best of them.

use super::cases::Case;
use super::methods::{Accounting, EPSILON, Failure, Method, Noise, delta};
use crate::experiment::{Effort, Row};
use crate::mechanism::tape::Tape;
use rayon::prelude::*;
use std::time::Instant;

/// Metrics of the rows.
pub(super) const ERROR: &str = "relative error";
pub(super) const CORRECT: &str = "correct non-zeros";
pub(super) const INCORRECT: &str = "incorrect non-zeros";
pub(super) const SECONDS: &str = "seconds";

/// The tape's trials below this are for the runs that are reported.
const TRIALS_OF_TUNING: u64 = 1 << 32;

/// What is searched.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Step sizes and clipping levels of the coarse round.
    steps: Vec<f64>,
    clips: Vec<f64>,
    /// Factors around the best, for the fine round.
    near: Vec<f64>,
    /// Runs that a pair of hyperparameters is judged by.
    tries: u64,
    /// Runs reported.
    pub(super) runs: u64,
}

/// `count` numbers from 10^low to 10^high in geometric progression, as numpy's logspace.
fn logspace(low: f64, high: f64, count: usize) -> Vec<f64> {
    let at = |i: usize| low + (high - low) * i as f64 / (count - 1) as f64;
    (0..count).map(|i| 10f64.powf(at(i))).collect()
}

impl Grid {
    /// The ends are those of Table 2; so are the fine steps at full effort.
    pub(super) fn new(method: Method, effort: Effort) -> Self {
        let (low, high) = match method {
            Method::Sgd => (-6.0, 0.0),
            _ => (-2.0, 1.0),
        };
        let count = effort.pick(2, if method == Method::Sgd { 5 } else { 4 }, 10);
        let fine = 10f64.powf(10.0 / 49.0);
        Self {
            steps: logspace(low, high, count),
            clips: effort.pick(
                vec![1.0, 100.0],
                logspace(-2.0, 5.0, 8),
                logspace(-4.0, 6.0, 26),
            ),
            near: effort.pick(
                vec![1.0],
                vec![0.464, 1.0, 2.15],
                vec![1.0 / fine, 1.0, fine],
            ),
            tries: effort.pick(1, 1, 3),
            runs: effort.pick(2, 5, 5),
        }
    }

    /// In words, for the record.
    pub(super) fn text(&self) -> String {
        format!(
            "{} step sizes × {} clipping levels, then × {} around the best; {} trial(s) each",
            self.steps.len(),
            self.clips.len(),
            self.near.len() * self.near.len(),
            self.tries
        )
    }
}

/// One point of a curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) method: Method,
    pub(super) accounting: Accounting,
    pub(super) passes: f64,
    pub(super) seed: u64,
}

/// Tunes step size and clipping level, then reports the runs with the best.
pub(super) fn measure(
    case: &Case,
    label: &str,
    point: Point,
    grid: &Grid,
) -> Result<Vec<Row>, Failure> {
    let noise = Noise::new(case, point.method, point.accounting, point.passes)?;
    let judge = |&(step, clip): &(f64, f64)| -> Result<f64, Failure> {
        let mut sum = 0.0;
        for trial in 0..grid.tries {
            let tape = Tape::new(point.seed).trial(TRIALS_OF_TUNING + trial);
            let w = noise.fit(case, step, clip, tape)?;
            sum += w.map_or(f64::INFINITY, |w| case.relative_error(&w));
        }
        Ok(sum)
    };
    let coarse = pairs(&grid.steps, &grid.clips);
    let (step, clip) = best(&coarse, judge)?;
    let scaled = |x: f64| grid.near.iter().map(|f| x * f).collect::<Vec<_>>();
    let (step, clip) = best(&pairs(&scaled(step), &scaled(clip)), judge)?;
    let mut rows = Vec::new();
    for run in 0..grid.runs {
        let start = Instant::now();
        let w = noise.fit(case, step, clip, Tape::new(point.seed).trial(run))?;
        let seconds = start.elapsed().as_secs_f64();
        let error = w.as_ref().map_or(f64::INFINITY, |w| case.relative_error(w));
        let mut push = |metric: &str, value| {
            rows.push(Row {
                problem: case.name.clone(),
                method: label.to_owned(),
                accounting: point.accounting.name().to_owned(),
                epsilon: EPSILON,
                epsilon_upper: noise.epsilon_upper,
                delta: delta(case),
                x: point.passes,
                metric: metric.to_owned(),
                run,
                value,
                setting: format!("γ = {step:.3e}, C = {clip:.3e}"),
            });
        };
        push(ERROR, error);
        push(SECONDS, seconds);
        if let Some((correct, incorrect)) = w.and_then(|w| case.hits(&w)) {
            push(CORRECT, correct as f64);
            push(INCORRECT, incorrect as f64);
        }
    }
    Ok(rows)
}

fn pairs(steps: &[f64], clips: &[f64]) -> Vec<(f64, f64)> {
    let with = |&step: &f64| clips.iter().map(move |&clip| (step, clip));
    steps.iter().flat_map(with).collect()
}

/// The first of the pairs with the least judgement.
fn best(
    pairs: &[(f64, f64)],
    judge: impl Fn(&(f64, f64)) -> Result<f64, Failure> + Send + Sync,
) -> Result<(f64, f64), Failure> {
    let judged: Result<Vec<f64>, Failure> = pairs.par_iter().map(judge).collect();
    let judged = judged?;
    let least = (0..pairs.len()).min_by(|&a, &b| judged[a].total_cmp(&judged[b]));
    Ok(pairs[least.unwrap_or(0)])
}
