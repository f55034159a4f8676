//! Certified definitions of privacy notions, conversions and composition.
