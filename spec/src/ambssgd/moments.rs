//! Appendix B.2.1: moments of mini-batch SGD with a fixed noise scale.
//!
//! p = ηR_x²/b and q = η(b−1)‖H‖/b, so that the step-size condition is p + q ≤ 1.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, draw, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    LEM_B_3,
    LEM_B_3_REPAIRED,
    LEM_B_4,
    LEM_B_4_READING_GENERAL,
    LEM_B_4_READING_GENERAL_REPAIRED,
    LEM_B_5,
    LEM_B_7,
];

/// `ambssgd-lem-B.3`: the factor κ/2 of the last iterate. For x = ±1, b = N = 1, η = 1/4 the excess falls
/// to (3/4)², while the bound is ½·(3/4); at N = 0 it is below the initial excess whenever κ < 2.
pub const LEM_B_3: Claim = Claim {
    id: "ambssgd-lem-B.3",
    place: "App. B.2.1, Lemma B.3 (Jain et al. 2018)",
    kind: Kind::Imported,
    statement: "bias: L(w_N)−L* ≤ (κ/2)(1−ημ)^N(L(w_0)−L*), and (2/(η²N²μ²))(1−ημ)^t(L(w_0)−L*) \
        for the average of N iterates from t on",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖), no noise",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-B.3-repaired`: κ in place of κ/2. E‖ω_N‖²_H ≤ ‖H‖(1−ημ)^N‖ω_0‖² ≤ κ(1−ημ)^N‖ω_0‖²_H; the
/// second bound is the tail average with Σ_{i≥t}(1−ημ)^i ≤ (1−ημ)^t/(ημ) and ‖ω_0‖² ≤ (2/μ)(L(w_0)−L*).
pub const LEM_B_3_REPAIRED: Claim = Claim {
    id: "ambssgd-lem-B.3-repaired",
    place: "App. B.2.1, Lemma B.3 with κ",
    kind: Kind::ExpectationBound,
    statement: "bias: E[L(w_N)]−L* ≤ κ(1−ημ)^N(L(w_0)−L*), and (2/(η²N²μ²))(1−ημ)^t(L(w_0)−L*) for \
        the average of N iterates from t on",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖), no noise",
    rests_on: &["ambssgd-lem-B.5", "ambssgd-lem-tail-average"],
    by_hand: &[
        "E‖ω_N‖² ≤ (1−ημ)^N‖ω_0‖², by Lemma B.5 step by step",
        "‖·‖²_H ≤ ‖H‖‖·‖², ‖ω_0‖² ≤ ‖ω_0‖²_H/μ",
        "tail average and geometric sum",
    ],
    check: bias_bounds,
};

fn bias_bounds(c: &Check) -> Verdict {
    let average = Poly::from(c.constant("factor of 1/(η²N²μ²)", 2));
    let factor = Poly::from(c.constant("factor of κ", 1));
    let keep = Poly::from(ratio(3, 4));
    // ‖H‖ = κμ; ‖ω_0‖²_H = μ‖ω_0‖² + g.
    let [kappa, w, g] = ["κ", "μ‖ω_0‖²", "g"].map(Poly::var);
    let last = &kappa * &w;
    let weighted = &w + &g;
    // Tail average: (1/(ηN²))·(1/(ημ))·‖ω_0‖² in units of 1/(η²N²μ²): ‖ω_0‖²μ ≤ 2(L(w_0) − L*).
    let excess = ratio(1, 2) * &weighted;
    Steps::new()
        .positive(&["κ", "μ‖ω_0‖²", "g"])
        .at_most("x = ±1, b = N = 1, η = 1/4", keep.square(), &factor * &keep)
        .suffices("‖H‖‖ω_0‖² ≤ κ‖ω_0‖²_H", &last, factor * &kappa * &weighted)
        .suffices("tail average", &w, average * excess)
        .proved_on("all laws with fourth moments, b ≥ 1, N ≥ 1, η up to the bound")
}

