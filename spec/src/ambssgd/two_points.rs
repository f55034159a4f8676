//! What no method can do, private or not: two values of w* that N records do not tell apart.
//!
//! In one dimension with E\[x²\] = 1 and z ~ N(0, σ²), the laws of N records at w* = −rσ/√N and at w* = rσ/√N overlap, for
//! given x, in 2Φ(−r‖x‖/√N), which is convex in ‖x‖²; by Jensen's inequality they overlap in at least 2Φ(−r). No estimate
//! is within rσ/√N of both values, so at one of them it is further away, and its excess risk at least ½r²σ²/N, with
//! probability at least Φ(−r). In d dimensions the same pair lies on one axis. ‖w*‖_H is the same at both, so it does not
//! help that a method may be told ‖w*‖_H and σ, as Algorithm 2 is through B.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 4] = [
    THM_1_1,
    THM_1_1_READING_SIZE,
    THM_1_1_READING_EXPECTATION,
    THM_3_7_READING_TAIL,
];

/// `ambssgd-thm-1.1`. A bound for an expectation, 8σ²d/N, is claimed with probability 1 − N^{−100}: see the
/// module. What holds with that probability has σ²(d + log N)/N at best.
pub const THM_1_1: Claim = Claim {
    id: "ambssgd-thm-1.1",
    place: "§1, Theorem 1.1 (informal)",
    kind: Kind::Rate,
    statement: "some (ε, δ)-DP method has L(w_priv)−L* ≤ 8σ²d/N + Õ(σ²d²/(ε²N²)) with probability \
        ≥ 1 − N^{−100} for every w*, if N ≥ d·log³d",
    hypotheses: "x ~ N(0, I), y = ⟨x,w*⟩ + z, z ~ N(0, σ²); any w*; Õ hides powers of log N",
    check: |c| two_points(c, "x ~ N(0, 1)"),
    ..Claim::ALONE
};

/// `ambssgd-thm-1.1-reading-size`. Theorem 3.7 asks for N ≥ Ω̃(d(1 + √log(1/δ)/ε)); here the second summand is gone. With d = σ = 1, ε = 1/N and
/// δ = N⁻² two data sets, all of whose N records differ, have P(A) ≤ e·P′(A) + e/N, and so have w* = −M and w* = M. With p the probability of w < 0
/// at w* = −M, the excess is at least M²/2 with probability 1 − p at w* = −M and (p − e/N)/e at w* = M: the larger is at least (1 − e/N)/(1 + e), for
/// p = 1 the second is (1 − e/N)/e. The bound and |w*| are the same at both, and the bound does not depend on M.
pub const THM_1_1_READING_SIZE: Claim = Claim {
    id: "ambssgd-thm-1.1-reading-size",
    place: "§1, Theorem 1.1 (informal) and paragraph 7: sample size",
    statement: "some (ε, δ)-DP method has L(w_priv)−L* ≤ 8σ²d/N + Õ(σ²d²/(ε²N²)) with probability \
        ≥ 3/4 for every w*, if N ≥ d·log³d, whatever ε is",
    hypotheses: "3/4 for the printed 1 − N^{−100}; x ~ N(0, I), y = ⟨x,w*⟩ + z, z ~ N(0, σ²); any \
        w*, replace-one, ε = O(1), δ = 1/poly(N); Õ hides powers of log N",
    check: |c| {
        let chance = c.constant("probability", ratio(3, 4));
        let e = Interval::from(1).exp();
        let kept = Interval::from(1) - &e / &Interval::from(10_000);
        // At w* = −M or at w* = M; at w* = M if at w* = −M the bound holds surely.
        let fails = &kept / &(Interval::from(1) + e.clone());
        let sure = &kept / &e;
        let allowed = Interval::from_rational(&(Rational::from(1) - chance));
        Argument::new(c)
            .repaired("ambssgd-thm-3.7-corrected-normal-run")
            .states_that("w* = −M and w* = M", !allowed.certainly_lt(&fails), || {
                format!(
                    "d = σ = 1, N = 10⁴, ε = 1/N, δ = N⁻²: at w* = −M or at w* = M the excess is \
                        at least M²/2 with probability at least {}, for every M and every method, \
                        even one that is told |w*| and σ; of one whose excess at w* = −M is surely \
                        less, with probability at least {} at w* = M",
                    fails.lo_digits(4),
                    sure.lo_digits(4)
                )
            })
            .open_for("one pair of values")
    },
    by_hand: &[
        "group privacy over N records, averaged over pairs of data sets",
        "the bound does not depend on M, and M²/2 exceeds it for M large",
    ],
    ..THM_1_1
};

