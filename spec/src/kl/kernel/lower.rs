//! Lower bounds: exponents and constants of the constructions. A power x^a is exp(a·log x).

use super::gradients::cauchy;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, exchange, exp_log, exp_sum, instance, largest, root_increases, sum_over,
};
use dp_assay_kernel::search::exp::{exp_increases, log_at_least, log_at_most, log_product};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Sort, Statement};
use dp_assay_kernel::term::var;

/// `kl-thm-6-red-proof-repaired`, s being τ − 1; every equation as two inequalities.
pub fn last_step() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real L₀ > 0
           real ε > 0
           real λ > 0
           real D > 0
           real τ > 0
           real s > 0
           assume s = τ − 1
           assume 2 ≤ τ
           define x := L₀·√(d)/(n·ε)
           define Δ := exp((τ/s)·log(x))
         holds
           D·exp((s/τ)·log(Δ)) ≤ D·x; D·x ≤ D·exp((s/τ)·log(Δ)); \
               exp(((−1)/s)·log(τ·exp(τ·log(λ))))·Δ ≤ \
               exp(((−1)/s)·log(τ))·exp((τ/s)·log(L₀·√(d)/(λ·n·ε))); \
               exp(((−1)/s)·log(τ))·exp((τ/s)·log(L₀·√(d)/(λ·n·ε))) ≤ \
               exp(((−1)/s)·log(τ·exp(τ·log(λ))))·Δ",
    )
}

/// u ≤ log(exp(u)) and log(exp(u)) ≤ u.
pub(super) fn log_exp(h: &Context, u: &str) -> Result<[Theorem; 2], Stuck> {
    let itself = show(h, &format!("exp({u}) ≤ exp({u})"), &[])?;
    Ok([log_at_least(&itself)?, log_at_most(&itself)?])
}

/// exp(a)·exp(b) ≤ exp(c)·exp(e), from a fact that says a + b ≤ c + e.
pub(super) fn products(h: &Context, [a, b, c, e]: [&str; 4], exponents: &Theorem) -> Proof {
    let grown = exp_increases(exponents)?;
    let left = exp_sum(h, &term(h, a)?, &term(h, b)?)?;
    let right = exp_sum(h, &term(h, c)?, &term(h, e)?)?;
    show(
        h,
        &format!("exp({a})·exp({b}) ≤ exp({c})·exp({e})"),
        &[("1", &[&grown]), ("(−1)", &[&left]), ("1", &[&right])],
    )
}

pub fn prove_last_step(statement: &Statement) -> Proof {
    let h = &statement.context;
    let of_x = exp_log(h, &term(h, "x")?)?;
    let [low, high] = log_exp(h, "(τ/s)·log(x)")?;
    let up = show(h, "(s/τ)·log(Δ) ≤ log(x)", &[("s/τ", &[&high])])?;
    let down = show(h, "log(x) ≤ (s/τ)·log(Δ)", &[("s/τ", &[&low])])?;
    let (up, down) = (exp_increases(&up)?, exp_increases(&down)?);
    // log(τ·λ^τ) = log τ + τ·log λ, and log x = log(x/λ) + log λ.
    let [above, below] = log_exp(h, "τ·log(λ)")?;
    let [sum, whole] = log_product(h, &term(h, "τ")?, &term(h, "exp(τ·log(λ))")?)?;
    let [parts, split] = log_product(h, &term(h, "L₀·√(d)/(λ·n·ε)")?, &term(h, "λ")?)?;
    let [a, b] = ["((−1)/s)·log(τ·exp(τ·log(λ)))", "(τ/s)·log(x)"];
    let [c, e] = ["((−1)/s)·log(τ)", "(τ/s)·log(L₀·√(d)/(λ·n·ε))"];
    let order = |text: &str, facts: [&Theorem; 3]| {
        let [log, power, quotient] = facts;
        show(
            h,
            text,
            &[("1/s", &[log]), ("1/s", &[power]), ("τ/s", &[quotient])],
        )
    };
    let first = order(&format!("{a} + {b} ≤ {c} + {e}"), [&sum, &above, &split])?;
    let second = order(&format!("{c} + {e} ≤ {a} + {b}"), [&whole, &below, &parts])?;
    let first = products(h, [a, b, c, e], &first)?;
    let second = products(h, [c, e, a, b], &second)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, &[("D", &[&up]), ("D", &[&of_x])]),
            &|h, goal| settle(h, goal, &[("D", &[&down]), ("(−1)·D", &[&of_x])]),
            &|h, goal| settle(h, goal, &[("1", &[&first])]),
            &|h, goal| settle(h, goal, &[("1", &[&second])]),
        ],
    )
}

