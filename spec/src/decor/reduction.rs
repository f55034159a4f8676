//! Appendix B: the pair noise cancels in the average, and Lemma 8 on what is left of it after gossip.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict};
use crate::decor::catalogue::{MAX, Member, connected, graphs};
use crate::decor::graph::Graph;
use crate::decor::graphs::{columns_apart, rows_apart, symbols};
use crate::decor::matrix::{Matrix, sum};
use crate::decor::mixing::{heterogeneity, heterogeneity_of_rows, metropolis_hastings, printed};
use crate::decor::steps::{Algebra, frac, v};
use crate::prove::{Argument, enumerate};

/// The claims about the pair noise, in the paper's order.
pub(super) const CLAIMS: [Claim; 9] = [
    FACT_CANCEL,
    LEM_8A,
    LEM_8A_REPAIRED,
    LEM_8C,
    LEM_8B,
    LEM_8B_REPAIRED,
    LEM_8B_PROOF,
    LEM_8B_READING_MH,
    LEM_8B_READING_MH_REPAIRED,
];

/// `decor-fact-cancel`. Each edge contributes v_ij + v_ji = 0, and Σ_i Σ_j W_ij y_j = Σ_j y_j for
/// column sums one; with W = 11ᵀ/n every user holds the average after gossip. The weights printed in
/// §6 do not have column sums one (`decor-def-2-weights-reading-a`).
pub const FACT_CANCEL: Claim = Claim {
    id: "decor-fact-cancel",
    place: "App. B.4, eq. (33); §3",
    kind: Kind::PathwiseInequality,
    statement: "Σ_i Σ_{j∈N_i} v_ij = 0, so x̄⁺ = x̄ − (η/n)Σ∇ℓ − (η/n)Σv̄_i on every run; on K_n with W = 11ᵀ/n the pair noise leaves every x_i⁺",
    hypotheses: "v_ji = −v_ij, W a mixing matrix (Definition 2)",
    rests_on: &["decor-def-2"],
    by_hand: &[],
    check: fact_cancel,
};

fn fact_cancel(c: &Check) -> Verdict {
    let mirrored = Poly::from(c.constant("v_ji as a multiple of v_ij", -1));
    let pair = v("v_ij");
    let column_sums = |m: &Member| {
        let w = metropolis_hastings(&m.graph).transpose();
        (0..w.n()).all(|j| sum(w.row(j).iter().cloned()) == 1)
    };
    let cancels = |m: &Member| {
        let columns = m.graph.incidence();
        columns
            .into_iter()
            .all(|column| column.into_iter().sum::<Rational>() == 0)
    };
    // Two users, W = (a, 1−a; 1−a, a): the mean of Wy is the mean of y.
    let [a, y1, y2] = ["a", "y1", "y2"].map(Poly::var);
    let b = 1 - &a;
    let mixed = &a * &y1 + &b * &y2 + &b * &y1 + &a * &y2;
    Argument::new(c)
        .states_equal("v_ij + v_ji = 0 for each edge", &pair + mirrored * &pair, 0)
        .needs_that(
            "the noise of every pair adds up to 0 over the users of all 1252 graphs with n ≤ 7",
            (1..=MAX).flat_map(graphs).all(cancels),
        )
        .needs_equal("gossip keeps the average: two users", &mixed, &y1 + &y2)
        .needs_that(
            "textbook weights have column sums one on all graphs with n ≤ 7",
            (1..=MAX).flat_map(graphs).all(column_sums),
        )
        .note("any n: exchange the two sums")
        .proved_on("all graphs, all mixing matrices, all runs without active clipping")
}

/// `decor-lem-8a`, with W_i the i-th column of W, as §5.2 prints it. Rows of N are N(0, σ_cor²L), so
/// E‖NW‖² = dσ_cor² tr(WᵀLW), which is the sum over the edges of the squared distances of *rows*.
/// For symmetric W, and so for every mixing matrix, rows are columns and the identity holds.
pub const LEM_8A: Claim = Claim {
    id: "decor-lem-8a",
    place: "App. B, Lemma 8, first equality",
    kind: Kind::ExpectationBound,
    statement: "E‖NW‖_F² = H_G(W)·E‖N‖_F² for any undirected graph and any matrix W, with W_i in H the i-th column",
    hypotheses: "at least one edge",
    rests_on: &["decor-fact-cov", "decor-def-H"],
    by_hand: &[],
    check: lem_8a,
};

