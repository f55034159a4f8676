//! From the slope of one step to (ε, δ) for all of them.
//!
//! ```
//! use dp_assay::accounting::decor::{Adversary, Noise, optimized, privacy};
//! use dp_assay::problem::Graph;
//! use dp_assay::units::Delta;
//!
//! // 100 steps on a ring of ten users, against any one of them.
//! let (noise, delta) = (Noise::new(20.0, 40.0, 1.0)?, Delta::new(1e-5)?);
//! let slope = optimized::slope(&Graph::ring(10)?, &noise, Adversary::Curious)?;
//! let epsilon = privacy::epsilon(&slope, 100, delta)?;
//! assert!(epsilon.lo <= epsilon.hi);
//! assert!(epsilon.hi <= privacy::renyi_epsilon_upper(&slope, 100, delta)?);
//! // μ² = 2Ts: a slope of 1/200 leaves μ = 1 after 100 steps.
//! assert!((privacy::mechanism(0.005, 100)?.mu() - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::{DecorError, Slope};
use crate::accounting::event::ratio_upper;
use crate::accounting::float::Enclosure;
use crate::accounting::gaussian::Gaussian;
use crate::accounting::{AccountError, Event, gdp, zcdp};
use crate::units::{Delta, Rho};

/// The Gaussian mechanism that T steps amount to: μ² = 2Ts, rounded up.
///
/// # Errors
/// A slope that is not finite or negative.
pub fn mechanism(slope: f64, steps: u64) -> Result<Gaussian, AccountError> {
    //= decor-drv-2
    let step = (Enclosure::point(slope) * 2.0).sqrt();
    Ok(Gaussian::composed(&[(gdp::mechanism(step.hi)?, steps)]))
}

/// Encloses the ε of T steps at δ: no smaller one holds against the strongest group for the user whom
/// it sees best. The lower end is that of the slope's lower end.
///
/// # Errors
/// δ = 0; a slope without finite ε.
pub fn epsilon(slope: &Slope, steps: u64, delta: Delta) -> Result<Enclosure, DecorError> {
    let upper = mechanism(slope.upper, steps)?.epsilon(delta)?;
    // `mechanism` rounds μ up by less than 4 units: the slope is taken that much lower.
    let below = slope.lower * (1.0 - 16.0 * f64::EPSILON);
    let lower = mechanism(below.max(0.0), steps)?.epsilon(delta)?;
    Ok(Enclosure::new(lower.lo, upper.hi))
}

/// ε = Ts + 2√(Ts log(1/δ)), rounded up: Rényi composition and conversion at the best order, the
/// paper's way. Never below the upper end of [`epsilon`].
///
/// # Errors
/// δ = 0.
pub fn renyi_epsilon_upper(slope: &Slope, steps: u64, delta: Delta) -> Result<f64, DecorError> {
    //= decor-drv-4
    //= decor-lem-10
    //= decor-lem-11
    let nearest = steps as f64;
    let count = Enclosure::new(nearest.next_down(), nearest.next_up());
    let total = Rho::new((count * slope.upper).hi)?;
    Ok(zcdp::classic_epsilon_upper(total, delta)?)
}

/// How one user draws the examples of a step. The clipped gradients are added up and divided by the
/// public batch size b.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batches {
    /// b of the user's m examples, uniformly, without repetition.
    Fixed {
        /// m.
        examples: u64,
        /// b.
        batch: u64,
    },
    /// Each of the m examples with probability b/m.
    Poisson {
        /// m.
        examples: u64,
        /// b.
        batch: u64,
    },
}

/// T steps at the level of one example of one user, replaced by another, as an event to account for:
/// user i's step is a subsampled Gaussian mechanism with separation (2C/b)√\[Σ⁻¹\]_ii, and one
/// example's presence moves the mean by half of that. In terms of the slope, C√\[Σ⁻¹\]_ii = √(s/2).
///
/// ```
/// use dp_assay::accounting::decor::privacy::{Batches, example_level};
/// use dp_assay::accounting::decor::{Adversary, Noise, optimized};
/// use dp_assay::accounting::event::Sampling;
/// use dp_assay::problem::Graph;
/// use dp_assay::units::Neighbouring;
///
/// let noise = Noise::new(20.0, 40.0, 1.0)?;
/// let slope = optimized::slope(&Graph::ring(10)?, &noise, Adversary::Curious)?;
/// // Each of a user's 1000 examples takes part in a step with probability 1 %.
/// let event = example_level(&slope, 100, Batches::Poisson { examples: 1000, batch: 10 });
/// let step = &event.steps(Neighbouring::ReplaceOne)?[0][0];
/// assert_eq!((step.count, step.sampling), (100, Sampling::Poisson(0.01)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn example_level(slope: &Slope, steps: u64, batches: Batches) -> Event {
    //= decor-alg-D1e
    // How a batch enters a step is not printed; this is decor-alg-D1e-repaired
    //= decor-alg-D1e-repaired
    let presence = (Enclosure::point(slope.upper) * 0.5).sqrt().hi;
    let gaussian = |batch: u64| {
        Box::new(Event::Gaussian {
            sigma: batch as f64,
            sensitivity: presence,
        })
    };
    let step = match batches {
        Batches::Fixed { examples, batch } => Event::FixedSizeSampled {
            size: examples,
            batch,
            replacement: false,
            event: gaussian(batch),
        },
        Batches::Poisson { examples, batch } => Event::PoissonSampled {
            rate: ratio_upper(batch as f64, examples as f64),
            event: gaussian(batch),
        },
    };
    Event::Repeated {
        times: steps,
        event: Box::new(step),
    }
}
