//! `kl-thm-9-corrected`: one run of Algorithm 4, private and useful with high probability.
//!
//! H is F̃, L₁ is L̃₁, V is σ², r the radius of the ball, and t counts from 0; a is the average of the first t points with the
//! weights 1, …, t. With D the squared distance of w to w⋆, S = √T and Γ = (2L₀ + c)², where c is what noise exceeds rarely,
//!
//! Ψ_t = (t(t + 1)/2)·(H(a) − H(w⋆)) + 2L₁·S·t√t·D + (4S·Γ/L₁)·(S − √t)
//!
//! is in a round at most what it was, less 4S·√(t + 1)·⟨g, w − w⋆⟩ + (L₁/2)·(t + 1)·D for noise g of norm at most c. The first part
//! pays the weights of the print, the power t√t lies between those that the step sizes contract (t²) and those whose noise sums up (t).
//! So exp(λ·Ψ) is a supermartingale for λ = L₁/(16V·T), and what is more than 1 of it may be forgotten.

use super::gradients::cauchy;
use super::regularised::{prove_near, shorter};
use super::sensitivity;
use crate::moved::written::{self, Written, inside};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Theorem, assume, at_most_one, below, both, chain, compose, counted, discharge, ends, exp_log,
    exp_sum, expected, exponential_moment, gaussian, instance, inverse, larger, largest, limit,
    root_increases, tail, triangle, union,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{
    exp_increases, exp_of_opposite, exp_of_zero, log_above, log_increases, log_product, log_tangent,
};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{
    assumed, combine_with_slack, item, positive, real, with, within_budget,
};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, sum, var};
use rug::Rational;

type Proof = Result<Theorem, Stuck>;

/// The algorithm, and what is supposed of the numbers.
const SETTING: &str = "for all
  integer n ≥ 1
  integer d ≥ 1
  real L₀ > 0
  loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for every record; where it has no gradient, its derivatives are those of a chosen vector of norm at most L₀
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

/// What is supposed of the data: F is L₀-Lipschitz, weakly convex with the mean of the chosen vectors for a subgradient, and H is least
/// at w⋆.
pub(super) const OF_DATA: [&str; 3] = [
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x) ≤ F(y) + L₀·‖⟨x_j − y_j : j<d⟩‖",
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: F(x) + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·(y_j − x_j)) ≤ F(y) + (L₁/2)·(Σ_{j<d} (y_j − x_j)²)",
    "for every vector y ∈ ℝ^d: H(w⋆, w₀) ≤ H(y, w₀)",
];

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
  {private}for every vector w⋆ ∈ ℝ^d: if {lipschitz}: if {convex}: if {least}: \
         1 − β ≤ 𝔼_{{a∼end(Alg4)}}[𝟙(H(a, w₀) − H(w⋆, w₀) ≤ {bound}·L₀²·d/(L₁·n²·ρ))]"
    ))
}

/// `kl-thm-9-corrected`.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn corrected() -> Result<Statement, Stuck> {
    stated("", Some("ρ/2"), "1101·l")
}

/// `kl-thm-9-repaired`: the second part alone.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn repaired() -> Result<Statement, Stuck> {
    stated("", None, "1101·l")
}

/// `kl-thm-9-restricted`: m is the logarithm of the print.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn restricted() -> Result<Statement, Stuck> {
    let more = "
  real m > 0
  assume m = log(n²·q²/(d·β))";
    stated(&format!("{PRINTED}{more}"), None, "1101·m")
}

/// `kl-lem-3-restricted`: β is β′.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
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
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let Goal::Both(goals) = &statement.goal else {
        return inside(context, &statement.goal, &run);
    };
    let [spent, useful] = goals.as_slice() else {
        return Err(Stuck::new("not two goals"));
    };
    let private = private(context, spent)?;
    both(context, &[&private, &inside(context, useful, &run)?])
}

/// The names of what is written here: in Algorithm 2 the ball is about the state c, its minimiser is P(c), and ρ and β are those of a call.
fn here(h: &Context, text: &str) -> String {
    if h.get("P").is_none() {
        return text.to_owned();
    }
    let names = [
        ("w₀", "c"),
        ("w⋆_j", "P(c)[j]"),
        ("w⋆", "P(c)"),
        ("ρ", "(ρ/K)"),
        ("β", "(β/K)"),
    ];
    names.iter().fold(text.to_owned(), |text, (one, other)| {
        text.replace(one, other)
    })
}

pub(super) fn goal(h: &Context, text: &str) -> Result<Goal, Stuck> {
    written::goal(h, &here(h, text))
}

pub(super) fn term(h: &Context, text: &str) -> Result<Term, Stuck> {
    written::term(h, &here(h, text))
}

