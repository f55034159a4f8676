//! Algorithm 2: blocks of records, each read in one round. No rule for parallel composition is needed: neighbours differ in
//! one record of one block τ, and what all others add, in this block and in the other rounds, is arbitrary but the same.
//!
//! The order of the records is any; of a random one, drawn without the data, the law is a mixture of these
//! (`skgd-lem-mixture`).

use super::{
    clip_to, convert, count, eight_logs, entries, item, log, positive, scaled_count_moves,
    setting as records, within_large, within_small,
};
use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, both, clipped, combine, compose, forget, gaussian, gaussian_pair,
    gaussians_together, root_increases, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, within_budget, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Sign, Sort, State, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// 1 if this is the round that reads the record.
fn here() -> Term {
    op(Op::Unit, [var("t"), var("τ")])
}

/// Which round this is, as a vector.
fn round() -> Term {
    vector("i", var("T"), op(Op::Unit, [var("i"), var("t")]))
}

/// ζ_t = ϱ·γ_t; γ_t is at least Δ, as the maximum says again.
fn threshold() -> Term {
    mul([var("ϱ"), var("γ").norm().max_with(&var("Δ"))])
}

/// Count number l of the round, with its noise of variance mα².
fn noisy_count() -> Command {
    let own = mul([here(), var("p"), count(&at(&var("θ"), &var("l")))]);
    let others = at(&app("H", [var("w"), round()]), &var("l"));
    Command::Release {
        name: "a".into(),
        query: own + others,
        law: op(Op::Normal, [mul([var("m"), var("α").pow(2)])]),
    }
}

fn own(z: &Term) -> Term {
    let clipped = at(&clip_to(z, &threshold()), &var("j"));
    mul([here(), var("q"), clipped]) / var("b")
}

/// The mean of clipped gradients, with noise of deviation 2ζα/b.
fn noisy_gradient() -> Command {
    let total = at(&clip_to(&var("z"), &threshold()), &var("j"));
    let total = bind(Binder::Total, "z", var("D"), total);
    let own = mul([here(), var("q"), total]) / var("b");
    let others = at(&app("K", [var("w"), var("γ"), round()]), &var("j"));
    let deviation = mul([num(2), threshold(), var("α")]) / var("b");
    Command::Release {
        name: "g".into(),
        query: entries(own + others),
        law: op(Op::Normal, [var("d"), deviation.pow(2)]),
    }
}

fn algorithm() -> Process {
    let zero = |d: Term| vector("j", d, num(0));
    let state = |name: &str, dimension: Term, start: Term| State {
        name: name.into(),
        dimension,
        start,
    };
    let set = |name: &str, value: Term| Command::Set(name.into(), value);
    let picked = mul([op(Op::Unit, [var("j"), var("l")]), var("a")]);
    let noted = vector("j", var("m"), at(&var("c"), &var("j")) + picked);
    let step = at(&var("w"), &var("j")) - mul([var("η"), at(&var("g"), &var("j"))]);
    let body = vec![
        set("c", zero(var("m"))),
        Command::Repeat {
            index: "l".into(),
            times: var("m"),
            body: vec![noisy_count(), set("c", noted)],
        },
        set("γ", app("Γ", [var("c")])),
        noisy_gradient(),
        set("w", entries(step)),
    ];
    Process {
        states: vec![
            state("w", var("d"), var("w₀")),
            state("c", var("m"), zero(var("m"))),
            state("γ", num(1), zero(num(1))),
        ],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("T"),
            body,
        }],
    }
}

/// Each mechanism reads the record at most once.
fn once() -> [Goal; 2] {
    ["p", "q"].map(|x| Goal::Le(var(x), num(1)))
}

/// One mechanism reads the record, or none.
fn disjoint() -> Goal {
    Goal::Le(var("p") + var("q"), num(1))
}

/// Numbers p and q say how often the mechanisms of its round read the record.
fn setting(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let reads = |x: &str| item(x, Sort::Real(Sign::NonNegative));
    let sizes = ["b", "m", "T"].map(|x| item(x, Sort::Count));
    let numbers = ["α", "Δ", "ϱ"].map(positive);
    let counts = Sort::Map(vec![var("d"), var("T")], var("m"));
    let gradients = Sort::Map(vec![var("d"), num(1), var("T")], var("d"));
    let after = [
        item("τ", Sort::Index(var("T"))),
        item("H", counts),
        item("K", gradients),
        item("θ", Sort::Vector(var("m"), Sign::Any)),
        item("Γ", Sort::Map(vec![var("m")], num(1))),
        item("η", Sort::Real(Sign::Any)),
        item("w₀", Sort::Vector(var("d"), Sign::Any)),
        Item::Process("Alg2".into(), algorithm()),
    ];
    // The state is called w.
    let records = records(num(1))
        .into_iter()
        .filter(|item| item.name() != Some("w"));
    let items = records.chain(sizes).chain(numbers);
    let items = items.chain(["p", "q"].map(reads));
    Context::default().with(items.chain(more).chain(after))
}

