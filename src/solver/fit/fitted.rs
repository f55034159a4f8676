//! A fitted model, with all that its guarantee rests on.

use super::{Bounds, Centre, Estimate, Metrics, Request, Tuning, Users, Utility};
use crate::accounting::{Claims, Event};
use crate::units::Neighbouring;
use serde::{Deserialize, Serialize};

/// Name and version of the layout of [`Fitted`] (`spec/formats/fit.md`).
pub(super) const SCHEMA: &str = "dp-assay/fit/1";

/// A fitted model.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Fitted {
    /// Name and version of this layout.
    pub schema: &'static str,
    /// What was asked, defaults included.
    pub request: Request,
    /// Number of records n.
    pub records: usize,
    /// Number of features p.
    pub features: usize,
    /// Names of the features, where the file has a header.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub names: Option<Vec<String>>,
    /// Why the method and its numbers are what they are, where a rule chose them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub defaults: Vec<String>,
    /// Why the model may be no better than a constant, and what is not private besides: what was measured on held-out
    /// records, and under add-remove neighbours n. The caller adds what the reading of the data has told.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// The released coefficients, p of them, in the units of the file.
    pub coefficients: Vec<f64>,
    /// The released intercept, in the units of the targets; 0 where the request has none and ranges make none.
    pub intercept: f64,
    /// The classes, where there are more than two: coefficients and intercept are then those that tell the first one from the
    /// rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The coefficients and intercepts that tell each class after the first from the rest.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<Weights>,
    /// What they cost.
    pub privacy: Privacy,
    /// A bound on the excess risk, with the schedule of a theorem; the practical one has no claim on utility.
    pub utility: Option<Utility>,
    /// Noisy answers in inner steps K and rounds T.
    pub lengths: (usize, usize),
    /// Whether the records were read from their file one after another, none kept.
    pub streamed: bool,
    /// Seconds that setting up, the solver and its account took; none where settings were tuned, for the time tells how many
    /// runs there were, and their number must stay hidden.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// How the users of DECOR end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub users: Option<Users>,
    /// Present only if records were held out. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub metrics: Option<Metrics>,
    /// Present only if asked for. **Not private.**
    #[serde(skip_serializing_if = "Option::is_none")]
    pub not_private: Option<Comparison>,
}

/// The weights of a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Weights {
    /// One for each feature.
    pub coefficients: Vec<f64>,
    /// What is added.
    pub intercept: f64,
}

/// The guarantee, and what it rests on.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Privacy {
    /// ε spent, as bounded by the accountant or the calibration.
    pub epsilon_upper: f64,
    /// δ.
    pub delta: f64,
    /// The relation.
    #[cfg_attr(feature = "cli", schemars(with = "String"))]
    pub neighbours: Neighbouring,
    /// What is covered: the transcript, of which the coefficients are a function.
    pub release: &'static str,
    /// The claim of the ledger on the method that the guarantee rests on.
    pub claim: &'static str,
    /// The claims that its account rests on.
    pub claims: Claims,
    /// The printed claim by which the scales were chosen, where the ledger refutes it: the guarantee does not rest on
    /// it, and is what the accountant says of the noise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted: Option<&'static str>,
    /// The accountant's theorems.
    pub theorem: String,
    /// The noise's law.
    pub noise: &'static str,
    /// Its scales: standard deviations, or Laplace scales; one per coordinate or one for all.
    pub scales: Vec<f64>,
    /// What was released, as `dp-assay account` reads it: `epsilon_upper` is what it says of it.
    pub event: Event,
    /// The private estimate of M_j that went before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimate: Option<Estimate>,
    /// The private centre of the features that went before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub centre: Option<Centre>,
    /// The private ranges that went before, if they were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<Bounds>,
    /// The private choice of settings, if it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tuning: Option<Tuning>,
}

/// A model beside the non-private optimum. **Not private.**
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// F at the coefficients.
    pub objective: f64,
    /// F at the optimum.
    pub optimum: f64,
    /// How far below that the true minimum may be; absent if there is no bound.
    pub optimum_gap_upper: Option<f64>,
    /// (objective − optimum)/|optimum|.
    pub relative_error: f64,
    /// Share of records classified correctly, for two classes.
    pub accuracy: Option<f64>,
}
