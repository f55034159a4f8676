//! Every method with its defaults beside the field's, on held-out records of data that people know, at the same certified ε.

mod contests;
mod others;
mod reasons;
mod table;

use super::outcome::{Row, spanning_the_median};
use super::{Cell, Choice, Experiment, ExperimentError, Outline, Prepared, Rows, Setting};
use crate::problem::Dataset;
use crate::solver::fit::{
    Asked, CalibrationName, Facts, Fitted, Held, LossName, Method, Preprocessing, Quality, Request,
    fit, kl, split,
};
use crate::units::{Delta, Epsilon};
use contests::{Contest, contests};
use others::Found;
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
const USERS: &str = "decor of users";
const RECORD_EACH: &str = "decor of records";
const KURDYKA: [kl::Method; 3] = [
    kl::Method::KlSpider,
    kl::Method::KlProx,
    kl::Method::AdaptiveGd,
];
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
/// Entries, zeros with them, beyond which what keeps zeros, or takes partial derivatives one by one, is not run or only at the
/// ε that is looked at.
const DENSE: f64 = 1e8;
/// Entries beyond which the methods of a thousand passes are run at that ε only.
const QUICK: f64 = 1e6;
/// Records beyond which not every pair of them draws noise.
const PAIRED: usize = 1000;
/// What is as bad as this or worse counts as this: a chart of R² = −10⁶ shows nothing else.
const LEAST: f64 = -1.0;
/// The peers: a library, and a method that is run outside.
const LIBRARY: &str = "diffprivlib";
const PERTURBED: &str = "objective perturbation";
/// What peers reach: `league_peers.py` beside this file writes it.
const PEERS: &str = include_str!("league_peers.csv");

type Error = Box<dyn std::error::Error + Send + Sync>;

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

impl Noise {
    /// The ε for which there is noise where that much was asked for.
    fn of(self, epsilon: Epsilon) -> Result<Epsilon, Error> {
        match self {
            Self::Off => Ok(Epsilon::new(LOUD)?),
            Self::Tight | Self::Paper => Ok(epsilon),
        }
    }
}

/// Who competes.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    /// The constant.
    Constant,
    /// A method of `fit`.
    Fit(Method),
    /// DP-SGD as Opacus is used.
    Opacus,
    /// A method of the KL paper.
    Kurdyka(kl::Method),
    /// DECOR among 16 users.
    Users,
    /// DECOR with a record for each user.
    RecordEach,
}

/// What is run in a cell.
#[derive(Clone, Copy)]
struct Entry {
    who: Who,
    noise: Noise,
}

impl Entry {
    fn name(self) -> String {
        let name = match self.who {
            Who::Constant => CONSTANT,
            Who::Fit(method) => method.name(),
            Who::Opacus => others::OPACUS,
            Who::Kurdyka(method) => method.name(),
            Who::Users => USERS,
            Who::RecordEach => RECORD_EACH,
        };
        let suffix = match self.noise {
            Noise::Tight => "",
            Noise::Paper => reasons::PAPER,
            Noise::Off => reasons::OFF,
        };
        format!("{name}{suffix}")
    }

    /// How its noise was chosen, and for which neighbours if not for a replaced record.
    const fn accounting(self) -> &'static str {
        match (self.who, self.noise) {
            (Who::Users, _) => "tight, of a user with all its records",
            (Who::Kurdyka(_), Noise::Tight) => "zCDP",
            (_, Noise::Tight) => "tight",
            (_, Noise::Paper) => "the paper's, as repaired",
            (_, Noise::Off) => "none: not private",
        }
    }
}

