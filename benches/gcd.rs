//! DP-GCD: reference and optimized on the same input, next to the time of reading X once.
//!
//! Every figure is per iteration (for `read X once`: per pass). Compare `read X once` with `dense
//! logistic/optimized`: both touch 80 MB with the same threads.

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::{Logistic, Squared};
use dp_assay::problem::{Dataset, Dense, Problem, Regulariser};
use dp_assay::solver::gcd::{Config, LaplaceScales, optimized, reference};
use dp_assay_benches::{dataset, dense, sparse, sum, time};
use rayon::prelude::*;
use std::hint::black_box;
use std::time::Duration;

fn config(problem: &Problem, iterations: usize) -> Config {
    let smoothness = problem.constants().smoothness();
    let scales: Vec<_> = smoothness.iter().map(|m| 0.01 * m.sqrt()).collect();
    let noise = LaplaceScales::new(scales.clone(), scales).expect("positive");
    Config::new(problem, iterations, noise)
}

/// Sum over all of X by blocks on the same threads as the solver.
fn read_once(x: &Dense, rows: usize) -> f64 {
    x.values().par_chunks(4 * rows).map(sum).sum()
}

/// A run of T iterations makes T passes: the first is the gradient at the start.
fn dense_logistic(criterion: &mut Criterion) {
    const ITERATIONS: u32 = 20;
    let (n, p) = (10_000, 1_000);
    let x = dense(n, p);
    let problem = Problem::new(dataset(x.clone()), Logistic, Regulariser::None);
    let problem = problem.expect("±1");
    let mut group = criterion.benchmark_group("dense logistic 10000 x 1000");
    group.sample_size(10);
    group.throughput(Throughput::BytesDecimal((n * p * 8) as u64));
    group.bench_function("read X once", |b| b.iter(|| black_box(read_once(&x, n))));
    let many = config(&problem, ITERATIONS as usize);
    group.bench_function("optimized", |b| {
        b.iter_custom(|rounds| fast(rounds, &problem, &many) / ITERATIONS);
    });
    let one = config(&problem, 1);
    group.bench_function("reference", |b| {
        b.iter_custom(|rounds| slow(rounds, &problem, &one))
    });
    group.finish();
}

/// The targets follow eight columns and the steps are short, so that the same eight are chosen again
/// and again; what is timed are `COUNTED` iterations after their columns have been computed.
fn squared(criterion: &mut Criterion) {
    const WARM: usize = 500;
    const COUNTED: usize = 50_000;
    let mut group = criterion.benchmark_group("dense squared, p = 500, Gram columns cached");
    group.sample_size(10).throughput(Throughput::Elements(500));
    for n in [500, 2_000, 8_000] {
        let problem = planted(n, 500);
        let config = |iterations| {
            let mut config = config(&problem, iterations);
            config.steps.iter_mut().for_each(|step| *step *= 1e-4);
            config
        };
        let (warm, all) = (config(WARM), config(WARM + COUNTED));
        group.bench_function(BenchmarkId::new("optimized", n), |b| {
            b.iter_custom(|rounds| {
                let warm = fast(rounds, &problem, &warm);
                fast(rounds, &problem, &all).saturating_sub(warm) / COUNTED as u32
            });
        });
        let one = config(1);
        group.bench_function(BenchmarkId::new("reference", n), |b| {
            b.iter_custom(|rounds| slow(rounds, &problem, &one));
        });
    }
    group.finish();
}

fn planted(n: usize, p: usize) -> Problem {
    let design = dense(n, p);
    let sum = |i: usize| (0..8).map(|j| 10.0 * design.column(j)[i]).sum::<f64>();
    let targets = (0..n).map(sum).collect();
    let data = Dataset::new("planted", design, targets).expect("finite");
    Problem::new(data, Squared, Regulariser::None).expect("real")
}

/// Throughput in stored entries of X touched per iteration, set-up included in both.
fn sparse_logistic(criterion: &mut Criterion) {
    const ITERATIONS: u32 = 3_000;
    let p = 1_000;
    let mut group = criterion.benchmark_group("sparse logistic, 1 %, p = 1000");
    group.sample_size(10);
    for n in [2_000, 8_000, 32_000, 128_000] {
        let problem = Problem::new(dataset(sparse(n, p)), Logistic, Regulariser::None);
        let problem = problem.expect("±1");
        let many = config(&problem, ITERATIONS as usize);
        let run = optimized::run(&problem, &many, Tape::new(1)).expect("sound");
        let touched = run.counters.entries_read / u64::from(ITERATIONS);
        group.throughput(Throughput::Elements(touched));
        group.bench_function(BenchmarkId::new("optimized", n), |b| {
            b.iter_custom(|rounds| fast(rounds, &problem, &many) / ITERATIONS);
        });
        let one = config(&problem, 1);
        group.bench_function(BenchmarkId::new("reference", n), |b| {
            b.iter_custom(|rounds| slow(rounds, &problem, &one));
        });
    }
    group.finish();
}

fn fast(rounds: u64, problem: &Problem, config: &Config) -> Duration {
    time(rounds, || {
        drop(black_box(optimized::run(problem, config, Tape::new(1))))
    })
}

fn slow(rounds: u64, problem: &Problem, config: &Config) -> Duration {
    time(rounds, || {
        drop(black_box(reference::run(problem, config, Tape::new(1))))
    })
}

criterion_group!(benches, dense_logistic, squared, sparse_logistic);
criterion_main!(benches);
