//! The size R_x² of Gaussian features: the least r with E\[‖x‖²xxᵀ\] ⪯ r·E\[xxᵀ\], as quadratic forms in every vector v.

use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, exchange, instance, sum_over};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sort, Statement};
use dp_assay_kernel::term::var;

/// `ambssgd-fact-Rx-gauss-repaired`: the covariance is I, so that κ is 1.
pub fn isotropic() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           real r
           define along(v∈ℝ^d, x∈ℝ^d) := Σ_{l<d} v_l·x_l
           define H(v∈ℝ^d) := 𝔼_{x∼N_{d}(0, 1)}[along(v, x)²]
           define S(v∈ℝ^d) := 𝔼_{x∼N_{d}(0, 1)}[‖x‖²·along(v, x)²]
         holds
           for every vector v ∈ ℝ^d: S(v) ≤ (d + 2)·H(v); if for every vector v ∈ ℝ^d: S(v) ≤ \
               r·H(v): d + 2 ≤ r; for every vector v ∈ ℝ^d: H(v) = ‖v‖²",
    )
}

/// The proof of [`isotropic`], or of a statement with a larger bound.
pub fn prove_isotropic(statement: &Statement) -> Proof {
    let plain = |h: &Context, goal: &Goal| settle(h, goal, &[]);
    each(
        statement,
        &[
            &plain,
            &|h, goal| {
                let ones = instance(h, &given(h, 0)?, &term(h, "⟨1 : l<d⟩")?)?;
                settle(h, goal, &[("1/d", &[&ones])])
            },
            &plain,
        ],
    )
}

/// `ambssgd-fact-Rx-dH-repaired`: x is B·g for standard normal g, so that its covariance is H = BBᵀ, of which c is the largest
/// eigenvalue, that of e.
pub fn any_covariance() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer d ≥ 1
           integer m ≥ 1
           sequence B in ℝ^m
           define x(i<d, g∈ℝ^m) := Σ_{k<m} B_i[k]·g_k
           define H(i<d, j<d) := 𝔼_{g∼N_{m}(0, 1)}[x(i, g)·x(j, g)]
           define F(v∈ℝ^d) := Σ_{i<d} v_i·(Σ_{j<d} v_j·H(i, j))
           define M(i<d, j<d) := Σ_{l<d} 𝔼_{g∼N_{m}(0, 1)}[x(l, g)²·x(i, g)·x(j, g)]
           define S(v∈ℝ^d) := Σ_{i<d} v_i·(Σ_{j<d} v_j·M(i, j))
           real c > 0
           assume for every vector v ∈ ℝ^d: F(v) ≤ c·‖v‖²
           vector e ∈ ℝ^d
           assume ‖e‖² = 1
           assume for every index i<d: Σ_{j<d} H(i, j)·e_j = c·e_i
           real r
           define R := (Σ_{i<d} H(i, i)) + 2·c
         holds
           for every vector v ∈ ℝ^d: S(v) ≤ R·F(v); if for every vector v ∈ ℝ^d: S(v) ≤ r·F(v): R \
               ≤ r; R ≤ (d + 2)·c; if for every index i<d: for every index j<d: H(i, j) = 𝟙[i=j]: \
               R = (d + 2)·c",
    )
}

fn with_index(context: &Context, name: &str) -> Result<Context, Stuck> {
    context.extended(item(name, Sort::Index(var("d"))))
}

fn swap(h: &Context, first: &str, second: &str, body: &str) -> Proof {
    let below = |name: &str| var(if name == "k" { "m" } else { "d" });
    let index = |name: &str| item(name, Sort::Index(below(name)));
    let body = term(&h.with([index(first), index(second)])?, body)?;
    exchange(h, (first, &below(first)), (second, &below(second)), &body)
}

/// Σ_k (Σ_i u_i·B_i\[k\])·(Σ_j w_j·B_j\[k\]) = Σ_i u_i·Σ_j w_j·H(i, j), for entries u_i and w_j as text.
fn gram(h: &Context, u: &str, w: &str) -> Proof {
    let [u_j, w_j] = [u, w].map(|entry| entry.replace("_i", "_j").replace("(i,", "(j,"));
    let outer = swap(h, "k", "i", &format!("{u}·B_i[k]·(Σ_{{j<d}} {w_j}·B_j[k])"))?;
    let body = format!("{u}·B_i[k]·{w_j}·B_j[k]");
    let inner = sum_over(&swap(&with_index(h, "i")?, "k", "j", &body)?)?;
    let along = |entry: &str| format!("(Σ_{{j<d}} {entry}·B_j[k])");
    let goal = format!(
        "Σ_{{k<m}} {}·{} = Σ_{{i<d}} {u}·(Σ_{{j<d}} {w_j}·H(i, j))",
        along(&u_j),
        along(&w_j)
    );
    show(h, &goal, &[("1", &[&outer]), ("1", &[&inner])])
}

