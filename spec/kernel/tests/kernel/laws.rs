//! Falsifiers of rules about mechanisms and processes, run where all laws are finite and known: the rule is called, and what it
//! supposes and concludes is held against the laws of what is seen on two neighbours.

use crate::choices::ok;
use crate::items::{real, variable};
use crate::privacy::{needed, pair, pure, renyi, rho};
use crate::world::{Eval, Function, Random, Value, World, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::premise::{ZCDP_TO_DP, spent};
use dp_assay_kernel::rules::{
    Theorem, call, cite, combine, compose, forget, range_of_pure, unread,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, INPUT, Item, Lipschitz, Notion, Process, Relation, Sign, Sort, State,
    View,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};
use rug::Float;

pub const FALSIFIERS: [Falsifier; 4] = [
    ("range-of-pure", interval),
    ("zcdp-to-dp", converted),
    ("compose", transcripts),
    ("forget", states),
];

/// The laws of one thing on two neighbours, outcome by outcome.
type Laws = [Vec<f64>; 2];

/// A notion of mechanisms with a number, and one more for (ε, δ).
type Kind = fn(Term, Term) -> Notion;

/// α = 3 for Rényi.
const KINDS: [Kind; 5] = [
    |x, _| Notion::Pure(x),
    |x, _| Notion::Zcdp(x),
    |x, _| Notion::Renyi(num(3), x),
    Notion::Approximate,
    |x, _| Notion::Dominated(op(Op::Response, [x])),
];

/// By how much two laws have less than a notion allows, in either direction.
fn kept(eval: &Eval<'_>, notion: &Notion, w: &World, laws: &Laws) -> f64 {
    let [p, q] = laws;
    let either = |f: &dyn Fn(&[f64], &[f64]) -> f64| f(p, q).max(f(q, p));
    let value = |t: &Term| eval.number(t, w);
    match notion {
        Notion::Pure(x) => value(x) - pure(p, q),
        Notion::Zcdp(x) => value(x) - either(&rho),
        Notion::Renyi(order, x) => value(x) - either(&|p, q| renyi(p, q, value(order))),
        Notion::Approximate(x, delta) => value(delta) - either(&|p, q| needed(p, q, value(x))),
        Notion::Range(x) => {
            let losses = p.iter().zip(q).map(|(p, q)| (p / q).ln());
            let ends = (f64::INFINITY, f64::NEG_INFINITY);
            let (low, high) = losses.fold(ends, |(low, high), x| (low.min(x), high.max(x)));
            value(x) - (high - low)
        }
        Notion::Dominated(pair) => {
            let one = |epsilon: f64| [1.0, epsilon.exp()].map(|x| x / (1.0 + epsilon.exp()));
            let mut all = [vec![1.0], vec![1.0]];
            for epsilon in responses(eval, pair, w) {
                let bit = one(epsilon);
                let both = |law: &[f64], bit: [f64; 2]| -> Vec<f64> {
                    law.iter().flat_map(|x| bit.map(|y| x * y)).collect()
                };
                all = [both(&all[0], bit), both(&all[1], [bit[1], bit[0]])];
            }
            let level = |k: i32| {
                let more = |[p, q]: &Laws| needed(p, q, f64::from(k) / 4.0);
                more(&all) - more(laws).max(more(&[q.clone(), p.clone()]))
            };
            (-12..=12).map(level).fold(f64::INFINITY, f64::min)
        }
    }
}

/// The ε of all responses of a pair.
fn responses(eval: &Eval<'_>, pair: &Term, w: &World) -> Vec<f64> {
    match pair {
        Term::Op(Op::Response, a) => vec![eval.number(&a[0], w)],
        Term::Op(Op::Add, a) => a.iter().flat_map(|t| responses(eval, t, w)).collect(),
        Term::Op(Op::Mul, a) => {
            let once = responses(eval, &a[1], w);
            once.repeat(eval.number(&a[0], w) as usize)
        }
        Term::Bind(Binder::Sum, k, times, body) => {
            let round = |j: usize| responses(eval, body, &with(w, k, Value::Number(j as f64)));
            (0..eval.number(times, w) as usize)
                .flat_map(round)
                .collect()
        }
        other => panic!("{other:?} is no pair of responses"),
    }
}

fn notion(theorem: &Theorem) -> &Notion {
    match &theorem.statement().goal {
        Goal::Private { notion, .. } => notion,
        other => panic!("{other} is not about privacy"),
    }
}

fn evaluated(context: &Context) -> Eval<'_> {
    Eval {
        context,
        fresh: true,
    }
}

