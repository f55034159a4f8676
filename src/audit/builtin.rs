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
mod decor;
mod gcd;
mod kl;
mod list;
mod skgd;

pub use list::{Listed, claims, list};

use crate::audit::Output;
use crate::audit::zoo::{Specimen, specimens};
use crate::mechanism::tape::Purpose;
use crate::units::{Scale, StdDev, UnitError};
use serde::Serialize;
use std::collections::BTreeMap;

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

const LAPLACE: [Parameter; 1] = [parameter("scale", 1.0, "scale b of the noise")];
const GAUSSIAN: [Parameter; 1] = [parameter("sigma", 1.0, "standard deviation of the noise")];

/// The parameters of the mechanism of this name.
fn known(name: &str) -> &'static [Parameter] {
    match name {
        "laplace" => &LAPLACE,
        "gaussian" => &GAUSSIAN,
        gcd::REFERENCE | gcd::OPTIMIZED => &gcd::PARAMETERS,
        name if skgd::NAMES.contains(&name) => &skgd::PARAMETERS,
        name if ambssgd::NAMES.contains(&name) => &ambssgd::PARAMETERS,
        name if kl::NAMES.contains(&name) => &kl::PARAMETERS,
        name if decor::NAMES.contains(&name) => &decor::PARAMETERS,
        _ => &[],
    }
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
    let own = ["laplace", "gaussian", gcd::REFERENCE, gcd::OPTIMIZED];
    let own = own.into_iter().chain(skgd::NAMES);
    let own = own
        .chain(ambssgd::NAMES)
        .chain(kl::NAMES)
        .chain(decor::NAMES);
    let zoo = specimens().into_iter().map(|specimen| specimen.name);
    own.chain(zoo).collect()
}

/// A mechanism by its name (case, `-` and `_` do not matter), with parameters in place of its
/// defaults.
///
/// # Errors
/// When there is no such mechanism or parameter, or a parameter is outside its domain.
pub fn find(name: &str, parameters: &Parameters) -> Result<Specimen, BuiltinError> {
    let key = plain(name);
    if key == "laplace" {
        laplace(Given::new("laplace", parameters)?)
    } else if key == "gaussian" {
        gaussian(Given::new("gaussian", parameters)?)
    } else if key == plain(gcd::REFERENCE) {
        gcd::specimen(Given::new(gcd::REFERENCE, parameters)?)
    } else if key == plain(gcd::OPTIMIZED) || key == "gcd" {
        gcd::specimen(Given::new(gcd::OPTIMIZED, parameters)?)
    } else if let Some(name) = ambssgd::NAMES.into_iter().find(|name| plain(name) == key) {
        ambssgd::specimen(&Given::new(name, parameters)?)
    } else if let Some(name) = kl::NAMES.into_iter().find(|name| plain(name) == key) {
        kl::specimen(&Given::new(name, parameters)?)
    } else if let Some(name) = decor::NAMES.into_iter().find(|name| plain(name) == key) {
        decor::specimen(&Given::new(name, parameters)?)
    } else if let Some(name) = skgd::NAMES.into_iter().find(|name| plain(name) == key) {
        skgd::specimen(&Given::new(name, parameters)?)
    } else {
        let mut all = specimens().into_iter();
        let found = all.find(|specimen| plain(specimen.name) == key);
        let specimen = found.ok_or_else(|| BuiltinError::Name { name: name.into() })?;
        Given::new(specimen.name, parameters)?;
        Ok(specimen)
    }
}

/// A name without case and punctuation.
fn plain(name: &str) -> String {
    let kept = name.chars().filter(|c| c.is_ascii_alphanumeric());
    kept.map(|c| c.to_ascii_lowercase()).collect()
}

/// Parameters, all of which the mechanism has.
struct Given<'a> {
    name: &'static str,
    parameters: &'a Parameters,
}

impl<'a> Given<'a> {
    fn new(name: &'static str, parameters: &'a Parameters) -> Result<Self, BuiltinError> {
        let known = known(name);
        let strange = |key: &&String| known.iter().all(|p| p.name != **key);
        match parameters.keys().find(strange) {
            Some(key) => Err(BuiltinError::Parameter {
                name: name.into(),
                parameter: key.clone(),
            }),
            None => Ok(Self { name, parameters }),
        }
    }

    /// The value given, or the default.
    fn get(&self, parameter: &str) -> f64 {
        let listed = known(self.name).iter().find(|p| p.name == parameter);
        let listed = listed.expect("a mechanism reads its own parameters only");
        (self.parameters.get(parameter).copied()).unwrap_or(listed.default)
    }
}

/// A query of sensitivity 1, answered 0 on one input and 1 on the other.
fn query() -> Vec<(Vec<f64>, Vec<f64>)> {
    vec![(vec![0.0], vec![1.0])]
}

fn laplace(given: Given<'_>) -> Result<Specimen, BuiltinError> {
    let scale = Scale::new(given.get("scale"))?.get();
    Ok(Specimen::correct(
        "laplace",
        1.0 / scale,
        query(),
        move |x, tape| Output::Real(x[0] + scale * tape.uniform(0, Purpose::Release, 0).laplace()),
    ))
}

fn gaussian(given: Given<'_>) -> Result<Specimen, BuiltinError> {
    let sigma = StdDev::new(given.get("sigma"))?.get();
    let run = move |x: &[f64], tape: crate::mechanism::tape::Tape| {
        Output::Real(x[0] + sigma * tape.uniform(0, Purpose::Release, 0).gaussian())
    };
    // Its ε depends on δ and has no bound at δ = 0.
    Ok(Specimen::correct("gaussian", f64::INFINITY, query(), run).of_gaussian_shape())
}
