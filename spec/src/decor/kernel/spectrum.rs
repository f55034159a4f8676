//! The second largest eigenvalue, by quadratic forms: `decor-lem-5`.
//!
//! V is an orthonormal basis of eigenvectors of M, with the eigenvalues λ, each as often as its multiplicity: the eigenvector of the
//! largest, V_a, may be any of norm 1, as there is such a basis with it.

use super::deletion::of;
use super::swap;
use crate::moved::written::{Proof, each, given, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// Hypotheses by number; the last is supposed of a goal, that u is orthogonal to V_a.
mod hypothesis {
    pub const IMAGES: usize = 0;
    pub const UNITS: usize = 1;
    pub const BASIS: usize = 2;
    pub const APART: usize = 3;
    pub const SECOND: usize = 5;
    pub const ORTHOGONAL: usize = 6;
}

/// `decor-lem-5`: λ_a is the largest eigenvalue, λ_b the largest of the others. It bounds the form of M for every u orthogonal to
/// V_a, and V_b is such a vector, for which it is reached.
pub fn second_largest() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           sequence M in ℝ^n
           sequence V in ℝ^n
           vector λ ∈ ℝ^n
           assume for every index q<n: for every index r<n: Σ_{l<n} M_r[l]·V_q[l] = λ_q·V_q[r]
           assume for every index q<n: for every index r<n: Σ_{l<n} V_q[l]·V_r[l] = 𝟙[q=r]
           assume for every index q<n: for every index r<n: Σ_{o<n} V_o[q]·V_o[r] = 𝟙[q=r]
           index a<n
           index b<n
           assume 𝟙[a=b] = 0
           assume for every index q<n: λ_q ≤ λ_a
           assume for every index q<n: (1 − 𝟙[q=a])·λ_q ≤ (1 − 𝟙[q=a])·λ_b
         holds
           for every vector u ∈ ℝ^n: if Σ_{k<n} u_k·V_a[k] = 0: Σ_{k<n} u_k·(Σ_{l<n} M_k[l]·u_l) ≤ \
               λ_b·(Σ_{k<n} u_k²); Σ_{k<n} V_b[k]·V_a[k] = 0; Σ_{k<n} V_b[k]² = 1; Σ_{k<n} \
               V_b[k]·(Σ_{l<n} M_k[l]·V_b[l]) = λ_b",
    )
}

fn with(context: &Context, names: &str) -> Result<Context, Stuck> {
    let index = |name: &str| item(name, Sort::Index(var("n")));
    context.with(names.split(' ').map(index))
}

/// The coefficient ⟨u, V_o⟩.
const PART: &str = "(Σ_{i<n} u_i·V_o[i])";

/// u_k = Σ_o ⟨u, V_o⟩·V_o\[k\], for an index k of the context.
fn expanded(h: &Context, k: &str) -> Proof {
    let i = &with(h, "i")?;
    let one = format!("u_i·(Σ_{{o<n}} V_o[i]·V_o[{k}]) = u_i·𝟙[i={k}]");
    let one = sum_over(&show(
        i,
        &one,
        &[("u_i", &[&of(i, hypothesis::BASIS, &format!("i {k}"))?])],
    )?)?;
    let swapped = swap(h, ("o", "n"), ("i", "n"), &format!("V_o[{k}]·u_i·V_o[i]"))?;
    let goal = format!("Σ_{{o<n}} V_o[{k}]·{PART} = u_{k}");
    show(h, &goal, &[("1", &[&swapped]), ("1", &[&one])])
}

/// Σ_k u_k·Σ_l M_k\[l\]·u_l ≤ λ_b·‖u‖²: in the basis both are sums over o of multiples of ⟨u, V_o⟩², and that of V_a is 0.
fn most(h: &Context, goal: &Goal) -> Proof {
    let (k, o, l) = (&with(h, "k")?, &with(h, "o")?, &with(h, "k l")?);
    let square = format!("u_k·(Σ_{{o<n}} V_o[k]·{PART}) = u_k²");
    let square = sum_over(&show(k, &square, &[("u_k", &[&expanded(k, "k")?])])?)?;
    let of_squares = swap(h, ("k", "n"), ("o", "n"), &format!("u_k·V_o[k]·{PART}"))?;
    let row = format!("M_k[l]·(Σ_{{o<n}} V_o[l]·{PART}) = M_k[l]·u_l");
    let entry = expanded(l, "l")?;
    let row = sum_over(&show(l, &row, &[("M_k[l]", &[&entry])])?)?;
    let along = swap(k, ("l", "n"), ("o", "n"), &format!("M_k[l]·V_o[l]·{PART}"))?;
    let both = &with(k, "o")?;
    let image = format!("{PART}·(Σ_{{l<n}} M_k[l]·V_o[l]) = λ_o·{PART}·V_o[k]");
    let image = sum_over(&show(
        both,
        &image,
        &[(PART, &[&of(both, hypothesis::IMAGES, "o k")?])],
    )?)?;
    let entry = format!("u_k·(Σ_{{l<n}} M_k[l]·u_l) = u_k·(Σ_{{o<n}} λ_o·{PART}·V_o[k])");
    let parts: &[(&str, &[&Theorem])] = &[
        ("(−1)·u_k", &[&row]),
        ("u_k", &[&along]),
        ("u_k", &[&image]),
    ];
    let form = sum_over(&show(k, &entry, parts)?)?;
    let of_form = swap(h, ("k", "n"), ("o", "n"), &format!("u_k·λ_o·{PART}·V_o[k]"))?;
    let least = format!("(1 − 𝟙[o=a])·λ_o·{PART}² ≤ (1 − 𝟙[o=a])·λ_b·{PART}²");
    let least = sum_over(&show(
        o,
        &least,
        &[(&format!("{PART}²"), &[&of(o, hypothesis::SECOND, "o")?])],
    )?)?;
    let none = given(h, hypothesis::ORTHOGONAL)?;
    let factor = "(λ_a − λ_b)·(Σ_{k<n} u_k·V_a[k])";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&form]),
        ("1", &[&of_form]),
        ("λ_b", &[&square]),
        ("(−1)·λ_b", &[&of_squares]),
        ("1", &[&least]),
        (factor, &[&none]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`second_largest`], or of a statement with a larger bound.
pub fn prove_second_largest(statement: &Statement) -> Proof {
    let outer = &statement.context;
    let unit = |h: &Context, i: &str| of(h, hypothesis::UNITS, &format!("b {i}"));
    each(
        statement,
        &[
            &most,
            &|h, goal| {
                settle(
                    h,
                    goal,
                    &[
                        ("1", &[&unit(h, "a")?]),
                        ("1", &[&given(outer, hypothesis::APART)?]),
                    ],
                )
            },
            &|h, goal| settle(h, goal, &[("1", &[&unit(h, "b")?])]),
            &|h, goal| {
                let k = &with(h, "k")?;
                let row = "V_b[k]·(Σ_{l<n} M_k[l]·V_b[l]) = λ_b·V_b[k]²";
                let row = sum_over(&show(
                    k,
                    row,
                    &[("V_b[k]", &[&of(k, hypothesis::IMAGES, "b k")?])],
                )?)?;
                settle(h, goal, &[("1", &[&row]), ("λ_b", &[&unit(h, "b")?])])
            },
        ],
    )
}
