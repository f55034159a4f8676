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
use super::gaussian::Gaussian;
use super::laplace::Laplace;
use super::mixture::{Component, Mixture, Pair};
use super::pld::discrete_law::DiscreteLaw;
use super::pld::law::{Direction, FixedSize, GaussianLaw, LaplaceLaw, LossLaw, Sampled};
use super::pld::mixture_law::MixtureLaw;
use super::pure::Group;
use super::rdp::{Curve, PairCurve};
use super::{
    AccountError, batches, covariance, discrete, exponential, gdp, matrix, noisy_max,
    private_selection, response, zcdp,
};
use crate::float::Enclosure;
use crate::units::{Delta, Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev};
use nalgebra::{DMatrix, DVector};
use std::sync::Arc;

/// An upper bound on ε at order 1 + β as a boxed function.
pub type BoxedCurve = Box<dyn FnMut(f64) -> f64>;

/// Laws of the privacy loss, one per direction; a single one is symmetric.
pub type Laws = Vec<Arc<dyn LossLaw>>;

/// The Gaussian mechanism that a step is, if it is one.
///
/// # Errors
/// Parameters out of range.
pub fn gaussian(step: &Step) -> Result<Option<Gaussian>, AccountError> {
    match step.sampling {
        Sampling::None => noise(&step.mechanism, 1.0),
        // Where all take part and one is replaced, one comes and one goes.
        Sampling::Poisson(1.0) | Sampling::FixedSize(1.0) => noise(&step.mechanism, 2.0),
        _ => Ok(None),
    }
}

/// The Gaussian noise that a mechanism adds to what moves `reach` times as far.
pub(super) fn noise(mechanism: &Event, reach: f64) -> Result<Option<Gaussian>, AccountError> {
    Ok(match mechanism {
        Event::Gaussian { sigma, sensitivity } => Some(Gaussian::new(
            Sensitivity::new(reach * sensitivity)?,
            StdDev::new(*sigma)?,
        )),
        Event::Gdp { mu } => Some(gdp::mechanism(reach * mu)?),
        Event::CorrelatedGaussian { covariance, shifts } => {
            let rows = covariance.len();
            let square = covariance.iter().all(|r| r.len() == rows);
            AccountError::check(
                square && rows > 0,
                "covariance rows",
                rows as f64,
                "must form a square matrix",
            )?;
            let matrix = DMatrix::from_fn(rows, rows, |i, j| covariance[i][j]);
            let shifts: Vec<DVector<f64>> = shifts
                .iter()
                .map(|s| DVector::from_column_slice(s) * reach)
                .collect();
            Some(covariance::mechanism(&matrix, &shifts)?)
        }
        Event::MatrixGaussian {
            sigma,
            strategy,
            participations,
            separation,
        } => Some(matrix::mechanisms(*sigma, strategy, (*participations, *separation), reach)?[1]),
        _ => None,
    })
}

