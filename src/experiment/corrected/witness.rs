//! The witnesses: problems on which the hypotheses hold, with the theorem's run.

use super::{Promise, Series};
use crate::accounting::{Accountant, Event, account};
use crate::mechanism::tape::{Purpose, Tape};
use crate::problem::loss::Logistic;
use crate::problem::optimum::{Optimum, optimum};
use crate::problem::rows::{Matrix, norm};
use crate::problem::{Constants, Dataset, Dense, Problem, Regulariser};
use crate::solver::{ambssgd, gcd, skgd};
use crate::units::{Delta, Epsilon, Neighbouring};
use dp_assay_spec::ambssgd::bites as regression;
use dp_assay_spec::gcd::witness::Witness;
use dp_assay_spec::skgd::corrected::{Convex, Strong, bites};

pub(super) type Error = Box<dyn std::error::Error + Send + Sync>;

/// The risk of a run with this noise.
pub(super) type Walk = Box<dyn Fn(Tape) -> Result<f64, Error> + Send + Sync>;

/// One size of a witness.
pub(super) struct Point {
    pub(super) delta: f64,
    /// ε that an accountant certifies for the noise.
    pub(super) epsilon_upper: f64,
    /// The corrected bound.
    pub(super) bound: f64,
    /// The printed bound, where it has constants.
    pub(super) printed: Option<f64>,
    /// What the start is sure to have.
    pub(super) trivial: f64,
    pub(super) setting: String,
    /// The risk of a run.
    pub(super) run: Walk,
}

/// Descent by coordinates.
pub(super) const SERIES: [Series; 5] = [
    Series {
        claim: "skgd-thm-4.2-cvx-corrected",
        recipe: "logistic loss of 400 records of norm 1 in 5 dimensions, repeated, full gradients",
        promise: Promise::Mean,
        first: || bites(|n| CONVEX.at(n)).0 as f64,
        at: |n, loud| blocks(&CONVEX.at(n as u64), 0.0, (n, loud)),
        sizes: ALL,
    },
    Series {
        claim: "skgd-thm-4.2-sc-corrected",
        recipe: "the same with the ridge 0.05",
        promise: Promise::Mean,
        first: || bites(|n| STRONG.at(n)).0 as f64,
        at: |n, loud| blocks(&STRONG.at(n as u64), STRONG.ridge, (n, loud)),
        sizes: ALL,
    },
    Series {
        claim: "gcd-thm-4.4-cvx-corrected",
        recipe: "logistic loss of 60 records of norm 1 in 3 dimensions, repeated, with the ridge 1",
        promise: Promise::Failure(GREEDY.zeta),
        first: || greedy_bites(|n| GREEDY.convex(n)),
        at: |n, loud| greedy(GREEDY.convex(n), GREEDY.printed_convex(n), (n, loud)),
        sizes: ALL,
    },
    Series {
        claim: "gcd-thm-4.4-sc-corrected",
        recipe: "the same",
        promise: Promise::Failure(GREEDY.zeta),
        first: || greedy_bites(|n| GREEDY.strongly(n, GREEDY.features)),
        at: |n, loud| {
            let plan = GREEDY.strongly(n, GREEDY.features);
            greedy(plan, GREEDY.printed_strongly(n), (n, loud))
        },
        sizes: ALL,
    },
    Series {
        claim: "gcd-thm-4.7-corrected",
        recipe: "logistic loss of 60 records, each 1 in one of 10 coordinates and 0 in the others, \
                 repeated, with the ridge 1; 6 of 7 labels agree with the first coordinate, one of \
                 two with every other, so that the minimiser has one non-zero (τ = 1, α = 0); T is \
                 that for K = 3, the bound that for k = 10, and the risk is times that over the \
                 run's own bound, for the number k of non-zeros of its result",
        promise: Promise::Failure(SPARSE.zeta),
        first: || fewest(|n| sparse(n).1 < SPARSE.gap()),
        at: sparsely,
        sizes: ALL,
    },
];