pub(super) fn settle(h: &Context, goal: &Goal, parts: &[Written<'_>]) -> Proof {
    let named: Vec<_> = { parts.iter() }
        .map(|(multiplier, facts)| (here(h, multiplier), *facts))
        .collect();
    let named: Vec<Written<'_>> = { named.iter() }
        .map(|(multiplier, facts)| (multiplier.as_str(), *facts))
        .collect();
    written::settle(h, goal, &named)
}

pub(super) fn show(h: &Context, text: &str, parts: &[Written<'_>]) -> Proof {
    settle(h, &goal(h, text)?, parts)
}

/// A hypothesis by its text.
pub(super) fn told(h: &Context, text: &str) -> Proof {
    assumed(h, &goal(h, text)?)
}

/// H(w⋆) ≤ H(y) for every y.
fn least(h: &Context) -> Proof {
    match h.get("P") {
        None => told(h, OF_DATA[2]),
        Some(_) => instance(h, &told(h, PROXIMAL)?, &var("c")),
    }
}

/// P(x) is the minimiser for the centre x.
pub(super) const PROXIMAL: &str =
    "for every vector x ∈ ℝ^d: for every vector y ∈ ℝ^d: H(P(x), x) ≤ H(y, x)";

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
    let mut parts: Vec<(&str, &[&Theorem])> = vec![];
    let (logs, named) = ([&logs], [&named]);
    parts.extend([("1", logs.as_slice()), ("1", named.as_slice())]);
    let own = (m == "m")
        .then(|| told(h, "m = log(n²·q²/(d·β))"))
        .transpose()?;
    let own: Vec<&Theorem> = own.iter().collect();
    parts.extend((!own.is_empty()).then_some(("(−1)", own.as_slice())));
    show(h, &format!("l ≤ {m}"), &parts)
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

/// w after a step along q + g, and what it is projected to.
const STEP: &str = "⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − w₀_j) + g_j)/L₁/(t + 1) : j<d⟩";

const AVERAGE: &str = "⟨a_j + 2·(w_j − a_j)/(t + 2) : j<d⟩";

/// c.
const LOUD: &str = "√(V)·(√(d) + √(2·l))";

/// What may fail in the rounds behind this one.
const LATER: &str = "(T − (t + 1))·exp(0 − l)";

/// λ.
const RATE: &str = "L₁/(16·V·T)";

fn projected(p: &str) -> String {
    format!("⟨w₀_j + r·({p}[j] − w₀_j)/max(r, ‖⟨{p}[k] − w₀_k : k<d⟩‖) : j<d⟩")
}

/// ‖x − w₀‖.
fn away(x: &str) -> String {
    format!("‖⟨{x}[j] − w₀_j : j<d⟩‖")
}

/// ‖x − w⋆‖².
fn apart(x: &str) -> String {
    format!("(Σ_{{j<d}} ({x}[j] − w⋆_j)²)")
}

/// Ψ before round t.
fn potential(t: &str, a: &str, w: &str) -> String {
    let apart = apart(w);
    format!(
        "((({t})·(({t}) + 1)/2)·(H({a}, w₀) − H(w⋆, w₀)) + 2·L₁·√(T)·({t})·√({t})·{apart} + (4·√(T)·(2·L₀ + {LOUD})²/L₁)·(√(T) − √({t})))"
    )
}

/// How much further u is from w⋆ than the step, and out of the ball.
fn gaps(u: &str) -> [String; 2] {
    let [new, old] = [apart(u), apart(STEP)];
    [format!("{new} − {old}"), format!("{} − r", away(u))]
}

pub(super) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// A run whose average is to have H(a) − H(w⋆) ≤ `most`.
pub(super) struct Run {
    pub most: String,
}

impl Run {
    /// λ·(Ψ − T²·M/2).
    fn exponent(&self, t: &str, a: &str, w: &str) -> String {
        let (psi, most) = (potential(t, a, w), &self.most);
        format!("(({RATE})·({psi} − T²·({most})/2))")
    }

    /// min(1, exp of the exponent).
    fn chance(&self, t: &str, a: &str, w: &str) -> String {
        let e = self.exponent(t, a, w);
        format!("(1/max(1, exp(0 − {e})))")
    }

    /// What may yet fail before round t, from anywhere.
    pub fn invariant(&self, t: &str, a: &str, w: &str) -> String {
        let (chance, away) = (self.chance(t, a, w), away(w));
        format!("{chance} + (T − ({t}))·exp(0 − l) + (1 − 𝟙({away} ≤ r))")
    }
}

/// min(1, e^x).
const CHANCE: &str = "(1/max(1, exp(0 − x)))";

/// What holds for every real x is proved of a variable, as the terms that will stand for it are long.
fn for_every(h: &Context, prove: impl Fn(&Context) -> Proof) -> Proof {
    discharge(&prove(&h.extended(real("x", Sign::Any))?)?)
}

/// min(1, e^x) ≤ 1.
fn at_most(h: &Context) -> Proof {
    for_every(h, |h| {
        let above = larger(h, &num(1), &term(h, "exp(0 − x)")?, false)?;
        show(h, &format!("{CHANCE} ≤ 1"), &[(CHANCE, &[&above])])
    })
}

/// min(1, e^x) ≤ e^x.
fn small(h: &Context) -> Proof {
    let above = larger(h, &num(1), &term(h, "exp(0 − x)")?, true)?;
    let unit = exp_of_opposite(h, &var("x"))?;
    let all = format!("exp(x)·{CHANCE}");
    let parts: &[(&str, &[&Theorem])] = &[(&all, &[&above]), (CHANCE, &[&unit])];
    show(h, &format!("{CHANCE} ≤ exp(x)"), parts)
}

/// 1 ≤ min(1, e^x) if 0 ≤ x.
fn certain(h: &Context) -> Proof {
    for_every(h, |h| {
        let goal = goal(h, &format!("if 0 ≤ x: 1 ≤ {CHANCE}"))?;
        inside(h, &goal, &|h, goal| {
            let large = last(h)?;
            let low = show(h, "0 − x ≤ 0", &[("1", &[&large])])?;
            let (low, one) = (exp_increases(&low)?, exp_of_zero(h)?);
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&low]), ("(−1)", &[&one])];
            let low = show(h, "exp(0 − x) ≤ 1", parts)?;
            let top = largest(&show(h, "1 ≤ 1", &[])?, &low)?;
            settle(h, goal, &[(CHANCE, &[&top])])
        })
    })
}

