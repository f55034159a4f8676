//! Appendix E: the accuracy of Algorithm 4.
//!
//! μ = L̃₁, D_t = ‖w_t − w*‖², ℓ = log(2/β), X = n²ℓ²/(dβ), x_0 = log(2T/β).

use super::proximal::diverges;
use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Forall, closed, infinite, open, symbols};

/// The claims of this part, in the paper's order; reductions come last.
pub(super) const CLAIMS: [Claim; 6] = [
    THM_9,
    THM_9_REPAIRED,
    THM_9_RESTRICTED,
    THM_9_PROOF,
    THM_9_PROOF_REPAIRED,
    RED_DISTANCE,
];

/// `kl-thm-9`, second part. The logarithm of (17) is that of X, without the ρ in T = ρβX. Let n = d = 1, T = 10 and β such that X
/// tends to 1 from above, ρ = 10/(βX). For f = L₀w the minimiser is an end of the ball, all w_t are on one side of it, w_1 = w_0
/// is L₀/(2μ) away with the weight 2/110, so that F̃(w̄) − F̃* ≥ μ(L₀/(110μ))² with probability 1, while (17) tends to 0.
pub const THM_9: Claim = Claim {
    id: "kl-thm-9",
    place: "App. E, Theorem 9, (17)",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) = O(L_0^2 d log(n^2 log^2(2/β)/(d β))/(L̃_1 n^2 ρ)) for the average w",
    hypotheses: "ρ > 0, T = n^2 ρ log^2(2/β)/d, η_t = 1/(L̃_1 t), σ^2 = 4 L_0^2 T/(n^2 ρ)",
    check: |c| {
        let power = c.constant("power of log(2/beta)", 2);
        let ratio_at = |beta: Rational| {
            let log = (Interval::from(2) / Interval::from_rational(&beta)).ln();
            log.pow(&Interval::from_rational(&power)) / Interval::from_rational(&beta)
        };
        let (above, below) = (ratio_at(ratio(4, 5)), ratio_at(ratio(83, 100)));
        let one = Interval::from(1);
        // X is continuous in β: it takes every value between.
        let crosses = one.certainly_lt(&above) && below.certainly_lt(&one);
        Argument::new(c)
            .repaired("kl-thm-9-repaired")
            .states_that("X = 1 is crossed, in 128-bit intervals", !crosses, || {
                format!(
                    "n = d = 1, f = L_0 w, T = 10: X falls from {:.4} to {:.4} as beta goes from 0.80 to 0.83; as X tends to 1 from above \
                     the bound tends to 0, the excess risk is at least L_0^2/(12100 L~_1)",
                    above.lo_f64(),
                    below.hi_f64()
                )
            })
            .open_for("no value of beta at which the logarithm vanishes was found")
    },
    ..Claim::ALONE
};

/// `kl-thm-9-repaired`. With a T-th gradient without noise, t times the usual inequality summed over t ≤ T gives
/// ΣtΔ_t ≤ (μ/2)Σ(t − 1)D_t + TΓ/(2μ) − ΣtZ_t, Z_t = ⟨ξ_t, w_t − w*⟩. On the events of `kl-red-distance` the first sum is at most 3TB/μ², and
/// the last, stopped when they fail, has Σ t²σ²D_t ≤ 7σ²BT²/μ²: but for probability β/4 it is at most
/// T√(14σ²B log(4/β))/μ ≤ T√(14/8)B/μ. Γ ≤ B/2. With B ≤ 16L₀² + 32σ²d x_0, σ² = 4L₀²T/(n²ρ), T ≥ n²ρℓ²/d, ℓ, x_0 ≥ log 2.
pub const THM_9_REPAIRED: Claim = Claim {
    id: "kl-thm-9-repaired",
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) ≤ 1101 L_0^2 d log(2T/β)/(L̃_1 n^2 ρ)",
    hypotheses: "ρ > 0, T = n^2 ρ log^2(2/β)/d rounded up, η_t = 1/(L̃_1 t), σ^2 = 4 L_0^2 T/(n^2 ρ), w_1 = w_0",
    rests_on: &["kl-red-distance", "kl-thm-9-radius", "kl-fact-sc"],
    check: thm_9_repaired,
    by_hand: &[
        "strong convexity times t, telescoped over t",
        "distances by kl-red-distance",
        "a martingale tail for the weighted noise, stopped when the event fails",
        "union of the failures",
    ],
    ..THM_9
};