/// `kl-thm-7-gap-repaired`: the dataset has N rows x_i of entries ±L₀/√d and n − N rows 0; H(u) is ‖u‖², and 8D‖u‖ − 16D² for ‖u‖ ≥ 4D,
/// as ‖u‖² − (‖u‖ − 4D)² there.
pub fn gap() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer m ≥ 1
           real L₀ > 0
           real D > 0
           sequence x in ℝ^d
           assume m ≤ n
           assume for every index i<m: for every index j<d: x_i[j]² = L₀²/d
           define λ := m·L₀/(2·n·D)
           define w⋆(j<d) := (−1)·(Σ_{i<m} x_i[j])/(2·n·λ)
           define H(u∈ℝ^d) := ‖u‖² − max(‖u‖ − 4·D, 0)²
           define F(u∈ℝ^d) := (Σ_{i<m} Σ_{j<d} u_j·x_i[j])/n + λ·H(u)
           define E(u∈ℝ^d) := F(u) − F(⟨w⋆(j) : j<d⟩)
           vector w ∈ ℝ^d
         holds
           if ‖w‖ ≤ 4·D: E(w) ≤ λ·‖⟨w_j − w⋆(j) : j<d⟩‖²; if ‖w‖ ≤ 4·D: λ·‖⟨w_j − w⋆(j) : j<d⟩‖² ≤ \
               E(w); if 4·D ≤ ‖w‖: 8·λ·D² ≤ E(w); 15·λ·D² − 5·L₀·D·m/n ≤ 8·λ·D²",
    )
}

/// ‖w⋆‖ ≤ D: the square of a sum of m numbers is at most m times the sum of their squares.
fn minimiser_is_near(h: &Context) -> Proof {
    let k = &h.extended(item("k", Sort::Index(var("d"))))?;
    let t = &k.extended(item("t", Sort::Index(var("m"))))?;
    let row = instance(t, &instance(t, &given(h, 1)?, &var("t"))?, &var("k"))?;
    let rows = sum_over(&row)?;
    let spread = "(Σ_{i<m} x_i[k])² ≤ m·(Σ_{i<m} x_i[k]²)";
    let square = "m·(Σ_{i<m} (x_i[k] − (Σ_{l<m} x_l[k])/m)²)";
    let spread = show(k, spread, &[(square, &[])])?;
    let one = "(Σ_{i<m} x_i[k])² ≤ m²·L₀²/d";
    let all = sum_over(&show(k, one, &[("1", &[&spread]), ("m", &[&rows])])?)?;
    let goal = "‖⟨w⋆(j) : j<d⟩‖² ≤ D²";
    root_increases(&show(h, goal, &[("D²/(m²·L₀²)", &[&all])])?)
}

/// Σ_i Σ_j u_j·x_i[j] = Σ_j Σ_i u_j·x_i[j], where `u` is u_j as text.
fn rows_first(h: &Context, u: &str) -> Proof {
    let [i, j] = [("i", "m"), ("j", "d")].map(|(x, n)| item(x, Sort::Index(var(n))));
    let body = term(&h.with([i, j])?, &format!("{u}·x_i[j]"))?;
    exchange(h, ("i", &var("m")), ("j", &var("d")), &body)
}

/// The proof of [`gap`], or of a statement with other constants: with r = ‖w‖ ≥ 4D and q = ‖w⋆‖ ≤ D, E(w)/λ is at least
/// 8D·r − 16D² − 2·r·q + q².
pub fn prove_gap(statement: &Statement) -> Proof {
    let h = &statement.context;
    let near = minimiser_is_near(h)?;
    let least = "‖⟨w⋆(j) : j<d⟩‖";
    // Within 4D nothing is cut off: max(r − 4D, 0) ≤ 0.
    let uncut = |h: &Context, r: &str, small: &Theorem| {
        let first = show(h, &format!("{r} − 4·D ≤ 0"), &[("1", &[small])])?;
        largest(&first, &show(h, "0 ≤ 0", &[])?)
    };
    let small = show(h, &format!("{least} ≤ 4·D"), &[("1", &[&near])])?;
    let centre = uncut(h, least, &small)?;
    let (cut, cut_there) = ("max(‖w‖ − 4·D, 0)·λ", format!("max({least} − 4·D, 0)·λ"));
    let [first, second] = ["w_j", "w⋆(j)"].map(|u| rows_first(h, u));
    let (first, second) = (first?, second?);
    let exact = |h: &Context, goal: &_, sign: [&str; 2]| {
        let plain = uncut(h, "‖w‖", &given(h, 2)?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (cut, &[&plain]),
            (&cut_there, &[&centre]),
            (sign[0], &[&first]),
            (sign[1], &[&second]),
        ];
        settle(h, goal, parts)
    };
    let outside = |h: &Context, goal: &_| {
        let far = given(h, 2)?;
        let own = show(h, "‖w‖ − 4·D ≤ ‖w‖ − 4·D", &[])?;
        let cut = largest(&own, &show(h, "0 ≤ ‖w‖ − 4·D", &[("1", &[&far])])?)?;
        let product = cauchy(h, "w", "⟨w⋆(j) : j<d⟩")?;
        let parts: &[(&str, &[&Theorem])] = &[
            ("(−1)/n", &[&first]),
            ("1/n", &[&second]),
            ("2·λ", &[&product]),
            ("λ", &[&cut, &far]),
            ("λ·max(‖w‖ − 4·D, 0)", &[&cut]),
            ("6·λ·D", &[&far]),
            ("2·λ", &[&far, &near]),
            ("8·λ·D", &[&near]),
        ];
        settle(h, goal, parts)
    };
    each(
        statement,
        &[
            &|h, goal| exact(h, goal, ["1/n", "(−1)/n"]),
            &|h, goal| exact(h, goal, ["(−1)/n", "1/n"]),
            &outside,
            &|h, goal| settle(h, goal, &[]),
        ],
    )
}
