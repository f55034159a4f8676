//! The first state, and the last one: where a round would cost too much, or where there is none left.

use super::level::Level;
use super::place::{High, Place, log_low, low_enough, power_of, shallow, threshold};
use super::wanted::{by_sides, known, wanted};
use super::{Growth, Proof, decay, f, fixed, le, pace, phi, share_room};
use crate::moved::written::{given, goal, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{Theorem, largest};
use dp_assay_kernel::search::cases::{beyond, split};
use dp_assay_kernel::search::exp::{log_at_least, log_increases, log_product};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, with};
use dp_assay_kernel::statement::{Context, Goal};
use dp_assay_kernel::term::{Op, Term, app, mul, num, var};

impl Growth {
    /// 1 ≤ a.
    pub(super) fn exponent(self, here: &Context) -> Proof {
        let equation = assumed(here, &goal(here, "a = (4 − κ)/κ")?)?;
        let (more, factor) = match self {
            Self::Power => ("c = (2 − κ)/κ", num(2)),
            Self::Log => ("κ = 2", num(2) / var("κ")),
        };
        let more = assumed(here, &goal(here, more)?)?;
        le(
            here,
            num(1),
            var("a"),
            vec![with(num(-1), &equation), with(factor, &more)],
        )
    }

    /// F(x) − F⋆ ≤ M after n√ρ/16 rounds.
    pub(super) fn long(self, here: &Context, x: &Term, [rounds, many]: [&Theorem; 2]) -> Proof {
        let log = match self {
            Self::Power => {
                let (z, top) = power_of(here, 10)?;
                let c = var("c");
                let room = le(
                    here,
                    num(1),
                    mul([z.clone(), decay(&c, &phi(x))]),
                    vec![
                        with(z.clone(), rounds),
                        with(mul([z.clone(), c.clone(), pace()]), many),
                    ],
                )?;
                let top = log_at_least(&top)?;
                let top = le(
                    here,
                    z.log(),
                    mul([c.clone(), var("M").log()]),
                    vec![with(c.clone(), &top)],
                )?;
                log_low(here, x, &c, &z, [&room, &top])?
            }
            Self::Log => {
                let known = given(here, 10)?;
                let Goal::Le(Term::Op(Op::Mul, factors), _) = &known.statement().goal else {
                    return Err(Stuck::new("no bound for long runs"));
                };
                let [_, Term::Op(Op::Exp, exponent)] = &factors[..] else {
                    return Err(Stuck::new("no bound for long runs"));
                };
                let u = exponent[0].clone();
                let top = log_increases(&known)?;
                let [split, _] = log_product(here, &var("F₀"), &u.exp())?;
                let back = log_at_least(&le(here, u.exp(), u.exp(), vec![])?)?;
                le(
                    here,
                    phi(x).log(),
                    var("M").log(),
                    vec![
                        with(num(1), rounds),
                        with(pace(), many),
                        with(num(1), &top),
                        with(num(1), &split),
                        with(num(1), &back),
                    ],
                )?
            }
        };
        low_enough(here, x, &log)
    }

    /// F(w) − F⋆ ≤ M where the run stops, since round t would cost too much.
    pub(super) fn stops(self, here: &Context, data: &[Goal], none: &Theorem) -> Proof {
        let [x, t, spent] = ["w", "t", "spent"].map(var);
        let known = known(here, self, &x, &t, &spent)?;
        let place = known.place(here, data, &x);
        let (level, over) = (Level::of(here)?, beyond(here, none)?);
        by_sides(
            here,
            self,
            [&x, &t, &spent],
            &known.either,
            &|_, low| Ok(low.clone()),
            &|here, [order, shares, rounds]| {
                let (large, least) = (mul([var("γ"), place.height()]), threshold(here)?);
                either(here, [&large, &least], |here, steep, flat| {
                    if flat {
                        return shallow(here, &place, &least, steep);
                    }
                    split(
                        here,
                        [&level.level, &level.least],
                        |here, floor| {
                            let [_, down] = Level::small(here)?;
                            let (y, _) = power_of(here, 8)?;
                            let small = le(
                                here,
                                large.clone(),
                                y.clone(),
                                vec![with(var("γ"), floor), with(var("γ"), &down)],
                            )?;
                            shallow(here, &place, &y, &small)
                        },
                        |here, off| {
                            let place = known.place(here, data, &x);
                            let high = High::of(here, &place, order, steep)?;
                            let charge = self.last(here, &place, &level, &high, (off, steep))?;
                            let paid = mul([t.clone() + num(1), fixed()]);
                            let most = mul([num(3), var("ρ")]) / num(16);
                            let eight = assumed(here, &goal(here, "8 ≤ n·√(ρ)")?)?;
                            either(here, [&paid, &most], |here, count, few| {
                                if few {
                                    return self.dear(
                                        here,
                                        &x,
                                        [shares, &charge, &over, count, &eight],
                                    );
                                }
                                let many = term(here, "n·√(ρ)/16")?;
                                let many = le(
                                    here,
                                    many,
                                    t.clone(),
                                    vec![
                                        with(var("n") / var("ρ").sqrt(), count),
                                        with(num(1) / num(8), &eight),
                                    ],
                                )?;
                                self.long(here, &x, [rounds, &many])
                            })
                        },
                    )
                })
            },
        )
    }

