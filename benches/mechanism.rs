//! The price of safe noise: exact whole-number samplers on a grid beside inversion from a tape.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dp_assay::mechanism::release::{Grid, GridGaussian, GridLaplace};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Epsilon, Sensitivity, StdDev};
use rand::{Rng, SeedableRng};
use rand_chacha::{ChaCha8Rng, ChaCha20Rng};
use rand_distr::{Distribution, StandardNormal};
use std::hint::black_box;

fn noise(c: &mut Criterion) {
    let sensitivity = Sensitivity::new(1.0).expect("in range");
    let grid = Grid::fine(sensitivity).expect("in range");
    let epsilon = Epsilon::new(1.0).expect("in range");
    let laplace = GridLaplace::new(epsilon, sensitivity, grid).expect("in range");
    let sigma = StdDev::new(3.0).expect("in range");
    let gaussian = GridGaussian::new(sigma, sensitivity, grid).expect("in range");

    let mut group = c.benchmark_group("one release");
    let mut stream = Tape::new(1).stream(0, Purpose::Release, 0);
    group.bench_function("laplace, tape (verification)", |b| {
        b.iter(|| black_box(1.0) + stream.uniform().laplace())
    });
    group.bench_function("gaussian, tape (verification)", |b| {
        b.iter(|| black_box(1.0) + stream.uniform().gaussian())
    });
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    group.bench_function("laplace, grid (release)", |b| {
        b.iter(|| laplace.release(black_box(1.0), &mut rng))
    });
    group.bench_function("gaussian, grid (release)", |b| {
        b.iter(|| gaussian.release(black_box(1.0), &mut rng))
    });
    group.finish();
}

/// What verification pays for a variate: runs of 4,096 from a tape, one by one and together, beside the
/// sampler of rand_distr on the same cipher, which rejects and so has no addresses.
fn draws(c: &mut Criterion) {
    let mut group = c.benchmark_group("one draw");
    let mut out = vec![0.0; 4096];
    group.throughput(Throughput::Elements(out.len() as u64));
    let mut stream = Tape::new(1).stream(0, Purpose::Release, 0);
    group.bench_function("gaussian, tape, batched", |b| {
        b.iter(|| stream.gaussians(black_box(&mut out)))
    });
    group.bench_function("gaussian, tape, scalar", |b| {
        b.iter(|| black_box(&mut out).fill_with(|| stream.uniform().gaussian()))
    });
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    group.bench_function("gaussian, rand_distr ziggurat", |b| {
        b.iter(|| black_box(&mut out).fill_with(|| StandardNormal.sample(&mut rng)))
    });
    group.bench_function("laplace, tape, batched", |b| {
        b.iter(|| stream.laplaces(black_box(&mut out)))
    });
    group.bench_function("laplace, tape, scalar", |b| {
        b.iter(|| black_box(&mut out).fill_with(|| stream.uniform().laplace()))
    });
    let mut bytes = vec![0; 8 * out.len()];
    group.bench_function("words alone", |b| {
        b.iter(|| rng.fill_bytes(black_box(&mut bytes)))
    });
    group.finish();
}

criterion_group!(benches, noise, draws);
criterion_main!(benches);
