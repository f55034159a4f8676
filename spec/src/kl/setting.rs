//! Sections 1, 2 and 5: the KL condition, growth, the loss bound, weak convexity, the valley.
//!
//! Powers with real exponents are checked through logarithms, in which they are linear: `ln_x` stands for ln x.
//!
//! **Setting.** An algorithm may know everything but the dataset: n, d, the privacy parameters, the data space, the loss f, all
//! constants, and W and w₀ where the statement has them. None of these depends on the dataset; parameters computed from it
//! are not allowed. The proofs of the lower bounds have it so: they run A on instances that they have
//! chosen. Were the instance chosen after A had been run, these bounds would hold of every A, private or not.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// What A may know in a lower bound, as a hypothesis.
macro_rules! known {
    () => {
        "A knows n, d, f, W, w_0 and all constants, none of which depends on the dataset"
    };
}
pub(super) use known;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 13] = [
    DEF_KL,
    DEF_1,
    DEF_GROWTH,
    DEF_F0,
    FACT_F0,
    DEF_WC,
    DEF_VALLEY,
    DEF_VALLEY_PROOF,
    DEF_VALLEY_REPAIRED,
    FACT_PL,
    FACT_KL_LIPSCHITZ,
    FACT_CONVEX_KL,
    FACT_NONSMOOTH,
];

/// "x ≤ factor·x for all x > 0": what a witness with equality says about the printed factor.
pub(super) fn equality(name: &'static str, factor: impl Into<Expr>) -> Forall {
    let (domain, x) = Domain::of(name, open(0), infinite());
    let factor = factor.into();
    Forall::le(domain, x.clone(), &factor * &x).factored(x, factor - 1)
}

/// `kl-def-kl`. Witness s‖w‖^τ, τ > 1: with κ = τ/(τ−1), γ = s^{−1/τ}/τ there is equality everywhere. For κ = 1:
/// cosh w − 1 ≤ |sinh w|, that is e^{−|w|} ≤ 1.
pub const DEF_KL: Claim = Claim {
    id: "kl-def-kl",
    place: "Sec. 1, eq. (1)",
    kind: Kind::Definition,
    statement: "F is (γ, κ)-KL if F(w) - min F ≤ γ^κ |∇ F(w)|^κ for all w",
    hypotheses: "witnesses: s |w|^τ for κ = τ/(τ-1) > 1, cosh w - 1 for κ = 1",
    check: def_kl,
    ..Claim::ALONE
};

fn def_kl(check: &Check) -> Verdict {
    let factor = check.constant("factor of γ^κ |∇F|^κ", 1);
    let [tau, ln_s, ln_r, ln_tau] = symbols();
    let kappa = &tau / (&tau - 1);
    let gradient = &ln_s + &ln_tau + (&tau - 1) * &ln_r;
    let gamma = 0 - &ln_s / &tau - &ln_tau;
    let (domain, x) = Domain::of("|w|", closed(0), infinite());
    Argument::new(check)
        .states_identity(
            "κ (ln γ + ln |∇F|) = ln F for F = s |w|^τ",
            kappa * (gamma + gradient),
            &ln_s + &tau * &ln_r,
        )
        .states("kl-def-kl", &equality("F(w) - min F", factor))
        .states("kl-def-kl/one", &Forall::le(domain, (0 - x).exp(), 1))
        .proved_on("satisfiable for every γ > 0, κ ≥ 1 and d")
}

/// `kl-def-1`. Witness: the double well F = (w² − 1)²/4 on \[r, ∞), where (F′)² = 4w²F, so γ = 1/(2r); it is not KL on
/// all of R. The second form is the first to the power 1/κ.
pub const DEF_1: Claim = Claim {
    id: "kl-def-1",
    place: "Sec. 2, Definition 1",
    statement: "F is (γ, κ)-KL* on A w.r.t. w′ if γ^κ |∇ F(w)|^κ ≥ F(w) - F(w′) on A; for w′ = w* \
        this is (F(w) - F(w*))^{1/κ}/γ ≤ |∇ F(w)|",
    hypotheses: "witness: double well on [r, inf), κ = 2, γ = 1/(2r)",
    check: def_1,
    ..DEF_KL
};

