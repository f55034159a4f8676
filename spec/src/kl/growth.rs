//! Appendix A: growth and the KL condition, and how far the nearest minimiser is.

use super::setting::equality;
use crate::claim::{Claim, Kind};
use crate::prove::{Argument, Domain, Expr, Forall, closed, symbols};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 4] = [LEM_6, RED_SLOPE, LEM_7, REM_1];

/// `kl-lem-6`. Convexity and Cauchy: F − F* = u‖∇F‖‖w − w_p‖ with u ≤ 1; growth: ‖w − w_p‖ = vγ(F − F*)^{1/τ}, v ≤ 1;
/// together (F − F*)^{1/κ} = uvγ‖∇F‖. Both are equalities at t₀ for λ^τ t^τ made linear between 0 and t₀.
pub const LEM_6: Claim = Claim {
    id: "kl-lem-6",
    place: "App. A, Lemma 6 (Bolte et al., Theorem 5.2 (ii))",
    kind: Kind::Imported,
    statement: "a convex F with (1/γ, κ/(κ-1))-growth is (γ, κ)-KL",
    hypotheses: "γ > 0; κ > 1, where the exponent is defined",
    check: |c| {
        let factor = c.constant("factor of γ", 1);
        let mut domain = Domain::new();
        let u = domain.real("(F-F*)/(|∇F| |w-w_p|)", closed(0), closed(1));
        let v = domain.real("|w-w_p|/(γ (F-F*)^{1/τ})", closed(0), closed(1));
        let [kappa, ln_excess, ln_u, ln_v, ln_gamma, ln_gradient] = symbols();
        let tau = &kappa / (&kappa - 1);
        let distance = &ln_v + &ln_gamma + &ln_excess / tau;
        let rest = &ln_u + &ln_v + &ln_gamma + &ln_gradient;
        Argument::new(c)
            .states("kl-lem-6", &Forall::le(domain, u * v, factor))
            .needs_identity(
                "exponents: 1 - 1/τ = 1/κ",
                &ln_excess - (&ln_u + &ln_gradient + distance),
                &ln_excess / &kappa - rest,
            )
            .proved_on("all κ > 1, γ > 0, convex F")
    },
    by_hand: &[],
    ..Claim::ALONE
};

/// `kl-red-slope`. Let r = γg(w) and, for 0 < η < 1, let v minimise g(x) + ((1−η)/γ)‖x − w‖ over the ball of radius r
/// about w. If v is inside and g(v) > 0, then ‖∇g(v)‖ ≤ (1−η)/γ, which is excluded. If v is on the sphere, the value
/// at v is at most that at w, so g(v) ≤ g(w) − (1−η)r/γ = ηg(w). As η → 0 a limit point of the v has g = 0.
pub const RED_SLOPE: Claim = Claim {
    id: "kl-red-slope",
    place: "reduction (error bound; Ekeland)",
    kind: Kind::PathwiseInequality,
    statement: "if |∇ g| ≥ 1/γ wherever g > 0 on the closed ball of radius γ g(w) about w, that \
        ball contains a zero of g",
    hypotheses: "g ≥ 0 continuous there, differentiable where g > 0",
    check: |c| {
        let factor = c.constant("radius in units of γ g(w)", 1);
        let [gamma, g, eta] = symbols();
        let radius = &gamma * &g;
        Argument::new(c)
            .states(
                "kl-red-slope",
                &equality("|w| = γ g(w) for g(w) = |w|/γ", factor),
            )
            .needs_identity(
                "g on the sphere",
                &g - (1 - &eta) / &gamma * radius,
                &eta * &g,
            )
            .proved_on("all g, γ > 0, w in R^d")
    },
    by_hand: &[
        "a minimiser of the tilted function over the ball exists",
        "inside the ball its slope is at most (1 − η)/γ, excluded",
        "the limit η → 0 of the bound for slopes below (1 − η)/γ",
    ],
    ..Claim::ALONE
};

