//! Appendices D.1 and D.3: steps of printed proofs that no other module decides. Notation of [`super::adaptive_error`]; z = γ²L₁.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Claim, Kind, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 13] = [
    LEM_10_LAST,
    LEM_11_RATE,
    LEM_11_RATE_REPAIRED,
    LEM_12_PROOF_PROBABILITY,
    LEM_12_SLOPE,
    LEM_12_MONO_PROOF,
    LEM_13_PROOF_SUM,
    LEM_13_PROOF_HALF,
    LEM_13_PROOF_LAST,
    THM_4_BUDGET_PROOF_STOP,
    THM_4_BUDGET_PROOF_COUNT,
    THM_4_BUDGET_PROOF_LENGTH,
    THM_4_LONG_PROOF,
];

/// `kl-lem-10-last`. d = L₀ = ρ = 1, f = 0, n = 100, β = 10⁻⁴: N_t has the deviation 1/10, and a round is charged 1/100 and
/// Λ/(100N_t)², 1/2 at most. If N_0² ≥ Λ/4900 round 0 leaves budget; if N_1² ≤ Λ/5000 round 1 is charged at its cap, so that T = 1, and
/// has its noise at the floor 1/50, as N_1 ≤ √Λ/50. The error is then 1/50 times a standard normal variable, the bound √Λ/100.
pub const LEM_10_LAST: Claim = Claim {
    id: "kl-lem-10-last",
    place: "App. D.1, Lemma 10, last bound",
    kind: Kind::HighProbability,
    statement: "if σ_t = 2L_0/(n √(ρ)) for some t then, with probability at least 1 - 2 β, |∇_T - \
        ∇ F(w_T)| ≤ L_0 √(d Λ)/(n √(ρ))",
    hypotheses: "Algorithm 3, scalar noise on the norm, n √(ρ) > β",
    check: |c| {
        let multiple = c.constant("failure probability in units of β", 2);
        let factor = c.constant("factor of L_0 √(d Λ)/(n √(ρ))", 1);
        let log = Interval::from(1_000_000).ln();
        let beyond = |deviations: Interval| Interval::from(2) * (-deviations).phi();
        let goes_on = beyond((&log / &Interval::from(49)).sqrt());
        let ends = Interval::from(1) - beyond((&log / &Interval::from(50)).sqrt());
        let half = Interval::from_rational(&(factor / 2));
        let fails = goes_on * ends * beyond(half * log.sqrt());
        let allowed = Interval::from_rational(&(multiple / 10_000));
        Argument::new(c)
            .repaired("kl-lem-10-repaired")
            .states_that(
                "laws of two rounds, in 128-bit intervals",
                !allowed.certainly_lt(&fails),
                || {
                    format!(
                        "d = L_0 = ρ = 1, f = 0, n = 100, β = 1/10000: with probability at least \
                            {:.4} > 2/10000 round 1 is the last, at the floor, and the bound fails",
                        fails.lo_digits(4)
                    )
                },
            )
            .open_for("one instance")
    },
    ..Claim::ALONE
};

/// `kl-lem-11-rate`: equal at κ = 2. (The print compares with "Theorem 2" and means Theorem 4.)
pub const LEM_11_RATE: Claim = Claim {
    id: "kl-lem-11-rate",
    place: "App. D.3, after Lemma 11",
    kind: Kind::Rate,
    statement: "the rate of Lemma 11 is strictly faster than that of Theorem 4 (printed: Theorem \
        2): κ > 2κ/(4-κ)",
    hypotheses: "κ in [1, 2]",
    check: |c| {
        let factor = c.constant("factor of κ/(4-κ)", 2);
        let (domain, kappa) = Domain::of("κ", closed(1), closed(2));
        Argument::new(c)
            .repaired("kl-lem-11-rate-repaired")
            .states(
                "kl-lem-11-rate",
                &Forall::lt(domain, Expr::from(factor), 4 - kappa),
            )
            .proved_on("all κ in [1, 2]")
    },
    ..Claim::ALONE
};

/// `kl-lem-11-rate-repaired`.
pub const LEM_11_RATE_REPAIRED: Claim = Claim {
    id: "kl-lem-11-rate-repaired",
    kind: Kind::PathwiseInequality,
    statement: "κ ≥ 2κ/(4-κ), with equality at κ = 2",
    check: |c| {
        let factor = c.constant("factor of κ/(4-κ)", 2);
        let (domain, gap) = Domain::of("2 - κ", closed(0), closed(1));
        Argument::new(c)
            .states(
                "kl-lem-11-rate-repaired",
                &Forall::le(domain, Expr::from(factor), 2 + gap),
            )
            .proved_on("all κ in [1, 2]")
    },
    ..LEM_11_RATE
};

