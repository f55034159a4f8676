//! A fitted model that can be kept and used: `spec/formats/fit.md`.

use super::{Fitted, LossName, Method, Preprocessing, class};
use crate::problem::Design;
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
    /// Names of the classes of scores ≤ 0 and > 0, for the logistic loss.
    pub classes: Option<[String; 2]>,
    /// One weight for each feature.
    pub coefficients: Vec<f64>,
    /// What is added to every score.
    pub intercept: f64,
    /// What is done to a record first.
    pub preprocessing: Preprocessing,
    /// The guarantee as in the result of `fit`: ε, δ, relation, claim, and the event tree that is accounted for.
    pub privacy: serde_json::Value,
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
    #[error("a logistic model must name its two classes")]
    Classes,
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
    /// let model = Model::of(&fitted, data.classes().cloned(), None)?;
    /// let again = Model::from_json(&serde_json::to_string(&model)?)?;
    /// assert_eq!(again, model);
    /// let predicted = again.predictions(&again.scores(data.design()));
    /// assert!(predicted.iter().all(|p| matches!(p, Prediction::Class(c) if c == "benign" || c == "malignant")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a number cannot be written as JSON.
    pub fn of(
        fitted: &Fitted,
        classes: Option<[String; 2]>,
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
            preprocessing: Preprocessing::of(&fitted.request),
            privacy: serde_json::to_value(&fitted.privacy)?,
        })
    }

    /// Reads a model.
    ///
    /// # Errors
    /// If it is none, or its parts do not go together.
    pub fn from_json(text: &str) -> Result<Self, ModelError> {
        let model: Self = serde_json::from_str(text)?;
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
        if model.loss == LossName::Logistic && model.classes.is_none() {
            return Err(ModelError::Classes);
        }
        Ok(model)
    }

    /// The score of every record.
    ///
    /// # Panics
    /// If there are not as many features as coefficients.
    #[must_use]
    pub fn scores(&self, design: &Design) -> Vec<f64> {
        self.preprocessing
            .scores(design, &self.coefficients, self.intercept)
    }

    /// What is predicted at these scores.
    #[must_use]
    pub fn predictions(&self, scores: &[f64]) -> Vec<Prediction> {
        let one = |score: &f64| match &self.classes {
            Some([low, high]) => {
                Prediction::Class(if class(*score) > 0.0 { high } else { low }.clone())
            }
            None => Prediction::Number(*score),
        };
        scores.iter().map(one).collect()
    }
}
