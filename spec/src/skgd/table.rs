//! Table 1, row by row.

use super::setting::integer;
use crate::arith::algebra::Steps;
use crate::arith::{Poly, Rational};
use crate::claim::{Claim, Kind, Verdict, by_kernel};

/// The claims of the table.
pub(super) const CLAIMS: [Claim; 2] = [TAB_1, TAB_1_REPAIRED];

const SYMBOLS: [&str; 8] = ["‖L_A‖", "L", "Z", "Tr", "b", "d", "M_max", "μ"];

/// One strongly convex row of Table 1: the general row ‖L_A‖²·(1/μ)·max_i{M_i/p_i} with the maximum of
/// the row put in, against the printed expression.
struct Row {
    label: &'static str,
    derived: Poly,
    printed: Poly,
}

/// The rows, `exponent` being the one printed on ‖L_A‖ in the row of importance sampling.
fn rows(exponent: i32) -> Vec<Row> {
    let general = |l2: Poly, maximum: Poly| l2 * Poly::power("μ", -1) * maximum;
    let l2 = || Poly::power("‖L_A‖", 2);
    let full = || Poly::power("L", 2) * Poly::var("Tr");
    vec![
        // Uniform: p_i = 1/b, so the maximum is b·M_max.
        Row {
            label: "uniform, general b",
            derived: general(l2(), Poly::var("b") * Poly::var("M_max")),
            printed: l2() * Poly::power("μ", -1) * Poly::var("M_max") * Poly::var("b"),
        },
        Row {
            label: "importance, general b",
            derived: general(l2(), Poly::var("Z")),
            printed: Poly::power("‖L_A‖", exponent) * Poly::power("μ", -1) * Poly::var("Z"),
        },
        Row {
            label: "uniform, b = d",
            derived: general(l2(), Poly::var("d") * Poly::var("M_max")),
            printed: l2() * Poly::power("μ", -1) * Poly::var("M_max") * Poly::var("d"),
        },
        // Singletons: Z = Tr(M), written `Tr`.
        Row {
            label: "importance, b = d",
            derived: general(l2(), Poly::var("Tr")),
            printed: l2() * Poly::power("μ", -1) * Poly::var("Tr"),
        },
        // Full sampling: ‖L_A‖² = L²·Tr(M⁻¹), P = I.
        Row {
            label: "b = 1",
            derived: general(full(), Poly::var("M_max")),
            printed: full() * Poly::power("μ", -1) * Poly::var("M_max"),
        },
    ]
}

fn decide_rows(exponent: &Rational, repaired: Option<&'static str>) -> Verdict {
    let Some(exponent) = integer(exponent) else {
        return Verdict::open("a fractional power is not a polynomial statement");
    };
    let steps = rows(exponent).into_iter().fold(Steps::new(), |steps, row| {
        steps
            .positive(&SYMBOLS)
            .equal(row.label, &row.derived, &row.printed)
    });
    steps
        .repaired(repaired)
        .note("Exact substitution.")
        .proved_on(
            "the rows of this paper's method, relative to its general row; the convex column is \
                settled row by row in the claims skgd-rate-*; the two cited rows are not checked",
        )
}

/// `skgd-tab-1`: the strongly convex entry of importance sampling for general b prints the norm
/// without its square, against the general row; under ℓ → κℓ the two differ by √κ.
pub const TAB_1: Claim = Claim {
    id: "skgd-tab-1",
    place: "Table 1",
    kind: Kind::Rate,
    statement: "the strongly convex entries of this paper's rows of Table 1 are substitutions into \
        its general row",
    hypotheses: "as Theorem 4.2",
    check: |c| {
        decide_rows(
            &c.constant("exponent of ‖L_A‖ in the row of importance sampling", 1),
            Some("skgd-tab-1-repaired"),
        )
    },
    ..Claim::ALONE
};

/// `skgd-tab-1-repaired`: the exponent is 2.
pub const TAB_1_REPAIRED: Claim = Claim {
    id: "skgd-tab-1-repaired",
    place: "Table 1 with the square in the row of importance sampling",
    kind: Kind::Rate,
    statement: "the strongly convex entries of this paper's rows of Table 1, with \
        ‖L_A‖²_{M⁻¹}(1/μ)Σ_i max_{j∈A_i}M_j for importance sampling",
    hypotheses: "as skgd-thm-4.2-sc-repaired for the strongly convex column",
    rests_on: &[
        "skgd-rate-block",
        "skgd-thm-4.2-sc-rate-repaired",
        "skgd-eq-imp-psd",
    ],
    check: by_kernel,
    ..Claim::ALONE
};
