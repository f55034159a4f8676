//! Audits of DP-GCD on its worst-case pair (gcd-pair), as shipped and with seeded bugs.
//!
//! What is audited is one number computed from the whole transcript: the logarithm of its likelihood
//! ratio between the two inputs, from the exact law of the selection and the density of the release.
//! By the Neyman–Pearson lemma no other event tells the inputs apart better.

use dp_assay::audit::{Audit, DrawError, Mechanism, Output, Release};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::Squared;
use dp_assay::problem::neighbours::{LinearPair, Pair};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::report::Squeeze;
use dp_assay::solver::gcd::{self, Config, LaplaceScales, PerAccess, SelectionScale};
use dp_assay::units::{Neighbouring, at_least};
use dp_assay_spec::arith::Rational;
use dp_assay_spec::privacy::selection::laplace_pair;
use rayon::prelude::*;
use std::error::Error;

/// Error probability of each audit; together they stay below one in a million.
const ALPHA: f64 = 1e-7;
/// Records and coordinates of the linear pair.
const RECORDS: usize = 200;
const COORDINATES: usize = 20;
/// Total ε claimed, by basic composition of two accesses per step.
const CLAIMED: f64 = 1.0;

/// One audit, with an error in words: several run at a time.
pub type Job = Box<dyn FnOnce() -> Result<Squeeze, String> + Send>;

/// The results of all, in their order. Parts of an audit follow on one another; beside others they leave no core idle.
pub fn all(jobs: [Vec<Job>; 2]) -> Result<[Vec<Squeeze>; 2], String> {
    let sound = jobs[0].len();
    let count = sound + jobs[1].len();
    let bar = crate::cli::progress(count as u64, "audits");
    let jobs: Vec<Job> = jobs.into_iter().flatten().collect();
    // One at a time to whoever is free: some take ten times as long as others.
    let results = jobs.into_par_iter().with_max_len(1).map(|job| {
        let result = job();
        bar.inc(1);
        result
    });
    let mut results = results.collect::<Result<Vec<Squeeze>, _>>()?;
    bar.finish_and_clear();
    let broken = results.split_off(sound);
    Ok([results, broken])
}

/// Audits of the solver as shipped, then of broken copies of it.
pub fn audits(pairs: u64, seed: u64) -> Result<[Vec<Job>; 2], Box<dyn Error>> {
    let equal = vec![1.0; COORDINATES];
    let uneven = (0..COORDINATES)
        .map(|k| if k == 0 { 0.2 } else { 1.0 })
        .collect::<Vec<_>>();
    let shipped = [
        ("DP-GCD, T = 1", LinearRun::new(&equal, 1, 1.0)?),
        (
            "DP-GCD, T = 1, uneven L_j",
            LinearRun::new(&uneven, 1, 1.0)?,
        ),
        ("DP-GCD, T = 10", LinearRun::new(&equal, 10, 1.0)?),
    ];
    let size = (pairs, seed);
    let mut audits = Vec::from(shipped.map(|(name, run)| job(name, run, true, size)));
    let two = TwoSteps::new(false)?;
    audits.push(job("DP-GCD, T = 2, squared loss", two, true, size));
    let half = LinearRun::new(&equal, 1, 0.5)?;
    let again = TwoSteps::new(true)?;
    let bugs = vec![
        job("half the noise", half, false, size),
        job("the same noise in every step", again, false, size),
    ];
    Ok([audits, bugs])
}

