//! Appendix E: the accuracy of Algorithm 4.
//!
//! μ = L̃₁, ℓ = log(2/β), X = n²ℓ²/(dβ).

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 5] = [
    THM_9,
    THM_9_REPAIRED,
    THM_9_RESTRICTED,
    THM_9_PROOF,
    THM_9_PROOF_REPAIRED,
];

/// `kl-thm-9`, second part. The logarithm of (17) is that of X, without the ρ in T = ρβX. Let n = d = 1, T = 10 and β such that X
/// tends to 1 from above, ρ = 10/(βX). For f = L₀w the minimiser is an end of the ball, all w_t are on one side of it, w_1 = w_0
/// is L₀/(2μ) away with the weight 2/110, so that F̃(w̄) − F̃* ≥ μ(L₀/(110μ))² with probability 1, while (17) tends to 0.
pub const THM_9: Claim = Claim {
    id: "kl-thm-9",
    place: "App. E, Theorem 9, (17)",
    kind: Kind::HighProbability,
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) = O(L_0^2 d log(n^2 log^2(2/β)/(d \
        β))/(L̃_1 n^2 ρ)) for the average w",
    hypotheses: "ρ > 0, T = n^2 ρ log^2(2/β)/d, η_t = 1/(L̃_1 t), σ^2 = 4 L_0^2 T/(n^2 ρ)",
    check: |c| {
        let power = c.constant("power of log(2/β)", 2);
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
                    "n = d = 1, f = L_0 w, T = 10: X falls from {:.4} to {:.4} as β goes from 0.80 \
                        to 0.83; as X tends to 1 from above the bound tends to 0, the excess risk \
                        is at least L_0^2/(12100 L~_1)",
                    above.lo_f64(),
                    below.hi_f64()
                )
            })
            .open_for("no value of β at which the logarithm vanishes was found")
    },
    ..Claim::ALONE
};

/// `kl-thm-9-repaired`, a theorem of the kernel (`super::kernel::noisy`), where 792 would do. T = 1 has no noise: w_1 = w_0, whose excess for
/// f = L₀w is L₀²/(4μ).
pub const THM_9_REPAIRED: Claim = Claim {
    id: "kl-thm-9-repaired",
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) ≤ 1101 L_0^2 d log(2T/β)/(L̃_1 n^2 \
        ρ)",
    hypotheses: "ρ > 0, T = n^2 ρ log^2(2/β)/d rounded up, or more, η_t = 1/(L̃_1 t), σ^2 = 4 \
        L_0^2 T/(n^2 ρ), w_1 = w_0; f(·;x) L_0-Lipschitz and L̃_1-weakly convex on R^d for all x",
    rests_on: &["kl-thm-9-radius", "kl-fact-sc"],
    check: by_kernel,
    by_hand: &[],
    ..THM_9
};

/// `kl-thm-9-restricted`: 2T ≤ 4n²ρℓ²/d for T rounded up from at least 1.
pub const THM_9_RESTRICTED: Claim = Claim {
    id: "kl-thm-9-restricted",
    statement: "with probability at least 1 - β, F̃(w) - F̃(w*) ≤ 1101 L_0^2 d log(n^2 \
        log^2(2/β)/(d β))/(L̃_1 n^2 ρ)",
    hypotheses: "as kl-thm-9-repaired, ρ ≤ 1/4, n^2 ρ log^2(2/β) ≥ d; ∇ f a choice of vectors with \
        F(x) + <∇ F(x), y - x> ≤ F(y) + (L̃_1/2)|y - x|^2, which the gradient is where there is \
        one; w_1 = w_0, T noisy steps",
    rests_on: &["kl-thm-9-repaired"],
    check: |c| {
        let most = c.constant("largest ρ", ratio(1, 4));
        if most <= 0 {
            return Verdict::open("no ρ");
        }
        let mut domain = Domain::new();
        let rho = domain.real("ρ", open(0), closed(most));
        let real = domain.real("n^2 ρ log^2(2/β)/d", closed(1), infinite());
        // 2T/β ≤ X: with T ≤ real + 1 and βX = real/ρ.
        let smaller = Forall::le(domain, 2 * &rho * (1 + 1 / real), Rational::from(1));
        Argument::new(c)
            .states("kl-thm-9-restricted", &smaller)
            .proved_on("ρ ≤ 1/4, T ≥ 1, all other parameters and F of the hypotheses")
    },
    by_hand: &[],
    ..THM_9
};

/// `kl-thm-9-proof`: T contains ρ, the logarithm of (17) does not. With n²log²(2/β)/(dβ) = e: log(2T/β) = 1 + log(2ρ).
pub const THM_9_PROOF: Claim = Claim {
    id: "kl-thm-9-proof",
    place: "App. E, last equality",
    kind: Kind::Rate,
    statement: "log(2T/β) = O(log(n^2 log^2(2/β)/(d β)))",
    hypotheses: "T = n^2 ρ log^2(2/β)/d, ρ > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-9-proof-repaired`.
pub const THM_9_PROOF_REPAIRED: Claim = Claim {
    id: "kl-thm-9-proof-repaired",
    statement: "log(2T/β) ≤ log(n^2 log^2(2/β)/(d β)) for ρ ≤ 1/2",
    hypotheses: "T = n^2 ρ log^2(2/β)/d, 0 < ρ ≤ 1/2",
    check: |c| {
        let most = c.constant("largest ρ", ratio(1, 2));
        if most <= 0 {
            return Verdict::open("no ρ");
        }
        let (domain, rho) = Domain::of("ρ", open(0), closed(most));
        Argument::new(c)
            .states(
                "kl-thm-9-proof-repaired",
                &Forall::le(domain, 2 * rho, Rational::from(1)),
            )
            .proved_on("ρ ≤ 1/2")
    },
    ..THM_9_PROOF
};
