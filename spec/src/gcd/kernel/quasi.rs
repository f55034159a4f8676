//! Lemma B.5 and Corollary B.6: what a gradient says of the excess if the minimiser is quasi-sparse.

use super::greedy::moduli;
use super::sparse::with_index;
use super::touched::ends;
use crate::moved::written::{Proof, each, given, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, instance, larger, largest, root_increases, sum_over, union};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Statement};
use dp_assay_kernel::term::{num, var};

/// What strong convexity asks to be at most f(y), for x and y, y_j being the entry of y.
fn model(x: &str, entry: &str) -> String {
    let apart = format!("({entry} − {x}_j)");
    format!(
        "f({x})[o] + (Σ_{{j<p}} g({x})[j]·{apart}) + (μ/2)·(Σ_{{j<p}} √(M_j)·|{entry} − {x}_j|)²"
    )
}

/// What both statements suppose of f and g, and the coordinates A.
const SMOOTH: &str = "for all
  integer p ≥ 1
  vector M ∈ ℝ^p, all > 0
  real m > 0
  assume for every index j<p: M_j ≤ m
  map f of ℝ^p into ℝ^1
  map g of ℝ^p into ℝ^p
  index o<1
  assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: f(y)[o] ≤ f(x)[o] + (Σ_{j<p} \
      g(x)[j]·(y_j − x_j)) + (1/2)·(Σ_{j<p} M_j·(y_j − x_j)²)
  set A⊆p
  define τ := Σ_{j<p} 𝟙[j∈A]";

/// f(x)\[o\] is the value of a function and g(x) its gradient, S(x) the number of entries of x that are not 0, k = t + τ; w⋆ is
/// (α, τ)-quasi-sparse for τ ≤ p: A has τ coordinates, and off A no entry is above α. G is ‖∇f(w)‖_{M⁻¹,∞}, and
/// m may be M_max.
fn setting(alpha: &str, goal: &str) -> Result<Statement, Stuck> {
    let model = model("x", "y_j");
    render::parse(&format!(
        "{SMOOTH}
           real t ≥ 0
           define S(x∈ℝ^p) := Σ_{{j<p}} (1 − 𝟙(|x_j| ≤ 0))
           real μ > 0
           assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: 𝟙(S(x) ≤ t + τ)·𝟙(S(y) ≤ t + \
               τ)·max({model} − f(y)[o], 0) ≤ 0
           vector w⋆ ∈ ℝ^p
           assume for every vector x ∈ ℝ^p: f(w⋆)[o] ≤ f(x)[o]
           {alpha}
           vector w ∈ ℝ^p
           assume S(w) ≤ t
           index s<p
           define G := |g(w)[s]|/√(M_s)
           assume for every index j<p: |g(w)[j]|/√(M_j) ≤ G
         holds
           {goal}"
    ))
}

/// `gcd-lem-B.5-repaired`.
pub fn lemma_b_5() -> Result<Statement, Stuck> {
    setting(
        "real α ≥ 0
           assume for every index j<p: (1 − 𝟙[j∈A])·|w⋆_j| ≤ α",
        "(−1)·G²/2 ≤ (−1)·μ·(f(w)[o] − f(w⋆)[o]) + (1/2)·m·μ·(p − τ)·α²",
    )
}

/// `gcd-cor-B.6`: w⋆ is τ-sparse.
pub fn corollary_b_6() -> Result<Statement, Stuck> {
    setting(
        "assume for every index j<p: (1 − 𝟙[j∈A])·|w⋆_j| ≤ 0",
        "(−1)·G²/2 ≤ (−1)·μ·(f(w)[o] − f(w⋆)[o])",
    )
}

/// w⋆ without its entries off A.
const NEAR: &str = "⟨𝟙[j∈A]·w⋆_j : j<p⟩";

