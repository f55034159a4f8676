//! Theorems 6 and 7 and Corollary 1 as they hold, with √d: lower bounds without fingerprinting (Assouad's lemma).
//!
//! Of r coordinates k records each are about, k of the order of 1/ε, and all records of one have its sign. To change the sign of a coordinate
//! k records are changed, each of which moves a probability by at most η: of ε-DP by (e^ε − 1)/(e^ε + 1), plus 2δ/(e^ε + 1). So on two data sets
//! that differ in a coordinate the probabilities of its wrong sides add up to at least 1 − kη, and over all 2^r signs the mean of the
//! excess is at least r times (1 − kη)/2 times what one wrong coordinate costs. With y = kη between 1/4 and 3/4, y(1 − y) ≥ 3/16 and
//! y²(1 − y) ≥ 3/64. That takes rk ≤ n records: r = d for n ≥ kd, and r = ⌊n/k⌋ below, where √r is of the order of √(nε) and
//! smaller than what the print has, min{√d, nε}; by fingerprinting `kl-thm-7-restricted` and its like have that, with constants that are
//! smaller by 900 and more.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind};
use crate::prove::{Argument, Domain, Expr, Forall, closed, open, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 3] = [THM_6_CORRECTED, THM_7_CORRECTED, COR_1_CORRECTED];

/// What is supposed of data and algorithm, behind what is supposed of the numbers.
macro_rules! cube {
    ($numbers:literal) => {
        concat!(
            $numbers,
            "; n, d, k, r ≥ 1, L_0 > 0; n records x_i, each e_j, -e_j or 0: k for each of r \
                coordinates j, all of one sign, and none for the others; A may know all but the \
                signs, need be private only if one sign changes and for half spaces with 0 on \
                their edge and complements of such, and is a map of the data and of normal noise, \
                as every algorithm with values in R^d can be written (cited: Kallenberg, \
                Foundations of Modern Probability, 3rd ed. 2021, Lemma 4.22)"
        )
    };
}

/// That `factor` is at most c(y), y being kη from `least` to `most`.
fn scale(factor: Rational, [least, most]: [Rational; 2], c: impl Fn(Expr) -> Expr) -> Forall {
    let (domain, y) = Domain::of("k η", closed(least), closed(most));
    Forall::le(domain, factor, c(y))
}

/// What ε and δ have to do with η = 2ε/3: e^ε − 1 + 2δ ≤ (1 + e^ε)·η, and what kη is at most and at least.
fn approximate(check: &Check) -> (Forall, [Rational; 2]) {
    let share = check.constant("δ over ε", ratio(1, 24));
    let limits = [
        check.constant("least k ε", ratio(3, 8)),
        check.constant("largest k ε", ratio(9, 8)),
    ];
    let (domain, eps) = Domain::of("ε", open(0), closed(ratio(9, 8)));
    let moved = eps.exp() - 1 + 2 * share * &eps;
    let moves = Forall::le(domain, moved, ratio(2, 3) * &eps * (1 + eps.exp()));
    (moves, limits.map(|x| ratio(2, 3) * x))
}

/// `kl-thm-7-corrected`, a theorem of the kernel (`super::kernel::cube`): of `kl-thm-7-restricted` it has √r for min{√d, nε}, with a constant 928 times as large, so
/// that for n ≥ k, where both apply, it says more unless both nε and d/(nε) are above 380,000: r may be d, or at least n/(2k) ≥ 4nε/9.
pub const THM_7_CORRECTED: Claim = Claim {
    id: "kl-thm-7-corrected",
    place: "App. B.6, Theorem 7",
    kind: Kind::LowerBound,
    statement: "for every (ε, δ)-DP A with values in the ball W of radius D about 0: f(w;x) = μ \
        |w|^2/2 - L_0 ⟨x, w⟩/2, μ = L_0 k √(r)/(2 n D), is convex and μ-smooth, L_0-Lipschitz on \
        W, F(w) - F* = μ |w - w*|^2/2 and |w*| = D; over the 2^r data sets the mean of E[F(A(S)) - \
        F*] is at least L_0 D √(r) k (3 - 2 k ε)/(24 n), and at least 9 L_0 D √(r)/(256 n ε)",
    hypotheses: cube!("ε > 0, 0 ≤ δ ≤ ε/24, 3/8 ≤ k ε ≤ 9/8, D > 0"),
    check: |c| {
        let factor = c.constant("factor of L_0 D √(r)/(n ε)", ratio(9, 256));
        let divisor = c.constant("divisor of k (3 - 2 k ε)/n", 24);
        let (moves, limits) = approximate(c);
        let [y] = symbols();
        Argument::new(c)
            .states(
                "kl-thm-7-corrected",
                &scale(factor, limits, |y| ratio(3, 16) * &y * (1 - &y)),
            )
            .states_identity(
                "1 - k η in ε",
                (3 - 2 * &y) / divisor,
                (1 - ratio(2, 3) * &y) / 8,
            )
            .needs("kl-thm-7-corrected/moves", &moves)
            .proved_on("all algorithms, data sets and parameters of the hypotheses")
    },
    ..Claim::ALONE
};

