//! `kl-lem-10-repaired`: all errors of Algorithm 3 at once. c counts those that are too large, of norms and of gradients.

use super::adaptive::useful::{fails, rare};
use super::rarely::{Budget, by_tail, counted, none_yet, wider};
use crate::moved::written::{Proof, each, given, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{Part, Theorem, combine, discharge, expected, root_increases, union};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::log_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, real, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};

/// The numbers of Algorithm 3, for R rounds at most.
pub(super) const NUMBERS: &str = "for all
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
";

/// What is supposed of them, and the losses, besides in one dimension.
pub(super) const LOSSES: &str = "assume 1 ≤ n·√(ρ)
  assume 2·β ≤ n·√(ρ)
  loss f on ℝ^d with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for every \
      record; where it has no gradient, its derivatives are those of a chosen vector of norm at \
      most L₀
  loss h on ℝ^1 with L₀: changed by at most L₀·‖v‖ when v is added to its vector, for every \
      record; where it has no gradient, its derivatives are those of a chosen vector of norm at \
      most L₀
  data D of n records: its neighbours have one record replaced
";

/// `kl-lem-10-repaired`, for an algorithm that makes R rounds at most, whatever C charges for a norm M; in one dimension (h for f, v for w) a
/// gradient is a number.
pub fn statement() -> Result<Statement, Stuck> {
    render::parse(
        &(NUMBERS.to_owned()
            + LOSSES
            + "index o<1
           map C of ℝ^1 into ℝ^1
           vector w₀ ∈ ℝ^d
           vector v₀ ∈ ℝ^1
           define b := L₀·√(Λ)/√(n·√(ρ))
           algorithm Many: c ← ⟨0 : p<1⟩ in ℝ^1, w ← w₀ in ℝ^d
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖ + N(0, L₀²/(n·√(ρ)))
               c ← ⟨c_p + 1 − 𝟙(|M − ‖⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖| ≤ √(2)·b) : p<1⟩
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               g ← ⟨(Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩ + N_{d}(0, max(M/√(d·Λ), 2·L₀/(n·√(ρ)))²)
               c ← ⟨c_p + 1 − 𝟙(‖⟨g_j − (Σ_{z∈D} ∂_j f(w; z))/n : j<d⟩‖ ≤ 2·√(d·Λ)·max(M/√(d·Λ), \
                   2·L₀/(n·√(ρ)))) : p<1⟩
               w ← ⟨w_j − g_j/(2·L₁) : j<d⟩
             end
           end
           algorithm One: c ← ⟨0 : p<1⟩ in ℝ^1, v ← v₀ in ℝ^1
             repeat t<R
               M ← ‖⟨(Σ_{z∈D} ∂_j h(v; z))/n : j<1⟩‖ + N(0, L₀²/(n·√(ρ)))
               c ← ⟨c_p + 1 − 𝟙(|M − ‖⟨(Σ_{z∈D} ∂_j h(v; z))/n : j<1⟩‖| ≤ √(2)·b) : p<1⟩
               stop when the sum of C(⟨M : q<1⟩)[o] exceeds ρ/2
               g ← (Σ_{z∈D} ∂_o h(v; z))/n + N(0, max(M/√(Λ), 2·L₀/(n·√(ρ)))²)
               c ← ⟨c_p + 1 − 𝟙(|g − (Σ_{z∈D} ∂_o h(v; z))/n| ≤ 2·√(Λ)·max(M/√(Λ), 2·L₀/(n·√(ρ)))) \
                   : p<1⟩
               v ← ⟨v_j − g/(2·L₁) : j<1⟩
             end
           end
         holds
           if 2 ≤ d: 1 − 2·β ≤ 𝔼_{c∼end(Many)}[𝟙(c_o ≤ 0)]; 1 − 2·β ≤ 𝔼_{c∼end(One)}[𝟙(c_o ≤ 0)]"),
    )
}

fn put(goal: &Goal, name: &str, value: &Term) -> Result<Goal, Stuck> {
    match goal {
        Goal::Le(x, y) => Ok(Goal::Le(x.put(name, value), y.put(name, value))),
        _ => Err(Stuck::new("no inequality")),
    }
}

/// A round of an algorithm in a context where ν is the noise of the norm, and g that of the gradient.
struct Round {
    /// The laws of both noises.
    laws: [Term; 2],
    /// What c counts.
    events: [Goal; 2],
    goes: Term,
}

impl Round {
    fn of(context: &Context, algorithm: &str) -> Result<Self, Stuck> {
        let process = context.process(algorithm);
        let Some([Command::Repeat { body, .. }]) = process.map(|p| p.body.as_slice()) else {
            return Err(Stuck::new("no loop"));
        };
        let [
            Command::Release { name, query, law },
            Command::Set(_, first),
            Command::Stop { charge, limit },
            Command::Release {
                name: noisy,
                query: slope,
                law: other,
            },
            Command::Set(_, second),
            _,
        ] = body.as_slice()
        else {
            return Err(Stuck::new("not the rounds of the algorithm"));
        };
        let level = query.clone() + var("ν");
        let error = match other {
            Term::Op(_, a) if a.len() == 2 => {
                let j = var("l");
                vector("l", a[0].clone(), at(slope, &j) + at(&var("g"), &j))
            }
            _ => slope.clone() + var("g"),
        };
        let second = put(&put(&counted(second)?, noisy, &error)?, name, &level)?;
        let charged = var("spent") + charge.put(name, &level);
        Ok(Self {
            laws: [law.clone(), other.put(name, &level)],
            events: [put(&counted(first)?, name, &level)?, second],
            goes: op(Op::AtMost, [charged, limit.clone()]),
        })
    }
}

/// E(1 − 𝟙(‖g‖ ≤ 2√(dΛ)·σ)) ≤ exp(−Λ), σ being the deviation, for d ≥ 2 and Λ ≥ log 2.
fn of_vector(h: &Context, law: &Term, event: &Goal) -> Proof {
    let Term::Op(_, spread) = law else {
        return Err(Stuck::new("no noise"));
    };
    let (deviation, lambda) = (spread[1].sqrt(), var("Λ"));
    either(h, [&lambda, &num(1)], |h, case, small| {
        if !small {
            return by_tail(h, ("g", law, event), &|here, calm| {
                let two = given(here, 4)?;
                let root = |goal: &str, by: Term, fact: &Theorem| {
                    let goal = crate::moved::written::goal(here, goal)?;
                    root_increases(&combine(here, goal, &[with(by, fact)])?)
                };
                let first = root("d ≤ d·Λ", var("d"), case)?;
                let second = root("2·Λ ≤ d·Λ", lambda.clone(), &two)?;
                let parts = vec![
                    with(num(1), calm),
                    with(deviation.clone(), &first),
                    with(deviation.clone(), &second),
                ];
                combine(here, event.clone(), &parts)
            });
        }
        // Markov's inequality: ‖g‖² has the mean d·σ², and 1/(4Λ) ≤ exp(−Λ).
        let drawn = h.extended(item("g", Sort::Vector(var("d"), Sign::Any)))?;
        let [x, y] = sides(event)?;
        let share = mul([var("g").norm().pow(2), num(1) / y.pow(2)]);
        let goal = Goal::Le(fails(event)?, share.clone());
        let one = split(
            &drawn,
            [x, y],
            |here, fact| {
                let sure = union(fact)?;
                let parts = vec![with(num(1), &sure), Part::new(share.clone(), [])];
                combine(here, goal.clone(), &parts)
            },
            |here, none| {
                let order = beyond(here, none)?;
                let factor = (x.clone() + y.clone()) / y.pow(2);
                let slack = op(Op::AtMost, [x.clone(), y.clone()]);
                let parts = vec![with(factor, &order), Part::new(slack, [])];
                combine(here, goal.clone(), &parts)
            },
        )?;
        let all = expected(&one, law)?;
        let low = super::noise::by_moment(h, "Λ", case, &at_least(h)?)?;
        let lost = bind(Binder::Expect, "g", law.clone(), fails(event)?);
        let goal = Goal::Le(lost, (num(0) - lambda.clone()).exp());
        combine(h, goal, &[with(num(1), &all), with(num(1), &low)])
    })
}

/// log 2 ≤ Λ.
pub(super) fn at_least(h: &Context) -> Proof {
    let (large, named) = (given(h, 3)?, given(h, 1)?);
    let ratio = crate::moved::written::goal(h, "2 ≤ n·√(ρ)/β")?;
    let ratio = combine(h, ratio, &[with(num(1) / var("β"), &large)])?;
    let goal = crate::moved::written::goal(h, "log(2) ≤ Λ")?;
    let logs = log_increases(&ratio)?;
    combine(h, goal, &[with(num(1), &logs), with(num(1), &named)])
}

/// No error of an algorithm is too large, but for probability 2β, where a program bounds the probability of those of a gradient.
fn run(
    h: &Context,
    goal: &Goal,
    (algorithm, state, space): (&str, &str, Sort),
    rarely: &dyn Fn(&Context, &Term, &Goal) -> Proof,
) -> Proof {
    let states = h.with([
        item("c", Sort::Vector(num(1), Sign::Any)),
        item(state, space),
        real("spent", Sign::Any),
    ])?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let c = term(&states, "c_o")?;
    let budget = Budget::new(&states, &c)?;
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let Round {
        laws: [law, other],
        events: [first, second],
        goes,
    } = Round::of(&noisy, algorithm)?;
    let halfway = none_yet(&(c.clone() + fails(&first)?));
    let after = none_yet(&(c.clone() + fails(&first)? + fails(&second)?));
    let sort = Sort::drawn(&noisy, &other).ok_or_else(|| Stuck::new("no law"))?;
    let drawn = noisy.extended(item("g", sort))?;
    let good = drawn.with([none_yet(&c), first.clone(), second.clone()].map(Item::Assume))?;
    let kept = |here: &Context, events: &[&Goal], goal: &Goal| {
        let now = assumed(here, &none_yet(&c))?;
        let sure = events.iter().map(|event| union(&assumed(here, event)?));
        let sure = sure.collect::<Result<Vec<_>, Stuck>>()?;
        let parts: Vec<Part<'_>> = [&now]
            .into_iter()
            .chain(&sure)
            .map(|fact| with(num(1), fact))
            .collect();
        combine(here, goal.clone(), &parts)
    };
    let both = kept(&good, &[&first, &second], &after)?;
    let both = (0..3).try_fold(both, |theorem, _| discharge(&theorem))?;
    let both = expected(&union(&both)?, &other)?;
    let rare_noise = rarely(&noisy, &other, &second)?;
    let good = noisy.with([none_yet(&c), first.clone()].map(Item::Assume))?;
    let one = kept(&good, &[&first], &halfway)?;
    let one = union(&discharge(&discharge(&one)?)?)?;
    let small = rare(&noisy)?;
    let behind = bind(
        Binder::Expect,
        "g",
        other.clone(),
        fails(&after)? + budget.later(&(var("t") + num(1))),
    );
    let parts = [&both, &rare_noise, &small].map(|fact| with(num(1), fact));
    let most = budget.most(&first)?;
    let goes_on = combine(&noisy, Goal::Le(behind.clone(), most), &parts)?;
    budget.spent(
        h,
        goal,
        (algorithm, [&states, &inside, &noisy]),
        (&law, &first, goes),
        (behind, &goes_on),
        (fails(&halfway)?, &one),
    )
}

/// The proof of [`statement`], or of a statement with a smaller probability.
pub fn prove(statement: &Statement) -> Proof {
    let line = |h: &Context, law: &Term, event: &Goal| {
        by_tail(h, ("g", law, event), &|here, calm| wider(here, event, calm))
    };
    each(
        statement,
        &[
            &|h, goal| {
                let space = Sort::Vector(var("d"), Sign::Any);
                run(h, goal, ("Many", "w", space), &of_vector)
            },
            &|h, goal| {
                let space = Sort::Vector(num(1), Sign::Any);
                run(h, goal, ("One", "v", space), &line)
            },
        ],
    )
}
