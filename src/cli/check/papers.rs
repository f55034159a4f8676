//! The solvers of the four papers beside DP-GCD's: reference against optimized on the data, and audits of what
//! `dp-assay audit` knows by name, as shipped and with a quarter of the noise.

use super::audits::Job;
use dp_assay::accounting::decor::Noise;
use dp_assay::audit::builtin::{Parameters, claims, find};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, LossName};
use dp_assay::problem::risk::{Margins, Risk};
use dp_assay::problem::rows::Matrix;
use dp_assay::problem::{Graph, MixingMatrix, Problem, Weights};
use dp_assay::report::{Comparison, Squeeze};
use dp_assay::solver::kl::bound::{Kept, RiskConstants};
use dp_assay::solver::{ambssgd, decor, kl, skgd};
use dp_assay::units::{Neighbouring, Rho};
use std::error::Error;

type Compared = Result<Comparison, Box<dyn Error>>;

/// Steps of a comparison.
const STEPS: usize = 100;
/// Error probability of each audit; together with those of DP-GCD they stay below one in 300,000.
const ALPHA: f64 = 1e-7;
/// A factor on all noise that every audit must notice at the size of a quick check.
const BROKEN: f64 = 0.25;
/// What is audited: its name in the report, and as `dp-assay audit` knows it.
const AUDITED: [(&str, &str); 6] = [
    ("DP-SkGD", "skgd-optimized"),
    ("DECOR", "decor-optimized"),
    ("KL Spider", "kl-spider-optimized"),
    ("adaptive noisy gradient descent", "adaptive-gd-optimized"),
    ("regularised noisy gradient descent", "noisy-gd-optimized"),
    ("DP-AMBSSGD", "ambssgd-optimized"),
];

/// Both solvers of each paper on the records of the problem, with the same noise.
pub fn compare(problem: &Problem, seed: u64) -> Result<Vec<Comparison>, Box<dyn Error>> {
    let tape = Tape::new(seed);
    Ok(vec![
        skgd_pair(problem, tape)?,
        decor_pair(problem, seed)?,
        kl_pair(problem, tape)?,
        ambssgd_pair(problem, tape)?,
    ])
}

fn skgd_pair(problem: &Problem, tape: Tape) -> Compared {
    let sampling = skgd::Sampling::nice(problem.features(), problem.features().div_ceil(4))?;
    let noise = skgd::SetValues::Same(0.01);
    let config = skgd::Config::new(problem, (STEPS, 1), sampling, noise);
    let slow = skgd::reference::run(problem, &config, tape)?;
    let fast = skgd::optimized::run(problem, &config, tape)?;
    let apart: Vec<f64> = difference(&slow.iterate, &fast.iterate);
    let worst = (0..apart.len()).max_by(|&i, &j| apart[i].abs().total_cmp(&apart[j].abs()));
    let mut functional = vec![0.0; apart.len()];
    functional[worst.unwrap_or(0)] = 1.0;
    let sets = slow.transcript.steps().zip(fast.transcript.steps());
    Ok(Comparison {
        problem: "DP-SkGD, logistic, ridge".to_owned(),
        steps: STEPS,
        same_choices: { sets }.all(|(a, b)| a.set == b.set),
        difference: largest(&apart),
        bound: skgd::bound::drift_upper(problem, &config, (&slow, &fast), &functional),
    })
}

/// Every number of the two is the same, bit for bit.
fn decor_pair(problem: &Problem, seed: u64) -> Compared {
    let graph = Graph::ring(8)?;
    let losses = decor::Split::new(problem.data().clone(), LossName::Logistic, 0.01, graph.n())?;
    let config = decor::Config {
        mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings)?,
        noise: Noise::new(0.1, 1.0, 1.0)?,
        steps: STEPS,
        step_sizes: decor::StepSizes::Constant(0.1),
        sampling: decor::Sampling::AllExamples,
        keep_transcript: false,
        graph,
    };
    let secrets = decor::Secrets::from_seed(&config.graph, seed);
    let start = vec![0.0; problem.features()];
    let slow = decor::reference::run(&config, &losses, &secrets, &start)?;
    let fast = decor::optimized::run(&config, &losses, &secrets, &start)?;
    Ok(Comparison {
        problem: "DECOR, ring of 8, logistic".to_owned(),
        steps: STEPS,
        same_choices: true,
        difference: largest(&difference(slow.models.as_slice(), fast.models.as_slice())),
        bound: 0.0,
    })
}

