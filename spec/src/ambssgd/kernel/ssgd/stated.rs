//! The statements.

use super::words::{ANY_GRADIENT, STEP, bound, own, useful};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::Statement;

/// Records, of which one is in D, and the parameters of Algorithm 1. `space` is what stands behind them, and names ζ.
fn records(space: &str) -> String {
    format!(
        "for all
  integer d ≥ 1
  integer T ≥ 1
  vector x ∈ ℝ^d for every record
  number y for every record
  data D of 1 records: its neighbours have one record replaced
  real α > 0
  real ζ > 0
  real η > 0{space}
  vector w₀ ∈ ℝ^d"
    )
}

/// `ambssgd-thm-3.1-corrected-any-order`: all iterates of Algorithm 1 are (1/(2α²))-zCDP, and (ε, δ)-DP for
/// α ≥ √2·√(log(1/δ) + ε)/ε. Of its T records number τ is that in which neighbours differ, and K is what the others add.
pub fn any_order() -> Result<Statement, Stuck> {
    let budget = "
  real ε > 0
  real δ > 0
  assume δ ≤ 1
  assume √(2·(log(1/δ) + ε))/ε ≤ α
  index τ<T
  map K of ℝ^d × ℝ^T into ℝ^d";
    render::parse(&format!(
        "{}
  algorithm Alg1: w ← w₀ in ℝ^d
    repeat t<T
      g ← ⟨𝟙[t=τ]·{} + K(w, ⟨𝟙[i=t] : i<T⟩)[j] : j<d⟩ + N_{{d}}(0, (2·ζ·α)²)
      {STEP}
    end
  end
holds
  between neighbours of D, the path of Alg1 is (1/(2·α²))-zCDP; between neighbours of D, the path \
      of Alg1 is (ε, δ)-DP",
        records(budget),
        own("ζ", "j")
    ))
}

/// One round of the first or second loop of the run that averages, for a gradient K₁ or K₂ of the record that is read there.
fn round(number: &str, rounds: &str) -> String {
    format!(
        "u ∼ N_{{d}}(0, 1)
      ξ ∼ N(0, σ²)
      g ← ⟨p{number}·𝟙[t=τ{number}]·{} + {}[j] : j<d⟩ + N_{{d}}(0, (2·ζ·α)²)
      {STEP}",
        own("ζ", "j"),
        others(number, rounds, ["w", "t", "u", "ξ"])
    )
}

/// What another record than that of D adds in round t: its gradient at v, clipped, which may read what is drawn, u and ξ.
pub(super) fn others(number: &str, rounds: &str, [v, t, u, xi]: [&str; 4]) -> String {
    format!("clip(K{number}({v}, ⟨𝟙[i={t}] : i<{rounds}⟩, {u}, ⟨{xi} : i<1⟩), ζ)")
}

/// The records of a loop are drawn: what they add is the clipped gradient of h for u and o for ξ.
fn drawn(number: &str, rounds: &str) -> String {
    format!(
        "if for every vector v ∈ ℝ^d: for every index l<{rounds}: for every vector h ∈ ℝ^d: for \
            every real o: for every index c<d: {}[c] = clip({ANY_GRADIENT}, ζ)[c]: ",
        others(number, rounds, ["v", "l", "h", "o"]),
    )
}

/// `ambssgd-thm-3.2-corrected-normal`: Algorithm 1, as it averages. K₁ and K₂ are the gradients of the records of its two loops, p₁ and p₂
/// say how often round τ₁ or τ₂ reads that of D besides: at most once in all. u and ξ are drawn afresh in every round, and K₁ and K₂ may
/// read them: those of given records do not, those of drawn records are the gradients for features u and noise ξ. ℓ is the
/// logarithm of the inverse of what may fail, and f what may be clipped in a round.
pub fn normal() -> Result<Statement, Stuck> {
    let numbers = "
  integer k ≥ 1
  integer n ≥ 1
  assume T = k + n
  real σ ≥ 0
  real B > 0
  real ℓ > 0
  assume (√(d) + √(2·ℓ))·√(2·ℓ)·(B + σ) ≤ ζ
  real λ > 0
  assume λ = 1 − η
  real χ > 0
  assume χ = d + 1
  assume (1 + χ)·η ≤ 1
  define f := 4·exp(0 − ℓ)
  real p₁ ≥ 0
  real p₂ ≥ 0
  assume p₁ + p₂ ≤ 1
  index τ₁<k
  index τ₂<n
  map K₁ of ℝ^d × ℝ^k × ℝ^d × ℝ^1 into ℝ^d
  map K₂ of ℝ^d × ℝ^n × ℝ^d × ℝ^1 into ℝ^d";
    render::parse(&format!(
        "{}
  vector w⋆ ∈ ℝ^d
  algorithm Alg1: s ← ⟨0 : j<d⟩ in ℝ^d, w ← w₀ in ℝ^d
    repeat t<k
      {}
    end
    s ← ⟨0 : j<d⟩
    repeat t<n
      {}
      s ← ⟨s_j + w_j/n : j<d⟩
    end
  end
  real Q > 0
  assume Q = d·(σ² + (2·ζ·α)²)
{}
holds
  between neighbours of D, the path of Alg1 is (1/(2·α²))-zCDP; if p₁ = 0: if p₂ = 0: {}{}{}",
        records(numbers),
        round("₁", "k"),
        round("₂", "n"),
        bound(),
        drawn("₁", "k"),
        drawn("₂", "n"),
        useful("Alg1")
    ))
}
