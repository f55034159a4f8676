//! The specification's certified oracle, asked about an event tree.
//!
//! Everything is computed anew by outward-rounded arithmetic of arbitrary precision, from the laws of
//! the mechanisms to the composed profile ([`dp_assay_spec::privacy::pld`]): nothing is shared with
//! the accountants of this crate but the event tree.

use super::AccountError;
use super::event::{Event, Sampling, Step};
use crate::units::{Delta, Neighbouring};
use dp_assay_spec::arith::Interval;
use dp_assay_spec::privacy::choice::randomized_response_pair;
use dp_assay_spec::privacy::laplace::{Laplace, discrete_laplace_pair};
use dp_assay_spec::privacy::pld::{Release, Transcript};
use dp_assay_spec::privacy::subsampled::PoissonGaussian;
use dp_assay_spec::privacy::{FinitePair, Gdp, PrivacyError};
use serde::Serialize;

/// Both ends of the least ε of an event at a δ, certified.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Certified {
    /// The event is not (ε, δ)-DP for any smaller ε.
    pub epsilon_lower: f64,
    /// The event is (ε, δ)-DP with this ε.
    pub epsilon_upper: f64,
}

/// Encloses the least ε of an event at δ to within `width` if grids of 2²² losses suffice. The mechanisms
/// are those whose dominating pair the specification composes: Gaussian, GDP, Laplace, discrete
/// Laplace, randomised response, (ε, δ)-DP, and the Poisson-subsampled Gaussian under add/remove or
/// zero-out neighbours.
///
/// ```no_run
/// use dp_assay::accounting::oracle::certify;
/// use dp_assay::prelude::*;
///
/// // Slow, hence not run here: both ends of the ε of Gaussian noise with Δ/σ = 1, 4.38 nats at δ = 10⁻⁵.
/// let event = Event::Gaussian { sigma: 1.0, sensitivity: 1.0 };
/// let found = certify(&event, Delta::new(1e-5)?, Neighbouring::AddRemove, 1e-3)?;
/// assert!(found.epsilon_lower < 4.378 && 4.377 < found.epsilon_upper);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range; a mechanism that the oracle does not know under this relation; δ outside
/// (0, 1), or one for which it finds no finite ε.
pub fn certify(
    event: &Event,
    delta: Delta,
    neighbours: Neighbouring,
    width: f64,
) -> Result<Certified, AccountError> {
    let delta = Interval::from_f64(delta.get());
    let mut worst = Interval::from(0);
    for steps in event.steps(neighbours)? {
        let transcript = transcript(&steps, neighbours)?;
        worst = worst.max(&transcript.epsilon_within(&delta, width).map_err(refused)?);
    }
    Ok(Certified {
        epsilon_lower: worst.lo_f64(),
        epsilon_upper: worst.hi_f64(),
    })
}

/// The steps as the specification describes them.
///
/// ```
/// use dp_assay::accounting::oracle::transcript;
/// use dp_assay::prelude::*;
///
/// let neighbours = Neighbouring::AddRemove;
/// let known = Event::Laplace { scale: 2.0, sensitivity: 1.0 };
/// assert!(transcript(&known.steps(neighbours)?[0], neighbours).is_ok());
/// // No single pair of laws stands for every mechanism with ρ-zCDP.
/// let unknown = Event::Zcdp { rho: 0.5 };
/// assert!(transcript(&unknown.steps(neighbours)?[0], neighbours).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`certify`].
pub fn transcript(steps: &[Step], neighbours: Neighbouring) -> Result<Transcript, AccountError> {
    let told = |step: &Step| Ok((release(step, neighbours)?, step.count));
    let releases: Result<Vec<_>, AccountError> = steps.iter().map(told).collect();
    Ok(Transcript::new(releases?))
}

