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

use super::event::{Event, Sampling, Step};
use super::float::Enclosure;
use super::gaussian::Gaussian;
use super::laplace::Laplace;
use super::mixture::{Component, Mixture, Pair};
use super::pld::discrete_law::DiscreteLaw;
use super::pld::law::{Direction, FixedSize, GaussianLaw, LaplaceLaw, LossLaw, Sampled};
use super::pld::mixture_law::MixtureLaw;
use super::pure::Group;
use super::rdp::{Curve, PairCurve};
use super::{AccountError, covariance, discrete, exponential, gdp, noisy_max, response, zcdp};
use crate::units::{Epsilon, Neighbouring, Rho, Scale, Sensitivity, StdDev};
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
    let whole = matches!(step.sampling, Sampling::None)
        || matches!(
            step.sampling,
            Sampling::Poisson(1.0) | Sampling::FixedSize(1.0)
        );
    if !whole {
        return Ok(None);
    }
    // A full batch of which one record is replaced moves by up to twice its norm.
    let reach = if matches!(step.sampling, Sampling::FixedSize(_)) {
        2.0
    } else {
        1.0
    };
    Ok(match &step.mechanism {
        Event::Gaussian { sigma, sensitivity } if step.sampling != Sampling::Poisson(1.0) => Some(
            Gaussian::new(Sensitivity::new(reach * sensitivity)?, StdDev::new(*sigma)?),
        ),
        Event::Gdp { mu } if step.sampling == Sampling::None => Some(gdp::mechanism(*mu)?),
        Event::CorrelatedGaussian { covariance, shifts } if step.sampling == Sampling::None => {
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
                .map(|s| DVector::from_column_slice(s))
                .collect();
            Some(covariance::mechanism(&matrix, &shifts)?)
        }
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
    let Event::Gaussian { sigma, sensitivity } = step.mechanism else {
        let Some(g) = gaussian(step)? else {
            return Ok(None);
        };
        return Ok(Some(vec![Pair::gaussian(g.mu_upper(), 1.0)]));
    };
    let (s, d) = (
        StdDev::new(sigma)?.get(),
        Sensitivity::new(sensitivity)?.get(),
    );
    let shifted = |shift: f64, weight: f64| -> Mixture {
        if d == 0.0 {
            Mixture::centred()
        } else {
            Mixture::two(shift * d, weight)
        }
    };
    Ok(match (step.sampling, neighbours) {
        (Sampling::None, _) => Some(vec![Pair::gaussian(d, s)]),
        (Sampling::Poisson(q), Neighbouring::AddRemove | Neighbouring::ZeroOut) => {
            let centre = Mixture::centred;
            if q == 1.0 {
                return Ok(Some(vec![Pair::gaussian(d, s)]));
            }
            Some(vec![
                Pair {
                    sigma: s,
                    p: shifted(1.0, q),
                    q: centre(),
                },
                Pair {
                    sigma: s,
                    p: centre(),
                    q: shifted(-1.0, q),
                },
            ])
        }
        (Sampling::Poisson(q), Neighbouring::ReplaceOne) => Some(vec![Pair {
            sigma: s,
            p: shifted(1.0, q),
            q: shifted(-1.0, q),
        }]),
        (Sampling::FixedSize(1.0), Neighbouring::ReplaceOne) => {
            Some(vec![Pair::gaussian(2.0 * d, s)])
        }
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

/// ε of a step that is (ε, 0)-DP, rounded up, and δ₀ if it is only (ε, δ₀)-DP.
///
/// # Errors
/// Parameters out of range.
pub fn pure(step: &Step, neighbours: Neighbouring) -> Result<Option<(f64, f64)>, AccountError> {
    if step.sampling != Sampling::None {
        return Ok(None);
    }
    Ok(match &step.mechanism {
        Event::Laplace { scale, sensitivity } => {
            let m = Laplace::new(Sensitivity::new(*sensitivity)?, Scale::new(*scale)?);
            Some((m.pure.hi, 0.0))
        }
        Event::DiscreteLaplace {
            parameter,
            sensitivity,
        } => {
            discrete::laplace(*parameter, 0)?;
            let product = Enclosure::point(*parameter) * *sensitivity as f64;
            Some((product.hi, 0.0))
        }
        Event::RandomizedResponse { noise, buckets } => {
            let laws = response::laws(*noise, *buckets, neighbours)?;
            let largest = laws.iter().fold(0.0f64, |m, law| m.max(law.support().1));
            let safe = laws.iter().all(|law| law.infinite() == 0.0);
            safe.then_some((largest * (1.0 + 1e-15) + 1e-300, 0.0))
        }
        Event::Exponential { epsilon } | Event::Pure { epsilon } => {
            Some((Epsilon::new(*epsilon)?.get(), 0.0))
        }
        Event::ReportNoisyMax {
            sensitivities,
            scales,
        } => Some((noisy_max::epsilon_upper(sensitivities, scales)?, 0.0)),
        Event::Approximate { epsilon, delta } => {
            let delta = crate::units::Delta::new(*delta)?;
            Some((Epsilon::new(*epsilon)?.get(), delta.get()))
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
    if let Some(g) = gaussian(step)? {
        return Ok(Some(vec![Arc::new(GaussianLaw { mu: g.mu_upper() })]));
    }
    let per_record = matches!(neighbours, Neighbouring::AddRemove | Neighbouring::ZeroOut);
    Ok(match (&step.mechanism, step.sampling) {
        (Event::Gaussian { sigma, sensitivity }, Sampling::Poisson(q)) if per_record => {
            let mu = Sensitivity::new(*sensitivity)?.get() / StdDev::new(*sigma)?.get();
            Some(sampled(GaussianLaw { mu }, q))
        }
        (Event::Gaussian { sigma, sensitivity }, Sampling::FixedSize(q))
            if neighbours == Neighbouring::ReplaceOne =>
        {
            let mu = Sensitivity::new(*sensitivity)?.get() / StdDev::new(*sigma)?.get();
            Some(vec![Arc::new(FixedSize::new(2.0 * mu, q))])
        }
        (Event::Gaussian { .. }, Sampling::Poisson(_)) => match pairs(step, neighbours)? {
            Some(pairs) => {
                let laws: Result<Laws, AccountError> = pairs
                    .into_iter()
                    .map(|pair| Ok(Arc::new(MixtureLaw::new(pair)?) as Arc<dyn LossLaw>))
                    .collect();
                Some(laws?)
            }
            None => None,
        },
        (Event::Laplace { scale, sensitivity }, sampling) => {
            let m = Laplace::new(Sensitivity::new(*sensitivity)?, Scale::new(*scale)?);
            symmetric(LaplaceLaw { pure: m.pure.hi }, sampling, per_record)
        }
        (
            Event::DiscreteLaplace {
                parameter,
                sensitivity,
            },
            sampling,
        ) => symmetric(
            discrete::laplace(*parameter, *sensitivity)?,
            sampling,
            per_record,
        ),
        (Event::DiscreteGaussian { sigma, sensitivity }, sampling) => symmetric(
            discrete::gaussian(*sigma, *sensitivity)?,
            sampling,
            per_record,
        ),
        (Event::RandomizedResponse { noise, buckets }, Sampling::None) => Some(
            response::laws(*noise, *buckets, neighbours)?
                .into_iter()
                .map(|law| Arc::new(law) as Arc<dyn LossLaw>)
                .collect(),
        ),
        _ => match pure(step, neighbours)? {
            Some((epsilon, delta)) => {
                Some(vec![Arc::new(DiscreteLaw::approximate(epsilon, delta))])
            }
            None => None,
        },
    })
}

fn symmetric<L>(base: L, sampling: Sampling, per_record: bool) -> Option<Laws>
where
    L: LossLaw + Clone + 'static,
{
    match sampling {
        Sampling::None => Some(vec![Arc::new(base)]),
        Sampling::Poisson(rate) if per_record => Some(sampled(base, rate)),
        _ => None,
    }
}

fn sampled<L: LossLaw + Clone + 'static>(base: L, rate: f64) -> Laws {
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
        (Event::RandomizedResponse { noise, buckets }, Sampling::None) => {
            response::laws(*noise, *buckets, neighbours)?
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
