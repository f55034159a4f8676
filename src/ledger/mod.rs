//! Claims joined with their evidence.
