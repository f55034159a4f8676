//! Algorithm 1 as one may use it, γ_j = 1/M_j: its statement, and its privacy.
//!
//! f is for every data set the mean of a loss plus a function ψ that reads no data, and M is the same for all of them. ψ is smooth
//! along the coordinates, too, with constants of its own: where the losses are convex, it is, since f is.

use super::{Form, Noise, algorithm_by, log, ratios, setting};
use crate::moved::written::Proof;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::forget;
use dp_assay_kernel::search::{item, positive};
use dp_assay_kernel::statement::{
    Context, Goal, Item, Mean, Notion, Sign, Sort, Statement, Subject, View,
};
use dp_assay_kernel::term::{Binder, Op, Term, add, app, at, bind, mul, num, op, sum, var};

/// ∂_kf(x).
pub(super) fn slope_at(x: &Term, k: &Term) -> Term {
    op(Op::Partial, [var("f"), x.clone(), k.clone()])
}

pub(super) fn slope(k: &Term) -> Term {
    slope_at(&var("w"), k)
}

/// 1/M_i.
pub(super) fn rate(i: &Term) -> Term {
    num(1) / at(&var("M"), i)
}

pub(super) fn root(k: &Term) -> Term {
    at(&var("M"), k).sqrt()
}

pub(super) fn f(x: &Term) -> Term {
    app("f", [x.clone()])
}

/// f(x) − f(w⋆).
pub(super) fn excess(x: &Term) -> Term {
    f(x) - f(&var("w⋆"))
}

pub(super) fn space() -> Sort {
    Sort::Vector(var("p"), Sign::Any)
}

pub(super) fn index(x: &str) -> Item {
    item(x, Sort::Index(var("p")))
}

/// √(T·m).
pub(super) fn scale() -> Term {
    mul([var("T"), app("m", [])]).sqrt()
}

/// β for so many rounds, `logarithm` being log(2·x·p/ζ): (51·ρ²·x·m/(n²ε²))·log(2·x·p/ζ)².
pub(super) fn beta(rounds: Term, logarithm: &str) -> Term {
    let above = mul([num(51), var("ρ").pow(2), rounds, app("m", [])]);
    let below = mul([var("n").pow(2), var("ε").pow(2)]);
    mul([above / below, var(logarithm).pow(2)])
}

/// log(2·x·p/ζ) is called `name`.
pub(super) fn logarithm(rounds: Term, name: &str) -> Goal {
    let inside = mul([num(2), rounds, var("p")]) / var("ζ");
    Goal::Eq(inside.log(), var(name))
}

pub(super) fn ratio() -> Goal {
    let k = var("k");
    let goal = Goal::Le(at(&var("L"), &k), mul([var("ρ"), root(&k)]));
    Goal::Every("k".into(), Sort::Index(var("p")), goal.into())
}

/// The data, the losses, the noise and the algorithm; before the noise some more.
pub(super) fn context(more: impl IntoIterator<Item = Item>) -> Result<Context, Stuck> {
    let define = |name: &str, body: Term| Item::Define(name.into(), vec![], body);
    let mean = Mean {
        data: "D".into(),
        loss: "ℓ".into(),
        rest: "ψ".into(),
    };
    let own = [
        item("Q", Sort::Vector(var("p"), Sign::Positive)),
        item("ψ", Sort::Function(var("p"), "Q".into())),
        item("f", Sort::Risk(var("p"), "M".into(), mean)),
        item("T", Sort::Count),
        item("w₀", space()),
        positive("ε"),
        positive("δ"),
        Item::Assume(Goal::Le(var("δ"), num(1))),
        positive("ζ"),
        Item::Assume(Goal::Le(var("ζ"), num(1))),
        positive("ρ"),
        Item::Assume(ratio()),
        positive("Λ"),
        Item::Assume(logarithm(var("T"), "Λ")),
    ];
    let [j, k] = [var("j"), var("k")];
    let on_j = || vec![("j".to_owned(), Sort::Index(var("p")))];
    let half = var("ε") / num(2);
    let others = op(Op::Except, [var("p"), j.clone()]);
    let factor = app("r", [k]) / app("r", [j.clone()]);
    let factor = num(1) + bind(Binder::Sup, "k", others, factor);
    let release = mul([num(4), at(&var("L"), &j)]) / mul([var("n"), var("ε")]);
    let noise = [
        define("m", add([log(), half.clone()]).max_with(&half)),
        ratios(),
        Item::Define("λ".into(), on_j(), mul([release, scale()])),
        Item::Define("λ′".into(), on_j(), mul([factor, app("λ", [j])])),
        define("β", beta(var("T"), "Λ")),
        Item::Process("Alg1".into(), algorithm_by(slope, rate)),
    ];
    let items = setting().into_iter().chain(own).chain(more).chain(noise);
    Context::default().with(items)
}

