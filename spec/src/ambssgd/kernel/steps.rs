//! One noisy step of Algorithm 1.

use super::{prove_step, setting, step};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, combine, gaussian, inverse, renyi};
use dp_assay_kernel::search::exp::{log_above, log_product};
use dp_assay_kernel::search::order::at_order;
use dp_assay_kernel::search::{assumed, positive, with};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Notion, Statement, Subject};
use dp_assay_kernel::term::{Op, Term, app, mul, num, op, var};
use rug::Rational;

/// The step with noise N(0, (2ηζα)²I).
fn release() -> Command {
    let deviation = mul([num(2), var("η"), var("ζ"), app("α", [])]);
    Command::Release {
        name: "w′".into(),
        query: step(|total| total),
        law: op(Op::Normal, [var("d"), deviation.pow(2)]),
    }
}

/// l = log(5/(4δ)).
fn logarithm() -> Goal {
    let inside = num(5) / mul([num(4), var("δ")]);
    Goal::Eq(var("l"), inside.log())
}

/// √(2l) ≤ c.
fn enough() -> Goal {
    Goal::Le(mul([num(2), var("l")]).sqrt(), var("c"))
}

/// `ambssgd-lem-A.1-restricted`: a step with noise N(0, (2ηζα)²I), α = c/ε and c ≥ √(2l), l = log(1.25/δ), is (ε, δ)-DP for
/// ε ≤ 1 and δ ≤ 1.
pub fn lem_a_1() -> Result<Statement, Stuck> {
    let numbers = ["η", "ζ", "ε", "δ", "l", "c"].map(positive).into_iter();
    let assumed = [
        Goal::Le(var("ε"), num(1)),
        Goal::Le(var("δ"), num(1)),
        logarithm(),
        enough(),
    ];
    let alpha = Item::Define("α".into(), vec![], var("c") / var("ε"));
    let items = numbers.chain(assumed.map(Item::Assume)).chain([alpha]);
    let context = Context::default().with(items.chain(setting(num(1))))?;
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Command(release().into()),
    };
    Ok(Statement { context, goal })
}

/// √(2l) ≤ c, from what is assumed of c.
fn enough_noise(context: &Context) -> Proof {
    let found = context.items().iter().find_map(|item| match item {
        Item::Assume(goal @ Goal::Le(_, c)) if *c == var("c") => Some(goal),
        _ => None,
    });
    let found = found.ok_or_else(|| Stuck::new("c is not bounded"))?;
    let fact = assumed(context, found)?;
    combine(context, enough(), &[with(num(1), &fact)])
}

/// 11/50, which is below log(5/4).
fn least() -> Term {
    num(11) / num(50)
}

/// log(1/δ) + 11/50 ≤ l.
fn above(context: &Context) -> Proof {
    let (own, quarter) = (num(1) / var("δ"), num(5) / num(4));
    let low = log_above(
        context,
        &Rational::from((5, 4)),
        &Rational::from((11, 50)),
        4,
    )?;
    let [split, _] = log_product(context, &quarter, &own)?;
    let named = assumed(context, &logarithm())?;
    let parts = vec![
        with(num(1), &low),
        with(num(1), &split),
        with(num(-1), &named),
    ];
    combine(context, Goal::Le(own.log() + least(), var("l")), &parts)
}

/// The proof of [`lem_a_1`], or of a statement with other constants. The step is (ε²/(2c²))-zCDP; at the order 1 + x with
/// x = 2l/ε it spends at most ε + (ε/2 − 11/50)/x, which is ε + 1/(1 + x) or less as x ≥ 11/25.
pub fn prove_lem_a_1(statement: &Statement) -> Proof {
    let context = &statement.context;
    let Goal::Private {
        notion: Notion::Approximate(epsilon, _),
        ..
    } = &statement.goal
    else {
        return Err(Stuck::new("not (ε, δ)-DP"));
    };
    let moves = Statement {
        context: context.clone(),
        goal: Goal::Moves {
            data: "D".into(),
            query: step(|total| total),
            by: mul([num(2), var("η"), var("ζ")]),
        },
    };
    let private = gaussian(context, &release(), &prove_step(&moves)?)?;
    let x = mul([num(2), var("l")]) / var("ε");
    let order = renyi(&private, &(num(1) + x.clone()))?;
    let one = assumed(context, &Goal::Le(var("ε"), num(1)))?;
    let parts = spent(context, &x, &one)?;
    let parts = parts
        .iter()
        .map(|(factor, fact)| with(factor.clone(), fact));
    let ends = [epsilon, &var("δ")];
    at_order(&order, ends, parts.collect::<Vec<Part<'_>>>())
}

/// Multiples of facts that add up to ε + 1/(1 + x) − (ε²/(2c²))·(1 + x) − log(1/δ)/x, less what is plainly ≥ 0.
fn spent(context: &Context, x: &Term, one: &Theorem) -> Result<Vec<(Term, Theorem)>, Stuck> {
    let (epsilon, l, c) = (var("ε"), var("l"), var("c"));
    let above = above(context)?;
    let low = combine(
        context,
        Goal::Le(least(), l.clone()),
        &[with(num(1), &above)],
    )?;
    let large = enough_noise(context)?;
    let sum = c.clone() + mul([num(2), l.clone()]).sqrt();
    let squares = Goal::Le(mul([num(2), l.clone()]), c.pow(2));
    let squares = combine(context, squares, &[with(sum, &large)])?;
    let next = num(1) + x.clone();
    let whole = inverse(context, &next)?;
    // With u = 1/(1 + x): u − (14/50)/x = (36/50)·(u/x)·(x − 7/18), and x − 11/25 = (2/ε)·(l − 11/50) + (11/25)·(1/ε − 1).
    let over_x = || num(1) / x.clone();
    let share = mul([num(18) / num(25), num(1) / next.clone(), over_x()]);
    let noise = mul([epsilon.pow(2), next]) / mul([num(4), l, c.pow(2)]);
    let of_one = over_x() / num(2) + mul([share.clone(), num(11) / num(25)]) / epsilon.clone();
    Ok(vec![
        (noise, squares),
        (over_x(), above),
        (of_one, one.clone()),
        (mul([share, num(2)]) / epsilon, low),
        (mul([num(-7) / num(25), over_x()]), whole),
    ])
}
