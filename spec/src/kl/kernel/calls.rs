//! `kl-thm-2-corrected`: Algorithm 2 with Algorithm 4 for its subroutine, private and useful with high probability.
//!
//! c is w_{i−1}, K is N, and P(x) the minimiser of F + L̃₁|· − x|². A call starts at c, ends at a and is as in [`super::noisy`], with
//! ρ/K for ρ and β/K for β; the phases are those of [`super::proximal`]. The invariant of the outer loop is the indicator that the excess
//! at c is above Φ_i, plus what the calls to come may fail with.

use super::decays::{Decay, TARGET};
use super::noisy::{self, OF_DATA, PROXIMAL, Run, grows, rare, space};
use super::proximal::{Call, Known, falls};
use super::{sensitivity, told};
use crate::moved::written::{Proof, goal, inside, settle, show, sides, term, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, chain, compose, discharge, ends, gaussian, instance, larger, largest,
    root_increases, union,
};
use dp_assay_kernel::search::exp::exp_of_zero;
use dp_assay_kernel::search::{assumed, item, within_budget};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, bind, mul, num, op, var};

pub mod any;

/// The algorithm, and what is supposed of the numbers.
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
  integer T ≥ 1
  integer K ≥ 1
  vector w₀ ∈ ℝ^d
  define V := 4·L₀²·T/(n²·(ρ/K))
  define r := L₀/(2·L₁)
  algorithm Alg2: c ← w₀ in ℝ^d, a ← w₀ in ℝ^d, w ← w₀ in ℝ^d
    repeat i<K
      a ← c
      w ← c
      repeat t<T
        a ← ⟨a_j + 2·(w_j − a_j)/(t + 2) : j<d⟩
        g ← ⟨(Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − c_j) : j<d⟩ + N_{d}(0, V)
        w ← ⟨w_j − (g_j/L₁)/(t + 1) : j<d⟩
        w ← ⟨c_j + r·(w_j − c_j)/max(r, ‖⟨w_k − c_k : k<d⟩‖) : j<d⟩
      end
      c ← a
    end
  end
  define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
  define H(x∈ℝ^d, v∈ℝ^d) := F(x) + L₁·(Σ_{j<d} (x_j − v_j)²)
  map P of ℝ^d into ℝ^d
  real β > 0
  assume β/K ≤ 1/2
  assume ρ/K ≤ 1/4
  real l > 0
  assume l = log(2·T/(β/K))
  real q > 0
  assume q = log(2/(β/K))
  assume n²·(ρ/K)·log(2/(β/K))² ≤ d·T
  assume d ≤ n²·(ρ/K)·q²
  assume d·T ≤ n²·(ρ/K)·q² + d
  real p > 0
  assume p = log(1/(β/K))
  real ω > 0
  assume ω = log(n²·p²/(d·(β/K)))
  assume 1 ≤ ω
  real γ > 0
  real κ > 0
  real θ > 0
  real F₀ > 0
  real F⋆
  assume 2 ≤ κ
  assume θ = 356·γ·L₀·√(K·d·ω)/(n·√(ρ))
  assume 1/4 ≤ γ²·L₁·exp((κ − 2)·log(θ))
  assume exp(κ·log(θ)) ≤ F₀";

/// How many calls there are.
const CALLS: &str =
    "(1 + 32·γ²·L₁·exp(((κ − 2)/κ)·log(F₀)))·(log(F₀) + κ·log(n·√(ρ)/(γ·L₀·√(d)))) ≤ K";

/// KL* where the excess is at most F₀, for every subgradient.
const STEEP: &str = "for every vector x ∈ ℝ^d: if F(x) − F⋆ ≤ F₀: for every vector g ∈ ℝ^d: if for \
    every vector y ∈ ℝ^d: F(x) + (Σ_{j<d} g_j·(y_j − x_j)) ≤ F(y) + (L₁/2)·(Σ_{j<d} (y_j − x_j)²): \
    for every real s > 0: if γ·‖g‖ ≤ s: F(x) − F⋆ ≤ exp(κ·log(s))";

