//! The witnesses of decor: users on a complete graph, who are eavesdropped.

use super::witness::{Error, Point, Walk, budget, fewest, logistic};
use super::{Promise, Series};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::loss::{Logistic, LossName};
use crate::problem::risk::{Margins, Risk};
use crate::problem::rows::{Matrix, norm};
use crate::problem::{Dataset, Dense, Graph, MixingMatrix, Weights};
use crate::solver::decor;
use dp_assay_spec::decor::bites as users;
use std::f64::consts::LN_2;

/// Users of a complete graph.
pub(super) const SERIES: [Series; 2] = [
    Series {
        claim: "decor-cor-12-pl-corrected",
        recipe: "logistic loss with the ridge 1, one record of norm 1 in 2 dimensions for each \
                 user, a complete graph, an eavesdropper",
        promise: Promise::Mean,
        first: || 40.0,
        at: average,
        sizes: [2, 5],
    },
    Series {
        claim: "decor-cor-12-nc-corrected",
        recipe: "mean over the steps of the squared gradient of the logistic loss of the record \
                 (1, 0), which each user has, a complete graph, an eavesdropper; beyond 1,000 \
                 users the mean model alone is run, whose noise is the mean of theirs",
        promise: Promise::Mean,
        first: || fewest(|n| best_stationary(n).1 < QUARTER),
        at: gradients,
        sizes: [2, 5],
    },
];

/// What is known of the users on a complete graph, each with a record of norm 1 in 2 dimensions, who are eavesdropped.
fn complete(n: f64, ridge: f64, gap: f64) -> Result<decor::theorem::Known, Error> {
    let network = decor::theorem::Network {
        users: n,
        colluders: 0.0,
        rate: 1.0,
        heterogeneity: 0.0,
        deviation: 0.0,
        connectivity: n,
    };
    Ok(decor::theorem::Known {
        network,
        dimension: 2.0,
        clip: 1.0,
        sampling: 0.0,
        smoothness: 0.25 + ridge,
        curvature: ridge,
        gap,
        budget: budget(n)?,
    })
}

/// A run of DECOR there with the theorem's noise times `loud`, and the ε that is certified without it.
fn network(
    known: &decor::theorem::Known,
    steps: usize,
    step_sizes: decor::StepSizes,
    loud: f64,
) -> Result<(decor::Config, f64), Error> {
    let graph = Graph::complete(known.network.users as usize)?;
    let noise = known.noise(steps)?;
    let adversary = crate::accounting::decor::Adversary::Eavesdropper;
    let slope = crate::accounting::decor::optimized::slope(&graph, &noise, adversary)?;
    let spent = crate::accounting::decor::privacy::epsilon(&slope, steps as u64, known.budget.1)?;
    let noise =
        crate::accounting::decor::Noise::new(loud * noise.cdp(), loud * noise.cor(), noise.clip())?;
    let config = decor::Config {
        mixing: MixingMatrix::of(&graph, Weights::Uniform)?,
        graph,
        noise,
        steps,
        step_sizes,
        sampling: decor::Sampling::AllExamples,
        keep_transcript: false,
    };
    Ok((config, spent.hi))
}

/// The secrets of a run.
fn secrets(config: &decor::Config, tape: Tape) -> decor::Secrets {
    decor::Secrets::from_seed(&config.graph, tape.seed() << 32 | tape.number())
}

/// The mean of the columns.
fn mean(models: &nalgebra::DMatrix<f64>) -> Vec<f64> {
    models.column_mean().iter().copied().collect()
}

fn average(n: f64, loud: f64) -> Result<Point, Error> {
    const RIDGE: f64 = 1.0;
    let witness = users::Ridge {
        dimension: 2.0,
        curvature: RIDGE,
    };
    let (count, known) = (n as usize, complete(n, RIDGE, witness.gap())?);
    let plan = known.best(64).ok_or("a bound that says nothing")?;
    let (config, epsilon_upper) = network(&known, plan.steps, known.step_sizes(), loud)?;
    let (problem, least) = logistic(count, 2, RIDGE)?;
    let split = decor::Split::new(problem.data().clone(), LossName::Logistic, RIDGE, count)?;
    let printed = users::Network::complete(count as u32, 0);
    Ok(Point {
        delta: known.budget.1.get(),
        epsilon_upper,
        bound: plan.bound,
        printed: Some(users::printed(&printed, &witness, plan.steps as f64)),
        trivial: witness.gap(),
        setting: format!("T = {}", plan.steps),
        run: Box::new(move |tape| {
            let secrets = secrets(&config, tape);
            let run = decor::optimized::run(&config, &split, &secrets, &[0.0; 2])?;
            Ok(problem.objective(&mean(&run.models)) - least)
        }),
    })
}

/// ‖∇L(0)‖² is at most this.
const QUARTER: f64 = 0.25;

/// The power of 2 up to 64 that is best for T, and the bound on gradients.
fn best_stationary(n: f64) -> (usize, f64) {
    let network = users::Network::complete(n as u32, 0);
    let bound = |steps: usize| (steps, users::stationary(&network, 2.0, steps as f64));
    let powers = (0..=6).map(|k| bound(1 << k));
    powers.min_by(|a, b| a.1.total_cmp(&b.1)).expect("a range")
}

/// More users than this are not run one by one.
const USERS: usize = 1_000;

