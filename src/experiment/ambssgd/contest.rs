//! Which of DP-AMBSSGD and AdaSSP has the smaller excess risk, where, and by how much.

use super::methods::Hyperparameters;
use super::task::{Task, tasks};
use crate::accounting::Event;
use crate::accounting::gaussian::calibrate_sigma;
use crate::experiment::outcome::{Group, Remark, Row, SELECTED, spanning_the_median};
use crate::experiment::selection::certified;
use crate::experiment::{
    Cell, Choice, Experiment, ExperimentError, Outline, Prepared, Rows, Setting,
};
use crate::mechanism::tape::Tape;
use crate::units::{Delta, Epsilon, Sensitivity};
use std::sync::Arc;

const METRIC: &str = "excess risk";
/// The metric of the rows that compare: DP-AMBSSGD's excess risk divided by AdaSSP's.
const RATIO: &str = "ratio DP-AMBSSGD / AdaSSP";
/// What is said about it.
const MEDIAN: &str = "median";
const LOW: &str = "interval, from";
const HIGH: &str = "interval, to";
/// The interval of the median has at least this coverage, if any has.
const COVERAGE: f64 = 0.95;
/// A run that went astray counts as this in the ratio.
const LOST: f64 = 1e6;
/// Tuning runs have trials from here on, the runs that count below.
const TUNING: u64 = 1 << 32;

/// The experiment `ambssgd-adassp`.
pub(in crate::experiment) struct Contest;

/// How much is done in a cell.
#[derive(Clone, Copy)]
struct Workload {
    seed: u64,
    tuning: u64,
    selection_cost: bool,
    runs: u64,
}

impl Experiment for Contest {
    fn outline(&self) -> Outline {
        Outline {
            name: "ambssgd-adassp",
            title: "DP-AMBSSGD (repaired) beside AdaSSP: excess risk against ε",
            place: "our own design; the paper prints no experiments",
            claims: &[
                "ambssgd-thm-3.7",
                "ambssgd-cor-3.8-util",
                "ambssgd-thm-3.7-rate",
            ],
            axis: "epsilon",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let workload = Workload {
            seed: setting.seed,
            tuning: effort.pick(1, 5, 5),
            selection_cost: setting.selection_cost,
            runs: effort.pick(3, 20, 20),
        };
        let epsilons = effort.pick(&[1.0][..], &[0.1, 1.0, 10.0], &[0.1, 0.3, 1.0, 3.0, 10.0]);
        let (mut cells, mut inputs) = (Vec::new(), Vec::new());
        for (task, input) in tasks(setting)? {
            inputs.push(input);
            let task = Arc::new(task);
            for &epsilon in epsilons {
                let name = format!("{}, ε = {epsilon}", task.name);
                let (task, weight) = (Arc::clone(&task), task.records.records() as u64);
                cells.push(Cell::new(name, weight, move || {
                    workload.measure(&task, epsilon)
                }));
            }
        }
        Ok(Prepared {
            inputs,
            choices: choices(&workload),
            tuning: format!(
                "Hyperparameters of both methods: the grid point with the least mean excess risk \
                 over {} runs with noise of their own; the {} runs shown come after. Means and \
                 deviations that standardise california and diabetes are taken for public. The \
                 budget pays for neither.",
                workload.tuning, workload.runs
            ),
            cells,
        })
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let mut problems: Vec<&str> = Vec::new();
        for group in groups.iter().filter(|g| g.key.metric == RATIO) {
            if !problems.contains(&group.key.problem.as_str()) {
                problems.push(&group.key.problem);
            }
        }
        problems.into_iter().map(|p| winner(groups, p)).collect()
    }
}

fn choices(workload: &Workload) -> Vec<Choice> {
    vec![
        Choice::new(
            "Which neighbours, which δ?",
            "replace-one for both methods, δ = 1/N²; ε is spent by all that a run releases, at \
             that δ",
        ),
        Choice::new(
            "Which noise?",
            "the exact Gaussian profile for both: DP-AMBSSGD with disjoint ranges, AdaSSP with \
             three equal shares",
        ),
        Choice::new(
            "What is measured?",
            "(MSE(w) − min MSE)/MSE(0) on the records themselves: 0 is least squares, R² is \
             answering 0; in the ratio a run that went astray counts as 10⁶",
        ),
        Choice::new(
            "What is the interval?",
            format!(
                "of the median of log10 of the ratio over {} pairs of runs, between order \
                 statistics: coverage {:.4} whatever the law",
                workload.runs,
                spanning_the_median(workload.runs, COVERAGE).1
            ),
        ),
    ]
}

impl Workload {
    fn measure(self, task: &Task, epsilon: f64) -> Rows {
        let n = task.records.records() as f64;
        let budget = (Epsilon::new(epsilon)?, Delta::new(1.0 / (n * n))?);
        let row = |method: &str, metric: &str, run, value, upper, setting: &str| Row {
            problem: task.name.clone(),
            method: method.to_owned(),
            accounting: "exact Gaussian profile".to_owned(),
            epsilon,
            epsilon_upper: upper,
            delta: budget.1.get(),
            x: epsilon,
            metric: metric.to_owned(),
            run,
            value,
            setting: setting.to_owned(),
        };
        let d = task.records.features();
        let zero = task.excess(&vec![0.0; d]);
        let mut rows = vec![row("answering 0", METRIC, 0, zero, 0.0, "")];
        let mut logs = Vec::new();
        for candidates in [Hyperparameters::ambssgd(d), Hyperparameters::adassp()] {
            let method = self.tuned(task, budget, &candidates)?;
            if self.selection_cost {
                // Every candidate is one Gaussian mechanism of the budget's profile.
                let sigma = calibrate_sigma(Sensitivity::new(1.0)?, budget.0, budget.1)?.hi;
                let event = Event::Gaussian {
                    sigma,
                    sensitivity: 1.0,
                };
                let cost = certified(&[event], candidates.len(), budget.1)?;
                rows.push(row(method.name(), SELECTED, 0, cost, epsilon, ""));
            }
            for run in 0..self.runs {
                let tape = Tape::new(self.seed).trial(run);
                let (excess, upper) = method.run(task, budget, tape)?;
                let setting = method.describe();
                rows.push(row(method.name(), METRIC, run, excess, upper, &setting));
                logs.push(excess.clamp(f64::MIN_POSITIVE, LOST).log10());
            }
        }
        let (ours, theirs) = logs.split_at(self.runs as usize);
        let mut ratios: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
        ratios.sort_by(f64::total_cmp);
        let (skipped, coverage) = spanning_the_median(self.runs, COVERAGE);
        let setting = format!("coverage {coverage:.4}");
        let ends = [
            (MEDIAN, median(&ratios)),
            (LOW, ratios[skipped]),
            (HIGH, ratios[ratios.len() - 1 - skipped]),
        ];
        let end = |(part, log)| row(part, RATIO, 0, 10f64.powf(log), epsilon, &setting);
        rows.extend(ends.map(end));
        Ok(rows)
    }

