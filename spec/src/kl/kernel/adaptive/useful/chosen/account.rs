//! What is wanted before a round: that the weights add up to enough, or that budget and descent are accounted for.

use super::super::{Proof, fixed};
use super::draw::{enough, score, total};
use super::{count, f, le, level, next, stored};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, combine, larger, largest};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Term, app, mul, num, var};

/// The state before a round: iterate, what is kept, rounds begun, index of the round, what is charged.
pub(super) struct Before {
    pub w: Term,
    pub h: Term,
    pub c: Term,
    pub t: Term,
    pub spent: Term,
}

/// √ρ/n + ρA²/U², which a round is charged at most while gradients are large.
pub(super) fn each() -> Term {
    fixed() + mul([var("ρ"), app("A", []).pow(2)]) / var("U").pow(2)
}

/// U·(U + 2B)/(8L₁), by which a step reduces F then.
pub(super) fn gain() -> Term {
    let twice = mul([num(2), app("B", [])]);
    mul([var("U"), var("U") + twice]) / mul([num(8), var("L₁")])
}

impl Before {
    pub(super) fn named(t: Term) -> Self {
        let [w, h, c, spent] = ["w", "h", "c", "spent"].map(var);
        Self { w, h, c, t, spent }
    }

    /// After the round that this is before, with its w and what is charged.
    pub(super) fn after(&self, w: Term, spent: Term) -> Self {
        Self {
            w,
            h: stored(&self.h, &self.w, &self.t),
            c: next(&self.c),
            t: self.t.clone() + num(1),
            spent,
        }
    }

    fn order(&self) -> [Term; 2] {
        let (c, t) = (count(&self.c), self.t.clone());
        [c.clone() - t.clone(), t - c]
    }

    pub(super) fn accounts(&self) -> [Term; 2] {
        let rounds = |unit: Term| mul([self.t.clone(), unit]);
        let excess = f(&self.w) - var("F⋆");
        [
            self.spent.clone() - rounds(each()),
            excess + rounds(gain()) - var("F₀"),
        ]
    }

    /// 0 ≤ max(weights − what is enough, −max of the accounts): one of the two.
    pub(super) fn either(&self) -> Result<[Term; 2], Stuck> {
        let [one, other] = self.accounts();
        let room = total(&self.h, &self.c)? - score(&level());
        Ok([room, num(0) - one.max_with(&other)])
    }

    /// max(c − t, t − c, −either) ≤ 0.
    pub(super) fn wanted(&self) -> Result<Goal, Stuck> {
        let [order, sides] = self.parts()?;
        Ok(Goal::Le(order.max_with(&sides), num(0)))
    }

    fn parts(&self) -> Result<[Term; 2], Stuck> {
        let ([a, b], [x, y]) = (self.order(), self.either()?);
        Ok([a.max_with(&b), num(0) - x.max_with(&y)])
    }

    /// c ≤ t, t ≤ c and that 0 ≤ max of either, where it is wanted.
    pub(super) fn known(&self, here: &Context) -> Result<[Theorem; 3], Stuck> {
        let whole = assumed(here, &self.wanted()?)?;
        let ([order, sides], [a, b], [x, y]) = (self.parts()?, self.order(), self.either()?);
        let above = |second| larger(here, &order, &sides, second);
        let (first, other) = (above(false)?, above(true)?);
        let one = |second| {
            let inner = larger(here, &a, &b, second)?;
            let (small, large) = match second {
                false => (count(&self.c), self.t.clone()),
                true => (self.t.clone(), count(&self.c)),
            };
            let parts = [&inner, &first, &whole].map(|fact| with(num(1), fact));
            combine(here, Goal::Le(small, large), &parts)
        };
        let parts = [&other, &whole].map(|fact| with(num(1), fact));
        let sides = combine(here, Goal::Le(num(0), x.max_with(&y)), &parts)?;
        Ok([one(false)?, one(true)?, sides])
    }

    /// It is wanted, from c ≤ t, t ≤ c and one of either: `side` says 0 ≤ that.
    pub(super) fn made(
        &self,
        here: &Context,
        order: [&Theorem; 2],
        side: &Theorem,
        second: bool,
    ) -> Proof {
        let ([a, b], [x, y]) = (self.order(), self.either()?);
        let low = |left: Term, fact: &Theorem| {
            combine(here, Goal::Le(left, num(0)), &[with(num(1), fact)])
        };
        let order = largest(&low(a, order[0])?, &low(b, order[1])?)?;
        let above = larger(here, &x, &y, second)?;
        let parts = [side, &above].map(|fact| with(num(1), fact));
        let sides = combine(here, Goal::Le(num(0) - x.max_with(&y), num(0)), &parts)?;
        largest(&order, &sides)
    }

    /// A goal, where the weights are enough and where both accounts are not positive.
    pub(super) fn sides(
        &self,
        here: &Context,
        fact: &Theorem,
        first: &dyn Fn(&Context, &Theorem) -> Proof,
        second: &dyn Fn(&Context, [&Theorem; 2]) -> Proof,
    ) -> Proof {
        let [x, y] = self.either()?;
        either(here, [&y, &x], |here, case, one| {
            let same = |t: &Term| le(here, t.clone(), t.clone(), vec![]);
            if one {
                let top = largest(&same(&x)?, case)?;
                let parts = [fact, &top].map(|fact| with(num(1), fact));
                return first(here, &combine(here, enough(&self.h, &self.c)?, &parts)?);
            }
            let top = largest(case, &same(&y)?)?;
            let [a, b] = self.accounts();
            let part = |second: bool, t: &Term| {
                let above = larger(here, &a, &b, second)?;
                let parts = [fact, &top, &above].map(|fact| with(num(1), fact));
                combine(here, Goal::Le(t.clone(), num(0)), &parts)
            };
            second(here, [&part(false, &a)?, &part(true, &b)?])
        })
    }
}
