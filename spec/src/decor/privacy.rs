//! Appendix A: one step of the algorithm as a Gaussian mechanism, and Theorem 6.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::catalogue::{MAX, connected, graphs};
use crate::decor::finite::{coin, four_coins, mixed, moment};
use crate::decor::graph::Graph;
use crate::decor::matrix::Matrix;
use crate::decor::resolvent::Resolvent;
use crate::decor::steps::{Algebra, frac, inv, k, v};
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
    statement: "given the previous transcript, another dataset of user i moves only g_i, and ‖g_i − g'_i‖ ≤ 2C",
    hypotheses: "gradients clipped at C > 0, user-level replacement, x⁽⁰⁾, W, η, C public; any dimension",
    by_hand: &[],
    check: fact_sens,
    ..Claim::ALONE
};

fn fact_sens(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of C", 2));
    let bound = |clip: &Poly| (&factor * clip).square();
    let [alpha, beta] = ["α", "β"].map(Poly::var);
    // 2C = α + a + β + b, where a = C − α and b = C − β are non-negative.
    let clip = (&alpha + v("a") + &beta + v("b")) * frac(1, 2);
    let distance = (&alpha + &beta).square() - 2 * &alpha * &beta * v("h");
    Argument::new(c)
        .positive(&["C", "α", "β", "a", "b", "h"])
        .states_at_most(
            "opposite gradients of norm C: ‖Cu − (−Cu)‖² ≤ (factor·C)²",
            4 * v("C").square(),
            bound(&v("C")),
        )
        .needs_at_most(
            "(α + β)² − 2αβh ≤ (factor·C)² for α, β ≤ C, h ≥ 0",
            &distance,
            bound(&clip),
        )
        .proved_on("all C > 0, all gradients in any dimension, any graph")
}

/// `decor-fact-cov`. Per coordinate X̃ = x + K v + v̄, so the covariance is σ_cor² K Kᵀ + σ_cdp² I.
/// Edge {i,j} adds 1 to the diagonal entries i and j and −1 to the entries (i,j), (j,i): this is
/// the Laplacian, for any graph; the check also multiplies it out on all graphs with n ≤ 7. It is
/// positive definite because xᵀ(K Kᵀ)x is a sum of squares.
pub const FACT_COV: Claim = Claim {
    id: "decor-fact-cov",
    place: "App. A, eq. (18)",
    kind: Kind::PathwiseInequality,
    statement: "the honest users' messages have covariance σ_cor² L(G_H) + σ_cdp² I, positive definite if σ_cdp > 0",
    hypotheses: "v_ji = −v_ij with independent N(0, σ_cor²) entries over the edges, v̄_i ~ N(0, σ_cdp²) independent of them",
    rests_on: &[],
    by_hand: &[],
    check: fact_cov,
};

fn fact_cov(c: &Check) -> Verdict {
    let mirrored = c.constant("v_ji as a multiple of v_ij", -1);
    // One edge: K has the entries 1 and `mirrored`; the Laplacian of one edge is (1, −1; −1, 1).
    let one = Rational::from(1);
    let square = Rational::from(&mirrored * &mirrored);
    let edge_ok = square == one && mirrored == -1;
    let factorises = |graph: &Graph| {
        let incidence = graph.incidence();
        let product = Matrix::new(graph.n(), |i, j| {
            let terms = incidence.iter().map(|b| Rational::from(&b[i] * &b[j]));
            terms.sum::<Rational>()
        });
        product == graph.laplacian()
    };
    let mut all = (1..=MAX).flat_map(graphs);
    let mut dets = (1..=MAX).flat_map(graphs).map(|m| &m.resolvent.determinant);
    Argument::new(c)
        .states_that(
            "one edge: covariance of (v_ij, v_ji) equals σ_cor² times the Laplacian of the edge",
            edge_ok,
            || format!("with v_ji = {mirrored}·v_ij the entries are 1, {mirrored}, {square}"),
        )
        .needs_that(
            "K Kᵀ = L on all 1252 graphs with n ≤ 7",
            all.all(|m| factorises(&m.graph)),
        )
        .needs_that(
            "det(I + rL) has only non-negative coefficients and is 1 at r = 0 on the same graphs",
            dets.all(|d| d.coefficient(0) == 1 && d.coefficients().iter().all(|x| *x >= 0)),
        )
        .note("a Laplacian is the sum of its edges' Laplacians, so one edge decides all graphs")
        .proved_on("all graphs, all σ_cdp > 0, σ_cor ≥ 0")
}

