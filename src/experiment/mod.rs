//! The published experiments, run again, and designed ones where a paper prints none.
//!
//! An [`Experiment`] says what it takes and what the paper leaves open, and cuts its work into cells
//! that do not depend on each other. `run` counts the cells into the store of a campaign, so that a
//! killed run goes on where it was and ends in the same bits; [`Outcome`] joins the rows with the
//! printed values.
//!
//! Several machines share an experiment as they share a campaign: `--shard i/n` computes a part of the cells, the
//! heaviest dealt out first, into a store in its own folder, and `--merge` unites the folders into the outcome of one
//! machine, bit by bit (measured seconds apart). On a cluster `--slurm` writes the scripts that do both; a task that the
//! cluster takes back goes on with its store.
//!
//! Whatever is computed from the data for the comparison (objectives, optima, tuning) is not private,
//! and every outcome says what was tuned outside the budget.

mod ambssgd;
mod corrected;
pub mod data;
mod decor;
mod gcd;
pub mod kept;
mod kl;
mod league;
mod outcome;
mod quick;
mod run;
mod selection;
mod skgd;

pub use data::{DataError, Shelf};
pub use gcd::PROBLEMS;
pub use league::{medians, reasons};
pub use outcome::{
    CHOOSING, Comparison, Group, Key, Outcome, PAIRED, Published, Remark, Row, SCHEMA, SELECTED,
    columns, csv,
};
pub use run::{CellProgress, ExperimentError, PreparedExperiment, resolve};

use crate::ledger::evidence::Question;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Every experiment, in the order of `experiment list`.
///
/// ```
/// use dp_assay::experiment::catalogue;
///
/// let names: Vec<&str> = catalogue().iter().map(|experiment| experiment.outline().name).collect();
/// assert!(names.contains(&"gcd-fig-1"));
/// ```
#[must_use]
pub fn catalogue() -> Vec<Box<dyn Experiment>> {
    vec![
        Box::new(gcd::Curves),
        Box::new(gcd::Rules),
        Box::new(gcd::Accountings),
        Box::new(decor::LeastSquaresCurves),
        Box::new(decor::LogisticCurves),
        Box::new(decor::Claims),
        Box::new(skgd::Samplings),
        Box::new(ambssgd::Contest),
        Box::new(kl::Rates),
        Box::new(corrected::Corrected),
        Box::new(league::League),
    ]
}

/// One experiment.
///
/// ```
/// use dp_assay::experiment::{
///     Cell, Choice, Effort, Experiment, ExperimentError, Input, Outline, Prepared, Row, Setting, Shelf, resolve,
/// };
///
/// struct Answer;
///
/// impl Experiment for Answer {
///     fn outline(&self) -> Outline {
///         Outline { name: "answer", title: "One number", place: "our own", claims: &[], axis: "ε" }
///     }
///
///     fn prepare(&self, _: &Setting) -> Result<Prepared, ExperimentError> {
///         let row = || Row {
///             problem: "none".to_owned(), method: "known".to_owned(), accounting: "none".to_owned(), epsilon: 1.0,
///             epsilon_upper: 1.0, delta: 1e-6, x: 1.0, metric: "answer".to_owned(), run: 0, value: 42.0,
///             setting: String::new(),
///         };
///         Ok(Prepared {
///             inputs: vec![Input::synthetic("none", "no data")],
///             choices: vec![Choice::new("Which number?", "42")],
///             tuning: "nothing".to_owned(),
///             cells: vec![Cell::new("all", 1, move || Ok(vec![row()]))],
///         })
///     }
/// }
///
/// let setting = Setting {
///     effort: Effort::Toy, seed: 1, shelf: Shelf::empty(), without: Vec::new(), selection_cost: false,
/// };
/// let store = tempfile::tempdir()?;
/// let experiment = resolve(&Answer, &setting)?;
/// let outcome = experiment.run(&store.path().join(experiment.store_name()), &mut |_, _| ())?;
/// assert_eq!(outcome.rows[0].value, 42.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Experiment: Sync {
    /// What it is called, and what it shows.
    fn outline(&self) -> Outline;

    /// What the given effort amounts to, on the data that are there.
    ///
    /// # Errors
    /// A data file that is not the one expected, or that cannot be read; parameters without noise.
    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError>;

    /// Rows that follow from the measured ones; they are added to them.
    fn derive(&self, rows: &[Row]) -> Vec<Row> {
        let _ = rows;
        Vec::new()
    }

    /// The values that the paper prints; none for a designed experiment.
    fn published(&self) -> Vec<Published> {
        Vec::new()
    }

    /// Events whose frequency bears on claims; the ledger decides by the counts.
    fn questions(&self, rows: &[Row]) -> Vec<Question> {
        let _ = rows;
        Vec::new()
    }

    /// The result of a longer campaign, with its date and commit, if one is stored elsewhere than in [`kept`].
    fn stored(&self) -> Option<String> {
        None
    }

    /// What the rows say about the paper's statements, computed from their means.
    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let _ = groups;
        Vec::new()
    }
}

