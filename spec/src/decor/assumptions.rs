//! Section 5.1: the assumptions on the losses, and what they imply together.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::steps::{Algebra, frac, inv, k, v};
use crate::prove::Argument;
use rug::ops::Pow;

/// The claims about the assumptions, in the paper's order.
pub(super) const CLAIMS: [Claim; 11] = [
    ASM_1,
    FACT_PL,
    ASM_2,
    ASM_3,
    ASM_4,
    AUX_SMOOTH,
    AUX_COCOERCIVE,
    ASM_JOINT,
    ASM_JOINT_LEMMA,
    ASM_STAR,
    ASM_STAR_REPAIRED,
];

/// `decor-asm-1`. Witness: h x²/2 is h-smooth.
pub const ASM_1: Claim = Claim {
    id: "decor-asm-1",
    place: "§5.1, Assumption 1",
    kind: Kind::Definition,
    statement: "every L_i is differentiable with ‖∇L_i(y) − ∇L_i(x)‖ ≤ L‖x − y‖",
    hypotheses: "L ≥ 0",
    check: asm_1,
    ..Claim::ALONE
};

fn asm_1(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("smoothness of h x²/2 in units of h", 1));
    let [h, distance] = ["h", "|x−y|"].map(Poly::var);
    Argument::new(c)
        .positive(&["h", "|x−y|"])
        .states_at_most(
            "|h x − h y| ≤ factor·h·|x − y|",
            &h * &distance,
            factor * h * distance,
        )
        .proved_on("witness: h x²/2, h > 0")
}

/// `decor-asm-2`. Witness: μ x²/2 attains the inequality at every point.
pub const ASM_2: Claim = Claim {
    id: "decor-asm-2",
    place: "§5.1, Assumption 2",
    kind: Kind::Definition,
    statement: "2μ(L(x) − L_*) ≤ ‖∇L(x)‖² for all x in R^d",
    hypotheses: "L_* = inf L",
    check: asm_2,
    ..Claim::ALONE
};

fn asm_2(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of μ(L − L_*)", 2));
    let [mu, x] = ["μ", "x"].map(Poly::var);
    let gap = frac(1, 2) * &mu * x.square();
    Argument::new(c)
        .positive(&["μ"])
        .states_at_most(
            "factor·μ·(μx²/2) ≤ (μx)²",
            factor * &mu * gap,
            (&mu * &x).square(),
        )
        .proved_on("witness: μ x²/2, μ > 0")
}

/// `decor-asm-3`. Witness: two users with (x ∓ 1)²/2, whose mean squared gradient is x² + 1 while
/// ∇L = x: ζ_*² = P = 1; and a user with the examples ±1 of (x − ξ)²/2, for which Ψ = 1 = σ_*², M = 0.
pub const ASM_3: Claim = Claim {
    id: "decor-asm-3",
    place: "§5.1, Assumption 3",
    kind: Kind::Definition,
    statement: "(1/n)Σ‖∇L_i(x)‖² ≤ ζ_*² + P‖∇L(x)‖² for all x, and Ψ(x_1..x_n) ≤ σ_*² + \
        (M/n)Σ‖∇L(x_i)‖²",
    hypotheses: "Ψ the mean variance of the users' stochastic gradients",
    check: asm_3,
    ..Claim::ALONE
};

fn asm_3(c: &Check) -> Verdict {
    let p = Poly::from(c.constant("P of the witness", 1));
    let sigma = Poly::from(c.constant("σ_*² of the witness", 1));
    let x = v("x");
    let half = Poly::from(frac(1, 2));
    let mean = &half * ((&x - 1).square() + (&x + 1).square());
    let noise = &half * (1 + 1);
    Argument::new(c)
        .states_at_most("((x−1)² + (x+1)²)/2 ≤ 1 + P x²", &mean, 1 + p * x.square())
        .states_at_most("the variance of x − ξ, ξ = ±1", &noise, &sigma)
        .proved_on("witnesses: (x ∓ 1)²/2")
}

/// `decor-asm-4`. Witness: ξ x with |ξ| ≤ C. (A quadratic loss on R^d is none.)
pub const ASM_4: Claim = Claim {
    id: "decor-asm-4",
    place: "§5.1, Assumption 4",
    kind: Kind::Definition,
    statement: "‖∇ℓ(x, ξ)‖ ≤ C for all users, all x in R^d and all examples",
    hypotheses: "C ≥ 0",
    check: asm_4,
    ..Claim::ALONE
};

fn asm_4(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C", 1));
    let clip = v("|ξ|") + v("rest");
    Argument::new(c)
        .positive(&["|ξ|", "rest"])
        .states_at_most("|ξ| ≤ factor·C, C = |ξ|", v("|ξ|"), &factor * v("|ξ|"))
        .needs_at_most("|ξ| ≤ factor·C, C = |ξ| + rest", v("|ξ|"), factor * clip)
        .proved_on("witness: ξ x, |ξ| ≤ C")
}

