//! Appendix A.2.2: the risk of DP-SSGD without clipping, Lemma 3.5.
//!
//! e_1 = (R_x²/2)e^{−ημ(N/2+1)}‖w*‖² and e_2 = (1/N)(ηR_x²/(1−ηR_x²))d‖Σ'‖_H + (1/N)Tr(H⁻¹Σ') are the two
//! terms of Lemma 3.5, Σ' = Σ + 4ζ²α²I.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    LEM_A_8,
    EQ_36,
    EQ_39,
    LEM_3_5,
    LEM_3_5_PROOF,
    LEM_3_5_READING_PATHWISE,
];

/// `ambssgd-lem-A.8`, for any covariance Σ' of the additive noise. C_∞ ⪯ cI with
/// c = η‖Σ'‖_H/(2 − ηR²), since ℋ_L + ℋ_R − η𝓜 maps cI to at least c(2 − ηR²)H; then
/// Tr C_∞ = (η/2)(E\[xᵀC_∞x·xᵀH⁻¹x\] + Tr(H⁻¹Σ')) ≤ (η/2)(cR²d + Tr(H⁻¹Σ')), and 2 − ηR² ≥ 1 − ηR².
pub const LEM_A_8: Claim = Claim {
    id: "ambssgd-lem-A.8",
    place: "App. A.2.1, Lemma A.8 (Jain et al. 2017)",
    kind: Kind::Imported,
    statement: "½E[‖w̄_{t:T}−w*‖²_H | w_0 = w*] ≤ Tr(C_∞)/(η(T−t+1)), Tr(C_∞) ≤ \
        ½(η²R_x²/(1−ηR_x²))d‖Σ‖_H + (η/2)Tr(H⁻¹Σ)",
    hypotheses: "one-sample SGD, 0 < η < 1/R_x² (implied: the right side is negative or undefined \
        beyond)",
    rests_on: &["ambssgd-lem-tail-average", "ambssgd-def-Rx"],
    by_hand: &[
        "C_∞ ⪯ cI with c = η‖Σ‖_H/(2−ηR²), as the inverse of the operator is positive",
        "the equation for C_∞ is traced against H⁻¹",
        "the tail average of iterates with E[ω_tω_tᵀ] ⪯ C_∞",
    ],
    check: lem_a_8,
};

fn lem_a_8(c: &Check) -> Verdict {
    let first = Poly::from(c.constant("coefficient of the first term of Tr(C_∞)", ratio(1, 2)));
    let second = Poly::from(c.constant("coefficient of the second term", ratio(1, 2)));
    // y = ηR² in (0, 1): y = 1 − q; S = d‖Σ'‖_H ≥ 0, t = Tr(H⁻¹Σ'). In units of η, times q(1 + q) > 0.
    let [q, s, t] = ["q", "S", "t"].map(Poly::var);
    let one = Poly::from(1);
    let y = Poly::var("y");
    let half = Poly::from(ratio(1, 2));
    let derived = &half * (&y * &s * &q + &t * &q * (&one + &q));
    let printed = &first * &y * &s * (&one + &q) + &second * &t * &q * (&one + &q);
    // d = 1, x = ±1: Tr(C_∞) = ησ²/(2 − η), in units of ησ², at η = 1/1000 against the print.
    let eta = ratio(1, 1000);
    let exact = Rational::from(1) / (Rational::from(2) - &eta);
    let bound = &first * Poly::from(eta.clone() / (Rational::from(1) - &eta)) + &second;
    Steps::new()
        .positive(&["q", "S", "t", "y"])
        .at_most("d = 1, x = ±1, η = 1/1000", exact, &bound)
        .suffices("Tr(C_∞) in units of η, times q(1+q)", &derived, &printed)
        .note("The bound C_∞ ⪯ cI and the tail average are argued in the doc comments.")
        .proved_on("all laws with fourth moments, positive semidefinite Σ, 0 < η < 1/R_x²")
}

/// `ambssgd-eq-36`. Jensen's inequality, ‖·‖²_H ≤ ‖H‖‖·‖² ≤ R_x²‖·‖², and E‖B_{τ−1}⋯B_0w*‖² ≤
/// (1−ημ)^τ‖w*‖² ≤ e^{−ημτ}‖w*‖² with τ ≥ N/2 + 1.
pub const EQ_36: Claim = Claim {
    id: "ambssgd-eq-36",
    place: "App. A.2.2, eqs. (35), (36)",
    kind: Kind::ExpectationBound,
    statement: "½E[‖w̄−w*‖²_H | ν = 0] ≤ (R_x²/2)e^{−ημ(N/2+1)}‖w*‖²",
    hypotheses: "no clipping, η < 1/R_x², N even",
    rests_on: &["ambssgd-lem-A.6", "ambssgd-fact-Rx-trace"],
    by_hand: &[
        "Jensen's inequality for the average of N/2 iterates",
        "‖·‖²_H ≤ ‖H‖‖·‖² ≤ R_x²‖·‖²",
        "E‖B_{τ−1}…B_0w*‖² ≤ (1−ημ)^τ‖w*‖²",
    ],
    check: eq_36,
};

