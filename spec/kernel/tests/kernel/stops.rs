//! Loops that stop when a budget is spent, and the rules of logic: what they refuse.

use crate::items::{looped, numbers, real, variable};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{self, Part};
use dp_assay_kernel::rules::{
    Theorem, approximate, assume, both, combine, compose, counted, discharge, exp_log, gaussian,
    gradient_bound, image, instance, largest, left_over, root_increases, supremum, telescope,
};
use dp_assay_kernel::search::{Share, norm_moves, record_moves};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Notion, Process, Relation, Sign, Sort,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

/// A round releases a mean with noise of variance 1, and, unless the loop stops, again with a variance that the first
/// value decides.
pub struct Rounds {
    pub charge: Term,
    pub limit: Term,
    pub second: Term,
    pub factor: Term,
    pub most: Term,
}

fn query() -> Term {
    let slope = op(Op::Partial, [var("ℓ"), var("w"), var("z"), var("k")]);
    bind(Binder::Total, "z", var("D"), slope) / var("n")
}

/// (2L_k/n)²/2, the cost at variance 1.
fn unit() -> Term {
    (mul([num(2), at(&var("L"), &var("k"))]) / var("n")).pow(2) / num(2)
}

fn release(name: &str, variance: Term) -> Command {
    Command::Release {
        name: name.into(),
        query: query(),
        law: op(Op::Normal, [variance]),
    }
}

impl Rounds {
    pub fn sound() -> Self {
        let second = num(1).max_with(&var("v")).pow(2);
        Self {
            charge: unit() + unit() / second.clone(),
            limit: var("e"),
            second,
            factor: num(1),
            most: unit(),
        }
    }

    fn body(&self) -> Vec<Command> {
        let moved = at(&var("w"), &var("i")) - var("v");
        vec![
            release("v", num(1)),
            Command::Stop {
                charge: self.charge.clone(),
                limit: self.limit.clone(),
            },
            release("g", self.second.clone()),
            Command::Set("w".into(), vector("i", var("p"), moved)),
        ]
    }

    pub fn context(&self) -> Result<Context, Stuck> {
        self.with(self.body())
    }

    fn with(&self, body: Vec<Command>) -> Result<Context, Stuck> {
        let process = looped("w", "p", var("w₀"), "n", body);
        Context::default().with([
            variable("n", Sort::Count),
            variable("p", Sort::Count),
            real("e", Sign::Positive),
            real("free", Sign::Any),
            variable("L", Sort::Vector(var("p"), Sign::Positive)),
            variable("w₀", Sort::Vector(var("p"), Sign::Any)),
            variable("k", Sort::Index(var("p"))),
            variable("ℓ", Sort::Loss(var("p"), Lipschitz::Entries, "L".into())),
            variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
            Item::Process("P".into(), process),
        ])
    }

    /// The two accesses, and the facts that a round costs at most factor·charge and its beginning at most `most`.
    fn parts(&self) -> Result<Vec<Theorem>, Stuck> {
        self.parts_in(&self.context()?)
    }

    fn parts_in(&self, context: &Context) -> Result<Vec<Theorem>, Stuck> {
        let here = context.extended(variable("w", Sort::Vector(var("p"), Sign::Any)))?;
        let seen = here.extended(real("v", Sign::Any))?;
        let first = gaussian(&here, &release("v", num(1)), &moves(&here)?)?;
        let second = gaussian(&seen, &release("g", self.second.clone()), &moves(&seen)?)?;
        let all = cost(&first) + cost(&second);
        let paid = below(&seen, all, mul([self.factor.clone(), self.charge.clone()]))?;
        let opening = below(&seen, cost(&first), self.most.clone())?;
        Ok(vec![first, second, paid, opening])
    }

    pub fn composed(&self) -> Result<Theorem, Stuck> {
        compose(
            &self.context()?,
            "P",
            "D",
            &self.parts()?.iter().collect::<Vec<_>>(),
        )
    }
}

/// left ≤ right with what is left over as a multiplier, whatever its sign.
fn below(context: &Context, left: Term, right: Term) -> Result<Theorem, Stuck> {
    let goal = Goal::Le(left, right);
    let rest = left_over(context, &goal, &[])?;
    let parts: Vec<Part<'_>> = rest.map(|t| Part::new(t, [])).into_iter().collect();
    combine(context, goal, &parts)
}