/// A pair with |ln p/q| ≤ ε, of a response half of the time.
fn two(r: &mut Random, epsilon: f64) -> Laws {
    let x = 1.0 / (1.0 + epsilon.exp());
    match r.below(4) {
        0 => [vec![x, 1.0 - x], vec![1.0 - x, x]],
        1 => [vec![1.0 - x, x], vec![x, 1.0 - x]],
        _ => pair(r, 2 + r.clone().below(2), epsilon).into(),
    }
}

/// Data of n records, two mechanisms and what processes are made of. A costs (e, f) times the norm of what it is asked, in the
/// first number only; B costs (a, b) for every state.
fn items(kind: Kind) -> Vec<Item> {
    let p = || var("p");
    let positive = |name: &str| real(name, Sign::Positive);
    let mechanism = |name: &str, notion| variable(name, Sort::Mechanism(p(), "D".into(), notion));
    let mut all = vec![
        variable("n", Sort::Count),
        variable("p", Sort::Count),
        variable("T", Sort::Count),
        variable("m", Sort::Count),
        variable("D", Sort::Dataset(var("n"), Relation::ReplaceOne)),
        variable("w₀", Sort::Vector(p(), Sign::Any)),
        variable("u", Sort::Vector(var("m"), Sign::Positive)),
        variable("L", Sort::Vector(p(), Sign::Positive)),
        variable("h", Sort::Index(p())),
        variable("ℓ", Sort::Loss(p(), Lipschitz::Entries, "L".into())),
    ];
    all.extend(["e", "a"].map(positive));
    all.extend(["f", "b"].map(|x| real(x, Sign::NonNegative)));
    let asked = mul([var("e"), var(INPUT).norm()]);
    all.push(mechanism("A", kind(asked, var("f"))));
    all.push(mechanism("B", kind(var("a"), var("b"))));
    all
}

/// What A and B do and cost, and all else, on the first of two neighbours.
fn world(r: &mut Random, kind: usize) -> World {
    let p = 1 + r.below(2);
    let (scale, n) = (r.real(0.05, 0.4), 1 + r.below(3));
    // Asked k, A tells k times as much.
    let a: Vec<Laws> = (0..6).map(|k| two(r, scale * f64::from(k))).collect();
    let b: Vec<Laws> = (0..3).map(|_| two(r, 2.0 * scale)).collect();
    let norm = |k: usize| k as f64 * (p as f64).sqrt();
    let context = ok(Context::default().with(items(KINDS[kind])));
    let eval = evaluated(&context);
    // The least numbers that the laws have: those of 0, less what is left.
    let least = |notion: Notion, laws: &Laws| -kept(&eval, &notion, &World::new(), laws);
    let number = |laws: &Laws| match kind {
        // Of pairs that dominate, the number is the ε of the response.
        0 | 4 => least(Notion::Pure(num(0)), laws),
        k => least(KINDS[k](num(0), num(0)), laws),
    };
    let most = |all: &mut dyn Iterator<Item = f64>| all.fold(1e-9, f64::max);
    let mut e = most(&mut (1..6).map(|k| number(&a[k]) / norm(k)));
    let mut own = most(&mut b.iter().map(number));
    let [mut f, mut delta] = [0.0; 2];
    if kind == 3 {
        (e, own) = (scale * r.real(0.1, 1.0), scale * r.real(0.1, 2.0));
        let needs = |epsilon: f64, [p, q]: &Laws| needed(p, q, epsilon).max(needed(q, p, epsilon));
        f = most(&mut (1..6).map(|k| needs(e * norm(k), &a[k])));
        delta = most(&mut b.iter().map(|laws| needs(own, laws)));
    }
    let loss = |r: &mut Random| {
        let slope = [-1.0, 1.0][r.below(2)] * r.real(0.5, 1.0);
        Function(vec![(20.0, vec![slope; p], r.real(-1.0, 1.0), false)])
    };
    let records = std::iter::once(0).chain((1..n).map(|_| r.below(2)));
    let records: Vec<usize> = records.collect();
    let mut w = World::from([
        ("D".to_owned(), Value::Data(records)),
        ("w₀".to_owned(), Value::Vector(vec![0.0; p])),
        ("u".to_owned(), Value::Vector(r.reals(2, 0.2, 2.0))),
        ("ℓ".to_owned(), Value::Loss(vec![loss(r), loss(r)])),
        ("A".to_owned(), Value::Mechanism(a)),
        ("B".to_owned(), Value::Mechanism(b)),
    ]);
    let counts = [("n", n), ("p", p), ("m", 2), ("h", r.below(p))];
    let counts = counts.map(|(name, k)| (name, k as f64));
    let numbers = [("e", e), ("a", own), ("f", f), ("b", delta)];
    for (name, x) in counts.into_iter().chain(numbers) {
        w.insert(name.into(), Value::Number(x));
    }
    w
}

