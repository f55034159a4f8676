//! The run with constant steps: `decor-thm-2b-corrected`.

use super::super::noise::graph;
use super::bounds::weighted;
use super::rounds::one_round;
use super::{
    MEAN, Proof, UNCLIPPED, given_for, of, passes, round, setting, space, whole_gradients,
};
use crate::moved::written::{each, settle, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{ends, instance};
use dp_assay_kernel::search::item;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{num, var};

/// ‖∇F(x̄)‖².
const STEEP: &str = "(Σ_{ϑ<d} D(⟨ā(ι, v) : ι<d⟩, ϑ)²)";

/// What a round adds.
const ADDED: &str = "(L·η₀·Q/n + 4·L²·η₀²·R/p)";

/// The run, which adds up ‖∇F(x̄)‖² over the rounds in Γ, before each.
pub(super) fn run_of(round: &str) -> String {
    format!(
        "index j₀<1
    algorithm Alg1: Γ ← ⟨0 : ι<1⟩ in ℝ^1, v ← v₀ in ℝ^(n·d)
      repeat r<T
        Γ ← ⟨Γ_ι + {STEEP} : ι<1⟩
        {round}
      end
    end
    "
    )
}

/// What the mean of ‖∇F(x̄)‖² over the rounds is at most.
pub(super) fn bounded_by(bound: &str) -> String {
    format!("(𝔼_{{Γ∼end(Alg1)}}[Γ[j₀]])/T ≤ {bound}")
}

/// The bound of `decor-thm-2b-corrected`.
pub(super) const BOUND: &str =
    "2·(F(⟨ā(ι, v₀) : ι<d⟩) − F⋆ + (2·L²·η₀/p)·Ξ(v₀))/(η₀·T) + L·η₀·Q/n + 4·L²·η₀²·R/p";

/// `decor-thm-2b-corrected`.
pub fn statement() -> Result<Statement, Stuck> {
    let (graph, setting, algorithm) = (graph(), setting(), run_of(&round()));
    let bound = bounded_by(BOUND);
    render::parse(&format!(
        "{graph}{setting}real η₀ > 0
    assume η₀·L ≤ p/8
    define η(r<T) := η₀
    {algorithm}holds
    {UNCLIPPED}; {bound}"
    ))
}

/// The factors of F(x̄) and Ξ in the invariant before round r, and the rest of it.
fn shares() -> [String; 3] {
    let rest = format!("(Γ[j₀] − (2/η₀)·F⋆ + (T − r)·{ADDED})");
    ["(2/η₀)".to_owned(), "(4·L²/p)".to_owned(), rest]
}

pub(super) fn bounded(h: &Context, goal: &Goal) -> Proof {
    let one = item("Γ", Sort::Vector(num(1), Sign::Any));
    let v = &h.with([one, space("v", "n·d")])?;
    let r = &v.extended(item("r", Sort::Index(var("T"))))?;
    let [a, b, c] = shares();
    let bound = weighted([&a, &b, &c], &format!("F({MEAN})"), "Ξ(v)");
    let invariant = term(r, &bound)?;
    let value = term(v, "Γ[j₀]")?;
    let least = given_for(v, of::LEAST, &[MEAN])?;
    let end = Goal::Le(value.clone(), invariant.put("r", &var("T")));
    let end = settle(v, &end, &[("2/η₀", &[&least]), ("(4·L²/p)·Ξ(v)", &[])])?;
    let mut round = one_round(r)?;
    let after = term(r, &format!("⟨Γ_ι + {STEEP} : ι<1⟩"))?;
    for share in shares() {
        let share = term(r, &share)?.put("r", &(var("r") + num(1)));
        round = instance(r, &round, &share.put("Γ", &after))?;
    }
    let round = passes(r, &round, &bound, &[])?;
    let found = ends(h, "Alg1", ("Γ", &value), &[&invariant], &[&end, &round])?;
    settle(h, goal, &[("1/T", &[&found])])
}

/// The proof of [`statement`], or of a statement with larger constants.
pub fn prove(statement: &Statement) -> Proof {
    let unclipped = whole_gradients(&statement.context);
    each(statement, &[&unclipped, &bounded])
}
