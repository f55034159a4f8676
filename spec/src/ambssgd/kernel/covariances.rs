//! What bounds on the excess risk come to when the noise of the labels is independent of the features: Σ = σ²H. H has the rows H_i,
//! its inverse the rows G_i; ‖H‖ is h, and μ is below every value of ⟨v, Hv⟩/‖v‖².

use crate::moved::written::{Proof, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, sum_over};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_zero};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Sort, Statement};
use dp_assay_kernel::term::var;

/// `ambssgd-thm-3.7-proof-final-repaired`: P is the right side of (47) without privacy noise, W is ‖w⋆‖²_H, and n is N.
pub fn final_bound() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer T ≥ 1
           integer b ≥ 1
           real σ ≥ 0
           real η > 0
           real μ > 0
           real h > 0
           real c₁ > 0
           assume n = T·(b + b/10)
           sequence H in ℝ^d
           sequence G in ℝ^d
           vector w⋆ ∈ ℝ^d
           assume for every index i<d: for every index k<d: H_i[k] = H_k[i]
           assume for every index i<d: for every index k<d: Σ_{j<d} G_i[j]·H_j[k] = 𝟙[i=k]
           assume for every vector v ∈ ℝ^d: Σ_{i<d} (Σ_{j<d} H_i[j]·v_j)² ≤ h²·(Σ_{j<d} v_j²)
           assume for every vector v ∈ ℝ^d: μ·(Σ_{j<d} v_j²) ≤ Σ_{i<d} v_i·(Σ_{j<d} H_i[j]·v_j)
           define κ := h/μ
           define W := Σ_{i<d} w⋆_i·(Σ_{j<d} H_i[j]·w⋆_j)
           define P := W/exp((η·μ·c₁·κ/4)·log(n)) + (2·η/(μ·b))·(Σ_{i<d} Σ_{j<d} H_i[j]·(σ²·H_j[i]))
         holds
           (4/(η²·μ²·T²))·exp((−1)·η·μ)·P + (8/(T·b))·(Σ_{i<d} Σ_{j<d} G_i[j]·(σ²·H_j[i])) ≤ \
               (4/(η²·μ²·T²))·W/exp((η·μ·c₁·κ/4)·log(n)) + (88/10)·(1 + κ²/(η·μ·T))·σ²·d/n",
    )
}

/// The proof of [`final_bound`], or of a statement with larger constants: exp(−ημ) ≤ 1 and Tr(H²) ≤ d·h².
pub fn prove_final_bound(statement: &Statement) -> Proof {
    let h = &statement.context;
    let size = given(h, 0)?;
    let (flat, zero) = (show(h, "(−1)·η·μ ≤ 0", &[])?, exp_of_zero(h)?);
    let decay = "exp((−1)·η·μ) ≤ 1";
    let decay = show(
        h,
        decay,
        &[("1", &[&exp_increases(&flat)?]), ("(−1)", &[&zero])],
    )?;
    let positive = instance(h, &given(h, 4)?, &var("w⋆"))?;
    let t = &h.extended(item("t", Sort::Index(var("d"))))?;
    // Tr(H²) = Σ_i Σ_j H_j[i]² ≤ d·h².
    let u = &t.extended(item("u", Sort::Index(var("d"))))?;
    let same = instance(u, &instance(u, &given(h, 1)?, &var("t"))?, &var("u"))?;
    let same = show(u, "H_t[u]·H_u[t] = H_u[t]²", &[("H_u[t]", &[&same])])?;
    let trace = sum_over(&sum_over(&same)?)?;
    let unit = term(t, "⟨𝟙[j=t] : j<d⟩")?;
    let rows = sum_over(&instance(t, &given(h, 3)?, &unit)?)?;
    let whole = sum_over(&instance(
        t,
        &instance(t, &given(h, 2)?, &var("t"))?,
        &var("t"),
    )?)?;
    let scale = "(4/(η²·μ²·T²))";
    let power = "exp((η·μ·c₁·κ/4)·log(n))";
    let data = "(2·η/(μ·b))·σ²";
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("{scale}/{power}"), &[&decay, &positive]),
        (&format!("{scale}/{power}·μ·(Σ_{{j<d}} w⋆_j²)"), &[&decay]),
        (&format!("{scale}·{data}·exp((−1)·η·μ)"), &[&trace]),
        (
            &format!("{scale}·{data}·(Σ_{{i<d}} Σ_{{j<d}} H_j[i]²)"),
            &[&decay],
        ),
        (&format!("{scale}·{data}"), &[&rows]),
        ("(8/(T·b))·σ²", &[&whole]),
        ("8·σ²·d/(n·T·b) + 8·h²·σ²·d/(η·μ³·T²·b·n)", &[&size]),
    ];
    settle(h, &statement.goal, parts)
}