/// The pairs of Gaussian mixtures that dominate a step, one per direction (a single one is symmetric),
/// if it has such.
///
/// ```
/// use dp_assay::accounting::event::{Event, Sampling, Step};
/// use dp_assay::accounting::views;
/// use dp_assay::units::Neighbouring;
///
/// let neighbours = Neighbouring::AddRemove;
/// let mechanism = Event::Gaussian { sigma: 2.0, sensitivity: 1.0 };
/// let step = Step { mechanism, sampling: Sampling::Poisson(0.01), count: 1 };
/// // One pair and one law for each direction: the record is taken away, or added.
/// assert_eq!(views::pairs(&step, neighbours)?.map(|pairs| pairs.len()), Some(2));
/// assert_eq!(views::laws(&step, neighbours)?.map(|laws| laws.len()), Some(2));
/// // At the order 2 the divergence is ln(1 + q²(e^{1/σ²} − 1)) nats.
/// let mut curve = views::curve(&step, neighbours)?.ok_or("no curve")?;
/// assert!((2.8e-5..2.9e-5).contains(&curve(1.0)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Parameters out of range.
pub fn pairs(step: &Step, neighbours: Neighbouring) -> Result<Option<Vec<Pair>>, AccountError> {
    let (s, d) = match step.mechanism {
        Event::Gaussian { sigma, sensitivity } => (
            StdDev::new(sigma)?.get(),
            Sensitivity::new(sensitivity)?.get(),
        ),
        _ => match noise(&step.mechanism, 1.0)? {
            Some(g) => (1.0, g.mu_upper()),
            None => return Ok(None),
        },
    };
    let shifted = |shift: f64, weight: f64| -> Mixture {
        if d == 0.0 {
            Mixture::centred()
        } else {
            Mixture::two(shift * d, weight)
        }
    };
    let there_or_not = |shift: f64, q: f64| {
        let [removal, addition] = [shift, -shift].map(|shift| shifted(shift, q));
        let pair = |p, q| Pair { sigma: s, p, q };
        vec![
            pair(removal, Mixture::centred()),
            pair(Mixture::centred(), addition),
        ]
    };
    // That the farthest shifts are the worst is known of Gaussian noise, not of all that is as private.
    let shifts_are_known = !matches!(step.mechanism, Event::Gdp { .. });
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => Some(vec![Pair::gaussian(d, s)]),
        (Sampling::Poisson(1.0) | Sampling::FixedSize(1.0), Neighbouring::ReplaceOne) => {
            Some(vec![Pair::gaussian(2.0 * d, s)])
        }
        (Sampling::Poisson(q), Neighbouring::AddRemove | Neighbouring::ZeroOut) => {
            Some(there_or_not(1.0, q))
        }
        // The added record takes the place of another.
        (Sampling::FixedSize(q), Neighbouring::AddRemove) => Some(there_or_not(2.0, q)),
        (Sampling::Poisson(q), Neighbouring::ReplaceOne) if shifts_are_known => Some(vec![Pair {
            sigma: s,
            p: shifted(1.0, q),
            q: shifted(-1.0, q),
        }]),
        _ => None,
    })
}

/// A mixture pair from lists of (shift, weight), for callers with their own.
///
/// ```
/// use dp_assay::accounting::mixture::Pair;
/// use dp_assay::accounting::views::mixture_pair;
///
/// // Poisson sampling with probability ¼, spelt out.
/// let pair = mixture_pair(2.0, &[(0.0, 0.75), (1.0, 0.25)], &[(0.0, 1.0)])?;
/// assert_eq!(pair, Pair::removal(0.25, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`Mixture::new`].
pub fn mixture_pair(sigma: f64, p: &[(f64, f64)], q: &[(f64, f64)]) -> Result<Pair, AccountError> {
    let side = |list: &[(f64, f64)]| {
        let parts: Vec<Component> = list
            .iter()
            .map(|&(shift, weight)| Component { shift, weight })
            .collect();
        Mixture::new(&parts)
    };
    Ok(Pair {
        sigma: StdDev::new(sigma)?.get(),
        p: side(p)?,
        q: side(q)?,
    })
}

/// ε of a step that is (ε, 0)-DP, rounded up, and δ₀ if it is only (ε, δ₀)-DP: what is known of its mechanism,
/// amplified by its sampling.
///
/// # Errors
/// Parameters out of range.
pub fn pure(step: &Step, neighbours: Neighbouring) -> Result<Option<(f64, f64)>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};
    let known = |known: Known| (known.epsilon, known.delta);
    if let Event::RandomizedResponse { .. } = step.mechanism {
        let laws = response_laws(step, neighbours)?;
        let safe = |laws: &Vec<DiscreteLaw>| laws.iter().all(|law| law.infinite() == 0.0);
        return Ok(laws.filter(safe).map(|laws| {
            let largest = laws.iter().fold(0.0f64, |m, law| m.max(law.support().1));
            let all = Known::pure(largest * (1.0 + 1e-15) + 1e-300);
            known(match step.sampling {
                Sampling::FixedSize(fraction) if neighbours == ReplaceOne => all.poisson(fraction),
                _ => all,
            })
        }));
    }
    let Some(whole) = unsampled(&step.mechanism)? else {
        return Ok(None);
    };
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => Some(known(whole)),
        (Sampling::Poisson(rate), AddRemove | ZeroOut) => Some(known(whole.poisson(rate))),
        (Sampling::Poisson(rate), ReplaceOne) => Some(known(whole.poisson_replaced(rate))),
        (Sampling::FixedSize(fraction), AddRemove | ReplaceOne) => {
            Some(known(whole.fixed_size(fraction)))
        }
        _ => None,
    })
}

