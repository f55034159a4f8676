//! DP-SkGD: differentially private random block coordinate descent (Algorithm 1), as printed in
//! [`mod@reference`] and fast in [`optimized`]. Both have the same signature and draw the same sets
//! and noise from the same [`Tape`](crate::mechanism::tape::Tape): step t·K + k reads the words
//! (step, `Sampling`, 0 …) for S and (step, `Release`, j) for η_j.
//!
//! Neighbours are data sets of the same size n that differ in one record. What is protected is the
//! whole [`Transcript`], of which w^T is a function (skgd-lem-post-processing).
//!
//! Two things are added to the paper, both named where they enter. Records' block gradients can be
//! clipped, which bounds L_U whatever the data. And a separable regulariser ψ is applied by a
//! proximal step on the coordinates of S after line 6: a function of the transcript and of public
//! numbers, so that the privacy proof is untouched; the utility theorem does not cover it.
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::four_points;
//! use dp_assay::solver::skgd::{Config, Sampling, SetValues, optimized, reference};
//!
//! let problem = four_points();
//!
//! // K·T = 2·3 steps on one random coordinate each, with noise of standard deviation 0.1.
//! let config = Config::new(&problem, (2, 3), Sampling::nice(2, 1)?, SetValues::Same(0.1));
//! let slow = reference::run(&problem, &config, Tape::new(1))?;
//! let fast = optimized::run(&problem, &config, Tape::new(1))?;
//! let sets = |run: &dp_assay::solver::skgd::Run| run.transcript.steps().map(|r| r.set.to_vec()).collect::<Vec<_>>();
//! assert_eq!(slow.transcript.len(), 6);
//! assert_eq!(sets(&slow), sets(&fast));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod calibration;
pub(in crate::solver) mod config;
mod sampling;

#[doc(hidden)] // for those who compare the two solvers: tests, fuzz targets, `check`
pub mod bound;
pub mod optimized;
pub mod reference;
pub mod theorem;

pub use calibration::{Calibration, CalibrationError, event, sensitivities};
pub use config::{Config, Reading};
pub use sampling::{Sampling, SamplingError, SetValues};

use crate::solver::ConfigError;

/// The released sequence of (S, I_S(∇f(θ) + η)), step after step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transcript {
    /// Where each step ends in the two other vectors.
    ends: Vec<usize>,
    coordinates: Vec<usize>,
    values: Vec<f64>,
}

/// What one step releases: the noisy partial derivatives it moves by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NoisyPartials<'a> {
    /// S, ascending.
    pub set: &'a [usize],
    /// The noisy partial derivatives v_j = ∇_j f + η_j, j ∈ S, in the same order.
    pub values: &'a [f64],
}

impl Transcript {
    fn with_capacity(steps: usize, entries: usize) -> Self {
        Self {
            ends: Vec::with_capacity(steps),
            coordinates: Vec::with_capacity(entries),
            values: Vec::with_capacity(entries),
        }
    }

    fn push(&mut self, set: &[usize], values: &[f64]) {
        self.coordinates.extend_from_slice(set);
        self.values.extend_from_slice(values);
        self.ends.push(self.values.len());
    }

    /// Number of steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether nothing was released or kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The steps in order.
    pub fn steps(&self) -> impl Iterator<Item = NoisyPartials<'_>> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| NoisyPartials {
            set: &self.coordinates[start..end],
            values: &self.values[start..end],
        })
    }
}

/// What a solver returns.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// K·T releases; empty if [`Config::keep_transcript`] is off.
    pub transcript: Transcript,
    /// The final release w^T, d entries.
    pub iterate: Vec<f64>,
    /// Work done. **Not private.**
    pub counters: Counters,
}

/// Work done by a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Inner steps, K·T.
    pub steps: u64,
    /// Noisy partial derivatives released, Σ|S|.
    pub released: u64,
    /// Stored entries of X read for gradients, margins and norms.
    pub entries_read: u64,
    /// Columns of XᵀX computed.
    pub gram_columns: u64,
}

/// Why a run stopped.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The configuration does not fit the problem.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A number left the range of doubles.
    #[error(
        "step {step}: a release or the new iterate is not finite (coordinate {coordinate}); \
         shorten the steps"
    )]
    Diverged {
        /// The inner step, counted from 0 through all rounds.
        step: usize,
        /// The coordinate at fault.
        coordinate: usize,
    },
}
