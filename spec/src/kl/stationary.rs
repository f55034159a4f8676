//! Theorem 5 and Appendix D.6: stationarity without the KL condition.
//!
//! v and x as in [`super::adaptive_round`], b and e as in [`super::adaptive_error`]; Y = n√ρ, N* the least gradient norm of the run.

use super::proximal::diverges;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    THM_5_SELECT,
    THM_5_AVG,
    THM_5_T,
    THM_5_T_PROOF_NORMS,
    THM_5_T_PROOF,
    THM_5_T_PROOF_ROOT,
    THM_5_T_REPAIRED,
    THM_5,
    THM_5_PROOF,
    THM_5_REPAIRED,
];

/// `kl-thm-5-select`. Given the iterates, a candidate s above N* has at most e^{−sn√ρ/(2L₀)} times the weight of the least. With the
/// second term alone as s that is e^{−2Λ} = (β/Y)², for at most T ≤ Y/2 candidates. For Y < 2 there is one candidate.
pub const THM_5_SELECT: Claim = Claim {
    id: "kl-thm-5-select",
    place: "App. D.6, (15)",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - 2 β, |∇ F(w_{t*})| ≤ L_0 Λ/(√(n) ρ^{1/4}) + 4L_0 \
        Λ/(n √(ρ)) + N*",
    hypotheses: "n √(ρ) ≥ β, β in (0, 1), T + 1 ≤ n √(ρ)/2; f(·;x) L_0-Lipschitz on R^d for all x; \
        given the iterates",
    rests_on: &["kl-alg-3-repaired"],
    by_hand: &[],
    check: |c| {
        let second = c.constant("factor of L_0 Λ/(n √(ρ))", 4);
        let multiple = c.constant("failure probability in units of β", 2);
        let (domain, root) = Domain::of("√(n √(ρ))", open(0), infinite());
        // Times Y/(L₀Λ): for Y < 2 the draw is certain, and a negative bound is missed with probability 1.
        let meaningful = Forall::le(domain, 0, root + &second);
        let mut domain = Domain::new();
        let y = domain.real("n √(ρ)", closed(2), infinite());
        let beta = domain.real("β", open(0), open(1));
        // (Y/2)(β/Y)² ≤ multiple·β.
        let rare = Forall::le(domain, beta / (2 * y), Expr::from(multiple));
        Argument::new(c)
            .states("kl-thm-5-select/sign", &meaningful)
            .needs_that("the second term alone: exponent 2 Λ", second >= 4)
            .needs("kl-thm-5-select", &rare)
            .note("far from tight: the first term and half of the second are not used")
            .proved_on("all parameters, iterates and losses of the hypotheses")
    },
};

