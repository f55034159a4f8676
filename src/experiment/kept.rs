//! Full runs that were kept, for those who do not repeat them.
//!
//! `experiment NAME --full` leaves `NAME.kept.json` beside its other files; those of this source tree stand in
//! `kept.json` (`jq -s add *.kept.json`), and every run shows them. A kept run has some rows of a problem that needs
//! no data file: a test measures them again and fails when settings, noise or solvers have changed since.

use super::outcome::{Comparison, Outcome, Remark, Row};
use super::{Effort, Input};
use serde::{Deserialize, Serialize};

/// What a full run showed.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct StoredRun {
    /// Its name on the command line.
    pub experiment: String,
    /// Day on which it ended (UTC).
    pub date: String,
    /// Commit that measured it: of the folder in which it ended, unless it was resumed there with another one.
    pub commit: String,
    /// Every random choice followed from it.
    pub seed: u64,
    /// The data.
    pub inputs: Vec<Input>,
    /// The paper's statements.
    pub remarks: Vec<Remark>,
    /// Printed values beside measured ones.
    pub comparisons: Vec<Comparison>,
    /// What can be measured again without data files; empty if nothing can.
    pub probe: Vec<Row>,
}

/// Problems that follow from the seed, cheap ones first.
const WITHOUT_FILES: [&str; 2] = ["log1", "square"];
/// Runs of a probe.
const PROBED: u64 = 3;

impl StoredRun {
    /// What is worth keeping of an outcome; `None` if it is not of a full run that says what ran, and when.
    ///
    /// ```no_run
    /// use dp_assay::experiment::Outcome;
    /// use dp_assay::experiment::kept::StoredRun;
    ///
    /// fn save(outcome: &Outcome) -> Result<(), Box<dyn std::error::Error>> {
    ///     if let Some(kept) = StoredRun::of(outcome) {
    ///         std::fs::write("kept.json", serde_json::to_vec(&kept)?)?;
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use]
    pub fn of(outcome: &Outcome) -> Option<Self> {
        let kept = Self {
            experiment: outcome.outline.name.to_owned(),
            date: outcome.date.clone()?,
            commit: outcome.commit.clone()?,
            seed: outcome.seed,
            inputs: outcome.inputs.clone(),
            remarks: outcome.remarks.clone(),
            comparisons: outcome.comparisons.clone(),
            probe: probe(&outcome.rows),
        };
        (outcome.effort == Effort::Full).then_some(kept)
    }

    /// For people.
    fn text(&self) -> String {
        let mut text = format!(
            "Full run of {}, commit {}, seed {}: `dp-assay experiment {} --full`.\n",
            self.date, self.commit, self.seed, self.experiment
        );
        let mut line = |of: std::fmt::Arguments<'_>| {
            text += &format!("{of}\n");
        };
        for Input { name, source, .. } in &self.inputs {
            line(format_args!("  {name}: {source}"));
        }
        for remark in &self.remarks {
            let seen = if remark.seen { "seen" } else { "NOT SEEN" };
            line(format_args!("{seen}: {}", remark.statement));
            line(format_args!("  {}", remark.evidence));
        }
        for c in &self.comparisons {
            let (p, [least, largest]) = (&c.published, c.range);
            line(format_args!(
                "{}, {}, {}: printed {}, measured {:.3e} ({least:.3e} to {largest:.3e})",
                p.problem, p.method, p.metric, p.value, c.measured
            ));
        }
        text
    }
}

/// The first runs at one point of the first method on a problem without a file.
fn probe(rows: &[Row]) -> Vec<Row> {
    let first = |problem: &&str| rows.iter().find(|r| r.problem == **problem && r.x > 0.0);
    let Some(first) = WITHOUT_FILES.iter().find_map(first) else {
        return Vec::new();
    };
    let same = |row: &&Row| {
        (&row.problem, &row.method, &row.accounting, row.x)
            == (&first.problem, &first.method, &first.accounting, first.x)
            && row.run < PROBED
            && row.metric != "seconds"
    };
    rows.iter().filter(same).cloned().collect()
}

/// The runs kept with this version.
///
/// ```
/// use dp_assay::experiment::kept::{StoredRun, all};
///
/// let runs: Vec<StoredRun> = all()?;
/// assert!(runs.iter().all(|run| !run.experiment.is_empty() && !run.commit.is_empty()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// None that the tests let pass: the file is part of the program.
pub fn all() -> Result<Vec<StoredRun>, serde_json::Error> {
    serde_json::from_str(include_str!("kept.json"))
}

/// What a kept run of this experiment showed, in words.
pub(super) fn text(experiment: &str) -> Option<String> {
    let kept = all().unwrap_or_default();
    let found = kept.iter().find(|kept| kept.experiment == experiment)?;
    Some(found.text())
}
