//! Algorithms 1 to 4 and the baselines: whether they run as printed.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::{MAX, Member, graphs};
use crate::decor::enumeration::kept_sets;
use crate::decor::graph::Graph;
use crate::decor::mixing::metropolis_hastings;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::Argument;

/// The claims about the algorithms, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    ALG_1,
    ALG_2,
    ALG_2_READING_VARIANCE,
    ALG_3,
    ALG_4,
    BASE_LDP,
    BASE_CDP,
];

/// min{1, C/|g|}·g, and 0 for g = 0.
fn clipped(g: &Rational, threshold: &Rational) -> Rational {
    let norm = g.clone().abs();
    if norm == 0 {
        return norm;
    }
    (threshold.clone() / norm).min(Rational::from(1)) * g
}

/// `decor-alg-1`. Line 2 prints Clip(∇ℓ(x;C), ξ), with two brackets exchanged against equation (2); Clip(g;C) =
/// min{1, C/‖g‖}·g is 0/0 at g = 0. With (2) and Clip(0; C) = 0, ‖Clip(g;C)‖ = min{‖g‖, C} for every g, all other lines are
/// sums, and every index is in range (a user without neighbours has an empty sum).
pub const ALG_1: Claim = Claim {
    id: "decor-alg-1",
    place: "§3, Algorithm 1",
    kind: Kind::Algorithm,
    statement: "with g_i = Clip(∇ℓ(x_i, ξ_i); C) and Clip(0; C) = 0 Algorithm 1 runs on every \
        input, and ‖g_i‖ ≤ C",
    hypotheses: "C > 0, any graph, mixing matrix and data; line 2 with the brackets of eq. (2)",
    rests_on: &["decor-def-2"],
    by_hand: &[],
    check: alg_1,
};

fn alg_1(c: &Check) -> Verdict {
    let factor = c.constant("bound on ‖g_i‖ in units of C", 1);
    let threshold = Rational::from(3);
    let bound = Rational::from(&threshold * &factor);
    let samples = [-100, -3, -1, 0, 1, 2, 3, 4, 1000].map(Rational::from);
    let worst = samples.iter().map(|g| clipped(g, &threshold).abs()).max();
    let worst = worst.unwrap_or_default();
    let runs = [Graph::path(3), Graph::complete(3), Graph::new(3, [])];
    Argument::new(c)
        .states_that("C = 3, nine gradients", worst <= bound, || {
            format!("‖g‖ = {worst} > {bound}")
        })
        .needs_that(
            "a step runs on the path, the complete graph and the graph without edges",
            runs.iter().all(|g| one_step(g).len() == 3),
        )
        .note("any g: min{1, C/‖g‖}‖g‖ = min{‖g‖, C}")
        .proved_on("all C > 0, graphs, mixing matrices, data")
}

/// One step in dimension one from fixed rational models, gradients and noise.
fn one_step(graph: &Graph) -> Vec<Rational> {
    let half = noisy_models(graph, &Rational::from(-1));
    metropolis_hastings(graph).apply(&half)
}

/// x_i + sign·η(g_i + Σ_j v_ij + v̄_i) with clipping at 5, v_ij = ±(i + 2j + 1)/3, v̄_i = i/7, η = 1/4.
fn noisy_models(graph: &Graph, sign: &Rational) -> Vec<Rational> {
    let n = graph.n();
    let pair = |i: usize, j: usize| {
        let size = frac((i.min(j) + 2 * i.max(j) + 1) as i32, 3);
        if i < j { size } else { -size }
    };
    (0..n)
        .map(|i| {
            let gradient = clipped(&Rational::from(2 * i as i32 - 1), &Rational::from(5));
            let pairs = (0..n).filter(|&j| graph.adjacent(i, j)).map(|j| pair(i, j));
            let noisy = gradient + pairs.sum::<Rational>() + frac(i as i32, 7);
            Rational::from(i as i32) + noisy * sign / 4
        })
        .collect()
}

/// `decor-alg-2`. σ_cdp²I + σ_cor²L is positive definite, so both branches are defined for σ_cdp > 0;
/// branch II needs n ≥ 2 (for n = 1 its maximum is over no index). What they return is the exact slope
/// (`decor-thm-6-num`); they are Algorithm 3 at q = 0 and q = 1.
pub const ALG_2: Claim = Claim {
    id: "decor-alg-2",
    place: "§4, Algorithm 2",
    kind: Kind::Algorithm,
    statement: "Algorithm 2 returns 2C² max_i Σ_ii (I), resp. its maximum over single deletions \
        (II), with Σ = (σ_cdp² I + σ_cor² L)⁻¹",
    hypotheses: "σ_cdp > 0, σ_cor ≥ 0 (standard deviations), n ≥ 1 (I), n ≥ 2 (II)",
    rests_on: &["decor-thm-6-num"],
    by_hand: &[],
    check: alg_2,
};

fn alg_2(c: &Check) -> Verdict {
    accountant(c, 2).proved_on("all graphs, σ_cdp > 0, σ_cor ≥ 0, C ≥ 0; branch II for n ≥ 2")
}

