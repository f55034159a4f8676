//! Section 3.5 and Appendix C: how far a sample's gradient moves between neighbours.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Check, Claim, Kind, Verdict};

/// The sensitivity claims, in the paper's order.
pub(super) const CLAIMS: [Claim; 3] = [LEM_C_1, LEM_3_9, FACT_SENS_F];

/// `skgd-lem-C.1`. With t = ‖I_U∇ℓ(w;ζ)‖, convexity at the point w + I_U∇ℓ(w;ζ) and component
/// Lipschitzness give t² ≤ L_U·t; the check excludes t > L_U. The printed proof divides by t and
/// so leaves out t = 0, where the bound is immediate. Equality: ℓ(w;ζ) = ⟨ζ, w⟩ with ‖I_Uζ‖ = L_U.
pub const LEM_C_1: Claim = Claim {
    id: "skgd-lem-C.1",
    place: "App. C, Lemma C.1",
    kind: Kind::PathwiseInequality,
    statement: "‖I_U ∇ℓ(w;ζ)‖ ≤ L_U for all w, ζ and all U in Range(S)",
    hypotheses: "ℓ differentiable (3.3), convex (3.4), component-Lipschitz with constants L_U > 0 (3.7)",
    check: lem_c_1,
    ..Claim::ALONE
};

fn lem_c_1(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of L_U", 1));
    let [l, excess] = ["L_U", "excess"].map(Poly::var);
    let t = &factor * &l + &excess;
    Steps::new()
        .positive(&["L_U", "excess"])
        .at_most("a linear loss attains the bound", &l, &factor * &l)
        .suffices(
            "t = L_U + excess contradicts t² ≤ L_U·t",
            &l * &t,
            t.square(),
        )
        .proved_on("all L_U > 0, all losses of the hypotheses in any dimension")
}

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
    check: lem_3_9,
};

fn lem_3_9(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of L_U", 2));
    let (l, two) = (Poly::var("L_U"), Poly::from(2));
    let [u, v] = ["u", "v"].map(Poly::var);
    let parallelogram = &two * u.square() + &two * v.square() - (&u + &v).square();
    // With ‖u‖² = L_U² − r and ‖v‖² = L_U² − s the square of the distance is 4L_U² − 2r − 2s − ‖u+v‖².
    let [r, s, sum] = ["r", "s", "sum"].map(Poly::var);
    let distance = 4 * l.square() - &two * r - &two * s - sum.square();
    Steps::new()
        .positive(&["L_U", "r", "s"])
        .at_most("the pair W1 attains 2·L_U", &two * &l, &factor * &l)
        .equal(
            "‖u−v‖² by the parallelogram law",
            (&u - &v).square(),
            &parallelogram,
        )
        .suffices("‖u−v‖² ≤ (factor·L_U)²", &distance, (&factor * &l).square())
        .note("Attained by the pair W1.")
        .proved_on("all L_U > 0, all losses of the hypotheses in any dimension")
}

/// `skgd-fact-sens-f`. The n − 1 common samples (their gradients sum to `rest`) cancel, with both
/// gradients taken at the same w. As the replaced sample runs through all pairs (ζ, ζ'), the
/// suprema of both sides agree.
pub const FACT_SENS_F: Claim = Claim {
    id: "skgd-fact-sens-f",
    place: "App. D.1, last line of the proof of Theorem 4.1",
    kind: Kind::Sensitivity,
    statement: "Δ_U(∇f) = Δ_U(∇ℓ)/n when one of n samples is replaced and both gradients are taken at the same w",
    hypotheses: "replace-one neighbours, n public and equal, f the average of n losses",
    rests_on: &["skgd-lem-3.9"],
    by_hand: &[],
    check: fact_sens_f,
};

fn fact_sens_f(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of 1/n", 1));
    let [g, h, rest] = ["g", "g'", "rest"].map(Poly::var);
    let average = |own: &Poly| (own + &rest) * Poly::power("n", -1);
    let moved = average(&g) - average(&h);
    let claimed = factor * (&g - &h) * Poly::power("n", -1);
    Steps::new()
        .positive(&["n"])
        .equal("∇f_D − ∇f_D' = (∇ℓ(ζ) − ∇ℓ(ζ'))/n", &claimed, &moved)
        .note("With Lemma 3.9 the sensitivity is at most 2·L_U/n, attained by the pair W1.")
        .proved_on("all n ≥ 1, all gradients, coordinate by coordinate")
}