/// `ambssgd-thm-1.1-reading-expectation`: what two values of w* do not refute.
pub const THM_1_1_READING_EXPECTATION: Claim = Claim {
    id: "ambssgd-thm-1.1-reading-expectation",
    place: "§1, Theorem 1.1 (informal), in expectation and with the sample size of Theorem 3.7",
    kind: Kind::ExpectationBound,
    statement: "some (ε, δ)-DP method has E[L(w_priv)]−L* ≤ 8σ²d/N + Õ(σ²d²/(ε²N²)) for every w*, \
        if N ≥ Ω̃(d(1+√log(1/δ)/ε))",
    hypotheses: "an expectation for the printed probability; x ~ N(0, I), y = ⟨x,w*⟩ + z, z ~ N(0, \
        σ²); any w*, of which the method may be told ‖w*‖; Õ and Ω̃ hide powers of log N and \
        log(1/δ) (footnote 1)",
    check: |_| {
        Verdict::open(
            "two values of w* do not refute an expectation: group privacy over N records tells \
                them apart for log(1/δ) of the order of Nε at least only, where the powers of \
                log(1/δ) that Ω̃ hides exclude N; \
                ambssgd-thm-3.7-corrected-normal-run bounds the risk with probability 1 − β; \
                missing: the expected risk where that bound fails, and the term in ‖w*‖",
        )
    },
    ..THM_1_1
};

/// `ambssgd-thm-3.7-reading-tail`: Theorem 3.7 with a tail assumption that laws satisfy. The term ‖w*‖²_H/N^{100} is
/// 25σ²/N^{101} at both values of w*, and the printed B is the same at both.
pub const THM_3_7_READING_TAIL: Claim = Claim {
    id: "ambssgd-thm-3.7-reading-tail",
    place: "§3.2, Theorem 3.7, with the repaired tail assumption",
    kind: Kind::HighProbability,
    statement: "L(w̄)−L* ≤ ‖w*‖²_H/N^{100} + 8σ²d/N + Õ(σ²κ²d²log(1/δ)/(ε²N²)) with probability ≥ \
        1 − N^{−100}",
    hypotheses: "(2'), (3') for x and z, printed parameters, N ≥ Ω̃(κ²d(1+√log(1/δ)/ε)); Õ hides \
        powers of log N",
    check: |c| two_points(c, "x = ±1, κ = 1"),
    ..Claim::ALONE
};

pub(super) fn two_points(c: &Check, records: &str) -> Verdict {
    let leading = c.constant("factor of σ²d/N", 8);
    let exponent = c.constant("exponent of N in the failure probability", 100);
    // In units of σ²/N: 4 for the Õ term, and ½ for the term in w*, which is far less.
    let excess = leading + ratio(9, 2);
    let r = Interval::from_rational(&(Rational::from(2) * &excess)).sqrt();
    let chance = (-&r).phi();
    // N^{−exponent} falls with N: at N = 2 it is largest.
    let allowed = (-Interval::from_rational(&exponent) * Interval::from(2).ln()).exp();
    Argument::new(c)
        .repaired("ambssgd-thm-3.7-corrected-normal-run")
        .states_that("two values of w*", !allowed.certainly_lt(&chance), || {
            format!(
                "d = 1, {records}, z ~ N(0, σ²), fixed ε, δ = N⁻², N so large that the Õ term is \
                    at most 4σ²/N: at w* = {:.1}σ/√N or at w* = −{:.1}σ/√N every method has an \
                    excess of at least {}·σ²/N with probability at least {:.3e}, where \
                    N^(−{exponent}) ≤ {:.3e} is claimed",
                r.lo_f64(),
                r.lo_f64(),
                excess.to_f64(),
                chance.lo_f64(),
                allowed.hi_f64()
            )
        })
        .open_for("one pair of values")
}

/// By how much 8σ²d/N falls short at d = 1, N = 60,000: the excess ½r²σ²/N that every method has with probability at
/// least N^{−100}, over 8σ²/N; r in steps of 1/10.
pub(crate) fn shortfall() -> f64 {
    let allowed = (-Interval::from(100) * Interval::from(60_000).ln()).exp();
    let reached = |tenths: i64| {
        let r = Interval::from_rational(&ratio(tenths, 10));
        allowed.certainly_lt(&(-r).phi())
    };
    let (mut lo, mut hi) = (0, 1024);
    while hi - lo > 1 {
        let middle = (lo + hi) / 2;
        if reached(middle) {
            lo = middle;
        } else {
            hi = middle;
        }
    }
    let r = lo as f64 / 10.0;
    r * r / 2.0 / 8.0
}
