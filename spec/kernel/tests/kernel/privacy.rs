//! Falsifiers of the rules and premises for privacy, on laws that are computed: what the rule says for the numbers
//! of an instance, held against the instance.

use crate::items::variable;
use crate::world::{Eval, Function, Random, Value, World, context, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::premise::RENYI_TO_DP;
use dp_assay_kernel::rules::{self, Part, Theorem, combine, gradient_bound};
use dp_assay_kernel::search::{Share, norm_moves, record_moves};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Lipschitz, Mean, Notion, Relation, Sign, Sort,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

pub const FALSIFIERS: [Falsifier; 10] = [
    ("one-record", one_record),
    ("laplace", laplace),
    ("gaussian", gaussian),
    ("weaken", weaken),
    ("renyi", one_order),
    ("call", call),
    ("renyi-to-dp", renyi_to_dp),
    ("filter", filter),
    ("image", image),
    ("approximate", approximate),
];

/// d, n, an ε called e, positive vectors L and u, a loss with L, one with c, a vector x, data D, a function r, the risk f of the
/// first loss and r, and what else is given.
pub fn setting(relation: Relation, more: &[Item]) -> Context {
    let d = || var("d");
    let mean = Mean {
        data: "D".into(),
        loss: "ℓ".into(),
        rest: "r".into(),
    };
    let items = [
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("e", Sort::Real(Sign::Positive)),
        variable("c", Sort::Real(Sign::Positive)),
        variable("L", Sort::Vector(d(), Sign::Positive)),
        variable("u", Sort::Vector(d(), Sign::Positive)),
        variable("ℓ", Sort::Loss(d(), Lipschitz::Entries, "L".into())),
        variable("g", Sort::Loss(d(), Lipschitz::Whole, "c".into())),
        variable("x", Sort::Vector(d(), Sign::Any)),
        variable("D", Sort::Dataset(var("n"), relation)),
        variable("r", Sort::Function(d(), "u".into())),
        variable("f", Sort::Risk(d(), "L".into(), mean)),
    ];
    context(items.into_iter().chain(more.iter().cloned()))
}

fn slope(loss: &str, z: &Term, j: &str) -> Term {
    op(Op::Partial, [var(loss), var("x"), z.clone(), var(j)])
}

/// The mean of ∂ⱼℓ(x; ·) moves by at most 2Lⱼ/n, or half of that, in a context that ends with the index j.
pub fn sensitivity(context: &Context, j: &str) -> Theorem {
    let factor = match context.sort("D") {
        Some(Sort::Dataset(_, Relation::ZeroOut)) => 1,
        _ => 2,
    };
    let share = Share {
        of: &|z| slope("ℓ", z, j) / var("n"),
        bound: &|here, z| gradient_bound(here, "ℓ", &var("x"), z, Some(j)),
        factor: num(1) / var("n"),
    };
    // The same query by another name.
    let query = match factor {
        1 => op(Op::Partial, [var("f"), var("x"), var(j)]),
        _ => bind(Binder::Total, "y", var("D"), slope("ℓ", &var("y"), j)) / var("n"),
    };
    let by = mul([num(factor), at(&var("L"), &var(j))]) / var("n");
    record_moves(context, "D", &query, &share, &by).expect("a mean")
}

/// The mean of ∇g(x; ·) moves by at most 2c/n.
pub fn vector_sensitivity(context: &Context) -> Theorem {
    let entries = |t: Term| vector("j", var("d"), t);
    let share = Share {
        of: &|z| entries(slope("g", z, "j") / var("n")),
        bound: &|here, z| gradient_bound(here, "g", &var("x"), z, None),
        factor: num(1) / var("n"),
    };
    let sum = bind(Binder::Total, "y", var("D"), slope("g", &var("y"), "j"));
    let by = mul([num(2), var("c")]) / var("n");
    record_moves(context, "D", &entries(sum / var("n")), &share, &by).expect("a mean")
}

pub fn parts(theorem: &Theorem) -> (&Term, &Term) {
    match &theorem.statement().goal {
        Goal::Moves { query, by, .. } => (query, by),
        other => panic!("{other} is no sensitivity"),
    }
}

/// The mean of ∂ⱼℓ(x; d) over two data sets that differ in one record, replaced or left out. Twin: half of the bound.
fn one_record(r: &mut Random) -> Instance {
    let out = r.below(2) == 0;
    let relation = if out {
        Relation::ZeroOut
    } else {
        Relation::ReplaceOne
    };
    let context = setting(relation, &[variable("j", Sort::Index(var("d")))]);
    let theorem = sensitivity(&context, "j");
    let (query, by) = parts(&theorem);
    let loss = |r: &mut Random| Function(vec![(1.0, r.reals(2, -1.0, 1.0), 0.0, false)]);
    let losses: Vec<Function> = (0..4).map(|_| loss(r)).collect();
    let bound = |j: usize| {
        losses
            .iter()
            .map(|f| f.0[0].1[j].abs())
            .fold(1e-9, f64::max)
    };
    let n = 1 + r.below(4);
    let records: Vec<usize> = (0..n).map(|_| r.below(4)).collect();
    let mut near = records.clone();
    match out {
        true => drop(near.remove(r.below(n))),
        false => near[r.below(n)] = r.below(4),
    }
    let w = World::from([
        ("n".to_owned(), Value::Number(n as f64)),
        ("d".to_owned(), Value::Number(2.0)),
        ("L".to_owned(), Value::Vector(vec![bound(0), bound(1)])),
        ("ℓ".to_owned(), Value::Loss(losses)),
        ("r".to_owned(), Value::Function(Function::random(r, 2))),
        ("x".to_owned(), Value::Vector(r.reals(2, -9.0, 9.0))),
        ("j".to_owned(), Value::Number(r.below(2) as f64)),
    ]);
    let eval = Eval {
        context: &theorem.statement().context,
        fresh: true,
    };
    let on = |data: &[usize]| eval.number(query, &with(&w, "D", Value::Data(data.to_vec())));
    let (moved, by) = ((on(&records) - on(&near)).abs(), eval.number(by, &w));
    Instance {
        rule: by - moved,
        twin: by / 2.0 - moved,
    }
}

/// ln of the largest ratio of two Laplace densities at distance 2Lⱼ/n, on a grid, for the least scale that the rule
/// accepts at ε. Twin: half of that scale.
fn laplace(r: &mut Random) -> Instance {
    let context = setting(
        Relation::ReplaceOne,
        &[variable("j", Sort::Index(var("d")))],
    );
    let moves = sensitivity(&context, "j");
    let (query, by) = parts(&moves);
    let scale = by.clone() / var("e");
    let noise = Goal::Le(by.clone(), mul([var("e"), scale.clone()]));
    let noise = combine(&context, noise, &[]).expect("enough noise");
    let command = Command::Release {
        name: "a".into(),
        query: query.clone(),
        law: op(Op::Laplace, [scale.clone()]),
    };
    let theorem = rules::laplace(&context, &command, &var("e"), &moves, &noise);
    let epsilon = pure_bound(&theorem.expect("a release"));
    let w = World::from([
        ("n".to_owned(), Value::Number((1 + r.below(9)) as f64)),
        ("e".to_owned(), Value::Number(r.real(0.1, 3.0))),
        ("L".to_owned(), Value::Vector(r.reals(2, 0.1, 2.0))),
        ("j".to_owned(), Value::Number(r.below(2) as f64)),
    ]);
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let [moved, scale, epsilon] = [by, &scale, &epsilon].map(|t| eval.number(t, &w));
    let loss = |scale: f64| {
        let at = |i: usize| (i as f64 - 50.0) * 0.2 * scale;
        let loss = |x: f64| ((x - moved).abs() - x.abs()) / scale;
        (0..101).map(|i| loss(at(i))).fold(0.0, f64::max)
    };
    Instance {
        rule: epsilon - loss(scale),
        twin: epsilon - loss(scale / 2.0),
    }
}

/// The ε of a theorem that something is ε-DP.
pub fn pure_bound(theorem: &Theorem) -> Term {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Pure(epsilon),
            ..
        } => epsilon.clone(),
        other => panic!("{other} is not pure"),
    }
}

