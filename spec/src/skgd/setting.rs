//! Sections 3.1 to 3.5: norms, random sets, sketches and assumptions.
//!
//! What an algorithm may know, for all claims on privacy: w⁰, Γ, M, the law of S, the L_U, K, T and n are the same for both
//! neighbours, that is fixed without looking at the data. Theorem 4.1 may be read so; Theorem 4.2 prints K and T that contain
//! w* and f(w⁰) − f*, and is not private with these (`skgd-thm-4.2-dp`).
//!
//! A definition is Proved when a witness satisfies it; the witness is checked exactly.

use super::finite::{replace_one_pairs, response_is_private};
use super::renyi::witnessed;
use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 11] = [
    DEF_NORM,
    ASM_3_1,
    DEF_3_2,
    FACT_UNBIASED,
    ASM_3_3,
    ASM_3_4,
    ASM_3_5,
    ASM_3_6,
    ASM_3_7,
    DEF_3_8,
    DEF_SENS,
];

/// `skgd-def-norm`. The triangle inequality is ⟨Mu,v⟩² ≤ ⟨Mu,u⟩⟨Mv,v⟩, whose two sides differ by
/// Lagrange's sum of M_iM_j(u_iv_j − u_jv_i)² over pairs of coordinates.
pub const DEF_NORM: Claim = Claim {
    id: "skgd-def-norm",
    place: "§3.1",
    kind: Kind::PathwiseInequality,
    statement: "‖w‖_M = √⟨Mw, w⟩ is a norm for diagonal M with M_j > 0, and ‖·‖_2 for M = I",
    hypotheses: "M_1, …, M_d > 0",
    rests_on: &[],
    by_hand: &[],
    check: by_kernel,
};

/// The value of an integer constant that fits an exponent.
pub(crate) fn integer(value: &Rational) -> Option<i32> {
    value.is_integer().then(|| value.numer().to_i32()).flatten()
}

/// `skgd-asm-3.1`. Witness: the partition {1}, {2, 3} of \[3\] with probabilities 1/3, 2/3 of the mass
/// that the empty set leaves.
pub const ASM_3_1: Claim = Claim {
    id: "skgd-asm-3.1",
    place: "§3.2, Assumption 3.1",
    kind: Kind::Definition,
    statement: "P(S = ∅) = 0 and p_j = P(j ∈ S) > 0 for every j",
    hypotheses: "S a random subset of [d]",
    check: asm_3_1,
    ..Claim::ALONE
};

fn asm_3_1(c: &Check) -> Verdict {
    let empty = c.constant("P(S = ∅)", 0);
    let left = Rational::from(1) - &empty;
    if left <= 0 {
        return Verdict::refuted(
            format!("P(S = ∅) = {empty}: p_j ≤ 1 − P(S = ∅) ≤ 0 for every S and j"),
            "a set that contains j is not empty",
            None,
        );
    }
    let law = [
        (ratio(1, 3) * &left, [true, false, false]),
        (ratio(2, 3) * &left, [false, true, true]),
    ];
    let total = empty.clone() + law.iter().fold(Rational::new(), |sum, (q, _)| sum + q);
    let inclusion = |j: usize| {
        let hit = law.iter().filter(|(_, set)| set[j]);
        hit.fold(Rational::new(), |sum, (q, _)| sum + q)
    };
    let is_law = total == 1 && empty >= 0 && left >= 0;
    witnessed(
        is_law && (0..3).all(|j| inclusion(j) > 0),
        "the blocks {1} and {2, 3} of [3] with probabilities 1/3 and 2/3",
    )
}

/// `skgd-def-3.2`. The two printed forms agree: the entry of I_S P⁻¹ at j is 1{j ∈ S}/p_j.
pub const DEF_3_2: Claim = Claim {
    id: "skgd-def-3.2",
    place: "§3.3, Definition 3.2, eq. (1)",
    kind: Kind::Definition,
    statement: "C = Diag(c_j) with c_j = 1/p_j on S and 0 off S; equivalently C = I_S P⁻¹, and \
        (Cx)_j = x_j/p_j on S and 0 off S",
    hypotheses: "Assumption 3.1",
    rests_on: &["skgd-asm-3.1"],
    by_hand: &[],
    check: def_3_2,
};

fn def_3_2(c: &Check) -> Verdict {
    let numerator = Poly::from(c.constant("numerator on S", 1));
    let p = Poly::power("p", -1);
    let mut steps = Steps::new();
    for inside in [1, 0] {
        let entry = if inside == 1 {
            &numerator * &p
        } else {
            Poly::default()
        };
        let product = Poly::from(inside) * &p;
        steps =
            steps
                .positive(&["p"])
                .equal("c_j is the diagonal entry of I_S P⁻¹", &entry, &product);
        // (Cx)_j is x_j/p_j on S and 0 off S.
        let x = Poly::var("x_j");
        let applied = Poly::from(inside) * &x * &p;
        steps = steps
            .positive(&["p"])
            .equal("(Cx)_j", &applied, &entry * &x);
    }
    steps
        .note("Both cases of j.")
        .proved_on("all p_j > 0, all sets S")
}

