//! Falsifiers of the rules and premises for privacy, on laws that are computed: what the rule says for the numbers
//! of an instance, held against the instance.

use crate::world::{Eval, Function, Random, Value, World, context, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{self, Theorem, combine, partial_bound};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Notion, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, op, var};

pub const FALSIFIERS: [Falsifier; 7] = [
    ("mean-moves", mean_moves),
    ("laplace", laplace),
    ("noisy-max", noisy_max),
    ("pure-to-zcdp", pure_to_zcdp),
    ("zcdp-to-dp", zcdp_to_dp),
    ("compose", compose),
    ("forget", forget),
];

fn variable(name: &str, sort: Sort) -> Item {
    Item::Var(name.into(), sort)
}

/// d, n, an ε called e, positive vectors L and u, a loss with L, a vector x, data D, and what else is given.
fn setting(more: &[Item]) -> Context {
    let d = || var("d");
    let items = [
        variable("n", Sort::Count),
        variable("d", Sort::Count),
        variable("e", Sort::Real(Sign::Positive)),
        variable("L", Sort::Vector(d(), Sign::Positive)),
        variable("u", Sort::Vector(d(), Sign::Positive)),
        variable("ℓ", Sort::Loss(d(), "L".into())),
        variable("x", Sort::Vector(d(), Sign::Any)),
        variable("D", Sort::Dataset(var("n"))),
    ];
    context(items.into_iter().chain(more.iter().cloned()))
}

/// The mean of ∂ⱼℓ(x; ·) moves by at most 2Lⱼ/n, in a context that ends with the index j.
fn sensitivity(context: &Context, j: &str) -> Theorem {
    let record = context.extended(variable("z", Sort::Record));
    let record = record.expect("a record");
    let bounded = partial_bound(&record, "ℓ", &var("x"), "z", j).expect("a loss");
    rules::mean_moves(&bounded, "D").expect("a mean")
}

fn parts(theorem: &Theorem) -> (&Term, &Term) {
    match &theorem.statement().goal {
        Goal::Moves { query, by, .. } => (query, by),
        other => panic!("{other} is no sensitivity"),
    }
}

