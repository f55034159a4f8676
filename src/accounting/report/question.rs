//! What each accountant answers.

mod exact;
mod lattice;

use super::steps::{is_exactly_described, is_pure, is_several};
use super::{ATTACK, Accountant, Report, TOLD};
use crate::accounting::basis::{self, View};
use crate::accounting::event::{Sampling, Step};
use crate::accounting::float::Enclosure;
use crate::accounting::gaussian::Gaussian;
use crate::accounting::pld::lattice::Side;
use crate::accounting::views::{self, steps_curve};
use crate::accounting::{AccountError, allocation, batches, rdp};
use crate::units::{Delta, Neighbouring};

/// Who gives the lower end of lattices.
const BELOW: &str = "the lattice from below";

/// One list of steps and what is asked of it.
pub(super) struct Question {
    pub(super) steps: Vec<Step>,
    pub(super) delta: Delta,
    pub(super) neighbours: Neighbouring,
    pub(super) ends: Ends,
}

/// Which ends are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ends {
    /// The upper one, and a lower one where it costs nothing like it.
    Upper,
    /// The upper one, and a lower one where no second lattice is needed for it.
    Free,
    /// Both.
    Both,
}

impl Question {
    pub(super) fn answer(&self, method: Accountant) -> Result<Report, AccountError> {
        match method {
            Accountant::Exact => self.exact(),
            Accountant::Pld => self.pld(),
            Accountant::Rdp => self.rdp(),
            Accountant::Auto => self.auto(),
        }
    }

    /// The exact accountant where it is tight; else, or where its own error is seen, the least of all
    /// bounds.
    fn auto(&self) -> Result<Report, AccountError> {
        let exact = self.exact();
        let tight = exact.is_ok() && self.exact_is_tight();
        let found = match exact {
            Ok(report) if tight && (report.is_narrow() || self.is_one_allocation()) => {
                return Ok(report);
            }
            exact => vec![exact, self.pld(), self.rdp()],
        };
        let mut best: Option<Report> = None;
        let (mut refusal, mut below, mut above) = (None, "", "");
        for found in found {
            match (found, best.as_mut()) {
                (Ok(report), Some(b)) => {
                    let mut lower = b.epsilon_lower;
                    if report.epsilon_lower > lower {
                        (lower, below) = (report.epsilon_lower, self.below(report.method));
                    }
                    let both = report.claims.clone().with(&b.claims);
                    if report.epsilon_upper < b.epsilon_upper {
                        above = report.above();
                        *b = report;
                    }
                    AccountError::in_order((lower, below), (b.epsilon_upper, above))?;
                    (b.epsilon_lower, b.by_attack) = (lower, lower > 0.0 && below == ATTACK);
                    // The upper end may be one's, the lower end the other's.
                    if b.epsilon_lower > 0.0 {
                        b.claims = both;
                    }
                }
                (Ok(report), None) => {
                    (below, above) = (self.below(report.method), report.above());
                    best = Some(report);
                }
                (Err(e @ AccountError::Contradiction { .. }), _) => return Err(e),
                // "Unsupported" is the least informative of several refusals; that no ε is finite says all.
                (Err(AccountError::Unsupported { .. }), _) => {}
                (Err(e), _) => {
                    let decided = matches!(refusal, Some(AccountError::NoFiniteEpsilon { .. }));
                    refusal = if decided { refusal } else { Some(e) };
                }
            }
        }
        match (best, refusal) {
            (Some(best), _) => self.and_signs(best),
            (None, Some(refusal)) => self.told_alone().unwrap_or(Err(refusal)),
            (None, None) => Err(self.unsupported("known")),
        }
    }

    /// Whether all is one random allocation to one step: its law has points, of which a lattice makes no better ones.
    fn is_one_allocation(&self) -> bool {
        let allocated = |s: &Step| matches!(s.sampling, Sampling::RandomAllocation { .. });
        let once = |s: &Step| s.count == 1 && allocated(s) && !is_several(s.sampling);
        self.steps.len() == 1 && self.steps.iter().all(once)
    }

    /// Whether the exact accountant, where it answers, leaves nothing to gain: not when it only knows
    /// that mechanisms with more structure are pure.
    fn exact_is_tight(&self) -> bool {
        let gaussian = |s: &Step| self.pairs(s, Side::Above).is_ok_and(|p| p.is_some());
        let single = self.steps.len() == 1 && self.steps[0].count == 1;
        self.steps.iter().all(is_pure) || self.steps.iter().all(gaussian) || single
    }

