//! Rules for real numbers.

use super::{Theorem, needs, require};
use crate::Stuck;
use crate::normal::{self, Normaliser, Poly};
use crate::sorts::Scope;
use crate::statement::{Context, Goal, Item, Sign};
use crate::term::{Binder, Op, Term, bind};
use crate::trace::{Sexp, number, term};
use rug::Rational;

/// A theorem left ≤ right or left = right, as the difference right − left, which is ≥ 0 or 0.
#[derive(Clone, Copy, Debug)]
pub struct Fact<'a>(&'a Theorem);

impl<'a> From<&'a Theorem> for Fact<'a> {
    fn from(theorem: &'a Theorem) -> Self {
        Self(theorem)
    }
}

impl Fact<'_> {
    fn sides(&self) -> Result<(bool, &Term, &Term), Stuck> {
        match self.0.goal() {
            Goal::Le(a, b) => Ok((false, a, b)),
            Goal::Eq(a, b) => Ok((true, a, b)),
            _ => Err(Stuck::new("a fact is an inequality or an equation")),
        }
    }
}

/// A multiplier times a product of facts.
#[derive(Clone, Debug)]
pub struct Part<'a> {
    multiplier: Term,
    facts: Vec<Fact<'a>>,
}

impl<'a> Part<'a> {
    /// `multiplier` times the product of `facts`.
    #[must_use]
    pub fn new(multiplier: Term, facts: impl IntoIterator<Item = Fact<'a>>) -> Self {
        Self {
            multiplier,
            facts: facts.into_iter().collect(),
        }
    }
}

/// **hypothesis**: item number `index` of the context, a hypothesis, holds.
///
/// # Errors
/// If that item is not a hypothesis.
pub fn assume(context: &Context, index: usize) -> Result<Theorem, Stuck> {
    let Some(Item::Assume(goal)) = context.items().get(index) else {
        return Err(Stuck::new(format!("item {index} is not a hypothesis")));
    };
    Theorem::conclude("assume", context, goal.clone(), vec![number(index)], &[])
}