fn lem_8a(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of H·E‖N‖²", 1));
    let graph = Graph::complete(2);
    let w = symbols(2);
    Argument::new(c)
        .repaired("decor-lem-8a-repaired")
        .states_equal(
            "K_2 with symbolic W, over dσ_cor²",
            gossiped(&graph, &w),
            factor * columns_apart(&graph, &w),
        )
        .proved_on("K_2 only")
}

/// tr(WᵀLW), which is E‖NW‖_F²/(dσ_cor²).
fn gossiped(graph: &Graph, w: &Matrix<Poly>) -> Poly {
    let l = graph.laplacian();
    let l = Matrix::new(graph.n(), |i, j| Poly::from(l.at(i, j).clone()));
    w.transpose().times(&l).times(w).trace()
}

/// `decor-lem-8a-repaired`. With rows, as the printed proof computes. One edge: ‖Wᵀ(e_i − e_k)‖² is
/// the squared distance of rows i and k; the Laplacian is the sum over the edges. With columns the
/// identity holds for XWᵀ, the orientation of Algorithm 1, line 6.
pub const LEM_8A_REPAIRED: Claim = Claim {
    id: "decor-lem-8a-repaired",
    place: "App. B, Lemma 8, first equality (repaired)",
    kind: Kind::ExpectationBound,
    statement: "E‖NW‖_F² = H·E‖N‖_F² for any undirected graph and any matrix W, with W_i in H the i-th row; with columns for symmetric W, and E‖NWᵀ‖_F² for any W",
    hypotheses: "at least one edge",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: lem_8a_repaired,
};

fn lem_8a_repaired(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of H·E‖N‖²", 1));
    let edge = Graph::complete(2);
    let w = symbols(2);
    let all = (2..=4).flat_map(graphs).all(|m| {
        let w = symbols(m.graph.n());
        let symmetric = Matrix::new(w.n(), |i, j| w.at(i.min(j), i.max(j)).clone());
        gossiped(&m.graph, &w) == rows_apart(&m.graph, &w)
            && gossiped(&m.graph, &w.transpose()) == columns_apart(&m.graph, &w)
            && gossiped(&m.graph, &symmetric) == columns_apart(&m.graph, &symmetric)
    });
    Argument::new(c)
        .states_equal(
            "K_2 with symbolic W, over dσ_cor²",
            gossiped(&edge, &w),
            factor * rows_apart(&edge, &w),
        )
        .needs_that(
            "the three identities with symbolic W on all graphs with 2 ≤ n ≤ 4",
            all,
        )
        .note("any graph: both sides are sums over the edges")
        .proved_on("all graphs with an edge, all W, all d, σ_cor")
}

/// `decor-lem-8c`. tr(L) is the sum of the degrees.
pub const LEM_8C: Claim = Claim {
    id: "decor-lem-8c",
    place: "App. B, Lemma 8, second equality",
    kind: Kind::ExpectationBound,
    statement: "E‖N‖_F² = 2|E|dσ_cor²",
    hypotheses: "any undirected graph",
    rests_on: &["decor-fact-cov"],
    by_hand: &[],
    check: lem_8c,
};

fn lem_8c(c: &Check) -> Verdict {
    let factor = c.constant("factor of |E|dσ_cor²", 2);
    let bad = |m: &&Member| {
        let trace = m.graph.laplacian().trace();
        let claimed = Rational::from(&factor * m.graph.edge_count() as u64);
        (trace != claimed).then(|| format!("{:?}: tr L = {trace}, not {claimed}", m.graph))
    };
    let failure = enumerate((1..=MAX).flat_map(graphs), bad).err();
    Argument::new(c)
        .states_unless("tr L = 2|E| on all 1252 graphs with n ≤ 7", failure)
        .note("any graph: each edge adds one to two degrees")
        .proved_on("all graphs, all d, σ_cor")
}

/// `decor-lem-8b`, with columns, as §5.2 prints H. On a star the centre's column has n − 1 entries
/// 1/2 and each leaf's column one entry 1/n with disjoint support: H = (n − 1)/8 + 1/(2n²), unbounded.
pub const LEM_8B: Claim = Claim {
    id: "decor-lem-8b",
    place: "App. B, Lemma 8, second part; §5.2",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 2/k_min for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th column",
    hypotheses: "k_min ≥ 1",
    rests_on: &["decor-def-H"],
    by_hand: &[],
    check: lem_8b,
};

