//! The mechanisms that the command line and campaigns know by name.
//!
//! ```
//! use dp_assay::audit::builtin::{Parameters, find, names};
//!
//! assert!(names().contains(&"laplace"));
//! let laplace = find("laplace", &Parameters::from([("scale".into(), 2.0)]))?;
//! assert_eq!(laplace.claimed, 0.5); // ε = sensitivity/scale
//! assert!(find("laplace", &Parameters::from([("sigma".into(), 2.0)])).is_err());
//! assert!(find("no such mechanism", &Parameters::new()).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod ambssgd;
mod batches;
mod decor;
mod gcd;
mod kl;
mod list;
mod simple;
mod skgd;

pub use list::{Listed, claims, list};

use crate::audit::zoo::Specimen;
use crate::units::{Delta, Epsilon, UnitError};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// Named numbers, e.g. `scale` = 1.
pub type Parameters = BTreeMap<String, f64>;

/// A number that changes a mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Its value unless given.
    pub default: f64,
    /// What it is.
    pub what: &'static str,
}

const fn parameter(name: &'static str, default: f64, what: &'static str) -> Parameter {
    Parameter {
        name,
        default,
        what,
    }
}

/// The two of every solver: the budget for which its noise is calibrated.
const BUDGET_EPSILON: &str = "ε for which the noise is calibrated";
const BUDGET_DELTA: &str = "δ for which the noise is calibrated";
/// And one that breaks it.
const NOISE: &str = "a factor on all noise";

/// A mechanism: its name, what it is, and the claims that its true ε rests on, the principal one first; none where nothing
/// bounds it. Rounding, the largest of a noisy vector and running sums are made of what is released.
struct Named(&'static str, &'static str, &'static [&'static str]);

/// Mechanisms with the same parameters.
struct Family {
    mechanisms: &'static [Named],
    parameters: &'static [Parameter],
    build: fn(&Given<'_>) -> Result<Specimen, BuiltinError>,
}

/// All that there are; a new family is a module and a line here.
const FAMILIES: &[&Family] = &[
    &simple::LAPLACE,
    &simple::GAUSSIAN,
    &batches::FIXED,
    &batches::TRUNCATED,
    &batches::ALLOCATED,
    &batches::SEPARATED,
    &batches::MATRIX,
    &gcd::FAMILY,
    &skgd::FAMILY,
    &ambssgd::FAMILY,
    &kl::FAMILY,
    &decor::FAMILY,
    &simple::ZOO,
];

/// Every mechanism with its family.
fn all() -> impl Iterator<Item = (&'static Named, &'static Family)> {
    let of = |family: &'static Family| family.mechanisms.iter().map(move |named| (named, family));
    FAMILIES.iter().copied().flat_map(of)
}

/// Why there is no such mechanism.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum BuiltinError {
    /// No mechanism has this name.
    #[error("no built-in mechanism is named `{name}`; there are {}", names().join(", "))]
    Name {
        /// The name asked for.
        name: String,
    },
    /// The mechanism has no such parameter.
    #[error("mechanism `{name}` has no parameter `{parameter}`")]
    Parameter {
        /// The mechanism.
        name: String,
        /// The parameter given.
        parameter: String,
    },
    /// A parameter is outside its domain.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A solver cannot be set up so.
    #[error("mechanism `{name}`: {reason}")]
    Setup {
        /// The mechanism.
        name: String,
        /// What does not fit.
        reason: String,
    },
}

/// The names of all built-in mechanisms.
#[must_use]
pub fn names() -> Vec<&'static str> {
    all().map(|(named, _)| named.0).collect()
}

/// A mechanism by its name (case, `-` and `_` do not matter), with parameters in place of its
/// defaults.
///
/// # Errors
/// When there is no such mechanism or parameter, or a parameter is outside its domain.
pub fn find(name: &str, parameters: &Parameters) -> Result<Specimen, BuiltinError> {
    let key = match plain(name).as_str() {
        "gcd" => plain("gcd-optimized"),
        key => key.to_owned(),
    };
    let found = all().find(|(named, _)| plain(named.0) == key);
    let (named, family) = found.ok_or_else(|| BuiltinError::Name { name: name.into() })?;
    (family.build)(&Given::new(named.0, family, parameters)?)
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_ascii_alphanumeric());
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// Parameters, all of which the mechanism has.
struct Given<'a> {
    name: &'static str,
    known: &'static [Parameter],
    parameters: &'a Parameters,
}

impl<'a> Given<'a> {
    fn new(
        name: &'static str,
        family: &Family,
        parameters: &'a Parameters,
    ) -> Result<Self, BuiltinError> {
        let known = family.parameters;
        let strange = |key: &&String| known.iter().all(|p| p.name != **key);
        match parameters.keys().find(strange) {
            Some(key) => Err(BuiltinError::Parameter {
                name: name.into(),
                parameter: key.clone(),
            }),
            None => Ok(Self {
                name,
                known,
                parameters,
            }),
        }
    }

    /// The value given, or the default.
    fn get(&self, parameter: &str) -> f64 {
        let listed = self.known.iter().find(|p| p.name == parameter);
        let listed = listed.expect("a mechanism reads its own parameters only");
        (self.parameters.get(parameter).copied()).unwrap_or(listed.default)
    }

    /// What a whole number is, within its range.
    fn whole(&self, parameter: &str, range: RangeInclusive<f64>) -> Result<usize, BuiltinError> {
        let value = self.get(parameter);
        match value.fract() == 0.0 && range.contains(&value) {
            true => Ok(value as usize),
            false => Err(self.unfit(format!(
                "{parameter} = {value} must be a whole number from {} to {}",
                range.start(),
                range.end()
            ))),
        }
    }

    /// The budget for which the noise is calibrated.
    fn budget(&self) -> Result<(Epsilon, Delta), UnitError> {
        Ok((
            Epsilon::new(self.get("epsilon"))?,
            Delta::new(self.get("delta"))?,
        ))
    }

    /// The factor on all noise.
    fn noise(&self) -> Result<f64, BuiltinError> {
        let noise = self.get("noise");
        let fits = noise.is_finite() && noise > 0.0;
        let why = || format!("noise = {noise} must be finite and > 0");
        fits.then_some(noise).ok_or_else(|| self.unfit(why()))
    }

    /// That a solver cannot be set up so.
    fn unfit(&self, reason: impl ToString) -> BuiltinError {
        BuiltinError::Setup {
            name: self.name.into(),
            reason: reason.to_string(),
        }
    }
}

#[cfg(test)]
mod tests;
