//! Batches drawn with replacement ([`draws`]), and Poisson samples that are cut to a size ([`cut`]): what dominates them, and
//! explicit pairs of neighbours that bound them from below.

mod cut;
mod draws;

pub(super) use draws::{Near, pairs};

use super::AccountError;
use super::event::{Event, Pattern, Sampling, Step};
use super::gaussian::Gaussian;
use super::leaf::{self, Law, Structure, leaf};
use super::pld::lattice::Side;
use super::pld::law::{GaussianLaw, LossLaw};
use super::samples::{self, Laws};
use crate::units::Neighbouring;
use cut::Cut;
use draws::{Draws, lost};
use std::sync::Arc;

/// The laws that dominate a step with one of these samplings, one per direction, if they are known.
///
/// `delta` is the δ at which ε is asked for, or 0; only the accuracy depends on it.
///
/// # Errors
/// Parameters out of range.
pub(super) fn laws(
    step: &Step,
    neighbours: Neighbouring,
    delta: f64,
) -> Result<Option<Laws>, AccountError> {
    match step.sampling {
        Sampling::WithReplacement { draws, size } => {
            let draws = Draws::new((draws, size), lost(step, delta))?;
            match neighbours {
                Neighbouring::AddRemove | Neighbouring::ReplaceOne => {
                    draws.laws(&step.mechanism, neighbours)
                }
                Neighbouring::ZeroOut | Neighbouring::User => Ok(None),
            }
        }
        Sampling::TruncatedPoisson { rate, cap, records } => {
            let cut = Cut::new(rate, cap, records)?;
            cut.laws(&step.mechanism, neighbours)
        }
        Sampling::None
        | Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => Ok(None),
    }
}

/// Laws of explicit neighbours under these samplings, or under a fixed size without replacement: several attempts, each
/// with one law per direction. What they need, the step needs.
///
/// # Errors
/// Parameters out of range.
pub(super) fn attacks(
    step: &Step,
    neighbours: Neighbouring,
    delta: f64,
) -> Result<Vec<Laws>, AccountError> {
    let mechanism = &step.mechanism;
    Ok(match step.sampling {
        Sampling::None | Sampling::Poisson(1.0) => match leaf(mechanism)?.structure() {
            Structure::Group(sigma, shifts, weights) => {
                vec![samples::group((sigma, shifts, weights), Side::Below)?]
            }
            Structure::Gaussian
            | Structure::Gdp
            | Structure::Noise
            | Structure::Run
            | Structure::Pure
            | Structure::Approximate
            | Structure::Zcdp
            | Structure::Response(..)
            | Structure::Choice(_) => {
                let mu = |g: Gaussian| g.mu().next_down().max(0.0);
                let least = samples::gaussian_below(step)?.map(|g| GaussianLaw { mu: mu(g) });
                let least = least.into_iter();
                least
                    .map(|law| vec![Arc::new(law) as Arc<dyn LossLaw>])
                    .collect()
            }
        },
        Sampling::FixedSize(fraction) if neighbours == Neighbouring::ReplaceOne => {
            // All others answer as the replacement does.
            let fraction = fraction.next_down().max(0.0);
            let two = attained(mechanism, 2)?.into_iter();
            two.map(|law| samples::sampled(&law, fraction)).collect()
        }
        Sampling::WithReplacement { draws, size } => {
            let draws = Draws::new((draws, size), lost(step, delta))?;
            match gaussian(mechanism)? {
                Some(g) => vec![draws.mixtures(g, Side::Below)?],
                None => draws.once(mechanism)?.into_iter().collect(),
            }
        }
        Sampling::TruncatedPoisson { rate, cap, records } => {
            let cut = Cut::new(rate, cap, records)?;
            match neighbours {
                Neighbouring::AddRemove => cut.attacks(mechanism)?,
                Neighbouring::ReplaceOne => cut.attacks_replaced(mechanism)?,
                Neighbouring::ZeroOut | Neighbouring::User => Vec::new(),
            }
        }
        Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => Vec::new(),
    })
}

/// The Gaussian noise that is left where the batches of a step are told, and all have the record: as divergences are jointly convex,
/// that loses no less.
///
/// # Errors
/// Parameters out of range.
pub(super) fn told(
    step: &Step,
    neighbours: Neighbouring,
) -> Result<Option<Gaussian>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    let reach = match (step.sampling, neighbours) {
        (Sampling::Poisson(_), AddRemove | ZeroOut) => 1.0,
        // One comes for another that goes.
        (Sampling::Poisson(_), ReplaceOne)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, AddRemove | ReplaceOne) => {
            2.0
        }
        (Sampling::Poisson(_), User)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, ZeroOut | User)
        | (
            Sampling::None
            | Sampling::WithReplacement { .. }
            | Sampling::RandomAllocation { .. }
            | Sampling::Within(_),
            _,
        ) => return Ok(None),
    };
    // Noise with a covariance dominates a mechanism, and is none.
    let leaf = leaf(&step.mechanism)?;
    if leaf.structure() != Structure::Gaussian || !leaf.is_attained() {
        return Ok(None);
    }
    Ok(leaf.noise(reach)?.map(|noise| noise.above))
}

/// Why such a step has no law under the relation.
pub(super) fn reason(step: &Step, neighbours: Neighbouring) -> Option<&'static str> {
    match (step.sampling, neighbours) {
        (Sampling::RandomAllocation { .. } | Sampling::Within(Pattern::Apart { .. }), _)
            if matches!(
                step.mechanism,
                Event::Gaussian { .. } | Event::MatrixGaussian { .. }
            ) =>
        {
            Some(": such a run is known by its privacy-loss distribution alone")
        }
        (Sampling::RandomAllocation { .. }, _) => {
            Some(": random allocation is known of Gaussian noise alone")
        }
        (Sampling::Within(Pattern::Apart { .. }), _) => {
            Some(": b-min-separation is known of Gaussian noise alone")
        }
        (Sampling::Within(_), _) => Some(
            ": a sampled run of correlated noise is known by its privacy-loss distribution alone",
        ),
        // In a batch without the record another has its place, so that neither neighbour's law is that of the others alone.
        (
            Sampling::FixedSize(_)
            | Sampling::WithReplacement { .. }
            | Sampling::TruncatedPoisson { .. },
            Neighbouring::ZeroOut,
        ) => Some(
            ": a zeroed record keeps a place that another would have, of which there is no theorem \
                here",
        ),
        (Sampling::WithReplacement { .. }, _) => Some(
            ": a record that is drawn several times needs the mechanism for groups, which is known \
                of noise alone",
        ),
        (Sampling::None | Sampling::Poisson(_), _)
        | (Sampling::FixedSize(_) | Sampling::TruncatedPoisson { .. }, _) => None,
    }
}

/// The law where so many records come or go at once, if there are such, and not only what dominates them.
fn attained(mechanism: &Event, reach: u64) -> Result<Option<Law>, AccountError> {
    let leaf = leaf(mechanism)?;
    match leaf.is_attained() {
        true => leaf.group(reach),
        false => Ok(None),
    }
}

/// (Δ, σ) of Gaussian noise.
fn gaussian(mechanism: &Event) -> Result<Option<(f64, f64)>, AccountError> {
    let Event::Gaussian { sigma, sensitivity } = *mechanism else {
        return Ok(None);
    };
    leaf::check(mechanism)?;
    Ok((sensitivity > 0.0).then_some((sensitivity, sigma)))
}
