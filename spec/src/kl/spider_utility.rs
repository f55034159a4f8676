//! Theorem 1, second part: the excess risk of Algorithm 1.

use crate::arith::{Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 5] = [
    THM_1,
    THM_1_RESTRICTED,
    THM_1_REPAIRED,
    THM_1_RATE,
    THM_1_F0MAX,
];

/// `kl-thm-1`. The bound tends to 0 as β′ → 1, the risk does not. κ = 2, d = γ = L₀ = L₁ = ρ = 1, F = ½w²,
/// F(w₀) − F* = F₀ with K = 1 (n²F₀ = e^{1/65}), so β′ = β. At most two steps of length at most √F₀/4 are made from
/// |w₀| = √2·√F₀: the risk is at least ½(√2 − ½)²F₀, the bound C²log(1/β)/n². For every C there is such a β < 1.
/// (The print also leaves K real, K < 1 included, and w_{k,−1} undefined: `kl-alg-1`.)
pub const THM_1: Claim = Claim {
    id: "kl-thm-1",
    place: "Sec. 3, Theorem 1, second part",
    kind: Kind::HighProbability,
    statement: "with probability ≥ 1 - β, F(w) - F(w*) ≤ (C γ L_0 √(d K log(1/β′))/(n √(ρ)))^κ for \
        the output w; the proof has C = 32",
    hypotheses: "γ > 0, 1 ≤ κ ≤ 2, β > 0; L_0-Lipschitz, L_1-smooth and (γ, κ)-KL* on the ball of \
        radius B about w_0; F(w_0) - F(w*) ≤ F_0 ≤ (γ L_0)^κ",
    check: |c| {
        let constant = c.constant("constant C", 32);
        // 1 − β = 1/(100(C² + 1)), and log(1/β) ≤ (1−β)/β.
        let square = Rational::from(&constant * &constant);
        let gap = ratio(1, 100) / (&square + Rational::from(1));
        let log_upper = gap.clone() / (Rational::from(1) - &gap);
        let bound = square * log_upper;
        let distance = ratio(7, 5) - ratio(1, 2);
        let risk = Rational::from(&distance * &distance) / 2;
        Argument::new(c)
            .repaired("kl-thm-1-repaired")
            .needs_that("7/5 < √(2)", ratio(49, 25) < 2)
            .states_that("risk against the bound, times n^2", risk <= bound, || {
                format!(
                    "κ = 2, d = γ = L_0 = L_1 = ρ = K = 1, F = w^2/2, 1 - β = {gap}: risk ≥ \
                        {risk}/n^2 surely, bound ≤ {bound}/n^2; ratio unbounded as β → 1"
                )
            })
            .open_for("compared near β = 1 only")
    },
    ..Claim::ALONE
};

/// `kl-thm-1-repaired`. On the event of `kl-lem-2-repaired` (noise and error ×3/2): floor ≤ F₀, the phases lead to
/// max{c^{−K}F₀, floor} = floor. Floor > F₀: all targets are F₀; let p = floor^{1/κ}/γ, so errors are ≤ p/8 and a step
/// changes the gradient by ≤ p/4. A step increases F only if ‖∇F‖ < 2·p/8 + p/8, and then ‖∇F‖ < 5p/8 after it: the risk,
/// once ≤ floor, stays there.
pub const THM_1_REPAIRED: Claim = Claim {
    id: "kl-thm-1-repaired",
    statement: "with σ_hat, σ_k times 3/2, 48 for 32 in line 6 and the repairs of \
        kl-alg-1-repaired, Algorithm 1 is ρ-zCDP, and with probability ≥ 1 - β, its output has \
        excess risk ≤ (48 γ L_0 √(d K log(1/β′))/(n √(ρ)))^κ, or ≤ (γ L_0 √(d)/(n √(ρ)))^κ if it \
        returns w_0 at once",
    hypotheses: "β ≤ 1/3; regularity and KL* on the ball of radius 2 K F_0^{1/κ}/(4 γ L_1) about \
        w_0; else as printed",
    rests_on: &[
        "kl-alg-1-repaired",
        "kl-lem-1-repaired",
        "kl-lem-2-repaired",
        "kl-thm-1-phase-repaired",
        "kl-thm-1-K-repaired",
        "kl-thm-1-priv-repaired",
        "kl-fact-F0",
    ],
    check: thm_1_repaired,
    by_hand: &[
        "on the event of kl-lem-2-repaired the phases lead to the floor (induction over the \
            rounds)",
        "floor above F₀: a step raises F only below 3p/8, and then the gradient stays below 5p/8, \
            so the risk stays below the floor",
        "privacy from kl-thm-1-priv-repaired by composition",
    ],
    ..THM_1
};

