//! Pairs that dominate, bounds that two records attain, and events: falsifiers, and what is refused.

use crate::items::{real, variable};
use crate::privacy::{called, gaussians, pair, parts, pure, renyi, setting, vector_sensitivity};
use crate::refusals::refused;
use crate::world::{Eval, Random, Value, World};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{
    self, Part, Theorem, assume, attained, combine, compose, events, gaussian_pair,
    gaussians_together, response, weaken,
};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, Statement, Subject,
};
use dp_assay_kernel::term::{Op, Term, app, at, mul, num, op, sum, var, vector};
use dp_assay_kernel::{Stuck, render};

pub const FALSIFIERS: [Falsifier; 5] = [
    ("response", responded),
    ("gaussian-pair", centres),
    ("together", summed),
    ("attained", reached),
    ("events", event),
];

/// The number of a pair of one kind.
fn number(theorem: &Theorem) -> &Term {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Dominated(Term::Op(_, a)),
            ..
        } => &a[0],
        other => panic!("{other} names no pair of one kind"),
    }
}

/// H_a of two laws, for some a, against that of the response. Twin: a response of ε/2.
fn responded(r: &mut Random) -> Instance {
    let (_, theorem) = called(Notion::Pure(var("e")));
    let theorem = response(&theorem).expect("pure");
    let (p, q) = pair(r, 4, 1.0);
    let w = World::from([("e".to_owned(), Value::Number(pure(&p, &q)))]);
    let eval = Eval {
        context: &theorem.statement().context,
        fresh: true,
    };
    let epsilon = eval.number(number(&theorem), &w);
    let level = r.real(-1.5, 1.5).exp();
    let excess = |p: f64, q: f64| (p - level * q).max(0.0);
    let found: f64 = p.iter().zip(&q).map(|(p, q)| excess(*p, *q)).sum();
    let bits = |epsilon: f64| {
        let one = epsilon.exp() / (1.0 + epsilon.exp());
        excess(one, 1.0 - one) + excess(1.0 - one, one)
    };
    Instance {
        rule: bits(epsilon) - found,
        twin: bits(epsilon / 2.0) - found,
    }
}

/// A mean gradient with noise of variance e, its number at random values, and these.
fn noisy(r: &mut Random) -> (Context, Command, Theorem, World) {
    let context = setting(Relation::ReplaceOne, &[]);
    let moves = vector_sensitivity(&context);
    let command = Command::Release {
        name: "a".into(),
        query: parts(&moves).0.clone(),
        law: op(Op::Normal, [var("d"), var("e")]),
    };
    let w = World::from([
        ("n".to_owned(), Value::Number((1 + r.below(4)) as f64)),
        ("d".to_owned(), Value::Number(3.0)),
        ("e".to_owned(), Value::Number(r.real(0.3, 3.0))),
        ("c".to_owned(), Value::Number(r.real(0.1, 1.0))),
    ]);
    (context, command, moves, w)
}

/// The divergence of order α of the pair, α·m/2, against that of noise on a vector that moves by 2c/n, as the sum of those of
/// its coordinates. An error of 10⁻⁹ is the integral's. Twin: the largest entry in place of the norm.
fn centres(r: &mut Random) -> Instance {
    let (context, command, moves, w) = noisy(r);
    let theorem = gaussian_pair(&context, &command, &moves, None).expect("a release");
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let (by, v) = (eval.number(parts(&moves).1, &w), eval.number(&var("e"), &w));
    let square = eval.number(number(&theorem), &w);
    let direction = r.reals(3, -1.0, 1.0);
    let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let apart: Vec<f64> = direction.iter().map(|x| x / norm * by).collect();
    let alpha = [1.5, 2.0, 5.0][r.below(3)];
    let divergence: f64 = apart.iter().map(|t| gaussians(alpha, *t, v)).sum();
    let largest = apart.iter().fold(0.0, |b: f64, t| b.max(t.abs()));
    Instance {
        rule: alpha * square / 2.0 + 1e-9 - divergence,
        twin: alpha * largest.powi(2) / v / 2.0 - divergence,
    }
}

