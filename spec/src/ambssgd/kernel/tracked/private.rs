//! What the run costs: in one of its rounds the counts, or the batch, move.

use super::super::ssgd::ends::at_most;
use super::super::ssgd::{moves, of_transcript};
use super::Proof;
use super::stated::small;
use crate::moved::written::{show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, at_most_one, combine, compose, forget, gaussian, one_record,
    root_increases, sum_over, weaken,
};
use dp_assay_kernel::search::{item, within_budget, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Sign, Sort, Statement, View,
};
use dp_assay_kernel::term::{Term, num, var};

/// The path within a budget: with P = Σᵢ rᵢ for the four, 1 − Σᵢ rᵢ² = (1 + P)·(1 − P) + 2·Σ_{i<j} rᵢ·rⱼ.
pub(super) fn private(context: &Context, goal: &Goal) -> Proof {
    let process = context.process("Alg2");
    let process = process.ok_or_else(|| Stuck::new("no run"))?;
    let loops = process.body.iter().filter_map(|command| match command {
        Command::Repeat { body, .. } => Some(body),
        _ => None,
    });
    let mut costs = Vec::new();
    for (body, name) in loops.zip([("₁", "k"), ("₂", "n")]) {
        costs.extend(releases(context, body, name)?);
    }
    let all = compose(context, "Alg2", "D", &costs.iter().collect::<Vec<_>>())?;
    let once = at_most(context, "p₁")?;
    let factor = term(context, "(1 + p₁ + p₂ + q₁ + q₂)/(2·α²)")?;
    let parts = vec![Part::new(factor, [Fact::from(&once)])];
    let (context, goal) = (context.clone(), of_transcript(goal)?);
    let statement = Statement { context, goal };
    forget(&within_budget(&statement, &all, parts)?, View::Path)
}

/// The counts and the batch of one loop.
fn releases(
    context: &Context,
    body: &[Command],
    (number, rounds): (&str, &str),
) -> Result<[Theorem; 2], Stuck> {
    let release = |name: &str| {
        let found = body.iter().find_map(|command| match command {
            Command::Release { name: x, query, .. } if x == name => Some((command, query)),
            _ => None,
        });
        found.ok_or_else(|| Stuck::new(format!("{name} is not released")))
    };
    let space = |x: &str, d: &str| item(x, Sort::Vector(var(d), Sign::Any));
    let here = context.with([
        space("w", "d"),
        item("γ", Sort::Vector(num(1), Sign::Any)),
        space("a", "d"),
        space("M", "m"),
        item("t", Sort::Index(var(rounds))),
    ])?;
    let round = format!("𝟙[t=τ{number}]");
    let (counts, counted) = release("c")?;
    let counts = free(
        &gaussian(&here, counts, &count_moves(&here, counted, number)?)?,
        &format!("{round}·p{number}²/(2·α²)"),
    )?;
    let (step, query) = release("g")?;
    let reads = term(&here, &format!("q{number}·{round}/b"))?;
    let moved = moves(&here, query, &reads, &term(&here, "ϱ·max(‖γ‖, Δ)")?)?;
    let step = free(
        &gaussian(&here, step, &moved)?,
        &format!("{round}·q{number}²/(2·α²)"),
    )?;
    Ok([counts, step])
}

/// A cost without what cancels.
fn free(theorem: &Theorem, cost: &str) -> Proof {
    let context = &theorem.statement().context;
    let cost = term(context, cost)?;
    let own = zcdp_cost(&theorem.statement().goal)?.clone();
    let less = combine(context, Goal::Le(own, cost.clone()), &[])?;
    weaken(theorem, &Notion::Zcdp(cost), &[&less])
}

/// Each of the m counts moves by at most p·𝟙\[t=τ\], together by √m times that.
fn count_moves(context: &Context, query: &Term, number: &str) -> Proof {
    let record = |z: &str| Item::Var(z.to_owned(), Sort::Record);
    let two = &context.with(["z", "z′"].map(record))?;
    let level = &two.extended(item("l", Sort::Index(var("m"))))?;
    let small = |z: &str| small(z, "l");
    let [one, other] = ["z", "z′"].map(small);
    let sure = |x: &str| at_most_one(level, &term(level, x)?);
    let (first, second) = (sure(&one)?, sure(&other)?);
    let reads = format!("p{number}·𝟙[t=τ{number}]");
    // 1 − (x − y)² = (1 − x + y)·(1 − y + x).
    let parts: &[(&str, &[&Theorem])] = &[
        (&format!("({reads})²"), &[&first, &second]),
        (&format!("({reads})²·{one}"), &[&first]),
        (&format!("({reads})²·{other}"), &[&second]),
    ];
    let apart = format!("({reads}·({one} − {other}))²");
    let each = sum_over(&show(level, &format!("{apart} ≤ ({reads})²"), parts)?)?;
    let norm = format!("‖⟨{reads}·({one} − {other}) : l<m⟩‖");
    let squares = format!("{norm}² ≤ (√(m)·{reads})²");
    let root = root_increases(&show(two, &squares, &[("1", &[&each])])?)?;
    one_record(context, "D", query, &root)
}
