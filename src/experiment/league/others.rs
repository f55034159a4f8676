//! What [`fit`](crate::solver::fit::fit) does not run, or not by its defaults alone: DP-SGD as Opacus is used, the KL methods,
//! DECOR.

use super::{Contest, Noise, Trial};
use crate::accounting::Accountant;
use crate::accounting::calibrate::Target;
use crate::experiment::outcome::Row;
use crate::mechanism::tape::Tape;
use crate::problem::Dataset;
use crate::problem::rows::Matrix;
use crate::solver::baseline::dp_sgd::{Batch, Config, run_pairs};
use crate::solver::fit::frame::unframed;
use crate::solver::fit::kl::{self as kl, Loss, Posed};
use crate::solver::fit::setup::plain;
use crate::solver::fit::{Decentralised, LossName, Method, Preprocessing, Quality, Request, fit};
use crate::units::Neighbouring;

/// DP-SGD with the settings that Opacus is used with.
pub(super) const OPACUS: &str = "dp-sgd as with Opacus";
/// Its learning rates: a public grid.
const RATES: [f64; 5] = [0.05, 0.2, 1.0, 5.0, 20.0];
/// Its part of the records in a batch, its epochs and its clipping norm.
const PART: f64 = 0.05;
const EPOCHS: f64 = 20.0;
const NORM: f64 = 1.0;
/// Steps of DECOR with a record for each user: every pair of users draws noise for every step.
const STEPS: f64 = 20.0;
/// Radius of the ball into which the KL methods move records, and the residual from which on their loss is linear.
const BALL: f64 = 1.0;
const KNEE: f64 = 1.0;

type Error = Box<dyn std::error::Error + Send + Sync>;

/// What a method predicts for the held-out records, and what that costs.
pub(super) struct Found {
    pub(super) quality: Quality,
    pub(super) spent: f64,
    pub(super) setting: String,
}

/// What the methods of [`fit`] are asked for, public knowledge of the data with it.
pub(super) fn request(contest: &Contest, trial: &Trial, method: Method) -> Request {
    Request {
        intercept: true,
        ranges: contest.ranges.clone(),
        target_range: contest.target,
        seed: trial.run,
        ..Request::new(method, contest.loss(), trial.budget)
    }
}

/// The quality of coefficients as a solver sees them on the held-out records.
fn judged(trial: &Trial, request: &Request, w: Vec<f64>) -> Quality {
    let (w, intercept) = unframed(w, request, None);
    let held = &trial.held.data;
    let scores = Preprocessing::of(request).scores(held.design(), &w, intercept);
    Quality::of(&scores, held.targets(), request.loss)
}