/// e^x ≤ min(1, e^x) if x ≤ 0.
fn fits(h: &Context) -> Proof {
    for_every(h, |h| {
        let goal = goal(h, &format!("if x ≤ 0: exp(x) ≤ {CHANCE}"))?;
        inside(h, &goal, &|h, goal| {
            let low = last(h)?;
            let high = exp_increases(&show(h, "0 ≤ 0 − x", &[("1", &[&low])])?)?;
            let (one, unit) = (exp_of_zero(h)?, exp_of_opposite(h, &var("x"))?);
            let parts: &[(&str, &[&Theorem])] = &[("1", &[&high]), ("1", &[&one])];
            let high = show(h, "1 ≤ exp(0 − x)", parts)?;
            let top = largest(&high, &show(h, "exp(0 − x) ≤ exp(0 − x)", &[])?)?;
            let (all, less) = (format!("exp(x)·{CHANCE}"), format!("(−1)·{CHANCE}"));
            settle(h, goal, &[(&all, &[&top]), (&less, &[&unit])])
        })
    })
}

/// e^{−y}·min(1, e^x) ≤ e^z if x ≤ y + z, for all y and z.
fn tilted(h: &Context) -> Proof {
    for_every(h, |h| {
        let all = "for every real y: for every real z: if x ≤ y + z";
        let goal = goal(h, &format!("{all}: exp(0 − y)·{CHANCE} ≤ exp(z)"))?;
        inside(h, &goal, &|h, goal| {
            let (small, grows) = (small(h)?, exp_increases(&last(h)?)?);
            let split = exp_sum(h, &var("y"), &var("z"))?;
            let unit = exp_of_opposite(h, &var("y"))?;
            let parts: &[(&str, &[&Theorem])] = &[
                ("exp(0 − y)", &[&small]),
                ("exp(0 − y)", &[&grows]),
                ("exp(0 − y)", &[&split]),
                ("(−1)·exp(z)", &[&unit]),
            ];
            settle(h, goal, parts)
        })
    })
}

/// The last item of a context, a hypothesis.
fn last(h: &Context) -> Proof {
    assume(h, h.items().len() - 1)
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
    let parts: &[(&str, &[&Theorem])] = &[];
    let still = root_increases(&show(here, "Σ_{j<d} (w₀_j − w₀_j)² ≤ r²", parts)?)?;
    let still = union(&show(here, &sure, &[("1", &[&still])])?)?;
    let rare = rare(here, "l", "2·T/β")?;
    let parts = [&found, &begins, &still].map(|fact| with(num(1), fact));
    let parts = parts.into_iter().chain([with(var("T"), &rare)]);
    combine_with_slack(here, wanted.clone(), parts.collect())
}

