//! Appendix A.2.1: the deviation bounds (11)–(25) behind Lemma A.9.
//!
//! x stands for ημ, l for log(1/β), L for log(2/β).

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    EQ_11,
    EQ_11_REPAIRED,
    EQ_13,
    EQ_15_17,
    EQ_15_17_REPAIRED,
    EQ_18,
    EQ_18_REPAIRED,
    EQ_20,
    EQ_24_25,
    EQ_24_25_REPAIRED,
];

/// `ambssgd-eq-11`: with each β equal to N^{−100}, log(1/β) is 100·log N, so that the equality with
/// log^{2a}N loses the factor 100^{2a}, which is 100 for a = ½.
pub const EQ_11: Claim = Claim {
    id: "ambssgd-eq-11",
    place: "App. A.2.1, proof of Lemma A.9, base case and eq. (11)",
    kind: Kind::HighProbability,
    statement: "R_xlog^a(1/β)·K_2(√‖H‖‖w_T−w*‖ + σ)log^a(1/β) = K_2R_xlog^{2a}N(√‖H‖‖w_T−w*‖ + σ) \
        for β = 1/poly(N)",
    hypotheses: "(2) and (4) with β = N^{−100}; a = 1/2",
    check: eq_11,
    ..Claim::ALONE
};

fn eq_11(c: &Check) -> Verdict {
    let exponent = Poly::from(c.constant("exponent of N in 1/β", 100));
    let bound = Poly::var("K_2R_x(√‖H‖‖ω‖+σ)");
    let log = Poly::var("log N");
    Steps::new()
        .positive(&["log N", "K_2R_x(√‖H‖‖ω‖+σ)"])
        .at_most(
            "log^{2a}(1/β) ≤ log^{2a}N",
            exponent * &log * &bound,
            &log * &bound,
        )
        .repaired("ambssgd-eq-11-repaired")
        .proved_on("β = 1/N only")
}

/// `ambssgd-eq-11-repaired`: L = log(2/β) is kept and the repaired tail assumption has K_2 in both
/// factors. ‖x(⟨x,ω⟩ − z)‖ ≤ ‖x‖(|⟨x,ω⟩| + |z|). A theorem of the kernel, of any law with these tails.
pub const EQ_11_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-11-repaired",
    place: "App. A.2.1, eq. (11) with the logarithm kept",
    kind: Kind::HighProbability,
    statement: "‖x_T(⟨x_T,w_T⟩−y_T)‖ ≤ K_2²R_xL^{2a}(√‖H‖‖w_T−w*‖ + σ) with probability ≥ 1 − 3β, \
        L = log(2/β)",
    hypotheses: "(2') for x with R_x² for E‖x‖² (ambssgd-fact-Rx-trace), (4') for x and z \
        (ambssgd-eq-4-repaired), for one β; w_T given, and independent of (x_T, z_T)",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-eq-13`. For q = η‖x_j‖² ≤ 1 the eigenvalues of B_j are 1 and 1 − q in \[0, 1\].
pub const EQ_13: Claim = Claim {
    id: "ambssgd-eq-13",
    place: "App. A.2.1, proof of Lemma A.9, eq. (13)",
    kind: Kind::HighProbability,
    statement: "‖B_{T−1}⋯B_0(w_0−w*)‖² ≤ ‖w*‖² with probability ≥ 1 − Tβ",
    hypotheses: "‖x_j‖² ≤ 1/η for each j with probability ≥ 1 − β, as by (2) for η ≤ \
        1/(R_x²·log^{2a}(1/β)) and by (2') for η ≤ 1/(K_2²R_x²·log^{2a}(2/β)); w_0 = 0",
    rests_on: &["ambssgd-fact-Rx-trace"],
    by_hand: &[
        "‖I − ηxxᵀ‖ = max{1, |1−η‖x‖²|}, norms multiply",
        "union bound over T records",
    ],
    check: eq_13,
};

fn eq_13(c: &Check) -> Verdict {
    let largest = Poly::from(c.constant("largest η‖x‖²", 1));
    let one = Poly::from(1);
    let [q, s] = ["q", "s"].map(Poly::var);
    // 1 − (1 − q)² = q(2 − q), with q = largest − s.
    let gap = &q * (2 - &largest + &s);
    Steps::new()
        .positive(&["q", "s"])
        .at_most("at the largest q", (&one - &largest).square(), &one)
        .suffices("(1 − q)² ≤ 1", 0, &gap)
        .note("Norms multiply; union bound over T records.")
        .proved_on("all T, β; pathwise on the event ‖x_j‖² ≤ 1/η for all j")
}

/// `ambssgd-eq-15-17`: (15) and (16) hold; the step from 1/(1−e^{−ημ}) to 3 does not for small ημ.
pub const EQ_15_17: Claim = Claim {
    id: "ambssgd-eq-15-17",
    place: "App. A.2.1, proof of Lemma A.9, eqs. (15)–(17)",
    kind: Kind::HighProbability,
    statement: "Tr(Q) ≤ d + (d/β)e^{−ημ(T−τ̃)}/(1−e^{−ημ}) + d(T−τ̃−1) ≤ d(T−τ̃) + \
        (3d/β)e^{−ημ(T−τ̃)}",
    hypotheses: "0 < ημ ≤ 1/2",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-15-17-repaired`: 1 + 1/(ημ) in place of 3, and the cut rounded up to an integer. The
