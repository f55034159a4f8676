//! How often a round goes badly, and the run.

use super::level::{Level, round_of};
use super::step::Step;
use super::wanted::known;
use super::{Growth, Proof, f, le, slope, space};
use crate::moved::written::{given, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, at_most_one, combine, discharge, ends, exp_log, expected, larger, largest, sum_over,
    tail, telescope, union,
};
use dp_assay_kernel::search::cases::absurd;
use dp_assay_kernel::search::cases::split;
use dp_assay_kernel::search::exp::{exp_increases, exp_of_opposite};
use dp_assay_kernel::search::size::either;
use dp_assay_kernel::search::{assumed, item, real, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sign, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, at, bind, mul, num, op, var, vector};

/// 1 ≤ R − t for the index t below R: Σ_{k<R} (max(k + 1 − t, 0) − max(k − t, 0)) has the summand 1 at t, and none below 0.
pub(super) fn left(here: &Context) -> Proof {
    let (t, zero) = (var("t"), num(0));
    let top = |k: Term| (k - t.clone()).max_with(&zero);
    let inner = here.extended(item("k", Sort::Index(var("R"))))?;
    let k = var("k");
    let next = k.clone() + num(1) - t.clone();
    let (above, positive) = (
        larger(&inner, &next, &zero, false)?,
        larger(&inner, &next, &zero, true)?,
    );
    let below = le(
        &inner,
        k.clone() - t.clone(),
        next.max_with(&zero),
        vec![with(num(1), &above)],
    )?;
    let grows = largest(&below, &positive)?;
    let unit = op(Op::Unit, [k.clone(), t.clone()]);
    let step = next.max_with(&zero) - top(k.clone());
    let each = le(
        &inner,
        mul([unit.clone(), step.clone()]),
        step,
        vec![with((num(1) - unit).pow(2), &grows)],
    )?;
    let (all, ends) = (sum_over(&each)?, telescope(here, "k", &var("R"), &top(k))?);
    let one = larger(here, &num(1), &zero, false)?;
    let none = largest(
        &le(here, zero.clone(), zero.clone(), vec![])?,
        &le(here, zero.clone(), zero.clone(), vec![])?,
    )?;
    let most = top(var("R"));
    let sum = le(
        here,
        num(1),
        most.clone(),
        vec![
            with(num(1), &one),
            with(num(1), &none),
            with(num(1), &all),
            with(num(1), &ends),
        ],
    )?;
    let rest = var("R") - t.clone();
    let goal = Goal::Le(num(1), rest.clone());
    either(here, [&rest, &zero], |here, order, few| {
        if few {
            let top = largest(order, &le(here, zero.clone(), zero.clone(), vec![])?)?;
            return absurd(
                here,
                &le(
                    here,
                    num(1),
                    num(0),
                    vec![with(num(1), &sum), with(num(1), &top)],
                )?,
                &goal,
            );
        }
        let top = largest(&le(here, rest.clone(), rest.clone(), vec![])?, order)?;
        combine(
            here,
            goal.clone(),
            &[with(num(1), &sum), with(num(1), &top)],
        )
    })
}

/// 1 − 1\[x ≤ y\].
pub(in crate::kl::kernel) fn fails(goal: &Goal) -> Result<Term, Stuck> {
    match goal {
        Goal::Le(x, y) => Ok(num(1) - op(Op::AtMost, [x.clone(), y.clone()])),
        _ => Err(Stuck::new("no inequality")),
    }
}

pub(super) fn certain(here: &Context, goal: &Goal) -> Proof {
    match goal {
        Goal::Le(x, y) => at_most_one(here, &op(Op::AtMost, [x.clone(), y.clone()])),
        _ => Err(Stuck::new("no inequality")),
    }
}