/// The same world with another first record.
fn neighbours(w: &World) -> [World; 2] {
    let Value::Data(records) = &w["D"] else {
        panic!("no data")
    };
    let mut other = records.clone();
    other[0] = 1;
    [w.clone(), with(w, "D", Value::Data(other))]
}

/// The laws of what is seen of a process on two neighbours.
fn seen(context: &Context, process: &str, view: View, w: &World) -> Laws {
    let on = neighbours(w).map(|w| evaluated(context).seen(process, view, &w));
    let outcomes: Vec<&Vec<u64>> = on[0].keys().chain(on[1].keys()).collect();
    let mut outcomes: Vec<_> = outcomes.into_iter().cloned().collect();
    outcomes.sort();
    outcomes.dedup();
    on.each_ref().map(|law| {
        let mass = |outcome| law.get(outcome).copied().unwrap_or(0.0);
        outcomes.iter().map(mass).collect()
    })
}

/// A is asked ⟨k⟩.
fn asks(name: &str, k: Term) -> Command {
    Command::Call {
        name: name.into(),
        of: app("A", [vector("i", var("p"), k)]),
    }
}

/// What one call of A is said to be, and its laws.
fn called(r: &mut Random, kind: usize) -> (Context, Theorem, World, Laws) {
    let w = world(r, kind);
    let context = ok(Context::default().with(items(KINDS[kind])));
    let k = 1 + r.below(5);
    let theorem = ok(call(&context, &asks("o", num(k as i64))));
    let Value::Mechanism(all) = &w["A"] else {
        panic!("no mechanism")
    };
    let laws = all[k].clone();
    let left = kept(&evaluated(&context), notion(&theorem), &w, &laws);
    assert!(left >= -1e-9, "the premise fails by {left}");
    (context, theorem, w, laws)
}

/// The length of the interval of losses. Twin: ε, not 2ε.
fn interval(r: &mut Random) -> Instance {
    let (context, theorem, w, laws) = called(r, 0);
    let theorem = ok(range_of_pure(&theorem));
    let eval = evaluated(&context);
    let Notion::Range(range) = notion(&theorem) else {
        panic!("no range")
    };
    let half = Notion::Range(range.clone() / num(2));
    Instance {
        rule: kept(&eval, notion(&theorem), &w, &laws),
        twin: kept(&eval, &half, &w, &laws),
    }
}

