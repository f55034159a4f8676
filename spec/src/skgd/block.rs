//! Section 4.2.1: block sampling and its convex rates.
//!
//! `‖L_A‖²` stands for ‖L_{A_1,…,A_b}‖²_{M⁻¹}, `R²_MP` for ‖w⁰ − w*‖²_{MP⁻¹}, `R²_M` and `R²_I` likewise.
//! The six rates say that the rate of the convex case, squared and without the common factor, equals or
//! is at most the printed expression; its constant is that of `skgd-thm-4.2-cvx-rate`.

use super::setting::integer;
use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Check, Claim, Kind, Verdict};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    EQ_BLOCK_SIGMA,
    EQ_IMP_PSD,
    RATE_BLOCK,
    RATE_BLOCK_R,
    RATE_BLOCK_UNIF,
    RATE_BLOCK_IMP,
    RATE_SINGLE,
    RATE_SINGLE_UNIF,
    RATE_SINGLE_IMP,
    RATE_FULL,
];

/// `skgd-eq-block-Sigma`. Blocks {1, 2} and {3} with symbolic q, L and M; every block adds a term of
/// the same form. The print gives the domain of the block index B(i) as \[n\] instead of \[d\].
pub const EQ_BLOCK_SIGMA: Claim = Claim {
    id: "skgd-eq-block-Sigma",
    place: "§4.2.1",
    kind: Kind::ExpectationBound,
    statement: "Σ_S² = Σ_i q_i L_{A_i}² Σ_{j∈A_i} 1/(q_iM_j) = ‖L_{A_1,…,A_b}‖²_{M⁻¹}, independent of q",
    hypotheses: "S = A_i with probability q_i > 0, the A_i a partition of [d]",
    rests_on: &["skgd-def-Sigma"],
    by_hand: &[],
    check: eq_block_sigma,
};

fn eq_block_sigma(c: &Check) -> Verdict {
    let power = c.constant("power of L in the norm", 2);
    let Some(power) = integer(&power) else {
        return Verdict::open("a fractional power is not a polynomial statement");
    };
    Steps::new()
        .positive(&BLOCKS)
        .equal("Σ_S² = Σ_j L_{B(j)}²/M_j", expectation(), norm(power))
        .note("Every block adds a term of the same form.")
        .proved_on("all partitions, q, L, M")
}

const BLOCKS: [&str; 8] = ["q_1", "q_2", "L_1", "L_2", "M_1", "M_2", "M_3", "R_MP"];

/// The blocks {1, 2} and {3}: probability, Lipschitz constant, smoothness constants.
const EXAMPLE: [(&str, &str, &[&str]); 2] =
    [("q_1", "L_1", &["M_1", "M_2"]), ("q_2", "L_2", &["M_3"])];

/// Σ_i q_iL_i²Σ_{j∈A_i} 1/(q_iM_j).
fn expectation() -> Poly {
    let block = |(q, l, ms): &(&'static str, &'static str, &'static [&'static str])| {
        let inner: Poly = ms
            .iter()
            .map(|m| Poly::power(q, -1) * Poly::power(m, -1))
            .sum();
        Poly::var(q) * Poly::power(l, 2) * inner
    };
    EXAMPLE.iter().map(block).sum()
}

/// Σ_j L_{B(j)}^power/M_j.
fn norm(power: i32) -> Poly {
    let terms = EXAMPLE
        .iter()
        .flat_map(|(_, l, ms)| ms.iter().map(move |m| (l, m)));
    terms
        .map(|(l, m)| Poly::power(l, power) * Poly::power(m, -1))
        .sum()
}

/// `skgd-eq-imp-psd`. With m the maximum over the block of j and Z the sum of the maxima, p_j = m/Z
/// and M_j/p_j = M_jZ/m ≤ Z; equality where M_j = m.
pub const EQ_IMP_PSD: Claim = Claim {
    id: "skgd-eq-imp-psd",
    place: "§4.2.1",
    kind: Kind::PathwiseInequality,
    statement: "MP⁻¹ ⪯ I·Σ_i max_{j∈A_i} M_j for q_i = max_{j∈A_i}M_j / Σ_{i'} max_{j∈A_{i'}}M_j",
    hypotheses: "A_1, …, A_b a partition of [d], M_j > 0",
    rests_on: &[],
    by_hand: &[],
    check: eq_imp_psd,
};

fn eq_imp_psd(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the sum of maxima", 1));
    let [m_j, z] = ["M_j", "Z"].map(Poly::var);
    let max = &m_j + Poly::var("t");
    Steps::new()
        .positive(&["Z", "M_j", "t"])
        .at_most("attained where M_j is the maximum", &z, &factor * &z)
        .suffices("M_j·Z ≤ m·Z", &m_j * &z, factor * max * &z)
        .proved_on("all partitions and M")
}

