//! Calibration: the noise, number of steps or sampling rate that meets a target, from the safe side.

mod likened;

use super::event::Event;
use super::report::{Accountant, Report, account, account_above};
use super::{AccountError, gaussian, laplace};
use crate::float::elementary::{exp, ln};
use crate::units::{Delta, Epsilon, Neighbouring, Scale, Sensitivity, StdDev};
use likened::likened;
use serde::{Deserialize, Serialize};

/// The guarantee to reach, and how it is accounted for.
///
/// ```
/// use dp_assay::accounting::calibrate::{Target, gaussian_sigma, laplace_scale};
/// use dp_assay::prelude::*;
///
/// let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
/// let target = Target { epsilon, delta, method: Accountant::Exact, neighbours: Neighbouring::AddRemove };
/// let one = Sensitivity::new(1.0)?;
/// assert!((3.73..3.74).contains(&gaussian_sigma(one, &target)?.get()));
/// // So small a δ saves Laplace noise next to nothing: its scale is close to the Δ/ε of δ = 0.
/// assert!((0.999..1.001).contains(&laplace_scale(one, &target)?.get()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// ε.
    pub epsilon: Epsilon,
    /// δ.
    pub delta: Delta,
    /// The accountant.
    pub method: Accountant,
    /// The relation.
    pub neighbours: Neighbouring,
}

/// Most steps of a search after both its ends are known: what is safe by then is the answer.
const ROUNDS: usize = 64;

/// Relative width of the bracket of laws about as private, where these are but a guide.
const NEARBY: f64 = 1e-2;

/// A parameter that meets the target, and the report that says so.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// The value, on the safe side: the target holds for it.
    pub value: f64,
    /// A value a little beyond, at which the accountant no longer shows the target; the distance is
    /// what the search leaves open.
    pub unsafe_value: f64,
    /// The report at `value`.
    pub report: Report,
}

/// What a larger parameter does to ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trend {
    /// ε grows with it: the largest safe value is wanted (sampling rate).
    Grows,
    /// ε falls with it: the smallest safe value is wanted (noise).
    Falls,
}

impl Target {
    /// Relative width of the bracket at which the search stops: well below the error of the accountant that
    /// answered, which is 10⁻⁵ for lattices, and 10⁻⁴ for a replaced record of a random allocation.
    fn tolerance(&self, answered: Accountant, is_allocated: bool) -> f64 {
        match answered {
            Accountant::Pld => 1e-6,
            _ if is_allocated && self.neighbours == Neighbouring::ReplaceOne => 1e-6,
            Accountant::Auto | Accountant::Rdp | Accountant::Exact => 1e-9,
        }
    }

    /// The same target with a cheap accountant, for where to begin; none if this one is cheap.
    fn rough(&self) -> Option<Self> {
        (self.method == Accountant::Pld).then_some(Self {
            method: Accountant::Rdp,
            ..*self
        })
    }

    fn report(&self, event: &Event) -> Result<Report, AccountError> {
        account(event, self.delta, self.method, self.neighbours, false)
    }

    /// The report without what costs more and bounds ε from below.
    fn above(&self, event: &Event) -> Result<Report, AccountError> {
        account_above(event, self.delta, self.method, self.neighbours)
    }

    fn infeasible(&self, parameter: &'static str, lo: f64, hi: f64) -> AccountError {
        AccountError::Infeasible {
            parameter,
            lo,
            hi,
            epsilon: self.epsilon.get(),
            delta: self.delta.get(),
        }
    }
}

/// Standard deviation of one Gaussian mechanism, from the closed form.
///
/// # Errors
/// As [`gaussian::calibrate_sigma`].
pub fn gaussian_sigma(sensitivity: Sensitivity, target: &Target) -> Result<StdDev, AccountError> {
    let sigma = gaussian::calibrate_sigma(sensitivity, target.epsilon, target.delta)?.hi;
    let sensitivity = sensitivity.get();
    let noise = met(sigma, target, |sigma| Event::Gaussian {
        sigma,
        sensitivity,
    })?;
    Ok(StdDev::new(noise)?)
}

/// Scale of one Laplace mechanism, from the closed form.
///
/// # Errors
/// As [`laplace::calibrate_scale`].
pub fn laplace_scale(sensitivity: Sensitivity, target: &Target) -> Result<Scale, AccountError> {
    let scale = laplace::calibrate_scale(sensitivity, target.epsilon, target.delta)?.hi;
    let sensitivity = sensitivity.get();
    let noise = met(scale, target, |scale| Event::Laplace { scale, sensitivity })?;
    Ok(Scale::new(noise)?)
}

