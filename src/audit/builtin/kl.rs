//! KL Spider, adaptive noisy gradient descent and regularised noisy gradient descent on linear losses that attain the
//! gradient sensitivity in every round. Inputs are 0 for D and 1 for D′, which differ in one record, +u or −u; its
//! direction is orthogonal to all others or the mean gradient is ±1/n, so that norms have one law.
//!
//! Released is the whole transcript; the exact likelihood ratio and the number of steps are offered to the audit as
//! statistics.

use super::{BUDGET_DELTA, BUDGET_EPSILON, BuiltinError, Family, Given, NOISE, Named, parameter};
use crate::accounting::gaussian::Gaussian;
use crate::accounting::zcdp::rho_within;
use crate::audit::features::Statistic;
use crate::audit::zoo::Specimen;
use crate::audit::{Output, Release};
use crate::mechanism::tape::Tape;
use crate::problem::loss::Linear;
use crate::problem::risk::Margins;
use crate::problem::rows::Matrix;
use crate::solver::kl::{
    Adaptive, Budget, Observation, Regularised, Run, RunError, Spider, Variant, optimized,
    reference,
};
use crate::units::{Delta, Epsilon, Neighbouring, Rho, Sensitivity, StdDev};

/// The solvers as printed and fast.
pub(super) const FAMILY: Family = Family {
    mechanisms: &[
        Named(
            "kl-spider-reference",
            "private Spider under the KL condition, its pseudocode",
            &["kl-thm-1-priv-repaired", "acc-gaussian"],
        ),
        Named(
            "kl-spider-optimized",
            "private Spider under the KL condition, the fast solver",
            &["kl-thm-1-priv-repaired", "acc-gaussian"],
        ),
        Named(
            "adaptive-gd-reference",
            "gradient descent with adaptive noise, its pseudocode",
            &["kl-imp-adaptive", "gcd-aux-renyi"],
        ),
        Named(
            "adaptive-gd-optimized",
            "gradient descent with adaptive noise, the fast solver",
            &["kl-imp-adaptive", "gcd-aux-renyi"],
        ),
        Named(
            "noisy-gd-reference",
            "regularised noisy gradient descent, its pseudocode",
            &["kl-thm-9-priv", "acc-gaussian"],
        ),
        Named(
            "noisy-gd-optimized",
            "regularised noisy gradient descent, the fast solver",
            &["kl-thm-9-priv", "acc-gaussian"],
        ),
    ],
    parameters: &[
        parameter("epsilon", 1.0, BUDGET_EPSILON),
        parameter("delta", 1e-3, BUDGET_DELTA),
        parameter("noise", 1.0, NOISE),
        parameter(
            "printed",
            0.0,
            "1: scales and charges as printed; 0: repaired",
        ),
    ],
    build: specimen,
};

const TRIALS: u64 = 100_000;
/// Records but where the run's length needs more.
const RECORDS: usize = 20;
/// Rounds of Algorithm 3 that n√ρ allows here: at most n√ρ/2, and one more as printed.
const ROUNDS: usize = 22;

/// A number read off a transcript.
type Reading = Box<dyn Fn(&[f64]) -> f64 + Send + Sync>;

/// What the three have in common.
struct Setting {
    name: &'static str,
    fast: bool,
    claim: (Epsilon, Delta),
    /// ρ over the square of the noise factor.
    budget: Budget,
}

fn specimen(given: &Given<'_>) -> Result<Specimen, BuiltinError> {
    let claim = given.budget()?;
    let noise = given.noise()?;
    let rho = rho_within(claim.0, claim.1).map_err(|e| given.unfit(e))?;
    let setting = Setting {
        name: given.name,
        fast: given.name.ends_with("optimized"),
        claim,
        budget: Budget {
            rho: Rho::new(rho.get() / (noise * noise))?,
            neighbours: Neighbouring::ReplaceOne,
            variant: match given.get("printed") {
                0.0 => Variant::Repaired,
                _ => Variant::Printed,
            },
        },
    };
    let built = match given.name {
        name if name.starts_with("kl-spider") => spider(setting),
        name if name.starts_with("adaptive") => adaptive(setting),
        _ => regularised(setting),
    };
    built.map_err(|e| given.unfit(e))
}

