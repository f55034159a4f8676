//! Theorem 5: the private choice of an iterate, by itself and behind the loop of Algorithm 3.
//!
//! In the algorithm h is what is kept of the past and b marks the rounds that have begun: H, which puts an iterate into h, and W,
//! which takes the iterate of a round out of it, may be any functions; those that store all iterates give the method as printed.

use super::adaptive::{INSIDE, REPAIRED, Variant, ZERO_OUT, private, root_rho};
use super::{entries, item, mean, positive, sensitivity_at, setting};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, norm_moves, weaken};
use dp_assay_kernel::search::{
    assumed, combine_with_slack, range_as_pure, range_as_zcdp, with, zcdp_cost,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, State, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// 𝟙\[l = k\] as a vector.
fn mark(k: &str) -> Term {
    vector("l", var("R"), op(Op::Unit, [var("l"), var(k)]))
}

/// The iterate of a round, from the past.
fn kept() -> Term {
    app("W", [var("h"), mark("k")])
}

/// −n√ρ/(2L₀).
pub(super) fn factor() -> Term {
    mul([num(-1), var("n"), root_rho()]) / mul([num(2), var("L₀")])
}

pub(super) fn gradient(w: &Term) -> Term {
    entries(mean()).put("w", w)
}

/// A round below R, with a probability in proportion to weight·exp(−n√ρ‖∇F(w)‖/(2L₀)).
pub(super) fn draw(weight: Term, w: &Term) -> Command {
    let score = mul([factor(), gradient(w).norm()]);
    let weight = mul([weight, score.exp()]);
    Command::Draw {
        name: "s".into(),
        law: bind(Binder::Weighted, "k", var("R"), weight),
    }
}

pub(super) type Rule = fn(&Context, &Command, &Theorem) -> Result<Theorem, Stuck>;

/// The draw is so private by a rule: the norm of a mean gradient moves by at most 2L₀/n, or L₀/n.
pub(super) fn drawn(here: &Context, rule: Rule, weight: Term, w: &Term) -> Result<Theorem, Stuck> {
    let inner = here.extended(item("k", Sort::Index(var("R"))))?;
    let by = match here.sort("D") {
        Some(Sort::Dataset(_, Relation::ZeroOut)) => var("L₀"),
        _ => mul([num(2), var("L₀")]),
    };
    let moved = sensitivity_at(&inner, w, &gradient(w), &(by / var("n")))?;
    rule(
        here,
        &draw(weight, w),
        &norm_moves(&moved, Some(&factor()))?,
    )
}

/// The iterates w\[0\], w\[1\], …, and a draw from the first R of them.
fn of_iterates(relation: Relation, notion: Notion) -> Result<Statement, Stuck> {
    let more = [
        positive("ρ"),
        item("R", Sort::Count),
        item("w", Sort::Sequence(var("d"))),
    ];
    let context = Context::default().with(setting(relation).into_iter().chain(more))?;
    let command = draw(num(1), &at(&var("w"), &var("k")));
    let goal = Goal::Private {
        data: "D".into(),
        notion,
        subject: Subject::Command(command.into()),
    };
    Ok(Statement { context, goal })
}

fn prove_of_iterates(statement: &Statement, rule: Rule) -> Result<Theorem, Stuck> {
    let here = &statement.context;
    let drawn = drawn(here, rule, num(1), &at(&var("w"), &var("k")))?;
    let (Goal::Private { notion: cost, .. }, Goal::Private { notion, .. }) =
        (&drawn.statement().goal, &statement.goal)
    else {
        return Err(Stuck::new("not about privacy"));
    };
    let less = Goal::Le(cost.numbers()[0].clone(), notion.numbers()[0].clone());
    weaken(&drawn, notion, &[&combine_with_slack(here, less, vec![])?])
}

/// `kl-mech-tstar`: given the iterates, the draw is (ρ/2)-zCDP if a record is replaced.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn tstar() -> Result<Statement, Stuck> {
    of_iterates(Relation::ReplaceOne, Notion::Zcdp(var("ρ") / num(2)))
}

/// The proof of [`tstar`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_tstar(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_of_iterates(statement, range_as_zcdp)
}

