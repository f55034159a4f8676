//! Noise for releasing real data: whole numbers of grid steps, drawn exactly.
//!
//! The rest of this crate draws its noise from a [tape](super::tape): reproducible, fast, and safe on
//! paper only. A double that is a value plus Laplace noise shows in its last bits which value it was
//! (Mironov, On significance of the least significant bits for differential privacy, CCS 2012); the
//! audit `--bits` finds it in a few thousand runs. Here the value is first moved to a grid of steps
//! 2^e, noise is a whole number of steps whose law is sampled exactly with whole-number arithmetic
//! ([`sampler`]), and the sum is a multiple of the step that a double holds exactly. Nothing is left
//! in the bits that is not in the law, and the law is what the accountant is asked about
//! ([`GridLaplace::event`], [`GridGaussian::event`]).
//!
//! The type of the generator keeps the two worlds apart: a release asks for a
//! [`CryptoRng`](rand::CryptoRng), such as [`SecureRng`], which a tape is not.
//!
//! ```
//! use dp_assay::mechanism::release::{Grid, GridLaplace, SecureRng};
//! use dp_assay::units::{Epsilon, Sensitivity};
//!
//! let sensitivity = Sensitivity::new(1.0)?;
//! let mechanism = GridLaplace::new(Epsilon::new(0.5)?, sensitivity, Grid::fine(sensitivity)?)?;
//! let mut rng = SecureRng::from_system()?;
//! let released = mechanism.release(42.0, &mut rng);
//! assert_eq!(released % mechanism.grid().step(), 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # What it costs
//!
//! Rounding to the grid can push two neighbours one step further apart, and the noise grows by as much
//! ([`GridLaplace::standard_deviation`]). With [`Grid::fine`] there are 1024 to 2047 steps to a sensitivity Δ.
//!
//! | | from a tape (verification) | on a fine grid (release) |
//! |---|---|---|
//! | Laplace scale for (ε, 0) | Δ/ε | at most Δ/ε·(1 + 2⁻¹⁰), 0.1 % more; none more if Δ is a multiple of the step |
//! | ε of Gaussian noise σ | that of Δ/σ | that of Δ/σ·(1 + 2⁻¹⁰) at most |
//! | rounding of the value | none | at most half a step, Δ/2048 |
//! | one Laplace release | 15 ns | 75 ns |
//! | one Gaussian release | 12 ns | 117 ns |
//!
//! Times by `cargo bench --bench mechanism` on a server with two cores.
//!
//! Not covered: the time that a draw takes depends on the noise drawn.

mod grid;
pub mod sampler;

pub use grid::{Grid, GridError, GridGaussian, GridLaplace};

use rand::{Rng, SeedableRng, TryCryptoRng, TryRng};
use rand_chacha::ChaCha20Rng;
use std::convert::Infallible;

/// ChaCha with 20 rounds, keyed by the operating system. Not reproducible, on purpose.
pub struct SecureRng(ChaCha20Rng);

/// The operating system gave no randomness.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gives no randomness: {0}")]
pub struct EntropyError(#[from] rand::rngs::SysError);

impl SecureRng {
    /// A new key from the operating system.
    ///
    /// # Errors
    /// When the system has no randomness to give: nothing may then be released.
    pub fn from_system() -> Result<Self, EntropyError> {
        Ok(Self(ChaCha20Rng::try_from_rng(&mut rand::rngs::SysRng)?))
    }
}

impl TryRng for SecureRng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.0.next_u32())
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.0.next_u64())
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.fill_bytes(bytes);
        Ok(())
    }
}

impl TryCryptoRng for SecureRng {}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// A false alarm has probability below 2⁻²⁵.
    #[test]
    fn no_word_of_the_system_s_generator_comes_twice_however_it_is_asked_for() {
        let mut rng = SecureRng::from_system().expect("the system has randomness");
        let mut bytes = [0; 16];
        rng.fill_bytes(&mut bytes);
        let mut words: BTreeSet<u32> = bytes
            .as_chunks::<4>()
            .0
            .iter()
            .map(|four| u32::from_le_bytes(*four))
            .collect();
        words.extend((0..4).map(|_| rng.next_u32()));
        words.extend((0..4).map(|_| rng.next_u64() as u32));
        words.extend([0, 1]);
        assert_eq!(words.len(), 14, "{words:?}");
    }
}
