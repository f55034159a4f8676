//! Every method with its defaults beside the field's, on held-out records of data that people know, at the same certified ε.

use super::ambssgd::diabetes;
use super::gcd::files;
use super::outcome::{Row, spanning_the_median};
mod reasons;

use super::{Cell, Choice, Experiment, ExperimentError, Input, Outline, Prepared, Rows, Setting};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::dataset::DatasetError;
use crate::problem::load::Options;
use crate::problem::{Dataset, Sparse};
use crate::solver::fit::{
    Asked, CalibrationName, Facts, Fitted, LossName, Method, Preprocessing, Quality, Request, fit,
    split,
};
use crate::units::{Delta, Epsilon};
use std::collections::BTreeMap;
use std::sync::Arc;

pub use reasons::reasons;

/// The experiment `league`.
pub(super) struct League;

const EPSILONS: [f64; 5] = [0.1, 0.5, 1.0, 3.0, 10.0];
/// The part of the records that is held out.
const HELD: f64 = 0.2;
/// The method that answers the same whatever the record says; **not private**, as it looks at the training records.
const CONSTANT: &str = "constant";
const CLASSES: [Method; 5] = [
    Method::Gd,
    Method::DpSgd,
    Method::Skgd,
    Method::DpCd,
    Method::Gcd,
];
const NUMBERS: [Method; 6] = [
    Method::Gd,
    Method::DpSgd,
    Method::Skgd,
    Method::Gcd,
    Method::Adassp,
    Method::Ambssgd,
];
/// The ε at which reasons are looked for, and the one that leaves as good as no noise.
const LOOKED: f64 = 1.0;
const LOUD: f64 = 1e4;
/// What is as bad as this or worse counts as this: a chart of R² = −10⁶ shows nothing else.
const LEAST: f64 = -1.0;
/// The peers: a library, and a method that is run outside.
const LIBRARY: &str = "diffprivlib";
const PERTURBED: &str = "objective perturbation";
/// What peers reach: `league_peers.py` beside this file writes it.
const PEERS: &str = include_str!("league_peers.csv");

type Range = (f64, f64);

/// The noise of a run.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Noise {
    /// The least that is certified.
    Tight,
    /// That of the method's paper, where it is certified.
    Paper,
    /// As good as none: **not private**.
    Off,
}

/// What is run in a cell: a method, or the constant.
#[derive(Clone, Copy)]
struct Entry {
    method: Option<Method>,
    noise: Noise,
}

impl Entry {
    fn name(self) -> String {
        let name = self.method.map_or(CONSTANT, Method::name);
        let suffix = match self.noise {
            Noise::Tight => "",
            Noise::Paper => reasons::PAPER,
            Noise::Off => reasons::OFF,
        };
        format!("{name}{suffix}")
    }
}

/// All that is run on two classes or real targets at an ε.
fn entries(methods: &[Method], epsilon: f64) -> Vec<Entry> {
    let entry = |method, noise| Entry { method, noise };
    let all = methods.iter().copied().map(Some).chain([None]);
    let mut entries: Vec<Entry> = all.map(|method| entry(method, Noise::Tight)).collect();
    if epsilon == LOOKED {
        let of_papers = [Method::Skgd, Method::Gcd, Method::Ambssgd];
        let looked = |method: &&Method| of_papers.contains(*method) || **method == Method::Gd;
        for method in methods.iter().filter(looked) {
            entries.push(entry(Some(*method), Noise::Off));
        }
        // Of the others no noise is both printed and certified.
        let printed = |method: &&Method| matches!(**method, Method::Skgd | Method::Gcd);
        for method in methods.iter().filter(printed) {
            entries.push(entry(Some(*method), Noise::Paper));
        }
    }
    entries
}

/// A data set with what is public about it.
struct Contest {
    name: &'static str,
    data: Dataset,
    ranges: Option<Vec<Range>>,
    target: Option<Range>,
}

impl Contest {
    fn loss(&self) -> LossName {
        match self.target {
            None => LossName::Logistic,
            Some(_) => LossName::Squared,
        }
    }

