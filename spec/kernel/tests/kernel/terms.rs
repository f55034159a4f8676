//! Random terms, and that their normal forms have their values.

use crate::rules::{margin, numbers};
use crate::world::Random;
use crate::{Falsifier, Instance};
use dp_assay_kernel::rules::left_over;
use dp_assay_kernel::statement::Goal;
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var};

pub const FALSIFIERS: [Falsifier; 1] = [("normal form", normal_form)];

/// A random number in these variables and the indices and draws around it. Positive ones have a positive divisor.
pub fn random_term(r: &mut Random, depth: usize, indices: &[&str], drawn: bool) -> Term {
    let index = |r: &mut Random| var(indices[r.below(indices.len())]);
    if depth == 0 {
        return match r.below(7) {
            0 => var("x"),
            1 => at(&var("v"), &index(r)),
            2 => num(r.below(4) as i64 - 1),
            3 if drawn => at(&var("η"), &index(r)),
            4 if drawn => op(Op::Member, [index(r), var("S")]),
            5 if drawn => at(&var("L"), &var("S")),
            _ => at(&var("u"), &index(r)),
        };
    }
    let next = |r: &mut Random| random_term(r, depth - 1, indices, drawn);
    match r.below(9) {
        0 | 1 => next(r) + next(r),
        2 | 3 => next(r) * next(r),
        4 => next(r) - next(r),
        5 => next(r) / positive(r, indices),
        6 if indices.len() < 3 => {
            let name = ["i", "j", "k"][indices.len()];
            let inner = [indices, &[name]].concat();
            sum(name, var("d"), random_term(r, depth - 1, &inner, drawn))
        }
        7 => app("g", [next(r), index(r)]),
        _ => next(r).pow(2) * positive(r, indices).sqrt(),
    }
}

/// A positive number: an entry of u, y, √y or √(y·uᵢ), max(0, …) + y.
pub fn positive(r: &mut Random, indices: &[&str]) -> Term {
    let entry = at(&var("u"), &var(indices[r.below(indices.len())]));
    match r.below(5) {
        0 => entry,
        1 => var("y").sqrt(),
        2 => mul([var("y"), entry]).sqrt(),
        3 => {
            let range = op(Op::Except, [var("d"), var("i")]);
            let ratio = mul([num(3), at(&var("u"), &var("m"))]) / entry;
            bind(Binder::Sup, "m", range, ratio) + var("y")
        }
        _ => var("y"),
    }
}

/// Names of indices that normal forms give, and others.
const NAMES: [&str; 6] = ["j", "k", "%0", "%1", "%2", "%3"];

/// A weight ≥ 0 in these indices, in which another may have any name.
fn weight(r: &mut Random, indices: &[&str]) -> Term {
    let index = |r: &mut Random, of: &[&str]| var(of[r.below(of.len())]);
    let apart = |r: &mut Random, of: &[&str]| mul([index(r, of), index(r, of)]).exp();
    match r.below(5) {
        0 => positive(r, indices),
        1 => op(Op::AtMost, [var("x"), at(&var("v"), &index(r, indices))]),
        2 => apart(r, indices),
        _ => {
            let own = NAMES[r.below(6)];
            sum(own, var("d"), apart(r, &[indices, &[own]].concat()))
        }
    }
}

/// The mean of a number over an index drawn by weights, over which are perhaps sums.
fn mixture(r: &mut Random, sums: usize, indices: &[&str], drawn: bool) -> Term {
    let own = NAMES[r.below(6)];
    let inner = [indices, &[own]].concat();
    if sums > 0 {
        return sum(own, var("d"), mixture(r, sums - 1, &inner, drawn));
    }
    let law = bind(Binder::Weighted, own, var("d"), weight(r, &inner));
    let own = NAMES[r.below(6)];
    let inner = [indices, &[own]].concat();
    let index = |r: &mut Random| var(inner[r.below(inner.len())]);
    let leaf = |r: &mut Random| match r.below(3) {
        0 => index(r),
        1 if drawn => at(&var("η"), &index(r)),
        1 => at(&var("u"), &index(r)),
        _ => at(&var("v"), &index(r)),
    };
    let value = match r.below(4) {
        0 => leaf(r).max_with(&leaf(r)),
        1 => op(Op::AtMost, [leaf(r), leaf(r)]) + leaf(r),
        2 => sum("l", var("d"), leaf(r) * at(&var("v"), &var("l"))),
        _ => leaf(r) * leaf(r),
    };
    bind(Binder::Expect, own, law, value)
}

/// Σ_j E max(k, j) over k by weights of Σ_l exp(a·k), where a is j or l: of the second the mean is that by other weights.
fn captured() -> Goal {
    let side = |a: &str| {
        let own = sum("l", var("d"), (var(a) * var("k")).exp());
        let law = bind(Binder::Weighted, "k", var("d"), own);
        let mean = bind(Binder::Expect, "k", law, var("k").max_with(&var("j")));
        sum("j", var("d"), mean)
    };
    Goal::Eq(side("j"), side("l"))
}

/// The normal form has the value of the term. Twins: √x² = x for every x; E η_i·η_j = σ² for all i, j; max(0, c·x)
/// = c·max(0, x) for every c; an index of weights that another of the same name captures.
fn normal_form(r: &mut Random) -> Instance {
    let (context, w) = numbers(r);
    let some = |r: &mut Random, drawn| {
        let sums = r.below(3);
        match r.below(4) {
            0 => mixture(r, sums, &["i"], drawn),
            1 => mixture(r, sums, &["i"], drawn) * random_term(r, 2, &["i"], drawn),
            _ => random_term(r, 3, &["i"], drawn),
        }
    };
    let drawn = r.below(2) == 0;
    let mut term = some(r, drawn);
    if drawn {
        let law = op(Op::Normal, [var("d"), at(&var("L"), &var("S")).pow(2)]);
        let inner = bind(Binder::Expect, "η", law, term);
        term = bind(Binder::Expect, "S", var("𝒮"), inner);
    }
    let goal = Goal::Eq(num(0), term.clone());
    let normal = left_over(&context, &goal, &[]).expect("a normal form");
    let normal = normal.unwrap_or_else(|| num(0));
    let (d, v, eta) = (var("d"), var("v"), var("η"));
    let twins = [
        Goal::Eq(var("x").pow(2).sqrt(), var("x")),
        {
            let law = op(Op::Normal, [d.clone(), var("y")]);
            let entries = |j: &str| at(&eta, &var(j));
            let body = bind(Binder::Expect, "η", law, entries("i") * entries("k"));
            Goal::Eq(sum("k", d.clone(), body), d.clone() * var("y"))
        },
        {
            let range = || op(Op::Except, [d.clone(), var("i")]);
            let over = |t: Term| bind(Binder::Sup, "m", range(), t);
            let entry = at(&v, &var("m"));
            Goal::Eq(over(var("x") * entry.clone()), var("x") * over(entry))
        },
        captured(),
    ];
    let twin = &twins[r.below(4)];
    Instance {
        rule: margin(&context, &Goal::Eq(normal, term), &w),
        twin: margin(&context, twin, &w),
    }
}