/// One pass of regression.
pub(super) const ONE_PASS: Series = Series {
    claim: "ambssgd-thm-3.7-corrected-normal-run",
    recipe: "excess of the squared loss on fresh records: x normal in 2 dimensions, w* and the \
             noise of norm 1; R/β at β = 1/20",
    promise: Promise::Failure(2.0 * DRAWN),
    first: || regression::normal_bites_at(2).records as f64,
    at: one_pass,
    sizes: [2, 5],
};

/// How many sizes a run takes of a witness whose runs cost the same at each.
pub(super) const ALL: [usize; 2] = [5, 5];

pub(super) const CONVEX: Convex = Convex {
    features: 5,
    radius: 4.0,
};
pub(super) const STRONG: Strong = Strong {
    features: 5,
    ridge: 0.05,
};
pub(super) const GREEDY: Witness = Witness {
    features: 3.0,
    ridge: 1.0,
    zeta: 0.05,
};
const SPARSE: Witness = Witness {
    features: 10.0,
    ..GREEDY
};
/// K of Theorem 4.7.
const KEPT: f64 = 3.0;

/// ε = 1, δ = n⁻².
pub(super) fn budget(n: f64) -> Result<(Epsilon, Delta), Error> {
    Ok((Epsilon::new(1.0)?, Delta::new(1.0 / (n * n))?))
}

/// ε of an event under replacement of a record.
pub(super) fn certified(event: &Event, delta: Delta) -> Result<f64, Error> {
    let report = account(
        event,
        delta,
        Accountant::Auto,
        Neighbouring::ReplaceOne,
        false,
    )?;
    Ok(report.epsilon_upper)
}

/// Records of norm 1 whose labels follow the logistic law of a parameter of norm 3.
pub(super) fn records(count: usize, features: usize) -> (Vec<Vec<f64>>, Vec<f64>) {
    let mut stream = Tape::new(23).stream(0, Purpose::Data, 0);
    let mut row = || {
        let x: Vec<f64> = (0..features).map(|_| stream.uniform().gaussian()).collect();
        let length = norm(&x);
        let x: Vec<f64> = x.iter().map(|x| x / length).collect();
        let likely = 1.0 / (1.0 + (-3.0 * x[0]).exp());
        let label = if stream.uniform().fraction() < likely {
            1.0
        } else {
            -1.0
        };
        (x, label)
    };
    (0..count).map(|_| row()).unzip()
}

/// Logistic loss with a ridge, and its minimum.
pub(super) fn logistic(count: usize, features: usize, ridge: f64) -> Result<(Problem, f64), Error> {
    let (problem, least) = minimised(records(count, features), features, ridge)?;
    let norm = norm(&least.w);
    match norm <= CONVEX.radius {
        true => Ok((problem, least.objective)),
        false => Err(format!("a minimiser of norm {norm}, above {}", CONVEX.radius).into()),
    }
}

/// The same of given records.
fn minimised(
    (rows, labels): (Vec<Vec<f64>>, Vec<f64>),
    features: usize,
    ridge: f64,
) -> Result<(Problem, Optimum), Error> {
    let data = Dataset::new("witness", Dense::from_rows(&rows)?, labels)?;
    let problem = Problem::new(data, Logistic, Regulariser::None)?.with_ridge(ridge)?;
    let constants = Constants::new(vec![1.0; features], vec![0.25 + ridge; features])?;
    let problem = problem.with_constants(constants)?;
    let least = optimum(&problem, 1e-12, 1000);
    Ok((problem, least))
}

fn blocks(
    found: &dp_assay_spec::skgd::corrected::Bound,
    ridge: f64,
    (n, loud): (f64, f64),
) -> Result<Point, Error> {
    const DISTINCT: usize = 400;
    let (problem, least) = logistic(DISTINCT, 5, ridge)?;
    let (_, delta) = budget(n)?;
    let multiplier = found.deviation * n / 2.0;
    let config = descending(&problem, found, ridge, loud * found.deviation)?;
    let steps = config.length() as u64;
    Ok(Point {
        delta: delta.get(),
        epsilon_upper: certified(&skgd::event(steps, multiplier), delta)?,
        bound: found.corrected,
        printed: Some(found.printed),
        trivial: found.trivial,
        setting: format!("K = {}, T = {}", config.inner, config.outer),
        run: Box::new(move |tape| {
            let run = skgd::optimized::run(&problem, &config, tape)?;
            Ok(problem.objective(&run.iterate) - least)
        }),
    })
}

