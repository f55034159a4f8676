//! Exponential moments of Gaussian noise, and inverses of what is bounded from below.

use crate::choices::{fixed, ok};
use crate::items::{real, variable};
use crate::refusals::refused;
use crate::rules::numbers;
use crate::world::{Eval, Random};
use crate::{Falsifier, Instance};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, added, combine, expected, exponential_moment, larger};
use dp_assay_kernel::search::exp::exp_of_opposite;
use dp_assay_kernel::search::with as times;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, sum, var, vector};

pub const FALSIFIERS: [Falsifier; 2] = [("exponential-moment", capped), ("added", sum_of_noise)];

/// Σ_l v_l·z_l.
fn linear() -> Term {
    let l = var("l");
    sum("l", var("d"), at(&var("v"), &l) * at(&var("z"), &l))
}

fn noise(variance: Term) -> Term {
    op(Op::Normal, [var("d"), variance])
}

fn drawn(context: &Context) -> Result<Context, Stuck> {
    context.extended(variable("z", Sort::Vector(var("d"), Sign::Any)))
}

/// min(8, e^y) ≤ e^y, the left side written 1/max(1/8, e^{−y}).
fn cap(here: &Context, y: &Term) -> Result<Theorem, Stuck> {
    let (least, decay) = (num(1) / num(8), (num(0) - y.clone()).exp());
    let capped = num(1) / least.max_with(&decay);
    let above = larger(here, &least, &decay, true)?;
    let unit = exp_of_opposite(here, y)?;
    let parts = [
        times(mul([y.exp(), capped.clone()]), &above),
        times(capped.clone(), &unit),
    ];
    combine(here, Goal::Le(capped, y.exp()), &parts)
}

