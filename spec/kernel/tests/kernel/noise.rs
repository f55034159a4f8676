//! Noise of independent numbers: its tails, its density, and means over what is drawn by weights.

use crate::choices::{fixed, ok, over_noise};
use crate::refusals::refused;
use crate::rules::{margin, numbers};
use crate::world::{Eval, Random};
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::{density, tail, weighted};
use dp_assay_kernel::statement::{Goal, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, sum, var};
use dp_assay_kernel::{Stuck, render};

pub const FALSIFIERS: [Falsifier; 4] = [
    ("tail", tail_of_noise),
    ("tail, Gaussian", tail_of_gaussians),
    ("weighted", mean_over_weights),
    ("density", density_of_noise),
];

/// P(|x| ≤ h) for a Laplace number of a scale, by Simpson's rule for its density.
fn within(scale: f64, h: f64) -> f64 {
    let h = h.max(0.0) / scale;
    let n = 2000;
    let weight = |i: usize| match i {
        0 | 2000 => 1.0,
        i if i % 2 == 1 => 4.0,
        _ => 2.0,
    };
    let one = |i: usize| weight(i) * (-h * i as f64 / n as f64).exp();
    (0..=n).map(one).sum::<f64>() * h / (3 * n) as f64
}

/// 1 − exp(−t) ≤ P(|x| ≤ s·t), of a number or an entry. Twin: the scale is forgotten.
fn tail_of_noise(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (scale, t) = (at(&var("u"), &var("i")), var("x"));
    let (law, k) = match r.below(2) {
        0 => (op(Op::Laplace, [scale.clone()]), None),
        _ => (op(Op::Laplace, [var("d"), scale.clone()]), Some("i")),
    };
    let theorem = ok(tail(&context, &law, &t, k));
    let Goal::Le(left, Term::Bind(Binder::Expect, _, _, body)) = &theorem.statement().goal else {
        panic!("no tail")
    };
    let Term::Op(Op::AtMost, sides) = &**body else {
        panic!("no event")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let value = |t: &Term| eval.number(t, &w);
    let spread = value(&scale);
    Instance {
        rule: within(spread, value(&sides[1])) - value(left),
        twin: within(spread, value(&t)) - value(left),
    }
}

/// P(|x − c| ≤ t) ≤ t/s, by the distribution function. Twin: half of it, as if the interval were t long.
fn density_of_noise(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (scale, t) = (at(&var("u"), &var("i")), var("y"));
    let c = if r.below(2) == 0 { num(0) } else { var("x") };
    let theorem = ok(density(&context, &op(Op::Laplace, [scale.clone()]), &c, &t));
    let Goal::Le(Term::Bind(Binder::Expect, ..), most) = &theorem.statement().goal else {
        panic!("no density")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let [scale, t, c, most] = [&scale, &t, &c, most].map(|t| eval.number(t, &w));
    let below = |h: f64| 0.5 + h.signum() * within(scale, h.abs()) / 2.0;
    let mass = below(c + t) - below(c - t);
    Instance {
        rule: most - mass,
        twin: most / 2.0 - mass,
    }
}

/// P(‖x‖ ≤ h) for d independent standard Gaussian numbers, by Simpson's rule for the density of the norm.
fn inside(d: usize, h: f64) -> f64 {
    let mass = |h: f64| {
        let one = |i: usize| {
            let weight = if i == 0 || i == 2000 {
                1.0
            } else {
                2.0 + 2.0 * (i % 2) as f64
            };
            let x = h * i as f64 / 2000.0;
            weight * x.powi(d as i32 - 1) * (-x * x / 2.0).exp()
        };
        (0..=2000).map(one).sum::<f64>() * h
    };
    mass(h.min(30.0)) / mass(30.0)
}

/// 1 − exp(−t) ≤ P(|x| ≤ √V·√(2t)), or P(‖x‖ ≤ √V·(√d + √(2t))). Twins: √t for √(2t), and √d forgotten.
fn tail_of_gaussians(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (variance, t) = (at(&var("u"), &var("i")), var("y"));
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let value = |t: &Term| eval.number(t, &w);
    let whole = r.below(2) == 1;
    let (law, d) = match whole {
        false => (op(Op::Normal, [variance.clone()]), 1),
        true => (
            op(Op::Normal, [var("d"), variance.clone()]),
            value(&var("d")) as usize,
        ),
    };
    let theorem = ok(tail(&context, &law, &t, None));
    let Goal::Le(left, Term::Bind(Binder::Expect, _, _, body)) = &theorem.statement().goal else {
        panic!("no tail")
    };
    let Term::Op(Op::AtMost, sides) = &**body else {
        panic!("no event")
    };
    let (left, spread) = (value(left), value(&variance).sqrt());
    let less = value(&t).sqrt() * if whole { 2.0_f64.sqrt() } else { 1.0 };
    Instance {
        rule: inside(d, value(&sides[1]) / spread) - left,
        twin: inside(d, less) - left,
    }
}

/// (Σ_k weight)·E_k value = Σ_k weight·value, for weights of which some or all are 0, too. Twin: the value is not weighted.
fn mean_over_weights(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let (k, x) = (var("k"), var("x"));
    let weight = at(&var("u"), &k) * op(Op::AtMost, [x.clone(), at(&var("v"), &k)]);
    let law = bind(Binder::Weighted, "k", var("d"), weight);
    let value = at(&var("v"), &k).pow(2) + mul([x, at(&var("u"), &k)]);
    let theorem = ok(weighted(&context, &law, &value));
    let Goal::Eq(left, _) = theorem.statement().goal.clone() else {
        panic!("no equation")
    };
    let twin = Goal::Eq(left, sum("k", var("d"), value));
    Instance {
        rule: margin(&context, &theorem.statement().goal, &w),
        twin: margin(&context, &twin, &w),
    }
}

#[test]
fn what_is_no_tail_density_or_draw_by_weights_is_refused() -> Result<(), Stuck> {
    let context = fixed();
    let (x, y) = (var("x"), var("y"));
    // A tail is of a Laplace law, and of an index of what it draws.
    let laplace = |d: Option<Term>, scale: Term| {
        Term::Op(Op::Laplace, d.into_iter().chain([scale]).collect())
    };
    tail(&context, &laplace(None, y.clone()), &x, None)?;
    tail(&context, &laplace(Some(var("d")), y.clone()), &x, Some("i"))?;
    let normal = op(Op::Normal, [var("d"), num(1)]);
    tail(&context, &normal, &y, None)?;
    tail(&context, &op(Op::Normal, [num(1)]), &y, None)?;
    refused(tail(&context, &normal, &x, None), "not plainly NonNegative");
    refused(tail(&context, &normal, &y, Some("i")), "no tail of such");
    let pairs = op(Op::Gaussian, [num(1)]);
    refused(tail(&context, &pairs, &y, None), "no tail of such");
    refused(
        tail(&context, &laplace(None, x.clone()), &y, None),
        "may be negative",
    );
    refused(
        tail(&context, &laplace(None, y.clone()), &x, Some("i")),
        "no tail of such",
    );
    refused(
        tail(&context, &laplace(Some(var("d")), y.clone()), &x, None),
        "",
    );
    let far = tail(&context, &laplace(Some(var("K")), y.clone()), &x, Some("i"));
    refused(far, "not an index");
    let three = op(Op::Laplace, [var("d"), var("d"), y.clone()]);
    refused(tail(&context, &three, &x, Some("i")), "");
    // Weights are those of a draw, and the value is a number.
    let value = at(&var("u"), &var("k"));
    let law = |weight: Term| bind(Binder::Weighted, "k", var("d"), weight);
    weighted(&context, &law(value.clone()), &value)?;
    refused(weighted(&context, &normal, &value), "not a draw by weights");
    let negative = weighted(&context, &law(at(&var("v"), &var("k"))), &value);
    refused(negative, "may be negative");
    refused(weighted(&context, &law(value.clone()), &var("v")), "");
    let other = at(&var("u"), &var("l"));
    refused(weighted(&context, &law(value), &other), "not an index");
    // A density is of one Laplace number of a positive scale, and a width is not negative.
    let one = laplace(None, y.clone());
    density(&context, &one, &x, &y)?;
    density(&context, &one, &x, &num(0))?;
    refused(density(&context, &one, &y, &x), "not plainly NonNegative");
    let still = laplace(None, num(0));
    refused(density(&context, &still, &x, &y), "not plainly Positive");
    let whole = laplace(Some(var("d")), y.clone());
    refused(density(&context, &whole, &x, &y), "no density of such");
    let gaussian = op(Op::Normal, [num(1)]);
    refused(density(&context, &gaussian, &x, &y), "no density of such");
    refused(density(&context, &one, &var("v"), &y), "not a number");
    Ok(())
}

/// Noise of independent numbers is read back, with and without a dimension.
#[test]
fn laplace_laws_are_read_back() -> Result<(), Stuck> {
    let context = fixed();
    let body = at(&var("z"), &var("i")).abs();
    let goal = Goal::Le(over_noise(body), {
        let law = op(Op::Laplace, [var("y")]);
        bind(Binder::Expect, "z", law, var("z").abs())
    });
    let statement = Statement { context, goal };
    let text = statement.to_string();
    assert!(text.contains("𝔼_{z∼Laplace_{d}(1)}[|z_i|]"), "{text}");
    assert!(text.contains("𝔼_{z∼Laplace(y)}[|z|]"), "{text}");
    assert_eq!(render::parse(&text)?, statement);
    Ok(())
}
