//! A fitted model that can be kept and used: `spec/formats/fit.md`.

use super::metrics::largest;
use super::{Fitted, LossName, Method, Preprocessing, Weights, class};
use crate::float::from_json;
use crate::problem::Design;
use crate::problem::load::Column;
use serde::{Deserialize, Serialize};

/// Name and version of the layout of [`Model`].
const SCHEMA: &str = "dp-assay/model/1";

/// Weights, what is done to a record before they meet it, and the guarantee under which they were released.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Model {
    /// Name and version of this layout.
    pub schema: String,
    /// Version of the program that wrote it.
    pub version: String,
    /// The method.
    pub method: Method,
    /// The loss: two classes for the logistic one, a number for the others.
    pub loss: LossName,
    /// Names of the features, where the training file has a header.
    pub names: Option<Vec<String>>,
    /// Name of the label, where it has one.
    pub label: Option<String>,
    /// Names of the classes of scores ≤ 0 and > 0, for the logistic loss; or of more classes, each with a score of its own, of
    /// which the largest decides.
    pub classes: Option<Vec<String>>,
    /// One weight for each feature; of more than two classes those that tell the first one from the rest.
    pub coefficients: Vec<f64>,
    /// What is added to every score.
    pub intercept: f64,
    /// The weights that tell each class after the first from the rest, of more than two classes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Weights>,
    /// What the columns of a file hold, where that was stated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub columns: Option<Vec<Column>>,
    /// What is done to a record first.
    pub preprocessing: Preprocessing,
    /// The guarantee as in the result of `fit`: ε, δ, relation, claim, and the event tree that is accounted for.
    pub privacy: serde_json::Value,
    /// The warnings as in the result of `fit`, among them what of this file is not private; none of the confidential ones.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

/// A predicted class or number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Prediction {
    /// A class, by its name.
    Class(String),
    /// A number, in the units of the targets.
    Number(f64),
}

/// Why a text is no model, or does not go with data.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// Not the JSON of a model.
    #[error("not a model: {0}")]
    Json(#[from] serde_json::Error),
    /// Another layout.
    #[error("schema `{0}`, expected `{SCHEMA}`")]
    Schema(String),
    /// Lists that do not go together.
    #[error("{found} {what}, expected {expected}: one for each coefficient")]
    Count {
        /// What is listed.
        what: &'static str,
        /// How many there are.
        found: usize,
        /// How many coefficients there are.
        expected: usize,
    },
    /// A range upside down, or a bound that is none.
    #[error("the range [{low}, {high}] must have its lower end below the upper")]
    Range {
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// Classes without names.
    #[error("a logistic model must name its two classes, or one for each of its {models} scores")]
    Classes {
        /// Number of scores.
        models: usize,
    },
}

impl Model {
    /// What of a result is needed to use it.
    ///
    /// ```
    /// use dp_assay::prelude::*;
    /// use dp_assay::solver::fit::{Method, Model, Prediction};
    ///
    /// let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
    /// let data = Dataset::breast_cancer();
    /// let fitted = fit(data.clone(), &Request::new(Method::Gd, LossName::Logistic, budget))?;
    /// let model = Model::of(&fitted, data.classes().map(<[String]>::to_vec), None)?;
    /// let again = Model::from_json(&serde_json::to_string(&model)?)?;
    /// assert_eq!(again, model);
    /// let predicted = again.predictions(data.design());
    /// assert!(predicted.iter().all(|p| matches!(&p.0, Prediction::Class(c) if c == "benign" || c == "malignant")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a number cannot be written as JSON.
    pub fn of(
        fitted: &Fitted,
        classes: Option<Vec<String>>,
        label: Option<String>,
    ) -> Result<Self, ModelError> {
        Ok(Self {
            schema: SCHEMA.into(),
            version: env!("CARGO_PKG_VERSION").into(),
            method: fitted.request.method,
            loss: fitted.request.loss,
            names: fitted.names.clone(),
            label,
            classes,
            coefficients: fitted.coefficients.clone(),
            intercept: fitted.intercept,
            others: fitted.others.clone(),
            columns: None,
            preprocessing: Preprocessing::of(&fitted.request),
            privacy: serde_json::to_value(&fitted.privacy)?,
            warnings: fitted.warnings.clone(),
        })
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If it is none, or its parts do not go together.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let model: Self = from_json(text.as_bytes())?;
        if model.schema != SCHEMA {
            return Err(ModelError::Schema(model.schema));
        }
        let expected = model.coefficients.len();
        let lists = [
            ("names", model.names.as_ref().map(Vec::len)),
            ("ranges", model.preprocessing.ranges.as_ref().map(Vec::len)),
        ];
        for (what, found) in lists {
            if let Some(found) = found.filter(|found| *found != expected) {
                return Err(ModelError::Count {
                    what,
                    found,
                    expected,
                });
            }
        }
        let bound = model.preprocessing.bound;
        let ranges = model.preprocessing.ranges.iter().flatten().copied();
        for (low, high) in ranges.chain([(-bound, bound)]) {
            if low.partial_cmp(&high) != Some(std::cmp::Ordering::Less) {
                return Err(ModelError::Range { low, high });
            }
        }
        if let Some(other) = model
            .others
            .iter()
            .find(|w| w.coefficients.len() != expected)
        {
            let (what, found) = ("weights of a class", other.coefficients.len());
            return Err(ModelError::Count {
                what,
                found,
                expected,
            });
        }
        let models = model.others.len() + 1;
        let named = model.classes.as_ref().map_or(0, Vec::len);
        if model.loss == LossName::Logistic && named != models.max(2) {
            return Err(ModelError::Classes { models });
        }
        Ok(model)
    }

    /// What is predicted for every record, with its score: of several classes the largest.
    ///
    /// # Panics
    /// If there are not as many features as coefficients.
    #[must_use]
    pub fn predictions(&self, design: &Design) -> Vec<(Prediction, f64)> {
        let of = |w: &[f64], b: f64| self.preprocessing.scores(design, w, b);
        let others = self.others.iter();
        let others = others.map(|other| of(&other.coefficients, other.intercept));
        let mut scores = vec![of(&self.coefficients, self.intercept)];
        scores.extend(others);
        (0..design.rows())
            .map(|i| self.prediction(scores.iter().map(|of| of[i])))
            .collect()
    }

    fn prediction(&self, scores: impl Iterator<Item = f64> + Clone) -> (Prediction, f64) {
        let k = largest(scores.clone());
        let score = scores.clone().nth(k).unwrap_or(f64::NAN);
        let predicted = match (self.classes.as_deref(), &self.others[..]) {
            (None, _) => Prediction::Number(score),
            (Some(names), []) => Prediction::Class(names[usize::from(class(score) > 0.0)].clone()),
            (Some(names), _) => Prediction::Class(names[k].clone()),
        };
        (predicted, score)
    }
}