/// This noise, which meets the target by the closed form, or so few units of rounding more that its own report meets it, too:
/// evaluating rounds elsewhere than inverting does. Where ε is so small that no report resolves it, this noise.
fn met(least: f64, target: &Target, at: impl Fn(f64) -> Event) -> Result<f64, AccountError> {
    let target = Target {
        method: Accountant::Auto,
        ..*target
    };
    let mut noise = least;
    for doubled in 0..40 {
        if target.report(&at(noise))?.epsilon_upper <= target.epsilon.get() {
            return Ok(noise);
        }
        noise += noise * f64::EPSILON * 2_f64.powi(doubled);
    }
    Ok(least)
}

/// A real parameter x in \[lo, hi\], lo > 0, of the event `at(x)`: the end of its safe range.
///
/// A bracket grows by factors from the geometric middle, or from a cheaper accountant's answer, towards
/// where ε falls or rises past the target; then the Illinois variant of the secant in (ln x, ln ε)
/// shrinks it. Only values whose own report meets the target are returned, so the answer is safe
/// whatever the shape of ε(x). Values at which the accountant fails count as unsafe.
///
/// ```
/// use dp_assay::accounting::calibrate::{Target, Trend, parameter};
/// use dp_assay::prelude::*;
///
/// let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
/// let target = Target { epsilon, delta, method: Accountant::Exact, neighbours: Neighbouring::AddRemove };
/// // The σ that ten releases need: √10 times the 3.73 of one.
/// let ten = |sigma| Event::Repeated {
///     times: 10,
///     event: Box::new(Event::Gaussian { sigma, sensitivity: 1.0 }),
/// };
/// let found = parameter("sigma", (0.1, 1000.0), Trend::Falls, &target, ten)?;
/// assert!((11.79..11.83).contains(&found.value));
/// assert!(found.report.epsilon_upper <= 1.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// No value in the range is safe.
pub fn parameter(
    name: &'static str,
    (lo, hi): (f64, f64),
    trend: Trend,
    target: &Target,
    at: impl Fn(f64) -> Event,
) -> Result<Calibration, AccountError> {
    search(name, (lo, hi), trend, (target, 0.0), &at)
}

/// `enough`: a relative width of the bracket beyond which nothing is asked for.
fn search(
    name: &'static str,
    (lo, hi): (f64, f64),
    trend: Trend,
    (target, enough): (&Target, f64),
    at: &dyn Fn(f64) -> Event,
) -> Result<Calibration, AccountError> {
    let goal = target.epsilon.get();
    let mut refusals = Refusals::default();
    let mut evaluate = |x: f64| -> Result<(f64, Option<Report>), AccountError> {
        let report = refusals.note(target.above(&at(x)))?;
        let epsilon = report.as_ref().map_or(f64::INFINITY, |r| r.epsilon_upper);
        Ok((epsilon, report))
    };
    let mut bracket = Bracket {
        safe: None,
        spoiled: None,
    };
    let outward = if trend == Trend::Falls { 1.0 } else { -1.0 };
    let middle = exp(ln(lo) * 0.5 + ln(hi) * 0.5).clamp(lo, hi);
    let is_allocated = likened(&at(middle)).is_some();
    let like = |x: f64| {
        let event = at(x);
        likened(&event).unwrap_or(event)
    };
    // The dearest laws have a guide from a place nearby.
    let guided = is_allocated && target.neighbours == Neighbouring::ReplaceOne;
    let enough = if guided { NEARBY } else { enough };
    let mut guide = None;
    let (mut x, mut factor) = match target.rough() {
        // A lattice costs as much as a hundred Rényi divergences, which end a few percent away.
        Some(rough) if let Ok(found) = search(name, (lo, hi), trend, (&rough, 0.0), at) => {
            (found.value, 1.05)
        }
        // So does a law of random allocation; Poisson samples are inverted.
        None if is_allocated
            && let Ok(found) = search(name, (lo, hi), trend, (target, enough), &like) =>
        {
            if guided {
                guide = Guide::new(&found, |x| target.above(&like(x)));
            }
            (found.value, 1.05)
        }
        _ => (middle, 4.0f64),
    };
    while bracket.safe.is_none() || bracket.spoiled.is_none() {
        let (epsilon, report) = evaluate(x)?;
        let is_safe = epsilon <= goal;
        bracket.note(x, epsilon, report, goal);
        let direction = if is_safe { -outward } else { outward };
        let step = guide.as_mut().and_then(|g| g.step(x, (epsilon, goal)));
        let stride = match step.filter(|step| step * direction > 0.0) {
            Some(step) => exp(step),
            None if direction < 0.0 => 1.0 / factor,
            None => factor,
        };
        let next = (x * stride).clamp(lo, hi);
        if next == x {
            break; // the whole rest of the range is on this side
        }
        (x, factor) = (next, factor * factor.min(1e4));
    }
    let Some((mut value, mut epsilon, mut report)) = bracket.safe else {
        return Err(refusals.or(target.infeasible(name, lo, hi)));
    };
    let Some((mut spoiled, mut spoiled_epsilon)) = bracket.spoiled else {
        return Ok(Calibration {
            value,
            unsafe_value: value,
            report,
        });
    };
    let mut weights = Weights::default();
    for round in 0..ROUNDS {
        let (a, b) = (ln(value), ln(spoiled));
        let close = target.tolerance(report.method, is_allocated);
        let tolerance = if guided { close } else { close.max(enough) };
        let least = 0.4 * tolerance / (b - a).abs();
        if least >= 0.4 {
            break;
        }
        let share = weights.secant((epsilon, spoiled_epsilon), goal, round);
        let x = exp(a + share.clamp(least, 1.0 - least) * (b - a));
        if x == value || x == spoiled {
            break;
        }
        let (e, found) = evaluate(x)?;
        match found {
            Some(found) if e <= goal => {
                (value, epsilon, report) = (x, e, found);
                weights.note(true);
            }
            _ => {
                (spoiled, spoiled_epsilon) = (x, e);
                weights.note(false);
            }
        }
    }
    // The lower end, where it was left out.
    if report.method == Accountant::Exact && is_allocated {
        report = target.report(&at(value))?;
    }
    Ok(Calibration {
        value,
        unsafe_value: spoiled,
        report,
    })
}

