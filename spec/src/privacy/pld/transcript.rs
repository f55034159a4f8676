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
pub enum DominatingPair {
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

impl DominatingPair {
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
    releases: Vec<(DominatingPair, u64)>,
}

impl Transcript {
    /// The releases and how often each is made.
    #[must_use]
    pub const fn new(releases: Vec<(DominatingPair, u64)>) -> Self {
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
            let known = match &found {
                Ok(epsilon) => epsilon.width(),
                Err(PrivacyError::NoBound { .. }) => f64::INFINITY,
                Err(_) => return found,
            };
            match finer(log2, known, before, width) {
                Some(next) => (log2, before) = (next, known),
                None => return found,
            }
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

/// log₂ of the next grid's size after one that left an enclosure so wide, where `before` was known before and `width` is
/// wanted; doubling the grid divides the width by four. None if this is enough, or if more will not help.
fn finer(log2: u32, known: f64, before: f64, width: f64) -> Option<u32> {
    let more = match known.is_finite() {
        true if known > 0.7 * before => 0.0,
        true => (known / width).log2() / 2.0,
        false => 1.0,
    };
    let next = (log2 + more.ceil().clamp(0.0, 4.0) as u32).min(*SIZES.end());
    (next > log2).then_some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grids_are_refined_as_far_as_it_helps() {
        let (none, wide) = (f64::INFINITY, 1.0);
        for (log2, known, before, width, next) in [
            (13, 0.5, none, wide, None),
            (13, 1.0, none, wide, None),
            (13, 1.5, none, wide, Some(14)),
            (13, 4.0, none, wide, Some(14)),
            (13, 4.5, none, wide, Some(15)),
            (13, 60.0, none, 4.0, Some(15)),
            (13, 300.0, none, wide, Some(17)),
            (13, 1e9, none, wide, Some(17)),
            (20, 1e9, none, wide, Some(22)),
            (22, 1e9, none, wide, None),
            // It has gained three tenths, or less.
            (14, 7.0, 10.0, wide, Some(16)),
            (14, 7.5, 10.0, wide, None),
            // Nothing was known, and nothing was or something was before.
            (13, none, none, wide, Some(14)),
            (14, none, 1.0, wide, Some(15)),
            (22, none, none, wide, None),
        ] {
            let told = format!("{log2}, {known}, {before}, {width}");
            assert_eq!(finer(log2, known, before, width), next, "{told}");
        }
    }

    /// As wide as asked on the second grid and not on the first; what is wrong is said at once.
    #[test]
    fn an_enclosure_is_as_narrow_as_is_asked() {
        let one = |x: f64| Interval::from_f64(x);
        let noise = DominatingPair::Gaussian(Gdp::new(one(0.5)).expect("in range"));
        let all = Transcript::new(vec![(noise, 2)]);
        let delta = one(0.01);
        let first = all.epsilon(&delta, 13).expect("a bound");
        let wide = all.epsilon_within(&delta, 1.5 * first.width());
        assert_eq!(wide.expect("a bound"), first);
        assert!(all.epsilon_within(&delta, 0.0).is_err());
        assert!(all.epsilon_within(&one(1.5), 1.0).is_err());
    }

    #[test]
    fn a_release_of_two_pairs_prints_as_one() {
        let pair: Arc<dyn LossPair + Send> =
            Arc::new(Gdp::new(Interval::from(1)).expect("in range"));
        let release = DominatingPair::directed(pair.clone(), pair);
        assert_eq!(format!("{release:?}"), "Directed(Directed)");
    }

    /// What is never made, or tells nothing apart, costs nothing.
    #[test]
    fn what_is_not_made_costs_nothing() {
        let zero = || Interval::from(0);
        let one = || Interval::from(1);
        let unmade = (
            DominatingPair::Gaussian(Gdp::new(one()).expect("in range")),
            0,
        );
        let silent = [
            DominatingPair::Gaussian(Gdp::new(zero()).expect("in range")),
            DominatingPair::Laplace(Laplace::new(&one(), &zero()).expect("in range")),
            DominatingPair::PoissonGaussian(PoissonGaussian::new(zero(), one()).expect("in range")),
        ];
        let silent = silent.map(|release| (release, 3));
        let all = Transcript::new([vec![unmade], silent.to_vec()].concat());
        let tenth = Interval::from_f64(0.1);
        assert_eq!(all.epsilon(&tenth, 8).expect("nothing"), zero());
        assert_eq!(all.delta(&zero(), 8).expect("nothing"), zero());
        let half = Interval::from_f64(0.5).ln();
        let below = all.delta(&half, 8).expect("nothing");
        assert!(below.contains(0.5) && below.width() < 1e-30, "{below}");
    }
}
