//! Appendix E.3: the lemmas on one inner step.
//!
//! Every statement is a sum over coordinates. In one coordinate, g is the gradient, u = θ − w*, p the
//! inclusion probability, γ the step size and s = E\[σ_S²·1{j ∈ S}\]; then E‖Cσ_S1‖²_D = D·s/p² and the
//! increment δ = −γc(g + η) has E δ = −γg and E δ² = γ²(pg² + s)/p².

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

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

/// 1/p with 0 < p ≤ 1, as 1 + r with r ≥ 0.
fn inverse_p() -> Poly {
    1 + Poly::var("r")
}

/// `skgd-lem-E.2`, σ_S being the standard deviation.
pub const LEM_E_2: Claim = Claim {
    id: "skgd-lem-E.2",
    place: "App. E.3, Lemma E.2",
    kind: Kind::ExpectationBound,
    statement: "E[C(x+η)] = x and E‖C(x+η)‖²_D = ‖x‖²_{P⁻¹D} + E‖Cσ_S1‖²_D",
    hypotheses: "C of eq. (1); given S, η is centred with covariance σ_S²I; D a fixed diagonal \
        matrix",
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
    check: lem_e_2_variance,
    ..Claim::ALONE
};

fn lem_e_2_variance(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the noise term", 1));
    // One instance is enough: both sets equally likely.
    let sets = [ratio(1, 2), ratio(1, 2)].map(Poly::from);
    second_moment(&factor, sets, &Clone::clone, Some("skgd-lem-E.2"))
}

/// Compares both sides of the second-moment identity in coordinate 1, which is in two sets of these probabilities, `variance`
/// being E η² as a function of σ_S.
fn second_moment(
    factor: &Poly,
    [q, both]: [Poly; 2],
    variance: &dyn Fn(&Poly) -> Poly,
    repaired: Option<&'static str>,
) -> Verdict {
    let [s, t] = ["σ_1", "σ_12"].map(Poly::var);
    let [x, d] = ["x", "D"].map(Poly::var);
    let p = &q + &both;
    // Times p²: Σ over the sets that contain coordinate 1 of q·D·E(x + η)².
    let enumerated = &d * (&q * (x.square() + variance(&s)) + &both * (x.square() + variance(&t)));
    let noise = &d * (&q * s.square() + &both * t.square());
    let claimed = &p * &d * x.square() + factor * &noise;
    let mean = &q * &x + &both * &x;
    Steps::new()
        .positive(&["q_1", "q_12", "σ_1", "σ_12", "D"])
        .equal("E[C(x+η)], times p", &p * &x, &mean)
        .equal("E‖C(x+η)‖²_D, times p²", &enumerated, &claimed)
        .repaired(repaired)
        .note(
            "Coordinates add; a third set containing the coordinate adds a term of the same form.",
        )
        .proved_on("all S, all diagonal D, all x, any d")
}

/// `skgd-lem-E.3`. Smoothness at θ, in expectation; α and f(w) cancel. Attained by f(w) = ½‖w‖²_M.
pub const LEM_E_3: Claim = Claim {
    id: "skgd-lem-E.3",
    place: "App. E.3, Lemma E.3",
    kind: Kind::ExpectationBound,
    statement: "E[f(θ⁺) − f(w)] − (1−α)(f(θ) − f(w)) ≤ α(f(θ) − f(w)) − ‖∇f‖²_Γ + ½(‖∇f‖²_{P⁻¹Γ²M} \
        + E‖Cσ_S1‖²_{Γ²M})",
    hypotheses: "3.6 (the lemma does not print it, its proof begins with it), any Γ, any α, any w",
    rests_on: &["skgd-lem-E.2"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-lem-E.4-reading-form`: the symbol ‖·‖²_{M⁻¹−P⁻¹Γ} read as a quadratic form of either sign. Rearranging the last
/// display of the proof gives the opposite sign. The check evaluates both sides on f(w) = ½hw² with h ≤ M.
pub const LEM_E_4_READING_FORM: Claim = Claim {
    id: "skgd-lem-E.4-reading-form",
    hypotheses: "f convex and M-smooth, any Γ",
    rests_on: &[],
    by_hand: &[],
    check: lem_e_4_form,
    ..LEM_E_4
};

fn lem_e_4_form(c: &Check) -> Verdict {
    let inverse_m = c.constant("coefficient of M⁻¹", 1);
    let inverse_p_gamma = c.constant("coefficient of P⁻¹Γ", -1);
    decide_e_4(&inverse_m, &inverse_p_gamma, Some("skgd-lem-E.4-repaired"))
}

/// Decides Lemma E.4 with ‖∇f‖² in the norm a·M⁻¹ + b·P⁻¹Γ: first on f(w) = ½hw², where a failure is
/// a counterexample, then for general f with u·g = g²/M + e, e ≥ 0, by cocoercivity.
fn decide_e_4(a: &Rational, b: &Rational, repaired: Option<&'static str>) -> Verdict {
    let (left, right) = e_4_on_quadratics(a, b);
    let [g, step] = ["g", "γ"].map(Poly::var);
    let product = g.square() * Poly::power("M", -1) + Poly::var("e");
    let noise = &step * inverse_p().square() * Poly::var("s");
    let decrease = 2 * &product - &step * inverse_p() * g.square() - &noise;
    let norm =
        Poly::from(a.clone()) * Poly::power("M", -1) + Poly::from(b.clone()) * inverse_p() * &step;
    Steps::new()
        .positive(&["γ", "h", "t", "r", "s", "M", "e"])
        .at_most(
            "f(w) = ½hw_1² of two coordinates, sampled alone, the first with 1/p = 1 + r; M = h + \
                t, times M",
            &left,
            &right,
        )
        .suffices(
            "u·g ≤ decrease + ‖∇f‖² + noise with u·g = g²/M + e",
            &product,
            decrease + norm * g.square() + noise,
        )
        .repaired(repaired)
        .note("Coordinates add.")
        .proved_on("all Γ, S, convex M-smooth f")
}

/// Both sides of Lemma E.4, times M = h + t, on f(w) = ½hw_1² in the first coordinate; in another one, which is sampled where the
/// first is not, both are 0 for w_2 = w*_2.
fn e_4_on_quadratics(inverse_m: &Rational, inverse_p_gamma: &Rational) -> (Poly, Poly) {
    let [u, h, step] = ["u", "h", "γ"].map(Poly::var);
    let m = &h + &Poly::var("t");
    let g = &h * &u;
    let decrease = distance_decrease(&u, &g);
    let noise = &step * inverse_p().square() * Poly::var("s");
    let scaled = &m * (decrease + noise)
        + Poly::from(inverse_m.clone()) * g.square()
        + &m * Poly::from(inverse_p_gamma.clone()) * inverse_p() * &step * g.square();
    (&m * &g * &u, scaled)
}

/// ‖θ−w*‖²_{Γ⁻¹} − E‖θ⁺−w*‖²_{Γ⁻¹} = 2ug − γg²/p − γs/p² in one coordinate.
fn distance_decrease(u: &Poly, g: &Poly) -> Poly {
    let step = Poly::var("γ");
    let moved = &step * (inverse_p() * g.square() + inverse_p().square() * Poly::var("s"));
    2 * u * g - moved
}

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