/// `kl-thm-2-corrected`.
pub fn statement() -> Result<Statement, Stuck> {
    let [lipschitz, convex, _] = OF_DATA;
    render::parse(&format!(
        "{SETTING}
  assume {CALLS}
holds
  between neighbours of D, the transcript of Alg2 is (ρ)-zCDP; if {lipschitz}: if {convex}: if \
      {PROXIMAL}: if {STEEP}: if F(w₀) − F⋆ ≤ F₀: 1 − β ≤ 𝔼_{{c∼end(Alg2)}}[𝟙(F(c) − F⋆ ≤ \
      exp(κ·log(θ)))]"
    ))
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    whole(statement, &[&private, &|h, useful| inside(h, useful, &run)])
}

/// The release, in the inner loop.
fn release(body: &[Command]) -> Option<&Command> {
    body.iter().find_map(|command| match command {
        Command::Release { .. } => Some(command),
        Command::Repeat { body, .. } => release(body),
        _ => None,
    })
}

/// A gradient costs ρ/(2KT).
fn private(context: &Context, spent: &Goal) -> Proof {
    let algorithm = context.process("Alg2");
    let release = algorithm.and_then(|p| release(&p.body));
    let Some(release @ Command::Release { query, .. }) = release else {
        return Err(Stuck::new("no gradient"));
    };
    let here = context.with(["c", "a", "w"].map(|x| item(x, space())))?;
    let by = mul([num(2), var("L₀")]) / var("n");
    let once = gaussian(&here, release, &sensitivity(&here, query, &by)?)?;
    let all = compose(context, "Alg2", "D", &[&once])?;
    let statement = Statement {
        context: context.clone(),
        goal: spent.clone(),
    };
    within_budget(&statement, &all, vec![])
}

/// The phases.
const PHASES: Decay = Decay {
    factor: "(1 + exp(((2 − κ)/κ)·log(F₀))/(32·γ²·L₁))",
    share: "exp(((2 − κ)/κ)·log(F₀))/(32·γ²·L₁)",
};

/// The accuracy of a call.
const ACCURACY: &str = "2640·ω·L₀²·d/(L₁·n²·(ρ/K))";

/// F(x) − F⋆ ≤ Φ_i.
fn good(x: &str, i: &str) -> String {
    format!("F({x}) − F⋆ ≤ {}", PHASES.phase(i))
}

fn outer(x: &str, i: &str) -> String {
    format!("(1 − 𝟙({})) + (K − ({i}))·(β/K)", good(x, i))
}

/// What a call does not change.
fn still() -> String {
    format!("(1 − 𝟙({})) + (K − (i + 1))·(β/K)", good("c", "i"))
}

/// The equation that a number is supposed to satisfy, and its right side.
fn defined(h: &Context, name: &str) -> Result<(Theorem, String), Stuck> {
    let found = h.items().iter().find_map(|item| match item {
        Item::Assume(Goal::Eq(x, right)) if *x == var(name) => Some((x, right)),
        _ => None,
    });
    let (x, right) = found.ok_or_else(|| Stuck::new(format!("{name} may be any number")))?;
    let equation = assumed(h, &Goal::Eq(x.clone(), right.clone()))?;
    Ok((equation, render::text(right)))
}

fn last(h: &Context) -> Proof {
    assume(h, h.items().len() - 1)
}

