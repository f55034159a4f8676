//! Section 3.1: Theorem 3.2 and Corollary 3.3. e_1 and e_2 are the two terms of Lemma 3.5.

use super::tail::empty;
use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    EQ_5_6,
    EQ_5_6_REPAIRED,
    THM_3_2,
    THM_3_2_REPAIRED,
    THM_3_2_RATE,
    THM_3_2_RATE_READING,
    THM_3_2_RATE_REPAIRED,
    COR_3_3,
    COR_3_3_UTIL,
];

/// `ambssgd-eq-5-6`: the step from (R_x²/2)‖w*‖² to (d/2)‖w*‖²_H. For x ~ N(0, I) it reads d + 2 ≤ d.
pub const EQ_5_6: Claim = Claim {
    id: "ambssgd-eq-5-6",
    place: "§3.1, proof of Theorem 3.2, eqs. (5), (6)",
    kind: Kind::HighProbability,
    statement: "from (5) to (6) (R_x²/2)‖w*‖² in the first term becomes (d/2)‖w*‖²_H: R_x²‖w*‖² ≤ d‖w*‖²_H",
    hypotheses: "parameters of Theorem 3.2",
    check: eq_5_6,
    ..Claim::ALONE
};

fn eq_5_6(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of d", 1));
    let [d, w] = ["d", "‖w*‖²"].map(Poly::var);
    // x ~ N(0, I_d): R_x² = d + 2 and ‖w*‖_H = ‖w*‖.
    Steps::new()
        .positive(&["d", "‖w*‖²"])
        .at_most("x ~ N(0, I_d)", (&d + 2) * &w, factor * &d * &w)
        .repaired("ambssgd-eq-5-6-repaired")
        .proved_on("")
}

/// `ambssgd-eq-5-6-repaired`: ‖w*‖² ≤ ‖w*‖²_H/μ; ηR_x²/(1−ηR_x²) ≤ 1; ‖Σ'‖_H = σ² + 4ζ²α²/μ and
/// Tr(H⁻¹Σ') ≤ d(σ² + 4ζ²α²/μ); ζ² ≤ 32K_2²R_x²κlog^{4a}N(‖w*‖²_H + σ²) for the printed ζ. The last term has
/// 2·4·32 = 256 in place of 128, for α = log(N/δ)/(ε√N).
pub const EQ_5_6_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-5-6-repaired",
    place: "§3.1, proof of Theorem 3.2, eqs. (5), (6)",
    kind: Kind::ExpectationBound,
    statement: "e_1 + e_2 ≤ (R_x²/(2μ))e^{−ημN/2}‖w*‖²_H + 2σ²d/N + 256·d·R_x²K_2²κlog^{4a}N(‖w*‖²_H+σ²)log²(N/δ)/(με²N²)",
    hypotheses: "ζ = 4K_2R_xlog^{2a}N(√‖H‖‖w*‖+√κσ), α = log(N/δ)/(ε√N), η ≤ 1/(2R_x²), Σ = σ²H",
    rests_on: &["ambssgd-lem-3.5"],
    by_hand: &[],
    check: eq_5_6_repaired,
};

