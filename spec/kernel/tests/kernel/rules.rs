//! Falsifiers of the rules for numbers and expectations. The rule is called, and what it concludes is
//! evaluated; the twin is the same goal with a part changed.

use crate::items::{looped, real, variable};
use crate::terms::{positive, random_term};
use crate::world::{Eval, Random, Value, World, context, with};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{
    Fact, Part, Theorem, below, combine, counted, discharge, ends, exchange, exp_log, exp_sum,
    expected, instance, inverse, larger, largest, root_increases, sum_over, supremum, tangent,
    telescope,
};
use dp_assay_kernel::search::{assumed, exp, modulus};
use dp_assay_kernel::statement::{Command, Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, sum, var, vector};
use rug::Rational;

pub const FALSIFIERS: [Falsifier; 18] = [
    ("combine", combination),
    ("larger", maximum),
    ("root-increases", root),
    ("largest", least_bound),
    ("supremum", least_bound_of_range),
    ("instance", one_value),
    ("inverse", reciprocal),
    ("exchange", exchanged),
    ("counted", counts),
    ("below", next_index),
    ("sum-over", over_index),
    ("tangent", exponential),
    ("exp-sum", exponential_of_sum),
    ("exp-log", exponential_of_logarithm),
    ("telescope", steps),
    ("expected", mean),
    ("ends", at_the_end),
    ("discharge", discharged),
];

/// By how much a goal holds, in units of its sides.
pub fn margin(context: &Context, goal: &Goal, w: &World) -> f64 {
    margin_of(
        &Eval {
            context,
            fresh: true,
        },
        goal,
        w,
    )
}

fn margin_of(eval: &Eval<'_>, goal: &Goal, w: &World) -> f64 {
    let (Goal::Le(a, b) | Goal::Eq(a, b)) = goal else {
        panic!("{goal} has no sides");
    };
    let (x, y) = (eval.number(a, w), eval.number(b, w));
    let size = 1.0 + x.abs() + y.abs();
    match goal {
        Goal::Eq(..) => -(x - y).abs() / size,
        _ => (y - x) / size,
    }
}

pub fn judged(theorem: &Theorem, twin: &Goal, w: &World) -> Instance {
    let context = &theorem.statement().context;
    Instance {
        rule: margin(context, &theorem.statement().goal, w),
        twin: margin(context, twin, w),
    }
}

/// A number in 1 to 3, as the count of that name.
pub fn count(w: &mut World, name: &str, r: &mut Random) -> usize {
    let n = 1 + r.below(3);
    w.insert(name.into(), Value::Number(n as f64));
    n
}

/// d, K, a vector v and a positive one u of dimension d, numbers x and y > 0, a law, a set and a set function.
pub fn numbers(r: &mut Random) -> (Context, World) {
    let mut w = World::new();
    let d = count(&mut w, "d", r);
    count(&mut w, "K", r);
    w.insert("v".into(), Value::Vector(r.reals(d, -2.0, 2.0)));
    w.insert("u".into(), Value::Vector(r.reals(d, 0.2, 2.0)));
    w.insert("x".into(), Value::Number(r.real(-2.0, 2.0)));
    w.insert("y".into(), Value::Number(r.real(0.2, 2.0)));
    w.insert("i".into(), Value::Number(r.below(d) as f64));
    let mut law = r.reals(1 << d, 0.1, 1.0);
    let total: f64 = law.iter().sum();
    law.iter_mut().for_each(|q| *q /= total);
    w.insert("𝒮".into(), Value::Law(law));
    w.insert("L".into(), Value::SetFunction(r.reals(1 << d, 0.2, 2.0)));
    let d = || var("d");
    let context = context([
        variable("d", Sort::Count),
        variable("K", Sort::Count),
        variable("v", Sort::Vector(d(), Sign::Any)),
        variable("u", Sort::Vector(d(), Sign::Positive)),
        real("x", Sign::Any),
        real("y", Sign::Positive),
        variable("i", Sort::Index(d())),
        variable("𝒮", Sort::SetLaw(d())),
        variable("L", Sort::SetFunction(d(), Sign::Positive)),
        Item::Define(
            "g".into(),
            vec![
                ("t".into(), Sort::Real(Sign::Any)),
                ("l".into(), Sort::Index(d())),
            ],
            var("t") * at(&var("u"), &var("l")) + num(1),
        ),
    ]);
    (context, w)
}