/// `decor-fact-ones`. Every row of a Laplacian sums to zero, so Σ1 = σ_cdp² 1; the norm is a sum of
/// m squares. The spectrum of Σ⁻¹ follows from that of L because Σ is a polynomial in L.
pub const FACT_ONES: Claim = Claim {
    id: "decor-fact-ones",
    place: "App. A, eq. (20)",
    kind: Kind::PathwiseInequality,
    statement: "Σ⁻¹1 = 1/σ_cdp² and e_i = 1/m + u_i with ⟨u_i, 1⟩ = 0, ‖u_i‖² = 1 − 1/m, m = n − q; Σ⁻¹ has the eigenvalues 1/(σ_cdp² + σ_cor²λ_k)",
    hypotheses: "σ_cdp > 0, any graph on m vertices",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: fact_ones,
};

fn fact_ones(c: &Check) -> Verdict {
    let weight = Poly::from(c.constant("multiple of 1/m in ‖u_i‖²", 1));
    let eigenvalue = Poly::from(c.constant("multiple of 1/σ_cdp²", 1));
    let m = v("m");
    let own = (1 - inv("m")).square();
    let others = (&m - 1) * inv("m") * inv("m");
    let kernel = |g: &Graph| {
        let ones = vec![Rational::from(1); g.n()];
        g.laplacian().apply(&ones).iter().all(|x| *x == 0)
    };
    Argument::new(c)
        .positive(&["m", "s"])
        .states_equal(
            "‖u_i‖² = (1 − 1/m)² + (m − 1)/m²",
            own + others,
            1 - weight * inv("m"),
        )
        .states_equal("⟨u_i, 1⟩ = 1 − m·(1/m)", 1 - &m * inv("m"), 0)
        .states_equal(
            "Σ·(1/σ_cdp²)1 = 1, because L1 = 0",
            v("s") * (eigenvalue * inv("s")),
            1,
        )
        .needs_that(
            "L1 = 0 on all 1252 graphs with n ≤ 7",
            (1..=MAX)
                .flat_map(graphs)
                .all(|member| kernel(&member.graph)),
        )
        .proved_on("all m ≥ 1, all graphs, all σ_cdp > 0")
}

/// `decor-aux-mixture`. User i draws an example before computing g_i, so a step is a mixture of
/// Gaussian mechanisms. (p, q) ↦ p^α q^(1−α) is the perspective of the convex x^α, hence jointly
/// convex; so the moment of two mixtures with the same weights is at most the weighted mean of the
/// components' moments, and D_α at most the largest of the components'. Different sampling laws
/// under D and D' are two such mixtures over the pairs of drawn examples. The algebra is checked
/// for α = 2, two components; for other α > 1 the tangent inequality x^α ≥ 1 + α(x − 1) replaces it.
pub const AUX_MIXTURE: Claim = Claim {
    id: "decor-aux-mixture",
    place: "used in App. A, proof of Theorem 6 (not printed)",
    kind: Kind::Composition,
    statement: "if D_α(P_θ‖Q_θ) ≤ ε for all θ, then D_α of the two mixtures with the same weights is ≤ ε",
    hypotheses: "α > 1",
    check: aux_mixture,
    ..Claim::ALONE
};

fn aux_mixture(c: &Check) -> Verdict {
    let share = c.constant("factor of the mean moment", 1);
    let above = four_coins().find(|[p1, p2, q1, q2]| {
        [2, 3].into_iter().any(|alpha| {
            let of = |p: &Rational, q: &Rational| moment(&coin(p), &coin(q), alpha);
            let whole = moment(&mixed(p1, p2), &mixed(q1, q2), alpha);
            let parts = of(p1, q1)
                .zip(of(p2, q2))
                .map(|(x, y)| (x + y) / 2 * &share);
            whole > parts
        })
    });
    let [p1, p2, q1, q2] = ["p1", "p2", "q1", "q2"].map(Poly::var);
    let (mixed_p, mixed_q) = (&p1 + &p2, &q1 + &q2);
    // (p1+p2)²/(q1+q2) ≤ p1²/q1 + p2²/q2, times q1 q2 (q1+q2); p, q carry the weights.
    let left = mixed_p.square() * &q1 * &q2;
    let right = (p1.square() * &q2 + p2.square() * &q1) * mixed_q;
    let square = (&p1 * &q2 - &p2 * &q1).square();
    Argument::new(c)
        .states_that(
            "mixtures of two coins out of three against two, α = 2 and 3: moment ≤ mean of the moments",
            above.is_none(),
            || format!("the coins {above:?}: the mixture's moment is above {share} times the mean"),
        )
        .needs_equal("right − left is a square", right - left, &square)
        .proved_on("all α > 1, all distributions, all weights")
}