/// The Rényi divergence of order α of two Gaussians of variance v at that distance, by the midpoint rule.
pub fn gaussians(alpha: f64, distance: f64, v: f64) -> f64 {
    let (points, wide) = (4000, 12.0 * v.sqrt() + alpha * distance.abs());
    let step = 2.0 * wide / f64::from(points);
    let density = |x: f64| (-x * x / (2.0 * v)).exp() / (std::f64::consts::TAU * v).sqrt();
    let one = |i: i32| {
        let x = (f64::from(i) + 0.5) * step - wide;
        // In logarithms: both densities are tiny far out.
        let log = -alpha * (x - distance).powi(2) - (1.0 - alpha) * x * x;
        (log / (2.0 * v) + density(0.0).ln()).exp() * step
    };
    (0..points).map(one).sum::<f64>().ln() / (alpha - 1.0)
}

/// Gaussian noise on a vector that moves by 2c/n in a random direction: divergences of the coordinates add. An error of
/// 10⁻⁹ is the integral's. Twin: the largest entry in place of the norm.
fn gaussian(r: &mut Random) -> Instance {
    let context = setting(Relation::ReplaceOne, &[]);
    let moves = vector_sensitivity(&context);
    let (query, by) = parts(&moves);
    let command = Command::Release {
        name: "a".into(),
        query: query.clone(),
        law: op(Op::Normal, [var("d"), var("e")]),
    };
    let theorem = rules::gaussian(&context, &command, &moves).expect("a release");
    let Goal::Private {
        notion: Notion::Zcdp(rho),
        ..
    } = &theorem.statement().goal
    else {
        panic!("no zCDP bound");
    };
    let w = World::from([
        ("n".to_owned(), Value::Number((1 + r.below(4)) as f64)),
        ("e".to_owned(), Value::Number(r.real(0.3, 3.0))),
        ("c".to_owned(), Value::Number(r.real(0.1, 1.0))),
    ]);
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let [by, rho, v] = [by, rho, &var("e")].map(|t| eval.number(t, &w));
    let direction = r.reals(3, -1.0, 1.0);
    let norm = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
    let apart: Vec<f64> = direction.iter().map(|x| x / norm * by).collect();
    let alpha = [1.5, 2.0, 5.0][r.below(3)];
    let divergence: f64 = apart.iter().map(|t| gaussians(alpha, *t, v)).sum();
    let largest = apart.iter().fold(0.0, |b: f64, t| b.max(t.abs()));
    Instance {
        rule: rho + 1e-9 - divergence / alpha,
        twin: largest.powi(2) / (2.0 * v) - divergence / alpha,
    }
}

