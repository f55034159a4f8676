//! A designed experiment for the KL paper, which prints none: how the excess risk of Algorithms 1 and 3
//! falls with n on functions whose KL constants are known.

use super::outcome::{Group, Remark, Row};
use super::{Cell, Choice, Experiment, ExperimentError, Input, Outline, Prepared, Rows, Setting};
use crate::accounting::zcdp;
use crate::ledger::slopes;
use crate::mechanism::tape::Tape;
use crate::problem::risk::{Shape, Tilted};
use crate::problem::rows::Matrix;
use crate::solver::kl::optimized::{adaptive, spider};
use crate::solver::kl::{Adaptive, Budget, RunError, Spider, Variant};
use crate::units::{Delta, Neighbouring, Rho};

/// The experiment `kl-rates`.
pub(super) struct Rates;

const METRIC: &str = "excess risk";
const DIMENSION: usize = 4;
const RADIUS: f64 = 4.0;
const RHO: f64 = 1.0;
const DELTA: f64 = 1e-6;
const BETA: f64 = 0.1;

/// A shape and a name that says its κ.
const SHAPES: [(&str, Shape); 2] = [
    ("quadratic (kappa 2)", Shape::Quadratic { mu: 1.0 }),
    (
        "cubic (kappa 1.5)",
        Shape::Power {
            scale: 0.25,
            tau: 3.0,
        },
    ),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Algorithm {
    Spider,
    Adaptive,
}

impl Algorithm {
    const fn name(self) -> &'static str {
        match self {
            Self::Spider => "KL Spider",
            Self::Adaptive => "adaptive descent",
        }
    }

    /// The power of n in the bound on the excess, logarithms apart.
    fn power(self, kappa: f64) -> f64 {
        match self {
            //= kl-thm-1-repaired
            Self::Spider => -kappa,
            // The slower of the two terms of kl-thm-4-rate.
            Self::Adaptive => -(2.0 * kappa / (4.0 - kappa)).min(0.5 * kappa),
        }
    }
}

impl Experiment for Rates {
    fn outline(&self) -> Outline {
        Outline {
            name: "kl-rates",
            title: "KL Spider and adaptive descent: excess risk against n on functions with known \
                    constants",
            place: "our design; the paper prints no experiment",
            claims: &["kl-thm-1-repaired", "kl-thm-4-corrected"],
            axis: "number of records n",
        }
    }

    fn prepare(&self, setting: &Setting) -> Result<Prepared, ExperimentError> {
        let effort = setting.effort;
        let sizes = effort.pick(
            &[1001][..],
            &[1001, 3001, 10_001, 30_001, 100_001],
            &[1001, 3001, 10_001, 30_001, 100_001, 300_001],
        );
        let runs = effort.pick(2, 5, 20);
        let seed = setting.seed;
        let (mut inputs, mut cells) = (Vec::new(), Vec::new());
        for (name, shape) in SHAPES {
            let recipe = format!(
                "ψ(w) + ⟨x, w⟩ in {DIMENSION} dimensions, ψ = {shape:?}, x = ±e₁ with mean e₁/n, \
                 start (½, …, ½)"
            );
            inputs.push(Input::synthetic(name, recipe));
            for method in [Algorithm::Spider, Algorithm::Adaptive] {
                for variant in [Variant::Printed, Variant::Repaired] {
                    for &n in sizes {
                        let cell = format!("{name}, {}, {variant:?}, n = {n}", method.name());
                        cells.push(Cell::new(cell, n as u64 / 1000, move || {
                            let mut rows = Vec::new();
                            for run in 0..runs {
                                rows.extend(measure(
                                    (name, shape),
                                    method,
                                    variant,
                                    n,
                                    (seed, run),
                                )?);
                            }
                            Ok(rows)
                        }));
                    }
                }
            }
        }
        Ok(Prepared {
            inputs,
            choices: vec![
                Choice::new(
                    "Which constants?",
                    format!(
                        "those of the shape on ‖w‖ ≤ {RADIUS}, known in closed form; F_0 the value \
                         at the start"
                    ),
                ),
                Choice::new(
                    "What if the noise throws an iterate out of that ball?",
                    "the run stops before anything is released and counts with the start's excess",
                ),
                Choice::new(
                    "Which relation and budget?",
                    format!("replace-one, {RHO}-zCDP, δ = {DELTA} for ε"),
                ),
            ],
            tuning: "Nothing is tuned: all parameters are the theorems'.".to_owned(),
            cells,
        })
    }

    fn stored(&self) -> Option<String> {
        Some(slopes::text())
    }

    fn remarks(&self, groups: &[Group]) -> Vec<Remark> {
        let mut remarks = Vec::new();
        for (name, shape) in SHAPES {
            for method in [Algorithm::Spider, Algorithm::Adaptive] {
                remarks.extend(rate(groups, (name, shape), method));
            }
        }
        remarks
    }
}

