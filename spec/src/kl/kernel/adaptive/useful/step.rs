//! A round that goes on: descent, and what both accounts become.

use super::level::Level;
use super::place::{High, Place, double, near, shallow, threshold};
use super::wanted::{Known, by_sides, wanted};
use super::{Growth, Proof, decay, f, le, model, pace, phi, share_room, slope};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Part, Theorem, at_most_one, combine, exp_sum, largest, tangent};
use dp_assay_kernel::search::exp::{log_product, log_tangent};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Term, app, at, mul, num, sum, var, vector};

/// One round that goes on.
pub(super) struct Step<'a> {
    pub here: &'a Context,
    pub growth: Growth,
    pub level: Level,
    pub off: Theorem,
    pub place: Place<'a>,
    pub after: Place<'a>,
    /// F(w⁺) ≤ F(w) + (B² − G(w)²)/(8L₁).
    pub falls: Theorem,
}

pub(super) fn eighth() -> Term {
    num(1) / mul([num(8), var("L₁")])
}

impl<'a> Step<'a> {
    pub(super) fn of(
        here: &'a Context,
        growth: Growth,
        data: &'a [Goal],
        known: &Known,
    ) -> Result<Self, Stuck> {
        let (x, level) = (var("w"), Level::of(here)?);
        let off = level.off(here, &known.paid)?;
        let noise = level.noise(here, &off)?;
        let (g, b) = (app("G", [x.clone()]), app("B", []));
        let half = (g.clone() + b.clone()) / num(2);
        let square = le(
            here,
            var("g").norm().pow(2),
            half.pow(2),
            vec![with(half.clone() + var("g").norm(), &noise)],
        )?;
        let j = var("j");
        let v = vector(
            "j",
            var("d"),
            (num(0) - (slope(&x) + at(&var("g"), &j))) / mul([num(2), var("L₁")]),
        );
        let place = known.place(here, data, &x);
        let most = f(&x) + mul([eighth(), b.pow(2) - g.pow(2)]);
        let all = sum("j", var("d"), (slope(&x) + at(&var("g"), &j)).pow(2));
        let model = le(
            here,
            model(&x, &v),
            most.clone(),
            vec![
                with(num(2) * eighth(), &square),
                Part::new(eighth() * all, []),
                Part::new(eighth() * (g.clone() - b.clone()).pow(2) / num(2), []),
            ],
        )?;
        let low = either(here, [&b, &g], |here, order, steep| {
            if steep {
                return le(
                    here,
                    most.clone(),
                    var("α"),
                    vec![
                        with(eighth() * (g.clone() + b.clone()), order),
                        with(num(1), &known.below),
                    ],
                );
            }
            let small = near(here, &place, order)?;
            let top = assumed(here, &data[6])?;
            le(
                here,
                most.clone(),
                var("α"),
                vec![with(num(1), &small), with(num(1), &top)],
            )
        })?;
        let low = combine(
            here,
            Goal::Le(self::model(&x, &v), var("α")),
            &[with(num(1), &model), with(num(1), &low)],
        )?;
        let (after, falls) = place.step(here, data, &v, &low)?;
        let falls = combine(
            here,
            Goal::Le(f(&after.x), most),
            &[with(num(1), &falls), with(num(1), &model)],
        )?;
        Ok(Self {
            here,
            growth,
            level,
            off,
            place,
            after,
            falls,
        })
    }
}

