//! Hyperparameters from coarse to fine, and the runs with the best of them.

use super::cases::Case;
use super::methods::{Accounting, Descent, EPSILON, Failure, Noise, delta};
use crate::experiment::outcome::{CHOOSING, SELECTED};
use crate::experiment::selection::certified;
use crate::experiment::{Effort, Row};
use crate::mechanism::tape::Tape;
use crate::units::Delta;
use rayon::prelude::*;
use std::ops::Range;
use std::time::Instant;

/// Metrics of the rows, beside [`CHOOSING`]: the mean relative error of the trials by which a number of passes is chosen.
pub(super) const ERROR: &str = "relative error";
pub(super) const CORRECT: &str = "correct non-zeros";
pub(super) const INCORRECT: &str = "incorrect non-zeros";
pub(super) const SECONDS: &str = "seconds";

/// The tape's trials below this are for the runs that are reported.
const TRIALS_OF_TUNING: u64 = 1 << 32;

/// What is searched.
#[derive(Clone, Debug)]
pub(super) struct Grid {
    /// Step sizes and clipping levels.
    coarse: Round,
    /// Factors around the best of them.
    fine: Round,
    /// Further trials with the best pair, by which numbers of passes are compared.
    choosing: u64,
    /// Runs reported.
    pub(super) runs: u64,
}

/// Pairs of hyperparameters, each judged by so many trials.
#[derive(Clone, Debug)]
struct Round {
    steps: Vec<f64>,
    clips: Vec<f64>,
    tries: u64,
}

/// `count` numbers from 10^low to 10^high in geometric progression, as numpy's logspace.
fn logspace(low: f64, high: f64, count: usize) -> Vec<f64> {
    let at = |i: usize| low + (high - low) * i as f64 / (count - 1) as f64;
    (0..count).map(|i| 10f64.powf(at(i))).collect()
}

impl Grid {
    /// The ends are those of Table 2. A full coarse round has one value a decade; its fine round has all values of
    /// Table 2 around the best: steps every third of a decade, clipping levels every 10/49 of one.
    pub(super) fn new(method: Descent, effort: Effort) -> Self {
        let (low, high) = match method {
            Descent::Sgd => (-6.0, 0.0),
            _ => (-2.0, 1.0),
        };
        let decades = (high - low) as usize + 1;
        let count = effort.pick(2, if method == Descent::Sgd { 5 } else { 4 }, decades);
        let near = effort.pick(vec![1.0], vec![0.464, 1.0, 2.15], factors(1.0 / 3.0, 1));
        Self {
            coarse: Round {
                steps: logspace(low, high, count),
                clips: effort.pick(
                    vec![1.0, 100.0],
                    logspace(-2.0, 5.0, 8),
                    logspace(-4.0, 6.0, 11),
                ),
                tries: effort.pick(1, 1, 2),
            },
            fine: Round {
                clips: effort.pick(near.clone(), near.clone(), factors(10.0 / 49.0, 2)),
                steps: near,
                tries: effort.pick(1, 1, 3),
            },
            choosing: effort.pick(1, 3, 5),
            // Medians within 0.998 of their law: 10 runs span them all, 40 with the middle half.
            runs: effort.pick(2, 10, 40),
        }
    }

    /// In words, for the record.
    pub(super) fn text(&self) -> String {
        let round = |round: &Round| {
            let (steps, clips, tries) = (round.steps.len(), round.clips.len(), round.tries);
            format!("{steps} step sizes × {clips} clipping levels by {tries} trial(s) each")
        };
        format!(
            "{}, then around the best {}; {} more with the best of these to choose passes",
            round(&self.coarse),
            round(&self.fine),
            self.choosing
        )
    }

    /// Fits of one point of a curve.
    #[cfg(test)]
    pub(super) fn fits(&self) -> u64 {
        let round = |r: &Round| (r.steps.len() * r.clips.len()) as u64 * r.tries;
        round(&self.coarse) + round(&self.fine) + self.choosing + self.runs
    }
}

/// 10^(k·spacing) for |k| ≤ reach.
fn factors(spacing: f64, reach: i32) -> Vec<f64> {
    (-reach..=reach)
        .map(|k| 10f64.powf(f64::from(k) * spacing))
        .collect()
}

/// One point of a curve.
#[derive(Clone, Copy, Debug)]
pub(super) struct Point {
    pub(super) method: Descent,
    pub(super) accounting: Accounting,
    pub(super) passes: f64,
    pub(super) seed: u64,
    /// Whether to say what tuning within the budget would cost.
    pub(super) selection_cost: bool,
}

