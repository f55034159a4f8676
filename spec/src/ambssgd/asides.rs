//! What is said of other methods, of gradients and their clipping, of estimates and of a second run.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    CMP_EXISTING,
    REM_GRADIENT,
    REM_EIGENVALUES_SIZE,
    REM_RESTART_READING_CONTRACTION,
    REM_HUBER,
    EQ_53_PROOF_INDEX,
];

/// `ambssgd-cmp-existing`, with r = √d and e = 1/ε.
pub const CMP_EXISTING: Claim = Claim {
    id: "ambssgd-cmp-existing",
    place: "§1, paragraph 5; §1.3; §3, DP-SGD; remark ii after Theorem 3.2; remark v after Theorem \
        3.7",
    kind: Kind::PathwiseInequality,
    statement: "a noise of d independent entries of variance (d/N)² has E‖·‖² = (d√d/N)²; d·(1/√N \
        + √d/(εN)) is 1 + 1/(ε√d) at N = d²; d²R_x²‖w*‖²/(ε²N²) at R_x² = d is d times \
        d²‖w*‖²/(ε²N²), and d³/(ε²N²) is d/σ² times σ²d²/(ε²N²)",
    hypotheses: "d, N ≥ 1; ε, σ > 0",
    check: cmp_existing,
    ..Claim::ALONE
};

fn cmp_existing(c: &Check) -> Verdict {
    let size = c.constant("power of d in N", 2);
    let entries = Poly::power("r", 2);
    // √N = r² at N = d².
    let root = if size == 2 { 2 } else { 3 };
    let erm = Poly::power("r", 2)
        * (Poly::power("r", -root) + Poly::var("r") * Poly::var("e") * Poly::power("r", -2 * root));
    let scale = Poly::power("e", 2) * Poly::power("N", -2);
    let d = Poly::power("r", 2);
    Steps::new()
        .positive(&["r", "e", "N", "σ", "‖w*‖"])
        .equal(
            "d entries of variance (d/N)²",
            entries * Poly::power("r", 4) * Poly::power("N", -2),
            (Poly::power("r", 3) * Poly::power("N", -1)).square(),
        )
        .equal("N = d²", erm, 1 + Poly::var("e") * Poly::power("r", -1))
        .equal(
            "R_x² = d",
            d.square() * &d * Poly::power("‖w*‖", 2) * &scale,
            &d * (d.square() * Poly::power("‖w*‖", 2) * &scale),
        )
        .equal(
            "d³ and σ²d²",
            d.square() * &d * &scale,
            &d * Poly::power("σ", -2) * (Poly::power("σ", 2) * d.square() * &scale),
        )
        .proved_on("all d, N, ε, σ")
}

/// `ambssgd-rem-gradient`: the gradient at w* is −zx.
pub const REM_GRADIENT: Claim = Claim {
    id: "ambssgd-rem-gradient",
    place: "§1.1, DP-AMBSSGD",
    kind: Kind::ExpectationBound,
    statement: "at w* the gradient (⟨x,w*⟩−y)x of a record has expected norm at most 1·σ·E‖x‖, and \
        at least (3/4)σ·E‖x‖ for normal z",
    hypotheses: "z independent of x, E z² = σ²",
    rests_on: &[],
    by_hand: &[
        "E‖zx‖ = E|z|·E‖x‖ for independent z and x, and E|z| = σ√(2/π) for z ∼ N(0, σ²)",
        "E|z| ≤ √E z², which is computed for |z| of two equally likely values",
    ],
    check: |c| {
        let most = c.constant("factor of σE‖x‖", 1);
        let least = c.constant("least factor for normal z", ratio(3, 4));
        let square = Interval::from_rational(&(least.clone() * least));
        let two = Interval::from(2);
        let normal = (square * Interval::pi(64)).certainly_le(&two);
        // |z| is a or a + t.
        let [a, t] = ["a", "t"].map(Poly::var);
        let b = &a + &t;
        let half = Poly::from(ratio(1, 2));
        let mean = &half * (&a + &b);
        let deviation = half * (a.square() + b.square());
        let jensen = Steps::new()
            .positive(&["a", "t"])
            .at_most(
                "(E|z|)² ≤ σ² for two values",
                mean.square(),
                Poly::from(most.clone() * most) * deviation,
            )
            .proved_on("");
        match jensen {
            Verdict::Proved(_) => Argument::new(c)
                .states_that("(E|z|)² ≤ σ² for two values", true, String::new)
                .states_that("9π/16 ≤ 2", normal, || {
                    format!(
                        "{}² exceeds 2/π",
                        c.constant("least factor for normal z", ratio(3, 4))
                    )
                })
                .proved_on("all σ and laws of x with E‖x‖ < ∞"),
            other => other,
        }
    },
};

