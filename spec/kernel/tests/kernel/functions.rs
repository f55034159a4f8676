//! Falsifiers of the rules for functions and norms, as those of [`rules`](crate::rules).

use crate::items::variable;
use crate::rules::{count, judged, numbers};
use crate::terms::{positive, random_term};
use crate::world::{Function, Random, Value, World, context};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{
    at_most_one, clipped, convex, gradient_bound, smooth, stationary, triangle, unclipped,
};
use dp_assay_kernel::search::assumed;
use dp_assay_kernel::statement::{Context, Goal, Item, Lipschitz, Sign, Sort};
use dp_assay_kernel::term::{Op, Term, at, mul, num, op, var, vector};

pub const FALSIFIERS: [Falsifier; 8] = [
    ("convex", convexity),
    ("smooth", smoothness),
    ("stationary", minimum),
    ("gradient-bound", lipschitz),
    ("at-most-one", probability),
    ("triangle", three_points),
    ("clipped", clipping),
    ("unclipped", no_clipping),
];

/// d, a function f of its class, vectors x and y.
fn functions(r: &mut Random) -> (Context, World) {
    let mut w = World::new();
    let d = count(&mut w, "d", r);
    let f = Function::random(r, d);
    w.insert("M".into(), Value::Vector(f.smoothness(d)));
    w.insert("f".into(), Value::Function(f));
    for name in ["x", "y"] {
        w.insert(name.into(), Value::Vector(r.reals(d, -3.0, 3.0)));
    }
    let vector = |name: &str, sign| variable(name, Sort::Vector(var("d"), sign));
    let context = context([
        variable("d", Sort::Count),
        vector("M", Sign::Positive),
        variable("f", Sort::Function(var("d"), "M".into())),
        vector("x", Sign::Any),
        vector("y", Sign::Any),
    ]);
    (context, w)
}

fn convexity(r: &mut Random) -> Instance {
    let (context, w) = functions(r);
    let theorem = convex(&context, "f", &var("x"), &var("y")).expect("vectors");
    let Goal::Le(a, b) = theorem.statement().goal.clone() else {
        panic!("an inequality");
    };
    judged(&theorem, &Goal::Le(b, a), &w)
}

/// Twin: a quarter of the square.
fn smoothness(r: &mut Random) -> Instance {
    let (context, mut w) = functions(r);
    if r.below(2) == 0 {
        // A function that attains its constants.
        let f = Function(vec![(1.0, vec![1.0, 0.0, 0.0], 0.0, true)]);
        w.insert("f".into(), Value::Function(f));
        w.insert("M".into(), Value::Vector(vec![1.0; 3]));
    }
    let theorem = smooth(&context, "f", &var("x"), &var("y")).expect("vectors");
    let Goal::Le(a, Term::Op(Op::Add, bound)) = theorem.statement().goal.clone() else {
        panic!("a sum on the right");
    };
    let twin = Goal::Le(a, bound[0].clone() + bound[1].clone() / num(2));
    judged(&theorem, &twin, &w)
}

/// Of weight·(x_l − o_l)²/2 in every coordinate the least point is o. Twin: the derivative vanishes elsewhere.
fn minimum(r: &mut Random) -> Instance {
    let mut w = World::new();
    let d = count(&mut w, "d", r);
    let least = r.reals(d, -1.0, 1.0);
    let term = |l: usize| {
        let direction = (0..d).map(|j| f64::from(u8::from(j == l))).collect();
        (1.0, direction, least[l], l.is_multiple_of(2))
    };
    w.insert(
        "f".into(),
        Value::Function(Function((0..d).map(term).collect())),
    );
    w.insert("M".into(), Value::Vector(vec![1.0; d]));
    w.insert("o".into(), Value::Vector(least.clone()));
    w.insert("x".into(), Value::Vector(r.reals(d, -1.0, 1.0)));
    w.insert("j".into(), Value::Number(r.below(d) as f64));
    let vector = |name: &str, sign| variable(name, Sort::Vector(var("d"), sign));
    let context = context([
        variable("d", Sort::Count),
        vector("M", Sign::Positive),
        variable("f", Sort::Function(var("d"), "M".into())),
        vector("o", Sign::Any),
        vector("x", Sign::Any),
        Item::Assume(Goal::Minimises("f".into(), var("o"))),
        variable("j", Sort::Index(var("d"))),
    ]);
    let least = assumed(&context, &Goal::Minimises("f".into(), var("o"))).expect("a minimiser");
    let theorem = stationary(&context, &least, "j").expect("an index");
    let slope = op(Op::Partial, [var("f"), var("x"), var("j")]);
    judged(&theorem, &Goal::Eq(slope, num(0)), &w)
}

