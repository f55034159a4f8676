//! Fast privacy accountants with directed results.
//!
//! An upper bound is never below the truth: every number that says `upper` (and the upper end of
//! every [`float::Enclosure`]) was rounded and widened in that direction, by bounds derived beside
//! the code; `spec::privacy` is the slow certified oracle that tests hold them against.

// `!(x <= limit)` is meant: it also catches NaN.
#![allow(clippy::neg_cmp_op_on_partial_ord)]

pub mod calibrate;
pub mod covariance;
pub mod decor;
pub mod discrete;
mod error;
pub mod event;
pub mod exponential;
pub mod filter;
pub mod float;
pub mod gaussian;
pub mod gdp;
pub mod inversion;
pub mod laplace;
pub mod mixture;
pub mod noisy_max;
#[cfg(feature = "certify")]
pub mod oracle;
pub mod pld;
pub mod pure;
pub mod quadrature;
pub mod rdp;
mod report;
pub mod response;
mod root;
pub mod shuffle;
pub mod views;
pub mod zcdp;

pub use error::AccountError;
pub use event::Event;
pub use report::{Method, Report, account};
