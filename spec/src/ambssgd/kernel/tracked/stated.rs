//! The statement.

use super::super::ssgd::words::{ANY_GRADIENT, STEP, bound, own, useful};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::statement::Statement;

/// 1 if the residual of a record at w is at most threshold l in modulus. (Squared, a modulus would be taken for the root of its square.)
pub(super) fn small(z: &str, l: &str) -> String {
    let sides = ["", "0 − "].map(|sign| format!("{sign}((Σ_{{i<d}} x({z})[i]·w_i) − y({z}))"));
    format!("𝟙(max({}, {}) ≤ Δ·2^{l})", sides[0], sides[1])
}

/// Count l of a round: the residual of the record of D, where DP-STAT reads it, and those of the others.
pub(super) fn count(number: &str, l: &str) -> String {
    format!(
        "p{number}·𝟙[t=τ{number}]·(Σ_{{z∈D}} {}) + M_{l}",
        small("z", l)
    )
}

/// What another record than that of D adds to the counts, as record `e` of round t: 1 at most, which may read what is drawn, u and ξ.
pub(super) fn counts(number: &str, rounds: &str, [v, t, e, u, xi]: [&str; 5]) -> String {
    format!("H{number}({v}, ⟨𝟙[i={t}] : i<{rounds}⟩, ⟨𝟙[i={e}] : i<r⟩, {u}, {xi})")
}

/// What another record than that of D adds to the batch, as record `e` of round t: its gradient at v, clipped, which may read what is
/// drawn, u and ξ.
pub(super) fn others(number: &str, rounds: &str, [v, gamma, t, e, u, xi]: [&str; 6]) -> String {
    format!(
        "clip(K{number}({v}, {gamma}, ⟨𝟙[i={t}] : i<{rounds}⟩, ⟨𝟙[i={e}] : i<b⟩, {u}, ⟨{xi} : \
            i<1⟩), ϱ·max(‖{gamma}‖, Δ))"
    )
}

/// One round of the first or second loop.
fn round(number: &str, rounds: &str) -> String {
    format!(
        "M ← ⟨0 : l<m⟩
      repeat e<r
        u ∼ N_{{d}}(0, 1)
        ξ ∼ N_{{1}}(0, σ²)
        M ← ⟨M_l + clip({}[l], 1) : l<m⟩
      end
      c ← ⟨{} : l<m⟩ + N_{{m}}(0, m·α²)
      γ ← ⟨clip(Γ(c)[i], Δ·2^m) : i<1⟩
      a ← ⟨0 : j<d⟩
      repeat e<b
        u ∼ N_{{d}}(0, 1)
        ξ ∼ N(0, σ²)
        a ← ⟨a_j + {}[j]/b : j<d⟩
      end
      g ← ⟨q{number}·𝟙[t=τ{number}]/b·{} + a_j : j<d⟩ + N_{{d}}(0, (2·ϱ·max(‖γ‖, Δ)·α/b)²)
      {STEP}",
        counts(number, rounds, ["w", "t", "e", "u", "ξ"]),
        count(number, "l"),
        others(number, rounds, ["w", "γ", "t", "e", "u", "ξ"]),
        own("ϱ·max(‖γ‖, Δ)", "j")
    )
}

/// The records of a loop are drawn, those of the batches and of the counts, and none is that of D.
fn drawn(number: &str, rounds: &str) -> String {
    let gradients = others(number, rounds, ["v", "ζ", "κ", "ι", "h", "o"]);
    let counts = counts(number, rounds, ["v", "κ", "ι", "h", "o"]);
    let residual = "((Σ_{i<d} h_i·v_i) − ((Σ_{i<d} h_i·w⋆_i) + (Σ_{i<1} o_i)))";
    format!(
        "if q{number} = 0: if for every vector v ∈ ℝ^d: for every vector ζ ∈ ℝ^1: for every index \
            κ<{rounds}: for every index ι<b: for every vector h ∈ ℝ^d: for every real o: for every \
            index ω<d: {gradients}[ω] = clip({ANY_GRADIENT}, ϱ·max(‖ζ‖, Δ))[ω]: if p{number} = 0: \
            if for every vector v ∈ ℝ^d: for every index κ<{rounds}: for every index ι<r: for \
            every vector h ∈ ℝ^d: for every vector o ∈ ℝ^1: for every index ω<m: clip({counts}[ω], \
            1) = 𝟙(max({residual}, 0 − {residual}) ≤ Δ·2^ω): "
    )
}