/// Two unit Gaussians at that distance, cut into pieces: of what is seen of a draw the divergences are no larger.
fn pieces(distance: f64) -> Laws {
    let above = |x: f64| Float::with_val(53, x / 2.0_f64.sqrt()).erfc().to_f64() / 2.0;
    let (count, wide) = (100, 5.0);
    let edge = |i: i32| f64::from(i) / f64::from(count) * (2.0 * wide + distance) - wide;
    // Of both ends that which is farther out is known as exactly as the nearer one.
    let piece = |low: f64, high: f64| match low > 0.0 {
        true => above(low) - above(high),
        false => above(-high) - above(-low),
    };
    let law = |centre: f64| {
        let inside = (1..count - 1).map(|i| piece(edge(i) - centre, edge(i + 1) - centre));
        let ends = [above(centre - edge(1)), above(edge(count - 1) - centre)];
        inside.chain(ends).collect()
    };
    [law(0.0), law(distance)]
}

/// δ at ε of Gaussians, or of several responses, that are ρ-zCDP, the first all but attaining it. Twin: √(ρ·log(1/δ)) once, which the
/// rule must not take either.
fn converted(r: &mut Random) -> Instance {
    let at_most = Goal::Le(var("δ"), num(1));
    let more = [real("δ", Sign::Positive), Item::Assume(at_most.clone())];
    let context = ok(Context::default().with(items(KINDS[1]).into_iter().chain(more)));
    let theorem = ok(call(&context, &asks("o", num(1 + r.below(5) as i64))));
    let Notion::Zcdp(rho) = notion(&theorem).clone() else {
        panic!("no zCDP")
    };
    let fact = |t: &Term| combine(&context, Goal::Le(t.clone(), t.clone()), &[]);
    let below = ok(dp_assay_kernel::search::assumed(&context, &at_most));
    let concludes = |epsilon: &Term| {
        let values = [rho.clone(), epsilon.clone(), var("δ")];
        cite(
            &context,
            &ZCDP_TO_DP,
            &values,
            &[&theorem, &below, &fact(epsilon)?],
        )
    };
    let log = (num(1) / var("δ")).log();
    let once = rho.clone() + mul([rho.clone(), log]).sqrt();
    let (sound, forged) = (ok(concludes(&spent(&rho, &var("δ")))), concludes(&once));
    let (distance, p) = (r.real(0.1, 1.5), 1 + r.below(2));
    let (laws, least) = match r.below(3) {
        0 => {
            let one = two(r, distance);
            let both = |law: &Vec<f64>| -> Vec<f64> {
                let twice = law.iter().flat_map(|x| law.iter().map(move |y| x * y));
                twice.collect()
            };
            (one.each_ref().map(both), distance.powi(2))
        }
        _ => (pieces(distance), distance.powi(2) / 2.0),
    };
    let mut w = World::from([("p".to_owned(), Value::Number(p as f64))]);
    w.insert("e".into(), Value::Number(1.0));
    w.insert("δ".into(), Value::Number((-r.real(0.0, 8.0)).exp()));
    let eval = evaluated(&context);
    // e is such that ρ is what the laws have.
    let e = least / eval.number(&rho, &w);
    w.insert("e".into(), Value::Number(e));
    let left = kept(&eval, &Notion::Zcdp(rho.clone()), &w, &laws);
    assert!(left >= -1e-9, "the premise fails by {left}");
    let rule = kept(&eval, notion(&sound), &w, &laws);
    let twin = kept(&eval, &Notion::Approximate(once, var("δ")), &w, &laws);
    Instance {
        rule: forged.map_or(rule, |_| rule.min(twin)),
        twin,
    }
}

/// A vector of numbers of which the state keeps what it was, or forgets it, and adds what was last named.
fn keeps(r: &mut Random, last: &Term) -> Command {
    let factor = [0, 1, 2, 3][r.below(4)];
    let old = mul([num(factor), at(&var("w"), &var("i"))]);
    Command::Set("w".into(), vector("i", var("p"), old + last.clone()))
}

