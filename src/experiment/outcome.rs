//! What an experiment leaves: tidy rows, their means, and the printed values beside them.

use super::{Choice, Effort, Input, Outline};
use crate::audit::binomial::tail_upper;
use crate::ledger::evidence::{self, Evidence, Question, fingerprint};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Version of the JSON layout of [`Outcome`] and of the CSV columns.
pub const SCHEMA: &str = "dp-assay/experiment/1";

/// Metric of what only serves to choose a setting, on noise of its own: in the table, but not drawn.
pub const CHOOSING: &str = "choosing trials";

/// Metrics that compare paired runs of two methods begin with it: in the table, but not drawn.
pub const PAIRED: &str = "paired runs: ";

/// Metric of the ε that is certified if the hyperparameters are chosen privately: by
/// [`private_selection`](crate::accounting::private_selection) with as many runs expected as there are candidates.
/// Infinite where no bound is known.
pub const SELECTED: &str = "certified ε with private selection";

/// One measurement: one run of one method in one setting.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Row {
    /// The problem, e.g. `square`.
    pub problem: String,
    /// The method, e.g. `DP-GCD`.
    pub method: String,
    /// How the noise was chosen for the budget.
    pub accounting: String,
    /// The ε that the noise was chosen for; `"inf"` without noise.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub epsilon: f64,
    /// The least ε that the tight accountant certifies for this noise, under the adversary and the
    /// relation of the experiment; `"inf"` if it certifies none.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub epsilon_upper: f64,
    /// δ of both.
    pub delta: f64,
    /// The place on the axis of [`Outline::axis`].
    pub x: f64,
    /// What is measured.
    pub metric: String,
    /// Number of the repetition, from 0.
    pub run: u64,
    /// The measurement.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub value: f64,
    /// The hyperparameters, in words.
    pub setting: String,
}

/// All repetitions of one setting.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Group {
    /// The first of the rows, whose value is not the group's.
    #[serde(flatten)]
    pub key: Key,
    /// Number of repetitions.
    pub runs: u64,
    /// Their mean.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub mean: f64,
    /// The least.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub min: f64,
    /// The largest.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub max: f64,
    /// From here to [`Group::median_high`] lies the median of the repetitions' law, with probability
    /// [`Group::coverage`] or more, whatever the law.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub median_low: f64,
    /// See [`Group::median_low`].
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub median_high: f64,
    /// At least 0.998 from ten repetitions on.
    pub coverage: f64,
}

/// What the rows of a group share: [`Row`] without repetition and value.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Key {
    /// As in [`Row`].
    pub problem: String,
    /// As in [`Row`].
    pub method: String,
    /// As in [`Row`].
    pub accounting: String,
    /// As in [`Row`].
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub epsilon: f64,
    /// As in [`Row`].
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub epsilon_upper: f64,
    /// As in [`Row`].
    pub x: f64,
    /// As in [`Row`].
    pub metric: String,
    /// As in [`Row`].
    pub setting: String,
}

/// A value that a paper prints.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Published {
    /// As in [`Row`].
    pub problem: String,
    /// As in [`Row`].
    pub method: String,
    /// As in [`Row`].
    pub x: f64,
    /// As in [`Row`].
    pub metric: String,
    /// The value.
    pub value: f64,
}

/// A printed value beside what was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// What is printed.
    #[serde(flatten)]
    pub published: Published,
    /// How the noise of the measurement was chosen.
    pub accounting: String,
    /// The mean of the repetitions.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub measured: f64,
    /// Least and largest repetition.
    pub range: [f64; 2],
    /// Measured − printed.
    #[serde(with = "crate::audit::number")]
    #[schemars(schema_with = "crate::audit::number::schema")]
    pub difference: f64,
}

/// A statement of the paper, and whether the means bear it out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Remark {
    /// The statement.
    pub statement: String,
    /// Whether it is what was seen.
    pub seen: bool,
    /// The numbers behind that.
    pub evidence: String,
}

