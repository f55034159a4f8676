//! Certified definitions of privacy notions, conversions and composition.
//!
//! Slow and sure: every number is an [`Interval`](crate::arith::Interval) that contains the true
//! value, computed by outward-rounded arithmetic from the definition named in its documentation.
//!
//! | module | what is in it |
//! |---|---|
//! | [`finite`] | divergences between laws on finitely many outcomes |
//! | [`selection`] | report-noisy-max with Laplace noise, for general scores and scales |

pub mod error;
pub mod finite;
pub mod selection;

pub use error::PrivacyError;
pub use finite::FinitePair;
