//! `gcd-eq-34`: in how many of T rounds the bound of Lemma B.3 is not below the one with β.

use super::descent::above;
use super::events::{Round, Run, height, moved, run_of};
use super::noisy::{excess, fails, holds, rate, slope};
use super::scales::{SCALES, setting};
use super::{release_by, select_by, step};
use crate::moved::written::{Proof, extended};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, at_most_one, combine, convex, root_increases, union};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::{item, with};
use dp_assay_kernel::statement::{
    Command, Context, Goal, Item, Process, Sign, Sort, State, Statement,
};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, var, vector};

/// ‖w − w⋆‖_{M,1}.
fn radius() -> Term {
    app("R", [var("w")])
}

/// 8R²(ξ + β) and 8R²ξ⁺ + ξ², y being the next state.
fn sides(y: &Term) -> [Term; 2] {
    let (xi, square) = (excess(&var("w")), mul([num(8), radius().pow(2)]));
    [
        mul([square.clone(), xi.clone() + app("β", [])]),
        mul([square, excess(y)]) + xi.pow(2),
    ]
}

/// 1 if R > 0 and ξ⁺ ≥ ξ − ξ²/(8R²) + β.
fn missed(y: &Term) -> Term {
    let [x, y] = sides(y);
    mul([fails([radius(), num(0)]), holds(x, y)])
}

/// Algorithm 1, and in c the number of rounds that miss the bound.
fn counted() -> Process {
    let after = step(rate, var("a"));
    let count = at(&var("c"), &var("l")) + missed(&after);
    let body = vec![
        select_by(slope),
        release_by(slope),
        Command::Set("c".into(), vector("l", num(1), count)),
        Command::Set("w".into(), after),
    ];
    let state = |name: &str, dimension: Term, start: Term| State {
        name: name.into(),
        dimension,
        start,
    };
    Process {
        states: vec![
            state("c", num(1), vector("l", num(1), num(0))),
            state("w", var("p"), var("w₀")),
        ],
        body: vec![Command::Repeat {
            index: "t".into(),
            times: var("T"),
            body,
        }],
    }
}

fn entry() -> Term {
    at(&var("c"), &var("o"))
}

/// `gcd-eq-34`: that any round has w ≠ w⋆ and ξ⁺ ≥ ξ − ξ²/(8R(w)²) + β has a probability of ζ at most.
pub fn statement() -> Result<Statement, Stuck> {
    let context = setting([item("o", Sort::Index(num(1)))])?;
    let context = extended(&context, "define R(x∈ℝ^p) := Σ_{i<p} √(M_i)·|x_i − w⋆_i|")?;
    let context = context.extended(Item::Process("Alg1".into(), counted()))?;
    let law = op(Op::End, [var("Alg1")]);
    let any = bind(Binder::Expect, "c", law, fails([entry(), num(0)]));
    let goal = Goal::Le(any, var("ζ"));
    Ok(Statement { context, goal })
}

/// A round that goes well has 8R²ξ⁺ + ξ² ≤ 8R²(ξ + β) − (20/3)R²u², and so does not miss the bound.
fn keeps(round: &Round<'_>, goal: Goal) -> Proof {
    let (here, w, after) = (round.here, var("w"), round.after());
    let (top, r, xi) = (round.largest_slope(), radius(), excess(&w));
    let (low, hoelder) = (above(here, &w)?, round.hoelder()?);
    let large = Goal::Le(xi.clone(), mul([top.clone(), r.clone()]));
    let below = convex(here, "f", &w, &var("w⋆"))?;
    let large = combine(here, large, &[with(num(1), &below), with(num(1), &hoelder)])?;
    let width = (round.scales.width)();
    let square = mul([num(3), height()]) - mul([num(2), width.clone()]);
    let [x, y] = sides(&after);
    let gap = mul([num(20), r.pow(2), width.pow(2)]) / num(3);
    let parts = [
        with(mul([num(8), r.pow(2)]), &round.descent),
        Part::new(num(1), [&large, &low].map(Into::into)),
        with(mul([top, r.clone()]), &large),
        Part::new(mul([r.pow(2), square.pow(2)]) / num(3), []),
    ];
    let falls = combine(here, Goal::Le(y.clone() + gap.clone(), x.clone()), &parts)?;
    let none = Goal::Le(missed(&after), num(0));
    let event = holds(x.clone(), y.clone());
    let yes = |here: &Context, fact: &Theorem| {
        let share = num(3) / mul([num(20), width.pow(2)]);
        let parts = [with(share.clone(), &falls), with(share, fact)];
        let still = combine(here, Goal::Le(r.pow(2), num(0).pow(2)), &parts)?;
        let still = union(&root_increases(&still)?)?;
        combine(here, none.clone(), &[with(event.clone(), &still)])
    };
    let no = |here: &Context, fact: &Theorem| {
        let most = at_most_one(here, &holds(r.clone(), num(0)))?;
        combine(
            here,
            none.clone(),
            &[Part::new(num(1), [&most, fact].map(Into::into))],
        )
    };
    let none = split(here, [&x, &y], yes, no)?;
    combine(
        here,
        goal,
        &[with(num(1), &round.before), with(num(1), &none)],
    )
}

/// The proof of [`statement()`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    let context = &statement.context;
    let start = combine(context, Goal::Le(num(0), num(0)), &[])?;
    let run = Run {
        process: "Alg1",
        state: "c",
        others: &[item("c", Sort::Vector(num(1), Sign::Any))],
        now: &|_| [entry(), num(0)],
        next: &|_| [entry() + missed(&moved(&var("a"))), num(0)],
    };
    let rare = run_of(context, &SCALES, &run, &start, keeps)?;
    combine(context, statement.goal.clone(), &[with(num(1), &rare)])
}
