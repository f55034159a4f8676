//! Methods to compare with: written on their own, for the same problems, noise tapes and neighbours.
//!
//! | module | method | accounted as |
//! |---|---|---|
//! | [`dp_cd`] | coordinate descent with uniformly random coordinates (Mangold et al., 2022) | K·T Gaussian mechanisms |
//! | [`gradient_descent`] | noisy full gradients, averaged round by round | K·T Gaussian mechanisms |
//! | [`dp_sgd`] | noisy gradients of random batches (Abadi et al., 2016) | subsampled Gaussian mechanisms, Poisson or of fixed size |
//! | [`adassp`] | linear regression from noisy sufficient statistics (Wang, 2018) | three Gaussian mechanisms |
//!
//! The errors of all but the last are those of DP-SkGD.

pub mod adassp;
pub mod dp_cd;
pub mod dp_sgd;
pub mod gradient_descent;

pub use crate::solver::skgd::{ConfigError, RunError};
