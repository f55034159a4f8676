//! Lists that are fixed beforehand.

use super::super::report::{Accountant, Report, account};
use super::super::{AccountError, Event};
use crate::units::{Delta, Neighbouring};

/// A list of mechanisms that is fixed beforehand, of which each may be run once: in any order, on whatever is asked (parts of
/// [`Event::Parallel`] made beforehand), with any left out, and stopped at any
/// time, as what was seen suggests. The guarantee is that of the whole list, by every accountant (claim `acc-filter`).
///
/// ```
/// use dp_assay::accounting::filter::PlanFilter;
/// use dp_assay::prelude::*;
///
/// let step = Event::PoissonSampled {
///     rate: 0.01,
///     event: Box::new(Event::Gaussian { sigma: 1.0, sensitivity: 1.0 }),
/// };
/// let count = Event::Laplace { scale: 10.0, sensitivity: 1.0 };
/// // At most 1000 steps of training, and three looks at a count whenever they are wanted.
/// let plan = vec![(step.clone(), 1000), (count.clone(), 3)];
/// let mut filter = PlanFilter::new(plan, Neighbouring::AddRemove)?;
/// filter.spend(&step)?;
/// filter.spend(&count)?;
/// assert_eq!((filter.left(&step), filter.left(&count)), (999, 2));
/// // What is not on the list is refused.
/// assert!(filter.spend(&Event::Laplace { scale: 20.0, sensitivity: 1.0 }).is_err());
/// // All of it costs 1.97 nats, whatever part is run.
/// let report = filter.report(Delta::new(1e-5)?, Accountant::Auto)?;
/// assert!((1.8..2.1).contains(&report.epsilon_upper), "{}", report.epsilon_upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct PlanFilter {
    /// Each with how often it is on the list, and how often it was run.
    list: Vec<(Event, u64, u64)>,
    neighbours: Neighbouring,
}

impl PlanFilter {
    /// A list of events, each with how often it may be run, of which none was run yet.
    ///
    /// # Errors
    /// As [`Event::steps`].
    pub fn new(list: Vec<(Event, u64)>, neighbours: Neighbouring) -> Result<Self, AccountError> {
        let mut merged: Vec<(Event, u64, u64)> = Vec::new();
        for (event, times) in list {
            event.steps(neighbours)?;
            match merged.iter_mut().find(|(known, ..)| *known == event) {
                Some((_, all, _)) => *all = all.saturating_add(times),
                None => merged.push((event, times, 0)),
            }
        }
        Ok(Self {
            list: merged,
            neighbours,
        })
    }

    /// Takes a mechanism off the list, before it is run.
    ///
    /// # Errors
    /// If it is not on the list, or no more.
    pub fn spend(&mut self, event: &Event) -> Result<(), AccountError> {
        let found = self.list.iter_mut().find(|(known, ..)| known == event);
        let Some((_, all, run)) = found else {
            let why = format!("this {} is not on the list", event.name());
            return Err(AccountError::Event(why));
        };
        if run == all {
            let why = format!("all {all} of this {} on the list were run", event.name());
            return Err(AccountError::Event(why));
        }
        *run += 1;
        Ok(())
    }

    /// How often a mechanism may still be run.
    #[must_use]
    pub fn left(&self, event: &Event) -> u64 {
        let found = self.list.iter().find(|(known, ..)| known == event);
        found.map_or(0, |(_, all, run)| all - run)
    }

    /// Number of steps admitted.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.list.iter().map(|(.., run)| run).sum()
    }

    /// ε at δ of everything admitted so far and still to come: that of the whole list, whose lower end is that of a run of all of it.
    ///
    /// # Errors
    /// As [`account`].
    pub fn report(&self, delta: Delta, method: Accountant) -> Result<Report, AccountError> {
        let times = |(event, times, _): &(Event, u64, u64)| Event::Repeated {
            times: *times,
            event: Box::new(event.clone()),
        };
        let events = self.list.iter().map(times).collect();
        let whole = Event::Composed { events };
        let mut report = account(&whole, delta, method, self.neighbours, false)?;
        // Divergences of parts of a list add up to no more than those of all of it, in whatever order.
        if report.method == Accountant::Rdp {
            report.claims = report.claims.and("acc-renyi-filter");
        }
        // The bound for batches that are told, which may be the least, is no divergence's.
        report.claims = report.claims.and("acc-filter");
        Ok(report)
    }
}