/// S(π) ≤ τ for π = ⟨𝟙\[j∈A\]·w⋆_j⟩.
fn sparse(h: &Context) -> Proof {
    let i = &with_index(h, "i")?;
    let ends = [&term(i, "𝟙[i∈A]")?, &term(i, "1/2")?];
    let one = either(i, ends, |here, order, outside| {
        let goal = "1 − 𝟙(|𝟙[i∈A]·w⋆_i| ≤ 0) ≤ 𝟙[i∈A]";
        if !outside {
            return show(here, goal, &[("2·(1 − 𝟙[i∈A])²", &[order])]);
        }
        let parts: &[(&str, &[&Theorem])] = &[("2·𝟙[i∈A]·w⋆_i²", &[order])];
        let none = root_increases(&show(here, "(𝟙[i∈A]·w⋆_i)² ≤ 0²", parts)?)?;
        let none = show(here, "|𝟙[i∈A]·w⋆_i| ≤ 0", &[("1", &[&none])])?;
        show(here, goal, &[("1", &[&union(&none)?])])
    })?;
    sum_over(&one)
}

/// Hypothesis number n for two vectors.
fn of_pair(h: &Context, n: usize, x: &str, y: &str) -> Proof {
    instance(h, &instance(h, &given(h, n)?, &term(h, x)?)?, &term(h, y)?)
}

/// The vector x of a step and the number k of entries for which f is strongly convex.
struct Names {
    x: &'static str,
    k: &'static str,
}

const OWN: Names = Names {
    x: "w", k: "t + τ"
};

/// What strong convexity says of x and π, of which `few` and what is known of A say that they have at most k entries.
fn strong(h: &Context, Names { x, k }: Names, few: [&[&Theorem]; 2]) -> Proof {
    let sparse = |x: &str, told: &[&Theorem]| {
        let parts: Vec<_> = told
            .iter()
            .map(|fact| ("1", std::slice::from_ref(fact)))
            .collect();
        union(&show(h, &format!("S({x}) ≤ {k}"), &parts)?)
    };
    let (here, near) = (sparse(x, few[0])?, sparse(NEAR, few[1])?);
    let (model, value) = (model(x, "𝟙[j∈A]·w⋆_j"), format!("f({NEAR})[o]"));
    let (gap, missed) = (
        format!("{model} − {value}"),
        format!("max({model} − {value}, 0)"),
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&larger(h, &term(h, &gap)?, &num(0), false)?]),
        ("1", &[&of_pair(h, 2, x, NEAR)?]),
        (&format!("{missed}·𝟙(S({x}) ≤ {k})"), &[&near]),
        (&missed, &[&here]),
    ];
    show(h, &format!("{model} ≤ {value}"), parts)
}

/// f(π) ≤ f(w⋆) + (m/2)·(p − τ)·α², as the gradient is 0 at w⋆.
fn truncated(h: &Context, alpha: &str) -> Proof {
    let i = &with_index(h, "i")?;
    let step = "⟨w⋆_k − (g(w⋆)[i]/M_i)·𝟙[k=i] : k<p⟩";
    let least = instance(i, &given(h, 3)?, &term(i, step)?)?;
    let below = of_pair(i, 1, "w⋆", step)?;
    let parts: &[(&str, &[&Theorem])] = &[("2·M_i", &[&least]), ("2·M_i", &[&below])];
    let flat = root_increases(&show(i, "g(w⋆)[i]² ≤ 0²", parts)?)?;
    let lost = "(−1)·(1 − 𝟙[i∈A])·w⋆_i";
    let slope = moduli(i, "g(w⋆)[i]", lost)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&slope]), (&format!("|{lost}|"), &[&flat])];
    let slope = sum_over(&show(i, &format!("g(w⋆)[i]·({lost}) ≤ 0"), parts)?)?;
    let [small, most] = [4, 0].map(|n| instance(i, &given(h, n)?, &var("i")));
    let size = format!("M_i·({lost})² ≤ m·(1 − 𝟙[i∈A])·{alpha}²");
    let square = format!("M_i·(1 − 𝟙[i∈A])²·({alpha} + |w⋆_i|)");
    let rest = format!("(1 − 𝟙[i∈A])²·{alpha}²");
    let parts: &[(&str, &[&Theorem])] = &[(&square, &[&small?]), (&rest, &[&most?])];
    let size = sum_over(&show(i, &size, parts)?)?;
    let goal = format!("f({NEAR})[o] ≤ f(w⋆)[o] + (m/2)·(p − τ)·{alpha}²");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&of_pair(h, 1, "w⋆", NEAR)?]),
        ("1", &[&slope]),
        ("1/2", &[&size]),
    ];
    show(h, &goal, parts)
}