/// `kl-thm-5-avg`. In units of b: φ = 8L₁Φ/b², g = G/b ≤ √φ/2 by smoothness, φ_{t+1} ≤ φ_t + 1 − g_t². If φ_0 ≥ 3, Σ_{1..T} g² ≤ φ_0 + T + 1
/// and (√(φ_0/T) + 1)² ≥ (φ_0 + T + 1)/T. Else φ_1 ≤ 4, and ψ(φ) = max{0, (φ−4)/2} has g − 1 + ψ(φ + 1 − g²) ≤ ψ(φ): if ψ of the next is 0, φ ≤ 3 + g² ≤
/// 3 + φ/4 gives g ≤ 1; else the left side is (φ − 4 − (1−g)²)/2. So Σ(g_t − 1) ≤ ψ(φ_1) = 0. F = w²/2, b = 1, e = −1 at w = 1 stays.
pub const THM_5_AVG: Claim = Claim {
    id: "kl-thm-5-avg",
    place: "App. D.6, (16)",
    kind: Kind::PathwiseInequality,
    statement: "(1/T) ∑_{t=1…T} |∇ F(w_t)| ≤ √(8F_0 L_1/T) + b",
    hypotheses: "F(w_t) - F(w_{t+1}) ≥ |∇ F(w_t)|^2/(8L_1) - b^2/(8L_1) for t = 0, …, T, which \
        App. D.6 quotes as (9); F L_1-smooth, F(w_0) - F* ≤ F_0, T ≥ 1",
    rests_on: &[],
    check: |c| {
        let first = c.constant("number under the root", 8);
        let second = c.constant("factor of b", 1);
        // T = 10⁶, F₀ = 1/2, all gradients 1.
        let bound = (Interval::from_rational(&Rational::from(&first / 2_000_000))).sqrt()
            + Interval::from_rational(&second);
        let mut domain = Domain::new();
        let start = domain.real("φ_0", closed(3), infinite());
        let rounds = domain.integer_from("T", 1);
        let large = Forall::le(domain, 1, 4 * start * rounds);
        let [g, phi] = symbols();
        Argument::new(c)
            .states_that(
                "F = w^2/2 at rest at w = 1, T = 10^6",
                !bound.certainly_lt(&Interval::from(1)),
                || {
                    format!(
                        "F = w^2/2, L_1 = b = 1, e = -1, T = 10^6: the average is 1, the bound \
                            {bound}"
                    )
                },
            )
            .needs_that("the factors of the proof", first >= 8 && second >= 1)
            .needs("kl-thm-5-avg", &large)
            .needs_identity(
                "potential after the step",
                &g - 1 + (&phi - 3 - g.square()) / 2,
                (&phi - 4) / 2 - (1 - &g).square() / 2,
            )
            .proved_on("all F, runs of the hypotheses")
    },
    by_hand: &[],
};

/// `kl-thm-5-T`, first equality: T + 1 rounds, each charged √ρ/n. T = 1, a and b the rest of the
/// two charges, which no floor or cap changes; the first round leaves budget, the second does not.
pub const THM_5_T: Claim = Claim {
    id: "kl-thm-5-T",
    place: "App. D.6, display of the charges",
    kind: Kind::PathwiseInequality,
    statement: "∑_{t=0…T} ρ_t = T √(ρ)/(2n) + (L_0^2 d Λ/n^2) ∑_{t=1…T} N_t^{-2}",
    hypotheses: "σ_t = N_t/√(d Λ) for all t, so no charge at its cap",
    rests_on: &[],
    check: by_kernel,
    by_hand: &[],
};

/// `kl-thm-5-T-proof-norms`: a noisy norm may be below N*. On a loss that is linear around the
/// iterates, such as Huber's far from its minimum, all gradients have the norm 1; one round is
/// below with probability 1/2.
pub const THM_5_T_PROOF_NORMS: Claim = Claim {
    id: "kl-thm-5-T-proof-norms",
    place: "App. D.6, display of the charges, second line",
    statement: "∑_{t=1…T} N_t^{-2} ≤ T/(N*)^2, N* = min |∇ F(w_t)|",
    hypotheses: "N_t = |∇ F(w_t)| plus noise, no charge at its cap",
    check: by_kernel,
    ..THM_5_T
};

/// `kl-thm-5-T-proof`: with X = n²N²ρ/(L₀²dΛ), from T(1/X + 1/(2Y)) ≥ 1/2.
pub const THM_5_T_PROOF: Claim = Claim {
    id: "kl-thm-5-T-proof",
    place: "App. D.6, lower bound of T",
    statement: "T(1/X + 1/(2Y)) ≥ 1/2 implies T ≥ (1/2) min{X, Y}",
    hypotheses: "X, Y > 0",
    check: |c| {
        let half = c.constant("factor of the minimum", ratio(1, 2));
        let (domain, [x, y]) = Domain::of_all(["X", "Y"], open(0), infinite());
        // The least T is XY/(X + 2Y).
        let least = &x * &y / (&x + 2 * &y);
        Argument::new(c)
            .repaired("kl-thm-5-T-repaired")
            .states(
                "kl-thm-5-T-proof",
                &Forall::le(domain, half * x.min(y), least),
            )
            .proved_on("X, Y > 0")
    },
    ..THM_5_T
};

