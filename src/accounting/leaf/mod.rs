//! Mechanisms as accountants see them, each in one place.
//!
//! A [`Leaf`] answers all that any accountant asks of a mechanism that is run once on all records that it is given. No
//! answer has a default: the compiler names what a new mechanism lacks, and what nobody knows of it is `unknown!`.
//! What sampling and composition make of the answers is in [`views`](super::views).

/// Answers that nobody knows.
macro_rules! unknown {
    ($($what:ident),+) => { $(unknown!(@ $what);)+ };
    (@ noise) => {
        fn noise(&self, _: f64) -> Result<Option<Noise>, AccountError> {
            Ok(None)
        }
    };
    (@ run) => {
        fn run(&self) -> Option<(u64, (u64, u64))> {
            None
        }
    };
    (@ known) => {
        fn known(&self) -> Result<Option<Known>, AccountError> {
            Ok(None)
        }
    };
    (@ law) => {
        fn law(&self) -> Result<Option<Law>, AccountError> {
            Ok(None)
        }
    };
    (@ group) => {
        fn group(&self, _: u64) -> Result<Option<Law>, AccountError> {
            Ok(None)
        }
    };
    (@ curve) => {
        fn curve(&self, _: u64, _: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError> {
            Ok(None)
        }
    };
    (@ pair) => {
        #[cfg(feature = "certify")]
        fn pair(&self, _: Neighbouring) -> Result<Option<DominatingPair>, AccountError> {
            Ok(None)
        }
    };
    (@ presences) => {
        #[cfg(feature = "certify")]
        fn presences(&self) -> Result<Option<Presences>, AccountError> {
            Ok(None)
        }
    };
}

mod additive;
#[cfg(feature = "certify")]
pub(super) mod exact;
mod gaussian;
mod known;
mod other;

use super::AccountError;
use super::amplification::Known;
use super::event::Event;
use super::gaussian::Gaussian;
use super::mixture::Mixture;
use super::pld::discrete_law::DiscreteLaw;
use super::pld::lattice::Side;
use super::pld::law::LossLaw;
use super::{response, zcdp};
use crate::float::Enclosure;
use crate::units::{Epsilon, Neighbouring, StdDev};
#[cfg(feature = "certify")]
use dp_assay_spec::privacy::{batches::Presences, pld::DominatingPair};
use std::sync::Arc;

/// An upper bound on ε at order 1 + β as a boxed function.
pub type BoxedCurve = Box<dyn FnMut(f64) -> f64>;

/// The law of a privacy loss that is the same in both directions.
pub(super) type Law = Arc<dyn LossLaw>;

/// Finds the Rényi curves of an event within a mechanism, one for each way through it.
pub(super) type Inner<'a> = &'a dyn Fn(&Event) -> Result<Vec<BoxedCurve>, AccountError>;

/// As what an accountant sees a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum View {
    /// The law of its privacy loss, or a pair of Gaussian mixtures.
    Law,
    /// Its ε.
    Pure,
    /// Its Rényi divergences.
    Curve,
}

/// What theorems on sampling ask of a mechanism.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Structure<'a> {
    /// Gaussian noise, whose farthest shifts are the worst.
    Gaussian,
    /// No worse than Gaussian noise.
    Gdp,
    /// Other noise: what groups lose is known.
    Noise,
    /// Gaussian noise on a whole run.
    Run,
    /// (ε, 0)-DP.
    Pure,
    /// (ε, δ)-DP.
    Approximate,
    /// ρ-zCDP.
    Zcdp,
    /// A channel of one record, whose answers do not hang together: with this probability, a uniform one of so many.
    Response(f64, u64),
    /// Shifts of a group that comes or goes: σ, the shifts, and their probabilities.
    Group(f64, &'a [f64], &'a [f64]),
    /// A choice among runs.
    Choice(&'a [Event]),
}

/// Gaussian noise that dominates a mechanism.
pub(super) struct Noise {
    /// σ, and how far the mean moves.
    pub(super) scales: (f64, f64),
    /// It loses at most this.
    pub(super) above: Gaussian,
    /// And at least this, if that is known.
    pub(super) below: Option<Gaussian>,
}

/// A mechanism, run once on all records that it is given.
pub(super) trait Leaf {
    /// What theorems on sampling ask.
    fn structure(&self) -> Structure<'_>;

    /// Whether the law that is used is the mechanism's own, rather than one that dominates it.
    fn is_attained(&self) -> bool;

    /// The claims on it.
    fn claims(&self, view: View) -> &'static [&'static str];

    /// Of a whole run its steps, and in how many of them and how far apart a record takes part.
    fn run(&self) -> Option<(u64, (u64, u64))>;

    /// The Gaussian noise that dominates it, where records move it `reach` times as far.
    fn noise(&self, reach: f64) -> Result<Option<Noise>, AccountError>;

    /// Its ε and δ, where these are all that is used of it, or ε at least is finite.
    fn known(&self) -> Result<Option<Known>, AccountError>;

    /// The law of its loss, if it is the same in both directions.
    fn law(&self) -> Result<Option<Law>, AccountError>;

    /// The law where so many records come or go at once, if that is known exactly.
    fn group(&self, reach: u64) -> Result<Option<Law>, AccountError>;

    /// Its Rényi curve where so many records come or go at once, if more is known than ε.
    fn curve(&self, reach: u64, inner: Inner<'_>) -> Result<Option<BoxedCurve>, AccountError>;

    /// Its certified pair.
    #[cfg(feature = "certify")]
    fn pair(&self, neighbours: Neighbouring) -> Result<Option<DominatingPair>, AccountError>;

    /// The certified pairs of groups.
    #[cfg(feature = "certify")]
    fn presences(&self) -> Result<Option<Presences>, AccountError>;
}

