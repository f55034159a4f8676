//! Runs of both solvers of each paper, and the bounds that are derived of them.

use super::data::{dataset, hashed, matrix, problem};
use super::numbers::{inputs, spent};
use super::{Asked, fits, told};
use dp_assay::accounting::decor::Noise;
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::{Graph, MixingMatrix};
use dp_assay::solver::baseline::{adassp, dp_cd, dp_sgd, gradient_descent};
use dp_assay::solver::kl::bound::{Disagreement, Kept, RiskConstants};
use dp_assay::solver::{
    ambssgd as regression, decor as network, gcd as greedy, kl, skgd as blocks,
};

const SEED: u64 = 11;

fn tape() -> Tape {
    Tape::new(SEED)
}

/// A start that is not 0, where it is asked for.
fn start(asked: &Asked, p: usize) -> Vec<f64> {
    let far = asked.number_or("start", 0.0);
    (0..p as u64).map(|j| far * hashed(7, j)).collect()
}

pub fn gcd(asked: &Asked) -> String {
    let problem = problem(asked).expect("a problem");
    let p = problem.features();
    let scale = |first: f64| {
        let factors = (0..p as u64).map(|j| first * (1.0 + 0.25 * hashed(9, j)));
        factors.collect::<Vec<_>>()
    };
    let noise = asked.number("noise");
    let scales = greedy::LaplaceScales::new(scale(1.5 * noise), scale(noise)).expect("≥ 0");
    let mut config = greedy::Config::new(&problem, asked.count("steps"), scales);
    config.start = start(asked, p);
    config
        .steps
        .iter_mut()
        .for_each(|step| *step *= asked.number_or("step", 1.0));
    config.rule = match asked.word("rule") {
        "r" => greedy::Rule::GsR,
        "q" => greedy::Rule::GsQ(greedy::Orientation::LargestDecrease),
        "q-printed" => greedy::Rule::GsQ(greedy::Orientation::Printed),
        _ => greedy::Rule::GsS,
    };
    config.selection = match asked.word("selection") {
        "inside" => greedy::SelectionNoise::Inside,
        "absent" => greedy::SelectionNoise::Absent,
        "on-score" => greedy::SelectionNoise::OnScore,
        _ => config.selection,
    };
    config.clipping = asked.get("clip").map(|_| {
        let shares = problem
            .constants()
            .clipping_thresholds(asked.number("clip"));
        shares.expect("positive")
    });
    let uncovered = config.uncovered(&problem);
    let event = config.event(&problem).map_err(|e| e.to_string());
    let fast = greedy::optimized::run(&problem, &config, tape());
    let slow = greedy::reference::run(&problem, &config, tape());
    let mut said = vec![format!("{uncovered:?} {event:?} {}", told(fast))];
    if let Ok(slow) = slow {
        let drift = greedy::bound::drift_upper(&problem, &config, &slow);
        let mut bound = greedy::bound::RunBound::new(&problem, &config);
        slow.transcript
            .iter()
            .for_each(|release| bound.advance(*release));
        let of = |k| {
            (
                bound.gradient(k),
                bound.gradient_difference(k),
                bound.iterate(k),
            )
        };
        let of: Vec<_> = (0..p).map(of).collect();
        said.push(format!(
            "{:?} {:?} {drift:?} {of:?} {}",
            slow.iterate,
            slow.counters,
            bound.kinked()
        ));
    }
    said.join(" ")
}

