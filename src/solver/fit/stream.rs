//! Linear regression on a file that need not fit in memory: read once to count, once to fit, in the file's order.
//!
//! DP-AMBSSGD's guarantee holds for any order drawn without looking at the records, AdaSSP's result does not depend on it; DP-SSGD's proof wants
//! a random order and is refused. That DP-AMBSSGD learns well wants records in no particular order.

use super::outcome::unsupported;
use super::{
    FitError, Fitted, Method, Request, Scaling, ScheduleName, Smoothness, methods, normal,
    regression, setup,
};
use crate::problem::load::{Features, LoadError, Rows};
use crate::problem::rows::FileStream;
use crate::units::OutOfDomain;
use std::time::Instant;

/// The size of a file's data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Survey {
    /// Number of records n.
    pub records: usize,
    /// Number of features p; of an svmlight file, the largest index.
    pub features: usize,
    /// How many values of the features lie outside of their bound.
    pub outside: u64,
}

impl Survey {
    /// Reads all records once, and keeps none; features are meant to lie in \[−bound, bound\].
    ///
    /// # Errors
    /// If a record is malformed.
    pub fn new(rows: Rows<'_>, bound: f64) -> Result<Self, LoadError> {
        let mut survey = Self {
            records: 0,
            features: 0,
            outside: 0,
        };
        let beyond = |x: &f64| x.abs() > bound;
        for row in rows {
            let (wide, outside) = match row?.features {
                Features::Dense(values) => {
                    (values.len(), values.iter().filter(|x| beyond(x)).count())
                }
                Features::Sparse(entries) => (
                    entries.last().map_or(0, |(j, _)| j + 1),
                    entries.iter().filter(|(_, x)| beyond(x)).count(),
                ),
            };
            survey.outside += outside as u64;
            survey.records += 1;
            survey.features = survey.features.max(wide);
        }
        Ok(survey)
    }
}

/// Fits a model to the records of `rows`, of which there are as many as the survey says.
///
/// ```
/// use dp_assay::prelude::*;
/// use dp_assay::problem::load::{Format, Options, Rows, Task};
/// use dp_assay::solver::fit::{Method, Survey, fit_stream};
///
/// // One feature and the target in every line.
/// let text: String = (0..500).map(|k| f64::from(k).sin()).map(|x| format!("{x},{}\n", 0.5 * x)).collect();
/// let options = Options { format: Format::Csv, task: Task::Regression, ..Options::default() };
/// let rows = || Rows::new("made up", text.as_bytes(), &options);
/// let survey = Survey::new(rows()?, 1.0)?;
/// assert_eq!((survey.records, survey.features, survey.outside), (500, 1, 0));
/// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let fitted = fit_stream(rows()?, survey, &Request::new(Method::Adassp, LossName::Squared, budget))?;
/// assert!(fitted.streamed && fitted.coefficients.len() == 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`super::fit`]; for whatever would need the data in memory.
pub fn fit_stream(rows: Rows<'_>, survey: Survey, request: &Request) -> Result<Fitted, FitError> {
    setup::check(request)?;
    check(survey, request)?;
    let start = Instant::now();
    let mut source = FileStream::new(rows, survey.features).within(request.bound);
    let (outcome, utility) = match request.schedule {
        ScheduleName::Practical => {
            let outcome = regression::run_on(&mut source, survey.records, request)?;
            (outcome, None)
        }
        ScheduleName::Theorem => {
            let (outcome, utility) = normal::run_on(&mut source, survey.records, request)?;
            (outcome, Some(utility))
        }
    };
    setup::check_scores(&outcome.coefficients, request)?;
    let size = (survey.records, survey.features, 0);
    let (warnings, confidential) = super::warnings(request, size, None);
    Ok(Fitted {
        schema: super::SCHEMA,
        request: request.clone(),
        records: survey.records,
        features: survey.features,
        names: None,
        defaults: Vec::new(),
        warnings,
        confidential,
        coefficients: outcome.coefficients,
        intercept: 0.0,
        classes: Vec::new(),
        others: Vec::new(),
        privacy: outcome.privacy,
        utility,
        lengths: outcome.lengths,
        streamed: true,
        users: None,
        seconds: Some(start.elapsed().as_secs_f64()),
        metrics: None,
        not_private: None,
    })
}

fn check(survey: Survey, request: &Request) -> Result<(), FitError> {
    let needs = [
        (
            !matches!(request.method, Method::Ambssgd | Method::Adassp),
            "streaming: it needs the records in memory",
        ),
        (
            request.scaling != Scaling::None || request.smoothness == Smoothness::Data,
            "streaming and a look at the data before",
        ),
        (
            request.intercept || request.ranges.is_some() || request.target_range.is_some(),
            "streaming and an intercept or ranges",
        ),
        (
            request.centre != 0.0 || request.bounds != 0.0 || request.tune > 0,
            "streaming and a private centre, private ranges or tuning",
        ),
        (
            request.schedule == ScheduleName::Theorem && request.method != Method::Ambssgd,
            "streaming by the schedule of a theorem",
        ),
        (
            request.compare,
            "streaming and a comparison with the optimum",
        ),
    ];
    if let Some((_, what)) = needs.into_iter().find(|need| need.0) {
        return Err(unsupported(request, what.into()));
    }
    methods::check_neighbours(request)?;
    let (name, fewer) = (
        "number of records or features",
        survey.records.min(survey.features),
    );
    Ok(OutOfDomain::unless(
        fewer > 0,
        name,
        fewer as f64,
        "at least 1",
    )?)
}