/// exp(−l) ≤ 1/x, where l is the logarithm of x by hypothesis, or it is written as that.
pub(super) fn rare(h: &Context, l: &str, x: &str) -> Proof {
    let told = told(h, "l = log(2·T/β)")?;
    let parts: &[(&str, &[&Theorem])] = &[("(−1)", &[&told])];
    let parts = if l == "l" { parts } else { &[] };
    let most = exp_increases(&show(h, &format!("log({x}) ≤ {l}"), parts)?)?;
    let (named, unit) = (exp_log(h, &term(h, x)?)?, exp_of_opposite(h, &term(h, l)?)?);
    let inverse = format!("1/({x})");
    let decay = format!("exp(0 − {l})/({x})");
    let parts: &[(&str, &[&Theorem])] = &[
        (&decay, &[&most]),
        (&format!("(−1)·{decay}"), &[&named]),
        (&format!("(−1)·{inverse}"), &[&unit]),
    ];
    show(h, &format!("exp(0 − {l}) ≤ {inverse}"), parts)
}

impl Run {
    /// min(1, e^E) ≤ β/2 before the first round.
    pub fn begins(&self, h: &Context) -> Proof {
        let e = self.exponent("0", "w₀", "w₀");
        let small = for_every(h, small)?;
        let small = instance(h, &small, &term(h, &e)?)?;
        let (enough, one) = (told(h, LONG)?, counted(h, &var("d"))?);
        let two = log_above(h, &2.into(), &Rational::from((2, 3)), 4)?;
        let first = told(h, "β ≤ 1").or_else(|_| {
            let half = told(h, "β ≤ 1/2")?;
            show(h, "β ≤ 1", &[("1", &[&half])])
        })?;
        let logs = log_increases(&show(h, "2 ≤ 2/β", &[("2/β", &[&first])])?)?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&two]), ("1", &[&logs])];
        let least = show(h, "2/3 ≤ log(2/β)", parts)?;
        let rounds = counted(h, &var("T"))?;
        let more = log_increases(&show(h, "2/β ≤ 2·T/β", &[("2/β", &[&rounds])])?)?;
        let named = told(h, "l = log(2·T/β)")?;
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&more]), ("(−1)", &[&named])];
        let more = show(h, "log(2/β) ≤ l", parts)?;
        // 2L₀²/V = n²ρ/(2T) ≤ (9/8)·d, as log(2/β) ≥ 2/3.
        let unit = "(9/8)·n²·ρ/T";
        let parts: &[(&str, &[&Theorem])] = &[
            ("(9/8)/T", &[&enough]),
            (unit, &[&least, &least]),
            ("(3/2)·n²·ρ/T", &[&least]),
        ];
        let long = show(h, "n²·ρ/(2·T) ≤ (9/8)·d", parts)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("(2·L₀ − {LOUD})²/(4·V)"), &[]),
            ("(√(d) − √(2·l))²/2", &[]),
            ("1", &[&long]),
            ("1 + (51/16)·d", &[&more]),
            ("(51/16)·d", &[&least]),
            ("3·l", &[&one]),
        ];
        let logarithm = match (h.get("ω"), h.get("m")) {
            (Some(_), _) => Some(of_subroutine(h)?),
            (_, Some(_)) => Some(printed(h, "m")?),
            _ => None,
        };
        let all = logarithm.iter().map(|fact| ("(99/16)·d", [fact]));
        let all: Vec<_> = all.collect();
        let all = all.iter().map(|(factor, fact)| (*factor, fact.as_slice()));
        let parts = [parts, all.collect::<Vec<_>>().as_slice()].concat();
        let low = show(h, &format!("{e} ≤ 0 − log(2/β)"), &parts)?;
        let (low, rare) = (exp_increases(&low)?, rare(h, "log(2/β)", "2/β")?);
        let chance = self.chance("0", "w₀", "w₀");
        let parts: &[(&str, &[&Theorem])] = &[("1", &[&small]), ("1", &[&low]), ("1", &[&rare])];
        show(h, &format!("{chance} ≤ β/2"), parts)
    }

    /// What is wanted fails with no more than the invariant at the end.
    pub fn ended(&self, h: &Context, value: &Term, sides: &[Term]) -> Proof {
        let invariant = term(h, &self.invariant("T", "a", "w"))?;
        let wanted = Goal::Le(value.clone(), invariant);
        let inside = term(h, &format!("𝟙({} ≤ r)", away("w")))?;
        let inside = at_most_one(h, &inside)?;
        split(
            h,
            [&sides[0], &sides[1]],
            |h, fact| {
                let sure = union(fact)?;
                settle(h, &wanted, &[("1", &[&sure]), ("1", &[&inside])])
            },
            |h, none| {
                let (large, e) = (beyond(h, none)?, self.exponent("T", "a", "w"));
                let unit = format!("({RATE})·(T·(T + 1)/2)");
                let far = format!("({RATE})·2·L₁·T²·{}", apart("w"));
                let parts: &[(&str, &[&Theorem])] = &[(&unit, &[&large]), (&far, &[])];
                let large = show(h, &format!("0 ≤ {e}"), parts)?;
                let one = chain(h, &instance(h, &certain(h)?, &term(h, &e)?)?, &large)?;
                settle(h, &wanted, &[("1", &[&one]), ("1", &[&inside])])
            },
        )
    }
}

