//! The noise of DECOR and of its two baselines for a budget, under several accountants.

use crate::accounting::decor::search::SlopeBudget;
use crate::accounting::decor::{Adversary, DecorError, Noise, optimized, privacy};
use crate::float::Enclosure;
use crate::problem::{Graph, GraphError, MixingError, MixingMatrix, Weights};
use crate::units::{Delta, Epsilon};

/// Number of users.
pub(super) const USERS: usize = 16;

/// The three graphs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topology {
    Full,
    Grid,
    Ring,
}

/// Who adds which noise.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TrustModel {
    /// A trusted server: noise for the average alone, complete averaging.
    Central,
    /// Own and shared noise.
    Decor(Topology),
    /// Own noise only.
    Local(Topology),
}

/// How the noise follows from ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Accounting {
    /// Rényi composition and conversion against an eavesdropper, as printed.
    Printed,
    /// The exact curve of the composed Gaussian mechanism against the same eavesdropper.
    Tight,
    /// The same against a curious user, who knows the secrets that it shares.
    TightCurious,
}

impl Topology {
    pub(super) const ALL: [Self; 3] = [Self::Full, Self::Grid, Self::Ring];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Grid => "grid",
            Self::Ring => "ring",
        }
    }

    pub(super) fn graph(self) -> Result<Graph, GraphError> {
        match self {
            Self::Full => Graph::complete(USERS),
            Self::Grid => Graph::torus(4, 4),
            Self::Ring => Graph::ring(USERS),
        }
    }
}

impl TrustModel {
    pub(super) const ALL: [Self; 7] = [
        Self::Central,
        Self::Decor(Topology::Full),
        Self::Decor(Topology::Grid),
        Self::Decor(Topology::Ring),
        Self::Local(Topology::Full),
        Self::Local(Topology::Grid),
        Self::Local(Topology::Ring),
    ];

    pub(super) fn name(self) -> String {
        match self {
            Self::Central => "CDP".to_owned(),
            Self::Decor(topology) => format!("DECOR {}", topology.name()),
            Self::Local(topology) => format!("LDP {}", topology.name()),
        }
    }

    pub(super) const fn topology(self) -> Topology {
        match self {
            Self::Central => Topology::Full,
            Self::Decor(topology) | Self::Local(topology) => topology,
        }
    }

    /// The accountants that tell something: what others know of shared noise matters to DECOR only.
    pub(super) const fn accountings(self) -> &'static [Accounting] {
        match self {
            Self::Decor(_) => &[
                Accounting::Printed,
                Accounting::Tight,
                Accounting::TightCurious,
            ],
            _ => &[Accounting::Printed, Accounting::Tight],
        }
    }

    /// W_ij = 1/(deg(i) + 1) for neighbours and i itself: all three graphs are regular.
    pub(super) fn mixing(self, graph: &Graph) -> Result<MixingMatrix, MixingError> {
        MixingMatrix::of(graph, Weights::WithSelf)
    }
}

impl Accounting {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Printed => "printed",
            Self::Tight => "tight",
            Self::TightCurious => "tight, curious user",
        }
    }

    const fn adversary(self) -> Adversary {
        match self {
            Self::Printed | Self::Tight => Adversary::Eavesdropper,
            Self::TightCurious => Adversary::Curious,
        }
    }

    /// What one of T steps may spend.
    pub(super) fn budget(
        self,
        epsilon: Epsilon,
        delta: Delta,
        steps: u64,
        clip: f64,
    ) -> Result<SlopeBudget, DecorError> {
        if self != Self::Printed {
            return SlopeBudget::new(epsilon, delta, steps, clip, self.adversary());
        }
        // The inverse of ε = Ts + 2√(Ts·log(1/δ)).
        let log = -delta.get().ln();
        let root = (log + epsilon.get()).sqrt() - log.sqrt();
        Ok(SlopeBudget {
            slope: root * root / steps as f64,
            clip,
            adversary: self.adversary(),
        })
    }
}

/// σ_cdp on a grid of 50 in [C√2/√(ns), C√2/√s] and the least whole σ_cor in [1, 1000] that goes with
/// it; of those that have one, `count` spread evenly from the smallest σ_cdp to the largest.
fn couples(graph: &Graph, budget: &SlopeBudget, count: usize) -> Result<Vec<Noise>, DecorError> {
    const GRID: usize = 50;
    const LARGEST: f64 = 1000.0;
    let local = budget.local()?.cdp();
    let least = local / (graph.n() as f64).sqrt();
    let mut found = Vec::new();
    for at in 0..GRID {
        let cdp = least + (local - least) * at as f64 / (GRID - 1) as f64;
        // Too little σ_cdp has no σ_cor at all: that point of the grid is left out, as printed.
        let Ok(noise) = budget.correlated(graph, cdp) else {
            continue;
        };
        let cor = noise.cor().ceil().max(1.0);
        if cor <= LARGEST {
            found.push(Noise::new(cdp, cor, budget.clip)?);
        }
    }
    if found.is_empty() {
        return Ok(vec![budget.local()?]);
    }
    let pick = |i: usize| i * (found.len() - 1) / count.saturating_sub(1).max(1);
    let mut picks: Vec<usize> = (0..count.max(1)).map(pick).collect();
    picks.dedup();
    Ok(picks.into_iter().map(|at| found[at]).collect())
}

/// The least ε that T steps with this noise have, rounded up: for the central baseline that of the
/// average alone.
pub(super) fn certified(
    method: TrustModel,
    graph: &Graph,
    noise: &Noise,
    adversary: Adversary,
    steps: u64,
    delta: Delta,
) -> Result<f64, DecorError> {
    if method == TrustModel::Central {
        let share = 2.0 * Enclosure::point(noise.clip()).square();
        let slope = share / (Enclosure::point(noise.cdp()).square() * graph.n() as f64);
        let mechanism = privacy::mechanism(slope.hi, steps)?;
        return Ok(mechanism.epsilon(delta)?.hi);
    }
    let slope = optimized::slope(graph, noise, adversary)?;
    Ok(privacy::epsilon(&slope, steps, delta)?.hi)
}

/// The noise levels that a method tries for a budget.
pub(super) fn candidates(
    method: TrustModel,
    graph: &Graph,
    budget: &SlopeBudget,
    couples_tried: usize,
) -> Result<Vec<Noise>, DecorError> {
    match method {
        TrustModel::Central => Ok(vec![budget.central(graph.n())?]),
        TrustModel::Local(_) => Ok(vec![budget.local()?]),
        TrustModel::Decor(_) => couples(graph, budget, couples_tried),
    }
}
