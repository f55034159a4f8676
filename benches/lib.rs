//! What several benchmarks run on, and what they are compared with.

use dp_assay::problem::{Dataset, Dense, Design, Sparse};
use rand::{RngExt, SeedableRng};
use rand_distr::StandardNormal;
use rand_pcg::Pcg64;
use std::time::{Duration, Instant};

/// The design with every third target 1 and the others −1.
pub fn dataset(design: impl Into<Design>) -> Dataset {
    let design = design.into();
    let targets = (0..design.rows()).map(|i| if i % 3 == 0 { 1.0 } else { -1.0 });
    let targets = targets.collect();
    Dataset::new("random", design, targets).expect("finite")
}

/// Standard normal entries.
pub fn dense(n: usize, p: usize) -> Dense {
    let mut random = Pcg64::seed_from_u64(1);
    let values = (0..n * p).map(|_| random.sample(StandardNormal)).collect();
    Dense::from_columns(n, p, values).expect("finite")
}

/// About one per cent of the entries, standard normal: `n`/100 places in every column.
pub fn sparse(n: usize, p: usize) -> Sparse {
    let mut random = Pcg64::seed_from_u64(2);
    let mut entries = Vec::new();
    for j in 0..p {
        let rows: std::collections::BTreeSet<_> =
            (0..n / 100).map(|_| random.random_range(0..n)).collect();
        let entry = |i| (i, j, random.sample(StandardNormal));
        entries.extend(rows.into_iter().map(entry));
    }
    Sparse::from_entries(n, p, &entries).expect("finite")
}

/// Σ values with eight accumulators: memory is what limits it.
pub fn sum(values: &[f64]) -> f64 {
    let mut lanes = [0.0; 8];
    let (chunks, rest) = values.as_chunks::<8>();
    for chunk in chunks {
        for (lane, x) in lanes.iter_mut().zip(chunk) {
            *lane += x;
        }
    }
    lanes.iter().chain(rest).sum()
}

/// How long so many rounds of the work take.
pub fn time(rounds: u64, mut work: impl FnMut()) -> Duration {
    let start = Instant::now();
    (0..rounds).for_each(|_| work());
    start.elapsed()
}
