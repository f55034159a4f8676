//! DP-AMBSSGD: one pass over N = 1,000,000 records of d = 100 features, next to a sum over the same data in
//! memory with the same threads; reference and optimized on the same smaller input.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::rows::Matrix;
use dp_assay::solver::ambssgd::{
    Adaptive, Ranges, Search, Shuffled, Stop, optimized, permutation, reference,
};
use dp_assay_benches::sum;
use rayon::prelude::*;
use std::hint::black_box;

const D: usize = 100;

fn records(n: usize) -> Matrix {
    let tape = Tape::new(1);
    let row = |i: usize| {
        let mut words = tape.stream(i as u64, Purpose::Data, 0);
        (0..=D)
            .map(move |_| words.uniform().gaussian())
            .collect::<Vec<f64>>()
    };
    let rows: Vec<Vec<f64>> = (0..n).into_par_iter().map(row).collect();
    let values = rows.iter().flat_map(|row| row[..D].to_vec()).collect();
    let targets = rows.iter().map(|row| row[D] + row[0]).collect();
    Matrix::new(D, values, targets).expect("finite")
}

/// T = 20 steps: b = 0.9 N/T, s = 0.1 N/T.
fn config(n: usize) -> Adaptive {
    let block = n / 20;
    Adaptive {
        step: 0.5 / D as f64,
        multiplier: 4.0,
        batch: block - block / 10,
        statistics: block / 10,
        factor: (D as f64).sqrt() * 3.0,
        search: Search::halvings(100.0, 40).expect("positive"),
        ranges: Ranges::Disjoint,
        stop: Stop::Margin { failure: 0.01 },
    }
}

/// Sum over all values by blocks of rows on the same threads as the solver; row i is `at`(i).
fn read_once(data: &Matrix, at: impl Fn(usize) -> usize + Sync) -> f64 {
    let rows = (0..data.records()).into_par_iter().with_min_len(256);
    rows.map(|i| sum(data.row(at(i)))).sum()
}

fn one_pass(criterion: &mut Criterion) {
    let n = 1_000_000;
    let data = records(n);
    let config = config(n);
    let tape = Tape::new(2);
    let order = permutation(tape, n);
    let mut group = criterion.benchmark_group("DP-AMBSSGD, N = 1000000, d = 100");
    group
        .sample_size(10)
        .throughput(Throughput::BytesDecimal((n * D * 8) as u64));
    group.bench_function("read X once", |b| {
        b.iter(|| black_box(read_once(&data, |i| i)));
    });
    group.bench_function("read X once in random order", |b| {
        b.iter(|| black_box(read_once(&data, |i| order[i] as usize)));
    });
    group.bench_function("optimized, records in their own order", |b| {
        b.iter(|| {
            optimized::ambssgd(&mut data.source(None), n, &config, tape, &mut |_| ())
                .expect("sound")
        });
    });
    group.bench_function("optimized, records in random order", |b| {
        b.iter(|| {
            let source = &mut data.source(Some(&order));
            optimized::ambssgd(source, n, &config, tape, &mut |_| ()).expect("sound")
        });
    });
    group.finish();
}

fn both_solvers(criterion: &mut Criterion) {
    let n = 20_000;
    let (data, tape) = (records(n), Tape::new(2));
    let order = permutation(tape, n);
    let config = config(n);
    let mut group = criterion.benchmark_group("DP-AMBSSGD, N = 20000, d = 100");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(n as u64));
    group.bench_function("optimized", |b| {
        b.iter(|| {
            let source = &mut data.source(Some(&order));
            optimized::ambssgd(source, n, &config, tape, &mut |_| ()).expect("sound")
        });
    });
    group.bench_function("reference", |b| {
        b.iter(|| reference::ambssgd(&data, &order, &config, tape, &mut |_| ()).expect("sound"));
    });
    group.finish();

    let config = Shuffled {
        step: 0.1 / D as f64,
        threshold: 10.0,
        multiplier: 1.0,
    };
    let mut group = criterion.benchmark_group("DP-SSGD, N = 20000, d = 100");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(n as u64));
    group.bench_function("its Gaussian noise alone", |b| {
        b.iter(|| {
            let noise = |t| {
                let mut out = [0.0; D];
                tape.stream(t, Purpose::Release, 0).gaussians(&mut out);
                sum(&out)
            };
            black_box((0..n as u64).map(noise).sum::<f64>())
        });
    });
    group.bench_function("optimized", |b| {
        b.iter(|| {
            let source = &mut data.source(Some(&order));
            optimized::ssgd(source, n, &config, tape, &mut |_| ()).expect("sound")
        });
    });
    group.bench_function("reference", |b| {
        b.iter(|| reference::ssgd(&data, &order, &config, tape, &mut |_| ()).expect("sound"));
    });
    group.finish();
}

criterion_group!(benches, one_pass, both_solvers);
criterion_main!(benches);