fn lem_8b(c: &Check) -> Verdict {
    let factor = c.constant("factor of 1/k_min", 2);
    let star = Graph::star(64);
    let found = heterogeneity(&star, &printed(&star)).unwrap_or_default();
    Argument::new(c)
        .repaired("decor-lem-8b-repaired")
        .states_that("star on 64 vertices, k_min = 1", found <= factor, || {
            format!("H = {found} > {factor}")
        })
        .proved_on("one graph only")
}

/// By how many times H exceeds the printed bound 2/k_min = 2 on the star with 64 users, with columns of W.
pub(crate) fn star_over_bound() -> f64 {
    let star = Graph::star(64);
    heterogeneity(&star, &printed(&star)).map_or(f64::NAN, |h| h.to_f64() / 2.0)
}

/// `decor-lem-8b-repaired`. With rows: their entries are non-negative, so ‖W_i − W_k‖² ≤ ‖W_i‖² +
/// ‖W_k‖², and the sum over the edges is at most Σ_i d_i·d_i/(d_i + 1)², d_i/(d_i + 1)² ≤
/// k/(k + 1)² for d_i ≥ k = k_min ≥ 1. This is 1/k at most: half of the printed bound, which is the
/// measured slack; K_{m,m} has exactly m/(m + 1)², so no factor below 1 serves.
pub const LEM_8B_REPAIRED: Claim = Claim {
    id: "decor-lem-8b-repaired",
    place: "App. B, Lemma 8, second part (repaired)",
    kind: Kind::ExpectationBound,
    statement: "H ≤ 2/k_min for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th row",
    hypotheses: "k_min ≥ 1",
    check: lem_8b_repaired,
    ..Claim::ALONE
};

fn lem_8b_repaired(c: &Check) -> Verdict {
    let factor = c.constant("factor of 1/k_min", 2);
    let m = Rational::from(10_000);
    let exact: Rational = &m / Rational::from(&m + 1).square();
    let claimed = Rational::from(&factor / &m);
    rows(c, exact <= claimed, || {
        format!("K_(m,m), m = {m}: H = {exact} > {claimed}")
    })
    .needs_equal(
        "(k + 1)² − k² = 2k + 1, so k/(k + 1)² ≤ 1/k",
        (v("k") + 1).square() - v("k").square(),
        2 * v("k") + 1,
    )
    .needs_that("1 ≤ factor", factor >= 1)
    .proved_on("all graphs with k_min ≥ 1")
}

/// `decor-lem-8b-proof`. The bound 2k_min/(k_min + 1)² that the printed proof reaches before its last
/// step; half of it holds.
pub const LEM_8B_PROOF: Claim = Claim {
    id: "decor-lem-8b-proof",
    place: "App. B.4, proof of Lemma 8, last display",
    kind: Kind::ExpectationBound,
    statement: "H ≤ 2k_min/(k_min+1)² for W_ij = 1{j ∈ N_i}/(deg(i)+1), with W_i in H the i-th row",
    hypotheses: "k_min ≥ 1",
    check: lem_8b_proof,
    ..Claim::ALONE
};

fn lem_8b_proof(c: &Check) -> Verdict {
    let factor = c.constant("factor of k_min/(k_min+1)²", 2);
    rows(c, factor >= 1, || format!("K_2: H = 1/4 > {factor}·1/4"))
        .proved_on("all graphs with k_min ≥ 1")
}

