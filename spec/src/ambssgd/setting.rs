//! Section 2: the model, its moments, and the two notions of privacy.
//!
//! In every claim N, d and the parameters α, η, ζ, b, s, T, B, Δ, R_x are chosen without the data, as §3.1 says ("a priori
//! knowledge of the hyperparameters"); that may include what their printed values contain of the law of the records: ‖w*‖_H,
//! σ, μ, ‖H‖. Neighbours differ by the replacement of one record.

use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational, ratio};
use crate::claim::{Check, Claim, Kind, Verdict, by_kernel};
use crate::skgd::finite::{renyi_sum, replace_one_pairs, response_is_private, response_law};
use crate::skgd::renyi::witnessed;

/// The claims of this part, in the paper's order.
pub(super) const CLAIMS: [Claim; 10] = [
    DEF_MODEL,
    DEF_RX,
    FACT_RX_TRACE,
    FACT_RX_GAUSS,
    FACT_RX_GAUSS_REPAIRED,
    FACT_RX_DH,
    FACT_RX_DH_REPAIRED,
    FACT_EXCESS,
    DEF_2_2,
    DEF_2_3,
];

/// The four atoms (x, z) of the witness: x = 2e_1 or 2e_2, z = ±1, all with probability 1/4.
const ATOMS: [([i32; 2], i32); 4] = [([2, 0], 1), ([2, 0], -1), ([0, 2], 1), ([0, 2], -1)];

/// Mean of `f` over the atoms.
fn mean(f: impl Fn(&[i32; 2], i32) -> Poly) -> Poly {
    let total: Poly = ATOMS.iter().map(|(x, z)| f(x, *z)).sum();
    ratio(1, 4) * total
}

/// `ambssgd-def-model`. Witness: x = 2e_J with J uniform on {1, 2} and an independent sign z. The
/// gradient −E\[z·x\] at w* vanishes and L(w) − L(w*) is a sum of squares, so w* is the minimiser.
pub const DEF_MODEL: Claim = Claim {
    id: "ambssgd-def-model",
    place: "§2, eq. (1)",
    kind: Kind::Definition,
    statement: "y = ⟨x, w*⟩ + z with E[z·x] = 0, E[z²] = σ²; w* minimises L(w) = ½E[(y − ⟨x, w⟩)²]",
    hypotheses: "z independent of x in the exposition; E[z] = 0, which Lemmas 3.5 and 3.11 need, \
        is not printed",
    check: def_model,
    ..Claim::ALONE
};

fn def_model(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("factor of the squared loss", ratio(1, 2)));
    let v = [Poly::var("v_1"), Poly::var("v_2")];
    let residual =
        |x: &[i32; 2], z: i32| Poly::from(z) - Poly::from(x[0]) * &v[0] - Poly::from(x[1]) * &v[1];
    let risk = &half * mean(|x, z| residual(x, z).square());
    let least = &half * mean(|_, z| Poly::from(z * z));
    let gradient_free = (0..2).all(|j| mean(|x, z| Poly::from(z * x[j])).is_zero());
    // H = 2I, so ½‖v‖²_H = v_1² + v_2².
    let excess = v[0].square() + v[1].square();
    witnessed(
        gradient_free && risk - least == excess,
        "x = 2e_J, J uniform on {1, 2}, z an independent sign: E[z·x] = 0 and L(w*+v) − L(w*) = \
            v_1² + v_2² = ½‖v‖²_H",
    )
}

/// `ambssgd-def-Rx`. Same witness: ‖x‖² = 4, so E\[‖x‖²xxᵀ\] = 4H and R_x² = 4 exactly.
pub const DEF_RX: Claim = Claim {
    id: "ambssgd-def-Rx",
    place: "§2",
    kind: Kind::Definition,
    statement: "R_x is the smallest R with E[‖x‖²xxᵀ] ⪯ R²·E[xxᵀ]; H = E[xxᵀ], μ and κ its least \
        eigenvalue and condition number",
    hypotheses: "fourth moments exist, μ > 0",
    check: def_rx,
    ..Claim::ALONE
};

