//! `ambssgd-thm-3.7-corrected-tracked`: Algorithm 2 on normal records, private and useful in one run, where the threshold of a round
//! follows the residuals but with probability π.
//!
//! A round draws what its threshold is made from, κ, and then b records. Before e of them the potential is what it is expected to
//! be if no gradient of the rest is clipped, and as much as 1 more where w is too far, or the threshold too low. What it weighs
//! the squares with is proved for any numbers, of which those of a round are instances: their terms are long.

mod batch;
mod threshold;
mod weights;

use super::ssgd::ends::{self, same, space};
use super::ssgd::words::Phase::{Early, Late};
use super::ssgd::words::{bound, useful};
use crate::moved::written::{extended, goal, term, whole};
use batch::{adds, steps};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, discharge, instance, largest};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Notion, Sign, Sort, Statement, View};
use dp_assay_kernel::term::{num, var};
use threshold::{begins, follows};
use weights::{STATE, Weights, for_all_weights, of_round, weighted};

type Proof = Result<Theorem, Stuck>;

/// What is supposed of the thresholds.
const TRACKED: &str = "for every vector v ∈ ℝ^d: if Σ_{j<d} (v_j − w⋆_j)² ≤ B²: 1 − π ≤ 𝔼_{κ∼N_{r}(0, 1)}[𝟙(S(v) ≤ 2·ϑ(v, κ))·𝟙(ϑ(v, κ) ≤ max(Δ, V·S(v)))]";

/// What is added to the context of Algorithm 2.
fn items() -> String {
    let rounds = "κ ∼ N_{r}(0, 1)
      γ ← ⟨clip(G(w, κ)[i], C) : i<1⟩
      a ← ⟨0 : j<d⟩
      repeat e<b
        u ∼ N_{d}(0, 1)
        ξ ∼ N(0, σ²)
        a ← ⟨a_j + clip(⟨u_j·((Σ_{i<d} u_i·w_i) − ((Σ_{i<d} u_i·w⋆_i) + ξ)) : j<d⟩, ϱ·max(‖γ‖, Δ))[j]/b : j<d⟩
      end
      g ← a + N_{d}(0, (2·ϱ·max(‖γ‖, Δ)·α/b)²)
      w ← ⟨w_j − η·g_j : j<d⟩";
    format!(
        "  integer k ≥ 1
  integer n ≥ 1
  assume T = k + n
  integer r ≥ 1
  map G of ℝ^d × ℝ^r into ℝ^1
  real C > 0
  real σ > 0
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
  define ϑ(v∈ℝ^d, κ∈ℝ^r) := max(‖⟨clip(G(v, κ)[i], C) : i<1⟩‖, Δ)
  assume {TRACKED}
  algorithm Drawn: s ← ⟨0 : j<d⟩ in ℝ^d, w ← w₀ in ℝ^d, γ ← ⟨0 : j<1⟩ in ℝ^1, a ← ⟨0 : j<d⟩ in ℝ^d
    repeat t<k
      {rounds}
    end
    s ← ⟨0 : j<d⟩
    repeat t<n
      {rounds}
      s ← ⟨s_j + w_j/n : j<d⟩
    end
  end
  real Q > 0
  assume Q = d·(σ²/b + (4·ϱ²·α²/b²)·(Δ² + V²·σ²))
{}",
        bound()
    )
}

/// `ambssgd-thm-3.7-corrected-tracked`: κ is what a threshold is made from, e.g. the records and the noise of DP-STAT, u the features
/// of a record, ξ its noise; S is √(2L), ϑ the threshold, ℓ the logarithm of the inverse of what may fail, and f what may in a round.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let context = extended(&super::blocks::one_reads()?, &items())?;
    let private = super::blocks::private(View::Path, Notion::Zcdp(super::blocks::half()));
    let goal = Goal::Both(vec![private, goal(&context, &useful("Drawn"))?]);
    Ok(Statement { context, goal })
}

/// The proof of [`statement`], or of a statement with other constants.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let spent = |h: &Context, goal: &Goal| {
        let (context, goal) = (h.clone(), goal.clone());
        super::blocks::prove_zcdp(&Statement { context, goal })
    };
    whole(statement, &[&spent, &run])
}

/// The run is useful.
fn run(h: &Context, wanted: &Goal) -> Proof {
    let states = h.with([
        item("s", space()),
        item("w", space()),
        item("γ", Sort::Vector(num(1), Sign::Any)),
        item("a", space()),
    ])?;
    let any = weighted(&states)?;
    let steps = for_all_weights(&steps(&any)?)?;
    let adds = for_all_weights(&discharge(&adds(&of_batch(&any)?)?)?)?;
    let follows = for_all_weights(&follows(&any)?)?;
    ends::run(h, wanted, &states, |behind| {
        let (mut invariants, mut theorems) = (Vec::new(), Vec::new());
        for (phase, end) in [Late, Early].into_iter().zip(behind) {
            let (round, own) = (ends::round(&states, phase)?, Weights::of(phase));
            let batch = of_batch(&round)?;
            invariants.push(term(&round, &phase.invariant("t", "s", "w"))?);
            let u = own.inner("(b − e)", "a", STATE);
            invariants.push(term(&batch, &own.least(&u, "(b − e)"))?);
            let one_more = instance(&batch, &of_round(&round, phase, &adds)?, &var("e"))?;
            theorems.extend([
                end.clone(),
                begins(&round, phase, &of_round(&round, phase, &follows)?)?,
                of_round(&round, phase, &steps)?,
                one_more,
            ]);
        }
        Ok((invariants, theorems))
    })
}

/// The context of a record of a batch.
fn of_batch(h: &Context) -> Result<Context, Stuck> {
    h.extended(item("e", Sort::Index(var("b"))))
}

/// A relation by whether a potential is at most 1, with max(1, potential) ≤ 1 or what it is.
fn by_size(h: &Context, u: &str, prove: impl Fn(&Context, &Theorem, bool) -> Proof) -> Proof {
    either(h, [&term(h, u)?, &num(1)], |h, order, small| {
        let top = match small {
            true => largest(&same(h, "1")?, order)?,
            false => largest(order, &same(h, u)?)?,
        };
        prove(h, &top, small)
    })
}