/// Compares the squared rate with the squared printed expression.
fn same_rate(
    c: &Check,
    name: &'static str,
    derived: &Poly,
    printed: impl Fn(i32) -> Poly,
) -> Verdict {
    let power = c.constant(name, 2);
    match integer(&power) {
        Some(power) => Steps::new()
            .positive(&SYMBOLS)
            .equal("square of the rate", derived, printed(power))
            .note("Exact substitution.")
            .proved_on("as skgd-thm-4.2-cvx-rate, with its constant"),
        None => Verdict::open("a fractional power is not a polynomial statement"),
    }
}

const SYMBOLS: [&str; 7] = ["L", "L_1", "L_2", "M_1", "M_2", "p_1", "p_2"];

/// `skgd-rate-block`: Σ_S = ‖L_A‖ put into the convex rate.
pub const RATE_BLOCK: Claim = Claim {
    id: "skgd-rate-block",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "block sampling: O(‖L_A‖_{M⁻¹}·R_{MP⁻¹}·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; S = A_i with probability q_i",
    rests_on: &["skgd-thm-4.2-cvx-rate", "skgd-eq-block-Sigma"],
    by_hand: &[],
    check: |c| {
        let power = c.constant("twice the power of ‖L_A‖", 2);
        let Some(power) = integer(&power) else {
            return Verdict::open("a fractional power is not a polynomial statement");
        };
        let distance = Poly::power("R_MP", 2);
        Steps::new()
            .positive(&BLOCKS)
            .equal(
                "square of the rate: Σ_S² by blocks times R²",
                expectation() * &distance,
                norm(power) * distance,
            )
            .proved_on("as skgd-thm-4.2-cvx-rate, with its constant")
    },
};

/// `skgd-rate-block-R`: §4.2.1 prints R_{MP⁻¹} = ‖w⁰ − w*‖²_{MP⁻¹}, Theorem 4.2 has the square
/// on the left.
pub const RATE_BLOCK_R: Claim = Claim {
    id: "skgd-rate-block-R",
    place: "§4.2.1, the quantity to be minimised over q",
    kind: Kind::Definition,
    statement: "R_{MP⁻¹} = ‖w⁰−w*‖²_{MP⁻¹}, in agreement with R²_{MP⁻¹} = ‖w⁰−w*‖²_{MP⁻¹} of Theorem 4.2",
    hypotheses: "none",
    check: |_| {
        let r = Poly::var("R");
        Steps::new()
            .positive(&["R"])
            .equal("the two definitions of R", &r, r.square())
            .repaired("skgd-rate-block")
            .proved_on("")
    },
    ..Claim::ALONE
};

/// `skgd-rate-block-unif`: q_i = 1/b, so R²_{MP⁻¹} = b·R²_M.
pub const RATE_BLOCK_UNIF: Claim = Claim {
    id: "skgd-rate-block-unif",
    place: "Table 1, uniform sampling of blocks, convex column",
    kind: Kind::Rate,
    statement: "uniform sampling of blocks: O(‖L_A‖_{M⁻¹}·R_M·√b·√log(1/δ)/(nε)), that is R²_{MP⁻¹} = b·R²_M for q_i = 1/b",
    hypotheses: "as the convex rate; S = A_i with probability 1/b",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: |c| {
        let power = c.constant("power of b under the root", 1);
        let Some(power) = integer(&power) else {
            return Verdict::open("a fractional power is not a polynomial statement");
        };
        let weighted = |scale: Poly| {
            &scale * Poly::var("M_1") * Poly::power("u_1", 2)
                + &scale * Poly::var("M_2") * Poly::power("u_2", 2)
        };
        Steps::new()
            .positive(&["b", "M_1", "M_2"])
            .equal(
                "R²_{MP⁻¹} = b·R²_M",
                weighted(Poly::var("b")),
                Poly::power("b", power) * weighted(Poly::from(1)),
            )
            .proved_on("as skgd-thm-4.2-cvx-rate, with its constant")
    },
};

/// `skgd-rate-block-imp`: R²_{MP⁻¹} ≤ Z·R²_I coordinate by coordinate, by `skgd-eq-imp-psd`.
pub const RATE_BLOCK_IMP: Claim = Claim {
    id: "skgd-rate-block-imp",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "importance sampling of blocks: O(‖L_A‖_{M⁻¹}·R_I·√(Σ_i max_{j∈A_i}M_j)·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; q of skgd-eq-imp-psd",
    rests_on: &[
        "skgd-thm-4.2-cvx-rate",
        "skgd-eq-block-Sigma",
        "skgd-eq-imp-psd",
    ],
    by_hand: &[],
    check: rate_block_imp,
};