    /// `made`: the claims on what is made of the steps, each seen in one way.
    fn report(
        &self,
        method: Accountant,
        epsilon: Enclosure,
        theorem: &str,
        (view, made): (View, &[&str]),
    ) -> Result<Report, AccountError> {
        // What lattices say from below is of neighbours that there are.
        let proven = method == Accountant::Pld || self.is_exactly_described();
        let claims = |made: &[&str]| basis::claims(&self.steps, self.neighbours, view, made);
        let told = self.told()?;
        let lower = if proven { epsilon.lo.max(0.0) } else { 0.0 };
        AccountError::in_order((lower, self.below(method)), (told, TOLD.0))?;
        Ok(Report {
            epsilon_lower: lower,
            by_attack: lower > 0.0 && self.below(method) == ATTACK,
            epsilon_upper: epsilon.hi.min(told),
            delta: self.delta.get(),
            method,
            neighbours: self.neighbours,
            theorem: theorem.to_string(),
            claims: match told < epsilon.hi {
                true => claims(&[made, &[TOLD.1, "gcd-aux-dominated"]].concat())?,
                false => claims(made)?,
            },
        })
    }

    /// What records that are drawn lose at most: what they would if their batches were told, and had them.
    fn told(&self) -> Result<f64, AccountError> {
        if self.steps.iter().all(|s| s.sampling == Sampling::None) {
            return Ok(f64::INFINITY);
        }
        let mut parts = Vec::new();
        for step in &self.steps {
            let counted = |noise| (noise, step.count);
            let told = match step.sampling {
                Sampling::None => views::gaussian(step)?.map(counted),
                Sampling::RandomAllocation { .. } => allocation::told(step, self.neighbours)?,
                Sampling::Poisson(_)
                | Sampling::FixedSize(_)
                | Sampling::WithReplacement { .. }
                | Sampling::TruncatedPoisson { .. }
                | Sampling::Within(_) => batches::told(step, self.neighbours)?.map(counted),
            };
            let Some(told) = told else {
                return Ok(f64::INFINITY);
            };
            parts.push(told);
        }
        let known = Gaussian::composed(&parts).epsilon(self.delta);
        Ok(known.map_or(f64::INFINITY, |epsilon| epsilon.hi))
    }

    /// That bound alone, where no accountant has a better one.
    fn told_alone(&self) -> Option<Result<Report, AccountError>> {
        self.told().ok().filter(|most| most.is_finite())?;
        let theorem = "as if batches were told, by joint convexity; Balle and Wang 2018, Theorem 8";
        let made = (View::Law, &["gcd-aux-dominated"][..]);
        let unknown = Enclosure::new(0.0, f64::INFINITY);
        Some(self.report(Accountant::Exact, unknown, theorem, made))
    }

    pub(super) fn is_exactly_described(&self) -> bool {
        let exactly = |step: &Step| is_exactly_described(step, self.neighbours);
        self.steps.iter().all(exactly)
    }

    /// Whether what parts the ends is rounding: of steps that are not described exactly, an attack is the worst case.
    fn have_meeting_ends(&self) -> bool {
        let pairs = || self.all(|s| self.pairs(s, Side::Below));
        self.is_exactly_described() || pairs().is_ok_and(|pairs| pairs.is_some())
    }