/// The mean of ⟨x, w⟩ over `others` and one record more, for D and D′.
fn pair<const D: usize>(others: &[[f64; D]], last: [f64; D]) -> [Margins<Linear>; 2] {
    [1.0, -1.0].map(|sign| {
        let mut values = others.concat();
        values.extend(last.map(|x| sign * x));
        let targets = vec![0.0; others.len() + 1];
        Margins::new(
            Matrix::new(D, values, targets).expect("finite values"),
            Linear,
        )
    })
}

/// A specimen whose transcript is `run`, with its likelihood ratio and its number of steps.
fn specimen_of(
    setting: &Setting,
    truth: f64,
    run: impl Fn(usize, Tape) -> Option<Vec<f64>> + Send + Sync + 'static,
    (ratio, steps): (Reading, Reading),
) -> Specimen {
    let draw = move |input: &[f64], tape: Tape| {
        let released = run(usize::from(input[0] != 0.0), tape);
        released.map_or(Output::Nothing, Output::Vector)
    };
    let of = |statistic: Reading| {
        move |output: &Output| match output {
            Output::Vector(released) => statistic(released),
            _ => f64::NAN,
        }
    };
    let (epsilon, delta) = setting.claim;
    Specimen::correct(
        setting.name,
        epsilon.get(),
        vec![(vec![0.0], vec![1.0])],
        draw,
    )
    .up_to(truth)
    .at_delta(delta.get())
    .taking(TRIALS)
    .releasing(Release::Transcript)
    .with(Statistic::new("log-likelihood ratio", of(ratio)))
    .with(Statistic::new("number of steps", of(steps)))
}

/// ε of `count` Gaussian releases that move by `shift` each, at δ.
fn exact(shift: f64, deviation: f64, count: u64, delta: Delta) -> Result<f64, String> {
    let text = |e: &dyn std::fmt::Display| e.to_string();
    let shift = Sensitivity::new(shift * (count as f64).sqrt()).map_err(|e| text(&e))?;
    let deviation = StdDev::new(deviation).map_err(|e| text(&e))?;
    let epsilon = Gaussian::new(shift, deviation).epsilon(delta);
    Ok(epsilon.map_err(|e| text(&e))?.hi)
}

/// P-lin in two dimensions: a gradient of length 19/20 along the first axis, the record along the second. κ = 2, and
/// F₀ such that K is small and the threshold at 7/16: a loop may end or go on.
fn spider(setting: Setting) -> Result<Specimen, String> {
    let root = setting.budget.rho.get().sqrt();
    // K = 1.064·2·ln(n√ρ·√F₀/(γL₀√2)) or so: n√ρ is held at 40.
    let n = (40.0 / root).ceil().max(2.0) as usize;
    let inputs = Spider {
        beta: 0.1,
        gamma: 1.0,
        kappa: 2.0,
        lipschitz: 1.0,
        smoothness: 1e-3,
        loss_bound: 0.25,
    };
    let (budget, fast) = (setting.budget, setting.fast);
    let schedule = inputs.schedule(budget.variant, budget.rho, n, 2);
    let schedule = schedule.map_err(|e| e.to_string())?;
    let (unit, deviation) = (1.0 / n as f64, schedule.start_deviation);
    let truth = exact(2.0 * unit, deviation, schedule.rounds, setting.claim.1)?;
    let pair = pair(&vec![[1.0, 0.0]; n - 1], [0.0, 1.0]);
    let run = move |side: usize, tape: Tape| {
        // By round: the gradient's two entries and the number of differences.
        let mut released: Vec<f64> = Vec::new();
        let observe = &mut |release: Observation<'_>| match release {
            Observation::Gradient(v) => released.extend([v[0], v[1], 0.0]),
            _ => released
                .last_mut()
                .into_iter()
                .for_each(|steps| *steps += 1.0),
        };
        let start = [0.0, 0.0];
        let ended = match fast {
            true => optimized::spider(&pair[side], &start, &inputs, &budget, tape, observe),
            false => reference::spider(&pair[side], &start, &inputs, &budget, tape, observe),
        };
        ended.is_ok().then_some(released)
    };
    let ratio = move |released: &[f64]| {
        let second = released.chunks_exact(3).map(|round| round[1]);
        2.0 * unit * second.sum::<f64>() / (deviation * deviation)
    };
    let steps = |released: &[f64]| released.chunks_exact(3).map(|round| round[2]).sum();
    Ok(specimen_of(
        &setting,
        truth,
        run,
        (Box::new(ratio), Box::new(steps)),
    ))
}