fn rate_block_imp(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the sum of maxima", 1));
    let (z, u2) = (Poly::var("Z"), Poly::var("u").square());
    // M_j/p_j = Z − t with t ≥ 0.
    let weight = &z - &Poly::var("t");
    Steps::new()
        .positive(&["Z", "t"])
        .at_most("attained by block maxima", &z * &u2, &factor * &z * &u2)
        .suffices("(M_j/p_j)u_j² ≤ Z·u_j²", weight * &u2, factor * z * &u2)
        .note("Coordinates add.")
        .proved_on("as skgd-thm-4.2-cvx-rate, with its constant")
}

/// `skgd-rate-single`: singletons are the blocks of the finest partition.
pub const RATE_SINGLE: Claim = Claim {
    id: "skgd-rate-single",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "single coordinates: Σ_S² = Σ_j L_j²/M_j and O(‖L_{1,…,d}‖_{M⁻¹}·R_{MP⁻¹}·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; A_j = {j}",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: rate_single,
};

fn rate_single(c: &Check) -> Verdict {
    let (l, p) = (["L_1", "L_2"], ["p_1", "p_2"]);
    // Two coordinates: p_j·L_j²/(p_jM_j).
    let derived: Poly = (0..2)
        .map(|j| {
            Poly::var(p[j])
                * Poly::power(l[j], 2)
                * Poly::power(p[j], -1)
                * Poly::power(["M_1", "M_2"][j], -1)
        })
        .sum();
    same_rate(c, "power of L_j", &derived, |k| {
        Poly::power("L_1", k) * Poly::power("M_1", -1)
            + Poly::power("L_2", k) * Poly::power("M_2", -1)
    })
}

/// `skgd-rate-single-unif`: MP⁻¹ = dM.
pub const RATE_SINGLE_UNIF: Claim = Claim {
    id: "skgd-rate-single-unif",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "uniform single coordinates: O(‖L_{1,…,d}‖_{M⁻¹}·√d·R_M·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; p_i = 1/d",
    rests_on: &["skgd-rate-single"],
    by_hand: &[],
    check: rate_single_unif,
};

fn rate_single_unif(c: &Check) -> Verdict {
    let (u, v) = (Poly::power("u_1", 2), Poly::power("u_2", 2));
    let weighted = |x: &Poly| Poly::var("M_1") * &u * x + Poly::var("M_2") * &v * x;
    same_rate(
        c,
        "twice the power of d",
        &weighted(&Poly::power("d", 1)),
        |k| {
            // (√d)^k: an even k gives the power k/2 of d.
            let root = if k % 2 == 0 {
                Poly::power("d", k / 2)
            } else {
                Poly::default()
            };
            weighted(&root)
        },
    )
}

/// `skgd-rate-single-imp`: M_j/p_j = Tr(M) for every j, with equality in R²_{MP⁻¹} = Tr(M)·R²_I.
pub const RATE_SINGLE_IMP: Claim = Claim {
    id: "skgd-rate-single-imp",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "importance sampling of single coordinates: O(‖L_{1,…,d}‖_{M⁻¹}·√Tr(M)·R_I·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; p_i = M_i/Tr(M)",
    rests_on: &["skgd-rate-single"],
    by_hand: &[],
    check: rate_single_imp,
};

fn rate_single_imp(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of Tr(M)", 1));
    let u = [Poly::power("u_1", 2), Poly::power("u_2", 2)];
    let m = [Poly::var("M_1"), Poly::var("M_2")];
    let trace = &m[0] + &m[1];
    // p_j⁻¹ = Tr(M)/M_j.
    let derived: Poly = (0..2)
        .map(|j| &m[j] * &trace * Poly::power(["M_1", "M_2"][j], -1) * &u[j])
        .sum();
    let printed = factor * &trace * (&u[0] + &u[1]);
    Steps::new()
        .positive(&SYMBOLS)
        .equal("R²_{MP⁻¹} = Tr(M)·R²_I", &derived, &printed)
        .note("Two coordinates; the others add alike.")
        .proved_on("as skgd-thm-4.2-cvx-rate, with its constant")
}

/// `skgd-rate-full`: one block with q = 1 and P = I.
pub const RATE_FULL: Claim = Claim {
    id: "skgd-rate-full",
    place: "§4.2.1",
    kind: Kind::Rate,
    statement: "full sampling: Σ_S² = L²·Tr(M⁻¹) and O(L·√Tr(M⁻¹)·R_M·√log(1/δ)/(nε))",
    hypotheses: "as the convex rate; S = [d]",
    rests_on: &["skgd-rate-block"],
    by_hand: &[],
    check: |c| {
        let trace = || Poly::power("M_1", -1) + Poly::power("M_2", -1);
        let both: Poly = ["M_1", "M_2"]
            .map(|m| Poly::power("L", 2) * Poly::power(m, -1))
            .into_iter()
            .sum();
        same_rate(c, "power of L", &both, |k| Poly::power("L", k) * trace())
    },
};