/// 1 − β ≤ P(F(c) − F⋆ ≤ θ^κ).
fn run(here: &Context, wanted: &Goal) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, _, _, good_end)) = wanted else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = &**good_end else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let run = Run {
        most: "2640·ω·L₀²·d/(L₁·n²·ρ)".into(),
    };
    let value = num(1) - (**good_end).clone();
    let states = here.with(["c", "a", "w"].map(|x| item(x, space())))?;
    let call = states.extended(item("i", Sort::Index(var("K"))))?;
    let round = call.extended(item("t", Sort::Index(var("T"))))?;
    let first = term(&call, &outer("c", "i"))?;
    let kept = term(&round, &still())?;
    let second = noisy::term(&round, &run.invariant("t", "a", "w"))? + kept.clone();
    let (named, _) = defined(here, "θ")?;
    let wide = show(here, "γ·L₀·√(K·d·ω)/(n·√(ρ)) ≤ θ", &[("(−1)", &[&named])])?;
    let outer_end = ended(&states, "c", &value, sides, &wide)?;
    let outer_round = begun(&call, &run)?;
    let inner_end = called(&call, &run)?;
    let one = run.round(&round)?;
    let Goal::Le(Term::Bind(binder, g, law, body), before) = &one.statement().goal else {
        return Err(Stuck::new("no round"));
    };
    let behind = bind(*binder, g, (**law).clone(), (**body).clone() + kept.clone());
    let inner_round = Goal::Le(behind, before.clone() + kept);
    let inner_round = settle(&round, &inner_round, &[("1", &[&one])])?;
    let found = ends(
        here,
        "Alg2",
        ("c", &value),
        &[&first, &second],
        &[&outer_end, &outer_round, &inner_end, &inner_round],
    )?;
    let start = started(here, "w₀")?;
    settle(here, wanted, &[("1", &[&found]), ("1", &[&start])])
}

/// Φ_K ≤ θ^κ, so that what is wanted holds at x if the last phase is reached; `wide` is γL₀√(Kdω)/(n√ρ) ≤ θ.
fn ended(h: &Context, x: &str, value: &Term, sides: &[Term], wide: &Theorem) -> Proof {
    let reached = PHASES.reached(h, &told(h, CALLS)?, wide, ("ω", &told(h, "1 ≤ ω")?))?;
    let inner = h.extended(Item::Assume(goal(h, &good(x, "K"))?))?;
    let given = last(&inner)?;
    let wanted = Goal::Le(sides[0].clone(), sides[1].clone());
    let found = settle(&inner, &wanted, &[("1", &[&given]), ("1", &[&reached])])?;
    let found = union(&discharge(&found)?)?;
    let wanted = Goal::Le(value.clone(), term(h, &outer(x, "K"))?);
    settle(h, &wanted, &[("1", &[&found])])
}

/// The excess is at most Φ_0 = F₀ where the algorithm starts, so that there its indicator is 1.
fn started(h: &Context, x: &str) -> Proof {
    let (start, zero) = (told(h, &format!("F({x}) − F⋆ ≤ F₀"))?, exp_of_zero(h)?);
    let above = larger(h, &term(h, &PHASES.left("0"))?, &term(h, TARGET)?, false)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&start]), ("1", &[&above]), ("F₀", &[&zero])];
    union(&show(h, &good(x, "0"), parts)?)
}

/// A call begins with no more than its share.
fn begun(h: &Context, run: &Run) -> Proof {
    let begins = run.begins(h)?;
    let same = root_increases(&show(h, "Σ_{j<d} (c_j − c_j)² ≤ r²", &[])?)?;
    let same = union(&show(h, "‖⟨c_j − c_j : j<d⟩‖ ≤ r", &[("1", &[&same])])?)?;
    let rare = rare(h, "l", "2·T/β")?;
    let before = noisy::term(h, &run.invariant("0", "c", "c"))? + term(h, &still())?;
    let wanted = Goal::Le(before, term(h, &outer("c", "i"))?);
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&begins]), ("1", &[&same]), ("T", &[&rare])];
    settle(h, &wanted, parts)
}

