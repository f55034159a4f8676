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

use super::chacha;
use super::lanes::{self, BLOCK};

pub use super::uniform::Uniform;

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

/// Of fewer variates than this each is made for itself.
const FEW: usize = 24;

/// Rows of at most so many variates are made side by side.
const SHORT: usize = 32;

/// Words of a block.
const WORDS: u64 = chacha::WORDS as u64;

/// Words that are made at once for those who read one by one.
const AHEAD: usize = 4 * chacha::WORDS;

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
        Stream {
            tape: self,
            number: number(step, purpose),
            next: first,
            words: Words::None,
            place: 0,
        }
    }

    /// Standard normal variates of the coordinates from `first` on, on each of these tapes as many: a row of `out` for each
    /// tape. They have the bits of [`Stream::gaussians`]; of many tapes with few coordinates each they are several times as fast.
    ///
    /// ```
    /// use dp_assay::mechanism::tape::{Purpose, Tape};
    ///
    /// let tapes: Vec<Tape> = (0..100).map(Tape::new).collect();
    /// let (mut rows, mut row) = ([0.0; 300], [0.0; 3]);
    /// Tape::gaussians(&tapes, (0, Purpose::Release, 0), &mut rows);
    /// tapes[99].stream(0, Purpose::Release, 0).gaussians(&mut row);
    /// assert_eq!(row, rows[297..]);
    /// ```
    ///
    /// # Panics
    /// As [`Self::stream`].
    pub fn gaussians(tapes: &[Self], address: (u64, Purpose, u64), out: &mut [f64]) {
        let length = out.len().checked_div(tapes.len()).unwrap_or(0);
        let (step, purpose, first) = address;
        if length > SHORT || length == 0 || first % WORDS != 0 {
            for (tape, row) in tapes.iter().zip(out.chunks_exact_mut(length.max(1))) {
                tape.stream(step, purpose, first).gaussians(row);
            }
            return;
        }
        let together = tapes.chunks(chacha::WIDEST);
        for (tapes, out) in together.zip(out.chunks_mut(chacha::WIDEST * length)) {
            let mut words = [0; chacha::WIDEST * SHORT];
            let words = &mut words[..out.len()];
            words_of(tapes, address, length, words);
            for (words, out) in words.chunks(BLOCK).zip(out.chunks_mut(BLOCK)) {
                lanes::gaussians(words, out);
            }
        }
    }

    fn key(self) -> [u8; 32] {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&self.seed.to_le_bytes());
        key[8..16].copy_from_slice(&self.trial.to_le_bytes());
        key[16..].copy_from_slice(&FORMAT);
        key
    }

    /// The variate at one address.
    #[must_use]
    pub fn uniform(self, step: u64, purpose: Purpose, coordinate: u64) -> Uniform {
        self.stream(step, purpose, coordinate).uniform()
    }
}

/// The words of the first `length` coordinates on each of at most [`chacha::WIDEST`] tapes, from the beginning of a block on.
fn words_of(
    tapes: &[Tape],
    (step, purpose, first): (u64, Purpose, u64),
    length: usize,
    out: &mut [u64],
) {
    let (mut keys, mut blocks) = (
        [[0; 32]; chacha::WIDEST],
        [[0; chacha::WORDS]; chacha::WIDEST],
    );
    let (keys, blocks) = (&mut keys[..tapes.len()], &mut blocks[..tapes.len()]);
    for (key, tape) in keys.iter_mut().zip(tapes) {
        *key = tape.key();
    }
    let number = number(step, purpose);
    for (block, at) in (first / WORDS..).zip((0..length).step_by(chacha::WORDS)) {
        chacha::beside(keys, number, block, blocks);
        for (row, words) in out.chunks_exact_mut(length).zip(&*blocks) {
            let row = &mut row[at..];
            let count = row.len().min(chacha::WORDS);
            row[..count].copy_from_slice(&words[..count]);
        }
    }
}

/// The stream of the keystream that has one (step, purpose).
fn number(step: u64, purpose: Purpose) -> u64 {
    assert!(step >> 48 == 0, "tape step {step} needs more than 48 bits");
    step << 16 | purpose as u64
}

/// Consecutive coordinates of one (step, purpose). Audits read a word or two of each of millions of streams: the
/// first block is made alone, and then several at once.
#[derive(Clone, Debug)]
pub struct Stream {
    tape: Tape,
    number: u64,
    /// The next coordinate.
    next: u64,
    words: Words,
    /// Where in `words` that of the next coordinate is, or would be.
    place: usize,
}

/// Words of whole blocks that a stream has made.
#[derive(Clone, Debug)]
enum Words {
    None,
    Block([u64; chacha::WORDS]),
    Ahead([u64; AHEAD]),
}