/// `ambssgd-rem-eigenvalues-size`. With l = log(1/δ) = 693/1000 + u and log 1.25 ≤ 224/1000: the deviation is
/// √(2(l + log 1.25))·d‖H‖/(Nε) ≤ (√(2(l + log 1.25))/(16l))·μ, and the square of the factor at most (1/8)².
pub const REM_EIGENVALUES_SIZE: Claim = Claim {
    id: "ambssgd-rem-eigenvalues-size",
    place: "§3.1, remarks after Theorem 3.1",
    kind: Kind::HighProbability,
    statement: "for N ≥ 16·κd·log(1/δ)/ε noise of deviation √(2·log(1.25/δ))·d‖H‖/(Nε) on the \
        eigenvalues of (1/N)Σxxᵀ leaves each within μ/2 of its value with probability at least \
        0.9999: they are known up to a constant factor",
    hypotheses: "‖x‖² ≤ d‖H‖, so that d‖H‖/N bounds the sensitivity; δ ≤ 1/2; how far (1/N)Σxxᵀ is \
        from H, and what the run loses, are not in it",
    rests_on: &["ambssgd-rem-eigenvalues"],
    by_hand: &["N(0, s²) exceeds 4s in size with probability 2Φ(−4)"],
    check: |c| {
        let size = c.constant("factor of κd·log(1/δ)/ε", 16);
        let sure = c.constant("probability", ratio(9_999, 10_000));
        let [log_2, log_125] =
            [Interval::from(2), Interval::from_rational(&ratio(5, 4))].map(|x| x.ln());
        let logs = Interval::from_rational(&ratio(693, 1000)).certainly_le(&log_2)
            && log_125.certainly_le(&Interval::from_rational(&ratio(224, 1000)));
        let tail = Interval::from(2) * (-Interval::from(4)).phi();
        let missed = tail.certainly_le(&(Interval::from(1) - Interval::from_rational(&sure)));
        let l = ratio(693, 1000) + Poly::var("u");
        let square = Poly::from(ratio(1, 64)) * Poly::from(size.clone() * size);
        let deviation = Steps::new()
            .positive(&["u"])
            .at_most(
                "2(l + log 1.25) ≤ (16l/8)²",
                2 * (&l + ratio(224, 1000)),
                square * l.square(),
            )
            .proved_on("");
        match deviation {
            Verdict::Proved(_) => Argument::new(c)
                .needs_that("log 2 ≥ 0.693, log 1.25 ≤ 0.224", logs)
                .states_that("2(l + log 1.25) ≤ (2l)²", true, String::new)
                .states_that("2Φ(−4) ≤ 10⁻⁴", missed, || {
                    "2Φ(−4) is larger".to_owned()
                })
                .proved_on("all κ, d, ε and δ ≤ 1/2"),
            other => other,
        }
    },
};