/// `ambssgd-lem-B.4` for Σ = σ²H, the case of z independent of x to which the paper restricts itself.
/// With 𝒯_bV = Σ: V ⪯ cI for c = σ²/(2−p−q), so Tr V ≤ Tr A + pcd/(2−q), which is the printed middle
/// term; Tr A ≤ dσ²/(2−q), and dσ²/(2−q)·(1 + p/(2−p−q)) = dσ²/(2−p−q) ≤ dσ² = Tr(H⁻¹Σ); p + q = 1 attains that. The
/// stationary covariance is (η/b)𝒯_b⁻¹Σ, which gives the first two bounds, the second with a factor 2 to spare.
pub const LEM_B_4: Claim = Claim {
    id: "ambssgd-lem-B.4",
    place: "App. B.2.1, Lemma B.4 (Jain et al. 2018)",
    kind: Kind::Imported,
    statement: "variance: ≤ (η/2b)Tr(H𝒯_b⁻¹Σ) for the last and (2/(Nb))Tr(𝒯_b⁻¹Σ) for the averaged \
        iterate; Tr(𝒯_b⁻¹Σ) ≤ Tr(A) + […] ≤ 2Tr(H⁻¹Σ)",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖), Σ = σ²H (z independent of x); A as in the proof of Lemma \
        3.11 (the display that defines it is missing in our copy)",
    rests_on: &["ambssgd-lem-operator", "ambssgd-lem-tail-average"],
    by_hand: &[
        "V = 𝒯_b⁻¹Σ ⪯ cI, c = σ²/(2−p−q), by positivity of 𝒯_b⁻¹",
        "Tr V ≤ Tr A + pcd/(2−q) in the eigenbasis",
        "stationary covariance (η/b)𝒯_b⁻¹Σ and the tail average give the bounds of the two \
            iterates",
    ],
    check: lem_b_4,
};

fn lem_b_4(c: &Check) -> Verdict {
    let last = c.constant("factor of Tr(H⁻¹Σ)", 2);
    // In units of dσ², the printed middle term is Tr(A) + `bracket`.
    let [p, q] = symbols();
    let two_less = 2 - &p - &q;
    let bracket = &p / 4 / ((1 - (&p + &q) / 2) * (1 - &q / 2));
    let middle = 1 / (2 - &q) + bracket;
    let (domain, sum) = Domain::of("p + q", closed(0), closed(1));
    let bound = Forall::le(domain, 1 / (2 - sum), last);
    Argument::new(c)
        .needs_identity("Tr(A) + […] = dσ²/(2−p−q)", &middle, 1 / two_less)
        .states("ambssgd-lem-B.4", &bound)
        .proved_on("all laws with fourth moments, Σ = σ²H, b ≥ 1, η up to the bound")
}

/// `ambssgd-lem-B.4-reading-general`: for a covariance Σ = s·ee' on the eigenvector e of μ, with μ ≪ ‖H‖. The point
/// d = 10, p = 1/5, q = 4/5 (b − 1 = 4R_x²/‖H‖) also obeys the further condition on η that the proof of Lemma 3.11
/// prints, which for this Σ is p ≤ 2/d.
pub const LEM_B_4_READING_GENERAL: Claim = Claim {
    id: "ambssgd-lem-B.4-reading-general",
    place: "App. B.2.1, Lemma B.4, last inequality",
    kind: Kind::Imported,
    statement: "Tr(A) + […] ≤ 2Tr(H⁻¹Σ) for every Σ = E[z²xxᵀ]",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖) and η ≤ 2b·Tr(X)/(R_x²d‖X‖), X = (ℋ_L+ℋ_R)⁻¹Σ, as the \
        proof of Lemma 3.11 prints it (the display of Lemma B.4 itself is missing in our copy); z \
        may depend on x",
    check: lem_b_4_general,
    ..Claim::ALONE
};

