//! `dp-assay predict`: a kept model on new records.

use super::fit::data;
use super::fit::files::same_features;
use super::{Format, Outcome};
use dp_assay::problem::Design;
use dp_assay::problem::load::{
    self, Column, LabelColumn, LoadError, LoadProblem, Options, Rows, Task,
};
use dp_assay::solver::fit::{Model, Prediction};
use serde::Serialize;
use std::error::Error;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Predict with a model that `fit --out` wrote.
///
/// The label column of the data may be there or not; it is not looked at. Predictions cost nothing: the weights are
/// released already. That records are new to the model is up to you.
#[derive(clap::Args)]
pub struct Args {
    /// The model.
    #[arg(value_name = "FILE")]
    model: PathBuf,
    /// The data: svmlight or CSV, possibly gzipped.
    #[arg(long, value_name = "DATA")]
    data: PathBuf,
    /// The label column, if it is neither of the name that it had in training nor the last one.
    #[arg(long)]
    label: Option<String>,
    /// How to print.
    #[arg(long, value_enum, default_value = "text")]
    format: Format,
}

/// Name and version of the layout of [`Predicted`].
const SCHEMA: &str = "dp-assay/predictions/1";

/// What a model says of records.
#[derive(Serialize, schemars::JsonSchema)]
pub struct Predicted {
    /// Name and version of this layout.
    schema: &'static str,
    /// Number of records.
    records: usize,
    /// A class or a number for each.
    predictions: Vec<Prediction>,
    /// The score of each: of a class, positive for the second of two, else the largest of all.
    scores: Vec<f64>,
}

/// Runs `predict`.
pub fn run(args: &Args) -> Outcome {
    let named = |e: &dyn std::fmt::Display| format!("{}: {e}", args.model.display());
    let text = super::read_text(&args.model).map_err(|e| named(&e))?;
    let model = Model::from_json(&text).map_err(|e| named(&e))?;
    let design = features(&args.data, &model, args.label.as_deref())?;
    let (predictions, scores) = model.predictions(&design).into_iter().unzip();
    let predicted = Predicted {
        schema: SCHEMA,
        records: design.rows(),
        predictions,
        scores,
    };
    match args.format {
        Format::Json => super::print(&(serde_json::to_string_pretty(&predicted)? + "\n")),
        Format::Text => super::print(&lines(&predicted.predictions)?),
    }
    Ok(ExitCode::SUCCESS)
}

fn lines(predictions: &[Prediction]) -> Result<String, std::fmt::Error> {
    let mut out = String::new();
    for prediction in predictions {
        match prediction {
            Prediction::Class(name) => writeln!(out, "{name}")?,
            Prediction::Number(value) => writeln!(out, "{value}")?,
        }
    }
    Ok(out)
}

/// The names by which a header is known, where the columns are.
fn known(model: &Model) -> Option<Vec<String>> {
    let mut features = model.names.iter().flatten();
    let mut name = |column: &Column| match column {
        Column::Number { .. } => features.next().cloned(),
        Column::Category { words } => {
            let last = features.nth(words.len().checked_sub(1)?)?;
            let name = last.strip_suffix(words.last()?)?.strip_suffix('=')?;
            Some(name.to_owned())
        }
    };
    let columns = model.columns.as_ref()?;
    let names = columns.iter().filter_map(&mut name);
    Some(names.chain(model.label.clone()).collect())
}

/// The features of a file, with or without its label.
fn features(file: &Path, model: &Model, label: Option<&str>) -> Result<Design, Box<dyn Error>> {
    let p = model.coefficients.len();
    let label = match (label, &model.label) {
        (None, Some(name)) => LabelColumn::Name(name.clone()),
        (label, _) => data::label(label),
    };
    let options = |label| Options {
        columns: model.columns.clone(),
        names: known(model),
        ..data::options(label, Task::Regression, Some(p))
    };
    let read = |label: LabelColumn| {
        let options = options(label);
        Rows::open(file, &options).map(|rows| (rows, options))
    };
    let (rows, options) = match read(label) {
        Err(LoadError {
            problem:
                LoadProblem::Features { .. } | LoadProblem::Columns { .. } | LoadProblem::LabelColumn(_),
            ..
        }) => {
            data::require_file(file)?;
            read(LabelColumn::Absent)?
        }
        other => other?,
    };
    same_features(file, rows.names(), (model.names.as_deref(), "the model's"))?;
    Ok(load::features(rows, &options)?)
}
