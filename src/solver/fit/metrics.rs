//! How good a model is on records that had no part in it, beside the constant predictor and the non-private optimum.
//!
//! **Limits.** Not private: the records that are held out enter as they are, and so do those of training into the constant and the
//! optimum.

use super::frame::unframed;
use super::outcome::unsupported;
use super::{FitError, LossName, Preprocessing, Request, Weights, setup};
use crate::mechanism::tape::Tape;
use crate::problem::Dataset;
use crate::problem::optimum::optimum;
use crate::solver::ambssgd::permutation;
use crate::units::{Neighbouring, OutOfDomain, fraction};
use serde::Serialize;

/// The tape's trial of the split: the solvers take trial 0, the estimate of smoothness 1.
const TRIAL: u64 = 2;
/// Coefficients up to which the optimum is computed.
const LARGEST: usize = 3000;

/// Where the optimum's search ends: at this gap, or after so many passes, beyond which its quality on other records hardly
/// changes and every pass costs more than the fit.
const GAP: f64 = 1e-6;
const ROUNDS: usize = 8;

/// Records that have no part in the fit.
#[derive(Clone, Debug)]
pub struct Held {
    /// The records.
    pub data: Dataset,
    /// Where they come from.
    pub origin: Origin,
}

/// Where held-out records come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Origin {
    /// A random part of the same file.
    Holdout,
    /// A file of their own.
    Test,
}

/// The quality of a model on held-out records. **Not private.**
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Metrics {
    /// Where the records come from.
    pub on: Origin,
    /// Their number.
    pub records: usize,
    /// The model's.
    #[serde(flatten)]
    pub model: Quality,
    /// Of the most frequent class of the training part, or of the mean of its targets.
    pub constant: Quality,
    /// Of the non-private optimum of the same problem; absent for more than 3000 coefficients.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub optimum: Option<Quality>,
    /// By how much the model is better than the constant: a difference of accuracies, or of R².
    pub gain: f64,
    /// Its standard error over the records, each a pair of both predictors' errors.
    pub gain_error: f64,
}

/// One predictor's quality. **Not private.**
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Quality {
    /// Always false: nothing is added to hide a record.
    pub private: bool,
    /// Part of the records that are classified correctly.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// R² = 1 − Σ(y − ŷ)²/Σ(y − ȳ)², ȳ being the mean of the held-out targets.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub r2: Option<f64>,
}

impl Quality {
    /// Of scores, beside the targets.
    ///
    /// ```
    /// use dp_assay::solver::fit::{LossName, Quality};
    ///
    /// assert_eq!(Quality::of(&[0.3, -2.0], &[1.0, 1.0], LossName::Logistic).accuracy, Some(0.5));
    /// assert_eq!(Quality::of(&[0.0, 1.0], &[0.0, 1.0], LossName::Squared).r2, Some(1.0));
    /// ```
    #[must_use]
    pub fn of(scores: &[f64], targets: &[f64], loss: LossName) -> Self {
        let predicted = predicted(&[scores.to_vec()], loss);
        quality(
            &errors(&predicted, targets, loss),
            spread(targets, loss),
            loss,
        )
    }

    /// Whichever of the two it is.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.accuracy.or(self.r2).unwrap_or(f64::NAN)
    }
}

/// The records for training, and a random part that is held out, of at least one record each.
///
/// ```
/// use dp_assay::problem::Dataset;
/// use dp_assay::solver::fit::split;
///
/// let (train, held) = split(&Dataset::breast_cancer(), 0.2, 1)?;
/// assert_eq!((train.records(), held.data.records()), (455, 114));
/// assert!(split(&Dataset::breast_cancer(), 1.0, 1).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Unless 0 < part < 1 and there are two records.
pub fn split(data: &Dataset, part: f64, seed: u64) -> Result<(Dataset, Held), FitError> {
    let (n, rule) = (data.records(), "at least 2 to hold one out");
    fraction("holdout", part)?;
    OutOfDomain::unless(n >= 2, "number of records", n as f64, rule)?;
    let order = permutation(Tape::new(seed).trial(TRIAL), n);
    let count = ((part * n as f64).round() as usize).clamp(1, n - 1);
    let (held, train) = order.split_at(count);
    let held = Held {
        data: data.select(held)?,
        origin: Origin::Holdout,
    };
    Ok((data.select(train)?, held))
}