/// The mean of the gradients at x.
fn slope(x: &str) -> String {
    format!("⟨(Σ_{{z∈D}} ∂_j f({x}; z))/n : j<d⟩")
}

/// F at y above its tangent at x, but for (L₁/2)·‖y − x‖².
fn convex(h: &Context, x: &str, y: &str) -> Proof {
    let every = told(h, OF_DATA[1])?;
    instance(h, &instance(h, &every, &term(h, x)?)?, &term(h, y)?)
}

/// ‖∇F(w)‖ ≤ L₀: on the way along the gradient F grows at least by s·‖∇F(w)‖² − s²·‖∇F(w)‖²·L₁/2, and at most by L₀·s·‖∇F(w)‖.
fn bounded(h: &Context) -> Proof {
    let s = &h.extended(positive("s"))?;
    let slope = slope("w");
    let size = format!("‖{slope}‖");
    let way = format!("⟨w_j + s·{slope}[j] : j<d⟩");
    let lipschitz = instance(s, &told(s, OF_DATA[0])?, &term(s, &way)?)?;
    let lipschitz = instance(s, &lipschitz, &var("w"))?;
    let rises = convex(s, "w", &way)?;
    let step = format!("‖⟨{way}[j] − w_j : j<d⟩‖");
    let step = root_increases(&show(s, &format!("{step}² ≤ (s·{size})²"), &[])?)?;
    let most = format!("{size}² ≤ L₀·{size} + ((L₁/2)·{size}²)·s");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1/s", &[&rises]),
        ("1/s", &[&lipschitz]),
        ("L₀/s", &[&step]),
    ];
    let found = limit(&show(s, &most, parts)?)?;
    shorter(h, &size, "L₀", &found)
}

/// (L₁/2)·‖x − w⋆‖² ≤ H(x) − H(w⋆): between the two H is at least H(w⋆), and below its chord.
pub(super) fn grows(h: &Context, x: &str) -> Proof {
    let s = &h.extended(positive("s"))?;
    let (far, way) = (apart(x), format!("⟨w⋆_j + s·({x}[j] − w⋆_j) : j<d⟩"));
    let [first, second] = [convex(s, &way, x)?, convex(s, &way, "w⋆")?];
    let every = least(s)?;
    let least = instance(s, &every, &term(s, &way)?)?;
    let nothing = instance(s, &every, &term(s, x)?)?;
    let most = format!("(L₁/2)·{far} ≤ H({x}, w₀) − H(w⋆, w₀) + ((L₁/2)·{far})·s");
    let most = either(s, [&var("s"), &num(1)], |h, order, few| {
        let parts: &[(&str, &[&Theorem])] = match few {
            true => &[
                ("1", &[&first]),
                ("1/s", &[order, &second]),
                ("1/s", &[&least]),
            ],
            false => &[(&format!("(L₁/2)·{far}"), &[order]), ("1", &[&nothing])],
        };
        show(h, &most, parts)
    })?;
    limit(&most)
}

/// The average of t + 1 points is at most the average of H over them, the last one with the weight t + 1.
fn averages(h: &Context) -> Proof {
    let [old, new] = [convex(h, AVERAGE, "a")?, convex(h, AVERAGE, "w")?];
    let unit = inverse(h, &term(h, "t + 2")?)?;
    let slope = slope(AVERAGE);
    let turned = format!(
        "2·L₁·(t + 1)·(Σ_{{j<d}} (a_j − w₀_j)·(w_j − a_j)) + (3/(t + 2) + 1/2)·L₁·(t + 1)·(Σ_{{j<d}} (w_j − a_j)²) + (t + 1)·(Σ_{{j<d}} {slope}[j]·(w_j − a_j))"
    );
    let parts: &[(&str, &[&Theorem])] = &[
        ("t·(t + 1)/2", &[&old]),
        ("t + 1", &[&new]),
        (&turned, &[&unit]),
        ("(L₁/2)·(t·(t + 1)/(t + 2))·(Σ_{j<d} (w_j − a_j)²)", &[]),
    ];
    let goal = format!(
        "((t + 1)·(t + 2)/2)·(H({AVERAGE}, w₀) − H(w⋆, w₀)) ≤ (t·(t + 1)/2)·(H(a, w₀) − H(w⋆, w₀)) + (t + 1)·(H(w, w₀) − H(w⋆, w₀))"
    );
    show(h, &goal, parts)
}

