//! DECOR: the accountant on ten thousand users, and one round next to its Gaussian noise alone.
//!
//! Questions that take seconds are asked once and timed with a clock; the others go through criterion.
//!
//! What bounds the random 4-regular graph: its elimination fills in, so that all 10 000 columns come by
//! conjugate gradients, eight at a time in some 35 iterations. Each reads and writes seven vectors of 640 kB,
//! which no second-level cache holds: the memory's speed bounds it, not the arithmetic.

use criterion::{BenchmarkId, Criterion, criterion_group};
use dp_assay::accounting::decor::{Adversary, Noise, optimized, reference};
use dp_assay::problem::{Graph, MixingMatrix, Weights};
use dp_assay::solver::decor::{
    self as solver, Config, LeastSquares, Sampling, Secrets, StepSizes, secrets,
};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::{Duration, Instant};

const ADVERSARIES: [Adversary; 2] = [Adversary::Eavesdropper, Adversary::Curious];

fn noise() -> Noise {
    Noise::new(1.0, 10.0, 1.0).expect("valid")
}

fn graph(text: &str) -> Graph {
    text.parse().expect("a graph")
}

/// The same graph without what its family says about symmetry.
fn plain(graph: &Graph) -> Graph {
    Graph::new(graph.n(), &graph.edges().collect::<Vec<_>>()).expect("simple")
}

fn once(name: &str, graph: &Graph, adversary: Adversary) {
    let start = Instant::now();
    let slope = optimized::slope(graph, &noise(), adversary).expect("valid");
    let time = start.elapsed().as_secs_f64();
    let width = slope.upper / slope.lower - 1.0;
    println!(
        "{name}, {adversary}: {time:.2} s, slope {} ({}, relative width {width:.1e})",
        slope.upper, slope.basis
    );
}

/// Ten thousand users, and a thousand users with two colluders.
fn large_graphs() {
    // Average degree 18.4 = 2 ln n: connected with probability close to 1.
    let random = ["regular:10000:4:1", "erdos-renyi:10000:0.00184:1"];
    let torus = graph("torus:100x100");
    for adversary in ADVERSARIES {
        once("torus:100x100", &torus, adversary);
        once("torus:100x100 as an edge list", &plain(&torus), adversary);
        for text in random {
            once(text, &graph(text), adversary);
        }
    }
    once(
        "regular:1000:4:1",
        &graph("regular:1000:4:1"),
        Adversary::Colluding(2),
    );
}

fn accountant(c: &mut Criterion) {
    let mut group = c.benchmark_group("accountant");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(2));
    for text in ["ring:16", "torus:4x4", "regular:50:4:1"] {
        let graph = graph(text);
        for adversary in ADVERSARIES {
            let id = |version: &str| BenchmarkId::new(format!("{version}, {adversary}"), text);
            group.bench_function(id("reference"), |b| {
                b.iter(|| reference::slope_upper(black_box(&graph), &noise(), adversary));
            });
            group.bench_function(id("optimized"), |b| {
                b.iter(|| optimized::slope(black_box(&graph), &noise(), adversary));
            });
        }
    }
    group.finish();
}

const ROUND: &str = "one round, 16 users, 100 000 coordinates";

/// Rounds of a timed run, so that what a run allocates once does not count as part of a round.
const ROUNDS: usize = 8;

/// Time per round of some runs of [`ROUNDS`].
fn per_round(runs: u64, mut run: impl FnMut()) -> Duration {
    let begun = Instant::now();
    (0..runs).for_each(|_| run());
    begun.elapsed() / ROUNDS as u32
}

fn round(c: &mut Criterion) {
    let (n, d) = (16, 100_000);
    let graph = graph("ring:16");
    let losses = LeastSquares {
        scales: (1..=n).map(|i| i as f64 / 4.0).collect(),
        targets: vec![vec![0.5; d]; n],
    };
    let config = Config {
        mixing: MixingMatrix::of(&graph, Weights::MetropolisHastings).expect("a mixing matrix"),
        graph,
        noise: noise(),
        steps: ROUNDS,
        step_sizes: StepSizes::Constant(1e-3),
        sampling: Sampling::AllExamples,
        keep_transcript: false,
    };
    let seeds = Secrets::from_seed(&config.graph, 1);
    let start = vec![0.0; d];
    let mut group = c.benchmark_group(ROUND);
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(4));
    let mut noise = vec![vec![0.0; d]; n + config.graph.edge_count()];
    let mut draw = |t| {
        let own = (0..n).map(|i| secrets::own_noise(seeds.own(i), t, 0));
        let pairs = config.graph.edges().filter_map(|(i, j)| seeds.pair(i, j));
        let pairs = pairs.map(|tape| secrets::pair_noise(tape, t, 0));
        let streams: Vec<_> = own.chain(pairs).collect();
        let all = noise.par_iter_mut().zip(streams);
        all.for_each(|(z, mut stream)| stream.gaussians(z));
        black_box(&mut noise);
    };
    let mut alone = || (0..ROUNDS).for_each(&mut draw);
    let optimized = || {
        drop(black_box(solver::optimized::run(
            &config, &losses, &seeds, &start,
        )))
    };
    let reference = || {
        drop(black_box(solver::reference::run(
            &config, &losses, &seeds, &start,
        )))
    };
    group.bench_function("gaussian noise alone", |b| {
        b.iter_custom(|runs| per_round(runs, &mut alone));
    });
    group.bench_function("optimized", |b| {
        b.iter_custom(|runs| per_round(runs, optimized));
    });
    group.bench_function("reference", |b| {
        b.iter_custom(|runs| per_round(runs, reference));
    });
    group.finish();
    if asked(ROUND) {
        ratio(alone, optimized);
    }
}

/// Pairs of runs.
const PAIRS: usize = 21;

/// A machine changes its speed within seconds: only neighbouring runs are compared.
fn ratio(mut alone: impl FnMut(), mut round: impl FnMut()) {
    let mut pair = |_| {
        let alone = per_round(1, &mut alone);
        per_round(1, &mut round).div_duration_f64(alone)
    };
    let mut ratios: Vec<f64> = (0..PAIRS).map(&mut pair).collect();
    ratios.sort_by(f64::total_cmp);
    let [low, median, high] = [PAIRS / 4, PAIRS / 2, PAIRS - 1 - PAIRS / 4].map(|i| ratios[i]);
    println!(
        "a round takes {median:.3} times its noise alone: the median of {PAIRS} pairs of runs, half of them between \
         {low:.3} and {high:.3}"
    );
}

criterion_group!(benches, accountant, round);

/// Whether the command line's filter, if there is one, leaves this.
fn asked(name: &str) -> bool {
    let filter = std::env::args().skip(1).find(|word| !word.starts_with('-'));
    filter.is_none_or(|word| name.contains(&word))
}

fn main() {
    if asked("large graphs") {
        large_graphs();
    }
    benches();
    Criterion::default().configure_from_args().final_summary();
}
