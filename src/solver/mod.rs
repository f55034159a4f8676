//! The solvers: every algorithm twice, as printed (`reference`) and fast (`optimized`).
//!
//! Both draw the same noise from the same addresses of a tape, so that they can be compared step by
//! step, and derived bounds say how far rounding may take them apart.
//!
//! ```
//! use dp_assay::prelude::*;
//! use dp_assay::problem::loss::Logistic;
//! use dp_assay::solver::gcd::{self, Calibration, Config};
//!
//! let problem = Problem::new(Dataset::breast_cancer(), Logistic, Regulariser::L1(0.01))?;
//! let public = problem.constants().clone().stated_public(); // our word that they are
//! let problem = problem.with_constants(public)?;
//! let clipping = problem.constants().clipping_thresholds(1.0)?;
//! let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
//! let config = Config::calibrated(&problem, 5, Some(clipping), Calibration::default(), budget)?;
//!
//! let printed = gcd::reference::run(&problem, &config, Tape::new(7))?;
//! let fast = gcd::optimized::run(&problem, &config, Tape::new(7))?;
//! let chosen = |run: &gcd::Run| run.transcript.iter().map(|r| r.coordinate).collect::<Vec<_>>();
//! assert_eq!(chosen(&printed), chosen(&fast));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod config;
mod fewest;

pub use config::ConfigError;
pub(crate) use fewest::fewest;

pub mod ambssgd;
pub mod baseline;
pub mod decor;
pub mod fit;
pub mod gcd;
pub mod kl;
pub mod skgd;

mod gram;