fn def_1(check: &Check) -> Verdict {
    let factor = check.constant("factor of γ^κ |∇F|^κ", 1);
    let [w, kappa, ln_gamma, ln_gradient, ln_excess] = symbols();
    let value = (w.square() - 1).square() / 4;
    let gradient = w.powi(3) - &w;
    let (domain, beyond) = Domain::of("w/r - 1", closed(0), infinite());
    let scaled = &ln_gamma + &ln_gradient;
    Argument::new(check)
        .states_identity(
            "(F')^2 = 4 w^2 F for the double well",
            gradient.square(),
            4 * w.square() * value,
        )
        .states(
            "kl-def-1",
            &Forall::le(domain, 1, factor * (1 + beyond).square()),
        )
        .states_identity(
            "the logarithms of the two forms differ by the factor κ > 0",
            &kappa * &scaled - &ln_excess,
            &kappa * (scaled - &ln_excess / &kappa),
        )
        .proved_on("satisfiable with w' = 1 and every r > 0; both forms agree for all κ ≥ 1, γ > 0")
}

/// `kl-def-growth`. s‖w‖^τ has equality with λ = s^{1/τ} in both forms. Section 2's form speaks of one minimiser: at
/// another one its left side is 0 and its right side is not, so it can hold only where the minimiser is unique.
pub const DEF_GROWTH: Claim = Claim {
    id: "kl-def-growth",
    place: "Sec. 2 and App. A, Definition 4",
    statement: "F has (λ, τ)-growth if F(w) - F(w_p) ≥ λ^τ |w - w_p|^τ, w_p the projection of w on \
        the minimisers (Def. 4); Sec. 2 has w* for w_p",
    hypotheses: "witness: s |w|^τ with λ = s^{1/τ}",
    check: |c| {
        let factor = c.constant("factor of λ^τ |w - w_p|^τ", 1);
        let [tau, ln_s, ln_r] = symbols();
        let ln_lambda = &ln_s / &tau;
        Argument::new(c)
            .states_identity(
                "τ (ln λ + ln |w|) = ln F",
                &tau * (ln_lambda + &ln_r),
                &ln_s + &tau * &ln_r,
            )
            .states("kl-def-growth", &equality("F(w)", 1 / Expr::from(factor)))
            .proved_on("satisfiable for every λ > 0, τ ≥ 1, in both forms")
    },
    ..DEF_KL
};

/// `kl-def-F0`. The exact gap is such a number; here for the quadratic ½μw².
pub const DEF_F0: Claim = Claim {
    id: "kl-def-F0",
    place: "Sec. 2, Loss bound",
    statement: "F_0 ≥ 0 is a known number with F(w_0) - F(w*) ≤ F_0",
    hypotheses: "witness: F = (μ/2) w^2, F_0 = (μ/2) w_0^2",
    check: |c| {
        let multiple = c.constant("multiple of F_0", 1);
        Argument::new(c)
            .states("kl-def-F0", &equality("F(w_0) - F(w*)", multiple))
            .proved_on("satisfiable by the exact gap")
    },
    ..DEF_KL
};

