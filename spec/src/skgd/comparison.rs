//! Section 4.3: comparisons with DP-SGD and DP-CD.
//!
//! Each "≈" is encoded as a pair of bounds whose ratio tends to one when the printed "≫" conditions
//! are strengthened; u stands for |w⁰ − w*| coordinate by coordinate.

use crate::arith::Poly;
use crate::arith::algebra::Steps;
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 8] = [
    FACT_MU_M,
    CMP_SGD_CVX,
    CMP_SGD_SC,
    CMP_SGD_SC_TRUE_MU,
    CMP_SGD_BLOCK,
    CMP_SGD_BLOCK_REPAIRED,
    CMP_CD_IMP,
    CMP_CD_IMP_REPAIRED,
];

/// `skgd-fact-mu-M`: (μ/M_max)·M_ju_j² ≤ μu_j², with equality where M_j = M_max.
pub const FACT_MU_M: Claim = Claim {
    id: "skgd-fact-mu-M",
    place: "§4.3.1",
    kind: Kind::PathwiseInequality,
    statement: "a μ-strongly convex f is (μ/M_max)-strongly convex with respect to ‖·‖_M",
    hypotheses: "f convex and M-smooth, M_j > 0; for one pair x, y, hence for all",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// `skgd-cmp-sgd-cvx`. With κ = M_1/M_max and Σ_{j≠1}M_ju_j ≤ r·M_1u_1 (printed without squares):
/// M_ju_j² ≤ (M_ju_j)²/M_1, so R_M² ≤ M_1u_1²(1 + r²), and Tr(M⁻¹) = (1 + (d−1)κ)/M_1. Hence
/// R_I² ≤ Tr(M⁻¹)R_M² ≤ (1 + (d−1)κ)(1 + r²)R_I²; the squared speed-up over dR_I² tends to d as
/// κ, r → 0 and never exceeds d.
pub const CMP_SGD_CVX: Claim = Claim {
    id: "skgd-cmp-sgd-cvx",
    place: "§4.3.1",
    kind: Kind::Rate,
    statement: "√Tr(M⁻¹)·R_M ≈ R_I under the printed conditions: the convex bound is up to √d \
        below that of DP-SGD, and equal to it when all M_j are equal",
    hypotheses: "full sampling, M_1 = M_min ≪ M_j = M_max for j ≠ 1, Σ_{j≠1}M_ju_j ≪ M_1u_1; d \
        fixed as M_min/M_max → 0 (the print has M_max ≫ M_min only)",
    rests_on: &["skgd-rate-full"],
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-cmp-sgd-sc`: "a similar argument can be made", for which no inequality is printed. What can be said of the step that
/// is proposed: with the strongly convex row of the table and μ_M = μ/M_max the quantity is L²Tr(M⁻¹)M_max/μ, and
/// M_max·Tr(M⁻¹) ≥ d for every M, so that row is never below that of DP-SGD.
pub const CMP_SGD_SC: Claim = Claim {
    id: "skgd-cmp-sgd-sc",
    place: "§4.3.1",
    kind: Kind::Rate,
    statement: "\"a similar argument can be made for the strongly convex case\", using that f is \
        (μ/M_max)-strongly convex for ‖·‖_M",
    hypotheses: "b = 1; no inequality is printed",
    check: cmp_sgd_sc,
    ..Claim::ALONE
};

fn cmp_sgd_sc(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of M_max", 1));
    let max = factor * (Poly::var("M_j") + Poly::var("t"));
    let excess = max * Poly::power("M_j", -1) - 1;
    let never_below = excess.is_term_by_term_nonnegative(&["M_j", "t"]);
    Verdict::open(match never_below {
        true => {
            "no inequality is printed that could be decided. Checked, coordinate by coordinate: \
                M_max·Tr(M⁻¹) − d = Σ_j (M_max/M_j − 1) ≥ 0, so with μ_M = μ/M_max the bound of \
                full sampling is never below that of DP-SGD; see skgd-cmp-sgd-sc-true-mu"
        }
        false => "Σ_j (M_max/M_j − 1) is not term-by-term non-negative",
    })
}

/// `skgd-cmp-sgd-sc-true-mu`, an observation: with the true constant μ_M in place of μ/M_max (Lemma E.1 with P = I uses
/// R_M² ≤ (2/μ_M)(f − f*)), f(w) = ½‖w − w*‖²_M has μ_M = 1 and μ_I = M_1, and
/// M_1·Tr(M⁻¹) = 1 + (d−1)κ < d.
pub const CMP_SGD_SC_TRUE_MU: Claim = Claim {
    id: "skgd-cmp-sgd-sc-true-mu",
    place: "§4.3.1",
    kind: Kind::Rate,
    statement: "with the true μ_M, E f(w^T) − f* ≤ (122 + 120λ)·L²·Tr(M⁻¹)/μ_M·log(1/δ)/(n²ε²); on \
        f = ½‖w−w*‖²_M, L²·Tr(M⁻¹)/μ_M is (1+(d−1)κ)/d times L²·d/μ_I, κ = M_min/M_max",
    hypotheses: "f μ_M-strongly convex and M-smooth in ‖·‖_M, all p_j = 1, E[L_S²·1{j∈S}] = L², \
        M_1 = M_min, M_j = M_max for j ≠ 1, A = 1/μ_M, K = 2(1+A) rounded up, T = λ rounded up, λ \
        = log_2((f(w⁰)−f*)/((1+A)Σ_S²·log(1/δ)/(n²ε²))) > 0",
    rests_on: &["skgd-lem-E.1"],
    check: by_kernel,
    ..Claim::ALONE
};

/// `skgd-cmp-sgd-block`. Exactly, with A_1 = {1} and A_2 = {2}: ‖L_A‖² = L_1²/M_max + L_2²/M_min. The
/// printed value has the square L_max²/M_max²; the ratio M_max is unbounded in families in which the
/// first term dominates.
pub const CMP_SGD_BLOCK: Claim = Claim {
    id: "skgd-cmp-sgd-block",
    place: "§4.3.1, Block Sampling",
    kind: Kind::Rate,
    statement: "‖L_{A_1,…,A_b}‖_{M⁻¹} ≈ L_max/M_max when L_1²/M_max dominates",
    hypotheses: "M_i = M_max on A_1 and M_min off A_1, L_1 = L_max ≫ L_i",
    rests_on: &["skgd-eq-block-Sigma"],
    check: |c| block_norm(c, -2, Some("skgd-cmp-sgd-block-repaired")),
    ..Claim::ALONE
};

/// `skgd-cmp-sgd-block-repaired`: ‖L_A‖ = √|A_1|·L_max/√M_max up to the factor √(1+r), r being what the
/// other terms add relative to the first. The next display of the paper, √(M_min/M_max)·L·R_I, has
/// this root.
pub const CMP_SGD_BLOCK_REPAIRED: Claim = Claim {
    id: "skgd-cmp-sgd-block-repaired",
    place: "§4.3.1, Block Sampling, with the root",
    kind: Kind::Rate,
    statement: "‖L_{A_1,…,A_b}‖²_{M⁻¹} = |A_1|·L_max²/M_max·(1+r), r the sum of the other terms \
        over the first",
    hypotheses: "as skgd-cmp-sgd-block",
    rests_on: &["skgd-eq-block-Sigma"],
    check: by_kernel,
    ..Claim::ALONE
};

/// Compares ‖L_A‖² without its dominated terms with |A_1|·L_max²·M_max^power (|A_1| = 1 as printed
/// when the power is that of the print).
fn block_norm(c: &Check, power: i32, repaired: Option<&'static str>) -> Verdict {
    let power = c.constant("power of M_max in the square", power);
    let Some(power) = super::setting::integer(&power) else {
        return Verdict::open("a fractional power is not a polynomial statement");
    };
    let size = Poly::var("|A_1|");
    let dominant = &size * Poly::power("L_max", 2) * Poly::power("M_max", -1);
    let claimed = &size * Poly::power("L_max", 2) * Poly::power("M_max", power);
    let others = Poly::var("r") * &dominant;
    Steps::new()
        .positive(&["|A_1|", "L_max", "M_max", "r"])
        .equal("dominant term of ‖L_A‖²", &dominant, &claimed)
        .equal(
            "with the other terms",
            &dominant + &others,
            claimed * (1 + Poly::var("r")),
        )
        .repaired(repaired)
        .proved_on("all L, M, |A_1|, r")
}

/// `skgd-cmp-cd-imp`: √(M_1u_1) has not the degree of R_M = √(M_1u_1²) in u; with u_1 → ∞ the ratio
/// diverges.
pub const CMP_CD_IMP: Claim = Claim {
    id: "skgd-cmp-cd-imp",
    place: "§4.3.2",
    kind: Kind::Rate,
    statement: "R_I·√Tr(M) ≈ √(M_1·|w⁰_1 − w*_1|) ≈ R_M",
    hypotheses: "b = d, M_1 ≫ M_j, u_1 ≫ u_j, M_1u_1 ≫ M_ju_j for j ≠ 1",
    check: |c| importance(c, 1, Some("skgd-cmp-cd-imp-repaired")),
    ..Claim::ALONE
};

/// `skgd-cmp-cd-imp-repaired`: with M_j ≤ rM_1 and u_j ≤ ru_1 for j ≠ 1,
/// M_1u_1² ≤ R_M² ≤ Tr(M)R_I² ≤ (1+(d−1)r)(1+(d−1)r²)·M_1u_1².
pub const CMP_CD_IMP_REPAIRED: Claim = Claim {
    id: "skgd-cmp-cd-imp-repaired",
    place: "§4.3.2 with the square",
    kind: Kind::Rate,
    statement: "R_I·√Tr(M) ≈ √M_1·|w⁰_1 − w*_1| ≈ R_M: M_1u_1² ≤ R_M² ≤ Tr(M)·R_I² ≤ \
        (1+(d−1)r)(1+(d−1)r²)·M_1u_1²",
    hypotheses: "b = d, M_j ≤ r·M_1 and u_j ≤ r·u_1 for j ≠ 1; r → 0",
    rests_on: &["skgd-rate-single-imp", "skgd-rate-single-unif"],
    by_hand: &[],
    check: by_kernel,
};

/// Both displays for d = 2 with M_2 = rM_1 − m and u_2 = ru_1 − v bounded by their largest values, and
/// the degree in u_1 of the printed middle term.
fn importance(c: &Check, degree: i32, repaired: Option<&'static str>) -> Verdict {
    let degree = c.constant("power of u_1 in the square", degree);
    let Some(degree) = super::setting::integer(&degree) else {
        return Verdict::open("a fractional power is not a polynomial statement");
    };
    let [m, u] = ["M_1", "u_1"].map(Poly::var);
    let [n, v] = ["M_2", "u_2"].map(Poly::var);
    let weighted = &m * u.square() + &n * v.square();
    let product = (&m + &n) * (u.square() + v.square());
    let limit = &m * u.square();
    let [r, d] = ["r", "d−1"].map(Poly::var);
    let corner = (&m + &d * &r * &m) * (u.square() + &d * (&r * &u).square());
    let factor = (1 + &d * &r) * (1 + &d * r.square());
    Steps::new()
        .positive(&["M_1", "M_2", "u_1", "u_2", "r", "d−1"])
        .equal(
            "R_M² of one coordinate",
            &limit,
            &m * Poly::power("u_1", degree),
        )
        .suffices("M_1u_1² ≤ R_M²", &limit, &weighted)
        .suffices("R_M² ≤ Tr(M)·R_I²", &weighted, &product)
        .equal("Tr(M)·R_I² at its largest", &corner, factor * &limit)
        .repaired(repaired)
        .note("Tr(M)·R_I² grows with every M_j and u_j.")
        .proved_on("all d, r ≥ 0")
}
