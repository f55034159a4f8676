//! What can be wrong with a run, with the numbers that show it.

use super::query::Address;

/// One thing that is wrong. `at` counts the announcements of a run from 0.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Violation {
    /// A noised quantity moved further than declared; not a number where a value was none.
    #[error(
        "step {at}, {label}: moves by {measured}, declared {declared} ({norm}), allowed for \
         rounding {allowance:e}"
    )]
    Sensitivity {
        /// The announcement.
        at: usize,
        /// Its label.
        label: &'static str,
        /// The norm, or the coordinate where bounds are declared for each.
        norm: String,
        /// The declared sensitivity.
        declared: f64,
        /// The distance between D and D′, rounded down.
        measured: f64,
        /// What both runs' own rounding may add, rounded up.
        allowance: f64,
    },
    /// Sensitivity, scale or law differ between D and D′.
    #[error("step {at}, {label}: {what} depends on the data: {recorded} and {replayed}")]
    Parameter {
        /// The announcement.
        at: usize,
        /// Its label.
        label: &'static str,
        /// Which parameter.
        what: &'static str,
        /// It on the recorded input.
        recorded: String,
        /// It on the other.
        replayed: String,
    },
    /// The two runs part.
    #[error("step {at}: control flow depends on the data: {recorded}, then {replayed}")]
    ControlFlow {
        /// The first announcement that differs.
        at: usize,
        /// What came on the recorded input.
        recorded: String,
        /// What came on the other.
        replayed: String,
    },
    /// A value that leaves the run without noise and differs.
    #[error("step {at}, {label}: depends on the data without noise: {recorded} and {replayed}")]
    Unnoised {
        /// The announcement, or their number for the output.
        at: usize,
        /// Its label.
        label: &'static str,
        /// It on the recorded input.
        recorded: String,
        /// It on the other.
        replayed: String,
    },
    /// One variate noises two values.
    #[error("{label}: the noise at {address:?} was used before, by {before}")]
    Reused {
        /// Label of the later use.
        label: &'static str,
        /// The variate.
        address: Address,
        /// Label of the earlier use.
        before: &'static str,
    },
    /// A scale that is not the claim's.
    #[error(
        "step {at}, {label}: scale {found} at coordinate {coordinate}, the claim has {claimed}"
    )]
    Scale {
        /// The announcement.
        at: usize,
        /// Its label.
        label: &'static str,
        /// The coordinate of the address.
        coordinate: u64,
        /// The claim's scale.
        claimed: f64,
        /// The scale used.
        found: f64,
    },
    /// A query of which the claim says nothing.
    #[error("step {at}, {label}: the claim has no scale for coordinate {coordinate}")]
    Unclaimed {
        /// The announcement.
        at: usize,
        /// Its label.
        label: &'static str,
        /// The coordinate of the address.
        coordinate: u64,
    },
    /// A program under test did not do what its recording says.
    #[error(
        "step {at}, {label}: expected {expected}, found {found}, allowed for rounding {allowance:e}"
    )]
    Mismatch {
        /// The announcement.
        at: usize,
        /// What was compared.
        label: &'static str,
        /// What follows from data and noise.
        expected: f64,
        /// What the program gave.
        found: f64,
        /// The rounding allowed for.
        allowance: f64,
    },
    /// An announcement that makes no sense.
    #[error("step {at}, {label}: {rule}")]
    Malformed {
        /// The announcement.
        at: usize,
        /// Its label.
        label: &'static str,
        /// The rule it breaks.
        rule: &'static str,
    },
}
