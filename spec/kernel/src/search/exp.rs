//! What follows from three facts on the exponential: 1 + x ≤ exp(x), exp(x + y) = exp(x)·exp(y), exp(log x) = x.

use super::several::{join, joined, part};
use super::{assumed, with};
use crate::Stuck;
use crate::rules::{
    Part, Theorem, combine, discharge, exp_log, exp_sum, induction, inverse, require, sum_over,
    tangent, telescope,
};
use crate::statement::{Context, Goal, Item, Sort};
use crate::term::{Op, Term, mul, num, op, var};
use rug::Rational;

fn minus(t: &Term) -> Term {
    num(0) - t.clone()
}

/// 1 = exp(0), as a number that is its own square.
///
/// # Errors
/// If a rule does not apply, which none refuses.
pub fn exp_of_zero(context: &Context) -> Result<Theorem, Stuck> {
    let square = exp_sum(context, &num(0), &num(0))?;
    let unit = num(1) / num(0).exp();
    let goal = Goal::Eq(num(1), num(0).exp());
    combine(context, goal, &[with(unit, &square)])
}

/// exp(x)·exp(−x) = 1.
///
/// # Errors
/// If x is not a number here.
pub fn exp_of_opposite(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let product = exp_sum(context, x, &minus(x))?;
    let goal = Goal::Eq(num(1), mul([x.exp(), minus(x).exp()]));
    let one = exp_of_zero(context)?;
    let parts = [with(num(1), &one), with(num(1), &product)];
    combine(context, goal, &parts)
}

/// a ≤ b from exp(a) ≤ exp(b): a − b ≤ exp(a − b) − 1 = exp(−b)·(exp(a) − exp(b)).
fn exponents(
    context: &Context,
    (a, b): (&Term, &Term),
    theorem: &Theorem,
) -> Result<Theorem, Stuck> {
    let gap = a.clone() - b.clone();
    let above = tangent(context, &gap)?;
    let split = exp_sum(context, a, &minus(b))?;
    let unit = exp_of_opposite(context, b)?;
    let parts = [
        with(num(1), &above),
        with(num(1), &split),
        with(num(-1), &unit),
        with(minus(b).exp(), theorem),
    ];
    combine(context, Goal::Le(a.clone(), b.clone()), &parts)
}

/// log x ≤ t from x ≤ exp(t), for x plainly > 0.
///
/// # Errors
/// If the theorem is no inequality that ends with an exponential, or x may be ≤ 0.
pub fn log_at_most(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Le(x, Term::Op(Op::Exp, t)) = &theorem.statement().goal else {
        return Err(Stuck::new("no inequality with an exponential"));
    };
    let inverse = exp_log(context, x)?;
    let goal = Goal::Le(x.log().exp(), t[0].exp());
    let below = combine(
        context,
        goal,
        &[with(num(1), theorem), with(num(1), &inverse)],
    )?;
    exponents(context, (&x.log(), &t[0]), &below)
}

/// t ≤ log x from exp(t) ≤ x, for x plainly > 0.
///
/// # Errors
/// If the theorem is no inequality that begins with an exponential, or x may be ≤ 0.
pub fn log_at_least(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Le(Term::Op(Op::Exp, t), x) = &theorem.statement().goal else {
        return Err(Stuck::new("no inequality with an exponential"));
    };
    let inverse = exp_log(context, x)?;
    let goal = Goal::Le(t[0].exp(), x.log().exp());
    let above = combine(
        context,
        goal,
        &[with(num(1), theorem), with(num(-1), &inverse)],
    )?;
    exponents(context, (&t[0], &x.log()), &above)
}

/// log x ≤ log y from x ≤ y, both plainly > 0.
///
/// # Errors
/// If the theorem is no inequality of positive numbers.
pub fn log_increases(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Le(x, y) = &theorem.statement().goal else {
        return Err(Stuck::new("no inequality"));
    };
    let inverse = exp_log(context, x)?;
    let goal = Goal::Le(x.log().exp(), y.clone());
    let above = combine(
        context,
        goal,
        &[with(num(1), theorem), with(num(1), &inverse)],
    )?;
    log_at_least(&above)
}

/// exp(a) ≤ exp(b) from a ≤ b: exp(b) − exp(a) = exp(a)·(exp(b − a) − 1) ≥ exp(a)·(b − a).
///
/// # Errors
/// If the theorem is no inequality.
pub fn exp_increases(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Le(a, b) = &theorem.statement().goal else {
        return Err(Stuck::new("no inequality"));
    };
    let gap = b.clone() - a.clone();
    let above = tangent(context, &gap)?;
    let split = exp_sum(context, a, &gap)?;
    let parts = [
        with(a.exp(), &above),
        with(num(-1), &split),
        with(a.exp(), theorem),
    ];
    combine(context, Goal::Le(a.exp(), b.exp()), &parts)
}

