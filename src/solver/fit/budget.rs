//! One budget for several releases.
//!
//! In Gaussian differential privacy releases of μ_1, μ_2, … are together one of μ² = Σ μ_i² (decor-aux-simulate): parts of a
//! budget are parts of μ². Where noise is not Gaussian that is where to begin; what counts is the account of all releases
//! together, and [`within`] lowers a part until it holds.

use super::regression::ONE_BLOCK;
use super::{FitError, Privacy, Request};
use crate::accounting::{self, AccountError, Event, Report, gdp, root};
use crate::mechanism::tape::{Purpose, Tape};
use crate::units::{Delta, Epsilon, OutOfDomain};

/// Part of ε that is left out, so that the rounding of scales cannot exceed it.
const MARGIN: f64 = 1e-6;
/// Factor by which a part falls if its account does not hold, at least.
const SHORTER: f64 = 0.97;
/// After so many such factors there is no hope.
const TRIES: usize = 200;
/// Halvings in the search for a part.
const BISECTIONS: usize = 30;

/// ε at the same δ of this part of μ², rounded down.
///
/// ```
/// use dp_assay::solver::fit::part_of;
/// use dp_assay::units::{Delta, Epsilon};
///
/// let (whole, delta) = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
/// let third = part_of((whole, delta), 1.0 / 3.0)?.get();
/// // More than a third of ε: the ε of Gaussian noise grows faster than μ.
/// assert!((0.5..0.6).contains(&third), "{third}");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If no Gaussian noise meets the budget, or nothing is left.
pub fn part_of((epsilon, delta): (Epsilon, Delta), part: f64) -> Result<Epsilon, FitError> {
    let mu = gdp::mu_of(epsilon, delta)?.lo;
    let left = gdp::mechanism(mu * part.sqrt())?.epsilon(delta)?;
    let found = Epsilon::new(left.lo * (1.0 - MARGIN)).ok();
    let rule = "large enough to be shared; --centre 0 does without a private centre";
    let (name, value) = ("epsilon", epsilon.get());
    let found = found.filter(|left| left.get() > 0.0);
    Ok(found.ok_or(OutOfDomain { name, value, rule })?)
}

/// What was released before the method, and the budget of all together.
pub(super) struct Spent {
    events: Vec<Event>,
    whole: Epsilon,
}

impl Spent {
    /// Nothing yet.
    pub(super) const fn nothing(request: &Request) -> Self {
        Self {
            events: Vec::new(),
            whole: request.epsilon,
        }
    }

    pub(super) fn add(&mut self, event: Event) {
        self.events.push(event);
    }

    /// What was released, with the ε of all together, if anything was.
    pub(super) fn before(&self) -> Option<(Event, Epsilon)> {
        let event = match &self.events[..] {
            [] => return None,
            [only] => only.clone(),
            several => Event::Composed {
                events: several.to_vec(),
            },
        };
        Some((event, self.whole))
    }

    /// All releases, this one the last.
    pub(super) fn and(&self, event: Event) -> Event {
        if self.events.is_empty() {
            return event;
        }
        let mut events = self.events.clone();
        events.push(event);
        Event::Composed { events }
    }

    fn account(&self, event: &Event, request: &Request) -> Result<Report, AccountError> {
        let auto = accounting::Accountant::Auto;
        accounting::account(event, request.delta, auto, request.neighbours, false)
    }

    /// The guarantee of all releases, the last of which has the method's event.
    pub(super) fn added_to(&self, method: Privacy, request: &Request) -> Result<Privacy, FitError> {
        let event = self.and(method.event);
        let report = self.account(&event, request)?;
        if report.epsilon_upper > self.whole.get() {
            return Err(FitError::Together {
                certified: report.epsilon_upper,
                asked: self.whole.get(),
            });
        }
        let besides = match method.theorem.ends_with(ONE_BLOCK) {
            true => ONE_BLOCK,
            false => "",
        };
        Ok(Privacy {
            epsilon_upper: report.epsilon_upper,
            theorem: report.theorem + besides,
            claims: report.claims,
            event,
            ..method
        })
    }

    /// The largest ε for the method that keeps all releases within the whole, where `event` says what a method of that ε is.
    pub(super) fn largest(
        &self,
        request: &Request,
        event: impl Fn(Epsilon) -> Result<Event, AccountError>,
    ) -> Result<Epsilon, FitError> {
        let fits = |epsilon| {
            let all = self.and(event(Epsilon::new(epsilon).map_err(AccountError::from)?)?);
            Ok::<_, FitError>(self.account(&all, request)?.epsilon_upper <= self.whole.get())
        };
        let (most, _) = root::try_halve(0.0, request.epsilon.get(), BISECTIONS, fits)?;
        Ok(Epsilon::new(most * (1.0 - MARGIN)).map_err(AccountError::from)?)
    }

    /// Runs with a part of the request's budget, from `epsilon` on, that keeps all releases within the whole. The event of
    /// a run follows from public numbers alone, so that runs which are thrown away have told nothing.
    pub(super) fn within<T>(
        &self,
        request: &Request,
        epsilon: Epsilon,
        mut run: impl FnMut(&Request) -> Result<T, FitError>,
        event: impl Fn(&T) -> Event,
    ) -> Result<(T, Request), FitError> {
        let mut part = Request {
            epsilon,
            ..request.clone()
        };
        let mut certified = f64::INFINITY;
        for _ in 0..TRIES {
            let found = run(&part)?;
            let all = self.and(event(&found));
            certified = self.account(&all, request)?.epsilon_upper;
            if certified <= self.whole.get() {
                return Ok((found, part));
            }
            let shorter = part.epsilon.get() * SHORTER.min(self.whole.get() / certified);
            part.epsilon = Epsilon::new(shorter).map_err(AccountError::from)?;
        }
        let asked = self.whole.get();
        Err(FitError::Together { certified, asked })
    }
}

/// The seed of run k of several, in which no noise is another run's.
pub(super) fn seed_of(seed: u64, trial: u64, k: u64) -> u64 {
    Tape::new(seed).trial(trial).uniform(k, Purpose::User, 0).0
}
