//! What is expected of messages at the end of a process: a falsifier, the interpreter's means, and what is refused.

use crate::choices::ok;
use crate::items::{real, variable};
use crate::refusals::refused;
use crate::rules::margin;
use crate::world::{Eval, Random, Value, World, sent, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, ends};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Process, Sign, Sort, State};
use dp_assay_kernel::term::{Binder, Op, Term, at, num, op, var, vector};

pub const FALSIFIERS: [Falsifier; 1] = [("ends, messages", released)];

/// Its names are those that the rule would take: of them it has to make others.
fn network() -> Result<Context, Stuck> {
    let all = || op(Op::Mul, [var("m"), var("d")]);
    Context::default().with([
        variable("m", Sort::Count),
        variable("E", Sort::Count),
        variable("d", Sort::Count),
        variable("i", Sort::Index(var("m"))),
        variable("b", Sort::Sequence(var("m"))),
        variable("z", Sort::Vector(var("d"), Sign::Any)),
        variable("o", Sort::Index(all())),
        variable("k", Sort::Index(all())),
        real("s", Sign::NonNegative),
        real("t", Sign::NonNegative),
        real("e", Sign::Any),
    ])
}

/// θ becomes the messages of this query.
fn sending(query: Term, own: Term) -> Result<Context, Stuck> {
    let [m, i, b, pairs, t] = ["m", "i", "b", "E", "t"].map(var);
    let dimension = op(Op::Mul, [var("m"), var("d")]);
    let release = Command::Release {
        name: "y".into(),
        query,
        law: op(Op::Pairwise, [m, i, own, b, pairs, t]),
    };
    let process = Process {
        states: vec![State {
            name: "θ".into(),
            start: vector("j", dimension.clone(), num(0)),
            dimension,
        }],
        body: vec![release, Command::Set("θ".into(), var("y"))],
    };
    network()?.extended(Item::Process("P".into(), process))
}

fn query() -> Term {
    vector("j", var("d"), at(&var("z"), &var("j")) + var("e"))
}

/// What E θ_o·θ_k at the end is at most.
fn at_end(context: &Context) -> Result<Theorem, Stuck> {
    let entry = |o: &str| at(&var("θ"), &var(o));
    let value = op(Op::Mul, [entry("o"), entry("k")]);
    ends(context, "P", ("θ", &value), &[], &[])
}

/// Users, edges, entries, and values of all else.
struct Network {
    users: usize,
    d: usize,
    ends: Vec<Vec<f64>>,
    world: World,
}

impl Network {
    fn random(r: &mut Random, [users, edges, d]: [usize; 3]) -> Self {
        let ends: Vec<Vec<f64>> = (0..edges).map(|_| r.reals(users, -1.0, 1.0)).collect();
        let number = |x: usize| Value::Number(x as f64);
        let world = World::from([
            ("m".to_owned(), number(users)),
            ("E".to_owned(), number(edges)),
            ("d".to_owned(), number(d)),
            ("i".to_owned(), number(r.below(users))),
            ("b".to_owned(), Value::Sequence(ends.clone())),
            ("z".to_owned(), Value::Vector(r.reals(d, -2.0, 2.0))),
            ("o".to_owned(), number(r.below(users * d))),
            ("k".to_owned(), number(r.below(users * d))),
            ("s".to_owned(), Value::Number(r.real(0.0, 2.0))),
            ("t".to_owned(), Value::Number(r.real(0.0, 2.0))),
            ("e".to_owned(), Value::Number(r.real(-1.0, 1.0))),
        ]);
        Self {
            users,
            d,
            ends,
            world,
        }
    }

    fn number(&self, name: &str) -> f64 {
        match &self.world[name] {
            Value::Number(x) => *x,
            other => panic!("{other:?} is no number"),
        }
    }

    fn query(&self) -> Vec<f64> {
        match &self.world["z"] {
            Value::Vector(z) => z.iter().map(|z| z + self.number("e")).collect(),
            other => panic!("{other:?} is no vector"),
        }
    }

    /// E θ_o·θ_k by the covariance of the messages.
    fn moment(&self) -> f64 {
        let [o, k] = ["o", "k"].map(|name| self.number(name) as usize);
        let block = |o: usize| (o / self.d, o % self.d);
        let ((user, j), (other, l)) = (block(o), block(k));
        let mean = |user: usize, j: usize| match user as f64 == self.number("i") {
            true => self.query()[j],
            false => 0.0,
        };
        let common: f64 = self.ends.iter().map(|b| b[user] * b[other]).sum();
        let own = if o == k { self.number("s") } else { 0.0 };
        let shared = if j == l { common } else { 0.0 };
        mean(user, j) * mean(other, l) + own + self.number("t") * shared
    }
}

