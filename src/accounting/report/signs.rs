//! A lower end where no lattice reaches: of every step only the sign of its loss is told.
//!
//! A law that is its own reverse has its loss above 0 with probability p under P and 1 − p under Q, ties told at random: the
//! sign is a randomised response with p = (1 + t)/2, t the total variation distance of the pair, and ε' = ln((1 + t)/(1 − t)).
//! Their composition is known exactly at any number of steps. Of Laplace noise with a scale b ≫ Δ the sign loses next to
//! nothing: both are Gaussian noise with μ² = k·(Δ/b)² in the limit.

use super::question::{Ends, Question};
use super::{ATTACK, Report};
use crate::accounting::AccountError;
use crate::accounting::basis::{self, View};
use crate::accounting::float::Enclosure;
use crate::accounting::pld::law::profile;
use crate::accounting::pure::{Group, compose_optimal};
use crate::accounting::samples::Laws;
use crate::accounting::views;
use crate::units::Epsilon;

impl Question {
    /// The report with a lower end by the signs of all losses, if it has none.
    pub(super) fn and_signs(&self, report: Report) -> Result<Report, AccountError> {
        let unknown = report.epsilon_lower == 0.0 && report.epsilon_upper > 0.0;
        if !(self.ends == Ends::Both && unknown && self.is_exactly_described()) {
            return Ok(report);
        }
        let Some(lower) = self.by_signs()?.filter(|lower| *lower > 0.0) else {
            return Ok(report);
        };
        let made = &["acc-merged", "gcd-aux-response"];
        let claims = basis::claims(&self.steps, self.neighbours, View::Law, made)?;
        let mut report = report.and_lower((lower, ATTACK))?;
        report.claims = report.claims.with(&claims);
        report.theorem += "; from below Blackwell 1953 and Kairouz, Oh and Viswanath 2017";
        Ok(report)
    }

    /// What the signs need, or those of some steps where all are too many kinds.
    fn by_signs(&self) -> Result<Option<f64>, AccountError> {
        let Some(laws) = self.all(|s| views::laws(s, self.neighbours))? else {
            return Ok(None);
        };
        let groups: Option<Vec<Group>> = laws.iter().map(sign).collect();
        let Some(groups) = groups else {
            return Ok(None);
        };
        let told = |groups: &[Group]| compose_optimal(groups, self.delta).map(|e| e.lo);
        Ok(Some(told(&groups).unwrap_or_else(|_| {
            let each = groups.iter().map(|group| told(&[*group]).unwrap_or(0.0));
            each.fold(0.0, f64::max)
        })))
    }
}

/// The randomised responses that the signs of the losses of so many steps are, ε rounded down.
fn sign((laws, count): &(Laws, u64)) -> Option<Group> {
    let [law] = &laws[..] else {
        return None;
    };
    let distance = Enclosure::point(profile(law.as_ref(), 0.0).lo.clamp(0.0, 1.0));
    let epsilon = (distance.ln_1p() - (-distance).ln_1p()).lo;
    let epsilon = Epsilon::new(epsilon.max(0.0)).ok()?;
    Some(Group {
        epsilon,
        count: *count,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::{Accountant, Event, account};
    use crate::units::{Delta, Neighbouring};

    fn laplace(scale: f64, times: u64) -> Event {
        let event = Box::new(Event::Laplace {
            scale,
            sensitivity: 1.0,
        });
        Event::Repeated { times, event }
    }

    /// The signs of losses need no more than the losses, and nearly as much of small ones.
    #[test]
    fn signs_tell_less_than_losses() {
        let (delta, neighbours) = (Delta::new(1e-6).expect("a delta"), Neighbouring::AddRemove);
        for (parts, share) in [
            (vec![laplace(1.0, 20)], 0.6),
            (vec![laplace(5.0, 40)], 0.85),
            (vec![laplace(100.0, 10_000)], 0.99),
            (vec![laplace(100.0, 10_000), laplace(300.0, 500)], 0.99),
            // Of three kinds, one.
            (
                vec![
                    laplace(100.0, 10_000),
                    laplace(300.0, 500),
                    laplace(200.0, 9),
                ],
                0.98,
            ),
        ] {
            let event = Event::Composed { events: parts };
            let report =
                account(&event, delta, Accountant::Pld, neighbours, true).expect("a lattice");
            let question = Question {
                steps: event.steps(neighbours).expect("a tree").remove(0),
                delta,
                neighbours,
                ends: Ends::Both,
            };
            let found = question.by_signs().expect("in range").expect("symmetric");
            assert!(
                found <= report.epsilon_upper,
                "{event:?}: {found} {report:?}"
            );
            assert!(
                found >= share * report.epsilon_lower,
                "{event:?}: {found} {report:?}"
            );
        }
    }

    /// What is no reverse of its own has no such signs.
    #[test]
    fn samples_have_none() {
        let event = Event::PoissonSampled {
            rate: 0.1,
            event: Box::new(Event::Laplace {
                scale: 1.0,
                sensitivity: 1.0,
            }),
        };
        let neighbours = Neighbouring::AddRemove;
        let question = Question {
            steps: event.steps(neighbours).expect("a tree").remove(0),
            delta: Delta::new(1e-6).expect("a delta"),
            neighbours,
            ends: Ends::Both,
        };
        assert_eq!(question.by_signs().expect("in range"), None);
    }
}
