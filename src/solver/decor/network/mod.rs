//! DECOR between processes: one for each user, joined by TCP on the loopback interface along the edges
//! of the graph. Models are those of [`super::reference`], bit for bit.
//!
//! Users agree on their seeds in the first round and then exchange nothing but their messages; a user
//! that dies or stays silent is named within the time limit. The conversation is specified in
//! `spec/formats/decor.md`. Whoever starts the processes gives each its data and collects the models;
//! it takes no part in the protocol.

mod member;
mod starter;
mod wire;

pub use member::serve;
pub use starter::{NetworkError, run};

use super::{Sampling, StepSizes};
use crate::problem::loss::LossName;
use serde::{Deserialize, Serialize};

/// What a user's process is told.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Job {
    user: usize,
    neighbours: Vec<usize>,
    weights: Vec<(usize, f64)>,
    sigma_cdp: f64,
    sigma_cor: f64,
    clip: f64,
    steps: usize,
    step_sizes: StepSizes,
    sampling: Sampling,
    keep_transcript: bool,
    seed: u64,
    start: Vec<f64>,
    limit_seconds: f64,
    loss: LossName,
    ridge: f64,
    /// Whether the ridge is clipped with the loss, as printed.
    printed: bool,
    records: Vec<Vec<f64>>,
    targets: Vec<f64>,
}

/// What a user's process says to its starter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Report {
    Port(u16),
    Done(Done),
    Failure(Failure),
}

/// The end of a user's run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Done {
    model: Vec<f64>,
    messages: Vec<Vec<f64>>,
    clipped: u64,
}

/// Why a user gave up. Round 0 is the first one, round t + 1 is step t.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Failure {
    /// A neighbour's connection ended.
    #[error("user {peer} closed its connection in round {round}")]
    Closed {
        /// The neighbour.
        peer: usize,
        /// The round.
        round: u64,
    },
    /// A neighbour kept others waiting.
    #[error("user {peer} did not answer within {seconds} s in round {round}")]
    Silent {
        /// The neighbour.
        peer: usize,
        /// The round.
        round: u64,
        /// The time limit.
        seconds: f64,
    },
    /// A neighbour sent something else.
    #[error("user {peer} sent {what} in round {round}")]
    Malformed {
        /// The neighbour.
        peer: usize,
        /// The round.
        round: u64,
        /// What it sent.
        what: String,
    },
    /// The user's own message left the doubles.
    #[error("its message is not finite in round {round}; shorten the steps")]
    Diverged {
        /// The round.
        round: u64,
    },
    /// The user could not even begin.
    #[error("it could not begin: {reason}")]
    Setup {
        /// What happened.
        reason: String,
    },
}

impl Failure {
    /// The round in which it was noticed.
    #[must_use]
    pub const fn round(&self) -> u64 {
        match self {
            Self::Closed { round, .. }
            | Self::Silent { round, .. }
            | Self::Malformed { round, .. }
            | Self::Diverged { round } => *round,
            Self::Setup { .. } => 0,
        }
    }

    /// What counts as a cause before what may be its effect, within a round.
    const fn rank(&self) -> u8 {
        match self {
            Self::Setup { .. } | Self::Malformed { .. } | Self::Diverged { .. } => 0,
            Self::Silent { .. } => 1,
            Self::Closed { .. } => 2,
        }
    }
}
