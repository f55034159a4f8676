//! States that nothing reads: a falsifier, and what is no such state.

use crate::choices::ok;
use crate::items::variable;
use crate::laws::state;
use crate::privacy::pure;
use crate::refusals::{Setting, refused, sensitivity};
use crate::world::{Eval, Function, Random, Value, World, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, clipped, compose, forget, gaussian, unread};
use dp_assay_kernel::search::{Share, range_as_pure, record_moves};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Sign, Sort, State, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};
use std::sync::LazyLock;

pub const FALSIFIERS: [Falsifier; 1] = [("unread", beside)];

/// Σ_z clip(v_j·∂_kℓ(x; z), c): by which an index j is drawn.
fn score(x: &str, c: &Term) -> Term {
    let share = |z: &str| op(Op::Clip, [weighed(x, z), c.clone()]);
    bind(Binder::Total, "z", var("D"), share("z"))
}

fn weighed(x: &str, z: &str) -> Term {
    let slope = op(Op::Partial, [var("ℓ"), var(x), var(z), var("k")]);
    at(&var("v"), &var("j")) * slope
}

fn chosen(x: &str, c: &Term) -> Command {
    Command::Draw {
        name: "b".into(),
        law: bind(
            Binder::Weighted,
            "j",
            var("m"),
            mul([num(1), score(x, c).exp()]),
        ),
    }
}

/// w is what was drawn, as digits.
fn digit() -> Command {
    set("w", var("m") * at(&var("w"), &var("i")) + var("b"))
}

/// What is known of R, which draws by the score at x, with w alone, where Q draws by that at y with another clip; s is a vector
/// outside of both.
fn drawn(x: &str, (y, clip): (&str, &Term)) -> Result<Theorem, Stuck> {
    let c = var("e");
    let round = vec![adds("s"), chosen(y, clip), digit(), adds("s")];
    let context = Setting::sound().context()?.with([
        variable("m", Sort::Count),
        variable("v", Sort::Vector(var("m"), Sign::Any)),
        besides(var("w₀"), vec![], round),
        variable("s", Sort::Vector(var("p"), Sign::Any)),
        process(
            vec![state("w", var("w₀"))],
            vec![],
            vec![chosen(x, &c), digit()],
        ),
    ])?;
    let inside = context.with([
        variable("w", Sort::Vector(var("p"), Sign::Any)),
        variable("t", Sort::Index(var("T"))),
    ])?;
    let here = inside.extended(variable("j", Sort::Index(var("m"))))?;
    let share = Share {
        of: &|z| op(Op::Clip, [weighed(x, "z").put("z", z), c.clone()]),
        bound: &|here, z| clipped(here, &weighed(x, z), &c),
        factor: num(1),
    };
    let moves = record_moves(&here, "D", &score(x, &c), &share, &(num(2) * c.clone()))?;
    let once = range_as_pure(&inside, &chosen(x, &c), &moves)?;
    compose(&context, "R", "D", &[&once])
}

/// How likely Q names what w says at its end, for each of the words of T digits.
fn law(context: &Context, world: &World) -> Vec<f64> {
    let eval = Eval {
        context,
        fresh: true,
    };
    let mut law = vec![0.0; 4];
    for (q, world) in eval.ends("Q", world) {
        let Value::Vector(word) = &world["w"] else {
            panic!("no state")
        };
        law[word[0] as usize] += q;
    }
    law
}

/// By how much less Q tells of one record than is said of the process that a theorem is about.
fn held(theorem: &Theorem, near: &[World; 2]) -> f64 {
    let context = &theorem.statement().context;
    let Goal::Private {
        notion: Notion::Pure(bound),
        ..
    } = &theorem.statement().goal
    else {
        panic!("no bound")
    };
    let eval = Eval {
        context,
        fresh: true,
    };
    let [p, q] = near.each_ref().map(|world| law(context, world));
    eval.number(bound, &near[0]) - pure(&p, &q)
}

/// Of R, and of two traps, for which nothing may be said of Q: it draws by what s holds, which in R is a vector outside of it,
/// or clips less than R.
static KNOWN: LazyLock<[Theorem; 3]> = LazyLock::new(|| {
    let (c, wide) = (var("e"), num(4) * var("e"));
    let of = |x: &str, c: &Term| ok(drawn(x, (x, c)));
    [of("w", &c), of("s", &c), of("w", &wide)]
});

/// What is said of R holds for Q, which adds to s what reads the data. Twins: as if it held for the traps.
fn beside(r: &mut Random) -> Instance {
    let sound = ok(unread(&KNOWN[0], "Q"));
    let trap = &KNOWN[1 + r.below(2)];
    let loss = |r: &mut Random| {
        let direction = [-1.0, 1.0][r.below(2)] * r.real(0.5, 1.0);
        Function(vec![(20.0, vec![direction], r.real(-1.0, 1.0), false)])
    };
    let n = 1 + r.below(4);
    let number = |x: usize| Value::Number(x as f64);
    let losses = (0..4).map(|_| loss(r)).collect();
    let world = World::from([
        ("n".to_owned(), number(n)),
        ("p".to_owned(), number(1)),
        ("T".to_owned(), number(2)),
        ("m".to_owned(), number(2)),
        ("k".to_owned(), number(0)),
        ("e".to_owned(), Value::Number(r.real(0.05, 0.5))),
        ("w₀".to_owned(), Value::Vector(vec![0.0])),
        ("v".to_owned(), Value::Vector(r.reals(2, -3.0, 3.0))),
        ("ℓ".to_owned(), Value::Loss(losses)),
    ]);
    let records: Vec<usize> = (0..n).map(|_| r.below(4)).collect();
    let mut other = records.clone();
    other[r.below(n)] = r.below(4);
    let near = [records, other].map(|data| with(&world, "D", Value::Data(data)));
    let (rule, twin) = (held(&sound, &near), held(trap, &near));
    Instance {
        rule: unread(trap, "Q").map_or(rule, |_| rule.min(twin)),
        twin,
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
