//! Private fits beside the non-private optimum.

use dp_assay::ledger::Row;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Problem;
use dp_assay::problem::optimum::optimum;
use dp_assay::report::Fit;
use dp_assay::solver::gcd::{self, Calibration, Config};
use dp_assay::units::{Delta, Epsilon, UnitError};
use std::error::Error;
use std::fmt::Write;

/// Privacy parameter ε; δ is 1/n².
const EPSILON: f64 = 1.0;
/// Steps T and clipping level C: fixed in advance, not tuned on the data.
pub const STEPS: usize = 10;
pub const CLIP: f64 = 1.0;

/// (ε, δ) of every fit.
pub fn budget(problem: &Problem) -> Result<(Epsilon, Delta), UnitError> {
    let n = problem.records() as f64;
    // One record leaves no δ below 1.
    let delta = (1.0 / (n * n)).min(0.5);
    Ok((Epsilon::new(EPSILON)?, Delta::new(delta)?))
}

/// The calibrations, their names, and the claims that they rest on.
pub const fn calibrations() -> [(Calibration, &'static str, &'static str); 3] {
    [
        (Calibration::Repaired, "repaired", "gcd-rem-4.3-repaired"),
        (
            Calibration::NumericEq2,
            "equation (2) as printed",
            "gcd-eq-2",
        ),
        (
            Calibration::Printed,
            "Theorem 4.2 as printed",
            "gcd-thm-4.2",
        ),
    ]
}

/// One fit for each calibration, with the same noise.
pub fn fit(problem: &Problem, claims: &[Row], seed: u64) -> Result<Vec<Fit>, Box<dyn Error>> {
    let best = optimum(problem, 1e-9, 100);
    let (epsilon, delta) = budget(problem)?;
    let mut fits = Vec::new();
    for (calibration, name, claim) in calibrations() {
        let clipping = Some(problem.constants().clipping_thresholds(CLIP)?);
        let config = Config::calibrated(problem, STEPS, clipping, calibration, (epsilon, delta))?;
        let run = gcd::optimized::run(problem, &config, Tape::new(seed))?;
        let row = claims.iter().find(|row| row.id == claim);
        let verdict = row.map_or("not in the ledger", |r| r.verdict);
        fits.push(Fit {
            method: format!("DP-GCD, clipped at {CLIP}, noise {name}"),
            calibration: format!("{claim}: {verdict}"),
            default: calibration == Calibration::Repaired,
            proved: row.is_some_and(Row::holds),
            epsilon: epsilon.get(),
            delta: delta.get(),
            steps: STEPS,
            objective: problem.objective(&run.iterate),
            optimum: best.objective,
            accuracy: Some(problem.accuracy(&run.iterate)),
            optimum_accuracy: Some(problem.accuracy(&best.w)),
        });
    }
    Ok(fits)
}

/// The fits as terminal text.
pub fn text(fits: &[Fit]) -> String {
    let mut out = String::from("\nprivate fits (objective and accuracy are not private)\n");
    for f in fits {
        writeln!(
            out,
            "  {}\n    at ({}, {:.2e}), {} steps: objective {:.4} (optimum {:.4}), accuracy {:.1} % ({:.1} %)\n    {}",
            f.method,
            f.epsilon,
            f.delta,
            f.steps,
            f.objective,
            f.optimum,
            100.0 * f.accuracy.unwrap_or(f64::NAN),
            100.0 * f.optimum_accuracy.unwrap_or(f64::NAN),
            f.calibration,
        )
        .expect("writing to a string");
    }
    out
}
