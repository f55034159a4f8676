//! Appendix A.2.1: the two lemmas on Gaussian norms and on products of random contractions.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 2] = [LEM_A_5, LEM_A_6];

/// `ambssgd-lem-A.5`. In the eigenbasis log E\[e^{λ(‖X‖²−Tr Σ)}\] = Σ(−λs_i − ½log(1−2λs_i)) ≤
/// λ²‖Σ‖_F²/(1−2λ‖Σ‖), as the series have the coefficients 1/(2k) ≤ 1/4 for k ≥ 2; Chernoff's bound at
/// λ = √t/(F + 2b√t) has the exponent −t exactly, F = ‖Σ‖_F, b = ‖Σ‖_op.
pub const LEM_A_5: Claim = Claim {
    id: "ambssgd-lem-A.5",
    place: "App. A.2.1, Lemma A.5 (Rudelson and Vershynin 2013)",
    kind: Kind::Imported,
    statement: "X ~ N(0, Σ): P(‖X‖² ≥ Tr Σ + 2√t‖Σ‖_F + 2t‖Σ‖_op) ≤ e^{−t}",
    hypotheses: "t ≥ 0",
    rests_on: &[],
    by_hand: &[
        "Chernoff's bound in the eigenbasis with λ = √t/(F + 2b√t)",
        "−½log(1−2λs) − λs ≤ λ²s²/(1−2λs), by comparing the series coefficient by coefficient (40 \
            are computed)",
        "the eigenvalues contribute independently",
    ],
    check: lem_a_5,
};

fn lem_a_5(c: &Check) -> Verdict {
    let first = c.constant("coefficient of √t‖Σ‖_F", 2);
    let second = c.constant("coefficient of t‖Σ‖_op", 2);
    let i = Interval::from_rational;
    // One dimension, t = 20: the tail erfc(√((1 + first·√t + second·t)/2)) against e^{−t}.
    let t = Interval::from(20);
    let level = Interval::from(1) + i(&first) * t.sqrt() + i(&second) * &t;
    let tail = (level / Interval::from(2)).sqrt().erfc();
    let bound = (-t).exp();
    // Times D = F + 2br with r = √t: λu·D − t·F ≥ t·D for the exponent.
    let [f, b, r] = ["F", "b", "√t"].map(Poly::var);
    let u = Poly::from(first) * &f * &r + Poly::from(second) * &b * r.square();
    let exponent = &r * u - r.square() * &f;
    let needed = r.square() * (&f + 2 * &b * &r);
    let algebra = Steps::new().positive(&["F", "b", "√t"]).suffices(
        "exponent at λ = √t/(F + 2b√t)",
        &needed,
        &exponent,
    );
    let series = (2..=40_i64).all(|k| ratio(1, 2 * k as u64) <= ratio(1, 4));
    match algebra.proved_on("") {
        _ if bound.certainly_lt(&tail) => Verdict::refuted(
            format!("Σ = 1, t = 20: the tail is in {tail}, more than e^-20 in {bound}"),
            "interval enclosure of the complementary error function",
            None,
        ),
        Verdict::Proved(p) if series => Verdict::proved(
            "all Σ, t ≥ 0",
            format!("{}; 1/(2k) ≤ 1/4 for k ≥ 2 compares the series", p.evidence),
        ),
        Verdict::Proved(_) => Verdict::open("the series were not compared"),
        other => other,
    }
}

/// `ambssgd-lem-A.6`. For an eigenvalue h ≥ μ of H, 1 − 2ηh + η²R²h ≤ 1 − ημ as ηR² < 1; taking the
/// expectation over B_{T−1}, …, B_j in turn and Markov's inequality. (The last display prints the
/// product down to B_0.)
pub const LEM_A_6: Claim = Claim {
    id: "ambssgd-lem-A.6",
    place: "App. A.2.1, Lemma A.6, eq. (10)",
    kind: Kind::HighProbability,
    statement: "‖B_{T−1}⋯B_jz‖² ≤ (1/β)e^{−ημ(T−j)}‖z‖² with probability ≥ 1 − β",
    hypotheses: "x_t i.i.d., z independent of them, β > 0, η < 1/R_x²",
    rests_on: &["ambssgd-def-Rx", "ambssgd-lem-exp"],
    by_hand: &[
        "E[BᵀB] ⪯ I − 2ηH + η²R²H, then eigenvalue by eigenvalue",
        "expectation over B_{T−1}, …, B_j in turn",
        "Markov's inequality",
        "(1−ημ)^n ≤ e^{−ημn}",
    ],
    check: lem_a_6,
};

fn lem_a_6(c: &Check) -> Verdict {
    let rate = Poly::from(c.constant("factor of ημ in the rate", 1));
    let markov = Poly::from(c.constant("factor of 1/β", 1));
    // h = μ + g, ηR² = 1 − k.
    let [eta, mu, g, k] = ["η", "μ", "g", "k"].map(Poly::var);
    let h = &mu + &g;
    let left = Poly::from(1) - 2 * &eta * &h + &eta * (1 - &k) * &h;
    let right = 1 - rate * &eta * &mu;
    // ‖x‖² constant, H = μI, ηR² → 1 (k = 0): the left side is 1 − ημ.
    let limit = 1 - &eta * &mu;
    Steps::new()
        .positive(&["η", "μ", "g", "k"])
        .at_most("ηR_x² → 1, H = μI", &limit, &right)
        .suffices("1 − 2ηh + η²R²h ≤ 1 − ημ", &left, &right)
        .at_most("Markov's inequality at the level E/β", 1, &markov)
        .note("(1 − ημ)^n ≤ e^{−ημn}.")
        .proved_on("all laws with fourth moments, η < 1/R_x², β > 0")
}
