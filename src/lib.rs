//! dp-assay: executable privacy theorems, solvers, accountants and audits for differentially
//! private optimisation.

pub mod accounting;
pub mod audit;
pub mod mechanism;
pub mod problem;
pub mod solver;
pub mod units;

#[cfg(feature = "certify")]
pub mod ledger;
#[cfg(feature = "cli")]
pub mod report;