/// Refuses held-out records on which nothing can be measured.
pub(super) fn check(held: &Held, train: &Dataset, request: &Request) -> Result<(), FitError> {
    if held.origin == Origin::Holdout && request.neighbours == Neighbouring::AddRemove {
        let choice = "records held out under add-remove neighbours: their choice depends on the \
                      number of all";
        return Err(unsupported(request, choice.into()));
    }
    let (found, expected) = (held.data.features(), train.features());
    let (name, rule) = ("number of features held out", "that of the training part");
    OutOfDomain::unless(found == expected, name, found as f64, rule)?;
    if let (Some(test), Some(train)) = (held.data.classes(), train.classes())
        && test != train
    {
        let name = |classes: &[String]| format!("`{}`", classes.join("` and `"));
        return Err(FitError::Classes {
            test: name(test),
            train: name(train),
        });
    }
    let targets = held.data.targets();
    let spread = targets.iter().any(|y| *y != targets[0]);
    let fits = request.loss == LossName::Logistic || spread;
    let rule = "at least 2, for R² compares with their spread";
    Ok(OutOfDomain::unless(
        fits,
        "number of distinct targets held out",
        1.0,
        rule,
    )?)
}

/// The class, −1 or +1, of a score. No score is without one.
#[must_use]
pub fn class(score: f64) -> f64 {
    if score > 0.0 { 1.0 } else { -1.0 }
}

/// What [`Metrics`] says of weights, in the units of the file: those of one score, or of one for each of several classes.
pub(super) fn metrics(
    held: &Held,
    train: &Dataset,
    weights: &[Weights],
    request: &Request,
) -> Result<Metrics, FitError> {
    let (design, targets) = (held.data.design(), held.data.targets());
    let preprocessing = Preprocessing::of(request);
    let errors_of = |weights: &[Weights]| {
        let score = |w: &Weights| preprocessing.scores(design, &w.coefficients, w.intercept);
        let scores: Vec<Vec<f64>> = weights.iter().map(score).collect();
        errors(&predicted(&scores, request.loss), targets, request.loss)
    };
    let spread = spread(targets, request.loss);
    let constant = vec![constant(train, request.loss); targets.len()];
    let constant = errors(&constant, targets, request.loss);
    let model = errors_of(weights);
    let best = || -> Result<Quality, FitError> {
        let best = optima(train, weights.len(), request)?;
        Ok(quality(&errors_of(&best), spread, request.loss))
    };
    let best = (train.features() < LARGEST).then(best).transpose()?;
    let gains: Vec<f64> = constant
        .iter()
        .zip(&model)
        .map(|(c, m)| (c - m) / spread)
        .collect();
    let gain = mean(&gains);
    let variance = gains.iter().map(|g| (g - gain) * (g - gain)).sum::<f64>() / gains.len() as f64;
    Ok(Metrics {
        on: held.origin,
        records: targets.len(),
        model: quality(&model, spread, request.loss),
        constant: quality(&constant, spread, request.loss),
        optimum: best,
        gain,
        gain_error: (variance / gains.len() as f64).sqrt(),
    })
}

/// The weights of the non-private optimum, or of the optima of several classes against the rest.
fn optima(train: &Dataset, models: usize, request: &Request) -> Result<Vec<Weights>, FitError> {
    let one = |train: &Dataset| -> Result<Weights, FitError> {
        // Without the centre, which moves the intercept only: columns that were sparse still are.
        let problem = setup::plain(train, request)?;
        let (coefficients, intercept) = unframed(optimum(&problem, GAP, ROUNDS).w, request, None);
        Ok(Weights {
            coefficients,
            intercept,
        })
    };
    match models {
        1 => Ok(vec![one(train)?]),
        _ => (0..models)
            .map(|k| one(&train.one_against_rest(k)))
            .collect(),
    }
}

/// What is predicted where one score, or one for each class, is known of every record: a number, −1 or +1, or the number of
/// the class with the largest score, the first of several.
fn predicted(scores: &[Vec<f64>], loss: LossName) -> Vec<f64> {
    match (scores, loss) {
        ([only], LossName::Logistic) => only.iter().map(|s| class(*s)).collect(),
        ([only], _) => only.clone(),
        _ => (0..scores[0].len())
            .map(|i| largest(scores.iter().map(|of| of[i])) as f64)
            .collect(),
    }
}

