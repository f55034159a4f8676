//! A designed experiment for DP-SkGD, whose paper prints none: what sampling buys where coordinates are
//! on different scales, and the rate in ε.

use super::outcome::{Group, Remark, Row, SELECTED};
use super::selection::certified;
use super::{Cell, Choice, Experiment, ExperimentError, Input, Outline, Prepared, Rows, Setting};
use crate::accounting::{self, Accountant};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::loss::Logistic;
use crate::problem::optimum::optimum;
use crate::problem::{Dataset, Dense, Design, Problem, Regulariser};
use crate::solver::skgd::{self, Calibration, Config, RunError, Sampling, SetValues, optimized};
use crate::units::{Delta, Epsilon, Neighbouring};
use std::sync::Arc;

/// The experiment `skgd-sampling`.
pub(super) struct Samplings;

const METRIC: &str = "excess risk";
const DELTA: f64 = 1e-7;
const BLOCK: usize = 5;
const NAMES: [&str; 5] = [
    "full gradients",
    "uniform coordinates",
    "importance coordinates",
    "uniform blocks",
    "importance blocks",
];

/// A problem with coordinates on equal or on different scales.
struct Task {
    name: &'static str,
    problem: Problem,
    least: f64,
    passes: Vec<f64>,
    tries: u64,
    runs: u64,
    seed: u64,
    selection_cost: bool,
}

impl Experiment for Samplings {
    fn outline(&self) -> Outline {
        Outline {
            name: "skgd-sampling",
            title: "DP-SkGD: full gradients against random coordinates and blocks, equal and \
                    unequal scales",
            place: "our design; the paper prints no experiment",
            claims: &["skgd-thm-4.2-cvx-rate", "skgd-thm-4.1"],
            axis: "epsilon",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let epsilons = effort.pick(
            &[1.0][..],
            &[0.1, 1.0, 10.0],
            &[0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0],
        );
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        for (name, decades) in [("equal scales", 0.0), ("scales over two decades", 2.0)] {
            let (data, input) = data(
                name,
                decades,
                effort.pick(60, 2000, 5000),
                effort.pick(10, 20, 50),
                setting.seed,
            )?;
            inputs.push(input);
            let problem = Problem::new(data, Logistic, Regulariser::None)?.with_ridge(1e-4)?;
            let public = problem.constants().clone().stated_public();
            let problem = problem.with_constants(public)?;
            let task = Arc::new(Task {
                name,
                least: optimum(&problem, 1e-12, 200).objective,
                problem,
                passes: effort.pick(
                    vec![1.0],
                    vec![0.5, 2.0, 8.0, 32.0],
                    vec![0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0],
                ),
                tries: effort.pick(1, 2, 5),
                runs: effort.pick(2, 5, 20),
                seed: setting.seed,
                selection_cost: setting.selection_cost,
            });
            for (sampling, method) in NAMES.into_iter().enumerate() {
                for &epsilon in epsilons {
                    for calibration in calibrations(epsilon) {
                        let task = Arc::clone(&task);
                        let cell = format!("{name}, {}, {calibration:?}, ε = {epsilon}", method);
                        cells.push(Cell::new(cell, 1, move || {
                            task.measure(sampling, calibration, epsilon)
                        }));
                    }
                }
            }
        }
        Ok(Prepared {
            inputs,
            choices: vec![
                Choice::new(
                    "Which constants?",
                    "L_j and M_j of the data, stated to be public; no clipping; γ_j = p_j/(s·M_j), \
                     T = 1 outer round",
                ),
                Choice::new(
                    "How many steps K?",
                    "the theorem's K needs the distance to the optimum; here the best of a few \
                     numbers of passes",
                ),
                Choice::new(
                    "Which relation and δ?",
                    format!(
                        "replace-one, δ = {DELTA}; the \
                    transcript is released"
                    ),
                ),
            ],
            tuning: "The number of passes is tuned on the same data with other noise, outside the \
                     budget; step sizes are the theorem's."
                .to_owned(),
            cells,
        })
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let mut remarks = vec![
            beats(groups, "scales over two decades", NAMES[1], NAMES[0]),
            beats(groups, "scales over two decades", NAMES[2], NAMES[0]),
        ];
        for problem in ["equal scales", "scales over two decades"] {
            remarks.extend(NAMES.iter().filter_map(|name| falls(groups, problem, name)));
        }
        remarks
    }
}

/// The printed scale is stated for ε ≤ 1 only.
fn calibrations(epsilon: f64) -> Vec<Calibration> {
    match epsilon <= 1.0 {
        true => vec![
            Calibration::Printed,
            Calibration::BestOrder,
            Calibration::Tight,
        ],
        false => vec![Calibration::BestOrder, Calibration::Tight],
    }
}

const fn accounting_name(calibration: Calibration) -> &'static str {
    match calibration {
        Calibration::Printed => "printed",
        Calibration::BestOrder => "Rényi, best order",
        Calibration::Tight => "tight",
    }
}

