//! What an audit that found nothing would have found.
//!
//! The alternative: an event of probability p on the likelier side and q = (p − δ)·e^{−x} on the
//! other, that is a pair whose ε at δ is x on this event. After n pairs, the log-wealth of a fixed
//! stake is a sum of n independent terms of known mean μ and variance σ², so it reaches a level T
//! with probability about Φ((nμ − T)/(σ√n)). The level is ln(1/α) plus what learning and hedging
//! cost ([`HEDGING`]), and n is reduced by the share of pairs spent before the event is known
//! ([`LEARNING`]). Both allowances are checked by running audits on mechanisms whose ε is exactly
//! the x stated (`tests/audit/calibration`).

use crate::accounting::root;
use crate::audit::eprocess::{Leg, Slot};
use crate::audit::event::Event;
use crate::audit::shape::{Shape, gaussian_of, gaussian_with, quantile_lower};
use crate::audit::{Guarantee, Power};
use crate::float::normal_tail;

/// The probability with which a stated ε would have been found.
const PROBABILITY: f64 = 0.9;
/// Φ⁻¹(0.9), rounded up.
const QUANTILE: f64 = 1.2816;
/// Nats of wealth kept on other events and stakes: ln 20, a twentieth on the right one.
const HEDGING: f64 = 3.0;
/// Fraction of pairs drawn before the event is known well.
const LEARNING: f64 = 0.25;

/// Times that an output is met among the pairs that teach, in the mean, if it is to be learned: half of them train, where it is then
/// seen less than four times in one of a hundred audits.
const MET: f64 = 20.0;
/// What is rare is known late, and little is staked on it then: of the pairs only this part counts, and of the wealth this part
/// (e⁻²) is on it, beside [`LEARNING`] and [`HEDGING`]. Checked by running audits on such leaks (`tests/audit/evidence.rs`).
const RARE_PAIRS: f64 = 2.0 / 3.0;
const RARE_HEDGING: f64 = 0.135;

/// The smallest ε that an audit of `samples` pairs at error `alpha` finds with probability 0.9 on
/// an event of probability `mass`; `None` if none is found so.
pub(crate) fn detectable(claim: Guarantee, mass: f64, samples: u64, alpha: f64) -> Option<Power> {
    let (epsilon, delta) = (claim.epsilon.get(), claim.delta.get());
    let bet = against(claim);
    let seen = |x: f64| {
        let other = (mass - delta) * (-x).exp();
        mass > delta && is_seen(&bet, mass, other, samples, alpha)
    };
    // e^{-50} is far below what any number of samples can tell from zero.
    let most = epsilon + 50.0;
    if !seen(most) {
        return None;
    }
    let (_, found) = root::halve(epsilon, most, 60, |x| !seen(x));
    Some(Power {
        epsilon: found,
        probability: PROBABILITY,
        event_mass: mass,
    })
}

/// The smallest probability from which on such an audit finds an output that one input gives and the other never, with
/// probability 0.9, if every event is learned from `taught` pairs; `None` if none is found so.
pub(crate) fn detectable_leak(
    claim: Guarantee,
    samples: u64,
    taught: u64,
    alpha: f64,
) -> Option<f64> {
    let [pairs, error] = [samples as f64 * RARE_PAIRS, alpha * RARE_HEDGING];
    let bet = against(claim);
    let unseen = |mass: f64| !is_seen(&bet, mass, 0.0, pairs as u64, error);
    let (_, seen) = (!unseen(1.0)).then(|| root::halve(claim.delta.get(), 1.0, 60, unseen))?;
    let met = MET / taught.max(1) as f64;
    (met <= 1.0).then(|| seen.max(met))
}