    fn metric(&self) -> &'static str {
        match self.target {
            None => "accuracy",
            Some(_) => "R2",
        }
    }
}

/// The ranges of a `--bounds` file.
fn ranges(text: &str) -> Vec<Range> {
    let line = |line: &str| {
        let mut ends = line.rsplit(',').map(str::parse);
        let (Some(Ok(high)), Some(Ok(low))) = (ends.next(), ends.next()) else {
            return None;
        };
        Some((low, high))
    };
    text.lines()
        .filter(|l| !l.starts_with('#'))
        .filter_map(line)
        .collect()
}

/// Records of 30 ones among p features, the first ones far more often than the last; 40 features tell the classes.
fn sparse(n: usize, p: usize, seed: u64) -> Result<(Dataset, Input), DatasetError> {
    let mut words = Tape::new(seed).trial(77).stream(0, Purpose::Data, 0);
    let mut entries = Vec::new();
    let mut targets = Vec::new();
    for i in 0..n {
        let mut columns: Vec<usize> = (0..30)
            .map(|_| (p as f64 * words.uniform().fraction().powi(4)) as usize)
            .map(|j| j.min(p - 1))
            .collect();
        columns.sort_unstable();
        columns.dedup();
        let sign = |j: &usize| if j.is_multiple_of(2) { 1.0 } else { -1.0 };
        let score: f64 = columns.iter().filter(|j| **j < 40).map(sign).sum();
        let yes = words.uniform().fraction() < 1.0 / (1.0 + (-2.0 * score).exp());
        targets.push(if yes { 1.0 } else { -1.0 });
        entries.extend(columns.into_iter().map(|j| (i, j, 1.0)));
    }
    let design = Sparse::from_entries(n, p, &entries)?;
    let recipe = format!(
        "{n} × {p}, 30 draws of a one at column ⌊p·u⁴⌋, logistic labels of slope 2 by the signs (−1)^j of the first 40 \
         columns, seed {seed}"
    );
    Ok((
        Dataset::new("sparse", design, targets)?,
        Input::synthetic("sparse", recipe),
    ))
}

/// The data sets that are there.
fn contests(setting: &Setting) -> Result<Vec<(Contest, Input)>, ExperimentError> {
    let seed = setting.seed;
    let contest = |name, data, ranges, target| Contest {
        name,
        data,
        ranges,
        target,
    };
    let bad = |e: DatasetError| files::bad("sparse", 0, &e);
    let cancer = ranges(include_str!("../problem/data/breast_cancer.bounds.csv"));
    let input = Input::synthetic("breast cancer", "569 × 30, part of the program");
    let (n, p) = setting
        .effort
        .pick((60, 100), (10_000, 100_000), (10_000, 100_000));
    let (made, recipe) = sparse(n, p, seed).map_err(bad)?;
    let mut found = vec![
        (
            contest(
                "breast cancer",
                Dataset::breast_cancer(),
                Some(cancer),
                None,
            ),
            input,
        ),
        (contest("sparse", made, None, None), recipe),
    ];
    let toy = setting.effort == super::Effort::Toy;
    let there = |input: &Input| input.stand_in.is_none() && !toy;
    if let Some(book) = setting.shelf.find("a9a.svm.gz")?.filter(|_| !toy) {
        let options = Options {
            features: Some(123),
            ..Options::default()
        };
        let data = Dataset::from_file(&book.path, &options).map_err(super::DataError::from)?;
        found.push((
            contest("a9a", data, None, None),
            Input::files("a9a", &[&book]),
        ));
    }
    let (data, input) = files::madelon(toy, &setting.shelf, seed)?;
    if there(&input) {
        let range = vec![(0.0, 999.0); 500];
        found.push((contest("madelon", data, Some(range), None), input));
    }
    let (data, input) = files::california(toy, &setting.shelf, seed)?;
    if there(&input) {
        let range = ranges(include_str!(
            "../problem/data/california_derived.bounds.csv"
        ));
        found.push((
            contest("california", data, Some(range), Some((0.0, 5.00001))),
            input,
        ));
    }
    let (data, input) = diabetes(&setting.shelf, seed)?;
    if there(&input) {
        let range = ranges(include_str!("../problem/data/diabetes.bounds.csv"));
        found.push((
            contest("diabetes", data, Some(range), Some((25.0, 346.0))),
            input,
        ));
    }
    Ok(found)
}