    /// Who gives a lower end that an accountant reports: of steps that are not described exactly, neighbours that there are.
    pub(super) fn below(&self, method: Accountant) -> &'static str {
        match method {
            _ if !self.is_exactly_described() => ATTACK,
            Accountant::Pld => BELOW,
            method => method.name(),
        }
    }

    fn unsupported(&self, notion: &'static str) -> AccountError {
        views::unsupported(&self.steps, notion, self.neighbours)
    }

    /// One view of every step, or `None` if a step lacks it.
    pub(super) fn all<T>(
        &self,
        view: impl Fn(&Step) -> Result<Option<T>, AccountError>,
    ) -> Result<Option<Vec<(T, u64)>>, AccountError> {
        views::all(&self.steps, view)
    }

    fn rdp(&self) -> Result<Report, AccountError> {
        let (steps, leaks) = views::without_leaks(&self.steps, self.neighbours)?;
        let mut total = match steps_curve(&steps, self.neighbours) {
            Err(AccountError::Unsupported { .. }) => return Err(self.unsupported("Renyi")),
            found => found?,
        };
        let delta = self.delta.get();
        let rule = "must exceed the sum of the deltas of the (epsilon, delta)-DP mechanisms";
        AccountError::check(leaks == 0.0 || leaks < delta, "delta", delta, rule)?;
        let rest = (Enclosure::point(delta) - Enclosure::point(leaks))
            .lo
            .max(0.0);
        let rest = if leaks > 0.0 {
            Delta::new(rest)?
        } else {
            self.delta
        };
        let epsilon = rdp::epsilon_upper(&mut total, rest)?;
        AccountError::in_range(epsilon)?;
        let renyi = "Mironov 2017, Proposition 1; Canonne, Kamath and Steinke 2020, Proposition 12";
        let (theorem, made): (_, &[&str]) = match leaks > 0.0 {
            true => (
                format!(
                    "{renyi}; Kairouz, Oh and Viswanath 2017; deltas add up (Dwork and Roth 2014)"
                ),
                &["acc-basic", "gcd-aux-renyi", "skgd-prop-D.6"],
            ),
            false => (renyi.to_owned(), &["gcd-aux-renyi", "skgd-prop-D.6"]),
        };
        let epsilon = Enclosure::new(0.0, epsilon);
        self.report(Accountant::Rdp, epsilon, &theorem, (View::Curve, made))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::Event;
    use crate::units::{Epsilon, Sensitivity, StdDev};

    fn question(event: &Event, neighbours: Neighbouring) -> Question {
        Question {
            steps: event.steps(neighbours).expect("a tree").remove(0),
            delta: Delta::new(1e-5).expect("a delta"),
            neighbours,
            ends: Ends::Both,
        }
    }

    fn noise() -> Box<Event> {
        Box::new(Event::Gaussian {
            sigma: 2.0,
            sensitivity: 1.0,
        })
    }

    fn repeated(times: u64, event: Event) -> Event {
        let event = Box::new(event);
        Event::Repeated { times, event }
    }

    fn sampled(rate: f64) -> Event {
        let event = noise();
        Event::PoissonSampled { rate, event }
    }

    #[test]
    fn an_allocation_is_one_where_it_is_alone_and_once() {
        let allocated = |participations: u64| Event::RandomAllocation {
            steps: 5,
            participations,
            event: noise(),
        };
        let is_one = |event: &Event| question(event, Neighbouring::AddRemove).is_one_allocation();
        assert!(is_one(&allocated(1)));
        assert!(!is_one(&allocated(2)));
        assert!(!is_one(&repeated(2, allocated(1))));
        assert!(!is_one(&noise()));
        let events = vec![allocated(1), Event::Pure { epsilon: 1.0 }];
        assert!(!is_one(&Event::Composed { events }));
    }

    #[test]
    fn what_is_inverted_optimal_or_single_is_tight() {
        let tight = |event: &Event| question(event, Neighbouring::AddRemove).exact_is_tight();
        let pure = |epsilon: f64| Event::Pure { epsilon };
        let laplace = Event::Laplace {
            scale: 1.0,
            sensitivity: 1.0,
        };
        assert!(tight(&repeated(3, pure(1.0))) && tight(&repeated(3, sampled(0.1))));
        assert!(tight(&laplace) && !tight(&repeated(2, laplace)));
        let events = vec![pure(1.0), sampled(0.1)];
        assert!(!tight(&Event::Composed { events }));
    }

    /// Who is told which records were drawn sees Gaussian noise alone, of twice the reach where one
    /// comes for another.
    #[test]
    fn whoever_is_told_all_learns_no_more_than_of_noise_alone() {
        use Neighbouring::{AddRemove, ReplaceOne};
        let batch = Event::FixedSizeSampled {
            size: 10,
            batch: 2,
            replacement: false,
            event: noise(),
        };
        for (event, neighbours, reach, times) in [
            (repeated(3, sampled(0.1)), AddRemove, 1.0, 3.0f64),
            (repeated(3, sampled(0.1)), ReplaceOne, 2.0, 3.0),
            (batch, AddRemove, 2.0, 1.0),
        ] {
            let found = question(&event, neighbours).told().expect("in range");
            let (reach, sigma) = (Sensitivity::new(reach * times.sqrt()), StdDev::new(2.0));
            let own = Gaussian::new(reach.expect("in range"), sigma.expect("in range"));
            let truth = own
                .epsilon(Delta::new(1e-5).expect("a delta"))
                .expect("in range");
            assert!(
                (found / truth.hi - 1.0).abs() < 1e-12,
                "{event:?}: {found} {truth:?}"
            );
            let delta = own.delta(Epsilon::new(found).expect("in range"));
            assert!(delta.lo <= 1e-5, "{event:?}: {delta:?}");
        }
        let unsampled = question(&noise(), AddRemove).told().expect("in range");
        assert_eq!(unsampled, f64::INFINITY);
    }
}
