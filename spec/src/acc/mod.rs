//! The collection `acc`: theorems of the literature that accountants rest on, each with its source.
//!
//! It is no paper: it has no headlines, no list of places to cover, and no findings of its own. A claim's `place` names
//! authors, year, arXiv id where there is one, and the theorem where its number was looked up; what is proved here is
//! the statement that the accountants use, which may be weaker than the printed theorem, never stronger.
//!
//! P and Q are the laws of a mechanism on neighbours; H_a(P‖Q) = ∫(P − aQ)₊ with a = e^ε is the least δ at ε, and a pair
//! dominates a mechanism if its H_a is never below, for all a ≥ 0.
//!
//! | module | what is in it |
//! |---|---|
//! | [`mechanisms`] | one mechanism on all records |
//! | [`sampling`] | samples of the records, one record replaced |
//! | [`schemes`] | batches as programs draw them |
//! | [`allocation`] | a record in k of t steps |
//! | [`matrix`] | noise correlated over steps |
//! | [`selection`] | choices: the largest score, a threshold, the best of several runs |
//! | [`composition`] | composition, conversions, shuffling |
//! | [`filters`] | mechanisms chosen, and stops made, by what was seen |
//!
//! A new scheme is a module with its claims, a line in [`claims`], and in `dp_assay::accounting` a line of the table that
//! says which steps rest on them.

use crate::claim::Claim;

pub mod allocation;
pub mod composition;
pub mod filters;
pub mod matrix;
pub mod mechanisms;
pub mod sampling;
pub mod schemes;
pub mod selection;
pub(crate) mod symbols;

/// The claims of the collection.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let parts: [&[Claim]; 8] = [
        &mechanisms::CLAIMS,
        &sampling::CLAIMS,
        &schemes::CLAIMS,
        &allocation::CLAIMS,
        &matrix::CLAIMS,
        &selection::CLAIMS,
        &composition::CLAIMS,
        &filters::CLAIMS,
    ];
    parts.concat()
}