impl Experiment for League {
    fn outline(&self) -> Outline {
        Outline {
            name: "league",
            title: "Every method with its defaults on held-out records, at equal certified ε; R² below −1 counts as −1",
            place: "our own design",
            claims: &[],
            axis: "epsilon",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let epsilons = effort.pick(&EPSILONS[2..3], &EPSILONS[..], &EPSILONS[..]);
        let runs = effort.pick(1, 5, 20);
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        for (contest, input) in contests(setting)? {
            inputs.push(input);
            let contest = Arc::new(contest);
            let methods: &[Method] = match contest.loss() {
                LossName::Logistic => &CLASSES,
                _ => &NUMBERS,
            };
            for &epsilon in epsilons {
                for entry in entries(methods, epsilon) {
                    let name = entry.name();
                    let of = Arc::clone(&contest);
                    let weight = contest.data.records() as u64 / 100;
                    let cell = format!("{}, {name}, ε = {epsilon}", contest.name);
                    cells.push(Cell::new(cell, weight, move || {
                        measure(&of, entry, epsilon, runs)
                    }));
                }
            }
            let (name, n) = (contest.name, contest.data.records());
            cells.push(Cell::new(format!("{name}, peers"), 1, move || {
                Ok(peers(name, n))
            }));
        }
        Ok(Prepared {
            inputs,
            choices: vec![
                Choice::new(
                    "Which relation and δ?",
                    "replace-one, δ = 1/n² of the records of training; diffprivlib is purely ε-private, which is more. Objective \
                     perturbation has twice the deviation of its theorem, which is of a record that comes or goes, and no \
                     certificate: its guarantee is of the exact minimiser, and Newton's method ends at a gradient of norm 10⁻⁹n",
                ),
                Choice::new(
                    "Which settings?",
                    "those that `fit` takes where nothing is asked, with the bounds files of the source; peers with their own \
                     defaults, the same bounds and rows scaled to norm 1; objective perturbation with the ridge of its theorem",
                ),
                Choice::new(
                    "Which data?",
                    "a data set whose file is not in the folder is left out; so is DECOR, whose neighbours are users",
                ),
            ],
            tuning: "Nothing here: the table of defaults was tuned on synthetic data, with a look at breast cancer, a9a, \
                     california and diabetes on the way."
                .to_owned(),
            cells,
        })
    }
}

/// The quality of a method, or of the constant, on held-out records of so many splits.
fn measure(contest: &Contest, entry: Entry, epsilon: f64, runs: u64) -> Rows {
    let loss = contest.loss();
    let mut rows = Vec::new();
    for run in 0..runs {
        let (train, held) = split(&contest.data, HELD, run)?;
        let n = train.records() as f64;
        let budget = (Epsilon::new(epsilon)?, Delta::new(1.0 / (n * n))?);
        let facts = Facts {
            records: train.records(),
            features: train.features(),
            loss,
            budget,
        };
        let design = held.data.design();
        let (scores, spent, setting) = match entry.method {
            None => {
                let mean = train.targets().iter().sum::<f64>() / n;
                (vec![mean; held.data.records()], 0.0, String::new())
            }
            Some(method) => {
                let request = Request {
                    intercept: true,
                    ranges: contest.ranges.clone(),
                    target_range: contest.target,
                    seed: run,
                    ..Request::new(method, loss, budget)
                };
                let (request, _) = request.tuned(&facts, Asked::default())?;
                let fitted = run_with(train, request.clone(), entry.noise)?;
                let scores = Preprocessing::of(&request).scores(
                    design,
                    &fitted.coefficients,
                    fitted.intercept,
                );
                let setting = format!("{} passes, clip {:.3}", request.passes, request.clip);
                (scores, fitted.privacy.epsilon_upper, setting)
            }
        };
        rows.push(Row {
            problem: contest.name.to_owned(),
            method: entry.name(),
            accounting: match entry.noise {
                Noise::Tight => "tight",
                Noise::Paper => "the paper's, as repaired",
                Noise::Off => "none: not private",
            }
            .to_owned(),
            epsilon,
            // Seeds differ in the last digits only, and are one group.
            epsilon_upper: (spent * 1e4).ceil() / 1e4,
            delta: budget.1.get(),
            x: epsilon,
            metric: contest.metric().to_owned(),
            run,
            value: Quality::of(&scores, held.data.targets(), loss)
                .value()
                .max(LEAST),
            setting,
        });
    }
    Ok(rows)
}

/// A fit whose noise, and nothing else, is another one.
fn run_with(
    train: Dataset,
    request: Request,
    noise: Noise,
) -> Result<Fitted, Box<dyn std::error::Error + Send + Sync>> {
    let request = match noise {
        Noise::Tight => request,
        Noise::Paper => Request {
            calibration: CalibrationName::Corrected,
            ..request
        },
        Noise::Off => Request {
            epsilon: Epsilon::new(LOUD)?,
            ..request
        },
    };
    Ok(fit(train, &request)?)
}

/// The kept rows of peers on one data set of n records.
fn peers(problem: &str, n: usize) -> Vec<Row> {
    let trained = n as f64 * (1.0 - HELD);
    let row = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let &[name, method, metric, epsilon, run, value] = &fields[..] else {
            return None;
        };
        let epsilon = epsilon.parse().ok()?;
        (name == problem).then_some(Row {
            problem: name.to_owned(),
            method: method.to_owned(),
            accounting: match method {
                LIBRARY => "pure ε, by the library",
                _ => "twice the deviation of its theorem, of the exact minimiser: not certified",
            }
            .to_owned(),
            epsilon,
            epsilon_upper: epsilon,
            delta: match method {
                LIBRARY => 0.0,
                _ => 1.0 / (trained * trained),
            },
            x: epsilon,
            metric: metric.to_owned(),
            run: run.parse().ok()?,
            value: value.parse::<f64>().ok()?.max(LEAST),
            setting: "its defaults".to_owned(),
        })
    };
    PEERS.lines().filter_map(row).collect()
}