fn cost(theorem: &Theorem) -> Term {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Zcdp(rho),
            ..
        } => rho.clone(),
        other => panic!("{other} is no zCDP bound"),
    }
}

fn moves(here: &Context) -> Result<Theorem, Stuck> {
    let slope = |z: &Term| op(Op::Partial, [var("ℓ"), var("w"), z.clone(), var("k")]);
    let share = Share {
        of: &|z| slope(z) / var("n"),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("w"), z, Some("k")),
        factor: num(1) / var("n"),
    };
    let by = mul([num(2), at(&var("L"), &var("k"))]) / var("n");
    record_moves(here, "D", &query(), &share, &by)
}

#[test]
fn a_loop_with_a_stop_costs_its_limit_and_the_beginning_of_a_round() -> Result<(), Stuck> {
    let theorem = Rounds::sound().composed()?;
    let wanted = num(0).max_with(&mul([num(1), var("e")])) + unit();
    assert!(cost(&theorem) == wanted, "{}", theorem.statement().goal);
    Ok(())
}

/// Before a stop that a round begins with nothing is paid.
#[test]
fn a_round_that_begins_with_its_stop_costs_no_more_than_the_limit() -> Result<(), Stuck> {
    let rounds = Rounds {
        charge: unit() + unit(),
        second: num(1),
        most: num(0),
        ..Rounds::sound()
    };
    let mut body = rounds.body();
    body.swap(0, 1);
    let context = rounds.with(body)?;
    let here = context.extended(variable("w", Sort::Vector(var("p"), Sign::Any)))?;
    let seen = here.extended(real("v", Sign::Any))?;
    let first = gaussian(&here, &release("v", num(1)), &moves(&here)?)?;
    let second = gaussian(&seen, &release("g", num(1)), &moves(&seen)?)?;
    let all = cost(&first) + cost(&second);
    let paid = below(&seen, all, mul([num(1), rounds.charge]))?;
    let opening = below(&seen, num(0), num(0))?;
    let theorem = compose(&context, "P", "D", &[&first, &second, &paid, &opening])?;
    let wanted = num(0).max_with(&mul([num(1), var("e")])) + num(0);
    assert_eq!(cost(&theorem), wanted);
    Ok(())
}

