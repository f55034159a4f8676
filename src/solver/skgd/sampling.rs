//! Distributions over sets of coordinates (Assumption 3.1), and values attached to their sets.

use crate::mechanism::tape::{Purpose, Tape};
use std::collections::HashMap;

/// A distribution over non-empty sets of the d coordinates in which every coordinate has a chance
/// (skgd-asm-3.1).
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::solver::skgd::Sampling;
///
/// let sampling = Sampling::importance_singleton(&[3.0, 1.0])?; // coordinate 0 three times as often
/// assert_eq!((sampling.coordinates(), sampling.largest()), (2, 1));
/// assert!(sampling.inclusion()[0] > sampling.inclusion()[1]);
/// let mut set = Vec::new();
/// sampling.draw(Tape::new(1), 0, &mut set);
/// assert_eq!(set.len(), 1);
/// assert!(Sampling::partition(3, vec![vec![0, 1], vec![1, 2]]).is_err()); // 1 is in both blocks
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sampling {
    law: Law,
    /// p_j.
    inclusion: Vec<f64>,
}

#[derive(Clone, Debug, PartialEq)]
enum Law {
    /// Listed sets, ascending within each; set i is drawn with probability w_i/Σw.
    Listed {
        sets: Vec<Vec<usize>>,
        /// w_1 + … + w_i.
        cumulative: Vec<f64>,
    },
    /// All sets of this size, equally likely.
    Nice(usize),
}

/// Why sets and weights are no sampling.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SamplingError {
    /// d = 0.
    #[error("0 coordinates; at least 1 is needed")]
    NoCoordinates,
    /// A set without coordinates.
    #[error("set {0} is empty")]
    EmptySet(usize),
    /// A coordinate beyond d.
    #[error("set {set} holds coordinate {coordinate}, beyond the {coordinates} there are")]
    Outside {
        /// The set, counted from 0.
        set: usize,
        /// The coordinate, counted from 0.
        coordinate: usize,
        /// d.
        coordinates: usize,
    },
    /// A coordinate twice in one set.
    #[error("set {set} holds coordinate {coordinate} twice")]
    Twice {
        /// The set, counted from 0.
        set: usize,
        /// The coordinate, counted from 0.
        coordinate: usize,
    },
    /// One set twice: its probability is the sum, given once.
    #[error("sets {first} and {second} are the same")]
    Repeated {
        /// The first of the two, counted from 0.
        first: usize,
        /// The second.
        second: usize,
    },
    /// A coordinate that is never drawn.
    #[error("coordinate {0} is in no set: its probability must be > 0")]
    NeverDrawn(usize),
    /// A partition's coordinate in two blocks.
    #[error("coordinate {0} is in more than one block of the partition")]
    Overlap(usize),
    /// Not one weight per set.
    #[error("{weights} weights given for {sets} sets")]
    Weights {
        /// Number of weights.
        weights: usize,
        /// Number of sets.
        sets: usize,
    },
    /// A weight that is none.
    #[error("weight {weight} of set {set} must be finite and > 0")]
    Weight {
        /// The set, counted from 0.
        set: usize,
        /// Its weight.
        weight: f64,
    },
    /// Not one M_j per coordinate.
    #[error("{found} smoothness constants given for {expected} coordinates")]
    Smoothness {
        /// Number given.
        found: usize,
        /// d.
        expected: usize,
    },
    /// τ outside 1 … d.
    #[error("set size {size} must lie between 1 and the number of coordinates, {coordinates}")]
    Size {
        /// τ.
        size: usize,
        /// d.
        coordinates: usize,
    },
}

impl Sampling {
    /// S = \[d\] always.
    ///
    /// # Errors
    /// If d = 0.
    pub fn full(coordinates: usize) -> Result<Self, SamplingError> {
        Self::partition(coordinates, vec![(0..coordinates).collect()])
    }

    /// One coordinate, all equally likely.
    ///
    /// # Errors
    /// If d = 0.
    pub fn uniform_singleton(coordinates: usize) -> Result<Self, SamplingError> {
        Self::partition(coordinates, (0..coordinates).map(|j| vec![j]).collect())
    }

    /// One coordinate, j with probability M_j/Tr(M).
    ///
    /// # Errors
    /// If there is no M_j or one is not finite and > 0.
    pub fn importance_singleton(smoothness: &[f64]) -> Result<Self, SamplingError> {
        let d = smoothness.len();
        Self::importance_partition(d, (0..d).map(|j| vec![j]).collect(), smoothness)
    }

