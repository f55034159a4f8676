//! Appendix D.1, D.3, D.5: the errors of Algorithm 3 and what one step gains.
//!
//! b = L₀√Λ/(√n ρ^{1/4}), Λ = log(n√ρ/β), G = ‖∇F(w_t)‖, e = ∇_t − ∇F(w_t); x and v as in [`super::adaptive_round`].

use super::adaptive_round::charge;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 14] = [
    LEM_10,
    LEM_10_REPAIRED,
    LEM_10_FLOOR,
    LEM_10_FLOOR_REPAIRED,
    LEM_11,
    LEM_11_REPAIRED,
    LEM_12_DESCENT,
    LEM_12_DESCENT_PROOF,
    LEM_12_DESCENT_PROOF_LAST,
    LEM_12_DESCENT_RESTRICTED,
    LEM_12_QUOTE,
    LEM_12_DESCENT_REPAIRED,
    LEM_12_MONO,
    LEM_12_MONO_REPAIRED,
];

/// The run that the checks look at: d = 1, F the Huber loss of slope and curvature 1, L₀ = L₁ = ρ = 1, β = 1/100, n = 10⁶,
/// and a start so far away that the chance to reach the bottom in this many rounds is below 2⁻¹⁰⁰: ∇F = 1. While all N_t are
/// at least 99/100, a round is charged at most 1/n + Λ/(0.98n²), so that at least this many rounds follow each other.
const RUN: u32 = 499_000;

/// Λ of that run, as an enclosure.
fn log_of_run() -> Interval {
    Interval::from(100_000_000).ln()
}

/// An upper bound of the probability that an event of probability at most 1 − `fails` in each round of the run
/// happens in all of them: either `RUN` rounds pass it, or some N_t < 99/100, that is a norm's noise is ten deviations off,
/// or the bottom is reached.
fn all_rounds(fails: &Interval) -> Interval {
    let rounds = Interval::from(i64::from(RUN));
    let passes = (&rounds * &(-fails.clone()).ln_1p()).exp();
    passes + rounds * Interval::from(-10).phi() + Interval::power_of_two(-100)
}

/// Whether 1 − `multiple`·β is not certainly above the probability.
fn reaches(probability: &Interval, multiple: &Rational) -> bool {
    let claimed = Interval::from_rational(&(1 - Rational::from(multiple / 100)));
    !probability.certainly_lt(&claimed)
}

/// `kl-lem-10`, first part: b̂_t > √Λ σ̂ has probability Φ(−√Λ), of the order of the root of β/(n√ρ).
pub const LEM_10: Claim = Claim {
    id: "kl-lem-10",
    place: "App. D.1, Lemma 10, first part",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - 2 β, |∇_t - ∇ F(w_t)| ≤ N_t ≤ |∇ F(w_t)| + b for all \
        t in [T] with σ_t = N_t/√(d Λ)",
    hypotheses: "Algorithm 3, scalar noise on the norm, n √(ρ) > β",
    check: |c| norms(c, 1).open_for("one run"),
    ..Claim::ALONE
};

fn norms(check: &Check, factor: i64) -> Argument<'_> {
    let factor = check.constant("factor of Λ in b^2", factor);
    let fails = (-(Interval::from_rational(&factor) * log_of_run()).sqrt()).phi();
    let probability = all_rounds(&fails);
    Argument::new(check)
        .repaired("kl-lem-10-repaired")
        .states_that(
            "norms of the run in 128-bit intervals",
            reaches(&probability, &Rational::from(2)),
            || {
                format!(
                    "d = 1, Huber loss with a far start, L_0 = ρ = 1, β = 1/100, n = 10^6: all \
                        norms obey the bound with probability at most {:.3}",
                    (probability.hi_f64() * 1e3).ceil() / 1e3
                )
            },
        )
}