/// E min(8, e^y) ≤ e^{s²/2} for y of the variance s². Twin: half of the exponent.
fn capped(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let found = || -> Result<Theorem, Stuck> {
        let law = noise(at(&var("u"), &var("i")));
        let inside = cap(&drawn(&context)?, &linear())?;
        exponential_moment(&inside, &law, ("l", &at(&var("v"), &var("l"))))
    };
    let theorem = found().expect("a rule that applies");
    let Goal::Le(_, most) = &theorem.statement().goal else {
        panic!("no bound")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let most = eval.number(most, &w);
    // Simpson's rule in standard deviations.
    let deviation = (2.0 * most.ln()).sqrt();
    let (steps, width) = (4000, 20.0);
    let one = |i: usize| {
        let weight = match i {
            0 => 1.0,
            i if i == steps => 1.0,
            i => 2.0 + 2.0 * (i % 2) as f64,
        };
        let x = width * (i as f64 / steps as f64 - 0.5);
        weight * (deviation * x).exp().min(8.0) * (-x * x / 2.0).exp()
    };
    let mean = (0..=steps).map(one).sum::<f64>() * width
        / (3.0 * steps as f64 * (2.0 * std::f64::consts::PI).sqrt());
    Instance {
        rule: most - mean,
        twin: most.sqrt() - mean,
    }
}

/// The mean of a polynomial of a standard Gaussian number, by Simpson's rule over 20 deviations, which is exact but for e⁻¹²⁰ and rounding.
fn mean(of: impl Fn(f64) -> f64) -> f64 {
    let (steps, width) = (100, 20.0);
    let one = |i: usize| {
        let weight = match i {
            0 | 100 => 1.0,
            i => 2.0 + 2.0 * (i % 2) as f64,
        };
        let x = width * (i as f64 / steps as f64 - 0.5);
        weight * of(x) * (-x * x / 2.0).exp()
    };
    (0..=steps).map(one).sum::<f64>() * width
        / (3.0 * steps as f64 * (2.0 * std::f64::consts::PI).sqrt())
}

/// E (s_i + c)⁴ for the sum s of two noises, of which entry i is all that matters. Twin: deviations add up.
fn sum_of_noise(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let variances = [at(&var("u"), &var("i")), var("y")];
    let value = (at(&var("z"), &var("i")) + var("x")).pow(4);
    let theorem = ok(added(
        &context,
        [&var("d"), &variances[0], &variances[1]],
        ("z", &value),
    ));
    let Goal::Eq(_, Term::Bind(Binder::Expect, _, law, _)) = &theorem.statement().goal else {
        panic!("no equation")
    };
    let Term::Op(Op::Normal, whole) = &**law else {
        panic!("no noise")
    };
    let eval = Eval {
        context: &context,
        fresh: true,
    };
    let deviation = |t: &Term| eval.number(t, &w).sqrt();
    let ([first, second], c) = (
        variances.each_ref().map(deviation),
        eval.number(&var("x"), &w),
    );
    let value = |s: f64| (s + c).powi(4);
    let twice = mean(|x| mean(|y| value(first * x + second * y)));
    let once = |deviation: f64| mean(|z| value(deviation * z));
    let off = |deviation: f64| -(once(deviation) - twice).abs() / (1.0 + twice);
    Instance {
        rule: off(deviation(&whole[1])),
        twin: off(first + second),
    }
}

#[test]
fn gaussian_noise_adds_up_if_it_is_independent() -> Result<(), Stuck> {
    let context = fixed();
    let value = at(&var("z"), &var("i")).abs();
    let attempt =
        |d: &Term, v: &Term, w: &Term, value: &Term| added(&context, [d, v, w], ("z", value));
    let (d, one, y) = (var("d"), num(1), var("y"));
    attempt(&d, &one, &y, &value)?;
    // The second noise must not depend on the first, nor a variance be negative.
    let own = at(&var("z"), &var("i")).pow(2);
    refused(attempt(&d, &one, &own, &value), "not independent");
    refused(attempt(&d, &var("x"), &y, &value), "may be negative");
    refused(attempt(&d, &one, &var("x"), &value), "may be negative");
    refused(attempt(&var("z"), &one, &y, &value), "not independent");
    refused(attempt(&d, &one, &y, &var("z")), "not a number");
    refused(attempt(&var("K"), &one, &y, &value), "not an index");
    let wild = at(&var("z"), &var("i")).exp();
    refused(attempt(&d, &one, &y, &wild), "may have no expectation");
    Ok(())
}

#[test]
fn exponential_moments_are_of_linear_terms_in_gaussian_noise() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let (here, a) = (drawn(&context)?, at(&var("v"), &var("l")));
    let law = noise(var("y"));
    let theorem = cap(&here, &linear())?;
    let found = exponential_moment(&theorem, &law, ("l", &a))?;
    let Goal::Le(_, most) = &found.statement().goal else {
        panic!("no bound")
    };
    let squares = sum("l", var("d"), a.pow(2));
    assert_eq!(*most, (var("y") * squares / num(2)).exp());
    let moment =
        |theorem: &Theorem, law: &Term, a: &Term| exponential_moment(theorem, law, ("l", a));
    // Of Laplace noise the moment is another one, and may not exist.
    let laplace = op(Op::Laplace, [var("d"), var("y")]);
    refused(moment(&theorem, &laplace, &a), "no bound for Gaussian");
    refused(moment(&theorem, &noise(var("x")), &a), "may be negative");
    let number = op(Op::Normal, [var("y")]);
    refused(moment(&theorem, &number, &a), "draws something else");
    // The coefficients are those of the exponent, and not random.
    refused(
        moment(&theorem, &law, &(num(2) * a.clone())),
        "another bound",
    );
    let own = at(&var("z"), &var("l"));
    let square = cap(&here, &sum("l", var("d"), own.pow(2)))?;
    refused(moment(&square, &law, &own), "another bound");
    let squares = cap(&here, &sum("l", var("d"), own.clone() * own.clone()))?;
    refused(moment(&squares, &law, &own), "another bound");
    let more = cap(&here, &(linear() + num(1)))?;
    refused(moment(&more, &law, &a), "another bound");
    let equal = combine(&here, Goal::Eq(linear().exp(), linear().exp()), &[])?;
    refused(moment(&equal, &law, &a), "no bound for Gaussian");
    let plain = combine(&here, Goal::Le(linear().exp(), linear().exp()), &[])?;
    refused(moment(&plain, &law, &a), "may have no expectation");
    let last = here.extended(real("s", Sign::Any))?;
    refused(moment(&cap(&last, &linear())?, &law, &a), "something else");
    Ok(())
}