/// 2·(N(√e) + N(√a)): its divergence as the sum of those of the four. Twin: each once.
fn summed(r: &mut Random) -> Instance {
    let one = |x: &str| op(Op::Gaussian, [var(x)]);
    let pair = mul([num(2), one("e") + one("a")]);
    let mechanism = Sort::Mechanism(var("d"), "D".into(), Notion::Dominated(pair));
    let a = variable("a", Sort::Real(Sign::Positive));
    let context = setting(Relation::ReplaceOne, &[a, variable("A", mechanism)]);
    let call = Command::Call {
        name: "o".into(),
        of: app("A", [var("x")]),
    };
    let theorem = rules::call(&context, &call).expect("a call");
    let theorem = gaussians_together(&theorem).expect("Gaussian pairs");
    let (e, a) = (r.real(0.05, 1.0), r.real(0.05, 1.0));
    let w = World::from([
        ("e".to_owned(), Value::Number(e)),
        ("a".to_owned(), Value::Number(a)),
    ]);
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let square = eval.number(number(&theorem), &w);
    let alpha = [1.5, 2.0, 4.0][r.below(3)];
    let divergence = 2.0 * (gaussians(alpha, e.sqrt(), 1.0) + gaussians(alpha, a.sqrt(), 1.0));
    Instance {
        rule: alpha * square / 2.0 + 1e-9 - divergence,
        twin: alpha * (e + a) / 2.0 - divergence,
    }
}

/// Records z and z′ whose gradients are 2c apart.
fn two(context: &Context) -> Result<Context, Stuck> {
    let records = ["z", "z′"].map(|z| variable(z, Sort::Record));
    let here = context.with(records)?;
    here.extended(Item::Assume(Goal::Le(distance(), apart())))
}

fn distance() -> Term {
    mul([num(2), var("c")]) / var("n")
}

fn apart() -> Term {
    let slope = |z: &str| {
        let of = [var("g"), var("x"), var(z), var("j")];
        op(Op::Partial, of) / var("n")
    };
    vector("j", var("d"), slope("z") - slope("z′")).norm()
}

/// What the least ρ is, against the divergence of noise on a vector that moves by so much. Twin: twice that.
fn reached(r: &mut Random) -> Instance {
    let (context, command, _, w) = noisy(r);
    let here = two(&context).expect("two records");
    let far = assume(&here, here.items().len() - 1).expect("the last item");
    let dominated = r.below(2) == 0;
    let (least, notion) = match dominated {
        true => (
            distance().pow(2) / var("e"),
            Notion::Dominated(op(Op::Gaussian, [var("e")])),
        ),
        false => (
            distance().pow(2) / mul([num(2), var("e")]),
            Notion::Zcdp(var("e")),
        ),
    };
    let on = ("D", &["z", "z′"][..]);
    let theorem = attained(&here, &command, (&notion, &least), on, &far, None).expect("a release");
    let Some([left, _]) = theorem.statement().goal.sides() else {
        panic!("no bound");
    };
    let eval = Eval {
        context: &here,
        fresh: true,
    };
    let [by, v, least] = [&distance(), &var("e"), left].map(|t| eval.number(t, &w));
    let alpha = [1.5, 2.0, 5.0][r.below(3)];
    let spent = gaussians(alpha, by, v) / alpha * if dominated { 2.0 } else { 1.0 };
    Instance {
        rule: spent + 1e-9 - least,
        twin: spent - 2.0 * least,
    }
}

/// α·u^{α−1}·p − (α − 1)·u^α·q.
fn below(order: &Term, p: &Term, q: &Term, u: &str) -> Term {
    let less = order.clone() - num(1);
    let power = |k: &Term| mul([k.clone(), var(u).log()]).exp();
    let first = mul([order.clone(), power(&less), p.clone()]);
    first - mul([less, power(order), q.clone()])
}

fn every(name: &str, goal: Goal) -> Goal {
    Goal::Every(name.into(), Sort::Real(Sign::Positive), goal.into())
}

fn at_order(order: &Term, tau: Term) -> Goal {
    let [p, q] = ["P", "Q"].map(var);
    let [rest, left] = [&p, &q].map(|t| num(1) - t.clone());
    let sum = below(order, &p, &q, "U") + below(order, &rest, &left, "V");
    let most = mul([order.clone() - num(1), tau]).exp();
    every("U", every("V", Goal::Le(sum, most)))
}

/// What a notion says of an event.
pub fn told(notion: &Notion) -> Goal {
    let [p, q] = ["P", "Q"].map(var);
    match notion {
        Notion::Pure(e) => Goal::Le(p, mul([e.exp(), q])),
        Notion::Approximate(e, d) => Goal::Le(p, mul([e.exp(), q]) + d.clone()),
        Notion::Renyi(order, tau) => at_order(order, tau.clone()),
        Notion::Zcdp(rho) => {
            let order = num(1) + var("y");
            every("y", at_order(&order, mul([rho.clone(), order.clone()])))
        }
        other => panic!("{other} says nothing of events"),
    }
}

