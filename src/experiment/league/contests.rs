//! The data sets of the league, and what is public about them.

use super::super::ambssgd::diabetes;
use super::super::data::bad;
use super::super::gcd::files;
use super::super::{DataError, Effort, ExperimentError, Input, Setting};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::dataset::DatasetError;
use crate::problem::load::Options;
use crate::problem::{Dataset, Sparse};
use crate::solver::fit::LossName;

type Range = (f64, f64);

/// A data set with what is public about it.
pub(super) struct Contest {
    pub(super) name: &'static str,
    pub(super) data: Dataset,
    pub(super) ranges: Option<Vec<Range>>,
    pub(super) target: Option<Range>,
    /// The most features of a record that are not 0, if that is known.
    pub(super) nonzeros: Option<usize>,
}

impl Contest {
    pub(super) fn loss(&self) -> LossName {
        match self.target {
            None => LossName::Logistic,
            Some(_) => LossName::Squared,
        }
    }

    pub(super) fn metric(&self) -> &'static str {
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

/// Ones that are drawn for a record of the sparse problem.
pub(super) const DRAWN: usize = 30;

/// Records of up to 30 ones among p features, the first ones far more often than the last; 40 features tell the classes.
pub(super) fn sparse(n: usize, p: usize, seed: u64) -> Result<(Dataset, Input), DatasetError> {
    let mut words = Tape::new(seed).trial(77).stream(0, Purpose::Data, 0);
    let mut entries = Vec::new();
    let mut targets = Vec::new();
    for i in 0..n {
        let mut columns: Vec<usize> = (0..DRAWN)
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
        "{n} × {p}, {DRAWN} draws of a one at column ⌊p·u⁴⌋, logistic labels of slope 2 by the \
         signs (−1)^j of the first 40 columns, seed {seed}"
    );
    Ok((
        Dataset::new("sparse", design, targets)?,
        Input::synthetic("sparse", recipe),
    ))
}

/// The data sets that are there.
pub(super) fn contests(setting: &Setting) -> Result<Vec<(Contest, Input)>, ExperimentError> {
    let seed = setting.seed;
    let contest = |name, data, ranges, target| Contest {
        name,
        data,
        ranges,
        target,
        nonzeros: None,
    };
    let bad = |e: DatasetError| bad("sparse", 0, &e);
    let cancer = ranges(include_str!("../../problem/data/breast_cancer.bounds.csv"));
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
        (
            Contest {
                nonzeros: Some(DRAWN),
                ..contest("sparse", made, None, None)
            },
            recipe,
        ),
    ];
    let toy = setting.effort == Effort::Toy;
    let there = |input: &Input| input.stand_in.is_none() && !toy;
    if let Some(book) = setting.shelf.find("a9a.svm.gz")?.filter(|_| !toy) {
        let options = Options {
            features: Some(123),
            ..Options::default()
        };
        let data = Dataset::from_file(&book.path, &options).map_err(DataError::from)?;
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
            "../../problem/data/california_derived.bounds.csv"
        ));
        found.push((
            contest("california", data, Some(range), Some((0.0, 5.00001))),
            input,
        ));
    }
    let (data, input) = diabetes(&setting.shelf, seed)?;
    if there(&input) {
        let range = ranges(include_str!("../../problem/data/diabetes.bounds.csv"));
        found.push((
            contest("diabetes", data, Some(range), Some((25.0, 346.0))),
            input,
        ));
    }
    Ok(found)
}
