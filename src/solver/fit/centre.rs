//! A private centre of the features.
//!
//! Features that lie in \[−B, B\] by public ranges rarely have their mean in the middle. What all records share then fills
//! most of every gradient, and is clipped and hidden at the cost of what tells them apart. The means m_j of the p features
//! are released once with Gaussian noise: a replaced record moves them together by at most 2√p·B/n. The released means are
//! drawn towards their own mean c by v/(v + σ²), v being their variance beyond that of the noise, and x̄_ij − c_j takes the
//! place of x̄_ij. That is a fixed map of each record once the release is known, so that nothing changes in what follows
//! but the bound: |x̄_ij − c_j| ≤ 2B, as c_j is kept within \[−B, B\].
//!
//! In Gaussian differential privacy one release of μ_c and what follows of μ_r are one of μ² = μ_c² + μ_r²
//! (decor-aux-simulate): [`Request::centre`] is the part of μ² that the centre gets.

use super::{FitError, Request};
use crate::accounting::{Event, gdp};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::dataset::DatasetError;
use crate::problem::{Dataset, Dense};
use crate::units::{Neighbouring, OutOfDomain};
use serde::Serialize;

/// The tape's trial of the centre: the solvers take trial 0, the estimate of smoothness 1, the split 2, ranges 4, the seeds
/// of several classes 5, a choice of settings 6.
const TRIAL: u64 = 3;

/// A released centre, and its noise.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Centre {
    /// ℓ₂ sensitivity of the means.
    pub sensitivity: f64,
    /// Standard deviation of the noise on each of them.
    pub deviation: f64,
    /// c, one entry for each feature, in units in which features lie in \[−B, B\].
    pub point: Vec<f64>,
}

impl Centre {
    /// Releases the centre of framed features: the last column is the intercept's and has none.
    pub(super) fn new(framed: &Dataset, request: &Request) -> Result<Self, FitError> {
        let (n, p) = (framed.records() as f64, framed.features() - 1);
        check(request)?;
        let unit = request.bound * (1.0 / n + (n + 2.0) * f64::EPSILON);
        // Twice the norm of p entries of at most `unit`; the last factor covers the roundings of this line.
        let sensitivity = 2.0 * (p as f64).sqrt() * unit * (1.0 + 4.0 * f64::EPSILON);
        let part = gdp::mu_of(request.epsilon, request.delta)?.lo * request.centre.sqrt();
        let deviation = sensitivity / part * (1.0 + 4.0 * f64::EPSILON);
        let mut words = Tape::new(request.seed)
            .trial(TRIAL)
            .stream(0, Purpose::Release, 0);
        let mean = |j| {
            framed
                .design()
                .column(j)
                .iter()
                .map(|(_, x)| x)
                .sum::<f64>()
                / n
        };
        let released = (0..p).map(|j| mean(j) + deviation * words.uniform().gaussian());
        let point = shrunk(&released.collect::<Vec<_>>(), deviation * deviation)
            .map(|c| c.clamp(-request.bound, request.bound))
            .collect();
        Ok(Self {
            sensitivity,
            deviation,
            point,
        })
    }

    /// The data moved by −c.
    pub(super) fn applied(&self, framed: &Dataset) -> Result<Dataset, FitError> {
        let (n, columns) = (framed.records(), framed.features());
        let mut values = vec![0.0; n * columns];
        for (j, to) in values.chunks_exact_mut(n).enumerate() {
            to.fill(-self.point.get(j).copied().unwrap_or(0.0));
            framed
                .design()
                .column(j)
                .iter()
                .for_each(|(i, x)| to[i] += x);
        }
        let dense = Dense::from_columns(n, columns, values).map_err(DatasetError::from)?;
        Ok(framed.with_design(dense)?)
    }

    /// Σ_j w_j c_j: what the centre takes from the intercept of a model of centred features.
    pub(super) fn shift(&self, weights: &[f64]) -> f64 {
        weights.iter().zip(&self.point).map(|(w, c)| w * c).sum()
    }

    /// The release, to an accountant.
    pub(super) fn event(&self) -> Event {
        Event::Gaussian {
            sigma: self.deviation,
            sensitivity: self.sensitivity,
        }
    }
}

fn check(request: &Request) -> Result<(), FitError> {
    let refuse = |choice: &str| Err(super::outcome::unsupported(request, choice.into()));
    let (value, rule) = (request.centre, "at least 0 and below 1");
    OutOfDomain::unless(value > 0.0 && value < 1.0, "centre", value, rule)?;
    if request.neighbours != Neighbouring::ReplaceOne {
        return refuse("a private centre under other neighbours than replace-one");
    }
    if !request.intercept {
        return refuse("a private centre without an intercept");
    }
    Ok(())
}

/// Noisy means drawn towards their own mean, by how little they vary beyond the variance of the noise.
fn shrunk(means: &[f64], noise: f64) -> impl Iterator<Item = f64> {
    let p = means.len() as f64;
    let middle = means.iter().sum::<f64>() / p;
    let spread = means
        .iter()
        .map(|m| (m - middle) * (m - middle))
        .sum::<f64>()
        / p;
    let signal = (spread - noise).max(0.0);
    let factor = signal / (signal + noise);
    means.iter().map(move |m| middle + (m - middle) * factor)
}
