//! Claims of the paper as theorems of the kernel: gradients of means, the regularised method (Algorithm 4) and the loop
//! around a private subroutine (Algorithm 2); in files of their own Algorithms 1 and 3.

pub mod adaptive;
pub mod calls;
pub mod carry;
pub mod cone;
pub mod constants;
pub mod cube;
mod decays;
pub mod descent;
pub mod displays;
pub mod errors;
pub mod floors;
pub mod gradients;
pub mod horizon;
pub mod lower;
pub mod nested;
pub mod noise;
pub mod noises;
pub mod noisy;
mod pair;
pub mod proximal;
pub mod quadratic;
mod rarely;
pub mod rates;
pub mod reach;
pub mod regularised;
pub mod rounds;
pub mod schedule;
pub mod selection;
pub mod sharp;
pub mod shrinking;
pub mod spider;
pub mod stationary;
pub mod valley;
pub mod witness;

use crate::moved::written;
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Fact, Part, Theorem, call, compose, gaussian, gradient_bound};
use dp_assay_kernel::search::{
    Share, assumed, item, positive, record_moves, within_budget, zcdp_cost,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Notion, Process, Relation, Sign, Sort, State,
    Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// A hypothesis, as text.
fn told(h: &Context, text: &str) -> Proof {
    assumed(h, &written::goal(h, text)?)
}

fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// n, d, the Lipschitz constant, the loss and the data.
fn setting(relation: Relation) -> Vec<Item> {
    vec![
        item("n", Sort::Count),
        item("d", Sort::Count),
        positive("L₀"),
        item("f", Sort::Loss(var("d"), Lipschitz::Whole, "L₀".into())),
        item("D", Sort::Dataset(var("n"), relation)),
    ]
}

fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

/// ∂_jf(w; z).
fn partial(z: &Term) -> Term {
    op(Op::Partial, [var("f"), var("w"), z.clone(), var("j")])
}

/// ∂_jF(w), the mean over the records.
fn mean() -> Term {
    bind(Binder::Total, "z", var("D"), partial(&var("z"))) / var("n")
}

/// ∇F(w) + 2λ(w − v), the gradient of F + λ‖· − v‖².
fn regularised() -> Term {
    let j = var("j");
    let apart = at(&var("w"), &j) - at(&var("v"), &j);
    entries(mean() + mul([num(2), var("λ"), apart]))
}

fn moves(context: Context, query: Term, factor: Term) -> Statement {
    let goal = Goal::Moves {
        data: "D".into(),
        query,
        by: factor / var("n"),
    };
    Statement { context, goal }
}

/// `kl-lem-8-grad-repaired`: ∇F(w) moves by at most 2L₀/n if a record is replaced.
pub fn gradient() -> Result<Statement, Stuck> {
    let items = setting(Relation::ReplaceOne).into_iter();
    let context = Context::default().with(items.chain([item("w", space())]))?;
    Ok(moves(context, entries(mean()), mul([num(2), var("L₀")])))
}

/// `kl-lem-8-grad-reading-zero-out`: ∇F(w) moves by at most L₀/n if a record is left out.
pub fn gradient_zero_out() -> Result<Statement, Stuck> {
    let items = setting(Relation::ZeroOut).into_iter();
    let context = Context::default().with(items.chain([item("w", space())]))?;
    Ok(moves(context, entries(mean()), var("L₀")))
}

fn regulariser() -> [Item; 2] {
    [positive("λ"), item("v", space())]
}

/// `kl-thm-9-sens`: the gradient of F̃ moves by at most 2L₀/n.
pub fn thm_9_sens() -> Result<Statement, Stuck> {
    let items = setting(Relation::ReplaceOne)
        .into_iter()
        .chain(regulariser());
    let context = Context::default().with(items.chain([item("w", space())]))?;
    Ok(moves(context, regularised(), mul([num(2), var("L₀")])))
}

/// The proof of [`gradient`], [`gradient_zero_out`] and [`thm_9_sens`], or of a statement with other constants.
pub fn prove_moves(statement: &Statement) -> Proof {
    let Goal::Moves { query, by, .. } = &statement.goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    sensitivity(&statement.context, query, by)
}

fn sensitivity(context: &Context, query: &Term, by: &Term) -> Proof {
    sensitivity_at(context, &var("w"), query, by)
}

/// The same for a query at another place than w.
fn sensitivity_at(context: &Context, w: &Term, query: &Term, by: &Term) -> Proof {
    let share = Share {
        of: &|z| entries(partial(z).put("w", w) / var("n")),
        bound: &|here, z| gradient_bound(here, "f", w, z, None),
        factor: num(1) / var("n"),
    };
    record_moves(context, "D", query, &share, by)
}

fn release() -> Command {
    Command::Release {
        name: "g".into(),
        query: regularised(),
        law: op(Op::Normal, [var("d"), app("V", [])]),
    }
}

fn looped(body: Vec<Command>) -> Process {
    let w = State {
        name: "w".into(),
        dimension: var("d"),
        start: var("w₀"),
    };
    Process {
        states: vec![w],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("R"),
            body,
        }],
    }
}

