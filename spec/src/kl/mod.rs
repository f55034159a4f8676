//! Private non-convex optimisation under the KL condition, claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`setting`] | Sections 1, 2, 5: KL condition, growth, loss bound, weak convexity, valley |
//! | [`growth`] | Appendix A: growth against KL, distance to the minimiser |
//! | [`notions`] | Section 2: zCDP, approximate DP, conversion; imported composition |
//! | [`spider_schedule`] | Algorithm 1, Lemma 1: whether it runs, its schedule, its trajectory |
//! | [`spider_errors`] | Lemma 2: errors and number of the gradient estimates |
//! | [`spider_descent`] | Theorem 1, Appendix B.2: descent and phases |
//! | [`spider_sensitivity`] | Appendix B.1: what one release of Algorithm 1 costs |
//! | [`spider_privacy`] | Appendix B.1, Theorem 1: what Algorithm 1 costs |
//! | [`spider_utility`] | Theorem 1: excess risk |
//! | [`spider_scales`] | the schedule and noise scales of Algorithm 1, for the solver |
//! | [`ball`] | Theorems 1 and 2: what their ball admits |
//! | [`lower_cube`] | Theorems 6, 7 and Corollary 1 as they hold |
//! | [`lower_growth`] | Section 3.1, Appendices B.4, B.5: Theorem 6, Corollary 1 |
//! | [`fingerprint`], [`lower_general`] | Appendix B.6: Theorem 7 and what it rests on |
//! | [`proximal`], [`proximal_phases`] | Section 4, Appendices C.1, C.2: Algorithm 2, Theorem 2 |
//! | [`lower_sharp`] | Appendix C.3: Theorem 8 |
//! | [`adaptive_round`], [`adaptive_privacy`] | Algorithm 3, Theorem 3 |
//! | [`adaptive_error`], [`adaptive_phases`] | Appendices D.1, D.3-D.5: Theorem 4, Lemma 5 |
//! | [`adaptive_edge`] | Theorem 4 where the bracket of p_max is near 0 |
//! | [`selection`], [`stationary`], [`stationary_cases`] | Theorem 5, Appendix D.6 |
//! | [`regularised`], [`regularised_rate`] | Appendix E: Algorithm 4, Theorem 9 |
//! | [`printed_steps`], [`adaptive_steps`], [`adaptive_cases`] | steps of printed proofs that stand in no other module |
//! | [`corrected`], [`adaptive_corrected`] | the headline theorems as they hold |
//! | [`scales`] | noise scales, charges and totals of Algorithms 2 to 4 |
//! | `sizes` | how much privacy is lost, for the findings |
//! | `witness` | from which n on the corrected theorems say something, and that the witness is as they suppose |

use crate::claim::Claim;

pub mod adaptive_cases;
pub mod adaptive_corrected;
pub mod adaptive_edge;
pub mod adaptive_error;
pub mod adaptive_phases;
pub mod adaptive_privacy;
pub mod adaptive_round;
pub mod adaptive_steps;
pub mod ball;
pub mod corrected;
pub mod findings;
pub mod fingerprint;
pub mod growth;
pub(crate) mod headlines;
pub(crate) mod kernel;
pub mod lower_cube;
pub mod lower_general;
pub mod lower_growth;
pub mod lower_sharp;
pub mod notions;
pub mod printed_steps;
pub mod proximal;
pub mod proximal_phases;
pub mod regularised;
pub mod regularised_rate;
pub mod scales;
pub mod selection;
pub mod setting;
pub(crate) mod sizes;
pub mod spider_descent;
pub mod spider_errors;
pub mod spider_privacy;
pub mod spider_scales;
pub mod spider_schedule;
pub mod spider_sensitivity;
pub mod spider_utility;
pub mod stationary;
pub mod stationary_cases;
pub(crate) mod symbols;
pub mod witness;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let parts: &[&[Claim]] = &[
        &setting::CLAIMS,
        &growth::CLAIMS,
        &notions::CLAIMS,
        &spider_schedule::CLAIMS,
        &spider_sensitivity::CLAIMS,
        &spider_privacy::CLAIMS,
        &spider_errors::CLAIMS,
        &spider_descent::CLAIMS,
        &spider_utility::CLAIMS,
        &ball::CLAIMS,
        &lower_growth::CLAIMS,
        &lower_general::CLAIMS,
        &lower_cube::CLAIMS,
        &fingerprint::CLAIMS,
        &proximal::CLAIMS,
        &proximal_phases::CLAIMS,
        &lower_sharp::CLAIMS,
        &adaptive_round::CLAIMS,
        &adaptive_privacy::CLAIMS,
        &adaptive_error::CLAIMS,
        &adaptive_phases::CLAIMS,
        &selection::CLAIMS,
        &stationary::CLAIMS,
        &stationary_cases::CLAIMS,
        &regularised::CLAIMS,
        &regularised_rate::CLAIMS,
        &printed_steps::CLAIMS,
        &adaptive_steps::CLAIMS,
        &adaptive_cases::CLAIMS,
        &corrected::CLAIMS,
        &adaptive_corrected::CLAIMS,
        &witness::CLAIMS,
    ];
    parts.concat()
}