/// A call of A that the round decides, a call of B that the state does, or a draw that reads nothing, and what the state becomes;
/// the first is a call.
fn steps(r: &mut Random, round: &Term, names: &[&str]) -> Vec<Command> {
    let entry = |name: &str| at(&var(name), &var("i"));
    let mut all = Vec::new();
    for (k, name) in names.iter().enumerate() {
        let (command, seen) = match r.below(if k == 0 { 2 } else { 3 }) {
            0 => (asks(name, round.clone()), entry(name)),
            1 => {
                let of = app("B", [var("w")]);
                let name = (*name).to_owned();
                (
                    Command::Call {
                        name: name.clone(),
                        of,
                    },
                    entry(&name),
                )
            }
            _ => {
                let law = bind(Binder::Weighted, "k", var("m"), at(&var("u"), &var("k")));
                let name = (*name).to_owned();
                (
                    Command::Draw {
                        name: name.clone(),
                        law,
                    },
                    var(&name),
                )
            }
        };
        all.push(command);
        all.push(keeps(r, &seen));
    }
    all
}

/// A process: rounds, and perhaps a step before or after them. Few enough for all outcomes to be enumerated.
fn process(r: &mut Random) -> (Process, usize) {
    let (long, times) = [(1, 1), (1, 2), (1, 3), (2, 1), (2, 2)][r.below(5)];
    let round = var("t") + num(1 + r.below(2) as i64);
    let body = steps(r, &round, &["o", "q"][..long]);
    let mut all = vec![Command::Repeat {
        index: "t".into(),
        times: var("T"),
        body,
    }];
    match r.below(3) {
        0 => drop(all.splice(0..0, steps(r, &num(2), &["y"]))),
        1 => all.extend(steps(r, &num(2), &["y"])),
        _ => {}
    }
    let process = Process {
        states: vec![state("w", var("w₀"))],
        body: all,
    };
    (process, times)
}

pub fn state(name: &str, start: Term) -> State {
    State {
        name: name.into(),
        dimension: var("p"),
        start,
    }
}

/// Σ_{z∈D} ∂_hℓ(w₀; z).
fn reads() -> Term {
    let slope = op(Op::Partial, [var("ℓ"), var("w₀"), var("z"), var("h")]);
    bind(Binder::Total, "z", var("D"), slope)
}

/// Every command of the rounds and outside, to be changed.
fn each(body: &mut [Command], change: &mut dyn FnMut(&mut Command)) {
    for command in body {
        match command {
            Command::Repeat { body, .. } => each(body, change),
            other => change(other),
        }
    }
}

/// The process where a start reads the data, or A is asked for more than it was, or what states become or what is drawn reads
/// the data: each alone, as the rule refuses it for a reason of its own.
fn trapped(r: &mut Random, sound: &Process) -> Process {
    let mut trap = sound.clone();
    let entry = |t: &Term| vector("i", var("p"), at(t, &var("i")) + reads());
    let fault = r.below(4);
    if fault == 0 {
        trap.states[0].start = entry(&var("w₀"));
    }
    each(&mut trap.body, &mut |c| match c {
        Command::Call {
            of: Term::App(name, input),
            ..
        } if fault == 1 && name == "A" => {
            let more = at(&input[0], &var("i")) + num(1);
            *input = [vector("i", var("p"), more)].into();
        }
        Command::Set(_, value) if fault == 2 => *value = entry(value),
        Command::Draw { law, .. } if fault == 3 => {
            let weight = (var("k") * reads()).exp();
            *law = bind(Binder::Weighted, "k", var("m"), weight);
        }
        _ => {}
    });
    trap
}

/// What is said of every call, for all that was named and all states before it.
fn calls(context: &Context, history: &mut Vec<Item>, body: &[Command], all: &mut Vec<Theorem>) {
    for command in body {
        match command {
            Command::Repeat { index, times, body } => {
                let outside = history.len();
                history.push(variable(index, Sort::Index(times.clone())));
                calls(context, history, body, all);
                history.truncate(outside);
            }
            Command::Call { name, .. } => {
                let here = ok(context.with(history.iter().cloned()));
                all.push(ok(call(&here, command)));
                history.push(variable(name, Sort::Vector(var("p"), Sign::Any)));
            }
            Command::Draw { name, .. } => history.push(variable(name, Sort::Index(var("m")))),
            _ => {}
        }
    }
}