fn thm_9_repaired(check: &Check) -> Verdict {
    let factor = check.constant("constant of the bound", 1101);
    let log = Interval::from(2).ln();
    // T = 1, no noise, f = L₀w, β = 1: 1/4 ≤ factor·x_0ℓ².
    let bound = Interval::from_rational(&factor) * log.powi(3);
    let quarter = Interval::from_rational(&ratio(1, 4));
    let root = Interval::from_rational(&ratio(7, 4)).sqrt();
    let sum = Interval::from_rational(&ratio(3, 2)) + Interval::from_rational(&ratio(1, 4)) + root;
    let share = Interval::from_rational(&ratio(25, 8));
    let needed = Interval::from_rational(&ratio(25, 4))
        * (Interval::from(128) + Interval::from(16) / log.powi(3));
    let [t, sigma, l] = symbols();
    Argument::new(check)
        .states_that("T = 1, f = L_0 w, beta -> 1", !bound.certainly_lt(&quarter), || {
            format!("T = 1, f = L_0 w: 1/4 <= {bound} fails")
        })
        .needs_identity(
            "what is left of the telescoping sum",
            &t * (&t - 1) - (&t - 1).square(),
            &t - 1,
        )
        .needs_that("3/2 + 1/4 + sqrt(14/8) <= 25/8, doubled for 2/(T(T+1))", sum.certainly_le(&share))
        .needs_identity(
            "14 sigma^2 B l with 8 sigma^2 l <= B",
            14 * &sigma * &l,
            ratio(14, 8) * (8 * sigma * l),
        )
        .needs_that("25/4 (128 + 16/log(2)^3)", needed.certainly_le(&Interval::from_rational(&factor)))
        .note("steps between in the doc comment; log(2T/beta) with T in place of T/rho is necessary (kl-thm-9)")
        .proved_on("all L_0, L~_1, rho > 0, n, d >= 1, beta in (0, 1), all F of the hypotheses")
}

/// `kl-thm-9-restricted`: 2T ≤ 4n²ρℓ²/d for T rounded up from at least 1.
pub const THM_9_RESTRICTED: Claim = Claim {
    id: "kl-thm-9-restricted",
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) ≤ 1101 L_0^2 d log(n^2 log^2(2/β)/(d β))/(L̃_1 n^2 ρ)",
    hypotheses: "as kl-thm-9-repaired, ρ ≤ 1/4, n^2 ρ log^2(2/β) ≥ d",
    rests_on: &["kl-thm-9-repaired"],
    check: |c| {
        let most = c.constant("largest rho", ratio(1, 4));
        if most <= 0 {
            return Verdict::open("no rho");
        }
        let mut domain = Domain::new();
        let rho = domain.real("rho", open(0), closed(most));
        let real = domain.real("n^2 rho log^2(2/beta)/d", closed(1), infinite());
        // 2T/β ≤ X: with T ≤ real + 1 and βX = real/ρ.
        let smaller = Forall::le(domain, 2 * &rho * (1 + 1 / real), Rational::from(1));
        Argument::new(c)
            .states("kl-thm-9-restricted", &smaller)
            .proved_on("rho <= 1/4, T >= 1, all other parameters and F of the hypotheses")
    },
    by_hand: &["2T ≤ n² log²(2/β)/d with T rounded up"],
    ..THM_9
};

/// `kl-thm-9-proof`: T contains ρ, the logarithm of (17) does not. With n²log²(2/β)/(dβ) = e: log(2T/β) = 1 + log(2ρ).
pub const THM_9_PROOF: Claim = Claim {
    id: "kl-thm-9-proof",
    place: "App. E, last equality",
    kind: Kind::Rate,
    statement: "log(2T/β) = O(log(n^2 log^2(2/β)/(d β)))",
    hypotheses: "T = n^2 ρ log^2(2/β)/d, ρ > 0",
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of log(2 rho)", 1);
        let (domain, s) = Domain::of("log(2 rho)", closed(0), infinite());
        diverges(
            c,
            "kl-thm-9-proof",
            &Forall::le(domain, growth * &s, 1 + s),
            "n^2 log^2(2/beta)/(d beta) = e: the ratio is 1 + log(2 rho), without bound",
            "kl-thm-9-proof-repaired",
        )
    },
    ..Claim::ALONE
};

/// `kl-thm-9-proof-repaired`.
pub const THM_9_PROOF_REPAIRED: Claim = Claim {
    id: "kl-thm-9-proof-repaired",
    statement: "log(2T/β) ≤ log(n^2 log^2(2/β)/(d β)) for ρ ≤ 1/2",
    hypotheses: "T = n^2 ρ log^2(2/β)/d, 0 < ρ ≤ 1/2",
    check: |c| {
        let most = c.constant("largest rho", ratio(1, 2));
        if most <= 0 {
            return Verdict::open("no rho");
        }
        let (domain, rho) = Domain::of("rho", open(0), closed(most));
        Argument::new(c)
            .states(
                "kl-thm-9-proof-repaired",
                &Forall::le(domain, 2 * rho, Rational::from(1)),
            )
            .proved_on("rho <= 1/2")
    },
    ..THM_9_PROOF
};