/// What is expected in the mean over the noises that it names, each with its law: so many numbers, and their variance.
fn over_noises(right: &Term) -> ([(&str, &[Term]); 2], &Term) {
    let Term::Bind(Binder::Expect, z, first, rest) = right else {
        panic!("no noise in common")
    };
    let Term::Bind(Binder::Expect, w, second, value) = &**rest else {
        panic!("no own noise")
    };
    match (&**first, &**second) {
        (Term::Op(Op::Normal, first), Term::Op(Op::Normal, second)) => {
            ([(z, first), (w, second)], value)
        }
        other => panic!("{other:?} is not Gaussian"),
    }
}

/// Given both noises the value is that of the messages, and the noises are of the law's size. Twins: entry by entry and not user by
/// user, the noise in common left out, and the query in all messages.
fn released(r: &mut Random) -> Instance {
    let context = ok(sending(query(), var("s")));
    let theorem = ok(at_end(&context));
    let Goal::Le(_, right) = &theorem.statement().goal else {
        panic!("no bound")
    };
    let sizes = [2 + r.below(2), 1 + r.below(3), 1 + r.below(3)];
    let network = Network::random(r, sizes);
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let ([(z, first), (w, second)], value) = over_noises(right);
    let size = |law: &[Term]| [0, 1].map(|n| eval.number(&law[n], &network.world));
    let [users, edges, d] = sizes.map(|n| n as f64);
    assert_eq!(size(first), [edges * d, network.number("t")]);
    assert_eq!(size(second), [users * d, network.number("s")]);
    let [edges, users] = [sizes[1], network.users].map(|n| n * network.d);
    let (shared, own) = (r.reals(edges, -2.0, 2.0), r.reals(users, -2.0, 2.0));
    let world = with(&network.world, z, Value::Vector(shared.clone()));
    let found = eval.number(value, &with(&world, w, Value::Vector(own.clone())));
    let [o, k, i] = ["o", "k", "i"].map(|name| network.number(name) as usize);
    let (query, ends) = (network.query(), &network.ends);
    let messages = sent(&query, i, ends, [&own, &shared]);
    let turned = |o: usize| o % network.users * network.d + o / network.users;
    let other = match r.below(3) {
        0 => messages[turned(o)] * messages[turned(k)],
        1 => {
            let without = sent(&query, i, &[], [&own, &[]]);
            without[o] * without[k]
        }
        _ => {
            let all = |o: usize| sent(&query, o / network.d, ends, [&own, &shared])[o];
            all(o) * all(k)
        }
    };
    let away = |wanted: f64| -(found - wanted).abs() / (1.0 + wanted.abs());
    Instance {
        rule: away(messages[o] * messages[k]),
        twin: away(other),
    }
}

/// Gaussian quadrature is exact for squares: what the rule says is the mean over all that the interpreter draws, and that by hand.
#[test]
fn messages_have_the_means_of_what_is_run() -> Result<(), Stuck> {
    let context = sending(query(), var("s"))?;
    let theorem = at_end(&context)?;
    let goal = &theorem.statement().goal;
    let Goal::Le(left, right) = goal else {
        panic!("no bound")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let mut r = Random(5);
    for sizes in [
        [2, 1, 2],
        [2, 2, 1],
        [3, 1, 1],
        [1, 2, 2],
        [2, 1, 2],
        [2, 2, 1],
    ] {
        let network = Network::random(&mut r, sizes);
        let [run, said] = [left, right].map(|t| eval.number(t, &network.world));
        assert!((run - said).abs() < 1e-9, "{sizes:?}: {run} and {said}");
        let wanted = network.moment();
        assert!((said - wanted).abs() < 1e-9, "{sizes:?}: {said}, {wanted}");
        assert!(margin(&context, goal, &network.world).abs() < 1e-9);
    }
    Ok(())
}

#[test]
fn messages_of_no_known_expectation_are_refused() -> Result<(), Stuck> {
    at_end(&sending(query(), var("s"))?)?;
    refused(at_end(&sending(var("z"), var("s"))?), "not written out");
    refused(at_end(&sending(query(), var("e"))?), "may be negative");
    // What is read of the state may grow like no polynomial.
    let wild = vector("j", var("d"), var("e").exp());
    at_end(&sending(wild, var("s"))?)?;
    let wild = vector("j", var("d"), at(&var("θ"), &var("o")).exp());
    refused(at_end(&sending(wild, var("s"))?), "no expectation");
    let wild = at(&var("θ"), &var("o")).exp();
    refused(at_end(&sending(query(), wild)?), "no expectation");
    Ok(())
}
