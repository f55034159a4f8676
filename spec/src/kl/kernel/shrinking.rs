//! `kl-lem-12-descent-restricted`: all steps of Algorithm 3 with the printed noise, in many dimensions. c counts those that gain too little.

use super::adaptive::useful::rare;
use super::errors::{by_tail, fails, none_yet, wider};
use crate::moved::written::{given, goal, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, below, combine, discharge, ends, expected, instance,
    root_increases, triangle, union,
};
use dp_assay_kernel::search::cases::{apply, split};
use dp_assay_kernel::search::{assumed, combine_with_slack, item, real, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var};

/// `kl-lem-12-descent-restricted`, for an algorithm that makes R steps at most, whatever C charges for a norm M.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           integer R ≥ 1
           real L₀ > 0
           real L₁ > 0
           real ρ > 0
           real β > 0
           real Λ > 0
           assume R ≤ n·√(ρ)
           assume log(n·√(ρ)/β) = Λ
           assume 32 ≤ d
           assume 16 ≤ Λ
           loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for every record; where it has no gradient, its derivatives are those of a chosen vector of norm at most L₀
           data D of n records: its neighbours have one record replaced
           define F(x∈ℝ^d) := (Σ_{z∈D} f(x, z))/n
           define G(x∈ℝ^d) := ‖⟨(Σ_{z∈D} ∂_j f(x; z))/n : j<d⟩‖
           assume for every vector x ∈ ℝ^d: for every vector v ∈ ℝ^d: F(⟨x_j + v_j : j<d⟩) ≤ F(x) + (Σ_{j<d} ((Σ_{z∈D} ∂_j f(x; z))/n)·v_j) + (L₁/2)·(Σ_{j<d} v_j²)
           index o<1
           map C of ℝ^1 into ℝ^1
           vector w₀ ∈ ℝ^d
           define b := L₀·√(Λ)/√(n·√(ρ))
           algorithm Alg3: c ← ⟨0 : p<1⟩ in ℝ^1, w ← w₀ in ℝ^d
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖ + N(0, L₀²/(n·√(ρ)))
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               ξ ∼ N_{d}(0, (M/√(d·Λ))²)
               c ← ⟨c_p + 1 − 𝟙(F(⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩) ≤ F(w) − (G(w)²/(8·L₁) − b²/L₁)) : p<1⟩
               w ← ⟨w_j − ((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)/(2·L₁) : j<d⟩
             end
           end
         holds
           1 − 2·β ≤ 𝔼_{c∼end(Alg3)}[𝟙(c_o ≤ 0)]",
    )
}

/// M² ≤ (G + √2b)², from |ν| ≤ √2b, and ‖ξ‖ ≤ (G + √2b)/2 from its tail: (√d + √(2Λ))² ≤ dΛ/4.
fn half(h: &Context, small: &Theorem, calm: &Theorem) -> Result<Theorem, Stuck> {
    let minus = term(h, "0 − ν")?;
    let sum = triangle(h, &term(h, "G(w)")?, &minus)?;
    let most = "G(w) + √(2)·b";
    let level = show(
        h,
        &format!("|G(w) + ν| ≤ {most}"),
        &[("1", &[&sum]), ("1", &[small])],
    )?;
    let square = format!("(G(w) + ν)² ≤ ({most})²");
    let square = show(h, &square, &[(&format!("|G(w) + ν| + {most}"), &[&level])])?;
    let (many, long) = (given(h, 2)?, given(h, 3)?);
    let first = root_increases(&show(h, "d ≤ d·Λ/16", &[("d/16", &[&long])])?)?;
    let second = root_increases(&show(h, "2·Λ ≤ d·Λ/16", &[("Λ/16", &[&many])])?)?;
    let roots = "√(d) + √(2·Λ)";
    let order = show(
        h,
        &format!("{roots} ≤ √(d·Λ)/2"),
        &[("1", &[&first]), ("1", &[&second])],
    )?;
    let share = format!("({roots})² ≤ d·Λ/4");
    let share = show(h, &share, &[(&format!("{roots} + √(d·Λ)/2"), &[&order])])?;
    let Goal::Le(_, bound) = &calm.statement().goal else {
        return Err(Stuck::new("no tail"));
    };
    let half = term(h, &format!("({most})/2"))?;
    let parts = vec![
        with(term(h, &format!("({roots})²/(d·Λ)"))?, &square),
        with(term(h, &format!("({most})²/(d·Λ)"))?, &share),
    ];
    let root = combine_with_slack(h, Goal::Le(bound.pow(2), half.pow(2)), parts)?;
    let root = root_increases(&root)?;
    let parts = vec![with(num(1), calm), with(num(1), &root)];
    combine_with_slack(h, Goal::Le(var("ξ").norm(), half), parts)
}

