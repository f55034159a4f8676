//! What rules conclude, word for word, where a statement beside it would be as true: so a falsifier cannot tell them apart, and
//! who reads the proof would.

use crate::choices::{fixed, ok};
use crate::items::variable;
use crate::pairs::{told, with_event};
use crate::privacy::{called, setting, vector_sensitivity};
use crate::refusals::refused;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::premise::{RENYI_TO_DP, ZCDP_TO_DP, spent, spent_at_order};
use dp_assay_kernel::rules::{
    self, Part, Theorem, added, assume, below, both, cite, combine, density, discharge, ends,
    events, instance, larger, tail, union, wins,
};
use dp_assay_kernel::search::with as times;
use dp_assay_kernel::statement::{
    Command, Goal, Item, Notion, Process, Relation, Sign, Sort, State,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

fn says(found: &Theorem, goal: &Goal) {
    assert_eq!(found.statement().goal, *goal);
}

#[test]
fn tails_and_densities_say_where_noise_lies() {
    let context = fixed();
    let [x, y] = ["x", "y"].map(var);
    let law =
        |o: Op, d: Option<&str>| Term::Op(o, d.map(var).into_iter().chain([y.clone()]).collect());
    let within = |law: &Term, size: Term, most: Term| {
        let event = bind(
            Binder::Expect,
            "ξ",
            law.clone(),
            op(Op::AtMost, [size, most]),
        );
        Goal::Le(num(1) - (num(0) - y.clone()).exp(), event)
    };
    let (number, entry) = (var("ξ").abs(), at(&var("ξ"), &var("i")).abs());
    let root = || mul([num(2), y.clone()]).sqrt();
    let deviation = || y.sqrt();
    for (law, k, size, most) in [
        (
            law(Op::Laplace, None),
            None,
            number.clone(),
            y.clone() * y.clone(),
        ),
        (
            law(Op::Laplace, Some("d")),
            Some("i"),
            entry,
            y.clone() * y.clone(),
        ),
        (law(Op::Normal, None), None, number, deviation() * root()),
        (
            law(Op::Normal, Some("d")),
            None,
            var("ξ").norm(),
            deviation() * (var("d").sqrt() + root()),
        ),
    ] {
        let found = ok(tail(&context, &law, &y, k));
        says(&found, &within(&law, size, most));
    }
    let laplace = law(Op::Laplace, None);
    let near = op(Op::AtMost, [(var("ξ") - x.clone()).abs(), num(2)]);
    let near = bind(Binder::Expect, "ξ", laplace.clone(), near);
    let found = ok(density(&context, &laplace, &x, &num(2)));
    says(&found, &Goal::Le(near, num(2) / y.clone()));
    says(
        &ok(below(&context, "i")),
        &Goal::Le(var("i") + num(1), var("d")),
    );
    // No number of parameters that a law does not have.
    for o in [Op::Laplace, Op::Normal] {
        for few in [vec![], vec![var("d"), var("d"), num(1)]] {
            let law = Term::Op(o, few.into());
            assert!(tail(&context, &law, &y, None).is_err());
        }
    }
}

/// Noise is added, though with the other sign it would have the same law.
#[test]
fn noise_is_added_to_what_is_released_or_drawn() -> Result<(), Stuck> {
    let context = fixed();
    let entry = |v: &str, j: &str| at(&var(v), &var(j));
    let noise = |v: Term| op(Op::Normal, [var("d"), v]);
    let mean = |x: &str, law: Term, t: Term| bind(Binder::Expect, x, law, t);
    let value = entry("z", "i").pow(2);
    let (v, w) = (num(2), var("y"));
    let found = added(&context, [&var("d"), &v, &w], ("z", &value))?;
    let both = vector("j", var("d"), entry("z", "j") + entry("ξ", "j"));
    let twice = mean(
        "z",
        noise(v.clone()),
        mean("ξ", noise(w.clone()), value.put("z", &both)),
    );
    says(&found, &Goal::Eq(twice, mean("z", noise(v + w), value)));
    // θ ← a, where a is v or v_i with noise: E θ_i² at the end.
    let run = |query: Term, law: Term, next: Term| {
        let name = "a".to_owned();
        let process = Process {
            states: vec![State {
                name: "θ".into(),
                dimension: var("d"),
                start: var("u"),
            }],
            body: vec![
                Command::Release { name, query, law },
                Command::Set("θ".into(), next),
            ],
        };
        let context = context.extended(Item::Process("P".into(), process))?;
        let square = entry("θ", "i").pow(2);
        let found = ends(&context, "P", ("θ", &square), &[], &[])?;
        let end = mean("θ", op(Op::End, [var("P")]), square);
        let Goal::Le(left, right) = &found.statement().goal else {
            panic!("no bound")
        };
        assert_eq!(*left, end);
        Ok::<_, Stuck>(right.clone())
    };
    let noisy = vector("j", var("d"), entry("v", "j") + entry("ξ", "j"));
    let whole = run(var("v"), noise(num(1)), var("a"))?;
    assert_eq!(
        whole,
        mean("ξ", noise(num(1)), at(&noisy, &var("i")).pow(2))
    );
    let laplace = op(Op::Laplace, [num(1)]);
    let next = vector("l", var("d"), var("a"));
    let one = run(entry("v", "i"), laplace.clone(), next.clone())?;
    let entries = next.put("a", &(entry("v", "i") + var("ξ")));
    assert_eq!(one, mean("ξ", laplace, at(&entries, &var("i")).pow(2)));
    Ok(())
}

#[test]
fn the_winner_has_the_largest_modulus_in_units_of_its_divisor() {
    let selection = Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("d"),
        query: at(&var("v"), &var("k")),
        scale: var("y"),
        divisor: Some(at(&var("u"), &var("k"))),
    };
    let score = |k: &str| {
        let noisy = at(&var("v"), &var(k)) + var("y") * at(&var("z"), &var(k));
        noisy.abs() / at(&var("u"), &var(k))
    };
    let wanted = Goal::Le(score("k"), score("j"));
    let wanted = Goal::Every("k".into(), Sort::Index(var("d")), wanted.into());
    assert_eq!(wins(&selection, "z"), Some(wanted));
    let draw = Command::Set("θ".into(), var("v"));
    assert_eq!(wins(&draw, "z"), None);
}

