//! A private estimate of the smoothness constants.
//!
//! Features lie in \[−B, B\], so that a replaced record moves each of the mean squares q_j = (1/n) Σ_i x_ij² by at most
//! B²/n, and all of them by at most √p·B²/n. They are released once with Gaussian noise, and
//!
//!   M_j = sup ℓ″·min(q̃_j + z·σ, B²) + ridge,   z = √(2 ln(p/2β)),
//!
//! is a function of that release. By Pr\[N(0, 1) > z\] ≤ ½e^{−z²/2} and a union over the coordinates all M_j are at least
//! the true ones with probability 1 − β. The guarantee does not depend on it: an M_j that is too small makes
//! a step too long.

use super::{FitError, Privacy, Request};
use crate::accounting::gaussian::calibrate_sigma;
use crate::accounting::{self, AccountError, Event};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::{Constants, Problem};
use crate::units::{Delta, Epsilon, Neighbouring, Sensitivity, fraction};
use serde::Serialize;

/// β.
const FAILURE: f64 = 0.05;
/// The tape's trial of the estimate: the solvers take trial 0.
const TRIAL: u64 = 1;

/// What was released about the smoothness of the problem, and what it cost.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// ε spent on it, never below the truth.
    pub epsilon_upper: f64,
    /// δ spent on it.
    pub delta: f64,
    /// ℓ₂ sensitivity of the mean squares.
    pub sensitivity: f64,
    /// Standard deviation of the noise on each of them.
    pub deviation: f64,
    /// β: with at most this probability some M_j is below the true one.
    pub failure: f64,
    /// M_j, p entries: the release.
    pub smoothness: Vec<f64>,
}

impl Estimate {
    /// Spends the request's share of the budget on an estimate for a problem whose features lie in \[−B, B\].
    pub(super) fn new(problem: &Problem, request: &Request) -> Result<Self, FitError> {
        if request.neighbours != Neighbouring::ReplaceOne {
            let choice = format!("a private estimate under {} neighbours", request.neighbours);
            return Err(super::outcome::unsupported(request, choice));
        }
        let (epsilon, delta) = share(request)?;
        let sensitivity = sensitivity(problem, request.bound);
        let unit = Sensitivity::new(sensitivity).map_err(AccountError::from)?;
        // The product of noise and deviation rounds once, the sum once.
        let deviation = calibrate_sigma(unit, epsilon, delta)?.hi * (1.0 + 2.0 * f64::EPSILON);
        let mut estimate = Self {
            epsilon_upper: epsilon.get(),
            delta: delta.get(),
            sensitivity,
            deviation,
            failure: FAILURE,
            smoothness: Vec::new(),
        };
        estimate.smoothness = estimate.release(problem, request);
        Ok(estimate)
    }

    fn release(&self, problem: &Problem, request: &Request) -> Vec<f64> {
        let (n, p) = (problem.records() as f64, problem.features());
        let largest = request.bound * request.bound;
        let margin = (2.0 * (p as f64 / (2.0 * FAILURE)).ln()).sqrt() * self.deviation;
        let mut words = Tape::new(request.seed)
            .trial(TRIAL)
            .stream(0, Purpose::Release, 0);
        let entry = |j: usize| {
            let square = problem.data().design().column(j).sum_of_squares() / n;
            let noisy = square + self.deviation * words.uniform().gaussian();
            // Below the noise nothing is known, and M_j must be > 0.
            let upper = (noisy + margin).max(self.deviation).min(largest);
            problem.loss().curvature() * upper + problem.ridge()
        };
        (0..p).map(entry).collect()
    }

    /// The problem with the released constants.
    pub(super) fn applied(&self, problem: Problem, request: &Request) -> Result<Problem, FitError> {
        let l = problem.loss().slope() * request.bound;
        let lipschitz = vec![l; problem.features()];
        let constants = Constants::new(lipschitz, self.smoothness.clone())?;
        Ok(problem.with_constants(constants)?)
    }

    /// The same request with what is left of its budget.
    pub(super) fn rest(&self, request: &Request) -> Result<Request, FitError> {
        let (epsilon, delta) = (request.epsilon.get(), request.delta.get());
        // Rounded down, so that the parts are together at most the whole.
        let left = |whole: f64, part: f64| (whole - part).next_down().max(0.0);
        Ok(Request {
            epsilon: Epsilon::new(left(epsilon, self.epsilon_upper)).map_err(AccountError::from)?,
            delta: Delta::new(left(delta, self.delta)).map_err(AccountError::from)?,
            ..request.clone()
        })
    }