/// What a mechanism of a sort is: its call.
pub fn called(notion: Notion) -> (Context, Theorem) {
    let mechanism = variable("A", Sort::Mechanism(var("d"), "D".into(), notion));
    let a = variable("a", Sort::Real(Sign::Positive));
    let context = setting(Relation::ReplaceOne, &[a, mechanism]);
    let call = Command::Call {
        name: "o".into(),
        of: app("A", [var("x")]),
    };
    let theorem = rules::call(&context, &call).expect("a call");
    (context, theorem)
}

/// The numbers of a theorem about privacy, at e and a.
pub fn spent(theorem: &Theorem, e: f64, a: f64) -> Vec<f64> {
    let statement = theorem.statement();
    let w = World::from([
        ("e".to_owned(), Value::Number(e)),
        ("a".to_owned(), Value::Number(a)),
    ]);
    let eval = Eval {
        context: &statement.context,
        fresh: true,
    };
    match &statement.goal {
        Goal::Private { notion, .. } => notion
            .numbers()
            .into_iter()
            .map(|t| eval.number(t, &w))
            .collect(),
        other => panic!("{other} is not about privacy"),
    }
}

/// A pair with the loss that the sort allows. Twin: half of it.
fn call(r: &mut Random) -> Instance {
    let (_, theorem) = called(Notion::Pure(var("e")));
    let (p, q) = pair(r, 4, 1.0);
    let bound = spent(&theorem, pure(&p, &q), 1.0)[0];
    Instance {
        rule: bound - pure(&p, &q),
        twin: bound / 2.0 - pure(&p, &q),
    }
}

/// From e to e + a. Twin: to e − a.
fn weaken(r: &mut Random) -> Instance {
    let (context, theorem) = called(Notion::Pure(var("e")));
    let to = var("e") + var("a");
    let goal = Goal::Le(var("e"), to.clone());
    let more = combine(&context, goal, &[Part::new(var("a"), [])]).expect("more");
    let theorem = rules::weaken(&theorem, &Notion::Pure(to), &[&more]).expect("weaker");
    let (p, q) = pair(r, 4, 1.0);
    let (loss, a) = (pure(&p, &q), r.real(0.01, 0.5));
    Instance {
        rule: spent(&theorem, loss, a)[0] - loss,
        twin: loss - a - loss,
    }
}

