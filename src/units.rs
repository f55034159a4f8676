//! Quantities with their units, shared with the specification (see [`dp_assay_spec::units`]).
//!
//! ```
//! use dp_assay::units::{Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, Variance};
//!
//! let epsilon = Epsilon::new(1.5)?; // nats
//! assert_eq!(epsilon.get(), 1.5);
//! // δ lies in [0, 1]; noise has a positive size; ρ and a sensitivity may be 0.
//! assert!(Delta::new(2.0).is_err());
//! assert!(StdDev::new(0.0).is_err() && Variance::new(0.0).is_err() && Scale::new(0.0).is_err());
//! assert!(Rho::new(0.0).is_ok() && Sensitivity::new(0.0).is_ok());
//! assert_eq!("add-remove".parse::<Neighbouring>()?, Neighbouring::AddRemove);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub use dp_assay_spec::units::{
    Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev, UnitError, Variance,
};

/// A number outside its domain.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
#[error("{name} = {value} must be {rule}")]
pub struct OutOfDomain {
    /// What it is.
    pub name: &'static str,
    /// The number.
    pub value: f64,
    /// The rule.
    pub rule: &'static str,
}

impl OutOfDomain {
    /// The error, unless the number fits.
    pub(crate) fn unless(
        fits: bool,
        name: &'static str,
        value: f64,
        rule: &'static str,
    ) -> Result<(), Self> {
        match fits {
            true => Ok(()),
            false => Err(Self { name, value, rule }),
        }
    }
}

/// Whether a number is finite and positive.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), OutOfDomain> {
    let fits = value.is_finite() && value > 0.0;
    OutOfDomain::unless(fits, name, value, "finite and > 0")
}

/// Whether a number can bound features: of those beyond the powers in smoothness constants and noise are no doubles.
pub(crate) fn feature_bound(value: f64) -> Result<(), OutOfDomain> {
    let fits = (1e-75..=1e75).contains(&value);
    OutOfDomain::unless(fits, "bound", value, "in [1e-75, 1e75]")
}

/// Whether a number lies strictly between 0 and 1.
pub(crate) fn fraction(name: &'static str, value: f64) -> Result<(), OutOfDomain> {
    let fits = value > 0.0 && value < 1.0;
    OutOfDomain::unless(fits, name, value, "strictly between 0 and 1")
}

/// A lower bound with so many decimals, rounded down.
///
/// ```
/// use dp_assay::units::{at_least, at_most};
///
/// assert_eq!([at_least(0.88449, 3), at_most(0.88441, 3)], ["0.884", "0.885"]);
/// assert_eq!([at_least(1.25, 2), at_most(1.25, 2)], ["1.25", "1.25"]);
/// assert_eq!([at_least(0.0, 1), at_most(f64::INFINITY, 1)], ["0.0", "inf"]);
/// ```
#[must_use]
pub fn at_least(bound: f64, decimals: usize) -> String {
    directed(bound, decimals, -1.0)
}

/// An upper bound with so many decimals, rounded up; see [`at_least`].
#[must_use]
pub fn at_most(bound: f64, decimals: usize) -> String {
    directed(bound, decimals, 1.0)
}

/// What follows on a number that has to be positive: that it has a limit, if it has one.
pub(crate) fn limited(limit: &f64) -> String {
    match limit.is_finite() {
        true => format!(" and at most {limit}"),
        false => String::new(),
    }
}

/// The nearest number of so many decimals, or the next one in the direction of `sign` where that lies on the other side.
fn directed(bound: f64, decimals: usize, sign: f64) -> String {
    let text = format!("{bound:.decimals$}");
    match text.parse::<f64>() {
        Ok(shown) if sign * shown < sign * bound => {
            let unit = 10_f64.powi(-i32::try_from(decimals).unwrap_or(i32::MAX));
            format!("{:.decimals$}", shown + sign * unit)
        }
        _ => text,
    }
}
