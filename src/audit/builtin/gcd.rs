//! DP-GCD on its worst-case pair ([`crate::audit::transcript`]).
//!
//! Inputs are 0 for D and 1 for D′. Released is the whole transcript, j₀ v₀ j₁ v₁ …; its likelihood
//! ratio between the inputs is offered to the audit as a statistic.

use super::{BUDGET_DELTA, BUDGET_EPSILON, BuiltinError, Family, Given, NOISE, Named, parameter};
use crate::audit::Release;
use crate::audit::features::Statistic;
use crate::audit::replay::GcdSolver;
use crate::audit::transcript::{TranscriptPair, TranscriptSetting};
use crate::audit::zoo::Specimen;
use crate::solver::gcd;
use crate::units::Scale;
use std::sync::Arc;

/// The solvers as printed and fast.
pub(super) const FAMILY: Family = Family {
    mechanisms: &[
        Named(
            "gcd-reference",
            "greedy coordinate descent (DP-GCD), its pseudocode, on a worst-case pair",
            &["gcd-mech-rnm-repaired", "gcd-mech-lap", "acc-basic"],
        ),
        Named(
            "gcd-optimized",
            "greedy coordinate descent (DP-GCD), the fast solver, on a worst-case pair",
            &["gcd-mech-rnm-repaired", "gcd-mech-lap", "acc-basic"],
        ),
    ],
    parameters: &[
        parameter("epsilon", 1.0, BUDGET_EPSILON),
        parameter("delta", 0.0, BUDGET_DELTA),
        parameter("steps", 10.0, "number of steps T"),
        parameter("noise", 1.0, NOISE),
        parameter("records", 100.0, "records of the pair"),
    ],
    build: specimen,
};

/// Pairs for many steps, whose runs are slow, and for one, where an event of probability 1/50 tells
/// the inputs apart.
const TRIALS: u64 = 100_000;
const TRIALS_OF_ONE_STEP: u64 = 400_000;

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let (epsilon, delta) = given.budget()?;
    let setting = TranscriptSetting {
        records: given.whole("records", 2.0..=1e4)?,
        steps: given.whole("steps", 1.0..=1e4)?,
        epsilon,
        delta,
        noise: Scale::new(given.get("noise"))?.get(),
    };
    let solver: GcdSolver = if given.name.ends_with("reference") {
        gcd::reference::run
    } else {
        gcd::optimized::run
    };
    let pair = Arc::new(TranscriptPair::new(solver, setting).map_err(|e| given.unfit(e))?);
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