/// `ambssgd-rem-restart-reading-contraction`: e^{−log(N/σ)} = σ/N. The paper does not present the argument.
pub const REM_RESTART_READING_CONTRACTION: Claim = Claim {
    id: "ambssgd-rem-restart-reading-contraction",
    place: "§3.2, remark ii after Theorem 3.7",
    kind: Kind::PathwiseInequality,
    statement: "if 1·log(N/σ) steps each divide the excess by e, they take ‖w*‖²_H/N^{100} to at \
        most σ²d/N",
    hypotheses: "‖w*‖²_H/N^{100} ≤ σd, N ≥ 1, σ > 0; the noise of the steps, and whether DP-SGD \
        contracts so fast, are left out",
    check: |c| {
        let steps = c.constant("steps in units of log(N/σ)", 1);
        let power = [0, 1, 2].into_iter().find(|n| steps == *n).unwrap_or(3);
        let factor = Poly::power("σ", power) * Poly::power("N", -power);
        // ‖w*‖²_H/N^100 = σd − t.
        let start = Poly::var("start");
        let largest = &start + Poly::var("t");
        let [sigma, inverse] = [Poly::var("σ"), Poly::power("N", -1)];
        Steps::new()
            .positive(&["σ", "N", "start", "t"])
            .equal("e^(−log(N/σ))", factor, &sigma * &inverse)
            .at_most(
                "σd ≥ ‖w*‖²_H/N^100",
                &start * &sigma * &inverse,
                largest * sigma * inverse,
            )
            .proved_on("all N, d, σ")
    },
    ..Claim::ALONE
};

/// `ambssgd-rem-huber`: with k = ζ/‖x‖ and r = |⟨x,w⟩ − y| the clipped gradient is min{r, k}·‖x‖ in size, and h′ = min{r, k}.
pub const REM_HUBER: Claim = Claim {
    id: "ambssgd-rem-huber",
    place: "§3.2, remark vi after Theorem 3.7",
    kind: Kind::PathwiseInequality,
    statement: "clip_ζ((⟨x,w⟩−y)x) is the gradient of h(⟨x,w⟩−y), where h(r) = r²/2 for |r| ≤ \
        1·ζ/‖x‖ and (ζ/‖x‖)|r| − ζ²/(2‖x‖²) beyond",
    hypotheses: "x ≠ 0, ζ > 0",
    check: |c| {
        let knee = Poly::from(c.constant("knee in units of ζ/‖x‖", 1));
        let k = Poly::var("ζ") * Poly::power("‖x‖", -1);
        let half = Poly::from(ratio(1, 2));
        let at = &knee * &k;
        Steps::new()
            .positive(&["ζ", "‖x‖", "t"])
            .equal("slopes at the knee", &at, &k)
            .equal(
                "values at the knee",
                &half * at.square(),
                &k * &at - half * k.square(),
            )
            .equal("norm beyond", &k * Poly::var("‖x‖"), Poly::var("ζ"))
            // |r| = k + t: r‖x‖ has the norm ζ + t‖x‖, and is clipped.
            .at_most(
                "clipped beyond",
                Poly::var("ζ"),
                (k + Poly::var("t")) * Poly::var("‖x‖"),
            )
            .proved_on("all x ≠ 0, w, y and ζ")
    },
    ..Claim::ALONE
};

/// `ambssgd-eq-53-proof-index`. In (53) ω_1 = Q_{0,0}ω_0 + ην_0. The sum of the definition has ν_1
/// at t = 1 too, which is drawn after ω_1. One coordinate, p = B_0 and q = B_1, u = ν_0 and v =
/// ν_1: as the noise is normal, any.
pub const EQ_53_PROOF_INDEX: Claim = Claim {
    id: "ambssgd-eq-53-proof-index",
    place: "App. B.2.2, after (53)",
    kind: Kind::PathwiseInequality,
    statement: "what (53) leaves is ω_t = Q_{0,t−1}ω_0 + ηΣ_{j=0}^{t}Q_{j+1,t}ν_j, whose second \
        part is that of the variance",
    hypotheses: "ω_0 = 0, B_j = 1/2, η = 1, ν_0 = ν_1 = 1, t = 1",
    check: by_kernel,
    ..Claim::ALONE
};