/// The mean of ∂ⱼℓ(x; d) over two data sets that differ in one record. Twin: half of the bound.
fn mean_moves(r: &mut Random) -> Instance {
    let context = setting(&[variable("j", Sort::Index(var("d")))]);
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
    near[r.below(n)] = r.below(4);
    let w = World::from([
        ("n".to_owned(), Value::Number(n as f64)),
        ("d".to_owned(), Value::Number(2.0)),
        ("L".to_owned(), Value::Vector(vec![bound(0), bound(1)])),
        ("ℓ".to_owned(), Value::Loss(losses)),
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
    let context = setting(&[variable("j", Sort::Index(var("d")))]);
    let moves = sensitivity(&context, "j");
    let (query, by) = parts(&moves);
    let scale = by.clone() / var("e");
    let noise = Goal::Le(by.clone(), mul([var("e"), scale.clone()]));
    let noise = combine(&context, noise, &[]).expect("enough noise");
    let command = Command::Release {
        name: "a".into(),
        query: query.clone(),
        scale: scale.clone(),
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
fn pure_bound(theorem: &Theorem) -> Term {
    match &theorem.statement().goal {
        Goal::Private {
            notion: Notion::Pure(epsilon),
            ..
        } => epsilon.clone(),
        other => panic!("{other} is not pure"),
    }
}

/// P(|q + X| ≥ t) for X ~ Laplace(b).
fn beyond(q: f64, t: f64, b: f64) -> f64 {
    let above = |x: f64| {
        if x < 0.0 {
            1.0 - (x / b).exp() / 2.0
        } else {
            (-x / b).exp() / 2.0
        }
    };
    if t <= 0.0 {
        1.0
    } else {
        above(t - q) + above(t + q)
    }
}

/// The law of the index with the largest |q_k + X_k|/s_k, by the midpoint rule over the winner's value: both laws
/// are sums over the same points, so that their ratio is that of the integrands up to the rule's error.
fn winners(q: &[f64], s: &[f64], b: &[f64]) -> Vec<f64> {
    let (points, top) = (600, 60.0);
    let step = top / f64::from(points);
    let wins = |k: usize, i: i32| {
        let t = (f64::from(i) + 0.5) * step;
        let mass = beyond(q[k], s[k] * (t - step / 2.0), b[k])
            - beyond(q[k], s[k] * (t + step / 2.0), b[k]);
        let others = (0..q.len()).filter(|j| *j != k);
        let lose: f64 = others.map(|j| 1.0 - beyond(q[j], s[j] * t, b[j])).product();
        mass * lose
    };
    (0..q.len())
        .map(|k| (0..points).map(|i| wins(k, i)).sum())
        .collect()
}

/// The selection of the largest |q_k + X_k|/u_k with the least scales that the rule accepts, as terms.
struct Selection {
    context: Context,
    scale: Term,
    by: Term,
    epsilon: Term,
}

fn selection() -> Selection {
    let context = setting(&[]);
    let k = variable("k", Sort::Index(var("d")));
    let inner = context.extended(k).expect("an index");
    let moves = sensitivity(&inner, "k");
    let (query, by) = parts(&moves);
    let (divisor, k) = (at(&var("u"), &var("k")), var("k"));
    let ratio = (by.clone() / divisor.clone()).put("k", &var("m"));
    let others = bind(Binder::Sup, "m", op(Op::Except, [var("d"), k]), ratio);
    let shift = by.clone() + mul([divisor.clone(), others]);
    let scale = shift.clone() / var("e");
    let noise = Goal::Le(shift, mul([var("e"), scale.clone()]));
    let noise = combine(&inner, noise, &[]).expect("enough noise");
    let command = Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("d"),
        query: query.clone(),
        scale: scale.clone(),
        divisor,
    };
    let theorem = rules::noisy_max(&context, &command, &var("e"), &moves, &noise);
    let epsilon = pure_bound(&theorem.expect("a selection"));
    let by = by.clone();
    Selection {
        context: inner,
        scale,
        by,
        epsilon,
    }
}

/// Twin: the printed scale Δ_k/ε, without what the others move. An error of a thousandth is the integral's.
fn noisy_max(r: &mut Random) -> Instance {
    let terms = selection();
    let p = 2 + r.below(2);
    let (q, s) = (r.reals(p, -4.0, 4.0), r.reals(p, 0.5, 1.5));
    let w = World::from([
        ("n".to_owned(), Value::Number(2.0)),
        ("d".to_owned(), Value::Number(p as f64)),
        ("e".to_owned(), Value::Number(r.real(0.2, 1.5))),
        ("L".to_owned(), Value::Vector(r.reals(p, 0.1, 1.0))),
        ("u".to_owned(), Value::Vector(s.clone())),
    ]);
    let eval = Eval {
        context: &terms.context,
        fresh: true,
    };
    let each = |t: &Term| -> Vec<f64> {
        let one = |k: usize| eval.number(t, &with(&w, "k", Value::Number(k as f64)));
        (0..p).map(one).collect()
    };
    let (scale, moves) = (each(&terms.scale), each(&terms.by));
    let epsilon = eval.number(&terms.epsilon, &w);
    let sign = |r: &mut Random| if r.below(2) == 0 { 1.0 } else { -1.0 };
    let near: Vec<f64> = (0..p).map(|k| q[k] + sign(r) * moves[k]).collect();
    let printed: Vec<f64> = moves.iter().map(|m| m / epsilon).collect();
    let loss = |b: &[f64]| {
        let (x, y) = (winners(&q, &s, b), winners(&near, &s, b));
        let seen = |x: f64, y: f64| x >= 1e-9 && y >= 1e-9;
        let all = x.iter().zip(&y).filter(|(x, y)| seen(**x, **y));
        all.map(|(x, y)| (x / y).ln().abs()).fold(0.0, f64::max)
    };
    Instance {
        rule: epsilon + 1e-3 - loss(&scale),
        twin: epsilon - loss(&printed),
    }
}

/// A random pair of laws on m points with |ln p/q| ≤ ε.
fn pair(r: &mut Random, m: usize, epsilon: f64) -> (Vec<f64>, Vec<f64>) {
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

fn renyi(p: &[f64], q: &[f64], alpha: f64) -> f64 {
    let sum: f64 = p
        .iter()
        .zip(q)
        .map(|(p, q)| p.powf(alpha) * q.powf(1.0 - alpha))
        .sum();
    sum.ln() / (alpha - 1.0)
}

const ORDERS: [f64; 8] = [1.01, 1.1, 1.5, 2.0, 3.0, 6.0, 15.0, 60.0];

/// sup over orders of D_α/α, on these orders.
fn rho(p: &[f64], q: &[f64]) -> f64 {
    ORDERS
        .iter()
        .map(|a| renyi(p, q, *a) / a)
        .fold(0.0, f64::max)
}

/// The largest |ln p/q|.
fn pure(p: &[f64], q: &[f64]) -> f64 {
    p.iter()
        .zip(q)
        .map(|(p, q)| (p / q).ln().abs())
        .fold(0.0, f64::max)
}

/// Twin: ε²/4.
fn pure_to_zcdp(r: &mut Random) -> Instance {
    let epsilon = r.real(0.05, 2.0);
    let (p, q) = match r.below(2) {
        0 => {
            let x = 1.0 / (1.0 + epsilon.exp());
            (vec![x, 1.0 - x], vec![1.0 - x, x])
        }
        _ => pair(r, 4, epsilon),
    };
    let epsilon = pure(&p, &q);
    Instance {
        rule: epsilon.powi(2) / 2.0 - rho(&p, &q),
        twin: epsilon.powi(2) / 4.0 - rho(&p, &q),
    }
}

/// δ at ε is Σ (p − e^ε·q)₊. The hypothesis is ρ-zCDP at every order: ρ = ε₀²/2 for a pair that is ε₀-DP. Twin: ε
/// without the term with the logarithm.
fn zcdp_to_dp(r: &mut Random) -> Instance {
    let bound = r.real(0.05, 2.0);
    let x = 1.0 / (1.0 + bound.exp());
    // Several responses, as that is where the bound is close.
    let k = 1 + r.below(6) as i32;
    let binomial = |i: i32| {
        (0..i)
            .map(|j| f64::from(k - j) / f64::from(j + 1))
            .product::<f64>()
    };
    let law = |x: f64| {
        (0..=k)
            .map(|i| binomial(i) * x.powi(i) * (1.0 - x).powi(k - i))
            .collect()
    };
    let (p, q): (Vec<f64>, Vec<f64>) = (law(1.0 - x), law(x));
    let rho = f64::from(k) * bound.powi(2) / 2.0;
    let delta = (-r.real(0.0, 8.0)).exp();
    let needed = |epsilon: f64| {
        p.iter()
            .zip(&q)
            .map(|(p, q)| (p - epsilon.exp() * q).max(0.0))
            .sum::<f64>()
    };
    let spent = rho + 2.0 * (rho * (1.0 / delta).ln()).sqrt();
    Instance {
        rule: delta - needed(spent),
        twin: delta - needed(rho),
    }
}

/// Two accesses, the second chosen by the first's outcome: D_α of the joint law against the sum of the largest over
/// histories. Twin: the second's bound taken at one history.
fn compose(r: &mut Random) -> Instance {
    let budget = r.real(0.1, 1.0);
    let (p, q) = pair(r, 3, budget);
    let second: Vec<_> = (0..3)
        .map(|i| {
            let epsilon = if i == 0 { 0.01 } else { r.real(0.1, 2.0) };
            pair(r, 3, epsilon)
        })
        .collect();
    let joint = |first: &[f64], pick: &dyn Fn(usize) -> Vec<f64>| -> Vec<f64> {
        let one = |i: usize| {
            pick(i)
                .into_iter()
                .map(move |x| first[i] * x)
                .collect::<Vec<_>>()
        };
        (0..3).flat_map(one).collect()
    };
    let x = joint(&p, &|i| second[i].0.clone());
    let y = joint(&q, &|i| second[i].1.clone());
    let worst = |a: f64| {
        second
            .iter()
            .map(|(p, q)| renyi(p, q, a))
            .fold(0.0, f64::max)
    };
    let margin = |a: &f64| renyi(&p, &q, *a) + worst(*a) - renyi(&x, &y, *a);
    let at_first =
        |a: &f64| renyi(&p, &q, *a) + renyi(&second[0].0, &second[0].1, *a) - renyi(&x, &y, *a);
    Instance {
        rule: ORDERS.iter().map(margin).fold(f64::MAX, f64::min),
        twin: ORDERS.iter().map(at_first).fold(f64::MAX, f64::min),
    }
}

/// Merging outcomes does not increase D_α. Twin: what is merged depends on the data.
fn forget(r: &mut Random) -> Instance {
    let epsilon = r.real(0.1, 1.5);
    let (p, q) = pair(r, 4, epsilon);
    let merged = |law: &[f64], i: usize, j: usize| {
        let mut law = law.to_vec();
        law[i] += law[j];
        law[j] = 0.0;
        law.retain(|x| *x > 0.0);
        law
    };
    let (i, j) = (r.below(4), 1 + r.below(3));
    let (x, y) = (merged(&p, i, (i + j) % 4), merged(&q, i, (i + j) % 4));
    let z = merged(&q, (i + j) % 4, (i + 1) % 4);
    let margin = |x: &[f64], y: &[f64]| {
        let one = |a: &f64| renyi(&p, &q, *a) - renyi(x, y, *a);
        ORDERS.iter().map(one).fold(f64::MAX, f64::min)
    };
    let twin = if y.len() == z.len() {
        margin(&x, &z)
    } else {
        0.0
    };
    Instance {
        rule: margin(&x, &y),
        twin,
    }
}