/// P-one: the other records pull one way. The norm stays near 1, far above the floor, so that the filter spends what it has:
/// on norms and gradients that move by 2/n each. The truth is at most the claim where the filter is at work and not known
/// as printed.
fn adaptive(setting: Setting) -> Result<Specimen, String> {
    let root = setting.budget.rho.get().sqrt();
    // n√ρ is at 2·(ROUNDS − 2) or a little more.
    let n = (2.0 * (ROUNDS - 2) as f64 / root).ceil() as usize;
    let inputs = Adaptive {
        beta: 0.1,
        lipschitz: 1.0,
        smoothness: 1.0,
    };
    let (budget, fast) = (setting.budget, setting.fast);
    let rule = inputs.rule(&budget, n, 1).map_err(|e| e.to_string())?;
    let truth = match budget.variant {
        Variant::Repaired => setting.claim.0.get().max(
            crate::accounting::zcdp::epsilon_upper(budget.rho, setting.claim.1)
                .map_err(|e| e.to_string())?,
        ),
        Variant::Printed => f64::INFINITY,
    };
    let pair = pair(&vec![[1.0]; n - 1], [1.0]);
    let run = move |side: usize, tape: Tape| {
        // By round: norm and gradient, zeros where there was none.
        let (mut released, mut at) = (vec![0.0; 2 * ROUNDS], 0);
        let observe = &mut |release: Observation<'_>| {
            let value = match release {
                Observation::Norm(x) => x,
                Observation::Gradient(v) => v[0],
                _ => f64::NAN,
            };
            if let Some(place) = released.get_mut(at) {
                *place = value;
            }
            at += 1;
        };
        let start = [0.0];
        let ended = match fast {
            true => {
                optimized::adaptive(&pair[side], &start, &inputs, &budget, false, tape, observe)
            }
            false => {
                reference::adaptive(&pair[side], &start, &inputs, &budget, false, tape, observe)
            }
        };
        ended.is_ok().then_some(released)
    };
    let ratio = move |released: &[f64]| {
        let (mean, moved) = (1.0, 1.0 - 2.0 / n as f64);
        let of = |y: f64, deviation: f64| match y {
            0.0 => 0.0, // of the last round only the norm is released
            y => (mean - moved) * (2.0 * y - mean - moved) / (2.0 * deviation * deviation),
        };
        let rounds = released.chunks_exact(2);
        let each =
            rounds.map(|r| of(r[0], rule.norm_deviation) + of(r[1], rule.gradient_deviation(r[0])));
        each.sum()
    };
    let steps = |released: &[f64]| released.iter().filter(|x| **x != 0.0).count() as f64;
    Ok(specimen_of(
        &setting,
        truth,
        run,
        (Box::new(ratio), Box::new(steps)),
    ))
}

/// P-prox in one dimension: all other records are 0.
fn regularised(setting: Setting) -> Result<Specimen, String> {
    const LENGTH: u64 = 10;
    let inputs = Regularised {
        beta: 0.1,
        lipschitz: 1.0,
        weak_convexity: 1.0,
        length: Some(LENGTH),
    };
    let (budget, fast) = (setting.budget, setting.fast);
    let rule = inputs.rule(budget.rho.get(), RECORDS, 1);
    let deviation = rule.map_err(|e| e.to_string())?.deviation;
    let unit = 1.0 / RECORDS as f64;
    let truth = exact(2.0 * unit, deviation, LENGTH - 1, setting.claim.1)?;
    let pair = pair(&[[0.0]; RECORDS - 1], [1.0]);
    let run = move |side: usize, tape: Tape| {
        let mut released = Vec::new();
        let observe = &mut |release: Observation<'_>| {
            if let Observation::Gradient(v) = release {
                released.push(v[0]);
            }
        };
        let start = [0.0];
        let ended: Result<Run, RunError> = match fast {
            true => optimized::regularised(&pair[side], &start, &inputs, &budget, tape, observe),
            false => reference::regularised(&pair[side], &start, &inputs, &budget, tape, observe),
        };
        ended.is_ok().then_some(released)
    };
    let ratio =
        move |released: &[f64]| 2.0 * unit * released.iter().sum::<f64>() / (deviation * deviation);
    let steps = |released: &[f64]| released.len() as f64;
    Ok(specimen_of(
        &setting,
        truth,
        run,
        (Box::new(ratio), Box::new(steps)),
    ))
}
