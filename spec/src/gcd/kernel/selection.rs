//! `gcd-mech-rnm-repaired`: one selection, private by an argmax that is robust and a shift of its noise.

use super::{Entry, gradient, moved, ratios, select, select_by, sensitivity_of, setting};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, argmax, combine, shift};
use dp_assay_kernel::statement::{Context, Goal, Item, Notion, Sign, Sort, Statement, Subject};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, op, var};

/// The selection is ε-DP, in a context with w, where `noise`(k) is ε·λ′ₖ.
pub(super) fn private(
    here: &Context,
    slope: Entry,
    epsilon: &Term,
    noise: impl Fn(&Term) -> Term,
) -> Result<Theorem, Stuck> {
    let inner = here.extended(Item::Var("k".into(), Sort::Index(var("p"))))?;
    let kept = argmax(
        here,
        &select_by(slope),
        &sensitivity_of(&inner, slope, "k", &moved(&var("k")))?,
    )?;
    let Goal::Keeps { by, .. } = &kept.statement().goal else {
        return Err(Stuck::new("no choice that is kept"));
    };
    let enough = Goal::Le(by.clone(), noise(&var("k")));
    let enough = combine(&inner, enough, &[])?;
    shift(here, &kept, epsilon, &enough)
}

/// The claim: the selection with λ′_j = √M_j·(r_j + max_{k≠j} r_k)/ε′ is ε′-DP.
pub fn statement() -> Result<Statement, Stuck> {
    let [j, k] = [var("j"), var("k")];
    let others = op(Op::Except, [var("p"), j.clone()]);
    let all = app("r", [j.clone()]) + bind(Binder::Sup, "k", others, app("r", [k]));
    let scale = mul([at(&var("M"), &j).sqrt(), all]) / var("ε′");
    let index = vec![("j".to_owned(), Sort::Index(var("p")))];
    let more = [
        ratios(),
        Item::Var("ε′".into(), Sort::Real(Sign::Positive)),
        Item::Define("λ′".into(), index, scale),
        Item::Var("w".into(), Sort::Vector(var("p"), Sign::Any)),
    ];
    let context = Context::default().with(setting().into_iter().chain(more))?;
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Pure(var("ε′")),
        subject: Subject::Command(select().into()),
    };
    Ok(Statement { context, goal })
}

/// The proof, for this statement or one with other constants.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let Goal::Private {
        notion: Notion::Pure(epsilon),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not pure"));
    };
    let noise = |k: &Term| mul([epsilon.clone(), app("λ′", [k.clone()])]);
    private(&statement.context, gradient, epsilon, noise)
}