/// A proof names each lemma that it cites, and each once.
#[test]
fn a_premise_is_carried_once_and_with_all_others() -> Result<(), Stuck> {
    let order = num(1) + var("a");
    let renyi = Notion::Renyi(order, var("e"));
    let (context, zcdp) = called(Notion::Zcdp(var("e")));
    let mechanism = |notion: Notion| Sort::Mechanism(var("d"), "D".into(), notion);
    let context = context.with([
        variable("B", mechanism(renyi)),
        Item::Assume(Goal::Le(var("a"), num(1))),
    ])?;
    let last = assume(&context, context.items().len() - 1)?;
    let other = Command::Call {
        name: "o".into(),
        of: app("B", [var("x")]),
    };
    let other = rules::call(&context, &other)?;
    let same = |t: &Term| combine(&context, Goal::Le(t.clone(), t.clone()), &[]);
    let epsilon = spent(&var("e"), &var("a"));
    let values = [var("e"), epsilon.clone(), var("a")];
    let one = cite(
        &context,
        &ZCDP_TO_DP,
        &values,
        &[&zcdp, &last, &same(&epsilon)?],
    )?;
    let epsilon = spent_at_order(&var("a"), &var("e"), &var("a"));
    let most = num(0).max_with(&epsilon);
    let enough = larger(&context, &num(0), &epsilon, true)?;
    let values = [var("a"), var("e"), most, var("a")];
    let two = cite(&context, &RENYI_TO_DP, &values, &[&other, &enough])?;
    let names = |parts: &[&Theorem]| {
        let all = both(&context, parts)?;
        Ok::<_, Stuck>(all.premises().iter().map(|p| p.name).collect::<Vec<_>>())
    };
    assert_eq!(names(&[&one, &one])?, ["zcdp-to-dp"]);
    assert_eq!(names(&[&one, &two, &one])?, ["zcdp-to-dp", "renyi-to-dp"]);
    assert_eq!(names(&[&two, &one])?, ["renyi-to-dp", "zcdp-to-dp"]);
    Ok(())
}

