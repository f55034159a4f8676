//! Empirical and deterministic privacy audits.