fn eq_36(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the exponential", ratio(1, 2)));
    // ‖H‖ = R² − r; each of the N/2 terms is at most the first, E = e^{−ημ(N/2+1)}‖w*‖².
    let [r2, r, e] = ["R²", "r", "E"].map(Poly::var);
    let half = Poly::from(ratio(1, 2));
    // d = 1, x = ±1, η → 0: every iterate of the bias is w*, so the left side tends to ½‖w*‖².
    Steps::new()
        .positive(&["E", "R²", "r"])
        .at_most("η → 0, x = ±1", &half * &e, &factor * &e)
        .suffices(
            "average of N/2 terms",
            &half * (&r2 - r) * &e,
            factor * r2 * e,
        )
        .note("Jensen's inequality for the average.")
        .proved_on("all laws with fourth moments, η < 1/R_x², even N")
}

/// `ambssgd-eq-39`: Lemma A.8 with N/2 averaged iterates and Σ' in place of Σ.
pub const EQ_39: Claim = Claim {
    id: "ambssgd-eq-39",
    place: "App. A.2.2, eqs. (37)–(39)",
    kind: Kind::ExpectationBound,
    statement: "½E[‖w̄−w*‖²_H | w_0 = w*] ≤ (1/N)(ηR_x²/(1−ηR_x²))d‖Σ'‖_H + (1/N)Tr(H⁻¹Σ'), Σ' = Σ \
        + 4ζ²α²I",
    hypotheses: "no clipping, 0 < η < 1/R_x², N even, z independent of x",
    rests_on: &["ambssgd-lem-A.8"],
    by_hand: &[
        "Lemma A.8 is applied with Σ' = Σ + 4ζ²α²I",
        "E[ννᵀ] = Σ', since ξ and g are centred and independent",
    ],
    check: eq_39,
};

fn eq_39(c: &Check) -> Verdict {
    let noise = Poly::from(c.constant("factor of ζ²α² in Σ'", 4));
    let terms = c.constant("averaged iterates in units of N", ratio(1, 2));
    if terms <= 0 {
        return Verdict::refuted("no iterate is averaged", "index range", None);
    }
    let [a, b] = ["(ηR²/(1−ηR²))d‖Σ'‖_H", "Tr(H⁻¹Σ')"].map(Poly::var);
    let half = Poly::from(ratio(1, 2));
    // Tr(C_∞)/(η·terms·N), in units of 1/N.
    let bound = Poly::from(Rational::from(1) / terms) * &half * (&a + &b);
    // ν = ξ − 2ζαg: E νν' = Σ + (2ζα)²I.
    let covariance = Poly::from(2).square() * Poly::power("ζα", 2);
    Steps::new()
        .positive(&["(ηR²/(1−ηR²))d‖Σ'‖_H", "Tr(H⁻¹Σ')"])
        .equal(
            "covariance of the privacy noise",
            &covariance,
            noise * Poly::power("ζα", 2),
        )
        .equal("Tr(C_∞)/(ηN/2), times N", &bound, a + b)
        .proved_on("all laws with fourth moments, 0 < η < 1/R_x², even N")
}

/// `ambssgd-lem-3.5`, in expectation and for z independent of x, as the paper assumes. The bias part
/// depends on the x_t alone, and given these every ν_t has mean 0: the cross term of ω̄ = bias + variance
/// vanishes and ½E‖ω̄‖²_H is the sum of (36) and (39).
pub const LEM_3_5: Claim = Claim {
    id: "ambssgd-lem-3.5",
    place: "§3.1, Lemma 3.5, proof in App. A.2.2",
    kind: Kind::ExpectationBound,
    statement: "E[L(w̄)] − L(w*) ≤ (R_x²/2)e^{−ημ(N/2+1)}‖w*‖² + (1/N)(ηR_x²/(1−ηR_x²))d‖Σ'‖_H + \
        (1/N)Tr(H⁻¹Σ')",
    hypotheses: "no clipping at any step, η ≤ 1/(2R_x²), N even, z independent of x; expectation \
        over data and noise, and E[z] = 0 (not printed)",
    rests_on: &["ambssgd-fact-excess", "ambssgd-eq-36", "ambssgd-eq-39"],
    by_hand: &[
        "the bias depends on the x_t alone, and given these every ν_t has mean 0, so the cross \
            term vanishes (computed for two steps of one law)",
        "(36) and (39) are added",
        "the excess risk is ½‖w̄ − w*‖²_H (ambssgd-fact-excess)",
    ],
    check: lem_3_5,
};

