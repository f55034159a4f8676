//! The statement.

use super::super::ssgd::words::{ANY_GRADIENT, STEP, bound, own, useful};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::Statement;

/// 1 if the residual of a record at v is at most θ_l in modulus. (Squared, a modulus would be taken for the root of its square.)
pub(super) fn small(z: &str, v: &str) -> String {
    let sides = ["", "0 − "].map(|sign| format!("{sign}((Σ_{{i<d}} x({z})[i]·{v}[i]) − y({z}))"));
    format!("𝟙(max({}, {}) ≤ θ_l)", sides[0], sides[1])
}

/// Count l of a round at v: the residual of the record of D, where DP-STAT reads it, and those of others, M of them at most.
fn count(number: &str, rounds: &str, [v, t]: [&str; 2]) -> String {
    format!(
        "p{number}·𝟙[{t}=τ{number}]·(Σ_{{z∈D}} {}) + clip(H{number}({v}, ⟨𝟙[i={t}] : i<{rounds}⟩, κ)[l], M)",
        small("z", v)
    )
}

/// What another record than that of D adds to the batch, as record `e` of round t: its gradient at v, clipped, which may read what is
/// drawn, u and ξ.
pub(super) fn others(number: &str, rounds: &str, [v, gamma, t, e, u, xi]: [&str; 6]) -> String {
    format!(
        "clip(K{number}({v}, {gamma}, ⟨𝟙[i={t}] : i<{rounds}⟩, ⟨𝟙[i={e}] : i<b⟩, {u}, ⟨{xi} : i<1⟩), ϱ·max(‖{gamma}‖, Δ))"
    )
}

/// One round of the first or second loop.
fn round(number: &str, rounds: &str) -> String {
    format!(
        "κ ∼ N_{{r}}(0, 1)
      c ← ⟨{} : l<m⟩ + N_{{m}}(0, m·α²)
      γ ← ⟨clip(Γ(c)[i], C) : i<1⟩
      a ← ⟨0 : j<d⟩
      repeat e<b
        u ∼ N_{{d}}(0, 1)
        ξ ∼ N(0, σ²)
        a ← ⟨a_j + {}[j]/b : j<d⟩
      end
      g ← ⟨q{number}·𝟙[t=τ{number}]/b·{} + a_j : j<d⟩ + N_{{d}}(0, (2·ϱ·max(‖γ‖, Δ)·α/b)²)
      {STEP}",
        count(number, rounds, ["w", "t"]),
        others(number, rounds, ["w", "γ", "t", "e", "u", "ξ"]),
        own("ϱ·max(‖γ‖, Δ)", "j")
    )
}

/// The threshold of a round at v.
fn threshold(number: &str, rounds: &str) -> String {
    format!(
        "  define ϑ{number}(v∈ℝ^d, o<{rounds}, κ∈ℝ^r, ς∈ℝ^m) := max(‖⟨clip(Γ(⟨{} + ς_l : l<m⟩)[i], C) : i<1⟩‖, Δ)",
        count(number, rounds, ["v", "o"])
    )
}

/// The batches of a loop are drawn, and do not hold the record of D; and its thresholds follow the residuals but with probability π.
fn drawn(number: &str, rounds: &str) -> String {
    let others = others(number, rounds, ["v", "ζ", "l", "ι", "h", "o"]);
    let follows =
        format!("𝟙(S(v) ≤ 2·ϑ{number}(v, o, κ, ς))·𝟙(ϑ{number}(v, o, κ, ς) ≤ max(Δ, V·S(v)))");
    format!(
        "if q{number} = 0: if for every vector v ∈ ℝ^d: for every vector ζ ∈ ℝ^1: for every index l<{rounds}: for every index ι<b: for every vector h ∈ ℝ^d: for every real o: for every index ω<d: {others}[ω] = clip({ANY_GRADIENT}, ϱ·max(‖ζ‖, Δ))[ω]: if for every vector v ∈ ℝ^d: for every index o<{rounds}: if Σ_{{j<d}} (v_j − w⋆_j)² ≤ B²: 1 − π ≤ 𝔼_{{κ∼N_{{r}}(0, 1)}}[𝔼_{{ς∼N_{{m}}(0, m·α²)}}[{follows}]]: "
    )
}

