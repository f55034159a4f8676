//! What a step of messages costs exactly, and what it costs where the graph is disconnected.

use super::adversary::{
    GROUP, NOISE, REST, SCALES, clip, equation, gradient, released, seen, slope_of, step, system,
    users,
};
use super::noise::{graph, with};
use crate::moved::written::{Proof, given_for, inside, settle, show, term, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Theorem, attained, compose, forget, sum_over, weaken};
use dp_assay_kernel::search::zcdp_cost;
use dp_assay_kernel::statement::{Context, Goal, Notion, Statement, Subject, View};
use dp_assay_kernel::term::var;

type Parts<'a> = &'a [(&'a str, &'a [&'a Theorem])];

/// What is said of any models and samples of the algorithm's, in other names: it has these itself.
fn at_start(text: &str) -> String {
    text.replace(", v)", ", v₀)").replace('ξ', "ξ₀")
}

/// `decor-thm-6-num`: the slope of user u₀'s step is exactly 2C²·\[Σ⁻¹\]_u₀u₀ for whatever graph is left without the group, where two
/// data sets have clipped gradients Cu and −Cu: that is its cost in zCDP, and no smaller number is for y.
pub fn exact_slope() -> Result<Statement, Stuck> {
    let (graph, users, step) = (graph(), users(), step());
    let seen = seen("Alg1", "(2·C²·π_u₀)-zCDP");
    let system = system("u₀");
    let [one, two, query] = [&clip("z₁"), &clip("z₂"), &gradient()].map(|text| at_start(text));
    render::parse(&format!(
        "{graph}{GROUP}{users}{REST}{SCALES}vector ξ₀ ∈ ℝ^B
    record z₁
    record z₂
    assume 2·C ≤ ‖⟨{one}[j] − {two}[j] : j<d⟩‖
    vector π ∈ ℝ^n
    assume {system}
    real ρ ≥ 0
    {step}holds
    {seen}; if between neighbours of 𝒟, [y ← {query} + {NOISE}] is (ρ)-zCDP: 2·C²·π_u₀ ≤ ρ"
    ))
}

/// The proof of [`exact_slope`].
pub fn prove_exact_slope(statement: &Statement) -> Proof {
    let upper = |h: &Context, goal: &Goal| {
        let (here, command) = released(h)?;
        let entry = equation(&with(&here, "k")?)?;
        let found = slope_of(&here, command, (&var("π"), &entry))?;
        costs(h, &here, goal, &found)
    };
    let lower = |h: &Context, goal: &Goal| {
        let Goal::If(given, least) = goal else {
            return Err(Stuck::new("no least slope"));
        };
        let (
            Goal::Private {
                notion,
                subject: Subject::Command(command),
                ..
            },
            Goal::Le(least, _),
        ) = (&**given, &**least)
        else {
            return Err(Stuck::new("no least slope"));
        };
        let apart = given_for(h, APART, &[])?;
        let entry = equation(&with(h, "k")?)?;
        let on = ("𝒟", &["z₁", "z₂"][..]);
        attained(
            h,
            command,
            (notion, least),
            on,
            &apart,
            Some((&var("π"), &entry)),
        )
    };
    whole(statement, &[&upper, &upper, &lower])
}

/// The number of the hypothesis on two records.
const APART: usize = 11;

/// A goal on a step that costs as much as its release does, in the context with what stands before that.
fn costs(h: &Context, here: &Context, goal: &Goal, found: &Theorem) -> Proof {
    let cost = zcdp_cost(goal)?;
    let less = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
    let less = settle(here, &less, &[])?;
    let found = weaken(found, &Notion::Zcdp(cost.clone()), &[&less])?;
    let all = compose(h, "Alg1", "𝒟", &[&found])?;
    match goal {
        Goal::Private {
            subject: Subject::Process(_, View::Transcript),
            ..
        } => Ok(all),
        _ => forget(&all, View::Path),
    }
}

/// `decor-rem-disc`: where the graph is disconnected no a > 0 bounds its algebraic connectivity from below, and 0 does; with
/// σ_cor = 0 a step is 2C²/σ_cdp²-zCDP, which is that of the LDP baseline. No edge joins the part of the graph where w is 1, as
/// at k₁, with that where it is 0, as at k₂.
pub fn disconnected() -> Result<Statement, Stuck> {
    let (graph, users, step) = (graph(), users(), step());
    let seen = seen("Alg1", "(2·C²/σ²)-zCDP");
    let form = |a: &str, u: &str| {
        format!(
            "{a}·(Σ_{{k<n}} ({u}_k − (Σ_{{l<n}} {u}_l)/n)²) ≤ Σ_{{e<E}} (Σ_{{l<n}} b(e, l)·{u}_l)²"
        )
    };
    let (supposed, zero) = (form("a", "x′"), form("0", "y′"));
    render::parse(&format!(
        "{graph}{GROUP}{users}{REST}vector w ∈ ℝ^n
    assume for every index e′<E: Σ_{{l<n}} b(e′, l)·w_l = 0
    index k₁<n
    assume w_k₁ = 1
    index k₂<n
    assume w_k₂ = 0
    real a ≥ 0
    assume for every vector x′ ∈ ℝ^n: {supposed}
    real σ > 0
    define V := σ²
    define U := 0
    {step}holds
    a ≤ 0; for every vector y′ ∈ ℝ^n: {zero}; {seen}"
    ))
}

/// The proof of [`disconnected`], or of a statement with another cost: Σ(w_k − w̄)² ≥ ½, as w_k₁ − w_k₂ = 1.
pub fn prove_disconnected(statement: &Statement) -> Proof {
    let none = |h: &Context, goal: &Goal| {
        let at = |n: usize, values: &[&str]| given_for(h, APART + n, values);
        let edge = &with(h, "e")?;
        let along = "(Σ_{l<n} b(e, l)·w_l)";
        let flat = given_for(edge, APART, &["e"])?;
        let flat = sum_over(&show(edge, &format!("{along}² = 0"), &[(along, &[&flat])])?)?;
        let (one, zero, gap) = (at(1, &[])?, at(2, &[])?, at(3, &["w"])?);
        let centred = "(w_k − (Σ_{l<n} w_l)/n)";
        let test = format!("Σ_{{k<n}} ({centred} − (𝟙[k=k₁] − 𝟙[k=k₂])/2)²");
        let parts: Parts<'_> = &[
            (&test, &[]),
            ("𝟙[k₁=k₂]/2", &[]),
            ("(−1)", &[&one]),
            ("1", &[&zero]),
        ];
        let wide = show(h, &format!("1/2 ≤ Σ_{{k<n}} {centred}²"), parts)?;
        settle(
            h,
            goal,
            &[("2", &[&gap]), ("2", &[&flat]), ("2·a", &[&wide])],
        )
    };
    let form = "Σ_{e<E} (Σ_{l<n} b(e, l)·y′_l)²";
    let zero =
        |h: &Context, goal: &Goal| inside(h, goal, &|h, goal| settle(h, goal, &[(form, &[])]));
    whole(statement, &[&none, &zero, &alone, &alone])
}

/// A step without noise in common: column u₀ of the inverse covariance is 1/V at i.
fn alone(h: &Context, goal: &Goal) -> Proof {
    let (here, command) = released(h)?;
    let each = with(&here, "k")?;
    let x = "⟨𝟙[k′=u₀]/V : k′<n⟩";
    let row = format!("V·{x}[k] + U·(Σ_{{e<E}} υ_e[k]·(Σ_{{l<n}} υ_e[l]·{x}[l])) = 𝟙[k=u₀]");
    let (x, solved) = (term(&here, x)?, show(&each, &row, &[])?);
    let found = slope_of(&here, command, (&x, &solved))?;
    costs(h, &here, goal, &found)
}
