//! Why an accountant refuses.

use crate::units::{Neighbouring, UnitError};

/// An accounting question that has no answer, or none that would be safe to give.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum AccountError {
    /// A number outside the domain of its quantity.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A parameter outside its domain.
    #[error("{name} = {value} {rule}")]
    Domain {
        /// The parameter.
        name: &'static str,
        /// The value offered.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// No theorem is known here for this mechanism under this relation.
    #[error("{mechanism} has no {notion} guarantee under {neighbours} neighbours{why}")]
    Unsupported {
        /// The mechanism.
        mechanism: String,
        /// The notion asked for.
        notion: &'static str,
        /// The relation asked for.
        neighbours: Neighbouring,
        /// ": " and the reason, or nothing.
        why: &'static str,
    },
    /// What an accountant makes of this mechanism rests on no claim of the ledger.
    #[error(
        "{mechanism} under {neighbours} neighbours: no claim of the ledger carries a guarantee"
    )]
    Unclaimed {
        /// The mechanism, with its sampling.
        mechanism: String,
        /// The relation asked for.
        neighbours: Neighbouring,
    },
    /// Every finite ε leaves more than the asked δ, or may, as far as is known.
    #[error("no finite epsilon is known: delta must exceed {}, got {}", power(*floor), power(*delta))]
    NoFiniteEpsilon {
        /// The δ asked for.
        delta: f64,
        /// An upper bound on the mass of infinite privacy loss (0: δ must be positive).
        floor: f64,
    },
    /// What two accountants say cannot both be true: a defect here, never a property of the mechanism.
    #[error(
        "{below} needs an epsilon of at least {lower}, but {above} takes {upper} for enough: one \
            of them is wrong, which is a defect of this program"
    )]
    Contradiction {
        /// The lower end.
        lower: f64,
        /// Who says so.
        below: &'static str,
        /// The upper end, which is smaller.
        upper: f64,
        /// Who says so.
        above: &'static str,
    },
    /// No value of the parameter reaches the target.
    #[error("no {parameter} in [{lo:e}, {hi:e}] gives epsilon {epsilon} at delta {delta:e}")]
    Infeasible {
        /// What was searched for.
        parameter: &'static str,
        /// Smallest value considered.
        lo: f64,
        /// Largest value considered.
        hi: f64,
        /// Target ε.
        epsilon: f64,
        /// Target δ.
        delta: f64,
    },
    /// The computation would exceed its memory or time limit.
    #[error("{what} needs {needed:e} {unit}, more than {limit:e}")]
    TooCostly {
        /// The computation.
        what: &'static str,
        /// Its demand.
        needed: f64,
        /// The limit.
        limit: f64,
        /// Unit of both.
        unit: &'static str,
    },
    /// The step would overspend the budget; nothing was spent.
    #[error("a step of {quantity} = {asked} exceeds the remaining budget {remaining}")]
    Overspent {
        /// What is counted.
        quantity: &'static str,
        /// What the step costs.
        asked: f64,
        /// What is left, rounded down.
        remaining: f64,
    },
    /// The certified oracle has no answer.
    #[error("certified oracle: {0}")]
    Oracle(String),
    /// An event tree that does not parse or nests too deeply.
    #[error("event tree: {0}")]
    Event(String),
}

/// A number as a power of ten times few digits, and 0 as it is.
fn power(value: f64) -> String {
    match value {
        0.0 => "0".to_owned(),
        value => format!("{value:e}"),
    }
}

impl AccountError {
    /// Refuses an upper end on ε that leaves the range of doubles, above 10³⁰⁸: no infinite one is given out.
    pub(crate) fn in_range(epsilon: f64) -> Result<(), Self> {
        let rule = "is beyond the range of numbers: no finite upper bound on it is known here";
        Self::check(epsilon.is_finite(), "epsilon", epsilon, rule)
    }

    /// `Ok` if the lower end, with the name of its accountant, is not above the upper one.
    ///
    /// ```
    /// use dp_assay::accounting::AccountError;
    ///
    /// assert!(AccountError::in_order((1.0, "an attack"), (1.0, "rdp")).is_ok());
    /// let apart = AccountError::in_order((1.1, "an attack"), (1.0, "rdp"));
    /// assert!(apart.is_err_and(|e| e.to_string().starts_with("an attack needs an epsilon of at least 1.1, but rdp")));
    /// ```
    ///
    /// # Errors
    /// [`Self::Contradiction`] otherwise, or where an end is no number.
    pub fn in_order(
        (lower, below): (f64, &'static str),
        (upper, above): (f64, &'static str),
    ) -> Result<(), Self> {
        if lower <= upper {
            return Ok(());
        }
        Err(Self::Contradiction {
            lower,
            below,
            upper,
            above,
        })
    }

    /// `Ok` if `ok`, else the rule that `value` breaks.
    pub(crate) fn check(
        ok: bool,
        name: &'static str,
        value: f64,
        rule: &'static str,
    ) -> Result<(), Self> {
        if ok {
            Ok(())
        } else {
            Err(Self::Domain { name, value, rule })
        }
    }
}

#[cfg(feature = "certify")]
impl From<dp_assay_spec::privacy::PrivacyError> for AccountError {
    fn from(error: dp_assay_spec::privacy::PrivacyError) -> Self {
        Self::Oracle(error.to_string())
    }
}
