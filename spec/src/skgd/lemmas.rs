//! Lemmas that the paper uses without a number; the claims that rest on them name them.

use crate::claim::{Claim, Kind, by_kernel};

/// The lemmas.
pub(super) const CLAIMS: [Claim; 4] = [
    LEM_MERGING,
    LEM_MIXTURE,
    LEM_POST_PROCESSING,
    LEM_COCOERCIVE,
];

/// `skgd-lem-merging`. With weights q_i/(q_1+q_2), ratios t_i = p_i/q_i and their mean m, Bernoulli's
/// inequality s^α ≥ 1 + α(s − 1) at s = t_i/m, multiplied by the weights and summed, gives
/// Σ w_i t_i^α ≥ m^α: the linear terms cancel.
pub const LEM_MERGING: Claim = Claim {
    id: "skgd-lem-merging",
    place: "used in Lemma D.7",
    kind: Kind::Composition,
    statement: "merging outcomes does not increase Σ p^α q^(1−α), α > 1",
    hypotheses: "p and q are laws on finitely many outcomes, q > 0 where p > 0",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-mixture`. A set S drawn independently of the data and released with the noised
/// coordinates: Σ_S q_S B_S with B_S = B − r_S, r_S ≥ 0 and Σ q_S = 1 is at most B.
pub const LEM_MIXTURE: Claim = Claim {
    id: "skgd-lem-mixture",
    place: "used in the proof of Theorem 4.1",
    kind: Kind::Composition,
    statement: "if every mechanism A_S is (α, ε)-RDP and S is a random set of coordinates, each of \
        positive probability, drawn independently of the data, then (S, A_S(D)) is (α, ε)-RDP",
    hypotheses: "S has the same law on both datasets; for the kernel a case of its rule of \
        adaptive composition, and no evidence beside it",
    rests_on: &["skgd-def-D.2"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-post-processing`. {f(X) ∈ U} is the event {X ∈ f⁻¹(U)}, so both sides of the definition
/// are those of X at another event.
pub const LEM_POST_PROCESSING: Claim = Claim {
    id: "skgd-lem-post-processing",
    place: "used in the proof of Theorem 4.1",
    kind: Kind::Composition,
    statement: "a function of the output of an (ε, δ)-DP mechanism is (ε, δ)-DP",
    hypotheses: "the function does not read the data; for the kernel a case of its rule of \
        post-processing, and no evidence beside it",
    rests_on: &["skgd-def-3.8"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-cocoercive`. For the point z = y − M⁻¹(∇f(y) − ∇f(x)) convexity at x and smoothness at y
/// give f(x) + ⟨∇f(x), z − x⟩ ≤ f(z) ≤ f(y) + ⟨∇f(y), z − y⟩ + ½‖z − y‖²_M; what remains is an
/// identity in each coordinate. It is needed on all of R^d, as z may lie anywhere.
pub const LEM_COCOERCIVE: Claim = Claim {
    id: "skgd-lem-cocoercive",
    place: "used in Lemma E.4",
    kind: Kind::PathwiseInequality,
    statement: "f(y) ≥ f(x) + ⟨∇f(x), y − x⟩ + ½‖∇f(y) − ∇f(x)‖²_{M⁻¹}; hence ⟨θ − w*, ∇f(θ)⟩ ≥ \
        f(θ) − f* + ½‖∇f(θ)‖²_{M⁻¹} ≥ ‖∇f(θ)‖²_{M⁻¹}",
    hypotheses: "f convex and M-component-smooth on R^d (3.6)",
    check: by_kernel,
    ..Claim::ALONE
};
