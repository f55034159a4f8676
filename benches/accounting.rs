//! Accountants at the reference point q = 0.01, σ = 1, T = 10 000, δ = 10⁻⁵, add-remove; every sampling scheme there, and beside what
//! other accountants say and take (`benches/peers.py`).

use criterion::{BenchmarkId, Criterion, criterion_group, criterion_main};
use dp_assay::accounting::calibrate::{Target, Trend, parameter};
use dp_assay::accounting::gaussian::Gaussian;
use dp_assay::accounting::matrix::Strategy;
use dp_assay::accounting::{Accountant, Event, account};
use dp_assay::units::{Delta, Epsilon, Neighbouring, Sensitivity, StdDev};
use std::hint::black_box;
use std::time::Duration;

fn steps(sigma: f64, times: u64) -> Event {
    let event = Box::new(Event::Gaussian {
        sigma,
        sensitivity: 1.0,
    });
    Event::Repeated {
        times,
        event: Box::new(Event::PoissonSampled { rate: 0.01, event }),
    }
}

fn epsilon(c: &mut Criterion) {
    let delta = Delta::new(1e-5).expect("a delta");
    let event = steps(1.0, 10_000);
    let mut group = c.benchmark_group("epsilon at the reference point");
    for (name, method, two_sided) in [
        ("rdp", Accountant::Rdp, false),
        ("inversion, two-sided", Accountant::Auto, true),
        ("lattice, upper", Accountant::Pld, false),
        ("lattice, two-sided", Accountant::Pld, true),
    ] {
        group.bench_function(name, |b| {
            b.iter(|| {
                account(
                    black_box(&event),
                    delta,
                    method,
                    Neighbouring::AddRemove,
                    two_sided,
                )
            })
        });
    }
    group.finish();
}

fn growth(c: &mut Criterion) {
    let delta = Delta::new(1e-5).expect("a delta");
    let mut group = c.benchmark_group("epsilon against the number of steps");
    for times in [1_000, 10_000, 100_000, 1_000_000] {
        for (name, method) in [
            ("inversion", Accountant::Auto),
            ("lattice", Accountant::Pld),
        ] {
            let event = steps(1.0, times);
            group.bench_with_input(BenchmarkId::new(name, times), &event, |b, event| {
                b.iter(|| account(event, delta, method, Neighbouring::AddRemove, false))
            });
        }
    }
    group.finish();
}

/// Correlated noise with these Toeplitz coefficients, then 0, over 10 000 steps, and 100 participations.
fn correlated(sigma: f64, coefficients: &[f64]) -> Box<Event> {
    let mut list = coefficients.to_vec();
    list.resize(10_000, 0.0);
    Box::new(Event::MatrixGaussian {
        sigma,
        strategy: Strategy::Toeplitz(list),
        participations: 100,
        separation: 100,
    })
}

/// The same run as its batches may be drawn, both ends of ε: 50 000 records, 100 epochs of 100 steps.
fn schemes(c: &mut Criterion) {
    let event = || {
        Box::new(Event::Gaussian {
            sigma: 1.0,
            sensitivity: 1.0,
        })
    };
    let fixed = |replacement| Event::FixedSizeSampled {
        size: 50_000,
        batch: 500,
        replacement,
        event: event(),
    };
    let rate = 0.01;
    let truncated = Event::TruncatedPoissonSampled {
        rate,
        cap: 600,
        records: 50_000,
        event: event(),
    };
    let allocated = |participations| Event::RandomAllocation {
        steps: 10_000,
        participations,
        event: event(),
    };
    let bins = Event::BallsInBins {
        bins: 100,
        event: event(),
    };
    // In a step that it may be in with p, so that each step has q = p/(1 + 9p) of the records.
    let apart = Event::BMinSeparation {
        steps: 10_000,
        separation: 10,
        rate: rate / (1.0 - 9.0 * rate),
        event: event(),
    };
    let mut root = vec![1.0];
    for k in 1..10_000 {
        root.push(root[k - 1] * (1.0 - 0.5 / k as f64));
    }
    let banded = Event::BallsInBins {
        bins: 100,
        event: correlated(10.0, &[1.0, 0.5]),
    };
    let delta = Delta::new(1e-5).expect("a delta");
    let mut group = c.benchmark_group("every way to draw a batch, two-sided");
    for (name, times, event) in [
        (
            "poisson",
            10_000,
            Event::PoissonSampled {
                rate,
                event: event(),
            },
        ),
        ("fixed size", 10_000, fixed(false)),
        ("with replacement", 10_000, fixed(true)),
        ("truncated poisson", 10_000, truncated),
        ("random allocation, once", 1, allocated(1)),
        ("random allocation, a hundred times", 1, allocated(100)),
        ("balls in bins", 100, bins),
        ("b-min-separation", 1, apart),
        ("matrix mechanism", 1, *correlated(10.0, &root)),
        ("matrix mechanism, balls in bins", 1, banded),
    ] {
        let event = Event::Repeated {
            times,
            event: Box::new(event),
        };
        group.bench_function(name, |b| {
            let relation = Neighbouring::AddRemove;
            b.iter(|| account(black_box(&event), delta, Accountant::Auto, relation, true))
        });
    }
    group.finish();
}

