//! What can go wrong when an oracle is asked.

use std::fmt;

/// Why no enclosure was returned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PrivacyError {
    /// A parameter outside its domain.
    Domain {
        /// The parameter, e.g. `sigma`.
        quantity: &'static str,
        /// The value offered, as text.
        value: String,
        /// The rule it breaks, e.g. `must be > 0`.
        rule: &'static str,
    },
    /// Two lists that must have the same length do not.
    Lengths {
        /// What the lists describe.
        what: &'static str,
        /// The lengths found.
        found: Vec<usize>,
    },
    /// No finite bound exists, or none that this oracle can prove.
    NoBound {
        /// What was asked for.
        asked: &'static str,
        /// Why there is none.
        why: String,
    },
}

impl fmt::Display for PrivacyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Domain {
                quantity,
                value,
                rule,
            } => write!(f, "{quantity} = {value} {rule}"),
            Self::Lengths { what, found } => write!(f, "{what} have different lengths {found:?}"),
            Self::NoBound { asked, why } => write!(f, "no bound for {asked}: {why}"),
        }
    }
}

impl std::error::Error for PrivacyError {}

/// Fails unless the rule holds, naming quantity, value and rule.
///
/// # Errors
/// [`PrivacyError::Domain`] when `holds` is false.
pub(crate) fn require(
    holds: bool,
    quantity: &'static str,
    value: &impl fmt::Display,
    rule: &'static str,
) -> Result<(), PrivacyError> {
    if holds {
        return Ok(());
    }
    Err(PrivacyError::Domain {
        quantity,
        value: value.to_string(),
        rule,
    })
}
