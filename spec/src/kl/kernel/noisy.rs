//! `kl-thm-9-corrected`: one run of Algorithm 4, private and useful with high probability.
//!
//! H is F̃, L₁ is L̃₁, V is σ², r the radius of the ball, and t counts from 0; a is the average of the first t points with the
//! weights 1, …, t. With D the squared distance of w to w⋆, S = √T and Γ = (2L₀ + c)², where c is what noise exceeds rarely,
//!
//! Ψ_t = (t(t + 1)/2)·(H(a) − H(w⋆)) + 2L₁·S·t√t·D + (4S·Γ/L₁)·(S − √t)
//!
//! is in a round at most what it was, less 4S·√(t + 1)·⟨g, w − w⋆⟩ + (L₁/2)·(t + 1)·D for noise g of norm at most c. The first part
//! pays the weights of the print, the power t√t lies between those that the step sizes contract (t²) and those whose noise sums up (t).
//! So exp(λ·Ψ) is a supermartingale for λ = L₁/(16V·T), and what is more than 1 of it may be forgotten. The last round takes a gradient
//! that the print does not take: it is paid for, and no point of the average depends on it.

mod chance;
mod descent;
mod round;
mod words;

pub(super) use descent::grows;
pub(super) use round::rare;
pub(super) use words::{OF_DATA, PROXIMAL, Run, goal, space, term};

use super::sensitivity;
use crate::moved::written::{Proof, all_goals, inside, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, combine, compose, ends, gaussian, root_increases, union};
use dp_assay_kernel::search::exp::{log_increases, log_product, log_tangent};
use dp_assay_kernel::search::{item, with, within_budget};
use dp_assay_kernel::statement::{Command, Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, mul, num, var};
use words::{away, show, told};

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
  vector w₀ ∈ ℝ^d
  define V := 4·L₀²·T/(n²·ρ)
  define r := L₀/(2·L₁)
  algorithm Alg4: a ← w₀ in ℝ^d, w ← w₀ in ℝ^d
    repeat t<T
      a ← ⟨a_j + 2·(w_j − a_j)/(t + 2) : j<d⟩
      g ← ⟨(Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − w₀_j) : j<d⟩ + N_{d}(0, V)
      w ← ⟨w_j − (g_j/L₁)/(t + 1) : j<d⟩
      w ← ⟨w₀_j + r·(w_j − w₀_j)/max(r, ‖⟨w_k − w₀_k : k<d⟩‖) : j<d⟩
    end
  end
  define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
  define H(x∈ℝ^d, v∈ℝ^d) := F(x) + L₁·(Σ_{j<d} (x_j − v_j)²)
  real β > 0
  assume β ≤ 1
  real l > 0
  assume l = log(2·T/β)
  assume n²·ρ·log(2/β)² ≤ d·T";

/// T is at least as many rounds as in the print.
const LONG: &str = "n²·ρ·log(2/β)² ≤ d·T";

/// What is supposed of the numbers for the logarithm of the print, T being rounded up; q is log(2/β).
const PRINTED: &str = "
  real q > 0
  assume q = log(2/β)
  assume ρ ≤ 1/4
  assume d ≤ n²·ρ·q²
  assume d·T ≤ n²·ρ·q² + d";

/// A statement with more suppositions, the ρ of the transcript if it is claimed to be ρ-zCDP, and the bound without L₀²d/(L₁n²ρ).
fn stated(more: &str, spent: Option<&str>, bound: &str) -> Result<Statement, Stuck> {
    let [lipschitz, convex, least] = OF_DATA;
    let private = spent
        .map(|rho| format!("between neighbours of D, the transcript of Alg4 is ({rho})-zCDP; "));
    let private = private.unwrap_or_default();
    render::parse(&format!(
        "{SETTING}{more}
holds
  {private}for every vector w⋆ ∈ ℝ^d: if {lipschitz}: if {convex}: if {least}: 1 − β ≤ \
      𝔼_{{a∼end(Alg4)}}[𝟙(H(a, w₀) − H(w⋆, w₀) ≤ {bound}·L₀²·d/(L₁·n²·ρ))]"
    ))
}

/// `kl-thm-9-corrected`.
pub fn corrected() -> Result<Statement, Stuck> {
    stated("", Some("ρ/2"), "1101·l")
}

/// `kl-thm-9-repaired`: the second part alone.
pub fn repaired() -> Result<Statement, Stuck> {
    stated("", None, "1101·l")
}

/// `kl-thm-9-restricted`: m is the logarithm of the print.
pub fn restricted() -> Result<Statement, Stuck> {
    let more = "
  real m > 0
  assume m = log(n²·q²/(d·β))";
    stated(&format!("{PRINTED}{more}"), None, "1101·m")
}

/// `kl-lem-3-restricted`: β is β′.
pub fn subroutine() -> Result<Statement, Stuck> {
    let more = "
  assume β ≤ 1/2
  real p > 0
  assume p = log(1/β)
  real ω > 0
  assume ω = log(n²·p²/(d·β))
  assume 1 ≤ ω";
    stated(&format!("{PRINTED}{more}"), Some("ρ"), "2640·ω")
}

