//! Appendix B: Lemma 7, the descent of the average model.

use crate::arith::Poly;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::steps::{Algebra, frac, inv, v};
use crate::prove::Argument;

/// The claims about the descent, in the paper's order.
pub(super) const CLAIMS: [Claim; 2] = [LEM_7, LEM_7_PROOF];

/// `decor-lem-7`. With G = ‖∇L(x̄)‖², m = mean ∇L_i(x_i), X = (1/n)Σ‖x_i − x̄‖²: by smoothness
/// (`decor-aux-smooth`) and x̄⁺ = x̄ − η(mean of the stochastic gradients and private noise)
/// (`decor-fact-cancel`), E L(x̄⁺) ≤ L(x̄) − η⟨∇L(x̄), m⟩ + (L/2)η²E‖·‖². The inner product is
/// (‖m − ∇L(x̄)‖² − G − ‖m‖²)/(−2), ‖m − ∇L(x̄)‖² ≤ L²X (Jensen, smoothness); independent centred
/// noise adds variances, Ψ ≤ σ_*² + (M/n)Σ‖∇L(x_i)‖² ≤ σ_*² + 2M(L²X + G). The noise term is attained
/// by L x²/2 with all users at 0.
pub const LEM_7: Claim = Claim {
    id: "decor-lem-7",
    place: "App. B, Lemma 7",
    kind: Kind::ExpectationBound,
    statement: "E[L(x̄⁺) − L(x̄)] ≤ −(η/4)E‖∇L(x̄)‖² + (3ηL²/4)Ξ + (Lη²/2)(σ_*² + dσ_cdp²)/n",
    hypotheses: "Assumptions 1, 3, W a mixing matrix, unbiased independent samples, no clipping, η \
        ≤ min{1, n/(2M)}/(2L)",
    rests_on: &["decor-aux-smooth", "decor-fact-cancel"],
    by_hand: &[
        "decor-aux-smooth along x̄⁺ − x̄",
        "‖m − ∇L(x̄)‖² ≤ L²Ξ by Jensen's inequality",
        "independent centred noises add variances, and Assumption 3 bounds that of the samples",
    ],
    check: lem_7,
};

fn lem_7(c: &Check) -> Verdict {
    let gradient = Poly::from(c.constant("factor of η‖∇L‖²", frac(1, 4)));
    let spread = Poly::from(c.constant("factor of ηL²Ξ", frac(3, 4)));
    let noise = Poly::from(c.constant("factor of Lη²(σ_*² + dσ_cdp²)/n", frac(1, 2)));
    let half = Poly::from(frac(1, 2));
    let [eta, l, m, q] = ["η", "L", "M", "Q"].map(Poly::var);
    let [g, mean, x] = ["G", "‖m‖²", "X"].map(Poly::var);
    let inner = &half * &eta * (l.square() * &x - &g - &mean);
    let second = (&q + 2 * &m * (l.square() * &x + &g)) * inv("n") + &mean;
    let combined = inner + &half * &l * eta.square() * second;
    let load = 2 * &m * &l * &eta * inv("n");
    let printed = 0 - &half * &eta * (1 - &load) * &g - &half * &eta * (1 - &l * &eta) * &mean
        + &half * &eta * l.square() * (1 + load) * &x
        + &half * &l * eta.square() * &q * inv("n");
    // η ≤ 1/(2L): Lη = 1/2 − a; η ≤ n/(4LM): 2MLη/n = 1/2 − b. Over η and without the noise term.
    let (rate, load) = (frac(1, 2) - v("a"), frac(1, 2) - v("b"));
    // At Lη = 1/2 − a the factor of ‖m‖² is 1 − Lη ≥ 1/2, kept below as 1/2 + a.
    let left = 0 - &half * (1 - &load) * &g - &half * (1 - rate) * &mean
        + &half * l.square() * (1 + load) * &x;
    let right = spread * l.square() * &x - gradient * &g;
    Argument::new(c)
        .positive(&["L", "η", "Q", "n", "a", "b", "G", "‖m‖²", "X"])
        .states_at_most(
            "L x²/2 with all users at 0: E L(x̄⁺) = (L/2)η²Q/n",
            &half * &l * eta.square() * &q * inv("n"),
            noise * &l * eta.square() * &q * inv("n"),
        )
        .needs_equal("the printed intermediate bound", &combined, &printed)
        .needs_at_most("under η ≤ min{1, n/(2M)}/(2L)", &left, &right)
        .needs_equal(
            "−2⟨u, w⟩ = ‖u − w‖² − ‖u‖² − ‖w‖²",
            0 - 2 * v("u") * v("w"),
            (v("u") - v("w")).square() - v("u").square() - v("w").square(),
        )
        .note("smoothness, Jensen and the addition of variances as in the doc comment")
        .proved_on("all n, d, L > 0, M ≥ 0, all graphs, σ_cor and mixing matrices; unclipped steps")
}

/// `decor-lem-7-proof`. Display (34) multiplies (L/2)η² with E‖x̄⁺ − x̄‖², which has a factor η²
/// itself; the following lines use ‖(x̄⁺ − x̄)/η‖². All users have the loss Lx²/2 without gradient
/// noise, and stand at 0: x̄⁺ − x̄ is the mean noise, of variance B = η²σ²/n, and E L(x̄⁺) = LB/2.
pub const LEM_7_PROOF: Claim = Claim {
    id: "decor-lem-7-proof",
    place: "App. B.4, eq. (34)",
    kind: Kind::ExpectationBound,
    statement: "E L(x̄⁺) ≤ L(x̄) + E⟨∇L(x̄), x̄⁺ − x̄⟩ + (L/2)η²E‖x̄⁺ − x̄‖²",
    hypotheses: "as Lemma 7",
    check: by_kernel,
    ..Claim::ALONE
};
