//! Lines of Appendices B.2, B.4 and C that no other claim decides.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::{Argument, Domain, Forall, closed, draw, open};

/// These claims, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    EQ_23,
    EQ_23_READING_PATHWISE,
    EQ_35,
    EQ_35_PROOF,
    LEM_8B_PROOF_SQUARE,
    LEM_9_PROOF_TAU,
    COR_12_NC_TERMS,
];

/// `decor-eq-23`. The squared Frobenius norm is the sum of the squared norms of the columns.
pub const EQ_23: Claim = Claim {
    id: "decor-eq-23",
    place: "App. B.2, eq. (23)",
    kind: Kind::ExpectationBound,
    statement: "Ξ_t = (1/n)Σ_i E‖x_i − x̄‖² = (1/n)E‖X − X̄‖_F²",
    hypotheses: "X after t ≥ 1 rounds of Algorithm 1, with any gradients",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-eq-23-reading-pathwise`. The second expression of (23) has no expectation. Two users at
/// ±u or at ±v, equally likely.
pub const EQ_23_READING_PATHWISE: Claim = Claim {
    id: "decor-eq-23-reading-pathwise",
    place: "App. B.2, eq. (23), second expression as printed",
    kind: Kind::PathwiseInequality,
    statement: "(1/n)Σ_i E‖x_i − x̄‖² = (1/n)‖X − X̄‖_F² on every outcome, without expectation",
    hypotheses: "t ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-eq-35`, with (36) and (37): column j of NW, once as Σ W_ij v_ik and once, i and k exchanged, as −Σ W_kj v_ik.
pub const EQ_35: Claim = Claim {
    id: "decor-eq-35",
    place: "App. B.4, eqs. (35) to (37)",
    kind: Kind::PathwiseInequality,
    statement: "NW_j = ½Σ_{i,k}(W_ij − W_kj)1{k ∈ N_i}v_ik, as the mean of Σ_{i,k} W_ij 1{k ∈ \
        N_i}v_ik and −Σ_{i,k} W_kj 1{k ∈ N_i}v_ik, for v_ki = −v_ik",
    hypotheses: "any undirected graph, any matrix W",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-eq-35-proof`. The sentence after (37) has the indices in the same order on both sides.
pub const EQ_35_PROOF: Claim = Claim {
    id: "decor-eq-35-proof",
    place: "App. B.4, sentence after eq. (37)",
    kind: Kind::PathwiseInequality,
    statement: "v_ik = −v_ik for all i, k",
    hypotheses: "v_ik any outcome of the pair noise",
    check: eq_35_proof,
    ..Claim::ALONE
};

fn eq_35_proof(c: &Check) -> Verdict {
    let sign = Poly::from(c.constant("multiple of v_ik", -1));
    Argument::new(c)
        .repaired("decor-eq-35")
        .states_equal("one pair", v("v"), sign * v("v"))
        .proved_on("v = 0 only")
}

/// `decor-lem-8b-proof-square`. One norm lacks its square; with it the equality holds by symmetry.
/// K_2, where every column of the printed weights has one entry, 1/2.
pub const LEM_8B_PROOF_SQUARE: Claim = Claim {
    id: "decor-lem-8b-proof-square",
    place: "App. B.4, proof of Lemma 8, display after “Using Jensen’s inequality”",
    kind: Kind::PathwiseInequality,
    statement: "2Σ_{i,k}(‖W_i‖ + ‖W_k‖²)1{k ∈ N_i} = 4Σ_{i,k}‖W_i‖²1{k ∈ N_i} for the printed \
        weights",
    hypotheses: "k_min ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-lem-9-proof-tau`. The proof of Lemma 9 begins with another condition on the steps, with a τ that this section does not define;
/// the lemma's own condition does not imply it, and the proof does not use it. (For τ of any sign and size it says nothing.)
pub const LEM_9_PROOF_TAU: Claim = Claim {
    id: "decor-lem-9-proof-tau",
    place: "App. B.4, second sentence of the proof of Lemma 9",
    kind: Kind::PathwiseInequality,
    statement: "the steps that Lemma 9 admits, η ≤ p/(L√(6(1−p)(3+pM))), are among those that its \
        proof assumes, η ≤ p/(96√6 τL), for some τ ≥ 1",
    hypotheses: "p in (0,1], M ≥ 0",
    check: lem_9_proof_tau,
    ..Claim::ALONE
};

fn lem_9_proof_tau(c: &Check) -> Verdict {
    let factor = c.constant("factor of √6", 96);
    let p = frac(1, 2);
    let square = Rational::from(p.square_ref());
    let allowed: Rational = square.clone() / (Rational::from(1 - &p) * 18);
    let squared = factor.square();
    let assumed: Rational = square / (squared.clone() * 6);
    let mut domain = Domain::new();
    let var_p = domain.real("p", open(0), closed(1));
    let var_m = domain.real("M", closed(1), closed(100_000_000));
    let forall = Forall::le(domain, squared, (1 - &var_p) * (3 + var_p * var_m));
    draw(
        c,
        "decor-lem-9-proof-tau",
        &forall,
        &[p.clone(), Rational::from(1)],
    );
    Argument::new(c)
        .repaired("decor-lem-9-repaired")
        .states_that("p = 1/2, M = 0, τ = 1", allowed <= assumed, || {
            format!("(Lη)² = {allowed} is allowed, {assumed} assumed")
        })
        .proved_on("one instance only")
}

/// `decor-cor-12-nc-terms`. With Q = σ_⋆² + dσ_cdp² and dσ_cor² = dσ_cdp²(n−q)/a_q the terms of order 1/T are divided by Q, which
/// is at least σ_⋆² and at least dσ_cdp². For σ_⋆ = 0 the printed ζ_⋆²/(pσ_⋆²) has no meaning, and ζ_⋆²/(pdσ_cdp²) serves.
pub const COR_12_NC_TERMS: Claim = Claim {
    id: "decor-cor-12-nc-terms",
    place: "App. C, proof of Corollary 12, last display of the non-convex case",
    kind: Kind::PathwiseInequality,
    statement: "((1−p)(ζ_⋆²/p + σ_⋆²) + H|E|dσ_cor²/n + ‖W−J‖_F²dσ_cdp²)/Q ≤ 1·[(1−p)(ζ_⋆²/(pσ_⋆²) \
        + 1) + (n−q)H|E|/(n a_q) + ‖W−J‖_F²] with the variances of Corollary 12",
    hypotheses: "σ_⋆ > 0, Q = σ_⋆² + dσ_cdp², p in (0,1], a_q > 0; a_q(G) for the printed a(G_H) \
        of the line before",
    check: by_kernel,
    ..Claim::ALONE
};