/// `decor-aux-smooth`. f(y) − f(x) − ⟨∇f(x), y − x⟩ is the integral over 0 ≤ s ≤ 1 of
/// ⟨∇f(x + s(y−x)) − ∇f(x), y − x⟩ ≤ sL‖y − x‖², and ∫ s ds = 1/2. Attained by L x²/2.
pub const AUX_SMOOTH: Claim = Claim {
    id: "decor-aux-smooth",
    place: "used in App. B.4, eq. (34) (not printed)",
    kind: Kind::PathwiseInequality,
    statement: "|f(y) − f(x) − ⟨∇f(x), y − x⟩| ≤ (L/2)‖y − x‖² for L-smooth f",
    hypotheses: "f differentiable, gradient L-Lipschitz",
    rests_on: &[],
    by_hand: &[
        "fundamental theorem of calculus along the segment and Cauchy–Schwarz, for f and for −f",
    ],
    check: aux_smooth,
};

fn aux_smooth(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("factor of L‖y−x‖²", frac(1, 2)));
    let [l, y] = ["L", "y"].map(Poly::var);
    let loss = frac(1, 2) * &l * y.square();
    // The antiderivative of s at 1.
    let integral = frac(1, 2) * v("s").square();
    let at_one = integral.substitute("s", &k(1)).unwrap_or_default();
    Argument::new(c)
        .positive(&["L"])
        .states_at_most("L x²/2 between 0 and y", &loss, &half * &l * y.square())
        .needs_at_most("∫₀¹ s ds ≤ factor", &at_one, &half)
        .proved_on("all L ≥ 0, all dimensions")
}

