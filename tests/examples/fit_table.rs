//! The public table of `fit` (`solver::fit::CLASSES`, `NUMBERS`), found anew: a grid on synthetic problems, the mean of what
//! each entry loses to the best of its problem, by ranges of kappa. Minutes: `cargo run --example fit_table`.

use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::prelude::*;
use dp_assay::problem::Dense;
use dp_assay::solver::fit::{Asked, Facts, LossName, Method, Preprocessing, class};
use std::collections::BTreeMap;

const CLIPS: [f64; 3] = [0.5, 1.0, 2.0];
const TRAVELS: [f64; 7] = [1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];
const STEPS: [usize; 2] = [40, 160];
const ENDS: [f64; 5] = [10.0, 30.0, 100.0, 300.0, f64::INFINITY];

/// n records of p features in [−1, 1] and their targets; kinds: uniform, four factors, few weights, one-hot, log-normal.
fn records(kind: u64, n: usize, p: usize, loss: LossName, trial: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut words = Tape::new(1000 * p as u64 + kind)
        .trial(trial)
        .stream(0, Purpose::Data, 0);
    let mut shared = Tape::new(1000 * p as u64 + kind).stream(1, Purpose::Data, 0);
    let few = (p / 20).max(5);
    let gaussians = |count: usize, stream: &mut dyn FnMut() -> f64| {
        (0..count).map(|_| stream()).collect::<Vec<f64>>()
    };
    let mut weights = gaussians(p, &mut || shared.uniform().gaussian());
    let loads = gaussians(4 * p, &mut || shared.uniform().gaussian());
    if kind == 2 {
        weights.iter_mut().skip(few).for_each(|w| *w = 0.0);
    }
    let mut unit = || (words.uniform().0 as f64 + 0.5) / 2f64.powi(64);
    let mut normal = {
        let mut words = Tape::new(1000 * p as u64 + kind)
            .trial(trial)
            .stream(2, Purpose::Data, 0);
        move || words.uniform().gaussian()
    };
    let mut rows = Vec::new();
    for _ in 0..n {
        let factors: Vec<f64> = (0..4).map(|_| normal()).collect();
        let mut row: Vec<f64> = (0..p)
            .map(|j| match kind {
                0 => 2.0 * unit() - 1.0,
                1 => {
                    let common: f64 = factors
                        .iter()
                        .zip(&loads[4 * j..])
                        .map(|(a, b)| a * b)
                        .sum();
                    ((0.4 * common + 0.4 * normal()) * 0.35 - 0.4).clamp(-1.0, 1.0)
                }
                2 => (0.3 * normal()).clamp(-1.0, 1.0),
                3 => 0.0,
                _ => {
                    let common: f64 = factors
                        .iter()
                        .zip(&loads[4 * j..])
                        .map(|(a, b)| a * b)
                        .sum();
                    // Positive values in a range of 1.2 times their common size at four deviations.
                    let z = (0.35 * common / 1.5 + 0.35 * normal()).exp();
                    (2.0 * z / (1.2 * 1.4_f64.exp()) - 1.0).clamp(-1.0, 1.0)
                }
            })
            .collect();
        if kind == 3 {
            for group in 0..(p / 9).max(1) {
                row[(9 * group + (9.0 * unit() * unit()) as usize).min(p - 1)] = 1.0;
            }
        }
        rows.push(row);
    }
    let scores: Vec<f64> = rows
        .iter()
        .map(|x| x.iter().zip(&weights).map(|(x, w)| x * w).sum())
        .collect();
    let mean = scores.iter().sum::<f64>() / n as f64;
    let deviation = (scores.iter().map(|s| (s - mean) * (s - mean)).sum::<f64>() / n as f64).sqrt();
    let target = |s: &f64| {
        let z = (s - mean) / deviation;
        match loss {
            LossName::Logistic if unit() < 1.0 / (1.0 + (-3.0 * z - 1.5).exp()) => 1.0,
            LossName::Logistic => -1.0,
            _ => (0.2 * z + 0.1 * normal() + 0.1).clamp(-1.0, 1.0),
        }
    };
    let targets = scores.iter().map(target).collect();
    (rows, targets)
}