/// `ambssgd-thm-3.7-corrected-tracked`. Round τ₁ of the first or τ₂ of the second loop reads the record of D: DP-STAT p times and the
/// batch q times, once in all. H is what the others add to its counts, K the gradients of those of the batch; κ and u, ξ are drawn
/// afresh, and H and K may read them: those of given records do not. S is √(2L), ϑ the threshold, ℓ the logarithm of the inverse of
/// what may fail, and f what may in a round.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let loops = [("₁", "k"), ("₂", "n")];
    let [first, second] = loops.map(|(number, rounds)| round(number, rounds));
    let thresholds = loops
        .map(|(number, rounds)| threshold(number, rounds))
        .join("\n");
    let [early, late] = loops.map(|(number, rounds)| drawn(number, rounds));
    render::parse(&format!(
        "for all
  integer d ≥ 1
  vector x ∈ ℝ^d for every record
  number y for every record
  data D of 1 records: its neighbours have one record replaced
  integer b ≥ 1
  integer m ≥ 1
  integer M ≥ 1
  integer T ≥ 1
  integer k ≥ 1
  integer n ≥ 1
  assume T = k + n
  integer r ≥ 1
  real α > 0
  real Δ > 0
  real ϱ > 0
  real p₁ ≥ 0
  real p₂ ≥ 0
  real q₁ ≥ 0
  real q₂ ≥ 0
  assume p₁ + p₂ + q₁ + q₂ ≤ 1
  index τ₁<k
  index τ₂<n
  map H₁ of ℝ^d × ℝ^k × ℝ^r into ℝ^m
  map H₂ of ℝ^d × ℝ^n × ℝ^r into ℝ^m
  map K₁ of ℝ^d × ℝ^1 × ℝ^k × ℝ^b × ℝ^d × ℝ^1 into ℝ^d
  map K₂ of ℝ^d × ℝ^1 × ℝ^n × ℝ^b × ℝ^d × ℝ^1 into ℝ^d
  vector θ ∈ ℝ^m
  map Γ of ℝ^m into ℝ^1
  real C > 0
  real η > 0
  vector w₀ ∈ ℝ^d
  real σ > 0
  algorithm Alg2: s ← ⟨0 : j<d⟩ in ℝ^d, w ← w₀ in ℝ^d, γ ← ⟨0 : j<1⟩ in ℝ^1, a ← ⟨0 : j<d⟩ in ℝ^d
    repeat t<k
      {first}
    end
    s ← ⟨0 : j<d⟩
    repeat t<n
      {second}
      s ← ⟨s_j + w_j/n : j<d⟩
    end
  end
  real B > 0
  real V > 0
  real ℓ > 0
  assume 4·(√(d) + √(2·ℓ))·√(2·ℓ) ≤ ϱ
  real λ > 0
  assume λ = 1 − η
  real χ > 0
  assume χ = (d + 1)/b + 4·d·ϱ²·α²·V²/b²
  assume (1 + χ)·η ≤ 1
  real π ≥ 0
  define f := 4·b·exp(0 − ℓ) + π
  vector w⋆ ∈ ℝ^d
  define S(v∈ℝ^d) := √((Σ_{{j<d}} (v_j − w⋆_j)²) + σ²)
{thresholds}
  real Q > 0
  assume Q = d·(σ²/b + (4·ϱ²·α²/b²)·(Δ² + V²·σ²))
{}
holds
  between neighbours of D, the path of Alg2 is (1/(2·α²))-zCDP; {early}{late}{}",
        bound(),
        useful("Alg2")
    ))
}