/// left ≤ left + m·(fact) + m′ for multipliers ≥ 0. Twin: with a multiplier of any sign.
fn combination(r: &mut Random) -> Instance {
    let (context, mut w) = numbers(r);
    let context = context.extended(real("z", Sign::Any)).expect("a number");
    let context = context
        .extended(Item::Assume(Goal::Le(var("z"), var("x"))))
        .expect("sides");
    let x = match &w["x"] {
        Value::Number(x) => *x,
        _ => 0.0,
    };
    w.insert("z".into(), Value::Number(x - r.real(0.0, 1.0)));
    let fact = assumed(&context, &Goal::Le(var("z"), var("x"))).expect("a hypothesis");
    let left = random_term(r, 2, &["i"], false);
    let (m, square) = (positive(r, &["i"]), random_term(r, 1, &["i"], false).pow(2));
    let gap = var("x") - var("z");
    let right = left.clone() + m.clone() * gap.clone() + square.clone();
    let parts = [
        Part::new(m, [Fact::from(&fact)]),
        Part::new(square.clone(), []),
    ];
    let goal = Goal::Le(left.clone(), right);
    let theorem = combine(&context, goal, &parts).expect("a combination");
    let twin = left.clone() + at(&var("v"), &var("i")) * gap;
    judged(&theorem, &Goal::Le(left, twin), &w)
}

fn maximum(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let [a, b] = [(); 2].map(|()| random_term(r, 2, &["i"], false));
    let theorem = larger(&context, &a, &b, r.below(2) == 0).expect("numbers");
    judged(&theorem, &Goal::Le(a.max_with(&b), a), &w)
}

/// √x ≤ y. Twin: without y ≥ 0.
fn root(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (a, b) = (positive(r, &["i"]), positive(r, &["i"]));
    let below = |b: &Term| Goal::Le(a.clone(), (a.sqrt() + b.clone()).pow(2));
    let parts = [Part::new(mul([num(2), a.sqrt(), b.clone()]) + b.pow(2), [])];
    let theorem = combine(&context, below(&b), &parts).expect("a square is larger");
    let theorem = root_increases(&theorem).expect("a root");
    // (−y)² = y².
    let twin = Goal::Le(a.sqrt(), num(0) - a.sqrt() - b);
    judged(&theorem, &twin, &w)
}

/// max(a, b) ≤ a² + b² + 1. Twin: from the bound of one of them.
fn least_bound(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let [a, b] = [(); 2].map(|()| random_term(r, 2, &["i"], false));
    let bound = a.pow(2) + b.pow(2) + num(1);
    let below = |x: &Term, y: &Term| {
        let square = (x.clone() - num(1) / num(2)).pow(2);
        let parts = [square, y.pow(2), num(3) / num(4)].map(|t| Part::new(t, []));
        combine(&context, Goal::Le(x.clone(), bound.clone()), &parts).expect("squares")
    };
    let theorem = largest(&below(&a, &b), &below(&b, &a)).expect("one bound");
    judged(&theorem, &Goal::Le(a.max_with(&b), a.pow(2) + num(1)), &w)
}

/// max(0, y − v_m² : m ≠ i) ≤ y. Twin: a bound that is negative.
fn least_bound_of_range(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let inner = context
        .extended(variable("m", Sort::Index(var("d"))))
        .expect("an index");
    let square = at(&var("v"), &var("m")).pow(2);
    let goal = Goal::Le(var("y") - square.clone(), var("y"));
    let theorem = combine(&inner, goal, &[Part::new(square.clone(), [])]).expect("a square");
    let theorem = supremum(&theorem, &var("i")).expect("a range");
    let range = op(Op::Except, [var("d"), var("i")]);
    let low = num(0) - var("y");
    let twin = Goal::Le(bind(Binder::Sup, "m", range, low.clone() - square), low);
    judged(&theorem, &twin, &w)
}

