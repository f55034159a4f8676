//! Steps of the printed proofs that have no number.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    LEM_A_9_PROOF_NORMAL,
    THM_3_2_PROOF_SIZE,
    THM_3_7_PROOF_FINAL,
    THM_3_7_PROOF_FINAL_REPAIRED,
    STAT_PROOF_NOISE,
    STAT_PROOF_COUNT,
    STAT_PROOF_LEVELS,
    CONV_PROOF,
    EQ_59_PROOF_INDEX,
    EQ_59_PROOF_STEP,
];

/// `ambssgd-lem-A.9-proof-normal`. "z_j ~ N(0, σ²)" is used from (19) on, while §2 assumes a tail. Two-sided exponential noise
/// with a = 1 satisfies the repaired one (`ambssgd-fact-tail-exp-repaired`): at V = 1, P(z² > 5σ²L) = exp(−√(10·L)) with
/// L = log(1/β), which exceeds β = e^{−L} for L > 10.
pub const LEM_A_9_PROOF_NORMAL: Claim = Claim {
    id: "ambssgd-lem-A.9-proof-normal",
    place: "App. A.2.1, proof of Lemma A.9, (19), (20)",
    kind: Kind::HighProbability,
    statement: "‖Vz‖² ≤ 5σ²Tr(VᵀV)·log(1/β), printed for z ~ N(0, σ²I), with probability ≥ 1 − β \
        for every noise z that §2 and Lemma A.9 admit",
    hypotheses: "the repaired tail assumption with a = 1 for z; β = e^{−40}",
    check: |c| {
        let factor = c.constant("factor of σ²Tr(VᵀV)·log(1/β)", 5);
        let log = Rational::from(40);
        // exp(−√(2·factor·L)) ≤ e^{−L} is 2·factor ≥ L.
        let root = Interval::from_rational(&(Rational::from(2) * factor * &log)).sqrt();
        Argument::new(c)
            .repaired("ambssgd-eq-20")
            .states_that(
                "V = 1, β = e⁻⁴⁰",
                !root.certainly_lt(&Interval::from_rational(&log)),
                || {
                    format!(
                        "V = 1, two-sided exponential z, β = e⁻⁴⁰: the bound is exceeded with \
                            probability e^(−{:.4})",
                        root.hi_f64()
                    )
                },
            )
            .open_for("one law")
    },
    ..Claim::ALONE
};

/// `ambssgd-thm-3.2-proof-size`. At a = ½, κ = 1, H = I the exponent of (6) is (c/(2(d+2)))ε²N²/(K_2²d·log²(N/δ)log⁴N); with
/// N = C·d·log^p(d)·log(1/δ)/ε it is at most ½cC²·log^{2p−4}(d): bounded for p = 2a + 1 = 2, so that the first term of (6) grows
/// like d while the others are powers of log N, whatever c and C are. Two points are tried: c = C = 1 and c = C = 10.
pub const THM_3_2_PROOF_SIZE: Claim = Claim {
    id: "ambssgd-thm-3.2-proof-size",
    place: "§3.1, proof of Theorem 3.2, after (6)",
    kind: Kind::Rate,
    statement: "N ≥ Ω(κd·log^{2a+1}(κd)·log(1/δ)/ε) makes the first term of (6) at most the two \
        others times log^5 N: log has the exponent 2 for a = 1/2",
    hypotheses: "κ = 1, H = I, a = 1/2, K_2² = 8/3, σ = ‖w*‖ = 1, ε = 1/√N, δ = N⁻²; d = 10^12, N \
        = 10^35 with c = C = 1, d = 10^30, N = 10^75 with c = C = 10",
    check: proof_size,
    ..Claim::ALONE
};

