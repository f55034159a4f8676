//! Private non-convex optimisation under the KL condition: KL Spider (Algorithm 1), the private proximal point
//! method (Algorithm 2), adaptive noisy gradient descent (Algorithm 3) with the selection of an iterate
//! (Theorem 5), and noisy gradient descent for regularised losses (Algorithm 4).
//!
//! | module | what is in it |
//! |---|---|
//! | [`mod@reference`] | the algorithms line by line, for any [`Risk`] |
//! | [`optimized`] | the same with one pass over the records per gradient, and nothing allocated per release |
//! | [`schedule`] | K, Φ̂_k, T_k and the noise scales of Algorithm 1, known before the data are touched |
//! | [`rules`] | lengths, noise scales and charges of Algorithms 2 to 4 |
//! | [`meter`] | what every release costs, and the filter that refuses the one that would overspend |
//! | [`bound`] | how far the two solvers may be apart on the same tape |
//! | [`fit::kl`](super::fit::kl) | a point for a data file or a built-in risk, with every choice echoed |
//!
//! Protected is the sequence of [`Observation`]s; points are functions of it. Neighbours: one of n records is
//! replaced, or set to zero ([`Neighbouring`]). Noise is on the tape by the number of the release within the run.
//!
//! Every record is held to L₀ (and, where differences are released, to L₁ times the step) before anything is
//! released that rests on it. The error that follows is itself seen by whoever sees that the run failed, which is
//! not covered by the budget: constants must hold for all data, as on records that were clipped, and
//! [`fit::kl`](super::fit::kl) refuses smaller ones. Its message names no record and no norm.
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::risk::hundred_points;
//! use dp_assay::solver::kl::{Adaptive, Budget, Variant, optimized, reference};
//! use dp_assay::units::{Neighbouring, Rho};
//!
//! let risk = hundred_points();
//! let (rho, neighbours) = (Rho::new(1.0)?, Neighbouring::ReplaceOne);
//! let budget = Budget { rho, neighbours, variant: Variant::Repaired };
//! let inputs = Adaptive { beta: 0.1, lipschitz: 5.0, smoothness: 1.0 };
//! let start = [1.5, 0.0];
//! let slow = reference::adaptive(&risk, &start, &inputs, &budget, false, Tape::new(1), &mut |_| ())?;
//! let fast = optimized::adaptive(&risk, &start, &inputs, &budget, false, Tape::new(1), &mut |_| ())?;
//! assert_eq!(slow.releases, fast.releases);
//! assert!(slow.spent_upper <= 1.0 && fast.spent_upper <= 1.0); // ρ
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[doc(hidden)] // for those who compare the two solvers: tests, fuzz targets, `check`
pub mod bound;
pub mod meter;
pub mod optimized;
pub mod reference;
pub mod rules;
pub mod schedule;
pub mod theorem;

pub use meter::{Meter, MeterError};
pub use rules::{Adaptive, AdaptiveRule, Proximal, Regularised, RegularisedRule};
pub use schedule::{Round, Schedule, ScheduleError, Spider};

use crate::problem::risk::{Excess, Limits, Risk};
use crate::problem::rows::norm;
use crate::units::{Neighbouring, OutOfDomain, Rho};

/// As printed, or as the ledger proves it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variant {
    /// Scales, stopping rules and charges as printed. What is spent is counted and may exceed ρ.
    Printed,
    /// Repaired scales and rules; the filter admits no release that would exceed ρ. The default.
    Repaired,
}

/// What an observer sees of an algorithm: its releases, in order.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Observation<'a> {
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
    /// All iterates of Algorithm 3, w_0 … w_T, one after another with d entries each; empty for the other algorithms.
    pub iterates: Vec<f64>,
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
    /// A number outside its domain.
    #[error(transparent)]
    Value(#[from] OutOfDomain),
    /// The schedule of Algorithm 1 does not exist.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// No sensitivity is known for the relation, or a cost is no number.
    #[error(transparent)]
    Meter(#[from] MeterError),
    /// A start of the wrong length or with an entry that is no number.
    #[error(
        "the start has {found} entries of which {finite} are finite; the risk has dimension \
         {expected}"
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
    #[error("step {step}: a record has a gradient above L_0 = {lipschitz}")]
    Lipschitz {
        /// The gradient's number, counted from 0.
        step: u64,
        /// The record, counted from 0. **Not private.**
        record: usize,
        /// Its norm. **Not private.**
        norm: f64,
        /// L_0.
        lipschitz: f64,
    },
    /// A start where the constants of the losses do not hold.
    #[error("the start has norm {norm}, outside the region of radius {radius}")]
    Outside {
        /// Its norm.
        norm: f64,
        /// The region's radius.
        radius: f64,
    },
    /// A record's gradient changes by more than the smoothness constant lets it.
    #[error("step {step}: a record's gradient changes by more than L_1 times the step, {most}")]
    Smoothness {
        /// The gradient's number, counted from 0.
        step: u64,
        /// The record, counted from 0. **Not private.**
        record: usize,
        /// The norm of the change. **Not private.**
        change: f64,
        /// The most allowed, roundings included.
        most: f64,
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

impl Run {
    fn of(point: Vec<f64>, iterates: Vec<f64>, meter: &Meter) -> Self {
        Self {
            point,
            iterates,
            spent_upper: meter.spent_upper(),
            releases: meter.releases(),
            cut: meter.refused(),
        }
    }
}

impl RunError {
    fn of(excess: Excess, step: u64, lipschitz: f64, limits: Limits) -> Self {
        match excess {
            Excess::Gradient { record, norm } => Self::Lipschitz {
                step,
                record,
                norm,
                lipschitz,
            },
            Excess::Change { record, norm } => Self::Smoothness {
                step,
                record,
                change: norm,
                most: limits.change,
            },
        }
    }
}

fn check_start(risk: &dyn Risk, start: &[f64]) -> Result<(), RunError> {
    let finite = start.iter().filter(|w| w.is_finite()).count();
    let (found, expected) = (start.len(), risk.dimension());
    if found != expected || finite != found {
        return Err(RunError::Start {
            found,
            finite,
            expected,
        });
    }
    let (norm, radius) = (norm(start), risk.radius());
    match norm <= radius {
        true => Ok(()),
        false => Err(RunError::Outside { norm, radius }),
    }
}

fn finite(w: &[f64], step: u64) -> Result<(), RunError> {
    match w.iter().all(|w| w.is_finite()) {
        true => Ok(()),
        false => Err(RunError::Diverged { step }),
    }
}
