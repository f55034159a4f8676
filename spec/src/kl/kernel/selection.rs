//! Theorem 5: the private choice of an iterate, by itself and behind the loop of Algorithm 3.
//!
//! In the algorithm h is what is kept of the past and b marks the rounds that have begun: H, which puts an iterate into h, and W,
//! which takes the iterate of a round out of it, may be any functions; those that store all iterates give the method as printed.

use super::adaptive::useful::rare;
use super::adaptive::{INSIDE, REPAIRED, Variant, ZERO_OUT, private, root_rho};
use super::{entries, item, mean, positive, sensitivity_at, setting};
use crate::moved::written::{Proof, given, goal, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, combine, exp_sum, expected, sum_over, union, weaken, weighted,
};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::exp_increases;
use dp_assay_kernel::search::{
    assumed, norm_moves, range_as_pure, range_as_zcdp, real, with, zcdp_cost,
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

pub(super) type Rule = fn(&Context, &Command, &Theorem) -> Proof;

/// The draw is so private by a rule: the norm of a mean gradient moves by at most 2L₀/n, or L₀/n.
pub(super) fn drawn(here: &Context, rule: Rule, weight: Term, w: &Term) -> Proof {
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

fn prove_of_iterates(statement: &Statement, rule: Rule) -> Proof {
    let here = &statement.context;
    let drawn = drawn(here, rule, num(1), &at(&var("w"), &var("k")))?;
    let (Goal::Private { notion: cost, .. }, Goal::Private { notion, .. }) =
        (&drawn.statement().goal, &statement.goal)
    else {
        return Err(Stuck::new("not about privacy"));
    };
    let less = Goal::Le(cost.numbers()[0].clone(), notion.numbers()[0].clone());
    weaken(&drawn, notion, &[&combine(here, less, &[])?])
}

/// `kl-mech-tstar`: given the iterates, the draw is (ρ/2)-zCDP if a record is replaced.
pub fn tstar() -> Result<Statement, Stuck> {
    of_iterates(Relation::ReplaceOne, Notion::Zcdp(var("ρ") / num(2)))
}

/// The proof of [`tstar`], or of a statement with another cost.
pub fn prove_tstar(statement: &Statement) -> Proof {
    prove_of_iterates(statement, range_as_zcdp)
}

/// `kl-thm-5-priv-proof-reading-zero-out`: given the iterates, the draw is √ρ-DP, that is (√ρ, 0)-DP, if a record is left out.
pub fn proof_zero_out() -> Result<Statement, Stuck> {
    of_iterates(Relation::ZeroOut, Notion::Pure(root_rho()))
}

/// The proof of [`proof_zero_out`], or of a statement with another cost.
pub fn prove_proof_zero_out(statement: &Statement) -> Proof {
    prove_of_iterates(statement, range_as_pure)
}

/// n√ρ ≥ 4.
fn many() -> Goal {
    Goal::Le(num(4), mul([var("n"), root_rho()]))
}

/// exp(−n√ρ·y/(2L₀)).
pub(super) fn score(y: &Term) -> Term {
    mul([factor(), y.clone()]).exp()
}

/// −n√ρ·x/(2L₀) ≤ −n√ρ·y/(2L₀) from y ≤ x.
pub(super) fn scaled(here: &Context, x: &Term, y: &Term, fact: &Theorem) -> Proof {
    let rate = mul([var("n"), root_rho()]) / mul([num(2), var("L₀")]);
    let goal = Goal::Le(mul([factor(), x.clone()]), mul([factor(), y.clone()]));
    combine(here, goal, &[with(rate, fact)])
}

/// E_s(1 − 1\[x ≤ y\]) ≤ R·score(y)/least for a draw of s by weights base·score(x), base at most 1, of which a fact says that they
/// add up to `least` or more.
pub(super) fn rarely(here: &Context, law: &Term, event: &Goal, enough: &Theorem) -> Proof {
    let (Goal::Le(x, y), Goal::Le(least, _)) = (event, &enough.statement().goal) else {
        return Err(Stuck::new("no event"));
    };
    let Term::Bind(Binder::Weighted, k, over, _) = law else {
        return Err(Stuck::new("no draw by weights"));
    };
    let lost = num(1) - op(Op::AtMost, [x.clone(), y.clone()]);
    let drawn = here.extended(item("s", Sort::Index((**over).clone())))?;
    let sure = at_most_one(&drawn, &op(Op::AtMost, [x.clone(), y.clone()]))?;
    let positive = Goal::Le(num(0), lost.clone());
    let positive = expected(&combine(&drawn, positive, &[with(num(1), &sure)])?, law)?;
    let mean = weighted(here, law, &lost.put("s", &var(k)))?;
    let sums = lost_weights(here, law, event)?;
    let unit = num(1) / least.clone();
    let rare = mul([(**over).clone(), score(y)]) / least.clone();
    let goal = Goal::Le(bind(Binder::Expect, "s", law.clone(), lost), rare);
    let parts = vec![
        with(unit.clone(), &sums),
        with(unit.clone(), &mean),
        Part::new(unit, [enough, &positive].map(Into::into)),
    ];
    combine(here, goal, &parts)
}

/// Σ_k weight·(1 − 1\[x ≤ y\]) ≤ R·score(y).
fn lost_weights(here: &Context, law: &Term, event: &Goal) -> Proof {
    let (Term::Bind(_, k, over, weight), Goal::Le(x, y)) = (law, event) else {
        return Err(Stuck::new("no event of a draw"));
    };
    let b = var("b");
    let inner = here.extended(item("b", Sort::Index((**over).clone())))?;
    let (weight, x) = (weight.put(k, &b), x.put("s", &b));
    let Term::Op(Op::Mul, factors) = &weight else {
        return Err(Stuck::new("no product"));
    };
    let missed = num(1) - op(Op::AtMost, [x.clone(), y.clone()]);
    let goal = Goal::Le(mul([weight.clone(), missed]), score(y));
    let begun = match &factors[0] {
        Term::Num(_) => None,
        base => Some(at_most_one(&inner, base)?),
    };
    let one = split(
        &inner,
        [&x, y],
        |here, fact| {
            let sure = union(fact)?;
            combine(here, goal.clone(), &[with(weight.clone(), &sure)])
        },
        |here, none| {
            let order = beyond(here, none)?;
            let low = exp_increases(&scaled(here, &x, y, &order)?)?;
            let mut parts = vec![with(num(1), &low)];
            parts.extend(begun.iter().map(|begun| with(score(&x), begun)));
            combine(here, goal.clone(), &parts)
        },
    )?;
    sum_over(&one)
}

/// `kl-thm-5-select`, for R candidates, of which q is any: the least one, too.
pub fn select() -> Result<Statement, Stuck> {
    let here = of_iterates(Relation::ReplaceOne, Notion::Zcdp(var("ρ")))?.context;
    let here = here.with([
        positive("β"),
        real("Λ", Sign::NonNegative),
        item("q", Sort::Index(var("R"))),
    ])?;
    let given = ["β ≤ n·√(ρ)", "log(n·√(ρ)/β) = Λ", "R ≤ n·√(ρ)/2", "β ≤ 1"];
    let context = given.iter().try_fold(here, |here, text| {
        let goal = goal(&here, text)?;
        here.extended(Item::Assume(goal))
    })?;
    let Command::Draw { law, .. } = draw(num(1), &at(&var("w"), &var("k"))) else {
        return Err(Stuck::new("no draw"));
    };
    let norm = |k: &str| gradient(&at(&var("w"), &var(k))).norm();
    let room = term(&context, "L₀·Λ/√(n·√(ρ)) + 4·L₀·Λ/(n·√(ρ))")?;
    let event = op(Op::AtMost, [norm("s"), room + norm("q")]);
    let success = bind(Binder::Expect, "s", law, event);
    let goal = Goal::Le(num(1) - mul([num(2), var("β")]), success);
    Ok(Statement { context, goal })
}

/// The proof of [`select`], or of a statement with a larger bound or probability.
pub fn prove_select(statement: &Statement) -> Proof {
    let (here, goal) = (&statement.context, &statement.goal);
    let Goal::Le(_, Term::Bind(_, s, law, event)) = goal else {
        return Err(Stuck::new("no probability"));
    };
    let Term::Op(Op::AtMost, sides) = event.put(s, &var("s")) else {
        return Err(Stuck::new("no event"));
    };
    let event = Goal::Le(sides[0].clone(), sides[1].clone());
    let Term::Bind(_, k, over, weight) = &**law else {
        return Err(Stuck::new("no draw by weights"));
    };
    // The weight of q is a part of the sum.
    let inner = here.extended(item("b", Sort::Index((**over).clone())))?;
    let unit = op(Op::Unit, [var("b"), var("q")]);
    let weight = weight.put(k, &var("b"));
    let slack = Part::new(mul([(num(1) - unit.clone()).pow(2), weight.clone()]), []);
    let each = Goal::Le(mul([unit, weight.clone()]), weight.clone());
    let all = sum_over(&combine(&inner, each, &[slack])?)?;
    let own = gradient(&at(&var("w"), &var("q"))).norm();
    let sum = bind(Binder::Sum, "b", (**over).clone(), weight);
    let enough = combine(here, Goal::Le(score(&own), sum), &[with(num(1), &all)])?;
    let few = rarely(here, law, &event, &enough)?;
    // score(y) ≤ score(own)·exp(−2Λ), exp(−Λ) ≤ β/(n√ρ).
    let (minus, twice) = (num(0) - var("Λ"), num(0) - mul([num(2), var("Λ")]));
    let y = &sides[1];
    let order = Goal::Le(
        mul([factor(), y.clone()]),
        mul([factor(), own.clone()]) + twice.clone(),
    );
    let low = exp_increases(&combine(here, order, &[])?)?;
    let split = exp_sum(here, &mul([factor(), own.clone()]), &twice)?;
    let square = exp_sum(here, &minus, &minus)?;
    let rare = rare(here)?;
    let ratio = var("R") / score(&own);
    let share = var("β") / mul([var("n"), root_rho()]);
    let (large, many) = (given(here, 0)?, given(here, 2)?);
    let parts = vec![
        with(num(1), &few),
        with(ratio.clone(), &low),
        with(ratio, &split),
        with(var("R"), &square),
        with(mul([var("R"), minus.exp() + share.clone()]), &rare),
        with(share.pow(2), &many),
        with(share / num(2), &large),
    ];
    combine(here, goal.clone(), &parts)
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

fn prove_followed(variant: Variant, statement: &Statement) -> Proof {
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
pub fn inside() -> Result<Statement, Stuck> {
    followed(INSIDE, None)
}

/// The proof of [`inside`], or of a statement with another cost.
pub fn prove_inside(statement: &Statement) -> Proof {
    prove_followed(INSIDE, statement)
}

/// `kl-thm-5-priv-repaired-zero-out`: the same with the charge at its cap when N ≤ 0, if a record is left out.
pub fn zero_out() -> Result<Statement, Stuck> {
    followed(ZERO_OUT, None)
}

/// The proof of [`zero_out`], or of a statement with another cost.
pub fn prove_zero_out(statement: &Statement) -> Proof {
    prove_followed(ZERO_OUT, statement)
}

/// `kl-thm-5-priv-repaired`: the same for n√ρ ≥ 4, if a record is replaced.
pub fn repaired() -> Result<Statement, Stuck> {
    followed(REPAIRED, Some(many()))
}

/// The proof of [`repaired`], or of a statement with another cost.
pub fn prove_repaired(statement: &Statement) -> Proof {
    prove_followed(REPAIRED, statement)
}
