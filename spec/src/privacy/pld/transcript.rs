//! A list of releases, each with its multiplicity, and the composed ε and δ in the worse direction.

use super::pair::{LossPair, SampledGaussian};
use super::{Part, SIZES, delta, epsilon};
use crate::arith::Interval;
use crate::privacy::error::{PrivacyError, require};
use crate::privacy::finite::FinitePair;
use crate::privacy::gaussian::Gdp;
use crate::privacy::laplace::Laplace;
use crate::privacy::notion::{Profile, require_delta};
use crate::privacy::subsampled::{Direction, PoissonGaussian};
use std::sync::Arc;

/// One release, by the pair of laws that dominates it.
#[derive(Clone, Debug)]
pub enum Release {
    /// Gaussian noise: the same in both directions.
    Gaussian(Gdp),
    /// Laplace noise: the same in both directions.
    Laplace(Laplace),
    /// The Poisson-subsampled Gaussian under add/remove neighbours.
    PoissonGaussian(PoissonGaussian),
    /// Finitely many outcomes, e.g. randomized response; the other direction exchanges the laws.
    Finite(FinitePair),
    /// A pair for each direction.
    Directed(Directed),
}

/// The pairs of both directions: one leaves, one comes.
#[derive(Clone)]
pub struct Directed([Arc<dyn LossPair + Send>; 2]);

impl std::fmt::Debug for Directed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Directed")
    }
}

/// A pair that is shared.
#[derive(Clone)]
struct Held(Arc<dyn LossPair + Send>);

impl Profile for Held {
    fn delta(&self, epsilon: &Interval) -> Interval {
        self.0.delta(epsilon)
    }
}

impl LossPair for Held {
    fn delta_and_fall(&self, epsilon: &Interval) -> (Interval, Interval) {
        self.0.delta_and_fall(epsilon)
    }

    fn lattice(&self) -> Option<f64> {
        self.0.lattice()
    }
}

impl Release {
    /// The release that these pairs dominate where a record leaves, and where it comes.
    #[must_use]
    pub fn directed(remove: Arc<dyn LossPair + Send>, add: Arc<dyn LossPair + Send>) -> Self {
        Self::Directed(Directed([remove, add]))
    }

    /// The pair of one direction; `None` if the release tells neighbours apart in no way.
    pub(in crate::privacy) fn pair(&self, direction: Direction) -> Option<Box<dyn LossPair + '_>> {
        let nothing = match self {
            Self::Gaussian(g) => g.mu.hi().is_zero(),
            Self::Laplace(l) => l.ratio.hi().is_zero(),
            Self::PoissonGaussian(s) => s.q().hi().is_zero(),
            Self::Finite(_) | Self::Directed(_) => false,
        };
        if nothing {
            return None;
        }
        Some(match (self, direction) {
            (Self::Gaussian(g), _) => Box::new(g.clone()),
            (Self::Laplace(l), _) => Box::new(l.clone()),
            (Self::PoissonGaussian(step), _) => Box::new(SampledGaussian { step, direction }),
            (Self::Finite(pair), Direction::Remove) => Box::new(pair.clone()),
            (Self::Finite(pair), Direction::Add) => Box::new(pair.reversed()),
            (Self::Directed(Directed([pair, _])), Direction::Remove)
            | (Self::Directed(Directed([_, pair])), Direction::Add) => Box::new(Held(pair.clone())),
        })
    }

    const fn is_symmetric(&self) -> bool {
        matches!(self, Self::Gaussian(_) | Self::Laplace(_))
    }
}

/// Releases on the same data, each chosen after the ones before it, with their multiplicities.
#[derive(Clone, Debug, Default)]
pub struct Transcript {
    releases: Vec<(Release, u64)>,
}

impl Transcript {
    /// The releases and how often each is made.
    #[must_use]
    pub const fn new(releases: Vec<(Release, u64)>) -> Self {
        Self { releases }
    }

    /// Encloses the least ε ≥ 0 with δ(ε) ≤ `delta` in both directions, on grids of up to
    /// 2^`log2_size` points.
    ///
    /// # Errors
    /// When δ is not in (0, 1), the size is not in [`SIZES`], or no finite bound results.
    pub fn epsilon(&self, delta: &Interval, log2_size: u32) -> Result<Interval, PrivacyError> {
        require_delta(delta)?;
        self.worst(Interval::from(0), |parts| epsilon(parts, delta, log2_size))
    }

    /// [`Self::epsilon`] at most `width` wide, on the smallest grids that are found to do. The enclosure
    /// may be wider on the largest admissible grids, or where finer ones do not help.
    ///
    /// # Errors
    /// As [`Self::epsilon`].
    pub fn epsilon_within(&self, delta: &Interval, width: f64) -> Result<Interval, PrivacyError> {
        require(width > 0.0, "width", &width, "must be > 0")?;
        let (mut log2, mut before) = (13, f64::INFINITY);
        loop {
            let found = self.epsilon(delta, log2);
            // Doubling the grid divides the width by four.
            let more = match &found {
                Ok(epsilon) if epsilon.width() > 0.7 * before => 0.0,
                Ok(epsilon) => {
                    before = epsilon.width();
                    (before / width).log2() / 2.0
                }
                Err(PrivacyError::NoBound { .. }) => 1.0,
                Err(_) => 0.0,
            };
            if more <= 0.0 || log2 == *SIZES.end() {
                return found;
            }
            log2 = (log2 + more.ceil().clamp(1.0, 4.0) as u32).min(*SIZES.end());
        }
    }

    /// Encloses δ(ε), the larger of both directions, on grids of up to 2^`log2_size` points.
    ///
    /// # Errors
    /// When ε is not finite or the size is not in [`SIZES`].
    pub fn delta(&self, epsilon: &Interval, log2_size: u32) -> Result<Interval, PrivacyError> {
        let nothing = (-&epsilon.exp_m1()).max(&Interval::from(0));
        self.worst(nothing, |parts| delta(parts, epsilon, log2_size))
    }

    /// The larger of both directions, `nothing` if neighbours are never told apart.
    fn worst(
        &self,
        nothing: Interval,
        found: impl Fn(&[Part<'_>]) -> Result<Interval, PrivacyError>,
    ) -> Result<Interval, PrivacyError> {
        let symmetric = self.releases.iter().all(|(r, _)| r.is_symmetric());
        let directions = &Direction::BOTH[usize::from(symmetric)..];
        let mut worst = nothing;
        for direction in directions {
            let made = self.releases.iter().filter(|(_, times)| *times > 0);
            let pairs: Vec<_> = made
                .filter_map(|(release, times)| Some((release.pair(*direction)?, *times)))
                .collect();
            let parts: Vec<_> = pairs
                .iter()
                .map(|(pair, times)| Part {
                    pair: pair.as_ref(),
                    times: *times,
                })
                .collect();
            if !parts.is_empty() {
                worst = worst.max(&found(&parts)?);
            }
        }
        Ok(worst)
    }
}
