//! Appendix A: one step of the algorithm as a Gaussian mechanism, and Theorem 6.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::connected;
use crate::decor::graph::Graph;
use crate::decor::matrix::Matrix;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::Argument;

/// The claims of Appendix A about one step, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    FACT_SENS,
    FACT_COV,
    FACT_ONES,
    AUX_MIXTURE,
    THM_6,
    THM_6_READING_ALL,
    THM_6_NUM,
];

/// `decor-fact-sens`. Given the transcript so far all x_j are known functions of it (x⁽⁰⁾, W and η
/// are public), so another dataset of user i changes the law of g_i alone. Clip(g; C) has the norm
/// min{‖g‖, C}; so with norms α, β ≤ C and cosine h − 1 ≥ −1 between the two clipped gradients,
/// ‖g − g'‖² = (α + β)² − 2αβh. Dimension d: the covariance is Σ ⊗ I_d and the shift eᵢ ⊗ u, whose
/// quadratic form is [Σ⁻¹]ᵢᵢ‖u‖², so that d = 1 with |u| = 2C is the worst case.
pub const FACT_SENS: Claim = Claim {
    id: "decor-fact-sens",
    place: "App. A, eq. (17)",
    kind: Kind::Sensitivity,
    statement: "given the previous transcript, another dataset of user i moves only g_i, and ‖g_i \
        − g'_i‖ ≤ 2C",
    hypotheses: "gradients clipped at C > 0, user-level replacement, x⁽⁰⁾, W, η, C public; any \
        dimension",
    by_hand: &[],
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-fact-cov`. Per coordinate X̃ = x + K v + v̄, so the covariance is σ_cor² K Kᵀ + σ_cdp² I.
/// Edge {i,j} adds 1 to the diagonal entries i and j and −1 to the entries (i,j), (j,i): this is
/// the Laplacian, for any graph. It is
/// positive definite because xᵀ(K Kᵀ)x is a sum of squares.
pub const FACT_COV: Claim = Claim {
    id: "decor-fact-cov",
    place: "App. A, eq. (18)",
    kind: Kind::PathwiseInequality,
    statement: "the honest users' messages have covariance σ_cor² L(G_H) + σ_cdp² I, positive \
        definite if σ_cdp > 0",
    hypotheses: "v_ji = −v_ij with independent N(0, σ_cor²) entries over the edges, v̄_i ~ N(0, \
        σ_cdp²) independent of them",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-fact-ones`. Every row of a Laplacian sums to zero, so Σ1 = σ_cdp² 1; the norm is a sum of
/// m squares. The spectrum of Σ⁻¹ follows from that of L because Σ is a polynomial in L.
pub const FACT_ONES: Claim = Claim {
    id: "decor-fact-ones",
    place: "App. A, eq. (20)",
    kind: Kind::PathwiseInequality,
    statement: "Σ⁻¹1 = 1/σ_cdp² and e_i = 1/m + u_i with ⟨u_i, 1⟩ = 0, ‖u_i‖² = 1 − 1/m, m = n − \
        q; Σ⁻¹ has the eigenvalues 1/(σ_cdp² + σ_cor²λ_k)",
    hypotheses: "σ_cdp > 0, any graph on m vertices",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-aux-mixture`. User i draws an example before computing g_i, so a step is a mixture of
/// Gaussian mechanisms. (p, q) ↦ p^α q^(1−α) is the perspective of the convex x^α, hence jointly
/// convex; so the moment of two mixtures with the same weights is at most the weighted mean of the
/// components' moments, and D_α at most the largest of the components'. Different sampling laws
/// under D and D' are two such mixtures over the pairs of drawn examples.
pub const AUX_MIXTURE: Claim = Claim {
    id: "decor-aux-mixture",
    place: "used in App. A, proof of Theorem 6 (not printed)",
    kind: Kind::Composition,
    statement: "if D_α(P_θ‖Q_θ) ≤ ε for all θ, then D_α of the two mixtures with the same weights \
        is ≤ ε",
    hypotheses: "α > 1",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-thm-6`, for a differing user outside the group of colluders, as in its proof. Write
/// e_i = 1/m + u_i in an eigenbasis of L(G_H): [Σ⁻¹]_ii = 1/(m s) + Σ_{k≥2} w_k/(s + tλ_k) with
/// w_k ≥ 0 and Σ_{k≥2} w_k = 1 − 1/m (m = n − q, s = σ_cdp², t = σ_cor²); every λ_k ≥ λ₂ ≥ a_q. At
/// m = 1 the second term is absent (a graph on one vertex has no a). On K_n all λ_k are equal: the
/// bound is attained there, for every q.
pub const THM_6: Claim = Claim {
    id: "decor-thm-6",
    place: "App. A, Theorem 6, eq. (13)",
    kind: Kind::MechanismPrivacy,
    statement: "each step is (α, αε)-SecRDP against collusion at level q with ε ≤ \
        2C²(1/((n−q)σ_cdp²) + (1 − 1/(n−q))/(σ_cdp² + a_q(G)σ_cor²))",
    hypotheses: "α > 1, 0 ≤ q < n, σ_cdp > 0; user-level replacement of a user outside the \
        colluding group",
    rests_on: &[
        "decor-fact-sens",
        "decor-fact-cov",
        "decor-fact-ones",
        "decor-lem-4",
        "decor-lem-5",
        "decor-aux-mixture",
    ],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-thm-6-reading-all`. Definition 1 speaks of all adjacent datasets, so also of those that
/// differ in a colluder's data. Given the secrets that touch I, a colluder's message is
/// g_i + v̄_i plus known numbers: the step against user i ∈ I has the slope 2C²/σ_cdp² exactly.
pub const THM_6_READING_ALL: Claim = Claim {
    id: "decor-thm-6-reading-all",
    place: "App. A, Theorem 6 with Definition 1 taken literally",
    kind: Kind::MechanismPrivacy,
    statement: "the bound of Theorem 6 also holds for adjacent datasets that differ in the data of \
        a colluding user",
    hypotheses: "as Theorem 6, differing user anywhere in [n]",
    rests_on: &["decor-fact-cov", "decor-lem-4"],
    by_hand: &[],
    check: thm_6_reading_all,
};

fn thm_6_reading_all(c: &Check) -> Verdict {
    let factor = c.constant("factor of C²", 2);
    // K_3, q = 1, σ_cdp = σ_cor = C = 1: the group is {0}, a_1 = 2, and user 0 is the differing one.
    let honest = Graph::complete(3).induced(0b110);
    let bound = Resolvent::of(&honest).largest(&Rational::from(1));
    let bound = bound.unwrap_or_default() * factor;
    let true_slope = Rational::from(2);
    Argument::new(c)
        .repaired("decor-thm-6")
        .states_that(
            "K_3, q = 1, differing user 0 in the group {0}",
            true_slope <= bound,
            || format!("σ_cdp = σ_cor = C = 1: the slope is {true_slope}, the bound {bound}"),
        )
        .proved_on("one instance only")
}

/// `decor-thm-6-num`. For a fixed group I the Rényi divergence of the two Gaussian laws is
/// (α/2)(2Ce_i)ᵀΣ⁻¹(2Ce_i) (Lemma 4), the worst i is in the maximum, and the gradients ±C attain
/// it. That the closed form of [Σ⁻¹]_ii agrees with elimination is checked at a rational point.
pub const THM_6_NUM: Claim = Claim {
    id: "decor-thm-6-num",
    place: "App. A, last display of the proof of Theorem 6",
    kind: Kind::MechanismPrivacy,
    statement: "the exact per-step slope given the group I is 2C² max_i [Σ⁻¹]_ii, and Algorithm 3 \
        returns its maximum over I",
    hypotheses: "σ_cdp > 0, differing user outside I",
    rests_on: &[
        "decor-fact-sens",
        "decor-fact-cov",
        "decor-lem-4",
        "decor-aux-mixture",
    ],
    by_hand: &[
        "no smaller number is true of the messages than of user i's own with the noise: where the \
            step size is not 0 they are that, what is known added",
        "Algorithm 3 takes the largest of these slopes over the groups and the users outside",
    ],
    check: thm_6_num,
};

fn thm_6_num(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C²", 2));
    let shift = 2 * v("C");
    let divergence = v("α") * frac(1, 2) * shift.square() * v("M");
    let r = frac(3, 7);
    let agrees = |g: &Graph, resolvent: &Resolvent| {
        let matrix = Matrix::identity(g.n()).plus(&g.laplacian().scaled(&r));
        matrix
            .inverse()
            .is_some_and(|inverse| (0..g.n()).all(|i| resolvent.at(i, &r) == *inverse.at(i, i)))
    };
    Argument::new(c)
        .positive(&["α", "C", "M"])
        .states_equal(
            "(α/2)(2Ce_i)ᵀΣ⁻¹(2Ce_i) = α·2C²[Σ⁻¹]_ii",
            &divergence,
            v("α") * factor * v("C").square() * v("M"),
        )
        .needs_that(
            "closed form and elimination agree on the connected graphs with n ≤ 5",
            (1..=5)
                .flat_map(connected)
                .all(|m| agrees(&m.graph, &m.resolvent)),
        )
        .proved_on("all graphs, groups I, users i outside I, σ_cdp > 0, σ_cor ≥ 0, α > 1")
}
