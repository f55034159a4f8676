//! Private linear regression by adaptive clipping: both solvers on the same noise, the special cases that must
//! coincide, streaming, calibration and bad input.

#[path = "ambssgd/audits.rs"]
mod audits;
#[path = "ambssgd/calibration.rs"]
mod calibration;
#[path = "ambssgd/coupling.rs"]
mod coupling;
#[path = "ambssgd/inputs.rs"]
mod inputs;
#[path = "../spec/tests/common/parallel.rs"]
mod parallel;
#[path = "ambssgd/problems.rs"]
mod problems;
#[path = "ambssgd/special.rs"]
mod special;
