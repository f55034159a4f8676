//! One round: what it makes of the weights and of both accounts, whether it goes on or is the last.

use super::super::Proof;
use super::super::level::Level;
use super::account::{Before, each, gain};
use super::draw::enough;
use super::store::{added, grown};
use super::{count, f, height, le, level, moved, slope};
use crate::kl::kernel::selection::scaled;
use crate::moved::written::{given, sides};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, combine, instance, larger, largest};
use dp_assay_kernel::search::cases::{absurd, beyond, split};
use dp_assay_kernel::search::exp::exp_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Term, app, at, mul, num, sum, var, vector};

/// A round with its noise ν on the norm, |ν| as small as its tail says.
pub(super) struct Round<'a> {
    pub data: &'a [Goal],
    pub before: Before,
}

impl Round<'_> {
    fn store(&self) -> [&Term; 3] {
        [&self.before.h, &self.before.c, &self.before.w]
    }

    fn after_store(&self) -> Result<Goal, Stuck> {
        let after = self.before.after(var("w"), num(0));
        enough(&after.h, &after.c)
    }

    /// The weights are enough behind a round that begins with G(w) ≤ B + U.
    fn low(&self, here: &Context, begun: &Theorem, small: &Theorem) -> Proof {
        let weight = added(here, self.data, self.store(), begun)?;
        let more = exp_increases(&scaled(here, &level(), &height(&self.before.w), small)?)?;
        let parts = [&weight, &more].map(|fact| with(num(1), fact));
        combine(here, self.after_store()?, &parts)
    }

    /// A goal, where the weights are enough behind the round, and where both accounts are not positive, the round is off the floor and
    /// B + U ≤ G(w).
    fn cases(
        &self,
        here: &Context,
        reached: &dyn Fn(&Context, &Theorem) -> Proof,
        open: &dyn Fn(&Context, [&Theorem; 4]) -> Proof,
    ) -> Proof {
        let [below, begun, fact] = self.before.known(here)?;
        let noisy = Level::of(here)?;
        self.before.sides(
            here,
            &fact,
            &|here, full| {
                let more = grown(here, self.data, self.store(), &below)?;
                let parts = [full, &more].map(|fact| with(num(1), fact));
                reached(here, &combine(here, self.after_store()?, &parts)?)
            },
            &|here, [shares, falls]| {
                split(
                    here,
                    [&noisy.level, &noisy.least],
                    |here, floor| {
                        let ([_, down], twice) = (Level::small(here)?, given(here, 7)?);
                        let parts = [floor, &down, &twice].map(|fact| with(num(1), fact));
                        let small = le(here, height(&self.before.w), level(), parts.into())?;
                        reached(here, &self.low(here, &begun, &small)?)
                    },
                    |here, off| {
                        either(
                            here,
                            [&height(&self.before.w), &level()],
                            |here, case, small| match small {
                                true => reached(here, &self.low(here, &begun, case)?),
                                false => open(here, [shares, falls, off, case]),
                            },
                        )
                    },
                )
            },
        )
    }

    /// What a round off the floor is charged, if B + U ≤ G(w).
    fn charged(&self, here: &Context, off: &Theorem, steep: &Theorem) -> Proof {
        let noisy = Level::of(here)?;
        let charge = noisy.charged(here, off)?;
        let [_, down] = Level::small(here)?;
        let top = noisy.level.max_with(&noisy.least);
        let above = larger(here, &noisy.level, &noisy.least, false)?;
        let parts = [&above, &down, steep].map(|fact| with(num(1), fact));
        let large = combine(here, Goal::Le(var("U"), top.clone()), &parts)?;
        let unit = mul([var("ρ"), app("A", []).pow(2), top.clone() + var("U")]);
        let unit = unit / mul([var("U").pow(2), top.pow(2)]);
        le(
            here,
            noisy.charge,
            each(),
            vec![with(num(1), &charge), with(unit, &large)],
        )
    }

    /// F(w + v) is at most the model there, for one step v.
    fn smooth(&self, here: &Context, v: &Term) -> Proof {
        let every = assumed(here, &self.data[0])?;
        instance(here, &instance(here, &every, &self.before.w)?, v)
    }

    /// What is wanted after a round that goes on.
    pub(super) fn keeps(&self, here: &Context) -> Proof {
        let noisy = Level::of(here)?;
        let [below, begun, _] = self.before.known(here)?;
        let (w, j) = (&self.before.w, var("j"));
        let v = (num(0) - (slope(w) + at(&var("g"), &j))) / mul([num(2), var("L₁")]);
        let v = vector("j", var("d"), v);
        let spent = self.before.spent.clone() + noisy.charge.clone();
        let after = self.before.after(moved(w, &v), spent);
        let one = |left: Term, right: Term, fact: &Theorem| {
            le(here, left, right, vec![with(num(1), fact)])
        };
        let [c, t] = [count(&after.c), after.t.clone()];
        let order = [one(c.clone(), t.clone(), &below)?, one(t, c, &begun)?];
        let order = [&order[0], &order[1]];
        let [room, _] = after.either()?;
        self.cases(
            here,
            &|here, full| {
                let side = le(here, num(0), room.clone(), vec![with(num(1), full)])?;
                after.made(here, order, &side, false)
            },
            &|here, [shares, falls, off, steep]| {
                let charge = self.charged(here, off, steep)?;
                let step = self.step(here, &v, off)?;
                let [first, second] = after.accounts();
                let first = le(
                    here,
                    first,
                    num(0),
                    vec![with(num(1), shares), with(num(1), &charge)],
                )?;
                let more = (height(w) + level()) / mul([num(8), var("L₁")]);
                let parts = vec![with(num(1), falls), with(num(1), &step), with(more, steep)];
                let both = largest(&first, &le(here, second, num(0), parts)?)?;
                let [_, open] = after.either()?;
                let side = le(here, num(0), open, vec![with(num(1), &both)])?;
                after.made(here, order, &side, true)
            },
        )
    }

    /// F(w + v) ≤ F(w) + (B² − G(w)²)/(8L₁), ‖g‖ being as small as its tail says.
    fn step(&self, here: &Context, v: &Term, off: &Theorem) -> Proof {
        let (w, j) = (&self.before.w, var("j"));
        let noise = Level::of(here)?.noise(here, off)?;
        let (g, b, eighth) = (height(w), app("B", []), num(1) / mul([num(8), var("L₁")]));
        let half = (g.clone() + b.clone()) / num(2);
        let both = half.clone() + var("g").norm();
        let square = le(
            here,
            var("g").norm().pow(2),
            half.pow(2),
            vec![with(both, &noise)],
        )?;
        let all = sum("j", var("d"), (slope(w) + at(&var("g"), &j)).pow(2));
        let smooth = self.smooth(here, v)?;
        let most = f(w) + mul([eighth.clone(), b.pow(2) - g.pow(2)]);
        let parts = vec![
            with(num(1), &smooth),
            with(num(2) * eighth.clone(), &square),
            Part::new(eighth.clone() * all, []),
            Part::new(eighth * (g - b).pow(2) / num(2), []),
        ];
        combine(here, Goal::Le(f(&moved(w, v)), most), &parts)
    }

    /// The weights are enough behind a round that does not go on, by an indicator ≤ 0.
    pub(super) fn halts(&self, here: &Context, none: &Theorem) -> Proof {
        let over = beyond(here, none)?;
        self.cases(here, &|_, full| Ok(full.clone()), &|here,
                                                        [
            shares,
            falls,
            off,
            steep,
        ]| {
            let charge = self.charged(here, off, steep)?;
            let (w, t) = (&self.before.w, self.before.t.clone() + num(1));
            let large = given(here, 0)?;
            let most = mul([num(3), var("ρ")]) / num(8);
            let unit = var("ρ").sqrt() / mul([num(8), var("n")]);
            let parts = [&over, &charge, shares].map(|fact| with(num(1), fact));
            let parts = parts.into_iter().chain([with(unit, &large)]).collect();
            let spent = le(here, most.clone(), mul([t.clone(), each()]), parts)?;
            // G² ≤ 2L₁·(F(w) − F⋆), by a step to w − ∇F(w)/L₁.
            let v = vector("j", var("d"), mul([num(-1), slope(w)]) / var("L₁"));
            let smooth = self.smooth(here, &v)?;
            let least = instance(here, &assumed(here, &self.data[2])?, &moved(w, &v))?;
            let more = (height(w) + level()) / mul([num(2), var("L₁")]);
            let parts = vec![
                with(num(1), falls),
                with(num(1), &smooth),
                with(num(1), &least),
                with(more, steep),
            ];
            let rounds = le(here, mul([t, gain()]), var("F₀"), parts)?;
            let parts = vec![with(gain(), &spent), with(each(), &rounds)];
            let both = le(here, mul([most, gain()]), mul([var("F₀"), each()]), parts)?;
            let [second, fourth] = powers(here)?;
            let u = var("U");
            let unit = num(4) / mul([num(3), u.pow(3), app("B", [])]);
            let share = mul([num(3), unit.clone()]) / num(16);
            let parts = vec![
                with(mul([num(8), var("L₁"), u.pow(2), unit]) / var("ρ"), &both),
                with(mul([share.clone(), u.pow(2)]), &second),
                with(share, &fourth),
            ];
            absurd(
                here,
                &le(here, num(1), num(0), parts)?,
                &self.after_store()?,
            )
        })
    }
}

