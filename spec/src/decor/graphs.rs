//! Sections 4, 5.1 and 5.2: connectivity, mixing matrices and their heterogeneity.

use crate::arith::{Poly, Rational};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::decor::catalogue::{MAX, Member, connected, graphs};
use crate::decor::enumeration::{kept_sets, levels};
use crate::decor::graph::Graph;
use crate::decor::matrix::{Matrix, Ring};
use crate::decor::mixing::{defect, heterogeneity, metropolis_hastings, rate};
use crate::decor::steps::{frac, v};
use crate::decor::upoly::Algebraic;
use crate::prove::Argument;
use std::cmp::Ordering;
use std::sync::OnceLock;

/// The definitions about graphs and mixing matrices, in the paper's order.
pub(super) const CLAIMS: [Claim; 7] = [
    DEF_A,
    DEF_2,
    DEF_2_WEIGHTS_READING_A,
    DEF_2_WEIGHTS_READING_B,
    DEF_2_WEIGHTS_REPAIRED,
    ASM_5,
    DEF_H,
];

/// `decor-def-a`. The kernel of L has one dimension for each component (xᵀLx is the sum of
/// (x_i − x_j)² over the edges), so λ₂ > 0 exactly for connected graphs. A graph on one vertex has no
/// second eigenvalue: a_q is defined for q ≤ n − 2. Theorem 6 uses a_{n−1} with the factor
/// 1 − 1/(n − q) = 0, so that the product has to be read as 0.
pub const DEF_A: Claim = Claim {
    id: "decor-def-a",
    place: "§4 and App. A",
    kind: Kind::Definition,
    statement: "a(G) = λ₂(L_G) and a_q(G) = min over |I| = q of a(G − I); a_q(G) > 0 exactly if G \
        is (q+1)-connected",
    hypotheses: "n − q ≥ 2",
    check: def_a,
    ..Claim::ALONE
};

fn def_a(c: &Check) -> Verdict {
    let index = c.constant("number of the eigenvalue, in ascending order", 2);
    Argument::new(c)
        .states_that(
            "K_2: the eigenvalue is positive (the first is always 0)",
            index >= 2,
            || format!("eigenvalue number {index} of K_2 is 0, and K_2 is connected"),
        )
        .states_that(
            "a_q(G) > 0 exactly if G stays connected after any q deletions: all graphs with 2 ≤ n \
                ≤ 7, all q ≤ n − 2",
            positive_when_connected(),
            || "a catalogued graph".to_owned(),
        )
        .proved_on(
            "all graphs with n − q ≥ 2 (kernel of L in the doc comment); not defined for n − q = 1",
        )
}

/// It does not depend on any constant of the claim, so it is done once.
fn positive_when_connected() -> bool {
    static DONE: OnceLock<bool> = OnceLock::new();
    let positive = |a: &Algebraic| a.cmp_rational(&Rational::new()) == Ordering::Greater;
    let agrees = |m: &Member| {
        let n = m.graph.n();
        levels(m).into_iter().enumerate().all(|(q, least)| {
            let stays = kept_sets(n, q).all(|keep| m.graph.induced(keep).is_connected());
            let a = least.and_then(|m| m.connectivity.as_ref());
            a.is_some_and(|a| positive(a) == stays)
        })
    };
    *DONE.get_or_init(|| (2..=MAX).flat_map(graphs).all(agrees))
}

/// `decor-def-2`. Witnesses: 11ᵀ/n, and the textbook Metropolis–Hastings weights on every graph.
pub const DEF_2: Claim = Claim {
    id: "decor-def-2",
    place: "§5.1, Definition 2",
    kind: Kind::Definition,
    statement: "a mixing matrix has entries in [0,1], is symmetric, and W1 = 1",
    hypotheses: "none",
    check: def_2,
    ..Claim::ALONE
};