/// An experiment's title page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Outline {
    /// Its name on the command line, e.g. `decor-fig-1a`.
    pub name: &'static str,
    /// One line on what is shown.
    pub title: &'static str,
    /// Where the paper shows it, or that the design is our own.
    pub place: &'static str,
    /// Ids of the claims that it bears on.
    pub claims: &'static [&'static str],
    /// What the column `x` holds.
    pub axis: &'static str,
}

/// How much is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Effort {
    /// The smallest size at which everything still runs: for tests.
    Toy,
    /// A share of five minutes on two cores.
    Quick,
    /// The paper's settings, grids from coarse to fine.
    Full,
}

impl Effort {
    /// One of three, by effort.
    ///
    /// ```
    /// use dp_assay::experiment::Effort;
    ///
    /// assert_eq!(Effort::Quick.pick(1, 5, 20), 5); // runs
    /// ```
    #[must_use]
    pub fn pick<T>(self, toy: T, quick: T, full: T) -> T {
        match self {
            Self::Toy => toy,
            Self::Quick => quick,
            Self::Full => full,
        }
    }
}

/// What the user chooses.
#[derive(Clone, Debug)]
pub struct Setting {
    /// How much is done.
    pub effort: Effort,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Where the data are.
    pub shelf: Shelf,
    /// Problems of DP-GCD to leave out, by their names in [`PROBLEMS`].
    pub without: Vec<String>,
    /// Whether to add rows of the metric [`SELECTED`]: what tuning within the budget would cost.
    pub selection_cost: bool,
}

/// A data set that an experiment used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Input {
    /// The paper's name for it.
    pub name: String,
    /// File and SHA-256, or the recipe of a synthetic one.
    pub source: String,
    /// Why it is not the paper's data, if it is not.
    pub stand_in: Option<String>,
}

/// A choice that the paper leaves open, and what was taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// What is open.
    pub question: String,
    /// What was taken, and why.
    pub answer: String,
}

impl Choice {
    /// A choice.
    #[must_use]
    pub fn new(question: &str, answer: impl Into<String>) -> Self {
        Self {
            question: question.to_owned(),
            answer: answer.into(),
        }
    }
}

/// Rows, or why there are none.
pub type Rows = Result<Vec<Row>, Box<dyn std::error::Error + Send + Sync>>;

/// A part of an experiment: a function of the setting alone.
pub struct Cell {
    /// Unique in the experiment.
    pub name: String,
    /// How long it takes, in any unit: for the time left.
    pub weight: u64,
    /// Computes its rows.
    pub work: Box<dyn Fn() -> Rows + Send + Sync>,
}

impl Cell {
    /// A cell.
    pub fn new(
        name: impl Into<String>,
        weight: u64,
        work: impl Fn() -> Rows + Send + Sync + 'static,
    ) -> Self {
        Self {
            name: name.into(),
            weight: weight.max(1),
            work: Box::new(work),
        }
    }
}

/// An experiment ready to run.
pub struct Prepared {
    /// The data used.
    pub inputs: Vec<Input>,
    /// What the paper leaves open.
    pub choices: Vec<Choice>,
    /// What was tuned, and whether the budget pays for it.
    pub tuning: String,
    /// The work.
    pub cells: Vec<Cell>,
}
