//! DECOR and its baselines on a data set whose records are dealt out among the users in turn.
//!
//! A step takes every user's gradient over all its records, clipped as a whole at `clip`, so that all data of
//! one user are protected. There are `passes` steps, of size `step`/Tr(M).

use super::outcome::{Outcome, Users, Utility, account, refused, told, unsupported};
use super::{CalibrationName, Decentralised, FitError, NoiseName, Privacy, Progress, Request};
use crate::accounting::Event;
use crate::accounting::decor::search::SlopeBudget;
use crate::accounting::decor::{
    Adversary, Basis, DecorError, Noise, Slope, optimized as accountant,
};
use crate::float::Enclosure;
use crate::graph::spectrum::{DENSE_MAX, connectivity_after_deletions};
use crate::problem::{Graph, MixingMatrix, Problem};
use crate::solver::decor::theorem::{CLAIM, Known, Network};
use crate::solver::decor::{
    Config, Run, RunError, Sampling, Secrets, Split, StepSizes, network, optimized,
};
use crate::solver::fewest;
use crate::units::{Neighbouring, OutOfDomain};
use std::f64::consts::LN_2;
use std::process::Command;
use std::time::Duration;

/// How much larger than its infimum σ_cdp² may be.
const EXCESS: f64 = 0.1;