fn private(view: View, notion: Notion) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion,
        subject: Subject::Process("Alg2".into(), view),
    }
}

/// `ambssgd-thm-3.6-comp`: Algorithm 2, releasing all γ_t and w_t, is ((p² + q²)/(2α²))-zCDP for a record that DP-STAT reads
/// p times and the gradient q times: 1/(2α²) for either, 1/α² for both, whatever the number of blocks.
pub fn thm_3_6_comp() -> Result<Statement, Stuck> {
    let cost = (var("p").pow(2) + var("q").pow(2)) / mul([num(2), var("α").pow(2)]);
    let context = setting([])?;
    let goal = private(View::Path, Notion::Zcdp(cost));
    Ok(Statement { context, goal })
}

/// `ambssgd-thm-3.6-zcdp`: Algorithm 2, releasing all γ_t and w_t, is (1/α²)-zCDP.
pub fn thm_3_6_zcdp() -> Result<Statement, Stuck> {
    let cost = num(1) / var("α").pow(2);
    let context = setting(once().map(Item::Assume))?;
    let goal = private(View::Path, Notion::Zcdp(cost));
    Ok(Statement { context, goal })
}

/// `ambssgd-cor-3.8`: with α ≥ √(8·log(1/δ))/ε and ε ≤ log(1/δ) it is (ε, δ)-DP, for every step size, 1/(4d) among them.
pub fn cor_3_8() -> Result<Statement, Stuck> {
    let small = [Goal::Le(eight_logs(), var("α")), Goal::Le(var("ε"), log())];
    let assumed = once().map(Item::Assume).into_iter();
    let context = setting(assumed.chain(budget()).chain(small.map(Item::Assume)))?;
    let goal = private(View::Path, Notion::Approximate(var("ε"), var("δ")));
    Ok(Statement { context, goal })
}

fn budget() -> [Item; 3] {
    let small = Goal::Le(var("δ"), num(1));
    [positive("ε"), positive("δ"), Item::Assume(small)]
}

/// 1/(2α²).
fn half() -> Term {
    num(1) / mul([num(2), var("α").pow(2)])
}

/// √(2(log(1/δ) + ε)).
pub(super) fn root() -> Term {
    mul([num(2), log() + var("ε")]).sqrt()
}

/// `ambssgd-thm-3.6-disjoint-zcdp`: where no record is read by both mechanisms, Algorithm 2, releasing all γ_t and w_t, is
/// (1/(2α²))-zCDP, and with α ≥ √2·√(log(1/δ) + ε)/ε it is (ε, δ)-DP.
pub fn thm_3_6_disjoint() -> Result<Statement, Stuck> {
    let large = Goal::Le(root() / var("ε"), var("α"));
    let assumed = [Item::Assume(disjoint())].into_iter();
    let context = setting(assumed.chain(budget()).chain([Item::Assume(large)]))?;
    let goal = Goal::Both(vec![
        private(View::Path, Notion::Zcdp(half())),
        private(View::Path, Notion::Approximate(var("ε"), var("δ"))),
    ]);
    Ok(Statement { context, goal })
}

/// A bound of a release, and in which notion, with a number of which 1/(2α²) is so many halves.
type Releases<'a> = (
    &'a dyn Fn(&Context, &Command, &Theorem) -> Proof,
    &'a dyn Fn(Term) -> Notion,
    i64,
);

/// What the transcript costs.
fn transcript(context: &Context, (release, notion, halves): Releases<'_>) -> Proof {
    let vector = |d: Term| Sort::Vector(d, Sign::Any);
    let [w, t] = [
        item("w", vector(var("d"))),
        item("t", Sort::Index(var("T"))),
    ];
    let level = item("l", Sort::Index(var("m")));
    let counted = context.with([w.clone(), t.clone(), level])?;
    let (command, scale) = (noisy_count(), mul([here(), var("p")]));
    let Command::Release { query, .. } = &command else {
        return Err(Stuck::new("no release"));
    };
    let level = at(&var("θ"), &var("l"));
    let moves = scaled_count_moves(&counted, query, &level, &scale, &scale)?;
    let counts = release(&counted, &command, &moves)?;
    let stepped = context.with([w, item("γ", vector(num(1))), t])?;
    let gradient = release(&stepped, &noisy_gradient(), &gradient_moves(&stepped)?)?;
    // ζ cancels.
    let free = mul([here(), var("q").pow(2)]) / mul([num(halves), var("α").pow(2)]);
    let less = combine(&stepped, Goal::Le(number(&gradient)?, free.clone()), &[])?;
    let gradient = weaken(&gradient, &notion(free), &[&less])?;
    compose(context, "Alg2", "D", &[&counts, &gradient])
}

/// The number of a bound in zCDP, or of a Gaussian pair.
fn number(theorem: &Theorem) -> Result<Term, Stuck> {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Zcdp(rho),
            ..
        } => Ok(rho.clone()),
        Goal::Private {
            notion: Notion::Dominated(Term::Op(Op::Gaussian, m)),
            ..
        } => Ok(m[0].clone()),
        _ => Err(Stuck::new("no such bound")),
    }
}

