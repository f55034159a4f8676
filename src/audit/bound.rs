//! The event behind a reported bound, and its counts.

use crate::audit::event::Event;
use crate::audit::features::{Layout, Rows};
use crate::audit::learn::{Goal, learn};
use crate::audit::plan::Plan;
use crate::audit::sampler::{Phase, Sampler};
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
        let mut at = 0;
        while at < pairs {
            let end = (at + BATCH).min(pairs);
            let [first, second] = sampler.pairs(phase, at..end)?;
            self.count(&first, &second);
            at = end;
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
