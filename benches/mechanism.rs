//! The price of safe noise: exact whole-number samplers on a grid beside inversion from a tape.

use criterion::{Criterion, criterion_group, criterion_main};
use dp_assay::mechanism::release::{Grid, GridGaussian, GridLaplace};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::{Epsilon, Sensitivity, StdDev};
use rand::SeedableRng;
use rand_chacha::ChaCha20Rng;
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

criterion_group!(benches, noise);
criterion_main!(benches);
