//! Empirical and deterministic privacy audits.
pub mod external;