/// Accuracy, or R².
fn quality(scores: &[f64], targets: &[f64], loss: LossName) -> f64 {
    let pairs = || scores.iter().zip(targets);
    let n = targets.len() as f64;
    if loss == LossName::Logistic {
        return pairs().filter(|(s, y)| class(**s) == **y).count() as f64 / n;
    }
    let mean = targets.iter().sum::<f64>() / n;
    let spread: f64 = targets.iter().map(|y| (y - mean) * (y - mean)).sum();
    1.0 - pairs().map(|(s, y)| (y - s) * (y - s)).sum::<f64>() / spread
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for loss in [LossName::Logistic, LossName::Squared] {
        let mut lost: BTreeMap<(usize, String), Vec<f64>> = BTreeMap::new();
        for (n, p) in [
            (500, 10),
            (500, 30),
            (2000, 30),
            (2000, 100),
            (8000, 30),
            (8000, 100),
        ] {
            for (kind, epsilon) in
                (0..5).flat_map(|kind| [0.1, 0.3, 0.5, 1.0, 3.0, 10.0].map(|e| (kind, e)))
            {
                problem(loss, (n, p), (kind, epsilon), &mut lost)?;
            }
        }
        for (k, end) in ENDS.iter().enumerate() {
            let mut rows: Vec<(f64, &String)> = lost
                .iter()
                .filter(|((at, _), _)| *at == k)
                .map(|((_, name), losses)| (losses.iter().sum::<f64>() / losses.len() as f64, name))
                .collect();
            rows.sort_by(|a, b| a.0.total_cmp(&b.0));
            println!("{loss:?}, kappa below {end}:");
            rows.iter()
                .take(4)
                .for_each(|(mean, name)| println!("  {name}: loses {mean:.4}"));
        }
    }
    Ok(())
}

/// Adds what each entry of the grid loses to the best, in accuracy or R².
fn problem(
    loss: LossName,
    (n, p): (usize, usize),
    (kind, epsilon): (u64, f64),
    lost: &mut BTreeMap<(usize, String), Vec<f64>>,
) -> Result<(), Box<dyn std::error::Error>> {
    let data = |n, trial| {
        let (rows, targets) = records(kind, n, p, loss, trial);
        Dataset::new("synthetic", Dense::from_rows(&rows)?, targets)
            .map_err(Box::<dyn std::error::Error>::from)
    };
    let held = data(1000, 2)?;
    let train = data(n, 1)?;
    let budget = (Epsilon::new(epsilon)?, Delta::new(1.0 / (n * n) as f64)?);
    let facts = Facts {
        records: n,
        features: p,
        nonzeros: None,
        loss,
        budget,
    };
    let kappa = facts.signal()?;
    let range = ENDS
        .iter()
        .position(|end| kappa < *end)
        .expect("the last end is infinite");
    let travel = facts.row(kappa).travel;
    let mut found = Vec::new();
    for (clip, distance, steps) in CLIPS.iter().flat_map(|c| {
        TRAVELS
            .iter()
            .flat_map(move |d| STEPS.iter().map(move |t| (*c, *d, *t)))
    }) {
        let asked = Asked {
            clip: Some(clip),
            passes: Some(steps as f64),
            step: Some(distance / travel),
            ..Asked::default()
        };
        let request = Request {
            intercept: true,
            ..Request::new(Method::Gd, loss, budget)
        };
        let request = request.tuned(&facts, asked)?.0;
        let fitted = fit(train.clone(), &request)?;
        let scores = Preprocessing::of(&request).scores(
            held.design(),
            &fitted.coefficients,
            fitted.intercept,
        );
        let value = quality(&scores, held.targets(), loss);
        found.push((format!("C {clip}, D {distance}, T {steps}"), value));
    }
    let best = found
        .iter()
        .map(|entry| entry.1)
        .fold(f64::NEG_INFINITY, f64::max);
    for (name, value) in found {
        lost.entry((range, name)).or_default().push(best - value);
    }
    Ok(())
}