/// trace of each early term has mean at most d(1−ημ)^{T−τ} (Lemma A.6 for a trace), the late terms have
/// norm at most 1.
pub const EQ_15_17_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-15-17-repaired",
    place: "App. A.2.1, eq. (17) with the geometric sum kept",
    kind: Kind::HighProbability,
    statement: "Tr(Q) ≤ d(101·log(1/β)/(ημ) + 1 + β^{100}(1 + 1/(ημ))) with probability ≥ 1 − 2Tβ",
    hypotheses: "‖B_j‖ ≤ 1 for all j (eq. 13), 0 < η < 1/R_x², T − τ̃ = ⌈101·log(1/β)/(ημ)⌉",
    rests_on: &["ambssgd-lem-A.6", "ambssgd-eq-13", "ambssgd-lem-geometric"],
    by_hand: &[
        "the trace of an early term has mean at most d(1−ημ)^{T−τ}, by Lemma A.6 summed over a \
            basis; Markov's inequality and a union bound",
        "late terms have norm at most 1",
        "1/(1−e^{−x}) = 1 + 1/x − g with g ≥ 0 (ambssgd-lem-geometric), and the cut rounded up",
    ],
    check: |c| repaired_trace(c, "d"),
};

/// d + (d/β)β^{101}(1 + 1/x) + d(n − 1) with n = 101·l/x + 1 − f, f in \[0, 1).
fn repaired_trace(c: &Check, unit: &'static str) -> Verdict {
    let cut = c.constant("numerator of the cut", 101);
    let left = c.constant("power of β that is left", 100);
    let factor = Poly::from(c.constant("factor of 1 + 1/(ημ)", 1));
    if cut.clone() - 1 < left {
        return Verdict::open("β^(cut − 1) exceeds the printed power of β");
    }
    let d = Poly::var(unit);
    let (inverse_x, l, b) = (
        Poly::power("ημ", -1),
        Poly::var("log(1/β)"),
        Poly::var("β^100"),
    );
    let sum = 1 + &inverse_x;
    // 1/(1−e^{−x}) = 1 + 1/x − g.
    let early = &d * &b * (&sum - Poly::var("g"));
    let late = &d * (Poly::from(cut.clone()) * &l * &inverse_x - Poly::var("f"));
    let bound = &d * (Poly::from(cut) * l * inverse_x + 1 + &factor * &b * &sum);
    Steps::new()
        .positive(&[unit, "ημ", "log(1/β)", "β^100", "f", "g"])
        .at_most("ημ → ∞: the sum tends to 1", 1, &factor)
        .suffices("the three parts", &d + early + late, &bound)
        .note("Union bound over at most T traces and T norms.")
        .proved_on("all η and laws of the hypotheses, β in (0, 1), T")
}

