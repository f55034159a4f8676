//! Batches as programs draw them, simulated: each scheme keeps its certified ε, seen with power; and fails where it claims
//! that of Poisson samples at the same noise and rate, which is too small.
//!
//! Each verdict errs with probability at most α = 10⁻³ against a true claim; against the false ones here the event that is
//! bet on is learned from the runs, and the report states with which probability 0.9 it finds what (`detectable_epsilon`).

use dp_assay::accounting::{Event, Method, account};
use dp_assay::audit::{Audit, AuditReport, Output, Verdict, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Delta, Neighbouring};

const DELTA: f64 = 1e-2;

#[derive(Clone, Copy)]
enum Scheme {
    Fixed { size: u64, batch: u64 },
    Drawn { size: u64, batch: u64 },
    Truncated { rate: f64, cap: u64, records: u64 },
    Allocated { steps: u64 },
}

impl Scheme {
    fn event(self) -> Event {
        let event = Box::new(Event::Gaussian {
            sigma: self.sigma(),
            sensitivity: 1.0,
        });
        let fixed = |size, batch, replacement, event| Event::FixedSizeSampled {
            size,
            batch,
            replacement,
            event,
        };
        match self {
            Self::Fixed { size, batch } => fixed(size, batch, false, event),
            Self::Drawn { size, batch } => fixed(size, batch, true, event),
            Self::Truncated { rate, cap, records } => Event::TruncatedPoissonSampled {
                rate,
                cap,
                records,
                event,
            },
            Self::Allocated { steps } => Event::BallsInBins { bins: steps, event },
        }
    }

    /// Noise at which an ε twice as large could be seen.
    fn sigma(self) -> f64 {
        match self {
            Self::Allocated { .. } => 1.0,
            _ => 3.0,
        }
    }

    /// Share of records in a step, on average.
    fn rate(self) -> f64 {
        match self {
            Self::Fixed { size, batch } | Self::Drawn { size, batch } => batch as f64 / size as f64,
            Self::Truncated { rate, .. } => rate,
            Self::Allocated { steps } => 1.0 / steps as f64,
        }
    }

    /// The sums of all steps: the record answers 1, all others −1.
    fn run(self, there: bool, tape: Tape) -> Vec<f64> {
        let mut stream = tape.stream(0, Purpose::User, 0);
        let mut members = Vec::new();
        let count = |size: u64| (size - u64::from(!there)) as usize;
        match self {
            Self::Fixed { size, batch } => stream.subset(count(size), batch as usize, &mut members),
            Self::Drawn { size, batch } => {
                members.extend((0..batch).map(|_| stream.uniform().below(count(size))));
            }
            Self::Truncated { rate, cap, records } => {
                let all = 0..count(records);
                let drawn: Vec<usize> =
                    all.filter(|_| stream.uniform().fraction() < rate).collect();
                members.clone_from(&drawn);
                if drawn.len() > cap as usize {
                    stream.subset(drawn.len(), cap as usize, &mut members);
                    members.iter_mut().for_each(|place| *place = drawn[*place]);
                }
            }
            Self::Allocated { steps } => {
                let place = stream.uniform().below(steps as usize);
                let here = |step| f64::from(u8::from(there && step == place));
                return (0..steps as usize).map(here).collect();
            }
        }
        // The record is the last: it is there or not.
        let own = |size: u64, member: usize| member as u64 == size - 1;
        let size = match self {
            Self::Fixed { size, .. } | Self::Drawn { size, .. } => size,
            Self::Truncated { records, .. } => records,
            Self::Allocated { .. } => 0,
        };
        let each = members
            .iter()
            .map(|i| if own(size, *i) { 1.0 } else { -1.0 });
        vec![each.sum()]
    }

    fn audit(self, epsilon: f64) -> AuditReport {
        let mechanism = from_fn("batches", move |there: &bool, tape: Tape| {
            let sums = self.run(*there, tape).into_iter().enumerate();
            let noisy = sums.map(|(i, x)| {
                x + self.sigma() * tape.uniform(1, Purpose::Release, i as u64).gaussian()
            });
            Output::Vector(noisy.collect())
        });
        Audit::of(mechanism)
            .claim(epsilon, DELTA)
            .neighbours(Neighbouring::AddRemove, true, false)
            .trials(400_000)
            .alpha(1e-3)
            .seed(11)
            .run()
            .expect("a complete description")
    }
}

fn certified(event: &Event) -> f64 {
    let delta = Delta::new(DELTA).expect("a delta");
    let found = account(event, delta, Method::Auto, Neighbouring::AddRemove, false);
    found.expect("known").epsilon_upper
}

#[test]
fn every_scheme_keeps_its_epsilon_and_not_that_of_poisson_samples() {
    for scheme in [
        Scheme::Fixed { size: 10, batch: 5 },
        Scheme::Drawn { size: 10, batch: 5 },
        Scheme::Truncated {
            rate: 0.5,
            cap: 2,
            records: 6,
        },
    ] {
        let own = certified(&scheme.event());
        let report = scheme.audit(own);
        assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
        let event = Box::new(Event::Gaussian {
            sigma: scheme.sigma(),
            sensitivity: 1.0,
        });
        let poisson = certified(&Event::PoissonSampled {
            rate: scheme.rate(),
            event,
        });
        assert!(poisson < own, "{poisson} {own}");
        let report = scheme.audit(poisson);
        assert_eq!(
            report.verdict,
            Verdict::Violation,
            "{poisson} instead of {own}: {report}"
        );
    }
}

/// One step of several, drawn at random: here Poisson's ε is no less.
#[test]
fn random_allocation_keeps_its_epsilon() {
    let scheme = Scheme::Allocated { steps: 3 };
    let own = certified(&scheme.event());
    let report = scheme.audit(own);
    assert_eq!(report.verdict, Verdict::PassWithPower, "{report}");
    // Half of it is refuted.
    let report = scheme.audit(0.5 * own);
    assert_eq!(report.verdict, Verdict::Violation, "{report}");
}
