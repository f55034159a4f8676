//! What the tails of one record give: the size of its gradient, and of its label.

use super::item;
use super::ssgd::ends::first;
use crate::moved::written::{Proof, Written, goal, settle, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, discharge, expected, instance, root_increases, triangle, union,
};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, num, op, var};

/// z.
const NOISE: &str = "(Σ_{i<1} Z(κ)[i])";

/// A law, as the image X, Z of normal numbers, with the tails (2') and (4') of x and z: h is ‖H‖, R is R_x and Λ is L^a.
fn setting(more: &str, event: &str, chance: &str) -> Result<Statement, Stuck> {
    let likely = |event: &str| format!("𝔼_{{κ∼N_{{r}}(0, 1)}}[𝟙({event})]");
    render::parse(&format!(
        "for all
  integer d ≥ 1
  integer r ≥ 1
  map X of ℝ^r into ℝ^d
  map Z of ℝ^r into ℝ^1
  real K ≥ 0
  real R ≥ 0
  real h ≥ 0
  real σ ≥ 0
  real Λ ≥ 0
  real β ≥ 0
  assume 1 − β ≤ {}
  assume for every vector v ∈ ℝ^d: 1 − β ≤ {}
  assume 1 − β ≤ {}
  vector w⋆ ∈ ℝ^d{more}
holds
  {chance} ≤ {}",
        likely("‖X(κ)‖ ≤ K·R·Λ"),
        likely("|Σ_{i<d} X(κ)[i]·v_i| ≤ K·√(h)·‖v‖·Λ"),
        likely(&format!("|{NOISE}| ≤ K·σ·Λ")),
        likely(event)
    ))
}

/// The gradient at w.
fn gradient() -> String {
    format!("⟨X(κ)[j]·((Σ_{{i<d}} X(κ)[i]·w_i) − ((Σ_{{i<d}} X(κ)[i]·w⋆_i) + {NOISE})) : j<d⟩")
}

/// `ambssgd-eq-11-repaired`.
pub fn equation_11() -> Result<Statement, Stuck> {
    let most = "K²·R·Λ²·(√(h)·‖⟨w_j − w⋆_j : j<d⟩‖ + σ)";
    let event = format!("‖{}‖ ≤ {most}", gradient());
    setting("\n  vector w ∈ ℝ^d", &event, "1 − 3·β")
}

/// `ambssgd-p3.9-noclip-repaired`.
pub fn not_clipped() -> Result<Statement, Stuck> {
    let more = "
  vector w ∈ ℝ^d
  real γ ≥ 0
  assume √(h)·‖⟨w_j − w⋆_j : j<d⟩‖ + σ ≤ γ";
    setting(more, &format!("‖{}‖ ≤ K²·Λ²·R·γ", gradient()), "1 − 3·β")
}

/// `ambssgd-thm-3.7-B-repaired`.
pub fn domain() -> Result<Statement, Stuck> {
    let event = format!("|(Σ_{{i<d}} X(κ)[i]·w⋆_i) + {NOISE}| ≤ K·Λ·(√(h)·‖w⋆‖ + σ)");
    setting("", &event, "1 − 2·β")
}

/// Hypotheses that are relations, in order.
fn given(h: &Context) -> Vec<Proof> {
    let items = h.items().iter().enumerate();
    let given = items.filter(|(_, item)| matches!(item, Item::Assume(Goal::Le(..))));
    given.map(|(index, _)| assume(h, index)).collect()
}