/// ½G² ≥ μ·(f(x) − f(π)) by strong convexity and Hölder's inequality, and π costs little.
fn gain(h: &Context, names: Names, alpha: &str, few: [&[&Theorem]; 2]) -> Proof {
    let (i, x) = (&with_index(h, "i")?, names.x);
    let gap = format!("{x}_i − 𝟙[i∈A]·w⋆_i");
    let slope = moduli(i, &format!("g({x})[i]"), &gap)?;
    let most = instance(i, &given(h, 6)?, &var("i"))?;
    let reach = format!("√(M_i)·|{gap}|");
    let one = format!("g({x})[i]·({gap}) ≤ G·{reach}");
    let product = sum_over(&show(i, &one, &[("1", &[&slope]), (&reach, &[&most])])?)?;
    let apart = format!("Σ_{{j<p}} √(M_j)·|𝟙[j∈A]·w⋆_j − {x}_j|");
    let parts: &[(&str, &[&Theorem])] = &[
        ("μ", &[&strong(h, names, few)?]),
        ("μ", &[&truncated(h, alpha)?]),
        ("μ", &[&product]),
        (&format!("(G − μ·({apart}))²/2"), &[]),
    ];
    let goal = format!("(−1)·G²/2 ≤ (−1)·μ·(f({x})[o] − f(w⋆)[o]) + (1/2)·m·μ·(p − τ)·{alpha}²");
    show(h, &goal, parts)
}

fn prove(statement: &Statement, alpha: &str) -> Proof {
    let h = &statement.context;
    let gain = gain(h, OWN, alpha, [&[&given(h, 5)?], &[&sparse(h)?]])?;
    settle(h, &statement.goal, &[("1", &[&gain])])
}

/// The proof of [`lemma_b_5`], or of a statement with other constants.
pub fn prove_lemma_b_5(statement: &Statement) -> Proof {
    prove(statement, "α")
}

/// The proof of [`corollary_b_6`], or of a statement with other constants.
pub fn prove_corollary_b_6(statement: &Statement) -> Proof {
    prove(statement, "0")
}

