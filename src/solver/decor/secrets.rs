//! Who knows which seed. Every user has one of its own and shares one with every neighbour, so that a
//! user can run alone; noise is addressed by (seed, step, coordinate) and no block is reused. The user
//! with the smaller number draws the pair's seed and sends it to the other one in the first round.

use crate::mechanism::tape::{Purpose, Stream, Tape};
use crate::problem::Graph;
use std::collections::BTreeMap;

/// The seeds of all users. A real deployment draws them from a secure source and encrypts the first
/// round; here they follow from one, for replay.
///
/// ```
/// use dp_assay::problem::Graph;
/// use dp_assay::solver::decor::Secrets;
///
/// let graph = Graph::ring(4)?;
/// let secrets = Secrets::from_seed(&graph, 7);
/// let seed = |i, j| secrets.pair(i, j).map(|tape| tape.seed());
/// assert!(seed(0, 1).is_some() && seed(0, 1) == seed(1, 0));
/// assert_eq!(seed(0, 2), None); // they are no neighbours
/// assert_eq!(secrets.of_user(&graph, 0).pairs.len(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Secrets {
    own: Vec<u64>,
    pairs: BTreeMap<(usize, usize), u64>,
}

/// What user i knows alone, or with one neighbour.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// Its own tape.
    pub own: Tape,
    /// The tapes that it shares, one for each neighbour in N_i, ascending.
    pub pairs: Vec<Tape>,
}

impl Secrets {
    /// The seeds of a simulation.
    #[must_use]
    pub fn from_seed(graph: &Graph, seed: u64) -> Self {
        let mut words = Tape::new(seed).stream(0, Purpose::User, 0);
        let own: Vec<u64> = (0..graph.n()).map(|_| words.uniform().0).collect();
        let drawn = |(i, j): (usize, usize)| ((i, j), drawn_for(Tape::new(own[i]), j));
        let pairs = graph.edges().map(drawn).collect();
        Self { own, pairs }
    }

    /// n.
    #[must_use]
    pub fn users(&self) -> usize {
        self.own.len()
    }

    /// User i's own tape: its examples and its noise v̄_i.
    #[must_use]
    pub fn own(&self, user: usize) -> Tape {
        Tape::new(self.own[user])
    }

    /// The tape of a pair, the same in either order; `None` for users that share no seed.
    #[must_use]
    pub fn pair(&self, i: usize, j: usize) -> Option<Tape> {
        self.pairs
            .get(&(i.min(j), i.max(j)))
            .copied()
            .map(Tape::new)
    }

    /// All that user i knows.
    #[must_use]
    pub fn of_user(&self, graph: &Graph, i: usize) -> Knowledge {
        let neighbours = graph.neighbours(i).iter();
        Knowledge {
            own: self.own(i),
            pairs: neighbours
                .filter_map(|&j| self.pair(i, j as usize))
                .collect(),
        }
    }
}

/// The seed that a user draws for the neighbour j with a larger number.
#[must_use]
pub fn drawn_for(own: Tape, j: usize) -> u64 {
    own.uniform(0, Purpose::User, j as u64).0
}

/// Standard normal variates of v̄_i at step t, from coordinate `first` on.
#[must_use]
pub fn own_noise(tape: Tape, step: usize, first: usize) -> Stream {
    tape.stream(step as u64, Purpose::Release, first as u64)
}

/// Standard normal variates of the noise a pair shares at step t, from coordinate `first` on; the user
/// with the smaller number adds it, the other one subtracts it.
///
/// ```
/// use dp_assay::mechanism::tape::Tape;
/// use dp_assay::solver::decor::secrets::{drawn_for, example, own_noise, pair_noise};
///
/// let own = Tape::new(7); // of user 0
/// let shared = Tape::new(drawn_for(own, 1)); // with user 1
/// let (mut at_one_end, mut at_the_other) = (pair_noise(shared, 0, 0), pair_noise(shared, 0, 0));
/// assert_eq!(at_one_end.uniform().gaussian(), at_the_other.uniform().gaussian());
/// assert!(own_noise(own, 0, 0).uniform().gaussian().is_finite());
/// assert!(example(own, 0, 5) < 5);
/// ```
#[must_use]
pub fn pair_noise(tape: Tape, step: usize, first: usize) -> Stream {
    let (step, purpose, first) = pairwise(step, first);
    tape.stream(step, purpose, first)
}

const fn pairwise(step: usize, first: usize) -> (u64, Purpose, u64) {
    (step as u64, Purpose::Pairwise, first as u64)
}

/// Standard normal variates of [`pair_noise`] for several pairs, a row for each.
pub(super) fn pairs_noise(tapes: &[Tape], step: usize, first: usize, out: &mut [f64]) {
    Tape::gaussians(tapes, pairwise(step, first), out);
}

/// The example that a user draws at step t, of `count`: uniform up to count/2⁶⁴.
#[must_use]
pub fn example(tape: Tape, step: usize, count: usize) -> usize {
    let word = tape.uniform(step as u64, Purpose::Sampling, 0).0;
    ((u128::from(word) * count as u128) >> 64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each of five examples is drawn in a fifth of 10,000 steps: six standard deviations are 240, so that a fair draw fails with
    /// probability below 10⁻⁸.
    #[test]
    fn every_example_is_drawn_as_often() {
        let mut drawn = [0_u32; 5];
        for step in 0..10_000 {
            drawn[example(Tape::new(3), step, 5)] += 1;
        }
        assert!(drawn.iter().all(|n| n.abs_diff(2000) < 240), "{drawn:?}");
    }
}