/// `kl-lem-12-descent-proof-probability`: the event of Lemma 10 is quoted with 1 − β (as is (9) in App. D.6), its statement has 1 − 2β.
pub const LEM_12_PROOF_PROBABILITY: Claim = Claim {
    id: "kl-lem-12-descent-proof-probability",
    place: "App. D.3, proof of Lemma 12, first sentence; App. D.6, before (16)",
    kind: Kind::HighProbability,
    statement: "what has probability at least 1 - 2 β has probability at least 1 - β",
    hypotheses: "β in (0, 1/2)",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-lem-12-slope`, b = 1 and L₁ = 1: KL* gives γ²G² ≥ Φ^{2/κ} ≥ max{γ²,1}, the same under (14), whose threshold is larger.
pub const LEM_12_SLOPE: Claim = Claim {
    id: "kl-lem-12-slope",
    place: "App. D.3, (10); sentence after the display of the charges",
    kind: Kind::PathwiseInequality,
    statement: "Φ_t ≥ (max{γ^2,1}b^2/L_1)^{κ/2} gives |∇ F(w_t)|^2 ≥ Φ_t^{2/κ}/γ^2 ≥ b^2/L_1; so \
        does (14)",
    hypotheses: "F (γ, κ)-KL* at w_t, γ, L_1 > 0",
    check: |c| {
        let factor = c.constant("factor of b^2/L_1", 1);
        let (domain, square) = Domain::of("γ^2", open(0), infinite());
        let (other, smooth) = Domain::of("L_1", open(0), infinite());
        let least = Forall::le(other, smooth.min(1), smooth.clone());
        Argument::new(c)
            .states(
                "kl-lem-12-slope",
                &Forall::le(domain, factor * &square, square.max(1)),
            )
            .needs("kl-lem-12-slope/14", &least)
            .proved_on("all parameters of the hypotheses")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-lem-12-mono-proof`, b = 1: (10) gives G² ≥ b²/L₁, which is b² or more for L₁ ≤ 1 only.
pub const LEM_12_MONO_PROOF: Claim = Claim {
    id: "kl-lem-12-mono-proof",
    place: "App. D.3, (10) and (11)",
    kind: Kind::PathwiseInequality,
    statement: "|∇ F(w_t)|^2 ≥ b^2/L_1 gives |∇ F(w_t)|^2/(8L_1) - b^2/(8L_1) > 0",
    hypotheses: "L_1 > 0, b = 1",
    check: |c| {
        let divisor = c.constant("divisor of b^2/L_1", 8);
        if divisor <= 0 {
            return crate::claim::Verdict::open("another sign of b^2");
        }
        let (domain, [smooth, square]) = Domain::of_all(["L_1", "|∇F|^2"], open(0), infinite());
        let gain =
            Forall::lt(domain, 8 / Expr::from(divisor), square.clone()).when_le(1 / smooth, square);
        Argument::new(c)
            .repaired("kl-lem-12-mono-repaired")
            .states("kl-lem-12-mono-proof", &gain)
            .proved_on("all L_1 > 0")
    },
    ..Claim::ALONE
};

/// `kl-lem-13-proof-sum`: the summand of (13) has G²/4 − b²/4, (9) has G²/8 − b² where it is displayed.
pub const LEM_13_PROOF_SUM: Claim = Claim {
    id: "kl-lem-13-proof-sum",
    place: "App. D.3, proof of Lemma 13, (13), first line",
    kind: Kind::PathwiseInequality,
    statement: "(9) gives F(w_t) - F(w_{t+1}) ≥ |∇ F(w_t)|^2/(4L_1) - b^2/(4L_1)",
    hypotheses: "|∇ F(w_t)|, b > 0",
    check: |c| {
        let gain = c.constant("factor of |∇F|^2/L_1", ratio(1, 4));
        let loss = c.constant("factor of b^2/L_1", ratio(1, 4));
        let (domain, [g, b]) = Domain::of_all(["|∇F|", "b"], open(0), infinite());
        let shown = g.square() / 8 - b.square();
        let summand = gain * g.square() - loss * b.square();
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .states("kl-lem-13-proof-sum", &Forall::le(domain, summand, shown))
            .proved_on("all |∇F|, b > 0")
    },
    ..Claim::ALONE
};

/// `kl-lem-13-proof-half`, step (ii), times γ²L₁ over Φ^{2/κ}: 1/4 less something is to be at least 1/2.
pub const LEM_13_PROOF_HALF: Claim = Claim {
    id: "kl-lem-13-proof-half",
    place: "App. D.3, proof of Lemma 13, (13), step (ii)",
    statement: "Φ^{2/κ}/(4 γ^2 L_1) - b^2/(4L_1) ≥ Φ^{2/κ}/(2 γ^2 L_1) if Φ ≥ (2 γ^2 b^2)^{κ/2}",
    hypotheses: "κ in [1, 2], all quantities positive",
    check: |c| {
        let half = c.constant("factor of Φ^(2/κ)/(γ^2 L_1)", ratio(1, 2));
        let (domain, share) = Domain::of("γ^2 b^2/Φ^(2/κ)", open(0), closed(ratio(1, 2)));
        let left = ratio(1, 4) - share / 4;
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .states(
                "kl-lem-13-proof-half",
                &Forall::le(domain, Expr::from(half), left),
            )
            .proved_on("all parameters of the hypotheses")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-lem-13-proof-last`: c − 1 = 1/(8z) gives 1/c = 1 − 1/(8cz), so that ≤ holds for =, which is all that the step needs.
pub const LEM_13_PROOF_LAST: Claim = Claim {
    id: "kl-lem-13-proof-last",
    place: "App. D.3, proof of Lemma 13, last display",
    statement: "1 - 1/(2 c γ^2 L_1) = 1/c for c = 1 + 1/(8 γ^2 L_1)",
    hypotheses: "γ^2 L_1 > 0",
    check: by_kernel,
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-budget-proof-stop`: the test of line 2 has ρ/2. Two rounds with v = 1/10 and x = 1/4, no charge at its cap: that case
/// is put aside before (Lemma 11).
pub const THM_4_BUDGET_PROOF_STOP: Claim = Claim {
    id: "kl-thm-4-budget-proof-stop",
    place: "App. D.3, before the display of the charges",
    statement: "Algorithm 3 stops when ∑_{t≤T} ρ_t > ρ (and so, for T ≤ n √(ρ)/2, when the charges \
        of the gradients exceed ρ/2)",
    hypotheses: "the test of line 2; no charge at its cap",
    check: by_kernel,
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-budget-proof-count`: T + 1 rounds pay for their norms. T = K_1 = 1, v = 1/100, both x = 1/4, in units of ρ: the
/// first round leaves budget, the second ends the run.
pub const THM_4_BUDGET_PROOF_COUNT: Claim = Claim {
    id: "kl-thm-4-budget-proof-count",
    place: "App. D.3, display of the charges, first line",
    statement: "∑_{t≤T} ρ_t = T √(ρ)/n + (L_0^2 d Λ/n^2) ∑_{j≤p} ∑_{t=K_{j-1}}^{K_j} N_t^{-2}",
    hypotheses: "no charge at its cap",
    check: by_kernel,
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-budget-proof-length`: Lemma 13 asks for (Φ/c)^{(κ−2)/κ} − 1 rounds. κ = 1, γ²L₁ = 1/8, so that c = 2, and Φ = 1/4, the largest
/// that smoothness admits.
pub const THM_4_BUDGET_PROOF_LENGTH: Claim = Claim {
    id: "kl-thm-4-budget-proof-length",
    place: "App. D.3, display of the charges, fifth line",
    statement: "the number of rounds that Lemma 13 gives a phase from Φ, (Φ/c)^{(κ-2)/κ} - 1, is \
        at most Φ^{(κ-2)/κ}",
    hypotheses: "κ in [1, 2], c = 1 + 1/(8 γ^2 L_1), Φ^{(2-κ)/κ} ≤ 2 γ^2 L_1",
    check: |c| {
        let divisor = c.constant("divisor in c - 1", 8);
        if divisor <= 0 {
            return crate::claim::Verdict::open("c < 1");
        }
        let fall = Rational::from(1) + Rational::from(8) / divisor;
        let phi = ratio(1, 4);
        let needed = fall / &phi - Rational::from(1);
        let claimed = phi.recip();
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .states_that("κ = 1, c = 2", needed <= claimed, || {
                format!("κ = 1, γ^2 L_1 = 1/8, Φ = 1/4: {needed} ≤ {claimed} fails")
            })
            .open_for("one point")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-long-proof`: the summary drops the 2 of the display, κ = 1.
pub const THM_4_LONG_PROOF: Claim = Claim {
    id: "kl-thm-4-long-proof",
    place: "App. D.3, summary at the end of the proof of Theorem 4",
    statement: "the display before gives Φ_T ≤ (p_max/(n √(ρ)))^{κ/(2-κ)}",
    hypotheses: "κ in [1, 2), Φ_T ≤ (2p_max/(n √(ρ)))^{κ/(2-κ)}",
    check: |c| {
        let factor = c.constant("factor of p_max", 1);
        let bound = Rational::from(2);
        Argument::new(c)
            .repaired("kl-thm-4-long")
            .states_that("κ = 1", bound <= factor, || {
                format!(
                    "κ = 1: {bound} p_max/(n √(ρ)) ≤ {factor} p_max/(n √(ρ)) fails; the ratio \
                        2^(κ/(2-κ)) is unbounded as κ → 2"
                )
            })
            .open_for("κ = 1 only")
    },
    ..LEM_13_PROOF_SUM
};