/// Runs the request.
pub(super) fn run(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<(Outcome, Users), FitError> {
    let asked = check(problem, request)?;
    let graph: Graph = asked.graph.parse().map_err(DecorError::from)?;
    let steps = request.passes.ceil() as usize;
    let mixing = mixing(&graph, asked)?;
    if asked.noise == NoiseName::Cdp && !averages(&mixing) {
        let choice = "cdp noise where users keep models of their own (unlike --graph complete:N \
                      with the default weights): what a user sends reaches the gradients of \
                      others, and by them the average again";
        return Err(unsupported(request, choice.into()));
    }
    let (noise, slope) = noise(&graph, asked, request, steps)?;
    let config = Config {
        mixing,
        graph,
        noise,
        steps,
        step_sizes: StepSizes::Constant(
            request.step / problem.constants().smoothness().iter().sum::<f64>(),
        ),
        sampling: Sampling::AllExamples,
        keep_transcript: false,
    };
    finished(problem, request, (asked, &config), slope, progress)
}

/// W.
fn mixing(graph: &Graph, asked: &Decentralised) -> Result<MixingMatrix, FitError> {
    let mixing = MixingMatrix::of(graph, asked.weights);
    Ok(mixing.map_err(|e| RunError::Config(e.into()))?)
}

/// Whether every user's model is the average of all messages, but for rounding.
fn averages(mixing: &MixingMatrix) -> bool {
    let w = mixing.matrix();
    let n = w.nrows() as f64;
    w.iter().all(|w| (n * w - 1.0).abs() < 1e-9)
}

/// Runs a configuration to its end.
fn finished(
    problem: &Problem,
    request: &Request,
    (asked, config): (&Decentralised, &Config),
    slope: Slope,
    progress: Progress<'_>,
) -> Result<(Outcome, Users), FitError> {
    let (data, n) = (problem.data().clone(), config.graph.n());
    let split = Split::new(data, request.loss, request.ridge, n)?;
    let split = match request.calibration {
        CalibrationName::Printed => split.printed(),
        _ => split,
    };
    let (noise, steps) = (config.noise, config.steps);
    let run = start(config, &split, asked, request, progress)?;
    let own = asked.noise != NoiseName::Cdp;
    let models = run.models.column_iter().filter(|_| own);
    let outcome = Outcome {
        coefficients: run.models.column_mean().iter().copied().collect(),
        privacy: privacy_of(&slope, &noise, asked.noise, request, steps)?,
        lengths: (steps, 1),
    };
    let users = Users {
        count: n,
        edges: config.graph.edge_count(),
        fewest_records: split.records(n - 1).len(),
        sigma_cdp: noise.cdp(),
        sigma_cor: noise.cor(),
        slope,
        models: models
            .map(|model| model.iter().copied().collect())
            .collect(),
    };
    Ok((outcome, users))
}

/// T beyond which no run is planned.
const MOST_STEPS: usize = 1 << 24;

/// Runs the request by the corrected Corollary 12.
pub(super) fn by_theorem(
    problem: &Problem,
    request: &Request,
    progress: Progress<'_>,
) -> Result<(Outcome, Option<Users>, Utility), FitError> {
    let asked = check(problem, request)?;
    let refuse = |reason: &str| Err(refused(request, reason.into()));
    if asked.noise != NoiseName::Decor || asked.sigma_cor.is_some() {
        return refuse("it fixes both noises: leave out --noise and --sigma-cor");
    }
    if request.epsilon.get() > -request.delta.get().ln() {
        return refuse("it asks for epsilon of at most log(1/delta)");
    }
    let graph: Graph = asked.graph.parse().map_err(DecorError::from)?;
    let adversary: Adversary = asked.adversary.parse()?;
    let colluders = adversary.colluders(graph.n())?;
    if colluders + 2 > graph.n() {
        return refuse("it asks for two users more than there are colluders");
    }
    let connectivity = connectivity_after_deletions(&graph, colluders).map_err(DecorError::from)?;
    if connectivity.lo <= 0.0 {
        return refuse(
            "it asks for a graph that is connected without any colluders that may leave",
        );
    }
    let mixing = mixing(&graph, asked)?;
    let network = Network::of(&graph, &mixing, colluders, connectivity.lo);
    if network.rate <= 0.0 {
        return refuse("it asks for weights that bring the models together");
    }
    // Of every record, whatever the data.
    let norm = (problem.features() as f64).sqrt() * request.bound;
    let clip = problem.loss().slope() * norm;
    let known = Known {
        network,
        dimension: problem.features() as f64,
        clip,
        sampling: 0.0,
        smoothness: problem.loss().curvature() * norm * norm + request.ridge,
        curvature: request.ridge,
        // ‖∇L(0)‖ is at most half a record, and L is strongly convex.
        gap: LN_2.min(norm * norm / (8.0 * request.ridge)),
        budget: (request.epsilon, request.delta),
    };
    let Some(plan) = known.best(MOST_STEPS) else {
        return refuse(&format!(
            "on this graph the bound of {CLAIM} is not below the {} that w = 0 has for any power \
             of 2 up to {MOST_STEPS} as the number of steps, where it is {:.3e}: {}",
            known.gap,
            known.bound(MOST_STEPS),
            enough(&known, colluders, problem.records())
        ));
    };
    let noise = known.noise(plan.steps)?;
    let slope = accountant::slope(&graph, &noise, adversary)?;
    let config = Config {
        mixing,
        graph,
        noise,
        steps: plan.steps,
        step_sizes: known.step_sizes(),
        sampling: Sampling::AllExamples,
        keep_transcript: false,
    };
    let (outcome, users) = finished(problem, request, (asked, &config), slope, progress)?;
    let utility = Utility {
        claim: plan.claim,
        bound: plan.bound,
        trivial: known.gap,
        bites_at: None,
        failure: None,
        statement: "the expectation over the noise of L(w) - min L is at most this, w the average \
                    model and L the average over the users of the average logistic loss of each, \
                    plus the ridge, whatever the data"
            .into(),
    };
    Ok((outcome, Some(users), utility))
}

/// On how large a complete graph the bound says something, all else the same.
fn enough(known: &Known, colluders: usize, records: usize) -> String {
    let least = colluders as f64 + 2.0;
    let bites = |users: f64| {
        let network = Network::complete(users.max(least), colluders);
        Known { network, ..*known }.best(MOST_STEPS).is_some()
    };
    let Some(users) = fewest(bites) else {
        return "no number of users up to 10^18 who all talk to each other is enough".into();
    };
    let users = users.max(least);
    let all = format!(
        "of users who all talk to each other, with the default weights, {users} are the fewest for \
         which it is"
    );
    if users > DENSE_MAX as f64 {
        return format!("{all}, more than the {DENSE_MAX} that are run here");
    }
    if users > records as f64 {
        return format!("{all}, each with a record, of which there are {records}");
    }
    format!("{all} (--graph complete:{users})")
}

fn check<'a>(problem: &Problem, request: &'a Request) -> Result<&'a Decentralised, FitError> {
    let refuse = |choice: String| Err(unsupported(request, choice));
    if request.neighbours != Neighbouring::User {
        return refuse(format!("{} neighbours", request.neighbours));
    }
    if request.l1 != 0.0 {
        return refuse("an l1 term".into());
    }
    let defaults = [
        CalibrationName::Default,
        CalibrationName::Tight,
        CalibrationName::Corrected,
        CalibrationName::Printed,
    ];
    if !defaults.contains(&request.calibration) {
        return refuse(format!("the calibration {:?}", request.calibration));
    }
    let Some(asked) = &request.decentralised else {
        return refuse(format!("a missing graph for {} records", problem.records()));
    };
    if asked.sigma_cor.is_some() && asked.noise != NoiseName::Decor {
        return refuse("sigma-cor beside noise that is not correlated".into());
    }
    Ok(asked)
}