#[test]
fn stops_that_do_not_bound_a_loop_are_refused() -> Result<(), Stuck> {
    let sound = Rounds::sound;
    let with = |change: &dyn Fn(&mut Rounds)| {
        let mut rounds = sound();
        change(&mut rounds);
        rounds.composed()
    };
    // More is charged, or paid, where the state is: that of the round's beginning, as it changes at its end only. But not if it
    // changes before the charge is read, or after it and before what it pays for.
    let entry = || at(&var("w"), &var("k")).pow(2);
    let charged = |r: &mut Rounds| r.charge = sound().charge + entry();
    let paid = |r: &mut Rounds| {
        r.second = num(1).max_with(&at(&var("w"), &var("k"))).pow(2);
        r.charge = unit() + unit() / r.second.clone();
    };
    assert!(with(&charged).is_ok() && with(&paid).is_ok());
    let early = |change: &dyn Fn(&mut Rounds), set: fn(Command) -> Command, place: usize| {
        let mut rounds = sound();
        change(&mut rounds);
        let mut body = rounds.body();
        body.insert(place, set(Command::Set("w".into(), var("w₀"))));
        let context = rounds.with(body)?;
        let parts = rounds.parts_in(&context)?;
        compose(&context, "P", "D", &parts.iter().collect::<Vec<_>>())
    };
    let plain: fn(Command) -> Command = |command| command;
    let looped: fn(Command) -> Command = |command| Command::Repeat {
        index: "t′".into(),
        times: var("n"),
        body: vec![command],
    };
    for place in [1, 2] {
        refused(early(&charged, plain, place), "depends on a state");
        refused(early(&paid, looped, place), "depends on a state");
    }
    // Even if a loop is the last of what a round does.
    let mut rounds = sound();
    charged(&mut rounds);
    let mut body = rounds.body();
    let last = body.pop().expect("a round ends with its state");
    body.push(looped(last));
    let context = rounds.with(body)?;
    let parts = rounds.parts_in(&context)?;
    let all: Vec<&Theorem> = parts.iter().collect();
    refused(compose(&context, "P", "D", &all), "depends on a state");
    refused(
        with(&|r| r.limit = var("v").pow(2)),
        "depends on the history",
    );
    // Nor may the limit be another one in every round.
    refused(
        with(&|r| r.limit = var("e") + var("t")),
        "depends on the history",
    );
    refused(
        with(&|r| r.most = unit() + var("v").pow(2)),
        "depends on the history",
    );
    refused(
        with(&|r| r.factor = num(1) + var("v").pow(2)),
        "depends on the history",
    );
    refused(
        with(&|r| r.charge = sound().charge + query().abs()),
        "reads the data",
    );
    refused(with(&|r| r.limit = query()), "reads the data");
    // A negative multiple of a negative charge.
    let negative = |r: &mut Rounds| {
        r.factor = num(-1);
        r.charge = num(-1) * sound().charge;
    };
    refused(with(&negative), "may be negative");
    // Half of the charge does not pay for a round; nothing pays for its beginning.
    refused(with(&|r| r.factor = num(1) / num(2)), "not plainly");
    refused(with(&|r| r.most = unit() / num(2)), "not plainly");
    let rounds = sound();
    let (context, parts) = (rounds.context()?, rounds.parts()?);
    let given = |chosen: &[usize]| {
        let chosen: Vec<&Theorem> = chosen.iter().map(|i| &parts[*i]).collect();
        compose(&context, "P", "D", &chosen)
    };
    refused(given(&[0, 1]), "depends on the history");
    refused(given(&[0, 1, 2]), "a command is left");
    refused(given(&[0, 1, 3, 2]), "no bounds by the charge");
    refused(given(&[0, 1, 2, 2]), "not what stands before");
    let seen = &parts[2].statement().context;
    let more = below(seen, unit(), mul([num(1), sound().charge]))?;
    let all = [&parts[0], &parts[1], &more, &parts[3]];
    refused(compose(&context, "P", "D", &all), "not what a round costs");
    let other = below(
        seen,
        cost(&parts[0]) + cost(&parts[1]),
        mul([num(1), sound().charge + num(1)]),
    )?;
    let all = [&parts[0], &parts[1], &other, &parts[3]];
    refused(compose(&context, "P", "D", &all), "not the charge");
    // What is drawn may not be changed before the charge is read: a round that paid for it would be charged for less.
    let mut body = rounds.body();
    let law = op(Op::Normal, [var("p"), num(1)]);
    body.insert(
        0,
        Command::Draw {
            name: "η".into(),
            law,
        },
    );
    body.insert(2, Command::Set("η".into(), var("w₀")));
    let context = rounds.with(body)?;
    let parts = rounds.parts_in(&context)?;
    let all: Vec<&Theorem> = parts.iter().collect();
    refused(
        compose(&context, "P", "D", &all),
        "what is named is changed",
    );
    Ok(())
}

#[test]
fn two_stops_and_stops_without_a_loop_are_refused() -> Result<(), Stuck> {
    let rounds = Rounds::sound();
    let mut body = rounds.body();
    body.insert(1, body[1].clone());
    let context = rounds.with(body)?;
    let parts = rounds.parts_in(&context)?;
    refused(
        compose(&context, "P", "D", &parts.iter().collect::<Vec<_>>()),
        "two stops",
    );
    let state = |body| Process {
        states: vec![],
        body,
    };
    let alone = Item::Process(
        "Q".into(),
        state(vec![Command::Stop {
            charge: num(1),
            limit: num(2),
        }]),
    );
    refused(context.extended(alone), "no loop to stop");
    Ok(())
}

