//! Certified privacy profiles of the calibrations that the check speaks of, each beside its claim.

use super::fits::{CALIBRATIONS, STEPS, budget, config};
use dp_assay::accounting::{AccountError, Accountant, Event, account};
use dp_assay::problem::Problem;
use dp_assay::report::{Profile, ProfilePoint};
use dp_assay::units::{Delta, Neighbouring};
use std::error::Error;

/// Powers of ten of δ at which a profile is computed.
const POWERS: std::ops::RangeInclusive<i32> = -12..=-1;

/// The calibrations of the fits, and Theorem 4.1 of DP-SkGD for the same budget.
pub fn profiles(problem: &Problem) -> Result<Vec<Profile>, Box<dyn Error>> {
    let mut events = Vec::new();
    for (calibration, name) in CALIBRATIONS {
        let config = config(problem, calibration)?;
        let name = format!("DP-GCD, {STEPS} steps, noise {name}");
        events.push((name, config.event(problem)?, config.claim()));
    }
    let (epsilon, delta) = budget(problem)?;
    events.push((
        "DP-SkGD, Theorem 4.1 as printed".into(),
        theorem_4_1(epsilon.get(), delta.get()),
        // K·T steps whose noise does not depend on the data are one Gaussian mechanism.
        "decor-aux-simulate",
    ));
    let profile = |(name, event, claim)| profile((name, claim), &event, (epsilon.get(), delta));
    Ok(events
        .into_iter()
        .map(profile)
        .collect::<Result<_, AccountError>>()?)
}

/// σ_U² = 12 L_U² KT ln(1/δ)/(n²ε²) against a sensitivity of 2L_U/n: K·T steps compose to one Gaussian
/// of standard deviation √(3 ln(1/δ))/ε per unit of sensitivity, whatever K and T.
fn theorem_4_1(epsilon: f64, delta: f64) -> Event {
    let sigma = (-3.0 * delta.ln()).sqrt() / epsilon;
    Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    }
}

fn profile(
    (name, rests_on): (String, &'static str),
    event: &Event,
    (claimed, delta): (f64, Delta),
) -> Result<Profile, AccountError> {
    let relation = Neighbouring::ReplaceOne;
    let at = |delta| account(event, delta, Accountant::Auto, relation, false);
    let claim = at(delta)?;
    let mut points = Vec::new();
    for power in POWERS.rev() {
        let delta = Delta::new(10_f64.powi(power))?;
        let epsilon_upper = at(delta)?.epsilon_upper;
        points.push(ProfilePoint {
            delta: delta.get(),
            epsilon_upper,
        });
    }
    Ok(Profile {
        mechanism: name,
        claimed,
        delta: delta.get(),
        epsilon_at_claim: claim.epsilon_upper,
        neighbours: relation,
        theorem: claim.theorem,
        claim: rests_on,
        points,
    })
}
