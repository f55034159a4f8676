//! Claims of the paper as theorems of the kernel: clipped gradients, the two baselines, and the conversion of T steps.

pub mod adversary;
pub mod algorithms;
pub mod assumptions;
pub mod consensus;
pub mod constant;
pub mod corrected;
pub mod deletion;
pub mod diagonal;
pub mod displays;
pub mod entries;
pub mod exact;
pub mod leading;
pub mod least_squares;
pub mod mixing;
pub mod noise;
pub mod regular;
pub mod run;
pub mod schedule;
pub mod secrets;
pub mod sensitivity;
pub mod spectrum;
pub mod star;
pub mod sums;
pub mod witness;

use crate::moved::written;
use crate::moved::written::{Proof, all_goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, both, call, cite, clipped, combine, compose, exchange, gaussian, weaken,
};
use dp_assay_kernel::search::{Share, assumed, record_moves, together};
pub(super) use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement, Subject,
    View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

pub(super) fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// n·d, E·d, or the bound of this name.
fn size(name: &str) -> Term {
    match name.split_once('·') {
        Some((a, b)) => mul([var(a), var(b)]),
        None => var(name),
    }
}

/// Σ_a Σ_b body = Σ_b Σ_a body for indices a and b with these bounds.
fn swap(h: &Context, (a, first): (&str, &str), (b, second): (&str, &str), body: &str) -> Proof {
    let inside = h.with([(a, first), (b, second)].map(|(x, d)| item(x, Sort::Index(size(d)))))?;
    let body = written::term(&inside, body)?;
    exchange(h, (a, &size(first)), (b, &size(second)), &body)
}

/// d, C, the gradients g of user i's loss at her model for every data set of hers, and her data, as one record.
fn user() -> Vec<Item> {
    vec![
        item("d", Sort::Count),
        positive("C"),
        item("g", Sort::Feature(var("d"))),
        item("D", Sort::Dataset(num(1), Relation::ReplaceOne)),
    ]
}

/// Entry j of the clipped gradient.
fn clip(z: &Term) -> Term {
    at(&op(Op::Clip, [app("g", [z.clone()]), var("C")]), &var("j"))
}

fn total() -> Term {
    bind(Binder::Total, "z", var("D"), clip(&var("z")))
}

pub(super) fn entries(body: Term) -> Term {
    vector("j", var("d"), body)
}

fn moves(context: &Context, query: &Term, factor: Term, by: &Term) -> Proof {
    let share = Share {
        of: &|z| entries(mul([factor.clone(), clip(z)])),
        bound: &|here, z| clipped(here, &app("g", [var(z)]), &var("C")),
        factor: factor.clone(),
    };
    record_moves(context, "D", query, &share, by)
}

fn baseline(context: Context, query: Term, variance: Term) -> Statement {
    let command = Command::Release {
        name: "m".into(),
        query,
        law: op(Op::Normal, [var("d"), variance]),
    };
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Zcdp(var("s")),
        subject: Subject::Command(command.into()),
    };
    Statement { context, goal }
}

/// `decor-base-ldp`: user i's message, with noise of variance σ² = 2C²/s, is s-zCDP: (α, sα)-RDP for every α.
pub fn base_ldp() -> Result<Statement, Stuck> {
    let context = Context::default().with(user().into_iter().chain([positive("s")]))?;
    let variance = mul([num(2), var("C").pow(2)]) / var("s");
    Ok(baseline(context, entries(total()), variance))
}

/// `decor-base-cdp`: the average of n messages, r being the sum of the other gradients, each with noise of variance
/// σ² = 2C²/(ns), so that the average has σ²/n, is s-zCDP.
pub fn base_cdp() -> Result<Statement, Stuck> {
    let variance = mul([num(2), var("C").pow(2)]) / mul([var("n"), var("s")]);
    let more = [
        positive("s"),
        item("n", Sort::Count),
        item("r", space()),
        Item::Define("V".into(), vec![], variance),
    ];
    let context = Context::default().with(user().into_iter().chain(more))?;
    let average = entries((at(&var("r"), &var("j")) + total()) / var("n"));
    Ok(baseline(context, average, app("V", []) / var("n")))
}

/// The proof of [`base_ldp`] and [`base_cdp`], or of a statement with other constants.
pub fn prove_baseline(statement: &Statement) -> Proof {
    let context = &statement.context;
    let Goal::Private {
        notion,
        subject: Subject::Command(command),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not about a release"));
    };
    let Command::Release { query, .. } = &**command else {
        return Err(Stuck::new("no release"));
    };
    let factor = match context.get("n") {
        Some(_) => num(1) / var("n"),
        None => num(1),
    };
    let by = mul([num(2), var("C"), factor.clone()]);
    let private = gaussian(context, command, &moves(context, query, factor, &by)?)?;
    within(&private, context, notion, vec![])
}

/// What costs no more, in a notion with one number.
fn within(theorem: &Theorem, context: &Context, notion: &Notion, parts: Vec<Part<'_>>) -> Proof {
    let Goal::Private { notion: found, .. } = &theorem.statement().goal else {
        return Err(Stuck::new("not about privacy"));
    };
    let less = Goal::Le(found.numbers()[0].clone(), notion.numbers()[0].clone());
    weaken(theorem, notion, &[&combine(context, less, &parts)?])
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

fn access(mechanism: &str) -> Command {
    Command::Call {
        name: "a".into(),
        of: app(mechanism, [var("h")]),
    }
}

/// T accesses to a mechanism, each of which sees what was released before.
fn accesses(mechanism: &str) -> Process {
    let h = State {
        name: "h".into(),
        dimension: var("m"),
        start: var("h₀"),
    };
    Process {
        states: vec![h],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("T"),
            body: vec![access(mechanism), Command::Set("h".into(), var("a"))],
        }],
    }
}