/// `kl-lem-10-repaired`. Each event fails with probability at most e^{−Λ} = β/(n√ρ): the norm's as in
/// `kl-red-norm` (P(|Z| > y) ≤ e^{−y²/2}), the gradient's by it with x = Λ. There are at most n√ρ rounds: n√ρ/2 + 1
/// of them, and one if n√ρ < 2.
pub const LEM_10_REPAIRED: Claim = Claim {
    id: "kl-lem-10-repaired",
    statement: "with probability at least 1 - 2 β, |N_t - |∇ F(w_t)|| ≤ √(2) b and |∇_t - ∇ \
        F(w_t)| ≤ 2 √(d Λ) σ_t for all t",
    hypotheses: "Algorithm 3, scalar noise on the norm, n √(ρ) ≥ max{1, 2 β}; f(·;x) L_0-Lipschitz \
        on R^d for all x; at most n √(ρ) rounds, however the run stops",
    rests_on: &["kl-red-norm", "kl-alg-3-repaired"],
    check: |c| {
        let (domain, y) = Domain::of("n √(ρ)", closed(2), infinite());
        let rounds = Forall::le(domain, &y / 2 + 1, y);
        norms(c, 2)
            .needs("kl-lem-10-repaired", &rounds)
            .note("ratio √(2) for the norms and 2 for the gradients; the run needs more than 1")
            .proved_on(
                "all inputs and losses of the hypotheses, the charge of N_t ≤ 0 as printed or at \
                    its cap",
            )
    },
    by_hand: &[],
    ..LEM_10
};

/// `kl-lem-10-floor`: σ_t is at its floor from x = L₀²dΛ/(n²N_t²ρ) = 1/4 on, the charge at its cap from x = 1/2 on.
pub const LEM_10_FLOOR: Claim = Claim {
    id: "kl-lem-10-floor",
    place: "App. D.1, Lemma 10, second part",
    kind: Kind::PathwiseInequality,
    statement: "if σ_t = 2L_0/(n √(ρ)) then ρ_t ≥ ρ/2, so that t = T",
    hypotheses: "N_t > 0",
    check: by_kernel,
    ..Claim::ALONE
};

const CHARGED: &str = "share of the budget that a round at the floor is charged";

/// `kl-lem-10-floor-repaired`.
pub const LEM_10_FLOOR_REPAIRED: Claim = Claim {
    id: "kl-lem-10-floor-repaired",
    statement: "if σ_t = 2L_0/(n √(ρ)) then ρ_t > ρ/4; the second such round is the last",
    check: |c| {
        let share = c.constant(CHARGED, ratio(1, 4));
        let mut domain = Domain::new();
        let x = domain.real("x", closed(ratio(1, 4)), infinite());
        let v = domain.real("1/(n √(ρ))", open(0), infinite());
        Argument::new(c)
            .states(
                "kl-lem-10-floor-repaired",
                &Forall::lt(domain, &share, charge(&x, &v)),
            )
            .needs_that("two of them exceed ρ/2", share * 2 >= ratio(1, 2))
            .proved_on("N_t > 0, ρ > 0")
    },
    by_hand: &[],
    ..LEM_10_FLOOR
};

/// `kl-lem-11`: the first part is that of Lemma 10, behind at least one round, whose charge counts.
pub const LEM_11: Claim = Claim {
    id: "kl-lem-11",
    place: "App. D.3, Lemma 11; D.5",
    statement: "if σ_t = 2L_0/(n √(ρ)) then Algorithm 3 stops at iteration t, and with probability \
        at least 1 - 2 β, the excess is O((γ L_0 √(d Λ)/(n √(ρ)))^κ + (γ b)^κ)",
    hypotheses: "t ≥ 1, F (γ, κ)-KL* at w_t, κ in [1, 2]; the case t = 1, x_0 and x the charges of \
        both gradients",
    check: |c| {
        let share = c.constant(CHARGED, ratio(1, 2));
        let mut domain = Domain::new();
        let first = domain.real("x_0", open(0), closed(ratio(1, 4)));
        let x = domain.real("x", closed(ratio(1, 4)), infinite());
        let v = domain.real("1/(n √(ρ))", open(0), infinite());
        let spent = charge(&first, &v) + charge(&x, &v);
        Argument::new(c)
            .states("kl-lem-11", &Forall::lt(domain, share, spent))
            .repaired("kl-lem-11-repaired")
            .open_for("only the stop was looked at")
    },
    ..LEM_10
};

/// `kl-lem-11-repaired`. A = L₀√(dΛ)/(n√ρ): N_t ≤ 2A, G ≤ 2A + √2b. With s = 2A/(2A + √2b) and κ ≤ 2, (s/2)^κ ≥ (s/2)², so that
/// 8A^κ + 4b^κ is at least 2(s² + (1 − s)²) ≥ 1 times (2A + √2b)^κ.
pub const LEM_11_REPAIRED: Claim = Claim {
    id: "kl-lem-11-repaired",
    statement: "on the event of kl-lem-10-repaired, σ_t = 2L_0/(n √(ρ)) implies F(w_t) - F* ≤ 8(γ \
        L_0 √(d Λ)/(n √(ρ)))^κ + 4(γ b)^κ",
    hypotheses: "F (γ, κ)-KL* at w_t, κ in [1, 2], n √(ρ) ≥ max{1, 2 β}",
    rests_on: &["kl-lem-10-repaired"],
    check: by_kernel,
    by_hand: &[],
    ..LEM_11
};