/// What is projected is in the ball, and no further from w⋆, which is in it (`near`), than before: for every v.
fn projection(h: &Context, near: &Theorem) -> Result<[Theorem; 2], Stuck> {
    let h = &h.extended(item("v", Sort::Vector(var("d"), Sign::Any)))?;
    let (size, new) = (away("v"), projected("v"));
    let level = format!("max(r, {size})");
    let (radius, length) = (term(h, "r")?, term(h, &size)?);
    let [low, high] = [false, true].map(|second| larger(h, &radius, &length, second));
    let (low, high) = (low?, high?);
    let square = format!("Σ_{{j<d}} ({new}[j] − w₀_j)² ≤ r²");
    let unit = format!("(r²/{level}²)·({level} + {size})");
    let inside = root_increases(&show(h, &square, &[(&unit, &[&high])])?)?;
    let inside = show(h, &format!("{} ≤ r", away(&new)), &[("1", &[&inside])])?;
    let gap = |x: &str| here(h, &format!("⟨{x}_j − w₀_j : j<d⟩"));
    let product = cauchy(h, &gap("v"), &gap("w⋆"))?;
    let along = format!("Σ_{{j<d}} (v_j − w₀_j)·(w⋆_j − w₀_j) ≤ {size}·r");
    let along = show(h, &along, &[("1", &[&product]), (&size, &[near])])?;
    let goal = format!("{} ≤ {}", apart(&new), apart("v"));
    let closer = either(h, [&length, &radius], |h, order, small| {
        let same = |t: &Term| settle(h, &Goal::Le(t.clone(), t.clone()), &[]);
        let twice = format!("2/{level}");
        if small {
            let top = largest(&same(&radius)?, order)?;
            let parts: &[(&str, &[&Theorem])] = &[
                (&format!("(1 + r/{level})·{size}²/{level}"), &[&low]),
                (&twice, &[&low, &along]),
                (&format!("2·r·{size}/{level}"), &[&top]),
            ];
            return show(h, &goal, parts);
        }
        let top = largest(order, &same(&length)?)?;
        let parts: &[(&str, &[&Theorem])] = &[
            (&format!("r·{size}/{level}²"), &[&low, &top]),
            (&format!("{size}/{level}"), &[&low, order]),
            (&twice, &[&low, &along]),
        ];
        show(h, &goal, parts)
    })?;
    Ok([discharge(&inside)?, discharge(&closer)?])
}

/// (t + 1)·√(t + 1) ≤ t·√t + (3/2)·√(t + 1), and √(t + 1)/(t + 1) ≤ 2·(√(t + 1) − √t).
fn roots(h: &Context) -> Result<[Theorem; 2], Stuck> {
    let (u, v) = ("√(t + 1)", "√(t)");
    let power = format!("(t + 1)·{u} ≤ t·{v} + (3/2)·{u}");
    let power = show(h, &power, &[(&format!("({u} − {v})²·({u}/2 + {v})"), &[])])?;
    let unit = inverse(h, &term(h, "t + 1")?)?;
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("({u}/(t + 1))·({u} − {v})²"), &[]),
        (&format!("2·({u} − {v})"), &[&unit]),
    ];
    let sum = show(h, &format!("{u}/(t + 1) ≤ 2·({u} − {v})"), parts)?;
    Ok([power, sum])
}

/// Ψ after a round whose noise g is at most c, for a w in the ball (`near`), where u is no further from w⋆ than the step.
fn descent(h: &Context, [near, quiet]: [&Theorem; 2], closer: &Theorem) -> Proof {
    let (u, far) = ("√(t + 1)", apart("w"));
    let query = "⟨(Σ_{z∈D} ∂_j f(w; z))/n + 2·L₁·(w_j − w₀_j) : j<d⟩";
    let (steep, grows, averages) = (bounded(h)?, grows(h, "w")?, averages(h)?);
    let [power, sum] = roots(h)?;
    let shorter = root_increases(&below(h, "t")?)?;
    // ‖q + g‖ ≤ ‖∇F(w)‖ + 2L₁·‖w − w₀‖ + ‖g‖ ≤ 2L₀ + c.
    let minus = |x: &str| term(h, &format!("⟨(−1)·{x} : j<d⟩"));
    let first = triangle(h, &term(h, &slope("w"))?, &minus("(2·L₁·(w_j − w₀_j))")?)?;
    let second = triangle(h, &term(h, query)?, &minus("g_j")?)?;
    let whole = format!("‖⟨{query}[j] + g_j : j<d⟩‖");
    let scaled = "‖⟨(−1)·(2·L₁·(w_j − w₀_j)) : j<d⟩‖";
    let scaled = root_increases(&show(
        h,
        &format!("{scaled}² ≤ (2·L₁·{})²", away("w")),
        &[],
    )?)?;
    let limit = format!("(2·L₀ + {LOUD})");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&first]),
        ("1", &[&second]),
        ("1", &[&steep]),
        ("1", &[&scaled]),
        ("2·L₁", &[near]),
        ("1", &[quiet]),
    ];
    let size = show(h, &format!("{whole} ≤ {limit}"), parts)?;
    let along = convex(h, "w", "w⋆")?;
    let unit = inverse(h, &term(h, "t + 1")?)?;
    let turned = format!(
        "(2·√(T)·{u}·{whole}²/L₁)/(t + 1) − 4·√(T)·{u}·(Σ_{{j<d}} ({query}[j] + g_j)·(w_j − w⋆_j))"
    );
    let share = format!("(2·√(T)·{u}/L₁)/(t + 1)");
    let parts: &[(&str, &[&Theorem])] = &[
        ("1", &[&averages]),
        (&format!("2·L₁·√(T)·(t + 1)·{u}"), &[closer]),
        (&turned, &[&unit]),
        (&format!("({share})·({whole} + {limit})"), &[&size]),
        (&format!("2·√(T)·{limit}²/L₁"), &[&sum]),
        (&format!("4·√(T)·{u}"), &[&along]),
        (&format!("3·√(T)·{u}"), &[&grows]),
        (u, &[&shorter, &grows]),
        (&format!("2·L₁·√(T)·{far}"), &[&power]),
        (&format!("L₁·{u}·{far}"), &[&shorter]),
    ];
    let after = potential("t + 1", AVERAGE, "u");
    let before = potential("t", "a", "w");
    let goal = format!(
        "{after} ≤ {before} − 4·√(T)·{u}·(Σ_{{j<d}} g_j·(w_j − w⋆_j)) − (L₁/2)·(t + 1)·{far}"
    );
    show(h, &goal, parts)
}

