//! Private fits beside the non-private optimum.

use dp_assay::accounting::{Method, account};
use dp_assay::ledger::Row;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::Problem;
use dp_assay::problem::optimum::optimum;
use dp_assay::report::Fit;
use dp_assay::solver::gcd::{self, Calibration, Config};
use dp_assay::units::{Delta, Epsilon, Neighbouring, UnitError};
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

/// The calibrations and their names.
pub const CALIBRATIONS: [(Calibration, &str); 4] = [
    (Calibration::Corrected, "corrected"),
    (Calibration::Tight, "tight"),
    (Calibration::NumericEq2, "equation (2) as printed"),
    (Calibration::Printed, "Theorem 4.2 as printed"),
];

/// Verdicts on which a guarantee may rest.
const RELIABLE: [&str; 2] = ["proved", "argued"];

/// The inputs of a fit.
pub fn config(problem: &Problem, calibration: Calibration) -> Result<Config, Box<dyn Error>> {
    let clipping = Some(problem.constants().clipping_thresholds(CLIP)?);
    let budget = budget(problem)?;
    Ok(Config::calibrated(
        problem,
        STEPS,
        clipping,
        calibration,
        budget,
    )?)
}

/// One fit for each calibration, with the same noise; ε is what the accountant certifies for it.
pub fn fit(problem: &Problem, claims: &[Row], seed: u64) -> Result<Vec<Fit>, Box<dyn Error>> {
    let best = optimum(problem, 1e-9, 100);
    let (_, delta) = budget(problem)?;
    let verdict = |claim: &str| {
        let row = claims.iter().find(|row| row.id == claim);
        row.map_or("not in the ledger", |row| row.verdict)
    };
    let mut fits = Vec::new();
    for (calibration, name) in CALIBRATIONS {
        let config = config(problem, calibration)?;
        let (event, auto) = (config.event(problem)?, Method::Auto);
        let certified = account(&event, delta, auto, Neighbouring::ReplaceOne, false)?;
        let run = gcd::optimized::run(problem, &config, Tape::new(seed))?;
        let claim = config.claim();
        let mut text = format!("epsilon by the accountant; {claim}: {}", verdict(claim));
        if let Some(scaled) = calibration.claim() {
            write!(text, "; noise by {scaled}: {}", verdict(scaled))?;
        }
        fits.push(Fit {
            method: format!("DP-GCD, clipped at {CLIP}, noise {name}"),
            calibration: text,
            default: calibration == Calibration::default(),
            proved: RELIABLE.contains(&verdict(claim)),
            claim,
            refuted: calibration.claim().filter(|id| verdict(id) == "refuted"),
            epsilon: certified.epsilon_upper,
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
            "  {}\n    at ({:.4}, {:.2e}), {} steps: objective {:.4} (optimum {:.4}), accuracy {:.1} % ({:.1} %)\n    {}",
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
