//! DP-GCD on its worst-case pair ([`crate::audit::transcript`]).
//!
//! Inputs are 0 for D and 1 for D′. Released is the whole transcript, j₀ v₀ j₁ v₁ …; its likelihood
//! ratio between the inputs is offered to the audit as a statistic.

use super::{BuiltinError, Given};
use crate::audit::Release;
use crate::audit::features::Statistic;
use crate::audit::replay::Solver;
use crate::audit::transcript::{Setting, WorstCase};
use crate::audit::zoo::Specimen;
use crate::solver::gcd;
use crate::units::{Delta, Epsilon, Scale};
use std::sync::Arc;

/// Name of the solver as printed.
pub(super) const REFERENCE: &str = "gcd-reference";
/// Name of the fast solver.
pub(super) const OPTIMIZED: &str = "gcd-optimized";
/// The budget for which the noise is calibrated (δ = 0: basic composition; else the repaired
/// calibration), the number of steps T, a factor on all noise, and the number of records n.
pub(super) const PARAMETERS: [&str; 5] = ["epsilon", "delta", "steps", "noise", "records"];

/// Pairs for many steps, whose runs are slow, and for one, where an event of probability 1/50 tells
/// the inputs apart.
const TRIALS: u64 = 100_000;
const TRIALS_OF_ONE_STEP: u64 = 400_000;

pub(super) fn specimen(given: Given<'_>) -> Result<Specimen, BuiltinError> {
    let setup = |reason: String| BuiltinError::Setup {
        name: given.name.into(),
        reason,
    };
    let whole = |parameter: &str, default: f64, least: f64| {
        let value = given.get(parameter, default);
        if value.fract() == 0.0 && (least..=1e4).contains(&value) {
            return Ok(value as usize);
        }
        Err(setup(format!(
            "{parameter} = {value} must be a whole number from {least} to 10000"
        )))
    };
    let setting = Setting {
        records: whole("records", 100.0, 2.0)?,
        steps: whole("steps", 10.0, 1.0)?,
        epsilon: Epsilon::new(given.get("epsilon", 1.0))?,
        delta: Delta::new(given.get("delta", 0.0))?,
        noise: Scale::new(given.get("noise", 1.0))?.get(),
    };
    let solver: Solver = if given.name == REFERENCE {
        gcd::reference::run
    } else {
        gcd::optimized::run
    };
    let pair = Arc::new(WorstCase::new(solver, setting).map_err(|e| setup(e.to_string()))?);
    let same = Arc::clone(&pair);
    // Noise below what the calibration asks for: what is left of the claim is a bound by scaling
    // only for pure privacy, where every loss is proportional to 1/noise.
    let truth = setting.epsilon.get() / setting.noise.min(1.0);
    let inputs = vec![(vec![0.0], vec![1.0])];
    let run = move |input: &[f64], tape| pair.transcript(input[0] != 0.0, tape);
    Ok(Specimen::correct(given.name, truth, inputs, run)
        .at_delta(setting.delta.get())
        .taking(match setting.steps {
            1 => TRIALS_OF_ONE_STEP,
            _ => TRIALS,
        })
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", move |output| {
            same.log_ratio_of(output)
        })))
}