pub(super) fn lem_3_5(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of e_1 + e_2", 1));
    let [e1, e2, r] = ["e_1", "e_2", "r"].map(Poly::var);
    let total = &e1 + &e2 - r;
    // σ = ζα = 0 and x = ±1, η → 0: the risk tends to ½‖w*‖² = e_1.
    if cross_term() != 0 {
        return Verdict::open("the cross term of bias and variance does not vanish");
    }
    Steps::new()
        .positive(&["e_1", "e_2", "r"])
        .at_most("η → 0, no noise, x = ±1", &e1, &factor * &e1)
        .suffices("(36) + (39)", &total, factor * (&e1 + &e2))
        .note(
            "The cross term vanishes (doc comment; enumerated exactly for two steps with x in {1, \
                2}, z = ±1, g = ±1).",
        )
        .proved_on("all laws with fourth moments and z independent of x, even N")
}

/// E\[bias·variance\] of w_2 over all outcomes of two steps, d = 1, η = 1/8, w_0 − w* = 1.
fn cross_term() -> Rational {
    let eta = ratio(1, 8);
    let mut sum = Rational::new();
    for outcome in 0..64_u32 {
        let bit = |k: u32| outcome >> k & 1 == 1;
        let sign = |k: u32| Rational::from(if bit(k) { 1 } else { -1 });
        let (mut bias, mut variance) = (Rational::from(1), Rational::new());
        for t in 0..2 {
            let x = Rational::from(if bit(3 * t) { 1 } else { 2 });
            let keep = Rational::from(1) - eta.clone() * &x * &x;
            bias *= &keep;
            variance = variance * keep + eta.clone() * (sign(3 * t + 1) * &x - sign(3 * t + 2));
        }
        sum += bias * variance;
    }
    sum
}

/// `ambssgd-lem-3.5-proof`: (34) is ½(√A + √B)² with A = E\[‖ω̄‖²_H | ν = 0\] and B the variance term, while
/// (36) and (39) bound ½A and ½B; the next display puts e_1, e_2 for A, B.
pub const LEM_3_5_PROOF: Claim = Claim {
    id: "ambssgd-lem-3.5-proof",
    place: "App. A.2.2, the two displays after (39)",
    kind: Kind::PathwiseInequality,
    statement: "½(√A + √B)² ≤ e_1 + e_2 for ½A ≤ e_1, ½B ≤ e_2",
    hypotheses: "A, B ≥ 0",
    check: lem_3_5_proof,
    ..Claim::ALONE
};

fn lem_3_5_proof(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of e_1 + e_2", 1));
    // a = √A, b = √B, with e_1 = ½a², e_2 = ½b².
    let [a, b] = ["√A", "√B"].map(Poly::var);
    let half = Poly::from(ratio(1, 2));
    let left = &half * (&a + &b).square();
    let right = factor * &half * (a.square() + b.square());
    Steps::new()
        .positive(&["√A", "√B"])
        .at_most("½A = e_1, ½B = e_2", &left, &right)
        .repaired("ambssgd-lem-3.5")
        .proved_on("")
}

/// `ambssgd-lem-3.5-reading-pathwise`: (5) in the proof of Theorem 3.2 uses the lemma "under the event", as an inequality
/// between random variables. With d = 1, x = ±1, w* = 0, σ = 0, N = 2, η = ½, ζ = 100, α = 1/100 the output is −½g_0 − g_1, of
/// variance 5/4, and e_1 + e_2 = 4, unless the one gradient that is not 0, of size |g_0|, exceeds ζ.
pub const LEM_3_5_READING_PATHWISE: Claim = Claim {
    id: "ambssgd-lem-3.5-reading-pathwise",
    place: "§3.1, Lemma 3.5 as displayed, and eq. (5)",
    kind: Kind::HighProbability,
    statement: "L(w̄) − L(w*) ≤ e_1 + e_2 with probability ≥ 1 − N^{−100}, if no gradient is \
        clipped",
    hypotheses: "as Lemma 3.5",
    check: pathwise,
    ..Claim::ALONE
};

fn pathwise(c: &Check) -> Verdict {
    let factor = c.constant("factor of e_1 + e_2", 1);
    let exponent = c.constant("exponent of N", 100);
    // P(½w̄² > factor·4) = 2Φ(−√(8·factor/(5/4))), less P(|g_0| > ζ).
    let i = Interval::from_rational;
    let exceeds = (-i(&(factor * ratio(32, 5))).sqrt()).phi();
    let chance = Interval::from(2) * (exceeds - Interval::from(-100).phi());
    let allowed = (-i(&exponent) * Interval::from(2).ln()).exp();
    Argument::new(c)
        .repaired("ambssgd-lem-3.5")
        .states_that("one law", !allowed.certainly_lt(&chance), || {
            format!(
                "d = 1, x = ±1, w* = 0, σ = 0, N = 2, η = 1/2, ζ = 100, α = 1/100: no gradient is \
                    clipped and the excess risk exceeds e_1 + e_2 = 4 with probability at least \
                    {:.4}, where N^(−{exponent}) is claimed",
                chance.lo_digits(4)
            )
        })
        .open_for("one law")
}