/// H ≤ k/(k + 1)² for the rows of the printed weights, with equality on K_{m,m}.
fn rows(c: &Check, holds: bool, witness: impl FnOnce() -> String) -> Argument<'_> {
    let (low, gap) = (v("k'") + 1, v("gap"));
    let high = &low + &gap;
    // k(d + 1)² − d(k + 1)² = (d − k)(dk − 1), here with k = 1 + k', d = k + gap.
    let difference = &low * (&high + 1).square() - &high * (&low + 1).square();
    let bipartite = |m: usize| {
        let graph = Graph::complete_bipartite(m, m);
        let m = m as u32;
        heterogeneity_of_rows(&graph, &printed(&graph)) == Some(frac(m as i32, (m + 1) * (m + 1)))
    };
    let small = |member: &Member| {
        let k = member.graph.min_degree() as u32;
        let bound = frac(k as i32, (k + 1) * (k + 1));
        heterogeneity_of_rows(&member.graph, &printed(&member.graph)).is_none_or(|h| h <= bound)
    };
    Argument::new(c)
        .positive(&["k'", "gap", "x", "y"])
        .states_that("K_(m,m) has H = m/(m + 1)²", holds, witness)
        .needs_that("H of K_(m,m) computed for m ≤ 8", (1..=8).all(bipartite))
        .needs_at_most("d/(d + 1)² ≤ k/(k + 1)² for d ≥ k ≥ 1", 0, &difference)
        .needs_at_most(
            "(x − y)² ≤ x² + y² for x, y ≥ 0",
            (v("x") - v("y")).square(),
            v("x").square() + v("y").square(),
        )
        .needs_that(
            "H ≤ k/(k + 1)² on all connected graphs with n ≤ 7",
            (2..=MAX).flat_map(connected).all(small),
        )
}

/// `decor-lem-8b-reading-mh`. §6 calls the weights Metropolis–Hastings; with the textbook weights of
/// that name the bound fails on K_{14,50}: users of the large side keep almost all of their weight. On K_{a,b}
/// H = ½((a + b − 2)/(1 + b)² + ((b − a)/(1 + b))²), near 0.4 for b = 10a.
/// For any non-negative row-stochastic W, H ≤ 1 (`decor-lem-8b-reading-mh-repaired`).
pub const LEM_8B_READING_MH: Claim = Claim {
    id: "decor-lem-8b-reading-mh",
    place: "App. B, Lemma 8, second part, with the weights named in §6",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 2/k_min for the textbook Metropolis–Hastings weights",
    hypotheses: "k_min ≥ 1",
    check: lem_8b_reading_mh,
    ..Claim::ALONE
};

fn lem_8b_reading_mh(c: &Check) -> Verdict {
    let factor = c.constant("factor of 1/k_min", 2);
    let graph = Graph::complete_bipartite(14, 50);
    let found = heterogeneity(&graph, &metropolis_hastings(&graph)).unwrap_or_default();
    let claimed = factor / graph.min_degree() as u32;
    Argument::new(c)
        .repaired("decor-lem-8b-reading-mh-repaired")
        .states_that("K_(14,50), k_min = 14", found <= claimed, || {
            format!("H = {found} > {claimed}")
        })
        .proved_on("one graph only")
}

/// `decor-lem-8b-reading-mh-repaired`. Non-negative entries that sum to 1 have ‖W_i‖² ≤ 1, and
/// ‖W_i − W_k‖² ≤ ‖W_i‖² + ‖W_k‖² ≤ 2. Attained by W = I.
pub const LEM_8B_READING_MH_REPAIRED: Claim = Claim {
    id: "decor-lem-8b-reading-mh-repaired",
    place: "App. B, Lemma 8, second part, for any weights",
    kind: Kind::ExpectationBound,
    statement: "H_G(W) ≤ 1 for every mixing matrix W and every graph",
    hypotheses: "at least one edge",
    rests_on: &["decor-def-2"],
    check: lem_8b_reading_mh_repaired,
    ..Claim::ALONE
};

fn lem_8b_reading_mh_repaired(c: &Check) -> Verdict {
    let bound = c.constant("bound", 1);
    let found = heterogeneity(&Graph::complete(2), &Matrix::identity(2)).unwrap_or_default();
    let [x, y] = ["x", "y"].map(Poly::var);
    // 1 = (x + y)² with the entries x, y of a row.
    Argument::new(c)
        .positive(&["x", "y"])
        .states_that("K_2, W = I", found <= bound, || {
            format!("H = {found} > {bound}")
        })
        .needs_at_most(
            "x² + y² ≤ (x + y)²",
            x.square() + y.square(),
            (&x + &y).square(),
        )
        .needs_at_most(
            "(x − y)² ≤ x² + y²",
            (&x - &y).square(),
            x.square() + y.square(),
        )
        .needs_that("1 ≤ bound", bound >= 1)
        .proved_on("all graphs with an edge, all mixing matrices")
}