/// `ambssgd-eq-18`: for d = T = 1, Q = 1 and the bound reads P(g² > log(1/β)) ≤ β.
pub const EQ_18: Claim = Claim {
    id: "ambssgd-eq-18",
    place: "App. A.2.1, proof of Lemma A.9, eq. (18)",
    kind: Kind::HighProbability,
    statement: "‖g̃‖ ≤ √Tr(Q)·√log(1/β) with probability ≥ 1 − β for g̃ ~ N(0, Q)",
    hypotheses: "β in (0, 1)",
    check: eq_18,
    ..Claim::ALONE
};

fn eq_18(c: &Check) -> Verdict {
    let factor = c.constant("factor of Tr(Q)·log(1/β)", 1);
    let log = Interval::from(10_000).ln();
    let tail = (Interval::from_rational(&(factor * ratio(1, 2))) * log)
        .sqrt()
        .erfc();
    let beta = Interval::from_rational(&ratio(1, 10_000));
    Argument::new(c)
        .repaired("ambssgd-eq-18-repaired")
        .states_that(
            "d = T = 1, β = 10⁻⁴",
            !beta.certainly_lt(&tail),
            || format!("d = T = 1, β = 10⁻⁴: P(g² > log(1/β)) is in {tail}"),
        )
        .open_for("one law")
}

/// `ambssgd-eq-18-repaired`: (8/3)log(2/β) in place of log(1/β), and the repaired (17).
pub const EQ_18_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-18-repaired",
    place: "App. A.2.1, eq. (18) with a valid Gaussian tail",
    kind: Kind::HighProbability,
    statement: "‖g̃‖² ≤ (8/3)·104·d·L²/(ημ) with probability ≥ 1 − (2T+1)β, L = log(2/β)",
    hypotheses: "‖B_j‖ ≤ 1 for all j (eq. 13), 0 < η < 1/R_x², ημ ≤ 1, β ≤ 2/e",
    rests_on: &["ambssgd-eq-15-17-repaired", "ambssgd-lem-gaussian-tail"],
    by_hand: &[
        "given the B_j, g̃ is N(0, Q), so that ambssgd-lem-gaussian-tail applies conditionally",
        "union bound",
        "log(1/β) = L − r with r > 0 is substituted",
    ],
    check: |c| {
        let factor = Poly::from(c.constant("factor of L/(ημ)", 104));
        trace_in_one_term(&factor)
            .note("The Gaussian tail multiplies by (8/3)L.")
            .proved_on("all η and laws of the hypotheses, β ≤ 2/e, all d, T")
    },
};

/// 101·l/x + 1 + β^{100}(1 + 1/x) ≤ factor·L/x for x ≤ 1 ≤ L, log(1/β) ≤ L, β ≤ 1: in units of 1/x with
/// 1 = x + y, L = 1 + t, l = L − r, β^{100} = 1 − k.
pub(super) fn trace_in_one_term(factor: &Poly) -> Steps {
    let one = Poly::from(1);
    let [x, y, r, k] = ["x", "y", "r", "k"].map(Poly::var);
    let log = &one + Poly::var("t");
    let cut = 101 * &log;
    let left = &cut - 101 * r + &x + (&one - k) * (&x + &one);
    let upper = &cut + &one + 2 * (x + y);
    Steps::new()
        .positive(&["x", "y", "r", "k", "t"])
        .suffices("x ≤ 1, l ≤ L, β ≤ 1", &left, &upper)
        .suffices("101L + 3 ≤ factor·L with x + y = 1", cut + 3, factor * log)
}