    /// One block of a partition of \[d\], all equally likely.
    ///
    /// # Errors
    /// If the blocks are not a partition.
    pub fn partition(coordinates: usize, blocks: Vec<Vec<usize>>) -> Result<Self, SamplingError> {
        let weights = vec![1.0; blocks.len()];
        Self::weighted_partition(coordinates, blocks, weights)
    }

    /// One block of a partition, block i with probability proportional to max_{j∈A_i} M_j
    /// (skgd-eq-imp-psd).
    ///
    /// # Errors
    /// If the blocks are not a partition or an M_j is not finite and > 0.
    pub fn importance_partition(
        coordinates: usize,
        blocks: Vec<Vec<usize>>,
        smoothness: &[f64],
    ) -> Result<Self, SamplingError> {
        let (found, expected) = (smoothness.len(), coordinates);
        if found != expected {
            return Err(SamplingError::Smoothness { found, expected });
        }
        check_sets(coordinates, &blocks)?;
        let largest = |block: &Vec<usize>| block.iter().map(|&j| smoothness[j]).fold(0.0, f64::max);
        //= skgd-eq-imp-psd
        let weights: Vec<f64> = blocks.iter().map(largest).collect();
        check_weights(&weights, blocks.len())?;
        // Relative to the largest, so that equal M_j give the very weights of uniform sampling.
        let top = weights.iter().copied().fold(0.0, f64::max);
        let weights = weights.iter().map(|w| w / top).collect();
        Self::weighted_partition(coordinates, blocks, weights)
    }

    /// Any sets with any weights > 0.
    ///
    /// # Errors
    /// If a set is empty, given twice, or holds a coordinate twice or beyond d; if a coordinate is in no
    /// set; or if a weight is not finite and > 0 or is missing.
    pub fn listed(
        coordinates: usize,
        mut sets: Vec<Vec<usize>>,
        weights: Vec<f64>,
    ) -> Result<Self, SamplingError> {
        //= skgd-asm-3.1
        check_sets(coordinates, &sets)?;
        check_weights(&weights, sets.len())?;
        sets.iter_mut().for_each(|set| set.sort_unstable());
        check_distinct(&sets)?;
        let total: f64 = weights.iter().sum();
        let mut inclusion = vec![0.0; coordinates];
        for (set, weight) in sets.iter().zip(&weights) {
            set.iter().for_each(|&j| inclusion[j] += weight);
        }
        inclusion.iter_mut().for_each(|p| *p /= total);
        let cumulative = weights.iter().scan(0.0, |sum, weight| {
            *sum += weight;
            Some(*sum)
        });
        let cumulative = cumulative.collect();
        Ok(Self {
            law: Law::Listed { sets, cumulative },
            inclusion,
        })
    }

    /// τ-nice sampling: all sets of `size` coordinates, equally likely.
    ///
    /// # Errors
    /// Unless 1 ≤ τ ≤ d.
    pub fn nice(coordinates: usize, size: usize) -> Result<Self, SamplingError> {
        if coordinates == 0 {
            return Err(SamplingError::NoCoordinates);
        }
        if !(1..=coordinates).contains(&size) {
            return Err(SamplingError::Size { size, coordinates });
        }
        let inclusion = vec![size as f64 / coordinates as f64; coordinates];
        Ok(Self {
            law: Law::Nice(size),
            inclusion,
        })
    }

    fn weighted_partition(
        coordinates: usize,
        blocks: Vec<Vec<usize>>,
        weights: Vec<f64>,
    ) -> Result<Self, SamplingError> {
        check_sets(coordinates, &blocks)?;
        let mut taken = vec![false; coordinates];
        for &j in blocks.iter().flatten() {
            if std::mem::replace(&mut taken[j], true) {
                return Err(SamplingError::Overlap(j));
            }
        }
        Self::listed(coordinates, blocks, weights)
    }

    /// Number of coordinates d.
    #[must_use]
    pub fn coordinates(&self) -> usize {
        self.inclusion.len()
    }

    /// p_j = P(j ∈ S).
    #[must_use]
    pub fn inclusion(&self) -> &[f64] {
        &self.inclusion
    }

    /// The sets, where they are listed; `None` for τ-nice sampling.
    #[must_use]
    pub fn sets(&self) -> Option<&[Vec<usize>]> {
        match &self.law {
            Law::Listed { sets, .. } => Some(sets),
            Law::Nice(_) => None,
        }
    }

    /// Size of the largest set.
    #[must_use]
    pub fn largest(&self) -> usize {
        match &self.law {
            Law::Listed { sets, .. } => sets.iter().map(Vec::len).max().unwrap_or(0),
            Law::Nice(size) => *size,
        }
    }

