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
use crate::accounting::event::lower;
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

/// One step at the level of one example of one user, as a mechanism on the examples in its batch: the clipped gradients are added
/// up and divided by the public batch size b. User i's step is a Gaussian mechanism with separation (2C/b)√\[Σ⁻¹\]_ii where
/// an example is replaced, and one example's presence moves the mean by half of that. In terms of the slope,
/// C√\[Σ⁻¹\]_ii = √(s/2), rounded up. [`least_example_step`] rounds down. How batches are drawn is the event around it, as for every other mechanism.
///
/// ```
/// use dp_assay::accounting::Event;
/// use dp_assay::accounting::decor::privacy::example_step;
/// use dp_assay::accounting::decor::{Adversary, Noise, optimized};
/// use dp_assay::accounting::event::{Sampling, share_upper};
/// use dp_assay::problem::Graph;
/// use dp_assay::units::Neighbouring;
///
/// let noise = Noise::new(20.0, 40.0, 1.0)?;
/// let slope = optimized::slope(&Graph::ring(10)?, &noise, Adversary::Curious)?;
/// // Each of a user's 1000 examples takes part in a step with probability 1 %.
/// let (rate, event) = (share_upper(10, 1000), Box::new(example_step(&slope, 10)));
/// let step = Box::new(Event::PoissonSampled { rate, event });
/// let run = Event::Repeated { times: 100, event: step };
/// let step = &run.steps(Neighbouring::ReplaceOne)?[0][0];
/// assert_eq!((step.count, step.sampling), (100, Sampling::Poisson(0.01)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn example_step(slope: &Slope, batch: u64) -> Event {
    //= decor-alg-D1e
    // How a batch enters a step is not printed; this is decor-alg-D1e-repaired
    //= decor-alg-D1e-repaired
    Event::Gaussian {
        sigma: lower(batch),
        sensitivity: (Enclosure::point(slope.upper) * 0.5).sqrt().hi,
    }
}

/// The same from below: what the step of the user whom the strongest group sees best tells at least, where that user's example has
/// the gradient C or −C along one direction and all else is known. Separation rounded down, b up.
#[must_use]
pub fn least_example_step(slope: &Slope, batch: u64) -> Event {
    Event::Gaussian {
        sigma: (batch as f64).next_up(),
        sensitivity: (Enclosure::point(slope.lower) * 0.5).sqrt().lo.max(0.0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accounting::decor::{Adversary, Noise, optimized};
    use crate::accounting::steady;
    use crate::graph::Graph;

    #[test]
    fn what_a_slope_is_worth_is_what_it_was() {
        let graph = Graph::ring(7).expect("small");
        let noise = Noise::new(2.0, 1.0, 0.5).expect("in range");
        let slope = optimized::slope(&graph, &noise, Adversary::Curious).expect("users");
        let mut found = Vec::new();
        for steps in [1, 100, u64::MAX] {
            let own = mechanism(slope.upper, steps).expect("in range");
            found.extend([own.mu(), own.mu_upper()]);
        }
        let delta = Delta::new(1e-5).expect("a delta");
        let ends = epsilon(&slope, 300, delta).expect("in range");
        found.extend([ends.lo, ends.hi]);
        found.push(renyi_epsilon_upper(&slope, 300, delta).expect("in range"));
        for event in [example_step(&slope, 64), least_example_step(&slope, 64)] {
            let Event::Gaussian { sigma, sensitivity } = event else {
                panic!("no Gaussian noise");
            };
            found.extend([sigma, sensitivity]);
        }
        steady::holds(
            &found,
            "0.45508986157327763 0.4550898615732777 4.550898615732776 4.550898615732777
         1954596072.1983945 1954596072.1983945 63.88587642861293 63.88587642861444
         68.88985857270598 64.0 0.22754493078663882 64.00000000000001 0.2275449307866356",
        );
    }
}