/// The noise, and the slope of what it protects.
fn noise(
    graph: &Graph,
    asked: &Decentralised,
    request: &Request,
    steps: usize,
) -> Result<(Noise, Slope), DecorError> {
    let adversary: Adversary = asked.adversary.parse()?;
    let (epsilon, delta) = (request.epsilon, request.delta);
    let budget = SlopeBudget::new(epsilon, delta, steps as u64, request.clip, adversary)?;
    let users = graph.n();
    let noise = match (asked.noise, asked.sigma_cor) {
        (NoiseName::Decor, Some(cor)) => budget.uncorrelated(graph, cor)?,
        (NoiseName::Decor, None) => budget.least_correlated(graph, EXCESS)?,
        (NoiseName::Cdp, _) => budget.central(users)?,
        (NoiseName::Ldp, _) => budget.local()?,
    };
    if asked.noise != NoiseName::Cdp {
        return Ok((noise, accountant::slope(graph, &noise, adversary)?));
    }
    // The average of n messages: own noise of variance σ_cdp²/n against a shift of 2C/n.
    //= decor-base-cdp
    let clip = Enclosure::point(noise.clip());
    let slope = 2.0 * clip.square() / (Enclosure::point(noise.cdp()).square() * users as f64);
    let slope = Slope {
        lower: slope.lo,
        upper: slope.hi,
        colluders: 0,
        basis: Basis::Exact,
    };
    Ok((noise, slope))
}

fn start(
    config: &Config,
    split: &Split,
    asked: &Decentralised,
    request: &Request,
    progress: Progress<'_>,
) -> Result<Run, FitError> {
    let secrets = Secrets::from_seed(&config.graph, request.seed);
    let start = vec![0.0; split.problem().features()];
    let Some(seconds) = asked.limit_seconds else {
        let watch = &mut told(config.steps, progress);
        return Ok(optimized::run_watched(
            config, split, &secrets, &start, watch,
        )?);
    };
    let limit = Duration::try_from_secs_f64(seconds).unwrap_or_default();
    let rule = "finite and > 0";
    OutOfDomain::unless(!limit.is_zero(), "time limit in seconds", seconds, rule)?;
    let command = |_| {
        let mut command = Command::new(&asked.program);
        command.arg("decor-user");
        command
    };
    Ok(network::run(
        &command, config, split, &secrets, &start, limit,
    )?)
}

fn privacy_of(
    slope: &Slope,
    noise: &Noise,
    name: NoiseName,
    request: &Request,
    steps: usize,
) -> Result<Privacy, FitError> {
    let (release, claim, law) = match name {
        NoiseName::Decor => (
            "transcript",
            "decor-thm-6-num",
            "gaussian: of each user's own, and shared by neighbours with opposite signs",
        ),
        NoiseName::Cdp => (
            "average of the messages, not the messages",
            "decor-base-cdp",
            "gaussian, of each user's own",
        ),
        NoiseName::Ldp => (
            "transcript",
            "decor-base-ldp",
            "gaussian, of each user's own",
        ),
    };
    // A step shifts the mean by √(2s) deviations.
    //= decor-drv-2
    let sensitivity = (Enclosure::point(slope.upper) * 2.0).sqrt().hi;
    let step = Event::Gaussian {
        sigma: 1.0,
        sensitivity,
    };
    let event = Event::Repeated {
        times: steps as u64,
        event: Box::new(step),
    };
    let scales = vec![noise.cdp(), noise.cor()];
    let privacy = account(request, event, claim, scales)?;
    Ok(Privacy {
        release,
        theorem: format!(
            "decor-drv-2: T steps are a Gaussian mechanism; {}",
            privacy.theorem
        ),
        noise: law,
        ..privacy
    })
}
