//! One round of Algorithm 3, given the past.

use super::{INSIDE, REPAIRED, Variant, floor, last, moves, private, root_rho};
use crate::kl::kernel::{item, space};
use crate::moved::written::{Proof, all_goals, goals, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, assume, both, combine, discharge, gaussian, larger, largest,
    root_increases, weaken,
};
use dp_assay_kernel::search::{norm_moves, with, zcdp_cost};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Notion, Statement, Subject};
use dp_assay_kernel::term::{Term, mul, num, var};

/// The cost of a command that is claimed, from a theorem with another one.
fn at_most(theorem: &Theorem, goal: &Goal, parts: Vec<Part<'_>>) -> Proof {
    let (cost, claimed) = (
        zcdp_cost(&theorem.statement().goal)?.clone(),
        zcdp_cost(goal)?.clone(),
    );
    let here = &theorem.statement().context;
    let less = combine(here, Goal::Le(cost, claimed.clone()), &parts)?;
    weaken(theorem, &Notion::Zcdp(claimed), &[&less])
}

fn round(variant: Variant, goals: [Goal; 2]) -> Result<Statement, Stuck> {
    let context = variant
        .context()?
        .with([item("w", space()), variant.seen()])?;
    let goal = Goal::Both(goals.into());
    Ok(Statement { context, goal })
}

/// `kl-thm-3-round-reading-inside-zero-out`: given the past, the norm costs √ρ/n and the gradient min{L₀²dΛ/(nN)², ρ/2}.
pub fn round_inside() -> Result<Statement, Stuck> {
    let of = |c: Command, cost: Term| private(Subject::Command(c.into()), cost);
    let mut first = INSIDE.first();
    if let Command::Release { name, .. } = &mut first {
        *name = "u".into();
    }
    let goals = [
        of(first, root_rho() / var("n")),
        of(INSIDE.second(), INSIDE.share()),
    ];
    round(INSIDE, goals)
}

/// The proof of [`round_inside`], or of a statement with other costs.
pub fn prove_round_inside(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second] = goals(statement)?;
    let moved = moves(context, INSIDE.relation)?;
    let release = |goal: &Goal| match goal {
        Goal::Private {
            subject: Subject::Command(command),
            ..
        } => gaussian(context, command, &moved),
        _ => Err(Stuck::new("no release")),
    };
    let (below, _) = INSIDE.levels(context)?;
    let level = INSIDE.level().max_with(&INSIDE.least());
    let both_sides = mul([INSIDE.ratio(), INSIDE.deviation()]) + level.clone();
    let unit = var("L₀").pow(2) / mul([num(2), var("n").pow(2)]);
    let factor = mul([unit, both_sides]) / mul([level.pow(2), INSIDE.deviation().pow(2)]);
    let parts = vec![Part::new(factor, [Fact::from(&below)])];
    let first = at_most(&release(first)?, first, vec![])?;
    let second = at_most(&release(second)?, second, parts)?;
    both(context, &[&first, &second])
}

/// The level below which a noisy gradient costs its cap: a·2L₀/(n√ρ).
fn capped_level() -> Term {
    REPAIRED.level().max_with(&mul([REPAIRED.ratio(), floor()]))
}

/// 2·min{L₀²dΛ/(nN)², ρ/4}.
fn capped_cost() -> Term {
    let share = mul([REPAIRED.ratio(), var("L₀")]) / mul([var("n"), capped_level()]);
    mul([num(2), share.pow(2)])
}

