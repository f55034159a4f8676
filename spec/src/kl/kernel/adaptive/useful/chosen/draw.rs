//! What the draw chooses, where the weights add up to enough.

use super::super::run::{certain, fails, rare};
use super::super::{Proof, le};
use super::{bound, height, law, level, read};
pub(super) use crate::kl::kernel::selection::score;
use crate::kl::kernel::selection::{factor, rarely};
use crate::moved::written::{given, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{exp_sum, expected};
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::{item, with};
use dp_assay_kernel::statement::{Context, Goal, Sort};
use dp_assay_kernel::term::{Binder, Term, bind, mul, num, sum, var};

/// That the weights of h and c add up to that of a gradient of the wanted level.
pub(super) fn enough(h: &Term, c: &Term) -> Result<Goal, Stuck> {
    Ok(Goal::Le(score(&level()), total(h, c)?))
}

pub(super) fn total(h: &Term, c: &Term) -> Result<Term, Stuck> {
    Ok(sum("k", var("R"), weight(h, c, &var("k"))?))
}

/// The weight of round k.
pub(super) fn weight(h: &Term, c: &Term, k: &Term) -> Result<Term, Stuck> {
    match law(h, c)? {
        Term::Bind(Binder::Weighted, name, _, weight) => Ok(weight.put(&name, k)),
        _ => Err(Stuck::new("no weights")),
    }
}

/// How large the gradient at the iterate of round k may be.
fn good(h: &Term, k: &Term) -> Goal {
    Goal::Le(height(&read(h, k)), bound())
}

/// The probability that the draw chooses a larger one.
pub(super) fn missed(h: &Term, c: &Term) -> Result<Term, Stuck> {
    let lost = fails(&good(h, &var("s")))?;
    Ok(bind(Binder::Expect, "s", law(h, c)?, lost))
}

/// That is at most β, and 1 where the weights add up to less.
pub(super) fn chosen(here: &Context, h: &Term, c: &Term) -> Proof {
    let (law, enough, lost) = (law(h, c)?, enough(h, c)?, missed(h, c)?);
    let [least, all] = sides(&enough)?;
    let most = var("β") + fails(&enough)?;
    let (one, event) = (fails(&good(h, &var("s")))?, good(h, &var("s")));
    split(
        here,
        [least, all],
        |here, fact| {
            let few = rarely(here, &law, &event, fact)?;
            let share = small(here)?;
            le(
                here,
                lost.clone(),
                most.clone(),
                vec![
                    with(num(1), &few),
                    with(num(1), &share),
                    with(num(1), &certain(here, &enough)?),
                ],
            )
        },
        |here, none| {
            let all = expected(&le(&below_r(here)?, one.clone(), num(1), vec![])?, &law)?;
            le(
                here,
                lost.clone(),
                most.clone(),
                vec![with(num(1), &all), with(num(1), none)],
            )
        },
    )
}

pub(super) fn below_r(here: &Context) -> Result<Context, Stuck> {
    here.extended(item("s", Sort::Index(var("R"))))
}

/// R·exp(−n√ρ·M/(2L₀))/exp(−n√ρ·(B + U)/(2L₀)) = R·exp(−2Λ) ≤ β.
fn small(here: &Context) -> Proof {
    let (decay, room) = ((num(0) - var("Λ")).exp(), num(0) - mul([num(2), var("Λ")]));
    let split = exp_sum(here, &mul([factor(), level()]), &room)?;
    let twice = exp_sum(here, &(num(0) - var("Λ")), &(num(0) - var("Λ")))?;
    let rare = rare(here)?;
    let event = super::event();
    let ratio = mul([var("R"), score(&bound())]) / score(&level());
    let (rounds, large, sure) = (given(here, 2)?, given(here, 0)?, given(here, 4)?);
    let of_beta = var("β") / mul([num(2), var("n"), super::root_rho()]);
    le(
        here,
        ratio,
        var("β"),
        vec![
            with(var("R") / score(&level()), &split),
            with(var("R"), &twice),
            with(mul([var("R"), decay + event.clone()]), &rare),
            with(event.pow(2) / num(2), &rounds),
            with(of_beta.clone(), &sure),
            with(of_beta / num(8), &large),
        ],
    )
}