/// log x ≤ x − 1 for x plainly > 0, written 1 + log x ≤ x.
///
/// # Errors
/// If x may be ≤ 0.
pub fn log_tangent(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let (above, inverse) = (tangent(context, &x.log())?, exp_log(context, x)?);
    let goal = Goal::Le(num(1) + x.log(), x.clone());
    combine(
        context,
        goal,
        &[with(num(1), &above), with(num(1), &inverse)],
    )
}

/// log x + log y = log(x·y), for x and y plainly > 0, as both inequalities.
///
/// # Errors
/// If one may be ≤ 0.
pub fn log_product(context: &Context, x: &Term, y: &Term) -> Result<[Theorem; 2], Stuck> {
    let (all, logs) = (mul([x.clone(), y.clone()]), x.log() + y.log());
    let split = exp_sum(context, &x.log(), &y.log())?;
    let (of_x, of_y) = (exp_log(context, x)?, exp_log(context, y)?);
    // exp(log x + log y) = exp(log x)·exp(log y) = x·exp(log y) = x·y.
    let parts = |sign: i64| {
        [
            with(num(sign), &split),
            with(mul([num(sign), y.log().exp()]), &of_x),
            with(mul([num(sign), x.clone()]), &of_y),
        ]
    };
    let below = combine(context, Goal::Le(logs.exp(), all.clone()), &parts(1))?;
    let above = combine(context, Goal::Le(all, logs.exp()), &parts(-1))?;
    Ok([log_at_least(&below)?, log_at_most(&above)?])
}

/// y ≤ log x for rational numbers x > 0 and y > 0: with q = 1 − y/2^n, exp(−y) ≥ q^(2^n) by squaring 1 − y/2^n ≤ exp(−y/2^n),
/// which is enough if it is at least 1/x.
///
/// # Errors
/// If it is not.
pub fn log_above(
    context: &Context,
    x: &Rational,
    y: &Rational,
    squarings: u32,
) -> Result<Theorem, Stuck> {
    let written = |q: &Rational| {
        let (above, below) = q.clone().into_numer_denom();
        Term::Num(above.into()) / Term::Num(below.into())
    };
    let mut exponent = -y.clone() >> squarings;
    let mut low = Rational::from(&exponent + 1);
    require(low > 0, "more squarings are needed")?;
    let below =
        |low: &Rational, exponent: &Rational| Goal::Le(written(low), written(exponent).exp());
    let first = tangent(context, &written(&exponent))?;
    let mut fact = combine(context, below(&low, &exponent), &[with(num(1), &first)])?;
    for _ in 0..squarings {
        let half = written(&exponent);
        let split = exp_sum(context, &half, &half)?;
        let factor = half.exp() + written(&low);
        exponent *= 2;
        low.square_mut();
        let parts = [with(factor, &fact), with(num(-1), &split)];
        fact = combine(context, below(&low, &exponent), &parts)?;
    }
    // exp(y) = exp(y)·exp(−y)/exp(−y) ≤ x, as x·exp(−y) ≥ 1.
    let t = written(y);
    let unit = exp_of_opposite(context, &t)?;
    let enough = Rational::from(&low * x) - 1u32;
    require(enough >= 0, "the squarings do not reach that")?;
    let x = written(x);
    let parts = [
        with(mul([x.clone(), t.exp()]), &fact),
        with(num(-1) * x.clone(), &unit),
        Part::new(mul([written(&enough), t.exp()]), []),
    ];
    log_at_least(&combine(context, Goal::Le(t.exp(), x), &parts)?)
}

/// z/(1 + z) ≤ log(1 + z) for z plainly > 0: log c ≥ 1 − exp(−log c) = 1 − 1/c for c = 1 + z.
///
/// # Errors
/// If z may be ≤ 0.
pub fn log_below(context: &Context, z: &Term) -> Result<Theorem, Stuck> {
    let c = num(1) + z.clone();
    let (log, whole) = (c.log(), num(1) / c.clone());
    let decay = minus(&log).exp();
    let above = tangent(context, &minus(&log))?;
    let unit = exp_of_opposite(context, &log)?;
    let named = exp_log(context, &c)?;
    let inverse = inverse(context, &c)?;
    let parts = [
        with(num(1), &above),
        with(num(1) - decay.clone(), &inverse),
        with(num(-1) * whole.clone(), &unit),
        with(mul([num(-1), whole, decay]), &named),
    ];
    combine(context, Goal::Le(z.clone() / c, log), &parts)
}

/// 0 ≤ log x from 1 ≤ x.
///
/// # Errors
/// If the theorem is not of that form, or x not plainly > 0.
pub fn log_not_negative(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Le(_, x) = &theorem.statement().goal else {
        return Err(Stuck::new("no inequality"));
    };
    let one = exp_of_zero(context)?;
    let goal = Goal::Le(num(0).exp(), x.clone());
    let parts = [with(num(1), theorem), with(num(-1), &one)];
    log_at_least(&combine(context, goal, &parts)?)
}