/// The proof of these, or of statements with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let context = &statement.context;
    match all_goals(statement) {
        [useful] => inside(context, useful, &run),
        _ => whole(statement, &[&private, &|h, useful| inside(h, useful, &run)]),
    }
}

/// l ≤ m for the logarithm m of the print.
fn printed(h: &Context, m: &str) -> Proof {
    let sides = ["d·T ≤ n²·ρ·q² + d", "d ≤ n²·ρ·q²", "ρ ≤ 1/4"].map(|text| told(h, text));
    let [rounded, long, small] = sides;
    let parts: &[(&str, &[&Theorem])] = &[
        ("2/(d·β)", &[&rounded?]),
        ("2/(d·β)", &[&long?]),
        ("4·n²·q²/(d·β)", &[&small?]),
    ];
    let logs = log_increases(&show(h, "2·T/β ≤ n²·q²/(d·β)", parts)?)?;
    let named = told(h, "l = log(2·T/β)")?;
    let own = format!("{m} = log(n²·q²/(d·β))");
    let own = told(h, &own).or_else(|_| show(h, &own, &[]))?;
    let parts: &[(&str, &[&Theorem])] = &[("1", &[&logs]), ("1", &[&named]), ("(−1)", &[&own])];
    show(h, &format!("l ≤ {m}"), parts)
}

/// l ≤ 3ω: log(2/β) ≤ 2·log(1/β) adds log 4 at most to the logarithm.
fn of_subroutine(h: &Context) -> Proof {
    let of_q = "log(n²·q²/(d·β))";
    let first = printed(h, of_q)?;
    let half = told(h, "β ≤ 1/2")?;
    let logs = log_increases(&show(h, "2 ≤ 1/β", &[("2/β", &[&half])])?)?;
    let [_, split] = log_product(h, &num(2), &term(h, "1/β")?)?;
    let (q, p, w) = (
        told(h, "q = log(2/β)")?,
        told(h, "p = log(1/β)")?,
        told(h, "ω = log(n²·p²/(d·β))")?,
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&split]),
        ("1", &[&logs]),
        ("1", &[&q]),
        ("(−2)", &[&p]),
    ];
    let twice = show(h, "q ≤ 2·p", parts)?;
    let parts: &[(&str, &[&Theorem])] = &[("(n²/(d·β))·(2·p + q)", &[&twice])];
    let more = log_increases(&show(h, "n²·q²/(d·β) ≤ 4·(n²·p²/(d·β))", parts)?)?;
    let [_, split] = log_product(h, &num(4), &term(h, "n²·p²/(d·β)")?)?;
    let [_, four] = log_product(h, &num(2), &num(2))?;
    let (two, one) = (log_tangent(h, &num(2))?, told(h, "1 ≤ ω")?);
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&first]),
        ("1", &[&more]),
        ("1", &[&split]),
        ("1", &[&four]),
        ("2", &[&two]),
        ("2", &[&one]),
        ("(−1)", &[&w]),
    ];
    show(h, "l ≤ 3·ω", parts)
}

/// A gradient costs ρ/(2T).
fn private(context: &Context, spent: &Goal) -> Proof {
    let algorithm = context.process("Alg4");
    let body = algorithm.and_then(|p| match p.body.as_slice() {
        [Command::Repeat { body, .. }] => body.get(1),
        _ => None,
    });
    let release = body.ok_or_else(|| Stuck::new("no gradient"))?;
    let Command::Release { query, .. } = release else {
        return Err(Stuck::new("no gradient"));
    };
    let here = context.with([item("a", space()), item("w", space())])?;
    let by = mul([num(2), var("L₀")]) / var("n");
    let once = gaussian(&here, release, &sensitivity(&here, query, &by)?)?;
    let all = compose(context, "Alg4", "D", &[&once])?;
    let statement = Statement {
        context: context.clone(),
        goal: spent.clone(),
    };
    within_budget(&statement, &all, vec![])
}

/// 1 − β ≤ P(H(a) − H(w⋆) ≤ M).
fn run(here: &Context, wanted: &Goal) -> Proof {
    let Goal::Le(_, Term::Bind(Binder::Expect, _, _, good)) = wanted else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = &**good else {
        return Err(Stuck::new("no probability of an inequality"));
    };
    let run = Run {
        most: render::text(&sides[1]),
    };
    let value = num(1) - (**good).clone();
    let states = here.with([item("a", space()), item("w", space())])?;
    let inside = states.extended(item("t", Sort::Index(var("T"))))?;
    let invariant = term(&inside, &run.invariant("t", "a", "w"))?;
    let begins = run.begins(here)?;
    let end = run.ended(&states, &value, sides)?;
    let round = run.round(&inside)?;
    let found = ends(here, "Alg4", ("a", &value), &[&invariant], &[&end, &round])?;
    let sure = format!("{} ≤ r", away("w₀"));
    let still = root_increases(&show(here, "Σ_{j<d} (w₀_j − w₀_j)² ≤ r²", &[])?)?;
    let still = union(&show(here, &sure, &[("1", &[&still])])?)?;
    let rare = rare(here, "l", "2·T/β")?;
    let parts = [&found, &begins, &still].map(|fact| with(num(1), fact));
    let parts = parts.into_iter().chain([with(var("T"), &rare)]);
    combine(here, wanted.clone(), &parts.collect::<Vec<_>>())
}