/// The mechanism that a leaf of a tree is.
///
/// # Errors
/// An inner node is none.
pub(super) fn leaf(event: &Event) -> Result<Box<dyn Leaf + '_>, AccountError> {
    Ok(match event {
        Event::Gaussian { sigma, sensitivity } => Box::new(gaussian::Plain(*sigma, *sensitivity)),
        Event::Gdp { mu } => Box::new(gaussian::Gdp(*mu)),
        Event::CorrelatedGaussian { covariance, shifts } => {
            Box::new(gaussian::Correlated { covariance, shifts })
        }
        Event::MatrixGaussian {
            sigma,
            strategy,
            participations,
            separation,
        } => Box::new(gaussian::Matrix {
            sigma: *sigma,
            strategy,
            pattern: (*participations, *separation),
        }),
        Event::GaussianMixture {
            sigma,
            shifts,
            weights,
        } => Box::new(other::Group {
            sigma: *sigma,
            shifts,
            weights,
        }),
        Event::Laplace { scale, sensitivity } => Box::new(additive::Laplace(*scale, *sensitivity)),
        Event::DiscreteLaplace {
            parameter,
            sensitivity,
        } => Box::new(additive::DiscreteLaplace(*parameter, *sensitivity)),
        Event::DiscreteGaussian { sigma, sensitivity } => {
            Box::new(additive::DiscreteGaussian(*sigma, *sensitivity))
        }
        Event::Exponential { epsilon } => Box::new(known::Exponential(*epsilon)),
        Event::ReportNoisyMax {
            sensitivities,
            scales,
        } => Box::new(known::NoisyMax {
            sensitivities,
            scales,
        }),
        Event::Pure { epsilon } => Box::new(known::Pure(*epsilon)),
        Event::Approximate { epsilon, delta } => Box::new(known::Approximate(*epsilon, *delta)),
        Event::Zcdp { rho } => Box::new(known::Zcdp(*rho)),
        Event::RandomizedResponse { noise, buckets } => Box::new(other::Response(*noise, *buckets)),
        Event::PrivateSelection { mean, events } => Box::new(other::Choice {
            mean: *mean,
            events,
        }),
        Event::PoissonSampled { .. }
        | Event::FixedSizeSampled { .. }
        | Event::TruncatedPoissonSampled { .. }
        | Event::RandomAllocation { .. }
        | Event::BallsInBins { .. }
        | Event::BMinSeparation { .. }
        | Event::Repeated { .. }
        | Event::Composed { .. }
        | Event::Parallel { .. } => {
            let name = event.name();
            return Err(AccountError::Event(format!(
                "{name} is no single mechanism"
            )));
        }
    })
}

/// Refuses a mechanism with parameters out of range.
///
/// # Errors
/// Names the parameter.
pub(super) fn check(event: &Event) -> Result<(), AccountError> {
    let leaf = leaf(event)?;
    match leaf.structure() {
        Structure::Response(noise, buckets) => {
            response::laws(noise, buckets, Neighbouring::ReplaceOne).map(|_| ())
        }
        Structure::Group(sigma, shifts, weights) => {
            StdDev::new(sigma)?;
            Mixture::of_group(shifts, weights, Side::Above).map(|_| ())
        }
        Structure::Zcdp => leaf.curve(1, &|_| Ok(Vec::new())).map(|_| ()),
        Structure::Gaussian
        | Structure::Gdp
        | Structure::Noise
        | Structure::Run
        | Structure::Pure
        | Structure::Approximate
        | Structure::Choice(_) => leaf.law().map(|_| ()),
    }
}

/// The curve of losses with finitely many values, and ρ = ε²/2 beside it for what is (ε, 0)-DP.
pub(super) fn finite(
    laws: Vec<DiscreteLaw>,
    epsilon: Option<f64>,
) -> Result<BoxedCurve, AccountError> {
    let rho = match epsilon {
        Some(epsilon) => zcdp::pure_rho_upper(Epsilon::new(epsilon)?),
        None => f64::INFINITY,
    };
    let mut quadratic = linear(rho);
    Ok(Box::new(move |beta| {
        let each = laws.iter().map(|law| law.rdp_upper(beta));
        each.fold(0.0, f64::max).min(quadratic(beta))
    }))
}

/// D_α ≤ ρα.
pub(super) fn linear(rho: f64) -> BoxedCurve {
    Box::new(move |beta| (Enclosure::point(rho) * (1.0 + Enclosure::point(beta))).hi)
}

#[cfg(test)]
mod tests;
