//! DP-GCD on its worst-case pair (gcd-pair): linear loss, all sensitivities reached at every step,
//! one coordinate moving against the others.
//!
//! Inputs are 0 for D and 1 for D′. Released is the whole transcript, j₀ v₀ j₁ v₁ …; its likelihood
//! ratio between the inputs is offered to the audit as a statistic.

use super::{BuiltinError, Given};
use crate::audit::features::Statistic;
use crate::audit::zoo::Specimen;
use crate::audit::{Output, Release};
use crate::mechanism::tape::Tape;
use crate::problem::Problem;
use crate::problem::neighbours::LinearPair;
use crate::solver::gcd::{
    self, Calibration, Config, LaplaceScales, PerAccess, Run, RunError, SelectionScale,
};
use crate::units::{Delta, Epsilon};

/// Name of the solver as printed.
pub(super) const REFERENCE: &str = "gcd-reference";
/// Name of the fast solver.
pub(super) const OPTIMIZED: &str = "gcd-optimized";
/// The budget for which the noise is calibrated (δ = 0: basic composition; else the repaired
/// calibration), the number of steps T, and a factor on all noise.
pub(super) const PARAMETERS: [&str; 4] = ["epsilon", "delta", "steps", "noise"];

const RECORDS: usize = 100;
/// Runs are slow, and the likelihood ratio leaves little to learn.
const TRIALS: u64 = 100_000;
/// One coordinate moves against the rest and has a smaller L.
const LIPSCHITZ: [f64; 20] = {
    let mut all = [1.0; 20];
    all[0] = 0.2;
    all
};

type Solver = fn(&Problem, &Config, Tape) -> Result<Run, RunError>;

pub(super) fn specimen(given: Given<'_>) -> Result<Specimen, BuiltinError> {
    let setup = |reason: String| BuiltinError::Setup {
        name: given.name.into(),
        reason,
    };
    let steps = given.get("steps", 10.0);
    if !(steps.fract() == 0.0 && (1.0..=1e4).contains(&steps)) {
        return Err(setup(format!(
            "steps = {steps} must be a whole number from 1 to 10000"
        )));
    }
    let noise = given.get("noise", 1.0);
    let budget = (
        Epsilon::new(given.get("epsilon", 1.0))?,
        Delta::new(given.get("delta", 0.0))?,
    );
    let pair = LinearPair {
        records: RECORDS,
        lipschitz: LIPSCHITZ.to_vec(),
        smoothness: vec![1.0; LIPSCHITZ.len()],
        // All scores equal, as far from zero as the smallest L allows.
        scores: vec![0.19; LIPSCHITZ.len()],
        rises: (0..LIPSCHITZ.len()).map(|k| k > 0).collect(),
    };
    let pair = pair.build().map_err(|e| setup(e.to_string()))?;
    let scales = scales(&pair.first, budget, steps as usize, noise).map_err(setup)?;
    let config = Config::new(&pair.first, steps as usize, scales);
    let solver: Solver = if given.name == REFERENCE {
        gcd::reference::run
    } else {
        gcd::optimized::run
    };
    let ratio = LikelihoodRatio::new(&pair.first, &pair.second, &config.noise);
    let run = move |input: &[f64], tape: Tape| {
        let problem = if input[0] == 0.0 {
            &pair.first
        } else {
            &pair.second
        };
        match solver(problem, &config, tape) {
            Ok(run) => {
                let released = run.transcript.iter();
                let numbers = released.flat_map(|r| [r.coordinate as f64, r.value]);
                Output::Vector(numbers.collect())
            }
            Err(_) => Output::Nothing,
        }
    };
    let inputs = vec![(vec![0.0], vec![1.0])];
    // Noise below what the calibration asks for: what is left of the claim is a bound by scaling
    // only for pure privacy, where every loss is proportional to 1/noise.
    let truth = budget.0.get() / noise.min(1.0);
    Ok(Specimen::correct(given.name, truth, inputs, run)
        .at_delta(budget.1.get())
        .taking(TRIALS)
        .releasing(Release::Transcript)
        .with(Statistic::new("log-likelihood ratio", move |output| {
            ratio.of(output)
        })))
}

