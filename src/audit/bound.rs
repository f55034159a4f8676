//! The event behind a reported bound, and its counts.

use crate::audit::event::Event;
use crate::audit::features::{Layout, Rows};
use crate::audit::learn::{Goal, learn};
use crate::audit::plan::Plan;
use crate::audit::sampler::{Phase, Sampler, parts};
use crate::audit::{AuditError, Counts, Mechanism};

/// Pairs drawn at once.
const BATCH: u64 = 1 << 16;

/// An event fixed before the counts beside it began.
#[derive(Clone, Debug)]
pub(crate) struct Bound {
    pub event: Event,
    /// Whether it is too frequent on the first input (else on the second).
    pub forward: bool,
    counts: Counts,
}

impl Bound {
    /// The event that promises the best bound from `fresh` pairs at error `alpha`; the known event
    /// if there is one. None if the inputs look alike.
    pub(crate) fn choose(
        plan: &Plan,
        layout: &Layout,
        [first, second]: &[Rows; 2],
        fresh: u64,
        alpha: f64,
    ) -> Option<Self> {
        if let Some(event) = &plan.event {
            return Some(Self::known(event.clone(), true));
        }
        let goal = Goal::bound(plan.claim, &plan.shape, fresh, alpha);
        let found = learn(layout, first.all(), second.all(), &[goal]).remove(0);
        let best = found.into_iter().next()?;
        (best.merit > 0.0).then(|| Self::known(best.event, best.forward))
    }

    /// An event that is known.
    pub(crate) fn known(event: Event, forward: bool) -> Self {
        Self {
            event,
            forward,
            counts: Counts::default(),
        }
    }

    /// The event that bets best: for a violation that shows in no bound.
    pub(crate) fn best_bet(plan: &Plan, layout: &Layout, [first, second]: &[Rows; 2]) -> Self {
        let found = learn(layout, first.all(), second.all(), &[Goal::bet(plan.claim)]).remove(0);
        let nothing = (Event::Missing { column: 0 }, true);
        let best = found.into_iter().next();
        let (event, forward) = best.map_or(nothing, |best| (best.event, best.forward));
        Self::known(event, forward)
    }

    /// Counts the event in fresh pairs.
    pub(crate) fn count(&mut self, first: &Rows, second: &Rows) {
        let hits = |rows: &Rows| rows.iter().filter(|row| self.event.contains(*row)).count() as u64;
        let [likelier, other] = self.by_direction([first, second]).map(hits);
        self.counts.hits0 += likelier;
        self.counts.hits1 += other;
        self.counts.samples += first.len() as u64;
    }

    /// Draws pairs and counts the event in them.
    pub(crate) fn count_drawn<M: Mechanism>(
        &mut self,
        sampler: &Sampler<'_, M>,
        phase: Phase,
        pairs: u64,
    ) -> Result<(), AuditError> {
        for range in parts(0..pairs, BATCH.min(sampler.at_once())) {
            let [first, second] = sampler.pairs(phase, range)?;
            self.count(&first, &second);
        }
        Ok(())
    }

    /// Lower bound on ε at the claimed δ, wrong with probability at most `alpha`; ≥ 0.
    pub(crate) fn lower(&self, plan: &Plan, alpha: f64) -> f64 {
        plan.shape.epsilon_lower(self.counts, plan.claim, alpha)
    }

    /// Counts on the side where the event is too frequent first.
    pub(crate) const fn counts(&self) -> Counts {
        self.counts
    }

    /// Share of the runs on the likelier side in which the event happened.
    pub(crate) fn mass(&self) -> f64 {
        self.counts.hits0 as f64 / self.counts.samples.max(1) as f64
    }