fn start() -> [f64; DIMENSION] {
    [0.5; DIMENSION]
}

fn measure(
    (name, shape): (&str, Shape),
    method: Algorithm,
    variant: Variant,
    n: usize,
    (seed, run): (u64, u64),
) -> Rows {
    let mut values = vec![0.0; n * DIMENSION];
    for i in 0..n {
        values[i * DIMENSION] = if i % 2 == 0 { 1.0 } else { -1.0 };
    }
    let records = Matrix::new(DIMENSION, values, vec![0.0; n])?;
    let risk = Tilted {
        shape,
        records,
        radius: RADIUS,
    };
    let known = shape.known(0.5, RADIUS)?;
    // Records are tilted by vectors of length 1.
    let lipschitz = known.lipschitz + 1.0;
    let smoothness = known.smoothness.unwrap_or(f64::INFINITY);
    let budget = Budget {
        rho: Rho::new(RHO)?,
        neighbours: Neighbouring::ReplaceOne,
        variant,
    };
    let tape = Tape::new(seed).trial(run);
    let outcome = match method {
        Algorithm::Spider => {
            let inputs = Spider {
                beta: BETA,
                gamma: known.gamma,
                kappa: known.kappa,
                lipschitz,
                smoothness,
                loss_bound: shape.value(&start()),
            };
            spider(&risk, &start(), &inputs, &budget, tape, &mut |_| ())
        }
        Algorithm::Adaptive => {
            let inputs = Adaptive {
                beta: BETA,
                lipschitz,
                smoothness,
            };
            adaptive(&risk, &start(), &inputs, &budget, false, tape, &mut |_| ())
        }
    };
    let (point, spent, stopped) = match outcome {
        Ok(run) => (run.point, run.spent_upper, 0.0),
        Err(RunError::Lipschitz { .. } | RunError::Smoothness { .. }) => {
            (start().to_vec(), 0.0, 1.0)
        }
        Err(other) => return Err(other.into()),
    };
    let delta = Delta::new(DELTA)?;
    let epsilon = zcdp::epsilon_upper(budget.rho, delta)?;
    // The filter keeps repaired runs within ρ whatever the data; what printed ones spend is only counted.
    let epsilon_upper = match variant {
        Variant::Repaired => epsilon,
        Variant::Printed => f64::INFINITY,
    };
    let row = |metric: &str, value: f64| Row {
        problem: name.to_owned(),
        method: method.name().to_owned(),
        accounting: format!("{variant:?}").to_lowercase(),
        epsilon,
        epsilon_upper,
        delta: DELTA,
        x: n as f64,
        metric: metric.to_owned(),
        run,
        value,
        setting: String::new(),
    };
    // The mean tilt e₁/n moves the minimum by less than 1/n²: the shape's own excess is taken.
    Ok(vec![
        row(METRIC, shape.value(&point)),
        row("spent rho", spent),
        row("left the ball", stopped),
    ])
}

/// The exponent of n by least squares on the logarithms of the means, against the bound's.
///
/// Both bounds have two logarithms of n under a root, (ln²n)^(−power/2): they take at most −power/ln n off the exponent,
/// most of it at the smallest n.
fn rate(groups: &[Group], (name, shape): (&str, Shape), method: Algorithm) -> Option<Remark> {
    let kappa = shape.known(0.5, RADIUS).ok()?.kappa;
    let here = |g: &&Group| {
        g.key.problem == name
            && g.key.method == method.name()
            && g.key.accounting == "repaired"
            && g.key.metric == METRIC
            && g.mean > 0.0
    };
    let points: Vec<(f64, f64)> = groups
        .iter()
        .filter(here)
        .map(|g| (g.key.x.ln(), g.mean.ln()))
        .collect();
    let (slope, half) = slopes::interval(&points)?;
    let power = method.power(kappa);
    let least = points.iter().map(|p| p.0).fold(f64::INFINITY, f64::min);
    let slowest = power - power / least;
    let verdict = match (slope - half, slope + half) {
        (_, high) if high <= slowest => "so",
        // No accusation: the theorems bound the excess, not its slope between sizes at which the bound is still loose.
        (low, _) if low > slowest => {
            "slower between these sizes, which does not contradict the bound"
        }
        _ => "undecided",
    };
    Some(Remark {
        statement: format!(
            "{name}, {}: the excess falls at least as fast as n^{power:.2}, logarithms allowing \
             for {:.2}",
            method.name(),
            slowest - power
        ),
        seen: verdict == "so",
        evidence: format!(
            "exponent {slope:.2} ± {half:.2} (99 % interval from the scatter of {} sizes): \
             {verdict}",
            points.len()
        ),
    })
}
