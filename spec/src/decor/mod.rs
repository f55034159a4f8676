//! Decentralized learning with correlated noise (DECOR), claim by claim, in the paper's order.

use crate::claim::Claim;

pub mod algorithms;
pub mod assumptions;
pub mod calibration;
pub mod catalogue;
pub mod closed_forms;
pub mod consensus;
pub mod derived;
pub mod descent;
pub mod enumeration;
pub mod experiments;
mod finite;
pub mod graph;
pub mod graphs;
pub mod matrix;
pub mod mixing;
pub mod monotone;
pub mod nonconvex;
pub mod onestep;
pub mod pl;
pub mod privacy;
pub mod reduction;
pub mod renyi;
pub mod resolvent;
pub mod search;
pub mod setting;
mod steps;
pub mod tradeoff;
pub mod upoly;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    [
        setting::CLAIMS.as_slice(),
        renyi::CLAIMS.as_slice(),
        privacy::CLAIMS.as_slice(),
        enumeration::CLAIMS.as_slice(),
        onestep::CLAIMS.as_slice(),
        graphs::CLAIMS.as_slice(),
        assumptions::CLAIMS.as_slice(),
        tradeoff::CLAIMS.as_slice(),
        monotone::CLAIMS.as_slice(),
        reduction::CLAIMS.as_slice(),
        descent::CLAIMS.as_slice(),
        consensus::CLAIMS.as_slice(),
        pl::CLAIMS.as_slice(),
        nonconvex::CLAIMS.as_slice(),
        algorithms::CLAIMS.as_slice(),
        search::CLAIMS.as_slice(),
        derived::CLAIMS.as_slice(),
        closed_forms::CLAIMS.as_slice(),
        experiments::CLAIMS.as_slice(),
    ]
    .concat()
}
