//! Appendix D.3 and D.4: the phases of Algorithm 3, its budget, Theorem 4 and Lemma 5.
//!
//! Notation of [`super::adaptive_error`]; M = (max{γ²,1}b²/min{L₁,1})^{κ/2}.

use super::adaptive_edge::{THM_4, THM_4_FLOOR};
use super::proximal::diverges;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 16] = [
    LEM_13,
    LEM_13_REPAIRED,
    THM_4_PHASES,
    THM_4_PHASES_REPAIRED,
    THM_4_BUDGET,
    THM_4_BUDGET_REPAIRED,
    THM_4_LONG,
    THM_4,
    THM_4_FLOOR,
    THM_4_RATE,
    THM_4_RATE_INTRO,
    THM_4_RATE_INTRO_REPAIRED,
    LEM_5,
    LEM_5_READING_GLOBAL,
    LEM_5_PROOF,
    LEM_5_REPAIRED,
];

/// `kl-lem-13`. F = w²/4, L₁ = b = γ = 1, κ = 2, w = 28/5, every error e = −∇F: nothing moves, (9) holds and so does
/// ‖e‖ ≤ G + b.
pub const LEM_13: Claim = Claim {
    id: "kl-lem-13",
    place: "App. D.3, Lemma 13",
    kind: Kind::PathwiseInequality,
    statement: "for K > 0, K ≥ (Φ_t/c)^{(κ-2)/κ} - 1: Φ_{t+K} ≤ max{Φ_t/c, 2M}",
    hypotheses: "event of Lemma 12, F L_1-smooth and (γ, κ)-KL, c = 1 + 1/(8 γ^2 L_1), b^2 ≤ L_1",
    check: |c| {
        let factor = c.constant("factor of M", 2);
        let divisor = c.constant("divisor in c - 1", 8);
        if divisor <= 0 {
            return crate::claim::Verdict::open("c < 1");
        }
        let w = ratio(28, 5);
        let slope = Rational::from(&w / 2);
        let excess = Rational::from(&w * &w) / 4;
        let square = Rational::from(&slope * &slope);
        let fall: Rational = 1 + divisor.recip();
        let reduced: Rational = &excess / fall;
        let target = reduced.max(factor);
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .needs_that("0 ≥ G^2/8 - b^2", square / 8 <= 1)
            .states_that("F = w^2/4, exact", excess <= target, || {
                format!(
                    "F = w^2/4, L_1 = b = γ = 1, κ = 2, w_t = 28/5, every error -∇F: Φ_{{t+K}} = \
                        {excess} ≤ {target} fails for all K"
                )
            })
            .open_for("one run")
    },
    ..Claim::ALONE
};

/// `kl-lem-13-repaired`. Else all of Φ_t, …, Φ_{t+K} are above both (`kl-lem-12-mono-repaired`). Then G² ≥ Φ^{2/κ}/γ² ≥ 2^{2/κ}b² ≥ 2b², so
/// that each of the K steps gains at least G²/(16L₁) ≥ (Φ_t/c)^{2/κ}/(16γ²L₁), together at least
/// 2(Φ_t/c)/(16γ²L₁) = (1 − 1/c)Φ_t.
pub const LEM_13_REPAIRED: Claim = Claim {
    id: "kl-lem-13-repaired",
    statement: "for integers K ≥ 2(Φ_t/c)^{(κ-2)/κ}: Φ_{t+K} ≤ max{Φ_t/c, 2M}",
    hypotheses: "|e| ≤ (G + b)/2 at t, …, t+K-1, F L_1-smooth and (γ, κ)-KL, κ in [1, 2], c = 1 + \
        1/(8 γ^2 L_1), b^2 ≤ L_1",
    rests_on: &["kl-lem-12-mono-repaired", "kl-lem-12-descent-repaired"],
    check: by_kernel,
    by_hand: &[],
    ..LEM_13
};

