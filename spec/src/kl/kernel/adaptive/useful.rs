//! `kl-thm-4-corrected`: one run of Algorithm 3, private and useful with high probability; in files of their own Theorem 5 and Lemmas 10 and 12.
//!
//! S is any set that a step does not leave whose quadratic model is at most α, as is the component of {F ≤ α} at w₀ where F is L₁-smooth
//! on it; it is written as the zeros of a map. M is any number that all terms of the printed maximum are at most.

pub mod chosen;
pub mod falls;
mod level;
pub mod noises;
mod place;
mod run;
mod step;
mod stop;
mod wanted;

use super::CORRECTED;
use crate::moved::written::{Proof, goal, goals, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, both, combine};
use dp_assay_kernel::search::{item, positive, real, zcdp_cost};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort, Statement};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

pub(in crate::kl::kernel) use run::{fails, rare};

fn space() -> Sort {
    Sort::Vector(var("d"), Sign::Any)
}

/// ∂_jF(x).
fn slope(x: &Term) -> Term {
    let one = op(Op::Partial, [var("f"), x.clone(), var("z"), var("j")]);
    bind(Binder::Total, "z", var("D"), one) / var("n")
}

fn every(x: &str, sort: Sort, goal: Goal) -> Goal {
    Goal::Every(x.into(), sort, goal.into())
}

fn under(given: &Goal, goal: Goal) -> Goal {
    Goal::If(given.clone().into(), goal.into())
}

/// What the bound supposes of the numbers, in the algorithm's context.
fn context(algorithm: &Context) -> Result<Context, Stuck> {
    let x = || vec![("x".to_owned(), space())];
    let loss = app("f", [var("x"), var("z")]);
    let mean = bind(Binder::Total, "z", var("D"), loss) / var("n");
    let define =
        |name: &str, of: Vec<(String, Sort)>, body: Term| Item::Define(name.into(), of, body);
    let here = algorithm.with([
        define("F", x(), mean),
        define("G", x(), vector("j", var("d"), slope(&var("x"))).norm()),
        positive("β"),
        positive("γ"),
        positive("κ"),
        positive("a"),
        positive("M"),
        real("α", Sign::Any),
        real("F⋆", Sign::Any),
        item("S", Sort::Map(vec![var("d")], num(1))),
    ])?;
    let here = here.extended(define("A", vec![], term(&here, "Δ·L₀/(n·√(ρ))")?))?;
    let here = here.extended(define("B", vec![], term(&here, "√(L₀²/(n·√(ρ)))·√(2·Λ)")?))?;
    GIVEN.iter().try_fold(here, |here, text| {
        let goal = goal(&here, text)?;
        here.extended(Item::Assume(goal))
    })
}

/// What is supposed of the numbers.
const GIVEN: [&str; 8] = [
    "log(n·√(ρ)/β) = Λ",
    "2·R ≤ n·√(ρ)",
    "n·√(ρ) ≤ 2·(R + 1)",
    "1 ≤ κ",
    "a = (4 − κ)/κ",
    "exp((2/a)·log(17·γ²·√(L₁)·A)) ≤ M",
    "exp(κ·log(2·γ·B)) ≤ M",
    "exp(κ·log(γ·(2·A + B))) ≤ M",
];

/// F(x) + ⟨∇F(x), v⟩ + (L₁/2)·‖v‖².
fn model(x: &Term, v: &Term) -> Term {
    let j = var("j");
    let linear = sum("j", var("d"), mul([slope(x), at(v, &j)]));
    let square = sum("j", var("d"), at(v, &j).pow(2));
    app("F", [x.clone()]) + linear + mul([var("L₁") / num(2), square])
}

fn member(x: &Term) -> Goal {
    Goal::Le(app("S", [x.clone()]).norm(), num(0))
}

fn moved(x: &Term, v: &Term) -> Term {
    let j = var("j");
    vector("j", var("d"), at(x, &j) + at(v, &j))
}

