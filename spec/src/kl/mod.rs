//! Private non-convex optimisation under the KL condition, claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`notions`] | Section 2: zCDP, approximate DP, conversion; imported composition |
//! | [`spider_sensitivity`] | Appendix B.1: what one release of Algorithm 1 costs |
//! | [`spider_privacy`] | Appendix B.1, Theorem 1: what Algorithm 1 costs |
//! | [`proximal`], [`proximal_phases`] | Section 4, Appendices C.1, C.2: Algorithm 2, Theorem 2 |
//! | [`lower_sharp`] | Appendix C.3: Theorem 8 |
//! | [`adaptive_round`], [`adaptive_privacy`] | Algorithm 3, Theorem 3 |
//! | [`selection`] | Theorem 5: the draw of an iterate |
//! | [`regularised`] | Appendix E: Algorithm 4, Theorem 9 |

use crate::claim::Claim;

pub mod adaptive_privacy;
pub mod adaptive_round;
pub mod lower_sharp;
pub mod notions;
pub mod proximal;
pub mod proximal_phases;
pub mod regularised;
pub mod selection;
pub mod spider_privacy;
pub mod spider_sensitivity;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let parts: [&[Claim]; 10] = [
        &notions::CLAIMS,
        &spider_sensitivity::CLAIMS,
        &spider_privacy::CLAIMS,
        &proximal::CLAIMS,
        &proximal_phases::CLAIMS,
        &lower_sharp::CLAIMS,
        &adaptive_round::CLAIMS,
        &adaptive_privacy::CLAIMS,
        &selection::CLAIMS,
        &regularised::CLAIMS,
    ];
    parts.concat()
}