/// `decor-drv-4`: T steps of slope s are (Ts + 2√(Ts·log(1/δ)), δ)-DP, and those of slope u²/T with u = √(log(1/δ) + ε) −
/// √log(1/δ) are (ε, δ)-DP.
pub fn drv_4() -> Result<Statement, Stuck> {
    let step = |slope: Term| Sort::Mechanism(var("m"), "D".into(), Notion::Zcdp(slope));
    let root = (log() + var("ε")).sqrt() - log().sqrt();
    let context = Context::default().with([
        item("n", Sort::Count),
        item("m", Sort::Count),
        item("T", Sort::Count),
        positive("s"),
        positive("ε"),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        item("u", Sort::Real(Sign::NonNegative)),
        Item::Assume(Goal::Eq(var("u"), root)),
        item("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        item("A", step(var("s"))),
        item("B", step(var("u").pow(2) / var("T"))),
        item("h₀", Sort::Vector(var("m"), Sign::Any)),
        Item::Process("P".into(), accesses("A")),
        Item::Process("Q".into(), accesses("B")),
    ])?;
    let private = |process: &str, epsilon: Term| Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(epsilon, var("δ")),
        subject: Subject::Process(process.into(), View::Transcript),
    };
    let total = mul([var("T"), var("s")]);
    let goal = Goal::Both(vec![
        private("P", spent(&total, &var("δ"))),
        private("Q", var("ε")),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`drv_4`], or of a statement with other constants: ε − u² − 2u√l = (l + ε) − (u + √l)².
pub fn prove_drv_4(statement: &Statement) -> Proof {
    let (context, goals) = (&statement.context, all_goals(statement));
    let here = context.extended(item("h", Sort::Vector(var("m"), Sign::Any)))?;
    let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    let large = (log() + var("ε")).sqrt();
    let named = assumed(context, &Goal::Eq(var("u"), large.clone() - log().sqrt()))?;
    let mut proved = Vec::new();
    for ((mechanism, process), goal) in [("A", "P"), ("B", "Q")].into_iter().zip(goals) {
        let all = compose(context, process, "D", &[&call(&here, &access(mechanism))?])?;
        let (
            Goal::Private {
                notion: Notion::Zcdp(rho),
                ..
            },
            Goal::Private {
                notion: Notion::Approximate(epsilon, _),
                ..
            },
        ) = (&all.statement().goal, goal)
        else {
            return Err(Stuck::new("not two bounds"));
        };
        let within = Goal::Le(spent(rho, &var("δ")), epsilon.clone());
        let sum = large.clone() + var("u") + log().sqrt();
        let parts = match process {
            "P" => vec![],
            _ => vec![Part::new(sum, [Fact::from(&named)])],
        };
        let within = combine(context, within, &parts)?;
        let values = [rho.clone(), epsilon.clone(), var("δ")];
        proved.push(cite(
            context,
            &ZCDP_TO_DP,
            &values,
            &[&all, &small, &within],
        )?);
    }
    both(context, &proved.iter().collect::<Vec<_>>())
}

/// `decor-cor-12-alpha`: B(α) = 2αC²TS + l/(α − 1) is least at α⋆ = 1 + √l/(C√(2TS)), with the value 2C²TS + 2C√(2TS)·√l;
/// l is log(1/δ).
pub fn cor_12_alpha() -> Result<Statement, Stuck> {
    let [c, t, s, l, a] = ["C", "T", "S", "l", "a"].map(var);
    let twice = mul([num(2), c.pow(2), t.clone(), s.clone()]);
    let root = mul([num(2), t, s]).sqrt();
    let body = mul([a.clone(), twice.clone()]) + l.clone() / (a - num(1));
    let context = Context::default().with([
        positive("C"),
        item("T", Sort::Count),
        positive("S"),
        positive("δ"),
        positive("l"),
        Item::Assume(Goal::Eq(l.clone(), log())),
        positive("x"),
        Item::Define(
            "B".into(),
            vec![("a".to_owned(), Sort::Real(Sign::Any))],
            body,
        ),
    ])?;
    let at = |a: Term| app("B", [a]);
    let least = twice + mul([num(2), c.clone(), root.clone(), l.sqrt()]);
    let best = num(1) + l.sqrt() / mul([c, root]);
    let goal = Goal::Both(vec![
        Goal::Le(least.clone(), at(num(1) + var("x"))),
        Goal::Eq(at(best), least),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`cor_12_alpha`], or of a statement with other constants: the gap at 1 + x is x·(C√(2TS) − √l/x)².
pub fn prove_cor_12_alpha(statement: &Statement) -> Proof {
    let root = mul([num(2), var("T"), var("S")]).sqrt();
    let gap = mul([var("C"), root]) - var("l").sqrt() / var("x");
    together(
        statement,
        vec![vec![Part::new(mul([var("x"), gap.pow(2)]), [])]],
    )
}