/// The theorem's run with this noise.
pub(super) fn descending(
    problem: &Problem,
    found: &dp_assay_spec::skgd::corrected::Bound,
    ridge: f64,
    deviation: f64,
) -> Result<skgd::Config, Error> {
    let (lengths, features) = (
        (found.inner as usize, found.outer as usize),
        problem.features(),
    );
    let (sampling, noise) = (
        skgd::Sampling::full(features)?,
        skgd::SetValues::Same(deviation),
    );
    let mut config = skgd::Config::new(problem, lengths, sampling, noise);
    config.keep_transcript = false;
    // Γ = PM⁻¹ with ∇²f ≤ M, for records of norm 1.
    config.steps = vec![1.0 / (0.25 + ridge); features];
    Ok(config)
}

/// The least n from which on a bound says something.
pub(super) fn fewest(bites: impl Fn(f64) -> bool) -> f64 {
    crate::solver::fewest(bites).unwrap_or(f64::INFINITY)
}

fn greedy_bites(plan: impl Fn(f64) -> (f64, f64)) -> f64 {
    fewest(|n| plan(n).1 < GREEDY.gap())
}

fn greedy(plan: (f64, f64), printed: f64, at: (f64, f64)) -> Result<Point, Error> {
    let (problem, least) = logistic(60, GREEDY.features as usize, GREEDY.ridge)?;
    let risk = move |objective: f64, _: &[f64]| objective - least;
    selected(problem, (plan, at), (printed, GREEDY.gap()), risk)
}

/// A run of the corrected algorithm with (T, bound) at (n, a factor on the noise), beside what is (printed, trivial); its risk is made
/// of its objective and its result.
fn selected(
    problem: Problem,
    ((rounds, bound), (n, loud)): ((f64, f64), (f64, f64)),
    (printed, trivial): (f64, f64),
    risk: impl Fn(f64, &[f64]) -> f64 + Send + Sync + 'static,
) -> Result<Point, Error> {
    let (noise, epsilon_upper) = selecting(&problem, rounds as usize, n)?;
    let config = gcd::Config::new(&problem, rounds as usize, louder(&noise, loud)?);
    Ok(Point {
        delta: budget(n)?.1.get(),
        epsilon_upper,
        bound,
        printed: Some(printed),
        trivial,
        setting: format!("T = {rounds}"),
        run: Box::new(move |tape| {
            let end = gcd::optimized::run(&problem, &config, tape)?.iterate;
            Ok(risk(problem.objective(&end), &end))
        }),
    })
}

/// The noise of the corrected theorems for n records, and the ε that is certified for it.
fn selecting(problem: &Problem, rounds: usize, n: f64) -> Result<(gcd::LaplaceScales, f64), Error> {
    let (epsilon, delta) = budget(n)?;
    let moved = vec![2.0 / n; problem.features()];
    let smoothness = problem.constants().smoothness();
    let noise = gcd::Calibration::Corrected.scales(epsilon, delta, rounds, &moved, smoothness)?;
    // Every access is as private as a release, by the corrected selection.
    let access = (moved[0] / noise.release()[0]).next_up();
    let event = Event::Repeated {
        times: 2 * rounds as u64,
        event: Box::new(Event::Pure { epsilon: access }),
    };
    let spent = certified(&event, delta)?;
    Ok((noise, spent))
}

fn louder(noise: &gcd::LaplaceScales, loud: f64) -> Result<gcd::LaplaceScales, Error> {
    let louder = |scales: &[f64]| scales.iter().map(|b| loud * b).collect();
    Ok(gcd::LaplaceScales::new(
        louder(noise.selection()),
        louder(noise.release()),
    )?)
}

