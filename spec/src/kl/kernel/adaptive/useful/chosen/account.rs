//! What is wanted before a round: that the weights add up to enough, or that budget and descent are accounted for; and the run.

use super::super::level::{Level, round_of};
use super::super::run::{certain, left};
use super::super::{Proof, fixed};
use super::draw::{chosen, enough, missed, score, total};
use super::store::{added, grown, scaled};
use super::{
    bound, count, event, f, fails, height, le, level, moved, next, rare, size, slope, space, stored,
};
use crate::moved::written::given;
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, combine, discharge, ends, expected, instance, larger, largest,
    tail, union,
};
use dp_assay_kernel::search::cases::{absurd, beyond, split};
use dp_assay_kernel::search::exp::exp_increases;
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, combine_with_slack, item, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, app, at, bind, mul, num, op, sum, var, vector};

/// The state before a round: iterate, what is kept, rounds begun, index of the round, what is charged.
struct Before {
    w: Term,
    h: Term,
    c: Term,
    t: Term,
    spent: Term,
}

/// √ρ/n + ρA²/U², which a round is charged at most while gradients are large.
fn each() -> Term {
    fixed() + mul([var("ρ"), app("A", []).pow(2)]) / var("U").pow(2)
}

/// U·(U + 2B)/(8L₁), by which a step reduces F then.
fn gain() -> Term {
    let twice = mul([num(2), app("B", [])]);
    mul([var("U"), var("U") + twice]) / mul([num(8), var("L₁")])
}

impl Before {
    fn named(t: Term) -> Self {
        let [w, h, c, spent] = ["w", "h", "c", "spent"].map(var);
        Self { w, h, c, t, spent }
    }