/// A context with the probabilities of an event and what is told of them, and the last of these as a theorem.
pub fn with_event(context: &Context, told: Goal) -> Result<Theorem, Stuck> {
    let probability = |x: &str| real(x, Sign::NonNegative);
    let most = |x: &str| Item::Assume(Goal::Le(var(x), num(1)));
    let here = context.with([
        probability("P"),
        probability("Q"),
        most("P"),
        most("Q"),
        Item::Assume(told),
    ])?;
    assume(&here, here.items().len() - 1)
}

/// A random event of two laws on four points that are as private as the notion says. Twin: half of its number.
fn event(r: &mut Random) -> Instance {
    let order = num(1) + var("a");
    let notions = [
        Notion::Pure(var("e")),
        Notion::Approximate(var("e"), num(0)),
        Notion::Renyi(order, var("e")),
        Notion::Zcdp(var("e")),
    ];
    let which = r.below(4);
    let (context, theorem) = called(notions[which].clone());
    let inner = with_event(&context, told(&notions[which])).expect("an event");
    let theorem = events(&theorem, &inner).expect("a bound");
    let Goal::Events(.., goal) = &theorem.statement().goal else {
        panic!("not about events");
    };
    let mut goal = &**goal;
    while let Goal::Every(_, _, inside) = goal {
        goal = inside;
    }
    let (p, q) = pair(r, 4, 1.5);
    let a = r.real(0.05, 3.0);
    let own = match which {
        0 | 1 => pure(&p, &q),
        2 => renyi(&p, &q, 1.0 + a),
        _ => renyi(&p, &q, 1.0 + a) / (1.0 + a),
    };
    let event = 1 + r.below(14);
    let mass =
        |law: &[f64]| -> f64 { (0..4).filter(|i| event >> i & 1 == 1).map(|i| law[i]).sum() };
    let (big_p, big_q) = (mass(&p), mass(&q));
    let ratio = |x: f64, r: &mut Random| x * (0.2 * r.real(-1.0, 1.0)).exp();
    let (u, v) = (
        ratio(big_p / big_q, r),
        ratio((1.0 - big_p) / (1.0 - big_q), r),
    );
    let margin = |e: f64| {
        let numbers = [
            ("e", e),
            ("a", a),
            ("y", a),
            ("P", big_p),
            ("Q", big_q),
            ("U", u),
            ("V", v),
        ];
        let w: World = numbers
            .into_iter()
            .map(|(x, value)| (x.to_owned(), Value::Number(value)))
            .collect();
        let eval = Eval {
            context: &theorem.statement().context,
            fresh: true,
        };
        let Goal::Le(left, right) = goal else {
            panic!("no bound");
        };
        eval.number(right, &w) - eval.number(left, &w)
    };
    Instance {
        rule: margin(own),
        twin: margin(own / 2.0),
    }
}

/// Distances that are none, records that do not differ, numbers that read the data.
#[test]
fn what_is_not_attained_is_refused() -> Result<(), Stuck> {
    let (context, command, moves, _) = noisy(&mut Random(5));
    let here = two(&context)?;
    let far = assume(&here, here.items().len() - 1)?;
    let least = distance().pow(2) / mul([num(2), var("e")]);
    let rho = Notion::Zcdp(var("e"));
    let both: &[&str] = &["z", "z′"];
    let with = |notion: &Notion, least: &Term, records: &[&str], fact: &Theorem| {
        attained(&here, &command, (notion, least), ("D", records), fact, None)
    };
    assert!(with(&rho, &least, both, &far).is_ok());
    refused(
        with(&rho, &(num(2) * least.clone()), both, &far),
        "not that number",
    );
    refused(with(&rho, &least, &["z"], &far), "not the records");
    refused(with(&rho, &least, &["z", "z"], &far), "not the distance");
    refused(with(&rho, &least, &["z", "n"], &far), "not the records");
    refused(
        with(&Notion::Pure(var("e")), &least, both, &far),
        "no exact number",
    );
    let pair = Notion::Dominated(op(Op::Response, [var("e")]));
    refused(with(&pair, &least, both, &far), "no exact number");
    refused(
        with(&rho, &least, both, &moves),
        "no release, or no distance",
    );
    // The other way round it bounds nothing from below.
    let small = here.extended(Item::Assume(Goal::Le(apart(), distance())))?;
    let near = assume(&small, small.items().len() - 1)?;
    let on = ("D", both);
    refused(
        attained(&small, &command, (&rho, &least), on, &near, None),
        "not the distance",
    );
    // A distance that may be negative has a square that is too large.
    let below = here.extended(Item::Assume(Goal::Le(num(0) - distance(), apart())))?;
    let negative = assume(&below, below.items().len() - 1)?;
    refused(
        attained(&below, &command, (&rho, &least), on, &negative, None),
        "not plainly",
    );
    // Another law.
    let laplace = Command::Release {
        name: "a".into(),
        query: at(parts(&moves).0, &var("j")),
        law: op(Op::Laplace, [var("e")]),
    };
    let indexed = context.extended(variable("j", Sort::Index(var("d"))))?;
    refused(
        gaussian_pair(&indexed, &laplace, &moves, None),
        "another query",
    );
    Ok(())
}