/// `skgd-fact-unbiased`. E\[c_j\] = p_j·(1/p_j) in each coordinate.
pub const FACT_UNBIASED: Claim = Claim {
    id: "skgd-fact-unbiased",
    place: "§3.3",
    kind: Kind::ExpectationBound,
    statement: "E[Cx] = x for every x",
    hypotheses: "Assumption 3.1",
    rests_on: &["skgd-def-3.2"],
    by_hand: &[],
    check: by_kernel,
};

/// The witness ℓ(w;ζ) = ½(w − ζ)² at w + h or w, and its derivative.
fn squared_loss(w: &Poly) -> Poly {
    ratio(1, 2) * (w - &Poly::var("ζ")).square()
}

/// `skgd-asm-3.3`. Witness: ℓ(w;ζ) = ½(w − ζ)² with derivative w − ζ; the remainder is ½h², so the
/// difference quotient converges.
pub const ASM_3_3: Claim = Claim {
    id: "skgd-asm-3.3",
    place: "§3.4, Assumption 3.3",
    kind: Kind::Definition,
    statement: "ℓ(·;ζ) is differentiable for every ζ",
    hypotheses: "none",
    check: asm_3_3,
    ..Claim::ALONE
};

fn asm_3_3(c: &Check) -> Verdict {
    let slope = Poly::from(c.constant("factor of the derivative", 1));
    let [w, h] = ["w", "h"].map(Poly::var);
    let tangent = squared_loss(&w) + slope * (&w - &Poly::var("ζ")) * &h;
    let remainder = squared_loss(&(&w + &h)) - tangent;
    let quadratic = ratio(1, 2) * h.square();
    witnessed(
        remainder == quadratic,
        "ℓ(w;ζ) = ½(w − ζ)²: the remainder of the tangent is ½h²",
    )
}

/// `skgd-asm-3.4`. Witness: ℓ(w;ζ) = ½(w − ζ)²; both sides differ by ½(w − v)².
pub const ASM_3_4: Claim = Claim {
    id: "skgd-asm-3.4",
    place: "§3.4, Assumption 3.4",
    kind: Kind::Definition,
    statement: "ℓ(w;ζ) ≥ ℓ(v;ζ) + ⟨∇ℓ(v;ζ), w − v⟩ for all v, w, ζ",
    hypotheses: "Assumption 3.3",
    rests_on: &["skgd-asm-3.3"],
    by_hand: &[],
    check: asm_3_4,
};

fn asm_3_4(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of the gradient term", 1));
    let [w, v] = ["w", "v"].map(Poly::var);
    let tangent = squared_loss(&v) + factor * (&v - &Poly::var("ζ")) * (&w - &v);
    let gap = squared_loss(&w) - tangent;
    let square = ratio(1, 2) * (&w - &v).square();
    witnessed(gap == square, "ℓ(w;ζ) = ½(w − ζ)²: the gap is ½(w − v)²")
}

/// Gap f(w) − f(v) − ⟨∇f(v), w − v⟩ of f(w) = ½h·w² in one coordinate.
fn quadratic_gap() -> Poly {
    let [h, w, v] = ["h", "w", "v"].map(Poly::var);
    let f = |x: &Poly| ratio(1, 2) * &h * x.square();
    f(&w) - f(&v) - &h * &v * (&w - &v)
}

/// `skgd-asm-3.5`. Witness: f(w) = ½Σ h_jw_j² with h_j = μ_M·M_j attains equality.
pub const ASM_3_5: Claim = Claim {
    id: "skgd-asm-3.5",
    place: "§3.4, Assumption 3.5",
    kind: Kind::Definition,
    statement: "f(w) ≥ f(v) + ⟨∇f(v), w − v⟩ + (μ_M/2)‖w − v‖²_M for all v, w",
    hypotheses: "μ_M > 0; assumed of f, not of ℓ",
    check: asm_3_5,
    ..Claim::ALONE
};

fn asm_3_5(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("coefficient of the square", ratio(1, 2)));
    let bound = half * Poly::var("h") * (Poly::var("w") - Poly::var("v")).square();
    witnessed(
        quadratic_gap() == bound,
        "f(w) = ½Σ μ_M·M_j·w_j² attains equality",
    )
}