    /// The side on which the event is too frequent, then the other.
    pub(crate) fn by_direction<T>(&self, [a, b]: [T; 2]) -> [T; 2] {
        if self.forward { [a, b] } else { [b, a] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::features::Extras;
    use crate::audit::interval::epsilon_lower;
    use crate::audit::{Guarantee, from_fn};
    use crate::mechanism::tape::Tape;

    fn plan() -> Plan {
        Plan::of(Guarantee::new(0.5, 1e-3).expect("in the domain"), 1000)
    }

    /// Counts on the likelier side come first, and their bound is the one of their rates.
    #[test]
    fn an_event_is_counted_on_its_likelier_side_first() {
        let (first, second) = (
            Rows::of_reals(&[0.0, 1.0, 2.0, 2.0]),
            Rows::of_reals(&[0.0, 0.0, 2.0, 0.0]),
        );
        let event = Event::Above {
            column: 0,
            threshold: 0.5,
        };
        for (forward, [hits0, hits1]) in [(true, [3, 1]), (false, [1, 3])] {
            let mut bound = Bound::known(event.clone(), forward);
            assert_eq!((bound.counts(), bound.mass()), (Counts::default(), 0.0));
            bound.count(&first, &second);
            bound.count(&first, &second);
            let due = Counts {
                hits0: 2 * hits0,
                hits1: 2 * hits1,
                samples: 8,
            };
            assert_eq!((bound.counts(), bound.mass()), (due, hits0 as f64 / 4.0));
            assert_eq!(
                bound.by_direction(["a", "b"]),
                if forward { ["a", "b"] } else { ["b", "a"] }
            );
        }
        let (all, none) = (Rows::of_reals(&[1.0; 500]), Rows::of_reals(&[0.0; 500]));
        let mut bound = Bound::known(event, true);
        bound.count(&all, &none);
        assert_eq!(
            bound.lower(&plan(), 0.01),
            epsilon_lower(500, 0, 500, 1e-3, 0.01)
        );
    }

    /// All pairs asked for are drawn, each once, in parts of a size.
    #[test]
    fn pairs_are_drawn_part_by_part_and_each_is_counted() {
        // The last bits of a trial's number: one pair of two has the event on the first side, one of four on the second.
        let number = from_fn("number", |x: &u64, tape: Tape| {
            f64::from(u8::from(tape.number().is_multiple_of(*x)))
        });
        let sampler =
            Sampler::new(&number, [&2, &4], Tape::new(1), Extras::default()).expect("it runs");
        for pairs in [0, 1, 1000, BATCH, BATCH + 5] {
            let mut bound = Bound::known(
                Event::Above {
                    column: 0,
                    threshold: 0.5,
                },
                true,
            );
            bound
                .count_drawn(&sampler, Phase::Recount, pairs)
                .expect("it runs");
            let due = Counts {
                hits0: pairs.div_ceil(2),
                hits1: pairs.div_ceil(4),
                samples: pairs,
            };
            assert_eq!(bound.counts(), due);
        }
    }

    /// A known event is taken as it is; else the best one, and none where the inputs look alike. What bets best is there in any case.
    #[test]
    fn no_event_is_chosen_where_the_inputs_look_alike() {
        let layout = Layout::of(&[crate::audit::Output::Real(1.0)], Extras::default());
        let rows = |ones: usize| {
            Rows::of_reals(
                &(0..200)
                    .map(|i| f64::from(u8::from(i < ones)))
                    .collect::<Vec<_>>(),
            )
        };
        let choose = |plan: &Plan, a: usize, b: usize| {
            Bound::choose(plan, &layout, &[rows(a), rows(b)], 1000, 0.01)
        };
        let (alike, apart) = (choose(&plan(), 100, 100), choose(&plan(), 20, 190));
        assert!(alike.is_none());
        let apart = apart.expect("they differ");
        let found = { rows(200) }.iter().any(|row| apart.event.contains(row));
        assert!(
            found != apart.forward,
            "ones are too frequent on the second input"
        );
        let event = Event::Missing { column: 0 };
        let known = Plan {
            event: Some(event.clone()),
            ..plan()
        };
        let known = choose(&known, 100, 100).expect("it is known");
        assert!(known.event == event && known.forward);
        let best = Bound::best_bet(&plan(), &layout, &[rows(100), rows(100)]);
        assert_eq!(best.counts(), Counts::default());
    }
}
