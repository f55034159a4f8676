//! Noise and the mechanisms made from it.
//!
//! | for | noise | from |
//! |---|---|---|
//! | verification: solvers, audits, experiments | [`Uniform::laplace`](tape::Uniform::laplace), [`Uniform::gaussian`](tape::Uniform::gaussian) | a [`tape`]: monotone in one 64-bit word, nothing rejected, the same bits on every platform |
//! | releasing real data | [`release`] | a cryptographic generator: whole steps of a grid, sampled exactly |
//!
//! A tape is no [`CryptoRng`](rand::CryptoRng), which a release asks for: the compiler keeps them apart.

mod choice;
mod gaussian;
mod laplace;

pub mod clipping;
pub mod release;
pub mod tape;