    /// charge ≤ √ρ/n + 8ργ⁴L₁A²·exp(−a·log φ).
    pub(super) fn last(
        self,
        here: &Context,
        place: &Place<'_>,
        level: &Level,
        high: &High,
        (off, steep): (&Theorem, &Theorem),
    ) -> Proof {
        let charge = level.charged(here, off)?;
        let enough = level.enough(here, high, steep)?;
        let share = high.charged(
            here,
            &level.share,
            &level.level.max_with(&level.least),
            &enough,
        )?;
        let (y, twice) = (high.y.clone(), mul([num(2), var("γ").pow(2), var("L₁")]));
        let (flat, fourth) = (place.flat()?, high.fourth(here)?);
        let square = le(
            here,
            y.pow(2),
            mul([twice.clone(), high.phi.clone()]),
            vec![
                with(mul([var("γ"), place.height()]) + y.clone(), &high.height[1]),
                with(var("γ").pow(2), &flat),
                with(twice.clone(), &high.excess[0]),
            ],
        )?;
        let unit = mul([num(4), var("γ").pow(2), app("A", []).pow(2), var("ρ")]);
        let last = mul([unit.clone(), twice.clone(), decay(&var("a"), &high.phi)]);
        le(
            here,
            level.charge.clone(),
            fixed() + last,
            vec![
                with(num(1), &charge),
                with(num(1), &share),
                with(unit.clone() / y.pow(4), &square),
                with(mul([unit, twice]) / y.pow(4), &fourth),
            ],
        )
    }

    /// F(x) − F⋆ ≤ M where gradients are charged 3ρ/16 or more.
    pub(super) fn dear(
        self,
        here: &Context,
        x: &Term,
        [shares, charge, over, count, eight]: [&Theorem; 5],
    ) -> Proof {
        let (a, (z1, top)) = (var("a"), power_of(here, 6)?);
        let z = mul([z1.clone(), z1.clone()]);
        let one = self.exponent(here)?;
        let unit = num(16) / mul([num(3), var("ρ")]);
        let decay = decay(&a, &phi(x));
        let room = le(
            here,
            num(1),
            mul([z.clone(), decay.clone()]),
            vec![
                with(unit.clone(), shares),
                with(unit.clone(), charge),
                with(unit.clone(), over),
                with(unit.clone(), count),
                with(
                    mul([unit.clone(), var("ρ").sqrt()]) / mul([num(8), var("n")]),
                    eight,
                ),
                with(mul([unit, share_room(), decay]), &one),
            ],
        )?;
        let top = log_at_least(&top)?;
        let [_, split] = log_product(here, &z1, &z1)?;
        let top = le(
            here,
            z.log(),
            mul([a.clone(), var("M").log()]),
            vec![with(a.clone(), &top), with(num(1), &split)],
        )?;
        low_enough(here, x, &log_low(here, x, &a, &z, [&room, &top])?)
    }

    /// F(w) − F⋆ ≤ M after all rounds.
    pub(super) fn ended(self, here: &Context) -> Proof {
        let [x, t, spent] = ["w", "R", "spent"].map(var);
        let known = known(here, self, &x, &t, &spent)?;
        by_sides(
            here,
            self,
            [&x, &t, &spent],
            &known.either,
            &|_, low| Ok(low.clone()),
            &|here, [_, _, rounds]| {
                let all = given(here, 3)?;
                let eight = assumed(here, &goal(here, "8 ≤ n·√(ρ)")?)?;
                let many = le(
                    here,
                    term(here, "n·√(ρ)/16")?,
                    t.clone(),
                    vec![with(num(1) / num(2), &all), with(num(1) / num(8), &eight)],
                )?;
                self.long(here, &x, [rounds, &many])
            },
        )
    }

    /// What is wanted before the first round.
    pub(super) fn begins(self, here: &Context, data: &[Goal]) -> Proof {
        let (x, zero) = (var("w₀"), num(0));
        let (inside, below) = (assumed(here, &data[4])?, assumed(here, &data[5])?);
        let paid = le(here, zero.clone(), zero.clone(), vec![])?;
        let parts = [&inside, &below, &paid];
        let start = [&x, &zero, &zero];
        let excess = f(&x) - var("F⋆");
        either(here, [&excess, &var("M")], |here, order, low| {
            if low {
                return wanted(here, self, start, parts, (order, false));
            }
            let [one, other] = self.accounts(&x, &zero, &zero);
            let room = match self {
                Self::Power => vec![],
                Self::Log => {
                    let near = given(here, 11)?;
                    let down = largest(&le(here, excess.clone(), excess.clone(), vec![])?, order)?;
                    let small = le(
                        here,
                        phi(&x),
                        var("F₀"),
                        vec![with(num(1), &down), with(num(1), &near)],
                    )?;
                    vec![log_increases(&small)?]
                }
            };
            let rounds = le(
                here,
                other,
                zero.clone(),
                room.iter().map(|fact| with(num(1), fact)).collect(),
            )?;
            let both = largest(&le(here, one, zero.clone(), vec![])?, &rounds)?;
            wanted(here, self, start, parts, (&both, true))
        })
    }
}
