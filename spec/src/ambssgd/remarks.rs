//! What is said beside the theorems: abstract, introduction and remarks.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 12] = [
    CMP_SIZES,
    REM_ERROR_SIGMA,
    REM_ERROR_SIGMA_REPAIRED,
    CMP_REGIME,
    CMP_REGIME_REPAIRED,
    INTRO_ZETA,
    INTRO_PERCENTILE,
    INTRO_PERCENTILE_READING_60000,
    FACT_TAIL_EXP,
    FACT_TAIL_EXP_REPAIRED,
    REM_EIGENVALUES,
    SEC_3_2_RESIDUAL,
];

/// `ambssgd-cmp-sizes`. With l = log d: σ²(d/N)(1 + d/(ε²N)) at N = dl, times l²/σ². d³/(ε²N²) at N = d√d. And
/// N ≥ κd/ε with ε ≤ 1/√N is √N ≥ κd.
pub const CMP_SIZES: Claim = Claim {
    id: "ambssgd-cmp-sizes",
    place: "Abstract; §1; remark iii after Theorem 3.2",
    kind: Kind::Rate,
    statement: "σ²(d/N)(1 + d/(ε²N)) is (σ²/log d)(1 + 1/(ε²log d)) at N = d·log d; d³/(ε²N²) is \
        1/ε² at N = d√d; σ²d²/(ε²N²) ≤ σ²d/N for ε ≥ √d/√N; N ≥ κd/ε with ε ≤ 1/√N means N ≥ κ²d²",
    hypotheses: "d ≥ 2; σ, ε > 0, κ ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-cmp-regime`: at ε = c√(d/N) the second term is σ²d/(c²N). In units of σ²d/N, with an unnamed constant k ≥ 1
/// and c = 1/(2k), 1 + 4k² is claimed to be at most 2k².
pub const CMP_REGIME: Claim = Claim {
    id: "ambssgd-cmp-regime",
    place: "§1, after Theorem 1.1",
    kind: Kind::Rate,
    statement: "for ε = c√d/√N with c < 1 the bound σ²d/N + σ²d²/(ε²N²) is Õ(d/(cN)): privacy \
        reduces the sample size from N to c·N",
    hypotheses: "σ = 1; any constant k in the O(·)",
    check: cmp_regime,
    ..Claim::ALONE
};

fn cmp_regime(c: &Check) -> Verdict {
    let power = c.constant("power of 1/c", 1);
    let k = Poly::var("k");
    let inverse = 2 * &k;
    let claimed = if power == 1 {
        &k * &inverse
    } else {
        &k * inverse.square()
    };
    Steps::new()
        .positive(&["k"])
        .at_most(
            "c = 1/(2k), in units of σ²d/N",
            1 + inverse.square(),
            &claimed,
        )
        .repaired("ambssgd-cmp-regime-repaired")
        .proved_on("c = 1/(2k) only")
}

/// `ambssgd-cmp-regime-repaired`, c being 1/(1 + u).
pub const CMP_REGIME_REPAIRED: Claim = Claim {
    id: "ambssgd-cmp-regime-repaired",
    place: "§1, after Theorem 1.1",
    kind: Kind::Rate,
    statement: "for ε = c√d/√N with c < 1 the bound σ²d/N + σ²d²/(ε²N²) is at most 2σ²d/(c²N) and \
        no smaller than half of it: privacy reduces the sample size from N to c²·N",
    hypotheses: "σ > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-rem-error-sigma`. The privacy term of the display has ‖w*‖²_H + σ²; the first term is
/// σ²d/N. At ‖w*‖_H = 1 no constant times the term at σ = 0 bounds it.
pub const REM_ERROR_SIGMA: Claim = Claim {
    id: "ambssgd-rem-error-sigma",
    place: "§3.1, remark iii after Theorem 3.2, last sentence",
    kind: Kind::Rate,
    statement: "the privacy term (d²log²(N/δ)/(ε²N²))K_2²κ²(‖w*‖²_H+σ²) of Theorem 3.2 is \
        independent of σ",
    hypotheses: "‖w*‖_H = 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-rem-error-sigma-repaired`: what the sentence concludes.
pub const REM_ERROR_SIGMA_REPAIRED: Claim = Claim {
    id: "ambssgd-rem-error-sigma-repaired",
    kind: Kind::PathwiseInequality,
    statement: "the privacy term (d²log²(N/δ)/(ε²N²))K_2²κ²(‖w*‖²_H+σ²) of Theorem 3.2 is at least \
        its value at σ = 0, which is not 0",
    hypotheses: "w* ≠ 0, σ ≥ 0",
    check: |c| {
        let least = c.constant("least σ²", 0);
        let mut domain = Domain::new();
        let norm = domain.real("‖w*‖_H", open(0), infinite());
        let square = domain.real("σ²", closed(least), infinite());
        let bracket = norm.square() + square;
        let grows = Forall::le(domain, norm.square(), bracket);
        let (domain, norm) = Domain::of("‖w*‖_H", open(0), infinite());
        Argument::new(c)
            .states("ambssgd-rem-error-sigma-repaired", &grows)
            .needs(
                "ambssgd-rem-error-sigma-repaired/at σ = 0",
                &Forall::lt(domain, 0, norm.square()),
            )
            .proved_on("all w* ≠ 0, σ ≥ 0")
    },
    ..REM_ERROR_SIGMA
};

/// `ambssgd-intro-zeta`. All steps together move the output by at most ηζΣ(1 + 2α‖g_t‖), in expectation by at most
/// ηNζ(1 + 2α) for d = 1: with ζ proportional to σ nothing moves as σ → 0, and the excess tends to ½‖w*‖²_H.
/// Whatever factor the Õ hides, a smaller σ has the same effect; 10⁶ is tried.
pub const INTRO_ZETA: Claim = Claim {
    id: "ambssgd-intro-zeta",
    place: "§1.1, DP-Shuffled SGD",
    kind: Kind::Rate,
    statement: "Algorithm 1 with ζ = Õ(σ^1·√d) has excess risk Õ(σ²d/N + (1+σ²)d²/(ε²N²))",
    hypotheses: "x = ±1, d = 1, w* = 1, N = 10^12, ε = 1/√N, η ≤ 1, α ≤ 10^3; Õ hides a factor up \
        to 10^6",
    check: intro_zeta,
    ..Claim::ALONE
};

fn intro_zeta(c: &Check) -> Verdict {
    let power = c.constant("power of σ in ζ", 1);
    let ten = |e: i32| -> Rational { rug::ops::Pow::pow(Rational::from(10), e) };
    let hidden = ten(6);
    // σ = 10⁻⁴⁰; (1 + σ²)/(ε²N²) ≤ 2/N.
    let sigma = if power == 0 {
        Rational::from(1)
    } else {
        ten(-40)
    };
    let bound: Rational = hidden.clone() * (sigma.clone() * &sigma + 2_u32) * ten(-12);
    let moved = ten(12) * hidden * sigma * (Rational::from(1) + Rational::from(2) * ten(3));
    // |w̄| ≤ 1/10 with probability at least 1 − 10·E|w̄|; then the excess is at least ½(9/10)².
    let chance = Rational::from(1) - Rational::from(10) * moved;
    let stays = ratio(81, 200);
    let fails = chance >= ratio(1, 2) && stays > bound;
    Argument::new(c)
        .repaired("ambssgd-thm-3.2-repaired")
        .states_that("σ = 10⁻⁴⁰", !fails, || {
            format!(
                "σ = 10⁻⁴⁰: the iterates stay within 1/10 of 0 with probability at least ½, so the \
                    excess is at least {stays}, where at most {:.1e} is claimed",
                bound.to_f64()
            )
        })
        .open_for("one σ")
}

/// `ambssgd-intro-percentile`, as N grows: a count has noise of order log N, s is of order N/log N.
/// All noises are at most Γ = α√(2m·log(mTN)). Where the search breaks, at least s − Γ of s + 1
/// residuals are at most γ_t; else γ_t ≥ B, which grows.
pub const INTRO_PERCENTILE: Claim = Claim {
    id: "ambssgd-intro-percentile",
    place: "§1.1, DP-AMBSSGD; §3.2 on DP-STAT",
    kind: Kind::HighProbability,
    statement: "as N grows, with a probability that tends to 1, in each step ζ_t is such that the \
        norms of 99 % of the gradients in the mini-batch fall below it",
    hypotheses: "ε, κ, c_1 and the law of the records fixed, (3') for x and z, ‖w*‖_H + σ > 0, a > \
        0; δ = N⁻², s = b/10, T = c_1κ·log N, printed η, α, B, Δ",
    rests_on: &["ambssgd-fact-Rx-trace"],
    by_hand: &[
        "a union bound over the noises, and Dvoretzky, Kiefer and Wolfowitz for the residuals of \
            both samples given w_t, which earlier blocks determine: in all steps the share of a \
            mini-batch above γ_t is at most (Γ + 1)/(s + 1) + 2√(log N/s) where the search breaks",
        "where it does not, the share is at most 2L(w_t)/B² + √(log N/b), as γ_t ≥ B",
        "w_t stays bounded: the clipped part of the mean gradient is of order √share, the noise \
            of order polylog N/N, and ‖I − ηH‖ ≤ 1 − 1/κ + o(1)",
        "the share with ‖x‖ ≥ R_x·log^aN is at most log^{−2a}N + o(1), by Chebyshev's inequality",
        "what falls at N = e^1000 falls as N grows",
    ],
    check: intro_percentile_limit,
};

/// The shares for ε = κ = c_1 = 1, a = 1/2 at N = e^1000, in steps where the search breaks.
fn intro_percentile_limit(c: &Check) -> Verdict {
    let percentile = c.constant("percentile", 99);
    let whole = Interval::from;
    let log = whole(1000);
    let steps = log.clone();
    let levels = whole(200) * &log / whole(2).ln() + whole(1);
    let samples = log.exp() / (whole(11) * &steps);
    let noise = (whole(32) * &log * &levels * ((&levels * &steps).ln() + &log)).sqrt();
    let above = (noise + whole(1)) / (&samples + whole(1)) + whole(2) * (&log / samples).sqrt();
    let far = whole(1) / log;
    let left = Interval::from_rational(&(1 - Rational::from(&percentile / 100)));
    Argument::new(c)
        .states_that("a share", percentile <= 100, || {
            format!("{percentile} % of the gradients: there are not that many")
        })
        .needs_that(
            "the two shares at N = e^1000, in 128-bit intervals",
            (above + far).certainly_le(&left),
        )
        .proved_on("all laws of the hypotheses, N → ∞")
}

/// `ambssgd-intro-percentile-reading-60000`, at T = log N, s = b/10, ε = 1, δ = N⁻². All residuals exceed the level Δ = B/N²⁰⁰ at the start;
/// its count is 0, yet the search ends there if the noise, of deviation α√m, reaches s.
pub const INTRO_PERCENTILE_READING_60000: Claim = Claim {
    id: "ambssgd-intro-percentile-reading-60000",
    statement: "already at N = 60,000, c_1 = 1, with probability above 0.8, in each step ζ_t is \
        such that the norms of 99 % of the gradients in the mini-batch fall below it",
    hypotheses: "N = 60,000, ε = 1, δ = N⁻², κ = c_1 = 1, s = b/10, printed α, B, Δ",
    check: intro_percentile,
    rests_on: &[],
    by_hand: &[],
    ..INTRO_PERCENTILE
};

fn intro_percentile(c: &Check) -> Verdict {
    let share = c.constant("percentile", 99);
    let n = Interval::from(60_000);
    let log = n.ln();
    let samples = &n / (&log * &Interval::from(11));
    let levels = Interval::from(200) * &log / Interval::from(2).ln() + Interval::from(1);
    let deviation = (Interval::from(16) * &log * levels).sqrt();
    let at_once = (-(samples / deviation)).phi();
    let wrong = share > 0 && Interval::from_rational(&ratio(1, 5)).certainly_lt(&at_once);
    Argument::new(c)
        .repaired("ambssgd-lem-3.10-util-repaired")
        .states_that("the first level", !wrong, || {
            format!(
                "DP-STAT ends at its first level, which no residual meets, with probability at \
                    least {:.3}: none of the gradients is within ζ_t, not {share} %",
                at_once.lo_digits(3)
            )
        })
        .open_for("one N")
}

/// `ambssgd-fact-tail-exp`: for P(|x| > t) = e^{−t/s}, E x² = 2s² and k = K_2√2 the moment in (3) is k/(k−1), above 1.
pub const FACT_TAIL_EXP: Claim = Claim {
    id: "ambssgd-fact-tail-exp",
    place: "§2, after Definition 2.1",
    kind: Kind::HighProbability,
    statement: "Definition 2.1 with a = 1 captures sub-exponential laws: a two-sided exponential \
        one satisfies (3) with bound 1",
    hypotheses: "d = 1, any K_2",
    check: |c| {
        let bound = Poly::from(c.constant("bound of the exponential moment", 1));
        let u = Poly::var("K_2√2 − 1");
        Steps::new()
            .positive(&["K_2√2 − 1"])
            .at_most("times K_2√2 − 1", 1 + &u, bound * u)
            .repaired("ambssgd-fact-tail-exp-repaired")
            .proved_on("")
    },
    ..Claim::ALONE
};

/// `ambssgd-fact-tail-exp-repaired`. K_2² = 2 makes k = 2: the moment is 2, and
/// P(x² > K_2²·2s²·log²(2/β)) = (β/2)² ≤ β.
pub const FACT_TAIL_EXP_REPAIRED: Claim = Claim {
    id: "ambssgd-fact-tail-exp-repaired",
    place: "§2, after Definition 2.1",
    kind: Kind::HighProbability,
    statement: "a two-sided exponential law satisfies (2') and (3') with a = 1 and K_2² = 2",
    hypotheses: "d = 1, β in (0, 1)",
    rests_on: &["ambssgd-def-2.1-repaired"],
    by_hand: &["E exp(|x|/(ks)) = k/(k−1) for k > 1, and P(|x| > t) = e^{−t/s}"],
    check: |c| {
        let square = Poly::from(c.constant("K_2²", 2));
        // k² = 2K_2², and k/(k−1) ≤ 2 is k ≥ 2, k² ≥ 4.
        let [b, r] = ["β", "1−β"].map(Poly::var);
        let quarter = Poly::from(ratio(1, 4));
        Steps::new()
            .positive(&["β", "1−β"])
            .at_most("(3'): 4 ≤ k²", 4, 2 * square)
            .suffices("(2'): (β/2)² ≤ β", quarter * b.square(), &b * (&b + &r))
            .proved_on("all s > 0, β in (0, 1)")
    },
};

/// `ambssgd-rem-eigenvalues`, of Σxxᵀ. By Weyl λ_k(A + xxᵀ) is between λ_k(A) and λ_k(A) + ‖x‖².
pub const REM_EIGENVALUES: Claim = Claim {
    id: "ambssgd-rem-eigenvalues",
    place: "§3.1, remarks after Theorem 3.1",
    kind: Kind::Sensitivity,
    statement: "if all features have norm at most R, replacing a record moves each eigenvalue of \
        Σ_i x_ix_iᵀ by at most 1·R²",
    hypotheses: "replace-one, R ≥ 0",
    rests_on: &[],
    by_hand: &[
        "Weyl: adding xxᵀ moves an eigenvalue up, by at most ‖x‖²; so does taking x'x'ᵀ away, down",
    ],
    check: |c| {
        let factor = Poly::from(c.constant("factor of R²", 1));
        let [kept, lost] = ["x²", "R²−x²"].map(Poly::var);
        let whole = &kept + &lost;
        Steps::new()
            .positive(&["R²", "x²", "R²−x²"])
            .at_most(
                "d = 1, x' = 0, ‖x‖ = R",
                Poly::var("R²"),
                &factor * Poly::var("R²"),
            )
            .suffices("‖x‖² ≤ R²", &kept, factor * whole)
            .proved_on("all data, d and R")
    },
};

/// `ambssgd-sec-3.2-residual`: (4) has the exponent 2a, this sentence a. For normal residuals, a = ½, N = e³⁶, and 10 for
/// the constant that ⪅ hides, the bound is 60 variances.
pub const SEC_3_2_RESIDUAL: Claim = Claim {
    id: "ambssgd-sec-3.2-residual",
    place: "§3.2, before DP-STAT",
    kind: Kind::HighProbability,
    statement: "(⟨x,w_t⟩−y)² ⪅ E[(⟨x,w_t⟩−y)²]·log^{1·a}N for all N records that are independent \
        of w_t",
    hypotheses: "normal x and z, so a = 1/2; N = e^36; ⪅ hides a factor up to 10; with probability \
        at least 1/2",
    check: |c| {
        let exponent = c.constant("exponent of log N in units of a", 1);
        let root = Interval::from(6);
        let power = if exponent == 1 {
            root
        } else {
            Interval::from(36)
        };
        let bound = Interval::from(10) * power;
        // At least one of N exceeds it with probability 1 − (1 − p)^N ≥ 1 − e^{−Np}.
        let expected = Interval::from(36).exp() * Interval::from(2) * (-bound.sqrt()).phi();
        Argument::new(c)
            .repaired("ambssgd-eq-4-repaired")
            .states_that(
                "N = e³⁶",
                !Interval::from(1).certainly_lt(&expected),
                || {
                    format!(
                        "N = e³⁶: on average {:.1} residuals exceed the bound, and at least one \
                            does with probability above 1 − e^(−{:.1})",
                        expected.lo_f64(),
                        expected.lo_f64()
                    )
                },
            )
            .open_for("one N")
    },
    ..Claim::ALONE
};
