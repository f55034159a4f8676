//! What the configurations of the solvers of a [problem](crate::problem::Problem) must be, and how it is said that one is not.

/// A rule in words, and whether a number keeps it.
pub(super) type Must = (&'static str, fn(f64) -> bool);

pub(super) const FINITE: Must = ("finite", f64::is_finite);
pub(super) const POSITIVE: Must = ("finite and > 0", |x| x.is_finite() && x > 0.0);
pub(super) const NONNEGATIVE: Must = ("finite and >= 0", |x| x.is_finite() && x >= 0.0);

/// Why a configuration does not fit its problem.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum ConfigError {
    /// T = 0.
    #[error("T = 0 iterations; at least 1 is needed")]
    Iterations,
    /// K = 0 or T = 0, or K·T overflows.
    #[error(
        "K = {inner} inner and T = {outer} outer steps; both must be at least 1, and K·T below 2^48"
    )]
    Length {
        /// K.
        inner: usize,
        /// T.
        outer: usize,
    },
    /// A vector of the wrong length.
    #[error("{what}: {found} given, expected {expected}")]
    Count {
        /// The vector.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length needed.
        expected: usize,
    },
    /// An entry outside its domain.
    #[error("{what} {index} is {value}; it must be {rule}")]
    Value {
        /// The vector.
        what: &'static str,
        /// The entry's place, counted from 0.
        index: usize,
        /// The entry.
        value: f64,
        /// The rule it breaks.
        rule: &'static str,
    },
    /// A batch that is none.
    #[error("batch size {size} must lie between 1 and the number of records, {records}")]
    Batch {
        /// m.
        size: usize,
        /// n.
        records: usize,
    },
    /// One value per set for a sampling that does not list its sets.
    #[error("{0} given set by set, but the sampling does not list its sets")]
    Unlisted(&'static str),
}

/// Whether a vector has the length needed.
pub(super) fn count(what: &'static str, found: usize, expected: usize) -> Result<(), ConfigError> {
    match found == expected {
        true => Ok(()),
        false => Err(ConfigError::Count {
            what,
            found,
            expected,
        }),
    }
}

/// Whether a vector has the length needed and entries within their domain.
pub(super) fn vector(
    what: &'static str,
    entries: &[f64],
    expected: usize,
    (rule, ok): Must,
) -> Result<(), ConfigError> {
    count(what, entries.len(), expected)?;
    match entries.iter().position(|&x| !ok(x)) {
        Some(index) => Err(ConfigError::Value {
            what,
            index,
            value: entries[index],
            rule,
        }),
        None => Ok(()),
    }
}