/// `decor-alg-3`. As `decor-alg-2`, for every q < n: there is a group, and at least one user is left.
pub const ALG_3: Claim = Claim {
    id: "decor-alg-3",
    place: "App. A, Algorithm 3",
    kind: Kind::Algorithm,
    statement: "Algorithm 3 returns the maximum over |I| = q of 2C² max_i Σ_ii, Σ = (σ_cdp² \
        I_{n−q} + σ_cor² L(G − I))⁻¹",
    hypotheses: "σ_cdp > 0, σ_cor ≥ 0 (standard deviations), 0 ≤ q < n",
    rests_on: &["decor-thm-6-num"],
    by_hand: &[],
    check: alg_3,
};

fn alg_3(c: &Check) -> Verdict {
    accountant(c, MAX).proved_on("all graphs, 0 ≤ q < n, σ_cdp > 0, σ_cor ≥ 0, C ≥ 0")
}

fn accountant(c: &Check, levels: usize) -> Argument<'_> {
    let factor = Poly::from(c.constant("factor of C²", 2));
    let exact = frac(1, 2) * (2 * v("C")).square() * v("M");
    let defined = |m: &Member| {
        let d = m.resolvent.determinant.coefficients();
        d.first().is_some_and(|x| *x == 1) && d.iter().all(|x| *x >= 0)
    };
    let ranges = (1..=MAX).all(|n| (0..n.min(levels)).all(|q| kept_sets(n, q).all(|s| s != 0)));
    // K_3 at q = 0, 1, 2 and σ_cdp = σ_cor: 1/m + (1 − 1/m)/(1 + m) for m = 3, 2, 1.
    let values = [frac(1, 2), frac(2, 3), frac(1, 1)];
    let complete = (0..3).all(|q| {
        let left = Graph::complete(3 - q);
        Resolvent::of(&left).largest(&Rational::from(1)).as_ref() == Some(&values[q])
    });
    Argument::new(c)
        .positive(&["C", "M"])
        .states_equal(
            "the returned number is ½(2C)²M",
            factor * v("C").square() * v("M"),
            &exact,
        )
        .needs_that(
            "the inverse exists for all σ_cor²/σ_cdp² ≥ 0 on all graphs with n ≤ 7",
            (1..=MAX).flat_map(graphs).all(defined),
        )
        .needs_that(
            "every loop has an index, every maximum an element, n ≤ 7",
            ranges,
        )
        .needs_that("values on K_3 for q = 0, 1, 2", complete)
        .note("any n: σ_cdp² I + σ_cor² L is positive definite (decor-fact-cov)")
}

/// `decor-alg-2-reading-variance`. The input line calls σ_cdp, σ_cor variances, and line 3 squares
/// them. If they are variances, the result is wrong: one user with variance 2 has the slope C², and
/// the algorithm returns C²/2.
pub const ALG_2_READING_VARIANCE: Claim = Claim {
    id: "decor-alg-2-reading-variance",
    place: "§4, Algorithm 2, input line (also Algorithm 3)",
    kind: Kind::Algorithm,
    statement: "Algorithm 2 returns the slope when its inputs σ_cdp, σ_cor are variances",
    hypotheses: "σ_cdp > 0",
    check: alg_2_reading_variance,
    ..Claim::ALONE
};

fn alg_2_reading_variance(c: &Check) -> Verdict {
    let power = c.constant("power of σ_cdp in line 3", 2);
    let variance = Rational::from(2);
    let used = i32::try_from(power.numer()).map_or(variance.clone(), |e| {
        rug::ops::Pow::pow(variance.clone(), e)
    });
    let (returned, exact) = (2 / used, 2 / variance);
    Argument::new(c)
        .repaired("decor-alg-2")
        .states_that("one user, variance 2, C = 1", returned >= exact, || {
            format!("the slope is {exact}, the algorithm returns {returned}")
        })
        .proved_on("one instance only")
}

/// `decor-alg-4`. X⁺ = X^{t+1/2}W has the columns Σ_j W_ji x_j, line 6 of Algorithm 1 has Σ_j W_ij x_j:
/// equal for the symmetric W of Definition 2, not for the weights of §6 on irregular graphs. Without
/// clipping (it is inactive where all gradients have norm ≤ C) the other lines agree.
pub const ALG_4: Claim = Claim {
    id: "decor-alg-4",
    place: "App. B.1, Algorithm 4",
    kind: Kind::PathwiseInequality,
    statement: "Algorithm 4 is Algorithm 1 in matrix form: X^(t+1/2) = X − η(∂ℓ + N + N̄), X⁺ = \
        X^(t+1/2) W",
    hypotheses: "W a mixing matrix, all gradients of norm ≤ C",
    rests_on: &["decor-alg-1"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-base-ldp`. Without pair noise every message is a Gaussian mechanism with sensitivity 2C.
pub const BASE_LDP: Claim = Claim {
    id: "decor-base-ldp",
    place: "App. D.1; §2",
    kind: Kind::Calibration,
    statement: "the LDP baseline (σ_cor = 0, σ_cdp = C√2/√s) is s-zCDP in every step",
    hypotheses: "s > 0, C > 0",
    rests_on: &["decor-lem-4"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-base-cdp`. The sum of the messages has variance nσ_cdp² and moves by 2C at most.
pub const BASE_CDP: Claim = Claim {
    id: "decor-base-cdp",
    place: "App. D.1; §2",
    kind: Kind::Calibration,
    statement: "the release of the average of the CDP baseline (σ_cor = 0, σ_cdp = C√2/√(ns)) is \
        s-zCDP in every step",
    hypotheses: "s > 0, C > 0, n ≥ 1",
    rests_on: &["decor-lem-4"],
    by_hand: &[],
    check: by_kernel,
};
