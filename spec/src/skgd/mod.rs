//! Random block coordinate descent (DP-SkGD), claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`setting`] | §3.1–3.5: norms, random sets, assumptions, differential privacy |
//! | [`sensitivity`] | §3.5, App. C: how far gradients move between neighbours |
//! | [`algorithm`] | §4: Algorithm 1 and its special cases |
//! | [`renyi`] | App. D: Rényi divergence, Gaussian mechanism, composition, conversion |
//! | [`calibration`] | §4.1, App. D.1: the noise scale; [`calibration::Hypotheses`] |
//! | [`descent`], [`round`] | App. E.3: one inner step, one outer round |
//! | [`utility`], [`strongly`] | §4.2, App. E.1, E.2: the utility theorem |
//! | [`parameters`] | §4.2: privacy with the K that Theorem 4.2 prints |
//! | [`block`], [`table`], [`comparison`], [`preserved`] | §4.2.1, Table 1, §4.3 and the abstract |
//! | [`special`] | §3.4, §4: special cases that the text names |
//! | [`chains`] | App. D.1, E: further steps of the proofs |
//! | [`corrected`] | Theorem 4.2 as one may use it, with witnesses |
//! | `kernel` | Theorem 4.2, convex case, as theorems of the kernel |
//! | [`lemmas`] | what the paper uses without a number |

use crate::claim::Claim;

pub mod algorithm;
pub mod block;
pub mod calibration;
pub mod chains;
pub mod comparison;
pub mod corrected;
pub mod descent;
pub mod findings;
pub(crate) mod finite;
pub(crate) mod headlines;
pub(crate) mod kernel;
pub mod lemmas;
pub mod parameters;
pub mod preserved;
pub mod renyi;
pub mod round;
pub mod sensitivity;
pub mod setting;
pub mod special;
pub mod strongly;
pub(crate) mod symbols;
pub mod table;
pub mod utility;

/// The claims of this paper, in its order; the unnumbered lemmas come last.
#[must_use]
pub fn claims() -> Vec<Claim> {
    [
        &setting::CLAIMS[..],
        &special::CLAIMS,
        &sensitivity::CLAIMS,
        &algorithm::CLAIMS,
        &renyi::CLAIMS,
        &calibration::CLAIMS,
        &descent::CLAIMS,
        &round::CLAIMS,
        &utility::CLAIMS,
        &strongly::CLAIMS,
        &parameters::CLAIMS,
        &chains::CLAIMS,
        &corrected::CLAIMS,
        &block::CLAIMS,
        &table::CLAIMS,
        &comparison::CLAIMS,
        &preserved::CLAIMS,
        &lemmas::CLAIMS,
    ]
    .concat()
}
