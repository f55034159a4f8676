//! What is known of single steps, and why something is not.

use crate::accounting::event::{Event, Sampling, Step};
use crate::accounting::float::Enclosure;
use crate::accounting::pld::{self, Losses};
use crate::accounting::{AccountError, batches, views};
use crate::units::Neighbouring;

/// Whether the laws used for a step are those of its worst neighbours, rather than of a bound: the
/// profile of fixed-size sampling is the greater of two pairs', attained by neither alone, and which replacement in
/// a sample is the worst is known of few mechanisms.
pub(super) fn is_exactly_described(step: &Step, neighbours: Neighbouring) -> bool {
    use Event::{
        CorrelatedGaussian, DiscreteGaussian, DiscreteLaplace, Exponential, Gaussian, Laplace,
        MatrixGaussian, PrivateSelection, Pure, RandomizedResponse, ReportNoisyMax,
    };
    let mechanism = &step.mechanism;
    // Of these a group of two is known exactly.
    let adds = matches!(
        mechanism,
        Gaussian { .. } | Laplace { .. } | DiscreteGaussian { .. } | DiscreteLaplace { .. }
    );
    match step.sampling {
        Sampling::FixedSize(_) if neighbours == Neighbouring::AddRemove => adds,
        Sampling::FixedSize(_) if neighbours == Neighbouring::ReplaceOne => false,
        Sampling::WithReplacement { .. }
        | Sampling::TruncatedPoisson { .. }
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => false,
        Sampling::Poisson(_) if neighbours == Neighbouring::ReplaceOne => matches!(
            mechanism,
            Gaussian { .. } | Pure { .. } | RandomizedResponse { .. }
        ),
        _ => !matches!(
            mechanism,
            Exponential { .. }
                | ReportNoisyMax { .. }
                | CorrelatedGaussian { .. }
                | MatrixGaussian { .. }
                | PrivateSelection { .. }
        ),
    }
}

/// The sum of the steps' Rényi curves.
///
/// # Errors
/// Parameters out of range; a step without a known curve.
pub(in crate::accounting) fn steps_curve(
    steps: &[Step],
    neighbours: Neighbouring,
) -> Result<impl FnMut(f64) -> f64 + use<>, AccountError> {
    let mut curves = all(steps, |s| views::curve(s, neighbours))?
        .ok_or_else(|| unsupported(steps, "Renyi", neighbours))?;
    Ok(move |beta: f64| -> f64 {
        curves
            .iter_mut()
            .fold(Enclosure::point(0.0), |sum, (curve, count)| {
                sum + Enclosure::point(curve(beta)) * *count as f64
            })
            .hi
    })
}

/// Whether it is made of several allocations to one step.
pub(super) const fn is_several(sampling: Sampling) -> bool {
    matches!(sampling, Sampling::RandomAllocation { participations, .. } if participations > 1)
}

/// Whether a step is any mechanism with its ε, of which optimal composition says all.
pub(super) fn is_pure(step: &Step) -> bool {
    step.sampling == Sampling::None && matches!(step.mechanism, Event::Pure { .. })
}

/// One view of every step, or `None` if a step lacks it.
pub(super) fn all<T>(
    steps: &[Step],
    view: impl Fn(&Step) -> Result<Option<T>, AccountError>,
) -> Result<Option<Vec<(T, u64)>>, AccountError> {
    let mut list = Vec::new();
    for step in steps {
        match view(step)? {
            Some(seen) => list.push((seen, step.count)),
            None => return Ok(None),
        }
    }
    Ok(Some(list))
}

pub(super) fn unsupported(
    steps: &[Step],
    notion: &'static str,
    neighbours: Neighbouring,
) -> AccountError {
    let names: Vec<String> = steps.iter().map(Step::words).collect();
    AccountError::Unsupported {
        mechanism: names.join(" + "),
        notion,
        neighbours,
        why: steps
            .iter()
            .map(|s| reason(s, neighbours))
            .fold("", |a, b| if a.is_empty() { b } else { a }),
    }
}

/// Why the sampling of a step has no known guarantee, if that is it.
fn reason(step: &Step, neighbours: Neighbouring) -> &'static str {
    if let Some(why) = batches::reason(step.sampling, neighbours) {
        return why;
    }
    match (step.sampling, &step.mechanism) {
        (_, Event::GaussianMixture { .. }) => ": its shifts are of a group that comes or goes",
        (_, Event::RandomizedResponse { .. }) => {
            ": a channel of one record says nothing of what comes or goes"
        }
        (Sampling::None, _) => "",
        (_, Event::Zcdp { .. }) => {
            ": rho alone does not say what a sample keeps; name the mechanism, or its epsilon and delta"
        }
        _ => {
            ": what replacing a sampled record costs is known of Gaussian noise and from epsilon and delta"
        }
    }
}

/// Laws with the number of times that each is run.
pub(super) type Counted = Vec<(views::Laws, u64)>;

/// The losses in each direction of steps with their laws and counts.
pub(super) fn directions(laws: &[(views::Laws, u64)]) -> Vec<Losses> {
    let sides = laws.iter().map(|(l, _)| l.len()).max().unwrap_or(0);
    let direction = |i: usize| {
        let each = laws.iter();
        each.filter_map(|(l, count)| Some((l.get(i).or(l.first())?.clone(), *count)))
            .collect()
    };
    (0..sides).map(direction).collect()
}

/// The greatest profile of several laws.
pub(super) fn profile_of(laws: &views::Laws, epsilon: f64) -> Enclosure {
    let each = laws
        .iter()
        .map(|law| pld::law::profile(law.as_ref(), epsilon));
    each.fold(Enclosure::point(0.0), Enclosure::max)
}
