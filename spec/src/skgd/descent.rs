//! Appendix E.3: the lemmas on one inner step.
//!
//! Every statement is a sum over coordinates. In one coordinate, g is the gradient, u = θ − w*, p the
//! inclusion probability, γ the step size and s = E\[σ_S²·1{j ∈ S}\]; then E‖Cσ_S1‖²_D = D·s/p² and the
//! increment δ = −γc(g + η) has E δ = −γg and E δ² = γ²(pg² + s)/p².

use crate::claim::{Claim, Kind, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    LEM_E_2,
    LEM_E_2_READING_VARIANCE,
    LEM_E_3,
    LEM_E_4,
    LEM_E_4_REPAIRED,
    LEM_E_4_READING_FORM,
    LEM_E_5,
];

/// `skgd-lem-E.2`, σ_S being the standard deviation.
pub const LEM_E_2: Claim = Claim {
    id: "skgd-lem-E.2",
    place: "App. E.3, Lemma E.2",
    kind: Kind::ExpectationBound,
    statement: "E[C(x+η)] = x and E‖C(x+η)‖²_D = ‖x‖²_{P⁻¹D} + E‖Cσ_S1‖²_D",
    hypotheses: "C of eq. (1); given S, η ~ N(0, σ_S²I); D a fixed diagonal matrix",
    rests_on: &["skgd-fact-unbiased"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.2-reading-variance`: with η ~ N(0, σ_S I) taken literally the noise has E η² = σ_S.
pub const LEM_E_2_READING_VARIANCE: Claim = Claim {
    id: "skgd-lem-E.2-reading-variance",
    place: "App. E.3, Lemma E.2, with η ~ N(0, σI) as printed",
    kind: Kind::ExpectationBound,
    statement: "E‖C(x+η)‖²_D = ‖x‖²_{P⁻¹D} + E‖Cσ_S1‖²_D with η of covariance σ_S·I",
    hypotheses: "as Lemma E.2; sampling {1} and {1, 2}, each with probability 1/2, and any x",
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-lem-E.3`. Smoothness at θ, in expectation; α and f(w) cancel. Attained by f(w) = ½‖w‖²_M.
pub const LEM_E_3: Claim = Claim {
    id: "skgd-lem-E.3",
    place: "App. E.3, Lemma E.3",
    kind: Kind::ExpectationBound,
    statement: "E[f(θ⁺) − f(w)] − (1−α)(f(θ) − f(w)) ≤ α(f(θ) − f(w)) − ‖∇f‖²_Γ + ½(‖∇f‖²_{P⁻¹Γ²M} \
        + E‖Cσ_S1‖²_{Γ²M})",
    hypotheses: "f convex and M-smooth (3.6; the lemma prints neither, its proof begins with 3.6), \
        η ~ N(0, σ_S²I), any Γ, any α, any w",
    rests_on: &["skgd-lem-E.2"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.4-reading-form`: the symbol ‖·‖²_{M⁻¹−P⁻¹Γ} read as a quadratic form of either sign. Rearranging the last
/// display of the proof gives the opposite sign. f(w) = ½w², M = 1, Γ = 2.
pub const LEM_E_4_READING_FORM: Claim = Claim {
    id: "skgd-lem-E.4-reading-form",
    statement: "⟨θ−w*, ∇f⟩ ≤ ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} + ‖∇f‖²_{M⁻¹−P⁻¹Γ} + E‖Cσ_S1‖²_Γ, \
        with ‖v‖²_A = vᵀAv where A is not positive",
    hypotheses: "f convex and M-smooth, any Γ",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
    ..LEM_E_4
};

/// `skgd-lem-E.4-repaired`: the norm is P⁻¹Γ − M⁻¹. What remains is cocoercivity,
/// ⟨θ−w*, ∇f⟩ ≥ ‖∇f‖²_{M⁻¹}, with equality for f(w) = ½‖w‖²_M. No other constant changes, and
/// Lemma E.5 is unaffected since both norms vanish at Γ = PM⁻¹.
pub const LEM_E_4_REPAIRED: Claim = Claim {
    id: "skgd-lem-E.4-repaired",
    place: "App. E.3, Lemma E.4 with the sign of the gradient term as its proof gives it",
    kind: Kind::ExpectationBound,
    statement: "⟨θ−w*, ∇f⟩ ≤ ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} + ‖∇f‖²_{P⁻¹Γ−M⁻¹} + E‖Cσ_S1‖²_Γ",
    hypotheses: "f convex and M-smooth, any Γ; the third norm read as the quadratic form of P⁻¹Γ − \
        M⁻¹, of either sign",
    rests_on: &["skgd-lem-E.2", "skgd-lem-cocoercive"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.4`, as printed. §3.1 defines ‖·‖_M for positive M only, so that the lemma speaks of Γ ⪯ PM⁻¹ (with 0 for the
/// seminorm at equality), and there its sign gives a weaker statement than the proof's, but a true one.
pub const LEM_E_4: Claim = Claim {
    id: "skgd-lem-E.4",
    place: "App. E.3, Lemma E.4",
    kind: Kind::ExpectationBound,
    statement: "⟨θ−w*, ∇f⟩ ≤ ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} + ‖∇f‖²_{M⁻¹−P⁻¹Γ} + E‖Cσ_S1‖²_Γ",
    hypotheses: "f convex and M-smooth, Γ ⪯ PM⁻¹, without which the third norm is not defined",
    rests_on: &["skgd-lem-E.2", "skgd-lem-cocoercive"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.5`. Lemma E.4 at Γ = PM⁻¹ (where both signs agree) and Lemma E.3; then
/// E‖Cσ_S1‖²_{P²M⁻¹} ≤ E‖Cσ_S1‖²_{PM⁻¹} = N by p ≤ 1. Equality at θ = w* for f(w) = ½‖w‖²_M, P = I.
pub const LEM_E_5: Claim = Claim {
    id: "skgd-lem-E.5",
    place: "App. E.3, Lemma E.5",
    kind: Kind::ExpectationBound,
    statement: "E[f(θ⁺)−f*] − (1−α)(f(θ)−f*) ≤ α(‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹}) + \
        ((2α+1)/2)·E‖Cσ_S1‖²_{PM⁻¹}",
    hypotheses: "f convex and M-smooth, Γ = PM⁻¹, 0 < α < 1",
    rests_on: &["skgd-lem-E.3", "skgd-lem-E.4-repaired"],
    by_hand: &[],
    check: by_kernel,
};