/// v_i ≤ z from v_m ≤ z for every m. Twin: from v_0 ≤ z.
fn one_value(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let below = Goal::Le(at(&var("v"), &var("m")), var("z"));
    let every = Goal::Every("m".into(), Sort::Index(var("d")), below.into());
    let items = [real("z", Sign::Any), Item::Assume(every.clone())];
    let context = context.with(items).expect("a hypothesis");
    let every = assumed(&context, &every).expect("a hypothesis");
    let theorem = instance(&context, &every, &var("i")).expect("an index");
    let Value::Vector(v) = &w["v"] else {
        panic!("a vector")
    };
    let goal = &theorem.statement().goal;
    let at = |z: f64| margin(&context, goal, &with(&w, "z", Value::Number(z)));
    Instance {
        rule: at(v.iter().copied().fold(f64::MIN, f64::max)),
        twin: at(v[0]),
    }
}

/// y·(1/y) = 1. Twin: for y², which is not y.
fn reciprocal(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let y = positive(r, &["i"]) + positive(r, &["i"]);
    let theorem = inverse(&context, &y).expect("a positive number");
    judged(&theorem, &Goal::Eq(mul([y.pow(2), num(1) / y]), num(1)), &w)
}

/// 1 ≤ d, and ≤ d + i for an index i. Twin: 2 ≤ d.
fn counts(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let n = [var("d"), var("d") + var("i")][r.below(2)].clone();
    let theorem = counted(&context, &n).expect("a count");
    judged(&theorem, &Goal::Le(num(2), var("d")), &w)
}

/// i + 1 ≤ d. Twin: i + 2 ≤ d.
fn next_index(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let theorem = below(&context, "i").expect("an index");
    judged(&theorem, &Goal::Le(var("i") + num(2), var("d")), &w)
}

/// Sums over k < d and e < K. Twin: Σ_k Σ_e t = Σ_k Σ_k t.
fn exchanged(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let body = random_term(r, 2, &["i", "k"], false) * var("e");
    let (d, k) = (var("d"), var("K"));
    let theorem = exchange(&context, ("k", &d), ("e", &k), &body).expect("two sums");
    let Goal::Eq(left, _) = &theorem.statement().goal else {
        panic!("an equation")
    };
    let twin = sum("k", d.clone(), sum("e", d, body.clone()));
    judged(&theorem, &Goal::Eq(left.clone(), twin), &w)
}

/// Σ u_k·v_k² ≥ 0. Twin: from the inequality at one index.
fn over_index(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let inner = context
        .extended(variable("k", Sort::Index(var("d"))))
        .expect("an index");
    let (left, square) = (
        random_term(r, 1, &["i"], false),
        at(&var("v"), &var("k")).pow(2),
    );
    let goal = Goal::Le(left.clone(), left.clone() + square.clone());
    let theorem = combine(&inner, goal, &[Part::new(square, [])]).expect("a square");
    let theorem = sum_over(&theorem).expect("an index");
    let at_i = at(&var("v"), &var("i"));
    let all = sum("k", var("d"), at(&var("v"), &var("k")));
    judged(&theorem, &Goal::Le(at_i.abs() / num(3), all), &w)
}

/// Twin: without the 1 on the other side of 0.
fn exponential(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let x = random_term(r, 1, &["i"], false);
    let theorem = tangent(&context, &x).expect("a number");
    judged(&theorem, &Goal::Le(num(2) + x.clone(), x.exp()), &w)
}

/// Twin: the sum of the exponentials.
fn exponential_of_sum(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let [x, y] = [(); 2].map(|()| random_term(r, 1, &["i"], false));
    let theorem = exp_sum(&context, &x, &y).expect("numbers");
    let twin = Goal::Eq((x.clone() + y.clone()).exp(), x.exp() + y.exp());
    judged(&theorem, &twin, &w)
}

/// Twin: the logarithm of the exponential's argument squared.
fn exponential_of_logarithm(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let x = positive(r, &["i"]);
    let theorem = exp_log(&context, &x).expect("a positive number");
    judged(&theorem, &Goal::Eq(x.pow(2).log().exp(), x), &w)
}

/// Sums over k < d of the steps of t. Twin: without the value at 0.
fn steps(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (k, d) = (var("k"), var("d"));
    let power = op(Op::Pow, [num(2), k.clone()]);
    let body = random_term(r, 1, &["i"], false) * (power + k.pow(2)) + num(1);
    let theorem = telescope(&context, "k", &d, &body).expect("a term in k");
    let Goal::Eq(left, _) = &theorem.statement().goal else {
        panic!("an equation")
    };
    judged(&theorem, &Goal::Eq(left.clone(), body.put("k", &d)), &w)
}

