//! States that nothing reads: a falsifier, and what is no such state.

use crate::choices::ok;
use crate::items::variable;
use crate::refusals::{Setting, refused, sensitivity};
use crate::world::{Eval, Function, Random, Value, World};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, compose, forget, gaussian, unread};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Process, Sign, Sort, State, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, num, op, var, vector};
use std::sync::LazyLock;

pub const FALSIFIERS: [Falsifier; 1] = [("unread", beside)];

/// What the model squared is expected to be at the end of a process.
fn model(context: &Context, process: &str, world: &World) -> f64 {
    let square = at(&var("w"), &var("k")).pow(2);
    let end = op(Op::End, [var(process)]);
    let eval = Eval {
        context,
        fresh: true,
    };
    eval.number(&bind(Binder::Expect, "w", end, square), world)
}

/// Contexts with two processes of which the rule says that what is named is alike, and with a twin whose noise reads the state.
static ALIKE_AND_NOT: LazyLock<[Context; 2]> = LazyLock::new(|| {
    let e = var("e");
    let round = |variance: &Term| vec![draw(), adds("s"), release(variance), step()];
    let of = |variance: &Term| besides(var("w₀"), vec![], round(variance));
    let found = ok(unread(&ok(known(of(&e), &e, vec![])), "Q"));
    let reads = at(&var("s"), &var("k")).pow(2) + var("e");
    let twin = ok(ok(Setting::sound().context()).extended(of(&reads)));
    [found.statement().context.clone(), twin]
});

/// What is computed of what is named is expected to be the same in the process that the rule concludes about and in that of its
/// theorem, whatever the data. Twin: the noise reads the state.
fn beside(r: &mut Random) -> Instance {
    let [alike, twin] = &*ALIKE_AND_NOT;
    let number = |x: f64| Value::Number(x);
    let records: Vec<Function> = (0..3).map(|_| Function::random(r, 1)).collect();
    let world = World::from([
        ("n".to_owned(), number(2.0)),
        ("p".to_owned(), number(1.0)),
        ("T".to_owned(), number(1.0 + r.below(2) as f64)),
        ("e".to_owned(), number(r.real(0.1, 2.0))),
        ("k".to_owned(), number(0.0)),
        ("w₀".to_owned(), Value::Vector(r.reals(1, -1.0, 1.0))),
        ("ℓ".to_owned(), Value::Loss(records)),
        ("D".to_owned(), Value::Data(vec![r.below(3), r.below(3)])),
    ]);
    let alone = model(alike, "R", &world);
    let away = |other: f64| -(other - alone).abs() / (1.0 + alone.abs());
    Instance {
        rule: away(model(alike, "Q", &world)),
        twin: away(model(twin, "Q", &world)),
    }
}

fn state(name: &str, start: Term) -> State {
    State {
        name: name.into(),
        dimension: var("p"),
        start,
    }
}

/// The query with noise of a variance.
fn release(variance: &Term) -> Command {
    Command::Release {
        name: "a".into(),
        query: Setting::sound().query,
        law: op(Op::Normal, [variance.clone()]),
    }
}

fn draw() -> Command {
    Command::Draw {
        name: "b".into(),
        law: op(Op::Normal, [var("p"), num(1)]),
    }
}

fn set(name: &str, entry: Term) -> Command {
    Command::Set(name.into(), vector("i", var("p"), entry))
}

fn step() -> Command {
    set("w", at(&var("w"), &var("i")) - var("a"))
}

/// To this vector is added what reads the data.
fn adds(name: &str) -> Command {
    set(name, at(&var(name), &var("i")) + Setting::sound().query)
}

/// A process with states, T rounds, and this before them.
fn process(states: Vec<State>, mut before: Vec<Command>, round: Vec<Command>) -> Item {
    let name = if states.len() == 1 { "R" } else { "Q" };
    before.push(Command::Repeat {
        index: "t".into(),
        times: var("T"),
        body: round,
    });
    let body = before;
    Item::Process(name.into(), Process { states, body })
}

/// R, with the state w alone, releases with this variance in every round: what is seen of it, in a context where Q, the given
/// items and then R are defined.
fn known(q: Item, variance: &Term, items: Vec<Item>) -> Result<Theorem, Stuck> {
    let round = vec![draw(), release(variance), step()];
    let r = process(vec![state("w", var("w₀"))], vec![], round);
    let context = Setting::sound().context()?.extended(q)?.with(items)?;
    let context = context.extended(r)?;
    let any = || Sort::Vector(var("p"), Sign::Any);
    let inside = context.with([
        variable("w", any()),
        variable("t", Sort::Index(var("T"))),
        variable("b", any()),
    ])?;
    let once = gaussian(&inside, &release(variance), &sensitivity(&inside)?)?;
    compose(&context, "R", "D", &[&once])
}

