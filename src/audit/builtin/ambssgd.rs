//! DP-AMBSSGD and DP-SSGD on their worst-case pairs. Inputs are 0 for D and 1 for D′; the exact likelihood ratio
//! of the transcript is offered to the audit as a statistic.

use super::{BUDGET_DELTA, BUDGET_EPSILON, BuiltinError, Family, Given, NOISE, Named, parameter};
use crate::audit::features::Statistic;
use crate::audit::zoo::Specimen;
use crate::audit::{Output, Release};
use crate::float::normal_tail;
use crate::mechanism::tape::Tape;
use crate::problem::rows::Matrix;
use crate::solver::ambssgd::calibration::{
    Calibration, CalibrationError, ShuffledBudget, adaptive_epsilon_upper,
};
use crate::solver::ambssgd::{
    Adaptive, Ranges, Run, RunError, Search, Shuffled, Stop, optimized, permutation, reference,
};
use crate::units::{Delta, Epsilon};

/// The solvers as printed and fast.
pub(super) const FAMILY: Family = Family {
    mechanisms: &[
        Named(
            "ambssgd-reference",
            "linear regression by adaptive clipping (DP-AMBSSGD), its pseudocode",
            &["ambssgd-thm-3.6-comp", "acc-gaussian"],
        ),
        Named(
            "ambssgd-optimized",
            "linear regression by adaptive clipping (DP-AMBSSGD), the fast solver",
            &["ambssgd-thm-3.6-comp", "acc-gaussian"],
        ),
        Named(
            "ssgd-reference",
            "linear regression by shuffled steps (DP-SSGD), its pseudocode",
            &[
                "ambssgd-lem-A.1-sens",
                "acc-gaussian",
                "acc-shuffle-approximate",
            ],
        ),
        Named(
            "ssgd-optimized",
            "linear regression by shuffled steps (DP-SSGD), the fast solver",
            &[
                "ambssgd-lem-A.1-sens",
                "acc-gaussian",
                "acc-shuffle-approximate",
            ],
        ),
    ],
    parameters: &[
        parameter("epsilon", 1.0, BUDGET_EPSILON),
        parameter("delta", 1e-3, BUDGET_DELTA),
        parameter("noise", 1.0, NOISE),
        parameter(
            "printed",
            0.0,
            "ambssgd, 1: ranges and stop as printed; 0: corrected",
        ),
    ],
    build: specimen,
};

const TRIALS: u64 = 100_000;
const DIMENSION: usize = 20;

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let budget = given.budget()?;
    let noise = given.noise()?;
    let fast = given.name.ends_with("optimized");
    let built = match given.name.starts_with("ambssgd") {
        true => {
            let printed = given.get("printed") != 0.0;
            adaptive(given.name, budget, (noise, printed), fast)
        }
        false => shuffled(given.name, budget, noise, fast),
    };
    built.map_err(|e| given.unfit(e))
}