/// `kl-thm-5-priv-proof-reading-zero-out`: given the iterates, the draw is √ρ-DP, that is (√ρ, 0)-DP, if a record is left out.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn proof_zero_out() -> Result<Statement, Stuck> {
    of_iterates(Relation::ZeroOut, Notion::Pure(root_rho()))
}

/// The proof of [`proof_zero_out`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_proof_zero_out(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_of_iterates(statement, range_as_pure)
}

/// n√ρ ≥ 4.
fn many() -> Goal {
    Goal::Le(num(4), mul([var("n"), root_rho()]))
}

/// Algorithm 3 in a variant, which keeps its iterates, and the draw behind its loop.
fn followed(variant: Variant, given: Option<Goal>) -> Result<Statement, Stuck> {
    let mut process = variant.process();
    let state = |name: &str, dimension: &str, start: Term| State {
        name: name.into(),
        dimension: var(dimension),
        start,
    };
    process.states.push(state("h", "m", var("h₀")));
    process
        .states
        .push(state("b", "R", vector("l", var("R"), num(0))));
    let marked = at(&var("b"), &var("l")) + op(Op::Unit, [var("l"), var("t")]);
    let keep = [
        Command::Set("h".into(), app("H", [var("h"), var("w")])),
        Command::Set("b".into(), vector("l", var("R"), marked)),
    ];
    if let Some(Command::Repeat { body, .. }) = process.body.first_mut() {
        body.splice(0..0, keep);
    }
    process.body.push(draw(begun(), &kept()));
    let maps = [
        item("m", Sort::Count),
        item("h₀", Sort::Vector(var("m"), Sign::Any)),
        item("H", Sort::Map(vec![var("m"), var("d")], var("m"))),
        item("W", Sort::Map(vec![var("m"), var("R")], var("d"))),
    ];
    let items = given.map(Item::Assume).into_iter().chain(maps);
    let algorithm = Item::Process("Alg3".into(), process);
    let context = variant.context()?.with(items.chain([algorithm]))?;
    let subject = Subject::Process("Alg3".into(), View::Transcript);
    let goal = private(subject, mul([num(2), var("ρ")]));
    Ok(Statement { context, goal })
}

/// 1 for a round that has begun, 0 for another.
fn begun() -> Term {
    at(&var("b"), &var("k")).pow(2)
}

fn prove_followed(variant: Variant, statement: &Statement) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let past = [("h", "m"), ("b", "R")];
    let past = past.map(|(x, d)| item(x, Sort::Vector(var(d), Sign::Any)));
    let drawn = drawn(&context.with(past)?, range_as_zcdp, begun(), &kept())?;
    let many = assumed(context, &many()).ok();
    let unit = root_rho() / mul([num(2), var("n")]);
    let parts = many.iter().map(|many| with(unit.clone(), many)).collect();
    let cost = zcdp_cost(&statement.goal)?;
    variant.spent(context, "Alg3", cost, Some(&drawn), parts)
}

/// `kl-thm-5-priv-reading-inside-zero-out`: all that Algorithm 3 with N = ‖∇F(w) + noise‖ names, and the draw, are 2ρ-zCDP.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn inside() -> Result<Statement, Stuck> {
    followed(INSIDE, None)
}

/// The proof of [`inside`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_inside(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_followed(INSIDE, statement)
}

/// `kl-thm-5-priv-repaired-zero-out`: the same with the charge at its cap when N ≤ 0, if a record is left out.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn zero_out() -> Result<Statement, Stuck> {
    followed(ZERO_OUT, None)
}

/// The proof of [`zero_out`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_zero_out(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_followed(ZERO_OUT, statement)
}

/// `kl-thm-5-priv-repaired`: the same for n√ρ ≥ 4, if a record is replaced.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn repaired() -> Result<Statement, Stuck> {
    followed(REPAIRED, Some(many()))
}

/// The proof of [`repaired`], or of a statement with another cost.
///
/// # Errors
/// If a rule does not apply.
pub fn prove_repaired(statement: &Statement) -> Result<Theorem, Stuck> {
    prove_followed(REPAIRED, statement)
}
