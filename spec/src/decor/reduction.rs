//! Appendix B: the pair noise cancels in the average, and Lemma 8 on what is left of it after gossip.

use crate::claim::{Claim, Kind, by_kernel};
use crate::decor::graph::Graph;
use crate::decor::mixing::{heterogeneity, metropolis_hastings, printed};

/// The claims about the pair noise, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    FACT_CANCEL,
    LEM_8A,
    LEM_8A_REPAIRED,
    LEM_8C,
    LEM_8B,
    LEM_8B_REPAIRED,
    LEM_8B_PROOF,
    LEM_8B_READING_MH,
    LEM_8B_READING_MH_REPAIRED,
];

/// `decor-fact-cancel`. Each edge contributes v_ij + v_ji = 0, and Σ_i Σ_j W_ij y_j = Σ_j y_j for
/// column sums one; with W = 11ᵀ/n every user holds the average after gossip. The weights printed in
/// §6 do not have column sums one (`decor-def-2-weights-reading-a`).
pub const FACT_CANCEL: Claim = Claim {
    id: "decor-fact-cancel",
    place: "App. B.4, eq. (33); §3",
    kind: Kind::PathwiseInequality,
    statement: "Σ_i Σ_{j∈N_i} v_ij = 0, so x̄⁺ = x̄ − (η/n)Σ∇ℓ − (η/n)Σv̄_i on every run; on K_n \
        with W = 11ᵀ/n the pair noise leaves every x_i⁺",
    hypotheses: "v_ji = −v_ij, W a mixing matrix (Definition 2)",
    rests_on: &["decor-def-2"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-lem-8a`, with W_i the i-th column of W, as §5.2 prints it. Rows of N are N(0, σ_cor²L), so
/// E‖NW‖² = dσ_cor² tr(WᵀLW), which is the sum over the edges of the squared distances of *rows*.
/// For symmetric W, and so for every mixing matrix, rows are columns and the identity holds.
pub const LEM_8A: Claim = Claim {
    id: "decor-lem-8a",
    place: "App. B, Lemma 8, first equality",
    kind: Kind::ExpectationBound,
    statement: "E‖NW‖_F² = H_G(W)·E‖N‖_F² for any undirected graph and any matrix W, with W_i in H \
        the i-th column",
    hypotheses: "at least one edge",
    rests_on: &["decor-fact-cov", "decor-def-H"],
    by_hand: &[
        "on K_2, N = (v, −v): E‖N‖_F² = 2s, NW has the columns (a − c)v and (b − e)v, and H is \
            ‖W_1 − W_2‖²/2 for the columns (a, c) and (b, e) of W",
    ],
    check: by_kernel,
};

/// `decor-lem-8a-repaired`. With rows, as the printed proof computes. One edge: ‖Wᵀ(e_i − e_k)‖² is
/// the squared distance of rows i and k; the Laplacian is the sum over the edges. With columns the
/// identity holds for XWᵀ, the orientation of Algorithm 1, line 6.
pub const LEM_8A_REPAIRED: Claim = Claim {
    id: "decor-lem-8a-repaired",
    place: "App. B, Lemma 8, first equality (repaired)",
    kind: Kind::ExpectationBound,
    statement: "E‖NW‖_F² = H·E‖N‖_F² for any undirected graph and any matrix W, with W_i in H the \
        i-th row; with columns for symmetric W, and E‖NWᵀ‖_F² for any W",
    hypotheses: "at least one edge",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-lem-8c`. tr(L) is the sum of the degrees.
pub const LEM_8C: Claim = Claim {
    id: "decor-lem-8c",
    place: "App. B, Lemma 8, second equality",
    kind: Kind::ExpectationBound,
    statement: "E‖N‖_F² = 2|E|dσ_cor²",
    hypotheses: "any undirected graph",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-lem-8b`, with columns, as §5.2 prints H. On a star the centre's column has n − 1 entries
/// 1/2 and each leaf's column one entry 1/n with disjoint support: H = (n − 1)/8 + 1/(2n²), unbounded.
pub const LEM_8B: Claim = Claim {
    id: "decor-lem-8b",
    place: "App. B, Lemma 8, second part; §5.2",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 2/k_min for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th column",
    hypotheses: "k_min ≥ 1",
    rests_on: &["decor-def-H"],
    by_hand: &[
        "H of the star: the centre's column of W has the entry 1/2 for each of n − 1 leaves and a \
            leaf's column one entry 1/n, for the centre, so that H is half of the squared distance \
            of such two",
    ],
    check: by_kernel,
};

/// By how many times H exceeds the printed bound 2/k_min = 2 on the star with 64 users, with columns of W.
pub(crate) fn star_over_bound() -> f64 {
    let star = Graph::star(64);
    heterogeneity(&star, &printed(&star)).map_or(f64::NAN, |h| h.to_f64() / 2.0)
}

/// By how many times H exceeds 2/k_min = 1/7 on K_{14,50} with the textbook weights.
pub(crate) fn bipartite_over_bound() -> f64 {
    let graph = Graph::new(64, (0..14).flat_map(|i| (14..64).map(move |j| (i, j))));
    let h = heterogeneity(&graph, &metropolis_hastings(&graph));
    h.map_or(f64::NAN, |h| h.to_f64() * 7.0)
}

/// `decor-lem-8b-repaired`. With rows: their entries are non-negative, so ‖W_i − W_k‖² ≤ ‖W_i‖² +
/// ‖W_k‖², and the sum over the edges is at most Σ_i d_i·d_i/(d_i + 1)², d_i/(d_i + 1)² ≤
/// k/(k + 1)² for d_i ≥ k = k_min ≥ 1. This is 1/k at most: half of the printed bound, which is the
/// measured slack; K_{m,m} has exactly m/(m + 1)², so no factor below 1 serves.
pub const LEM_8B_REPAIRED: Claim = Claim {
    id: "decor-lem-8b-repaired",
    place: "App. B, Lemma 8, second part (repaired)",
    kind: Kind::ExpectationBound,
    statement: "H ≤ 2/k_min for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th row",
    hypotheses: "k_min ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-lem-8b-proof`. The bound 2k_min/(k_min + 1)² that the printed proof reaches before its last
/// step; half of it holds.
pub const LEM_8B_PROOF: Claim = Claim {
    id: "decor-lem-8b-proof",
    place: "App. B.4, proof of Lemma 8, last display",
    kind: Kind::ExpectationBound,
    statement: "H ≤ 2k_min/(k_min+1)² for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th row",
    hypotheses: "k_min ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-lem-8b-reading-mh`. §6 calls the weights Metropolis–Hastings; with the textbook weights of
/// that name the bound fails on K_{14,50}: users of the large side keep almost all of their weight. On K_{a,b}
/// H = ½((a + b − 2)/(1 + b)² + ((b − a)/(1 + b))²), near 0.4 for b = 10a.
/// For any non-negative row-stochastic W, H ≤ 1 (`decor-lem-8b-reading-mh-repaired`).
pub const LEM_8B_READING_MH: Claim = Claim {
    id: "decor-lem-8b-reading-mh",
    place: "App. B, Lemma 8, second part, with the weights named in §6",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 2/k_min for the textbook Metropolis–Hastings weights",
    hypotheses: "k_min ≥ 1",
    by_hand: &[
        "H of the complete bipartite graph: an edge has the weight 1/(1 + b), a user of the side \
            of a keeps 1/(1 + b), one of the side of b (1 + b − a)/(1 + b), and H is half of the \
            squared distance of the columns of an edge",
    ],
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-lem-8b-reading-mh-repaired`. Non-negative entries that sum to 1 have ‖W_i‖² ≤ 1, and
/// ‖W_i − W_k‖² ≤ ‖W_i‖² + ‖W_k‖² ≤ 2. Attained by W = I.
pub const LEM_8B_READING_MH_REPAIRED: Claim = Claim {
    id: "decor-lem-8b-reading-mh-repaired",
    place: "App. B, Lemma 8, second part, for any weights",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 1 for every mixing matrix W and every graph",
    hypotheses: "at least one edge",
    rests_on: &["decor-def-2"],
    check: by_kernel,
    ..Claim::ALONE
};
