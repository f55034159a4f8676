//! Statements and multipliers written as the kernel prints them: what is read here is what a reader of the ledger reads.

use dp_assay_kernel::Stuck;
pub use dp_assay_kernel::render::goal;
use dp_assay_kernel::render::items;
use dp_assay_kernel::rules::{Fact, Part, Theorem, assume, both, combine, discharge, instance};
use dp_assay_kernel::statement::{Context, Goal, Item, Statement};
use dp_assay_kernel::term::Term;

/// A theorem, or where its proof got stuck.
pub type Proof = Result<Theorem, Stuck>;

/// A multiplier as text, and the facts whose product it multiplies.
pub type Written<'a> = (&'a str, &'a [&'a Theorem]);

/// A number or vector as text, its names as in the context.
///
/// # Errors
/// If it does not read as a term.
pub fn term(context: &Context, text: &str) -> Result<Term, Stuck> {
    match goal(context, &format!("{text} ≤ 0"))? {
        Goal::Le(term, _) => Ok(term),
        _ => Err(Stuck::new("not one term")),
    }
}

/// Hypothesis number `n` of a context, counted from 0 among the hypotheses.
///
/// # Errors
/// If there are fewer.
pub fn given(context: &Context, n: usize) -> Proof {
    let items = context.items().iter().enumerate();
    let mut hypotheses = items.filter(|(_, item)| matches!(item, Item::Assume(_)));
    let (index, _) = hypotheses
        .nth(n)
        .ok_or_else(|| Stuck::new("fewer hypotheses"))?;
    assume(context, index)
}

/// Hypothesis number `n`, which is for all values, for these.
///
/// # Errors
/// As [`given`]; or if it is for fewer, or a value has no meaning.
pub fn given_for(context: &Context, n: usize, values: &[&str]) -> Proof {
    let put = |found, value: &&str| instance(context, &found, &term(context, value)?);
    values.iter().try_fold(given(context, n)?, put)
}

/// A goal from multiples of products of facts; what they leave over must be plainly ≥ 0.
///
/// # Errors
/// If a multiplier does not read as a term, or as [`combine`].
pub fn settle(context: &Context, goal: &Goal, parts: &[Written<'_>]) -> Proof {
    let mut read = Vec::new();
    for (multiplier, facts) in parts {
        let facts = facts.iter().map(|&fact| Fact::from(fact));
        read.push(Part::new(term(context, multiplier)?, facts));
    }
    combine(context, goal.clone(), &read)
}

/// The same for a goal as text.
///
/// # Errors
/// If it does not read as a goal, or as [`settle`].
pub fn show(context: &Context, text: &str, parts: &[Written<'_>]) -> Proof {
    settle(context, &goal(context, text)?, parts)
}

/// The goals of a statement.
pub fn all_goals(statement: &Statement) -> &[Goal] {
    match &statement.goal {
        Goal::Both(goals) => goals,
        goal => std::slice::from_ref(goal),
    }
}

/// The goals of a statement that has so many.
///
/// # Errors
/// If it has fewer or more.
pub fn goals<const N: usize>(statement: &Statement) -> Result<&[Goal; N], Stuck> {
    let all = all_goals(statement).try_into();
    all.map_err(|_| Stuck::new("not so many goals"))
}

/// The smaller and the larger side of an inequality.
///
/// # Errors
/// If the goal is none.
pub fn sides(goal: &Goal) -> Result<[&Term; 2], Stuck> {
    match goal {
        Goal::Le(left, right) => Ok([left, right]),
        _ => Err(Stuck::new("no inequality")),
    }
}

/// A goal for every value of what varies in it and under what it supposes, from the program for the relation inside, in the
/// context with these.
///
/// # Errors
/// If the program fails.
pub fn inside(context: &Context, goal: &Goal, prove: &dyn Fn(&Context, &Goal) -> Proof) -> Proof {
    let (item, goal) = match goal {
        Goal::Every(x, sort, goal) => (Item::Var(x.clone(), sort.clone()), goal),
        Goal::If(given, goal) => (Item::Assume((**given).clone()), goal),
        relation => return prove(context, relation),
    };
    discharge(&inside(&context.extended(item)?, goal, prove)?)
}

type Program<'a> = &'a dyn Fn(&Context, &Goal) -> Proof;

/// A program for each goal of a statement, in order.
pub type Programs<'a> = &'a [Program<'a>];

/// All goals of a statement, each [`inside`] by its own program.
///
/// # Errors
/// If there are not as many programs, or one fails.
pub fn each(statement: &Statement, programs: Programs<'_>) -> Proof {
    by(statement, programs, |context, goal, prove| {
        inside(context, goal, prove)
    })
}

/// All goals of a statement, each as it stands by its own program.
///
/// # Errors
/// If there are not as many programs, or one fails.
pub fn whole(statement: &Statement, programs: Programs<'_>) -> Proof {
    by(statement, programs, |context, goal, prove| {
        prove(context, goal)
    })
}

fn by(
    statement: &Statement,
    programs: Programs<'_>,
    run: impl Fn(&Context, &Goal, Program<'_>) -> Proof,
) -> Proof {
    let context = &statement.context;
    let goals = all_goals(statement);
    if goals.len() != programs.len() {
        return Err(Stuck::new("not so many goals"));
    }
    let proved = goals.iter().zip(programs);
    let proved: Result<Vec<Theorem>, Stuck> = proved
        .map(|(goal, prove)| run(context, goal, *prove))
        .collect();
    let mut proved = proved?;
    if proved.len() == 1 {
        return Ok(proved.remove(0));
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// A context with more items, written one in a line.
///
/// # Errors
/// If one does not read as an item, or is not well formed.
pub fn extended(context: &Context, text: &str) -> Result<Context, Stuck> {
    items(context.clone(), text.trim().lines().map(str::trim))
}