fn job<M>(name: &'static str, mechanism: M, certified: bool, size: (u64, u64)) -> Job
where
    M: Mechanism<Input = Side> + Send + 'static,
{
    Box::new(move || squeeze(name, mechanism, certified, size).map_err(|error| error.to_string()))
}

fn squeeze<M>(
    name: &str,
    mechanism: M,
    certified: bool,
    (pairs, seed): (u64, u64),
) -> Result<Squeeze, Box<dyn Error>>
where
    M: Mechanism<Input = Side>,
{
    let report = Audit::of(mechanism)
        .claim(CLAIMED, 0.0)
        .neighbours(Neighbouring::ReplaceOne, Side::First, Side::Second)
        .release(Release::Transcript)
        .trials(pairs)
        .alpha(ALPHA)
        .seed(seed)
        .run()?;
    // Basic composition of 2T accesses, each ε/(2T)-private by the repaired calibration: but not
    // of a broken copy, whose noise is another.
    let upper = certified.then_some((CLAIMED, "gcd-mech-rnm-repaired"));
    Ok(Squeeze::new(name, &report, upper))
}

/// Which of the two inputs.
#[derive(Clone, Copy, Debug)]
enum Side {
    First,
    Second,
}

impl Side {
    fn of(self, pair: &Pair) -> &Problem {
        match self {
            Self::First => &pair.first,
            Self::Second => &pair.second,
        }
    }
}

/// T steps of DP-GCD on the linear pair: coordinate 0 falls, all others rise.
struct LinearRun {
    pair: Pair,
    config: Config,
    /// ln(P[j is chosen on the first input] / P[… on the second]).
    selection_loss: Vec<f64>,
    /// The two gradients, which do not depend on w.
    gradients: [Vec<f64>; 2],
}

impl LinearRun {
    /// `noise` multiplies every scale: 1 is the solver as shipped.
    fn new(lipschitz: &[f64], steps: usize, noise: f64) -> Result<Self, Box<dyn Error>> {
        let pair = LinearPair {
            records: RECORDS,
            lipschitz: lipschitz.to_vec(),
            smoothness: vec![1.0; COORDINATES],
            // Far from zero in units of the noise, so that the modulus in the score does not matter.
            scores: lipschitz.iter().map(|l| 0.19f64.min(0.9 * l)).collect(),
            rises: (0..COORDINATES).map(|k| k > 0).collect(),
        }
        .build()?;
        let access = PerAccess {
            epsilon: CLAIMED / (2.0 * steps as f64),
            selection: SelectionScale::NoisyMax,
        };
        let sensitivities = gcd::sensitivities(&pair.first, None)?;
        let sound = access.scales(&sensitivities, pair.first.constants().smoothness())?;
        let changed = |scales: &[f64]| scales.iter().map(|b| noise * b).collect();
        let scales = LaplaceScales::new(changed(sound.selection()), changed(sound.release()))?;
        let config = Config::new(&pair.first, steps, scales);
        let zero = vec![0.0; COORDINATES];
        let gradients = [pair.first.gradient(&zero), pair.second.gradient(&zero)];
        let selection_loss = selection_loss(&gradients, config.noise.selection())?;
        Ok(Self {
            pair,
            config,
            selection_loss,
            gradients,
        })
    }
}

/// From the exact law of the selection, in the middle of its enclosure: a statistic needs no bound.
fn selection_loss(gradients: &[Vec<f64>; 2], scales: &[f64]) -> Result<Vec<f64>, Box<dyn Error>> {
    let exact = |values: &[f64]| -> Vec<Rational> {
        values
            .iter()
            .filter_map(|x| Rational::from_f64(*x))
            .collect()
    };
    let [first, second] = [exact(&gradients[0]), exact(&gradients[1])];
    let shifts: Vec<Rational> = second
        .iter()
        .zip(&first)
        .map(|(h, g)| Rational::from(h - g))
        .collect();
    let pair = laplace_pair(&first, &shifts, &exact(scales), true)?;
    let middle = |i: &dp_assay_spec::arith::Interval| 0.5 * (i.lo_f64() + i.hi_f64());
    Ok(pair
        .p()
        .iter()
        .zip(pair.q())
        .map(|(p, q)| (middle(p) / middle(q)).ln())
        .collect())
}

impl Mechanism for LinearRun {
    type Input = Side;

    fn name(&self) -> String {
        format!("DP-GCD on the linear pair, T = {}", self.config.iterations)
    }

    fn draw(&self, input: &Side, tape: Tape) -> Result<Output, DrawError> {
        let run = run(&self.name(), input.of(&self.pair), &self.config, tape)?;
        let [g, h] = &self.gradients;
        let loss = run.transcript.iter().map(|step| {
            let (j, v) = (step.coordinate, step.value);
            let release = ((v - h[j]).abs() - (v - g[j]).abs()) / self.config.noise.release()[j];
            self.selection_loss[j] + release
        });
        Ok(Output::Real(loss.sum()))
    }
}

/// Two steps on a squared loss with one coordinate: the curvature is 1 on one input and ½ on the
/// other, and shows wherever the two steps share their noise.
struct TwoSteps {
    pair: Pair,
    config: Config,
    reuse: bool,
}

impl TwoSteps {
    fn new(reuse: bool) -> Result<Self, Box<dyn Error>> {
        let data = Dataset::new(
            "two records",
            Dense::from_rows(&[[1.0], [1.0]])?,
            vec![0.0; 2],
        )?;
        let problem = Problem::new(data, Squared, Regulariser::None)?;
        let pair = Pair::replacing(&problem, 1, &[0.0], 0.0)?;
        let clipping = vec![1.0];
        let access = PerAccess {
            epsilon: CLAIMED / 4.0,
            selection: SelectionScale::NoisyMax,
        };
        let sensitivities = gcd::sensitivities(&problem, Some(&clipping))?;
        let scales = access.scales(&sensitivities, problem.constants().smoothness())?;
        let config = Config::new(&problem, if reuse { 1 } else { 2 }, scales);
        let config = Config {
            steps: vec![0.01],
            clipping: Some(clipping),
            ..config
        };
        Ok(Self {
            pair,
            config,
            reuse,
        })
    }
}

impl Mechanism for TwoSteps {
    type Input = Side;

    fn name(&self) -> String {
        "DP-GCD on two records".into()
    }

    fn draw(&self, input: &Side, tape: Tape) -> Result<Output, DrawError> {
        let problem = input.of(&self.pair);
        let first = run(&self.name(), problem, &self.config, tape)?;
        let values: Vec<f64> = if self.reuse {
            // The bug: the second step reads the tape where the first one did.
            let config = Config {
                start: first.iterate.clone(),
                ..self.config.clone()
            };
            let second = run(&self.name(), problem, &config, tape)?;
            [first, second]
                .iter()
                .map(|r| r.transcript[0].value)
                .collect()
        } else {
            first.transcript.iter().map(|step| step.value).collect()
        };
        Ok(Output::Real((values[0] - values[1]) / values[0]))
    }
}

fn run(name: &str, problem: &Problem, config: &Config, tape: Tape) -> Result<gcd::Run, DrawError> {
    gcd::optimized::run(problem, config, tape)
        .map_err(|error| DrawError::new(name.into(), tape.number(), error.to_string()))
}

/// The audits as terminal text.
pub fn text(title: &str, audits: &[Squeeze]) -> String {
    let mut out = format!("\n{title} (worst-case pair, replace-one, transcript)\n");
    for a in audits {
        let seen = a.caught();
        let seen = seen.map_or_else(String::new, |seen| format!("; would have caught {seen}"));
        out += &format!(
            "  {}: {}\n    {} ≤ ε, claimed {}{seen}\n",
            a.mechanism,
            a.verdict,
            at_least(a.lower, 3),
            a.claimed
        );
    }
    out
}