/// Q, with a state s besides, which begins so.
fn besides(start: Term, before: Vec<Command>, round: Vec<Command>) -> Item {
    let states = vec![state("w", var("w₀")), state("s", start)];
    process(states, before, round)
}

#[test]
fn what_nothing_reads_may_read_the_data() -> Result<(), Stuck> {
    let e = var("e");
    let round = || vec![draw(), adds("s"), release(&e), step(), adds("s")];
    let reads = || vector("i", var("p"), Setting::sound().query.put("w", &var("w₀")));
    for (start, before) in [
        (var("w₀"), vec![]),
        (var("w₀"), vec![adds("s")]),
        (reads(), vec![]),
    ] {
        let known = known(besides(start, before, round()), &e, vec![])?;
        let found = unread(&known, "Q")?;
        let (
            Goal::Private { notion, .. },
            Goal::Private {
                notion: same,
                subject,
                ..
            },
        ) = (&known.statement().goal, &found.statement().goal)
        else {
            panic!("two bounds");
        };
        assert_eq!(notion, same);
        assert_eq!(*subject, Subject::Process("Q".into(), View::Transcript));
        // The states are no function of what is named.
        refused(forget(&found, View::End), "reads the data");
        refused(forget(&found, View::Path), "reads the data");
    }
    // Nor are they where the start alone reads the data, or an assignment alone.
    let quiet = || vec![draw(), release(&e), step()];
    for (start, before) in [(reads(), vec![]), (var("w₀"), vec![adds("s")])] {
        let found = unread(&known(besides(start, before, quiet()), &e, vec![])?, "Q")?;
        refused(forget(&found, View::Path), "reads the data");
    }
    forget(
        &unread(
            &known(besides(var("w₀"), vec![], quiet()), &e, vec![])?,
            "Q",
        )?,
        View::Path,
    )?;
    Ok(())
}

#[test]
fn what_is_read_is_not_left_out() -> Result<(), Stuck> {
    let (e, two) = (var("e"), num(2) * var("e"));
    let differ = "differ in more than states";
    let of = |start: Term, round: Vec<Command>| besides(start, vec![], round);
    let s = || at(&var("s"), &var("k")).pow(2) + var("e");
    for q in [
        // The noise, or what is kept, reads s.
        of(var("w₀"), vec![draw(), adds("s"), release(&s()), step()]),
        of(
            var("w₀"),
            vec![
                draw(),
                adds("s"),
                release(&e),
                set("w", at(&var("s"), &var("i"))),
            ],
        ),
        // Another command, one more, one fewer, and another order.
        of(var("w₀"), vec![draw(), adds("s"), release(&two), step()]),
        of(
            var("w₀"),
            vec![draw(), adds("s"), release(&e), step(), step()],
        ),
        of(var("w₀"), vec![draw(), adds("s"), release(&e)]),
        of(var("w₀"), vec![release(&e), adds("s"), draw(), step()]),
        // What is drawn is changed: it is no state.
        of(var("w₀"), vec![draw(), adds("b"), release(&e), step()]),
        // What is kept begins otherwise.
        process(
            vec![
                state("s", var("w₀")),
                state("w", vector("i", var("p"), num(0))),
            ],
            vec![],
            vec![draw(), adds("s"), release(&e), step()],
        ),
    ] {
        refused(unread(&known(q, &e, vec![])?, "Q"), differ);
    }
    // What the noise of R reads is a vector that does not change, that of Q the state.
    let q = of(var("w₀"), vec![draw(), adds("s"), release(&s()), step()]);
    let given = variable("s", Sort::Vector(var("p"), Sign::Any));
    let trap = known(q, &s(), vec![given])?;
    refused(unread(&trap, "Q"), "what is left out is read");
    let sound = known(of(var("w₀"), vec![draw(), release(&e), step()]), &e, vec![])?;
    refused(unread(&sound, "P"), differ);
    refused(unread(&sound, "D"), "not a process");
    refused(
        unread(&forget(&sound, View::End)?, "Q"),
        "not about a transcript",
    );
    Ok(())
}