/// `ambssgd-eq-5-6-repaired`: W is ‖w⋆‖²_H, A is log^{2a}(N), l is log(N/δ), n is N, and D is 1 − ηR², R being R_x. S is ‖Σ′‖_H for
/// Σ′ = σ²H + 4ζ²α²I: the value ⟨u, Σ′u⟩/⟨u, Hu⟩ at some u, ⟨u, Hu⟩ being q.
pub fn both_errors() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real σ ≥ 0
           real η > 0
           real μ > 0
           real h > 0
           real R > 0
           real K > 0
           real A > 0
           real l > 0
           real ε > 0
           real D > 0
           assume D = 1 − η·R²
           assume η ≤ 1/(2·R²)
           sequence H in ℝ^d
           sequence G in ℝ^d
           vector w⋆ ∈ ℝ^d
           assume for every index i<d: for every index k<d: Σ_{j<d} G_i[j]·H_j[k] = 𝟙[i=k]
           assume for every index i<d: for every index k<d: Σ_{j<d} H_i[j]·G_j[k] = 𝟙[i=k]
           assume for every vector v ∈ ℝ^d: μ·(Σ_{j<d} v_j²) ≤ Σ_{i<d} v_i·(Σ_{j<d} H_i[j]·v_j)
           define κ := h/μ
           define W := Σ_{i<d} w⋆_i·(Σ_{j<d} H_i[j]·w⋆_j)
           define α := l/(ε·√(n))
           define ζ := 4·K·R·A·(√(h)·‖w⋆‖ + √(κ)·σ)
           vector u ∈ ℝ^d
           real q > 0
           assume q = Σ_{i<d} u_i·(Σ_{j<d} H_i[j]·u_j)
           real S
           assume S·q = Σ_{i<d} u_i·(σ²·(Σ_{j<d} H_i[j]·u_j) + 4·ζ²·α²·u_i)
           define t := Σ_{i<d} Σ_{j<d} G_i[j]·(σ²·H_j[i] + 4·ζ²·α²·𝟙[j=i])
         holds
           (R²/2)·exp((−1)·η·μ·(n/2 + 1))·‖w⋆‖² + ((1/n)·(η·R²/D)·d·S + (1/n)·t) ≤ \
               (R²/(2·μ))·exp((−1)·η·μ·n/2)·W + 2·σ²·d/n + 256·d·R²·K²·κ·A²·(W + σ²)·l²/(μ·ε²·n²)",
    )
}

/// The proof of [`both_errors`], or of a statement with larger constants: ηR²/D ≤ 1, S and every entry of the trace of H⁻¹Σ′ are at most
/// σ² + 4ζ²α²/μ, and ζ² ≤ 32·K²R²A²·κ·(W + σ²).
pub fn prove_both_errors(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (rest, step, low) = (given(h, 0)?, given(h, 1)?, given(h, 4)?);
    let half = show(h, "1/2 ≤ D", &[("(−1)", &[&rest]), ("R²", &[&step])])?;
    let half = show(h, "η·R²/D ≤ 1", &[("2/D", &[&half]), ("1/D", &[&rest])])?;
    // S ≤ σ² + 4ζ²α²/μ.
    let noise = "4·ζ²·α²";
    let (named, attained) = (given(h, 5)?, given(h, 6)?);
    let stretched = instance(h, &low, &var("u"))?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/q", &[&attained]),
        (&format!("(−1)·(σ² + {noise}/μ)/q"), &[&named]),
        (&format!("{noise}/(μ·q)"), &[&stretched]),
    ];
    let most = show(h, &format!("S ≤ σ² + {noise}/μ"), parts)?;
    // G_i[i] ≤ 1/μ: ⟨v, Hv⟩ is G_i[i] for the column v of H⁻¹, and ‖v‖² ≥ G_i[i]².
    let t = &h.extended(item("r", Sort::Index(var("d"))))?;
    let column = instance(t, &low, &term(t, "⟨G_j[r] : j<d⟩")?)?;
    let k = &t.extended(item("m", Sort::Index(var("d"))))?;
    let product = instance(k, &instance(k, &given(h, 3)?, &var("m"))?, &var("r"))?;
    let image = "G_m[r]·(Σ_{j<d} H_m[j]·G_j[r]) = G_m[r]·𝟙[m=r]";
    let image = sum_over(&show(k, image, &[("G_m[r]", &[&product])])?)?;
    let entry = "μ·G_r[r]² ≤ G_r[r]";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&column]),
        ("1", &[&image]),
        ("μ·(Σ_{j<d} G_j[r]²·(1 − 𝟙[j=r])²)", &[]),
    ];
    let entry = show(t, entry, parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&entry]), ("(1 − μ·G_r[r])²/μ", &[])];
    let entries = sum_over(&show(t, "G_r[r] ≤ 1/μ", parts)?)?;
    let whole = sum_over(&instance(
        t,
        &instance(t, &given(h, 2)?, &var("r"))?,
        &var("r"),
    )?)?;
    let trace = format!("t ≤ d·(σ² + {noise}/μ)");
    let trace = show(h, &trace, &[(noise, &[&entries]), ("σ²", &[&whole])])?;
    // (x + y)² ≤ 2x² + 2y², and h·‖w⋆‖² ≤ κ·W.
    let start = instance(h, &low, &var("w⋆"))?;
    let level = "ζ² ≤ 32·K²·R²·A²·κ·(W + σ²)";
    let parts: &[(&str, &[&Theorem])] = &[
        ("16·K²·R²·A²·(√(h)·‖w⋆‖ − √(κ)·σ)²", &[]),
        ("32·K²·R²·A²·κ", &[&start]),
    ];
    let level = show(h, level, parts)?;
    let decay = "(−1)·η·μ·(n/2 + 1) ≤ (−1)·η·μ·n/2";
    let decay = exp_increases(&show(h, decay, &[])?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        ("(R²/2)·‖w⋆‖²", &[&decay]),
        ("(R²/(2·μ))·exp((−1)·η·μ·n/2)", &[&start]),
        ("(1/n)·(η·R²/D)·d", &[&most]),
        (&format!("(1/n)·d·(σ² + {noise}/μ)"), &[&half]),
        ("1/n", &[&trace]),
        ("8·d·α²/(n·μ)", &[&level]),
    ];
    settle(h, &statement.goal, parts)
}