impl Run {
    /// One round keeps the invariant.
    pub fn round(&self, h: &Context) -> Proof {
        let before = self.invariant("t", "a", "w");
        let after = self.invariant("t + 1", AVERAGE, &projected(STEP));
        let drawn = h.extended(item("g", space()))?;
        let law = op(Op::Normal, [var("d"), term(h, "V")?]);
        let behind = bind(Binder::Expect, "g", law.clone(), term(&drawn, &after)?);
        let wanted = Goal::Le(behind, term(h, &before)?);
        let [star, centre] = ["w⋆", "w₀"].map(|x| here(h, x));
        let lipschitz = told(h, OF_DATA[0])?;
        let ball = prove_near(h, [&star, &centre], &least(h)?, &lipschitz)?;
        let near = show(h, &format!("{} ≤ r", away("w⋆")), &[("1", &[&ball])])?;
        let [inside, closer] = projection(h, &near)?;
        let stepped = term(&drawn, STEP)?;
        let inside = instance(&drawn, &inside, &stepped)?;
        let closer = instance(&drawn, &closer, &stepped)?;
        let next = self.exponent("t + 1", AVERAGE, &projected(STEP));
        let most = instance(&drawn, &at_most(h)?, &term(&drawn, &next)?)?;
        let whole = format!("{after} ≤ 1 + {LATER}");
        let whole = show(
            &drawn,
            &whole,
            &[("1", &[&most]), ("1", &[&union(&inside)?])],
        )?;
        let whole = expected(&whole, &law)?;
        let placed = discharge(&Self::placed(&drawn, [&closer, &inside])?)?;
        let [size, radius] = [away("w"), "r".to_owned()].map(|t| term(h, &t));
        split(
            h,
            [&size?, &radius?],
            |h, fact| self.kept(h, &wanted, &law, [fact, &placed, &whole]),
            |h, none| settle(h, &wanted, &[("1", &[&whole]), ("1", &[none])]),
        )
    }

    /// max(‖u − w⋆‖² − ‖v − w⋆‖², ‖u − w₀‖ − r) ≤ 0 for the step v that is projected to u.
    fn placed(h: &Context, facts: [&Theorem; 2]) -> Proof {
        let [first, second] = gaps(&projected(STEP));
        let first = show(h, &format!("{first} ≤ 0"), &[("1", &[facts[0]])])?;
        let second = show(h, &format!("{second} ≤ 0"), &[("1", &[facts[1]])])?;
        largest(&first, &second)
    }

    /// E − λ·(L₁/2)·(t + 1)·‖w − w⋆‖².
    fn slow(&self) -> String {
        let e = self.exponent("t", "a", "w");
        format!("({e} − ({RATE})·(L₁/2)·(t + 1)·{})", apart("w"))
    }

    /// The invariant behind a round that leads to u, but for what is certain.
    fn rest(&self, u: &str) -> String {
        let after = self.invariant("t + 1", AVERAGE, u);
        format!("({after} + 𝟙(‖g‖ ≤ {LOUD}) − 1 − {LATER})")
    }