/// Everything that an experiment leaves.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Outcome {
    /// Always [`SCHEMA`].
    pub schema: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// Day on which the run ended (UTC), as in 2026-01-31; `null` if nobody said.
    pub date: Option<String>,
    /// Commit of the folder in which it ended; `null` if nobody said.
    pub commit: Option<String>,
    /// The title page.
    #[serde(flatten)]
    pub outline: Outline,
    /// How much was done.
    pub effort: Effort,
    /// Every random choice follows from it.
    pub seed: u64,
    /// What was tuned, and whether the budget pays for it.
    pub tuning: String,
    /// The data.
    pub inputs: Vec<Input>,
    /// What the paper leaves open.
    pub choices: Vec<Choice>,
    /// Printed values beside measured ones.
    pub comparisons: Vec<Comparison>,
    /// The paper's statements.
    pub remarks: Vec<Remark>,
    /// The result of a longer campaign, with its date and commit, where one is stored; else `null`.
    pub stored: Option<String>,
    /// How often events happened that bear on claims.
    pub questions: Vec<Question>,
    /// Means over repetitions.
    pub groups: Vec<Group>,
    /// All measurements.
    pub rows: Vec<Row>,
}

impl Outcome {
    /// The counts as evidence for the ledger, if there are any; `date` and `commit` say what ran.
    ///
    /// ```no_run
    /// use dp_assay::experiment::Outcome;
    ///
    /// /// What the ledger may store of a campaign, if it asked anything.
    /// fn questions(outcome: &Outcome) -> usize {
    ///     let evidence = outcome.evidence("2026-01-31".to_owned(), "abc1234".to_owned());
    ///     evidence.map_or(0, |evidence| evidence.questions.len())
    /// }
    /// ```
    #[must_use]
    pub fn evidence(&self, date: String, commit: String) -> Option<Evidence> {
        let asked = |id: &str| self.questions.iter().any(|q| q.claim == id);
        let claims = dp_assay_spec::claims();
        let asked = claims.iter().filter(|claim| asked(claim.id));
        let data = self
            .inputs
            .iter()
            .map(|i| format!("{}: {}", i.name, i.source));
        (!self.questions.is_empty()).then(|| Evidence {
            schema: evidence::SCHEMA.to_owned(),
            experiment: self.outline.name.to_owned(),
            date,
            commit,
            seed: self.seed,
            data: data.collect(),
            fingerprints: asked.map(|c| (c.id.to_owned(), fingerprint(c))).collect(),
            questions: self.questions.clone(),
        })
    }
}

/// The groups of rows that differ in repetition and value only, in the order of their first row.
pub(super) fn groups(rows: &[Row]) -> Vec<Group> {
    let mut groups: Vec<(Key, Vec<f64>)> = Vec::new();
    for row in rows {
        let key = Key {
            problem: row.problem.clone(),
            method: row.method.clone(),
            accounting: row.accounting.clone(),
            epsilon: row.epsilon,
            epsilon_upper: row.epsilon_upper,
            x: row.x,
            metric: row.metric.clone(),
            setting: row.setting.clone(),
        };
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, values)) => values.push(row.value),
            None => groups.push((key, vec![row.value])),
        }
    }
    let group = |(key, values)| Group::new(key, values);
    groups.into_iter().map(group).collect()
}

impl Group {
    /// Of at least one value.
    fn new(key: Key, mut values: Vec<f64>) -> Self {
        let runs = values.len();
        let mean = values.iter().sum::<f64>() / runs as f64;
        values.sort_by(f64::total_cmp);
        let (skipped, coverage) = spanning_the_median(runs as u64, COVERAGE);
        Self {
            key,
            runs: runs as u64,
            mean,
            min: values[0],
            max: values[runs - 1],
            median_low: values[skipped],
            median_high: values[runs - 1 - skipped],
            coverage,
        }
    }
}

/// What intervals of medians have, where there are repetitions enough: the range of ten has it.
const COVERAGE: f64 = 0.998;

/// How many of `runs` sorted values to leave out at either end so that the rest still spans the median of their law
/// with probability `coverage` or more, and that probability: 1 − 2·Pr\[Bin(runs, ½) ≤ skipped\], rounded down. Where
/// all of them do not reach `coverage`, none is left out.
pub(super) fn spanning_the_median(runs: u64, coverage: f64) -> (usize, f64) {
    let without = |skipped| f64::max(1.0 - 2.0 * tail_upper(runs, runs - skipped, 0.5), 0.0);
    let fewer = (1..runs.div_ceil(2)).take_while(|&skipped| without(skipped) >= coverage);
    let skipped = fewer.last().unwrap_or(0);
    (skipped as usize, without(skipped))
}