/// `kl-thm-1-restricted`, with the printed noise, line 6 and carry, as `kl-thm-1-repaired`: floor ≤ F₀ costs the factor (5/4)^κ of
/// `kl-thm-1-phase-reading-carry`; else every iterate stays below the floor, the carried one too.
pub const THM_1_RESTRICTED: Claim = Claim {
    id: "kl-thm-1-restricted",
    statement: "with probability ≥ 1 - β, F(w) - F(w*) ≤ (40 γ L_0 √(d K log(1/β′))/(n √(ρ)))^κ \
        for the output w, or ≤ (γ L_0 √(d)/(n √(ρ)))^κ if K ≤ 0 and w_0 is returned",
    hypotheses: "β ≤ 1/3, K rounded up, w_{k,-1} = w_{k,0}; regularity and KL* on the ball of \
        radius 2 K F_0^{1/κ}/(4 γ L_1) about w_0; else as printed",
    rests_on: &[
        "kl-lem-1-repaired",
        "kl-lem-2-repaired",
        "kl-thm-1-phase-reading-carry",
        "kl-thm-1-K-repaired",
        "kl-fact-F0",
    ],
    check: |c| {
        let constant = c.constant("constant C", 40);
        errors_are_small(c, &Rational::from(1), &Rational::from(32))
            .needs_that("32 times 5/4", constant >= 32 * ratio(5, 4))
            .proved_on("all 1 ≤ κ ≤ 2, 0 < β ≤ 1/3, positive inputs, all d, n")
    },
    by_hand: &[
        "on the event of kl-lem-2-repaired the phases lead to the floor (induction over the \
            rounds)",
        "floor above F₀: a step raises F only below 3p/8, and then the gradient stays below 5p/8, \
            so the risk stays below the floor",
    ],
    ..THM_1
};

/// That the errors, and what a rising step leaves, are below the floor of line 6 with constant `floor`, for `noise` times
/// the printed noise.
fn errors_are_small<'a>(check: &'a Check, noise: &Rational, floor: &Rational) -> Argument<'a> {
    // In units of p: the error, and what a step adds to the gradient.
    let error = Rational::from(noise * 4) / floor;
    let step = ratio(1, 4);
    let rising = Rational::from(&error * 2) + ratio(1, 2) * &step;
    Argument::new(check)
        .needs_that(
            "errors are at most an eighth of the floor's root over γ",
            error <= ratio(1, 8),
        )
        .needs_that(
            "the gradient after a rising step is below the floor's root over γ",
            rising + step < 1,
        )
}

fn thm_1_repaired(check: &Check) -> Verdict {
    let noise = check.constant("noise in units of the printed one", ratio(3, 2));
    let floor = check.constant("constant of line 6", 48);
    errors_are_small(check, &noise, &floor)
        .needs_that(
            "9/4 of the budget over the squared noise",
            ratio(9, 4) <= Rational::from(&noise * &noise),
        )
        .note("constant ratio 3/2, from the noise ratio of kl-thm-1-priv-repaired")
        .proved_on("all 1 ≤ κ ≤ 2, 0 < β ≤ 1/3, positive inputs, all d, n")
}

/// `kl-thm-1-rate`: K of line 3 rounded up is at most 64(1 + a)(1 + M), a = (1/F₀)^{(2−κ)/κ}γ²L₁, M the bracket. So the
/// bound of `kl-thm-1-repaired` is at most (384γL₀√(d(1+a)(1+M)log(1/β′))/(n√ρ))^κ, and M and log(1/β′) are logarithms.
pub const THM_1_RATE: Claim = Claim {
    id: "kl-thm-1-rate",
    kind: Kind::Rate,
    statement: "the bound is Õ((γ L_0 √(d) √(1 + (1/F_0)^{(2-κ)/κ} γ^2 L_1)/(n √(ρ)))^κ)",
    hypotheses: "as kl-thm-1-repaired; Õ hides the bracket of K and log(1/β′)",
    rests_on: &["kl-thm-1-repaired"],
    check: by_kernel,
    by_hand: &[],
    ..THM_1
};

/// `kl-thm-1-F0max`, in logarithms.
pub const THM_1_F0MAX: Claim = Claim {
    id: "kl-thm-1-F0max",
    place: "Sec. 3, after Theorem 1",
    kind: Kind::Rate,
    statement: "for F_0 = (L_0 γ)^κ, (1/F_0)^{(2-κ)/κ} γ^2 L_1 = γ^κ L_1/L_0^{2-κ}",
    hypotheses: "γ, L_0, L_1 > 0, 1 ≤ κ ≤ 2",
    check: by_kernel,
    ..Claim::ALONE
};
