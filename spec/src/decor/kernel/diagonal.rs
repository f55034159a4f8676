//! Bounds for the diagonal of Σ⁻¹, for any graph: `decor-drv-1`.
//!
//! The graph is that of [`super::noise`], σ² and τ² are σ_cdp² and σ_cor². C(k, x) is entry k of Σx, so that x is column j of Σ⁻¹ if
//! C(k, x) = 𝟙\[k=j\] for all k.

use super::noise::{GRAPH, given_at, with};
use super::swap;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, inverse, sum_over};
use dp_assay_kernel::statement::{Context, Goal, Statement};

/// `decor-drv-1`: c is 1 on a set of m users that has user j in it and no edge out of it, such as her component. z is column j when
/// an edge between u and v is added. Y_i is column i of Σ⁻¹ and V an orthonormal basis of eigenvectors of the Laplacian.
pub fn diagonal() -> Result<Statement, Stuck> {
    let text = "real σ > 0
    real τ ≥ 0
    define C(k<n, x∈ℝ^n) := σ²·x_k + τ²·(Σ_{e<E} b(e, k)·(Σ_{l<n} b(e, l)·x_l))
    index j<n
    vector x ∈ ℝ^n
    assume for every index q<n: C(q, x) = 𝟙[q=j]
    vector c ∈ ℝ^n
    assume for every index q<n: c_q² = c_q
    assume for every index p<E: Σ_{l<n} b(p, l)·c_l = 0
    assume c_j = 1
    real m > 0
    assume m = Σ_{k<n} c_k
    index u<n
    index v<n
    vector z ∈ ℝ^n
    assume for every index q<n: C(q, z) + τ²·(𝟙[q=u] − 𝟙[q=v])·(z_u − z_v) = 𝟙[q=j]
    sequence Y in ℝ^n
    assume for every index q<n: for every index r<n: C(r, Y_q) = 𝟙[r=q]
    sequence V in ℝ^n
    vector λ ∈ ℝ^n, all ≥ 0
    assume for every index q<n: for every index r<n: Σ_{e<E} b(e, r)·(Σ_{l<n} b(e, l)·V_q[l]) = \
        λ_q·V_q[r]
    assume for every index q<n: Σ_{k<n} V_q[k]² = 1
    assume for every index q<n: for every index r<n: Σ_{o<n} V_o[q]·V_o[r] = 𝟙[q=r]
holds
    1/(m·σ²) ≤ x_j; x_j ≤ 1/σ²; 1/(σ² + (Σ_{e<E} (h_e[j]² + t_e[j]²))·τ²) ≤ x_j; z_j ≤ x_j; \
        Σ_{i<n} Y_i[i] = Σ_{o<n} 1/(σ² + λ_o·τ²)";
    render::parse(&format!("{GRAPH}{text}"))
}

/// Σ_l b(e, l)·x_l of entries as text.
fn along(x: &str) -> String {
    let x = x.replace("[k", "[l").replace("_k", "_l");
    format!("(Σ_{{l<n}} b(e, l)·{x})")
}

/// σ²·Σ x_k·y_k + τ²·Σ_e (Σ_l b·x_l)·(Σ_l b·y_l), of entries as text.
fn form(x: &str, y: &str) -> String {
    let (of_x, of_y) = (along(x), along(y));
    format!("(σ²·(Σ_{{k<n}} {x}·{y}) + τ²·(Σ_{{e<E}} {of_x}·{of_y}))")
}

/// Σ_k y_k·(Σx)_k as that form, added up from `row`, which says of entry k of Σx that it is `right`.
fn paired(
    h: &Context,
    row: &dyn Fn(&Context) -> Proof,
    (x, y): (&str, &str),
    (more, right): (&str, &str),
) -> Proof {
    let k = &with(h, "k")?;
    let common = format!("(Σ_{{e<E}} b(e, k)·{})", along(x));
    let one = format!("{y}·(σ²·{x} + τ²·{common}{more}) = {y}·{right}");
    let one = sum_over(&show(k, &one, &[(y, &[&row(k)?])])?)?;
    let swapped = swap(
        h,
        ("k", "n"),
        ("e", "E"),
        &format!("{y}·b(e, k)·{}", along(x)),
    )?;
    let goal = format!(
        "{} + (Σ_{{k<n}} {y}·(0{more})) = Σ_{{k<n}} {y}·{right}",
        form(x, y)
    );
    show(h, &goal, &[("1", &[&one]), ("(−1)·τ²", &[&swapped])])
}

const UNIT: &str = "𝟙[k=j]";

/// That form of x and y is y_j.
fn of_x(h: &Context, y: &str) -> Proof {
    paired(h, &|k| given_at(k, 4, "k"), ("x_k", y), ("", UNIT))
}

/// That form of a vector with itself, which is not negative.
fn square(x: &str) -> String {
    format!("σ²·(Σ_{{k<n}} {x}²) + τ²·(Σ_{{e<E}} {}²)", along(x))
}

fn component(h: &Context, goal: &Goal) -> Proof {
    let (k, e) = (&with(h, "k")?, &with(h, "e")?);
    let bits = sum_over(&given_at(k, 5, "k")?)?;
    let flat = given_at(e, 6, "e")?;
    let away = along("c_k");
    let flat = sum_over(&show(e, &format!("{away}² = 0"), &[(&away, &[&flat])])?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&square("(x_k − c_k/(m·σ²))"), &[]),
        ("1", &[&of_x(h, "x_k")?]),
        ("(−2)/(m·σ²)", &[&of_x(h, "c_k")?]),
        ("1/(m²·σ²)", &[&bits]),
        ("τ²/(m²·σ²·σ²)", &[&flat]),
        ("(−2)/(m·σ²)", &[&given(h, 7)?]),
        ("(−1)/(m²·σ²)", &[&given(h, 8)?]),
    ];
    settle(h, goal, parts)
}