/// Bounded columns, uniform on ±scale, so that L_j is known without the data.
fn data(
    name: &str,
    decades: f64,
    n: usize,
    d: usize,
    seed: u64,
) -> Result<(Dataset, Input), ExperimentError> {
    let mut words = Tape::new(seed).trial(21).stream(0, Purpose::Data, 0);
    let scale = |j: usize| 10f64.powf(-decades * j as f64 / (d - 1) as f64);
    let columns: Vec<f64> = (0..n * d)
        .map(|k| scale(k / n) * (2.0 * words.uniform().fraction() - 1.0))
        .collect();
    let mut margins = vec![0.0; n];
    for (j, column) in columns.chunks_exact(n).enumerate() {
        // The telling coordinates are the large ones.
        let w = 4.0 * scale(j);
        margins
            .iter_mut()
            .zip(column)
            .for_each(|(u, x)| *u += w * x);
    }
    let label = |u: &f64, fraction: f64| match fraction < 1.0 / (1.0 + (-u).exp()) {
        true => 1.0,
        false => -1.0,
    };
    let targets = margins
        .iter()
        .map(|u| label(u, words.uniform().fraction()))
        .collect();
    let bad = |reason: String| super::data::DataError::Content {
        name: name.to_owned(),
        line: 0,
        reason,
    };
    let design = Dense::from_columns(n, d, columns).map_err(|e| bad(e.to_string()))?;
    let data = Dataset::new(name, Design::from(design), targets).map_err(|e| bad(e.to_string()))?;
    let recipe =
        format!("{n} × {d} uniform on ±10^(−{decades}·j/(d−1)), logistic labels, seed {seed}");
    Ok((data, Input::synthetic(name, recipe)))
}

impl Task {
    fn sampling(&self, which: usize) -> Result<Sampling, skgd::SamplingError> {
        let d = self.problem.features();
        let m = self.problem.constants().smoothness();
        let all: Vec<usize> = (0..d).collect();
        let blocks = || all.chunks(BLOCK).map(<[usize]>::to_vec).collect();
        match which {
            0 => Sampling::full(d),
            1 => Sampling::uniform_singleton(d),
            2 => Sampling::importance_singleton(m),
            3 => Sampling::partition(d, blocks()),
            _ => Sampling::importance_partition(d, blocks(), m),
        }
    }

    fn measure(&self, which: usize, calibration: Calibration, epsilon: f64) -> Rows {
        let budget = (Epsilon::new(epsilon)?, Delta::new(DELTA)?);
        let mut best: Option<(f64, usize, Config)> = None;
        let mut events = Vec::new();
        for &passes in &self.passes {
            let sampling = self.sampling(which)?;
            let steps = passes * self.problem.features() as f64 / sampling.mean_size();
            let lengths = (steps.round().max(1.0) as usize, 1);
            let mut config =
                Config::calibrated(&self.problem, lengths, sampling, None, calibration, budget)?;
            config.keep_transcript = false;
            let one = calibration.scales(budget, (config.inner, 1), &SetValues::Same(1.0))?;
            events.push(skgd::event(config.inner as u64, one.numbers()[0]));
            let trials = (0..self.tries).map(|t| self.excess(&config, (1 << 32) + t));
            let sum: f64 = trials.sum::<Result<f64, RunError>>()?;
            if best.as_ref().is_none_or(|(least, ..)| sum < *least) {
                best = Some((sum, events.len() - 1, config));
            }
        }
        let Some((_, chosen, config)) = best else {
            return Ok(Vec::new());
        };
        let (auto, relation) = (Accountant::Auto, Neighbouring::ReplaceOne);
        let report = accounting::account(&events[chosen], budget.1, auto, relation, false)?;
        let row = |metric: &str, run: u64, value: f64| Row {
            problem: self.name.to_owned(),
            method: NAMES[which].to_owned(),
            accounting: accounting_name(calibration).to_owned(),
            epsilon,
            epsilon_upper: report.epsilon_upper,
            delta: DELTA,
            x: epsilon,
            metric: metric.to_owned(),
            run,
            value,
            setting: format!("{} passes, K = {}", self.passes[chosen], config.inner),
        };
        let mut rows = Vec::new();
        if self.selection_cost {
            let cost = certified(&events, events.len(), budget.1)?;
            rows.push(row(SELECTED, 0, cost));
        }
        for run in 0..self.runs {
            rows.push(row(METRIC, run, self.excess(&config, run)?));
        }
        Ok(rows)
    }

    fn excess(&self, config: &Config, trial: u64) -> Result<f64, RunError> {
        let run = optimized::run(&self.problem, config, Tape::new(self.seed).trial(trial))?;
        Ok(self.problem.objective(&run.iterate) - self.least)
    }
}

fn curve(groups: &[Group], problem: &str, method: &str) -> Vec<(f64, f64)> {
    let tight = accounting_name(Calibration::Tight);
    let here = |g: &&Group| {
        g.key.problem == problem
            && g.key.method == method
            && g.key.accounting == tight
            && g.key.metric == METRIC
    };
    groups
        .iter()
        .filter(here)
        .map(|g| (g.key.x, g.mean))
        .collect()
}

fn beats(groups: &[Group], problem: &str, method: &str, other: &str) -> Remark {
    let (ours, theirs) = (
        curve(groups, problem, method),
        curve(groups, problem, other),
    );
    let both: Vec<(f64, f64, f64)> = ours
        .iter()
        .zip(&theirs)
        .map(|(a, b)| (a.0, a.1, b.1))
        .collect();
    Remark {
        statement: format!("{problem}: {method} have a smaller excess than {other} at every ε"),
        seen: !both.is_empty() && both.iter().all(|(_, a, b)| a < b),
        evidence: format!("(ε, {method}, {other}): {both:.3?}"),
    }
}

/// The exponent of ε between the ends; the convex bound has −1.
fn falls(groups: &[Group], problem: &str, method: &str) -> Option<Remark> {
    let curve = curve(groups, problem, method);
    let (first, last) = (curve.first()?, curve.last()?);
    if first.0 >= last.0 {
        return None;
    }
    let slope = (last.1 / first.1).ln() / (last.0 / first.0).ln();
    Some(Remark {
        statement: format!("{problem}, {method}: the excess falls with ε, at most as fast as 1/ε²"),
        seen: (-2.2..0.0).contains(&slope),
        evidence: format!(
            "exponent {slope:.2} from ε = {} to {}; the convex bound has −1, the strongly convex \
             one −2",
            first.0, last.0
        ),
    })
}
