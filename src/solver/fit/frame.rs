//! From the units of a file to those of a solver, and back.
//!
//! A solver sees features in \[−B, B\] and, if the targets have a public range, targets in \[−1, 1\]. Features are moved
//! into their range record by record, so that a record changes nothing but itself. An intercept is a last column of B
//! everywhere, which a record cannot change.

use super::{Centre, FitError, Request};
use crate::mechanism::clipping::clip;
use crate::problem::dataset::DatasetError;
use crate::problem::{Dataset, Dense, Design, Sparse};
use crate::units::OutOfDomain;
use serde::{Deserialize, Serialize};

/// What is done to a record before it is scored: each feature is moved into its range.
///
/// ```
/// use dp_assay::problem::Dense;
/// use dp_assay::solver::fit::Preprocessing;
///
/// let ages = Preprocessing { bound: 1.0, ranges: Some(vec![(0.0, 100.0)]) };
/// let design = Dense::from_rows(&[[40.0], [140.0]])?;
/// assert_eq!(ages.scores(&design.into(), &[0.5], -10.0), [10.0, 40.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Preprocessing {
    /// B: every feature is moved into \[−B, B\] unless it has a range.
    pub bound: f64,
    /// The range (lower, upper) of every feature, p pairs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ranges: Option<Vec<(f64, f64)>>,
}

impl Preprocessing {
    /// Of a request.
    #[must_use]
    pub fn of(request: &Request) -> Self {
        Self {
            bound: request.bound,
            ranges: request.ranges.clone(),
        }
    }

    /// b + Σ_j w_j·x̄_ij for every record, x̄_ij being x_ij moved into the range of feature j.
    ///
    /// # Panics
    /// If there are not as many weights as features, or not as many ranges.
    #[must_use]
    pub fn scores(&self, design: &Design, weights: &[f64], intercept: f64) -> Vec<f64> {
        assert_eq!(
            design.columns(),
            weights.len(),
            "one weight for each feature"
        );
        let mut scores = vec![intercept; design.rows()];
        for (j, w) in weights.iter().enumerate() {
            let (low, high) = self.range(j);
            let column = design.column(j).iter();
            column.for_each(|(i, x)| scores[i] += w * x.clamp(low, high));
        }
        scores
    }
}

impl Preprocessing {
    /// How many entries lie outside of their range, and how many there are; those of a sparse design that are not stored are 0.
    ///
    /// # Panics
    /// If there are not as many ranges as features.
    #[must_use]
    pub fn cut(&self, design: &Design) -> (u64, u64) {
        let columns = 0..design.columns();
        let outside = |j: usize| {
            let (low, high) = self.range(j);
            design
                .column(j)
                .iter()
                .filter(|(_, x)| *x < low || *x > high)
                .count() as u64
        };
        let all = design.rows() as u64 * design.columns() as u64;
        (columns.map(outside).sum(), all)
    }

    /// The range of a feature.
    fn range(&self, j: usize) -> (f64, f64) {
        match &self.ranges {
            Some(ranges) => ranges[j],
            None => (-self.bound, self.bound),
        }
    }
}

/// Checks ranges against the number of features and one another.
fn check(request: &Request, features: usize) -> Result<(), FitError> {
    let ranges = request.ranges.iter().flatten().chain(&request.target_range);
    for &(low, high) in ranges {
        if !(low.is_finite() && high.is_finite() && low < high && (high - low).is_finite()) {
            return Err(FitError::Range { low, high });
        }
    }
    if let Some(ranges) = &request.ranges {
        let (count, rule) = (ranges.len(), "the number of features");
        let name = "number of ranges of features";
        OutOfDomain::unless(count == features, name, count as f64, rule)?;
        let (bound, rule) = (request.bound, "1 beside a range for each feature");
        OutOfDomain::unless(bound == 1.0, "bound", bound, rule)?;
    }
    Ok(())
}

/// The data as a solver sees them.
pub(super) fn framed(data: &Dataset, request: &Request) -> Result<Dataset, FitError> {
    check(request, data.features())?;
    let design = design(data, request)?;
    let framed = data.with_design(design).map_err(FitError::from)?;
    match request.target_range {
        None => Ok(framed),
        Some((low, high)) => {
            let unit = |y: &f64| {
                (2.0 * ((y.clamp(low, high) - low) / (high - low)) - 1.0).clamp(-1.0, 1.0)
            };
            let targets = data.targets().iter().map(unit).collect();
            Ok(Dataset::new(data.name(), framed.design().clone(), targets)?)
        }
    }
}

fn design(data: &Dataset, request: &Request) -> Result<Design, FitError> {
    let (n, p, bound) = (data.records(), data.features(), request.bound);
    let ones = if request.intercept { n } else { 0 };
    let columns = p + usize::from(request.intercept);
    Ok(match (data.design(), &request.ranges) {
        (Design::Dense(dense), ranges) => {
            let column = |j: usize| {
                let unit = move |x: &f64| match ranges {
                    Some(ranges) => {
                        let (low, high) = ranges[j];
                        (2.0 * ((x.clamp(low, high) - low) / (high - low)) - 1.0).clamp(-1.0, 1.0)
                    }
                    None => clip(*x, bound),
                };
                dense.column(j).iter().map(unit)
            };
            let values = (0..p)
                .flat_map(column)
                .chain(std::iter::repeat_n(bound, ones));
            Dense::from_columns(n, columns, values.collect())
                .map_err(DatasetError::from)?
                .into()
        }
        (Design::Sparse(_), None) => {
            let column = |j| {
                let entries = data.design().column(j).iter();
                entries.map(move |(i, x)| (i, j, clip(x, bound)))
            };
            let last = (0..ones).map(|i| (i, p, bound));
            let entries: Vec<_> = (0..p).flat_map(column).chain(last).collect();
            Sparse::from_entries(n, columns, &entries)
                .map_err(DatasetError::from)?
                .into()
        }
        (Design::Sparse(_), Some(_)) => {
            let choice =
                "a range for each feature of an svmlight file: say one bound for all (--bound)";
            return Err(super::outcome::unsupported(request, choice.into()));
        }
    })
}

/// A solver's coefficients in the units of the file, and the intercept, which is 0 unless ranges or the request have one.
pub(crate) fn unframed(
    mut w: Vec<f64>,
    request: &Request,
    centre: Option<&Centre>,
) -> (Vec<f64>, f64) {
    let mut intercept = match request.intercept {
        true => request.bound * w.pop().expect("the last column is the intercept's"),
        false => 0.0,
    };
    intercept -= centre.map_or(0.0, |centre| centre.shift(&w));
    if let Some(ranges) = &request.ranges {
        for (w, (low, high)) in w.iter_mut().zip(ranges) {
            let half = 0.5 * (high - low);
            intercept -= *w * (0.5 * (low + high) / half);
            *w /= half;
        }
    }
    if let Some((low, high)) = request.target_range {
        let half = 0.5 * (high - low);
        w.iter_mut().for_each(|w| *w *= half);
        intercept = 0.5 * (low + high) + half * intercept;
    }
    (w, intercept)
}
