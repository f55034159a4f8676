//! `kl-thm-1-corrected`: Algorithm 1, private and useful with high probability.
//!
//! Round k + 1 of the paper is number k here. `while` is a stop: a round of the inner loop is charged 1, and more than the limit where the
//! norm test fails. The noise of an estimate is the sum of what was drawn in its round; S is any set that steps do not leave whose
//! quadratic model is at most F(w₀), written as the zeros of a map.

mod numbers;
mod private;
mod run;
mod step;

use super::told;
use crate::moved::written::{Proof, inside, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::{Command, Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::var;
use numbers::{NAMED, RADIUS, ROUNDS};

/// The algorithm, and what is supposed of the numbers; J is any number that all inner loops end by.
const SETTING: &str = "for all
  integer n ≥ 1
  integer d ≥ 1
  real L₀ > 0
  loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for every \
      record; where it has no gradient, its derivatives are those of a chosen vector of norm at \
      most L₀
  data D of n records: its neighbours have one record replaced
  real ρ > 0
  real L₁ > 0
  assume for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: for every record r: ‖⟨∂_j f(x; r) − \
      ∂_j f(y; r) : j<d⟩‖ ≤ L₁·‖⟨x_j − y_j : j<d⟩‖
  real γ > 0
  real κ > 0
  real F₀ > 0
  real θ > 0
  assume 1 ≤ κ
  assume κ ≤ 2
  assume exp(κ·log(θ)) ≤ F₀
  integer K ≥ 1
  integer J ≥ 1
  vector w₀ ∈ ℝ^d
  define c := 1 + exp(((2 − κ)/κ)·log(F₀))/(64·γ²·L₁)
  define Φ(k<K) := max(F₀·exp((−1)·(k + 1)·log(c)), exp(κ·log(θ)))
  define φ(k<K) := exp((1/κ)·log(Φ(k)))
  define T(k<K) := exp(((2 − κ)/κ)·(log(F₀) − log(Φ(k))))
  algorithm Alg1: w ← w₀ in ℝ^d, g ← ⟨0 : j<d⟩ in ℝ^d
    repeat k<K
      a ← ⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩ + N_{d}(0, (9/4)·L₀²·K/(n²·ρ))
      g ← a
      repeat t<J
        stop when the sum of 1 + (T(k) + 1)·(1 − 𝟙((7/8)·φ(k)/γ ≤ ‖g‖)) exceeds T(k) + 1
        b ← ⟨(Σ_{z∈D} (∂_j f(⟨w_i − (φ(k)/(4·γ·L₁))·g_i/max((7/8)·φ(k)/γ, ‖g‖) : i<d⟩; z) − ∂_j \
            f(w; z)))/n : j<d⟩ + N_{d}(0, (9/4)·φ(k)²·T(k)·K/(γ²·n²·ρ))
        w ← ⟨w_i − (φ(k)/(4·γ·L₁))·g_i/max((7/8)·φ(k)/γ, ‖g‖) : i<d⟩
        g ← ⟨g_j + b_j : j<d⟩
      end
    end
  end
  define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
  define G(x∈ℝ^d) := ‖⟨(Σ_{z∈D} ∂_j f(x; z))/n : j<d⟩‖
  real β > 0
  real λ > 0
  assume β ≤ 1/27";

/// F(x) + ⟨∇F(x), v⟩ + (L₁/2)·‖v‖².
const MODEL: &str = "F(x) + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²)";

/// What is supposed of the data: steps stay in S, smoothness, KL* in S, and where the run begins.
fn of_data() -> [String; 5] {
    let all = "for every vector x ∈ ℝ^d: for every vector v ∈ ℝ^d:";
    [
        format!("{all} if ‖S(x)‖ ≤ 0: if {MODEL} ≤ F(w₀): ‖S(⟨x_j + v_j : j<d⟩)‖ ≤ 0"),
        format!("{all} F(⟨x_j + v_j : j<d⟩) ≤ {MODEL}"),
        "for every vector x ∈ ℝ^d: if ‖S(x)‖ ≤ 0: for every real y > 0: if γ·G(x) ≤ y: F(x) − F⋆ ≤ \
            exp(κ·log(y))".into(),
        "‖S(w₀)‖ ≤ 0".into(),
        "F(w₀) − F⋆ ≤ F₀".into(),
    ]
}

/// `kl-thm-1-corrected`.
pub fn statement() -> Result<Statement, Stuck> {
    let [stays, smooth, steep, starts, near] = of_data();
    render::parse(&format!(
        "{SETTING}
  assume {NAMED}
  assume θ = {RADIUS}
  assume exp(κ·log(γ·L₀·√(d)/(n·√(ρ)))) ≤ F₀
  assume F₀ ≤ exp(κ·log(γ·L₀))
  assume {ROUNDS}
  assume for every index i<K: T(i) + 1 ≤ J
  real F⋆
  map S of ℝ^d into ℝ^1
holds
  between neighbours of D, the transcript of Alg1 is (ρ)-zCDP; if {stays}: if {smooth}: if \
      {steep}: if {starts}: if {near}: 1 − β ≤ 𝔼_{{w∼end(Alg1)}}[𝟙(F(w) − F⋆ ≤ exp(κ·log(θ)))]"
    ))
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let useful = |h: &Context, useful: &Goal| inside(h, useful, &run::prove);
    whole(statement, &[&private::prove, &useful])
}

fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// The first release, and the commands of the inner loop.
fn commands(context: &Context) -> Result<(&Command, [&Command; 4]), Stuck> {
    let process = context.process("Alg1").map(|p| p.body.as_slice());
    let Some([Command::Repeat { body, .. }]) = process else {
        return Err(Stuck::new("no loop"));
    };
    let [first, Command::Set(..), Command::Repeat { body, .. }] = body.as_slice() else {
        return Err(Stuck::new("not the rounds of the algorithm"));
    };
    let [stop, second, step, sum] = body.as_slice() else {
        return Err(Stuck::new("not the steps of the algorithm"));
    };
    Ok((first, [stop, second, step, sum]))
}
