//! What the lower bounds rest on: a private estimate of a mean of signs is off by a constant per coordinate.
//!
//! The printed proofs cite this (Bassily, Smith, Thakurta 2014, Lemma 5.1, for δ = o(1/n)); here it is shown with explicit
//! constants for all δ < 1/n, by the fingerprinting lemma of Steinke and Ullman.

use crate::arith::{Interval, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::prove::{Argument, Domain, Expr, Forall, closed, infinite, open, symbols};

/// The claims of this part.
pub(super) const CLAIMS: [Claim; 3] = [RED_FINGERPRINT, RED_TRACE, RED_MEAN];

/// `kl-red-fingerprint`. Let g(p) = E_p\[f\] and s = Σ(X_i − P). With k of N signs +1 the probability of the signs has
/// logarithmic derivative s/(1 − p²), so (1−p²)g′(p) = E_p\[fs\]; integrated by parts over \[−1, 1\] (1 − p² vanishes at the
/// ends) E\[fs\] = 2E\[Pf\]. As X̄ = P + s/N, E(f − X̄)² + (1 + 2/N)E\[fs\] = E f² + E X̄², and E X̄² = 1/3 + 2/(3N).
pub const RED_FINGERPRINT: Claim = Claim {
    id: "kl-red-fingerprint",
    place: "reduction (Steinke and Ullman 2017, Lemma 5)",
    kind: Kind::LowerBound,
    statement: "E[(1 + 2/N) f(X) ∑_i (X_i - P) + (f(X) - mean X)^2] ≥ 1/3 for every f: {-1,1}^N → \
        R",
    hypotheses: "P uniform on [-1,1], X_1…X_N independent signs of mean P given P",
    check: red_fingerprint,
    by_hand: &[
        "derivative of E_p f by the score",
        "integration by parts over [-1,1]",
        "the expectations of f·X̄ and of X̄² are compared, X̄ the mean of the rows",
    ],
    ..Claim::ALONE
};

fn red_fingerprint(check: &Check) -> Verdict {
    let third = check.constant("lower bound", ratio(1, 3));
    let [k, n, p, h, square, trace] = symbols();
    let sum = &k * (1 - &p) - (&n - &k) * (1 + &p);
    let score = (1 - p.square()) * (&k / (1 + &p) - (&n - &k) / (1 - &p));
    let weight = |x: Expr| 1 - x.square();
    // E f² = square, E[fs] = trace, E[fP] = trace/2; the rest after E X̄² is taken off both sides.
    let deviation = &square - 2 * (&trace / 2 + &trace / &n);
    let mut domain = Domain::new();
    let more = ratio(2, 3) / domain.integer_at_least("N", 1);
    let bound = Forall::le(domain, third.clone(), ratio(1, 3) + &more)
        .factored(1, Expr::from(ratio(1, 3) - third) + more);
    Argument::new(check)
        .states("kl-red-fingerprint", &bound)
        .note("attained by f = 0 as N → inf")
        .needs_identity("score of k signs +1 and N - k signs -1", &sum, &score)
        .needs_identity(
            "derivative of 1 - p^2",
            (weight(&p + &h) - weight(&p - &h)) / (2 * &h),
            0 - 2 * &p,
        )
        .needs_identity("squares", deviation + (1 + 2 / &n) * &trace, &square)
        .proved_on("all N ≥ 1, all f")
}

/// `kl-red-trace`. Let X_i be replaced by an independent copy in what A sees: Z′ has mean 0 and
/// E Z′² = Σ E\[A_j²(1 − P_j²)\] ≤ d, and |Z| ≤ 2d. Integrating the tails of Z by (ε, δ)-DP,
/// E Z ≤ e^ε E Z′⁺ − e^{−ε} E Z′⁻ + 4dδ with E Z′⁺ = E Z′⁻ = ½E|Z′| ≤ ½√d. Randomised response has
/// E Z = (2/3)·tanh(ε/2) for d = 1.
pub const RED_TRACE: Claim = Claim {
    id: "kl-red-trace",
    place: "reduction (tracing)",
    statement: "E<A(X), X_i - P> ≤ √(d) sinh(ε) + 4 d δ",
    hypotheses: "A (ε, δ)-DP with values in [-1,1]^d; P uniform on [-1,1]^d, X_i independent rows \
        of signs of mean P",
    check: |c| {
        let factor = c.constant("factor of sinh(ε)", 1);
        let (response, y) = Domain::of("e^-ε", open(0), closed(1));
        let tight = Forall::le(
            response,
            ratio(4, 3) * &y / (1 + &y).square(),
            factor.clone(),
        );
        let (moment, [a, p]) = Domain::of_all(["|A_j|", "|P_j|"], closed(0), closed(1));
        let variance = Forall::le(moment, a.square() * (1 - p.square()), 1);
        let [odds, mean] = symbols();
        Argument::new(c)
            .states("kl-red-trace/response", &tight)
            .note("(2/3) tanh(ε/2) over sinh(ε)")
            .needs("kl-red-trace/moment", &variance)
            .needs_identity(
                "tails",
                &odds * (&mean / 2) - 1 / &odds * (&mean / 2),
                (&odds - 1 / &odds) / 2 * &mean,
            )
            .needs_that("the factor is that of the proof or larger", factor >= 1)
            .proved_on("all d ≥ 1, ε > 0, δ ≥ 0, n ≥ 1")
    },
    by_hand: &[
        "tails integrated by (ε,δ)-DP",
        "the variance of Z' by conditional independence",
    ],
    ..RED_FINGERPRINT
};

/// `kl-red-mean`. m = min{√d/(12·sinh ε), n/48}. If m ≥ 5 take N = ⌊m⌋ − 2 ≥ 2m/5 rows:
/// E‖A − X̄‖² ≥ d/3 − (N+2)(√d·sinh ε + 4dδ) ≥ d/3 − d/12 − d/12. Else take N = 1 and X uniform on {−1,1}^d: with
/// a = P(A_j ≥ 0 | X_j = 1) the error of coordinate j is at least ½\[(1−a) + e^{−ε}(a−δ)\] ≥ (1−δ)/(2e) ≥ 1/(4e). Then
/// √d < 60·sinh ε or n < 240, so that N/n is large enough too. N ≤ √d/ε in both cases.
pub const RED_MEAN: Claim = Claim {
    id: "kl-red-mean",
    place: "reduction (private mean of signs)",
    kind: Kind::LowerBound,
    statement: "there are N in {1…n} with N ≤ √(d)/ε and N/n ≥ min{√(d)/(n ε), 1}/240, and a law \
        of N rows of signs, such that E|A - mean X|^2 ≥ d/11",
    hypotheses: "A (ε, δ)-DP in n rows, of which the last n - N are fixed, with values in \
        [-1,1]^d; n ≥ 2, 0 < ε ≤ 1, 0 ≤ δ < 1/n",
    rests_on: &["kl-red-fingerprint", "kl-red-trace"],
    check: red_mean,
    by_hand: &[
        "many rows: fingerprinting against tracing",
        "one row: error of each coordinate under DP",
        "the cases m ≥ 5 and m < 5 cover all numbers of rows",
    ],
};

fn red_mean(check: &Check) -> Verdict {
    let divisor = check.constant("divisor of d", 11);
    let share = check.constant("divisor of min{√(d)/(n ε), 1}", 240);
    let claimed = Rational::from(1) / &divisor;
    let many = ratio(1, 3) - ratio(1, 12) - ratio(1, 12);
    let one = (-Interval::from(1)).exp() / Interval::from(4);
    // Many rows: m ≥ min{√d/(12·6ε/5), n/48} of which 2/5; one row: √d < 60·6ε/5, or n < 5·48.
    let needed = [
        ratio(12 * 6 * 5, 5 * 2),
        ratio(48 * 5, 2),
        ratio(60 * 6, 5),
        ratio(5 * 48, 1),
    ];
    let (domain, eps) = Domain::of("ε", open(0), closed(1));
    let sinh = (eps.exp() - (0 - &eps).exp()) / 2;
    let size = Forall::le(domain, sinh, ratio(6, 5) * eps);
    let (rows, above) = Domain::of("m - 5", closed(0), infinite());
    let m = 5 + &above;
    // m − 3 ≥ 2m/5, times 5.
    let rounding = Forall::le(rows, 2 * &m, 5 * m - 15).factored(3, above);
    Argument::new(check)
        .states_that("A = 0 is off by |mean X|^2 ≤ d", claimed <= 1, || {
            format!("A = 0: E|A - mean X|^2 ≤ d < {claimed} d")
        })
        .needs_that("1/3 - 1/12 - 1/12 for many rows", claimed <= many)
        .needs_that(
            "1/(4e) for one row",
            Interval::from_rational(&claimed).certainly_le(&one),
        )
        .needs("kl-red-mean/sinh", &size)
        .needs("kl-red-mean/rounding", &rounding)
        .needs_that("share of the rows", needed.iter().all(|x| share >= *x))
        .proved_on("all d ≥ 1, n ≥ 2, 0 < ε ≤ 1, 0 ≤ δ < 1/n")
}