/// The place of the largest score, the first of several.
pub(super) fn largest(scores: impl Iterator<Item = f64>) -> usize {
    let mut best = (0, f64::NEG_INFINITY);
    for (k, score) in scores.enumerate() {
        if score > best.1 {
            best = (k, score);
        }
    }
    best.0
}

/// The prediction that looks at no feature: the most frequent class of the training part, or the mean of its targets.
fn constant(train: &Dataset, loss: LossName) -> f64 {
    let targets = train.targets();
    match train.classes().map_or(0, <[String]>::len) {
        _ if loss != LossName::Logistic => mean(targets),
        // Of two classes, the sign of the mean is the more frequent one's.
        0..=2 => class(mean(targets)),
        count => {
            let of = |k: usize| targets.iter().filter(|y| **y == k as f64).count() as f64;
            largest((0..count).map(of)) as f64
        }
    }
}

/// What errors are measured in: the variance of real targets.
fn spread(targets: &[f64], loss: LossName) -> f64 {
    if loss == LossName::Logistic {
        return 1.0;
    }
    let mean = mean(targets);
    targets.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>() / targets.len() as f64
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// A record's error: whether its class is wrong, or its squared residual.
fn errors(predicted: &[f64], targets: &[f64], loss: LossName) -> Vec<f64> {
    let error = |(s, y): (&f64, &f64)| match loss {
        LossName::Logistic => f64::from(s != y),
        LossName::Squared | LossName::Huber => (y - s) * (y - s),
    };
    predicted.iter().zip(targets).map(error).collect()
}

fn quality(errors: &[f64], spread: f64, loss: LossName) -> Quality {
    let value = 1.0 - mean(errors) / spread;
    let classes = loss == LossName::Logistic;
    Quality {
        private: false,
        accuracy: classes.then_some(value),
        r2: (!classes).then_some(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::dataset;
    use crate::solver::fit::Method;
    use crate::units::{Delta, Epsilon};

    /// Numbers that are all alike have no spread to compare with; classes need none.
    #[test]
    fn equal_targets_measure_classes_only() {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-6).expect("in range"),
        );
        let data = |targets| dataset::table(&[[1.0], [2.0]], targets);
        for (loss, last, measured) in [
            (LossName::Squared, 1.0, false),
            (LossName::Huber, 1.0, false),
            (LossName::Squared, -1.0, true),
            (LossName::Logistic, 1.0, true),
        ] {
            let held = Held {
                data: data(vec![1.0, last]),
                origin: Origin::Test,
            };
            let request = Request::new(Method::Gd, loss, budget);
            let found = check(&held, &data(vec![1.0, -1.0]), &request);
            assert_eq!(found.is_ok(), measured, "{loss:?}, {last}");
        }
    }

    /// Errors 0, 0, 4 against 1, 1, 9 of the constant 1, for targets of variance 8/3: gains 3/8, 3/8, 15/8.
    #[test]
    fn a_gain_is_known_up_to_what_records_differ_by() {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-6).expect("in range"),
        );
        let data = |rows: &[[f64; 1]], targets: &[f64]| dataset::table(rows, targets.to_vec());
        let held = Held {
            data: data(&[[0.0], [1.0], [1.0]], &[0.0, 2.0, 4.0]),
            origin: Origin::Test,
        };
        let train = data(&[[0.5], [-0.5]], &[2.0, 0.0]);
        let weights = Weights {
            coefficients: vec![2.0],
            intercept: 0.0,
        };
        let request = Request::new(Method::Gd, LossName::Squared, budget);
        let found = metrics(&held, &train, &[weights], &request).expect("measured");
        for (found, truth) in [
            (found.gain, 0.875),
            (found.gain_error, (0.5f64 / 3.0).sqrt()),
            (found.model.value(), 0.5),
            (found.constant.value(), -0.375),
        ] {
            assert!((found - truth).abs() < 1e-12, "{found}, {truth}");
        }
        assert!(found.optimum.is_some() && found.records == 3);
    }
}
