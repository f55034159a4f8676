//! Appendix D: steps of printed proofs that no other module decides. Notation of [`super::adaptive_error`]; z = γ²L₁.

use super::adaptive_phases::LEM_13;
use super::proximal::diverges;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Claim, Kind};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 18] = [
    LEM_10_LAST,
    LEM_11_RATE,
    LEM_11_RATE_REPAIRED,
    LEM_12_PROOF_PROBABILITY,
    LEM_12_MONO_PROOF,
    LEM_13_PROOF_SUM,
    LEM_13_PROOF_HALF,
    LEM_13_PROOF_LAST,
    THM_4_BUDGET_PROOF_STOP,
    THM_4_BUDGET_PROOF_LENGTH,
    THM_4_LONG_PROOF,
    LEM_5_PROOF_BALL,
    LEM_5_PROOF_STEP,
    LEM_5_PROOF_CASE,
    LEM_11_PROOF,
    THM_5_PROOF_FLOOR,
    THM_5_PROOF_MIN,
    THM_5_PROOF_LOG,
];

/// `kl-lem-10-last`. d = L₀ = ρ = 1, f = 0, n = 2, β = 10⁻⁴: √ρ/n = 1/2, so the first round is the last one; its noise is at the floor
/// L₀ unless N_0, of deviation 1/√2, exceeds √Λ; the error is a standard normal variable, the bound √Λ/2.
pub const LEM_10_LAST: Claim = Claim {
    id: "kl-lem-10-last",
    place: "App. D.1, Lemma 10, last bound",
    kind: Kind::HighProbability,
    statement: "if sigma_t = 2L_0/(n sqrt(rho)) for some t then, with probability at least 1 - 2 beta, |grad_T - grad F(w_T)| <= L_0 sqrt(d \
                Lambda)/(n sqrt(rho))",
    hypotheses: "Algorithm 3, scalar noise on the norm, n sqrt(rho) > beta",
    check: |c| {
        let multiple = c.constant("failure probability in units of beta", 2);
        let factor = c.constant("factor of L_0 sqrt(d Lambda)/(n sqrt(rho))", 1);
        let log = Interval::from(20_000).ln();
        let half = Interval::from_rational(&(factor / 2));
        let misses = Interval::from(2) * (-(half * log.sqrt())).phi();
        let above = (-(Interval::from(2) * log).sqrt()).phi();
        let fails = misses * (Interval::from(1) - above);
        let allowed = Interval::from_rational(&(multiple / 10_000));
        Argument::new(c)
            .repaired("kl-lem-10-repaired")
            .states_that("law of the only round, in 128-bit intervals", !allowed.certainly_lt(&fails), || {
                format!(
                    "d = L_0 = rho = 1, f = 0, n = 2, beta = 1/10000: the bound fails at the floor with probability at least {:.4} > 2/10000",
                    fails.lo_f64()
                )
            })
            .open_for("one instance")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-lem-11-rate`: equal at κ = 2. (The print compares with "Theorem 2" and means Theorem 4.)
pub const LEM_11_RATE: Claim = Claim {
    id: "kl-lem-11-rate",
    place: "App. D.3, after Lemma 11",
    kind: Kind::Rate,
    statement: "the rate of Lemma 11 is strictly faster than that of Theorem 4: kappa > 2kappa/(4-kappa)",
    hypotheses: "kappa in [1, 2]",
    check: |c| {
        let factor = c.constant("factor of kappa/(4-kappa)", 2);
        let mut domain = Domain::new();
        let kappa = domain.real("kappa", closed(1), closed(2));
        Argument::new(c)
            .repaired("kl-lem-11-rate-repaired")
            .states(
                "kl-lem-11-rate",
                &Forall::lt(domain, Expr::from(factor), 4 - kappa),
            )
            .proved_on("all kappa in [1, 2]")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-lem-11-rate-repaired`.
pub const LEM_11_RATE_REPAIRED: Claim = Claim {
    id: "kl-lem-11-rate-repaired",
    kind: Kind::PathwiseInequality,
    statement: "kappa >= 2kappa/(4-kappa), with equality at kappa = 2",
    check: |c| {
        let factor = c.constant("factor of kappa/(4-kappa)", 2);
        let mut domain = Domain::new();
        let gap = domain.real("2 - kappa", closed(0), closed(1));
        Argument::new(c)
            .states(
                "kl-lem-11-rate-repaired",
                &Forall::le(domain, Expr::from(factor), 2 + gap),
            )
            .proved_on("all kappa in [1, 2]")
    },
    ..LEM_11_RATE
};

/// `kl-lem-12-descent-proof-probability`: the event of Lemma 10 is quoted with 1 − β (as is (9) in App. D.6), its statement has 1 − 2β.
pub const LEM_12_PROOF_PROBABILITY: Claim = Claim {
    id: "kl-lem-12-descent-proof-probability",
    place: "App. D.3, proof of Lemma 12, first sentence; App. D.6, before (16)",
    kind: Kind::HighProbability,
    statement: "what has probability at least 1 - 2 beta has probability at least 1 - beta",
    hypotheses: "beta in (0, 1/2)",
    check: |c| {
        let multiple = c.constant("failure probability of Lemma 10 in units of beta", 2);
        let mut domain = Domain::new();
        let beta = domain.real("beta", open(0), open(ratio(1, 2)));
        Argument::new(c)
            .repaired("kl-lem-12-descent-repaired")
            .states(
                "kl-lem-12-descent-proof-probability",
                &Forall::le(domain, 1 - &beta, 1 - multiple * &beta),
            )
            .proved_on("all beta in (0, 1/2)")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-lem-12-mono-proof`, b = 1: (10) gives G² ≥ b²/L₁, which is b² or more for L₁ ≤ 1 only.
pub const LEM_12_MONO_PROOF: Claim = Claim {
    id: "kl-lem-12-mono-proof",
    place: "App. D.3, (10) and (11)",
    kind: Kind::PathwiseInequality,
    statement: "|grad F(w_t)|^2 >= b^2/L_1 gives |grad F(w_t)|^2/(8L_1) - b^2/(8L_1) > 0",
    hypotheses: "L_1 > 0, b = 1",
    check: |c| {
        let divisor = c.constant("divisor of b^2/L_1", 8);
        if divisor <= 0 {
            return crate::claim::Verdict::open("another sign of b^2");
        }
        let mut domain = Domain::new();
        let smooth = domain.real("L_1", open(0), infinite());
        let square = domain.real("|grad F|^2", open(0), infinite());
        let gain =
            Forall::lt(domain, 8 / Expr::from(divisor), square.clone()).when_le(1 / smooth, square);
        Argument::new(c)
            .repaired("kl-lem-12-mono-repaired")
            .states("kl-lem-12-mono-proof", &gain)
            .proved_on("all L_1 > 0")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-lem-13-proof-sum`: the summand of (13) has G²/4 − b²/4, (9) has G²/8 − b² where it is displayed.
pub const LEM_13_PROOF_SUM: Claim = Claim {
    id: "kl-lem-13-proof-sum",
    place: "App. D.3, proof of Lemma 13, (13), first line",
    kind: Kind::PathwiseInequality,
    statement: "(9) gives F(w_t) - F(w_{t+1}) >= |grad F(w_t)|^2/(4L_1) - b^2/(4L_1)",
    hypotheses: "|grad F(w_t)|, b > 0",
    check: |c| {
        let gain = c.constant("factor of |grad F|^2/L_1", ratio(1, 4));
        let loss = c.constant("factor of b^2/L_1", ratio(1, 4));
        let mut domain = Domain::new();
        let g = domain.real("|grad F|", open(0), infinite());
        let b = domain.real("b", open(0), infinite());
        let shown = g.square() / 8 - b.square();
        let summand = gain * g.square() - loss * b.square();
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .states("kl-lem-13-proof-sum", &Forall::le(domain, summand, shown))
            .proved_on("all |grad F|, b > 0")
    },
    by_hand: &[],
    ..LEM_13
};

/// `kl-lem-13-proof-half`, step (ii), times γ²L₁ over Φ^{2/κ}: 1/4 less something is to be at least 1/2.
pub const LEM_13_PROOF_HALF: Claim = Claim {
    id: "kl-lem-13-proof-half",
    place: "App. D.3, proof of Lemma 13, (13), step (ii)",
    statement: "Phi^{2/kappa}/(4 gamma^2 L_1) - b^2/(4L_1) >= Phi^{2/kappa}/(2 gamma^2 L_1) if Phi >= (2 gamma^2 b^2)^{kappa/2}",
    hypotheses: "kappa in [1, 2], all quantities positive",
    check: |c| {
        let half = c.constant("factor of Phi^(2/kappa)/(gamma^2 L_1)", ratio(1, 2));
        let mut domain = Domain::new();
        let share = domain.real("gamma^2 b^2/Phi^(2/kappa)", open(0), closed(ratio(1, 2)));
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

/// `kl-lem-13-proof-last`: c − 1 = 1/(8z) gives 1/c = 1 − 1/(8cz).
pub const LEM_13_PROOF_LAST: Claim = Claim {
    id: "kl-lem-13-proof-last",
    place: "App. D.3, proof of Lemma 13, last display",
    statement: "1 - 1/(2 c gamma^2 L_1) = 1/c for c = 1 + 1/(8 gamma^2 L_1)",
    hypotheses: "gamma^2 L_1 > 0",
    check: |c| {
        let number = c.constant("number in the denominator", 2);
        if number == 0 {
            return crate::claim::Verdict::open("division by 0");
        }
        let [z] = crate::prove::symbols();
        let fall = 1 + 1 / (8 * &z);
        Argument::new(c)
            .repaired("kl-lem-13-repaired")
            .states_identity(
                "the factor of one phase",
                &(1 - 1 / (number * &fall * &z)),
                &(1 / &fall),
            )
            .proved_on("gamma^2 L_1 > 0")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-budget-proof-stop`: the test of line 2 has ρ/2. One round with v = 1/10 and x = 1/2.
pub const THM_4_BUDGET_PROOF_STOP: Claim = Claim {
    id: "kl-thm-4-budget-proof-stop",
    place: "App. D.3, before the display of the charges",
    statement: "Algorithm 3 stops when sum_{t<=T} rho_t > rho (and so, for T <= n sqrt(rho)/2, when the charges of the gradients exceed rho/2)",
    hypotheses: "the test of line 2",
    check: |c| {
        let level = c.constant("level in units of rho", 1);
        let (v, x) = (ratio(1, 10), ratio(1, 2));
        let charged = Rational::from(&v + &x);
        Argument::new(c)
            .repaired("kl-thm-4-budget-repaired")
            .needs_that("the run stops", charged > ratio(1, 2))
            .states_that("one round", charged > level, || {
                format!("n sqrt(rho) = 10, one round at the cap: it stops with {charged} rho charged, and {charged} > {level} fails")
            })
            .open_for("one run")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-budget-proof-length`: Lemma 13 asks for (Φ/c)^{(κ−2)/κ} − 1 rounds. κ = 1, γ²L₁ = 1/8, so that c = 2, and Φ = 1/4, the largest
/// that smoothness admits.
pub const THM_4_BUDGET_PROOF_LENGTH: Claim = Claim {
    id: "kl-thm-4-budget-proof-length",
    place: "App. D.3, display of the charges, fifth line; last paragraph",
    statement: "the number of rounds that Lemma 13 gives a phase from Phi, (Phi/c)^{(kappa-2)/kappa} - 1, is at most Phi^{(kappa-2)/kappa}",
    hypotheses: "kappa in [1, 2], c = 1 + 1/(8 gamma^2 L_1), Phi^{(2-kappa)/kappa} <= 2 gamma^2 L_1",
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
            .states_that("kappa = 1, c = 2", needed <= claimed, || {
                format!("kappa = 1, gamma^2 L_1 = 1/8, Phi = 1/4: {needed} <= {claimed} fails")
            })
            .open_for("one point")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-4-long-proof`: the summary drops the 2 of the display, κ = 1.
pub const THM_4_LONG_PROOF: Claim = Claim {
    id: "kl-thm-4-long-proof",
    place: "App. D.3, summary at the end of the proof of Theorem 4",
    statement: "the display before gives Phi_T <= (p_max/(n sqrt(rho)))^{kappa/(2-kappa)}",
    hypotheses: "kappa in [1, 2), Phi_T <= (2p_max/(n sqrt(rho)))^{kappa/(2-kappa)}",
    check: |c| {
        let factor = c.constant("factor of p_max", 1);
        let bound = Rational::from(2);
        Argument::new(c)
            .repaired("kl-thm-4-long")
            .states_that("kappa = 1", bound <= factor, || {
                format!("kappa = 1: {bound} p_max/(n sqrt(rho)) <= {factor} p_max/(n sqrt(rho)) fails; the ratio 2^(kappa/(2-kappa)) is unbounded as kappa -> 2")
            })
            .open_for("kappa = 1 only")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-lem-5-proof-ball`. F = w²/16: κ = 2, L₁ = 1/8, γ = 2; b = 1/3, w_t = 5/2 with slope 5/16 < b, R = 16/3; at w′ = 47/6 the slope is
/// 47/48 ≤ L₀ = 1. F(w₀) ≤ 2.
pub const LEM_5_PROOF_BALL: Claim = Claim {
    id: "kl-lem-5-proof-ball",
    place: "App. D.4, first case, first display",
    statement: "|grad F(w_t)| < b gives F(w') <= F* + 2(gamma^{kappa/2} + L_0) b <= alpha for |w' - w_t| <= R = 2b/L_1",
    hypotheses: "F L_1-smooth, L_0-Lipschitz and (gamma, kappa)-KL*, w_t in S",
    check: |c| {
        let radius = c.constant("R in units of b/L_1", 2);
        let level = c.constant("rise of alpha in units of (gamma^(kappa/2) + L_0) b", 2);
        let (b, at, start) = (ratio(1, 3), ratio(5, 2), Rational::from(0));
        let value = |w: &Rational| -> Rational { Rational::from(w * w) / 16 };
        let far = Rational::from(&at + radius * (b.clone() * 8));
        let slope = Rational::from(&far / 8);
        let alpha = value(&start).max(level * b * (2 + 1));
        let reached = value(&far);
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .needs_that("slope below b at w_t, at most L_0 = 1 at w'", at / 8 < ratio(1, 3) && slope <= 1)
            .states_that("F = w^2/16, exact", reached <= alpha, || {
                format!("F = w^2/16, gamma = 2, L_1 = 1/8, L_0 = 1, b = 1/3, w_t = 5/2, w' = {far}: {reached} <= {alpha} fails")
            })
            .open_for("one function")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-lem-5-proof-step`: the third line of the segment's display puts b for the error, which is at most G + b. G = b = 1.
pub const LEM_5_PROOF_STEP: Claim = Claim {
    id: "kl-lem-5-proof-step",
    place: "App. D.4, second case, fourth line of the display",
    statement: "|e| <= G + b gives l G^2/(4L_1) - l^2 |e|^2/(8L_1) >= l G^2/(4L_1) - l^2 b^2/(8L_1)",
    hypotheses: "G, b > 0, l = 1",
    check: |c| {
        let loss = c.constant("factor of b^2/L_1", ratio(1, 8));
        let mut domain = Domain::new();
        let g = domain.real("G", open(0), infinite());
        let b = domain.real("b", open(0), infinite());
        let worst = (&g + &b).square() / 8;
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .states(
                "kl-lem-5-proof-step",
                &Forall::le(domain, worst, loss * b.square()),
            )
            .proved_on("all G, b > 0")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-lem-5-proof-case`: the second case is printed with b² for b, and its last step with 1/4 for 1/8. b = 1/2, G = 1/4 = b².
pub const LEM_5_PROOF_CASE: Claim = Claim {
    id: "kl-lem-5-proof-case",
    place: "App. D.4, second case, step (ii)",
    statement: "G >= b^2 gives G^2/(4L_1) - b^2/(8L_1) >= G^2/(4L_1) >= 0",
    hypotheses: "b > 0",
    check: |c| {
        let loss = c.constant("factor of b^2/L_1", ratio(1, 8));
        let (b, g) = (ratio(1, 2), ratio(1, 4));
        let gain = Rational::from(&g * &g) / 4;
        let left = Rational::from(&gain - loss * Rational::from(&b * &b));
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .states_that("b = 1/2, G = 1/4", left >= gain, || {
                format!(
                    "L_1 = 1, b = 1/2, G = 1/4: {left} >= {gain} fails, and so does {left} >= 0"
                )
            })
            .open_for("one point")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-lem-11-proof`: App. D.5 has L₀/(n√ρ) for the floor 2L₀/(n√ρ). At N_t = 2L₀√(dΛ)/(n√ρ), where the floor begins, x = 1/4; v = 1/100.
pub const LEM_11_PROOF: Claim = Claim {
    id: "kl-lem-11-proof",
    place: "App. D.5, first two sentences",
    statement: "if sigma_t is at its floor then rho_t > rho and N_t <= L_0 sqrt(d Lambda)/(n sqrt(rho))",
    hypotheses: "N_t > 0",
    check: |c| {
        let most = c.constant("N_t in units of L_0 sqrt(d Lambda)/(n sqrt(rho))", 1);
        let level = c.constant("charge in units of rho", 1);
        let (norm, v) = (Rational::from(2), ratio(1, 100));
        let charged = Rational::from(&norm * &norm).recip() + v;
        Argument::new(c)
            .repaired("kl-lem-11-repaired")
            .states_that("where the floor begins", norm <= most && charged > level, || {
                format!(
                    "N_t = {norm} L_0 sqrt(d Lambda)/(n sqrt(rho)), n sqrt(rho) = 100: sigma_t is at its floor, {norm} <= {most} fails, and the charge \
                     is {charged} rho"
                )
            })
            .open_for("one round")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-5-proof-floor`: neither the 2 nor the logarithm, nor the noise of the norm. Λ = 4.
pub const THM_5_PROOF_FLOOR: Claim = Claim {
    id: "kl-thm-5-proof-floor",
    place: "App. D.6, after (15)",
    statement: "if sigma_t = 2L_0/(n sqrt(rho)) then N_t <= L_0 sqrt(d)/(n sqrt(rho))",
    hypotheses: "Algorithm 3",
    check: |c| {
        let most = c.constant("N_t in units of L_0 sqrt(d)/(n sqrt(rho))", 1);
        // 2√Λ.
        let norm = Rational::from(4);
        Argument::new(c)
            .repaired("kl-thm-5-repaired")
            .states_that("Lambda = 4, where the floor begins", norm <= most, || {
                format!("Lambda = 4, N_t = {norm} L_0 sqrt(d)/(n sqrt(rho)): sigma_t is at its floor, and {norm} <= {most} fails")
            })
            .open_for("one round")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-5-proof-min`: the first entry of the minimum bounds N*, and (15) adds what the draw costs.
pub const THM_5_PROOF_MIN: Claim = Claim {
    id: "kl-thm-5-proof-min",
    place: "App. D.6, last display, first entry of the minimum",
    statement: "|grad F(w_{t*})| <= N* + s and N* <= a give |grad F(w_{t*})| <= a, s the first two terms of (15)",
    hypotheses: "N* >= 0, s > 0",
    check: |c| {
        let draw = c.constant("factor of s", 1);
        let mut domain = Domain::new();
        let least = domain.real("N*", closed(0), infinite());
        let s = domain.real("s", open(0), infinite());
        let selected = &least + draw * s;
        Argument::new(c)
            .repaired("kl-thm-5-repaired")
            .states("kl-thm-5-proof-min", &Forall::le(domain, selected, least))
            .proved_on("all N* >= 0, s > 0")
    },
    ..LEM_13_PROOF_SUM
};

/// `kl-thm-5-proof-log`: the last equality drops Λ^{1/4} in one term, √Λ in the other. L₀ = d = T = 1, n√ρ = Y large, F₀L₁ = Λ², q = Λ^{1/4}: the
/// printed minimum is its second entry, more than √6·q·s for s = √(Λ/Y), and the right side is 2s.
pub const THM_5_PROOF_LOG: Claim = Claim {
    id: "kl-thm-5-proof-log",
    place: "App. D.6, last display, last line",
    statement: "(6L_0 sqrt(F_0 L_1 d Lambda)/(n sqrt(rho)))^{1/2} + 3L_0 Lambda/(sqrt(n) rho^{1/4}) + 4L_0 Lambda/(n sqrt(rho)) = O((L_0 sqrt(F_0 L_1 \
                d)/(n sqrt(rho)))^{1/2} + L_0 sqrt(Lambda)/(sqrt(n) rho^{1/4}))",
    hypotheses: "Lambda >= 1",
    check: |c| {
        let growth = c.constant(
            "claimed lower bound of the ratio in units of Lambda^{1/4}",
            1,
        );
        let mut domain = Domain::new();
        let q = domain.real("Lambda^(1/4)", closed(1), infinite());
        let ratio = Forall::le(domain, growth * 2 * &q, Expr::from(6).sqrt() * q);
        diverges(
            c,
            "kl-thm-5-proof-log",
            &ratio,
            "L_0 = d = T = 1, F_0 L_1 = Lambda^2: the ratio of the two sides is at least Lambda^{1/4}, without bound",
            "kl-thm-5-repaired",
        )
    },
    ..LEM_13_PROOF_SUM
};
