//! The KL solvers: a gradient step against one pass over the data, differences against gradients, and reference beside
//! optimized.
//!
//! `one pass` reads every row once: margin, slope, sum. A release of the optimized solvers should take at most 1.5 times
//! as long, noise and limits included, and a difference no longer than a gradient: the gradient before it is kept.

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use dp_assay::mechanism::tape::Tape;
use dp_assay::problem::loss::Logistic;
use dp_assay::problem::risk::{Limits, Margins, Risk, Visited};
use dp_assay::problem::rows::{Matrix, norm};
use dp_assay::solver::kl::{Budget, Observation, Regularised, Run, RunError, Spider, Variant};
use dp_assay::solver::kl::{optimized, reference};
use dp_assay::units::{Neighbouring, Rho};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Gaussian rows of norm 1, two classes parted by their first coordinate: a gradient at 0 of norm about 0.4/√d, so
/// that the loops of KL Spider run.
fn risk(n: usize, d: usize) -> Margins<Logistic> {
    let mut random = Pcg64::seed_from_u64(1);
    let mut values: Vec<f64> = (0..n * d).map(|_| random.sample(StandardNormal)).collect();
    for row in values.chunks_mut(d) {
        let length = norm(row);
        row.iter_mut().for_each(|x| *x /= length);
    }
    let targets = values.chunks(d).map(|row| row[0].signum()).collect();
    Margins::new(Matrix::new(d, values, targets).expect("finite"), Logistic)
}

/// n√ρ = 10⁵, so that gradients are not lost in noise.
fn budget(n: usize) -> Budget {
    Budget {
        rho: Rho::new((1e5 / n as f64).powi(2)).expect("positive"),
        neighbours: Neighbouring::ReplaceOne,
        variant: Variant::Repaired,
    }
}

type Solver<I> = fn(
    &dyn Risk,
    &[f64],
    &I,
    &Budget,
    Tape,
    &mut dyn FnMut(Observation<'_>),
) -> Result<Run, RunError>;

/// Time per release, of which at least `share` are differences.
fn per_release<I>(
    rounds: u64,
    share: f64,
    (risk, inputs): (&Margins<Logistic>, &I),
    solver: Solver<I>,
) -> Duration {
    let (n, d) = (risk.records(), risk.dimension());
    let (start, budget) = (vec![0.0; d], budget(n));
    let mut time = Duration::ZERO;
    for round in 0..rounds {
        let tape = Tape::new(1).trial(round);
        let mut differences = 0_u64;
        let mut count = |release: Observation<'_>| {
            differences += u64::from(matches!(release, Observation::Difference(_)));
        };
        let begun = Instant::now();
        let run = solver(risk, &start, inputs, &budget, tape, &mut count).expect("sound");
        time += begun.elapsed() / u32::try_from(run.releases.max(1)).expect("a short run");
        assert!(
            differences as f64 >= share * run.releases as f64,
            "{differences} differences"
        );
        black_box(run);
    }
    time
}

fn steps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("kl, dense logistic, per release");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (n, d) in [(2_000, 50), (20_000, 50), (5_000, 1_000)] {
        let risk = risk(n, d);
        let name = format!("{n} x {d}");
        group.throughput(Throughput::Elements((n * d) as u64));
        let mut at = Visited::at(&vec![0.01; d]);
        group.bench_function(BenchmarkId::new("one pass", &name), |b| {
            b.iter(|| risk.visit(black_box(&mut at), None, Limits::of_gradients(2.0, d)));
        });
        group.bench_function(
            BenchmarkId::new("one pass by the trait's sums", &name),
            |b| {
                let w = vec![0.01; d];
                let mut gradient = vec![0.0; d];
                b.iter(|| risk.gradient(black_box(&w), &mut gradient));
            },
        );
        // Only gradients.
        let gradients = Regularised {
            beta: 0.1,
            lipschitz: 1.0,
            weak_convexity: 0.25,
            length: Some(11),
        };
        // Two differences to a gradient while the loops do not stop.
        let spider = Spider {
            beta: 0.1,
            gamma: 1.0,
            kappa: 2.0,
            lipschitz: 1.0,
            smoothness: 0.25,
            loss_bound: 1e-4,
        };
        group.bench_function(BenchmarkId::new("gradients, optimized", &name), |b| {
            b.iter_custom(|k| per_release(k, 0.0, (&risk, &gradients), optimized::regularised));
        });
        group.bench_function(BenchmarkId::new("gradients, reference", &name), |b| {
            b.iter_custom(|k| per_release(k, 0.0, (&risk, &gradients), reference::regularised));
        });
        group.bench_function(BenchmarkId::new("spider, optimized", &name), |b| {
            b.iter_custom(|k| per_release(k, 0.5, (&risk, &spider), optimized::spider));
        });
        group.bench_function(BenchmarkId::new("spider, reference", &name), |b| {
            b.iter_custom(|k| per_release(k, 0.5, (&risk, &spider), reference::spider));
        });
    }
    group.finish();
}

criterion_group!(benches, steps);
criterion_main!(benches);