/// Medians over seeds with 95 % intervals, a line for each data set, method and ε: what `league.csv` keeps.
///
/// ```
/// use dp_assay::experiment::{Row, medians};
///
/// let row = |run: u64| Row {
///     problem: "a".into(), method: "gd".into(), accounting: "tight".into(), epsilon: 1.0, epsilon_upper: 1.0, delta: 1e-6,
///     x: 1.0, metric: "accuracy".into(), run, value: 0.1 * run as f64, setting: String::new(),
/// };
/// let table = medians(&(0..3).map(row).collect::<Vec<_>>());
/// assert_eq!(table.lines().nth(1), Some("a,gd,accuracy,1,3,0.0000,0.1000,0.2000"));
/// ```
#[must_use]
pub fn medians(rows: &[Row]) -> String {
    let mut cells: BTreeMap<(String, String, String, String), Vec<f64>> = BTreeMap::new();
    for row in rows {
        let key = (
            row.problem.clone(),
            row.method.clone(),
            row.metric.clone(),
            row.epsilon.to_string(),
        );
        cells.entry(key).or_default().push(row.value);
    }
    let mut text = String::from("problem,method,metric,epsilon,runs,low,median,high\n");
    for ((problem, method, metric, epsilon), mut values) in cells {
        values.sort_by(f64::total_cmp);
        let runs = values.len();
        let (skipped, _) = spanning_the_median(runs as u64, 0.95);
        let median = 0.5 * (values[(runs - 1) / 2] + values[runs / 2]);
        let (low, high) = (values[skipped], values[runs - 1 - skipped]);
        text += &format!(
            "{problem},{method},{metric},{epsilon},{runs},{low:.4},{median:.4},{high:.4}\n"
        );
    }
    text
}

#[cfg(test)]
mod tests;
