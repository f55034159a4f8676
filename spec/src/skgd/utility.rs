//! Section 4.2 and Appendices E.1, E.2: the utility theorem.
//!
//! c stands for log(1/δ)/(n²ε²), N_σ for E‖Cσ_S1‖²_{PM⁻¹} and R² for ‖w⁰ − w*‖²_{MP⁻¹}.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Domain, Expr, Forall, closed, draw};

/// The claims of the convex case, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    DEF_SIGMA,
    THM_4_2_CVX,
    THM_4_2_CVX_PRINTED_K,
    THM_4_2_CVX_MINIMISER,
    THM_4_2_CVX_MINIMISER_REPAIRED,
    THM_4_2_CVX_RATE,
    THM_4_2_CVX_RATE_BELOW_ONE,
];

/// `skgd-def-Sigma`. In coordinate j ∈ S: c_j²·p_j/M_j = 1/(p_jM_j).
pub const DEF_SIGMA: Claim = Claim {
    id: "skgd-def-Sigma",
    place: "§4.2, Theorem 4.2 and the display after it",
    kind: Kind::ExpectationBound,
    statement: "Σ_S² = E‖CL_S1‖²_{PM⁻¹} = E[L_S²‖I_S1‖²_{P⁻¹M⁻¹}]",
    hypotheses: "Assumption 3.1, M_j > 0",
    rests_on: &["skgd-def-3.2"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-cvx`, displays (i) to (iii), for every integer K ≥ 1.
pub const THM_4_2_CVX: Claim = Claim {
    id: "skgd-thm-4.2-cvx",
    place: "§4.2, Theorem 4.2, convex case; App. E.1",
    kind: Kind::ExpectationBound,
    statement: "T = 1: E[f(w^priv)−f*] ≤ R²/K + 12K·c·Σ_S²",
    hypotheses: "3.1, 3.3, 3.4, 3.6, 3.7, a minimiser, Γ = PM⁻¹, noise of Theorem 4.1; K an \
        integer ≥ 1 (the print leaves it real); c = log(1/δ)/(n²ε²); for its privacy see \
        skgd-thm-4.2-dp",
    rests_on: &["skgd-lem-E.1", "skgd-thm-4.1", "skgd-def-Sigma"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-cvx-printed-K`, display (iv). At K = R/b, b = Σ_S√c, both R²/K and K·b² are R·b.
pub const THM_4_2_CVX_PRINTED_K: Claim = Claim {
    id: "skgd-thm-4.2-cvx-printed-K",
    place: "§4.2, Theorem 4.2, convex case; App. E.1",
    kind: Kind::ExpectationBound,
    statement: "T = 1, K = R/(Σ_S√c): E[f(w^priv)−f*] ≤ 13·RΣ_S√c",
    hypotheses: "as skgd-thm-4.2-cvx; R/(Σ_S√c) is an integer ≥ 1",
    rests_on: &["skgd-thm-4.2-cvx"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-cvx-minimiser`: "to minimize the right-hand side we put K = R/(Σ_S√c)".
pub const THM_4_2_CVX_MINIMISER: Claim = Claim {
    id: "skgd-thm-4.2-cvx-minimiser",
    place: "App. E.1, last step",
    kind: Kind::PathwiseInequality,
    statement: "K = R/(Σ_S√c) minimises R²/K + 12K·c·Σ_S² over K > 0",
    hypotheses: "R, Σ_S, c > 0",
    check: |c| minimiser(c, ratio(1, 1), Some("skgd-thm-4.2-cvx-minimiser-repaired")),
    ..Claim::ALONE
};

/// `skgd-thm-4.2-cvx-minimiser-repaired`: K = R/(Σ_S√(12c)); the least value is 4√3·RΣ_S√c ≈ 6.93, the
/// printed K gives 13. The rate is unaffected.
pub const THM_4_2_CVX_MINIMISER_REPAIRED: Claim = Claim {
    id: "skgd-thm-4.2-cvx-minimiser-repaired",
    place: "App. E.1, last step with the factor √12",
    kind: Kind::PathwiseInequality,
    statement: "K = R/(Σ_S√(12c)) minimises R²/K + 12K·c·Σ_S² over K > 0; the value falls from 13 \
        to 4√3 times RΣ_S√c",
    hypotheses: "R, Σ_S, c > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// Whether K_0 with factor·K_0²·b² = R² minimises R²/K + 12K·b², by the identity
/// R²/K + 12Kb² − (R²/K_0 + 12K_0b²) = 12b²(K − K_0)²/K, which needs factor = 12.
fn minimiser(c: &Check, factor: Rational, repaired: Option<&'static str>) -> Verdict {
    let factor = Poly::from(c.constant("factor of c under the root of the minimiser", factor));
    let [k, k0, b] = ["K", "K_0", "Σ√c"].map(Poly::var);
    let r2 = factor * k0.square() * b.square();
    let value = |x: &Poly, inverse: &Poly| &r2 * inverse + 12 * x * b.square();
    let excess = value(&k, &Poly::power("K", -1)) - value(&k0, &Poly::power("K_0", -1));
    let square = 12 * b.square() * (&k - &k0).square() * Poly::power("K", -1);
    let positive = ["K", "K_0", "Σ√c", "R"];
    let steps = if excess == square {
        // At the printed K = R/b.
        let r = Poly::var("R");
        let printed =
            r.square() * Poly::power("R", -1) * &b + 12 * &r * Poly::power("Σ√c", -1) * b.square();
        Steps::new()
            .positive(&positive)
            .equal(
                "the excess over the value at K_0 is 12b²(K−K_0)²/K",
                &excess,
                &square,
            )
            .equal(
                "the square of the least value is 48R²b²",
                value(&k0, &Poly::power("K_0", -1)).square(),
                48 * &r2 * b.square(),
            )
            .equal("the value at the printed K is 13Rb", &printed, 13 * &r * &b)
    } else {
        draw_minimiser(c);
        Steps::new()
            .positive(&positive)
            .at_most("value at K_0 ≤ value at K", 0, &excess)
    };
    steps.repaired(repaired).proved_on("all K, R, Σ_S, c > 0")
}

/// The printed minimiser K_0 = R/(Σ_S√c) against another K, in units of Σ_S²c.
fn draw_minimiser(c: &Check) {
    let mut domain = Domain::new();
    let k0 = domain.real("K_0 = R/(Σ_S √c)", closed(ratio(1, 100)), closed(100));
    let k = domain.real("K", closed(ratio(1, 100)), closed(100));
    let value = |k: &Expr| k0.square() / k + 12 * k;
    let forall = Forall::le(domain, value(&k0), value(&k));
    let point = [ratio(1, 1), ratio(1, 2)];
    draw(c, "skgd-thm-4.2-cvx-minimiser", &forall, &point);
}

/// The bound at the printed K over its least value, (1 + 12)/(2√12).
#[must_use]
pub fn minimiser_cost() -> f64 {
    let value = |x: f64| 1.0 / x + 12.0 * x;
    value(1.0) / value(12f64.sqrt().recip())
}

/// `skgd-thm-4.2-cvx-rate`, with the constant 25: for K = ⌈K*⌉ with K* = R/(Σ_S√c) ≥ 1, that is
/// K* ≤ K ≤ 2K*, (iii) is at most 25·RΣ_S√c. For a fixed problem K* ≥ 1 as soon as nε is large enough.
pub const THM_4_2_CVX_RATE: Claim = Claim {
    id: "skgd-thm-4.2-cvx-rate",
    place: "§4.2, Theorem 4.2, convex case",
    kind: Kind::Rate,
    statement: "E[f(w^priv)−f*] = O(Σ_S·R·√log(1/δ)/(nε)); with constant 25 for K = ⌈K*⌉, K* = \
        nεR/(Σ_S√log(1/δ))",
    hypotheses: "as the convex case; K* ≥ 1, which every problem with R > 0 meets for large nε",
    rests_on: &["skgd-thm-4.2-cvx"],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-thm-4.2-cvx-rate-below-one`: one constant for all instances, K* < 1 included, with K
/// rounded up to 1. On a Huber loss of curvature M that is quadratic where |w − w*| ≤ L/M, one step
/// from any such w⁰ lands at w* − η/M: the risk does not depend on R, while the rate does.
pub const THM_4_2_CVX_RATE_BELOW_ONE: Claim = Claim {
    id: "skgd-thm-4.2-cvx-rate-below-one",
    place: "§4.2, Theorem 4.2, convex case",
    kind: Kind::Rate,
    statement: "E[f(w^priv)−f*] ≤ const·Σ_S·R·√log(1/δ)/(nε) for all instances, with K = ⌈K*⌉ also \
        where K* < 1",
    hypotheses: "as the convex case",
    check: thm_4_2_cvx_rate_uniform,
    ..Claim::ALONE
};

fn thm_4_2_cvx_rate_uniform(c: &Check) -> Verdict {
    let power = c.constant("power of R in the rate", 1);
    let [u, m] = ["u", "M"].map(Poly::var);
    // θ¹ − w* = u − (1/M)(Mu + η).
    let landed = &u - &Poly::power("M", -1) * (&m * &u + Poly::var("η"));
    let independent_of_start = landed == -(Poly::power("M", -1) * Poly::var("η"));
    if !independent_of_start || power <= 0 {
        return Verdict::open("the family does not separate the rate from the risk");
    }
    Verdict::refuted(
        "all records equal, Huber loss with slope L and curvature M, d = 1, S = {1}, R → 0: K* → \
            0, K = 1 and θ¹ − w* = −η/M whatever w⁰ is, so the risk is a positive constant while \
            the rate tends to 0",
        "exact algebra of the step; the law of η depends on L, n, ε, δ only",
        Some("skgd-thm-4.2-cvx-rate"),
    )
}
