//! `gcd-thm-4.4-sc-T-repaired`: how many rounds bring an excess down that each multiplies by 1 − μ/4.

use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, combine, exp_log, exp_sum, sum_over, tangent, telescope};
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite, exp_of_zero};
use dp_assay_kernel::search::{assumed, combine_with_slack, positive, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Op, Term, mul, num, op, var};

/// μ/4.
fn rate() -> Term {
    var("μ") / num(4)
}

/// q = 1 − μ/4.
fn factor() -> Goal {
    Goal::Eq(var("q"), num(1) - rate())
}

/// log(1/ν).
fn log() -> Term {
    (num(1) / var("ν")).log()
}

/// (4/μ)·log(1/ν) ≤ T.
fn long() -> Goal {
    Goal::Le(mul([num(4) / var("μ"), log()]), var("T"))
}

fn power(t: &Term) -> Term {
    op(Op::Pow, [var("q"), t.clone()])
}

/// T ≥ (4/μ)·log(1/ν) makes (1 − μ/4)^T·ξ₀ ≤ ν·ξ₀, q being 1 − μ/4.
///
/// # Errors
/// If the kernel finds an item of it ill-formed.
pub fn statement() -> Result<Statement, Stuck> {
    let context = Context::default().with([
        positive("μ"),
        Item::Assume(Goal::Le(var("μ"), num(1))),
        positive("q"),
        Item::Assume(factor()),
        positive("ν"),
        Item::Assume(Goal::Le(var("ν"), num(1))),
        Item::Var("ξ₀".into(), Sort::Real(Sign::NonNegative)),
        Item::Var("T".into(), Sort::Count),
        Item::Assume(long()),
    ])?;
    let left = mul([power(&var("T")), var("ξ₀")]);
    let goal = Goal::Le(left, mul([var("ν"), var("ξ₀")]));
    Ok(Statement { context, goal })
}

/// e^{xt}·q^t for x = μ/4, which does not grow with t.
fn scaled(t: &Term) -> Term {
    mul([mul([rate(), t.clone()]).exp(), power(t)])
}

/// The proof, for this statement or one with other constants: q^T ≤ e^{−μT/4} ≤ ν.
///
/// # Errors
/// If a rule does not apply.
pub fn prove(statement: &Statement) -> Result<Theorem, Stuck> {
    let (context, t, bound) = (&statement.context, var("t"), var("T"));
    let steps = sum_over(&shrinks(context)?)?;
    let all = telescope(context, "t", &bound, &scaled(&t))?;
    let zero = exp_of_zero(context)?;
    // e^{xT}·q^T ≤ e^0.
    let parts = [
        with(num(1), &steps),
        with(num(-1), &all),
        with(num(-1), &zero),
    ];
    let least = combine(context, Goal::Le(scaled(&bound), num(1)), &parts)?;
    // e^{−xT} ≤ e^{−log(1/ν)} = ν.
    let spent = mul([rate(), bound.clone()]);
    let given = assumed(context, &long())?;
    let below = Goal::Le(num(0) - spent.clone(), num(0) - log());
    let below = exp_increases(&combine(context, below, &[with(rate(), &given)])?)?;
    let of_spent = exp_of_opposite(context, &spent)?;
    let (of_log, named) = (
        exp_of_opposite(context, &log())?,
        exp_log(context, &(num(1) / var("ν")))?,
    );
    let (scale, nu) = (var("ξ₀"), var("ν"));
    let decay = (num(0) - spent).exp();
    let lost = (num(0) - log()).exp();
    let times = |factors: Vec<Term>| Term::Op(Op::Mul, factors);
    let parts = vec![
        with(mul([scale.clone(), decay]), &least),
        with(times(vec![scale.clone(), power(&bound)]), &of_spent),
        with(scale.clone(), &below),
        with(times(vec![num(-1), nu.clone(), scale.clone()]), &of_log),
        with(times(vec![num(-1), nu, scale, lost]), &named),
    ];
    combine_with_slack(context, statement.goal.clone(), parts)
}

/// e^{x(t+1)}·q^{t+1} − e^{xt}·q^t ≤ 0 for every t, since e^x·q ≤ e^x·e^{−x} = 1.
fn shrinks(context: &Context) -> Result<Theorem, Stuck> {
    let (t, x) = (var("t"), rate());
    let each = context.extended(Item::Var("t".into(), Sort::Index(var("T"))))?;
    let above = tangent(&each, &(num(0) - x.clone()))?;
    let unit = exp_of_opposite(&each, &x)?;
    let named = assumed(&each, &factor())?;
    let once = Goal::Le(mul([x.exp(), var("q")]), num(1));
    let parts = [
        with(x.exp(), &above),
        with(num(-1), &unit),
        with(x.exp(), &named),
    ];
    let once = combine(&each, once, &parts)?;
    let before = mul([x.clone(), t.clone()]);
    let split = exp_sum(&each, &before, &x)?;
    let next = t.clone() + num(1);
    let goal = Goal::Le(scaled(&next) - scaled(&t), num(0));
    let parts = [
        with(scaled(&t), &once),
        with(mul([power(&t), var("q")]), &split),
    ];
    combine(&each, goal, &parts)
}