    /// The guarantee of estimate and method together: the sum of both, or what the accountant makes of both trees if
    /// that is less.
    pub(super) fn added_to(self, method: Privacy, request: &Request) -> Result<Privacy, FitError> {
        let own = Event::Gaussian {
            sigma: self.deviation,
            sensitivity: self.sensitivity,
        };
        let mut whole = Privacy {
            epsilon_upper: (self.epsilon_upper + method.epsilon_upper).next_up(),
            delta: request.delta.get(),
            theorem: format!(
                "basic composition with a Gaussian mechanism; {}",
                method.theorem
            ),
            claims: method.claims.and("acc-basic").and("acc-gaussian"),
            event: Event::Composed {
                events: vec![own, method.event],
            },
            ..method
        };
        let auto = accounting::Accountant::Auto;
        let (delta, neighbours) = (request.delta, request.neighbours);
        let report = accounting::account(&whole.event, delta, auto, neighbours, false)?;
        if report.epsilon_upper < whole.epsilon_upper {
            whole.epsilon_upper = report.epsilon_upper;
            whole.theorem = report.theorem;
            whole.claims = report.claims;
        }
        whole.estimate = Some(self);
        Ok(whole)
    }
}

/// The part of the budget that the estimate gets.
fn share(request: &Request) -> Result<(Epsilon, Delta), FitError> {
    let value = request.share;
    fraction("share", value)?;
    let part = |whole: f64| value * whole;
    Ok((
        Epsilon::new(part(request.epsilon.get())).map_err(AccountError::from)?,
        Delta::new(part(request.delta.get())).map_err(AccountError::from)?,
    ))
}

/// √p·B²/n, with the rounding of the computed means: a sum of n terms of at most B² is off by at most n·nuB², its mean by
/// (n + 2)uB² on either side (u = 2⁻⁵³), and the last products here by 4u.
fn sensitivity(problem: &Problem, bound: f64) -> f64 {
    let (n, p) = (problem.records() as f64, problem.features() as f64);
    let one = bound * bound * (1.0 / n + (n + 2.0) * f64::EPSILON);
    p.sqrt() * one * (1.0 + 4.0 * f64::EPSILON)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::four_points;
    use crate::solver::fit::{LossName, Method};

    fn request(seed: u64, share: f64) -> Request {
        let budget = (
            Epsilon::new(1.0).expect("in range"),
            Delta::new(1e-6).expect("in range"),
        );
        Request {
            seed,
            share,
            ..Request::new(Method::Gd, LossName::Logistic, budget)
        }
    }

    #[test]
    fn none_and_all_of_a_budget_are_no_share() {
        for value in [0.0, 1.0, -0.5, f64::NAN] {
            assert!(share(&request(1, value)).is_err(), "{value}");
        }
        assert_eq!(share(&request(1, 0.5)).expect("a share").0.get(), 0.5);
    }

    /// Some M_j is below the true one with probability β = 0.05 at most: of 200 more than 25 times with probability 10⁻⁵. None is
    /// above it by ten deviations of the noise: the allowance for β is below three, and of 400 numbers none is seven above its
    /// mean but with probability 10⁻⁹.
    #[test]
    fn estimates_are_above_the_truth() {
        let problem = four_points();
        let estimate = Estimate {
            epsilon_upper: 0.1,
            delta: 1e-7,
            sensitivity: 1.0,
            deviation: 1e-3,
            failure: FAILURE,
            smoothness: Vec::new(),
        };
        let truth = [0, 1].map(|j| {
            let column = problem.data().design().column(j);
            problem.loss().curvature() * column.sum_of_squares() / 4.0
        });
        let below = |seed: &u64| {
            let found = estimate.release(&problem, &request(*seed, 0.1));
            let pairs = || found.iter().zip(&truth);
            assert!(pairs().all(|(m, t)| *m < t + 0.01), "{found:?}");
            pairs().any(|(m, t)| m < t)
        };
        let failed = (0..200).filter(below).count();
        assert!(failed <= 25, "{failed}");
    }
}