fn def_rx(c: &Check) -> Verdict {
    let factor = c.constant("factor of R²", 1);
    let entry = |i: usize, j: usize, weighted: bool| {
        mean(|x, _| {
            let norm = if weighted {
                x[0] * x[0] + x[1] * x[1]
            } else {
                1
            };
            Poly::from(norm * x[i] * x[j])
        })
    };
    let four = Poly::from(factor * Rational::from(4));
    let equal = (0..2).all(|i| (0..2).all(|j| entry(i, j, true) == &four * &entry(i, j, false)));
    witnessed(
        equal,
        "x = 2e_J, J uniform on {1, 2}: E[‖x‖²xxᵀ] = 4·E[xxᵀ], hence R_x² = 4",
    )
}

/// `ambssgd-fact-Rx-trace`. The trace of the definition is E‖x‖⁴ ≤ R_x²·E‖x‖², and
/// E‖x‖⁴ = (E‖x‖²)² + variance. Equality for constant ‖x‖.
pub const FACT_RX_TRACE: Claim = Claim {
    id: "ambssgd-fact-Rx-trace",
    place: "§2",
    kind: Kind::ExpectationBound,
    statement: "E‖x‖² ≤ R_x²",
    hypotheses: "definition of R_x",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[
        "Tr of E[‖x‖²xxᵀ] ⪯ R²H gives E‖x‖⁴ ≤ R²·E‖x‖²",
        "E‖x‖⁴ = (E‖x‖²)² + Var‖x‖²",
    ],
    check: fact_rx_trace,
};

fn fact_rx_trace(c: &Check) -> Verdict {
    let factor = Poly::from(c.constant("factor of R_x²", 1));
    let m = Poly::var("E‖x‖²");
    // R²·m = m² + variance + slack.
    let r2 = &m + (Poly::var("variance") + Poly::var("slack")) * Poly::power("E‖x‖²", -1);
    Steps::new()
        .positive(&["E‖x‖²", "variance", "slack"])
        .at_most("constant ‖x‖: R_x² = E‖x‖²", &m, &factor * &m)
        .suffices("E‖x‖² ≤ R_x²", &m, factor * r2)
        .proved_on("all laws with fourth moments and μ > 0")
}

/// `ambssgd-fact-Rx-gauss`. For x ~ N(0, I_d): E\[x_1⁴\] = 3 and E\[x_1²x_j²\] = 1, so the diagonal of
/// E\[‖x‖²xxᵀ\] is 3 + (d − 1) = d + 2.
pub const FACT_RX_GAUSS: Claim = Claim {
    id: "ambssgd-fact-Rx-gauss",
    place: "Corollaries 3.3 and 3.8",
    kind: Kind::ExpectationBound,
    statement: "x ~ N(0, I_d) has R_x² = d, R_x as §2 defines it, and κ = 1",
    hypotheses: "none",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[
        "E[x_1⁴] = 3m² and E[x_1²x_j²] = m² of the normal law, and R_x² = d would bound q, the \
            first diagonal entry of E[‖x‖²xxᵀ], by dm",
    ],
    check: by_kernel,
};