/// `kl-fact-F0`. ‖∇F(w₀)‖ ≤ L₀ as F is a mean of L₀-Lipschitz functions. With y = κ ln(L₀/‖∇F(w₀)‖) ≥ 0 the gap is
/// at most (γL₀)^κ e^{−y}; attained by Huber's function with κ = 1.
pub const FACT_F0: Claim = Claim {
    id: "kl-fact-F0",
    place: "Sec. 2, Loss bound",
    kind: Kind::PathwiseInequality,
    statement: "F(w_0) - F(w*) ≤ (γ L_0)^κ",
    hypotheses: "F is (γ, κ)-KL* at w_0, f(·;x) L_0-Lipschitz near w_0",
    check: |c| {
        let factor = c.constant("factor of (γ L_0)^κ", 1);
        let (domain, y) = Domain::of("κ ln(L_0/|∇F(w_0)|)", closed(0), infinite());
        Argument::new(c)
            .states("kl-fact-F0", &Forall::le(domain, (0 - y).exp(), factor))
            .note("both sides over (γ L_0)^κ")
            .proved_on("all γ, L_0 > 0, κ ≥ 1")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-def-wc`. −(L̃₁/2)‖w‖² has equality, and the identity behind it,
/// λ‖w‖² + (1−λ)‖v‖² − ‖λw + (1−λ)v‖² = λ(1−λ)‖w−v‖², turns the inequality of F into convexity of F + (L̃₁/2)‖·‖².
pub const DEF_WC: Claim = Claim {
    id: "kl-def-wc",
    place: "Sec. 2, Weak convexity",
    statement: "F is L-weakly convex if F(a w + (1-a) v) ≤ a F(w) + (1-a) F(v) + (L a (1-a)/2) |w \
        - v|^2; equivalently F + (L/2)|·|^2 is convex",
    hypotheses: "witness: -(L/2)|w|^2",
    check: |c| {
        let half = c.constant("factor of L a (1-a) |w-v|^2", ratio(1, 2));
        let [a, w, v] = symbols();
        let mixed = &a * &w + (1 - &a) * &v;
        let convexity = (&a * w.square() + (1 - &a) * v.square() - mixed.square()) / 2;
        Argument::new(c)
            .states(
                "kl-def-wc",
                &equality("L a (1-a) |w-v|^2 / 2", half.clone() * 2),
            )
            .states_identity(
                "one coordinate of the square",
                &convexity,
                half * (&a * (1 - &a) * (&w - &v).square()),
            )
            .proved_on("satisfiable for every L ≥ 0; both forms agree for all F")
    },
    ..DEF_KL
};

/// `kl-def-valley`. w₀ ∈ 𝓘 by the maximum, so the component exists. The double well with F(w₀) < 1/4 and a small
/// second term shows that it can be smaller than 𝓘: F(0) = 1/4 separates the wells.
pub const DEF_VALLEY: Claim = Claim {
    id: "kl-def-valley",
    place: "Sec. 5, before Lemma 5",
    statement: "α = max{F(w_0), F(w*) + 2 (γ^{κ/2} + L_0) b}; S is the path component of {F ≤ α} \
        that contains w_0",
    hypotheses: "b ≥ 0",
    check: |c| {
        let factor = c.constant("factor of F(w_0)", 1);
        let mut domain = Domain::new();
        let start = domain.real("F(w_0) - F(w*)", closed(0), infinite());
        let width = domain.real("2 (γ^{κ/2} + L_0) b", closed(0), infinite());
        let alpha = (factor * &start).max(width);
        Argument::new(c)
            .states("kl-def-valley", &Forall::le(domain, start, alpha))
            .proved_on("F(w*) = 0; S contains w_0 for every F, w_0 and b ≥ 0")
    },
    ..DEF_KL
};

/// `kl-def-valley-proof`: what Appendix D.4 recalls. With F_S = F(w*_𝒮) it is not even moved along with F when a
/// constant is added to F; and w*_𝒮 is defined through 𝒮, hence through α.
pub const DEF_VALLEY_PROOF: Claim = Claim {
    id: "kl-def-valley-proof",
    place: "App. D.4",
    statement: "α = max{F(w_0), F_S + max{F(w_0), F_S + 2 (γ^{κ/2} + L_0) b}} is the threshold of \
        Section 5",
    hypotheses: "F_S = F(w*_S) = F(w*)",
    check: by_kernel,
    ..DEF_VALLEY
};

/// `kl-def-valley-repaired`. Take w*_{𝒮₀} on the component 𝒮₀ of {F ≤ F(w₀)}. As 𝒮 ⊇ 𝒮₀, F(w*_𝒮) ≤ F(w*_{𝒮₀}), so α has
/// the room above F(w*_𝒮) that the proof of Lemma 5 uses, without reference to 𝒮 itself.
pub const DEF_VALLEY_REPAIRED: Claim = Claim {
    id: "kl-def-valley-repaired",
    kind: Kind::PathwiseInequality,
    statement: "with S_0 the component of {F ≤ F(w_0)} at w_0, α = max{F(w_0), F(w*_{S_0}) + 2 \
        (γ^{κ/2} + L_0) b} is at least F(w*_S) + 2 (γ^{κ/2} + L_0) b",
    hypotheses: "S contains S_0, as the component of {F ≤ α} at w_0 does, because α ≥ F(w_0); F \
        has minima over both; b ≥ 0",
    check: |c| {
        let factor = c.constant("factor of the second term", 1);
        let mut domain = Domain::new();
        let drop = domain.real("F(w*_{S_0}) - F(w*_S)", closed(0), infinite());
        let above = domain.real("F(w_0) - F(w*_{S_0})", closed(0), infinite());
        let width = domain.real("2 (γ^{κ/2} + L_0) b", closed(0), infinite());
        // Counted from F(w*_𝒮).
        let alpha = (&drop + above).max(&drop + factor * &width);
        Argument::new(c)
            .states("kl-def-valley-repaired", &Forall::le(domain, width, alpha))
            .proved_on("all F, w_0, b ≥ 0")
    },
    by_hand: &[],
    ..DEF_VALLEY
};

/// `kl-fact-pl`. The PL inequality is 2μ(F − F*) ≤ ‖∇F‖² (`decor-asm-2`).
pub const FACT_PL: Claim = Claim {
    id: "kl-fact-pl",
    place: "Abstract; Sec. 1, after (1)",
    kind: Kind::PathwiseInequality,
    statement: "the PL inequality 2μ(F(w) - min F) ≤ |∇ F(w)|^2 is (γ, 2)-KL with γ^2 = 1/(2μ)",
    hypotheses: "μ > 0",
    check: |c| {
        let factor = c.constant("factor of μ", 2);
        let [mu, gradient] = symbols();
        // Both bound F − min F; γ² = 1/(2μ).
        Argument::new(c)
            .states_identity(
                "the two bounds of F - min F",
                gradient.square() / (Expr::from(factor) * &mu),
                gradient.square() / (2 * &mu),
            )
            .proved_on("all μ > 0")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-fact-kl-lipschitz`. F is bounded, so by Ekeland's principle for −F some w has F(w) ≥ sup F − η and |∇F(w)| ≤ η, for
/// every η > 0; then s = sup F − min F ≤ η + (γη)^κ ≤ (1 + γ)η where γη ≤ 1. At η = s/(2(1 + γ)) that is s ≤ s/2.
pub const FACT_KL_LIPSCHITZ: Claim = Claim {
    id: "kl-fact-kl-lipschitz",
    place: "Sec. 2, before Definition 1",
    kind: Kind::PathwiseInequality,
    statement: "an F that is L_0-Lipschitz and (γ, κ)-KL on all of R^d has F - min F ≤ 0 (γ L_0)^κ \
        everywhere: it is constant",
    hypotheses: "F differentiable, with a minimum; κ ≥ 1",
    check: |c| {
        let factor = Poly::from(c.constant("factor of (γ L_0)^κ", 0));
        let [s, inverse] = ["s", "1/(1+γ)"].map(Poly::var);
        let eta = Poly::from(ratio(1, 2)) * &s * &inverse;
        // (1 + γ)η with 1 + γ = 1/inverse.
        let sum = eta * Poly::power("1/(1+γ)", -1);
        Steps::new()
            .positive(&["s", "1/(1+γ)", "(γ L_0)^κ"])
            .at_most("constant F", 0, factor * Poly::var("(γ L_0)^κ"))
            .equal("(1 + γ) η is s/2", sum, Poly::from(ratio(1, 2)) * s)
            .proved_on("all γ, L_0 > 0, κ ≥ 1 and d")
    },
    by_hand: &[
        "Ekeland's principle gives a w with F(w) ≥ sup F - η and |∇ F(w)| ≤ η for every η > 0, F \
            being bounded",
        "sup F - min F ≤ η + (γ η)^κ for every η > 0 leaves sup F = min F",
    ],
    ..Claim::ALONE
};

/// `kl-fact-convex-kl`. F(w) − F* ≤ ⟨∇F(w), w − w*⟩ by convexity, then Cauchy's inequality in the plane of the two
/// vectors. Attained by L‖w‖ on the boundary of the ball.
pub const FACT_CONVEX_KL: Claim = Claim {
    id: "kl-fact-convex-kl",
    place: "Sec. 1",
    kind: Kind::PathwiseInequality,
    statement: "a convex F is (R, 1)-KL on the ball of radius R about a minimiser",
    hypotheses: "F convex and differentiable (or any subgradient)",
    check: |c| {
        let factor = c.constant("factor of R", 1);
        let [a, b, x, y] = symbols();
        let inner = &a * &x + &b * &y;
        let product = (a.square() + b.square()) * (x.square() + y.square());
        let (domain, share) = Domain::of("|w - w*|/R", closed(0), closed(1));
        Argument::new(c)
            .states("kl-fact-convex-kl", &Forall::le(domain, share, factor))
            .needs_identity(
                "Lagrange",
                product - inner.square(),
                (&a * &y - &b * &x).square(),
            )
            .proved_on("all convex F, R > 0")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-fact-nonsmooth`. ‖∇F‖² ≤ 2L₁(F−F*) and the KL* condition give (F−F*)^{(2−κ)/κ} ≤ 2γ²L₁, whose left side is
/// unbounded as F → F* when the exponent is negative. For κ ≤ 2 the power |w|^{κ/(κ−1)} is smooth near 0.
pub const FACT_NONSMOOTH: Claim = Claim {
    id: "kl-fact-nonsmooth",
    place: "Sec. 4, first paragraph",
    kind: Kind::PathwiseInequality,
    statement: "if κ > 2 and KL* holds at points of arbitrarily small positive excess risk, F is \
        not smooth there",
    hypotheses: "smoothness near the points and the minimiser they approach",
    check: fact_nonsmooth,
    by_hand: &[],
    ..Claim::ALONE
};

fn fact_nonsmooth(check: &Check) -> Verdict {
    let threshold = check.constant("threshold of κ", 2);
    let [kappa, ln_excess, ln_gamma, ln_l, ln_two] = symbols();
    // ln‖∇F‖ from smoothness, put into κ(ln γ + ln‖∇F‖) ≥ ln(F−F*), divided by κ/2.
    let gradient = (&ln_two + &ln_l + &ln_excess) / 2;
    let condition = &kappa * (&ln_gamma + gradient) - &ln_excess;
    let combined = &ln_two + 2 * &ln_gamma + &ln_l - (2 - &kappa) / &kappa * &ln_excess;
    let (domain, k) = Domain::of("κ", open(threshold), infinite());
    Argument::new(check)
        .states_identity(
            "(F-F*)^{(2-κ)/κ} ≤ 2 γ^2 L_1",
            &condition,
            &kappa / 2 * combined,
        )
        .states("kl-fact-nonsmooth", &Forall::lt(domain, 2, k))
        .note("that is (2-κ)/κ < 0")
        .proved_on("all κ > 2, γ > 0, L_1 > 0")
}
