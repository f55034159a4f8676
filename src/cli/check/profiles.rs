//! Certified privacy profiles of the calibrations that the check speaks of, each beside its claim.

use super::fits::{CLIP, STEPS, budget, calibrations};
use dp_assay::accounting::{AccountError, Event, Method, account};
use dp_assay::problem::Problem;
use dp_assay::report::{Profile, ProfilePoint};
use dp_assay::solver::gcd;
use dp_assay::units::{Delta, Neighbouring};
use std::error::Error;

/// Powers of ten of δ at which a profile is computed.
const POWERS: std::ops::RangeInclusive<i32> = -12..=-1;

/// The calibrations of the fits, and Theorem 4.1 of DP-SkGD for the same budget.
pub fn profiles(problem: &Problem) -> Result<Vec<Profile>, Box<dyn Error>> {
    let mut events = Vec::new();
    for (calibration, name, _) in calibrations() {
        let event = transcript(problem, calibration)?;
        events.push((format!("DP-GCD, {STEPS} steps, noise {name}"), event));
    }
    let (epsilon, delta) = budget(problem)?;
    events.push((
        "DP-SkGD, Theorem 4.1 as printed".into(),
        theorem_4_1(epsilon.get(), delta.get()),
    ));
    let profile = |(name, event): (String, Event)| profile(name, &event, (epsilon.get(), delta));
    Ok(events
        .into_iter()
        .map(profile)
        .collect::<Result<_, AccountError>>()?)
}

/// DP-GCD's transcript: in each step a selection and a release, private by the scales that the
/// calibration chose.
fn transcript(problem: &Problem, calibration: gcd::Calibration) -> Result<Event, Box<dyn Error>> {
    let clipping = problem.constants().clipping_thresholds(CLIP)?;
    let sensitivities = gcd::sensitivities(problem, Some(&clipping))?;
    let smoothness = problem.constants().smoothness();
    let (epsilon, delta) = budget(problem)?;
    let scales = calibration.scales(epsilon, delta, STEPS, &sensitivities, smoothness)?;
    // At ε′ = 1 the proved scales are the sensitivities themselves; dividing them by the scales in
    // use gives each coordinate's ε, and the worst coordinate counts.
    let unit = gcd::PerAccess {
        epsilon: 1.0,
        selection: gcd::SelectionScale::NoisyMax,
    };
    let unit = unit.scales(&sensitivities, smoothness)?;
    let worst = |needed: &[f64], used: &[f64]| {
        let ratios = needed.iter().zip(used).map(|(n, u)| n / u);
        // Two roundings, both covered by the steps to the next double but two.
        ratios.fold(0.0, f64::max).next_up().next_up()
    };
    let pure = |epsilon: f64| Event::Repeated {
        times: STEPS as u64,
        event: Box::new(Event::Pure { epsilon }),
    };
    let (selection, release) = (
        worst(unit.selection(), scales.selection()),
        worst(unit.release(), scales.release()),
    );
    Ok(Event::Composed {
        events: vec![pure(selection), pure(release)],
    })
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
    name: String,
    event: &Event,
    (claimed, delta): (f64, Delta),
) -> Result<Profile, AccountError> {
    let relation = Neighbouring::ReplaceOne;
    let at = |delta| account(event, delta, Method::Auto, relation, false);
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
        points,
    })
}
