//! The plan of a campaign; the format is `spec/formats/campaign.md`.
//!
//! ```
//! use dp_assay::audit::campaign::plan::Plan;
//!
//! let text = r#"
//!     schema = "dp-assay/plan/1"
//!     seed = 7
//!     alpha = 1e-6
//!     [[audit]]
//!     name = "laplace"
//!     mechanism = "laplace"
//!     claim = { epsilon = 1.0, delta = 0.0 }
//!     pairs = 20_000
//! "#;
//! let plan = Plan::parse(text)?;
//! assert_eq!(plan.share(), 1e-6); // of the error, for its only audit
//! let audit = &plan.audits[0];
//! assert_eq!((audit.chunks(), audit.explore()), (5, 2000));
//! assert_eq!(Plan::parse(&text.replace("20_000", "2e4"))?, plan);
//! assert!(Plan::parse(&text.replace("20_000", "0.5")).is_err());
//! assert!(Plan::parse(&text.replace("plan/1", "plan/0")).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::audit::Guarantee;
use crate::audit::value::identity;
use crate::float::{VANISHES, vanishing};
use crate::units::{Neighbouring, UnitError};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

/// Version of the plan's format.
pub const SCHEMA: &str = "dp-assay/plan/1";

/// Counted pairs in one chunk: the unit of work that is never half-recorded.
pub const CHUNK: u64 = 4096;

/// A list of audits with a common error budget.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Always [`SCHEMA`].
    pub schema: String,
    /// Every random choice follows from it.
    pub seed: u64,
    /// Probability that the whole campaign accuses anything wrongly.
    #[serde(default = "suite_alpha")]
    pub alpha: f64,
    /// The audits, in the order of the file.
    #[serde(rename = "audit")]
    pub audits: Vec<Entry>,
}

/// One audit of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Unique in the plan.
    pub name: String,
    /// A built-in mechanism …
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mechanism: Option<String>,
    /// … with its parameters, …
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, f64>,
    /// … or a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub external: Option<Program>,
    /// What is claimed of it.
    pub claim: Guarantee,
    /// The relation between the two inputs, as stated by the author of the plan.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub neighbours: Option<Neighbouring>,
    /// Counted pairs.
    #[serde(deserialize_with = "whole")]
    pub pairs: u64,
    /// Pairs that only choose the events; by default a tenth of `pairs`.
    #[serde(
        default,
        deserialize_with = "maybe_whole",
        skip_serializing_if = "Option::is_none"
    )]
    pub explore: Option<u64>,
    /// The ε that a pass must be able to see; by default as for [`Audit`](crate::audit::Audit::must_see).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub must_see: Option<f64>,
}

/// A program under audit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Program {
    /// The command, split at white space.
    pub command: String,
    /// File with the first input.
    pub input0: PathBuf,
    /// File with its neighbour.
    pub input1: PathBuf,
    /// Time allowed for one answer.
    #[serde(default = "patience")]
    pub timeout_seconds: u64,
    /// What the files hold, as a number that other contents almost surely do not have; found when the plan is read with its files, so
    /// that a store keeps to one pair of inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<String>,
}

impl Program {
    /// States what the files hold.
    pub fn set_contents(&mut self, inputs: &[String; 2]) {
        let [first, second] = inputs.each_ref().map(|text| identity(text));
        self.contents = Some(format!("{first:016x}{second:016x}"));
    }
}

/// A whole number, which TOML also writes as `1e4`.
fn whole<'de, D: Deserializer<'de>>(reader: D) -> Result<u64, D::Error> {
    // Below it every whole number is a double.
    const EXACT: f64 = 9_007_199_254_740_992.0;
    match Number::deserialize(reader)? {
        Number::Whole(value) => Ok(value),
        Number::Real(x) if x.fract() == 0.0 && (0.0..EXACT).contains(&x) => Ok(x as u64),
        Number::Real(x) => {
            let rule = format!("{x} is no whole number from 0 up to 2^53");
            Err(D::Error::custom(rule))
        }
    }
}