/// `ambssgd-fact-Rx-gauss-repaired`: R_x² = d + 2, that is (d + 2)/d times the printed value.
pub const FACT_RX_GAUSS_REPAIRED: Claim = Claim {
    id: "ambssgd-fact-Rx-gauss-repaired",
    place: "Corollaries 3.3 and 3.8",
    kind: Kind::ExpectationBound,
    statement: "x ~ N(0, I_d) has R_x² = d + 2 and κ = 1",
    hypotheses: "none",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-fact-Rx-dH`, "the fact that". For N(0, H), E\[‖x‖²xxᵀ\] = Tr(H)H + 2H², so
/// R_x² = Tr(H) + 2‖H‖, which is (d+2)‖H‖ at H = I. Without further conditions the ratio is unbounded:
/// x = k with probability 1/k², else 0, has d = 1, H = 1 and R_x² = k².
pub const FACT_RX_DH: Claim = Claim {
    id: "ambssgd-fact-Rx-dH",
    place: "proofs of Theorems 3.2 and 3.7",
    kind: Kind::ExpectationBound,
    statement: "R_x² ≤ d·‖H‖_2, R_x as §2 defines it",
    hypotheses: "none stated with the fact",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-fact-Rx-dH-repaired`, for Gaussian x only; no bound of this form holds for all laws.
/// In the eigenbasis of H with eigenvalues h ≤ h + t = ‖H‖ and Tr(H) = d‖H‖ − rest.
pub const FACT_RX_DH_REPAIRED: Claim = Claim {
    id: "ambssgd-fact-Rx-dH-repaired",
    place: "proofs of Theorems 3.2 and 3.7, for Gaussian x",
    kind: Kind::ExpectationBound,
    statement: "x ~ N(0, H): R_x² = Tr(H) + 2‖H‖ ≤ (d+2)·‖H‖, with equality for H = I",
    hypotheses: "x ~ N(0, H)",
    rests_on: &["ambssgd-def-Rx"],
    by_hand: &[],
    check: by_kernel,
};

/// `ambssgd-fact-excess`. With ω = w − w* the residual is z − ⟨x, ω⟩; the cross term is E\[z·x\] = 0.
pub const FACT_EXCESS: Claim = Claim {
    id: "ambssgd-fact-excess",
    place: "App. A.2.2, after (34)",
    kind: Kind::ExpectationBound,
    statement: "L(w) − L(w*) = ½‖w − w*‖²_H",
    hypotheses: "E[z·x] = 0",
    rests_on: &["ambssgd-def-model"],
    by_hand: &[
        "reduction to one coordinate in the eigenbasis of H",
        "the cross term has the factor E[z·x] = 0",
    ],
    check: fact_excess,
};

fn fact_excess(c: &Check) -> Verdict {
    let half = Poly::from(c.constant("factor of the squared norm", ratio(1, 2)));
    // Moments in one coordinate: E z² = s, E[zx] = 0, E x² = h.
    let [s, h, w] = ["σ²", "h", "ω"].map(Poly::var);
    let risk = ratio(1, 2) * (&s + &h * w.square());
    let least = ratio(1, 2) * s;
    Steps::new()
        .positive(&["h", "σ²"])
        .equal("the excess risk", risk - least, half * h * w.square())
        .note("In the eigenbasis of H coordinates add.")
        .proved_on("all laws with E[z·x] = 0")
}

/// `ambssgd-def-2.2`. Witness: randomised response with truth probability 3/4 on two records, e^ε = 3.
pub const DEF_2_2: Claim = Claim {
    id: "ambssgd-def-2.2",
    place: "§2, Definition 2.2",
    kind: Kind::Definition,
    statement: "P(A(D) ∈ S) ≤ e^ε·P(A(D') ∈ S) + δ for all events S and all D, D' that differ in \
        exactly one record (replace-one)",
    hypotheses: "ε ≥ 0, δ in [0, 1]",
    check: def_2_2,
    ..Claim::ALONE
};

fn def_2_2(c: &Check) -> Verdict {
    let differing = c.constant("records in which neighbours differ", 1);
    witnessed(
        response_is_private(&differing) && differing >= 1,
        "randomised response with truth probability 3/4 on two bits is (ln 3, 0)-DP",
    )
}

/// `ambssgd-def-2.3`. Witness: one Gaussian release has D_α = αm²/2 exactly (Lemma D.3 of the block
/// descent paper), so it is ρ-zCDP with ρ = m²/2; randomised response at the orders 2 to 6 stays below
/// the ρ of its ε, ε²/2 < 0.604 with ε = ln 3.
pub const DEF_2_3: Claim = Claim {
    id: "ambssgd-def-2.3",
    place: "§2, Definition 2.3",
    kind: Kind::Definition,
    statement: "A is ρ-zCDP if D_α(A(D)‖A(D')) ≤ ρα for all α > 1 and all D, D' that differ in one \
        record",
    hypotheses: "ρ ≥ 0",
    rests_on: &["skgd-lem-D.3"],
    by_hand: &[],
    check: def_2_3,
};

fn def_2_3(c: &Check) -> Verdict {
    use crate::arith::Interval;
    let differing = c.constant("records in which neighbours differ", 1);
    let rho = Interval::from_rational(&ratio(604, 1000));
    let holds = replace_one_pairs(2, &differing).all(|(d, e)| {
        (2..=6).all(|order| {
            let sum = renyi_sum(&response_law(d, 2), &response_law(e, 2), order);
            let divergence =
                Interval::from_rational(&sum).ln() / Interval::from(i64::from(order) - 1);
            divergence.certainly_le(&(&rho * &Interval::from(i64::from(order))))
        })
    });
    witnessed(
        holds && differing >= 1,
        "a Gaussian release with shift m is exactly (m²/2)-zCDP; randomised response with truth \
            probability 3/4 stays below 0.604·α at the orders 2 to 6",
    )
}