#[test]
fn rules_of_logic_refuse_what_does_not_fit() -> Result<(), Stuck> {
    let every = |x: &str, sort: Sort, goal: Goal| Goal::Every(x.into(), sort, goal.into());
    let d = || var("d");
    let entry = Goal::Le(at(&var("v"), &var("m")), var("x"));
    let scaled = sum(
        "l",
        d(),
        mul([at(&var("s"), &var("l")), at(&var("v"), &var("l"))]),
    );
    let shifted = every(
        "r",
        Sort::Real(Sign::Positive),
        Goal::Le(mul([var("q"), var("r")]), var("r")),
    );
    let context = Context::default().with([
        variable("d", Sort::Count),
        variable("p", Sort::Count),
        variable("v", Sort::Vector(d(), Sign::Any)),
        variable("u", Sort::Vector(var("p"), Sign::Any)),
        real("x", Sign::Any),
        real("y", Sign::Positive),
        variable("i", Sort::Index(d())),
        variable("j", Sort::Index(var("p"))),
        Item::Assume(every("m", Sort::Index(d()), entry.clone())),
        Item::Assume(every("q", Sort::Real(Sign::Positive), shifted)),
        Item::Assume(every(
            "s",
            Sort::Vector(d(), Sign::Any),
            Goal::Le(scaled, var("x")),
        )),
    ])?;
    let (index, number, point) = (
        assume(&context, 8)?,
        assume(&context, 9)?,
        assume(&context, 10)?,
    );
    let found = instance(&context, &index, &var("i"))?;
    assert_eq!(
        found.statement().goal,
        Goal::Le(at(&var("v"), &var("i")), var("x"))
    );
    refused(instance(&context, &index, &var("j")), "not an index");
    refused(instance(&context, &index, &num(0)), "not an index");
    refused(instance(&context, &number, &var("x")), "not plainly");
    let longer = context.extended(real("r", Sign::Positive))?;
    refused(
        instance(&longer, &number, &var("r")),
        "mentions what varies",
    );
    refused(
        instance(&context, &point, &var("u")),
        "not a vector of that dimension",
    );
    refused(instance(&context, &found, &var("i")), "for every value");
    refused(
        instance(&context.beginning(8), &index, &var("i")),
        "another context",
    );
    // Of l < k + 1 for every k < d, the k of a longer context is not the one that varied.
    let below = var("k") + num(1);
    let pairs = Goal::Le(var("l"), var("k"));
    let pairs = every("k", Sort::Index(d()), every("l", Sort::Index(below), pairs));
    let triangle = context.extended(Item::Assume(pairs))?;
    let (all, longer) = (
        assume(&triangle, 11)?,
        triangle.extended(variable("k", Sort::Index(d())))?,
    );
    refused(instance(&longer, &all, &var("i")), "depends on what varies");
    // Of several goals there are at least two, side by side.
    refused(both(&context, &[&found]), "two or more");
    let two = both(&context, &[&found, &index])?;
    refused(both(&context, &[&two, &found]), "one beside the other");
    refused(
        both(&context.beginning(8), &[&found, &index]),
        "another context",
    );
    let data = context.extended(variable("D", Sort::Dataset(var("p"), Relation::ReplaceOne)))?;
    let data = data.extended(variable("a", Sort::Label))?;
    let total = bind(Binder::Total, "z", var("D"), app("a", [var("z")]));
    let moves = Goal::Moves {
        data: "D".into(),
        query: total,
        by: num(1),
    };
    let wrong = every("m", Sort::Index(d()), moves);
    refused(
        data.extended(Item::Assume(wrong)),
        "nothing holds like this",
    );
    let maps = every("m", Sort::Map(vec![d()], d()), entry);
    refused(
        context.extended(Item::Assume(maps)),
        "nothing holds like this",
    );
    refused(
        context.extended(Item::Assume(two.statement().goal.clone())),
        "speaks of neighbours",
    );
    Ok(())
}

#[test]
fn bounds_of_maxima_roots_and_norms_refuse_what_does_not_fit() -> Result<(), Stuck> {
    let context = numbers()?;
    let le = |here: &Context, a: Term, b: Term| below(here, a, b);
    let (one, other) = (
        le(&context, var("y"), num(2) * var("y"))?,
        le(&context, num(0), var("y"))?,
    );
    refused(largest(&one, &other), "two bounds");
    let inner = context.extended(variable("m", Sort::Index(var("d"))))?;
    let square = at(&var("v"), &var("m")).pow(2);
    let own = le(&inner, num(0), square.clone())?;
    refused(supremum(&own, &var("i")), "depends on the index");
    let low = le(&inner, num(-1) - square.clone(), num(-1))?;
    refused(supremum(&low, &var("i")), "not plainly");
    refused(supremum(&one, &var("i")), "is not an index");
    let negative = le(&context, num(-1), var("y"))?;
    refused(root_increases(&negative), "not plainly");
    let gap = context.extended(Item::Assume(Goal::Le(num(1), var("x"))))?;
    refused(root_increases(&assume(&gap, 5)?), "not plainly");
    let rounds = Rounds::sound();
    let here = rounds
        .context()?
        .extended(variable("w", Sort::Vector(var("p"), Sign::Any)))?;
    refused(norm_moves(&moves(&here)?, None), "not a vector");
    refused(norm_moves(&one, None), "no sensitivity");
    // An index may be 0; what is positive need not be an integer.
    let half = num(1) / num(2);
    for other in [var("i"), num(0), var("y"), half, var("d") - num(1)] {
        refused(counted(&context, &other), "not an integer");
    }
    // A count has no bound; neither has a real number, or what is not there.
    for other in ["d", "x", "k"] {
        refused(rules::below(&context, other), "is not an index");
    }
    refused(approximate(&rounds.composed()?), "not pure");
    refused(exp_log(&context, &var("x")), "not plainly");
    // What has no meaning at the index plus 1, or at the bound; an index or a bound of another meaning.
    let entry = at(&var("v"), &var("k"));
    refused(
        telescope(&context, "k", &var("d"), &entry),
        "is not an index",
    );
    let unit = op(Op::Unit, [var("i"), var("k")]);
    refused(telescope(&context, "k", &var("d"), &unit), "cannot take");
    refused(
        telescope(&context, "i", &var("d"), &var("i")),
        "has a meaning already",
    );
    refused(
        telescope(&context, "k", &num(0), &var("k")),
        "not an integer",
    );
    refused(
        telescope(&context, "k", &var("k"), &var("k")),
        "nothing is called",
    );
    Ok(())
}

