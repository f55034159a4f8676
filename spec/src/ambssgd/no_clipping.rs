//! Appendix A.2.1 from (26) on: Lemma A.9, no gradient is clipped.

use super::tail::empty;
use crate::arith::algebra::Steps;
use crate::arith::{Interval, Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::prove::Argument;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 6] = [
    EQ_28,
    EQ_28_REPAIRED,
    EQ_30,
    LEM_A_9,
    LEM_A_9_READING_TWO,
    LEM_A_9_REPAIRED,
];

/// `ambssgd-eq-28`: from the display before it, in which the logarithms are of 1/β̃, to log N. At
/// w* = 0 and α so small that the last term is a thousandth of the one before it, the squares are 2·1050(η/μ)R²σ²·log^{2a+2}(1/β̃) and (1.001)²·4·1050(η/μ)R²σ²·log^{2a+2}N; with
/// β̃ = N^{−100} and a = ½ the first is 100³/2 times the second.
pub const EQ_28: Claim = Claim {
    id: "ambssgd-eq-28",
    place: "App. A.2.1, proof of Lemma A.9, eqs. (26)–(28)",
    kind: Kind::HighProbability,
    statement: "‖w_T−w*‖² ≤ 2(‖w*‖² + (210η/μ)(5σ²R_x²log^{2a+2}(1/β̃) + 4ζ²α²d·log²(1/β̃))) gives \
        ‖w_T−w*‖ ≤ 2‖w*‖ + 2√(1050η/μ)R_xσlog^{a+1}N + 2√(210ηd/μ)·2ζα·log N with β̃ = 1/poly(N)",
    hypotheses: "β̃ = N^{−100}, a = 1/2",
    check: eq_28,
    ..Claim::ALONE
};

fn eq_28(c: &Check) -> Verdict {
    let exponent = c.constant("exponent of N in 1/β̃", 100);
    let cube = Poly::from(exponent.clone() * &exponent * &exponent);
    let unit = Poly::var("1050(η/μ)R²σ²log³N");
    Steps::new()
        .positive(&["1050(η/μ)R²σ²log³N"])
        .at_most(
            "squares at w* = 0, α small",
            2 * cube * &unit,
            Poly::from(4) * ratio(1001, 1000).square() * &unit,
        )
        .repaired("ambssgd-eq-28-repaired")
        .proved_on("β̃ = 1/N only")
}

/// `ambssgd-eq-28-repaired`, with L = log(2/β) kept and the repaired (18), (25). By (12) and (14)
/// ‖ω_T‖² ≤ 2‖w*‖² + 4η²(‖Vz‖² + 4ζ²α²‖g̃‖²), and both parts have the factor 104L/(ημ), where 4·104 = 416
/// is at most the printed 2·210.
pub const EQ_28_REPAIRED: Claim = Claim {
    id: "ambssgd-eq-28-repaired",
    place: "App. A.2.1, the display before (28)",
    kind: Kind::HighProbability,
    statement: "‖w_T−w*‖² ≤ 2(‖w*‖² + (210η/μ)(5K_2²R_x²σ²L^{2a+2} + (8/3)·4ζ²α²dL²)), so ‖w_T−w*‖ \
        ≤ 2‖w*‖ + 2√(1050η/μ)K_2R_xσL^{a+1} + 2√(560ηd/μ)·2ζαL, L = log(2/β)",
    hypotheses: "repaired tail assumption, z ~ N(0, σ²), no clipping before T, η ≤ \
        1/(K_2²R_x²L^{2a}), η < 1/R_x², ημ ≤ 1, K_2 ≥ 1, β ≤ 1/e",
    rests_on: &[
        "ambssgd-eq-13",
        "ambssgd-eq-18-repaired",
        "ambssgd-eq-20",
        "ambssgd-eq-24-25-repaired",
    ],
    by_hand: &[
        "‖a+b‖² ≤ 2‖a‖² + 2‖b‖² in (12) and (14)",
        "before the first clipped step the run is the unclipped one",
        "a union bound gives probability 1 − (5T+3)β",
        "the root of a sum is at most the sum of the roots",
    ],
    check: eq_28_repaired,
};

fn eq_28_repaired(c: &Check) -> Verdict {
    let printed = Poly::from(c.constant("factor of η/μ", 210));
    let spread = c.constant("560 in units of 210", ratio(8, 3));
    let noise_root = Rational::from(210) * spread;
    // Units: W = ‖w*‖², S = 5K²R²σ²L^{2a+2}·η/μ, G = (8/3)4ζ²α²dL²·η/μ.
    let [w, s, g] = ["W", "S", "G"].map(Poly::var);
    let two = Poly::from(2);
    let derived = &two * &w + Poly::from(4 * 104) * (&s + &g);
    let bound = &two * (&w + &printed * (&s + &g));
    // (a + b + c)² with a² = 4W, b² = 4·210·S (1050 = 5·210), c² = 4·noise_root·G·3/8 dominates the
    // bound term by term: a² + b² + c² ≤ (a + b + c)² for non-negative a, b, c.
    let squares = 4 * (&w + 210 * &s + Poly::from(noise_root * ratio(3, 8)) * &g);
    Steps::new()
        .positive(&["W", "S", "G"])
        .suffices("416 ≤ 2·210", &derived, &bound)
        .suffices("squares of the three terms", &bound, &squares)
        .note("Probability at least 1 − (5T+3)β by union bound.")
        .proved_on("all parameters of the hypotheses")
}