/// F(w⁺) ≤ F(w) − (G²/(8L₁) − b²/L₁), from ‖ξ‖ ≤ (G + √2b)/2.
fn falls(h: &Context, event: &Goal, short: &Theorem) -> Result<Theorem, Stuck> {
    let error = "((Σ_{z∈D} ∂_j f(w; z))/n + ξ_j)";
    let v = term(h, &format!("⟨0 − {error}/(2·L₁) : j<d⟩"))?;
    let smooth = instance(h, &instance(h, &given(h, 4)?, &var("w"))?, &v)?;
    let most = "(G(w) + √(2)·b)/2";
    let square = format!("‖ξ‖² ≤ ({most})²");
    let square = show(h, &square, &[(&format!("‖ξ‖ + {most}"), &[short])])?;
    let parts = vec![
        with(num(1), &smooth),
        with(term(h, "1/(4·L₁)")?, &square),
        Part::new(term(h, &format!("(1/(8·L₁))·(Σ_{{j<d}} {error}²)"))?, []),
        Part::new(term(h, "(G(w) − √(2)·b)²/(16·L₁)")?, []),
    ];
    combine_with_slack(h, event.clone(), parts)
}

/// The laws of both noises, what c counts, and whether the round goes on, where ν is the noise of the norm.
fn round_of(context: &Context) -> Result<([Term; 2], Goal, Term), Stuck> {
    let process = context.process("Alg3");
    let Some([Command::Repeat { body, .. }]) = process.map(|p| p.body.as_slice()) else {
        return Err(Stuck::new("no loop"));
    };
    let [
        Command::Release { name, query, law },
        Command::Stop { charge, limit },
        Command::Draw { law: other, .. },
        Command::Set(_, counted),
        _,
    ] = body.as_slice()
    else {
        return Err(Stuck::new("not the rounds of the algorithm"));
    };
    let level = query.clone() + var("ν");
    let Term::Bind(_, _, _, more) = counted else {
        return Err(Stuck::new("no count"));
    };
    let event = match &**more {
        Term::Op(Op::Sub, parts) => match &parts[1] {
            Term::Op(Op::AtMost, a) => Goal::Le(a[0].clone(), a[1].clone()),
            _ => return Err(Stuck::new("no event")),
        },
        _ => return Err(Stuck::new("no count")),
    };
    let charged = var("spent") + charge.put(name, &level);
    let goes = op(Op::AtMost, [charged, limit.clone()]);
    Ok(([law.clone(), other.put(name, &level)], event, goes))
}

