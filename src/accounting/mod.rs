//! Fast accountants in directed double precision.