fn pair(square: Term) -> Notion {
    Notion::Dominated(op(Op::Gaussian, [square]))
}

/// The gradient moves by at most 2qζ/b in its round. Roots of 𝟙 are not simplified: squares are compared.
fn gradient_moves(context: &Context) -> Proof {
    let Command::Release { query, .. } = noisy_gradient() else {
        return Err(Stuck::new("no release"));
    };
    let most = mul([here(), var("q"), threshold()]) / var("b");
    let share = Share {
        of: &|z| entries(own(z)),
        bound: &|here, z| {
            let bound = clipped(here, &super::gradient(&var(z)), &threshold())?;
            let norm = clip_to(&var(z), &threshold()).norm();
            let factor = mul([self::here(), var("q").pow(2), threshold() + norm]);
            let squares = Goal::Le(entries(own(&var(z))).norm().pow(2), most.pow(2));
            let part = Part::new(factor / var("b").pow(2), [Fact::from(&bound)]);
            root_increases(&combine(here, squares, &[part])?)
        },
        factor: num(1),
    };
    record_moves(context, "D", &query, &share, &mul([num(2), most.clone()]))
}

/// The transcript within a budget, by p ≤ 1 and q ≤ 1, or p + q ≤ 1, where that is assumed: 1 − x² = (1 + x)·(1 − x).
fn within(context: &Context, cost: Term) -> Proof {
    let goal = private(View::Transcript, Notion::Zcdp(cost));
    let context = context.clone();
    let statement = Statement { context, goal };
    let facts = limits(&statement.context);
    let releases: Releases<'_> = (&gaussian, &Notion::Zcdp, 2);
    let all = transcript(&statement.context, releases)?;
    within_budget(&statement, &all, squares(&facts, 2))
}

/// p ≤ 1 and q ≤ 1, or p + q ≤ 1, where that is assumed.
fn limits(context: &Context) -> Vec<Theorem> {
    let bounds = once().into_iter().chain([disjoint()]);
    bounds
        .filter_map(|bound| assumed(context, &bound).ok())
        .collect()
}

/// 1 − x² = (1 + x)·(1 − x), in units of 1/(2α²) or 1/α².
fn squares(facts: &[Theorem], halves: i64) -> Vec<Part<'_>> {
    let unit = mul([num(halves), var("α").pow(2)]);
    let part = |fact| {
        let sides = Theorem::statement(fact).goal.sides();
        let factor = sides.map_or_else(|| num(0), |[x, one]| one.clone() + x.clone());
        Part::new(factor / unit.clone(), [Fact::from(fact)])
    };
    facts.iter().map(part).collect()
}

/// `ambssgd-thm-3.6-disjoint`: where no record is read by both mechanisms, Algorithm 2, releasing all γ_t and w_t, is an image
/// of one release with noise N(0, α²) on a sensitivity of 1: of N(0, 1) and N(1/α, 1).
pub fn thm_3_6_one_release() -> Result<Statement, Stuck> {
    let context = setting([Item::Assume(disjoint())])?;
    let goal = private(View::Path, pair(num(1) / var("α").pow(2)));
    Ok(Statement { context, goal })
}

/// The proof of [`thm_3_6_one_release`], or of a statement with a larger number.
pub fn prove_one_release(statement: &Statement) -> Proof {
    let context = &statement.context;
    let Goal::Private { notion: to, .. } = &statement.goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let Notion::Dominated(Term::Op(Op::Gaussian, most)) = to else {
        return Err(Stuck::new("no Gaussian pair"));
    };
    let release = |here: &Context, command: &Command, moves: &Theorem| {
        gaussian_pair(here, command, moves, None)
    };
    let all = gaussians_together(&transcript(context, (&release, &pair, 1))?)?;
    let facts = limits(context);
    let less = Goal::Le(number(&all)?, most[0].clone());
    let less = combine(context, less, &squares(&facts, 1))?;
    forget(&weaken(&all, to, &[&less])?, View::Path)
}

/// The proof of [`thm_3_6_comp`] and [`thm_3_6_zcdp`], or of a statement with another cost.
pub fn prove_zcdp(statement: &Statement) -> Proof {
    let cost = zcdp_cost(&statement.goal)?.clone();
    forget(&within(&statement.context, cost)?, View::Path)
}

/// The proof of [`cor_3_8`], or of a statement with other constants.
pub fn prove_cor_3_8(statement: &Statement) -> Proof {
    let context = &statement.context;
    let all = within(context, num(1) / var("α").pow(2))?;
    forget(
        &convert(statement, &all, &within_small(context)?)?,
        View::Path,
    )
}

/// The proof of [`thm_3_6_disjoint`], or of a statement with other constants.
pub fn prove_disjoint(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [cost, _] = goals(statement)?;
    let cost = zcdp_cost(cost)?.clone();
    let all = within(context, cost.clone())?;
    let spent = within_large(context, &cost, &root())?;
    let small = forget(&convert(statement, &all, &spent)?, View::Path)?;
    both(context, &[&forget(&all, View::Path)?, &small])
}