/// All that is run on a data set at an ε.
fn entries(contest: &Contest, epsilon: f64) -> Vec<Entry> {
    let methods: &[Method] = match contest.loss() {
        LossName::Logistic => &CLASSES,
        _ => &NUMBERS,
    };
    let size = contest.data.records() as f64 * contest.data.features() as f64;
    let looked = epsilon == LOOKED;
    let entry = |who, noise| Entry { who, noise };
    let mut entries = vec![
        entry(Who::Constant, Noise::Tight),
        entry(Who::Opacus, Noise::Tight),
    ];
    let dear = |method: Method| method == Method::DpCd && size > DENSE;
    for &method in methods.iter().filter(|m| looked || !dear(**m)) {
        entries.push(entry(Who::Fit(method), Noise::Tight));
    }
    if size <= DENSE && (looked || size <= QUICK) {
        entries.extend(KURDYKA.map(|method| entry(Who::Kurdyka(method), Noise::Tight)));
        entries.push(entry(Who::Users, Noise::Tight));
    }
    if looked {
        if size <= QUICK {
            entries.extend(KURDYKA.map(|method| entry(Who::Kurdyka(method), Noise::Off)));
        }
        if contest.data.records() <= PAIRED {
            entries.push(entry(Who::RecordEach, Noise::Tight));
        }
        let of_papers = [Method::Skgd, Method::Gcd, Method::Ambssgd, Method::Gd];
        for &method in methods.iter().filter(|m| of_papers.contains(*m)) {
            entries.push(entry(Who::Fit(method), Noise::Off));
        }
        // Of the others no noise is both printed and certified.
        let printed = [Method::Skgd, Method::Gcd];
        for &method in methods.iter().filter(|m| printed.contains(*m)) {
            entries.push(entry(Who::Fit(method), Noise::Paper));
        }
    }
    entries
}

impl Experiment for League {
    fn outline(&self) -> Outline {
        Outline {
            name: "league",
            title: "Every method with its defaults on held-out records, at equal certified ε; R² \
                    below −1 counts as −1",
            place: "our own design",
            claims: &[],
            axis: "epsilon",
        }
    }

    fn stored(&self) -> Option<String> {
        table::text().ok()
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let epsilons = effort.pick(&EPSILONS[2..3], &EPSILONS[..], &EPSILONS[..]);
        let runs = effort.pick(1, 5, 20);
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        for (contest, input) in contests(setting)? {
            inputs.push(input);
            let contest = Arc::new(contest);
            for &epsilon in epsilons {
                for entry in entries(&contest, epsilon) {
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
                    "replace-one, δ = 1/n² of the records of training; DECOR among 16 users hides \
                     a user with all its records, which is more, and with a record for each user \
                     the same as the others. diffprivlib is purely ε-private, which is more. \
                     Objective perturbation has twice the deviation of its theorem, which is of a \
                     record that comes or goes, and no certificate: its guarantee is of the exact \
                     minimiser, and Newton's method ends at a gradient of norm 10⁻⁹n",
                ),
                Choice::new(
                    "Which settings?",
                    "those that `fit` takes where nothing is asked, with the bounds files of the \
                     source, and the most ones of a record of the sparse problem; peers with their \
                     own defaults, the same bounds and rows scaled to norm 1; objective \
                     perturbation with the ridge of its theorem. Opacus itself was not run: DP-SGD \
                     of this program with what it is used with, Poisson batches of a twentieth of \
                     the records, 20 epochs, gradients clipped at 1, no centre, noise by the tight \
                     accountant, and of five learning rates the one with the best median, which \
                     nobody pays for. The KL methods take records moved into the unit ball, DECOR \
                     with a record for each user the table's clipping and travel in 20 steps",
                ),
                Choice::new(
                    "Which data?",
                    "a data set whose file is not in the folder is left out",
                ),
                Choice::new(
                    "What is not run everywhere?",
                    "at ε = 1 only: what takes minutes of a processor and teaches nothing new \
                     elsewhere, which is dp-cd on the sparse problem (10⁷ releases), the KL \
                     methods and DECOR on a9a and madelon, DECOR with a record for each user, on \
                     the two data sets of less than 1000 records. Nowhere: the KL methods, DECOR \
                     and the peers on the sparse problem, for they keep zeros; noisy-gd, which \
                     kl-prox calls",
                ),
            ],
            tuning: "Nothing but the learning rate of DP-SGD as with Opacus, outside the budget: \
                     the table of defaults was tuned on synthetic data, with a look at breast \
                     cancer, a9a, california and diabetes on the way."
                .to_owned(),
            cells,
        })
    }
}

