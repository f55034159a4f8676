//! Falsifiers of the rules for selections by noisy scores, whose laws are integrals.

use crate::items::variable;
use crate::privacy::{parts, pure_bound, sensitivity, setting};
use crate::world::{Eval, Random, Value, World, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{self, combine};
use dp_assay_kernel::statement::{Command, Context, Goal, Relation, Sort};
use dp_assay_kernel::term::{Term, at, mul, var};

pub const FALSIFIERS: [Falsifier; 2] = [("argmax", argmax), ("shift", shift)];

/// P(X ≥ x) for X ~ Laplace(b).
fn above(x: f64, b: f64) -> f64 {
    if x < 0.0 {
        1.0 - (x / b).exp() / 2.0
    } else {
        (-x / b).exp() / 2.0
    }
}

/// P(|q + X| ≥ t) for X ~ Laplace(b).
fn beyond(q: f64, t: f64, b: f64) -> f64 {
    if t <= 0.0 {
        1.0
    } else {
        above(t - q, b) + above(t + q, b)
    }
}

/// The law of the index with the largest |q_k + X_k|/s_k, or of the largest q_k + X_k, by the midpoint rule over the winner's
/// value: both laws are sums over the same points, so that their ratio is that of the integrands up to the rule's error.
fn winners(modulus: bool, q: &[f64], s: &[f64], b: &[f64]) -> Vec<f64> {
    let (points, top) = (600, 60.0);
    let lowest = if modulus { 0.0 } else { -top };
    let step = (top - lowest) / f64::from(points);
    let reaches = |k: usize, t: f64| match modulus {
        true => beyond(q[k], s[k] * t, b[k]),
        false => above(t - q[k], b[k]),
    };
    let wins = |k: usize, i: i32| {
        let t = lowest + (f64::from(i) + 0.5) * step;
        let mass = reaches(k, t - step / 2.0) - reaches(k, t + step / 2.0);
        let others = (0..q.len()).filter(|j| *j != k);
        let lose: f64 = others.map(|j| 1.0 - reaches(j, t)).product();
        mass * lose
    };
    (0..q.len())
        .map(|k| (0..points).map(|i| wins(k, i)).sum())
        .collect()
}

/// The selection of the largest |q_k + X_k|/u_k, or of the largest q_k + X_k, with the least scales that the rule accepts, as
/// terms.
struct Selection {
    modulus: bool,
    context: Context,
    scale: Term,
    by: Term,
    shift: Term,
    epsilon: Term,
}

fn selection(modulus: bool) -> Selection {
    let context = setting(Relation::ReplaceOne, &[]);
    let k = variable("k", Sort::Index(var("d")));
    let inner = context.extended(k).expect("an index");
    let moves = sensitivity(&inner, "k");
    let (query, by) = parts(&moves);
    let (query, by) = (query.clone(), by.clone());
    let select = |scale: &Term| Command::Select {
        name: "j".into(),
        index: "k".into(),
        over: var("d"),
        query: query.clone(),
        scale: scale.clone(),
        divisor: modulus.then(|| at(&var("u"), &var("k"))),
    };
    // The move does not depend on the scale.
    let kept = |scale: &Term| rules::argmax(&context, &select(scale), &moves).expect("a selection");
    let Goal::Keeps { by: shift, .. } = kept(&var("e")).statement().goal.clone() else {
        panic!("a choice that is kept");
    };
    let scale = shift.clone() / var("e");
    let noise = Goal::Le(shift.clone(), mul([var("e"), scale.clone()]));
    let noise = combine(&inner, noise, &[]).expect("enough noise");
    let theorem = rules::shift(&context, &kept(&scale), &var("e"), &noise);
    let epsilon = pure_bound(&theorem.expect("a selection"));
    Selection {
        modulus,
        context: inner,
        scale,
        by,
        shift,
        epsilon,
    }
}

/// Random scores of d candidates, their neighbours at the ends of the sensitivities, and the world.
fn scores(terms: &Selection, r: &mut Random) -> (World, Vec<f64>, Vec<f64>, Vec<f64>) {
    let p = 2 + r.below(2);
    let (q, s) = (r.reals(p, -4.0, 4.0), r.reals(p, 0.5, 1.5));
    let w = World::from([
        ("n".to_owned(), Value::Number(2.0)),
        ("d".to_owned(), Value::Number(p as f64)),
        ("e".to_owned(), Value::Number(r.real(0.2, 1.5))),
        ("L".to_owned(), Value::Vector(r.reals(p, 0.1, 1.0))),
        ("u".to_owned(), Value::Vector(s.clone())),
    ]);
    let sign = |r: &mut Random| if r.below(2) == 0 { 1.0 } else { -1.0 };
    let moves = each(terms, &terms.by, &w);
    let near = (0..p).map(|k| q[k] + sign(r) * moves[k]).collect();
    (w, q, near, s)
}

/// A term for every candidate.
fn each(terms: &Selection, t: &Term, w: &World) -> Vec<f64> {
    let eval = Eval {
        context: &terms.context,
        fresh: true,
    };
    let one = |k: usize| eval.number(t, &with(w, "k", Value::Number(k as f64)));
    (0..eval.number(&var("d"), w) as usize).map(one).collect()
}

/// The chosen k stays when its noise moves by the rule's c, away from −q_k or up. Twin: by Δ_k only.
fn argmax(r: &mut Random) -> Instance {
    let terms = selection(r.below(2) == 0);
    let (w, q, near, s) = scores(&terms, r);
    let noise = r.reals(q.len(), -3.0, 3.0);
    let score = |q: &[f64], x: &[f64], k: usize| match terms.modulus {
        true => (q[k] + x[k]).abs() / s[k],
        false => q[k] + x[k],
    };
    let chosen = (0..q.len()).fold(0, |b, k| {
        match score(&q, &noise, k) > score(&q, &noise, b) {
            true => k,
            false => b,
        }
    });
    let lead = |by: &[f64]| {
        let mut moved = noise.clone();
        let side = (q[chosen] + noise[chosen]).signum();
        moved[chosen] += by[chosen] * if terms.modulus { side } else { 1.0 };
        let others = (0..q.len()).filter(|k| *k != chosen);
        let scores = others.map(|k| score(&near, &moved, k));
        let best = scores.fold(f64::NEG_INFINITY, f64::max);
        score(&near, &moved, chosen) - best
    };
    Instance {
        rule: lead(&each(&terms, &terms.shift, &w)),
        twin: lead(&each(&terms, &terms.by, &w)),
    }
}

/// Twin: the printed scale Δ_k/ε, without what the others move. An error of a thousandth is the integral's.
fn shift(r: &mut Random) -> Instance {
    let terms = selection(r.below(2) == 0);
    let (w, q, near, s) = scores(&terms, r);
    let (scale, moves) = (each(&terms, &terms.scale, &w), each(&terms, &terms.by, &w));
    let epsilon = each(&terms, &terms.epsilon, &w)[0];
    let printed: Vec<f64> = moves.iter().map(|m| m / epsilon).collect();
    let loss = |b: &[f64]| {
        let [x, y] = [&q, &near].map(|q| winners(terms.modulus, q, &s, b));
        let seen = |x: f64, y: f64| x >= 1e-9 && y >= 1e-9;
        let all = x.iter().zip(&y).filter(|(x, y)| seen(**x, **y));
        all.map(|(x, y)| (x / y).ln().abs()).fold(0.0, f64::max)
    };
    Instance {
        rule: epsilon + 1e-3 - loss(&scale),
        twin: epsilon - loss(&printed),
    }
}
