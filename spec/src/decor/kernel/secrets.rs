//! What is private given the secrets that are known stays so: Definitions 1 and 4 condition on them.
//!
//! s are the secrets that the adversary knows, any value of them; what a mechanism hides it draws itself, afresh. D are the
//! data of a user, as one record.

use super::item;
use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, both, call, combine, compose, forget, weaken};
use dp_assay_kernel::search::order::at_order;
use dp_assay_kernel::statement::{
    Command, Context, Goal, Notion, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{app, var};

/// `decor-def-preserve`: A and B are (ε, δ)-DP, E and F (α, ε)-RDP with α = 1 + x, for every input, and what comes second is given
/// what the first released, through any map that knows s. The transcripts are what composition says, their last states f and g
/// are processed further, and the last goal is the conversion.
pub fn preserved() -> Result<Statement, Stuck> {
    let notion = |name: &str, notion: &str| {
        format!(
            "mechanism {name} on D that takes and releases vectors of ℝ^d and is {notion} for \
                every one that it takes\n"
        )
    };
    let mechanisms = [
        notion("A", "(ε₁, δ₁)-DP"),
        notion("B", "(ε₂, δ₂)-DP"),
        notion("E", "(1 + x, ε₁)-RDP"),
        notion("F", "(1 + x, ε₂)-RDP"),
    ];
    let process = |name: &str, state: &str, first: &str, second: &str| {
        format!(
            "algorithm {name}: {state} ← s in ℝ^d
    a ← {first}({state})
    {state} ← Φ({state}, a)
    b ← {second}({state})
    {state} ← Ψ({state}, b)
  end
"
        )
    };
    render::parse(&format!(
        "for all
  integer d ≥ 1
  data D of 1 records: its neighbours have one record replaced
  real x > 0
  real ε₁ ≥ 0
  real ε₂ ≥ 0
  real δ₁ ≥ 0
  real δ₂ ≥ 0
  real δ > 0
  assume δ ≤ 1
  {}vector s ∈ ℝ^d
  map Φ of ℝ^d × ℝ^d into ℝ^d
  map Ψ of ℝ^d × ℝ^d into ℝ^d
  {}{}holds
  between neighbours of D, the transcript of P is (ε₁ + ε₂, δ₁ + δ₂)-DP; between neighbours of D, \
      the end of P is (ε₁ + ε₂, δ₁ + δ₂)-DP; between neighbours of D, the transcript of Q is (1 + \
      x, ε₁ + ε₂)-RDP; between neighbours of D, the end of Q is (1 + x, ε₁ + ε₂)-RDP; between \
      neighbours of D, the transcript of Q is (ε₁ + ε₂ + log(1/δ)/x, δ)-DP",
        mechanisms.concat(),
        process("P", "f", "A", "B"),
        process("Q", "g", "E", "F"),
    ))
}

/// The transcript of two mechanisms in turn, which are given the state.
fn in_turn(context: &Context, process: &str, state: &str, mechanisms: [&str; 2]) -> Proof {
    let here = context.extended(item(state, Sort::Vector(var("d"), Sign::Any)))?;
    let one = |name: &str, mechanism: &str| {
        let (name, of) = (name.to_owned(), app(mechanism, [var(state)]));
        call(&here, &Command::Call { name, of })
    };
    let [first, second] = mechanisms;
    compose(
        context,
        process,
        "D",
        &[&one("a", first)?, &one("b", second)?],
    )
}

/// What a goal says, from the bound on a transcript: of what is seen there, with numbers that are plainly no smaller.
fn told(found: &Theorem, goal: &Goal) -> Proof {
    let Goal::Private {
        notion,
        subject: Subject::Process(_, view),
        ..
    } = goal
    else {
        return Err(Stuck::new("not about a process"));
    };
    let found = match view {
        View::Transcript => found.clone(),
        view => forget(found, *view)?,
    };
    let statement = found.statement();
    let Goal::Private { notion: own, .. } = &statement.goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let pairs = own.numbers().into_iter().zip(notion.numbers());
    let less = pairs.filter(|(a, b)| a != b).map(|(a, b)| {
        let less = Goal::Le(a.clone(), b.clone());
        combine(&statement.context, less, &[])
    });
    let less: Vec<Theorem> = less.collect::<Result<_, _>>()?;
    weaken(&found, notion, &less.iter().collect::<Vec<_>>())
}

/// The proof of [`preserved`], or of a statement with larger numbers.
pub fn prove_preserved(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [released, last, of_order, last_of_order, converted] = goals(statement)?;
    let pair = in_turn(context, "P", "f", ["A", "B"])?;
    let renyi = in_turn(context, "Q", "g", ["E", "F"])?;
    let Goal::Private {
        notion: Notion::Approximate(epsilon, delta),
        ..
    } = converted
    else {
        return Err(Stuck::new("no conversion"));
    };
    let proved = [
        told(&pair, released)?,
        told(&pair, last)?,
        told(&renyi, of_order)?,
        told(&renyi, last_of_order)?,
        at_order(&renyi, [epsilon, delta], vec![])?,
    ];
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// `decor-def-order`: A is what an adversary sees of a run, private for all values of the secrets that she knows. One who knows fewer of these
/// numbers, number j where v_j is 1, sees the same with a draw of the others. Of all numbers IV knows everyone's, a group at most these, a user of
/// it at most the group's, and I none.
pub fn ordered() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           data D of n records: its neighbours have one record replaced
           real ε ≥ 0
           real δ ≥ 0
           mechanism A on D that takes and releases vectors of ℝ^d and is (ε, δ)-DP for every one \
               that it takes
           real σ ≥ 0
           vector v ∈ ℝ^d
           vector s ∈ ℝ^d
           algorithm P: y ← ⟨0 : j<d⟩ in ℝ^d
             z ∼ N_{d}(0, σ²)
             o ← A(⟨v_j·s_j + (1 − v_j)·z_j : j<d⟩)
             y ← o
           end
         holds
           between neighbours of D, the end of P is (ε, δ)-DP",
    )
}

/// The proof of [`ordered`], or of a statement with larger numbers.
pub fn prove_ordered(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.extended(item("z", Sort::Vector(var("d"), Sign::Any)))?;
    let process = context.process("P").map(|p| p.body.as_slice());
    let Some([_, seen @ Command::Call { .. }, _]) = process else {
        return Err(Stuck::new("nothing is seen"));
    };
    let all = compose(context, "P", "D", &[&call(&here, seen)?])?;
    told(&all, &statement.goal)
}