fn def_2(c: &Check) -> Verdict {
    let total = c.constant("row sum of 11ᵀ/n times this", 1);
    let uniform = |n: usize| defect(&Matrix::averaging(n).scaled(&total));
    let failure = (1..=16).find_map(uniform);
    Argument::new(c)
        .states_unless("11ᵀ/n is a mixing matrix for n ≤ 16", failure)
        .needs_that(
            "the textbook weights are mixing matrices on all graphs with n ≤ 7",
            (1..=MAX)
                .flat_map(graphs)
                .all(|m| defect(&metropolis_hastings(&m.graph)).is_none()),
        )
        .proved_on("witnesses: 11ᵀ/n, and Metropolis–Hastings weights on every graph")
}

/// `decor-def-2-weights-reading-a`. The weights that §6 and Lemma 8 print under the name of
/// Metropolis and Hastings, with i ∉ N_i as Appendix A says: rows sum to deg/(deg + 1).
pub const DEF_2_WEIGHTS_READING_A: Claim = Claim {
    id: "decor-def-2-weights-reading-a",
    place: "§6, setup; App. B, Lemma 8",
    kind: Kind::PathwiseInequality,
    statement: "W_ij = 1{j ∈ N_i}/(deg(i)+1) is a mixing matrix (Definition 2), with i ∉ N_i",
    hypotheses: "any graph",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-def-2-weights-reading-b`. With i ∈ N_i rows sum to 1, but the matrix is symmetric only on
/// regular graphs (so it is a mixing matrix on the three graphs of the experiments).
pub const DEF_2_WEIGHTS_READING_B: Claim = Claim {
    id: "decor-def-2-weights-reading-b",
    place: "§5.2; App. B, Lemma 8",
    kind: Kind::PathwiseInequality,
    statement: "W_ij = 1{j ∈ N_i}/(deg(i)+1) is a mixing matrix (Definition 2), with i ∈ N_i and \
        deg(i) the number of the other neighbours",
    hypotheses: "any graph",
    check: by_kernel,
    ..Claim::ALONE
};

/// `decor-def-2-weights-repaired`. 1/(1 + max(deg i, deg j)) on the edges and the rest of 1 on the
/// diagonal: at most deg(i) terms of at most 1/(1 + deg(i)), so the diagonal is positive. On regular
/// graphs this is the printed formula with i ∈ N_i.
pub const DEF_2_WEIGHTS_REPAIRED: Claim = Claim {
    id: "decor-def-2-weights-repaired",
    place: "§6, setup (repaired)",
    kind: Kind::PathwiseInequality,
    statement: "W_ij = 1/(1 + max(deg(i), deg(j))) on the edges, W_ii = 1 − Σ_{j≠i} W_ij is a \
        mixing matrix",
    hypotheses: "any graph",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `decor-asm-5`. XW − X̄ = (X − X̄)(W − J), so the best 1 − p is ‖W − J‖₂², the largest eigenvalue of
/// (W − J)(W − J)ᵀ = WWᵀ − J: the second largest of WWᵀ, as the text says. It is < 1 for the textbook
/// weights on connected graphs (their diagonal is positive); W = (0 1; 1 0) is a mixing matrix for
/// which no p > 0 exists.
pub const ASM_5: Claim = Claim {
    id: "decor-asm-5",
    place: "§5.1, Assumption 5",
    kind: Kind::Definition,
    statement: "there is p in (0,1] with ‖XW − X̄‖_F² ≤ (1−p)‖X − X̄‖_F² for all X; 1 − p is the \
        second largest eigenvalue of WWᵀ, p = 1 for the complete graph",
    hypotheses: "W a mixing matrix",
    check: asm_5,
    ..Claim::ALONE
};

fn asm_5(c: &Check) -> Verdict {
    let p = c.constant("p of the complete graph", 1);
    let is = |w: &Matrix<Rational>, value: &Rational| {
        rate(w).is_some_and(|p| p.cmp_rational(value) == Ordering::Equal)
    };
    let positive = |m: &Member| {
        let p = rate(&metropolis_hastings(&m.graph));
        p.is_some_and(|p| p.cmp_rational(&Rational::new()) == Ordering::Greater)
    };
    let swap = Matrix::new(2, |i, j| Rational::from(i32::from(i != j)));
    Argument::new(c)
        .states_that(
            "11ᵀ/n for 2 ≤ n ≤ 8",
            (2..=8).all(|n| is(&Matrix::averaging(n), &p)),
            || format!("XW − X̄ = 0, so the largest p is 1, not {p}"),
        )
        .needs_that(
            "the ring on 4 vertices has p = 8/9",
            is(&metropolis_hastings(&Graph::ring(4)), &frac(8, 9)),
        )
        .needs_that(
            "p > 0 for the textbook weights on all connected graphs with n ≤ 5",
            (1..=5).flat_map(connected).all(positive),
        )
        .needs_that("W = (0 1; 1 0) has p = 0", is(&swap, &Rational::new()))
        .proved_on("witnesses: 11ᵀ/n, and the textbook weights on connected graphs")
}

/// `decor-def-H`. With W_i the i-th column (as printed) H = tr(W L Wᵀ)/tr(L): the numerator is twice
/// the sum over the edges of ‖W b‖², b = e_i − e_k, the denominator 4|E|. Not defined for a graph
/// without edges; zero for 11ᵀ/n.
pub const DEF_H: Claim = Claim {
    id: "decor-def-H",
    place: "§5.2, eq. (11)",
    kind: Kind::Definition,
    statement: "H_G(W) = Σ_{i,k} ‖W_i − W_k‖² 1{k ∈ N_i} / (2 Σ_{i,k} 1{k ∈ N_i}), W_i the i-th \
        column; 0 for the complete graph with W = 11ᵀ/n",
    hypotheses: "at least one edge",
    check: def_h,
    ..Claim::ALONE
};

fn def_h(c: &Check) -> Verdict {
    let divisor = c.constant("factor of the denominator", 2);
    let closed = (2..=4)
        .flat_map(graphs)
        .filter(|m| m.graph.edge_count() > 0)
        .all(|m| {
            let w = symbols(m.graph.n());
            let l = Matrix::new(m.graph.n(), |i, j| {
                Poly::from(m.graph.laplacian().at(i, j).clone())
            });
            let ordered = 2 * columns_apart(&m.graph, &w);
            let degrees = Rational::from(2 * m.graph.edge_count() as u64);
            // H·tr(L) = numerator·tr(L)/(divisor·2|E|), and tr(L) = 2|E|.
            let scaled = ordered * Poly::from(degrees.clone() / (divisor.clone() * &degrees));
            scaled == w.times(&l).times(&w.transpose()).trace()
        });
    Argument::new(c)
        .states_that(
            "H·tr(L) = tr(W L Wᵀ) with symbolic W on all graphs with 2 ≤ n ≤ 4",
            closed,
            || format!("with the factor {divisor} the closed form is another"),
        )
        .needs_that(
            "H = 0 for K_n and 11ᵀ/n, 2 ≤ n ≤ 10; no value without edges",
            (2..=10).all(|n| {
                heterogeneity(&Graph::complete(n), &Matrix::averaging(n)) == Some(Rational::new())
            }) && heterogeneity(&Graph::new(3, []), &Matrix::averaging(3)).is_none(),
        )
        .proved_on("witness: every graph with an edge and every W")
}

/// Names of symbolic entries, row by row.
const NAMES: [&str; 16] = [
    "w00", "w01", "w02", "w03", "w10", "w11", "w12", "w13", "w20", "w21", "w22", "w23", "w30",
    "w31", "w32", "w33",
];

/// The n × n matrix of independent symbols, n ≤ 4.
pub(super) fn symbols(n: usize) -> Matrix<Poly> {
    Matrix::new(n, |i, j| v(NAMES[4 * i + j]))
}

/// Σ over the edges of the squared distance of columns.
pub(super) fn columns_apart(graph: &Graph, w: &Matrix<Poly>) -> Poly {
    let transposed = w.transpose();
    rows_apart(graph, &transposed)
}

/// Σ over the edges of the squared distance of rows.
pub(super) fn rows_apart(graph: &Graph, w: &Matrix<Poly>) -> Poly {
    let apart = |(i, k): (usize, usize)| {
        let terms = w.row(i).iter().zip(w.row(k));
        terms.map(|(x, y)| (x - y).square()).sum::<Poly>()
    };
    graph
        .edges()
        .map(apart)
        .fold(Poly::integer(0), |sum, x| sum.plus(&x))
}