fn maybe_whole<'de, D: Deserializer<'de>>(reader: D) -> Result<Option<u64>, D::Error> {
    whole(reader).map(Some)
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a whole number of pairs is needed")]
enum Number {
    Whole(u64),
    Real(f64),
}

fn suite_alpha() -> f64 {
    1e-6
}

fn patience() -> u64 {
    60
}

/// What is wrong with a plan.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PlanError {
    /// The text is not TOML, or not of the plan's form.
    #[error("not a plan: {0}")]
    Form(String),
    /// Another format.
    #[error("schema is `{0}`, not `{SCHEMA}`")]
    Schema(String),
    /// The error budget is no probability.
    #[error("alpha = {0} must lie strictly between 0 and 1")]
    Alpha(f64),
    /// There is nothing to do.
    #[error("the plan has no [[audit]]")]
    Empty,
    /// Two audits cannot be told apart.
    #[error("two audits are named `{0}`")]
    Twice(String),
    /// Neither or both of `mechanism` and `external`.
    #[error("audit `{0}` must have either `mechanism` or `external`")]
    Subject(String),
    /// A program's relation must be said.
    #[error("audit `{0}` is of a program: say `neighbours`")]
    Neighbours(String),
    /// Parameters are those of built-in mechanisms.
    #[error("audit `{0}` is of a program, which takes no `parameters`")]
    Parameters(String),
    /// No pairs, or more than can be counted exactly.
    #[error("audit `{name}`: {key} = {value} must lie between 1 and 2^32")]
    Pairs {
        /// The audit.
        name: String,
        /// `pairs` or `explore`.
        key: &'static str,
        /// What the plan says.
        value: u64,
    },
    /// A pass that would see no more than the claim.
    #[error("audit `{name}`: must_see = {value} must exceed the epsilon claimed")]
    MustSee {
        /// The audit.
        name: String,
        /// What the plan says.
        value: f64,
    },
    /// A claim outside its domain.
    #[error("audit `{name}`: {error}")]
    Claim {
        /// The audit.
        name: String,
        /// The rule.
        error: UnitError,
    },
}

impl Plan {
    /// Reads and checks a plan.
    ///
    /// # Errors
    /// Names the first thing that is wrong.
    pub fn parse(text: &str) -> Result<Self, PlanError> {
        // Comments end lines.
        let mut lines = text
            .lines()
            .map(|line| line.split('#').next().unwrap_or(line));
        if let Some(number) = lines.find_map(|line| vanishing(line.as_bytes())) {
            return Err(PlanError::Form(format!("`{number}` is {VANISHES}")));
        }
        let plan: Self =
            toml::from_str(text).map_err(|e| PlanError::Form(e.to_string().trim_end().into()))?;
        plan.check()?;
        Ok(plan)
    }

    fn check(&self) -> Result<(), PlanError> {
        if self.schema != SCHEMA {
            return Err(PlanError::Schema(self.schema.clone()));
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err(PlanError::Alpha(self.alpha));
        }
        if self.audits.is_empty() {
            return Err(PlanError::Empty);
        }
        let mut names = HashSet::new();
        for entry in &self.audits {
            if !names.insert(&entry.name) {
                return Err(PlanError::Twice(entry.name.clone()));
            }
            entry.check()?;
        }
        Ok(())
    }

    /// Each audit's share of the error budget.
    #[must_use]
    pub fn share(&self) -> f64 {
        self.alpha / self.audits.len() as f64
    }
}

impl Entry {
    fn check(&self) -> Result<(), PlanError> {
        let name = || self.name.clone();
        if self.mechanism.is_some() == self.external.is_some() {
            return Err(PlanError::Subject(name()));
        }
        if self.external.is_some() && self.neighbours.is_none() {
            return Err(PlanError::Neighbours(name()));
        }
        if self.external.is_some() && !self.parameters.is_empty() {
            return Err(PlanError::Parameters(name()));
        }
        for (key, value) in [("pairs", self.pairs), ("explore", self.explore())] {
            if !(1..=1 << 32).contains(&value) {
                return Err(PlanError::Pairs {
                    name: name(),
                    key,
                    value,
                });
            }
        }
        let claimed = self.claim.epsilon.get();
        if let Some(value) = self.must_see.filter(|x| !(x.is_finite() && *x > claimed)) {
            let name = name();
            return Err(PlanError::MustSee { name, value });
        }
        Guarantee::new(self.claim.epsilon.get(), self.claim.delta.get()).map_err(|error| {
            PlanError::Claim {
                name: name(),
                error,
            }
        })?;
        Ok(())
    }

    /// Pairs that only choose the events.
    #[must_use]
    pub fn explore(&self) -> u64 {
        self.explore.unwrap_or((self.pairs / 10).max(1))
    }

    /// Number of chunks.
    #[must_use]
    pub const fn chunks(&self) -> u64 {
        self.pairs.div_ceil(CHUNK)
    }
}

#[cfg(test)]
mod tests;