/// Tunes step size and clipping level, then reports the runs with the best.
pub(super) fn measure(
    case: &Case,
    label: &str,
    point: Point,
    grid: &Grid,
) -> Result<Vec<Row>, Failure> {
    let noise = Noise::new(case, point.method, point.accounting, point.passes)?;
    let judge = |pairs: &[Pair], trials| judge(case, &noise, pairs, point.seed, trials);
    let Grid { coarse, fine, .. } = grid;
    let pairs_of_coarse = pairs(&coarse.steps, &coarse.clips);
    let (step, clip) = best(&pairs_of_coarse, &judge(&pairs_of_coarse, 0..coarse.tries)?);
    let scaled = |x: f64, by: &[f64]| by.iter().map(|f| x * f).collect::<Vec<_>>();
    let around = pairs(&scaled(step, &fine.steps), &scaled(clip, &fine.clips));
    let (step, clip) = best(&around, &judge(&around, 0..fine.tries)?);
    // Beyond the trials that chose the pair.
    let first = coarse.tries.max(fine.tries);
    let choosing = judge(&[(step, clip)], first..first + grid.choosing)?;
    let chosen_by = choosing[0] / grid.choosing as f64;
    let candidates = pairs_of_coarse.len() + around.len();
    let mut rows = Vec::new();
    for run in 0..grid.runs {
        let start = Instant::now();
        let w = noise.fit(case, (step, clip), Tape::new(point.seed).trial(run))?;
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
        if run == 0 {
            push(CHOOSING, chosen_by);
            if point.selection_cost {
                push(SELECTED, selected(case, &noise, candidates)?);
            }
        }
        push(ERROR, error);
        push(SECONDS, seconds);
        if let Some((correct, incorrect)) = w.and_then(|w| case.hits(&w)) {
            push(CORRECT, correct as f64);
            push(INCORRECT, incorrect as f64);
        }
    }
    Ok(rows)
}

/// A step size and a clipping level.
type Pair = (f64, f64);

fn pairs(steps: &[f64], clips: &[f64]) -> Vec<Pair> {
    let with = |&step: &f64| clips.iter().map(move |&clip| (step, clip));
    steps.iter().flat_map(with).collect()
}

/// For each pair the sum of its relative errors over the trials of tuning.
fn judge(
    case: &Case,
    noise: &Noise,
    pairs: &[Pair],
    seed: u64,
    trials: Range<u64>,
) -> Result<Vec<f64>, Failure> {
    let errors = |trial: u64| -> Result<Vec<f64>, Failure> {
        let tape = Tape::new(seed).trial(TRIALS_OF_TUNING + trial);
        let fits = noise.fits(case, pairs, tape)?;
        let error =
            |w: &Option<Vec<f64>>| w.as_ref().map_or(f64::INFINITY, |w| case.relative_error(w));
        Ok(fits.par_iter().map(error).collect())
    };
    let trials: Result<Vec<Vec<f64>>, Failure> = trials.into_par_iter().map(errors).collect();
    let mut sums = vec![0.0; pairs.len()];
    for errors in trials? {
        sums.iter_mut().zip(errors).for_each(|(sum, e)| *sum += e);
    }
    Ok(sums)
}

/// The ε of a private choice among so many pairs.
fn selected(case: &Case, noise: &Noise, candidates: usize) -> Result<f64, Failure> {
    let Some(event) = &noise.event else {
        return Ok(f64::INFINITY);
    };
    let delta = Delta::new(delta(case))?;
    Ok(certified(std::slice::from_ref(event), candidates, delta)?)
}

/// The first of the pairs with the least judgement.
fn best(pairs: &[Pair], judged: &[f64]) -> Pair {
    let least = (0..pairs.len()).min_by(|&a, &b| judged[a].total_cmp(&judged[b]));
    pairs[least.unwrap_or(0)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::gcd::Rule;

    /// Rounds of one decade and of Table 2's spacing around the best reach every value of Table 2.
    #[test]
    fn the_full_grid_reaches_every_clipping_level_and_step_of_table_2() {
        let table = [
            (Descent::Gcd(Rule::GsR), logspace(-2.0, 1.0, 10)),
            (Descent::Cd, logspace(-2.0, 1.0, 10)),
        ];
        for (method, steps) in table {
            let grid = Grid::new(method, Effort::Full);
            let near = |values: &[f64], factors: &[f64], wanted: f64, spacing: f64| {
                let all = values
                    .iter()
                    .flat_map(|v| factors.iter().map(move |f| v * f));
                all.map(|x| (x / wanted).log10().abs())
                    .fold(f64::INFINITY, f64::min)
                    <= 0.5 * spacing
            };
            for step in steps {
                assert!(
                    near(&grid.coarse.steps, &grid.fine.steps, step, 1e-9),
                    "{step}"
                );
            }
            for clip in logspace(-4.0, 6.0, 50) {
                assert!(
                    near(&grid.coarse.clips, &grid.fine.clips, clip, 10.0 / 49.0),
                    "{clip}"
                );
            }
        }
        // 4·11·2 + 3·5·3 + 5 + 40 and 7·11·2 + 3·5·3 + 5 + 40.
        assert_eq!(Grid::new(Descent::Cd, Effort::Full).fits(), 178);
        assert_eq!(Grid::new(Descent::Sgd, Effort::Full).fits(), 244);
    }
}