fn kl_pair(problem: &Problem, tape: Tape) -> Compared {
    let records = Matrix::of(problem.data());
    let reach = records.norms().iter().copied().fold(0.0, f64::max);
    let risk = Margins::new(records, Logistic);
    // |ℓ′| ≤ 1 and ℓ″ ≤ ¼ in the margin.
    let (lipschitz, smoothness) = (reach, 0.25 * reach * reach);
    let constants = RiskConstants {
        records: problem.records(),
        dimension: risk.dimension(),
        lipschitz,
        smoothness,
    };
    let budget = kl::Budget {
        rho: Rho::new(0.5)?,
        neighbours: Neighbouring::ReplaceOne,
        variant: kl::Variant::Repaired,
    };
    let inputs = kl::Regularised {
        beta: 0.1,
        lipschitz,
        weak_convexity: smoothness,
        length: Some(STEPS as u64),
    };
    let rule = inputs.rule(budget.rho.get(), constants.records, constants.dimension)?;
    let start = vec![0.0; constants.dimension];
    let (mut slow, mut fast) = (Vec::new(), Vec::new());
    let keep = |kept: &mut Vec<Kept>, release: kl::Observation<'_>| kept.push(Kept::from(release));
    let a = kl::reference::regularised(&risk, &start, &inputs, &budget, tape, &mut |r| {
        keep(&mut slow, r)
    })?;
    let b = kl::optimized::regularised(&risk, &start, &inputs, &budget, tape, &mut |r| {
        keep(&mut fast, r)
    })?;
    let found = kl::bound::regularised(constants, &inputs, (&rule, 1), &start, [&slow, &fast])?;
    let apart = difference(&a.point, &b.point);
    Ok(Comparison {
        problem: "noisy gradient descent, logistic".to_owned(),
        steps: STEPS,
        same_choices: !found.tie,
        difference: apart.iter().map(|x| x * x).sum::<f64>().sqrt(),
        bound: found.point,
    })
}

fn ambssgd_pair(problem: &Problem, tape: Tape) -> Compared {
    let records = Matrix::of(problem.data());
    let reach = records.norms().iter().copied().fold(0.0, f64::max);
    let config = ambssgd::Shuffled {
        step: 0.5 / (reach * reach),
        threshold: reach,
        multiplier: 1.0,
    };
    // The algorithm wants an even number of records.
    let order = ambssgd::permutation(tape, records.records() / 2 * 2);
    let slow = ambssgd::bound::ssgd(&records, &order, &config, tape)?;
    let mut source = records.source(Some(&order));
    let fast = ambssgd::optimized::ssgd(&mut source, order.len(), &config, tape, &mut |_| ())?;
    let apart = difference(&slow.run.average, &fast.average);
    Ok(Comparison {
        problem: "DP-SSGD, squared".to_owned(),
        steps: order.len(),
        same_choices: slow.drift.is_finite(),
        difference: apart.iter().map(|x| x * x).sum::<f64>().sqrt(),
        bound: slow.drift,
    })
}

fn difference(a: &[f64], b: &[f64]) -> Vec<f64> {
    a.iter().zip(b).map(|(a, b)| a - b).collect()
}

fn largest(apart: &[f64]) -> f64 {
    apart.iter().fold(0.0, |most, x| most.max(x.abs()))
}

/// Audits of the optimized solvers as shipped, then of copies with a quarter of the noise.
pub fn audits(pairs: u64, seed: u64) -> [Vec<Job>; 2] {
    let job = |audited, noise| -> Job {
        Box::new(move || squeeze(audited, noise, (pairs, seed)).map_err(|error| error.to_string()))
    };
    [1.0, BROKEN].map(|noise| AUDITED.map(|audited| job(audited, noise)).into())
}

fn squeeze(
    (name, builtin): (&str, &str),
    noise: f64,
    (pairs, seed): (u64, u64),
) -> Result<Squeeze, Box<dyn Error>> {
    let sound = find(builtin, &Parameters::new())?;
    let given = Parameters::from([("noise".to_owned(), noise)]);
    let report = find(builtin, &given)?
        .audit_claim(sound.claimed, sound.delta)
        .trials(pairs.max(sound.trials))
        .alpha(ALPHA)
        .seed(seed)
        .run()?;
    let upper = (noise >= 1.0).then_some(sound.epsilon_upper);
    let name = match upper {
        Some(_) => name.to_owned(),
        None => format!("{name}: a quarter of the noise"),
    };
    let upper = upper
        .filter(|e| e.is_finite())
        .zip(claims(builtin).first().copied());
    Ok(Squeeze::new(&name, &report, upper))
}
