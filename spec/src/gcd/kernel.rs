//! `gcd-thm-4.2-repaired` as a theorem of the kernel, of the final iterate and of the transcript.
//!
//! [`statement`] is the claim as a term; [`prove`] proves exactly that by rules.

use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, cite, combine, compose, forget, gradient_bound, laplace, larger, root_increases,
};
use dp_assay_kernel::search::{Share, assumed, pure_as_zcdp, record_moves, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Notion, Process, Relation, Sign, Sort, State,
    Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, var, vector};

pub mod composition;
pub mod convex;
pub mod counted;
pub mod descent;
mod events;
pub mod good_steps;
pub mod greedy;
pub mod hitting;
pub mod level;
mod noisy;
pub mod printed;
pub mod proximal;
pub mod proximal_runs;
pub mod quasi;
pub mod restricted;
pub mod rounds;
pub mod scales;
pub mod selection;
pub mod sensitivity;
pub mod sizes;
pub mod sparse;
pub mod sparse_runs;
pub mod strongly;
pub mod support;
pub mod touched;
pub mod witness;

/// What Algorithm 1 releases in the statement.
fn goal(view: View) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Process("Alg1".into(), view),
    }
}

/// The claim as a statement: of the final iterate, or of the transcript.
pub fn statement(view: View) -> Result<Statement, Stuck> {
    let log_or_floor = log().max_with(&(var("ε") / num(8)));
    let context = calibrated(8, log_or_floor, [], gradient)?;
    let goal = goal(view);
    Ok(Statement { context, goal })
}

/// `gcd-thm-4.2-corrected` as a statement. The maximum is log(1/δ) + ε/2, since δ ≤ 1. To the mean gradient of the losses any map g is
/// added that reads no data, such as the gradient of a ridge.
pub fn corrected(view: View) -> Result<Statement, Stuck> {
    let half = var("ε") / num(2);
    let sum_or_floor = add([log(), half.clone()]).max_with(&half);
    let map = Item::Var("g".into(), Sort::Map(vec![var("p")], var("p")));
    let context = calibrated(4, sum_or_floor, [map], with_rest)?;
    let goal = goal(view);
    Ok(Statement { context, goal })
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// ∂ⱼℓ(w; d).
fn partial(d: &Term, j: &Term) -> Term {
    op(Op::Partial, [var("ℓ"), var("w"), d.clone(), j.clone()])
}

/// ∂ⱼf(w), the mean of ∂ⱼℓ(w; d) over the records.
fn gradient(j: &Term) -> Term {
    bind(Binder::Total, "d", var("D"), partial(&var("d"), j)) / var("n")
}

/// An entry of the same plus a map g of the iterate.
fn with_rest(j: &Term) -> Term {
    gradient(j) + at(&app("g", [var("w")]), j)
}

/// A number for every index: an entry of the gradient of f, or a step size.
type Entry = fn(&Term) -> Term;

fn select() -> Command {
    select_by(gradient)
}

/// j is the k with the largest |∂ₖf(w) + Laplace(λ′ₖ)|/√Mₖ.
fn select_by(slope: Entry) -> Command {
    let k = var("k");
    Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("p"),
        query: slope(&k),
        scale: app("λ′", [k.clone()]),
        divisor: Some(at(&var("M"), &k).sqrt()),
    }
}

fn release() -> Command {
    release_by(gradient)
}

fn release_by(slope: Entry) -> Command {
    let j = var("j");
    Command::Release {
        name: "a".into(),
        query: slope(&j),
        law: op(Op::Laplace, [app("λ", [j])]),
    }
}

/// w − γⱼ·a·eⱼ, entry by entry.
fn step(rate: Entry, a: Term) -> Term {
    let i = var("i");
    let moved = mul([rate(&i), a, op(Op::Unit, [i.clone(), var("j")])]);
    vector("i", var("p"), at(&var("w"), &i) - moved)
}

fn algorithm(slope: Entry) -> Process {
    algorithm_by(slope, |i| at(&var("γ"), i))
}

fn algorithm_by(slope: Entry, rate: Entry) -> Process {
    let body = vec![
        select_by(slope),
        release_by(slope),
        Command::Set("w".into(), step(rate, var("a"))),
    ];
    let w = State {
        name: "w".into(),
        dimension: var("p"),
        start: var("w₀"),
    };
    Process {
        states: vec![w],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("T"),
            body,
        }],
    }
}

/// n, p, L, M and a loss with these constants, and data.
fn setting() -> Vec<Item> {
    let positive = || Sort::Vector(var("p"), Sign::Positive);
    let loss = Sort::Loss(var("p"), Lipschitz::Entries, "L".into());
    vec![
        Item::Var("n".into(), Sort::Count),
        Item::Var("p".into(), Sort::Count),
        Item::Var("L".into(), positive()),
        Item::Var("M".into(), positive()),
        Item::Var("ℓ".into(), loss),
        Item::Var("D".into(), Sort::Dataset(var("n"), Relation::ReplaceOne)),
    ]
}

