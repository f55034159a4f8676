//! How the exact slope depends on the graph and on the noise: bounds for single vertices, monotony,
//! the one function of σ_cor²/σ_cdp² behind the accountant, and the search for noise scales.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::catalogue::{MAX, Member, connected, graphs};
use crate::decor::matrix::sum;
use crate::decor::steps::{Algebra, frac, inv, v};
use crate::decor::upoly::UPoly;
use crate::prove::{Argument, enumerate};
use std::sync::OnceLock;

/// These claims.
pub(super) const CLAIMS: [Claim; 5] = [DRV_1, DRV_4, DRV_5, D1_MONO, D1_INTERVAL];

/// `decor-drv-1`. Adding an edge adds t bbᵀ to Σ; by Sherman–Morrison M_jj falls by t(Mb)_j²/(1 + t
/// bᵀMb) ≥ 0. So M_jj is at most its value without edges, 1/s, and at least its value on the complete
/// graph of the component, which is at least 1/(s_j s); M_jj ≥ 1/Σ_jj is Cauchy–Schwarz. All of it is
/// also enumerated with polynomials in r = t/s that hold for all r ≥ 0. (So correlated noise helps on disconnected graphs
/// too: on two separate edges σ_cor = σ_cdp leaves 2/3 of the slope.)
pub const DRV_1: Claim = Claim {
    id: "decor-drv-1",
    place: "derived; bounds for the diagonal of Σ⁻¹",
    kind: Kind::Calibration,
    statement: "1/(s_j σ_cdp²) ≤ [Σ⁻¹]_jj ≤ 1/σ_cdp² and [Σ⁻¹]_jj ≥ 1/(σ_cdp² + deg(j)σ_cor²), s_j the size of j's component; the diagonal adds up to Σ_k 1/(σ_cdp² + σ_cor²λ_k); adding an edge never raises an entry of the diagonal",
    hypotheses: "σ_cdp > 0, σ_cor ≥ 0, any graph; λ_k the eigenvalues of L, in an orthonormal eigenbasis",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: drv_1,
};

fn drv_1(c: &Check) -> Verdict {
    let floor = c.constant("multiple of 1/(s_j σ_cdp²)", 1);
    let found = enumerate((1..=MAX).flat_map(graphs), |m| vertex_bounds(m, &floor));
    let what = format!(
        "{} graphs, all r ≥ 0, bounds and trace",
        found.as_ref().unwrap_or(&0)
    );
    let failure = found.err();
    // (Σ + t bbᵀ)(M − t Mb bᵀM/(1 + tβ)) = I asks t − t/(1 + tβ) − t²β/(1 + tβ) = 0, times 1 + tβ.
    let [t, beta] = ["t", "β"].map(Poly::var);
    let identity = &t * (1 + &t * &beta) - &t - t.square() * &beta;
    Argument::new(c)
        .states_that(&what, failure.is_none(), || failure.unwrap_or_default())
        .needs_equal("Sherman–Morrison for one edge", &identity, 0)
        .proved_on("all graphs, all σ_cdp > 0, σ_cor ≥ 0")
}

fn vertex_bounds(member: &Member, floor: &Rational) -> Option<String> {
    let (n, resolvent) = (member.graph.n(), &member.resolvent);
    let determinant = &resolvent.determinant;
    let nonnegative = |p: &UPoly| p.coefficients().iter().all(|x| *x >= 0);
    for (j, diagonal) in resolvent.diagonal.iter().enumerate() {
        let size = member.graph.component(j).count_ones();
        let degree = Rational::from(member.graph.degree(j));
        let at_most_one = determinant.plus_scaled(&Rational::from(-1), diagonal);
        let share = -Rational::from(floor / size);
        let above_floor = diagonal.plus_scaled(&share, determinant);
        let line = UPoly::new(vec![Rational::from(1), degree]);
        let above_degree = diagonal
            .times(&line)
            .plus_scaled(&Rational::from(-1), determinant);
        let bounds = [&at_most_one, &above_floor, &above_degree];
        if !bounds.into_iter().all(nonnegative) {
            return Some(format!("{:?}, vertex {j}, r = 0 or r → ∞", member.graph));
        }
    }
    // Σ_i N_i = nD − rD'.
    let coefficient = |k: usize| sum(resolvent.diagonal.iter().map(|p| p.coefficient(k)));
    let trace = (0..=n).all(|k| {
        let expected = determinant.coefficient(k) * (n as i32 - k as i32);
        coefficient(k) == expected
    });
    (!trace).then(|| format!("{:?}: trace", member.graph))
}

