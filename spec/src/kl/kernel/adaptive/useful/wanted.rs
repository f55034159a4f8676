//! What is wanted of a state before a round, and what it says.

use super::place::Place;
use super::{Growth, Proof, decay, f, fixed, le, member, pace, phi, share_room};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::Part;
use dp_assay_kernel::rules::{Theorem, combine, larger, largest};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Term, app, mul, num, var};

impl Growth {
    /// spent − (t·√ρ/n + what gradients are charged), and t·k − its room.
    pub(super) fn accounts(self, x: &Term, t: &Term, spent: &Term) -> [Term; 2] {
        let phi = phi(x);
        let room = mul([t.clone(), fixed()]) + mul([share_room(), decay(&var("a"), &phi)]);
        let rounds = match self {
            Self::Power => mul([t.clone(), var("c"), pace()]) - decay(&var("c"), &phi),
            Self::Log => mul([t.clone(), pace()]) - (var("F₀").log() - phi.log()),
        };
        [spent.clone() - room, rounds]
    }

    /// 0 ≤ max(M − (F(x) − F⋆), −max of the accounts): one of the two.
    pub(super) fn either(self, x: &Term, t: &Term, spent: &Term) -> [Term; 2] {
        let [one, other] = self.accounts(x, t, spent);
        [var("M") - (f(x) - var("F⋆")), num(0) - one.max_with(&other)]
    }

    /// max(‖S(x)‖, F(x) − α, −spent, −either) ≤ 0.
    pub(super) fn wanted(self, x: &Term, t: &Term, spent: &Term) -> Goal {
        let [first, second] = self.pairs(x, t, spent);
        let both = |[a, b]: &[Term; 2]| a.max_with(b);
        Goal::Le(both(&first).max_with(&both(&second)), num(0))
    }

    pub(super) fn pairs(self, x: &Term, t: &Term, spent: &Term) -> [[Term; 2]; 2] {
        let [low, open] = self.either(x, t, spent);
        let first = [app("S", [x.clone()]).norm(), f(x) - var("α")];
        [
            first,
            [num(0) - spent.clone(), num(0) - low.max_with(&open)],
        ]
    }
}

/// What [`Growth::wanted`] says, part by part.
pub(super) struct Known {
    pub inside: Theorem,
    pub below: Theorem,
    pub paid: Theorem,
    pub either: Theorem,
}

impl Known {
    /// The place x that this is known of.
    pub(super) fn place<'a>(&self, here: &'a Context, data: &'a [Goal], x: &Term) -> Place<'a> {
        Place {
            here,
            data,
            x: x.clone(),
            inside: self.inside.clone(),
            below: self.below.clone(),
        }
    }
}

pub(super) fn known(
    here: &Context,
    growth: Growth,
    x: &Term,
    t: &Term,
    spent: &Term,
) -> Result<Known, Stuck> {
    let whole = assumed(here, &growth.wanted(x, t, spent))?;
    let [first, second] = growth.pairs(x, t, spent);
    let both = |[a, b]: &[Term; 2]| a.max_with(b);
    let part = |outer: bool, inner: bool, goal: Goal| {
        let above = larger(here, &both(&first), &both(&second), outer)?;
        let [a, b] = if outer { &second } else { &first };
        let one = larger(here, a, b, inner)?;
        let parts = [&one, &above, &whole].map(|fact| with(num(1), fact));
        combine(here, goal, &parts)
    };
    let [low, open] = growth.either(x, t, spent);
    Ok(Known {
        inside: part(false, false, member(x))?,
        below: part(false, true, Goal::Le(f(x), var("α")))?,
        paid: part(true, false, Goal::Le(num(0), spent.clone()))?,
        either: part(true, true, Goal::Le(num(0), low.max_with(&open)))?,
    })
}

/// [`Growth::wanted`] from its parts, of `either` one side.
pub(super) fn wanted(
    here: &Context,
    growth: Growth,
    [x, t, spent]: [&Term; 3],
    [inside, below, paid]: [&Theorem; 3],
    side: (&Theorem, bool),
) -> Proof {
    let [low, open] = growth.either(x, t, spent);
    let one = |left: Term, parts: &[Part<'_>]| combine(here, Goal::Le(left, num(0)), parts);
    let above = larger(here, &low, &open, side.1)?;
    let alternative = one(
        num(0) - low.max_with(&open),
        &[with(num(1), &above), with(num(1), side.0)],
    )?;
    let first = largest(
        &one(app("S", [x.clone()]).norm(), &[with(num(1), inside)])?,
        &one(f(x) - var("α"), &[with(num(1), below)])?,
    )?;
    let second = largest(
        &one(num(0) - spent.clone(), &[with(num(1), paid)])?,
        &alternative,
    )?;
    largest(&first, &second)
}

/// F(x) − F⋆ ≤ M, or else M ≤ F(x) − F⋆ and both accounts.
pub(super) fn by_sides(
    here: &Context,
    growth: Growth,
    [x, t, spent]: [&Term; 3],
    fact: &Theorem,
    low: &dyn Fn(&Context, &Theorem) -> Proof,
    high: &dyn Fn(&Context, [&Theorem; 3]) -> Proof,
) -> Proof {
    let excess = f(x) - var("F⋆");
    let [small, open] = growth.either(x, t, spent);
    either(here, [&excess, &var("M")], |here, order, first| {
        if first {
            return low(here, order);
        }
        either(here, [&small, &open], |here, side, second| {
            let same = |t: &Term| le(here, t.clone(), t.clone(), vec![]);
            if !second {
                // open ≤ small: 0 ≤ M − excess.
                let top = largest(&same(&small)?, side)?;
                let fact = combine(
                    here,
                    Goal::Le(excess.clone(), var("M")),
                    &[with(num(1), fact), with(num(1), &top)],
                )?;
                return low(here, &fact);
            }
            let top = largest(side, &same(&open)?)?;
            let [one, other] = growth.accounts(x, t, spent);
            let part = |second: bool, t: &Term| {
                let above = larger(here, &one, &other, second)?;
                combine(
                    here,
                    Goal::Le(t.clone(), num(0)),
                    &[with(num(1), fact), with(num(1), &top), with(num(1), &above)],
                )
            };
            high(here, [order, &part(false, &one)?, &part(true, &other)?])
        })
    })
}
