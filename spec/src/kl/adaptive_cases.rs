//! Appendices D.4 to D.6: steps of printed proofs that no other module decides. Notation of [`super::adaptive_error`].

use super::proximal::diverges;
use crate::arith::{Rational, ratio};
use crate::claim::{Claim, Kind, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    LEM_5_PROOF_BALL,
    LEM_5_MOVE,
    LEM_5_PROOF_STEP,
    LEM_5_PROOF_CASE,
    LEM_11_PROOF,
    THM_5_PROOF_FLOOR,
    THM_5_PROOF_MIN,
    THM_5_PROOF_LOG,
];

/// `kl-lem-5-proof-ball`. F = w²/16 up to |w| = 8 and linear beyond: κ = 2, L₁ = 1/8, L₀ = 1, γ = 2
/// where F ≤ α; b = 1/3, w_t = 5/2 with slope 5/16 < b, R = 16/3, w′ = 7. F(w₀) ≤ 2 = α.
pub const LEM_5_PROOF_BALL: Claim = Claim {
    id: "kl-lem-5-proof-ball",
    place: "App. D.4, first case, first display",
    kind: Kind::PathwiseInequality,
    statement: "|∇ F(w_t)| < b gives F(w′) ≤ F* + 2(γ^{κ/2} + L_0) b ≤ α for |w′ - w_t| ≤ R = \
        2b/L_1",
    hypotheses: "F L_1-smooth, L_0-Lipschitz and (γ, κ)-KL*, w_t in S",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-lem-5-move`, in units of b and b/L₁.
pub const LEM_5_MOVE: Claim = Claim {
    id: "kl-lem-5-move",
    place: "App. D.4, first case, second display",
    kind: Kind::PathwiseInequality,
    statement: "G ≤ b and |e| ≤ G + b give |w_t - w_{t+1}| ≤ (2G + b)/(2L_1) ≤ (3/2) b/L_1 ≤ R = \
        2b/L_1",
    hypotheses: "w_{t+1} = w_t - ∇_t/(2L_1)",
    check: |c| {
        let factor = c.constant("factor of b/L_1", ratio(3, 2));
        let (domain, g) = Domain::of("G/b", closed(0), closed(1));
        Argument::new(c)
            .states(
                "kl-lem-5-move",
                &Forall::le(domain, (2 * g + 1) / 2, Expr::from(factor.clone())),
            )
            .needs_that("3/2 ≤ 2", factor <= 2)
            .proved_on("all G ≤ b, errors of the hypotheses")
    },
    ..Claim::ALONE
};

/// `kl-lem-5-proof-step`: the third line of the segment's display puts b for the error, which is at most G + b. G = b = 1.
pub const LEM_5_PROOF_STEP: Claim = Claim {
    id: "kl-lem-5-proof-step",
    place: "App. D.4, second case, fourth line of the display",
    kind: Kind::PathwiseInequality,
    statement: "|e| ≤ G + b gives l G^2/(4L_1) - l^2 |e|^2/(8L_1) ≥ l G^2/(4L_1) - l^2 b^2/(8L_1)",
    hypotheses: "G, b > 0, l = 1",
    check: |c| {
        let loss = c.constant("factor of b^2/L_1", ratio(1, 8));
        let (domain, [g, b]) = Domain::of_all(["G", "b"], open(0), infinite());
        let worst = (&g + &b).square() / 8;
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .states(
                "kl-lem-5-proof-step",
                &Forall::le(domain, worst, loss * b.square()),
            )
            .proved_on("all G, b > 0")
    },
    ..Claim::ALONE
};

/// `kl-lem-5-proof-case`: the second case is printed with b² for b, and its last step with 1/4 for 1/8. b = 1/2, G = 1/4 = b².
pub const LEM_5_PROOF_CASE: Claim = Claim {
    id: "kl-lem-5-proof-case",
    place: "App. D.4, second case, step (ii)",
    kind: Kind::PathwiseInequality,
    statement: "G ≥ b^2 gives G^2/(4L_1) - b^2/(8L_1) ≥ G^2/(4L_1) ≥ 0",
    hypotheses: "b > 0",
    check: |c| {
        let loss = c.constant("factor of b^2/L_1", ratio(1, 8));
        let (b, g) = (ratio(1, 2), ratio(1, 4));
        let gain = Rational::from(&g * &g) / 4;
        let left = &gain - loss * Rational::from(&b * &b);
        Argument::new(c)
            .repaired("kl-lem-5-repaired")
            .states_that("b = 1/2, G = 1/4", left >= gain, || {
                format!("L_1 = 1, b = 1/2, G = 1/4: {left} ≥ {gain} fails, and so does {left} ≥ 0")
            })
            .open_for("one point")
    },
    ..Claim::ALONE
};

/// `kl-lem-11-proof`: the charge is capped at ρ/2 + √ρ/n, so ρ_t > ρ fails for n√ρ ≥ 2. App. D.5
/// has L₀/(n√ρ) for the floor 2L₀/(n√ρ); N_t is such that σ_t is at either.
pub const LEM_11_PROOF: Claim = Claim {
    id: "kl-lem-11-proof",
    place: "App. D.5, first two sentences",
    kind: Kind::PathwiseInequality,
    statement: "if σ_t is at its floor then ρ_t > ρ",
    hypotheses: "N_t > 0; the floor read as N_t ≤ L_0 √(d Λ)/(n √(ρ)), which the next sentence \
        concludes from the L_0/(n √(ρ)) of this one, below any σ_t of Algorithm 3; the charge at \
        its cap",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-5-proof-floor`: neither the 2 nor the logarithm, nor the noise of the norm. Λ = 4.
pub const THM_5_PROOF_FLOOR: Claim = Claim {
    id: "kl-thm-5-proof-floor",
    place: "App. D.6, after (15)",
    kind: Kind::PathwiseInequality,
    statement: "if σ_t = 2L_0/(n √(ρ)) then N_t ≤ L_0 √(d)/(n √(ρ))",
    hypotheses: "Algorithm 3",
    check: by_kernel,
    ..Claim::ALONE
};

/// `kl-thm-5-proof-min`: the first entry of the minimum bounds N*, and (15) adds what the draw costs.
pub const THM_5_PROOF_MIN: Claim = Claim {
    id: "kl-thm-5-proof-min",
    place: "App. D.6, last display, first entry of the minimum",
    kind: Kind::PathwiseInequality,
    statement: "|∇ F(w_{t*})| ≤ N* + s and N* ≤ a give |∇ F(w_{t*})| ≤ a, s the first two terms of \
        (15)",
    hypotheses: "N* ≥ 0, s > 0",
    check: |c| {
        let draw = c.constant("factor of s", 1);
        let mut domain = Domain::new();
        let least = domain.real("N*", closed(0), infinite());
        let s = domain.real("s", open(0), infinite());
        let selected = &least + draw * s;
        Argument::new(c)
            .repaired("kl-thm-5-repaired")
            .states("kl-thm-5-proof-min", &Forall::le(domain, selected, least))
            .proved_on("all N* ≥ 0, s > 0")
    },
    ..Claim::ALONE
};

/// `kl-thm-5-proof-log`: the last equality drops Λ^{1/4} in one term, √Λ in the other. L₀ = d = T = 1, n√ρ = Y large, F₀L₁ = Λ², q = Λ^{1/4}: the
/// printed minimum is its second entry, more than √6·q·s for s = √(Λ/Y), and the right side is 2s.
pub const THM_5_PROOF_LOG: Claim = Claim {
    id: "kl-thm-5-proof-log",
    place: "App. D.6, last display, last line",
    kind: Kind::PathwiseInequality,
    statement: "(6L_0 √(F_0 L_1 d Λ)/(n √(ρ)))^{1/2} + 3L_0 Λ/(√(n) ρ^{1/4}) + 4L_0 Λ/(n √(ρ)) = \
        O((L_0 √(F_0 L_1 d)/(n √(ρ)))^{1/2} + L_0 √(Λ)/(√(n) ρ^{1/4}))",
    hypotheses: "Λ ≥ 1",
    check: |c| {
        let growth = c.constant("claimed lower bound of the ratio in units of Λ^{1/4}", 1);
        let (domain, q) = Domain::of("Λ^(1/4)", closed(1), infinite());
        let ratio = Forall::le(domain, growth * 2 * &q, Expr::from(6).sqrt() * q);
        diverges(
            c,
            "kl-thm-5-proof-log",
            &ratio,
            "L_0 = d = T = 1, F_0 L_1 = Λ^2: the ratio of the two sides is at least Λ^{1/4}, \
                without bound",
            "kl-thm-5-repaired",
        )
    },
    ..Claim::ALONE
};