/// W4 at the first record of the gradient, which DP-STAT reads too as printed: all other records have residual 0 at
/// w₀ = 0, so that the clipped gradient turns from +ζ₀u to −ζ₀u, and as printed the counts are s + 1 against s.
fn adaptive(
    name: &'static str,
    (epsilon, delta): (Epsilon, Delta),
    (noise, printed): (f64, bool),
    fast: bool,
) -> Result<Specimen, CalibrationError> {
    const LEVELS: usize = 4;
    let (ranges, stop) = match printed {
        true => (Ranges::Printed, Stop::Printed),
        false => (Ranges::Disjoint, Stop::Margin { failure: 0.01 }),
    };
    let sound = Calibration::Tight.multiplier(epsilon, delta, ranges)?;
    let config = Adaptive {
        step: 0.1,
        multiplier: noise * sound,
        batch: 3,
        statistics: 5,
        factor: 1.0,
        search: Search::halvings(16.0, LEVELS).expect("a positive domain and four levels"),
        ranges,
        stop,
    };
    let records = 2 * (config.batch + config.statistics);
    let data = |x: f64, y: f64| {
        let mut values = vec![0.0; records * DIMENSION];
        let mut targets = vec![0.0; records];
        values[config.statistics * DIMENSION] = x;
        targets[config.statistics] = y;
        Matrix::new(DIMENSION, values, targets).expect("finite values")
    };
    // Residual Δ = 1 and gradient 10⁶ u, against residual 10⁶ and gradient −10⁶ u.
    let pair = [data(1e6, -1.0), data(1.0, 1e6)];
    let order: Vec<u32> = (0..records as u32).collect();
    let run = move |input: &[f64], tape: Tape| {
        let data = &pair[usize::from(input[0] != 0.0)];
        let mut released = Vec::new();
        let observe = &mut |release: crate::solver::ambssgd::Iterate<'_>| {
            released.push(release.level.unwrap_or(0) as f64);
            released.extend(release.point);
        };
        let ended = match fast {
            true => optimized::ambssgd(&mut data.source(None), records, &config, tape, observe),
            false => reference::ambssgd(data, &order, &config, tape, observe),
        };
        output(ended, released)
    };
    let truth = adaptive_epsilon_upper(config.multiplier, ranges, delta)?;
    let ratio = move |output: &Output| {
        let Output::Vector(released) = output else {
            return f64::NAN;
        };
        let (level, w) = (released[0] as usize, released[1]);
        let passed = normal_tail(-1.0 / ((LEVELS as f64).sqrt() * config.multiplier));
        let law = |p: f64| match level < LEVELS {
            true => (level as f64) * (1.0 - p).ln() + p.ln(),
            false => (level as f64) * (1.0 - p).ln(),
        };
        // −w/(ηζ/b) ~ N(±1, (2α)²).
        let unit = config.step * config.threshold(level) / config.batch as f64;
        let shift = -w / unit / (2.0 * config.multiplier * config.multiplier);
        // Where DP-STAT does not read the record, its level has one law.
        let counted = if printed { law(passed) - law(0.5) } else { 0.0 };
        counted + shift
    };
    Ok(Specimen::correct(name, epsilon.get(), pairs(), run)
        .up_to(truth)
        .at_delta(delta.get())
        .taking(TRIALS)
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", ratio)))
}

/// W2: N − 1 records without features and one whose clipped gradient is +ζu or −ζu, in a random place.
fn shuffled(
    name: &'static str,
    (epsilon, delta): (Epsilon, Delta),
    noise: f64,
    fast: bool,
) -> Result<Specimen, CalibrationError> {
    const RECORDS: usize = 20;
    let account = ShuffledBudget::new(RECORDS as u64, delta)?;
    let config = Shuffled {
        step: 0.1,
        threshold: 1.0,
        multiplier: noise * account.multiplier(epsilon)?,
    };
    let data = |y: f64| {
        let mut values = vec![0.0; RECORDS * DIMENSION];
        values[0] = 1.0;
        let mut targets = vec![0.0; RECORDS];
        targets[0] = y;
        Matrix::new(DIMENSION, values, targets).expect("finite values")
    };
    let pair = [data(-1e6), data(1e6)];
    let run = move |input: &[f64], tape: Tape| {
        let data = &pair[usize::from(input[0] != 0.0)];
        let order = permutation(tape, RECORDS);
        // Only the first coordinate sees the record.
        let mut released = Vec::new();
        let observe =
            &mut |release: crate::solver::ambssgd::Iterate<'_>| released.push(release.point[0]);
        let ended = match fast {
            true => {
                let source = &mut data.source(Some(&order));
                optimized::ssgd(source, RECORDS, &config, tape, observe)
            }
            false => reference::ssgd(data, &order, &config, tape, observe),
        };
        output(ended, released)
    };
    let truth = account.epsilon_upper(config.multiplier)?;
    let ratio = move |output: &Output| {
        let Output::Vector(iterates) = output else {
            return f64::NAN;
        };
        let square = 4.0 * config.multiplier * config.multiplier;
        let unit = config.step * config.threshold;
        let mut last = 0.0;
        let (mut first, mut second) = (0.0, 0.0);
        for w in iterates {
            // ±1 at the record's place, plus 2α times a standard normal.
            let z = (last - w) / unit;
            first += ((z - 0.5) / square).exp();
            second += ((-z - 0.5) / square).exp();
            last = *w;
        }
        (first / second).ln()
    };
    Ok(Specimen::correct(name, epsilon.get(), pairs(), run)
        .up_to(truth)
        .at_delta(delta.get())
        .taking(TRIALS)
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", ratio)))
}

fn pairs() -> Vec<(Vec<f64>, Vec<f64>)> {
    vec![(vec![0.0], vec![1.0])]
}

fn output(ended: Result<Run, RunError>, released: Vec<f64>) -> Output {
    match ended {
        Ok(_) => Output::Vector(released),
        Err(_) => Output::Nothing,
    }
}
