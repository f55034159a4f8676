//! Empirical and deterministic privacy audits: a gate that people can trust in `cargo test`.
//!
//! An audit takes a [`Mechanism`], a [`Guarantee`] (ε, δ) and a neighbouring pair of inputs, and
//! returns an [`AuditReport`] whose [`Verdict`] is one of three:
//!
//! * `VIOLATION`: the claim is false, except with the probability allotted to this audit;
//! * `PASS-WITH-POWER`: nothing was found that a true claim would not show, and the report says which ε would have been found;
//! * `INCONCLUSIVE`: nothing was found, and not much would have been, or what was found is too little for a violation and too
//!   much for a pass.
//!
//! ```
//! use dp_assay::audit::{Audit, Output, Verdict, from_fn};
//! use dp_assay::mechanism::tape::Purpose;
//! use dp_assay::units::Neighbouring;
//!
//! // Randomized response that tells the truth with probability 3/4: exactly ln 3-private.
//! let response = from_fn("randomized response", |bit: &bool, tape| {
//!     let lies = tape.uniform(0, Purpose::User, 0).0 < u64::MAX / 4;
//!     Output::Category(u64::from(*bit != lies))
//! });
//! let report = Audit::of(response)
//!     .claim(3_f64.ln() / 2.0, 0.0) // half the truth
//!     .neighbours(Neighbouring::ReplaceOne, false, true)
//!     .seed(1)
//!     .run()?;
//! assert_eq!(report.verdict, Verdict::Violation);
//! # Ok::<(), dp_assay::audit::AuditError>(())
//! ```
//!
//! The statistics are explained, with their proofs, in [`eprocess`] (the verdict) and [`interval`]
//! (the reported bound).
//!
#![doc = include_str!("calibration.md")]

pub(crate) mod binomial;
mod bound;
pub mod budget;
mod builder;
pub mod builtin;
#[cfg(feature = "cli")]
pub mod campaign;
mod classifier;
pub mod colluders;
mod engine;
pub mod eprocess;
mod error;
pub mod event;
mod explore;
pub mod external;
pub mod features;
mod game;
mod independence;
pub mod interval;
mod learn;
pub mod likelihood;
mod mechanism;
pub(crate) mod number;
pub mod one_run;
mod output;
mod plan;
mod power;
pub mod reach;
pub mod replay;
mod sampler;
mod shape;
#[cfg(test)]
mod tests;
pub mod transcript;
pub mod value;
mod verdict;
mod words;
pub mod zoo;

pub use builder::Audit;
pub use error::AuditError;
pub use explore::simpler;
pub use mechanism::{DrawError, FromFn, Mechanism, from_fn};
pub use output::{Output, any};
pub use shape::ShapeError;
#[cfg(feature = "cli")]
pub(crate) use verdict::mass;
pub use verdict::{AuditReport, Counterexample, Counts, Guarantee, Power, Release, Rule, Verdict};
