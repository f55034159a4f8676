//! States that nothing reads: a falsifier, and what is no such state.

use crate::items::variable;
use crate::privacy::{ORDERS, pair, renyi};
use crate::refusals::{Setting, refused, sensitivity};
use crate::world::Random;
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, compose, forget, gaussian, unread};
use dp_assay_kernel::statement::{Command, Goal, Item, Process, Sign, Sort, State, Subject, View};
use dp_assay_kernel::term::{Op, Term, at, num, op, var, vector};

pub const FALSIFIERS: [Falsifier; 1] = [("unread", beside)];

/// The law of two outcomes, the second drawn as `pick` says from the first and what a state holds by then, which begins with the
/// data's bit and adds up outcomes.
fn run(first: &[f64], bit: usize, pick: &dyn Fn(usize, usize) -> Vec<f64>) -> Vec<f64> {
    let mut joint = Vec::new();
    for (outcome, p) in first.iter().enumerate() {
        let state = bit + outcome;
        joint.extend(pick(outcome, state).iter().map(|q| p * q));
    }
    joint
}

/// A bound for what is named without the state holds with it. Twin: the second command reads the state.
fn beside(r: &mut Random) -> Instance {
    let budget = r.real(0.1, 1.0);
    let (p, q) = pair(r, 3, budget);
    let second: Vec<_> = (0..4)
        .map(|_| {
            let epsilon = r.real(0.1, 1.0);
            pair(r, 3, epsilon)
        })
        .collect();
    let law = |bit: usize, by_state: bool| {
        let first = if bit == 0 { &p } else { &q };
        run(first, bit, &|outcome, state| {
            let (p, q) = &second[if by_state { state } else { outcome }];
            if bit == 0 { p.clone() } else { q.clone() }
        })
    };
    let without = |bit: usize| {
        let (first, of) = if bit == 0 { (&p, 0) } else { (&q, 1) };
        let one = |i: usize| {
            [&second[i].0, &second[i].1][of]
                .iter()
                .map(move |x| first[i] * x)
        };
        (0..3).flat_map(one).collect::<Vec<f64>>()
    };
    let bound = |a: f64| renyi(&without(0), &without(1), a);
    let margin = |by_state: bool| {
        let one = |a: &f64| bound(*a) - renyi(&law(0, by_state), &law(1, by_state), *a);
        ORDERS.iter().map(one).fold(f64::MAX, f64::min)
    };
    Instance {
        rule: margin(false),
        twin: margin(true),
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
