//! `kl-thm-2-corrected-any`: Algorithm 2 with any subroutine that is accurate.
//!
//! A subroutine is a map of where it starts and of noise: every law that depends on the start is the image of one of these. The state c is in the
//! unit ball, the iterate w is Q(c): so outputs need have no moments. Q may be one to one, such as c/(1 − ‖c‖).

use super::{CALLS, Proof, STEEP, ended, good, last, next, outer, started, told};
use crate::kl::kernel::noisy::{PROXIMAL, space};
use crate::kl::kernel::regularised::prove_strong;
use crate::moved::written::{goal, inside, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, discharge, ends, expected, instance, union};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, num, op, var};

/// Weak convexity.
const WEAK: &str = "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: for every real s > 0: \
    F(⟨x_j + (y_j − x_j)/(1 + s) : j<d⟩) ≤ (s·F(x) + F(y))/(1 + s) + (L₁/2)·(s/(1 + s))·(1/(1 + \
    s))·(Σ_{j<d} (x_j − y_j)²)";

/// The accuracy of a call.
const ACCURACY: &str = "ν·ω·L₀²·d/(L₁·n²·(ρ/K))";

/// What a call from state c makes of it.
const CALLED: &str = "clip(A(c, ξ), 1)";

/// That a call from c is accurate.
fn accurate(c: &str) -> String {
    let called = CALLED.replace("c,", &format!("{c},"));
    format!("H(Q({called}), Q({c})) − H(P(Q({c})), Q({c})) ≤ {ACCURACY}")
}

/// With probability 1 − β/K, from everywhere.
fn often() -> String {
    let good = accurate("x");
    format!("for every vector x ∈ ℝ^d: 1 − β/K ≤ 𝔼_{{ξ∼N_{{e}}(0, 1)}}[𝟙({good})]")
}

/// `kl-thm-2-corrected-any`: K is T, rounded up, and ν is the paper's a. KL* is supposed where the excess is at most F₀, for every subgradient.
pub fn statement() -> Result<Statement, Stuck> {
    let often = often();
    render::parse(&format!(
        "for all
  integer n ≥ 1
  integer d ≥ 1
  real L₀ > 0
  real ρ > 0
  real L₁ > 0
  integer K ≥ 1
  integer e ≥ 1
  map A of ℝ^d × ℝ^e into ℝ^d
  map Q of ℝ^d into ℝ^d
  vector c₀ ∈ ℝ^d
  algorithm Alg2: c ← c₀ in ℝ^d
    repeat i<K
      ξ ∼ N_{{e}}(0, 1)
      c ← {CALLED}
    end
  end
  map ℓ of ℝ^d into ℝ^1
  index o<1
  define F(x∈ℝ^d) := ℓ(x)[o]
  define H(x∈ℝ^d, v∈ℝ^d) := F(x) + L₁·(Σ_{{j<d}} (x_j − v_j)²)
  map P of ℝ^d into ℝ^d
  real β > 0
  real ω > 0
  assume 1 ≤ ω
  real ν > 0
  assume 48 ≤ ν
  real γ > 0
  real κ > 0
  real θ > 0
  real F₀ > 0
  real F⋆
  assume 2 ≤ κ
  assume θ = ν·γ·L₀·√(K·d·ω)/(n·√(ρ))
  assume 1/4 ≤ γ²·L₁·exp((κ − 2)·log(θ))
  assume exp(κ·log(θ)) ≤ F₀
  assume {CALLS}
holds
  if {WEAK}: if {PROXIMAL}: if {STEEP}: if {often}: if F(Q(c₀)) − F⋆ ≤ F₀: 1 − β ≤ \
      𝔼_{{c∼end(Alg2)}}[𝟙(F(Q(c)) − F⋆ ≤ exp(κ·log(θ)))]"
    ))
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    inside(&statement.context, &statement.goal, &run)
}

fn run(h: &Context, wanted: &Goal) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, _, _, good_end)) = wanted else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = &**good_end else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let value = num(1) - (**good_end).clone();
    let states = h.extended(item("c", space()))?;
    let call = states.extended(item("i", Sort::Index(var("K"))))?;
    let named = told(h, "θ = ν·γ·L₀·√(K·d·ω)/(n·√(ρ))")?;
    let large = told(h, "48 ≤ ν")?;
    let root = "γ·L₀·√(K·d·ω)/(n·√(ρ))";
    let parts: &[(&str, &[&Theorem])] = &[("(−1)", &[&named]), (root, &[&large])];
    let wide = show(h, &format!("{root} ≤ θ"), parts)?;
    let end = ended(&states, "Q(c)", &value, sides, &wide)?;
    let unit = "(−1)·(θ + ν·γ·L₀·√(K·d·ω)/(n·√(ρ)))/(48·γ²·L₁)";
    let share = "ν·ω·L₀²·d/(48·L₁·n²·(ρ/K))";
    let parts: &[(&str, &[&Theorem])] = &[(unit, &[&named]), (share, &[&large])];
    let small = show(h, &format!("{ACCURACY} ≤ θ²/(48·γ²·L₁)"), parts)?;
    let round = round(&call, &small)?;
    let first = term(&call, &outer("Q(c)", "i"))?;
    let found = ends(h, "Alg2", ("c", &value), &[&first], &[&end, &round])?;
    settle(
        h,
        wanted,
        &[("1", &[&found]), ("1", &[&started(h, "Q(c₀)")?])],
    )
}

/// Behind a call the excess is above Φ_{i+1} only if it was above Φ_i before or the call is not accurate.
fn round(h: &Context, small: &Theorem) -> Proof {
    let noise = op(Op::Normal, [var("e"), num(1)]);
    let inner = &h.extended(item("ξ", Sort::Vector(var("e"), Sign::Any)))?;
    let before = goal(inner, &good("Q(c)", "i"))?;
    let here = &inner.extended(Item::Assume(before))?;
    let before = last(here)?;
    let here = &here.extended(Item::Assume(goal(here, &accurate("c"))?))?;
    let least = instance(here, &told(here, PROXIMAL)?, &term(here, "Q(c)")?)?;
    let point = &here.extended(item("u", space()))?;
    let value = |x: &str| format!("F({x})");
    let places = ["u", "P(Q(c))", "Q(c)"];
    let strong = prove_strong(point, places, &value, &told(point, WEAK)?, &least)?;
    let strong = discharge(&strong)?;
    let w = format!("Q({CALLED})");
    let facts = [&strong, &before, &last(here)?, small];
    let found = next(here, ["Q(c)", "P(Q(c))", &w], ACCURACY, facts)?;
    let missed = expected(&union(&discharge(&discharge(&found)?)?)?, &noise)?;
    let rare = instance(h, &told(h, &often())?, &var("c"))?;
    let after = format!("𝔼_{{ξ∼N_{{e}}(0, 1)}}[{}]", outer(&w, "i + 1"));
    let wanted = format!("{after} ≤ {}", outer("Q(c)", "i"));
    show(h, &wanted, &[("1", &[&missed]), ("1", &[&rare])])
}
