//! The least-squares task of §6.1: draws of the data, runs, and the metric of Figure 1(a).

use super::noise::{Accounting, TrustModel, USERS, candidates, certified};
use crate::accounting::decor::Noise;
use crate::experiment::Rows;
use crate::experiment::outcome::Row;
use crate::mechanism::tape::{Purpose, Tape};
use crate::solver::decor::{Config, LeastSquares, Run, Sampling, Secrets, StepSizes, optimized};
use crate::units::{Delta, Epsilon};

/// Coordinates d of the task.
const DIMENSION: usize = 10;
const DELTA: f64 = 1e-5;
const STEP: f64 = 1.668e-3;
const CLIP: f64 = 1.0;
pub(super) const METRIC: &str = "squared distance";
/// Steps T, and how many of the last iterates the metric averages over.
pub(super) const STEPS: usize = 3500;
pub(super) const AVERAGED: usize = 199;
/// Draws below this number are for the runs that are reported.
const DRAWS_OF_TUNING: u64 = 1 << 20;

/// How the data are made.
pub(super) fn recipe(seed: u64) -> String {
    format!("A_i = (i/√n)·I, b_i ~ N(0, I/i²), n = {USERS}, d = {DIMENSION}, seed {seed}")
}

/// What all cells share.
pub(super) struct Task {
    pub(super) steps: usize,
    /// Runs reported.
    pub(super) runs: u64,
    /// Runs that a couple of σ is judged by; and how many couples.
    pub(super) tries: u64,
    pub(super) couples: usize,
    pub(super) seed: u64,
}

/// A draw of b and the minimiser that belongs to it.
struct Draw {
    losses: LeastSquares,
    optimum: Vec<f64>,
}

impl Draw {
    fn new(tape: Tape) -> Self {
        let mut words = tape.stream(0, Purpose::Data, 0);
        let scales: Vec<f64> = (1..=USERS)
            .map(|i| i as f64 / (USERS as f64).sqrt())
            .collect();
        let mut target = |i: usize| {
            (0..DIMENSION)
                .map(|_| words.uniform().gaussian() / i as f64)
                .collect()
        };
        let targets: Vec<Vec<f64>> = (1..=USERS).map(&mut target).collect();
        // The minimiser of Σ ½‖a_i x − b_i‖².
        let squares: f64 = scales.iter().map(|a| a * a).sum();
        let weighted = |k: usize| {
            let terms = scales.iter().zip(&targets).map(|(a, b)| a * b[k]);
            terms.sum::<f64>() / squares
        };
        Self {
            optimum: (0..DIMENSION).map(weighted).collect(),
            losses: LeastSquares { scales, targets },
        }
    }
}

impl Task {
    /// The runs of a method with the couple that did best on other draws.
    pub(super) fn measure(&self, method: TrustModel, accounting: Accounting, epsilon: f64) -> Rows {
        let (budgeted, delta) = (Epsilon::new(epsilon)?, Delta::new(DELTA)?);
        let graph = method.topology().graph()?;
        let budget = accounting.budget(budgeted, delta, self.steps as u64, CLIP)?;
        let candidates = candidates(method, &graph, &budget, self.couples)?;
        let noise = self.best(method, &candidates)?;
        let steps = self.steps as u64;
        let upper = certified(method, &graph, &noise, budget.adversary, steps, delta)?;
        let row = |run: u64| -> Result<Row, Box<dyn std::error::Error + Send + Sync>> {
            Ok(Row {
                problem: "least squares".to_owned(),
                method: method.name(),
                accounting: accounting.name().to_owned(),
                epsilon,
                epsilon_upper: upper,
                delta: DELTA,
                x: epsilon,
                metric: METRIC.to_owned(),
                run,
                value: self.run(method, noise, run)?,
                setting: format!("σ_cdp = {:.4}, σ_cor = {}", noise.cdp(), noise.cor()),
            })
        };
        (0..self.runs).map(row).collect()
    }

    /// The candidate with the least mean over the draws of tuning.
    fn best(
        &self,
        method: TrustModel,
        candidates: &[Noise],
    ) -> Result<Noise, Box<dyn std::error::Error + Send + Sync>> {
        let mut best = (f64::INFINITY, candidates[0]);
        for &noise in candidates.iter().filter(|_| candidates.len() > 1) {
            let mut sum = 0.0;
            for draw in 0..self.tries {
                sum += self.run(method, noise, DRAWS_OF_TUNING + draw)?;
            }
            if sum < best.0 {
                best = (sum, noise);
            }
        }
        Ok(best.1)
    }

    /// The metric of one run.
    fn run(
        &self,
        method: TrustModel,
        noise: Noise,
        run: u64,
    ) -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
        let graph = method.topology().graph()?;
        let config = Config {
            mixing: method.mixing(&graph)?,
            noise,
            steps: self.steps,
            step_sizes: StepSizes::Constant(STEP),
            sampling: Sampling::AllExamples,
            keep_transcript: true,
            graph,
        };
        // All methods share the draws of b and the seeds, so that they differ by the method alone.
        let draw = Draw::new(Tape::new(self.seed).trial(run));
        let secrets = Secrets::from_seed(&config.graph, self.seed ^ ((run + 1) << 32));
        let done = optimized::run(&config, &draw.losses, &secrets, &[1.0; DIMENSION])?;
        Ok(self.distance(&config, &draw.optimum, &done))
    }

    /// (1/n) Σ_i ‖x_i − x*‖², averaged over the last iterates.
    fn distance(&self, config: &Config, optimum: &[f64], run: &Run) -> f64 {
        let last = AVERAGED.min(self.steps);
        let tail = &run.transcript[self.steps - last..];
        let mut sum = 0.0;
        for messages in tail {
            let models = messages * config.mixing.matrix();
            for (k, row) in models.row_iter().enumerate() {
                sum += row.iter().map(|x| (x - optimum[k]).powi(2)).sum::<f64>();
            }
        }
        sum / (last * USERS) as f64
    }
}