/// T of Theorem 4.7 for n records, and its bound whatever the run meets.
pub(super) fn sparse(n: f64) -> (f64, f64) {
    let rounds = SPARSE.strongly(n, KEPT).0;
    (rounds, SPARSE.sparse(n, rounds, SPARSE.features))
}

/// Records along the coordinates: 36 and 6 along the first, one of each label along the others.
fn along() -> (Vec<Vec<f64>>, Vec<f64>) {
    let features = SPARSE.features as usize;
    let each = |k: usize| match k {
        0 => [(1.0, 36), (-1.0, 6)],
        _ => [(1.0, 1), (-1.0, 1)],
    };
    let unit = |k: usize| (0..features).map(|j| f64::from(u8::from(j == k))).collect();
    (0..features)
        .flat_map(|k| each(k).map(|(label, times)| (k, label, times)))
        .flat_map(|(k, label, times)| vec![(unit(k), label); times])
        .unzip()
}

fn sparsely(n: f64, loud: f64) -> Result<Point, Error> {
    let (rounds, bound) = sparse(n);
    let (problem, least) = minimised(along(), SPARSE.features as usize, SPARSE.ridge)?;
    let risk = move |objective: f64, end: &[f64]| {
        //= gcd-thm-4.7-corrected
        let others = end.iter().skip(1).filter(|w| **w != 0.0).count();
        let own = SPARSE.sparse(n, rounds, 1.0 + others as f64);
        (objective - least.objective) * bound / own
    };
    let printed = SPARSE.printed_sparse(n, SPARSE.features);
    let beside = (printed, SPARSE.gap());
    selected(problem, ((rounds, bound), (n, loud)), beside, risk)
}

/// β of Markov's inequality; with what may fail besides, the bound fails with probability at most twice that.
const DRAWN: f64 = 0.05;

fn one_pass(n: f64, loud: f64) -> Result<Point, Error> {
    const TARGET: [f64; 2] = [0.6, 0.8];
    let found = regression::normal_run(2, n as u64).ok_or("a bound that says nothing")?;
    let config = ambssgd::Adaptive {
        step: found.step,
        multiplier: loud * found.multiplier,
        batch: found.batch as usize,
        statistics: found.statistics as usize,
        factor: found.factor,
        search: ambssgd::Search::halvings(found.domain, found.levels as usize)?,
        ranges: ambssgd::Ranges::Disjoint,
        stop: ambssgd::Stop::Margin {
            failure: found.draw,
        },
    };
    let used = (found.blocks * (found.batch + found.statistics)) as usize;
    let (_, delta) = budget(n)?;
    let event = ambssgd::calibration::event(found.multiplier, ambssgd::Ranges::Disjoint);
    Ok(Point {
        delta: delta.get(),
        epsilon_upper: certified(&event, delta)?,
        bound: found.bound / DRAWN,
        printed: None,
        trivial: 0.5,
        setting: format!(
            "{} blocks of {} + {}",
            found.blocks, found.batch, found.statistics
        ),
        run: Box::new(move |tape| {
            let mut stream = tape.stream(0, Purpose::Data, 1);
            let mut normal = || stream.uniform().gaussian();
            let (mut values, mut targets) =
                (Vec::with_capacity(2 * used), Vec::with_capacity(used));
            for _ in 0..used {
                let x = [normal(), normal()];
                targets.push(x[0] * TARGET[0] + x[1] * TARGET[1] + normal());
                values.extend(x);
            }
            let data = Matrix::new(2, values, targets)?;
            let run = ambssgd::optimized::ambssgd(
                &mut data.source(None),
                used,
                &config,
                tape,
                &mut |_| (),
            )?;
            let away = run
                .average
                .iter()
                .zip(TARGET)
                .map(|(w, t)| (w - t) * (w - t));
            Ok(0.5 * away.sum::<f64>())
        }),
    })
}
