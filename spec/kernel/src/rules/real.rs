//! Rules for real numbers.

use super::{Theorem, needs, require};
use crate::Stuck;
use crate::normal::{self, Normaliser, Poly};
use crate::scope::Scope;
use crate::sign;
use crate::statement::{Context, Goal, Sign, Sort};
use crate::term::{Binder, Op, Term, bind, op};
use crate::trace::{Sexp, name as atom, number, term};
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

/// **combination**: left ≤ right if right − left = Σ multiplier·Π(right − left of facts) as normal forms, where
/// a multiplier is plainly ≥ 0 unless one of its facts is an equation; left = right if every part has one. What an
/// inequality's parts leave over is one more multiplier: so a proof of a statement is one of every weaker statement
/// whose slack is plainly ≥ 0.
///
/// Sound since products and sums of numbers ≥ 0 are ≥ 0 and equal normal forms have equal values. Such
/// certificates are those of Handelman 1988, for expressions instead of polynomials.
///
/// # Errors
/// If the goal is no relation of numbers, a multiplier may be negative, or the two sides differ.
pub fn combine(context: &Context, goal: Goal, parts: &[Part<'_>]) -> Result<Theorem, Stuck> {
    Scope::new(context).goal(&goal)?;
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
        Scope::new(context).number(&part.multiplier)?;
        if !zero {
            require(!equation, "an equation follows from equations")?;
            needs(context, &part.multiplier, Sign::NonNegative)?;
        }
        let (multiplier, facts) = (term(&part.multiplier), number(part.facts.len()));
        arguments.push(Sexp::List(vec![multiplier, facts]));
    }
    let rest = difference(context, &goal, parts)?;
    if rest != Poly::default() {
        let slack = rest.written();
        let mut scope = Scope::new(context);
        scope.number(&slack)?;
        if equation || sign::of(&mut scope, &slack) < Sign::NonNegative {
            let rest = crate::render::text(&slack);
            return Err(Stuck::new(format!("what is left over: {rest}")));
        }
        arguments.push(Sexp::List(vec![term(&slack), number(0)]));
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
    let mut rest = normal::normal(context, right)?;
    rest.add(normal::normal(context, left)?, &minus_one);
    for part in parts {
        let mut value = normaliser.number(&part.multiplier)?;
        for fact in &part.facts {
            let (_, a, b) = fact.sides()?;
            let mut difference = normal::normal(context, b)?;
            difference.add(normal::normal(context, a)?, &minus_one);
            value = normaliser.times(&value, &difference)?;
        }
        rest.add(value, &minus_one);
    }
    Ok(rest)
}

/// What [`combine`] would find left over, as a term; `None` if nothing.
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

/// **the larger of two is the least bound**: max(a, b) ≤ c from a ≤ c and b ≤ c.
///
/// # Errors
/// If the theorems are not of that form.
pub fn largest(first: &Theorem, second: &Theorem) -> Result<Theorem, Stuck> {
    let context = first.context();
    second.holds_in(context)?;
    let (Goal::Le(a, c), Goal::Le(b, d)) = (first.goal(), second.goal()) else {
        return Err(Stuck::new("no two inequalities"));
    };
    require(c == d, "two bounds")?;
    let goal = Goal::Le(a.max_with(b), c.clone());
    Theorem::conclude("largest", context, goal, vec![], &[first, second])
}

/// **the largest over a range is the least bound**: max(0, t : k<p, k≠j) ≤ c from t ≤ c for all k, the last variable of
/// the theorem's context, if c is plainly ≥ 0 and does not mention k.
///
/// # Errors
/// If the theorem is not of that form.
pub fn supremum(theorem: &Theorem, other: &Term) -> Result<Theorem, Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let (Sort::Index(bound), Goal::Le(t, c)) = (sort, theorem.goal()) else {
        return Err(Stuck::new("no inequality for every index"));
    };
    require(!c.mentions(name), "the bound depends on the index")?;
    needs(&context, c, Sign::NonNegative)?;
    let range = op(Op::Except, [bound.clone(), other.clone()]);
    let goal = Goal::Le(bind(Binder::Sup, name, range, t.clone()), c.clone());
    Theorem::conclude("supremum", &context, goal, vec![term(other)], &[theorem])
}

/// **a count is at least one**: 1 ≤ n for what is plainly an integer > 0 (Rudin 1976, Ch. 1: the integers are discrete).
///
/// # Errors
/// If n is not plainly such an integer.
pub fn counted(context: &Context, n: &Term) -> Result<Theorem, Stuck> {
    Scope::new(context).count(n)?;
    let goal = Goal::Le(Term::Num(Rational::from(1)), n.clone());
    Theorem::conclude("counted", context, goal, vec![term(n)], &[])
}

/// **an index is below its bound**: k + 1 ≤ n for an index k < n (Landau 1951, Foundations of Analysis, Thm 25).
///
/// # Errors
/// If k is not an index here.
pub fn below(context: &Context, k: &str) -> Result<Theorem, Stuck> {
    let Some(Sort::Index(bound)) = Scope::new(context).sort(k).cloned() else {
        return Err(Stuck::new(format!("{k} is not an index")));
    };
    let goal = Goal::Le(Term::Var(k.to_owned()) + Term::Num(1.into()), bound);
    Theorem::conclude("below", context, goal, vec![atom(k)], &[])
}

