//! Executable privacy theorems, solvers, accountants and audits for differentially private
//! optimisation.
//!
//! | question | where |
//! |---|---|
//! | What do the papers claim, and does it hold? | [`dp_assay_spec`], joined with evidence in [`ledger`] |
//! | What ε does this mechanism have? | [`accounting`] |
//! | Is this program as private as it says? | [`audit`] |
//! | How far do the papers' experiments reproduce? | `experiment` (feature `cli`) |
//! | How are the algorithms of the papers run? | [`solver`], on a [`problem`], with noise from [`mechanism`] |
//!
//! Quantities carry their units ([`units`]), every bound carries its direction, and every random
//! choice has an address on the noise tape ([`mechanism::tape`]), so that a result can be replayed
//! bit for bit on any number of threads.
//!
//! Features: `cli` (default) is the command and everything else; `certify` adds the specification's
//! arithmetic and the ledger (it needs a C compiler and m4); without either, the library is the
//! accountants, solvers and audits in pure Rust.

pub mod accounting;
pub mod audit;
pub mod mechanism;
pub mod problem;
pub mod solver;
pub mod units;

#[cfg(feature = "cli")]
pub mod experiment;
#[cfg(feature = "certify")]
pub mod ledger;
#[cfg(feature = "cli")]
pub mod report;
