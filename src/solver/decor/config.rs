//! What Algorithm 1 is told, all of it public, and whether it fits together.

use super::{LocalLosses, Secrets};
use crate::accounting::decor::Noise;
use crate::problem::{Graph, GraphError, MixingError, MixingMatrix};
use serde::{Deserialize, Serialize};

/// The step sizes η_t > 0.
///
/// ```
/// use dp_assay::solver::decor::StepSizes;
///
/// let sizes = StepSizes::Decreasing { scale: 1.0, offset: 4.0 };
/// assert_eq!((sizes.at(0), sizes.at(4)), (0.25, 0.125));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StepSizes {
    /// η_t = η.
    Constant(f64),
    /// η_t = scale/(t + offset), as in Theorem 2 with scale 16/μ and offset cL/(μp).
    Decreasing {
        /// The numerator.
        scale: f64,
        /// What is added to t.
        offset: f64,
    },
}

impl StepSizes {
    /// η_t.
    #[must_use]
    pub fn at(&self, t: usize) -> f64 {
        match *self {
            Self::Constant(eta) => eta,
            Self::Decreasing { scale, offset } => scale / (t as f64 + offset),
        }
    }
}

/// Which gradient a user clips and noises.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sampling {
    /// That of one example, drawn uniformly anew in every step.
    OneExample,
    /// The mean over all of the user's examples.
    AllExamples,
}

/// The public parameters of a run on n users.
///
/// ```
/// use dp_assay::accounting::decor::Noise;
/// use dp_assay::problem::{Graph, MixingMatrix, Weights};
/// use dp_assay::solver::decor::{Config, LeastSquares, Sampling, Secrets, StepSizes};
///
/// let graph = Graph::ring(4)?;
/// let config = Config {
///     mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
///     graph,
///     noise: Noise::new(0.1, 1.0, 0.5)?, // σ_cdp, σ_cor and the clipping threshold
///     steps: 3,
///     step_sizes: StepSizes::Constant(0.1),
///     sampling: Sampling::AllExamples,
///     keep_transcript: true,
/// };
/// let losses = LeastSquares { scales: vec![1.0; 4], targets: vec![vec![0.2, -0.1]; 4] };
/// let (secrets, start) = (Secrets::from_seed(&config.graph, 7), [0.0; 2]);
/// assert!(config.check(&losses, &secrets, &start).is_ok());
/// assert!(config.check(&losses, &secrets, &[0.0; 3]).is_err()); // the losses have two coordinates
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Config {
    /// Who shares noise and exchanges models: n vertices, connected.
    pub graph: Graph,
    /// W, n × n.
    pub mixing: MixingMatrix,
    /// σ_cdp, σ_cor and the clipping threshold.
    pub noise: Noise,
    /// T.
    pub steps: usize,
    /// η_t.
    pub step_sizes: StepSizes,
    /// How gradients are drawn.
    pub sampling: Sampling,
    /// Whether to keep all messages, T matrices of d × n.
    pub keep_transcript: bool,
}

/// A configuration that cannot be run, and why.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SetupError {
    /// Numbers of users that differ.
    #[error("{what} for {found} users, but the graph has {users}")]
    Users {
        /// What disagrees.
        what: &'static str,
        /// Its number of users.
        found: usize,
        /// The graph's.
        users: usize,
    },
    /// A graph in pieces never agrees on a model.
    #[error("the graph is disconnected: {components} components")]
    Disconnected {
        /// Number of components.
        components: usize,
    },
    /// W gives weight to a pair that is not joined.
    #[error(transparent)]
    Mixing(#[from] MixingError),
    /// A step size that is not finite or not positive.
    #[error("step size {value} at step {step} must be finite and > 0")]
    StepSize {
        /// t.
        step: usize,
        /// η_t.
        value: f64,
    },
    /// A model of another dimension, or not finite.
    #[error("the start has {found} coordinates, must be {dimension} finite ones")]
    Start {
        /// Coordinates offered.
        found: usize,
        /// d.
        dimension: usize,
    },
    /// Neighbours without a seed of their own, for whom no noise would cancel.
    #[error("users {i} and {j} are neighbours but share no seed")]
    NoSeed {
        /// One of them.
        i: usize,
        /// The other.
        j: usize,
    },
    /// A user without data.
    #[error("user {0} has no examples")]
    NoExamples(usize),
}

impl Config {
    /// Checks the configuration against the losses, the seeds and the start x^(0), the same for all
    /// users.
    ///
    /// # Errors
    /// The first thing that does not fit.
    pub fn check(
        &self,
        losses: &dyn LocalLosses,
        secrets: &Secrets,
        start: &[f64],
    ) -> Result<(), SetupError> {
        let users = self.graph.n();
        for (what, found) in [
            ("losses", losses.users()),
            ("mixing weights", self.mixing.users()),
            ("seeds", secrets.users()),
        ] {
            if found != users {
                return Err(SetupError::Users { what, found, users });
            }
        }
        if let Err(GraphError::Disconnected { components, .. }) = self.graph.require_connected() {
            return Err(SetupError::Disconnected { components });
        }
        self.mixing.require_support(&self.graph)?;
        let alone = |&(i, j): &(usize, usize)| secrets.pair(i, j).is_none();
        if let Some((i, j)) = self.graph.edges().find(alone) {
            return Err(SetupError::NoSeed { i, j });
        }
        if let Some(user) = (0..users).find(|&i| losses.examples(i) == 0) {
            return Err(SetupError::NoExamples(user));
        }
        let dimension = losses.dimension();
        if start.len() != dimension || start.iter().any(|x| !x.is_finite()) {
            let found = start.len();
            return Err(SetupError::Start { found, dimension });
        }
        // η_t is monotone in t: both ends decide.
        for step in [0, self.steps.saturating_sub(1)] {
            let value = self.step_sizes.at(step);
            if !(value.is_finite() && value > 0.0) {
                return Err(SetupError::StepSize { step, value });
            }
        }
        Ok(())
    }
}
