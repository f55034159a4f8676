//! Noise and the mechanisms made from it.
//!
//! | for | noise | from |
//! |---|---|---|
//! | verification: solvers, audits, experiments | [`Uniform::laplace`](tape::Uniform::laplace), [`Uniform::gaussian`](tape::Uniform::gaussian), in runs [`Stream::gaussians`](tape::Stream::gaussians) | a [`tape`]: monotone in one 64-bit word, nothing rejected, the same bits on every platform |
//! | releasing real data | [`release`] | a cryptographic generator: whole steps of a grid, sampled exactly |
//!
//! A tape is no [`CryptoRng`](rand::CryptoRng), which a release asks for: the compiler keeps them apart.
//!
//! ```
//! use dp_assay::mechanism::clipping::clip;
//! use dp_assay::mechanism::tape::{Purpose, Tape};
//!
//! // A sum of values clipped to [-1, 1], with Laplace noise of scale 2: the same at every run.
//! let sum: f64 = [0.5, 7.0].iter().map(|x| clip(*x, 1.0)).sum();
//! let noisy = || sum + 2.0 * Tape::new(1).uniform(0, Purpose::Release, 0).laplace();
//! assert_eq!(sum, 1.5);
//! assert_eq!(noisy(), noisy());
//! ```

mod chacha;
mod choice;
mod gaussian;
mod lanes;
mod laplace;
mod uniform;

pub mod clipping;
pub mod release;
pub mod tape;