    /// The candidate with the least mean over the tuning runs; the first of equals.
    fn tuned(
        self,
        task: &Task,
        budget: (Epsilon, Delta),
        candidates: &[Hyperparameters],
    ) -> Result<Hyperparameters, Box<dyn std::error::Error + Send + Sync>> {
        let mut best = (f64::INFINITY, candidates[0]);
        for &method in candidates {
            let mut sum = 0.0;
            for run in 0..self.tuning {
                let tape = Tape::new(self.seed).trial(TUNING + run);
                sum += method.run(task, budget, tape)?.0;
            }
            if sum < best.0 {
                best = (sum, method);
            }
        }
        Ok(best.1)
    }
}

/// Of sorted values, at least one.
fn median(sorted: &[f64]) -> f64 {
    let half = sorted.len() / 2;
    match sorted.len() % 2 {
        0 => 0.5 * (sorted[half - 1] + sorted[half]),
        _ => sorted[half],
    }
}

/// Where the interval leaves no doubt, and the factors.
fn winner(groups: &[Group], problem: &str) -> Remark {
    let of = |part: &str| {
        let same =
            |g: &&Group| g.key.problem == problem && g.key.metric == RATIO && g.key.method == part;
        groups.iter().filter(same).collect::<Vec<_>>()
    };
    let mut evidence = Vec::new();
    let mut everywhere = true;
    for ((median, low), high) in of(MEDIAN).into_iter().zip(of(LOW)).zip(of(HIGH)) {
        let verdict = match (low.mean, high.mean) {
            (_, high) if high < 1.0 => format!("DP-AMBSSGD wins by {:.3}", 1.0 / median.mean),
            (low, _) if low > 1.0 => format!("AdaSSP wins by {:.3}", median.mean),
            _ => format!("undecided, median {:.3}", median.mean),
        };
        everywhere &= high.mean < 1.0;
        evidence.push(format!(
            "ε = {}: {verdict} (ratio in [{:.3}, {:.3}])",
            median.key.x, low.mean, high.mean
        ));
    }
    Remark {
        statement: format!("{problem}: DP-AMBSSGD has the smaller excess risk at every ε"),
        seen: everywhere && !evidence.is_empty(),
        evidence: evidence.join("; "),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_of_an_even_number_is_between_the_middle_two() {
        assert_eq!(median(&[1.0, 2.0, 4.0]), 2.0);
        assert_eq!(median(&[1.0, 2.0, 4.0, 8.0]), 3.0);
    }
}