/// `kl-lem-12-descent`, in the run of this module: the decrease is (1 + e)/2, the claim (1/8) − b², and e is N_t/√Λ
/// times a normal variable, so that each round fails with probability about Φ(−(3/4)√Λ).
pub const LEM_12_DESCENT: Claim = Claim {
    id: "kl-lem-12-descent",
    place: "App. D.3, Lemma 12, (9)",
    kind: Kind::PathwiseInequality,
    statement: "with probability at least 1 - 2 β, F(w_t) - F(w_{t+1}) ≥ |∇ F(w_t)|^2/(8L_1) - \
        b^2/L_1 for all t in [T]",
    hypotheses: "F L_1-smooth, σ_t = N_t/√(d Λ) for all t in [T], b^2 ≤ L_1",
    check: |c| {
        let gain = c.constant("factor of |∇F|^2/L_1", ratio(1, 8));
        let loss = c.constant("factor of b^2/L_1", 1);
        let square = log_of_run() / Interval::from(1_000_000);
        let half = Interval::from_rational(&ratio(1, 2));
        // (1 + e)/2 < gain − loss·b².
        let level = (half - Interval::from_rational(&gain)
            + Interval::from_rational(&loss) * square)
            * Interval::from(2);
        let deviation = Interval::from_rational(&ratio(99, 100)) / log_of_run().sqrt();
        let fails = (-(level / deviation)).phi() - Interval::from(-10).phi();
        let probability = all_rounds(&fails);
        Argument::new(c)
            .repaired("kl-lem-12-descent-repaired")
            .states_that(
                "steps of the run in 128-bit intervals",
                reaches(&probability, &Rational::from(2)),
                || {
                    format!(
                        "d = 1, Huber loss with a far start, L_0 = L_1 = ρ = 1, β = 1/100, n = \
                            10^6: all steps obey (9) with probability at most {:.3e}",
                        probability.hi_f64()
                    )
                },
            )
            .open_for("one run")
    },
    ..Claim::ALONE
};

/// The decrease of F = L₁w²/2, in units of 1/L₁, for a gradient G and an error e along it.
fn decrease(g: &Expr, e: &Expr) -> Expr {
    g * (g + e) / 2 - (g + e).square() / 8
}

/// `kl-lem-12-descent-proof`: (3/8)G² + ⟨G,e⟩/4 − ‖e‖²/8 is what the step length 1/(2L₁) gives; the display has G²/4 −
/// ‖e‖²/8. On F = w²/2 with e = −G nothing moves.
pub const LEM_12_DESCENT_PROOF: Claim = Claim {
    id: "kl-lem-12-descent-proof",
    place: "App. D.3, proof of Lemma 12, second line",
    statement: "F(w_t) - F(w_{t+1}) ≥ |∇ F(w_t)|^2/(4L_1) - |∇_t - ∇ F(w_t)|^2/(8L_1)",
    hypotheses: "F L_1-smooth, w_{t+1} = w_t - ∇_t/(2L_1)",
    check: |c| {
        let gain = c.constant("factor of |∇F|^2", ratio(1, 4));
        let loss = c.constant("factor of |e|^2", ratio(1, 8));
        let [g, e] = symbols();
        let form = decrease(&g, &e) - gain * g.square() + loss * e.square();
        Argument::new(c)
            .repaired("kl-lem-12-descent-repaired")
            .naming(&["∇ F(w_t)", "∇_t - ∇ F(w_t)"])
            .states_nonnegative_form("F = L_1 w^2/2, decrease minus bound in (|∇F|, e)", &form, 2)
            .open_for("one function")
    },
    ..LEM_12_DESCENT
};

