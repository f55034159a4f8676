//! DP-GCD: one suite for both solvers, and the coupling of the two on the same noise.
#![allow(
    clippy::duplicate_mod,
    reason = "the suite is instantiated once per solver"
)]

#[path = "gcd/calibration.rs"]
mod calibration;
#[path = "gcd/coupling.rs"]
mod coupling;
#[path = "gcd/problems.rs"]
mod problems;

#[path = "gcd"]
mod reference {
    use dp_assay::solver::gcd::reference::run as implementation;
    mod suite;
}

#[path = "gcd"]
mod optimized {
    use dp_assay::solver::gcd::optimized::run as implementation;
    mod suite;
}