/// `gcd-eq-61-repaired`: v is an iterate with at most s entries, which r rounds have reached, and κ = min(s, r) + τ; c is the coordinate that
/// is chosen with the noises χ, h the one with the largest slope. And r rounds from 0 reach at most r entries.
pub fn equation_61() -> Result<Statement, Stuck> {
    let model = model("x", "y_j");
    render::parse(&format!(
        "{SMOOTH}
           real s ≥ 0
           real r ≥ 0
           define κ := (−1)·max((−1)·s, (−1)·r) + τ
           define S(x∈ℝ^p) := Σ_{{j<p}} (1 − 𝟙(|x_j| ≤ 0))
           real μ > 0
           assume for every vector x ∈ ℝ^p: for every vector y ∈ ℝ^p: 𝟙(S(x) ≤ κ)·𝟙(S(y) ≤ \
               κ)·max({model} − f(y)[o], 0) ≤ 0
           vector w⋆ ∈ ℝ^p
           assume for every vector x ∈ ℝ^p: f(w⋆)[o] ≤ f(x)[o]
           real α ≥ 0
           assume for every index j<p: (1 − 𝟙[j∈A])·|w⋆_j| ≤ α
           vector v ∈ ℝ^p
           assume S(v) ≤ s
           index h<p
           define G := |g(v)[h]|/√(M_h)
           assume for every index j<p: |g(v)[j]|/√(M_j) ≤ G
           assume S(v) ≤ r
           vector χ ∈ ℝ^p
           real η
           index c<p
           assume for every index j<p: |g(v)[j] + χ_j|/√(M_j) ≤ |g(v)[c] + χ_c|/√(M_c)
           define ξ := f(v)[o] − f(w⋆)[o]
           define ξ′ := f(⟨v_j − ((g(v)[c] + η)/M_c)·𝟙[j=c] : j<p⟩)[o] − f(w⋆)[o]
           define Z := η²/(2·M_c) + χ_c²/(2·M_c) + χ_h²/(4·M_h)
           integer T ≥ 1
           sequence w in ℝ^p
           sequence e in ℝ^p
           sequence z in ℝ^p
           assume for every index u<p: w[0][u] = 0
           assume for every index i<T: for every index u<p: e_i[u]² = e_i[u]
           assume for every index i<T: Σ_{{j<p}} e_i[j] = 1
           assume for every index i<T: for every index u<p: w[i + 1][u] = w_i[u] + e_i[u]·z_i[u]
         holds
           ξ′ ≤ (1 − μ/4)·ξ + (μ/8)·m·(p − τ)·α² + Z; S(w[0]) ≤ 0; S(w_T) ≤ T"
    ))
}

/// S(v) ≤ min(s, r), or 0 ≤ min(s, r).
fn least(h: &Context, below: &str, facts: [&[&Theorem]; 2]) -> Proof {
    let one = |side: &str, facts: &[&Theorem]| {
        let parts: Vec<_> = facts
            .iter()
            .map(|fact| ("1", std::slice::from_ref(fact)))
            .collect();
        show(h, &format!("(−1)·{side} ≤ (−1)·{below}"), &parts)
    };
    largest(&one("s", facts[0])?, &one("r", facts[1])?)
}

/// The proof of [`equation_61`], or of a statement with larger constants: Lemma B.5 in Lemma B.2.
pub fn prove_equation_61(statement: &Statement) -> Proof {
    let h = &statement.context;
    let (few, met) = (given(h, 5)?, given(h, 7)?);
    let (own, low) = (
        least(h, "S(v)", [&[&few], &[&met]])?,
        least(h, "0", [&[], &[]])?,
    );
    let inside = &with_index(h, "i")?;
    let in_a = sum_over(&show(inside, "0 ≤ 𝟙[i∈A]", &[])?)?;
    let names = Names { x: "v", k: "κ" };
    let gain = gain(h, names, "α", [&[&own, &in_a], &[&sparse(h)?, &low]])?;
    let after = "⟨v_j − ((g(v)[c] + η)/M_c)·𝟙[j=c] : j<p⟩";
    let (smooth, choice) = (
        of_pair(h, 1, "v", after)?,
        instance(h, &given(h, 8)?, &var("h"))?,
    );
    let sum = "(|g(v)[c] + χ_c|/√(M_c) + |g(v)[h] + χ_h|/√(M_h))/4";
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&smooth]),
        (sum, &[&choice]),
        ("(g(v)[c] − χ_c)²/(4·M_c)", &[]),
        ("(g(v)[h] + 2·χ_h)²/(8·M_h)", &[]),
        ("1/4", &[&gain]),
    ];
    let ends = ends(h, 9)?;
    each(
        statement,
        &[
            &|h, goal| settle(h, goal, parts),
            &|h, goal| settle(h, goal, &[("1", &[&ends[0]])]),
            &|h, goal| settle(h, goal, &[("1", &[&ends[1]])]),
        ],
    )
}