/// `skgd-asm-3.6`. Witness: f(w) = ½Σ M_jw_j² attains equality.
pub const ASM_3_6: Claim = Claim {
    id: "skgd-asm-3.6",
    place: "§3.4, Assumption 3.6",
    kind: Kind::Definition,
    statement: "f(w) ≤ f(v) + ⟨∇f(v), w − v⟩ + ½‖w − v‖²_M for all v, w",
    hypotheses: "M_1, …, M_d > 0",
    check: asm_3_6,
    ..Claim::ALONE
};

fn asm_3_6(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("coefficient of the square", ratio(1, 2)));
    let bound = half * Poly::var("h") * (Poly::var("w") - Poly::var("v")).square();
    witnessed(
        quadratic_gap() == bound,
        "f(w) = ½Σ M_j·w_j² attains equality",
    )
}

/// `skgd-asm-3.7`. Witness: ℓ(w;ζ) = ⟨ζ, w⟩ with ‖I_Uζ‖ = L_U; in two coordinates of U the squares
/// differ by (ζ_1v_2 − ζ_2v_1)². The display for blocks writes C_i for the blocks A_i.
pub const ASM_3_7: Claim = Claim {
    id: "skgd-asm-3.7",
    place: "§3.4, Assumption 3.7",
    kind: Kind::Definition,
    statement: "|ℓ(w + I_Uv;ζ) − ℓ(w;ζ)| ≤ L_U‖I_Uv‖ for all v, w, ζ and U in Range(S)",
    hypotheses: "L_U > 0",
    check: asm_3_7,
    ..Claim::ALONE
};

fn asm_3_7(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of L_U", 1));
    let (z, v) = (
        [Poly::var("ζ_1"), Poly::var("ζ_2")],
        [Poly::var("v_1"), Poly::var("v_2")],
    );
    let square = |x: &[Poly; 2]| x[0].square() + x[1].square();
    let change = &z[0] * &v[0] + &z[1] * &v[1];
    let bound = factor.square() * square(&z) * square(&v);
    let cross = (&z[0] * &v[1] - &z[1] * &v[0]).square();
    witnessed(
        bound - change.square() == cross,
        "ℓ(w;ζ) = ⟨ζ, w⟩ with ‖I_Uζ‖ = L_U: the squares differ by (ζ_1v_2 − ζ_2v_1)²",
    )
}

/// `skgd-def-3.8`. Witness: randomised response with truth probability 3/4 on two bits and e^ε = 3,
/// δ = 0, over all events of four outcomes.
pub const DEF_3_8: Claim = Claim {
    id: "skgd-def-3.8",
    place: "§3.5, Definition 3.8",
    kind: Kind::Definition,
    statement: "P(A(D) ∈ U) ≤ e^ε·P(A(D') ∈ U) + δ for all events U and all D, D' that differ in \
        at most one element",
    hypotheses: "ε ≥ 0, δ in [0, 1]",
    check: def_3_8,
    ..Claim::ALONE
};

fn def_3_8(c: &Check) -> Verdict {
    let differing = c.constant("elements in which neighbours may differ", 1);
    witnessed(
        response_is_private(&differing) && differing >= 1,
        "randomised response with truth probability 3/4 on two bits is (ln 3, 0)-DP, by \
            enumeration of all pairs and events",
    )
}

/// `skgd-def-sens`. Witness: the mean of three bits and the vector of the bits' mean and first bit.
pub const DEF_SENS: Claim = Claim {
    id: "skgd-def-sens",
    place: "§3.5",
    kind: Kind::Definition,
    statement: "Δ(h) = sup ‖h(D) − h(D')‖_2 and Δ_U(h) = sup ‖I_U(h(D) − h(D'))‖_2 over neighbours \
        D, D'",
    hypotheses: "h with values in R^p",
    check: def_sens,
    ..Claim::ALONE
};

fn def_sens(c: &Check) -> Verdict {
    let differing = c.constant("elements in which neighbours may differ", 1);
    let query = |d: u32| {
        [
            Rational::from((d.count_ones(), 3_u32)),
            Rational::from(d & 1),
        ]
    };
    let largest = |coordinates: &[usize]| {
        let distance = |(d, e): (u32, u32)| {
            let (f, g) = (query(d), query(e));
            let gaps = coordinates.iter().map(|&j| Rational::from(&f[j] - &g[j]));
            gaps.fold(Rational::new(), |sum, gap| sum + gap.clone() * gap)
        };
        replace_one_pairs(3, &differing).map(distance).max()
    };
    let found = (largest(&[0]), largest(&[0, 1]));
    witnessed(
        found == (Some(ratio(1, 9)), Some(ratio(10, 9))),
        "h = (mean of three bits, first bit): Δ_{1}² = 1/9 and Δ² = 10/9 by enumeration of all \
            pairs",
    )
}
