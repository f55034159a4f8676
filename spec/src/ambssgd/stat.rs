//! Lemma 3.10: DP-STAT.
//!
//! m = ⌈log_2(B/Δ)⌉; the loop i = 0, …, m has m + 1 passes, each with noise variance mα²; s + 1 samples.

use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    LEM_3_10_SENS,
    LEM_3_10_PRIV,
    LEM_3_10_PRIV_READING_EXHAUSTED,
    LEM_3_10_PRIV_PROOF,
    LEM_3_10_PRIV_PROOF_REPAIRED,
    LEM_3_10_UTIL,
    LEM_3_10_UTIL_REPAIRED,
];

/// `ambssgd-lem-3.10-sens`. A replaced sample changes one summand of the count, each 0 or 1; the pair
/// W3 (residual 0 against a residual above every level) attains 1 at every level.
pub const LEM_3_10_SENS: Claim = Claim {
    id: "ambssgd-lem-3.10-sens",
    place: "App. B.1.1, proof of Lemma 3.10",
    kind: Kind::Sensitivity,
    statement: "each count of DP-STAT has sensitivity one",
    hypotheses: "replace-one, fixed w and threshold",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-3.10-priv`, for the returned γ_priv = γ_i, i being the last value of the loop variable.
/// The comparison of pass m then does not influence the output: broken or not, γ_m is returned. The
/// output is a function of the m noisy counts of the passes 0, …, m − 1. (The proof counts "at most m"
/// computations; the loop makes m + 1.)
pub const LEM_3_10_PRIV: Claim = Claim {
    id: "ambssgd-lem-3.10-priv",
    place: "§3.2, Lemma 3.10 (Privacy), proof in App. B.1.1",
    kind: Kind::MechanismPrivacy,
    statement: "DP-STAT, releasing γ_priv, is 1/(2α²)-zCDP",
    hypotheses: "replace-one, arbitrary data, m ≥ 1; on exhaustion γ_m is returned",
    rests_on: &[
        "ambssgd-lem-3.10-sens",
        "skgd-lem-D.3",
        "skgd-prop-D.6",
        "skgd-lem-merging",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-lem-3.10-priv-reading-exhausted`: on exhaustion γ_{m+1}, the last γ computed, is returned.
/// All m + 1 comparisons then matter. At m = 1, α = 1/5 and order 3/2 the event "no break" alone
/// violates the bound: the counts s + 1 against s make it Φ(−5)² against (1/2)².
pub const LEM_3_10_PRIV_READING_EXHAUSTED: Claim = Claim {
    id: "ambssgd-lem-3.10-priv-reading-exhausted",
    place: "§3.2, Lemma 3.10 (Privacy) with Algorithm 3, line 7",
    kind: Kind::MechanismPrivacy,
    statement: "DP-STAT, releasing γ_{m+1} on exhaustion, is 1/(2α²)-zCDP",
    hypotheses: "replace-one, m ≥ 1",
    check: reading_exhausted,
    ..Claim::ALONE
};

fn reading_exhausted(c: &Check) -> Verdict {
    let factor = c.constant("factor of 1/α²", ratio(1, 2));
    let (inverse_alpha, order) = (Interval::from(5), Interval::from_rational(&ratio(3, 2)));
    // ln(Q^order·P^(1−order))/(order − 1) is at most the divergence of the two outputs.
    let log_q = Interval::from(2) * Interval::from_rational(&ratio(1, 2)).ln();
    let log_p = Interval::from(2) * (-inverse_alpha.clone()).phi().ln();
    let less = &order - &Interval::from(1);
    let divergence = (&order * &log_q - &less * &log_p) / &less;
    let allowed = Interval::from_rational(&factor) * inverse_alpha.square() * order;
    Argument::new(c)
        .repaired("ambssgd-lem-3.10-priv")
        .states_that("order 3/2", !allowed.certainly_lt(&divergence), || {
            format!(
                "m = 1, α = 1/5, counts s + 1 against s at both levels: D_{{3/2}} ≥ {}, allowed {}",
                divergence.lo_f64(),
                allowed.hi_f64()
            )
        })
        .open_for("one order and one pair of count vectors")
}

/// `ambssgd-lem-3.10-priv-proof`: all noisy counts are released. On the pair W3 the
/// Kullback–Leibler divergence, the limit of D_α as α → 1, is (1/(2mα²))·E\[number of passes\], and with
/// s far above the counts all m + 1 passes are made.
pub const LEM_3_10_PRIV_PROOF: Claim = Claim {
    id: "ambssgd-lem-3.10-priv-proof",
    place: "§3.2, Lemma 3.10 (Privacy), for the noisy counts",
    kind: Kind::MechanismPrivacy,
    statement: "DP-STAT, releasing all noisy counts, is 1/(2α²)-zCDP",
    hypotheses: "replace-one, m ≥ 1",
    check: transcript,
    ..Claim::ALONE
};

fn transcript(c: &Check) -> Verdict {
    let factor = c.constant("factor of 1/α²", ratio(1, 2));
    // m = 1, α = 1, s = 100, counts 1 against 0 at both levels.
    let second_pass = Interval::from(99).phi();
    let divergence = Interval::from_rational(&ratio(1, 2)) * (Interval::from(1) + second_pass);
    let allowed = Interval::from_rational(&factor);
    Argument::new(c)
        .repaired("ambssgd-lem-3.10-priv-proof-repaired")
        .states_that("order → 1", !allowed.certainly_lt(&divergence), || {
            format!(
                "m = 1, α = 1, s = 100, counts 1 against 0 at both levels: D_1 ≥ {}, allowed \
                    {factor}",
                divergence.lo_f64()
            )
        })
        .open_for("one pair of count vectors")
}

/// `ambssgd-lem-3.10-priv-proof-repaired`: (m+1)/(2mα²). The printed budget needs noise
/// variance (m+1)α², a factor √((m+1)/m) ≤ √2 in standard deviation, and no less as s grows.
pub const LEM_3_10_PRIV_PROOF_REPAIRED: Claim = Claim {
    id: "ambssgd-lem-3.10-priv-proof-repaired",
    place: "§3.2, Lemma 3.10 (Privacy), for the noisy counts",
    kind: Kind::MechanismPrivacy,
    statement: "DP-STAT, releasing all noisy counts, is (m+1)/(2mα²)-zCDP",
    hypotheses: "replace-one, m ≥ 1",
    rests_on: &["ambssgd-lem-3.10-sens", "skgd-lem-D.3", "skgd-prop-D.6"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-lem-3.10-util`. If every residual is 0, each count is s + 1, so that (U2), a count below
/// s − Γ, has probability 0. (If every residual exceeds 2^mΔ, (U1) fails for Γ < s.)
pub const LEM_3_10_UTIL: Claim = Claim {
    id: "ambssgd-lem-3.10-util",
    place: "§3.2, Lemma 3.10 (Utility), proof in App. B.1.1",
    kind: Kind::HighProbability,
    statement: "with probability ≥ 1 − β: (U1) count(γ_priv) ≥ s − Γ and (U2) count(max{γ_priv/2, \
        Δ}) < s − Γ, Γ = α√(2·log(B/Δ)·log(log(B/Δ)/β))",
    hypotheses: "none beyond the inputs",
    by_hand: &[
        "if all residuals are 0, each of the records 0, …, s counts at every level, so that the \
            count of (U2) is s + 1 whatever the noise, and (U2) fails with probability one",
    ],
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-3.10-util-repaired`, of Algorithm 3 with the threshold s − Γ'. Γ' has the m + 1 passes and both signs of the
/// noise in its union bound: (m+1)·2Φ̄(x) ≤ (m+1)e^{−x²/2} = β at x = √(2·log((m+1)/β)). With the printed threshold s, all
/// but one of the samples, (U2) becomes count < s + Γ', which says nothing for Γ' ≥ 1.
pub const LEM_3_10_UTIL_REPAIRED: Claim = Claim {
    id: "ambssgd-lem-3.10-util-repaired",
    place: "§3.2, Lemma 3.10 (Utility), for Algorithm 3 with the threshold s − Γ'",
    kind: Kind::HighProbability,
    statement: "with probability ≥ 1 − β: (a) count(γ_priv) ≥ s − 2Γ' if count(γ_m) ≥ s, (b) \
        count(γ_priv/2) < s if γ_priv > Δ, so (c) γ_priv < 2·max{residuals, Δ}; Γ' = \
        α√(2m·log((m+1)/β))",
    hypotheses: "m ≥ 1, β in (0, 1)",
    rests_on: &["ambssgd-alg-3-repaired"],
    by_hand: &[
        "|noise| ≤ Γ' in all m + 1 passes with probability ≥ 1 − β: union bound, 2Φ̄(x) ≤ \
            e^{−x²/2}",
        "a break at γ_priv means c + noise ≥ s − Γ', and none at γ_priv/2 means c + noise < s − \
            Γ'; on exhaustion (a) is its hypothesis",
        "(c) from (b): fewer than s of the s + 1 residuals are at most γ_priv/2, so some residual \
            exceeds it",
    ],
    check: lem_3_10_util_repaired,
};

pub(super) fn lem_3_10_util_repaired(c: &Check) -> Verdict {
    let lower = Poly::from(c.constant("coefficient of Γ' in (a)", 2));
    let threshold = Poly::from(c.constant("s minus the threshold, in units of Γ'", 1));
    let exponent = c.constant("factor of m·log((m+1)/β)", 2);
    let [s, gamma] = ["s", "Γ'"].map(Poly::var);
    // A break: c = threshold − noise + e with noise = Γ' − f. No break: c = threshold − noise − e with noise = f − Γ'.
    let at = &s - threshold * &gamma;
    let broken = &at - (&gamma - Poly::var("f")) + Poly::var("e");
    let unbroken = &at - (Poly::var("f") - &gamma) - Poly::var("e");
    let steps = Steps::new()
        .positive(&["s", "Γ'", "e", "f"])
        .at_most("(a)", &s - lower * &gamma, &broken)
        .at_most("(b)", &unbroken, &s);
    match steps.proved_on("all m ≥ 1, α, β, s, data") {
        Verdict::Proved(_) if exponent < 2 => Verdict::open("the union bound needs the factor 2"),
        other => other,
    }
}