/// Γ is what DP-STAT ends with: the least threshold whose noisy count is r − G or more, or Δ·2^m if there is none.
const SEARCH: &str = "
  assume for every vector ς ∈ ℝ^m: for every index ι<1: Γ(ς)[ι] ≤ Δ·2^m
  assume for every vector ς ∈ ℝ^m: for every index ι<1: for every index κ<m: if r − G ≤ ς_κ: \
      Γ(ς)[ι] ≤ Δ·2^κ
  assume for every vector ς ∈ ℝ^m: for every index ι<1: for every real υ: if υ ≤ Δ·2^m: if for \
      every index l<m: 𝟙(r − G ≤ ς_l)·(υ − Δ·2^l) ≤ 0: υ ≤ Γ(ς)[ι]";

/// `ambssgd-thm-3.7-corrected-normal-run`. Round τ₁ of the first or τ₂ of the second loop reads the record of D: DP-STAT p times and the
/// batch q times, once in all. H is what the others add to its counts, K the gradients of those of the batch; u and ξ are drawn
/// afresh, and H and K may read them: those of given records do not. γ is the threshold, G what noise hides of a count, ℓ the logarithm of
/// the inverse of what may fail, f what may in a round, and π what DP-STAT has of it.
pub fn statement() -> Result<Statement, Stuck> {
    let loops = [("₁", "k"), ("₂", "n")];
    let [first, second] = loops.map(|(number, rounds)| round(number, rounds));
    let [early, late] = loops.map(|(number, rounds)| drawn(number, rounds));
    render::parse(&format!(
        "for all
  integer d ≥ 1
  vector x ∈ ℝ^d for every record
  number y for every record
  data D of 1 records: its neighbours have one record replaced
  integer b ≥ 1
  integer r ≥ 1
  integer m ≥ 1
  integer T ≥ 1
  integer k ≥ 1
  integer n ≥ 1
  assume T = k + n
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
  map H₁ of ℝ^d × ℝ^k × ℝ^r × ℝ^d × ℝ^1 into ℝ^m
  map H₂ of ℝ^d × ℝ^n × ℝ^r × ℝ^d × ℝ^1 into ℝ^m
  map K₁ of ℝ^d × ℝ^1 × ℝ^k × ℝ^b × ℝ^d × ℝ^1 into ℝ^d
  map K₂ of ℝ^d × ℝ^1 × ℝ^n × ℝ^b × ℝ^d × ℝ^1 into ℝ^d
  real G ≥ 0
  map Γ of ℝ^m into ℝ^1{SEARCH}
  real η > 0
  vector w₀ ∈ ℝ^d
  real σ > 0
  algorithm Alg2: s ← ⟨0 : j<d⟩ in ℝ^d, w ← w₀ in ℝ^d, γ ← ⟨0 : j<1⟩ in ℝ^1, a ← ⟨0 : j<d⟩ in ℝ^d, \
      M ← ⟨0 : l<m⟩ in ℝ^m
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
  real ℓ > 0
  assume 1 ≤ 2·ℓ
  assume α·√(m)·√(2·ℓ) ≤ G
  assume 1 + 32·G ≤ r
  assume √(2·ℓ)·√(B² + σ²) ≤ Δ·2^m
  assume 4·(√(d) + √(2·ℓ))·√(2·ℓ) ≤ ϱ
  define V := 2·√(2·ℓ)
  real λ > 0
  assume λ = 1 − η
  real χ > 0
  assume χ = (d + 1)/b + 4·d·ϱ²·α²·V²/b²
  assume (1 + χ)·η ≤ 1
  define π := 2·m·(r + 1)·exp(0 − ℓ) + m·exp(0 − r/16)
  define f := 4·b·exp(0 − ℓ) + π
  vector w⋆ ∈ ℝ^d
  real Q > 0
  assume Q = d·(σ²/b + (4·ϱ²·α²/b²)·(Δ² + V²·σ²))
{}
holds
  between neighbours of D, the path of Alg2 is (1/(2·α²))-zCDP; {early}{late}{}",
        bound(),
        useful("Alg2")
    ))
}