    /// E|S| = Σ_j p_j.
    #[must_use]
    pub fn mean_size(&self) -> f64 {
        self.inclusion.iter().sum()
    }

    /// Draws S into `set`, ascending; returns its number where sets are listed. Uses the words
    /// (step, `Sampling`, 0 …) of the tape: one for a listed set, τ for a τ-nice one.
    pub fn draw(&self, tape: Tape, step: u64, set: &mut Vec<usize>) -> Option<usize> {
        set.clear();
        let mut words = tape.stream(step, Purpose::Sampling, 0);
        match &self.law {
            Law::Listed { sets, cumulative } => {
                let index = words.uniform().pick(cumulative);
                set.extend_from_slice(&sets[index]);
                Some(index)
            }
            Law::Nice(size) => {
                words.subset(self.coordinates(), *size, set);
                None
            }
        }
    }
}

fn check_sets(coordinates: usize, sets: &[Vec<usize>]) -> Result<(), SamplingError> {
    if coordinates == 0 {
        return Err(SamplingError::NoCoordinates);
    }
    // The last set seen to hold each coordinate, plus 1.
    let mut seen = vec![0; coordinates];
    for (set, members) in sets.iter().enumerate() {
        if members.is_empty() {
            return Err(SamplingError::EmptySet(set));
        }
        for &coordinate in members {
            if coordinate >= coordinates {
                return Err(SamplingError::Outside {
                    set,
                    coordinate,
                    coordinates,
                });
            }
            if std::mem::replace(&mut seen[coordinate], set + 1) == set + 1 {
                return Err(SamplingError::Twice { set, coordinate });
            }
        }
    }
    match seen.iter().position(|set| *set == 0) {
        Some(j) => Err(SamplingError::NeverDrawn(j)),
        None => Ok(()),
    }
}

fn check_distinct(sets: &[Vec<usize>]) -> Result<(), SamplingError> {
    let mut numbers = HashMap::with_capacity(sets.len());
    for (second, set) in sets.iter().enumerate() {
        if let Some(first) = numbers.insert(set, second) {
            return Err(SamplingError::Repeated { first, second });
        }
    }
    Ok(())
}

fn check_weights(weights: &[f64], sets: usize) -> Result<(), SamplingError> {
    if weights.len() != sets {
        let weights = weights.len();
        return Err(SamplingError::Weights { weights, sets });
    }
    match weights.iter().position(|w| !(w.is_finite() && *w > 0.0)) {
        Some(set) => {
            let weight = weights[set];
            Err(SamplingError::Weight { set, weight })
        }
        None => Ok(()),
    }
}

/// A positive number for every set of a [`Sampling`]: a Lipschitz constant L_U, a clipping radius or a
/// noise scale.
///
/// ```
/// use dp_assay::solver::skgd::SetValues;
///
/// let values = SetValues::Root(vec![3.0, 4.0]);
/// assert!((values.of(&[0, 1], None) - 5.0).abs() < 1e-9); // √(3² + 4²)
/// assert!(values.scaled(2.0).numbers()[0] >= 6.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum SetValues {
    /// The same for all sets.
    Same(f64),
    /// One for each listed set, in their order.
    Listed(Vec<f64>),
    /// √(Σ_{j∈U} v_j²), one v_j per coordinate.
    Root(Vec<f64>),
}

impl SetValues {
    /// The value of a set that [`Sampling::draw`] gave, with its number.
    ///
    /// # Panics
    /// If the set is not one of the sampling for which the values were checked.
    #[must_use]
    pub fn of(&self, set: &[usize], index: Option<usize>) -> f64 {
        match self {
            Self::Same(value) => *value,
            Self::Listed(values) => values[index.expect("checked: the sampling lists its sets")],
            Self::Root(values) => match set {
                [j] => values[*j],
                _ => set
                    .iter()
                    .map(|&j| values[j] * values[j])
                    .sum::<f64>()
                    .sqrt(),
            },
        }
    }

    /// All values times a factor > 0, rounded up by at most three ulps.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let scale = |v: f64| match v * factor {
            0.0 => 0.0,
            x => x.next_up().next_up(),
        };
        match self {
            Self::Same(value) => Self::Same(scale(*value)),
            Self::Listed(values) => Self::Listed(values.iter().copied().map(scale).collect()),
            Self::Root(values) => Self::Root(values.iter().copied().map(scale).collect()),
        }
    }

    /// The numbers it is made of.
    #[must_use]
    pub fn numbers(&self) -> &[f64] {
        match self {
            Self::Same(value) => std::slice::from_ref(value),
            Self::Listed(values) | Self::Root(values) => values,
        }
    }
}