fn own(h: &Context, goal: &Goal) -> Proof {
    let common = format!("τ²·(Σ_{{e<E}} {}²)", along("x_k"));
    let parts: &[(&str, &[&Theorem])] = &[
        ("σ²·(Σ_{k<n} (x_k − 𝟙[k=j]/σ²)²)", &[]),
        (&common, &[]),
        ("1", &[&of_x(h, "x_k")?]),
    ];
    settle(h, goal, parts)
}

fn degree(h: &Context, goal: &Goal) -> Proof {
    let w = "(σ² + (Σ_{e<E} (h_e[j]² + t_e[j]²))·τ²)";
    let apart = sum_over(&given_at(&with(h, "e")?, 2, "e j")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&square(&format!("(x_k − 𝟙[k=j]/{w})")), &[]),
        ("1", &[&of_x(h, "x_k")?]),
        (&format!("(−2)/{w}"), &[&given_at(h, 4, "j")?]),
        (&format!("1/{w}"), &[&inverse(h, &term(h, w)?)?]),
        (&format!("(−2)·τ²·(1/{w})²"), &[&apart]),
    ];
    settle(h, goal, parts)
}

fn one_edge_more(h: &Context, goal: &Goal) -> Proof {
    let more = " + τ²·(𝟙[k=u] − 𝟙[k=v])·(z_u − z_v)";
    let of_z = paired(h, &|k| given_at(k, 9, "k"), ("z_k", "z_k"), (more, UNIT))?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&square("(z_k − x_k)"), &[]),
        ("τ²·(z_u − z_v)²", &[]),
        ("1", &[&of_x(h, "x_k")?]),
        ("(−2)", &[&of_x(h, "z_k")?]),
        ("1", &[&of_z]),
    ];
    settle(h, goal, parts)
}

/// The inverse of an eigenvalue of Σ.
const SHARE: &str = "(1/(σ² + λ_o·τ²))";

/// ⟨V_o, Y_i⟩ = V_o\[i\]/(σ² + λ_o·τ²).
fn coefficient(h: &Context) -> Proof {
    let (x, y) = ("Y_i[k]", "V_o[k]");
    let row = |k: &Context| given_at(k, 10, "i k");
    let pair = paired(h, &row, (x, y), ("", "𝟙[k=i]"))?;
    let k = &with(h, "k")?;
    let scaled = format!("{x}·(Σ_{{e<E}} b(e, k)·{}) = λ_o·{x}·{y}", along(y));
    let scaled = sum_over(&show(k, &scaled, &[(x, &[&given_at(k, 11, "o k")?])])?)?;
    let swapped = swap(
        h,
        ("k", "n"),
        ("e", "E"),
        &format!("{x}·b(e, k)·{}", along(y)),
    )?;
    let (inner, share) = (format!("(Σ_{{k<n}} {x}·{y})"), format!("{SHARE}·τ²"));
    let parts: &[(&str, &[&Theorem])] = &[
        (SHARE, &[&pair]),
        (&format!("(−1)·{share}"), &[&scaled]),
        (&share, &[&swapped]),
        (
            &format!("(−1)·{inner}"),
            &[&inverse(h, &term(h, "σ² + λ_o·τ²")?)?],
        ),
    ];
    show(h, &format!("{inner} = V_o[i]·{SHARE}"), parts)
}

fn trace(h: &Context, goal: &Goal) -> Proof {
    let (i, o) = (&with(h, "i")?, &with(h, "o")?);
    let (k, both) = (&with(i, "k")?, &with(i, "o")?);
    let whole = "Y_i[k]·(Σ_{o<n} V_o[k]·V_o[i]) = Y_i[k]·𝟙[k=i]";
    let whole = sum_over(&show(k, whole, &[("Y_i[k]", &[&given_at(k, 13, "k i")?])])?)?;
    let along = swap(i, ("k", "n"), ("o", "n"), "Y_i[k]·V_o[k]·V_o[i]")?;
    let part = format!("V_o[i]·(Σ_{{k<n}} Y_i[k]·V_o[k]) = V_o[i]²·{SHARE}");
    let part = sum_over(&show(both, &part, &[("V_o[i]", &[&coefficient(both)?])])?)?;
    let entry = format!("Y_i[i] = Σ_{{o<n}} V_o[i]²·{SHARE}");
    let parts: &[(&str, &[&Theorem])] = &[("(−1)", &[&whole]), ("1", &[&along]), ("1", &[&part])];
    let entry = sum_over(&show(i, &entry, parts)?)?;
    let swapped = swap(h, ("i", "n"), ("o", "n"), &format!("V_o[i]²·{SHARE}"))?;
    let norm = format!("(Σ_{{k<n}} V_o[k]²)·{SHARE} = {SHARE}");
    let norm = sum_over(&show(o, &norm, &[(SHARE, &[&given_at(o, 12, "o")?])])?)?;
    settle(
        h,
        goal,
        &[("1", &[&entry]), ("1", &[&swapped]), ("1", &[&norm])],
    )
}

/// The proof of [`diagonal`], or of a statement with smaller lower and larger upper bounds.
pub fn prove_diagonal(statement: &Statement) -> Proof {
    each(
        statement,
        &[&component, &own, &degree, &one_edge_more, &trace],
    )
}