/// A sound process P and a trap Q, in a context with both, what is said of the calls in P, and the world.
struct Run {
    context: Context,
    calls: Vec<Theorem>,
    world: World,
}

impl Run {
    fn random(r: &mut Random, trap: impl Fn(&mut Random, &Process) -> Process) -> Self {
        let kind = r.below(5);
        let mut world = world(r, kind);
        let (process, times) = process(r);
        world.insert("T".into(), Value::Number(times as f64));
        let trap = trap(r, &process);
        let both = [("Q", trap), ("P", process.clone())];
        let both = both.map(|(name, process)| Item::Process(name.into(), process));
        let items = items(KINDS[kind]).into_iter().chain(both);
        let context = ok(Context::default().with(items));
        let mut history = vec![variable("w", Sort::Vector(var("p"), Sign::Any))];
        let mut all = Vec::new();
        calls(&context, &mut history, &process.body, &mut all);
        Self {
            context,
            calls: all,
            world,
        }
    }

    fn composed(&self, process: &str) -> Result<Theorem, dp_assay_kernel::Stuck> {
        let calls: Vec<&Theorem> = self.calls.iter().collect();
        compose(&self.context, process, "D", &calls)
    }

    /// By how much less is seen of a process than that, with so many rounds in what is said.
    fn left(&self, said: &Notion, (process, view): (&str, View), fewer: f64) -> f64 {
        let Value::Number(times) = self.world["T"] else {
            panic!("no rounds")
        };
        let fewer = with(&self.world, "T", Value::Number(times - fewer));
        let laws = seen(&self.context, process, view, &self.world);
        kept(&evaluated(&self.context), said, &fewer, &laws)
    }
}

/// The transcript of a random process costs no more than the rule says. Twins: one round fewer is paid for; or as if the same held
/// for a trap, which the rule must refuse.
fn transcripts(r: &mut Random) -> Instance {
    let run = Run::random(r, trapped);
    let theorem = ok(run.composed("P"));
    let said = notion(&theorem);
    let rule = run.left(said, ("P", View::Transcript), 0.0);
    let leaks = run.left(said, ("Q", View::Transcript), 0.0);
    let fewer = run.left(said, ("P", View::Transcript), 1.0);
    let differ = run.context.process("P") != run.context.process("Q");
    Instance {
        rule: match run.composed("Q") {
            Ok(_) if differ => rule.min(leaks),
            _ => rule,
        },
        twin: if r.below(2) == 0 { leaks } else { fewer },
    }
}

/// What is seen of the states of a random process, at its end or all along, is no more than of the transcript. Twin: as if it were
/// so of a state that reads the data, which the rule must refuse, though the transcript beside it is as private.
fn states(r: &mut Random) -> Instance {
    let run = Run::random(r, |r, sound| {
        let mut trap = sound.clone();
        let fixed = r.below(2) == 0;
        let start = vector("i", var("p"), if fixed { num(0) } else { reads() });
        trap.states.push(state("s", start));
        if fixed {
            let count = sum("j", var("p"), at(&var("s"), &var("j")));
            let value = vector("i", var("p"), count + reads());
            trap.body.insert(0, Command::Set("s".into(), value));
        }
        trap
    });
    let view = [View::End, View::Path][r.below(2)];
    let known = ok(run.composed("P"));
    let theorem = ok(forget(&known, view));
    let beside = ok(unread(&known, "Q"));
    assert!(run.left(notion(&known), ("P", View::Transcript), 0.0) >= -1e-9);
    let rule = run.left(notion(&theorem), ("P", view), 0.0);
    let twin = run.left(notion(&theorem), ("Q", view), 0.0);
    Instance {
        rule: forget(&beside, view).map_or(rule, |_| rule.min(twin)),
        twin,
    }
}