/// Losses ln(2 cosh(⟨a, x⟩)) have the gradients tanh(⟨a, x⟩)·a: so |∂ⱼ| ≤ |aⱼ|, ‖∇_U‖ ≤ ‖a_U‖ and ‖∇‖ ≤ ‖a‖, which is
/// close where ⟨a, x⟩ is large. Twin: half of that.
fn lipschitz(r: &mut Random) -> Instance {
    let mut w = World::new();
    let d = count(&mut w, "d", r);
    let loss = |r: &mut Random| Function(vec![(1.0, r.reals(d, -1.0, 1.0), 0.0, false)]);
    let losses: Vec<Function> = (0..2).map(|_| loss(r)).collect();
    let most = |of: &dyn Fn(&[f64]) -> f64| {
        let all = losses.iter().map(|f| of(&f.0[0].1));
        all.fold(1e-9, f64::max)
    };
    let on = |set: usize, a: &[f64]| {
        let squares = a.iter().enumerate().filter(|(j, _)| set >> j & 1 == 1);
        squares.map(|(_, x)| x * x).sum::<f64>().sqrt()
    };
    let entries = (0..d).map(|j| most(&|a| a[j].abs())).collect();
    let sets = (0..1 << d).map(|s| most(&|a| on(s, a))).collect();
    let whole = most(&|a| on((1 << d) - 1, a));
    let (class, sort, bound, part) = match r.below(3) {
        0 => {
            w.insert("j".into(), Value::Number(r.below(d) as f64));
            let sort = Sort::Vector(var("d"), Sign::Positive);
            (Lipschitz::Entries, sort, Value::Vector(entries), Some("j"))
        }
        1 => {
            w.insert("U".into(), Value::Set(r.below(1 << d)));
            let sort = Sort::SetFunction(var("d"), Sign::Positive);
            (
                Lipschitz::Sets("𝒮".into()),
                sort,
                Value::SetFunction(sets),
                Some("U"),
            )
        }
        _ => (
            Lipschitz::Whole,
            Sort::Real(Sign::Positive),
            Value::Number(whole),
            None,
        ),
    };
    w.insert("L".into(), bound);
    w.insert("ℓ".into(), Value::Loss(losses));
    w.insert("x".into(), Value::Vector(r.reals(d, -9.0, 9.0)));
    w.insert("z".into(), Value::Record(r.below(2)));
    let context = context([
        variable("d", Sort::Count),
        variable("𝒮", Sort::SetLaw(var("d"))),
        variable("L", sort),
        variable("ℓ", Sort::Loss(var("d"), class, "L".into())),
        variable("x", Sort::Vector(var("d"), Sign::Any)),
        variable("z", Sort::Record),
        variable("j", Sort::Index(var("d"))),
        variable("U", Sort::Outcome("𝒮".into())),
    ]);
    let theorem = gradient_bound(&context, "ℓ", &var("x"), "z", part).expect("a loss");
    let Goal::Le(a, b) = theorem.statement().goal.clone() else {
        panic!("an inequality");
    };
    judged(&theorem, &Goal::Le(a, b / num(2)), &w)
}

/// Twin: a probability is at most a half.
fn probability(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let value = match r.below(2) {
        0 => op(Op::Inclusion, [var("i"), var("𝒮")]),
        _ => op(Op::AtMost, [var("x"), var("y")]),
    };
    let theorem = at_most_one(&context, &value).expect("a probability");
    judged(&theorem, &Goal::Le(mul([num(2), value]), num(1)), &w)
}

/// Twin: the distance is at most the difference of the norms.
fn three_points(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let other = vector("k", var("d"), random_term(r, 1, &["k"], false));
    let (a, b, size): (_, _, fn(&Term) -> Term) = match r.below(2) {
        0 => (var("v"), other, Term::norm),
        _ => (var("x"), random_term(r, 1, &["i"], false), Term::abs),
    };
    let theorem = triangle(&context, &a, &b).expect("numbers or vectors");
    let Goal::Le(apart, _) = theorem.statement().goal.clone() else {
        panic!("an inequality");
    };
    judged(&theorem, &Goal::Le(apart, (size(&a) - size(&b)).abs()), &w)
}

/// Twin: every entry is clipped, and the norm taken for that of one.
fn clipping(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let bound = positive(r, &["i"]);
    let theorem = match r.below(2) {
        0 => clipped(&context, &mul([num(9), var("x")]), &bound),
        _ => clipped(&context, &var("v"), &bound),
    };
    let each = op(Op::Clip, [at(&var("v"), &var("k")), bound.clone()]);
    let twin = Goal::Le(vector("k", var("d"), each).norm(), bound);
    judged(&theorem.expect("a bound"), &twin, &w)
}

/// What is clipped once is not clipped again. Twin: it never was.
fn no_clipping(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let bound = positive(r, &["i"]);
    let (x, entry) = match r.below(2) {
        0 => (mul([num(9), var("x")]), None),
        _ => (var("v"), Some("i")),
    };
    let short = clipped(&context, &x, &bound).expect("a bound");
    let part = |t: &Term| entry.map_or(t.clone(), |i| at(t, &var(i)));
    let twin = Goal::Eq(part(&op(Op::Clip, [x.clone(), bound])), part(&x));
    let theorem = unclipped(&context, &short, entry).expect("an equation");
    judged(&theorem, &twin, &w)
}