fn proof_size(c: &Check) -> Verdict {
    let power = c.constant("exponent of log(κd) in N", 2);
    let points = [(12, 35, 1), (30, 75, 10)].map(|(d, n, constant)| {
        first_term(&power, d, n, constant).map(|term| format!("{:.2e}", term.lo_f64()))
    });
    let [one, ten] = points.map(Option::unwrap_or_default);
    let exceeds = !one.is_empty() && !ten.is_empty();
    Argument::new(c)
        .repaired("ambssgd-eq-5-6-repaired")
        .states_that(
            "d = 10¹², N = 10³⁵ and d = 10³⁰, N = 10⁷⁵",
            !exceeds,
            || {
                format!(
                    "d = 10¹², N = 10³⁵ (d = 10³⁰, N = 10⁷⁵ with the constants 10): the first term \
                        of (6) is at least {one} ({ten}), the two others times log⁵N are less"
                )
            },
        )
        .open_for("two points")
}

/// The first term of (6) for d and N, powers of ten, where N is as large as asked and the term exceeds the two others times
/// log⁵N; both hidden constants are `constant`.
fn first_term(power: &Rational, d: i32, n: i32, constant: i64) -> Option<Interval> {
    let ten = |e: i32| Interval::from_rational(&rug::ops::Pow::pow(Rational::from(10), e));
    let (d, n, constant) = (ten(d), ten(n), Interval::from(constant));
    let (log, k2) = (n.ln(), Interval::from_rational(&ratio(8, 3)));
    let required = (Interval::from_rational(power) * d.ln().ln()).exp()
        * &constant
        * &d
        * (Interval::from(2) * &log)
        * n.sqrt();
    // ε²N² = N; log(N/δ) = 3·log N.
    let long = (Interval::from(3) * &log).square();
    let exponent = &constant * &n
        / (Interval::from(2) * (&d + &Interval::from(2)) * &k2 * &d * &long * log.powi(4));
    let first = &d * &(-exponent).exp() / Interval::from(2);
    let others = Interval::from(2) * &d / &n
        + Interval::from(256) * &d * (&d + &Interval::from(2)) * &k2 * log.square() * &long / &n;
    let exceeds = required.certainly_le(&n) && (others * log.powi(5)).certainly_lt(&first);
    exceeds.then_some(first)
}

/// `ambssgd-thm-3.7-proof-final`: without privacy noise (α = 0, that is ε → ∞) the right side of Lemma 3.11 has
/// (8/(Tb))Tr(H⁻¹Σ), where Tb = N·b/(b+s) = N/1.1, and the first factor of P times (2η/(μb))Tr(HΣ).
pub const THM_3_7_PROOF_FINAL: Claim = Claim {
    id: "ambssgd-thm-3.7-proof-final",
    place: "§3.2, end of the proof of Theorem 3.7; remark iv",
    kind: Kind::ExpectationBound,
    statement: "the right side of Lemma 3.11 with s = b/10 is at most ‖w*‖²_H/N^{100} + 8σ²d/N + \
        Õ(σ²κ²d²log(1/δ)/(ε²N²)): the term in σ²d/N has no further factor",
    hypotheses: "Σ = σ²H, parameters of Theorem 3.7, fixed d, κ, ε, δ, N → ∞; in units of σ²d/N",
    check: |c| {
        let leading = c.constant("factor of σ²d/N", 8);
        Steps::new()
            .at_most(
                "(8/(Tb))Tr(H⁻¹Σ) alone",
                Rational::from(8) * ratio(11, 10),
                leading,
            )
            .repaired("ambssgd-thm-3.7-proof-final-repaired")
            .proved_on("")
    },
    ..Claim::ALONE
};

