//! Search, outside the trusted base: it only calls rules. And words for the items that programs write most often.

use crate::Stuck;
use crate::rules::{
    self, Fact, Part, Theorem, assume, both, combine, discharge, exponential, image, one_record,
    root_increases, triangle, weaken,
};
use crate::scope::Scope;
use crate::statement::{Command, Context, Goal, Item, Notion, Relation, Sign, Sort, Statement};
use crate::term::{Term, num, var};

pub mod cases;
pub mod exp;
pub mod order;
pub mod several;
pub mod size;

/// A variable of a sort.
#[must_use]
pub fn item(name: &str, sort: Sort) -> Item {
    Item::Var(name.into(), sort)
}

/// A real number of a sign.
#[must_use]
pub fn real(name: &str, sign: Sign) -> Item {
    item(name, Sort::Real(sign))
}

/// A real number > 0.
#[must_use]
pub fn positive(name: &str) -> Item {
    real(name, Sign::Positive)
}

/// A multiple of a fact.
#[must_use]
pub fn with(multiplier: Term, fact: &Theorem) -> Part<'_> {
    Part::new(multiplier, [Fact::from(fact)])
}

/// |x| ≤ y from x ≤ y and −x ≤ y, the second written 0 − x ≤ y, for y plainly ≥ 0: x² ≤ y².
///
/// # Errors
/// If the theorems are not of that form.
pub fn modulus(above: &Theorem, below: &Theorem) -> Result<Theorem, Stuck> {
    let context = &above.statement().context;
    let Goal::Le(x, y) = &above.statement().goal else {
        return Err(Stuck::new("no inequality"));
    };
    let product = Part::new(num(1), [above, below].map(Fact::from));
    let squares = combine(context, Goal::Le(x.pow(2), y.pow(2)), &[product])?;
    let roots = root_increases(&squares)?;
    combine(
        context,
        Goal::Le(x.abs(), y.clone()),
        &[with(num(1), &roots)],
    )
}

/// ‖q‖ moves by at most as much as the vector q, and a·‖q‖ by at most |a| times as much if a factor a is given, which does
/// not depend on the data: a function of the query, by the triangle inequality.
///
/// # Errors
/// If the theorem is no sensitivity, the query not a vector, or the factor reads the data.
pub fn norm_moves(theorem: &Theorem, factor: Option<&Term>) -> Result<Theorem, Stuck> {
    let context = &theorem.statement().context;
    let Goal::Moves { query, by, .. } = &theorem.statement().goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    let space = Sort::Vector(Scope::new(context).vector(query)?, Sign::Any);
    let [x, y] = ["x", "y"].map(|name| unused(context, name));
    let two = context.with([&x, &y].map(|name| item(name, space.clone())))?;
    let [x, y] = [&x, &y].map(|name| var(name));
    let apart = |here: &Context, a: &Term, b: &Term| match triangle(here, a, b)?.statement().goal {
        Goal::Le(ref left, _) => Ok(left.clone()),
        _ => Err(Stuck::new("no distance")),
    };
    let near = Goal::Le(apart(&two, &x, &y)?, by.clone());
    let here = two.extended(Item::Assume(near.clone()))?;
    let near = assumed(&here, &near)?;
    // ‖a‖ − ‖b‖ ≤ ‖a − b‖: a is b less the vector b − a.
    let longer = |a: &Term, b: &Term| {
        let Term::Op(_, between) = apart(&here, b, a)? else {
            return Err(Stuck::new("no norm"));
        };
        let sum = triangle(&here, b, &between[0])?;
        let goal = Goal::Le(a.norm() - b.norm(), by.clone());
        combine(&here, goal, &[with(num(1), &sum), with(num(1), &near)])
    };
    let (above, below) = (longer(&x, &y)?, longer(&y, &x)?);
    let to = |of: &Term| match factor {
        Some(a) => a.clone() * of.norm(),
        None => of.norm(),
    };
    let most = factor.map_or(by.clone(), |a| a.abs() * by.clone());
    let moved = to(&x) - to(&y);
    let square = factor.map_or(num(1), |a| a.pow(2));
    let product = Part::new(square, [&above, &below].map(Fact::from));
    let squares = combine(&here, Goal::Le(moved.pow(2), most.pow(2)), &[product])?;
    let root = root_increases(&squares)?;
    let goal = Goal::Le(moved.abs(), most);
    let bound = discharge(&combine(&here, goal, &[with(num(1), &root)])?)?;
    image(theorem, &bound, &to(&x))
}

/// A name that has no meaning yet.
fn unused(context: &Context, base: &str) -> String {
    let mut name = base.to_owned();
    while context.get(&name).is_some() {
        name.push('′');
    }
    name
}

/// The exponential mechanism as (Δ²/2)-zCDP, Δ being how far the exponents of its weights move.
///
/// # Errors
/// As [`exponential`], and if its numbers are not those.
pub fn range_as_zcdp(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
) -> Result<Theorem, Stuck> {
    let found = rules::bounded_range(&exponential(context, command, sensitivity)?)?;
    let Goal::Moves { by, .. } = &sensitivity.statement().goal else {
        return Err(Stuck::new("no sensitivity"));
    };
    let cost = by.pow(2) / num(2);
    let fact = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
    let fact = combine(context, fact, &[])?;
    weaken(&found, &Notion::Zcdp(cost), &[&fact])
}