fn gradients(n: f64, loud: f64) -> Result<Point, Error> {
    const SMOOTH: f64 = 0.25;
    let (count, known) = (n as usize, complete(n, 0.0, LN_2)?);
    let (steps, bound) = best_stationary(n);
    // Q with σ_*² = C².
    let q = 1.0 + 2.0 * known.noise(steps)?.cdp().powi(2);
    //= decor-cor-12-nc-corrected
    let step = (1.0 / (8.0 * SMOOTH)).min((2.0 * n * LN_2 / (SMOOTH * steps as f64 * q)).sqrt());
    let printed = users::Network::complete(count as u32, 0);
    let (spent, run): (f64, Walk) = if count <= USERS {
        let (config, spent) = gossip(&known, steps, step, loud)?;
        let run = move |tape| path(&config, &secrets(&config, tape));
        (spent, Box::new(run))
    } else {
        let deviation = loud * known.noise(steps)?.cdp() / n.sqrt();
        let run = move |tape: Tape| {
            mean_path((steps, step), &mut |t| {
                let mut noise = [0.0; 2];
                let mut stream = tape.stream(t as u64, Purpose::Release, 0);
                stream.gaussians(&mut noise);
                noise.map(|g| deviation * g)
            })
        };
        (spent_by_many(&known, steps)?, Box::new(run))
    };
    Ok(Point {
        delta: known.budget.1.get(),
        epsilon_upper: spent,
        bound,
        printed: Some(users::printed_stationary(&printed, 2.0, steps as f64)),
        trivial: QUARTER,
        setting: format!("T = {steps}"),
        run,
    })
}

/// The run of the witness by its users, with all that they send.
fn gossip(
    known: &decor::theorem::Known,
    steps: usize,
    step: f64,
    loud: f64,
) -> Result<(decor::Config, f64), Error> {
    let sizes = decor::StepSizes::Constant(step);
    let (mut config, spent) = network(known, steps, sizes, loud)?;
    config.keep_transcript = true;
    Ok((config, spent))
}

/// The mean of the squared gradients at x̄^(0) … x̄^(T−1).
fn path(config: &decor::Config, secrets: &decor::Secrets) -> Result<f64, Error> {
    let (rows, labels) = alike(config.graph.n());
    let data = Dataset::new("witness", Dense::from_rows(&rows)?, labels)?;
    let split = decor::Split::new(data, LossName::Logistic, 0.0, rows.len())?;
    let run = decor::optimized::run(config, &split, secrets, &[0.0; 2])?;
    // A mixing matrix leaves the mean of the messages as it is: x̄^(t), t = 1 … T − 1, behind the start.
    let sent = run.transcript.iter().map(mean).take(config.steps - 1);
    let risk = one_record()?;
    let mut gradient = [0.0; 2];
    let squares = std::iter::once(vec![0.0; 2]).chain(sent).map(|x| {
        risk.gradient(&x, &mut gradient);
        norm(&gradient).powi(2)
    });
    Ok(squares.sum::<f64>() / config.steps as f64)
}

/// The same without users: on a complete graph, mixed uniformly, all have x̄ after every step, correlated noise cancels in it, and of the
/// users' own the mean is left.
fn mean_path(
    (steps, step): (usize, f64),
    noise: &mut dyn FnMut(usize) -> [f64; 2],
) -> Result<f64, Error> {
    let (risk, mut x, mut sum) = (one_record()?, [0.0; 2], 0.0);
    let mut gradient = [0.0; 2];
    for t in 0..steps {
        risk.gradient(&x, &mut gradient);
        sum += norm(&gradient).powi(2);
        for ((x, g), noise) in x.iter_mut().zip(gradient).zip(noise(t)) {
            *x -= step * (g + noise);
        }
    }
    Ok(sum / steps as f64)
}

/// So many records (1, 0).
fn alike(count: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    (vec![vec![1.0, 0.0]; count], vec![1.0; count])
}

fn one_record() -> Result<Margins<Logistic>, Error> {
    let (rows, labels) = alike(1);
    Ok(Margins::new(
        Matrix::new(2, rows.concat(), labels)?,
        Logistic,
    ))
}

/// ε of a complete graph against an eavesdropper, for which (I + ρ(nI − J))⁻¹ has the diagonal 1/n + (1 − 1/n)/(1 + nρ).
fn spent_by_many(known: &decor::theorem::Known, steps: usize) -> Result<f64, Error> {
    let (noise, n) = (known.noise(steps)?, known.network.users);
    let ratio = (noise.cor() / noise.cdp()).powi(2);
    let entry = 1.0 / n + (1.0 - 1.0 / n) / (1.0 + n * ratio);
    let slope = 2.0 * (noise.clip() / noise.cdp()).powi(2) * entry * (1.0 + 1e-12);
    let steps = crate::accounting::decor::privacy::mechanism(slope, steps as u64)?;
    Ok(steps.epsilon(known.budget.1)?.hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The users' mean model takes the path that the mean of their own noise alone gives, and ε is that of the graph.
    #[test]
    fn the_mean_model_needs_no_users() {
        const USERS: f64 = 40.0;
        let (known, plan) = (complete(USERS, 0.0, LN_2).expect("a network"), (16, 0.5));
        let (config, spent) = gossip(&known, plan.0, plan.1, 1.0).expect("a run");
        let many = spent_by_many(&known, plan.0).expect("a number");
        assert!((many / spent - 1.0).abs() < 1e-9, "{many} {spent}");
        for trial in 0..3 {
            let secrets = secrets(&config, Tape::new(3).trial(trial));
            let by_users = path(&config, &secrets).expect("a run");
            let alone = mean_path(plan, &mut |t| {
                let mut sum = [0.0; 2];
                for user in 0..USERS as usize {
                    let mut noise = [0.0; 2];
                    decor::secrets::own_noise(secrets.own(user), t, 0).gaussians(&mut noise);
                    sum = [0, 1].map(|k| sum[k] + config.noise.cdp() * noise[k] / USERS);
                }
                sum
            });
            let alone = alone.expect("a run");
            assert!((by_users / alone - 1.0).abs() < 1e-9, "{by_users} {alone}");
        }
    }
}