/// Both ends of every run that a peer answers, each behind a line with the peer's ε, CPU time and how many times ours that was.
fn peers(c: &mut Criterion) {
    let table = include_str!("../tests/data/peers.csv");
    let mut group = c.benchmark_group("beside peers, two-sided");
    for row in csv::Reader::from_reader(table.as_bytes()).records() {
        let row = row.expect("the table is well-formed");
        let (event, delta) = (Event::from_json(&row[7]), row[2].parse().map(Delta::new));
        let event = event.expect("a tree");
        let delta = delta.expect("a number").expect("a delta");
        let relation: Neighbouring = row[1].parse().expect("a relation");
        let ask = || account(black_box(&event), delta, Accountant::Auto, relation, true);
        let ours = ask().expect("known");
        let lower = if row[5].is_empty() {
            "nothing"
        } else {
            &row[5]
        };
        println!(
            "{}: epsilon <= {} and >= {lower} in {} s, {} times ours ({}); here [{}, {}]",
            &row[3], &row[4], &row[6], &row[8], &row[9], ours.epsilon_lower, ours.epsilon_upper
        );
        let name = format!("{}, {relation}, {}", &row[0], &row[3]);
        group.bench_function(name, |b| b.iter(ask));
    }
    group.finish();
}

fn calibration(c: &mut Criterion) {
    let mut group = c.benchmark_group("sigma for epsilon = 1");
    for method in [Accountant::Rdp, Accountant::Auto, Accountant::Pld] {
        let target = Target {
            epsilon: Epsilon::new(1.0).expect("an epsilon"),
            delta: Delta::new(1e-5).expect("a delta"),
            method,
            neighbours: Neighbouring::AddRemove,
        };
        group.bench_function(method.name(), |b| {
            b.iter(|| {
                parameter("sigma", (1e-2, 1e4), Trend::Falls, &target, |s| {
                    steps(s, 10_000)
                })
            })
        });
    }
    group.finish();
}

fn closed_form(c: &mut Criterion) {
    let one = Sensitivity::new(1.0).expect("a sensitivity");
    let gaussian = Gaussian::new(one, StdDev::new(1.0).expect("a sigma"));
    let (delta, epsilon) = (
        Delta::new(1e-5).expect("a delta"),
        Epsilon::new(1.0).expect("an epsilon"),
    );
    let mut group = c.benchmark_group("exact gaussian");
    group.bench_function("epsilon", |b| {
        b.iter(|| black_box(gaussian).epsilon(black_box(delta)))
    });
    group.bench_function("delta", |b| {
        b.iter(|| black_box(gaussian).delta(black_box(epsilon)))
    });
    group.finish();
}

fn settings() -> Criterion {
    Criterion::default()
        .sample_size(10)
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2))
}

criterion_group! { name = benches; config = settings(); targets = epsilon, growth, schemes, peers, calibration, closed_form }
criterion_main!(benches);
