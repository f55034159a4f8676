//! The witnesses of decor: users on a complete graph, who are eavesdropped.

use super::witness::{ALL, Error, Point, Walk, budget, fewest, logistic, records};
use super::{Promise, Series};
use crate::accounting::decor::{self as accounting, Adversary, Noise};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::loss::{Logistic, LossName};
use crate::problem::risk::{Margins, Risk};
use crate::problem::rows::{Matrix, norm};
use crate::problem::{Dataset, Dense, Graph, MixingMatrix, Problem, Weights};
use crate::solver::decor;
use crate::solver::decor::theorem::Known;
use dp_assay_spec::decor::bites as users;
use std::f64::consts::LN_2;

/// Users of a complete graph.
pub(super) const SERIES: [Series; 5] = [
    ridge(
        "decor-thm-2a-corrected",
        || first(0.0, Known::bound),
        |n, loud| average((n, 0.0), Known::bound, loud),
    ),
    ridge(
        "decor-cor-12-pl-corrected",
        || first(0.0, corollary),
        |n, loud| average((n, 0.0), corollary, loud),
    ),
    // Its first bound, which is below its second one.
    ridge(
        "decor-cor-3a-util-corrected",
        || first(0.0, corollary),
        |n, loud| average((n, 0.0), corollary, loud),
    ),
    Series {
        recipe: CURIOUS,
        ..ridge(
            "decor-cor-3b-util-corrected",
            || first(1.0, corollary),
            |n, loud| average((n, 1.0), corollary, loud),
        )
    },
    Series {
        claim: "decor-cor-12-nc-corrected",
        recipe: "mean over the steps of the squared gradient of the logistic loss of the record \
                 (1, 0), which each user has, a complete graph, an eavesdropper; beyond 100 users \
                 the mean model alone is run, whose noise is the mean of theirs",
        promise: Promise::Mean,
        first: || fewest(|n| best_stationary(n).1 < QUARTER),
        at: gradients,
        sizes: ALL,
    },
];

/// A theorem on losses with a ridge.
const fn ridge(claim: &'static str, first: fn() -> f64, at: fn(f64, f64) -> Maybe) -> Series {
    Series {
        claim,
        recipe: EAVESDROPPED,
        promise: Promise::Mean,
        first,
        at,
        sizes: ALL,
    }
}

const EAVESDROPPED: &str = "logistic loss with the ridge 1, for each user one of 40 records of \
                            norm 1 in 2 dimensions, users rounded down to a multiple of 40, a \
                            complete graph, an eavesdropper; beyond 100 users the mean model alone \
                            is run";
const CURIOUS: &str = "as that of decor-cor-3a-util-corrected, but that a user is curious";

type Maybe = Result<Point, Error>;

/// A bound on the excess risk of the mean model after some steps.
pub(super) type Says = fn(&Known, usize) -> f64;

/// The bound of Corollary 12 on a complete graph, mixed uniformly, with full gradients: what is left of it is the noise of the mean
/// and the start.
pub(super) fn corollary(known: &Known, steps: usize) -> f64 {
    let (l, mu, users) = (known.smoothness, known.curvature, known.network.users);
    let (epsilon, delta) = (known.budget.0.get(), known.budget.1.get());
    //= decor-cor-12-pl-corrected
    //= decor-cor-3a-util-corrected
    //= decor-cor-3b-util-corrected
    let kappa = 12.0 + 128_f64.sqrt();
    let tau = 16.0 * l / mu;
    let noise = kappa * l * known.dimension * -delta.ln() / (mu * epsilon).powi(2);
    let honest = users - known.network.colluders;
    16.0 / 7.0 * noise / (users * honest) + (tau / (steps as f64 + tau)).powi(2) * known.gap
}

/// The power of 2 up to 64 that is best for T, and the bound, where that is below the gap.
pub(super) fn best(known: &Known, says: Says) -> Option<(usize, f64)> {
    let powers = (0..=6).map(|k| (1 << k, says(known, 1 << k)));
    powers
        .min_by(|a, b| a.1.total_cmp(&b.1))
        .filter(|(_, bound)| *bound < known.gap)
}

/// The least multiple of [`DISTINCT`] users from whose number on a bound says something.
fn first(colluders: f64, says: Says) -> f64 {
    let found = |n: f64| with_ridge(n, colluders).is_ok_and(|known| best(&known, says).is_some());
    (fewest(found) / DISTINCT as f64).ceil() * DISTINCT as f64
}

/// How many records differ.
const DISTINCT: usize = 40;
const RIDGE: f64 = 1.0;
const WITNESS: users::Ridge = users::Ridge {
    dimension: 2.0,
    curvature: RIDGE,
};

pub(super) fn with_ridge(n: f64, colluders: f64) -> Result<Known, Error> {
    complete((n, colluders), RIDGE, WITNESS.gap())
}

