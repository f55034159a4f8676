//! How stored times grow: the exponent of the least-squares line through their logarithms, beside the one to expect.

use std::collections::BTreeMap;
use std::fmt::Write;

/// Benchmarks whose names begin alike and end in a size.
struct Curve {
    /// What their names begin with.
    begins: &'static str,
    /// What the size counts.
    size: &'static str,
    /// The exponent of the work for large sizes.
    expected: f64,
    /// What the work is, and why times may grow otherwise.
    why: &'static str,
}

const fn curve(
    begins: &'static str,
    size: &'static str,
    expected: f64,
    why: &'static str,
) -> Curve {
    Curve {
        begins,
        size,
        expected,
        why,
    }
}

const CURVES: [Curve; 16] = [
    curve(
        "epsilon against the number of steps/inversion/",
        "steps T",
        0.0,
        "the characteristic function is raised to a power",
    ),
    curve(
        "epsilon against the number of steps/lattice/",
        "steps T",
        0.5,
        "the window of the sum grows as √T, its mesh is that of one step",
    ),
    curve(
        "epsilon against the number of distinct events/",
        "distinct events",
        1.0,
        "a characteristic function for each",
    ),
    curve(
        "slope against the number of users/torus/",
        "users n",
        1.5,
        "elimination by nested separators of √n users",
    ),
    curve(
        "slope against the number of users/regular/",
        "users n",
        2.0,
        "a column by conjugate gradients for each user; expanders have no small separators",
    ),
    curve(
        "gcd iteration against the number of features, n = 1000/",
        "features p",
        1.0,
        "one pass over X",
    ),
    curve(
        "dense squared, p = 500, Gram columns cached/optimized/",
        "records n",
        0.0,
        "the Gram matrix knows no records",
    ),
    curve(
        "sparse logistic, 1 %, p = 1000/optimized/",
        "records n",
        1.0,
        "non-zeros of a column and of the rows that it changes; below 10 000 records the noise of p features counts",
    ),
    curve(
        "skgd singleton, sparse logistic 1 %, p = 1000/optimized/",
        "records n",
        1.0,
        "non-zeros of a column; from 2 MB of margins on each misses the second-level cache twice",
    ),
    curve(
        "skgd singleton, dense squared, p = 100/optimized/",
        "records n",
        0.0,
        "the Gram matrix knows no records",
    ),
    curve(
        "skgd nice sampling, sparse logistic, n = 64000/optimized/",
        "coordinates of a block",
        1.0,
        "non-zeros of the block; a thousand are all of them, read in order",
    ),
    curve(
        "dp-sgd step, batches of 256/records, p = 100/",
        "records n",
        1.0,
        "every record is drawn or not by a word of its own; the 256 gradients do not grow",
    ),
    curve(
        "dp-sgd step, batches of 256/features, n = 1000/",
        "features p",
        1.0,
        "256 gradients and p variates",
    ),
    curve(
        "dp-sgd step, batches of 256/features, n = 4000, 1 %/",
        "features p",
        1.0,
        "non-zeros of 256 rows and p variates",
    ),
    curve(
        "audit of 2000 pairs against the length of the output/",
        "length of the output",
        1.0,
        "every number is drawn, kept and looked at",
    ),
    curve(
        "ledger of a paper against its claims/",
        "claims",
        1.0,
        "every claim's certificate is replayed; papers differ in what their claims need",
    ),
];

/// A table in Markdown of all curves of which three sizes are stored.
pub fn table(medians: &BTreeMap<&str, f64>) -> String {
    let mut text = "| benchmark | against | from … to | time | exponent | expected | work |\n\
                    |---|---|---|---|---|---|---|\n"
        .to_owned();
    for curve in &CURVES {
        let of = |(name, median): (&&str, &f64)| {
            let rest = name.strip_prefix(curve.begins)?;
            let size: f64 = rest.rsplit('/').next()?.parse().ok()?;
            Some((size, *median))
        };
        let mut points: Vec<(f64, f64)> = medians.iter().filter_map(of).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let ([first, .., last], 3..) = (points.as_slice(), points.len()) else {
            continue;
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} … {} | {} … {} | {:.2} | {} | {} |",
            curve.begins.trim_end_matches(['/', ':']),
            curve.size,
            first.0,
            last.0,
            super::time(first.1),
            super::time(last.1),
            exponent(&points),
            curve.expected,
            curve.why
        );
    }
    text
}

/// The slope of ln t over ln size.
fn exponent(points: &[(f64, f64)]) -> f64 {
    let n = points.len() as f64;
    let logs = || points.iter().map(|(size, time)| (size.ln(), time.ln()));
    let (x, y) = logs().fold((0.0, 0.0), |(x, y), log| (x + log.0 / n, y + log.1 / n));
    let (covariance, variance) = logs().fold((0.0, 0.0), |(c, v), log| {
        (c + (log.0 - x) * (log.1 - y), v + (log.0 - x).powi(2))
    });
    covariance / variance
}