/// β/(n√ρ), at least exp(−Λ).
pub(in crate::kl::kernel) fn rare(here: &Context) -> Proof {
    let inside = term(here, "n·√(ρ)/β")?;
    let told = given(here, 1)?;
    let most = le(here, inside.log(), var("Λ"), vec![with(num(1), &told)])?;
    let (most, named) = (exp_increases(&most)?, exp_log(here, &inside)?);
    let unit = exp_of_opposite(here, &var("Λ"))?;
    let (decay, each) = ((num(0) - var("Λ")).exp(), num(1) / inside);
    le(
        here,
        decay.clone(),
        event(),
        vec![
            with(mul([each.clone(), decay.clone()]), &most),
            with(mul([num(-1), each.clone(), decay]), &named),
            with(num(-1) * each, &unit),
        ],
    )
}

/// β/(n√ρ).
pub(super) fn event() -> Term {
    var("β") / mul([var("n"), var("ρ").sqrt()])
}

impl Growth {
    pub(super) fn success(self) -> Goal {
        Goal::Le(f(&var("w")) - var("F⋆"), var("M"))
    }

    /// What may yet fail before round t.
    pub(super) fn later(t: &Term) -> Term {
        mul([num(2), var("R") - t.clone(), event()])
    }

    /// With probability at least 1 − β the run ends with F(w) − F⋆ ≤ M.
    pub(super) fn run(self, here: &Context, data: &[Goal], value: &Goal) -> Proof {
        let [w, t, spent] = ["w", "t", "spent"].map(var);
        let invariant = |t: &Term| Ok(fails(&self.wanted(&w, t, &spent))? + Self::later(t));
        let states = here.with([item("w", space()), real("spent", Sign::Any)])?;
        let last = self.wanted(&w, &var("R"), &spent);
        let end = union(&discharge(
            &self.ended(&states.extended(Item::Assume(last))?)?,
        )?)?;
        let lost = fails(&self.success())?;
        let end = le(
            &states,
            lost.clone(),
            invariant(&var("R"))?,
            vec![with(num(1), &end)],
        )?;
        let inside = states.extended(item("t", Sort::Index(var("R"))))?;
        let round = self.round(&inside, data, invariant(&t)?)?;
        let run = ends(
            here,
            "Alg3",
            ("w", &lost),
            &[&invariant(&t)?],
            &[&end, &round],
        )?;
        let start = union(&self.begins(here, data)?)?;
        let few = given(here, 2)?;
        combine(
            here,
            value.clone(),
            &[
                with(num(1), &run),
                with(num(1), &start),
                with(event(), &few),
            ],
        )
    }

