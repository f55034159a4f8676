//! Section 4.3: the convex rate against that of DP-SGD, and the constant of a dominant block.

use crate::moved::written::{Proof, each, given, settle, show};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, root_increases, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

pub(super) fn with_index(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var("d"))))
}

/// 𝟙\[i=k\]·t ≤ t summed over i, for a term t in i that is plainly ≥ 0.
fn one_of(h: &Context, t: &str) -> Proof {
    let i = &with_index(h, "i")?;
    let rest = format!("(1 − 𝟙[i=k])²·{t}");
    sum_over(&show(i, &format!("𝟙[i=k]·{t} ≤ {t}"), &[(&rest, &[])])?)
}

/// `skgd-cmp-sgd-cvx`: u is w⁰ − w*, k the coordinate with M_min = κ·M_max; the bounds of √Tr(M⁻¹)·R_M against R_I, whose ratio
/// tends to 1 as κ and r do to 0 for a d that stays, and against √d·R_I.
pub fn convex() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           vector u ∈ ℝ^d
           real m > 0
           real κ > 0
           real r ≥ 0
           index k<d
           assume κ ≤ 1
           assume M_k = κ·m
           assume for every index j<d: (1 − 𝟙[j=k])·M_j = (1 − 𝟙[j=k])·m
           assume Σ_{j<d} (1 − 𝟙[j=k])²·M_j·|u_j| ≤ r·M_k·|u_k|
           define Rᵢ := √(Σ_{j<d} u_j²)
           define Rₘ := √(Σ_{j<d} M_j·u_j²)
           define t := √(Σ_{j<d} 1/M_j)
         holds
           Rᵢ ≤ t·Rₘ; (t·Rₘ)² ≤ (1 + (d − 1)·κ)·(1 + r²)·Rᵢ²; √(d)·Rᵢ ≤ √(d)·(t·Rₘ); if for every \
               index j<d: M_j = m: (t·Rₘ)² = d·Rᵢ²",
    )
}

/// Rᵢ² ≤ t²·Rₘ²: 1 ≤ M_i·t² for every i.
fn cauchy(h: &Context) -> Proof {
    let i = &with_index(h, "i")?;
    let l = &i.extended(item("l", Sort::Index(var("d"))))?;
    let part = show(l, "𝟙[l=i]/M_l ≤ 1/M_l", &[("(1 − 𝟙[l=i])²/M_l", &[])])?;
    let part = sum_over(&part)?;
    let all = sum_over(&show(i, "u_i² ≤ t²·M_i·u_i²", &[("M_i·u_i²", &[&part])])?)?;
    root_increases(&show(h, "Rᵢ² ≤ (t·Rₘ)²", &[("1", &[&all])])?)
}

/// t²·M_k ≤ 1 + (d − 1)κ, and Rₘ² ≤ (1 + r²)·M_k·u_k², and u_k² ≤ Rᵢ².
fn dominated(h: &Context) -> Result<[Theorem; 3], Stuck> {
    let i = &with_index(h, "i")?;
    let least = given(h, 1)?;
    let other = instance(i, &given(h, 2)?, &var("i"))?;
    let off = "(1 − 𝟙[i=k])";
    let trace = format!("M_k/M_i = 𝟙[i=k]·M_k/M_i + {off}·κ");
    let trace = show(
        i,
        &trace,
        &[
            (&format!("{off}/M_i"), &[&least]),
            (&format!("(−1)·κ·{off}/M_i"), &[&other]),
        ],
    )?;
    let trace = show(h, "t²·M_k ≤ 1 + (d − 1)·κ", &[("1", &[&sum_over(&trace)?])])?;
    // For a_j = M_j·|u_j|, j ≠ k: Σa_j² ≤ (Σa_j)², and M_k ≤ M_j.
    let a = format!("{off}²·M_i·|u_i|");
    let l = &with_index(i, "l")?;
    let b = "(1 − 𝟙[l=k])²·M_l·|u_l|";
    let one = sum_over(&show(
        l,
        &format!("𝟙[l=i]·{b} ≤ {b}"),
        &[(&format!("(1 − 𝟙[l=i])²·{b}"), &[])],
    )?)?;
    let all = "(Σ_{l<d} (1 − 𝟙[l=k])²·M_l·|u_l|)";
    let squares = sum_over(&show(i, &format!("({a})² ≤ {a}·{all}"), &[(&a, &[&one])])?)?;
    let few = given(h, 3)?;
    let larger = format!("{off}²·M_k·M_i·u_i² ≤ ({a})²");
    let (small, square) = (given(h, 0)?, format!("{off}²·M_i·u_i²"));
    let larger = sum_over(&show(
        i,
        &larger,
        &[
            (&format!("(−1)·{square}"), &[&other]),
            (&square, &[&least]),
            (&format!("{square}·m"), &[&small]),
        ],
    )?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/M_k", &[&larger]),
        ("1/M_k", &[&squares]),
        (&format!("({all} + r·M_k·|u_k|)/M_k"), &[&few]),
    ];
    let near = show(h, "Rₘ² ≤ (1 + r²)·M_k·u_k²", parts)?;
    Ok([
        trace,
        near,
        show(h, "u_k² ≤ Rᵢ²", &[("1", &[&one_of(h, "u_i²")?])])?,
    ])
}

