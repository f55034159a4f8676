//! How the exact slope depends on the graph and on the noise: bounds for single vertices, monotony,
//! the one function of σ_cor²/σ_cdp² behind the accountant, and the search for noise scales.

use crate::arith::Poly;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::{MAX, Member, graphs};
use crate::decor::steps::{Algebra, inv};
use crate::prove::{Argument, enumerate};

/// These claims.
pub(super) const CLAIMS: [Claim; 5] = [DRV_1, DRV_4, DRV_5, D1_MONO, D1_INTERVAL];

/// `decor-drv-1`. Adding an edge adds t bbᵀ to Σ; by Sherman–Morrison M_jj falls by t(Mb)_j²/(1 + t
/// bᵀMb) ≥ 0. So M_jj is at most its value without edges, 1/s, and at least its value on the complete
/// graph of the component, which is at least 1/(s_j s); M_jj ≥ 1/Σ_jj is Cauchy–Schwarz. (So
/// correlated noise helps on disconnected graphs too: on two separate edges σ_cor = σ_cdp leaves 2/3 of the slope.)
pub const DRV_1: Claim = Claim {
    id: "decor-drv-1",
    place: "derived; bounds for the diagonal of Σ⁻¹",
    kind: Kind::Calibration,
    statement: "1/(s_j σ_cdp²) ≤ [Σ⁻¹]_jj ≤ 1/σ_cdp² and [Σ⁻¹]_jj ≥ 1/(σ_cdp² + deg(j)σ_cor²), s_j \
        the size of j's component; the diagonal adds up to Σ_k 1/(σ_cdp² + σ_cor²λ_k); adding an \
        edge never raises an entry of the diagonal",
    hypotheses: "σ_cdp > 0, σ_cor ≥ 0, any graph; λ_k the eigenvalues of L, in an orthonormal \
        eigenbasis",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-drv-4`. With u = √(Ts) and z = √log(1/δ): ε = u² + 2uz = (u + z)² − z².
pub const DRV_4: Claim = Claim {
    id: "decor-drv-4",
    place: "derived; step 1 of the search in App. D.1",
    kind: Kind::Composition,
    statement: "T steps of slope s are (ε,δ)-SecLDP for ε = Ts + 2√(Ts log(1/δ)), and s = \
        (√(log(1/δ)+ε) − √log(1/δ))²/T inverts this",
    hypotheses: "T ≥ 1, s > 0, δ in (0,1)",
    rests_on: &["decor-cor-12-alpha", "decor-lem-10", "decor-lem-11"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-drv-5`. Σ = σ_cdp²(I + ρL). Every [(I+ρL)⁻¹]_ii is Σ w_k/(1 + ρλ_k) with w_k ≥ 0: convex and
/// non-increasing in ρ, and so is the maximum φ over i and I; the limit is the weight of the kernel
/// of L, 1/size of the component. Solving s = 2C²φ/σ_cdp² for σ_cdp gives all couples without a search.
pub const DRV_5: Claim = Claim {
    id: "decor-drv-5",
    place: "derived; replaces the search in App. D.1",
    kind: Kind::Calibration,
    statement: "the accountant's slope is 2(C/σ_cdp)²φ_q(ρ), ρ = σ_cor²/σ_cdp²; φ_q is convex and \
        non-increasing from 1 to 1/(size of the smallest component left); σ_cdp² = 2C²φ_q(ρ)/s, \
        σ_cor² = ρσ_cdp² has slope s for every ρ ≥ 0",
    hypotheses: "σ_cdp > 0, C > 0, 0 ≤ q < n",
    rests_on: &["decor-thm-6-num", "decor-lem-5"],
    by_hand: &[
        "each entry is a mixture of convex functions of ρ, and a maximum of convex functions is \
            convex",
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
/// each 1/(1 + rλ) does.
pub const D1_MONO: Claim = Claim {
    id: "decor-D1-mono",
    place: "App. D.1",
    kind: Kind::Calibration,
    statement: "the output of Algorithms 2 and 3 is non-increasing in σ_cor for fixed σ_cdp",
    hypotheses: "σ_cdp > 0, any graph",
    rests_on: &["decor-lem-5"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-D1-interval`. 2C²/(nσ_cdp²) ≤ s ≤ 2C²/σ_cdp² because 1/n ≤ φ_q ≤ 1 (`decor-drv-1`). The upper
/// end is reached at σ_cor = 0; the lower one is not reached at any finite σ_cor (n ≥ 2).
pub const D1_INTERVAL: Claim = Claim {
    id: "decor-D1-interval",
    place: "App. D.1, step 2",
    kind: Kind::Calibration,
    statement: "every σ_cdp that reaches the slope s_iter lies between C√2/√(n s_iter) and \
        C√2/√s_iter",
    hypotheses: "n ≥ 1, any graph, adversaries I and II",
    rests_on: &["decor-drv-1", "decor-drv-5"],
    by_hand: &[],
    check: by_kernel,
};
