//! Greedy coordinate descent (DP-GCD), claim by claim, in the paper's order.
//!
//! | module | part of the paper |
//! |---|---|
//! | [`setting`] | Section 3: norms, regularity, privacy; sparsity notions of Appendix B.4.1 |
//! | [`algorithm`] | Algorithm 1, sensitivities, clipping, baselines, cost, experiments |
//! | [`accounting`] | Section 5: what numerical accountants rest on |
//! | [`privacy`] | Section 4.2, Appendix A: one access, composition |
//! | [`calibration`] | Theorem 4.2 and equation (2), as printed and repaired |
//! | `kernel` | Theorem 4.2 and footnote 2 as repaired and as corrected, as theorems of the kernel |
//! | [`corrected`], [`witness`] | the corrected theorems: one noise, privacy and utility of one run; from which n on |
//! | [`scales`] | their noise scales as enclosures, for solvers and audits |
//! | [`descent`] | Appendix B.1 to B.3: tail, descent and recursion lemmas |
//! | [`convex`], [`strongly_convex`], [`quasi_sparse`] | Theorems 4.4 and 4.7 |
//! | [`lines`], [`sparse_lines`] | lines of the proofs, each against its predecessor |
//! | [`tables`] | Section 5 and Appendix D: tables, steps that are not good |
//! | [`discussion`] | Section 4.3: ℓ₁ and ℓ₂ constants of order 1 |
//! | [`parameters`] | Theorem 4.4: privacy with the T that it prints |
//! | [`proximal`] | Section 4.5, Appendix C: the proximal version |
//! | [`laws`] | exact laws of selections and compositions, used by the above |
//! | [`sizes`], [`excess`] | by how much the true ε exceeds the claimed one, and the risk the printed bound |
//!
//! What does not hold as printed stands in [`findings`].

use crate::claim::Claim;

pub mod accounting;
pub mod algorithm;
pub mod calibration;
pub mod convex;
pub mod corrected;
pub mod descent;
pub mod discussion;
pub mod excess;
pub mod findings;
pub(crate) mod headlines;
pub(crate) mod kernel;
pub mod laws;
pub mod lines;
pub mod parameters;
pub mod privacy;
pub mod proximal;
pub mod quasi_sparse;
pub mod scales;
pub mod setting;
pub mod sizes;
pub mod sparse_lines;
pub mod strongly_convex;
pub(crate) mod symbols;
pub mod tables;
pub mod witness;

/// The claims of this paper, in its order.
#[must_use]
pub fn claims() -> Vec<Claim> {
    let parts: [&[Claim]; 16] = [
        &setting::CLAIMS,
        &algorithm::CLAIMS,
        &privacy::CLAIMS,
        &calibration::CLAIMS,
        &descent::CLAIMS,
        &convex::CLAIMS,
        &strongly_convex::CLAIMS,
        &quasi_sparse::CLAIMS,
        &lines::CLAIMS,
        &sparse_lines::CLAIMS,
        &discussion::CLAIMS,
        &parameters::CLAIMS,
        &proximal::CLAIMS,
        &tables::CLAIMS,
        &corrected::CLAIMS,
        &witness::CLAIMS,
    ];
    [parts.concat(), accounting::CLAIMS.to_vec()].concat()
}