/// Where a search among dear laws goes on until both its ends are known: along the slope of ln ε against ln x, at first that of laws
/// about as private.
struct Guide {
    slope: f64,
    /// ln x and ln ε of what was tried last.
    last: Option<(f64, f64)>,
    least: f64,
}

impl Guide {
    /// How much further than the slope says, so that the goal is passed.
    const BEYOND: f64 = 1.1;
    /// The least step at first, and the greatest one.
    const STEPS: (f64, f64) = (4e-7, 0.5);

    fn new(
        found: &Calibration,
        above: impl Fn(f64) -> Result<Report, AccountError>,
    ) -> Option<Self> {
        const NEAR: f64 = 1.01;
        let near = above(found.value * NEAR).ok()?;
        let slope = ln(near.epsilon_upper / found.report.epsilon_upper) / ln(NEAR);
        slope.is_finite().then_some(Self {
            slope,
            last: None,
            least: Self::STEPS.0,
        })
    }

    /// By how much ln x moves from x, at which ε was found; the least step grows, as ε may be rough.
    fn step(&mut self, x: f64, (epsilon, goal): (f64, f64)) -> Option<f64> {
        let here = (ln(x), ln(epsilon));
        if let Some(last) = self.last.replace(here) {
            self.slope = (here.1 - last.1) / (here.0 - last.0);
        }
        let step = Self::BEYOND * (ln(goal) - here.1) / self.slope;
        let size = step.abs().clamp(self.least, Self::STEPS.1);
        self.least *= 4.0;
        step.is_finite().then(|| size.copysign(step))
    }
}

/// What accountants said of values that were tried.
#[derive(Default)]
struct Refusals {
    /// Whether some value had an ε.
    answered: bool,
    /// That a value has no finite one.
    endless: Option<AccountError>,
}

impl Refusals {
    /// The report, if there is one.
    ///
    /// # Errors
    /// A contradiction, which says something of the accountants, not of the value.
    fn note(
        &mut self,
        found: Result<Report, AccountError>,
    ) -> Result<Option<Report>, AccountError> {
        match found {
            Ok(report) => {
                self.answered = true;
                return Ok(Some(report));
            }
            Err(e @ AccountError::Contradiction { .. }) => return Err(e),
            Err(e @ AccountError::NoFiniteEpsilon { .. }) => self.endless = Some(e),
            Err(_) => {}
        }
        Ok(None)
    }

    /// That no value has a finite ε, if none had one and that was said of some; else the error given.
    fn or(self, none: AccountError) -> AccountError {
        self.endless.filter(|_| !self.answered).unwrap_or(none)
    }
}