/// **combination**: left ≤ right if right − left = Σ multiplier·Π(right − left of facts) as normal forms, where
/// a multiplier is plainly ≥ 0 unless one of its facts is an equation; left = right if every part has one.
///
/// Sound since products and sums of numbers ≥ 0 are ≥ 0 and equal normal forms have equal values. Such
/// certificates are those of Handelman 1988, for expressions instead of polynomials.
///
/// # Errors
/// If the goal is no relation of numbers, a multiplier may be negative, or the two sides differ.
pub fn combine(context: &Context, goal: Goal, parts: &[Part<'_>]) -> Result<Theorem, Stuck> {
    let locals = Vec::new();
    Scope { context, locals }.goal(&goal)?;
    let equation = matches!(goal, Goal::Eq(..));
    let mut from = Vec::new();
    let mut arguments = Vec::new();
    for part in parts {
        let mut zero = false;
        for fact in &part.facts {
            fact.0.holds_in(context)?;
            zero |= fact.sides()?.0;
            from.push(fact.0);
        }
        let locals = Vec::new();
        Scope { context, locals }.number(&part.multiplier)?;
        if !zero {
            require(!equation, "an equation follows from equations")?;
            needs(context, &part.multiplier, Sign::NonNegative)?;
        }
        let (multiplier, facts) = (term(&part.multiplier), number(part.facts.len()));
        arguments.push(Sexp::List(vec![multiplier, facts]));
    }
    let rest = difference(context, &goal, parts)?;
    if rest != Poly::default() {
        let rest = crate::render::text(&rest.written());
        return Err(Stuck::new(format!("what is left over: {rest}")));
    }
    Theorem::conclude("combine", context, goal, arguments, &from)
}

/// right − left − Σ multiplier·Π facts.
fn difference(context: &Context, goal: &Goal, parts: &[Part<'_>]) -> Result<Poly, Stuck> {
    let (Goal::Le(left, right) | Goal::Eq(left, right)) = goal else {
        return Err(Stuck::new("only numbers can be combined"));
    };
    let minus_one = Rational::from(-1);
    let mut normaliser = Normaliser::new(context);
    let mut rest = normaliser.number(right)?;
    rest.add(&normaliser.number(left)?, &minus_one);
    for part in parts {
        let mut value = normaliser.number(&part.multiplier)?;
        for fact in &part.facts {
            let (_, a, b) = fact.sides()?;
            let mut difference = normaliser.number(b)?;
            difference.add(&normaliser.number(a)?, &minus_one);
            value = normaliser.times(&value, &difference)?;
        }
        rest.add(&value, &minus_one);
    }
    Ok(rest)
}

/// What [`combine`] would find left over, as a term; `None` if nothing. A search may try it as one more
/// multiplier.
///
/// # Errors
/// If a normal form has no meaning.
pub fn left_over(
    context: &Context,
    goal: &Goal,
    parts: &[Part<'_>],
) -> Result<Option<Term>, Stuck> {
    let rest = difference(context, goal, parts)?;
    Ok((rest != Poly::default()).then(|| rest.written()))
}

/// **larger**: a ≤ max(a, b), or b ≤ max(a, b) if `second`.
///
/// # Errors
/// If a or b is not a number here.
pub fn larger(context: &Context, a: &Term, b: &Term, second: bool) -> Result<Theorem, Stuck> {
    let one = if second { b } else { a };
    let goal = Goal::Le(one.clone(), a.max_with(b));
    let arguments = vec![term(a), term(b), number(usize::from(second))];
    Theorem::conclude("larger", context, goal, arguments, &[])
}

/// **root**: √x ≤ y from x ≤ y², where x and y are plainly ≥ 0. The root increases.
///
/// # Errors
/// If the theorem is not of that form.
pub fn root_bound(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let Goal::Le(x, square) = theorem.goal() else {
        return Err(Stuck::new("no inequality"));
    };
    let y = match square {
        Term::Op(Op::Pow, arguments) if arguments[1] == Term::Num(2.into()) => &arguments[0],
        _ => return Err(Stuck::new("the right side is not a square")),
    };
    needs(context, x, Sign::NonNegative)?;
    needs(context, y, Sign::NonNegative)?;
    let goal = Goal::Le(x.sqrt(), y.clone());
    Theorem::conclude("root-bound", context, goal, vec![], &[theorem])
}

/// **modulus**: |x| ≤ y from x ≤ y and −x ≤ y, the second written 0 − x ≤ y.
///
/// # Errors
/// If the theorems are not of that form.
pub fn modulus(above: &Theorem, below: &Theorem) -> Result<Theorem, Stuck> {
    let context = above.context();
    below.holds_in(context)?;
    let (Goal::Le(x, y), Goal::Le(minus, z)) = (above.goal(), below.goal()) else {
        return Err(Stuck::new("no two inequalities"));
    };
    let opposite = Term::Num(Rational::new()) - x.clone();
    require(minus.same(&opposite) && z.same(y), "not both sides of x")?;
    let goal = Goal::Le(x.abs(), y.clone());
    Theorem::conclude("modulus", context, goal, vec![], &[above, below])
}

/// **the exponential is above its tangent**: 1 + x ≤ exp(x) (DLMF 4.5.8, strict but at 0).
///
/// # Errors
/// If x is not a number here.
pub fn tangent(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let goal = Goal::Le(Term::Num(Rational::from(1)) + x.clone(), x.exp());
    Theorem::conclude("tangent", context, goal, vec![term(x)], &[])
}

/// **the logarithm increases**: log x ≤ log y from x ≤ y, where x is plainly > 0 (Rudin 1976, Ch. 8, after
/// Thm 8.6).
///
/// # Errors
/// If the theorem is no inequality, or x may be ≤ 0.
pub fn log_increases(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let Goal::Le(x, y) = theorem.goal() else {
        return Err(Stuck::new("no inequality"));
    };
    needs(context, x, Sign::Positive)?;
    let goal = Goal::Le(x.log(), y.log());
    Theorem::conclude("log-increases", context, goal, vec![], &[theorem])
}

/// **logarithm of a number**: y ≤ log x for whole or rational numbers x > 1 and y, if y ≤ 2·Σ_{i<n} z^{2i+1}/(2i+1)
/// with z = (x − 1)/(x + 1), n the number of terms: the beginning of a series of positive terms that sums to log x
/// (DLMF 4.6.4).
///
/// # Errors
/// If x ≤ 1, or so many terms do not reach y.
pub fn log_above(
    context: &Context,
    x: &Rational,
    y: &Rational,
    terms: usize,
) -> Result<Theorem, Stuck> {
    require(*x > 1, "the series is for x > 1")?;
    let z = Rational::from(x - 1u32) / Rational::from(x + 1u32);
    let square = Rational::from(&z * &z);
    let (mut power, mut total) = (z * 2u32, Rational::new());
    for i in 0..terms {
        total += Rational::from(&power / (2 * i as u64 + 1));
        power *= &square;
    }
    require(*y <= total, "the terms do not reach that")?;
    let quotient = |q: &Rational| normal::quotients(&Term::Num(q.clone()));
    let goal = Goal::Le(quotient(y), quotient(x).log());
    let arguments = vec![term(&quotient(x)), term(&quotient(y)), number(terms)];
    Theorem::conclude("log-above", context, goal, arguments, &[])
}

/// **sum over an index**: Σ_k left ≤ Σ_k right (or =) from left ≤ right (or =) for all indices k, the last
/// variable of the theorem's context.
///
/// # Errors
/// If the context does not end with an index.
pub fn sum_over(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let crate::statement::Sort::Index(bound) = sort else {
        return Err(Stuck::new(format!("{name} is not an index")));
    };
    let over = |t: &Term| bind(Binder::Sum, name, bound.clone(), t.clone());
    let goal = match theorem.goal() {
        Goal::Le(a, b) => Goal::Le(over(a), over(b)),
        Goal::Eq(a, b) => Goal::Eq(over(a), over(b)),
        _ => return Err(Stuck::new("only numbers can be summed")),
    };
    Theorem::conclude("sum-over", &context, goal, vec![], &[theorem])
}

/// Whether two numbers have the same normal form.
pub(super) fn equal(context: &Context, a: &Term, b: &Term) -> Result<bool, Stuck> {
    normal::equal(context, a, b)
}