/// `kl-thm-3-round-repaired`: given the past, the norm costs 2√ρ/n and the gradient min{2L₀²dΛ/(nN)², ρ/2}, ρ/2 for N ≤ 0;
/// together at most twice the charge.
pub fn round_repaired() -> Result<Statement, Stuck> {
    let of = |c: Command, cost: Term| private(Subject::Command(c.into()), cost);
    let mut first = REPAIRED.first();
    if let Command::Release { name, .. } = &mut first {
        *name = "u".into();
    }
    let twice = mul([num(2), REPAIRED.charge()]);
    let context = REPAIRED
        .context()?
        .with([item("w", space()), REPAIRED.seen()])?;
    let goal = Goal::Both(vec![
        of(first, last()),
        of(REPAIRED.second(), capped_cost()),
        Goal::Le(last() + capped_cost(), twice),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`round_repaired`], or of a statement with other costs.
pub fn prove_round_repaired(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [first, second, third] = goals(statement)?;
    let command = |goal: &Goal| match goal {
        Goal::Private {
            subject: Subject::Command(command),
            ..
        } => Ok((**command).clone()),
        _ => Err(Stuck::new("no release")),
    };
    let moved = moves(context, REPAIRED.relation)?;
    let norm = gaussian(context, &command(first)?, &norm_moves(&moved, None)?)?;
    let noisy = gaussian(context, &command(second)?, &moved)?;
    let (ratio, level, cap) = (REPAIRED.ratio(), REPAIRED.level(), capped_level());
    let deviation = REPAIRED.deviation();
    let one = |factor: Term, fact| Part::new(factor, [Fact::from(fact)]);
    let below = |left: Term, right: Term, parts: Vec<Part<'_>>| {
        combine(context, Goal::Le(left, right), &parts)
    };
    // max(N, a·floor) ≤ aσ.
    let off = larger(context, &(level.clone() / ratio.clone()), &floor(), false)?;
    let low = larger(context, &(level.clone() / ratio.clone()), &floor(), true)?;
    let scaled = mul([ratio.clone(), deviation.clone()]);
    let low_level = mul([ratio.clone(), floor()]);
    let within = largest(
        &below(
            level.clone(),
            scaled.clone(),
            vec![one(ratio.clone(), &off)],
        )?,
        &below(
            low_level.clone(),
            scaled.clone(),
            vec![one(ratio.clone(), &low)],
        )?,
    )?;
    let unit = (mul([num(2), var("L₀").pow(2)])) / var("n").pow(2);
    let factor = mul([unit.clone(), scaled + cap.clone()]);
    let factor = factor / mul([cap.pow(2), deviation.pow(2)]);
    let second = at_most(&noisy, second, vec![one(factor, &within)])?;
    // max(N, √2·aL₀/(n√ρ)) is at most that, too.
    let two = combine(
        context,
        Goal::Le(num(2), num(2).pow(2)),
        &[Part::new(num(2), [])],
    )?;
    let two = root_increases(&two)?;
    let (above, at_cap) = (
        larger(context, &level, &low_level, false)?,
        larger(context, &level, &low_level, true)?,
    );
    let scale = mul([ratio.clone(), var("L₀")]) / mul([var("n"), root_rho()]);
    let least = below(
        REPAIRED.least(),
        cap.clone(),
        vec![one(num(1), &at_cap), one(scale, &two)],
    )?;
    let charged = largest(&above, &least)?;
    let paid = level.max_with(&REPAIRED.least());
    let factor = mul([unit, ratio.pow(2), cap.clone() + paid.clone()]);
    let factor = factor / mul([cap.pow(2), paid.pow(2)]);
    let third = combine(context, third.clone(), &[one(factor, &charged)])?;
    let first = at_most(&norm, first, vec![])?;
    both(context, &[&first, &second, &third])
}

/// √(dΛ).
fn root() -> Term {
    REPAIRED.ratio()
}

/// √2·√(dΛ)·L₀/(n√ρ).
fn cap() -> Term {
    REPAIRED.least()
}

/// `kl-par-alg-3`: σ is at its floor, than which it is never less, if and only if N ≤ √(dΛ)·2L₀/(n√ρ); and for N′ > 0
/// (√(dΛ)·L₀/(nN′))² is at least the cap ρ/2, if and only if N′ ≤ √2·√(dΛ)·L₀/(n√ρ).
pub fn crossings() -> Result<Statement, Stuck> {
    render::parse(
        "for all
           integer n ≥ 1
           integer d ≥ 1
           real ρ > 0
           real L₀ > 0
           real Λ > 0
           real Nₜ′ > 0
           real Nₜ
         holds
           if Nₜ ≤ √(d·Λ)·(2·L₀/(n·√(ρ))): max(Nₜ/√(d·Λ), 2·L₀/(n·√(ρ))) ≤ 2·L₀/(n·√(ρ)); if \
               max(Nₜ/√(d·Λ), 2·L₀/(n·√(ρ))) ≤ 2·L₀/(n·√(ρ)): Nₜ ≤ √(d·Λ)·(2·L₀/(n·√(ρ))); if Nₜ′ \
               ≤ √(2)·(√(d·Λ)·L₀/(n·√(ρ))): ρ/2 ≤ (√(d·Λ)·L₀/(n·Nₜ′))²; if ρ/2 ≤ \
               (√(d·Λ)·L₀/(n·Nₜ′))²: Nₜ′ ≤ √(2)·(√(d·Λ)·L₀/(n·√(ρ)))",
    )
}

/// The proof of [`crossings`], or of a statement with other constants.
pub fn prove_crossings(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    type Step = fn(&Context, &Theorem, &Goal) -> Proof;
    let steps: [Step; 4] = [
        |here, given, goal| {
            let [_, low] = sides(goal)?;
            let off = Goal::Le(var("Nₜ") / root(), low.clone());
            let off = combine(here, off, &[with(num(1) / root(), given)])?;
            largest(&off, &combine(here, Goal::Le(floor(), low.clone()), &[])?)
        },
        |here, given, goal| {
            let off = larger(here, &(var("Nₜ") / root()), &floor(), false)?;
            let parts = vec![with(root(), &off), with(root(), given)];
            combine(here, goal.clone(), &parts)
        },
        |here, given, goal| {
            let factor = mul([var("ρ"), cap() + var("Nₜ′")]) / mul([num(2), var("Nₜ′").pow(2)]);
            combine(here, goal.clone(), &[with(factor, given)])
        },
        |here, given, goal| {
            let [small, large] = sides(goal)?;
            let factor = mul([num(2), var("Nₜ′").pow(2)]) / var("ρ");
            let squares = Goal::Le(small.pow(2), large.pow(2));
            root_increases(&combine(here, squares, &[with(factor, given)])?)
        },
    ];
    let mut proved = Vec::new();
    for (goal, step) in goals.iter().zip(steps) {
        let Goal::If(given, goal) = goal else {
            return Err(Stuck::new("no implication"));
        };
        let here = context.extended(Item::Assume((**given).clone()))?;
        let known = assume(&here, here.items().len() - 1)?;
        proved.push(discharge(&step(&here, &known, goal)?)?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}
