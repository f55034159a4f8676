//! Linear regression by adaptive clipping (DP-SSGD, DP-AMBSSGD, DP-STAT), claim by claim, in the paper's
//! order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`setting`], [`tail`] | §2: model, moments, tail assumption, notions of privacy |
//! | [`clipping`] | the clipping map, Algorithms 1–3, their cost |
//! | [`shuffled`] | §3.1, App. A.1: privacy of DP-SSGD |
//! | [`products`], [`deviation`], [`no_clipping`] | App. A.2.1: deviation bounds, Lemma A.9 |
//! | [`risk`], [`theorem`] | §3.1, App. A.2.2: Lemma 3.5, Theorem 3.2 |
//! | [`stat`], [`privacy`] | Lemma 3.10, Theorem 3.6; [`privacy::Hypotheses`] |
//! | [`threshold`] | proof of Theorem 3.7: the clipping threshold |
//! | [`moments`], [`recursion`], [`adaptive`] | App. B.2: Lemma 3.11, Theorem 3.7 |
//! | [`corrected`] | Theorems 1.1, 3.7 and Corollary 3.8 corrected: one run, private and useful |
//! | [`corrected_shuffled`] | Theorems 3.1, 3.2 and Corollary 3.3 corrected, constants named |
//! | `exact_run` | runs without clipping, which bounds of these are held against |
//! | [`bites`] | its schedule for normal records, and from which N on it says something |
//! | [`two_points`] | Theorems 1.1 and 3.7 against two values of w* |
//! | [`remarks`], [`asides`] | abstract, introduction and remarks |
//! | [`slips`] | steps of the proofs without a number |
//! | [`lemmas`] | what the proofs use without a number |

use crate::claim::Claim;

pub mod adaptive;
pub mod asides;
pub mod bites;
pub mod clipping;
pub mod corrected;
pub mod corrected_shuffled;
pub mod deviation;
mod exact_run;
pub mod findings;
pub(crate) mod headlines;
pub(crate) mod kernel;
pub mod lemmas;
pub mod moments;
pub mod no_clipping;
pub mod privacy;
pub mod products;
pub mod recursion;
pub mod remarks;
pub mod risk;
pub mod setting;
pub mod shuffled;
pub mod slips;
pub mod stat;
pub(crate) mod symbols;
pub mod tail;
pub mod theorem;
pub mod threshold;
pub mod two_points;

/// The claims of this paper, in its order; the unnumbered lemmas come last.
#[must_use]
pub fn claims() -> Vec<Claim> {
    [
        &setting::CLAIMS[..],
        &tail::CLAIMS,
        &clipping::CLAIMS,
        &shuffled::CLAIMS,
        &products::CLAIMS,
        &deviation::CLAIMS,
        &no_clipping::CLAIMS,
        &risk::CLAIMS,
        &theorem::CLAIMS,
        &stat::CLAIMS,
        &privacy::CLAIMS,
        &threshold::CLAIMS,
        &moments::CLAIMS,
        &recursion::CLAIMS,
        &two_points::CLAIMS,
        &adaptive::CLAIMS,
        &corrected_shuffled::CLAIMS,
        &corrected::CLAIMS,
        &remarks::CLAIMS,
        &asides::CLAIMS,
        &slips::CLAIMS,
        &lemmas::CLAIMS,
    ]
    .concat()
}