/// What is derived, not by rules of its own: moduli, and all that is said of logarithms.
#[test]
fn what_follows_for_moduli_and_logarithms_holds() {
    let mut random = Random(5);
    for _ in 0..300 {
        let r = &mut random;
        let (context, w) = numbers(r);
        let (a, b) = (positive(r, &["i"]), positive(r, &["i"]));
        let grown = Goal::Le(a.clone(), a.clone() + b.clone());
        let grown = combine(&context, grown, &[Part::new(b.clone(), [])]).expect("more");
        let x = at(&var("v"), &var("i"));
        let bound = x.pow(2) + num(1);
        let side = |left: Term, sign: i64| {
            let square = (x.clone() - num(sign) / num(2)).pow(2) + num(3) / num(4);
            let goal = Goal::Le(left, bound.clone());
            combine(&context, goal, &[Part::new(square, [])]).expect("a square")
        };
        let modulus = modulus(&side(x.clone(), 1), &side(num(0) - x.clone(), -1));
        let [below, above] = exp::log_product(&context, &a, &b).expect("a product");
        let whole = Rational::from(2 + r.below(40));
        let (value, squarings) = (whole.to_f64().ln(), 1 + r.below(6) as u32);
        // The largest hundredth that is reached.
        let hundredths = (1..=(value * 100.0) as u32 + 1).rev();
        let reached = hundredths.map(|y| Rational::from((y, 100u32)));
        let mut reached =
            reached.filter_map(|y| exp::log_above(&context, &whole, &y, squarings).ok());
        for theorem in [
            modulus.expect("two sides"),
            exp::log_increases(&grown).expect("positive numbers"),
            exp::exp_increases(&grown).expect("numbers"),
            exp::log_tangent(&context, &a).expect("a positive number"),
            exp::exp_of_opposite(&context, &x).expect("a number"),
            below,
            above,
            reached.next().expect("a hundredth is below"),
        ] {
            let holds = margin(&context, &theorem.statement().goal, &w);
            assert!(holds >= -1e-9, "{} fails by {holds:e}", theorem.statement());
        }
    }
}

/// E (η_i + x)² ≥ 0, from a square. Twin: an inequality at the mean only.
fn mean(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let law = op(Op::Normal, [var("d"), var("y")]);
    let drawn = Sort::Vector(var("d"), Sign::Any);
    let inner = context.extended(variable("η", drawn)).expect("a vector");
    let square = (at(&var("η"), &var("i")) + random_term(r, 1, &["i"], false)).pow(2);
    let goal = Goal::Le(var("x"), var("x") + square.clone());
    let theorem = combine(&inner, goal, &[Part::new(square, [])]).expect("a square");
    let theorem = expected(&theorem, &law).expect("a law");
    // x² at x = E η is 0, E η² is not.
    let moment = bind(Binder::Expect, "η", law, at(&var("η"), &var("i")).pow(2));
    judged(&theorem, &Goal::Le(moment, num(0)), &w)
}