/// (ε, δ) of a mechanism on all records.
fn unsampled(mechanism: &Event) -> Result<Option<Known>, AccountError> {
    Ok(match mechanism {
        Event::Laplace { scale, sensitivity } => {
            let m = Laplace::new(Sensitivity::new(*sensitivity)?, Scale::new(*scale)?);
            Some(Known::pure(m.pure.hi))
        }
        Event::DiscreteLaplace {
            parameter,
            sensitivity,
        } => {
            discrete::laplace(*parameter, 0)?;
            let product = Enclosure::point(*parameter) * *sensitivity as f64;
            Some(Known::pure(product.hi))
        }
        Event::Exponential { epsilon } | Event::Pure { epsilon } => {
            Some(Known::pure(Epsilon::new(*epsilon)?.get()))
        }
        Event::ReportNoisyMax {
            sensitivities,
            scales,
        } => Some(Known::pure(noisy_max::epsilon_upper(
            sensitivities,
            scales,
        )?)),
        Event::Approximate { epsilon, delta } => Some(Known {
            epsilon: Epsilon::new(*epsilon)?.get(),
            delta: Delta::new(*delta)?.get(),
        }),
        _ => None,
    })
}

/// The laws of a randomised response, sampled if that is Poisson's.
fn response_laws(
    step: &Step,
    neighbours: Neighbouring,
) -> Result<Option<Vec<DiscreteLaw>>, AccountError> {
    let Event::RandomizedResponse { noise, buckets } = step.mechanism else {
        return Ok(None);
    };
    Ok(match step.sampling {
        Sampling::Poisson(rate) => Some(response::sampled_laws(noise, rate, buckets, neighbours)?),
        Sampling::None => Some(response::laws(noise, buckets, neighbours)?),
        Sampling::FixedSize(_) if neighbours == Neighbouring::ReplaceOne => {
            Some(response::laws(noise, buckets, neighbours)?)
        }
        _ => None,
    })
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
        _ => None,
    })
}

/// The laws of a step's privacy loss, one per direction, if they are known.
///
/// # Errors
/// Parameters out of range.
pub fn laws(step: &Step, neighbours: Neighbouring) -> Result<Option<Laws>, AccountError> {
    use Neighbouring::{AddRemove, ReplaceOne, ZeroOut};
    if let Some(g) = gaussian(step)? {
        return Ok(Some(vec![Arc::new(GaussianLaw { mu: g.mu_upper() })]));
    }
    if let Event::RandomizedResponse { .. } = step.mechanism {
        let laws = response_laws(step, neighbours)?;
        return Ok(laws.map(|laws| match step.sampling {
            Sampling::FixedSize(fraction) if neighbours == ReplaceOne => laws
                .into_iter()
                .map(|law| Arc::new(FixedSize::new(law, fraction)) as Arc<dyn LossLaw>)
                .collect(),
            _ => laws
                .into_iter()
                .map(|law| Arc::new(law) as Arc<dyn LossLaw>)
                .collect(),
        }));
    }
    if let Event::GaussianMixture {
        sigma,
        shifts,
        weights,
    } = &step.mechanism
    {
        let pair = Pair {
            sigma: StdDev::new(*sigma)?.get(),
            p: Mixture::of_group(shifts, weights)?,
            q: Mixture::centred(),
        };
        return match (step.sampling, neighbours) {
            (Sampling::None, AddRemove | ZeroOut | Neighbouring::User) => {
                let reversed = pair.reversed();
                Ok(Some(vec![
                    Arc::new(MixtureLaw::new(pair)?),
                    Arc::new(MixtureLaw::new(reversed)?),
                ]))
            }
            _ => Ok(None),
        };
    }
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => law(&step.mechanism)?.map(|law| vec![law]),
        (Sampling::Poisson(rate), AddRemove | ZeroOut) => {
            law(&step.mechanism)?.map(|base| sampled(&base, rate))
        }
        // The added record takes the place of another.
        (Sampling::FixedSize(fraction), AddRemove) => {
            law_of_two(&step.mechanism)?.map(|base| sampled(&base, fraction))
        }
        (Sampling::Poisson(1.0), ReplaceOne) => law_of_two(&step.mechanism)?.map(|law| vec![law]),
        (Sampling::FixedSize(fraction), ReplaceOne) => law_of_two(&step.mechanism)?
            .map(|base| vec![Arc::new(FixedSize::new(base, fraction)) as Arc<dyn LossLaw>]),
        (Sampling::Poisson(rate), ReplaceOne) => replaced(step, rate)?.map(|law| vec![law]),
        _ => batches::laws(step, neighbours)?,
    })
}

