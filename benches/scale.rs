//! How times grow: accountants with distinct events and with users, solvers with features and records, audits with the
//! length of an output, the ledger with claims. `benches/curves.rs` fits what these and other benchmarks measure.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, SamplingMode, criterion_group, criterion_main};
use dp_assay::accounting::decor::{Adversary, Noise, optimized as slopes};
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::audit::{Audit, from_fn};
use dp_assay::ledger::{Effort, Ledger};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::loss::Logistic;
use dp_assay::problem::{Design, Graph, Problem, Regulariser};
use dp_assay::solver::baseline::dp_sgd::{self, Batch};
use dp_assay::solver::gcd::{self, LaplaceScales};
use dp_assay::units::{Delta, Neighbouring};
use dp_assay_benches::{dataset, dense, sparse, time};
use dp_assay_spec::paper::Paper;
use std::hint::black_box;
use std::time::Duration;

fn group<'a>(c: &'a mut Criterion, name: &str) -> BenchmarkGroup<'a, WallTime> {
    let mut group = c.benchmark_group(name);
    group
        .sample_size(10)
        .sampling_mode(SamplingMode::Flat)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    group
}

/// Subsampled Gaussians of different noise, each 100 times: a law of its own for every one.
fn events(c: &mut Criterion) {
    let delta = Delta::new(1e-6).expect("a delta");
    let mut group = group(c, "epsilon against the number of distinct events");
    for count in [1_u32, 4, 16, 64] {
        let one = |k: u32| Event::Repeated {
            times: 100,
            event: Box::new(Event::PoissonSampled {
                rate: 0.01,
                event: Box::new(Event::Gaussian {
                    sigma: 1.0 + 0.01 * f64::from(k),
                    sensitivity: 1.0,
                }),
            }),
        };
        let event = Event::Composed {
            events: (0..count).map(one).collect(),
        };
        group.bench_function(count.to_string(), |b| {
            let relation = Neighbouring::AddRemove;
            b.iter(|| account(black_box(&event), delta, Accountant::Auto, relation, true));
        });
    }
    group.finish();
}

/// The slope of DECOR's accountant for curious users on graphs without a symmetry that it could use.
fn users(c: &mut Criterion) {
    let noise = Noise::new(1.0, 10.0, 1.0).expect("valid");
    let mut group = group(c, "slope against the number of users");
    for family in ["torus", "regular"] {
        for side in [8, 16, 32, 64] {
            let n = side * side;
            let text = match family {
                "torus" => format!("torus:{side}x{side}"),
                _ => format!("regular:{n}:4:1"),
            };
            let named: Graph = text.parse().expect("a graph");
            let edges: Vec<_> = named.edges().collect();
            let graph = Graph::new(n, &edges).expect("simple");
            group.bench_function(format!("{family}/{n}"), |b| {
                b.iter(|| slopes::slope(black_box(&graph), &noise, Adversary::Curious));
            });
        }
    }
    group.finish();
}

fn logistic(design: impl Into<Design>) -> Problem {
    Problem::new(dataset(design), Logistic, Regulariser::None).expect("±1")
}

/// An iteration of DP-GCD reads X once; what a run takes before its first is taken off.
fn features(c: &mut Criterion) {
    const ITERATIONS: usize = 20;
    let mut group = group(c, "gcd iteration against the number of features, n = 1000");
    for p in [100, 1_000, 10_000] {
        let problem = logistic(dense(1_000, p));
        let config = |iterations| {
            let smoothness = problem.constants().smoothness();
            let scales: Vec<_> = smoothness.iter().map(|m| 0.01 * m.sqrt()).collect();
            let noise = LaplaceScales::new(scales.clone(), scales).expect("positive");
            gcd::Config::new(&problem, iterations, noise)
        };
        let (one, many) = (config(1), config(1 + ITERATIONS));
        let run = |rounds, config| {
            time(rounds, || {
                drop(black_box(gcd::optimized::run(
                    &problem,
                    config,
                    Tape::new(1),
                )));
            })
        };
        group.bench_function(p.to_string(), |b| {
            b.iter_custom(|rounds| {
                run(rounds, &many).saturating_sub(run(rounds, &one)) / ITERATIONS as u32
            });
        });
    }
    group.finish();
}

/// A step of DP-SGD with batches of 256 records: its noise is of the features' number, its gradients of the
/// batch's non-zeros.
fn records(c: &mut Criterion) {
    const STEPS: usize = 200;
    let mut group = group(c, "dp-sgd step, batches of 256");
    let mut step = |name: String, problem: &Problem| {
        let config = dp_sgd::Config {
            start: vec![0.0; problem.features()],
            step: 0.01,
            iterations: STEPS,
            batch: Batch::Poisson {
                rate: 256.0 / problem.records() as f64,
            },
            radius: 1.0,
            multiplier: 1.0,
        };
        group.bench_function(name, |b| {
            b.iter_custom(|rounds| {
                let run = || drop(black_box(dp_sgd::run(problem, &config, Tape::new(1))));
                time(rounds, run) / STEPS as u32
            });
        });
    };
    for n in [1_000, 4_000, 16_000, 64_000] {
        step(format!("records, p = 100/{n}"), &logistic(dense(n, 100)));
    }
    for p in [100, 1_000, 10_000] {
        step(
            format!("features, n = 1000/{p}"),
            &logistic(dense(1_000, p)),
        );
    }
    for p in [1_000, 4_000, 16_000] {
        step(
            format!("features, n = 4000, 1 %/{p}"),
            &logistic(sparse(4_000, p)),
        );
    }
    group.finish();
}

/// Laplace noise on every entry, the neighbours apart in the first: what an entry more costs.
fn outputs(c: &mut Criterion) {
    let mut group = group(c, "audit of 2000 pairs against the length of the output");
    for length in [1_usize, 16, 256, 4_096] {
        group.bench_function(length.to_string(), |b| {
            b.iter(|| {
                let noisy = from_fn("laplace", move |x: &f64, tape: Tape| {
                    let mut stream = tape.stream(0, Purpose::Release, 0);
                    let mut out = vec![0.0; length];
                    stream.laplaces(&mut out);
                    out[0] += x;
                    out
                });
                let audit = Audit::of(noisy).claim(1.0, 0.0).trials(2_000);
                let audit = audit.neighbours(Neighbouring::ReplaceOne, 0.0, 1.0);
                black_box(audit.run().expect("a complete description"))
            });
        });
    }
    group.finish();
}

/// Every claim of a paper, and those that they rest on, from stored certificates.
fn claims(c: &mut Criterion) {
    let mut group = group(c, "ledger of a paper against its claims");
    for paper in Paper::ALL {
        let ledger = |effort| Ledger::of_paper(paper, effort, |_, _| ()).expect("a book");
        let count = ledger(Effort::Replay).claims.len();
        group.bench_function(format!("{paper}/{count}"), |b| {
            b.iter(|| ledger(Effort::Replay));
        });
    }
    group.finish();
}

criterion_group!(benches, events, users, features, records, outputs, claims);
criterion_main!(benches);