/// What is known of n users on a complete graph, some of whom collude, each with a record of norm 1 in 2 dimensions.
fn complete((n, colluders): (f64, f64), ridge: f64, gap: f64) -> Result<Known, Error> {
    let network = decor::theorem::Network {
        users: n,
        colluders,
        rate: 1.0,
        heterogeneity: 0.0,
        deviation: 0.0,
        connectivity: n - colluders,
    };
    Ok(Known {
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
pub(super) fn network(
    known: &Known,
    steps: usize,
    step_sizes: decor::StepSizes,
    loud: f64,
) -> Result<(decor::Config, f64), Error> {
    let graph = Graph::complete(known.network.users as usize)?;
    let noise = known.noise(steps)?;
    let adversary = Adversary::Colluding(known.network.colluders as usize);
    let slope = accounting::optimized::slope(&graph, &noise, adversary)?;
    let spent = accounting::privacy::epsilon(&slope, steps as u64, known.budget.1)?;
    let noise = louder(&noise, loud)?;
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

/// The theorem's noise times `loud`.
pub(super) fn louder(noise: &Noise, loud: f64) -> Result<Noise, Error> {
    Ok(Noise::new(
        loud * noise.cdp(),
        loud * noise.cor(),
        noise.clip(),
    )?)
}

fn average((n, colluders): (f64, f64), says: Says, loud: f64) -> Maybe {
    let count = DISTINCT * (n as usize / DISTINCT);
    let known = with_ridge(count as f64, colluders)?;
    let (steps, bound) = best(&known, says).ok_or("a bound that says nothing")?;
    let (problem, least) = logistic(DISTINCT, 2, RIDGE)?;
    let printed = users::Network::complete(count as u32, colluders as u32);
    let (epsilon_upper, run): (f64, Walk) = if count <= USERS {
        let (config, spent) = network(&known, steps, known.step_sizes(), loud)?;
        let split = split(count)?;
        let run = move |tape| {
            let end = end(&config, &split, &secrets(&config, tape))?;
            Ok(problem.objective(&end) - least)
        };
        (spent, Box::new(run))
    } else {
        let (sizes, deviation) = (known.step_sizes(), mean_deviation(&known, steps, loud)?);
        let run = move |tape| {
            let end = mean_end(&problem, steps, &sizes, &mut own_mean(tape, deviation));
            Ok(problem.objective(&end) - least)
        };
        (spent_by_many(&known, steps)?, Box::new(run))
    };
    Ok(Point {
        delta: known.budget.1.get(),
        epsilon_upper,
        bound,
        printed: Some(users::printed(&printed, &WITNESS, steps as f64)),
        trivial: WITNESS.gap(),
        setting: format!("T = {steps}"),
        run,
    })
}

/// The users' records, of which one in 40 have the same.
fn split(count: usize) -> Result<decor::Split, Error> {
    let (rows, labels) = records(DISTINCT, 2);
    let rows: Vec<Vec<f64>> = rows.into_iter().cycle().take(count).collect();
    let labels = labels.into_iter().cycle().take(count).collect();
    let data = Dataset::new("witness", Dense::from_rows(&rows)?, labels)?;
    Ok(decor::Split::new(data, LossName::Logistic, RIDGE, count)?)
}

/// The mean model at the end, by the users.
fn end(
    config: &decor::Config,
    split: &decor::Split,
    secrets: &decor::Secrets,
) -> Result<Vec<f64>, Error> {
    let run = decor::optimized::run(config, split, secrets, &[0.0; 2])?;
    Ok(mean(&run.models))
}

/// The same without users, as [`mean_path`].
fn mean_end(
    problem: &Problem,
    steps: usize,
    sizes: &decor::StepSizes,
    noise: Noises<'_>,
) -> Vec<f64> {
    let mut x = vec![0.0; 2];
    for t in 0..steps {
        let gradient = problem.gradient(&x);
        for ((x, g), noise) in x.iter_mut().zip(gradient).zip(noise(t)) {
            *x -= sizes.at(t) * (g + noise);
        }
    }
    x
}

/// The noise of a step.
type Noises<'a> = &'a mut dyn FnMut(usize) -> [f64; 2];

/// The standard deviation of the mean of the users' own noise, which is `loud` times the theorem's.
fn mean_deviation(known: &Known, steps: usize, loud: f64) -> Result<f64, Error> {
    Ok(loud * known.noise(steps)?.cdp() / known.network.users.sqrt())
}

/// The mean of the users' own noise.
fn own_mean(tape: Tape, deviation: f64) -> impl FnMut(usize) -> [f64; 2] {
    move |t| {
        let mut noise = [0.0; 2];
        let mut stream = tape.stream(t as u64, Purpose::Release, 0);
        stream.gaussians(&mut noise);
        noise.map(|g| deviation * g)
    }
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
const USERS: usize = 100;

fn gradients(n: f64, loud: f64) -> Result<Point, Error> {
    const SMOOTH: f64 = 0.25;
    let (count, known) = (n as usize, complete((n, 0.0), 0.0, LN_2)?);
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
        let deviation = mean_deviation(&known, steps, loud)?;
        let run = move |tape| mean_path((steps, step), &mut own_mean(tape, deviation));
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
    known: &Known,
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
fn mean_path((steps, step): (usize, f64), noise: Noises<'_>) -> Result<f64, Error> {
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

/// ε of a complete graph, of which h honest users are left, for which (I + ρ(hI − J))⁻¹ has the diagonal 1/h + (1 − 1/h)/(1 + hρ).
fn spent_by_many(known: &Known, steps: usize) -> Result<f64, Error> {
    let (noise, honest) = (
        known.noise(steps)?,
        known.network.users - known.network.colluders,
    );
    let ratio = (noise.cor() / noise.cdp()).powi(2);
    let entry = 1.0 / honest + (1.0 - 1.0 / honest) / (1.0 + honest * ratio);
    let slope = 2.0 * (noise.clip() / noise.cdp()).powi(2) * entry * (1.0 + 1e-12);
    let steps = accounting::privacy::mechanism(slope, steps as u64)?;
    Ok(steps.epsilon(known.budget.1)?.hi)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The mean of the noise of [`USERS`] users alone.
    fn mean_of_own<'a>(
        config: &'a decor::Config,
        secrets: &'a decor::Secrets,
    ) -> impl FnMut(usize) -> [f64; 2] + 'a {
        move |t| {
            let mut sum = [0.0; 2];
            for user in 0..config.graph.n() {
                let mut noise = [0.0; 2];
                decor::secrets::own_noise(secrets.own(user), t, 0).gaussians(&mut noise);
                let part = config.noise.cdp() / config.graph.n() as f64;
                sum = [0, 1].map(|k| sum[k] + part * noise[k]);
            }
            sum
        }
    }

    /// The users' mean model takes the path that the mean of their own noise alone gives, and ε is that of the graph.
    #[test]
    fn the_mean_model_needs_no_users() {
        const STEPS: usize = 16;
        const SIZE: f64 = 0.5;
        for (users, colluders) in [(40.0, 0.0), (80.0, 1.0)] {
            let plain = complete((users, colluders), 0.0, LN_2).expect("a network");
            let ridge = with_ridge(users, colluders).expect("a network");
            let (config, spent) = gossip(&plain, STEPS, SIZE, 1.0).expect("a run");
            let sizes = ridge.step_sizes();
            let (own_config, _) = network(&ridge, STEPS, sizes, 1.0).expect("a run");
            let split = split(users as usize).expect("records");
            let many = spent_by_many(&plain, STEPS).expect("a number");
            assert!((many / spent - 1.0).abs() < 1e-9, "{many} {spent}");
            let (problem, _) = logistic(DISTINCT, 2, RIDGE).expect("a problem");
            for trial in 0..3 {
                let secrets = secrets(&config, Tape::new(3).trial(trial));
                let mut own = mean_of_own(&config, &secrets);
                let by_users = path(&config, &secrets).expect("a run");
                let alone = mean_path((STEPS, SIZE), &mut own).expect("a run");
                assert!((by_users / alone - 1.0).abs() < 1e-9, "{by_users} {alone}");
                let mut own = mean_of_own(&own_config, &secrets);
                let by_users = end(&own_config, &split, &secrets).expect("a run");
                let alone = mean_end(&problem, STEPS, &ridge.step_sizes(), &mut own);
                let apart = [0, 1].map(|k| by_users[k] - alone[k]);
                assert!(norm(&alone) > 1e-3 && norm(&apart) < 1e-9, "{apart:?}");
            }
        }
    }

    /// What the theorem on any noise says of the corollary's is less than the corollary, by T² for (T + τ)², and no less than that.
    #[test]
    fn the_corollary_is_above_the_theorem_by_the_square_that_it_drops() {
        for (users, steps) in [(200.0, 1), (4000.0, 64)] {
            let known = with_ridge(users, 0.0).expect("a network");
            let start = |t: f64| (20.0 / (t + 20.0)).powi(2) * known.gap;
            let (t, says) = (steps as f64, [Known::bound, corollary]);
            let [theorem, claim] = says.map(|says: Says| says(&known, steps) - start(t));
            let dropped = (t / (t + 20.0)).powi(2);
            assert!(
                (theorem / (dropped * claim) - 1.0).abs() < 1e-9,
                "{theorem}, {claim}"
            );
        }
    }
}