pub fn skgd(asked: &Asked) -> String {
    let problem = problem(asked).expect("a problem");
    let p = problem.features();
    let (m, size) = (problem.constants().smoothness(), asked.count_or("size", 2));
    let sets = || {
        let all: Vec<usize> = (0..p).collect();
        all.chunks(size).map(<[usize]>::to_vec).collect::<Vec<_>>()
    };
    let sampling = match asked.word("sampling") {
        "full" => blocks::Sampling::full(p),
        "importance" => blocks::Sampling::importance_singleton(m),
        "blocks" => blocks::Sampling::partition(p, sets()),
        "importance-blocks" => blocks::Sampling::importance_partition(p, sets(), m),
        "nice" => blocks::Sampling::nice(p, size),
        _ => blocks::Sampling::uniform_singleton(p),
    };
    let sampling = sampling.expect("sets");
    let facts = (
        sampling.inclusion().to_vec(),
        sampling.largest(),
        sampling.mean_size(),
    );
    let noise = match asked.flag("root") {
        true => {
            blocks::SetValues::Root(m.iter().map(|m| asked.number("noise") * m.sqrt()).collect())
        }
        false => blocks::SetValues::Same(asked.number("noise")),
    };
    let lengths = (asked.count("inner"), asked.count("outer"));
    let mut config = blocks::Config::new(&problem, lengths, sampling, noise);
    config.start = start(asked, p);
    config
        .steps
        .iter_mut()
        .for_each(|step| *step *= asked.number_or("step", 1.0));
    if asked.flag("variance") {
        config.reading = blocks::Reading::Variance;
    }
    config.clipping = asked
        .get("clip")
        .map(|_| blocks::SetValues::Same(asked.number("clip")));
    let fast = blocks::optimized::run(&problem, &config, tape()).expect("finite");
    let slow = blocks::reference::run(&problem, &config, tape()).expect("finite");
    let functional: Vec<f64> = (0..p as u64).map(|j| hashed(5, j)).collect();
    let drift = blocks::bound::drift_upper(&problem, &config, (&slow, &fast), &functional);
    let mut follower = blocks::bound::Follower::new(&problem, &config);
    let values: Vec<(Vec<usize>, Vec<f64>)> = fast
        .transcript
        .steps()
        .map(|release| {
            follower.advance(release);
            (release.set.to_vec(), release.values.to_vec())
        })
        .collect();
    let of = |j| (follower.gradient(j, size), follower.shadow(j));
    let of: Vec<_> = (0..p).map(of).collect();
    format!(
        "{facts:?} {values:?} {:?} {:?} {:?} {drift:?} {of:?} {:?} {:?}",
        fast.iterate,
        fast.counters,
        slow.iterate,
        follower.point(),
        follower.average()
    )
}

pub fn ambssgd(asked: &Asked) -> String {
    let (records, n) = (matrix(asked), asked.count("n"));
    let order = regression::permutation(tape(), n);
    let step = asked.number("step");
    if asked.flag("shuffled") {
        let config = regression::Shuffled {
            step,
            threshold: asked.number("clip"),
            multiplier: asked.number("noise"),
        };
        let bounded = regression::bound::ssgd(&records, &order, &config, tape());
        let source = &mut records.source(Some(&order));
        let fast = regression::optimized::ssgd(source, n, &config, tape(), &mut |_| ());
        return format!("{} {}", told(bounded), told(fast));
    }
    let search = match asked.get("domain") {
        Some(_) => regression::Search::halvings(asked.number("domain"), asked.count("levels")),
        None => regression::Search::printed(2.0, n),
    };
    let config = regression::Adaptive {
        step,
        multiplier: asked.number("noise"),
        batch: asked.count("batch"),
        statistics: asked.count("statistics"),
        factor: asked.number("clip"),
        search: search.expect("a search"),
        ranges: match asked.flag("printed") {
            true => regression::Ranges::Printed,
            false => regression::Ranges::Disjoint,
        },
        stop: match asked.get("failure") {
            None => regression::Stop::Printed,
            Some(_) => regression::Stop::Margin {
                failure: asked.number("failure"),
            },
        },
    };
    let (useful, level) = (config.useful_statistics(), config.search.level(3));
    let facts = (
        config.usable(n),
        config.enough(),
        config.is_useful(),
        useful,
    );
    let levels = (
        config.search.levels,
        config.search.width.log2(),
        level.value(),
    );
    let checked = told(config.check(n));
    let bounded = regression::bound::ambssgd(&records, &order, &config, tape());
    let mut levels_met = Vec::new();
    let source = &mut records.source(Some(&order));
    let observe = &mut |release: regression::Iterate<'_>| levels_met.push(release.level);
    let fast = regression::optimized::ambssgd(source, n, &config, tape(), observe);
    let fast = told(fast);
    format!(
        "{facts:?} {levels:?} {:?} {checked} {} {fast} {levels_met:?}",
        config.threshold(2),
        told(bounded)
    )
}