/// The law of a mechanism on all records, the same in both directions.
pub(super) fn law(mechanism: &Event) -> Result<Option<Arc<dyn LossLaw>>, AccountError> {
    Ok(match mechanism {
        Event::Gaussian { sigma, sensitivity } => {
            let mu = Sensitivity::new(*sensitivity)?.get() / StdDev::new(*sigma)?.get();
            Some(Arc::new(GaussianLaw { mu }))
        }
        Event::Gdp { .. } | Event::CorrelatedGaussian { .. } | Event::MatrixGaussian { .. } => {
            let noise = noise(mechanism, 1.0)?.map(|g| g.mu_upper());
            noise.map(|mu| Arc::new(GaussianLaw { mu }) as Arc<dyn LossLaw>)
        }
        Event::Laplace { scale, sensitivity } => {
            let m = Laplace::new(Sensitivity::new(*sensitivity)?, Scale::new(*scale)?);
            Some(Arc::new(LaplaceLaw { pure: m.pure.hi }))
        }
        Event::DiscreteLaplace {
            parameter,
            sensitivity,
        } => Some(Arc::new(discrete::laplace(*parameter, *sensitivity)?)),
        Event::DiscreteGaussian { sigma, sensitivity } => {
            Some(Arc::new(discrete::gaussian(*sigma, *sensitivity)?))
        }
        _ => unsampled(mechanism)?.map(|known| {
            Arc::new(DiscreteLaw::approximate(known.epsilon, known.delta)) as Arc<dyn LossLaw>
        }),
    })
}

/// The law of a mechanism on all records of which one comes and one goes.
fn law_of_two(mechanism: &Event) -> Result<Option<Arc<dyn LossLaw>>, AccountError> {
    if let Some(law) = batches::times(mechanism, 2)? {
        return Ok(Some(law));
    }
    Ok(unsampled(mechanism)?.map(|known| known_replaced(known, 1.0)))
}

/// The law of a Poisson sample of which one record is replaced.
fn replaced(step: &Step, rate: f64) -> Result<Option<Arc<dyn LossLaw>>, AccountError> {
    if let Some(pairs) = pairs(step, Neighbouring::ReplaceOne)? {
        let pair = pairs.into_iter().next().ok_or_else(no_pair)?;
        return Ok(Some(Arc::new(MixtureLaw::new(pair)?)));
    }
    Ok(unsampled(&step.mechanism)?.map(|known| known_replaced(known, rate)))
}

/// What dominates every such mechanism on a Poisson sample of which one record is replaced.
fn known_replaced(known: Known, rate: f64) -> Arc<dyn LossLaw> {
    if known.delta == 0.0 {
        return Arc::new(DiscreteLaw::replaced(known.epsilon, rate));
    }
    let sample = known.poisson_replaced(rate);
    Arc::new(DiscreteLaw::approximate(sample.epsilon, sample.delta))
}

pub(super) fn sampled(base: &Arc<dyn LossLaw>, rate: f64) -> Laws {
    [Direction::Removal, Direction::Addition]
        .into_iter()
        .map(|direction| {
            Arc::new(Sampled {
                base: base.clone(),
                rate,
                direction,
            }) as Arc<dyn LossLaw>
        })
        .collect()
}

