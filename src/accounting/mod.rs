//! Fast privacy accountants with directed results.
//!
//! An upper bound is never below the truth: every number that says `upper` (and the upper end of
//! every [`float::Enclosure`]) was rounded and widened in that direction, by bounds derived beside
//! the code; `spec::privacy` is the slow certified oracle that tests hold them against. The same question has the same bits
//! for its answer on every machine: nothing here calls the platform's mathematics library.
//!
//! ```
//! use dp_assay::accounting::calibrate::{Target, gaussian_sigma};
//! use dp_assay::prelude::*;
//!
//! // The noise that one Gaussian release of sensitivity 1 needs for (1, 10⁻⁵) …
//! let (epsilon, delta) = (Epsilon::new(1.0)?, Delta::new(1e-5)?);
//! let neighbours = Neighbouring::ReplaceOne;
//! let target = Target { epsilon, delta, method: Accountant::Exact, neighbours };
//! let sigma = gaussian_sigma(Sensitivity::new(1.0)?, &target)?.get();
//! assert!((3.73..3.74).contains(&sigma));
//! // … and what ten of them cost.
//! let once = Box::new(Event::Gaussian { sigma, sensitivity: 1.0 });
//! let ten = Event::Repeated { times: 10, event: once };
//! let report = account(&ten, delta, Accountant::Auto, neighbours, false)?;
//! assert!((3.5..4.0).contains(&report.epsilon_upper), "{}", report.theorem);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

// Elementary functions of the platform differ in their last bits from one machine to the next.
#![cfg_attr(not(test), warn(clippy::disallowed_methods))]
// `!(x <= limit)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

mod allocation;
pub mod amplification;
mod basis;
mod batches;
mod binomial;
pub mod calibrate;
mod choice;
mod claims;
pub mod covariance;
pub mod decor;
pub mod discrete;
mod error;
pub mod event;
pub mod exponential;
pub mod filter;
pub mod free;
pub mod gaussian;
pub mod gdp;
mod grid;
pub mod inversion;
pub mod laplace;
mod leaf;
pub mod matrix;
pub mod mixture;
pub mod noisy_max;
#[cfg(feature = "certify")]
pub mod oracle;
pub mod pld;
pub mod private_selection;
pub mod pure;
pub mod quadrature;
pub mod rdp;
mod report;
pub mod response;
pub(crate) mod root;
mod samples;
pub mod shuffle;
#[cfg(test)]
pub(crate) mod steady;
pub mod tradeoff;
pub mod views;
pub mod zcdp;

pub use crate::float;
pub use claims::Claims;
pub use error::AccountError;
pub use event::Event;
pub use report::{Accountant, Report, account, account_of_larger, lower_end};