type Observed<'a> = &'a mut dyn FnMut(kl::Observation<'_>);

/// What was released, with the run.
fn kept(
    run: impl FnOnce(Observed<'_>) -> Result<kl::Run, kl::RunError>,
) -> (Vec<Kept>, Result<kl::Run, kl::RunError>) {
    let mut kept = Vec::new();
    let run = run(&mut |release| kept.push(Kept::from(release)));
    (kept, run)
}

/// The same, but for one release that is far off.
fn broken(releases: &[Kept], at: usize) -> Vec<Kept> {
    let mut releases = releases.to_vec();
    match &mut releases[at] {
        Kept::Gradient(v) | Kept::Difference(v) => v[0] += 1.0,
        Kept::Norm(x) => *x += 1.0,
        Kept::Selected(_) => {}
    }
    releases
}

/// Both solvers of one algorithm, how near they are, and what the bound allows of each of the first releases.
pub fn kl(asked: &Asked) -> String {
    let posed = fits::posed(asked).expect("a risk");
    let (spider, adaptive, regularised, _) = inputs(asked);
    let (risk, budget) = (posed.risk.as_ref(), spent(asked));
    let d = risk.dimension();
    let start = start(asked, d);
    let (select, rounds) = (asked.flag("select"), asked.count_or("rounds", 1) as u64);
    let algorithm = asked.word("algorithm");
    let (slow, fast) = match algorithm {
        "spider" => (
            kept(|o| kl::reference::spider(risk, &start, &spider, &budget, tape(), o)),
            kept(|o| kl::optimized::spider(risk, &start, &spider, &budget, tape(), o)),
        ),
        "adaptive" => (
            kept(|o| kl::reference::adaptive(risk, &start, &adaptive, &budget, select, tape(), o)),
            kept(|o| kl::optimized::adaptive(risk, &start, &adaptive, &budget, select, tape(), o)),
        ),
        _ => (
            kept(|o| {
                kl::reference::proximal(risk, &start, &regularised, rounds, &budget, tape(), o)
            }),
            kept(|o| {
                kl::optimized::proximal(risk, &start, &regularised, rounds, &budget, tape(), o)
            }),
        ),
    };
    let shown = |(releases, run): &(Vec<Kept>, Result<kl::Run, kl::RunError>)| {
        let first = &releases[..releases.len().min(3)];
        let last = &releases[releases.len().saturating_sub(2)..];
        let run = run.as_ref().map(|run| {
            let iterates = &run.iterates[run.iterates.len().saturating_sub(d)..];
            (
                &run.point,
                iterates.to_vec(),
                run.spent_upper,
                run.releases,
                run.cut,
            )
        });
        format!("{} {first:?} {last:?} {}", releases.len(), told(run))
    };
    let constants = RiskConstants {
        records: risk.records(),
        dimension: d,
        lipschitz: posed.lipschitz,
        smoothness: posed.smoothness,
    };
    let compare = |sides: [&[Kept]; 2]| -> String {
        let (rho, n) = (budget.rho.get(), risk.records());
        let found = match algorithm {
            "spider" => {
                let schedule = spider.schedule(budget.variant, budget.rho, n, d);
                let Ok(schedule) = schedule else {
                    return told(schedule);
                };
                kl::bound::spider(constants, &schedule, budget.variant, &start, sides)
            }
            "adaptive" => {
                let Ok(rule) = adaptive.rule(&budget, n, d) else {
                    return "no rule".into();
                };
                kl::bound::adaptive(constants, &rule, &start, sides)
            }
            _ => {
                let Ok(rule) = regularised.part(rounds, rho, n, d) else {
                    return "no rule".into();
                };
                kl::bound::regularised(constants, &regularised, (&rule, rounds), &start, sides)
            }
        };
        match found {
            Ok(found) => format!("{found:?}"),
            Err(Disagreement::Apart { at, allowed, .. }) => format!("{at}: {allowed:e}"),
            Err(other) => format!("{other}"),
        }
    };
    let few = slow.0.len().min(asked.count_or("looked_at", 6));
    let allowed: Vec<String> = (0..few)
        .map(|at| compare([&slow.0, &broken(&slow.0, at)]))
        .collect();
    let short = &slow.0[..slow.0.len().saturating_sub(1)];
    format!(
        "{} {} {} {} {allowed:?}",
        shown(&slow),
        shown(&fast),
        compare([&slow.0, &slow.0]),
        compare([&slow.0, short])
    )
}

/// Records dealt out, or losses of users of their own: linear with three examples each, or quadratic.
fn losses(
    asked: &Asked,
    users: usize,
) -> Result<Box<dyn network::LocalLosses>, network::SplitError> {
    let vector = |k: usize| {
        (0..3)
            .map(|j| hashed(6, (3 * k + j) as u64))
            .collect::<Vec<f64>>()
    };
    Ok(match asked.word("losses") {
        "linear" => Box::new(network::LinearLosses {
            examples: (0..users)
                .map(|i| (0..3).map(|k| vector(3 * i + k)).collect())
                .collect(),
        }),
        "quadratic" => Box::new(network::LeastSquares {
            scales: (0..users).map(|i| 0.5 + i as f64).collect(),
            targets: (0..users).map(vector).collect(),
        }),
        _ => {
            let (loss, ridge) = (asked.read("loss"), asked.number_or("ridge", 0.0));
            let split = network::Split::new(dataset(asked), loss, ridge, users)?;
            match asked.flag("printed") {
                true => Box::new(split.printed()),
                false => Box::new(split),
            }
        }
    })
}

pub fn decor(asked: &Asked) -> String {
    let graph: Graph = asked.word("graph").parse().expect("a graph");
    let steps = asked.count("steps");
    let losses = match losses(asked, graph.n()) {
        Ok(losses) => losses,
        Err(wrong) => return format!("refused: {wrong}"),
    };
    let losses = losses.as_ref();
    let eta = asked.number("step");
    let config = network::Config {
        mixing: MixingMatrix::of(&graph, asked.read("weights")).expect("weights"),
        noise: Noise::new(
            asked.number("cdp"),
            asked.number("cor"),
            asked.number("clip"),
        )
        .expect("noise"),
        steps,
        step_sizes: match asked.flag("decreasing") {
            true => network::StepSizes::Decreasing {
                scale: eta,
                offset: 3.0,
            },
            false => network::StepSizes::Constant(eta),
        },
        sampling: match asked.flag("one") {
            true => network::Sampling::OneExample,
            false => network::Sampling::AllExamples,
        },
        keep_transcript: true,
        graph,
    };
    let secrets = network::Secrets::from_seed(&config.graph, SEED);
    let start = start(asked, losses.dimension());
    let list = |m: &nalgebra::DMatrix<f64>| m.iter().copied().collect::<Vec<f64>>();
    let shown = |run: &network::Run| {
        let last = run.transcript.last().map(list);
        let gradients = network::view::noisy_gradients(&config, run, &start);
        let group = network::view::of_group(&config, run, &secrets, &start, &[0]);
        let ends = (gradients.last().map(list), group.last().map(list));
        format!("{:?} {} {last:?} {ends:?}", list(&run.models), run.clipped)
    };
    let slow = network::reference::run(&config, losses, &secrets, &start);
    let fast = network::optimized::run(&config, losses, &secrets, &start);
    let told = |run: Result<network::Run, network::RunError>| match run {
        Ok(run) => shown(&run),
        Err(wrong) => format!("refused: {wrong}"),
    };
    format!("{} {}", told(slow), told(fast))
}

/// Gradient descent, DP-SGD, DP-CD and AdaSSP on one problem.
pub fn baseline(asked: &Asked) -> String {
    let problem = problem(asked).expect("a problem");
    let p = problem.features();
    let (inner, outer, noise) = (
        asked.count("inner"),
        asked.count("outer"),
        asked.number("noise"),
    );
    let steps: Vec<f64> = problem
        .constants()
        .smoothness()
        .iter()
        .map(|m| 0.5 / m)
        .collect();
    let clip = asked.get("clip").map(|_| asked.number("clip"));
    let descent = gradient_descent::Config {
        start: start(asked, p),
        steps: steps.clone(),
        inner,
        outer,
        noise,
        radius: clip,
    };
    let coordinates = dp_cd::Config {
        start: start(asked, p),
        steps: steps.clone(),
        inner,
        outer,
        noise: (0..p as u64)
            .map(|j| noise * (1.0 + 0.5 * hashed(4, j)))
            .collect(),
        clipping: clip.map(|clip| vec![clip; p]),
    };
    let mut said = vec![
        told(gradient_descent::run(&problem, &descent, tape())),
        told(dp_cd::run(&problem, &coordinates, tape())),
    ];
    let rate = asked.number_or("rate", 0.5);
    let size = (rate * problem.records() as f64) as usize;
    for batch in [
        dp_sgd::Batch::Poisson { rate },
        dp_sgd::Batch::FixedSize { size },
    ] {
        let config = dp_sgd::Config {
            start: start(asked, p),
            step: 0.1,
            iterations: inner,
            batch,
            radius: clip.unwrap_or(1.0),
            multiplier: noise,
        };
        said.push(told(dp_sgd::run(&problem, &config, tape())));
        let pairs = [(0.1, 1.0), (0.05, 0.25), (0.2, 0.5)];
        let pairs = dp_sgd::run_pairs(&problem, &config, &pairs, tape());
        said.push(told(
            pairs.map(|ends| ends.into_iter().map(told).collect::<Vec<_>>()),
        ));
    }
    for calibration in [adassp::Calibration::Printed, adassp::Calibration::Tight] {
        for neighbours in [asked.word("neighbours"), "replace-one"] {
            let config = adassp::Config {
                row_bound: asked.number_or("row_bound", 1.0),
                target_bound: 0.75,
                failure: 0.1,
                neighbours: neighbours.parse().expect("a relation"),
                calibration,
            };
            let records = dp_assay::problem::rows::Matrix::of(problem.data());
            let (source, n) = (&mut records.source(None), records.records());
            let budget = super::data::budget(asked);
            said.push(told(adassp::fit(source, n, &config, budget, tape())));
        }
    }
    said.join(" ")
}