/// `kl-thm-5-T-proof-root`: √(8·2) = 4.
pub const THM_5_T_PROOF_ROOT: Claim = Claim {
    id: "kl-thm-5-T-proof-root",
    place: "App. D.6, bound of N*",
    statement: "T ≥ X/2 implies √(8F_0 L_1/T) ≤ 3L_0 √(F_0 L_1 d Λ)/(n N* √(ρ))",
    hypotheses: "X = (n N*)^2 ρ/(L_0^2 d Λ)",
    check: by_kernel,
    ..THM_5_T
};

/// `kl-thm-5-T-repaired`. R rounds t = 0, …, R − 1 with σ_t = N_t/(4√(dΛ)), charges v + 16x: the stop means R(v + 16x) > 1/2 at the least N_t, so R ≥
/// (1/4)min{1/v, 1/(16x)}. The average over t < R is at most √(8F₀L₁/R) + b, because Σ G² ≤ 8F₀L₁ + Rb². With u = N* − b ≤ min N_t:
/// u ≤ max{√(32F₀L₁/Y), √512 L₀√(F₀L₁dΛ)/(Yu)}.
pub const THM_5_T_REPAIRED: Claim = Claim {
    id: "kl-thm-5-T-repaired",
    statement: "with σ_t = N_t/(4 √(d Λ)) off the floor in all R rounds: N* ≤ b + max{√(32F_0 \
        L_1/(n √(ρ))), (√(512) L_0 √(F_0 L_1 d Λ)/(n √(ρ)))^{1/2}}",
    hypotheses: "|N_t - G| ≤ b, |e| ≤ N_t/2 in all rounds, F L_1-smooth, charge min{16L_0^2 d Λ/(n \
        N_t)^2, ρ/2} + √(ρ)/n",
    rests_on: &["kl-lem-12-descent-repaired"],
    check: |c| {
        let quarter = c.constant("factor of the minimum", ratio(1, 4));
        let first = c.constant("first number under the root", 32);
        let second = c.constant("second number under the root", 512);
        let (domain, s) = Domain::of("smaller over larger of v, 16x", open(0), closed(1));
        let sum = Forall::le(domain, &quarter * (1 + s), ratio(1, 2));
        Argument::new(c)
            .states("kl-thm-5-T-repaired", &sum)
            .states_that("8/quarter", first == 8 / quarter.clone(), || {
                "first number".to_owned()
            })
            .states_that("8 x 16/quarter", second == 128 / quarter, || {
                "second number".to_owned()
            })
            .note("u ≤ B/u gives u ≤ √(B)")
            .proved_on("all runs of the hypotheses")
    },
    by_hand: &[],
    ..THM_5_T
};

/// `kl-thm-5`. d = 1, β = 1/100, Huber losses of slope L₀ and curvature L₁, w_0 = 5YL₀/L₁: at most Y steps, each at most 10L₀/(2L₁) long but for
/// probability Y(Φ(−√Y) + Φ(−4.5√Λ)) (norms up to 2L₀, then noises up to 9L₀), so that all gradients are L₀. F₀L₁ ≤ 5YL₀². With r = Y^{1/4} the bound is at
/// most L₀(5^{1/4}/r + √(log(100r⁴))/r²) ≤ 6L₀/r, because log r ≤ r − 1.
pub const THM_5: Claim = Claim {
    id: "kl-thm-5",
    place: "Sec. 5.1, Theorem 5; App. D.6",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - 3 β, |∇ F(w_{t*})| = O(min{√(F_0 L_1/T), (L_0 √(F_0 \
        L_1 d)/(n √(ρ)))^{1/2}} + L_0 √(Λ)/(√(n) ρ^{1/4}))",
    hypotheses: "f L_1-smooth, L_0-Lipschitz, F(w_0) - F* ≤ F_0",
    rests_on: &[],
    check: |c| {
        let sixth = c.constant(
            "claimed lower bound of the ratio in units of (n √(ρ))^{1/4}",
            ratio(1, 6),
        );
        let (domain, r) = Domain::of("(n √(ρ))^{1/4}", closed(1), infinite());
        // sixth·r·bound/L₀ ≤ 1, with the root of the logarithm at most √(20)·r.
        let log = Forall::le(
            domain.clone(),
            4 * (&r - 1) + Expr::from(100).ln(),
            20 * r.square(),
        );
        let five = Expr::from(5).sqrt().sqrt();
        let total = Forall::le(domain, sixth * (five + Expr::from(20).sqrt()), 1);
        match Argument::new(c).needs("kl-thm-5/log", &log).proved_on("") {
            Verdict::Proved(_) => diverges(
                c,
                "kl-thm-5",
                &total,
                "d = 1, Huber losses of slope L_0 and curvature L_1, w_0 = 5 n √(ρ) L_0/L_1: all \
                    gradients are L_0, the bound falls like (n √(ρ))^{-1/4}",
                "kl-thm-5-repaired",
            ),
            other => other,
        }
    },
    by_hand: &[],
};

