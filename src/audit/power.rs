//! What an audit that found nothing would have found.
//!
//! The alternative: an event of probability p on the likelier side and q = (p − δ)·e^{−x} on the
//! other, that is a pair whose ε at δ is x on this event. After n pairs, the log-wealth of a fixed
//! stake is a sum of n independent terms of known mean μ and variance σ², so it reaches a level T
//! with probability about Φ((nμ − T)/(σ√n)). The level is ln(1/α) plus what learning and hedging
//! cost ([`HEDGING`]), and n is reduced by the share of pairs spent before the event is known
//! ([`LEARNING`]). Both allowances are checked by running audits on mechanisms whose ε is exactly
//! the x stated (`tests/audit/calibration`).

use crate::accounting::float::normal_tail;
use crate::audit::eprocess::{Leg, Slot};
use crate::audit::event::Event;
use crate::audit::shape::{gaussian_of, gaussian_with, quantile_lower};
use crate::audit::{Claim, Power};

/// The probability with which a stated ε would have been found.
const PROBABILITY: f64 = 0.9;
/// Φ⁻¹(0.9), rounded up.
const QUANTILE: f64 = 1.2816;
/// Nats of wealth kept on other events and stakes: ln 20, a twentieth on the right one.
const HEDGING: f64 = 3.0;
/// Fraction of pairs drawn before the event is known well.
const LEARNING: f64 = 0.25;

/// The smallest ε that an audit of `samples` pairs at error `alpha` finds with probability 0.9 on
/// an event of probability `mass`; `None` if none is found so.
pub(crate) fn detectable(claim: Claim, mass: f64, samples: u64, alpha: f64) -> Option<Power> {
    let (epsilon, delta) = (claim.epsilon.get(), claim.delta.get());
    let seen = |x: f64| {
        let other = (mass - delta) * (-x).exp();
        mass > delta && is_seen(claim, mass, other, samples, alpha)
    };
    // e^{-50} is far below what any number of samples can tell from zero.
    let (mut missed, mut found) = (epsilon, epsilon + 50.0);
    if !seen(found) {
        return None;
    }
    for _ in 0..60 {
        let middle = 0.5 * (missed + found);
        if seen(middle) {
            found = middle;
        } else {
            missed = middle;
        }
    }
    Some(Power {
        epsilon: found,
        probability: PROBABILITY,
        event_mass: mass,
    })
}

/// The smallest ε at the claimed δ that such an audit finds, if the pair's shape is Gaussian: over
/// events of several sizes and all points of the curve that are bet on.
pub(crate) fn detectable_gaussian(
    claim: Claim,
    implied: &[Claim],
    samples: u64,
    alpha: f64,
) -> Option<Power> {
    let seen_by = |mu: f64| {
        (1..20).map(|i| 0.05 * f64::from(i)).find(|mass| {
            let other = normal_tail(mu - quantile_lower(*mass));
            implied
                .iter()
                .any(|c| is_seen(*c, *mass, other, samples, alpha))
        })
    };
    let (mut missed, mut found) = (gaussian_of(claim).ok()?.mu(), 40.0);
    seen_by(found)?;
    for _ in 0..60 {
        let middle = 0.5 * (missed + found);
        if seen_by(middle).is_some() {
            found = middle;
        } else {
            missed = middle;
        }
    }
    Some(Power {
        epsilon: gaussian_with(found)?.epsilon(claim.delta).ok()?.hi,
        probability: PROBABILITY,
        event_mass: seen_by(found)?,
    })
}

/// Whether some stake reaches the level with the probability asked for.
fn is_seen(claim: Claim, mass: f64, other: f64, samples: u64, alpha: f64) -> bool {
    let leg = Leg {
        event: Event::Missing { column: 0 }, // only its probabilities matter here
        forward: true,
        ratio: claim.epsilon.get().exp(),
        delta: claim.delta.get(),
    };
    let pairs = samples as f64 * (1.0 - LEARNING);
    let level = HEDGING - alpha.ln();
    Slot::alone(&leg)
        .log_moments(mass, other)
        .any(|(mean, variance)| pairs * mean - QUANTILE * (pairs * variance).sqrt() >= level)
}
