//! Proof of Theorem 3.7: what DP-STAT is said to give for the clipping threshold.
//!
//! The counterexamples use bounded designs, which satisfy the repaired tail assumption. With all residuals
//! of a block equal to r, every count is 0 below r and s + 1 from r on, and a level from r on breaks the
//! loop with probability P(N(0,1) ≥ −1/(α√m)), between ½ and 1.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    GAMMA_LOWER,
    GAMMA_LOWER_REPAIRED,
    NO_CLIP,
    NO_CLIP_REPAIRED,
    GAMMA_UPPER,
    GAMMA_UPPER_REPAIRED,
];

/// `ambssgd-p3.9-gamma-lower`. For x = (±1, ±1/10), z = ±1/1000, w_t − w* = 10e_2 no residual exceeds 1.001, and
/// ‖w_t − w*‖_H = 1, κ = 100: with probability at least ½ the loop ends below 2.002 or earlier,
/// while the claim is γ_t² ≥ 100.
pub const GAMMA_LOWER: Claim = Claim {
    id: "ambssgd-p3.9-gamma-lower",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "κ‖w_t−w*‖²_H + σ² ≤ γ_t² with probability ≥ 1 − N^{−200}, as s − Γ points satisfy \
        |⟨x_i,w_t⟩−y_i| ≤ γ_t",
    hypotheses: "Theorem 3.7, with the repaired tail assumption",
    check: gamma_lower,
    ..Claim::ALONE
};

fn gamma_lower(c: &Check) -> Verdict {
    let kappa = c.constant("factor of κ‖w_t−w*‖²_H", 1) * 100_u32;
    let sample = [ratio(1, 1), ratio(1, 10)];
    let residual: Rational = sample[1].clone() * 10_u32 + ratio(1, 1000);
    let norm_h = ratio(1, 100) * 100_u32;
    let largest = Rational::from(4) * residual.clone() * residual;
    let needed = kappa * norm_h;
    Argument::new(c)
        .repaired("ambssgd-p3.9-gamma-lower-repaired")
        .states_that("x = (±1, ±1/10)", needed <= largest, || {
            format!(
                "x = (±1, ±1/10), z = ±1/1000, w_t − w* = 10·e_2: with probability ≥ ½, γ_t² < \
                    {largest}, but κ‖w_t−w*‖²_H = {needed}"
            )
        })
        .open_for("one law")
}

/// `ambssgd-p3.9-gamma-lower-repaired`: only the count follows, not the comparison with the norm.
pub const GAMMA_LOWER_REPAIRED: Claim = Claim {
    id: "ambssgd-p3.9-gamma-lower-repaired",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "with the threshold s − Γ' at least s − 2Γ' of the s + 1 residuals are at most γ_t, \
        with probability ≥ 1 − β",
    hypotheses: "at least s residuals within γ_m",
    rests_on: &["ambssgd-lem-3.10-util-repaired"],
    by_hand: &["this is (a) of ambssgd-lem-3.10-util-repaired"],
    check: super::stat::lem_3_10_util_repaired,
};

/// `ambssgd-p3.9-noclip`: ζ_t has one factor log^aN, for ‖x‖, but the residual of a fresh record exceeds γ_t
/// by another. With N = 11,000, b = 1000, s = 100 (T = 10), d = 1, a = ½, K_2² = 8/3, x = 5 with probability
/// q = 10⁻⁸ and else 1, z = ±σ with σ = |w_t−w*|/1000: x satisfies the repaired tail assumption; with probability at least
/// ½(1−(s+1)q), γ_t < 2.002·|w_t−w*|, and a record x = 5 of the batch then has a gradient of at least 24.99·|w_t−w*|, more
/// than ζ_t = R_xγ_t√log N.
pub const NO_CLIP: Claim = Claim {
    id: "ambssgd-p3.9-noclip",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "with ζ_t = R_xγ_tlog^aN no gradient of any batch is clipped, with probability ≥ 1 \
        − N^{−199}",
    hypotheses: "Theorem 3.7, with the repaired tail assumption",
    check: no_clip,
    ..Claim::ALONE
};

fn no_clip(c: &Check) -> Verdict {
    let factor = c.constant("factor of R_xγ_tlog^aN", 1);
    let i = Interval::from_rational;
    let (q, x2) = (ratio(1, 100_000_000), Rational::from(25));
    let second: Rational = Rational::from(1) + q.clone() * (x2.clone() - 1);
    let fourth: Rational = Rational::from(1) + q.clone() * (x2.clone() * &x2 - 1);
    // (3'): q·exp(25·3/(8h)) + exp(3/(8h)) ≤ 2 with h = E x².
    let scale = ratio(3, 8) / second.clone();
    let moment = i(&q) * i(&(scale.clone() * &x2)).exp() + i(&scale).exp();
    let tail_holds = moment.certainly_le(&Interval::from(2));
    // ζ_t/|w_t − w*| < factor·R_x·2·√log N.
    let rx = (i(&fourth) / i(&second)).sqrt();
    let largest = i(&factor) * rx * i(&ratio(2002, 1000)) * Interval::from(11_000).ln().sqrt();
    let gradient: Rational = x2 - ratio(5, 1000);
    // ½·(1 − 101q)·(999q − (999q)²) against N^{−199}.
    let rare = Rational::from(999) * &q;
    let chance = ratio(1, 2)
        * (Rational::from(1) - Rational::from(101) * &q)
        * (rare.clone() - rare.clone() * &rare);
    let allowed: Rational = rug::ops::Pow::pow(ratio(1, 11_000), 199);
    let clipped = tail_holds && largest.certainly_lt(&i(&gradient)) && chance > allowed;
    Argument::new(c)
        .repaired("ambssgd-p3.9-noclip-repaired")
        .states_that("a rare record", !clipped, || {
            format!(
                "N = 11,000, b = 1000, s = 100, x = 5 with probability 10⁻⁸, else 1, z = \
                    ±|w_t−w*|/1000: a gradient of at least {:.3}|w_t−w*| is clipped at less than \
                    {:.3}|w_t−w*| with probability at least {:e}",
                gradient.to_f64(),
                largest.hi_f64(),
                chance.to_f64()
            )
        })
        .open_for("one law")
}