/// r_k = 2L_k/(n√M_k), by which the score of k moves.
fn ratios() -> Item {
    let k = var("k");
    Item::Define(
        "r".into(),
        vec![("k".to_owned(), Sort::Index(var("p")))],
        mul([num(2), at(&var("L"), &k)]) / mul([var("n"), at(&var("M"), &k).sqrt()]),
    )
}

/// The setting, more items, λ as a number for every j, λ′ = (1 + max_{k≠j} r_k/r_j)·λ and Algorithm 1 by these slopes.
fn context(
    more: impl IntoIterator<Item = Item>,
    scale: Term,
    slope: Entry,
) -> Result<Context, Stuck> {
    let index = || vec![("j".to_owned(), Sort::Index(var("p")))];
    let any = || Sort::Vector(var("p"), Sign::Any);
    let [j, k] = [var("j"), var("k")];
    let others = op(Op::Except, [var("p"), j.clone()]);
    let ratio = app("r", [k]) / app("r", [j.clone()]);
    let factor = num(1) + bind(Binder::Sup, "k", others, ratio);
    let rounds = [
        Item::Var("T".into(), Sort::Count),
        Item::Var("γ".into(), any()),
        Item::Var("w₀".into(), any()),
        Item::Var("δ".into(), Sort::Real(Sign::Positive)),
        Item::Assume(Goal::Le(var("δ"), num(1))),
    ];
    let noise = [
        ratios(),
        Item::Define("λ".into(), index(), scale),
        Item::Define("λ′".into(), index(), mul([factor, app("λ", [j])])),
        Item::Process("Alg1".into(), algorithm(slope)),
    ];
    let items = setting().into_iter().chain(rounds).chain(more).chain(noise);
    Context::default().with(items)
}

/// ε, more items, and the scale λⱼ = (`factor`·Lⱼ/(nε))·√(T·`maximum`) for a run by these slopes.
fn calibrated(
    factor: i64,
    maximum: Term,
    more: impl IntoIterator<Item = Item>,
    slope: Entry,
) -> Result<Context, Stuck> {
    let scale = mul([num(factor), at(&var("L"), &var("j"))]) / mul([var("n"), var("ε")]);
    let epsilon = Item::Var("ε".into(), Sort::Real(Sign::Positive));
    let scale = mul([scale, mul([var("T"), maximum]).sqrt()]);
    context([epsilon].into_iter().chain(more), scale, slope)
}

/// What the proof takes from a statement: its context and the numbers in its noise scales.
struct Noise {
    context: Context,
    log: Term,
    floor: Term,
    form: Form,
}

/// Why the budget suffices.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// ε′ = ε/(4√(T·max(log(1/δ), floor))): each of two terms takes half.
    Floor,
    /// ε′ = ε/(2√(T·max(log(1/δ) + ε/2, floor))): the square of a difference is left over.
    Sum,
}

impl Noise {
    /// Reads √(T·max(log, floor)) off the definition of λ.
    fn of(statement: &Statement, form: Form) -> Result<Self, Stuck> {
        let context = statement.context.clone();
        let Some(Item::Define(_, _, Term::Op(Op::Mul, factors))) = context.get("λ") else {
            return Err(Stuck::new("λ is not a product"));
        };
        let under_root = factors.iter().find_map(|factor| match factor {
            Term::Op(Op::Sqrt, inside) => Some(&inside[0]),
            _ => None,
        });
        let maximum = match under_root {
            Some(Term::Op(Op::Mul, product)) => product.last(),
            _ => None,
        };
        let maximum = match maximum {
            Some(Term::App(m, arguments)) => context.unfold(m, arguments),
            other => other.cloned(),
        };
        let Some(Term::Op(Op::Max, bounds)) = maximum else {
            return Err(Stuck::new("λ has no root of a maximum"));
        };
        let (log, floor) = (bounds[0].clone(), bounds[1].clone());
        Ok(Self {
            context,
            log,
            floor,
            form,
        })
    }

    fn maximum(&self) -> Term {
        self.log.max_with(&self.floor)
    }

    /// The parameter ε′ of one access.
    fn per_access(&self) -> Term {
        let parts = num(match self.form {
            Form::Floor => 4,
            Form::Sum => 2,
        });
        var("ε") / mul([parts, mul([var("T"), self.maximum()]).sqrt()])
    }

    /// ρ + 2√(ρ·log(1/δ)) ≤ ε for ρ = T·ε′²: with m = max(log(1/δ), ε/8), ρ = ε²/(16m) is at most ε/2, and
    /// ρ·log(1/δ) at most (ε/4)².
    fn budget(&self, rho: &Term) -> Proof {
        let (context, eps, m) = (&self.context, var("ε"), self.maximum());
        let above_log = larger(context, &self.log, &self.floor, false)?;
        let above_floor = larger(context, &self.log, &self.floor, true)?;
        let quarter = eps.clone() / num(4);
        let product = Goal::Le(mul([rho.clone(), log()]), quarter.pow(2));
        let share = eps.pow(2) / mul([num(16), m.clone()]);
        let parts = vec![Part::new(share, [Fact::from(&above_log)])];
        let root = root_increases(&combine(context, product, &parts)?)?;
        let goal = Goal::Le(spent(rho, &var("δ")), eps.clone());
        let parts = vec![
            Part::new(num(2), [Fact::from(&root)]),
            Part::new(eps / mul([num(2), m]), [Fact::from(&above_floor)]),
        ];
        combine(context, goal, &parts)
    }