/// Pairs of other kinds, numbers that may be negative, and what is larger.
#[test]
fn pairs_that_do_not_dominate_are_refused() -> Result<(), Stuck> {
    let (context, private) = called(Notion::Pure(var("e")));
    let found = response(&private)?;
    refused(response(&found), "not pure");
    refused(gaussians_together(&found), "not Gaussian");
    refused(gaussians_together(&private), "no pair");
    let (_, unknown) = called(Notion::Pure(num(1) - var("e")));
    refused(response(&unknown), "may be negative");
    // To a larger number of the same kind, and not to another kind.
    let more = var("e") + var("a");
    let grows = Goal::Le(var("e"), more.clone());
    let grows = combine(&context, grows, &[Part::new(var("a"), [])])?;
    let pair = |kind: Op, t: &Term| Notion::Dominated(op(kind, [t.clone()]));
    assert!(weaken(&found, &pair(Op::Response, &more), &[&grows]).is_ok());
    refused(
        weaken(&found, &pair(Op::Gaussian, &more), &[&grows]),
        "not the bound",
    );
    refused(
        weaken(&found, &pair(Op::Gaussian, &var("e")), &[]),
        "not bounded",
    );
    refused(
        weaken(&found, &pair(Op::Response, &more), &[]),
        "not bounded",
    );
    // In words that mean something.
    let sort = |pair: Term| Sort::Mechanism(var("d"), "D".into(), Notion::Dominated(pair));
    let gaussian = |t: Term| op(Op::Gaussian, [t]);
    for wrong in [
        var("e"),
        gaussian(num(0) - var("e")),
        gaussian(var("e")) - gaussian(var("e")),
        mul([var("e"), gaussian(var("e"))]),
        mul([gaussian(var("e")), gaussian(var("e"))]),
        mul([num(2), gaussian(var("e")), gaussian(var("e"))]),
        op(Op::Mul, [gaussian(var("e"))]),
        op(Op::Add, [gaussian(var("e"))]),
        op(Op::Add, []),
        op(Op::Gaussian, [var("e"), var("e")]),
        op(Op::Response, [var("e"), var("e")]),
        op(Op::Gaussian, []),
        sum("k", var("a"), gaussian(var("e"))),
        sum("e", var("d"), gaussian(var("a"))),
        sum("k", var("d"), var("e")),
    ] {
        assert!(context.extended(variable("B", sort(wrong))).is_err());
    }
    // A pair may have a name.
    let named = context.with([variable("P", Sort::Pair), variable("m", Sort::Count)])?;
    named.extended(variable("B", sort(mul([var("m"), var("P")]) + var("P"))))?;
    refused(
        named.extended(variable("B", sort(var("m")))),
        "is no pair of laws",
    );
    // One for every index: what it names ends with it.
    let each = sum("k", var("d"), gaussian(at(&var("u"), &var("k")).pow(2)));
    context.extended(variable("B", sort(each.clone())))?;
    let later = each.clone() + gaussian(at(&var("u"), &var("k")).pow(2));
    refused(
        context.extended(variable("B", sort(later))),
        "is not an index below",
    );
    let (_, several) = called(Notion::Dominated(each));
    let squares = sum("k", var("d"), at(&var("u"), &var("k")).pow(2));
    assert_eq!(*number(&gaussians_together(&several)?), squares);
    refused(
        combine(&context, Goal::Le(gaussian(var("e")), num(1)), &[]),
        "cannot take",
    );
    Ok(())
}

