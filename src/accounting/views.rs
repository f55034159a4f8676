//! The notions of privacy in which a step can be seen: what each accountant needs of it.
//!
//! ```
//! use dp_assay::accounting::event::{Event, Sampling, Step};
//! use dp_assay::accounting::views;
//! use dp_assay::units::Neighbouring;
//!
//! let neighbours = Neighbouring::AddRemove;
//! let mechanism = Event::Laplace { scale: 2.0, sensitivity: 1.0 };
//! let step = Step { mechanism, sampling: Sampling::None, count: 3 };
//! // Laplace noise is no Gaussian mechanism, but (½, 0)-DP.
//! assert!(views::gaussian(&step)?.is_none());
//! let (epsilon, leak) = views::pure(&step, neighbours)?.ok_or("not pure")?;
//! assert!((0.5..0.501).contains(&epsilon) && leak == 0.0);
//! assert_eq!(views::group(&step, neighbours)?.ok_or("not pure")?.count, 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use super::amplification::Known;
use super::event::{Event, Sampling, Step};
use super::leaf::{Structure, finite, leaf, linear};
use super::pld::discrete_law::DiscreteLaw;
use super::pld::law::LossLaw;
use super::pure::Group;
use super::rdp::{Curve, PairCurve};
use super::{AccountError, batches, samples};
use crate::float::Enclosure;
use crate::units::{Epsilon, Neighbouring};

pub use super::leaf::BoxedCurve;
pub use super::samples::{Laws, gaussian, pairs};

/// ε of a step that is (ε, 0)-DP, rounded up, and δ₀ if it is only (ε, δ₀)-DP: what is known of its mechanism,
/// amplified by its sampling.
///
/// # Errors
/// Parameters out of range.
pub fn pure(step: &Step, neighbours: Neighbouring) -> Result<Option<(f64, f64)>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, User, ZeroOut};
    let leaf = leaf(&step.mechanism)?;
    let known = match leaf.structure() {
        Structure::Response(noise, buckets) => {
            let laws = samples::response_laws((noise, buckets), step.sampling, neighbours)?;
            let safe = |laws: &Vec<DiscreteLaw>| laws.iter().all(|law| law.infinite() == 0.0);
            laws.filter(safe).map(|laws| {
                let largest = laws.iter().fold(0.0f64, |m, law| m.max(law.support().1));
                Known::pure(largest * (1.0 + 1e-15))
            })
        }
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Approximate
        | Structure::Zcdp
        | Structure::Group(..)
        | Structure::Choice(_) => {
            leaf.known()?
                .and_then(|whole| match (step.sampling, neighbours) {
                    (Sampling::None, _) => Some(whole),
                    (Sampling::Poisson(rate), AddRemove | ZeroOut) => Some(whole.poisson(rate)),
                    (Sampling::Poisson(rate), ReplaceOne) => Some(whole.poisson_replaced(rate)),
                    (Sampling::FixedSize(fraction), AddRemove | ReplaceOne) => {
                        Some(whole.fixed_size(fraction))
                    }
                    (Sampling::Poisson(_) | Sampling::FixedSize(_), User)
                    | (Sampling::FixedSize(_), ZeroOut)
                    | (
                        Sampling::WithReplacement { .. }
                        | Sampling::TruncatedPoisson { .. }
                        | Sampling::RandomAllocation { .. }
                        | Sampling::Within(_),
                        _,
                    ) => None,
                })
        }
    };
    Ok(known.map(|known| (known.epsilon, known.delta)))
}

/// The group of pure mechanisms that a step is, if it is one.
///
/// # Errors
/// Parameters out of range.
pub fn group(step: &Step, neighbours: Neighbouring) -> Result<Option<Group>, AccountError> {
    Ok(match pure(step, neighbours)? {
        Some((epsilon, 0.0)) => Some(Group {
            epsilon: Epsilon::new(epsilon)?,
            count: step.count,
        }),
        Some(_) | None => None,
    })
}

/// The laws of a step's privacy loss, one per direction, if they are known.
///
/// # Errors
/// Parameters out of range.
pub fn laws(step: &Step, neighbours: Neighbouring) -> Result<Option<Laws>, AccountError> {
    match step.sampling {
        Sampling::WithReplacement { .. } | Sampling::TruncatedPoisson { .. } => {
            batches::laws(step, neighbours, 0.0)
        }
        Sampling::None
        | Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => samples::laws(step, neighbours),
    }
}

