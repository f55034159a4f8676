//! Runs whose rounds fail rarely: c counts what fails, of a norm's noise and of another's, each with probability at most
//! exp(−Λ) = β/(n√ρ), and R rounds are at most n√ρ.

use super::adaptive::useful::{fails, rare};
use crate::moved::written::{Proof, given, sides, term};
use dp_assay_kernel::Stuck;
use dp_assay_kernel::rules::{
    Part, Theorem, at_most_one, below, combine, discharge, ends, expected, root_increases, tail,
    union,
};
use dp_assay_kernel::search::{assumed, item, with};
use dp_assay_kernel::statement::{Context, Goal, Item, Sort};
use dp_assay_kernel::term::{Binder, Op, Term, bind, mul, num, var};

/// c ≤ 0.
pub(super) fn none_yet(c: &Term) -> Goal {
    Goal::Le(c.clone(), num(0))
}

/// The inequality that c counts if it fails.
pub(super) fn counted(value: &Term) -> Result<Goal, Stuck> {
    match value {
        Term::Bind(Binder::Vec, _, _, body) => match &**body {
            Term::Op(Op::Sub, parts) => match &parts[1] {
                Term::Op(Op::AtMost, a) => Ok(Goal::Le(a[0].clone(), a[1].clone())),
                _ => Err(Stuck::new("no event")),
            },
            _ => Err(Stuck::new("no event")),
        },
        _ => Err(Stuck::new("no event")),
    }
}

/// E(1 − 𝟙(event)) ≤ exp(−Λ), since the event follows from that of the tail, in the draw's name.
pub(super) fn by_tail(
    h: &Context,
    (name, law, event): (&str, &Term, &Goal),
    follows: &dyn Fn(&Context, &Theorem) -> Proof,
) -> Proof {
    let tail = tail(h, law, &var("Λ"), None)?;
    let Goal::Le(_, Term::Bind(_, x, _, calm)) = &tail.statement().goal else {
        return Err(Stuck::new("no tail"));
    };
    let Term::Op(Op::AtMost, calm) = calm.put(x, &var(name)) else {
        return Err(Stuck::new("no event"));
    };
    let sort = Sort::drawn(h, law).ok_or_else(|| Stuck::new("no law"))?;
    let calm = Goal::Le(calm[0].clone(), calm[1].clone());
    let good = h.with([item(name, sort), Item::Assume(calm.clone())])?;
    let fact = follows(&good, &assumed(&good, &calm)?)?;
    let all = expected(&union(&discharge(&fact)?)?, law)?;
    let lost = bind(Binder::Expect, name, law.clone(), fails(event)?);
    let goal = Goal::Le(lost, (num(0) - var("Λ")).exp());
    combine(h, goal, &[with(num(1), &tail), with(num(1), &all)])
}

/// An inequality |x| ≤ y or ‖x‖ ≤ y from a tighter one, where squares say that its bound is at most y.
pub(super) fn wider(h: &Context, event: &Goal, calm: &Theorem) -> Proof {
    let (Goal::Le(_, y), Goal::Le(_, bound)) = (event, &calm.statement().goal) else {
        return Err(Stuck::new("no inequality"));
    };
    let square = combine(h, Goal::Le(bound.pow(2), y.pow(2)), &[])?;
    let root = root_increases(&square)?;
    combine(h, event.clone(), &[with(num(1), calm), with(num(1), &root)])
}

/// What the rounds to come may still fail with.
pub(super) struct Budget {
    /// 1 − 𝟙(c ≤ 0).
    lost: Term,
    /// β/(n√ρ).
    each: Term,
}

impl Budget {
    pub(super) fn new(states: &Context, c: &Term) -> Result<Self, Stuck> {
        let (lost, each) = (fails(&none_yet(c))?, term(states, "β/(n·√(ρ))")?);
        Ok(Self { lost, each })
    }

    /// 2(R − t)·β/(n√ρ): that of the rounds from t on.
    pub(super) fn later(&self, t: &Term) -> Term {
        mul([num(2), var("R") - t.clone(), self.each.clone()])
    }

    /// What a round may leave behind once the norm's noise, of which `first` is to hold, is known.
    pub(super) fn most(&self, first: &Goal) -> Result<Term, Stuck> {
        let rest = self.later(&(var("t") + num(1)));
        Ok(self.lost.clone() + fails(first)? + self.each.clone() + rest)
    }

    /// That no round fails but for probability 2β. In the contexts of the states, of a round, and of ν, the norm's noise: its law, what is to hold
    /// of it and whether the run goes on; what is left behind if it does, which is at most [`Self::most`]; and what is if not, which is at
    /// most the loss before and that of ν.
    pub(super) fn spent(
        &self,
        h: &Context,
        goal: &Goal,
        (algorithm, [states, round, noisy]): (&str, [&Context; 3]),
        (law, first, goes): (&Term, &Goal, Term),
        (behind, goes_on): (Term, &Theorem),
        (stopped, sure): (Term, &Theorem),
    ) -> Proof {
        let invariant = self.lost.clone() + self.later(&var("t"));
        let over = self.lost.clone() + self.later(&var("R"));
        let end = combine(states, Goal::Le(self.lost.clone(), over), &[])?;
        let (last, most) = (below(noisy, "t")?, self.most(first)?);
        let twice = mul([num(2), self.each.clone()]);
        let parts = vec![with(twice.clone(), &last), with(num(1), sure)];
        let halts = combine(noisy, Goal::Le(stopped.clone(), most.clone()), &parts)?;
        let once = at_most_one(noisy, &goes)?;
        let value = mul([goes.clone(), behind]) + mul([num(1) - goes.clone(), stopped]);
        let parts = [
            with(goes, goes_on),
            Part::new(num(1), [&once, &halts].map(Into::into)),
        ];
        let bound = expected(&combine(noisy, Goal::Le(value, most), &parts)?, law)?;
        let calm = by_tail(round, ("ν", law, first), &|here, calm| {
            wider(here, first, calm)
        })?;
        let [before, _] = sides(&bound.statement().goal)?;
        let small = rare(round)?;
        let parts = [&bound, &calm, &small].map(|fact| with(num(1), fact));
        let kept = combine(round, Goal::Le(before.clone(), invariant.clone()), &parts)?;
        let value = ("c", &self.lost);
        let run = ends(h, algorithm, value, &[&invariant], &[&end, &kept])?;
        let (start, few) = (union(&combine(h, none_yet(&num(0)), &[])?)?, given(h, 0)?);
        let parts = vec![with(num(1), &run), with(num(1), &start), with(twice, &few)];
        combine(h, goal.clone(), &parts)
    }
}