fn eq_5_6_repaired(c: &Check) -> Verdict {
    let last = Poly::from(c.constant("factor of the last term", 256));
    let noise = Poly::from(c.constant("factor of σ²d/N", 2));
    // ζ²/(K²R²log^{4a}): 16(hw + √κσ)² ≤ 32κ(W + σ²) with hw² = κW − r, W = ‖w*‖²_H.
    let [a, b] = ["a", "b"].map(Poly::var);
    let sixteen = Poly::from(16);
    let doubled = 32 * (a.square() + b.square());
    let gap = &doubled - &sixteen * (&a + &b).square();
    // e_2·N ≤ 2d(σ² + 4ζ²α²/μ), with 4ζ²α²/μ = 4·32·u − r.
    let [d, s, u] = ["d", "σ²", "u"].map(Poly::var);
    let e2 = 2 * &d * (&s + 128 * &u - Poly::var("r"));
    let bound = noise * &d * &s + last * &d * &u;
    Steps::new()
        .positive(&["d", "σ²", "u", "r"])
        .equal("16(a+b)² ≤ 32(a²+b²)", &gap, sixteen * (&a - &b).square())
        .at_most(
            "H = μI, ηR_x² = ½, √μ‖w*‖ = σ: e_2 is 2d(σ² + 128u)/N",
            2 * &d * (&s + 128 * &u),
            &bound,
        )
        .suffices("e_2", &e2, &bound)
        .note("‖w*‖² ≤ ‖w*‖²_H/μ and e^{−ημ(N/2+1)} ≤ e^{−ημN/2}.")
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-thm-3.2`. Besides the empty premise, Lemma 3.5 bounds an expectation, and the theorem a
/// probability.
pub const THM_3_2: Claim = Claim {
    id: "ambssgd-thm-3.2",
    place: "§3.1, Theorem 3.2",
    kind: Kind::HighProbability,
    statement: "L(w̄) − L(w*) ≤ Õ(σ²d/N + (d²log²(N/δ)/(ε²N²))K_2²κ²(‖w*‖²_H+σ²)) with probability ≥ 1 − N^{−100}",
    hypotheses: "Definition 2.1 for x and z with β = N^{−100}, printed parameters, N ≥ Ω(κd·log^{2a+1}(κd)log(1/δ)/ε)",
    rests_on: &["ambssgd-def-2.1"],
    by_hand: &["no law satisfies Definition 2.1, as ambssgd-def-2.1 says"],
    check: |c| empty(c, "ambssgd-thm-3.2-corrected"),
};

/// `ambssgd-thm-3.2-repaired`. On the event E that no gradient is clipped, the run coincides with the run
/// without clipping on the same randomness; the excess is non-negative, so its expectation on E is at
/// most the expectation of Lemma 3.5. Markov's inequality turns that into a probability.
pub const THM_3_2_REPAIRED: Claim = Claim {
    id: "ambssgd-thm-3.2-repaired",
    place: "§3.1, Theorem 3.2, in expectation on the event without clipping",
    kind: Kind::HighProbability,
    statement: "with the ζ and η of the repaired Lemma A.9, E[(L(w̄)−L(w*))·1_E] ≤ e_1 + e_2 and P(E) ≥ 1 − N^{−100}; so L(w̄)−L(w*) ≤ (e_1 + e_2)/β with probability ≥ 1 − β − N^{−100}, for every β in (0, 1)",
    hypotheses: "repaired tail assumption with β = N^{−103}, z ~ N(0, σ²) independent of x, η ≤ 1/(2R_x²), N ≥ 7 and even",
    rests_on: &["ambssgd-lem-A.9-repaired", "ambssgd-lem-3.5"],
    by_hand: &[
        "on E the run is the unclipped run on the same randomness",
        "E[X·1_E] = E[Y·1_E] ≤ E[Y] for excess risks X, Y ≥ 0 that agree on E, and E[Y] is bounded by Lemma 3.5",
        "P(E) ≥ 1 − N^{−100} is lem-A.9-repaired; Markov's inequality and a union bound give the probability",
    ],
    check: super::risk::lem_3_5,
};

/// `ambssgd-thm-3.2-rate`: "minimax optimal up to a factor of 2" for the first term. In the display of the theorem that is σ²d/N. For
/// x ~ N(0, I) least squares has the risk ½σ²d/(N−d−1) in this scaling.
pub const THM_3_2_RATE: Claim = Claim {
    id: "ambssgd-thm-3.2-rate",
    place: "§3.1, remark i after Theorem 3.2",
    kind: Kind::Rate,
    statement: "the first term σ²d/N of Theorem 3.2 is at most 2 times the minimax risk, ½σ²d/(N−d−1), for L(w) = ½E(y−⟨x,w⟩)²",
    hypotheses: "x ~ N(0, I), z ~ N(0, σ²), N > d + 1",
    rests_on: &[],
    by_hand: &[
        "E(XᵀX)⁻¹ = I/(N−d−1) for normal rows",
        "least squares is minimax over all w* in the normal model: its risk is constant, and a limit of Bayes risks",
    ],
    check: |c| minimax_ratio(&ratio(1, 1), &c.constant("factor", 2), None),
};

/// `ambssgd-thm-3.2-rate-reading-6`: the first term that the proof ends in, 2σ²d/N in (6). The minimax risk is at most that of least
/// squares; the ratio tends to 4.
pub const THM_3_2_RATE_READING: Claim = Claim {
    id: "ambssgd-thm-3.2-rate-reading-6",
    place: "§3.1, remark i after Theorem 3.2, for the first term of (6)",
    kind: Kind::Rate,
    statement: "2σ²d/N is at most twice the minimax risk for L(w) = ½E(y−⟨x,w⟩)²",
    hypotheses: "x ~ N(0, I), N large",
    check: |c| {
        let factor = c.constant("factor", 2);
        minimax_ratio(&ratio(2, 1), &factor, Some("ambssgd-thm-3.2-rate-repaired"))
    },
    ..Claim::ALONE
};

/// `ambssgd-thm-3.2-rate-repaired`: four times the risk of least squares, for every N > d + 1.
pub const THM_3_2_RATE_REPAIRED: Claim = Claim {
    id: "ambssgd-thm-3.2-rate-repaired",
    place: "§3.1, remark i after Theorem 3.2",
    kind: Kind::Rate,
    statement: "2σ²d/N is at most 4 times the risk ½σ²d/(N−d−1) of least squares, and no smaller factor holds as N → ∞",
    hypotheses: "x ~ N(0, I), N > d + 1",
    rests_on: &[],
    by_hand: &[
        "the risk of least squares is ½σ²d/(N − d − 1), as E(XᵀX)⁻¹ = I/(N − d − 1) for rows N(0, I)",
    ],
    check: |c| {
        let factor = c.constant("factor", 4);
        minimax_ratio(&ratio(2, 1), &factor, None)
    },
};

fn minimax_ratio(term: &Rational, factor: &Rational, repaired: Option<&'static str>) -> Verdict {
    // term/N ≤ factor·½/(N−d−1) with N = d + 1 + n: times N·n.
    let [d, n] = ["d", "N−d−1"].map(Poly::var);
    let samples = &d + 1 + &n;
    let left = Poly::from(term.clone()) * n;
    let right = Poly::from(factor.clone() * ratio(1, 2)) * samples;
    Steps::new()
        .positive(&["d", "N−d−1"])
        .at_most("times N(N−d−1)", &left, &right)
        .repaired(repaired)
        .note("E(XᵀX)⁻¹ = I/(N−d−1) for N(0, I) rows.")
        .proved_on("all d, N > d + 1")
}

/// `ambssgd-cor-3.3`, item 1: the α of Theorem 3.1 with the constant 1, while that theorem does not print its own.
pub const COR_3_3: Claim = Claim {
    id: "ambssgd-cor-3.3",
    place: "§3.1, Corollary 3.3, item 1",
    kind: Kind::MechanismPrivacy,
    statement: "DP-SSGD with α = log(N/δ)/(ε√N) is (ε, δ)-DP for ε = O(√(log(1/δ)/N))",
    hypotheses: "α up to the constant that Theorem 3.1 leaves unnamed",
    rests_on: &["ambssgd-thm-3.1"],
    by_hand: &["Theorem 3.1 holds for every step size and clipping threshold"],
    check: super::shuffled::thm_3_1,
};

/// `ambssgd-cor-3.3-util`, item 2, in the setting of Theorem 3.2. (R_x² = d for N(0, I) is a wrong remark beside it; the
/// hypothesis N ≥ d²·log(ε/log(1/δ)) is void for ε ≤ log(1/δ), and ζ, η differ from those of Theorem 3.2.)
pub const COR_3_3_UTIL: Claim = Claim {
    id: "ambssgd-cor-3.3-util",
    place: "§3.1, Corollary 3.3, item 2",
    kind: Kind::HighProbability,
    statement: "with η = 1/(4d), ζ = √d√(‖w*‖²+σ²)log N, α = log(N/δ)/(ε√N) the excess is Õ(dσ²/N + d²(‖w*‖²+σ²)log²(N/δ)/(N²ε²)) with probability ≥ 1 − N^{−100}",
    hypotheses: "the setting of Theorem 3.2 with x ~ N(0, I), κ = 1; N ≥ d²log(ε/log(1/δ))",
    rests_on: &["ambssgd-thm-3.2"],
    by_hand: &["no law satisfies Definition 2.1, as ambssgd-def-2.1 says"],
    check: |c| empty(c, "ambssgd-thm-3.2-corrected"),
};
