//! What the kept league says: who wins where, how far `auto` is from the best, and where a library is ahead of it.
//!
//! `league.csv` and `league.reasons.csv` beside the parent file are `league.medians.csv` and `league.reasons.csv` of
//! `dp-assay experiment league --full --data-dir DIR`.

use super::contests::DRAWN;
use super::{CONSTANT, LIBRARY};
use crate::solver::fit::{Facts, FitError, LossName, Method};
use crate::units::{Delta, Epsilon};

const MEDIANS: &str = include_str!("../league.csv");
const REASONS: &str = include_str!("../league.reasons.csv");
/// Records of training, features, and the most ones of a record where that is known.
const SIZES: [(&str, usize, usize, Option<usize>); 6] = [
    ("a9a", 26_049, 123, None),
    ("breast cancer", 455, 30, None),
    ("california", 16_512, 8, None),
    ("diabetes", 354, 10, None),
    ("madelon", 2080, 500, None),
    ("sparse", 8000, 100_000, Some(DRAWN)),
];
/// What counts as near the best: a point of accuracy, or 2 % of the objective, which is 1 − R² in units of the targets' variance.
const POINT: f64 = 0.01;
const PART: f64 = 0.02;

/// A method on a data set at an ε: the median over its runs, in an interval.
#[derive(Clone, Debug)]
pub(super) struct Cached {
    pub(super) problem: String,
    pub(super) method: String,
    pub(super) accuracy: bool,
    pub(super) epsilon: f64,
    pub(super) runs: u64,
    low: f64,
    pub(super) median: f64,
    high: f64,
}

/// The lines of the table of medians.
///
/// # Panics
/// If it is not one.
pub(super) fn cells(medians: &str) -> Vec<Cached> {
    let cell = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        let number = |k: usize| fields[k].parse().expect("a number");
        Cached {
            problem: fields[0].to_owned(),
            method: fields[1].to_owned(),
            accuracy: fields[2] == "accuracy",
            epsilon: number(3),
            runs: fields[4].parse().expect("a count"),
            low: number(5),
            median: number(6),
            high: number(7),
        }
    };
    medians.lines().skip(1).map(cell).collect()
}

impl Cached {
    /// What is public of its data set.
    ///
    /// # Panics
    /// On a data set that the league does not have.
    pub(super) fn facts(&self) -> Facts {
        let size = SIZES.iter().find(|size| size.0 == self.problem);
        let &(_, records, features, nonzeros) = size.expect("a known problem");
        let n = records as f64;
        Facts {
            records,
            features,
            nonzeros,
            loss: match self.accuracy {
                true => LossName::Logistic,
                false => LossName::Squared,
            },
            budget: (
                Epsilon::new(self.epsilon).expect("positive"),
                Delta::new(1.0 / (n * n)).expect("a probability"),
            ),
        }
    }

    /// Whether it competes with what is private: neither the constant nor a run with another noise.
    fn competes(&self) -> bool {
        self.method != CONSTANT && !self.method.contains('(')
    }

    fn near(&self, best: &Self) -> bool {
        match self.accuracy {
            true => self.median >= best.median - POINT,
            false => 1.0 - self.median <= (1.0 + PART) * (1.0 - best.median),
        }
    }
}

/// All that was run on a data set at an ε.
pub(super) struct Match {
    pub(super) auto: Cached,
    pub(super) best: Cached,
    constant: Cached,
    library: Option<Cached>,
}

impl Match {
    /// Whether the method of `auto` is near the best entry.
    pub(super) fn near(&self) -> bool {
        self.auto.near(&self.best)
    }

    /// By how much diffprivlib's median is above that of the method of `auto`, if it is.
    pub(super) fn behind(&self) -> Option<f64> {
        let by = self.library.as_ref()?.median - self.auto.median;
        (by > 0.0).then_some(by)
    }
}

/// One for each data set and ε.
pub(super) fn matches(all: &[Cached]) -> Result<Vec<Match>, FitError> {
    let mut found = Vec::new();
    for constant in all.iter().filter(|c| c.method == CONSTANT) {
        let here = |c: &&Cached| c.problem == constant.problem && c.epsilon == constant.epsilon;
        let named = |name: &str| all.iter().filter(here).find(|c| c.method == name).cloned();
        let (method, _): (Method, _) = constant.facts().method(true)?;
        let competing = all.iter().filter(here).filter(|c| c.competes());
        let best = competing.max_by(|a, b| a.median.total_cmp(&b.median));
        if let (Some(auto), Some(best)) = (named(method.name()), best) {
            found.push(Match {
                auto,
                best: best.clone(),
                constant: constant.clone(),
                library: named(LIBRARY),
            });
        }
    }
    found.sort_by(|a, b| {
        let key = |m: &Match| (m.auto.problem.clone(), m.auto.epsilon);
        key(a).partial_cmp(&key(b)).expect("numbers")
    });
    Ok(found)
}

/// For people.
pub(super) fn text() -> Result<String, FitError> {
    let matches = matches(&cells(MEDIANS))?;
    let least = matches.iter().map(|m| m.auto.runs.min(m.best.runs)).min();
    let mut text = format!(
        "Medians of {} runs or more on held-out records, in brackets their 95 % intervals: \
         accuracy, R² on california and diabetes (below −1 as −1).\n\n",
        least.unwrap_or(0)
    );
    let mut line = |of: std::fmt::Arguments<'_>| {
        text += &format!("{of}\n");
    };
    line(format_args!(
        "{:<14}{:>5}  {:>9}  {:<33}{:<30}diffprivlib",
        "data", "ε", "constant", "auto", "best"
    ));
    let shown = |kept: &Cached| format!("{:.3} [{:.3}, {:.3}]", kept.median, kept.low, kept.high);
    for m in &matches {
        line(format_args!(
            "{:<14}{:>5}  {:>9.3}  {:<33}{:<30}{}",
            m.auto.problem,
            m.auto.epsilon,
            m.constant.median,
            format!("{} {}", m.auto.method, shown(&m.auto)),
            match m.near() {
                true if m.best.method == m.auto.method => "the same".to_owned(),
                true => format!("{} {:.3} (near)", m.best.method, m.best.median),
                false => format!("{} {:.3}", m.best.method, m.best.median),
            },
            m.library.as_ref().map_or_else(String::new, shown),
        ));
    }
    let near = matches.iter().filter(|m| m.near()).count();
    line(format_args!(
        "\nauto is within a point of accuracy, or 2 % of 1 − R², of the best entry in {near} of {} \
         cells.",
        matches.len()
    ));
    let behind: Vec<&Match> = matches.iter().filter(|m| m.behind().is_some()).collect();
    line(format_args!(
        "diffprivlib's median is above that of auto in {} of them{}",
        behind.len(),
        if behind.is_empty() { "." } else { ":" }
    ));
    for m in behind {
        let apart = m.library.as_ref().is_some_and(|l| l.low > m.auto.high);
        line(format_args!(
            "  {} at ε = {}: by {:.4}, {}",
            m.auto.problem,
            m.auto.epsilon,
            m.behind().unwrap_or(0.0),
            match (apart, m.constant.median >= m.auto.median - POINT) {
                (true, _) => "the intervals are apart",
                (false, true) => "the intervals overlap, and both are as good as the constant",
                (false, false) => "the intervals overlap",
            }
        ));
    }
    line(format_args!(
        "\nWhere methods of the papers lose at ε = 1, and to what:\n\n{REASONS}"
    ));
    Ok(text)
}
