//! Appendices D.1 and E: steps inside the proofs that are not already a claim of the statement proved.

use crate::claim::{Claim, Kind, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    THM_4_1_PROOF_CHAIN,
    D1_EPS_ONE,
    THM_4_2_SC_PROOF_ROUND,
    THM_4_2_SC_PROOF_INDEX,
    THM_4_2_SC_PROOF_INDEX_REPAIRED,
    LEM_E_5_PROOF_EQUALITY,
    LEM_E_5_PROOF_EQUALITY_REPAIRED,
    LEM_E_5_PROOF_CHAIN,
    LEM_E_1_PROOF_SUMS,
];

/// `skgd-thm-4.1-proof-chain`: the displays of Appendix D.1 one after the other, σ being the noise in units of Δ_U(∇f).
pub const THM_4_1_PROOF_CHAIN: Claim = Claim {
    id: "skgd-thm-4.1-proof-chain",
    place: "App. D.1, proof of Theorem 4.1",
    kind: Kind::Calibration,
    statement: "with σ_U = (2L_U/n)·σ a step is (α, α/(2σ²))-RDP and K steps are (α, \
        Kα/(2σ²))-RDP; Lemma D.8 with γ = K gives σ_U = (2L_U/n)·√(3K·log(1/δ))/ε, and KT steps \
        σ_U² = (2L_U/n)²·3KT·log(1/δ)/ε²",
    hypotheses: "as Theorem 4.1; the mask on query and noise (skgd-cor-D.5-repaired)",
    rests_on: &[
        "skgd-cor-D.5-repaired",
        "skgd-prop-D.6",
        "skgd-lem-D.8",
        "skgd-lem-mixture",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-D1-eps-one`: the lemma is stated for ε < 1 and used for the theorem's ε ≤ 1.
pub const D1_EPS_ONE: Claim = Claim {
    id: "skgd-D1-eps-one",
    place: "App. D.1, use of Lemma D.8",
    kind: Kind::PathwiseInequality,
    statement: "every ε of Theorem 4.1, 0 < ε ≤ 1, satisfies the hypothesis 0 < ε < 1 of Lemma \
        D.8, by which the proof converts",
    hypotheses: "none",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-thm-4.2-sc-proof-round`: one round, display by display, for any f that has the constants; A = (1/μ)max_i{M_i/p_i}.
pub const THM_4_2_SC_PROOF_ROUND: Claim = Claim {
    id: "skgd-thm-4.2-sc-proof-round",
    place: "App. E.2, first displays of the proof",
    kind: Kind::PathwiseInequality,
    statement: "‖w−w*‖² ≤ (2/μ)·F_t, hence (‖w−w*‖²_{MP⁻¹} + 2F_t)/(2K) ≤ (max_i{M_i/p_i}·‖w−w*‖² \
        + 2F_t)/(2K) ≤ (1+A)·F_t/K, which is ½F_t at K = 2(1+A); N_σ = 12KT·c·Σ_S² for σ_U² = \
        12·L_U²·KT·c",
    hypotheses: "f μ-strongly convex with the minimiser w*",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-sc-proof-index`: the round is bounded "for 1 ≤ t ≤ T−1" and then applied T times from w⁰.
pub const THM_4_2_SC_PROOF_INDEX: Claim = Claim {
    id: "skgd-thm-4.2-sc-proof-index",
    place: "App. E.2, the range of t before the recursion",
    kind: Kind::PathwiseInequality,
    statement: "F_{t+1} ≤ ½F_t + N_σ for 1 ≤ t ≤ T−1 gives F_T ≤ 2^{−T}F_0 + 2N_σ",
    hypotheses: "F_t, N_σ ≥ 0, T ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-thm-4.2-sc-proof-index-repaired`: with the range 0 ≤ t ≤ T−1, by induction with Σ_{s<t} 2^{−s} = 2(1 − 2^{−t}).
pub const THM_4_2_SC_PROOF_INDEX_REPAIRED: Claim = Claim {
    id: "skgd-thm-4.2-sc-proof-index-repaired",
    place: "App. E.2, the recursion, with 0 ≤ t ≤ T−1",
    kind: Kind::PathwiseInequality,
    statement: "F_{t+1} ≤ ½F_t + N_σ for 0 ≤ t ≤ T−1 gives F_T ≤ 2^{−T}F_0 + Σ_{t<T} 2^{−t}N_σ ≤ \
        2^{−T}F_0 + 2·N_σ",
    hypotheses: "F_t, N_σ ≥ 0, T ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-E.5-proof-equality`: the first display of the proof ends in an equality, of which Lemma E.4 gives one direction.
pub const LEM_E_5_PROOF_EQUALITY: Claim = Claim {
    id: "skgd-lem-E.5-proof-equality",
    place: "App. E.3, proof of Lemma E.5, first display",
    kind: Kind::ExpectationBound,
    statement: "⟨∇f(θ), θ−w*⟩ = ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} + ‖∇f‖²_{M⁻¹−P⁻¹Γ} + E‖Cσ_S1‖²_Γ",
    hypotheses: "f convex and M-smooth, Γ = PM⁻¹",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-E.5-proof-equality-repaired`: with ≤, which is Lemma E.4; nothing after it needs more.
pub const LEM_E_5_PROOF_EQUALITY_REPAIRED: Claim = Claim {
    id: "skgd-lem-E.5-proof-equality-repaired",
    place: "App. E.3, proof of Lemma E.5, first display with ≤",
    statement: "f(θ)−f* ≤ ⟨∇f(θ), θ−w*⟩ ≤ ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} + ‖∇f‖²_{M⁻¹−P⁻¹Γ} + \
        E‖Cσ_S1‖²_Γ; the third norm is 0",
    rests_on: &["skgd-lem-E.2", "skgd-lem-cocoercive"],
    check: by_kernel,
    ..LEM_E_5_PROOF_EQUALITY
};

/// `skgd-lem-E.5-proof-chain`: what the weights of the norms become at Γ = PM⁻¹, in one coordinate.
pub const LEM_E_5_PROOF_CHAIN: Claim = Claim {
    id: "skgd-lem-E.5-proof-chain",
    place: "App. E.3, proof of Lemma E.5, second display",
    kind: Kind::PathwiseInequality,
    statement: "at Γ = PM⁻¹: M⁻¹ − P⁻¹Γ = 0, P⁻¹Γ²M = Γ = PM⁻¹ and Γ²M = P²M⁻¹ ⪯ PM⁻¹; the terms \
        in ‖∇f‖² add up to −½‖∇f‖²_{PM⁻¹} ≤ 0",
    hypotheses: "diagonal M, P with 0 < p_j ≤ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-E.1-proof-sums`: the displays of the proof before the last. S stands for Σ_{k=1}^K F_k.
pub const LEM_E_1_PROOF_SUMS: Claim = Claim {
    id: "skgd-lem-E.1-proof-sums",
    place: "App. E.3, proof of Lemma E.1, the two sums",
    kind: Kind::PathwiseInequality,
    statement: "Lemma E.5 at α = ½, summed: Σ_{k<K}[F_{k+1} − ½F_k] ≤ ½R² + K·N; and the sum is \
        F_K − F_0 + ½Σ_{k<K}F_k = ½Σ_{k=1}^K F_k − ½F_0 + ½F_K ≥ ½Σ_{k=1}^K F_k − F_0",
    hypotheses: "F_k, N ≥ 0, K ≥ 1",
    rests_on: &["skgd-lem-E.5"],
    by_hand: &[],
    check: by_kernel,
};