/// `ambssgd-eq-30`, given (11) and (28) as printed. With G = K_2R_xlog^{2a}N, h = √‖H‖: the first branch
/// makes G·h·2√(210ηd/μ)·2α·log N ≤ ½, the second h·2√(1050η/μ)R_xσlog^{a+1}N ≤ √κσ, and
/// G(2h‖w*‖ + √κσ + σ) + ½ζ ≤ ζ by √κ ≥ 1.
pub const EQ_30: Claim = Claim {
    id: "ambssgd-eq-30",
    place: "App. A.2.1, proof of Lemma A.9, eqs. (29)–(31)",
    kind: Kind::Calibration,
    statement: "(29) is the first branch of (30); under (30), (11) and (28) give \
        ‖x_T(⟨x_T,w_T⟩−y_T)‖ ≤ ζ with ζ = 4K_2R_xlog^{2a}N(√‖H‖‖w*‖ + √κσ)",
    hypotheses: "the displays (11) and (28)",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// The algebra of (29)–(31). The factor 210 (560 in the repaired lemma) stands in (28) and in (30) and
/// cancels.
fn step_size(c: &Check) -> Verdict {
    let first = Poly::from(c.constant("factor of the first branch", 64));
    let second = Poly::from(c.constant("factor of the second branch", 4));
    let scale = Poly::from(c.constant("factor of ζ", 4));
    let one = Poly::from(1);
    // (29): 16·210·η(d/μ)A² ≤ 1/4, at η = μ/(first·210·dA²): times first.
    let at_bound = Poly::from(16);
    let quarter = ratio(1, 4) * first;
    // h²·4·1050(η/μ)R²σ²log^{2a+2}N at η = 1/(second·1050·log^{2a+2}N·R²) is (4/second)κσ²: times second.
    // ζ: everything in units of G, with √κ = 1 + k; ζ = scale·(hw + √κσ).
    let [hw, sigma, k] = ["√‖H‖‖w*‖", "σ", "k"].map(Poly::var);
    let root_kappa = (&one + k) * &sigma;
    let zeta = scale * (&hw + &root_kappa);
    let gradient = 2 * &hw + &root_kappa + &sigma + ratio(1, 2) * &zeta;
    Steps::new()
        .positive(&["√‖H‖‖w*‖", "σ", "k"])
        .suffices("(29) at the first branch of (30)", &at_bound, &quarter)
        .suffices("second branch: 4·κσ² ≤ second·κσ²", 4, &second)
        .at_most("the gradient bound is at most ζ", &gradient, &zeta)
        .note("The factor 210 (or its replacement) cancels between (28) and (30).")
        .proved_on("all parameters")
}

/// `ambssgd-lem-A.9`.
pub const LEM_A_9: Claim = Claim {
    id: "ambssgd-lem-A.9",
    place: "App. A.2.1, Lemma A.9",
    kind: Kind::HighProbability,
    statement: "‖x_t(⟨x_t,w_t⟩−y_t)‖ ≤ ζ for all t < N with probability ≥ 1 − N^{−100}, ζ = \
        4K_2R_xlog^{2a}N(√‖H‖‖w*‖ + √κσ)",
    hypotheses: "Definition 2.1 for x and z with β = N^{−100}, η as in (30) up to constants",
    rests_on: &["ambssgd-def-2.1"],
    by_hand: &["no law satisfies Definition 2.1, as ambssgd-def-2.1 says"],
    check: |c| empty(c, "ambssgd-lem-A.9-repaired"),
};

/// `ambssgd-lem-A.9-reading-two`: with the bound 2 in (3) and nothing else changed. A record whose square is 99·log N with
/// probability N^{−99} obeys (2) and (3), and already at t = 0, where w_0 = 0, its gradient exceeds ζ, whatever η is.
pub const LEM_A_9_READING_TWO: Claim = Claim {
    id: "ambssgd-lem-A.9-reading-two",
    place: "App. A.2.1, Lemma A.9, with the bound 2 in (3)",
    kind: Kind::HighProbability,
    statement: "‖x_t(⟨x_t,w_t⟩−y_t)‖ ≤ ζ for all t < N with probability ≥ 1 − N^{−100}, ζ = \
        4K_2R_xlog^{2a}N(√‖H‖‖w*‖ + √κσ)",
    hypotheses: "(2) with β = N^{−100} and (3) with the bound 2, for x and z",
    check: lem_a_9_reading_two,
    ..Claim::ALONE
};

fn lem_a_9_reading_two(c: &Check) -> Verdict {
    let scale = c.constant("factor of ζ", 4);
    let exponent = c.constant("exponent of N in the failure probability", 100);
    let Some(power) = crate::skgd::setting::integer(&exponent) else {
        return Verdict::open("a fractional exponent is not evaluated");
    };
    // N = 100, a = 1/2, K_2² = 8/3, |w*| = 1, z = ±σ with σ = 1/1000; x² = 455 ≤ 99·log 100 with probability
    // N^{−99}, else 1.
    let i = Interval::from_rational;
    let log = Interval::from(100).ln();
    let (square, sigma) = (Rational::from(455), ratio(1, 1000));
    let rare: Rational = rug::ops::Pow::pow(ratio(1, 100), 99);
    let second: Rational = Rational::from(1) + rare.clone() * (square.clone() - 1);
    let fourth: Rational = Rational::from(1) + rare.clone() * (square.clone() * &square - 1);
    let spread = ratio(3, 8) / second.clone();
    let moment = i(&rare) * i(&(spread.clone() * &square)).exp() + i(&spread).exp();
    // (2) for x, as E x² ≥ 1; (3) for x, and for z with 3/8 in place of `spread`.
    let admissible = i(&square).certainly_le(&(Interval::from(100) * &log))
        && moment.certainly_le(&Interval::from(2))
        && i(&ratio(3, 8)).exp().certainly_le(&Interval::from(2));
    let zeta = i(&scale)
        * (i(&ratio(8, 3)) * i(&fourth) / i(&second)).sqrt()
        * log
        * (i(&second).sqrt() + i(&sigma));
    // x²|w*| − |x|σ, where |x| ≤ 22.
    let gradient = square - sigma * 22_u32;
    let allowed: Rational = rug::ops::Pow::pow(ratio(1, 100), power);
    let clipped = zeta.certainly_lt(&i(&gradient)) && rare > allowed;
    Argument::new(c)
        .repaired("ambssgd-lem-A.9-repaired")
        .needs_that("the law satisfies (2) and (3)", admissible)
        .states_that("a rare record at t = 0", !clipped, || {
            format!(
                "N = 100, d = 1, a = 1/2, K_2² = 8/3, |w*| = 1, z = ±1/1000, x² = 455 with \
                    probability N^−99, else 1: with that probability, more than N^(−{exponent}), \
                    the first gradient is at least {:.1}, while ζ = {:.1}",
                gradient.to_f64(),
                zeta.hi_f64()
            )
        })
        .open_for("one law")
}

/// `ambssgd-lem-A.9-repaired`: K_2² for K_2 and L = log(2/β) for log N, 560 for 210 in the first branch. The
/// union over t < N of at most 5t + 6 events gives N(5N+6)β ≤ N^{−100} for β = N^{−103}, N ≥ 7.
pub const LEM_A_9_REPAIRED: Claim = Claim {
    id: "ambssgd-lem-A.9-repaired",
    place: "App. A.2.1, Lemma A.9",
    kind: Kind::HighProbability,
    statement: "‖x_t(⟨x_t,w_t⟩−y_t)‖ ≤ ζ for all t < N with probability ≥ 1 − N^{−100}, ζ = \
        4K_2²R_xL^{2a}(√‖H‖‖w*‖ + √κσ), L = log(2N^{103}), η ≤ \
        min{μ/(64·560·K_2⁴R_x²‖H‖dα²L^{4a+2}), 1/(4·1050·K_2²R_x²L^{2a+2})}",
    hypotheses: "repaired tail assumption for x and z with β = N^{−103}, z ~ N(0, σ²), K_2 ≥ 1, N \
        ≥ 7",
    rests_on: &[
        "ambssgd-eq-4-repaired",
        "ambssgd-fact-Rx-trace",
        "ambssgd-eq-11-repaired",
        "ambssgd-eq-28-repaired",
        "ambssgd-eq-30",
    ],
    by_hand: &[
        "induction on t: before the first clipped step the run is the unclipped one",
        "η is at most 1/(4·1050·K_2²R_x²L^{2a+2}), less than ambssgd-eq-28-repaired asks for",
        "a union bound over t < N gives N(5N+6)β",
        "ambssgd-eq-11-repaired is of a given w_t: it is applied conditionally on w_t, which is \
            independent of record t",
        "K_2² for K_2, and 560 for 210 in the first branch, pass through (29)–(31) unchanged",
    ],
    check: lem_a_9_repaired,
};

fn lem_a_9_repaired(c: &Check) -> Verdict {
    let exponent = c.constant("exponent of N in 1/β", 103);
    let smallest = c.constant("smallest N", 7);
    // N(5N+6)·N^{−exponent} ≤ N^{−100} needs N^{exponent−101} ≥ 5N + 6.
    let power = match crate::skgd::setting::integer(&exponent) {
        Some(e) if e >= 101 => e - 101,
        _ => return Verdict::open("β = N^{−exponent} does not cover the union bound"),
    };
    let n = Poly::var("n") + Poly::from(smallest);
    let left = 5 * &n + 6;
    let right = (0..power).fold(Poly::from(1), |acc, _| &acc * &n);
    match Steps::new()
        .positive(&["n"])
        .suffices("5N + 6 ≤ N^(exponent − 101)", &left, &right)
        .proved_on("")
    {
        Verdict::Proved(_) => step_size(c),
        other => other,
    }
}