/// The smallest ε at the claimed δ that such an audit finds, if the pair's shape is Gaussian: over
/// events of several sizes and all points of the curve that are bet on.
pub(crate) fn detectable_gaussian(
    claim: Guarantee,
    implied: &[Guarantee],
    samples: u64,
    alpha: f64,
) -> Option<Power> {
    // Neither bets nor events depend on the shape that is looked for.
    let bets: Vec<Slot> = implied.iter().map(|claim| against(*claim)).collect();
    let events: [(f64, f64); 19] = std::array::from_fn(|i| {
        let mass = 0.05 * (i + 1) as f64;
        (mass, quantile_lower(mass))
    });
    let seen_by = |mu: f64| {
        let seen = events.iter().find(|(mass, quantile)| {
            let other = normal_tail(mu - quantile);
            bets.iter()
                .any(|bet| is_seen(bet, *mass, other, samples, alpha))
        });
        seen.map(|(mass, _)| *mass)
    };
    seen_by(40.0)?;
    let claimed = gaussian_of(claim).ok()?.mu();
    let (_, found) = root::halve(claimed, 40.0, 60, |mu| seen_by(mu).is_none());
    Some(Power {
        epsilon: gaussian_with(found)?.epsilon(claim.delta).ok()?.hi,
        probability: PROBABILITY,
        event_mass: seen_by(found)?,
    })
}

/// Pairs that an audit draws if it is told no number.
pub(crate) const USUAL_TRIALS: u64 = 100_000;
/// Probability of the event for which the cost of seeing more is reckoned.
const RARE: f64 = 0.1;
/// What a pass must see if nobody says, as multiples of the claim: the least that [`USUAL_TRIALS`] see on an event
/// of probability [`RARE`], at most twice the claim, and never below [`LEAST_SEEN`].
const ASKED: [f64; 2] = [1.25, 1.5];
const ASKED_AT_MOST: f64 = 2.0;
const LEAST_SEEN: f64 = 0.1;

/// The ε that an audit of `trials` pairs sees, by the shape declared.
pub(crate) fn seen(
    claim: Guarantee,
    shape: &Shape,
    mass: f64,
    trials: u64,
    alpha: f64,
) -> Option<Power> {
    match shape {
        Shape::Gaussian => {
            let implied = shape.implied(claim).ok()?;
            detectable_gaussian(claim, &implied, trials, alpha)
        }
        _ => detectable(claim, mass, trials, alpha),
    }
}

/// The ε that a pass must be able to see, of an audit that bets with error `alpha` and is told none.
pub(crate) fn must_see(claim: Guarantee, shape: &Shape, alpha: f64) -> f64 {
    let cheap = seen(claim, shape, RARE, USUAL_TRIALS, alpha).map_or(f64::INFINITY, |p| p.epsilon);
    let epsilon = claim.epsilon.get();
    let factor = ASKED.into_iter().find(|factor| cheap <= factor * epsilon);
    // Of a claim near the largest double, too, a pass asks for more than it says.
    (factor.unwrap_or(ASKED_AT_MOST) * epsilon).clamp(LEAST_SEEN, f64::MAX)
}

/// About how many pairs see `target` on an event of probability `mass`; `None` if 2³² do not.
pub(crate) fn pairs_to_see(
    target: f64,
    claim: Guarantee,
    shape: &Shape,
    mass: f64,
    alpha: f64,
) -> Option<u64> {
    let sees =
        |trials: u64| seen(claim, shape, mass, trials, alpha).is_some_and(|p| p.epsilon <= target);
    // Eight steps for each doubling, written with two digits.
    let steps = (24..=256).map(|step| two_digits(2_f64.powf(f64::from(step) / 8.0)));
    let steps: Vec<u64> = steps.collect();
    let enough = steps.partition_point(|trials| !sees(*trials));
    steps.get(enough).copied()
}

/// A number of pairs rounded up to two digits.
fn two_digits(n: f64) -> u64 {
    let unit = 10_f64.powf((n.log10().floor() - 1.0).max(0.0));
    ((n / unit).ceil() * unit).min(2_f64.powi(32)) as u64
}

/// The stakes against a claim, on an event of which only the probabilities matter here.
fn against(claim: Guarantee) -> Slot {
    Slot::alone(&Leg {
        event: Event::Missing { column: 0 },
        forward: true,
        ratio: claim.epsilon.get().exp(),
        delta: claim.delta.get(),
    })
}