/// What is seen of an event is what is told, of numbers between 0 and 1, and reads no data.
#[test]
fn events_of_which_more_is_told_are_refused() -> Result<(), Stuck> {
    let notion = Notion::Pure(var("e"));
    let (context, private) = called(notion.clone());
    let sound = with_event(&context, told(&notion))?;
    assert!(events(&private, &sound).is_ok());
    let more = with_event(&context, told(&Notion::Pure(var("e") / num(2))))?;
    refused(events(&private, &more), "not what the bound says");
    let two = mul([var("e"), num(2)]);
    let (_, dominated) = called(Notion::Dominated(op(Op::Gaussian, [two])));
    let other = with_event(&dominated.statement().context, told(&notion))?;
    refused(events(&dominated, &other), "no bound on events");
    // The order may be below 1, where the divergence says something else.
    let low = Notion::Renyi(var("a"), var("e"));
    let (context, private) = called(low.clone());
    let of_low = with_event(&context, told(&low))?;
    refused(events(&private, &of_low), "not plainly");
    // Numbers of another sign, or without the hypotheses.
    let negative = context.with([real("P", Sign::Any), real("Q", Sign::NonNegative)])?;
    let nothing = combine(
        &negative,
        Goal::Le(num(0), num(1)),
        &[Part::new(num(1), [])],
    )?;
    refused(events(&private, &nothing), "no two probabilities");
    let bare = context.with(["P", "Q"].map(|x| real(x, Sign::NonNegative)))?;
    let nothing = combine(&bare, Goal::Le(num(0), num(1)), &[Part::new(num(1), [])])?;
    refused(events(&private, &nothing), "not three hypotheses");
    refused(events(&private, &of_low), "not plainly");
    refused(events(&sound, &sound), "not about privacy");
    Ok(())
}

/// A mechanism's number may depend on its input, which a call puts in; composition asks that it does not depend on the past.
#[test]
fn costs_that_inputs_decide_are_not_uniform() -> Result<(), Stuck> {
    let cost = |of: Term| app("m", [of]).norm();
    let notion = Notion::Zcdp(cost(var("input")));
    let base = setting(Relation::ReplaceOne, &[]);
    let map = Sort::Map(vec![var("d")], num(1));
    let base = base.extended(variable("m", map))?;
    let mechanism = Sort::Mechanism(var("d"), "D".into(), notion);
    let process = Process {
        states: vec![dp_assay_kernel::statement::State {
            name: "w".into(),
            dimension: var("d"),
            start: var("x"),
        }],
        body: vec![Command::Call {
            name: "o".into(),
            of: app("A", [var("w")]),
        }],
    };
    let context = base.with([
        variable("A", mechanism),
        Item::Process("M".into(), process.clone()),
    ])?;
    let here = context.extended(variable("w", Sort::Vector(var("d"), Sign::Any)))?;
    let asked = rules::call(&here, &process.body[0])?;
    let Goal::Private { notion, .. } = &asked.statement().goal else {
        panic!("not about privacy");
    };
    assert_eq!(*notion, Notion::Zcdp(cost(var("w"))));
    refused(
        compose(&context, "M", "D", &[&asked]),
        "depends on the history",
    );
    // Nothing else is called like this.
    refused(context.extended(real("input", Sign::Any)), "is not a name");
    refused(
        combine(&context, Goal::Le(var("input").norm(), num(1)), &[]),
        "nothing is called",
    );
    Ok(())
}

#[test]
fn pairs_and_events_are_read_back() -> Result<(), Stuck> {
    let items = [variable("P", Sort::Pair), variable("m", Sort::Count)];
    let context = setting(Relation::ReplaceOne, &items);
    let range = variable(
        "B",
        Sort::Mechanism(var("d"), "D".into(), Notion::Range(var("e"))),
    );
    let context = context.extended(range)?;
    let subject = Subject::Command(
        Command::Call {
            name: "o".into(),
            of: app("B", [var("x")]),
        }
        .into(),
    );
    let both = op(Op::Gaussian, [var("e")]) + mul([var("m"), var("P")]);
    let dominated = Goal::Private {
        data: "D".into(),
        notion: Notion::Dominated(both + op(Op::Response, [var("c")])),
        subject: subject.clone(),
    };
    let names = ["p", "q"].map(Into::into);
    let less = Goal::Le(var("p"), var("q"));
    let event = Goal::Events("D".into(), subject, names, less.into());
    let if_private = Goal::If(
        dominated.clone().into(),
        Goal::Le(var("e"), var("c")).into(),
    );
    let goal = Goal::Both(vec![dominated, event, if_private]);
    let statement = Statement { context, goal };
    let text = statement.to_string();
    let wanted = "[o ← B(x)] is dominated by (Gaussian(e) + m·P) + Response(c)";
    assert!(text.contains(wanted), "{text}");
    let wanted = "every event of [o ← B(x)], of probabilities p and q, has: p ≤ q";
    assert!(text.contains(wanted), "{text}");
    assert_eq!(render::parse(&text)?, statement);
    Ok(())
}