/// The Rényi curve of a step (both directions), if one is known.
///
/// # Errors
/// Parameters out of range.
pub fn curve(step: &Step, neighbours: Neighbouring) -> Result<Option<BoxedCurve>, AccountError> {
    if let Some(g) = gaussian(step)? {
        let half = (Enclosure::point(g.mu_upper()).square() * 0.5).hi;
        return Ok(Some(linear(half)));
    }
    if let Some(pair) = pairs(step, neighbours)?.and_then(|pairs| pairs.into_iter().next()) {
        // For Poisson sampling the removal direction has the larger divergence at every order
        // (Mironov, Talwar and Zhang 2019, Theorem 5); replacement is symmetric.
        let mut curve = PairCurve::new(pair);
        return Ok(Some(Box::new(move |beta| curve.rdp_upper(beta))));
    }
    let leaf = leaf(&step.mechanism)?;
    let reach = match step.sampling {
        Sampling::None => Some(1),
        Sampling::Poisson(1.0) | Sampling::FixedSize(1.0) => Some(2),
        Sampling::Poisson(_)
        | Sampling::FixedSize(_)
        | Sampling::WithReplacement { .. }
        | Sampling::TruncatedPoisson { .. }
        | Sampling::RandomAllocation { .. }
        | Sampling::Within(_) => None,
    };
    let inner = |event: &Event| curves(event, neighbours);
    let own = reach.map(|reach| leaf.curve(reach, &inner)).transpose()?;
    if let Some(curve) = own.flatten() {
        return Ok(Some(curve));
    }
    let known = pure(step, neighbours)?.filter(|(_, delta)| *delta == 0.0);
    let epsilon = known.map(|(epsilon, _)| epsilon);
    let laws = match leaf.structure() {
        Structure::Response(noise, buckets) => {
            samples::response_laws((noise, buckets), step.sampling, neighbours)?
        }
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Approximate
        | Structure::Zcdp
        | Structure::Group(..)
        | Structure::Choice(_) => epsilon.map(|epsilon| vec![DiscreteLaw::response(epsilon)]),
    };
    laws.map(|laws| finite(laws, epsilon)).transpose()
}

/// The curves of an event, one for each way through its branches.
fn curves(event: &Event, neighbours: Neighbouring) -> Result<Vec<BoxedCurve>, AccountError> {
    let branches = event.steps(neighbours)?;
    let curve = |steps: &Vec<Step>| Ok(Box::new(steps_curve(steps, neighbours)?) as BoxedCurve);
    branches.iter().map(curve).collect()
}

/// The sum of the steps' Rényi curves.
///
/// # Errors
/// Parameters out of range; a step without a known curve.
pub(super) fn steps_curve(
    steps: &[Step],
    neighbours: Neighbouring,
) -> Result<impl FnMut(f64) -> f64 + use<>, AccountError> {
    let mut curves = all(steps, |s| curve(s, neighbours))?
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

/// The steps with ε alone in place of those that are (ε, δ₀)-DP for a δ₀ > 0 and have no Rényi curve, and the sum of the δ₀, rounded
/// up. Such a step is no more than one that with probability δ₀ reveals all, and is (0, δ₀)-DP, beside one that is (ε, 0)-DP.
///
/// # Errors
/// Parameters out of range.
pub(super) fn without_leaks(
    steps: &[Step],
    neighbours: Neighbouring,
) -> Result<(Vec<Step>, f64), AccountError> {
    let mut leaks = Enclosure::point(0.0);
    let mut rest = steps.to_vec();
    for step in &mut rest {
        let approximate = leaf(&step.mechanism)?.structure() == Structure::Approximate;
        if approximate && let Some((epsilon, leak)) = pure(step, neighbours)? {
            leaks = leaks + Enclosure::point(leak) * Enclosure::from(step.count);
            step.mechanism = Event::Pure { epsilon };
            step.sampling = Sampling::None;
        }
    }
    Ok((rest, leaks.hi))
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

/// Why the steps have no guarantee in a notion.
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
    if let Some(why) = batches::reason(step, neighbours) {
        return why;
    }
    let all_take_part = step.sampling == Sampling::None;
    let Ok(leaf) = leaf(&step.mechanism) else {
        return "";
    };
    match leaf.structure() {
        Structure::Group(..) => ": its shifts are of a group that comes or goes",
        Structure::Response(..) => ": a channel of one record says nothing of what comes or goes",
        Structure::Zcdp if !all_take_part => {
            ": rho alone does not say what a sample keeps; name the mechanism, or its epsilon and \
                delta"
        }
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Approximate
        | Structure::Zcdp
        | Structure::Choice(_) => match !all_take_part && neighbours == Neighbouring::ReplaceOne {
            false => "",
            true => {
                ": what replacing a sampled record costs is known of Gaussian noise and from \
                    epsilon and delta"
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whose answer says nothing has an ε of 0, rounded up.
    #[test]
    fn an_answer_that_says_nothing_is_private_for_all() {
        let mechanism = Event::RandomizedResponse {
            noise: 1.0,
            buckets: 2,
        };
        for sampling in [Sampling::None, Sampling::FixedSize(0.5)] {
            let step = Step {
                mechanism: mechanism.clone(),
                sampling,
                count: 1,
            };
            let (epsilon, leak) = pure(&step, Neighbouring::ReplaceOne)
                .expect("in range")
                .expect("it is pure");
            assert!((0.0..1e-14).contains(&epsilon) && leak == 0.0, "{epsilon}");
        }
    }
}
