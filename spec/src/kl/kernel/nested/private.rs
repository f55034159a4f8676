//! The transcript is ρ-zCDP: a gradient costs 8/9 of ρ/K, and the differences of a round what is left.

use super::super::sensitivity;
use super::{Proof, commands, numbers, space};
use crate::moved::written::{given, show, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    at_most_one, combine, compose, gaussian, instance, larger, largest, root_increases, sum_over,
};
use dp_assay_kernel::search::{Share, item, record_moves, with, within_budget, zcdp_cost};
use dp_assay_kernel::statement::{Command, Context, Goal, Sort, Statement};
use dp_assay_kernel::term::{Binder, Term, mul, num, var};

/// The step of the algorithm, and half of how far it may move a difference.
const NEXT: &str = "⟨w_i − (φ(k)/(4·γ·L₁))·g_i/max((7/8)·φ(k)/γ, ‖g‖) : i<d⟩";

/// A part of the difference in the name of its record.
fn change(h: &Context, z: &Term, over: &str) -> Result<Term, Stuck> {
    let text = format!("⟨(∂_j f({NEXT}; record) − ∂_j f(w; record)){over} : j<d⟩");
    let named = h.extended(item("record", Sort::Record))?;
    Ok(term(&named, &text)?.put("record", z))
}

/// ‖change‖/n ≤ φ/(4γn) of one record.
fn record(h: &Context, z: &str) -> Proof {
    let all = given(h, 0)?;
    let all = instance(h, &instance(h, &all, &term(h, NEXT)?)?, &var("w"))?;
    let moved = instance(h, &all, &var(z))?;
    let [low, size] = ["(7/8)·φ(k)/γ", "‖g‖"].map(|text| term(h, text));
    let level = larger(h, &low?, &size?, true)?;
    let most = term(h, "φ(k)/(4·γ)")?;
    let whole = change(h, &var(z), "")?.norm();
    let scale = term(h, "φ(k)/(4·γ·max((7/8)·φ(k)/γ, ‖g‖))")?;
    let parts = [with(num(1), &moved), with(scale, &level)];
    let short = combine(h, Goal::Le(whole.clone(), most.clone()), &parts)?;
    // Under the root the n does not come out of a sum: squares are compared.
    let scaled = change(h, &var(z), "/n")?.norm();
    let sum = (most.clone() + whole) / var("n").pow(2);
    let squares = Goal::Le(scaled.pow(2), (most / var("n")).pow(2));
    root_increases(&combine(h, squares, &[with(sum, &short)])?)
}

pub(super) fn prove(context: &Context, spent: &Goal) -> Proof {
    let (first, [stop, second, ..]) = commands(context)?;
    let (
        Command::Release { query, .. },
        Command::Release {
            query: change_of, ..
        },
    ) = (first, second)
    else {
        return Err(Stuck::new("not two gradients"));
    };
    let Command::Stop { charge, .. } = stop else {
        return Err(Stuck::new("no stop"));
    };
    let of_k = context.extended(item("k", Sort::Index(var("K"))))?;
    let here = context.with(["w", "g"].map(|x| item(x, space())))?;
    let here = here.extended(item("k", Sort::Index(var("K"))))?;
    let by = mul([num(2), var("L₀")]) / var("n");
    let gradient = gaussian(&here, first, &sensitivity(&here, query, &by)?)?;
    let share = Share {
        of: &|z| change(&here, z, "/n").unwrap_or(num(0)),
        bound: &|here, z| record(here, z),
        factor: num(1),
    };
    let by = term(&here, "φ(k)/(2·γ·n)")?;
    let moves = record_moves(&here, "D", change_of, &share, &by)?;
    let difference = gaussian(&here, second, &moves)?;
    // A difference costs ρ/(18KT), and one more than T are charged.
    let each = term(&here, "(4/9)·ρ/(8·K·T(k))")?;
    let passed = at_most_one(&here, &term(&here, "𝟙((7/8)·φ(k)/γ ≤ ‖g‖)")?)?;
    let paid = Goal::Le(
        zcdp_cost(&difference.statement().goal)?.clone(),
        mul([each.clone(), charge.clone()]),
    );
    let more = term(&here, "(4/9)·ρ/(8·K·T(k))·(T(k) + 1)")?;
    let paid = combine(&here, paid, &[with(more, &passed)])?;
    let nothing = combine(&here, Goal::Le(num(0), num(0)), &[])?;
    let all = compose(
        context,
        "Alg1",
        "D",
        &[&gradient, &difference, &paid, &nothing],
    )?;
    let Term::Bind(Binder::Sum, _, _, cost) = zcdp_cost(&all.statement().goal)? else {
        return Err(Stuck::new("no sum over the rounds"));
    };
    let long = numbers::long(&of_k)?;
    let steps = "(4/9)·ρ/(8·K·T(k))·(T(k) + 1)";
    let zero = show(&of_k, &format!("0 ≤ {steps}"), &[])?;
    let same = show(&of_k, &format!("{steps} ≤ {steps}"), &[])?;
    let steps = largest(&zero, &same)?;
    let goal = Goal::Le((**cost).clone(), term(&of_k, "ρ/K")?);
    let parts = vec![with(num(1), &steps), with(each, &long)];
    let rounds = sum_over(&combine(&of_k, goal, &parts)?)?;
    let statement = Statement {
        context: context.clone(),
        goal: spent.clone(),
    };
    within_budget(&statement, &all, vec![with(num(1), &rounds)])
}