    /// What is left of the invariant is at most e^E, tilted by the noise g: whatever w becomes, if it is in the ball and no further from
    /// w⋆ than the step.
    fn tilted(&self, h: &Context, near: &Theorem, linear: &Term) -> Proof {
        let every = &h.extended(item("u", space()))?;
        let gaps = gaps("u");
        let told = goal(every, &format!("max({}, {}) ≤ 0", gaps[0], gaps[1]))?;
        let here = &every.extended(Item::Assume(told))?;
        let [first, second] = [term(here, &gaps[0])?, term(here, &gaps[1])?];
        let told = last(here)?;
        let part = |second_one: bool, goal: &str| {
            let above = larger(here, &first, &second, second_one)?;
            show(here, goal, &[("1", &[&above]), ("1", &[&told])])
        };
        let closer = part(false, &format!("{} ≤ {}", apart("u"), apart(STEP)))?;
        let inside = union(&part(true, &format!("{} ≤ r", away("u")))?)?;
        let (slow, next) = (self.slow(), self.exponent("t + 1", AVERAGE, "u"));
        let left = term(here, &format!("exp(0 − {slow})·{}", self.rest("u")))?;
        let bound = Goal::Le(left, linear.exp());
        let decay = format!("exp(0 − {slow})");
        let Goal::Le(norm, loud) = goal(here, &format!("‖g‖ ≤ {LOUD}"))? else {
            return Err(Stuck::new("no inequality"));
        };
        let sure = at_most_one(here, &op(Op::AtMost, [norm.clone(), loud.clone()]))?;
        let found = split(
            here,
            [&norm, &loud],
            |h, quiet| {
                let descent = descent(h, [near, quiet], &closer)?;
                let falls = format!("{next} ≤ {slow} + ({})", render::text(linear));
                let falls = show(h, &falls, &[(RATE, &[&descent])])?;
                let values = [term(h, &next)?, term(h, &slow)?, linear.clone()];
                let tilted =
                    { values.iter() }.try_fold(tilted(h)?, |every, x| instance(h, &every, x))?;
                let tilted = chain(h, &tilted, &falls)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[&tilted]), (&decay, &[&sure]), (&decay, &[&inside])];
                settle(h, &bound, parts)
            },
            |h, none| {
                let most = instance(h, &at_most(h)?, &term(h, &next)?)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[(&decay, &[&most]), (&decay, &[none]), (&decay, &[&inside])];
                settle(h, &bound, parts)
            },
        )?;
        discharge(&discharge(&found)?)
    }

    /// The same from within the ball.
    fn kept(
        &self,
        h: &Context,
        wanted: &Goal,
        law: &Term,
        [near, placed, whole]: [&Theorem; 3],
    ) -> Proof {
        let drawn = &h.extended(item("g", space()))?;
        let a = term(h, "⟨(−4)·(L₁/(16·V·T))·√(T)·√(t + 1)·(w_j − w⋆_j) : j<d⟩")?;
        let Term::Bind(_, _, _, a) = a else {
            return Err(Stuck::new("no vector"));
        };
        let linear = sum("j", var("d"), (*a).clone() * at(&var("g"), &var("j")));
        let tilted = self.tilted(drawn, near, &linear)?;
        let tilted = instance(drawn, &tilted, &term(drawn, &projected(STEP))?)?;
        let placed = instance(drawn, placed, &var("g"))?;
        let moment = exponential_moment(&chain(drawn, &tilted, &placed)?, law, ("j", &a))?;
        let (slow, rest) = (
            term(h, &self.slow())?,
            term(drawn, &self.rest(&projected(STEP)))?,
        );
        let rest = bind(Binder::Expect, "g", law.clone(), rest);
        let tail = tail(h, law, &var("l"), None)?;
        let variance = term(h, "V")? * sum("j", var("d"), a.pow(2)) / num(2);
        let (split, unit) = (exp_sum(h, &slow, &variance)?, exp_of_opposite(h, &slow)?);
        let held = at_most_one(h, &term(h, &format!("𝟙({} ≤ r)", away("w")))?)?;
        let e = term(h, &self.exponent("t", "a", "w"))?;
        either(h, [&e, &num(0)], |h, order, low| {
            if !low {
                let one = chain(h, &instance(h, &certain(h)?, &e)?, order)?;
                let parts: &[(&str, &[&Theorem])] =
                    &[("1", &[whole]), ("1", &[&one]), ("1", &[&held])];
                return settle(h, wanted, parts);
            }
            let fits = chain(h, &instance(h, &fits(h)?, &e)?, order)?;
            let parts = vec![
                with(num(1), &held),
                with(num(1), &tail),
                with(slow.exp(), &moment),
                with(num(-1), &split),
                with(rest.clone(), &unit),
                with(num(1), &fits),
            ];
            combine_with_slack(h, wanted.clone(), parts)
        })
    }
}