/// What follows of events is a relation between their probabilities, both of which are at most 1.
#[test]
fn events_have_two_probabilities_and_no_data() -> Result<(), Stuck> {
    let notion = Notion::Pure(var("e"));
    let (context, private) = called(notion.clone());
    let sound = with_event(&context, told(&notion))?;
    let here = sound.statement().context.clone();
    let data = bind(Binder::Total, "z", var("D"), num(1));
    let reads = combine(&here, Goal::Le(data.clone(), data), &[])?;
    refused(events(&private, &reads), "not a relation between");
    let moves = vector_sensitivity(&here);
    refused(events(&private, &moves), "not a relation between");
    // One may exceed 1.
    let first = context.items().len();
    for wide in [first + 2, first + 3] {
        let mut items = here.items()[first..].to_vec();
        items[wide - first] = Item::Assume(Goal::Le(num(0), num(1)));
        let other = context.with(items)?;
        let last = assume(&other, other.items().len() - 1)?;
        refused(events(&private, &last), "no probabilities");
    }
    // One may be negative.
    for sign in [0, 1] {
        let mut items = here.items()[first..].to_vec();
        let Item::Var(name, _) = &items[sign] else {
            panic!("a probability")
        };
        items[sign] = variable(name, Sort::Real(Sign::Any));
        let other = context.with(items)?;
        let last = assume(&other, other.items().len() - 1)?;
        refused(events(&private, &last), "no two probabilities");
    }
    Ok(())
}

/// A hypothesis that does not read the data is about all data sets, whatever its form.
#[test]
fn privacy_under_a_hypothesis_on_numbers_is_privacy() -> Result<(), Stuck> {
    let context = setting(Relation::ReplaceOne, &[]);
    let less = || Goal::Le(var("e"), num(1));
    let plain = variable("s", Sort::Function(var("d"), "L".into()));
    let context = context.extended(plain)?;
    for given in [
        less(),
        Goal::Eq(var("e"), num(1)),
        Goal::Minimises("s".into(), var("x")),
        Goal::If(Goal::Le(num(0), var("e")).into(), less().into()),
        Goal::Every("q".into(), Sort::Real(Sign::Any), less().into()),
    ] {
        let here = context.extended(Item::Assume(given))?;
        assert_eq!(
            vector_sensitivity(&here).statement().goal,
            vector_sensitivity(&context).statement().goal
        );
    }
    Ok(())
}

/// What holds under a hypothesis is said of a value with it, and what is missed is 1 − 1[a ≤ b].
#[test]
fn hypotheses_follow_what_they_are_of() -> Result<(), Stuck> {
    let context = fixed();
    let entry = |k: &str| at(&var("v"), &var(k));
    let le = |a: Term, b: Term| Goal::Le(a, b);
    let (least, most) = (
        |k: &str| le(var("x"), entry(k)),
        |k: &str| le(var("x"), entry(k) + num(1)),
    );
    let here = context.extended(variable("k", Sort::Index(var("d"))))?;
    let given = here.extended(Item::Assume(least("k")))?;
    let last = assume(&given, given.items().len() - 1)?;
    let fact = combine(
        &given,
        most("k"),
        &[times(num(1), &last), Part::new(num(1), [])],
    )?;
    let implied = discharge(&fact)?;
    let one = instance(&context, &discharge(&implied)?, &var("i"))?;
    says(&one, &Goal::If(least("i").into(), most("i").into()));
    let missed = |a: Term, b: Term| num(1) - op(Op::AtMost, [a, b]);
    let bound = num(0) + missed(var("x"), entry("k"));
    says(
        &union(&implied)?,
        &le(missed(var("x"), entry("k") + num(1)), bound),
    );
    let every = Goal::Every("k".into(), Sort::Index(var("d")), least("k").into());
    let given = context.extended(Item::Assume(every))?;
    let fact = instance(&given, &assume(&given, given.items().len() - 1)?, &var("i"))?;
    let each = sum("k", var("d"), missed(var("x"), entry("k")));
    says(
        &union(&discharge(&fact)?)?,
        &le(missed(var("x"), entry("i")), num(0) + each),
    );
    Ok(())
}
