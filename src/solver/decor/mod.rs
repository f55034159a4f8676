//! DECOR: decentralised learning with noise that cancels between neighbours (Algorithm 1), as printed
//! in [`mod@reference`] and fast in [`optimized`]. Both have the same signature, draw the same noise
//! and return the same bits. [`network`] runs every user as a process of its own, with the same result again.
//!
//! What is protected is the [`Run::transcript`], everything that is ever sent; neighbouring data sets
//! differ in all data of one user. [`crate::accounting::decor`] says how well. Local and central
//! baselines are the same algorithm with σ_cor = 0 and the scales of
//! [`SlopeBudget::local`](crate::accounting::decor::search::SlopeBudget::local) and
//! [`SlopeBudget::central`](crate::accounting::decor::search::SlopeBudget::central).
//!
//! A step draws a variate for every pair and coordinate, |E|·d of them: n²d/2 where all talk to each other. The sums that users add
//! are not drawn at once instead, since every user's process draws its own pairs, and all runs have the same bits. Measured, 1,000
//! users of 3 features who all talk to each other: 5.2 s of processor time for 50 steps, 0.7 s for 5, so 0.2 µs for each pair and
//! step, most of it to open the pair's stream.
//!
//! ```
//! use dp_assay::accounting::decor::Noise;
//! use dp_assay::problem::{Graph, MixingMatrix, Weights};
//! use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes, optimized, reference};
//!
//! let graph = Graph::ring(4)?;
//! let config = Config {
//!     mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
//!     graph,
//!     noise: Noise::new(0.1, 1.0, 0.5)?, // σ_cdp, σ_cor and the clipping threshold
//!     steps: 3,
//!     step_sizes: StepSizes::Constant(0.1),
//!     sampling: Sampling::AllExamples,
//!     keep_transcript: true,
//! };
//! let losses = LeastSquares { scales: vec![1.0; 4], targets: vec![vec![0.2, -0.1]; 4] };
//! let (secrets, start) = (Secrets::from_seed(&config.graph, 7), [0.0; 2]);
//! let fast = optimized::run(&config, &losses, &secrets, &start)?;
//! assert_eq!(fast, reference::run(&config, &losses, &secrets, &start)?); // bit for bit
//! assert_eq!((fast.transcript.len(), fast.models.ncols()), (3, 4));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod losses;

pub mod network;
pub mod optimized;
pub mod reference;
pub mod secrets;
pub mod theorem;
pub mod user;
pub mod view;

pub use config::{Config, Sampling, SetupError, StepSizes};
pub use losses::{LeastSquares, LinearLosses, LocalLosses, Split, SplitError};
pub use secrets::Secrets;

use nalgebra::DMatrix;

/// What a run returns. Models are columns: d × n.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// The messages X^(t+1/2), t = 0 … T − 1; empty unless [`Config::keep_transcript`].
    pub transcript: Vec<DMatrix<f64>>,
    /// The final models X^(T).
    pub models: DMatrix<f64>,
    /// How many of the nT gradients were clipped. **Not private.**
    pub clipped: u64,
}

/// Why a run stopped.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum RunError {
    /// The configuration does not fit the problem.
    #[error(transparent)]
    Config(#[from] SetupError),
    /// A number left the range of doubles.
    #[error("step {step}: the message of user {user} is not finite; shorten the steps")]
    Diverged {
        /// The step t.
        step: usize,
        /// The user.
        user: usize,
    },
}