/// An inverse has an expectation where what it is of is at least a number > 0 that is not random.
#[test]
fn inverses_of_what_has_a_floor_have_expectations() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let (here, law) = (drawn(&context)?, noise(num(1)));
    let wild = at(&var("z"), &var("i")).pow(2).exp();
    let own = at(&var("z"), &var("i")).pow(2) + num(1);
    let exists = |side: Term| {
        let same = combine(&here, Goal::Le(side.clone(), side), &[])?;
        expected(&same, &law)
    };
    exists(num(1) / var("y").max_with(&wild))?;
    exists(at(&var("z"), &var("i")) / num(2).max_with(&wild))?;
    exists(var("y").max_with(&wild).pow(-3))?;
    refused(
        exists(wild.clone() / num(2).max_with(&wild)),
        "may have no expectation",
    );
    refused(exists(num(1) / own.max_with(&wild)), "");
    refused(exists(own.max_with(&wild).pow(-1)), "");
    refused(exists(var("y").max_with(&wild)), "may have no expectation");
    // In the normal form, too.
    let twice = (num(1) / num(2).max_with(&wild)) + (num(1) / num(2).max_with(&wild));
    let same = combine(&here, Goal::Le(twice.clone(), twice), &[])?;
    expected(&same, &law).map(|_| ())
}

/// The first four moments of a Gaussian number are those of the density, by Simpson's rule; of a Laplace number none is known.
#[test]
fn a_gaussian_number_has_four_moments() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let y = var("y");
    let mean = |law: Op, power: i64| {
        let law = op(law, [y.clone()]);
        bind(Binder::Expect, "g", law, var("g").pow(power))
    };
    for (power, value) in [
        (1, num(0)),
        (2, y.clone()),
        (3, num(0)),
        (4, num(3) * y.pow(2)),
    ] {
        let same = |law: Op, value: &Term| {
            combine(&context, Goal::Eq(mean(law, power), value.clone()), &[])
        };
        same(Op::Normal, &value)?;
        refused(same(Op::Normal, &(value.clone() + y.clone())), "left over");
        refused(same(Op::Laplace, &value), "left over");
        let (steps, width) = (4000, 24.0);
        let one = |i: usize| {
            let x = width * (i as f64 / f64::from(steps) - 0.5);
            let weight = if i.is_multiple_of(2) { 2.0 } else { 4.0 };
            weight * x.powi(power as i32) * (-x * x / 2.0).exp()
        };
        let root = (2.0 * std::f64::consts::PI).sqrt();
        let found = (0..=4000).map(one).sum::<f64>() * width / (3.0 * f64::from(steps) * root);
        let exact = [0.0, 1.0, 0.0, 3.0][power as usize - 1];
        assert!((found - exact).abs() < 1e-9, "{power}: {found}");
    }
    // A fifth is an atom.
    let fifth = combine(&context, Goal::Eq(mean(Op::Normal, 5), num(0)), &[]);
    refused(fifth, "left over");
    Ok(())
}

/// What is clipped to something of polynomial growth has an expectation, whatever it is; to something wild, none is known.
#[test]
fn what_is_clipped_has_an_expectation() -> Result<(), Stuck> {
    let context = crate::items::numbers()?;
    let (here, law) = (drawn(&context)?, noise(num(1)));
    let own = at(&var("z"), &var("i"));
    let wild = own.pow(2).exp();
    let many = vector("l", var("d"), at(&var("z"), &var("l")).pow(2).exp());
    let exists = |side: Term| {
        let same = combine(&here, Goal::Le(side.clone(), side), &[])?;
        expected(&same, &law)
    };
    exists(op(Op::Clip, [wild.clone(), var("y")]))?;
    exists(op(Op::Clip, [wild.clone(), own.pow(2)]))?;
    exists(at(&op(Op::Clip, [many.clone(), own.clone()]), &var("i")))?;
    refused(exists(op(Op::Clip, [own, wild.clone()])), "no expectation");
    let entry = at(&op(Op::Clip, [many, wild]), &var("i"));
    refused(exists(entry), "no expectation");
    Ok(())
}
