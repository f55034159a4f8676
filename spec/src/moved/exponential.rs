//! The exponential between its tangent and a parabola.

use crate::moved::written::{Proof, goals};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Fact, Part, Theorem, both, combine, discharge, exp_sum, tangent};
use dp_assay_kernel::search::exp::exp_of_opposite;
use dp_assay_kernel::search::{assumed, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Statement};
use dp_assay_kernel::term::{Term, mul, num, var};
use rug::Rational;

fn minus(t: Term) -> Term {
    num(-1) * t
}

/// 0 ≤ y and y ≤ 1.
fn unit() -> [Goal; 2] {
    [Goal::Le(num(0), var("y")), Goal::Le(var("y"), num(1))]
}

/// `ambssgd-lem-exp`: 1 + y ≤ e^y for all y, and e^y ≤ 1 + y + y² for y in \[0, 1\].
pub fn exponential() -> Result<Statement, Stuck> {
    let context = Context::default().extended(real("y", Sign::Any))?;
    let [low, high] = unit();
    let above = Goal::Le(var("y").exp(), num(1) + var("y") + var("y").pow(2));
    let goal = Goal::Both(vec![
        Goal::Le(num(1) + var("y"), var("y").exp()),
        Goal::If(low.into(), Goal::If(high.into(), above.into()).into()),
    ]);
    Ok(Statement { context, goal })
}

/// The proof of [`exponential`], or of a statement with other constants. With b = 1 − y/8, b⁸ ≤ e^{−y} by squaring, and
/// (1 + y + y²)·b⁸ − 1 is y² times a polynomial whose coefficients in the basis of Bernstein are ≥ 0.
pub fn prove_exponential(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [below, Goal::If(low, rest)] = goals(statement)? else {
        return Err(Stuck::new("not two goals"));
    };
    let Goal::If(high, above) = &**rest else {
        return Err(Stuck::new("not two hypotheses"));
    };
    let first = tangent(context, &var("y"))?;
    let below = combine(context, below.clone(), &[with(num(1), &first)])?;
    let given = [low, high].map(|goal| Item::Assume((**goal).clone()));
    let here = context.with(given)?;
    let [low, high] = unit().map(|goal| assumed(&here, &goal));
    let above = at_most_square(&here, above, [&low?, &high?])?;
    both(context, &[&below, &discharge(&discharge(&above)?)?])
}

/// b⁸ ≤ e^{−y} for b = 1 − y/8, from y ≤ 1.
fn eighth_power(context: &Context, high: &Theorem) -> Proof {
    let b = num(1) - var("y") / num(8);
    let decay = |n: i64| minus(var("y") / num(n)).exp();
    let first = tangent(context, &minus(var("y") / num(8)))?;
    // e² − b² = (e − b)² + 2b·(e − b), where b = 7/8 + (1 − y)/8.
    let [near, room] = [&first, high].map(Fact::from);
    let split = |n: i64| {
        exp_sum(
            context,
            &minus(var("y") / num(n)),
            &minus(var("y") / num(n)),
        )
    };
    let doubled = split(8)?;
    let parts = [
        Part::new(num(1), [near, near]),
        Part::new(num(7) / num(4), [near]),
        Part::new(num(1) / num(4), [near, room]),
        with(num(-1), &doubled),
    ];
    let mut fact = combine(context, Goal::Le(b.pow(2), decay(4)), &parts)?;
    for (n, power) in [(4, 2), (2, 4)] {
        let doubled = split(n)?;
        let next = Goal::Le(b.pow(2 * power), decay(n / 2));
        let parts = [
            with(decay(n) + b.pow(power), &fact),
            with(num(-1), &doubled),
        ];
        fact = combine(context, next, &parts)?;
    }
    Ok(fact)
}

/// C(8, i) times the coefficients of (1 + y + y²)·(1 − y/8)⁸ = 1 + y²·Σ c_i·yⁱ·(1 − y)^{8−i}.
fn bernstein() -> Vec<Rational> {
    let times = |a: &[Rational], b: &[Rational]| {
        let mut product = vec![Rational::new(); a.len() + b.len() - 1];
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                product[i + j] += Rational::from(x * y);
            }
        }
        product
    };
    let one = || Rational::from(1);
    let factor = [one(), Rational::from((-1, 8))];
    let whole = (0..8).fold(vec![one(), one(), one()], |p, _| times(&p, &factor));
    // Σ a_j·y^j = Σ_j a_j·y^j·(y + (1 − y))^{8−j}.
    let choose = |n: usize, k: usize| (0..k).fold(one(), |c, i| c * Rational::from((n - i, i + 1)));
    let quotient = &whole[2..];
    let coefficient = |i: usize| {
        let each = (0..=i).map(|j| choose(8 - j, i - j) * &quotient[j]);
        each.fold(Rational::new(), |sum, c| sum + c)
    };
    (0..=8).map(coefficient).collect()
}

fn at_most_square(context: &Context, goal: &Goal, [low, high]: [&Theorem; 2]) -> Proof {
    let power = eighth_power(context, high)?;
    let opposite = exp_of_opposite(context, &var("y"))?;
    let square = (var("y") + num(1) / num(2)).pow(2) + num(3) / num(4);
    let grown = var("y").exp();
    let mut parts = vec![
        with(mul([grown.clone(), square]), &power),
        with(minus(num(1) + var("y") + var("y").pow(2)), &opposite),
    ];
    for (i, c) in bernstein().into_iter().enumerate() {
        let (above, below) = c.into_numer_denom();
        let c = Term::Num(above.into()) / Term::Num(below.into());
        let facts = [vec![Fact::from(low); i], vec![Fact::from(high); 8 - i]].concat();
        let multiplier = mul([c, grown.clone(), var("y").pow(2)]);
        parts.push(Part::new(multiplier, facts));
    }
    combine(context, goal.clone(), &parts)
}