/// A split of a data set with a budget.
struct Trial {
    train: Dataset,
    held: Held,
    budget: (Epsilon, Delta),
    run: u64,
}

impl Trial {
    fn new(contest: &Contest, epsilon: f64, run: u64) -> Result<Self, Error> {
        let (train, held) = split(&contest.data, HELD, run)?;
        let n = train.records() as f64;
        Ok(Self {
            train,
            held,
            budget: (Epsilon::new(epsilon)?, Delta::new(1.0 / (n * n))?),
            run,
        })
    }

    fn facts(&self, contest: &Contest) -> Facts {
        Facts {
            records: self.train.records(),
            features: self.train.features(),
            nonzeros: contest.nonzeros,
            loss: contest.loss(),
            budget: self.budget,
        }
    }

    fn row(&self, contest: &Contest, method: &str, accounting: &str, found: Found) -> Row {
        Row {
            problem: contest.name.to_owned(),
            method: method.to_owned(),
            accounting: accounting.to_owned(),
            epsilon: self.budget.0.get(),
            // Seeds differ in the last digits only, and are one group.
            epsilon_upper: (found.spent * 1e4).ceil() / 1e4,
            delta: self.budget.1.get(),
            x: self.budget.0.get(),
            metric: contest.metric().to_owned(),
            run: self.run,
            value: found.quality.value().max(LEAST),
            setting: found.setting,
        }
    }
}

/// The quality of an entry on held-out records of so many splits.
fn measure(contest: &Contest, entry: Entry, epsilon: f64, runs: u64) -> Rows {
    let trials = (0..runs).map(|run| Trial::new(contest, epsilon, run));
    let trials = trials.collect::<Result<Vec<_>, _>>()?;
    let found = |trial: &Trial| match entry.who {
        Who::Constant | Who::Opacus => Ok(constant(contest, trial)),
        Who::Fit(method) => fitted(contest, trial, (method, entry.noise)),
        Who::Kurdyka(method) => others::kurdyka(contest, trial, (method, entry.noise)),
        Who::Users => others::users(contest, trial),
        Who::RecordEach => others::record_each(contest, trial),
    };
    if entry.who == Who::Opacus {
        return others::opacus(contest, &trials);
    }
    let row =
        |trial: &Trial| Ok(trial.row(contest, &entry.name(), entry.accounting(), found(trial)?));
    trials.iter().map(row).collect()
}

/// The mean of the targets for every record.
fn constant(contest: &Contest, trial: &Trial) -> Found {
    let targets = trial.train.targets();
    let mean = targets.iter().sum::<f64>() / targets.len() as f64;
    let held = trial.held.data.targets();
    Found {
        quality: Quality::of(&vec![mean; held.len()], held, contest.loss()),
        spent: 0.0,
        setting: String::new(),
    }
}

/// A method of `fit` with its defaults.
fn fitted(
    contest: &Contest,
    trial: &Trial,
    (method, noise): (Method, Noise),
) -> Result<Found, Error> {
    let request = others::request(contest, trial, method);
    let (request, _) = request.tuned(&trial.facts(contest), Asked::default())?;
    let fitted = run_with(trial.train.clone(), request.clone(), noise)?;
    let held = &trial.held.data;
    let scores =
        Preprocessing::of(&request).scores(held.design(), &fitted.coefficients, fitted.intercept);
    Ok(Found {
        quality: Quality::of(&scores, held.targets(), contest.loss()),
        spent: fitted.privacy.epsilon_upper,
        setting: format!("{} passes, clip {:.3}", request.passes, request.clip),
    })
}

/// A fit whose noise, and nothing else, is another one.
fn run_with(train: Dataset, request: Request, noise: Noise) -> Result<Fitted, Error> {
    let request = match noise {
        Noise::Tight => request,
        Noise::Paper => Request {
            calibration: CalibrationName::Corrected,
            ..request
        },
        Noise::Off => Request {
            epsilon: noise.of(request.epsilon)?,
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
