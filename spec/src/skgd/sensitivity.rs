//! Section 3.5 and Appendix C: how far a sample's gradient moves between neighbours.

use crate::claim::{Claim, Kind, by_kernel};

/// The sensitivity claims, in the paper's order.
pub(super) const CLAIMS: [Claim; 3] = [LEM_C_1, LEM_3_9, FACT_SENS_F];

/// `skgd-lem-C.1`. With t = ‖I_U∇ℓ(w;ζ)‖, convexity at the point w + I_U∇ℓ(w;ζ) and component
/// Lipschitzness give t² ≤ L_U·t. The printed proof divides by t and
/// so leaves out t = 0, where the bound is immediate. Equality: ℓ(w;ζ) = ⟨ζ, w⟩ with ‖I_Uζ‖ = L_U.
pub const LEM_C_1: Claim = Claim {
    id: "skgd-lem-C.1",
    place: "App. C, Lemma C.1",
    kind: Kind::PathwiseInequality,
    statement: "‖I_U ∇ℓ(w;ζ)‖ ≤ L_U for all w, ζ and all U in Range(S)",
    hypotheses: "ℓ differentiable (3.3), convex (3.4), component-Lipschitz with constants L_U > 0 \
        (3.7)",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-3.9`. Equality by the pair W1: ℓ(w;ζ) = ⟨ζ, w⟩, ζ⁺ against −ζ⁺ with ‖I_Uζ⁺‖ = L_U.
/// The upper bound holds coordinate by coordinate: ‖u − v‖² = 2‖u‖² + 2‖v‖² − ‖u + v‖², and by
/// Lemma C.1 L_U² = ‖u‖² + r = ‖v‖² + s with r, s ≥ 0.
pub const LEM_3_9: Claim = Claim {
    id: "skgd-lem-3.9",
    place: "§3.5, Lemma 3.9, proof in App. C",
    kind: Kind::Sensitivity,
    statement: "Δ_U(∇ℓ) ≤ 2·L_U for all U in Range(S), under replacement of one sample",
    hypotheses: "ℓ differentiable (3.3), convex (3.4), component-Lipschitz (3.7)",
    rests_on: &["skgd-lem-C.1"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-fact-sens-f`. The n − 1 common samples (their gradients sum to `rest`) cancel, with both
/// gradients taken at the same w. As the replaced sample runs through all pairs (ζ, ζ'), the
/// suprema of both sides agree.
pub const FACT_SENS_F: Claim = Claim {
    id: "skgd-fact-sens-f",
    place: "App. D.1, last line of the proof of Theorem 4.1",
    kind: Kind::Sensitivity,
    statement: "Δ_U(∇f) = Δ_U(∇ℓ)/n when one of n samples is replaced and both gradients are taken \
        at the same w",
    hypotheses: "replace-one neighbours, n public and equal, f the average of n losses; ℓ \
        differentiable and component-Lipschitz by entries, w fixed",
    rests_on: &["skgd-lem-3.9"],
    by_hand: &[],
    check: by_kernel,
};