/// Under |a − b| ≤ `near`, for a, b of two sorts: |h(a) − h(b)| ≤ `most`, h being a plus what does not change.
fn shifted(here: &Context, sorts: [Sort; 2], near: &Term, most: &Term) -> Result<Theorem, Stuck> {
    let [one, other] = sorts;
    let two = here.with([variable("a", one), variable("b", other)])?;
    let apart = (var("a") - var("b")).abs();
    let inner = two.extended(Item::Assume(Goal::Le(apart.clone(), near.clone())))?;
    let given = assume(&inner, inner.items().len() - 1)?;
    let goal = Goal::Le(apart, most.clone());
    let part = Part::new(num(1), [rules::Fact::from(&given)]);
    discharge(&combine(&inner, goal, &[part])?)
}

#[test]
fn a_function_moves_by_its_bound_for_values_as_near_as_the_query() -> Result<(), Stuck> {
    let here = Rounds::sound()
        .context()?
        .extended(variable("w", Sort::Vector(var("p"), Sign::Any)))?;
    let theorem = moves(&here)?;
    let Goal::Moves { by, .. } = &theorem.statement().goal else {
        panic!("no sensitivity");
    };
    let any = || [Sort::Real(Sign::Any), Sort::Real(Sign::Any)];
    let (bound, to) = (shifted(&here, any(), by, by)?, var("a") + num(1));
    let goal = Goal::Moves {
        data: "D".into(),
        query: query() + num(1),
        by: by.clone(),
    };
    assert_eq!(image(&theorem, &bound, &to)?.statement().goal, goal);
    refused(image(&bound, &bound, &to), "no sensitivity");
    refused(image(&theorem, &theorem, &to), "not of two values");
    let elsewhere = below(&numbers()?, num(0), var("y"))?;
    refused(image(&theorem, &elsewhere, &to), "another context");
    let [one, other] = [Sort::Real(Sign::Any), Sort::Real(Sign::Positive)];
    let mixed = shifted(&here, [one, other.clone()], by, by)?;
    refused(image(&theorem, &mixed, &to), "two sorts");
    // The query may be negative.
    let above = shifted(&here, [other.clone(), other], by, by)?;
    refused(image(&theorem, &above, &to), "not plainly");
    let two = here.with(["a", "b"].map(|x| real(x, Sign::Any)))?;
    let same = Goal::Eq(var("a"), var("a"));
    let certain = combine(&two, same.clone(), &[])?;
    refused(image(&theorem, &certain, &to), "nothing is supposed");
    let near = Goal::Le((var("a") - var("b")).abs(), by.clone());
    let inner = two.extended(Item::Assume(near))?;
    let equal = discharge(&combine(&inner, same, &[])?)?;
    refused(image(&theorem, &equal, &to), "no bound");
    // Nearer values than the query's; another function.
    let half = by.clone() / num(2);
    let nearer = shifted(&here, any(), &half, by)?;
    refused(image(&theorem, &nearer, &to), "not of values as near");
    let twice = num(2) * var("a");
    refused(image(&theorem, &bound, &twice), "not how far");
    // A function or a bound that changes with the data itself.
    let own = var("a") + query();
    refused(image(&theorem, &bound, &own), "reads the data");
    let wide = shifted(&here, any(), by, &(by.clone() + query().abs()))?;
    refused(image(&theorem, &wide, &to), "reads the data");
    Ok(())
}
