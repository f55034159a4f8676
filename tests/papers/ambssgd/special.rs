//! Cases that must coincide, on the same noise.

use super::problems::{Problem, problem};
use dp_assay::mechanism::tape::{Purpose, Tape};
use dp_assay::problem::load::{Format, Options, Rows, Task};
use dp_assay::problem::rows::{FileStream, Matrix};
pub use dp_assay::solver::ambssgd::Run;
use dp_assay::solver::ambssgd::{
    Adaptive, Ranges, Search, Shuffled, Stop, optimized, permutation, reference,
};
use std::fmt::Write;

/// Tail-averaged mini-batch SGD without clipping or noise, written out once more.
fn plain_sgd(records: &Matrix, batches: &[Vec<usize>], step: f64) -> Vec<f64> {
    let (d, steps) = (records.features(), batches.len());
    let (mut w, mut tail) = (vec![0.0; d], vec![0.0; d]);
    for (t, batch) in batches.iter().enumerate() {
        let mut sum = vec![0.0; d];
        for &i in batch {
            let mut product = 0.0;
            for (x, w) in records.row(i).iter().zip(&w) {
                product += x * w;
            }
            let residual = product - records.targets()[i];
            for (sum, x) in sum.iter_mut().zip(records.row(i)) {
                *sum += x * residual;
            }
        }
        for (w, sum) in w.iter_mut().zip(&sum) {
            *w -= step * (sum / batch.len() as f64);
        }
        if t >= steps / 2 {
            tail.iter_mut().zip(&w).for_each(|(tail, w)| *tail += w);
        }
    }
    tail.iter()
        .map(|tail| tail * (2.0 / steps as f64))
        .collect()
}

#[test]
fn without_noise_and_clipping_both_algorithms_are_tail_averaged_sgd_bit_for_bit() {
    for seed in 0..40 {
        let Problem {
            records,
            adaptive,
            shuffled,
            tape,
        } = problem(seed, 1..=12);
        let n = records.records();
        let order = permutation(tape, n);
        let free = Shuffled {
            threshold: f64::MAX,
            multiplier: 0.0,
            ..shuffled
        };
        let run = reference::ssgd(&records, &order, &free, tape, &mut |_| ()).unwrap();
        let singles: Vec<_> = order.iter().map(|&i| vec![i as usize]).collect();
        assert_eq!(
            run.average,
            plain_sgd(&records, &singles, free.step),
            "seed {seed}"
        );

        let free = Adaptive {
            factor: 1e300,
            multiplier: 0.0,
            search: Search::halvings(1e6, 1).unwrap(),
            ..adaptive
        };
        let run = reference::ambssgd(&records, &order, &free, tape, &mut |_| ()).unwrap();
        let block = free.batch + free.statistics;
        let batches: Vec<_> = (order.chunks(block))
            .map(|block| {
                block[free.statistics..]
                    .iter()
                    .map(|&i| i as usize)
                    .collect()
            })
            .collect();
        assert_eq!(
            run.average,
            plain_sgd(&records, &batches, free.step),
            "seed {seed}"
        );
    }
}

/// With batches of one record and DP-STAT forced to its lowest level, Algorithm 2 is Algorithm 1 on the gradient
/// records: the noise of both has standard deviation 2ηζα.
#[test]
fn algorithm_2_with_batches_of_one_and_a_fixed_level_is_algorithm_1() {
    for seed in 0..40 {
        let Problem {
            records,
            adaptive,
            shuffled,
            tape,
        } = problem(seed, 1..=12);
        // One level below a huge domain reaches every residual at the first comparison; the two records of
        // DP-STAT for s = 1 then count 2, and without noise in the count the loop breaks at once.
        let search = Search::halvings(2e9, 1).unwrap();
        let config = Adaptive {
            batch: 1,
            statistics: 1,
            multiplier: 0.0,
            factor: shuffled.threshold / 1e9,
            search,
            ranges: Ranges::Disjoint,
            ..adaptive
        };
        let n = config.usable(records.records());
        let order = permutation(tape, n);
        let second: Vec<u32> = order.iter().skip(1).step_by(2).copied().collect();
        let mut levels = Vec::new();
        let run = reference::ambssgd(&records, &order, &config, tape, &mut |r| {
            levels.extend(r.level)
        });
        assert!(levels.iter().all(|level| *level == 0));
        let plain = Shuffled {
            step: config.step,
            threshold: config.threshold(0),
            multiplier: 0.0,
        };
        let other = reference::ssgd(&records, &second, &plain, tape, &mut |_| ()).unwrap();
        assert_eq!(run.unwrap().average, other.average, "seed {seed}");
    }
}