/// Σ_q Σ_i Σ_j v_q·v_i·H(j, q)·H(j, i) = Σ_j (Σ_i H(j, i)·v_i)², by way of Σ_q Σ_j.
fn image(h: &Context, v: &str) -> Result<[Theorem; 2], Stuck> {
    let body = format!("{v}_q·{v}_i·H(j, q)·H(j, i)");
    let inner = sum_over(&swap(&with_index(h, "q")?, "i", "j", &body)?)?;
    let body = format!("{v}_q·H(j, q)·(Σ_{{i<d}} H(j, i)·{v}_i)");
    Ok([inner, swap(h, "q", "j", &body)?])
}

/// S(v) ≤ R·F(v): with w = Hv, ‖w‖² ≤ c·F(v), from 0 ≤ ‖Bᵀ(c·v − w)‖² = c²·F(v) − 2c·‖w‖² + F(w) and F(w) ≤ c·‖w‖².
fn most(h: &Context, outer: &Context, goal: &Goal) -> Proof {
    let w = "(Σ_{l<d} H(i, l)·v_l)";
    let top = instance(h, &given(outer, 0)?, &term(h, &format!("⟨{w} : i<d⟩"))?)?;
    let square = format!("(2/c)·(Σ_{{k<m}} (Σ_{{i<d}} (c·v_i − {w})·B_i[k])²)");
    let [inner, swapped] = image(h, "v")?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&square, &[]),
        ("2/c", &[&top]),
        ("2·c", &[&gram(h, "v_i", "v_i")?]),
        ("(−4)", &[&gram(h, w, "v_i")?]),
        ("2/c", &[&gram(h, w, w)?]),
        ("2", &[&inner]),
        ("2", &[&swapped]),
    ];
    settle(h, goal, parts)
}

/// R ≤ r, from S(e) = R·F(e) and F(e) = c.
fn least(h: &Context, outer: &Context, goal: &Goal) -> Proof {
    let at_e = instance(h, &given(h, 3)?, &var("e"))?;
    let i = &with_index(h, "i")?;
    let row = instance(i, &given(outer, 2)?, &var("i"))?;
    let image_of_e = "(Σ_{j<d} H(i, j)·e_j)";
    let along = sum_over(&show(
        i,
        &format!("e_i·{image_of_e} = c·e_i²"),
        &[("e_i", &[&row])],
    )?)?;
    let factor = format!("{image_of_e} + c·e_i");
    let square = sum_over(&show(
        i,
        &format!("{image_of_e}² = c²·e_i²"),
        &[(&factor, &[&row])],
    )?)?;
    let unit = given(outer, 1)?;
    let [inner, swapped] = image(h, "e")?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/c", &[&at_e]),
        ("(r − (Σ_{i<d} H(i, i)))/c", &[&along]),
        ("(−2)/c", &[&inner]),
        ("(−2)/c", &[&swapped]),
        ("(−2)/c", &[&square]),
        ("r − R", &[&unit]),
    ];
    settle(h, goal, parts)
}

/// H(i, i) ≤ c, by the unit vectors.
fn trace(h: &Context, goal: &Goal) -> Proof {
    let i = &with_index(h, "i")?;
    let entry = instance(i, &given(h, 0)?, &term(i, "⟨𝟙[l=i] : l<d⟩")?)?;
    let entry = sum_over(&show(i, "H(i, i) ≤ c", &[("1", &[&entry])])?)?;
    settle(h, goal, &[("1", &[&entry])])
}

/// If H = I, then Σ_i H(i, i) = d and c = 1.
fn identity(h: &Context, outer: &Context, goal: &Goal) -> Proof {
    let i = &with_index(h, "i")?;
    let (j, same) = (&with_index(i, "j")?, instance(i, &given(h, 3)?, &var("i"))?);
    let entry = instance(j, &same, &var("j"))?;
    let entry = show(j, "H(i, j)·e_j = 𝟙[i=j]·e_j", &[("e_j", &[&entry])])?;
    let row = instance(i, &given(outer, 2)?, &var("i"))?;
    let parts: &[(&str, &[&Theorem])] = &[("e_i", &[&row]), ("(−1)·e_i", &[&sum_over(&entry)?])];
    let one = sum_over(&show(i, "e_i² = c·e_i²", parts)?)?;
    let diagonal = sum_over(&instance(i, &same, &var("i"))?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&diagonal]),
        ("d", &[&one]),
        ("d·(c − 1)", &[&given(outer, 1)?]),
    ];
    settle(h, goal, parts)
}

/// The proof of [`any_covariance`], or of a statement with a larger bound.
pub fn prove_any_covariance(statement: &Statement) -> Proof {
    let outer = &statement.context;
    each(
        statement,
        &[
            &|h, goal| most(h, outer, goal),
            &|h, goal| least(h, outer, goal),
            &trace,
            &|h, goal| identity(h, outer, goal),
        ],
    )
}
