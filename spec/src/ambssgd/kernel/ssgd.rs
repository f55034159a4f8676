//! Algorithm 1: private whatever the order of the records, and private and useful in one run on normal records.
//!
//! The run on drawn records takes k steps, and the average of the n iterates behind them. With ω for w − w⋆ and S for the sum of
//! the averaged ω so far, divided by n, S + (1 − η)·ω/(ηn) is a martingale, as long as nothing is clipped. Its square, what it
//! takes to pay its growth, and ‖ω‖²/B² make a potential that falls in expectation; what is more than 1 of it may be forgotten,
//! and where it is less than 1 a gradient is clipped with probability 4·e^{−ℓ} at most.

pub(super) mod ends;
pub(super) mod misses;
mod round;
mod stated;
pub(super) mod words;

use super::{clip_to, convert, entries, item, within_large};
use crate::moved::written::{Proof, all_goals, inside, term, whole};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, both, clipped, combine, compose, forget, gaussian, root_increases,
};
use dp_assay_kernel::search::{Share, record_moves, within_budget};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Op, Term, mul, num, op, var};

pub use stated::{any_order, normal};

/// How often a loop and its round read the record of D: once in round τ, and p times if there are two loops.
fn here(number: &str) -> Term {
    let round = op(Op::Unit, [var("t"), var(&format!("τ{number}"))]);
    match number {
        "" => round,
        _ => mul([var(&format!("p{number}")), round]),
    }
}

/// The sum of gradients clipped to ζ, `here` times, moves by as many times 2ζ at most. Roots of 𝟙 are not simplified: squares are
/// compared.
pub(super) fn moves(context: &Context, query: &Term, here: &Term, zeta: &Term) -> Proof {
    let own = |z: &Term| {
        let clip = op(Op::At, [clip_to(z, zeta), var("j")]);
        entries(mul([here.clone(), clip]))
    };
    let most = mul([here.clone(), zeta.clone()]);
    let share = Share {
        of: &own,
        bound: &|h, z| {
            let z = &var(z);
            let bound = clipped(h, &super::gradient(z), zeta)?;
            let factor = mul([here.pow(2), zeta.clone() + clip_to(z, zeta).norm()]);
            let squares = Goal::Le(own(z).norm().pow(2), most.pow(2));
            let part = Part::new(factor, [Fact::from(&bound)]);
            root_increases(&combine(h, squares, &[part])?)
        },
        factor: num(1),
    };
    record_moves(context, "D", query, &share, &mul([num(2), most.clone()]))
}

/// What stands before the release of a loop: the states, the round and what is drawn in it.
fn past(body: &[Command], number: &str) -> Vec<Item> {
    let vector = |x: &str| item(x, Sort::Vector(var("d"), Sign::Any));
    let rounds = match number {
        "" => "T",
        "₁" => "k",
        _ => "n",
    };
    let mut past = vec![vector("w"), item("t", Sort::Index(var(rounds)))];
    if matches!(body.first(), Some(Command::Draw { .. })) {
        past.extend([vector("u"), item("ξ", Sort::Real(Sign::Any))]);
    }
    past
}

/// The transcript within a budget, whose proof gets these parts: a round costs p²/(2α²) where it reads the record p times, the others
/// nothing.
fn spent(context: &Context, goal: &Goal, parts: Vec<Part<'_>>) -> Proof {
    let process = context.process("Alg1");
    let process = process.ok_or_else(|| Stuck::new("no run"))?;
    let loops = process.body.iter().filter_map(|command| match command {
        Command::Repeat { body, .. } => Some(body),
        _ => None,
    });
    let loops: Vec<_> = loops.collect();
    let numbers: &[&str] = if loops.len() == 1 {
        &[""]
    } else {
        &["₁", "₂"]
    };
    let mut costs = Vec::new();
    for (body, number) in loops.into_iter().zip(numbers) {
        let release = |c: &&Command| matches!(c, Command::Release { .. });
        let Some(release @ Command::Release { query, .. }) = body.iter().find(release) else {
            return Err(Stuck::new("no gradient"));
        };
        let round = context.with(past(body, number))?;
        let moved = moves(&round, query, &here(number), &var("ζ"))?;
        costs.push(gaussian(&round, release, &moved)?);
    }
    let all = compose(context, "Alg1", "D", &costs.iter().collect::<Vec<_>>())?;
    let (context, goal) = (context.clone(), goal.clone());
    within_budget(&Statement { context, goal }, &all, parts)
}

/// What is spent by the path of a run, as a goal on its transcript.
pub(super) fn of_transcript(goal: &Goal) -> Result<Goal, Stuck> {
    match goal {
        Goal::Private {
            data,
            notion,
            subject: Subject::Process(run, _),
        } => Ok(Goal::Private {
            data: data.clone(),
            notion: notion.clone(),
            subject: Subject::Process(run.clone(), View::Transcript),
        }),
        _ => Err(Stuck::new("not about the privacy of a run")),
    }
}

/// The path of the run that averages: of p₁ + p₂ ≤ 1, 1 − p₁² − p₂² = (1 + p₁ + p₂)·(1 − p₁ − p₂) + 2·p₁·p₂.
fn private(context: &Context, goal: &Goal) -> Proof {
    let once = ends::at_most(context, "p₁")?;
    let factor = term(context, "(1 + p₁ + p₂)/(2·α²)")?;
    let parts = vec![Part::new(factor, [Fact::from(&once)])];
    forget(&spent(context, &of_transcript(goal)?, parts)?, View::Path)
}

/// The proof of [`any_order`], or of a statement with other constants.
pub fn prove_any_order(statement: &Statement) -> Proof {
    let [
        cost @ Goal::Private {
            notion: Notion::Zcdp(rho),
            ..
        },
        _,
    ] = all_goals(statement)
    else {
        return Err(Stuck::new("not two bounds"));
    };
    let context = &statement.context;
    let all = spent(context, &of_transcript(cost)?, vec![])?;
    let enough = within_large(context, rho, &super::blocks::root())?;
    let small = forget(&convert(statement, &all, &enough)?, View::Path)?;
    both(context, &[&forget(&all, View::Path)?, &small])
}

/// The proof of [`normal`], or of a statement with other constants.
pub fn prove_normal(statement: &Statement) -> Proof {
    whole(
        statement,
        &[&private, &|h, goal| inside(h, goal, &round::run)],
    )
}