/// `kl-lem-7`. g = (κ/(κ−1))(F − F*)^{(κ−1)/κ} has ‖∇g‖ = ‖∇F‖(F − F*)^{−1/κ} ≥ 1/γ where F > F*, so
/// ‖w − w_p‖ ≤ γg(w). Equality for s‖w‖^τ. (The print argues by a gradient flow, which needs more than differentiability
/// of F.) At κ = 1 the printed power is 0 to an infinite exponent.
pub const LEM_7: Claim = Claim {
    id: "kl-lem-7",
    place: "App. A, Lemma 7",
    kind: Kind::PathwiseInequality,
    statement: "F(w) - F(w_p) ≥ [(1/γ)(κ-1)/κ]^{κ/(κ-1)} |w - w_p|^{κ/(κ-1)}",
    hypotheses: "F (γ, κ)-KL on R^d, differentiable; γ > 0; κ > 1, where the exponent is defined",
    rests_on: &["kl-red-slope"],
    check: |c| {
        let factor = c.constant("factor of the bracket", 1);
        let [kappa, ln_excess, ln_ratio, ln_gradient, ln_s, ln_r] = symbols();
        // ln_ratio = ln(κ/(κ−1)); the derivative of g by F − F*, then its inverse.
        let power = (&kappa - 1) / &kappa;
        let g = &ln_ratio + &power * &ln_excess;
        let slope = &ln_ratio + (0 - &ln_ratio) + (&power - 1) * &ln_excess + &ln_gradient;
        let tau = &kappa / (&kappa - 1);
        // s r^τ: ln γ = −ln s/τ − ln τ, and τ = κ/(κ−1).
        let gamma = 0 - &ln_s / &tau - &ln_ratio;
        Argument::new(c)
            .needs_identity(
                "|∇g| = |∇F| (F-F*)^{-1/κ}",
                &slope,
                &ln_gradient - &ln_excess / &kappa,
            )
            .needs_identity(
                "g in terms of F-F*, inverted",
                &tau * (g - &ln_ratio),
                &ln_excess,
            )
            .states_identity(
                "equality for s |w|^τ",
                &tau * (0 - gamma - &ln_ratio + &ln_r),
                &ln_s + &tau * &ln_r,
            )
            .states(
                "kl-lem-7",
                &equality("bracket times |w - w_p|", 1 / Expr::from(factor)),
            )
            .proved_on("all κ > 1, γ > 0, F")
    },
    by_hand: &["kl-red-slope applied to g", "chain rule for g where F > F*"],
};

/// `kl-rem-1`. `kl-red-slope` on the ball about w₀, for g of `kl-lem-7`: γg(w₀) ≤ (κ/(κ−1))γF₀^{(κ−1)/κ} ≤ B. Attained
/// by s‖w‖^τ, whose minimiser is at exactly that distance. The second part is the triangle inequality.
pub const REM_1: Claim = Claim {
    id: "kl-rem-1",
    place: "App. A, Remark 1",
    kind: Kind::PathwiseInequality,
    statement: "if KL* holds on the ball about w_0 of radius B ≥ (κ/(κ-1)) γ F_0^{(κ-1)/κ}, then \
        w* lies in it",
    hypotheses: "κ > 1, F(w_0) - F(w*) ≤ F_0, F differentiable on the ball",
    rests_on: &["kl-red-slope", "kl-lem-7"],
    check: |c| {
        let factor = c.constant("factor of the radius", 1);
        let [tau, ln_s, ln_r, ln_tau] = symbols();
        let gamma = 0 - &ln_s / &tau - &ln_tau;
        // κ/(κ−1) = τ and (κ−1)/κ = 1/τ.
        let radius = &ln_tau + gamma + (&ln_s + &tau * &ln_r) / &tau;
        Argument::new(c)
            .states_identity("the radius for s |w|^τ is |w_0|", &radius, &ln_r)
            .states("kl-rem-1", &equality("|w_0| for s |w|^τ", factor))
            .proved_on("all κ > 1, γ > 0, F_0 > 0")
    },
    by_hand: &[
        "kl-red-slope on the ball about w₀",
        "the triangle inequality for balls about w*",
    ],
};