/// DP-SGD with Poisson batches, gradients clipped at 1 and noise by a tight accountant, for each learning rate of the grid; the
/// one with the best median over all runs is reported, which nobody pays for.
pub(super) fn opacus(contest: &Contest, trials: &[Trial]) -> Result<Vec<Row>, Error> {
    let mut rows: Vec<Vec<Row>> = vec![Vec::new(); RATES.len()];
    let batch = Batch::Poisson { rate: PART };
    let steps = (EPOCHS / PART).round() as usize;
    let Some(first) = trials.first() else {
        return Ok(Vec::new());
    };
    let n = first.train.records();
    let target = Target {
        epsilon: first.budget.0,
        delta: first.budget.1,
        method: Accountant::Auto,
        neighbours: Neighbouring::ReplaceOne,
    };
    let noise = batch.calibrate(n, steps as u64, &target)?;
    for trial in trials {
        let request = request(contest, trial, Method::DpSgd);
        let problem = plain(&trial.train, &request)?;
        let config = Config {
            start: vec![0.0; problem.features()],
            step: RATES[0],
            iterations: steps,
            batch,
            radius: NORM,
            multiplier: noise.value,
        };
        let pairs = RATES.map(|rate| (rate, NORM));
        let ends = run_pairs(&problem, &config, &pairs, Tape::new(trial.run))?;
        for ((rows, end), rate) in rows.iter_mut().zip(ends).zip(RATES) {
            let found = Found {
                quality: judged(trial, &request, end?),
                spent: noise.report.epsilon_upper,
                setting: format!("learning rate {rate}, {EPOCHS} epochs, clip {NORM}"),
            };
            rows.push(trial.row(contest, OPACUS, TUNED, found));
        }
    }
    let median = |rows: &Vec<Row>| {
        let mut values: Vec<f64> = rows.iter().map(|row| row.value).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let best = rows
        .into_iter()
        .max_by(|a, b| median(a).total_cmp(&median(b)));
    Ok(best.unwrap_or_default())
}

/// How the noise of [`opacus`] was chosen, and its learning rate.
const TUNED: &str = "tight; the best learning rate of five, unpaid for";

/// A method of the KL paper with its defaults: γ and κ are assumed, records are moved into the unit ball.
pub(super) fn kurdyka(
    contest: &Contest,
    trial: &Trial,
    (method, noise): (kl::Method, Noise),
) -> Result<Found, Error> {
    let request = request(contest, trial, Method::Gd);
    let (train, held) = (
        plain(&trial.train, &request)?,
        plain(&trial.held.data, &request)?,
    );
    let loss = match request.loss {
        LossName::Logistic => Loss::Logistic,
        _ => Loss::Squared,
    };
    let posed = Posed::data(train.data(), loss, BALL, KNEE)?;
    let asked = kl::Request {
        seed: trial.run,
        ..kl::Request::new(method, (noise.of(trial.budget.0)?, trial.budget.1))
    };
    let fitted = kl::fit(&posed, &asked)?;
    let scores = in_ball(held.data(), &fitted.coefficients);
    Ok(Found {
        quality: Quality::of(&scores, held.data().targets(), request.loss),
        spent: fitted.privacy.epsilon_upper,
        // The number of releases differs from run to run, and with it would the setting.
        setting: "its defaults".to_owned(),
    })
}

/// Scores of records that are moved into the ball.
fn in_ball(data: &Dataset, w: &[f64]) -> Vec<f64> {
    let records = Matrix::of(data);
    let score = |(i, norm): (usize, &f64)| {
        let dot: f64 = records.row(i).iter().zip(w).map(|(x, w)| x * w).sum();
        dot * (BALL / norm).min(1.0)
    };
    records.norms().iter().enumerate().map(score).collect()
}

/// DECOR with its defaults: 16 users in a ring, each of whom is hidden with all its records.
pub(super) fn users(contest: &Contest, trial: &Trial) -> Result<Found, Error> {
    let asked = Request {
        decentralised: Some(Decentralised::for_records(trial.train.records())),
        intercept: false,
        ..request(contest, trial, Method::Decor)
    };
    decentralised(trial, &asked)
}

/// DECOR where every user has one record and all exchange models, so that it protects what the others do; clipping and
/// travel are those of gd.
pub(super) fn record_each(contest: &Contest, trial: &Trial) -> Result<Found, Error> {
    let n = trial.train.records();
    let facts = trial.facts(contest);
    let row = facts.row(facts.signal()?);
    let asked = request(contest, trial, Method::Decor);
    let curvature = match asked.loss {
        LossName::Logistic => 0.25,
        _ => 1.0,
    };
    // A step is this many times 1/Tr(M).
    let trace = curvature * (facts.features as f64 + 1.0);
    let asked = Request {
        decentralised: Some(Decentralised {
            graph: format!("complete:{n}"),
            ..Decentralised::for_records(n)
        }),
        passes: STEPS,
        clip: row.clip,
        step: row.travel / (STEPS * row.clip) * trace,
        ..asked
    };
    decentralised(trial, &asked)
}

fn decentralised(trial: &Trial, request: &Request) -> Result<Found, Error> {
    let fitted = fit(trial.train.clone(), request)?;
    let held = &trial.held.data;
    let scores =
        Preprocessing::of(request).scores(held.design(), &fitted.coefficients, fitted.intercept);
    Ok(Found {
        quality: Quality::of(&scores, held.targets(), request.loss),
        spent: fitted.privacy.epsilon_upper,
        setting: format!("{} steps, clip {}", fitted.lengths.0, request.clip),
    })
}