/// `kl-thm-4-phases`. K_1 is the largest index with Φ ≥ Φ_0/c, so Φ_{K_1} ≥ Φ_0/c. F = w²/2 with
/// exact gradients: Φ falls by 4 in the first step, c = 5/4 and K_1 = 0.
pub const THM_4_PHASES: Claim = Claim {
    id: "kl-thm-4-phases",
    place: "App. D.3, proof of Theorem 4",
    statement: "K_1 is the largest integer with Φ_{K_1} ≥ Φ_0/c, and so on; then Φ_{K_p} ≤ c^{-p} \
        F_0",
    hypotheses: "as Lemma 13",
    check: by_kernel,
    ..LEM_13
};

/// `kl-thm-4-phases-repaired`: a phase begins at the first index below 1/c times the value at the start of the one before.
pub const THM_4_PHASES_REPAIRED: Claim = Claim {
    id: "kl-thm-4-phases-repaired",
    statement: "if phase p+1 begins at the first index with Φ < Φ_{start of phase p}/c, then Φ ≤ \
        c^{-p} F_0 there, which is at most (γ L_0/(n √(ρ)))^{2κ/(4-κ)} for p ≥ p_max",
    hypotheses: "p_max = (1 + 8 γ^2 L_1)[log F_0 + (2κ/(4-κ)) log(n √(ρ)/(γ L_0))], bracket > 0, c \
        as in Lemma 13",
    rests_on: &["kl-red-log"],
    check: by_kernel,
    by_hand: &[],
    ..THM_4_PHASES
};

/// `kl-thm-4-budget`, second line: N_t is at least G − b only. G = 2, b = N = L₁ = 1.
pub const THM_4_BUDGET: Claim = Claim {
    id: "kl-thm-4-budget",
    place: "App. D.3, display of the charges",
    statement: "N_t^{-2} ≤ (|∇ F(w_t)|^2 - b^2/(4L_1))^{-1} ≤ 2/|∇ F(w_t)|^2",
    hypotheses: "|N_t - |∇ F(w_t)|| ≤ b, |∇ F(w_t)|^2 ≥ b^2/L_1, N_t > 0",
    check: |c| {
        let divisor = c.constant("divisor of b^2/L_1", 4);
        if divisor <= 0 {
            return crate::claim::Verdict::open("another sign of b^2");
        }
        let inverse = Rational::from(1);
        let difference: Rational = 4 - divisor.recip();
        let bound = difference.recip();
        Argument::new(c)
            .repaired("kl-thm-4-budget-repaired")
            .states_that("G = 2, b = N = L_1 = 1", inverse <= bound, || {
                format!("|∇F| = 2, b = N_t = L_1 = 1: {inverse} ≤ {bound} fails")
            })
            .open_for("one point")
    },
    ..LEM_13
};

/// `kl-thm-4-budget-repaired`. With the charges x of the quarter noise a round spends at most √ρ/n + 16·4L₀²dΛγ²/(n²Φ^{2/κ}).
pub const THM_4_BUDGET_REPAIRED: Claim = Claim {
    id: "kl-thm-4-budget-repaired",
    statement: "N_t^{-2} ≤ 4/|∇ F(w_t)|^2 ≤ 4 γ^2 Φ_t^{-2/κ}",
    hypotheses: "|N_t - |∇ F(w_t)|| ≤ b, |∇ F(w_t)| ≥ 2b, N_t > 0, (γ, κ)-KL",
    check: |c| {
        let factor = c.constant("factor of |∇F|^{-2}", 4);
        let (domain, b) = Domain::of("b/|∇F|", closed(0), closed(ratio(1, 2)));
        // 1/(G − b)² ≤ factor/G².
        let statement = Forall::le(domain, 1, factor * (1 - b).square());
        Argument::new(c)
            .states("kl-thm-4-budget-repaired", &statement)
            .proved_on("all parameters of the hypotheses")
    },
    ..THM_4_BUDGET
};