/// Every printed value beside every group of the same problem (or its stand-in), method, place and metric.
pub(super) fn compare(published: &[Published], groups: &[Group]) -> Vec<Comparison> {
    let beside = |printed: &Published| {
        let like = format!("{}-like", printed.problem);
        let same = |group: &&Group| {
            (group.key.problem == printed.problem || group.key.problem == like)
                && group.key.method == printed.method
                && group.key.x == printed.x
                && group.key.metric == printed.metric
        };
        let compare = |group: &Group| Comparison {
            published: Published {
                problem: group.key.problem.clone(),
                ..printed.clone()
            },
            accounting: group.key.accounting.clone(),
            measured: group.mean,
            range: [group.min, group.max],
            difference: group.mean - printed.value,
        };
        groups.iter().filter(same).map(compare).collect::<Vec<_>>()
    };
    published.iter().flat_map(beside).collect()
}

/// The header of the CSV file.
///
/// ```
/// use dp_assay::experiment::columns;
///
/// assert_eq!(columns()[0], "experiment");
/// assert!(columns().contains(&"epsilon_upper"));
/// ```
#[must_use]
pub const fn columns() -> [&'static str; 12] {
    [
        "experiment",
        "problem",
        "method",
        "accounting",
        "epsilon",
        "epsilon_upper",
        "delta",
        "x",
        "metric",
        "run",
        "value",
        "setting",
    ]
}

/// The measurements as tidy CSV: one line each, numbers with all their digits.
///
/// ```no_run
/// use dp_assay::experiment::{Outcome, csv};
///
/// fn save(outcome: &Outcome) -> Result<(), Box<dyn std::error::Error>> {
///     Ok(std::fs::write("rows.csv", csv(outcome)?)?)
/// }
/// ```
///
/// # Errors
/// None that a string in memory can have; the writer's type asks for it.
pub fn csv(outcome: &Outcome) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    writer.write_record(columns())?;
    for row in &outcome.rows {
        let numbers =
            [row.epsilon, row.epsilon_upper, row.delta, row.x].map(|number| number.to_string());
        let [epsilon, upper, delta, x] = &numbers;
        writer.write_record([
            outcome.outline.name,
            &row.problem,
            &row.method,
            &row.accounting,
            epsilon,
            upper,
            delta,
            x,
            &row.metric,
            &row.run.to_string(),
            &row.value.to_string(),
            &row.setting,
        ])?;
    }
    writer
        .into_inner()
        .map_err(|error| csv::Error::from(error.into_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_the_median_have_the_binomial_coverage() {
        let is = |runs, coverage, skipped, missed: f64| {
            let found = spanning_the_median(runs, coverage);
            assert_eq!(found.0, skipped, "{runs} runs");
            // `tail_upper` is tight to 10⁻⁷.
            let more = (1.0 - found.1) / missed - 1.0;
            assert!((-1e-12..1e-7).contains(&more), "{runs} runs: {found:?}");
        };
        // Twice Pr[Bin(20, ½) ≤ 5] = 21,700/2²⁰, Pr[Bin(40, ½) ≤ 9] and 2^(−runs).
        is(20, 0.95, 5, 2.0 * 21_700.0 / f64::from(1 << 20));
        is(40, COVERAGE, 9, 2.0 * 3.397_741_274_966_392_7e-4);
        is(10, COVERAGE, 0, 2f64.powi(-9));
        is(3, 0.95, 0, 0.25);
        is(1, 0.95, 0, 1.0);
    }

    /// The tenth and the thirty-first of forty values: nine at either end do not count.
    #[test]
    fn a_few_odd_runs_do_not_move_the_interval_of_the_median() {
        let row = |run: u64| Row {
            problem: String::new(),
            method: String::new(),
            accounting: String::new(),
            epsilon: 1.0,
            epsilon_upper: 1.0,
            delta: 1e-6,
            x: 0.0,
            metric: String::new(),
            run,
            value: if run < 9 { -1e9 } else { run as f64 },
            setting: String::new(),
        };
        let rows: Vec<Row> = (0..40).map(row).collect();
        let [group] = &groups(&rows)[..] else {
            panic!("rows of one setting are one group");
        };
        assert_eq!((group.median_low, group.median_high), (9.0, 30.0));
        assert_eq!((group.min, group.max), (-1e9, 39.0));
        assert!(group.coverage >= COVERAGE);
    }
}