/// The path of the algorithm is (ε, δ)-DP.
pub(super) fn private() -> Goal {
    Goal::Private {
        data: "D".into(),
        notion: Notion::Approximate(var("ε"), var("δ")),
        subject: Subject::Process("Alg1".into(), View::Path),
    }
}

/// The proof of [`private`], as that of `gcd-thm-4.2-corrected`: ψ cancels.
pub(super) fn prove_private(context: &Context) -> Proof {
    let statement = Statement {
        context: context.clone(),
        goal: private(),
    };
    forget(
        &Noise::of(&statement, Form::Sum)?.transcript(slope)?,
        View::Path,
    )
}

/// For every w⋆, given what is supposed of the data.
pub(super) fn of_data(given: &[Goal], goal: Goal) -> Goal {
    let under = |goal: Goal, given: &Goal| Goal::If(given.clone().into(), goal.into());
    let goal = given.iter().rev().fold(goal, under);
    Goal::Every("w⋆".into(), space(), goal.into())
}

/// What [`of_data`] supposes, as a context.
pub(super) fn with_data(context: &Context, given: &[Goal]) -> Result<Context, Stuck> {
    let given = given.iter().cloned().map(Item::Assume);
    context.with([item("w⋆", space())].into_iter().chain(given))
}

/// What holds of [`of_data`] or under other hypotheses, without these.
pub(super) fn under(goal: &Goal) -> &Goal {
    match goal {
        Goal::Every(_, _, goal) | Goal::If(_, goal) => under(goal),
        goal => goal,
    }
}

/// Σ_i √M_i·|x_i − y_i|.
pub(super) fn norm(x: &Term, y: &Term) -> Term {
    let i = var("i");
    sum(
        "i",
        var("p"),
        mul([root(&i), (at(x, &i) - at(y, &i)).abs()]),
    )
}

/// f(x) + ⟨∇f(x), y − x⟩ + (μ/2)·(Σ_i √M_i·|y_i − x_i|)² ≤ f(y) for all x and y.
pub(super) fn convex() -> Goal {
    let (x, y, i) = (var("x"), var("y"), var("i"));
    let slope = mul([slope_at(&x, &i), at(&y, &i) - at(&x, &i)]);
    let square = mul([var("μ"), norm(&y, &x).pow(2)]) / num(2);
    let tangent = add([f(&x), sum("i", var("p"), slope), square]);
    let every = |x: &str, goal: Goal| Goal::Every(x.into(), space(), goal.into());
    every("x", every("y", Goal::Le(tangent, f(&y))))
}

/// 1\[x ≤ y\].
pub(super) fn holds(x: Term, y: Term) -> Term {
    op(Op::AtMost, [x, y])
}

/// 1\[x ≤ y\] is 0.
pub(super) fn fails([x, y]: [Term; 2]) -> Term {
    num(1) - holds(x, y)
}

/// 1 − ζ ≤ P(f(w) − f(w⋆) ≤ bound) at the end.
pub(super) fn probable(bound: Term) -> Goal {
    let law = op(Op::End, [var("Alg1")]);
    let good = holds(excess(&var("w")), bound);
    Goal::Le(num(1) - var("ζ"), bind(Binder::Expect, "w", law, good))
}
