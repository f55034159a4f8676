//! Audits end to end: built-in mechanisms at 10⁵ and 10⁶ pairs, and a Python program beside its own
//! running time.
//!
//! Compare `python/audited` with `python/alone`: the first runs one process for each side and counts,
//! the second draws the same outputs of both sides, one after the other, and throws them away.

use criterion::{Criterion, criterion_group, criterion_main};
use dp_assay::audit::external::{External, ServedInput, ServedProgram};
use dp_assay::audit::{Audit, Mechanism, from_fn};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::units::Neighbouring;
use std::hint::black_box;
use std::time::Duration;

fn laplace() -> impl Mechanism<Input = f64> {
    from_fn("laplace", |x: &f64, tape: Tape| {
        x + tape.uniform(0, Purpose::Release, 0).laplace()
    })
}

/// Laplace noise at its claim: no early stop, every pair is drawn and bet on.
fn native(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("laplace");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(10));
    for (name, trials) in [("100k pairs", 100_000), ("1M pairs", 1_000_000)] {
        group.bench_function(name, |bencher| {
            bencher.iter(|| {
                let audit = Audit::of(laplace()).claim(1.0, 0.0).trials(trials);
                let audit = audit.neighbours(Neighbouring::ReplaceOne, 0.0, 1.0);
                black_box(audit.run().expect("a complete description"))
            });
        });
    }
    group.finish();
}

const COMMAND: &str = concat!(
    "python3 ",
    env!("CARGO_MANIFEST_DIR"),
    "/../tests/data/external/laplace.py"
);
const INPUTS: [&str; 2] = ["[0]", "[1]"];
const LIMIT: Duration = Duration::from_secs(60);
const OUTPUTS: u64 = 50_000;
const BATCH: u64 = 4096;

/// Both sides' outputs, drawn and not looked at.
fn alone() {
    for (side, input) in INPUTS.iter().enumerate() {
        let mut program = External::start(COMMAND, side as u8, input, LIMIT).expect("python3");
        let batches: Vec<u64> = (0..OUTPUTS).step_by(BATCH as usize).collect();
        for first in &batches {
            let count = BATCH.min(OUTPUTS - first) as usize;
            program.request(1, *first, count).expect("it reads");
        }
        for _ in batches {
            black_box(program.outputs().expect("it answers"));
        }
    }
}

fn audited() {
    let program = ServedProgram::new(COMMAND, INPUTS.map(str::to_owned), LIMIT);
    let [first, second] = [0, 1].map(|index| ServedInput {
        index,
        name: format!("input {index}"),
    });
    let audit = Audit::of(program).claim(1.0, 0.0).trials(OUTPUTS);
    let audit = audit.neighbours(Neighbouring::ReplaceOne, first, second);
    black_box(audit.run().expect("a complete description"));
}

fn external(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("python");
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(15));
    group.bench_function("alone", |bencher| bencher.iter(alone));
    group.bench_function("audited", |bencher| bencher.iter(audited));
    group.finish();
}

criterion_group!(benches, native, external);
criterion_main!(benches);