/// repeat t<T, repeat k<K: θ ← θ + I_S(u + η), from v, with η of the variance L_S. With m = p_i·u_i and r steps to go, E θ_i² is
/// (θ_i + r·m)² + r·(E\[(u_i² + L_S)·1\[i∈S\]\] − m²). Twin: every round draws the same, which makes the variance grow with r².
fn at_the_end(r: &mut Random) -> Instance {
    let (context, mut w) = numbers(r);
    // One coordinate has six outcomes in a step.
    let law = match &w["𝒮"] {
        Value::Law(all) => [all[0], all[1]].map(|q| q / (all[0] + all[1])),
        other => panic!("{other:?} is no law"),
    };
    let [rounds, steps] = [(1, 1), (1, 2), (1, 3), (2, 1)][r.below(4)].into();
    w.insert("𝒮".into(), Value::Law(law.to_vec()));
    for (name, value) in [("d", 1), ("i", 0), ("T", rounds), ("K", steps)] {
        w.insert(name.into(), Value::Number(f64::from(value)));
    }
    let l = var("l");
    let member = |j: &Term| op(Op::Member, [j.clone(), var("S")]);
    let body = vec![
        Command::Draw {
            name: "S".into(),
            law: var("𝒮"),
        },
        Command::Release {
            name: "a".into(),
            query: vector("l", var("d"), mul([member(&l), at(&var("u"), &l)])),
            law: op(Op::Normal, [var("d"), at(&var("L"), &var("S"))]),
        },
        Command::Set(
            "θ".into(),
            vector(
                "l",
                var("d"),
                at(&var("θ"), &l) + mul([member(&l), at(&var("a"), &l)]),
            ),
        ),
    ];
    let inner = Command::Repeat {
        index: "k".into(),
        times: var("K"),
        body,
    };
    let process = Item::Process("P".into(), looped("θ", "d", var("v"), "T", vec![inner]));
    let context = context.with([variable("T", Sort::Count), process]);
    let context = context.expect("a process");
    let i = var("i");
    let drift = mul([op(Op::Inclusion, [i.clone(), var("𝒮")]), at(&var("u"), &i)]);
    let square = at(&var("u"), &i).pow(2) + at(&var("L"), &var("S"));
    let square = bind(Binder::Expect, "S", var("𝒮"), mul([square, member(&i)]));
    let spread = square - drift.pow(2);
    let to_go = |steps: Term| {
        let mean = at(&var("θ"), &i) + mul([steps.clone(), drift.clone()]);
        mean.pow(2) + mul([steps, spread.clone()])
    };
    let outer = to_go(mul([var("T") - var("t"), var("K")]));
    let left = var("K") - var("k") + mul([var("T") - var("t") - num(1), var("K")]);
    let inner = to_go(left);
    let value = at(&var("θ"), &i).pow(2);
    let index = |x: &str, bound: &str| variable(x, Sort::Index(var(bound)));
    let start = context.extended(variable("θ", Sort::Vector(var("d"), Sign::Any)));
    let start = start.expect("a state");
    let round = start.extended(index("t", "T")).expect("an index");
    let step = round.extended(index("k", "K")).expect("an index");
    let same = |here: &Context, t: &Term| {
        combine(here, Goal::Le(t.clone(), t.clone()), &[]).expect("the same")
    };
    let (end, kept) = (same(&start, &value), same(&round, &outer));
    let (next, moved) = (
        same(&round, &inner.put("k", &var("K"))),
        same(&step, &inner),
    );
    let (invariants, theorems) = ([&outer, &inner], [&end, &kept, &next, &moved]);
    let theorem = ends(&context, "P", ("θ", &value), &invariants, &theorems);
    let theorem = theorem.expect("invariants");
    let goal = &theorem.statement().goal;
    let context = &context;
    let again = Eval {
        context,
        fresh: false,
    };
    Instance {
        rule: margin(context, goal, &w),
        twin: margin_of(&again, goal, &w),
    }
}

/// x ≤ y for every x, if x ≤ z and z ≤ y. Twin: without the hypothesis.
fn discharged(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let given = Goal::Le(var("t"), var("y"));
    let twin = Goal::Le(var("t"), var("y") + at(&var("u"), &var("i")));
    let items = [real("t", Sign::Any), Item::Assume(given.clone())];
    let here = context.with(items).expect("a hypothesis");
    let small = assumed(&here, &given).expect("a hypothesis");
    let part = Part::new(num(1), [Fact::from(&small)]);
    let more = Part::new(at(&var("u"), &var("i")), []);
    let theorem = combine(&here, twin.clone(), &[part, more]).expect("more");
    let theorem = discharge(&discharge(&theorem).expect("a hypothesis")).expect("a variable");
    let Goal::Every(t, _, goal) = &theorem.statement().goal else {
        panic!("a goal for every number");
    };
    let Goal::If(given, goal) = &**goal else {
        panic!("a goal under a hypothesis");
    };
    let w = with(&w, t, Value::Number(r.real(-4.0, 4.0)));
    let holds = margin(&context, given, &w) >= 0.0;
    Instance {
        rule: if holds {
            margin(&context, goal, &w)
        } else {
            0.0
        },
        twin: margin(&context, &twin, &w),
    }
}