/// What is supposed of the data: descent in S, twice, KL*, that F⋆ is no more than the minimum over S, w₀ in S, and two bounds by α.
fn of_data(here: &Context) -> Result<[Goal; 7], Stuck> {
    let (x, v) = (var("x"), var("v"));
    let low = Goal::Le(model(&x, &v), var("α"));
    let inside = |goal: Goal| {
        let goal = under(&member(&x), under(&low, goal));
        every("x", space(), every("v", space(), goal))
    };
    let smooth = Goal::Le(app("F", [moved(&x, &v)]), model(&x, &v));
    let large = Goal::Le(mul([var("γ"), app("G", [x.clone()])]), var("y"));
    let excess = app("F", [x.clone()]) - var("F⋆");
    let steep = Goal::Le(excess, mul([var("κ"), var("y").log()]).exp());
    let steep = under(&member(&x), under(&large, steep));
    let steep = every("y", Sort::Real(Sign::Positive), steep);
    Ok([
        inside(member(&moved(&x, &v))),
        inside(smooth),
        every("x", space(), steep),
        every(
            "x",
            space(),
            under(&member(&x), Goal::Le(var("F⋆"), app("F", [x.clone()]))),
        ),
        member(&var("w₀")),
        goal(here, "F(w₀) ≤ α")?,
        goal(here, "F⋆ + exp(κ·log(γ·B)) + B²/(8·L₁) ≤ α")?,
    ])
}

/// With what the number of rounds is bounded.
#[derive(Clone, Copy, PartialEq)]
enum Growth {
    /// κ < 2.
    Power,
    /// κ = 2.
    Log,
}

impl Growth {
    fn number(self) -> &'static str {
        match self {
            Self::Power => "c",
            Self::Log => "F₀",
        }
    }

    fn given(self) -> &'static [&'static str] {
        match self {
            Self::Power => &[
                "c = (2 − κ)/κ",
                "exp((1/c)·log((512/3)·γ²·L₁/(c·n·√(ρ)))) ≤ M",
            ],
            Self::Log => &[
                "κ = 2",
                "F₀·exp(0 − 3·n·√(ρ)/(512·γ²·L₁)) ≤ M",
                "F(w₀) − F⋆ ≤ F₀",
            ],
        }
    }

    fn hypotheses(self, here: &Context) -> Result<Vec<Goal>, Stuck> {
        let mut all = Vec::new();
        for text in self.given() {
            all.push(goal(here, text)?);
        }
        all.extend(of_data(here)?);
        Ok(all)
    }

    fn goal(self, context: &Context) -> Result<Goal, Stuck> {
        let here = context.extended(positive(self.number()))?;
        let last = goal(&here, "1 − β ≤ 𝔼_{w∼end(Alg3)}[𝟙(F(w) − F⋆ ≤ M)]")?;
        let all = self.hypotheses(&here)?;
        let goal = all
            .iter()
            .rev()
            .fold(last, |goal, given| under(given, goal));
        Ok(every(self.number(), Sort::Real(Sign::Positive), goal))
    }
}

fn le(here: &Context, left: Term, right: Term, parts: Vec<Part<'_>>) -> Proof {
    combine(here, Goal::Le(left, right), &parts)
}

fn f(x: &Term) -> Term {
    app("F", [x.clone()])
}

/// max(F(x) − F⋆, M).
fn phi(x: &Term) -> Term {
    (f(x) - var("F⋆")).max_with(&var("M"))
}

/// exp(−e·log φ).
fn decay(e: &Term, phi: &Term) -> Term {
    (num(0) - mul([e.clone(), phi.log()])).exp()
}

/// What is charged by gradients grows at most like this, times exp(−a·log φ).
fn share_room() -> Term {
    let third = num(128) / mul([num(3), var("a")]);
    mul([
        var("ρ"),
        third,
        var("γ").pow(4),
        var("L₁"),
        app("A", []).pow(2),
    ])
}

fn fixed() -> Term {
    var("ρ").sqrt() / var("n")
}

/// 3/(32·L₁·γ²).
fn pace() -> Term {
    num(3) / mul([num(32), var("L₁"), var("γ").pow(2)])
}

/// `kl-thm-4-corrected`: the corrected algorithm is ρ-zCDP, and with probability at least 1 − β its last state has an excess of M at
/// most, for κ < 2 and for κ = 2.
pub fn statement() -> Result<Statement, Stuck> {
    let algorithm = CORRECTED.statement(var("ρ"))?;
    let context = context(&algorithm.context)?;
    let (power, log) = (Growth::Power.goal(&context)?, Growth::Log.goal(&context)?);
    let goal = Goal::Both(vec![algorithm.goal, power, log]);
    Ok(Statement { context, goal })
}

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let context = &statement.context;
    let [private, power, log] = goals(statement)?;
    let private = CORRECTED.prove(context, "Alg3", zcdp_cost(private)?)?;
    let (power, log) = (
        Growth::Power.prove(context, power)?,
        Growth::Log.prove(context, log)?,
    );
    both(context, &[&private, &power, &log])
}
