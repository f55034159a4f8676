//! What one audit is to do.

use crate::audit::event::Event;
use crate::audit::features::Extras;
use crate::audit::shape::Shape;
use crate::audit::{Guarantee, Release};
use crate::units::Neighbouring;

/// Everything an audit needs to know besides the mechanism and its inputs.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub claim: Guarantee,
    pub neighbours: Neighbouring,
    pub release: Release,
    pub trials: u64,
    pub alpha: f64,
    pub seed: u64,
    /// An event known in advance, bet on in the direction first → second.
    pub event: Option<Event>,
    /// A pass must be able to see this ε.
    pub target: f64,
    pub extras: Extras,
    pub shape: Shape,
    /// The claims that are bet on: the claim itself, then what its shape implies.
    pub implied: Vec<Guarantee>,
}

#[cfg(test)]
impl Plan {
    /// A claim tested on so many pairs, and nothing else asked for.
    pub(crate) fn of(claim: Guarantee, trials: u64) -> Self {
        Self {
            claim,
            neighbours: Neighbouring::ReplaceOne,
            release: Release::Final,
            trials,
            alpha: 1e-6,
            seed: 1,
            event: None,
            target: 2.0 * claim.epsilon.get() + 0.1,
            extras: Extras::default(),
            shape: Shape::Unknown,
            implied: vec![claim],
        }
    }
}
