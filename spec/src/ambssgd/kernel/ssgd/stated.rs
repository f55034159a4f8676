//! The statements.

use super::words::RISK;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::Statement;

/// Records, and Algorithm 1 on them: of its T records number τ is that in which neighbours differ, and K is what the others add.
/// `space` is what stands between them, and names ζ.
fn on_data(space: &str) -> String {
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
  index τ<T
  map K of ℝ^d × ℝ^T into ℝ^d
  vector w₀ ∈ ℝ^d
  algorithm Alg1: w ← w₀ in ℝ^d
    repeat t<T
      g ← ⟨𝟙[t=τ]·(Σ_{{z∈D}} clip(⟨x(z)[j]·((Σ_{{i<d}} x(z)[i]·w_i) − y(z)) : j<d⟩, ζ)[j]) + K(w, ⟨𝟙[i=t] : i<T⟩)[j] : j<d⟩ + N_{{d}}(0, (2·ζ·α)²)
      w ← ⟨w_j − η·g_j : j<d⟩
    end
  end"
    )
}

/// `ambssgd-thm-3.1-corrected-any-order`: all iterates of Algorithm 1 are (1/(2α²))-zCDP, and (ε, δ)-DP for
/// α ≥ √2·√(log(1/δ) + ε)/ε.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn any_order() -> Result<Statement, Stuck> {
    let budget = "
  real ε > 0
  real δ > 0
  assume δ ≤ 1
  assume √(2·(log(1/δ) + ε))/ε ≤ α";
    render::parse(&format!(
        "{}
holds
  between neighbours of D, the path of Alg1 is (1/(2·α²))-zCDP; between neighbours of D, the path of Alg1 is (ε, δ)-DP",
        on_data(budget)
    ))
}

/// `ambssgd-thm-3.2-corrected-normal`: u is the features of a record, ξ its noise, ℓ the logarithm of the inverse of what may
/// fail, and f what may be clipped in a round.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
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
  define f := 4·exp(0 − ℓ)";
    let step = "u ∼ N_{d}(0, 1)
      ξ ∼ N(0, σ²)
      g ← ⟨clip(⟨u_j·((Σ_{i<d} u_i·w_i) − ((Σ_{i<d} u_i·w⋆_i) + ξ)) : j<d⟩, ζ)[j] : j<d⟩ + N_{d}(0, (2·ζ·α)²)
      w ← ⟨w_j − η·g_j : j<d⟩";
    render::parse(&format!(
        "{}
  vector w⋆ ∈ ℝ^d
  algorithm Drawn: s ← ⟨0 : j<d⟩ in ℝ^d, w ← w₀ in ℝ^d
    repeat t<k
      {step}
    end
    s ← ⟨0 : j<d⟩
    repeat t<n
      {step}
      s ← ⟨s_j + w_j/n : j<d⟩
    end
  end
  define L(v∈ℝ^d) := 𝔼_{{u∼N_{{d}}(0, 1)}}[𝔼_{{ξ∼N(0, σ²)}}[((Σ_{{i<d}} u_i·v_i) − ((Σ_{{i<d}} u_i·w⋆_i) + ξ))²/2]]
  real Q > 0
  assume Q = d·(σ² + (2·ζ·α)²)
  define W := Σ_{{j<d}} (w₀_j − w⋆_j)²
  real φ > 0
  real β > 0
  real R > 0
  assume R = {}
holds
  between neighbours of D, the path of Alg1 is (1/(2·α²))-zCDP; 1 − β − T·f − (W + T·η²·Q)/B² ≤ 𝔼_{{s∼end(Drawn)}}[𝟙(L(s) − L(w⋆) ≤ R/β)]",
        on_data(numbers),
        RISK
    ))
}
