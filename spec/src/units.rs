//! Quantities with their units, in which a caller's numbers come in.
//!
//! These are plain newtypes without arithmetic. The checked constructors are the one place where such a number is
//! judged, so that an error names the value and the rule it breaks. Behind them formulas take and return plain `f64`
//! (what a step releases, bounds, ratios), whose units their documentation names.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Why a number is not a value of the quantity asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnitError {
    /// The quantity, e.g. `epsilon`.
    pub quantity: &'static str,
    /// The value offered.
    pub value: f64,
    /// The rule it breaks, e.g. `must be finite and > 0`.
    pub rule: &'static str,
}

impl fmt::Display for UnitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {} {}", self.quantity, self.value, self.rule)
    }
}

impl std::error::Error for UnitError {}

macro_rules! quantity {
    ($(#[$doc:meta])* $name:ident, $label:literal, $ok:expr, $rule:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            /// Checks the value.
            ///
            /// # Errors
            /// Names the value and the rule when the value is outside the quantity's domain.
            pub fn new(value: f64) -> Result<Self, UnitError> {
                let ok: fn(f64) -> bool = $ok;
                if ok(value) {
                    Ok(Self(value))
                } else {
                    Err(UnitError { quantity: $label, value, rule: $rule })
                }
            }

            /// The value as a plain number.
            #[must_use]
            pub const fn get(self) -> f64 {
                self.0
            }
        }

        impl TryFrom<f64> for $name {
            type Error = UnitError;
            fn try_from(value: f64) -> Result<Self, UnitError> {
                Self::new(value)
            }
        }

        impl From<$name> for f64 {
            fn from(quantity: $name) -> f64 {
                quantity.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.0, f)
            }
        }
    };
}

quantity!(
    /// Privacy parameter ε ≥ 0, in nats.
    Epsilon, "epsilon", |x| x.is_finite() && x >= 0.0, "must be finite and >= 0"
);
quantity!(
    /// Privacy parameter δ in \[0, 1\].
    Delta, "delta", |x| (0.0..=1.0).contains(&x), "must lie in [0, 1]"
);
quantity!(
    /// Zero-concentrated privacy parameter ρ ≥ 0, in nats.
    Rho, "rho", |x| x.is_finite() && x >= 0.0, "must be finite and >= 0"
);
quantity!(
    /// Standard deviation of a noise variable, > 0, in the units of the noised quantity.
    StdDev, "standard deviation", |x| x.is_finite() && x > 0.0, "must be finite and > 0"
);
quantity!(
    /// Variance of a noise variable, > 0, in squared units of the noised quantity.
    Variance, "variance", |x| x.is_finite() && x > 0.0, "must be finite and > 0"
);
quantity!(
    /// Scale b of a Laplace variable with density exp(−|x|/b)/(2b), > 0.
    Scale, "Laplace scale", |x| x.is_finite() && x > 0.0, "must be finite and > 0"
);
quantity!(
    /// Largest distance between the noised quantity's values on two neighbours, ≥ 0.
    Sensitivity, "sensitivity", |x| x.is_finite() && x >= 0.0, "must be finite and >= 0"
);

/// When two datasets count as neighbours. Part of every claim, accountant and result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Neighbouring {
    /// One record is added or removed; the sizes differ by one.
    AddRemove,
    /// One record is replaced by another; the size n is fixed and public.
    ReplaceOne,
    /// One record is replaced by a record that contributes nothing; n is fixed and public.
    ZeroOut,
    /// All records of one user are replaced.
    User,
}

impl Neighbouring {
    /// All relations, in the order in which they are documented.
    pub const ALL: [Self; 4] = [Self::AddRemove, Self::ReplaceOne, Self::ZeroOut, Self::User];

    /// The spelling used in flags and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AddRemove => "add-remove",
            Self::ReplaceOne => "replace-one",
            Self::ZeroOut => "zero-out",
            Self::User => "user",
        }
    }
}

impl fmt::Display for Neighbouring {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::str::FromStr for Neighbouring {
    type Err = String;
    fn from_str(s: &str) -> Result<Self, String> {
        Self::ALL
            .into_iter()
            .find(|r| r.name() == s)
            .ok_or_else(|| {
                format!(
                    "neighbouring relation `{s}` is not one of add-remove, replace-one, zero-out, \
                user"
                )
            })
    }
}
