//! Displays and sentences of the paper that no other claim decides: quantities of the text, lines of the proof
//! of Theorem 2.1, cross-references of Appendix A. Those of the lemmas are in [`super::lemma_lines`].

use crate::arith::{Interval, Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::graph::Graph;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, k, v};
use crate::prove::Argument;

/// These claims, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    REM_MAGNITUDES,
    REM_NOISE,
    REM_RATES,
    THM_2A_LOG,
    THM_2A_W_PROOF_RATIO,
    THM_2A_W_PROOF_FACTOR,
    THM_2A_SUM_PROOF,
    THM_6_PROOF,
    THM_6_NUM_PROOF,
];

/// `decor-rem-magnitudes`. With a = √log(1/δ) and b = √(log(1/δ) + ε) the slope of `decor-drv-4` is (b − a)²/T and
/// ε = b² − a², so T·s/ε² = 1/(a + b)², where b² ≤ 2a² for ε ≤ log(1/δ). For larger ε the noise falls as 1/ε only.
pub const REM_MAGNITUDES: Claim = Claim {
    id: "decor-rem-magnitudes",
    place: "§2, Comparison with other relaxations",
    kind: Kind::Rate,
    statement: "the slope s of T steps has ε²/(6T log(1/δ)) ≤ s ≤ ε²/(4T log(1/δ)), so that the \
        variances of the baselines are Θ(1/ε²) (LDP) and Θ(1/(nε²)) (CDP)",
    hypotheses: "0 < ε ≤ log(1/δ); T, δ, C fixed; s as in decor-drv-4",
    rests_on: &["decor-drv-4", "decor-base-ldp", "decor-base-cdp"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-rem-noise`. With n = 1 the mean over the users is that of one user, and the second term of (8) has the factor M.
pub const REM_NOISE: Claim = Claim {
    id: "decor-rem-noise",
    place: "§5.1, first sentence after Assumption 3",
    kind: Kind::PathwiseInequality,
    statement: "for M = 0 and n = 1 the second part of Assumption 3 is E‖∇ℓ(x, ξ) − ∇L(x)‖² ≤ σ_*² \
        for all x, uniformly bounded noise",
    hypotheses: "n = 1, M = 0",
    check: rem_noise,
    ..Claim::ALONE
};

fn rem_noise(c: &Check) -> Verdict {
    let users = c.constant("n", 1);
    let right =
        |m: &Poly| v("σ_*²") + m * Poly::from(Rational::from(users.recip_ref())) * v("‖∇L‖²");
    Argument::new(c)
        .positive(&["variance"])
        .states_equal(
            "Ψ with one user",
            Poly::from(Rational::from(users.recip_ref())) * v("variance"),
            v("variance"),
        )
        .needs_equal("the right side at M = 0", right(&k(0)), v("σ_*²"))
        .proved_on("n = 1, M = 0")
}

/// `decor-rem-rates`. Of the terms of the two bounds one each decays as slowly as stated, and it falls with n; what stands beside the
/// limits is a number over √T.
pub const REM_RATES: Claim = Claim {
    id: "decor-rem-rates",
    place: "§5.2, first paragraph after Theorem 2",
    kind: Kind::Rate,
    statement: "with all else fixed, T times the bound of decor-thm-2a-repaired tends to \
        512LQ/(μ²n), and √T times that of decor-thm-2b to 12√(LL_0Q/n): the leading terms are in \
        1/T and 1/√T, and fall as 1/n and 1/√n",
    hypotheses: "L, μ, p, c, L_0, Ξ_0, Q, R fixed, T → ∞",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-thm-2a-log`. The main text prints log T where Appendix B derives log(T + 1). T + 1 ≤ T² for T ≥ 2. For T = 1 the
/// printed term is 0, and it is not needed: Lemma 7 alone gives E L(x̄⁽¹⁾) − L_* ≤ L_0 + (3ηL²/4)Ξ_0 + Lη²Q/(2n) with
/// η = p/(cL), c ≥ 2p and L ≥ μ.
pub const THM_2A_LOG: Claim = Claim {
    id: "decor-thm-2a-log",
    place: "§5.2, Theorem 2, first part, against App. B.3.1, last display",
    kind: Kind::ExpectationBound,
    statement: "log T may stand for log(T+1) in decor-thm-2a-repaired at the cost of a factor 2: \
        for T ≥ 2 since log(T+1) ≤ 2 log T, for T = 1 since E L(x̄^(1)) − L_* ≤ LQ/(μ²n) + \
        c²L²L_0/(μ²p²) + cL³Ξ_0/(μ²p²) without that term",
    hypotheses: "as decor-thm-2a-repaired",
    rests_on: &["decor-thm-2a-repaired", "decor-lem-7"],
    by_hand: &[
        "Lemma 7 is applied to the first step, with the first step size of decor-thm-2a-repaired",
    ],
    check: thm_2a_log,
};

fn thm_2a_log(c: &Check) -> Verdict {
    let factor = c.constant("factor of log T", 2);
    let (three, two) = (Interval::from(3).ln(), Interval::from(2).ln());
    let holds = !(Interval::from_rational(&factor) * two).certainly_lt(&three);
    let t = 2 + v("x");
    // c = 2p + a, L = μ + b, 1 = p + s.
    let [p, mu, s] = ["p", "μ", "s"].map(Poly::var);
    let cl = (2 * &p + v("a")).square() * (&mu + v("b")).square();
    let names = ["p", "μ", "s", "a", "b", "x"];
    Argument::new(c)
        .positive(&names)
        .states_that("T = 2: log 3 ≤ 2 log 2", holds, || {
            format!("log 3 > {factor}·log 2")
        })
        .needs_at_most("T + 1 ≤ T² for T ≥ 2", &t + 1, t.square())
        .needs_that("T + 1 ≤ T² gives the factor 2", factor >= 2)
        .needs_at_most(
            "(3η/4)L² ≤ cL³/(μ²p²), times 4cμ²p²/L and with p ≤ 1",
            3 * p.square() * &p * mu.square(),
            4 * &cl * (&p + &s),
        )
        .needs_at_most(
            "Lη²/2 ≤ L/μ², times 2c²μ²L",
            p.square() * mu.square(),
            2 * &cl,
        )
        .needs_at_most("1 ≤ c²L²/(μ²p²)", p.square() * mu.square(), &cl)
        .proved_on("all T ≥ 1, all instances of decor-thm-2a-repaired")
}

/// `decor-thm-2a-W-proof-ratio`. (29) has (1 + 2t̂)/(t̂ + 1)², the line that uses it (1 + 2t̂)/t̂². As an upper bound that would
/// do; it is printed as an equality.
pub const THM_2A_W_PROOF_RATIO: Claim = Claim {
    id: "decor-thm-2a-W-proof-ratio",
    place: "App. B.3.1, first equality of the display after “Plugging the above bound back in \
        (29)”",
    kind: Kind::PathwiseInequality,
    statement: "η⁺²/η² = 1 − (1 + 2t̂)/t̂² for η = 16/(μt̂), as W⁺ − W = (V⁺ − (1 − \
        (1+2t̂)/t̂²)V)/η⁺² says",
    hypotheses: "t̂ ≥ 2",
    check: thm_2a_w_proof_ratio,
    ..Claim::ALONE
};

fn thm_2a_w_proof_ratio(c: &Check) -> Verdict {
    let added = c.constant("what is added to 2t̂", 1);
    let t = Rational::from(2);
    let square = Rational::from(t.square_ref());
    let exact: Rational = square.clone() / Rational::from(&t + 1).square();
    let told: Rational = 1 - (added + t * 2) / square;
    Argument::new(c)
        .repaired("decor-thm-2a-W")
        .states_that("t̂ = 2", exact == told, || {
            format!("η⁺²/η² = {exact}, the line says {told}")
        })
        .proved_on("one point only")
}

/// `decor-thm-2a-W-proof-factor`. 1/η⁺² = μ²(t̂ + 1)²/256 and μη/4 = 4/t̂; the factor 1/256 is dropped from the term with V,
/// which is dropped itself in the next line.
pub const THM_2A_W_PROOF_FACTOR: Claim = Claim {
    id: "decor-thm-2a-W-proof-factor",
    place: "App. B.3.1, second line of the display after “Plugging the above bound back in (29)”",
    kind: Kind::PathwiseInequality,
    statement: "(1/η⁺²)(−μη/4 + (1+2t̂)/t̂²)V = −μ²(t̂+1)²(4/t̂ − (1+2t̂)/t̂²)V for η = 16/(μt̂)",
    hypotheses: "t̂ ≥ 2, μ > 0, V ≥ 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-thm-2a-sum-proof`. One display has Σ t̂ where Σ 1/t̂ is meant; the next puts log(T + 1) in its place.
pub const THM_2A_SUM_PROOF: Claim = Claim {
    id: "decor-thm-2a-sum-proof",
    place: "App. B.3.1, display after “By summing over t”",
    kind: Kind::PathwiseInequality,
    statement: "Σ_{t<T} t̂ ≤ log(T+1) for t̂ = t + τ, τ ≥ 2, as the factor of 192L²R/(μp) and the \
        display after it say together",
    hypotheses: "T ≥ 1",
    check: thm_2a_sum_proof,
    ..Claim::ALONE
};

fn thm_2a_sum_proof(c: &Check) -> Verdict {
    let least = c.constant("least τ", 2);
    let bound = Interval::from(2).ln();
    let above = bound.certainly_lt(&Interval::from_rational(&least));
    Argument::new(c)
        .repaired("decor-thm-2a-sum")
        .states_that("T = 1", !above, || format!("τ = {least} > log 2"))
        .proved_on("one point only")
}

/// `decor-thm-6-proof`. The proof begins with q > 1; Theorem 1 is its case q = 0 and q = 1, q(q −
/// 1) = 0. What follows in it holds for every q < n (`decor-thm-6`).
pub const THM_6_PROOF: Claim = Claim {
    id: "decor-thm-6-proof",
    place: "App. A, first sentence of the proof of Theorem 6",
    kind: Kind::MechanismPrivacy,
    statement: "the proof of Theorem 6, which takes q > 1, treats the q = 0 and q = 1 that Theorem \
        1 takes from it",
    hypotheses: "0 ≤ q < n",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-thm-6-num-proof`. The proof names Algorithm 2, which knows no more than one colluder; the theorem rightly names
/// Algorithm 3. On K_4 with q = 2 a K_2 is left, with q = 1 a K_3.
pub const THM_6_NUM_PROOF: Claim = Claim {
    id: "decor-thm-6-num-proof",
    place: "App. A, last paragraph of the proof of Theorem 6",
    kind: Kind::MechanismPrivacy,
    statement: "the exact bound ε of Theorem 6 is computed by Algorithm 2, for every q",
    hypotheses: "q < n, σ_cdp > 0",
    check: thm_6_num_proof,
    ..Claim::ALONE
};

fn thm_6_num_proof(c: &Check) -> Verdict {
    let ratio = c.constant("σ_cor²/σ_cdp² of the instance", 1);
    let slope = |left: usize| {
        Resolvent::of(&Graph::complete(left))
            .largest(&ratio)
            .map(|x| x * 2)
    };
    let (third, second) = (slope(2), slope(3));
    Argument::new(c)
        .repaired("decor-thm-6-num")
        .states_that("K_4, q = 2, C = σ_cdp = 1", third == second, || {
            format!(
                "the slope is {}, Algorithm 2 returns {}",
                third.unwrap_or_default(),
                second.unwrap_or_default()
            )
        })
        .proved_on("one instance only")
}
