//! `ambssgd-thm-3.7-corrected-normal-run`: Algorithm 2 with DP-STAT, private, and useful for x ~ N(0, I), in one run.
//!
//! A round draws r records, counts their residuals below the levels Δ·2^l, looks for a threshold γ in the noisy counts, and draws b records
//! for a gradient. Before each of the b the potential is what it is expected to be if no gradient of the rest is clipped, and as much as
//! 1 more where w is too far, or the threshold too low. What it weighs the squares with is proved for any numbers, of which those of a round
//! are instances: their terms are long. Before each of the r records it is what may fail of the counts yet, level by level.

mod batch;
mod counted;
mod counts;
mod private;
mod record;
mod residual;
mod search;
mod stated;
mod threshold;
mod weights;

use super::ssgd::ends::{self, same, space};
use super::ssgd::words::Phase::{Early, Late};
use crate::moved::written::{Proof, inside, term, whole};
use batch::{adds, steps};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, discharge, instance, largest};
use dp_assay_kernel::search::item;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::statement::{Context, Goal, Sign, Sort, Statement};
use dp_assay_kernel::term::{num, var};
use private::private;
use threshold::follows;
use weights::{STATE, Weights, for_all_weights, of_round, weighted};

pub use stated::statement;

/// The proof of [`statement`], or of a statement with other constants.
pub fn prove(statement: &Statement) -> Proof {
    whole(statement, &[&private, &|h, goal| inside(h, goal, &run)])
}

/// The run is useful.
fn run(h: &Context, wanted: &Goal) -> Proof {
    let states = h.with([
        item("s", space()),
        item("w", space()),
        item("γ", Sort::Vector(num(1), Sign::Any)),
        item("a", space()),
        item("M", Sort::Vector(var("m"), Sign::Any)),
    ])?;
    ends::run(h, wanted, &states, |behind| {
        let (mut invariants, mut theorems) = (Vec::new(), Vec::new());
        for (phase, end) in [Late, Early].into_iter().zip(behind) {
            let (round, own) = (ends::round(&states, phase)?, Weights::of(phase));
            let (batch, any) = (of_records(&round, "b")?, weighted(&round)?);
            let count = of_records(&round, "r")?;
            let steps = for_all_weights(&steps(&any, phase)?)?;
            let adds = for_all_weights(&discharge(&adds(&of_records(&any, "b")?, phase)?)?)?;
            let follows = of_round(&round, phase, &for_all_weights(&follows(&any)?)?)?;
            invariants.push(term(&round, &phase.invariant("t", "s", "w"))?);
            let u = own.inner("(b − e)", "a", STATE);
            invariants.push(term(&batch, &own.least(&u, "(b − e)"))?);
            invariants.push(term(&count, &counts::invariant(phase, "e", "M"))?);
            let one_more = instance(&batch, &of_round(&round, phase, &adds)?, &var("e"))?;
            theorems.extend([
                end.clone(),
                counts::begins(&round, phase)?,
                of_round(&round, phase, &steps)?,
                one_more,
                counted::ends(&round, phase, &follows)?,
                counts::adds(&count, phase)?,
            ]);
        }
        Ok((invariants, theorems))
    })
}

/// The context of a record of a batch, or of the counts.
fn of_records(h: &Context, number: &str) -> Result<Context, Stuck> {
    h.extended(item("e", Sort::Index(var(number))))
}

/// A relation by whether a potential is at most 1, with max(1, potential) ≤ 1 or what it is.
fn by_size(h: &Context, u: &str, prove: impl Fn(&Context, &Theorem, bool) -> Proof) -> Proof {
    either(h, [&term(h, u)?, &num(1)], |h, order, small| {
        let top = match small {
            true => largest(&same(h, "1")?, order)?,
            false => largest(order, &same(h, u)?)?,
        };
        prove(h, &top, small)
    })
}
