//! Private non-convex optimisation under the KL condition: KL Spider (Algorithm 1), the private proximal point
//! method (Algorithm 2), adaptive noisy gradient descent (Algorithm 3) with the selection of an iterate
//! (Theorem 5), and noisy gradient descent for regularised losses (Algorithm 4).
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@reference`] | the algorithms line by line, for any [`Risk`](crate::problem::risk::Risk) |
//! | [`schedule`] | K, Φ̂_k, T_k and the noise scales of Algorithm 1, known before the data are touched |
//! | [`meter`] | what every release costs, and the filter that refuses the one that would overspend |
//!
//! Protected is the sequence of [`Release`]s; points are functions of it. Neighbours: one of n records is
//! replaced, or set to zero ([`Neighbouring`]).

pub mod meter;
pub mod reference;
pub mod schedule;

pub use meter::{Meter, MeterError};
pub use schedule::{Schedule, ScheduleError, Spider};

use crate::units::{Neighbouring, Rho};

/// As printed, or as the ledger proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Scales, stopping rules and charges as printed. What is spent is counted and may exceed ρ.
    Printed,
    /// Repaired scales and rules; the filter admits no release that would exceed ρ. The default.
    Repaired,
}

/// What an algorithm releases, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Release<'a> {
    /// A noisy gradient: Algorithm 1's ∇_{k,0}, ∇_t of Algorithm 3, a step of Algorithm 4. d entries.
    Gradient(&'a [f64]),
    /// A noisy difference of gradients, Δ_{k,t+1} of Algorithm 1. d entries.
    Difference(&'a [f64]),
    /// A noisy norm, N_t of Algorithm 3.
    Norm(f64),
    /// The index t* of the selected iterate.
    Selected(usize),
}

/// What a run gives.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The returned point, d entries.
    pub point: Vec<f64>,
    /// All iterates of Algorithm 3, w_0 … w_T; empty for the other algorithms.
    pub iterates: Vec<Vec<f64>>,
    /// ρ spent, rounded up.
    pub spent_upper: f64,
    /// Number of releases.
    pub releases: u64,
    /// Whether the filter ended the run before its own rule did.
    pub cut: bool,
}

/// Why a run stopped without a point. Nothing is released after it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// An input outside its domain.
    #[error("{name} = {value} must be {rule}")]
    Value {
        /// The input.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The rule.
        rule: &'static str,
    },
    /// The schedule of Algorithm 1 does not exist.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// No sensitivity is known for the relation, or a cost is no number.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// A start of the wrong length or with an entry that is no number.
    #[error(
        "the start has {found} entries of which {finite} are finite; the risk has dimension {expected}"
    )]
    Start {
        /// Its length.
        found: usize,
        /// Number of finite entries.
        finite: usize,
        /// d.
        expected: usize,
    },
    /// A record's gradient exceeds the Lipschitz constant on which all noise rests.
    #[error("step {step}: record {record} has a gradient of norm {norm}, above L_0 = {lipschitz}")]
    Lipschitz {
        /// The gradient's number, counted from 0.
        step: u64,
        /// The record, counted from 0.
        record: usize,
        /// Its norm.
        norm: f64,
        /// L_0.
        lipschitz: f64,
    },
    /// A number left the range of doubles.
    #[error("step {step}: the iterate is not finite")]
    Diverged {
        /// The step.
        step: u64,
    },
}

/// The budget and the relation under which it is spent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Budget {
    /// ρ > 0.
    pub rho: Rho,
    /// Replace-one or zero-out.
    pub neighbours: Neighbouring,
    /// Printed or repaired.
    pub variant: Variant,
}
