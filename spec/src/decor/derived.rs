//! Derived facts that solvers and audits rely on: the exact trade-off, special graphs, exact moments.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::{Member, connected};
use crate::decor::graph::Graph;
use crate::decor::matrix::{Matrix, dot, sum};
use crate::decor::steps::{Algebra, frac, inv, v};
use crate::prove::Argument;

/// These claims.
pub(super) const CLAIMS: [Claim; 6] = [AUX_SIMULATE, DRV_2, DRV_6, DRV_8, DRV_9, DRV_10];

/// `decor-aux-simulate`. Let the step's shift, whitened, be ρμ times a unit vector e with 0 ≤ ρ ≤ 1,
/// chosen from the transcript so far. From z ~ N(bμ, 1), b ∈ {0,1}, and fresh w ~ N(0,1) the variable
/// ρz + √(1−ρ²)w is N(bρμ, 1); with fresh noise orthogonal to e this is the step's message. So the
/// whole transcript is computed from T independent z's, whose sum is sufficient for b: N(bTμ, T).
pub const AUX_SIMULATE: Claim = Claim {
    id: "decor-aux-simulate",
    place: "used for decor-drv-2 (not printed)",
    kind: Kind::Composition,
    statement: "T adaptive Gaussian steps with whitened shifts of norm ≤ μ are a post-processing \
        of N(0,1) against N(μ√T, 1)",
    hypotheses: "fresh noise in every step; the shift may depend on the transcript",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-drv-2`. The whitened shift of user i's step has norm ≤ 2C√M_ii, M = Σ_H⁻¹. The pair
/// ℓ = ⟨ξ, x⟩ with ξ = ±Cu attains it: the statistic Σ_t e_iᵀM y_t has the means ±TCM_ii and, because
/// M Σ M = M, the variance T M_ii.
pub const DRV_2: Claim = Claim {
    id: "decor-drv-2",
    place: "derived; audit pair",
    kind: Kind::MechanismPrivacy,
    statement: "against group I, T steps are exactly as private for user i as N(0,1) against \
        N(μ,1) with μ = 2C√(T[Σ_H⁻¹]_ii): δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ)",
    hypotheses: "fresh noise in every step, σ_cdp > 0, i outside I, user-level replacement",
    rests_on: &["decor-aux-simulate", "decor-fact-sens", "decor-fact-cov"],
    by_hand: &[
        "no more is revealed, by decor-aux-simulate",
        "gradients ±Cu attain it through Σ_t e_iᵀMy_t, as MΣM = M (computed for n ≤ 5)",
        "the privacy profile of a Gaussian pair is the stated one",
    ],
    check: drv_2,
};

fn drv_2(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C√(TM)", 2));
    let [steps, clip, m] = ["T", "C", "M"].map(Poly::var);
    let apart = 2 * &steps * &clip * &m;
    let ratio = apart.square() * inv("T") * inv("M");
    let claimed = factor.square() * clip.square() * &steps * &m;
    let r = frac(5, 3);
    let sandwich = |member: &Member| {
        let g = &member.graph;
        let cov = Matrix::identity(g.n()).plus(&g.laplacian().scaled(&r));
        cov.inverse().is_some_and(|m| m.times(&cov).times(&m) == m)
    };
    Argument::new(c)
        .positive(&["T", "C", "M"])
        .states_equal("(difference of means)²/variance = μ²", &ratio, &claimed)
        .needs_that(
            "MΣM = M on all connected graphs with n ≤ 5",
            (1..=5).flat_map(connected).all(sandwich),
        )
        .proved_on("all graphs, groups, users outside them, T ≥ 1, C > 0, σ_cdp > 0, σ_cor ≥ 0")
}

/// `decor-drv-6`. Rows i and k of W_self have k + 1 entries 1/(k+1) on the closed neighbourhoods, which
/// share i, k and the λ common neighbours. ‖W − J‖² = ‖W‖² − 1 because WJ = J.
pub const DRV_6: Claim = Claim {
    id: "decor-drv-6",
    place: "derived; regular graphs",
    kind: Kind::PathwiseInequality,
    statement: "on a k-regular graph with W_self an edge with λ common neighbours has ‖W_i − W_k‖² \
        = 2(k−1−λ)/(k+1)²; H is the edge average of (k−1−λ)/(k+1)²; ‖W−J‖_F² = n/(k+1) − 1",
    hypotheses: "k ≥ 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-drv-8`. Linear maps of independent centred noise: means and covariances transform as stated.
/// Checked against the exact law of two steps with two-point noise (the recursion uses second moments
/// only) on the path with 2 vertices, for unequal h and for equal h with two values of σ_cor.
pub const DRV_8: Claim = Claim {
    id: "decor-drv-8",
    place: "derived; exact error on linear gradients",
    kind: Kind::ExpectationBound,
    statement: "m⁺ = W(m − η(Dm − c)), C⁺ = W[(I−ηD)C(I−ηD) + η²(σ_cdp²I + σ_cor²L)]Wᵀ; E L(x̄) − \
        L_* = (h̄/2)(‖m̄ − x_*‖² + d·1ᵀC1/n²); for equal h_i the law of x̄ does not depend on \
        σ_cor",
    hypotheses: "∇L_i(x) = h_i x − c_i, no clipping, no sampling, W a mixing matrix; h̄ > 0 for E \
        L(x̄), as else nothing is least",
    rests_on: &[],
    by_hand: &[
        "linear maps of independent centred noise have these moments for any n, d and T (two users \
            and two steps are enumerated)",
    ],
    check: drv_8,
};

fn drv_8(c: &Check) -> Verdict {
    let factor = c.constant("factor of η²", 1);
    let agrees = |h: [i32; 2], pair: i32| {
        let told = recursion(h, pair, &factor);
        told == enumerated(h, pair)
    };
    let average = |pair: i32| sum(recursion([2, 2], pair, &factor).iter().cloned());
    Argument::new(c)
        .states_that(
            "two users, two steps: covariance by recursion = exact covariance",
            agrees([1, 3], 2),
            || {
                format!(
                    "recursion {:?}, exact {:?}",
                    recursion([1, 3], 2, &factor),
                    enumerated([1, 3], 2)
                )
            },
        )
        .needs_that("also for equal h and another σ_cor", agrees([2, 2], 5))
        .needs_that(
            "equal h: 1ᵀC1 does not depend on σ_cor",
            average(0) == average(5),
        )
        .needs_equal(
            "h̄x²/2 at m + z, E z = 0, E z² = V: (h̄/2)(m² + V), two-point noise",
            frac(1, 2) * ((v("m") + v("z")).square() + (v("m") - v("z")).square()),
            v("m").square() + v("z").square(),
        )
        .note("any n, d, T: linear maps of independent centred noise")
        .proved_on("all n, d, T, h, c, W, σ_cdp, σ_cor")
}

const STEP: (i32, u32) = (1, 4);

/// W = (3/4, 1/4; 1/4, 3/4), η = 1/4, σ_cdp = 1, σ_cor = `pair`: the entries of C after two steps.
fn recursion(h: [i32; 2], pair: i32, factor: &Rational) -> Vec<Rational> {
    let eta = Rational::from(STEP);
    let w = Matrix::new(2, |i, j| if i == j { frac(3, 4) } else { frac(1, 4) });
    let decay = Matrix::new(2, |i, j| {
        if i == j {
            1 - Rational::from(&eta * h[i])
        } else {
            Rational::new()
        }
    });
    let noise = Matrix::identity(2).plus(
        &Graph::path(2)
            .laplacian()
            .scaled(&Rational::from(pair * pair)),
    );
    let noise = noise.scaled(&(eta.clone().square() * factor));
    let mut cov = Matrix::new(2, |_, _| Rational::new());
    for _ in 0..2 {
        let inner = decay.times(&cov).times(&decay).plus(&noise);
        cov = w.times(&inner).times(&w.transpose());
    }
    (0..2).flat_map(|i| cov.row(i).to_vec()).collect()
}

/// The same covariance from all 64 outcomes of two-point noise, starting at 0 with c = 0.
fn enumerated(h: [i32; 2], pair: i32) -> Vec<Rational> {
    let eta = Rational::from(STEP);
    let mut second = vec![Rational::new(); 4];
    for word in 0..64u32 {
        let sign = |bit: u32| if word >> bit & 1 == 1 { 1 } else { -1 };
        let mut x = [Rational::new(), Rational::new()];
        for t in 0..2 {
            let shared = pair * sign(3 * t + 2);
            let noise = [sign(3 * t) + shared, sign(3 * t + 1) - shared];
            let half: Vec<_> = (0..2)
                .map(|i| x[i].clone() - &eta * (Rational::from(&x[i] * h[i]) + noise[i]))
                .collect();
            let weights = [[frac(3, 4), frac(1, 4)], [frac(1, 4), frac(3, 4)]];
            x = weights.map(|row| dot(&row, &half));
        }
        for (slot, (i, j)) in second.iter_mut().zip([(0, 0), (0, 1), (1, 0), (1, 1)]) {
            *slot += Rational::from(&x[i] * &x[j]) / 64;
        }
    }
    second
}

/// `decor-drv-9`. The centre's row is 1/n everywhere; a leaf has 1/n at the centre and 1 − 1/n at itself. What is apart by D is after
/// gossip apart by at most 1 − 1/n of it, and two leaves with 1 and −1 by that: 1 − p = (1 − 1/n)².
pub const DRV_9: Claim = Claim {
    id: "decor-drv-9",
    place: "derived; the star with textbook weights",
    kind: Kind::PathwiseInequality,
    statement: "the star with W_MH has p = (2n−1)/n² and H = ½[(1−2/n)² + (n−2)/n²]",
    hypotheses: "n ≥ 3",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-drv-10`. With x = x_* + y and c_i' = h_i x_* − c_i (which add up to 0) the mean squared
/// gradient is mean(c'²) + 2y·mean(hc') + y²mean(h²) ≤ mean(c'²) + mean(hc')²/mean(h²) +
/// 2mean(h²)y², and ∇L = h̄y. Sums: Σi² = n(n+1)(2n+1)/6.
pub const DRV_10: Claim = Claim {
    id: "decor-drv-10",
    place: "derived; constants of the least-squares task",
    kind: Kind::PathwiseInequality,
    statement: "least squares of §6.1: h_i = i²/n, L = n, μ = h̄ = (n+1)(2n+1)/(6n), and \
        Assumption 3 with P = 2mean(h²)/h̄², ζ_*² = mean‖h_ix_*−c_i‖² + ‖mean \
        h_i(h_ix_*−c_i)‖²/mean(h²), M = σ_* = 0",
    hypotheses: "full local gradients, any b_i",
    check: by_kernel,
    ..Claim::ALONE
};