/// `kl-thm-4-long`: the increasing power κ/(2−κ) of both sides of Φ^{(2−κ)/κ} ≤ 2p_max/Y.
pub const THM_4_LONG: Claim = Claim {
    id: "kl-thm-4-long",
    place: "App. D.3, last display",
    statement: "p_max Φ^{(κ-2)/κ} ≥ n √(ρ)/2 implies Φ ≤ (2p_max/(n √(ρ)))^{κ/(2-κ)}",
    hypotheses: "κ in [1, 2), all quantities positive; each phase has at most Φ^{(κ-2)/κ} rounds \
        (Lemma 13, which needs twice that)",
    check: |c| {
        let double = c.constant("factor of p_max", 2);
        if double <= 0 {
            return crate::claim::Verdict::refuted("a negative bound", "sign of the factor", None);
        }
        let mut domain = Domain::new();
        // Φ^{(2−κ)/κ} = s·2p_max/Y with s ≤ 1, against double·p_max/Y.
        let s = domain.real("Φ^((2-κ)/κ) n √(ρ)/(2p_max)", open(0), closed(1));
        let holds = Forall::le(domain, 2 * s, Expr::from(double));
        let [kappa, log] = symbols();
        let exponent = &kappa / (2 - &kappa);
        Argument::new(c)
            .states("kl-thm-4-long", &holds)
            .needs_identity(
                "inverse powers",
                exponent * ((2 - &kappa) / &kappa * &log),
                &log,
            )
            .proved_on("κ in [1, 2), all p_max, n, ρ > 0")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-thm-4-rate`: the exponents at κ = 2 and κ = 1, and that the third term is of the second's order.
pub const THM_4_RATE: Claim = Claim {
    id: "kl-thm-4-rate",
    place: "Sec. 5, after Theorem 4",
    kind: Kind::Rate,
    statement: "κ/(2-κ) ≥ κ/2, so that the bound of Theorem 4 is Õ((√(d)/(n √(ρ)))^{2κ/(4-κ)} + \
        (1/(n √(ρ)))^{κ/2}): powers 2 and 1 at κ = 2, 2/3 and 1/2 at κ = 1",
    hypotheses: "κ in [1, 2), n √(ρ) ≥ p_max; all constants but n, d, ρ fixed",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-4-rate-intro`: with y = n√ρ, (d/y² + 1/y)/(d/y²) = 1 + y/d.
pub const THM_4_RATE_INTRO: Claim = Claim {
    id: "kl-thm-4-rate-intro",
    place: "Sec. 1.1",
    statement: "the rate of Theorem 4, d/(n^2 ρ) + 1/(n √(ρ)) at κ = 2, is Õ(d/(n^2 ρ)), nearly \
        optimal",
    hypotheses: "n, d, ρ arbitrary",
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of n √(ρ)", 1);
        let (domain, y) = Domain::of("n √(ρ)", closed(1), infinite());
        let ratio = Forall::le(domain, growth * &y, 1 + y);
        diverges(
            c,
            "kl-thm-4-rate-intro",
            &ratio,
            "d = 1: the ratio of the two rates is 1 + n √(ρ), without bound",
            "kl-thm-4-rate-intro-repaired",
        )
    },
    by_hand: &[],
    ..THM_4_RATE
};

/// `kl-thm-4-rate-intro-repaired`.
pub const THM_4_RATE_INTRO_REPAIRED: Claim = Claim {
    id: "kl-thm-4-rate-intro-repaired",
    statement: "for d ≥ n √(ρ), d/(n^2 ρ) + 1/(n √(ρ)) is at most twice d/(n^2 ρ)",
    hypotheses: "d ≥ n √(ρ) > 0",
    check: |c| {
        let factor = c.constant("factor", 2);
        let (domain, share) = Domain::of("n √(ρ)/d", open(0), closed(1));
        let statement = Forall::le(domain, 1 + share, Expr::from(factor));
        Argument::new(c)
            .states("kl-thm-4-rate-intro-repaired", &statement)
            .proved_on("d ≥ n √(ρ)")
    },
    by_hand: &[],
    ..THM_4_RATE
};

/// `kl-lem-5`, with the minimum over 𝒮 from which App. D.4 counts α; the global one and that of the
/// nested display are the same here. d = 1, L₀ = L₁ = ρ = 1, n = 10⁶, β = 10⁻³⁰; every record has
/// the Huber loss w²/2, |w| − 1/2 beyond |w| = 1, and w₀ = 1. With κ = 2, γ² = 1/2 the rise is less
/// than F(w₀), so α = 1/2 and 𝒮 = \[−1, 1\]. With probability 1/2 N₀ ≥ 1; then σ₀ ≥ 1/√Λ, and w₁ =
/// 1/2 − e/2 with e ~ N(0, σ₀²) is above 1 for e < −1.
pub const LEM_5: Claim = Claim {
    id: "kl-lem-5",
    place: "Sec. 5, Lemma 5; App. D.4",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - 2 β, w_t is in S for all t in [T]",
    hypotheses: "F L_1-smooth, L_0-Lipschitz, (γ, κ)-KL* over S; α = max{F(w_0), F(w*_S) + \
        2(γ^{κ/2} + L_0) b} as App. D.4 uses it; no lower bound of β is printed",
    check: lem_5,
    by_hand: &["the noise of the norm and that of the gradient are independent"],
    ..Claim::ALONE
};

fn lem_5(c: &Check) -> Verdict {
    let multiple = c.constant("failure probability in units of β", 2);
    let whole = Interval::from;
    let half = || Interval::from_rational(&ratio(1, 2));
    let square = ratio(1, 2);
    let (samples, inverse) = (whole(10).powi(6), whole(10).powi(30));
    // The base of the logarithm is not printed.
    let natural = (&samples * &inverse).ln();
    let binary = &natural / &whole(2).ln();
    let rise = whole(2)
        * (Interval::from_rational(&square).sqrt() + whole(1))
        * (&binary / &samples).sqrt();
    // N₀ = 1 is charged most among N₀ ≥ 1.
    let charge = (whole(1) + &binary / &samples) / &samples;
    let leaves = [&natural, &binary].map(|log| half() * (-log.sqrt()).phi());
    let allowed = Interval::from_rational(&multiple) / inverse;
    let (domain, w) = Domain::of("|w|", closed(0), closed(1));
    let sharp = Forall::le(domain, w.square() / 2, square * w.square());
    let [more, less] = leaves.each_ref().map(Interval::lo_f64);
    Argument::new(c)
        .repaired("kl-lem-5-repaired")
        .needs("kl-lem-5/KL* over S with κ = 2, γ^2 = 1/2", &sharp)
        .needs_that("b^2 ≤ L_1", binary.certainly_le(&samples))
        .needs_that("α = F(w_0)", rise.certainly_lt(&half()))
        .needs_that("round 0 does not end the run", charge.certainly_lt(&half()))
        .states_that(
            "first step, for the natural and the binary logarithm, in 128-bit intervals",
            !leaves.iter().all(|chance| allowed.certainly_lt(chance)),
            || {
                format!(
                    "Huber loss, w_0 = 1, d = L_0 = L_1 = ρ = 1, κ = 2, γ^2 = 1/2, n = 10^6, β = \
                        10^(-30): S = [-1, 1], and w_1 > 1 with probability at least {more:.3e} \
                        (for a binary logarithm {less:.3e}) > {:.3e}",
                    allowed.hi_f64()
                )
            },
        )
        .open_for("one instance")
}

/// `kl-lem-5-reading-global`. d = 1, L₀ = L₁ = ρ = γ = 1, n = 10⁶, β = 1/100. F has two wells: w₀ = 0 is the strict minimum of the higher one, 1 − cos w about
/// it, and the lower one is deeper by 1, more than 2(γ^{κ/2} + L₀)b. So α = F(w₀), 𝒮 = {w₀}, where KL* with respect to w*_𝒮 = w₀ says 0 ≥ 0, and
/// w₁ ≠ w₀ with probability 1 if there is a w₁: unless the first charge exceeds 1/2, that is z₀² < 2Λv/(1 − 2v), v = 10⁻⁶.
pub const LEM_5_READING_GLOBAL: Claim = Claim {
    id: "kl-lem-5-reading-global",
    place: "Sec. 5, Lemma 5, with the α that Section 5 prints",
    hypotheses: "F L_1-smooth, L_0-Lipschitz, (γ, κ)-KL* over S; α as Section 5 prints it, \
        max{F(w_0), F* + 2(γ^{κ/2} + L_0) b} with F* the minimum over R^d (Section 2: w* is the \
        closest global minimiser); App. D.4 has the minimum over S",
    check: |c| {
        let multiple = c.constant("failure probability in units of β", 2);
        let samples = Interval::from(1_000_000);
        let log = (&samples * &Interval::from(100)).ln();
        let rise = Interval::from(4) * (&log / &samples).sqrt();
        let short = (Interval::from(2) * log / (samples - Interval::from(2))).sqrt();
        // The density of N(0,1) is below 2/5.
        let leaves = Interval::from(1) - Interval::from_rational(&ratio(4, 5)) * short;
        let allowed = Interval::from_rational(&(multiple / 100));
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .needs_that("α = F(w_0)", rise.certainly_lt(&Interval::from(1)))
            .states_that(
                "first step, in 128-bit intervals",
                !allowed.certainly_lt(&leaves),
                || {
                    format!(
                        "two wells, w_0 the minimum of the higher one by 1, d = L_0 = L_1 = ρ = γ \
                            = 1, n = 10^6, β = 1/100: S = {{w_0}}, and w_1 is outside S with \
                            probability at least {:.4} > 2/100",
                        leaves.lo_digits(4)
                    )
                },
            )
            .open_for("one instance")
    },
    by_hand: &[],
    ..LEM_5
};

/// `kl-lem-5-proof`: KL* gives γ^κG^κ, that is (γ²b²)^{κ/2}. Here κ = 2, ‖∇F‖ = 1, b = 11/10, with equality in KL*.
pub const LEM_5_PROOF: Claim = Claim {
    id: "kl-lem-5-proof",
    place: "App. D.4, first case",
    kind: Kind::PathwiseInequality,
    statement: "|∇ F(w_t)| < b gives F(w_t) - F(w*_S) ≤ (γ b^2)^{κ/2}",
    hypotheses: "(γ, κ)-KL* at w_t",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-lem-5-repaired`. At w_t in S and l in \[0, 1\] the bound of `kl-lem-12-descent-repaired` along the segment is l(G² − b²)/(8L₁), because
/// l² ≤ l. For G ≥ b the segment stays below F(w_t) ≤ α; else F(w_t) − F(w*_𝒮) ≤ (γb)^κ, F(w*_𝒮) ≤ F(w*_{𝒮₀}), and it rises by at most b²/(8L₁). A
/// segment below α that starts in S stays in S.
pub const LEM_5_REPAIRED: Claim = Claim {
    id: "kl-lem-5-repaired",
    statement: "|e| ≤ (G + b)/2 for all t implies that all w_t are in S, α = max{F(w_0), \
        F(w*_{S_0}) + (γ b)^κ + b^2/(8L_1)}; with σ_t = N_t/(4 √(d Λ)) this holds with probability \
        at least 1 - 2 β, √(2) b in place of b",
    hypotheses: "F L_1-smooth, (γ, κ)-KL* over S with respect to w*_S, S_0 the component of {F ≤ \
        F(w_0)} at w_0; n √(ρ) ≥ max{1, 2 β} for the probability",
    rests_on: &["kl-lem-12-descent-repaired", "kl-def-valley-repaired"],
    check: |c| {
        let share = c.constant("error in units of G + b", ratio(1, 2));
        let rise = c.constant("rise in units of b^2/L_1", ratio(1, 8));
        let [g, b, l] = symbols();
        let e = 0 - &share * (&g + &b);
        let along = |l: &Expr| l * &g * (&g + &e) / 2 - l.square() * (&g + &e).square() / 8;
        let gain = along(&Expr::from(1)) - g.square() / 8 + &rise * b.square();
        Argument::new(c)
            .states_nonnegative_form("the whole step, in (G, b)", &gain, 2)
            .needs_identity(
                "a part of the step: l times the whole and l(1 - l) times a square",
                along(&l) - &l * along(&Expr::from(1)),
                &l * (1 - &l) * (&g + &e).square() / 8,
            )
            .note("α with (γ b)^κ for (γ b^2)^{κ/2} and b^2/(8L_1) for 2L_0 b; noise ratio 1/4")
            .proved_on("all F, errors of the hypotheses")
    },
    by_hand: &[
        "induction over t: a segment below α that starts in S stays in S",
        "S contains S_0, as F(w_0) ≤ α",
        "descent along the segment for all smooth F",
        "union bound over the rounds",
    ],
    ..LEM_5
};