/// `ambssgd-eq-20`. ‖M‖_F and ‖M‖_op are at most Tr(M) for positive semidefinite M, and
/// 1 + 2√l + 2l ≤ 5l for l ≥ 1. (The covariance of Vz is printed as σ²VᵀV; it is σ²VVᵀ, of the same
/// trace and norms.)
pub const EQ_20: Claim = Claim {
    id: "ambssgd-eq-20",
    place: "App. A.2.1, proof of Lemma A.9, eqs. (19), (20)",
    kind: Kind::HighProbability,
    statement: "‖Vz‖² ≤ σ²Tr(VᵀV)(1 + 2√log(1/β) + 2·log(1/β)) ≤ 5σ²Tr(VᵀV)·log(1/β) with \
        probability ≥ 1 − β",
    hypotheses: "z ~ N(0, σ²I) independent of V, β ≤ 1/e (every β is 1/poly(N))",
    rests_on: &["ambssgd-lem-A.5"],
    by_hand: &[
        "given V, Vz is N(0, σ²VVᵀ), so that Lemma A.5 applies conditionally",
        "‖M‖_F and ‖M‖_op are at most Tr M for M ⪰ 0 (two eigenvalues are computed)",
    ],
    check: eq_20,
};

fn eq_20(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of σ²Tr(VᵀV)·log(1/β)", 5));
    let root = 1 + Poly::var("t");
    let sum = |r: &Poly| Poly::from(1) + 2 * r + 2 * r.square();
    // Norms of a matrix with eigenvalues a, b ≥ 0 against its trace.
    let [a, b] = ["a", "b"].map(Poly::var);
    let one = Poly::from(1);
    Steps::new()
        .positive(&["t", "a", "b"])
        .at_most("log(1/β) = 1", sum(&one), &factor)
        .suffices(
            "1 + 2√l + 2l ≤ 5l for √l = 1 + t",
            sum(&root),
            &factor * root.square(),
        )
        .suffices("‖M‖_F ≤ Tr(M)", a.square() + b.square(), (&a + &b).square())
        .proved_on("β ≤ 1/e, all V")
}

/// `ambssgd-eq-24-25`: the same step from 1/(1−e^{−ημ}) to 3 as in (17).
pub const EQ_24_25: Claim = Claim {
    id: "ambssgd-eq-24-25",
    place: "App. A.2.1, proof of Lemma A.9, eqs. (21)–(25)",
    kind: Kind::HighProbability,
    statement: "Tr(VᵀV) ≤ R_x²·log^{2a}(1/β)·(T−τ̃) + (R_x²/β)e^{−ημ(T−τ̃)}/(1−e^{−ημ}) ≤ \
        R_x²·log^{2a}(1/β)·(T−τ̃) + (3R_x²/β)e^{−ημ(T−τ̃)}",
    hypotheses: "0 < ημ ≤ 1/2",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-24-25-repaired`: as `ambssgd-eq-15-17-repaired` with ‖x_j‖² ≤ K_2²R_x²L^{2a} in place of d.
pub const EQ_24_25_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-24-25-repaired",
    place: "App. A.2.1, eq. (24) with the geometric sum kept",
    kind: Kind::HighProbability,
    statement: "Tr(VᵀV) ≤ K_2²R_x²L^{2a}(101·log(1/β)/(ημ) + 1 + β^{100}(1 + 1/(ημ))) with \
        probability ≥ 1 − 3Tβ",
    hypotheses: "(2') for each x_j, ‖B_j‖ ≤ 1 for all j, 0 < η < 1/R_x², K_2, L ≥ 1",
    rests_on: &[
        "ambssgd-lem-A.6",
        "ambssgd-eq-13",
        "ambssgd-lem-geometric",
        "ambssgd-def-2.1-repaired",
    ],
    by_hand: &[
        "E‖∏B_j x‖² ≤ (1−ημ)^n E‖x‖²; Markov's inequality and a union bound",
        "‖x_j‖² ≤ K_2²R_x²L^{2a} on the event (2')",
        "the algebra of ambssgd-eq-15-17-repaired, with K_2²R_x²L^{2a} for d",
    ],
    check: |c| repaired_trace(c, "K_2²R_x²L^2a"),
};
