//! The noise tape: every uniform variate has an address, so that two programs that ask for noise in
//! different orders, or for different subsets, still see the same noise.
//!
//! The format is specified in `spec/formats/tape.md`: a ChaCha8 keystream keyed by (seed, trial),
//! whose stream is chosen by (step, purpose) and whose 64-bit word by the coordinate. One word
//! makes one variate, by the inverse distribution function; nothing is ever rejected.
//!
//! The tape is for verification: it is reproducible by design and its floating-point variates are
//! not safe against attacks on their low bits. It is not for releasing real data.
//!
//! ```
//! use dp_assay::mechanism::tape::{Purpose, Tape};
//!
//! let tape = Tape::new(7);
//! let mut stream = tape.stream(0, Purpose::Release, 0);
//! let (first, second) = (stream.uniform(), stream.uniform());
//! // An address always holds the same variate; another trial has others.
//! assert_eq!(tape.uniform(0, Purpose::Release, 0), first);
//! assert_eq!(tape.uniform(0, Purpose::Release, 1), second);
//! assert_ne!(tape.trial(1).uniform(0, Purpose::Release, 0), first);
//! ```

use super::lanes::{self, BLOCK};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// What a variate is for; part of its address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u16)]
pub enum Purpose {
    /// Noise in a noisy selection.
    Selection = 0,
    /// Noise on a released value.
    Release = 1,
    /// Choice of a batch, block or coordinate.
    Sampling = 2,
    /// Synthetic data.
    Data = 3,
    /// Noise correlated between two users.
    Pairwise = 4,
    /// Decisions of an audit.
    Audit = 5,
    /// Anything of the user's own.
    User = 6,
}

/// A seeded, addressable source of uniform variates. Cheap to clone; holds no position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tape {
    seed: u64,
    trial: u64,
}

/// The last half of the key: names the format, so that another version gives other noise.
const FORMAT: [u8; 16] = *b"dp-assay tape v1";

impl Tape {
    /// The tape of a seed, at trial 0.
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self { seed, trial: 0 }
    }

    /// The same seed's tape for another trial; trials are independent.
    #[must_use]
    pub const fn trial(self, trial: u64) -> Self {
        Self { trial, ..self }
    }

    /// The seed.
    #[must_use]
    pub const fn seed(self) -> u64 {
        self.seed
    }

    /// The number of the trial.
    #[must_use]
    pub const fn number(self) -> u64 {
        self.trial
    }

    /// The variates of one (step, purpose) in ascending coordinate, from `first` on.
    /// `step` counts to 2⁴⁸ − 1; higher bits would collide and are refused.
    ///
    /// # Panics
    /// If `step` needs more than 48 bits: no run is that long.
    #[must_use]
    pub fn stream(self, step: u64, purpose: Purpose, first: u64) -> Stream {
        assert!(step >> 48 == 0, "tape step {step} needs more than 48 bits");
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.trial.to_le_bytes());
        key[16..].copy_from_slice(&FORMAT);
        let mut words = ChaCha8Rng::from_seed(key);
        words.set_stream(step << 16 | purpose as u64);
        words.set_word_pos(u128::from(first) * 2);
        Stream { words }
    }

    /// The variate at one address.
    #[must_use]
    pub fn uniform(self, step: u64, purpose: Purpose, coordinate: u64) -> Uniform {
        self.stream(step, purpose, coordinate).uniform()
    }
}

/// Consecutive coordinates of one (step, purpose).
#[derive(Clone, Debug)]
pub struct Stream {
    words: ChaCha8Rng,
}

impl Stream {
    /// The next coordinate's variate.
    pub fn uniform(&mut self) -> Uniform {
        Uniform(self.words.next_u64())
    }

    /// Standard normal variates of the next coordinates, one for each entry: the bits of
    /// [`Uniform::gaussian`], several times as fast in runs of hundreds.
    ///
    /// ```
    /// use dp_assay::mechanism::tape::{Purpose, Tape};
    ///
    /// let stream = || Tape::new(7).stream(0, Purpose::Release, 0);
    /// let (mut together, mut one_by_one) = ([0.0; 1000], stream());
    /// stream().gaussians(&mut together);
    /// assert!(together.iter().all(|x| *x == one_by_one.uniform().gaussian()));
    /// ```
    pub fn gaussians(&mut self, out: &mut [f64]) {
        self.fill(out, lanes::gaussians);
    }

    /// Laplace variates of scale 1 of the next coordinates: the bits of [`Uniform::laplace`].
    pub fn laplaces(&mut self, out: &mut [f64]) {
        self.fill(out, lanes::laplaces);
    }

    fn fill(&mut self, out: &mut [f64], variates: fn(&[u64], &mut [f64])) {
        let (mut words, mut bytes) = ([0; BLOCK], [0; 8 * BLOCK]);
        for out in out.chunks_mut(BLOCK) {
            let (words, bytes) = (&mut words[..out.len()], &mut bytes[..8 * out.len()]);
            self.words.fill_bytes(bytes);
            for (word, bytes) in words.iter_mut().zip(bytes.as_chunks::<8>().0) {
                *word = u64::from_le_bytes(*bytes);
            }
            variates(words, out);
        }
    }
}

/// One 64-bit block k, standing for the point (k + ½) / 2⁶⁴ of the open unit interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Uniform(pub u64);
