//! Decentralized learning with correlated noise (DECOR), claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`setting`] | §2: privacy under secrets, the adversaries |
//! | [`algorithms`] | §3, §4: Algorithms 1 to 4, the baselines |
//! | [`onestep`] | §4: Theorem 1 and its remarks |
//! | [`connected`] | abstract, §1.1, §5.3: "arbitrary connected graphs" |
//! | [`assumptions`], [`graphs`] | §5.1, §5.2: assumptions, mixing matrices, connectivity |
//! | [`pl`], [`nonconvex`] | Theorem 2 with its proof; utility part of Corollary 12 |
//! | [`experiments`] | §6 |
//! | [`renyi`], [`privacy`], [`enumeration`] | App. A: Rényi divergence, Theorem 6, and Theorem 6 on all small graphs |
//! | [`descent`], [`reduction`], [`consensus`] | App. B: Lemmas 7, 8, 9 |
//! | [`tradeoff`] | §5.3, App. C: Corollaries 3 and 12, privacy |
//! | [`monotone`], [`search`] | App. D.1: the search for noise scales, and what makes it superfluous |
//! | [`displays`], [`lemma_lines`] | displays and sentences that no other claim decides |
//! | [`derived`], [`closed_forms`] | facts that solvers and audits use |
//! | [`corrected`] | what may be used in place of Theorem 2.1 and the utility of Corollaries 3 and 12; [`bites`]: from which n on |
//!
//! Machinery: [`graph`], [`catalogue`] (all graphs on up to seven vertices), [`resolvent`] (exact
//! inverses as functions of the noise ratio), [`mixing`], [`matrix`], [`upoly`]. For solvers:
//! [`calibration`].

use crate::claim::Claim;

pub mod algorithms;
pub mod assumptions;
pub mod bites;
pub mod calibration;
pub mod catalogue;
pub mod closed_forms;
pub mod connected;
pub mod consensus;
pub mod corrected;
pub mod derived;
pub mod descent;
pub mod displays;
pub mod enumeration;
pub mod experiments;
pub mod findings;
mod finite;
pub mod graph;
pub mod graphs;
pub(crate) mod headlines;
pub(crate) mod kernel;
pub mod lemma_lines;
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
pub(crate) mod symbols;
pub mod tradeoff;
pub mod upoly;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    [
        setting::CLAIMS.as_slice(),
        algorithms::CLAIMS.as_slice(),
        onestep::CLAIMS.as_slice(),
        connected::CLAIMS.as_slice(),
        assumptions::CLAIMS.as_slice(),
        graphs::CLAIMS.as_slice(),
        pl::CLAIMS.as_slice(),
        nonconvex::CLAIMS.as_slice(),
        experiments::CLAIMS.as_slice(),
        renyi::CLAIMS.as_slice(),
        privacy::CLAIMS.as_slice(),
        enumeration::CLAIMS.as_slice(),
        descent::CLAIMS.as_slice(),
        reduction::CLAIMS.as_slice(),
        consensus::CLAIMS.as_slice(),
        tradeoff::CLAIMS.as_slice(),
        monotone::CLAIMS.as_slice(),
        search::CLAIMS.as_slice(),
        derived::CLAIMS.as_slice(),
        closed_forms::CLAIMS.as_slice(),
        displays::CLAIMS.as_slice(),
        lemma_lines::CLAIMS.as_slice(),
        corrected::CLAIMS.as_slice(),
        bites::CLAIMS.as_slice(),
    ]
    .concat()
}