    /// After the round that this is before, with its w and what is charged.
    fn after(&self, w: Term, spent: Term) -> Self {
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

    fn accounts(&self) -> [Term; 2] {
        let rounds = |unit: Term| mul([self.t.clone(), unit]);
        let excess = f(&self.w) - var("F⋆");
        [
            self.spent.clone() - rounds(each()),
            excess + rounds(gain()) - var("F₀"),
        ]
    }

    /// 0 ≤ max(weights − what is enough, −max of the accounts): one of the two.
    fn either(&self) -> Result<[Term; 2], Stuck> {
        let [one, other] = self.accounts();
        let room = total(&self.h, &self.c)? - score(&level());
        Ok([room, num(0) - one.max_with(&other)])
    }

    /// max(c − t, t − c, −either) ≤ 0.
    fn wanted(&self) -> Result<Goal, Stuck> {
        let [order, sides] = self.parts()?;
        Ok(Goal::Le(order.max_with(&sides), num(0)))
    }

    fn parts(&self) -> Result<[Term; 2], Stuck> {
        let ([a, b], [x, y]) = (self.order(), self.either()?);
        Ok([a.max_with(&b), num(0) - x.max_with(&y)])
    }

    /// c ≤ t, t ≤ c and that 0 ≤ max of either, where it is wanted.
    fn known(&self, here: &Context) -> Result<[Theorem; 3], Stuck> {
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
    fn made(&self, here: &Context, order: [&Theorem; 2], side: &Theorem, second: bool) -> Proof {
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
    fn sides(
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

/// A round with its noise ν on the norm, |ν| as small as its tail says.
struct Round<'a> {
    data: &'a [Goal],
    before: Before,
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
        open: &dyn Fn(&Context, [&Theorem; 2], &Theorem, &Theorem) -> Proof,
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
            &|here, accounts| {
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
                                false => open(here, accounts, off, case),
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
    fn keeps(&self, here: &Context) -> Proof {
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
            &|here, [shares, falls], off, steep| {
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

    /// The weights are enough behind a round that does not go on, by 1\[…\] ≤ 0.
    fn halts(&self, here: &Context, none: &Theorem) -> Proof {
        let over = beyond(here, none)?;
        self.cases(
            here,
            &|_, full| Ok(full.clone()),
            &|here, [shares, falls], off, steep| {
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
            },
        )
    }
}

/// (128/3)·F₀L₁/(n√ρ) ≤ U² and (128/3)·F₀L₁A² ≤ U⁴.
fn powers(here: &Context) -> Result<[Theorem; 2], Stuck> {
    let root = |n: usize| {
        let fact = given(here, n)?;
        let Goal::Le(root, _) = &fact.statement().goal else {
            return Err(Stuck::new("no root"));
        };
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
fn ended(here: &Context, data: &[Goal]) -> Proof {
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

/// What may yet fail before round t, without the draw.
fn later(t: &Term) -> Term {
    mul([num(2), var("R") - t.clone(), event()])
}

fn invariant(t: &Term) -> Result<Term, Stuck> {
    Ok(fails(&Before::named(t.clone()).wanted()?)? + later(t) + var("β"))
}

/// With probability at least 1 − 2β the gradient at the chosen iterate is small.
pub(super) fn run(here: &Context, data: &[Goal], value: &Goal) -> Proof {
    let (h, c) = (var("h"), var("c"));
    let states = here.with([
        item("w", space()),
        item("h", Sort::Vector(size(), Sign::Any)),
        item("c", Sort::Vector(num(1), Sign::Any)),
        real("spent", Sign::Any),
    ])?;
    let last = Before::named(var("R")).wanted()?;
    let good = states.extended(Item::Assume(last))?;
    let sure = union(&discharge(&ended(&good, data)?)?)?;
    let drawn = chosen(&states, &h, &c)?;
    let parts = vec![with(num(1), &drawn), with(num(1), &sure)];
    let end = le(&states, missed(&h, &c)?, invariant(&var("R"))?, parts)?;
    let inside = states.extended(item("t", Sort::Index(var("R"))))?;
    let round = Round {
        data,
        before: Before::named(var("t")),
    };
    let round = once(&inside, &round)?;
    let lost = fails(&Goal::Le(height(&var("w")), bound()))?;
    let run = ends(
        here,
        "Alg3",
        ("w", &lost),
        &[&invariant(&var("t"))?],
        &[&end, &round],
    )?;
    let start = union(&begins(here, data)?)?;
    let few = given(here, 2)?;
    let parts = vec![
        with(num(1), &run),
        with(num(1), &start),
        with(event(), &few),
    ];
    combine_with_slack(here, value.clone(), parts)
}

/// What is wanted before the first round.
fn begins(here: &Context, data: &[Goal]) -> Proof {
    let zero = |d: Term| vector("l", d, num(0));
    let first = Before {
        w: var("w₀"),
        h: zero(size()),
        c: zero(num(1)),
        t: num(0),
        spent: num(0),
    };
    let none = le(here, num(0), num(0), vec![])?;
    let order = [
        le(here, count(&first.c), num(0), vec![])?,
        le(here, num(0), count(&first.c), vec![])?,
    ];
    let [one, other] = first.accounts();
    let near = assumed(here, &data[3])?;
    let accounts = largest(
        &le(here, one, num(0), vec![with(num(1), &none)])?,
        &le(here, other, num(0), vec![with(num(1), &near)])?,
    )?;
    let [_, open] = first.either()?;
    let side = le(here, num(0), open, vec![with(num(1), &accounts)])?;
    first.made(here, [&order[0], &order[1]], &side, true)
}

/// One round keeps the invariant.
fn once(inside: &Context, round: &Round<'_>) -> Proof {
    let before = &round.before;
    let noisy = inside.extended(real("ν", Sign::Any))?;
    let (level, wanted, calm) = (Level::of(&noisy)?, before.wanted()?, Level::calm(&noisy)?);
    let [law, ..] = round_of(&noisy)?;
    let other = op(Op::Normal, [var("d"), level.deviation.pow(2)]);
    let Goal::Le(all, limit) = level.goes() else {
        return Err(Stuck::new("no limit"));
    };
    let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
    let (w, j) = (&before.w, var("j"));
    let moved = at(w, &j) - (slope(w) + at(&var("g"), &j)) / mul([num(2), var("L₁")]);
    let after = before.after(vector("j", var("d"), moved), all.clone());
    let next = after.wanted()?;
    let rest = later(&after.t) + var("β");
    let behind = bind(
        Binder::Expect,
        "g",
        other.clone(),
        fails(&next)? + rest.clone(),
    );
    let lost = missed(&after.h, &after.c)?;
    let left_hand =
        mul([goes.clone(), behind.clone()]) + mul([num(1) - goes.clone(), lost.clone()]);
    let most = fails(&wanted)? + fails(&calm)? + event() + rest.clone();
    let (sure, quiet, room) = (
        certain(&noisy, &wanted)?,
        certain(&noisy, &calm)?,
        left(&noisy)?,
    );
    let once = at_most_one(&noisy, &goes)?;
    let share = mul([num(2), event()]);
    let bound = split(
        &noisy,
        [&all, &limit],
        |here, going| {
            let drawn = here.extended(item("g", space()))?;
            let good = [wanted.clone(), calm.clone(), level.still(&drawn)?].map(Item::Assume);
            let kept = round.keeps(&drawn.with(good)?)?;
            let kept = (0..3).try_fold(kept, |theorem, _| discharge(&theorem))?;
            let kept = expected(&union(&kept)?, &other)?;
            let (tail, rare) = (tail(here, &other, &var("Λ"), None)?, rare(here)?);
            let parts = [&kept, &tail, &rare].map(|fact| with(num(1), fact)).into();
            let one = le(here, behind.clone(), most.clone(), parts)?;
            let all = below_one(here, &lost)?;
            let parts = vec![
                with(num(1), &all),
                with(num(1), &sure),
                with(num(1), &quiet),
                with(share.clone(), &room),
            ];
            let small = le(here, lost.clone(), num(1) + most.clone(), parts)?;
            let certain = union(going)?;
            let parts = vec![
                with(goes.clone(), &one),
                Part::new(num(1), [&once, &small].map(Into::into)),
                with(num(1), &certain),
            ];
            le(here, left_hand.clone(), most.clone(), parts)
        },
        |here, none| {
            let good = here.with([wanted.clone(), calm.clone()].map(Item::Assume))?;
            let halts = round.halts(&good, &assumed(&good, &none.statement().goal)?)?;
            let halts = (0..2).try_fold(halts, |theorem, _| discharge(&theorem))?;
            let (halts, drawn) = (union(&halts)?, chosen(here, &after.h, &after.c)?);
            let parts = vec![
                with(num(1), &halts),
                with(num(1), &drawn),
                with(share.clone(), &room),
            ];
            let small = le(here, lost.clone(), most.clone(), parts)?;
            let drawn = here.extended(item("g", space()))?;
            let whole = le(
                &drawn,
                fails(&next)? + rest.clone(),
                num(1) + rest.clone(),
                vec![],
            )?;
            let whole = expected(&whole, &other)?;
            let parts = vec![
                Part::new(num(1), [&once, &small].map(Into::into)),
                with(goes.clone(), &whole),
                with(num(1), none),
                with(goes.clone(), &sure),
                with(goes.clone(), &quiet),
            ];
            le(here, left_hand.clone(), most.clone(), parts)
        },
    )?;
    let bound = expected(&bound, &law)?;
    let (tail, rare) = (tail(inside, &law, &var("Λ"), None)?, rare(inside)?);
    let Goal::Le(first, _) = &bound.statement().goal else {
        return Err(Stuck::new("no bound"));
    };
    let parts = [&bound, &tail, &rare].map(|fact| with(num(1), fact)).into();
    le(inside, first.clone(), invariant(&before.t)?, parts)
}

/// A probability that is written as an expectation of 1 − 1\[…\] is at most 1.
fn below_one(here: &Context, lost: &Term) -> Proof {
    let Term::Bind(Binder::Expect, s, law, body) = lost else {
        return Err(Stuck::new("no expectation"));
    };
    let drawn = here.extended(item(s, Sort::Index(var("R"))))?;
    expected(&le(&drawn, (**body).clone(), num(1), vec![])?, law)
}
