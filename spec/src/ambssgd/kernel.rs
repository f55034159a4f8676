//! Claims of the paper as theorems of the kernel: clipped steps, the counts of DP-STAT, and the conversion of its
//! budget.

pub mod amplification;
pub mod blocks;
pub mod count;
pub mod covariances;
pub mod gaussian;
pub mod sizes;
pub mod ssgd;
pub mod step_size;
pub mod steps;
pub mod tails;
pub mod tracked;

use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, at_most_one, call, cite, clipped, combine, compose, forget, gaussian,
    one_record, root_increases,
};
use dp_assay_kernel::search::{
    Share, assumed, item, modulus, positive, record_moves, within_budget, zcdp_cost,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

/// d, vectors x and numbers y of the records, w, and data of so many records.
fn setting(records: Term) -> Vec<Item> {
    vec![
        item("d", Sort::Count),
        item("x", Sort::Feature(var("d"))),
        item("y", Sort::Label),
        item("w", Sort::Vector(var("d"), Sign::Any)),
        item("D", Sort::Dataset(records, Relation::ReplaceOne)),
    ]
}

/// ⟨x, w⟩ − y of a record.
fn residual(z: &Term) -> Term {
    let x = app("x", [z.clone()]);
    let inner = sum(
        "i",
        var("d"),
        mul([at(&x, &var("i")), at(&var("w"), &var("i"))]),
    );
    inner - app("y", [z.clone()])
}

/// x(⟨x, w⟩ − y).
fn gradient(z: &Term) -> Term {
    entries(mul([at(&app("x", [z.clone()]), &var("j")), residual(z)]))
}

/// The gradient, clipped to a norm.
fn clip_to(z: &Term, norm: &Term) -> Term {
    op(Op::Clip, [gradient(z), norm.clone()])
}

/// Entry j of the gradient, clipped to norm ζ.
fn clip(z: &Term) -> Term {
    at(&clip_to(z, &var("ζ")), &var("j"))
}

/// w − η·Σ clip(gradient), divided by the number of records of a batch.
fn step(divide: impl Fn(Term) -> Term) -> Term {
    let total = bind(Binder::Total, "z", var("D"), clip(&var("z")));
    entries(at(&var("w"), &var("j")) - mul([var("η"), divide(total)]))
}

/// `ambssgd-lem-A.1-sens`: the step of Algorithm 1, without noise, moves by at most 2ηζ if its record is replaced.
pub fn lem_a_1_sens() -> Result<Statement, Stuck> {
    let sizes = [positive("η"), positive("ζ")];
    let context = Context::default().with(sizes.into_iter().chain(setting(num(1))))?;
    let goal = Goal::Moves {
        data: "D".into(),
        query: step(|total| total),
        by: mul([num(2), var("η"), var("ζ")]),
    };
    Ok(Statement { context, goal })
}

/// `ambssgd-thm-3.6-sens`: the step of Algorithm 2, without noise, moves by at most 2ηζ/b if a record of its batch is
/// replaced.
pub fn thm_3_6_sens() -> Result<Statement, Stuck> {
    let sizes = [positive("η"), positive("ζ"), item("b", Sort::Count)];
    let context = Context::default().with(sizes.into_iter().chain(setting(var("b"))))?;
    let goal = Goal::Moves {
        data: "D".into(),
        query: step(|total| total / var("b")),
        by: mul([num(2), var("η"), var("ζ")]) / var("b"),
    };
    Ok(Statement { context, goal })
}

/// The proof of [`lem_a_1_sens`] and [`thm_3_6_sens`], or of a statement with other constants.
pub fn prove_step(statement: &Statement) -> Proof {
    let Goal::Moves { query, by, .. } = &statement.goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    let factor = match statement.context.get("b") {
        Some(_) => var("η") / var("b"),
        None => var("η"),
    };
    let share = Share {
        of: &|z| entries(num(-1) * (factor.clone() * clip(z))),
        bound: &|here, z| clipped(here, &gradient(&var(z)), &var("ζ")),
        factor: factor.clone(),
    };
    record_moves(&statement.context, "D", query, &share, by)
}

/// 1 if the residual of a record is at most a threshold in modulus.
fn small(z: &Term, threshold: &Term) -> Term {
    op(Op::AtMost, [residual(z).abs(), threshold.clone()])
}

fn count(threshold: &Term) -> Term {
    bind(Binder::Total, "z", var("D"), small(&var("z"), threshold))
}

/// `ambssgd-lem-3.10-sens`: the number of residuals that are at most c moves by at most 1.
pub fn lem_3_10_sens() -> Result<Statement, Stuck> {
    let sizes = [item("s", Sort::Count), item("c", Sort::Real(Sign::Any))];
    let records = var("s") + num(1);
    let context = Context::default().with(sizes.into_iter().chain(setting(records)))?;
    let goal = Goal::Moves {
        data: "D".into(),
        query: count(&var("c")),
        by: num(1),
    };
    Ok(Statement { context, goal })
}

/// The proof of [`lem_3_10_sens`], or of a statement with another bound.
pub fn prove_lem_3_10_sens(statement: &Statement) -> Proof {
    let Goal::Moves { by, .. } = &statement.goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    count_moves(&statement.context, &var("c"), by)
}

fn count_moves(context: &Context, threshold: &Term, by: &Term) -> Proof {
    scaled_count_moves(context, &count(threshold), threshold, &num(1), by)
}

/// A comparison is 0 or 1, so that a query that is `scale` times a count, and what reads no data, moves by at most `scale`.
fn scaled_count_moves(
    context: &Context,
    query: &Term,
    threshold: &Term,
    scale: &Term,
    by: &Term,
) -> Proof {
    let records = ["z", "z′"].map(|z| item(z, Sort::Record));
    let here = context.with(records)?;
    let [one, other] = ["z", "z′"].map(|z| small(&var(z), threshold));
    let apart = mul([scale.clone(), one.clone() - other.clone()]);
    let side = |left: Term, larger: &Term, smaller: Term| {
        let certain = at_most_one(&here, larger)?;
        let parts = vec![
            Part::new(scale.clone(), [Fact::from(&certain)]),
            Part::new(mul([scale.clone(), smaller]), []),
        ];
        combine(&here, Goal::Le(left, by.clone()), &parts)
    };
    let above = side(apart.clone(), &one, other.clone())?;
    let below = side(num(0) - apart, &other, one)?;
    one_record(context, "D", query, &modulus(&above, &below)?)
}

/// The records of DP-STAT, and the point w at which residuals are counted.
const STAT: &str = "for all
  integer s ≥ 1
  integer m ≥ 1
  real α > 0
  integer d ≥ 1
  vector x ∈ ℝ^d for every record
  number y for every record
  vector w ∈ ℝ^d
  data D of (s + 1) records: its neighbours have one record replaced
";

/// Count number l at a threshold, with its noise of variance mα².
fn release(name: &str, thresholds: &str) -> Command {
    Command::Release {
        name: name.into(),
        query: count(&at(&var(thresholds), &var("l"))),
        law: op(Op::Normal, [mul([var("m"), var("α").pow(2)])]),
    }
}

/// `ambssgd-lem-3.10-priv-proof-repaired`: DP-STAT, releasing all m + 1 noisy counts, is (m+1)/(2mα²)-zCDP, whatever its
/// thresholds γ (which are Δ·2^l in print).
pub fn lem_3_10_priv() -> Result<Statement, Stuck> {
    render::parse(
        &(STAT.to_owned()
            + "           vector γ ∈ ℝ^(m + 1)
           algorithm STAT
             repeat l<(m + 1)
               c ← Σ_{z∈D} 𝟙(|Σ_{i<d} x(z)[i]·w_i − y(z)| ≤ γ_l) + N(0, m·α²)
             end
           end
         holds
           between neighbours of D, the transcript of STAT is ((m + 1)/(2·m·α²))-zCDP"),
    )
}

/// The proof of [`lem_3_10_priv`], or of a statement with other constants.
pub fn prove_lem_3_10_priv(statement: &Statement) -> Proof {
    let context = &statement.context;
    let level = item("l", Sort::Index(var("m") + num(1)));
    let here = context.extended(level)?;
    let moves = count_moves(&here, &at(&var("γ"), &var("l")), &num(1))?;
    let all = compose(
        context,
        "STAT",
        "D",
        &[&gaussian(&here, &release("c", "γ"), &moves)?],
    )?;
    within_budget(statement, &all, vec![])
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

fn access() -> Command {
    Command::Call {
        name: "a".into(),
        of: app("A", [var("w")]),
    }
}

/// What is (1/α²)-zCDP is (ε, δ)-DP, for an α that is at least this, and a hypothesis more.
fn calibrated(least: Term, more: Option<Goal>) -> Result<Statement, Stuck> {
    let private = Notion::Zcdp(num(1) / var("α").pow(2));
    let before = [
        positive("ε"),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        positive("α"),
        Item::Assume(Goal::Le(least, var("α"))),
    ];
    let after = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item("A", Sort::Mechanism(var("d"), "D".into(), private)),
        item("w", Sort::Vector(var("d"), Sign::Any)),
    ];
    let items = before
        .into_iter()
        .chain(more.map(Item::Assume))
        .chain(after);
    let context = Context::default().with(items)?;
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Command(access().into()),
    };
    Ok(Statement { context, goal })
}

/// `ambssgd-thm-3.6-cal`: α ≥ 2√(log(1/δ) + ε)/ε suffices.
pub fn thm_3_6_cal() -> Result<Statement, Stuck> {
    calibrated(mul([num(2), (log() + var("ε")).sqrt()]) / var("ε"), None)
}

/// `ambssgd-thm-3.6-cal-small`: α ≥ √(8·log(1/δ))/ε suffices for ε ≤ log(1/δ).
pub fn thm_3_6_cal_small() -> Result<Statement, Stuck> {
    calibrated(eight_logs(), Some(Goal::Le(var("ε"), log())))
}

/// least ≤ α, from what is assumed of α.
fn at_least(context: &Context, least: &Term) -> Proof {
    let found = context.items().iter().find_map(|item| match item {
        Item::Assume(goal @ Goal::Le(_, alpha)) if *alpha == var("α") => Some(goal),
        _ => None,
    });
    let found = found.ok_or_else(|| Stuck::new("α is not bounded"))?;
    let fact = assumed(context, found)?;
    let goal = Goal::Le(least.clone(), var("α"));
    combine(context, goal, &[Part::new(num(1), [Fact::from(&fact)])])
}

/// The proof of [`thm_3_6_cal`], or of a statement with other constants.
pub fn prove_thm_3_6_cal(statement: &Statement) -> Proof {
    let context = &statement.context;
    let private = call(context, &access())?;
    let s = mul([num(2), (log() + var("ε")).sqrt()]);
    let within = within_large(context, &(num(1) / var("α").pow(2)), &s)?;
    convert(statement, &private, &within)
}

/// What ρ-zCDP spends is at most ε, by α ≥ s/ε. With r = 2α√(ρl), l = log(1/δ), where s² − r² = 4ρα²ε, and h = α − s/ε ≥ 0,
/// α²·(ε − ρ − r/α) = εh² + (2s − r)·h + (s − r)·(3s − r)/(4ε).
fn within_large(context: &Context, rho: &Term, s: &Term) -> Proof {
    let large = at_least(context, &(s.clone() / var("ε")))?;
    let r = mul([num(2), var("α"), mul([rho.clone(), log()]).sqrt()]);
    let squares = Goal::Le(r.pow(2), s.pow(2));
    let root = root_increases(&combine(context, squares, &[])?)?;
    let over = |t: Term| t / var("α").pow(2);
    let [h, gap] = [&large, &root].map(Fact::from);
    let four = || mul([num(4), var("ε")]);
    let parts = vec![
        Part::new(over(var("ε")), [h, h]),
        Part::new(over(s.clone()), [h]),
        Part::new(over(num(1)), [h, gap]),
        Part::new(over(mul([num(2), s.clone()]) / four()), [gap]),
        Part::new(over(num(1) / four()), [gap, gap]),
    ];
    within(context, rho, parts)
}

/// √(8·log(1/δ))/ε.
fn eight_logs() -> Term {
    mul([num(8), log()]).sqrt() / var("ε")
}

/// What (1/α²)-zCDP spends is at most ε, by α ≥ √(8·log(1/δ))/ε and ε ≤ log(1/δ). With r = √(8l), √l ≤ 3r/8 and
/// h = α − r/ε ≥ 0, α²·(ε − 1/α² − 3r/(4α)) = εh² + (5/4)·r·h + (2l/ε − 1).
fn within_small(context: &Context) -> Proof {
    let r = mul([num(8), log()]).sqrt();
    let large = at_least(context, &eight_logs())?;
    let part = mul([num(3), r.clone()]) / num(8);
    let below = combine(context, Goal::Le(log(), part.pow(2)), &[])?;
    let root = root_increases(&below)?;
    let small = assumed(context, &Goal::Le(var("ε"), log()))?;
    let over = |t: Term| t / var("α").pow(2);
    let h = Fact::from(&large);
    let parts = vec![
        Part::new(num(2) / var("α"), [Fact::from(&root)]),
        Part::new(over(var("ε")), [h, h]),
        Part::new(over(mul([num(5), r]) / num(4)), [h]),
        Part::new(over(num(2) / var("ε")), [Fact::from(&small)]),
    ];
    within(context, &(num(1) / var("α").pow(2)), parts)
}

/// The proof of [`thm_3_6_cal_small`], or of a statement with other constants.
pub fn prove_thm_3_6_cal_small(statement: &Statement) -> Proof {
    let context = &statement.context;
    convert(
        statement,
        &call(context, &access())?,
        &within_small(context)?,
    )
}

/// What ρ-zCDP spends is at most ε.
fn within(context: &Context, rho: &Term, parts: Vec<Part<'_>>) -> Proof {
    let spent = spent(rho, &var("δ"));
    combine(context, Goal::Le(spent, var("ε")), &parts)
}

/// (ε, δ)-DP from a zCDP bound that spends at most ε.
fn convert(statement: &Statement, private: &Theorem, within: &Theorem) -> Proof {
    let context = &statement.context;
    let rho = zcdp_cost(&private.statement().goal)?;
    let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    let values = [rho.clone(), var("ε"), var("δ")];
    cite(context, &ZCDP_TO_DP, &values, &[private, &small, within])
}

/// `ambssgd-lem-3.10-priv`: DP-STAT, releasing γ, is (1/(2α²))-zCDP: γ is a function Γ of m noisy counts c, which may be
/// released, too. In print the thresholds θ_l are Δ·2^l, and Γ the first that enough residuals are below, γ_m if none.
pub fn lem_3_10_released() -> Result<Statement, Stuck> {
    render::parse(
        &(STAT.to_owned()
            + "           vector θ ∈ ℝ^m
           map Γ of ℝ^m into ℝ^1
           algorithm STAT: c ← ⟨0 : j<m⟩ in ℝ^m, γ ← ⟨0 : j<1⟩ in ℝ^1
             repeat l<m
               a ← Σ_{z∈D} 𝟙(|Σ_{i<d} x(z)[i]·w_i − y(z)| ≤ θ_l) + N(0, m·α²)
               c ← ⟨c_j + 𝟙[j=l]·a : j<m⟩
             end
             γ ← Γ(c)
           end
         holds
           between neighbours of D, the end of STAT is (1/(2·α²))-zCDP"),
    )
}

/// The proof of [`lem_3_10_released`], or of a statement with other constants.
pub fn prove_lem_3_10_released(statement: &Statement) -> Proof {
    let context = &statement.context;
    let here = context.extended(item("l", Sort::Index(var("m"))))?;
    let moves = count_moves(&here, &at(&var("θ"), &var("l")), &num(1))?;
    let all = compose(
        context,
        "STAT",
        "D",
        &[&gaussian(&here, &release("a", "θ"), &moves)?],
    )?;
    forget(&within_budget(statement, &all, vec![])?, View::End)
}
