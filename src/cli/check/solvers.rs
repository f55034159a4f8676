//! Reference against optimized solver, on the same noise.

use super::data::with_public_constants;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Problem, Regulariser};
use dp_assay::report::Comparison;
use dp_assay::solver::gcd::{self, Calibration, Config, Rule};
use dp_assay::units::{Delta, Epsilon};
use std::error::Error;

/// Steps of each comparison.
const STEPS: usize = 100;
/// Clipping level C of each comparison.
const CLIP: f64 = 1.0;

/// Runs both solvers on variants of the problem: clipped and not, with and without regulariser.
pub fn compare(problem: &Problem, seed: u64) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let data = problem.data().clone();
    let ridge = problem.ridge();
    let variants = [
        ("logistic, ridge", problem.clone(), Rule::GsS, false),
        ("logistic, ridge, clipped", problem.clone(), Rule::GsS, true),
        (
            "logistic, l1, GS-r",
            Problem::new(data.clone(), Logistic, Regulariser::L1(0.01))?,
            Rule::GsR,
            false,
        ),
        (
            "squared, ridge",
            Problem::new(data, Squared, Regulariser::None)?.with_ridge(ridge)?,
            Rule::GsS,
            true,
        ),
    ];
    let bar = crate::cli::progress(variants.len() as u64, "solvers");
    let mut comparisons = Vec::new();
    for (i, (name, problem, rule, clipped)) in variants.into_iter().enumerate() {
        let clipping = match clipped {
            true => Some(problem.constants().clipping_thresholds(CLIP)?),
            false => None,
        };
        let problem = with_public_constants(problem)?;
        let budget = (Epsilon::new(1.0)?, Delta::new(1e-6)?);
        let config = Config::calibrated(&problem, STEPS, clipping, Calibration::default(), budget)?;
        let tape = Tape::new(seed).trial(i as u64);
        comparisons.push(comparison(
            name,
            &problem,
            &Config { rule, ..config },
            tape,
        )?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(comparisons)
}

fn comparison(
    name: &str,
    problem: &Problem,
    config: &Config,
    tape: Tape,
) -> Result<Comparison, Box<dyn Error>> {
    let reference = gcd::reference::run(problem, config, tape)?;
    let optimized = gcd::optimized::run(problem, config, tape)?;
    let pairs = reference.transcript.iter().zip(&optimized.transcript);
    let difference = reference
        .iterate
        .iter()
        .zip(&optimized.iterate)
        .map(|(a, b)| (a - b).abs())
        .fold(0.0, f64::max);
    Ok(Comparison {
        problem: name.into(),
        steps: config.iterations,
        same_choices: pairs.into_iter().all(|(a, b)| a.coordinate == b.coordinate),
        difference,
        bound: gcd::bound::drift_upper(problem, config, &reference),
    })
}

/// The comparisons as terminal text.
pub fn text(comparisons: &[Comparison]) -> String {
    let mut out = String::from("\nreference against optimized, same noise\n");
    for c in comparisons {
        out += &format!(
            "  {:<26} {} steps, {} choices, difference {:.1e} (bound {:.1e})\n",
            c.problem,
            c.steps,
            if c.same_choices { "same" } else { "OTHER" },
            c.difference,
            c.bound
        );
    }
    out
}