/// `decor-drv-4`. With u = √(Ts) and z = √log(1/δ): ε = u² + 2uz = (u + z)² − z².
pub const DRV_4: Claim = Claim {
    id: "decor-drv-4",
    place: "derived; step 1 of the search in App. D.1",
    kind: Kind::Composition,
    statement: "T steps of slope s are (ε,δ)-SecLDP for ε = Ts + 2√(Ts log(1/δ)), and s = (√(log(1/δ)+ε) − √log(1/δ))²/T inverts this",
    hypotheses: "T ≥ 1, s > 0, δ in (0,1)",
    rests_on: &["decor-cor-12-alpha", "decor-lem-10", "decor-lem-11"],
    by_hand: &[],
    check: drv_4,
};

fn drv_4(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of √(Ts log(1/δ))", 2));
    let [u, z] = ["√(Ts)", "z"].map(Poly::var);
    let epsilon = u.square() + factor * &u * &z;
    Argument::new(c)
        .positive(&["√(Ts)", "z"])
        .states_equal(
            "log(1/δ) + ε = (√(Ts) + √log(1/δ))²",
            z.square() + epsilon,
            (&u + &z).square(),
        )
        .note("the value at the best α is decor-cor-12-alpha with 2C²S = s")
        .proved_on("all T ≥ 1, s > 0, δ in (0,1)")
}

/// `decor-drv-5`. Σ = σ_cdp²(I + ρL). Every [(I+ρL)⁻¹]_ii is Σ w_k/(1 + ρλ_k) with w_k ≥ 0: convex and
/// non-increasing in ρ, and so is the maximum φ over i and I; the limit is the weight of the kernel
/// of L, 1/size of the component. Solving s = 2C²φ/σ_cdp² for σ_cdp gives all couples without a search.
pub const DRV_5: Claim = Claim {
    id: "decor-drv-5",
    place: "derived; replaces the search in App. D.1",
    kind: Kind::Calibration,
    statement: "the accountant's slope is 2(C/σ_cdp)²φ_q(ρ), ρ = σ_cor²/σ_cdp²; φ_q is convex and non-increasing from 1 to 1/(size of the smallest component left); σ_cdp² = 2C²φ_q(ρ)/s, σ_cor² = ρσ_cdp² has slope s for every ρ ≥ 0",
    hypotheses: "σ_cdp > 0, C > 0, 0 ≤ q < n",
    rests_on: &["decor-thm-6-num", "decor-lem-5"],
    by_hand: &[
        "each entry is a mixture of convex functions of ρ, and a maximum of convex functions is convex",
        "the limit ρ → ∞ on every graph (n ≤ 7 is enumerated)",
        "midpoint convexity at any point follows by rescaling",
    ],
    check: drv_5,
};

fn drv_5(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C²φ/s", 2));
    let [clip, phi, s] = ["C", "φ", "s"].map(Poly::var);
    let variance = factor * clip.square() * &phi * inv("s");
    // The slope of (σ_cdp, σ_cor) is 2C²φ/σ_cdp²; asked is slope·σ_cdp² = s·σ_cdp².
    let found = enumerate((1..=MAX).flat_map(graphs), |m| limits(m));
    // 1/(1 + ρλ): the chord from 0 to 2h lies above the middle, times (1 + hλ)(1 + 2hλ).
    let [h, l] = ["h", "λ"].map(Poly::var);
    let middle = 2 * (1 + 2 * &h * &l);
    let ends = (1 + 2 * &h * &l) * (1 + &h * &l) + (1 + &h * &l);
    Argument::new(c)
        .positive(&["C", "φ", "s", "h", "λ"])
        .states_equal("s·σ_cdp² = 2C²φ", &s * variance, 2 * clip.square() * &phi)
        .needs_at_most("each 1/(1 + ρλ) is midpoint convex from 0", &middle, &ends)
        .needs_that(
            "limits 1 (ρ = 0) and 1/(size of the component) (ρ → ∞) on all graphs with n ≤ 7",
            found.is_ok(),
        )
        .note("convexity at any point follows by replacing 1 with 1 + ρ₀λ")
        .proved_on("all graphs, 0 ≤ q < n, C > 0, s > 0, ρ ≥ 0")
}

/// The values at r = 0 and in the limit r → ∞ (the ratio of the leading coefficients).
pub(super) fn limits(member: &Member) -> Option<String> {
    let determinant = &member.resolvent.determinant;
    let top = determinant.degree()?;
    let bad = member.resolvent.diagonal.iter().enumerate().find(|(j, p)| {
        let limit = p.coefficient(top) / determinant.coefficient(top);
        let size = member.graph.component(*j).count_ones();
        p.coefficient(0) != 1 || limit * size != 1
    });
    bad.map(|(j, _)| format!("{:?}, vertex {j}", member.graph))
}