/// `kl-red-distance`. Γ = 8L₀² + 8σ²d x_0 bounds ‖g_t‖² on the event of `kl-thm-9-noise-repaired`; the noise cut off outside it is symmetric, with
/// E e^{sZ_t} ≤ E cosh(s⟨ξ_t, w_t − w*⟩) = e^{s²σ²D_t/2}. Strong convexity gives D_{t+1} ≤ (1 − 2/t)D_t − (2/(μt))Z_t + Γ/(μ²t²). Let
/// Y_t = (t − 1)(t − 2)D_t. For t ≥ 3, (t − 1)²D_t ≤ 2Y_t, so E e^{λY_{t+1}} given the past is at most e^{λ(1 + a)Y_t + λΓ/μ²}, a = 4λσ²/μ². Backwards
/// from a = 1/(2t) at time t, 1/a falls by at most 1 in a step, so that a ≤ 1/t throughout; Y_3 ≤ 2L₀²/μ² ≤ Γ/(4μ²). So E e^{λY_t} ≤
/// e^{Γ/(4σ²)} at λ = μ²/(8σ²t), and Y_t ≤ tB/μ² but for probability β/(4T), B = 2Γ + 8σ² log(4T/β). For t = 2, D_2 ≤ L₀²/μ².
pub const RED_DISTANCE: Claim = Claim {
    id: "kl-red-distance",
    place: "reduction (distance of the iterates)",
    statement: "with probability at least 1 - 3 β/4, |g_t|^2 ≤ Γ and (t-1)|w_t - w*|^2 ≤ 3B/L̃_1^2 for all t ≤ T; Γ = 8L_0^2 + 8 σ^2 d \
                log(2T/β), B = 2 Γ + 8 σ^2 log(4T/β)",
    hypotheses: "η_t = 1/(L̃_1 t), σ > 0, T ≥ 1, β in (0, 1), w_1 = w_0, f L_0-Lipschitz and L̃_1-weakly convex",
    rests_on: &["kl-thm-9-noise-repaired", "kl-thm-9-radius", "kl-fact-sc"],
    check: red_distance,
    by_hand: &[
        "strong convexity gives the recursion for D_t",
        "supermartingale bound of E e^{λ Y_t}, backwards in t",
        "the noise cut off outside the event is symmetric",
        "union over t",
    ],
    ..THM_9
};

fn red_distance(check: &Check) -> Verdict {
    let factor = check.constant("factor of B", 3);
    let [t, mu, d, z, gamma, a, sigma, l] = symbols();
    let next = (1 - 2 / &t) * &d - 2 / (&mu * &t) * &z + &gamma / (&mu * &t).square();
    let scaled =
        (&t - 1) * (&t - 2) * &d - 2 * (&t - 1) / &mu * &z + &gamma * (&t - 1) / (mu.square() * &t);
    let lambda = &a * mu.square() / (4 * &sigma);
    let mut domain = Domain::new();
    let from_3 = domain.integer_from("t", 3);
    let twice = Forall::le(domain.clone(), &from_3 - 1, 2 * (&from_3 - 2));
    // (t − 1)D_t = Y_t/(t − 2) ≤ t/(t − 2)·B/μ².
    let last = Forall::le(domain, from_3.clone(), factor * (from_3 - 2));
    let level = 8 * &sigma * &t / mu.square() * (&gamma / (4 * &sigma) + &l);
    Argument::new(check)
        .states("kl-red-distance", &last)
        .needs("kl-red-distance/variance", &twice)
        .needs_identity("recursion times t(t-1)", &t * (&t - 1) * next, &scaled)
        .needs_identity(
            "variance: (2 lambda (t-1)/mu)^2 sigma^2 D/2 with (t-1)^2 D = 2Y is lambda a Y, Y as z",
            (2 * &lambda / &mu).square() * &sigma * (2 * &z) / 2,
            &lambda * &a * &z,
        )
        .needs_identity(
            "1/a after a step",
            1 / (&a * (1 + &a)),
            1 / &a - 1 / (1 + &a),
        )
        .needs_identity(
            "level of Y_t",
            &level,
            &t * (2 * &gamma + 8 * &sigma * &l) / mu.square(),
        )
        .needs_identity(
            "failures: beta/2 for the norms, beta/(4T) for each t, beta as l",
            &l / 2 + &t * (&l / (4 * &t)),
            3 * &l / 4,
        )
        .proved_on("all parameters and F of the hypotheses")
}