/// The proof of [`convex`], or of a statement with other constants.
pub fn prove_convex(statement: &Statement) -> Proof {
    let context = &statement.context;
    let cauchy = cauchy(context)?;
    let [trace, near, part] = dominated(context)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("1", &[&cauchy])]),
            &|h, goal| {
                let parts: &[(&str, &[&Theorem])] = &[
                    ("t²", &[&near]),
                    ("t²·(1 + r²)·M_k", &[&part]),
                    ("(1 + r²)·Rᵢ²", &[&trace]),
                ];
                settle(h, goal, parts)
            },
            &|h, goal| settle(h, goal, &[("√(d)", &[&cauchy])]),
            &|h, goal| {
                let i = &with_index(h, "i")?;
                let equal = instance(i, &given(h, 4)?, &var("i"))?;
                let unit = sum_over(&show(i, "1/M_i = 1/m", &[("(−1)/(m·M_i)", &[&equal])])?)?;
                let weighted = sum_over(&show(i, "M_i·u_i² = m·u_i²", &[("u_i²", &[&equal])])?)?;
                settle(h, goal, &[("Rₘ²", &[&unit]), ("d/m", &[&weighted])])
            },
        ],
    )
}

/// `skgd-cmp-sgd-block-repaired`: a is |A₁|, ℒ and m are L_max and M_max, ℓ_j the constant of the block of j.
pub fn block() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           vector M ∈ ℝ^d, all > 0
           vector ℓ ∈ ℝ^d, all > 0
           real m > 0
           real ℒ > 0
           set A⊆d
           assume for every index j<d: 𝟙[j∈A]·M_j = 𝟙[j∈A]·m
           assume for every index j<d: 𝟙[j∈A]·ℓ_j = 𝟙[j∈A]·ℒ
           real r
           define a := Σ_{j<d} 𝟙[j∈A]
           assume r·(a·ℒ²/m) = Σ_{j<d} (1 − 𝟙[j∈A])·ℓ_j²/M_j
         holds
           Σ_{j<d} ℓ_j²/M_j = a·(ℒ²/m)·(1 + r)",
    )
}

/// The proof of [`block`], or of a statement with other constants.
pub fn prove_block(statement: &Statement) -> Proof {
    let h = &statement.context;
    let i = &with_index(h, "i")?;
    let of = |n| instance(i, &given(h, n)?, &var("i"));
    let (weight, slope) = (of(0)?, of(1)?);
    let one = show(
        i,
        "𝟙[i∈A]·ℓ_i²/M_i = 𝟙[i∈A]·ℒ²/m",
        &[
            ("(ℓ_i + ℒ)/M_i", &[&slope]),
            ("(−1)·ℒ²/(m·M_i)", &[&weight]),
        ],
    )?;
    settle(
        h,
        &statement.goal,
        &[("1", &[&sum_over(&one)?]), ("(−1)", &[&given(h, 2)?])],
    )
}