impl Step<'_> {
    /// The excess after the step is at most M if it was.
    pub(super) fn stays(&self, here: &Context, low: &Theorem) -> Proof {
        let (g, b) = (self.place.height(), app("B", []));
        let (excess, m) = (self.after.excess(), var("M"));
        either(here, [&b, &g], |here, order, steep| {
            if steep {
                return le(
                    here,
                    excess.clone(),
                    m.clone(),
                    vec![
                        with(num(1), &self.falls),
                        with(eighth() * (g.clone() + b.clone()), order),
                        with(num(1), low),
                    ],
                );
            }
            let small = near(here, &self.place, order)?;
            let least = threshold(here)?;
            let large = mul([var("γ"), self.after.height()]);
            either(here, [&large, &least], |here, order, flat| {
                if flat {
                    return shallow(here, &self.after, &least, order);
                }
                // (2γB)² ≤ (γG⁺)² ≤ 2γ²L₁Φ⁺, so that Φ⁺·15/16 ≤ (γB)^κ ≤ M/2.
                let (smooth, half) = (self.after.flat()?, double(here)?);
                let sixteenth = num(1) / mul([num(32), var("L₁")]);
                let factor = (large.clone() + least.clone()) / var("γ").pow(2);
                le(
                    here,
                    excess.clone(),
                    m.clone(),
                    vec![
                        with(num(16) / num(15), &self.falls),
                        with(num(16) / num(15), &small),
                        with(num(8) / num(15), &half),
                        with(num(16) / num(15) * sixteenth.clone() * factor, order),
                        with(num(16) / num(15) * sixteenth, &smooth),
                    ],
                )
            })
        })
    }

    /// What is wanted after the round.
    pub(super) fn keeps(&self, known: &Known) -> Proof {
        let here = self.here;
        let [x, t, spent] = ["w", "t", "spent"].map(var);
        by_sides(
            here,
            self.growth,
            [&x, &t, &spent],
            &known.either,
            &|here, low| self.next(here, known, (&self.stays(here, low)?, false)),
            &|here, [order, shares, rounds]| {
                let (large, least) = (mul([var("γ"), self.place.height()]), threshold(here)?);
                either(here, [&large, &least], |here, steep, flat| {
                    if flat {
                        let low = shallow(here, &self.place, &least, steep)?;
                        return self.next(here, known, (&self.stays(here, &low)?, false));
                    }
                    either(
                        here,
                        [&self.after.excess(), &var("M")],
                        |here, high, low| {
                            if low {
                                return self.next(here, known, (high, false));
                            }
                            let both =
                                self.accounts(here, [order, steep, high], [shares, rounds])?;
                            self.next(here, known, (&both, true))
                        },
                    )
                })
            },
        )
    }

    pub(super) fn next(&self, here: &Context, known: &Known, side: (&Theorem, bool)) -> Proof {
        let most = at_most_one(here, &self.level.capped)?;
        let spent = var("spent") + self.level.charge.clone();
        let paid = le(
            here,
            num(0),
            spent.clone(),
            vec![
                with(num(1), &known.paid),
                with(self.level.share.clone(), &most),
            ],
        )?;
        let t = var("t") + num(1);
        let parts = [&self.after.inside, &self.after.below, &paid];
        wanted(here, self.growth, [&self.after.x, &t, &spent], parts, side)
    }

    /// Both accounts after a step from above M to above M.
    pub(super) fn accounts(
        &self,
        here: &Context,
        [order, steep, above]: [&Theorem; 3],
        [shares, rounds]: [&Theorem; 2],
    ) -> Proof {
        let high = High::of(here, &self.place, order, steep)?;
        let (g, b, y) = (self.place.height(), app("B", []), high.y.clone());
        let (phi, next) = (high.phi.clone(), phi(&self.after.x));
        let excess = self.after.excess();
        let down = largest(&le(here, excess.clone(), excess, vec![])?, above)?;
        let gain = mul([pace(), y.pow(2)]);
        let drop = le(
            here,
            next.clone(),
            phi.clone() - gain.clone(),
            vec![
                with(num(1), &down),
                with(num(1), &self.falls),
                with(num(1), &high.excess[0]),
                with(
                    mul([g.clone() / num(2) + b, eighth()]) / mul([num(2), var("γ")]),
                    steep,
                ),
                with(
                    mul([pace(), mul([var("γ"), g]) + y.clone()]),
                    &high.height[1],
                ),
            ],
        )?;
        let ratio = next.clone() / phi.clone();
        let [_, split] = log_product(here, &phi, &ratio)?;
        let below = log_tangent(here, &ratio)?;
        let rate = gain / phi.clone();
        let logs = le(
            here,
            next.log(),
            phi.log() - rate.clone(),
            vec![
                with(num(1), &split),
                with(num(1), &below),
                with(num(1) / phi.clone(), &drop),
            ],
        )?;
        // exp(−e·log φ⁺) ≥ exp(−e·log φ)·(1 + e·rate).
        let grows = |e: &Term| {
            let change = mul([e.clone(), phi.log() - next.log()]);
            let (above, split) = (
                tangent(here, &change)?,
                exp_sum(here, &(num(0) - mul([e.clone(), phi.log()])), &change)?,
            );
            let old = decay(e, &phi);
            let goal = mul([old.clone(), num(1) + mul([e.clone(), rate.clone()])]);
            le(
                here,
                goal,
                decay(e, &next),
                vec![
                    with(old.clone(), &above),
                    with(num(-1), &split),
                    with(mul([old, e.clone()]), &logs),
                ],
            )
        };
        let [first, second] = self.growth.accounts(
            &self.after.x,
            &(var("t") + num(1)),
            &(var("spent") + self.level.charge.clone()),
        );
        let charge = self.level.charged(here, &self.off)?;
        let enough = self.level.enough(here, &high, steep)?;
        let top = self.level.level.max_with(&self.level.least);
        let share = high.charged(here, &self.level.share, &top, &enough)?;
        let (more, fourth) = (grows(&var("a"))?, high.fourth(here)?);
        let unit = mul([num(4), var("ρ"), var("γ").pow(2), app("A", []).pow(2)]);
        let first = le(
            here,
            first,
            num(0),
            vec![
                with(num(1), shares),
                with(num(1), &charge),
                with(num(1), &share),
                with(share_room(), &more),
                with(unit / mul([phi.clone(), y.pow(2)]), &fourth),
            ],
        )?;
        let square = high.second(here, self.growth)?;
        let second = match self.growth {
            Growth::Power => {
                let more = grows(&var("c"))?;
                le(
                    here,
                    second,
                    num(0),
                    vec![
                        with(num(1), rounds),
                        with(num(1), &more),
                        with(mul([var("c"), pace()]) / phi, &square),
                    ],
                )?
            }
            Growth::Log => le(
                here,
                second,
                num(0),
                vec![
                    with(num(1), rounds),
                    with(num(1), &logs),
                    with(pace() / phi, &square),
                ],
            )?,
        };
        largest(&first, &second)
    }
}
