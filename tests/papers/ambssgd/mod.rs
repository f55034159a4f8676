//! Private linear regression by adaptive clipping: both solvers on the same noise, the special cases that must
//! coincide, streaming, calibration and bad input.

mod audits;
mod calibration;
mod corrected;
mod coupling;
mod inputs;
mod noise;
mod problems;
mod special;