fn transcript(process: &str) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(var("ρ")),
        subject: Subject::Process(process.into(), View::Transcript),
    }
}

/// `kl-thm-9-priv`: Algorithm 4 with σ² = 4L₀²T/(n²ρ), in R ≤ T rounds, is ρ-zCDP, all noisy gradients included. Its points
/// and their average are functions of these.
pub fn thm_9_priv() -> Result<Statement, Stuck> {
    let [w, g] = ["w", "g"].map(|x| at(&var(x), &var("j")));
    let step = w - mul([at(&var("η"), &var("t")), g]);
    let update = Command::Set("w".into(), app("Π", [entries(step)]));
    let noise = mul([num(4), var("L₀").pow(2), var("T")]);
    let noise = noise / mul([var("n").pow(2), var("ρ")]);
    let more = [
        positive("T"),
        item("R", Sort::Count),
        Item::Assume(Goal::Le(var("R"), var("T"))),
        positive("ρ"),
        item("η", Sort::Vector(var("R"), Sign::Any)),
        item("Π", Sort::Map(vec![var("d")], var("d"))),
        item("w₀", space()),
        Item::Define("V".into(), vec![], noise),
        Item::Process("Alg4".into(), looped(vec![release(), update])),
    ];
    let items = setting(Relation::ReplaceOne)
        .into_iter()
        .chain(regulariser());
    let context = Context::default().with(items.chain(more))?;
    let goal = transcript("Alg4");
    Ok(Statement { context, goal })
}

/// The proof of [`thm_9_priv`], or of a statement with other constants: a gradient costs ρ/(2T).
pub fn prove_thm_9_priv(statement: &Statement) -> Proof {
    let here = statement.context.extended(item("w", space()))?;
    let by = mul([num(2), var("L₀")]) / var("n");
    let once = gaussian(&here, &release(), &sensitivity(&here, &regularised(), &by)?)?;
    let all = compose(&statement.context, "Alg4", "D", &[&once])?;
    within_rounds(statement, &all)
}

/// ρ from what R rounds cost, by R ≤ T where that is assumed.
fn within_rounds(statement: &Statement, all: &Theorem) -> Proof {
    let each = zcdp_cost(&all.statement().goal)?.clone() / var("R");
    let few = assumed(&statement.context, &Goal::Le(var("R"), var("T")));
    let parts = few
        .iter()
        .map(|few| Part::new(each.clone(), [Fact::from(few)]));
    within_budget(statement, all, parts.collect())
}

fn subroutine() -> Command {
    Command::Call {
        name: "u".into(),
        of: app("A", [var("w")]),
    }
}

/// R rounds, each of which calls a subroutine of that budget at its own point.
fn rounds(more: impl IntoIterator<Item = Item>, budget: Term) -> Result<Statement, Stuck> {
    let body = vec![subroutine(), Command::Set("w".into(), var("u"))];
    let before = [
        item("n", Sort::Count),
        item("d", Sort::Count),
        item("R", Sort::Count),
        positive("ρ"),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item("w₀", space()),
    ];
    let after = [
        item(
            "A",
            Sort::Mechanism(var("d"), "D".into(), Notion::Zcdp(budget)),
        ),
        Item::Process("Alg2".into(), looped(body)),
    ];
    let context = Context::default().with(before.into_iter().chain(more).chain(after))?;
    let goal = transcript("Alg2");
    Ok(Statement { context, goal })
}

/// `kl-thm-2-priv`: Algorithm 2 with a (ρ/T)-zCDP subroutine, in R ≤ T rounds, is ρ-zCDP, all iterates included.
pub fn thm_2_priv() -> Result<Statement, Stuck> {
    let few = Item::Assume(Goal::Le(var("R"), var("T")));
    rounds([positive("T"), few], var("ρ") / var("T"))
}

/// `kl-thm-2-priv-repaired`: Algorithm 2 in R rounds with a (ρ/R)-zCDP subroutine is ρ-zCDP.
pub fn thm_2_priv_repaired() -> Result<Statement, Stuck> {
    rounds([], var("ρ") / var("R"))
}

/// The proof of [`thm_2_priv`] and [`thm_2_priv_repaired`], or of a statement with other constants.
pub fn prove_thm_2_priv(statement: &Statement) -> Proof {
    let here = statement.context.extended(item("w", space()))?;
    let once = call(&here, &subroutine())?;
    let all = compose(&statement.context, "Alg2", "D", &[&once])?;
    within_rounds(statement, &all)
}