/// What the two ends' distances from the goal count for: half of that each time the other end alone
/// has moved again, which draws the secant towards the end that stays.
struct Weights {
    safe: f64,
    spoiled: f64,
    last_was_safe: Option<bool>,
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            safe: 1.0,
            spoiled: 1.0,
            last_was_safe: None,
        }
    }
}

impl Weights {
    fn note(&mut self, safe: bool) {
        let again = self.last_was_safe == Some(safe);
        let (moved, stayed) = if safe {
            (&mut self.safe, &mut self.spoiled)
        } else {
            (&mut self.spoiled, &mut self.safe)
        };
        *moved = 1.0;
        *stayed = if again { 0.5 * *stayed } else { 1.0 };
        self.last_was_safe = Some(safe);
    }

    /// Where between the safe end (0) and the spoiled end (1) to try next: the secant of ln ε, or the
    /// middle where ε is 0, infinite or unknown.
    fn secant(&self, (safe, spoiled): (f64, f64), goal: f64, round: usize) -> f64 {
        let before = self.safe * ln(goal / safe);
        let share = before / (before + self.spoiled * ln(spoiled / goal));
        if share.is_finite() && spoiled.is_finite() && round < 40 {
            share
        } else {
            0.5
        }
    }
}

struct Bracket {
    safe: Option<(f64, f64, Report)>,
    spoiled: Option<(f64, f64)>,
}

impl Bracket {
    fn note(&mut self, x: f64, epsilon: f64, report: Option<Report>, goal: f64) {
        match report {
            Some(report) if epsilon <= goal => self.safe = Some((x, epsilon, report)),
            _ => self.spoiled = Some((x, epsilon)),
        }
    }
}

/// The largest number of steps, up to `limit`, for which the event `at(T)` meets the target.
///
/// ```
/// use dp_assay::accounting::calibrate::{Target, steps};
/// use dp_assay::prelude::*;
///
/// let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
/// let target = Target { epsilon, delta, method: Accountant::Exact, neighbours: Neighbouring::AddRemove };
/// // One step needs σ = 3.73; ten times as much is enough for a hundred.
/// let event = |times| Event::Repeated {
///     times,
///     event: Box::new(Event::Gaussian { sigma: 37.4, sensitivity: 1.0 }),
/// };
/// assert_eq!(steps(1000, &target, event)?.value, 100.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Not even one step does.
pub fn steps(
    limit: u64,
    target: &Target,
    at: impl Fn(u64) -> Event,
) -> Result<Calibration, AccountError> {
    whole("number of steps", (1, limit), Trend::Grows, target, at)
}

/// A whole number in \[lo, hi\] of the event `at(x)`: the end of its safe range, as [`parameter`] for real ones. The
/// number is doubled from lo on until the target is met no longer, or for the first time, and bisected then.
///
/// # Errors
/// No number that was tried is safe.
pub fn whole(
    name: &'static str,
    (lo, hi): (u64, u64),
    trend: Trend,
    target: &Target,
    at: impl Fn(u64) -> Event,
) -> Result<Calibration, AccountError> {
    let mut refusals = Refusals::default();
    let mut report = |x: u64| -> Result<Option<Report>, AccountError> {
        let found = refusals.note(target.report(&at(x)))?;
        Ok(found.filter(|r| r.epsilon_upper <= target.epsilon.get()))
    };
    let (mut safe, mut spoiled) = (None, None);
    let mut x = lo;
    loop {
        match report(x)? {
            Some(found) => safe = Some((x, found)),
            None => spoiled = Some(x),
        }
        let turned = match trend {
            Trend::Grows => spoiled.is_some(),
            Trend::Falls => safe.is_some(),
        };
        if turned || x == hi {
            break;
        }
        x = x.saturating_mul(2).max(1).min(hi);
    }
    let Some((mut value, mut found)) = safe else {
        return Err(refusals.or(target.infeasible(name, lo as f64, hi as f64)));
    };
    while let Some(other) = spoiled.filter(|other| value.abs_diff(*other) > 1) {
        let middle = value.midpoint(other);
        match report(middle)? {
            Some(better) => (value, found) = (middle, better),
            None => spoiled = Some(middle),
        }
    }
    Ok(Calibration {
        value: value as f64,
        unsafe_value: spoiled.unwrap_or(value) as f64,
        report: found,
    })
}

#[cfg(test)]
mod tests;