/// Two Gaussians at the distance √(2ρ) at order 1 + a. An error of 10⁻⁹ is the integral's. Twin: ρ at every order.
fn one_order(r: &mut Random) -> Instance {
    let (_, theorem) = called(Notion::Zcdp(var("e")));
    let theorem = rules::renyi(&theorem, &(num(1) + var("a"))).expect("an order");
    let (rho, a) = (r.real(0.1, 1.0), r.real(0.5, 3.0));
    let divergence = gaussians(1.0 + a, (2.0 * rho).sqrt(), 1.0);
    Instance {
        rule: spent(&theorem, rho, a)[1] + 1e-9 - divergence,
        twin: rho - divergence,
    }
}

/// A random pair of laws on m points with |ln p/q| ≤ ε.
pub fn pair(r: &mut Random, m: usize, epsilon: f64) -> (Vec<f64>, Vec<f64>) {
    let q = r.reals(m, 0.05, 1.0);
    let total: f64 = q.iter().sum();
    let q: Vec<f64> = q.iter().map(|x| x / total).collect();
    // Tilts that are extreme half of the time, scaled so that the ratios, normalised, stay within e^±ε.
    let tilt = |r: &mut Random| match r.below(4) {
        0 => -0.5,
        1 => 0.5,
        _ => r.real(-0.5, 0.5),
    };
    let weights: Vec<f64> = q.iter().map(|x| x * (tilt(r) * epsilon).exp()).collect();
    let total: f64 = weights.iter().sum();
    (weights.iter().map(|x| x / total).collect(), q)
}

pub fn renyi(p: &[f64], q: &[f64], alpha: f64) -> f64 {
    let sum: f64 = p
        .iter()
        .zip(q)
        .map(|(p, q)| p * (p / q).powf(alpha - 1.0))
        .sum();
    sum.ln() / (alpha - 1.0)
}

pub const ORDERS: [f64; 8] = [1.01, 1.1, 1.5, 2.0, 3.0, 6.0, 15.0, 60.0];

/// sup over orders of D_α/α, on these orders.
pub fn rho(p: &[f64], q: &[f64]) -> f64 {
    ORDERS
        .iter()
        .map(|a| renyi(p, q, *a) / a)
        .fold(0.0, f64::max)
}

/// The largest |ln p/q|.
pub fn pure(p: &[f64], q: &[f64]) -> f64 {
    p.iter()
        .zip(q)
        .map(|(p, q)| (p / q).ln().abs())
        .fold(0.0, f64::max)
}

/// The least δ at ε: Σ (p − e^ε·q)₊.
pub fn needed(p: &[f64], q: &[f64], epsilon: f64) -> f64 {
    let excess = |(p, q): (&f64, &f64)| (p - epsilon.exp() * q).max(0.0);
    p.iter().zip(q).map(excess).sum()
}

/// Two coins, one of which may be rare, with the divergence that they have at the order. Twin: log(1 + x)/x is subtracted
/// twice.
fn renyi_to_dp(r: &mut Random) -> Instance {
    let coin = |p: f64| [p, 1.0 - p];
    let p = coin((-r.real(0.05, 5.0)).exp());
    let q = coin((-r.real(0.05, 14.0)).exp());
    let (x, delta) = (r.real(0.05, 4.0).exp() - 1.0, (-r.real(0.0, 8.0)).exp());
    let w = World::from([
        ("x".to_owned(), Value::Number(x)),
        ("τ".to_owned(), Value::Number(renyi(&p, &q, 1.0 + x))),
        ("δ".to_owned(), Value::Number(delta)),
    ]);
    let (_, hypotheses) = RENYI_TO_DP.hypotheses();
    let Some(Goal::Le(spent, _)) = hypotheses.last() else {
        panic!("the last hypothesis says how large ε is");
    };
    let context = Context::default();
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let spent = eval.number(spent, &w);
    let margin = |epsilon: f64| delta - needed(&p, &q, epsilon.max(0.0));
    Instance {
        rule: margin(spent),
        twin: margin(spent - x.ln_1p() / x),
    }
}

/// Every sequence of rounds as a pair of probabilities: an access whose outcome decides how much the next one costs, and a
/// stop once the charges exceed the limit.
fn run(
    first: &(Vec<f64>, Vec<f64>),
    second: &[(Vec<f64>, Vec<f64>)],
    charges: &[f64],
    left: (usize, f64),
    so_far: (f64, f64),
) -> Vec<(f64, f64)> {
    let ((rounds, budget), (p, q)) = (left, so_far);
    if rounds == 0 {
        return vec![so_far];
    }
    let mut all = Vec::new();
    for i in 0..first.0.len() {
        let (p, q, budget) = (p * first.0[i], q * first.1[i], budget - charges[i]);
        if budget < 0.0 {
            all.push((p, q));
            continue;
        }
        for (x, y) in second[i].0.iter().zip(&second[i].1) {
            let next = (p * x, q * y);
            all.extend(run(first, second, charges, (rounds - 1, budget), next));
        }
    }
    all
}

