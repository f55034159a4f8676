//! Composition in the paper's words: `gcd-red-tail`, `gcd-imp-cor3.21-restricted` and `gcd-eq-2-repaired`.

use super::{accesses, context, gradient};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, call, cite, combine, compose, forget, root_increases, tangent,
};
use dp_assay_kernel::search::{assumed, positive, pure_as_zcdp, zcdp_cost};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement, Subject,
    View,
};
use dp_assay_kernel::term::{Term, app, at, mul, num, var};

fn define(name: &str, body: Term) -> Item {
    Item::Define(name.into(), vec![], body)
}

/// log(1/δ).
fn log() -> Term {
    (num(1) / var("δ")).log()
}

/// a ← A(h), which then is the state: what A releases may hold all that it was given.
fn access() -> Command {
    Command::Call {
        name: "a".into(),
        of: app("A", [var("h")]),
    }
}

/// k accesses to mechanisms that are ε-DP, each of which sees what was released before.
fn adaptive(more: impl IntoIterator<Item = Item>, epsilon: Term) -> Result<Context, Stuck> {
    let h = State {
        name: "h".into(),
        dimension: var("m"),
        start: var("h₀"),
    };
    let accesses = Command::Repeat {
        index: "t".into(),
        times: var("k"),
        body: vec![access(), Command::Set("h".into(), var("a"))],
    };
    let process = Process {
        states: vec![h],
        body: vec![accesses],
    };
    let before = [
        Item::Var("n".into(), Sort::Count),
        Item::Var("m".into(), Sort::Count),
        Item::Var("k".into(), Sort::Count),
        Item::Var("D".into(), Sort::Dataset(var("n"), Relation::ReplaceOne)),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
    ];
    let private = Sort::Mechanism(var("m"), "D".into(), Notion::Pure(epsilon));
    let after = [
        Item::Var("A".into(), private),
        Item::Var("h₀".into(), Sort::Vector(var("m"), Sign::Any)),
        Item::Process("P".into(), process),
    ];
    Context::default().with(before.into_iter().chain(more).chain(after))
}

fn private(process: &str, view: View, epsilon: Term) -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(epsilon, var("δ")),
        subject: Subject::Process(process.into(), view),
    }
}

/// `gcd-red-tail`: k adaptive ε-DP accesses are (ρ + 2√(ρ·log(1/δ)), δ)-DP with ρ = k·ε²/2.
pub fn tail() -> Result<Statement, Stuck> {
    let rho = define("ρ", mul([var("k"), var("ε").pow(2)]) / num(2));
    let context = adaptive([positive("ε"), rho], var("ε"))?;
    let total = spent(&app("ρ", []), &var("δ"));
    let goal = private("P", View::Transcript, total);
    Ok(Statement { context, goal })
}

/// `gcd-imp-advcomp`: k adaptive ε′-DP accesses are (ε, δ)-DP with ε = √(2k·log(1/δ))·ε′ + kε′(e^ε′ − 1).
pub fn advanced() -> Result<Statement, Stuck> {
    let e = || var("e");
    let root = mul([num(2), var("k"), log()]).sqrt();
    let linear = mul([var("k"), e(), e().exp() - num(1)]);
    let some = Item::Var("e".into(), Sort::Real(Sign::NonNegative));
    let context = adaptive([some], e())?;
    let goal = private("P", View::Transcript, mul([root, e()]) + linear);
    Ok(Statement { context, goal })
}

/// `gcd-imp-cor3.21-restricted`: k accesses that are ε′-DP with ε′ = ε/(2√(2k·l)) are (ε, δ)-DP if ε ≤ 8l, l being
/// log(1/δ).
pub fn corollary_3_21() -> Result<Statement, Stuck> {
    let share = var("ε") / mul([num(2), mul([num(2), var("k"), var("l")]).sqrt()]);
    let items = [
        positive("l"),
        Item::Assume(Goal::Eq(var("l"), log())),
        positive("ε"),
        Item::Assume(Goal::Le(var("ε"), mul([num(8), var("l")]))),
        define("ε′", share),
    ];
    let context = adaptive(items, app("ε′", []))?;
    let goal = private("P", View::Transcript, var("ε"));
    Ok(Statement { context, goal })
}

