//! Cells into the store, rows out of it.

use super::data::{DataError, sha256};
use super::outcome::{Outcome, Row, SCHEMA};
use super::quick::left_out;
use super::{Cell, Choice, Effort, Experiment, Input, Setting};
use crate::accounting::AccountError;
use crate::accounting::decor::DecorError;
use crate::audit::campaign::Shard;
use crate::audit::campaign::store::{Store, StoreError};
use crate::problem::{GraphError, MixingError, ProblemError};
use crate::units::UnitError;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;

/// What [`PreparedExperiment::run`] tells its caller after every cell: weight done and weight in all.
pub type CellProgress<'a> = &'a mut dyn FnMut(u64, u64);

/// Why an experiment stops.
#[derive(Debug, thiserror::Error)]
pub enum ExperimentError {
    /// No experiment of this name.
    #[error("no experiment is called `{name}`; there are {known}")]
    Unknown {
        /// What was asked for.
        name: String,
        /// What there is.
        known: String,
    },
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The data cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The data make no problem.
    #[error(transparent)]
    Problem(#[from] ProblemError),
    /// No such graph.
    #[error(transparent)]
    Graph(#[from] GraphError),
    /// No such gossip.
    #[error(transparent)]
    Mixing(#[from] MixingError),
    /// No noise for a decentralised budget.
    #[error(transparent)]
    Decor(#[from] DecorError),
    /// No noise for a budget.
    #[error(transparent)]
    Account(#[from] AccountError),
    /// A budget outside its domain.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A cell failed.
    #[error("cell `{cell}`: {reason}")]
    Cell {
        /// Its name.
        cell: String,
        /// What went wrong.
        reason: String,
    },
}

/// An experiment with its data and its cells.
pub struct PreparedExperiment<'a> {
    experiment: &'a dyn Experiment,
    setting: &'a Setting,
    cells: Vec<Cell>,
    plan: Plan,
}

/// What makes two runs the same: the store of one is refused by another.
#[derive(Clone, Debug, Serialize)]
struct Plan {
    schema: &'static str,
    version: &'static str,
    experiment: &'static str,
    effort: Effort,
    seed: u64,
    inputs: Vec<Input>,
    choices: Vec<Choice>,
    tuning: String,
    cells: Vec<String>,
}

/// Finds the data of an experiment and cuts its work into cells.
///
/// ```no_run
/// use dp_assay::experiment::{Effort, Setting, Shelf, catalogue, resolve};
/// use std::path::Path;
///
/// let setting = Setting {
///     effort: Effort::Toy, seed: 1, shelf: Shelf::empty(), without: Vec::new(), selection_cost: false,
/// };
/// let experiments = catalogue();
/// let resolved = resolve(experiments[0].as_ref(), &setting)?;
/// // A run that was killed goes on where it was.
/// let outcome = resolved.run(&Path::new("results").join(resolved.store_name()), &mut |done, all| {
///     eprintln!("{done} of {all}");
/// })?;
/// assert!(!outcome.rows.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Experiment::prepare`].
pub fn resolve<'a>(
    experiment: &'a dyn Experiment,
    setting: &'a Setting,
) -> Result<PreparedExperiment<'a>, ExperimentError> {
    let prepared = experiment.prepare(setting)?;
    let mut choices = prepared.choices;
    choices.extend(left_out(experiment.outline().name, setting));
    let plan = Plan {
        schema: SCHEMA,
        version: env!("CARGO_PKG_VERSION"),
        experiment: experiment.outline().name,
        effort: setting.effort,
        seed: setting.seed,
        inputs: prepared.inputs,
        choices,
        tuning: prepared.tuning,
        cells: prepared.cells.iter().map(|c| c.name.clone()).collect(),
    };
    Ok(PreparedExperiment {
        experiment,
        setting,
        cells: prepared.cells,
        plan,
    })
}

impl PreparedExperiment<'_> {
    /// The name of a store that no other setting, data or version has.
    #[must_use]
    pub fn store_name(&self) -> String {
        let plan = serde_json::to_vec(&self.plan).expect("plain structures serialise");
        let digest = sha256(&plan);
        format!("{}-{}.sqlite", self.plan.experiment, &digest[..12])
    }

    /// How many cells there are: into more shards than that it cannot be cut.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells.len()
    }

