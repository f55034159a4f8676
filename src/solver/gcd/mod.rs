//! DP-GCD: differentially private greedy coordinate descent (Algorithm 1) and its proximal version
//! (Algorithm 2), as printed in [`mod@reference`] and fast in [`optimized`]. Both have the same
//! signature and draw the same noise from the same [`Tape`](crate::mechanism::tape::Tape).
//!
//! Neighbours are data sets of the same size n that differ in one record. What is protected is the
//! whole [`Run::transcript`], of which the final iterate is a function (gcd-foot-2). Everything else
//! in a [`Run`] looks at the data without protection and is for verification only.
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::four_points;
//! use dp_assay::solver::gcd::{self, Config, LaplaceScales};
//!
//! let problem = four_points();
//!
//! let config = Config::new(&problem, 3, LaplaceScales::none(2)); // no noise: not private
//! let run = gcd::optimized::run(&problem, &config, Tape::new(1))?;
//! assert_eq!(run.transcript.len(), 3);
//! assert!(problem.objective(&run.iterate) < problem.objective(&config.start));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod account;
mod calibration;
mod config;
mod scales;

#[doc(hidden)] // for those who compare the two solvers: tests, fuzz targets, `check`
pub mod bound;
pub mod optimized;
pub mod reference;
pub mod theorem;

pub use calibration::{Calibration, PerAccess, SelectionScale, per_access_epsilon, sensitivities};
pub use config::{Config, Orientation, Rule, SelectionNoise};
pub use scales::{CalibrationError, LaplaceScales};

use crate::solver::ConfigError;

/// What one step releases: the noisy partial derivative it moves by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyPartial {
    /// The chosen coordinate j_t, counted from 0.
    pub coordinate: usize,
    /// The noisy partial derivative v_t = g_{j_t} + η_t.
    pub value: f64,
}

/// What a solver returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The released pairs (j_t, v_t), t = 0 … T − 1.
    pub transcript: Vec<NoisyPartial>,
    /// The final iterate w^T, p entries.
    pub iterate: Vec<f64>,
    /// Best score less second best at every step; infinite for p = 1. **Not private.**
    pub gaps: Vec<f64>,
    /// Work done. **Not private.**
    pub counters: Counters,
}

/// Work done by a run (gcd-cost).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Steps taken, T.
    pub iterations: u64,
    /// Noisy answers about the data: one selection and one release per step.
    pub accesses: u64,
    /// Addresses of the tape read: T(p + 1), or T when the selection has no noise.
    pub draws: u64,
    /// Gradients computed from all stored entries of X.
    pub full_gradients: u64,
    /// Stored entries of X read for gradients and margins.
    pub entries_read: u64,
    /// Columns of XᵀX/n computed.
    pub gram_columns: u64,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The configuration does not fit the problem.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A number left the range of doubles.
    #[error(
        "step {step}: a score, the release or the new iterate is not finite (coordinate \
         {coordinate}); shorten the steps"
    )]
    Diverged {
        /// The step t.
        step: usize,
        /// The coordinate at fault.
        coordinate: usize,
    },
}
