//! Random block coordinate descent (DP-SkGD), claim by claim, in the paper's order.

use crate::claim::Claim;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    Vec::new()
}