impl Stream {
    /// The next coordinate's variate.
    #[inline]
    pub fn uniform(&mut self) -> Uniform {
        let word = match &self.words {
            Words::Block(words) => words.get(self.place),
            Words::Ahead(words) => words.get(self.place),
            Words::None => None,
        };
        let word = match word {
            Some(word) => *word,
            None => self.make(),
        };
        self.place += 1;
        self.next = self.next.wrapping_add(1);
        Uniform(word)
    }

    /// The next word: its block is made, or several if it is not the first that is read.
    fn make(&mut self) -> u64 {
        let (key, first) = (self.tape.key(), self.next / WORDS);
        self.place = (self.next % WORDS) as usize;
        if matches!(self.words, Words::None) {
            let block = chacha::block(&key, self.number, first);
            self.words = Words::Block(block);
            return block[self.place];
        }
        let mut ahead = [0; AHEAD];
        chacha::blocks(&key, self.number, first, ahead.as_chunks_mut().0);
        self.words = Words::Ahead(ahead);
        ahead[self.place]
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
        self.fill(out, Uniform::gaussian, lanes::gaussians);
    }

    /// Laplace variates of scale 1 of the next coordinates: the bits of [`Uniform::laplace`].
    pub fn laplaces(&mut self, out: &mut [f64]) {
        self.fill(out, Uniform::laplace, lanes::laplaces);
    }

    /// [`Uniform::fraction`] of the next coordinates.
    pub fn fractions(&mut self, out: &mut [f64]) {
        self.fill(out, Uniform::fraction, lanes::fractions);
    }

    fn fill(&mut self, out: &mut [f64], one: fn(Uniform) -> f64, variates: fn(&[u64], &mut [f64])) {
        let begun = (self.next.wrapping_neg() % WORDS) as usize;
        let (begun, out) = out.split_at_mut(begun.min(out.len()));
        begun.fill_with(|| one(self.uniform()));
        let mut blocks = [[0; chacha::WORDS]; BLOCK / chacha::WORDS];
        for out in out.chunks_mut(BLOCK) {
            if out.len() < FEW {
                out.fill_with(|| one(self.uniform()));
                break;
            }
            let blocks = &mut blocks[..out.len().div_ceil(chacha::WORDS)];
            chacha::blocks(&self.tape.key(), self.number, self.next / WORDS, blocks);
            variates(&blocks.as_flattened()[..out.len()], out);
            self.next = self.next.wrapping_add(out.len() as u64);
            self.words = Words::None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{Rng, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn a_tape_tells_its_seed_and_its_trial() {
        let tape = Tape::new(7).trial(3);
        assert_eq!((tape.seed(), tape.number()), (7, 3));
        assert_eq!((tape.trial(4).seed(), tape.trial(4).number()), (7, 4));
    }

    #[test]
    fn however_a_stream_is_read_its_words_are_those_of_the_library() {
        for first in [0, 5, 7, 8, 1001] {
            let tape = Tape::new(7).trial(3);
            let mut library = ChaCha8Rng::from_seed(tape.key());
            library.set_stream(4 << 16 | Purpose::Data as u64);
            library.set_word_pos(u128::from(first) * 2);
            let mut stream = tape.stream(4, Purpose::Data, first);
            // One by one, and together: few, many, both, and few again.
            for together in [0, 1, 3, 0, 23, 0, 24, 300, 260, 512, 5] {
                assert_eq!(stream.uniform().0, library.next_u64());
                let mut out = vec![0.0; together];
                stream.gaussians(&mut out);
                for x in out {
                    assert_eq!(x, Uniform(library.next_u64()).gaussian());
                }
            }
        }
        for (length, first) in [
            (0, 0),
            (1, 0),
            (3, 8),
            (8, 0),
            (30, 1024),
            (32, 0),
            (33, 0),
            (5, 3),
        ] {
            for count in [0, 1, 15, 16, 40] {
                let tapes: Vec<Tape> = (0..count).map(|k| Tape::new(7).trial(k)).collect();
                let mut rows = vec![0.0; tapes.len() * length];
                Tape::gaussians(&tapes, (4, Purpose::Pairwise, first), &mut rows);
                for (tape, row) in tapes.iter().zip(rows.chunks_exact(length.max(1))) {
                    let mut alone = vec![0.0; length];
                    let mut stream = tape.stream(4, Purpose::Pairwise, first);
                    stream.gaussians(&mut alone);
                    assert_eq!(row, alone, "{count} rows of {length} from {first} on");
                }
            }
        }
        let mut early = Tape::new(7).stream(0, Purpose::Data, 0);
        let mut late = [0.0; 100];
        early.laplaces(&mut late);
        let at = |k: usize| Tape::new(7).uniform(0, Purpose::Data, k as u64);
        assert!((0..100).all(|k| late[k] == at(k).laplace()));
        Tape::new(7)
            .stream(0, Purpose::Data, 0)
            .fractions(&mut late);
        assert!((0..100).all(|k| late[k] == at(k).fraction()));
    }
}
