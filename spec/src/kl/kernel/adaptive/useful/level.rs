//! The noise of a round, and what is charged for it.

use super::place::High;
use super::{Proof, fixed, le};
use crate::moved::written::term;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, at_most_one, inverse, larger, largest, union};
use dp_assay_kernel::search::cases::{absurd, beyond, split};
use dp_assay_kernel::search::size::{above_modulus, below_modulus};
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Command, Context, Goal};
use dp_assay_kernel::term::{Op, Term, app, mul, num, op, var};

/// The noisy norm N = G(w) + ν of a round, and what is charged for it.
pub(super) struct Level {
    pub level: Term,
    /// 2·A, as it is written in the algorithm.
    pub least: Term,
    pub capped: Term,
    pub share: Term,
    pub charge: Term,
    pub limit: Term,
    pub deviation: Term,
}

/// Charge, limit and laws of the algorithm in a context.
pub(super) fn round_of(context: &Context) -> Result<[Term; 4], Stuck> {
    let process = context
        .process("Alg3")
        .ok_or_else(|| Stuck::new("no algorithm"))?;
    let Some(Command::Repeat { body, .. }) = process.body.first() else {
        return Err(Stuck::new("no loop"));
    };
    let drawn = body.iter().filter(|c| !matches!(c, Command::Set(..)));
    match drawn.collect::<Vec<_>>().as_slice() {
        [
            Command::Release { law, .. },
            Command::Stop { charge, limit },
            Command::Release { law: other, .. },
        ] => Ok([law.clone(), charge.clone(), limit.clone(), other.clone()]),
        _ => Err(Stuck::new("not the rounds of the algorithm")),
    }
}

impl Level {
    pub(super) fn of(here: &Context) -> Result<Self, Stuck> {
        let [_, charge, limit, law] = round_of(here)?;
        let level = app("G", [var("w")]) + var("ν");
        let Term::Op(Op::Normal, spread) = law.put("Nₜ", &level) else {
            return Err(Stuck::new("not Gaussian noise"));
        };
        let least = term(here, "2·(Δ·L₀/(n·√(ρ)))")?;
        let top = mul([var("n"), level.max_with(&least)]);
        Ok(Self {
            capped: op(Op::AtMost, [level.clone(), least.clone()]),
            share: (term(here, "Δ·L₀")? / top).pow(2),
            charge: charge.put("Nₜ", &level),
            deviation: spread[1].sqrt(),
            level,
            least,
            limit,
        })
    }

    /// |ν| is as small as its tail says.
    pub(super) fn calm(here: &Context) -> Result<Goal, Stuck> {
        let [law, ..] = round_of(here)?;
        let Term::Op(Op::Normal, spread) = law else {
            return Err(Stuck::new("not Gaussian noise"));
        };
        Ok(Goal::Le(
            var("ν").abs(),
            spread[0].sqrt() * term(here, "√(2·Λ)")?,
        ))
    }

    /// ‖g‖ is as small as its tail says.
    pub(super) fn still(&self, here: &Context) -> Result<Goal, Stuck> {
        let most = self.deviation.clone() * term(here, "√(d) + √(2·Λ)")?;
        Ok(Goal::Le(var("g").norm(), most))
    }

    pub(super) fn goes(&self) -> Goal {
        Goal::Le(var("spent") + self.charge.clone(), self.limit.clone())
    }

    /// ν ≤ B and −ν ≤ B.
    pub(super) fn small(here: &Context) -> Result<[Theorem; 2], Stuck> {
        let (nu, calm) = (var("ν"), assumed(here, &Self::calm(here)?)?);
        let one = |t: Term, fact: Theorem| {
            le(
                here,
                t,
                app("B", []),
                vec![with(num(1), &fact), with(num(1), &calm)],
            )
        };
        Ok([
            one(nu.clone(), below_modulus(here, &nu)?)?,
            one(num(0) - nu.clone(), above_modulus(here, &nu)?)?,
        ])
    }

    /// 1\[N ≤ 2A\] ≤ 0 where the round goes on: at the floor it is charged ρ/2.
    pub(super) fn off(&self, here: &Context, paid: &Theorem) -> Proof {
        let goal = Goal::Le(self.capped.clone(), num(0));
        let goes = assumed(here, &self.goes())?;
        let scale = var("n") / mul([num(2), var("ρ").sqrt()]);
        split(
            here,
            [&self.level, &self.least],
            |here, fact| {
                let (sure, most) = (union(fact)?, at_most_one(here, &self.capped)?);
                let parts = vec![
                    with(scale.clone(), &goes),
                    with(scale.clone(), paid),
                    with(mul([scale.clone(), var("ρ")]) / num(2), &sure),
                    with(mul([scale.clone(), self.share.clone()]), &most),
                ];
                absurd(here, &le(here, num(1), num(0), parts)?, &goal)
            },
            |_, none| Ok(none.clone()),
        )
    }

    /// charge ≤ √ρ/n + share off the floor.
    pub(super) fn charged(&self, here: &Context, off: &Theorem) -> Proof {
        le(
            here,
            self.charge.clone(),
            fixed() + self.share.clone(),
            vec![with(var("ρ") / num(2), off)],
        )
    }

    /// y ≤ 2γ·max(N, 2A), from 2γB ≤ γG = y.
    pub(super) fn enough(&self, here: &Context, high: &High, steep: &Theorem) -> Proof {
        let top = self.level.max_with(&self.least);
        let above = larger(here, &self.level, &self.least, false)?;
        let [_, down] = Self::small(here)?;
        let twice = mul([num(2), var("γ")]);
        le(
            here,
            high.y.clone(),
            mul([twice.clone(), top]),
            vec![
                with(twice.clone(), &above),
                with(twice, &down),
                with(num(1), &high.height[1]),
                with(num(1), steep),
            ],
        )
    }

    /// ‖g‖ ≤ (G(w) + B)/2 off the floor.
    pub(super) fn noise(&self, here: &Context, off: &Theorem) -> Proof {
        let ([up, _], small) = (Self::small(here)?, self.quiet(here, off)?);
        let most = (app("G", [var("w")]) + app("B", [])) / num(2);
        let parts = vec![with(num(1), &small), with(num(1) / num(2), &up)];
        le(here, var("g").norm(), most, parts)
    }

    /// ‖g‖ ≤ N/2 off the floor.
    pub(super) fn quiet(&self, here: &Context, off: &Theorem) -> Proof {
        let order = beyond(here, off)?;
        let ratio = term(here, "Δ")?;
        let unit = inverse(here, &ratio)?;
        let each = self.level.clone() / ratio.clone();
        let floor = term(here, "2·L₀/(n·√(ρ))")?;
        let scale = num(-1) * floor.clone();
        let low = le(
            here,
            floor,
            each.clone(),
            vec![with(num(1) / ratio.clone(), &order), with(scale, &unit)],
        )?;
        let top = largest(&le(here, each.clone(), each.clone(), vec![])?, &low)?;
        let still = assumed(here, &self.still(here)?)?;
        let half = num(1) / num(2);
        le(
            here,
            var("g").norm(),
            self.level.clone() / num(2),
            vec![
                with(num(1), &still),
                with(ratio / num(2), &top),
                with(self.level.clone() * half, &unit),
            ],
        )
    }
}