/// `decor-D1-mono`. Σ grows with σ_cor² by a multiple of the positive semidefinite L, so Σ⁻¹ falls:
/// with N/D for [(I+rL)⁻¹]_ii the numerator N D' − N'D of minus the derivative has no negative
/// coefficient (enumerated); for all graphs each 1/(1 + rλ) falls.
pub const D1_MONO: Claim = Claim {
    id: "decor-D1-mono",
    place: "App. D.1",
    kind: Kind::Calibration,
    statement: "the output of Algorithms 2 and 3 is non-increasing in σ_cor for fixed σ_cdp",
    hypotheses: "σ_cdp > 0, any graph",
    rests_on: &["decor-lem-5"],
    by_hand: &[],
    check: d1_mono,
};

fn d1_mono(c: &Check) -> Verdict {
    let sign = c.constant("the output falls (1) or grows (−1)", 1);
    let (falls, grows) = directions();
    let holds = if sign > 0 { !grows } else { !falls };
    let [h, l, r] = ["h", "λ", "r"].map(Poly::var);
    Argument::new(c)
        .positive(&["r", "h", "λ"])
        .states_that("1252 graphs, every vertex, all r ≥ 0", holds, || {
            "K_2: d/dr of the diagonal entry (1 + r)/(1 + 2r) has the other sign".to_owned()
        })
        .needs_at_most("1 + rλ ≤ 1 + (r + h)λ", 1 + &r * &l, 1 + (&r + h) * &l)
        .proved_on("all graphs, all q, all σ_cdp > 0, σ_cor ≥ 0")
}

/// Whether N D' − N'D has a positive coefficient on some catalogued graph, and a negative one.
fn directions() -> (bool, bool) {
    static FOUND: OnceLock<(bool, bool)> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let mut found = (false, false);
        for member in (1..=MAX).flat_map(graphs) {
            let determinant = &member.resolvent.determinant;
            let slope = determinant.derivative();
            for p in &member.resolvent.diagonal {
                let other = p.derivative().times(determinant);
                let drop = p.times(&slope).plus_scaled(&Rational::from(-1), &other);
                found.0 |= drop.coefficients().iter().any(|x| *x > 0);
                found.1 |= drop.coefficients().iter().any(|x| *x < 0);
            }
        }
        found
    })
}

/// `decor-D1-interval`. 2C²/(nσ_cdp²) ≤ s ≤ 2C²/σ_cdp² because 1/n ≤ φ_q ≤ 1 (`decor-drv-1`). The upper
/// end is reached at σ_cor = 0; the lower one is not reached at any finite σ_cor (n ≥ 2).
pub const D1_INTERVAL: Claim = Claim {
    id: "decor-D1-interval",
    place: "App. D.1, step 2",
    kind: Kind::Calibration,
    statement: "every σ_cdp that reaches the slope s_iter lies between C√2/√(n s_iter) and C√2/√s_iter",
    hypotheses: "n ≥ 1, any graph, adversaries I and II",
    rests_on: &["decor-drv-1", "decor-drv-5"],
    by_hand: &[],
    check: d1_interval,
};

fn d1_interval(c: &Check) -> Verdict {
    let two = c.constant("(C√2)²/C²", 2);
    let factor = Poly::from(two);
    // σ_cdp² s/C² = 2φ, and φ = (1 + x)/n with 0 ≤ x, φ + y = 1.
    let low = 2 * inv("n") * (1 + v("x"));
    let high = 2 * (1 - v("y"));
    Argument::new(c)
        .positive(&["n", "x", "y"])
        .states_at_most(
            "lower end, one-user limit φ = 1/n",
            &factor * inv("n"),
            2 * inv("n"),
        )
        .states_at_most("upper end, σ_cor = 0", 2, &factor)
        .needs_at_most("lower end for all φ ≥ 1/n", &factor * inv("n"), &low)
        .needs_at_most("upper end for all φ ≤ 1", &high, &factor)
        .needs_that(
            "1/n ≤ φ ≤ 1 on the connected graphs with n ≤ 7 at r = 1",
            (1..=MAX).flat_map(connected).all(within),
        )
        .proved_on("all graphs, all n ≥ 1, all s_iter > 0, C > 0")
}

fn within(member: &Member) -> bool {
    let phi = member
        .resolvent
        .largest(&Rational::from(1))
        .unwrap_or_default();
    let floor = frac(1, member.graph.n() as u32);
    phi >= floor && phi <= 1
}