/// The proof of [`tail`], [`advanced`] and [`corollary_3_21`], or of a statement with other constants.
pub fn prove_adaptive(statement: &Statement) -> Proof {
    let (context, epsilon) = (&statement.context, target(statement)?);
    let h = Item::Var("h".into(), Sort::Vector(var("m"), Sign::Any));
    let here = context.extended(h)?;
    let pure = call(&here, &access())?;
    let Goal::Private {
        notion: Notion::Pure(each),
        ..
    } = &pure.statement().goal
    else {
        return Err(Stuck::new("not pure"));
    };
    let once = pure_as_zcdp(&pure)?;
    let all = compose(context, "P", "D", &[&once])?;
    let rho = mul([var("k"), each.pow(2) / num(2)]);
    let goal = Goal::Le(spent(&rho, &var("δ")), epsilon.clone());
    let above = tangent(context, each)?;
    let budget = match context.get("ε′") {
        // ρ = ε²/(16l) is at most ε/2, and ρ·log(1/δ) = (ε/4)².
        Some(_) => {
            let bound = context.items().iter().find_map(|item| match item {
                Item::Assume(goal @ Goal::Le(x, _)) if *x == var("ε") => Some(goal),
                _ => None,
            });
            let bound = bound.ok_or_else(|| Stuck::new("ε is not bounded"))?;
            let bound = assumed(context, bound)?;
            let enough = Goal::Le(var("ε"), mul([num(8), var("l")]));
            let parts = vec![Part::new(num(1), [Fact::from(&bound)])];
            let enough = combine(context, enough, &parts)?;
            let named = assumed(context, &Goal::Eq(var("l"), log()))?;
            let quarter = (epsilon.clone() / num(4)).pow(2);
            let product = Goal::Le(mul([rho.clone(), log()]), quarter);
            let parts = vec![Part::new(num(-1) * rho.clone(), [Fact::from(&named)])];
            let root = root_increases(&combine(context, product, &parts)?)?;
            let share = epsilon.clone() / mul([num(16), var("l")]);
            let parts = vec![
                Part::new(num(2), [Fact::from(&root)]),
                Part::new(share, [Fact::from(&enough)]),
            ];
            combine(context, goal, &parts)?
        }
        None if context.get("ε").is_some() => combine(context, goal, &[])?,
        None => with_tangent(context, &goal, &mul([var("k"), each.clone()]), &above)?,
    };
    let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    cite(
        context,
        &ZCDP_TO_DP,
        &[rho, epsilon, var("δ")],
        &[&all, &small, &budget],
    )
}

/// A bound from ε′ ≤ e^ε′ − 1, as often as the statement has it, and an equation that is assumed.
fn with_tangent(context: &Context, goal: &Goal, unit: &Term, above: &Theorem) -> Proof {
    let equation = context.items().iter().find_map(|item| match item {
        Item::Assume(goal @ Goal::Eq(..)) => Some(goal),
        _ => None,
    });
    let equation = equation.map(|goal| assumed(context, goal)).transpose()?;
    let times = |c: i64| {
        let mut parts = vec![Part::new(mul([num(c), unit.clone()]), [Fact::from(above)])];
        parts.extend(equation.iter().map(|t| Part::new(num(1), [Fact::from(t)])));
        combine(context, goal.clone(), &parts)
    };
    (2..=4).fold(times(1), |found, c| found.or_else(|_| times(c)))
}

/// The ε of a statement that something is (ε, δ)-DP.
fn target(statement: &Statement) -> Result<Term, Stuck> {
    match &statement.goal {
        Goal::Private {
            notion: Notion::Approximate(epsilon, _),
            ..
        } => Ok(epsilon.clone()),
        _ => Err(Stuck::new("not (ε, δ)-DP")),
    }
}

/// √(4T·log(1/δ))·ε′ + 2Tε′(e^ε′ − 1), and λ_j = 2L_j/(nε′).
fn of_access() -> (Term, Term) {
    let e = var("ε′");
    let root = mul([num(4), var("T"), log()]).sqrt();
    let linear = mul([num(2), var("T"), e.clone(), e.exp() - num(1)]);
    let scale = mul([num(2), at(&var("L"), &var("j"))]) / mul([var("n"), e.clone()]);
    (mul([root, e]) + linear, scale)
}

/// `gcd-eq-2-repaired`: Algorithm 1 with λ_j = 2L_j/(nε′) and λ′_j = (1 + max_{k≠j} r_k/r_j)·λ_j is (ε, δ)-DP for
/// ε = √(4T·log(1/δ))·ε′ + 2Tε′(e^ε′ − 1).
pub fn equation_2() -> Result<Statement, Stuck> {
    let (epsilon, scale) = of_access();
    let context = context([positive("ε′"), define("ε", epsilon)], scale, gradient)?;
    let goal = private("Alg1", View::End, app("ε", []));
    Ok(Statement { context, goal })
}

/// `gcd-rem-4.3-repaired`: the same for a given ε > 0 and every ε′ that solves equation (2). That there is one, since the
/// right side grows from 0 without bound, is no part of it.
pub fn remark_4_3() -> Result<Statement, Stuck> {
    let (epsilon, scale) = of_access();
    let solved = Item::Assume(Goal::Eq(epsilon, var("ε")));
    let context = context([positive("ε"), positive("ε′"), solved], scale, gradient)?;
    let goal = private("Alg1", View::End, var("ε"));
    Ok(Statement { context, goal })
}

/// The proof of [`equation_2`] and [`remark_4_3`], or of a statement with other constants: ρ = Tε′², √(ρ·log(1/δ)) = ε′·√(T·log(1/δ)),
/// and ε′ ≤ e^ε′ − 1.
pub fn prove_equation_2(statement: &Statement) -> Proof {
    let (context, epsilon) = (&statement.context, target(statement)?);
    let e = var("ε′");
    let all = accesses(context, &e)?;
    let rho = zcdp_cost(&all.statement().goal)?;
    let above = tangent(context, &e)?;
    let goal = Goal::Le(spent(rho, &var("δ")), epsilon.clone());
    let budget = with_tangent(context, &goal, &mul([var("T"), e]), &above)?;
    let small = assumed(context, &Goal::Le(var("δ"), num(1)))?;
    let values = [rho.clone(), epsilon, var("δ")];
    let private = cite(context, &ZCDP_TO_DP, &values, &[&all, &small, &budget])?;
    forget(&private, View::End)
}
