//! DP-SkGD: one suite for both solvers, the coupling of the two on the same tape, the samplings, the
//! special cases that must coincide, and the noise scales.
#![allow(
    clippy::duplicate_mod,
    reason = "the suite is instantiated once per solver"
)]

#[path = "skgd/audit.rs"]
mod audit;
#[path = "skgd/calibration.rs"]
mod calibration;
#[path = "skgd/coincidence.rs"]
mod coincidence;
#[path = "skgd/coupling.rs"]
mod coupling;
#[path = "gcd/problems.rs"]
mod problems;
#[path = "skgd/sampling.rs"]
mod sampling;

#[path = "skgd"]
mod reference {
    use dp_assay::solver::skgd::reference::run as implementation;
    mod suite;
}

#[path = "skgd"]
mod optimized {
    use dp_assay::solver::skgd::optimized::run as implementation;
    mod suite;
}
