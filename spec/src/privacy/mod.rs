//! Certified definitions of privacy notions, conversions and composition.
//!
//! Slow and sure: every number is an [`Interval`](crate::arith::Interval) that contains the true
//! value, computed by outward-rounded arithmetic from the definition named in its documentation.
//!
//! | module | what is in it |
//! |---|---|
//! | [`notion`] | privacy profiles, (ε, δ)-DP, RDP, zCDP |
//! | [`convert`], [`compose`] | conversions and composition theorems |
//! | [`gaussian`] | Gaussian mechanism and Gaussian DP, exact |
//! | [`laplace`], [`discrete_gaussian`], [`choice`] | the other single mechanisms |
//! | [`batches`], [`allocation`], [`patterns`] | batches of other kinds, random allocation to a few steps, other samples of a few |
//! | [`subsampled`] | the Poisson- and fixed-size-subsampled Gaussian |
//! | [`pld`] | many steps: the composed privacy loss, enclosed from both sides |
//! | [`finite`] | divergences between laws on finitely many outcomes |
//! | [`selection`] | report-noisy-max with Laplace noise, for general scores and scales |
//! | [`transcript`] | selection followed by a Laplace release, the step of greedy methods |

pub mod allocation;
pub mod batches;
pub mod choice;
pub mod compose;
pub mod convert;
pub mod discrete_gaussian;
pub mod error;
pub mod finite;
pub mod gaussian;
pub mod laplace;
pub mod notion;
pub mod patterns;
pub mod pld;
pub mod selection;
mod solve;
pub mod subsampled;
pub mod transcript;

pub use error::PrivacyError;
pub use finite::FinitePair;
pub use gaussian::Gdp;
pub use notion::{ApproxDp, Profile, Rdp, RenyiCurve, Zcdp};
