//! Noise and the mechanisms made from it.

pub mod tape;