fn scales(
    problem: &Problem,
    (epsilon, delta): (Epsilon, Delta),
    steps: usize,
    noise: f64,
) -> Result<LaplaceScales, String> {
    let sensitivities = gcd::sensitivities(problem, None).map_err(|e| e.to_string())?;
    let smoothness = problem.constants().smoothness();
    let sound = if delta.get() == 0.0 {
        let access = PerAccess {
            epsilon: epsilon.get() / (2.0 * steps as f64),
            selection: SelectionScale::NoisyMax,
        };
        access.scales(&sensitivities, smoothness)
    } else {
        Calibration::Repaired.scales(epsilon, delta, steps, &sensitivities, smoothness)
    };
    let sound = sound.map_err(|e| e.to_string())?;
    let changed = |scales: &[f64]| scales.iter().map(|b| noise * b).collect();
    LaplaceScales::new(changed(sound.selection()), changed(sound.release()))
        .map_err(|e| e.to_string())
}

/// ln of the density of a transcript on D over that on D′. The gradient of a linear loss does not
/// depend on w, so every step adds the same two functions of (j, v).
struct LikelihoodRatio {
    /// ln(P\[j | D\]/P\[j | D′\]).
    selection: Vec<f64>,
    gradients: [Vec<f64>; 2],
    release: Vec<f64>,
}

impl LikelihoodRatio {
    fn new(first: &Problem, second: &Problem, noise: &LaplaceScales) -> Self {
        let zero = vec![0.0; first.features()];
        let gradients = [first.gradient(&zero), second.gradient(&zero)];
        let smoothness = first.constants().smoothness();
        let laws = [0, 1]
            .map(|side: usize| selection_law(&gradients[side], noise.selection(), smoothness));
        let ratios = laws[0].iter().zip(&laws[1]).map(|(p, q)| (p / q).ln());
        Self {
            selection: ratios.collect(),
            gradients,
            release: noise.release().to_vec(),
        }
    }

    fn of(&self, output: &Output) -> f64 {
        let Output::Vector(numbers) = output else {
            return f64::NAN;
        };
        let step = |pair: &[f64]| {
            let (j, value) = (pair[0] as usize, pair[1]);
            let [g, h] = [0, 1].map(|side: usize| (value - self.gradients[side][j]).abs());
            self.selection[j] + (h - g) / self.release[j]
        };
        numbers.chunks_exact(2).map(step).sum()
    }
}

/// The law of argmax_k |g_k + χ_k|/√M_k with χ_k ~ Laplace(λ′_k), by the midpoint rule on the
/// winner's score: good to about 10⁻⁵, which is enough for a statistic.
fn selection_law(gradient: &[f64], scales: &[f64], smoothness: &[f64]) -> Vec<f64> {
    const CELLS: usize = 4000;
    let cdf = |x: f64| {
        if x < 0.0 {
            0.5 * x.exp()
        } else {
            1.0 - 0.5 * (-x).exp()
        }
    };
    // P[|g + χ| ≤ √M x].
    let below = |k: usize, x: f64| {
        let (reach, g, b) = (x * smoothness[k].sqrt(), gradient[k], scales[k]);
        cdf((reach - g) / b) - cdf((-reach - g) / b)
    };
    let all = 0..gradient.len();
    let highest = all
        .clone()
        .map(|k| (gradient[k].abs() + 25.0 * scales[k]) / smoothness[k].sqrt())
        .fold(0.0, f64::max);
    let mut law = vec![0.0; gradient.len()];
    for cell in 0..CELLS {
        let at = |offset: f64| highest * (cell as f64 + offset) / CELLS as f64;
        let [low, middle, high] = [0.0, 0.5, 1.0].map(at);
        let others: Vec<f64> = all.clone().map(|k| below(k, middle)).collect();
        for k in all.clone() {
            let rest = all.clone().filter(|l| *l != k).map(|l| others[l]);
            law[k] += (below(k, high) - below(k, low)) * rest.product::<f64>();
        }
    }
    law
}
