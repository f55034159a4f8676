//! The prover: boxes a second of search and replay, and the seconds of the longest claims.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use dp_assay_spec::claim::{Check, Effort};
use dp_assay_spec::prove::{BUDGET, Decision, Domain, Forall, closed, replay, search};
use std::hint::black_box;

/// Chernoff's bound for the normal tail in two variables: a few hundred boxes of special functions.
fn tail() -> Forall {
    let mut domain = Domain::new();
    let x = domain.real("x", closed(0), closed(6));
    let s = domain.real("s", closed(1), closed(2));
    let bound = (-(x.square()) / (2 * s.square())).exp();
    Forall::le(domain, 1 - (&x / &s).phi(), bound)
}

fn boxes(c: &mut Criterion) {
    let statement = tail();
    let Decision::Proved(certificate) = search(&statement, BUDGET) else {
        return;
    };
    let mut group = c.benchmark_group("prover");
    group.sample_size(10);
    group.throughput(Throughput::Elements(certificate.leaves() as u64));
    group.bench_function("search", |b| {
        b.iter(|| search(black_box(&statement), BUDGET))
    });
    group.bench_function("replay", |b| {
        b.iter(|| replay(black_box(&statement), &certificate))
    });
    group.finish();
}

/// Claims whose check takes longest, from scratch.
const LONG: [&str; 3] = [
    "gcd-thm-4.2-restricted",
    "gcd-thm-4.2-repaired",
    "gcd-red-tail",
];

fn claims(c: &mut Criterion) {
    let mut group = c.benchmark_group("claims");
    group.sample_size(10);
    for claim in dp_assay_spec::claims()
        .iter()
        .filter(|c| LONG.contains(&c.id))
    {
        group.bench_function(claim.id, |b| {
            b.iter(|| (claim.check)(&Check::printed(Effort::Search)));
        });
    }
    group.finish();
}

criterion_group!(benches, boxes, claims);
criterion_main!(benches);