/// `ambssgd-lem-B.4-reading-general-repaired`. With s = pd‖X‖/Tr(X) ≥ p, as the trace is at most
/// d times the norm, and Tr(X) = ½Tr(H⁻¹Σ), the bracket is s/((2−p−q)(2−q)) of Tr(H⁻¹Σ).
pub const LEM_B_4_READING_GENERAL_REPAIRED: Claim = Claim {
    id: "ambssgd-lem-B.4-reading-general-repaired",
    place: "App. B.2.1, Lemma B.4, last inequality, for a smaller step",
    kind: Kind::PathwiseInequality,
    statement: "Tr(A) + […] ≤ Tr(H⁻¹Σ) for every Σ = E[z²xxᵀ]",
    hypotheses: "η(R_x²·d‖X‖/Tr(X) + (b−1)‖H‖) ≤ b, X = (ℋ_L+ℋ_R)⁻¹Σ; z may depend on x",
    rests_on: &[],
    by_hand: &[
        "in the eigenbasis of H, A has the diagonal Σ_ii/(h_i(2 − η(b−1)h_i/b)), so that Tr(A) ≤ \
            Tr(H⁻¹Σ)/(2−q), and X has Σ_ii/(2h_i)",
        "Tr(X) ≤ d‖X‖, so that p = s − t with t ≥ 0; and q = 1 − s − r with r ≥ 0",
    ],
    check: |c| {
        let last = Poly::from(c.constant("factor of Tr(H⁻¹Σ)", 1));
        let [s, r, t] = ["s", "r", "t"].map(Poly::var);
        // 2 − q and 2 − p − q, with q = 1 − s − r and p = s − t.
        let (first, second) = (1 + &s + &r, 1 + &r + &t);
        Steps::new()
            .positive(&["s", "r", "t"])
            .at_most("p = 0, q = 1", 1, &last)
            .suffices("times (2−q)(2−p−q)", &second + &s, &last * &first * &second)
            .proved_on("all laws with fourth moments, b ≥ 1, η up to the bound")
    },
};

fn lem_b_4_general(c: &Check) -> Verdict {
    let last = c.constant("factor of Tr(H⁻¹Σ)", 2);
    let (one, d) = (Rational::from(1), Rational::from(10));
    let (p, q) = (ratio(1, 5), ratio(4, 5));
    draw_general(c, &[p.clone(), q.clone()]);
    // In units of s/μ: Tr(A) ≥ 1/2, and the bracket with ‖Σ‖_H = s/μ.
    let divisor = (one.clone() - Rational::from(&p + &q) / 2_u32) * (one - q / 2_u32);
    let middle = ratio(1, 2) + p * &d / 4_u32 / divisor;
    Argument::new(c)
        .repaired("ambssgd-lem-B.4-reading-general-repaired")
        .states_that("Σ on the least eigenvector", middle <= last, || {
            format!(
                "d = {d}, ηR_x²/b = 1/5, η(b−1)‖H‖/b = 4/5, Σ = s·ee' with He = μe, μ ≪ ‖H‖: the \
                    middle term is at least {middle}·s/μ, the right side {last}·s/μ"
            )
        })
        .open_for("one covariance")
}

/// The middle term in units of s/μ for d = 10, all p and q up to their conditions.
fn draw_general(c: &Check, point: &[Rational]) {
    let mut domain = Domain::new();
    let p = domain.real("p = η R_x²/b", closed(0), closed(ratio(1, 5)));
    let q = domain.real("q = η(b-1)‖H‖/b", closed(0), closed(1));
    let sum = &p + &q;
    let middle = ratio(1, 2) + ratio(5, 2) * p / ((1 - &sum / 2) * (1 - q / 2));
    let forall = Forall::le(domain, middle, 2).when_le(sum, 1);
    draw(c, "ambssgd-lem-B.4-reading-general", &forall, point);
}