/// A loop with a stop: the rule's bound for the limit e and the cost of the first access. Twin: without the latter.
fn filter(r: &mut Random) -> Instance {
    let theorem = crate::stops::Rounds::sound().composed().expect("a filter");
    let first = pair(r, 3, 0.7);
    let second: Vec<_> = [0.05, 0.5, 1.0].iter().map(|e| pair(r, 2, *e)).collect();
    let cost = |(p, q): &(Vec<f64>, Vec<f64>)| pure(p, q).powi(2) / 2.0;
    let opening = cost(&first);
    let charges: Vec<f64> = second.iter().map(|pair| opening + cost(pair)).collect();
    let limit = r.real(0.0, 1.0) * r.real(0.0, 1.0);
    let all = run(&first, &second, &charges, (3, limit), (1.0, 1.0));
    let (p, q): (Vec<f64>, Vec<f64>) = all.into_iter().unzip();
    let w = World::from([
        ("n".to_owned(), Value::Number(1.0)),
        ("e".to_owned(), Value::Number(limit)),
        ("k".to_owned(), Value::Number(0.0)),
        ("L".to_owned(), Value::Vector(vec![(opening / 2.0).sqrt()])),
    ]);
    let statement = theorem.statement();
    let Goal::Private {
        notion: Notion::Zcdp(total),
        ..
    } = &statement.goal
    else {
        panic!("no zCDP bound");
    };
    let eval = Eval {
        context: &statement.context,
        fresh: true,
    };
    let spent = rho(&p, &q);
    Instance {
        rule: eval.number(total, &w) - spent,
        twin: limit - spent,
    }
}

/// The norm of a mean gradient, or a multiple, over two data sets that differ in one record. Twin: what the gradient itself moves
/// by.
fn image(r: &mut Random) -> Instance {
    let context = setting(Relation::ReplaceOne, &[]);
    let factor = [None, Some(mul([num(-1), var("e")]))];
    let factor = factor[r.below(2)].as_ref();
    let sensitivity = vector_sensitivity(&context);
    let theorem = norm_moves(&sensitivity, factor).expect("a vector");
    let (query, by) = parts(&theorem);
    let loss = |r: &mut Random| Function(vec![(1.0, r.reals(2, -1.0, 1.0), 0.0, false)]);
    let losses: Vec<Function> = (0..4).map(|_| loss(r)).collect();
    let norm = |f: &Function| f.0[0].1.iter().map(|x| x * x).sum::<f64>().sqrt();
    let n = 1 + r.below(3);
    let records: Vec<usize> = (0..n).map(|_| r.below(4)).collect();
    let mut near = records.clone();
    near[r.below(n)] = r.below(4);
    let w = World::from([
        ("n".to_owned(), Value::Number(n as f64)),
        ("d".to_owned(), Value::Number(2.0)),
        (
            "c".to_owned(),
            Value::Number(losses.iter().map(norm).fold(0.0, f64::max)),
        ),
        ("e".to_owned(), Value::Number(r.real(0.1, 6.0))),
        ("g".to_owned(), Value::Loss(losses)),
        ("x".to_owned(), Value::Vector(r.reals(2, -9.0, 9.0))),
    ]);
    let eval = Eval {
        context: &theorem.statement().context,
        fresh: true,
    };
    let [one, other] = [&records, &near].map(|data| with(&w, "D", Value::Data(data.clone())));
    let moved = (eval.number(query, &one) - eval.number(query, &other)).abs();
    let [by, own] = [by, parts(&sensitivity).1].map(|t| eval.number(t, &w));
    Instance {
        rule: by - moved,
        twin: own - moved,
    }
}

/// δ at ε is 0. Twin: at half of ε.
fn approximate(r: &mut Random) -> Instance {
    let (_, theorem) = called(Notion::Pure(var("e")));
    let theorem = rules::approximate(&theorem).expect("pure");
    let (p, q) = pair(r, 4, 1.0);
    let spent = spent(&theorem, pure(&p, &q), 1.0);
    Instance {
        rule: spent[1] - needed(&p, &q, spent[0]),
        twin: spent[1] - needed(&p, &q, spent[0] / 2.0),
    }
}