/// `kl-lem-12-descent-proof-last`: the third line of the display, which loses Gb/4.
pub const LEM_12_DESCENT_PROOF_LAST: Claim = Claim {
    id: "kl-lem-12-descent-proof-last",
    place: "App. D.3, proof of Lemma 12, third line",
    statement: "|e| ≤ G + b gives G^2/(4L_1) - |e|^2/(8L_1) ≥ G^2/(8L_1) - b^2/(8L_1)",
    hypotheses: "G, b > 0",
    check: |c| {
        let loss = c.constant("factor of b^2", ratio(1, 8));
        let (domain, [g, b]) = Domain::of_all(["G", "b"], open(0), infinite());
        let left = g.square() / 8 - loss * b.square();
        let right = g.square() / 4 - (&g + &b).square() / 8;
        Argument::new(c)
            .repaired("kl-lem-12-descent-repaired")
            .states(
                "kl-lem-12-descent-proof-last",
                &Forall::le(domain, left, right),
            )
            .proved_on("all G, b > 0")
    },
    ..LEM_12_DESCENT
};

/// `kl-lem-12-descent-restricted`, with the printed noise. ‖∇_t − ∇F‖ = σ_t‖Z‖ ≤ N_t(Λ^{−1/2} + (2/d)^{1/2}) ≤ N_t/2 but for probability e^{−Λ}, and
/// N_t ≤ G + √2b as in `kl-lem-10-repaired`: the error is at most (G + √2b)/2.
pub const LEM_12_DESCENT_RESTRICTED: Claim = Claim {
    id: "kl-lem-12-descent-restricted",
    hypotheses: "N_t with noise of one dimension, N(0, σ̂²), f(·;x) L_0-Lipschitz on R^d for all \
        x, and d ≥ 32, Λ ≥ 16, n √(ρ) ≥ max{1, 2 β}; at most n √(ρ) rounds, no floor of σ_t",
    rests_on: &["kl-lem-10-repaired"],
    check: |c| {
        let gain = c.constant("factor of |∇F|^2/L_1", ratio(1, 8));
        let loss = c.constant("factor of b^2/L_1", 1);
        let mut domain = Domain::new();
        let log = domain.real("Λ^(-1/2)", open(0), closed(ratio(1, 4)));
        let dimension = domain.real("(2/d)^(1/2)", open(0), closed(ratio(1, 4)));
        let share = Forall::le(domain, log + dimension, ratio(1, 2));
        // B = √2b.
        let [g, b] = symbols();
        let e = 0 - (&g + &b) / 2;
        let form = decrease(&g, &e) - gain * g.square() + loss * b.square() / 2;
        Argument::new(c)
            .needs("kl-lem-12-descent-restricted", &share)
            .states_nonnegative_form(
                "F = L_1 w^2/2 and e against the gradient, in (G, √(2) b)",
                &form,
                2,
            )
            .proved_on("d ≥ 32, Λ ≥ 16, n √(ρ) ≥ max{1, 2 β}, all F of the hypotheses")
    },
    by_hand: &[],
    ..LEM_12_DESCENT
};

/// `kl-lem-12-quote`: the loss of (9) is b²/L₁ where Lemma 12 displays it, and b²/(8L₁) in its proof and where
/// App. D.6 sums it.
pub const LEM_12_QUOTE: Claim = Claim {
    id: "kl-lem-12-quote",
    place: "App. D.6, \"By Lemma 12, Eqn. (9)\"",
    statement: "(9) as Lemma 12 displays it gives F(w_t) - F(w_{t+1}) ≥ |∇ F(w_t)|^2/(8L_1) - \
        b^2/(8L_1)",
    hypotheses: "b > 0",
    check: |c| {
        let quoted = c.constant("factor of b^2/L_1 as quoted", ratio(1, 8));
        let (domain, loss) = Domain::of("b^2/L_1", open(0), infinite());
        Argument::new(c)
            .repaired("kl-lem-12-descent-repaired")
            .states(
                "kl-lem-12-quote",
                &Forall::le(domain, loss.clone(), quoted * loss),
            )
            .proved_on("all b > 0")
    },
    ..LEM_12_DESCENT
};

/// `kl-lem-12-descent-repaired`. With the error at most (G + b)/2 the worst direction is −(G + b)/2, where the decrease
/// minus the bound is (3/32)(G − b)². With a quarter of the printed noise, 2√(dΛ)σ_t = N_t/2 ≤ (G + √2b)/2 on the event of
/// `kl-lem-10-repaired`.
pub const LEM_12_DESCENT_REPAIRED: Claim = Claim {
    id: "kl-lem-12-descent-repaired",
    statement: "|∇_t - ∇ F(w_t)| ≤ (|∇ F(w_t)| + b)/2 implies F(w_t) - F(w_{t+1}) ≥ |∇ \
        F(w_t)|^2/(8L_1) - b^2/(8L_1); with σ_t = N_t/(4 √(d Λ)) this holds for all t, √(2) b in \
        place of b, with probability at least 1 - 2 β",
    hypotheses: "F L_1-smooth, f(·;x) L_0-Lipschitz on R^d for all x, w_{t+1} = w_t - ∇_t/(2L_1); \
        n √(ρ) ≥ max{1, 2 β} for the probability, at most n √(ρ) rounds, no floor of σ_t",
    rests_on: &["kl-lem-10-repaired"],
    check: by_kernel,
    by_hand: &[],
    ..LEM_12_DESCENT
};

