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
//!
//! ```
//! use dp_assay::mechanism::tape::Tape;
//! use dp_assay::problem::four_points;
//! use dp_assay::solver::baseline::{dp_cd, gradient_descent};
//!
//! let problem = four_points();
//!
//! // Both go downhill when there is no noise (then they are not private).
//! let (start, steps) = (vec![0.0; 2], vec![0.5; 2]);
//! let gd = gradient_descent::Config {
//!     start: start.clone(), steps: steps.clone(), inner: 2, outer: 5, noise: 0.0, radius: None,
//! };
//! let cd = dp_cd::Config { start, steps, inner: 2, outer: 5, noise: vec![0.0; 2], clipping: None };
//! let at_start = problem.objective(&[0.0; 2]);
//! assert!(problem.objective(&gradient_descent::run(&problem, &gd, Tape::new(1))?) < at_start);
//! assert!(problem.objective(&dp_cd::run(&problem, &cd, Tape::new(1))?) < at_start);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod adassp;
pub mod dp_cd;
pub mod dp_sgd;
pub mod gradient_descent;

pub use crate::solver::skgd::RunError;

use crate::solver::config::{ConfigError, FINITE, NONNEGATIVE, POSITIVE, vector};

/// Checks what the averaged methods have in common: K and T, and w⁰ and γ of p entries.
fn check_rounds(
    (inner, outer): (usize, usize),
    (start, steps): (&[f64], &[f64]),
    p: usize,
) -> Result<(), ConfigError> {
    if inner == 0 || outer == 0 || inner.checked_mul(outer).is_none() {
        return Err(ConfigError::Length { inner, outer });
    }
    vector("start of coordinate", start, p, FINITE)?;
    vector("step size of coordinate", steps, p, POSITIVE)
}