/// `ambssgd-lem-B.5`. In the direction v with vᵀHv = h: E‖x‖²⟨x,v⟩² = R²h − s_1 and vᵀH²v = ‖H‖h − s_2.
pub const LEM_B_5: Claim = Claim {
    id: "ambssgd-lem-B.5",
    place: "App. B.2.1, Lemma B.5, eq. (40)",
    kind: Kind::ExpectationBound,
    statement: "E[B_jᵀB_j] ⪯ I − ηH(2 − (η/b)(R_x²+(b−1)‖H‖)) ⪯ I − ηH",
    hypotheses: "η ≤ b/(R_x²+(b−1)‖H‖), i.i.d. records",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[
        "in a direction v, E‖x‖²⟨x,v⟩² ≤ R_x²h and vᵀH²v ≤ ‖H‖h with h = vᵀHv; the differences \
            enter as variables",
        "the b records are independent",
    ],
    check: lem_b_5,
};

fn lem_b_5(c: &Check) -> Verdict {
    let rate = Poly::from(c.constant("factor of ηH", 1));
    let [eta, h] = ["η", "h"].map(Poly::var);
    let [r2, norm, more] = ["R²", "‖H‖", "b−1"].map(Poly::var);
    let inverse_b = Poly::var("1/b");
    let [s1, s2] = ["s_1", "s_2"].map(Poly::var);
    let one = Poly::from(1);
    let square = eta.square() * &inverse_b * ((&r2 * &h - s1) + &more * (&norm * &h - s2));
    let exact = &one - 2 * &eta * &h + square;
    let sum = &eta * &inverse_b * (&r2 + &more * &norm);
    let middle = &one - &eta * &h * (2 - sum);
    // (η/b)(R² + (b−1)‖H‖) = 1 − k.
    let last = &one - &eta * &h * (2 - (&one - Poly::var("k")));
    let bound = &one - rate * &eta * &h;
    Steps::new()
        .positive(&["η", "h", "R²", "‖H‖", "b−1", "1/b", "s_1", "s_2", "k"])
        .at_most("constant ‖x‖, b = 1, η = 1/R²", &one - &eta * &h, &bound)
        .suffices("first inequality", &exact, &middle)
        .suffices("second inequality", &last, &bound)
        .proved_on("all laws with fourth moments, b ≥ 1, η > 0 up to the bound")
}

/// `ambssgd-lem-B.7`. ν = (1/b)Σξ_i − (2ζα/b)g with independent, centred ξ_i and g.
pub const LEM_B_7: Claim = Claim {
    id: "ambssgd-lem-B.7",
    place: "App. B.2.1, Lemma B.7, eqs. (41), (42)",
    kind: Kind::ExpectationBound,
    statement: "E[ν_jν_jᵀ] = Σ/b + (4α²/b²)E[ζ_j²]I",
    hypotheses: "i.i.d. records, g_j ~ N(0, I) independent of them and of ζ_j",
    rests_on: &[],
    by_hand: &[
        "independent centred terms have no mixed expectations",
        "E[gg'] = I",
    ],
    check: lem_b_7,
};

fn lem_b_7(c: &Check) -> Verdict {
    let noise = Poly::from(c.constant("factor of α²E[ζ²]/b²", 4));
    // b equal terms Σ/b² from the diagonal; off-diagonal and mixed terms have mean 0.
    let inverse = Poly::power("b", -1);
    let records = Poly::var("b") * inverse.square() * Poly::var("Σ");
    let privacy = (2 * Poly::var("α") * &inverse).square() * Poly::var("E[ζ²]");
    let claimed = &inverse * Poly::var("Σ")
        + noise * Poly::power("α", 2) * inverse.square() * Poly::var("E[ζ²]");
    Steps::new()
        .positive(&["b", "α", "Σ", "E[ζ²]"])
        .equal("covariance of ν", records + privacy, &claimed)
        .proved_on("all b ≥ 1 and laws")
}
