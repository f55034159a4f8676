//! Private non-convex optimisation under the KL condition, claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`notions`] | Section 2: zCDP, approximate DP, conversion; imported composition |
//! | [`spider_sensitivity`] | Appendix B.1: what one release of Algorithm 1 costs |
//! | [`spider_privacy`] | Appendix B.1, Theorem 1: what Algorithm 1 costs |

use crate::claim::Claim;

pub mod notions;
pub mod spider_privacy;
pub mod spider_sensitivity;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let parts: [&[Claim]; 3] = [
        &notions::CLAIMS,
        &spider_sensitivity::CLAIMS,
        &spider_privacy::CLAIMS,
    ];
    parts.concat()
}