/// `decor-fact-pl`. The quadratic of strong convexity at x is least at x − ∇L(x)/μ, where it is L(x) − ‖∇L(x)‖²/(2μ). Attained by
/// μx²/2.
pub const FACT_PL: Claim = Claim {
    id: "decor-fact-pl",
    place: "§5.1, before Assumption 2",
    kind: Kind::PathwiseInequality,
    statement: "PL is implied by strong convexity: 2μ(L(x) − L(y)) ≤ ‖∇L(x)‖² for all x and y",
    hypotheses: "L differentiable, μ-strongly convex, μ > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-aux-cocoercive`. φ(z) = f(z) − ⟨∇f(y), z⟩ is convex with its minimum at y, so φ(y) ≤
/// φ(x − ∇φ(x)/L) ≤ φ(x) − ‖∇φ(x)‖²/(2L) by `decor-aux-smooth`. Attained by L x²/2.
pub const AUX_COCOERCIVE: Claim = Claim {
    id: "decor-aux-cocoercive",
    place: "used for decor-asm-star-repaired (not printed)",
    kind: Kind::PathwiseInequality,
    statement: "‖∇f(x) − ∇f(y)‖² ≤ 2L(f(x) − f(y) − ⟨∇f(y), x − y⟩) for convex L-smooth f",
    hypotheses: "f convex, differentiable, gradient L-Lipschitz",
    rests_on: &["decor-aux-smooth"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-asm-joint`. The proof of emptiness is `decor-asm-joint-lemma`. Consequences: the utility
/// parts of Theorem 2.1, Corollary 3 and Corollary 12.1 speak of constant global losses only. (The
/// usual remedy, bounded gradients along the run, is not available: the iterates are Gaussian.)
pub const ASM_JOINT: Claim = Claim {
    id: "decor-asm-joint",
    place: "§5.2 Theorem 2.1, §5.3 Corollary 3: joint hypotheses",
    kind: Kind::Definition,
    statement: "some problem with a non-constant global loss satisfies Assumptions 1, 2 and 4, \
        which Theorem 2.1 and Corollary 3 assume together",
    hypotheses: "Assumptions 1, 2 and 4 on all of R^d",
    rests_on: &["decor-asm-joint-lemma"],
    by_hand: &[],
    check: asm_joint,
};

fn asm_joint(c: &Check) -> Verdict {
    only_constant_losses(c, "decor-thm-2a-corrected")
}

/// The verdict on a statement under Assumptions 1, 2 and 4, which constant global losses alone meet.
pub(super) fn only_constant_losses(c: &Check, repaired: &'static str) -> Verdict {
    match ascent(c).proved_on("") {
        Verdict::Proved(proof) => Verdict::empty(
            "met by constant global losses only, for which nothing is to be minimised: gradient \
                ascent from a point with L > L_* raises L − L_* by the factor 1 + μ/L in each \
                step, so ‖∇L‖ ≥ √(2μ(L − L_*)) exceeds every C (decor-asm-joint-lemma)",
            proof.evidence,
            Some(repaired),
        ),
        other => other,
    }
}

/// `decor-asm-joint-lemma`. Let L(x) > L_*. With x⁺ = x + ∇L(x)/L smoothness gives L(x⁺) ≥ L(x) +
/// ‖∇L(x)‖²/(2L), and Assumption 2 gives ‖∇L(x)‖² ≥ 2μ(L(x) − L_*): the gap grows by 1 + μ/L at each
/// step, without bound, and the gradient with it; but ‖∇L‖ ≤ C as an average of ∇ℓ. If L = 0 the
/// global loss is affine, and constant because L_* > −∞.
pub const ASM_JOINT_LEMMA: Claim = Claim {
    id: "decor-asm-joint-lemma",
    place: "derived; §5.1, Assumptions 1, 2 and 4 together",
    kind: Kind::PathwiseInequality,
    statement: "a global loss that satisfies Assumptions 1, 2 and 4 is constant",
    hypotheses: "Assumptions 1, 2 (μ > 0) and 4 on all of R^d, L_* > −∞",
    check: by_kernel,
    ..Claim::ALONE
};

fn ascent(c: &Check) -> Argument<'_> {
    let factor = c.constant("factor of μ(L − L_*) in Assumption 2", 2);
    let half = Poly::from(frac(1, 2));
    let gain = (inv("L") - &half * v("L") * inv("L").square()) * v("G");
    let growth = &half * inv("L") * (Poly::from(factor.clone()) * v("μ") * v("gap"));
    // x²/2 with L = 2 and μ = 1: a step takes x to 3x/2, and the gap to 9/4 of it.
    let told: Rational = 1 + Rational::from(&factor / 4);
    let grows = (1..=10u32).all(|t| frac(9, 4).pow(t) >= told.clone().pow(t));
    Argument::new(c)
        .positive(&["L", "μ", "gap"])
        .states_that(
            "ten ascent steps on x²/2, L = 2, μ = 1: the gap grows by (1 + μ/L) each time",
            grows,
            || format!("it grows by 9/4, and {told} was claimed"),
        )
        .states_that("the growth factor exceeds 1", factor > 0, || {
            format!("with the factor {factor} log cosh satisfies all three assumptions")
        })
        .needs_equal(
            "ascent by ∇L/L gains ‖∇L‖²/L − (L/2)‖∇L‖²/L² = ‖∇L‖²/(2L)",
            &gain,
            &half * inv("L") * v("G"),
        )
        .needs_at_most("the gap does not fall", 0, &growth)
}

/// `decor-asm-star`. Two users with (x + 2)²/2 and (x − 1)²: L' = 3x/2 vanishes at 0, where the mean
/// squared gradient is 4. With ζ_*² = 4 the inequality 5x²/2 − 2x + 4 ≤ 4 + (9/4)P x² fails for every
/// P > 0 at x = −1/(2P): the excess is 5/(8P²) + 7/(16P).
pub const ASM_STAR: Claim = Claim {
    id: "decor-asm-star",
    place: "§5.1, after Assumption 3",
    kind: Kind::PathwiseInequality,
    statement: "for smooth convex losses Assumption 3 holds with ζ_*², σ_*² equal to heterogeneity \
        and noise at the minimum",
    hypotheses: "L_i smooth and convex, or L PL",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-asm-star-repaired`. With c_i = ∇L_i(x_*), ‖∇L_i(x)‖² ≤ 2‖∇L_i(x) − c_i‖² + 2‖c_i‖², and the
/// mean of ‖∇L_i(x) − c_i‖² is at most 2L(L(x) − L_*) (`decor-aux-cocoercive`, the c_i add up to 0) ≤
/// (L/μ)‖∇L(x)‖². For the noise, with convex L-smooth ℓ(·,ξ): the variance at x_i is at most the
/// second moment 2E‖∇ℓ(x_i,ξ) − ∇ℓ(x_*,ξ)‖² + 2E‖∇ℓ(x_*,ξ)‖², and the Bregman distance of L_i is at
/// most n times that of L. Some factor above 1 on ζ_*² is needed: `decor-asm-star`.
pub const ASM_STAR_REPAIRED: Claim = Claim {
    id: "decor-asm-star-repaired",
    place: "§5.1, after Assumption 3 (repaired)",
    kind: Kind::PathwiseInequality,
    statement: "Assumption 3 holds with ζ_*² twice the heterogeneity at the minimum and P = 2L/μ, \
        and with σ_*² twice the mean of E‖∇ℓ(x_*,ξ_i)‖² and M = 2nL/μ",
    hypotheses: "every ℓ(·,ξ) convex and L-smooth, L μ-PL with a minimiser x_*",
    rests_on: &["decor-aux-cocoercive"],
    by_hand: &[],
    check: by_kernel,
};