/// `decor-thm-6`, for a differing user outside the group of colluders, as in its proof. Write
/// e_i = 1/m + u_i in an eigenbasis of L(G_H): [Σ⁻¹]_ii = 1/(m s) + Σ_{k≥2} w_k/(s + tλ_k) with
/// w_k ≥ 0 and Σ_{k≥2} w_k = 1 − 1/m (m = n − q, s = σ_cdp², t = σ_cor²); every λ_k ≥ λ₂ ≥ a_q. At
/// m = 1 the second term is absent (a graph on one vertex has no a). On K_n all λ_k are equal: the
/// bound is attained there, for every q.
pub const THM_6: Claim = Claim {
    id: "decor-thm-6",
    place: "App. A, Theorem 6, eq. (13)",
    kind: Kind::MechanismPrivacy,
    statement: "each step is (α, αε)-SecRDP against collusion at level q with ε ≤ 2C²(1/((n−q)σ_cdp²) + (1 − 1/(n−q))/(σ_cdp² + a_q(G)σ_cor²))",
    hypotheses: "α > 1, 0 ≤ q < n, σ_cdp > 0; user-level replacement of a user outside the colluding group",
    rests_on: &[
        "decor-fact-sens",
        "decor-fact-cov",
        "decor-fact-ones",
        "decor-lem-4",
        "decor-lem-5",
        "decor-aux-mixture",
    ],
    by_hand: &[],
    check: thm_6,
};

fn thm_6(c: &Check) -> Verdict {
    attained_by_complete_graphs(c).proved_on(
        "all graphs, all 0 ≤ q < n, all i outside the group, all σ_cdp > 0, σ_cor ≥ 0, C ≥ 0, α > 1",
    )
}

/// The bound with m vertices left: it is attained by K_m (whose a is m) and its terms are right.
/// For Theorem 1 m is n (q = 0) and n − 1 (q = 1): deleting vertices of K_n leaves K_m.
pub(super) fn attained_by_complete_graphs(c: &Check) -> Argument<'_> {
    // The bound divided by C² and multiplied by m s (s + a t), m = 1 + l.
    let factor = Poly::from(c.constant("factor of C²", 2));
    let weight = Poly::from(c.constant("multiple of 1/(n−q) that is taken away", 1));
    let slope = Poly::from(c.constant("multiple of a_q σ_cor²", 1));
    let [l, s, t] = ["l", "s", "t"].map(Poly::var);
    let m = &l + 1;
    let decayed = &s + &slope * &m * &t;
    let scaled = &factor * (&decayed + (&m - &weight) * &s);
    // K_m: [Σ⁻¹]_ii = 1/(m s) + (1 − 1/m)/(s + m t); both sides times m s (s + mt)(s + slope·mt).
    let exact = 2 * (&s + &m * &t + &l * &s);
    let term = |g: Poly| &s + &t * (v("a") + g);
    Argument::new(c)
        .positive(&["l", "s", "t", "a", "g"])
        .states_at_most(
            "K_m, m = 1 + l, attains the bound",
            exact * decayed,
            scaled * (&s + &m * &t),
        )
        .needs_at_most(
            "1/(s + tλ) ≤ 1/(s + ta) for λ = a + g",
            term(k(0)),
            term(v("g")),
        )
}

/// `decor-thm-6-reading-all`. Definition 1 speaks of all adjacent datasets, so also of those that
/// differ in a colluder's data. Given the secrets that touch I, a colluder's message is
/// g_i + v̄_i plus known numbers: the step against user i ∈ I has the slope 2C²/σ_cdp² exactly.
pub const THM_6_READING_ALL: Claim = Claim {
    id: "decor-thm-6-reading-all",
    place: "App. A, Theorem 6 with Definition 1 taken literally",
    kind: Kind::MechanismPrivacy,
    statement: "the bound of Theorem 6 also holds for adjacent datasets that differ in the data of a colluding user",
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
    statement: "the exact per-step slope given the group I is 2C² max_i [Σ⁻¹]_ii, and Algorithm 3 returns its maximum over I",
    hypotheses: "σ_cdp > 0, differing user outside I",
    rests_on: &[
        "decor-fact-sens",
        "decor-fact-cov",
        "decor-lem-4",
        "decor-aux-mixture",
    ],
    by_hand: &[
        "no smaller number is true of the messages than of user i's own with the noise: where the step size is not 0 they are that, what is known added",
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
