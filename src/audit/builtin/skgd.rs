//! DP-SkGD on its worst-case pair (W1): linear loss, so that the gradient is the mean record, and two
//! records that differ by the full 2L_j in every coordinate. Each step is then a Gaussian shift of
//! 2L_U/n on whatever set U is drawn, and the transcript one of √(KT)·2L_U/(nσ_U).
//!
//! Inputs are 0 for D and 1 for D′. Released is the whole transcript, as j v j v …; its likelihood ratio
//! between the inputs is offered to the audit as a statistic.

use super::{BUDGET_DELTA, BUDGET_EPSILON, BuiltinError, Family, Given, NOISE, Named, parameter};
use crate::accounting::gaussian::Gaussian;
use crate::audit::features::Statistic;
use crate::audit::zoo::Specimen;
use crate::audit::{Output, Release};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::neighbours::LinearPair;
use crate::solver::skgd::{self, Calibration, Config, Reading, Run, RunError, Sampling};
use crate::units::{Delta, Epsilon, Sensitivity, StdDev};

/// The solvers as printed and fast.
pub(super) const FAMILY: Family = Family {
    mechanisms: &[
        Named(
            "skgd-reference",
            "random block coordinate descent (DP-SkGD), its pseudocode",
            &["decor-aux-simulate", "acc-gaussian"],
        ),
        Named(
            "skgd-optimized",
            "random block coordinate descent (DP-SkGD), the fast solver",
            &["decor-aux-simulate", "acc-gaussian"],
        ),
    ],
    parameters: &[
        parameter("epsilon", 1.0, BUDGET_EPSILON),
        parameter("delta", 1e-5, BUDGET_DELTA),
        parameter("steps", 10.0, "number of steps K"),
        parameter("noise", 1.0, NOISE),
        parameter(
            "variance",
            0.0,
            "σ_S is 1: a variance, 0: a standard deviation",
        ),
    ],
    build: specimen,
};

const RECORDS: usize = 100;
const TRIALS: u64 = 100_000;
/// Two blocks of two, with L_U = √(Σ_{j∈U} L_j²).
const LIPSCHITZ: [f64; 4] = [1.0, 1.0, 3.0, 3.0];

type Solver = fn(&Problem, &Config, Tape) -> Result<Run, RunError>;

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let steps = given.whole("steps", 1.0..=1e4)?;
    let budget = given.budget()?;
    let noise = given.get("noise");
    let pair = LinearPair {
        records: RECORDS,
        lipschitz: LIPSCHITZ.to_vec(),
        smoothness: vec![1.0; LIPSCHITZ.len()],
        scores: vec![0.0; LIPSCHITZ.len()],
        rises: vec![true; LIPSCHITZ.len()],
    };
    let pair = pair.build().map_err(|e| given.unfit(e))?;
    let mut config = config(&pair.first, budget, steps).map_err(|e| given.unfit(e))?;
    config.noise = config.noise.scaled(noise);
    if given.get("variance") != 0.0 {
        config.reading = Reading::Variance;
    }
    config.check(&pair.first).map_err(|e| given.unfit(e))?;
    let solver: Solver = if given.name.ends_with("reference") {
        skgd::reference::run
    } else {
        skgd::optimized::run
    };
    let truth = truth(&pair.first, &config, budget.1).map_err(|e| given.unfit(e))?;
    let ratio = LikelihoodRatio::new(&pair.first, &pair.second, &config);
    let run = move |input: &[f64], tape: Tape| {
        let problem = match input[0] {
            0.0 => &pair.first,
            _ => &pair.second,
        };
        match solver(problem, &config, tape) {
            Ok(run) => Output::Vector(flatten(&run)),
            Err(_) => Output::Nothing,
        }
    };
    let inputs = vec![(vec![0.0], vec![1.0])];
    let mut specimen = Specimen::correct(given.name, budget.0.get(), inputs, run);
    specimen.epsilon_upper = truth;
    Ok(specimen
        .at_delta(budget.1.get())
        .taking(TRIALS)
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", move |output| {
            ratio.of(output)
        })))
}

fn config(
    problem: &Problem,
    budget: (Epsilon, Delta),
    steps: usize,
) -> Result<Config, skgd::CalibrationError> {
    let blocks = vec![vec![0, 1], vec![2, 3]];
    let sampling = Sampling::partition(LIPSCHITZ.len(), blocks).expect("two blocks of four");
    Config::calibrated(
        problem,
        (steps, 1),
        sampling,
        None,
        Calibration::Tight,
        budget,
    )
}

/// ε of the transcript at δ: a shift of √K Δ_U/σ_U standard deviations, for the block where it is largest.
fn truth(problem: &Problem, config: &Config, delta: Delta) -> Result<f64, String> {
    let sensitivities =
        skgd::sensitivities(problem, &config.sampling, None).map_err(|e| e.to_string())?;
    let blocks = config.sampling.sets().unwrap_or(&[]).iter().enumerate();
    let shift = |(index, set): (usize, &Vec<usize>)| {
        sensitivities.of(set, Some(index)) / config.deviation(set, Some(index))
    };
    let largest = blocks.map(shift).fold(0.0, f64::max) * (config.length() as f64).sqrt();
    let shift = Sensitivity::new(largest).map_err(|e| e.to_string())?;
    let one = StdDev::new(1.0).map_err(|e| e.to_string())?;
    let epsilon = Gaussian::new(shift, one).epsilon(delta);
    epsilon.map(|e| e.hi).map_err(|e| e.to_string())
}

fn flatten(run: &Run) -> Vec<f64> {
    let steps = run.transcript.steps();
    let pairs = steps.flat_map(|step| step.set.iter().zip(step.values));
    pairs.flat_map(|(&j, &value)| [j as f64, value]).collect()
}

/// ln of the density of a transcript on D over that on D′. The gradient of a linear loss does not depend
/// on w, so every released entry adds the same function of (j, v).
struct LikelihoodRatio {
    gradients: [Vec<f64>; 2],
    /// Variance of the noise on each coordinate: that of its block.
    variances: Vec<f64>,
}

impl LikelihoodRatio {
    fn new(first: &Problem, second: &Problem, config: &Config) -> Self {
        let zero = vec![0.0; first.features()];
        let mut variances = zero.clone();
        let sets = config.sampling.sets().unwrap_or(&[]).iter().enumerate();
        for (index, set) in sets {
            let deviation = config.deviation(set, Some(index));
            set.iter()
                .for_each(|&j| variances[j] = deviation * deviation);
        }
        Self {
            gradients: [first.gradient(&zero), second.gradient(&zero)],
            variances,
        }
    }

    fn of(&self, output: &Output) -> f64 {
        let Output::Vector(numbers) = output else {
            return f64::NAN;
        };
        let entry = |pair: &[f64]| {
            let (j, value) = (pair[0] as usize, pair[1]);
            let [g, h] = [0, 1].map(|side: usize| value - self.gradients[side][j]);
            (h * h - g * g) / (2.0 * self.variances[j])
        };
        numbers.chunks_exact(2).map(entry).sum()
    }
}