/// The proof of [`statement`], or of a statement with a smaller probability.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let h = &statement.context;
    let space = || Sort::Vector(var("d"), Sign::Any);
    let states = h.with([
        item("c", Sort::Vector(num(1), Sign::Any)),
        item("w", space()),
        real("spent", Sign::Any),
    ])?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let (c, rarely) = (at(&var("c"), &var("o")), term(h, "β/(n·√(ρ))")?);
    let lost = fails(&none_yet(&c))?;
    let later = |t: &Term| mul([num(2), var("R") - t.clone(), rarely.clone()]);
    let invariant = |t: &Term| lost.clone() + later(t);
    let end = combine(&states, Goal::Le(lost.clone(), invariant(&var("R"))), &[])?;
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let ([law, other], event, goes) = round_of(&noisy)?;
    let near = goal(&noisy, "|ν| ≤ √(2)·b")?;
    let after = none_yet(&(c.clone() + fails(&event)?));
    // The step, where both noises are as small as their tails say.
    let good = noisy.extended(Item::Assume(near.clone()))?;
    let gains = |here: &Context, calm: &Theorem| {
        let short = half(here, &assumed(here, &near)?, calm)?;
        falls(here, &event, &short)
    };
    let missed = discharge(&by_tail(&good, ("ξ", &other, &event), &gains)?)?;
    let missed = absent(&noisy, &missed, &near, &event, &other)?;
    let drawn = noisy.extended(item("ξ", space()))?;
    let both = drawn.with([none_yet(&c), event.clone()].map(Item::Assume))?;
    let (now, sure) = (
        assumed(&both, &none_yet(&c))?,
        union(&assumed(&both, &event)?)?,
    );
    let kept = combine(
        &both,
        after.clone(),
        &[with(num(1), &now), with(num(1), &sure)],
    )?;
    let kept = expected(&union(&discharge(&discharge(&kept)?)?)?, &other)?;
    let rest = later(&(var("t") + num(1)));
    let small = rare(&noisy)?;
    let most = lost.clone() + fails(&near)? + rarely.clone() + rest.clone();
    let behind = bind(Binder::Expect, "ξ", other, fails(&after)? + rest);
    let parts = [&kept, &missed, &small]
        .map(|fact| with(num(1), fact))
        .into();
    let goes_on = combine_with_slack(&noisy, Goal::Le(behind.clone(), most.clone()), parts)?;
    let last = below(&noisy, "t")?;
    let first = at_most_one(&noisy, &op(Op::AtMost, sides(&near)?))?;
    let parts = vec![
        with(mul([num(2), rarely.clone()]), &last),
        with(num(1), &first),
    ];
    let halts = combine_with_slack(&noisy, Goal::Le(lost.clone(), most.clone()), parts)?;
    let once = at_most_one(&noisy, &goes)?;
    let value = mul([goes.clone(), behind]) + mul([num(1) - goes.clone(), lost.clone()]);
    let parts = [
        with(goes, &goes_on),
        Part::new(num(1), [&once, &halts].map(Into::into)),
    ];
    let bound = expected(&combine(&noisy, Goal::Le(value, most), &parts)?, &law)?;
    let calm = by_tail(&inside, ("ν", &law, &near), &|here, calm| {
        wider(here, &near, calm)
    })?;
    let Goal::Le(before, _) = &bound.statement().goal else {
        return Err(Stuck::new("no bound"));
    };
    let small = rare(&inside)?;
    let parts = [&bound, &calm, &small].map(|fact| with(num(1), fact));
    let round = combine(
        &inside,
        Goal::Le(before.clone(), invariant(&var("t"))),
        &parts,
    )?;
    let run = ends(
        h,
        "Alg3",
        ("c", &lost),
        &[&invariant(&var("t"))],
        &[&end, &round],
    )?;
    let (start, few) = (union(&combine(h, none_yet(&num(0)), &[])?)?, given(h, 0)?);
    let parts = vec![
        with(num(1), &run),
        with(num(1), &start),
        with(mul([num(2), rarely]), &few),
    ];
    combine_with_slack(h, statement.goal.clone(), parts)
}

fn sides(goal: &Goal) -> Result<[Term; 2], Stuck> {
    match goal {
        Goal::Le(x, y) => Ok([x.clone(), y.clone()]),
        _ => Err(Stuck::new("no inequality")),
    }
}

/// E(1 − 𝟙(event)) ≤ exp(−Λ) + 1 − 𝟙(near), from the same without the last part if `near` holds.
fn absent(
    h: &Context,
    missed: &Theorem,
    near: &Goal,
    event: &Goal,
    law: &Term,
) -> Result<Theorem, Stuck> {
    let lost = bind(Binder::Expect, "ξ", law.clone(), fails(event)?);
    let goal = Goal::Le(lost, (num(0) - var("Λ")).exp() + fails(near)?);
    let [x, y] = sides(near)?;
    split(
        h,
        [&x, &y],
        |here, fact| {
            let rare = apply(here, missed, fact)?;
            let first = at_most_one(here, &op(Op::AtMost, sides(near)?))?;
            combine_with_slack(
                here,
                goal.clone(),
                vec![with(num(1), &rare), with(num(1), &first)],
            )
        },
        |here, none| {
            let drawn = here.extended(item("ξ", Sort::Vector(var("d"), Sign::Any)))?;
            let one = combine_with_slack(&drawn, Goal::Le(fails(event)?, num(1)), vec![])?;
            let all = expected(&one, law)?;
            combine_with_slack(
                here,
                goal.clone(),
                vec![with(num(1), &all), with(num(1), none)],
            )
        },
    )
}
