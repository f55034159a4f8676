//! Section 4.2.1: block sampling and its convex rates.
//!
//! `‖L_A‖²` stands for ‖L_{A_1,…,A_b}‖²_{M⁻¹}, `R²_MP` for ‖w⁰ − w*‖²_{MP⁻¹}, `R²_M` and `R²_I` likewise.
//! The six rates say that the rate of the convex case, squared and without the common factor, equals or
//! is at most the printed expression; its constant is that of `skgd-thm-4.2-cvx-rate`.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Claim, Kind, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    EQ_BLOCK_SIGMA,
    EQ_IMP_PSD,
    RATE_BLOCK,
    RATE_BLOCK_R,
    RATE_BLOCK_UNIF,
    RATE_BLOCK_IMP,
    RATE_SINGLE,
    RATE_SINGLE_UNIF,
    RATE_SINGLE_IMP,
    RATE_FULL,
];

/// `skgd-eq-block-Sigma`. Blocks {1, 2} and {3} with symbolic q, L and M; every block adds a term of
/// the same form. The print gives the domain of the block index B(i) as \[n\] instead of \[d\].
pub const EQ_BLOCK_SIGMA: Claim = Claim {
    id: "skgd-eq-block-Sigma",
    place: "§4.2.1",
    kind: Kind::ExpectationBound,
    statement: "Σ_S² = Σ_i q_i L_{A_i}² Σ_{j∈A_i} 1/(q_iM_j) = ‖L_{A_1,…,A_b}‖²_{M⁻¹}, independent \
        of q",
    hypotheses: "S = A_i with probability q_i > 0, the A_i a partition of [d]",
    rests_on: &["skgd-def-Sigma"],
    by_hand: &[
        "E[L_S²·1{j∈S}] = L_{A_i}²·q_i for the block A_i of j, and p_j = q_i, as only that block \
            has j; the term supposes E[L_S²·1{j∈S}] = ℓ_j²·p_j and sums over j",
    ],
    check: by_kernel,
};

/// `skgd-eq-imp-psd`. With m the maximum over the block of j and Z the sum of the maxima, p_j = m/Z
/// and M_j/p_j = M_jZ/m ≤ Z; equality where M_j = m.
pub const EQ_IMP_PSD: Claim = Claim {
    id: "skgd-eq-imp-psd",
    place: "§4.2.1",
    kind: Kind::PathwiseInequality,
    statement: "MP⁻¹ ⪯ I·Σ_i max_{j∈A_i} M_j for q_i = max_{j∈A_i}M_j / Σ_{i'} max_{j∈A_{i'}}M_j",
    hypotheses: "A_1, …, A_b a partition of [d], M_j > 0",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-block`: Σ_S = ‖L_A‖ put into the convex rate.
pub const RATE_BLOCK: Claim = Claim {
    id: "skgd-rate-block",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "block sampling: O(‖L_A‖_{M⁻¹}·R_{MP⁻¹}·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; E[L_S²·1{j∈S}] = L_j²·p_j for every j, L_j being the constant \
        of the block of j, as it is if S draws the blocks of a partition",
    rests_on: &["skgd-thm-4.2-cvx-rate", "skgd-eq-block-Sigma"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-block-R`: §4.2.1 prints R_{MP⁻¹} = ‖w⁰ − w*‖²_{MP⁻¹}, Theorem 4.2 has the square
/// on the left.
pub const RATE_BLOCK_R: Claim = Claim {
    id: "skgd-rate-block-R",
    place: "§4.2.1, the quantity to be minimised over q",
    kind: Kind::Definition,
    statement: "R_{MP⁻¹} = ‖w⁰−w*‖²_{MP⁻¹}, in agreement with R²_{MP⁻¹} = ‖w⁰−w*‖²_{MP⁻¹} of \
        Theorem 4.2",
    hypotheses: "none",
    check: |_| {
        let r = Poly::var("R");
        Steps::new()
            .positive(&["R"])
            .equal("the two definitions of R", &r, r.square())
            .repaired("skgd-rate-block")
            .proved_on("")
    },
    ..Claim::ALONE
};

/// `skgd-rate-block-unif`: q_i = 1/b, so R²_{MP⁻¹} = b·R²_M.
pub const RATE_BLOCK_UNIF: Claim = Claim {
    id: "skgd-rate-block-unif",
    place: "Table 1, uniform sampling of blocks, convex column",
    kind: Kind::Rate,
    statement: "uniform sampling of blocks: O(‖L_A‖_{M⁻¹}·R_M·√b·√log(1/δ)/(nε)), that is \
        R²_{MP⁻¹} = b·R²_M for q_i = 1/b",
    hypotheses: "as skgd-rate-block; p_j = 1/b for every j",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-block-imp`: R²_{MP⁻¹} ≤ Z·R²_I coordinate by coordinate, by `skgd-eq-imp-psd`.
pub const RATE_BLOCK_IMP: Claim = Claim {
    id: "skgd-rate-block-imp",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "importance sampling of blocks: O(‖L_A‖_{M⁻¹}·R_I·√(Σ_i \
        max_{j∈A_i}M_j)·√log(1/δ)/(nε))",
    hypotheses: "as skgd-rate-block; p_j = m_j/Z with m_j ≥ M_j, any Z > 0, as for q of \
        skgd-eq-imp-psd",
    rests_on: &[
        "skgd-thm-4.2-cvx-rate",
        "skgd-eq-block-Sigma",
        "skgd-eq-imp-psd",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-single`: singletons are the blocks of the finest partition.
pub const RATE_SINGLE: Claim = Claim {
    id: "skgd-rate-single",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "single coordinates: Σ_S² = Σ_j L_j²/M_j and \
        O(‖L_{1,…,d}‖_{M⁻¹}·R_{MP⁻¹}·√log(1/δ)/(nε))",
    hypotheses: "as skgd-rate-block, with L_j the constant of {j}",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-single-unif`: MP⁻¹ = dM.
pub const RATE_SINGLE_UNIF: Claim = Claim {
    id: "skgd-rate-single-unif",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "uniform single coordinates: O(‖L_{1,…,d}‖_{M⁻¹}·√d·R_M·√log(1/δ)/(nε))",
    hypotheses: "as skgd-rate-single; p_j = 1/d for every j",
    rests_on: &["skgd-rate-single"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-single-imp`: M_j/p_j = Tr(M) for every j, with equality in R²_{MP⁻¹} = Tr(M)·R²_I.
pub const RATE_SINGLE_IMP: Claim = Claim {
    id: "skgd-rate-single-imp",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "importance sampling of single coordinates: \
        O(‖L_{1,…,d}‖_{M⁻¹}·√Tr(M)·R_I·√log(1/δ)/(nε))",
    hypotheses: "as skgd-rate-single; p_j = M_j/Tr(M) for every j",
    rests_on: &["skgd-rate-single"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-rate-full`: one block with q = 1 and P = I.
pub const RATE_FULL: Claim = Claim {
    id: "skgd-rate-full",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "full sampling: Σ_S² = L²·Tr(M⁻¹) and O(L·√Tr(M⁻¹)·R_M·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; p_j = 1 and E[L_S²·1{j∈S}] = L² for every j, as for S = [d]",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: by_kernel,
};