/// Scaling y, w, ζ, B and Δ by a power of two scales every iterate by it, exactly.
#[test]
fn the_unit_of_the_targets_does_not_matter() {
    for seed in 0..40 {
        let Problem {
            records,
            adaptive,
            shuffled,
            tape,
        } = problem(seed, 1..=12);
        let order = permutation(tape, records.records());
        let d = records.features();
        let values = (0..records.records())
            .flat_map(|i| records.row(i).to_vec())
            .collect();
        let targets = records.targets().iter().map(|y| 1024.0 * y).collect();
        let scaled = Matrix::new(d, values, targets).unwrap();
        let times = |run: Run| -> Vec<f64> { run.average.iter().map(|w| 1024.0 * w).collect() };

        let run = reference::ambssgd(&records, &order, &adaptive, tape, &mut |_| ()).unwrap();
        let width = adaptive.search.width.doubled(10);
        let search = Search {
            width,
            ..adaptive.search
        };
        let wide = Adaptive { search, ..adaptive };
        let other = reference::ambssgd(&scaled, &order, &wide, tape, &mut |_| ()).unwrap();
        assert_eq!(other.average, times(run), "seed {seed}");

        let run = reference::ssgd(&records, &order, &shuffled, tape, &mut |_| ()).unwrap();
        let wide = Shuffled {
            threshold: 1024.0 * shuffled.threshold,
            ..shuffled
        };
        let other = reference::ssgd(&scaled, &order, &wide, tape, &mut |_| ()).unwrap();
        assert_eq!(other.average, times(run), "seed {seed}");
    }
}

/// A file read through a buffer, and records in memory on one or two threads, give the same bits.
#[test]
fn streaming_and_threads_change_nothing() {
    let tape = Tape::new(7);
    let (d, n) = (37, 4000);
    let mut words = tape.stream(1, Purpose::Data, 0);
    let values: Vec<f64> = (0..n * d).map(|_| words.uniform().gaussian()).collect();
    let targets: Vec<f64> = (0..n).map(|_| words.uniform().gaussian()).collect();
    let mut csv = String::new();
    for (x, y) in values.chunks(d).zip(&targets) {
        x.iter().for_each(|x| write!(csv, "{x:e},").unwrap());
        writeln!(csv, "{y:e}").unwrap();
    }
    let records = Matrix::new(d, values, targets).unwrap();
    let config = Adaptive {
        step: 0.02,
        multiplier: 0.5,
        batch: 900,
        statistics: 100,
        factor: 2.0,
        search: Search::halvings(64.0, 20).unwrap(),
        ranges: Ranges::Printed,
        stop: Stop::Printed,
    };
    let in_memory = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        let source = &mut records.source(None);
        pool.install(|| optimized::ambssgd(source, n, &config, tape, &mut |_| ()).unwrap())
    };
    let options = Options {
        format: Format::Csv,
        task: Task::Regression,
        ..Options::default()
    };
    let rows = Rows::new("memory.csv", csv.as_bytes(), &options).unwrap();
    let streamed = optimized::ambssgd(&mut FileStream::new(rows, d), n, &config, tape, &mut |_| ());
    let one = in_memory(1);
    assert_eq!(one, in_memory(2));
    assert_eq!(one, streamed.unwrap());
    assert!(one.counters.clipped > 0);
}