/// **inverse**: y·(1/y) = 1 for y plainly > 0.
///
/// # Errors
/// If y may be ≤ 0.
pub fn inverse(context: &Context, y: &Term) -> Result<Theorem, Stuck> {
    needs(context, y, Sign::Positive)?;
    let one = Term::Num(Rational::from(1));
    let product = op(Op::Mul, [y.clone(), one.clone() / y.clone()]);
    let goal = Goal::Eq(product, one);
    Theorem::conclude("inverse", context, goal, vec![term(y)], &[])
}

/// **exchange of sums**: Σ_{k<K} Σ_{e<E} t = Σ_{e<E} Σ_{k<K} t, where `body` is t in the names k and e.
///
/// # Errors
/// If K or E is no count, or one mentions the other's index.
pub fn exchange(
    context: &Context,
    (k, bound): (&str, &Term),
    (e, other): (&str, &Term),
    body: &Term,
) -> Result<Theorem, Stuck> {
    require(k != e, "one index")?;
    let depends = bound.mentions(e) || other.mentions(k);
    require(!depends, "a range that depends on an index")?;
    let twice = |(x, a): (&str, &Term), (y, b): (&str, &Term)| {
        let inner = bind(Binder::Sum, y, b.clone(), body.clone());
        bind(Binder::Sum, x, a.clone(), inner)
    };
    let goal = Goal::Eq(twice((k, bound), (e, other)), twice((e, other), (k, bound)));
    let arguments = vec![atom(k), term(bound), atom(e), term(other), term(body)];
    Theorem::conclude("exchange", context, goal, arguments, &[])
}

/// **the root increases**: √x ≤ √y from x ≤ y, where x and y are plainly ≥ 0. Of a square that is written as t² with
/// t plainly ≥ 0, the root is t.
///
/// # Errors
/// If the theorem is no inequality, or a side may be negative.
pub fn root_increases(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let context = theorem.context();
    let Goal::Le(x, y) = theorem.goal() else {
        return Err(Stuck::new("no inequality"));
    };
    needs(context, x, Sign::NonNegative)?;
    needs(context, y, Sign::NonNegative)?;
    let root = |t: &Term| match t {
        Term::Op(Op::Pow, a)
            if a[1] == Term::Num(2.into()) && needs(context, &a[0], Sign::NonNegative).is_ok() =>
        {
            a[0].clone()
        }
        _ => t.sqrt(),
    };
    let goal = Goal::Le(root(x), root(y));
    Theorem::conclude("root-increases", context, goal, vec![], &[theorem])
}

/// **the exponential is above its tangent**: 1 + x ≤ exp(x) (DLMF 4.5.8, strict but at 0).
///
/// # Errors
/// If x is not a number here.
pub fn tangent(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    let goal = Goal::Le(Term::Num(Rational::from(1)) + x.clone(), x.exp());
    Theorem::conclude("tangent", context, goal, vec![term(x)], &[])
}

/// **the exponential of a sum**: exp(x + y) = exp(x)·exp(y) (Rudin 1976, Ch. 8, (26)).
///
/// # Errors
/// If x or y is not a number here.
pub fn exp_sum(context: &Context, x: &Term, y: &Term) -> Result<Theorem, Stuck> {
    let product = op(Op::Mul, [x.exp(), y.exp()]);
    let goal = Goal::Eq((x.clone() + y.clone()).exp(), product);
    Theorem::conclude("exp-sum", context, goal, vec![term(x), term(y)], &[])
}

/// **the logarithm is the inverse of the exponential**: exp(log x) = x for x plainly > 0 (Rudin 1976, Ch. 8, (36)).
///
/// # Errors
/// If x may be ≤ 0.
pub fn exp_log(context: &Context, x: &Term) -> Result<Theorem, Stuck> {
    needs(context, x, Sign::Positive)?;
    let goal = Goal::Eq(x.log().exp(), x.clone());
    Theorem::conclude("exp-log", context, goal, vec![term(x)], &[])
}

/// **telescoping sum**: Σ_{k<K} (t at k + 1 − t at k) = t at K − t at 0, where `body` is t in the name k.
///
/// # Errors
/// If K is no count, or t has no meaning at k + 1, at K or at 0.
pub fn telescope(context: &Context, k: &str, bound: &Term, body: &Term) -> Result<Theorem, Stuck> {
    let index = Term::Var(k.to_owned());
    let at = |value: &Term| body.put(k, value);
    let step = at(&(index + Term::Num(1.into()))) - body.clone();
    let ends = at(bound) - at(&Term::Num(Rational::new()));
    let goal = Goal::Eq(bind(Binder::Sum, k, bound.clone(), step), ends);
    let arguments = vec![atom(k), term(bound), term(body)];
    Theorem::conclude("telescope", context, goal, arguments, &[])
}

/// **sum over an index**: Σ_k left ≤ Σ_k right (or =) from left ≤ right (or =) for all indices k, the last
/// variable of the theorem's context.
///
/// # Errors
/// If the context does not end with an index.
pub fn sum_over(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let (context, name, sort) = theorem.last_variable()?;
    let Sort::Index(bound) = sort else {
        return Err(Stuck::new(format!("{name} is not an index")));
    };
    let over = |t: &Term| bind(Binder::Sum, name, bound.clone(), t.clone());
    let goal = theorem.goal().sided(|t| Ok(over(t)))?;
    Theorem::conclude("sum-over", &context, goal, vec![], &[theorem])
}

/// Whether two numbers have the same normal form.
pub(super) fn equal(context: &Context, a: &Term, b: &Term) -> Result<bool, Stuck> {
    normal::equal(context, a, b)
}
