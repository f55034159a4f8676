//! The exponential mechanism: draws of an index by weights that read the data.

use crate::items::variable;
use crate::refusals::refused;
use crate::world::{Eval, Random, Value, World, context};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::render;
use dp_assay_kernel::rules::{
    Part, Theorem, assume, bounded_range, combine, compose, ends, expected, exponential, instance,
    one_record, pure_range,
};
use dp_assay_kernel::search::{modulus, range_as_pure, range_as_zcdp, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Notion, Process, Relation, Sign, Sort, State, Statement,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

pub const FALSIFIERS: [Falsifier; 3] = [
    ("exponential", ranged),
    ("pure-range", pure),
    ("bounded-range", concentrated),
];

/// One record with a score in every entry, which moves by at most Δ from one record to another; weights a.
fn setting(relation: Relation) -> Context {
    let apart = |x: &str, y: &str| {
        let score = |z: &str| at(&app("s", [var(z)]), &var("i"));
        let near = Goal::Le(score(x) - score(y), var("Δ"));
        let near = Goal::Every("y".into(), Sort::Record, near.into());
        let near = Goal::Every("x".into(), Sort::Record, near.into());
        Goal::Every("i".into(), Sort::Index(var("m")), near.into())
    };
    context([
        variable("m", Sort::Count),
        variable("n", Sort::Count),
        variable("Δ", Sort::Real(Sign::NonNegative)),
        variable("a", Sort::Vector(var("m"), Sign::NonNegative)),
        variable("q", Sort::Vector(var("m"), Sign::Any)),
        variable("s", Sort::Feature(var("m"))),
        Item::Assume(apart("x", "y")),
        variable("D", Sort::Dataset(var("n"), relation)),
    ])
}

fn query() -> Term {
    let score = at(&app("s", [var("z")]), &var("k"));
    bind(Binder::Total, "z", var("D"), score)
}

fn draw(weight: Term) -> Command {
    Command::Draw {
        name: "j".into(),
        law: bind(Binder::Weighted, "k", var("m"), weight),
    }
}

fn weight() -> Term {
    mul([at(&var("a"), &var("k")), query().exp()])
}

/// |s_k(z) − s_k(z′)| ≤ by, from the hypothesis on both orders.
fn moves(context: &Context, by: &Term) -> Result<Theorem, Stuck> {
    let here = context.extended(variable("k", Sort::Index(var("m"))))?;
    let records = ["z", "z′"].map(|z| variable(z, Sort::Record));
    let two = here.with(records)?;
    let near = |x: &str, y: &str| {
        let all = assume(&two, 6)?;
        let of_k = instance(&two, &all, &var("k"))?;
        instance(&two, &instance(&two, &of_k, &var(x))?, &var(y))
    };
    let score = |z: &str| at(&app("s", [var(z)]), &var("k"));
    let (above, below) = (near("z", "z′")?, near("z′", "z")?);
    let side = |left: Term, fact: &Theorem| {
        let goal = Goal::Le(left, by.clone());
        combine(&two, goal, &[with(num(1), fact)])
    };
    let apart = score("z") - score("z′");
    let below = side(num(0) - apart.clone(), &below)?;
    one_record(
        &here,
        "D",
        &query(),
        &modulus(&side(apart, &above)?, &below)?,
    )
}

/// Weights and scores of candidates, the scores on a neighbour at the ends of what they may move by or in between, and Δ.
fn laws(r: &mut Random) -> (Vec<f64>, Vec<f64>, f64, usize) {
    let m = 2 + r.below(4);
    let delta = r.real(0.05, 1.5);
    let mut base = r.reals(m, 0.05, 2.0);
    if m > 2 && r.below(2) == 0 {
        base[0] = 0.0;
    }
    let scores = r.reals(m, -2.0, 2.0);
    let law = |scores: &[f64]| {
        let weights: Vec<f64> = base.iter().zip(scores).map(|(a, u)| a * u.exp()).collect();
        let total: f64 = weights.iter().sum();
        let drawn = weights.iter().filter(|w| **w > 0.0);
        drawn.map(|w| w / total).collect::<Vec<f64>>()
    };
    let moved = |r: &mut Random| match r.below(4) {
        0 => r.real(-1.0, 1.0),
        n => [-1.0, 1.0][n % 2],
    };
    let near: Vec<f64> = scores.iter().map(|u| u + delta * moved(r)).collect();
    (law(&scores), law(&near), delta, m)
}

/// The bound of a theorem of the rules at this Δ.
fn bound(
    rule: fn(&Context, &Command, &Theorem) -> Result<Theorem, Stuck>,
    delta: f64,
    m: usize,
) -> f64 {
    let context = setting(Relation::ReplaceOne);
    let sensitivity = moves(&context, &var("Δ")).expect("a sensitivity");
    let theorem = rule(&context, &draw(weight()), &sensitivity).expect("a draw");
    let Goal::Private {
        notion: Notion::Pure(bound) | Notion::Zcdp(bound) | Notion::Range(bound),
        ..
    } = &theorem.statement().goal
    else {
        panic!("about privacy");
    };
    let world = World::from([
        ("Δ".to_owned(), Value::Number(delta)),
        ("m".to_owned(), Value::Number(m as f64)),
    ]);
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    eval.number(bound, &world)
}

/// The length of the interval of the losses. Twin: Δ.
fn ranged(r: &mut Random) -> Instance {
    let (p, q, delta, m) = laws(r);
    let losses = p.iter().zip(&q).map(|(p, q)| (p / q).ln());
    let ends = losses.fold([f64::MAX, f64::MIN], |[a, b], l| [a.min(l), b.max(l)]);
    let length = ends[1] - ends[0];
    Instance {
        rule: bound(exponential, delta, m) - length,
        twin: delta - length,
    }
}

/// Twin: Δ, without the normaliser.
fn pure(r: &mut Random) -> Instance {
    let (p, q, delta, m) = laws(r);
    let loss = crate::privacy::pure(&p, &q);
    Instance {
        rule: bound(range_as_pure, delta, m) - loss,
        twin: delta - loss,
    }
}

/// Twin: Δ²/4.
fn concentrated(r: &mut Random) -> Instance {
    let (p, q, delta, m) = laws(r);
    let rho = crate::privacy::rho(&p, &q);
    Instance {
        rule: bound(range_as_zcdp, delta, m) - rho,
        twin: delta.powi(2) / 4.0 - rho,
    }
}

/// Attempts to have more than the lemma: scores that move by more, bounds and weights that depend on what they must not.
#[test]
fn draws_that_are_not_private_like_this_are_refused() -> Result<(), Stuck> {
    let context = setting(Relation::ReplaceOne);
    let sensitivity = moves(&context, &var("Δ"))?;
    let refuse = |command: &Command, why: &str| {
        refused(exponential(&context, command, &sensitivity), why);
    };
    let drawn = exponential(&context, &draw(weight()), &sensitivity)?;
    // Where the interval lies may depend on the past: two of them are not one of the length of both.
    let process = Process {
        states: vec![],
        body: vec![draw(weight())],
    };
    let running = context.extended(Item::Process("P".into(), process))?;
    let own = exponential(&running, &draw(weight()), &moves(&running, &var("Δ"))?)?;
    refused(compose(&running, "P", "D", &[&own]), "do not add up");
    let pure = pure_range(&drawn)?;
    refused(pure_range(&pure), "no bounded range");
    refused(bounded_range(&sensitivity), "not about privacy");
    let found = bounded_range(&drawn)?;
    let Goal::Private { notion, .. } = &found.statement().goal else {
        panic!("a bound");
    };
    // Scores move by 2Δ in all, and η²/8 is the bound of a range η.
    let eighth = mul([num(2), var("Δ")]).pow(2) / num(8);
    assert_eq!(*notion, Notion::Zcdp(eighth));
    let a = at(&var("a"), &var("k"));
    // Twice the score moves by twice as much.
    let twice = mul([num(2), query()]).exp();
    refuse(&draw(mul([a.clone(), twice])), "another query");
    // A second factor that reads the data is not covered by the sensitivity of the first.
    let reads = mul([query().abs(), query().exp()]);
    refuse(&draw(reads), "reads the data");
    refuse(
        &draw(mul([a.clone(), a.clone(), query().exp()])),
        "not one factor",
    );
    refuse(&draw(a.clone()), "no product");
    refuse(&draw(mul([query().exp(), a.clone()])), "not one factor");
    // The number of candidates, or a weight that may be negative.
    refuse(
        &Command::Draw {
            name: "j".into(),
            law: bind(
                Binder::Weighted,
                "k",
                var("m"),
                mul([at(&var("q"), &var("k")), query().exp()]),
            ),
        },
        "not plainly",
    );
    refuse(
        &Command::Release {
            name: "j".into(),
            query: query(),
            law: op(Op::Laplace, [var("Δ")]),
        },
        "not a draw",
    );
    let normal = op(Op::Normal, [var("m"), num(1)]);
    refuse(
        &Command::Draw {
            name: "j".into(),
            law: normal,
        },
        "by weights",
    );
    // A bound that differs from candidate to candidate says nothing of the normaliser.
    let uneven = moves(&context, &(var("Δ") + at(&var("a"), &var("k"))))?;
    refused(
        exponential(&context, &draw(weight()), &uneven),
        "depends on the index",
    );
    // What holds for one candidate does not hold for all.
    let at_one = context.extended(variable("k", Sort::Index(var("m"))))?;
    refused(
        exponential(&at_one, &draw(weight()), &sensitivity),
        "has a meaning already",
    );
    Ok(())
}

/// A law of weights is no number, and a draw by weights that read the data is not free.
#[test]
fn laws_of_weights_are_used_as_such_only() -> Result<(), Stuck> {
    let context = setting(Relation::ReplaceOne);
    let Command::Draw { law, .. } = draw(weight()) else {
        unreachable!("a draw");
    };
    let process = |command: Command| Process {
        states: vec![State {
            name: "w".into(),
            dimension: var("m"),
            start: vector("l", var("m"), num(0)),
        }],
        body: vec![
            command,
            Command::Set(
                "w".into(),
                vector("l", var("m"), op(Op::Unit, [var("l"), var("j")])),
            ),
        ],
    };
    let running = |command: Command| context.extended(Item::Process("P".into(), process(command)));
    let here = running(draw(weight()))?;
    refused(compose(&here, "P", "D", &[]), "a command is left");
    let free = running(draw(mul([at(&var("a"), &var("k")), num(2).exp()])))?;
    // Nothing reads the data: nothing is to be paid, and nothing is said of the process.
    refused(compose(&free, "P", "D", &[]), "nothing is released");
    refused(running(draw(at(&var("q"), &var("k")))), "may be negative");
    // As a number, under an expectation, at the end of a process.
    refused(
        combine(&context, Goal::Le(law.clone(), law.clone()), &[]),
        "not a number",
    );
    let inner = context.extended(variable("j", Sort::Index(var("m"))))?;
    let zero = combine(
        &inner,
        Goal::Le(num(0), at(&var("a"), &var("j"))),
        &[Part::new(at(&var("a"), &var("j")), [])],
    )?;
    expected(&zero, &law)?;
    let value = at(&var("w"), &var("i"));
    let indexed = here.extended(variable("i", Sort::Index(var("m"))))?;
    ends(&indexed, "P", ("w", &value), &[], &[])?;
    let mean = bind(Binder::Expect, "j", law, at(&var("a"), &var("j")));
    combine(&context, Goal::Le(mean.clone(), mean), &[]).map(|_| ())
}

#[test]
fn draws_by_weights_are_read_back() -> Result<(), Stuck> {
    let context = setting(Relation::ZeroOut);
    let goal = Goal::Private {
        data: "D".into(),
        notion: Notion::Pure(var("Δ")),
        subject: dp_assay_kernel::statement::Subject::Command(draw(weight()).into()),
    };
    let statement = Statement { context, goal };
    let text = statement.to_string();
    assert!(
        text.contains("[j ∼ ∝_{k<m}[a_k·exp(Σ_{z∈D} s(z)[k])]] is (Δ)-DP"),
        "{text}"
    );
    assert_eq!(render::parse(&text)?, statement);
    Ok(())
}