/// `ambssgd-p3.9-noclip-repaired`: if γ_t reaches √‖H‖‖w_t−w*‖ + σ, then K_2²L^{2a} in place of log^aN does.
pub const NO_CLIP_REPAIRED: Claim = Claim {
    id: "ambssgd-p3.9-noclip-repaired",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "with ζ_t = K_2²L^{2a}R_xγ_t and γ_t ≥ √‖H‖‖w_t−w*‖ + σ a fresh gradient is not \
        clipped, with probability ≥ 1 − 3β, L = log(2/β)",
    hypotheses: "as ambssgd-eq-11-repaired; w_t and γ_t given, and independent of the record \
        (record τ + s, which DP-STAT reads too, left out of the batch)",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-p3.9-gamma-upper`, at ε = 1, δ = N⁻². With x = ±1, z = ±1/1000, |w_t−w*| = 1 no residual is below 0.999 or above
/// 1.001; a level from the first γ_i ≥ 0.999 on fails to break if the noise is below −1, so that three fail, and
/// γ_t ≥ 7.992, with probability Φ(−1/(α√m))³, nearly 1/8, as a level below breaks only if the noise reaches s ≥ 100·α√m.
pub const GAMMA_UPPER: Claim = Claim {
    id: "ambssgd-p3.9-gamma-upper",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "γ_t ≤ K_2log^aN(√κ‖w_t−w*‖_H + σ + Δ) with probability ≥ 1 − N^{−199}",
    hypotheses: "Theorem 3.7, with the repaired tail assumption",
    check: gamma_upper,
    ..Claim::ALONE
};

fn gamma_upper(c: &Check) -> Verdict {
    let factor = c.constant("factor of K_2log^aN", 1);
    let i = Interval::from_rational;
    // T = 10, s = 111,000, b = 10s; a = 1/2, K_2² = 8/3; Δ < 1/1000.
    let samples = 111_000;
    let log = Interval::from(110 * samples).ln();
    let bound = i(&factor) * (i(&ratio(8, 3)) * &log).sqrt() * i(&ratio(1002, 1000));
    // α²m with α² = 8·log(1/δ)/ε² and m ≤ 200·log_2 N + 1.
    let levels = Interval::from(200) * &log / Interval::from(2).ln() + Interval::from(1);
    let noise = (Interval::from(16) * &log * &levels).sqrt();
    // No break at three levels from 0.999 on; no break at the levels below, by a union bound.
    let three = (-(Interval::from(1) / &noise)).phi().powi(3);
    let early = levels * (-(Interval::from(samples) / &noise)).phi();
    let chance = three - early;
    let allowed: Rational = rug::ops::Pow::pow(ratio(1, 12_210_000), 199);
    let exceeds = bound.certainly_lt(&i(&ratio(7992, 1000))) && i(&allowed).certainly_lt(&chance);
    Argument::new(c)
        .repaired("ambssgd-p3.9-gamma-upper-repaired")
        .states_that("all residuals close to 1", !exceeds, || {
            format!(
                "x = ±1, z = ±1/1000, |w_t−w*| = 1, N = 12,210,000, s = 111,000, ε = 1, δ = N⁻²: \
                    γ_t ≥ 7.992 with probability at least {:.4}, the bound is below {:.3}",
                chance.lo_digits(4),
                bound.hi_digits(3)
            )
        })
        .open_for("one law")
}

/// `ambssgd-p3.9-gamma-upper-repaired`: if all residuals are at most r ≥ Δ, each level from the first
/// γ_i ≥ r (which is below 2r) on breaks with probability at least ½.
pub const GAMMA_UPPER_REPAIRED: Claim = Claim {
    id: "ambssgd-p3.9-gamma-upper-repaired",
    place: "§3.2, proof of Theorem 3.7",
    kind: Kind::HighProbability,
    statement: "γ_t < 2^{k+1}·r with probability ≥ 1 − 2^{−k}, if all s + 1 residuals are at most \
        r ≥ Δ",
    hypotheses: "arbitrary data, k ≥ 0",
    rests_on: &[],
    by_hand: &[
        "each level from the first γ_i ≥ r on has the count s + 1 and breaks with probability at \
            least ½, by symmetry",
        "the noises of the levels are independent",
    ],
    check: gamma_upper_repaired,
};

fn gamma_upper_repaired(c: &Check) -> Verdict {
    let failure = c.constant("probability that a level does not break", ratio(1, 2));
    // P(noise < −1) = Φ(−1/(α√m)) < ½; at α√m = 10 it is Φ(−1/10).
    let at_ten = Interval::from_rational(&ratio(-1, 10)).phi();
    let bound = Interval::from_rational(&failure);
    Argument::new(c)
        .states_that("α√m = 10", !bound.certainly_lt(&at_ten), || {
            format!(
                "α√m = 10: a level does not break with probability {at_ten}, more than {failure}"
            )
        })
        .needs_that(
            "½ suffices for every α√m, by symmetry of the noise",
            failure >= ratio(1, 2),
        )
        .proved_on("all α, m, s, data with residuals at most r, k ≥ 0")
}