/// `ambssgd-thm-3.7-proof-final-repaired`. e^{−ημ} ≤ 1 and Tr(HΣ) = σ²Tr(H²) ≤ σ²dκ²μ²; in units of 8σ²d/(Tb), with
/// v = 1/(ημT), the product is κ²v − r.
pub const THM_3_7_PROOF_FINAL_REPAIRED: Claim = Claim {
    id: "ambssgd-thm-3.7-proof-final-repaired",
    place: "§3.2, end of the proof of Theorem 3.7; remark iv",
    kind: Kind::ExpectationBound,
    statement: "without privacy noise the right side of Lemma 3.11 with s = b/10 is at most \
        (4/(η²μ²T²))‖w*‖²_H/N^{ημc_1κ/4} + 8.8·(1 + κ²/(ημT))·σ²d/N",
    hypotheses: "Σ = σ²H, α = 0, N = T(b+s)",
    rests_on: &["ambssgd-lem-3.11"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-lem-3.10-util-proof-noise-natural`: at B/Δ = 2^10 and β = 10⁻⁶. Γ is the deviation α√m times √(2·log 2·log(m·log 2/β)): the
/// variance counts levels in base 2, Γ in base e. One of the m + 1 noises exceeds it with probability at least
/// 1 − (1 − Φ̄)^{m+1} ≥ (m+1)Φ̄ − ((m+1)Φ̄)².
pub const STAT_PROOF_NOISE: Claim = Claim {
    id: "ambssgd-lem-3.10-util-proof-noise-natural",
    place: "App. B.1.1, proof of Lemma 3.10 (Utility)",
    kind: Kind::HighProbability,
    statement: "with probability ≥ 1 − β none of the noises exceeds Γ = \
        α√(2·log(B/Δ)·log(log(B/Δ)/β)), log read as the natural logarithm (with log_2 it holds)",
    hypotheses: "B/Δ = 2^10, β = 10^-6; m + 1 passes with variance mα², m = \
        ⌈log_2(B/Δ)⌉",
    check: |c| {
        let factor = c.constant("factor of log(B/Δ)·log(log(B/Δ)/β)", 2);
        let (two, passes) = (Interval::from(2).ln(), Interval::from(11));
        let beta = Interval::from_rational(&ratio(1, 1_000_000));
        let inner = (Interval::from(10) * &two / &beta).ln();
        let level = (Interval::from_rational(&factor) * &two * inner).sqrt();
        let once = passes * (-level).phi();
        let chance = &once - &once.square();
        Argument::new(c)
            .repaired("ambssgd-lem-3.10-util-repaired")
            .states_that("m = 10", !beta.certainly_lt(&chance), || {
                format!(
                    "m = 10, β = 10⁻⁶: one of 11 noises exceeds Γ with probability at least {:.2e}",
                    chance.lo_f64()
                )
            })
            .open_for("one m")
    },
    ..Claim::ALONE
};

/// `ambssgd-lem-3.10-util-proof-count`: the set {0, …, s} has s + 1 elements, which all count if
/// the residuals are 0.
pub const STAT_PROOF_COUNT: Claim = Claim {
    id: "ambssgd-lem-3.10-util-proof-count",
    place: "App. B.1.1, proof of Lemma 3.10 (Utility)",
    kind: Kind::PathwiseInequality,
    statement: "the true count |{j in {0, …, s}: |⟨x_j,w⟩−y_j| ≤ γ_i}| never exceeds s",
    hypotheses: "none",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-3.10-util-proof-levels`: line 2 of Algorithm 3 sets γ_0 = Δ, and line 5 doubles.
pub const STAT_PROOF_LEVELS: Claim = Claim {
    id: "ambssgd-lem-3.10-util-proof-levels",
    place: "App. B.1.1, proof of Lemma 3.10 (Utility)",
    kind: Kind::PathwiseInequality,
    statement: "each γ_i of Algorithm 3 is of the form 2^{i+1}Δ",
    hypotheses: "none",
    check: |c| {
        let shift = c.constant("exponent minus i", 1);
        Argument::new(c)
            .repaired("ambssgd-alg-3")
            .states_that("i = 0", shift == 0, || format!("γ_0 = Δ, not 2^{shift}·Δ"))
            .note("γ_{i+1} = 2γ_i from γ_0 = Δ")
            .open_for("γ_0 only")
    },
    ..Claim::ALONE
};

/// `ambssgd-conv-zcdp-proof`: ρ = 1/α².
pub const CONV_PROOF: Claim = Claim {
    id: "ambssgd-conv-zcdp-proof",
    place: "App. B.1.2, proof of Theorem 3.6",
    kind: Kind::Composition,
    statement: "ε_min(ρ) = ρ + 2√(ρ·log(1/δ)) is increasing in ρ, thus increasing in α = ρ^{-1/2}",
    hypotheses: "α, ρ > 0; α = 1 against α = 2",
    check: |c| {
        let power = c.constant("power of ρ in α", ratio(-1, 2));
        // √ρ is 1/α for the printed power and α for +½; at log(1/δ) = 1.
        let root = |alpha: u32| match power < 0 {
            true => Rational::from((1, alpha)),
            false => Rational::from(alpha),
        };
        let budget = |r: Rational| r.clone() * &r + Rational::from(2) * r;
        let (first, second) = (budget(root(1)), budget(root(2)));
        Argument::new(c)
            .repaired("ambssgd-conv-zcdp")
            .states_that("log(1/δ) = 1", first < second, || {
                format!("log(1/δ) = 1: ε_min is {first} at α = 1 and {second} at α = 2")
            })
            .open_for("two values of α")
    },
    ..Claim::ALONE
};

/// `ambssgd-eq-59-proof-index`: Φ_1 − Φ_0 = (η²/b)(Σ + (4ζ²α²/b)I) with no factor B; Q_{1,t+1} = B_{t+1}⋯B_1
/// has t + 1 of them. x = ±1, b = 1: B = q = 1 − η, Σ = s.
pub const EQ_59_PROOF_INDEX: Claim = Claim {
    id: "ambssgd-eq-59-proof-index",
    place: "App. B.2.2, Variance Term Analysis",
    kind: Kind::ExpectationBound,
    statement: "Φ_{t+1} − Φ_t = (η²/b)E[Q_{1,t+1}(Σ + (4ζ²α²/b)I)Q_{1,t+1}ᵀ], with Q_{1,t+1} = \
        B_{t+1}⋯B_1 a product of t + 1 matrices",
    hypotheses: "x = ±1, b = 1, η = 1/2, t = 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-eq-59-proof-step`. X = (ℋ_L + ℋ_R)⁻¹Σ' solves HX + XH = Σ'. For Σ' = I it is ½H⁻¹, with one eigenvalue 50 and ten of
/// ½ in the example. The bound that (59) ends in holds without the condition.
pub const EQ_59_PROOF_STEP: Claim = Claim {
    id: "ambssgd-eq-59-proof-step",
    place: "App. B.2.2, Variance Term Analysis, before (59)",
    kind: Kind::ExpectationBound,
    statement: "the step that the proof asks for before (59), η ≤ \
        2b·Tr((ℋ_L+ℋ_R)⁻¹Σ')/(R_x²d‖(ℋ_L+ℋ_R)⁻¹Σ'‖), is implied by the hypotheses of Lemma 3.11, η \
        ≤ b/(R_x²+(b−1)‖H‖) (not said in print, but used: \"Thus we get (59)\")",
    hypotheses: "b = 1, d = 11, H = diag(1/100, 1, …, 1), Σ' = I (in the limit in which the \
        privacy noise outweighs Σ)",
    check: |c| {
        let factor = c.constant("factor of b/R_x²", 2);
        let d = Rational::from(11);
        let (largest, trace) = (Rational::from(100), Rational::from(110));
        let spread = d * largest / trace;
        Argument::new(c)
            .repaired("ambssgd-eq-59")
            .states_that("d = 11", factor >= spread, || {
                format!(
                    "d‖X‖/Tr(X) = {spread}: the proof asks for η ≤ {factor}/({spread}·R_x²), Lemma \
                        3.11 for η ≤ 1/R_x² only"
                )
            })
            .open_for("one H")
    },
    ..Claim::ALONE
};
