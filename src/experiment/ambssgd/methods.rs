//! The two methods, their hyperparameters, and one run of either.

use super::task::Task;
use crate::mechanism::tape::Tape;
use crate::solver::ambssgd::calibration::{Calibration, adaptive_epsilon_upper};
use crate::solver::ambssgd::{Adaptive, Ranges, RunError, Search, Stop, optimized, permutation};
use crate::solver::baseline::adassp;
use crate::units::{Delta, Epsilon};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// A method with its hyperparameters; the bounds are public.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Hyperparameters {
    /// DP-AMBSSGD, repaired: disjoint ranges, a search that ends by its margin, noise by the exact profile.
    Ambssgd {
        /// T.
        steps: usize,
        /// η.
        rate: f64,
        /// ζ_t/γ_t in units of √d.
        factor: f64,
    },
    /// AdaSSP, noise by the exact profile.
    Adassp {
        /// B_x in units of √d.
        row: f64,
        /// B_y.
        target: f64,
    },
}

impl Hyperparameters {
    /// All settings of DP-AMBSSGD that are tried for d features.
    pub(super) fn ambssgd(d: usize) -> Vec<Self> {
        let mut all = Vec::new();
        for steps in [4, 12, 40] {
            for rate in [1.0 / d as f64, 0.25, 0.5] {
                for factor in [0.3, 1.0] {
                    all.push(Self::Ambssgd {
                        steps,
                        rate,
                        factor,
                    });
                }
            }
        }
        all
    }

    /// All settings of AdaSSP that are tried.
    pub(super) fn adassp() -> Vec<Self> {
        let mut all = Vec::new();
        for row in [1.0, 1.5] {
            for target in [1.0, 2.0, 4.0] {
                all.push(Self::Adassp { row, target });
            }
        }
        all
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Ambssgd { .. } => "DP-AMBSSGD",
            Self::Adassp { .. } => "AdaSSP",
        }
    }

    pub(super) fn describe(self) -> String {
        match self {
            Self::Ambssgd {
                steps,
                rate,
                factor,
            } => {
                format!("T = {steps}, η = {rate}, ζ/γ = {factor}·√d")
            }
            Self::Adassp { row, target } => format!("B_x = {row}·√d, B_y = {target}"),
        }
    }

    /// One run under replace-one neighbours: excess risk (∞ where the run found no finite point) and the ε that it
    /// spent at δ, rounded up.
    pub(super) fn run(
        self,
        task: &Task,
        budget: (Epsilon, Delta),
        tape: Tape,
    ) -> Result<(f64, f64), Failure> {
        let (point, upper) = match self {
            Self::Ambssgd {
                steps,
                rate,
                factor,
            } => one_pass(task, budget, tape, (steps, rate, factor))?,
            Self::Adassp { row, target } => statistics(task, budget, tape, (row, target))?,
        };
        let excess = point.map_or(f64::INFINITY, |w| task.excess(&w));
        Ok((
            if excess.is_finite() {
                excess
            } else {
                f64::INFINITY
            },
            upper,
        ))
    }
}

/// A point, if the run found one, and the ε spent.
type Found = Result<(Option<Vec<f64>>, f64), Failure>;

fn one_pass(
    task: &Task,
    (epsilon, delta): (Epsilon, Delta),
    tape: Tape,
    (steps, rate, factor): (usize, f64, f64),
) -> Found {
    let ranges = Ranges::Disjoint;
    let multiplier = Calibration::Tight.multiplier(epsilon, delta, ranges)?;
    let (n, root) = (
        task.records.records(),
        (task.records.features() as f64).sqrt(),
    );
    let block = (n / steps).max(2);
    let statistics = (block / 10).max(1);
    let config = Adaptive {
        step: rate,
        multiplier,
        batch: block - statistics,
        statistics,
        factor: factor * root,
        // Residuals between 2⁻⁸ and 2⁶ deviations of the target.
        search: Search::halvings(64.0, 14)?,
        ranges,
        stop: Stop::Margin { failure: 0.01 },
    };
    let order = permutation(tape, n);
    let source = &mut task.records.source(Some(&order));
    let upper = adaptive_epsilon_upper(multiplier, ranges, delta)?;
    match optimized::ambssgd(source, config.usable(n), &config, tape, &mut |_| ()) {
        Ok(run) => Ok((Some(run.average), upper)),
        Err(RunError::Diverged { .. }) => Ok((None, upper)),
        Err(other) => Err(other.into()),
    }
}

fn statistics(
    task: &Task,
    budget: (Epsilon, Delta),
    tape: Tape,
    (row, target): (f64, f64),
) -> Found {
    let config = adassp::Config {
        row_bound: row * (task.records.features() as f64).sqrt(),
        target_bound: target,
        ..adassp::Config::default()
    };
    let source = &mut task.records.source(None);
    match adassp::fit(source, task.records.records(), &config, budget, tape) {
        Ok(fit) => Ok((Some(fit.coefficients), fit.epsilon_upper)),
        // Only after all noise is drawn: the releases were made.
        Err(adassp::RidgeError::Singular { .. }) => Ok((None, budget.0.get())),
        Err(other) => Err(other.into()),
    }
}