/// Whether some stake of a bet reaches the level with the probability asked for.
fn is_seen(bet: &Slot, mass: f64, other: f64, samples: u64, alpha: f64) -> bool {
    let pairs = samples as f64 * (1.0 - LEARNING);
    let level = HEDGING - alpha.ln();
    bet.log_moments(mass, other)
        .any(|(mean, variance)| pairs * mean - QUANTILE * (pairs * variance).sqrt() >= level)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::steady;

    /// By the test of Neyman and Pearson nobody tells fewer than about ln(1/α)/ε² pairs apart at the claim 0; a hundred times
    /// as many are enough, and with more of them less is seen.
    #[test]
    fn what_is_seen_of_gaussian_noise_falls_with_the_samples_to_the_claim() {
        let claim = Guarantee::new(1.0, 1e-5).expect("in the domain");
        let implied = Shape::Gaussian.implied(claim).expect("a curve");
        let seen = |samples| detectable_gaussian(claim, &implied, samples, 1e-6).expect("some ε");
        let found = [1_000, 10_000, 100_000, 1_000_000, 100_000_000].map(seen);
        for pair in found.windows(2) {
            assert!(pair[1].epsilon < pair[0].epsilon, "{found:?}");
        }
        for power in &found {
            assert!(
                power.epsilon > 1.0 && power.event_mass > 0.0 && power.event_mass < 1.0,
                "{power:?}"
            );
        }
        assert!(
            found[0].epsilon > 1.3 && found[4].epsilon < 1.02,
            "{found:?}"
        );
    }

    /// What would be seen, of any shape and size, to the last bit.
    #[test]
    fn what_is_seen_is_what_it_was() {
        let claim = Guarantee::new(1.0, 1e-3).expect("in the domain");
        let implied = Shape::Gaussian.implied(claim).expect("a curve");
        let of = |power: Option<Power>| power.map_or([0.0; 2], |p| [p.epsilon, p.event_mass]);
        let mut found = Vec::new();
        for (mass, samples) in [(0.1, 100_000), (0.5, 2000), (0.01, 3000), (1e-4, 1 << 30)] {
            found.extend(of(detectable(claim, mass, samples, 1e-6)));
        }
        for samples in [1000, 50_000] {
            found.extend(of(detectable_gaussian(claim, &implied, samples, 1e-6)));
        }
        for (samples, taught) in [
            (100_000, 4096),
            (5000, 4096),
            (100_000, 1 << 20),
            (10, 4096),
            (5000, 10),
        ] {
            found.push(detectable_leak(claim, samples, taught, 1e-6).unwrap_or(-1.0));
        }
        for (shape, epsilon) in [
            (Shape::Unknown, 1.0),
            (Shape::Unknown, 0.01),
            (Shape::Unknown, 6.0),
            (Shape::Gaussian, 1.0),
        ] {
            let claim = Guarantee::new(epsilon, 1e-3).expect("in the domain");
            let pairs = pairs_to_see(1.7 * epsilon, claim, &shape, 0.2, 1e-6);
            found.extend([
                must_see(claim, &shape, 1e-6),
                pairs.map_or(-1.0, |n| n as f64),
            ]);
        }
        // Twice the claim is no double: what sees nothing passes no such claim either.
        let claim = Guarantee::new(1.2e308, 0.0).expect("in the domain");
        assert_eq!(must_see(claim, &Shape::Unknown, 1e-6), f64::MAX);
        found.extend([8.0, 97.2, 100.0, 101.0, 1234.0, 5e9].map(|n| two_digits(n) as f64));
        steady::holds(
            &found,
            "1.1615644080808696 0.1 1.5024745704906948 0.5 0.0 0.0 0.0 0.0 2.608460094385386
                0.65 1.2045000256811076 0.6000000000000001 0.0048828125 0.03199070122809205
                0.002774976305685609 -1.0 -1.0 1.25 3500.0 0.1 13000000.0 12.0 61000.0 1.25
                4900.0 8.0 98.0 100.0 110.0 1300.0 4294967296.0",
        );
    }
}
