//! Noise and the mechanisms made from it.
//!
//! All noise comes from the [`tape`], by the inverse distribution function of one 64-bit word:
//! monotone in the word, nothing rejected, the same bits on every platform.

mod choice;
mod gaussian;
mod laplace;

pub mod clipping;
pub mod tape;