/// xⁿ = exp(n·log x) for a count n and x plainly > 0, since xᵏ·exp(−k·log x) is the same for every k.
///
/// # Errors
/// If x may be ≤ 0, or n is no count.
pub fn power(context: &Context, x: &Term, n: &Term) -> Result<Theorem, Stuck> {
    let mut index = "k".to_owned();
    while context.get(&index).is_some() || x.mentions(&index) || n.mentions(&index) {
        index.push('′');
    }
    let (k, log) = (var(&index), x.log());
    let decay = |k: &Term| minus(&mul([k.clone(), log.clone()])).exp();
    let raised = |k: &Term| op(Op::Pow, [x.clone(), k.clone()]);
    let flat = mul([raised(&k), decay(&k)]);
    let next = flat.put(&index, &(k.clone() + num(1)));
    // exp(−(k + 1)·log x)·x = exp(−k·log x)·exp(−log x)·exp(log x).
    let inner = context.extended(Item::Var(index.clone(), Sort::Index(n.clone())))?;
    let split = exp_sum(&inner, &minus(&mul([k.clone(), log.clone()])), &minus(&log))?;
    let (unit, named) = (exp_of_opposite(&inner, &log)?, exp_log(&inner, x)?);
    let parts = [
        with(mul([x.clone(), raised(&k)]), &split),
        with(minus(&flat), &unit),
        with(mul([num(-1), flat.clone(), minus(&log).exp()]), &named),
    ];
    let same = combine(&inner, Goal::Eq(next, flat.clone()), &parts)?;
    let ends = telescope(context, &index, n, &flat)?;
    let (zero, sums) = (exp_of_zero(context)?, sum_over(&same)?);
    let goal = Goal::Eq(mul([raised(n), decay(n)]), num(1));
    let parts = [
        with(num(-1), &ends),
        with(num(1), &sums),
        with(num(-1), &zero),
    ];
    let one = combine(context, goal, &parts)?;
    let whole = mul([n.clone(), log]);
    let unit = exp_of_opposite(context, &whole)?;
    let parts = [with(raised(n), &unit), with(whole.exp(), &one)];
    combine(context, Goal::Eq(raised(n), whole.exp()), &parts)
}

/// aⁿ ≤ bⁿ for a count n, from 0 ≤ a and a ≤ b: by induction, with 0 ≤ bⁿ.
///
/// # Errors
/// If a rule does not apply.
pub fn power_increases(
    context: &Context,
    n: &Term,
    [a, b]: [&Term; 2],
    [low, order]: [&Theorem; 2],
) -> Result<Theorem, Stuck> {
    let mut index = "s".to_owned();
    while context.get(&index).is_some() || [a, b, n].iter().any(|t| t.mentions(&index)) {
        index.push('′');
    }
    let power = |x: &Term, s: &Term| op(Op::Pow, [x.clone(), s.clone()]);
    let sides = |s: &Term| [minus(&power(b, s)), power(a, s) - power(b, s)];
    let most = |here: &Context, s: &Term, facts: [&[Part<'_>]; 2]| {
        let [x, y] = sides(s).map(|side| Goal::Le(side, num(0)));
        join(vec![
            combine(here, x, facts[0])?,
            combine(here, y, facts[1])?,
        ])
    };
    let unit = Part::new(num(1), []);
    let start = most(context, &num(0), [&[unit], &[]])?;
    let s = var(&index);
    let inner = context.extended(Item::Var(index, Sort::Index(n.clone())))?;
    let known = Goal::Le(joined(&sides(&s))?, num(0));
    let inner = inner.extended(Item::Assume(known.clone()))?;
    let known = assumed(&inner, &known)?;
    let [above, below] = [0, 1].map(|i| part(&inner, &sides(&s), &known, i));
    let (above, below) = (above?, below?);
    let positive = Goal::Le(num(0), b.clone());
    let positive = combine(&inner, positive, &[with(num(1), low), with(num(1), order)])?;
    // b·bˢ − a·aˢ = (b − a)·bˢ + a·(bˢ − aˢ).
    let product = |x, y| Part::new(num(1), [x, y].map(Into::into));
    let facts: [&[Part<'_>]; 2] = [
        &[product(&positive, &above)],
        &[product(order, &above), product(low, &below)],
    ];
    let step = discharge(&most(&inner, &(s + num(1)), facts)?)?;
    let end = part(context, &sides(n), &induction(&start, &step)?, 1)?;
    combine(
        context,
        Goal::Le(power(a, n), power(b, n)),
        &[with(num(1), &end)],
    )
}