/// What is ε-DP as (ε²/2)-zCDP: its range is 2ε (Bun and Steinke 2016, Prop. 1.4).
///
/// # Errors
/// If the theorem is no bound of that kind.
pub fn pure_as_zcdp(theorem: &Theorem) -> Result<Theorem, Stuck> {
    let found = rules::bounded_range(&rules::range_of_pure(theorem)?)?;
    let context = &theorem.statement().context;
    let Goal::Private {
        notion: Notion::Pure(epsilon),
        ..
    } = &theorem.statement().goal
    else {
        return Err(Stuck::new("not pure"));
    };
    let cost = epsilon.pow(2) / num(2);
    let fact = Goal::Le(zcdp_cost(&found.statement().goal)?.clone(), cost.clone());
    let fact = combine(context, fact, &[])?;
    weaken(&found, &Notion::Zcdp(cost), &[&fact])
}

/// The exponential mechanism as (2Δ)-DP.
///
/// # Errors
/// As [`exponential`].
pub fn range_as_pure(
    context: &Context,
    command: &Command,
    sensitivity: &Theorem,
) -> Result<Theorem, Stuck> {
    rules::pure_range(&exponential(context, command, sensitivity)?)
}

/// ρ of a goal that says ρ-zCDP.
///
/// # Errors
/// If it says something else.
pub fn zcdp_cost(goal: &Goal) -> Result<&Term, Stuck> {
    match goal {
        Goal::Private {
            notion: Notion::Zcdp(cost),
            ..
        } => Ok(cost),
        _ => Err(Stuck::new("no zCDP bound")),
    }
}

/// A theorem on ρ-zCDP at the budget that a statement names, which the parts prove to be no less.
///
/// # Errors
/// As [`combine`], and if either says nothing of zCDP.
pub fn within_budget(
    statement: &Statement,
    all: &Theorem,
    parts: Vec<Part<'_>>,
) -> Result<Theorem, Stuck> {
    let cost = zcdp_cost(&all.statement().goal)?.clone();
    let budget = zcdp_cost(&statement.goal)?.clone();
    let less = Goal::Le(cost, budget.clone());
    let less = combine(&statement.context, less, &parts)?;
    weaken(all, &Notion::Zcdp(budget), &[&less])
}

/// All goals of a statement that has several, each by [`combine`] from its parts, in order; a statement with one
/// goal likewise.
///
/// # Errors
/// As [`combine`].
pub fn together(statement: &Statement, parts: Vec<Vec<Part<'_>>>) -> Result<Theorem, Stuck> {
    let context = &statement.context;
    let one = |(goal, parts): (&Goal, Vec<Part<'_>>)| combine(context, goal.clone(), &parts);
    let Goal::Both(goals) = &statement.goal else {
        let part = parts.into_iter().next().unwrap_or_default();
        return one((&statement.goal, part));
    };
    let rest = std::iter::repeat_with(Vec::new);
    let proved: Result<Vec<Theorem>, Stuck> = goals
        .iter()
        .zip(parts.into_iter().chain(rest))
        .map(one)
        .collect();
    both(context, &proved?.iter().collect::<Vec<_>>())
}

/// A hypothesis of the context, by what it says.
///
/// # Errors
/// If nothing of the kind is assumed.
pub fn assumed(context: &Context, goal: &Goal) -> Result<Theorem, Stuck> {
    let says = |item: &Item| matches!(item, Item::Assume(g) if g == goal);
    let index = context.items().iter().position(says);
    let index = index.ok_or_else(|| Stuck::new(format!("it is not assumed that {goal}")))?;
    assume(context, index)
}

/// What one record adds to a query, and how large that is.
pub struct Share<'a> {
    /// What a record of this name adds.
    pub of: &'a dyn Fn(&Term) -> Term,
    /// A theorem |x| ≤ B or ‖x‖ ≤ B in a context with that record, where what it adds is `factor`·x.
    pub bound: &'a dyn Fn(&Context, &str) -> Result<Theorem, Stuck>,
    /// A number ≥ 0.
    pub factor: Term,
}

/// The query moves by at most `by` between neighbours: by the triangle inequality if a record is replaced.
///
/// # Errors
/// If a rule does not apply.
pub fn record_moves(
    context: &Context,
    data: &str,
    query: &Term,
    share: &Share<'_>,
    by: &Term,
) -> Result<Theorem, Stuck> {
    let record = |z: &str| Item::Var(z.to_owned(), Sort::Record);
    let one = context.extended(record("z"))?;
    let part = |theorem| Part::new(share.factor.clone(), [Fact::from(theorem)]);
    if let Some(Sort::Dataset(_, Relation::ZeroOut)) = context.sort(data) {
        let bound = (share.bound)(&one, "z")?;
        let Goal::Le(left, _) = &bound.statement().goal else {
            return Err(Stuck::new("no bound"));
        };
        let goal = Goal::Le(share.factor.clone() * left.clone(), by.clone());
        return one_record(context, data, query, &combine(&one, goal, &[part(&bound)])?);
    }
    let two = one.extended(record("z′"))?;
    let apart = triangle(&two, &(share.of)(&var("z")), &(share.of)(&var("z′")))?;
    let (first, second) = ((share.bound)(&two, "z")?, (share.bound)(&two, "z′")?);
    let Goal::Le(left, _) = &apart.statement().goal else {
        return Err(Stuck::new("no distance"));
    };
    let goal = Goal::Le(left.clone(), by.clone());
    let parts = vec![
        Part::new(num(1), [Fact::from(&apart)]),
        part(&first),
        part(&second),
    ];
    one_record(context, data, query, &combine(&two, goal, &parts)?)
}
