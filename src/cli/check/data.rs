//! The data set of a check, as a private learning problem.

use dp_assay::problem::load::{LabelColumn, Options};
use dp_assay::problem::loss::Logistic;
use dp_assay::problem::{Dataset, Problem, Regulariser, scaling};
use dp_assay::report::Data;
use std::error::Error;
use std::path::Path;

/// Weight of the ridge in every check.
pub const RIDGE: f64 = 1e-3;

/// Logistic regression with a ridge on standardised columns of the file, or of the shipped data.
pub fn load(file: Option<&Path>, label: Option<&str>) -> Result<(Problem, Data), Box<dyn Error>> {
    let (raw, source) = match file {
        Some(file) => {
            let label = match label.map(|l| (l, l.parse())) {
                None => LabelColumn::Last,
                Some((_, Ok(index))) => LabelColumn::Index(index),
                Some((name, Err(_))) => LabelColumn::Name(name.into()),
            };
            let options = Options {
                label,
                ..Options::default()
            };
            (
                Dataset::from_file(file, &options)?,
                "given with --data".to_owned(),
            )
        }
        None => (
            Dataset::breast_cancer(),
            "UCI Machine Learning Repository, DOI 10.24432/C5DW2B, licence CC BY 4.0".to_owned(),
        ),
    };
    let data = Data {
        name: raw.name().to_owned(),
        source: format!(
            "{source}; columns standardised without privacy, as if their scales were public, and \
             smoothness constants too"
        ),
        records: raw.records(),
        features: raw.features(),
    };
    let scaled = scaling::standardised(&raw)?;
    let problem = Problem::new(scaled, Logistic, Regulariser::None)?.with_ridge(RIDGE)?;
    Ok((with_public_constants(problem)?, data))
}

/// A check takes the constants of its data for public, and says so.
pub fn with_public_constants(problem: Problem) -> Result<Problem, Box<dyn Error>> {
    let public = problem.constants().clone().stated_public();
    Ok(problem.with_constants(public)?)
}
