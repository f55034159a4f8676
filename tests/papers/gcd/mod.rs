//! DP-GCD: one suite for both solvers, and the coupling of the two on the same noise.

mod audit;
pub mod calibration;
mod corrected;
mod coupling;
mod noise;
pub mod problems;

#[path = "."]
mod reference {
    use dp_assay::solver::gcd::reference::run as implementation;
    mod suite;
}

#[path = "."]
mod optimized {
    use dp_assay::solver::gcd::optimized::run as implementation;
    mod suite;
}