    /// The same for m = max(log(1/δ) + ε/2, floor), a = log(1/δ): ρ = ε²/(4m), so that (ε/4)²(a/m + 1)² − ρa is the square
    /// (ε/4)²(a/m − 1)², and ρ + (ε/2)(a/m + 1) = ε/2 + (ε/(2m))(a + ε/2) is at most ε.
    fn budget_of_sum(&self, rho: &Term) -> Proof {
        let (context, eps, m) = (&self.context, var("ε"), self.maximum());
        let above = larger(context, &self.log, &self.floor, false)?;
        let share = log() / m.clone();
        let quarter = eps.clone() / num(4);
        let bound = mul([quarter.clone(), add([share.clone(), num(1)])]);
        let product = Goal::Le(mul([rho.clone(), log()]), bound.pow(2));
        let square = mul([quarter.pow(2), (share - num(1)).pow(2)]);
        let root = root_increases(&combine(context, product, &[Part::new(square, [])])?)?;
        let goal = Goal::Le(spent(rho, &var("δ")), eps.clone());
        let parts = vec![
            Part::new(num(2), [Fact::from(&root)]),
            Part::new(eps / mul([num(2), m]), [Fact::from(&above)]),
        ];
        combine(context, goal, &parts)
    }

    /// The transcript is (ε, δ)-DP, where this is an entry of the gradient.
    fn transcript(&self, slope: Entry) -> Proof {
        let all = accesses_by(&self.context, slope, &self.per_access())?;
        let rho = zcdp_cost(&all.statement().goal)?;
        let small = assumed(&self.context, &Goal::Le(var("δ"), num(1)))?;
        let within = match self.form {
            Form::Floor => self.budget(rho)?,
            Form::Sum => self.budget_of_sum(rho)?,
        };
        let values = [rho.clone(), var("ε"), var("δ")];
        cite(
            &self.context,
            &ZCDP_TO_DP,
            &values,
            &[&all, &small, &within],
        )
    }
}

/// The transcript of T selections and T releases, each ε′-DP and so (ε′²/2)-zCDP for every w, is T·(ε′²/2 + ε′²/2)-zCDP.
fn accesses(context: &Context, epsilon: &Term) -> Proof {
    accesses_by(context, gradient, epsilon)
}

fn accesses_by(context: &Context, slope: Entry, epsilon: &Term) -> Proof {
    let here = context.with([Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any))])?;
    let chosen = here.extended(Item::Var("j".into(), Sort::Index(var("p"))))?;
    let noise = |at: &Term| mul([epsilon.clone(), app("λ′", [at.clone()])]);
    let choice = selection::private(&here, slope, epsilon, noise)?;
    let j = var("j");
    let enough = Goal::Le(moved(&j), mul([epsilon.clone(), app("λ", [j])]));
    let enough = combine(&chosen, enough, &[])?;
    let sensitive = sensitivity_of(&chosen, slope, "j", &moved(&var("j")))?;
    let value = laplace(&chosen, &release_by(slope), epsilon, &sensitive, &enough)?;
    let (choice, value) = (pure_as_zcdp(&choice)?, pure_as_zcdp(&value)?);
    compose(context, "Alg1", "D", &[&choice, &value])
}

/// The gradient's entry `j` moves by at most 2L_j/n, or a larger number, in a context with w and `j`.
fn sensitivity(context: &Context, j: &str, by: &Term) -> Proof {
    sensitivity_of(context, gradient, j, by)
}

/// The same of a gradient that is [`gradient`] but for what reads no data.
fn sensitivity_of(context: &Context, slope: Entry, j: &str, by: &Term) -> Proof {
    let j_term = var(j);
    let share = Share {
        of: &|z| partial(z, &j_term) / var("n"),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("w"), z, Some(j)),
        factor: num(1) / var("n"),
    };
    record_moves(context, "D", &slope(&j_term), &share, by)
}

/// How far the query of index `j` moves.
fn moved(j: &Term) -> Term {
    mul([num(2), at(&var("L"), j)]) / var("n")
}

/// The proof of `gcd-thm-4.2-repaired`, for this statement or one with other constants. What it returns is proved whatever it
/// was given; whether that is the statement is for the caller to compare.
pub fn prove(statement: &Statement) -> Proof {
    prove_by(statement, Form::Floor, gradient)
}

/// The proof of `gcd-thm-4.2-corrected`, in the same way.
pub fn prove_corrected(statement: &Statement) -> Proof {
    prove_by(statement, Form::Sum, with_rest)
}

fn prove_by(statement: &Statement, form: Form, slope: Entry) -> Proof {
    let transcript = Noise::of(statement, form)?.transcript(slope)?;
    if transcript.statement().goal == statement.goal {
        return Ok(transcript);
    }
    let Goal::Private {
        subject: Subject::Process(_, view),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not about a process"));
    };
    forget(&transcript, *view)
}