/// (128/3)·F₀L₁/(n√ρ) ≤ U² and (128/3)·F₀L₁A² ≤ U⁴.
fn powers(here: &Context) -> Result<[Theorem; 2], Stuck> {
    let root = |n: usize| {
        let fact = given(here, n)?;
        let [root, _] = sides(&fact.statement().goal)?;
        Ok((root.clone(), fact.clone()))
    };
    let ((x, first), (y, second)) = (root(5)?, root(6)?);
    let u = var("U");
    let both = (y.clone() + u.clone()) * (y.pow(2) + u.pow(2));
    Ok([
        le(here, x.pow(2), u.pow(2), vec![with(x + u.clone(), &first)])?,
        le(
            here,
            y.pow(2) * y.pow(2),
            u.pow(4),
            vec![with(both, &second)],
        )?,
    ])
}

/// The weights are enough after all rounds.
pub(super) fn ended(here: &Context, data: &[Goal]) -> Proof {
    let last = Before::named(var("R"));
    let [_, _, fact] = last.known(here)?;
    last.sides(
        here,
        &fact,
        &|_, full| Ok(full.clone()),
        &|here, [_, falls]| {
            let least = instance(here, &assumed(here, &data[2])?, &last.w)?;
            let (all, large) = (given(here, 3)?, given(here, 0)?);
            let many = mul([num(3), var("n"), var("ρ").sqrt()]) / num(8);
            let parts = vec![with(num(1) / num(2), &all), with(num(1) / num(8), &large)];
            let rounds = le(here, many.clone(), var("R"), parts)?;
            let [second, _] = powers(here)?;
            let u = var("U");
            let unit = num(2) / mul([many.clone(), u.pow(2)]);
            let eight = mul([num(8), var("L₁"), unit.clone()]);
            let parts = vec![
                with(eight.clone(), falls),
                with(eight.clone(), &least),
                with(mul([eight, gain()]), &rounds),
                with(mul([unit, many]) / num(2), &second),
            ];
            absurd(
                here,
                &le(here, num(1), num(0), parts)?,
                &enough(&last.h, &last.c)?,
            )
        },
    )
}