/// `kl-thm-6-corrected`, a theorem of the kernel (`super::kernel::cube`): a quadratic has (λ, τ)-growth on a ball of the radius of its minimisers. Of
/// `kl-thm-6-repaired` it has, at τ = 2, balls up to the same radius, and a constant 33,000 times as large for (L₀√r/(λnε))².
pub const THM_6_CORRECTED: Claim = Claim {
    id: "kl-thm-6-corrected",
    place: "App. B.4, Theorem 6",
    kind: Kind::LowerBound,
    statement: "for every (ε, δ)-DP A with values in the ball W of radius B about 0: f(w;x) = μ \
        |w|^2/2 - L_0 ⟨x, w⟩/2 is convex and μ-smooth, L_0-Lipschitz on W, F has (λ, τ)-growth on \
        W and its minimiser there; over the 2^r data sets the mean of E[F(A(S)) - F*] is at least \
        (G/λ)^{τ/(τ-1)} (3 - 2 k ε)/96, and at least (3/2048) (3 L_0 √(r)/(2 λ n ε))^{τ/(τ-1)}",
    hypotheses: cube!(
        "τ ≥ 2, λ > 0, ε > 0, 0 ≤ δ ≤ ε/24, 3/8 ≤ k ε ≤ 9/8; G = L_0 k √(r)/n, μ = 2 (λ^τ \
            G^{τ-2})^{1/(τ-1)}; 2 μ B = G, or, at τ = 2, G ≤ 2 μ B ≤ L_0"
    ),
    check: |c| {
        let factor = c.constant("factor of the power", ratio(3, 2048));
        let divisor = c.constant("divisor of (G/λ)^κ (3 - 2 k ε)", 96);
        let (moves, limits) = approximate(c);
        let [y, s, ln_lambda, ln_g] = symbols();
        // ln(μ/2), and G²/μ·2 in logarithms.
        let root = ((&s + 1) * &ln_lambda + (&s - 1) * &ln_g) / &s;
        let power = (&s + 1) / &s * (&ln_g - &ln_lambda);
        Argument::new(c)
            .states(
                "kl-thm-6-corrected",
                &scale(factor, limits, |y| y.square() * (1 - &y) / 32),
            )
            .states_identity(
                "1 - k η in ε",
                (3 - 2 * &y) / divisor,
                (1 - ratio(2, 3) * &y) / 32,
            )
            .states_identity("G^2 over μ/2 is (G/λ)^(τ/(τ - 1))", 2 * &ln_g - root, power)
            .needs("kl-thm-6-corrected/moves", &moves)
            .proved_on("all algorithms, data sets and parameters of the hypotheses")
    },
    ..Claim::ALONE
};

/// `kl-cor-1-corrected`, a theorem of the kernel (`super::kernel::cube`): of ρ-zCDP itself, of which it supposes that the Rényi divergence of order 2 of the event of a
/// half space is at most 2ρ, p²/q + (1 − p)²/(1 − q) ≤ e^{2ρ}, without its quotients. So (p − q)² ≤ (e^{2ρ} − 1)·q(1 − q) ≤ ρ and η = √ρ, and there is no
/// logarithm, which the conversion to (ε, δ)-DP costs `kl-cor-1-repaired`.
pub const COR_1_CORRECTED: Claim = Claim {
    id: "kl-cor-1-corrected",
    place: "Sec. 3.1, Corollary 1; App. B.5",
    kind: Kind::LowerBound,
    statement: "for every ρ-zCDP A with values in the ball W of radius B about 0: f(w;x) = μ \
        |w|^2/2 - L_0 ⟨x, w⟩/2 is convex and μ-smooth, L_0-Lipschitz on W, F is (γ, κ)-KL on W and \
        has its minimiser there; over the 2^r data sets the mean of E[F(A(S)) - F*] is at least (γ \
        G)^κ (1 - k √(ρ))/8, and at least (3/512) (γ L_0 √(r)/(n √(ρ)))^κ",
    hypotheses: cube!(
        "0 < κ ≤ 2, γ > 0, 0 < ρ ≤ 1/4, 1/4 ≤ k √(ρ) ≤ 3/4; G = L_0 k √(r)/n, μ = G^{2-κ}/(2 γ^κ); \
            2 μ B = G, or, at κ = 2, G ≤ 2 μ B ≤ L_0; of zCDP is needed that a Rényi divergence, \
            of order 2, is at most 2ρ"
    ),
    check: |c| {
        let factor = c.constant("factor of the power", ratio(3, 512));
        let limits = [
            c.constant("least k √(ρ)", ratio(1, 4)),
            c.constant("largest k √(ρ)", ratio(3, 4)),
        ];
        let divisor = c.constant("divisor of (γ G)^κ (1 - k √(ρ))", 8);
        let most = c.constant("largest ρ", ratio(1, 4));
        let (domain, rho) = Domain::of("ρ", open(0), closed(most));
        let moves = Forall::le(domain, (2 * &rho).exp() - 1, 4 * rho);
        let [kappa, ln_gamma, ln_g, y] = symbols();
        let root = &kappa * &ln_gamma - (2 - &kappa) * &ln_g;
        Argument::new(c)
            .states(
                "kl-cor-1-corrected",
                &scale(factor, limits, |y| y.square() * (1 - &y) / 8),
            )
            .states_identity("the general bound", (1 - &y) / divisor, (1 - &y) * 2 / 16)
            .states_identity(
                "G^2 over 2 μ is (γ G)^κ",
                2 * &ln_g + root,
                &kappa * (&ln_gamma + &ln_g),
            )
            .needs("kl-cor-1-corrected/moves", &moves)
            .proved_on("all algorithms, data sets and parameters of the hypotheses")
    },
    ..Claim::ALONE
};