    /// Computes the cells that `store` does not hold, on all cores, and reads off the outcome. What
    /// was recorded before an error or a kill stays recorded.
    ///
    /// # Errors
    /// The store's (it is another experiment's, another setting's or another version's), or the first
    /// cell that fails.
    pub fn run(
        &self,
        store: &Path,
        progress: CellProgress<'_>,
    ) -> Result<Outcome, ExperimentError> {
        self.run_shard(store, Shard::WHOLE, progress)?;
        let store = Store::open(store, &self.plan)?;
        let rows: Vec<Vec<Row>> = store.chunks(0)?;
        let mut rows: Vec<Row> = rows.into_iter().flatten().collect();
        rows.extend(self.experiment.derive(&rows));
        Ok(self.outcome(rows))
    }

    /// Computes those cells of one shard that `store` does not hold. Shards have nearly equal weights.
    ///
    /// # Errors
    /// As [`Self::run`].
    pub fn run_shard(
        &self,
        store: &Path,
        shard: Shard,
        progress: CellProgress<'_>,
    ) -> Result<(), ExperimentError> {
        let store = Store::open(store, &self.plan)?;
        let done = store.counted(0)?;
        let weight = |cells: &[usize]| {
            cells
                .iter()
                .map(|&cell| self.cells[cell].weight)
                .sum::<u64>()
        };
        let mut missing = self.cells_of(shard);
        let all = weight(&missing);
        missing.retain(|cell| done.binary_search(&(*cell as u64)).is_err());
        let mut spent = all - weight(&missing);
        progress(spent, all);
        self.compute(&missing, &mut |cell, rows| {
            store.record_chunk(0, cell as u64, &rows)?;
            spent += self.cells[cell].weight;
            progress(spent, all);
            Ok(())
        })
    }

    /// Takes over what stores of the same experiment, setting and version hold.
    ///
    /// # Errors
    /// A store is of something else, or disagrees with another one on a cell.
    pub fn merge(&self, store: &Path, others: &[PathBuf]) -> Result<(), ExperimentError> {
        Ok(Store::open(store, &self.plan)?.merge(others)?)
    }

    /// The cells of a shard: from the heaviest on, each goes to the shard that has least so far.
    fn cells_of(&self, shard: Shard) -> Vec<usize> {
        let mut cells: Vec<usize> = (0..self.cells.len()).collect();
        cells.sort_by_key(|&cell| Reverse(self.cells[cell].weight));
        let mut loads: BinaryHeap<Reverse<(u64, u64)>> =
            (0..shard.of).map(|index| Reverse((0, index))).collect();
        cells.retain(|&cell| {
            let Some(mut least) = loads.peek_mut() else {
                return false;
            };
            let Reverse((load, index)) = *least;
            *least = Reverse((load + self.cells[cell].weight, index));
            index == shard.index
        });
        cells
    }

    /// Hands over the rows of the cells given, in the order in which they are ready. The heaviest are given first, so that
    /// what is left at the end is small; a thread that finds no cell any more helps with what is still going on in parallel.
    fn compute(
        &self,
        cells: &[usize],
        take: &mut dyn FnMut(usize, Vec<Row>) -> Result<(), ExperimentError>,
    ) -> Result<(), ExperimentError> {
        let (stop, next) = (AtomicBool::new(false), AtomicUsize::new(0));
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            let (stop, next) = (&stop, &next);
            scope.spawn(move || {
                rayon::broadcast(|_| {
                    while let Some(&cell) = cells.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if stop.load(Ordering::Relaxed) {
                            break;
                        }
                        // A receiver that is gone has stopped already.
                        let _ = sender.send((cell, (self.cells[cell].work)()));
                    }
                });
            });
            let mut result = Ok(());
            for (cell, rows) in receiver {
                if result.is_ok() {
                    result = rows
                        .map_err(|reason| ExperimentError::Cell {
                            cell: self.cells[cell].name.clone(),
                            reason: reason.to_string(),
                        })
                        .and_then(|rows| take(cell, rows));
                    stop.store(result.is_err(), Ordering::Relaxed);
                }
            }
            result
        })
    }

    fn outcome(&self, rows: Vec<Row>) -> Outcome {
        let groups = super::outcome::groups(&rows);
        Outcome {
            schema: SCHEMA,
            version: env!("CARGO_PKG_VERSION"),
            date: None,
            commit: None,
            outline: self.experiment.outline(),
            effort: self.setting.effort,
            seed: self.setting.seed,
            tuning: self.plan.tuning.clone() + &super::selection::summary(&groups),
            inputs: self.plan.inputs.clone(),
            choices: self.plan.choices.clone(),
            comparisons: super::outcome::compare(&self.experiment.published(), &groups),
            remarks: self.experiment.remarks(&groups),
            stored: (self.experiment.stored()).or_else(|| super::kept::text(self.plan.experiment)),
            questions: self.experiment.questions(&rows),
            groups,
            rows,
        }
    }
}