/// The event that is wanted holds where these sizes do; and of each, how likely it is.
fn likely(
    h: &Context,
    wanted: &Goal,
    sizes: &[(String, Theorem)],
    follows: impl Fn(&Context, &Goal, &[Theorem]) -> Proof,
) -> Proof {
    let drawn = h.extended(item("κ", Sort::Vector(var("r"), Sign::Any)))?;
    let (mut here, mut facts) = (drawn, Vec::new());
    for (size, _) in sizes {
        here = here.extended(Item::Assume(goal(&here, size)?))?;
        facts.push(assume(&here, here.items().len() - 1)?);
    }
    let Some([_, event]) = wanted.sides() else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Bind(_, x, _, event) = event else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = event.put(x, &var("κ")) else {
        return Err(Stuck::new("no event"));
    };
    let [left, right] = &sides[..] else {
        return Err(Stuck::new("no event"));
    };
    let found = follows(&here, &Goal::Le(left.clone(), right.clone()), &facts)?;
    let implied = sizes
        .iter()
        .try_fold(found, |theorem, _| discharge(&theorem))?;
    let missed = expected(&union(&implied)?, &op(Op::Normal, [var("r"), num(1)]))?;
    let chances = sizes.iter().map(|(_, chance)| chance);
    let facts: Vec<[&Theorem; 1]> = std::iter::once(&missed)
        .chain(chances)
        .map(|t| [t])
        .collect();
    let parts: Vec<Written<'_>> = facts.iter().map(|fact| ("1", &fact[..])).collect();
    settle(h, wanted, &parts)
}

/// ⟨x, ·⟩ at a vector, as a size with its chance.
fn along(h: &Context, v: &str) -> Result<(String, Theorem), Stuck> {
    let every = first(h, |goal| matches!(goal, Goal::Every(..)))?;
    let at = instance(h, &every, &term(h, v)?)?;
    let size = format!("|Σ_{{i<d}} X(κ)[i]·{v}[i]| ≤ K·√(h)·‖{v}‖·Λ");
    Ok((size, at))
}

/// The proof of [`equation_11`] and [`not_clipped`], or of a statement with other constants.
pub fn prove_gradient(statement: &Statement) -> Proof {
    let h = &statement.context;
    let gap = "⟨w_j − w⋆_j : j<d⟩";
    let mut given = given(h).into_iter();
    let (Some(length), Some(noise)) = (given.next(), given.next()) else {
        return Err(Stuck::new("no tails"));
    };
    let enough = given.next().transpose()?;
    let sizes = [
        ("‖X(κ)‖ ≤ K·R·Λ".to_owned(), length?),
        along(h, gap)?,
        (format!("|{NOISE}| ≤ K·σ·Λ"), noise?),
    ];
    likely(h, &statement.goal, &sizes, |here, wanted, facts| {
        let [norm, along, noise] = facts else {
            return Err(Stuck::new("not three sizes"));
        };
        let inner = format!("(Σ_{{i<d}} X(κ)[i]·{gap}[i])");
        let square = format!("‖{}‖² ≤ (‖X(κ)‖·|{inner} − {NOISE}|)²", gradient());
        let product = root_increases(&show(here, &square, &[])?)?;
        let apart = triangle(here, &term(here, &inner)?, &term(here, NOISE)?)?;
        let rest = format!("K·Λ·(√(h)·‖{gap}‖ + σ)");
        let parts: &[Written<'_>] = &[
            ("1", &[&product]),
            ("‖X(κ)‖", &[&apart]),
            ("‖X(κ)‖", &[along]),
            ("‖X(κ)‖", &[noise]),
            (&rest, &[norm]),
            ("K²·R·Λ²", &[enough.as_ref().unwrap_or(norm)]),
        ];
        let parts = if enough.is_some() { parts } else { &parts[..5] };
        settle(here, wanted, parts)
    })
}

/// The proof of [`domain`], or of a statement with other constants.
pub fn prove_domain(statement: &Statement) -> Proof {
    let h = &statement.context;
    let noise = given(h).into_iter().nth(1);
    let noise = noise.ok_or_else(|| Stuck::new("no tails"))??;
    let sizes = [along(h, "w⋆")?, (format!("|{NOISE}| ≤ K·σ·Λ"), noise)];
    likely(h, &statement.goal, &sizes, |here, wanted, facts| {
        let [along, noise] = facts else {
            return Err(Stuck::new("not two sizes"));
        };
        let inner = term(here, "Σ_{i<d} X(κ)[i]·w⋆_i")?;
        let apart = triangle(here, &inner, &term(here, &format!("0 − {NOISE}"))?)?;
        let parts: &[Written<'_>] = &[("1", &[&apart]), ("1", &[along]), ("1", &[noise])];
        settle(here, wanted, parts)
    })
}