/// Refuses a mechanism with parameters out of range.
///
/// # Errors
/// Names the parameter.
pub fn check(mechanism: &Event) -> Result<(), AccountError> {
    match mechanism {
        Event::RandomizedResponse { noise, buckets } => {
            response::laws(*noise, *buckets, Neighbouring::ReplaceOne).map(|_| ())
        }
        Event::Zcdp { rho } => Ok(Rho::new(*rho).map(|_| ())?),
        Event::GaussianMixture {
            sigma,
            shifts,
            weights,
        } => {
            StdDev::new(*sigma)?;
            Mixture::of_group(shifts, weights).map(|_| ())
        }
        _ => law(mechanism).map(|_| ()),
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
    if let Some(pairs) = pairs(step, neighbours)? {
        // For Poisson sampling the removal direction has the larger divergence at every order
        // (Mironov, Talwar and Zhang 2019, Theorem 5); replacement is symmetric.
        let mut curve = PairCurve::new(pairs.into_iter().next().ok_or_else(no_pair)?);
        return Ok(Some(Box::new(move |beta| curve.rdp_upper(beta))));
    }
    if let Sampling::Poisson(1.0) | Sampling::FixedSize(1.0) = step.sampling {
        // Groups of two need four times the ρ (Bun and Steinke 2016, Proposition 1.9).
        match &step.mechanism {
            Event::Zcdp { rho } => return Ok(Some(linear(4.0 * Rho::new(*rho)?.get()))),
            Event::DiscreteGaussian { sigma, sensitivity } => {
                let span = sensitivity.saturating_mul(2);
                StdDev::new(*sigma)?;
                return Ok(Some(linear(discrete::gaussian_rho_upper(*sigma, span))));
            }
            _ => {}
        }
    }
    if step.sampling == Sampling::None {
        match &step.mechanism {
            Event::Laplace { scale, sensitivity } => {
                let m = Laplace::new(Sensitivity::new(*sensitivity)?, Scale::new(*scale)?);
                return Ok(Some(Box::new(move |beta| m.rdp_upper(1.0 + beta))));
            }
            Event::DiscreteGaussian { sigma, sensitivity } => {
                StdDev::new(*sigma)?;
                return Ok(Some(linear(discrete::gaussian_rho_upper(
                    *sigma,
                    *sensitivity,
                ))));
            }
            Event::Exponential { epsilon } => {
                let e = Epsilon::new(*epsilon)?.get();
                return Ok(Some(Box::new(move |beta| exponential::rdp_upper(e, beta))));
            }
            Event::Zcdp { rho } => return Ok(Some(linear(Rho::new(*rho)?.get()))),
            Event::PrivateSelection { mean, events } => {
                let curve = private_selection::curve(events, *mean, neighbours)?;
                return Ok(Some(Box::new(curve)));
            }
            _ => {}
        }
    }
    discrete_curve(step, neighbours)
}

fn no_pair() -> AccountError {
    AccountError::Event("a step without a dominating pair".into())
}

/// The curve of a loss with finitely many values, and ρ = ε²/2 beside it for pure mechanisms.
fn discrete_curve(
    step: &Step,
    neighbours: Neighbouring,
) -> Result<Option<BoxedCurve>, AccountError> {
    let laws = match (&step.mechanism, step.sampling) {
        (Event::RandomizedResponse { .. }, Sampling::None | Sampling::Poisson(_)) => {
            response_laws(step, neighbours)?.unwrap_or_default()
        }
        (
            Event::DiscreteLaplace {
                parameter,
                sensitivity,
            },
            Sampling::None,
        ) => {
            vec![discrete::laplace(*parameter, *sensitivity)?]
        }
        _ => match pure(step, neighbours)? {
            Some((epsilon, 0.0)) => vec![DiscreteLaw::response(epsilon)],
            _ => return Ok(None),
        },
    };
    let quadratic = match pure(step, neighbours)? {
        Some((epsilon, 0.0)) => zcdp::pure_rho_upper(Epsilon::new(epsilon)?),
        _ => f64::INFINITY,
    };
    Ok(Some(Box::new(move |beta| {
        let exact = laws
            .iter()
            .fold(0.0f64, |m, law| m.max(law.rdp_upper(beta)));
        exact.min((Enclosure::point(quadratic) * (1.0 + Enclosure::point(beta))).hi)
    })))
}

/// D_α ≤ ρα.
fn linear(rho: f64) -> BoxedCurve {
    Box::new(move |beta| (Enclosure::point(rho) * (1.0 + Enclosure::point(beta))).hi)
}