fn release(step: &Step, neighbours: Neighbouring) -> Result<Release, AccountError> {
    let exact = Interval::from_f64;
    let per_record = matches!(neighbours, Neighbouring::AddRemove | Neighbouring::ZeroOut);
    let found = match (&step.mechanism, step.sampling) {
        (Event::Gaussian { sigma, sensitivity }, Sampling::None) => {
            Gdp::mechanism(&exact(*sigma), &exact(*sensitivity)).map(Release::Gaussian)
        }
        (Event::Gdp { mu }, Sampling::None) => Gdp::new(exact(*mu)).map(Release::Gaussian),
        (Event::Gaussian { sensitivity, .. }, Sampling::Poisson(_)) if *sensitivity == 0.0 => {
            Gdp::new(exact(0.0)).map(Release::Gaussian)
        }
        (Event::Gaussian { sigma, sensitivity }, Sampling::Poisson(rate)) if per_record => {
            let noise = &exact(*sigma) / &exact(*sensitivity);
            PoissonGaussian::new(exact(rate), noise).map(Release::PoissonGaussian)
        }
        (Event::Laplace { scale, sensitivity }, Sampling::None) => {
            Laplace::new(&exact(*scale), &exact(*sensitivity)).map(Release::Laplace)
        }
        (
            Event::DiscreteLaplace {
                parameter,
                sensitivity,
            },
            Sampling::None,
        ) => discrete_laplace_pair(&exact(*parameter), integer(*sensitivity)?).map(Release::Finite),
        (Event::RandomizedResponse { noise, buckets }, Sampling::None) => {
            response(*noise, integer(*buckets)?, neighbours)?.map(Release::Finite)
        }
        (Event::Pure { epsilon }, Sampling::None) => leaking(*epsilon, 0.0).map(Release::Finite),
        (Event::Approximate { epsilon, delta }, Sampling::None) => {
            leaking(*epsilon, *delta).map(Release::Finite)
        }
        (mechanism, _) => {
            let sampling = step.sampling.prefix();
            return Err(AccountError::Unsupported {
                mechanism: format!("{sampling}{}", mechanism.name()),
                notion: "certified oracle",
                neighbours,
                why: "",
            });
        }
    };
    found.map_err(refused)
}

/// The pair of a randomised response under the relation, as in [`super::response`].
fn response(
    noise: f64,
    buckets: u32,
    neighbours: Neighbouring,
) -> Result<Result<FinitePair, PrivacyError>, AccountError> {
    super::response::laws(noise, u64::from(buckets), neighbours)?;
    let noise = Interval::from_f64(noise);
    if neighbours == Neighbouring::ReplaceOne {
        return Ok(randomized_response_pair(&noise, buckets));
    }
    let (one, k) = (Interval::from(1), Interval::from(i64::from(buckets)));
    let share = &noise / &k;
    let others = &k - &one;
    let row = vec![&(&one - &noise) + &share, &others * &share];
    let uniform = vec![&one / &k, &others / &k];
    Ok(FinitePair::new(row, uniform))
}

/// The worst pair of an (ε, δ)-DP mechanism: a randomised response that leaks with probability δ
/// (Kairouz, Oh and Viswanath 2017).
fn leaking(epsilon: f64, delta: f64) -> Result<FinitePair, PrivacyError> {
    let (one, delta) = (Interval::from(1), Interval::from_f64(delta));
    let odds = (-&Interval::from_f64(epsilon)).exp();
    let kept = &(&one - &delta) / &(&one + &odds);
    let (likely, unlikely) = (kept.clone(), &kept * &odds);
    let zero = Interval::from(0);
    let near = vec![
        delta.clone(),
        likely.clone(),
        unlikely.clone(),
        zero.clone(),
    ];
    FinitePair::new(near, vec![zero, unlikely, likely, delta])
}

fn integer(count: u64) -> Result<u32, AccountError> {
    u32::try_from(count).map_err(|_| AccountError::Domain {
        name: "integer parameter",
        value: count as f64,
        rule: "must be below 2^32 for the certified oracle",
    })
}

fn refused(error: PrivacyError) -> AccountError {
    AccountError::Oracle(error.to_string())
}