    /// One round keeps the invariant.
    pub(super) fn round(self, inside: &Context, data: &[Goal], invariant: Term) -> Proof {
        let [w, t, spent] = ["w", "t", "spent"].map(var);
        let noisy = inside.extended(real("ν", Sign::Any))?;
        let (level, before, calm) = (
            Level::of(&noisy)?,
            self.wanted(&w, &t, &spent),
            Level::calm(&noisy)?,
        );
        let [law, ..] = round_of(&noisy)?;
        let other = op(Op::Normal, [var("d"), level.deviation.pow(2)]);
        let Goal::Le(all, limit) = level.goes() else {
            return Err(Stuck::new("no limit"));
        };
        let goes = op(Op::AtMost, [all.clone(), limit.clone()]);
        let later = Self::later(&(t.clone() + num(1)));
        let after = vector(
            "j",
            var("d"),
            at(&w, &var("j")) - (slope(&w) + at(&var("g"), &var("j"))) / mul([num(2), var("L₁")]),
        );
        let next = self.wanted(&after, &(t.clone() + num(1)), &all);
        let behind = bind(
            Binder::Expect,
            "g",
            other.clone(),
            fails(&next)? + later.clone(),
        );
        let lost = fails(&self.success())?;
        let left_hand =
            mul([goes.clone(), behind.clone()]) + mul([num(1) - goes.clone(), lost.clone()]);
        let most = fails(&before)? + fails(&calm)? + event() + later.clone();
        let (sure, quiet, room) = (
            certain(&noisy, &before)?,
            certain(&noisy, &calm)?,
            left(&noisy)?,
        );
        let once = at_most_one(&noisy, &goes)?;
        let rest = mul([num(2), event()]);
        let bound = split(
            &noisy,
            [&all, &limit],
            |here, going| {
                let drawn = here.extended(item("g", space()))?;
                let still = level.still(&drawn)?;
                let good = drawn.with([before.clone(), calm.clone(), still].map(Item::Assume))?;
                let known = known(&good, self, &w, &t, &spent)?;
                let step = Step::of(&good, self, data, &known)?;
                let kept = step.keeps(&known)?;
                let kept = (0..3).try_fold(kept, |theorem, _| discharge(&theorem))?;
                let kept = expected(&union(&kept)?, &other)?;
                let (tail, rare) = (tail(here, &other, &var("Λ"), None)?, rare(here)?);
                let one = le(
                    here,
                    behind.clone(),
                    most.clone(),
                    [&kept, &tail, &rare].map(|fact| with(num(1), fact)).into(),
                )?;
                let small = le(
                    here,
                    lost.clone(),
                    num(1) + most.clone(),
                    vec![
                        with(num(1), &sure),
                        with(num(1), &quiet),
                        with(rest.clone(), &room),
                    ],
                )?;
                let certain = union(going)?;
                le(
                    here,
                    left_hand.clone(),
                    most.clone(),
                    vec![
                        with(goes.clone(), &one),
                        Part::new(num(1), [&once, &small].map(Into::into)),
                        with(num(1), &certain),
                    ],
                )
            },
            |here, none| {
                let good = here.with([before.clone(), calm.clone()].map(Item::Assume))?;
                let none_here = assumed(&good, &none.statement().goal)?;
                let stopped = self.stops(&good, data, &none_here)?;
                let stopped = (0..2).try_fold(stopped, |theorem, _| discharge(&theorem))?;
                let stopped = union(&stopped)?;
                let small = le(
                    here,
                    lost.clone(),
                    most.clone(),
                    vec![with(num(1), &stopped), with(rest.clone(), &room)],
                )?;
                let drawn = here.extended(item("g", space()))?;
                let whole = le(
                    &drawn,
                    fails(&next)? + later.clone(),
                    num(1) + later.clone(),
                    vec![],
                )?;
                let whole = expected(&whole, &other)?;
                le(
                    here,
                    left_hand.clone(),
                    most.clone(),
                    vec![
                        Part::new(num(1), [&once, &small].map(Into::into)),
                        with(goes.clone(), &whole),
                        with(num(1), none),
                        with(goes.clone(), &sure),
                        with(goes.clone(), &quiet),
                    ],
                )
            },
        )?;
        let bound = expected(&bound, &law)?;
        let (tail, rare) = (tail(inside, &law, &var("Λ"), None)?, rare(inside)?);
        let [first, _] = sides(&bound.statement().goal)?;
        le(
            inside,
            first.clone(),
            invariant,
            [&bound, &tail, &rare].map(|fact| with(num(1), fact)).into(),
        )
    }

    /// What is claimed, from the hypotheses.
    pub(super) fn prove(self, context: &Context, goal: &Goal) -> Proof {
        let Goal::Every(number, sort, mut goal) = goal.clone() else {
            return Err(Stuck::new("not for every number"));
        };
        let (mut here, mut all) = (context.extended(item(&number, sort))?, Vec::new());
        while let Goal::If(given, rest) = *goal {
            here = here.extended(Item::Assume((*given).clone()))?;
            all.push(*given);
            goal = rest;
        }
        let data = all.len().checked_sub(7).map(|first| &all[first..]);
        let data = data.ok_or_else(|| Stuck::new("too little is supposed"))?;
        let theorem = self.run(&here, data, &goal)?;
        (0..=all.len()).try_fold(theorem, |theorem, _| discharge(&theorem))
    }
}