/// `kl-thm-5-proof`: of the two entries of the minimum only X = (nN*)²ρ/(L₀²dΛ) is inserted into (16); the other one, n√ρ, is the
/// missing term.
pub const THM_5_PROOF: Claim = Claim {
    id: "kl-thm-5-proof",
    place: "App. D.6, bound of N*",
    kind: Kind::PathwiseInequality,
    statement: "T ≥ (1/2) min{X, n √(ρ)} implies 8F_0 L_1/T ≤ 16F_0 L_1/X",
    hypotheses: "X, n √(ρ) > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-5-repaired`: `kl-thm-5-T-repaired` with √2b for b on the event of `kl-lem-10-repaired`, the floor (N_t ≤ 8L₀√(dΛ)/Y there), and
/// `kl-thm-5-select`; three failures of at most 2β + β.
pub const THM_5_REPAIRED: Claim = Claim {
    id: "kl-thm-5-repaired",
    statement: "with σ_t = max{N_t/(4 √(d Λ)), 2L_0/(n √(ρ))}, with probability at least 1 - 3 β, \
        |∇ F(w_{t*})| ≤ √(2) b + 4L_0 Λ/(n √(ρ)) + max{√(32F_0 L_1/(n √(ρ))), (√(512) L_0 √(F_0 \
        L_1 d Λ)/(n √(ρ)))^{1/2}, 8L_0 √(d Λ)/(n √(ρ))}",
    hypotheses: "f L_1-smooth, L_0-Lipschitz, F(w_0) - F* ≤ F_0, n √(ρ) ≥ max{1, 2 β}; charge 16 \
        times the uncapped one, at its cap for N_t ≤ 0",
    rests_on: &[
        "kl-lem-10-repaired",
        "kl-thm-5-T-repaired",
        "kl-thm-5-select",
    ],
    check: |c| {
        let floor = c.constant("factor of L_0 √(d Λ)/(n √(ρ))", 8);
        let [l, dl, y, level] = symbols();
        // N/(4√(dΛ)) = 2L₀/Y, squared.
        let scale = level.square() / (16 * &dl);
        let at = scale - 4 * l.square() / y.square();
        let crossing = floor.clone() * floor * l.square() * &dl / y.square();
        let rest = (level.square() - crossing) / (16 * &dl);
        let mut domain = Domain::new();
        let large = domain.real("n √(ρ)", closed(2), infinite());
        let beta = domain.real("β", open(0), open(1));
        // The draw misses with probability at most (Y/2)(β/Y)².
        let rare = Forall::le(domain, beta / (2 * large), 1);
        Argument::new(c)
            .states_identity("where the floor begins", &at, &rest)
            .needs("kl-thm-5-repaired", &rare)
            .note(
                "the term √(F_0 L_1/(n √(ρ))) is the necessary addition: the family of kl-thm-5 \
                    attains it up to a constant",
            )
            .proved_on("all losses, parameters of the hypotheses")
    },
    by_hand: &[
        "one candidate more than kl-thm-5-select has, and n√ρ < 2: the union is over at most n√ρ/2 \
            + 1",
        "three failures by union bound (norms, gradients, draw)",
        "kl-thm-5-T-repaired off the floor, N_t ≤ 8A at the floor",
        "kl-thm-5-select",
    ],
    ..THM_5
};
