//! The events that several tests ask about, and the answers to them, both ends.

use dp_assay::accounting::{AccountError, Accountant, Event, Report, account, account_of_larger};
use dp_assay::units::{Delta, Neighbouring};
use rand::RngExt;
use rand_pcg::Pcg64;

/// Noise on a sum that a record moves by 1.
pub fn gaussian(sigma: f64) -> Box<Event> {
    moving(sigma, 1.0)
}

pub fn moving(sigma: f64, sensitivity: f64) -> Box<Event> {
    Box::new(Event::Gaussian { sigma, sensitivity })
}

pub fn poisson(rate: f64, event: Box<Event>) -> Event {
    Event::PoissonSampled { rate, event }
}

pub fn allocated(steps: u64, participations: u64, sigma: f64) -> Event {
    Event::RandomAllocation {
        steps,
        participations,
        event: gaussian(sigma),
    }
}

pub fn binned(bins: u64, event: Box<Event>) -> Event {
    Event::BallsInBins { bins, event }
}

pub fn repeated(times: u64, event: Event) -> Event {
    let event = Box::new(event);
    Event::Repeated { times, event }
}

pub fn asked(event: &Event, delta: f64, neighbours: Neighbouring) -> Result<Report, AccountError> {
    let delta = Delta::new(delta).expect("a delta");
    account(event, delta, Accountant::Auto, neighbours, true)
}

/// What has an answer, whose ends are in order.
pub fn report(event: &Event, delta: f64, neighbours: Neighbouring) -> Report {
    let found = asked(event, delta, neighbours).unwrap_or_else(|e| panic!("{event:?}: {e}"));
    assert!(
        found.epsilon_lower <= found.epsilon_upper,
        "{event:?}: {found:?}"
    );
    found
}

/// Both ends where of two neighbours that differ in their size the larger has the event's records.
pub fn of_larger(event: &Event, delta: f64, neighbours: Neighbouring) -> Report {
    let delta = Delta::new(delta).expect("a delta");
    let found = account_of_larger(event, delta, Accountant::Auto, neighbours, true);
    found.unwrap_or_else(|e| panic!("{event:?} {neighbours}: {e}"))
}

/// The upper end alone, which takes less.
pub fn upper(event: &Event, delta: f64, neighbours: Neighbouring) -> f64 {
    let delta = Delta::new(delta).expect("a delta");
    let found = account(event, delta, Accountant::Auto, neighbours, false);
    let found = found.unwrap_or_else(|e| panic!("{event:?} {neighbours}: {e}"));
    found.epsilon_upper
}

/// Relative distance of both ends.
pub fn width(found: &Report) -> f64 {
    1.0 - found.epsilon_lower / found.epsilon_upper
}

pub fn near(a: f64, b: f64, tolerance: f64) -> bool {
    (a - b).abs() <= tolerance * b.abs()
}

/// A standard normal number.
pub fn normal(rng: &mut Pcg64) -> f64 {
    let (u, v): (f64, f64) = (
        rng.random_range(f64::MIN_POSITIVE..1.0),
        rng.random_range(0.0..1.0),
    );
    (-2.0 * u.ln()).sqrt() * (2.0 * std::f64::consts::PI * v).cos()
}

/// That no profile δ(ε) = E(1 − e^ε·x)₊ of what was drawn is above δ at the upper end, and one at least not below it at the
/// lower, within five standard errors.
pub fn stands_up(event: &Event, found: &Report, delta: f64, drawn: &[Vec<f64>]) {
    let at = |epsilon: f64, drawn: &[f64]| {
        let values = drawn.iter().map(|x| (1.0 - epsilon.exp() * x).max(0.0));
        let (sum, squares) = values.fold((0.0, 0.0), |(s, q), v| (s + v, q + v * v));
        let runs = drawn.len() as f64;
        let mean = sum / runs;
        (mean, ((squares / runs - mean * mean) / runs).sqrt())
    };
    let above = |side: &Vec<f64>| {
        let (mean, deviation) = at(found.epsilon_upper, side);
        mean - 5.0 * deviation > delta
    };
    assert!(!drawn.iter().any(above), "{event:?}: {found:?} is unsafe");
    let reached = |side: &Vec<f64>| {
        let (mean, deviation) = at(found.epsilon_lower, side);
        mean + 5.0 * deviation >= delta
    };
    let said = format!("{event:?}: {found:?}'s lower end is too high");
    assert!(drawn.iter().any(reached), "{said}");
}