/// `kl-lem-12-mono`. F = w²/2, L₁ = b = 1, γ² = 1/2, κ = 2: from w = 39/20 to 219/100.
pub const LEM_12_MONO: Claim = Claim {
    id: "kl-lem-12-mono",
    place: "App. D.3, Lemma 12, second display",
    statement: "Φ_{t+1} ≤ max{Φ_t, 2(max{γ^2,1}b^2/L_1)^{κ/2}}",
    hypotheses: "(9) at t, |e| ≤ G + b, F L_1-smooth and (γ, κ)-KL, κ in [1, 2], b^2 ≤ L_1",
    check: |c| {
        let factor = c.constant("factor of the threshold", 2);
        let half = |w: &Rational| -> Rational { Rational::from(w * w) / 2 };
        let (from, to) = (ratio(39, 20), ratio(219, 100));
        let (before, after) = (half(&from), half(&to));
        let error = (&from - Rational::from(2 * &to)).abs();
        let descends = Rational::from(&before - &after)
            >= Rational::from(&from * &from) / 8 - Rational::from(1);
        let bound = before.clone().max(factor);
        Argument::new(c)
            .repaired("kl-lem-12-mono-repaired")
            .needs_that(
                "the step satisfies (9) and |e| ≤ G + b",
                descends && error <= from + 1,
            )
            .states_that("F = w^2/2, exact", after <= bound, || {
                format!(
                    "F = w^2/2, L_1 = b = 1, γ^2 = 1/2: Φ goes from {before} to {after} ≤ {bound} \
                        fails"
                )
            })
            .open_for("one step")
    },
    ..LEM_12_DESCENT
};

/// `kl-lem-12-mono-repaired`. If G ≥ b the excess does not grow (`kl-lem-12-descent-repaired`). Else Φ_t ≤ (γb)^κ ≤ M and it grows by
/// at most b²/(8L₁) ≤ (b²/L₁)^{κ/2}/8 ≤ M/8, M = (max{γ²,1}b²/min{L₁,1})^{κ/2}. The instance is F = w²/4, L₁ = b = γ = 1 = M: w
/// goes to 7w/8 + 1/4, here from 19/10.
pub const LEM_12_MONO_REPAIRED: Claim = Claim {
    id: "kl-lem-12-mono-repaired",
    statement: "Φ_{t+1} ≤ max{Φ_t, (9/8)(max{γ^2,1}b^2/min{L_1,1})^{κ/2}}",
    hypotheses: "|e| ≤ (G + b)/2, F L_1-smooth and (γ, κ)-KL, κ in [1, 2], b^2 ≤ L_1",
    rests_on: &["kl-lem-12-descent-repaired"],
    check: |c| {
        let factor = c.constant("factor of the threshold", ratio(9, 8));
        let quarter = |w: &Rational| -> Rational { Rational::from(w * w) / 4 };
        let from = ratio(19, 10);
        let to = ratio(7, 8) * &from + ratio(1, 4);
        let (before, after) = (quarter(&from), quarter(&to));
        let bound = before.clone().max(factor.clone());
        let mut domain = Domain::new();
        let log = domain.real("-log(b^2/L_1)", closed(0), infinite());
        let half = domain.real("κ/2", closed(ratio(1, 2)), closed(1));
        // b²/L₁ ≤ (b²/L₁)^{κ/2}, in logarithms.
        let power = Forall::le(domain, &half * &log, log.clone()).factored(log, 1 - half);
        Argument::new(c)
            .states_that("F = w^2/4, exact", after <= bound, || {
                format!(
                    "F = w^2/4, L_1 = b = γ = 1: Φ goes from {before} to {after} ≤ {bound} fails"
                )
            })
            .needs("kl-lem-12-mono-repaired", &power)
            .needs_that("1 + 1/8", factor >= ratio(9, 8))
            .note("min{L_1, 1} as in Lemma 13 in place of L_1")
            .proved_on("all F, w_t, errors of the hypotheses")
    },
    by_hand: &[],
    ..LEM_12_MONO
};
