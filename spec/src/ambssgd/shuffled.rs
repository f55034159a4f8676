//! Section 3.1 and Appendix A.1: privacy of DP-SSGD.

use super::corrected_shuffled::{LEAST, OF_ALPHA, RANGE};
use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::{Argument, Domain, Forall, closed, draw, open};
use crate::skgd::calibration::gaussian_profile;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    LEM_A_1_SENS,
    LEM_A_1_SENS_PROOF,
    LEM_A_1,
    LEM_A_1_RESTRICTED,
    THM_A_3,
    EQ_7,
    EQ_7_REPAIRED,
    EQ_8_9,
    EQ_8_9_REPAIRED,
    THM_3_1,
];

/// `ambssgd-lem-A.1-sens`. Two clipped gradients have norm at most ζ each, and the pair W1a (x = u a
/// unit vector, y = ∓Y with Y ≥ ζ + |⟨u, w⟩|) has the clipped gradients ±ζu.
pub const LEM_A_1_SENS: Claim = Claim {
    id: "ambssgd-lem-A.1-sens",
    place: "App. A.1.1, proof of Lemma A.1",
    kind: Kind::Sensitivity,
    statement: "the noiseless step of Algorithm 1 has L2 sensitivity 2ηζ under replacement of its \
        record",
    hypotheses: "fixed w_t; clip_ζ with min",
    rests_on: &["ambssgd-def-clip"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-lem-A.1-sens-proof`: the displayed step ‖clip(g') − clip(g)‖ ≤ 2‖clip(g)‖ compares with one
/// gradient only, which may be zero.
pub const LEM_A_1_SENS_PROOF: Claim = Claim {
    id: "ambssgd-lem-A.1-sens-proof",
    place: "App. A.1.1, proof of Lemma A.1, displayed inequality",
    kind: Kind::Sensitivity,
    statement: "‖η·clip_ζ(g') − η·clip_ζ(g)‖ ≤ 2η‖clip_ζ(g)‖ for any two gradients",
    hypotheses: "ζ > 0",
    check: by_kernel,
    ..Claim::ALONE
};

/// `ambssgd-lem-A.1`, with no range for ε_0: the classical calibration fails for large ε_0.
pub const LEM_A_1: Claim = Claim {
    id: "ambssgd-lem-A.1",
    place: "App. A.1.1, Lemma A.1",
    kind: Kind::MechanismPrivacy,
    statement: "noise 2ηζα with α = c/ε_0, c ≥ √(2·log(1.25/δ_0)), makes each step (ε_0, δ_0)-DP",
    hypotheses: "replace-one; no range printed for ε_0",
    rests_on: &["ambssgd-lem-A.1-sens"],
    by_hand: &[],
    check: |c| {
        let range = ratio(12, 1);
        decide_classical(c, &range, Some("ambssgd-lem-A.1-restricted"))
    },
};

/// `ambssgd-lem-A.1-restricted`: the same noise for ε_0 ≤ 1, which covers the ε_0 ≤ ½ of the proof of
/// Theorem 3.1. With m = ε/c and t = c − ε/(2c), δ(ε) ≤ Φ(−t) ≤ e^{−t²/2}/(t√(2π)) and t² ≥ c² − ε; for
/// small c the total variation 2Φ(m/2) − 1 is small enough.
pub const LEM_A_1_RESTRICTED: Claim = Claim {
    id: "ambssgd-lem-A.1-restricted",
    place: "App. A.1.1, Lemma A.1 for ε_0 ≤ 1",
    kind: Kind::MechanismPrivacy,
    statement: "noise 2ηζα with α = c/ε_0, c ≥ √(2·log(1.25/δ_0)), makes each step (ε_0, δ_0)-DP \
        for ε_0 ≤ 1",
    hypotheses: "replace-one, 0 < ε_0 ≤ 1, 0 < δ_0 < 1",
    rests_on: &["ambssgd-lem-A.1-sens"],
    by_hand: &[],
    check: by_kernel,
};

/// Decides whether a Gaussian shift of ε/√(k·log(A/δ)) standard deviations is (ε, δ)-DP for all
/// ε ≤ range and δ in (0, 1).
fn decide_classical(c: &Check, range: &Rational, repaired: Option<&'static str>) -> Verdict {
    let k = c.constant("factor of the logarithm", 2);
    let a = c.constant("numerator in the logarithm", ratio(5, 4));
    let largest = c.constant("largest ε_0", range.clone());
    if k <= 0 || a <= 0 || largest <= 0 {
        return Verdict::open("no noise scale is defined for these constants");
    }
    let i = Interval::from_rational;
    let deltas = [
        ratio(1, 100_000),
        rug::ops::Pow::pow(ratio(1, 10), 100),
        ratio(1, 10),
        ratio(3, 5),
    ];
    for delta in deltas {
        for epsilon in [1, 2, 5, 10].map(Rational::from) {
            let log = (i(&a) / i(&delta)).ln();
            if epsilon > largest || *log.lo() <= 0 {
                continue;
            }
            let profile = gaussian_profile(&(i(&epsilon) / (i(&k) * log).sqrt()), &epsilon);
            if i(&delta).certainly_lt(&profile) {
                return Verdict::refuted(
                    format!(
                        "ε_0 = {epsilon}, log10 δ_0 = {:.2}: the step needs δ ≥ {:e}",
                        (i(&delta).ln() / Interval::from(10).ln()).hi_f64(),
                        profile.lo_f64()
                    ),
                    "interval enclosure of the Gaussian privacy profile at the pair W1a",
                    repaired,
                );
            }
        }
    }
    classical_proof(&k, &a, &largest)
}

/// The two regimes of `ambssgd-lem-A.1-restricted`, separated at c = 103/100.
fn classical_proof(k: &Rational, a: &Rational, largest: &Rational) -> Verdict {
    let i = Interval::from_rational;
    let two = Interval::from(2);
    let split = i(&ratio(103, 100));
    let (e, a_) = (i(largest), i(a));
    let t = &split - &(&e / &(&two * &split));
    let root = (&two * &Interval::pi(128)).sqrt();
    // For c ≥ split: e^{ε/2}/(t√(2π)) ≤ A, where e^{−c²/2} ≤ e^{−c²/k} needs k ≥ 2.
    let tail = (&e / &two).exp().certainly_le(&(&a_ * &(&t * &root))) && *t.lo() > 0 && *k >= 2;
    // For c ≤ split: 2Φ(m/2) − 1 with m ≤ ε/√(k·log A), against A·e^{−split²/k}.
    let least = (i(k) * a_.ln()).sqrt();
    let variation = &two * &(&e / &(&two * &least)).phi() - Interval::from(1);
    let near = variation.certainly_le(&(&a_ * &(-(split.square() / i(k))).exp()));
    if !(tail && near && *a > 1) {
        return Verdict::open("the tail bound and the total variation do not cover all δ_0");
    }
    Verdict::proved(
        "ε_0 in (0, 1], δ_0 in (0, 1), all η, ζ > 0",
        "for c ≥ 1.03 the Gaussian tail bound, for c ≤ 1.03 the total variation, each compared at \
            the end of its range by interval arithmetic",
    )
}

/// `ambssgd-thm-A.3`: taken from the cited source, whose constants the paper does not print.
pub const THM_A_3: Claim = Claim {
    id: "ambssgd-thm-A.3",
    place: "App. A.1.2, Theorem A.3 (Feldman, McMillan, Talwar 2021, Theorem 3.8)",
    kind: Kind::Imported,
    statement: "shuffling n adaptive (ε_0, δ_0)-DP local randomizers is (ε, δ + O(e^ε·δ_0·n))-DP \
        with ε = O((1 − e^{−ε_0})(√(e^{ε_0}·log(1/δ)/n) + e^{ε_0}/n))",
    hypotheses: "ε_0 ≤ log(n/(16·log(2/δ))), replace-one, uniform permutation",
    check: thm_a_3,
    ..Claim::ALONE
};

fn thm_a_3(c: &Check) -> Verdict {
    let inside = c.constant("factor of log(2/δ) in the condition", 16);
    // The condition must admit some ε_0 > 0: n > 16·log(2/δ). At n = 1000, δ = 10⁻⁶ it does.
    let log = (Interval::from(2_000_000)).ln();
    let admits = (Interval::from_rational(&inside) * log).certainly_lt(&Interval::from(1000));
    if !admits || inside <= 0 {
        return Verdict::open("the condition admits no ε_0 at n = 1000, δ = 10⁻⁶");
    }
    Verdict::cited(
        "theorem of the cited paper, not re-proved here; its O(·) hides the constants, so that no \
            numeric claim rests on it",
    )
}

/// `ambssgd-eq-7`. The last equality has ½ where (1 + ε_0) − (1 − ε_0/2) = (3/2)ε_0; and the first display is at least
/// ε_0(√(log/N) + 1/N), as 2·sinh(x/2) ≥ x, which exceeds the last for N·log(1/δ) > 4.
pub const EQ_7: Claim = Claim {
    id: "ambssgd-eq-7",
    place: "App. A.1.2, proof of Theorem 3.1, eq. (7)",
    kind: Kind::Composition,
    statement: "(1−e^{−ε_0})(√(e^{ε_0}·log(1/δ)/N) + e^{ε_0}/N) ≤ … = ε_0(½√(log(1/δ)/N) + 2/N)",
    hypotheses: "0 < ε_0 ≤ ½",
    check: |c| amplification_chain(c, ratio(1, 2), "ambssgd-eq-7"),
    ..Claim::ALONE
};

/// `ambssgd-eq-7-repaired`: 3/2 in place of ½, three times the printed coefficient; at least twice is
/// needed, since 2·sinh(x/2) ≥ x.
pub const EQ_7_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-7-repaired",
    place: "App. A.1.2, proof of Theorem 3.1, eq. (7) with 3/2",
    kind: Kind::Composition,
    statement: "(1−e^{−ε_0})(√(e^{ε_0}·log(1/δ)/N) + e^{ε_0}/N) ≤ ε_0((3/2)√(log(1/δ)/N) + 2/N)",
    hypotheses: "0 < ε_0 ≤ ½",
    check: |c| amplification_chain(c, ratio(3, 2), "ambssgd-eq-7-repaired"),
    ..Claim::ALONE
};

/// (7) with u = √(log(1/δ)/N), v = 1/N, x = ε_0, coefficient by coefficient.
fn amplification_chain(c: &Check, printed: Rational, id: &'static str) -> Verdict {
    let first = c.constant("coefficient of ε_0√(log/N)", printed);
    let second = c.constant("coefficient of ε_0/N", 2);
    // ε_0 = 1/2, N = 10⁴, log(1/δ) = 25.
    let (x, u, v) = (ratio(1, 2), ratio(1, 20), ratio(1, 10_000));
    let i = Interval::from_rational;
    let (e, minus) = (i(&x).exp(), -(-i(&x)).exp_m1());
    let left = minus * (e.sqrt() * i(&u) + e * i(&v));
    let right = x * (first.clone() * u + second.clone() * v);
    if i(&right).certainly_lt(&left) {
        draw_chain(c, id, (&first, &second));
    }
    let (domain, x) = Domain::of("ε_0", open(0), closed(ratio(1, 2)));
    let shrunk = -((-&x).exp_m1());
    let root = Forall::le(domain.clone(), &shrunk * (&x / 2).exp(), first * &x);
    let linear = Forall::le(domain, shrunk * x.exp(), second * &x);
    Argument::new(c)
        .repaired("ambssgd-eq-7-repaired")
        .states_that(
            "ε_0 = 1/2, N = 10⁴, log(1/δ) = 25",
            !i(&right).certainly_lt(&left),
            || {
                format!(
                    "ε_0 = 1/2, N = 10⁴, log(1/δ) = 25: the left side is at least {:.5}, the right \
                        side {:.5}",
                    left.lo_digits(5),
                    right.to_f64()
                )
            },
        )
        .needs(&format!("{id}/root"), &root)
        .needs(&format!("{id}/linear"), &linear)
        .proved_on("ε_0 in (0, ½], all N ≥ 1, δ in (0, 1)")
}

/// (7) times N, which leaves ε_0 and N·log(1/δ).
fn draw_chain(c: &Check, id: &'static str, (first, second): (&Rational, &Rational)) {
    let mut domain = Domain::new();
    let x = domain.real("ε_0", open(0), closed(ratio(1, 2)));
    let product = domain.real("N log(1/δ)", closed(ratio(1, 100)), closed(1_000_000));
    let left = -((-&x).exp_m1()) * ((x.exp() * &product).sqrt() + x.exp());
    let right = x * (first.clone() * product.sqrt() + second.clone());
    let point = [ratio(1, 2), ratio(250_000, 1)];
    draw(c, id, &Forall::le(domain, left, right), &point);
}

/// `ambssgd-eq-8-9`. The second step of (8) needs N·log(1/δ̂) ≥ 16, which the condition of Theorem A.3 gives for δ̂ ≤ 49/100
/// (`long_enough`), where the proof uses it; so (8) follows from (7) as printed. But (9) has c_2 in the numerator where
/// δ_0 = c_2δ/(e^{ε̂}N) puts it in the denominator: it does not follow for c_2 < 1, and Theorem A.3, whose δ is δ̂ + O(e^{ε̂}δ_0N),
/// leaves half of δ for a multiple, no less than one, of c_2δ.
pub const EQ_8_9: Claim = Claim {
    id: "ambssgd-eq-8-9",
    place: "App. A.1.2, proof of Theorem 3.1, eqs. (8), (9)",
    kind: Kind::Calibration,
    statement: "1.25/δ_0 ≤ c_2·1.25·e^{ε̂}N/δ for δ_0 = c_2δ/(e^{ε̂}N), as from (8) to (9)",
    hypotheses: "ε_0 ≤ log(N/(16·log(2/δ̂))) for some ε_0 ≥ 0, as Theorem A.3 asks; δ̂ = δ/2 with \
        δ ≤ 98/100; 0 < c_2 ≤ 1/2, as δ̂ + e^{ε̂}δ_0N ≤ δ asks",
    check: |c| {
        let first = Poly::from(c.constant("coefficient of √(log/N)", ratio(1, 2)));
        let bound = Poly::from(c.constant("bound in units of √(log/N)", 1));
        if !long_enough() {
            return Verdict::open("the condition of Theorem A.3 does not give N·log(1/δ̂) ≥ 16");
        }
        let (u, v) = root_and_inverse();
        // 1.25·e^{ε̂}N/δ is the unit: 1/c_2 against c_2.
        let largest = Poly::from(c.constant("c_2 at most", ratio(1, 2)));
        let unit = Poly::var("1.25·e^ε̂N/δ");
        Steps::new()
            .positive(&["t", "1/N", "1.25·e^ε̂N/δ"])
            .at_most("(8)", first * &u + 2 * v, bound * u)
            .at_most("(9) at c_2 = 1/2", 2 * &unit, largest * unit)
            .repaired("ambssgd-eq-8-9-repaired")
            .proved_on("")
    },
    ..Claim::ALONE
};

/// Whether N ≥ 16·log(2/δ̂) gives N·log(1/δ̂) ≥ 16 for δ̂ ≤ 49/100: log(2/δ̂)·log(1/δ̂) falls with δ̂, and is at least 1 there.
fn long_enough() -> bool {
    let largest = Interval::from_rational(&ratio(49, 100));
    let product = (Interval::from(2) / &largest).ln() * -largest.ln();
    Interval::from(1).certainly_le(&product)
}

/// √(log(1/δ̂)/N) = 4/N + t, as N·log(1/δ̂) ≥ 16, and 1/N.
fn root_and_inverse() -> (Poly, Poly) {
    let inverse = Poly::var("1/N");
    (4 * &inverse + Poly::var("t"), inverse)
}

/// `ambssgd-eq-8-9-repaired`: from (7) with 3/2, for N·log(1/δ̂) ≥ 16, hence 2/N ≤ ½√(log(1/δ̂)/N); with
/// c_2 in the denominator. The constant of α doubles.
pub const EQ_8_9_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-8-9-repaired",
    place: "App. A.1.2, proof of Theorem 3.1, eqs. (8), (9) from the repaired (7)",
    kind: Kind::Calibration,
    statement: "(3/2)√(log(1/δ̂)/N) + 2/N ≤ 2√(log(1/δ̂)/N), and 1.25/δ_0 = 1.25·e^{ε̂}N/(c_2δ)",
    hypotheses: "N·log(1/δ̂) ≥ 16, c_2 > 0",
    rests_on: &["ambssgd-eq-7-repaired"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-thm-3.1`, for constants that the print hides: α ≥ 42·L/(ε√N) and ε ≤ 3√(L/N), L = log(N/δ) ≥ log 2. For
/// N ≥ 27·log(8N/δ) the corrected theorem at δ/N for δ asks for ε√N·α ≥ 6√(2·log(15N²/δ)·log(8N/δ)), where log(8N/δ) ≤ 4L and
/// log(15N²/δ) ≤ (2 + log 15/log 2)L. Below that N < 108L, and its second form asks for εα ≥ √2·√(log(1/δ)+ε).
pub const THM_3_1: Claim = Claim {
    id: "ambssgd-thm-3.1",
    place: "§3.1, Theorem 3.1, proof in App. A.1.2",
    kind: Kind::MechanismPrivacy,
    statement: "Algorithm 1 with α = Ω(log(N/δ)/(ε√N)) is (ε, δ)-DP for ε = O(√(log(N/δ)/N))",
    hypotheses: "arbitrary data, replace-one; δ in (0, 1), N ≥ 2 or δ ≤ 1/2; the constants are not \
        printed: 42 in α and 3 in ε will do",
    rests_on: &["ambssgd-thm-3.1-corrected"],
    by_hand: &[
        "ambssgd-thm-3.1-corrected at δ/N for δ where N ≥ 27·log(8N/δ), which (ε, δ/N)-DP gives as \
            much; its second form for smaller N",
        "more noise than that of ambssgd-thm-3.1-corrected is no less private",
        "log(8N/δ) ≤ 4·log(N/δ) and log(15N²/δ) ≤ (2 + log 15/log 2)·log(N/δ), as N/δ ≥ 2",
    ],
    check: thm_3_1,
};

fn thm_3_1(c: &Check) -> Verdict {
    let factor = c.constant("constant of α", 42);
    let range = c.constant("constant of ε", 3);
    let i = Interval::from_rational;
    let two = Interval::from(2).ln();
    // In units of L = log(N/δ): log(15N²/δ), and of √L: √N below 27·log(8N/δ).
    let long = Interval::from(2) + Interval::from(15).ln() / &two;
    let shuffled = Interval::from(OF_ALPHA) * (Interval::from(2 * 4) * long).sqrt();
    // ε ≤ range·√L ≤ range·L/√log 2.
    let spent = Interval::from(1) + i(&range) / two.sqrt();
    let any_order = (Interval::from(2) * spent).sqrt() * Interval::from(LEAST * 4).sqrt();
    Argument::new(c)
        .states_that("noise", factor > 0, || {
            "no noise: two records with opposite gradients are told apart".to_owned()
        })
        .needs_that("3√(log(N/δ)/N) is in the range of ε", range <= RANGE)
        .needs_that(
            "6√(2·4·(2 + log 15/log 2)) ≤ 42",
            shuffled.certainly_le(&i(&factor)),
        )
        .needs_that(
            "√(2(1 + 3/√log 2))·√108 ≤ 42",
            any_order.certainly_le(&i(&factor)),
        )
        .proved_on("all N, ε, δ of the hypotheses")
}
