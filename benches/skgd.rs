//! DP-SkGD: reference and optimized on the same input; how a step's time grows; the non-private optimum.
//!
//! Every figure is per inner step, but for `optimum` (one solution). Residual form: time per stored entry of the
//! columns of S should not depend on n, until the margins of all records leave the second-level cache: from n = 256 000 on
//! (2 MB) an entry costs two misses, about twice the time. Gram form: time per step should not depend on n at all.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, Loss, Squared};
use dp_assay::problem::optimum::optimum;
use dp_assay::problem::{Dataset, Design, Problem, Regulariser};
use dp_assay::solver::skgd::{Config, Sampling, SetValues, optimized, reference};
use dp_assay_benches::{dataset, dense, sparse, time};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;
use std::hint::black_box;

fn problem(design: impl Into<Design>, loss: impl Loss + 'static) -> Problem {
    Problem::new(dataset(design), loss, Regulariser::None).expect("±1")
}

fn config(problem: &Problem, inner: usize, sampling: Sampling) -> Config {
    let mut config = Config::new(problem, (inner, 1), sampling, SetValues::Same(1e-3));
    config.keep_transcript = false;
    config
}

/// One coordinate step over sparse columns: O(non-zeros of the column) against O(all non-zeros).
fn residual(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("skgd singleton, sparse logistic 1 %, p = 1000");
    group.sample_size(10);
    for n in [4_000, 16_000, 64_000, 256_000] {
        let problem = problem(sparse(n, 1_000), Logistic);
        let sampling = Sampling::uniform_singleton(1_000).expect("sound");
        group.throughput(Throughput::Elements(n as u64 / 100));
        per_step(&mut group, n, &problem, &sampling, (1, 20_000));
    }
    group.finish();
}

/// One coordinate step of a quadratic: O(p) whatever n, once every column of XᵀX has been met.
fn gram(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("skgd singleton, dense squared, p = 100");
    group.sample_size(10);
    for n in [1_000, 4_000, 16_000, 64_000] {
        let problem = problem(dense(n, 100), Squared);
        let sampling = Sampling::uniform_singleton(100).expect("sound");
        group.throughput(Throughput::Elements(100));
        // After 20,000 steps a given one of 100 columns is missing with probability e^{−200}.
        per_step(&mut group, n, &problem, &sampling, (20_000, 200_000));
    }
    group.finish();
}

/// Block steps: O(non-zeros of the block).
fn blocks(criterion: &mut Criterion) {
    let problem = problem(sparse(64_000, 1_000), Logistic);
    let mut group = criterion.benchmark_group("skgd nice sampling, sparse logistic, n = 64000");
    group.sample_size(10);
    for size in [1, 10, 100, 1_000] {
        let sampling = Sampling::nice(1_000, size).expect("sound");
        group.throughput(Throughput::Elements(640 * size as u64));
        per_step(&mut group, size, &problem, &sampling, (1, 20_000 / size));
    }
    group.finish();
}

fn per_step(
    group: &mut criterion::BenchmarkGroup<'_, criterion::measurement::WallTime>,
    parameter: usize,
    problem: &Problem,
    sampling: &Sampling,
    (before, steps): (usize, usize),
) {
    // What the set-up takes, with its `before` steps, is timed alone and taken off.
    let [one, first, many] =
        [1, before, before + steps].map(|steps| config(problem, steps, sampling.clone()));
    group.bench_function(BenchmarkId::new("optimized", parameter), |b| {
        b.iter_custom(|rounds| {
            let run = |config: &Config| {
                time(rounds, || {
                    drop(black_box(optimized::run(problem, config, Tape::new(1))));
                })
            };
            run(&many).saturating_sub(run(&first)) / steps as u32
        });
    });
    group.bench_function(BenchmarkId::new("reference", parameter), |b| {
        b.iter_custom(|rounds| {
            time(rounds, || {
                drop(black_box(reference::run(problem, &one, Tape::new(1))));
            })
        });
    });
}

/// The problems against which other libraries were timed: 10,000 × 1,000 Gaussian, ten true coefficients.
fn non_private(criterion: &mut Criterion) {
    let (n, p) = (10_000, 1_000);
    let x = dense(n, p);
    let mut random = Pcg64::seed_from_u64(7);
    let w: Vec<f64> = (0..10).map(|_| random.sample(StandardNormal)).collect();
    let target = |i: usize| {
        let signal: f64 = w.iter().enumerate().map(|(j, w)| w * x.column(j)[i]).sum();
        signal + 0.5 * random.sample::<f64, _>(StandardNormal)
    };
    let real: Vec<f64> = (0..n).map(target).collect();
    let signs = real.iter().map(|y| y.signum()).collect();
    let mut group = criterion.benchmark_group("optimum, dense 10000 x 1000");
    group.sample_size(10);
    let real = Dataset::new("real", x.clone(), real).expect("finite");
    let signs = Dataset::new("signs", x, signs).expect("finite");
    for part in [0.1, 0.01] {
        let lasso = penalised(&real, Squared, part);
        group.bench_function(BenchmarkId::new("lasso", part), |b| {
            b.iter(|| black_box(optimum(&lasso, 1e-8, 50)));
        });
    }
    let logistic = penalised(&signs, Logistic, 0.1);
    group.bench_function(BenchmarkId::new("logistic", 0.1), |b| {
        b.iter(|| black_box(optimum(&logistic, 1e-8, 50)));
    });
    group.finish();
}

/// With this part of the least ℓ₁ weight under which the optimum is 0.
fn penalised(data: &Dataset, loss: impl Loss + Copy + 'static, part: f64) -> Problem {
    let plain = Problem::new(data.clone(), loss, Regulariser::None).expect("sound");
    let gradient = plain.gradient(&vec![0.0; data.features()]);
    let largest = gradient.iter().fold(0.0_f64, |max, g| g.abs().max(max));
    Problem::new(data.clone(), loss, Regulariser::L1(part * largest)).expect("sound")
}

criterion_group!(benches, residual, gram, blocks, non_private);
criterion_main!(benches);
