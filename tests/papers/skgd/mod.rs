//! DP-SkGD: one suite for both solvers, the coupling of the two on the same tape, the samplings, the
//! special cases that must coincide, and the noise scales.

mod audit;
mod calibration;
mod coincidence;
mod corrected;
mod coupling;
mod noise;
mod sampling;

#[path = "."]
mod reference {
    use dp_assay::solver::skgd::reference::run as implementation;
    mod suite;
}

#[path = "."]
mod optimized {
    use dp_assay::solver::skgd::optimized::run as implementation;
    mod suite;
}