/// Where a call ends, the excess is above Φ_{i+1} only if it was above Φ_i before or the call is not accurate.
fn called(h: &Context, run: &Run) -> Proof {
    let accurate = noisy::goal(h, &format!("H(a, w₀) − H(w⋆, w₀) ≤ {}", run.most))?;
    let before = goal(h, &good("c", "i"))?;
    let here = &h.extended(Item::Assume(before))?;
    let before = last(here)?;
    let here = &here.extended(Item::Assume(accurate.clone()))?;
    let (named, right) = defined(here, "θ")?;
    let unit = format!("(−1)·(θ + {right})/(48·γ²·L₁)");
    let small = format!("{ACCURACY} ≤ θ²/(48·γ²·L₁)");
    let small = show(here, &small, &[(&unit, &[&named])])?;
    let strong = discharge(&grows(&here.extended(item("u", space()))?, "u")?)?;
    let facts = [&strong, &before, &last(here)?, &small];
    let found = next(here, ["c", "P(c)", "a"], ACCURACY, facts)?;
    let found = union(&discharge(&discharge(&found)?)?)?;
    let sides = sides(&accurate)?.map(Term::clone);
    let missed = num(1) - op(Op::AtMost, sides.clone());
    let ended = run.ended(h, &missed, &sides)?;
    let invariant = noisy::term(h, &run.invariant("T", "a", "w"))? + term(h, &still())?;
    let wanted = Goal::Le(term(h, &outer("a", "i + 1"))?, invariant);
    settle(h, &wanted, &[("1", &[&found]), ("1", &[&ended])])
}

/// F(w) − F⋆ ≤ Φ_{i+1}, w being what a call makes of v, and p the minimiser there: as H grows like a square from there, F(v) − F⋆ ≤ Φ_i,
/// H(w) ≤ H(p) + τ and τ ≤ θ²/(48γ²L₁).
fn next(h: &Context, [v, p, w]: [&str; 3], tau: &str, facts: [&Theorem; 4]) -> Proof {
    let [strong, before, accurate, small] = facts;
    let [u, next] = ["i", "i + 1"].map(|i| PHASES.phase(i));
    let (growth, more) = (PHASES.factor, PHASES.share);
    let call = Call {
        value: &|x| format!("F({x})"),
        v,
        p,
        w,
        u: &u,
        next: &next,
        tau,
    };
    let floor = told(h, &format!("{TARGET} ≤ F₀"))?;
    let low = largest(&PHASES.shrunk(h, "i")?, &floor)?;
    // KL* at p, where the excess is at most that at v.
    let steep = instance(h, &told(h, STEEP)?, &term(h, p)?)?;
    let Goal::If(given, _) = &steep.statement().goal else {
        return Err(Stuck::new("nothing is supposed"));
    };
    let least = instance(h, &told(h, PROXIMAL)?, &term(h, v)?)?;
    let least = instance(h, &least, &term(h, v)?)?;
    let square = format!("L₁·(Σ_{{j<d}} ({p}[j] − {v}[j])²)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&least]),
        ("1", &[before]),
        ("1", &[&low]),
        (&square, &[]),
    ];
    let steep = chain(h, &steep, &settle(h, given, parts)?)?;
    let [left, right] = [&PHASES.left("i + 1"), TARGET].map(|text| term(h, text));
    let (left, right) = (left?, right?);
    let [one, other] = [false, true].map(|second| larger(h, &left, &right, second));
    let (one, other) = (one?, other?);
    let (grown, share) = (format!("{growth}·{next}"), format!("({more})·{next}"));
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&PHASES.step(h, "i")?]), (growth, &[&one])];
    let first = show(h, &format!("{} ≤ {grown}", PHASES.left("i")), parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&other]), (&share, &[])];
    let second = show(h, &format!("{TARGET} ≤ {grown}"), parts)?;
    let factor = largest(&first, &second)?;
    let most = largest(&PHASES.shrunk(h, "i + 1")?, &floor)?;
    let (large, slope) = (
        told(h, "2 ≤ κ")?,
        told(h, "1/4 ≤ γ²·L₁·exp((κ − 2)·log(θ))")?,
    );
    let known = Known {
        strong,
        accurate,
        steep: &steep,
        before,
        numbers: [&factor, &most, &other],
        given: [&large, &slope, small],
    };
    falls(h, &call, &known)
}
